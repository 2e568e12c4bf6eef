/* random_trees.h - random open trees whose first guess is a pose of theirs, for tests; and vectors of random numbers. */
#ifndef GDYN_TESTS_RANDOM_TREES_H
#define GDYN_TESTS_RANDOM_TREES_H

#include <stdlib.h>
#include <string.h>

#include "any_joint.h"
#include "base/random.h"
#include "globdyn.h"
#include "linalg/vec3.h"

static gdyn_random dice;

static inline double *random_vector(int n) {
    double *v = calloc((size_t)n + 1, sizeof *v);
    assert_non_null(v);
    for (int i = 0; i < n; i++)
        v[i] = gdyn_random_between(&dice, -1, 1);
    return v;
}

static inline double *zeros(int n) {
    double *v = calloc((size_t)n + 1, sizeof *v);
    assert_non_null(v);
    return v;
}

/* A body whose guess is at `position`, turned by `cardan`. */
static inline int add_body(gdyn_machine *machine, int i, bool planar, const double position[3],
                           const double cardan[3]) {
    char name[12];
    snprintf(name, sizeof name, "b%d", i);
    gdyn_body_def def = gdyn_body_default();
    def.name = name;
    def.mass = 1 + i % 3;
    const double inertia[6] = {0.3, 0.4, 0.5, 0.02, -0.03, 0.04};
    memcpy(def.inertia, inertia, sizeof inertia);
    any_vector(&dice, def.com, 0.3, planar);
    memcpy(def.position, position, sizeof def.position);
    memcpy(def.cardan, cardan, sizeof def.cardan);
    return gdyn_machine_add_body(machine, &def);
}

static inline gdyn_model *build(gdyn_machine *machine) {
    gdyn_model *model = NULL;
    assert_int_equal(gdyn_model_create(machine, NULL, &model), GDYN_OK);
    gdyn_machine_destroy(machine);
    return model;
}

static inline void rotation_of(gdyn_space space, double cardan[3], double R[9]) {
    any_vector(&dice, cardan, 1.5, false);
    if (space == GDYN_PLANAR)
        cardan[0] = cardan[1] = 0;
    gdyn_rotation_from_cardan(R, cardan);
}

/* x in the axes of a body whose origin is at `origin`. */
static inline void local(double out[3], const double R[9], const double origin[3],
                         const double x[3]) {
    double d[3];
    v3_sub(d, x, origin);
    m3_apply_t(out, R, d);
}

typedef struct placed {
    double position[3], R[9];
} placed;

/* A joint that holds at the bodies' guesses: point x and axes e (and k, at right angles to it, for
 * the universal joint) of the ground in both bodies' axes. */
static inline gdyn_joint_def joint_at(gdyn_joint_type type, bool planar, int i, int outer,
                                      int inner, const placed *where) {
    static const placed ground = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const placed *b = inner < 0 ? &ground : &where[inner];
    static char name[12];
    gdyn_joint_def def = gdyn_joint_default();
    double x[3], slid[3], e[3] = {0, 0, 1}, k[3], other[3];
    snprintf(name, sizeof name, "j%d", i);
    def.name = name;
    def.type = type;
    def.a.body = outer;
    def.b.body = inner;
    v3_copy(x, where[outer].position);
    x[0] += gdyn_random_between(&dice, -0.5, 0.5);
    x[1] += gdyn_random_between(&dice, -0.5, 0.5);
    if (planar && type == GDYN_SLOT) {
        double t = gdyn_random_between(&dice, -3, 3);
        v3_set(e, cos(t), sin(t), 0);
    } else if (!planar) {
        any_vector(&dice, e, 1, false);
        gdyn_v3_normalize(e);
    }
    gdyn_v3_triad(e, k, other);
    bool slides = type == GDYN_SLOT || type == GDYN_CYLINDRICAL || type == GDYN_POINT_ON_LINE;
    v3_axpy(slid, x, slides ? 0.3 : 0, e);
    if (type == GDYN_POINT_ON_PLANE || type == GDYN_PLANAR_JOINT)
        v3_axpy(slid, x, 0.4, k);
    local(def.a.at, where[outer].R, where[outer].position, slid);
    local(def.b.at, b->R, b->position, x);
    m3_apply_t(def.axis_b, b->R, e);
    m3_apply_t(def.axis_a, where[outer].R, type == GDYN_UNIVERSAL ? k : e);
    m3_apply_t(def.normal, b->R, e);
    return def;
}

static inline gdyn_machine *random_tree_machine(gdyn_space space, int bodies) {
    static const gdyn_joint_type planar_types[] = {GDYN_REVOLUTE, GDYN_SLOT};
    static const gdyn_joint_type spatial_types[] = {
        GDYN_REVOLUTE,     GDYN_CYLINDRICAL,   GDYN_UNIVERSAL,     GDYN_SPHERICAL,
        GDYN_PLANAR_JOINT, GDYN_POINT_ON_LINE, GDYN_POINT_ON_PLANE};
    bool planar = space == GDYN_PLANAR;
    gdyn_machine *machine = gdyn_machine_create(space, (const double[3]){0, -9.81, 0});
    placed *where = calloc((size_t)bodies, sizeof *where);
    for (int i = 0; i < bodies; i++) {
        double cardan[3];
        rotation_of(space, cardan, where[i].R);
        any_vector(&dice, where[i].position, 1, planar);
        add_body(machine, i, planar, where[i].position, cardan);
    }
    for (int i = 0; i < bodies; i++) {
        int inner = i == 0 ? GDYN_GROUND : (int)(gdyn_random_between(&dice, 0, 1) * i);
        uint64_t kind = (uint64_t)(gdyn_random_between(&dice, 0, 1) * (planar ? 2 : 7));
        gdyn_joint_type type = planar ? planar_types[kind] : spatial_types[kind];
        gdyn_joint_def def = joint_at(type, planar, i, i, inner, where);
        if (gdyn_random_between(&dice, 0, 1) < 0.5 && type == GDYN_REVOLUTE) {
            gdyn_anchor swap = def.a;
            double axis[3];
            def.a = def.b;
            def.b = swap;
            v3_copy(axis, def.axis_a);
            v3_copy(def.axis_a, def.axis_b);
            v3_copy(def.axis_b, axis);
        }
        gdyn_machine_add_joint(machine, &def);
    }
    free(where);
    return machine;
}

static inline gdyn_model *random_tree(gdyn_space space, int bodies) {
    return build(random_tree_machine(space, bodies));
}

/* Two bodies anywhere and a joint of that type between them. */
static inline gdyn_machine *two_bodies(gdyn_joint_type type, gdyn_space space, const int side[2],
                                       int locks) {
    bool planar = space == GDYN_PLANAR;
    gdyn_machine *machine = gdyn_machine_create(space, (const double[3]){0, -9.81, 0});
    for (int i = 0; i < 2; i++) {
        double position[3], cardan[3];
        any_vector(&dice, position, 1, planar);
        any_vector(&dice, cardan, 1, false);
        cardan[0] *= !planar;
        cardan[1] *= !planar;
        add_body(machine, i, planar, position, cardan);
    }
    gdyn_joint_def def = any_joint(&dice, type, planar, side[0], side[1], locks);
    gdyn_machine_add_joint(machine, &def);
    return machine;
}

/* Every type of joint in its spaces, between two bodies and against the ground, generic ones with all their locks. The check
 * says whether the random machine it made could be closed; else it makes another one. */
static inline void for_every_joint(bool (*check)(gdyn_joint_type type, gdyn_space space,
                                                 const int side[2], int locks)) {
    static const int side[][2] = {{0, 1}, {1, 0}, {0, GDYN_GROUND}, {GDYN_GROUND, 1}};
    for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++)
        for (gdyn_joint_type type = 0; type < GDYN_JOINT_TYPES; type++) {
            if (!gdyn_joint_type_in(type, space) || type == GDYN_GEAR)
                continue;
            for (size_t k = 0; k < sizeof side / sizeof *side; k++)
                for (int locks = type == GDYN_GENERIC ? 1 : 63; locks < 64; locks++)
                    for (int tries = 0; !check(type, space, side[k], locks); tries++)
                        assert_true(tries < 20);
        }
}

#endif
