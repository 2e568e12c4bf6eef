/* minimum.h - smallest value and change of sign of a function of one variable. */
#pragma once

/* Value at x; may be INFINITY where there is none. */
typedef double gdyn_scalar_function(void *context, double x);

/* A bracket a < b and what was found in it. */
typedef struct gdyn_minimum {
    double x, value; /* the smallest value met, and where */
    double within;   /* half of the bracket that is left */
} gdyn_minimum;

/* Golden section: halves the bracket every 1.44 evaluations and needs no derivative, so that it
 * finds the tip of |x - x0| to rounding (a smooth minimum to the root of it). Stops early, with the
 * bracket reached, once the smallest value met exceeds `steepest` times the bracket: a function of
 * at most that slope has no zero there. steepest = INFINITY: continues to rounding. */
gdyn_minimum gdyn_golden_section(gdyn_scalar_function *function, void *context, double a, double b,
                                 double steepest);

/* The same for a search for zeros: stops also, after a dozen steps, where a zero within the bracket
 * would have to rise `steeper` times as steeply as the values met there differ over its width. */
gdyn_minimum gdyn_vanishing_minimum(gdyn_scalar_function *function, void *context, double a,
                                    double b, double steepest, double steeper);

/* The smallest value of a smooth function between a and b, by a dozen steps of the golden section:
 * the bracket that is left is 1/300 of the first one, which a smooth minimum feels in the
 * square. */
gdyn_minimum gdyn_smooth_minimum(gdyn_scalar_function *function, void *context, double a, double b);

/* Halves a < b until they are neighbours to rounding; the sign at a differs from that at b, and
 * negative_at_a says which it is. The middle of what is left; *within: half of it. */
double gdyn_bisect(gdyn_scalar_function *function, void *context, double a, double b,
                   int negative_at_a, double *within);
