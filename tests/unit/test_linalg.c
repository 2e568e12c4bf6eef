/* Linear algebra against closed forms, reconstruction and a second factorization.
 *
 * Bounds: LAPACK's factorizations are backward stable, ||A - product|| <= c(m, n) eps ||A|| with c a modest polynomial;
 * 50 max(m, n) eps ||A||_F is used, and solutions are checked through their residuals, so that no condition number
 * enters. test_elimination.c: bands, Gauss and Jordan. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#define GDYN_LANES 4
#include "linalg/lanes.h"
#include "linalg/linalg.h"

#include <float.h>
#include <lapacke.h>
#undef I /* of complex.h */
#include <math.h>
#include <string.h>

enum { MAX = 90, GROWN = 240 };

static double A[MAX * MAX], B[MAX * MAX], C[MAX * MAX], D[MAX * MAX];

static void fill(double *X, int count, gdyn_random *random) {
    for (int i = 0; i < count; i++)
        X[i] = gdyn_random_normal(random);
}

static double frobenius(int count, const double *X) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum = hypot(sum, X[i]);
    return sum;
}

static double bound(int m, int n, const double *X) {
    return 50 * (m > n ? m : n) * DBL_EPSILON * (frobenius(m * n, X) + DBL_MIN);
}

/* m x n of the given rank: a product of random factors. */
static void fill_rank(double *X, int m, int n, int rank, gdyn_random *random) {
    static double left[MAX * MAX], right[MAX * MAX];
    fill(left, m * rank, random);
    fill(right, rank * n, random);
    gdyn_gemm(0, 0, m, n, rank, 1, left, m > 0 ? m : 1, right, rank > 0 ? rank : 1, 0, X,
              m > 0 ? m : 1);
}

static void assert_orthonormal(int m, int n, const double *Q) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double dot = 0;
            for (int k = 0; k < m; k++)
                dot += Q[k + (size_t)m * i] * Q[k + (size_t)m * j];
            assert_true(fabs(dot - (i == j)) <= 50 * (m + 1) * DBL_EPSILON);
        }
}

static void svd_closed_form(void **state) {
    (void)state;
    /* [3 0; 4 5]: singular values sqrt(45), sqrt(5). */
    const double M[] = {3, 4, 0, 5};
    gdyn_svd *svd = gdyn_svd_create(2, 2);
    assert_int_equal(gdyn_svd_factor(svd, 2, 2, M, 2, 0), GDYN_OK);
    assert_true(fabs(svd->s[0] - sqrt(45)) < 1e-14);
    assert_true(fabs(svd->s[1] - sqrt(5)) < 1e-14);
    assert_int_equal(svd->rank.rank, 2);
    assert_true(isinf(svd->rank.gap));
    gdyn_svd_destroy(svd);
}

static void svd_reconstructs(void **state) {
    (void)state;
    static const int sizes[][2] = {{1, 1}, {5, 3}, {3, 5}, {27, 24}, {60, 4}, {4, 60}, {81, 78}};
    gdyn_svd *svd = gdyn_svd_create(MAX, MAX);
    for (size_t t = 0; t < sizeof sizes / sizeof *sizes; t++) {
        int m = sizes[t][0], n = sizes[t][1], k = m < n ? m : n;
        gdyn_random random = gdyn_random_stream(1, t, 0);
        fill(A, m * n, &random);
        assert_int_equal(gdyn_svd_factor(svd, m, n, A, m, 0), GDYN_OK);
        assert_int_equal(svd->rank.rank, k);
        assert_orthonormal(m, m, svd->U);
        for (int i = 0; i < k; i++)
            for (int j = 0; j < n; j++)
                B[i + (size_t)k * j] = svd->s[i] * svd->Vt[i + (size_t)n * j];
        memcpy(C, A, (size_t)(m * n) * sizeof *C);
        gdyn_gemm(0, 0, m, n, k, 1, svd->U, m, B, k, -1, C, m);
        assert_true(frobenius(m * n, C) <= bound(m, n, A));
    }
    gdyn_svd_destroy(svd);
}

/* Small matrices of every shape and rank, with columns and rows of very different sizes, coarse ones
 * among them: against LAPACK's singular values and by reconstruction. */
static void small_svd_matches_lapack(void **state) {
    (void)state;
    gdyn_svd *svd = gdyn_svd_create(16, 16);
    for (int run = 0; run < 4000; run++) {
        gdyn_random random = gdyn_random_stream(11, (uint64_t)run, 0);
        int m = 1 + run % 8, n = 1 + run / 8 % 16, k = m < n ? m : n;
        int rank = run % 3 == 0 ? k : (int)(gdyn_random_between(&random, 0, 1) * (k + 1));
        double s[16], work[1000], U[256], Vt[256];
        if (run % 2) {
            int t = m;
            m = n;
            n = t;
        }
        fill_rank(A, m, n, rank, &random);
        for (int j = 0; j < n; j++) {
            double size = run % 5 == 0 ? pow(10, gdyn_random_between(&random, -9, 9)) : 1;
            for (int i = 0; i < m; i++)
                A[i + m * j] = run % 7 == 0 ? size * round(A[i + m * j]) : size * A[i + m * j];
        }
        assert_int_equal(gdyn_svd_factor(svd, m, n, A, m, 0), GDYN_OK);
        assert_orthonormal(m, m, svd->U);
        assert_orthonormal(n, n, svd->Vt);
        for (int i = 0; i < k; i++)
            for (int j = 0; j < n; j++)
                B[i + (size_t)k * j] = svd->s[i] * svd->Vt[i + (size_t)n * j];
        memcpy(C, A, (size_t)(m * n) * sizeof *C);
        gdyn_gemm(0, 0, m, n, k, 1, svd->U, m, B, k, -1, C, m);
        assert_true(frobenius(m * n, C) <= bound(m, n, A));
        memcpy(D, A, (size_t)(m * n) * sizeof *D);
        assert_int_equal(
            LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'A', 'A', m, n, D, m, s, U, m, Vt, n, work, 1000),
            0);
        for (int i = 0; i < k; i++)
            assert_true(fabs(svd->s[i] - s[i]) <= bound(m, n, A));
    }
    gdyn_svd_destroy(svd);
}

/* Moore-Penrose: with x = A^+ b, A^T (A x - b) = 0 and x is perpendicular to null(A). */
static void svd_minimum_norm(void **state) {
    (void)state;
    gdyn_svd *svd = gdyn_svd_create(40, 40);
    for (int rank = 0; rank <= 12; rank += 3) {
        int m = 20, n = 17;
        gdyn_random random = gdyn_random_stream(2, (uint64_t)rank, 0);
        double b[40], x[40], r[40], Atr[40], dots[40];
        fill_rank(A, m, n, rank, &random);
        fill(b, m, &random);
        assert_int_equal(gdyn_svd_factor(svd, m, n, A, m, 0), GDYN_OK);
        assert_int_equal(svd->rank.rank, rank);
        if (rank > 0)
            assert_true(svd->rank.gap > 1e10);
        gdyn_svd_solve(svd, 1, b, m, x, n);
        memcpy(r, b, sizeof r);
        gdyn_gemm(0, 0, m, 1, n, -1, A, m, x, n, 1, r, m);
        gdyn_gemm(1, 0, n, 1, m, 1, A, m, r, m, 0, Atr, n);
        double small = 1e3 * bound(m, n, A) * (frobenius(m, b) + frobenius(n, x));
        assert_true(frobenius(n, Atr) <= small + 1e-300);
        assert_int_equal(gdyn_svd_null(svd, C, n), n - rank);
        assert_orthonormal(n, n - rank, C);
        gdyn_gemm(1, 0, n - rank, 1, n, 1, C, n, x, n, 0, dots, n - rank);
        assert_true(frobenius(n - rank, dots) <= 1e-13 * (1 + frobenius(n, x)));
        double out[40];
        double norm = gdyn_svd_residual(svd, b, out);
        assert_true(fabs(norm - frobenius(m, r)) <= 1e-12 * frobenius(m, b));
        for (int i = 0; i < m; i++)
            assert_true(fabs(out[i] - r[i]) <= 1e-12 * frobenius(m, b));
    }
    gdyn_svd_destroy(svd);
}

/* The decision at the cut: kept and dropped values and the gap between them. */
static void rank_decisions(void **state) {
    (void)state;
    gdyn_svd *svd = gdyn_svd_create(4, 4);
    double M[16] = {0};
    M[0] = 2, M[5] = 1e-3, M[10] = 4e-5, M[15] = 1e-12;
    assert_int_equal(gdyn_svd_factor(svd, 4, 4, M, 4, 0), GDYN_OK);
    assert_int_equal(svd->rank.rank, 3);
    assert_true(fabs(svd->rank.gap - 4e7) < 1);
    assert_true(svd->rank.above == 4e-5 && svd->rank.below == 1e-12);
    assert_int_equal(gdyn_svd_factor(svd, 4, 4, M, 4, 1e-4), GDYN_OK);
    assert_int_equal(svd->rank.rank, 2);
    assert_true(svd->rank.gap < GDYN_GAP_SAFE);
    assert_int_equal(gdyn_svd_factor(svd, 4, 4, M, 4, 1e-15), GDYN_OK);
    assert_int_equal(svd->rank.rank, 4);
    memset(M, 0, sizeof M);
    assert_int_equal(gdyn_svd_factor(svd, 4, 4, M, 4, 0), GDYN_OK);
    assert_int_equal(svd->rank.rank, 0);
    assert_true(isinf(svd->rank.gap));
    gdyn_svd_destroy(svd);
}

static void empty_matrices(void **state) {
    (void)state;
    gdyn_svd *svd = gdyn_svd_create(5, 4);
    gdyn_qr *qr = gdyn_qr_create(5, 4);
    double x[4] = {1, 1, 1, 1}, b[5] = {1, 2, 3, 4, 5}, r[5];
    assert_int_equal(gdyn_svd_factor(svd, 0, 4, NULL, 1, 0), GDYN_OK);
    assert_int_equal(svd->rank.rank, 0);
    gdyn_svd_solve(svd, 1, b, 1, x, 4);
    assert_true(frobenius(4, x) == 0);
    assert_int_equal(gdyn_svd_null(svd, B, 4), 4);
    assert_orthonormal(4, 4, B);
    assert_int_equal(gdyn_svd_factor(svd, 5, 0, NULL, 5, 0), GDYN_OK);
    assert_int_equal(gdyn_svd_null(svd, B, 1), 0);
    assert_true(fabs(gdyn_svd_residual(svd, b, r) - frobenius(5, b)) < 1e-14);
    assert_int_equal(gdyn_qr_factor(qr, 5, 0, NULL, 5, 0), GDYN_OK);
    assert_int_equal(gdyn_qr_null_transposed(qr, B, 5), 5);
    assert_orthonormal(5, 5, B);
    gdyn_svd_destroy(svd);
    gdyn_qr_destroy(qr);
    svd = gdyn_svd_create(0, 0);
    qr = gdyn_qr_create(0, 0);
    assert_int_equal(gdyn_svd_factor(svd, 0, 0, NULL, 1, 0), GDYN_OK);
    assert_int_equal(gdyn_qr_factor(qr, 0, 0, NULL, 1, 0), GDYN_OK);
    assert_int_equal(gdyn_lu_complete(0, 0, NULL, 1, NULL, NULL, 0).rank, 0);
    assert_int_equal(gdyn_eigen_generalized(0, NULL, NULL, NULL, NULL), GDYN_OK);
    gdyn_svd_destroy(svd);
    gdyn_qr_destroy(qr);
}

static void nan_is_refused(void **state) {
    (void)state;
    double M[4] = {1, NAN, 0, 1}, I[4] = {1, 0, 0, INFINITY}, w[2], x[2], b[2] = {1, 1};
    double work[100];
    int row[2], column[2];
    gdyn_svd *svd = gdyn_svd_create(2, 2);
    gdyn_qr *qr = gdyn_qr_create(2, 2);
    assert_int_equal(gdyn_svd_factor(svd, 2, 2, M, 2, 0), GDYN_ERROR_NUMERIC);
    gdyn_svd_solve(svd, 1, b, 2, x, 2);
    assert_true(x[0] == 0 && x[1] == 0);
    assert_int_equal(gdyn_svd_factor(svd, 2, 2, I, 2, 0), GDYN_ERROR_NUMERIC);
    assert_int_equal(gdyn_svd_factor(svd, 3, 2, M, 3, 0), GDYN_ERROR_ARGUMENT);
    assert_int_equal(gdyn_qr_factor(qr, 2, 2, M, 2, 0), GDYN_ERROR_NUMERIC);
    assert_int_equal(qr->rank.rank, 0);
    assert_int_equal(gdyn_qr_factor(qr, 2, 3, M, 2, 0), GDYN_ERROR_ARGUMENT);
    gdyn_rank rank = gdyn_lu_complete(2, 2, M, 2, row, column, 0);
    assert_int_equal(rank.rank, 0);
    assert_true(rank.gap == 0);
    assert_true(gdyn_eigen_work(2) <= 100);
    double K[4] = {1, 0, 0, 1};
    assert_int_equal(gdyn_eigen_generalized(2, K, M, w, work), GDYN_ERROR_NUMERIC);
    assert_true(w[0] == 0 && w[1] == 0);
    gdyn_svd_destroy(svd);
    gdyn_qr_destroy(qr);
}

/* Of every entry in the lower half, by own loops and by LAPACK; the upper half is not looked at. */
static void cholesky_refuses_what_is_not_finite(void **state) {
    (void)state;
    enum { MOST = 10 };
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int n = 1; n <= MOST; n++)
        for (int at = 0; at < n * n; at++)
            for (int b = 0; b < 3; b++) {
                double L[MOST * MOST];
                int i = at % n, j = at / n;
                /* min(i, j) + 1 = L L^T with ones in the lower half */
                for (int l = 0; l < n * n; l++)
                    L[l] = 1 + (l % n < l / n ? l % n : l / n);
                L[at] = bad[b];
                gdyn_status status = gdyn_cholesky_factor(n, L);
                assert_int_equal(status, i >= j ? GDYN_ERROR_NUMERIC : GDYN_OK);
                for (int l = 0; i < j && l < n * n; l++)
                    assert_true(l % n < l / n || L[l] == 1);
            }
}

static void qr_reconstructs(void **state) {
    (void)state;
    static const int cases[][3] = {{6, 4, 4}, {4, 6, 4}, {30, 27, 20}, {78, 81, 75}, {9, 9, 0}};
    gdyn_qr *qr = gdyn_qr_create(MAX, MAX);
    for (size_t t = 0; t < sizeof cases / sizeof *cases; t++) {
        int m = cases[t][0], n = cases[t][1], rank = cases[t][2];
        gdyn_random random = gdyn_random_stream(3, t, 0);
        fill_rank(A, m, n, rank, &random);
        assert_int_equal(gdyn_qr_factor(qr, m, n, A, m, 0), GDYN_OK);
        assert_int_equal(qr->rank.rank, rank);
        /* Q^T (A P) = R. */
        for (int j = 0; j < n; j++)
            memcpy(B + (size_t)m * j, A + (size_t)m * qr->pivot[j], (size_t)m * sizeof *B);
        gdyn_qr_apply_qt(qr, n, B, m);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                B[i + (size_t)m * j] -= i <= j ? qr->QR[i + (size_t)m * j] : 0;
        assert_true(frobenius(m * n, B) <= bound(m, n, A));
        /* N^T A = 0 with N orthonormal. */
        int count = gdyn_qr_null_transposed(qr, C, m);
        assert_int_equal(count, m - rank);
        assert_orthonormal(m, count, C);
        if (count > 0) {
            gdyn_gemm(1, 0, count, n, m, 1, C, m, A, m, 0, D, count);
            assert_true(frobenius(count * n, D) <= 10 * bound(m, n, A));
        }
    }
    gdyn_qr_destroy(qr);
}

/* Squares of the singular values of a random matrix are the eigenvalues of its Gram matrix, zeros too; and singular
 * values alone are those of the decomposition. */
static void values_alone(void **state) {
    (void)state;
    gdyn_svd *svd = gdyn_svd_create(8, 8), *alone = gdyn_svd_create(8, 8);
    for (int trial = 0; trial < 200; trial++) {
        int m = 1 + trial % 8, n = 1 + trial / 8 % 8, least = m < n ? m : n;
        gdyn_random random = gdyn_random_stream(24, (uint64_t)trial, 0);
        double w[8], thin = trial % 5 == 0 ? 1e-7 : 1;
        fill_rank(A, m, n, trial % 3 == 0 ? 1 + least / 2 : least, &random);
        for (int i = 0; i < m; i++)
            A[i] *= thin;
        gdyn_gemm(1, 0, n, n, m, 1, A, m, A, m, 0, B, n);
        assert_int_equal(gdyn_svd_factor(svd, m, n, A, m, 0), GDYN_OK);
        assert_int_equal(gdyn_svd_values(alone, m, n, A, m, 0), GDYN_OK);
        assert_int_equal(svd->rank.rank, alone->rank.rank);
        assert_true(gdyn_symmetric_values(n, B, w));
        for (int i = 0; i < n; i++) {
            double s = i < least ? svd->s[i] : 0, greatest = svd->s[0];
            assert_true(fabs(w[n - 1 - i] - s * s) <= 200 * DBL_EPSILON * greatest * greatest);
            assert_true(i >= least || s < 1e-14 * greatest ||
                        fabs(alone->s[i] - s) <= fmax(1e-10 * s, 1e-14 * greatest));
        }
    }
    gdyn_svd_destroy(svd);
    gdyn_svd_destroy(alone);
}

/* On a consistent system of deficient rank the QR solution is the SVD's minimum-norm solution. */
static void qr_solves_like_svd(void **state) {
    (void)state;
    gdyn_qr *qr = gdyn_qr_create(40, 40);
    gdyn_svd *svd = gdyn_svd_create(40, 40);
    for (int rank = 1; rank <= 24; rank += 5) {
        int m = 27, n = 30;
        gdyn_random random = gdyn_random_stream(4, (uint64_t)rank, 0);
        double x0[2 * 40], b[2 * 40], x[2 * 40], y[2 * 40];
        fill_rank(A, m, n, rank, &random);
        fill(x0, 2 * m, &random);
        gdyn_gemm(1, 0, n, 2, m, 1, A, m, x0, m, 0, b, n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                B[j + (size_t)n * i] = A[i + (size_t)m * j];
        assert_int_equal(gdyn_qr_factor(qr, m, n, A, m, 0), GDYN_OK);
        assert_int_equal(gdyn_svd_factor(svd, n, m, B, n, 0), GDYN_OK);
        gdyn_qr_solve_transposed(qr, 2, b, n, x, m);
        gdyn_svd_solve(svd, 2, b, n, y, m);
        /* The multipliers reproduce the solution: x = A lambda. */
        double lambda[40], again[40];
        gdyn_qr_multipliers(qr, b, lambda);
        gdyn_gemm(0, 0, m, 1, n, 1, A, m, lambda, n, 0, again, m);
        double condition = svd->rank.greatest / svd->rank.above;
        for (int i = 0; i < 2 * m; i++)
            assert_true(fabs(x[i] - y[i]) <= 1e3 * DBL_EPSILON * condition * frobenius(2 * m, y));
        for (int i = 0; i < m; i++)
            assert_true(fabs(x[i] - again[i]) <=
                        1e3 * DBL_EPSILON * condition * condition * frobenius(m, x));
    }
    gdyn_qr_destroy(qr);
    gdyn_svd_destroy(svd);
}

/* x(mu) = -sum_i v_i s_i (u_i . r) / (s_i^2 + mu^2) over the singular values that count, and what |r + J x|^2 / 2 loses
 * by it; tall, square and wide, of full and of deficient rank. */
static void damped_steps_are_those_of_the_svd(void **state) {
    (void)state;
    gdyn_svd *svd = gdyn_svd_create(31, 31), *other = gdyn_svd_create(31, 31);
    gdyn_damped *w = gdyn_damped_create(svd);
    gdyn_random random = gdyn_random_stream(23, 0, 0);
    for (int trial = 0; trial < 60; trial++) {
        int m = 1 + (trial * 7) % 31, n = 1 + (trial * 11) % 31, least = m < n ? m : n;
        int rank = trial % 4 == 3 ? 1 + least / 2 : least;
        double r[31], x[31], y[31], left[31];
        fill_rank(A, m, n, rank, &random);
        fill(r, m, &random);
        assert_int_equal(gdyn_svd_factor(other, m, n, A, m, 1e-12), GDYN_OK);
        assert_int_equal(gdyn_damped_factor(w, m, n, A, r, 1e-12), GDYN_OK);
        double condition = other->rank.greatest / other->rank.above;
        double bound = gdyn_damped_bound(w);
        assert_true(bound >= (1 - 1e-13) * other->s[0] && bound <= 2 * (1 + 1e-13) * other->s[0]);
        for (double mu = 0; mu<10; mu = mu> 0 ? 10 * mu : 1e-6) {
            memset(y, 0, sizeof y);
            memcpy(left, r, sizeof left);
            for (int i = 0; i < other->rank.rank; i++) {
                double c = 0, s = other->s[i];
                for (int k = 0; k < m; k++)
                    c += other->U[k + m * i] * r[k];
                for (int j = 0; j < n; j++)
                    y[j] -= s * c / (s * s + mu * mu) * other->Vt[i + n * j];
            }
            double descent = gdyn_damped_step(w, mu, x), before = frobenius(m, r);
            gdyn_gemm(0, 0, m, 1, n, 1, A, m, y, n, 1, left, m);
            double error = 1e3 * DBL_EPSILON * condition * frobenius(n, y);
            for (int j = 0; j < n; j++)
                assert_true(fabs(x[j] - y[j]) <= error);
            assert_true(fabs(gdyn_damped_length(w, mu) - frobenius(n, y)) <= 6 * error);
            double fallen = 0.5 * (before * before - pow(frobenius(m, left), 2));
            assert_true(fabs(descent - fallen) <= 1e3 * DBL_EPSILON * condition * before * before);
        }
    }
    A[0] = NAN;
    assert_int_equal(gdyn_damped_factor(w, 3, 3, A, A, 1e-12), GDYN_ERROR_NUMERIC);
    gdyn_damped_destroy(w);
    gdyn_svd_destroy(svd);
    gdyn_svd_destroy(other);
}

/* C + alpha A^T B by its definition, and orthonormal columns that span the same: Q^T Q = 1, and A is Q times a triangle. Sizes
 * that fill blocks of columns and pairs of rows, and others; columns near dependence, too. */
static void products_of_columns(void **unused) {
    (void)unused;
    gdyn_random random = gdyn_random_stream(31, 32, 33);
    for (int n = 1; n <= 13; n++)
        for (int m = n; m <= n + 40; m += 13) {
            double near = n % 2 ? 1 : 1e-6;
            fill(A, m * n, &random);
            for (int i = 0; i < m && n > 1; i++) /* the last column, beside the first */
                A[i + m * (n - 1)] = A[i] + near * A[i + m * (n - 1)];
            memcpy(B, A, (size_t)(m * n) * sizeof *B);
            assert_true(gdyn_orthonormalize(m, n, B));
            for (int i = 0; i < n * n; i++)
                C[i] = D[i] = i;
            gdyn_add_column_products(n, n, m, -2, B, m, A, m, C, n);
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++) {
                    double sum = 0, of_q = 0;
                    for (int l = 0; l < m; l++) {
                        sum += B[l + m * i] * A[l + m * j];
                        of_q += B[l + m * i] * B[l + m * j];
                    }
                    assert_true(fabs(D[i + n * j] - 2 * sum - C[i + n * j]) <= bound(m, n, A));
                    assert_true(fabs(of_q - (i == j)) <= 1e-12);
                    assert_true(i <= j || fabs(sum) <= bound(m, n, A));
                }
        }
}

/* Least norm X, norms of the rows of the pseudo-inverse and null space V of H (f x k) and B (f x 3), against the SVD. */
static void check_wide_lane(gdyn_svd *svd, int f, int k, const double *H, const double *rhs,
                            const double *X, const double *gain, const double *V) {
    memcpy(A, H, (size_t)(f * k) * sizeof *A);
    assert_int_equal(gdyn_svd_factor(svd, f, k, A, f, 0), GDYN_OK);
    gdyn_svd_solve(svd, 3, rhs, f, D, k);
    double tolerance = 1e-13 * svd->s[0] / svd->s[f - 1] * (1 + frobenius(3 * k, D));
    for (int i = 0; i < 3 * k; i++)
        assert_true(fabs(X[i] - D[i]) <= tolerance);
    for (int i = 0; i < k; i++) {
        double square = 0;
        for (int j = 0; j < f; j++)
            square += pow(svd->Vt[j + (size_t)k * (size_t)i] / svd->s[j], 2);
        assert_true(fabs(gain[i] / sqrt(square) - 1) <= 1e-9);
    }
    gdyn_gemm(0, 0, f, k - f, k, 1, H, f, V, k, 0, C, f);
    assert_true(frobenius(f * (k - f), C) <= bound(f, k, H));
    gdyn_gemm(1, 0, k - f, k - f, k, 1, V, k, V, k, 0, C, k - f);
    for (int i = 0; i < (k - f) * (k - f); i++)
        assert_true(fabs(C[i] - (i % (k - f + 1) == 0)) <= 1e-14);
}

/* Few rows: maps whose pivots differ at once, and one map in all lanes. */
static void check_wide(gdyn_wide *wide, gdyn_svd *svd, int f, int k, gdyn_random *random) {
    enum { N = GDYN_WIDE_AT_ONCE };
    static double H[N][144], rhs[N][36], X[N][36], gain[N][12], V[N][144];
    static double first_X[N][36], first_gain[N][12], first_V[N][144];
    for (int l = 0; l < N; l++) {
        fill(H[l], f * k, random);
        fill(rhs[l], 3 * f, random);
    }
    for (int different = 0; different < 2; different++) {
        const double *h[N], *b[N];
        double *x[N], *g[N], *v[N];
        for (int l = 0; l < N; l++) {
            int of = different * l;
            h[l] = H[of], b[l] = rhs[of], x[l] = X[of], g[l] = gain[of], v[l] = V[of];
        }
        /* the translation for all processors, then that for this one: the same bits */
        const gdyn_wide_kernel *kernels[2] = {&gdyn_wide_kernel_plain, gdyn_wide_kernel_here()};
        for (int t = 0; t < 2; t++) {
            assert_true(kernels[t]->factor(wide, f, k, h, 1e-6));
            kernels[t]->solve(wide, 3, b, x);
            kernels[t]->gain(wide, g);
            kernels[t]->null(wide, v);
            for (int l = 0; l < (different ? N : 1); l++) {
                assert_true(t == 0 || memcmp(first_X[l], X[l], 3 * k * sizeof *X[l]) == 0);
                assert_true(t == 0 || memcmp(first_V[l], V[l], k * (k - f) * sizeof *V[l]) == 0);
                assert_true(t == 0 || memcmp(first_gain[l], gain[l], k * sizeof *gain[l]) == 0);
            }
            memcpy(first_X, X, sizeof X);
            memcpy(first_V, V, sizeof V);
            memcpy(first_gain, gain, sizeof gain);
        }
        for (int l = 0; l < (different ? N : 1); l++)
            check_wide_lane(svd, f, k, H[l], rhs[l], X[l], gain[l], V[l]);
    }
}

static void wide_solves_like_svd(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(12, 0, 0);
    gdyn_svd *svd = gdyn_svd_create(12, 12);
    gdyn_wide *wide = gdyn_wide_create(12, 12);
    for (int f = 1; f <= 12; f++)
        for (int k = f; k <= 12; k++)
            check_wide(wide, svd, f, k, &random);
    /* of lower rank: one of them, wherever it stands; fewer columns than rows */
    fill_rank(A, 4, 6, 3, &random);
    fill(B, 24, &random);
    assert_false(
        gdyn_wide_kernel_here()->factor(wide, 4, 6, (const double *const[]){A, B, B, B}, 1e-6));
    assert_false(
        gdyn_wide_kernel_here()->factor(wide, 4, 6, (const double *const[]){B, B, B, A}, 1e-6));
    assert_false(
        gdyn_wide_kernel_here()->factor(wide, 4, 6, (const double *const[]){A, A, A, A}, 1e-6));
    assert_false(
        gdyn_wide_kernel_here()->factor(wide, 6, 4, (const double *const[]){B, B, B, B}, 1e-6));
    gdyn_wide_destroy(wide);
    gdyn_svd_destroy(svd);
}

static void lu_reconstructs(void **state) {
    (void)state;
    static const int cases[][3] = {{1, 1, 1}, {5, 8, 5}, {8, 5, 5}, {12, 12, 7}, {20, 30, 0}};
    int row[MAX], column[MAX];
    for (size_t t = 0; t < sizeof cases / sizeof *cases; t++) {
        int m = cases[t][0], n = cases[t][1], rank = cases[t][2];
        gdyn_random random = gdyn_random_stream(5, t, 0);
        fill_rank(A, m, n, rank, &random);
        memcpy(B, A, (size_t)(m * n) * sizeof *B);
        gdyn_rank r = gdyn_lu_complete(m, n, B, m, row, column, 0);
        assert_int_equal(r.rank, rank);
        if (rank > 0 && rank < m && rank < n)
            assert_true(r.gap > 1e8);
        double error = 0;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < rank && k <= i; k++)
                    if (k <= j)
                        sum += (k == i ? 1 : B[i + (size_t)m * k]) * B[k + (size_t)m * j];
                error = fmax(error, fabs(sum - A[row[i] + (size_t)m * column[j]]));
            }
        assert_true(error <= bound(m, n, A));
        for (int k = 0; k < rank; k++)
            for (int i = k + 1; i < m; i++)
                assert_true(fabs(B[i + (size_t)m * k]) <= 1);
    }
}

/* Residuals of what LU solves: null vectors, basic solutions. */
static void lu_solves(void **state) {
    (void)state;
    enum { N = 12 };
    static const int cases[][3] = {{1, 2, 1}, {4, 9, 4}, {7, 8, 7}, {10, 12, 6}, {9, 9, 9}};
    int row[N], column[N];
    double x[N], b[N], work[N];
    for (size_t t = 0; t < sizeof cases / sizeof *cases; t++) {
        int m = cases[t][0], n = cases[t][1], rank = cases[t][2];
        gdyn_random random = gdyn_random_stream(6, t, 0);
        fill_rank(A, m, n, rank, &random);
        memcpy(B, A, (size_t)(m * n) * sizeof *B);
        assert_int_equal(gdyn_lu_complete(m, n, B, m, row, column, 0).rank, rank);
        for (int f = rank; f <= n; f++) {
            bool null = f < n; /* at the end the basic solution of A x = the sum of the columns */
            for (int i = 0; i < m; i++) {
                b[i] = 0;
                for (int j = 0; j < n && !null; j++)
                    b[i] += A[i + m * j];
            }
            if (null)
                gdyn_lu_null_vector(n, B, m, rank, f, column, x);
            else
                gdyn_lu_basic(n, B, m, rank, row, column, b, work, x);
            for (int j = rank; j < n; j++)
                assert_true(x[column[j]] == (j == f ? 1 : 0));
            double most = 1;
            for (int j = 0; j < n; j++)
                most = fmax(most, fabs(x[j]));
            for (int i = 0; i < m; i++) {
                double sum = -b[i];
                for (int j = 0; j < n; j++)
                    sum += A[i + m * j] * x[j];
                assert_true(fabs(sum) <= most * bound(m, n, A));
            }
        }
    }
}

/* A permutation matrix's sign is its parity; exchanging two rows or negating one changes it. */
static void determinant_signs(void **state) {
    (void)state;
    enum { N = 7 };
    int pivot[N], order[N];
    gdyn_random random = gdyn_random_stream(8, 0, 0);
    for (int trial = 0; trial < 50; trial++) {
        int sign = 1;
        for (int i = 0; i < N; i++)
            order[i] = i;
        for (int i = N - 1; i > 0; i--) {
            int j = gdyn_random_below(&random, i + 1), t = order[i];
            order[i] = order[j];
            order[j] = t;
            sign = i == j ? sign : -sign;
        }
        memset(A, 0, N * N * sizeof *A);
        for (int i = 0; i < N; i++)
            A[order[i] + N * i] = gdyn_random_between(&random, 0.1, 2) * (i == 3 ? -1 : 1);
        assert_int_equal(gdyn_det_sign(N, A, N, pivot), -sign);
    }
    fill_rank(A, N, N, N - 1, &random);
    assert_int_equal(gdyn_det_sign(N, A, N, pivot), 0);
    A[0] = NAN;
    assert_int_equal(gdyn_det_sign(N, A, N, pivot), 0);
    assert_int_equal(gdyn_det_sign(0, A, 1, pivot), 1);
}

/* A X = 1 by lane to eps |A| |X|, for cofactors (n <= 3, or two blocks of three) and for steps with pivots; A is a part of wider rows.
 * The determinant's sign is that of elimination with partial pivoting. */
static void inverses_in_lanes(void **state) {
    (void)state;
    enum { WIDTH = GDYN_INVERSE_MOST + 2 };
    gdyn_random random = gdyn_random_stream(17, 0, 0);
    gdyn_lanes M[GDYN_INVERSE_MOST * WIDTH], X[GDYN_INVERSE_MOST * GDYN_INVERSE_MOST], det;
    int pivot[GDYN_INVERSE_MOST];
    for (int trial = 0; trial < 600; trial++) {
        int n = 1 + trial % GDYN_INVERSE_MOST;
        for (int i = 0; i < n * WIDTH; i++)
            for (int l = 0; l < GDYN_LANES; l++)
                M[i][l] = gdyn_random_normal(&random);
        /* a quarter without entries */
        for (int i = 3; i < n && n == 6 && trial % 4 == 1; i++)
            for (int j = 0; j < 3; j++)
                M[i * WIDTH + j] = l_all(0);
        gdyn_lanes_inverse(n, M, WIDTH, X, &det);
        for (int l = 0; l < GDYN_LANES; l++) {
            double a = 0, x = 0, worst = 0;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    double sum = i == j ? -1 : 0;
                    for (int k = 0; k < n; k++)
                        sum += M[i * WIDTH + k][l] * X[k * n + j][l];
                    worst = fmax(worst, fabs(sum));
                    a += M[i * WIDTH + j][l] * M[i * WIDTH + j][l];
                    x += X[i * n + j][l] * X[i * n + j][l];
                    A[i + n * j] = M[i * WIDTH + j][l];
                }
            /* pivots of the first lane that are small in another one */
            if (l > 0 && n > 3 && isnan(det[l]))
                continue;
            assert_true(worst <= 50 * n * DBL_EPSILON * sqrt(a * x));
            assert_int_equal(gdyn_det_sign(n, A, n, pivot), det[l] < 0 ? -1 : 1);
            /* the other inverse has the same norm */
            double norm = gdyn_lu_inverse_norm(n, A, n);
            assert_true(fabs(norm - sqrt(x)) <= 100 * n * DBL_EPSILON * sqrt(a) * x);
        }
    }
}

/* Without an inverse in a lane its X is not finite, and the other lane's matrix makes no difference to that: rank one, a row of
 * zeros, what is no number. */
static void singular_lanes(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(18, 0, 0);
    gdyn_lanes M[GDYN_INVERSE_MOST * GDYN_INVERSE_MOST], X[GDYN_INVERSE_MOST * GDYN_INVERSE_MOST],
        det;
    for (int trial = 0; trial < 36; trial++) {
        int n = 2 + trial % (GDYN_INVERSE_MOST - 1), kind = trial % 3,
            lane = trial / 3 % GDYN_LANES;
        for (int i = 0; i < n * n; i++) {
            double number = gdyn_random_normal(&random);
            for (int l = 0; l < GDYN_LANES; l++)
                M[i][l] = number;
            M[i][lane] = kind == 0 ? 1 : kind == 2 ? NAN : i < n ? 0 : M[i][lane];
        }
        gdyn_lanes_inverse(n, M, n, X, &det);
        bool finite = true;
        for (int i = 0; i < n * n; i++)
            finite = finite && isfinite(X[i][lane]);
        assert_false(finite);
        assert_true(det[lane] == 0 || isnan(det[lane]));
    }
}

/* The greatest entry of the first lane is small in another one: there the inverse is accurate, or said to be of no use. */
static void pivots_of_another_lane(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(19, 0, 0);
    gdyn_lanes M[GDYN_INVERSE_MOST * GDYN_INVERSE_MOST], X[GDYN_INVERSE_MOST * GDYN_INVERSE_MOST],
        det;
    for (int trial = 0; trial < 360; trial++) {
        int n = 4 + trial % 3, lane = 1 + trial % (GDYN_LANES - 1), greatest = 0;
        for (int i = 0; i < n * n; i++) {
            for (int l = 0; l < GDYN_LANES; l++)
                M[i][l] = gdyn_random_normal(&random);
            greatest = fabs(M[i][0]) > fabs(M[greatest][0]) ? i : greatest;
        }
        double small = pow(10, -trial % 17);
        M[greatest][lane] = small;
        gdyn_lanes_inverse(n, M, n, X, &det);
        double a = 0, x = 0, worst = 0;
        for (int i = 0; i < n * n; i++) {
            double sum = i / n == i % n ? -1 : 0;
            for (int k = 0; k < n; k++)
                sum += M[i / n * n + k][lane] * X[k * n + i % n][lane];
            worst = fmax(worst, fabs(sum));
            a += M[i][lane] * M[i][lane];
            x += X[i][lane] * X[i][lane];
        }
        assert_true(isnan(det[lane]) || worst <= 1e3 * n * DBL_EPSILON * sqrt(a * x));
        assert_true(isnan(det[lane]) || small > 1e-6);
    }
}

static void eigen_closed_form(void **state) {
    (void)state;
    /* Chain of n equal springs and masses between walls: w_i = 4 k/m sin^2(i pi / (2 (n + 1))). */
    enum { MOST = 12 };
    double w[MOST], work[1000];
    assert_true(gdyn_eigen_work(MOST) <= 1000);
    for (int n = 1; n <= MOST; n++) {
        double K[MOST * MOST] = {0}, M[MOST * MOST] = {0}, S[MOST * MOST], v[MOST];
        for (int i = 0; i < n; i++) {
            K[i + n * i] = 2 * 7.0;
            M[i + n * i] = 0.3;
            if (i > 0)
                K[i + n * (i - 1)] = K[i - 1 + n * i] = -7.0;
        }
        memcpy(S, K, sizeof S);
        if (n <= GDYN_SYMMETRIC_MOST)
            assert_true(gdyn_symmetric_values(n, S, v));
        assert_int_equal(gdyn_eigen_generalized(n, K, M, w, work), GDYN_OK);
        for (int i = 0; i < n; i++) {
            double s = sin((i + 1) * acos(-1) / (2 * (n + 1))), exact = 4 * 7.0 * s * s;
            assert_true(fabs(w[i] - exact / 0.3) <= 50 * n * DBL_EPSILON * 4 * 7.0 / 0.3);
            assert_true(n > GDYN_SYMMETRIC_MOST ||
                        fabs(v[i] - exact) <= 10 * n * DBL_EPSILON * 4 * 7.0);
        }
    }
    double k[4] = {1, 0, 0, 1}, m[4] = {1, 2, 2, 1};
    assert_int_equal(gdyn_eigen_generalized(2, k, m, w, work), GDYN_ERROR_NUMERIC);
}

static void gemm_matches_loops(void **state) {
    (void)state;
    static const int sizes[][3] = {{1, 1, 1}, {3, 2, 4}, {9, 9, 9}, {20, 17, 13}, {4, 3, 0}};
    for (size_t t = 0; t < sizeof sizes / sizeof *sizes; t++)
        for (int mode = 0; mode < 8; mode++) {
            int m = sizes[t][0], n = sizes[t][1], k = sizes[t][2];
            int ta = mode & 1, tb = mode >> 1 & 1, lda = (ta ? k : m) + 2, ldb = (tb ? n : k) + 1;
            double beta = mode & 4 ? 0 : -0.5;
            gdyn_random random = gdyn_random_stream(6, t, (uint64_t)mode);
            fill(A, lda * (ta ? m : k), &random);
            fill(B, ldb * (tb ? k : n), &random);
            fill(C, m * n, &random);
            memcpy(D, C, (size_t)(m * n) * sizeof *D);
            if (beta == 0)
                C[0] = NAN;
            gdyn_gemm(ta, tb, m, n, k, 1.5, A, lda, B, ldb, beta, C, m);
            for (int i = 0; i < m; i++)
                for (int j = 0; j < n; j++) {
                    double sum = beta * D[i + m * j];
                    for (int l = 0; l < k; l++)
                        sum += 1.5 * A[ta ? l + lda * i : i + lda * l] *
                               B[tb ? j + ldb * l : l + ldb * j];
                    assert_true(fabs(sum - C[i + m * j]) <= 200 * DBL_EPSILON * (k + 1));
                }
        }
}

/* A matrix whose singular values span the double range must not end in garbage. */
static void extreme_scales(void **state) {
    (void)state;
    gdyn_svd *svd = gdyn_svd_create(2, 2);
    double tiny[4] = {3e-300, 4e-300, 0, 5e-300}, huge[4] = {3e300, 4e300, 0, 5e300};
    assert_int_equal(gdyn_svd_factor(svd, 2, 2, tiny, 2, 0), GDYN_OK);
    assert_int_equal(svd->rank.rank, 2);
    assert_true(fabs(svd->s[0] / 1e-300 - sqrt(45)) < 1e-13);
    assert_int_equal(gdyn_svd_factor(svd, 2, 2, huge, 2, 0), GDYN_OK);
    assert_true(fabs(svd->s[1] / 1e300 - sqrt(5)) < 1e-13);
    gdyn_svd_destroy(svd);
}

static void no_allocation_after_create(void **state) {
    (void)state;
    gdyn_svd *svd = gdyn_svd_create(20, 20);
    gdyn_qr *qr = gdyn_qr_create(20, 20);
    gdyn_random random = gdyn_random_stream(7, 0, 0);
    fill(A, 400, &random);
    unsigned long before = gdyn_alloc_count();
    assert_int_equal(gdyn_svd_factor(svd, 20, 15, A, 20, 0), GDYN_OK);
    assert_int_equal(gdyn_qr_factor(qr, 20, 15, A, 20, 0), GDYN_OK);
    gdyn_qr_null_transposed(qr, B, 20);
    assert_int_equal(gdyn_alloc_count(), before);
    gdyn_svd_destroy(svd);
    gdyn_qr_destroy(qr);
}

static void create_survives_lack_of_memory(void **state) {
    (void)state;
    int failures = 0;
    for (long n = 0;; n++) {
        gdyn_alloc_fail_after(n);
        gdyn_svd *svd = gdyn_svd_create(5, 6);
        gdyn_qr *qr = gdyn_qr_create(5, 6);
        gdyn_wide *wide = gdyn_wide_create(5, 6);
        gdyn_damped *damped = svd ? gdyn_damped_create(svd) : NULL;
        gdyn_alloc_fail_after(-1);
        bool done = svd && qr && wide && damped;
        gdyn_damped_destroy(damped);
        gdyn_wide_destroy(wide);
        gdyn_svd_destroy(svd);
        gdyn_qr_destroy(qr);
        if (done)
            break;
        failures++;
    }
    /* five arenas with a block at least (the damped steps have a QR of their own) */
    assert_true(failures >= 5 * 2);
}

/* 0 .. count-1 in any order. */
static void shuffled(gdyn_random *random, int count, int *order) {
    for (int i = 0; i < count; i++) {
        int k = gdyn_random_below(random, i + 1);
        order[i] = order[k];
        order[k] = i;
    }
}

/* m x n, rows and columns in any order: row i has `band` entries beside a line through the matrix; every
 * seventh row is the sum of two others where they have entries in common, one column is empty. */
static void fill_banded(double *X, int m, int n, int band, gdyn_random *random) {
    int row[GROWN], column[GROWN];
    shuffled(random, m, row);
    shuffled(random, n, column);
    memset(X, 0, (size_t)m * (size_t)n * sizeof *X);
    for (int i = 0; i < m; i++)
        for (int k = 0; k < band; k++) {
            int from = i / 7 * 7 * (n - band) / m, j = from + k;
            double *line = X + (size_t)m * (size_t)column[j];
            bool sum = i % 7 == 6;
            line[row[i]] = j == n / 2 ? 0
                           : sum      ? line[row[i - 1]] + line[row[i - 2]]
                                      : gdyn_random_normal(random);
        }
}

/* The values of sparse matrices that can be ordered into a band are those of the dense decomposition, to the error
 * bound of both; ranks are the same. */
static void values_of_banded_matrices(void **state) {
    static const struct {
        int m, n, band;
    } shapes[] = {{230, 160, 6}, {160, 230, 6}, {170, 170, 3}, {GROWN, GROWN, 12}, {240, 151, 12}};
    static double X[GROWN * GROWN];
    gdyn_random random = gdyn_random_stream(2, 7, 1);
    gdyn_svd *banded = gdyn_svd_create(GROWN, GROWN), *dense = gdyn_svd_create(GROWN, GROWN);
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        int m = shapes[k].m, n = shapes[k].n, few = m < n ? m : n;
        fill_banded(X, m, n, shapes[k].band, &random);
        double limit = bound(m, n, X);
        assert_true(gdyn_banded_values(m, n, X, m, banded->s));
        assert_int_equal(gdyn_svd_values(banded, m, n, X, m, 0), GDYN_OK);
        assert_int_equal(gdyn_svd_factor(dense, m, n, X, m, 0), GDYN_OK);
        assert_int_equal(banded->rank.rank, dense->rank.rank);
        assert_true(dense->rank.rank < few);
        for (int i = 0; i < few; i++)
            assert_true(fabs(banded->s[i] - dense->s[i]) <= limit);
    }
    gdyn_svd_destroy(banded);
    gdyn_svd_destroy(dense);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svd_closed_form),
        cmocka_unit_test(svd_reconstructs),
        cmocka_unit_test(small_svd_matches_lapack),
        cmocka_unit_test(svd_minimum_norm),
        cmocka_unit_test(rank_decisions),
        cmocka_unit_test(empty_matrices),
        cmocka_unit_test(nan_is_refused),
        cmocka_unit_test(cholesky_refuses_what_is_not_finite),
        cmocka_unit_test(qr_reconstructs),
        cmocka_unit_test(qr_solves_like_svd),
        cmocka_unit_test(damped_steps_are_those_of_the_svd),
        cmocka_unit_test(wide_solves_like_svd),
        cmocka_unit_test(inverses_in_lanes),
        cmocka_unit_test(singular_lanes),
        cmocka_unit_test(pivots_of_another_lane),
        cmocka_unit_test(lu_reconstructs),
        cmocka_unit_test(lu_solves),
        cmocka_unit_test(determinant_signs),
        cmocka_unit_test(eigen_closed_form),
        cmocka_unit_test(values_alone),
        cmocka_unit_test(values_of_banded_matrices),
        cmocka_unit_test(gemm_matches_loops),
        cmocka_unit_test(products_of_columns),
        cmocka_unit_test(extreme_scales),
        cmocka_unit_test(no_allocation_after_create),
        cmocka_unit_test(create_survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
