/* test_traverse_criteria.c - time, forces and work of fastest motions against closed forms: a cart on a
 * cross table, 1 kg on the second axis and 2 kg on the first, |a| <= 100 m/s^2 on both. From rest to rest a
 * straight way of length l takes 2 sqrt(l / 100); the drive pushes with its limit F half the way and brakes
 * with it the other half: peak and root mean square F, work F l / 2. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "casefile/casefile.h"
#include "near.h"
#include "traverse_machines.h"
#include "traverse/criteria.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct driven {
    gdyn_traverse_status status;
    double blocked, time, peak_force, rms_force, energy;
    double error[4]; /* of the four */
} driven;

static driven criteria(const char *way, int points, double gravity) {
    char text[2000];
    gdyn_sink silent = {0};
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_path *path;
    gdyn_fastest fastest;
    gdyn_criteria c = gdyn_criteria_none();
    snprintf(text, sizeof text, cross_table, gravity, way, points);
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "way", &silent, &the_case), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(the_case, 0, NULL, &silent, &instance), GDYN_OK);
    assert_int_equal(gdyn_path_create(instance->model, instance->trajectory, &silent, &path),
                     GDYN_OK);
    gdyn_evaluation *e = gdyn_evaluation_create(instance->model, path);
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    settings.regions = true;
    assert_non_null(e);
    assert_int_equal(gdyn_evaluation_run(e, path, &settings), GDYN_OK);
    assert_int_equal(gdyn_traverse_criteria(e, path, &fastest, &c), GDYN_OK);
    gdyn_criteria error = gdyn_criteria_none();
    assert_int_equal(gdyn_traverse_errors(e, path, &fastest, &c, &error), GDYN_OK);
    gdyn_evaluation_destroy(e);
    gdyn_path_destroy(path);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
    assert_int_equal(c.passes, GDYN_PASS_MOTION);
    return (driven){fastest.status,
                    fastest.blocked,
                    c.value[GDYN_CRITERION_TIME],
                    c.value[GDYN_CRITERION_PEAK_FORCE],
                    c.value[GDYN_CRITERION_RMS_FORCE],
                    c.value[GDYN_CRITERION_ENERGY],
                    {error.value[GDYN_CRITERION_TIME], error.value[GDYN_CRITERION_PEAK_FORCE],
                     error.value[GDYN_CRITERION_RMS_FORCE], error.value[GDYN_CRITERION_ENERGY]}};
}

/* The switch lies on a point of the path: constant d2 on both sides makes the sums exact. */
static void one_way(void **state) {
    (void)state;
    driven c = criteria("of: cart.P, p: [0, 1], path: {x: 0.25*p, y: 0}", 101, 0);
    assert_int_equal(c.status, GDYN_TRAVERSE_OK);
    assert_near(c.blocked, 0, 0);
    assert_near(c.time, 0.1, 1e-9);
    assert_near(c.peak_force, 200, 1e-6);
    assert_near(c.rms_force, 200, 1e-6);
    /* the rule takes n v as linear in t, which it is: work 200 N x 0.125 m */
    assert_near(c.energy, 25, 1e-6);
}

/* Against gravity g up a way of h: up with F - m g, braking with F + m g: v^2/2 (1/a + 1/b) = h, T = v (1/a +
 * 1/b), work F times the way driven. */
static void uphill(void **state) {
    (void)state;
    double h = 0.3, a = 100 - 40, b = 100 + 40;
    double v = sqrt(2 * h / (1 / a + 1 / b)), way = v * v / (2 * a);
    driven c = criteria("of: cart.P, p: [0, 1], path: {x: 0, y: 0.3*p}", 1001, -40);
    assert_int_equal(c.status, GDYN_TRAVERSE_OK);
    assert_near(c.time, v * (1 / a + 1 / b), 1e-5); /* the switch within a step */
    assert_near(c.peak_force, 100, 1e-6);
    assert_near(c.rms_force, 100, 0.2);
    assert_near(c.energy, 100 * way, 0.1); /* 1/1001 of the way */
    c = criteria("of: cart.P, p: [0, 1], path: {x: 0, y: 0.3*p}", 101, -140);
    assert_int_equal(c.status, GDYN_TRAVERSE_START); /* only with a run-up */
    assert_true(isnan(c.time) && isnan(c.energy));
}

/* A corner: two ways from rest to rest, one axis after the other. Before, the corner was cut. */
static void corner(void **state) {
    (void)state;
    driven c =
        criteria("of: cart.P, kind: polyline, through: [[0, 0], [0.25, 0], [0.25, 0.25]]", 101, 0);
    assert_int_equal(c.status, GDYN_TRAVERSE_OK);
    assert_near(c.time, 0.2, 1e-6);
    assert_near(c.peak_force, 200, 1e-6);
    assert_near(c.rms_force, 200 / sqrt(2), 1e-3); /* X: half the time */
    assert_near(c.energy, 25 + 12.5, 1e-3);
}

/* A cusp passed in its direction: x = p^3 / 4 is a way of 1/2 as any other. */
static void cusp(void **state) {
    (void)state;
    driven c = criteria("of: cart.P, p: [-1, 1], path: {x: 0.25*p^3, y: 0}", 201, 0);
    assert_int_equal(c.status, GDYN_TRAVERSE_OK);
    assert_near(c.time, 2 * sqrt(0.005), 1e-4);
    assert_near(c.peak_force, 200, 1e-4);
    assert_near(c.rms_force, 200, 0.5);
    assert_near(c.energy, 50, 0.5);
}

/* A cusp at which the cart turns back: there and back again along one line. */
static void turning_cusp(void **state) {
    (void)state;
    driven c = criteria("of: cart.P, p: [-1, 1], path: {x: 0.25*p^2, y: 0}", 201, 0);
    assert_int_equal(c.status, GDYN_TRAVERSE_OK);
    assert_near(c.time, 0.2, 1e-4);
    assert_near(c.peak_force, 200, 1e-4);
    assert_near(c.rms_force, 200, 0.5);
    assert_near(c.energy, 50, 0.5);
}

/* Points that are inserted: the stated errors hold against 4,001 points, on arcs whose switches lie between points, and are no more than a
 * few percent; nothing is stated for stated points. */
static void stated_errors(void **state) {
    (void)state;
    for (int i = 1; i <= 6; i++) {
        char way[200];
        snprintf(way, sizeof way,
                 "of: cart.P, p: [0, %g]%s, path: {x: 0.25*sin(p), y: 0.3*(1-cos(p))}", 0.37 * i,
                 ", tolerance: 1e-3");
        driven found = criteria(way, 49, 0);
        snprintf(way, sizeof way,
                 "of: cart.P, p: [0, %g], path: {x: 0.25*sin(p), y: 0.3*(1-cos(p))}", 0.37 * i);
        driven fine = criteria(way, 4001, 0);
        assert_true(fabs(found.time - fine.time) <= found.error[0]);
        assert_true(fabs(found.peak_force - fine.peak_force) <= found.error[1]);
        assert_true(fabs(found.rms_force - fine.rms_force) <= found.error[2]);
        assert_true(fabs(found.energy - fine.energy) <= found.error[3]);
        assert_true(found.error[0] <= 0.05 * found.time && found.error[0] > 0);
        assert_true(isnan(fine.error[0]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_way),       cmocka_unit_test(uphill), cmocka_unit_test(corner),
        cmocka_unit_test(stated_errors), cmocka_unit_test(cusp),   cmocka_unit_test(turning_cusp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
