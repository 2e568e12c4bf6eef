/* spline.c - cubic splines through tables, and the arc length of the curve they make.
 *
 * Each column is a cubic spline over the knots u: periodic when the table closes, else natural, or
 * (dense tables over given p) with the third derivative continuous at the second knot from an end,
 * since a motion may begin and end with an acceleration. Where
 * the table comes to rest (rests.c) it is split, and a part begins or ends there with the
 * derivative zero, or with both derivatives zero when its distance grows faster than the square of
 * time: then its last piece is a t^3 + b t^k, t from the rest, with k from 4 on as it takes for the
 * piece to leave the rest forward. Second derivatives m at the knots of a part obey, with d =
 * (y_i+1 - y_i) / h,
 *   h_i-1 m_i-1 + 2 (h_i-1 + h_i) m_i + h_i m_i+1 = 6 (d_i - d_i-1),
 * where c h m in place of 2 h m and (3 - c) d in place of d come from a piece with t^k, c = 6 / (k
 * + 2); solved by GSL. Arc length s(u) = integral |x_u| du, piece by piece between knots (the
 * integrand is smooth there), by Gauss-Legendre rules of 16 points on halved pieces until two
 * levels agree to 1e-14 of the piece. The inverse u(s) is found by Newton's method inside the
 * piece, to rounding; so R(s), and R', R'' by the chain rule, are accurate to about 1e-13 of the
 * curve's size. */
#include "path/internal.h"
#include "base/memory.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

/* Relative accuracy of lengths, and of the parameter at a length: rounding. */
static const double LENGTH_ERROR = 1e-14, KNOT_ERROR = 1e-15;

enum { RULE = 16, HALVINGS = 12, POWER_LEAST = 4, POWER_MOST = 12 };

struct gdyn_table {
    int count, columns;
    bool dense;         /* ends that are no rests are free */
    double *knots;      /* count */
    double *values;     /* count x columns, a column after the other */
    double *bend;       /* intervals x 2 x columns, a column after the other: m at both ends */
    double *more;       /* as bend: what given second derivatives add to m, or NULL */
    signed char *steep; /* count: k of intervals with t^k; < 0: with the rest at their end */
    const bool *angle;  /* columns, borrowed until the splines are made */
    double *at;         /* count: arc length at the knots */
    gsl_integration_glfixed_table *rule;
};

/* How a knot divides the table. */
typedef struct split {
    bool here, hold; /* the table stands still up to the next knot */
    int order[2]; /* power of time of the distance before and after it; 0: nothing is known there */
} split;

/* |dR/du| of the first three columns. */
static double speed(const gdyn_table *t, double u) {
    double sum = 0;
    for (int c = 0; c < 3 && c < t->columns; c++) {
        double jet[3];
        gdyn_table_jet(t, c, u, jet);
        sum += jet[1] * jet[1];
    }
    return sqrt(sum);
}

static double integrand(double u, void *context) {
    return speed(context, u);
}

static double integrate(const gdyn_table *t, double from, double to) {
    gsl_function f = {integrand, (void *)t};
    return gsl_integration_glfixed(&f, from, to, t->rule);
}

/* Length between two parameters inside one piece. */
static double piece_length(const gdyn_table *t, double from, double to, double whole, int depth) {
    double middle = 0.5 * (from + to);
    double left = integrate(t, from, middle), right = integrate(t, middle, to);
    if (depth >= HALVINGS || fabs(left + right - whole) <= LENGTH_ERROR * whole)
        return left + right;
    return piece_length(t, from, middle, left, depth + 1) +
           piece_length(t, middle, to, right, depth + 1);
}

static double length_between(const gdyn_table *t, double from, double to) {
    return piece_length(t, from, to, integrate(t, from, to), 0);
}

/* --- the splines ------------------------------------------------------------------------------ */

/* A part of the table: `count` intervals from `from` on, also across a periodic table's seam. */
typedef struct part {
    const gdyn_table *t;
    int from, count, order[2];
    bool closed;                                         /* it is the whole of a periodic table */
    double *h, *d, *diagonal, *side, *below, *right, *m; /* scratch: count + 1 */
} part;

static double *bend_of(const gdyn_table *t, int column, int interval) {
    return t->bend + 2 * ((size_t)(t->count - 1) * (size_t)column + (size_t)interval);
}

/* c of a piece at an end whose distance grows like that power. */
static double share_of(int order) {
    return order > 2 ? 6.0 / (order + 2) : 2;
}

/* Second derivatives of one column at the knots of the part. */
static void solve_part(const part *q, int column) {
    const gdyn_table *t = q->t;
    const double *y = t->values + (size_t)t->count * (size_t)column;
    int n = q->count, intervals = t->count - 1;
    for (int k = 0; k < n; k++) {
        int i = (q->from + k) % intervals;
        q->h[k] = t->knots[i + 1] - t->knots[i];
        q->d[k] = (y[i + 1] - y[i]) / q->h[k];
    }
    /* unknown are those of the inner knots, of ends with a given derivative, and of the seam */
    double first_share = share_of(q->order[0]), last_share = share_of(q->order[1]);
    int first = q->closed || q->order[0] == 2 ? 0 : 1,
        last = !q->closed && q->order[1] == 2 ? n : n - 1;
    int size = last - first + 1;
    for (int k = 0; k <= n; k++)
        q->m[k] = 0;
    for (int k = first; k <= last; k++) {
        bool open = !q->closed;
        double before = k > 0 ? q->h[k - 1] : open ? 0 : q->h[n - 1];
        double behind = k < n ? q->h[k] : 0;
        double d_before = k > 0 ? q->d[k - 1] : open ? 0 : q->d[n - 1];
        double left = k == 1 ? first_share : 2, right = k == n - 1 ? last_share : 2;
        q->diagonal[k - first] = left * before + right * behind;
        q->side[k - first] = behind;
        q->right[k - first] = 6 * ((3 - right) * (k < n ? q->d[k] : 0) - (3 - left) * d_before);
    }
    /* free ends: m is straight over two intervals, (m_0 - m_1) / h_0 = (m_1 - m_2) / h_1 */
    bool free[2];
    memcpy(q->below, q->side, (size_t)size * sizeof *q->below);
    for (int end = 0; end < 2; end++) {
        free[end] = t->dense && !q->closed && q->order[end] == 0 && n > 2;
        if (!free[end])
            continue;
        double h = q->h[end ? n - 1 : 0], share = h / q->h[end ? n - 2 : 1];
        q->diagonal[end ? size - 1 : 0] += h * (1 + share);
        *(end ? &q->below[size - 2] : q->side) -= h * share;
    }
    if (size > 1) {
        gsl_vector_view A = gsl_vector_view_array(q->diagonal, (size_t)size);
        gsl_vector_view e = gsl_vector_view_array(q->side, (size_t)(q->closed ? size : size - 1));
        gsl_vector_view f = gsl_vector_view_array(q->below, (size_t)size - 1);
        gsl_vector_view b = gsl_vector_view_array(q->right, (size_t)size);
        gsl_vector_view x = gsl_vector_view_array(q->m + first, (size_t)size);
        if (q->closed)
            gsl_linalg_solve_symm_cyc_tridiag(&A.vector, &e.vector, &b.vector, &x.vector);
        else if (free[0] || free[1])
            gsl_linalg_solve_tridiag(&A.vector, &e.vector, &f.vector, &b.vector, &x.vector);
        else
            gsl_linalg_solve_symm_tridiag(&A.vector, &e.vector, &b.vector, &x.vector);
    } else if (size == 1) {
        q->m[first] = q->right[0] / q->diagonal[0];
    }
    if (q->closed)
        q->m[n] = q->m[0];
    if (free[0])
        q->m[0] = q->m[1] + (q->m[1] - q->m[2]) * q->h[0] / q->h[1];
    if (free[1])
        q->m[n] = q->m[n - 1] + (q->m[n - 1] - q->m[n - 2]) * q->h[n - 1] / q->h[n - 2];
    for (int k = 0; k < n; k++)
        memcpy(bend_of(t, column, (q->from + k) % intervals), q->m + k, 2 * sizeof *q->m);
}

/* Whether the piece at an end of the part leaves its rest forward, in lengths and in angles. */
static bool leaves(const part *q, int end) {
    const gdyn_table *t = q->t;
    int order = q->order[end], i = (q->from + (end ? q->count - 1 : 0)) % (t->count - 1);
    double h = t->knots[i + 1] - t->knots[i], along[2] = {0, 0};
    for (int c = 0; c < t->columns; c++) {
        const double *y = t->values + (size_t)t->count * (size_t)c + i;
        double d = end ? y[0] - y[1] : y[1] - y[0], m = bend_of(t, c, i)[!end] * h * h;
        /* the coefficient of t^3, or of t^2 */
        double first = order > 2 ? d - (m - 6 * d) / ((order - 3) * (order + 2)) : 3 * d - 0.5 * m;
        along[t->angle[c]] += first * d;
    }
    return along[0] >= 0 && along[1] >= 0;
}

/* Columns of the part, with as much of t^k at its ends as it takes. */
static void make_part(part *q) {
    for (bool again = true; again;) {
        again = false;
        for (int c = 0; c < q->t->columns; c++)
            solve_part(q, c);
        for (int end = 0; end < 2; end++) {
            bool more =
                q->order[end] && q->count > 1 && q->order[end] < POWER_MOST && !leaves(q, end);
            q->order[end] = !more               ? q->order[end]
                            : q->order[end] < 3 ? POWER_LEAST
                                                : q->order[end] + 1;
            again = again || more;
        }
    }
}

/* Part by part from split to split; of a periodic table the last part goes on across the seam. */
static bool make_splines(gdyn_table *t, const split *at) {
    int intervals = t->count - 1, begin = 0, end = intervals;
    /* where the first and the last row agree the spline joins */
    bool wraps = t->count > 3 && !at[0].here && !at[intervals].here;
    for (int c = 0; c < t->columns; c++)
        wraps =
            wraps && t->values[(size_t)t->count * c] == t->values[(size_t)t->count * (c + 1) - 1];
    double *scratch = gdyn_alloc(7 * ((size_t)t->count + 1), sizeof *scratch);
    if (!scratch)
        return false;
    part q = {.t = t, .h = scratch};
    double **const next[] = {&q.d, &q.diagonal, &q.side, &q.below, &q.right, &q.m};
    for (int i = 0; i < 6; i++)
        *next[i] = scratch + (i + 1) * (t->count + 1);
    while (wraps && begin < intervals && !at[begin].here)
        begin++;
    if (wraps && begin == intervals)
        begin = 0, q.closed = true;
    end = begin + intervals;
    for (int i = begin; i < end; i = q.from + q.count) {
        const split *first = &at[i % intervals];
        q.from = i, q.count = 1;
        while (q.from + q.count < end && !at[(q.from + q.count) % intervals].here)
            q.count++;
        int to = q.from + q.count, knot = to > intervals ? to - intervals : to;
        q.order[0] = first->here ? first->order[1] : 0;
        q.order[1] = at[knot].here ? at[knot].order[0] : 0;
        /* a single interval between two rests is cubic */
        for (int side = 0; side < 2; side++) {
            int order = q.order[side];
            q.order[side] = order > POWER_MOST                 ? POWER_MOST
                            : order > 2 && order < POWER_LEAST ? POWER_LEAST
                                                               : order;
            q.order[side] = q.count == 1 && order ? 2 : q.order[side];
        }
        if (first->hold)
            continue;
        make_part(&q);
        for (int side = 0; side < 2; side++)
            if (q.order[side] > 2)
                t->steep[(side ? to - 1 : i) % intervals] =
                    (signed char)(side ? -q.order[side] : q.order[side]);
    }
    gdyn_free(scratch);
    return true;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Rows without those that rests leave out, and where they divide the table. */
static void take_rows(gdyn_table *t, const gdyn_table_def *def, const gdyn_table_rest *rest,
                      int rests, split *at) {
    int kept = 0, *row = (int *)t->at; /* scratch */
    for (int i = 0, r = 0; i < def->count; i++) {
        while (r < rests && i > rest[r].to)
            r++;
        bool within = r < rests && i >= rest[r].from, ends = i == 0 || i == def->count - 1;
        if (within && i != rest[r].first && i != rest[r].last && !ends)
            continue;
        if (within) {
            bool first = i <= rest[r].first, last = i >= rest[r].last;
            at[kept] = (split){.here = true,
                               .order = {first ? rest[r].order[0] : 0, last ? rest[r].order[1] : 0},
                               .hold = !last};
        } else if (def->stop && def->stop[i]) {
            at[kept].here = true;
        }
        row[kept] = within ? rest[r].value : i;
        t->knots[kept++] = def->knots[i];
    }
    t->count = kept;
    /* columns one behind the other */
    for (int i = 0; i < kept; i++)
        for (int c = 0; c < t->columns; c++)
            t->values[i + (size_t)kept * c] = def->values[c + (size_t)t->columns * row[i]];
}

/* Cubic between two rows from both derivatives; of degree five with second derivatives. */
static void bend_by_rates(gdyn_table *t, const gdyn_table_def *def) {
    for (int i = 0; i + 1 < t->count; i++)
        for (int c = 0; c < t->columns; c++) {
            const double *y = t->values + (size_t)t->count * (size_t)c + i;
            const double *v = def->rates + (size_t)i * (size_t)t->columns + c;
            double h = t->knots[i + 1] - t->knots[i], d = (y[1] - y[0]) / h, *m = bend_of(t, c, i);
            m[0] = (6 * d - 4 * v[0] - 2 * v[t->columns]) / h;
            m[1] = (-6 * d + 2 * v[0] + 4 * v[t->columns]) / h;
            for (int end = 0; end < 2 && t->more; end++)
                t->more[m - t->bend + end] = def->bends[v - def->rates + end * t->columns] - m[end];
        }
}

/* Straight lines, and parabolas around the rows: a row becomes two knots half a blend before and
 * behind it; over given p the blends at the ends lead from and to rest. Together two blends take
 * nine tenths of the way between their rows at most. */
static void blend_lines(gdyn_table *t, const gdyn_table_def *def) {
    static const double MOST = 0.9;
    int n = def->count, kept = 0;
    t->count = 0;
    for (int i = 0; i < n; i++) {
        double before = i > 0 ? def->knots[i] - def->knots[i - 1] : INFINITY;
        double behind = i + 1 < n ? def->knots[i + 1] - def->knots[i] : INFINITY;
        bool end = i == 0 || i + 1 == n, none = end ? !def->given : def->stop && def->stop[i];
        double most = (end ? 0.5 : 1) * MOST * fmin(before, behind);
        t->at[i] = none ? 0 : 0.5 * fmin(def->blend, most); /* scratch */
        t->count += none ? 1 : 2;
    }
    for (int i = 0; i < n; i++) {
        const double *y = def->values + (size_t)i * (size_t)t->columns;
        double half = t->at[i], at = def->knots[i];
        bool first = i == 0, last = i + 1 == n;
        int two = half > 0;
        /* lines begin and end at the rows, but at the ends in the middle of the blend */
        double from = first ? 0 : def->knots[i - 1] + (i == 1 ? t->at[0] : 0);
        double to = last ? 0 : def->knots[i + 1] - (i + 2 == n ? t->at[n - 1] : 0);
        double here[2] = {last ? at - half : at, first ? at + half : at};
        double knot[2] = {first ? at : here[0] - half, last ? at : here[1] + half};
        for (int c = 0; c < t->columns; c++) {
            double v[2] = {first ? 0 : (y[c] - y[c - t->columns]) / (here[0] - from),
                           last ? 0 : (y[c + t->columns] - y[c]) / (to - here[1])};
            double *value = t->values + (size_t)t->count * (size_t)c + kept;
            value[0] = y[c] + v[0] * (knot[0] - here[0]);
            if (!two)
                continue;
            value[1] = y[c] + v[1] * (knot[1] - here[1]);
            double *m = bend_of(t, c, kept);
            m[0] = m[1] = (v[1] - v[0]) / (knot[1] - knot[0]);
        }
        t->knots[kept] = knot[0];
        t->knots[kept + two] = knot[1];
        kept += 1 + two;
    }
}

/* Rests of the table, its rows, and the splines between them. */
static gdyn_status fill(gdyn_table *t, const gdyn_table_def *def) {
    gdyn_table_rest *rest = NULL;
    int rests = 0;
    split *at = gdyn_alloc((size_t)def->count, sizeof *at);
    gdyn_status status = at ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && def->given && !def->rates)
        status = gdyn_table_rests(def, &rest, &rests);
    if (status == GDYN_OK) {
        take_rows(t, def, rest, rests, at);
        if (def->rates)
            bend_by_rates(t, def);
        else
            status = make_splines(t, at) ? GDYN_OK : GDYN_ERROR_MEMORY;
    }
    gdyn_free(rest), gdyn_free(at);
    return status;
}

gdyn_table *gdyn_table_create(const gdyn_table_def *def) {
    gsl_set_error_handler_off(); /* errors come back as codes; GSL would end the program */
    gdyn_table *t = gdyn_alloc(1, sizeof *t);
    if (!t)
        return NULL;
    int count = def->blend > 0 ? 2 * def->count : def->count;
    size_t size = (size_t)count * (size_t)def->columns;
    t->count = count, t->columns = def->columns, t->angle = def->angle;
    t->dense = def->given && def->count >= GDYN_TABLE_DENSE;
    t->knots = gdyn_alloc((size_t)count, sizeof(double));
    t->values = gdyn_alloc(size, sizeof(double));
    t->bend = gdyn_alloc(2 * size, sizeof(double));
    t->at = gdyn_alloc((size_t)count, sizeof(double));
    t->steep = gdyn_alloc((size_t)count, sizeof *t->steep);
    t->rule = gsl_integration_glfixed_table_alloc(RULE);
    t->more = def->bends ? gdyn_alloc(2 * size, sizeof(double)) : NULL;
    bool room = t->knots && t->values && t->bend && t->at && t->steep && t->rule &&
                (t->more || !def->bends);
    if (room && def->blend > 0)
        blend_lines(t, def);
    if (!room || (def->blend == 0 && fill(t, def) != GDYN_OK)) {
        gdyn_table_destroy(t);
        return NULL;
    }
    /* arc length at the knots */
    t->at[0] = 0;
    for (int i = 1; i < t->count; i++)
        t->at[i] = t->at[i - 1] + length_between(t, t->knots[i - 1], t->knots[i]);
    return t;
}

/* Safe on a partly made table. */
void gdyn_table_destroy(gdyn_table *t) {
    if (!t)
        return;
    if (t->rule)
        gsl_integration_glfixed_table_free(t->rule);
    gdyn_free(t->knots);
    gdyn_free(t->values);
    gdyn_free(t->bend);
    gdyn_free(t->more);
    gdyn_free(t->steep);
    gdyn_free(t->at);
    gdyn_free(t);
}

int gdyn_table_knots(const gdyn_table *t) {
    return t->count;
}

/* The interval between knots that holds u; a knot belongs to the one behind it. */
static int interval_of(const gdyn_table *t, const double *at, double u) {
    int i = 0;
    for (int high = t->count - 1; high - i > 1;) {
        int middle = (i + high) / 2;
        if (at[middle] <= u)
            i = middle;
        else
            high = middle;
    }
    return i;
}

/* Value and derivatives; constant beyond the ends. */
void gdyn_table_jet(const gdyn_table *t, int column, double u, double jet[3]) {
    u = fmin(fmax(u, t->knots[0]), t->knots[t->count - 1]);
    int i = interval_of(t, t->knots, u);
    const double *y = t->values + (size_t)t->count * column + i, *m = bend_of(t, column, i);
    double h = t->knots[i + 1] - t->knots[i], b = (u - t->knots[i]) / h, a = 1 - b;
    if (t->steep[i]) {
        /* x = b or a from the rest: d x^3 + e (x^k - x^3), m at the other end */
        bool begins = t->steep[i] > 0;
        int k = begins ? t->steep[i] : -t->steep[i];
        double x = begins ? b : a, d = begins ? y[1] - y[0] : y[0] - y[1], power = pow(x, k - 3);
        double e = (m[begins] * h * h - 6 * d) / ((k - 3) * (k + 2));
        jet[0] = y[!begins] + x * x * x * (d + e * (power - 1));
        jet[1] = (begins ? 1 : -1) * x * x * (3 * d + e * (k * power - 3)) / h;
        jet[2] = x * (6 * d + e * (k * (k - 1) * power - 6)) / (h * h);
        return;
    }
    double bend = h * h / 6;
    jet[0] = a * y[0] + b * y[1] + bend * ((a * a - 1) * a * m[0] + (b * b - 1) * b * m[1]);
    jet[1] = (y[1] - y[0]) / h + h / 6 * ((1 - 3 * a * a) * m[0] + (3 * b * b - 1) * m[1]);
    jet[2] = a * m[0] + b * m[1];
    /* x^2 (1 - x)^3 / 2 from either end has a second derivative there, and nothing else */
    for (int end = 0; end < 2 && t->more; end++) {
        double x = end ? a : b, r = 1 - x, e = t->more[m - t->bend + end];
        jet[0] += h * h * e * 0.5 * x * x * r * r * r;
        jet[1] += (end ? -h : h) * e * x * r * r * (r - 1.5 * x);
        jet[2] += e * r * (r * r - 6 * x * r + 3 * x * x);
    }
}

double gdyn_table_length(const gdyn_table *t) {
    return t->at[t->count - 1];
}

double gdyn_table_knot(const gdyn_table *t, int i, bool length) {
    return length ? t->at[i] : t->knots[i];
}

/* u at an arc length. */
double gdyn_table_at_length(const gdyn_table *t, double s) {
    int last = t->count - 1;
    if (!(s > 0))
        return t->knots[0];
    if (s >= t->at[last])
        return t->knots[last];
    int i = interval_of(t, t->at, s);
    /* inside of it Newton's method, kept within a bracket */
    double low = t->knots[i], high = t->knots[i + 1], rest = s - t->at[i];
    double u = low + (high - low) * rest / (t->at[i + 1] - t->at[i]);
    for (int k = 0; k < 60; k++) {
        double error = length_between(t, t->knots[i], u) - rest;
        if (error > 0)
            high = u;
        else
            low = u;
        double next = u - error / speed(t, u);
        if (!(next >= low && next <= high))
            next = 0.5 * (low + high);
        if (fabs(next - u) <= KNOT_ERROR * fabs(t->knots[last] - t->knots[0]))
            return next;
        u = next;
    }
    return u;
}
