/* test_traverse_cells.c - convex cells of regions that viscous terms bend: inside (outside), and by how much at most. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "traverse/internal.h"
#include "traverse_machines.h"

#include <math.h>

enum { DRIVES = 4, PIECES = 63, LOOKS = 997 };

/* Drives of equal force, one of them redundant, with viscous terms of that share. */
static void make_region(gdyn_random *random, double viscous, gdyn_access *access,
                        gdyn_region *region) {
    double rows[7][DRIVES]; /* A, B, C, D, min, max, V */
    for (int i = 0; i < DRIVES; i++) {
        rows[0][i] = gdyn_random_between(random, -1, 1);
        rows[1][i] = viscous * gdyn_random_between(random, -1, 1);
        rows[2][i] = gdyn_random_between(random, -0.3, 0.3);
        rows[3][i] = gdyn_random_between(random, -1, 1);
        rows[4][i] = -1, rows[5][i] = 1;
        rows[6][i] = gdyn_random_between(random, -1, 1);
    }
    gdyn_coefficients q = coefficients_in(rows[0], DRIVES, DRIVES, 1);
    q.d1_high = 2;
    assert_int_equal(gdyn_access_region(access, &q, GDYN_BY_ELEMENTARY, region), GDYN_OK);
}

/* Bounds of u over all cells at x; false: none holds it. */
static bool cells_slice(const gdyn_cells *cells, double x, bool outer, double *low, double *high) {
    bool found = false;
    *low = outer ? -INFINITY : INFINITY, *high = -*low;
    for (int c = 0; c < cells->count; c++) {
        const gdyn_strip cell = cells->cell[c];
        if (x < cell.x_low || x > cell.x_high)
            continue;
        double a = cell.low.a[0] * x + cell.low.c[0], b = cell.up.a[0] * x + cell.up.c[0];
        /* at a cut both cells hold it */
        *low = !found ? a : fmin(*low, a);
        *high = !found ? b : fmax(*high, b);
        found = true;
    }
    return found;
}

static double bend_of(const gdyn_arc *arc, int count) {
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(arc[i].b));
    return most;
}

/* The error allowed: 1 / (2 pieces^2) of the region's height or, where that is greater, of its curved terms. */
static void check_cells(const gdyn_region *region, bool outer) {
    gdyn_cell_extent scope = {1.01 * region->d1_max * region->d1_max, region->d1_max, PIECES};
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_cells cells = {0};
    assert_int_equal(gdyn_cells_make(&cells, arena, region, &scope, outer, 1), GDYN_OK);
    assert_true(cells.scoped);
    double low, high, height = 0;
    for (int i = 0; i < region->island_count; i++)
        if (gdyn_region_slice(region, region->island[i].from, &low, &high))
            height = fmax(height, high - low);
    double bend = fmax(bend_of(region->upper, region->upper_count),
                       bend_of(region->lower, region->lower_count));
    double allowed = 1.1 * fmax(height, bend * scope.d1_top) / (2 * PIECES * PIECES);
    for (int i = 0; i < LOOKS; i++) {
        double d1 = region->d1_max * i / LOOKS, u_low, u_high;
        if (!gdyn_region_slice(region, d1, &low, &high) ||
            !cells_slice(&cells, d1 * d1, outer, &u_low, &u_high))
            continue;
        double over = outer ? u_high - high : high - u_high;
        double under = outer ? low - u_low : u_low - low;
        assert_true(over >= -1e-12 * height && over <= allowed);
        assert_true(under >= -1e-12 * height && under <= allowed);
    }
    gdyn_arena_destroy(arena);
}

static void cells_keep_their_error(void **state) {
    (void)state;
    gdyn_access *access = gdyn_access_create(DRIVES, 1, 1);
    gdyn_region *region = gdyn_region_create();
    int checked = 0;
    for (int trial = 0; trial < 400; trial++) {
        gdyn_random random = gdyn_random_stream(5, (uint64_t)trial, 0);
        make_region(&random, pow(10, -(trial % 5)), access, region);
        if (region->island_count == 0)
            continue;
        check_cells(region, false);
        check_cells(region, true);
        checked++;
    }
    assert_true(checked > 100);
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* Small curved terms take few cells, great ones as many as before. */
static void few_cells_where_arcs_hardly_bend(void **state) {
    (void)state;
    gdyn_access *access = gdyn_access_create(DRIVES, 1, 1);
    gdyn_region *region = gdyn_region_create();
    int count[2];
    for (int great = 0; great < 2; great++) {
        gdyn_random random = gdyn_random_stream(5, 3, 0);
        make_region(&random, great ? 1 : 1e-3, access, region);
        assert_true(region->island_count > 0);
        gdyn_cell_extent scope = {1.01 * region->d1_max * region->d1_max, region->d1_max, PIECES};
        gdyn_arena *arena = gdyn_arena_create();
        gdyn_cells cells = {0};
        assert_int_equal(gdyn_cells_make(&cells, arena, region, &scope, false, 1), GDYN_OK);
        count[great] = cells.count;
        gdyn_arena_destroy(arena);
    }
    assert_true(count[0] <= 12 && count[1] > 40);
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
}

/* Unions, parts and intersections of intervals on a lattice, against membership of every half step; sets that overflow
 * stay inside or outside. */
static void intervals_are_sets(void **state) {
    (void)state;
    enum { STEPS = 80, ADDED = 12 };
    for (int trial = 0; trial < 400; trial++) {
        gdyn_random random = gdyn_random_stream(9, (uint64_t)trial, 0);
        gdyn_intervals set[4] = {{0}};
        bool in[3][STEPS + 1] = {{false}};
        for (int i = 0; i < ADDED; i++) {
            int s = i % 2, low = (int)gdyn_random_below(&random, STEPS / 2),
                high = low + (int)gdyn_random_below(&random, 6);
            gdyn_intervals_add(&set[s], low, high, false);
            for (int x = 2 * low; x <= 2 * high && x <= STEPS; x++)
                in[s][x] = true;
        }
        int from = (int)gdyn_random_below(&random, STEPS / 2);
        gdyn_intervals_add_part(&set[2], &set[0], from, from + 9, true);
        set[3] = set[0];
        gdyn_intervals_intersect(&set[3], &set[1]);
        for (int x = 0; x <= STEPS; x++) {
            bool part = in[0][x] && x >= 2 * from && x <= 2 * (from + 9);
            bool want[4] = {in[0][x], in[1][x], part, in[0][x] && in[1][x]};
            for (int s = 0; s < 4; s++)
                assert_int_equal(gdyn_intervals_below(&set[s], 0.5 * x, 0) == 0.5 * x, want[s]);
        }
        for (int s = 0; s < 4; s++)
            for (int i = 0; i + 1 < set[s].count; i++)
                assert_true(set[s].high[i] < set[s].low[i + 1]);
    }
    for (int outer = 0; outer < 2; outer++) {
        gdyn_intervals all = {0};
        for (int i = 0; i < 3 * GDYN_INTERVALS_MAX; i++)
            gdyn_intervals_add(&all, i, i + 0.1 + 0.01 * i, outer);
        assert_int_equal(all.count, GDYN_INTERVALS_MAX);
        /* what an inner set dropped is known, also of what it takes part in */
        gdyn_intervals part = gdyn_intervals_of(0, 1);
        gdyn_intervals_intersect(&part, &all);
        assert_true(all.lost == !outer && part.lost == !outer);
        for (int i = 0; i < 3 * GDYN_INTERVALS_MAX; i++)
            assert_true(!outer || gdyn_intervals_below(&all, i + 0.05, 0) == i + 0.05);
        assert_true(outer || isnan(gdyn_intervals_below(&all, 0.05, 0)));
        gdyn_intervals_limit(&all, 40.25);
        assert_true(gdyn_intervals_top(&all) == 40.25);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_keep_their_error),
        cmocka_unit_test(intervals_are_sets),
        cmocka_unit_test(few_cells_where_arcs_hardly_bend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
