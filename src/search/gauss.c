/* gauss.c - Gaussian processes with Matern 5/2 kernels; lengths and noise by likelihood (NLopt). */
#include "search/method.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <nlopt.h>
#include <string.h>

/* Priors of the logarithms: normal, with these centres and deviations. The length is that of a unit
 * box with one coordinate; in n of them distances grow as sqrt(n). */
static const double LENGTH = 0.6, LENGTH_DEVIATION = 1, NOISE = 1e-5, NOISE_DEVIATION = 2;
static const double LEAST_LENGTH = 0.02, GREATEST_LENGTH = 100, LEAST_NOISE = 1e-8,
                    GREATEST_NOISE = 1, SEEN_NOISE = 0.03;
/* What the search for lengths gets where the correlations cannot be factored. */
static const double REFUSED = 1e100;

gdyn_gauss *gdyn_gauss_create(gdyn_arena *arena, int most, int n, int names) {
    gdyn_gauss *g = gdyn_arena_alloc(arena, 1, sizeof *g);
    size_t k = (size_t)most, c = (size_t)n;
    if (!g)
        return NULL;
    g->most = most, g->n = n, g->names = names;
    g->x = gdyn_arena_doubles(arena, c * k), g->y = gdyn_arena_doubles(arena, k);
    g->a = gdyn_arena_doubles(arena, k), g->one = gdyn_arena_doubles(arena, k);
    g->theta = gdyn_arena_doubles(arena, c + 1);
    g->best = gdyn_arena_doubles(arena, c + 1);
    g->weight = gdyn_arena_doubles(arena, c);
    g->L = gdyn_arena_room(arena, k * k, sizeof *g->L);
    g->inverse = gdyn_arena_room(arena, k * k, sizeof *g->inverse);
    g->slope = gdyn_arena_room(arena, k * k, sizeof *g->slope);
    if (gdyn_arena_failed(arena))
        return NULL;
    gdyn_gauss_forget(g);
    return g;
}

void gdyn_gauss_forget(gdyn_gauss *g) {
    for (int j = 0; j < g->n; j++)
        g->theta[j] = log(LENGTH) + 0.5 * log(g->n);
    g->theta[g->n] = log(NOISE);
}

/* --- correlation ---------------------------------------------------------------------------- */

static double square_distance(const gdyn_gauss *g, const double *a, const double *b) {
    /* Numbers by their difference, names by being another one. */
    double sum = 0;
    int numbers = g->n - g->names;
    for (int j = 0; j < numbers; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]) * g->weight[j];
    for (int j = numbers; j < g->n; j++)
        sum += a[j] != b[j] ? g->weight[j] : 0;
    return sum;
}

/* R at a squared distance; *slope (or NULL): -2 dR / d(square). */
static double matern(double square, double *slope) {
    double t = sqrt(5 * square), decay = exp(-t);
    if (slope)
        *slope = 5.0 / 3 * (1 + t) * decay;
    return (1 + t + t * t / 3) * decay;
}

/* Fills L with the lower half of R + lambda I and, if asked, slope with that of the derivative. */
static void correlate(gdyn_gauss *g, bool slopes) {
    size_t n = (size_t)g->n, count = (size_t)g->count;
    for (size_t k = 0; k < count; k++) {
        double *column = g->L + k * count, *slope = g->slope + k * count;
        column[k] = 1 + g->noise, slope[k] = 0;
        for (size_t i = k + 1; i < count; i++)
            column[i] =
                matern(square_distance(g, g->x + i * n, g->x + k * n), slopes ? &slope[i] : NULL);
    }
}

/* Mean, weights and scale of y at their best, for the correlation that L is the factor of. */
static void weigh(gdyn_gauss *g) {
    int count = g->count;
    /* mu by generalized least squares: 1^T C^-1 (y - mu) = 0. */
    memcpy(g->a, g->y, (size_t)count * sizeof *g->a);
    for (int i = 0; i < count; i++)
        g->one[i] = 1;
    gdyn_cholesky_solve(count, g->L, 1, g->a);
    gdyn_cholesky_solve(count, g->L, 1, g->one);
    double values = 0, ones = 0, square = 0;
    for (int i = 0; i < count; i++)
        values += g->a[i], ones += g->one[i];
    g->mu = values / ones;
    /* sigma^2 = (y - mu)^T C^-1 (y - mu) / count; equal values still have a scale. */
    for (int i = 0; i < count; i++) {
        g->a[i] -= g->mu * g->one[i];
        square += g->a[i] * (g->y[i] - g->mu);
    }
    g->scale = fmax(square / count, 1e-300);
}

/* Lengths and noise of theta; the correlation factored; mean and scale at their best. */
static bool factor(gdyn_gauss *g, const double *theta, bool slopes) {
    int count = g->count;
    for (int j = 0; j < g->n; j++)
        g->weight[j] = exp(-2 * theta[j]);
    g->noise = exp(theta[g->n]);
    correlate(g, slopes);
    if (gdyn_cholesky_factor(count, g->L) != GDYN_OK)
        return false;
    weigh(g);
    return true;
}

/* --- likelihood ------------------------------------------------------------------------------- */

/* Adds minus the logarithm of the priors. */
static double prior(const gdyn_gauss *g, const double *theta, double *gradient) {
    double sum = 0;
    for (int j = 0; j <= g->n; j++) {
        bool noise = j == g->n;
        double centre = noise ? log(NOISE) : log(LENGTH) + 0.5 * log(g->n);
        double deviation = noise ? NOISE_DEVIATION : LENGTH_DEVIATION;
        double off = (theta[j] - centre) / deviation;
        sum += 0.5 * off * off;
        if (gradient)
            gradient[j] += off / deviation;
    }
    return sum;
}

/* 1/2 sum W_ij dC_ij / dtheta, W = C^-1 - a a^T / sigma^2 (Rasmussen, Williams Eq. 5.9). */
static void likelihood_gradient(gdyn_gauss *g, double *gradient) {
    size_t n = (size_t)g->n, count = (size_t)g->count;
    int numbers = g->n - g->names;
    memset(gradient, 0, (n + 1) * sizeof *gradient);
    memcpy(g->inverse, g->L, count * count * sizeof *g->L);
    gdyn_cholesky_invert((int)count, g->inverse);
    for (size_t k = 0; k < count; k++) {
        const double *b = g->x + k * n;
        /* The diagonal carries the noise; each other element stands for two. */
        gradient[n] += 0.5 * g->noise * (g->inverse[k * count + k] - g->a[k] * g->a[k] / g->scale);
        for (size_t i = k + 1; i < count; i++) {
            const double *c = g->x + i * n;
            double W = (g->inverse[k * count + i] - g->a[i] * g->a[k] / g->scale) *
                       g->slope[k * count + i];
            for (int j = 0; j < numbers; j++)
                gradient[j] += W * g->weight[j] * (b[j] - c[j]) * (b[j] - c[j]);
            for (int j = numbers; j < g->n; j++)
                gradient[j] += b[j] != c[j] ? W * g->weight[j] : 0;
        }
    }
}

double gdyn_gauss_objective(gdyn_gauss *g, const double *theta, double *gradient) {
    if (!factor(g, theta, gradient != NULL)) {
        if (gradient)
            memset(gradient, 0, ((size_t)g->n + 1) * sizeof *gradient);
        return REFUSED;
    }
    /* count/2 log sigma^2 + 1/2 log det C. */
    double sum = 0.5 * g->count * log(g->scale);
    for (int i = 0; i < g->count; i++)
        sum += log(g->L[(size_t)i * (size_t)g->count + (size_t)i]);
    if (gradient)
        likelihood_gradient(g, gradient);
    return sum + prior(g, theta, gradient);
}

static double objective(unsigned n, const double *theta, double *gradient, void *context) {
    (void)n;
    return gdyn_gauss_objective(context, theta, gradient);
}

/* Improves theta; it stays where the search ends without a better one. */
static gdyn_status learn(gdyn_gauss *g, int iterations) {
    unsigned size = (unsigned)g->n + 1;
    double before = gdyn_gauss_objective(g, g->theta, NULL), after = REFUSED;
    /* From little noise there is hardly a slope to more. */
    double little = g->theta[g->n];
    if (!g->exact && little < log(SEEN_NOISE)) {
        g->theta[g->n] = log(SEEN_NOISE);
        double noisy = gdyn_gauss_objective(g, g->theta, NULL);
        g->theta[g->n] = noisy < before ? log(SEEN_NOISE) : little;
        before = fmin(before, noisy);
    }
    nlopt_opt search = nlopt_create(NLOPT_LD_SLSQP, size);
    if (!search)
        return GDYN_ERROR_MEMORY;
    memcpy(g->best, g->theta, size * sizeof *g->theta);
    for (unsigned j = 0; j < size; j++) {
        bool noise = j + 1 == size;
        nlopt_set_lower_bound(search, (int)j, log(noise ? LEAST_NOISE : LEAST_LENGTH));
        nlopt_set_upper_bound(search, (int)j, log(noise ? GREATEST_NOISE : GREATEST_LENGTH));
    }
    nlopt_set_min_objective(search, objective, g);
    nlopt_set_maxeval(search, iterations);
    nlopt_set_ftol_abs(search, 1e-3); /* of a logarithm: a thousandth of the likelihood */
    nlopt_result result = nlopt_optimize(search, g->best, &after);
    nlopt_destroy(search);
    if (result == NLOPT_OUT_OF_MEMORY)
        return GDYN_ERROR_MEMORY;
    if (after < before)
        memcpy(g->theta, g->best, size * sizeof *g->theta);
    return GDYN_OK;
}

gdyn_status gdyn_gauss_fit(gdyn_gauss *g, int count, const double *x, const double *y,
                           int iterations) {
    gdyn_linalg_single_thread();
    g->count = count;
    memcpy(g->x, x, (size_t)g->n * (size_t)count * sizeof *x);
    memcpy(g->y, y, (size_t)count * sizeof *y);
    if (!gdyn_all_finite(g->n, count, x, g->n) || !gdyn_all_finite(count, 1, y, count))
        return GDYN_ERROR_NUMERIC;
    gdyn_status status = iterations > 0 ? learn(g, iterations) : GDYN_OK;
    if (status != GDYN_OK)
        return status;
    return factor(g, g->theta, false) ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

double gdyn_gauss_misfit(gdyn_gauss *g, const double *y) {
    memcpy(g->y, y, (size_t)g->count * sizeof *y);
    weigh(g);
    return 0.5 * g->count * log(g->scale);
}

/* --- prediction ----------------------------------------------------------------------------- */

void gdyn_gauss_predict(const gdyn_gauss *g, int points, const double *x, double *mean,
                        double *variance, double *V) {
    size_t n = (size_t)g->n, count = (size_t)g->count;
    for (int p = 0; p < points; p++) {
        double *v = V + (size_t)p * count, sum = 0;
        for (size_t i = 0; i < count; i++) {
            v[i] = matern(square_distance(g, x + (size_t)p * n, g->x + i * n), NULL);
            sum += v[i] * g->a[i];
        }
        mean[p] = g->mu + sum;
    }
    /* V = L^-1 k; what is left of the prior's variance. */
    gdyn_cholesky_half(g->count, g->L, false, points, V);
    for (int p = 0; p < points; p++) {
        const double *v = V + (size_t)p * count;
        double known = 0;
        for (size_t i = 0; i < count; i++)
            known += v[i] * v[i];
        variance[p] = g->scale * fmax(1 - known, 0);
    }
}

void gdyn_gauss_covariance(const gdyn_gauss *g, int one, int points, const double *x,
                           const double *V, double *covariance) {
    size_t n = (size_t)g->n, count = (size_t)g->count, k = (size_t)one;
    for (int p = 0; p < points; p++) {
        double known = 0;
        for (size_t i = 0; i < count; i++)
            known += V[(size_t)p * count + i] * V[k * count + i];
        covariance[p] =
            g->scale * (matern(square_distance(g, x + (size_t)p * n, x + k * n), NULL) - known);
    }
}
