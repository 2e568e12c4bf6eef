/* minimum.c - golden section and bisection; see minimum.h. */
#include "linalg/minimum.h"

#include <math.h>

enum { GOLDEN_STEPS = 80, SMOOTH_STEPS = 12, HALVINGS = 60 };

/* A bracket this narrow, relative to its place, holds rounding only. */
static const double NARROW = 1e-15;

/* The section by the golden ratio, with one new value per step. */
static gdyn_minimum golden(gdyn_scalar_function *function, void *context, double a, double b,
                           double steepest, int steps) {
    const double ratio = 0.6180339887498949;
    double x = b - ratio * (b - a), y = a + ratio * (b - a);
    double fx = function(context, x), fy = function(context, y);
    for (int i = 0;
         i < steps && b - a > NARROW * (fabs(a) + fabs(b)) && !(fmin(fx, fy) > steepest * (b - a));
         i++) {
        /* one new value per step; the bracket shrinks by the golden ratio */
        if (fx <= fy) {
            b = y, y = x, fy = fx;
            x = b - ratio * (b - a);
            fx = function(context, x);
        } else {
            a = x, x = y, fx = fy;
            y = a + ratio * (b - a);
            fy = function(context, y);
        }
    }
    return (gdyn_minimum){fx <= fy ? x : y, fmin(fx, fy), 0.5 * (b - a)};
}

gdyn_minimum gdyn_golden_section(gdyn_scalar_function *function, void *context, double a, double b,
                                 double steepest) {
    return golden(function, context, a, b, steepest, GOLDEN_STEPS);
}

gdyn_minimum gdyn_smooth_minimum(gdyn_scalar_function *function, void *context, double a,
                                 double b) {
    return golden(function, context, a, b, INFINITY, SMOOTH_STEPS);
}

double gdyn_bisect(gdyn_scalar_function *function, void *context, double a, double b,
                   int negative_at_a, double *within) {
    for (int i = 0; i < HALVINGS && b - a > NARROW * (fabs(a) + fabs(b)); i++) {
        double middle = 0.5 * (a + b);
        if ((function(context, middle) < 0) == (negative_at_a != 0))
            a = middle;
        else
            b = middle;
    }
    *within = 0.5 * (b - a);
    return 0.5 * (a + b);
}
