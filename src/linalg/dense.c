/* dense.c - square systems: Cholesky and LU with partial pivoting (LAPACK). */
#include "linalg/linalg.h"

#include <cblas.h>
#include <lapacke.h>

static int at_least_one(int n) {
    return n > 0 ? n : 1;
}

gdyn_status gdyn_cholesky_factor(int n, double *A) {
    if (!gdyn_all_finite(n, n, A, n))
        return GDYN_ERROR_NUMERIC;
    int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, A, at_least_one(n));
    return info == 0 ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

void gdyn_cholesky_solve(int n, const double *L, int nrhs, double *B) {
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, nrhs, L, at_least_one(n), B, at_least_one(n));
}

void gdyn_cholesky_half(int n, const double *L, bool transposed, int nrhs, double *B) {
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, transposed ? CblasTrans : CblasNoTrans,
                CblasNonUnit, n, nrhs, 1.0, L, at_least_one(n), B, at_least_one(n));
}

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
