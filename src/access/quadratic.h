/* quadratic.h - a t^2 + b t + c: values, roots, and where it is not negative. */
#ifndef GDYN_ACCESS_QUADRATIC_H
#define GDYN_ACCESS_QUADRATIC_H

#include <math.h>
#include <stdbool.h>

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

/* Place in [from, to] (to may be infinite) where q is greatest. */
double gdyn_quadratic_peak(gdyn_quadratic q, double from, double to);

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

#endif
