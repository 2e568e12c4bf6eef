/* linalg.h - dense linear algebra with rank decisions that can be questioned.
 *
 * Matrices are column-major with leading dimension = number of rows unless ld says otherwise. Every
 * factorization works in a workspace made once for the largest size; nothing below allocates. */
#pragma once

#include "base/status.h"
#include "linalg/rank.h"

#include <stdbool.h>
#include <stddef.h>

/* True when no element is NaN or infinite. */
bool gdyn_all_finite(int m, int n, const double *A, int lda);

/* --- singular value decomposition: A = U diag(s) V^T ------------------------------------------ */

typedef struct gdyn_svd {
    int max_m, max_n;
    int m, n;   /* of the last factorization */
    double *U;  /* m x m */
    double *s;  /* min(m, n), descending */
    double *Vt; /* n x n */
    gdyn_rank rank;
    double *work_a, *work; /* private */
    int lwork;
    int *iwork;
    struct gdyn_arena *arena; /* of everything here */
} gdyn_svd;

gdyn_svd *gdyn_svd_create(int max_m, int max_n);
void gdyn_svd_destroy(gdyn_svd *svd);
/* Factors the m x n matrix A (left as it is); tolerance <= 0 takes the default. With m = 0 or n = 0
 * rank is 0 and V = I. GDYN_ERROR_NUMERIC when LAPACK fails or A holds a NaN. */
gdyn_status gdyn_svd_factor(gdyn_svd *svd, int m, int n, const double *A, int lda,
                            double tolerance);
/* Singular values and rank alone; U and Vt are then of no use. Ten digits of each of them. */
gdyn_status gdyn_svd_values(gdyn_svd *svd, int m, int n, const double *A, int lda,
                            double tolerance);
/* Minimum-norm least-squares solution X (n x nrhs) of A X = B (m x nrhs, left as it is). */
void gdyn_svd_solve(const gdyn_svd *svd, int nrhs, const double *B, int ldb, double *X, int ldx);
/* Orthonormal basis of null(A): writes N (n x (n - rank)), returns the number of columns. */
int gdyn_svd_null(const gdyn_svd *svd, double *N, int ldn);
/* The part of b (m) outside range(A), into r (m); returns its 2-norm. */
double gdyn_svd_residual(const gdyn_svd *svd, const double *b, double *r);

/* Of small matrices (jacobi.c). The shorter and the longer side up to which it is the quicker way
 * (measured against dgesdd). */
enum { GDYN_JACOBI_SHORT = 8, GDYN_JACOBI_LONG = 16 };
/* A (m x n) = U (m x m) diag(s) Vt (n x n), s descending, full bases; A is finite. False: too
 * large, entries too great or all too small, or not converged; then U, s, Vt are unchanged or
 * undefined. */
bool gdyn_jacobi_svd(int m, int n, const double *A, int lda, double *U, double *s, double *Vt);
/* Singular values s (min(m, n), descending) of A (m x n), which is finite (banded.c). False: the
 * matrix is small, its rows and columns cannot be ordered into a narrow band, or there is no
 * memory; s is undefined then. */
bool gdyn_banded_values(int m, int n, const double *A, int lda, double *s);

/* --- damped least squares: min |r + J x|^2 + mu^2 |x|^2 (damped.c) ---------------------------- */

typedef struct gdyn_damped gdyn_damped;

/* Works with the caller's singular values where they are needed, and in their sizes. */
gdyn_damped *gdyn_damped_create(gdyn_svd *svd);
/* As just made. */
void gdyn_damped_renew(gdyn_damped *w);
void gdyn_damped_destroy(gdyn_damped *w);
/* J (m x n, ld m) and r (m); singular values under `cut` times the largest never take part. As
 * gdyn_svd_factor. */
gdyn_status gdyn_damped_factor(gdyn_damped *w, int m, int n, const double *J, const double *r,
                               double cut);
/* A bound of the singular values, at most twice the largest one. */
double gdyn_damped_bound(const gdyn_damped *w);
/* |x(mu)|, which falls with mu. */
double gdyn_damped_length(gdyn_damped *w, double mu);
/* x(mu) (n), without any part in the null space; returns by how much |r + J x|^2 / 2 is less than
 * |r|^2 / 2. */
double gdyn_damped_step(gdyn_damped *w, double mu, double *x);

/* --- QR with column pivoting: A P = Q R ------------------------------------------------------- */

typedef struct gdyn_qr {
    int max_m, max_n;
    int m, n;
    double *QR;  /* m x n, Householder vectors below R */
    double *tau; /* min(m, n) */
    int *pivot;  /* n, 0-based: column j of A P is column pivot[j] of A */
    gdyn_rank rank;
    double *work;
    int lwork;
    struct gdyn_arena *arena; /* of everything here */
} gdyn_qr;

gdyn_qr *gdyn_qr_create(int max_m, int max_n);
void gdyn_qr_destroy(gdyn_qr *qr);
gdyn_status gdyn_qr_factor(gdyn_qr *qr, int m, int n, const double *A, int lda, double tolerance);
/* Orthonormal basis of null(A^T), the last m - rank columns of Q: N is m x (m - rank). */
int gdyn_qr_null_transposed(gdyn_qr *qr, double *N, int ldn);
/* Applies Q^T to B (m x nrhs) in place. */
void gdyn_qr_apply_qt(gdyn_qr *qr, int nrhs, double *B, int ldb);
/* Applies Q to B (m x nrhs) in place. */
void gdyn_qr_apply_q(gdyn_qr *qr, int nrhs, double *B, int ldb);
/* Minimum-norm solution X (m x nrhs) of the first rank independent equations of A^T X = B (n x
 * nrhs): the equations pivot[0 .. rank-1]. Exact for all of them when the system is consistent. */
void gdyn_qr_solve_transposed(gdyn_qr *qr, int nrhs, const double *B, int ldb, double *X, int ldx);

/* The same of A^T x = b whose equations were weighted before they were factored (A diag(weight)):
 * refined by residuals whose rounding is relative to each equation. left (n), more (m): room. */
void gdyn_qr_solve_refined(gdyn_qr *qr, const double *A, int lda, const double *weight,
                           const double *b, double *x, double *left, double *more);
/* Turns orthonormal columns N (n x f) among themselves, G = (N Q)^T (f x n), so that as many of
 * them as possible have only rows of small weight: by QR of the weighted rows. Parts of a column in
 * `group` rows in turn (weight: n / group) that are no longer than `zero` become zero. room (f x
 * n); destroys the factorization. */
gdyn_status gdyn_qr_grade(gdyn_qr *qr, int n, int f, int group, const double *weight, double zero,
                          const double *N, double *G, double *room);
/* Basic least-squares solution x (n) of A x = b (m, destroyed): zero but for the first rank columns
 * of A P. */
void gdyn_qr_basic(gdyn_qr *qr, double *b, double *x);

/* For X from gdyn_qr_solve_transposed, the multipliers lambda (n) with X = A lambda: zero for the
 * equations that were left out. */
void gdyn_qr_multipliers(gdyn_qr *qr, const double *b, double *lambda);

/* --- few independent rows: least norm and null space by a small QR (wide.c) ------------------- */

/* Four maps of one size are factored at once; for fewer some are the same, and so may be what is
 * written. */
enum { GDYN_WIDE_AT_ONCE = 4 };
typedef struct gdyn_wide gdyn_wide;

gdyn_wide *gdyn_wide_create(int max_rows, int max_columns);
void gdyn_wide_destroy(gdyn_wide *wide);
/* What works in the lanes: one table per translation (lanes.h). */
typedef struct gdyn_wide_kernel {
    /* Factors all H (f x k, f <= k); false where a pivot is below `least`, by itself or relative to
     * the first one: the rank is a question then. The first map chooses the pivots. */
    bool (*factor)(gdyn_wide *wide, int f, int k, const double *const H[GDYN_WIDE_AT_ONCE],
                   double least);
    /* X (k x count) of least norm with H X = B (f x count). */
    void (*solve)(gdyn_wide *wide, int count, const double *const B[GDYN_WIDE_AT_ONCE],
                  double *const X[GDYN_WIDE_AT_ONCE]);
    /* Norms of the rows of H^+ (k). */
    void (*gain)(gdyn_wide *wide, double *const gain[GDYN_WIDE_AT_ONCE]);
    /* Orthonormal bases V of null(H), k x (k - f). */
    void (*null)(const gdyn_wide *wide, double *const V[GDYN_WIDE_AT_ONCE]);
} gdyn_wide_kernel;
/* For any processor, and the table for this one. */
extern const gdyn_wide_kernel gdyn_wide_kernel_plain;
const gdyn_wide_kernel *gdyn_wide_kernel_here(void);

/* --- LU with complete pivoting: P A Q = L U --------------------------------------------------- */

/* Factors in place (own code; sizes of mechanisms); row (m), column (n). Row i of L U is row row[i]
 * of A, column j is column[j]; elimination stops at the rank. Returns the rank decision on the
 * pivots; rank 0 with gap 0 when A holds a NaN. */
gdyn_rank gdyn_lu_complete(int m, int n, double *A, int lda, int *row, int *column,
                           double tolerance);

/* A sparse basis of null(A) by the same factorization, default tolerance: every vector has a one at
 * a free column of its own, zeros at the other free columns, and what those make of the dependent
 * ones; null spaces of independent blocks do not mix. N is n x (n - rank), the number of columns is
 * returned. A is destroyed; row (m), column (n). */
int gdyn_lu_null(int m, int n, double *A, int lda, int *row, int *column, double *N);

/* The null vector x (n) of such a factorization of that rank (of a destroyed A, m = lda) that has a
 * one at its free column number free (rank .. n-1), zeros at the other free ones. */
void gdyn_lu_null_vector(int n, const double *A, int lda, int rank, int free, const int *column,
                         double *x);
/* Basic solution x (n) of A x = b (m), which has one: zero but at the pivots' columns. work:
 * rank. */
void gdyn_lu_basic(int n, const double *A, int lda, int rank, const int *row, const int *column,
                   const double *b, double *work, double *x);

/* Sign of det A, by partial pivoting (large ones: LAPACK dgetrf); destroys A; pivot (n). 0 when A
 * is singular to rounding or not finite. */
int gdyn_det_sign(int n, double *A, int lda, int *pivot);
/* Frobenius norm of A^-1 from the factors that gdyn_det_sign left of a regular A (n x n); n up to
 * 8, else INFINITY. */
double gdyn_lu_inverse_norm(int n, const double *LU, int lda);

/* --- elimination by Gauss and Jordan (echelon.c) ---------------------------------------------- */

/* Gauss and Jordan with row pivoting on the first n columns of M (n x width, row-major!): the other
 * columns become M^-1 times what they were. False: a pivot is not greater than `least`. */
bool gdyn_gauss_jordan(double *M, int n, int width, double least);
/* Reduced row echelon form of M (rows x width, row-major!) with complete pivoting: every row gets a
 * one where all other rows are zero. The rows are independent: no pivot is small enough to be left
 * out but an exact zero, so that what rounding leaves of a dependent row would count as a row. */
void gdyn_reduced_echelon(double *M, int rows, int width);

/* --- square systems --------------------------------------------------------------------------- */

/* A = L L^T in place (lower triangle, ld n); GDYN_ERROR_NUMERIC when A is not positive definite.
 * _solve: A X = B; _half: L^-1 B, or with `transposed` L^-T B, in place; B is n x nrhs. */
gdyn_status gdyn_cholesky_factor(int n, double *A);
void gdyn_cholesky_solve(int n, const double *L, int nrhs, double *B);
void gdyn_cholesky_half(int n, const double *L, bool transposed, int nrhs, double *B);
/* The lower half of A^-1 in place of L; the upper half is not touched. */
void gdyn_cholesky_invert(int n, double *L);
/* The same for a band with `band` diagonals below the main one: element (i, j), i >= j, of A stands
 * at A[j (band + 1) + i - j]. False when A is not positive definite; _solve: A x = b, b (n) becomes
 * x. */
bool gdyn_cholesky_band_factor(int n, int band, double *A);
void gdyn_cholesky_band_solve(int n, int band, const double *L, double *x);
/* P A = L U in place by partial pivoting (ld n), pivot (n); GDYN_ERROR_NUMERIC when A is singular
 * or not finite. _solve: A X = B, B (n x nrhs) becomes X. */
gdyn_status gdyn_dense_factor(int n, double *A, int *pivot);
void gdyn_dense_solve(int n, const double *LU, const int *pivot, int nrhs, double *B);

/* --- small helpers ---------------------------------------------------------------------------- */

/* Solves A X = B for a band matrix with kl diagonals below and ku above the main one. AB: 2 kl + ku
 * + 1 rows, column-major, element (i, j) of A in row kl + ku + i - j of column j (its first kl rows
 * are work space); pivot: n. AB is destroyed, B (n x nrhs) becomes X. GDYN_ERROR_NUMERIC:
 * singular. */
gdyn_status gdyn_band_solve(int n, int kl, int ku, double *AB, int *pivot, int nrhs, double *B,
                            int ldb);

/* Takes out of x (m) its parts along the orthonormal columns of Q (m x count), by Gram-Schmidt
 * twice, and brings the rest to unit length (zero stays zero). Returns the rest's length; *before
 * is that of x. */
double gdyn_extend_basis(int m, int count, const double *Q, double *x, double *before);
/* Brings `count` vectors of `size` elements to unit length; those that vanish beside the longest
 * are noise and become zero. Element i of vector v stands at A[v * step + i * stride]. length
 * (count): what they were, 1 of noise. */
void gdyn_unit_vectors(double *A, int count, int step, int size, int stride, double *length);
/* Makes the columns of A (m x n, leading dimension m) orthonormal in order, by the Cholesky factor
 * of A^T A where they are well apart, else by Gram and Schmidt twice. False when one depends on
 * those before it to rounding. */
bool gdyn_orthonormalize(int m, int n, double *A);

/* C (rows x columns) += alpha A^T B, columns of length m. */
void gdyn_add_column_products(int rows, int columns, int m, double alpha, const double *A, int lda,
                              const double *B, int ldb, double *C, int ldc);
/* C = alpha op(A) op(B) + beta C with op = transpose where ta, tb are set; sizes after op. */
void gdyn_gemm(int ta, int tb, int m, int n, int k, double alpha, const double *A, int lda,
               const double *B, int ldb, double beta, double *C, int ldc);
/* Eigenvalues of the small symmetric A (n x n, both halves given; destroyed), ascending, into w
 * (n), to rounding of the largest; false: not found. */
enum { GDYN_SYMMETRIC_MOST = 8 };
bool gdyn_symmetric_values(int n, double *A, double *w);
/* Symmetric-definite generalized eigenvalues of K x = w M x, ascending, into w (n); both are
 * destroyed. GDYN_ERROR_NUMERIC when M is not positive definite. No vectors. work: at least
 * gdyn_eigen_work(n) doubles. */
gdyn_status gdyn_eigen_generalized(int n, double *K, double *M, double *w, double *work);
int gdyn_eigen_work(int n);

/* Sets OpenBLAS to one thread (the library's own threads do the sharing). Called
 * by every workspace's create; harmless when repeated. */
void gdyn_linalg_single_thread(void);
