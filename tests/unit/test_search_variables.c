/* Kinds of variables, several start designs, methods by name. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "search/search.h"
#include "search/method.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 12 };

/* The best name for each side of the front stands alone among bad ones: an order would not help. */
static const double toll[NAMES] = {9, 0, 7, 8, 6, 9, 5, 8, 9, 1, 7, 6};

static gdyn_status pick(void *context, const double *x, double *f, double *violation,
                        double *failure) {
    (void)violation, (void)failure;
    int *seen = context;
    int name = (int)x[0];
    assert_true(x[0] == name && name >= 0 && name < NAMES);
    seen[name]++;
    f[0] = x[1] + toll[name];
    f[1] = (1 - x[1]) * (1 - x[1]) + (name == 1 ? 0.5 : toll[name]);
    return GDYN_OK;
}

static void categorical_variables_find_their_name(void **state) {
    (void)state;
    const double lower[2] = {0, 0}, upper[2] = {NAMES - 1, 1};
    const bool categorical[2] = {true, false};
    gdyn_search_problem problem = {.variables = 2,
                                   .objectives = 2,
                                   .lower = lower,
                                   .upper = upper,
                                   .categorical = categorical};
    for (int method = 0; method <= GDYN_SEARCH_NSGA3; method++) {
        gdyn_search_options options = gdyn_search_default();
        options.population = 20, options.evaluations = 2000;
        options.method = (gdyn_search_method)method;
        gdyn_search *search;
        int seen[NAMES] = {0};
        gdyn_search_callbacks callbacks = {pick, NULL, seen};
        if (gdyn_search_create(&problem, &options, &search) != GDYN_OK)
            continue;
        assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
        gdyn_search_info info = gdyn_search_state(search);
        for (int i = 0; i < info.front; i++)
            assert_true(gdyn_search_population(search, i).x[0] == 1);
        for (int k = 0; k < NAMES; k++)
            assert_true(seen[k] > 0);
        gdyn_search_destroy(search);
    }
}

/* Each other value is drawn one time in five; four standard deviations of 6,000 draws are 124. */
static void a_mutation_prefers_no_name(void **state) {
    (void)state;
    const double lower[1] = {3}, upper[1] = {8};
    const bool yes[1] = {true};
    gdyn_variation variation = {.n = 1,
                                .lower = lower,
                                .upper = upper,
                                .integer = yes,
                                .categorical = yes,
                                .mutation = 1,
                                .mutation_eta = 20};
    int drawn[9] = {0};
    for (uint64_t i = 0; i < 6000; i++) {
        gdyn_random random = gdyn_random_stream(5, 0, i);
        double x = 5;
        gdyn_variation_mutate(&variation, &random, &x);
        drawn[(int)x]++;
    }
    assert_int_equal(drawn[5], 0);
    for (int k = 3; k <= 8; k++)
        assert_true(k == 5 || abs(drawn[k] - 1200) < 124);
}

static void crossover_swaps_names(void **state) {
    (void)state;
    const double lower[2] = {0, 0}, upper[2] = {9, 9}, a[2] = {1, 7}, b[2] = {4, 2};
    const bool yes[2] = {true, true};
    gdyn_variation variation = {.n = 2,
                                .lower = lower,
                                .upper = upper,
                                .integer = yes,
                                .categorical = yes,
                                .crossover = 1,
                                .crossover_variable = 1};
    int swapped = 0;
    for (uint64_t i = 0; i < 100; i++) {
        gdyn_random random = gdyn_random_stream(6, 0, i);
        double c[2], d[2];
        gdyn_variation_cross(&variation, &random, a, b, c, d);
        for (int j = 0; j < 2; j++) {
            assert_true((c[j] == a[j] && d[j] == b[j]) || (c[j] == b[j] && d[j] == a[j]));
            swapped += c[j] == b[j];
        }
    }
    assert_true(swapped > 60 && swapped < 140); /* 100 expected, deviation 7 */
}

static void several_starts_come_first(void **state) {
    (void)state;
    const double lower[2] = {0, 0}, upper[2] = {1, 5};
    const double start[3][2] = {{0.25, 2.4}, {0.5, 9}, {-1, 3.6}};
    const double wanted[3][2] = {{0.25, 2}, {0.5, 5}, {0, 4}};
    const bool integer[2] = {false, true};
    gdyn_search_problem problem = {.variables = 2,
                                   .objectives = 1,
                                   .lower = lower,
                                   .upper = upper,
                                   .integer = integer,
                                   .start = start[0],
                                   .starts = 3};
    gdyn_search_options options = gdyn_search_default();
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_OK);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(gdyn_search_design(search, i), wanted[i], sizeof wanted[i]);
    gdyn_search_destroy(search);
    double many[8][2] = {{0}}; /* more than the population: all of them are evaluated */
    options.population = 4;
    problem.start = many[0], problem.starts = 8;
    assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_OK);
    assert_int_equal(gdyn_search_ask(search), 8);
    gdyn_search_destroy(search);
    many[7][1] = NAN;
    assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_ERROR_ARGUMENT);
}

/* Best value of one objective; *share: of the designs that failed. */
static double best_of(const gdyn_search_problem *problem, uint64_t seed, int evaluations,
                      void evaluate(const double *x, double *f, double *failure), double *share) {
    gdyn_search_options options = gdyn_search_default();
    options.seed = seed, options.evaluations = evaluations;
    gdyn_search *search;
    double best = INFINITY, failed = 0;
    assert_int_equal(gdyn_search_create(problem, &options, &search), GDYN_OK);
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        for (int i = 0; i < gdyn_search_ask(search); i++) {
            double f, failure = 0;
            evaluate(gdyn_search_design(search, i), &f, &failure);
            gdyn_search_tell(search, i,
                             &(gdyn_search_outcome){.objective = &f, .failure = failure});
            best = failure == 0 ? fmin(best, f) : best, failed += failure > 0;
        }
        assert_int_equal(gdyn_search_advance(search), GDYN_OK);
    }
    *share = failed / evaluations;
    gdyn_search_destroy(search);
    return best;
}

/* 0 at (3, 1.2, 0, 2). */
static void one_whole_number(const double *x, double *f, double *failure) {
    (void)failure;
    *f = (x[0] - 3) * (x[0] - 3) + pow(x[1] - 0.4 * x[0], 2) + pow(x[2] + 0.5 * x[3] - 1, 2) +
         pow(x[3] - 2, 2);
}

static void continuous_variables_are_polished_beside_whole_ones(void **state) {
    (void)state;
    const double lower[4] = {0, -5, -5, -5}, upper[4] = {10, 5, 5, 5};
    const bool whole[4] = {true};
    gdyn_search_problem problem = {
        .variables = 4, .objectives = 1, .lower = lower, .upper = upper, .integer = whole};
    for (uint64_t seed = 1; seed <= 9; seed++) {
        double share;
        assert_true(best_of(&problem, seed, 600, one_whole_number, &share) < 1e-8);
    }
}

/* Kinks along five oblique planes, 0 where they meet near (0, 0, 0, 0, 0); only designs within 0.5
 * of that can be evaluated, two in a million of the box. */
static void kinks(const double *x, double *f, double *failure) {
    static const double centre[5] = {0.15, -0.1, 0.125, 0.05, -0.15};
    double square = 0;
    *f = 0;
    for (int i = 0; i < 5; i++) {
        int j = (i + 1) % 5, k = (i + 2) % 5;
        square += x[i] * x[i];
        *f += pow(10, 0.5 * i) *
              fabs(x[i] - centre[i] + 0.9 * (x[j] - centre[j]) - 0.7 * (x[k] - centre[k]));
    }
    *failure = square > 0.25;
}

static void small_regions_that_can_be_evaluated_are_searched(void **state) {
    (void)state;
    const double lower[5] = {-5, -5, -5, -5, -5}, upper[5] = {5, 5, 5, 5, 5}, start[5] = {0};
    gdyn_search_problem problem = {.variables = 5,
                                   .objectives = 1,
                                   .lower = lower,
                                   .upper = upper,
                                   .start = start,
                                   .starts = 1};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        double share;
        assert_true(best_of(&problem, seed, 2000, kinks, &share) < 0.01);
        assert_true(share < 0.5);
    }
}

static void methods_have_names(void **state) {
    (void)state;
    for (int k = 0; k < GDYN_SEARCH_METHODS; k++) {
        gdyn_search_method method;
        const char *name = gdyn_search_method_name((gdyn_search_method)k);
        assert_true(gdyn_search_method_from_name(name, &method));
        assert_int_equal(method, k);
    }
    gdyn_search_method untouched = GDYN_SEARCH_DE;
    assert_false(gdyn_search_method_from_name("nsga", &untouched));
    assert_int_equal(untouched, GDYN_SEARCH_DE);
    const double lower[1] = {0}, upper[1] = {1};
    gdyn_search_problem problem = {.variables = 1, .objectives = 1, .lower = lower, .upper = upper};
    gdyn_search_options options = gdyn_search_default();
    options.method = (gdyn_search_method)77;
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_ERROR_ARGUMENT);
    assert_null(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(categorical_variables_find_their_name),
        cmocka_unit_test(a_mutation_prefers_no_name),
        cmocka_unit_test(crossover_swaps_names),
        cmocka_unit_test(several_starts_come_first),
        cmocka_unit_test(continuous_variables_are_polished_beside_whole_ones),
        cmocka_unit_test(small_regions_that_can_be_evaluated_are_searched),
        cmocka_unit_test(methods_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
