/* band.c - systems whose matrix has a band only: LU by LAPACK (dgbsv), Cholesky by own loops, since
 * bands of a few diagonals cost less than the calls of blocked code. */
#include "linalg/linalg.h"

#include <lapacke.h>
#include <math.h>

/* LU with row exchanges; fill goes into the first kl rows. */
gdyn_status gdyn_band_solve(int n, int kl, int ku, double *AB, int *pivot, int nrhs, double *B,
                            int ldb) {
    int info =
        LAPACKE_dgbsv_work(LAPACK_COL_MAJOR, n, kl, ku, nrhs, AB, 2 * kl + ku + 1, pivot, B, ldb);
    return info == 0 ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

static int last_row(int n, int band, int j) {
    return j + band < n ? j + band : n - 1;
}

bool gdyn_cholesky_band_factor(int n, int band, double *A) {
    for (int j = 0; j < n; j++) {
        /* column j of L, from its diagonal on */
        double *column = A + (size_t)j * (size_t)(band + 1);
        if (!(column[0] > 0))
            return false;
        column[0] = sqrt(column[0]);
        int last = last_row(n, band, j);
        for (int i = j + 1; i <= last; i++)
            column[i - j] /= column[0];
        /* its products are subtracted from the columns it reaches */
        for (int c = j + 1; c <= last; c++) {
            double *other = A + (size_t)c * (size_t)(band + 1), f = column[c - j];
            for (int i = c; f != 0 && i <= last; i++)
                other[i - c] -= f * column[i - j];
        }
    }
    return true;
}

void gdyn_cholesky_band_solve(int n, int band, const double *L, double *x) {
    /* L y = b, column by column */
    for (int j = 0; j < n; j++) {
        const double *column = L + (size_t)j * (size_t)(band + 1);
        x[j] /= column[0];
        for (int i = j + 1; i <= last_row(n, band, j); i++)
            x[i] -= column[i - j] * x[j];
    }
    /* L^T x = y */
    for (int j = n - 1; j >= 0; j--) {
        const double *column = L + (size_t)j * (size_t)(band + 1);
        for (int i = j + 1; i <= last_row(n, band, j); i++)
            x[j] -= column[i - j] * x[i];
        x[j] /= column[0];
    }
}
