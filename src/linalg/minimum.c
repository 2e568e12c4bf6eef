/* minimum.c - golden section and bisection; see minimum.h. */
#include "linalg/minimum.h"

#include <math.h>
#include <stdbool.h>

enum { GOLDEN_STEPS = 80, SMOOTH_STEPS = 12, HALVINGS = 60 };

/* A bracket this narrow, relative to its place, holds rounding only. */
static const double NARROW = 1e-15;

/* Whether values differ so little within a bracket that a zero there would have to be this many
 * times steeper. */
static bool level(double steeper, const double f[4]) {
    double least = fmin(f[1], f[2]), most = fmax(f[1], f[2]);
    for (int i = 0; i < 4; i += 3)
        most = isnan(f[i]) ? most : fmax(most, f[i]);
    return steeper * (most - least) < least;
}

/* The section by the golden ratio, with one new value per step: at the ends of the bracket (NaN:
 * not asked for) and twice in between. */
static gdyn_minimum golden(gdyn_scalar_function *function, void *context, double a, double b,
                           double steepest, double steeper, int steps) {
    const double ratio = 0.6180339887498949;
    double x = b - ratio * (b - a), y = a + ratio * (b - a);
    double f[4] = {NAN, function(context, x), function(context, y), NAN};
    for (int i = 0;
         i < steps && b - a > NARROW * (fabs(a) + fabs(b)) &&
         !(fmin(f[1], f[2]) > steepest * (b - a)) && !(i >= SMOOTH_STEPS && level(steeper, f));
         i++) {
        /* one new value per step; the bracket shrinks by the golden ratio */
        if (f[1] <= f[2]) {
            b = y, y = x, f[3] = f[2], f[2] = f[1];
            x = b - ratio * (b - a);
            f[1] = function(context, x);
        } else {
            a = x, x = y, f[0] = f[1], f[1] = f[2];
            y = a + ratio * (b - a);
            f[2] = function(context, y);
        }
    }
    return (gdyn_minimum){f[1] <= f[2] ? x : y, fmin(f[1], f[2]), 0.5 * (b - a)};
}

gdyn_minimum gdyn_golden_section(gdyn_scalar_function *function, void *context, double a, double b,
                                 double steepest) {
    return golden(function, context, a, b, steepest, INFINITY, GOLDEN_STEPS);
}

gdyn_minimum gdyn_vanishing_minimum(gdyn_scalar_function *function, void *context, double a,
                                    double b, double steepest, double steeper) {
    return golden(function, context, a, b, steepest, steeper, GOLDEN_STEPS);
}

gdyn_minimum gdyn_smooth_minimum(gdyn_scalar_function *function, void *context, double a,
                                 double b) {
    return golden(function, context, a, b, INFINITY, INFINITY, SMOOTH_STEPS);
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
