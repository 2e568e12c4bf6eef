/* Paths whose derivative vanishes, and corners: a cart on a cross table, whose times are known. With
 * |a| <= limit / mass = 100 m/s^2 on each axis a straight way of length l takes 2 sqrt(l / 100). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "casefile/casefile.h"
#include "near.h"
#include "traverse_machines.h"
#include "traverse/traverse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct answer {
    gdyn_traverse_status status;
    double time, lower, upper, violation, last_t;
    int points, rests; /* inner points of the motion at rest */
    bool ordered;      /* p and t grow, everything is finite */
} answer;

static answer traverse(const char *way, int points) {
    char text[2000];
    gdyn_sink silent = {0};
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_path *path;
    snprintf(text, sizeof text, cross_table, 0.0, way, points);
    assert_int_equal(gdyn_case_read_text(text, strlen(text), "way", &silent, &the_case), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(the_case, 0, NULL, &silent, &instance), GDYN_OK);
    assert_int_equal(gdyn_path_create(instance->model, instance->trajectory, &silent, &path),
                     GDYN_OK);
    gdyn_path_dynamics *dynamics = gdyn_path_dynamics_machine(instance->model, path);
    gdyn_traverse *t = gdyn_traverse_create();
    assert_non_null(dynamics);
    assert_non_null(t);
    assert_int_equal(gdyn_path_dynamics_follow(dynamics), GDYN_OK);
    assert_int_equal(gdyn_traverse_run(t, dynamics, NULL), GDYN_OK);
    answer a = {t->status, t->time, t->lower, t->upper, t->violation, NAN, t->points, 0, true};
    for (int i = 0; i < t->points; i++) {
        const gdyn_motion_point *m = &t->point[i];
        a.ordered &= isfinite(m->s1) && isfinite(m->s2) && isfinite(m->t) &&
                     (i == 0 || (m->p > m[-1].p && m->t > m[-1].t));
        a.rests += i > 0 && i + 1 < t->points && m->s1 == 0;
    }
    a.last_t = t->points > 0 ? t->point[t->points - 1].t : NAN;
    assert_int_equal(gdyn_path_dynamics_points(dynamics), points); /* the whole path again */
    assert_near(gdyn_path_dynamics_last(dynamics),
                gdyn_path_dynamics_present(dynamics, gdyn_path_p(path, points - 1)), 0);
    gdyn_traverse_destroy(t);
    gdyn_path_dynamics_destroy(dynamics);
    gdyn_path_destroy(path);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
    return a;
}

/* The time is within its own bounds, which agree to 1e-3, and within `share` of the known one. */
static void takes(const char *way, int points, double time, int rests, double share) {
    answer a = traverse(way, points);
    assert_int_equal(a.status, GDYN_TRAVERSE_OK);
    assert_true(a.ordered);
    assert_true(a.lower <= time * (1 + 1e-9) && a.upper >= time * (1 - 1e-9));
    assert_true(a.upper - a.lower <= 1e-3 * a.upper);
    assert_near(a.time, time, share * time);
    assert_near(a.last_t, a.time, 1e-12 * time);
    assert_true(a.violation <= 1e-9);
    assert_int_equal(a.rests, rests);
}

/* x = p^3 from -1 to 1 is a straight way of length 2, whatever the derivative does at 0. */
static void a_cusp_that_goes_on_is_passed(void **state) {
    (void)state;
    static const int points[] = {50, 51, 200, 1000};
    for (int i = 0; i < 4; i++) {
        takes("joints: {x: p^3, y: 0}, p: [-1, 1]", points[i], 2 * sqrt(0.02), 0, 1e-7);
        takes("joints: {x: p^3 + 0.2, y: 0}, p: [-0.5, 1]", points[i], 2 * sqrt(1.125 / 100), 0,
              1e-7);
    }
    takes("joints: {x: p^5, y: 0}, p: [-1, 1]", 101, 2 * sqrt(0.02), 0, 1e-7);
    takes("joints: {x: p^3, y: p^3}, p: [-1, 1]", 101, 2 * sqrt(0.02), 0, 1e-7);
}

static void a_path_may_begin_and_end_with_a_cusp(void **state) {
    (void)state;
    takes("joints: {x: p^3, y: 0}, p: [0, 1]", 50, 0.2, 0, 1e-7);
    takes("joints: {x: p^3, y: 0}, p: [-1, 0]", 50, 0.2, 0, 1e-7);
    takes("joints: {x: p^2*(3 - 2*p), y: 0}, p: [0, 1]", 50, 0.2, 0, 1e-7);
}

/* x = p^2 comes back at p = 0; so do both axes of the cuspidal cubic. */
static void a_cusp_that_turns_is_a_stop(void **state) {
    (void)state;
    static const int points[] = {50, 51, 400};
    for (int i = 0; i < 3; i++)
        takes("joints: {x: p^2, y: 0}, p: [-1, 1]", points[i], 0.4, 1, 1e-7);
    answer coarse = traverse("of: cart.P, p: [-1, 1], path: {x: p^2, y: p^3}", 51);
    answer fine = traverse("of: cart.P, p: [-1, 1], path: {x: p^2, y: p^3}", 400);
    assert_int_equal(coarse.status, GDYN_TRAVERSE_OK);
    assert_int_equal(coarse.rests, 1);
    assert_true(coarse.time >= 0.4 && coarse.lower <= fine.upper && fine.lower <= coarse.upper);
}

/* Corners of a polyline are stops; points in one line are none; a corner that comes back is one. */
static void corners_are_stops(void **state) {
    (void)state;
    takes("of: cart.P, kind: polyline, through: [[0, 0], [1, 0], [1, 1]]", 50, 0.4, 1, 1e-7);
    takes("of: cart.P, kind: polyline, through: [[0, 0], [0.5, 0], [1, 0], [1, 1], [0, 1]]", 77,
          0.6, 2, 1e-7);
    takes("of: cart.P, kind: polyline, through: [[0, 0], [1, 0], [0, 0]]", 50, 0.4, 1, 1e-7);
    takes("of: cart.P, kind: polyline, through: [[0, 0], [0.25, 0], [1, 0]]", 50, 0.2, 0, 1e-7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cusp_that_goes_on_is_passed),
        cmocka_unit_test(a_path_may_begin_and_end_with_a_cusp),
        cmocka_unit_test(a_cusp_that_turns_is_a_stop),
        cmocka_unit_test(corners_are_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
