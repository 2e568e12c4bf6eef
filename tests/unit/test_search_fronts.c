/* Non-dominated sorting, thinning and hypervolume against their definitions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "search/fronts.h"
#include "search/hypervolume.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_near(double a, double b, double tolerance) {
    assert_true(fabs(a - b) <= tolerance);
}

enum { MOST = 60, OBJECTIVES = 5 };

/* Points on a coarse grid, so that ties and copies are common; grid 0: continuous. */
static void random_points(gdyn_random *random, int m, int count, int grid, double *F) {
    for (int i = 0; i < m * count; i++)
        F[i] = grid ? gdyn_random_below(random, grid) : gdyn_random_uniform(random);
}

/* The definition: front 0 is what nobody dominates; take it away and repeat. */
static void fronts_by_definition(const double *F, int m, int count, int *front) {
    for (int i = 0; i < count; i++)
        front[i] = -1;
    for (int k = 0, left = count; left > 0; k++) {
        bool leaves[MOST] = {false};
        for (int i = 0; i < count; i++) {
            leaves[i] = front[i] < 0;
            for (int j = 0; j < count && leaves[i]; j++)
                if (front[j] < 0 && gdyn_fronts_dominates(F + j * m, F + i * m, m))
                    leaves[i] = false;
        }
        for (int i = 0; i < count; i++)
            if (leaves[i])
                front[i] = k, left--;
    }
}

static void sorting_follows_the_definition(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(7, 0, 0);
    for (int m = 1; m <= OBJECTIVES; m++) {
        gdyn_fronts *w = gdyn_fronts_create(MOST, m);
        assert_non_null(w);
        for (int trial = 0; trial < 300; trial++) {
            double F[MOST * OBJECTIVES];
            int found[MOST], wanted[MOST], count = gdyn_random_below(&random, MOST + 1), fronts = 0;
            random_points(&random, m, count, trial % 3 * 3, F);
            fronts_by_definition(F, m, count, wanted);
            int claimed = gdyn_fronts_sort(w, F, count, found);
            for (int i = 0; i < count; i++) {
                assert_int_equal(found[i], wanted[i]);
                fronts = wanted[i] + 1 > fronts ? wanted[i] + 1 : fronts;
            }
            assert_int_equal(claimed, fronts);
        }
        gdyn_fronts_destroy(w);
    }
}

/* Crowding of member i by the textbook: neighbours found by search in every objective. */
static double crowding_by_definition(const double *F, int m, int count, const int *member, int i) {
    double sum = 0;
    for (int j = 0; j < m; j++) {
        double own = F[member[i] * m + j], below = -INFINITY, above = INFINITY;
        double least = INFINITY, greatest = -INFINITY;
        for (int k = 0; k < count; k++) {
            double other = F[member[k] * m + j];
            least = fmin(least, other), greatest = fmax(greatest, other);
            if (other < own)
                below = fmax(below, other);
            if (other > own)
                above = fmin(above, other);
        }
        sum += (above - below) / (greatest - least);
    }
    return sum;
}

static void crowding_follows_the_definition(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(8, 0, 0);
    for (int m = 2; m <= 4; m++) {
        gdyn_fronts *w = gdyn_fronts_create(MOST, m);
        assert_non_null(w);
        double F[MOST * OBJECTIVES], crowding[MOST];
        int member[MOST];
        random_points(&random, m, MOST, 0, F); /* continuous: no ties */
        for (int i = 0; i < MOST; i++)
            member[i] = i;
        gdyn_fronts_thin(w, F, MOST, member, MOST, crowding);
        for (int i = 0; i < MOST; i++) {
            double wanted = crowding_by_definition(F, m, MOST, member, i);
            if (isinf(wanted))
                assert_true(isinf(crowding[member[i]]));
            else
                assert_near(crowding[member[i]], wanted, 1e-12);
        }
        gdyn_fronts_destroy(w);
    }
}

/* Thinning by definition: while too many are left, take away the one of least crowding. */
static void thinning_takes_the_most_crowded_one_by_one(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(9, 0, 0);
    for (int trial = 0; trial < 40; trial++) {
        int m = 2 + trial % 3, member[MOST], left[MOST], size = MOST, keep = 10 + trial;
        gdyn_fronts *w = gdyn_fronts_create(MOST, m);
        assert_non_null(w);
        double F[MOST * OBJECTIVES], crowding[MOST];
        random_points(&random, m, MOST, 0, F);
        for (int i = 0; i < MOST; i++)
            member[i] = left[i] = i;
        gdyn_fronts_thin(w, F, MOST, member, keep, crowding);
        /* the ranges stay those of the whole front: the ends are never removed while others are */
        while (size > keep) {
            int worst = 0;
            double least = INFINITY;
            for (int i = 0; i < size; i++) {
                double c = crowding_by_definition(F, m, size, left, i);
                if (c < least)
                    least = c, worst = i;
            }
            left[worst] = left[--size];
        }
        bool kept[MOST] = {false};
        for (int i = 0; i < keep; i++)
            kept[member[i]] = true;
        for (int i = 0; i < keep; i++)
            assert_true(kept[left[i]]);
        gdyn_fronts_destroy(w);
    }
}

static void copies_go_first_and_ends_stay(void **state) {
    (void)state;
    /* a front of 5 places, the left end three times, the right end twice */
    const double F[] = {0, 4, 0, 4, 0, 4, 1, 3, 2, 2, 2.1, 1.9, 4, 0, 4, 0};
    int member[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    double crowding[8];
    gdyn_fronts *w = gdyn_fronts_create(8, 2);
    assert_non_null(w);
    gdyn_fronts_thin(w, F, 8, member, 4, crowding);
    bool places[5] = {false};
    for (int i = 0; i < 4; i++) {
        places[(int)F[2 * member[i]]] = true;
        assert_true(F[2 * member[i]] != 2);
    }
    assert_true(places[0] && places[1] && places[2] && places[4]); /* (2, 2) was most crowded */
    assert_true(isinf(crowding[0]) && crowding[1] == 0 && crowding[2] == 0);
    gdyn_fronts_destroy(w);
}

/* Inclusion-exclusion over all subsets. */
static double volume_by_subsets(const double *F, int m, int count, const double *r) {
    double sum = 0;
    for (unsigned subset = 1; subset < 1u << count; subset++) {
        double corner[OBJECTIVES], box = 1;
        int size = 0;
        for (int j = 0; j < m; j++)
            corner[j] = -INFINITY;
        for (int i = 0; i < count; i++) {
            if (!(subset >> i & 1))
                continue;
            size++;
            for (int j = 0; j < m; j++)
                corner[j] = fmax(corner[j], F[i * m + j]);
        }
        for (int j = 0; j < m; j++)
            box *= fmax(r[j] - corner[j], 0);
        sum += size % 2 ? box : -box;
    }
    return sum;
}

static double least_distance(const double *F, const int *member, int count) {
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            double sum = 0;
            for (int j = 0; j < 3; j++)
                sum += pow(F[3 * member[i] + j] - F[3 * member[k] + j], 2);
            least = fmin(least, sqrt(sum));
        }
    return least;
}

/* On a sphere, whose scale is that of its points: those left are farther apart than those that crowding leaves, the
 * best of each objective and one of every copy are among them. */
static void thinning_by_neighbours_keeps_apart(void **state) {
    (void)state;
    enum { COUNT = 60, KEEP = 25 };
    gdyn_fronts *fronts = gdyn_fronts_create(COUNT, 3);
    for (uint64_t trial = 0; trial < 20; trial++) {
        gdyn_random random = gdyn_random_stream(7, trial, 0);
        double F[3 * COUNT], crowding[COUNT];
        int apart[COUNT], crowded[COUNT], best[3] = {0, 0, 0};
        for (int i = 0; i < COUNT; i++) {
            double a = acos(0.0) * gdyn_random_uniform(&random), z = gdyn_random_uniform(&random);
            /* The last five are copies. */
            double point[3] = {sqrt(1 - z * z) * cos(a), sqrt(1 - z * z) * sin(a), z};
            memcpy(F + 3 * i, i < COUNT - 5 ? point : F + 3 * (i - 5), sizeof point);
            apart[i] = crowded[i] = i;
            for (int j = 0; j < 3; j++)
                best[j] = F[3 * i + j] < F[3 * best[j] + j] ? i : best[j];
        }
        gdyn_fronts_thin(fronts, F, COUNT, crowded, KEEP, crowding);
        gdyn_fronts_part(fronts, F, COUNT, apart, KEEP, crowding);
        assert_true(least_distance(F, apart, KEEP) > least_distance(F, crowded, KEEP));
        for (int j = 0; j < 3; j++) {
            bool kept = false;
            for (int i = 0; i < KEEP; i++)
                kept |= F[3 * apart[i] + j] == F[3 * best[j] + j];
            assert_true(kept);
        }
    }
    gdyn_fronts_destroy(fronts);
}

/* On the plane sum f = 1 with its corners all points are as near to the ideal: that with the
 * smallest sum of distances to two neighbours goes, but no corner. Points moved outwards go before. */
static void thinning_by_proximity(void **state) {
    (void)state;
    enum { COUNT = 40, M = 3 };
    gdyn_fronts *fronts = gdyn_fronts_create(COUNT, M);
    for (uint64_t trial = 0; trial < 20; trial++) {
        gdyn_random random = gdyn_random_stream(8, trial, 0);
        double F[M * COUNT] = {0}, crowding[COUNT], least = INFINITY;
        int member[COUNT], goes = -1;
        for (int i = 0; i < COUNT; i++) {
            double a = gdyn_random_uniform(&random), b = (1 - a) * gdyn_random_uniform(&random);
            double point[M] = {a, b, 1 - a - b};
            if (i < M)
                F[M * i + i] = 1;
            else
                memcpy(F + M * i, point, sizeof point);
            member[i] = i;
        }
        for (int i = M; i < COUNT; i++) {
            double near[COUNT];
            for (int k = 0; k < COUNT; k++)
                near[k] = k == i ? INFINITY
                                 : sqrt(pow(F[M * i] - F[M * k], 2) +
                                        pow(F[M * i + 1] - F[M * k + 1], 2) +
                                        pow(F[M * i + 2] - F[M * k + 2], 2));
            qsort(near, COUNT, sizeof *near, gdyn_ascending);
            if (near[0] + near[1] < least)
                least = near[0] + near[1], goes = i;
        }
        gdyn_fronts_spread(fronts, F, COUNT, member, COUNT - 1, crowding);
        assert_int_equal(member[COUNT - 1], goes);
        assert_near(crowding[goes], least, 1e-12);
        /* The last three stand together far out. */
        for (int i = COUNT - 3; i < COUNT; i++)
            for (int j = 0; j < M; j++)
                F[M * i + j] = 30 + 0.1 * (i % M == j);
        gdyn_fronts_spread(fronts, F, COUNT, member, COUNT - 1, crowding);
        assert_true(member[COUNT - 1] >= COUNT - 3);
    }
    gdyn_fronts_destroy(fronts);
}

static void hypervolume_equals_inclusion_exclusion(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(10, 0, 0);
    const double r[OBJECTIVES] = {0.9, 1.0, 0.8, 1.1, 0.95};
    for (int m = 1; m <= OBJECTIVES; m++) {
        gdyn_hypervolume *w = gdyn_hypervolume_create(MOST, m);
        assert_non_null(w);
        for (int trial = 0; trial < 100; trial++) {
            double F[12 * OBJECTIVES];
            int count = trial % 12;
            random_points(&random, m, count, trial % 2 * 4, F);
            for (int i = 0; i < m * count && trial % 2; i++)
                F[i] /= 4; /* grid 0, 1/4, 1/2, 3/4: ties and copies */
            /* 2^11 terms of at most 1 cancel: 2^11 * eps = 5e-13 */
            assert_near(gdyn_hypervolume_of(w, F, count, r), volume_by_subsets(F, m, count, r),
                        5e-13);
        }
        gdyn_hypervolume_destroy(w);
    }
}

static void hypervolume_closed_forms(void **state) {
    (void)state;
    /* stairs f = (i, c - 1 - i)/c with r = 1: sum_{i} (1/c)(i+1)/c = (c + 1)/(2 c) */
    double F[2 * MOST], r[3] = {1, 1, 1};
    for (int i = 0; i < MOST; i++)
        F[2 * i] = (double)i / MOST, F[2 * i + 1] = (double)(MOST - 1 - i) / MOST;
    gdyn_hypervolume *w2 = gdyn_hypervolume_create(MOST, 2);
    assert_non_null(w2);
    assert_near(gdyn_hypervolume_of(w2, F, MOST, r), (MOST + 1.0) / (2.0 * MOST), 1e-13);
    gdyn_hypervolume_destroy(w2);
    /* three plates of thickness t along the coordinate planes: 1 - (1 - t)^3 */
    double t = 0.3, G[9] = {1 - t, 0, 0, 0, 1 - t, 0, 0, 0, 1 - t};
    gdyn_hypervolume *w3 = gdyn_hypervolume_create(3, 3);
    assert_non_null(w3);
    assert_near(gdyn_hypervolume_of(w3, G, 3, r), 1 - pow(1 - t, 3), 1e-14);
    /* beyond the reference nothing counts, and dominated points add nothing */
    double H[9] = {0.5, 0.5, 0.5, 1.5, 0, 0, 0.6, 0.6, 0.6};
    assert_near(gdyn_hypervolume_of(w3, H, 3, r), 0.125, 1e-15);
    assert_true(gdyn_hypervolume_of(w3, H, 0, r) == 0);
    gdyn_hypervolume_destroy(w3);
}

/* The sweep in three objectives and the recursion in four must agree on a common problem: a fourth
 * coordinate that is the same for all points only multiplies. */
static void recursion_agrees_with_the_sweep(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(11, 0, 0);
    double F3[3 * MOST], F4[4 * MOST], r[4] = {1, 1, 1, 1};
    gdyn_hypervolume *w3 = gdyn_hypervolume_create(MOST, 3), *w4 = gdyn_hypervolume_create(MOST, 4);
    assert_non_null(w3);
    assert_non_null(w4);
    for (int trial = 0; trial < 50; trial++) {
        random_points(&random, 3, MOST, 0, F3);
        for (int i = 0; i < MOST; i++) {
            memcpy(F4 + 4 * i, F3 + 3 * i, 3 * sizeof *F3);
            F4[4 * i + 3] = 0.25;
        }
        assert_near(gdyn_hypervolume_of(w4, F4, MOST, r),
                    0.75 * gdyn_hypervolume_of(w3, F3, MOST, r), 1e-13);
    }
    gdyn_hypervolume_destroy(w3);
    gdyn_hypervolume_destroy(w4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorting_follows_the_definition),
        cmocka_unit_test(crowding_follows_the_definition),
        cmocka_unit_test(thinning_takes_the_most_crowded_one_by_one),
        cmocka_unit_test(copies_go_first_and_ends_stay),
        cmocka_unit_test(thinning_by_neighbours_keeps_apart),
        cmocka_unit_test(thinning_by_proximity),
        cmocka_unit_test(hypervolume_equals_inclusion_exclusion),
        cmocka_unit_test(hypervolume_closed_forms),
        cmocka_unit_test(recursion_agrees_with_the_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
