/* scalar.h - one problem of one objective made of many (internal to search).
 *
 * Pascoletti, Serafini 1984: with objectives scaled to F_i = (f_i - ideal_i) / range_i,
 *
 *   minimize t,   F_i(x) + rho sum_l F_l(x) <= a_i + t d_i  (i = 1 .. m),   d >= 0
 *   (without rho where d_i = 0).
 *
 * Every sweep is this problem with other a and d:
 *   single objective     d = e_k, a_i = INFINITY for the others (no row)
 *   weighted Chebyshev   a = 0 (the ideal point), d_i = 1/w_i
 *   epsilon constraints  d = e_k, a_i = epsilon_i
 *   boundary normals     a = a point of the simplex between the minima of the single objectives,
 *                        d = the quasi-normal (Das, Dennis 1998, as inequalities: only Pareto
 *                        points are found, and all of them when m = 2)
 *   polishing            a = F of a known design, d = 1: better in all objectives at once.
 * rho > 0 (the augmentation) keeps weakly dominated designs out. */
#ifndef GDYN_SEARCH_SCALAR_H
#define GDYN_SEARCH_SCALAR_H

#include <stdbool.h>

typedef struct gdyn_scalar {
    int m;
    double rho;
    double *ideal, *range; /* m: scale, range > 0 */
    double *a, *d;         /* m */
} gdyn_scalar;

/* Row i: (F_i + rho sum F_l - a_i) / d_i, which t must not be less than; where d_i = 0 it is
 * F_i - a_i, which must not be positive. -INFINITY when a_i is infinite. */
double gdyn_scalar_row(const gdyn_scalar *p, const double *f, int i);
/* The least t: the greatest row with d_i > 0. */
double gdyn_scalar_value(const gdyn_scalar *p, const double *f);
/* Sum of the positive rows with d_i = 0. */
double gdyn_scalar_excess(const gdyn_scalar *p, const double *f);

/* Weights of Das and Dennis (1998): all w >= 0 with sum 1 that are multiples of 1/divisions. */
/* Greatest number of divisions with no more than `count` weights (at least 1), and how many. */
int gdyn_weights_divisions(int m, int count, int *weights);
/* Fills w (m x weights): corners first, then always the one farthest from all before it, so that
 * any number of first weights is spread evenly. distance: scratch (weights). */
void gdyn_weights_fill(int m, int divisions, int weights, double *w, double *distance);

#endif
