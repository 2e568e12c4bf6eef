/* Sweeps of scalar problems: solutions against closed forms, whole fronts, every algorithm of NLopt,
 * whole and categorical variables. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "nlopt_problems.h"
#include "share.h"

#include <stdlib.h>
#include <string.h>

static const gdyn_search_method sweeps[] = {GDYN_SEARCH_CHEBYSHEV, GDYN_SEARCH_EPSILON_CONSTRAINT,
                                            GDYN_SEARCH_NBI};
enum { SWEEPS = sizeof sweeps / sizeof *sweeps };

/* --- one solution against its closed form ----------------------------------------------------- */

/* Objectives x, variables x in the unit box, sum x >= 1: the front is the unit simplex. */
static void simplex_results(gdyn_search *search, int m) {
    for (int i = 0; i < gdyn_search_ask(search); i++) {
        const double *x = gdyn_search_design(search, i);
        double g = 1;
        for (int j = 0; j < m; j++)
            g -= x[j];
        gdyn_search_tell(
            search, i,
            &(gdyn_search_outcome){.objective = x, .violation = fmax(g, 0), .constraint = &g});
    }
    assert_int_equal(gdyn_search_advance(search), GDYN_OK);
}

static gdyn_search *swept_simplex(gdyn_search_method method, int m, int points) {
    const double lower[3] = {0}, upper[3] = {1, 1, 1};
    gdyn_search_problem definition = {
        .variables = m, .objectives = m, .lower = lower, .upper = upper, .constraints = 1};
    gdyn_search_options options = gdyn_search_default();
    options.method = method, options.points = points, options.population = 200;
    options.nlopt = "slsqp";
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&definition, &options, &search), GDYN_OK);
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING)
        simplex_results(search, m);
    assert_int_equal(gdyn_search_state(search).stop, GDYN_SEARCH_COMPLETE);
    return search;
}

/* The distance of the member that is nearest to f, the greatest of its objectives' differences. */
static double nearest_member(const gdyn_search *search, const double *f) {
    double nearest = INFINITY;
    int m = gdyn_search_objectives(search);
    for (int k = 0; k < gdyn_search_state(search).front; k++) {
        double apart = 0;
        for (int i = 0; i < m; i++)
            apart = fmax(apart, fabs(gdyn_search_population(search, k).f[i] - f[i]));
        nearest = fmin(nearest, apart);
    }
    return nearest;
}

/* Solutions differ from the closed forms by the augmentation and the slack of the ends, some 1e-4 of
 * a range each, which shift the rows of m objectives together. */
static const double CLOSE = 2e-3;

/* Rays in the directions w and normals from w meet the simplex at w itself; with epsilon_1 = w_1
 * (m = 2) so does the constraint. */
static void solutions_on_a_simplex_are_the_weights(void **state) {
    (void)state;
    for (int k = 0; k < SWEEPS; k++) {
        gdyn_search *search = swept_simplex(sweeps[k], 2, 11);
        for (int l = 1; l < 10; l++)
            assert_true(nearest_member(search, (double[2]){0.1 * l, 1 - 0.1 * l}) < CLOSE);
        gdyn_search_destroy(search);
    }
    for (int k = 0; k < SWEEPS; k += 2) {
        gdyn_search *search = swept_simplex(sweeps[k], 3, 15); /* 4 divisions */
        for (int a = 0; a <= 4; a++)
            for (int b = 0; a + b <= 4; b++)
                assert_true(nearest_member(search, (double[3]){0.25 * a, 0.25 * b,
                                                               0.25 * (4 - a - b)}) < CLOSE);
        gdyn_search_destroy(search);
    }
}

/* Limits of two objectives: 4 divisions of the triangle, spread to the box by their greatest. */
static void three_objectives_meet_their_limits(void **state) {
    (void)state;
    gdyn_search *search = swept_simplex(GDYN_SEARCH_EPSILON_CONSTRAINT, 3, 15);
    for (int a = 0; a <= 4; a++)
        for (int b = 0; a + b <= 4; b++) {
            double stretch = a + b > 0 ? 0.25 * (a + b) / (a > b ? a : b) : 0;
            double f[3] = {a * stretch, b * stretch, 1 - (a + b) * stretch};
            if (f[2] >= 0)
                assert_true(nearest_member(search, f) < CLOSE);
        }
    gdyn_search_destroy(search);
}

/* Least x^2 + 2 y^2 over x + y >= c is 2 c^2 / 3, and from c = 3 on, with x at its bound 2,
 * 4 + 2 (c - 2)^2; no design has x + y = 5. */
static void levels_are_kept_exactly(void **state) {
    (void)state;
    const double lower[2] = {0}, upper[2] = {2, 2}, level[4] = {-0.7, -1.9, -3.5, -5};
    for (int limited = 0; limited < 2; limited++) {
        gdyn_search_problem definition = {
            .variables = 2, .objectives = 2, .lower = lower, .upper = upper};
        gdyn_search_options options = gdyn_search_default();
        double best[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
        options.method = GDYN_SEARCH_EPSILON_CONSTRAINT, options.evaluations = 1500;
        options.level = level, options.level_count = 4, options.limited = limited;
        gdyn_search *search;
        assert_int_equal(gdyn_search_create(&definition, &options, &search), GDYN_OK);
        while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
            for (int i = 0; i < gdyn_search_ask(search); i++) {
                const double *x = gdyn_search_design(search, i);
                double f[2];
                f[limited] = -x[0] - x[1], f[1 - limited] = x[0] * x[0] + 2 * x[1] * x[1];
                for (int k = 0; k < 4; k++)
                    if (f[limited] <= level[k])
                        best[k] = fmin(best[k], f[1 - limited]);
                gdyn_search_tell(search, i, &(gdyn_search_outcome){.objective = f});
            }
            assert_int_equal(gdyn_search_advance(search), GDYN_OK);
        }
        for (int k = 0; k < 4; k++) {
            double c = -level[k], right = c < 3 ? 2 * c * c / 3 : 4 + 2 * (c - 2) * (c - 2);
            gdyn_search_level now = gdyn_search_level_of(search, k);
            assert_int_equal(now, k < 3 ? GDYN_LEVEL_SOLVED : GDYN_LEVEL_UNMET);
            assert_true(k == 3 || (best[k] > right - 1e-12 && best[k] < right + 1e-5));
        }
        gdyn_search_destroy(search);
    }
}

static gdyn_search *swept(const problem *p, gdyn_search_method method, const char *nlopt,
                          int points) {
    gdyn_search_options options = gdyn_search_default();
    options.method = method, options.nlopt = nlopt, options.points = points;
    options.population = 300, options.evaluations = 60000;
    gdyn_search *search;
    assert_int_equal(create_with(p, true, &options, &search), GDYN_OK);
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING)
        batch(search, p, 0);
    return search;
}

/* ZDT2's front is f2 = 1 - f1^2. Five weights:
 *   ray in the direction (1/4, 3/4)          f2 = 3 f1
 *   limit 1/4                                f1 = 1/4
 *   normal (1, 1) from the point (1/4, 3/4)  f2 - f1 = 1/2 */
static void solutions_on_a_curve_are_those_of_its_equation(void **state) {
    (void)state;
    const double x[SWEEPS] = {(sqrt(13) - 3) / 2, 0.25, (sqrt(3) - 1) / 2};
    for (int k = 0; k < SWEEPS; k++) {
        gdyn_search *search = swept(&problems[1], sweeps[k], NULL, 5);
        assert_true(nearest_member(search, (double[2]){x[k], 1 - x[k] * x[k]}) < CLOSE);
        gdyn_search_destroy(search);
    }
}

/* DTLZ2's front is the unit sphere. A ray in the direction w meets it at w/|w|; the normal from w at
 * w + t (1, 1, 1) with 3 t^2 + 2 t + |w|^2 = 1. 4 divisions; normals in the inner triangle. */
static void solutions_on_a_sphere_are_those_of_its_equation(void **state) {
    (void)state;
    gdyn_search *rays = swept(&problems[5], GDYN_SEARCH_CHEBYSHEV, NULL, 15);
    gdyn_search *normals = swept(&problems[5], GDYN_SEARCH_NBI, NULL, 15);
    for (int a = 1; a <= 2; a++)
        for (int b = 1; a + b <= 3; b++) {
            double w[3] = {0.25 * a, 0.25 * b, 0.25 * (4 - a - b)}, ray[3], normal[3];
            double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
            double t = (sqrt(1 + 3 * (1 - square)) - 1) / 3;
            for (int i = 0; i < 3; i++)
                ray[i] = w[i] / sqrt(square), normal[i] = w[i] + t;
            assert_true(nearest_member(rays, ray) < CLOSE);
            assert_true(nearest_member(normals, normal) < CLOSE);
        }
    gdyn_search_destroy(rays);
    gdyn_search_destroy(normals);
}

/* --- whole fronts ----------------------------------------------------------------------------- */

/* How far a member is above the front: g - 1 of ZDT, |f| - 1 of DTLZ2. */
static double above(const problem *p, const double *f, const double *x) {
    if (strcmp(p->name, "DTLZ2") == 0)
        return sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) - 1;
    double foot[PROBLEM_VARIABLES] = {x[0]}, front[2];
    p->evaluate(p->n, foot, front);
    return f[1] - front[1];
}

enum { POINTS = 40 };

/* Most problems end on the front. What else is not dominated stands in gaps between solutions. Points
 * 1/40 of a curve apart leave no more than half of that, on an average, to the nearest one. */
static void whole_fronts_are_met(void **state) {
    (void)state;
    for (int k = 0; k < (GDYN_SANITIZED ? 1 : SWEEPS); k++)
        for (int i = 0; i < PUBLISHED_COUNT; i++) {
            if (strcmp(problems[i].name, "ZDT4") == 0)
                continue; /* not for local searches */
            gdyn_search *search = swept(&problems[i], sweeps[k], NULL, POINTS);
            int on = 0, front = gdyn_search_state(search).front;
            for (int l = 0; l < front; l++) {
                gdyn_search_member member = gdyn_search_population(search, l);
                on += fabs(above(&problems[i], member.f, member.x)) < 1e-3;
            }
            assert_int_equal(gdyn_search_state(search).stop, GDYN_SEARCH_COMPLETE);
            assert_true(on >= 0.75 * POINTS);
            if (i < 2)
                assert_true(distance_to_front(search, &problems[i]) < 0.5 / POINTS);
            gdyn_search_destroy(search);
        }
}

/* --- algorithms ------------------------------------------------------------------------------- */

static void sweep_meets(const problem *p, gdyn_search_method method, const char *nlopt) {
    gdyn_search *search = swept(p, method, nlopt, 20);
    assert_true(distance_to_front(search, p) < 3.0 / 80);
    gdyn_search_destroy(search);
}

/* Twenty points stand 1/20 of a curve apart, here and there one and a half times that: on an average
 * less than 3/80 to the nearest one. TNK's feasible designs have hollows beside the front, in which
 * steps along slopes end. */
static void every_algorithm_sweeps_constrained_fronts(void **state) {
    (void)state;
    static const char *const local[] = {"slsqp",  "mma",         "ccsaq", "cobyla",
                                        "bobyqa", "nelder_mead", "sbplx"};
    static const char *const global[] = {"isres", "crs2", "direct", "esch", "mlsl"};
    for (int a = 0; a < 7; a++)
        for (int i = PUBLISHED_COUNT; i < PROBLEM_COUNT; i++)
            for (int k = 0; k < SWEEPS; k++)
                if ((gdyn_long() || (a + i) % SWEEPS == k) &&
                    (a >= 3 || strcmp(problems[i].name, "TNK") != 0))
                    sweep_meets(&problems[i], sweeps[k], local[a]);
    for (int a = 0; a < 5; a++) /* BNH, SRN */
        sweep_meets(&problems[PUBLISHED_COUNT + a % 2], sweeps[a % SWEEPS], global[a]);
}

/* The same with nothing told but the sum of violations. */
static void a_sum_of_violations_is_enough(void **state) {
    (void)state;
    for (int k = 0; k < SWEEPS; k++) {
        gdyn_search_options options = gdyn_search_default();
        options.method = sweeps[k], options.points = 20, options.nlopt = "cobyla";
        options.population = 300, options.evaluations = 60000;
        gdyn_search *search;
        assert_int_equal(create_for(&problems[9], &options, &search), GDYN_OK);
        while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING)
            batch(search, &problems[9], 0);
        assert_true(distance_to_front(search, &problems[9]) < 0.025);
        gdyn_search_destroy(search);
    }
}

/* --- whole variables -------------------------------------------------------------------------- */

/* x whole in -8 .. 8, c a name in 0 .. 3 that costs `price` in both objectives: (x - 1)^2 + price,
 * (x - 4)^2 + price. Front: x = 1 .. 4 with name 1. */
static gdyn_status whole_result(void *context, const double *x, double *f, double *violation,
                                double *failure) {
    static const double price[4] = {3, 0, 2, 1};
    (void)context, (void)violation, (void)failure;
    double extra = price[(int)x[1]];
    f[0] = (x[0] - 1) * (x[0] - 1) + extra;
    f[1] = (x[0] - 4) * (x[0] - 4) + extra;
    return GDYN_OK;
}

static gdyn_status begin_whole(gdyn_search_method method, const char *nlopt, bool named,
                               gdyn_search **search) {
    const double lower[2] = {-8, named ? 0 : 1}, upper[2] = {8, named ? 3 : 1};
    const bool integer[2] = {true, true}, categorical[2] = {false, named};
    gdyn_search_problem definition = {.variables = 2,
                                      .objectives = 2,
                                      .lower = lower,
                                      .upper = upper,
                                      .integer = integer,
                                      .categorical = categorical};
    gdyn_search_options options = gdyn_search_default();
    options.method = method, options.nlopt = nlopt, options.population = 8;
    options.evaluations = 20000;
    return gdyn_search_create(&definition, &options, search);
}

static void whole_front_is_found(gdyn_search_method method, const char *nlopt, bool named) {
    gdyn_search *search;
    gdyn_search_callbacks callbacks = {whole_result, NULL, NULL};
    assert_int_equal(begin_whole(method, nlopt, named, &search), GDYN_OK);
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    for (int x = 1; x <= 4; x++)
        assert_true(nearest_member(search, (double[2]){(x - 1) * (x - 1), (x - 4) * (x - 4)}) == 0);
    gdyn_search_destroy(search);
}

static void whole_variables_suit_what_needs_no_slopes(void **state) {
    (void)state;
    static const char *const global[] = {NULL, "isres", "crs2", "direct", "esch", "mlsl"};
    static const char *const local[] = {"cobyla", "nelder_mead", "sbplx"};
    for (int k = 0; k < SWEEPS; k++) {
        for (int a = 0; a < 6; a++) {
            whole_front_is_found(sweeps[k], global[a], false);
            whole_front_is_found(sweeps[k], global[a], true);
        }
        for (int a = 0; a < 3; a++)
            whole_front_is_found(sweeps[k], local[a], false);
    }
}

static void whole_variables_are_refused_by_what_needs_slopes(void **state) {
    (void)state;
    static const char *const smooth[] = {"slsqp", "mma", "ccsaq", "bobyqa"};
    gdyn_search *search;
    for (int a = 0; a < 4; a++)
        assert_int_equal(begin_whole(GDYN_SEARCH_NBI, smooth[a], false, &search),
                         GDYN_ERROR_ARGUMENT);
    assert_int_equal(begin_whole(GDYN_SEARCH_NBI, "cobyla", true, &search), GDYN_ERROR_ARGUMENT);
}

/* --- until the budget is spent ------------------------------------------------------------------ */

/* One objective with a valley every half: least, -1, at 0.3 of both. */
static void valleys(gdyn_search *search, int i) {
    const double *x = gdyn_search_design(search, i);
    double f = 0;
    for (int j = 0; j < 2; j++)
        f += pow(x[j] - 0.3, 2) - 0.5 * cos(4 * acos(-1.0) * (x[j] - 0.3));
    gdyn_search_tell(search, i, &(gdyn_search_outcome){.objective = &f});
}

/* Further starts lead to the best valley, of four. */
static void one_objective_is_sought_from_other_designs(void **state) {
    (void)state;
    const double lower[2] = {0, 0}, upper[2] = {1, 1};
    gdyn_search_problem box = {.variables = 2, .objectives = 1, .lower = lower, .upper = upper};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        gdyn_search_options options = gdyn_search_default();
        options.method = GDYN_SEARCH_CHEBYSHEV, options.seed = seed;
        options.population = 4, options.evaluations = 2000;
        gdyn_search *search;
        assert_int_equal(gdyn_search_create(&box, &options, &search), GDYN_OK);
        while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
            int count = gdyn_search_ask(search);
            for (int i = 0; i < count; i++)
                valleys(search, i);
            assert_int_equal(gdyn_search_advance(search), GDYN_OK);
        }
        assert_int_equal(gdyn_search_state(search).stop, GDYN_SEARCH_EVALUATIONS);
        assert_true(gdyn_search_population(search, 0).f[0] < -1 + 1e-6);
        gdyn_search_destroy(search);
    }
}

enum { PARTS = 40 };

/* Runs the search on ZDT2 to its end; in how many of the PARTS parts of the first objective's range a design came to the front,
 * f2 = 1 - f1^2. */
static int covered_parts(gdyn_search *search) {
    bool there[PARTS] = {false};
    int count = 0;
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        for (int i = 0; i < gdyn_search_ask(search); i++) {
            double f[2];
            problems[1].evaluate(problems[1].n, gdyn_search_design(search, i), f);
            if (f[0] < 1 && f[1] < 1 - f[0] * f[0] + 1e-5)
                there[(int)(PARTS * f[0])] = true;
        }
        batch(search, &problems[1], 0);
    }
    for (int i = 0; i < PARTS; i++)
        count += there[i];
    return count;
}

/* Problems between those of the lattice: a curve of length 1.48 that is covered four times as densely. The budgets are enough
 * for the lattice of 10 alone and for some forty problems. */
static void open_sweeps_go_on(void **state) {
    (void)state;
    for (int k = 0; k < SWEEPS; k++) {
        gdyn_search_options options = gdyn_search_default();
        options.method = sweeps[k], options.nlopt = "slsqp";
        options.population = 10, options.evaluations = 12000;
        gdyn_search *open, *stated;
        assert_int_equal(create_with(&problems[1], true, &options, &open), GDYN_OK);
        options.points = 10;
        assert_int_equal(create_with(&problems[1], true, &options, &stated), GDYN_OK);
        /* ten solutions and the ways to them, or one for each part */
        assert_in_range(covered_parts(open), 30, PARTS);
        assert_in_range(covered_parts(stated), 8, 20);
        assert_int_equal(gdyn_search_state(open).stop, GDYN_SEARCH_EVALUATIONS);
        assert_int_equal(gdyn_search_state(open).evaluations, 12000);
        assert_int_equal(gdyn_search_state(stated).stop, GDYN_SEARCH_COMPLETE);
        assert_true(gdyn_search_state(stated).evaluations < 12000);
        gdyn_search_destroy(open);
        gdyn_search_destroy(stated);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_on_a_simplex_are_the_weights),
        cmocka_unit_test(three_objectives_meet_their_limits),
        cmocka_unit_test(levels_are_kept_exactly),
        cmocka_unit_test(solutions_on_a_curve_are_those_of_its_equation),
        cmocka_unit_test(solutions_on_a_sphere_are_those_of_its_equation),
        cmocka_unit_test(whole_fronts_are_met),
        cmocka_unit_test(every_algorithm_sweeps_constrained_fronts),
        cmocka_unit_test(a_sum_of_violations_is_enough),
        cmocka_unit_test(whole_variables_suit_what_needs_no_slopes),
        cmocka_unit_test(one_objective_is_sought_from_other_designs),
        cmocka_unit_test(open_sweeps_go_on),
        cmocka_unit_test(whole_variables_are_refused_by_what_needs_slopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
