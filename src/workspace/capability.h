/* capability.h - the greatest ball of accelerations or forces that drives with limits can give (internal to
 * workspace). */
#ifndef GDYN_WORKSPACE_CAPABILITY_H
#define GDYN_WORKSPACE_CAPABILITY_H

#include "access/access.h"

/* Limits that bound a ball together: of r + 1 drives at most. */
enum { GDYN_BOUNDS_MOST = 8 };

typedef struct gdyn_capability {
    int count;       /* components of a, 3 at most */
    const double *D; /* k x count, column-major */
    /* Result. Negative: a = 0 is impossible, the nearest a that is possible has this size; -INFINITY: none is. INFINITY:
     * nothing bounds a. */
    double radius;
    int bounds;
    gdyn_limit bound
        [GDYN_BOUNDS_MOST]; /* the limits on the nearest facet, or on those that meet in the nearest a, by drive; none where the
                               radius is infinite */
} gdyn_capability;

/* Radius of the greatest ball of a with min <= C + D a + V y <= max for some y, for each of some D. By elementary
 * vectors w of V, w^T V = 0:
 *     min over w of (h(w) - w^T C) / |D^T w|,   h(w) = sum of max(w_i min_i, w_i max_i)
 * If that is negative, the distance of a = 0 to the polytope of all a with w^T (C + D a) <= h(w), its sign turned.
 * False, and NAN: more than 5,000 subsets of drives, more than 7 columns of V or 32 drives, or no elementary vector (rank
 * not below k). */
bool gdyn_capability_find(const gdyn_coefficients *q, int count, gdyn_capability *capability);

#endif
