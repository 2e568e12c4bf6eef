/* test_simulate_laws.c - conservation laws, closed forms, reversal in time, orders of the integrators. */
#include "simulation_run.h"

/* --- laws -------------------------------------------------------------------------------------------------------- */

/* A free top keeps its angular momentum and energy; in space it tumbles through every chart. */
static void free_top(void **state) {
    (void)state;
    run r;
    open_text(&r, "format: 1\nmachine:\n  space: spatial\n  gravity: [0, 0, 0]\n  bodies:\n"
                  "    top: {mass: 2 kg, inertia: [1, 2, 3]}\n"
                  "simulate: {duration: 20 s, integrator: {tolerance: 1e-11}, start: {velocity: "
                  "{top: [0.1, 0, 0, 0.01, 2, 0.01]}}}\n");
    simulate(&r, 20);
    check(&r, "top.x", 2, 1e-9);
    check(&r, "energy.kinetic", at(&r, 0, "energy.kinetic"), 1e-8);
    for (int i = 0; i < r.record->frames; i++) {
        double a = at(&r, i, "top.a"), b = at(&r, i, "top.b"), c = at(&r, i, "top.c");
        double R[3][3] = {{cos(b) * cos(c), -cos(b) * sin(c), sin(b)},
                          {cos(a) * sin(c) + sin(a) * sin(b) * cos(c),
                           cos(a) * cos(c) - sin(a) * sin(b) * sin(c), -sin(a) * cos(b)},
                          {sin(a) * sin(c) - cos(a) * sin(b) * cos(c),
                           sin(a) * cos(c) + cos(a) * sin(b) * sin(c), cos(a) * cos(b)}};
        double w[3] = {at(&r, i, "top.wx"), at(&r, i, "top.wy"), at(&r, i, "top.wz")}, H[3] = {0};
        for (int k = 0; k < 3; k++) {
            double local = R[0][k] * w[0] + R[1][k] * w[1] + R[2][k] * w[2];
            for (int j = 0; j < 3; j++)
                H[j] += R[j][k] * (k + 1) * local;
        }
        assert_true(fabs(H[0] - 0.01) < 1e-7);
        assert_true(fabs(H[1] - 4) < 1e-7);
        assert_true(fabs(H[2] - 0.03) < 1e-7);
    }
    close_run(&r);
}

/* Closed forms: a slider on a spring, a damped one, one with dry friction, one with a drive force in t. */
static void sliders(void **state) {
    (void)state;
    static const char machine[] =
        "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n  bodies:\n"
        "    car: {mass: 2 kg, inertia: 1}\n  joints:\n"
        "    rail: {type: prismatic, of: [car, ground], axis: [1, 0]%s}\n"
        "  drives: {m: {at: rail, force: {limit: 100 N}}}\n  forces:\n"
        "    spring: {type: spring, at: rail, stiffness: %s, rest: 0}\n"
        "simulate: {duration: 1 s, integrator: {tolerance: 1e-11}, drives: {m: \"%s\"}, "
        "start: {rates: {rail: 1}}, slip: 1e-4}\n";
    char text[1000];
    run r;
    snprintf(text, sizeof text, machine, "", "18", "0");
    open_text(&r, text);
    simulate(&r, 10);
    check(&r, "rail.slide", sin(3.0) / 3, 1e-9);
    check(&r, "car.vx", cos(3.0), 1e-9);
    check(&r, "energy.balance", 0, 1e-9);
    close_run(&r);
    snprintf(text, sizeof text, machine, ", friction: {viscous: 4}", "18", "0");
    open_text(&r, text);
    simulate(&r, 10);
    double w = sqrt(8.0);
    check(&r, "rail.slide", exp(-1.0) * sin(w) / w, 1e-9);
    check(&r, "energy.balance", 0, 1e-9);
    close_run(&r);
    /* dry friction of 1 N slows 2 kg by 0.5 m/s2 */
    snprintf(text, sizeof text, machine, ", friction: {coulomb: 1}", "0", "0");
    open_text(&r, text);
    simulate(&r, 10);
    check(&r, "car.vx", 0.5, 1e-9);
    check(&r, "rail.slide", 0.75, 1e-9);
    check(&r, "energy.work_friction", -0.75, 1e-8);
    close_run(&r);
    snprintf(text, sizeof text, machine, "", "0", "12*t^2");
    open_text(&r, text);
    simulate(&r, 10);
    check(&r, "rail.slide", 1.5, 1e-9);
    check(&r, "car.vx", 3, 1e-9);
    check(&r, "energy.work_drives", 8, 1e-8);
    close_run(&r);
}

/* Tables in t: a load of 1 kg is moved in a car of 2 kg along the natural spline through (0, 0), (1, h), (2, 0), whose second
 * derivative is -3 h in the middle: 0.6875 h at a quarter, slope -1.5 h at the end. The force rises to 3 N and stays: by then the
 * momentum is 4.5 N s, and the centre of both has moved by (1/2 + 1.5 + 1.5) / 3 m. */
static void tables_in_time(void **state) {
    (void)state;
    const double h = 0.01;
    run r;
    open_text(&r,
              "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n"
              "    car: {mass: 2, inertia: 1}\n    load: {mass: 1, inertia: 1}\n  joints:\n"
              "    rail: {type: prismatic, of: [car, ground], axis: [1, 0]}\n"
              "    second: {type: prismatic, of: [load, car], axis: [1, 0]}\n"
              "  drives: {m: {at: rail, force: {limit: 100 N}}}\n"
              "  motions: {H: {at: second, displacement: [[0, 0], [1 s, 10 mm], [2, 0]]}}\n"
              "simulate: {duration: 2 s, integrator: {tolerance: 1e-10}, drives: {m: [[0, 0 N], "
              "[1, 3 N]]}}\n");
    simulate(&r, 4);
    double still = -1.5 * h; /* a motion starts with the slope 1.5 h, and so do both bodies */
    double start = (at(&r, 0, "car.vx") * 2 + at(&r, 0, "load.vx")) / 3;
    assert_true(fabs(at(&r, 1, "second.slide") - 0.6875 * h) < 1e-12);
    assert_true(fabs(at(&r, 2, "second.slide") - h) < 1e-12);
    check(&r, "car.vx", start + (4.5 - still) / 3, 1e-9);
    check(&r, "load.vx", start + (4.5 - still) / 3 + still, 1e-9);
    double centre = (2 * last(&r, "car.x") + last(&r, "load.x")) / 3;
    assert_true(fabs(centre - 2 * start - 3.5 / 3) < 1e-9);
    check(&r, "energy.balance", 0, 1e-9);
    close_run(&r);
}

/* A pulse of 10 N within 1 ms gives 1 kg its impulse of 5 mN s, by a table and by a formula, with
 * every integrator, chosen and fixed steps; a force that jumps, floor(4 t), (0 + ... + 7)/4 N s. A
 * table of a sine that is finer than steps need has few stops. */
static void pulses(void **state) {
    (void)state;
    static const char *const forces[] = {"[[0, 0], [1, 0], [1.0005, 10], [1.001, 0]]",
                                         "10*max(0, 1 - abs(t - 1.0005)/0.0005)", "floor(4*t)"};
    static const double impulse[] = {0.005, 0.005, 7};
    char text[400];
    run r;
    for (int i = 0; i < 3 * GDYN_SIM_INTEGRATORS; i++) {
        snprintf(text, sizeof text,
                 "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n"
                 "    car: {mass: 1, inertia: 1}\n  joints:\n"
                 "    rail: {type: prismatic, of: [car, ground], axis: [1, 0]}\n"
                 "  drives: {m: {at: rail, force: {limit: 100 N}}}\n"
                 "simulate: {duration: 2 s, drives: {m: \"%s\"}}\n",
                 forces[i % 3]);
        if (i % 3 == 0)
            memcpy(strstr(text, "m: \"[") + 3, " ", 1), *strrchr(text, '"') = ' ';
        open_text(&r, text);
        r.def.integrator = (gdyn_sim_integrator)(i / 3);
        r.def.step =
            r.def.integrator == GDYN_SIM_EULER || r.def.integrator == GDYN_SIM_RK4 ? 0.03 : 0;
        simulate(&r, 2);
        check(&r, "car.vx", impulse[i % 3], 1e-9);
        close_run(&r);
    }
    enum { ROWS = 4001 };
    static double t[ROWS], f[ROWS];
    for (int i = 0; i < ROWS; i++)
        t[i] = 2.0 * i / (ROWS - 1), f[i] = sin(2 * t[i]);
    snprintf(
        text, sizeof text,
        "format: 1\nmachine: {space: planar, gravity: [0, 0], bodies: {car: {mass: 1, inertia: "
        "1}}, "
        "joints: {rail: {type: prismatic, of: [car, ground], axis: [1, 0]}}, "
        "drives: {m: {at: rail, force: {limit: 9}}}}\nsimulate: {duration: 2, drives: {m: t}}\n");
    open_text(&r, text);
    gdyn_expr *table = gdyn_expr_table(ROWS, t, f, false);
    gdyn_drive_signal signal = {0, table};
    r.def.signal = &signal;
    simulate(&r, 2);
    gdyn_sim_now now;
    assert_int_equal(gdyn_simulation_now(r.simulation, &now), GDYN_OK);
    check(&r, "car.vx", 0.5 * (1 - cos(4)), 1e-6);
    assert_true(now.steps < ROWS / 10);
    gdyn_expr_destroy(table);
    close_run(&r);
}

/* A conservative machine whose velocities are turned round goes back where it came from. */
static void time_reversal(void **state) {
    (void)state;
    run r;
    open_case(&r, "bricard");
    r.def.duration = 1;
    r.def.tolerance = 1e-11;
    simulate(&r, 1);
    gdyn_sim_now now;
    assert_int_equal(gdyn_simulation_now(r.simulation, &now), GDYN_OK);
    int bodies = gdyn_model_bodies(r.instance->model);
    gdyn_start_velocity back[5];
    assert_int_equal(bodies, 5);
    for (int i = 0; i < bodies; i++) {
        back[i].body = i;
        for (int j = 0; j < 6; j++)
            back[i].u[j] = -now.u[6 * i + j];
    }
    gdyn_simulation *again = NULL;
    gdyn_simulation_def def = r.def;
    def.velocity = back;
    def.velocity_count = bodies;
    assert_int_equal(gdyn_simulation_create(r.instance->model, &def, NULL, &again), GDYN_OK);
    gdyn_simulation_place(again, now.state);
    gdyn_sim_start start;
    gdyn_sim_outcome outcome;
    assert_int_equal(gdyn_simulation_start(again, &start, &outcome), GDYN_OK);
    assert_true(start.missed < 1e-9);
    assert_int_equal(gdyn_simulation_advance(again, 1, &outcome), GDYN_OK);
    assert_int_equal(gdyn_simulation_now(again, &now), GDYN_OK);
    double rest = 0, x[3], R[9];
    for (int j = 0; j < 30; j++)
        rest = fmax(rest, fabs(now.u[j]));
    gdyn_state_body(now.state, 1, x, R);
    assert_true(rest < 1e-8);
    assert_true(fabs(x[0] - 1) + fabs(x[1] + 0.5) + fabs(x[2]) < 1e-8);
    gdyn_simulation_destroy(again);
    close_run(&r);
}

/* Halving fixed steps divides the error by 2^order. */
static void orders(void **state) {
    (void)state;
    static const struct {
        gdyn_sim_integrator integrator;
        double step, order;
    } rows[] = {{GDYN_SIM_EULER, 1e-3, 1}, {GDYN_SIM_RK2, 0.01, 2},
                {GDYN_SIM_RK4, 0.02, 4},   {GDYN_SIM_RKF45, 0.05, 5},
                {GDYN_SIM_RK8PD, 0.2, 8},  {GDYN_SIM_IMPLICIT_GAUSS, 0.05, 4}};
    run r;
    open_case(&r, "pendulum");
    r.def.duration = 1;
    r.def.tolerance = 1e-12;
    r.def.integrator = GDYN_SIM_RK8PD;
    simulate(&r, 1);
    double exact = last(&r, "O.angle");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double error[2];
        r.def.integrator = rows[k].integrator;
        for (int half = 0; half < 2; half++) {
            r.def.step = rows[k].step / (1 + half);
            simulate(&r, 1);
            assert_int_equal(r.outcome, GDYN_SIM_RUNS);
            error[half] = fabs(last(&r, "O.angle") - exact);
        }
        double order = log2(error[0] / error[1]);
        if (!(order > rows[k].order - 0.4 && order < rows[k].order + 1.4))
            fail_msg("%s: order %g, errors %g, %g", gdyn_sim_integrator_names[rows[k].integrator],
                     order, error[0], error[1]);
    }
    close_run(&r);
}

/* Every method has the order of its integrator on a loop: halving the steps of rk4 divides the error by 16. */
static void orders_of_methods(void **state) {
    (void)state;
    run r;
    open_text(&r, three_bars);
    r.def.tolerance = 1e-13;
    r.def.integrator = GDYN_SIM_RK8PD;
    simulate(&r, 1);
    double exact = last(&r, "left.angle");
    r.def.integrator = GDYN_SIM_BULIRSCH_STOER;
    r.def.tolerance = 1e-10;
    simulate(&r, 1);
    check(&r, "left.angle", exact, 1e-9);
    r.def.integrator = GDYN_SIM_RK4;
    for (int m = 0; m < GDYN_SIM_METHODS; m++) {
        double error[2];
        if (m == GDYN_SIM_COMPLIANCE)
            continue;
        r.def.method = (gdyn_sim_method)m;
        for (int half = 0; half < 2; half++) {
            r.def.step = 0.05 / (1 + half);
            simulate(&r, 1);
            assert_int_equal(r.outcome, GDYN_SIM_RUNS);
            error[half] = fabs(last(&r, "left.angle") - exact);
        }
        double order = log2(error[0] / error[1]);
        if (!(order > 3.4 && order < 5.6))
            fail_msg("%s: order %g, errors %g, %g", gdyn_sim_method_names[m], order, error[0],
                     error[1]);
    }
    close_run(&r);
}

/* Two hinged bars that fly freely keep momentum, angular momentum and energy by every method. */
static void flying_bars(void **state) {
    (void)state;
    run r;
    open_text(&r,
              "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  bodies:\n"
              "    one: {mass: 2, inertia: 0.3, points: {P: [1, 0]}}\n"
              "    two: {mass: 1, inertia: 0.1, points: {P: [-1, 0]}, pose: [2, 0, 0]}\n  joints:\n"
              "    hinge: {type: revolute, of: [two.P, one.P]}\n"
              "simulate: {duration: 5 s, integrator: {tolerance: 1e-10}, start: {velocity: "
              "{one: [0.3, 0.1, 2]}, rates: {hinge: -3}}}\n");
    for (int m = 0; m < GDYN_SIM_METHODS; m++) {
        double px[2], py[2], H[2];
        if (m == GDYN_SIM_COMPLIANCE)
            continue;
        r.def.method = (gdyn_sim_method)m;
        simulate(&r, 10);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        for (int k = 0; k < 2; k++) {
            int i = k * (r.record->frames - 1);
            double x1 = at(&r, i, "one.x"), y1 = at(&r, i, "one.y"), u1 = at(&r, i, "one.vx"),
                   v1 = at(&r, i, "one.vy"), x2 = at(&r, i, "two.x"), y2 = at(&r, i, "two.y"),
                   u2 = at(&r, i, "two.vx"), v2 = at(&r, i, "two.vy");
            px[k] = 2 * u1 + u2;
            py[k] = 2 * v1 + v2;
            H[k] = 2 * (x1 * v1 - y1 * u1) + x2 * v2 - y2 * u2 + 0.3 * at(&r, i, "one.w") +
                   0.1 * at(&r, i, "two.w");
        }
        assert_true(fabs(px[1] - px[0]) + fabs(py[1] - py[0]) < 1e-9);
        assert_true(fabs(H[1] - H[0]) < 1e-7 && fabs(H[0]) > 0.1);
        check(&r, "energy.kinetic", at(&r, 0, "energy.kinetic"), 1e-7);
    }
    close_run(&r);
}

/* IFToMM A05: nothing turns the governor, so that its angular momentum about the vertical stays,
 *   w (2 (m x^2 + I sin^2 + J cos^2) + shaft + slider),  x = side/2 + centre sin(opening) of the gravity centre of a rod with its ball;
 * the balance of energy holds although the dampers take energy away. Stiff: K/m = 2e5 1/s2, C/m = 1e4 1/s. */
static double momentum(const run *r, int frame) {
    const double bar = 0.3, ball = 5, m = bar + ball, centre = (bar / 2 + ball) / m;
    const double across = bar * 1e-4 / 6, along = bar * (1 + 1e-4) / 12;
    const double turned = along + bar * pow(centre - 0.5, 2) + ball * pow(1 - centre, 2);
    double x = at(r, frame, "right.x"), y = at(r, frame, "right.y"), out = hypot(x, y) - 0.05;
    double sine = out / centre;
    double rods = m * (x * x + y * y) + turned * sine * sine + across * (1 - sine * sine);
    assert_true(fabs(hypot(at(r, frame, "left.x"), at(r, frame, "left.y")) - 0.05 - out) < 1e-7);
    return at(r, frame, "shaft.wz") * (2 * rods + across + 3 * 0.01 / 6);
}

/* Place of the slider and speed of the shaft as an independent model of two freedoms has them. */
static void flyball_governor(void **state) {
    (void)state;
    run r;
    open_case(&r, "flyball");
    r.def.tolerance = 1e-11;
    simulate(&r, 10);
    const double s[][2] = {{1, 0.501420922}, {2, 0.505909294}, {5, 0.535563104}};
    for (int k = 0; k < 3; k++)
        assert_true(fabs(at(&r, (int)s[k][0], "slider.z") - s[k][1]) < 1e-8);
    check(&r, "slider.z", 0.619622917, 1e-8);
    check(&r, "shaft.wz", 5.548203623, 1e-7);
    /* an explicit and an implicit integrator, in body coordinates */
    r.def.duration = 0.5;
    r.def.every = 0;
    r.def.tolerance = 1e-8;
    r.def.method = GDYN_SIM_NULL_SPACE;
    const gdyn_sim_integrator both[] = {GDYN_SIM_RKF45, GDYN_SIM_IMPLICIT_GAUSS};
    for (int k = 0; k < 2; k++) {
        r.def.integrator = both[k];
        simulate(&r, 5);
        assert_int_equal(r.outcome, GDYN_SIM_RUNS);
        assert_true(fabs(at(&r, 1, "slider.z") - 0.523836476) < 1e-7);
        check(&r, "slider.z", 0.743249425, 1e-7);
        assert_true(fabs(momentum(&r, 5) - momentum(&r, 0)) < 1e-6 * momentum(&r, 0));
        assert_true(r.record->energy.friction < -1e-3);
        assert_true(r.record->imbalance < 1e-5);
    }
    close_run(&r);
}

/* Points and ground axes: a point mass on a pivot whose axes turn with it, released from (-l, 0). The pivot is pulled towards
 * the mass by 3 m g sin(fall); a point half way has half its speed. */
static void points_and_ground_axes(void **state) {
    (void)state;
    const double m = 2, g = 9.81;
    run r;
    open_text(&r,
              "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n  ground: {points: "
              "{O: [0, 0]}}\n  bodies:\n    bob: {mass: 2 kg, inertia: 0, points: {P: [1, 0], H: "
              "[0.5, 0]}, pose: [-1, 0, 0]}\n  joints:\n"
              "    j: {type: revolute, of: [ground.O, bob.P]}\n"
              "simulate: {duration: 1 s, integrator: {tolerance: 1e-11}, record: [bob.H, "
              "ground.O], axes: ground}\n");
    simulate(&r, 20);
    for (int i = 0; i <= 20; i++) {
        double x = at(&r, i, "bob.x"), y = at(&r, i, "bob.y"), pull = -3 * m * g * y;
        assert_true(fabs(at(&r, i, "j.fx_ground") - pull * x) < 1e-7);
        assert_true(fabs(at(&r, i, "j.fy_ground") - pull * y) < 1e-7);
        assert_true(fabs(at(&r, i, "bob.H.x") - x / 2) + fabs(at(&r, i, "bob.H.y") - y / 2) <
                    1e-12);
        assert_true(fabs(at(&r, i, "bob.H.vx") - at(&r, i, "bob.vx") / 2) < 1e-12);
        assert_true(fabs(hypot(at(&r, i, "bob.H.vx"), at(&r, i, "bob.H.vy")) - sqrt(-g * y / 2)) <
                    1e-8);
        assert_true(at(&r, i, "ground.O.x") == 0 && at(&r, i, "ground.O.vy") == 0);
        /* the joint's own axes turn: along the bob's x the pull is all there is */
        assert_true(fabs(fabs(at(&r, i, "j.fx")) - fabs(pull)) < 1e-7);
    }
    close_run(&r);
}

/* Limits: 1.5 sin(2 pi t) N m on 0.01 kg m2 give w = a (1 - cos(2 pi t)), a = 150/(2 pi) rad/s, at most 2 a,
 * and an acceleration of 150 sin(2 pi t) rad/s2. In long steps the rotor turns more than once. */
static void limits_of_drives(void **state) {
    (void)state;
    const double pi = acos(-1.0), a = 150 / (2 * pi);
    run r;
    open_text(&r,
              "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  ground: {points: {O: [0, "
              "0]}}\n  bodies: {b: {mass: 1 kg, inertia: 0.01, points: {O: [0, 0]}}}\n"
              "  joints: {s: {type: revolute, of: [b.O, ground.O]}}\n"
              "  drives: {m: {at: s, torque: {min: -1 N m, max: 1.2 N m}, speed: {max: 40 rad/s},"
              " curve: [[0, 1.6], [50, 1.1], [100, 0]]}, free: {at: s, torque: {min: -9 N m, "
              "max: 9 N m}}}\n  limits: {turn: {joint: s, acceleration: 120 rad/s^2}}\n"
              "simulate: {duration: 2 s, every: 0.1 s, integrator: {name: rk8pd, tolerance: "
              "1e-9}, drives: {m: \"1.5*sin(2*pi*t)\"}}\n");
    simulate(&r, 20);
    int count;
    const gdyn_sim_limit *limit = gdyn_simulation_limits(r.simulation, &count);
    /* the same from the formulas, densely */
    enum { N = 200000 };
    enum { FORCE = 0, CURVE = 2, SPEED = 4, TURN = 5, LIMITS = 7 };
    double most[LIMITS] = {0}, first[LIMITS], time[LIMITS] = {0}, saturated = 0;
    for (int k = 0; k < LIMITS; k++)
        first[k] = NAN;
    for (int i = 0; i < N; i++) {
        double t = 2.0 * i / N, n = 1.5 * sin(2 * pi * t), w = a * (1 - cos(2 * pi * t));
        double curve[2] = {fmin(1.6 - 0.01 * w, 1.1 - 0.022 * (w - 50)),
                           fmin(1.6 + 0.01 * w, 1.1 + 0.022 * (w + 50))};
        double by[LIMITS] = {-1 - n, n - 1.2,        -n - curve[1], n - curve[0],
                             w - 40, -120 - 100 * n, 100 * n - 120};
        for (int k = 0; k < LIMITS; k++) {
            most[k] = fmax(most[k], by[k]);
            time[k] += by[k] > 0 ? 2.0 / N : 0;
            if (by[k] > 0 && isnan(first[k]))
                first[k] = t;
        }
        saturated += fmax(fmax(by[0], by[1]), fmax(by[2], by[3])) > 0 ? 2.0 / N : 0;
    }
    /* the lower side of the curve is never reached */
    assert_int_equal(count, 6);
    for (int i = 0; i < count; i++) {
        const gdyn_sim_limit *l = &limit[i];
        const char *word = gdyn_limit_kind_word(l->item.kind);
        int k = strcmp(word, "speed") == 0          ? SPEED
                : strcmp(word, "force") == 0        ? FORCE + l->upper
                : strcmp(word, "acceleration") == 0 ? TURN + l->upper
                                                    : CURVE + l->upper;
        assert_string_equal(gdyn_limit_item_name(r.instance->model, &l->item),
                            k < TURN ? "m" : "turn");
        assert_true(i == 0 || limit[i].t >= limit[i - 1].t);
        assert_true(fabs(l->amount - most[k]) < 0.005 * (k == SPEED ? 40 : k >= TURN ? 120 : 1));
        assert_true(fabs(l->t - first[k]) < 1e-3 && fabs(l->time - time[k]) < 5e-3);
    }
    assert_true(fabs(gdyn_simulation_saturated(r.simulation, 0) - saturated) < 5e-3);
    assert_true(gdyn_simulation_saturated(r.simulation, 1) == 0);
    close_run(&r);
}

/* A cable that winds 1 kg in with 5 N drives it: v = 5 t, and the line 10 N - 3 (N s/m) v is exceeded from t = 1/3 s on. */
static void curve_of_a_cable(void **state) {
    (void)state;
    run r;
    open_text(
        &r,
        "format: 1\nmachine:\n  space: planar\n  gravity: [0, 0]\n  ground: {points: {O: [0, 0]}}\n"
        "  bodies: {car: {mass: 1 kg, inertia: 1, pose: [5, 0, 0]}}\n"
        "  joints: {rail: {type: prismatic, of: [car, ground], axis: [1, 0]}}\n"
        "  drives: {winch: {cable: [car, ground.O], tension: {limit: 100 N}, curve: [[0, 10], [4, "
        "-2]]}}\n"
        "simulate: {duration: 0.8 s, every: 0.1 s, integrator: {tolerance: 1e-10}, drives: {winch: "
        "\"5\"}}\n");
    simulate(&r, 8);
    int count;
    const gdyn_sim_limit *limit = gdyn_simulation_limits(r.simulation, &count);
    assert_int_equal(count, 1);
    assert_string_equal(gdyn_limit_kind_word(limit->item.kind), "curve");
    assert_true(limit->upper && fabs(limit->t - 1.0 / 3) < 1e-6 &&
                fabs(limit->time - (0.8 - 1.0 / 3)) < 1e-6);
    assert_true(fabs(limit->amount - 7) < 1e-6);
    close_run(&r);
}

/* Constraints that give way: a mass m on two slides above each other, the upper one moved by h (1 - cos(pi t))/2 from 0 to 1 s.
 * The motion lifts the mass, and against gravity it sags by m g epsilon in each of the two rows that carry it; of the work
 * of gravity along the way half is stored in a row and half is dissipated. */
static void compliant_works(void **state) {
    (void)state;
    const double m = 2, g = 9.81, epsilon = 1e-4, lift = 0.5;
    run r;
    open_text(&r, "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n  bodies:\n"
                  "    a: {mass: 2 kg, inertia: 1}\n  joints:\n"
                  "    j: {type: prismatic, of: [a, ground], axis: [0, 1]}\n  motions:\n"
                  "    lift: {at: j, displacement: \"0.25*(1 - cos(pi*min(t, 1)))\"}\n"
                  "simulate: {duration: 4 s, method: {name: compliance, compliance: {length: 1e-4, "
                  "angle: 1e-4, relaxation: 0.02 s}},\n"
                  "  integrator: {name: bulirsch_stoer, tolerance: 1e-9}}\n");
    simulate(&r, 4);
    assert_int_equal(r.outcome, GDYN_SIM_RUNS);
    check(&r, "a.y", lift - m * g * epsilon, 1e-8);
    check(&r, "energy.work_loads", 0, 0);
    double constraints = last(&r, "energy.work_constraints"), sag = m * g * epsilon;
    /* the motion's work is not exactly m g lift: its force passes through the row that oscillates */
    check(&r, "energy.work_motions", m * g * lift, 0.02);
    assert_true(constraints < -0.5 * m * g * sag);
    assert_true(fabs(last(&r, "energy.work_motions") + constraints - m * g * (lift - sag)) < 1e-6);
    assert_true(r.record->imbalance < 1e-6);
    close_run(&r);
    /* without motions there is no work of motions: two bodies that hang lose m g sag each, stored and dissipated */
    open_text(&r,
              "format: 1\nmachine:\n  space: planar\n  gravity: [0, -9.81]\n  bodies:\n"
              "    a: {mass: 2 kg, inertia: 1}\n    b: {mass: 1 kg, inertia: 1}\n  joints:\n"
              "    j: {type: fixed, of: [a, ground]}\n    k: {type: prismatic, of: [b, ground], "
              "axis: [1, 0]}\n"
              "simulate: {duration: 4 s, method: {name: compliance, compliance: {length: 1e-4, "
              "angle: 1e-4, relaxation: 0.02 s}},\n"
              "  integrator: {name: bulirsch_stoer, tolerance: 1e-9}}\n");
    simulate(&r, 4);
    check(&r, "energy.work_motions", 0, 0);
    check(&r, "energy.work_constraints", -(m * m + 1) * g * g * epsilon, 1e-8);
    check(&r, "energy.balance", 0, 1e-8);
    close_run(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_top),
        cmocka_unit_test(sliders),
        cmocka_unit_test(tables_in_time),
        cmocka_unit_test(pulses),
        cmocka_unit_test(time_reversal),
        cmocka_unit_test(orders),
        cmocka_unit_test(orders_of_methods),
        cmocka_unit_test(flyball_governor),
        cmocka_unit_test(flying_bars),
        cmocka_unit_test(compliant_works),
        cmocka_unit_test(points_and_ground_axes),
        cmocka_unit_test(limits_of_drives),
        cmocka_unit_test(curve_of_a_cable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
