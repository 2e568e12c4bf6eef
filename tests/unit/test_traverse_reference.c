/* test_traverse_reference.c - the fastest motion against dynamic programming on a mesh of places and
 * squared speeds, written from the statement of the problem alone:
 *
 *   least integral of dp / sqrt(x),   dx/dp = 2 u,   min <= A x + B sqrt(x) + C + D u + V y <= max.
 *
 * Over a step of length h u is taken as constant and the rows, with y eliminated by Fourier's and
 * Motzkin's method, at the middle of the step. Two values are worked out from mesh to mesh:
 *   strict: x only on the mesh (width w): a motion, up to second order in h: not faster than the best;
 *   loose:  limits of u wider by w / (2 h), what rounding x to the mesh can cost, x in the time greater
 *          by w / 2: every motion can be rounded to one of these, none is faster.
 * Both bounds of the traverse have to lie around and between them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"
#include "traverse_machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 8, FREE = 3, INEQUALITIES = 400 };

/* The rows of one place. */
typedef struct rows {
    int k, r;
    double A[ROWS], B[ROWS], C[ROWS], D[ROWS], min[ROWS], max[ROWS], min_slope[ROWS],
        max_slope[ROWS];
    double V[FREE * ROWS], fastest;
} rows;

/* --- range of u at one place and speed ---------------------------------------------------------- */

/* a[0] u + a[1] y1 + ... <= c. */
typedef struct inequality {
    double a[1 + FREE], c;
} inequality;

/* Eliminates variable j: every upper bound of it with every lower one. */
static int eliminate(inequality *list, int count, int j) {
    inequality kept[INEQUALITIES];
    int n = 0;
    for (int i = 0; i < count; i++) {
        if (list[i].a[j] == 0)
            kept[n++] = list[i];
        for (int l = 0; l < count && list[i].a[j] > 0; l++) {
            if (list[l].a[j] < 0) {
                double f = 1 / list[i].a[j], g = -1 / list[l].a[j];
                for (int m = 0; m <= FREE; m++)
                    kept[n].a[m] = f * list[i].a[m] + g * list[l].a[m];
                kept[n].a[j] = 0;
                kept[n].c = f * list[i].c + g * list[l].c;
                n++;
                assert_in_range(n, 0, INEQUALITIES - 1);
            }
        }
    }
    memcpy(list, kept, (size_t)n * sizeof *list);
    return n;
}

/* Accessible u at squared speed x: false when there is none. */
static bool range_of_u(const rows *q, double x, double *low, double *high) {
    inequality list[INEQUALITIES];
    int n = 0;
    double v = sqrt(x);
    for (int i = 0; i < q->k; i++) {
        for (int side = -1; side <= 1; side += 2) {
            double limit =
                side > 0 ? q->max[i] + q->max_slope[i] * v : q->min[i] + q->min_slope[i] * v;
            if (isfinite(limit)) {
                inequality *at = &list[n++];
                *at = (inequality){{side * q->D[i]},
                                   side * (limit - q->A[i] * x - q->B[i] * v - q->C[i])};
                for (int j = 0; j < q->r; j++)
                    at->a[1 + j] = side * q->V[j * q->k + i];
            }
        }
    }
    for (int j = 1; j <= q->r; j++)
        n = eliminate(list, n, j);
    *low = -INFINITY, *high = INFINITY;
    for (int i = 0; i < n; i++) {
        double a = list[i].a[0];
        if (fabs(a) > 1e-13) {
            double *side = a > 0 ? high : low;
            *side = a > 0 ? fmin(*high, list[i].c / a) : fmax(*low, list[i].c / a);
        } else if (list[i].c < -1e-12) {
            return false;
        }
    }
    return *low <= *high && v <= q->fastest;
}

/* --- the program ------------------------------------------------------------------------------- */

typedef struct mesh {
    int steps, speeds;
    double from, to, x_top;
    double *all_low,
        *all_high;      /* steps x (2 speeds + 1): range of u in the middle of a step for x =
                                   w s / 2; NAN: none */
    bool *open;         /* (steps + 1) x (speeds + 1): there is a range at the place */
    double *low, *high; /* of one step, widened */
    double *cost, *next, *root; /* speeds + 1 */
} mesh;

typedef void rows_function(void *context, double p, rows *q);

static mesh mesh_make(int steps, int speeds, double from, double to, double x_top,
                      rows_function *at, void *context) {
    mesh m = {.steps = steps, .speeds = speeds, .from = from, .to = to, .x_top = x_top};
    size_t n = (size_t)speeds + 1, half = 2 * n - 1, all = (size_t)steps * half;
    m.all_low = calloc(2 * all + 2 * half + 3 * n, sizeof *m.all_low);
    m.open = calloc((size_t)(steps + 1) * n, sizeof *m.open);
    assert_non_null(m.all_low);
    assert_non_null(m.open);
    m.all_high = m.all_low + all;
    m.low = m.all_high + all;
    m.high = m.low + half;
    m.cost = m.high + half;
    m.next = m.cost + n;
    m.root = m.next + n;
    for (int i = 0; i <= 2 * steps; i++) {
        rows q;
        at(context, from + 0.5 * i * (to - from) / steps, &q);
        for (size_t s = 0; i % 2 == 1 && s < half; s++) {
            size_t to_s = (size_t)(i / 2) * half + s;
            double *low = &m.all_low[to_s], *high = &m.all_high[to_s];
            if (!range_of_u(&q, 0.5 * x_top * (double)s / speeds, low, high))
                *low = *high = NAN;
        }
        for (size_t j = 0; i % 2 == 0 && j < n; j++) {
            double low, high;
            m.open[(size_t)(i / 2) * n + j] =
                range_of_u(&q, x_top * (double)j / speeds, &low, &high);
        }
    }
    return m;
}

static void mesh_free(mesh *m) {
    free(m->all_low);
    free(m->open);
}

/* Ranges of step i; loose: the middle's x is off by w / 2 at most, which is one entry to either
 * side, and u by w / (2 h). */
static void ranges(mesh *m, int i, bool loose) {
    double w = m->x_top / m->speeds, h = (m->to - m->from) / m->steps;
    int last = 2 * m->speeds;
    const double *low = m->all_low + (size_t)i * (size_t)(last + 1);
    const double *high = m->all_high + (size_t)i * (size_t)(last + 1);
    for (int s = 0; s <= last; s++) {
        m->low[s] = low[s];
        m->high[s] = high[s];
        for (int t = s > 0 ? s - 1 : 0; loose && t <= s + 1 && t <= last; t++) {
            double room = 0.5 * w / h + 2e-3 * fmax(fabs(low[t]), fabs(high[t]));
            m->low[s] = fmin(m->low[s], low[t] - room);
            m->high[s] = fmax(m->high[s], high[t] + room);
        }
    }
}

/* Least time from x with index j over a step of length h. */
static double step(const mesh *m, int j, double h, double least_u, double most_u) {
    double w = m->x_top / m->speeds, best = INFINITY;
    int first = (int)fmax(0, j + floor(least_u * 2 * h / w));
    int last = (int)fmin(m->speeds, j + ceil(most_u * 2 * h / w));
    for (int e = first; e <= last; e++) {
        double u = (e - j) * w / (2 * h);
        if (u <= m->high[j + e] && u >= m->low[j + e] && m->cost[e] < best)
            best = fmin(best, m->cost[e] + 2 * h / (m->root[j] + m->root[e]));
    }
    return best;
}

/* Least time from every x to the end; x_end NAN: any. */
static void march(mesh *m, double x_end, bool loose) {
    double w = m->x_top / m->speeds, h = (m->to - m->from) / m->steps;
    int n = m->speeds + 1;
    for (int j = 0; j < n; j++) {
        bool open = loose || m->open[(size_t)m->steps * (size_t)n + (size_t)j];
        m->cost[j] = open && (isnan(x_end) || j == lround(x_end / w)) ? 0 : INFINITY;
        m->root[j] = sqrt(w * (j + (loose ? 0.5 : 0)));
    }
    for (int i = m->steps - 1; i >= 0; i--) {
        double least_u = 0, most_u = 0;
        ranges(m, i, loose);
        for (int s = 0; s <= 2 * m->speeds; s++) {
            least_u = fmin(least_u, m->low[s]);
            most_u = fmax(most_u, m->high[s]);
        }
        for (int j = 0; j < n; j++) {
            bool open = loose || m->open[(size_t)i * (size_t)n + (size_t)j];
            m->next[j] = open ? step(m, j, h, least_u, most_u) : INFINITY;
        }
        double *other = m->cost;
        m->cost = m->next;
        m->next = other;
    }
}

static double least(const mesh *m, double x_start) {
    double best = INFINITY;
    for (int j = 0; j <= m->speeds; j++)
        if (isnan(x_start) || j == lround(x_start / m->x_top * m->speeds))
            best = fmin(best, m->cost[j]);
    return best;
}

/* --- problems ----------------------------------------------------------------------------------- */

enum { POINTS = 41 };

typedef struct problem {
    const char *name;
    rows_function *at;
    double x_start, x_end, x_top; /* NAN: free */
} problem;

static void row(rows *q, double A, double B, double C, double D, double limit) {
    int i = q->k++;
    q->A[i] = A, q->B[i] = B, q->C[i] = C, q->D[i] = D;
    q->min[i] = -limit, q->max[i] = limit;
}

static void columns(rows *q, int r, const double *V) {
    q->r = r;
    memcpy(q->V, V, (size_t)(q->k * r) * sizeof *V);
}

static void plain(void *context, double p, rows *q) {
    (void)context;
    *q = (rows){.fastest = INFINITY};
    row(q, sin(5 * p), 0, 0.3 * cos(4 * p), 1 + 0.4 * sin(3 * p), 1);
    row(q, 2 * cos(7 * p), 0, 0, 0.2, 1.2);
}

/* The influence of both drives on u passes through zero. */
static void zero_inertia(void *context, double p, rows *q) {
    (void)context;
    *q = (rows){.fastest = INFINITY};
    row(q, 1 + p, 0, 0.2, sin(6 * p + 0.4), 1);
    row(q, 0.7, 0, -0.1, cos(5 * p), 1.1);
}

static void one_redundant(void *context, double p, rows *q) {
    static const double V[] = {1, -0.8, 0.6};
    (void)context;
    *q = (rows){.fastest = INFINITY};
    row(q, 2 * sin(4 * p), 0, 0.2 * cos(9 * p), 1 + 0.5 * cos(3 * p), 1);
    row(q, cos(6 * p), 0, 0.3, -0.5 - 0.2 * p, 1.2);
    row(q, 1 - 3 * p, 0, 0.4 * sin(5 * p), 0.9, 0.8);
    columns(q, 1, V);
}

static void two_redundant(void *context, double p, rows *q) {
    static const double V[] = {1, -0.8, 0.6, 0.3, 0.2, 0.9, -1, 0.5};
    (void)context;
    *q = (rows){.fastest = INFINITY};
    row(q, 2 * sin(4 * p), 0, 0.2 * cos(9 * p), 1 + 0.5 * cos(3 * p), 1);
    row(q, cos(6 * p), 0, 0.3, -0.5 - 0.2 * p, 1.2);
    row(q, 1 - 3 * p, 0, 0.4 * sin(5 * p), 0.9, 0.8);
    row(q, 3 * p - 2, 0, 0, 1.3 * cos(4 * p), 0.7);
    columns(q, 2, V);
}

static void viscous(void *context, double p, rows *q) {
    static const double V[] = {1, -0.8, 0.6};
    (void)context;
    *q = (rows){.fastest = 0.75 + 0.2 * p};
    row(q, sin(4 * p), 0.8, 0.2 * cos(9 * p), 1 + 0.5 * cos(3 * p), 1);
    row(q, cos(6 * p), -0.5 * p, 0.3, -0.5 - 0.2 * p, 1.2);
    row(q, 1 - 3 * p, 0.4, 0.4 * sin(5 * p), 0.9, 0.8);
    columns(q, 1, V);
}

/* Between two speeds everywhere; the range of u is a lens. */
static void island(void *context, double p, rows *q) {
    (void)context;
    *q = (rows){.fastest = INFINITY};
    row(q, 1, 0, -0.6 - 0.25 * sin(5 * p), 0.15, 0.3);
    row(q, -1, 0, 0.5, 0.9, 1);
}

/* Two islands everywhere, -(v - 0.35)(v - 0.85) <= limit for v = sqrt(x): a viscous load against one
 * that grows with v^2. */
static void two_islands(void *context, double p, rows *q) {
    (void)context;
    *q = (rows){.fastest = 1.05};
    row(q, -1, 1.2, -0.2975, 0, 1e3);
    q->max[0] = 0.03 - 0.025 * sin(3 * p);
    row(q, 0.5, 0, -0.2, 1, 0.4);
}

/* Rows of the table that the traverse is given: linear between its points. */
typedef struct tabled {
    rows row[POINTS];
} tabled;

static double mix(double a, double b, double f) {
    return (1 - f) * a + f * b;
}

static void table_rows(void *context, double p, rows *q) {
    const tabled *t = context;
    int i = (int)fmin(floor(p * (POINTS - 1)), POINTS - 2);
    double f = p * (POINTS - 1) - i;
    const rows *a = &t->row[i], *b = a + 1;
    *q = *a;
    q->fastest = isinf(a->fastest) ? a->fastest : mix(a->fastest, b->fastest, f);
    for (int j = 0; j < ROWS; j++) {
        q->A[j] = mix(a->A[j], b->A[j], f);
        q->B[j] = mix(a->B[j], b->B[j], f);
        q->C[j] = mix(a->C[j], b->C[j], f);
        q->D[j] = mix(a->D[j], b->D[j], f);
        q->max[j] = mix(a->max[j], b->max[j], f);
    }
}

static gdyn_traverse *solve(const tabled *t, const gdyn_traverse_settings *settings) {
    gdyn_coefficients q[POINTS];
    double p[POINTS];
    for (int i = 0; i < POINTS; i++) {
        const rows *r = &t->row[i];
        p[i] = (double)i / (POINTS - 1);
        q[i] = (gdyn_coefficients){.k = r->k,
                                   .r = r->r,
                                   .A = r->A,
                                   .B = r->B,
                                   .C = r->C,
                                   .D = r->D,
                                   .min = r->min,
                                   .max = r->max,
                                   .V = r->V,
                                   .d1_high = r->fastest,
                                   .d1_high_window = -1};
    }
    gdyn_path_dynamics *dynamics = gdyn_path_dynamics_table(POINTS, p, q);
    assert_non_null(dynamics);
    gdyn_traverse *traverse = fastest_motion(dynamics, settings);
    gdyn_path_dynamics_destroy(dynamics);
    return traverse;
}

/* Bounds lie around what the mesh says, and the mesh says it within some percent. */
static void compare(const char *name, const gdyn_traverse *t, double loose, double strict) {
    print_message("# %s: %d points, time %.5f in [%.5f, %.5f], mesh [%.5f, %.5f], %.1g\n", name,
                  t->points, t->time, t->lower, t->upper, loose, strict, t->violation);
    assert_int_equal(t->status, GDYN_TRAVERSE_OK);
    assert_true(t->violation <= 1e-9);
    assert_true(t->lower <= t->upper);
    assert_true(t->lower <= strict && loose <= t->upper);
    assert_true(strict <= 1.04 * loose);
}

static void tables(void **state) {
    (void)state;
    static const problem problems[] = {
        {"plain", plain, 0, 0, 1.2},
        {"plain, ends free", plain, NAN, NAN, 1.2},
        {"plain, given speeds", plain, 0.15, 0.3, 1.2},
        {"zero inertia", zero_inertia, 0, 0, 2},
        {"one redundant", one_redundant, 0, 0, 2},
        {"two redundant", two_redundant, 0, 0, 2},
        {"viscous", viscous, 0, 0, 1},
        {"viscous, given speeds", viscous, 0.2, 0.1, 1},
        {"island", island, 0.6, 0.5, 1.4},
        {"island, ends free", island, NAN, NAN, 1.4},
        {"two islands, from rest to rest", two_islands, 0, 0, 0.2},
        {"two islands, in the upper one", two_islands, 0.75, 0.69, 1.2},
        {"two islands, ends free", two_islands, NAN, NAN, 1.2},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        const problem *a = &problems[i];
        tabled t;
        for (int j = 0; j < POINTS; j++)
            a->at(NULL, (double)j / (POINTS - 1), &t.row[j]);
        mesh m = mesh_make(POINTS - 1, 2000, 0, 1, a->x_top, table_rows, &t);
        double w = m.x_top / m.speeds;
        gdyn_traverse_settings s = gdyn_traverse_default();
        s.start_speed = sqrt(w * (double)(isnan(a->x_start) ? 0 : lround(a->x_start / w)));
        s.end_speed = sqrt(w * (double)(isnan(a->x_end) ? 0 : lround(a->x_end / w)));
        s.start_speed = isnan(a->x_start) ? NAN : s.start_speed;
        s.end_speed = isnan(a->x_end) ? NAN : s.end_speed;
        gdyn_traverse *got = solve(&t, &s);
        march(&m, a->x_end, true);
        double loose = least(&m, a->x_start);
        march(&m, a->x_end, false);
        compare(a->name, got, loose, least(&m, a->x_start));
        mesh_free(&m);
        gdyn_traverse_destroy(got);
    }
}

/* --- motions that cannot be ------------------------------------------------------------------- */

/* Neither the mesh nor the traverse leads from one island to the other, out of a speed that is too
 * great, or through a load that is. */
static void loaded(void *context, double p, rows *q) {
    plain(context, p, q);
    q->C[0] += p > 0.45 && p < 0.55 ? 6 : 0;
}

static void impossible(void **state) {
    (void)state;
    static const problem problems[] = {
        {"from island to island", two_islands, 0, 0.75, 1.2},
        {"too fast", plain, 1.05, 0, 1.2},
        {"too fast at the end", plain, 0, 1.05, 1.2},
        {"too great a load", loaded, 0, 0, 1.2},
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        const problem *a = &problems[i];
        tabled t;
        for (int j = 0; j < POINTS; j++)
            a->at(NULL, (double)j / (POINTS - 1), &t.row[j]);
        mesh m = mesh_make(POINTS - 1, 1200, 0, 1, a->x_top, table_rows, &t);
        gdyn_traverse_settings s = gdyn_traverse_default();
        s.start_speed = sqrt(a->x_start), s.end_speed = sqrt(a->x_end);
        gdyn_traverse *got = solve(&t, &s);
        march(&m, a->x_end, true);
        print_message("# %s: %s at %g, relaxation %g, mesh %g\n", a->name,
                      gdyn_traverse_status_name(got->status), got->place, got->relaxation,
                      least(&m, a->x_start));
        assert_int_not_equal(got->status, GDYN_TRAVERSE_OK);
        assert_true(got->relaxation > 0);
        assert_true(isinf(least(&m, a->x_start)));
        mesh_free(&m);
        gdyn_traverse_destroy(got);
    }
}

/* --- machines ----------------------------------------------------------------------------------- */

static void machine_rows(void *context, double p, rows *q) {
    const gdyn_coefficients *c;
    gdyn_point_status found;
    assert_int_equal(gdyn_path_dynamics_at(context, p, &c, &found), GDYN_OK);
    assert_int_equal(found, GDYN_POINT_OK);
    assert_in_range(c->k, 1, ROWS);
    assert_in_range(c->r, 0, FREE);
    assert_int_equal(c->equalities, 0);
    size_t bytes = (size_t)c->k * sizeof(double);
    *q = (rows){.k = c->k, .r = c->r, .fastest = c->d1_high};
    memcpy(q->A, c->A, bytes);
    memcpy(q->B, c->B, bytes);
    memcpy(q->C, c->C, bytes);
    memcpy(q->D, c->D, bytes);
    memcpy(q->min, c->min, bytes);
    memcpy(q->max, c->max, bytes);
    if (c->min_slope)
        memcpy(q->min_slope, c->min_slope, bytes);
    if (c->max_slope)
        memcpy(q->max_slope, c->max_slope, bytes);
    memcpy(q->V, c->V, bytes * (size_t)c->r);
}

/* From rest to rest, and again and again: on the mesh the least time over speeds at the ends. */
static void closed_machines(void **state) {
    (void)state;
    static const struct {
        const char *name, *trajectory;
        int steps;
    } machines[] = {
        {"four_slider_star", "circle", 72}, {"kntu", "circle", 216}, {"rrr4", "circle", 72}};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        moving_machine m;
        machine_of_case(&m, machines[i].name, machines[i].trajectory, 0);
        gdyn_traverse_settings s = gdyn_traverse_default();
        double from = gdyn_path_dynamics_first(m.dynamics),
               to = gdyn_path_dynamics_last(m.dynamics);
        gdyn_traverse *rest = fastest_motion(m.dynamics, &s);
        s.periodic = true;
        gdyn_traverse *again = fastest_motion(m.dynamics, &s);
        double top = 0, loose = INFINITY, strict = INFINITY;
        for (int j = 0; j < again->points; j++)
            top = fmax(top, again->point[j].d1 * again->point[j].d1);
        mesh g = mesh_make(machines[i].steps, 1200, from, to, 1.1 * top, machine_rows, m.dynamics);
        march(&g, 0, true);
        double least_rest = least(&g, 0);
        march(&g, 0, false);
        compare(machines[i].name, rest, least_rest, least(&g, 0));
        for (int j = -1; j <= 1; j++) {
            double x = again->point[0].d1 * again->point[0].d1 * (1 + 0.01 * j);
            march(&g, x, true);
            loose = fmin(loose, least(&g, x));
            march(&g, x, false);
            strict = fmin(strict, least(&g, x));
        }
        compare("again and again", again, loose, strict);
        gdyn_traverse_destroy(rest);
        gdyn_traverse_destroy(again);
        mesh_free(&g);
        machine_close(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables),
        cmocka_unit_test(impossible),
        cmocka_unit_test(closed_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
