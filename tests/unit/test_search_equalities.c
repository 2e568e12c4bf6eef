/* Equality constraints told with their sign: published optima, a closed form, with narrow tolerances. */
#include "base/pi.h"
#include "search/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 8 };

typedef struct problem {
    const char *name;
    int n, m, constraints;
    double lower[MOST], upper[MOST], equality[MOST];
    double best; /* one objective */
    void (*evaluate)(const double *x, double *f, double *g);
} problem;

static double square(double x) {
    return x * x;
}

/* Hock, Schittkowski 1981, problem 80 (g13 of CEC 2006 without its tolerance). */
static void hs80(const double *x, double *f, double *g) {
    f[0] = exp(x[0] * x[1] * x[2] * x[3] * x[4]);
    g[0] = -10;
    for (int j = 0; j < 5; j++)
        g[0] += square(x[j]);
    g[1] = x[1] * x[2] - 5 * x[3] * x[4];
    g[2] = pow(x[0], 3) + pow(x[1], 3) + 1;
}

/* Problem 74 (g05 of CEC 2006); its equalities in thousands. */
static void hs74(const double *x, double *f, double *g) {
    f[0] = 3 * x[0] + 1e-6 * pow(x[0], 3) + 2 * x[1] + 2e-6 / 3 * pow(x[1], 3);
    g[0] = x[2] - x[3] - 0.55;
    g[1] = x[3] - x[2] - 0.55;
    g[2] = sin(-x[2] - 0.25) + sin(-x[3] - 0.25) + (894.8 - x[0]) / 1000;
    g[3] = sin(x[2] - 0.25) + sin(x[2] - x[3] - 0.25) + (894.8 - x[1]) / 1000;
    g[4] = sin(x[3] - 0.25) + sin(x[3] - x[2] - 0.25) + 1.2948;
}

/* From (2, 1, 2) to the unit sphere: two away. */
static void sphere(const double *x, double *f, double *g) {
    f[0] = square(x[0] - 2) + square(x[1] - 1) + square(x[2] - 2);
    g[0] = square(x[0]) + square(x[1]) + square(x[2]) - 1;
}

/* x1^2 + x4^2 >= 2 x1 x4 and x2^2 + x3^2 >= 2 x2 sin x3: at least 2, at (1, 0, 0, 1), where the
 * Hessian of the Lagrangian is singular along the equality, so that local searches converge slowly.
 */
static void level(const double *x, double *f, double *g) {
    f[0] = square(x[0]) + square(x[1]) + square(x[2]) + square(x[3]);
    g[0] = x[0] * x[3] + x[1] * sin(x[2]) - 1;
}

/* All of the arc x^2 + y^2 = 1 is the front. */
static void arc(const double *x, double *f, double *g) {
    f[0] = x[0], f[1] = x[1];
    g[0] = square(x[0]) + square(x[1]) + square(x[2]) - 1;
    g[1] = x[2];
}

static const problem problems[] = {
    {"hs80",
     5,
     1,
     3,
     {-2.3, -2.3, -3.2, -3.2, -3.2},
     {2.3, 2.3, 3.2, 3.2, 3.2},
     {1e-6, 1e-6, 1e-6},
     0.0539498478,
     hs80},
    {"hs74",
     4,
     1,
     5,
     {0, 0, -0.55, -0.55},
     {1200, 1200, 0.55, 0.55},
     {0, 0, 1e-6, 1e-6, 1e-6},
     5126.4981,
     hs74},
    {"sphere", 3, 1, 1, {-3, -3, -3}, {3, 3, 3}, {1e-6}, 4, sphere},
};
static const problem slow = {"level", 4, 1, 1, {0, 0, 0, 0}, {2, 2, 2, 2}, {1e-4}, 2, level};
static const problem front = {"arc", 3, 2, 2, {0, 0, -1}, {1, 1, 1}, {1e-3, 1e-3}, 0, arc};

static double amount(const problem *p, const double *g) {
    double violation = 0;
    for (int j = 0; j < p->constraints; j++)
        violation += fmax(p->equality[j] > 0 ? fabs(g[j]) - p->equality[j] : g[j], 0);
    return violation;
}

/* Least feasible first objective; the hypervolume at the end. */
static double least_of(const problem *p, const gdyn_search_options *options, double *volume) {
    gdyn_search_problem stated = {.variables = p->n,
                                  .objectives = p->m,
                                  .lower = p->lower,
                                  .upper = p->upper,
                                  .constraints = p->constraints,
                                  .equality = p->equality};
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&stated, options, &search), GDYN_OK);
    double least = INFINITY;
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        int count = gdyn_search_ask(search);
        for (int k = 0; k < count; k++) {
            double f[2], g[MOST];
            p->evaluate(gdyn_search_design(search, k), f, g);
            gdyn_search_outcome outcome = {
                .objective = f, .violation = amount(p, g), .constraint = g};
            gdyn_search_tell(search, k, &outcome);
            if (outcome.violation == 0)
                least = fmin(least, f[0]);
        }
        assert_int_equal(gdyn_search_advance(search), GDYN_OK);
    }
    *volume = gdyn_search_state(search).hypervolume;
    gdyn_search_destroy(search);
    return least;
}

/* Differences from the published digits and what a millionth of tolerance allows are below 1e-5. Told without a sign,
 * the equalities of hs80 are never satisfied. */
static void published_optima_are_reached(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            const problem *p = &problems[i];
            gdyn_search_options options = gdyn_search_default();
            double volume;
            options.seed = seed;
            double least = least_of(p, &options, &volume);
            if (!(fabs(least / p->best - 1) < 1e-5))
                fail_msg("%s, seed %d: %.9g", p->name, (int)seed, least);
        }
}

/* Although no local search converges within so few designs. */
static void short_searches_keep_an_equality(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 9; seed++) {
        gdyn_search_options options = gdyn_search_default();
        double volume;
        options.seed = seed, options.evaluations = 600;
        double least = least_of(&slow, &options, &volume);
        assert_true(least > slow.best - 2e-4 && least < 1.05 * slow.best);
    }
}

/* By linear models and by gradients, one problem from end to end. */
static void algorithms_that_take_equalities(void **state) {
    (void)state;
    static const char *const names[] = {"cobyla", "slsqp"};
    for (int k = 0; k < 2; k++) {
        gdyn_search_options options = gdyn_search_default();
        double volume;
        options.method = GDYN_SEARCH_CHEBYSHEV, options.nlopt = names[k];
        options.evaluations = 5000;
        assert_true(fabs(least_of(&problems[2], &options, &volume) / 4 - 1) < 1e-5);
    }
}

/* The arc leaves 1.21 - pi/4 of the square; some hundred points on it less than 1 / 100 of that each. */
static void a_front_on_an_equality(void **state) {
    (void)state;
    static const double reference[2] = {1.1, 1.1};
    for (gdyn_search_method method = GDYN_SEARCH_CHEBYSHEV; method <= GDYN_SEARCH_NBI; method++) {
        gdyn_search_options options = gdyn_search_default();
        double volume, whole = 1.21 - GDYN_PI / 4;
        options.method = method, options.evaluations = 3000, options.reference = reference;
        least_of(&front, &options, &volume);
        /* Each of both limits gives way by a thousandth. */
        assert_true(volume > 0.97 * whole && volume < whole + 2e-3);
    }
}

static void tolerances_that_are_none(void **state) {
    (void)state;
    static const double wrong[] = {-1, NAN, INFINITY};
    for (int k = 0; k < 3; k++) {
        gdyn_search_problem stated = {.variables = 3,
                                      .objectives = 1,
                                      .lower = problems[2].lower,
                                      .upper = problems[2].upper,
                                      .constraints = 1,
                                      .equality = &wrong[k]};
        gdyn_search_options options = gdyn_search_default();
        gdyn_search *search;
        assert_int_equal(gdyn_search_create(&stated, &options, &search), GDYN_ERROR_ARGUMENT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_optima_are_reached),
        cmocka_unit_test(short_searches_keep_an_equality),
        cmocka_unit_test(algorithms_that_take_equalities),
        cmocka_unit_test(a_front_on_an_equality),
        cmocka_unit_test(tolerances_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
