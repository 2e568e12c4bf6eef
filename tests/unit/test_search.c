/* Population methods on analytic problems with known fronts; repeatability; stopping; failed
 * designs. Most tests are run once for each method. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "search_problems.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const double reference[3] = {1.1, 1.1, 1.1};
static gdyn_search_method method; /* under test */

static gdyn_search_options options_of_method(void) {
    gdyn_search_options options = gdyn_search_default();
    options.method = method;
    return options;
}

static gdyn_search *run_problem(const problem *p, uint64_t seed, long evaluations) {
    gdyn_search_options options = options_of_method();
    options.population = 100, options.evaluations = evaluations, options.seed = seed;
    options.reference = reference;
    gdyn_search *search;
    gdyn_search_callbacks callbacks = {evaluate_problem, NULL, (void *)p};
    assert_int_equal(create_for(p, &options, &search), GDYN_OK);
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    return search;
}

/* Published medians; the tolerance is half the range of eleven seeds of this program
 * (tests/bench/bench_search), since the median of three may lie that far off. */
static void published_hypervolumes(void **state) {
    (void)state;
    static const double tolerance[PUBLISHED_COUNT] = {0.0003, 0.0004, 0.0003,
                                                      0.0038, 0.0012, 0.0071};
    for (int k = 0; k < PUBLISHED_COUNT; k++) {
        double v[3];
        for (int seed = 0; seed < 3; seed++) {
            gdyn_search *search = run_problem(&problems[k], 100 + (uint64_t)seed, 25000);
            gdyn_search_info info = gdyn_search_state(search);
            assert_int_equal(info.evaluations, 25000);
            assert_int_equal(info.stop, GDYN_SEARCH_EVALUATIONS);
            assert_int_equal(info.feasible, 100);
            v[seed] = info.hypervolume;
            gdyn_search_destroy(search);
        }
        double median = fmax(fmin(v[0], v[1]), fmin(fmax(v[0], v[1]), v[2]));
        assert_true(median >= problems[k].mark - tolerance[k]);
    }
}

/* The marks are passed after a third of the evaluations, on ZDT3 with its five pieces after less than half, on the
 * many-peaked ZDT4 after less than all: medians of 21 seeds lie at three quarters of these or below (ZDT3: 8,240, the
 * greatest 10,360; `bench_search 21 de`), so that two of three seeds pass with a large margin. */
static void differences_reach_the_marks_early(void **state) {
    (void)state;
    static const long allowed[PUBLISHED_COUNT] = {8333, 8333, 11000, 24000, 8333, 8333};
    for (int k = 0; k < PUBLISHED_COUNT; k++) {
        int passed = 0;
        for (uint64_t seed = 100; seed < 103; seed++) {
            gdyn_search *search = run_problem(&problems[k], seed, allowed[k]);
            passed += gdyn_search_state(search).hypervolume >= problems[k].mark;
            gdyn_search_destroy(search);
        }
        assert_true(passed >= 2);
    }
}

/* --- analytic fronts: f2 of the front at f1 ----------------------------------------------- */

static double zdt1_front(double f1) {
    return 1 - sqrt(f1);
}
static double zdt2_front(double f1) {
    return 1 - f1 * f1;
}
static double bnh_front(double f1) {
    double x = f1 <= 72 ? sqrt(f1 / 8) : sqrt((f1 - 36) / 4);
    return f1 <= 72 ? 2 * (x - 5) * (x - 5) : (x - 5) * (x - 5) + 4;
}
static double srn_front(double f1) {
    return -0.25 - f1;
}
static double constr_front(double f1) {
    return fmax(7 / f1 - 9, 1 / f1);
}

/* Every member lies on or above the front, on the average by less than the spacing that 100 points
 * would have on it, and the members span it. */
static void members_near(const char *name, double (*front)(double), double f1_low, double f1_high) {
    const problem *p = NULL;
    for (int k = 0; k < PROBLEM_COUNT; k++)
        if (strcmp(problems[k].name, name) == 0)
            p = &problems[k];
    gdyn_search *search = run_problem(p, 5, 25000);
    gdyn_search_info info = gdyn_search_state(search);
    assert_int_equal(info.feasible, 100);
    assert_true(info.front >= 95);
    double f2_range = fabs(front(f1_low) - front(f1_high)), f1_range = f1_high - f1_low;
    double sum = 0, least = INFINITY, greatest = -INFINITY;
    for (int i = 0; i < info.front; i++) {
        gdyn_search_member member = gdyn_search_population(search, i);
        double above = member.f[1] - front(member.f[0]);
        assert_true(above >= -1e-9 * f2_range);
        sum += above;
        least = fmin(least, member.f[0]), greatest = fmax(greatest, member.f[0]);
    }
    assert_true(sum / info.front <= f2_range / 100);
    assert_true(least <= f1_low + 0.05 * f1_range && greatest >= f1_high - 0.05 * f1_range);
    gdyn_search_destroy(search);
}

static void known_fronts(void **state) {
    (void)state;
    members_near("ZDT1", zdt1_front, 0, 1);
    members_near("ZDT2", zdt2_front, 0, 1);
    members_near("BNH", bnh_front, 0, 136);
    members_near("SRN", srn_front, 10.1, 212);
    members_near("CONSTR", constr_front, 7.0 / 18, 1);
}

/* DTLZ2: the front is the unit sphere. TNK: the first constraint is active nearly everywhere. */
static void surfaces(void **state) {
    (void)state;
    gdyn_search *search = run_problem(&problems[5], 6, 25000);
    double sum = 0;
    for (int i = 0; i < 100; i++) {
        const double *f = gdyn_search_population(search, i).f;
        double radius = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        assert_true(radius >= 1 - 1e-12);
        sum += radius - 1;
    }
    assert_true(sum / 100 <= 0.1); /* 100 points on an octant stand about 0.13 apart */
    gdyn_search_destroy(search);

    search = run_problem(&problems[8], 6, 25000);
    sum = 0;
    for (int i = 0; i < 100; i++) {
        const double *f = gdyn_search_population(search, i).f;
        double slack = f[0] * f[0] + f[1] * f[1] - 1 - 0.1 * cos(16 * atan2(f[0], f[1]));
        assert_true(slack >= 0);
        sum += slack;
    }
    assert_true(sum / 100 <= 0.01);
    gdyn_search_destroy(search);
}

/* --- repeatability ------------------------------------------------------------------------ */

static void same_populations(const gdyn_search *a, const gdyn_search *b, int n, int m) {
    gdyn_search_info ia = gdyn_search_state(a), ib = gdyn_search_state(b);
    assert_int_equal(ia.population, ib.population);
    for (int i = 0; i < ia.population; i++) {
        gdyn_search_member x = gdyn_search_population(a, i), y = gdyn_search_population(b, i);
        assert_memory_equal(x.x, y.x, (size_t)n * sizeof(double));
        assert_memory_equal(x.f, y.f, (size_t)m * sizeof(double));
        assert_int_equal(x.serial, y.serial);
    }
    assert_true(ia.hypervolume == ib.hypervolume);
}

static void the_seed_decides_every_bit(void **state) {
    (void)state;
    gdyn_search *a = run_problem(&problems[3], 42, 5000), *b = run_problem(&problems[3], 42, 5000);
    gdyn_search *c = run_problem(&problems[3], 43, 5000);
    same_populations(a, b, 10, 2);
    assert_true(gdyn_search_state(a).hypervolume != gdyn_search_state(c).hypervolume ||
                memcmp(gdyn_search_population(a, 0).x, gdyn_search_population(c, 0).x,
                       10 * sizeof(double)) != 0);
    gdyn_search_destroy(a);
    gdyn_search_destroy(b);
    gdyn_search_destroy(c);
}

/* Results told backwards, as threads might, give the same search. */
static void the_order_of_evaluation_does_not_matter(void **state) {
    (void)state;
    const problem *p = &problems[8];
    gdyn_search_options options = options_of_method();
    options.population = 31, options.evaluations = 1000; /* odd, and a short last generation */
    gdyn_search *forward, *backward;
    gdyn_search_callbacks callbacks = {evaluate_problem, NULL, (void *)p};
    assert_int_equal(create_for(p, &options, &forward), GDYN_OK);
    assert_int_equal(create_for(p, &options, &backward), GDYN_OK);
    assert_int_equal(gdyn_search_run(forward, &callbacks), GDYN_OK);
    while (gdyn_search_state(backward).stop == GDYN_SEARCH_RUNNING) {
        assert_int_equal(gdyn_search_serial(backward, 0), gdyn_search_state(backward).evaluations);
        assert_int_equal(gdyn_search_advance(backward), GDYN_ERROR_ARGUMENT); /* nothing told */
        for (int i = gdyn_search_ask(backward) - 1; i >= 0; i--) {
            double f[2];
            gdyn_search_outcome outcome = {.objective = f};
            outcome.violation = p->evaluate(p->n, gdyn_search_design(backward, i), f);
            gdyn_search_tell(backward, i, &outcome);
        }
        assert_int_equal(gdyn_search_advance(backward), GDYN_OK);
    }
    assert_int_equal(gdyn_search_state(backward).evaluations, 1000);
    same_populations(forward, backward, p->n, p->m);
    gdyn_search_destroy(forward);
    gdyn_search_destroy(backward);
}

/* --- designs that fail -------------------------------------------------------------------- */

typedef struct narrow {
    int calls, feasible_at; /* evaluation of the first feasible design, -1: none */
} narrow;

/* Evaluable only within 0.2 of (0.7, ..., 0.7) in the last nine variables, feasible only within
 * 0.02: by chance 4e-13 of the box. The front is x0 in [0, 1] with f = (x0, 1 - x0). */
static gdyn_status narrow_door(void *context, const double *x, double *f, double *violation,
                               double *failure) {
    narrow *count = context;
    double far = 0;
    for (int j = 1; j < 10; j++)
        far = fmax(far, fabs(x[j] - 0.7));
    count->calls++;
    *failure = far > 0.2 ? far - 0.2 : 0;
    f[0] = *failure > 0 ? NAN : x[0];
    f[1] = 1 - x[0];
    *violation = far > 0.02 ? far - 0.02 : 0;
    if (count->feasible_at < 0 && *failure == 0 && *violation == 0)
        count->feasible_at = count->calls;
    return GDYN_OK;
}

static void a_wholly_failing_start_finds_its_way(void **state) {
    (void)state;
    double lower[10] = {0}, upper[10];
    for (int j = 0; j < 10; j++)
        upper[j] = 1;
    gdyn_search_problem definition = {
        .variables = 10, .objectives = 2, .lower = lower, .upper = upper};
    gdyn_search_options options = options_of_method();
    options.evaluations = 20000;
    narrow count = {0, -1};
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&definition, &options, &search), GDYN_OK);
    gdyn_search_callbacks callbacks = {narrow_door, NULL, &count};
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    gdyn_search_info info = gdyn_search_state(search);
    assert_true(count.feasible_at > options.population); /* the start was hopeless */
    assert_int_equal(info.feasible, info.population);
    assert_int_equal(info.failed, 0);
    assert_true(info.front >= 90 && info.hypervolume > 0);
    gdyn_search_destroy(search);
}

static void values_that_are_not_finite_rank_last(void **state) {
    (void)state;
    double lower[1] = {0}, upper[1] = {1};
    gdyn_search_problem definition = {
        .variables = 1, .objectives = 1, .lower = lower, .upper = upper};
    gdyn_search_options options = options_of_method();
    options.population = 4, options.evaluations = 4;
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&definition, &options, &search), GDYN_OK);
    double f[4] = {NAN, 1, INFINITY, 2};
    gdyn_search_tell(search, 0, &(gdyn_search_outcome){.objective = &f[0]});
    gdyn_search_tell(search, 1, &(gdyn_search_outcome){.objective = &f[1], .violation = 3});
    gdyn_search_tell(search, 2, &(gdyn_search_outcome){.objective = NULL, .failure = 0.5});
    gdyn_search_tell(search, 3, &(gdyn_search_outcome){.objective = &f[3], .violation = NAN});
    assert_int_equal(gdyn_search_advance(search), GDYN_OK);
    const long order[4] = {1, 2, 0, 3};
    for (int i = 0; i < 4; i++) {
        gdyn_search_member member = gdyn_search_population(search, i);
        if (i < 2)
            assert_int_equal(member.serial, order[i]);
        assert_true(isfinite(member.f[0]) && !isnan(member.violation) && !isnan(member.failure));
    }
    assert_int_equal(gdyn_search_state(search).failed, 3);
    assert_int_equal(gdyn_search_state(search).feasible, 0);
    assert_null(gdyn_search_state(search).reference);
    gdyn_search_destroy(search);
}

/* --- integers, start, stopping ------------------------------------------------------------ */

/* Least weight of k bars (integer 1..9) and diameter d against deflection: f = (k d^2, 1/(k d^4)).
 */
static gdyn_status bars(void *context, const double *x, double *f, double *violation,
                        double *failure) {
    (void)failure;
    int *seen = context;
    assert_true(x[0] == floor(x[0]) && x[0] >= 1 && x[0] <= 9);
    assert_true(x[1] >= 0.5 && x[1] <= 2 && x[2] == 3.25);
    seen[(int)x[0]]++;
    f[0] = x[0] * x[1] * x[1];
    f[1] = 1 / (x[0] * pow(x[1], 4));
    *violation = f[0] > 12 ? f[0] - 12 : 0;
    return GDYN_OK;
}

/* For a given f1 = k d^2 deflection is k/f1^2: one bar is best while d <= 2, so k = 1 up to f1 = 4.
 */
static void integer_and_held_variables(void **state) {
    (void)state;
    const double lower[3] = {0.2, 0.5, 3.25}, upper[3] = {9.9, 2, 3.25}, start[3] = {4.4, 7, 0};
    const bool integer[3] = {true, false, false};
    gdyn_search_problem definition = {.variables = 3,
                                      .objectives = 2,
                                      .lower = lower,
                                      .upper = upper,
                                      .integer = integer,
                                      .start = start};
    gdyn_search_options options = options_of_method();
    options.population = 60, options.evaluations = 12000;
    gdyn_search *search;
    int seen[10] = {0};
    assert_int_equal(gdyn_search_create(&definition, &options, &search), GDYN_OK);
    const double *first = gdyn_search_design(search, 0); /* the start, rounded and clipped */
    assert_true(first[0] == 4 && first[1] == 2 && first[2] == 3.25);
    gdyn_search_callbacks callbacks = {bars, NULL, seen};
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    for (int k = 1; k <= 9; k++)
        assert_true(seen[k] > 0);
    gdyn_search_info info = gdyn_search_state(search);
    for (int i = 0; i < info.front; i++) {
        gdyn_search_member member = gdyn_search_population(search, i);
        if (member.f[0] < 4 * (1 - 1e-9))
            assert_true(member.x[0] == 1);
        assert_true(member.f[0] <= 12);
    }
    gdyn_search_destroy(search);
}

static void the_first_generation_is_a_latin_hypercube(void **state) {
    (void)state;
    double lower[2] = {-1, 0}, upper[2] = {1, 50};
    gdyn_search_problem definition = {
        .variables = 2, .objectives = 1, .lower = lower, .upper = upper};
    gdyn_search_options options = options_of_method();
    options.population = 50;
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&definition, &options, &search), GDYN_OK);
    bool seen[2][50] = {{false}};
    for (int i = 0; i < 50; i++) {
        const double *x = gdyn_search_design(search, i);
        seen[0][(int)floor((x[0] + 1) * 25)] = true;
        seen[1][(int)floor(x[1])] = true;
    }
    for (int i = 0; i < 50; i++)
        assert_true(seen[0][i] && seen[1][i]);
    gdyn_search_destroy(search);
}

static bool stop_at_seven(void *context, const gdyn_search_info *info) {
    (void)context;
    return info->generation < 7;
}

static void reasons_to_stop(void **state) {
    (void)state;
    gdyn_search_callbacks callbacks = {evaluate_problem, NULL, (void *)&problems[0]};
    gdyn_search_options options = options_of_method();
    gdyn_search *search;

    options.generations = 5, options.evaluations = 0;
    assert_int_equal(create_for(&problems[0], &options, &search), GDYN_OK);
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    assert_int_equal(gdyn_search_state(search).stop, GDYN_SEARCH_GENERATIONS);
    assert_int_equal(gdyn_search_state(search).evaluations, 5 * 96);
    assert_int_equal(gdyn_search_ask(search), 0);
    gdyn_search_destroy(search);

    options.generations = 0, options.stall_window = 20, options.stall_tolerance = 0.001;
    options.evaluations = 200000;
    assert_int_equal(create_for(&problems[0], &options, &search), GDYN_OK);
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    assert_int_equal(gdyn_search_state(search).stop, GDYN_SEARCH_STALL);
    assert_true(gdyn_search_state(search).evaluations >= 20 * 96); /* however small the batches */
    assert_true(gdyn_search_state(search).hypervolume > 0);
    gdyn_search_destroy(search);

    options.stall_window = 0, options.time = 1e-3;
    assert_int_equal(create_for(&problems[0], &options, &search), GDYN_OK);
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    assert_int_equal(gdyn_search_state(search).stop, GDYN_SEARCH_TIME);
    gdyn_search_destroy(search);

    options.time = 0;
    callbacks.progress = stop_at_seven;
    assert_int_equal(create_for(&problems[0], &options, &search), GDYN_OK);
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    assert_int_equal(gdyn_search_state(search).stop, GDYN_SEARCH_REQUEST);
    assert_int_equal(gdyn_search_state(search).generation, 7);
    gdyn_search_destroy(search);
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    double lower[2] = {0, 0}, upper[2] = {1, 1}, start[2] = {0.5, 0.5};
    const bool integer[2] = {false, true};
    gdyn_search_options options = options_of_method();
    gdyn_search_problem good = {
        .variables = 2, .objectives = 2, .lower = lower, .upper = upper, .start = start};
    gdyn_search *search;
    const double bad[] = {NAN, INFINITY, -1};
    for (int i = 0; i < 3; i++) {
        upper[1] = bad[i];
        assert_int_equal(gdyn_search_create(&good, &options, &search), GDYN_ERROR_ARGUMENT);
        assert_null(search);
    }
    lower[1] = 0.2, upper[1] = 0.8; /* holds no integer */
    good.integer = integer;
    assert_int_equal(gdyn_search_create(&good, &options, &search), GDYN_ERROR_ARGUMENT);
    good.integer = NULL;
    start[0] = NAN;
    assert_int_equal(gdyn_search_create(&good, &options, &search), GDYN_ERROR_ARGUMENT);
    start[0] = 0;
    options.population = 3;
    assert_int_equal(gdyn_search_create(&good, &options, &search), GDYN_ERROR_ARGUMENT);
    options.population = 8, options.crossover = 1.5;
    assert_int_equal(gdyn_search_create(&good, &options, &search), GDYN_ERROR_ARGUMENT);
}

static void memory_is_asked_for_at_create_only(void **state) {
    (void)state;
    gdyn_search_options options = options_of_method();
    options.evaluations = 2000;
    gdyn_search *search;
    int failures = 0;
    for (long n = 0;; n++) { /* each allocation of create fails in turn */
        gdyn_alloc_fail_after(n);
        gdyn_status status = create_for(&problems[5], &options, &search);
        gdyn_alloc_fail_after(-1);
        if (status == GDYN_OK)
            break;
        assert_int_equal(status, GDYN_ERROR_MEMORY);
        assert_null(search);
        failures++;
    }
    assert_true(failures >= 5); /* one for each block of the arenas */
    unsigned long before = gdyn_alloc_count();
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        for (int i = 0; i < gdyn_search_ask(search); i++) {
            double f[3];
            dtlz2(12, gdyn_search_design(search, i), f);
            gdyn_search_tell(search, i, &(gdyn_search_outcome){.objective = f});
        }
        assert_int_equal(gdyn_search_advance(search), GDYN_OK);
    }
    assert_int_equal(gdyn_alloc_count() - before, 0);
    gdyn_search_destroy(search);
}

int main(void) {
    const struct CMUnitTest nsga2[] = {
        cmocka_unit_test(published_hypervolumes),
        cmocka_unit_test(the_first_generation_is_a_latin_hypercube),
        cmocka_unit_test(reasons_to_stop),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    const struct CMUnitTest de[] = {
        cmocka_unit_test(differences_reach_the_marks_early),
    };
    const struct CMUnitTest every[] = {
        cmocka_unit_test(known_fronts),
        cmocka_unit_test(surfaces),
        cmocka_unit_test(the_seed_decides_every_bit),
        cmocka_unit_test(the_order_of_evaluation_does_not_matter),
        cmocka_unit_test(a_wholly_failing_start_finds_its_way),
        cmocka_unit_test(values_that_are_not_finite_rank_last),
        cmocka_unit_test(integer_and_held_variables),
        cmocka_unit_test(memory_is_asked_for_at_create_only),
    };
    int failed = cmocka_run_group_tests(nsga2, NULL, NULL);
    method = GDYN_SEARCH_DE;
    failed += cmocka_run_group_tests(de, NULL, NULL);
    for (int k = GDYN_SEARCH_NSGA2; k <= GDYN_SEARCH_NSGA3; k++) {
        method = (gdyn_search_method)k;
        failed += cmocka_run_group_tests_name(gdyn_search_method_name(method), every, NULL, NULL);
    }
    return failed;
}
