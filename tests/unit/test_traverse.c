/* test_traverse.c - the fastest motion against closed forms, a published example, an independent
 * dynamic program on a fine mesh of speeds, linear programs, and itself in other units. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "casefile/casefile.h"
#include "lp/lp.h"
#include "traverse/traverse.h"
#include "near.h"
#include "share.h"
#include "traverse_machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 1001, ROWS = 4 };
#define FEASIBLE   gdyn_share(200)
#define INFEASIBLE gdyn_share(100)

/* A table whose rows have V = 0 or one column. */
typedef struct table {
    int points, k, r;
    double p[POINTS_MAX];
    double number[POINTS_MAX][7][ROWS]; /* A, B, C, D, min, max, V */
    gdyn_coefficients q[POINTS_MAX];
} table;

static table shared;

static table *table_begin(int points, double length, int k, int r) {
    table *t = &shared;
    memset(t, 0, sizeof *t);
    t->points = points;
    t->k = k;
    t->r = r;
    for (int i = 0; i < points; i++) {
        t->p[i] = length * i / (points - 1);
        t->q[i] = coefficients_in(t->number[i][0], ROWS, k, r);
    }
    return t;
}

static void set_row(table *t, int i, int row, double A, double B, double C, double D,
                    double limit) {
    double value[6] = {A, B, C, D, -limit, limit};
    for (int j = 0; j < 6; j++)
        t->number[i][j][row] = value[j];
}

/* One drive with constant coefficients. */
static table *one_drive(int points, double length, double A, double B, double C, double limit) {
    table *t = table_begin(points, length, 1, 0);
    for (int i = 0; i < points; i++)
        set_row(t, i, 0, A, B, C, 1, limit);
    return t;
}

static gdyn_traverse *run(const table *t, const gdyn_traverse_settings *settings) {
    gdyn_path_dynamics *dynamics = gdyn_path_dynamics_table(t->points, t->p, t->q);
    gdyn_traverse *traverse = gdyn_traverse_create();
    assert_non_null(dynamics);
    assert_non_null(traverse);
    assert_int_equal(gdyn_traverse_run(traverse, dynamics, settings), GDYN_OK);
    gdyn_path_dynamics_destroy(dynamics);
    return traverse;
}

/* The motion exists, its time lies in its bounds, and the audit found nothing. */
static void check_motion(const gdyn_traverse *t) {
    assert_int_equal(t->status, GDYN_TRAVERSE_OK);
    assert_true(t->lower <= t->upper * (1 + 1e-9));
    assert_true(t->violation <= 1e-9);
    assert_true(t->audits >= 10 * (t->points - 1));
}

static double time_of(const table *t, const gdyn_traverse_settings *settings) {
    gdyn_traverse *traverse = run(t, settings);
    check_motion(traverse);
    double time = traverse->time;
    gdyn_traverse_destroy(traverse);
    return time;
}

static void bang_bang_exactly(void **state) {
    (void)state;
    static const int points[] = {2, 3, 50, 51, 200, 1000, 1001};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        assert_near(time_of(one_drive(points[i], 1, 0, 0, 0, 100), NULL), 0.2,
                    1e-12 + 1e-15 * points[i]);
        assert_near(time_of(one_drive(points[i], 1e-4, 0, 0, 0, 100), NULL), 0.002,
                    1e-14 + 1e-17 * points[i]);
    }
}

/* Constant load c: up at F - c, down at F + c; v^2/2 (1/(F-c) + 1/(F+c)) = 1. */
static void with_gravity(void **state) {
    (void)state;
    double F = 100, c = 90, up = F - c, down = F + c;
    double v = sqrt(2 / (1 / up + 1 / down));
    assert_near(time_of(one_drive(50, 1, 0, 0, c, F), NULL), v / up + v / down, 1e-12);
}

/* A speed limit: trapezoid; free ends: the whole path at full speed. */
static void speed_limits_and_ends(void **state) {
    (void)state;
    gdyn_traverse_settings s = gdyn_traverse_default();
    table *t = one_drive(51, 1, 0, 0, 0, 100);
    for (int i = 0; i < t->points; i++)
        t->q[i].d1_high = 5;
    assert_near(time_of(t, NULL), 1 / 5.0 + 5 / 100.0, 1e-12);
    s.start_speed = s.end_speed = NAN;
    assert_near(time_of(t, &s), 0.2, 1e-12);
    s.periodic = true;
    assert_near(time_of(t, &s), 0.2, 1e-12);
    s = gdyn_traverse_default();
    s.start_speed = 3;
    s.end_speed = 1;
    double exact = 2.0 / 100 + 4.0 / 100 + (1 - (25 - 9) / 200.0 - (25 - 1) / 200.0) / 5;
    assert_near(time_of(t, &s), exact, 1e-12);
}

/* n = d2 + b d1: exponentials; the times add up by bisection over the switching time. */
static double viscous_time(double b, double F, double length) {
    double low = 0, high = 1e3, total = 0;
    for (int i = 0; i < 200; i++) {
        double t = 0.5 * (low + high), v = F / b * -expm1(-b * t);
        double s = F / b * (t + expm1(-b * t) / b), back = log1p(b * v / F) / b;
        s += -F / b * back - (v + F / b) * expm1(-b * back) / b;
        total = t + back;
        if (s < length)
            low = t;
        else
            high = t;
    }
    return total;
}

static void with_viscous_friction(void **state) {
    (void)state;
    gdyn_traverse_settings s = gdyn_traverse_default();
    s.max_points = 801;
    for (int i = 0; i < 2; i++) {
        double b = i ? 10 : 1, exact = viscous_time(b, 1, 1);
        gdyn_traverse *t = run(one_drive(101, 1, 0, b, 0, 1), &s);
        check_motion(t);
        assert_true(t->lower <= exact && exact <= t->upper);
        assert_near(t->upper, exact, 2e-3 * exact);
        gdyn_traverse_destroy(t);
    }
}

/* u = 1 - x up, -1 - x down: exact order of the scheme is two. */
static void second_order(void **state) {
    (void)state;
    gdyn_traverse_settings s = gdyn_traverse_default();
    s.max_points = 3;
    double before = 0, time[4];
    for (int i = 0; i < 4; i++) {
        gdyn_traverse *t = run(one_drive((50 << i) + 1, 1, 1, 0, 0, 1), &s);
        check_motion(t);
        time[i] = t->time;
        before = i > 0 ? fmax(before, t->lower) : t->lower;
        gdyn_traverse_destroy(t);
    }
    assert_true(time[3] >= before);
    assert_in_range((int)round(10 * (time[0] - time[1]) / (time[1] - time[2])), 30, 50);
    assert_in_range((int)round(10 * (time[1] - time[2]) / (time[2] - time[3])), 30, 50);
}

/* Two drives, one redundant: coefficients that change along the path. */
static table *wavy(int points, double stretch, double force) {
    table *t = table_begin(points, stretch, 3, 1);
    for (int i = 0; i < points; i++) {
        double p = t->p[i] / stretch, s = 1 / stretch;
        for (int row = 0; row < 3; row++) {
            double phase = 2 * p + 2.1 * row;
            set_row(t, i, row, force * s * s * 3 * sin(phase), 0, force * 0.4 * cos(3 * phase),
                    force * s * (0.3 + cos(phase)), force * (1 + 0.2 * row));
            t->number[i][6][row] = row - 0.7;
        }
    }
    return t;
}

static void scale_invariance(void **state) {
    (void)state;
    double time = time_of(wavy(101, 1, 1), NULL);
    static const double scale[] = {1e-3, 1, 1e3};
    for (int i = 0; i < 9; i++)
        assert_near(time_of(wavy(101, scale[i / 3], scale[i % 3]), NULL), time, 1e-7 * time);
}

static void grid_independence(void **state) {
    (void)state;
    static const int points[] = {50, 200, 1000};
    double lower = 0, upper = INFINITY;
    for (int i = 0; i < 3; i++) {
        gdyn_traverse *t = run(one_drive(points[i], 1, 0.7, 0, 0.3, 1), NULL);
        check_motion(t);
        assert_true(t->converged);
        lower = fmax(lower, t->lower);
        upper = fmin(upper, t->upper);
        gdyn_traverse_destroy(t);
    }
    assert_true(lower <= upper * (1 + 1e-9));
}

static void degenerate_points(void **state) {
    (void)state;
    table *t = one_drive(51, 1, 0, 0, 0, 100);
    t->p[10] = t->p[9];          /* a point twice */
    t->p[20] = t->p[19] + 1e-14; /* and nearly so */
    assert_near(time_of(t, NULL), 0.2, 1e-12);
    t = one_drive(51, 1, 0.01, 0, 0, 100);
    set_row(t, 25, 0, 0.01, 0, 0, 0, 100); /* w^T D = 0 at a point: a bound on d1 only */
    gdyn_traverse *got = run(t, NULL);
    check_motion(got);
    gdyn_traverse_destroy(got);
}

/* Motion only between two speeds in the middle of the path: 1 <= d1 (gravity and A hold each other). */
static void island(void **state) {
    (void)state;
    table *t = table_begin(51, 1, 2, 0);
    for (int i = 0; i < t->points; i++) {
        bool middle = t->p[i] > 0.4 && t->p[i] < 0.6;
        set_row(t, i, 0, 0, 0, 0, 1, 10);
        /* |d1^2 - 4| <= 1 in the middle: nothing at rest is accessible there */
        set_row(t, i, 1, middle ? 1 : 0, 0, middle ? -2.5 : 0, 0, 1);
    }
    gdyn_traverse *got = run(t, NULL);
    check_motion(got);
    for (int i = 0; i < got->points; i++) {
        if (got->point[i].p > 0.42 && got->point[i].p < 0.58) {
            assert_true(got->point[i].d1 >= sqrt(1.5) - 1e-9);
            assert_true(got->point[i].d1 <= sqrt(3.5) + 1e-9);
        }
    }
    gdyn_traverse_destroy(got);
}

static void no_motion(void **state) {
    (void)state;
    gdyn_traverse_settings s = gdyn_traverse_default();
    gdyn_traverse *t = run(one_drive(51, 1, 0, 0, 110, 100), NULL);
    assert_int_equal(t->status, GDYN_TRAVERSE_START);
    assert_near(t->relaxation, 0.1, 1e-6);
    gdyn_traverse_destroy(t);
    s.start_speed = 20; /* v^2 = 2 u: 200 instead of 100 */
    t = run(one_drive(51, 1, 0, 0, 0, 100), &s);
    assert_int_equal(t->status, GDYN_TRAVERSE_START);
    assert_near(t->relaxation, 1, 1e-6);
    assert_near(t->start_high, sqrt(200), 1e-6);
    gdyn_traverse_destroy(t);
}

/* --- an independent dynamic program ----------------------------------------------------------- */

/* Least time over a mesh of squared speeds, constant d2 per step, limits at the middle of the step. */
static double dynamic_program(const table *t, int speeds, double x_top) {
    static double cost[2][2001];
    int now = 0;
    for (int j = 0; j <= speeds; j++)
        cost[0][j] = j ? INFINITY : 0;
    for (int i = t->points - 2; i >= 0; i--, now = !now) {
        double h = t->p[i + 1] - t->p[i];
        for (int j = 0; j <= speeds; j++) {
            double best = INFINITY, x = x_top * j / speeds;
            for (int e = 0; e <= speeds; e++) {
                double y = x_top * e / speeds, u = (y - x) / (2 * h), m = 0.5 * (x + y);
                bool ok = j + e > 0 && isfinite(cost[now][e]);
                for (int row = 0; ok && row < t->k; row++) {
                    const double *A = t->number[i][0], *B = t->number[i + 1][0];
                    const double *C = t->number[i][2], *E = t->number[i + 1][2];
                    const double *D = t->number[i][3], *F = t->number[i + 1][3];
                    double n =
                        0.5 * ((A[row] + B[row]) * m + C[row] + E[row] + (D[row] + F[row]) * u);
                    ok = fabs(n) <= t->number[i][5][row];
                }
                if (ok)
                    best = fmin(best, cost[now][e] + 2 * h / (sqrt(x) + sqrt(y)));
            }
            cost[!now][j] = best;
        }
    }
    return cost[now][0];
}

static void against_dynamic_program(void **state) {
    (void)state;
    table *t = table_begin(41, 1, 2, 0);
    for (int i = 0; i < t->points; i++) {
        double p = t->p[i];
        set_row(t, i, 0, sin(5 * p), 0, 0.3 * cos(4 * p), 1 + 0.4 * sin(3 * p), 1);
        set_row(t, i, 1, 2 * cos(7 * p), 0, 0, 0.2, 1.2);
    }
    gdyn_traverse *got = run(t, NULL);
    check_motion(got);
    /* the mesh of 800 speeds leaves d2 uncertain by x_top/(800 2 h) of about 1: some percent */
    double mesh = dynamic_program(t, 800, 1.2);
    assert_near(got->time, mesh, 0.03 * mesh);
    assert_true(mesh >= got->lower * (1 - 2e-3));
    gdyn_traverse_destroy(got);
}

/* --- random problems -------------------------------------------------------------------------- */

static void random_table(table *t, gdyn_random *random, double load) {
    double c[ROWS][4][3];
    for (int row = 0; row < t->k; row++) {
        for (int j = 0; j < 4; j++)
            for (int m = 0; m < 3; m++)
                c[row][j][m] = gdyn_random_normal(random);
    }
    for (int row = 0; row < t->k; row++) {
        double v = gdyn_random_normal(random);
        for (int i = 0; i < t->points; i++) {
            double value[4];
            for (int j = 0; j < 4; j++)
                value[j] = c[row][j][0] * sin(3 * t->p[i] + c[row][j][1]) + 0.3 * c[row][j][2];
            set_row(t, i, row, value[0], 0, load * value[2], value[3], 1);
            t->number[i][6][row] = v;
        }
    }
}

static void random_feasible(void **state) {
    (void)state;
    gdyn_traverse_settings s = gdyn_traverse_default();
    s.max_points = 3;
    s.certificate = false;
    int feasible = 0;
    for (uint64_t seed = 0; feasible < FEASIBLE && seed < 2000; seed++) {
        gdyn_random random = gdyn_random_stream(5, seed, 0);
        table *t = table_begin(31, 1, 3, (int)(seed % 2));
        random_table(t, &random, 0.3);
        gdyn_traverse *got = run(t, &s);
        if (got->status == GDYN_TRAVERSE_OK) {
            feasible++;
            check_motion(got);
        }
        gdyn_traverse_destroy(got);
    }
    assert_int_equal(feasible, FEASIBLE);
}

/* Row of the table at p, linear between its points. */
static void row_at(const table *t, double p, int row, double q[7]) {
    int i = 0;
    while (i + 2 < t->points && t->p[i + 1] <= p)
        i++;
    double f = (p - t->p[i]) / (t->p[i + 1] - t->p[i]);
    for (int j = 0; j < 7; j++)
        q[j] = (1 - f) * t->number[i][j][row] + f * t->number[i + 1][j][row];
}

/* Exists x >= 0 at every point, d2 at every point, y, so that all rows with limits (1 + relax) hold and
 * neighbours of the run's grid are joined as the half steps join them? One linear program over the whole
 * path. */
static bool lp_feasible(const table *t, const gdyn_traverse *grid, double relax) {
    int n = grid->points, k = t->k, r = t->r, per = 3 + 2 * r; /* x, u0, u1, y0, y1 */
    int rows = n * 2 * k + (n - 1), cols = n * per;
    gdyn_lp *lp = gdyn_lp_create(rows, cols);
    double *M = calloc((size_t)rows * (size_t)cols, sizeof *M);
    assert_non_null(lp);
    assert_non_null(M);
    for (int i = 0; i < n; i++) {
        for (int side = 0; side < 2; side++) { /* u that arrives, u that departs */
            for (int row = 0; row < k; row++) {
                double q[7];
                row_at(t, grid->point[i].p, row, q);
                size_t at = (size_t)((i * 2 + side) * k + row);
                M[(size_t)(i * per) * (size_t)rows + at] = q[0];
                M[(size_t)(i * per + 1 + side) * (size_t)rows + at] = q[3];
                if (r)
                    M[(size_t)(i * per + 3 + side) * (size_t)rows + at] = q[6];
            }
        }
    }
    for (int i = 0; i + 1 < n; i++) { /* x + h u_departs + h u_arrives - x' = 0 */
        size_t at = (size_t)(n * 2 * k + i);
        double h = grid->point[i + 1].p - grid->point[i].p;
        M[(size_t)(i * per) * (size_t)rows + at] = 1;
        M[(size_t)(i * per + 2) * (size_t)rows + at] = h;
        M[(size_t)((i + 1) * per + 1) * (size_t)rows + at] = h;
        M[(size_t)((i + 1) * per) * (size_t)rows + at] = -1;
    }
    assert_int_equal(gdyn_lp_load(lp, rows, cols, M, rows), GDYN_OK);
    for (int i = 0; i < n; i++) {
        for (int side = 0; side < 2; side++) {
            for (int row = 0; row < k; row++) {
                double q[7];
                row_at(t, grid->point[i].p, row, q);
                double C = q[2];
                bool used = side == 0 ? i > 0 : i + 1 < n;
                gdyn_lp_row(lp, (i * 2 + side) * k + row, used ? -1 - relax - C : -INFINITY,
                            used ? 1 + relax - C : INFINITY);
            }
        }
        gdyn_lp_column(lp, i * per, 0, i == 0 || i == n - 1 ? 0 : INFINITY);
        for (int j = 1; j < per; j++)
            gdyn_lp_column(lp, i * per + j, -INFINITY, INFINITY);
    }
    for (int i = 0; i + 1 < n; i++)
        gdyn_lp_row(lp, n * 2 * k + i, 0, 0);
    gdyn_lp_status outcome;
    assert_int_equal(gdyn_lp_solve(lp, false, GDYN_LP_PRIMAL, &outcome), GDYN_OK);
    gdyn_lp_destroy(lp);
    free(M);
    return outcome != GDYN_LP_INFEASIBLE;
}

/* The linear program lets x stay at rest, and m go where it likes, so it can only be more willing:
 * whatever it refuses must be refused, and the relaxation reported must not open less. */
static void random_infeasible(void **state) {
    (void)state;
    gdyn_traverse_settings s = gdyn_traverse_default();
    s.max_points = 3;
    int infeasible = 0, refused = 0;
    for (uint64_t seed = 0; infeasible < INFEASIBLE && seed < 2000; seed++) {
        gdyn_random random = gdyn_random_stream(6, seed, 0);
        table *t = table_begin(5, 1, 3, (int)(seed % 2));
        random_table(t, &random, 1.2);
        gdyn_traverse *got = run(t, &s);
        if (got->status != GDYN_TRAVERSE_OK) {
            infeasible++;
            refused += !lp_feasible(t, got, 0);
            assert_true(got->relaxation > 0);
            assert_true(lp_feasible(t, got, got->relaxation * (1 + 1e-5) + 1e-9));
        } else {
            assert_true(lp_feasible(t, got, 1e-9));
        }
        gdyn_traverse_destroy(got);
    }
    assert_int_equal(infeasible, INFEASIBLE);
    assert_true(refused >= INFEASIBLE * 3 / 4);
}

/* --- a published machine ---------------------------------------------------------------------- */

/* Debrouwere's arm: published times 0.82841 (100 points), 0.83293 (1000), 0.83357 (5000), from
 * below; start at 1 m/s, end speed free. The path has length 1.5 sqrt(2). */
static void published_arm(void **state) {
    (void)state;
    gdyn_case *the_case;
    gdyn_instance *instance;
    gdyn_path *path;
    assert_int_equal(
        gdyn_case_read(GDYN_SOURCE_DIR "/cases/two_link_arm/case.yaml", NULL, &the_case), GDYN_OK);
    assert_int_equal(gdyn_case_instantiate(the_case, 0, NULL, NULL, &instance), GDYN_OK);
    assert_int_equal(gdyn_path_create(instance->model, &instance->trajectory[0], NULL, &path),
                     GDYN_OK);
    gdyn_path_dynamics *dynamics = gdyn_path_dynamics_machine(instance->model, path);
    gdyn_traverse *t = gdyn_traverse_create();
    assert_int_equal(gdyn_path_dynamics_follow(dynamics), GDYN_OK);
    gdyn_traverse_settings s = gdyn_traverse_default();
    s.start_speed = 1 / (1.5 * sqrt(2));
    s.end_speed = NAN;
    assert_int_equal(gdyn_traverse_run(t, dynamics, &s), GDYN_OK);
    printf("# arm: %s %d points, time %.6f, lower %.6f, violation %.2g\n",
           gdyn_traverse_status_name(t->status), t->points, t->time, t->lower, t->violation);
    check_motion(t);
    assert_true(t->upper >= 0.83357);
    assert_near(t->upper, 0.8337, 1e-3);
    gdyn_traverse_destroy(t);
    gdyn_path_dynamics_destroy(dynamics);
    gdyn_path_destroy(path);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bang_bang_exactly),
        cmocka_unit_test(with_gravity),
        cmocka_unit_test(speed_limits_and_ends),
        cmocka_unit_test(with_viscous_friction),
        cmocka_unit_test(second_order),
        cmocka_unit_test(scale_invariance),
        cmocka_unit_test(grid_independence),
        cmocka_unit_test(degenerate_points),
        cmocka_unit_test(island),
        cmocka_unit_test(no_motion),
        cmocka_unit_test(against_dynamic_program),
        cmocka_unit_test(random_feasible),
        cmocka_unit_test(random_infeasible),
        cmocka_unit_test(published_arm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
