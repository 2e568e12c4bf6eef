/* Null motions of redundant machines against closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "study/free_path.h"
#include "traverse/criteria.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Slides on top of each other in one direction: the tool's x is the sum of their coordinates. */
static const char slides[] =
    "format: 1\n"
    "name: slides\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, 0]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    one: {mass: 1 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [-0.5, 0, 0]}\n"
    "    two: {mass: 1 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [-0.6, 0, 0]}\n"
    "    three: {mass: 1 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [-0.6, 0, 0]}\n"
    "  joints:\n"
    "    a: {type: prismatic, of: [one.P, ground.O], axis: [1, 0], range: {min: -1 m, max: 1 m}}\n"
    "    b: {type: prismatic, of: [two.P, one.P], axis: [1, 0], range: {min: -0.2 m, max: 0.2 m}}\n"
    "    c: {type: prismatic, of: [three.P, two.P], axis: [1, 0], range: {min: -0.3 m, max: 0.3 "
    "m}}\n"
    "  drives:\n"
    "    m1: {at: a, force: {limit: 10 N}}\n"
    "    m2: {at: b, force: {limit: 10 N}}\n"
    "    m3: {at: c, force: {limit: 10 N}}\n"
    "trajectories:\n"
    "  line: {of: %s.P, p: [0, 1], path: {x: %s}%s, points: 13, null_motion: {best: "
    "%s}}\n";

typedef struct opened {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_null_motion found;
    char message[300];
    gdyn_status status;
    int seen;
} opened;

static void keep(void *context, const gdyn_diag *diag) {
    opened *o = context;
    if (!o->message[0])
        snprintf(o->message, sizeof o->message, "%s", diag->message);
}

static void look(void *context, const char *trajectory, int tried, double best) {
    opened *o = context;
    (void)best;
    assert_string_equal(trajectory, "line");
    assert_int_equal(tried, ++o->seen);
}

static void find_text(opened *o, const char *text) {
    *o = (opened){0};
    gdyn_sink sink = {keep, o};
    gdyn_free_watch watch = {.progress = look, .context = o};
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "t.yaml", &sink, &o->the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(o->the_case, 0, NULL, &sink, &o->instance), GDYN_OK);
    o->status =
        gdyn_null_motion_find(o->instance->model, &o->instance->trajectory[0],
                              &o->instance->trajectory_freedom[0], &watch, &sink, &o->found);
}

static void find_along(opened *o, const char *x, const char *wish) {
    char text[4000];
    snprintf(text, sizeof text, slides, "three", x, "", wish);
    find_text(o, text);
}

static void find(opened *o, const char *tool, const char *more, const char *wish) {
    char text[4000];
    snprintf(text, sizeof text, slides, tool, "-0.6 + 1.2*p", more, wish);
    find_text(o, text);
}

static void find_in(opened *o, const char *machine, const char *more) {
    char text[4000];
    snprintf(text, sizeof text, machine, more);
    find_text(o, text);
}

static void close_all(opened *o) {
    gdyn_free_path_clear(&o->found.path);
    gdyn_instance_destroy(o->instance);
    gdyn_case_destroy(o->the_case);
}

/* All slides at the same share s of their ranges: 0.6 = s (1 + 0.2 + 0.3), the margin is 1 - s. The third slide is held
 * by a joint path in the first test, so that one coordinate is free, then two are. */
static void margins_are_shared(void **state) {
    (void)state;
    opened o;
    find(&o, "three", ", joints: {c: 0}", "margin");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(o.found.better);
    assert_int_equal(o.found.rows.count, 1);
    assert_true(o.found.norm < 0);
    assert_true(o.found.best <= 0.5 + 1e-9);
    assert_near(o.found.best, 0.5, 2e-3);
    close_all(&o);
    find(&o, "three", "", "margin, evaluations: 1200");
    assert_int_equal(o.status, GDYN_OK);
    assert_int_equal(o.found.rows.count, 2);
    assert_true(o.found.best <= 0.6 + 1e-9);
    assert_near(o.found.best, 0.6, 1e-3);
    close_all(&o);
}

/* A platform on six legs with a spindle, whose own turn by the angle g against the platform is of no matter to the tool: the
 * platform may turn the other way. */
static const char hexapod[] =
    "format: 1\n"
    "name: hexapod\n"
    "parameters: {R: 1.2, r: 0.5}\n"
    "machine:\n"
    "  space: spatial\n"
    "  gravity: [0, 0, -9.81]\n"
    "  ground:\n"
    "    points:\n"
    "      A$i: {repeat: {i: 1..6}, at: [\"R*cos(60*$i deg)\", \"R*sin(60*$i deg)\", 0]}\n"
    "  bodies:\n"
    "    platform:\n"
    "      mass: 10 kg\n"
    "      inertia: [0.2, 0.2, 0.4]\n"
    "      points:\n"
    "        C: [0, 0, 0]\n"
    "        B$i: {repeat: {i: 1..6}, at: [\"r*cos(60*$i deg + (-1)^$i*25 deg)\", \"r*sin(60*$i "
    "deg + "
    "(-1)^$i*25 deg)\", 0]}\n"
    "      pose: [0, 0, 1]\n"
    "    spindle: {mass: 1 kg, inertia: [0.01, 0.01, 0.01], points: {C: [0, 0, 0]}, pose: [0, 0, "
    "1]}\n"
    "  joints:\n"
    "    turn: {type: revolute, of: [spindle.C, platform.C], axis: [0, 0, 1]}\n"
    "  drives:\n"
    "    leg$i: {repeat: {i: 1..6}, between: [ground.A$i, platform.B$i], force: {limit: 500 N}, "
    "range: {min: 1 m, max: 1.6 m}}\n"
    "    motor: {at: turn, torque: {limit: 10 N m}}\n"
    "trajectories:\n"
    "  line: {of: spindle.C, p: [0, 1], path: {x: 0.25*p - 0.1, y: 0.2*p, z: 1.05 + 0.1*p, cardan: "
    "[0, 10 deg, 0]}, points: 13, null_motion: {best: margin%s}}\n";

/* Least share of the legs' ranges, the platform inclined by 10 deg about y and turned by g about its own axis. */
static double hexapod_margin(double p, double g) {
    const double deg = 3.14159265358979323846 / 180;
    double least = INFINITY;
    for (int i = 1; i <= 6; i++) {
        double a = 60 * i * deg, b = a + (i % 2 ? -25 : 25) * deg + g;
        double u = 0.5 * cos(b), v = 0.5 * sin(b);
        double x = 0.25 * p - 0.1 + cos(10 * deg) * u - 1.2 * cos(a);
        double y = 0.2 * p + v - 1.2 * sin(a), z = 1.05 + 0.1 * p - sin(10 * deg) * u;
        double length = sqrt(x * x + y * y + z * z);
        least = fmin(least, fmin(length - 1, 1.6 - length) / 0.3);
    }
    return least;
}

/* No path is better than the best turn at its worst point; that one is found by trying all turns. */
static void a_free_tool_rotation_is_used(void **state) {
    (void)state;
    opened o;
    double bound = INFINITY, still = INFINITY;
    for (int i = 0; i <= 12; i++) {
        double best = -INFINITY, p = i / 12.0;
        for (double g = -1.5; g <= 1.5; g += 1e-4)
            best = fmax(best, hexapod_margin(p, g));
        bound = fmin(bound, best);
        still = fmin(still, hexapod_margin(p, 0));
    }
    find_in(&o, hexapod, "");
    assert_int_equal(o.status, GDYN_OK);
    assert_string_equal(o.message, "");
    assert_int_equal(o.found.rows.count, 1);
    assert_true(o.found.better);
    assert_near(o.found.norm, still, 0.05);
    assert_true(bound > still + 0.05);
    /* the steps of g above, by the slope of the share */
    assert_near(o.found.best, bound, 2e-4);
    close_all(&o);
}

/* The path that was found, evaluated anew, has the criterion. */
static void has_the_time(const opened *o) {
    gdyn_path *path = NULL;
    assert_int_equal(gdyn_path_create(o->instance->model, &o->found.path.def, NULL, &path),
                     GDYN_OK);
    gdyn_evaluation *e = gdyn_evaluation_create(o->instance->model, path);
    assert_int_equal(gdyn_evaluation_run(e, path, NULL), GDYN_OK);
    gdyn_fastest motion;
    gdyn_criteria criteria = e->criteria;
    assert_int_equal(gdyn_traverse_criteria(e, path, &motion, &criteria), GDYN_OK);
    assert_near(criteria.value[GDYN_CRITERION_TIME], o->found.best, 1e-12);
    gdyn_evaluation_destroy(e);
    gdyn_path_destroy(path);
}

/* Where the path is straight at a point nothing limits d1 there: paths differ in the number of points of which the maximum d1 is
 * the least. */
static void unbounded_points_come_and_go(void **state) {
    (void)state;
    opened o;
    find_along(&o, "0.3*p^2 - 0.5", "d1_max");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(o.found.better && isfinite(o.found.best));
    gdyn_path *path = NULL;
    assert_int_equal(gdyn_path_create(o.instance->model, &o.found.path.def, NULL, &path), GDYN_OK);
    gdyn_evaluation *e = gdyn_evaluation_create(o.instance->model, path);
    assert_int_equal(gdyn_evaluation_run(e, path, NULL), GDYN_OK);
    assert_near(e->criteria.value[GDYN_CRITERION_D1_MAX] / o.found.best, 1, 1e-12);
    gdyn_evaluation_destroy(e);
    gdyn_path_destroy(path);
    close_all(&o);
}

/* The bits repeat. */
static void results_repeat(void **state) {
    (void)state;
    opened o, again;
    find(&o, "three", ", joints: {c: 0}", "time, joints: [b]");
    find(&again, "three", ", joints: {c: 0}", "time, joints: [b]");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(o.found.best == again.found.best && o.found.tried == again.found.tried);
    assert_true(o.found.tried <= 400);
    /* the weighted norm leaves its ranges: it has no time */
    assert_true(isnan(o.found.norm) && o.found.better);
    has_the_time(&o);
    close_all(&o);
    close_all(&again);
    /* splines of 5 knots are none of 8: what is kept is what was evaluated */
    find(&o, "three", ", joints: {c: 0}", "time, joints: [b], knots: 8, evaluations: 150");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(o.found.better);
    has_the_time(&o);
    close_all(&o);
}

/* What an interruption leaves is the best path so far. */
static volatile sig_atomic_t stop;
static void stop_soon(void *context, const char *trajectory, int tried, double best) {
    (void)context, (void)trajectory, (void)best;
    stop = tried >= 9;
}

static void interruption_keeps_the_best(void **state) {
    (void)state;
    opened o;
    find(&o, "three", ", joints: {c: 0}", "margin");
    gdyn_null_motion part;
    gdyn_free_watch watch = {.interrupt = &stop, .progress = stop_soon};
    stop = 0;
    assert_int_equal(gdyn_null_motion_find(o.instance->model, &o.instance->trajectory[0],
                                           &o.instance->trajectory_freedom[0], &watch, NULL, &part),
                     GDYN_OK);
    assert_true(part.tried >= 9 && part.tried < o.found.tried);
    assert_true(part.best <= o.found.best && part.best >= part.norm);
    gdyn_free_path_clear(&part.path);
    close_all(&o);
}

static void errors_are_told(void **state) {
    (void)state;
    opened o;
    find(&o, "three", ", joints: {b: 0, c: 0}", "margin");
    assert_int_equal(o.status, GDYN_ERROR_INPUT);
    assert_non_null(strstr(o.message, "leaves no coordinate free"));
    close_all(&o);
    find(&o, "three", "", "margin, joints: [b]");
    assert_int_equal(o.status, GDYN_ERROR_INPUT);
    assert_non_null(strstr(o.message, "leaves 2 coordinates free, joints names 1"));
    close_all(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(margins_are_shared), cmocka_unit_test(a_free_tool_rotation_is_used),
        cmocka_unit_test(results_repeat),     cmocka_unit_test(interruption_keeps_the_best),
        cmocka_unit_test(errors_are_told),    cmocka_unit_test(unbounded_points_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
