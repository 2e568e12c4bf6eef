/* placing.c - frames in frames, and masses in them.
 *
 * A load is a mass m, its centre c and its tensor I about c. In an outer frame x0 + R x: c' = x0
 * + R c, I' = R I R^T. The sum of two has its centre at the mean of theirs, and I = sum of I_i +
 * m_i (d_i^T d_i 1 - d_i d_i^T), d_i = c_i - c (Steiner). */
#include "import/robot.h"

#include "base/pi.h"
#include "linalg/vec3.h"

void gdyn_placing_identity(gdyn_placing *p) {
    *p = (gdyn_placing){.x = {0, 0, 0}};
    gdyn_m3_identity(p->R);
}

void gdyn_placing_point(double y[3], const gdyn_placing *p, const double x[3]) {
    double turned[3];
    m3_apply(turned, p->R, x);
    v3_add(y, p->x, turned);
}

void gdyn_placing_compose(gdyn_placing *r, const gdyn_placing *a, const gdyn_placing *b) {
    gdyn_placing made;
    gdyn_m3_multiply(made.R, a->R, b->R);
    gdyn_placing_point(made.x, a, b->x);
    *r = made;
}

void gdyn_placing_of_joint(gdyn_placing *p, const gdyn_robot_joint *joint, double q) {
    double axis[3], w[3], moved[3];
    gdyn_placing_identity(p);
    v3_copy(axis, joint->axis);
    gdyn_v3_normalize(axis);
    v3_scale(w, q, axis);
    if (joint->motion == GDYN_ROBOT_SLIDE) {
        v3_copy(p->x, w);
    } else if (joint->motion == GDYN_ROBOT_TURN) {
        /* the point `at` stays */
        gdyn_rotation_exp(p->R, w);
        m3_apply(moved, p->R, joint->at);
        v3_sub(p->x, joint->at, moved);
    }
}

void gdyn_load_place(gdyn_load *out, const gdyn_load *load, const gdyn_placing *p) {
    gdyn_load made = {.mass = load->mass};
    double RI[9], Rt[9];
    gdyn_placing_point(made.com, p, load->com);
    gdyn_m3_multiply(RI, p->R, load->I);
    for (int i = 0; i < 9; i++)
        Rt[i] = p->R[i / 3 + 3 * (i % 3)];
    gdyn_m3_multiply(made.I, RI, Rt);
    /* symmetric to the last bit */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            made.I[i + 3 * j] = made.I[j + 3 * i] = 0.5 * (made.I[i + 3 * j] + made.I[j + 3 * i]);
    *out = made;
}

static void steiner(double I[9], double mass, const double d[3]) {
    double square = v3_dot(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            I[i + 3 * j] += mass * ((i == j ? square : 0) - d[i] * d[j]);
}

void gdyn_load_add(gdyn_load *sum, const gdyn_load *load) {
    double mass = sum->mass + load->mass, com[3], d[3];
    if (mass > 0) {
        v3_scale(com, sum->mass / mass, sum->com);
        v3_axpy(com, com, load->mass / mass, load->com);
    } else {
        v3_copy(com, sum->com);
    }
    v3_sub(d, sum->com, com);
    steiner(sum->I, sum->mass, d);
    v3_sub(d, load->com, com);
    steiner(sum->I, load->mass, d);
    for (int i = 0; i < 9; i++)
        sum->I[i] += load->I[i];
    sum->mass = mass;
    v3_copy(sum->com, com);
}

void gdyn_load_of_shape(gdyn_load *load, const gdyn_robot_shape *shape, double rho) {
    gdyn_body_def def = gdyn_body_default();
    gdyn_shape_def one = gdyn_shape_default();
    one.kind = shape->kind;
    one.radius = shape->radius;
    v3_set(one.a.at, 0, 0, -shape->half);
    v3_set(one.b.at, 0, 0, shape->half);
    if (shape->kind == GDYN_SHAPE_BOX) {
        v3_copy(one.size, shape->size);
        v3_set(one.a.at, 0, 0, 0);
    }
    if (shape->kind == GDYN_SHAPE_SPHERE)
        v3_set(one.a.at, 0, 0, 0);
    gdyn_body_of_shapes(1, &one, rho, &def);
    *load = (gdyn_load){.mass = def.mass};
    v3_copy(load->com, def.com);
    for (int i = 0; i < 3; i++)
        load->I[4 * i] = def.inertia[i];
    load->I[1] = load->I[3] = def.inertia[3];
    load->I[2] = load->I[6] = def.inertia[4];
    load->I[5] = load->I[7] = def.inertia[5];
    gdyn_load_place(load, load, &shape->placing);
}
