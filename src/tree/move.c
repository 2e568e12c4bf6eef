/* move.c - finite motions of the joints.
 *
 * With R = R_b^T R_a and x = R_b^T (x_a - r_b), the turns about axes of b make one rotation exp(t_b), those
 * about axes of a another:
 *
 *   R := exp(t_b) R exp(t_a),   x := x + slides and pitches along their axes
 *
 * Bodies are placed from the ground outward, so that a joint keeps its constraints whatever moved before it. What
 * rounding has left in them is taken away each time: it would add up along a path, where only closing rows are
 * corrected. The rows of a joint act along perpendicular axes, so that one step for each of them is enough. */
#include "tree/internal.h"

#include "base/pi.h"
#include "linalg/vec3.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

typedef struct placed {
    double r[3], R[9];
} placed;

static placed place_of(const gdyn_state *state, int body) {
    placed p;
    gdyn_state_body(state, body, p.r, p.R);
    return p;
}

/* The displacements of a body's joint: rotation vectors in b's and a's axes, slide in b's axes. */
typedef struct shift {
    double turn_b[3], turn_a[3], slide[3];
} shift;

static shift shift_of(const gdyn_tree *tree, int body, const double *dq, const double R[9]) {
    const gdyn_tree_body *b = &tree->body[body];
    shift s = {{0}, {0}, {0}};
    for (int c = b->first; c < b->first + b->count; c++) {
        const gdyn_screw *screw = &tree->screw[c];
        double along = screw->turns ? screw->pitch * dq[c] : dq[c], axis[3];
        v3_copy(axis, screw->axis);
        if (screw->in_a)
            m3_apply(axis, R, axis);
        v3_axpy(s.slide, s.slide, along, axis);
        if (screw->turns && screw->in_a)
            v3_axpy(s.turn_a, s.turn_a, dq[c], screw->axis);
        else if (screw->turns)
            v3_axpy(s.turn_b, s.turn_b, dq[c], screw->axis);
    }
    return s;
}

/* R := exp(turn_b) R exp(turn_a) */
static void turn(double R[9], const shift *s) {
    double step[9];
    if (v3_dot(s->turn_b, s->turn_b) > 0) {
        gdyn_rotation_exp(step, s->turn_b);
        gdyn_m3_multiply(R, step, R);
    }
    if (v3_dot(s->turn_a, s->turn_a) > 0) {
        gdyn_rotation_exp(step, s->turn_a);
        gdyn_m3_multiply(R, R, step);
    }
}

/* Angle of m about e from k. */
static double angle_about(const double e[3], const double k[3], const double m[3]) {
    double side[3];
    v3_cross(side, k, m);
    return atan2(v3_dot(side, e), v3_dot(k, m));
}

/* Takes a row's residual at R, x from x, or adds the turn that takes it away to c (b's axes). A screw's row couples
 * both: it is left to the closing. */
static void take_residual(const gdyn_row *row, const double R[9], double x[3], double c[3]) {
    double d[3], m[3], n[3];
    m3_apply(m, R, row->m);
    switch (row->kind) {
    case GDYN_ROW_POINT: /* locked along all axes */
        v3_copy(x, row->sb);
        break;
    case GDYN_ROW_ALONG:
        v3_sub(d, x, row->sb);
        v3_axpy(x, x, row->target - v3_dot(row->e, d), row->e);
        break;
    case GDYN_ROW_DOT:
        v3_cross(n, m, row->e);
        v3_axpy(c, c, row->target - v3_dot(m, row->e), n);
        break;
    case GDYN_ROW_TURN:
        v3_axpy(c, c, remainder(row->target - angle_about(row->e, row->k, m), 2 * GDYN_PI), row->e);
        break;
    default:
        break;
    }
}

/* R, x of a joint with its constraints' residuals, which are rounding, taken away. */
static void settle(const gdyn_model *model, int joint, double R[9], double x[3]) {
    double c[3] = {0, 0, 0}, turned[3];
    for (int i = 0; i < model->joint_count[joint]; i++)
        take_residual(&model->row[model->joint_first[joint] + i], R, x, c);
    for (int j = 0; j < 3; j++) {
        v3_cross(turned, c, R + 3 * j);
        v3_add(R + 3 * j, R + 3 * j, turned);
    }
}

/* Anchor relative to its body's centre of gravity, body axes. */
static void offset(const gdyn_tree *tree, const gdyn_anchor *anchor, double s[3]) {
    v3_copy(s, anchor->at);
    if (anchor->body >= 0)
        v3_sub(s, s, tree->model->machine->body[anchor->body].com);
}

/* The body's new place from the new one of the body inboard. */
static placed moved(const gdyn_tree *tree, int body, const gdyn_state *from, const double *dq,
                    const gdyn_state *to) {
    const gdyn_tree_body *node = &tree->body[body];
    gdyn_anchor at = {.body = body};
    v3_copy(at.at, tree->model->machine->body[body].com);
    if (node->joint >= 0)
        at = tree->model->machine->joint[node->joint].a;
    int b_body = node->reversed ? body : node->inboard, a_body = at.body;
    placed a = place_of(from, a_body), b = place_of(from, b_body);
    double R[9], x[3], arm[3], d[3];
    gdyn_m3_multiply_tn(R, b.R, a.R);
    offset(tree, &at, arm);
    m3_apply(x, a.R, arm);
    for (int j = 0; j < 3; j++)
        d[j] = a.r[j] + x[j] - b.r[j];
    m3_apply_t(x, b.R, d);
    shift s = shift_of(tree, body, dq, R);
    turn(R, &s);
    v3_add(x, x, s.slide);
    if (node->joint >= 0)
        settle(tree->model, node->joint, R, x);
    placed held = place_of(to, node->inboard), out;
    if (node->reversed) { /* R_b = R_a R^T, r_b = r_a + R_a arm - R_b x */
        double back[9];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                back[3 * i + j] = R[3 * j + i];
        gdyn_m3_multiply(out.R, held.R, back);
        m3_apply(arm, held.R, arm);
        m3_apply(x, out.R, x);
        for (int j = 0; j < 3; j++)
            out.r[j] = held.r[j] + arm[j] - x[j];
    } else { /* R_a = R_b R, r_a = r_b + R_b x - R_a arm */
        gdyn_m3_multiply(out.R, held.R, R);
        m3_apply(arm, out.R, arm);
        m3_apply(x, held.R, x);
        for (int j = 0; j < 3; j++)
            out.r[j] = held.r[j] + x[j] - arm[j];
    }
    return out;
}

void gdyn_tree_move(const gdyn_tree *tree, const gdyn_state *from, const double *dq,
                    gdyn_state *to) {
    gdyn_state_copy(to, from);
    for (int k = 0; k < tree->bodies; k++) {
        int body = tree->order[k];
        placed p = moved(tree, body, from, dq, to);
        gdyn_state_place(to, body, p.r, p.R);
    }
}
