/* test_access.c - accessible regions with known answers: closed forms, edges, equalities, islands.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "access/access.h"
#include "access_sets.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static gdyn_access *access_of(void) {
    gdyn_access *access = gdyn_access_create(SET_K, SET_R, SET_E);
    assert_non_null(access);
    return access;
}

static void run(gdyn_access *access, const coefficient_set *s, gdyn_region *region) {
    assert_int_equal(gdyn_access_region(access, &s->q, GDYN_BY_ELEMENTARY, region), GDYN_OK);
}

static void check_slice(const gdyn_region *region, double d1, double low, double high) {
    double lo, hi;
    assert_true(gdyn_region_slice(region, d1, &lo, &hi));
    assert_near(lo, low, 1e-12 * (1 + fabs(low)));
    assert_near(hi, high, 1e-12 * (1 + fabs(high)));
}

/* Slider with two opposed drives: M d2 + b d1 = n1 - n2, |n| <= F: |M d2 + b d1| <= 2F. */
static void slider(coefficient_set *s, double M, double b, double F) {
    memset(s, 0, sizeof *s);
    set_link(s, 2, 1);
    double half[2] = {0.5, -0.5};
    for (int i = 0; i < 2; i++) {
        s->B[i] = b * half[i];
        s->D[i] = M * half[i];
        s->V[i] = 1;
        s->min[i] = -F;
        s->max[i] = F;
    }
}

static void test_slider(void **state) {
    (void)state;
    coefficient_set s;
    gdyn_access *access = access_of();
    gdyn_region *region = gdyn_region_create();
    for (double scale = 1e-3; scale < 2e3; scale *= 10) {
        double M = 3.7, b = 0.9, F = 12 * scale;
        slider(&s, M, b, F);
        run(access, &s, region);
        assert_int_equal(region->status, GDYN_REGION_OK);
        assert_int_equal(region->island_count, 1);
        assert_int_equal(gdyn_access_circuits(access), 1);
        assert_near(region->speed_max, 2 * F / b, 1e-12 * 2 * F / b);
        assert_true(isinf(region->d1_max) && isinf(region->area));
        assert_true(region->rest);
        check_slice(region, 0, -2 * F / M, 2 * F / M);
        check_slice(region, 7, (-2 * F - b * 7) / M, (2 * F - b * 7) / M);
        const gdyn_arc *arc = gdyn_region_arc(region, 1, true);
        assert_int_equal(arc->active_count, 2);
        assert_int_equal(arc->active[0].row, 0);
        assert_int_equal(arc->active[0].side, 1);
        assert_int_equal(arc->active[1].row, 1);
        assert_int_equal(arc->active[1].side, -1);
    }
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* Mass m on two cables from (-a, 0) and (a, 0), at (x, -h), moved along x: tensions T with
 * directions e1 = (-(a + x), h) / L1, e2 = (a - x, h) / L2; T1 e1 + T2 e2 = m (d2, g). Closed form
 * of the region at rest: -g (a + x) / h <= d2 <= g (a - x) / h. */
static void cables(coefficient_set *s, double a, double x, double h, double g, double m) {
    memset(s, 0, sizeof *s);
    set_link(s, 2, 0);
    double L1 = hypot(a + x, h), L2 = hypot(a - x, h);
    double e1[2] = {-(a + x) / L1, h / L1}, e2[2] = {(a - x) / L2, h / L2};
    double det = e1[0] * e2[1] - e1[1] * e2[0];
    s->D[0] = m * e2[1] / det;
    s->C[0] = -m * g * e2[0] / det;
    s->D[1] = -m * e1[1] / det;
    s->C[1] = m * g * e1[0] / det;
    s->max[0] = s->max[1] = INFINITY;
}

static void test_cables(void **state) {
    (void)state;
    coefficient_set s;
    gdyn_access *access = access_of();
    gdyn_region *region = gdyn_region_create();
    double a = 1.3, h = 0.8, g = 9.81;
    for (double x = -1.2; x < 1.3; x += 0.37) {
        cables(&s, a, x, h, g, 2.3);
        run(access, &s, region);
        check_slice(region, 0, -g * (a + x) / h, g * (a - x) / h);
        check_slice(region, 3, -g * (a + x) / h, g * (a - x) / h);
        assert_true(region->rest);
        assert_true(isinf(region->speed_max) && isinf(region->area));
    }
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* One drive, n = d1^2 + d2 with |n| <= 1, and a second one, n = d1^2 - d2: |d2| <= 1 - d1^2. */
static void test_area(void **state) {
    (void)state;
    coefficient_set s = {0};
    set_link(&s, 2, 0);
    s.A[0] = s.A[1] = s.D[0] = 1;
    s.D[1] = -1;
    for (int i = 0; i < 2; i++) {
        s.min[i] = -1;
        s.max[i] = 1;
    }
    gdyn_access *access = access_of();
    gdyn_region *region = gdyn_region_create();
    run(access, &s, region);
    assert_near(region->area, 4.0 / 3, 1e-14);
    assert_near(region->d1_max, 1, 1e-14);
    assert_near(region->speed_max, 1, 1e-14);
    assert_near(region->rest_min, -1, 1e-14);
    assert_near(region->rest_max, 1, 1e-14);
    /* a speed bound cuts it and is named */
    s.q.d1_high = 0.5;
    run(access, &s, region);
    assert_near(region->area, 2 * (0.5 - 0.125 / 3), 1e-14);
    assert_int_equal(region->island[0].right_count, 1);
    assert_int_equal(region->island[0].right[0].shape, GDYN_LIMIT_WINDOW);
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* d2 = 0 on a row without acceleration: 0.2 <= d1^2 - 3 d1 + 2.5 - two islands, closed by that row.
 */
static void test_islands(void **state) {
    (void)state;
    coefficient_set s = {0};
    set_link(&s, 2, 0);
    s.D[0] = 2;
    s.min[0] = -1;
    s.max[0] = 3;
    s.A[1] = 1;
    s.B[1] = -3;
    s.C[1] = 2.5;
    s.min[1] = 0.5;
    s.max[1] = 4.5;
    gdyn_access *access = access_of();
    gdyn_region *region = gdyn_region_create();
    run(access, &s, region);
    assert_int_equal(region->island_count, 2);
    assert_near(region->island[0].from, 0, 0);
    assert_near(region->island[0].to, 1, 1e-14);
    assert_near(region->island[1].from, 2, 1e-14);
    assert_near(region->island[1].to, 1.5 + sqrt(2.25 + 2), 1e-14);
    assert_int_equal(region->island[0].right[0].row, 1);
    assert_int_equal(region->island[0].right[0].side, -1);
    assert_int_equal(region->island[1].right[0].side, 1);
    assert_near(region->area, 2 * (1 + region->d1_max - 2), 1e-12);
    double low, high;
    assert_false(gdyn_region_slice(region, 1.5, &low, &high));
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* Nothing limits anything; and data that are not numbers. */
static void test_extremes(void **state) {
    (void)state;
    coefficient_set s = {0};
    gdyn_access *access = access_of();
    gdyn_region *region = gdyn_region_create();
    set_link(&s, 0, 0);
    run(access, &s, region);
    assert_int_equal(region->status, GDYN_REGION_OK);
    assert_true(region->d2_unbounded && isinf(region->area) && isinf(region->d1_max));
    assert_true(isinf(region->speed_max));
    set_link(&s, 3, 1);
    for (int i = 0; i < 3; i++) {
        s.D[i] = s.V[i] = 1;
        s.min[i] = -INFINITY;
        s.max[i] = INFINITY;
    }
    run(access, &s, region);
    assert_int_equal(region->status, GDYN_REGION_OK);
    assert_true(region->d2_unbounded);
    s.A[1] = NAN;
    run(access, &s, region);
    assert_int_equal(region->status, GDYN_REGION_UNKNOWN);
    s.A[1] = 0;
    s.q.d1_low = 2;
    s.q.d1_high = 1;
    run(access, &s, region);
    assert_int_equal(region->status, GDYN_REGION_EMPTY);
    s.q.d1_high = 2;
    run(access, &s, region);
    assert_int_equal(region->island_count, 1);
    assert_near(region->area, 0, 0);
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* |d2| <= 1 with equalities: d2 = d1^2 - 1/2 leaves a curve, a second one a point, a third nothing.
 */
static void test_equalities(void **state) {
    (void)state;
    coefficient_set s = {0};
    set_link(&s, 1, 0);
    s.D[0] = 1;
    s.min[0] = -1;
    s.max[0] = 1;
    s.q.equalities = 1;
    s.eq_a[0] = -2;
    s.eq_c[0] = 1;
    s.eq_d[0] = 2;
    gdyn_access *access = access_of();
    gdyn_region *region = gdyn_region_create();
    run(access, &s, region);
    assert_int_equal(region->status, GDYN_REGION_CURVE);
    assert_near(region->d1_max, sqrt(1.5), 1e-14);
    assert_near(region->speed_max, sqrt(0.5), 1e-11);
    assert_near(region->area, 0, 0);
    check_slice(region, 0.3, 0.09 - 0.5, 0.09 - 0.5);
    assert_int_equal(gdyn_region_arc(region, 0.3, true)->active[0].shape, GDYN_LIMIT_EQUALITY);
    /* d1 = 1/2 besides */
    s.q.equalities = 2;
    s.eq_b[1] = 2;
    s.eq_c[1] = -1;
    run(access, &s, region);
    assert_int_equal(region->status, GDYN_REGION_POINT);
    check_slice(region, region->d1_max, -0.25, -0.25);
    /* the second one alone: a segment */
    s.q.equalities = 1;
    s.eq_a[0] = s.eq_d[0] = 0;
    s.eq_b[0] = 2;
    s.eq_c[0] = -1;
    run(access, &s, region);
    assert_int_equal(region->status, GDYN_REGION_CURVE);
    check_slice(region, 0.5, -1, 1);
    /* contradictory */
    s.q.equalities = 2;
    s.eq_c[1] = -3;
    run(access, &s, region);
    assert_int_equal(region->status, GDYN_REGION_EMPTY);
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* IPAnema 1: wrench matrix of the eight cables at a place, as published with WireX and CASPR. */
static void structure_matrix(const double at[3], double W[6 * 8]) {
    static const double X[4] = {-2, 2, 2, -2}, Y[4] = {1.5, 1.5, -1.5, -1.5};
    static const double bx[4] = {-.06, .06, .06, -.06}, by[4] = {.06, .06, -.06, -.06};
    for (int i = 0; i < 8; i++) {
        double b[3] = {bx[i % 4], by[i % 4], 0}, *w = W + 6 * i;
        double l[3] = {X[i % 4] - at[0] - b[0], Y[i % 4] - at[1] - b[1],
                       (i < 4 ? 2 : 0) - at[2] - b[2]};
        double norm = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
        for (int j = 0; j < 3; j++)
            w[j] = l[j] / norm;
        w[3] = b[1] * w[2] - b[2] * w[1];
        w[4] = b[2] * w[0] - b[0] * w[2];
        w[5] = b[0] * w[1] - b[1] * w[0];
    }
}

/* Twelve circuits at the centre, 36 on the x axis, 56 = C(8, 3) in general. */
static void test_circuits(void **state) {
    (void)state;
    static const struct {
        double at[3];
        int circuits;
    } pose[] = {{{0, 0, 1}, 12}, {{0.3, 0, 1}, 36}, {{-0.71, 0, 1}, 36}, {{0.1, 0.2, 1.13}, 56}};
    gdyn_access *access = access_of();
    gdyn_region *region = gdyn_region_create();
    gdyn_svd *svd = gdyn_svd_create(6, 8);
    for (int n = 0; n < 4; n++) {
        double W[48], N[16], load[6 * 2] = {25, 3, 0, 0, 0, 1.4, 0, 0, 25 * 9.81, 0, 0, 0};
        coefficient_set s = {0};
        structure_matrix(pose[n].at, W);
        assert_int_equal(gdyn_svd_factor(svd, 6, 8, W, 6, 0), GDYN_OK);
        set_link(&s, 8, gdyn_svd_null(svd, N, 8));
        memcpy(s.V, N, sizeof N);
        gdyn_svd_solve(svd, 1, load, 6, s.D, 8);
        gdyn_svd_solve(svd, 1, load + 6, 6, s.C, 8);
        for (int i = 0; i < 8; i++) {
            s.A[i] = -0.4 * s.D[i];
            s.max[i] = 720;
        }
        assert_int_equal(s.q.r, 2);
        run(access, &s, region);
        assert_int_equal(gdyn_access_circuits(access), pose[n].circuits);
    }
    gdyn_svd_destroy(svd);
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* Numbers beyond all proportion: whatever the answer, nothing in it is a NaN. */
static void test_proportions(void **state) {
    (void)state;
    gdyn_access *access = access_of();
    gdyn_region *region = gdyn_region_create();
    for (int n = 0; n < 1000; n++) {
        gdyn_random random = gdyn_random_stream(41, (uint64_t)n, 0);
        coefficient_set s;
        set_random(&s, &random);
        double range = n % 2 ? 290 : 8;
        for (int i = 0; i < s.q.k; i++) {
            double *number[] = {&s.A[i], &s.B[i], &s.C[i], &s.D[i], &s.min[i], &s.max[i]};
            for (int j = 0; j < 6; j++)
                if (gdyn_random_below(&random, 4) == 0)
                    *number[j] *= pow(10, gdyn_random_between(&random, -range, range));
        }
        run(access, &s, region);
        for (int i = 0; i < region->upper_count; i++) {
            const gdyn_arc *arc = &region->upper[i];
            assert_true(isfinite(arc->a) && isfinite(arc->b) && isfinite(arc->c));
            assert_true(arc->from <= arc->to);
        }
        if (region->island_count)
            assert_false(isnan(region->area) || isnan(region->d1_max));
        if (region->status == GDYN_REGION_EMPTY)
            assert_false(isnan(gdyn_region_certificate(region)->relative));
    }
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

static void test_no_allocation(void **state) {
    (void)state;
    gdyn_access *access = access_of();
    gdyn_region *region = gdyn_region_create();
    coefficient_set s;
    unsigned long before = 0;
    for (int pass = 0; pass < 2; pass++) {
        before = gdyn_alloc_count();
        for (int n = 0; n < 500; n++) {
            gdyn_random random = gdyn_random_stream(5, (uint64_t)n, 0);
            set_random(&s, &random);
            run(access, &s, region);
        }
    }
    assert_int_equal(gdyn_alloc_count(), before);
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

static void test_no_memory(void **state) {
    (void)state;
    gdyn_access *access = NULL;
    for (int n = 0; !access; n++) {
        gdyn_alloc_fail_after(n);
        access = gdyn_access_create(10, 3, 1);
        gdyn_alloc_fail_after(-1);
        assert_true(n < 100);
    }
    coefficient_set s;
    slider(&s, 1, 1, 1);
    gdyn_region *region = gdyn_region_create();
    /* every allocation of every method fails once; an empty region asks for its certificate */
    for (int method = GDYN_BY_ELEMENTARY; method <= GDYN_BY_LP; method++)
        for (int closed = 0; closed < 2; closed++) {
            gdyn_status status = GDYN_ERROR_MEMORY;
            s.C[0] = s.C[1] = closed ? 5 : 0;
            s.V[1] = closed ? -1 : 1;
            for (int n = 0; status != GDYN_OK; n++) {
                gdyn_alloc_fail_after(n);
                status = gdyn_access_region(access, &s.q, (gdyn_projection)method, region);
                gdyn_alloc_fail_after(-1);
                assert_true(status == GDYN_OK || status == GDYN_ERROR_MEMORY);
                assert_true(n < 100);
            }
            assert_int_equal(region->status, closed ? GDYN_REGION_EMPTY : GDYN_REGION_OK);
        }
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
    gdyn_access_destroy(NULL);
    gdyn_region_destroy(NULL);
    assert_null(gdyn_access_create(-1, 0, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider),        cmocka_unit_test(test_cables),
        cmocka_unit_test(test_area),          cmocka_unit_test(test_islands),
        cmocka_unit_test(test_extremes),      cmocka_unit_test(test_equalities),
        cmocka_unit_test(test_circuits),      cmocka_unit_test(test_proportions),
        cmocka_unit_test(test_no_allocation), cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
