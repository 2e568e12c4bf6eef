/* svd.c - A = U diag(s) V^T, and what follows from it: minimum-norm least squares, null space, the
 * part of a right-hand side that A cannot reach.
 *
 * With A (m x n) of rank q, u_i and v_i the columns of U and V:
 *   minimum-norm solution  x = sum_(i<q) v_i (u_i . b) / s_i
 *   null space             span(v_q ... v_(n-1))
 *   residual               r = b - sum_(i<q) u_i (u_i . b)
 * Small matrices go to Jacobi's method (jacobi.c). Divide and conquer (LAPACK dgesdd) for the
 * others; the rare matrices on which it does not converge go to the QR iteration (dgesvd). Golub
 * and Van Loan, Matrix Computations, sections 2.4, 5.5, 8.6. */
#include "linalg/dot.h"
#include "linalg/linalg.h"
#include "base/memory.h"

#include <assert.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

static int least(int a, int b) {
    return a < b ? a : b;
}

static int most(int a, int b) {
    return a > b ? a : b;
}

/* Room for the largest matrix, and for LAPACK's work. */
gdyn_svd *gdyn_svd_create(int max_m, int max_n) {
    gdyn_arena *arena;
    gdyn_svd *svd = gdyn_arena_begin(&arena, sizeof *svd);
    size_t m = (size_t)max_m, n = (size_t)max_n, few = (size_t)least(max_m, max_n);
    gdyn_linalg_single_thread();
    if (!svd)
        return NULL;
    *svd = (gdyn_svd){.max_m = max_m, .max_n = max_n, .arena = arena};
    /* enough for both LAPACK routines at every size up to the largest (documented minima are
     * monotone; the queried optimum only makes it faster) */
    int lo = least(max_m, max_n), hi = most(max_m, max_n);
    double optimum = 0;
    svd->lwork = most(4 * lo * lo + 7 * lo + hi, 5 * lo + hi + 1);
    if (lo > 0 && LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'A', max_m, max_n, NULL, max_m, NULL, NULL,
                                      max_m, NULL, max_n, &optimum, -1, NULL) == 0)
        svd->lwork = most(svd->lwork, (int)optimum);
    svd->U = gdyn_arena_room(arena, m * m, sizeof(double));
    svd->s = gdyn_arena_doubles(arena, few);
    svd->Vt = gdyn_arena_room(arena, n * n, sizeof(double));
    svd->work_a = gdyn_arena_room(arena, m * n, sizeof(double));
    svd->work = gdyn_arena_room(arena, (size_t)svd->lwork, sizeof(double));
    svd->iwork = gdyn_arena_room(arena, 8 * few, sizeof(int));
    if (!gdyn_arena_failed(arena))
        return svd;
    gdyn_arena_destroy(arena);
    return NULL;
}

void gdyn_svd_destroy(gdyn_svd *svd) {
    if (svd)
        gdyn_arena_destroy(svd->arena);
}

/* U and V where nothing is decomposed. */
static void set_identity(int n, double *A) {
    memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
    for (int i = 0; i < n; i++)
        A[i + (size_t)n * i] = 1;
}

/* LAPACK destroys its argument. */
static void load(gdyn_svd *svd, const double *A, int lda) {
    for (int j = 0; j < svd->n; j++)
        memcpy(svd->work_a + (size_t)svd->m * j, A + (size_t)lda * j,
               (size_t)svd->m * sizeof(double));
}

/* All of U and V; identities where there is nothing to decompose. */
gdyn_status gdyn_svd_factor(gdyn_svd *svd, int m, int n, const double *A, int lda,
                            double tolerance) {
    if (m < 0 || n < 0 || m > svd->max_m || n > svd->max_n)
        return GDYN_ERROR_ARGUMENT;
    svd->m = m, svd->n = n;
    svd->rank = gdyn_rank_decide(0, NULL, tolerance);
    set_identity(m, svd->U), set_identity(n, svd->Vt);
    if (m == 0 || n == 0)
        return GDYN_OK;
    /* Jacobi for small matrices, divide and conquer for great ones, QR iteration where that
     * fails */
    bool fine = gdyn_all_finite(m, n, A, lda);
    if (fine && !gdyn_jacobi_svd(m, n, A, lda, svd->U, svd->s, svd->Vt)) {
        load(svd, A, lda);
        fine = LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'A', m, n, svd->work_a, m, svd->s, svd->U, m,
                                   svd->Vt, n, svd->work, svd->lwork, svd->iwork) == 0;
        if (!fine) {
            load(svd, A, lda);
            fine = LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', m, n, svd->work_a, m, svd->s,
                                       svd->U, m, svd->Vt, n, svd->work, svd->lwork) == 0;
        }
    }
    if (!fine) {
        memset(svd->s, 0, (size_t)least(m, n) * sizeof(double));
        set_identity(m, svd->U), set_identity(n, svd->Vt);
        return GDYN_ERROR_NUMERIC;
    }
    svd->rank = gdyn_rank_decide(least(m, n), svd->s, tolerance);
    return GDYN_OK;
}

/* Smallest ratio of eigenvalues of the Gram matrix that leaves ten digits of every singular
 * value. */
static const double CLEAR_SQUARES = 1e-6;

/* Of a small matrix with values of similar size: roots of the eigenvalues of A A^T or A^T A. */
static bool values_by_squares(gdyn_svd *svd, const double *A, int lda) {
    int m = svd->m, n = svd->n, few = least(m, n);
    double G[GDYN_SYMMETRIC_MOST * GDYN_SYMMETRIC_MOST], w[GDYN_SYMMETRIC_MOST];
    /* along the longer side: columns of a tall matrix, rows of a wide one */
    size_t one = m < n ? 1 : (size_t)lda, next = m < n ? (size_t)lda : 1;
    if (most(m, n) > 2 * GDYN_SYMMETRIC_MOST || few > GDYN_SYMMETRIC_MOST)
        return false;
    for (int j = 0; j < few; j++)
        for (int i = j; i < few; i++) {
            double sum = 0;
            for (int l = 0; l < most(m, n); l++)
                sum += A[one * i + next * l] * A[one * j + next * l];
            G[i + few * j] = G[j + few * i] = sum;
        }
    if (!gdyn_symmetric_values(few, G, w) || !isnormal(w[few - 1]) ||
        !(w[0] > CLEAR_SQUARES * w[few - 1]))
        return false;
    for (int i = 0; i < few; i++)
        svd->s[i] = sqrt(w[few - 1 - i]);
    return true;
}

/* Singular values and rank; U and Vt are left without meaning. */
gdyn_status gdyn_svd_values(gdyn_svd *svd, int m, int n, const double *A, int lda,
                            double tolerance) {
    int few = least(m, n);
    if (m < 0 || n < 0 || m > svd->max_m || n > svd->max_n)
        return GDYN_ERROR_ARGUMENT;
    svd->m = m, svd->n = n;
    svd->rank = gdyn_rank_decide(0, NULL, tolerance);
    if (few == 0)
        return GDYN_OK;
    if (!gdyn_all_finite(m, n, A, lda))
        return GDYN_ERROR_NUMERIC;
    if (!values_by_squares(svd, A, lda) && !gdyn_banded_values(m, n, A, lda, svd->s)) {
        if (most(m, n) <= GDYN_JACOBI_LONG && few <= GDYN_JACOBI_SHORT)
            return gdyn_svd_factor(svd, m, n, A, lda, tolerance);
        load(svd, A, lda);
        if (LAPACKE_dgesdd_work(LAPACK_COL_MAJOR, 'N', m, n, svd->work_a, m, svd->s, svd->U, m,
                                svd->Vt, n, svd->work, svd->lwork, svd->iwork) != 0)
            return gdyn_svd_factor(svd, m, n, A, lda, tolerance);
    }
    svd->rank = gdyn_rank_decide(few, svd->s, tolerance);
    return GDYN_OK;
}

void gdyn_svd_solve(const gdyn_svd *svd, int nrhs, const double *B, int ldb, double *X, int ldx) {
    assert(nrhs == 0 || (ldb >= svd->m && ldx >= svd->n));
    int m = svd->m, n = svd->n;
    for (int c = 0; c < nrhs; c++) {
        const double *b = B + (size_t)ldb * c;
        double *x = X + (size_t)ldx * c;
        memset(x, 0, (size_t)n * sizeof *x);
        /* x = sum of v_i (u_i b) / s_i over the singular values kept */
        for (int i = 0; i < svd->rank.rank; i++) {
            double dot = gdyn_dot(m, svd->U + (size_t)m * i, b) / svd->s[i];
            for (int j = 0; j < n; j++)
                x[j] += dot * svd->Vt[i + (size_t)n * j];
        }
    }
}

/* The last rows of V^T. */
int gdyn_svd_null(const gdyn_svd *svd, double *N, int ldn) {
    assert(ldn >= svd->n);
    int n = svd->n, q = svd->rank.rank;
    for (int c = q; c < n; c++)
        for (int j = 0; j < n; j++)
            N[j + (size_t)ldn * (c - q)] = svd->Vt[c + (size_t)n * j];
    return n - q;
}

double gdyn_svd_residual(const gdyn_svd *svd, const double *b, double *r) {
    int m = svd->m;
    double norm = 0;
    /* Summing the unreachable directions keeps a small residual exact; no cancellation. */
    memset(r, 0, (size_t)m * sizeof *r);
    for (int i = svd->rank.rank; i < m; i++) {
        const double *u = svd->U + (size_t)m * i;
        double dot = gdyn_dot(m, u, b);
        for (int k = 0; k < m; k++)
            r[k] += dot * u[k];
        norm = hypot(norm, dot);
    }
    return norm;
}
