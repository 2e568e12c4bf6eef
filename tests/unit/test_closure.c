/* Closing machines: from rough guesses, with redundant rows, mirrored axes, without solution. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "closure_machines.h"

#include "base/memory.h"
#include "base/random.h"
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
        cmocka_unit_test(same_in_millimetres),
        cmocka_unit_test(bad_arguments_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
