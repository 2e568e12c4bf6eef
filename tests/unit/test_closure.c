/* Closing machines: from rough guesses, with redundant rows, mirrored axes, without solution. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "closure/target.h"
#include "closure_machines.h"

#include "base/memory.h"
#include "base/random.h"
#include "mech/row.h"
#include "model/rows.h"

#include <float.h>

/* Moves every body by random amounts up to `size` (lengths in L, rotations in rad). */
static void disturb(gdyn_state *state, double size, uint64_t seed) {
    const gdyn_model *model = gdyn_state_model(state);
    gdyn_random random = gdyn_random_stream(seed, 0, 0);
    int n = gdyn_model_coordinates(model);
    double du[100], column[100];
    gdyn_mech_scales(model, NULL, column);
    for (int j = 0; j < n; j++)
        du[j] = gdyn_random_between(&random, -size, size) * column[j] * gdyn_model_length(model);
    gdyn_state_move(state, du);
}

static gdyn_closure_info close(gdyn_closure *closure, gdyn_state *state,
                               gdyn_closure_method method) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    settings.method = method;
    assert_int_equal(gdyn_closure_solve(closure, state, 0, NULL, &settings, &info), GDYN_OK);
    return info;
}

/* The residual recomputed from the definition alone. */
static double residual(const gdyn_state *state) {
    const gdyn_model *model = gdyn_state_model(state);
    double phi[200], most = 0;
    gdyn_mech_constraints(state, phi);
    for (int i = 0; i < gdyn_model_holonomic(model); i++)
        most = fmax(most, fabs(phi[i]) /
                              (gdyn_mech_row_is_length(model, i) ? gdyn_model_length(model) : 1));
    return most;
}

static void closes_from_rough_guesses(void **context) {
    (void)context;
    gdyn_model *models[] = {star(1, false),
                            slider_crank(0.3, 0.8, 0.7),
                            four_bar(GDYN_PLANAR, 0.3, 0.9, 0.7, 1, 1.1),
                            four_bar(GDYN_SPATIAL, 0.3, 0.9, 0.7, 1, 1.1),
                            parallelogram(0.5, 4, 0.9),
                            rssr(0.3, 1.1, 0.6, 1),
                            six_ups(1)};
    int failures = 0;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        assert_non_null(models[i]);
        gdyn_closure *closure = gdyn_closure_create(models[i], 0);
        gdyn_state *state = gdyn_state_create(models[i]);
        for (uint64_t seed = 0; seed < 10; seed++) {
            gdyn_state_guess(state);
            disturb(state, 0.25, seed);
            gdyn_closure_info info = close(closure, state, GDYN_CLOSURE_LEAST_SQUARES);
            if (info.outcome != GDYN_CLOSED) {
                failures++;
                printf("machine %zu seed %d: outcome %d residual %g iterations %d\n", i, (int)seed,
                       info.outcome, info.residual, info.iterations);
                continue;
            }
            assert_true(info.residual <= 1e-13);
            assert_true(residual(state) <= 1e-13);
        }
        gdyn_state_destroy(state);
        gdyn_closure_destroy(closure);
        gdyn_model_destroy(models[i]);
    }
    assert_int_equal(failures, 0);
}

/* Paul 2020: least squares, the simplex and Newton's method close a machine alike. From a guess
 * near a closed pose all three must reach the manifold; with the crank held by a target the pose is
 * isolated and the three must agree. */
static void methods_agree(void **context) {
    (void)context;
    gdyn_model *model = four_bar(GDYN_PLANAR, 0.3, 0.9, 0.7, 1, 1.1);
    gdyn_closure *closure = gdyn_closure_create(model, 1);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_target crank = {.row = gdyn_row_angle(model, 0), .target = {1.2}};
    double z[3][9];
    for (int method = 0; method < 3; method++) {
        gdyn_closure_settings settings = gdyn_closure_default();
        gdyn_closure_info info;
        settings.method = (gdyn_closure_method)method;
        gdyn_state_guess(state);
        disturb(state, 0.05, 5);
        assert_int_equal(gdyn_closure_solve(closure, state, 1, &crank, &settings, &info), GDYN_OK);
        assert_int_equal(info.outcome, GDYN_CLOSED);
        assert_true(info.residual <= 1e-13);
        gdyn_state_z(state, z[method]);
    }
    /* Residual 1e-13 and a condition number below 100 at this pose. */
    for (int i = 0; i < 9; i++) {
        assert_true(fabs(z[0][i] - z[1][i]) <= 1e-11);
        assert_true(fabs(z[0][i] - z[2][i]) <= 1e-11);
    }
    gdyn_state_destroy(state);
    gdyn_closure_destroy(closure);
    gdyn_model_destroy(model);
}

static void mobility_numbers(void **context) {
    (void)context;
    struct {
        gdyn_model *model;
        int mobility, redundant, gruebler;
    } cases[] = {{star(1, false), 3, 0, 3},
                 {four_bar(GDYN_PLANAR, 0.3, 0.9, 0.7, 1, 1.1), 1, 0, 1},
                 {four_bar(GDYN_SPATIAL, 0.3, 0.9, 0.7, 1, 1.1), 1, 3, -2},
                 {parallelogram(0.5, 4, 0.9), 1, 2, -1},
                 {rssr(0.3, 1.1, 0.6, 1), 2, 0, 2},
                 {bricard(), 1, 1, 0},
                 {six_ups(1), 6, 0, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gdyn_closure *closure = gdyn_closure_create(cases[i].model, 0);
        gdyn_state *state = gdyn_state_create(cases[i].model);
        gdyn_mobility mobility;
        assert_int_equal(close(closure, state, GDYN_CLOSURE_LEAST_SQUARES).outcome, GDYN_CLOSED);
        assert_int_equal(gdyn_closure_mobility(closure, state, &mobility), GDYN_OK);
        assert_int_equal(mobility.mobility, cases[i].mobility);
        assert_int_equal(mobility.redundant, cases[i].redundant);
        assert_int_equal(mobility.gruebler, cases[i].gruebler);
        assert_true(mobility.rank.gap > GDYN_GAP_SAFE);
        gdyn_state_destroy(state);
        gdyn_closure_destroy(closure);
        gdyn_model_destroy(cases[i].model);
    }
}

/* Links of 0.3 and 0.4 m cannot span 1 m; the least-squares residual is known: both loop joints and
 * pivots share the missing 0.3 m. */
static void impossible_machine_is_reported(void **context) {
    (void)context;
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    int a = add_body(machine, "a", 0, 0, 0, 0, 0, 0.4);
    int b = add_body(machine, "b", 1, 0, 0, 0, 0, 2.5);
    add_joint(machine, "O", GDYN_REVOLUTE, a, P3(0, 0, 0), GDYN_GROUND, P3(0, 0, 0), NULL, NULL);
    add_joint(machine, "C", GDYN_REVOLUTE, b, P3(0, 0, 0), GDYN_GROUND, P3(1, 0, 0), NULL, NULL);
    add_joint(machine, "A", GDYN_REVOLUTE, b, P3(0.4, 0, 0), a, P3(0.3, 0, 0), NULL, NULL);
    gdyn_model *model = finish(machine);
    gdyn_closure *closure = gdyn_closure_create(model, 0);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_closure_info info = close(closure, state, GDYN_CLOSURE_LEAST_SQUARES);
    assert_int_equal(info.outcome, GDYN_CLOSURE_STALLED);
    /* Least squares of three equal gaps in a row: 0.1 m each. */
    assert_true(fabs(info.residual * gdyn_model_length(model) - 0.1) < 1e-5);
    assert_true(info.worst_row >= 0 && info.worst_joint >= 0);
    assert_true(fabs(residual(state) - info.residual) <= 1e-15);
    gdyn_state_destroy(state);
    gdyn_closure_destroy(closure);
    gdyn_model_destroy(model);
}

/* A stretched, symmetric guess is a saddle of the sum of squares. */
static void leaves_a_saddle(void **context) {
    (void)context;
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    int a = add_body(machine, "a", 0, 0, 0, 0, 0, 0);
    int b = add_body(machine, "b", 1, 0, 0, 0, 0, PI);
    add_joint(machine, "O", GDYN_REVOLUTE, a, P3(0, 0, 0), GDYN_GROUND, P3(0, 0, 0), NULL, NULL);
    add_joint(machine, "C", GDYN_REVOLUTE, b, P3(0, 0, 0), GDYN_GROUND, P3(1, 0, 0), NULL, NULL);
    add_joint(machine, "A", GDYN_REVOLUTE, b, P3(0.7, 0, 0), a, P3(0.6, 0, 0), NULL, NULL);
    gdyn_model *model = finish(machine);
    gdyn_closure *closure = gdyn_closure_create(model, 0);
    gdyn_state *state = gdyn_state_create(model);
    assert_int_equal(close(closure, state, GDYN_CLOSURE_LEAST_SQUARES).outcome, GDYN_CLOSED);
    gdyn_state_destroy(state);
    gdyn_closure_destroy(closure);
    gdyn_model_destroy(model);
}

/* A body guessed upside down on its revolute axis: the mirrored pose fulfils all rows, but must not
 * be the answer. Both near-mirrored and exactly mirrored guesses. */
static void mirrored_axis_is_turned_back(void **context) {
    (void)context;
    static const gdyn_joint_type types[] = {GDYN_REVOLUTE, GDYN_PRISMATIC, GDYN_FIXED,
                                            GDYN_CYLINDRICAL};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int exact = 0; exact < 2; exact++) {
            gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, P3(0, 0, 0));
            int a = add_body(machine, "a", 0.3, 0, 0.1, exact ? PI : PI - 0.3, 0, 0);
            add_joint(machine, "J", types[t], a, P3(0.1, 0.2, 0.3), GDYN_GROUND, P3(0.4, -0.2, 0),
                      P3(0, 0, 1), P3(0, 0, 1));
            gdyn_model *model = finish(machine);
            gdyn_closure *closure = gdyn_closure_create(model, 0);
            gdyn_state *state = gdyn_state_create(model);
            double r[3], R[9];
            assert_int_equal(close(closure, state, GDYN_CLOSURE_LEAST_SQUARES).outcome,
                             GDYN_CLOSED);
            gdyn_state_body(state, a, r, R);
            assert_true(fabs(R[8] - 1) <= 1e-12);
            if (types[t] == GDYN_FIXED || types[t] == GDYN_PRISMATIC)
                assert_true(fabs(R[0] - 1) <= 1e-12 && fabs(R[4] - 1) <= 1e-12);
            gdyn_state_guess(state);
            assert_int_equal(close(closure, state, GDYN_CLOSURE_NEWTON).outcome, GDYN_CLOSED);
            gdyn_state_body(state, a, r, R);
            assert_true(fabs(R[8] - 1) <= 1e-12);
            gdyn_state_destroy(state);
            gdyn_closure_destroy(closure);
            gdyn_model_destroy(model);
        }
}

/* A body held by two axes that contradict each other in sense: only mirrored poses exist. */
static void unavoidable_mirror_is_reported(void **context) {
    (void)context;
    gdyn_machine *machine = gdyn_machine_create(GDYN_SPATIAL, P3(0, 0, 0));
    int a = add_body(machine, "a", 0, 0, 0, 0, 0, 0);
    add_joint(machine, "good", GDYN_REVOLUTE, a, P3(0, 0, 0), GDYN_GROUND, P3(0, 0, 0), P3(0, 0, 1),
              P3(0, 0, 1));
    add_joint(machine, "bad", GDYN_PARALLEL, a, P3(1, 0, 0), GDYN_GROUND, P3(1, 0, 0), P3(0, 0, 1),
              P3(0, 0, -1));
    gdyn_model *model = finish(machine);
    gdyn_closure *closure = gdyn_closure_create(model, 0);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_closure_info info = close(closure, state, GDYN_CLOSURE_NEWTON);
    assert_int_equal(info.outcome, GDYN_CLOSURE_FLIPPED);
    assert_true(info.worst_joint == 0 || info.worst_joint == 1);
    assert_true(info.residual <= 1e-12);
    gdyn_state_destroy(state);
    gdyn_closure_destroy(closure);
    gdyn_model_destroy(model);
}

/* Weighted minimum norm: a free planar body asked to bring a point to a place. With a heavy angle
 * it translates; with heavy translations it turns. One Newton step of a tiny motion is the closed
 * form x = W^-1 J^T (J W^-1 J^T)^-1 b. */
static void weights_choose_the_motion(void **context) {
    (void)context;
    gdyn_machine *machine = gdyn_machine_create(GDYN_PLANAR, P3(0, 0, 0));
    int a = add_body(machine, "a", 0, 0, 0, 0, 0, 0);
    add_joint(machine, "far", GDYN_SLOT, a, P3(1, 0, 0), GDYN_GROUND, P3(0, 0, 0), P3(1, 0, 0),
              P3(1, 0, 0));
    gdyn_model *model = finish(machine);
    double L = gdyn_model_length(model);
    gdyn_closure *closure = gdyn_closure_create(model, 1);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_anchor point = {a, {0.5, 0, 0}};
    gdyn_target target = {.row = gdyn_row_point(model, point, 1), .target = {0, 1, 0}};
    for (int mode = 0; mode < 2; mode++) {
        double w[3] = {1, mode ? 1e4 : 1, 1}, u[3], upp[3];
        gdyn_closure_rates rates;
        gdyn_state_guess(state);
        assert_int_equal(close(closure, state, GDYN_CLOSURE_NEWTON).outcome, GDYN_CLOSED);
        assert_int_equal(gdyn_closure_derivatives(closure, state, 1, &target, w, u, upp, &rates),
                         GDYN_OK);
        /* Rows: y + theta = 0 and y + theta / 2 = p: y' = 2, theta' = -2, x' = 0. */
        assert_true(fabs(u[0]) <= 1e-10 && fabs(u[1] - 2) <= 1e-10 && fabs(u[2] + 2) <= 1e-10);
        assert_int_equal(rates.freedom, 1);
        assert_true(rates.misfit <= 1e-14);
    }
    /* Only the slot: y + theta = 0 driven by nothing: all at rest. */
    double u[3], upp[3], w[3] = {1, 1, L * L};
    gdyn_closure_rates rates;
    assert_int_equal(gdyn_closure_derivatives(closure, state, 0, NULL, w, u, upp, &rates), GDYN_OK);
    assert_true(u[0] == 0 && u[1] == 0 && u[2] == 0 && rates.misfit == 0);
    w[0] = 0;
    assert_int_equal(gdyn_closure_derivatives(closure, state, 0, NULL, w, u, upp, &rates),
                     GDYN_ERROR_ARGUMENT);
    gdyn_state_destroy(state);
    gdyn_closure_destroy(closure);
    gdyn_model_destroy(model);
}

/* QR and SVD give the same rates, with redundant rows, with freedom left, and weighted; at a singular
 * pose the fast form hands over to the SVD. Tolerance: 1e-15 times conditions of 1e3, squared in the
 * null-space part. */
static void fast_rates_are_the_same(void **context) {
    (void)context;
    gdyn_model *models[] = {star(1, false),
                            four_bar(GDYN_SPATIAL, 0.3, 0.9, 0.7, 1, 1.1),
                            rssr(0.3, 1, 0.6, 1),
                            six_ups(1),
                            bricard(),
                            parallelogram(0.5, 4, 0.9),
                            parallelogram(0.5, 2, 0)};
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        gdyn_closure *closure = gdyn_closure_create(models[k], 2);
        gdyn_state *state = gdyn_state_create(models[k]);
        bool planar = gdyn_model_space(models[k]) == GDYN_PLANAR;
        gdyn_anchor tip = {0, {0.1, 0.2, planar ? 0 : 0.3}};
        gdyn_target target = {.row = gdyn_row_point(models[k], tip, 1), .target = {0, 0.7, -0.4}};
        double weights[100], u[2][100], upp[2][100];
        gdyn_closure_rates rates[2];
        assert_int_equal(close(closure, state, GDYN_CLOSURE_LEAST_SQUARES).outcome, GDYN_CLOSED);
        int n = gdyn_model_coordinates(models[k]);
        for (int j = 0; j < n; j++)
            weights[j] = 1 + j % 3;
        assert_int_equal(
            gdyn_closure_derivatives(closure, state, 1, &target, weights, u[0], upp[0], &rates[0]),
            GDYN_OK);
        assert_int_equal(gdyn_closure_derivatives_fast(closure, state, 1, &target, weights, u[1],
                                                       upp[1], &rates[1]),
                         GDYN_OK);
        assert_int_equal(rates[0].rank.rank, rates[1].rank.rank);
        assert_int_equal(rates[0].freedom, rates[1].freedom);
        double size = 0;
        for (int j = 0; j < n; j++)
            size = fmax(size, fmax(fabs(u[0][j]), fabs(upp[0][j])));
        for (int j = 0; j < n; j++) {
            assert_true(fabs(u[0][j] - u[1][j]) <= 1e-12 * size);
            assert_true(fabs(upp[0][j] - upp[1][j]) <= 1e-10 * size);
        }
        gdyn_state_destroy(state);
        gdyn_closure_destroy(closure);
        gdyn_model_destroy(models[k]);
    }
}

/* A parallelogram on both sides of its flat pose: the sign changes; on the same side it does not. */
static void orientation_changes_across_a_singular_pose(void **context) {
    (void)context;
    gdyn_model *model = parallelogram(0.5, 2, 0);
    gdyn_closure *closure = gdyn_closure_create(model, 1);
    gdyn_state *state = gdyn_state_create(model);
    double u[9], upp[9], z[9];
    gdyn_closure_rates rates;
    static const double angle[4] = {0.05, 0.02, -0.03, 0};
    static const int expected[4] = {1, 1, -1, 0};
    for (int form = 0; form < 2; form++)
        for (int i = 0; i < 4; i++) {
            gdyn_target target = {.row = gdyn_row_angle(model, 1), .target = {angle[i], 1, 0}};
            gdyn_state_z(state, z);
            for (int body = 0; body < 3; body++) { /* bar and rockers by their closed form */
                double x[3] = {0.5 * cos(angle[i]), 0.5 * sin(angle[i]), 0};
                z[3 * body] = body ? 0.7 * (body - 1) : x[0];
                z[3 * body + 1] = body ? 0 : x[1];
                z[3 * body + 2] = body ? angle[i] : 0;
            }
            gdyn_state_set_z(state, z);
            if (form)
                gdyn_closure_derivatives_fast(closure, state, 1, &target, NULL, u, upp, &rates);
            else
                gdyn_closure_derivatives(closure, state, 1, &target, NULL, u, upp, &rates);
            if (i == 0)
                gdyn_closure_mark(closure);
            assert_int_equal(gdyn_closure_orientation(closure), expected[i]);
        }
    gdyn_state_destroy(state);
    gdyn_closure_destroy(closure);
    gdyn_model_destroy(model);
}

static void same_in_millimetres(void **context) {
    (void)context;
    gdyn_model *metres = star(1, false), *millimetres = star(1000, false);
    gdyn_closure *a = gdyn_closure_create(metres, 0), *b = gdyn_closure_create(millimetres, 0);
    gdyn_state *sa = gdyn_state_create(metres), *sb = gdyn_state_create(millimetres);
    double za[27], zb[27];
    disturb(sa, 0.2, 3);
    disturb(sb, 0.2, 3);
    gdyn_closure_info ia = close(a, sa, GDYN_CLOSURE_LEAST_SQUARES);
    gdyn_closure_info ib = close(b, sb, GDYN_CLOSURE_LEAST_SQUARES);
    gdyn_state_z(sa, za);
    gdyn_state_z(sb, zb);
    assert_int_equal(ia.iterations, ib.iterations);
    for (int i = 0; i < 27; i++)
        assert_true(fabs(za[i] * (i % 3 < 2 ? 1000 : 1) - zb[i]) <= 1e-7);
    gdyn_state_destroy(sa);
    gdyn_state_destroy(sb);
    gdyn_closure_destroy(a);
    gdyn_closure_destroy(b);
    gdyn_model_destroy(metres);
    gdyn_model_destroy(millimetres);
}

/* A correction that may not move the pose far enough is given up, within one step of the limit. */
static void gives_up_beyond_its_limit(void **context) {
    (void)context;
    gdyn_model *model = star(1, false);
    gdyn_closure *closure = gdyn_closure_create(model, 0);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info free_info, info;
    settings.method = GDYN_CLOSURE_NEWTON;
    disturb(state, 0.05, 3);
    gdyn_closure_solve(closure, state, 0, NULL, &settings, &free_info);
    assert_int_equal(free_info.outcome, GDYN_CLOSED);
    for (int below = 0; below < 2; below++) {
        gdyn_state_guess(state);
        disturb(state, 0.05, 3);
        settings.moved_most = (below ? 0.5 : 1.01) * free_info.moved;
        gdyn_closure_solve(closure, state, 0, NULL, &settings, &info);
        assert_int_equal(info.outcome, below ? GDYN_CLOSURE_STALLED : GDYN_CLOSED);
        assert_true(below ? info.moved > settings.moved_most && info.moved < free_info.moved
                          : info.moved == free_info.moved);
    }
    gdyn_state_destroy(state);
    gdyn_closure_destroy(closure);
    gdyn_model_destroy(model);
}

static void bad_arguments_and_memory(void **context) {
    (void)context;
    gdyn_model *model = star(1, false);
    gdyn_state *state = gdyn_state_create(model);
    gdyn_closure *closure = gdyn_closure_create(model, 1);
    gdyn_target target[2] = {{.row = gdyn_row_angle(model, 0), .target = {NAN}}};
    gdyn_closure_info info;
    assert_int_equal(gdyn_closure_solve(closure, state, 1, target, NULL, &info),
                     GDYN_ERROR_ARGUMENT);
    assert_int_equal(gdyn_closure_solve(closure, state, 2, target, NULL, &info),
                     GDYN_ERROR_ARGUMENT);
    double z[27];
    gdyn_state_z(state, z);
    z[4] = NAN;
    gdyn_state_set_z(state, z);
    assert_int_equal(gdyn_closure_solve(closure, state, 0, NULL, NULL, &info), GDYN_ERROR_NUMERIC);
    /* Nothing allocates below create. */
    gdyn_state_guess(state);
    disturb(state, 0.2, 1);
    target[0].target[0] = 0.1;
    unsigned long before = gdyn_alloc_count();
    assert_int_equal(gdyn_closure_solve(closure, state, 1, target, NULL, &info), GDYN_OK);
    assert_int_equal(info.outcome, GDYN_CLOSED);
    assert_int_equal(gdyn_alloc_count(), before);
    gdyn_closure_destroy(closure);
    /* Every allocation of create fails once. */
    for (long n = 0;; n++) {
        gdyn_alloc_fail_after(n);
        closure = gdyn_closure_create(model, 3);
        gdyn_alloc_fail_after(-1);
        if (closure)
            break;
    }
    gdyn_closure_destroy(closure);
    gdyn_state_destroy(state);
    gdyn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closes_from_rough_guesses),
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(mobility_numbers),
        cmocka_unit_test(impossible_machine_is_reported),
        cmocka_unit_test(leaves_a_saddle),
        cmocka_unit_test(mirrored_axis_is_turned_back),
        cmocka_unit_test(unavoidable_mirror_is_reported),
        cmocka_unit_test(weights_choose_the_motion),
        cmocka_unit_test(fast_rates_are_the_same),
        cmocka_unit_test(orientation_changes_across_a_singular_pose),
        cmocka_unit_test(same_in_millimetres),
        cmocka_unit_test(gives_up_beyond_its_limit),
        cmocka_unit_test(bad_arguments_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
