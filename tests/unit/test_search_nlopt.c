/* Methods that use NLopt: published marks, known fronts, repeatability, early ends, hopeless
 * problems, every algorithm. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "nlopt_problems.h"

#include <stdlib.h>
#include <string.h>

/* --- published marks -------------------------------------------------------------------------- */

/* Evaluations after which the hypervolume (reference 1.1) passes the published mark of 25,000
 * evaluations; 25,000 when it does not. */
static double evaluations_to_mark(const problem *p, gdyn_search_method method, uint64_t seed) {
    static const double reference[3] = {1.1, 1.1, 1.1};
    gdyn_search_options options = gdyn_search_default();
    options.method = method, options.population = 100, options.seed = seed;
    options.evaluations = 25000, options.reference = reference;
    gdyn_search *search;
    assert_int_equal(create_for(p, &options, &search), GDYN_OK);
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING &&
           gdyn_search_state(search).hypervolume < p->mark)
        batch(search, p, 0);
    gdyn_search_info info = gdyn_search_state(search);
    gdyn_search_destroy(search);
    return info.hypervolume >= p->mark ? (double)info.evaluations : 25000;
}

static double median(double *v) {
    return fmax(fmin(v[0], v[1]), fmin(fmax(v[0], v[1]), v[2]));
}

/* A third of the evaluations is enough; ZDT4, with 21^9 local fronts, is left to the bench. */
static void the_hybrid_passes_the_marks_early(void **state) {
    (void)state;
    for (int k = 0; k < PUBLISHED_COUNT; k++) {
        if (strcmp(problems[k].name, "ZDT4") == 0)
            continue;
        double v[3];
        for (int seed = 0; seed < 3; seed++)
            v[seed] = evaluations_to_mark(&problems[k], GDYN_SEARCH_HYBRID, 50 + (uint64_t)seed);
        assert_true(median(v) <= 25000.0 / 3);
    }
}

static const char *const local[] = {"cobyla", "bobyqa", "nelder_mead", "sbplx",
                                    "slsqp",  "mma",    "ccsaq"};
static const char *const global[] = {"isres", "crs2", "direct", "esch", "mlsl"};
enum { LOCAL = sizeof local / sizeof *local, GLOBAL = sizeof global / sizeof *global };

/* --- repeatability ---------------------------------------------------------------------------- */

static const gdyn_search_method nlopt_methods[] = {GDYN_SEARCH_HYBRID, GDYN_SEARCH_CHEBYSHEV,
                                                   GDYN_SEARCH_EPSILON_CONSTRAINT, GDYN_SEARCH_NBI};
enum { METHODS = sizeof nlopt_methods / sizeof *nlopt_methods };

static gdyn_search *begin(const problem *p, gdyn_search_method method, const char *nlopt,
                          int population) {
    gdyn_search_options options = gdyn_search_default();
    options.method = method, options.nlopt = nlopt, options.population = population;
    options.evaluations = 3000, options.seed = 9;
    gdyn_search *search;
    assert_int_equal(create_with(p, true, &options, &search), GDYN_OK);
    return search;
}

/* Both searches ask for the same designs, to the last bit. */
static void same_batches(const gdyn_search *a, const gdyn_search *b, int n) {
    int count = gdyn_search_ask(a);
    assert_int_equal(gdyn_search_ask(b), count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(gdyn_search_serial(a, i), gdyn_search_serial(b, i));
        assert_memory_equal(gdyn_search_design(a, i), gdyn_search_design(b, i),
                            (size_t)n * sizeof(double));
    }
}

static void same_results_give_the_same_designs(const problem *p, gdyn_search_method method,
                                               const char *nlopt) {
    gdyn_search *a = begin(p, method, nlopt, 24), *b = begin(p, method, nlopt, 24);
    while (gdyn_search_state(a).stop == GDYN_SEARCH_RUNNING) {
        same_batches(a, b, p->n);
        assert_int_equal(gdyn_search_serial(a, 0), gdyn_search_state(a).evaluations);
        assert_int_equal(gdyn_search_advance(b), GDYN_ERROR_ARGUMENT); /* nothing told yet */
        batch(a, p, 0);
        batch(b, p, 1); /* told backwards */
    }
    assert_true(gdyn_search_state(a).hypervolume == gdyn_search_state(b).hypervolume);
    assert_int_equal(gdyn_search_state(a).stop, gdyn_search_state(b).stop);
    gdyn_search_destroy(a);
    gdyn_search_destroy(b);
}

static void the_order_of_telling_does_not_matter(void **state) {
    (void)state;
    for (int k = 0; k < METHODS; k++) {
        same_results_give_the_same_designs(&problems[8], nlopt_methods[k], NULL);
        same_results_give_the_same_designs(&problems[5], nlopt_methods[k], "cobyla");
    }
    for (int k = 0; k < GLOBAL; k++) /* coroutines draw random numbers side by side */
        same_results_give_the_same_designs(&problems[8], GDYN_SEARCH_CHEBYSHEV, global[k]);
}

/* A search with a greater budget asks for the same designs first, so that stored results of a
 * shorter one can be told to it. */
static void a_greater_budget_continues(void **state) {
    (void)state;
    for (int k = 0; k < METHODS; k++) {
        gdyn_search_options options = gdyn_search_default();
        options.method = nlopt_methods[k], options.population = 20, options.evaluations = 777;
        gdyn_search *brief, *lengthy;
        const problem *p = &problems[0];
        assert_int_equal(create_for(p, &options, &brief), GDYN_OK);
        options.evaluations = 5000;
        assert_int_equal(create_for(p, &options, &lengthy), GDYN_OK);
        while (gdyn_search_state(brief).stop == GDYN_SEARCH_RUNNING) {
            int count = gdyn_search_ask(brief);
            assert_true(gdyn_search_ask(lengthy) >= count);
            for (int i = 0; i < count; i++)
                assert_memory_equal(gdyn_search_design(brief, i), gdyn_search_design(lengthy, i),
                                    (size_t)p->n * sizeof(double));
            batch(brief, p, 0);
            batch(lengthy, p, 0);
        }
        assert_int_equal(gdyn_search_state(brief).evaluations, 777);
        gdyn_search_destroy(brief);
        gdyn_search_destroy(lengthy);
    }
}

/* --- ends ------------------------------------------------------------------------------------- */

/* Destroyed after any number of batches, and with results told but not taken over. */
static void an_early_end_is_clean(void **state) {
    (void)state;
    for (int k = 0; k < METHODS; k++)
        for (int batches = 0; batches < 24; batches++) {
            gdyn_search *search = begin(&problems[8], nlopt_methods[k], NULL, 8);
            for (int i = 0; i < batches; i++)
                batch(search, &problems[8], 0);
            gdyn_search_destroy(search);
        }
}

static gdyn_status fails_everywhere(void *context, const double *x, double *f, double *violation,
                                    double *failure) {
    (void)violation;
    *(double *)context = fmin(*(double *)context, x[0]);
    f[0] = f[1] = NAN;
    *failure = 1 + x[0];
    return GDYN_OK;
}

static void a_hopeless_problem_ends(void **state) {
    (void)state;
    const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
    gdyn_search_problem definition = {
        .variables = 3, .objectives = 2, .lower = lower, .upper = upper};
    for (int k = 0; k < METHODS; k++) {
        gdyn_search_options options = gdyn_search_default();
        options.method = nlopt_methods[k], options.population = 16, options.evaluations = 2000;
        double least = 1;
        gdyn_search *search;
        gdyn_search_callbacks callbacks = {fails_everywhere, NULL, &least};
        assert_int_equal(gdyn_search_create(&definition, &options, &search), GDYN_OK);
        assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
        gdyn_search_info info = gdyn_search_state(search);
        assert_int_equal(info.failed, info.population);
        assert_int_equal(info.feasible, 0);
        assert_true(least < 0.01); /* the failure has a slope, and it was followed */
        gdyn_search_destroy(search);
    }
}

/* --- algorithms ------------------------------------------------------------------------------- */

static void names_that_do_not_fit_are_refused(void **state) {
    (void)state;
    gdyn_search_options options = gdyn_search_default();
    gdyn_search *search;
    for (int k = 0; k < METHODS; k++) {
        options.method = nlopt_methods[k], options.nlopt = "simplex";
        assert_int_equal(create_for(&problems[0], &options, &search), GDYN_ERROR_ARGUMENT);
        assert_null(search);
    }
    options.method = GDYN_SEARCH_HYBRID; /* polishing is local */
    for (int k = 0; k < GLOBAL; k++) {
        options.nlopt = global[k];
        assert_int_equal(create_for(&problems[0], &options, &search), GDYN_ERROR_ARGUMENT);
    }
}

/* Forty points on a curve as long as the diagonal of its box stand 0.036 apart. */
static void every_local_algorithm_polishes(void **state) {
    (void)state;
    for (int k = 0; k < LOCAL; k++)
        for (int p = 6; p < PROBLEM_COUNT; p++) { /* the constrained ones */
            gdyn_search *search = begin(&problems[p], GDYN_SEARCH_HYBRID, local[k], 40);
            while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING)
                batch(search, &problems[p], 0);
            gdyn_search_info info = gdyn_search_state(search);
            assert_int_equal(info.feasible, 40);
            assert_true(info.front >= 30 && distance_to_front(search, &problems[p]) < 0.036);
            gdyn_search_destroy(search);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hybrid_passes_the_marks_early),
        cmocka_unit_test(the_order_of_telling_does_not_matter),
        cmocka_unit_test(a_greater_budget_continues),
        cmocka_unit_test(an_early_end_is_clean),
        cmocka_unit_test(a_hopeless_problem_ends),
        cmocka_unit_test(names_that_do_not_fit_are_refused),
        cmocka_unit_test(every_local_algorithm_polishes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
