/* IGD, IGD+, spread and the estimated hypervolume, against values worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "search/hypervolume.h"
#include "indicators.h"

#include <float.h>
#include <math.h>

static void near_to(double value, double wanted) {
    assert_true(fabs(value - wanted) <= 4 * DBL_EPSILON * fabs(wanted));
}

/* Front (0,4) (2,2) (4,0); set (0,4) (3,3): distances 0, sqrt 2, sqrt 10. Behind the front lie: 0;
 * min(|(0,2)|, |(1,1)|) = sqrt 2; (0,4) lags (4,0) by 4, (3,3) by 3. */
static void distances_by_hand(void **state) {
    (void)state;
    const double Z[] = {0, 4, 2, 2, 4, 0}, F[] = {0, 4, 3, 3};
    near_to(gdyn_igd(F, 2, Z, 3, 2), (sqrt(2) + sqrt(10)) / 3);
    near_to(gdyn_igd_plus(F, 2, Z, 3, 2), (sqrt(2) + 3) / 3);
    near_to(gdyn_igd(Z, 3, Z, 3, 2) + 1, 1);
    assert_true(isinf(gdyn_igd(F, 0, Z, 3, 2)));
    assert_true(gdyn_igd(F, 2, Z, 0, 2) == 0);
}

/* Points that are better than the front's are no distance behind it. */
static void better_is_not_behind(void **state) {
    (void)state;
    const double Z[] = {1, 1, 1}, F[] = {0.5, 1, 0.2};
    assert_true(gdyn_igd_plus(F, 1, Z, 1, 3) == 0);
    near_to(gdyn_igd(F, 1, Z, 1, 3), sqrt(0.25 + 0.64));
}

/* Gaps 1, 3 in the order of f1, mean 2; ends 1 and 2 away: (3 + 1 + 1) / (3 + 2 * 2). */
static void delta_by_hand(void **state) {
    (void)state;
    const double F[] = {4, 0, 0, 0, 1, 0}, ends[] = {6, 0, -1, 0};
    double spread;
    assert_int_equal(gdyn_front_spread(&spread, F, 3, 2, ends), GDYN_OK);
    near_to(spread, 5.0 / 7);
    const double even[] = {0, 3, 1, 2, 2, 1, 3, 0}, reached[] = {0, 3, 3, 0};
    assert_int_equal(gdyn_front_spread(&spread, even, 4, 2, reached), GDYN_OK);
    assert_true(spread < 1e-15);
    assert_int_equal(gdyn_front_spread(&spread, even, 1, 2, reached), GDYN_OK); /* the ends alone */
    near_to(spread, 1);
    assert_int_equal(gdyn_front_spread(&spread, even, 1, 2, NULL), GDYN_OK);
    assert_true(spread == 0);
}

/* Three objectives: points on a line at 0, 1, 3: nearest neighbours 1, 1, 2, mean 4/3, sum of
 * deviations 4/3; ends 0, 1 and 2 away: (3 + 4/3) / (3 + 4) = 13/21. */
static void generalized_spread_by_hand(void **state) {
    (void)state;
    const double F[] = {0, 0, 0, 1, 0, 0, 3, 0, 0}, ends[] = {0, 0, 0, 1, 1, 0, 3, 0, 2};
    double spread;
    assert_int_equal(gdyn_front_spread(&spread, F, 3, 3, ends), GDYN_OK);
    near_to(spread, 13.0 / 21);
    assert_int_equal(gdyn_front_spread(&spread, F, 3, 3, NULL), GDYN_OK);
    near_to(spread, 1.0 / 3);
}

static void bad_arguments_and_no_memory(void **state) {
    (void)state;
    const double F[] = {0, 1, 2, 3};
    double spread = 7;
    assert_int_equal(gdyn_front_spread(&spread, F, 0, 2, NULL), GDYN_ERROR_ARGUMENT);
    assert_int_equal(gdyn_front_spread(&spread, F, 4, 1, NULL), GDYN_ERROR_ARGUMENT);
    for (long n = 0; n < 2; n++) {
        gdyn_alloc_fail_after(n);
        gdyn_status status = gdyn_front_spread(&spread, F, 2, 2, NULL);
        gdyn_alloc_fail_after(-1);
        assert_int_equal(status, GDYN_ERROR_MEMORY);
    }
}

/* The estimate against the exact volume of 40 points on a sphere of four objectives, in units far
 * apart. One sample's standard deviation is below 1 (shares lie in 0..1, mean above 1/40); what is seen
 * is less than 0.3 of the mean, hence 5 standard deviations of 40,000 samples are below 0.03. */
static void the_estimate_agrees_with_the_exact_volume(void **state) {
    (void)state;
    enum { M = 4, COUNT = 40 };
    double F[M * COUNT];
    const double unit[M] = {1e-6, 1, 1e4, 3}, reference[M] = {1.1e-6, 1.1, 1.1e4, 3.3};
    for (int i = 0; i < COUNT; i++) {
        gdyn_random random = gdyn_random_stream(9, 0, (uint64_t)i);
        double square = 0;
        for (int j = 0; j < M; j++) {
            F[M * i + j] = fabs(gdyn_random_normal(&random));
            square += F[M * i + j] * F[M * i + j];
        }
        for (int j = 0; j < M; j++)
            F[M * i + j] *= unit[j] / sqrt(square);
    }
    gdyn_hypervolume *w = gdyn_hypervolume_create(COUNT, M);
    double exact = gdyn_hypervolume_of(w, F, COUNT, reference);
    double estimate = gdyn_hypervolume_estimate(w, F, COUNT, reference, 40000);
    assert_true(exact > 0 && fabs(estimate / exact - 1) < 0.03);
    /* one box: no matter where the samples fall */
    near_to(gdyn_hypervolume_estimate(w, F, 1, reference, 3),
            gdyn_hypervolume_of(w, F, 1, reference));
    assert_true(gdyn_hypervolume_estimate(w, F, 0, reference, 100) == 0);
    gdyn_hypervolume_destroy(w);
    assert_true(gdyn_hypervolume_affordable(100000, 3) && gdyn_hypervolume_affordable(96, 5));
    assert_false(gdyn_hypervolume_affordable(156, 8));
}

/* 3,000 points of a plane, whose boxes overlap by hundreds: of 8,192 samples of the box around them
 * a share p of about 0.8 is dominated, so five standard deviations are 5 sqrt((1 - p) / (8192 p)). */
static void boxes_may_overlap(void **state) {
    (void)state;
    enum { M = 3, COUNT = 3000 };
    static double F[M * COUNT];
    const double reference[M] = {1.1, 1.1, 1.1};
    for (int i = 0; i < COUNT; i++) {
        gdyn_random random = gdyn_random_stream(9, 1, (uint64_t)i);
        double sum = 0;
        for (int j = 0; j < M; j++)
            sum += F[M * i + j] = -log(1 - gdyn_random_uniform(&random));
        for (int j = 0; j < M; j++)
            F[M * i + j] /= sum;
    }
    gdyn_hypervolume *w = gdyn_hypervolume_create(COUNT, M);
    double exact = gdyn_hypervolume_of(w, F, COUNT, reference);
    assert_true(fabs(gdyn_hypervolume_estimate(w, F, COUNT, reference, 8192) / exact - 1) < 0.03);
    gdyn_hypervolume_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(better_is_not_behind),
        cmocka_unit_test(delta_by_hand),
        cmocka_unit_test(generalized_spread_by_hand),
        cmocka_unit_test(bad_arguments_and_no_memory),
        cmocka_unit_test(the_estimate_agrees_with_the_exact_volume),
        cmocka_unit_test(boxes_may_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
