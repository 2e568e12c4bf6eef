/* test_traverse_scale.c - the fastest motion does not depend on how the path is told: number of
 * points, parameter, units; points twice, limits that jump; the scheme's order. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "traverse_machines.h"

#include <math.h>
#include <stdio.h>

/* --- tables ------------------------------------------------------------------------------------ */

enum { MOST = 1001, ROWS = 3, NUMBERS = 8 };

typedef struct table {
    int points;
    double p[MOST], number[MOST][NUMBERS][ROWS]; /* A, B, C, D, min, max, V, speed limit */
    gdyn_coefficients q[MOST];
} table;

static table shared;

static void begin(int points, int k, int r) {
    memset(&shared, 0, sizeof shared);
    shared.points = points;
    for (int i = 0; i < points; i++)
        shared.q[i] = coefficients_in(shared.number[i][0], ROWS, k, r);
}

static void row(int i, int j, double A, double B, double C, double D, double limit) {
    double value[6] = {A, B, C, D, -limit, limit};
    for (int m = 0; m < 6; m++)
        shared.number[i][m][j] = value[m];
}

static gdyn_traverse *run(const gdyn_traverse_settings *settings) {
    gdyn_path_dynamics *dynamics = gdyn_path_dynamics_table(shared.points, shared.p, shared.q);
    assert_non_null(dynamics);
    gdyn_traverse *t = fastest_motion(dynamics, settings);
    gdyn_path_dynamics_destroy(dynamics);
    return t;
}

/* One drive: |d2| <= 100 on a path of length 1. */
static void one_drive(int points) {
    begin(points, 1, 0);
    for (int i = 0; i < points; i++) {
        shared.p[i] = (double)i / (points - 1);
        row(i, 0, 0, 0, 0, 1, 100);
    }
}

static double time_of(const gdyn_traverse_settings *settings, double exact) {
    gdyn_traverse *t = run(settings);
    assert_int_equal(t->status, GDYN_TRAVERSE_OK);
    assert_true(t->violation <= 1e-9);
    if (!(t->lower <= exact * (1 + 1e-9) && exact * (1 - 1e-9) <= t->upper)) {
        print_error("%.15g is not in [%.15g, %.15g]\n", exact, t->lower, t->upper);
        fail();
    }
    double time = t->time;
    gdyn_traverse_destroy(t);
    return time;
}

/* --- units ------------------------------------------------------------------------------------- */

enum { SMOOTH, VISCOUS, ISLAND, LOADED };

/* A path in units of length and force, limits of time: P = p length, F = f force, T = t time. */
static gdyn_traverse *scaled(int kind, double length, double force, double time) {
    double a = force * time * time / (length * length), b = force * time / length;
    double d = force * time * time / length, v = length / time;
    begin(61, 3, 1);
    for (int i = 0; i < 61; i++) {
        double p = i / 60.0, lift = kind == LOADED && i > 30 && i < 36 ? 4 : 0;
        shared.p[i] = p * length;
        for (int j = 0; j < 3; j++) {
            double c = 2 * p + 2.1 * j, limit = 1 + 0.2 * j;
            double viscous = kind == VISCOUS ? 0.5 + 0.2 * j : 0;
            row(i, j, a * 3 * sin(c), b * viscous,
                force * (0.4 * cos(3 * c) + lift * (j == 1 ? 1 : -0.3)), d * (0.3 + cos(c)),
                force * limit);
            shared.number[i][6][j] = j - 0.7;
        }
        if (kind == ISLAND && i > 20 && i < 40) { /* rest is impossible here */
            row(i, 2, a * 4, 0, -force * 1.5, 0, force * 1.2);
            shared.number[i][6][2] = 0;
        }
        shared.q[i].d1_high = kind == VISCOUS ? 0.5 * v : INFINITY;
    }
    return run(NULL);
}

static void same(const gdyn_traverse *a, const gdyn_traverse *b, double length, double time) {
    assert_int_equal(a->status, b->status);
    if (a->status == GDYN_TRAVERSE_OK) {
        assert_near(b->time, a->time * time, 1e-8 * a->time * time);
        assert_near(b->upper, a->upper * time, 1e-8 * a->time * time);
        assert_near(b->lower, a->lower * time, 1e-6 * a->time * time);
        assert_int_equal(a->converged, b->converged);
        assert_true(b->violation <= 1e-9);
    } else {
        assert_near(b->place, a->place * length, 1e-9 * length);
        assert_near(b->relaxation, a->relaxation, 1e-5 * a->relaxation);
        assert_int_equal(b->certificate.count, a->certificate.count);
    }
}

static void units(void **state) {
    (void)state;
    static const double scales[][3] = {{1e-3, 1, 1},   {1e3, 1, 1},      {1, 1e-3, 1},
                                       {1, 1e3, 1},    {1e-3, 1e-3, 1},  {1e-3, 1e3, 1},
                                       {1e3, 1e-3, 1}, {1e3, 1e3, 1},    {1, 1, 1e-3},
                                       {1, 1, 1e3},    {1e-3, 1e3, 1e3}, {7.3, 0.11, 2.9}};
    for (int k = SMOOTH; k <= LOADED; k++) {
        gdyn_traverse *plain = scaled(k, 1, 1, 1);
        print_message("# %s: time %g in [%g, %g], relaxation %g\n",
                      gdyn_traverse_status_name(plain->status), plain->time, plain->lower,
                      plain->upper, plain->relaxation);
        assert_true((plain->status == GDYN_TRAVERSE_OK) == (k != LOADED));
        for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
            const double *s = scales[i];
            gdyn_traverse *t = scaled(k, s[0], s[1], s[2]);
            same(plain, t, s[0], s[2]);
            gdyn_traverse_destroy(t);
        }
        gdyn_traverse_destroy(plain);
    }
}

/* --- another parameter, another number of points ------------------------------------------------- */

static const char arm[] =
    "format: 1\n"
    "name: pendulum\n"
    "machine:\n"
    "  space: planar\n"
    "  gravity: [0, -9.81]\n"
    "  ground: {points: {O: [0, 0]}}\n"
    "  bodies:\n"
    "    arm: {mass: 2 kg, inertia: 0.35, com: [0, -0.6], points: {P: [0, 0]}, pose: [0, 0, 0]}\n"
    "  joints:\n"
    "    base: {type: revolute, of: [arm.P, ground.O]%s}\n"
    "  drives: {M: {at: base, torque: {limit: 15 N m}}}\n"
    "trajectories:\n"
    "  swing: {joints: {base: %s}, p: [%.17g, %.17g]}\n";

static gdyn_traverse *swing(const char *friction, const char *path, double from, double to,
                            int points, const gdyn_traverse_settings *settings) {
    char text[2000];
    moving_machine m;
    snprintf(text, sizeof text, arm, friction, path, from, to);
    machine_of_text(&m, text, points);
    gdyn_traverse *t = fastest_motion(m.dynamics, settings);
    machine_close(&m);
    return t;
}

/* All bounds of the same motion have a time in common. */
static void the_same_motion_in_other_parameters(void **state) {
    (void)state;
    static const struct {
        const char *path;
        double from, to;
    } paths[] = {{"p", 0, 3},
                 {"p/1000", 0, 3000},
                 {"1000*p", 0, 0.003},
                 {"p^2", 0, 1.7320508075688772}, /* a cusp at the start */
                 {"p + 0.4*sin(p)", 0, 2.907034820268728},
                 {"exp(p) - 1", 0, 1.3862943611198906}};
    static const int sizes[] = {50, 200, 1000};
    double lower = 0, upper = INFINITY;
    for (size_t i = 0; i < 3 * sizeof paths / sizeof *paths; i++) {
        gdyn_traverse *t =
            swing("", paths[i / 3].path, paths[i / 3].from, paths[i / 3].to, sizes[i % 3], NULL);
        assert_int_equal(t->status, GDYN_TRAVERSE_OK);
        assert_true(t->converged);
        assert_true(t->violation <= 1e-9);
        lower = fmax(lower, t->lower);
        upper = fmin(upper, t->upper);
        gdyn_traverse_destroy(t);
    }
    assert_true(lower <= upper * (1 + 1e-9));
}

static void real_machines_at_any_number_of_points(void **state) {
    (void)state;
    static const struct {
        const char *name, *trajectory;
    } machines[] = {{"four_slider_star", "circle"}, {"two_cables", NULL}, {"five_bar3", NULL}};
    static const int sizes[] = {50, 200, 1000};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        double lower = 0, upper = INFINITY;
        for (int j = 0; j < (i == 0 ? 3 : 2); j++) {
            moving_machine m;
            machine_of_case(&m, machines[i].name, machines[i].trajectory, sizes[j]);
            gdyn_traverse *t = fastest_motion(m.dynamics, NULL);
            print_message("# %s: %d -> %d points, %.12f .. %.12f\n", machines[i].name, sizes[j],
                          t->points, t->lower, t->upper);
            assert_int_equal(t->status, GDYN_TRAVERSE_OK);
            assert_true(t->converged);
            assert_true(t->violation <= 1e-9);
            lower = fmax(lower, t->lower);
            upper = fmin(upper, t->upper);
            gdyn_traverse_destroy(t);
            machine_close(&m);
        }
        assert_true(lower <= upper * (1 + 1e-9)); /* rounding */
    }
}

/* --- the scheme's order --------------------------------------------------------------------------- */

/* On the path's own points without refinement: the error falls with h^2; with viscous friction and a
 * start at rest with h. The reference is the same scheme on 3201 points. */
static void order(void **state) {
    (void)state;
    static const char *const friction[] = {"", ", friction: {viscous: 3 N m s/rad}"};
    gdyn_traverse_settings s = gdyn_traverse_default();
    s.bounds = s.audit = false;
    s.tolerance = 2e-5; /* fine viscous cells */
    for (int k = 0; k < 2; k++) {
        double error[5], exact = 0;
        for (int i = 5; i >= 0; i--) {
            int segments = i == 5 ? 3200 : 25 << i;
            gdyn_traverse *t = swing(friction[k], "p", 0.2, 2.9, segments + 1, &s);
            assert_int_equal(t->status, GDYN_TRAVERSE_OK);
            assert_int_equal(t->points, segments + 1);
            if (i == 5)
                exact = t->time;
            else
                error[i] = fabs(t->time - exact);
            gdyn_traverse_destroy(t);
        }
        double found = log(error[0] / error[4]) / log(16);
        print_message("# order %.2f (%.2g %.2g %.2g %.2g %.2g)\n", found, error[0], error[1],
                      error[2], error[3], error[4]);
        assert_true(found > (k == 0 ? 1.8 : 0.9));
    }
}

/* --- odd tables ---------------------------------------------------------------------------------- */

/* Points twice, three times, and nearer to each other than can be told. */
static void points_twice(void **state) {
    (void)state;
    static const double gaps[] = {0, 1e-16, 1e-13, 1e-11, 1e-9, 1e-6};
    for (int i = 0; i < 6; i++) {
        one_drive(51);
        for (int j = 5; j < 50; j += 9)
            shared.p[j + 1] = shared.p[j] + gaps[i];
        shared.p[12] = shared.p[13] = shared.p[11];
        shared.p[1] = gaps[i];      /* at the start */
        shared.p[49] = 1 - gaps[i]; /* and at the end */
        assert_near(time_of(NULL, 0.2), 0.2, 1e-9);
    }
}

/* Limits jump at p = 0.5 from 100 to 50: up to v with 100, down with 100, then with 50. */
static void limits_that_jump(void **state) {
    (void)state;
    double v = sqrt(75), w = sqrt(50), exact = v / 100 + (v - w) / 100 + w / 50;
    static const int sizes[] = {12, 52, 202};
    for (int i = 0; i < 3; i++) {
        int half = sizes[i] / 2;
        one_drive(sizes[i]);
        for (int j = 0; j < sizes[i]; j++) {
            shared.p[j] = 0.5 * (j < half ? j : j - 1) / (half - 1);
            row(j, 0, 0, 0, 0, 1, j < half ? 100 : 50);
        }
        shared.p[sizes[i] - 1] = 1;
        print_message("# jump: %g instead of %g\n", time_of(NULL, exact), exact);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units),
        cmocka_unit_test(the_same_motion_in_other_parameters),
        cmocka_unit_test(real_machines_at_any_number_of_points),
        cmocka_unit_test(order),
        cmocka_unit_test(points_twice),
        cmocka_unit_test(limits_that_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
