/* test_traverse_inertia.c - zero-inertia points against a closed form: the row
 *
 *   -L <= x + g s + a s u <= 1,   s = p - p0,
 *
 * does not feel d2 at s = 0. With a > 0 no motion is faster than x* = 1 + c s, c = -g / (1 + a/2), the
 * only solution of the row's equality through (p0, 1), on either side; x* itself keeps the row, so that
 * with free speeds at both ends it is the fastest motion, T = 2/c (sqrt(1 + c s1) - sqrt(1 + c s0)). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "traverse_machines.h"

#include <math.h>

enum { POINTS = 12, ROWS = 2 };

/* Rows of the table: the first one as above; the second one the same when twice, else without any
 * effect. */
static gdyn_traverse *cross_at(double p0, double a, double g, bool twice, bool squeezed,
                               const gdyn_traverse_settings *s) {
    static double p[POINTS], n[POINTS][7][ROWS];
    gdyn_coefficients q[POINTS];
    for (int i = 0; i < POINTS; i++) {
        p[i] = (double)i / (POINTS - 1);
        double from = p[i] - p0;
        for (int row = 0; row < ROWS; row++) {
            double f = row == 0 ? 1 : twice ? 3 : 0;
            double value[6] = {f, 0, f * g * from, f * a * from, -40, row == 0 || !twice ? 1 : 3};
            for (int j = 0; j < 6; j++)
                n[i][j][row] = value[j];
        }
        q[i] = (gdyn_coefficients){.k = ROWS,
                                   .A = n[i][0],
                                   .B = n[i][1],
                                   .C = n[i][2],
                                   .D = n[i][3],
                                   .min = n[i][4],
                                   .max = n[i][5],
                                   .d1_high = INFINITY,
                                   .d1_high_window = -1};
        if (squeezed) { /* a second row bounds d2 itself */
            n[i][0][1] = n[i][2][1] = 0, n[i][3][1] = 1;
            n[i][4][1] = -1, n[i][5][1] = 1;
        }
    }
    gdyn_path_dynamics *dynamics = gdyn_path_dynamics_table(POINTS, p, q);
    assert_non_null(dynamics);
    gdyn_traverse *t = fastest_motion(dynamics, s);
    gdyn_path_dynamics_destroy(dynamics);
    return t;
}

static gdyn_traverse *cross(double p0, double a, double g, bool twice, bool squeezed) {
    gdyn_traverse_settings s = gdyn_traverse_default();
    s.start_speed = s.end_speed = NAN;
    return cross_at(p0, a, g, twice, squeezed, &s);
}

static double exact(double p0, double a, double g) {
    double c = -g / (1 + a / 2);
    return 2 / c * (sqrt(1 + c * (1 - p0)) - sqrt(1 - c * p0));
}

/* p0 between points, at a point, at both ends of the path; one row or two that vanish together; d2
 * bounded otherwise or not. The motion is a line in (p, x), which the grid holds exactly: what remains
 * of the gap is that of the refinement, 1e-3 by default; the upper bound is exact. */
static void along_the_slope(void **state) {
    (void)state;
    static const double place[] = {0.4321, 5.0 / 11, 0, 1}, a[] = {0.05, 0.3, 1, 4, 20},
                        g[] = {-0.8, 0.5};
    for (int i = 0; i < 4 * 5 * 2 * 4; i++) {
        double p0 = place[i % 4], slope = a[i / 4 % 5], load = g[i / 20 % 2];
        gdyn_traverse *t = cross(p0, slope, load, i / 40 % 2 == 1, i / 80 == 1);
        double T = exact(p0, slope, load);
        assert_int_equal(t->status, GDYN_TRAVERSE_OK);
        assert_true(t->converged);
        assert_true(t->violation <= 1e-9);
        if (!(t->lower <= T * (1 + 1e-9) && t->upper >= T * (1 - 1e-9)) || t->upper > T * 1.001) {
            print_error("p0 %g a %g g %g: %.12g is not in [%.12g, %.12g]\n", p0, slope, load, T,
                        t->lower, t->upper);
            fail();
        }
        gdyn_traverse_destroy(t);
    }
}

/* From rest at p0 = 0, or to rest at p0 = 1: x* - (e / |s|)^kappa, kappa = 2/a, with e as small as wished.
 * No motion is as fast as x*, and where kappa is small none that can be told comes near. */
static void no_motion_is_the_fastest(void **state) {
    (void)state;
    static const double a[] = {10, 20, 100}, g[] = {-0.8, 0.5};
    for (int i = 0; i < 3 * 2 * 2; i++) {
        double p0 = i / 6, slope = a[i % 3], load = g[i / 3 % 2], T = exact(p0, slope, load);
        gdyn_traverse_settings s = gdyn_traverse_default();
        s.start_speed = p0 == 0 ? 0 : NAN;
        s.end_speed = p0 == 0 ? NAN : 0;
        gdyn_traverse *t = cross_at(p0, slope, load, false, false, &s);
        assert_int_equal(t->status, GDYN_TRAVERSE_OK);
        assert_true(t->violation <= 1e-9 && t->upper > T && t->lower <= T * (1 + 1e-9));
        assert_int_equal(t->leaps, 1);
        assert_near(t->leap[0].p, p0, 0);
        assert_near(t->leap[0].p_end, p0, 0);
        assert_near(p0 == 0 ? t->leap[0].d1_from : t->leap[0].d1_to, 0, 0);
        assert_near(p0 == 0 ? t->leap[0].d1_to : t->leap[0].d1_from, 1, 1e-5);
        assert_true(t->infimum[0] <= T * (1 + 1e-9) && t->infimum[1] >= T * (1 - 1e-5));
        assert_true(t->infimum[1] <= 1.001 * t->infimum[0]);
        gdyn_traverse_destroy(t);
    }
}

/* -1 <= A x + D u <= 1 with A from -1 to 1, D from 0 over 1/2 back to 0: x = c phi(p) keeps the middle of
 * the range for every c, where phi' / phi = -2 A / D, phi = 0 at both ends. Any time can be had. */
static void any_time_can_be_had(void **state) {
    (void)state;
    static double p[3] = {0, 0.5, 1}, n[3][5][1] = {{{-1}, {0}, {0}, {-1}, {1}},
                                                    {{0}, {0}, {0.5}, {-1}, {1}},
                                                    {{1}, {0}, {0}, {-1}, {1}}};
    static const double none[1] = {0};
    gdyn_coefficients q[3];
    for (int i = 0; i < 3; i++) {
        q[i] = (gdyn_coefficients){.k = 1,
                                   .A = n[i][0],
                                   .B = none,
                                   .C = n[i][1],
                                   .D = n[i][2],
                                   .min = n[i][3],
                                   .max = n[i][4],
                                   .d1_high = INFINITY,
                                   .d1_high_window = -1};
    }
    gdyn_path_dynamics *dynamics = gdyn_path_dynamics_table(3, p, q);
    assert_non_null(dynamics);
    gdyn_traverse_settings s = gdyn_traverse_default();
    gdyn_traverse *t = fastest_motion(dynamics, &s);
    assert_int_equal(t->status, GDYN_TRAVERSE_OK);
    assert_int_equal(t->leaps, 1);
    assert_near(t->leap[0].p, 0, 0);
    assert_near(t->leap[0].p_end, 1, 0);
    assert_true(t->infimum[0] == 0 && t->infimum[1] == 0 && !t->converged && t->upper > 0);
    gdyn_traverse_destroy(t);
    gdyn_path_dynamics_destroy(dynamics);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(along_the_slope),
                                       cmocka_unit_test(no_motion_is_the_fastest),
                                       cmocka_unit_test(any_time_can_be_had)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
