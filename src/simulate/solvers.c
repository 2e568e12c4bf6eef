/* solvers.c - methods from redundant constraints to accelerations, a section each. First two with
 * the factor M = L L^T. Where something has no mass, M + alpha C^T C and
 * f + alpha C^T b take the places of M and f: C x = b holds in the end, so that x and mu are the
 * same.
 *
 * minimum_norm: C M^-1 C^T mu = b - C M^-1 f by singular values, mu of least norm; x = M^-1 (f +
 * C^T mu). projection: x = x_f + W (b - C x_f), x_f = M^-1 f, W = L^-T (C L^-T)^+, without
 * multipliers (Gonzalez and Kovecses 2011, Eqs. 2 and 3, on the level of accelerations; their L is
 * L^T here). */
#include "simulate/internal.h"

#include <math.h>
#include <string.h>

/* Smallest over largest diagonal of L of singular M: rounding leaves the root of 1e-16. */
static const double REGULAR = 1e-7;
/* Singular values below this share of the largest are zero; the rank of C bounds it. */
static const double RANK = 1e-14;
/* Rounds of refinement; each gains the digits that the factor has. */
enum { ROUNDS = 3 };

/* L of M + alpha C^T C into MN; false: it is not regular. */
static bool factor(gdyn_dynamics *d, double alpha) {
    int n = d->n;
    /* The matrix to be factored: the masses, with C^T C where they are singular. */
    double least = INFINITY, greatest = 0;
    memcpy(d->MN, d->M, (size_t)n * (size_t)n * sizeof *d->MN);
    if (alpha > 0)
        gdyn_gemm(1, 0, n, n, d->rows, alpha, d->C, d->rows, d->C, d->rows, 1, d->MN, n);
    if (gdyn_cholesky_factor(n, d->MN) != GDYN_OK)
        return false;
    /* The diagonal shows whether it is regular. */
    for (int j = 0; j < n; j++) {
        least = fmin(least, d->MN[j * (size_t)(n + 1)]);
        greatest = fmax(greatest, d->MN[j * (size_t)(n + 1)]);
    }
    return least > REGULAR * greatest;
}

/* L into MN, x := M^-1 f; x left in d->x. */
static gdyn_status free_acceleration(gdyn_dynamics *d) {
    double alpha = 0;
    memcpy(d->x, d->f, (size_t)d->n * sizeof *d->x);
    /* Singular masses: (M + alpha C^T C) x = f + alpha C^T b, alpha as the largest mass. */
    if (!factor(d, 0)) {
        for (int j = 0; j < d->n; j++)
            alpha = fmax(alpha, d->M[j * (size_t)(d->n + 1)]);
        if (!factor(d, alpha))
            return GDYN_ERROR_NUMERIC;
        gdyn_gemm(1, 0, d->n, 1, d->rows, alpha, d->C, d->rows, d->b, d->rows, 1, d->x, d->n);
    }
    gdyn_cholesky_solve(d->n, d->MN, 1, d->x);
    return GDYN_OK;
}

/* missing := b - C x. */
static void find_missing(const gdyn_dynamics *d, double *missing) {
    memcpy(missing, d->b, (size_t)d->rows * sizeof *missing);
    gdyn_gemm(0, 0, d->rows, 1, d->n, -1, d->C, d->rows, d->x, d->n, 1, missing, d->rows);
}

/* x := M^-1 f, Ct := L^-1 C^T (n x rows), and what C x lacks of b. */
static gdyn_status begin(gdyn_dynamics *d, double *missing) {
    int n = d->n, rows = d->rows;
    gdyn_status status = free_acceleration(d);
    if (status != GDYN_OK || rows == 0)
        return status;
    /* L^-1 C^T, so that C M^-1 C^T is a product of it with itself. */
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            d->Ct[j + (size_t)n * i] = d->C[i + (size_t)rows * j];
    gdyn_cholesky_half(n, d->MN, false, rows, d->Ct);
    find_missing(d, missing);
    return GDYN_OK;
}

/* Singular values; the rank is at most that of C. */
static gdyn_status decompose(gdyn_dynamics *d, int m, int n, const double *A, int ld) {
    gdyn_status status = gdyn_svd_factor(d->svd, m, n, A, ld, RANK);
    if (status == GDYN_OK && d->svd->rank.rank > d->rank)
        d->svd->rank.rank = d->rank;
    return status;
}

/* x := x + L^-T push. */
static void correct(gdyn_dynamics *d, double *push) {
    gdyn_cholesky_half(d->n, d->MN, true, 1, push);
    for (int j = 0; j < d->n; j++)
        d->x[j] += push[j];
}

gdyn_status gdyn_solve_minimum_norm(gdyn_dynamics *d) {
    int n = d->n, rows = d->rows;
    double *missing = d->v, *more = d->v + rows, *push = d->w;
    gdyn_status status = begin(d, missing);
    if (status != GDYN_OK || rows == 0)
        return status;
    gdyn_gemm(1, 0, rows, rows, n, 1, d->Ct, n, d->Ct, n, 0, d->K, rows);
    status = decompose(d, rows, rows, d->K, rows);
    memset(d->mu, 0, (size_t)rows * sizeof *d->mu);
    /* C M^-1 C^T has the square of the condition: what is still missing is asked for again */
    for (int k = 0; k < ROUNDS && status == GDYN_OK; k++) {
        gdyn_svd_solve(d->svd, 1, missing, rows, more, rows);
        for (int i = 0; i < rows; i++)
            d->mu[i] += more[i];
        gdyn_gemm(0, 0, n, 1, rows, 1, d->Ct, n, more, rows, 0, push, n);
        correct(d, push);
        find_missing(d, missing);
    }
    return status;
}

gdyn_status gdyn_solve_projection(gdyn_dynamics *d) {
    int n = d->n, rows = d->rows;
    double *missing = d->v, *push = d->w;
    gdyn_status status = begin(d, missing);
    if (status != GDYN_OK || rows == 0)
        return status;
    /* C L^-T and its pseudoinverse */
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            d->A[i + (size_t)rows * j] = d->Ct[j + (size_t)n * i];
    status = decompose(d, rows, n, d->A, rows);
    if (status != GDYN_OK)
        return status;
    gdyn_svd_solve(d->svd, 1, missing, rows, push, n);
    correct(d, push);
    return GDYN_OK;
}

/* --- null_space ------------------------------------------------------------------------------- */

/* [V^T M; C] u' = [V^T f; b] with C V = 0 (Wojtyra and Fraczek 2013, Eq. 13).
 *
 * V is orthonormal, from the pivoted QR of C^T; u' = x0 + V a with x0 in the range of C^T solves
 * both blocks one after the other. */

gdyn_status gdyn_solve_null_space(gdyn_dynamics *d) {
    gdyn_status status = gdyn_dynamics_factor(d, d->rows, d->rank);
    return status == GDYN_OK ? gdyn_dynamics_least(d, d->rows, d->b, d->f, d->x) : status;
}

/* --- compliance ------------------------------------------------------------------------------- */

/* Constraints give way: mu = -(Phi + tau Phi') / epsilon row by row, tau Phi' /
 * epsilon for Pfaffian rows (the continuous form of Gonzalez and Kovecses 2011, Eq. 1, with its
 * compliance per kind of constraint).
 *
 * The split of load among redundant rows is the compliance's choice. */

double gdyn_compliance_of(const gdyn_dynamics *d, int row) {
    double s = d->row_scale[row];
    return d->def->compliance[gdyn_mech_row_is_length(d->model, row) ? 0 : 1] * s * s;
}

gdyn_status gdyn_solve_compliance(gdyn_dynamics *d) {
    int n = d->n;
    /* Each row is a stiff spring with a damper. */
    for (int i = 0; i < d->rows; i++)
        d->mu[i] = -(d->phi[i] + d->def->relaxation * d->rate[i]) / gdyn_compliance_of(d, i);
    /* x = M^-1 (f + C^T mu). */
    memcpy(d->x, d->f, (size_t)n * sizeof *d->x);
    gdyn_gemm(1, 0, n, 1, d->rows, 1, d->C, d->rows, d->mu, d->rows, 1, d->x, n);
    memcpy(d->MN, d->M, (size_t)n * (size_t)n * sizeof *d->MN);
    if (gdyn_cholesky_factor(n, d->MN) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    gdyn_cholesky_solve(n, d->MN, 1, d->x);
    return GDYN_OK;
}

/* --- augmented -------------------------------------------------------------------------------- */

/* Augmented Lagrangian: (M + C^T alpha C) x = f + C^T (mu + alpha b), mu += alpha (b
 * - C x), until C x = b (Bayo, Garcia de Jalon, Serna 1988; Neto, Ambrosio 2003).
 *
 * The matrix is positive definite when motions that the constraints leave have masses, regardless
 * of the rank of C. The error falls by about |M| / (alpha |C|^2) each time. */

/* Beside a singular pose always as many: ends by progress would make accelerations jump. */
enum { ITERATIONS = 30, PASSING = 10 };

gdyn_status gdyn_solve_augmented(gdyn_dynamics *d) {
    int n = d->n, rows = d->rows;
    double *missing = d->v, *change = d->w, alpha = 0, before = INFINITY;
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
        find_missing(d, missing);
        double most = gdyn_dynamics_greatest(rows, missing);
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
