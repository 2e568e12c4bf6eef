/* Cholesky of bands and of sparse blocks, and elimination by Gauss and Jordan, against factors, solutions, inverses and null spaces that are
 * known.
 *
 * Where all numbers on the way are small integers, floating point makes no error and results are compared for
 * equality. Elsewhere the bounds are those of backward stability, c n eps times the norms (and the condition number
 * for a solution itself). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "linalg/blocks.h"
#include "linalg/linalg.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX = 40 };

/* A's band in the storage of Cholesky from a full matrix; what lies beyond the matrix is NaN: nobody may read it. */
static void pack(int n, int band, const double *full, double *A) {
    for (int j = 0; j < n; j++)
        for (int d = 0; d <= band; d++)
            A[j * (band + 1) + d] = j + d < n ? full[j + d + n * j] : NAN;
}

/* full = L L^T for lower triangular L. */
static void square(int n, const double *L, double *full) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            full[i + n * j] = 0;
            for (int k = 0; k <= i && k <= j; k++)
                full[i + n * j] += L[i + n * k] * L[j + n * k];
        }
}

static double product(int n, const double *full, const double *x, int i) {
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += full[i + n * j] * x[j];
    return sum;
}

/* L and x of small integers: the factor and the solution are found without error, for bands wider than the matrix
 * too. */
static void band_of_integers(void **state) {
    (void)state;
    static double L[MAX * MAX], A[MAX * MAX], packed[MAX * (MAX + 1)];
    gdyn_random random = gdyn_random_stream(21, 0, 0);
    for (int trial = 0; trial < 300; trial++) {
        int n = trial % 13, band = trial / 13 % 6;
        double x[MAX], b[MAX];
        for (int j = 0; j < n; j++) {
            x[j] = gdyn_random_below(&random, 19) - 9;
            for (int i = 0; i < n; i++)
                L[i + n * j] = i == j                  ? 1 + gdyn_random_below(&random, 7)
                               : i < j || i > j + band ? 0
                                                       : gdyn_random_below(&random, 9) - 4;
        }
        square(n, L, A);
        pack(n, band, A, packed);
        assert_true(gdyn_cholesky_band_factor(n, band, packed));
        for (int j = 0; j < n; j++)
            for (int i = j; i < n && i <= j + band; i++)
                assert_true(packed[j * (band + 1) + i - j] == L[i + n * j]);
        for (int i = 0; i < n; i++)
            b[i] = product(n, A, x, i);
        gdyn_cholesky_band_solve(n, band, packed, b);
        for (int i = 0; i < n; i++)
            assert_true(b[i] == x[i]);
    }
}

/* A = tridiag(-1, 2, -1), the loaded string: L_jj = sqrt((j + 2) / (j + 1)), L_j+1,j = -1 / L_jj (j from 0), and
 * A x = 1 gives x_i = (i + 1) (n - i) / 2. cond A = cot^2(pi / (2 (n + 1))) < (n + 1)^2 / 2. */
static void band_of_a_string(void **state) {
    (void)state;
    double A[2 * MAX], x[MAX];
    for (int n = 1; n <= MAX; n++) {
        for (int j = 0; j < n; j++) {
            A[2 * j] = 2;
            A[2 * j + 1] = j + 1 < n ? -1 : NAN;
            x[j] = 1;
        }
        assert_true(gdyn_cholesky_band_factor(n, 1, A));
        for (int j = 0; j < n; j++) {
            double diagonal = sqrt((j + 2.0) / (j + 1));
            assert_true(fabs(A[2 * j] - diagonal) <= 4 * n * DBL_EPSILON);
            assert_true(j + 1 == n || fabs(A[2 * j + 1] + 1 / diagonal) <= 4 * n * DBL_EPSILON);
        }
        gdyn_cholesky_band_solve(n, 1, A, x);
        double greatest = (n + 1) * (n + 1) / 8.0, condition = (n + 1) * (n + 1) / 2.0;
        for (int i = 0; i < n; i++)
            assert_true(fabs(x[i] - (i + 1) * (n - i) / 2.0) <=
                        10 * DBL_EPSILON * condition * greatest);
    }
}

/* Residuals of both solvers of bands, Cholesky's and LAPACK's LU: |A x - b| <= c n eps |A| |x|. */
static void bands_leave_no_residual(void **state) {
    (void)state;
    static double L[MAX * MAX], A[MAX * MAX], packed[MAX * MAX], AB[MAX * MAX];
    gdyn_random random = gdyn_random_stream(22, 0, 0);
    for (int trial = 0; trial < 60; trial++) {
        int n = 1 + trial % MAX, band = trial % 9, ld = 3 * band + 1, pivot[MAX];
        double b[MAX], x[MAX], y[MAX], a = 0, size = 0;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                L[i + n * j] = i == j                  ? gdyn_random_between(&random, 1, 2)
                               : i < j || i > j + band ? 0
                                                       : gdyn_random_normal(&random);
        square(n, L, A);
        pack(n, band, A, packed);
        for (int j = 0; j < n; j++) {
            b[j] = x[j] = y[j] = gdyn_random_normal(&random);
            for (int i = 0; i < n; i++) {
                a = hypot(a, A[i + n * j]);
                if (i - j <= band && j - i <= band)
                    AB[2 * band + i - j + ld * j] = A[i + n * j];
            }
        }
        assert_true(gdyn_cholesky_band_factor(n, band, packed));
        gdyn_cholesky_band_solve(n, band, packed, x);
        assert_int_equal(gdyn_band_solve(n, band, band, AB, pivot, 1, y, n), GDYN_OK);
        for (int i = 0; i < n; i++)
            size = hypot(size, fmax(fabs(x[i]), fabs(y[i])));
        for (int i = 0; i < n; i++) {
            assert_true(fabs(product(n, A, x, i) - b[i]) <= 20 * n * DBL_EPSILON * a * size);
            assert_true(fabs(product(n, A, y, i) - b[i]) <= 20 * n * DBL_EPSILON * a * size);
        }
    }
}

/* Indefinite, semidefinite, zero and NaN have no factor; sizes 0 and 1 are matrices too. */
static void bands_without_factor(void **state) {
    (void)state;
    double indefinite[] = {1, 2, 1, NAN}, semidefinite[] = {1, 1, 1, NAN}, zero = 0, negative = -1,
           nan = NAN, nine = 9, x = 18;
    assert_false(gdyn_cholesky_band_factor(2, 1, indefinite));
    assert_false(gdyn_cholesky_band_factor(2, 1, semidefinite));
    assert_false(gdyn_cholesky_band_factor(1, 0, &zero));
    assert_false(gdyn_cholesky_band_factor(1, 0, &negative));
    assert_false(gdyn_cholesky_band_factor(1, 0, &nan));
    assert_true(gdyn_cholesky_band_factor(1, 0, &nine));
    assert_true(nine == 3);
    gdyn_cholesky_band_solve(1, 0, &nine, &x);
    assert_true(x == 2);
    assert_true(gdyn_cholesky_band_factor(0, 2, NULL));
    gdyn_cholesky_band_solve(0, 2, NULL, NULL);
}

/* Hilbert's matrix 1 / (i + j - 1) of order 3 has the inverse [9 -36 30; -36 192 -180; 30 -180 180] and the condition
 * number 524. */
static void inverse_of_hilbert(void **state) {
    (void)state;
    static const double inverse[3][3] = {{9, -36, 30}, {-36, 192, -180}, {30, -180, 180}};
    double M[3 * 6];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 6; j++)
            M[6 * i + j] = j < 3 ? 1.0 / (i + j + 1) : i == j - 3;
    assert_true(gdyn_gauss_jordan(M, 3, 6, 0));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_true(fabs(M[6 * i + 3 + j] - inverse[i][j]) <= 10 * DBL_EPSILON * 524 * 408);
}

/* [M | I] becomes [I | M^-1]; a multiple of a row has no pivot left. */
static void inverse_of_random(void **state) {
    (void)state;
    enum { N = 12 };
    double M[N * 2 * N], inverse[N * 2 * N];
    gdyn_random random = gdyn_random_stream(7, 0, 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 2 * N; j++)
            M[i * 2 * N + j] = j < N ? gdyn_random_between(&random, -1, 1) : i == j - N;
    memcpy(inverse, M, sizeof M);
    assert_true(gdyn_gauss_jordan(inverse, N, 2 * N, 0));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += M[i * 2 * N + k] * inverse[k * 2 * N + N + j];
            assert_true(fabs(sum - (i == j)) <= 1e-12);
        }
    for (int j = 0; j < 2 * N; j++)
        M[3 * 2 * N + j] = 2 * M[j];
    assert_false(gdyn_gauss_jordan(M, N, 2 * N, 1e-12));
}

/* Rows that must be exchanged, pivots at and below `least`, singular and NaN, sizes 0 and 1. */
static void gauss_jordan_at_its_edges(void **state) {
    (void)state;
    double cyclic[] = {0, 2, 0, 10, 0, 0, 4, 20, 8, 0, 0, 40}; /* 2 y = 10, 4 z = 20, 8 x = 40 */
    assert_true(gdyn_gauss_jordan(cyclic, 3, 4, 0));
    static const double solved[] = {1, 0, 0, 5, 0, 1, 0, 5, 0, 0, 1, 5};
    for (int i = 0; i < 12; i++)
        assert_true(cyclic[i] == solved[i]);

    double singular[] = {1, 2, 2, 4}, nan[] = {NAN, 0, 0, 1};
    double small[] = {1, 0, 0, 0x1p-30}, again[] = {1, 0, 0, 0x1p-30};
    assert_false(gdyn_gauss_jordan(singular, 2, 2, 0));
    assert_false(gdyn_gauss_jordan(nan, 2, 2, 0));
    assert_false(gdyn_gauss_jordan(small, 2, 2, 0x1p-30));
    assert_true(gdyn_gauss_jordan(again, 2, 2, 0x1p-31));
    assert_true(again[3] == 1);

    double one[] = {4, 12}, zero = 0, none[2] = {NAN, NAN};
    assert_true(gdyn_gauss_jordan(one, 1, 2, 0));
    assert_true(one[0] == 1 && one[1] == 3);
    assert_false(gdyn_gauss_jordan(&zero, 1, 1, 0));
    assert_true(gdyn_gauss_jordan(none, 0, 2, 0));
}

/* The n edges of a ring, each +1 at one corner and -1 at the next: rank n - 1, null space (1, ..., 1), and all
 * minors are 0 or +-1. So n - 1 rows become "this corner less the free one", the last one zero, without error. */
static void echelon_of_a_ring(void **state) {
    (void)state;
    double M[MAX * MAX];
    for (int n = 2; n <= MAX; n++) {
        memset(M, 0, sizeof M);
        for (int i = 0; i < n; i++) {
            M[i * n + i] = 1;
            M[i * n + (i + 1) % n] = -1;
        }
        gdyn_reduced_echelon(M, n, n);
        int free = -1, corners[MAX] = {0};
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double entry = M[i * n + j];
                assert_true(entry == 0 || (i < n - 1 && fabs(entry) == 1));
                if (entry < 0)
                    assert_true(free < 0 || free == j), free = j;
                if (entry > 0)
                    corners[j]++;
            }
        for (int j = 0; j < n; j++)
            assert_int_equal(corners[j], j == free ? 0 : 1);
    }
}

/* M = X [I B], r independent rows, has the null space [-B; I]. Its echelon form keeps that null space: each row has a
 * column of its own, a one in which all others are zero. */
static void echelon_keeps_the_null_space(void **state) {
    (void)state;
    double M[MAX * MAX], base[MAX * MAX];
    gdyn_random random = gdyn_random_stream(23, 0, 0);
    for (int trial = 0; trial < 200; trial++) {
        int rank = 1 + trial % 6, n = rank + trial / 6 % 5;
        for (int i = 0; i < rank; i++)
            for (int j = 0; j < n; j++)
                base[i * n + j] = j < rank ? i == j : gdyn_random_between(&random, -1, 1);
        /* X = (r + 1) 1 plus entries below one: diagonally dominant */
        for (int i = 0; i < rank; i++)
            for (int j = 0; j < n; j++)
                M[i * n + j] = (rank + 1) * base[i * n + j];
        for (int i = 0; i < rank; i++)
            for (int k = 0; k < rank; k++) {
                double factor = gdyn_random_between(&random, -1, 1);
                for (int j = 0; j < n; j++)
                    M[i * n + j] += factor * base[k * n + j];
            }
        gdyn_reduced_echelon(M, rank, n);
        for (int i = 0; i < rank; i++) {
            int own = 0;
            for (int j = 0; j < n && !own; j++) {
                own = M[i * n + j] == 1;
                for (int k = 0; k < rank; k++)
                    own = own && (k == i || M[k * n + j] == 0);
            }
            assert_true(own);
            for (int f = rank; f < n; f++) {
                double sum = M[i * n + f];
                for (int k = 0; k < rank; k++)
                    sum -= M[i * n + k] * base[k * n + f];
                assert_true(fabs(sum) <= 1e-11);
            }
        }
    }
}

/* A regular matrix becomes a permutation; zero stays zero; one row is divided by its greatest entry; no row. */
static void echelon_at_its_edges(void **state) {
    (void)state;
    double regular[] = {2, 1, 1, 1}, zero[6] = {0}, row[] = {1, -4, 2}, none[1] = {NAN};
    gdyn_reduced_echelon(regular, 2, 2);
    static const double identity[] = {1, 0, 0, 1};
    assert_memory_equal(regular, identity, sizeof identity);
    gdyn_reduced_echelon(zero, 2, 3);
    for (int j = 0; j < 6; j++)
        assert_true(zero[j] == 0);
    gdyn_reduced_echelon(row, 1, 3);
    assert_true(row[0] == -0.25 && row[1] == 1 && row[2] == -0.5);
    gdyn_reduced_echelon(none, 0, 1);
    assert_true(isnan(none[0]));
}

/* --- blocks ---------------------------------------------------------------------------------------- */

enum { NODES = 12, SIZE = 3, UNKNOWNS = NODES * SIZE };

/* Trees have no fill whatever their order, a ring a block per node but three, a clique all. */
static void fill_of_graphs(void **state) {
    (void)state;
    int edge[NODES * NODES][2], count = 0;
    for (int i = 1; i < NODES; i++) {
        edge[i - 1][0] = (7 * i) % i / 2;
        edge[i - 1][1] = i;
    }
    gdyn_blocks *s = gdyn_blocks_create(NODES, SIZE, NODES - 1, (const int(*)[2])edge);
    assert_int_equal(gdyn_blocks_stored(s), 2 * NODES - 1);
    gdyn_blocks_destroy(s);
    for (int i = 0; i < NODES; i++) {
        edge[i][0] = 5 * i % NODES;
        edge[i][1] = 5 * (i + 1) % NODES;
    }
    s = gdyn_blocks_create(NODES, SIZE, NODES, (const int(*)[2])edge);
    assert_int_equal(gdyn_blocks_stored(s), 3 * NODES - 3);
    gdyn_blocks_destroy(s);
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j <= i; j++, count++) {
            edge[count][0] = i;
            edge[count][1] = j;
        }
    s = gdyn_blocks_create(NODES, SIZE, count, (const int(*)[2])edge);
    assert_int_equal(gdyn_blocks_stored(s), NODES * (NODES + 1) / 2);
    gdyn_blocks_destroy(s);
}

/* full := full + x y^T + its mirror image, at two nodes. */
static void add_full(double *full, int i, int j, const double *x, const double *y) {
    for (int r = 0; r < SIZE; r++)
        for (int c = 0; c < SIZE; c++) {
            full[SIZE * i + r + UNKNOWNS * (SIZE * j + c)] += x[r] * y[c];
            if (i != j)
                full[SIZE * j + c + UNKNOWNS * (SIZE * i + r)] += x[r] * y[c];
        }
}

/* Sums of squares of rows that touch two nodes of a random graph, with a shift: the residual of the solution against the full
 * matrix, which loses no more than its condition (below 1e6 by the shift). */
static void blocks_leave_no_residual(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(12, 5, 0);
    for (int trial = 0; trial < 200; trial++) {
        static double full[UNKNOWNS * UNKNOWNS];
        int edge[2 * NODES][2], edges = gdyn_random_below(&random, 2 * NODES);
        memset(full, 0, sizeof full);
        for (int i = 0; i < edges; i++)
            for (int k = 0; k < 2; k++)
                edge[i][k] = gdyn_random_below(&random, NODES);
        gdyn_blocks *s = gdyn_blocks_create(NODES, SIZE, edges, (const int(*)[2])edge);
        gdyn_blocks_clear(s);
        for (int i = 0; i < edges; i++) {
            double x[2][SIZE];
            for (int k = 0; k < 2 * SIZE; k++)
                x[k / SIZE][k % SIZE] = gdyn_random_between(&random, -1, 1);
            for (int k = 0; k < 3; k++) {
                int a = k < 2 ? k : 0, b = k < 2 ? k : 1;
                if (k == 2 && edge[i][0] == edge[i][1])
                    break;
                add_full(full, edge[i][a], edge[i][b], x[a], x[b]);
                assert_true(gdyn_blocks_add(s, edge[i][a], edge[i][b], x[a], x[b]));
            }
        }
        double b[UNKNOWNS], x[UNKNOWNS];
        for (int j = 0; j < UNKNOWNS; j++)
            x[j] = b[j] = gdyn_random_between(&random, -1, 1);
        assert_true(gdyn_blocks_factor(s, 1e-4));
        gdyn_blocks_solve(s, x);
        for (int j = 0; j < UNKNOWNS; j++)
            assert_true(fabs(product(UNKNOWNS, full, x, j) + 1e-4 * x[j] - b[j]) <= 1e-10);
        /* no shift makes up for a negative square */
        const double one[SIZE] = {1, 0, 0}, less[SIZE] = {-1e3, 0, 0};
        assert_true(gdyn_blocks_add(s, 3, 3, one, less));
        assert_false(gdyn_blocks_factor(s, 1e-4));
        gdyn_blocks_destroy(s);
    }
}

/* A block where there is no edge is refused. */
static void blocks_without_edge(void **state) {
    (void)state;
    const int edge[1][2] = {{0, 1}};
    const double x[SIZE] = {1, 2, 3};
    gdyn_blocks *s = gdyn_blocks_create(NODES, SIZE, 1, edge);
    assert_false(gdyn_blocks_add(s, 4, 2, x, x));
    assert_true(gdyn_blocks_add(s, 1, 0, x, x));
    gdyn_blocks_destroy(s);
    assert_null((gdyn_alloc_fail_after(1), gdyn_blocks_create(NODES, SIZE, 1, edge)));
    gdyn_alloc_fail_after(-1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(band_of_integers),
        cmocka_unit_test(band_of_a_string),
        cmocka_unit_test(bands_leave_no_residual),
        cmocka_unit_test(bands_without_factor),
        cmocka_unit_test(inverse_of_hilbert),
        cmocka_unit_test(inverse_of_random),
        cmocka_unit_test(gauss_jordan_at_its_edges),
        cmocka_unit_test(echelon_of_a_ring),
        cmocka_unit_test(echelon_keeps_the_null_space),
        cmocka_unit_test(echelon_at_its_edges),
        cmocka_unit_test(fill_of_graphs),
        cmocka_unit_test(blocks_leave_no_residual),
        cmocka_unit_test(blocks_without_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
