/* columns.c - products of long columns, A^T B, and orthonormal columns by the Cholesky factor of
 * A^T A.
 *
 * Columns of a basis are long and few: small blocks of scalar products stay in registers, so that
 * every entry is loaded once for several of them, and two entries share a register. Sums run over
 * even and odd rows apart. */
#include "linalg/lanes.h"
#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

/* Columns, and smallest share of a column outside those before it, with which A R^-1 from the
 * Cholesky factor R^T R = A^T A is orthonormal to rounding. */
enum { FEW_COLUMNS = 12 };
static const double APART = 0.03;

/* --- products --------------------------------------------------------------------------------- */

/* C += alpha A^T B of `rows` columns of A with `columns` of B, both constants where this is
 * inlined. */
static inline void block(int rows, int columns, int m, double alpha, const double *A, size_t lda,
                         const double *B, size_t ldb, double *C, size_t ldc) {
    gdyn_lanes sum[3][3];
    int i = 0;
    for (int k = 0; k < rows; k++)
        for (int j = 0; j < columns; j++)
            sum[k][j] = l_all(0);
    for (; i + 1 < m; i += 2)
        for (int k = 0; k < rows; k++)
            for (int j = 0; j < columns; j++)
                sum[k][j] += l_pair(A + lda * k + i) * l_pair(B + ldb * j + i);
    /* both lanes, and an odd row */
    for (int k = 0; k < rows; k++)
        for (int j = 0; j < columns; j++) {
            double rest = i < m ? A[lda * k + i] * B[ldb * j + i] : 0;
            C[k + ldc * j] += alpha * (sum[k][j][0] + sum[k][j][1] + rest);
        }
}

/* Blocks of three by two columns, what is left by one. */
void gdyn_add_column_products(int rows, int columns, int m, double alpha, const double *A, int lda,
                              const double *B, int ldb, double *C, int ldc) {
    size_t a = (size_t)lda, b = (size_t)ldb, c = (size_t)ldc;
    for (int j = 0; j < columns; j += 2)
        for (int k = 0; k < rows; k += 3) {
            const double *x = A + a * (size_t)k, *y = B + b * (size_t)j;
            double *out = C + (size_t)k + c * (size_t)j;
            if (k + 2 < rows && j + 1 < columns) {
                block(3, 2, m, alpha, x, a, y, b, out, c);
                continue;
            }
            for (int l = j; l < columns && l < j + 2; l++)
                for (int i = k; i < rows && i < k + 3; i++)
                    C[(size_t)i + c * (size_t)l] +=
                        alpha * l_product(m, A + a * (size_t)i, B + b * (size_t)l);
        }
}

/* --- orthonormal columns ---------------------------------------------------------------------- */

/* Products of three columns with each other: the upper half. */
static inline void block_of_three(int m, const double *A, size_t lda, double *G, size_t ldg) {
    gdyn_lanes sum[3][3];
    int i = 0;
    for (int j = 0; j < 3; j++)
        for (int k = 0; k <= j; k++)
            sum[k][j] = l_all(0);
    for (; i + 1 < m; i += 2)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k <= j; k++)
                sum[k][j] += l_pair(A + lda * k + i) * l_pair(A + lda * j + i);
    for (int j = 0; j < 3; j++)
        for (int k = 0; k <= j; k++) {
            double rest = i < m ? A[lda * k + i] * A[lda * j + i] : 0;
            G[k + ldg * j] = sum[k][j][0] + sum[k][j][1] + rest;
        }
}

/* A := A R^-1, two rows at once; n a constant where this is inlined. */
static inline void divide(int m, int n, double *A, const double *R) {
    gdyn_lanes wide[FEW_COLUMNS * FEW_COLUMNS], x[FEW_COLUMNS];
    size_t lda = (size_t)m;
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= j; k++)
            wide[k + FEW_COLUMNS * j] = l_all(R[k + FEW_COLUMNS * j]);
    for (int i = 0; i < m; i += 2) {
        bool whole = i + 1 < m;
        for (int j = 0; j < n; j++) {
            double *own = A + lda * j + i;
            const gdyn_lanes *r = wide + FEW_COLUMNS * j;
            x[j] = whole ? l_pair(own) : l_all(*own);
            for (int k = 0; k < j; k++)
                x[j] -= r[k] * x[k];
            x[j] *= r[j];
            if (whole)
                l_put(own, x[j]);
            else
                *own = x[j][0];
        }
    }
}

/* By the Cholesky factor of A^T A; false: too near to dependence for that. */
static bool orthonormalize_apart(int m, int n, double *A) {
    double R[FEW_COLUMNS * FEW_COLUMNS];
    /* the upper half of A^T A, n <= FEW_COLUMNS, leading dimension FEW_COLUMNS */
    size_t lda = (size_t)m, ldg = FEW_COLUMNS;
    memset(R, 0, ldg * (size_t)n * sizeof *R);
    for (int j = 0; j < n; j += 3) {
        const double *x = A + lda * (size_t)j;
        int wide = n - j < 3 ? n - j : 3;
        gdyn_add_column_products(j, wide, m, 1, A, m, x, m, R + ldg * (size_t)j, FEW_COLUMNS);
        if (wide == 3)
            block_of_three(m, x, lda, R + (size_t)j + ldg * (size_t)j, ldg);
        else
            gdyn_add_column_products(wide, wide, m, 1, x, m, x, m, R + (size_t)j + ldg * (size_t)j,
                                     FEW_COLUMNS);
    }
    /* R^T R = G in place, with 1 / R_jj on the diagonal */
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= j; k++) {
            const double *rk = R + FEW_COLUMNS * k, *rj = R + FEW_COLUMNS * j;
            double sum = rj[k], whole = sum;
            for (int l = 0; l < k; l++)
                sum -= rk[l] * rj[l];
            if (k == j && !(sum > APART * APART * whole))
                return false;
            R[k + FEW_COLUMNS * j] = k == j ? 1 / sqrt(sum) : sum * rk[k];
        }
    /* the freedoms of a body in the plane and in space */
    if (n == 3)
        divide(m, 3, A, R);
    else if (n == 6)
        divide(m, 6, A, R);
    else
        divide(m, n, A, R);
    return true;
}

/* Gram and Schmidt, twice. */
double gdyn_extend_basis(int m, int count, const double *Q, double *x, double *before) {
    *before = sqrt(l_product(m, x, x));
    for (int pass = 0; pass < 2; pass++) /* twice is enough */
        for (int k = 0; k < count; k++) {
            const double *y = Q + (size_t)m * (size_t)k;
            double part = l_product(m, x, y);
            for (int i = 0; i < m; i++)
                x[i] -= part * y[i];
        }
    double length = sqrt(l_product(m, x, x));
    for (int i = 0; i < m && length > 0; i++)
        x[i] /= length;
    return length;
}

/* By Cholesky where columns are well apart. */
bool gdyn_orthonormalize(int m, int n, double *A) {
    if (n <= FEW_COLUMNS && orthonormalize_apart(m, n, A))
        return true;
    for (int j = 0; j < n; j++) {
        double before, length = gdyn_extend_basis(m, j, A, A + (size_t)m * (size_t)j, &before);
        if (!(length > 1e-12 * before))
            return false;
    }
    return true;
}
