/* test_traverse_smooth.c - evened-out forces against closed forms and a bound by linear programs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "lp/lp.h"
#include "near.h"
#include "traverse/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 2002, K = 5, R = 2, RANDOM_POINTS = 60 };

/* --- two drives, one mass: n1 - n2 is what the mass needs, both together is free ---------------- */

static gdyn_smooth_place place[POINTS];
static double wanted[POINTS][2], found[POINTS][2];
static const double both[2] = {3, 3}, none[2] = {-INFINITY, -INFINITY};

/* Wanted is (1, -1) before the middle of 0..2 s and (2, 0) behind it: n1 - n2 stays 2. */
static void step_in_preload(int count, const double *high, double tau, gdyn_smooth_info *info) {
    static const double unit[2] = {1, 1};
    for (int i = 0; i < count; i++) {
        double raised = 2 * i < count - 1 ? 0 : 1;
        for (int k = 0; k < 2; k++) {
            wanted[i][k] = (k ? -1 : 1) + raised;
            found[i][k] = (k ? -1 : 1);
        }
        place[i] =
            (gdyn_smooth_place){2.0 * i / (count - 1), 2, 1, both, none, high, wanted[i], found[i]};
    }
    assert_int_equal(gdyn_smooth(count, place, 2, unit, tau, info), GDYN_OK);
    assert_true(info->converged);
    for (int i = 0; i < count; i++)
        assert_near(found[i][0] - found[i][1], 2, 1e-12);
}

/* y - tau^2 y'' = 0 before, 1 behind the step, y' = 0 at the ends: y = cosh(t/tau) / 2 cosh(1/tau). The
 * scheme is of second order in the step. */
static void a_step_is_filtered(void **state) {
    (void)state;
    const double free[2] = {INFINITY, INFINITY}, tau = 0.3;
    double error[2] = {0, 0};
    gdyn_smooth_info info;
    for (int round = 0; round < 2; round++) {
        int count = round ? POINTS : POINTS / 2 + 1;
        step_in_preload(count, free, tau, &info);
        assert_true(info.after < 0.01 * info.before);
        for (int i = 0; 2 * i < count - 1; i++) {
            double y = 0.5 * cosh(place[i].t / tau) / cosh(1 / tau);
            error[round] = fmax(error[round], fabs(found[i][0] - 1 - y));
            assert_near(found[count - 1 - i][0] - 1, 1 - (found[i][0] - 1), 1e-9);
        }
    }
    double h = 2.0 / (POINTS - 1);
    assert_true(error[1] < h * h / (tau * tau)); /* (h/tau)^2 / 24 of y and the like */
    assert_true(error[0] / error[1] > 3.5 && error[0] / error[1] < 4.5);
}

/* With y <= c the forces rest on the limit behind a place t*, which they reach with the slope zero:
 * y = 1 - (1 - c) cosh((t* - t)/tau) between the step and t*. */
static void a_limit_is_kept(void **state) {
    (void)state;
    const double c = 0.55, high[2] = {1 + c, INFINITY}, tau = 0.3;
    gdyn_smooth_info info;
    step_in_preload(POINTS, high, tau, &info);
    double low = 0, up = 1;
    for (int i = 0; i < 100; i++) { /* slopes on both sides of the step, divided by values */
        double d = 0.5 * (low + up), left = 1 - (1 - c) * cosh(d / tau);
        *(left * tanh(1 / tau) > (1 - c) * sinh(d / tau) ? &low : &up) = d;
    }
    for (int i = 0; i < POINTS; i++) {
        double t = place[i].t, left = 1 - (1 - c) * cosh(low / tau);
        double y = t < 1         ? left * cosh(t / tau) / cosh(1 / tau)
                   : t < 1 + low ? 1 - (1 - c) * cosh((1 + low - t) / tau)
                                 : c;
        assert_true(found[i][0] <= 1 + c);
        assert_near(found[i][0] - 1, y, 1e-5); /* (h/tau)^2 = 1.1e-5 */
    }
}

/* --- random motions ------------------------------------------------------------------------------ */

typedef struct motion {
    gdyn_smooth_place place[RANDOM_POINTS];
    double V[RANDOM_POINTS][K * R], low[RANDOM_POINTS][K], high[RANDOM_POINTS][K];
    double wanted[RANDOM_POINTS][K], n[RANDOM_POINTS][K], unit[K];
} motion;

/* The forces of some places have no room in one or two rows. */
static void make_motion(motion *m, gdyn_random *rng) {
    double t = 0;
    for (int k = 0; k < K; k++)
        m->unit[k] = pow(10, gdyn_random_uniform(rng) * 4 - 2);
    for (int i = 0; i < RANDOM_POINTS; i++) {
        t += 0.001 + 0.1 * gdyn_random_uniform(rng) * gdyn_random_uniform(rng);
        double y[R] = {gdyn_random_uniform(rng) - 0.5, gdyn_random_uniform(rng) - 0.5};
        for (int k = 0; k < K; k++) {
            double unit = m->unit[k], move = 0;
            for (int r = 0; r < R; r++) {
                m->V[i][r * K + k] = unit * (gdyn_random_uniform(rng) - 0.5);
                move += m->V[i][r * K + k] * y[r];
            }
            m->n[i][k] = unit * (gdyn_random_uniform(rng) - 0.5);
            bool tight = (i % 7 == 3 && k == 0) || (i % 11 == 5 && k < 2);
            double below = tight ? 0 : unit * gdyn_random_uniform(rng);
            double above = tight ? 0 : k == 3 ? INFINITY : unit * gdyn_random_uniform(rng);
            m->low[i][k] = m->n[i][k] - below;
            m->high[i][k] = m->n[i][k] + above;
            m->wanted[i][k] = m->n[i][k] + move; /* need not keep the limits */
        }
        m->place[i] =
            (gdyn_smooth_place){t, K, R, m->V[i], m->low[i], m->high[i], m->wanted[i], m->n[i]};
    }
}

/* Slope of the objective by n at one place, in units. */
static void slope(const motion *m, int i, double tau, double *s) {
    double before = i > 0 ? m->place[i].t - m->place[i - 1].t : 0;
    double behind = i + 1 < RANDOM_POINTS ? m->place[i + 1].t - m->place[i].t : 0;
    for (int k = 0; k < K; k++) {
        double u = m->unit[k], n = m->n[i][k];
        s[k] = (before + behind) * (n - m->wanted[i][k]) / u;
        s[k] += before > 0 ? 2 * tau * tau / before * (n - m->n[i - 1][k]) / u : 0;
        s[k] += behind > 0 ? 2 * tau * tau / behind * (n - m->n[i + 1][k]) / u : 0;
    }
}

static double objective(const motion *m, double tau) {
    double sum = 0;
    for (int i = 0; i < RANDOM_POINTS; i++) {
        double s[K];
        slope(m, i, 0, s);
        for (int k = 0; k < K; k++) {
            sum += 0.5 * s[k] * (m->n[i][k] - m->wanted[i][k]) / m->unit[k];
            double dt = i ? m->place[i].t - m->place[i - 1].t : 0;
            double d = i ? (m->n[i][k] - m->n[i - 1][k]) / m->unit[k] : 0;
            sum += i ? tau * tau * d * d / dt : 0;
        }
    }
    return sum;
}

/* How much the objective could fall at most: it is convex, so that it lies above its tangent, whose
 * least value over the limits is a linear program for every place. */
static double could_fall(const motion *m, double tau) {
    gdyn_lp *lp = gdyn_lp_create(K, R);
    double sum = 0;
    for (int i = 0; i < RANDOM_POINTS; i++) {
        double A[K * R], s[K];
        gdyn_lp_status outcome;
        for (int j = 0; j < K * R; j++)
            A[j] = m->V[i][j] / m->unit[j % K];
        assert_int_equal(gdyn_lp_load(lp, K, R, A, K), GDYN_OK);
        slope(m, i, tau, s);
        for (int r = 0; r < R; r++) {
            double c = 0;
            for (int k = 0; k < K; k++)
                c += s[k] * A[r * K + k];
            gdyn_lp_objective(lp, r, c);
        }
        for (int k = 0; k < K; k++) {
            gdyn_lp_row(lp, k, fmin((m->low[i][k] - m->n[i][k]) / m->unit[k], 0),
                        fmax((m->high[i][k] - m->n[i][k]) / m->unit[k], 0));
        }
        assert_int_equal(gdyn_lp_solve(lp, false, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
        assert_int_equal(outcome, GDYN_LP_OPTIMAL);
        sum -= gdyn_lp_value(lp);
    }
    gdyn_lp_destroy(lp);
    return sum;
}

static void random_motions_are_optimal(void **state) {
    (void)state;
    static motion m, start;
    for (int trial = 0; trial < 100; trial++) {
        gdyn_random rng = gdyn_random_stream(7, (uint64_t)trial, 1);
        gdyn_smooth_info info;
        double tau = pow(10, gdyn_random_uniform(&rng) * 4 - 3);
        make_motion(&m, &rng);
        memcpy(&start, &m, sizeof start);
        assert_int_equal(gdyn_smooth(RANDOM_POINTS, m.place, K, m.unit, tau, &info), GDYN_OK);
        assert_true(info.converged);
        for (int i = 0; i < RANDOM_POINTS; i++) {
            for (int k = 0; k < K; k++) {
                double slack = 1e-12 * m.unit[k];
                assert_true(m.n[i][k] >= m.low[i][k] - slack);
                assert_true(m.n[i][k] <= m.high[i][k] + slack);
            }
        }
        double all = objective(&m, tau);
        assert_true(all <= objective(&start, tau));
        assert_true(could_fall(&m, tau) <= 1e-8 * all); /* found: 4e-10 */
    }
}

/* A mass that starts and stops with 8 MN between places without force, three drives: two have no
 * limits, one a lower limit of 5 N. The two, whose wanted forces agree, have the same forces at the
 * optimum wherever the search began. */
static void limits_on_one_side(void **state) {
    (void)state;
    enum { COUNT = 200 };
    static gdyn_smooth_place at[COUNT];
    static double w[COUNT][3], n[COUNT][3];
    static const double V[6] = {1, -1, 0, 1, 1, -2}, unit[3] = {5, 5, 5};
    static const double low[3] = {-INFINITY, -INFINITY, -5},
                        high[3] = {INFINITY, INFINITY, INFINITY};
    for (int i = 0; i < COUNT; i++) {
        double sum = i == 0 ? 8e6 : i == COUNT - 1 ? -8e6 : 0;
        double last = fmax(sum / 3, -5), start = sum > 0 ? last : sum < 0 ? 0 : 5;
        for (int k = 0; k < 3; k++) {
            w[i][k] = k == 2 ? last : 0.5 * (sum - last);
            n[i][k] = k == 2 ? start : 0.5 * (sum - start) + (k ? 1.16 : -1.16);
        }
        at[i] = (gdyn_smooth_place){1e-4 * i, 3, 2, V, low, high, w[i], n[i]};
    }
    gdyn_smooth_info info;
    assert_int_equal(gdyn_smooth(COUNT, at, 3, unit, 5e-3, &info), GDYN_OK);
    assert_true(info.converged && info.after < info.before);
    for (int i = 0; i < COUNT; i++) {
        double sum = i == 0 ? 8e6 : i == COUNT - 1 ? -8e6 : 0;
        assert_true(n[i][2] >= -5 && fabs(n[i][0] + n[i][1] + n[i][2] - sum) < 1e-6);
        assert_near(n[i][0], n[i][1], 1);
    }
}

/* Nothing to choose, places that are not known, no time: the forces wanted remain. */
static void nothing_to_choose(void **state) {
    (void)state;
    double w[3] = {1, 5, 2}, n[3] = {1, 5, 2}, low = -9, high = 9, unit = 1;
    gdyn_smooth_info info;
    gdyn_smooth_place p[3] = {{0, 1, 0, NULL, &low, &high, &w[0], &n[0]},
                              {1, 0, 0, NULL, &low, &high, &w[1], &n[1]},
                              {1, 1, 0, NULL, &low, &high, &w[2], &n[2]}};
    assert_int_equal(gdyn_smooth(3, p, 1, &unit, 0.1, &info), GDYN_OK);
    assert_true(info.converged);
    assert_near(n[0], 1, 0);
    assert_near(n[2], 2, 0);
    assert_int_equal(gdyn_smooth(0, p, 1, &unit, 0.1, &info), GDYN_ERROR_ARGUMENT);
    assert_int_equal(gdyn_smooth(3, p, 1, &unit, NAN, &info), GDYN_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_is_filtered),         cmocka_unit_test(a_limit_is_kept),
        cmocka_unit_test(random_motions_are_optimal), cmocka_unit_test(limits_on_one_side),
        cmocka_unit_test(nothing_to_choose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
