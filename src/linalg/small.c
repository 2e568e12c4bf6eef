/* small.c - matrix products, and the one switch of OpenBLAS.
 *
 * Mechanisms give small matrices: below a hundred multiplications or so a plain loop is quicker than
 * the preparations of a tuned BLAS. */
#include "linalg/lanes.h"
#include "linalg/linalg.h"

#include <assert.h>
#include <cblas.h>
#include <math.h>
#include <stdatomic.h>

/* Multiplications up to which the loop is used (measured: the two meet near 125). */
enum { LOOP_LIMIT = 125 };
/* The same of A^T B, whose columns lie side by side. */
enum { COLUMNS_LIMIT = 3000 };

/* beta = 0 overwrites, whatever was there. */
static void scale(int m, int n, double beta, double *C, int ldc) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            C[i + (size_t)ldc * j] = beta == 0 ? 0 : beta * C[i + (size_t)ldc * j];
}

/* Strides select rows or columns of op(A), op(B). */
static void multiply(int ta, int tb, int m, int n, int k, double alpha, const double *A, int lda,
                     const double *B, int ldb, double *C, int ldc) {
    size_t ai = ta ? (size_t)lda : 1, al = ta ? 1 : (size_t)lda;
    size_t bl = tb ? (size_t)ldb : 1, bj = tb ? 1 : (size_t)ldb;
    for (int j = 0; j < n; j++) {
        double *c = C + (size_t)ldc * j;
        for (int l = 0; l < k; l++) {
            double b = alpha * B[bl * l + bj * j];
            const double *a = A + al * l;
            for (int i = 0; i < m; i++)
                c[i] += a[ai * i] * b;
        }
    }
}

/* Four sums side by side, two in a register: their additions need not wait for each other. */
static double sum_of_products(int m, const double *x, const double *y) {
    gdyn_lanes ab = l_all(0), cd = ab;
    int i = 0;
    for (; i + 3 < m; i += 4) {
        ab += l_pair(x + i) * l_pair(y + i);
        cd += l_pair(x + i + 2) * l_pair(y + i + 2);
    }
    double a = ab[0];
    for (; i < m; i++)
        a += x[i] * y[i];
    return (a + ab[1]) + (cd[0] + cd[1]);
}

/* A^T B by scalar products of columns. */
static void multiply_columns(int m, int n, int k, double alpha, const double *A, int lda,
                             const double *B, int ldb, double *C, int ldc) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            C[i + (size_t)ldc * j] +=
                alpha * sum_of_products(k, A + (size_t)lda * i, B + (size_t)ldb * j);
}

/* Loops for the smallest products, BLAS beyond. */
void gdyn_gemm(int ta, int tb, int m, int n, int k, double alpha, const double *A, int lda,
               const double *B, int ldb, double beta, double *C, int ldc) {
    assert(n <= 0 || ldc >= m);
    if (m <= 0 || n <= 0)
        return;
    if (k <= 0 || (long)m * n * k <= LOOP_LIMIT) {
        scale(m, n, beta, C, ldc);
        multiply(ta, tb, m, n, k, alpha, A, lda, B, ldb, C, ldc);
        return;
    }
    if (ta && !tb && (long)m * n * k <= COLUMNS_LIMIT) {
        scale(m, n, beta, C, ldc);
        multiply_columns(m, n, k, alpha, A, lda, B, ldb, C, ldc);
        return;
    }
    cblas_dgemm(CblasColMajor, ta ? CblasTrans : CblasNoTrans, tb ? CblasTrans : CblasNoTrans, m, n,
                k, alpha, A, lda, B, ldb, beta, C, ldc);
}

/* The tuned library's own calls; its header is not the same in all distributions. */
void openblas_set_num_threads(int threads);
int openblas_get_num_threads(void);

/* Once per process; setting the number starts threads that were stopped. */
void gdyn_linalg_single_thread(void) {
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&done) && openblas_get_num_threads() != 1)
        openblas_set_num_threads(1);
}

/* Columns, and least share of a column outside those before it, with which A R^-1 from the Cholesky factor
 * R^T R = A^T A is orthonormal to rounding. */
enum { FEW_COLUMNS = 12 };
static const double APART = 0.03;

/* Cholesky factor of A^T A, column by column; false: too near to dependence for that. */
static bool orthonormalize_apart(int m, int n, double *A) {
    double R[FEW_COLUMNS][FEW_COLUMNS];
    for (int j = 0; j < n; j++) {
        const double *x = A + (size_t)m * (size_t)j;
        for (int k = 0; k <= j; k++) {
            double sum = sum_of_products(m, A + (size_t)m * (size_t)k, x), whole = sum;
            for (int l = 0; l < k; l++)
                sum -= R[l][k] * R[l][j];
            if (k == j && !(sum > APART * APART * whole))
                return false;
            R[k][j] = k == j ? sqrt(sum) : sum / R[k][k];
        }
    }
    /* columns times R^-1 */
    for (int j = 0; j < n; j++) {
        double *x = A + (size_t)m * (size_t)j, factor = 1 / R[j][j];
        for (int k = 0; k < j; k++) {
            const double *y = A + (size_t)m * (size_t)k;
            for (int i = 0; i < m; i++)
                x[i] -= R[k][j] * y[i];
        }
        for (int i = 0; i < m; i++)
            x[i] *= factor;
    }
    return true;
}

/* Gram and Schmidt, twice. */
double gdyn_extend_basis(int m, int count, const double *Q, double *x, double *before) {
    *before = sqrt(sum_of_products(m, x, x));
    for (int pass = 0; pass < 2; pass++) /* twice is enough */
        for (int k = 0; k < count; k++) {
            const double *y = Q + (size_t)m * (size_t)k;
            double part = sum_of_products(m, x, y);
            for (int i = 0; i < m; i++)
                x[i] -= part * y[i];
        }
    double length = sqrt(sum_of_products(m, x, x));
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

void gdyn_unit_vectors(double *A, int count, int step, int size, int stride, double *length) {
    /* lengths, and the longest */
    double longest = 0;
    for (int v = 0; v < count; v++) {
        double sum = 0;
        for (int i = 0; i < size; i++)
            sum += A[v * step + i * stride] * A[v * step + i * stride];
        length[v] = sqrt(sum);
        longest = fmax(longest, length[v]);
    }
    /* a vector within rounding of nothing beside it is nothing */
    for (int v = 0; v < count; v++) {
        bool vanishes = !(length[v] > GDYN_RANK_TOLERANCE * longest);
        double scale = vanishes ? 0 : 1 / length[v];
        length[v] = vanishes ? 1 : length[v];
        for (int i = 0; i < size; i++)
            A[v * step + i * stride] *= scale;
    }
}
