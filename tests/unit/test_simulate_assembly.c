/* test_simulate_assembly.c - first poses of simulations: ways to close, singular and shaken starts. */
#include "simulation_run.h"

#include "closure/target.h"
#include "mech/row.h"
#include "simulate/closings.h"

/* --- closing ------------------------------------------------------------------------------------------------------ */

/* Paul 2020, section 5.4.1: the loop of three bars (d11 = d31 = 0.5 m, d01 = d21 = 1 m) along its motion, each time closed from an
 * open pose with the crank held, by least squares and by simplex: within 1e-9 of Newton, and where the parallelogram is. */
static void three_bars_closed(void **state) {
    (void)state;
    run r;
    open_text(&r, three_bars);
    const gdyn_model *model = r.instance->model;
    gdyn_closure *closure = gdyn_closure_create(model, 1);
    gdyn_state *pose = gdyn_state_create(model);
    assert_true(closure && pose);
    for (int k = 0; k < 9; k++) {
        gdyn_target crank = {0};
        bool ok;
        crank.row = gdyn_row_joint(model, 0, GDYN_FREEDOM_ANGLE, &ok);
        crank.target[0] = -0.4 - 0.15 * k;
        double z[9], newton[9] = {0};
        const gdyn_closure_method methods[] = {GDYN_CLOSURE_NEWTON, GDYN_CLOSURE_LEAST_SQUARES,
                                               GDYN_CLOSURE_SIMPLEX};
        for (int m = 0; m < 3; m++) {
            gdyn_closure_settings settings = gdyn_closure_default();
            gdyn_closure_info info;
            settings.method = methods[m];
            gdyn_state_guess(pose);
            assert_int_equal(gdyn_closure_solve(closure, pose, 1, &crank, &settings, &info),
                             GDYN_OK);
            assert_int_equal(info.outcome, GDYN_CLOSED);
            assert_true(info.residual < 1e-9);
            gdyn_state_z(pose, z);
            for (int j = 0; j < 9; j++) {
                newton[j] = m == 0 ? z[j] : newton[j];
                assert_true(fabs(z[j] - newton[j]) < 1e-9);
            }
            assert_true(fabs(z[2] - crank.target[0]) < 1e-9 && fabs(z[5] - z[2]) < 1e-9);
            assert_true(fabs(z[8]) < 1e-9);
        }
    }
    gdyn_state_destroy(pose);
    gdyn_closure_destroy(closure);
    close_run(&r);
}

/* All ways to close start the same simulation of a machine whose guess is closed but for its masses' way. */
static void closing_methods(void **state) {
    (void)state;
    run r;
    open_text(&r, three_bars);
    for (int m = 0; m < 3; m++) {
        r.def.closing = (gdyn_closure_method)m;
        simulate(&r, 2);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        assert_true(r.start.closure.residual < 1e-9);
    }
    close_run(&r);
}

/* --- singular starts --------------------------------------------------------------------------------------------- */

/* A parallelogram folded flat: its rank is lower there. The start is moved beside it and says so; then the rank is 8. */
static const char flat[] =
    "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n"
    "  ground: {points: {A: [0, 0], B: [1, 0]}}\n  bodies:\n"
    "    left: {mass: 1, inertia: 0.1, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: [0.25, 0, 0]}\n"
    "    right: {mass: 1, inertia: 0.1, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: [1.25, 0, "
    "0]}\n"
    "    bar: {mass: 1, inertia: 0.1, points: {P: [-0.5, 0], Q: [0.5, 0]}, pose: [1, 0, 0]}\n"
    "  joints:\n    a: {type: revolute, of: [left.P, ground.A]}\n"
    "    b: {type: revolute, of: [right.P, ground.B]}\n"
    "    c: {type: revolute, of: [bar.P, left.Q]}\n    d: {type: revolute, of: [bar.Q, right.Q]}\n"
    "simulate: {duration: 0.5 s}\n";

static void singular_start(void **state) {
    (void)state;
    run r;
    open_text(&r, flat);
    simulate(&r, 5);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    assert_int_equal(r.start.gained, 1);
    assert_int_equal(r.start.mobility, 1);
    assert_true(r.start.shaken > 1e-5 && r.start.shaken < 0.05);
    assert_true(r.record->imbalance < 1e-6 * r.record->exchange);
    close_run(&r);
}

/* Paul 2020, section 5.6, step 4: what the user keeps independent stays at the first guess, here an open one. */
static void held_at_the_start(void **state) {
    (void)state;
    const char *const names[] = {"left.angle"};
    run r;
    open_text(&r, three_bars);
    r.def.method = GDYN_SIM_PARTITION;
    r.def.independent = names;
    r.def.independent_count = 1;
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    assert_int_equal(r.start.held, 1);
    assert_true(fabs(at(&r, 0, "left.angle") + 0.7) < 1e-12);
    assert_true(fabs(at(&r, 0, "right.angle") + 0.7) < 1e-9);
    close_run(&r);
}

/* Every method from the same first guess: the way of each ends where its report says, the simplex without a step of
 * Newton's method, all below 1e-12. */
static void ways_of(run *r) {
    r->def.compare_closings = true;
    simulate(r, 1);
    assert_int_equal(r->outcome, GDYN_SIM_RUNS);
    int count;
    const gdyn_assembly *way = gdyn_simulation_assemblies(r->simulation, &count);
    assert_int_equal(count, 3);
    for (int m = 0; m < count; m++) {
        const gdyn_assembly_step *step = way[m].step;
        int end = way[m].steps - 1;
        assert_int_equal(way[m].closure.outcome, GDYN_CLOSED);
        assert_true(end > 0 && step[0].residual > 1e-3 && step[end].residual < 1e-12);
        assert_true(fabs(step[end].residual - way[m].closure.residual) < 1e-15);
        for (int i = 1; i <= end; i++) {
            assert_true(step[i].evaluations >= step[i - 1].evaluations);
            assert_true(step[i].at_work == way[m].method ||
                        way[m].method == GDYN_CLOSURE_LEAST_SQUARES);
        }
        assert_true(step[end].evaluations <= way[m].closure.evaluations);
    }
    close_run(r);
}

/* Paul 2020, section 5.2: three ways to close the three bars, the suspension and the agile eye, which its simplex fails. */
static void ways_of_assembly(void **state) {
    (void)state;
    const char *const names[] = {"five_point_suspension", "agile_eye_table"};
    run r;
    open_text(&r, three_bars);
    ways_of(&r);
    for (int i = 0; i < 2; i++) {
        open_case(&r, names[i]);
        r.def.duration = 0.02;
        ways_of(&r);
    }
}

/* Paul 2020, section 6.2.2: the motors, held at q9 = q18 = q27 of its table, put the eye at the centre of rotation with
 * q4 to q6 zero, to the digits of the table. Turns in space are held there (step 4). */
static void table_of_the_agile_eye(void **state) {
    (void)state;
    const double at_centre[3] = {0.5, sqrt(3) / 6, 1 / sqrt(3)};
    const char *const names[] = {"eye.x", "eye.y", "eye.z"}, *const turns[] = {"eye.a", "eye.b",
                                                                               "eye.c"};
    run r;
    open_case(&r, "agile_eye_table");
    r.def.duration = 0.02;
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    assert_int_equal(r.start.held, 3);
    assert_int_equal(r.start.redundant, 6);
    for (int j = 0; j < 3; j++) {
        assert_true(fabs(at(&r, 0, names[j]) - at_centre[j]) < 1e-12);
        assert_true(fabs(at(&r, 0, turns[j])) < 1e-9);
    }
    /* equal torques: about the vertical alone; another third one: about all axes */
    r.def.duration = 2;
    simulate(&r, 4);
    assert_true(fabs(last(&r, "eye.a")) < 1e-8 && fabs(last(&r, "eye.b")) < 1e-8);
    assert_true(fabs(last(&r, "eye.c")) > 0.2);
    close_run(&r);
}

/* Step 3 of the paper: the bars of this guess lie in one line, so that no direction lifts them; shaken they close. A guess
 * is shaken by as much as is wanted, too. */
static void shaken_guess(void **state) {
    (void)state;
    char text[1200];
    const char *flat_pose = "pose: [1, 0, 0]}";
    snprintf(text, sizeof text, "%s", flat);
    /* a coupler that is shorter than the distance of the cranks */
    char *place = strstr(text, "ground: {points: {A: [0, 0], B: [1, 0]}}");
    assert_non_null(place);
    memcpy(strstr(place, "B: [1, 0]"), "B: [.9,0]", 9);
    assert_non_null(strstr(text, flat_pose));
    run r;
    open_text(&r, text);
    r.def.closing = GDYN_CLOSURE_NEWTON;
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    assert_true(r.start.guess_shaken == 1e-3);
    assert_true(r.start.closure.residual < 1e-12);
    close_run(&r);
    open_text(&r, three_bars);
    r.def.shake = 0.01;
    simulate(&r, 1);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    assert_true(r.start.guess_shaken == 0.01 && r.start.moved > 1e-3);
    close_run(&r);
}

/* Closing along a motion: least squares and simplex within 1e-9 of Newton. */
static void closings_of(run *r_) {
    run r = *r_;
    assert_int_equal(gdyn_simulation_create(r.instance->model, &r.def, NULL, &r.simulation),
                     GDYN_OK);
    r.record = gdyn_record_create(r.instance->model, true);
    gdyn_closings *c = gdyn_closings_create(r.record);
    assert_non_null(c);
    assert_int_equal(gdyn_simulation_start(r.simulation, &r.start, &r.outcome), GDYN_OK);
    for (int i = 0; i <= 10; i++) {
        gdyn_sim_now now;
        assert_int_equal(gdyn_simulation_advance(r.simulation, 0.02 * i, &r.outcome), GDYN_OK);
        assert_int_equal(gdyn_record_take(r.record, r.simulation), GDYN_OK);
        assert_int_equal(gdyn_simulation_now(r.simulation, &now), GDYN_OK);
        assert_int_equal(gdyn_closings_take(c, now.state), GDYN_OK);
        if (i > 0) {
            assert_true(last(&r, "closing.newton.residual") < 1e-12);
            assert_true(last(&r, "closing.least_squares.difference") < 1e-9);
            double far = last(&r, "closing.simplex.difference");
            if (!(far < 1e-9 && last(&r, "closing.simplex.residual") < 1e-12))
                fail_msg("%s at %g s: simplex %g apart, residual %g", r.instance->name, 0.02 * i,
                         far, last(&r, "closing.simplex.residual"));
        }
    }
    gdyn_closings_destroy(c);
    close_run(&r);
}

/* Paul 2020, Figs. 16 and 17, 20 and 21. */
static void closings(void **state) {
    (void)state;
    run r;
    open_text(&r, three_bars);
    closings_of(&r);
    open_case(&r, "five_point_suspension");
    closings_of(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(singular_start),
        cmocka_unit_test(held_at_the_start),
        cmocka_unit_test(closings),
        cmocka_unit_test(ways_of_assembly),
        cmocka_unit_test(table_of_the_agile_eye),
        cmocka_unit_test(shaken_guess),
        cmocka_unit_test(three_bars_closed),
        cmocka_unit_test(closing_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
