/* recursion.c - products with J and its rate, outward and inward over the tree.
 *
 * With P the body inboard of B, d = r_B - r_P, and the screws (v_i, w_i) of B's joint,
 *
 *   w_B  = w_P + sum w_i q_i'          v_B  = v_P + w_P x d + sum v_i q_i'
 *   w_B' = w_P' + sum w_i' q_i'  (q'' = 0)
 *   v_B' = v_P' + w_P' x d + w_P x (v_B - v_P) + sum v_i' q_i'
 *   f_P += f_B                         m_P += m_B + d x f_B,    tau_i = v_i . f_B + w_i . m_B
 *
 * A screw turns with the body in which its axis is fixed: e' = w x e; its point is a's. */
#include "tree/internal.h"

#include "linalg/vec3.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

/* A wrench that is rounding of what it was before. */
static const double BALANCED = 1e-13;

/* A body's part of u, f, ... (v, w), and back; the plane has vx, vy, wz. */
static void get(const gdyn_tree *tree, int body, const double *u, double twist[6]) {
    int per_body = tree->model->per_body;
    const double *own = u + per_body * body;
    memset(twist, 0, 6 * sizeof *twist);
    if (body >= 0 && per_body == 6)
        memcpy(twist, own, 6 * sizeof *twist);
    else if (body >= 0)
        twist[0] = own[0], twist[1] = own[1], twist[5] = own[2];
}

/* The reverse of get. */
static void put(const gdyn_tree *tree, int body, const double twist[6], double *u) {
    int per_body = tree->model->per_body;
    double *own = u + per_body * body;
    if (per_body == 6)
        memcpy(own, twist, 6 * sizeof *twist);
    else
        own[0] = twist[0], own[1] = twist[1], own[2] = twist[5];
}

/* Axis, arm and screw (v, w) of coordinate c, ground axes, with the joint's direction in the
 * tree. */
static void set_screw(gdyn_tree_pose *pose, const gdyn_tree_body *body, int c,
                      const double arm[3]) {
    const gdyn_screw *screw = &pose->tree->screw[c];
    double sign = body->reversed ? -1 : 1;
    double *S = pose->S + 6 * c, *e = pose->axis + 3 * c;
    /* the axis is fixed in one of the two bodies */
    gdyn_state_vector(pose->state, screw->in_a ? body->a : body->b, screw->axis, e);
    v3_copy(pose->arm + 3 * c, arm);
    /* a turn moves the centre by e x arm, a slide along e */
    v3_scale(S + 3, screw->turns ? sign : 0, e);
    if (screw->turns) {
        v3_cross(S, e, arm);
        v3_axpy(S, S, screw->pitch, e);
        v3_scale(S, sign, S);
    } else {
        v3_scale(S, sign, e);
    }
}

void gdyn_tree_pose_set(gdyn_tree_pose *pose, const gdyn_state *state) {
    const gdyn_tree *tree = pose->tree;
    pose->state = state;
    for (int i = 0; i < tree->bodies; i++) {
        const gdyn_tree_body *body = &tree->body[i];
        double point[3], arm[3], *reach = pose->reach + 3 * i;
        /* from the centre inboard to this one */
        v3_copy(reach, state->r + 3 * i);
        if (body->inboard >= 0)
            v3_sub(reach, reach, state->r + 3 * body->inboard);
        /* a's point, and the arm from it to the centre */
        gdyn_state_vector(state, body->point_body, body->point, point);
        if (body->point_body >= 0)
            v3_add(point, point, state->r + 3 * body->point_body);
        v3_sub(arm, state->r + 3 * i, point);
        for (int c = body->first; c < body->first + body->count; c++)
            set_screw(pose, body, c, arm);
    }
}

void gdyn_tree_velocities(const gdyn_tree_pose *pose, const double *qdot, double *u) {
    const gdyn_tree *tree = pose->tree;
    for (int k = 0; k < tree->bodies; k++) {
        int i = tree->order[k];
        const gdyn_tree_body *body = &tree->body[i];
        double twist[6], turned[3];
        /* carried by the body inboard, then moved by its own joint */
        get(tree, body->inboard, u, twist);
        v3_cross(turned, twist + 3, pose->reach + 3 * i);
        v3_add(twist, twist, turned);
        for (int c = body->first; c < body->first + body->count; c++)
            for (int j = 0; j < 6; j++)
                twist[j] += pose->S[6 * c + j] * qdot[c];
        put(tree, i, twist, u);
    }
}

void gdyn_tree_joint_rates(const gdyn_tree_pose *pose, const double *u, double *qdot) {
    const gdyn_tree *tree = pose->tree;
    for (int i = 0; i < tree->bodies; i++) {
        const gdyn_tree_body *body = &tree->body[i];
        double own[6], inboard[6], part[3];
        get(tree, i, u, own), get(tree, body->inboard, u, inboard);
        /* motion relative to the body inboard, at the own centre */
        for (int j = 0; j < 6; j++)
            own[j] -= inboard[j];
        v3_cross(part, inboard + 3, pose->reach + 3 * i);
        v3_sub(own, own, part);
        for (int c = body->first; c < body->first + body->count; c++) {
            /* its share along each axis, slides at a's point */
            double point[3];
            v3_cross(part, own + 3, pose->arm + 3 * c);
            v3_sub(point, own, part); /* at a's point */
            qdot[c] = v3_dot(pose->axis + 3 * c, tree->screw[c].turns ? own + 3 : point);
            qdot[c] = body->reversed ? -qdot[c] : qdot[c];
        }
    }
}

/* Rate of the screw of coordinate c in the motion u, times q_c', added to (v, w). */
static void add_screw_rate(const gdyn_tree_pose *pose, int c, const double *u, double speed,
                           double rate[6]) {
    const gdyn_tree *tree = pose->tree;
    const gdyn_screw *screw = &tree->screw[c];
    const double *e = pose->axis + 3 * c, *arm = pose->arm + 3 * c;
    int body = tree->screw_body[c], a = tree->body[body].a;
    double sign = tree->body[body].reversed ? -speed : speed;
    double own[6], holding[6], de[3], part[3];
    get(tree, screw->in_a ? a : tree->body[body].b, u, holding);
    /* e' = w x e */
    v3_cross(de, holding + 3, e);
    if (!screw->turns) {
        v3_axpy(rate, rate, sign, de);
        return;
    }
    /* w' = e', v' = e' x arm + e x arm' + pitch e' */
    v3_axpy(rate + 3, rate + 3, sign, de);
    v3_cross(part, de, arm);
    v3_axpy(rate, rate, sign, part);
    v3_axpy(rate, rate, sign * screw->pitch, de);
    /* e x arm', arm' = v_B - v of a's point */
    double at[3], swing[3], moving[6], darm[3] = {0, 0, 0};
    if (tree->body[body].joint >= 0) {
        get(tree, body, u, own), get(tree, a, u, moving);
        if (tree->body[body].reversed)
            v3_sub(at, pose->reach + 3 * body, arm);
        else
            v3_scale(at, -1, arm);
        v3_cross(swing, moving + 3, at);
        v3_sub(darm, own, moving);
        v3_sub(darm, darm, swing);
    }
    v3_cross(part, e, darm);
    v3_axpy(rate, rate, sign, part);
}

void gdyn_tree_bias(const gdyn_tree_pose *pose, const double *qdot, const double *u, double *bias) {
    const gdyn_tree *tree = pose->tree;
    for (int k = 0; k < tree->bodies; k++) {
        int i = tree->order[k];
        const gdyn_tree_body *body = &tree->body[i];
        double rate[6], own[6], inboard[6], part[3];
        get(tree, body->inboard, bias, rate), get(tree, body->inboard, u, inboard);
        get(tree, i, u, own);
        /* w_P' x d */
        v3_cross(part, rate + 3, pose->reach + 3 * i);
        v3_add(rate, rate, part);
        /* w_P x (v_B - v_P) */
        v3_sub(own, own, inboard);
        v3_cross(part, inboard + 3, own);
        v3_add(rate, rate, part);
        /* rates of the joint's own screws */
        for (int c = body->first; c < body->first + body->count; c++)
            add_screw_rate(pose, c, u, qdot[c], rate);
        put(tree, i, rate, bias);
    }
}

/* (f, m) at the body's centre as a wrench at that of the body inboard. */
static void carry(const gdyn_tree_pose *pose, int body, double wrench[6]) {
    const double *d = pose->reach + 3 * body;
    double moment[3];
    if (pose->tree->model->per_body == 3) {
        wrench[5] += d[0] * wrench[1] - d[1] * wrench[0];
        return;
    }
    v3_cross(moment, d, wrench);
    v3_add(wrench + 3, wrench + 3, moment);
}

static double work(bool planar, const double *S, const double *wrench) {
    if (planar)
        return S[0] * wrench[0] + S[1] * wrench[1] + S[5] * wrench[5];
    return v3_dot(S, wrench) + v3_dot(S + 3, wrench + 3);
}

void gdyn_tree_forces(gdyn_tree_pose *pose, const double *f, double *tau) {
    const gdyn_tree *tree = pose->tree;
    bool planar = tree->model->per_body == 3;
    for (int i = 0; i < tree->bodies; i++)
        get(tree, i, f, pose->wrench + 6 * i);
    for (int k = tree->bodies - 1; k >= 0; k--) {
        int i = tree->order[k];
        const gdyn_tree_body *body = &tree->body[i];
        double *wrench = pose->wrench + 6 * i;
        for (int c = body->first; c < body->first + body->count; c++)
            tau[c] = work(planar, pose->S + 6 * c, wrench);
        if (body->inboard < 0)
            continue;
        carry(pose, i, wrench);
        for (int j = 0; j < 6; j++)
            pose->wrench[6 * body->inboard + j] += wrench[j];
    }
}

void gdyn_tree_force_sizes(gdyn_tree_pose *pose, const double *size, double *tau) {
    const gdyn_tree *tree = pose->tree;
    /* of each body a force and a moment */
    for (int i = 0; i < tree->bodies; i++) {
        double own[6], *sum = pose->wrench + 6 * i;
        get(tree, i, size, own);
        sum[0] = fabs(own[0]) + fabs(own[1]) + fabs(own[2]);
        sum[1] = fabs(own[3]) + fabs(own[4]) + fabs(own[5]);
    }
    for (int k = tree->bodies - 1; k >= 0; k--) {
        int i = tree->order[k];
        const gdyn_tree_body *body = &tree->body[i];
        const double *sum = pose->wrench + 6 * i;
        double *to = pose->wrench + 6 * body->inboard;
        for (int c = body->first; c < body->first + body->count; c++)
            tau[c] = v3_norm(pose->S + 6 * c) * sum[0] + v3_norm(pose->S + 6 * c + 3) * sum[1];
        if (body->inboard < 0)
            continue;
        to[0] += sum[0];
        to[1] += sum[1] + v3_norm(pose->reach + 3 * i) * sum[0];
    }
}

/* A wrench on its way to the ground. */
typedef struct front {
    int body;
    double wrench[6];
} front;

/* The front at the body that lies farthest out; others at the same body are added to it. */
static front *farthest(const gdyn_tree *tree, front *at, int *count) {
    front *far = at;
    for (int i = 1; i < *count; i++)
        if (tree->position[at[i].body] > tree->position[far->body])
            far = &at[i];
    for (int i = 0; i < *count; i++) {
        if (&at[i] == far || at[i].body != far->body)
            continue;
        for (int j = 0; j < 6; j++)
            far->wrench[j] += at[i].wrench[j];
        at[i] = at[--*count];
        /* the last one has moved */
        far = far == &at[*count] ? &at[i] : far;
        i--;
    }
    return far;
}

/* Work of the front's wrench on the coordinates of its body; then it acts on the body inboard. */
static void advance(const gdyn_tree_pose *pose, front *at, const double *scale, gdyn_sparse *table,
                    int index) {
    bool planar = pose->tree->model->per_body == 3;
    const gdyn_tree_body *body = &pose->tree->body[at->body];
    for (int c = body->first; c < body->first + body->count; c++)
        gdyn_sparse_add(table, index, c, scale[c] * work(planar, pose->S + 6 * c, at->wrench));
    if (body->inboard >= 0)
        carry(pose, at->body, at->wrench);
    at->body = body->inboard;
}

void gdyn_tree_sparse_row(const gdyn_tree_pose *pose, const gdyn_row *row,
                          const gdyn_row_jacobian *jacobian, double factor, const double *scale,
                          gdyn_sparse *table, int index) {
    front at[GDYN_ROW_BODIES];
    double L = pose->tree->model->length, most = 0;
    int count = jacobian->count;
    for (int i = 0; i < count; i++) {
        /* a row's derivative on a body is a wrench on it */
        at[i].body = jacobian->body[i];
        v3_scale(at[i].wrench, factor, jacobian->J[i]);
        v3_scale(at[i].wrench + 3, factor, jacobian->J[i] + 3);
    }
    while (count > 1) {
        int before = count;
        front *far = farthest(pose->tree, at, &count);
        double size = 0;
        for (int j = 0; j < 6; j++)
            size = fmax(size, (j < 3 ? L : 1) * fabs(far->wrench[j]));
        /* where two have met, what depends on relative motion is in balance */
        if (count < before && (row->kind == GDYN_ROW_POINT || size <= BALANCED * most)) {
            *far = at[--count];
            continue;
        }
        most = size > most ? size : most;
        advance(pose, far, scale, table, index);
        if (far->body < 0)
            *far = at[--count];
    }
    /* the last one on its way to the ground */
    while (count == 1 && at->body >= 0)
        advance(pose, at, scale, table, index);
}

void gdyn_tree_row(gdyn_tree_pose *pose, const gdyn_row_jacobian *row, double *out) {
    /* wrenches on the bodies, carried inward all together */
    double *f = pose->u;
    memset(f, 0, (size_t)pose->tree->n * sizeof *f);
    for (int i = 0; i < row->count; i++)
        put(pose->tree, row->body[i], row->J[i], f);
    gdyn_tree_forces(pose, f, out);
}
