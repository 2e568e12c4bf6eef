/* The main job through the public interface, without a file: the star's regions against numbers
 * computed by linear programs on an independent model (reference-data), the two reductions against
 * each other, power balance, and invariance under units, frames, order and chart changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "../machines.h"
#include "base/memory.h"
#include "near.h"

/* A formula path of one tool point; expressions are owned by it. */
typedef struct trajectory {
    gdyn_path_def def;
    gdyn_path_tool tool;
    gdyn_path_joint follow;
    gdyn_expr *expr[GDYN_PATH_COORDINATES];
    gdyn_path *path;
} trajectory;

static void plan(trajectory *c, const gdyn_model *model, gdyn_anchor tool,
                 const char *const text[6], double from, double to, int points) {
    memset(c, 0, sizeof *c);
    c->def = gdyn_path_default();
    c->def.name = "trajectory";
    c->tool.of = tool;
    for (int i = 0; i < GDYN_PATH_COORDINATES; i++)
        if (text[i]) {
            c->expr[i] = formula(text[i]);
            assert_non_null(c->expr[i]);
            c->tool.coordinate[i] = c->expr[i];
        }
    c->def.kind = GDYN_PATH_FORMULA;
    c->def.tools = 1;
    c->def.tool = &c->tool;
    c->def.p_start = from;
    c->def.p_end = to;
    c->def.p_given = true;
    c->def.points = points;
    assert_int_equal(gdyn_path_create(model, &c->def, NULL, &c->path), GDYN_OK);
}

/* A joint turned from 0 to `to`. */
static void plan_turn(trajectory *c, const gdyn_model *model, int joint, double to, int points) {
    memset(c, 0, sizeof *c);
    c->def = gdyn_path_default();
    c->def.name = "turn";
    c->expr[0] = formula("p");
    c->follow =
        (gdyn_path_joint){.joint = joint, .freedom = GDYN_FREEDOM_ANGLE, .value = c->expr[0]};
    c->def.joints = 1;
    c->def.joint = &c->follow;
    c->def.p_end = to;
    c->def.p_given = true;
    c->def.points = points;
    assert_int_equal(gdyn_path_create(model, &c->def, NULL, &c->path), GDYN_OK);
}

static void drop(trajectory *c) {
    gdyn_path_destroy(c->path);
    for (int i = 0; i < GDYN_PATH_COORDINATES; i++)
        gdyn_expr_destroy(c->expr[i]);
}

static const char *const star_circle[6] = {"0.12*cos(p)", "0.12*sin(p)", NULL, NULL, NULL, "0"};
static const char *const star_circle_mm[6] = {"120*cos(p)", "120*sin(p)", NULL, NULL, NULL, "0"};
static const char *const star_circle_shifted[6] = {"0.12*cos(p)", "0.12*sin(p)", NULL,
                                                   NULL,          NULL,          "0.3"};

static gdyn_evaluation *run(const gdyn_model *model, const trajectory *c,
                            gdyn_reduction reduction) {
    gdyn_evaluation *e = gdyn_evaluation_create(model, c->path);
    assert_non_null(e);
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    settings.reduction = reduction;
    assert_int_equal(gdyn_evaluation_run(e, c->path, &settings), GDYN_OK);
    assert_near(e->criteria.value[GDYN_CRITERION_REACH], 1.0, 0.0);
    return e;
}

/* The numbers of reference-data.md: printed with 6 decimals, so 1e-6 is their own rounding; d2 at
 * d1 = 10 and the maximum d1 likewise. p = 0, 0.5, ..., 5 are points of an 11-point path. */
static void test_star_reference(void **unused) {
    (void)unused;
    const double wanted[5][6] = {{0, -845.055034, 713.922382, -803.882860, 698.337124, 27.570480},
                                 {0.5, -631.855131, 577.213011, -671.888507, 537.179635, 27.382898},
                                 {1.5, -763.827475, 740.142335, -707.950467, 800.233480, 28.307925},
                                 {3, -651.149370, 799.560618, -568.034298, 847.062963, 26.917064},
                                 {5, -739.704110, 599.238138, -799.563983, 533.287524, 25.979251}};
    gdyn_anchor tool;
    gdyn_model *model = build_star(machine_defaults(), NULL, &tool);
    assert_non_null(model);
    trajectory c;
    plan(&c, model, tool, star_circle, 0, 5, 11);
    for (gdyn_reduction reduction = GDYN_REDUCE_SVD; reduction <= GDYN_REDUCE_NULL; reduction++) {
        gdyn_evaluation *e = run(model, &c, reduction);
        for (int i = 0; i < 5; i++) {
            const gdyn_region *region = e->region[(int)(2 * wanted[i][0] + 0.5)];
            double low, high;
            assert_true(gdyn_region_slice(region, 0.0, &low, &high));
            assert_near(low, wanted[i][1], 1e-6);
            assert_near(high, wanted[i][2], 1e-6);
            assert_true(gdyn_region_slice(region, 10.0, &low, &high));
            assert_near(low, wanted[i][3], 1e-6);
            assert_near(high, wanted[i][4], 1e-6);
            assert_near(region->d1_max, wanted[i][5], 1e-6);
        }
        assert_int_equal(e->criteria.value[GDYN_CRITERION_REDUNDANCY], 1);
        assert_int_equal(e->criteria.value[GDYN_CRITERION_REDUNDANT_CONSTRAINTS], 0);
        gdyn_evaluation_destroy(e);
    }
    drop(&c);
    gdyn_model_destroy(model);
}

/* Two regions are the same: slices over the whole range of d1, ends, areas. Relative to their size.
 */
static void compare_regions(const gdyn_region *a, const gdyn_region *b, double tolerance) {
    assert_int_equal(a->island_count, b->island_count);
    assert_near(a->d1_max, b->d1_max, tolerance * b->d1_max);
    assert_near(a->area, b->area, 10 * tolerance * b->area);
    double width = fabs(b->rest_max) + fabs(b->rest_min);
    for (int i = 0; i <= 20; i++) {
        double d1 = 0.05 * i * 0.999 * b->d1_max, low[2], high[2];
        assert_true(gdyn_region_slice(a, d1, &low[0], &high[0]));
        assert_true(gdyn_region_slice(b, d1, &low[1], &high[1]));
        assert_near(low[0], low[1], 10 * tolerance * width);
        assert_near(high[0], high[1], 10 * tolerance * width);
    }
}

/* Nothing that is a matter of description changes a region. Accuracy: closing to 1e-13, condition
 * of the star's systems below 1e3. */
static void test_star_invariance(void **unused) {
    (void)unused;
    machine_options options[5];
    for (int i = 0; i < 5; i++)
        options[i] = machine_defaults();
    options[0].speed_limits = options[1].speed_limits = options[2].speed_limits =
        options[3].speed_limits = options[4].speed_limits = true;
    options[1].unit = 1000.0;
    options[2].shift = 0.3;
    options[3].reverse = true;
    options[4].swap = true;
    gdyn_evaluation *e[5];
    gdyn_model *model[5];
    trajectory c[5];
    for (int i = 0; i < 5; i++) {
        gdyn_anchor tool;
        model[i] = build_star(options[i], NULL, &tool);
        assert_non_null(model[i]);
        plan(&c[i], model[i], tool,
             i == 1   ? star_circle_mm
             : i == 2 ? star_circle_shifted
                      : star_circle,
             0, 6.283185307179586, 25);
        e[i] = run(model[i], &c[i], GDYN_REDUCE_SVD);
        for (int k = 0; k < 25; k++)
            compare_regions(e[i]->region[k], e[0]->region[k], 1e-10);
        assert_near(e[i]->criteria.value[GDYN_CRITERION_DEXTERITY],
                    e[0]->criteria.value[GDYN_CRITERION_DEXTERITY], 1e-9);
        assert_near(e[i]->criteria.value[GDYN_CRITERION_FREQUENCY],
                    e[0]->criteria.value[GDYN_CRITERION_FREQUENCY],
                    1e-9 * e[0]->criteria.value[GDYN_CRITERION_FREQUENCY]);
        assert_near(e[i]->criteria.value[GDYN_CRITERION_LOAD],
                    e[0]->criteria.value[GDYN_CRITERION_LOAD], 1e-9);
        assert_near(e[i]->criteria.value[GDYN_CRITERION_AREA],
                    e[0]->criteria.value[GDYN_CRITERION_AREA],
                    1e-9 * e[0]->criteria.value[GDYN_CRITERION_AREA]);
    }
    for (int i = 0; i < 5; i++) {
        gdyn_evaluation_destroy(e[i]);
        drop(&c[i]);
        gdyn_model_destroy(model[i]);
    }
}

/* At any accessible point the drive forces found do the work the motion needs: d/dt of the kinetic
 * energy equals the power of drives, gravity and friction (virtual work in the direction of the
 * motion, no multiplier takes part). */
static void check_power(const gdyn_model *model, const gdyn_evaluation *e) {
    int n = gdyn_model_coordinates(model), k = gdyn_model_drives(model);
    gdyn_access *access = gdyn_access_create(k, k, 4);
    for (int i = 0; i < e->track->points; i++) {
        const gdyn_state *state = e->track->state[i];
        const double *u_p = e->track->u_p + n * i, *u_pp = e->track->u_pp + n * i;
        double d1 = 0.3 * e->region[i]->d1_max, low, high, y[8], force[8];
        double u[128], udot[128], Mu[128], h[128], g0[128], g1[128], speed[8];
        assert_true(gdyn_region_slice(e->region[i], d1, &low, &high));
        double d2 = 0.7 * low + 0.3 * high;
        assert_true(gdyn_access_forces(access, &e->pose[i]->coefficients, d1, d2, y, force));
        for (int j = 0; j < n; j++) {
            u[j] = u_p[j] * d1;
            udot[j] = u_p[j] * d2 + u_pp[j] * d1 * d1;
        }
        gdyn_mech_mass_apply(state, udot, Mu);
        gdyn_mech_bias(state, u, h);
        gdyn_mech_path_forces(state, &(gdyn_path_rates){.u_p = u_p, .u_pp = u_pp}, g0, g1);
        gdyn_mech_drive_speeds(state, u, speed);
        double power = 0.0, size = 0.0;
        for (int j = 0; j < n; j++) {
            power += u[j] * (Mu[j] + h[j] - g0[j] - g1[j] * d1);
            size += fabs(u[j] * (Mu[j] + h[j] - g0[j] - g1[j] * d1));
        }
        for (int j = 0; j < k; j++) {
            power -= speed[j] * force[j];
            size += fabs(speed[j] * force[j]);
        }
        assert_near(power, 0.0, 1e-10 * size);
    }
    gdyn_access_destroy(access);
}

/* Largest |coefficient| difference that is not along V: (A1 - A2) projected off the columns of V.
 */
static void compare_poses(const gdyn_pose *a, const gdyn_pose *b) {
    const gdyn_coefficients *x = &a->coefficients, *y = &b->coefficients;
    assert_int_equal(x->k, y->k);
    assert_int_equal(x->r, y->r);
    assert_int_equal(x->equalities, y->equalities);
    const double *one[4] = {x->A, x->B, x->C, x->D}, *two[4] = {y->A, y->B, y->C, y->D};
    double Q[64]; /* orthonormal columns of V by Gram-Schmidt, twice */
    memcpy(Q, y->V, sizeof(double) * (size_t)(y->k * y->r));
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < y->r; j++) {
            double *q = Q + y->k * j, square = 0.0;
            for (int l = 0; l < j; l++) {
                double dot = 0.0;
                for (int i = 0; i < y->k; i++)
                    dot += q[i] * Q[i + y->k * l];
                for (int i = 0; i < y->k; i++)
                    q[i] -= dot * Q[i + y->k * l];
            }
            for (int i = 0; i < y->k; i++)
                square += q[i] * q[i];
            for (int i = 0; i < y->k; i++)
                q[i] /= sqrt(square);
        }
    for (int c = 0; c < 4 + x->r; c++) {
        double d[8], size = 0.0;
        for (int i = 0; i < x->k; i++) {
            d[i] = c < 4 ? one[c][i] - two[c][i] : x->V[i + x->k * (c - 4)];
            size += c < 4 ? fabs(two[c][i]) : fabs(d[i]);
        }
        for (int j = 0; j < y->r; j++) {
            double dot = 0.0;
            for (int i = 0; i < y->k; i++)
                dot += d[i] * Q[i + y->k * j];
            for (int i = 0; i < y->k; i++)
                d[i] -= dot * Q[i + y->k * j];
        }
        for (int i = 0; i < x->k; i++)
            assert_near(d[i], 0.0, 1e-9 * size);
    }
}

static const char *const ups_path[6] = {"0.1*cos(p)",  "0.1*sin(p)", "0.9+0.05*sin(2*p)",
                                        "0.15*sin(p)", "0.1*cos(p)", "0.2*sin(p)"};

/* Free motions from what following has left at the points, and from an elimination of their own: the same coefficients. */
static void check_legs(const gdyn_model *model, const gdyn_evaluation *svd,
                       const gdyn_track *track) {
    gdyn_evaluator *evaluator = gdyn_evaluator_create(model);
    gdyn_pose *pose = gdyn_pose_create(model);
    int known = 0;
    assert_non_null(track->known);
    for (int i = 0; i < track->points; i++) {
        gdyn_path_rates kept = gdyn_track_rates(track, i), alone = kept;
        alone.known = NULL;
        known += kept.known[0] > 0;
        assert_int_equal(
            gdyn_evaluator_pose(evaluator, track->state[i], &alone, GDYN_REDUCE_NULL, pose),
            GDYN_OK);
        compare_poses(svd->pose[i], pose);
        /* another pose in between, so that nothing is known of this one */
        gdyn_evaluator_pose(evaluator, track->state[(i + 1) % track->points], &alone,
                            GDYN_REDUCE_NULL, pose);
        gdyn_evaluator_pose(evaluator, track->state[i], &kept, GDYN_REDUCE_NULL, pose);
        compare_poses(svd->pose[i], pose);
    }
    /* points that were closed once more after too long a step know nothing */
    assert_true(known > track->points / 3);
    gdyn_pose_destroy(pose);
    gdyn_evaluator_destroy(evaluator);
}

/* SVD of [C^T T] against N^T (...) with QR: the same rows up to the choice of y; power balance; in
 * space with 0 and 2 redundant drives. */
static void test_two_reductions(void **unused) {
    (void)unused;
    for (int legs = 6; legs <= 8; legs += 2) {
        gdyn_anchor tool;
        gdyn_model *model = build_ups(legs, NULL, &tool);
        assert_non_null(model);
        trajectory c;
        plan(&c, model, tool, ups_path, 0, 6.283185307179586, 13);
        gdyn_evaluation *svd = run(model, &c, GDYN_REDUCE_SVD);
        gdyn_evaluation *null = run(model, &c, GDYN_REDUCE_NULL);
        assert_int_equal(svd->criteria.value[GDYN_CRITERION_REDUNDANCY], legs - 6);
        for (int i = 0; i < 13; i++) {
            assert_int_equal(svd->pose[i]->mobility, 6);
            assert_int_equal(svd->pose[i]->coefficients.equalities, 0);
            compare_poses(svd->pose[i], null->pose[i]);
            compare_regions(svd->region[i], null->region[i], 1e-9);
        }
        check_power(model, svd);
        check_legs(model, svd, null->track);
        gdyn_evaluation_destroy(svd);
        gdyn_evaluation_destroy(null);
        drop(&c);
        gdyn_model_destroy(model);
    }
}

/* A chart change of any body at any point leaves all coefficients as they are. */
static void test_chart_change(void **unused) {
    (void)unused;
    gdyn_anchor tool;
    gdyn_model *model = build_ups(6, NULL, &tool);
    trajectory c;
    plan(&c, model, tool, ups_path, 0, 3, 4);
    gdyn_evaluation *e = run(model, &c, GDYN_REDUCE_SVD);
    gdyn_evaluator *evaluator = gdyn_evaluator_create(model);
    gdyn_pose *pose = gdyn_pose_create(model);
    int n = gdyn_model_coordinates(model);
    for (int i = 0; i < 4; i++) {
        gdyn_state_rechart(e->track->state[i], 3 * i);
        gdyn_path_rates rates = {.u_p = e->track->u_p + n * i, .u_pp = e->track->u_pp + n * i};
        assert_int_equal(
            gdyn_evaluator_pose(evaluator, e->track->state[i], &rates, GDYN_REDUCE_SVD, pose),
            GDYN_OK);
        compare_poses(pose, e->pose[i]);
    }
    gdyn_pose_destroy(pose);
    gdyn_evaluator_destroy(evaluator);
    gdyn_evaluation_destroy(e);
    drop(&c);
    gdyn_model_destroy(model);
}

/* No allocation per point: coefficients, projection, envelopes, criteria. */
static void test_no_allocation(void **unused) {
    (void)unused;
    gdyn_anchor tool;
    gdyn_model *model = build_ups(8, NULL, &tool);
    trajectory c;
    plan(&c, model, tool, ups_path, 0, 6, 7);
    gdyn_evaluation *e = run(model, &c, GDYN_REDUCE_SVD);
    gdyn_evaluator *evaluator = gdyn_evaluator_create(model);
    gdyn_access *access = gdyn_access_create(8, 8, 4);
    gdyn_pose *pose = gdyn_pose_create(model);
    int n = gdyn_model_coordinates(model);
    unsigned long before = gdyn_alloc_count();
    for (int i = 0; i < 7; i++)
        for (gdyn_reduction reduction = GDYN_REDUCE_SVD; reduction <= GDYN_REDUCE_NULL;
             reduction++) {
            gdyn_path_rates rates = {.u_p = e->track->u_p + n * i, .u_pp = e->track->u_pp + n * i};
            gdyn_evaluator_pose(evaluator, e->track->state[i], &rates, reduction, pose);
            gdyn_access_region(access, &pose->coefficients, GDYN_BY_ELEMENTARY, e->region[i]);
        }
    assert_int_equal(gdyn_alloc_count(), before);
    gdyn_pose_destroy(pose);
    gdyn_access_destroy(access);
    gdyn_evaluator_destroy(evaluator);
    gdyn_evaluation_destroy(e);
    drop(&c);
    gdyn_model_destroy(model);
}

/* A cable needs 5 N at least and takes 100: internal forces bring it there where they reach it, s = 5 / 100. A share of 1e-17 is rounding. */
static void test_load_at_rest(void **unused) {
    (void)unused;
    enum { K = 8 };
    gdyn_anchor tool;
    gdyn_model *model = build_ups(K, NULL, &tool);
    trajectory c;
    plan(&c, model, tool, ups_path, 0, 3, 4);
    gdyn_evaluation *e = run(model, &c, GDYN_REDUCE_SVD);
    gdyn_evaluator *evaluator = gdyn_evaluator_create(model);
    gdyn_pose pose = *e->pose[1];
    double C[K] = {0}, min[K], max[K], V[2 * K];
    for (int i = 0; i < K; i++) {
        min[i] = i == 0 ? 5 : -INFINITY, max[i] = i == 0 ? 100 : INFINITY;
        V[i] = 0.3 + 0.1 * i, V[K + i] = 0.7 - 0.2 * i;
    }
    gdyn_coefficients *q = &pose.coefficients;
    q->k = K, q->r = 2, q->equalities = 0;
    q->C = C, q->V = V, q->min = min, q->max = max;
    for (int shared = 0; shared < 2; shared++) {
        gdyn_criteria criteria = {0};
        V[0] = shared ? 1e-3 : 1e-17, V[K] = shared ? 2e-3 : -2e-17;
        assert_int_equal(
            gdyn_evaluator_criteria(evaluator, e->track->state[1], 0, NULL, NULL, &pose, &criteria),
            GDYN_OK);
        double load = criteria.value[GDYN_CRITERION_LOAD];
        assert_true(shared ? fabs(load - 0.05) < 1e-12 : load == INFINITY);
    }
    gdyn_evaluator_destroy(evaluator);
    gdyn_evaluation_destroy(e);
    drop(&c);
    gdyn_model_destroy(model);
}

/* Three carts on rails askew, two drives on each of the first two: one share of internal forces each. The drive of the
 * third one has none, not the ratio of two roundings. */
static void test_idle_share(void **unused) {
    (void)unused;
    enum { CARTS = 3, DRIVES = 5 };
    static const int rail[DRIVES] = {0, 0, 1, 1, 2};
    static const char *const name[DRIVES] = {"a", "b", "c", "d", "e"};
    const double gravity[3] = {1.3, -9.81, 0}, angle[CARTS] = {0.3, 1.1, 0.7};
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, gravity);
    trajectory c = {.def = gdyn_path_default()};
    gdyn_path_joint follow[CARTS];
    for (int i = 0; i < CARTS; i++) {
        gdyn_body_def body = gdyn_body_default();
        body.name = name[i], body.mass = 2 + i, body.inertia[2] = 0.1;
        gdyn_machine_add_body(machine, &body);
        gdyn_joint_def joint = gdyn_joint_default();
        joint.name = name[i], joint.type = GDYN_PRISMATIC, joint.a.body = i;
        joint.axis_a[0] = joint.axis_b[0] = cos(angle[i]);
        joint.axis_a[1] = joint.axis_b[1] = sin(angle[i]);
        gdyn_machine_add_joint(machine, &joint);
        c.expr[i] = formula(i == 1 ? "2*p" : "p");
        follow[i] =
            (gdyn_path_joint){.joint = i, .freedom = GDYN_FREEDOM_SLIDE, .value = c.expr[i]};
    }
    for (int i = 0; i < DRIVES; i++) {
        gdyn_drive_def drive = gdyn_drive_default();
        drive.name = name[i], drive.joint = rail[i], drive.min = -100 + 10 * i, drive.max = 90;
        gdyn_machine_add_drive(machine, &drive);
    }
    gdyn_model *model = NULL;
    assert_int_equal(gdyn_model_create(machine, NULL, &model), GDYN_OK);
    gdyn_machine_destroy(machine);
    c.def.name = "shift", c.def.joints = CARTS, c.def.joint = follow;
    c.def.p_end = 1, c.def.p_given = true, c.def.points = 5;
    assert_int_equal(gdyn_path_create(model, &c.def, NULL, &c.path), GDYN_OK);
    for (gdyn_reduction reduction = GDYN_REDUCE_SVD; reduction <= GDYN_REDUCE_NULL; reduction++) {
        gdyn_evaluation *e = run(model, &c, reduction);
        for (int i = 0; i < 5; i++) {
            const gdyn_coefficients *q = &e->pose[i]->coefficients;
            assert_int_equal(q->r, 2);
            for (int l = 0; l < q->r; l++)
                assert_true(q->V[DRIVES - 1 + q->k * l] == 0);
        }
        gdyn_evaluation_destroy(e);
    }
    drop(&c);
    gdyn_model_destroy(model);
}

/* A slider driven along x while a pendulum hangs on it undriven: nothing can serve the pendulum, so
 * the region is a curve or empty, never an area. */
static void test_underactuated(void **unused) {
    (void)unused;
    const double gravity[3] = {0, -9.81, 0};
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, gravity);
    gdyn_body_def body = gdyn_body_default();
    body.mass = 2;
    body.inertia[2] = 0.1;
    body.name = "cart";
    gdyn_machine_add_body(machine, &body);
    body.name = "bob";
    body.position[1] = -0.5;
    gdyn_machine_add_body(machine, &body);
    gdyn_joint_def joint = gdyn_joint_default();
    joint.name = "rail";
    joint.type = GDYN_PRISMATIC;
    joint.a.body = 0;
    joint.axis_a[0] = joint.axis_b[0] = 1;
    gdyn_machine_add_joint(machine, &joint);
    joint = gdyn_joint_default();
    joint.name = "pin";
    joint.type = GDYN_REVOLUTE;
    joint.a = (gdyn_anchor){1, {0, 0.5, 0}};
    joint.b = (gdyn_anchor){0, {0, 0, 0}};
    gdyn_machine_add_joint(machine, &joint);
    gdyn_drive_def drive = gdyn_drive_default();
    drive.name = "push";
    drive.joint = 0;
    drive.min = -100;
    drive.max = 100;
    gdyn_machine_add_drive(machine, &drive);
    gdyn_model *model = NULL;
    assert_int_equal(gdyn_model_create(machine, NULL, &model), GDYN_OK);
    gdyn_machine_destroy(machine);
    /* The bob is held at the angle q while the cart runs: (m l^2 + I) q'' + m l x'' cos q = -m g l
     * sin q leaves exactly one d2: -g tan q. */
    trajectory c;
    memset(&c, 0, sizeof c);
    c.def = gdyn_path_default();
    c.def.name = "tow";
    c.expr[0] = formula("p");
    c.expr[1] = formula("0.2");
    gdyn_path_joint follow[2] = {{.joint = 0, .freedom = GDYN_FREEDOM_SLIDE, .value = c.expr[0]},
                                 {.joint = 1, .freedom = GDYN_FREEDOM_ANGLE, .value = c.expr[1]}};
    c.def.joints = 2;
    c.def.joint = follow;
    c.def.p_end = 1;
    c.def.p_given = true;
    c.def.points = 3;
    assert_int_equal(gdyn_path_create(model, &c.def, NULL, &c.path), GDYN_OK);
    for (gdyn_reduction reduction = GDYN_REDUCE_SVD; reduction <= GDYN_REDUCE_NULL; reduction++) {
        gdyn_evaluation *e = run(model, &c, reduction);
        for (int i = 0; i < 3; i++) {
            const gdyn_region *region = e->region[i];
            double low, high;
            assert_int_equal(region->status, GDYN_REGION_CURVE);
            assert_true(gdyn_region_slice(region, 3.0, &low, &high));
            assert_near(low, -9.81 * tan(0.2), 1e-9);
            assert_near(high, -9.81 * tan(0.2), 1e-9);
            assert_near(region->area, 0.0, 0.0);
        }
        gdyn_evaluation_destroy(e);
    }
    drop(&c);
    gdyn_model_destroy(model);
}

/* Torque-speed line and speed limit on a slider: n <= F (1 - v/v0), so M d2 <= F (1 - d1/v0) and
 * braking -F (1 + d1/v0) <= M d2; the speed limit bounds d1; stiffness k and frequency sqrt(k/M).
 */
static void test_torque_speed_line(void **unused) {
    (void)unused;
    const double gravity[3] = {0, 0, 0}, M = 4, F = 120, v0 = 5;
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, gravity);
    gdyn_body_def body = gdyn_body_default();
    body.name = "cart";
    body.mass = 3;
    body.inertia[2] = 0.1;
    gdyn_machine_add_body(machine, &body);
    gdyn_joint_def joint = gdyn_joint_default();
    joint.name = "rail";
    joint.type = GDYN_PRISMATIC;
    joint.a.body = 0;
    joint.axis_a[0] = joint.axis_b[0] = 1;
    gdyn_machine_add_joint(machine, &joint);
    const double curve[2][2] = {{0, 120}, {5, 0}};
    gdyn_drive_def drive = gdyn_drive_default();
    drive.name = "push";
    drive.joint = 0;
    drive.min = -100;
    drive.max = 1000;
    drive.speed_max = 3;
    drive.curve_points = 2;
    drive.curve = curve;
    drive.stiffness = 2500;
    drive.rotor_inertia = 0.01;
    drive.ratio = 10; /* reflected: 1 kg, M = 4 */
    gdyn_machine_add_drive(machine, &drive);
    gdyn_model *model = NULL;
    assert_int_equal(gdyn_model_create(machine, NULL, &model), GDYN_OK);
    gdyn_machine_destroy(machine);
    trajectory c;
    const char *const line[6] = {"p"};
    plan(&c, model, (gdyn_anchor){0, {0, 0, 0}}, line, 0, 1, 2);
    gdyn_evaluation *e = run(model, &c, GDYN_REDUCE_SVD);
    for (int i = 0; i < 2; i++) {
        double low, high;
        for (double d1 = 0; d1 < 3; d1 += 0.7) {
            assert_true(gdyn_region_slice(e->region[i], d1, &low, &high));
            assert_near(high, F * (1 - d1 / v0) / M, 1e-10);
            assert_near(low, -100 / M, 1e-10);
        }
        assert_near(e->region[i]->d1_max, 3.0, 1e-12);
        /* upper triangle part under the line, brake limited by 100 N */
        assert_near(e->region[i]->area, (F * (3 - 4.5 / v0) + 300) / M, 1e-9);
    }
    assert_near(e->criteria.value[GDYN_CRITERION_STIFFNESS], 2500, 1e-6);
    assert_near(e->criteria.value[GDYN_CRITERION_FREQUENCY], 25 / (2 * acos(-1.0)), 1e-9);
    assert_near(e->criteria.value[GDYN_CRITERION_DEXTERITY], 1.0, 1e-12);
    assert_near(e->criteria.value[GDYN_CRITERION_LOAD], 0.0, 1e-12);
    assert_near(e->criteria.value[GDYN_CRITERION_SPEED], 3.0, 1e-12);
    assert_near(e->criteria.value[GDYN_CRITERION_ACCEL], 25.0, 1e-10);
    gdyn_evaluation_destroy(e);
    drop(&c);
    gdyn_model_destroy(model);
}

/* A body that tumbles: turned about y through a full turn it passes phi_y = +-90 deg twice. With the
 * hinge along y through the centre of gravity |I d2| <= torque at every angle, whatever the chart. */
static void test_tumbling_body(void **unused) {
    (void)unused;
    const double gravity[3] = {0, 0, -9.81};
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, gravity);
    gdyn_body_def body = gdyn_body_default();
    body.name = "rotor";
    body.mass = 3;
    body.inertia[0] = 0.2;
    body.inertia[1] = 0.25;
    body.inertia[2] = 0.3;
    gdyn_machine_add_body(machine, &body);
    gdyn_joint_def joint = gdyn_joint_default();
    joint.name = "hinge";
    joint.type = GDYN_REVOLUTE;
    joint.a.body = 0;
    joint.axis_a[1] = joint.axis_b[1] = 1;
    gdyn_machine_add_joint(machine, &joint);
    gdyn_drive_def drive = gdyn_drive_default();
    drive.name = "motor";
    drive.joint = 0;
    drive.min = -2;
    drive.max = 2;
    gdyn_machine_add_drive(machine, &drive);
    gdyn_model *model = NULL;
    assert_int_equal(gdyn_model_create(machine, NULL, &model), GDYN_OK);
    gdyn_machine_destroy(machine);
    trajectory c;
    plan_turn(&c, model, 0, 4 * acos(-1.0), 49); /* 15 deg apart: 90 and 270 deg are points */
    gdyn_evaluation *e = run(model, &c, GDYN_REDUCE_SVD);
    for (int i = 0; i < 49; i++) {
        double z[6];
        gdyn_state_z(e->track->state[i], z);
        for (int j = 0; j < 6; j++)
            assert_true(isfinite(z[j]));
        assert_near(e->region[i]->rest_max, 8.0, 1e-12);
        assert_near(e->region[i]->rest_min, -8.0, 1e-12);
        assert_near(gdyn_mech_joint_coordinate(e->track->state[i], 0, GDYN_FREEDOM_ANGLE),
                    e->track->p[i], 1e-12);
    }
    gdyn_evaluation_destroy(e);
    drop(&c);
    gdyn_model_destroy(model);
}

/* A link that turns about its bearing with nothing but inertia: A = 0, so no d1 is out of reach; what
 * rounding leaves of the centripetal force the bearing carries must not limit it. A fixed joint in
 * space needs no axis. */
static void test_no_limit_from_rounding(void **unused) {
    (void)unused;
    const double gravity[3] = {0, 0, 0};
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, gravity);
    gdyn_body_def body = gdyn_body_default();
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.01;
    body.name = "post";
    gdyn_machine_add_body(machine, &body);
    body.name = "link";
    body.com[0] = 0.1;
    gdyn_machine_add_body(machine, &body);
    gdyn_joint_def joint = gdyn_joint_default();
    joint.name = "foot";
    joint.type = GDYN_FIXED;
    joint.a.body = 0;
    gdyn_machine_add_joint(machine, &joint);
    joint.name = "bearing";
    joint.type = GDYN_REVOLUTE;
    joint.a = (gdyn_anchor){1, {0, 0, 0}};
    joint.b = (gdyn_anchor){0, {0, 0, 0}};
    joint.axis_a[2] = joint.axis_b[2] = 1;
    gdyn_machine_add_joint(machine, &joint);
    gdyn_drive_def drive = gdyn_drive_default();
    drive.name = "motor";
    drive.joint = 1;
    drive.min = -5;
    drive.max = 5;
    gdyn_machine_add_drive(machine, &drive);
    gdyn_model *model = NULL;
    assert_int_equal(gdyn_model_create(machine, NULL, &model), GDYN_OK);
    gdyn_machine_destroy(machine);
    trajectory c;
    plan_turn(&c, model, 1, 1.0, 21);
    for (gdyn_reduction reduction = GDYN_REDUCE_SVD; reduction <= GDYN_REDUCE_NULL; reduction++) {
        gdyn_evaluation *e = run(model, &c, reduction);
        for (int i = 0; i < 21; i++) {
            assert_true(isinf(e->region[i]->d1_max));
            assert_near(e->region[i]->rest_max, 5 / 0.02, 1e-9);
        }
        gdyn_evaluation_destroy(e);
    }
    drop(&c);
    gdyn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_star_reference),         cmocka_unit_test(test_star_invariance),
        cmocka_unit_test(test_two_reductions),         cmocka_unit_test(test_chart_change),
        cmocka_unit_test(test_load_at_rest),           cmocka_unit_test(test_idle_share),
        cmocka_unit_test(test_no_allocation),          cmocka_unit_test(test_underactuated),
        cmocka_unit_test(test_torque_speed_line),      cmocka_unit_test(test_tumbling_body),
        cmocka_unit_test(test_no_limit_from_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
