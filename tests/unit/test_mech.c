/* Rows, joints, drives and forces against finite differences at random poses, bodies on both sides
 * and the ground on either side; z against u; energy and power.
 *
 * Tolerance of a central difference with step h: h^2/6 |f'''| + eps |f| / h. With values and
 * derivatives of order 1..30 and h = 1e-5 both terms stay below 1e-8; 2e-7 leaves a margin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "globdyn.h"
#include "linalg/vec3.h"
#include "mech/row.h"
#include "mech/state.h"
#include "model/data.h"
#include "near.h"

static const double step = 1e-5, tolerance = 2e-7;

static gdyn_random dice;

static void random3(double v[3], double size, bool planar) {
    for (int i = 0; i < 3; i++)
        v[i] = gdyn_random_between(&dice, -size, size);
    if (planar)
        v[2] = 0.0;
}

static int add_body(gdyn_machine *machine, int i) {
    char name[12];
    snprintf(name, sizeof name, "b%d", i);
    gdyn_body_def def = gdyn_body_default();
    def.name = name;
    def.mass = 1.0 + i;
    double I[6] = {0.3, 0.4, 0.5, 0.02, -0.03, 0.04};
    memcpy(def.inertia, I, sizeof I);
    bool planar = machine->space == GDYN_PLANAR;
    random3(def.com, 0.3, planar);
    random3(def.position, 1.0, planar);
    random3(def.cardan, 1.0, false);
    if (planar)
        def.cardan[0] = def.cardan[1] = 0.0;
    return gdyn_machine_add_body(machine, &def);
}

static gdyn_machine *bodies_only(gdyn_space space) {
    const double gravity[3] = {0.3, -9.81, space == GDYN_SPATIAL ? 1.7 : 0.0};
    gdyn_machine *machine = gdyn_machine_create(space, gravity);
    for (int i = 0; i < 3; i++)
        add_body(machine, i);
    return machine;
}

static gdyn_joint_def random_joint(gdyn_joint_type type, gdyn_space space, int a, int b) {
    gdyn_joint_def def = gdyn_joint_default();
    bool planar = space == GDYN_PLANAR;
    def.type = type;
    def.a.body = a;
    def.b.body = b;
    random3(def.a.at, 0.7, planar);
    random3(def.b.at, 0.7, planar);
    random3(def.axis_a, 1.0, planar);
    random3(def.axis_b, 1.0, planar);
    random3(def.normal, 1.0, planar);
    def.length = 0.7;
    def.pitch = 0.4;
    def.radius = 0.3;
    def.ratio = -1.7;
    for (int i = 0; i < 6; i++)
        def.locks[i] = true;
    return def;
}

static gdyn_model *build(gdyn_machine *machine) {
    gdyn_model *model = NULL;
    assert_int_equal(gdyn_model_create(machine, NULL, &model), GDYN_OK);
    gdyn_machine_destroy(machine);
    return model;
}

static void random_vector(double *v, int n, double size) {
    for (int i = 0; i < n; i++)
        v[i] = gdyn_random_between(&dice, -size, size);
}

static void scaled(double *out, const double *v, double s, int n) {
    for (int i = 0; i < n; i++)
        out[i] = s * v[i];
}

/* J u of every row (m + h) at the state moved by s * u. */
static void row_speeds(const gdyn_state *at, const double *u, double s, double *speed) {
    const gdyn_model *model = gdyn_state_model(at);
    int n = model->n, rows = model->m + model->h;
    double *du = calloc((size_t)n, sizeof *du), *C = calloc((size_t)(rows * n), sizeof *C);
    gdyn_state *moved = gdyn_state_create(model);
    gdyn_state_copy(moved, at);
    scaled(du, u, s, n);
    gdyn_state_move(moved, du);
    gdyn_mech_jacobian(moved, C);
    for (int i = 0; i < rows; i++) {
        speed[i] = 0.0;
        for (int j = 0; j < n; j++)
            speed[i] += C[i + rows * j] * u[j];
    }
    gdyn_state_destroy(moved);
    free(du);
    free(C);
}

static void residuals(const gdyn_state *at, const double *u, double s, double *phi) {
    const gdyn_model *model = gdyn_state_model(at);
    double *du = calloc((size_t)model->n, sizeof *du);
    gdyn_state *moved = gdyn_state_create(model);
    gdyn_state_copy(moved, at);
    scaled(du, u, s, model->n);
    gdyn_state_move(moved, du);
    gdyn_mech_constraints(moved, phi);
    gdyn_state_destroy(moved);
    free(du);
}

/* Holonomic rows: J u against differences of values; all rows: gamma against differences of J u. */
static void check_rows(const gdyn_model *model) {
    enum { MOST = 64 };
    double u[18], before[MOST], after[MOST], now[MOST], gamma[MOST];
    gdyn_state *state = gdyn_state_create(model);
    assert_true(model->m + model->h <= MOST);
    for (int trial = 0; trial < 5; trial++) {
        random_vector(u, model->n, 0.6);
        gdyn_state_move(state, u);
        gdyn_state_accept(state);
        random_vector(u, model->n, 1.0);
        row_speeds(state, u, 0.0, now);
        residuals(state, u, -step, before);
        residuals(state, u, step, after);
        for (int i = 0; i < model->m; i++)
            assert_near(now[i], (after[i] - before[i]) / (2 * step),
                        tolerance * (1 + fabs(now[i])));
        row_speeds(state, u, -step, before);
        row_speeds(state, u, step, after);
        gdyn_mech_curvature(state, u, gamma);
        for (int i = 0; i < model->m + model->h; i++)
            assert_near(gamma[i], (after[i] - before[i]) / (2 * step),
                        tolerance * (1 + fabs(gamma[i])) * 10);
    }
    gdyn_state_destroy(state);
}

/* J u' + J' u in one against J and gamma apart. */
static void check_accelerations(const gdyn_model *model) {
    double u[18], udot[18];
    gdyn_state *state = gdyn_state_create(model);
    random_vector(u, model->n, 0.6);
    gdyn_state_move(state, u);
    random_vector(u, model->n, 1.0);
    random_vector(udot, model->n, 1.0);
    for (int i = 0; i < model->m + model->h; i++) {
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &model->row[i], &jacobian);
        double apart =
            gdyn_row_speed(state, &jacobian, udot) + gdyn_row_curvature(state, &model->row[i], u);
        assert_near(gdyn_row_acceleration(state, &model->row[i], NULL, u, udot), apart,
                    1e-12 * (1 + fabs(apart)));
    }
    gdyn_state_destroy(state);
}

static void test_every_joint(void **unused) {
    (void)unused;
    const int side[][2] = {{0, 1}, {1, 0}, {0, GDYN_GROUND}, {GDYN_GROUND, 2}, {2, 1}};
    dice = gdyn_random_stream(1, 2, 3);
    for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++)
        for (gdyn_joint_type type = 0; type < GDYN_JOINT_TYPES; type++) {
            if (!gdyn_joint_type_in(type, space) || type == GDYN_GEAR)
                continue;
            for (size_t k = 0; k < sizeof side / sizeof *side; k++) {
                gdyn_machine *machine = bodies_only(space);
                gdyn_joint_def def = random_joint(type, space, side[k][0], side[k][1]);
                def.name = "joint";
                gdyn_machine_add_joint(machine, &def);
                gdyn_model *model = build(machine);
                check_rows(model);
                check_accelerations(model);
                gdyn_model_destroy(model);
            }
        }
}

/* Gears over every pair of freedoms, sharing a body or not. */
static void test_gears(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(4, 5, 6);
    for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++)
        for (gdyn_joint_type first = 0; first < GDYN_JOINT_TYPES; first++)
            for (gdyn_joint_type second = 0; second < GDYN_JOINT_TYPES; second++) {
                gdyn_freedom one[3], two[3];
                int ones = gdyn_joint_freedoms(first, space, one);
                int twos = gdyn_joint_freedoms(second, space, two);
                if (!gdyn_joint_type_in(first, space) || !gdyn_joint_type_in(second, space) ||
                    ones == 0 || twos == 0)
                    continue;
                gdyn_machine *machine = bodies_only(space);
                gdyn_joint_def def = random_joint(first, space, 0, 1);
                def.name = "first";
                gdyn_machine_add_joint(machine, &def);
                def = random_joint(second, space, 2, GDYN_GROUND);
                def.name = "second";
                gdyn_machine_add_joint(machine, &def);
                def = gdyn_joint_default();
                def.name = "gear";
                def.type = GDYN_GEAR;
                def.joint_a = 0;
                def.joint_b = 1;
                def.freedom_a = one[ones - 1];
                def.freedom_b = two[twos - 1];
                def.ratio = 2.5;
                gdyn_machine_add_joint(machine, &def);
                gdyn_model *model = build(machine);
                check_rows(model);
                gdyn_model_destroy(model);
            }
}

/* A knife edge's row is the speed of its point along the normal, by differences of positions. */
static void test_knife_edge_speed(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(7, 8, 9);
    for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++) {
        gdyn_machine *machine = bodies_only(space);
        gdyn_joint_def def = random_joint(GDYN_KNIFE_EDGE, space, 1, GDYN_GROUND);
        def.name = "knife";
        gdyn_machine_add_joint(machine, &def);
        gdyn_model *model = build(machine);
        gdyn_state *state = gdyn_state_create(model), *moved = gdyn_state_create(model);
        double u[18], du[18], speed, x[2][3], r[3], R[9], normal[3];
        random_vector(u, model->n, 1.0);
        row_speeds(state, u, 0.0, &speed);
        for (int k = 0; k < 2; k++) {
            scaled(du, u, k ? step : -step, model->n);
            gdyn_state_copy(moved, state);
            gdyn_state_move(moved, du);
            gdyn_state_point(moved, &def.a, x[k]);
        }
        v3_sub(x[0], x[1], x[0]);
        gdyn_state_body(state, 1, r, R);
        m3_apply(normal, R, def.normal);
        assert_near(speed, v3_dot(normal, x[0]) / (2 * step) / v3_norm(normal), tolerance);
        gdyn_state_destroy(state);
        gdyn_state_destroy(moved);
        gdyn_model_destroy(model);
    }
}

/* A wheel that rolls: u = (r omega, spin about its axis, turning about the plane's normal) obeys
 * both rolling rows and the contact row. */
static void test_rolling_wheel(void **unused) {
    (void)unused;
    const double gravity[3] = {0, 0, -9.81}, radius = 0.25;
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, gravity);
    gdyn_body_def body = gdyn_body_default();
    body.name = "wheel";
    body.mass = 2.0;
    body.inertia[0] = body.inertia[2] = 0.03;
    body.inertia[1] = 0.06;
    v3_set(body.position, 0.4, -0.2, radius);
    v3_set(body.cardan, 0, 0, 0.7);
    gdyn_machine_add_body(machine, &body);
    gdyn_joint_def def = gdyn_joint_default();
    def.name = "tyre";
    def.type = GDYN_ROLLING;
    def.a.body = 0;
    v3_set(def.axis_a, 0, 1, 0);
    v3_set(def.normal, 0, 0, 1);
    def.radius = radius;
    gdyn_machine_add_joint(machine, &def);
    gdyn_model *model = build(machine);
    gdyn_state *state = gdyn_state_create(model);
    double phi, spin = 3.0, yaw = 0.8, speed[3];
    gdyn_mech_constraints(state, &phi);
    assert_near(phi, 0.0, 1e-14);
    double heading[3] = {cos(0.7), sin(0.7), 0}, axle[3] = {-sin(0.7), cos(0.7), 0};
    double u[6] = {spin * radius * heading[0],
                   spin * radius * heading[1],
                   0,
                   spin * axle[0],
                   spin * axle[1],
                   yaw};
    row_speeds(state, u, 0.0, speed);
    for (int i = 0; i < 3; i++)
        assert_near(speed[i], 0.0, 1e-14);
    gdyn_state_destroy(state);
    gdyn_model_destroy(model);
}

/* Joint coordinates have the sign of design.md: a relative to b, along or about the axis. */
static void test_coordinate_signs(void **unused) {
    (void)unused;
    for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++) {
        const double gravity[3] = {0};
        gdyn_machine *machine = gdyn_machine_create(space, gravity);
        for (int i = 0; i < 2; i++) {
            gdyn_body_def body = gdyn_body_default();
            body.name = i ? "b" : "a";
            body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
            if (i == 0) {
                body.cardan[2] = 0.4;
                body.position[0] = 0.3;
            }
            gdyn_machine_add_body(machine, &body);
        }
        gdyn_joint_def def = gdyn_joint_default();
        def.name = "turn";
        def.type = GDYN_REVOLUTE;
        def.a.body = 0;
        def.b.body = 1;
        def.axis_a[2] = def.axis_b[2] = 1.0; /* needed in space, harmless in the plane */
        gdyn_machine_add_joint(machine, &def);
        def.name = "push";
        def.type = GDYN_PRISMATIC;
        memset(def.axis_a, 0, sizeof def.axis_a);
        memset(def.axis_b, 0, sizeof def.axis_b);
        def.axis_a[0] = def.axis_b[0] = 1.0;
        gdyn_machine_add_joint(machine, &def);
        gdyn_model *model = build(machine);
        gdyn_state *state = gdyn_state_create(model);
        assert_near(gdyn_mech_joint_coordinate(state, 0, GDYN_FREEDOM_DEFAULT), 0.4, 1e-15);
        assert_near(gdyn_mech_joint_coordinate(state, 1, GDYN_FREEDOM_DEFAULT), 0.3, 1e-15);
        gdyn_state_destroy(state);
        gdyn_model_destroy(model);
    }
}

/* A body on a hinge of the ground. */
static gdyn_model *rotor(gdyn_space space, const double *axis) {
    const double gravity[3] = {0};
    gdyn_machine *machine = gdyn_machine_create(space, gravity);
    gdyn_body_def body = gdyn_body_default();
    body.name = "rotor";
    body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    gdyn_machine_add_body(machine, &body);
    gdyn_joint_def def = gdyn_joint_default();
    def.name = "hinge";
    def.type = GDYN_REVOLUTE;
    def.a.body = 0;
    v3_copy(def.axis_a, axis);
    v3_copy(def.axis_b, axis);
    gdyn_machine_add_joint(machine, &def);
    return build(machine);
}

/* Turns are counted beyond pi, in planar bodies and in joints. */
static void test_turns_are_counted(void **unused) {
    (void)unused;
    double axis[3] = {1, 2, -0.5}, u[6] = {0};
    gdyn_model *model = rotor(GDYN_SPATIAL, axis);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_v3_normalize(axis);
    v3_scale(u + 3, 0.5, axis);
    for (int i = 1; i <= 30; i++) {
        gdyn_state_move(state, u);
        assert_near(gdyn_mech_joint_coordinate(state, 0, GDYN_FREEDOM_ANGLE), 0.5 * i, 1e-12);
        gdyn_state_accept(state);
    }
    gdyn_state_destroy(state);
    gdyn_model_destroy(model);
}

/* The same where only the places are handed on, by steps after which the angles are taken now and then only: z has the
 * angle of the rotation at every step, and says which rotation it is. */
static void turn_by_places(gdyn_space space, double part) {
    const double axis[3] = {0, 0, 1};
    gdyn_model *model = rotor(space, axis);
    gdyn_state *state = gdyn_state_create(model), *moved = gdyn_state_create(model);
    gdyn_state *other = gdyn_state_create(model);
    int n = model->n, at = n - 1;
    /* 300 steps, each rounded to a unit in the last place of 400 rad at most */
    double rounding = 300 * 0x1p-44, u[6] = {0}, z[6],
           first = gdyn_mech_joint_coordinate(state, 0, GDYN_FREEDOM_ANGLE);
    gdyn_state_z(state, z);
    double begin = z[at];
    u[at] = part;
    for (int i = 1; i <= 300; i++) {
        gdyn_state_copy(moved, state);
        gdyn_state_move(moved, u);
        gdyn_state_move_on(other, state, moved, fabs(part));
        gdyn_state_copy(state, other);
        gdyn_state_z(state, z);
        assert_near(z[at], begin + part * i, rounding);
        assert_near(gdyn_mech_joint_coordinate(state, 0, GDYN_FREEDOM_ANGLE), first + part * i,
                    rounding);
        gdyn_state_copy(other, state);
        gdyn_state_set_z(other, z);
        assert_true(gdyn_state_near(other, state, 1e-12));
        gdyn_state_accept(state);
    }
    gdyn_state_destroy(other);
    gdyn_state_destroy(moved);
    gdyn_state_destroy(state);
    gdyn_model_destroy(model);
}

static void test_turns_by_places(void **unused) {
    (void)unused;
    const double part[] = {1e-3, 0.07, -0.11, 0.6, -1.4};
    for (int i = 0; i < 5; i++) {
        turn_by_places(GDYN_PLANAR, part[i]);
        turn_by_places(GDYN_SPATIAL, part[i]);
    }
}

static double kinetic_energy(const gdyn_state *state, const double *u) {
    double Mu[18], energy = 0.0;
    gdyn_mech_mass_apply(state, u, Mu);
    for (int i = 0; i < gdyn_state_model(state)->n; i++)
        energy += 0.5 * u[i] * Mu[i];
    /* the same in the reduced matrix of two motions, u and M u */
    int n = gdyn_state_model(state)->n;
    double N[36], work[36], reduced[4], mixed = 0.0;
    memcpy(N, u, (size_t)n * sizeof *N);
    memcpy(N + n, Mu, (size_t)n * sizeof *N);
    gdyn_mech_mass_reduce(state, 2, N, work, reduced);
    for (int i = 0; i < n; i++)
        mixed += Mu[i] * Mu[i];
    assert_near(reduced[0], 2 * energy, 1e-12 * (1 + energy));
    assert_near(reduced[1], mixed, 1e-12 * (1 + mixed));
    assert_near(reduced[2], mixed, 1e-12 * (1 + mixed));
    return energy;
}

/* Rotors and gyroscopic terms: for any motion, d/dt (u^T M u / 2) = u^T (M u' + h), and M applied
 * by columns is the matrix. */
static void test_energy_and_bias(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(13, 14, 15);
    for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++) {
        gdyn_machine *machine = bodies_only(space);
        gdyn_joint_def joint = random_joint(GDYN_REVOLUTE, space, 0, 1);
        joint.name = "hinge";
        gdyn_machine_add_joint(machine, &joint);
        gdyn_drive_def drive = gdyn_drive_default();
        drive.name = "motor";
        drive.kind = GDYN_DRIVE_JOINT;
        drive.joint = 0;
        drive.min = -1;
        drive.max = 1;
        drive.rotor_inertia = 0.02;
        drive.ratio = 7;
        gdyn_machine_add_drive(machine, &drive);
        drive.name = "cable";
        drive.kind = GDYN_DRIVE_CABLE;
        drive.min = 0;
        drive.a = (gdyn_anchor){2, {0.1, 0.2, 0}};
        drive.b = (gdyn_anchor){GDYN_GROUND, {3, 1, 0}};
        gdyn_machine_add_drive(machine, &drive);
        gdyn_model *model = build(machine);
        gdyn_state *state = gdyn_state_create(model), *moved = gdyn_state_create(model);
        double u[18], udot[18], next[18], du[18], Ma[18], h[18], energy[2], M[324], power = 0.0;
        random_vector(u, model->n, 1.0);
        gdyn_state_move(state, u);
        random_vector(u, model->n, 1.0);
        random_vector(udot, model->n, 1.0);
        gdyn_mech_mass_apply(state, udot, Ma);
        gdyn_mech_bias(state, u, h);
        gdyn_mech_mass(state, M);
        for (int i = 0; i < model->n; i++) {
            double sum = 0.0;
            for (int j = 0; j < model->n; j++)
                sum += M[i + model->n * j] * udot[j];
            assert_near(sum, Ma[i], 1e-11);
            power += u[i] * (Ma[i] + h[i]);
        }
        for (int k = 0; k < 2; k++) {
            double s = k ? step : -step;
            for (int i = 0; i < model->n; i++) {
                du[i] = s * u[i] + 0.5 * s * s * udot[i];
                next[i] = u[i] + s * udot[i];
            }
            gdyn_state_copy(moved, state);
            gdyn_state_move(moved, du);
            energy[k] = kinetic_energy(moved, next);
        }
        assert_near(power, (energy[1] - energy[0]) / (2 * step), 1e-6 * (1 + fabs(power)));
        gdyn_state_destroy(state);
        gdyn_state_destroy(moved);
        gdyn_model_destroy(model);
    }
}

/* Every kind of drive: T^T u is the speed of its coordinate (cables: of shortening). */
static void test_drives(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(16, 17, 18);
    gdyn_machine *machine = bodies_only(GDYN_SPATIAL);
    gdyn_joint_def joint = random_joint(GDYN_CYLINDRICAL, GDYN_SPATIAL, 0, 1);
    joint.name = "cylinder";
    gdyn_machine_add_joint(machine, &joint);
    joint = random_joint(GDYN_UNIVERSAL, GDYN_SPATIAL, 2, GDYN_GROUND);
    joint.name = "cross";
    gdyn_machine_add_joint(machine, &joint);
    joint = random_joint(GDYN_PLANAR_JOINT, GDYN_SPATIAL, 1, 2);
    joint.name = "plane";
    gdyn_machine_add_joint(machine, &joint);
    gdyn_drive_def drive = gdyn_drive_default();
    drive.min = 0;
    drive.max = 1;
    const struct {
        int joint;
        gdyn_freedom freedom;
    } at[] = {{0, GDYN_FREEDOM_SLIDE},  {0, GDYN_FREEDOM_ANGLE}, {1, GDYN_FREEDOM_FIRST},
              {1, GDYN_FREEDOM_SECOND}, {2, GDYN_FREEDOM_X},     {2, GDYN_FREEDOM_Y},
              {2, GDYN_FREEDOM_ANGLE}};
    enum { AT = sizeof at / sizeof *at };
    for (int i = 0; i < AT; i++) {
        char name[8];
        snprintf(name, sizeof name, "d%d", i);
        drive.name = name;
        drive.joint = at[i].joint;
        drive.freedom = at[i].freedom;
        gdyn_machine_add_drive(machine, &drive);
    }
    drive.name = "strut";
    drive.kind = GDYN_DRIVE_BETWEEN;
    drive.a = (gdyn_anchor){0, {0.2, -0.3, 0.1}};
    drive.b = (gdyn_anchor){2, {0.5, 0.1, -0.2}};
    gdyn_machine_add_drive(machine, &drive);
    drive.name = "cable";
    drive.kind = GDYN_DRIVE_CABLE;
    gdyn_machine_add_drive(machine, &drive);
    gdyn_model *model = build(machine);
    gdyn_state *state = gdyn_state_create(model), *moved = gdyn_state_create(model);
    double u[18], du[18], T[18 * (AT + 2)];
    for (int trial = 0; trial < 10; trial++) {
        random_vector(u, 18, 0.4);
        gdyn_state_move(state, u);
        gdyn_state_accept(state);
        random_vector(u, 18, 1.0);
        gdyn_mech_drives(state, T);
        for (int i = 0; i < AT + 2; i++) {
            double q[2], speed = 0.0;
            for (int k = 0; k < 2; k++) {
                scaled(du, u, k ? step : -step, 18);
                gdyn_state_copy(moved, state);
                gdyn_state_move(moved, du);
                q[k] = gdyn_mech_drive_coordinate(moved, i);
            }
            for (int j = 0; j < 18; j++)
                speed += T[j + 18 * i] * u[j];
            double wanted = (q[1] - q[0]) / (2 * step) * (i == AT + 1 ? -1 : 1);
            assert_near(speed, wanted, tolerance * (1 + fabs(wanted)) * 10);
        }
    }
    gdyn_state_destroy(state);
    gdyn_state_destroy(moved);
    gdyn_model_destroy(model);
}

/* Applied forces: power of the d1-free part is minus the rate of the potential, that of friction is
 * minus the dissipation; a wrench drive at a point has the power F . v + tau . omega. */
static void test_forces(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(19, 20, 21);
    gdyn_machine *machine = bodies_only(GDYN_SPATIAL);
    gdyn_joint_def joint = random_joint(GDYN_REVOLUTE, GDYN_SPATIAL, 0, 1);
    joint.name = "hinge";
    joint.viscous = 0.7;
    joint.coulomb = 0.2;
    gdyn_machine_add_joint(machine, &joint);
    gdyn_force_def spring = gdyn_force_default();
    spring.name = "spring";
    spring.kind = GDYN_FORCE_SPRING;
    spring.a = (gdyn_anchor){0, {0.1, 0.2, 0.3}};
    spring.b = (gdyn_anchor){2, {-0.2, 0.1, 0}};
    spring.stiffness = 120;
    spring.rest = 0.4;
    spring.viscous = 3;
    gdyn_machine_add_force(machine, &spring);
    gdyn_force_def process = gdyn_force_default();
    process.name = "cut";
    process.kind = GDYN_FORCE_PROCESS;
    process.a = (gdyn_anchor){1, {0.3, 0, 0.1}};
    process.magnitude = 11;
    process.viscous = 2;
    gdyn_machine_add_force(machine, &process);
    gdyn_model *model = build(machine);
    gdyn_state *state = gdyn_state_create(model), *moved = gdyn_state_create(model);
    double u[18], du[18], g0[18], g1[18], length[2], height[2] = {0, 0}, angle[2];
    random_vector(u, 18, 1.0);
    gdyn_mech_path_forces(state, &(gdyn_path_rates){.u_p = u}, g0, g1);
    for (int k = 0; k < 2; k++) {
        double pa[3], pb[3], r[3], R[9];
        scaled(du, u, k ? step : -step, 18);
        gdyn_state_copy(moved, state);
        gdyn_state_move(moved, du);
        gdyn_state_point(moved, &spring.a, pa);
        gdyn_state_point(moved, &spring.b, pb);
        v3_sub(pa, pa, pb);
        length[k] = v3_norm(pa);
        angle[k] = gdyn_mech_joint_coordinate(moved, 0, GDYN_FREEDOM_ANGLE);
        for (int i = 0; i < 3; i++) {
            const double gravity[3] = {0.3, -9.81, 1.7};
            gdyn_state_body(moved, i, r, R);
            height[k] += (1.0 + i) * v3_dot(gravity, r);
        }
    }
    double v[3], rate = (length[1] - length[0]) / (2 * step), mean = 0.5 * (length[0] + length[1]);
    double turn = (angle[1] - angle[0]) / (2 * step);
    gdyn_state_point_velocity(state, &process.a, u, v);
    double power0 = (height[1] - height[0]) / (2 * step) - 120 * (mean - 0.4) * rate -
                    0.2 * fabs(turn) - 11 * v3_norm(v);
    double power1 = -3 * rate * rate - 0.7 * turn * turn - 2 * v3_dot(v, v), p0 = 0, p1 = 0;
    for (int i = 0; i < 18; i++) {
        p0 += g0[i] * u[i];
        p1 += g1[i] * u[i];
    }
    assert_near(p0, power0, 1e-6 * (1 + fabs(power0)));
    assert_near(p1, power1, 1e-6 * (1 + fabs(power1)));
    gdyn_state_destroy(state);
    gdyn_state_destroy(moved);
    gdyn_model_destroy(model);
}

/* R that follows from the angles in the state's charts is the R that it has. */
static void assert_angles_fit(const gdyn_state *state) {
    double z[18], R[9], wanted[9], r[3];
    gdyn_state *other = gdyn_state_clone(state);
    gdyn_state_z(state, z);
    gdyn_state_set_z(other, z);
    for (int i = 0; i < 3; i++) {
        gdyn_state_body(state, i, r, wanted);
        gdyn_state_body(other, i, r, R);
        for (int j = 0; j < 9; j++)
            assert_near(R[j], wanted[j], 1e-14);
    }
    gdyn_state_destroy(other);
}

/* States share charts until one of them tumbles; a chart that cannot be renewed for lack of memory still fits. */
static void test_charts_are_shared(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(25, 26, 27);
    gdyn_model *model = build(bodies_only(GDYN_SPATIAL));
    gdyn_state *one = gdyn_state_create(model), *two = gdyn_state_clone(one);
    double before[18], after[18], tumble[18] = {0};
    for (int i = 0; i < 3; i++)
        gdyn_state_rechart(one, i);
    gdyn_state_copy(two, one);
    gdyn_state *three = gdyn_state_clone(two);
    assert_ptr_equal(one->chart, two->chart);
    assert_ptr_equal(three->chart, two->chart);
    gdyn_state_z(two, before);
    /* the angle about the chart's y passes 60 deg */
    double r[3], R[9];
    gdyn_state_body(one, 0, r, R);
    v3_scale(tumble + 3, 1.2, R + 3);
    gdyn_state_move(one, tumble);
    assert_ptr_not_equal(one->chart, two->chart);
    assert_angles_fit(one);
    gdyn_state_z(two, after);
    assert_memory_equal(before, after, sizeof after);
    assert_angles_fit(two);
    gdyn_alloc_fail_after(0);
    gdyn_state_move(two, tumble);
    gdyn_alloc_fail_after(-1);
    assert_ptr_equal(three->chart, two->chart);
    assert_true(gdyn_state_near(one, two, 1e-15));
    assert_angles_fit(two);
    gdyn_state_copy(three, one);
    assert_ptr_equal(three->chart, one->chart);
    gdyn_state_destroy(one);
    assert_angles_fit(three);
    /* places handed on in small steps tumble, too */
    gdyn_state *four = gdyn_state_clone(three);
    v3_scale(tumble + 3, 0.01, R + 3);
    for (int i = 0; i < 400; i++) {
        gdyn_state_copy(two, three);
        gdyn_state_move(two, tumble);
        gdyn_state_move_on(four, three, two, 0.01);
        gdyn_state_copy(three, four);
        assert_angles_fit(three);
    }
    gdyn_state_destroy(four);
    gdyn_state_destroy(two);
    gdyn_state_destroy(three);
    gdyn_model_destroy(model);
}

/* Every allocation of model and state may fail; nothing leaks or crashes. */
static void test_allocation_failures(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(22, 23, 24);
    gdyn_machine *machine = bodies_only(GDYN_SPATIAL);
    gdyn_joint_def joint = random_joint(GDYN_SCREW, GDYN_SPATIAL, 0, 1);
    joint.name = "screw";
    gdyn_machine_add_joint(machine, &joint);
    bool done = false;
    for (long after = 0; !done && after < 100; after++) {
        gdyn_model *model = NULL;
        gdyn_alloc_fail_after(after);
        gdyn_status status = gdyn_model_create(machine, NULL, &model);
        gdyn_alloc_fail_after(-1);
        done = status == GDYN_OK;
        if (!done)
            assert_null(model);
        gdyn_model_destroy(model);
    }
    assert_true(done);
    gdyn_machine_destroy(machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_joint),
        cmocka_unit_test(test_gears),
        cmocka_unit_test(test_knife_edge_speed),
        cmocka_unit_test(test_rolling_wheel),
        cmocka_unit_test(test_coordinate_signs),
        cmocka_unit_test(test_turns_are_counted),
        cmocka_unit_test(test_turns_by_places),
        cmocka_unit_test(test_energy_and_bias),
        cmocka_unit_test(test_drives),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_charts_are_shared),
        cmocka_unit_test(test_allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
