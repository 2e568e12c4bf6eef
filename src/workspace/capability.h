/* capability.h - the greatest ball of accelerations (or loads) that drives with limits can give (internal to
 * workspace). */
#ifndef GDYN_WORKSPACE_CAPABILITY_H
#define GDYN_WORKSPACE_CAPABILITY_H

#include "access/access.h"

/* Radius of the greatest ball of a (count) with min <= C + D a + V y <= max for some y: D (k x count, column-major). By
 * elementary vectors w of V, w^T V = 0:
 *     min over w of (h(w) - w^T C) / |D^T w|,   h(w) = sum of max(w_i min_i, w_i max_i)
 * Negative: C alone lies outside by so much; -INFINITY: by something that no a changes. INFINITY: nothing bounds a.
 * NAN: more than 5,000 subsets of drives or 32 drives, no elementary vector (rank not below k), or no memory. */
double gdyn_capability(const gdyn_coefficients *q, int k, int count, const double *D);

#endif
