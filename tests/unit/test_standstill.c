/* Friction and process forces where a joint or a point stands still along a path: the sign of a motion
 * that does not exist must not come from rounding. Answers are closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "access/evaluate.h"
#include "casefile/casefile.h"
#include "near.h"
#include "traverse/path_dynamics.h"
#include "traverse/traverse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A trajectory of a case, evaluated. */
typedef struct run {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_path *path;
    gdyn_evaluation *e;
} run;

static void print_problem(void *context, const gdyn_diag *d) {
    (void)context;
    print_message("%d:%d: %s\n", d->line, d->column, d->message);
}

static run evaluate(const char *text, gdyn_reduction reduction) {
    run r;
    gdyn_sink sink = {print_problem, NULL};
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    settings.reduction = reduction;
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "case", &sink, &r.the_case), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(r.the_case, 0, NULL, &sink, &r.instance), GDYN_OK);
    assert_int_equal(gdyn_path_create(r.instance->model, r.instance->trajectory, &sink, &r.path),
                     GDYN_OK);
    r.e = gdyn_evaluation_create(r.instance->model, r.path);
    assert_non_null(r.e);
    assert_int_equal(gdyn_evaluation_run(r.e, r.path, &settings), GDYN_OK);
    return r;
}

static void drop(run *r) {
    gdyn_evaluation_destroy(r->e);
    gdyn_path_destroy(r->path);
    gdyn_instance_destroy(r->instance);
    gdyn_case_destroy(r->the_case);
}

/* Accelerations at rest at all points, by both reductions: low and high of p. */
static void rests(const char *text, double (*low)(double p), double (*high)(double p)) {
    for (int reduction = 0; reduction < 2; reduction++) {
        run r = evaluate(text, reduction ? GDYN_REDUCE_NULL : GDYN_REDUCE_SVD);
        for (int i = 0; i < r.e->track->points; i++) {
            double p = r.e->track->p[i];
            const gdyn_region *region = r.e->region[i];
            assert_int_equal(r.e->track->status[i], GDYN_POINT_OK);
            assert_int_equal(region->status, GDYN_REGION_OK);
            assert_true(region->rest);
            assert_near(region->rest_min, low(p), 1e-9 * fabs(low(p)));
            assert_near(region->rest_max, high(p), 1e-9 * fabs(high(p)));
        }
        drop(&r);
    }
}

/* A gantry that moves along x; dry friction of 10 N in the y rail, whose drive has 8 N. `rough` makes
 * the guess inexact, so that the closed pose has rounding in it. */
static const char gantry[] =
    "format: 1\n"
    "name: gantry\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, 0]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    %s\n"
    "    %s\n"
    "  joints:\n"
    "    xrail: {type: prismatic, of: [bridge.O, ground.O], axis: [1, 0]}\n"
    "    yrail: {type: prismatic, of: %s, axis: [0, %d], friction: {coulomb: 10}}\n"
    "  drives:\n"
    "    mx: {at: xrail, force: {min: -100, max: 100}}\n"
    "    my: {at: yrail, force: {min: -8, max: 8}}\n"
    "trajectories:\n"
    "  t: {p: [0, 1], points: 11, %s}\n";

static double gantry_high(double p) {
    (void)p;
    return 100 / (7 * 0.5);
}

static double gantry_low(double p) {
    return -gantry_high(p);
}

static void a_rail_that_stands_still_does_not_rub(void **state) {
    (void)state;
    static const char bridge[] = "bridge: {mass: 5, inertia: 0.1, com: [0.1, 0.2], points: {O: [0, "
                                 "0]}, pose: [%s, 0]}";
    static const char head[] = "head: {mass: 2, inertia: 0.1, points: {P: [0, 0]}, pose: [%s, 0]}";
    static const char *const way[] = {"of: head.P, path: {x: 0.1 + 0.5*p, y: 0.2}",
                                      "of: head.P, path: {x: 0.1 + 0.5*p, y: 0.1*3 - 0.1}",
                                      "joints: {xrail: 0.1 + 0.5*p, yrail: 0.2}",
                                      "of: head.P, kind: line, from: [0.1, 0.2], to: [0.6, 0.2]"};
    for (int i = 0; i < 32; i++) {
        char text[2000], first[200], second[200];
        bool rough = i & 1, swapped = i & 2;
        snprintf(first, sizeof first, bridge, rough ? "0.1377, 0.0613" : "0.1, 0");
        snprintf(second, sizeof second, head, rough ? "0.0719, 0.2391" : "0.1, 0.2");
        const char *of = i & 4 ? "[bridge.O, head.P]" : "[head.P, bridge.O]";
        bool by_joints = i / 8 == 2;
        snprintf(text, sizeof text, gantry, swapped ? second : first, swapped ? first : second,
                 by_joints ? "[head.P, bridge.O]" : of, i & 4 && !by_joints ? -1 : 1, way[i / 8]);
        rests(text, gantry_low, gantry_high);
    }
}

/* Pan and tilt; only the pan moves. Turning it with alpha = cos p d2 needs m rho_z r_x alpha from the
 * tilt drive, rho the tilt's centre of gravity from its axis, r from the pan's. */
static const char pan_tilt[] =
    "format: 1\n"
    "name: pan and tilt\n"
    "machine:\n"
    "  space: spatial\n"
    "  gravity: [0, 0, 0]\n"
    "  ground: {points: {O: [0, 0, 0]}}\n"
    "  bodies:\n"
    "    pan: {mass: 1, inertia: [0.02, 0.02, 0.02], com: [0.1, 0.1, 0.1],\n"
    "          points: {O: [0, 0, 0], T: [0.1, 0.2, 0.3]}, pose: {at: [0, 0, 0]}}\n"
    "    tilt: {mass: 1, inertia: [0.02, 0.02, 0.02], com: [0.1, 0.1, 0.2],\n"
    "           points: {T: [0, 0, 0]}, pose: {at: [0.1, 0.2, 0.3], cardan: [0.5, 0, 0]}}\n"
    "  joints:\n"
    "    pan: {type: revolute, of: [pan.O, ground.O], axis: [0, 0, 1]}\n"
    "    tilt: {type: revolute, of: [tilt.T, pan.T], axis: [1, 0, 0], friction: {coulomb: 1}}\n"
    "  drives:\n"
    "    m1: {at: pan, torque: {min: -10, max: 10}}\n"
    "    m2: {at: tilt, torque: {min: -0.9, max: 0.9}}\n"
    "trajectories:\n"
    "  t: {p: [0, 1], points: 11, joints: {pan: sin(p), tilt: 0.5}}\n";

static double pan_high(double p) {
    double rho_z = 0.1 * sin(0.5) + 0.2 * cos(0.5), r_x = 0.2;
    return 0.9 / (rho_z * r_x * cos(p));
}

static double pan_low(double p) {
    return -pan_high(p);
}

static void a_hinge_that_stands_still_does_not_rub(void **state) {
    (void)state;
    rests(pan_tilt, pan_low, pan_high);
}

/* A polar arm that moves radially; the point of the arm that works stands still. */
static const char polar[] =
    "format: 1\n"
    "name: polar arm\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, 0]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    arm: {mass: 1, inertia: 0.01, points: {O: [0, 0], A: [0.3, 0]}, pose: [0, 0, 0.6]}\n"
    "    carriage: {mass: 2, inertia: 0.01, points: {P: [0, 0]},\n"
    "               pose: [0.4*cos(0.6), 0.4*sin(0.6), 0.6]}\n"
    "  joints:\n"
    "    hinge: {type: revolute, of: [arm.O, ground.O]}\n"
    "    rail: {type: prismatic, of: [carriage.P, arm.O], axis: [1, 0]}\n"
    "  drives:\n"
    "    turn: {at: hinge, torque: {min: -2, max: 2}}\n"
    "    slide: {at: rail, force: {min: -50, max: 50}}\n"
    "  forces:\n"
    "    cut: {type: process, of: %s, magnitude: 10}\n"
    "trajectories:\n"
    "  t: {of: carriage.P, p: [0, 1], points: 6,\n"
    "      path: {x: (0.4 + 0.1*p)*cos(0.6), y: (0.4 + 0.1*p)*sin(0.6)}}\n";

static double polar_high(double p) {
    (void)p;
    return 50 / (2 * 0.1);
}

static double polar_low(double p) {
    return -polar_high(p);
}

static double worked_high(double p) {
    (void)p;
    return (50 - 10) / (2 * 0.1);
}

static double worked_low(double p) {
    (void)p;
    return (-50 - 10) / (2 * 0.1);
}

static void a_point_that_stands_still_does_no_work(void **state) {
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, polar, "arm.A");
    rests(text, polar_low, polar_high);
    snprintf(text, sizeof text, polar, "carriage.P");
    rests(text, worked_low, worked_high);
}

/* A sleeve that slides without turning, or turns without sliding; friction of a cylindrical joint acts
 * in both of its freedoms. Axes at right angles to, along and across the coordinate axes. */
static const char sleeve[] =
    "format: 1\n"
    "name: sleeve\n"
    "machine:\n"
    "  space: spatial\n"
    "  gravity: [0, 0, 0]\n"
    "  ground: {points: {O: [0, 0, 0]}}\n"
    "  bodies:\n"
    "    sleeve: {mass: 2, inertia: [0.5, 0.5, 0.5], points: {P: [0, 0, 0]}, pose: {at: [0.01, "
    "-0.02, 0.015], cardan: [0.02, 0.01, -0.03]}}\n"
    "  joints:\n"
    "    c: {type: cylindrical, of: [sleeve.P, ground.O], axis: %s, friction: {coulomb: 3}}\n"
    "  drives:\n"
    "    pull: {at: c.slide, force: {limit: %g}}\n"
    "    turn: {at: c.angle, torque: {limit: %g}}\n"
    "trajectories:\n"
    "  t: {p: [0.1, 1], points: 7, joints: {c.slide: %s, c.angle: %s}}\n";

static double slid_high(double p) {
    (void)p;
    return (7 - 3) / 2.0;
}

static double slid_low(double p) {
    (void)p;
    return (-7 - 3) / 2.0;
}

static double turned_high(double p) {
    (void)p;
    return (7 - 3) / 0.5;
}

static double turned_low(double p) {
    (void)p;
    return (-7 - 3) / 0.5;
}

static void each_freedom_of_a_cylindrical_joint_has_its_own_rest(void **state) {
    (void)state;
    static const char *const axis[] = {"[1, 0, 0]", "[0, -1, 0]", "[0.3, -0.4, 0.7]"};
    for (int i = 0; i < 3; i++) {
        char text[2000];
        snprintf(text, sizeof text, sleeve, axis[i], 7.0, 1.0, "p", "0.4");
        rests(text, slid_low, slid_high);
        snprintf(text, sizeof text, sleeve, axis[i], 1.0, 7.0, "0.4", "p");
        rests(text, turned_low, turned_high);
    }
}

/* A mass on a rail whose path turns at p = 0 inside: friction keeps its own sign on both sides. */
static const char turning[] =
    "format: 1\n"
    "name: cross table\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, 0]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    beam: {mass: 1, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "    cart: {mass: 2, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "  joints:\n"
    "    x: {type: prismatic, of: [beam.P, ground.O], axis: [1, 0]}\n"
    "    y: {type: prismatic, of: [cart.P, beam.P], axis: [0, 1], friction: {coulomb: 10}}\n"
    "  drives: {X: {at: x, force: {limit: 200 N}}, Y: {at: y, force: {limit: 50 N}}}\n"
    "trajectories:\n"
    "  t: {p: [-1, 1], points: 3, joints: {x: p, y: %s}}\n";

/* Greatest d1 at p = 0 from 2 * bend * d1^2 + friction <= 50. */
static void a_turning_joint_is_seen_from_behind(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        char text[2000];
        snprintf(text, sizeof text, turning, sign > 0 ? "p^2" : "-p^2");
        run r = evaluate(text, GDYN_REDUCE_SVD);
        /* behind p the mass moves as it is accelerated: 50 - 10 are left of the drive */
        assert_near(r.e->region[1]->d1_max, sqrt((50.0 - 10) / (2 * 2)), 1e-9);
        drop(&r);
        /* at the end of the path it comes to rest: friction helps to brake */
        char *at = strstr(text, "p: [-1, 1]");
        memcpy(at, "p: [-1, 0]", 10);
        r = evaluate(text, GDYN_REDUCE_SVD);
        assert_near(r.e->region[2]->d1_max, sqrt((50.0 + 10) / (2 * 2)), 1e-9);
        drop(&r);
    }
}

/* A table that swings across its way: y = sin(3 p + 0.2) / 10, turning twice. The least time is from a
 * phase-plane integration of the closed-form equations |3 d2| <= 3000, |2 (y' d2 + y'' d1^2) + 10 sign y'|
 * <= 50 with 32000 segments of constant d2, friction of each from its middle (exact to 2e-5). */
static const double swing_time = 0.42201, swing_doubt = 2e-5;

static void friction_changes_its_sign_where_a_joint_turns(void **state) {
    (void)state;
    static const int points[] = {6, 7, 21, 101};
    for (int i = 0; i < 4; i++) {
        char text[2000], way[200], *at;
        snprintf(text, sizeof text, turning, "0.1*sin(3*p + 0.2)");
        at = strstr(text, "  t: {");
        snprintf(way, sizeof way,
                 "  t: {p: [0, 2], points: %d, joints: {x: p, y: 0.1*sin(3*p + 0.2)}}\n",
                 points[i]);
        strcpy(at, way);
        at = strstr(text, "limit: 200 N");
        memcpy(at, "limit: 3 kN ", 12);
        run r = evaluate(text, GDYN_REDUCE_NULL);
        gdyn_path_dynamics *dynamics = gdyn_path_dynamics_machine(r.instance->model, r.path);
        gdyn_traverse *t = gdyn_traverse_create();
        assert_non_null(dynamics);
        assert_non_null(t);
        assert_int_equal(gdyn_path_dynamics_follow(dynamics), GDYN_OK);
        assert_int_equal(gdyn_path_dynamics_breaks(dynamics), 2); /* 3 p + 0.2 = pi/2, 3 pi/2 */
        for (int k = 0; k < 2; k++)
            assert_near(gdyn_path_dynamics_break(dynamics, k), ((k + 0.5) * acos(-1.0) - 0.2) / 3,
                        1e-8);
        assert_int_equal(gdyn_traverse_run(t, dynamics, NULL), GDYN_OK);
        assert_int_equal(t->status, GDYN_TRAVERSE_OK);
        assert_true(t->converged);
        assert_true(t->lower <= swing_time + swing_doubt && t->upper >= swing_time - swing_doubt);
        assert_near(t->time, swing_time, 1e-3 * swing_time);
        assert_true(t->violation <= 1e-9);
        gdyn_traverse_destroy(t);
        gdyn_path_dynamics_destroy(dynamics);
        drop(&r);
    }
}

/* --- static friction ---------------------------------------------------------------------------- */

/* The gantry's head hangs: its weight of 2 g is shared by the drive's 8 N and the rail's friction. */
static const char hanging[] =
    "format: 1\n"
    "name: gantry\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, -9.81]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    bridge: {mass: 5, inertia: 0.1, points: {O: [0, 0]}, pose: [0.13, 0.06, 0]}\n"
    "    head: {mass: 2, inertia: 0.1, points: {P: [0, 0]}, pose: [0.07, 0.23, 0]}\n"
    "  joints:\n"
    "    xrail: {type: prismatic, of: [bridge.O, ground.O], axis: [1, 0]}\n"
    "    yrail: {type: prismatic, of: [head.P, bridge.O], axis: [0, 1], friction: {coulomb: 2, "
    "stiction: %s}}\n"
    "  drives:\n"
    "    mx: {at: xrail, force: {min: -100, max: 100}}\n"
    "    my: {at: yrail, force: {min: -8, max: 8}}\n"
    "trajectories:\n"
    "  t: {of: head.P, p: [0, 1], points: 11, path: {x: 0.1 + 0.5*p, y: 0.2}}\n";

static void friction_at_rest_carries_up_to_its_limit(void **state) {
    (void)state;
    char text[2000];
    snprintf(text, sizeof text, hanging, "15 N");
    rests(text, gantry_low, gantry_high);
    run r = evaluate(text, GDYN_REDUCE_SVD);
    assert_int_equal(r.e->criteria.value[GDYN_CRITERION_REDUNDANCY], 0);
    assert_int_equal(r.e->pose[0]->coefficients.r, 1);
    assert_near(r.e->criteria.value[GDYN_CRITERION_LOAD], (2 * 9.81 - 15) / 8, 1e-12);
    drop(&r);
    const char *const too_little[] = {"6 N", "true", "false"};
    const double carried[] = {6, 2, 0};
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, hanging, too_little[i]);
        r = evaluate(text, GDYN_REDUCE_SVD);
        assert_int_equal(r.e->criteria.value[GDYN_CRITERION_EMPTY], r.e->track->points);
        assert_near(r.e->criteria.value[GDYN_CRITERION_LOAD], (2 * 9.81 - carried[i]) / 8, 1e-12);
        const gdyn_certificate *proof = gdyn_region_certificate(r.e->region[0]);
        assert_int_equal(proof->count, i < 2 ? 2 : 1);
        for (int k = 0; k < proof->count; k++) {
            int effort = r.e->pose[0]->row_effort[proof->limit[k].row];
            const char *name = gdyn_model_effort_name(r.instance->model, effort);
            assert_string_equal(name, effort < 2 ? "my" : "friction of yrail");
            assert_near(proof->needs[k], 2 * 9.81 - (effort < 2 ? carried[i] : 8), 1e-9);
        }
        drop(&r);
    }
}

static double held_high(double p) {
    return pan_high(p) * (0.9 + 1) / 0.9;
}

static double held_low(double p) {
    return -held_high(p);
}

static double alone_high(double p) {
    return pan_high(p) / 0.9;
}

static double alone_low(double p) {
    return -alone_high(p);
}

/* The tilt is held by its drive and its friction together, then by its friction alone. */
static void friction_at_rest_helps_a_drive_or_stands_in_for_it(void **state) {
    (void)state;
    char text[2000], *at;
    strcpy(text, pan_tilt);
    at = strstr(text, "{coulomb: 1}");
    memmove(at + 26, at + 12, strlen(at + 12) + 1);
    memcpy(at, "{coulomb: 1, stiction: 1}}", 26);
    at[25] = ' ';
    rests(text, held_low, held_high);
    at = strstr(text, "    m2:");
    memcpy(at, "    # m", 7);
    rests(text, alone_low, alone_high);
}

/* A freedom that moves has no static friction: the sleeve's two freedoms have a name each. */
static void only_what_stands_still_sticks(void **state) {
    (void)state;
    char text[2000], *at;
    snprintf(text, sizeof text, sleeve, "[0.3, -0.4, 0.7]", 7.0, 1.0, "p", "0.4");
    at = strstr(text, "{coulomb: 3}");
    memmove(at + 25, at + 12, strlen(at + 12) + 1);
    memcpy(at, "{coulomb: 3, stiction: 4}", 25);
    rests(text, slid_low, slid_high);
    run r = evaluate(text, GDYN_REDUCE_SVD);
    const gdyn_coefficients *c = &r.e->pose[3]->coefficients;
    assert_int_equal(c->k, 4);
    assert_int_equal(c->r, 1); /* turn and friction of c.angle */
    bool first = strstr(gdyn_model_effort_name(r.instance->model, 2), "angle") != NULL;
    assert_string_equal(gdyn_model_effort_name(r.instance->model, first ? 2 : 3),
                        "friction of c.angle");
    assert_string_equal(gdyn_model_effort_name(r.instance->model, first ? 3 : 2),
                        "friction of c.slide");
    assert_near(c->V[first ? 3 : 2], 0, 0);
    assert_near(c->V[1] + c->V[first ? 2 : 3], 0, 1e-12);
    drop(&r);
}

/* A slider led by x = sin p turns at pi/2: n = x' d2 - sin(p) d1^2 + 2 sign(x') with |n| <= 10 leaves
 * d1^2 <= 12 just before the turn and d1^2 <= 8 just behind it, where x' = 0. Its neighbours allow more:
 * there d2 helps. No point of the path lies at the turn. */
static void the_turn_between_points_counts(void **unused) {
    (void)unused;
    static const char *const slider =
        "format: 1\nname: slider\nmachine:\n  space: planar\n  gravity: [0, 0]\n"
        "  ground: {points: {O: [0, 0]}}\n  bodies:\n"
        "    table: {mass: 1, inertia: 1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n  joints:\n"
        "    x: {type: prismatic, of: [table.P, ground.O], axis: [1, 0], friction: {coulomb: 2}}\n"
        "  drives:\n    m: {at: x, force: {min: -10, max: 10}}\ntrajectories:\n"
        "  t: {p: [%s], joints: {x: sin(p)}, points: %d}\n";
    for (int points = 4; points < 200; points = 3 * points + 2) {
        char text[1000];
        snprintf(text, sizeof text, slider, "0, 3", points);
        run r = evaluate(text, GDYN_REDUCE_NULL);
        assert_near(r.e->criteria.value[GDYN_CRITERION_D1_MAX], sqrt(8), 1e-9);
        assert_near(r.e->criteria.value[GDYN_CRITERION_SPEED], sqrt(8), 1e-9);
        drop(&r);
        snprintf(text, sizeof text, slider, "0, 1.5", points); /* ends before it */
        r = evaluate(text, GDYN_REDUCE_NULL);
        assert_true(r.e->criteria.value[GDYN_CRITERION_D1_MAX] > sqrt(12));
        drop(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rail_that_stands_still_does_not_rub),
        cmocka_unit_test(a_hinge_that_stands_still_does_not_rub),
        cmocka_unit_test(a_point_that_stands_still_does_no_work),
        cmocka_unit_test(each_freedom_of_a_cylindrical_joint_has_its_own_rest),
        cmocka_unit_test(a_turning_joint_is_seen_from_behind),
        cmocka_unit_test(friction_changes_its_sign_where_a_joint_turns),
        cmocka_unit_test(friction_at_rest_carries_up_to_its_limit),
        cmocka_unit_test(friction_at_rest_helps_a_drive_or_stands_in_for_it),
        cmocka_unit_test(only_what_stands_still_sticks),
        cmocka_unit_test(the_turn_between_points_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
