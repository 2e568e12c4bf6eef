/* test_traverse_rate.c - limits on the rate of drive forces against closed forms: the jerk-limited
 * motion between rests, viscous friction by switching times, two drives that share a mass, other
 * units, and rates that forbid a motion. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "traverse/traverse.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 51, ROWS = 2 };

/* A mass on a line: drives with F_1 + F_2 = inertia d2 + friction d1. */
typedef struct mass {
    int drives;
    double length, inertia, friction, limit, rate[ROWS];
} mass;

static gdyn_traverse *run_with(const mass *m, gdyn_traverse_settings settings) {
    static double A[ROWS], B[ROWS], C[ROWS], D[ROWS], V[ROWS], low[ROWS], high[ROWS], p[POINTS];
    static gdyn_coefficients q[POINTS];
    for (int i = 0; i < m->drives; i++) {
        B[i] = m->friction / m->drives;
        D[i] = m->inertia / m->drives;
        V[i] = i ? -sqrt(0.5) : sqrt(0.5);
        low[i] = -m->limit, high[i] = m->limit;
    }
    for (int i = 0; i < POINTS; i++) {
        p[i] = m->length * i / (POINTS - 1);
        q[i] = (gdyn_coefficients){.k = m->drives,
                                   .r = m->drives - 1,
                                   .A = A,
                                   .B = B,
                                   .C = C,
                                   .D = D,
                                   .V = V,
                                   .min = low,
                                   .max = high,
                                   .d1_high = INFINITY,
                                   .d1_high_window = -1};
    }
    settings.rate = m->rate;
    gdyn_path_dynamics *dynamics = gdyn_path_dynamics_table(POINTS, p, q);
    gdyn_traverse *traverse = gdyn_traverse_create();
    assert_non_null(dynamics);
    assert_non_null(traverse);
    assert_int_equal(gdyn_traverse_run(traverse, dynamics, &settings), GDYN_OK);
    gdyn_path_dynamics_destroy(dynamics);
    return traverse;
}

/* Forces and their rates at and between the points, from the motion alone (times, d1, d2). */
static void check_forces(const gdyn_traverse *t, const mass *m) {
    for (int i = 0; i < t->points; i++) {
        const gdyn_motion_point *at = &t->point[i];
        const double *F = t->force + (size_t)i * (size_t)t->rows;
        double sum = 0, size = m->inertia * fabs(at->d2) + m->friction * at->d1;
        for (int row = 0; row < m->drives; row++) {
            assert_true(fabs(F[row]) <= m->limit * (1 + 1e-9));
            sum += F[row], size += fabs(F[row]);
            if (i > 0) {
                double change = fabs(F[row] - (F - t->rows)[row]);
                assert_true(change <= m->rate[row] * (at->t - at[-1].t) * (1 + 1e-7));
            }
        }
        assert_near(sum, m->inertia * at->d2 + m->friction * at->d1, 1e-9 * size);
        if (i > 0) { /* d2 is quadratic in time: u, u' at the ends and a bow w between them */
            double dt = at->t - at[-1].t, u[2] = {at[-1].d2, at->d2};
            double w = (at->d1 - at[-1].d1) / dt - 0.5 * (u[0] + u[1]);
            double p = at[-1].p + dt * (at[-1].d1 + dt * ((2 * u[0] + u[1]) / 6 + 0.5 * w));
            for (int end = 0; end < 2 && m->drives == 1; end++) { /* d3 there */
                double d3 = (u[1] - u[0] + (end ? -6 : 6) * w) / dt;
                double rate = m->inertia * d3 + m->friction * u[end];
                assert_true(fabs(rate) <= m->rate[0] * (1 + 1e-5));
            }
            assert_near(at->p, p, 1e-6 * m->length);
        }
    }
}

/* Between the exact time and what the tolerance adds, for so many tolerances. */
static void check_time(const mass *m, double exact, int count) {
    gdyn_traverse_settings settings = gdyn_traverse_default();
    static const double tolerances[] = {1e-2, 1e-3, 1e-4};
    for (int k = 0; k < count; k++) {
        settings.tolerance = tolerances[k];
        gdyn_traverse *t = run_with(m, settings);
        assert_int_equal(t->status, GDYN_TRAVERSE_OK);
        assert_true(t->time >= exact * (1 - 1e-9));
        double doubt = t->converged ? tolerances[k] : 2 * t->rate_error;
        assert_true(t->time <= exact * (1 + doubt));
        assert_true(t->lower <= exact && t->free_time <= t->time);
        assert_true(t->violation <= 1e-9);
        check_forces(t, m);
        gdyn_traverse_destroy(t);
    }
}

/* Jerk j only: up for T/4, down for T/2, up for T/4; L = j T^3 / 32. */
static void jerk_alone(void **state) {
    (void)state;
    check_time(&(mass){1, 1, 1, 0, 1000, {50}}, cbrt(32 / 50.0), 3);
    check_time(&(mass){1, 2, 3, 0, 1e4, {50}}, cbrt(32 * 2 * 3 / 50.0), 2);
}

/* Acceleration a is reached after s = a/j: greatest speed a (T/2 - s), L = that times T/2. */
static void jerk_and_force(void **state) {
    (void)state;
    double ramp = 10 / 100.0;
    check_time(&(mass){1, 1, 1, 0, 10, {100}}, ramp + sqrt(ramp * ramp + 4 / 10.0), 2);
}

/* v' = F - b v, p' = v, F' = +j, -j, +j: state at the end for switches at t1, t2 and the end at
 * 2 (t2 - t1), where F is zero again. */
static void at_end(double b, double j, const double t[2], double end[2]) {
    double T[3] = {t[0], t[1] - t[0], t[1] - 2 * t[0]}, F = 0, v = 0, p = 0;
    for (int k = 0; k < 3; k++) {
        double s = T[k], rate = k == 1 ? -j : j, e = exp(-b * s);
        /* v = c e^(-b t) + F/b + rate (t/b - 1/b^2) */
        double c = v - F / b + rate / (b * b);
        p += c * (1 - e) / b + F * s / b + rate * (0.5 * s * s / b - s / (b * b));
        v = c * e + F / b + rate * (s / b - 1 / (b * b));
        F += rate * s;
    }
    end[0] = p, end[1] = v;
}

static void viscous(void **state) {
    (void)state;
    double b = 2, j = 100, t[2], T = cbrt(32 / j);
    t[0] = T / 4, t[1] = 3 * T / 4;
    for (int round = 0; round < 60; round++) { /* Newton's method, differences */
        double f[2], f0[2], f1[2], h = 1e-7 * T;
        at_end(b, j, t, f);
        at_end(b, j, (double[]){t[0] + h, t[1]}, f0);
        at_end(b, j, (double[]){t[0], t[1] + h}, f1);
        double a = (f0[0] - f[0]) / h, c = (f1[0] - f[0]) / h;
        double d = (f0[1] - f[1]) / h, e = (f1[1] - f[1]) / h, det = a * e - c * d;
        t[0] -= ((f[0] - 1) * e - c * f[1]) / det;
        t[1] -= (a * f[1] - d * (f[0] - 1)) / det;
    }
    check_time(&(mass){1, 1, 1, b, 1e4, {j}}, 2 * (t[1] - t[0]), 2);
}

/* Two drives on one mass: their rates add up, the internal force takes up the difference. */
static void two_drives(void **state) {
    (void)state;
    check_time(&(mass){2, 1, 1, 0, 1000, {10, 40}}, cbrt(32 / 50.0), 3);
    check_time(&(mass){2, 1, 1, 0, 1000, {50, 0.5}}, cbrt(32 / 50.5), 2);
}

static void great_rates_do_not_matter(void **state) {
    (void)state;
    gdyn_traverse *t = run_with(&(mass){1, 1, 1, 0, 10, {1e5}}, gdyn_traverse_default());
    assert_true(t->time >= t->free_time && t->time <= t->free_time * (1 + 2e-3));
    gdyn_traverse_destroy(t);
    t = run_with(&(mass){1, 1, 1, 0, 10, {INFINITY}}, gdyn_traverse_default());
    assert_near(t->time, 2 * sqrt(1 / 10.0), 1e-3);
    gdyn_traverse_destroy(t);
}

/* Lengths, forces and both in other units: time is the same, or scaled as it must be. */
static void other_units(void **state) {
    (void)state;
    gdyn_traverse *t = run_with(&(mass){1, 1, 1, 2, 10, {100}}, gdyn_traverse_default());
    double T = t->time;
    gdyn_traverse_destroy(t);
    for (double f = 1e-3; f < 2e3; f *= 1e6) {
        const mass scaled[] = {{1, f, 1, 2, 10 * f, {100 * f}},                  /* metres */
                               {1, 1, f, 2 * f, 10 * f, {100 * f}},              /* newtons */
                               {1, 1, 1, 2 / f, 10 / f / f, {100 / f / f / f}}}; /* seconds */
        for (int k = 0; k < 3; k++) {
            t = run_with(&scaled[k], gdyn_traverse_default());
            assert_near(t->time, k < 2 ? T : f * T, 1e-3 * (k < 2 ? T : f * T)); /* the tolerance */
            gdyn_traverse_destroy(t);
        }
    }
}

/* From speed 1 to rest within a length that leaves little time to take the brake off again. */
static void no_room_for_the_rate(void **state) {
    (void)state;
    gdyn_traverse_settings settings = gdyn_traverse_default();
    settings.start_speed = 1;
    mass m = {1, 0.505, 1, 0, 1, {2}};
    gdyn_traverse *t = run_with(&m, settings);
    assert_int_equal(t->status, GDYN_TRAVERSE_RATE);
    assert_true(isnan(t->time) && t->rate_excess > 0);
    double share = 1 + t->rate_excess;
    gdyn_traverse_destroy(t);
    /* Brake with a = s until v = a^2 / (2 r), then release with r = 2 s in half a second:
     * L = (1 - v^2) / (2 a) + a^3 / (6 r^2) */
    double s = share, v = s / 4;
    assert_near((1 - v * v) / (2 * s) + s / 24, m.length, 1e-3);
    m.limit *= 1.02 * share, m.rate[0] *= 1.02 * share;
    t = run_with(&m, settings);
    assert_int_equal(t->status, GDYN_TRAVERSE_OK);
    gdyn_traverse_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jerk_alone),
        cmocka_unit_test(jerk_and_force),
        cmocka_unit_test(viscous),
        cmocka_unit_test(two_drives),
        cmocka_unit_test(great_rates_do_not_matter),
        cmocka_unit_test(other_units),
        cmocka_unit_test(no_room_for_the_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
