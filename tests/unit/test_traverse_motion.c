/* test_traverse_motion.c - given motions and the sharing of load against closed forms. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "traverse/motion.h"

#include <math.h>

/* Two drives pull one mass: n1 - n2 = 2 d2 + b d1, 0 <= n1 <= 10, 0 <= n2 <= 6: V = (1, 1). */
static double A[2], B[2] = {0, 0}, C[2], D[2] = {2, 0}, V[2] = {1, 1};
static double least[2] = {0, 0}, most[2] = {10, 6};

static gdyn_path_dynamics *two_cables(double b) {
    static const double p[2] = {0, 1};
    B[0] = b;
    gdyn_coefficients q = {.k = 2,
                           .r = 1,
                           .A = A,
                           .B = B,
                           .C = C,
                           .D = D,
                           .V = V,
                           .min = least,
                           .max = most,
                           .d1_high = INFINITY,
                           .d1_high_window = -1};
    gdyn_coefficients both[2] = {q, q};
    return gdyn_path_dynamics_table(2, p, both);
}

static gdyn_shares share(gdyn_sharer *s, double d2, gdyn_sharing how, double preload) {
    gdyn_shares shares;
    assert_int_equal(gdyn_sharer_at(s, 0.5, 1, d2, how, preload, true, &shares), GDYN_OK);
    return shares;
}

static void load_is_shared(void **state) {
    (void)state;
    gdyn_path_dynamics *dynamics = two_cables(0);
    gdyn_sharer *s = gdyn_sharer_create(dynamics);
    gdyn_shares got = share(s, 1, GDYN_SHARE_PRELOAD, 3); /* n1 - n2 = 2, both >= 3 */
    assert_true(got.possible);
    assert_near(got.n[0], 5, 1e-6);
    assert_near(got.n[1], 3, 1e-6);
    assert_near(got.low[0], 2, 1e-6);  /* n2 = 0 */
    assert_near(got.high[0], 8, 1e-6); /* n2 = 6 */
    assert_near(got.low[1], 0, 1e-6);
    assert_near(got.high[1], 6, 1e-6);
    got = share(s, 1, GDYN_SHARE_PRELOAD, 100); /* min + share * 100 <= n: n2 = 6 is the most */
    assert_near(got.n[1], 6, 1e-5);
    got = share(s, 1, GDYN_SHARE_NORM, 0);
    assert_near(got.n[0] - got.n[1], 2, 1e-9);
    got = share(s, 1, GDYN_SHARE_PEAK, 0); /* |n1 - 5|/5 = |n2 - 3|/3: n1 = 5 + 5s, n2 = 3 + 3s */
    assert_near(got.n[0], 5, 1e-6);
    assert_near(got.n[1], 3, 1e-6);
    assert_near(got.violation, -1, 1e-9);
    got =
        share(s, 7, GDYN_SHARE_NORM, 0); /* n1 - n2 = 14 > 10: least violation (14 - 10)/(5 + 3) */
    assert_false(got.possible);
    assert_near(got.violation, 0.5, 1e-9);
    gdyn_sharer_destroy(s);
    gdyn_path_dynamics_destroy(dynamics);
}

/* 2 d2 + b d1 within [-6, 10]; slowed down by s: 2 d2 s^2 + b d1 s = 10. */
static void slow_down_and_margin(void **state) {
    (void)state;
    gdyn_path_dynamics *dynamics = two_cables(3);
    gdyn_sample sample[2] = {{0, 0.2, 2, 1}, {1, 0.7, 4, 8}};
    gdyn_feasibility r;
    assert_int_equal(gdyn_motion_check(dynamics, 2, sample, 1e-9, NULL, &r), GDYN_OK);
    assert_false(r.feasible);
    assert_int_equal(r.first.at, 1);
    assert_int_equal(r.worst.at, 1);
    double s = (-12 + sqrt(12 * 12 + 4 * 16 * 10)) / (2 * 16); /* 16 s^2 + 12 s = 10 */
    assert_near(r.slowdown, 1 / s, 1e-9);
    assert_int_equal(gdyn_motion_check(dynamics, 1, sample, 1e-9, NULL, &r), GDYN_OK);
    assert_true(r.feasible); /* 2 s^2 + 6 s = 10 */
    assert_near(r.margin, (-6 + sqrt(36 + 80)) / 4, 1e-9);
    gdyn_path_dynamics_destroy(dynamics);
}

/* The polynomial through five points is exact for a quartic. */
static void derivatives_of_samples(void **state) {
    (void)state;
    gdyn_sample sample[9];
    for (int i = 0; i < 9; i++) {
        double t = 0.3 * i + 0.02 * i * i;
        sample[i] = (gdyn_sample){t, ((t - 2) * t * t + 3) * t, NAN, NAN};
    }
    assert_true(gdyn_motion_differentiate(9, sample));
    for (int i = 0; i < 9; i++) {
        double t = sample[i].t;
        assert_near(sample[i].d1, (4 * t - 6) * t * t + 3, 1e-10);
        assert_near(sample[i].d2, 12 * t * t - 12 * t, 1e-9);
    }
    sample[4].t = sample[3].t;
    assert_false(gdyn_motion_differentiate(9, sample));
    assert_false(gdyn_motion_differentiate(2, sample));
}

/* From rest to speed 1 over a way of 1: x = d1^2 = 3 p^2 - 2 p^3, d2 = 3 p (1 - p), at most 3/4 half way.
 * Both samples need nothing; n1 - n2 = 2 d2 may be 1 at most. */
static void violations_between_samples(void **state) {
    (void)state;
    most[0] = 1;
    gdyn_path_dynamics *dynamics = two_cables(0);
    const gdyn_sample sample[2] = {{NAN, 0, 0, 0}, {NAN, 1, 1, 0}};
    gdyn_sample place[12];
    double violation[12];
    gdyn_feasibility r;
    assert_int_equal(gdyn_motion_check(dynamics, 2, sample, 1e-9, NULL, &r), GDYN_OK);
    assert_true(r.feasible);
    assert_int_equal(gdyn_motion_places(2, sample, NULL, GDYN_BETWEEN_P, 10, place), 12);
    for (int i = 0; i < 11; i++) {
        double p = 0.1 * i;
        assert_near(place[i].p, p, 1e-15);
        assert_near(place[i].d1, sqrt(p * p * (3 - 2 * p)), 1e-14);
        assert_near(place[i].d2, 3 * p * (1 - p), 1e-14);
    }
    assert_int_equal(gdyn_motion_check(dynamics, 12, place, 1e-9, violation, &r), GDYN_OK);
    assert_false(r.feasible);
    assert_int_equal(r.first.at, 3); /* d2 = 0.48 at p = 0.2, 0.63 at 0.3 */
    assert_int_equal(r.worst.at, 5);
    assert_near(violation[5], 0.5 / (0.5 + 3),
                1e-9); /* shared by drives of half ranges 0.5 and 3 */
    assert_near(r.worst.amount, r.worst.shares.worst.row == 0 ? 0.5 / 7 : 3.0 / 7, 1e-9);
    assert_near(r.slowdown, sqrt(1.5), 1e-9); /* 2 (3/4) s^2 = 1 */
    most[0] = 10;
    gdyn_path_dynamics_destroy(dynamics);
}

/* A jump of d2 at a sample: both its values are looked at. */
static void jumps_at_samples(void **state) {
    (void)state;
    gdyn_path_dynamics *dynamics = two_cables(0); /* -6 <= 2 d2 <= 10 */
    const gdyn_sample sample[3] = {{0, 0, 0, 4}, {0, 0.25, sqrt(2), -4}, {0, 0.5, 0, -4}};
    const double before[3] = {4, 4, -4};
    gdyn_sample place[23];
    gdyn_feasibility r;
    assert_int_equal(gdyn_motion_places(3, sample, before, GDYN_BETWEEN_P, 10, place), 23);
    assert_int_equal(gdyn_motion_check(dynamics, 23, place, 1e-9, NULL, &r), GDYN_OK);
    assert_int_equal(r.first.at, 11);
    assert_near(place[10].d2, 4, 1e-15);
    assert_near(place[11].d2, -4, 1e-15);
    assert_near(r.slowdown, sqrt(8.0 / 6), 1e-9);
    assert_true(gdyn_motion_times(23, place)); /* v = 4 t, twice 0.25 = 2 t^2 */
    assert_near(place[22].t, 2 * sqrt(0.125), 1e-14);
    const gdyn_sample rest[2] = {{0, 0, 0, 0}, {0, 1, 0, 0}};
    assert_int_equal(gdyn_motion_places(2, rest, NULL, GDYN_BETWEEN_P, 10, place), 12);
    assert_false(gdyn_motion_times(12, place)); /* it never leaves */
    assert_true(isnan(place[5].t));
    gdyn_path_dynamics_destroy(dynamics);
}

/* The margin and the place that bounds it: 2 d2 s^2 <= 10 is reached first where d2 is greatest. */
static void margin_has_a_place(void **state) {
    (void)state;
    gdyn_path_dynamics *dynamics = two_cables(0);
    const gdyn_sample sample[3] = {{0, 0, 0, 1}, {1, 0.5, 1, 2}, {2, 0.6, 1.1, -1}};
    double reach[3], limit[3];
    int window[3];
    gdyn_feasibility r;
    assert_int_equal(gdyn_motion_check(dynamics, 3, sample, 1e-9, NULL, &r), GDYN_OK);
    assert_true(r.feasible);
    assert_near(r.margin, sqrt(2.5), 1e-9);
    assert_int_equal(r.margin_at, 1);
    assert_int_equal(gdyn_motion_reach(dynamics, 3, sample, reach, limit, window), GDYN_OK);
    assert_true(isinf(reach[0]) && isinf(limit[0]));
    gdyn_path_dynamics_destroy(dynamics);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_is_shared),
        cmocka_unit_test(slow_down_and_margin),
        cmocka_unit_test(violations_between_samples),
        cmocka_unit_test(jumps_at_samples),
        cmocka_unit_test(margin_has_a_place),
        cmocka_unit_test(derivatives_of_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
