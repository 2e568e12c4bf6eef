/* test_access_limits.c - limits of very different sizes.
 *
 * A limit that nothing can reach changes nothing: each random set is compared with itself without one of its
 * limits. The sets are those of test_access_methods.c, coarse integers and equalities included. Cables, which
 * are limited by zero and by far more than they carry, have a closed form. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "access/access.h"
#include "access/projection.h"
#include "access_sets.h"

#include <float.h>
#include <math.h>

enum { SETS = 3000, METHODS = 3 };

typedef struct bench {
    gdyn_access *access;
    gdyn_region *without, *with;
} bench;

static bench bench_of(void) {
    bench t = {gdyn_access_create(SET_K, SET_R, SET_E), gdyn_region_create(), gdyn_region_create()};
    assert_non_null(t.access);
    assert_non_null(t.without);
    assert_non_null(t.with);
    return t;
}

static void bench_free(bench *t) {
    gdyn_region_destroy(t->without);
    gdyn_region_destroy(t->with);
    gdyn_access_destroy(t->access);
}

/* Equal as numbers, infinities and NaNs included. */
static bool same(double x, double y, double tolerance) {
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (isinf(x) || isinf(y))
        return x == y;
    return fabs(x - y) <= tolerance * (1 + fabs(x) + fabs(y));
}

/* One row's low, high or both limits become +-size. */
static void set_far(coefficient_set *s, int row, int which, double size) {
    if (which != 0)
        s->max[row] = size;
    if (which != 1)
        s->min[row] = -size;
}

/* Bounded regions without a limit stay what they are when it is set far outside. The methods decide within
 * 1e-12 of the numbers that they sum; where such a decision is an end of d1, conditions of up to about
 * 1e4 carry it there: 1e-8. */
static void test_far_limits(void **state) {
    (void)state;
    bench t = bench_of();
    int compared = 0;
    for (int n = 0; n < SETS; n++) {
        coefficient_set s;
        gdyn_random random = gdyn_random_stream(77, (uint64_t)n, 1);
        set_random(&s, &random);
        if (s.q.k == 0)
            continue;
        int row = gdyn_random_below(&random, s.q.k), which = gdyn_random_below(&random, 3);
        set_far(&s, row, which, INFINITY);
        assert_int_equal(gdyn_access_region(t.access, &s.q, GDYN_BY_ELEMENTARY, t.without),
                         GDYN_OK);
        if (isinf(t.without->d1_max) || t.without->d2_unbounded)
            continue;
        static const double most[] = {14, 20, 60, 100, 308};
        double exponent = gdyn_random_between(&random, 13, most[gdyn_random_below(&random, 5)]);
        set_far(&s, row, which, pow(10, exponent));
        for (int method = 0; method < METHODS; method++) {
            gdyn_projection by = (gdyn_projection)method;
            assert_int_equal(gdyn_access_region(t.access, &s.q, by, t.with), GDYN_OK);
            assert_int_equal(t.with->status, t.without->status);
            assert_true(same(t.with->d1_max, t.without->d1_max, 1e-8));
            compared++;
        }
    }
    assert_true(compared > SETS);
    bench_free(&t);
}

/* Two cables lift a unit mass, n_i = (d2 + 10) / 2 +- y in [0, most], a third pulls it down with at least
 * nothing and at most `most`: n_3 = -(d2 + pull). */
static void set_cables(coefficient_set *s, double pull, double most) {
    set_link(s, 3, 1);
    for (int i = 0; i < 3; i++) {
        s->C[i] = i < 2 ? 5 : -pull;
        s->D[i] = i < 2 ? 0.5 : -1;
        s->V[i] = i < 2 ? 1 - 2 * i : 0;
        s->min[i] = 0;
        s->max[i] = most;
    }
}

/* -10 <= d2 <= -pull, and nothing where pull is greater than 10, whatever cables hold at most. */
static void test_cables(void **state) {
    (void)state;
    bench t = bench_of();
    const double most[] = {1e2, 1e4, 1e6, 1e8, 1e10, 1e12, 1e14, 1e15, 1e30, 1e300, INFINITY};
    for (size_t n = 0; n < sizeof most / sizeof *most; n++)
        for (int method = 0; method < METHODS; method++) {
            coefficient_set s = {0};
            set_cables(&s, 9.5, most[n]);
            gdyn_projection by = (gdyn_projection)method;
            assert_int_equal(gdyn_access_region(t.access, &s.q, by, t.with), GDYN_OK);
            assert_int_equal(t.with->status, GDYN_REGION_OK);
            assert_true(fabs(t.with->rest_min + 10) < 1e-10);
            assert_true(fabs(t.with->rest_max + 9.5) < 1e-10);
            set_cables(&s, 10.001, most[n]);
            assert_int_equal(gdyn_access_region(t.access, &s.q, by, t.with), GDYN_OK);
            assert_int_equal(t.with->status, GDYN_REGION_EMPTY);
        }
    bench_free(&t);
}

/* A near limit is not measured by a far one beside it: -1.4 <= d2 and d2 <= -1.5 are a contradiction however
 * wide the two drives' ranges are, and the unit of violations is that of the near limits. */
static void test_near_beside_far(void **state) {
    (void)state;
    bench t = bench_of();
    for (double far = 1e2; far < DBL_MAX / 1e3; far *= 1e3)
        for (int method = 0; method < METHODS; method++) {
            coefficient_set s = {0};
            set_link(&s, 2, 0);
            s.D[0] = 1, s.D[1] = -1;
            s.min[0] = -1.4, s.max[0] = s.max[1] = far;
            s.min[1] = 1.5;
            gdyn_projection by = (gdyn_projection)method;
            assert_int_equal(gdyn_access_region(t.access, &s.q, by, t.with), GDYN_OK);
            assert_int_equal(t.with->status, GDYN_REGION_EMPTY);
            /* d2 = -1.45 misses each limit by 0.05 */
            double violation, unit = fmax(gdyn_problem_unit(&s.q, 0), gdyn_problem_unit(&s.q, 1));
            assert_int_equal(gdyn_access_violation(&s.q, 0, -1.45, &violation), GDYN_OK);
            assert_true(fabs(violation * unit - 0.05) < 0.01);
            assert_true(far < 1e6 || unit < 2);
            s.min[1] = 1.3;
            assert_int_equal(gdyn_access_region(t.access, &s.q, by, t.with), GDYN_OK);
            assert_int_equal(t.with->status, GDYN_REGION_OK);
            assert_true(fabs(t.with->rest_min + 1.4) < 1e-10);
            assert_true(fabs(t.with->rest_max + 1.3) < 1e-10);
        }
    bench_free(&t);
}

/* Rows A, C, D, min, max of a set without viscous terms; V follows row by row. */
static void set_rows(coefficient_set *s, int k, int r, const double (*row)[5], const double *V) {
    set_link(s, k, r);
    for (int i = 0; i < k; i++) {
        s->A[i] = row[i][0], s->C[i] = row[i][1], s->D[i] = row[i][2];
        s->min[i] = row[i][3], s->max[i] = row[i][4];
        for (int j = 0; j < r; j++)
            s->V[j * k + i] = V[i * r + j];
    }
}

static void check_rest(bench *t, const coefficient_set *s, double low, double high) {
    for (int method = 0; method < METHODS; method++) {
        assert_int_equal(gdyn_access_region(t->access, &s->q, (gdyn_projection)method, t->with),
                         GDYN_OK);
        assert_true(fabs(t->with->rest_min - low) <= 1e-12 * fabs(low));
        assert_true(fabs(t->with->rest_max - high) <= 1e-12 * fabs(high));
    }
}

/* n1 + n2 / 2 + n3 has no internal force: 2.5 d2 - 7.5 - 1 d1^2 is between the sums of the limits. The simplex
 * method's own tolerances took the near row for a free one. */
static void test_near_limit_among_far_ones(void **state) {
    (void)state;
    static const double row[3][5] = {
        {-1, 0, 1, 0, 1}, {-2, -3, 1, -5e7, 5e7}, {1, -6, 1, -5e7, 5e7}};
    static const double V[9] = {2, -1, 1, 0, -2, 0, -2, 2, -1};
    bench t = bench_of();
    coefficient_set s = {0};
    set_rows(&s, 3, 3, row, V);
    check_rest(&t, &s, (-7.5e7 + 7.5) / 2.5, (7.5e7 + 1 + 7.5) / 2.5);
    bench_free(&t);
}

/* The first row has no internal force and limits d2 by itself, 1e11 times as far as the second one's. */
static void test_far_row_alone(void **state) {
    (void)state;
    static const double row[2][5] = {{-2, 1, 1, -1e11, 1e11}, {0, 0, 1, -3, 2628456}};
    static const double V[4] = {0, 0, 1, 0};
    bench t = bench_of();
    coefficient_set s = {0};
    set_rows(&s, 2, 2, row, V);
    check_rest(&t, &s, -1e11 - 1, 1e11 - 1);
    bench_free(&t);
}

/* 3 n1 - 2 n2 + n3 = 4 d1^2: far limits end d1 far out, beyond 10^5 of its natural units. */
static void test_great_d1(void **state) {
    (void)state;
    static const double row[3][5] = {
        {0, 0.3, 0, -1e10, 1e12}, {-2, 0.6, 1, -5e7, 1e10}, {0, 0.3, 2, -1e8, 0}};
    static const double V[6] = {-2, 0, -2, -1, 2, -2};
    bench t = bench_of();
    coefficient_set s = {0};
    set_rows(&s, 3, 2, row, V);
    s.B[0] = 1, s.B[1] = 2, s.B[2] = 1;
    double most = sqrt((3e12 + 1e8) / 4);
    for (int method = 0; method < METHODS; method++) {
        gdyn_projection by = (gdyn_projection)method;
        assert_int_equal(gdyn_access_region(t.access, &s.q, by, t.with), GDYN_OK);
        assert_int_equal(t.with->island_count, 1);
        assert_true(fabs(t.with->d1_max - most) <= 1e-10 * most);
    }
    bench_free(&t);
}

/* Columns of V that depend on each other leave a row that internal forces do not move what it is: 0 <= d2 - 0.3 <= 3. */
static void test_dependent_columns(void **state) {
    (void)state;
    static const double row[3][5] = {
        {0, -0.3, 1, 0, 3}, {0, 0.6, 2, -1e7, 1e7}, {0, -0.3, 1, 0, 5.3e6}};
    static const double V[12] = {0, 0, 0, 0, 2, 1, 1, 2, -2, 0, 2, 2};
    bench t = bench_of();
    coefficient_set s = {0};
    set_rows(&s, 3, 4, row, V);
    check_rest(&t, &s, 0.3, 3.3);
    bench_free(&t);
}

/* n3 = d2 + y, n2 = d2 + n3, n1 = n3 - d2: the far side of n2 is an end, which that of n1 lets it reach. */
static void test_far_sides_of_two_rows(void **state) {
    (void)state;
    static const double row[3][5] = {{0, 0, 0, -2, 1e13}, {0, 0, 2, -3e12, 1}, {0, 0, 1, -1, 1}};
    static const double V[3] = {1, 1, 1};
    bench t = bench_of();
    coefficient_set s = {0};
    set_rows(&s, 3, 1, row, V);
    check_rest(&t, &s, -3e12 - 1, 1.5);
    bench_free(&t);
}

/* The second row alone has d2, and internal forces that the first one lets grow without end: y1 = -y2. */
static void test_thin_share(void **state) {
    (void)state;
    static const double row[2][5] = {{1, -1, 0, -2, 0}, {2, -1, -1, -3.8e10, 3.8e10}};
    static const double V[4] = {1, 1, -1, 2};
    bench t = bench_of();
    coefficient_set s = {0};
    set_rows(&s, 2, 2, row, V);
    for (int method = 0; method < METHODS; method++) {
        gdyn_projection by = (gdyn_projection)method;
        assert_int_equal(gdyn_access_region(t.access, &s.q, by, t.with), GDYN_OK);
        assert_true(t.with->rest_min == -INFINITY && t.with->rest_max == INFINITY);
    }
    bench_free(&t);
}

/* n1 + n2 = d2 within +-2e11 limits what n3 = d2 - 3 d1^2 holds to +-0.01: d1^2 <= (2e11 + 0.01) / 3. */
static void test_still_beside_narrow(void **state) {
    (void)state;
    static const double row[3][5] = {
        {0, 0, 1, -1e11, 1e11}, {0, 0, 0, -1e11, 1e11}, {-3, 0, 1, -0.01, 0.01}};
    static const double V[3] = {1, -1, 0};
    bench t = bench_of();
    coefficient_set s = {0};
    set_rows(&s, 3, 1, row, V);
    double most = sqrt((2e11 + 0.01) / 3);
    for (int method = 0; method < METHODS; method++) {
        gdyn_projection by = (gdyn_projection)method;
        assert_int_equal(gdyn_access_region(t.access, &s.q, by, t.with), GDYN_OK);
        assert_int_equal(t.with->island_count, 1);
        assert_true(fabs(t.with->d1_max - most) <= 1e-10 * most);
    }
    bench_free(&t);
}

/* A point at rest and a stretch that begins at rounding beside it are one island, which begins at rest. */
static void test_point_beside_island(void **state) {
    (void)state;
    static const gdyn_bound up = {.q = {-1, 0, 1}, .size = 1}, down = {.q = {0, 0, -1}, .size = 1};
    gdyn_region *region = gdyn_region_create();
    gdyn_builder builder;
    gdyn_builder_start(&builder, region, 1, 1);
    gdyn_builder_span(&builder, 0, 0, NULL, NULL);
    gdyn_builder_add(&builder, 0, 0, &up, &down);
    gdyn_builder_span(&builder, 4e-12, 1, NULL, NULL);
    gdyn_builder_add(&builder, 4e-12, 1, &up, &down);
    assert_int_equal(gdyn_builder_end(&builder, GDYN_OK), GDYN_OK);
    assert_int_equal(region->island_count, 1);
    assert_true(region->island[0].from == 0 && region->upper[0].from == 0);
    assert_true(region->rest && region->rest_min == -1 && region->rest_max == 1);
    gdyn_region_destroy(region);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far_limits),         cmocka_unit_test(test_cables),
        cmocka_unit_test(test_near_beside_far),    cmocka_unit_test(test_near_limit_among_far_ones),
        cmocka_unit_test(test_far_row_alone),      cmocka_unit_test(test_great_d1),
        cmocka_unit_test(test_dependent_columns),  cmocka_unit_test(test_far_sides_of_two_rows),
        cmocka_unit_test(test_thin_share),         cmocka_unit_test(test_point_beside_island),
        cmocka_unit_test(test_still_beside_narrow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
