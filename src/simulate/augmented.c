/* augmented.c - augmented Lagrangian: (M + C^T alpha C) x = f + C^T (mu + alpha b), mu += alpha (b
 * - C x), until C x = b (Bayo, Garcia de Jalon, Serna 1988; Neto, Ambrosio 2003).
 *
 * The matrix is positive definite when motions that the constraints leave have masses, whatever the
 * rank of C. The error falls by about |M| / (alpha |C|^2) each time. */
#include "simulate/solvers.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Beside a singular pose always as many: an end that depends on progress would make accelerations
 * jump within a step. */
enum { ITERATIONS = 30, PASSING = 10 };

/* missing := b - C x; its greatest entry. */
static double miss(const gdyn_dynamics *d, double *missing) {
    double most = 0;
    memcpy(missing, d->b, (size_t)d->rows * sizeof *missing);
    gdyn_gemm(0, 0, d->rows, 1, d->n, -1, d->C, d->rows, d->x, d->n, 1, missing, d->rows);
    for (int i = 0; i < d->rows; i++)
        most = fmax(most, fabs(missing[i]));
    return most;
}

gdyn_status gdyn_solve_augmented(gdyn_dynamics *d) {
    int n = d->n, rows = d->rows;
    double *missing = d->v, *change = d->w, alpha = 0, before = INFINITY;
    /* alpha: the penalty times the greatest mass. */
    for (int j = 0; j < n; j++)
        alpha = fmax(alpha, d->def->penalty * d->M[j * (size_t)(n + 1)]);
    /* K = M + alpha C^T C, factored once. */
    memcpy(d->K, d->M, (size_t)n * (size_t)n * sizeof *d->K);
    gdyn_gemm(1, 0, n, n, rows, alpha, d->C, rows, d->C, rows, 1, d->K, n);
    if (gdyn_cholesky_factor(n, d->K) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    memset(d->mu, 0, (size_t)rows * sizeof *d->mu);
    memset(d->x, 0, (size_t)n * sizeof *d->x);
    for (int k = 0; k < (d->passing ? PASSING : ITERATIONS); k++) {
        /* residual of the whole system, so that rounding of alpha C^T C does not stay */
        double most = miss(d, missing);
        memcpy(change, d->f, (size_t)n * sizeof *change);
        /* The multipliers take over what the constraints still lack. */
        for (int i = 0; i < rows; i++) {
            d->mu[i] += k > 0 ? alpha * missing[i] : 0;
            missing[i] = d->mu[i] + alpha * missing[i];
        }
        /* No progress beyond rounding. */
        if (!d->passing && k > 2 && !(most < 0.5 * before))
            break;
        before = most;
        /* change = K^-1 (f - M x + C^T (mu + alpha missing)). */
        gdyn_gemm(0, 0, n, 1, n, -1, d->M, n, d->x, n, 1, change, n);
        gdyn_gemm(1, 0, n, 1, rows, 1, d->C, rows, missing, rows, 1, change, n);
        gdyn_cholesky_solve(n, d->K, 1, change);
        for (int j = 0; j < n; j++)
            d->x[j] += change[j];
    }
    return GDYN_OK;
}
