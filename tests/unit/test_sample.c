/* Designs spread over bounds: levels, strata, the known beginning of Sobol's sequence. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "search/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double lower[4] = {0, -1, 2, 5}, upper[4] = {1, 3, 4, 5}, start[4] = {0.25, 0, 3, 5};
static const bool integer[4] = {false, false, true, false};

static gdyn_sample_space space_of(gdyn_sample_method method, int size) {
    return (gdyn_sample_space){.variables = 4,
                               .lower = lower,
                               .upper = upper,
                               .start = start,
                               .integer = integer,
                               .method = method,
                               .size = size,
                               .seed = 3};
}

static double *make(const gdyn_sample_space *s, long expected) {
    assert_int_equal(gdyn_sample_count(s), expected);
    double *x = calloc((size_t)(expected * s->variables), sizeof *x);
    assert_non_null(x);
    assert_int_equal(gdyn_sample_make(s, x), GDYN_OK);
    for (long i = 0; i < expected; i++)
        for (int j = 0; j < s->variables; j++) {
            double value = x[i * s->variables + j];
            assert_true(value >= s->lower[j] && value <= s->upper[j]);
            assert_true(!s->integer[j] || value == floor(value));
        }
    return x;
}

/* 5 x 5 levels, the three whole numbers 2, 3, 4, and one variable that cannot move. */
static void a_grid_has_every_combination(void **state) {
    (void)state;
    gdyn_sample_space s = space_of(GDYN_SAMPLE_GRID, 5);
    double *x = make(&s, 75);
    int seen[5][5][3] = {0};
    for (int i = 0; i < 75; i++) {
        double a = 4 * x[4 * i], b = x[4 * i + 1] + 1, c = x[4 * i + 2] - 2;
        assert_near(a, floor(a + 0.5), 1e-15);
        assert_near(b, floor(b + 0.5), 1e-15);
        seen[(int)(a + 0.5)][(int)(b + 0.5)][(int)(c + 0.5)]++;
    }
    for (int i = 0; i < 75; i++)
        assert_int_equal((&seen[0][0][0])[i], 1);
    free(x);
}

static void a_latin_hypercube_fills_every_stratum(void **state) {
    (void)state;
    gdyn_sample_space s = space_of(GDYN_SAMPLE_LHS, 30);
    double *x = make(&s, 30);
    for (int j = 0; j < 2; j++) {
        int seen[30] = {0};
        for (int i = 0; i < 30; i++)
            seen[(int)floor(30 * (x[4 * i + j] - lower[j]) / (upper[j] - lower[j]))]++;
        for (int i = 0; i < 30; i++)
            assert_int_equal(seen[i], 1);
    }
    int whole[3] = {0};
    for (int i = 0; i < 30; i++)
        whole[(int)x[4 * i + 2] - 2]++;
    assert_true(whole[0] == 10 && whole[1] == 10 && whole[2] == 10);
    double *again = make(&s, 30);
    assert_memory_equal(x, again, 120 * sizeof *x);
    s.seed = 4;
    double *other = make(&s, 30);
    assert_memory_not_equal(x, other, 120 * sizeof *x);
    free(x);
    free(again);
    free(other);
}

/* Published beginning of the sequence in two dimensions: 1/2 1/2, 3/4 1/4, 1/4 3/4, 3/8 3/8. */
static void sobol_begins_as_published(void **state) {
    (void)state;
    static const double zero[3] = {0}, one[3] = {1, 1, 1}, held[3] = {0, 0.125, 0};
    static const bool none[3] = {false}, moving[3] = {true, false, true};
    static const double known[4][2] = {{0.5, 0.5}, {0.75, 0.25}, {0.25, 0.75}, {0.375, 0.375}};
    gdyn_sample_space s = {.variables = 3,
                           .lower = zero,
                           .upper = one,
                           .start = held,
                           .integer = none,
                           .varies = moving,
                           .method = GDYN_SAMPLE_SOBOL,
                           .size = 4};
    double *x = make(&s, 4);
    for (int i = 0; i < 4; i++) {
        assert_true(x[3 * i] == known[i][0] && x[3 * i + 2] == known[i][1]);
        assert_true(x[3 * i + 1] == 0.125);
    }
    free(x);
}

static void one_variable_moves_at_a_time(void **state) {
    (void)state;
    gdyn_sample_space s = space_of(GDYN_SAMPLE_OAT, 7);
    double *x = make(&s, 7 + 7 + 3);
    for (int i = 0; i < 17; i++) {
        int moved = i < 7 ? 0 : i < 14 ? 1 : 2;
        for (int j = 0; j < 4; j++)
            if (j != moved)
                assert_true(x[4 * i + j] == start[j]);
    }
    assert_true(x[0] == 0 && x[4 * 6] == 1 && x[4 * 7 + 1] == -1 && x[4 * 13 + 1] == 3);
    free(x);
}

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    gdyn_sample_space s = space_of(GDYN_SAMPLE_GRID, 1);
    assert_int_equal(gdyn_sample_count(&s), 0);
    s = space_of(GDYN_SAMPLE_GRID, 100000);
    assert_int_equal(gdyn_sample_count(&s), -1);
    assert_int_equal(gdyn_sample_make(&s, NULL), GDYN_ERROR_ARGUMENT);
    double many[2 * (GDYN_SOBOL_MOST + 1)] = {0};
    for (int j = 0; j <= GDYN_SOBOL_MOST; j++)
        many[GDYN_SOBOL_MOST + 1 + j] = 1;
    s = (gdyn_sample_space){.variables = GDYN_SOBOL_MOST + 1,
                            .lower = many,
                            .upper = many + GDYN_SOBOL_MOST + 1,
                            .method = GDYN_SAMPLE_SOBOL,
                            .size = 8};
    assert_int_equal(gdyn_sample_count(&s), 0);
    s.lower = many + GDYN_SOBOL_MOST + 1, s.upper = many, s.method = GDYN_SAMPLE_LHS;
    assert_int_equal(gdyn_sample_count(&s), 0); /* crossed bounds */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_every_combination),
        cmocka_unit_test(a_latin_hypercube_fills_every_stratum),
        cmocka_unit_test(sobol_begins_as_published),
        cmocka_unit_test(one_variable_moves_at_a_time),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
