/* eigen.c - eigenvalues of symmetric matrices, alone and of K x = w M x with M positive definite.
 *
 * M = L L^T reduces it to the symmetric problem L^-1 K L^-T: by Jacobi's rotations for small ones (Golub and
 * Van Loan, section 8.5: ten times as quick as a call of LAPACK for six by six), LAPACK's dsygv for others. With K
 * a stiffness and M an inertia, sqrt(w) are the natural angular frequencies. */
#include "linalg/linalg.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SMALL = 8, SWEEPS = 30 };

int gdyn_eigen_work(int n) {
    return n > 0 ? 34 * n + 8 : 1;
}

/* The rotation of rows and columns p and q that makes A_pq zero; A is full. */
static void rotate(int n, double *A, int p, int q) {
    /* tan of the angle, from the smaller root: |angle| <= 45 degrees */
    double theta = (A[q + n * q] - A[p + n * p]) / (2 * A[p + n * q]);
    double t = copysign(1, theta) / (fabs(theta) + sqrt(1 + theta * theta));
    double c = 1 / sqrt(1 + t * t), s = c * t, shift = t * A[p + n * q];
    A[p + n * p] -= shift;
    A[q + n * q] += shift;
    A[p + n * q] = A[q + n * p] = 0;
    /* rows and columns of all others, both halves */
    for (int i = 0; i < n; i++) {
        if (i == p || i == q)
            continue;
        double x = A[i + n * p], y = A[i + n * q];
        A[i + n * p] = A[p + n * i] = c * x - s * y;
        A[i + n * q] = A[q + n * i] = s * x + c * y;
    }
}

/* One pass over all pairs; false when nothing but rounding was left beside the diagonal. */
static bool sweep(int n, double *A, double least) {
    bool turned = false;
    for (int p = 0; p < n; p++)
        for (int q = p + 1; q < n; q++)
            if (fabs(A[p + n * q]) > least) {
                rotate(n, A, p, q);
                turned = true;
            }
    return turned;
}

/* Jacobi's rotations; eigenvalues are sorted by insertion. */
void gdyn_symmetric_values(int n, double *A, double *w) {
    double size = 0;
    for (int i = 0; i < n * n; i++)
        size = fmax(size, fabs(A[i]));
    for (int i = 0; i < SWEEPS && sweep(n, A, 0.5 * DBL_EPSILON * size); i++) {
    }
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && w[at - 1] > A[i + n * i]; at--)
            w[at] = w[at - 1];
        w[at] = A[i + n * i];
    }
}

/* Of K and M of small size, M being L afterwards and K the reduced matrix. */
static bool small_generalized(int n, double *K, double *M, double *w) {
    double C[SMALL * SMALL];
    if (gdyn_cholesky_factor(n, M) != GDYN_OK)
        return false;
    /* L^-1 K, then L^-1 (L^-1 K)^T */
    gdyn_cholesky_half(n, M, false, n, K);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            C[i + n * j] = K[j + n * i];
    gdyn_cholesky_half(n, M, false, n, C);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            K[i + n * j] = 0.5 * (C[i + n * j] + C[j + n * i]);
    gdyn_symmetric_values(n, K, w);
    return true;
}

/* Small problems by own loops, greater ones by LAPACK. */
gdyn_status gdyn_eigen_generalized(int n, double *K, double *M, double *w, double *work) {
    if (n == 0)
        return GDYN_OK;
    bool solved = gdyn_all_finite(n, n, K, n) && gdyn_all_finite(n, n, M, n);
    if (solved && n <= SMALL)
        solved = small_generalized(n, K, M, w);
    else if (solved)
        solved = LAPACKE_dsygv_work(LAPACK_COL_MAJOR, 1, 'N', 'L', n, K, n, M, n, w, work,
                                    gdyn_eigen_work(n)) == 0;
    if (!solved)
        memset(w, 0, (size_t)n * sizeof *w);
    return solved ? GDYN_OK : GDYN_ERROR_NUMERIC;
}
