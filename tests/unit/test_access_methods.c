/* test_access_methods.c - three algorithms and an outside judge on random coefficient sets.
 *
 * Elementary vectors, saturated tuples and linear programs share only the scaling of the rows. The judge shares
 * nothing: it solves min / max d2 at fixed d1 straight from the coefficients. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "access/access.h"
#include "access_sets.h"
#include "share.h"

#include "lp/lp.h"

#include <math.h>
#include <stdlib.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

#define SETS   gdyn_share(10000)
#define JUDGED gdyn_share(2500)

typedef struct bench {
    gdyn_access *access;
    gdyn_region *a, *b;
} bench;

static bench bench_of(void) {
    bench t = {gdyn_access_create(SET_K, SET_R, SET_E), gdyn_region_create(), gdyn_region_create()};
    assert_non_null(t.access);
    assert_non_null(t.a);
    assert_non_null(t.b);
    return t;
}

static void bench_free(bench *t) {
    gdyn_region_destroy(t->a);
    gdyn_region_destroy(t->b);
    gdyn_access_destroy(t->access);
}

static void draw(coefficient_set *s, int n) {
    gdyn_random random = gdyn_random_stream(2026, (uint64_t)n, 1);
    set_random(s, &random);
}

/* Equal as numbers, infinities and NaNs included. */
static bool same(double x, double y, double tolerance) {
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (isinf(x) || isinf(y))
        return x == y;
    return fabs(x - y) <= tolerance * (1 + fabs(x) + fabs(y));
}

/* Greatest |D|: turns a difference of d2 into one of forces. */
static double force_per_d2(const coefficient_set *s) {
    double most = 0;
    for (int i = 0; i < s->q.k; i++)
        most = fmax(most, fabs(s->D[i]));
    return most;
}

/* Difference of two values of d2, as a share of the largest limit. */
static void check_d2(const coefficient_set *s, double x, double y, double tolerance) {
    if (isinf(x) || isinf(y)) {
        assert_true(x == y);
        return;
    }
    double share = force_per_d2(s) / fmax(set_largest(s), 0.1);
    assert_true(fabs(x - y) * share <= tolerance * (1 + (fabs(x) + fabs(y)) * share));
}

/* Is d1 within rounding of an end of an island? */
static bool at_end(const gdyn_region *r, double d1) {
    for (int i = 0; i < r->island_count; i++)
        if (fabs(d1 - r->island[i].from) < 1e-7 * (1 + fabs(d1)) ||
            fabs(d1 - r->island[i].to) < 1e-7 * (1 + fabs(d1)))
            return true;
    return false;
}

/* Slices of both regions at the corners and in the middles of the arcs of the first. */
static void check_arcs(const coefficient_set *s, const gdyn_region *a, const gdyn_region *b) {
    for (int n = 0; n < a->upper_count + a->lower_count; n++) {
        const gdyn_arc *arc = n < a->upper_count ? &a->upper[n] : &a->lower[n - a->upper_count];
        double to = isfinite(arc->to) ? arc->to : 2 * fabs(arc->from) + 1;
        double place[2] = {arc->from, 0.5 * (arc->from + to)}, la, ha, lb, hb;
        for (int i = 0; i < 2; i++) {
            assert_true(gdyn_region_slice(a, place[i], &la, &ha));
            if (!gdyn_region_slice(b, place[i], &lb, &hb)) { /* rounding at an end of an island */
                assert_true(at_end(b, place[i]));
                continue;
            }
            check_d2(s, la, lb, 1e-9);
            check_d2(s, ha, hb, 1e-9);
        }
    }
}

static void check_same(const coefficient_set *s, const gdyn_region *a, const gdyn_region *b) {
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->island_count, b->island_count);
    assert_int_equal(a->rest, b->rest);
    assert_int_equal(a->d2_unbounded, b->d2_unbounded);
    assert_true(same(a->area, b->area, 1e-8));
    assert_true(same(a->d1_max, b->d1_max, 1e-8));
    assert_true(same(a->speed_max, b->speed_max, 1e-8));
    for (int i = 0; i < a->island_count; i++) {
        assert_true(same(a->island[i].from, b->island[i].from, 1e-8));
        assert_true(same(a->island[i].to, b->island[i].to, 1e-8));
    }
    check_arcs(s, a, b);
    check_arcs(s, b, a);
}

static void compare(gdyn_projection method) {
    bench t = bench_of();
    int seen[5] = {0}, islands = 0;
    for (int n = 0; n < SETS; n++) {
        coefficient_set s;
        draw(&s, n);
        assert_int_equal(gdyn_access_region(t.access, &s.q, GDYN_BY_ELEMENTARY, t.a), GDYN_OK);
        assert_int_equal(gdyn_access_region(t.access, &s.q, method, t.b), GDYN_OK);
        check_same(&s, t.a, t.b);
        seen[t.a->status]++;
        islands += t.a->island_count > 1;
    }
    /* the sets must hold what they claim to hold */
    assert_true(seen[GDYN_REGION_OK] > SETS / 2 && seen[GDYN_REGION_CURVE] > SETS / 100);
    assert_true(seen[GDYN_REGION_POINT] > 0 && seen[GDYN_REGION_EMPTY] > SETS / 100);
    assert_true(islands > 0);
    bench_free(&t);
}

static void test_tuples(void **state) {
    (void)state;
    compare(GDYN_BY_TUPLES);
}

static void test_lp(void **state) {
    (void)state;
    compare(GDYN_BY_LP);
}

/* --- the judge ----------------------------------------------------------------------------------------- */

static void judge_load(gdyn_lp *lp, const gdyn_coefficients *q, double d1) {
    int k = q->k, m = k + q->equalities;
    double M[(SET_K + SET_E) * (SET_R + 1)];
    for (int i = 0; i < m; i++) {
        M[i] = i < k ? q->D[i] : q->eq_d[i - k];
        for (int j = 0; j < q->r; j++)
            M[(j + 1) * m + i] = i < k ? q->V[j * k + i] : 0;
    }
    assert_int_equal(gdyn_lp_load(lp, m, q->r + 1, M, m), GDYN_OK);
    for (int i = 0; i < k; i++) {
        double f = (q->A[i] * d1 + q->B[i]) * d1 + q->C[i];
        gdyn_lp_row(lp, i, q->min[i] + (q->min_slope ? q->min_slope[i] * d1 : 0) - f,
                    q->max[i] + (q->max_slope ? q->max_slope[i] * d1 : 0) - f);
    }
    for (int i = 0; i < q->equalities; i++) {
        double f = (q->eq_a[i] * d1 + q->eq_b[i]) * d1 + q->eq_c[i];
        gdyn_lp_row(lp, k + i, -f, -f);
    }
    gdyn_lp_objective(lp, 0, 1);
}

/* False when no d2 is possible at d1. */
static bool judge(const gdyn_coefficients *q, double d1, double range[2]) {
    gdyn_lp *lp = gdyn_lp_create(q->k + q->equalities, q->r + 1);
    bool open = true;
    judge_load(lp, q, d1);
    for (int side = 0; side < 2; side++) {
        gdyn_lp_status outcome;
        assert_int_equal(gdyn_lp_solve(lp, side, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
        open = open && outcome != GDYN_LP_INFEASIBLE;
        range[side] = outcome == GDYN_LP_OPTIMAL ? gdyn_lp_value(lp) : side ? INFINITY : -INFINITY;
    }
    gdyn_lp_destroy(lp);
    return open;
}

static void judge_at(const coefficient_set *s, const gdyn_region *r, double d1) {
    double low, high, range[2];
    if (d1 < s->q.d1_low || d1 > s->q.d1_high || at_end(r, d1))
        return;
    bool inside = gdyn_region_slice(r, d1, &low, &high), open = judge(&s->q, d1, range);
    assert_int_equal(inside, open);
    if (!inside)
        return;
    check_d2(s, low, range[0], 1e-8);
    check_d2(s, high, range[1], 1e-8);
}

/* Corners, middles, gaps between islands, and places beyond. */
static void test_judge(void **state) {
    (void)state;
    bench t = bench_of();
    for (int n = 0; n < JUDGED; n++) {
        coefficient_set s;
        draw(&s, n);
        assert_int_equal(gdyn_access_region(t.access, &s.q, GDYN_BY_ELEMENTARY, t.a), GDYN_OK);
        const gdyn_region *r = t.a;
        for (int i = 0; i < r->upper_count; i++) {
            double to = isfinite(r->upper[i].to) ? r->upper[i].to : 2 * r->upper[i].from + 1;
            judge_at(&s, r, r->upper[i].from);
            judge_at(&s, r, 0.6 * r->upper[i].from + 0.4 * to);
        }
        for (int i = 0; i < r->lower_count; i++) {
            double to = isfinite(r->lower[i].to) ? r->lower[i].to : 2 * r->lower[i].from + 1;
            judge_at(&s, r, r->lower[i].from);
            judge_at(&s, r, 0.3 * r->lower[i].from + 0.7 * to);
        }
        for (int i = 0; i + 1 < r->island_count; i++)
            judge_at(&s, r, 0.5 * (r->island[i].to + r->island[i + 1].from));
        double last = r->island_count && isfinite(r->d1_max) ? fmax(r->d1_max, 0.1) : 1;
        for (double f = 0; f < 4; f += 0.37)
            judge_at(&s, r, f * last);
    }
    bench_free(&t);
}

/* --- a second algorithm for the reachable d1 ------------------------------------------------------------- */

/* Null vector of the n - 1 columns of the n rows listed of [D V], by minors. */
static double minor(const double *M, int n, int skip) {
    double W[7 * 7], det = 1;
    int m = n - 1;
    for (int i = 0, row = 0; i < n; i++)
        if (i != skip)
            memcpy(W + row++ * m, M + i * m, (size_t)m * sizeof(double));
    for (int c = 0; c < m; c++) {
        int best = c;
        for (int i = c; i < m; i++)
            best = fabs(W[i * m + c]) > fabs(W[best * m + c]) ? i : best;
        det *= best == c ? W[c * m + c] : -W[best * m + c];
        if (W[best * m + c] == 0)
            return 0;
        for (int j = 0; j < m; j++) {
            double x = W[c * m + j];
            W[c * m + j] = W[best * m + j];
            W[best * m + j] = x;
        }
        for (int i = c + 1; i < m; i++)
            for (int j = m - 1; j >= c; j--)
                W[i * m + j] -= W[i * m + c] / W[c * m + c] * W[c * m + j];
    }
    return det;
}

/* Does some elementary vector of [D V] with support r + 2 forbid d1? */
static bool forbidden(const coefficient_set *s, double d1) {
    const gdyn_coefficients *q = &s->q;
    int n = q->r + 2;
    for (unsigned mask = 0; mask < 1u << q->k; mask++) {
        int row[8], count = 0;
        for (int i = 0; i < q->k; i++)
            if (mask >> i & 1 && count < 8)
                row[count++] = i;
        if (__builtin_popcount(mask) != n)
            continue;
        double M[8 * 7], w[8], most = 0, low = 0, high = 0, load = 0;
        for (int i = 0; i < n; i++) {
            M[i * (n - 1)] = q->D[row[i]];
            for (int j = 0; j < q->r; j++)
                M[i * (n - 1) + 1 + j] = q->V[j * q->k + row[i]];
        }
        for (int i = 0; i < n; i++) {
            w[i] = (i % 2 ? -1 : 1) * minor(M, n, i);
            most = fmax(most, fabs(w[i]));
        }
        for (int i = 0; i < n && most > 0; i++) {
            int j = row[i];
            w[i] /= most;
            load += w[i] * ((q->A[j] * d1 + q->B[j]) * d1 + q->C[j]);
            low += w[i] > 0 ? w[i] * q->min[j] : w[i] * q->max[j];
            high += w[i] > 0 ? w[i] * q->max[j] : w[i] * q->min[j];
        }
        if (most > 0 && (load < low || load > high))
            return true;
    }
    return false;
}

/* Reachable d1 by envelopes and by elementary vectors of [D V] (generic rows with two limits). */
static void test_reach(void **state) {
    (void)state;
    bench t = bench_of();
    for (int n = 0; n < 400; n++) {
        gdyn_random random = gdyn_random_stream(77, (uint64_t)n, 0);
        coefficient_set s = {0};
        int r = gdyn_random_below(&random, 4);
        set_link(&s, r + 2 + gdyn_random_below(&random, 3), r);
        for (int i = 0; i < s.q.k; i++) {
            s.A[i] = gdyn_random_normal(&random);
            s.B[i] = gdyn_random_normal(&random);
            s.C[i] = gdyn_random_normal(&random);
            s.D[i] = gdyn_random_normal(&random);
            s.max[i] = 0.5 + gdyn_random_uniform(&random);
            s.min[i] = -s.max[i];
        }
        for (int i = 0; i < s.q.k * r; i++)
            s.V[i] = gdyn_random_normal(&random);
        assert_int_equal(gdyn_access_region(t.access, &s.q, GDYN_BY_ELEMENTARY, t.a), GDYN_OK);
        for (double d1 = 0; d1 < 5; d1 += 0.0731) {
            double low, high;
            if (!at_end(t.a, d1))
                assert_int_equal(gdyn_region_slice(t.a, d1, &low, &high), !forbidden(&s, d1));
        }
    }
    bench_free(&t);
}

/* Many redundant drives, whose circuits are found from what they leave out: the same region by programs. */
static void test_many_redundant(void **state) {
    (void)state;
    bench t = bench_of();
    for (int n = 0; n < 60; n++) {
        gdyn_random random = gdyn_random_stream(78, (uint64_t)n, 0);
        coefficient_set s = {0};
        int r = 4 + gdyn_random_below(&random, 6);
        set_link(&s, r + 1 + gdyn_random_below(&random, 3), r);
        for (int i = 0; i < s.q.k; i++) {
            s.A[i] = gdyn_random_normal(&random);
            s.B[i] = gdyn_random_normal(&random);
            s.C[i] = gdyn_random_normal(&random);
            s.D[i] = gdyn_random_normal(&random);
            s.max[i] = 2 + gdyn_random_uniform(&random);
            s.min[i] = -s.max[i];
        }
        for (int i = 0; i < s.q.k * r; i++)
            s.V[i] = gdyn_random_normal(&random);
        assert_int_equal(gdyn_access_region(t.access, &s.q, GDYN_BY_ELEMENTARY, t.a), GDYN_OK);
        assert_int_equal(gdyn_access_region(t.access, &s.q, GDYN_BY_LP, t.b), GDYN_OK);
        assert_int_equal(t.a->status, t.b->status);
        assert_int_equal(t.a->island_count, t.b->island_count);
        assert_true(same(t.a->area, t.b->area, 1e-6));
        assert_true(same(t.a->d1_max, t.b->d1_max, 1e-8));
        assert_true(same(t.a->rest_max, t.b->rest_max, 1e-9));
    }
    bench_free(&t);
}

/* --- units ------------------------------------------------------------------------------------------------ */

static void check_scaled(const gdyn_region *a, const gdyn_region *b, double stretch) {
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->island_count, b->island_count);
    assert_true(same(a->d1_max, b->d1_max / stretch, 1e-9));
    assert_true(same(a->area, b->area / stretch / stretch, 1e-9));
    if (a->status == GDYN_REGION_EMPTY)
        assert_true(
            same(gdyn_region_certificate(a)->relative, gdyn_region_certificate(b)->relative, 1e-9));
}

/* Stretching p and changing the unit of force changes no decision. */
static void test_scale(void **state) {
    (void)state;
    bench t = bench_of();
    for (int n = 0; n < 1500; n++)
        for (int m = 0; m < 4; m++) {
            coefficient_set s;
            draw(&s, n);
            assert_int_equal(gdyn_access_region(t.access, &s.q, GDYN_BY_ELEMENTARY, t.a), GDYN_OK);
            int circuits = gdyn_access_circuits(t.access);
            double stretch = m & 1 ? 1.37e3 : 0.73e-3;
            set_scale(&s, m & 2 ? 1e3 : 1e-3, stretch);
            assert_int_equal(gdyn_access_region(t.access, &s.q, GDYN_BY_ELEMENTARY, t.b), GDYN_OK);
            assert_int_equal(gdyn_access_circuits(t.access), circuits);
            check_scaled(t.a, t.b, stretch);
        }
    bench_free(&t);
}

/* Twenty drives: C(20, 7) subsets are too many, the support method takes over and the judge agrees. */
static void test_many_drives(void **state) {
    (void)state;
    enum { K = 20, R = 6 };
    static double A[K], B[K], C[K], D[K], V[K * R], min[K], max[K];
    gdyn_coefficients q = {.k = K,
                           .r = R,
                           .A = A,
                           .B = B,
                           .C = C,
                           .D = D,
                           .V = V,
                           .min = min,
                           .max = max,
                           .d1_high = INFINITY,
                           .d1_high_window = -1};
    gdyn_random random = gdyn_random_stream(5, 0, 9);
    gdyn_access *access = gdyn_access_create(K, R, 0);
    gdyn_region *region = gdyn_region_create();
    for (int i = 0; i < K; i++) {
        A[i] = gdyn_random_normal(&random);
        B[i] = 0.3 * gdyn_random_normal(&random);
        C[i] = 0.2 * gdyn_random_normal(&random);
        D[i] = gdyn_random_normal(&random);
        max[i] = 1;
        min[i] = -1;
    }
    for (int i = 0; i < K * R; i++)
        V[i] = gdyn_random_normal(&random);
    assert_int_equal(gdyn_access_region(access, &q, GDYN_BY_ELEMENTARY, region), GDYN_OK);
    assert_int_equal(region->status, GDYN_REGION_OK);
    assert_int_equal(gdyn_access_circuits(access), 0);
    for (int i = 0; i <= 10; i++) {
        double low, high, violation, d1 = 0.0999 * i * region->d1_max;
        assert_true(gdyn_region_slice(region, d1, &low, &high));
        assert_int_equal(gdyn_access_violation(&q, d1, high, &violation), GDYN_OK);
        assert_near(violation, 0, 1e-9);
        assert_int_equal(gdyn_access_violation(&q, d1, low, &violation), GDYN_OK);
        assert_near(violation, 0, 1e-9);
        assert_int_equal(gdyn_access_violation(&q, d1, 0.5 * (low + high), &violation), GDYN_OK);
        assert_true(violation < 0);
    }
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* --- limits of every size ------------------------------------------------------------------------------ */

/* All limits of one size, whatever it is: two drives on one slide of unit mass. */
static void test_huge_limits(void **state) {
    (void)state;
    bench t = bench_of();
    const double size[] = {1e-60, 1e-9, 1, 1e12, 9e14, 1e15, 1e60, 1.7e308};
    for (size_t n = 0; n < sizeof size / sizeof *size; n++)
        for (int method = 0; method < 3; method++) {
            coefficient_set s = {0};
            set_link(&s, 2, 1);
            for (int i = 0; i < 2; i++) {
                s.D[i] = 0.5;
                s.V[i] = i ? -1 : 1;
                s.min[i] = -size[n];
                s.max[i] = size[n];
            }
            gdyn_projection by = (gdyn_projection)method;
            assert_int_equal(gdyn_access_region(t.access, &s.q, by, t.a), GDYN_OK);
            assert_int_equal(t.a->status, GDYN_REGION_OK);
            double most = size[n] < 1e15 ? 2 * size[n] : INFINITY;
            assert_true(t.a->rest && t.a->d2_unbounded == isinf(most));
            assert_true(isinf(most) ? isinf(t.a->rest_max)
                                    : fabs(t.a->rest_max / most - 1) < 1e-12);
        }
    bench_free(&t);
}

/* A range of a billionth of the load, and one drive that may do as it likes. */
static void test_narrow_range(void **state) {
    (void)state;
    bench t = bench_of();
    for (int method = 0; method < 3; method++) {
        coefficient_set s = {0};
        set_link(&s, 3, 1);
        double C[] = {5, -1, 0}, D[] = {1, 1, 2}, V[] = {1, -1, 0};
        double min[] = {7, -3, -4}, max[] = {7 + 2e-9, 3, 1e30};
        for (int i = 0; i < 3; i++)
            s.C[i] = C[i], s.D[i] = D[i], s.V[i] = V[i], s.min[i] = min[i], s.max[i] = max[i];
        /* y = 2 - d2 from the first, -3 <= -1 + d2 - y <= 3 from the second: 0 <= d2 <= 3 */
        gdyn_projection by = (gdyn_projection)method;
        assert_int_equal(gdyn_access_region(t.access, &s.q, by, t.a), GDYN_OK);
        assert_int_equal(t.a->status, GDYN_REGION_OK);
        assert_near(t.a->rest_min, 0, 4e-9);
        assert_near(t.a->rest_max, 3, 4e-9);
    }
    bench_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tuples),         cmocka_unit_test(test_lp),
        cmocka_unit_test(test_judge),          cmocka_unit_test(test_reach),
        cmocka_unit_test(test_many_redundant), cmocka_unit_test(test_scale),
        cmocka_unit_test(test_many_drives),    cmocka_unit_test(test_huge_limits),
        cmocka_unit_test(test_narrow_range)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
