/* move.c - finite motions of the joints.
 *
 * With R = R_b^T R_a and x = R_b^T (x_a - r_b), the turns about axes of b make one rotation
 * exp(t_b), those about axes of a another:
 *
 *   R := exp(t_b) R exp(t_a),   x := x + slides and pitches along their axes
 *
 * In ground axes, with E the turn of a body from its old place to the new one, T_a, T_b the
 * rotation vectors and X the slide at the old place, P the body inboard and s the arm from the
 * joint's point (a's) to the body's centre:
 *
 *   E = E_P exp(T_b) exp(T_a),   R := E R,   r := r_P + E_P (point - r_P + X) + E s    (body a)
 *   E = E_P exp(-T_a) exp(-T_b), R := E R,   r := r_P + E_P (point - r_P) + E (s - X)  (body b)
 *
 * Bodies are placed from the ground outward, so that a joint keeps its constraints whatever moved
 * before it. What rounding has left in them is taken away each time: it would add up along a path,
 * where only closing rows are corrected. The rows of a joint act along perpendicular axes, so that
 * one step for each of them is enough. */
#include "tree/internal.h"

#include "linalg/vec3.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

/* --- turns and slides ------------------------------------------------------------------------- */

/* Displacements of a body's joint at its old place, ground axes, and the point at which they
 * act. */
typedef struct shift {
    double turn_b[3], turn_a[3], slide[3], point[3];
} shift;

static void shift_of(const gdyn_tree *tree, const gdyn_tree_body *body, const gdyn_state *from,
                     const double *dq, shift *s) {
    memset(s, 0, sizeof *s);
    gdyn_state_vector(from, body->point_body, body->point, s->point);
    if (body->point_body >= 0)
        v3_add(s->point, s->point, from->r + 3 * body->point_body);
    for (int c = body->first; c < body->first + body->count; c++) {
        const gdyn_screw *screw = &tree->screw[c];
        double along = screw->turns ? screw->pitch * dq[c] : dq[c], axis[3];
        gdyn_state_vector(from, screw->in_a ? body->a : body->b, screw->axis, axis);
        v3_axpy(s->slide, s->slide, along, axis);
        double *turn = screw->in_a ? s->turn_a : s->turn_b;
        if (screw->turns)
            v3_axpy(turn, turn, dq[c], axis);
    }
}

/* E := E exp(sign t) */
static void turn_by(double E[9], double sign, const double t[3]) {
    double step[9], w[3];
    if (t[0] == 0 && t[1] == 0 && t[2] == 0)
        return;
    v3_scale(w, sign, t);
    gdyn_rotation_exp(step, w);
    gdyn_m3_multiply(E, E, step);
}

/* --- rounding --------------------------------------------------------------------------------- */

/* The turn of a relative to b that takes an angular row's residual, which is rounding, away is
 * added to c. */
static void turn_back(const gdyn_row *row, const gdyn_state *state, double c[3]) {
    double m[3], e[3], n[3];
    gdyn_state_vector(state, row->a, row->m, m);
    gdyn_state_vector(state, row->b, row->e, e);
    if (row->kind == GDYN_ROW_DOT) {
        v3_cross(n, m, e);
        v3_axpy(c, c, row->target - v3_dot(m, e), n);
        return;
    }
    /* the sine of the turn from the direction that the row wants to m */
    double k[3], side[3], wanted[3], missing;
    gdyn_state_vector(state, row->b, row->k, k);
    v3_cross(side, e, k);
    v3_scale(wanted, cos(row->target), k);
    v3_axpy(wanted, wanted, sin(row->target), side);
    v3_cross(n, m, wanted);
    missing = v3_dot(n, e);
    v3_axpy(c, c, missing, e);
}

/* The shift of a's point relative to b's that takes a row's residual away is added to d. */
static void shift_back(const gdyn_row *row, const gdyn_state *state, double d[3]) {
    double xa[3], xb[3], e[3];
    gdyn_state_vector(state, row->a, row->sa, xa);
    gdyn_state_vector(state, row->b, row->sb, xb);
    v3_sub(xa, xa, xb);
    if (row->a >= 0)
        v3_add(xa, xa, state->r + 3 * row->a);
    if (row->b >= 0)
        v3_sub(xa, xa, state->r + 3 * row->b);
    if (row->kind == GDYN_ROW_POINT) { /* locked along all axes */
        v3_scale(d, -1, xa);
        return;
    }
    gdyn_state_vector(state, row->b, row->e, e);
    v3_axpy(d, d, row->target - v3_dot(e, xa), e);
}

/* Takes the residuals of the body's joint away. A screw's row couples turn and slide: it is left to
 * the closing. */
static void settle(const gdyn_tree *tree, int body, gdyn_state *to) {
    const gdyn_model *model = tree->model;
    const gdyn_tree_body *node = &tree->body[body];
    const gdyn_row *row = &model->row[model->joint_first[node->joint]];
    int rows = model->joint_count[node->joint];
    double c[3] = {0, 0, 0}, d[3] = {0, 0, 0}, turn[3], sign = node->reversed ? -1 : 1;
    double *R = to->R + 9 * body, *r = to->r + 3 * body;
    for (int i = 0; i < rows; i++)
        if (row[i].kind == GDYN_ROW_DOT || row[i].kind == GDYN_ROW_TURN)
            turn_back(&row[i], to, c);
    for (int j = 0; j < 3; j++) {
        v3_cross(turn, c, R + 3 * j);
        v3_axpy(R + 3 * j, R + 3 * j, sign, turn);
    }
    for (int i = 0; i < rows; i++)
        if (row[i].kind == GDYN_ROW_ALONG || (row[i].kind == GDYN_ROW_POINT && row[i].axis == 0))
            shift_back(&row[i], to, d);
    v3_axpy(r, r, sign, d);
}

/* --- the move --------------------------------------------------------------------------------- */

/* The body's new place from the new one of the body inboard. */
static void move_spatial(gdyn_tree_pose *work, int body, const gdyn_state *from, const double *dq,
                         gdyn_state *to) {
    const gdyn_tree_body *node = &work->tree->body[body];
    double *E = work->turned + 9 * body, *r = to->r + 3 * body, arm[3], reach[3];
    shift s;
    shift_of(work->tree, node, from, dq, &s);
    v3_sub(arm, from->r + 3 * body, s.point);
    v3_copy(reach, s.point);
    if (node->reversed)
        v3_sub(arm, arm, s.slide);
    else
        v3_add(reach, reach, s.slide);
    if (node->inboard >= 0) {
        memcpy(E, work->turned + 9 * node->inboard, 9 * sizeof *E);
        v3_sub(reach, reach, from->r + 3 * node->inboard);
        m3_apply(reach, E, reach);
        v3_add(reach, reach, to->r + 3 * node->inboard);
    } else {
        gdyn_m3_identity(E);
    }
    turn_by(E, node->reversed ? -1 : 1, node->reversed ? s.turn_a : s.turn_b);
    turn_by(E, node->reversed ? -1 : 1, node->reversed ? s.turn_b : s.turn_a);
    /* R := E R, taken back to a rotation: one step of Newton's method for the lengths */
    const double *old = from->R + 9 * body;
    double *R = to->R + 9 * body;
    m3_apply(R, E, old), m3_apply(R + 3, E, old + 3);
    v3_scale(R, 1.5 - 0.5 * v3_dot(R, R), R);
    v3_axpy(R + 3, R + 3, -v3_dot(R, R + 3), R);
    v3_scale(R + 3, 1.5 - 0.5 * v3_dot(R + 3, R + 3), R + 3);
    v3_cross(R + 6, R, R + 3);
    m3_apply(arm, E, arm);
    v3_add(r, reach, arm);
}

/* A vector fixed in a body, in the plane. */
static void turned_planar(const gdyn_state *state, int body, const double local[3], double out[2]) {
    const double *R = state->R + 9 * body;
    double x = local[0], y = local[1];
    out[0] = body < 0 ? x : R[0] * x + R[3] * y;
    out[1] = body < 0 ? y : R[1] * x + R[4] * y;
}

/* Displacements in the plane: the slide, and the angle. */
static double shift_planar(const gdyn_tree *tree, const gdyn_tree_body *node,
                           const gdyn_state *from, const double *dq, double slide[2]) {
    double angle = 0, axis[2];
    slide[0] = slide[1] = 0;
    for (int c = node->first; c < node->first + node->count; c++) {
        const gdyn_screw *screw = &tree->screw[c];
        if (screw->turns) {
            angle += dq[c] * screw->axis[2];
            continue;
        }
        turned_planar(from, screw->in_a ? node->a : node->b, screw->axis, axis);
        slide[0] += dq[c] * axis[0], slide[1] += dq[c] * axis[1];
    }
    return angle;
}

/* The same in the plane: all turns add up, E = (cos, sin). */
static void move_planar(gdyn_tree_pose *work, int body, const gdyn_state *from, const double *dq,
                        gdyn_state *to) {
    const gdyn_tree_body *node = &work->tree->body[body];
    const double *old = from->R + 9 * body, *r_old = from->r + 3 * body;
    double *E = work->turned + 9 * body, *R = to->R + 9 * body, *r = to->r + 3 * body;
    double slide[2], point[2], step[9], c = 1, s = 0;
    double angle = shift_planar(work->tree, node, from, dq, slide);
    turned_planar(from, node->point_body, node->point, point);
    if (node->point_body >= 0) {
        point[0] += from->r[3 * node->point_body];
        point[1] += from->r[3 * node->point_body + 1];
    }
    double x = point[0], y = point[1], arm[2] = {r_old[0] - x, r_old[1] - y};
    double *sliding = node->reversed ? arm : point, sign = node->reversed ? -1 : 1;
    sliding[0] += sign * slide[0], sliding[1] += sign * slide[1];
    /* the joint's point, with the body inboard */
    r[0] = point[0], r[1] = point[1];
    if (node->inboard >= 0) {
        const double *held = work->turned + 9 * node->inboard;
        const double *before = from->r + 3 * node->inboard, *now = to->r + 3 * node->inboard;
        x = point[0] - before[0], y = point[1] - before[1], c = held[0], s = held[1];
        r[0] = now[0] + c * x - s * y, r[1] = now[1] + s * x + c * y;
    }
    /* the body, turned about it */
    gdyn_rotation_exp(step, (double[3]){0, 0, sign * angle});
    E[0] = c * step[0] - s * step[1], E[1] = s * step[0] + c * step[1];
    r[0] += E[0] * arm[0] - E[1] * arm[1], r[1] += E[1] * arm[0] + E[0] * arm[1];
    r[2] = r_old[2];
    c = E[0] * old[0] - E[1] * old[1], s = E[1] * old[0] + E[0] * old[1];
    double scale = 1.5 - 0.5 * (c * c + s * s);
    R[0] = R[4] = scale * c, R[1] = scale * s;
    R[3] = -R[1];
}

void gdyn_tree_move_bodies(gdyn_tree_pose *work, const gdyn_state *from, const double *dq,
                           bool settled, gdyn_state *to) {
    const gdyn_tree *tree = work->tree;
    for (int k = 0; k < tree->bodies; k++) {
        int body = tree->order[k];
        if (tree->model->per_body == 3)
            move_planar(work, body, from, dq, to);
        else
            move_spatial(work, body, from, dq, to);
        if (settled && tree->body[body].joint >= 0)
            settle(tree, body, to);
    }
}

void gdyn_tree_move(gdyn_tree_pose *work, const gdyn_state *from, const double *dq,
                    gdyn_state *to) {
    gdyn_state_copy(to, from);
    gdyn_tree_move_bodies(work, from, dq, true, to);
    gdyn_state_take_angles(to);
}
