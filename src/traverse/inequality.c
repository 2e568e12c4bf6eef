/* inequality.c - with the rows S of V that belong to the named limits, w is the null vector of V_S^T,
 * the sign of w_i that of the limit's side. */
#include "traverse/inequality.h"

#include <math.h>
#include <string.h>

/* A pivot below this share of the greatest entry is zero: limits of an arc were found dependent to
 * rounding (1e-11). */
static const double RANK_ZERO = 1e-9;
/* delta as a share of its terms: beyond the rounding of coefficients that went through a machine's
 * closure. */
static const double DELTA_ZERO = 1e-9;

/* --- weights ---------------------------------------------------------------------------------- */

/* The rows' columns of V^T, brought to echelon form by complete pivoting: n columns, r rows. */
typedef struct elimination {
    int n, r, rank;
    int column[GDYN_ACTIVE_MAX];                /* order of the columns */
    double m[GDYN_ACTIVE_MAX][GDYN_ACTIVE_MAX]; /* [row][column], reduced rows only */
} elimination;

/* Rows of V in half ranges, as columns. */
static bool load(elimination *e, const gdyn_coefficients *q, const gdyn_inequality_sum *of) {
    if (of->count < 1 || q->r >= GDYN_ACTIVE_MAX) {
        return false;
    }
    *e = (elimination){.n = of->count, .r = q->r};
    for (int j = 0; j < e->n; j++) {
        int row = of->limit[j].row;
        if (row < 0 || row >= q->k) {
            return false;
        }
        e->column[j] = j;
        double unit = gdyn_problem_unit(q, row);
        for (int i = 0; i < e->r; i++) {
            e->m[i][j] = q->V[(size_t)i * (size_t)q->k + (size_t)row] / unit;
        }
    }
    return true;
}

static void swap(double *a, double *b) {
    double c = *a;
    *a = *b;
    *b = c;
}

/* Brings the greatest entry of the rest to (at, at). */
static double pivot(elimination *e, int at) {
    int row = at, column = at;
    for (int i = at; i < e->r; i++) {
        for (int j = at; j < e->n; j++) {
            if (fabs(e->m[i][j]) > fabs(e->m[row][column])) {
                row = i, column = j;
            }
        }
    }
    for (int j = 0; j < e->n; j++) {
        swap(&e->m[at][j], &e->m[row][j]);
    }
    for (int i = 0; i < e->r; i++) {
        swap(&e->m[i][at], &e->m[i][column]);
    }
    int kept = e->column[at];
    e->column[at] = e->column[column];
    e->column[column] = kept;
    return fabs(e->m[at][at]);
}

static void eliminate(elimination *e) {
    double first = 0;
    for (int at = 0; at < e->n && at < e->r; at++) {
        double size = pivot(e, at);
        first = at == 0 ? size : first;
        if (!(size > RANK_ZERO * first)) {
            return;
        }
        for (int i = at + 1; i < e->r; i++) {
            double f = e->m[i][at] / e->m[at][at];
            for (int j = at; j < e->n; j++) {
                e->m[i][j] -= f * e->m[at][j];
            }
        }
        e->rank++;
    }
}

/* Weights in units of the rows' half ranges, their sum of sizes 1; false when they are not unique or
 * their signs are not those of the limits' sides. */
static bool weights(const gdyn_coefficients *q, const gdyn_inequality_sum *of, double *w) {
    elimination e;
    if (!load(&e, q, of)) {
        return false;
    }
    eliminate(&e);
    if (e.rank != e.n - 1) {
        return false;
    }
    double value[GDYN_ACTIVE_MAX], sum = 0;
    value[e.n - 1] = 1;
    for (int i = e.n - 2; i >= 0; i--) {
        value[i] = 0;
        for (int j = i + 1; j < e.n; j++) {
            value[i] -= e.m[i][j] * value[j];
        }
        value[i] /= e.m[i][i];
    }
    for (int i = 0; i < e.n; i++) {
        w[e.column[i]] = value[i];
        sum += fabs(value[i]);
    }
    double sign = w[0] * of->limit[0].side > 0 ? 1 : -1;
    for (int i = 0; i < e.n; i++) {
        w[i] *= sign / sum;
        if (!(w[i] * of->limit[i].side > 0)) {
            return false;
        }
    }
    return true;
}

/* --- inequalities ----------------------------------------------------------------------------- */

bool gdyn_inequality_of(const gdyn_coefficients *q, const gdyn_inequality_sum *of, double tighten,
                        gdyn_inequality *out) {
    double w[GDYN_ACTIVE_MAX];
    *out = (gdyn_inequality){0};
    if (q->equalities > 0 || !weights(q, of, w)) {
        return false;
    }
    for (int i = 0; i < of->count; i++) {
        int row = of->limit[i].row, side = of->limit[i].side;
        double unit = gdyn_problem_unit(q, row), f = w[i] / unit;
        const double *slopes = side > 0 ? q->max_slope : q->min_slope;
        double limit = (side > 0 ? q->max[row] : q->min[row]) - side * tighten * unit;
        out->alpha += f * q->A[row];
        out->beta += f * (q->B[row] - (slopes ? slopes[row] : 0));
        out->gamma += f * (q->C[row] - limit);
        out->delta += f * q->D[row];
        out->size += fabs(f * q->D[row]);
    }
    return isfinite(out->alpha) && isfinite(out->beta) && isfinite(out->gamma) &&
           isfinite(out->delta);
}

bool gdyn_inequality_vanishes(const gdyn_inequality *inequality) {
    return fabs(inequality->delta) <= DELTA_ZERO * inequality->size;
}

/* --- combinations ----------------------------------------------------------------------------- */

bool gdyn_combination_same(const gdyn_inequality_sum *a, const gdyn_inequality_sum *b) {
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++) {
        same = gdyn_limit_in(b->limit, b->count, a->limit[i]);
    }
    return same;
}

static int add(gdyn_inequality_sum *list, int count, int room, const gdyn_limit *limit,
               int limits) {
    gdyn_inequality_sum one = {.count = limits};
    if (limits < 1 || limits > GDYN_ACTIVE_MAX || count == room) {
        return count;
    }
    memcpy(one.limit, limit, (size_t)limits * sizeof *limit);
    for (int i = 0; i < limits; i++) {
        if (limit[i].kind != GDYN_LIMIT_FORCE) {
            return count;
        }
    }
    for (int i = 0; i < count; i++) {
        if (gdyn_combination_same(&list[i], &one)) {
            return count;
        }
    }
    list[count] = one;
    return count + 1;
}

int gdyn_combinations_of(const gdyn_region *region, gdyn_inequality_sum *list, int room) {
    int count = 0;
    for (int i = 0; i < region->upper_count; i++) {
        count = add(list, count, room, region->upper[i].active, region->upper[i].active_count);
    }
    for (int i = 0; i < region->lower_count; i++) {
        count = add(list, count, room, region->lower[i].active, region->lower[i].active_count);
    }
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        count = add(list, count, room, island->left, island->left_count);
        count = add(list, count, room, island->right, island->right_count);
    }
    return count;
}
