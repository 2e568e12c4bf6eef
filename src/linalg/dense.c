/* dense.c - square systems: Cholesky and LU with partial pivoting (LAPACK; small Cholesky by own
 * loops, which cost less than the call). */
#include "linalg/lanes.h"
#include "linalg/linalg.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

enum { SMALL = 8 };

static int at_least_one(int n) {
    return n > 0 ? n : 1;
}

/* False: not positive definite, or not finite. An entry below the diagonal that is not finite makes
 * the pivot of its row -INFINITY or a NaN. */
static bool factor_small(int n, double *A) {
    /* column by column; entries below the diagonal follow from the rows above */
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = A[i + n * j];
            for (int k = 0; k < j; k++)
                sum -= A[i + n * k] * A[j + n * k];
            if (i == j && !(sum > 0 && sum < INFINITY))
                return false;
            A[i + n * j] = i == j ? sqrt(sum) : sum / A[j + n * j];
        }
    return true;
}

/* L x = b or L^T x = b in place, for two right-hand sides, one per lane; they may be the same
 * one. */
static void half_small(int n, const double *L, bool transposed, double *b, double *c) {
    gdyn_lanes x[SMALL];
    for (int k = 0; k < n; k++) {
        int i = transposed ? n - 1 - k : k;
        gdyn_lanes sum = {b[i], c[i]};
        if (transposed)
            for (int j = i + 1; j < n; j++)
                sum -= L[j + n * i] * x[j];
        else
            for (int j = 0; j < i; j++)
                sum -= L[i + n * j] * x[j];
        x[i] = sum / L[i + n * i];
        b[i] = x[i][0];
        c[i] = x[i][1];
    }
}

/* Own loops up to eight, LAPACK beyond; NaN must not reach either. What stands above the diagonal
 * is not looked at: it may never have been written. */
gdyn_status gdyn_cholesky_factor(int n, double *A) {
    if (n <= SMALL)
        return factor_small(n, A) ? GDYN_OK : GDYN_ERROR_NUMERIC;
    for (int j = 0; j < n; j++)
        if (!gdyn_all_finite(n - j, 1, A + j + (size_t)n * (size_t)j, n))
            return GDYN_ERROR_NUMERIC;
    int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, A, at_least_one(n));
    return info == 0 ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

void gdyn_cholesky_solve(int n, const double *L, int nrhs, double *B) {
    gdyn_cholesky_half(n, L, false, nrhs, B), gdyn_cholesky_half(n, L, true, nrhs, B);
}

/* Triangular solves in place. */
void gdyn_cholesky_half(int n, const double *L, bool transposed, int nrhs, double *B) {
    if (n <= SMALL) {
        for (int j = 0; j < nrhs; j += 2)
            half_small(n, L, transposed, B + n * j, B + n * (j + 1 < nrhs ? j + 1 : j));
        return;
    }
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transposed ? CblasTrans : CblasNoTrans,
                CblasNonUnit, n, nrhs, 1.0, L, at_least_one(n), B, at_least_one(n));
}

void gdyn_cholesky_invert(int n, double *L) {
    LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, L, at_least_one(n));
}

/* Row exchanges are in `pivot`. */
gdyn_status gdyn_dense_factor(int n, double *A, int *pivot) {
    if (!gdyn_all_finite(n, n, A, n))
        return GDYN_ERROR_NUMERIC;
    int info = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, at_least_one(n), pivot);
    return info == 0 ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

void gdyn_dense_solve(int n, const double *LU, const int *pivot, int nrhs, double *B) {
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, nrhs, LU, at_least_one(n), pivot, B,
                        at_least_one(n));
}
