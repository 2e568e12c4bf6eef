/* hulls.h - distance of the convex hulls of few points (internal to clearance). */
#ifndef GDYN_CLEARANCE_HULLS_H
#define GDYN_CLEARANCE_HULLS_H

/* Distance of two segments a0 a1 and b0 b1 (points where the ends coincide), in closed form. */
double gdyn_segment_distance(const double a[2][3], const double b[2][3]);
/* Distance of the convex hulls of `as` points a and `bs` points b (at least one each); 0 where they overlap. With D
 * the greatest distance of two of their points the error is below 1e-15 D^2 / distance: rounding where they are apart,
 * 3e-8 D where they touch. */
double gdyn_hull_distance(int as, const double (*a)[3], int bs, const double (*b)[3]);

/* How far two overlapping sums of segments (a segment, a box, a point: a middle and half edges) reach into each other: the length of
 * the least translation that separates them, in space (axes 3) or in the plane of x and y (axes 2). 0 where they do not
 * overlap, or do in a set without volume (two segments that cross in space). At most six half edges in all. */
double gdyn_sum_depth(int axes, const double between[3], int edges, const double (*half)[3]);

#endif
