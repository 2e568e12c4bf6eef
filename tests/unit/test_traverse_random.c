/* test_traverse_random.c - random problems with a motion, whose limits are checked from the rows alone
 * between all points of the motion; and as many without one, whose certificates and smallest
 * relaxations are checked by linear programs over the whole path (GLPK). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "lp/lp.h"
#include "near.h"
#include "share.h"
#include "traverse_machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 41, ROWS = 5, NUMBERS = 7 };
#define WANTED gdyn_share(200)
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
                                   .d1_high_window = -1};
    }
    gdyn_path_dynamics *dynamics = gdyn_path_dynamics_table(t->points, t->p, q);
    assert_non_null(dynamics);
    gdyn_traverse *traverse = fastest_motion(dynamics, settings);
    gdyn_path_dynamics_destroy(dynamics);
    return traverse;
}

/* Smooth rows; limits of their own on both sides. */
static void fill(table *t, gdyn_random *random, double load, bool viscous) {
    for (int row = 0; row < t->k; row++) {
        double c[4][3], low = -gdyn_random_between(random, 0.5, 1.5);
        double high = gdyn_random_between(random, 0.5, 1.5), v = gdyn_random_normal(random);
        for (int j = 0; j < 12; j++)
            c[j / 3][j % 3] = gdyn_random_normal(random);
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
    while (i + 2 < t->points && t->p[i + 1] <= p)
        i++;
    double f = (p - t->p[i]) / (t->p[i + 1] - t->p[i]);
    for (int j = 0; j < NUMBERS; j++)
        for (int row = 0; row < t->k; row++)
            out[j][row] = (1 - f) * t->number[i][j][row] + f * t->number[i + 1][j][row];
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
        if (slope[i] == 0)
            worst = fmax(worst, -room[i] / half[i]);
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

/* Coarse numbers, coefficients of degree two in p: many zero-inertia points, several at one place, at
 * the ends, and at points of the table. */
static void fill_coarse(table *t, gdyn_random *random, bool viscous) {
    for (int row = 0; row < t->k; row++) {
        double v = gdyn_random_below(random, 5) - 2, low = -1 - gdyn_random_below(random, 2);
        double high = 1 + gdyn_random_below(random, 2);
        for (int j = 0; j < 4; j++) {
            double size = j == IS_B ? (viscous ? 0.25 : 0) : j == IS_C ? 0.125 : 1;
            int a = gdyn_random_below(random, 7) - 3, b = gdyn_random_below(random, 5) - 2;
            int c = gdyn_random_below(random, 3) - 1;
            for (int i = 0; i < t->points; i++) {
                double p = (double)i / (t->points - 1);
                t->p[i] = p;
                t->number[i][j][row] =
                    size * (a + 4 * b * (p - 0.25) + 4 * c * (p - 0.5) * (p - 0.5));
            }
        }
        for (int i = 0; i < t->points; i++) {
            t->number[i][IS_MIN][row] = low;
            t->number[i][IS_MAX][row] = high;
            t->number[i][IS_V][row] = v != 0 ? v : 1;
        }
    }
}

/* What may be missing between places of the audit: a bulge between an end of a segment and the next
 * tenth of it (met: 5.5e-4). */
static const double BETWEEN = 1e-3;

/* A lower bound on a grid as coarse as the table: no motion may be faster. */
static double lower_on_coarse_grid(table *t, gdyn_traverse_settings s) {
    s.max_points = 2 * t->points;
    s.audit = false;
    gdyn_traverse *coarse = run(t, &s);
    double lower = coarse->status == GDYN_TRAVERSE_OK ? coarse->lower : 0;
    gdyn_traverse_destroy(coarse);
    return lower;
}

/* Random problems of a kind; of how many of WANTED motions the bounds agree, or those of the infimum where no
 * motion is the fastest. d1 <= fastest. */
static int check_motions(bool coarse, double fastest, int points) {
    int found = 0, converged = 0, above = 0;
    double most = -1, between = -1;
    for (uint64_t seed = 0; found < WANTED && seed < 3000; seed++) {
        gdyn_random random = gdyn_random_stream(17, seed, 0);
        table t = {.points = 21, .k = 2 + (int)(seed % 3), .r = (int)(seed / 3 % 2)};
        if (coarse) {
            t.r = seed % 3 > 0;
            t.k = 2 + (int)(seed / 6 % 2);
            fill_coarse(&t, &random, seed % 4 == 3);
        } else {
            fill(&t, &random, 0.4, seed % 4 == 3);
        }
        t.fastest = seed % 5 == 4 ? 0.7 : fastest;
        gdyn_traverse_settings s = gdyn_traverse_default();
        s.start_speed = seed % 7 == 6 ? NAN : seed % 7 == 5 ? 0.3 : 0;
        s.end_speed = seed % 11 == 6 ? NAN : seed % 11 == 5 ? 0.2 : 0;
        s.periodic = false;
        s.certificate = false;
        s.max_points = points;
        gdyn_traverse *got = run(&t, &s);
        if (got->status == GDYN_TRAVERSE_OK) {
            found++;
            bool told = got->leaps > 0 && got->infimum[0] <= got->infimum[1] * (1 + 1e-9) &&
                        got->infimum[1] <= (1 + s.tolerance) * got->infimum[0];
            converged += got->converged || told;
            if (!got->converged && !told) {
                print_message("# seed %d: bounds %.9g .. %.9g do not agree\n", (int)seed,
                              got->lower, got->upper);
            }
            most = fmax(most, got->violation);
            double here = worst_of(&t, got);
            if (here > BETWEEN || got->violation > 1e-9 || got->lower > got->upper * (1 + 1e-9)) {
                print_message("# seed %d: audit %g, between %g, bounds %g .. %g, %d points\n",
                              (int)seed, got->violation, here, got->lower, got->upper, got->points);
            }
            between = fmax(between, here);
            assert_near(time_over(got), got->time, 1e-5 * got->time);
            double lower = lower_on_coarse_grid(&t, s);
            double upper = got->leaps > 0 ? got->infimum[1] : got->upper;
            above += lower > upper * (1 + 1e-9);
            if (lower > upper * (1 + 1e-9)) {
                print_message("# seed %d: lower bound %.10g on a coarse grid, time %.10g\n",
                              (int)seed, lower, got->upper);
            }
        }
        gdyn_traverse_destroy(got);
    }
    print_message("# %d motions, %d converged, violation %.2g in the audit, %.2g between\n", found,
                  converged, most, between);
    assert_int_equal(found, WANTED);
    assert_int_equal(above, 0);
    assert_true(most <= 1e-9);
    assert_true(between <=
                BETWEEN); /* a bulge between an end of a segment and the next tenth of it */
    return converged;
}

static void motions_keep_their_limits(void **state) {
    (void)state;
    /* d1 has no limit in some, and d2 none at a zero-inertia point: every d1 can be reached behind it, and
     * no motion is the fastest (docs/traverse.md) */
    assert_int_equal(check_motions(false, INFINITY, 2001), WANTED);
}

static void bounds_meet(void **state) {
    (void)state;
    assert_int_equal(check_motions(false, 3, 2001), WANTED);
    assert_int_equal(check_motions(true, 3, 2001), WANTED);
}

/* --- certificates ------------------------------------------------------------------------------- */

/* What of the problem the linear programs look at. */
typedef struct view {
    double relax;              /* all limits give way by this share of half their range */
    const gdyn_traverse *only; /* at its place .. place_end only the certificate's limits hold */
} view;

/* A limit at point i; INFINITY where it does not hold. */
static double limit_of(const table *t, const view *v, int i, int row, int side) {
    double half = 0.5 * (t->number[i][IS_MAX][row] - t->number[i][IS_MIN][row]);
    double limit = t->number[i][side > 0 ? IS_MAX : IS_MIN][row] + side * v->relax * half;
    bool named = !v->only || t->p[i] < v->only->place || t->p[i] > v->only->place_end;
    for (int c = 0; !named && c < v->only->certificate.count; c++)
        named = gdyn_limit_same(v->only->certificate.limit[c], gdyn_limit_force(row, side));
    return named ? limit : side * (double)INFINITY;
}

/* A linear program with that many rows and columns, built from entries. */
typedef struct program {
    gdyn_lp *lp;
    double *M;
    int rows, cols;
} program;

static program program_of(int rows, int cols) {
    program g = {gdyn_lp_create(rows, cols), NULL, rows, cols};
    g.M = calloc((size_t)rows * (size_t)cols, sizeof *g.M);
    assert_non_null(g.lp);
    assert_non_null(g.M);
    return g;
}

static void entry(program *g, int row, int col, double value) {
    g->M[(size_t)col * (size_t)g->rows + (size_t)row] = value;
}

static bool feasible(program *g) {
    gdyn_lp_status outcome;
    assert_int_equal(gdyn_lp_solve(g->lp, false, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
    gdyn_lp_destroy(g->lp);
    free(g->M);
    return outcome != GDYN_LP_INFEASIBLE;
}

/* Rows of point i in x, u, y (three columns, the first one given for each). */
static void put_rows(program *g, const table *t, int i, int first_row, int x, int u) {
    for (int row = 0; row < t->k; row++) {
        entry(g, first_row + row, x, t->number[i][IS_A][row]);
        entry(g, first_row + row, u, t->number[i][IS_D][row]);
        if (t->r)
            entry(g, first_row + row, u + 1, t->number[i][IS_V][row]);
    }
}

static void set_rows(program *g, const table *t, const view *v, int i, int first_row) {
    for (int row = 0; row < t->k; row++) {
        double C = t->number[i][IS_C][row];
        gdyn_lp_row(g->lp, first_row + row, limit_of(t, v, i, row, -1) - C,
                    limit_of(t, v, i, row, 1) - C);
    }
}

/* Least and greatest x of point i with limits relaxed; false when there is none. */
static bool range_of_x(const table *t, const view *v, int i, double *low, double *high) {
    for (int most = 0; most < 2; most++) {
        gdyn_lp_status outcome;
        program g = program_of(t->k, 3);
        put_rows(&g, t, i, 0, 0, 1);
        assert_int_equal(gdyn_lp_load(g.lp, t->k, 3, g.M, t->k), GDYN_OK);
        set_rows(&g, t, v, i, 0);
        gdyn_lp_column(g.lp, 0, 0, 1e6);
        gdyn_lp_objective(g.lp, 0, 1);
        assert_int_equal(gdyn_lp_solve(g.lp, most, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
        *(most ? high : low) = outcome == GDYN_LP_OPTIMAL ? gdyn_lp_x(g.lp, 0) : 0;
        gdyn_lp_destroy(g.lp);
        free(g.M);
        if (outcome == GDYN_LP_INFEASIBLE)
            return false;
    }
    return true;
}

/* Is there a motion from rest to rest with d2 linear between the points? x > 0 in between; x at both
 * ends of a segment, d2 there, and the Bezier ordinate m between what both regions allow. */
static bool motion_exists(const table *t, const view *v) {
    int n = t->points, k = t->k, per = 5; /* columns: x, arriving u, y, departing u, y */
    program g = program_of(2 * k * n + 2 * (n - 1), per * n);
    double low[MOST], high[MOST];
    for (int i = 0; i < n; i++) {
        put_rows(&g, t, i, 2 * k * i, per * i, per * i + 1);
        put_rows(&g, t, i, 2 * k * i + k, per * i, per * i + 3);
    }
    for (int i = 0; i + 1 < n; i++) { /* m = x + h u = x' - h u' */
        int row = 2 * k * n + 2 * i;
        double h = t->p[i + 1] - t->p[i];
        entry(&g, row, per * i, 1);
        entry(&g, row, per * i + 3, h);
        entry(&g, row, per * (i + 1), -1);
        entry(&g, row, per * (i + 1) + 1, h);
        entry(&g, row + 1, per * i, 1);
        entry(&g, row + 1, per * i + 3, h);
    }
    assert_int_equal(gdyn_lp_load(g.lp, g.rows, g.cols, g.M, g.rows), GDYN_OK);
    bool open = true;
    for (int i = 0; i < n; i++) {
        set_rows(&g, t, v, i, 2 * k * i);
        set_rows(&g, t, v, i, 2 * k * i + k);
        for (int row = 0; row < k;
             row++) { /* nothing arrives at the start, nothing leaves the end */
            int free_row = 2 * k * i + row + (i > 0 ? k : 0);
            if (i == 0 || i == n - 1)
                gdyn_lp_row(g.lp, free_row, -INFINITY, INFINITY);
        }
        for (int j = 0; j < per; j++)
            gdyn_lp_column(g.lp, per * i + j, -INFINITY, INFINITY);
        bool end = i == 0 || i == n - 1;
        gdyn_lp_column(g.lp, per * i, end ? 0 : 1e-9, end ? 0 : INFINITY);
        open = range_of_x(t, v, i, &low[i], &high[i]) && open;
    }
    for (int i = 0; i + 1 < n && open; i++) {
        gdyn_lp_row(g.lp, 2 * k * n + 2 * i, 0, 0);
        gdyn_lp_row(g.lp, 2 * k * n + 2 * i + 1, 0.5 * (low[i] + low[i + 1]),
                    0.5 * (high[i] + high[i + 1]));
    }
    return feasible(&g) && open;
}

static void certificates_hold(void **state) {
    (void)state;
    gdyn_traverse_settings s = gdyn_traverse_default();
    s.bounds = s.audit = false; /* the table's points are the grid */
    int refused = 0, kinds[7] = {0}, wrong = 0, early = 0, late = 0, proofs = 0, asked = 0;
    for (uint64_t seed = 0; refused < WANTED && seed < 3000; seed++) {
        gdyn_random random = gdyn_random_stream(23, seed, 0);
        table t = {.points = 9, .k = 2 + (int)(seed % 3), .r = (int)(seed / 3 % 2)};
        t.fastest = INFINITY;
        fill(&t, &random, 1, false);
        gdyn_traverse *got = run(&t, &s);
        bool yes = motion_exists(&t, &(view){0, NULL});
        wrong += yes != (got->status == GDYN_TRAVERSE_OK);
        if (got->status != GDYN_TRAVERSE_OK && isfinite(got->relaxation)) {
            double r = got->relaxation;
            refused++;
            kinds[got->status]++;
            bool more = motion_exists(&t, &(view){r * (1 + 1e-4) + 1e-7, NULL});
            bool less = motion_exists(&t, &(view){r * (1 - 1e-4) - 1e-7, NULL});
            late += !more;
            early += less;
            if (got->certificate.count > 0) {
                asked++;
                proofs += !motion_exists(&t, &(view){0, got});
            }
            if (!more || yes || (got->status == GDYN_TRAVERSE_BLOCKED && !got->certificate.count)) {
                print_message("# seed %d: %s at %g, relaxation %g, %d limits named%s%s\n",
                              (int)seed, gdyn_traverse_status_name(got->status), got->place, r,
                              got->certificate.count, yes ? ", is possible" : "",
                              more ? "" : ", more is not enough");
            }
        }
        gdyn_traverse_destroy(got);
    }
    print_message("# %d refused (%d empty, %d blocked, %d start, %d rest), %d wrong, %d early, %d "
                  "late; %d of %d "
                  "certificates are proofs\n",
                  refused, kinds[2], kinds[4], kinds[5], kinds[6], wrong, early, late, proofs,
                  asked);
    assert_int_equal(refused, WANTED);
    assert_int_equal(wrong, 0);
    assert_int_equal(late, 0);
    assert_true(early <= WANTED / 20); /* where d2 is unbounded beside a place it is held back */
    assert_int_equal(asked, refused);  /* every one names limits */
    assert_int_equal(proofs, asked);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_keep_their_limits),
        cmocka_unit_test(bounds_meet),
        cmocka_unit_test(certificates_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
