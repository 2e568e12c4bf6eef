/* small.h - inverses of small matrices, one per lane (internal to tree). */
#ifndef GDYN_TREE_SMALL_H
#define GDYN_TREE_SMALL_H

#include "tree/lanes.h"

enum { GDYN_SMALL_MOST = 6 };

/* X (n x n) := inverse of A (n x n, rows `width` apart, n <= 6), row-major; returns the determinant, whose sign is
 * certain where no entry of X is large. Up to n = 3 by cofactors, else by Gauss-Jordan steps with
 * pivots chosen in the first lane. Singular: X is not finite. A stays as it is. */
gdyn_lanes gdyn_lanes_inverse(int n, const gdyn_lanes *A, int width, gdyn_lanes *X);

#endif
