/* The problems of tests/bench/suite.h against published values: designs known to be best, the geometry of fronts, and
 * least values of single objectives; and what the default search finds on them. */
#include "../bench/suite_search.h"
#include "base/pi.h"
#include "search/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const suite_problem *find(const char *name) {
    for (int i = 0; suite_at(i); i++)
        if (strcmp(suite_at(i)->name, name) == 0)
            return suite_at(i);
    fail_msg("no problem %s", name);
    return NULL;
}

/* --- designs whose values are known ------------------------------------------------------------------- */

/* Best designs as published: CEC 2006 for the g problems, else the sources in suite_classics.c. */
static const struct {
    const char *name;
    double x[13];
} best[] = {
    {"g01", {1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 1}},
    {"g04", {78, 33, 29.9952560256815985, 45, 36.7758129057882073}},
    {"g05", {679.945148297028709, 1026.06697600004691, 0.118876369094410433, -0.39623348521517826}},
    {"g06", {14.09500000000000064, 0.8429607892154795668}},
    {"g07",
     {2.17199634142692, 2.3636830416034, 8.77392573913157, 5.09598443745173, 0.990654756560493,
      1.43057392853463, 1.32164415364306, 9.82872576524495, 8.2800915887356, 8.3759266477347}},
    {"g08", {1.22797135260752599, 4.24537336612274885}},
    {"g09",
     {2.33049935147405174, 1.95137236847114592, -0.477541399510615805, 4.36572624923625874,
      -0.624486959100388983, 1.03813099410962173, 1.5942266780671519}},
    {"g10",
     {579.306685017979589, 1359.97067807935605, 5109.97065743133317, 182.01769963061534,
      295.601173702746792, 217.982300369384632, 286.41652592786852, 395.601173702746735}},
    {"g11", {-0.707036070037170616, 0.500000004333606807}},
    {"g13",
     {-1.71714224003, 1.59572124049468, 1.8272502406271, -0.763659881912867, -0.76365986736498}},
    {"welded-beam", {0.20572963978, 3.47048866563, 9.03662391036, 0.20572963978}},
    {"spring", {0.0516890614, 0.3567177500, 11.2889653382}},
    {"pressure-vessel", {13, 7, 42.0984455958549, 176.6365958424394}},
    {"catalogue-spring", {9, 1.2230410, 35}},
    {"speed-reducer", {3.5, 0.7, 17, 7.3, 7.7153199115, 3.3502146661, 5.2866544650}},
};

static void test_best_designs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof best / sizeof *best; i++) {
        const suite_problem *p = find(best[i].name);
        double f[SUITE_OBJECTIVES], g[SUITE_CONSTRAINTS];
        p->evaluate(p, best[i].x, f, g);
        /* The digits that are printed: six of the value, limits within their rounding. */
        assert_true(fabs(f[0] - p->best) <= 2e-6 * fabs(p->best));
        for (int j = 0; j < p->constraints; j++)
            assert_true(g[j] <= 1e-6);
    }
}

/* Distance parameters of 0.35 are best (Huband et al. 2006, section X); WFG8's follow from those before them. */
static void wfg_best(const suite_problem *p, const double *position, double *x) {
    double sum = 0;
    int positions = suite_wfg_position(p->m);
    for (int j = 0; j < p->n; j++) {
        double u = sum / (j > 0 ? j : 1);
        double A = 0.98 / 49.98, v = A - (1 - 2 * u) * fabs(floor(0.5 - u) + A);
        x[j] = j < positions    ? position[j % 4]
               : p->member == 8 ? pow(0.35, 1 / (0.02 + 49.98 * v))
                                : 0.35;
        sum += x[j];
    }
}

static void test_wfg_fronts(void **state) {
    (void)state;
    static const double position[3][4] = {
        {0.1, 0.7, 0.3, 0.9}, {0.5, 0.21, 0.66, 0.42}, {0.93, 0.05, 0.37, 0.8}};
    for (int i = 0; i < suite_wfg_count; i++) {
        const suite_problem *p = &suite_wfg[i];
        bool sphere = p->member >= 4 && p->member <= 8, plane = p->member == 3 && p->m == 2;
        for (int k = 0; (sphere || plane) && k < 3; k++) {
            double x[SUITE_VARIABLES], f[SUITE_OBJECTIVES], sum = 0;
            wfg_best(p, position[k], x);
            p->evaluate(p, x, f, NULL);
            /* f_m / (2 m) lie on the unit sphere, of WFG3 on the line of sum 1. */
            for (int j = 0; j < p->m; j++)
                sum += sphere ? pow(f[j] / (2 * (j + 1)), 2) : f[j] / (2 * (j + 1));
            assert_true(fabs(sum - 1) < 1e-9);
        }
    }
}

/* --- what a search finds -------------------------------------------------------------------------------- */

/* The default search; the least feasible value of every objective. */
static void least_values(const suite_problem *p, long evaluations, uint64_t seed, double *least) {
    suite_box box;
    gdyn_search_problem problem = suite_for_search(p, &box);
    gdyn_search_options options = gdyn_search_default();
    options.evaluations = evaluations, options.seed = seed;
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_OK);
    for (int i = 0; i < p->m; i++)
        least[i] = INFINITY;
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        int count = gdyn_search_ask(search);
        for (int k = 0; k < count; k++) {
            double f[SUITE_OBJECTIVES], g[SUITE_CONSTRAINTS];
            double violation = suite_tell(p, search, k, f, g);
            for (int i = 0; violation == 0 && i < p->m; i++)
                least[i] = fmin(least[i], f[i]);
        }
        assert_int_equal(gdyn_search_advance(search), GDYN_OK);
    }
    gdyn_search_destroy(search);
}

/* Ideal and nadir points of the fronts that Tanabe and Ishibuchi publish beside their paper. RE42 is left out: its first
 * objective has a pole inside the box. */
static const struct {
    const char *name;
    double ideal[4], nadir[4];
} ends[] = {
    {"RE21", {1237.8414230005742, 0.002761423749158419}, {2086.36956042, 0.00341421356237}},
    {"RE22", {5.88, 0}, {361.262944647, 180.01547}},
    {"RE23", {15.9018007813, 0}, {5852.05896876, 1288669.78054}},
    {"RE24", {60.5, 0}, {481.608088535, 44.2819047619}},
    {"RE32", {0.010205496875, 0.00043904, 0}, {37.7831517014, 17561.6, 425062976.628}},
    {"RE33", {-0.721525, 1.13907203907, 0}, {5.3067, 3.12833430979, 25}},
    {"RE34", {1661.7078225, 6.14280000608, 0.0394}, {1695.2002035, 10.7454, 0.26399999965}},
    {"RE35", {2352.34611145, 694.233587469, 0}, {6634.56208, 1695.96387746, 397.358927317}},
    {"RE37",
     {0.00889341391106, 0.00488, -0.431499999825},
     {0.98949120096, 0.956587924661, 0.987530948586}},
    {"RE41",
     {15.576004, 3.58525, 10.61064375, 0},
     {39.2905121788, 4.42725, 13.09138125, 9.49401929991}},
};

static void test_published_ends(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const suite_problem *p = find(ends[k].name);
        double least[SUITE_OBJECTIVES];
        least_values(p, 5000, 1, least);
        /* Nothing below the published ideal but rounding, and within a tenth of the front's range above: RE34's
         * third objective has a local minimum that far from the least. */
        for (int i = 0; i < p->m; i++) {
            double range = ends[k].nadir[i] - ends[k].ideal[i];
            double above = (least[i] - ends[k].ideal[i]) / range;
            if (above < -1e-3 || above > 0.1)
                fail_msg("%s f%d: %.6g, published %.6g", p->name, i + 1, least[i],
                         ends[k].ideal[i]);
        }
    }
}

/* Known optima within 10,000 evaluations: to a ten-thousandth, never below (equalities are kept within 1e-4, limits
 * exactly). 5 of 5 seeds find each of them (tests/bench/bench_methods); here two of three. g13 is told as amounts here, which
 * two seeds of three find; as equalities: tests/cli/optima.sh. */
static void test_known_optima(void **state) {
    (void)state;
    static const char *const names[] = {
        "g06", "g07", "g10", "spring", "pressure-vessel", "welded-beam", "g05", "catalogue-spring"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const suite_problem *p = find(names[k]);
        int reached = 0;
        for (uint64_t seed = 1; seed <= 3; seed++) {
            double least;
            least_values(p, 10000, seed, &least);
            assert_true(least >= p->best - 2e-6 * fabs(p->best));
            reached += least <= p->best + 1e-4 * fabs(p->best);
        }
        if (reached < 2)
            fail_msg("%s: %d of 3", p->name, reached);
    }
}

/* Rosenbrock's valley, whose floor is 1e3 times as flat as its walls are steep. */
static void valley(const suite_problem *p, const double *x, double *f, double *g) {
    (void)g;
    f[0] = 0;
    for (int j = 0; j + 1 < p->n; j++)
        f[0] += 100 * pow(x[j + 1] - x[j] * x[j], 2) + pow(1 - x[j], 2);
}

static void test_a_curved_valley_is_followed(void **state) {
    (void)state;
    static const double box[][2] = {{-5, 5}};
    const suite_problem p = {"valley", "single", 10, 1, 0, box, 1, NULL, valley, 0, 0, 0};
    int reached = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        double least;
        least_values(&p, 10000, seed, &least);
        reached += least < 1e-4;
    }
    assert_true(reached >= 2);
}

/* --- infeasible regions, budgets ------------------------------------------------------------- */

enum { ROOM = 30 * 12000 };
static double designs[2][ROOM];

/* All designs of a search into x (n x evaluations), with a population of 48; returns the least
 * distance of feasible ones from the origin of the objectives. */
static double run_all(const suite_problem *p, long evaluations, double *x) {
    suite_box box;
    gdyn_search_problem problem = suite_for_search(p, &box);
    gdyn_search_options options = gdyn_search_default();
    options.evaluations = evaluations, options.population = 48;
    gdyn_search *search;
    double least = INFINITY;
    long made = 0;
    assert_true(p->n * evaluations <= ROOM);
    assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_OK);
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        int count = gdyn_search_ask(search);
        for (int k = 0; k < count; k++) {
            double f[SUITE_OBJECTIVES], g[SUITE_CONSTRAINTS], square = 0;
            memcpy(x + p->n * made++, gdyn_search_design(search, k), (size_t)p->n * sizeof *x);
            double violation = suite_tell(p, search, k, f, g);
            for (int i = 0; i < p->m; i++)
                square += f[i] * f[i];
            least = violation == 0 ? fmin(least, sqrt(square)) : least;
        }
        assert_int_equal(gdyn_search_advance(search), GDYN_OK);
    }
    gdyn_search_destroy(search);
    return least;
}

/* The front is a sphere of radius 1.7057 behind infeasible shells, one of them from 2 to 3. */
static void test_infeasible_shells_are_crossed(void **state) {
    (void)state;
    assert_true(run_all(find("LIR13"), 12000, designs[0]) < 1.75);
}

/* A search with a greater budget begins as the smaller one did. */
static void test_the_budget_changes_no_design(void **state) {
    (void)state;
    static const char *const names[] = {"LIR9", "g07", "g05", "pressure-vessel"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const suite_problem *p = find(names[k]);
        run_all(p, 4001, designs[0]);
        run_all(p, 6000, designs[1]);
        assert_memory_equal(designs[0], designs[1], (size_t)p->n * 4001 * sizeof(double));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_best_designs),
        cmocka_unit_test(test_wfg_fronts),
        cmocka_unit_test(test_published_ends),
        cmocka_unit_test(test_known_optima),
        cmocka_unit_test(test_a_curved_valley_is_followed),
        cmocka_unit_test(test_infeasible_shells_are_crossed),
        cmocka_unit_test(test_the_budget_changes_no_design),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
