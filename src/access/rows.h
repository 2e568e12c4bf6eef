/* rows.h - quadratics, subsets, and what a row of coefficients says at one point (d1, d2): its load
 * without internal forces, its limits, what an equality lacks (access.h). */
#pragma once

#include "access/access.h"

#include <math.h>
#include <stdbool.h>

/* Relative size under which combinations of rounded numbers count as zero. */
#define GDYN_ACCESS_ZERO 1e-11
/* Rounding of sums that are not zero. */
#define GDYN_ACCESS_NOISE 1e-12
/* Limits of this size and more, in the caller's units, are no limits: no drive has 10^15 N. */
#define GDYN_ACCESS_NO_LIMIT 1e15
/* Scaled numbers of this size are rejected; ranges and loads under its inverse are zero. Only so
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

/* A t^2 + b t + c: values, roots, and where it is not negative. */

typedef struct gdyn_quadratic {
    double a, b, c;
} gdyn_quadratic;

static inline double gdyn_quadratic_at(gdyn_quadratic q, double t) {
    return (q.a * t + q.b) * t + q.c;
}

/* Sum of the terms' magnitudes: what rounding errors are measured against. */
static inline double gdyn_quadratic_size(gdyn_quadratic q, double t) {
    t = fabs(t);
    return (fabs(q.a) * t + fabs(q.b)) * t + fabs(q.c);
}

static inline gdyn_quadratic gdyn_quadratic_plus(gdyn_quadratic p, gdyn_quadratic q) {
    return (gdyn_quadratic){p.a + q.a, p.b + q.b, p.c + q.c};
}

static inline gdyn_quadratic gdyn_quadratic_minus(gdyn_quadratic p, gdyn_quadratic q) {
    return (gdyn_quadratic){p.a - q.a, p.b - q.b, p.c - q.c};
}

static inline gdyn_quadratic gdyn_quadratic_times(double f, gdyn_quadratic q) {
    return (gdyn_quadratic){f * q.a, f * q.b, f * q.c};
}

/* p + f q */
static inline gdyn_quadratic gdyn_quadratic_add(gdyn_quadratic p, double f, gdyn_quadratic q) {
    return (gdyn_quadratic){p.a + f * q.a, p.b + f * q.b, p.c + f * q.c};
}

/* p - q, without what rounding leaves of equal terms in t^2 and t: it would decide at great t. What
 * is under error.a and error.b, bounds of the rounding in both, counts as equal. */
gdyn_quadratic gdyn_quadratic_difference(gdyn_quadratic p, gdyn_quadratic q, gdyn_quadratic error);

/* Real roots, ascending, with full relative accuracy; a double root counts twice. Returns 0, 1
 * or 2. A constant has no roots. */
int gdyn_quadratic_roots(gdyn_quadratic q, double root[2]);

/* Value at t, where t may be +-infinity (the sign of the leading term decides). */
double gdyn_quadratic_limit(gdyn_quadratic q, double t);

/* A piece of the line where a quadratic is not negative. */
typedef struct gdyn_span {
    double from, to;
    bool point; /* the quadratic only touches zero there, within the tolerance */
    bool thin;  /* zero within the tolerance all along */
} gdyn_span;

enum { GDYN_SPANS_MAX = 4 };

/* Where q >= 0 in [from, to], ascending, GDYN_SPANS_MAX spans at most. `noise` bounds the
 * rounding error of q's terms relative to its size plus `floor`: what does not rise above it counts
 * as zero, so that exact equalities survive rounding. */
int gdyn_quadratic_spans(gdyn_quadratic q, double from, double to, double noise, double floor,
                         gdyn_span span[GDYN_SPANS_MAX]);

/* Subsets of n out of {0 .. k - 1} in ascending order. */

/* {0 .. n - 1} */
static inline void gdyn_subset_first(int *s, int n) {
    for (int i = 0; i < n; i++)
        s[i] = i;
}

/* The next one in lexicographic order; false after the last. */
static inline bool gdyn_subset_next(int *s, int n, int k) {
    /* the last number that can grow; those behind it follow closely */
    int i = n - 1;
    while (i >= 0 && s[i] == k - n + i)
        i--;
    if (i < 0)
        return false;
    s[i]++;
    for (int j = i + 1; j < n; j++)
        s[j] = s[j - 1] + 1;
    return true;
}
