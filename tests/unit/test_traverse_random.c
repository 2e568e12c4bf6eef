/* test_traverse_random.c - 200 random problems with a motion, whose limits are checked from the rows
 * alone between all points of the motion; and 200 without one, whose certificates and smallest
 * relaxations are checked by linear programs over the whole path (GLPK). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "lp/lp.h"
#include "near.h"
#include "traverse_machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 41, ROWS = 5, NUMBERS = 7, WANTED = 200 };
enum { IS_A, IS_B, IS_C, IS_D, IS_MIN, IS_MAX, IS_V };

typedef struct table {
    int points, k, r;
    double p[MOST], number[MOST][NUMBERS][ROWS], fastest;
} table;

static gdyn_traverse *run(table *t, const gdyn_traverse_settings *settings) {
    gdyn_coefficients q[MOST];
    for (int i = 0; i < t->points; i++) {
        double(*n)[ROWS] = t->number[i];
        q[i] = (gdyn_coefficients){.k = t->k,
                                   .r = t->r,
                                   .A = n[IS_A],
                                   .B = n[IS_B],
                                   .C = n[IS_C],
                                   .D = n[IS_D],
                                   .min = n[IS_MIN],
                                   .max = n[IS_MAX],
                                   .V = n[IS_V],
                                   .d1_high = t->fastest,
                                   .d1_high_drive = -1};
    }
    gdyn_supply *supply = gdyn_supply_table(t->points, t->p, q);
    assert_non_null(supply);
    gdyn_traverse *traverse = fastest_motion(supply, settings);
    gdyn_supply_destroy(supply);
    return traverse;
}

/* Smooth rows; limits of their own on both sides. */
static void fill(table *t, gdyn_random *random, double load, bool viscous) {
    for (int row = 0; row < t->k; row++) {
        double c[4][3], low = -gdyn_random_between(random, 0.5, 1.5);
        double high = gdyn_random_between(random, 0.5, 1.5), v = gdyn_random_normal(random);
        for (int j = 0; j < 12; j++) {
            c[j / 3][j % 3] = gdyn_random_normal(random);
        }
        for (int i = 0; i < t->points; i++) {
            double(*n)[ROWS] = t->number[i];
            t->p[i] = (double)i / (t->points - 1);
            for (int j = 0; j < 4; j++) {
                double size = j == IS_B ? (viscous ? 0.5 : 0) : j == IS_C ? load : 1;
                n[j][row] = size * (c[j][0] * sin(3 * t->p[i] + c[j][1]) + 0.3 * c[j][2]);
            }
            n[IS_MIN][row] = low;
            n[IS_MAX][row] = high;
            n[IS_V][row] = v;
        }
    }
}

/* --- motions ------------------------------------------------------------------------------------ */

/* All numbers at p, linear between the points. */
static void numbers_at(const table *t, double p, double out[NUMBERS][ROWS]) {
    int i = 0;
    while (i + 2 < t->points && t->p[i + 1] <= p) {
        i++;
    }
    double f = (p - t->p[i]) / (t->p[i + 1] - t->p[i]);
    for (int j = 0; j < NUMBERS; j++) {
        for (int row = 0; row < t->k; row++) {
            out[j][row] = (1 - f) * t->number[i][j][row] + f * t->number[i + 1][j][row];
        }
    }
}

/* Least share of half ranges by which all limits have to give way for some y (one column of V or
 * none): every pair of limits that y trades between. */
static double violation(const table *t, double p, double x, double u) {
    double n[NUMBERS][ROWS], room[2 * ROWS], half[2 * ROWS], slope[2 * ROWS], worst = -1;
    numbers_at(t, p, n);
    for (int i = 0; i < t->k; i++) {
        double force = n[IS_A][i] * x + n[IS_B][i] * sqrt(x) + n[IS_C][i] + n[IS_D][i] * u;
        room[2 * i] = n[IS_MAX][i] - force;
        room[2 * i + 1] = force - n[IS_MIN][i];
        slope[2 * i] = t->r ? n[IS_V][i] : 0;
        slope[2 * i + 1] = -slope[2 * i];
        half[2 * i] = half[2 * i + 1] = 0.5 * (n[IS_MAX][i] - n[IS_MIN][i]);
    }
    for (int i = 0; i < 2 * t->k; i++) {
        if (slope[i] == 0) {
            worst = fmax(worst, -room[i] / half[i]);
        }
        for (int j = 0; j < 2 * t->k && slope[i] > 0; j++) {
            if (slope[j] < 0) {
                worst = fmax(worst, -(-slope[j] * room[i] + slope[i] * room[j]) /
                                        (-slope[j] * half[i] + slope[i] * half[j]));
            }
        }
    }
    return fmax(worst, isinf(t->fastest) ? -1 : sqrt(x) / t->fastest - 1);
}

/* Greatest violation over the motion: d2 linear between its points, at places that fall between those
 * of the audit too. */
static double worst_of(const table *t, const gdyn_traverse *motion) {
    enum { PARTS = 23 };
    double worst = -1;
    for (int i = 0; i + 1 < motion->points; i++) {
        const gdyn_motion_point *a = &motion->point[i], *b = a + 1;
        double h = b->p - a->p;
        for (int j = 0; j <= PARTS; j++) {
            double f = (double)j / PARTS;
            double u = (1 - f) * a->d2 + f * b->d2_before;
            double x = a->d1 * a->d1 + 2 * h * f * (a->d2 + 0.5 * f * (b->d2_before - a->d2));
            x = j == PARTS ? b->d1 * b->d1 : fmax(0, x);
            worst = fmax(worst, violation(t, a->p + f * h, x, u));
        }
    }
    return worst;
}

/* The time of the motion: Simpson's rule in sqrt(p) and sqrt(1 - p) towards the ends of segments. */
static double time_over(const gdyn_traverse *motion) {
    enum { PANELS = 60 };
    double time = 0;
    for (int i = 0; i + 1 < motion->points; i++) {
        const gdyn_motion_point *a = &motion->point[i], *b = a + 1;
        double h = b->p - a->p, sum = 0;
        for (int j = 0; j <= PANELS; j++) { /* f = s^2 (3 - 2 s) */
            double s = fmin(fmax((double)j / PANELS, 1e-5), 1 - 1e-5), f = s * s * (3 - 2 * s);
            double x = a->d1 * a->d1 + 2 * h * f * (a->d2 + 0.5 * f * (b->d2_before - a->d2));
            sum += (j == 0 || j == PANELS ? 1 : j % 2 ? 4 : 2) * 6 * s * (1 - s) / sqrt(x);
        }
        time += h * sum / PANELS / 3;
    }
    return time;
}

static void motions_keep_their_limits(void **state) {
    (void)state;
    int found = 0, converged = 0;
    double most = -1, between = -1;
    for (uint64_t seed = 0; found < WANTED && seed < 3000; seed++) {
        gdyn_random random = gdyn_random_stream(17, seed, 0);
        table t = {.points = 21, .k = 2 + (int)(seed % 3), .r = (int)(seed / 3 % 2)};
        fill(&t, &random, 0.4, seed % 4 == 3);
        t.fastest = seed % 5 == 4 ? 0.7 : INFINITY;
        gdyn_traverse_settings s = gdyn_traverse_default();
        s.start_speed = seed % 7 == 6 ? NAN : seed % 7 == 5 ? 0.3 : 0;
        s.end_speed = seed % 11 == 6 ? NAN : seed % 11 == 5 ? 0.2 : 0;
        s.periodic = false;
        s.certificate = false;
        s.max_points = 401;
        gdyn_traverse *got = run(&t, &s);
        if (got->status == GDYN_TRAVERSE_OK) {
            found++;
            converged += got->converged;
            most = fmax(most, got->violation);
            double here = worst_of(&t, got);
            if (here > 2e-5 || got->violation > 1e-9 || got->lower > got->upper * (1 + 1e-9)) {
                print_message("# seed %d: audit %g, between %g, bounds %g .. %g, %d points\n",
                              (int)seed, got->violation, here, got->lower, got->upper, got->points);
            }
            between = fmax(between, here);
            assert_near(time_over(got), got->time, 1e-5 * got->time);
        }
        gdyn_traverse_destroy(got);
    }
    print_message("# %d motions, %d converged, violation %.2g in the audit, %.2g between\n", found,
                  converged, most, between);
    assert_int_equal(found, WANTED);
    assert_true(most <= 1e-9);
    assert_true(between <= 2e-5); /* a bulge between an end of a segment and the next tenth of it */
    assert_true(converged >= WANTED * 4 / 5); /* with so few points */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_keep_their_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
