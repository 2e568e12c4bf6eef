/* eigen.c - eigenvalues of symmetric matrices, alone and of K x = w M x with M positive definite.
 *
 * M = L L^T reduces it to the symmetric problem L^-1 K L^-T: for small ones by Householder's tridiagonal form and
 * implicit QL steps without vectors (Golub and Van Loan, sections 8.3.1 and 8.3.3), LAPACK's dsygv for others. With K
 * a stiffness and M an inertia, sqrt(w) are the natural angular frequencies. */
#include "linalg/linalg.h"

#include <assert.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SMALL = GDYN_SYMMETRIC_MOST, STEPS = 60 };

int gdyn_eigen_work(int n) {
    return n > 0 ? 34 * n + 8 : 1;
}

/* Householder reflector of column k below the diagonal, from both sides of A (full); returns the element that stays. */
static double reflect_column(int n, double *A, int k) {
    double *v = A + k + 1 + n * k, rest = 0, p[SMALL], part = 0;
    int size = n - k - 1;
    for (int i = 1; i < size; i++)
        rest += v[i] * v[i];
    if (rest == 0)
        return v[0];
    /* v = x + sign(x_0) |x| e_0, 2 / |v|^2 = 1 / (|x|^2 + |x| |x_0|) */
    double length = copysign(sqrt(v[0] * v[0] + rest), v[0]);
    v[0] += length;
    double factor = 1 / (length * v[0]);
    /* p = factor A v, A := A - v q^T - q v^T with q = p - (factor p.v / 2) v */
    double *B = A + (k + 1) * (n + 1);
    for (int i = 0; i < size; i++)
        p[i] = 0;
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++)
            p[i] += B[i + n * j] * v[j];
    for (int i = 0; i < size; i++) {
        p[i] *= factor;
        part += p[i] * v[i];
    }
    for (int i = 0; i < size; i++)
        p[i] -= 0.5 * factor * part * v[i];
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++)
            B[i + n * j] -= v[i] * p[j] + p[i] * v[j];
    return -length;
}

/* One implicit QL step with Wilkinson's shift on d, e from l to m. */
static void ql_step(int l, int m, double *d, double *e) {
    double half = (d[l + 1] - d[l]) / (2 * e[l]), r = sqrt(half * half + 1);
    double g = d[m] - d[l] + e[l] / (half + copysign(r, half)), s = 1, c = 1, p = 0;
    for (int i = m - 1; i >= l; i--) {
        double f = s * e[i], b = c * e[i];
        r = sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r == 0) { /* nothing is left to rotate with */
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

/* Eigenvalues of the tridiagonal matrix with diagonal d and e beside it; false: too many steps. */
static bool tridiagonal_values(int n, double *d, double *e) {
    e[n - 1] = 0;
    for (int l = 0; l < n; l++)
        for (int steps = 0;; steps++) {
            /* the block from l on ends where nothing but rounding is beside the diagonal */
            int m = l;
            while (m + 1 < n && fabs(e[m]) > 0.5 * DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])))
                m++;
            if (m == l)
                break;
            if (steps == STEPS)
                return false;
            ql_step(l, m, d, e);
        }
    return true;
}

/* Tridiagonal form by reflectors, then QL steps; sorted by insertion. */
bool gdyn_symmetric_values(int n, double *A, double *w) {
    double d[SMALL], e[SMALL];
    assert(n <= SMALL);
    for (int k = 0; k < n; k++) {
        d[k] = A[k + n * k];
        if (k + 1 < n)
            e[k] = k + 2 < n ? reflect_column(n, A, k) : A[k + 1 + n * k];
    }
    bool found = n == 0 || tridiagonal_values(n, d, e);
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && w[at - 1] > d[i]; at--)
            w[at] = w[at - 1];
        w[at] = d[i];
    }
    return found;
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
    return gdyn_symmetric_values(n, K, w);
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
