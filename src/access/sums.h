/* sums.h - what a combination w of limit rows sums up to: loads, limits, and how far rounding reaches. */
#ifndef GDYN_ACCESS_SUMS_H
#define GDYN_ACCESS_SUMS_H

#include "access/problem.h"

/* low + low1 t <= a t^2 + b t + c + d z <= high + high1 t, with bounds of the errors and sizes of the terms: of one
 * row times 1 or -1, or a sum of such with weights that are not negative. Pairs are summed in SIMD lanes; those
 * with a power t^1 come last, problems of even powers leave them out. */
typedef struct gdyn_sums {
    double a, c, d, weight;
    double high, low, high_size, low_size; /* size: of limit and load */
    double a_error, d_error;
    double b, b_error, high1, low1;
} gdyn_sums;

/* The row times -1 and times 1. */
typedef struct gdyn_signed_row {
    gdyn_sums side[2];
} gdyn_signed_row;

gdyn_signed_row gdyn_sums_of_row(const gdyn_limit_row *row);

/* Sum over `count` rows of the problem with weights w (not zero); of: all rows of the problem. */
gdyn_sums gdyn_sums_over(int count, const int *row, const double *w, const gdyn_signed_row *of,
                         bool even);

#endif
