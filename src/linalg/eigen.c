/* eigen.c - eigenvalues of symmetric matrices, alone and of K x = w M x with M positive definite.
 *
 * M = L L^T reduces it to the symmetric problem L^-1 K L^-T: for small ones by Householder's
 * tridiagonal form and QL steps without square roots (Golub and Van Loan, section 8.3.1; Reinsch
 * 1973), LAPACK's dsygv for others. With K a stiffness and M an inertia, sqrt(w) are the natural
 * angular frequencies. */
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

/* Householder reflector of column k below the diagonal, from both sides of A (full); returns the
 * element that stays. */
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

/* One QL step without roots on d and the squares e beside it, from l to m, with what the shift has
 * left in d; `tiny` stands for a vanishing pivot. */
static void ql_step(int l, int m, double tiny, double *d, double *e) {
    double g = d[m] != 0 ? d[m] : tiny, h = g, s = 0;
    for (int i = m - 1; i >= l; i--) {
        double p = g * h, r = p + e[i], inverse = 1 / (r != 0 ? r : tiny * tiny);
        e[i + 1] = s * r;
        s = e[i] * inverse;
        d[i + 1] = h + s * (h + d[i]);
        g = d[i] - e[i] / g;
        g = g != 0 ? g : tiny;
        h = g * p * inverse;
    }
    e[l] = s * g * h;
    d[l] = h;
}

/* Eigenvalues of the tridiagonal matrix with diagonal d and the squares e beside it (Reinsch 1973,
 * tqlrat); false: too many steps. */
static bool tridiagonal_values(int n, double *d, double *e) {
    double size = 0, moved = 0;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(d[i]) + (i + 1 < n ? sqrt(e[i]) : 0));
    /* what is rounding beside the largest row */
    double tiny = DBL_EPSILON * size, least = tiny * tiny;
    for (int l = 0; l < n; l++) {
        for (int steps = 0;; steps++) {
            int m = l;
            while (m + 1 < n && e[m] > least)
                m++;
            if (m == l)
                break;
            if (steps == STEPS)
                return false;
            /* the spectrum moves by the eigenvalue of the leading two by two block that is nearer
             * to d_l */
            double root = sqrt(e[l]), half = (d[l + 1] - d[l]) / (2 * root);
            double by = d[l] - root / (half + copysign(sqrt(half * half + 1), half));
            for (int i = l; i < n; i++)
                d[i] -= by;
            moved += by;
            ql_step(l, m, tiny, d, e);
        }
        d[l] += moved;
    }
    return true;
}

/* Tridiagonal form by reflectors, then QL steps; sorted by insertion. */
bool gdyn_symmetric_values(int n, double *A, double *w) {
    double d[SMALL], e[SMALL];
    assert(n <= SMALL);
    for (int k = 0; k < n; k++) {
        d[k] = A[k + n * k];
        double beside = k + 2 < n ? reflect_column(n, A, k) : k + 1 < n ? A[k + 1 + n * k] : 0;
        e[k] = beside * beside;
    }
    bool found = n == 0 || tridiagonal_values(n, d, e);
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && w[at - 1] > d[i]; at--)
            w[at] = w[at - 1];
        w[at] = d[i];
        found = found && isfinite(d[i]);
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
