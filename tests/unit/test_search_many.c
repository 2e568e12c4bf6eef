/* NSGA-III on DTLZ1 to 4 and 7 with three, five and eight objectives; its reference directions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "dtlz.h"
#include "indicators.h"
#include "search/search.h"
#include "share.h"

#include <math.h>
#include <string.h>

enum { VARIABLES = 30, OBJECTIVES = 8, MEMBERS = 220 };

/* --- directions --------------------------------------------------------------------------- */

/* Numbers of the paper's table: 91 points for 12 divisions of 3, 210 for 6 of 5, 156 for 3 and 2 of 8,
 * 275 for 3 and 2 of 10, 135 for 2 and 1 of 15. */
static void numbers_of_directions(void **state) {
    (void)state;
    const int table[5][3] = {{3, 12, 91}, {5, 6, 210}, {8, 3, 156}, {10, 3, 275}, {15, 2, 135}};
    for (int k = 0; k < 5; k++) {
        int m = table[k][0], divisions = table[k][1], count = table[k][2];
        assert_int_equal(gdyn_directions_count(m, divisions, 1000), count);
        assert_int_equal(gdyn_directions_count(m, divisions, count - 1), 0);
        assert_int_equal(gdyn_directions_divisions(m, count), divisions);
        assert_int_equal(gdyn_directions_divisions(m, 2), 1);
    }
    assert_int_equal(gdyn_directions_count(1, 50, 1000), 1);
    assert_int_equal(gdyn_directions_count(60, 60, 1 << 20), 0); /* no overflow */
}

/* All on the simplex, on its lattice, all different; the mean is the centre by symmetry. */
static void directions_fill_the_simplex(void **state) {
    (void)state;
    const int kinds[3][2] = {{3, 12}, {5, 6}, {8, 3}};
    for (int q = 0; q < 3; q++) {
        static double Z[OBJECTIVES * MEMBERS];
        int m = kinds[q][0], divisions = kinds[q][1];
        int count = gdyn_directions_count(m, divisions, MEMBERS);
        double mean[OBJECTIVES] = {0};
        gdyn_directions(Z, m, divisions);
        for (int k = 0; k < count; k++) {
            const double *z = Z + k * m;
            double sum = 0;
            for (int j = 0; j < m; j++) {
                assert_true(z[j] >= 0 && z[j] <= 1);
                sum += z[j], mean[j] += z[j] / count;
            }
            assert_true(fabs(sum - 1) < 1e-14);
            for (int i = 0; i < k; i++)
                assert_memory_not_equal(z, Z + i * m, (size_t)m * sizeof *z);
        }
        for (int j = 0; j < m; j++)
            assert_true(fabs(mean[j] - 1.0 / m) < 1e-14);
    }
}

/* --- fronts ------------------------------------------------------------------------------- */

typedef struct trial {
    int number; /* of the DTLZ problem */
    void (*evaluate)(int n, int m, const double *x, double *f);
    int distance_variables;
    int generations[3]; /* for 3, 5, 8 objectives; near those of Deb and Jain */
} trial;

static const trial trials[] = {{1, dtlz1_of, 5, {400, 600, 750}},
                               {2, dtlz2_of, 10, {250, 350, 500}},
                               {3, dtlz3_of, 10, {1000, 800, 1000}},
                               {4, dtlz4_of, 10, {600, 300, 300}},
                               {7, dtlz7_of, 20, {400, 300, 400}}};

static gdyn_search *run_trial(const trial *t, int m, int population, int generations,
                              uint64_t seed) {
    double lower[VARIABLES] = {0}, upper[VARIABLES];
    int n = m - 1 + t->distance_variables;
    for (int j = 0; j < n; j++)
        upper[j] = 1;
    gdyn_search_problem problem = {.variables = n, .objectives = m, .lower = lower, .upper = upper};
    gdyn_search_options options = gdyn_search_default();
    options.method = GDYN_SEARCH_NSGA3, options.population = population, options.seed = seed;
    options.evaluations = 0, options.generations = generations;
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_OK);
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        for (int i = 0; i < gdyn_search_ask(search); i++) {
            double f[OBJECTIVES];
            t->evaluate(n, m, gdyn_search_design(search, i), f);
            gdyn_search_tell(search, i, &(gdyn_search_outcome){.objective = f});
        }
        assert_int_equal(gdyn_search_advance(search), GDYN_OK);
    }
    return search;
}

/* Targets: where the directions meet the front. Population and directions of Deb and Jain. */
static int targets_of(const trial *t, int m, double *Z) {
    const int divisions = m == 3 ? 12 : m == 5 ? 6 : 3;
    int count = gdyn_directions_count(m, divisions, MEMBERS);
    gdyn_directions(Z, m, divisions);
    for (int k = 0; k < count; k++) {
        double square = 0;
        for (int j = 0; j < m; j++)
            square += Z[k * m + j] * Z[k * m + j];
        for (int j = 0; j < m; j++)
            Z[k * m + j] *= t->number == 1 ? 0.5 : 1 / sqrt(square);
    }
    return count;
}

/* Every problem converges: members lie on the average within 3 % of the front by its closed form. The
 * fronts of DTLZ1 to 4 are served evenly: targets are missed on the average by less than a tenth of
 * their spacing, a quarter on the rugged DTLZ3. The spacing is sqrt(2) / divisions of the extent. */
static void check_front(const trial *t, int q, uint64_t seed) {
    static double Z[OBJECTIVES * MEMBERS], F[OBJECTIVES * MEMBERS];
    static const int objectives[3] = {3, 5, 8}, population[3] = {92, 212, 156};
    static const int divisions[3] = {12, 6, 3};
    int m = objectives[q];
    gdyn_search *search = run_trial(t, m, population[q], t->generations[q], seed);
    gdyn_search_info info = gdyn_search_state(search);
    double beyond = 0;
    for (int i = 0; i < info.population; i++) {
        const double *f = gdyn_search_population(search, i).f;
        memcpy(F + i * m, f, (size_t)m * sizeof *f);
        double one = dtlz_beyond(t->number, m, f);
        assert_true(one >= -1e-12);
        beyond += one / info.population;
    }
    assert_true(beyond < 0.03);
    if (t->number != 7) {
        double spacing = sqrt(2) / divisions[q] * (t->number == 1 ? 0.5 : 1);
        int targets = targets_of(t, m, Z);
        assert_true(gdyn_igd(F, info.population, Z, targets, m) <
                    (t->number == 3 ? 0.25 : 0.1) * spacing);
    }
    gdyn_search_destroy(search);
}

static void three_objectives(void **state) {
    (void)state;
    for (int k = 0; k < 5; k++)
        check_front(&trials[k], 0, 4);
}
static void five_objectives(void **state) {
    (void)state;
    for (int k = 0; k < 5; k += gdyn_long() ? 1 : GDYN_SANITIZED ? 4 : 2)
        check_front(&trials[k], 1, 4);
}
static void eight_objectives(void **state) {
    (void)state;
    for (int k = !gdyn_long(); k < 5; k += gdyn_long() ? 1 : GDYN_SANITIZED ? 4 : 2)
        check_front(&trials[k], 2, 4);
}

/* DTLZ7 with three objectives has four separate pieces: none is lost. */
static void no_piece_is_lost(void **state) {
    (void)state;
    gdyn_search *search = run_trial(&trials[4], 3, 92, 400, 4);
    int members[2][2] = {{0}};
    for (int i = 0; i < 92; i++) {
        const double *f = gdyn_search_population(search, i).f;
        members[f[0] > 0.45][f[1] > 0.45]++; /* the pieces: 0 to 0.25 and 0.63 to 0.86 */
    }
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
            assert_true(members[a][b] >= 5);
    gdyn_search_destroy(search);
}

/* The same front in units a million times apart is served as evenly. */
static void units_do_not_matter(void **state) {
    (void)state;
    static double Z[3 * MEMBERS], F[3 * MEMBERS];
    const double unit[3] = {1e-3, 1, 1e3};
    double lower[12] = {0}, upper[12];
    for (int j = 0; j < 12; j++)
        upper[j] = 1;
    gdyn_search_problem problem = {
        .variables = 12, .objectives = 3, .lower = lower, .upper = upper};
    gdyn_search_options options = gdyn_search_default();
    options.method = GDYN_SEARCH_NSGA3, options.population = 92;
    options.evaluations = 0, options.generations = 250;
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_OK);
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        for (int i = 0; i < gdyn_search_ask(search); i++) {
            double f[3];
            dtlz2_of(12, 3, gdyn_search_design(search, i), f);
            for (int j = 0; j < 3; j++)
                f[j] *= unit[j];
            gdyn_search_tell(search, i, &(gdyn_search_outcome){.objective = f});
        }
        assert_int_equal(gdyn_search_advance(search), GDYN_OK);
    }
    for (int i = 0; i < 92; i++)
        for (int j = 0; j < 3; j++)
            F[3 * i + j] = gdyn_search_population(search, i).f[j] / unit[j];
    int targets = targets_of(&trials[1], 3, Z);
    assert_true(gdyn_igd(F, 92, Z, targets, 3) < 0.1 * sqrt(2) / 12);
    gdyn_search_destroy(search);
}

static void limits_of_the_method(void **state) {
    (void)state;
    const double lower[1] = {0}, upper[1] = {1};
    gdyn_search_problem problem = {
        .variables = 1, .objectives = 65, .lower = lower, .upper = upper};
    gdyn_search_options options = gdyn_search_default();
    options.method = GDYN_SEARCH_NSGA3;
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_ERROR_ARGUMENT);
    problem.objectives = 20, options.divisions = 20;
    assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_ERROR_ARGUMENT);
    for (int m = 1; m <= 2; m++) { /* few objectives are no error */
        problem.objectives = m, options.divisions = 0, options.evaluations = 400;
        assert_int_equal(gdyn_search_create(&problem, &options, &search), GDYN_OK);
        while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
            for (int i = 0; i < gdyn_search_ask(search); i++) {
                double x = gdyn_search_design(search, i)[0], f[2] = {x, 1 - x};
                gdyn_search_tell(search, i, &(gdyn_search_outcome){.objective = f});
            }
            assert_int_equal(gdyn_search_advance(search), GDYN_OK);
        }
        if (m == 1)
            assert_true(gdyn_search_population(search, 0).f[0] < 1e-3);
        gdyn_search_destroy(search);
    }
}

/* --- what `auto` takes with five objectives ------------------------------------------------------ */

enum { FIVE = 5, NINE = 9 };

/* Mean distance of the front from the unit sphere, which is the front of DTLZ2. */
static double beyond_sphere(gdyn_search_method method, long evaluations, uint64_t seed) {
    double lower[NINE] = {0}, upper[NINE], f[FIVE], sum = 0;
    for (int j = 0; j < NINE; j++)
        upper[j] = 1;
    gdyn_search_problem box = {
        .variables = NINE, .objectives = FIVE, .lower = lower, .upper = upper};
    gdyn_search_options o = gdyn_search_default();
    o.method = method, o.evaluations = evaluations, o.seed = seed;
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&box, &o, &search), GDYN_OK);
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        int count = gdyn_search_ask(search);
        for (int i = 0; i < count; i++) {
            dtlz2_of(NINE, FIVE, gdyn_search_design(search, i), f);
            gdyn_search_tell(search, i, &(gdyn_search_outcome){.objective = f});
        }
        assert_int_equal(gdyn_search_advance(search), GDYN_OK);
    }
    int front = gdyn_search_state(search).front;
    for (int k = 0; k < front; k++) {
        double square = 0;
        for (int i = 0; i < FIVE; i++)
            square += pow(gdyn_search_population(search, k).f[i], 2);
        sum += (sqrt(square) - 1) / front;
    }
    gdyn_search_destroy(search);
    return sum;
}

static void five_objectives_are_taken(void **state) {
    (void)state;
    /* Few designs: models; many: differences, whose front is about as near as with directions. */
    assert_true(beyond_sphere(GDYN_SEARCH_AUTO, 60, 1) <
                0.75 * beyond_sphere(GDYN_SEARCH_NSGA3, 60, 1));
    for (uint64_t seed = 1; seed <= 2; seed++) {
        double taken = beyond_sphere(GDYN_SEARCH_AUTO, 5000, seed);
        assert_true(taken < 0.05);
        assert_true(taken < 1.5 * beyond_sphere(GDYN_SEARCH_NSGA3, 5000, seed));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_objectives_are_taken),
        cmocka_unit_test(numbers_of_directions),
        cmocka_unit_test(directions_fill_the_simplex),
        cmocka_unit_test(three_objectives),
        cmocka_unit_test(five_objectives),
        cmocka_unit_test(eight_objectives),
        cmocka_unit_test(no_piece_is_lost),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(limits_of_the_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
