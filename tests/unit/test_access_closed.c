/* test_access_closed.c - empty regions and their certificates, drive forces, intersections. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "access/access.h"
#include "access/folding.h"
#include "access_sets.h"
#include "share.h"

#include <math.h>
#include <stdlib.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void draw(coefficient_set *s, int n, double load) {
    gdyn_random random = gdyn_random_stream(31, (uint64_t)n, 2);
    set_random(s, &random);
    for (int i = 0; i < s->q.k; i++)
        s->C[i] *= load;
}

/* The copy's arrays instead of the original's. */
static void relink(coefficient_set *copy, const coefficient_set *s) {
    set_link(copy, s->q.k, s->q.r);
    copy->q.equalities = s->q.equalities;
    copy->q.d1_low = s->q.d1_low;
    copy->q.d1_high = s->q.d1_high;
    if (s->q.min_slope) {
        copy->q.min_slope = copy->min_slope;
        copy->q.max_slope = copy->max_slope;
    }
}

/* Magnitude of a limit as the certificate counts it: its value, half the range where it is zero. */
static double magnitude(const coefficient_set *s, gdyn_limit limit) {
    double value = limit.side > 0 ? s->max[limit.row] : s->min[limit.row];
    double other = limit.side > 0 ? s->min[limit.row] : s->max[limit.row];
    if (value != 0)
        return fabs(value);
    return isfinite(other) ? 0.5 * fabs(other - value) : NAN;
}

static bool open_with(gdyn_access *access, const coefficient_set *s, gdyn_projection method) {
    gdyn_region *region = gdyn_region_create();
    assert_int_equal(gdyn_access_region(access, &s->q, method, region), GDYN_OK);
    bool open = region->status != GDYN_REGION_EMPTY;
    gdyn_region_destroy(region);
    return open;
}

/* All named limits give way by this share; false when one of them has no magnitude of its own. */
static bool relax(coefficient_set *s, const gdyn_certificate *c, double share) {
    coefficient_set old = *s;
    for (int i = 0; i < c->count; i++) {
        gdyn_limit limit = c->limit[i];
        if (limit.shape == GDYN_LIMIT_WINDOW)
            s->q.d1_high *= 1 + share;
        if (limit.shape != GDYN_LIMIT_ROW)
            continue;
        double m = magnitude(&old, limit);
        if (isnan(m))
            return false;
        if (limit.side > 0)
            s->max[limit.row] += share * m;
        else
            s->min[limit.row] -= share * m;
    }
    return true;
}

/* Slightly more than the amount opens the region, slightly less does not: judged by linear programs. */
static void check_amount(gdyn_access *access, const coefficient_set *s, const gdyn_certificate *c) {
    for (int more = 0; more < 2; more++) {
        coefficient_set t = *s;
        relink(&t, s);
        double share = more ? c->relative * (1 + 1e-6) + 1e-8 : c->relative * (1 - 1e-6) - 1e-8;
        if (relax(&t, c, share))
            assert_int_equal(open_with(access, &t, GDYN_BY_LP), more);
    }
}

/* Likewise for each limit by itself. */
static void check_needs(gdyn_access *access, const coefficient_set *s, const gdyn_certificate *c) {
    for (int i = 0; i < c->count; i++) {
        gdyn_limit limit = c->limit[i];
        if (limit.shape != GDYN_LIMIT_ROW || !isfinite(c->needs[i]))
            continue;
        double now = limit.side > 0 ? s->max[limit.row] : s->min[limit.row];
        double amount = fabs(c->needs[i] - now);
        assert_true(limit.side > 0 ? c->needs[i] > now : c->needs[i] < now);
        for (int more = 0; more < 2; more++) {
            coefficient_set t = *s;
            relink(&t, s);
            double value =
                now + limit.side * (more ? amount * (1 + 1e-6) + 1e-8 : amount * (1 - 1e-6) - 1e-8);
            *(limit.side > 0 ? &t.max[limit.row] : &t.min[limit.row]) = value;
            assert_int_equal(open_with(access, &t, GDYN_BY_LP), more);
        }
    }
}

static void test_certificates(void **state) {
    (void)state;
    gdyn_access *access = gdyn_access_create(SET_K, SET_R, SET_E);
    gdyn_region *region = gdyn_region_create();
    int empty = 0, amounts = 0;
    for (int n = 0; n < gdyn_share(3000); n++) {
        coefficient_set s;
        draw(&s, n, 1.5);
        assert_int_equal(gdyn_access_region(access, &s.q, GDYN_BY_ELEMENTARY, region), GDYN_OK);
        if (region->status != GDYN_REGION_EMPTY)
            continue;
        gdyn_certificate c = *gdyn_region_certificate(region);
        empty++;
        assert_true(c.count > 0);
        if (isfinite(c.relative)) {
            assert_true(c.relative > 0);
            amounts++;
            check_amount(access, &s, &c);
        } else {
            assert_true(s.q.equalities > 0); /* only equalities never give way */
        }
        check_needs(access, &s, &c);
    }
    assert_true(empty >= gdyn_share(150) && amounts >= gdyn_share(100));
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* Twenty drives, r = 6: too many elementary vectors, the certificate comes from linear programs. */
static void test_many_drives(void **state) {
    (void)state;
    gdyn_access *access = gdyn_access_create(SET_K, SET_R, 0);
    gdyn_region *region = gdyn_region_create();
    int empty = 0;
    for (int n = 0; n < 12; n++) {
        gdyn_random random = gdyn_random_stream(8, (uint64_t)n, 0);
        coefficient_set s = {0};
        set_link(&s, SET_K, SET_R);
        for (int i = 0; i < s.q.k; i++) {
            s.A[i] = gdyn_random_normal(&random);
            s.B[i] = n % 2 ? 0.3 * gdyn_random_normal(&random) : 0;
            s.C[i] = 1.1 * gdyn_random_normal(&random);
            s.D[i] = gdyn_random_normal(&random);
            s.max[i] = 1;
            s.min[i] = i % 5 ? -1 : 0;
        }
        for (int i = 0; i < s.q.k * s.q.r; i++)
            s.V[i] = gdyn_random_normal(&random);
        s.q.d1_high = n % 3 ? INFINITY : 0.1;
        assert_int_equal(gdyn_access_region(access, &s.q, GDYN_BY_ELEMENTARY, region), GDYN_OK);
        if (region->status != GDYN_REGION_EMPTY)
            continue;
        gdyn_certificate c = *gdyn_region_certificate(region);
        empty++;
        assert_true(c.count > 0 && isfinite(c.relative));
        check_amount(access, &s, &c);
        check_needs(access, &s, &c);
    }
    assert_true(empty > 5);
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* One drive of 12 N m that must hold 12.84 N m: the message of the manual. */
static void test_one_drive(void **state) {
    (void)state;
    coefficient_set s = {0};
    set_link(&s, 2, 0);
    s.C[0] = 12.84;
    s.D[1] = 1;
    for (int i = 0; i < 2; i++) {
        s.min[i] = -12;
        s.max[i] = 12;
    }
    gdyn_access *access = gdyn_access_create(4, 1, 0);
    gdyn_region *region = gdyn_region_create();
    assert_int_equal(gdyn_access_region(access, &s.q, GDYN_BY_ELEMENTARY, region), GDYN_OK);
    assert_int_equal(region->status, GDYN_REGION_EMPTY);
    assert_int_equal(gdyn_region_certificate(region)->count, 1);
    assert_int_equal(gdyn_region_certificate(region)->limit[0].row, 0);
    assert_int_equal(gdyn_region_certificate(region)->limit[0].side, 1);
    assert_near(gdyn_region_certificate(region)->needs[0], 12.84, 1e-13);
    assert_near(gdyn_region_certificate(region)->relative, 0.07, 1e-14);
    /* two drives that hold each other: 2 + 3 needed, 4 there */
    set_link(&s, 2, 1);
    s.C[0] = 5;
    s.D[1] = 0;
    s.V[0] = 1;
    s.V[1] = -1;
    s.max[0] = 1, s.min[0] = -1;
    s.max[1] = 3, s.min[1] = -3;
    assert_int_equal(gdyn_access_region(access, &s.q, GDYN_BY_ELEMENTARY, region), GDYN_OK);
    assert_int_equal(gdyn_region_certificate(region)->count, 2);
    assert_near(gdyn_region_certificate(region)->relative, 0.25, 1e-14);
    assert_near(gdyn_region_certificate(region)->needs[0], 2, 1e-13);
    assert_near(gdyn_region_certificate(region)->needs[1], 4, 1e-13);
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* --- forces ------------------------------------------------------------------------------------------------ */

/* n belongs to (d1, d2, y) and keeps the limits; whether the point is accessible is what LP says. */
static void check_point(gdyn_access *access, const coefficient_set *s, double d1, double d2) {
    double y[SET_R] = {0}, n[SET_K], violation;
    assert_int_equal(gdyn_access_violation(&s->q, d1, d2, &violation), GDYN_OK);
    bool found = gdyn_access_forces(access, &s->q, d1, d2, y, n);
    if (fabs(violation) > 1e-7 && d1 >= s->q.d1_low && d1 <= s->q.d1_high)
        assert_int_equal(found, violation < 0);
    if (!found)
        return;
    for (int i = 0; i < s->q.k; i++) {
        double value = (s->A[i] * d1 + s->B[i]) * d1 + s->C[i] + s->D[i] * d2, size = 1;
        for (int j = 0; j < s->q.r; j++) {
            value += s->V[j * s->q.k + i] * y[j];
            size += fabs(s->V[j * s->q.k + i] * y[j]);
        }
        size += fabs(s->D[i] * d2) + fabs(s->A[i] * d1 * d1);
        assert_near(n[i], value, 1e-12 * size);
        if (isinf(s->min[i]) && isinf(s->max[i]))
            continue;
        assert_true(n[i] >= s->min[i] + s->min_slope[i] * d1 - 1e-7 * size);
        assert_true(n[i] <= s->max[i] + s->max_slope[i] * d1 + 1e-7 * size);
    }
}

static void test_forces(void **state) {
    (void)state;
    gdyn_access *access = gdyn_access_create(SET_K, SET_R, SET_E);
    gdyn_region *region = gdyn_region_create();
    for (int n = 0; n < gdyn_share(1500); n++) {
        coefficient_set s;
        draw(&s, n, 1);
        assert_int_equal(gdyn_access_region(access, &s.q, GDYN_BY_ELEMENTARY, region), GDYN_OK);
        for (int i = 0; i < region->upper_count && region->status == GDYN_REGION_OK; i++) {
            double from = region->upper[i].from, to = region->upper[i].to, low, high;
            double d1 = isfinite(to) ? 0.5 * (from + to) : 2 * fabs(from) + 0.3;
            assert_true(gdyn_region_slice(region, d1, &low, &high));
            if (!isfinite(low))
                low = high - 1;
            check_point(access, &s, d1, high);
            check_point(access, &s, d1, low + 0.37 * (high - low));
            check_point(access, &s, d1, high + 0.2 * (high - low) + 0.1);
        }
    }
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* The closed form for one internal load at most, against the program: a further column of zeros changes nothing. */
static void test_violation(void **state) {
    (void)state;
    int inside = 0, outside = 0;
    for (int n = 0; n < gdyn_share(2000); n++) {
        coefficient_set s, wide;
        draw(&s, n, 1);
        int k = s.q.k < SET_K ? s.q.k : SET_K, r = n % 4 ? 1 : 0;
        s.q.r = r;
        wide = s;
        relink(&wide, &s);
        wide.q.r = 2;
        for (int i = 0; i < (2 - r) * k; i++)
            wide.V[r * k + i] = 0;
        gdyn_random random = gdyn_random_stream(5, (uint64_t)n, 0);
        double d1 = 2 * gdyn_random_uniform(&random), d2 = 3 * gdyn_random_normal(&random);
        double closed, program;
        assert_int_equal(gdyn_access_violation(&s.q, d1, d2, &closed), GDYN_OK);
        assert_int_equal(gdyn_access_violation(&wide.q, d1, d2, &program), GDYN_OK);
        assert_near(closed, program, 1e-9 * (1 + fabs(program)));
        inside += closed < 0;
        outside += closed > 0;
    }
    assert_true(inside >= gdyn_share(100) && outside >= gdyn_share(100));
}

/* The internal load is the least one: two opposed drives share a force equally. */
static void test_least_load(void **state) {
    (void)state;
    coefficient_set s = {0};
    set_link(&s, 2, 1);
    s.D[0] = 2;
    s.V[0] = s.V[1] = 1;
    s.min[0] = s.min[1] = -4;
    s.max[0] = s.max[1] = 4;
    double y[1], n[2];
    gdyn_access *access = gdyn_access_create(2, 1, 0);
    assert_true(gdyn_access_forces(access, &s.q, 0, 3, y, n));
    assert_near(n[0] - n[1], 6, 1e-13);
    assert_near(y[0], -2, 1e-13); /* the least y that keeps n1 = 6 + y <= 4 */
    assert_true(gdyn_access_forces(access, &s.q, 0, 1, y, n));
    assert_near(y[0], 0, 1e-13);
    assert_false(gdyn_access_forces(access, &s.q, 0, 4.01, y, n));
    gdyn_access_destroy(access);
}

/* --- intersection ------------------------------------------------------------------------------------------ */

/* The region of both sets of rows, each with its own y, by slices of the single regions. */
static void test_intersection(void **state) {
    (void)state;
    gdyn_access *access = gdyn_access_create(SET_K, SET_R, SET_E);
    gdyn_region *a = gdyn_region_create(), *b = gdyn_region_create(), *c = gdyn_region_create();
    int open = 0;
    for (int n = 0; n < gdyn_share(2000); n++) {
        coefficient_set s, t;
        draw(&s, 2 * n, 1);
        draw(&t, 2 * n + 1, 1);
        assert_int_equal(gdyn_access_region(access, &s.q, GDYN_BY_ELEMENTARY, a), GDYN_OK);
        assert_int_equal(gdyn_access_region(access, &t.q, GDYN_BY_ELEMENTARY, b), GDYN_OK);
        assert_int_equal(gdyn_region_intersect(a, b, c), GDYN_OK);
        open += c->status == GDYN_REGION_OK;
        double far = isfinite(c->d1_max) ? 1.5 * c->d1_max + 0.3 : 4;
        for (double d1 = 0.00137; d1 < far; d1 += far / 37) {
            double la, ha, lb, hb, lc, hc;
            bool ina = gdyn_region_slice(a, d1, &la, &ha), inb = gdyn_region_slice(b, d1, &lb, &hb);
            bool inc = gdyn_region_slice(c, d1, &lc, &hc);
            double low = fmax(la, lb), high = fmin(ha, hb);
            if (!ina || !inb) {
                assert_false(inc);
                continue;
            }
            if (fabs(high - low) > 1e-7)
                assert_int_equal(inc, low < high);
            if (!inc)
                continue;
            assert_true(lc == low || fabs(lc - low) <= 1e-9 * (1 + fabs(low)));
            assert_true(hc == high || fabs(hc - high) <= 1e-9 * (1 + fabs(high)));
        }
    }
    assert_true(open > gdyn_share(500));
    assert_int_equal(gdyn_region_intersect(a, b, a), GDYN_ERROR_ARGUMENT);
    assert_int_equal(gdyn_region_copy(c, a), GDYN_OK);
    assert_int_equal(c->upper_count, a->upper_count);
    assert_int_equal(c->status, a->status);
    gdyn_region_destroy(a);
    gdyn_region_destroy(b);
    gdyn_region_destroy(c);
    gdyn_access_destroy(access);
}

/* With itself a region stays what it is. */
static void test_idempotent(void **state) {
    (void)state;
    gdyn_access *access = gdyn_access_create(SET_K, SET_R, SET_E);
    gdyn_region *a = gdyn_region_create(), *c = gdyn_region_create();
    for (int n = 0; n < gdyn_share(1000); n++) {
        coefficient_set s;
        draw(&s, n, 1);
        assert_int_equal(gdyn_access_region(access, &s.q, GDYN_BY_ELEMENTARY, a), GDYN_OK);
        assert_int_equal(gdyn_region_intersect(a, a, c), GDYN_OK);
        assert_int_equal(a->status, c->status);
        assert_int_equal(a->island_count, c->island_count);
        assert_int_equal(a->upper_count, c->upper_count);
        assert_int_equal(a->lower_count, c->lower_count);
        assert_true(a->area == c->area || fabs(a->area - c->area) <= 1e-9 * a->area);
    }
    gdyn_region_destroy(a);
    gdyn_region_destroy(c);
    gdyn_access_destroy(access);
}

enum { MANY = 13 };

static void fold(int count, gdyn_region *const *region, bool backward, gdyn_region *out) {
    gdyn_common *common = gdyn_common_create();
    for (int i = 0; i < count; i++)
        assert_int_equal(gdyn_common_add(common, region[backward ? count - 1 - i : i]), GDYN_OK);
    assert_int_equal(gdyn_common_region(common, out), GDYN_OK);
    gdyn_common_destroy(common);
}

/* Least and maximum d2 of all regions at d1; false where one of them does not reach it. */
static bool slice_of_all(int count, gdyn_region *const *region, double d1, double *low,
                         double *high) {
    bool inside = true;
    *low = -INFINITY, *high = INFINITY;
    for (int i = 0; i < count && inside; i++) {
        double l, h;
        inside = gdyn_region_slice(region[i], d1, &l, &h);
        *low = fmax(*low, l), *high = fmin(*high, h);
    }
    return inside;
}

static void compare_slices(int count, gdyn_region *const *region, const gdyn_region *common) {
    double far = isfinite(common->d1_max) ? 1.5 * common->d1_max + 0.3 : 4;
    for (double d1 = 0.00137; d1 < far; d1 += far / 37) {
        double low, high, l, h;
        bool inside = slice_of_all(count, region, d1, &low, &high);
        bool found = gdyn_region_slice(common, d1, &l, &h);
        if (!inside)
            assert_false(found);
        else if (fabs(high - low) > 1e-7)
            assert_int_equal(found, low < high);
        if (inside && found) {
            assert_true(l == low || fabs(l - low) <= 1e-9 * (1 + fabs(low)));
            assert_true(h == high || fabs(h - high) <= 1e-9 * (1 + fabs(high)));
        }
    }
}

/* Regions of 2 to 13 sets, with islands, without bounds, in both orders, by slices of the single regions. */
static void test_common_of_many(void **state) {
    (void)state;
    gdyn_access *access = gdyn_access_create(SET_K, SET_R, SET_E);
    gdyn_region *region[MANY], *forward = gdyn_region_create(), *backward = gdyn_region_create();
    int open = 0;
    for (int i = 0; i < MANY; i++)
        region[i] = gdyn_region_create();
    for (int n = 0; n < gdyn_share(400); n++) {
        int count = 2 + n % (MANY - 1);
        for (int i = 0; i < count; i++) {
            coefficient_set s;
            draw(&s, 100 * n + i, 0.2);
            assert_int_equal(gdyn_access_region(access, &s.q, GDYN_BY_ELEMENTARY, region[i]),
                             GDYN_OK);
        }
        fold(count, region, false, forward);
        fold(count, region, true, backward);
        open += forward->status == GDYN_REGION_OK;
        compare_slices(count, region, forward);
        compare_slices(count, region, backward);
        assert_int_equal(forward->status, backward->status);
        assert_true(forward->area == backward->area ||
                    fabs(forward->area - backward->area) <= 1e-9 * forward->area);
    }
    assert_true(open > gdyn_share(100));
    for (int i = 0; i < MANY; i++)
        gdyn_region_destroy(region[i]);
    gdyn_region_destroy(forward);
    gdyn_region_destroy(backward);
    gdyn_access_destroy(access);
}

/* One arc that is known badly does not make others that are known well cross elsewhere: of u <= 1 and
 * u <= 1.5 - d1^2 / 8 the second one is left behind d1 = 2, up to the wall at 3; below is zero. Area 2 + 1.5 -
 * 19 / 24. */
static void test_arc_known_badly(void **state) {
    (void)state;
    gdyn_arc flat = {.to = INFINITY, .c = 1}, zero = {.to = INFINITY};
    gdyn_arc bent = {.to = 3, .a = -0.125, .c = 1.5};
    gdyn_arc floor[2] = {{.to = 2.999999, .c = -1},
                         {.from = 2.999999, .to = 3, .a = 1e9, .c = -9e9, .a_error = 10}};
    gdyn_island whole = {.to = INFINITY, .upper_count = 1, .lower_count = 1};
    gdyn_island short_one = {.to = 3, .upper_count = 1, .lower_count = 2};
    gdyn_region a = {.island = &whole, .island_count = 1, .upper = &flat, .upper_count = 1};
    gdyn_region b = {.island = &short_one, .island_count = 1, .upper = &bent, .upper_count = 1};
    a.lower = &zero, a.lower_count = 1, b.lower = floor, b.lower_count = 2;
    a.d1_unit = a.d2_unit = b.d1_unit = b.d2_unit = 1;
    gdyn_region *common = gdyn_region_create();
    assert_int_equal(gdyn_region_intersect(&a, &b, common), GDYN_OK);
    assert_int_equal(common->status, GDYN_REGION_OK);
    assert_int_equal(common->upper_count, 2);
    assert_near(common->area, 3.5 - 19.0 / 24, 1e-6);
    gdyn_region_destroy(common);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_certificates),   cmocka_unit_test(test_one_drive),
        cmocka_unit_test(test_many_drives),    cmocka_unit_test(test_forces),
        cmocka_unit_test(test_violation),      cmocka_unit_test(test_least_load),
        cmocka_unit_test(test_intersection),   cmocka_unit_test(test_idempotent),
        cmocka_unit_test(test_common_of_many), cmocka_unit_test(test_arc_known_badly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
