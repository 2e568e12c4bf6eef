/* test_lp.c - small programs with known answers, duals by their definition, proofs of
 * infeasibility. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "share.h"

#include "lp/lp.h"

#include "base/memory.h"
#include "base/random.h"
#include "linalg/linalg.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* Programs with more columns than these are solved by GLPK, others without. */
enum { FEW = 3, GLPK = 4 };

/* maximize 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18: (2, 6), value 36, duals 0, 1.5, 1 (Hillier);
 * further columns without effect are fixed at zero. */
static gdyn_lp *textbook(int cols) {
    static const double A[3 * GLPK] = {1, 0, 3, 0, 2, 2};
    gdyn_lp *lp = gdyn_lp_create(3, cols);
    assert_non_null(lp);
    assert_int_equal(gdyn_lp_load(lp, 3, cols, A, 3), GDYN_OK);
    for (int j = 2; j < cols; j++)
        gdyn_lp_column(lp, j, 0, 0);
    gdyn_lp_row(lp, 0, -INFINITY, 4);
    gdyn_lp_row(lp, 1, -INFINITY, 12);
    gdyn_lp_row(lp, 2, -INFINITY, 18);
    gdyn_lp_column(lp, 0, 0, INFINITY);
    gdyn_lp_column(lp, 1, 0, INFINITY);
    gdyn_lp_objective(lp, 0, 3);
    gdyn_lp_objective(lp, 1, 5);
    return lp;
}

static void test_textbook(void **state) {
    (void)state;
    for (int trial = 0; trial < 4; trial++) {
        int method = trial % 2;
        gdyn_lp *lp = textbook(trial < 2 ? 2 : GLPK);
        gdyn_lp_status outcome;
        assert_int_equal(gdyn_lp_solve(lp, true, method ? GDYN_LP_DUAL : GDYN_LP_PRIMAL, &outcome),
                         GDYN_OK);
        assert_int_equal(outcome, GDYN_LP_OPTIMAL);
        assert_near(gdyn_lp_value(lp), 36, 1e-12);
        assert_near(gdyn_lp_x(lp, 0), 2, 1e-12);
        assert_near(gdyn_lp_x(lp, 1), 6, 1e-12);
        assert_near(gdyn_lp_row_dual(lp, 0), 0, 1e-12);
        assert_near(gdyn_lp_row_dual(lp, 1), 1.5, 1e-12);
        assert_near(gdyn_lp_row_dual(lp, 2), 1, 1e-12);
        assert_int_equal(gdyn_lp_row_place(lp, 0), GDYN_LP_BASIC);
        assert_int_equal(gdyn_lp_row_place(lp, 1), GDYN_LP_AT_HIGH);
        /* a warm start after a change of bounds */
        gdyn_lp_row(lp, 1, -INFINITY, 10);
        assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_DUAL, &outcome), GDYN_OK);
        assert_near(gdyn_lp_value(lp), 36 - 2 * 1.5, 1e-12);
        gdyn_lp_destroy(lp);
    }
}

static void outcomes(int cols) {
    gdyn_lp *lp = textbook(cols);
    gdyn_lp_status outcome;
    gdyn_lp_row(lp, 0, 7, 8);
    assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
    assert_int_equal(outcome, GDYN_LP_INFEASIBLE);
    gdyn_lp_row(lp, 0, 9, 8);
    assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
    assert_int_equal(outcome, GDYN_LP_INFEASIBLE);
    gdyn_lp_row(lp, 0, -INFINITY, 4);
    gdyn_lp_row(lp, 1, -INFINITY, INFINITY);
    gdyn_lp_row(lp, 2, -INFINITY, INFINITY);
    assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
    assert_int_equal(outcome, GDYN_LP_UNBOUNDED);
    gdyn_lp_row(lp, 0, NAN, 4);
    assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_PRIMAL, &outcome), GDYN_ERROR_ARGUMENT);
    double bad[6] = {1, 2, NAN, 4, 5, 6};
    assert_int_equal(gdyn_lp_load(lp, 3, 2, bad, 3), GDYN_ERROR_ARGUMENT);
    assert_int_equal(gdyn_lp_load(lp, 4, 2, bad, 3), GDYN_ERROR_ARGUMENT);
    gdyn_lp_release(lp);
    gdyn_lp_destroy(lp);
}

static void test_outcomes(void **state) {
    (void)state;
    outcomes(2);
    outcomes(GLPK);
    gdyn_lp_destroy(NULL);
}

/* Farkas multipliers prove what they claim: checked from the data alone. */
static void test_farkas(void **state) {
    (void)state;
    gdyn_random random = gdyn_random_stream(3, 1, 4);
    int proofs = 0;
    for (int trial = 0; trial < 300; trial++) {
        int m = 3 + gdyn_random_below(&random, 6), n = 1 + gdyn_random_below(&random, 4);
        double A[8 * 4], low[8], high[8], u[8], v[4], gap;
        gdyn_lp *lp = gdyn_lp_create(m, n);
        for (int i = 0; i < m * n; i++)
            A[i] = gdyn_random_normal(&random);
        gdyn_lp_load(lp, m, n, A, m);
        for (int i = 0; i < m; i++) {
            low[i] = gdyn_random_normal(&random) * 2;
            high[i] =
                gdyn_random_below(&random, 3) ? low[i] + gdyn_random_uniform(&random) : INFINITY;
            gdyn_lp_row(lp, i, low[i], high[i]);
        }
        for (int j = 0; j < n; j++)
            gdyn_lp_column(lp, j, -3, j ? 3 : INFINITY);
        gdyn_lp_status outcome;
        assert_int_equal(gdyn_lp_solve(lp, false, GDYN_LP_DUAL, &outcome), GDYN_OK);
        assert_int_equal(gdyn_lp_farkas(lp, u, v, &gap), GDYN_OK);
        if (outcome == GDYN_LP_OPTIMAL) {
            assert_true(gap <= 1e-9);
        } else {
            assert_int_equal(outcome, GDYN_LP_INFEASIBLE);
            assert_true(gap > 0);
            double most = 0;
            for (int i = 0; i < m; i++)
                most += u[i] > 0 ? u[i] * high[i] : u[i] < 0 ? u[i] * low[i] : 0;
            for (int j = 0; j < n; j++) {
                double sum = v[j];
                for (int i = 0; i < m; i++)
                    sum += u[i] * A[j * m + i];
                assert_near(sum, 0, 1e-11);
                most += v[j] > 0 ? v[j] * (j ? 3 : INFINITY) : v[j] < 0 ? v[j] * -3 : 0;
            }
            assert_near(most, -gap, 1e-9);
            proofs++;
        }
        gdyn_lp_destroy(lp);
    }
    assert_true(proofs > 50);
}

/* Vertices that are known beforehand: at x = V^-1 v of n random rows, with multipliers of the right signs, all other rows
 * have room. Bounds of single rows are up to 10^14 times those of others; GLPK's own tolerances are absolute. */
static void test_far_bounds(void **state) {
    (void)state;
    enum { N = 4, M = 10 };
    for (int n = 0; n < gdyn_share(2000); n++) {
        gdyn_random random = gdyn_random_stream(12, (uint64_t)n, 0);
        gdyn_lp *lp = gdyn_lp_create(M, N);
        double A[M * N], x[N], goal = 0;
        for (int j = 0; j < N; j++)
            x[j] = gdyn_random_below(&random, 9) - 4;
        for (int i = 0; i < M * N; i++)
            A[i] = gdyn_random_below(&random, 9) - 4;
        assert_int_equal(gdyn_lp_load(lp, M, N, A, M), GDYN_OK);
        double far = pow(10, gdyn_random_between(&random, 6, 14));
        double cost[N] = {0};
        for (int i = 0; i < M; i++) {
            double at = 0, weight = i < N ? 1 + gdyn_random_below(&random, 3) : 0;
            for (int j = 0; j < N; j++) {
                at += A[j * M + i] * x[j];
                cost[j] += weight * A[j * M + i];
            }
            goal += weight * at;
            gdyn_lp_row(lp, i, i % 2 ? -far : at - 3, i < N ? at : far);
        }
        for (int j = 0; j < N; j++)
            gdyn_lp_objective(lp, j, cost[j]);
        gdyn_lp_status outcome;
        assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_DUAL, &outcome), GDYN_OK);
        assert_int_equal(outcome, GDYN_LP_OPTIMAL);
        assert_near(gdyn_lp_value(lp), goal, 1e-12 * (1 + fabs(goal)));
        for (int i = 0; i < M; i++) {
            double at = 0, found = 0;
            for (int j = 0; j < N; j++) {
                at += A[j * M + i] * x[j];
                found += A[j * M + i] * gdyn_lp_x(lp, j);
            }
            assert_true(i >= N || found <= at + 1e-12 * far);
            assert_true(i % 2 || found >= at - 3 - 1e-12 * far);
        }
        gdyn_lp_destroy(lp);
    }
}

/* --- few columns ------------------------------------------------------------------------------ */

enum { SIDES = 8 };

/* maximize cost^T x, low <= A x <= high, n <= FEW columns without bounds of their own. */
typedef struct program {
    int n;
    double A[SIDES * FEW], low[SIDES], high[SIDES], cost[FEW];
} program;

/* Small integers, so that rows meet in one point, coincide or vanish; cost within the cone of the
 * rows' sides or anywhere. */
static program random_program(gdyn_random *random) {
    program p = {.n = 1 + gdyn_random_below(random, FEW)};
    bool apart = gdyn_random_below(random, 4) == 0;
    for (int i = 0; i < SIDES * p.n; i++)
        p.A[i] = apart ? gdyn_random_normal(random) : gdyn_random_below(random, 5) - 2;
    bool twins = gdyn_random_below(random, 4) == 0; /* two columns alike */
    for (int i = 0; i < SIDES && twins && p.n > 1; i++)
        p.A[SIDES + i] = p.A[i];
    for (int i = 0; i < SIDES; i++) {
        p.low[i] = gdyn_random_below(random, 8) ? -gdyn_random_below(random, 4) : 1;
        p.high[i] = fmax(p.low[i], 0) + gdyn_random_below(random, 4);
        if (gdyn_random_below(random, 3) == 0)
            *(gdyn_random_below(random, 2) ? &p.low[i] : &p.high[i]) *= INFINITY;
        p.low[i] = isnan(p.low[i]) ? -INFINITY : p.low[i];
        p.high[i] = isnan(p.high[i]) || p.high[i] == -INFINITY ? INFINITY : p.high[i];
    }
    for (int j = 0; j < p.n; j++)
        p.cost[j] = gdyn_random_below(random, 5) - 2;
    return p;
}

/* The program with further columns, fixed at zero, that make it one for GLPK. */
static gdyn_lp_status solve(const program *p, int cols, gdyn_lp *lp) {
    double A[SIDES * GLPK] = {0};
    memcpy(A, p->A, sizeof(double) * (size_t)(SIDES * p->n));
    assert_int_equal(gdyn_lp_load(lp, SIDES, cols, A, SIDES), GDYN_OK);
    for (int i = 0; i < SIDES; i++)
        gdyn_lp_row(lp, i, p->low[i], p->high[i]);
    for (int j = 0; j < p->n; j++)
        gdyn_lp_objective(lp, j, p->cost[j]);
    for (int j = p->n; j < cols; j++)
        gdyn_lp_column(lp, j, 0, 0);
    gdyn_lp_status outcome;
    assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
    return outcome;
}

/* Largest goal over all points where n independent sides meet and all rows hold; -INFINITY:
 * none. */
static double best_vertex(const program *p) {
    int n = p->n, sides = 2 * SIDES, all = 1;
    double best = -INFINITY;
    for (int j = 0; j < n; j++)
        all *= sides;
    for (int code = 0; code < all; code++) {
        double M[FEW * (FEW + 1)], x[FEW] = {0};
        bool rising = true; /* each set of sides once */
        for (int j = 0, rest = code, before = sides; j < n; j++, rest /= sides) {
            int side = rest % sides, i = side / 2;
            rising &= side < before, before = side;
            for (int l = 0; l < n; l++)
                M[j * (n + 1) + l] = p->A[l * SIDES + i];
            M[j * (n + 1) + n] = side % 2 ? p->low[i] : p->high[i];
            rising &= isfinite(M[j * (n + 1) + n]) != 0;
        }
        if (!rising || !gdyn_gauss_jordan(M, n, n + 1, 1e-9))
            continue;
        double goal = 0, out = 0;
        for (int j = 0; j < n; j++) {
            x[j] = M[j * (n + 1) + n];
            goal += p->cost[j] * x[j];
        }
        for (int i = 0; i < SIDES; i++) {
            double at = 0;
            for (int j = 0; j < n; j++)
                at += p->A[j * SIDES + i] * x[j];
            out = fmax(out, fmax(p->low[i] - at, at - p->high[i]));
        }
        best = out < 1e-9 ? fmax(best, goal) : best;
    }
    return best;
}

/* Programs without GLPK against GLPK, and against all their vertices: rows that meet in one point,
 * coincide, vanish or leave no room, columns that are alike. */
static void test_few_columns(void **state) {
    (void)state;
    gdyn_lp *lp = gdyn_lp_create(SIDES, FEW), *glpk = gdyn_lp_create(SIDES, GLPK);
    int outcomes[3] = {0}, vertices = 0;
    for (int trial = 0; trial < gdyn_share(6000); trial++) {
        gdyn_random random = gdyn_random_stream(14, (uint64_t)trial, 0);
        program p = random_program(&random);
        gdyn_lp_status outcome = solve(&p, p.n, lp);
        assert_int_equal(solve(&p, GLPK, glpk), outcome);
        outcomes[outcome]++;
        double best = best_vertex(&p), tolerance = 1e-11 * (1 + fabs(best));
        if (outcome == GDYN_LP_INFEASIBLE)
            assert_true(best == -INFINITY);
        if (outcome != GDYN_LP_OPTIMAL)
            continue;
        assert_near(gdyn_lp_value(lp), gdyn_lp_value(glpk), tolerance);
        if (isfinite(best)) { /* else the feasible set contains a line */
            assert_near(gdyn_lp_value(lp), best, tolerance);
            vertices++;
        }
    }
    assert_true(outcomes[GDYN_LP_OPTIMAL] >= gdyn_share(2000) && vertices >= gdyn_share(2000) &&
                outcomes[GDYN_LP_INFEASIBLE] >= gdyn_share(2000) &&
                outcomes[GDYN_LP_UNBOUNDED] >= gdyn_share(200));
    gdyn_lp_destroy(lp);
    gdyn_lp_destroy(glpk);
}

/* A program without rows or columns, and no memory at create. */
static void test_edges(void **state) {
    (void)state;
    gdyn_lp_status outcome;
    gdyn_lp *lp = gdyn_lp_create(0, 1);
    assert_int_equal(gdyn_lp_load(lp, 0, 1, NULL, 1), GDYN_OK);
    gdyn_lp_column(lp, 0, -1, 2);
    gdyn_lp_objective(lp, 0, 1);
    assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
    assert_int_equal(outcome, GDYN_LP_OPTIMAL);
    assert_near(gdyn_lp_value(lp), 2, 1e-15);
    gdyn_lp_destroy(lp);
    for (int n = 0;; n++) {
        gdyn_alloc_fail_after(n);
        lp = gdyn_lp_create(5, 4);
        gdyn_alloc_fail_after(-1);
        if (lp)
            break;
        assert_true(n < 200);
    }
    gdyn_lp_destroy(lp);
    assert_null(gdyn_lp_create(-1, 2));
}

/* Solves a program made elsewhere, and ends as threads do. */
static void *solve_and_end(void *context) {
    gdyn_lp_status outcome;
    gdyn_status status = gdyn_lp_solve(context, true, GDYN_LP_DUAL, &outcome);
    gdyn_lp_end_thread();
    return status == GDYN_OK && outcome == GDYN_LP_OPTIMAL ? context : NULL;
}

/* A program solved by one thread after another, as those of a workspace are: what GLPK kept for a thread that ended is not
 * touched again (valgrind and the sanitizers see it). */
static void test_threads_in_turn(void **state) {
    (void)state;
    gdyn_lp *lp = textbook(GLPK);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        void *solved = NULL;
        assert_int_equal(pthread_create(&thread, NULL, solve_and_end, lp), 0);
        assert_int_equal(pthread_join(thread, &solved), 0);
        assert_ptr_equal(solved, lp);
        assert_near(gdyn_lp_value(lp), 36, 1e-12);
    }
    /* in this thread, and released by it */
    gdyn_lp_status outcome;
    assert_int_equal(gdyn_lp_solve(lp, true, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
    assert_near(gdyn_lp_value(lp), 36, 1e-12);
    gdyn_lp_destroy(lp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_textbook),       cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_farkas),         cmocka_unit_test(test_far_bounds),
        cmocka_unit_test(test_few_columns),    cmocka_unit_test(test_edges),
        cmocka_unit_test(test_threads_in_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
