/* force_range.c - what a plot of a drive's forces along a motion shows, on pages and in
 * pictures. */
#include "report/traverse.h"

#include <math.h>

/* Widens the range by a column of a row's values. */
static void widen(const gdyn_trajectory *t, int row, const double *value, double range[2]) {
    for (int i = 0; i < t->traverse->points; i++) {
        double v = value[i * t->rows + row];
        range[0] = isfinite(v) ? fmin(range[0], v) : range[0];
        range[1] = isfinite(v) ? fmax(range[1], v) : range[1];
    }
}

/* What rounding leaves of forces in this range, beside those of the other drives. */
static double rounding_of(const gdyn_trajectory *t, const double own[2]) {
    static const double OF_OWN = 1e-9, OF_ALL = 1e-12;
    double all[2] = {0, 0};
    for (int row = 0; row < t->rows; row++)
        widen(t, row, t->shared.n, all);
    return fmax(OF_OWN * fmax(fabs(own[0]), fabs(own[1])), OF_ALL * fmax(-all[0], all[1]));
}

void gdyn_force_range(const gdyn_trajectory *t, int row, double range[2], bool *far) {
    static const double FAR = 4; /* of the forces' own span */
    const gdyn_shared *s = &t->shared;
    range[0] = INFINITY, range[1] = -INFINITY;
    widen(t, row, s->n, range);
    widen(t, row, s->n_before, range);
    widen(t, row, s->low, range);
    widen(t, row, s->high, range);
    double own[2] = {range[0], range[1]}, span = own[1] - own[0];
    bool level = span <= rounding_of(t, own);
    if (level)
        range[0] = range[1] = own[0] = own[1] = fabs(own[1]) <= span ? 0 : 0.5 * (own[0] + own[1]);
    const double *const limit[] = {s->min, s->max};
    *far = false;
    for (int k = 0; k < 2; k++) {
        double wide[2] = {own[0], own[1]};
        widen(t, row, limit[k], wide);
        if (!level && wide[1] - wide[0] > FAR * span) {
            *far = true;
            continue;
        }
        range[0] = fmin(range[0], wide[0]);
        range[1] = fmax(range[1], wide[1]);
    }
}
