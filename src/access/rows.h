/* rows.h - what a row of coefficients says at one point (d1, d2): its load without internal forces,
 * its limits, what an equality lacks (access.h). */
#ifndef GDYN_ACCESS_ROWS_H
#define GDYN_ACCESS_ROWS_H

#include "access/access.h"

#include <math.h>

/* Relative size under which combinations of rounded numbers count as zero. */
#define GDYN_ACCESS_ZERO 1e-11
/* Rounding of sums that are not zero. */
#define GDYN_ACCESS_NOISE 1e-12
/* Limits of this size and more, in the caller's units, are no limits: no drive has 10^15 N. */
#define GDYN_ACCESS_NO_LIMIT 1e15
/* Scaled numbers of this size are refused; ranges and loads under its inverse are zero. Only so
 * that products of a few numbers stay finite. */
#define GDYN_ACCESS_HUGE 1e100

/* Half a range below this share of the limits: both limits are one number. */
#define GDYN_COINCIDE 5e-10
/* A limit this many times further than the scale of the row's other side does not choose the row's
 * unit: it would drown that side. */
#define GDYN_ONE_SIDED 0x1p17

/* fmin and fmax of numbers, for loops over rows and cells: a call costs more than the rest. */
static inline double gdyn_lesser(double a, double b) {
    return a < b ? a : b;
}
static inline double gdyn_greater(double a, double b) {
    return a > b ? a : b;
}

/* gdyn_problem_unit: two limits of similar size, as almost always, need no further look. */
static inline double gdyn_unit_at(const gdyn_coefficients *q, int i) {
    double half = 0.5 * (q->max[i] - q->min[i]), down = fabs(q->min[i]), up = fabs(q->max[i]);
    double size = gdyn_greater(down, up), near = down < up ? down : up;
    bool ordinary = size < GDYN_ACCESS_NO_LIMIT && half > GDYN_COINCIDE * size &&
                    half > 1 / GDYN_ACCESS_HUGE && size <= GDYN_ONE_SIDED * near;
    return ordinary ? half : gdyn_problem_unit(q, i);
}

static inline double gdyn_load_at(const gdyn_coefficients *q, int i, double d1, double d2) {
    return (q->A[i] * d1 + q->B[i]) * d1 + q->C[i] + q->D[i] * d2;
}

static inline double gdyn_limit_at(const gdyn_coefficients *q, int i, bool upper, double d1) {
    const double *limit = upper ? q->max : q->min, *slope = upper ? q->max_slope : q->min_slope;
    return limit[i] + (slope ? slope[i] * d1 : 0);
}

static inline double gdyn_equality_at(const gdyn_coefficients *q, int i, double d1, double d2) {
    return (q->eq_a[i] * d1 + q->eq_b[i]) * d1 + q->eq_c[i] + q->eq_d[i] * d2;
}

#endif
