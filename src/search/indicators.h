/* indicators.h - how near to a known front, and how evenly spread, a set of points is. Points are
 * columns of F (m x count), all objectives minimized. */
#ifndef GDYN_SEARCH_INDICATORS_H
#define GDYN_SEARCH_INDICATORS_H

#include "base/status.h"

/* Inverted generational distance: mean over the points of the known front Z (m x fronts) of the
 * distance to the nearest point of F (Coello Coello, Reyes Sierra 2004). INFINITY when F is empty, 0
 * when Z is. */
double gdyn_igd(const double *F, int count, const double *Z, int fronts, int m);
/* The same with the distance sqrt(sum_j max(f_j - z_j, 0)^2), by how much f falls behind z (Ishibuchi
 * et al. 2015): never worse for a set that dominates another. */
double gdyn_igd_plus(const double *F, int count, const double *Z, int fronts, int m);

/* Spread, 0 for evenly spaced points that reach the ends of the front.
 * Two objectives: Deb's Delta = (d_f + d_l + sum |d_i - d|) / (d_f + d_l + (count - 1) d), d_i the
 * distances of neighbours in the order of f1, d their mean, d_f and d_l the distances of the first
 * and last point to the ends (Deb et al. 2002).
 * Otherwise the generalized spread of Zhou et al. (2006): (sum_k d(e_k, F) + sum_i |d_i - d|) /
 * (sum_k d(e_k, F) + count d), d_i the distance of point i to its nearest neighbour.
 * extreme: the m ends e_k of the known front (m x m; two objectives: in any order), or NULL: the ends
 * count nothing. GDYN_ERROR_ARGUMENT when count < 1 or m < 2; GDYN_ERROR_MEMORY. */
gdyn_status gdyn_spread(double *spread, const double *F, int count, int m, const double *extreme);

#endif
