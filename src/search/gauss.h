/* gauss.h - Gaussian processes: regression that predicts its own error (internal to search).
 *
 *   y(x) = mu + sigma (z(x) + sqrt(lambda) noise),  z normal with the Matern 5/2 correlation
 *   R(x, x') = (1 + t + t^2 / 3) exp(-t),  t = sqrt(5) |x - x'|,  |x - x'|^2 = sum_j (x_j - x'_j)^2 / l_j^2
 *
 * (Rasmussen, Williams 2006, sections 2.2, 4.2.1, 5.4.1). Names without an order are equal or differ by one. The
 * logarithms of the lengths l_j and of lambda are found by their likelihood with mu and sigma at their best, times a
 * prior that keeps them bounded while data are few. */
#ifndef GDYN_SEARCH_GAUSS_H
#define GDYN_SEARCH_GAUSS_H

#include "base/status.h"

typedef struct gdyn_gauss gdyn_gauss;

/* Room for `most` points with n coordinates, of which the last `names` are names without an order; the others should
 * span about the unit box. NULL: out of memory. */
gdyn_gauss *gdyn_gauss_create(int most, int n, int names);
void gdyn_gauss_destroy(gdyn_gauss *gauss);
/* Lengths and noise become the centres of their priors, as after create. */
void gdyn_gauss_forget(gdyn_gauss *gauss);

/* Takes over `count` points x (n x count) with values y (count) and, with iterations > 0, improves lengths and noise
 * by so many evaluations of the likelihood from where they are. GDYN_ERROR_NUMERIC: a value is not finite. */
gdyn_status gdyn_gauss_fit(gdyn_gauss *gauss, int count, const double *x, const double *y,
                           int iterations);

/* Mean and variance (without noise) at `count` points x (n x count); V (fitted points x count) receives what
 * gdyn_gauss_covariance needs of them. */
void gdyn_gauss_predict(const gdyn_gauss *gauss, int count, const double *x, double *mean,
                        double *variance, double *V);
/* Covariance of the predictions at `count` points x with that at point `one` of them. */
void gdyn_gauss_covariance(const gdyn_gauss *gauss, int one, int count, const double *x,
                           const double *V, double *covariance);
/* Points of the last fit. */
int gdyn_gauss_count(const gdyn_gauss *gauss);
/* Variance of the noise. */
double gdyn_gauss_noise(const gdyn_gauss *gauss);

/* Minus the logarithm of likelihood times prior at theta (n + 1: log l_j, then log lambda) for the points of the last
 * fit, up to a constant, and its gradient (n + 1, or NULL). The next prediction needs a fit. */
double gdyn_gauss_objective(gdyn_gauss *gauss, const double *theta, double *gradient);
/* theta of the last fit (n + 1), and sigma^2, mu. */
const double *gdyn_gauss_theta(const gdyn_gauss *gauss);
double gdyn_gauss_mean(const gdyn_gauss *gauss);
double gdyn_gauss_scale(const gdyn_gauss *gauss);

#endif
