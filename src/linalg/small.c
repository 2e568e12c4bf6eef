/* small.c - matrix products, and the one switch of OpenBLAS.
 *
 * Mechanisms give small matrices: below a hundred multiplications or so a plain loop is quicker
 * than the preparations of a tuned BLAS. */
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
        gdyn_add_column_products(m, n, k, alpha, A, lda, B, ldb, C, ldc);
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
