/* test_simulate.c - motions of machines against published solutions, closed forms, conservation laws and each other. */
#include "closure/target.h"
#include "globdyn.h"
#include "mech/row.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* A case that is simulated to its end. */
typedef struct run {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_simulation_def def;
    gdyn_simulation *simulation;
    gdyn_record *record;
    gdyn_sim_start start;
    gdyn_sim_outcome outcome;
} run;

static void open_text(run *r, const char *text) {
    *r = (run){0};
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "test.yaml", NULL, &r->the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(r->the_case, 0, NULL, NULL, &r->instance), GDYN_OK);
    r->def = r->instance->simulation;
}

static void open_case(run *r, const char *name) {
    char path[400];
    snprintf(path, sizeof path, "%s/cases/%s/case.yaml", GDYN_SOURCE_DIR, name);
    *r = (run){0};
    assert_int_equal(gdyn_case_read(path, NULL, &r->the_case), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(r->the_case, 0, NULL, NULL, &r->instance), GDYN_OK);
    r->def = r->instance->simulation;
}

/* Simulates with the definition of the run, recorded at the start and at `count` times. */
static void simulate(run *r, int count) {
    gdyn_record_destroy(r->record);
    gdyn_simulation_destroy(r->simulation);
    assert_int_equal(gdyn_simulation_create(r->instance->model, &r->def, NULL, &r->simulation),
                     GDYN_OK);
    r->record = gdyn_record_create(r->instance->model, true);
    assert_non_null(r->record);
    assert_int_equal(gdyn_simulation_start(r->simulation, &r->start, &r->outcome), GDYN_OK);
    if (r->outcome != GDYN_SIM_RUNS)
        return;
    assert_int_equal(gdyn_record_take(r->record, r->simulation), GDYN_OK);
    for (int i = 1; i <= count && r->outcome == GDYN_SIM_RUNS; i++) {
        double t = r->def.duration * i / count;
        assert_int_equal(gdyn_simulation_advance(r->simulation, t, &r->outcome), GDYN_OK);
        assert_int_equal(gdyn_record_take(r->record, r->simulation), GDYN_OK);
    }
}

static void close_run(run *r) {
    gdyn_record_destroy(r->record);
    gdyn_simulation_destroy(r->simulation);
    gdyn_instance_destroy(r->instance);
    gdyn_case_destroy(r->the_case);
}

static double at(const run *r, int frame, const char *name) {
    int column = gdyn_record_find(r->record, name);
    if (column < 0)
        fail_msg("there is no column %s", name);
    return r->record->value[frame * r->record->columns + column];
}

static double last(const run *r, const char *name) {
    return at(r, r->record->frames - 1, name);
}

static void check(const run *r, const char *name, double value, double tolerance) {
    double got = last(r, name);
    if (!(fabs(got - value) <= tolerance))
        fail_msg("%s: %.17g instead of %.17g (%g)", name, got, value, got - value);
}

/* --- published solutions ---------------------------------------------------------------------------------- */

/* IVP test set, Andrews' squeezer at t = 0.03 s: 1e-6 of each value, and of the greatest velocity. */
static void squeezer(void **state) {
    (void)state;
    run r;
    open_case(&r, "andrews");
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    const double beta = 15.81077119629904, theta = -15.75637105984298, gamma = 0.04082224013073101,
                 phi = -0.5347301163226948, delta = 0.5244099658805304, omega = 0.5347301163226948,
                 epsilon = 1.048080741042263;
    check(&r, "K1.angle", beta, 1e-6 * beta);
    check(&r, "K2.angle", beta + theta, 1e-6 * 0.0544);
    check(&r, "K3.angle", gamma, 1e-6 * gamma);
    check(&r, "K4.angle", phi + delta, 1e-6 * 0.0103);
    check(&r, "K5.angle", delta, 1e-6 * delta);
    check(&r, "K6.angle", omega + epsilon, 1e-6);
    check(&r, "K7.angle", epsilon, 1e-6 * epsilon);
    check(&r, "K1.w", 1139.920302151208, 1e-6 * 1139.92);
    check(&r, "K3.w", 11.03291221937134, 1e-6 * 11.03);
    check(&r, "K5.w", 0.5735699284790808, 1e-6 * 0.5735);
    assert_true(fabs(r.record->energy.balance) < 1e-9);
    close_run(&r);
}

/* IFToMM A01: a point mass. */
static void pendulum(void **state) {
    (void)state;
    run r;
    open_case(&r, "pendulum");
    simulate(&r, 1);
    check(&r, "bob.x", -0.2750874625761169, 1e-9);
    check(&r, "bob.y", -0.9614192050991251, 1e-9);
    close_run(&r);
}

/* Paul 2020, section 6.1: cranks and bar of 1 kg without inertia. Together T = m l^2 (3/4 + 1) w^2 / 2 and V = -m g l (3/2 + 1)
 * cos(angle): a pendulum of length 0.7 l. From 45 degrees its period is 4 K(sin(pi/8)) sqrt(0.7 l / g), K by the arithmetic and
 * geometric mean. */
static void redundant_pendulum(void **state) {
    (void)state;
    const double pi = acos(-1.0);
    double a = 1, b = cos(pi / 8);
    for (int k = 0; k < 10; k++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    double period = 2 * pi / a * sqrt(0.7 * 0.5 / 9.81);
    run r;
    open_case(&r, "pendulum_redundant");
    const gdyn_sim_method methods[] = {
        GDYN_SIM_NULL_SPACE, GDYN_SIM_ELIMINATION,  GDYN_SIM_PARTITION, GDYN_SIM_AUGMENTED,
        GDYN_SIM_PROJECTION, GDYN_SIM_MINIMUM_NORM, GDYN_SIM_MINIMAL};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        r.def.method = methods[k];
        r.def.duration = 2.25 * period;
        r.def.tolerance = 1e-12;
        simulate(&r, 9);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        assert_true(fabs(at(&r, 2, "crank1.angle") + 3 * pi / 4) < 1e-7);
        assert_true(fabs(at(&r, 8, "crank3.angle") + pi / 4) < 1e-7);
        check(&r, "crank2.angle", -pi / 2, 1e-7);
        assert_true(r.record->imbalance < 1e-9);
    }
    close_run(&r);
}

/* IFToMM A02 at 1 s, computed independently: the end of the first rocker is at twice its centre. */
static void row_of_four_bars(void **state) {
    (void)state;
    run r;
    open_case(&r, "n_four_bar");
    r.def.duration = 1;
    simulate(&r, 1);
    check(&r, "rocker0.x", -0.1950203019 / 2, 1e-9);
    check(&r, "rocker0.y", -0.9807992057 / 2, 1e-9);
    close_run(&r);
}

/* The same for 10 s, many times through the pose in which all rods lie on one line and the rank drops: by every method, with
 * the energy kept to 1e-9 of what is exchanged (the benchmark asks for 0.1 J). */
static void through_singular_poses(void **state) {
    (void)state;
    run r;
    open_case(&r, "n_four_bar");
    for (int m = 0; m < GDYN_SIM_METHODS; m++)
        for (int hold = 0; hold < (m == 0 || m == GDYN_SIM_MINIMAL ? GDYN_SIM_HOLDS : 1); hold++) {
            bool compliant = m == GDYN_SIM_COMPLIANCE;
            if (compliant || (m == GDYN_SIM_MINIMAL && hold == GDYN_SIM_BAUMGARTE))
                continue;
            r.def.method = (gdyn_sim_method)m;
            r.def.hold = (gdyn_sim_hold)hold;
            simulate(&r, 10);
            if (r.outcome != GDYN_SIM_RUNS)
                fail_msg("%s, %s: %s at %g s", gdyn_sim_method_names[m], gdyn_sim_hold_names[hold],
                         gdyn_sim_outcome_text(r.outcome), last(&r, "t"));
            check(&r, "rocker0.x", 0.3284581115 / 2, 1e-7);
            check(&r, "rocker0.y", 0.9445185382 / 2, 1e-7);
            assert_true(r.record->imbalance < 1e-9 * 70);
        }
    close_run(&r);
}

/* Loose steps of high order that would end on another branch are taken again, shorter: without that the first run broke down
 * at 4.65 s, and the second one lost 12 of 70 J. What is allowed: errors of a step, grown through some twenty singular poses. */
static void no_jumps(void **state) {
    (void)state;
    const double tolerance[] = {1e-6, 1e-9};
    run r;
    open_case(&r, "n_four_bar");
    r.def.method = GDYN_SIM_MINIMAL;
    r.def.integrator = GDYN_SIM_BULIRSCH_STOER;
    for (int i = 0; i < 2; i++) {
        r.def.tolerance = tolerance[i];
        simulate(&r, 10);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        check(&r, "rocker0.x", 0.3284581115 / 2, 1e3 * tolerance[i]);
        check(&r, "rocker0.y", 0.9445185382 / 2, 1e3 * tolerance[i]);
        assert_true(r.record->imbalance < 1e3 * tolerance[i] * 70);
    }
    close_run(&r);
}

/* IFToMM A04: P2 at 1 s, and P1 and P2 after half a period, computed independently. */
static void bricard(void **state) {
    (void)state;
    run r;
    open_case(&r, "bricard");
    r.def.duration = 1;
    simulate(&r, 1);
    check(&r, "rod2.y", -0.8867079387 / 2, 1e-9);
    check(&r, "rod2.x", (0.2744813193 + 2 * last(&r, "rod1.x")) / 2, 1e-9);
    check(&r, "rod2.z", (-0.4623300027 + 2 * last(&r, "rod1.z")) / 2, 1e-9);
    r.def.duration = 4.9917115137 / 2;
    simulate(&r, 1);
    check(&r, "rod1.x", -0.5, 1e-6);
    check(&r, "rod2.x", -1, 1e-6);
    check(&r, "rod2.y", -0.5, 1e-6);
    close_run(&r);
}

/* --- all methods ---------------------------------------------------------------------------------------------- */

/* Greatest difference of what frames tell about places and velocities. */
static double apart(const run *r, const double *other) {
    double most = 0;
    for (int c = 0; c < r->record->columns; c++) {
        gdyn_record_kind kind = r->record->column[c].kind;
        if (kind != GDYN_RECORD_PLACE && kind != GDYN_RECORD_VELOCITY)
            continue;
        for (int i = 0; i < r->record->frames; i++) {
            int k = i * r->record->columns + c;
            most = fmax(most, fabs(r->record->value[k] - other[k]));
        }
    }
    return most;
}

/* Every method and stabilization gives the motion of the null space method. Steps have errors of 1e-10 (relative to a
 * machine of 1 m); several hundred of them, grown by the motion's own sensitivity, stay below 1e-6. */
static void methods_agree_on(const char *name, double duration, double tolerance) {
    static double reference[200000];
    run r;
    open_case(&r, name);
    r.def.duration = duration;
    r.def.tolerance = 1e-10;
    r.def.drop_count = 0;
    for (int m = 0; m < GDYN_SIM_COMPLIANCE; m++)
        for (int hold = 0; hold < GDYN_SIM_HOLDS; hold++) {
            if (m > 0 && hold == GDYN_SIM_DRIFT)
                continue;
            r.def.method = (gdyn_sim_method)m;
            r.def.hold = (gdyn_sim_hold)hold;
            simulate(&r, 20);
            assert_int_equal(r.outcome, GDYN_SIM_RUNS);
            size_t values = (size_t)(r.record->frames * r.record->columns);
            assert_true(values < sizeof reference / sizeof *reference);
            if (m == 0 && hold == 0)
                memcpy(reference, r.record->value, values * sizeof *reference);
            double far = apart(&r, reference);
            if (!(far < tolerance))
                fail_msg("%s: %s with %s is %g apart", name, gdyn_sim_method_names[m],
                         gdyn_sim_hold_names[hold], far);
        }
    close_run(&r);
}

static void methods_agree(void **state) {
    (void)state;
    methods_agree_on("mobile_robot", 10, 1e-6);
    methods_agree_on("bricard", 0.3, 1e-6);
    methods_agree_on("pendulum", 2, 1e-6);
    methods_agree_on("andrews", 0.001, 1e-6);
}

/* Minimal equations in joint coordinates: the motion of the null space method without any stabilization, constraints met to
 * rounding all the time. */
static void minimal_of(run *r, double tolerance) {
    static double reference[200000];
    r->def.tolerance = 1e-10;
    r->def.drop_count = 0;
    simulate(r, 20);
    size_t values = (size_t)(r->record->frames * r->record->columns);
    assert_true(values < sizeof reference / sizeof *reference);
    memcpy(reference, r->record->value, values * sizeof *reference);
    r->def.method = GDYN_SIM_MINIMAL;
    r->def.hold = GDYN_SIM_DRIFT;
    simulate(r, 20);
    if (r->outcome != GDYN_SIM_RUNS)
        fail_msg("%s: %s", r->instance->name, gdyn_sim_outcome_text(r->outcome));
    double far = apart(r, reference);
    if (!(far < tolerance))
        fail_msg("%s: minimal is %g apart", r->instance->name, far);
    assert_true(r->record->residual[0] < 1e-11 && r->record->residual[1] < 1e-10);
    assert_true(r->record->imbalance <= 1e-6 * r->record->exchange);
}

static void minimal_on(const char *name, double duration, double tolerance) {
    run r;
    open_case(&r, name);
    r.def.duration = duration;
    minimal_of(&r, tolerance);
    close_run(&r);
}

/* A disc that rolls, leans and turns: five coordinates of its pose, three of its velocity. Nothing dissipates. */
static const char disc[] =
    "format: 1\nname: disc\n"
    "machine:\n  space: spatial\n  gravity: [0, 0, -9.81]\n"
    "  ground: {points: {O: [0, 0, 0]}}\n"
    "  bodies: {wheel: {mass: 1, inertia: [0.01, 0.02, 0.01], points: {C: [0, 0, 0]},\n"
    "    pose: {at: [0, 0, 0.19], cardan: [0.3, 0, 0]}}}\n"
    "  joints: {r: {type: rolling, of: [wheel.C, ground.O], axis: [0, 1, 0], normal: [0, 0, 1], "
    "radius: 0.2}}\n"
    "simulate: {duration: 3 s, start: {velocity: {wheel: [1, 0, 0, 0, 5, 2]}}}\n";

static void rolling_disc(void) {
    run r;
    open_text(&r, disc);
    minimal_of(&r, 1e-6);
    assert_int_equal(r.start.mobility, 3);
    close_run(&r);
}

static void minimal_equations(void **state) {
    (void)state;
    minimal_on("pendulum", 5, 1e-6);
    minimal_on("n_four_bar", 0.6, 1e-6); /* rank drops at 0.71 s */
    minimal_on("andrews", 0.01, 1e-5);   /* the crank turns several times: speeds of 1e3 rad/s */
    minimal_on("bricard", 2, 1e-6);
    minimal_on("four_bar_parallel", 2, 1e-6);
    minimal_on("mobile_robot", 10, 1e-6); /* knife edges, two of them redundant */
    rolling_disc();
}

/* --- variants of elimination ------------------------------------------------------------------------------------ */

/* Wojtyra and Fraczek 2013, section 4.4: three variants, one motion; reactions of A, D to H, W5 and the steering equal,
 * those of B, C, W1 to W4 not. */
static void variants(void **state) {
    (void)state;
    static const char *const drops[3][2] = {{"C.y", "W4"}, {"W1", "W4"}, {"W2", "W4"}};
    static double first[60000];
    double change[64] = {0};
    run r;
    open_case(&r, "mobile_robot");
    r.def.tolerance = 1e-10;
    for (int v = 0; v < 3; v++) {
        r.def.drop = drops[v];
        r.def.drop_count = 2;
        simulate(&r, 40);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        size_t values = (size_t)(r.record->frames * r.record->columns);
        assert_true(values < sizeof first / sizeof *first);
        if (v == 0)
            memcpy(first, r.record->value, values * sizeof *first);
        assert_true(apart(&r, first) < 1e-7);
        for (int c = 0; c < r.record->columns; c++)
            for (int i = 0; r.record->column[c].component >= 0 && i < r.record->frames; i++) {
                int k = i * r.record->columns + c;
                double *most = &change[r.record->column[c].component];
                *most = fmax(*most, fabs(r.record->value[k] - first[k]));
            }
    }
    for (int c = 0; c < r.record->columns; c++) {
        int component = r.record->column[c].component;
        if (component < 0)
            continue;
        bool open = r.record->worst[component] != GDYN_UNIQUE;
        const char *name = r.record->column[c].name;
        bool dropped = strncmp(name, "W4", 2) == 0; /* in all three: zero each time */
        if (open && !dropped ? change[component] < 1e-3 : change[component] > 1e-6)
            fail_msg("%s changes by %g", name, change[component]);
        bool expected = strchr("BC", name[0]) || (name[0] == 'W' && name[1] != '5');
        if (open)
            assert_true(expected);
        if (name[0] == 'W')
            assert_true(open == expected);
    }
    close_run(&r);
}

/* --- laws -------------------------------------------------------------------------------------------------------- */

/* A free top keeps its angular momentum and energy; in space it tumbles through every chart. */
static void free_top(void **state) {
    (void)state;
    run r;
    open_text(&r, "format: 1\nmachine:\n  space: spatial\n  gravity: [0, 0, 0]\n  bodies:\n"
                  "    top: {mass: 2 kg, inertia: [1, 2, 3]}\n"
                  "simulate: {duration: 20 s, integrator: {tolerance: 1e-11}, start: {velocity: "
                  "{top: [0.1, 0, 0, 0.01, 2, 0.01]}}}\n");
    simulate(&r, 20);
    check(&r, "top.x", 2, 1e-9);
    check(&r, "energy.kinetic", at(&r, 0, "energy.kinetic"), 1e-8);
    for (int i = 0; i < r.record->frames; i++) {
        double a = at(&r, i, "top.a"), b = at(&r, i, "top.b"), c = at(&r, i, "top.c");
        double R[3][3] = {{cos(b) * cos(c), -cos(b) * sin(c), sin(b)},
                          {cos(a) * sin(c) + sin(a) * sin(b) * cos(c),
                           cos(a) * cos(c) - sin(a) * sin(b) * sin(c), -sin(a) * cos(b)},
                          {sin(a) * sin(c) - cos(a) * sin(b) * cos(c),
                           sin(a) * cos(c) + cos(a) * sin(b) * sin(c), cos(a) * cos(b)}};
        double w[3] = {at(&r, i, "top.wx"), at(&r, i, "top.wy"), at(&r, i, "top.wz")}, H[3] = {0};
        for (int k = 0; k < 3; k++) {
            double local = R[0][k] * w[0] + R[1][k] * w[1] + R[2][k] * w[2];
            for (int j = 0; j < 3; j++)
                H[j] += R[j][k] * (k + 1) * local;
        }
        assert_true(fabs(H[0] - 0.01) < 1e-7);
        assert_true(fabs(H[1] - 4) < 1e-7);
        assert_true(fabs(H[2] - 0.03) < 1e-7);
    }
    close_run(&r);
}

/* Closed forms: a slider on a spring, a damped one, one with dry friction, one with a drive force in t. */
static void sliders(void **state) {
    (void)state;
    static const char machine[] =
        "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n  bodies:\n"
        "    car: {mass: 2 kg, inertia: 1}\n  joints:\n"
        "    rail: {type: prismatic, of: [car, ground], axis: [1, 0]%s}\n"
        "  drives: {m: {at: rail, force: {limit: 100 N}}}\n  forces:\n"
        "    spring: {type: spring, at: rail, stiffness: %s, rest: 0}\n"
        "simulate: {duration: 1 s, integrator: {tolerance: 1e-11}, drives: {m: \"%s\"}, "
        "start: {rates: {rail: 1}}, slip: 1e-4}\n";
    char text[1000];
    run r;
    snprintf(text, sizeof text, machine, "", "18", "0");
    open_text(&r, text);
    simulate(&r, 10);
    check(&r, "rail.slide", sin(3.0) / 3, 1e-9);
    check(&r, "car.vx", cos(3.0), 1e-9);
    check(&r, "energy.balance", 0, 1e-9);
    close_run(&r);
    snprintf(text, sizeof text, machine, ", friction: {viscous: 4}", "18", "0");
    open_text(&r, text);
    simulate(&r, 10);
    double w = sqrt(8.0);
    check(&r, "rail.slide", exp(-1.0) * sin(w) / w, 1e-9);
    check(&r, "energy.balance", 0, 1e-9);
    close_run(&r);
    /* dry friction of 1 N slows 2 kg by 0.5 m/s2 */
    snprintf(text, sizeof text, machine, ", friction: {coulomb: 1}", "0", "0");
    open_text(&r, text);
    simulate(&r, 10);
    check(&r, "car.vx", 0.5, 1e-9);
    check(&r, "rail.slide", 0.75, 1e-9);
    check(&r, "energy.work_friction", -0.75, 1e-8);
    close_run(&r);
    snprintf(text, sizeof text, machine, "", "0", "12*t^2");
    open_text(&r, text);
    simulate(&r, 10);
    check(&r, "rail.slide", 1.5, 1e-9);
    check(&r, "car.vx", 3, 1e-9);
    check(&r, "energy.work_drives", 8, 1e-8);
    close_run(&r);
}

/* Tables in t: a load of 1 kg is moved in a car of 2 kg along the natural spline through (0, 0), (1, h), (2, 0), whose second
 * derivative is -3 h in the middle: 0.6875 h at a quarter, slope -1.5 h at the end. The force rises to 3 N and stays: by then the
 * momentum is 4.5 N s, and the centre of both has moved by (1/2 + 1.5 + 1.5) / 3 m. */
static void tables_in_time(void **state) {
    (void)state;
    const double h = 0.01;
    run r;
    open_text(&r,
              "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n"
              "    car: {mass: 2, inertia: 1}\n    load: {mass: 1, inertia: 1}\n  joints:\n"
              "    rail: {type: prismatic, of: [car, ground], axis: [1, 0]}\n"
              "    second: {type: prismatic, of: [load, car], axis: [1, 0]}\n"
              "  drives: {m: {at: rail, force: {limit: 100 N}}}\n"
              "  motions: {H: {at: second, displacement: [[0, 0], [1 s, 10 mm], [2, 0]]}}\n"
              "simulate: {duration: 2 s, integrator: {tolerance: 1e-10}, drives: {m: [[0, 0 N], "
              "[1, 3 N]]}}\n");
    simulate(&r, 4);
    double still = -1.5 * h; /* a motion starts with the slope 1.5 h, and so do both bodies */
    double start = (at(&r, 0, "car.vx") * 2 + at(&r, 0, "load.vx")) / 3;
    assert_true(fabs(at(&r, 1, "second.slide") - 0.6875 * h) < 1e-12);
    assert_true(fabs(at(&r, 2, "second.slide") - h) < 1e-12);
    check(&r, "car.vx", start + (4.5 - still) / 3, 1e-9);
    check(&r, "load.vx", start + (4.5 - still) / 3 + still, 1e-9);
    double centre = (2 * last(&r, "car.x") + last(&r, "load.x")) / 3;
    assert_true(fabs(centre - 2 * start - 3.5 / 3) < 1e-9);
    check(&r, "energy.balance", 0, 1e-9);
    close_run(&r);
}

/* A conservative machine whose velocities are turned round goes back where it came from. */
static void time_reversal(void **state) {
    (void)state;
    run r;
    open_case(&r, "bricard");
    r.def.duration = 1;
    r.def.tolerance = 1e-11;
    simulate(&r, 1);
    gdyn_sim_now now;
    assert_int_equal(gdyn_simulation_now(r.simulation, &now), GDYN_OK);
    int bodies = gdyn_model_bodies(r.instance->model);
    gdyn_start_velocity back[5];
    assert_int_equal(bodies, 5);
    for (int i = 0; i < bodies; i++) {
        back[i].body = i;
        for (int j = 0; j < 6; j++)
            back[i].u[j] = -now.u[6 * i + j];
    }
    gdyn_simulation *again = NULL;
    gdyn_simulation_def def = r.def;
    def.velocity = back;
    def.velocity_count = bodies;
    assert_int_equal(gdyn_simulation_create(r.instance->model, &def, NULL, &again), GDYN_OK);
    gdyn_simulation_place(again, now.state);
    gdyn_sim_start start;
    gdyn_sim_outcome outcome;
    assert_int_equal(gdyn_simulation_start(again, &start, &outcome), GDYN_OK);
    assert_true(start.missed < 1e-9);
    assert_int_equal(gdyn_simulation_advance(again, 1, &outcome), GDYN_OK);
    assert_int_equal(gdyn_simulation_now(again, &now), GDYN_OK);
    double rest = 0, x[3], R[9];
    for (int j = 0; j < 30; j++)
        rest = fmax(rest, fabs(now.u[j]));
    gdyn_state_body(now.state, 1, x, R);
    assert_true(rest < 1e-8);
    assert_true(fabs(x[0] - 1) + fabs(x[1] + 0.5) + fabs(x[2]) < 1e-8);
    gdyn_simulation_destroy(again);
    close_run(&r);
}

/* Halving fixed steps divides the error by 2^order. */
static void orders(void **state) {
    (void)state;
    static const struct {
        gdyn_sim_integrator integrator;
        double step, order;
    } rows[] = {{GDYN_SIM_EULER, 1e-3, 1}, {GDYN_SIM_RK2, 0.01, 2},
                {GDYN_SIM_RK4, 0.02, 4},   {GDYN_SIM_RKF45, 0.05, 5},
                {GDYN_SIM_RK8PD, 0.2, 8},  {GDYN_SIM_IMPLICIT_GAUSS, 0.05, 4}};
    run r;
    open_case(&r, "pendulum");
    r.def.duration = 1;
    r.def.tolerance = 1e-12;
    r.def.integrator = GDYN_SIM_RK8PD;
    simulate(&r, 1);
    double exact = last(&r, "O.angle");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double error[2];
        r.def.integrator = rows[k].integrator;
        for (int half = 0; half < 2; half++) {
            r.def.step = rows[k].step / (1 + half);
            simulate(&r, 1);
            assert_int_equal(r.outcome, GDYN_SIM_RUNS);
            error[half] = fabs(last(&r, "O.angle") - exact);
        }
        double order = log2(error[0] / error[1]);
        if (!(order > rows[k].order - 0.4 && order < rows[k].order + 1.4))
            fail_msg("%s: order %g, errors %g, %g", gdyn_sim_integrator_names[rows[k].integrator],
                     order, error[0], error[1]);
    }
    close_run(&r);
}

/* --- closing ------------------------------------------------------------------------------------------------------ */

static const char three_bars[] =
    "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n"
    "  ground: {points: {A: [0, 0], B: [1, 0]}}\n  bodies:\n"
    "    left: {mass: 1, inertia: 0, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: [0.18, -0.18, "
    "-0.7]}\n"
    "    right: {mass: 1, inertia: 0, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: [1.1, -0.2, "
    "-0.5]}\n"
    "    bar: {mass: 1, inertia: 0, points: {P: [-0.5, 0], Q: [0.5, 0]}, pose: [0.9, -0.3, 0.2]}\n"
    "  joints:\n    a: {type: revolute, of: [left.P, ground.A]}\n"
    "    b: {type: revolute, of: [right.P, ground.B]}\n"
    "    c: {type: revolute, of: [bar.P, left.Q]}\n    d: {type: revolute, of: [bar.Q, right.Q]}\n"
    "simulate: {duration: 1 s}\n";

/* Paul 2020, section 5.4.1: the loop of three bars (d11 = d31 = 0.5 m, d01 = d21 = 1 m) along its motion, each time closed from an
 * open pose with the crank held, by least squares and by simplex: within 1e-9 of Newton, and where the parallelogram is. */
static void three_bars_closed(void **state) {
    (void)state;
    run r;
    open_text(&r, three_bars);
    const gdyn_model *model = r.instance->model;
    gdyn_closure *closure = gdyn_closure_create(model, 1);
    gdyn_state *pose = gdyn_state_create(model);
    assert_true(closure && pose);
    for (int k = 0; k < 9; k++) {
        gdyn_target crank = {0};
        bool ok;
        crank.row = gdyn_row_joint(model, 0, GDYN_FREEDOM_ANGLE, &ok);
        crank.target[0] = -0.4 - 0.15 * k;
        double z[9], newton[9] = {0};
        const gdyn_closure_method methods[] = {GDYN_CLOSURE_NEWTON, GDYN_CLOSURE_LEAST_SQUARES,
                                               GDYN_CLOSURE_SIMPLEX};
        for (int m = 0; m < 3; m++) {
            gdyn_closure_settings settings = gdyn_closure_default();
            gdyn_closure_info info;
            settings.method = methods[m];
            gdyn_state_guess(pose);
            assert_int_equal(gdyn_closure_solve(closure, pose, 1, &crank, &settings, &info),
                             GDYN_OK);
            assert_int_equal(info.outcome, GDYN_CLOSED);
            assert_true(info.residual < 1e-9);
            gdyn_state_z(pose, z);
            for (int j = 0; j < 9; j++) {
                newton[j] = m == 0 ? z[j] : newton[j];
                assert_true(fabs(z[j] - newton[j]) < 1e-9);
            }
            assert_true(fabs(z[2] - crank.target[0]) < 1e-9 && fabs(z[5] - z[2]) < 1e-9);
            assert_true(fabs(z[8]) < 1e-9);
        }
    }
    gdyn_state_destroy(pose);
    gdyn_closure_destroy(closure);
    close_run(&r);
}

/* Every method has the order of its integrator on a loop: halving the steps of rk4 divides the error by 16. */
static void orders_of_methods(void **state) {
    (void)state;
    run r;
    open_text(&r, three_bars);
    r.def.tolerance = 1e-13;
    r.def.integrator = GDYN_SIM_RK8PD;
    simulate(&r, 1);
    double exact = last(&r, "left.angle");
    r.def.integrator = GDYN_SIM_BULIRSCH_STOER;
    r.def.tolerance = 1e-10;
    simulate(&r, 1);
    check(&r, "left.angle", exact, 1e-9);
    r.def.integrator = GDYN_SIM_RK4;
    for (int m = 0; m < GDYN_SIM_METHODS; m++) {
        double error[2];
        if (m == GDYN_SIM_COMPLIANCE)
            continue;
        r.def.method = (gdyn_sim_method)m;
        for (int half = 0; half < 2; half++) {
            r.def.step = 0.05 / (1 + half);
            simulate(&r, 1);
            assert_int_equal(r.outcome, GDYN_SIM_RUNS);
            error[half] = fabs(last(&r, "left.angle") - exact);
        }
        double order = log2(error[0] / error[1]);
        if (!(order > 3.4 && order < 5.6))
            fail_msg("%s: order %g, errors %g, %g", gdyn_sim_method_names[m], order, error[0],
                     error[1]);
    }
    close_run(&r);
}

/* Two hinged bars that fly freely keep momentum, angular momentum and energy by every method. */
static void flying_bars(void **state) {
    (void)state;
    run r;
    open_text(&r,
              "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n"
              "    one: {mass: 2, inertia: 0.3, points: {P: [1, 0]}}\n"
              "    two: {mass: 1, inertia: 0.1, points: {P: [-1, 0]}, pose: [2, 0, 0]}\n  joints:\n"
              "    hinge: {type: revolute, of: [two.P, one.P]}\n"
              "simulate: {duration: 5 s, integrator: {tolerance: 1e-10}, start: {velocity: "
              "{one: [0.3, 0.1, 2]}, rates: {hinge: -3}}}\n");
    for (int m = 0; m < GDYN_SIM_METHODS; m++) {
        double px[2], py[2], H[2];
        if (m == GDYN_SIM_COMPLIANCE)
            continue;
        r.def.method = (gdyn_sim_method)m;
        simulate(&r, 10);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        for (int k = 0; k < 2; k++) {
            int i = k * (r.record->frames - 1);
            double x1 = at(&r, i, "one.x"), y1 = at(&r, i, "one.y"), u1 = at(&r, i, "one.vx"),
                   v1 = at(&r, i, "one.vy"), x2 = at(&r, i, "two.x"), y2 = at(&r, i, "two.y"),
                   u2 = at(&r, i, "two.vx"), v2 = at(&r, i, "two.vy");
            px[k] = 2 * u1 + u2;
            py[k] = 2 * v1 + v2;
            H[k] = 2 * (x1 * v1 - y1 * u1) + x2 * v2 - y2 * u2 + 0.3 * at(&r, i, "one.w") +
                   0.1 * at(&r, i, "two.w");
        }
        assert_true(fabs(px[1] - px[0]) + fabs(py[1] - py[0]) < 1e-9);
        assert_true(fabs(H[1] - H[0]) < 1e-7 && fabs(H[0]) > 0.1);
        check(&r, "energy.kinetic", at(&r, 0, "energy.kinetic"), 1e-7);
    }
    close_run(&r);
}

/* IFToMM A05: nothing turns the governor, so that its angular momentum about the vertical stays while it opens,
 *   w (2 (m x^2 + I sin^2 + J cos^2) + shaft + slider),  x = side/2 + centre sin(opening) of the gravity centre of a rod with its ball;
 * the balance of energy holds although the dampers take away nearly all of it. Stiff: K/m = 2e5 1/s2, C/m = 1e4 1/s. */
static void flyball_governor(void **state) {
    (void)state;
    const double bar = 0.3, ball = 5, m = bar + ball, centre = (bar / 2 + ball) / m;
    const double across = bar * 1e-4 / 6, along = bar * (1 + 1e-4) / 12;
    const double turned = along + bar * pow(centre - 0.5, 2) + ball * pow(1 - centre, 2);
    run r;
    open_case(&r, "flyball");
    r.def.duration = 0.3;
    r.def.every = 0;
    r.def.tolerance = 1e-8;
    const gdyn_sim_integrator both[] = {GDYN_SIM_RKF45, GDYN_SIM_IMPLICIT_GAUSS};
    double opening[2];
    for (int k = 0; k < 2; k++) {
        double H[2];
        r.def.integrator = both[k];
        simulate(&r, 3);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        for (int end = 0; end < 2; end++) {
            int i = end * (r.record->frames - 1);
            double x = at(&r, i, "right.x"), y = at(&r, i, "right.y"), out = hypot(x, y) - 0.05,
                   sine = out / centre;
            double rods = m * (x * x + y * y) + turned * sine * sine + across * (1 - sine * sine);
            H[end] = at(&r, i, "shaft.wz") * (2 * rods + across + 3 * 0.01 / 6);
            opening[k] = asin(sine);
            assert_true(fabs(hypot(at(&r, i, "left.x"), at(&r, i, "left.y")) - 0.05 - out) < 1e-7);
        }
        assert_true(fabs(H[1] - H[0]) < 1e-6 * H[0]);
        assert_true(r.record->energy.friction < -1e4);
        assert_true(r.record->imbalance < 1e-8 * 4.66e4);
    }
    assert_true(opening[0] > 0.6 && fabs(opening[0] - opening[1]) < 1e-5);
    close_run(&r);
}

/* All ways to close start the same simulation of a machine whose guess is closed but for its masses' way. */
static void closing_methods(void **state) {
    (void)state;
    run r;
    open_text(&r, three_bars);
    for (int m = 0; m < 3; m++) {
        r.def.closing = (gdyn_closure_method)m;
        simulate(&r, 2);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        assert_true(r.start.closure.residual < 1e-9);
    }
    close_run(&r);
}

/* --- outcomes ------------------------------------------------------------------------------------------------------ */

static void structures(void **state) {
    (void)state;
    run r;
    open_text(&r,
              "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n"
              "    a: {mass: 1 kg, inertia: 1}\n  joints:\n    j: {type: fixed, of: [a, ground]}\n"
              "simulate: {duration: 1 s}\n");
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_RIGID);
    close_run(&r);
    open_text(&r, "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n"
                  "    a: {mass: 1 kg, inertia: 1, points: {P: [1, 0]}}\n  joints:\n"
                  "    j: {type: revolute, of: [a, ground]}\n"
                  "    k: {type: rod, of: [a.P, ground], length: 2}\n"
                  "simulate: {duration: 1 s}\n");
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_OPEN);
    close_run(&r);
}

/* --- friction that sticks, ranges ------------------------------------------------------------------------------ */

/* 2 kg pushed by 6 N sin(t) against 3 N (static 4 N): it slips from sin t = 2/3 on, v = 3 (cos t1 - cos t) - 1.5 (t - t1),
 * sticks where v = 0 and slips again half a period after t1. It is beyond 0.1 m from the root of x on. */
static const char pushed[] =
    "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  ground: {points: {O: [0, 0]}}\n"
    "  bodies: {cart: {mass: 2, inertia: 1, points: {O: [0, 0]}, pose: [0, 0, 0]}}\n"
    "  joints: {slide: {type: prismatic, of: [cart.O, ground.O], axis: [1, 0], range: {max: 0.1}, "
    "friction: {coulomb: 3 N, stiction: 4 N}}}\n"
    "  drives: {push: {at: slide, force: {limit: 100 N}}}\n"
    "simulate: {duration: 5 s, drives: {push: \"6 N*sin(t)\"}}\n";

static double pushed_speed(double t) {
    double t1 = asin(2.0 / 3);
    return 3 * (cos(t1) - cos(t)) - 1.5 * (t - t1);
}

static double pushed_place(double t) {
    double t1 = asin(2.0 / 3), s = t - t1;
    return 3 * (cos(t1) * s - sin(t) + sin(t1)) - 0.75 * s * s;
}

static double root_of(double (*f)(double), double shift, double a, double b) {
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (a + b);
        if ((f(middle) > shift) == (f(a) > shift))
            a = middle;
        else
            b = middle;
    }
    return a;
}

static void stick_and_slip(void **state) {
    (void)state;
    const double pi = acos(-1.0), t1 = asin(2.0 / 3);
    double stop = root_of(pushed_speed, 0, 2, 5), out = root_of(pushed_place, 0.1, 1, 2);
    const double expected[] = {0, t1, out, stop, pi + t1};
    run r;
    open_text(&r, pushed);
    for (int m = 0; m < GDYN_SIM_COMPLIANCE + 2; m++) {
        if (m == GDYN_SIM_COMPLIANCE)
            continue;
        r.def.method = (gdyn_sim_method)m;
        r.def.tolerance = 1e-11;
        simulate(&r, 50);
        int count;
        const gdyn_sim_event *event = gdyn_simulation_events(r.simulation, &count);
        assert_int_equal(count, 5);
        for (int i = 0; i < count; i++)
            if (!(fabs(event[i].t - expected[i]) < (i == 2 ? 1e-5 : 1e-7)))
                fail_msg("%s: event %d at %.12g instead of %.12g", gdyn_sim_method_names[m], i,
                         event[i].t, expected[i]);
        assert_int_equal(event[0].kind, GDYN_SIM_STICKS);
        assert_true(event[2].kind == GDYN_SIM_LEAVES && event[2].upper);
        assert_string_equal(gdyn_simulation_event_name(r.simulation, &event[2]), "slide");
        assert_true(fabs(event[2].by - (pushed_place(stop) - 0.1)) < 1e-6);
        assert_true(fabs(at(&r, 7, "cart.x")) < 1e-14); /* 0.7 s: no creep */
        assert_true(fabs(at(&r, 30, "cart.x") - pushed_place(3)) < 1e-7);
        assert_true(r.record->imbalance < 1e-7);
    }
    close_run(&r);
}

/* Velocity stepping of compliant constraints: friction holds to rounding at any step, and slips with the order 1. */
static void friction_in_steps(void **state) {
    (void)state;
    double before = 0;
    run r;
    open_text(&r, pushed);
    r.def.method = GDYN_SIM_COMPLIANCE;
    r.def.hold = GDYN_SIM_DRIFT;
    r.def.integrator = GDYN_SIM_EULER;
    for (int k = 0; k < 3; k++) {
        r.def.step = 0.01 / (1 << k);
        simulate(&r, 50);
        assert_true(fabs(at(&r, 7, "cart.x")) < (k == 0 ? 0.05 : 0.02));
        assert_true(fabs(at(&r, 5, "cart.x")) < 1e-12); /* 0.5 s: no creep */
        double error = fabs(at(&r, 30, "cart.x") - pushed_place(3));
        assert_true(error < 2 * r.def.step && (k == 0 || error < 0.6 * before));
        before = error;
    }
    close_run(&r);
}

/* A parallelogram whose four hinges rub shares one freedom among four frictions: together they hold what none could alone. At
 * 45 degrees three bars of 1 kg ask for m g l (1/2 + 1/2 + 1) cos(45 deg) = 6.937 N m. */
static const char rubbing[] =
    "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n"
    "  ground: {points: {A: [0, 0], B: [1, 0]}}\n  bodies:\n"
    "    left: {mass: 1, inertia: 0.1, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: {P: ground.A, "
    "Q: bar.P}}\n"
    "    right: {mass: 1, inertia: 0.1, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: {P: ground.B, "
    "Q: bar.Q}}\n"
    "    bar: {mass: 1, inertia: 0.1, points: {P: [-0.5, 0], Q: [0.5, 0]}, pose: [0.853553390593, "
    "0.353553390593, 0]}\n"
    "  joints:\n    a: {type: revolute, of: [left.P, ground.A], friction: {coulomb: %.6f}}\n"
    "    b: {type: revolute, of: [right.P, ground.B], friction: {coulomb: 2}}\n"
    "    c: {type: revolute, of: [bar.P, left.Q], friction: {coulomb: 1}}\n"
    "    d: {type: revolute, of: [bar.Q, right.Q], friction: {coulomb: 0.5}}\n"
    "simulate: {duration: 0.3 s}\n";

static void friction_is_shared(void **state) {
    (void)state;
    char text[2000];
    double needed = 9.81 * 0.5 * 2 * sqrt(0.5) - 3.5;
    for (int k = 0; k < 2; k++) {
        run r;
        snprintf(text, sizeof text, rubbing, needed * (k == 0 ? 1.001 : 0.999));
        open_text(&r, text);
        simulate(&r, 5);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        double moved = fabs(last(&r, "left.angle") - at(&r, 0, "left.angle"));
        assert_true(k == 0 ? moved < 1e-9 : moved > 1e-5);
        close_run(&r);
    }
}

/* A slider-crank that starts at its dead centre, guided twice, with dry friction at the slider, which can hold nothing there:
 * every method finds the same motion and the same events. */
static const char rubbing_slider[] =
    "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n"
    "  ground: {points: {O: [0, 0], G: [0, 0.05], H: [0, -0.05]}}\n  bodies:\n"
    "    crank: {mass: 1, inertia: 0.002, points: {O: [-0.05, 0], A: [0.05, 0]}, pose: [0.05, 0, "
    "0]}\n"
    "    rod: {mass: 1, inertia: 0.01, points: {A: [-0.15, 0], B: [0.15, 0]}, pose: [0.25, 0, 0]}\n"
    "    slider: {mass: 2, inertia: 0.01, points: {B: [0, 0], U: [0, 0.05], D: [0, -0.05]}, pose: "
    "[0.4, 0, "
    "0]}\n"
    "  joints:\n    O: {type: revolute, of: [crank.O, ground.O]}\n"
    "    A: {type: revolute, of: [rod.A, crank.A]}\n    B: {type: revolute, of: [slider.B, "
    "rod.B]}\n"
    "    up: {type: prismatic, of: [slider.U, ground.G], axis: [1, 0], friction: {coulomb: 4, "
    "stiction: "
    "6}}\n"
    "    low: {type: slot, of: [slider.D, ground.H], axis: [1, 0]}\n"
    "  drives: {motor: {at: O, torque: {limit: 10 N m}}}\n"
    "simulate: {duration: 1 s, drives: {motor: 0.8 N m}, start: {rates: {O: 2 rad/s}}}\n";

static void friction_at_dead_centres(void **state) {
    (void)state;
    run r;
    double angle = 0;
    int events = 0;
    open_text(&r, rubbing_slider);
    r.def.tolerance = 1e-10;
    for (int m = 0; m < GDYN_SIM_COMPLIANCE + 2; m++) {
        if (m == GDYN_SIM_COMPLIANCE)
            continue;
        int count;
        r.def.method = (gdyn_sim_method)m;
        simulate(&r, 10);
        if (r.outcome != GDYN_SIM_RUNS)
            fail_msg("%s: %s at %g s", gdyn_sim_method_names[m], gdyn_sim_outcome_text(r.outcome),
                     last(&r, "t"));
        gdyn_simulation_events(r.simulation, &count);
        angle = m == 0 ? last(&r, "crank.angle") : angle;
        events = m == 0 ? count : events;
        assert_int_equal(r.start.redundant, 1);
        if (!(fabs(last(&r, "crank.angle") - angle) < 1e-5) || count != events)
            fail_msg("%s: angle %.9g instead of %.9g, %d events instead of %d",
                     gdyn_sim_method_names[m], last(&r, "crank.angle"), angle, count, events);
        assert_true(r.record->imbalance < 1e-5);
    }
    close_run(&r);
}

/* --- singular starts --------------------------------------------------------------------------------------------- */

/* A parallelogram folded flat: its rank is lower there. The start is moved beside it and says so; then the rank is 8. */
static const char flat[] =
    "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n"
    "  ground: {points: {A: [0, 0], B: [1, 0]}}\n  bodies:\n"
    "    left: {mass: 1, inertia: 0.1, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: [0.25, 0, 0]}\n"
    "    right: {mass: 1, inertia: 0.1, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: [1.25, 0, "
    "0]}\n"
    "    bar: {mass: 1, inertia: 0.1, points: {P: [-0.5, 0], Q: [0.5, 0]}, pose: [1, 0, 0]}\n"
    "  joints:\n    a: {type: revolute, of: [left.P, ground.A]}\n"
    "    b: {type: revolute, of: [right.P, ground.B]}\n"
    "    c: {type: revolute, of: [bar.P, left.Q]}\n    d: {type: revolute, of: [bar.Q, right.Q]}\n"
    "simulate: {duration: 0.5 s}\n";

static void singular_start(void **state) {
    (void)state;
    run r;
    open_text(&r, flat);
    simulate(&r, 5);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    assert_int_equal(r.start.gained, 1);
    assert_int_equal(r.start.mobility, 1);
    assert_true(r.start.shaken > 1e-5 && r.start.shaken < 0.05);
    assert_true(r.record->imbalance < 1e-6 * r.record->exchange);
    close_run(&r);
}

/* Paul 2020, section 5.6, step 4: what the user keeps independent stays at the first guess, here an open one. */
static void held_at_the_start(void **state) {
    (void)state;
    const char *const names[] = {"left.angle"};
    run r;
    open_text(&r, three_bars);
    r.def.method = GDYN_SIM_PARTITION;
    r.def.independent = names;
    r.def.independent_count = 1;
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    assert_int_equal(r.start.held, 1);
    assert_true(fabs(at(&r, 0, "left.angle") + 0.7) < 1e-12);
    assert_true(fabs(at(&r, 0, "right.angle") + 0.7) < 1e-9);
    close_run(&r);
}

/* Every method from the same first guess: the way of each ends where its report says, the simplex without a step of
 * Newton's method, all below 1e-12. */
static void ways_of(run *r) {
    r->def.compare_closings = true;
    simulate(r, 1);
    assert_int_equal(r->outcome, GDYN_SIM_RUNS);
    int count;
    const gdyn_assembly *way = gdyn_simulation_assemblies(r->simulation, &count);
    assert_int_equal(count, 3);
    for (int m = 0; m < count; m++) {
        const gdyn_assembly_step *step = way[m].step;
        int end = way[m].steps - 1;
        assert_int_equal(way[m].closure.outcome, GDYN_CLOSED);
        assert_true(end > 0 && step[0].residual > 1e-3 && step[end].residual < 1e-12);
        assert_true(fabs(step[end].residual - way[m].closure.residual) < 1e-15);
        for (int i = 1; i <= end; i++) {
            assert_true(step[i].evaluations >= step[i - 1].evaluations);
            assert_true(step[i].at_work == way[m].method ||
                        way[m].method == GDYN_CLOSURE_LEAST_SQUARES);
        }
        assert_true(step[end].evaluations <= way[m].closure.evaluations);
    }
    close_run(r);
}

/* Paul 2020, section 5.2: three ways to close the three bars, the suspension and the agile eye, which its simplex fails. */
static void ways_of_assembly(void **state) {
    (void)state;
    const char *const names[] = {"five_point_suspension", "agile_eye_table"};
    run r;
    open_text(&r, three_bars);
    ways_of(&r);
    for (int i = 0; i < 2; i++) {
        open_case(&r, names[i]);
        r.def.duration = 0.02;
        ways_of(&r);
    }
}

/* Paul 2020, section 6.2.2: the motors, held at q9 = q18 = q27 of its table, put the eye at the centre of rotation with
 * q4 to q6 zero, to the digits of the table. Turns in space are held there (step 4). */
static void table_of_the_agile_eye(void **state) {
    (void)state;
    const double at_centre[3] = {0.5, sqrt(3) / 6, 1 / sqrt(3)};
    const char *const names[] = {"eye.x", "eye.y", "eye.z"}, *const turns[] = {"eye.a", "eye.b",
                                                                               "eye.c"};
    run r;
    open_case(&r, "agile_eye_table");
    r.def.duration = 0.02;
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    assert_int_equal(r.start.held, 3);
    assert_int_equal(r.start.redundant, 6);
    for (int j = 0; j < 3; j++) {
        assert_true(fabs(at(&r, 0, names[j]) - at_centre[j]) < 1e-12);
        assert_true(fabs(at(&r, 0, turns[j])) < 1e-9);
    }
    /* equal torques: about the vertical alone; another third one: about all axes */
    r.def.duration = 2;
    simulate(&r, 4);
    assert_true(fabs(last(&r, "eye.a")) < 1e-8 && fabs(last(&r, "eye.b")) < 1e-8);
    assert_true(fabs(last(&r, "eye.c")) > 0.2);
    close_run(&r);
}

/* Step 3 of the paper: the bars of this guess lie in one line, so that no direction lifts them; shaken they close. A guess
 * is shaken by as much as is wanted, too. */
static void shaken_guess(void **state) {
    (void)state;
    char text[1200];
    const char *flat_pose = "pose: [1, 0, 0]}";
    snprintf(text, sizeof text, "%s", flat);
    /* a coupler that is shorter than the distance of the cranks */
    char *place = strstr(text, "ground: {points: {A: [0, 0], B: [1, 0]}}");
    assert_non_null(place);
    memcpy(strstr(place, "B: [1, 0]"), "B: [.9,0]", 9);
    assert_non_null(strstr(text, flat_pose));
    run r;
    open_text(&r, text);
    r.def.closing = GDYN_CLOSURE_NEWTON;
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    assert_true(r.start.guess_shaken == 1e-3);
    assert_true(r.start.closure.residual < 1e-12);
    close_run(&r);
    open_text(&r, three_bars);
    r.def.shake = 0.01;
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    assert_true(r.start.guess_shaken == 0.01 && r.start.moved > 1e-3);
    close_run(&r);
}

/* Closing along a motion: least squares and simplex within 1e-9 of Newton. */
static void closings_of(run *r_) {
    run r = *r_;
    assert_int_equal(gdyn_simulation_create(r.instance->model, &r.def, NULL, &r.simulation),
                     GDYN_OK);
    r.record = gdyn_record_create(r.instance->model, true);
    gdyn_closings *c = gdyn_closings_create(r.record);
    assert_non_null(c);
    assert_int_equal(gdyn_simulation_start(r.simulation, &r.start, &r.outcome), GDYN_OK);
    for (int i = 0; i <= 10; i++) {
        gdyn_sim_now now;
        assert_int_equal(gdyn_simulation_advance(r.simulation, 0.02 * i, &r.outcome), GDYN_OK);
        assert_int_equal(gdyn_record_take(r.record, r.simulation), GDYN_OK);
        assert_int_equal(gdyn_simulation_now(r.simulation, &now), GDYN_OK);
        assert_int_equal(gdyn_closings_take(c, now.state), GDYN_OK);
        if (i > 0) {
            assert_true(last(&r, "closing.newton.residual") < 1e-12);
            assert_true(last(&r, "closing.least_squares.difference") < 1e-9);
            double far = last(&r, "closing.simplex.difference");
            if (!(far < 1e-9 && last(&r, "closing.simplex.residual") < 1e-12))
                fail_msg("%s at %g s: simplex %g apart, residual %g", r.instance->name, 0.02 * i,
                         far, last(&r, "closing.simplex.residual"));
        }
    }
    gdyn_closings_destroy(c);
    close_run(&r);
}

/* Paul 2020, Figs. 16 and 17, 20 and 21. */
static void closings(void **state) {
    (void)state;
    run r;
    open_text(&r, three_bars);
    closings_of(&r);
    open_case(&r, "five_point_suspension");
    closings_of(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stick_and_slip),
        cmocka_unit_test(friction_in_steps),
        cmocka_unit_test(friction_is_shared),
        cmocka_unit_test(friction_at_dead_centres),
        cmocka_unit_test(singular_start),
        cmocka_unit_test(held_at_the_start),
        cmocka_unit_test(closings),
        cmocka_unit_test(ways_of_assembly),
        cmocka_unit_test(table_of_the_agile_eye),
        cmocka_unit_test(shaken_guess),
        cmocka_unit_test(squeezer),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(redundant_pendulum),
        cmocka_unit_test(row_of_four_bars),
        cmocka_unit_test(through_singular_poses),
        cmocka_unit_test(no_jumps),
        cmocka_unit_test(bricard),
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(variants),
        cmocka_unit_test(minimal_equations),
        cmocka_unit_test(free_top),
        cmocka_unit_test(sliders),
        cmocka_unit_test(tables_in_time),
        cmocka_unit_test(time_reversal),
        cmocka_unit_test(orders),
        cmocka_unit_test(structures),
        cmocka_unit_test(three_bars_closed),
        cmocka_unit_test(orders_of_methods),
        cmocka_unit_test(flyball_governor),
        cmocka_unit_test(flying_bars),
        cmocka_unit_test(closing_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
