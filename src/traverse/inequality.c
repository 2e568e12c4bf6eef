/* inequality.c - with the rows S of V that belong to the named limits, w is the null vector of
 * V_S^T, the sign of w_i that of the limit's side. */
#include "traverse/internal.h"

#include "access/rows.h"
#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

/* A pivot below this share of the greatest entry is zero: limits of an arc were found dependent to
 * rounding (1e-11). */
static const double RANK_ZERO = 1e-9;
/* delta as a share of its terms: beyond the rounding of coefficients that went through a machine's
 * closure. */
static const double DELTA_ZERO = 1e-9;

/* --- weights ---------------------------------------------------------------------------------- */

/* Rows of V in half ranges as the columns of M (r x n); false where the sum names none, or too
 * many. */
static bool load(const gdyn_coefficients *q, const gdyn_inequality_sum *of, double *M) {
    if (of->count < 1 || q->r >= GDYN_ACTIVE_MAX)
        return false;
    /* every limit is one of a force row, in its unit */
    for (int j = 0; j < of->count; j++) {
        int row = of->limit[j].row;
        if (row < 0 || row >= q->k)
            return false;
        double unit = gdyn_unit_at(q, row);
        for (int i = 0; i < q->r; i++)
            M[i + q->r * j] = q->V[(size_t)i * (size_t)q->k + (size_t)row] / unit;
    }
    return true;
}

/* Weights in units of the rows' half ranges, their sum of sizes 1; false when they are not unique
 * or their signs are not those of the limits' sides. */
static bool weights(const gdyn_coefficients *q, const gdyn_inequality_sum *of, double *w) {
    int n = of->count, row[GDYN_ACTIVE_MAX], column[GDYN_ACTIVE_MAX];
    double M[GDYN_ACTIVE_MAX * GDYN_ACTIVE_MAX], sum = 0;
    /* without internal forces every row stands alone */
    if (q->r == 0 && n == 1 && of->limit[0].row >= 0 && of->limit[0].row < q->k) {
        w[0] = of->limit[0].side > 0 ? 1 : -1;
        return true;
    }
    /* w spans the left null space of the named rows: one dimension, or there is no such
     * inequality */
    if (!load(q, of, M) || gdyn_lu_complete(q->r, n, M, q->r, row, column, RANK_ZERO).rank != n - 1)
        return false;
    gdyn_lu_null_vector(n, M, q->r, n - 1, n - 1, column, w);
    for (int i = 0; i < n; i++)
        sum += fabs(w[i]);
    /* sum |w| = 1, signs those of the limits' sides; otherwise these limits do not bound
     * together */
    double sign = w[0] * of->limit[0].side > 0 ? 1 : -1;
    for (int i = 0; i < n; i++) {
        w[i] *= sign / sum;
        if (!(w[i] * of->limit[i].side > 0))
            return false;
    }
    return true;
}

/* --- inequalities ----------------------------------------------------------------------------- */

/* Sum of the named limits with their weights: alpha x + beta sqrt(x) + gamma + delta u <= 0. */
bool gdyn_inequality_of(const gdyn_coefficients *q, const gdyn_inequality_sum *of, double tighten,
                        gdyn_inequality *out) {
    double w[GDYN_ACTIVE_MAX];
    *out = (gdyn_inequality){0};
    if (q->equalities > 0 || !weights(q, of, w))
        return false;
    for (int i = 0; i < of->count; i++) {
        /* the row's load minus its limit, in its unit */
        int row = of->limit[i].row, side = of->limit[i].side;
        double unit = gdyn_unit_at(q, row), f = w[i] / unit;
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

/* Same limits, in any order. */
bool gdyn_combination_same(const gdyn_inequality_sum *a, const gdyn_inequality_sum *b) {
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = gdyn_limit_in(b->limit, b->count, a->limit[i]);
    return same;
}

/* Limits of forces alone; each combination once. */
static int add(gdyn_inequality_sum *list, int count, int room, const gdyn_limit *limit,
               int limits) {
    gdyn_inequality_sum one = {.count = limits};
    if (limits < 1 || limits > GDYN_ACTIVE_MAX || count == room)
        return count;
    memcpy(one.limit, limit, (size_t)limits * sizeof *limit);
    for (int i = 0; i < limits; i++)
        if (limit[i].shape != GDYN_LIMIT_ROW)
            return count;
    for (int i = 0; i < count; i++)
        if (gdyn_combination_same(&list[i], &one))
            return count;
    list[count] = one;
    return count + 1;
}

/* Combinations that bound the region somewhere: arcs of both envelopes, and what closes islands. */
int gdyn_combinations_of(const gdyn_region *region, gdyn_inequality_sum *list, int room) {
    int count = 0;
    for (int i = 0; i < region->upper_count; i++)
        count = add(list, count, room, region->upper[i].active, region->upper[i].active_count);
    for (int i = 0; i < region->lower_count; i++)
        count = add(list, count, room, region->lower[i].active, region->lower[i].active_count);
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        count = add(list, count, room, island->left, island->left_count);
        count = add(list, count, room, island->right, island->right_count);
    }
    return count;
}
