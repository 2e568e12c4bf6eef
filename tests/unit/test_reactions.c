/* The cases of the papers: ranks, verdicts and B matrices as published, doors by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "linalg/linalg.h"
#include "reaction_cases.h"
#include "path/rank_loss.h"
#include "reactions/reactions.h"

#include <math.h>
#include <stdlib.h>

enum { ROBOT_ROWS = 22, ROBOT_N = 21 };

/* --- the robot of Wojtyra and Fraczek ------------------------------------------------------ */

static int rank_of_rows(const double *C, int rows, int from, int to, int n) {
    double A[ROBOT_ROWS * ROBOT_N];
    int m = to - from;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            A[i + j * m] = C[from + i + j * rows];
    gdyn_svd *svd = gdyn_svd_create(m, n);
    assert_int_equal(gdyn_svd_factor(svd, m, n, A, m, 0), GDYN_OK);
    int rank = svd->rank.rank;
    gdyn_svd_destroy(svd);
    return rank;
}

/* Frobenius norm of B_X = C_X^T Q_X in the paper's coordinates z; q: last columns of Q. It does not
 * depend on the choice of the null basis, and as each B_X of the robot has rank at most one it is
 * its only singular value. */
static double norm_of_B(const opened_case *c, int group, const double *C, const double *q,
                        int dim) {
    double sum = 0;
    for (int j = 0; j < ROBOT_N; j++)
        for (int d = 0; d < dim; d++) {
            double b = 0;
            for (int i = 0; i < ROBOT_ROWS; i++)
                if (gdyn_reactions_multiplier(c->r, i)->group == group)
                    b += C[i + j * ROBOT_ROWS] * q[i + d * ROBOT_ROWS];
            sum += b * b;
        }
    return sqrt(sum);
}

static const char robot_open[] = "B C W1 W2 W3 W4";
static const char robot_known[] = "A D E F G H W5 steering";

static void robot_at_q0_is_as_published(void **state) {
    (void)state;
    opened_case c = open_case("mobile_robot");
    double C[ROBOT_ROWS * ROBOT_N], q[ROBOT_ROWS * ROBOT_ROWS];
    assert_int_equal(c.r->n, ROBOT_N);
    assert_int_equal(gdyn_model_holonomic(c.model), 17);
    assert_int_equal(gdyn_model_pfaffian(c.model), 5);
    gdyn_mech_jacobian(c.state, C);
    assert_int_equal(rank_of_rows(C, ROBOT_ROWS, 0, 17, ROBOT_N), 17);
    assert_int_equal(rank_of_rows(C, ROBOT_ROWS, 17, 22, ROBOT_N), 4);
    assert_int_equal(rank_of_rows(C, ROBOT_ROWS, 0, 22, ROBOT_N), 20);
    analyse(&c);
    assert_int_equal(c.r->redundancy, 2);
    assert_int_equal(c.r->rank_c.rank, 20);

    gdyn_qr *qr = gdyn_qr_create(ROBOT_ROWS, ROBOT_N);
    assert_int_equal(gdyn_qr_factor(qr, ROBOT_ROWS, ROBOT_N, C, ROBOT_ROWS, 0), GDYN_OK);
    int dim = gdyn_qr_null_transposed(qr, q, ROBOT_ROWS);
    assert_int_equal(dim, 2);
    for (int g = 0; g < c.r->groups; g++) {
        const char *name = c.r->item[g].name;
        double published = 0; /* three digits are printed */
        if (!strcmp(name, "B") || !strcmp(name, "C"))
            published = 0.583;
        else if (!strcmp(name, "W1") || !strcmp(name, "W2"))
            published = 0.408;
        else if (!strcmp(name, "W3") || !strcmp(name, "W4"))
            published = 0.816;
        double found = norm_of_B(&c, g, C, q, dim);
        if (fabs(found - published) > (published > 0 ? 0.6e-3 : 1e-14))
            fail_msg("%s: %.6f, published %.3f", name, found, published);
    }
    gdyn_qr_destroy(qr);
    close_case(&c);
}

static void robot_keeps_its_verdicts_when_it_steers(void **state) {
    (void)state;
    opened_case c = open_case("mobile_robot");
    for (double t = 0; t < 20; t += 1.385) {
        gdyn_state_set_time(c.state, t);
        close_pose(&c);
        analyse(&c);
        assert_int_equal(c.r->redundancy, 2);
        all_are(c.r, GDYN_INDETERMINATE, robot_open);
        all_are(c.r, GDYN_UNIQUE, robot_known);
    }
    close_case(&c);
}

/* At q0 the steered wheels, their pivots and the fixed wheels push sideways against each other; the
 * pivots' forces along the robot are known. All is one subsystem of redundancy 2. */
static void robot_components_and_partners(void **state) {
    (void)state;
    opened_case c = open_case("mobile_robot");
    analyse(&c);
    all_are(c.r, GDYN_INDETERMINATE, "B.fy C.fy W1.fx W2.fx W3.fx W4.fx");
    all_are(c.r, GDYN_UNIQUE, "B.fx C.fx A.fx A.fy D.fx D.fy H.fy H.mz W5.fx steering");
    int block = -1;
    for (int i = 0; i < c.r->components; i++) {
        const gdyn_reaction_item *item = gdyn_reactions_component(c.r, i);
        if (item->verdict == GDYN_UNIQUE) {
            assert_int_equal(item->block, -1);
        } else {
            assert_true(block < 0 || item->block == block);
            block = item->block;
        }
    }
    assert_int_equal(c.r->subsystems, 1);
    assert_int_equal(c.r->subsystem[0].redundancy, 2);
    close_case(&c);
}

/* --- machines of Paul and of Gonzalez and Kovecses ----------------------------------------- */

/* All axes of the agile eye meet in one point: nine hinges of five rows on seven bodies, 42 - 45 = -3 by
 * count, 3 freedoms in truth, so 6 redundant constraints. The eye is held in its place by forces that the
 * legs share, and moments about no axis of a leg follow: nothing but what acts along motors is known. */
static void agile_eye(void **state) {
    (void)state;
    opened_case c = open_case("agile_eye");
    analyse(&c);
    assert_int_equal(c.r->redundancy, 6);
    assert_int_equal(c.r->n - c.r->rank_c.rank, 3);
    for (int g = 0; g < c.r->joints; g++)
        assert_int_equal(c.r->item[g].verdict, GDYN_INDETERMINATE);
    assert_int_equal(c.r->subsystems, 1);
    close_case(&c);
}

/* Once around the cycle of Bricard's mechanism, by its own tangent and projection. Body u of the
 * null vector; steps of 0.05 L keep the sense by the last tangent. */
static void bricard_over_its_whole_cycle(void **state) {
    (void)state;
    enum { N = 30, STEPS = 400 };
    opened_case c = open_case("bricard");
    double C[N * N], null[N * N], last[N] = {0}, start[N];
    gdyn_svd *svd = gdyn_svd_create(N, N);
    gdyn_state_z(c.state, start);
    int step = 0;
    double distance = 0, travelled = 0;
    for (; step < STEPS; step++) {
        analyse(&c);
        assert_int_equal(c.r->n - c.r->rank_c.rank, 1);
        assert_int_equal(c.r->redundancy, 1);
        for (int g = 0; g < c.r->joints; g++)
            assert_int_equal(c.r->item[g].verdict, GDYN_INDETERMINATE);
        gdyn_mech_jacobian(c.state, C);
        assert_int_equal(gdyn_svd_factor(svd, N, N, C, N, 0), GDYN_OK);
        assert_int_equal(gdyn_svd_null(svd, null, N), 1);
        double dot = 0;
        for (int j = 0; j < N; j++)
            dot += null[j] * last[j];
        for (int j = 0; j < N; j++)
            last[j] = dot < 0 ? -null[j] : null[j];
        double du[N];
        for (int j = 0; j < N; j++)
            du[j] = 0.1 * last[j];
        gdyn_state_move(c.state, du);
        close_pose(&c);
        travelled += 0.1;
        double r[3], R[9];
        distance = 0;
        for (int b = 0; b < 5; b++) {
            gdyn_state_body(c.state, b, r, R);
            for (int i = 0; i < 3; i++)
                distance += pow(r[i] - start[6 * b + i], 2);
            distance += pow(R[0] - 1, 2) + pow(R[4] - 1, 2) + pow(R[8] - 1, 2);
        }
        if (travelled > 1 && sqrt(distance) < 0.06)
            break;
    }
    assert_true(step < STEPS); /* it came back */
    gdyn_svd_destroy(svd);
    close_case(&c);
}

static void planar_four_bar_in_space(void **state) {
    (void)state;
    opened_case c = open_case("four_bar_space");
    analyse(&c);
    assert_int_equal(c.r->redundancy, 3);
    all_are(c.r, GDYN_INDETERMINATE, "A.fz A.mx A.my B.fz B.mx B.my C.fz C.mx C.my D.fz D.mx D.my");
    all_are(c.r, GDYN_UNIQUE, "A.fx A.fy B.fx B.fy C.fx C.fy D.fx D.fy");
    close_case(&c);
}

/* Three parallel cranks under one bar can be tightened against each other along the cranks: forces 1,
 * -2, 1. Across them each crank's own balance of moments decides. */
static void parallel_cranks(void **state) {
    (void)state;
    opened_case c = open_case("four_bar_parallel");
    analyse(&c);
    assert_int_equal(c.r->redundancy, 1);
    all_are(c.r, GDYN_INDETERMINATE, "low1.fx low2.fx low3.fx top1.fx top2.fx top3.fx");
    all_are(c.r, GDYN_UNIQUE, "low1.fy low2.fy low3.fy top1.fy top2.fy top3.fy");
    assert_int_equal(gdyn_reactions_values(c.r, c.state, NULL, NULL, NULL), GDYN_OK);
    assert_int_equal(c.r->directions, 1);
    double force[3];
    for (int i = 0; i < 3; i++) {
        char name[8];
        snprintf(name, sizeof name, "top%d.fx", i + 1);
        char label[40];
        for (int k = 0; k < c.r->components; k++)
            if (!strcmp(gdyn_reactions_label(c.r, k, label, sizeof label), name))
                force[i] = c.r->component_direction[k];
    }
    assert_true(fabs(force[1] + 2 * force[0]) < 1e-12 * fabs(force[1]));
    assert_true(fabs(force[2] - force[0]) < 1e-12 * fabs(force[1]));
    close_case(&c);
}

/* --- doors ----------------------------------------------------------------------------------- */

/* Every force of a hinge can be traded with another hinge, with moments to make up for the lever. So no
 * component is known, and each further hinge adds five. */
static void doors(void **state) {
    (void)state;
    for (int hinges = 2; hinges <= 3; hinges++) {
        opened_case c = open_case(hinges == 2 ? "door2" : "door3");
        analyse(&c);
        assert_int_equal(c.r->redundancy, 5 * (hinges - 1));
        for (int i = 0; i < c.r->components; i++)
            assert_int_equal(gdyn_reactions_component(c.r, i)->verdict, GDYN_INDETERMINATE);
        /* The sums are known: weight, and its moment about the lower hinge, at rest and released. */
        double zero[6] = {0}, udot[6], weight = 0;
        assert_int_equal(gdyn_reactions_release(c.r, c.state, NULL, zero, udot), GDYN_OK);
        assert_int_equal(gdyn_reactions_values(c.r, c.state, NULL, zero, udot), GDYN_OK);
        assert_true(c.r->misfit < 1e-13);
        for (int i = 0; i < c.r->components; i++)
            if (!strcmp(gdyn_reactions_component(c.r, i)->name, "fz"))
                weight += c.r->value[i];
        assert_true(fabs(weight - 30 * 9.81) < 1e-10);
        close_case(&c);
    }
}

/* --- drives ---------------------------------------------------------------------------------- */

/* Both wheels of an axle resist sideways in one line: indeterminate. Thrusts of the front against the
 * rear axle load the pivot: known once they are. */
static void four_wheel_drive(void **state) {
    (void)state;
    opened_case c = open_case("four_wheel_drive");
    analyse(&c);
    assert_int_equal(c.r->redundancy, 2);
    assert_int_equal(c.r->drive_redundancy, 3);
    all_are(c.r, GDYN_INDETERMINATE, "wfl wfr wrl wrr");
    all_are(c.r, GDYN_DRIVE_DEPENDENT, "pivot pivot.fx");
    assert_int_equal(c.r->subsystems, 2);
    assert_int_equal(c.r->subsystem[0].redundancy, 1);
    assert_int_equal(c.r->subsystem[1].redundancy, 1);
    close_case(&c);
}

/* --- values and paths ------------------------------------------------------------------------ */

static double value_of(const gdyn_reactions *r, const char *name) {
    char label[120];
    for (int i = 0; i < r->components; i++)
        if (!strcmp(gdyn_reactions_label(r, i, label, sizeof label), name))
            return r->value[i];
    fail_msg("no component %s", name);
    return 0;
}

/* Newton's law for the whole four-bar while its crank turns: what the ground gives at A and D is
 * sum m (a - g), with the bodies' accelerations from the path. */
static void moving_four_bar_obeys_newton(void **state) {
    (void)state;
    opened_case c = open_case("four_bar_space");
    gdyn_path *path = NULL;
    assert_int_equal(gdyn_path_create(c.model, &c.instance->trajectory[0], NULL, &path), GDYN_OK);
    gdyn_track *track = gdyn_track_create(c.model, path);
    gdyn_closure *closure = gdyn_closure_create(c.model, gdyn_path_targets(path));
    assert_int_equal(gdyn_track_follow(track, path, closure, NULL), GDYN_OK);
    const double d1 = 11.7, d2 = -23.1;
    for (int i = 5; i < track->points; i += 11) {
        double u[18], udot[18], sum[2] = {0, 0};
        for (int j = 0; j < 18; j++) {
            u[j] = track->u_p[18 * i + j] * d1;
            udot[j] = track->u_p[18 * i + j] * d2 + track->u_pp[18 * i + j] * d1 * d1;
        }
        for (int b = 0; b < 3; b++) {
            double mass = gdyn_model_body(c.model, b)->mass;
            sum[0] += mass * udot[6 * b];
            sum[1] += mass * (udot[6 * b + 1] + 9.81);
        }
        assert_int_equal(gdyn_reactions_at(c.r, track->state[i], NULL, 0), GDYN_OK);
        assert_int_equal(gdyn_reactions_values(c.r, track->state[i], NULL, u, udot), GDYN_OK);
        assert_true(c.r->misfit < 1e-12);
        /* normals of z: components x, y of the ground's frame up to the triad's turn */
        double E[9], point[3], found[2] = {0, 0};
        gdyn_joint_frame_at(track->state[i], 0, point, E);
        double fx = value_of(c.r, "A.fx") + value_of(c.r, "D.fx");
        double fy = value_of(c.r, "A.fy") + value_of(c.r, "D.fy");
        for (int k = 0; k < 2; k++)
            found[k] = fx * E[k] + fy * E[3 + k];
        double scale = fabs(sum[0]) + fabs(sum[1]);
        for (int k = 0; k < 2; k++)
            assert_true(fabs(found[k] - sum[k]) < 1e-10 * scale);
    }
    gdyn_closure_destroy(closure);
    gdyn_track_destroy(track);
    gdyn_path_destroy(path);
    close_case(&c);
}

/* All bars of the parallel four-bar lie in one line at low1 = 0, p = 0.95 on the path. */
static void singular_pose_is_located(void **state) {
    (void)state;
    opened_case c = open_case("four_bar_parallel");
    gdyn_path *path = NULL;
    gdyn_ranks ranks;
    const gdyn_path_def *def = &c.instance->trajectory[1];
    assert_string_equal(def->name, "level");
    assert_int_equal(gdyn_path_create(c.model, def, NULL, &path), GDYN_OK);
    gdyn_track *track = gdyn_track_create(c.model, path);
    gdyn_closure *closure = gdyn_closure_create(c.model, gdyn_path_targets(path));
    assert_int_equal(gdyn_track_follow(track, path, closure, NULL), GDYN_OK);
    const gdyn_ranks_look look[] = {GDYN_RANKS_POINTS, GDYN_RANKS_CLOSEST, GDYN_RANKS_LOST};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(gdyn_ranks_find(path, track, look[i], &ranks), GDYN_OK);
        assert_int_equal(gdyn_ranks_losses(&ranks), 1);
        assert_int_equal(ranks.generic, 11);
        assert_int_equal(ranks.poses, 1);
        assert_int_equal(ranks.pose[0].rank, 10);
        assert_true(fabs(ranks.pose[0].p - 0.95) < 1e-6);
        gdyn_ranks_free(&ranks);
    }
    gdyn_closure_destroy(closure);
    gdyn_track_destroy(track);
    gdyn_path_destroy(path);
    close_case(&c);
}

/* Singular values at few points tell the same as at many: star, first trajectory. */
static void closest_approach(void **state) {
    (void)state;
    double least[2];
    for (int sparse = 0; sparse < 2; sparse++) {
        opened_case c = open_case("four_slider_star");
        gdyn_path *path = NULL;
        gdyn_ranks ranks;
        gdyn_path_def def = c.instance->trajectory[0];
        def.points = sparse ? 33 : 301;
        assert_int_equal(gdyn_path_create(c.model, &def, NULL, &path), GDYN_OK);
        gdyn_track *track = gdyn_track_create(c.model, path);
        gdyn_closure *closure = gdyn_closure_create(c.model, gdyn_path_targets(path));
        assert_int_equal(gdyn_track_follow(track, path, closure, NULL), GDYN_OK);
        assert_int_equal(
            gdyn_ranks_find(path, track, sparse ? GDYN_RANKS_CLOSEST : GDYN_RANKS_POINTS, &ranks),
            GDYN_OK);
        assert_int_equal(ranks.poses, 0);
        least[sparse] = ranks.least;
        gdyn_ranks_free(&ranks);
        gdyn_closure_destroy(closure);
        gdyn_track_destroy(track);
        gdyn_path_destroy(path);
        close_case(&c);
    }
    assert_true(fabs(least[1] - least[0]) < 1e-4 * least[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robot_at_q0_is_as_published),
        cmocka_unit_test(robot_keeps_its_verdicts_when_it_steers),
        cmocka_unit_test(robot_components_and_partners),
        cmocka_unit_test(agile_eye),
        cmocka_unit_test(bricard_over_its_whole_cycle),
        cmocka_unit_test(planar_four_bar_in_space),
        cmocka_unit_test(parallel_cranks),
        cmocka_unit_test(doors),
        cmocka_unit_test(four_wheel_drive),
        cmocka_unit_test(moving_four_bar_obeys_newton),
        cmocka_unit_test(singular_pose_is_located),
        cmocka_unit_test(closest_approach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
