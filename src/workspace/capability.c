/* capability.c - distance of the point of rest to the facets of the set that the drives can reach; see capability.h.
 *
 * Elementary vectors have supports of r + 1 drives at most, r the rank of V: every subset of so many rows of V has one (up
 * to a factor), unless its own rank is lower; then smaller subsets within it give the same. */
#include "workspace/capability.h"

#include "access/subsets.h"
#include "linalg/linalg.h"

#include <math.h>

enum { DRIVES_MOST = 32, SUBSETS_MOST = 5000 };

/* Rows of V are scaled by half their range before; parts of w below this are zero, and pivots of their rank. */
static const double NOTHING = 1e-11;
/* Shares of loads that rounding may leave; of a radius, by which another facet must be nearer to be named instead. */
static const double ROUNDING = 1e-9, NEARER = 1e-12;

/* Number of subsets of r + 1 drives. */
static double subsets(int k, int r) {
    double count = 1;
    for (int i = 0; i <= r; i++)
        count *= (double)(k - i) / (i + 1);
    return count;
}

/* Half the range of a drive, or the size of its only limit. */
static double range_of(const gdyn_coefficients *q, int i) {
    double low = q->min[i], high = q->max[i];
    double range = isfinite(high - low) ? 0.5 * (high - low)
                   : isfinite(high)     ? fabs(high)
                   : isfinite(low)      ? fabs(low)
                                        : 1;
    return range > 0 ? range : 1;
}

/* What an elementary vector leaves at rest, h(w) - w^T C; *size: what it is made of. */
static double slack_of(const gdyn_coefficients *q, const double *w, double *size) {
    double slack = 0;
    *size = 0;
    for (int i = 0; i < q->k; i++) {
        if (w[i] == 0)
            continue;
        slack += fmax(w[i] * q->min[i], w[i] * q->max[i]) - w[i] * q->C[i];
        *size += fabs(w[i] * q->C[i]);
    }
    return slack;
}

/* |D^T w|: how fast a uses the slack up in the worst direction; 0: not at all but for rounding. */
static double use_of(const gdyn_coefficients *q, const gdyn_capability *c, const double *w) {
    double square = 0, size = 0;
    for (int a = 0; a < c->count; a++) {
        double part = 0;
        for (int i = 0; i < q->k; i++) {
            part += w[i] * c->D[i + q->k * a];
            size += fabs(w[i] * c->D[i + q->k * a]);
        }
        square += part * part;
    }
    return sqrt(square) > NOTHING * size ? sqrt(square) : 0;
}

/* The facet of an elementary vector is the nearest so far: its limits are kept. */
static void keep_bounds(const gdyn_coefficients *q, const double *w, gdyn_capability *c) {
    c->bounds = 0;
    for (int i = 0; i < q->k && isfinite(c->radius); i++)
        if (w[i] != 0 && c->bounds < GDYN_BOUNDS_MOST)
            c->bound[c->bounds++] = gdyn_limit_force(i, w[i] > 0 ? 1 : -1);
}

/* Bounds the radius by one elementary vector, with one of its two signs. */
static void bound_by(const gdyn_coefficients *q, const double *w, gdyn_capability *c) {
    double size, slack = slack_of(q, w, &size), use = use_of(q, c, w), radius = INFINITY;
    /* no limit; or a does not use it: then it holds or not */
    if (isinf(slack))
        return;
    if (use > 0)
        radius = slack / use;
    else if (slack < -ROUNDING * size)
        radius = -INFINITY;
    double gain = isfinite(radius) ? NEARER * fabs(radius) : 0;
    if (radius < c->radius - gain) {
        c->radius = radius;
        keep_bounds(q, w, c);
    }
}

/* w on the rows of a subset: the left null vector of V there. False: the subset has a lower rank. */
static bool circuit_of(const gdyn_coefficients *q, const double *range, const int *row, double *w) {
    int r = q->r, rows[GDYN_BOUNDS_MOST], columns[GDYN_BOUNDS_MOST];
    double part[GDYN_BOUNDS_MOST * GDYN_BOUNDS_MOST], null[GDYN_BOUNDS_MOST] = {1};
    for (int i = 0; i <= r; i++)
        for (int j = 0; j < r; j++)
            part[j + r * i] = q->V[row[i] + q->k * j] / range[row[i]];
    for (int i = 0; i < q->k; i++)
        w[i] = 0;
    /* nothing is reduced: every drive by itself */
    if (r > 0) {
        if (gdyn_lu_complete(r, r + 1, part, r, rows, columns, NOTHING).rank < r)
            return false;
        gdyn_lu_null_vector(r + 1, part, r, r, r, columns, null);
    }
    for (int i = 0; i <= r; i++)
        w[row[i]] = fabs(null[i]) > NOTHING ? null[i] / range[row[i]] : 0;
    return true;
}

bool gdyn_capability_find(const gdyn_coefficients *q, int count, gdyn_capability *capability) {
    int row[DRIVES_MOST], size = q->r + 1;
    double w[DRIVES_MOST], range[DRIVES_MOST];
    bool can = q->k <= DRIVES_MOST && q->r < q->k && size <= GDYN_BOUNDS_MOST &&
               subsets(q->k, q->r) <= SUBSETS_MOST;
    for (int c = 0; c < count; c++)
        capability[c].radius = can ? INFINITY : NAN, capability[c].bounds = 0;
    if (!can)
        return false;
    for (int i = 0; i < q->k; i++)
        range[i] = range_of(q, i);
    /* all subsets, each vector with both signs */
    bool more = true;
    for (gdyn_subset_first(row, size); more; more = gdyn_subset_next(row, size, q->k)) {
        if (!circuit_of(q, range, row, w))
            continue;
        for (int sign = 0; sign < 2; sign++) {
            for (int c = 0; c < count; c++)
                bound_by(q, w, &capability[c]);
            for (int i = 0; i < q->k; i++)
                w[i] = -w[i];
        }
    }
    return true;
}
