/* solver_rows.c - the rows of a Pascoletti-Serafini problem at a point, from designs that the
 * search evaluates.
 *
 * Rows are goals, bounds of objectives, constraints g_j, in that order. Rows are bent above
 * `ceiling` (L): r -> L (2 - L/r), smooth and less than 2 L, so that a failed design, which counts
 * as L (2 + failure/(1 + failure)) >= 2 L, is worse than all others and still has a slope.
 * Derivatives are one-sided differences. */
#include "search/method.h"

#include <math.h>
#include <string.h>

static const double DIFFERENCE = 1e-6, FINE = 1e-8; /* share of a variable's range */
static const double MARGIN = 2e-8; /* constraints end on the right side in spite of rounding */
static const double LEVEL = 1e-8;  /* change of a row that is none, share of its value */
/* Projections on each row; points with slopes between restored ones. */
enum { SWEEPS = 30, PATIENCE = 5 };

/* --- points, designs, rows ------------------------------------------------------------------- */

/* Variable j where its range is passed by the share u. */
static double settled_at(const gdyn_solver *v, int j, double u) {
    gdyn_range range = gdyn_variation_range(&v->search->variation, j);
    double x = range.low + u * (range.high - range.low);
    return gdyn_variation_settle(&v->search->variation, j, x);
}

static void design_of(const gdyn_solver *v, const double *u, double *x) {
    memcpy(x, v->start, (size_t)v->n * sizeof *x);
    for (int i = 0; i < v->variables; i++)
        x[v->free[i]] = settled_at(v, v->free[i], u[i]);
}

double gdyn_solver_bend(const gdyn_solver *v, double r) {
    return r > v->ceiling ? v->ceiling * (2 - v->ceiling / r) : r;
}

double gdyn_solver_margin(const gdyn_solver *v, int r) {
    bool single = r >= v->goals + v->limits && v->search->constraints > 0;
    return single && v->tolerance[r] == 0 ? MARGIN : 0;
}

/* 0 .. 1, growing with the amount. */
static double share(double amount) {
    return isinf(amount) ? 1 : amount / (1 + amount);
}

/* Constraint g as row r, of about the size 1: an equality keeps its sign where the algorithm takes
 * it as one. */
static double single_row(const gdyn_solver *v, int r, double g) {
    double tolerance = v->tolerance[r];
    g /= v->size[r];
    if (tolerance == 0)
        return g;
    return v->nlopt->equalities ? g : fabs(g) - v->part * tolerance;
}

static void rows_of(const gdyn_solver *v, int k, double *row) {
    const gdyn_answers *a = &v->answers;
    const double *f = a->f + (size_t)k * (size_t)v->search->m;
    double failure = a->failure[k];
    int r = 0;
    /* goals, bounds of objectives, constraints; failures rank behind all of them */
    for (int i = 0; i < v->goals; i++, r++)
        row[r] = failure > 0 ? v->ceiling * (2 + share(failure))
                             : gdyn_solver_bend(v, gdyn_scalar_row(&v->problem, f, v->goal[i]));
    for (int i = 0; i < v->limits; i++, r++)
        row[r] = failure > 0 ? 1 + share(failure) : gdyn_scalar_row(&v->problem, f, v->limit[i]);
    bool single = a->detailed[k] && v->search->constraints > 0;
    for (int j = 0; r < v->rows; j++, r++)
        if (failure > 0)
            row[r] = 1 + share(failure);
        else if (single)
            row[r] = single_row(v, r, a->g[(size_t)k * (size_t)v->search->constraints + (size_t)j]);
        else
            row[r] = (j == 0 ? a->violation[k] : 0) - gdyn_solver_margin(v, r);
}

double gdyn_solver_greatest(const gdyn_solver *v, const double *row) {
    double t = row[0];
    for (int i = 1; i < v->goals; i++)
        t = fmax(t, row[i]);
    return t;
}

double gdyn_solver_excess(const gdyn_solver *v, const double *row) {
    double sum = 0;
    bool equalities = v->nlopt->equalities;
    for (int i = v->goals; i < v->rows; i++) {
        double tolerance = equalities ? v->tolerance[i] : 0;
        double over =
            tolerance > 0 ? fabs(row[i]) - v->part * tolerance : row[i] + gdyn_solver_margin(v, i);
        sum += fmax(over, 0);
    }
    return sum;
}

static double *remembered_row(const gdyn_solver *v, int k) {
    return v->seen_row + (size_t)k * (size_t)v->rows;
}

void gdyn_solver_scale(gdyn_solver *v) {
    double *row = remembered_row(v, 0);
    for (int r = v->goals + v->limits; v->search->constraints > 0 && r < v->rows; r++) {
        double *slope = v->slope + r * v->variables, square = 0;
        for (int i = 0; i < v->variables; i++)
            square += slope[i] * slope[i];
        double length = sqrt(square);
        /* a level row says nothing */
        if (!(length > LEVEL * fabs(row[r])) || !isfinite(length))
            continue;
        for (int i = 0; i < v->variables; i++)
            slope[i] /= length;
        v->size[r] *= length, v->tolerance[r] /= length;
        row[r] /= length;
    }
    v->best_excess = gdyn_solver_excess(v, row);
}

/* --- asking ---------------------------------------------------------------------------------- */

static void stop(gdyn_solver *v) {
    v->over = true;
    if (v->opt)
        nlopt_force_stop(v->opt);
}

/* Waits for answers to the first `count` designs, of which the last `apart` are neighbours of the
 * design `base` (-1: the first one); false: it is over. */
static bool ask(gdyn_solver *v, int count, int apart, long base) {
    if (v->over || v->used + count > v->task.budget) {
        stop(v);
        return false;
    }
    v->asked = count, v->apart = apart, v->base = base;
    v->used += count;
    /* Sleeps while the search evaluates the designs. */
    bool received = gdyn_solver_wait(v);
    v->asked = 0;
    if (!received)
        stop(v);
    return received;
}

static double *find(const gdyn_solver *v, const double *x) {
    size_t n = (size_t)v->n;
    for (int k = 0; k < v->seen; k++)
        if (memcmp(v->seen_x + (size_t)k * n, x, n * sizeof *x) == 0)
            return remembered_row(v, k);
    return NULL;
}

static void note_best(gdyn_solver *v, const double *u, const double *row) {
    double value = gdyn_solver_greatest(v, row), excess = gdyn_solver_excess(v, row);
    if (excess > v->best_excess || (excess == v->best_excess && value >= v->best_value))
        return;
    memcpy(v->best, u, (size_t)v->variables * sizeof *u);
    v->best_value = value, v->best_excess = excess;
    /* Slack tells whether the rows meet at the point, as they do at a solution. */
    v->best_slack = 0;
    for (int r = 0; r < v->goals + v->limits; r++)
        v->best_slack = fmax(v->best_slack, (r < v->goals ? value : 0) - row[r]);
}

/* Writes the neighbour of x in direction i (+1 or -1, inwards at a bound) as design k. */
static void place_neighbour(gdyn_solver *v, const double *u, int i, double sign, int k) {
    int j = v->free[i];
    double *x = v->answers.x + (size_t)k * (size_t)v->n;
    memcpy(x, v->settled, (size_t)v->n * sizeof *x);
    double by = v->task.polish ? FINE : DIFFERENCE;
    x[j] = settled_at(v, j, fmin(fmax(u[i] + sign * by, v->lower[i]), v->upper[i]));
}

static double inward(const gdyn_solver *v, const double *u, int i) {
    return u[i] + DIFFERENCE > v->upper[i] ? -1 : 1;
}

/* Derivatives along variable i from answer k. */
static void take_slope(gdyn_solver *v, const double *row, int i, int k) {
    int j = v->free[i];
    /* Settling may shorten the step: the true one counts. */
    double step = v->answers.x[(size_t)k * (size_t)v->n + (size_t)j] - v->settled[j];
    gdyn_range range = gdyn_variation_range(&v->search->variation, j);
    double h = step / (range.high - range.low);
    rows_of(v, k, v->change);
    for (int r = 0; r < v->rows; r++)
        v->slope[r * v->variables + i] = h != 0 ? (v->change[r] - row[r]) / h : 0;
}

/* A neighbour that fails, of a point that does not, tells nothing of the slope. */
static bool useless(const gdyn_solver *v, const double *row, int k) {
    bool failed = row[0] >= 2 * v->ceiling;
    return failed != (v->answers.failure[k] > 0);
}

/* Neighbours 0 .. variables-1 are answers from..; those that are useless are tried on the other
 * side, and count as level when that is useless too. */
static bool take_slopes(gdyn_solver *v, const double *u, const double *row, long base, int from) {
    /* Slopes from the useful neighbours; the others are asked again on the other side. */
    int again = 0;
    for (int i = 0; i < v->variables; i++) {
        if (!useless(v, row, from + i)) {
            take_slope(v, row, i, from + i);
            continue;
        }
        for (int r = 0; r < v->rows; r++)
            v->slope[r * v->variables + i] = 0;
        v->again[again++] = i;
    }
    if (again == 0)
        return true;
    for (int k = 0; k < again; k++)
        place_neighbour(v, u, v->again[k], -inward(v, u, v->again[k]), k);
    if (!ask(v, again, again, base))
        return false;
    for (int k = 0; k < again; k++)
        if (!useless(v, row, k))
            take_slope(v, row, v->again[k], k);
    return true;
}

/* Into w (n): the point nearest to u, about, that keeps the linearized constraints and the bounds
 * (projections on one row after the other; Kaczmarz 1937). */
static void project(const gdyn_solver *v, const double *u, const double *row, double *w) {
    memcpy(w, u, (size_t)v->variables * sizeof *w);
    for (int k = 0; k < SWEEPS * v->rows; k++) {
        int r = k % v->rows;
        const double *slope = v->slope + r * v->variables;
        double value = row[r] + gdyn_solver_margin(v, r), square = 0;
        for (int i = 0; i < v->variables; i++)
            value += slope[i] * (w[i] - u[i]), square += slope[i] * slope[i];
        if (r < v->goals || !(square > 0) || (v->tolerance[r] == 0 && value <= 0))
            continue;
        for (int i = 0; i < v->variables; i++)
            w[i] = fmin(fmax(w[i] - value / square * slope[i], v->lower[i]), v->upper[i]);
    }
}

/* A run may follow a curved equality at a distance until it converges, and its budget may end
 * before. So now and then a point that would be the best one but for its constraints is moved to
 * them. */
static bool restore(gdyn_solver *v, const double *u, const double *row) {
    bool better = v->best_excess > 0 || gdyn_solver_greatest(v, row) < v->best_value;
    if (++v->sloped_points % PATIENCE != 0 || v->equalities == 0 || !better ||
        row[0] >= 2 * v->ceiling || gdyn_solver_excess(v, row) == 0)
        return true;
    project(v, u, row, v->restored);
    design_of(v, v->restored, v->answers.x);
    if (!ask(v, 1, 0, -1))
        return false;
    rows_of(v, 0, v->change);
    note_best(v, v->restored, v->change);
    return true;
}

const double *gdyn_solver_look(gdyn_solver *v, const double *u, bool slopes) {
    if (v->over || v->jumps.jammed)
        return NULL;
    design_of(v, u, v->settled);
    const double *row = find(v, v->settled);
    size_t bytes = (size_t)v->variables * sizeof *u;
    slopes = slopes && !(row && v->sloped && memcmp(u, v->slope_u, bytes) == 0);
    int base = row ? 0 : 1, count = base + (slopes ? v->variables : 0);
    if (count == 0)
        return row;
    if (!row)
        memcpy(v->answers.x, v->settled, (size_t)v->n * sizeof *u);
    for (int i = 0; slopes && i < v->variables; i++)
        place_neighbour(v, u, i, inward(v, u, i), base + i);
    long serial = row ? v->seen_serial[(row - v->seen_row) / v->rows] : -1;
    if (!ask(v, count, count - base, serial))
        return NULL;
    /* A new point competes for the best. */
    if (!row) {
        /* A ring of the last points: line searches come back to them. */
        int place = v->latest++ % GDYN_SOLVER_REMEMBERED;
        v->seen = v->seen < GDYN_SOLVER_REMEMBERED ? v->seen + 1 : v->seen;
        memcpy(v->seen_x + (size_t)place * (size_t)v->n, v->settled, (size_t)v->n * sizeof *u);
        rows_of(v, 0, remembered_row(v, place));
        row = remembered_row(v, place);
        v->seen_serial[place] = serial = v->answers.serial[0];
        note_best(v, u, row);
    }
    if (slopes) {
        v->sloped = false;
        if (!take_slopes(v, u, row, serial, base))
            return NULL;
        memcpy(v->slope_u, u, bytes);
        v->sloped = true;
        if (!restore(v, u, row))
            return NULL;
    }
    gdyn_solver_watch(v, u, row, slopes);
    return row;
}
