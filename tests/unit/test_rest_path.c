/* Paths in static equilibrium of freedoms without a drive against closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "study/rest_path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A bar on two cables; points at which these hold it. */
static const char bar[] =
    "format: 1\n"
    "name: bar\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, -9.81]\n"
    "  ground: {points: {L: [-2, 0], R: [2, 0]}}\n"
    "  bodies:\n"
    "    bar: {mass: 12 kg, inertia: 0.3, points: {C: [0, 0], L: %s, R: %s}, pose: %s}\n"
    "  drives:\n"
    "    left: {cable: [ground.L, bar.L], tension: {min: 0 N, max: 200 N}}\n"
    "    right: {cable: [ground.R, bar.R], tension: {min: 0 N, max: 200 N}}\n"
    "trajectories:\n"
    "  way: {of: bar.C, p: [0, 1], path: %s, points: 11, undriven: equilibrium}\n";

/* Two slides on each other, the outer one without a drive, on a slope or level. */
static const char slides[] =
    "format: 1\n"
    "name: slides\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [%s, -9.81]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    one: {mass: 1 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "    two: {mass: 1 kg, inertia: 0.1, points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "  joints:\n"
    "    a: {type: prismatic, of: [one.P, ground.O], axis: [1, 0]}\n"
    "    b: {type: prismatic, of: [two.P, one.P], axis: [1, 0]}\n"
    "  drives:\n"
    "    m: {at: a, force: {limit: 10 N}}\n"
    "%s"
    "trajectories:\n"
    "  way: {of: one.P, p: [0, 1], path: {x: p}, points: 11, undriven: equilibrium}\n";

typedef struct opened {
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_rest_path found;
    char message[400];
    gdyn_status status;
} opened;

static void keep(void *context, const gdyn_diag *diag) {
    opened *o = context;
    if (!o->message[0])
        snprintf(o->message, sizeof o->message, "%s", diag->message);
}

static void find(opened *o, const char *text) {
    *o = (opened){0};
    gdyn_sink sink = {keep, o};
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "t.yaml", &sink, &o->the_case),
                     GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(o->the_case, 0, NULL, &sink, &o->instance), GDYN_OK);
    o->status =
        gdyn_rest_path_find(o->instance->model, &o->instance->trajectory[0], &sink, &o->found);
}

static void find_bar(opened *o, const char *left, const char *right, const char *pose,
                     const char *path) {
    char text[4000];
    snprintf(text, sizeof text, bar, left, right, pose, path);
    find(o, text);
}

static void find_slides(opened *o, const char *slope, const char *drive) {
    char text[4000];
    snprintf(text, sizeof text, slides, slope, drive);
    find(o, text);
}

static void close_all(opened *o) {
    gdyn_free_path_clear(&o->found.path);
    gdyn_instance_destroy(o->instance);
    gdyn_case_destroy(o->the_case);
}

/* Held at its middle line, +-0.5 from C, with C at (0.5, -h) the bar is inclined by s where both cables meet above C:
 * h = (tan s (1.5 - cos s / 2) (2.5 - cos s / 2) + sin s / 2 (2 - cos s / 2)) / 0.5. */
#define S "(0.25+0.12*sin(3*p))"
static void angles_are_those_of_concurrent_cables(void **state) {
    (void)state;
    opened o;
    find_bar(&o, "[-0.5, 0]", "[0.5, 0]", "[0.5, -1.4, 0.2]",
             "{x: 0.5, y: -(tan" S "*(1.5-0.5*cos" S ")*(2.5-0.5*cos" S ")+0.5*sin" S
             "*(2-0.5*cos" S "))/0.5}");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(o.found.found && o.found.rows.count == 1 && o.found.least > 0);
    assert_string_equal(o.message, "");
    assert_true(o.found.error < 1e-9);
    /* at the knots and between them */
    const gdyn_expr *angle = o.found.path.formula[0];
    for (int i = 0; i <= 1000; i++) {
        double p = i / 1000.0;
        assert_near(gdyn_expr_value(angle, &p), 0.25 + 0.12 * sin(3 * p), 2e-10);
    }
    /* second derivatives at the ends, by differences of values known to 1e-11 */
    for (int end = 0; end < 2; end++) {
        double h = 1e-3, p[3] = {end, end + (end ? -h : h), end + 2 * (end ? -h : h)}, c[3];
        for (int k = 0; k < 3; k++)
            c[k] = gdyn_expr_value(angle, &p[k]);
        double exact = (sin(3 * p[0]) - 2 * sin(3 * p[1]) + sin(3 * p[2])) * 0.12 / (h * h);
        assert_near((c[0] - 2 * c[1] + c[2]) / (h * h), exact, 1e-4);
    }
    close_all(&o);
}

/* Held at one point below its centre of gravity the bar stands or hangs; it is to hang, although it starts near the other.
 * Stiffness: m g d on a turn about that point, normalized with L and m g. */
static void hanging_is_preferred(void **state) {
    (void)state;
    opened o;
    find_bar(&o, "[0, -0.3]", "[0, -0.3]", "[0.1, -1.5, 0.1]", "{x: 0.1+0.2*p, y: -1.5}");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(o.found.found);
    double p = 0.317, L = gdyn_model_length(o.instance->model), d = 0.3;
    assert_near(fabs(gdyn_expr_value(o.found.path.formula[0], &p)), 3.14159265358979, 1e-10);
    assert_near(o.found.least, d * L / (d * d + L * L), 1e-8);
    assert_string_equal(o.message, "");
    close_all(&o);
}

static void faults_are_told(void **state) {
    (void)state;
    opened o;
    find_bar(&o, "[-0.5, 0]", "[0.5, 0]", "[0.5, -1.4, 0.2]",
             "{x: 0.5 + 0.1*p, y: -1.5, angle: 0}");
    assert_int_equal(o.status, GDYN_ERROR_INPUT);
    assert_non_null(strstr(o.message, "1 freedom has no drive, but the path leaves 0 coordinates"));
    close_all(&o);
    /* gravity along the slide: nothing holds it */
    find_slides(&o, "1", "");
    assert_int_equal(o.status, GDYN_ERROR_INPUT);
    assert_non_null(strstr(o.message, "no pose at p = 0 was found"));
    close_all(&o);
    find_slides(&o, "1", "    n: {at: b, force: {limit: 10 N}}\n");
    assert_int_equal(o.status, GDYN_ERROR_INPUT);
    assert_non_null(strstr(o.message, "every freedom has a drive"));
    close_all(&o);
    /* level: at rest anywhere */
    find_slides(&o, "0", "");
    assert_int_equal(o.status, GDYN_OK);
    assert_true(o.found.found && fabs(o.found.least) < 1e-9);
    close_all(&o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_are_those_of_concurrent_cables),
        cmocka_unit_test(hanging_is_preferred),
        cmocka_unit_test(faults_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
