/* Gaussian processes, boxes of the nondominated space, and the method that chooses designs by them. */
#include "base/random.h"
#include "search/method.h"
#include "search/hypervolume.h"
#include "search/search.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"

/* --- Gaussian processes ------------------------------------------------------------------------------ */

enum { POINTS = 23, COORDINATES = 3, NAMES = 1 };

static void make_points(double *x, double *y) {
    gdyn_random random = gdyn_random_stream(7, 0, 0);
    for (int i = 0; i < POINTS; i++) {
        double *p = x + (size_t)i * COORDINATES;
        p[0] = gdyn_random_uniform(&random), p[1] = gdyn_random_uniform(&random);
        p[2] = gdyn_random_below(&random, 3);
        y[i] = sin(5 * p[0]) + p[1] * p[1] + 0.3 * p[2] + 10;
    }
}

/* R as gauss.h states it, written down again. */
static double correlation(const double *theta, const double *a, const double *b) {
    double square = 0;
    for (int j = 0; j < COORDINATES; j++) {
        double apart = j < COORDINATES - NAMES ? a[j] - b[j] : a[j] != b[j];
        square += pow(apart / exp(theta[j]), 2);
    }
    double t = sqrt(5 * square);
    return (1 + t + t * t / 3) * exp(-t);
}

/* Solves A x = b (POINTS) by elimination; A and b are destroyed, x stands in b. */
static void eliminate(double A[POINTS][POINTS], double *b) {
    for (int k = 0; k < POINTS; k++)
        for (int i = k + 1; i < POINTS; i++) {
            double factor = A[i][k] / A[k][k];
            for (int j = k; j < POINTS; j++)
                A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    for (int i = POINTS - 1; i >= 0; i--) {
        for (int j = i + 1; j < POINTS; j++)
            b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
    }
}

/* (R + lambda I)^-1 b in place. */
static void direct(const double *theta, const double *x, double *b) {
    static double A[POINTS][POINTS];
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++)
            A[i][j] = correlation(theta, x + (size_t)i * COORDINATES, x + (size_t)j * COORDINATES) +
                      (i == j ? exp(theta[COORDINATES]) : 0);
    eliminate(A, b);
}

static double dot(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Mean mu + k^T C^-1 (y - mu), variance sigma^2 (1 - k^T C^-1 k), by elimination. The condition of C is at most
 * POINTS / lambda = 1e9 here, so rounding stays below 1e-6. */
static void posterior_is_that_of_a_direct_solution(void **state) {
    (void)state;
    double x[POINTS * COORDINATES], y[POINTS], ones[POINTS], a[POINTS], k[POINTS], c[POINTS];
    make_points(x, y);
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_gauss *g = gdyn_gauss_create(arena, POINTS, COORDINATES, NAMES);
    assert_non_null(g);
    assert_int_equal(gdyn_gauss_fit(g, POINTS, x, y, 30), GDYN_OK);
    const double *theta = g->theta;
    /* mu and sigma^2 at their best. */
    for (int i = 0; i < POINTS; i++)
        ones[i] = c[i] = 1, a[i] = y[i];
    direct(theta, x, a);
    direct(theta, x, c);
    double mu = dot(ones, a) / dot(ones, c), scale = 0;
    for (int i = 0; i < POINTS; i++)
        a[i] -= mu * c[i];
    for (int i = 0; i < POINTS; i++)
        scale += a[i] * (y[i] - mu) / POINTS;
    assert_near(g->mu, mu, 1e-6 * fabs(mu));
    assert_near(g->scale, scale, 1e-6 * scale);
    /* Two points, and the covariance between them. */
    const double at[2 * COORDINATES] = {0.31, 0.77, 1, 0.4, 0.7, 1};
    double mean[2], variance[2], V[2 * POINTS], covariance[2], other[POINTS];
    gdyn_gauss_predict(g, 2, at, mean, variance, V);
    gdyn_gauss_covariance(g, 0, 2, at, V, covariance);
    for (int i = 0; i < POINTS; i++) {
        k[i] = c[i] = correlation(theta, at, x + (size_t)i * COORDINATES);
        other[i] = correlation(theta, at + COORDINATES, x + (size_t)i * COORDINATES);
    }
    direct(theta, x, c);
    assert_near(mean[0], mu + dot(k, a), 1e-6 * fabs(mu));
    assert_near(variance[0], scale * (1 - dot(k, c)), 1e-6 * scale);
    assert_near(covariance[0], variance[0], 1e-9 * scale);
    assert_near(covariance[1], scale * (correlation(theta, at, at + COORDINATES) - dot(other, c)),
                1e-6 * scale);
    gdyn_arena_destroy(arena);
}

/* Central differences of step h err by h^2 and rounding / h: 1e-5 relative with h = 1e-4. */
static void likelihood_has_its_gradient(void **state) {
    (void)state;
    double x[POINTS * COORDINATES], y[POINTS], gradient[COORDINATES + 1];
    double theta[COORDINATES + 1] = {-0.5, 0.3, 0.8, log(1e-3)}, h = 1e-4;
    make_points(x, y);
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_gauss *g = gdyn_gauss_create(arena, POINTS, COORDINATES, NAMES);
    assert_int_equal(gdyn_gauss_fit(g, POINTS, x, y, 0), GDYN_OK);
    gdyn_gauss_objective(g, theta, gradient);
    for (int j = 0; j <= COORDINATES; j++) {
        double at = theta[j];
        theta[j] = at + h;
        double above = gdyn_gauss_objective(g, theta, NULL);
        theta[j] = at - h;
        double below = gdyn_gauss_objective(g, theta, NULL);
        theta[j] = at;
        assert_near(gradient[j], (above - below) / (2 * h), 1e-5 * (1 + fabs(gradient[j])));
    }
    gdyn_arena_destroy(arena);
}

/* Learning makes the data more likely, and a function without x_1 gets a great length for it. */
static void lengths_are_learned(void **state) {
    (void)state;
    double x[POINTS * COORDINATES], y[POINTS];
    make_points(x, y);
    for (int i = 0; i < POINTS; i++)
        y[i] = sin(6 * x[(size_t)i * COORDINATES]);
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_gauss *g = gdyn_gauss_create(arena, POINTS, COORDINATES, NAMES);
    gdyn_gauss_fit(g, POINTS, x, y, 0);
    double before = gdyn_gauss_objective(g, g->theta, NULL);
    assert_int_equal(gdyn_gauss_fit(g, POINTS, x, y, 40), GDYN_OK);
    assert_true(gdyn_gauss_objective(g, g->theta, NULL) < before);
    assert_true(g->theta[1] > g->theta[0] + 1);
    gdyn_arena_destroy(arena);
}

static void values_that_are_not_numbers_are_refused(void **state) {
    (void)state;
    double x[POINTS * COORDINATES], y[POINTS];
    make_points(x, y);
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_gauss *g = gdyn_gauss_create(arena, POINTS, COORDINATES, NAMES);
    y[3] = NAN;
    assert_int_equal(gdyn_gauss_fit(g, POINTS, x, y, 5), GDYN_ERROR_NUMERIC);
    /* The same point twice with one value is no hindrance. */
    make_points(x, y);
    memcpy(x, x + COORDINATES, COORDINATES * sizeof *x);
    y[0] = y[1];
    assert_int_equal(gdyn_gauss_fit(g, POINTS, x, y, 5), GDYN_OK);
    gdyn_arena_destroy(arena);
}

/* A wave with noise of standard deviation 0.3, a share of 0.15 of its variance. */
static void noise_is_learned(void **state) {
    (void)state;
    enum { MANY = 60 };
    double x[MANY], y[MANY];
    gdyn_random random = gdyn_random_stream(9, 0, 0);
    for (int i = 0; i < MANY; i++) {
        x[i] = gdyn_random_uniform(&random);
        y[i] = sin(6 * x[i]) + 0.3 * gdyn_random_normal(&random);
    }
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_gauss *g = gdyn_gauss_create(arena, MANY, 1, 0);
    assert_int_equal(gdyn_gauss_fit(g, MANY, x, y, 40), GDYN_OK);
    /* four standard errors of a variance from 60 values are 0.73 of it */
    assert_near(g->noise * g->scale, 0.09, 0.73 * 0.09);
    gdyn_arena_destroy(arena);
}

/* --- the warp of outputs ---------------------------------------------------------------------- */

enum { VALUES = 11 };
static const double powers[] = {0, 0.3, 1, 1.6, 2};
static const double values[VALUES] = {-40, -2.385, -0.7, -0.1, 0.02, 0.35,
                                      0.9, 1.4,    3.0,  11.0, 170.0};

/* Inverse and derivative in closed form (Yeo, Johnson 2000, Eq. 2.1). Differences of step h err by
 * h^2 and rounding / h. */
static void warp_has_inverse_and_slope(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof powers / sizeof *powers; k++)
        for (int i = 0; i < VALUES; i++) {
            double lambda = powers[k], z = values[i], y = gdyn_warp(lambda, z), h = 1e-5;
            double power = z < 0 ? 2 - lambda : lambda, size = fabs(y), back, spread;
            double inverse = power == 0 ? exp(size) - 1 : pow(power * size + 1, 1 / power) - 1;
            assert_near(copysign(inverse, z), z, 1e-12 * (1 + fabs(z)));
            gdyn_warp_moments(lambda, y, 0, &back, &spread);
            assert_near(back, z, 1e-12 * (1 + fabs(z)));
            assert_near(spread, 0, 1e-6 * (1 + fabs(z)));
            double slope = pow(1 + fabs(z), z < 0 ? 1 - lambda : lambda - 1);
            double difference = (gdyn_warp(lambda, z + h) - gdyn_warp(lambda, z - h)) / (2 * h);
            assert_near(difference, slope, 1e-6 * slope);
        }
    /* lambda = 0 of positive values: 1 + z has the moments of a lognormal distribution. */
    double mean, spread;
    gdyn_warp_moments(0, 3, 0.1, &mean, &spread);
    assert_near(mean, exp(3 + 0.005) - 1, 1e-7);
    assert_near(spread, exp(3 + 0.005) * sqrt(expm1(0.01)), 1e-5);
}

/* Values without correlation: what scipy.stats.yeojohnson_llf of SciPy 1.10 gives, up to a constant
 * and the prior, a normal one about 1 with deviation 0.5. The noise is 1e-8, correlations less. */
static void likelihood_of_the_warp_is_that_of_scipy(void **state) {
    (void)state;
    static const double published[] = {-65.65253567, -53.63719245, -43.28007495, -68.41979188,
                                       -86.48203619};
    double x[VALUES], y[VALUES], misfit[sizeof powers / sizeof *powers];
    for (int i = 0; i < VALUES; i++)
        x[i] = i;
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_gauss *g = gdyn_gauss_create(arena, VALUES, 1, 0);
    g->theta[0] = log(0.02), g->theta[1] = log(1e-8);
    assert_int_equal(gdyn_gauss_fit(g, VALUES, x, values, 0), GDYN_OK);
    for (size_t k = 0; k < sizeof powers / sizeof *powers; k++) {
        misfit[k] = gdyn_warp_misfit(g, powers[k], values, y) - 2 * pow(powers[k] - 1, 2);
        assert_near(misfit[k] - misfit[0], published[0] - published[k], 1e-5);
    }
    gdyn_arena_destroy(arena);
}

/* --- boxes --------------------------------------------------------------------------------------------- */

enum { MOST_OBJECTIVES = 5, FRONT = 14 };

/* Random points; `grid` > 0: on a grid, so that coordinates coincide. */
static void make_front(gdyn_random *random, int m, int grid, double *z) {
    for (int i = 0; i < FRONT * m; i++) {
        double u = gdyn_random_uniform(random);
        z[i] = grid > 0 ? floor(u * grid) / grid : u;
    }
}

/* What a point gains is the difference of two hypervolumes by another algorithm. Sums of at most some thousand
 * products of numbers below one: rounding below 1e-12. */
static void gains_are_differences_of_hypervolume(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(3, 0, 0);
    double z[(FRONT + 1) * MOST_OBJECTIVES], zero[MOST_OBJECTIVES] = {0}, one[MOST_OBJECTIVES];
    for (int m = 1; m <= MOST_OBJECTIVES; m++) {
        gdyn_arena *arena = gdyn_arena_create();
        gdyn_boxes *boxes = gdyn_boxes_create(arena, m, FRONT, 20000);
        gdyn_hypervolume *volume = gdyn_hypervolume_create(FRONT + 1, m);
        assert_non_null(boxes);
        for (int j = 0; j < m; j++)
            one[j] = 0.9;
        for (int set = 0; set < 60; set++) {
            make_front(&random, m, set % 3 * 4, z);
            gdyn_boxes_clear(boxes, one);
            for (int i = 0; i < FRONT; i++)
                assert_true(gdyn_boxes_add(boxes, z + i * m));
            double before = gdyn_hypervolume_of(volume, z, FRONT, one);
            for (int k = 0; k < 10; k++) {
                double point[FRONT];
                make_front(&random, 1, set % 2 * 8, point);
                memcpy(z + FRONT * m, point, (size_t)m * sizeof *z);
                double after = gdyn_hypervolume_of(volume, z, FRONT + 1, one);
                assert_near(gdyn_boxes_gain(boxes, point, zero), after - before, 1e-12);
            }
        }
        gdyn_arena_destroy(arena);
        gdyn_hypervolume_destroy(volume);
    }
}

/* Means of 40,000 samples lie within five of their standard errors of what is expected. */
static void expected_gains_are_means_of_samples(void **state) {
    (void)state;
    enum { SAMPLES = 40000 };
    gdyn_random random = gdyn_random_stream(4, 0, 0);
    double z[FRONT * MOST_OBJECTIVES], one[MOST_OBJECTIVES] = {0.9, 0.9, 0.9, 0.9};
    double zero[MOST_OBJECTIVES] = {0}, mean[MOST_OBJECTIVES], deviation[MOST_OBJECTIVES];
    for (int m = 1; m <= 4; m++) {
        gdyn_arena *arena = gdyn_arena_create();
        gdyn_boxes *boxes = gdyn_boxes_create(arena, m, FRONT, 20000);
        make_front(&random, m, 0, z);
        gdyn_boxes_clear(boxes, one);
        for (int i = 0; i < FRONT; i++)
            gdyn_boxes_add(boxes, z + i * m);
        for (int j = 0; j < m; j++)
            mean[j] = 0.2 + 0.1 * j, deviation[j] = 0.15 + 0.1 * j;
        double expected = gdyn_boxes_gain(boxes, mean, deviation), sum = 0, squares = 0;
        for (int i = 0; i < SAMPLES; i++) {
            double y[MOST_OBJECTIVES];
            for (int j = 0; j < m; j++)
                y[j] = mean[j] + deviation[j] * gdyn_random_normal(&random);
            double gain = gdyn_boxes_gain(boxes, y, zero);
            sum += gain / SAMPLES, squares += gain * gain / SAMPLES;
        }
        double error = sqrt((squares - sum * sum) / SAMPLES);
        assert_near(expected, sum, 5 * error + 1e-15);
        gdyn_arena_destroy(arena);
    }
}

/* Without room a point is refused and nothing changes. */
static void boxes_without_room_stay(void **state) {
    (void)state;
    const double reference[2] = {1, 1}, a[2] = {0.2, 0.8}, b[2] = {0.8, 0.2}, c[2] = {0.5, 0.5};
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_boxes *boxes = gdyn_boxes_create(arena, 2, 2, 20);
    gdyn_boxes_clear(boxes, reference);
    assert_true(gdyn_boxes_add(boxes, a) && gdyn_boxes_add(boxes, b));
    int before = gdyn_boxes_count(boxes);
    assert_false(gdyn_boxes_add(boxes, c));
    assert_int_equal(gdyn_boxes_count(boxes), before);
    assert_true(gdyn_boxes_add(boxes, reference)); /* not below: nothing to add */
    gdyn_arena_destroy(arena);
}

/* --- the method ------------------------------------------------------------------------------------------ */

enum { VARIABLES = 4 };

/* f_i = |x - c_i|^2: the front is the line between the two centres, f_2 = (d - sqrt f_1)^2 with their distance d. */
static const double centre[2][VARIABLES] = {{0.3, 0.3, 0.6, 0.4}, {0.7, 0.6, 0.2, 0.4}};

static gdyn_status two_centres(void *context, const double *x, double *f, double *violation,
                               double *failure) {
    const int *kind = context;
    f[0] = f[1] = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < VARIABLES; j++)
            f[i] += pow(x[j] - centre[i][j], 2);
    /* 1: half of the box breaks a limit, the more the farther; 2: it cannot be evaluated. */
    double outside = x[3] - 0.5 - 0.2 * (x[0] - 0.5);
    if (*kind == 1)
        *violation = fmax(outside, 0);
    if (*kind == 2)
        *failure = fmax(outside, 0);
    /* 3: it has no value; 4: monotone functions of the values, whose tails are heavy. */
    if (*kind == 3 && outside > 0)
        f[0] = NAN;
    if (*kind == 4)
        f[0] = exp(20 * f[0]), f[1] = sinh(20 * (f[1] - 0.3));
    return GDYN_OK;
}

static double volume_of_values(const gdyn_search *search, const double *reference) {
    int count = gdyn_search_state(search).population;
    double *f = calloc((size_t)count, 2 * sizeof *f);
    for (int i = 0; i < count; i++) {
        const double *y = gdyn_search_population(search, i).f;
        f[2 * i] = log(y[0]) / 20, f[2 * i + 1] = asinh(y[1]) / 20 + 0.3;
    }
    gdyn_hypervolume *volume = gdyn_hypervolume_create(count, 2);
    double sum = gdyn_hypervolume_of(volume, f, count, reference);
    gdyn_hypervolume_destroy(volume);
    free(f);
    return sum;
}

/* Hypervolume of the front in closed form: with a = d^2 the sides of the reference box,
 * int_0^a (a - (d - sqrt f)^2) df = 2 d sqrt(a)^3 2/3 - a^2 / 2 = (4/3 - 1/2) d^4. */
static void few_designs_reach_a_front(void **state) {
    (void)state;
    double square = 0;
    for (int j = 0; j < VARIABLES; j++)
        square += pow(centre[0][j] - centre[1][j], 2);
    double reference[2] = {square, square}, whole = (4.0 / 3 - 0.5) * square * square;
    const double lower[VARIABLES] = {0}, upper[VARIABLES] = {1, 1, 1, 1};
    for (int kind = 0; kind < 5; kind++) {
        gdyn_search_problem problem = {
            .variables = VARIABLES, .objectives = 2, .lower = lower, .upper = upper};
        gdyn_search_options o = gdyn_search_default();
        o.method = GDYN_SEARCH_SURROGATE, o.evaluations = 70;
        o.reference = kind < 4 ? reference : NULL;
        gdyn_search *search;
        assert_int_equal(gdyn_search_create(&problem, &o, &search), GDYN_OK);
        gdyn_search_callbacks callbacks = {.evaluate = two_centres, .context = &kind};
        assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
        gdyn_search_info info = gdyn_search_state(search);
        assert_int_equal(info.evaluations, 70);
        /* k points evenly on the front leave out about 1 / k of it; kind 4: even in others. */
        double volume = kind < 4 ? info.hypervolume : volume_of_values(search, reference);
        if (!(volume > (kind < 4 ? 0.9 : 0.75) * whole && volume <= whole))
            fail_msg("kind %d: %g of %g", kind, volume, whole);
        gdyn_search_destroy(search);
    }
}

static gdyn_status steps(void *context, const double *x, double *f, double *violation,
                         double *failure) {
    (void)context, (void)violation, (void)failure;
    f[0] = pow(x[0] - 3, 2) + (x[1] != 2) + pow(x[2] - 0.123, 2);
    return GDYN_OK;
}

/* One objective with a whole variable and a name; and a problem with so few designs that all are tried. */
static void whole_variables_and_names_are_chosen(void **state) {
    (void)state;
    const double lower[3] = {0, 0, 0}, upper[3] = {20, 5, 1};
    const bool integer[3] = {true, false, false}, categorical[3] = {false, true, false};
    gdyn_search_problem problem = {.variables = 3,
                                   .objectives = 1,
                                   .lower = lower,
                                   .upper = upper,
                                   .integer = integer,
                                   .categorical = categorical};
    gdyn_search_options o = gdyn_search_default();
    o.method = GDYN_SEARCH_SURROGATE, o.evaluations = 60;
    gdyn_search_callbacks callbacks = {.evaluate = steps};
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&problem, &o, &search), GDYN_OK);
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    gdyn_search_member best = gdyn_search_population(search, 0);
    assert_true(best.x[0] == 3 && best.x[1] == 2 && fabs(best.x[2] - 0.123) < 0.01);
    gdyn_search_destroy(search);

    const double none[3] = {2, 0, 0.5}, few[3] = {4, 5, 0.5};
    problem.lower = none, problem.upper = few;
    assert_int_equal(gdyn_search_create(&problem, &o, &search), GDYN_OK);
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    assert_int_equal(gdyn_search_state(search).stop, GDYN_SEARCH_COMPLETE);
    best = gdyn_search_population(search, 0);
    assert_true(best.x[0] == 3 && best.x[1] == 2);
    gdyn_search_destroy(search);
}

/* Many variables: models of neighbours, in a box that follows the front. The sphere about a point inside. */
static gdyn_status sphere(void *context, const double *x, double *f, double *violation,
                          double *failure) {
    (void)violation, (void)failure;
    const int *n = context;
    f[0] = 0;
    for (int j = 0; j < *n; j++)
        f[0] += pow(x[j] - 0.3 - 0.01 * j, 2);
    return GDYN_OK;
}

static void many_variables_are_searched_nearby(void **state) {
    (void)state;
    enum { MANY = 20 };
    int n = MANY;
    double lower[MANY] = {0}, upper[MANY];
    for (int j = 0; j < MANY; j++)
        upper[j] = 1;
    gdyn_search_problem problem = {
        .variables = MANY, .objectives = 1, .lower = lower, .upper = upper};
    gdyn_search_options o = gdyn_search_default();
    o.method = GDYN_SEARCH_SURROGATE, o.evaluations = 300, o.batch = 10;
    gdyn_search *search;
    assert_int_equal(gdyn_search_create(&problem, &o, &search), GDYN_OK);
    gdyn_search_callbacks callbacks = {.evaluate = sphere, .context = &n};
    assert_int_equal(gdyn_search_run(search, &callbacks), GDYN_OK);
    /* The mean over the box is above 1.6; a hundredth of that is near. */
    assert_true(gdyn_search_population(search, 0).f[0] < 0.016);
    gdyn_search_destroy(search);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posterior_is_that_of_a_direct_solution),
        cmocka_unit_test(likelihood_has_its_gradient),
        cmocka_unit_test(lengths_are_learned),
        cmocka_unit_test(values_that_are_not_numbers_are_refused),
        cmocka_unit_test(noise_is_learned),
        cmocka_unit_test(warp_has_inverse_and_slope),
        cmocka_unit_test(likelihood_of_the_warp_is_that_of_scipy),
        cmocka_unit_test(gains_are_differences_of_hypervolume),
        cmocka_unit_test(expected_gains_are_means_of_samples),
        cmocka_unit_test(boxes_without_room_stay),
        cmocka_unit_test(few_designs_reach_a_front),
        cmocka_unit_test(whole_variables_and_names_are_chosen),
        cmocka_unit_test(many_variables_are_searched_nearby),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
