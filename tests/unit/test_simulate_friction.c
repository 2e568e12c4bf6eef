/* test_simulate_friction.c - friction that sticks and slips, against closed forms. */
#include "simulation_run.h"

/* --- friction that sticks, ranges ------------------------------------------------------------------------------ */

/* 2 kg pushed by 6 N sin(t) against 3 N (static 4 N): it slips from sin t = 2/3 on, v = 3 (cos t1 - cos t) - 1.5 (t - t1),
 * sticks where v = 0 and slips again half a period after t1. It is beyond 0.1 m from the root of x on. */
static const char pushed[] =
    "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  ground: {points: {O: [0, 0]}}\n"
    "  bodies: {cart: {mass: 2, inertia: 1, points: {O: [0, 0]}, pose: [0, 0, 0]}}\n"
    "  joints: {slide: {type: prismatic, of: [cart.O, ground.O], axis: [1, 0], range: {max: 0.1}, "
    "friction: {coulomb: 3 N, stiction: 4 N}}}\n"
    "  drives: {push: {at: slide, force: {limit: 100 N}}}\n"
    "simulate: {duration: 5 s, drives: {push: \"6 N*sin(t)\"}}\n";

static double pushed_speed(double t) {
    double t1 = asin(2.0 / 3);
    return 3 * (cos(t1) - cos(t)) - 1.5 * (t - t1);
}

static double pushed_place(double t) {
    double t1 = asin(2.0 / 3), s = t - t1;
    return 3 * (cos(t1) * s - sin(t) + sin(t1)) - 0.75 * s * s;
}

static double root_of(double (*f)(double), double shift, double a, double b) {
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (a + b);
        if ((f(middle) > shift) == (f(a) > shift))
            a = middle;
        else
            b = middle;
    }
    return a;
}

static void stick_and_slip(void **state) {
    (void)state;
    const double pi = acos(-1.0), t1 = asin(2.0 / 3);
    double stop = root_of(pushed_speed, 0, 2, 5), out = root_of(pushed_place, 0.1, 1, 2);
    const double expected[] = {0, t1, out, stop, pi + t1};
    run r;
    open_text(&r, pushed);
    for (int m = 0; m < GDYN_SIM_COMPLIANCE + 2; m++) {
        if (m == GDYN_SIM_COMPLIANCE)
            continue;
        r.def.method = (gdyn_sim_method)m;
        r.def.tolerance = 1e-11;
        simulate(&r, 50);
        int count;
        const gdyn_sim_event *event = gdyn_simulation_events(r.simulation, &count);
        assert_int_equal(count, 5);
        for (int i = 0; i < count; i++)
            if (!(fabs(event[i].t - expected[i]) < (i == 2 ? 1e-5 : 1e-7)))
                fail_msg("%s: event %d at %.12g instead of %.12g", gdyn_sim_method_names[m], i,
                         event[i].t, expected[i]);
        assert_int_equal(event[0].kind, GDYN_SIM_STICKS);
        assert_true(event[2].kind == GDYN_SIM_LEAVES && event[2].upper);
        assert_string_equal(gdyn_simulation_event_name(r.simulation, &event[2]), "slide");
        assert_true(fabs(event[2].by - (pushed_place(stop) - 0.1)) < 1e-6);
        assert_true(fabs(at(&r, 7, "cart.x")) < 1e-14); /* 0.7 s: no creep */
        assert_true(fabs(at(&r, 30, "cart.x") - pushed_place(3)) < 1e-7);
        assert_true(r.record->imbalance < 1e-7);
    }
    close_run(&r);
}

/* Velocity stepping of compliant constraints: friction holds to rounding at any step, and slips with the order 1. */
static void friction_in_steps(void **state) {
    (void)state;
    double before = 0;
    run r;
    open_text(&r, pushed);
    r.def.method = GDYN_SIM_COMPLIANCE;
    r.def.hold = GDYN_SIM_DRIFT;
    r.def.integrator = GDYN_SIM_EULER;
    for (int k = 0; k < 3; k++) {
        r.def.step = 0.01 / (1 << k);
        simulate(&r, 50);
        assert_true(fabs(at(&r, 7, "cart.x")) < (k == 0 ? 0.05 : 0.02));
        assert_true(fabs(at(&r, 5, "cart.x")) < 1e-12); /* 0.5 s: no creep */
        double error = fabs(at(&r, 30, "cart.x") - pushed_place(3));
        assert_true(error < 2 * r.def.step && (k == 0 || error < 0.6 * before));
        before = error;
    }
    close_run(&r);
}

/* A parallelogram whose four hinges rub shares one freedom among four frictions: together they hold what none could alone. At
 * 45 degrees three bars of 1 kg ask for m g l (1/2 + 1/2 + 1) cos(45 deg) = 6.937 N m. */
static const char rubbing[] =
    "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n"
    "  ground: {points: {A: [0, 0], B: [1, 0]}}\n  bodies:\n"
    "    left: {mass: 1, inertia: 0.1, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: {P: ground.A, "
    "Q: bar.P}}\n"
    "    right: {mass: 1, inertia: 0.1, points: {P: [-0.25, 0], Q: [0.25, 0]}, pose: {P: ground.B, "
    "Q: bar.Q}}\n"
    "    bar: {mass: 1, inertia: 0.1, points: {P: [-0.5, 0], Q: [0.5, 0]}, pose: [0.853553390593, "
    "0.353553390593, 0]}\n"
    "  joints:\n    a: {type: revolute, of: [left.P, ground.A], friction: {coulomb: %.6f}}\n"
    "    b: {type: revolute, of: [right.P, ground.B], friction: {coulomb: 2}}\n"
    "    c: {type: revolute, of: [bar.P, left.Q], friction: {coulomb: 1}}\n"
    "    d: {type: revolute, of: [bar.Q, right.Q], friction: {coulomb: 0.5}}\n"
    "simulate: {duration: 0.3 s}\n";

static void friction_is_shared(void **state) {
    (void)state;
    char text[2000];
    double needed = 9.81 * 0.5 * 2 * sqrt(0.5) - 3.5;
    for (int k = 0; k < 2; k++) {
        run r;
        snprintf(text, sizeof text, rubbing, needed * (k == 0 ? 1.001 : 0.999));
        open_text(&r, text);
        simulate(&r, 5);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        double moved = fabs(last(&r, "left.angle") - at(&r, 0, "left.angle"));
        assert_true(k == 0 ? moved < 1e-9 : moved > 1e-5);
        close_run(&r);
    }
}

/* A slider-crank that starts at its dead centre, guided twice, with dry friction at the slider, which can hold nothing there:
 * every method finds the same motion and the same events. */
static const char rubbing_slider[] =
    "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n"
    "  ground: {points: {O: [0, 0], G: [0, 0.05], H: [0, -0.05]}}\n  bodies:\n"
    "    crank: {mass: 1, inertia: 0.002, points: {O: [-0.05, 0], A: [0.05, 0]}, pose: [0.05, 0, "
    "0]}\n"
    "    rod: {mass: 1, inertia: 0.01, points: {A: [-0.15, 0], B: [0.15, 0]}, pose: [0.25, 0, 0]}\n"
    "    slider: {mass: 2, inertia: 0.01, points: {B: [0, 0], U: [0, 0.05], D: [0, -0.05]}, pose: "
    "[0.4, 0, "
    "0]}\n"
    "  joints:\n    O: {type: revolute, of: [crank.O, ground.O]}\n"
    "    A: {type: revolute, of: [rod.A, crank.A]}\n    B: {type: revolute, of: [slider.B, "
    "rod.B]}\n"
    "    up: {type: prismatic, of: [slider.U, ground.G], axis: [1, 0], friction: {coulomb: 4, "
    "stiction: "
    "6}}\n"
    "    low: {type: slot, of: [slider.D, ground.H], axis: [1, 0]}\n"
    "  drives: {motor: {at: O, torque: {limit: 10 N m}}}\n"
    "simulate: {duration: 1 s, drives: {motor: 0.8 N m}, start: {rates: {O: 2 rad/s}}}\n";

static void friction_at_dead_centres(void **state) {
    (void)state;
    run r;
    double angle = 0;
    int events = 0;
    open_text(&r, rubbing_slider);
    r.def.tolerance = 1e-10;
    for (int m = 0; m < GDYN_SIM_COMPLIANCE + 2; m++) {
        if (m == GDYN_SIM_COMPLIANCE)
            continue;
        int count;
        r.def.method = (gdyn_sim_method)m;
        simulate(&r, 10);
        if (r.outcome != GDYN_SIM_RUNS)
            fail_msg("%s: %s at %g s", gdyn_sim_method_names[m], gdyn_sim_outcome_text(r.outcome),
                     last(&r, "t"));
        gdyn_simulation_events(r.simulation, &count);
        angle = m == 0 ? last(&r, "crank.angle") : angle;
        events = m == 0 ? count : events;
        assert_int_equal(r.start.redundant, 1);
        if (!(fabs(last(&r, "crank.angle") - angle) < 1e-5) || count != events)
            fail_msg("%s: angle %.9g instead of %.9g, %d events instead of %d",
                     gdyn_sim_method_names[m], last(&r, "crank.angle"), angle, count, events);
        assert_true(r.record->imbalance < 1e-5);
    }
    close_run(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stick_and_slip),
        cmocka_unit_test(friction_in_steps),
        cmocka_unit_test(friction_is_shared),
        cmocka_unit_test(friction_at_dead_centres),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
