/* qr.c - A P = Q R with column pivoting (own loops for small matrices, LAPACK dgeqp3 and dormqr).
 *
 * The diagonal of R falls in absolute value and reveals the rank q. The last m - q columns of Q
 * span the null space of A^T. With P^T A^T = R^T Q^T the minimum-norm solution of A^T x = b on its
 * independent equations is x = Q_1 y with R_11^T y = (P^T b)_1: a third of the cost of the SVD, for
 * systems that are known to be consistent. Golub and Van Loan, section 5.4. */
#include "linalg/linalg.h"
#include "linalg/lanes.h"
#include "base/memory.h"

#include <assert.h>
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Columns and rows up to which own loops factor: LAPACK's calls cost more than what they
 * compute. */
enum { OWN_MOST = 64 };
/* Squares of lengths in this range neither overflow nor vanish. */
static const double SQUARE_LEAST = 1e-200, SQUARE_MOST = 1e200;
/* Block reflectors of dormqr: room LAPACK wants besides the block itself. */
enum { BLOCK = 64, BLOCK_EXTRA = 65 * 64 };
/* Right-hand sides up to which own loops are used. */
enum { FEW = 6 };

static int least(int a, int b) {
    return a < b ? a : b;
}

static int most(int a, int b) {
    return a > b ? a : b;
}

/* Room for max_m x max_n and the blocks of LAPACK. */
gdyn_qr *gdyn_qr_create(int max_m, int max_n) {
    gdyn_arena *arena;
    gdyn_qr *qr = gdyn_arena_begin(&arena, sizeof *qr);
    gdyn_linalg_single_thread();
    if (!qr)
        return NULL;
    *qr = (gdyn_qr){.max_m = max_m, .max_n = max_n, .arena = arena};
    qr->lwork = 2 * max_n + (most(max_m, max_n) + 1) * BLOCK + BLOCK_EXTRA;
    qr->QR = gdyn_arena_room(arena, (size_t)max_m * (size_t)max_n, sizeof(double));
    qr->tau = gdyn_arena_doubles(arena, (size_t)least(max_m, max_n));
    qr->pivot = gdyn_arena_alloc(arena, (size_t)max_n, sizeof(int));
    qr->work = gdyn_arena_room(arena, (size_t)qr->lwork, sizeof(double));
    if (!gdyn_arena_failed(arena))
        return qr;
    gdyn_arena_destroy(arena);
    return NULL;
}

void gdyn_qr_destroy(gdyn_qr *qr) {
    if (qr)
        gdyn_arena_destroy(qr->arena);
}

/* --- the factorization of small matrices ------------------------------------------------------ */

/* Column k becomes R's diagonal and v below it; returns tau. */
static double reflector(int n, double *x) {
    double rest = l_product(n - 1, x + 1, x + 1), a = x[0];
    if (rest == 0)
        return 0;
    double length = copysign(sqrt(a * a + rest), a), scale = 1 / (a + length);
    for (int i = 1; i < n; i++)
        x[i] *= scale;
    x[0] = -length;
    return (a + length) / length;
}

/* The column with the longest rest comes to place k. */
static void bring_longest(gdyn_qr *qr, int k, double *length, double *reliable) {
    int longest = k, m = qr->m;
    for (int j = k + 1; j < qr->n; j++)
        longest = length[j] > length[longest] ? j : longest;
    if (longest == k)
        return;
    double *a = qr->QR + (size_t)m * k, *b = qr->QR + (size_t)m * longest;
    for (int i = 0; i < m; i++) {
        double t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
    int pivot = qr->pivot[k];
    qr->pivot[k] = qr->pivot[longest], qr->pivot[longest] = pivot;
    length[longest] = length[k];
    reliable[longest] = reliable[k];
}

/* Householder's method with column pivoting; false: squares are out of range. */
static bool factor_small(gdyn_qr *qr) {
    int m = qr->m, n = qr->n;
    double *length = qr->work, *reliable = qr->work + n, longest = 0;
    for (int j = 0; j < n; j++) {
        qr->pivot[j] = j;
        length[j] = reliable[j] = l_product(m, qr->QR + (size_t)m * j, qr->QR + (size_t)m * j);
        longest = length[j] > longest ? length[j] : longest;
    }
    if (!(longest > SQUARE_LEAST && longest < SQUARE_MOST))
        return false;
    for (int k = 0; k < least(m, n); k++) {
        bring_longest(qr, k, length, reliable);
        double *v = qr->QR + k + (size_t)m * k, tau = qr->tau[k] = reflector(m - k, v);
        for (int j = k + 1; j < n; j++) {
            double *x = qr->QR + k + (size_t)m * j;
            double dot = tau * (x[0] + l_product(m - k - 1, v + 1, x + 1));
            x[0] -= dot;
            for (int i = 1; i < m - k; i++)
                x[i] -= dot * v[i];
            /* squared lengths of the rests go down by what row k takes; made again where most of
             * them is gone (as in LAPACK's dlaqp2, after Drmac and Bujanovic 2008). */
            const double *a = qr->QR + (size_t)qr->m * j;
            length[j] -= a[k] * a[k];
            if (!(length[j] > 1e-7 * reliable[j]))
                length[j] = reliable[j] = l_product(qr->m - k - 1, a + k + 1, a + k + 1);
        }
    }
    return true;
}

/* Own loops or LAPACK's dgeqp3; a matrix that is not finite has rank zero. */
gdyn_status gdyn_qr_factor(gdyn_qr *qr, int m, int n, const double *A, int lda, double tolerance) {
    if (m < 0 || n < 0 || m > qr->max_m || n > qr->max_n)
        return GDYN_ERROR_ARGUMENT;
    qr->m = m, qr->n = n;
    qr->rank = gdyn_rank_decide(0, NULL, tolerance);
    bool fine = m > 0 && n > 0 && gdyn_all_finite(m, n, A, lda);
    for (int j = 0; fine && j < n; j++)
        memcpy(qr->QR + (size_t)m * j, A + (size_t)lda * j, (size_t)m * sizeof *A);
    bool small = m <= OWN_MOST && n <= OWN_MOST;
    if (fine && !(small && factor_small(qr))) {
        memset(qr->pivot, 0, (size_t)n * sizeof *qr->pivot); /* free to move, in LAPACK's terms */
        fine = LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, n, qr->QR, m, qr->pivot, qr->tau, qr->work,
                                   qr->lwork) == 0;
        for (int j = 0; j < n; j++)
            qr->pivot[j]--;
    }
    /* an identity stands for a failed factorization */
    if (!fine) {
        memset(qr->tau, 0, (size_t)least(m, n) * sizeof *qr->tau);
        for (int j = 0; j < n; j++)
            qr->pivot[j] = j;
        return m == 0 || n == 0 ? GDYN_OK : GDYN_ERROR_NUMERIC;
    }
    /* the diagonal of R falls: its rank decision */
    int k = least(qr->m, qr->n);
    double *diagonal = qr->work;
    for (int i = 0; i < k; i++)
        diagonal[i] = fabs(qr->QR[i + (size_t)qr->m * i]);
    qr->rank = gdyn_rank_decide(k, diagonal, tolerance);
    return GDYN_OK;
}

/* b := Q b = H_1 ... H_k b, or Q^T b = H_k ... H_1 b, with H = 1 - tau v v^T, v = (1, below R). */
static void apply_one(const gdyn_qr *qr, char trans, int reflectors, double *b) {
    for (int i = 0; i < reflectors; i++) {
        int k = trans == 'N' ? reflectors - 1 - i : i, below = qr->m - k - 1;
        const double *v = qr->QR + k + 1 + (size_t)qr->m * k;
        double *rest = b + k + 1;
        double dot = b[k];
        /* v^T b, with the implicit one of v */
        for (int j = 0; j < below; j++)
            dot += v[j] * rest[j];
        dot *= qr->tau[k];
        /* b -= tau v (v^T b) */
        b[k] -= dot;
        for (int j = 0; j < below; j++)
            rest[j] -= dot * v[j];
    }
}

/* B := Q B or Q^T B with the first `reflectors` Householder vectors. Few columns are not worth
 * LAPACK's block reflectors; many go in blocks that fit the work array. */
static void apply(gdyn_qr *qr, char trans, int reflectors, int nrhs, double *B, int ldb) {
    int m = qr->m, block = most(most(qr->max_m, qr->max_n), 1);
    if (reflectors == 0)
        return;
    for (int c = 0; nrhs <= FEW && c < nrhs; c++)
        apply_one(qr, trans, reflectors, B + (size_t)ldb * c);
    for (int c = 0; nrhs > FEW && c < nrhs; c += block)
        LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', trans, m, least(block, nrhs - c), reflectors,
                            qr->QR, m, qr->tau, B + (size_t)ldb * c, ldb, qr->work, qr->lwork);
}

/* The last columns of Q. */
int gdyn_qr_null_transposed(gdyn_qr *qr, double *N, int ldn) {
    assert(ldn >= qr->m);
    int m = qr->m, q = qr->rank.rank;
    /* unit vectors behind the rank */
    for (int j = 0; j < m - q; j++) {
        memset(N + (size_t)ldn * j, 0, (size_t)m * sizeof *N);
        N[q + j + (size_t)ldn * j] = 1;
    }
    apply(qr, 'N', least(m, qr->n), m - q, N, ldn);
    return m - q;
}

void gdyn_qr_apply_qt(gdyn_qr *qr, int nrhs, double *B, int ldb) {
    assert(nrhs == 0 || ldb >= qr->m);
    apply(qr, 'T', least(qr->m, qr->n), nrhs, B, ldb);
}

void gdyn_qr_apply_q(gdyn_qr *qr, int nrhs, double *B, int ldb) {
    assert(nrhs == 0 || ldb >= qr->m);
    apply(qr, 'N', least(qr->m, qr->n), nrhs, B, ldb);
}

/* R_11^T y = (P^T b)_1, then x = Q y. */
void gdyn_qr_solve_transposed(gdyn_qr *qr, int nrhs, const double *B, int ldb, double *X, int ldx) {
    int m = qr->m, q = qr->rank.rank;
    for (int c = 0; c < nrhs; c++) {
        double *x = X + (size_t)ldx * c;
        memset(x, 0, (size_t)m * sizeof *x);
        for (int i = 0; i < q; i++)
            x[i] = B[qr->pivot[i] + (size_t)ldb * c];
    }
    if (q == 0 || nrhs == 0)
        return;
    /* the triangle, then the reflectors */
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, q, nrhs, 1.0,
                qr->QR, m, X, ldx);
    apply(qr, 'N', q, nrhs, X, ldx);
}

void gdyn_qr_solve_refined(gdyn_qr *qr, const double *A, int lda, const double *weight,
                           const double *b, double *x, double *left, double *more) {
    enum { REFINEMENTS = 4 };
    memset(x, 0, (size_t)qr->m * sizeof *x);
    for (int k = 0; k < REFINEMENTS; k++) {
        /* what the equations lack, each in its own size */
        for (int j = 0; j < qr->n; j++) {
            double sum = b[j];
            for (int i = 0; i < qr->m; i++)
                sum -= A[i + (size_t)lda * (size_t)j] * x[i];
            left[j] = sum * weight[j];
        }
        gdyn_qr_solve_transposed(qr, 1, left, qr->n, more, qr->m);
        for (int i = 0; i < qr->m; i++)
            x[i] += more[i];
    }
}

gdyn_status gdyn_qr_grade(gdyn_qr *qr, int n, int f, int group, const double *weight, double zero,
                          const double *N, double *G, double *room) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < f; j++) {
            G[j + (size_t)f * (size_t)i] = N[i + (size_t)n * (size_t)j];
            room[j + (size_t)f * (size_t)i] = weight[i / group] * N[i + (size_t)n * (size_t)j];
        }
    gdyn_status status = gdyn_qr_factor(qr, f, n, room, f, 0);
    if (status)
        return status;
    gdyn_qr_apply_qt(qr, n, G, f);
    for (int first = 0; first < n; first += group)
        for (int j = 0; j < f; j++) {
            double *part = G + j + (size_t)f * (size_t)first, square = 0;
            for (int i = 0; i < group; i++)
                square += part[f * i] * part[f * i];
            for (int i = 0; square <= zero * zero && i < group; i++)
                part[f * i] = 0;
        }
    return GDYN_OK;
}

/* R_11 y = (Q^T b)_1; the other columns get zero. */
void gdyn_qr_basic(gdyn_qr *qr, double *b, double *x) {
    int q = qr->rank.rank;
    apply(qr, 'T', q, 1, b, qr->m);
    if (q > 0)
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, q, qr->QR, qr->m, b, 1);
    for (int j = 0; j < qr->n; j++)
        x[qr->pivot[j]] = j < q ? b[j] : 0;
}

/* (A^T A)^-1 of the independent columns, by both triangles. */
void gdyn_qr_multipliers(gdyn_qr *qr, const double *b, double *lambda) {
    int q = qr->rank.rank;
    double *y = qr->work;
    for (int i = 0; i < q; i++)
        y[i] = b[qr->pivot[i]];
    if (q > 0) { /* y := R_11^-1 R_11^-T (P^T b)_1 */
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, q, qr->QR, qr->m, y, 1);
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, q, qr->QR, qr->m, y, 1);
    }
    for (int i = 0; i < qr->n; i++)
        lambda[qr->pivot[i]] = i < q ? y[i] : 0;
}
