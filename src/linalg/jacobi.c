/* jacobi.c - singular values of small matrices by one-sided Jacobi rotations (Hestenes).
 *
 * Rotations from the right make the columns of B = A V orthogonal; then s_i = |b_i|, u_i = b_i /
 * s_i. Every s_i is accurate relative to itself when the columns are well scaled (Demmel and
 * Veselic 1992), and a matrix of six by six costs a fifth of LAPACK's call. A with more columns
 * than rows is taken transposed. */
#include "linalg/linalg.h"
#include "linalg/dot.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 30 };
/* Entries beyond these would overflow or underflow when squared. */
static const double GREATEST = 1e140, LEAST = 1e-140;

/* Two columns by the same rotation. */
static void rotate(int m, double *x, double *y, double c, double s) {
    for (int i = 0; i < m; i++) {
        double t = c * x[i] - s * y[i];
        y[i] = s * x[i] + c * y[i];
        x[i] = t;
    }
}

/* One pass over all pairs of columns of B (p x q), V (q x q) alike; false when all were
 * orthogonal. */
static bool sweep(int p, int q, double *B, double *V) {
    bool turned = false;
    for (int i = 0; i < q; i++)
        for (int j = i + 1; j < q; j++) {
            double *x = B + p * i, *y = B + p * j;
            /* the rotation that makes columns i and j orthogonal */
            double a = gdyn_dot(p, x, x), b = gdyn_dot(p, y, y), g = gdyn_dot(p, x, y);
            if (fabs(g) <= 2 * DBL_EPSILON * sqrt(a) * sqrt(b))
                continue;
            double zeta = (b - a) / (2 * g);
            double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta));
            double c = 1 / sqrt(1 + t * t);
            rotate(p, x, y, c, c * t), rotate(q, V + q * i, V + q * j, c, c * t);
            turned = true;
        }
    return turned;
}

static void swap(int m, double *x, double *y) {
    for (int i = 0; i < m; i++) {
        double t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

/* Columns in the order of falling length, which is s. */
static void sort(int p, int q, double *B, double *V, double *s) {
    /* singular values, largest first */
    for (int i = 0; i < q; i++)
        s[i] = gdyn_norm(p, B + p * i);
    /* selection: the longest of the rest comes next */
    for (int i = 0; i < q; i++) {
        int most = i;
        for (int j = i + 1; j < q; j++)
            most = s[j] > s[most] ? j : most;
        if (most == i)
            continue;
        double t = s[i];
        s[i] = s[most], s[most] = t;
        swap(p, B + p * i, B + p * most), swap(q, V + q * i, V + q * most);
    }
}

/* Column `known` of Q (p x p), at right angles to those before it: from the unit vector that has
 * the largest part outside of them. */
static void complete(int p, int known, double *Q) {
    double best = -1, *column = Q + p * known;
    int axis = 0;
    /* the axis that lies farthest outside of the known columns */
    for (int k = 0; k < p; k++) {
        double left = 1;
        for (int j = 0; j < known; j++)
            left -= Q[k + p * j] * Q[k + p * j];
        if (left > best)
            best = left, axis = k;
    }
    memset(column, 0, (size_t)p * sizeof *column);
    column[axis] = 1;
    /* Gram-Schmidt twice */
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < known; j++) {
            double part = gdyn_dot(p, column, Q + p * j);
            for (int i = 0; i < p; i++)
                column[i] -= part * Q[i + p * j];
        }
    double length = gdyn_norm(p, column);
    for (int i = 0; i < p; i++)
        column[i] /= length;
}

/* The sizes fit and no square overflows or vanishes. */
static bool fits(int m, int n, const double *A, int lda) {
    double most = 0;
    if (m > GDYN_JACOBI_LONG || n > GDYN_JACOBI_LONG ||
        (m > GDYN_JACOBI_SHORT && n > GDYN_JACOBI_SHORT))
        return false;
    /* squares of these entries stay in range */
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            most = fmax(most, fabs(A[i + (size_t)lda * (size_t)j]));
    return most < GREATEST && most > LEAST;
}

bool gdyn_jacobi_svd(int m, int n, const double *A, int lda, double *U, double *s, double *Vt) {
    double B[GDYN_JACOBI_LONG * GDYN_JACOBI_SHORT], V[GDYN_JACOBI_SHORT * GDYN_JACOBI_SHORT] = {0};
    if (!fits(m, n, A, lda))
        return false;
    /* the longer side first: a wide matrix is transposed */
    bool wide = n > m;
    int p = wide ? n : m, q = wide ? m : n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            B[wide ? j + p * i : i + p * j] = A[i + (size_t)lda * (size_t)j];
    for (int i = 0; i < q; i++)
        V[i + q * i] = 1;
    int passes = 0;
    /* rotations until all columns are orthogonal */
    while (sweep(p, q, B, V))
        if (++passes == SWEEPS)
            return false;
    /* s_i = |b_i|, u_i = b_i / s_i; vectors of zero values complete the basis */
    sort(p, q, B, V, s);
    double *Q = wide ? Vt : U, *W = wide ? U : Vt;
    for (int j = 0; j < p; j++) {
        /* a zero value leaves its vector free */
        if (j >= q || !(s[j] > LEAST)) {
            complete(p, j, Q);
            continue;
        }
        for (int i = 0; i < p; i++)
            Q[i + p * j] = B[i + p * j] / s[j];
    }
    memcpy(W, V, (size_t)(q * q) * sizeof *W);
    /* V in place */
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double t = Vt[i + n * j];
            Vt[i + n * j] = Vt[j + n * i];
            Vt[j + n * i] = t;
        }
    return true;
}
