/* lu.c - P A Q = L U with complete pivoting; the sign of a determinant.
 *
 * Every step takes the largest element left as pivot, so the pivots reveal the rank, and the
 * pivots' columns are a well-conditioned choice of dependent coordinates (coordinate partitioning;
 * Paul 2020, section 5.5). Sizes are those of mechanisms, so plain loops do. */
#include "linalg/linalg.h"

#include <assert.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

/* Columns up to which plain loops are quicker than LAPACK. */
enum { FEW = 8 };
/* Columns up to which their largest elements are kept. */
enum { MANY = 512 };

static void swap_rows(int n, double *A, int lda, int i, int k) {
    for (int j = 0; j < n; j++) {
        double t = A[i + (size_t)lda * j];
        A[i + (size_t)lda * j] = A[k + (size_t)lda * j];
        A[k + (size_t)lda * j] = t;
    }
}

static void swap_int(int *list, int i, int k) {
    int t = list[i];
    list[i] = list[k], list[k] = t;
}

/* Largest magnitude in column j of the part that is left. */
static double largest(int m, const double *A, int lda, int k, int j) {
    double best = 0;
    for (int i = k; i < m; i++)
        if (fabs(A[i + (size_t)lda * j]) > best)
            best = fabs(A[i + (size_t)lda * j]);
    return best;
}

/* Largest element of the part that is left; its place in *pi, *pj. most: of each column, or
 * NULL. */
static double find_pivot(int m, int n, const double *A, int lda, int k, const double *most, int *pi,
                         int *pj) {
    double best = 0;
    *pi = *pj = k;
    for (int j = k; j < n; j++) {
        double here = most ? most[j] : largest(m, A, lda, k, j);
        if (here > best) {
            best = here;
            *pj = j;
        }
    }
    while (best > 0 && fabs(A[*pi + (size_t)lda * *pj]) != best)
        ++*pi;
    return best;
}

/* L in place of the column, U to the right of it. Columns with a zero in U stay as they are, and so
 * do their largest elements: matrices of mechanisms are sparse at first. */
static void eliminate(int m, int n, double *A, int lda, int k, double *most) {
    double pivot = A[k + (size_t)lda * k];
    for (int i = k + 1; i < m; i++)
        A[i + (size_t)lda * k] /= pivot;
    const double *l = A + (size_t)lda * k;
    for (int j = k + 1; j < n; j++) {
        double u = A[k + (size_t)lda * j], *restrict a = A + (size_t)lda * j;
        if (u == 0)
            continue;
        for (int i = k + 1; i < m; i++)
            a[i] -= l[i] * u;
        if (most)
            most[j] = largest(m, A, lda, k + 1, j);
    }
}

gdyn_rank gdyn_lu_complete(int m, int n, double *A, int lda, int *row, int *column,
                           double tolerance) {
    assert(n == 0 || lda >= m);
    gdyn_rank r = gdyn_rank_decide(0, NULL, tolerance);
    for (int i = 0; i < m; i++)
        row[i] = i;
    for (int j = 0; j < n; j++)
        column[j] = j;
    if (!gdyn_all_finite(m, n, A, lda)) {
        r.gap = 0;
        return r;
    }
    /* the largest element of each column, so that only those that change are searched again */
    double room[MANY], *most = n <= MANY ? room : NULL;
    for (int j = 0; most && j < n; j++)
        most[j] = largest(m, A, lda, 0, j);
    /* the largest entry left decides whether the rank grows */
    for (int k = 0; k < m && k < n; k++) {
        int pi, pj;
        double pivot = find_pivot(m, n, A, lda, k, most, &pi, &pj);
        if (k == 0)
            r.greatest = pivot;
        if (!(pivot > r.tolerance * r.greatest)) {
            r.below = pivot;
            r.gap = k > 0 && pivot > 0 ? r.above / pivot : INFINITY;
            return r;
        }
        /* it comes to the diagonal */
        swap_rows(n, A, lda, k, pi);
        for (int i = 0; i < m; i++) {
            double t = A[i + (size_t)lda * k];
            A[i + (size_t)lda * k] = A[i + (size_t)lda * pj];
            A[i + (size_t)lda * pj] = t;
        }
        swap_int(row, k, pi), swap_int(column, k, pj);
        if (most)
            most[pj] = most[k];
        eliminate(m, n, A, lda, k, most);
        r.above = pivot, r.rank = k + 1;
    }
    return r;
}

/* x at the pivots' columns solves U x = sign y. */
static void back_substitute(int rank, const double *A, int lda, const int *column, double sign,
                            const double *y, double *x) {
    for (int i = rank - 1; i >= 0; i--) {
        double sum = sign * y[i];
        for (int j = i + 1; j < rank; j++)
            sum -= A[i + (size_t)lda * j] * x[column[j]];
        x[column[i]] = sum / A[i + (size_t)lda * i];
    }
}

/* Back substitution from a one at a free column. */
void gdyn_lu_null_vector(int n, const double *A, int lda, int rank, int free, const int *column,
                         double *x) {
    assert(rank <= free && free < n);
    for (int j = 0; j < n; j++)
        x[j] = 0;
    x[column[free]] = 1;
    back_substitute(rank, A, lda, column, -1, A + (size_t)lda * free, x);
}

/* L y = P b forward, then U x = y. */
void gdyn_lu_basic(int n, const double *A, int lda, int rank, const int *row, const int *column,
                   const double *b, double *work, double *x) {
    for (int i = 0; i < rank; i++) {
        work[i] = b[row[i]];
        for (int j = 0; j < i; j++)
            work[i] -= A[i + (size_t)lda * j] * work[j];
    }
    for (int j = 0; j < n; j++)
        x[j] = 0;
    back_substitute(rank, A, lda, column, 1, work, x);
}

/* Every free column gives one vector; entries within rounding of the elimination are zero. */
int gdyn_lu_null(int m, int n, double *A, int lda, int *row, int *column, double *N) {
    int rank = gdyn_lu_complete(m, n, A, lda, row, column, 0).rank;
    /* Sums of n products, entries of A up to one: less than this is rounding. */
    const double noise = 64 * n * DBL_EPSILON;
    for (int f = rank; f < n; f++) {
        double *z = N + (size_t)n * (size_t)(f - rank), most = 1;
        gdyn_lu_null_vector(n, A, lda, rank, f, column, z);
        for (int j = 0; j < n; j++)
            most = fmax(most, fabs(z[j]));
        for (int j = 0; j < n; j++)
            if (fabs(z[j]) <= noise * most)
                z[j] = 0;
    }
    return n - rank;
}

/* LAPACK's dgetrf for a handful of columns, where its calls cost more than its sums. */
static bool eliminate_few(int n, double *A, int lda, int *pivot) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            best = fabs(A[i + (size_t)lda * k]) > fabs(A[best + (size_t)lda * k]) ? i : best;
        pivot[k] = best + 1;
        swap_rows(n, A, lda, k, best);
        if (A[k + (size_t)lda * k] == 0)
            return false;
        eliminate(n, n, A, lda, k, NULL);
    }
    return true;
}

int gdyn_det_sign(int n, double *A, int lda, int *pivot) {
    int sign = 1;
    double most = 0;
    if (!gdyn_all_finite(n, n, A, lda))
        return 0;
    bool regular = n <= FEW ? eliminate_few(n, A, lda, pivot)
                            : LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, lda, pivot) == 0;
    if (!regular)
        return 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(A[i + (size_t)lda * i]));
    /* the product of the pivots' signs and of the row exchanges */
    for (int i = 0; i < n; i++) {
        double u = A[i + (size_t)lda * i];
        if (fabs(u) <= 1e-15 * most)
            return 0;
        sign = (u < 0) != (pivot[i] != i + 1) ? -sign : sign;
    }
    return sign;
}

/* Exchanges of rows leave the norm of U^-1 L^-1 as it is: its columns one after the other. */
double gdyn_lu_inverse_norm(int n, const double *LU, int lda) {
    double inverse[FEW], x[FEW], sum = 0;
    if (n > FEW)
        return INFINITY;
    for (int i = 0; i < n; i++)
        inverse[i] = 1 / LU[i + (size_t)lda * i];
    for (int c = 0; c < n; c++) {
        /* L x = e_c, then U x = x */
        for (int i = 0; i < n; i++)
            x[i] = i == c;
        for (int j = c; j < n; j++)
            for (int i = j + 1; i < n; i++)
                x[i] -= LU[i + (size_t)lda * j] * x[j];
        for (int j = n - 1; j >= 0; j--) {
            x[j] *= inverse[j];
            sum += x[j] * x[j];
            for (int i = 0; i < j; i++)
                x[i] -= LU[i + (size_t)lda * j] * x[j];
        }
    }
    return sqrt(sum);
}
