/* Joint coordinates against the machine's rows in physical coordinates, which know nothing of trees:
 *
 * - of every joint kind, C J q' = 0 and C (J q'' + bias) + gamma = 0 for arbitrary q', and as many coordinates as
 *   the joint leaves freedoms; power f . (J q') = (J^T f) . q';
 * - the same on random trees of up to 200 bodies;
 * - on all cases, at points of all paths: rank and null space of C, u_p and u_pp of the track.
 *
 * Rows and screws are sums of a few products of numbers of order one; on a chain of N bodies errors add up
 * along it, N eps times lengths and rates that themselves grow with N. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "any_joint.h"
#include "base/random.h"
#include "casefile/casefile.h"
#include "closure/target.h"
#include "globdyn.h"
#include "model/screws.h"
#include "near.h"
#include "random_trees.h"
#include "tree/tree.h"

/* |J| and rates of a chain grow with its length. */
static double tolerance_of(int bodies) {
    return 1e-13 * (10 + (double)bodies * bodies);
}

/* Moving the joints: the constraints hold after 0.3 of q', and positions have u and u' as first and second
 * differences: errors h^2 times fourth derivatives and eps / h^2 of lengths, N bodies in a row. */
static void check_moves(const gdyn_model *model, const gdyn_state *state, const gdyn_tree *tree,
                        const double *qdot, const double *qddot, const double *u, const double *du,
                        double size) {
    int nq = gdyn_tree_coordinates(tree), m = gdyn_model_holonomic(model);
    int bodies = gdyn_model_bodies(model);
    gdyn_state *to = gdyn_state_create(model), *back = gdyn_state_create(model);
    gdyn_tree_pose *work = gdyn_tree_pose_create(tree, 0);
    double *dq = zeros(nq), *phi = zeros(m), *before = zeros(m);
    const double h = 1e-4;
    for (int c = 0; c < nq; c++)
        dq[c] = 0.3 * qdot[c];
    gdyn_tree_move(work, state, dq, to);
    gdyn_mech_constraints(to, phi);
    gdyn_mech_constraints(state, before);
    for (int i = 0; i < m; i++)
        assert_near(phi[i], before[i], 1e-13 * (10 + bodies));
    for (int c = 0; c < nq; c++)
        dq[c] = h * qdot[c] + 0.5 * h * h * qddot[c];
    gdyn_tree_move(work, state, dq, to);
    for (int c = 0; c < nq; c++)
        dq[c] = -h * qdot[c] + 0.5 * h * h * qddot[c];
    gdyn_tree_move(work, state, dq, back);
    int per_body = gdyn_model_coordinates(model) / bodies, lengths = per_body == 3 ? 2 : 3;
    for (int b = 0; b < bodies; b++)
        for (int j = 0; j < lengths; j++) {
            double x[3], y[3], z[3], R[9];
            gdyn_state_body(to, b, x, R);
            gdyn_state_body(state, b, y, R);
            gdyn_state_body(back, b, z, R);
            double tolerance = 1e-6 * (1 + size) * (bodies < 10 ? 1 : bodies);
            assert_near((x[j] - z[j]) / (2 * h), u[per_body * b + j], tolerance);
            assert_near((x[j] - 2 * y[j] + z[j]) / (h * h), du[per_body * b + j], tolerance);
        }
    free(before);
    free(phi);
    free(dq);
    gdyn_tree_pose_destroy(work);
    gdyn_state_destroy(to);
    gdyn_state_destroy(back);
}

/* C u = 0 and C u' + gamma = 0 of all rows for arbitrary q', q''; power. The state fulfils them. */
static void check_tree(const gdyn_model *model, const gdyn_state *state, bool holonomic_only) {
    int n = gdyn_model_coordinates(model);
    int rows = gdyn_model_holonomic(model) + (holonomic_only ? 0 : gdyn_model_pfaffian(model));
    const gdyn_tree *tree = gdyn_model_tree(model);
    gdyn_tree_pose *pose = gdyn_tree_pose_create(tree, 0);
    int nq = gdyn_tree_coordinates(tree);
    double *qdot = random_vector(nq), *qddot = random_vector(nq), *u = zeros(n), *du = zeros(n);
    double *bias = zeros(n), *gamma = zeros(rows), *C = zeros(rows * n), *f = random_vector(n);
    double *tau = zeros(nq), size = 0, power = 0, work = 0;
    gdyn_tree_pose_set(pose, state);
    gdyn_tree_velocities(pose, qdot, u);
    gdyn_tree_bias(pose, qdot, u, bias);
    gdyn_tree_velocities(pose, qddot, du);
    for (int j = 0; j < n; j++) {
        du[j] += bias[j];
        size = fmax(size, fmax(fabs(du[j]), u[j] * u[j]));
    }
    gdyn_mech_jacobian(state, C);
    gdyn_mech_curvature(state, u, gamma);
    double tolerance = tolerance_of(gdyn_model_bodies(model)) * (1 + size);
    for (int i = 0; i < rows; i++) {
        double speed = 0, acceleration = gamma[i];
        for (int j = 0; j < n; j++) {
            speed += C[i + rows * j] * u[j];
            acceleration += C[i + rows * j] * du[j];
        }
        assert_near(speed, 0, tolerance);
        assert_near(acceleration, 0, tolerance);
    }
    check_moves(model, state, tree, qdot, qddot, u, du, size);
    gdyn_tree_joint_rates(pose, u, tau);
    for (int c = 0; c < nq; c++)
        assert_near(tau[c], qdot[c], tolerance);
    gdyn_tree_forces(pose, f, tau);
    for (int j = 0; j < n; j++)
        power += f[j] * u[j];
    for (int c = 0; c < nq; c++)
        work += tau[c] * qdot[c];
    assert_near(work, power, tolerance * n);
    double *all[] = {qdot, qddot, u, du, bias, gamma, C, f, tau};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    gdyn_tree_pose_destroy(pose);
}

/* --- every kind of joint --------------------------------------------------------------------- */

/* False: the random guess did not close. */
static bool check_joint(gdyn_joint_type type, gdyn_space space, const int side[2], int locks) {
    gdyn_machine *machine = two_bodies(type, space, side, locks);
    gdyn_model *model = build(machine);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_closure *closure = gdyn_closure_create(model, 0);
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    gdyn_mobility mobility;
    assert_int_equal(gdyn_closure_solve(closure, state, 0, NULL, &settings, &info), GDYN_OK);
    bool closed = info.outcome == GDYN_CLOSED;
    assert_int_equal(gdyn_closure_mobility(closure, state, &mobility), GDYN_OK);
    const gdyn_tree *tree = gdyn_model_tree(model);
    gdyn_screw screws[GDYN_SCREWS_MOST];
    if (closed && gdyn_joint_screws(model, 0, screws) >= 0) {
        assert_int_equal(gdyn_tree_coordinates(tree), mobility.mobility);
        assert_int_equal(gdyn_tree_closing(tree), 0);
        check_tree(model, state, false);
    } else if (closed) { /* the bodies float, the rows close */
        assert_int_equal(gdyn_tree_coordinates(tree), gdyn_model_coordinates(model));
        assert_int_equal(gdyn_tree_closing(tree),
                         gdyn_model_holonomic(model) + gdyn_model_pfaffian(model));
    }
    gdyn_closure_destroy(closure);
    gdyn_state_destroy(state);
    gdyn_model_destroy(model);
    return closed;
}

static void test_every_joint(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(12, 1, 1);
    for_every_joint(check_joint);
}

/* --- random trees ---------------------------------------------------------------------------- */

static void test_random_trees(void **unused) {
    (void)unused;
    const int sizes[] = {1, 2, 3, 5, 8, 20, 60, 200};
    dice = gdyn_random_stream(12, 1, 2);
    for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int run = 0; run < (sizes[s] < 30 ? 20 : 2); run++) {
                gdyn_model *model = random_tree(space, sizes[s]);
                gdyn_state *state = gdyn_state_create(model);
                double *phi = zeros(gdyn_model_holonomic(model));
                gdyn_mech_constraints(state, phi);
                for (int i = 0; i < gdyn_model_holonomic(model); i++)
                    assert_near(phi[i], 0, 1e-13); /* the guess is a pose of the tree */
                const gdyn_tree *tree = gdyn_model_tree(model);
                assert_int_equal(gdyn_tree_closing(tree), 0);
                assert_int_equal(gdyn_tree_coordinates(tree),
                                 gdyn_model_coordinates(model) - gdyn_model_holonomic(model));
                check_tree(model, state, true);
                free(phi);
                gdyn_state_destroy(state);
                gdyn_model_destroy(model);
            }
}

/* --- all cases ------------------------------------------------------------------------------- */

enum { SAMPLES = 9 };

/* Columns of N lie in null(C) and are independent. */
static void check_null(const gdyn_model *model, const gdyn_state *state, const double *N, int f,
                       gdyn_closure *closure) {
    int n = gdyn_model_coordinates(model);
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    double *C = zeros(rows * n), *row_scale = zeros(rows), *column_scale = zeros(n);
    double *scaled = zeros(n * f);
    gdyn_mobility mobility;
    assert_int_equal(gdyn_closure_mobility(closure, state, &mobility), GDYN_OK);
    assert_int_equal(f, mobility.mobility);
    gdyn_mech_scales(model, row_scale, column_scale);
    gdyn_mech_jacobian(state, C);
    for (int j = 0; j < f; j++) {
        double size = 0;
        for (int i = 0; i < n; i++) {
            scaled[i + n * j] = N[i + n * j] / column_scale[i];
            size = fmax(size, fabs(scaled[i + n * j]));
        }
        for (int i = 0; i < n; i++)
            scaled[i + n * j] /= size;
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += C[i + rows * k] * N[k + n * j];
            assert_near(row_scale[i] * sum / size, 0, 1e-9);
        }
    }
    gdyn_svd *svd = gdyn_svd_create(n, f > 0 ? f : 1);
    assert_int_equal(gdyn_svd_factor(svd, n, f, scaled, n, 1e-6), GDYN_OK);
    assert_int_equal(svd->rank.rank, f);
    gdyn_svd_destroy(svd);
    double *all[] = {C, row_scale, column_scale, scaled};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static void check_point(const gdyn_model *model, const gdyn_path *path, const gdyn_track *track,
                        int i, gdyn_tree_pose *pose, gdyn_closure *closure) {
    int n = track->n, count = gdyn_path_targets(path);
    gdyn_target *targets = calloc((size_t)count + 1, sizeof *targets);
    const gdyn_row **row = calloc((size_t)count + 1, sizeof *row);
    double *first = zeros(count), *second = zeros(count), *u_p = zeros(n), *u_pp = zeros(n);
    double *N = zeros(n * n), misfit[2];
    gdyn_tree_rank rank;
    gdyn_path_evaluate(path, track->p[i], targets);
    for (int j = 0; j < count; j++) {
        row[j] = &targets[j].row;
        first[j] = targets[j].target[1];
        second[j] = targets[j].target[2];
    }
    gdyn_tree_pose_set(pose, track->state[i]);
    assert_int_equal(gdyn_tree_eliminate(pose, 0, NULL, &rank), GDYN_OK);
    gdyn_tree_null(pose, N);
    check_null(model, track->state[i], N, rank.freedom, closure);
    assert_int_equal(gdyn_tree_eliminate(pose, count, row, &rank), GDYN_OK);
    if (rank.freedom == 0 && rank.clear) {
        double L = gdyn_model_length(model), most = 0, bend = 0;
        const double *wanted = track->u_p + n * i, *wanted2 = track->u_pp + n * i;
        gdyn_tree_rates(pose, first, second, u_p, u_pp, misfit);
        for (int j = 0; j < n; j++) {
            most = fmax(most, fabs(wanted[j]));
            bend = fmax(bend, fabs(wanted2[j]));
        }
        /* the pose is closed to 1e-12 of L, conditions are below 1e4 */
        for (int j = 0; j < n; j++) {
            assert_near(u_p[j], wanted[j], 1e-8 * most * (1 + 1 / L));
            assert_near(u_pp[j], wanted2[j], 1e-8 * (bend + most * most / L) * (1 + 1 / L));
        }
        assert_true(misfit[0] < 1e-8 && misfit[1] < 1e-8);
    }
    double *all[] = {first, second, u_p, u_pp, N};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    free(row);
    free(targets);
}

static void check_path(const gdyn_model *model, const gdyn_path_def *def) {
    gdyn_path *path;
    assert_int_equal(gdyn_path_create(model, def, NULL, &path), GDYN_OK);
    gdyn_track *track = gdyn_track_create(model, path);
    gdyn_closure *closure = gdyn_closure_create(model, gdyn_path_targets(path));
    const gdyn_tree *tree = gdyn_model_tree(model);
    gdyn_tree_pose *pose = gdyn_tree_pose_create(tree, gdyn_path_targets(path));
    assert_int_equal(gdyn_track_follow(track, path, closure, NULL), GDYN_OK);
    for (int s = 0; s < SAMPLES; s++) {
        int i = s * (track->points - 1) / (SAMPLES - 1);
        if (track->status[i] == GDYN_POINT_OK)
            check_point(model, path, track, i, pose, closure);
    }
    gdyn_tree_pose_destroy(pose);
    gdyn_closure_destroy(closure);
    gdyn_track_destroy(track);
    gdyn_path_destroy(path);
}

static void test_cases(void **unused) {
    (void)unused;
    glob_t files;
    assert_int_equal(glob(GDYN_SOURCE_DIR "/cases/*/*.yaml", 0, NULL, &files), 0);
    for (size_t c = 0; c < files.gl_pathc; c++) {
        gdyn_case *the_case = NULL;
        gdyn_instance *instance = NULL;
        assert_int_equal(gdyn_case_read(files.gl_pathv[c], NULL, &the_case), GDYN_OK);
        assert_int_equal(gdyn_case_instantiate(the_case, 0, NULL, NULL, &instance), GDYN_OK);
        for (int j = 0; instance->model && j < instance->trajectory_count; j++) {
            print_message("%s %s\n", files.gl_pathv[c], instance->trajectory[j].name);
            check_path(instance->model, &instance->trajectory[j]);
        }
        gdyn_instance_destroy(instance);
        gdyn_case_destroy(the_case);
    }
    globfree(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_joint),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
