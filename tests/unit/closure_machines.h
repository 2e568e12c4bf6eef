/* closure_machines.h - machines of the closure and path tests, built through the public interface.
 * Lengths are multiplied by `unit` (1: metres, 1000: millimetres). */
#ifndef GDYN_TEST_CLOSURE_MACHINES_H
#define GDYN_TEST_CLOSURE_MACHINES_H

#include "globdyn.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

static inline int add_body(gdyn_machine *machine, const char *name, double x, double y, double z,
                           double a, double b, double c) {
    gdyn_body_def def = gdyn_body_default();
    def.name = name;
    def.mass = 1;
    for (int i = 0; i < 3; i++)
        def.inertia[i] = 0.1;
    v3_set(def.position, x, y, z);
    v3_set(def.cardan, a, b, c);
    return gdyn_machine_add_body(machine, &def);
}

/* A joint of the given type; axes are left at their defaults when NULL. */
static inline int add_joint(gdyn_machine *machine, const char *name, gdyn_joint_type type, int a,
                            const double *pa, int b, const double *pb, const double *axis_a,
                            const double *axis_b) {
    gdyn_joint_def def = gdyn_joint_default();
    def.name = name;
    def.type = type;
    def.a.body = a;
    def.b.body = b;
    v3_copy(def.a.at, pa);
    v3_copy(def.b.at, pb);
    if (axis_a)
        v3_copy(def.axis_a, axis_a);
    if (axis_b)
        v3_copy(def.axis_b, axis_b);
    return gdyn_machine_add_joint(machine, &def);
}

static inline void print_diag(void *context, const gdyn_diag *diag) {
    (void)context;
    fprintf(stderr, "%s: %s\n", diag->path, diag->message);
}

static inline gdyn_model *finish(gdyn_machine *machine) {
    gdyn_sink sink = {print_diag, NULL};
    gdyn_model *model = NULL;
    gdyn_model_create(machine, &sink, &model);
    gdyn_machine_destroy(machine);
    return model;
}

#define P3(x, y, z) ((const double[3]){x, y, z})

/* Planar platform (body 0) on four legs whose sliders run on rails; `reverse` adds the bodies in
 * the opposite order. */
static inline gdyn_model *star_with_legs(double unit, bool reverse, double leg) {
    double rail = 0.5 * unit, half = 0.06 * unit;
    double lead = sqrt(leg * leg - (rail - half) * (rail - half));
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, -9.81 * unit, 0));
    int platform = -1, slider[4], rod[4];
    for (int k = 0; k < 9; k++) {
        int which = reverse ? 8 - k : k, i = (which - 1) % 4;
        char name[20];
        double c = cos((i + 1) * PI / 2), s = sin((i + 1) * PI / 2);
        double sx = rail * c - lead * s, sy = rail * s + lead * c;
        double hx = (i == 0 || i == 3) ? half : -half, hy = i < 2 ? half : -half;
        if (which == 0) {
            platform = add_body(machine, "platform", 0, 0, 0, 0, 0, 0);
        } else if (which <= 4) {
            snprintf(name, sizeof name, "slider%d", i + 1);
            slider[i] = add_body(machine, name, sx, sy, 0, 0, 0, (i + 1) * PI / 2);
        } else {
            snprintf(name, sizeof name, "leg%d", i + 1);
            rod[i] = add_body(machine, name, (sx + hx) / 2, (sy + hy) / 2, 0, 0, 0,
                              atan2(hy - sy, hx - sx));
        }
    }
    for (int i = 0; i < 4; i++) {
        char name[20];
        double c = cos((i + 1) * PI / 2), s = sin((i + 1) * PI / 2);
        double hx = (i == 0 || i == 3) ? half : -half, hy = i < 2 ? half : -half;
        snprintf(name, sizeof name, "rail%d", i + 1);
        add_joint(machine, name, GDYN_PRISMATIC, slider[i], P3(0, 0, 0), GDYN_GROUND,
                  P3(rail * c, rail * s, 0), P3(0, 1, 0), P3(-s, c, 0));
        snprintf(name, sizeof name, "low%d", i + 1);
        add_joint(machine, name, GDYN_REVOLUTE, rod[i], P3(-leg / 2, 0, 0), slider[i], P3(0, 0, 0),
                  NULL, NULL);
        snprintf(name, sizeof name, "top%d", i + 1);
        add_joint(machine, name, GDYN_REVOLUTE, rod[i], P3(leg / 2, 0, 0), platform, P3(hx, hy, 0),
                  NULL, NULL);
    }
    return finish(machine);
}

static inline gdyn_model *star(double unit, bool reverse) {
    return star_with_legs(unit, reverse, 0.65 * unit);
}

/* Planar slider-crank: crank r about the origin (joint "drive"), rod l, slider along x (joint
 * "slide"); guess with the crank at `angle`. */
static inline gdyn_model *slider_crank(double r, double l, double angle) {
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    double ax = r * cos(angle), ay = r * sin(angle), x = ax + sqrt(l * l - ay * ay);
    int crank = add_body(machine, "crank", 0, 0, 0, 0, 0, angle);
    int rod = add_body(machine, "rod", ax, ay, 0, 0, 0, atan2(-ay, x - ax));
    int slider = add_body(machine, "slider", x, 0, 0, 0, 0, 0);
    add_joint(machine, "drive", GDYN_REVOLUTE, crank, P3(0, 0, 0), GDYN_GROUND, P3(0, 0, 0), NULL,
              NULL);
    add_joint(machine, "A", GDYN_REVOLUTE, rod, P3(0, 0, 0), crank, P3(r, 0, 0), NULL, NULL);
    add_joint(machine, "B", GDYN_REVOLUTE, slider, P3(0, 0, 0), rod, P3(l, 0, 0), NULL, NULL);
    add_joint(machine, "slide", GDYN_PRISMATIC, slider, P3(0, 0, 0), GDYN_GROUND, P3(0, 0, 0),
              P3(1, 0, 0), P3(1, 0, 0));
    return finish(machine);
}

/* Four-bar a, b, c with ground d along x, all axes z, in the plane or in space; crank guess at
 * `angle`, rocker above. */
static inline gdyn_model *four_bar(gdyn_space space, double a, double b, double c, double d,
                                   double angle) {
    gdyn_machine *machine = gdyn_machine_create(space, P3(0, 0, 0));
    const double *axis = space == GDYN_SPATIAL ? P3(0, 0, 1) : NULL;
    double ax = a * cos(angle), ay = a * sin(angle), e = hypot(d - ax, ay);
    double at_a =
        atan2(-ay, d - ax) + acos(fmax(-1, fmin(1, (b * b + e * e - c * c) / (2 * b * e))));
    double bx = ax + b * cos(at_a), by = ay + b * sin(at_a);
    int crank = add_body(machine, "crank", 0, 0, 0, 0, 0, angle);
    int coupler = add_body(machine, "coupler", ax, ay, 0, 0, 0, at_a);
    int rocker = add_body(machine, "rocker", d, 0, 0, 0, 0, atan2(by, bx - d));
    add_joint(machine, "O", GDYN_REVOLUTE, crank, P3(0, 0, 0), GDYN_GROUND, P3(0, 0, 0), axis,
              axis);
    add_joint(machine, "A", GDYN_REVOLUTE, coupler, P3(0, 0, 0), crank, P3(a, 0, 0), axis, axis);
    add_joint(machine, "B", GDYN_REVOLUTE, coupler, P3(b, 0, 0), rocker, P3(c, 0, 0), axis, axis);
    add_joint(machine, "C", GDYN_REVOLUTE, rocker, P3(0, 0, 0), GDYN_GROUND, P3(d, 0, 0), axis,
              axis);
    return finish(machine);
}

/* Parallelogram with `rockers` equal rockers of length a on a bar: planar, one freedom, and
 * rockers - 2 redundant rows once it has more than two. */
static inline gdyn_model *parallelogram(double a, int rockers, double angle) {
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    int bar = add_body(machine, "bar", a * cos(angle), a * sin(angle), 0, 0, 0, 0);
    for (int i = 0; i < rockers; i++) {
        char name[20];
        double x = 0.7 * i;
        snprintf(name, sizeof name, "rocker%d", i);
        int rocker = add_body(machine, name, x, 0, 0, 0, 0, angle);
        snprintf(name, sizeof name, "low%d", i);
        add_joint(machine, name, GDYN_REVOLUTE, rocker, P3(0, 0, 0), GDYN_GROUND, P3(x, 0, 0), NULL,
                  NULL);
        snprintf(name, sizeof name, "top%d", i);
        add_joint(machine, name, GDYN_REVOLUTE, rocker, P3(a, 0, 0), bar, P3(x, 0, 0), NULL, NULL);
    }
    return finish(machine);
}

/* Spatial RSSR: crank r about z at the origin, coupler l by two spherical joints, rocker s about
 * the axis x at (d, 0, 0). Freedom 2: the crank and the idle spin of the coupler. */
static inline gdyn_model *rssr(double r, double l, double s, double d) {
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, P3(0, 0, -9.81));
    int crank = add_body(machine, "crank", 0, 0, 0, 0, 0, 0.3);
    int rocker = add_body(machine, "rocker", d, 0, 0, 0.2, 0, 0);
    int coupler = add_body(machine, "coupler", r, 0, 0, 0, -0.5, 0);
    add_joint(machine, "O", GDYN_REVOLUTE, crank, P3(0, 0, 0), GDYN_GROUND, P3(0, 0, 0),
              P3(0, 0, 1), P3(0, 0, 1));
    add_joint(machine, "C", GDYN_REVOLUTE, rocker, P3(0, 0, 0), GDYN_GROUND, P3(d, 0, 0),
              P3(1, 0, 0), P3(1, 0, 0));
    add_joint(machine, "A", GDYN_SPHERICAL, coupler, P3(0, 0, 0), crank, P3(r, 0, 0), NULL, NULL);
    add_joint(machine, "B", GDYN_SPHERICAL, coupler, P3(l, 0, 0), rocker, P3(0, 0, s), NULL, NULL);
    return finish(machine);
}

/* Bricard's 6R loop of five rods of 1 m (IFToMM A04): the sixth link is the ground. One redundant row,
 * one freedom. */
static inline gdyn_model *bricard(void) {
    static const double at[6][3] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                    {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    static const double axis[6][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0},
                                      {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, P3(0, -9.81, 0));
    int before = GDYN_GROUND;
    for (int i = 0; i < 6; i++) {
        char name[20];
        double own[3] = {0, 0, 0}, end[3];
        int rod = GDYN_GROUND;
        if (i < 5) { /* body frames stand at the rods' first ends, axes along the ground's */
            snprintf(name, sizeof name, "rod%d", i);
            rod = add_body(machine, name, at[i][0], at[i][1], at[i][2], 0, 0, 0);
        } else {
            v3_copy(own, at[5]);
        }
        v3_copy(end, at[i]);
        if (i > 0)
            v3_sub(end, end, at[i - 1]);
        snprintf(name, sizeof name, "R%d", i);
        add_joint(machine, name, GDYN_REVOLUTE, rod, own, before, end, axis[i], axis[i]);
        before = rod;
    }
    return finish(machine);
}

/* Platform (body 0) on six legs with universal, prismatic and spherical joints; 13 bodies. */
static inline gdyn_model *six_ups(double unit) {
    static const double base_angle[6] = {-10, 10, 110, 130, 230, 250};
    static const double top_angle[6] = {-50, 50, 70, 170, 190, 290};
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, P3(0, 0, -9.81 * unit));
    double height = 0.9 * unit;
    int platform = add_body(machine, "platform", 0, 0, height, 0, 0, 0);
    for (int i = 0; i < 6; i++) {
        char name[20];
        double b = base_angle[i] * PI / 180, t = top_angle[i] * PI / 180;
        double B[3] = {0.8 * unit * cos(b), 0.8 * unit * sin(b), 0};
        double Q[3] = {0.4 * unit * cos(t), 0.4 * unit * sin(t), 0};
        double P[3] = {Q[0], Q[1], height}, d[3], R[9], cardan[3], middle[3];
        v3_sub(d, P, B);
        gdyn_rotation_between(R, P3(0, 0, 1), d);
        gdyn_rotation_to_cardan(R, cardan);
        v3_axpy(middle, B, 0.25 * unit / v3_norm(d), d);
        snprintf(name, sizeof name, "cylinder%d", i);
        int cylinder = add_body(machine, name, B[0], B[1], B[2], cardan[0], cardan[1], cardan[2]);
        snprintf(name, sizeof name, "piston%d", i);
        int piston = add_body(machine, name, P[0], P[1], P[2], cardan[0], cardan[1], cardan[2]);
        double e[3] = {-sin(b), cos(b), 0}, f[3];
        m3_apply_t(f, R, e);
        f[2] = 0; /* the cross's other axis: across the leg, perpendicular to e in the guess */
        double across[3];
        v3_cross(across, P3(0, 0, 1), f);
        snprintf(name, sizeof name, "U%d", i);
        add_joint(machine, name, GDYN_UNIVERSAL, cylinder, P3(0, 0, 0), GDYN_GROUND, B, across, e);
        snprintf(name, sizeof name, "P%d", i);
        add_joint(machine, name, GDYN_PRISMATIC, piston, P3(0, 0, 0), cylinder, P3(0, 0, 0),
                  P3(0, 0, 1), P3(0, 0, 1));
        snprintf(name, sizeof name, "S%d", i);
        add_joint(machine, name, GDYN_SPHERICAL, piston, P3(0, 0, 0), platform, Q, NULL, NULL);
    }
    return finish(machine);
}

/* Formula in p. */
static inline gdyn_expr *formula(const char *text) {
    static const char *const names[] = {"p"};
    gdyn_scope scope = {.variables = names, .variable_count = 1};
    gdyn_expr_error error;
    gdyn_expr *expr = gdyn_expr_compile(text, &scope, &error);
    if (!expr)
        fprintf(stderr, "%s: %s\n", text, error.message);
    return expr;
}

#endif
