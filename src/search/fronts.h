/* fronts.h - non-dominated sorting, crowding, thinning. Points are columns of F (m x count); all
 * objectives are minimized; a dominates b when a <= b in every objective and a < b in one. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Workspace for up to `capacity` points with m objectives; nothing allocates below its create. */
typedef struct gdyn_fronts gdyn_fronts;
gdyn_fronts *gdyn_fronts_create(int capacity, int m);
void gdyn_fronts_destroy(gdyn_fronts *fronts);

/* Sorts index[count] so that the points F[:, index] ascend lexicographically from objective `first`
 * on (cyclically: first, first + 1, ..., first - 1); ties by index. scratch: count. */
void gdyn_fronts_order(const double *F, int m, int first, int count, int *index, int *scratch);

bool gdyn_fronts_dominates(const double *a, const double *b, int m);

/* front[i] = number of the front of point i, 0 the best; returns how many fronts there are. Two
 * objectives by a sweep in O(n log n), more by an efficient sort with binary search. */
int gdyn_fronts_sort(gdyn_fronts *fronts, const double *F, int count, int *front);

/* Crowding distances of the `count` points member[] (columns of F) of one front, written to
 * crowding[member[i]]. Ends of the front get INFINITY, further copies of a point 0. Removes the
 * most crowded points one at a time, with the distances of their neighbours renewed after each
 * removal (Kukkonen and Deb 2006), until `keep` are left; they stand first in member[] afterwards.
 */
void gdyn_fronts_thin(gdyn_fronts *fronts, const double *F, int count, int *member, int keep,
                      double *crowding);

/* The same by distances to the nearest neighbours, in objectives scaled by the front: of the two
 * nearest points one goes, that with the nearer other neighbour (as in SPEA2; Zitzler, Laumanns,
 * Thiele 2001). The best point in each objective stays. crowding[]: distance to the nearest
 * neighbour left, INFINITY for those. O(count^2). */
void gdyn_fronts_part(gdyn_fronts *fronts, const double *F, int count, int *member, int keep,
                      double *crowding);

/* The same for many objectives, by diversity over proximity (AGE-MOEA; Panichella 2019): the point
 * with the smallest sum of distances to its two nearest neighbours, as a share of its own distance
 * from the ideal point, goes. Distances from the ideal are norms whose exponent makes the front a
 * unit sphere. The points nearest to the axes give the scale and stay, too. */
void gdyn_fronts_spread(gdyn_fronts *fronts, const double *F, int count, int *member, int keep,
                        double *crowding);

/* --- directions: evenly spread directions of the positive orthant (Das and Dennis 1998). */

/* All points of the unit simplex in m coordinates whose coordinates are multiples of 1/divisions;
 * with fewer divisions than coordinates they all lie on the rim, and an inner layer of one division
 * less, shrunk by half towards the centre, is added (Deb and Jain 2014). */

/* Compositions of `divisions` into m parts, in lexicographic order, into Z (m x count); their
 * count. */
int gdyn_compositions(double *Z, int m, int divisions);
/* Number of such points, or 0 when it exceeds `most`. */
int gdyn_directions_count(int m, int divisions, int most);
/* Maximum number of divisions, at least 1, whose points are no more than `most`. */
int gdyn_directions_divisions(int m, int most);
/* Writes the points as columns of Z (m x gdyn_directions_count). */
void gdyn_directions(double *Z, int m, int divisions);
