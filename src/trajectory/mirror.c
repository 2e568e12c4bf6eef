/* mirror.c - a leg's other elbow: the leg mirrored in a plane through both of its ends.
 *
 * The plane holds the line from one end A to the other C and the axis e of the leg's first joint
 * (in the plane of a planar machine: the line itself). With S the reflection in it a body's pose
 * (r, R) becomes
 *     r' = S r,   R' = S R D,   D = 1 - 2 w w^T  in the body's axes, w = e x d,
 * d being the direction between two joints of the body: R' is a proper rotation that takes d to S d
 * and keeps e, so that joints with axes along e stay closed. In other legs the pose is a start, no
 * solution. */
#include "trajectory/internal.h"

#include "base/memory.h"
#include "linalg/vec3.h"

/* --- legs ------------------------------------------------------------------------------------- */

static bool in_leg(const int *leg, int body, int which) {
    return body != GDYN_GROUND && leg[body] == which;
}

/* A gear couples joints and has no place. */
static bool nowhere(const gdyn_joint_def *joint) {
    return !gdyn_joint_type_has_points(joint->type);
}

int gdyn_legs_of(const gdyn_model *model, const bool *held, int *leg) {
    int bodies = gdyn_model_bodies(model), legs = 0;
    for (int i = 0; i < bodies; i++)
        leg[i] = held[i] ? -1 : i;
    /* bodies that a joint connects take the lower number, until nothing changes */
    for (bool changed = true; changed;) {
        changed = false;
        for (int j = 0; j < gdyn_model_joints(model); j++) {
            const gdyn_joint_def *joint = gdyn_model_joint(model, j);
            int a = joint->a.body, b = joint->b.body;
            if (nowhere(joint) || a == GDYN_GROUND || b == GDYN_GROUND || held[a] || held[b] ||
                leg[a] == leg[b])
                continue;
            leg[a] = leg[b] = leg[a] < leg[b] ? leg[a] : leg[b];
            changed = true;
        }
    }
    /* numbered without gaps: the first body of each leg carries its own index */
    for (int i = 0; i < bodies; i++)
        if (!held[i])
            leg[i] = leg[i] == i ? legs++ : leg[leg[i]];
    return legs;
}

/* --- the plane -------------------------------------------------------------------------------- */

/* Ends of a leg, where it is joined to other parts, at most two; axis of the first, ground axes. */
static int ends_of(const gdyn_state *state, const int *leg, int which, double end[2][3],
                   double axis[3]) {
    const gdyn_model *model = gdyn_state_model(state);
    int count = 0;
    for (int j = 0; j < gdyn_model_joints(model); j++) {
        const gdyn_joint_def *joint = gdyn_model_joint(model, j);
        bool a = !nowhere(joint) && in_leg(leg, joint->a.body, which);
        bool b = !nowhere(joint) && in_leg(leg, joint->b.body, which);
        if (a == b)
            continue;
        if (count < 2)
            gdyn_state_point(state, a ? &joint->a : &joint->b, end[count]);
        if (count == 0) {
            double r[3], R[9];
            gdyn_state_body(state, joint->b.body, r, R);
            m3_apply(axis, R, joint->axis_b);
        }
        count++;
    }
    if (gdyn_model_space(model) == GDYN_PLANAR)
        v3_set(axis, 0, 0, 1);
    return count;
}

/* Normal of the plane through both ends and the axis; false where they do not span one. */
static bool plane_of(double end[2][3], const double axis[3], double normal[3]) {
    double line[3];
    v3_sub(line, end[1], end[0]);
    double length = v3_norm(line);
    v3_cross(normal, axis, line);
    return gdyn_v3_normalize(normal) > 1e-9 * length && length > 0;
}

/* --- bodies ----------------------------------------------------------------------------------- */

/* Direction between a body's first two joints apart, else its x axis; ground axes. */
static void direction_of(const gdyn_state *state, int body, const double R[9], double d[3]) {
    const gdyn_model *model = gdyn_state_model(state);
    const gdyn_anchor *first = NULL;
    v3_copy(d, R);
    for (int j = 0; j < gdyn_model_joints(model); j++) {
        const gdyn_joint_def *joint = gdyn_model_joint(model, j);
        const gdyn_anchor *own = joint->a.body == body   ? &joint->a
                                 : joint->b.body == body ? &joint->b
                                                         : NULL;
        double between[3];
        if (!own || nowhere(joint))
            continue;
        if (!first) {
            first = own;
            continue;
        }
        v3_sub(between, own->at, first->at);
        if (gdyn_v3_normalize(between) > 0) {
            m3_apply(d, R, between);
            return;
        }
    }
}

/* x := x less twice its part along the unit vector n. */
static void reflect(double x[3], const double n[3]) {
    v3_axpy(x, x, -2 * v3_dot(n, x), n);
}

static void mirror_body(const gdyn_state *from, int body, const double origin[3],
                        const double normal[3], const double axis[3], double du[6]) {
    double r[3], R[9], d[3], w[3], there[3], turned[9], change[9], away[3];
    gdyn_state_body(from, body, r, R);
    direction_of(from, body, R, d);
    v3_cross(w, axis, d);
    if (gdyn_v3_normalize(w) < 1e-6)
        v3_copy(w, normal);
    /* S about a point of the plane; S R D by columns: D mirrors in ground axes at w first */
    v3_sub(away, r, origin);
    reflect(away, normal);
    v3_add(there, origin, away);
    memcpy(turned, R, sizeof turned);
    for (int c = 0; c < 3; c++)
        reflect(turned + 3 * c, w), reflect(turned + 3 * c, normal);
    /* the displacement that leads there */
    double transposed[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            transposed[i + 3 * k] = R[k + 3 * i];
    gdyn_m3_multiply(change, turned, transposed);
    v3_sub(du, there, r);
    gdyn_rotation_log(change, du + 3);
}

bool gdyn_mirror_leg(const gdyn_state *from, const int *leg, int which, gdyn_state *to) {
    const gdyn_model *model = gdyn_state_model(from);
    bool planar = gdyn_model_space(model) == GDYN_PLANAR;
    int per_body = planar ? 3 : 6, n = gdyn_model_coordinates(model);
    double end[2][3], axis[3], normal[3];
    double *du = gdyn_alloc((size_t)n, sizeof *du);
    bool two = du && ends_of(from, leg, which, end, axis) == 2 && plane_of(end, axis, normal);
    for (int i = 0; two && i < gdyn_model_bodies(model); i++) {
        double move[6];
        if (leg[i] != which)
            continue;
        gdyn_v3_normalize(axis);
        mirror_body(from, i, end[0], normal, axis, move);
        for (int j = 0; j < per_body; j++)
            du[per_body * i + j] = planar && j == 2 ? move[5] : move[j];
    }
    if (two)
        gdyn_state_move(to, du);
    gdyn_free(du);
    return two;
}
