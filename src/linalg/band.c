/* band.c - systems whose matrix has a band only (LAPACK's dgbtrf and dgbtrs). */
#include "linalg/linalg.h"

#include <lapacke.h>

gdyn_status gdyn_band_solve(int n, int kl, int ku, double *AB, int *pivot, int nrhs, double *B,
                            int ldb) {
    int info =
        LAPACKE_dgbsv_work(LAPACK_COL_MAJOR, n, kl, ku, nrhs, AB, 2 * kl + ku + 1, pivot, B, ldb);
    return info == 0 ? GDYN_OK : GDYN_ERROR_NUMERIC;
}
