/* Dynamics in joint coordinates against dense matrices in body velocities, which know nothing of trees:
 *
 * - M^-1 by the recursion against J^T M J and its Cholesky factor, of every kind of joint and of random trees of up to
 *   200 bodies, with rotors at joints and between bodies; inverse dynamics with M u' + h - f;
 * - on all cases, at their assembled poses and arbitrary speeds: both ways to accelerations against the minimum-norm
 *   solution of M u' - C^T lambda = f - h, C u' = -gamma; closing reactions; power and energy;
 * - closed poses at given z: residuals, speeds as differences;
 * - crank-slider and four-bar of Schiehlen and Blajer: I_c, xi, N_c, lambda, z'' written out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>

#include "casefile/casefile.h"
#include "linalg/linalg.h"
#include "near.h"
#include "random_trees.h"
#include "tree/dynamics.h"
#include "tree/tree.h"

static double greatest(int n, const double *v) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

/* --- the tree ---------------------------------------------------------------------------------- */

/* J (n x n_q), by columns. */
static double *dense_J(const gdyn_tree *tree, const gdyn_state *state, int n) {
    int nq = gdyn_tree_coordinates(tree);
    gdyn_tree_pose *pose = gdyn_tree_pose_create(tree, 0);
    double *J = zeros(n * nq), *e = zeros(nq);
    gdyn_tree_pose_set(pose, state);
    for (int c = 0; c < nq; c++) {
        e[c] = 1;
        gdyn_tree_velocities(pose, e, J + (size_t)n * (size_t)c);
        e[c] = 0;
    }
    free(e);
    gdyn_tree_pose_destroy(pose);
    return J;
}

/* x := A^-1 x by Cholesky; false: A is not positive definite. */
static bool dense_solve(int n, double *A, double *x) {
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double sum = A[i + n * j];
            for (int k = 0; k < j; k++)
                sum -= A[i + n * k] * A[j + n * k];
            if (i == j && !(sum > 0))
                return false;
            A[i + n * j] = i == j ? sqrt(sum) : sum / A[j + n * j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= A[i + n * k] * x[k];
        x[i] /= A[i + n * i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= A[k + n * i] * x[k];
        x[i] /= A[i + n * i];
    }
    return true;
}

/* M x = b, columns against the factor; inverse dynamics with speeds. Both solutions are off by some eps times the
 * condition of M, which a random right-hand side shows in |M| |x| / |b|. */
static void check_inertia(const gdyn_model *model, const gdyn_state *state) {
    enum { COLUMNS = 11 };
    int n = gdyn_model_coordinates(model);
    const gdyn_tree *tree = gdyn_model_tree(model);
    gdyn_tree_dynamics *dynamics = gdyn_tree_dynamics_create(tree);
    gdyn_tree_condition condition;
    int nq = gdyn_tree_coordinates(tree);
    double *J = dense_J(tree, state, n), *M = zeros(n * n), *MJ = zeros(n * nq);
    double *Mq = zeros(nq * nq), *X = random_vector(nq * COLUMNS), *tau = zeros(nq * COLUMNS);
    double *b = zeros(nq), *f = random_vector(n), *qdot = random_vector(nq), *u = zeros(n);
    double *h = zeros(n), *bias = zeros(n), *a = zeros(n), *Ma = zeros(n);
    assert_int_equal(gdyn_tree_dynamics_set(dynamics, state, &condition), GDYN_OK);
    assert_int_equal(condition.massless, -1);
    assert_int_equal(condition.freedom, nq);
    gdyn_mech_mass(state, M);
    gdyn_gemm(0, 0, n, nq, n, 1, M, n, J, n, 0, MJ, n);
    gdyn_gemm(1, 0, nq, nq, n, 1, J, n, MJ, n, 0, Mq, nq);
    double size = greatest(nq * nq, Mq), eps = 1e-15 * (10 + gdyn_model_bodies(model));

    /* inverse dynamics of several right-hand sides, without and with speeds and loads */
    gdyn_tree_speeds(dynamics, qdot, NULL, u);
    gdyn_tree_load load[COLUMNS] = {{0}};
    for (int i = 0; i < COLUMNS; i++)
        load[i] = (gdyn_tree_load){X + nq * i, i % 3 == 1 ? f : NULL, i % 2 == 1};
    gdyn_tree_inverse(dynamics, COLUMNS, load, tau);
    gdyn_mech_bias(state, u, h);
    gdyn_tree_pose *pose = gdyn_tree_pose_create(tree, 0);
    gdyn_tree_pose_set(pose, state);
    gdyn_tree_bias(pose, qdot, u, bias);
    for (int i = 0; i < COLUMNS; i++) {
        gdyn_tree_velocities(pose, X + nq * i, a);
        for (int j = 0; j < n; j++)
            a[j] += load[i].moving ? bias[j] : 0;
        gdyn_mech_mass_apply(state, a, Ma);
        double most = greatest(n, Ma) + greatest(n, h);
        for (int j = 0; j < n; j++)
            Ma[j] += (load[i].moving ? h[j] : 0) - (load[i].f ? f[j] : 0);
        gdyn_tree_forces(pose, Ma, b);
        for (int c = 0; c < nq; c++)
            assert_near(tau[nq * i + c], b[c], eps * n * (1 + most) * (1 + greatest(n, J)) * 10);
    }
    gdyn_tree_pose_destroy(pose);

    /* M^-1 */
    memcpy(b, X, (size_t)nq * sizeof *b);
    assert_int_equal(gdyn_tree_mass_solve(dynamics, COLUMNS, X), GDYN_OK);
    double *dense = zeros(nq);
    memcpy(dense, b, (size_t)nq * sizeof *b);
    for (int c = 0; c < nq; c++) { /* residual, relative to what it is a sum of */
        double sum = -b[c], whole = fabs(b[c]);
        for (int k = 0; k < nq; k++) {
            sum += Mq[c + nq * k] * X[k];
            whole += fabs(Mq[c + nq * k] * X[k]);
        }
        assert_near(sum, 0, eps * 10 * (whole + size * greatest(nq, X)));
    }
    assert_true(dense_solve(nq, Mq, dense));
    double condition_of = size * greatest(nq, dense) * nq;
    for (int c = 0; c < nq; c++)
        assert_near(X[c], dense[c], eps * greatest(nq, dense) * (10 + condition_of * 100));
    double *all[] = {J, M, MJ, Mq, X, tau, b, f, qdot, u, h, bias, a, Ma, dense};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    gdyn_tree_dynamics_destroy(dynamics);
}

/* Rotors at joints that have one freedom, and between bodies. */
static void add_rotors(gdyn_machine *machine, int bodies, bool planar, int joints) {
    for (int i = 0; i < joints; i += 3) {
        gdyn_drive_def def = gdyn_drive_default();
        char name[16];
        snprintf(name, sizeof name, "d%d", i);
        def.name = name;
        def.kind = GDYN_DRIVE_BETWEEN;
        def.a.body = i % bodies;
        def.b.body = i % 2 || bodies < 3 ? GDYN_GROUND : (i + 2) % bodies;
        any_vector(&dice, def.a.at, 0.3, planar);
        any_vector(&dice, def.b.at, 2, planar);
        def.min = -1;
        def.max = 1;
        def.rotor_inertia = 0.2;
        def.ratio = 1.5;
        gdyn_machine_add_drive(machine, &def);
    }
}

static void test_random_trees(void **unused) {
    (void)unused;
    const int sizes[] = {1, 2, 3, 5, 8, 20, 60, 200};
    dice = gdyn_random_stream(12, 2, 1);
    for (gdyn_space space = GDYN_PLANAR; space <= GDYN_SPATIAL; space++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int run = 0; run < (sizes[s] < 30 ? 20 : 2); run++) {
                gdyn_machine *machine = random_tree_machine(space, sizes[s]);
                if (run % 2)
                    add_rotors(machine, sizes[s], space == GDYN_PLANAR,
                               sizes[s] < 10 ? sizes[s] : 10);
                gdyn_model *model = build(machine);
                gdyn_state *state = gdyn_state_create(model);
                check_inertia(model, state);
                gdyn_state_destroy(state);
                gdyn_model_destroy(model);
            }
}

/* Two bodies and a joint of any kind; a rotor where the joint has one freedom. */
static bool check_joint(gdyn_joint_type type, gdyn_space space, const int side[2], int locks) {
    gdyn_machine *machine = two_bodies(type, space, side, locks);
    gdyn_freedom freedoms[3];
    if (gdyn_joint_freedoms(type, space, freedoms) > 0) {
        gdyn_drive_def drive = gdyn_drive_default();
        drive.name = "motor";
        drive.joint = 0;
        drive.freedom = freedoms[0];
        drive.min = -1;
        drive.max = 1;
        drive.rotor_inertia = 0.3;
        gdyn_machine_add_drive(machine, &drive);
    }
    gdyn_model *model = build(machine);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_closure *closure = gdyn_closure_create(model, 0);
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    assert_int_equal(gdyn_closure_solve(closure, state, 0, NULL, &settings, &info), GDYN_OK);
    bool closed = info.outcome == GDYN_CLOSED;
    const gdyn_tree *tree = gdyn_model_tree(model);
    if (closed && gdyn_tree_closing(tree) == 0)
        check_inertia(model, state);
    gdyn_closure_destroy(closure);
    gdyn_state_destroy(state);
    gdyn_model_destroy(model);
    return closed;
}

static void test_every_joint(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(12, 2, 2);
    for_every_joint(check_joint);
}

/* --- plane loops in closed form ------------------------------------------------------------------ */

/* A random plane loop of one freedom, its joints of arbitrary kinds, in the plane or in space: three bodies, or two with a
 * slot or a rod as the last joint. The guess is a pose. */
static gdyn_model *random_loop(bool spatial, int last) {
    static const double ground_R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    gdyn_machine *machine =
        gdyn_machine_create(spatial ? GDYN_SPATIAL : GDYN_PLANAR, (const double[3]){0, -9.81, 0});
    int bodies = last < 2 ? 3 : 2;
    placed where[3] = {0};
    for (int i = 0; i < bodies; i++) {
        double cardan[3] = {0, 0, gdyn_random_between(&dice, -2, 2)};
        gdyn_rotation_from_cardan(where[i].R, cardan);
        any_vector(&dice, where[i].position, 1, true);
        add_body(machine, i, true, where[i].position, cardan);
    }
    for (int i = 0; i <= bodies; i++) {
        int kind = i == bodies ? last : gdyn_random_between(&dice, 0, 1) < 0.3;
        double x[3], e[3], angle = gdyn_random_between(&dice, -3, 3), side[3];
        static const gdyn_joint_type types[] = {GDYN_REVOLUTE, GDYN_PRISMATIC, GDYN_SLOT, GDYN_ROD};
        gdyn_joint_def def = gdyn_joint_default();
        char name[8];
        snprintf(name, sizeof name, "j%d", i);
        def.name = name;
        def.type = types[kind];
        def.a.body = i < bodies ? i : GDYN_GROUND;
        def.b.body = i - 1;
        if (gdyn_random_between(&dice, 0, 1) < 0.5) {
            int swap = def.a.body;
            def.a.body = def.b.body;
            def.b.body = swap;
        }
        const double *Ra = def.a.body < 0 ? ground_R : where[def.a.body].R;
        const double *Rb = def.b.body < 0 ? ground_R : where[def.b.body].R;
        const double origin[3] = {0};
        any_vector(&dice, x, 1.5, true);
        any_vector(&dice, side, 1.5, true);
        v3_set(e, cos(angle), sin(angle), 0);
        local(def.b.at, Rb, def.b.body < 0 ? origin : where[def.b.body].position, x);
        if (kind == 1 || kind == 2)
            v3_axpy(x, x, 0.3, e);
        if (kind == 3) {
            double gap[3];
            v3_sub(gap, side, x);
            def.length = v3_norm(gap);
            v3_copy(x, side);
        }
        local(def.a.at, Ra, def.a.body < 0 ? origin : where[def.a.body].position, x);
        if (kind == 0)
            v3_set(e, 0, 0, 1);
        m3_apply_t(def.axis_a, Ra, e);
        m3_apply_t(def.axis_b, Rb, e);
        gdyn_machine_add_joint(machine, &def);
    }
    return build(machine);
}

/* A large step in closed form ends where many small ones by Newton steps do (a smooth path keeps the branch). Returns
 * whether there was such a step. */
static bool check_loop(const gdyn_model *model, int *explicitly) {
    enum { STEPS = 64 };
    const gdyn_tree *tree = gdyn_model_tree(model);
    gdyn_tree_dynamics *dynamics = gdyn_tree_dynamics_create(tree);
    gdyn_state *state = gdyn_state_create(model), *to = gdyn_state_create(model);
    gdyn_state *small = gdyn_state_create(model);
    gdyn_tree_condition found;
    gdyn_tree_placed how;
    assert_int_equal(gdyn_tree_dynamics_set(dynamics, state, &found), GDYN_OK);
    bool usable = found.freedom == 1 && found.clear;
    if (usable) {
        double dz = gdyn_random_between(&dice, -0.7, 0.7), step = dz / STEPS;
        int z = gdyn_tree_independent(dynamics)[0];
        gdyn_tree_place(dynamics, &dz, to, &how);
        *explicitly += how.closed && how.explicitly > 0;
        usable = how.closed && how.explicitly > 0;
        if (usable)
            assert_in_range(how.iterations, 0, 1); /* rounding */
        for (int i = 0; i < STEPS && usable; i++) {
            gdyn_tree_prefer(dynamics, 1, &z);
            assert_int_equal(gdyn_tree_dynamics_set(dynamics, state, &found), GDYN_OK);
            gdyn_tree_place(dynamics, &step, small, &how);
            usable = found.freedom == 1 && found.least > 1e-2 && !found.changed && how.closed;
            gdyn_state_copy(state, small);
        }
        for (int b = 0; usable && b < gdyn_model_bodies(model); b++) {
            double x[3], y[3], R[9], Q[9];
            gdyn_state_body(to, b, x, R);
            gdyn_state_body(state, b, y, Q);
            for (int j = 0; j < 3; j++)
                assert_near(x[j], y[j], 1e-9);
            for (int j = 0; j < 9; j++)
                assert_near(R[j], Q[j], 1e-9);
        }
    }
    gdyn_state_destroy(small);
    gdyn_state_destroy(to);
    gdyn_state_destroy(state);
    gdyn_tree_dynamics_destroy(dynamics);
    return usable;
}

static void test_plane_loops(void **unused) {
    (void)unused;
    dice = gdyn_random_stream(12, 2, 4);
    for (int spatial = 0; spatial < 2; spatial++)
        for (int last = 0; last < 4; last++) {
            int compared = 0, explicitly = 0, runs = spatial && last == 2 ? 0 : 60;
            for (int run = 0; run < runs; run++) {
                gdyn_model *model = random_loop(spatial, last);
                compared += check_loop(model, &explicitly);
                gdyn_model_destroy(model);
            }
            print_message("space %d, last joint %d: %d of %d in closed form, %d compared\n",
                          spatial, last, explicitly, runs, compared);
            assert_true(runs == 0 || compared >= 10);
        }
}

/* --- closed machines ------------------------------------------------------------------------------ */

/* u' of the least norm solution of [M -C^T; C 0] [u'; lambda] = [f - h; a - gamma], unique in u'. */
static double *dense_acceleration(const gdyn_model *model, const gdyn_state *state, const double *u,
                                  const double *f) {
    int n = gdyn_model_coordinates(model);
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model), all = n + rows;
    double *M = zeros(n * n), *C = zeros(rows * n), *A = zeros(all * all), *b = zeros(all);
    double *x = zeros(all), *h = zeros(n), *gamma = zeros(rows), *rate = zeros(rows);
    double *acceleration = zeros(rows);
    gdyn_mech_mass(state, M);
    gdyn_mech_jacobian(state, C);
    gdyn_mech_bias(state, u, h);
    gdyn_mech_curvature(state, u, gamma);
    gdyn_mech_motion_rates(state, rate, acceleration);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            A[i + all * j] = M[i + n * j];
        for (int i = 0; i < rows; i++) {
            A[n + i + all * j] = C[i + rows * j];
            A[j + all * (n + i)] = -C[i + rows * j];
        }
        b[j] = f[j] - h[j];
    }
    for (int i = 0; i < rows; i++)
        b[n + i] = acceleration[i] - gamma[i];
    gdyn_svd *svd = gdyn_svd_create(all, all);
    assert_int_equal(gdyn_svd_factor(svd, all, all, A, all, 1e-11), GDYN_OK);
    gdyn_svd_solve(svd, 1, b, all, x, all);
    gdyn_svd_destroy(svd);
    double *others[] = {M, C, A, b, h, gamma, rate, acceleration};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        free(others[i]);
    return x;
}

/* f + C_c^T lambda - M u' - h does no work in any motion of the tree: J^T of it is zero. */
static void check_reactions(const gdyn_tree *tree, const gdyn_state *state, const double *u,
                            const double *udot, const double *f, const double *lambda,
                            double size) {
    const gdyn_model *model = gdyn_state_model(state);
    int n = gdyn_model_coordinates(model), nq = gdyn_tree_coordinates(tree);
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    double *C = zeros(rows * n), *h = zeros(n), *left = zeros(n), *tau = zeros(nq);
    gdyn_mech_jacobian(state, C);
    gdyn_mech_bias(state, u, h);
    gdyn_mech_mass_apply(state, udot, left);
    for (int j = 0; j < n; j++) {
        left[j] = f[j] - h[j] - left[j];
        for (int i = 0; i < gdyn_tree_closing(tree); i++)
            left[j] += C[gdyn_tree_closing_row(tree, i) + rows * j] * lambda[i];
    }
    gdyn_tree_pose *pose = gdyn_tree_pose_create(tree, 0);
    gdyn_tree_pose_set(pose, state);
    gdyn_tree_forces(pose, left, tau);
    for (int c = 0; c < nq; c++)
        assert_near(tau[c], 0, 1e-9 * size);
    gdyn_tree_pose_destroy(pose);
    double *all[] = {C, h, left, tau};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* Poses at +-t z' have u as their difference and keep the constraints; the power of f is the rate of energy. */
static void check_motion(gdyn_tree_dynamics *dynamics, const gdyn_state *state, const double *zdot,
                         const double *u, const gdyn_tree_condition *found) {
    const gdyn_model *model = gdyn_state_model(state);
    const double t = 1e-5;
    int n = gdyn_model_coordinates(model), bodies = gdyn_model_bodies(model), f = found->freedom;
    int per_body = n / bodies, lengths = per_body == 3 ? 2 : 3;
    gdyn_state *ahead = gdyn_state_create(model), *behind = gdyn_state_create(model);
    double *dz = zeros(f), size = greatest(n, u);
    gdyn_tree_placed how;
    for (int side = 0; side < 2; side++) {
        for (int j = 0; j < f; j++)
            dz[j] = (side ? -t : t) * zdot[j];
        gdyn_tree_place(dynamics, dz, side ? behind : ahead, &how);
        assert_true(how.closed && how.residual <= 1e-12);
    }
    for (int b = 0; b < bodies; b++)
        for (int j = 0; j < lengths; j++) {
            double x[3], y[3], R[9];
            gdyn_state_body(ahead, b, x, R);
            gdyn_state_body(behind, b, y, R);
            assert_near((x[j] - y[j]) / (2 * t), u[per_body * b + j], 1e-5 * (1 + size * size));
        }
    free(dz);
    gdyn_state_destroy(ahead);
    gdyn_state_destroy(behind);
}

/* Without motions the constraints do no work: the rate of kinetic energy, u . (M u' + h), is the power of f. */
static void check_power(const gdyn_model *model, const gdyn_state *state, const double *u,
                        const double *udot, const double *f) {
    int n = gdyn_model_coordinates(model);
    double *Ma = zeros(n), *h = zeros(n), rate = 0, power = 0, whole = 0;
    gdyn_mech_mass_apply(state, udot, Ma);
    gdyn_mech_bias(state, u, h);
    for (int j = 0; j < n; j++) {
        rate += u[j] * (Ma[j] + h[j]);
        power += u[j] * f[j];
        whole += fabs(u[j] * f[j]) + fabs(u[j] * Ma[j]);
    }
    if (gdyn_model_motions(model) == 0)
        assert_near(rate, power, 1e-9 * whole);
    free(Ma);
    free(h);
}

/* Conditions of M and of the closing rows are below 1e7 at clear poses: 1e-7 of the accelerations are far above eps times
 * them, far below what a wrong term makes. */
static void check_machine(const gdyn_model *model, const gdyn_state *state) {
    int n = gdyn_model_coordinates(model);
    const gdyn_tree *tree = gdyn_model_tree(model);
    gdyn_tree_dynamics *dynamics = gdyn_tree_dynamics_create(tree);
    gdyn_tree_condition found;
    assert_int_equal(gdyn_tree_dynamics_set(dynamics, state, &found), GDYN_OK);
    int f = found.freedom, nq = gdyn_tree_coordinates(tree), closing = gdyn_tree_closing(tree);
    double *zdot = random_vector(f), *force = random_vector(n), *u = zeros(n), *udot = zeros(n);
    double *zddot = zeros(f), *qddot = zeros(nq), *lambda = zeros(closing), *back = zeros(f);
    gdyn_tree_speeds(dynamics, zdot, NULL, u);
    gdyn_tree_independent_rates(dynamics, u, back);
    for (int j = 0; j < f; j++)
        assert_near(back[j], zdot[j], 1e-9 * (1 + greatest(n, u)));
    for (int j = 0; j < n; j++)
        force[j] *= gdyn_model_mass(model) * 10;
    double *wanted = dense_acceleration(model, state, u, force);
    double size = greatest(n, wanted) + 1e-6 * greatest(n, force) / gdyn_model_mass(model);
    for (gdyn_tree_method method = GDYN_TREE_CHEAPER; method <= GDYN_TREE_REACTIONS; method++) {
        if (method == GDYN_TREE_REACTIONS && found.massless >= 0)
            continue;
        assert_int_equal(gdyn_tree_accelerate(dynamics, method, force, zddot, qddot, udot, lambda),
                         GDYN_OK);
        for (int j = 0; j < n && found.clear; j++)
            assert_near(udot[j], wanted[j], 1e-7 * size);
        if (!found.clear)
            continue;
        check_reactions(tree, state, u, udot, force, lambda,
                        greatest(n, force) + greatest(closing, lambda));
        check_power(model, state, u, udot, force);
    }
    if (found.clear && gdyn_model_motions(model) == 0)
        check_motion(dynamics, state, zdot, u, &found);
    double *all[] = {zdot, force, u, udot, zddot, qddot, lambda, back, wanted};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    gdyn_tree_dynamics_destroy(dynamics);
}

/* --- crank-slider and four-bar -------------------------------------------------------------------- */

/* The quantities of Schiehlen and Blajer's equations for z = the crank angle and y_c = (angle at the elbow, last coordinate),
 * written out by hand for one loop: I_c, xi, N_c, lambda, z''. */
typedef struct loop_formulas {
    double M[3][3], k[3], q[3]; /* of the open tree */
    double I[2], xi[2];         /* y_c' = I z', y_c'' = I z'' + xi */
} loop_formulas;

/* Crank r from the origin and a uniform rod l at its end, masses m1, m2, crank angle `a`, rod angle t, rates. */
static void crank_and_rod(loop_formulas *f, double r, double l, double m1, double m2, double a,
                          double t, double w, double rate) {
    const double g = 9.81;
    double h = l / 2, J2 = m2 * l * l / 12, bend = m2 * r * h * sin(t - a), b = rate - w;
    f->M[0][0] = m1 * r * r / 3 + J2 + m2 * (r * r + h * h + 2 * r * h * cos(t - a));
    f->M[0][1] = f->M[1][0] = J2 + m2 * (h * h + r * h * cos(t - a));
    f->M[1][1] = J2 + m2 * h * h;
    f->k[0] = -bend * (2 * w * b + b * b);
    f->k[1] = bend * w * w;
    f->q[0] = -g * ((m1 / 2 + m2) * r * cos(a) + m2 * h * cos(t));
    f->q[1] = -g * m2 * h * cos(t);
}

static loop_formulas crank_slider(double a, double w) {
    const double r = 0.1, l = 0.3, e = 0.02;
    loop_formulas f = {.k = {0}};
    double t = asin((e - r * sin(a)) / l), per = -r * cos(a) / (l * cos(t)), rate = per * w;
    double bend = (r * sin(a) * w * w + l * sin(t) * rate * rate) / (l * cos(t));
    crank_and_rod(&f, r, l, 0.5, 0.8, a, t, w, rate);
    f.M[2][2] = 1.2;
    f.I[0] = per - 1;
    f.I[1] = -r * sin(a) - l * sin(t) * per;
    f.xi[0] = bend;
    f.xi[1] = -r * cos(a) * w * w - l * cos(t) * rate * rate - l * sin(t) * bend;
    return f;
}

/* x sin, cos of the coupler and rocker angles t, o: -l sin t x + c sin o y = p, l cos t x - c cos o y = q. */
static void solve_bars(double l, double c, double t, double o, double p, double q, double out[2]) {
    double det = l * c * sin(t - o);
    out[0] = (-c * cos(o) * p - c * sin(o) * q) / det;
    out[1] = (-l * cos(t) * p - l * sin(t) * q) / det;
}

static loop_formulas four_bar(double a, double w) {
    const double r = 0.1, l = 0.3, c = 0.25, d = 0.35, g = 9.81, m3 = 0.7;
    loop_formulas f = {.k = {0}};
    double x = d - r * cos(a), y = -r * sin(a), gap = hypot(x, y), per[2];
    double t = atan2(y, x) + acos((gap * gap + l * l - c * c) / (2 * gap * l));
    double o = atan2(r * sin(a) + l * sin(t), r * cos(a) + l * cos(t) - d);
    solve_bars(l, c, t, o, r * sin(a), -r * cos(a), per);
    double tt = per[0] * w, oo = per[1] * w;
    crank_and_rod(&f, r, l, 0.5, 0.8, a, t, w, tt);
    f.M[2][2] = m3 * c * c / 3;
    f.q[2] = -g * m3 * c / 2 * cos(o);
    f.I[0] = per[0] - 1;
    f.I[1] = per[1];
    solve_bars(l, c, t, o, r * cos(a) * w * w + l * cos(t) * tt * tt - c * cos(o) * oo * oo,
               r * sin(a) * w * w + l * sin(t) * tt * tt - c * sin(o) * oo * oo, f.xi);
    return f;
}

/* Eqs. 3 and 5 with 3 x 3 matrices: N_c (2 x 2), lambda, y''. */
static void solve_formulas(const loop_formulas *f, double N[4], double lambda[2], double ydd[3]) {
    double Q[2][3] = {{-f->I[0], 1, 0}, {-f->I[1], 0, 1}}, MQ[2][3], free_motion[3];
    for (int i = -1; i < 2; i++) {
        double A[9];
        for (int j = 0; j < 9; j++)
            A[j] = f->M[j % 3][j / 3];
        double *x = i < 0 ? free_motion : MQ[i];
        for (int j = 0; j < 3; j++)
            x[j] = i < 0 ? f->q[j] - f->k[j] : Q[i][j];
        assert_true(dense_solve(3, A, x));
    }
    double b[2];
    for (int i = 0; i < 2; i++) {
        b[i] = f->xi[i];
        for (int j = 0; j < 3; j++)
            b[i] -= Q[i][j] * free_motion[j];
        for (int j = 0; j < 2; j++) {
            N[i + 2 * j] = 0;
            for (int c = 0; c < 3; c++)
                N[i + 2 * j] += Q[i][c] * MQ[j][c];
        }
    }
    double det = N[0] * N[3] - N[1] * N[2];
    lambda[0] = (N[3] * b[0] - N[2] * b[1]) / det;
    lambda[1] = (N[0] * b[1] - N[1] * b[0]) / det;
    for (int c = 0; c < 3; c++)
        ydd[c] = free_motion[c] + MQ[0][c] * lambda[0] + MQ[1][c] * lambda[1];
}

/* The case at crank angle `a`, speed w, against the formulas. */
static void check_loop_formulas(const gdyn_model *model, gdyn_state *state, double start, double a,
                                double w, loop_formulas f) {
    const gdyn_tree *tree = gdyn_model_tree(model);
    gdyn_tree_dynamics *dynamics = gdyn_tree_dynamics_create(tree);
    gdyn_tree_condition found;
    gdyn_tree_placed how;
    gdyn_state *to = gdyn_state_create(model);
    int none, crank = gdyn_tree_first(tree, 0, &none);
    gdyn_tree_prefer(dynamics, 1, &crank);
    assert_int_equal(gdyn_tree_dynamics_set(dynamics, state, &found), GDYN_OK);
    assert_int_equal(gdyn_tree_independent(dynamics)[0], crank);
    double dz = a - start, N[4], N_c[4], lambda[2], ydd[3], udot[9], u[9], g0[9] = {0}, yc[3];
    gdyn_tree_place(dynamics, &dz, to, &how);
    assert_int_equal(how.explicitly, 1);
    assert_true(how.closed);
    gdyn_tree_prefer(dynamics, 1, &crank);
    assert_int_equal(gdyn_tree_dynamics_set(dynamics, to, &found), GDYN_OK);
    double K[3], one = 1; /* q' at z' = 1 */
    gdyn_tree_speeds(dynamics, &one, K, u);
    /* coordinates of crank, rod, last body, in this order */
    int at[3];
    for (int b = 0; b < 3; b++)
        at[b] = gdyn_tree_first(tree, b, &none);
    assert_near(K[at[1]], f.I[0], 1e-12 * (1 + fabs(f.I[0])));
    assert_near(K[at[2]], f.I[1], 1e-12 * (1 + fabs(f.I[1])));
    solve_formulas(&f, N, lambda, ydd);
    assert_int_equal(gdyn_tree_reaction_matrix(dynamics, N_c), GDYN_OK);
    bool swapped = at[1] > at[2]; /* the dependent coordinates ascend */
    for (int i = 0; i < 4; i++)
        assert_near(N_c[swapped ? 3 - i : i], N[i], 1e-11 * (fabs(N[0]) + fabs(N[3])));
    gdyn_tree_speeds(dynamics, &w, NULL, u);
    for (int b = 0; b < 3; b++)
        g0[3 * b + 1] = -9.81 * gdyn_model_body(model, b)->mass;
    for (gdyn_tree_method m = GDYN_TREE_PROJECTED; m <= GDYN_TREE_REACTIONS; m++) {
        assert_int_equal(gdyn_tree_accelerate(dynamics, m, g0, NULL, yc, udot, NULL), GDYN_OK);
        for (int b = 0; b < 3; b++)
            assert_near(yc[at[b]], ydd[b], 1e-11 * (fabs(ydd[0]) + fabs(ydd[1]) + fabs(ydd[2])));
    }
    /* lambda: generalized closing reaction, M q'' + k - J^T f of the dependent coordinates; xi at z'' = 0 */
    double tau[3];
    gdyn_tree_inverse(dynamics, 1, &(gdyn_tree_load){yc, g0, true}, tau);
    assert_near(tau[at[1]], lambda[0], 1e-11 * (1 + fabs(lambda[0])));
    assert_near(tau[at[2]], lambda[1], 1e-11 * (1 + fabs(lambda[1])));
    for (int i = 0; i < 2; i++)
        assert_near(yc[at[i + 1]] - f.I[i] * yc[at[0]], f.xi[i],
                    1e-11 * (1 + fabs(yc[at[0]]) + fabs(f.xi[i])));
    gdyn_state_destroy(to);
    gdyn_tree_dynamics_destroy(dynamics);
}

static void test_papers_loops(void **unused) {
    (void)unused;
    static const char *const names[] = {"crank_slider", "four_bar"};
    for (int c = 0; c < 2; c++) {
        char file[300];
        gdyn_case *the_case = NULL;
        gdyn_instance *instance = NULL;
        snprintf(file, sizeof file, GDYN_SOURCE_DIR "/cases/%s/case.yaml", names[c]);
        assert_int_equal(gdyn_case_read(file, NULL, &the_case), GDYN_OK);
        assert_int_equal(gdyn_case_instantiate(the_case, 0, NULL, NULL, &instance), GDYN_OK);
        gdyn_state *state = gdyn_state_create(instance->model);
        double start = acos(-1) / (c == 0 ? 4 : 3);
        for (int i = 0; i < 40; i++) {
            double a = start - 2 + 0.1 * i, w = i % 3 == 0 ? 0 : 0.7 * i - 9;
            check_loop_formulas(instance->model, state, start, a, w,
                                c == 0 ? crank_slider(a, w) : four_bar(a, w));
        }
        gdyn_state_destroy(state);
        gdyn_instance_destroy(instance);
        gdyn_case_destroy(the_case);
    }
}

static void test_cases(void **unused) {
    (void)unused;
    glob_t files;
    dice = gdyn_random_stream(12, 2, 3);
    assert_int_equal(glob(GDYN_SOURCE_DIR "/cases/*/*.yaml", 0, NULL, &files), 0);
    for (size_t c = 0; c < files.gl_pathc; c++) {
        gdyn_case *the_case = NULL;
        gdyn_instance *instance = NULL;
        assert_int_equal(gdyn_case_read(files.gl_pathv[c], NULL, &the_case), GDYN_OK);
        assert_int_equal(gdyn_case_instantiate(the_case, 0, NULL, NULL, &instance), GDYN_OK);
        if (instance->model && gdyn_model_coordinates(instance->model) <= 120) {
            const gdyn_model *model = instance->model;
            gdyn_state *state = gdyn_state_create(model);
            gdyn_closure *closure = gdyn_closure_create(model, 0);
            gdyn_closure_settings settings = gdyn_closure_default();
            gdyn_closure_info info;
            assert_int_equal(gdyn_closure_solve(closure, state, 0, NULL, &settings, &info),
                             GDYN_OK);
            print_message("%s\n", files.gl_pathv[c]);
            if (info.outcome == GDYN_CLOSED)
                check_machine(model, state);
            gdyn_closure_destroy(closure);
            gdyn_state_destroy(state);
        }
        gdyn_instance_destroy(instance);
        gdyn_case_destroy(the_case);
    }
    globfree(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_joint), cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_plane_loops), cmocka_unit_test(test_papers_loops),
        cmocka_unit_test(test_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
