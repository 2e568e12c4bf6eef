/* Machines of many bodies: the sparse elimination, the steps along long chains, and coefficients in joint coordinates.
 *
 * - Rank, solutions, null vectors and multipliers of random sparse conditions of known rank, whose factors are known.
 * - A row of four-bars, a loop: u_p and u_pp against the dense SVD of all rows.
 * - Meshes of N x N plates: angles, rates and redundancy, (N - 2)^2, in closed form, without a dense factor.
 * - A chain of N hinges that all turn by p: the angle of link i is (i + 1)(0.1 + p), whole turns included, at one step per point.
 * - Coefficients in joint coordinates against the SVD of [C^T T].
 * - First poses from shaken guesses by sparse steps against dense ones of minimum norm.
 * - Factors have at most eight multipliers per body, however many there are: dense ones of 161 bodies would have thousands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../chains.h"
#include "access/evaluate.h"
#include "base/random.h"
#include "closure/internal.h"
#include "near.h"
#include "tree/internal.h"

static gdyn_random dice;

/* --- the sparse elimination ------------------------------------------------------------------------------ */

enum { ROWS = 60, COLUMNS = 50, MOST = ROWS * COLUMNS };

/* K: `rank` random sparse rows, then combinations of two of them each. */
static void random_rows(int rank, double *K) {
    memset(K, 0, MOST * sizeof *K);
    for (int i = 0; i < ROWS; i++) {
        int a = (int)gdyn_random_between(&dice, 0, rank),
            b = (int)gdyn_random_between(&dice, 0, rank);
        for (int j = 0; j < COLUMNS; j++)
            if (i >= rank)
                K[COLUMNS * i + j] = K[COLUMNS * a + j] - 0.7 * K[COLUMNS * b + j];
            else if (j == i || gdyn_random_between(&dice, 0, 1) < 0.06)
                K[COLUMNS * i + j] = (j == i ? 2 : 0) + gdyn_random_between(&dice, -1, 1);
    }
}

/* x of the solution for b = K y, lambda of tau = K^T mu, null vectors: residuals against K itself. */
static void check_factors(const gdyn_sparse *s, const double *K) {
    double y[COLUMNS], x[COLUMNS] = {0}, b[ROWS] = {0}, mu[ROWS], tau[COLUMNS] = {0}, lambda[ROWS];
    double left[COLUMNS] = {0};
    for (int j = 0; j < COLUMNS; j++)
        y[j] = gdyn_random_between(&dice, -1, 1);
    for (int i = 0; i < ROWS; i++) {
        mu[i] = gdyn_random_between(&dice, -1, 1);
        for (int j = 0; j < COLUMNS; j++) {
            b[i] += K[COLUMNS * i + j] * y[j];
            tau[j] += K[COLUMNS * i + j] * mu[i];
        }
    }
    memcpy(left, tau, sizeof left);
    gdyn_sparse_solve(s, b, x);
    gdyn_sparse_solve_transposed(s, false, tau, lambda);
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int j = 0; j < COLUMNS; j++) {
            sum += K[COLUMNS * i + j] * (x[j] - y[j]);
            left[j] -= K[COLUMNS * i + j] * lambda[i];
        }
        assert_near(sum, 0, 1e-10);
        assert_true(s->settled[i] || lambda[i] == 0);
    }
    for (int j = 0; j < COLUMNS; j++)
        assert_near(left[j], 0, 1e-10);
    for (int f = 0; f < COLUMNS; f++) {
        if (s->row_of[f] >= 0)
            continue;
        memset(x, 0, sizeof x);
        x[f] = 1;
        gdyn_sparse_solve(s, NULL, x);
        for (int i = 0; i < ROWS; i++) {
            double sum = 0;
            for (int j = 0; j < COLUMNS; j++)
                sum += K[COLUMNS * i + j] * x[j];
            assert_near(sum, 0, 1e-10);
        }
    }
}

static void test_sparse(void **state) {
    (void)state;
    static double K[MOST];
    int all[ROWS], few[ROWS / 2];
    bool barred[COLUMNS];
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_sparse s;
    assert_true(gdyn_sparse_create(arena, &s, ROWS, COLUMNS));
    for (int i = 0; i < ROWS; i++)
        all[i] = i;
    for (int i = 0; i < ROWS / 2; i++)
        few[i] = 2 * i;
    for (int j = 0; j < COLUMNS; j++)
        barred[j] = j % 5 == 0;
    for (int i = 0; i < 200; i++) {
        int rank = (int)gdyn_random_between(&dice, 1, 46);
        gdyn_sparse_sizes sizes = {.smallest = INFINITY};
        random_rows(rank, K);
        gdyn_sparse_clear(&s, ROWS);
        s.rook = i % 3 == 0;
        for (int k = 0; k < MOST; k++)
            if (K[k] != 0)
                gdyn_sparse_add(&s, k / COLUMNS, k % COLUMNS, K[k]);
        /* half of the rows without some columns first, in every other run */
        if (i % 2)
            gdyn_sparse_stage(&s, ROWS / 2, few, barred, 1e-3, 1e-3, &sizes);
        double left = gdyn_sparse_stage(&s, ROWS, all, NULL, 0, 1e-9, &sizes);
        assert_int_equal(s.steps, rank);
        assert_true(left < 1e-11 * sizes.greatest);
        check_factors(&s, K);
    }
    gdyn_arena_destroy(arena);
}

/* --- machines on their paths -------------------------------------------------------------------------------- */

typedef struct trip {
    gdyn_model *model;
    gdyn_path *path;
    gdyn_track *track;
    gdyn_closure *closure;
    gdyn_expr *value[CHAIN_JOINTS];
    int values;
} trip;

static trip travel(chain_maker m, int points) {
    trip t = {.values = m.prescribed};
    gdyn_path_joint joint[CHAIN_JOINTS];
    const char *variable = "p";
    gdyn_scope scope = {.variables = &variable, .variable_count = 1};
    gdyn_path_def def = gdyn_path_default();
    assert_int_equal(gdyn_model_create(m.machine, NULL, &t.model), GDYN_OK);
    gdyn_machine_destroy(m.machine);
    for (int i = 0; i < m.prescribed; i++) {
        gdyn_expr_error error;
        assert_non_null(t.value[i] = gdyn_expr_compile(m.formula[i], &scope, &error));
        joint[i] = (gdyn_path_joint){.joint = m.driven[i], .value = t.value[i]};
    }
    def.name = "path";
    def.joints = m.prescribed;
    def.joint = joint;
    def.p_given = true;
    def.p_end = 0.05 * (points - 1);
    def.points = points;
    assert_int_equal(gdyn_path_create(t.model, &def, NULL, &t.path), GDYN_OK);
    t.track = gdyn_track_create(t.model, t.path);
    t.closure = gdyn_closure_create(t.model, gdyn_path_targets(t.path));
    assert_int_equal(gdyn_track_follow(t.track, t.path, t.closure, NULL), GDYN_OK);
    assert_int_equal(t.track->followed, points);
    return t;
}

static void arrive(trip *t) {
    gdyn_closure_destroy(t->closure);
    gdyn_track_destroy(t->track);
    gdyn_path_destroy(t->path);
    for (int i = 0; i < t->values; i++)
        gdyn_expr_destroy(t->value[i]);
    gdyn_model_destroy(t->model);
}

/* u_p, u_pp of the track against singular values of all rows. Sums over N bodies: N eps times rates and lengths that grow
 * with N. */
static void check_rates(chain_maker m) {
    trip t = travel(m, 9);
    int n = t.track->n, count = gdyn_path_targets(t.path);
    double *u_p = calloc((size_t)n, sizeof *u_p), *u_pp = calloc((size_t)n, sizeof *u_pp);
    gdyn_target *target = calloc((size_t)count, sizeof *target);
    for (int i = 0; i < t.track->points; i += 4) {
        gdyn_closure_rates rates;
        const double *own = t.track->u_p + n * i, *own2 = t.track->u_pp + n * i;
        double size = 0, size2 = 0;
        gdyn_path_evaluate(t.path, t.track->p[i], target);
        assert_int_equal(gdyn_closure_derivatives(t.closure, t.track->state[i], count, target, NULL,
                                                  u_p, u_pp, &rates),
                         GDYN_OK);
        for (int j = 0; j < n; j++) {
            size = fmax(size, fabs(u_p[j]));
            size2 = fmax(size2, fabs(u_pp[j]));
        }
        for (int j = 0; j < n; j++) {
            assert_near(own[j], u_p[j], 1e-9 * size);
            assert_near(own2[j], u_pp[j], 1e-9 * (size2 + size * size));
        }
    }
    free(target);
    free(u_pp);
    free(u_p);
    arrive(&t);
}

static void test_rates(void **state) {
    (void)state;
    check_rates(chain_closed_planar(21));
    check_rates(chain_closed_spatial(21));
    check_rates(chain_closed_hinges(21));
    check_rates(chain_loop_planar(20));
    check_rates(chain_serial_spatial(12));
}

/* Angle of the first link in the chain's plane. */
static double first_angle(const chain_maker *m, const gdyn_state *at) {
    double r[3], R[9];
    gdyn_state_body(at, 0, r, R);
    m3_apply_t(r, m->R, r);
    return atan2(r[1], r[0]);
}

/* Angles of a chain in closed form: link i turns by (i + 1)(0.1 + p) about the plane's normal. In space the first hinge counts
 * from a direction of its own. */
static void check_chain(chain_maker m, int links, int points) {
    trip t = travel(m, points);
    double offset = first_angle(&m, t.track->state[0]) - 0.1;
    assert_true(t.track->steps <= points + 2);
    assert_true(m.spatial || fabs(offset) < 1e-12);
    for (int k = 0; k < points; k++) {
        double p = t.track->p[k], place[3] = {0, 0, 0};
        double z[6 * 200];
        gdyn_state_z(t.track->state[k], z);
        for (int i = 0; i < links; i++) {
            double angle = (i + 1) * (0.1 + p), along[3], middle[3], r[3], R[9];
            v3_set(along, cos(angle + offset), sin(angle + offset), 0);
            v3_axpy(middle, place, 0.5, along);
            m3_apply(middle, m.R, middle);
            gdyn_state_body(t.track->state[k], i, r, R);
            for (int j = 0; j < 3; j++)
                assert_near(r[j], middle[j], 1e-10);
            v3_add(place, place, along);
            /* angles of plane bodies count turns */
            if (!m.spatial)
                assert_near(z[3 * i + 2], angle, 1e-10);
        }
    }
    arrive(&t);
}

static void test_chain(void **state) {
    (void)state;
    check_chain(chain_serial_planar(160), 160, 11);
    check_chain(chain_serial_spatial(80), 80, 11);
}

/* Plates of one colour turn by 0.2 p, the others back; 4 N (N - 1) + 2 conditions leave two freedoms of 3 N^2. Rounding is that
 * of Newton's method, 1e-12 of the machine's length, times the sides of the mesh. */
static void check_mesh(int side, double height) {
    int bodies = side * side;
    trip t = travel(chain_mesh(bodies, height), 11);
    gdyn_mobility mobility;
    for (int k = 0; k < t.track->points; k++) {
        const double *u_p = t.track->u_p + t.track->n * k, *u_pp = t.track->u_pp + t.track->n * k;
        double *z = calloc((size_t)t.track->n, sizeof *z);
        gdyn_state_z(t.track->state[k], z);
        for (int i = 0; i < bodies; i++) {
            double sign = (i % side + i / side) % 2 ? -1 : 1;
            assert_near(z[3 * i + 2], sign * (0.3 + 0.2 * t.track->p[k]), 1e-10);
            assert_near(u_p[3 * i + 2], sign * 0.2, 1e-9);
            assert_near(u_pp[3 * i + 2], 0, 1e-8);
        }
        free(z);
    }
    assert_int_equal(t.closure->derived_densely, 0);
    assert_int_equal(gdyn_closure_mobility(t.closure, t.track->state[0], &mobility), GDYN_OK);
    assert_int_equal(mobility.mobility, 2);
    assert_int_equal(mobility.redundant, (side - 2) * (side - 2));
    arrive(&t);
}

static void test_mesh(void **state) {
    (void)state;
    check_mesh(5, 0.8);
    check_mesh(9, 1.5);
    check_mesh(16, 0.8);
    check_mesh(14, 1.5); /* where sparse pivots let rounding grow */
    check_rates(chain_mesh(64, 1.5));
}

/* --- coefficients --------------------------------------------------------------------------------------------- */

static void check_coefficients(chain_maker m) {
    trip t = travel(m, 5);
    gdyn_evaluator *e = gdyn_evaluator_create(t.model);
    gdyn_pose *fast = gdyn_pose_create(t.model), *dense = gdyn_pose_create(t.model);
    for (int i = 0; i < t.track->points; i++) {
        gdyn_path_rates rates = {.u_p = t.track->u_p + t.track->n * i,
                                 .u_pp = t.track->u_pp + t.track->n * i};
        const gdyn_state *at = t.track->state[i];
        assert_int_equal(gdyn_evaluator_pose(e, at, &rates, GDYN_REDUCE_NULL, fast), GDYN_OK);
        assert_int_equal(gdyn_evaluator_pose(e, at, &rates, GDYN_REDUCE_SVD, dense), GDYN_OK);
        const gdyn_coefficients *a = &fast->coefficients, *b = &dense->coefficients;
        assert_int_equal(fast->mobility, dense->mobility);
        assert_int_equal(fast->mobility, m.prescribed);
        assert_int_equal(fast->rank_c.rank, dense->rank_c.rank);
        assert_int_equal(a->r, b->r);
        assert_int_equal(a->k, b->k);
        assert_int_equal(a->equalities, b->equalities);
        /* in shares of the largest limit, 1e5 N m */
        for (int k = 0; k < a->k; k++) {
            assert_near(a->A[k], b->A[k], 1e-4);
            assert_near(a->B[k], b->B[k], 1e-4);
            assert_near(a->C[k], b->C[k], 1e-4);
            assert_near(a->D[k], b->D[k], 1e-4);
            assert_true(a->A_error[k] >= 0 && a->A_error[k] < 1e-3);
        }
    }
    gdyn_pose_destroy(dense);
    gdyn_pose_destroy(fast);
    gdyn_evaluator_destroy(e);
    arrive(&t);
}

static void test_coefficients(void **state) {
    (void)state;
    check_coefficients(chain_serial_planar(14));
    check_coefficients(chain_serial_spatial(12));
    check_coefficients(chain_loop_planar(15));
    check_coefficients(chain_closed_spatial(11));
}

/* --- first poses ------------------------------------------------------------------------------------------------ */

/* A guess that is shaken, every body by itself. */
static void shake(gdyn_state *guess, int n, double size) {
    double *du = calloc((size_t)n, sizeof *du);
    for (int j = 0; j < n; j++)
        du[j] = size * gdyn_random_between(&dice, -1, 1);
    gdyn_state_move(guess, du);
    free(du);
}

/* A shaken guess is closed by sparse steps, without a dense factor. Dense minimum-norm steps are the second algorithm: the
 * same rank, and nearly the same pose: redundant rows contradict each other until the machine is closed, and both take them differently. */
static void check_assembly(chain_maker m, double size) {
    gdyn_model *model;
    assert_int_equal(gdyn_model_create(m.machine, NULL, &model), GDYN_OK);
    gdyn_machine_destroy(m.machine);
    gdyn_closure *sparse = gdyn_closure_create(model, 0), *dense = gdyn_closure_create(model, 0);
    gdyn_state *one = gdyn_state_create(model), *other = gdyn_state_create(model);
    gdyn_closure_settings newton = gdyn_closure_default();
    gdyn_closure_info a, b;
    newton.method = GDYN_CLOSURE_NEWTON;
    shake(one, gdyn_model_coordinates(model), size);
    gdyn_state_copy(other, one);
    assert_int_equal(gdyn_closure_solve(sparse, one, 0, NULL, NULL, &a), GDYN_OK);
    assert_int_equal(gdyn_closure_solve(dense, other, 0, NULL, &newton, &b), GDYN_OK);
    assert_int_equal(a.outcome, GDYN_CLOSED);
    assert_int_equal(b.outcome, GDYN_CLOSED);
    assert_true(a.residual <= 1e-13);
    assert_true(a.iterations <= 8);
    assert_int_equal(a.rank.rank, b.rank.rank);
    assert_int_equal(sparse->qr->rank.rank, 0); /* never used */
    assert_near(a.moved, b.moved, 0.03 * b.moved);
    assert_true(gdyn_state_near(one, other, 0.1 * size));
    gdyn_state_destroy(other);
    gdyn_state_destroy(one);
    gdyn_closure_destroy(dense);
    gdyn_closure_destroy(sparse);
    gdyn_model_destroy(model);
}

static void test_assembly(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        double size = i ? 1e-4 : 0.02;
        check_assembly(chain_closed_planar(81), size);
        check_assembly(chain_closed_spatial(21), size);
        check_assembly(chain_closed_hinges(21), size);
        check_assembly(chain_serial_planar(60), size);
        check_assembly(chain_serial_spatial(30), size);
        check_assembly(chain_loop_planar(60), size);
    }
}

/* --- growth ----------------------------------------------------------------------------------------------------- */

/* Multipliers of the factors with the path's conditions at the first guess. */
static int multipliers(chain_maker m) {
    trip t = travel(m, 2);
    const gdyn_tree *tree = gdyn_model_tree(t.model);
    gdyn_tree_pose *pose = gdyn_tree_pose_create(tree, t.values);
    gdyn_target *target = calloc((size_t)t.values, sizeof *target);
    const gdyn_row **row = calloc((size_t)t.values, sizeof(const gdyn_row *));
    gdyn_tree_rank rank;
    gdyn_path_evaluate(t.path, 0, target);
    for (int i = 0; i < t.values; i++)
        row[i] = &target[i].row;
    gdyn_tree_pose_set(pose, t.track->state[0]);
    assert_int_equal(gdyn_tree_eliminate(pose, t.values, row, &rank), GDYN_OK);
    assert_int_equal(rank.freedom, 0);
    assert_true(rank.clear);
    int count = pose->table.first[pose->table.steps];
    free(row);
    free(target);
    gdyn_tree_pose_destroy(pose);
    arrive(&t);
    return count;
}

static void test_growth(void **state) {
    (void)state;
    chain_maker (*const make[])(int) = {chain_closed_planar, chain_closed_spatial,
                                        chain_closed_hinges, chain_serial_planar,
                                        chain_loop_planar};
    for (size_t i = 0; i < sizeof make / sizeof *make; i++)
        for (int bodies = 21; bodies < 200; bodies = 2 * bodies - 1)
            assert_true(multipliers(make[i](bodies)) <= 8 * bodies);
}

int main(void) {
    dice = gdyn_random_stream(12, 0, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse),       cmocka_unit_test(test_rates),
        cmocka_unit_test(test_chain),        cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_coefficients), cmocka_unit_test(test_assembly),
        cmocka_unit_test(test_growth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
