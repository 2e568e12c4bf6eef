/* inequality.h - elementary inequalities by the limits they name (internal to traverse).
 *
 * Where w^T V = 0, no internal force helps, and the rows leave
 *
 *   alpha x + beta sqrt(x) + gamma + delta u <= 0,   x = d1^2,  u = d2,
 *
 * w unique up to its length when the limits belong together. Along the path w is smooth, so that the
 * same limits can be followed from place to place, where an arc of a region (divided by delta) cannot. */
#ifndef GDYN_TRAVERSE_INEQUALITY_H
#define GDYN_TRAVERSE_INEQUALITY_H

#include "access/access.h"

/* An elementary inequality, named by the limits that are reached together. */
typedef struct gdyn_inequality_sum {
    int count;
    gdyn_limit limit[GDYN_ACTIVE_MAX];
} gdyn_inequality_sum;

/* alpha x + beta sqrt(x) + gamma + delta u <= 0, in half ranges: its weights are scaled so that all
 * limits giving way by the same share of their half ranges add that share to the right side. */
typedef struct gdyn_inequality {
    double alpha, beta, gamma, delta;
    double size; /* of the terms that delta is the sum of */
} gdyn_inequality;

/* The inequality of a combination at a place, limits tightened by that share of half their range;
 * false where these limits do not belong together. */
bool gdyn_inequality_of(const gdyn_coefficients *q, const gdyn_inequality_sum *of, double tighten,
                        gdyn_inequality *inequality);
/* delta is zero within rounding. */
bool gdyn_inequality_vanishes(const gdyn_inequality *inequality);
bool gdyn_combination_same(const gdyn_inequality_sum *a, const gdyn_inequality_sum *b);

/* The combinations that bound a region: those of its arcs and of its islands' ends, each once; at
 * most `room` of them. Returns their number. */
int gdyn_combinations_of(const gdyn_region *region, gdyn_inequality_sum *list, int room);

#endif
