/* strip.h - one segment of the path as a convex set in (x, u), x = d1^2 at its beginning, u = d2:
 *
 *   low_a x + low_c <= u <= up_a x + up_c   (every line),   x_low <= x <= x_high
 *
 * and the question every pass asks of it: which x can reach a given set of x' = x + 2 h u? */
#ifndef GDYN_TRAVERSE_STRIP_H
#define GDYN_TRAVERSE_STRIP_H

#include "access/rows.h"

#include <stdbool.h>

/* Lines of one side, as columns. */
typedef struct gdyn_lines {
    int count;
    double *a, *c;
} gdyn_lines;

typedef struct gdyn_strip {
    gdyn_lines up, low;
    double x_low, x_high; /* finite */
} gdyn_strip;

/* Lines that decided last; a good guess for the next segment. Start with -1. */
typedef struct gdyn_strip_hint {
    int up, low;
} gdyn_strip_hint;

/* Range of u at x that leads into [k_low, k_high] in one step of length h; false when there is
 * none. */
bool gdyn_strip_slice(const gdyn_strip *strip, double h, double x, double k_low, double k_high,
                      double *u_low, double *u_high);
/* All x that can be led into [k_low, k_high]; false when there are none. hint: two of them, or
 * NULL. */
bool gdyn_strip_reach(const gdyn_strip *strip, double h, double k_low, double k_high,
                      gdyn_strip_hint *hint, double *x_low, double *x_high);
/* How far the nearest x is from being led there: greatest u_high - u_low over x (negative), and
 * that x. */
double gdyn_strip_deficit(const gdyn_strip *strip, double h, double k_low, double k_high,
                          double *x);

/* Adds the half-plane a x + b u + c <= 0; false when it alone excludes everything. The lines need
 * room. */
bool gdyn_strip_add(gdyn_strip *strip, double a, double b, double c);

#endif
