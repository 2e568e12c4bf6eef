/* eigen.c - K x = w M x with K symmetric and M symmetric positive definite.
 *
 * M = L L^T reduces it to the symmetric problem L^-1 K L^-T (LAPACK dsygv). With K a stiffness and
 * M an inertia, sqrt(w) are the natural angular frequencies. */
#include "linalg/linalg.h"

#include <lapacke.h>
#include <string.h>

int gdyn_eigen_work(int n) {
    return n > 0 ? 34 * n + 8 : 1;
}

gdyn_status gdyn_eigen_generalized(int n, double *K, double *M, double *w, double *work) {
    if (n == 0)
        return GDYN_OK;
    if (!gdyn_all_finite(n, n, K, n) || !gdyn_all_finite(n, n, M, n) ||
        LAPACKE_dsygv_work(LAPACK_COL_MAJOR, 1, 'N', 'L', n, K, n, M, n, w, work,
                           gdyn_eigen_work(n)) != 0) {
        memset(w, 0, (size_t)n * sizeof *w);
        return GDYN_ERROR_NUMERIC;
    }
    return GDYN_OK;
}
