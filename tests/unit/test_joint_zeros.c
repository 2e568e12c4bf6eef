/* Zero, sense and roll of the coordinates of spatial joints with unequal axes, as docs/case-format.md states
 * them ("Axes and zeros"). Poses are built from that text alone: with v the axis in the second body, u in
 * the first, Q the least rotation from v to u, n1 and n2 the normals of v,
 *     R_a = R_b Rot(v, angle) Q^T,   a's point - b's point = R_b (slide v + x n1 + y n2),
 * and for a universal joint, u and v at right angles, R_a = R_b Rot(v, first) Rot(u, second). There the
 * joint has to be closed, with these coordinates. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "globdyn.h"
#include "linalg/vec3.h"
#include "near.h"

enum { TRIES = 40 };
static const double pitch = 0.4;
static gdyn_random dice;

/* What a joint of the type leaves: these of the values are free, the others zero. */
typedef struct values {
    double angle, slide, x, y, first, second;
} values;

static void unit3(double v[3]) {
    do {
        for (int i = 0; i < 3; i++)
            v[i] = gdyn_random_between(&dice, -1, 1);
    } while (v3_norm(v) < 0.3);
    gdyn_v3_normalize(v);
}

/* R := rotation about the unit vector e by the right hand. */
static void about(double R[9], const double e[3], double angle) {
    double w[3];
    v3_scale(w, angle, e);
    gdyn_rotation_exp(R, w);
}

/* Q := least rotation that takes the unit vector v to u. */
static void least(double Q[9], const double v[3], const double u[3]) {
    double e[3];
    v3_cross(e, v, u);
    double s = v3_norm(e);
    v3_scale(e, s > 0 ? 1 / s : 0, e);
    about(Q, e, atan2(s, v3_dot(v, u)));
}

/* Normals of v: what becomes of the next two axes by the least rotation of the nearest positive one. */
static void normals(const double v[3], double n1[3], double n2[3]) {
    int k = v[0] > v[1] ? (v[0] > v[2] ? 0 : 2) : (v[1] > v[2] ? 1 : 2);
    double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Q[9];
    least(Q, axis[k], v);
    m3_apply(n1, Q, axis[(k + 1) % 3]);
    m3_apply(n2, Q, axis[(k + 2) % 3]);
}

/* R_a of the text. */
static void orient(double Ra[9], const double Rb[9], const gdyn_joint_def *def, const values *q) {
    double A[9], B[9], C[9];
    if (def->type == GDYN_UNIVERSAL) {
        about(A, def->axis_b, q->first);
        about(B, def->axis_a, q->second);
        gdyn_m3_multiply(C, A, B);
    } else {
        least(A, def->axis_a, def->axis_b); /* Q^T */
        about(B, def->axis_b, q->angle);
        gdyn_m3_multiply(C, B, A);
    }
    gdyn_m3_multiply(Ra, Rb, C);
}

/* a's point of the text, b's being `point`. */
static void displace(double at[3], const double point[3], const double Rb[9],
                     const gdyn_joint_def *def, const values *q) {
    double n1[3], n2[3], d[3];
    normals(def->axis_b, n1, n2);
    v3_scale(d, q->slide, def->axis_b);
    v3_axpy(d, d, q->x, n1);
    v3_axpy(d, d, q->y, n2);
    m3_apply(d, Rb, d);
    v3_add(at, point, d);
}

static int add_body(gdyn_machine *machine, const char *name, const double r[3], const double R[9]) {
    gdyn_body_def def = gdyn_body_default();
    def.name = name;
    def.mass = 1;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 1;
    v3_set(def.com, 0.1, -0.2, 0.3);
    memcpy(def.position, r, sizeof def.position);
    gdyn_rotation_to_cardan(R, def.cardan);
    return gdyn_machine_add_body(machine, &def);
}

/* The machine of two bodies (the second may be the ground) that stand as the text says. */
static gdyn_model *stand(gdyn_joint_def *def, const values *q, bool ground) {
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, (const double[3]){0, 0, 0});
    double Ra[9], Rb[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, rb[3] = {0, 0, 0}, point[3], at[3], arm[3];
    for (int i = 0; i < 3; i++) {
        def->a.at[i] = gdyn_random_between(&dice, -1, 1);
        def->b.at[i] = gdyn_random_between(&dice, -1, 1);
        rb[i] = ground ? 0 : gdyn_random_between(&dice, -1, 1);
    }
    if (!ground)
        gdyn_rotation_exp(Rb, (const double[3]){0.3, rb[1], -0.7});
    m3_apply(arm, Rb, def->b.at);
    v3_add(point, rb, arm);
    orient(Ra, Rb, def, q);
    displace(at, point, Rb, def, q);
    m3_apply(arm, Ra, def->a.at);
    v3_sub(at, at, arm);
    def->a.body = add_body(machine, "a", at, Ra);
    def->b.body = ground ? GDYN_GROUND : add_body(machine, "b", rb, Rb);
    gdyn_machine_add_joint(machine, def);
    gdyn_model *model = NULL;
    assert_int_equal(gdyn_model_create(machine, NULL, &model), GDYN_OK);
    gdyn_machine_destroy(machine);
    return model;
}

static double *value_of(values *q, gdyn_freedom freedom) {
    switch (freedom) {
    case GDYN_FREEDOM_SLIDE:
        return &q->slide;
    case GDYN_FREEDOM_X:
        return &q->x;
    case GDYN_FREEDOM_Y:
        return &q->y;
    case GDYN_FREEDOM_FIRST:
        return &q->first;
    case GDYN_FREEDOM_SECOND:
        return &q->second;
    default:
        return &q->angle;
    }
}

static void check(gdyn_joint_type type, bool ground) {
    gdyn_joint_def def = gdyn_joint_default();
    gdyn_freedom freedom[3];
    values q = {0};
    def.name = "joint";
    def.type = type;
    def.pitch = pitch;
    unit3(def.axis_a);
    unit3(def.axis_b);
    if (type == GDYN_UNIVERSAL) {
        v3_axpy(def.axis_a, def.axis_a, -v3_dot(def.axis_a, def.axis_b), def.axis_b);
        gdyn_v3_normalize(def.axis_a);
    }
    int count = gdyn_joint_freedoms(type, GDYN_SPATIAL, freedom);
    for (int i = 0; i < count; i++)
        *value_of(&q, freedom[i]) = gdyn_random_between(&dice, -1.4, 1.4);
    if (type == GDYN_SCREW)
        q.slide = pitch * q.angle / (2 * acos(-1.0));
    if (type == GDYN_PARALLEL)
        q.x = 0.7, q.y = -0.3, q.slide = 0.2;

    gdyn_model *model = stand(&def, &q, ground);
    gdyn_state *state = gdyn_state_create(model);
    for (int row = 0; row < gdyn_model_holonomic(model); row++)
        assert_near(gdyn_mech_constraint(state, row), 0, 1e-13);
    for (int i = 0; i < count; i++)
        assert_near(gdyn_mech_joint_coordinate(state, 0, freedom[i]), *value_of(&q, freedom[i]),
                    1e-12);
    gdyn_state_destroy(state);
    gdyn_model_destroy(model);
}

static void zeros_and_rolls(void **context) {
    (void)context;
    static const gdyn_joint_type types[] = {GDYN_REVOLUTE,  GDYN_PRISMATIC,    GDYN_CYLINDRICAL,
                                            GDYN_UNIVERSAL, GDYN_PLANAR_JOINT, GDYN_SCREW,
                                            GDYN_PARALLEL};
    dice = gdyn_random_stream(5, 0, 0);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int k = 0; k < TRIES; k++)
            check(types[i], k % 3 == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(zeros_and_rolls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
