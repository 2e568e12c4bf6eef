/* test_access_rounding.c - coefficients of d1^2 and d1 that are equal but for rounding set no limit on d1:
 * closed forms, by every method. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "access/access.h"

#include <math.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

enum { ROWS = 4, METHODS = 3 };

/* k rows without redundancy, with D = 1. */
typedef struct problem {
    double A[ROWS], B[ROWS], C[ROWS], D[ROWS], min[ROWS], max[ROWS], error[ROWS];
    gdyn_coefficients q;
} problem;

static void link_rows(problem *p, int k) {
    for (int i = 0; i < k; i++)
        p->D[i] = 1;
    p->q = (gdyn_coefficients){.k = k,
                               .A = p->A,
                               .B = p->B,
                               .C = p->C,
                               .D = p->D,
                               .min = p->min,
                               .max = p->max,
                               .d1_high = INFINITY,
                               .d1_high_window = -1};
}

static gdyn_region *region_of(const problem *p, gdyn_projection method) {
    gdyn_access *access = gdyn_access_create(ROWS, 1, 2);
    gdyn_region *region = gdyn_region_create();
    assert_int_equal(gdyn_access_region(access, &p->q, method, region), GDYN_OK);
    gdyn_access_destroy(access);
    return region;
}

/* -1 <= a d1^2 + d2 <= 1 and -2 <= a' d1^2 + d1 + d2 <= 2 with a' = a (1 + 4e-16): d2 + a d1^2 lies in
 * [-1, 1] and in [-2 - d1, 2 - d1], which part at d1 = 3. With a' taken as it stands the sets meet again
 * where 1.3e-15 d1^2 = d1: beyond 7e14. */
static void test_no_second_island(void **state) {
    (void)state;
    problem p = {.A = {3, 3 * (1 + 4e-16)}, .B = {0, 1}, .min = {-1, -2}, .max = {1, 2}};
    for (int method = 0; method < METHODS; method++)
        for (int turned = 0; turned < 2; turned++) {
            link_rows(&p, 2);
            double swap = p.A[0];
            p.A[0] = p.A[1], p.A[1] = swap;
            gdyn_region *region = region_of(&p, (gdyn_projection)method);
            assert_int_equal(region->island_count, 1);
            assert_near(region->d1_max, 3,
                        1e-11); /* linear programs give way by 1e-12 of a slack */
            assert_near(region->upper[0].a, -3, 1e-14);
            gdyn_region_destroy(region);
        }
}

/* A = 3 and 3 + 1e-10: by the numbers alone the two rows part where 1e-10 d1^2 = 2; not where errors of
 * 1e-9 are stated. */
static void test_stated_errors(void **state) {
    (void)state;
    problem p = {.A = {3, 3 + 1e-10}, .min = {-1, -1}, .max = {1, 1}, .error = {1e-9, 1e-9}};
    link_rows(&p, 2);
    double top = sqrt(2 / (p.A[1] - p.A[0]));
    gdyn_region *region = region_of(&p, GDYN_BY_ELEMENTARY);
    assert_near(region->d1_max, top, 1e-9 * top);
    gdyn_region_destroy(region);
    p.q.A_error = p.error;
    for (int method = 0; method < METHODS; method++) {
        region = region_of(&p, (gdyn_projection)method);
        assert_int_equal(region->island_count, 1);
        assert_true(isinf(region->d1_max));
        assert_near(region->rest_min, -1, 1e-15);
        assert_near(region->rest_max, 1, 1e-15);
        assert_near(region->upper[0].a, -3, 1e-9);
        gdyn_region_destroy(region);
    }
}

/* The same with a third row that bends otherwise: d2 <= 1 - d1^2 and d2 <= 2 - d1^2 do not cross, and
 * d2 >= -5 - 2 d1^2 never meets them. */
static void test_no_far_arc(void **state) {
    (void)state;
    problem p = {
        .A = {1, 1 + 4.5e-16, 2}, .min = {-INFINITY, -INFINITY, -5}, .max = {1, 2, INFINITY}};
    for (int viscous = 0; viscous < 2; viscous++) {
        for (int i = 0; i < 3; i++)
            p.B[i] = viscous * (1 + 4.5e-16 * i);
        link_rows(&p, 3);
        gdyn_region *region = region_of(&p, GDYN_BY_ELEMENTARY);
        assert_int_equal(region->island_count, 1);
        assert_int_equal(region->upper_count, 1);
        assert_int_equal(region->lower_count, 1);
        assert_true(isinf(region->d1_max));
        assert_int_equal(region->upper[0].active[0].row, 0);
        gdyn_region_destroy(region);
    }
}

/* d1^2 + d2 = 1 and d1^2 (1 + 5e-14) + d2 = 2 exclude each other, also at d1 = 4.5e6. */
static void test_equalities(void **state) {
    (void)state;
    double a[2] = {1, 1 + 5e-14}, b[2] = {0, 0}, c[2] = {-1, -2}, d[2] = {1, 1};
    for (int method = 0; method < METHODS; method++) {
        problem p = {.min = {-10}, .max = {10}};
        link_rows(&p, 1);
        p.D[0] = 0;
        p.q.equalities = 2;
        p.q.eq_a = a, p.q.eq_b = b, p.q.eq_c = c, p.q.eq_d = d;
        gdyn_region *region = region_of(&p, (gdyn_projection)method);
        assert_int_equal(region->status, GDYN_REGION_EMPTY);
        gdyn_region_destroy(region);
    }
}

/* Common region of |d2| <= 1 + d1^2 (1 +- 2e-16) and |d2| <= 2 + d1^2: the first everywhere. */
static void test_common_region(void **state) {
    (void)state;
    for (int sign = -1; sign < 2; sign += 2) {
        problem p = {.A = {-1 - sign * 4e-16, 1 + sign * 4e-16},
                     .min = {-INFINITY, -1},
                     .max = {1, INFINITY}};
        problem q = {.A = {-1, 1}, .min = {-INFINITY, -2}, .max = {2, INFINITY}};
        link_rows(&p, 2);
        link_rows(&q, 2);
        gdyn_region *a = region_of(&p, GDYN_BY_ELEMENTARY);
        gdyn_region *b = region_of(&q, GDYN_BY_ELEMENTARY), *common = gdyn_region_create();
        assert_int_equal(gdyn_region_intersect(a, b, common), GDYN_OK);
        assert_int_equal(common->island_count, 1);
        assert_int_equal(common->upper_count, 1);
        assert_int_equal(common->lower_count, 1);
        assert_near(common->rest_max, 1, 1e-15);
        gdyn_region_destroy(a);
        gdyn_region_destroy(b);
        gdyn_region_destroy(common);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_second_island), cmocka_unit_test(test_stated_errors),
        cmocka_unit_test(test_no_far_arc), cmocka_unit_test(test_equalities),
        cmocka_unit_test(test_common_region)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
