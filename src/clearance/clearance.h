/* clearance.h - how near the given shapes of a machine come to each other: in a pose, and along a
 * path.
 *
 * A shape is the convex hull of a few points fixed in a body (or, of a drive's line, in two), grown
 * by a radius: a capsule has two points, a sphere one, a box eight. The clearance of two shapes is
 * the distance of the hulls less both radii; negative where they overlap, by exactly the length of
 * the smallest translation that separates them (in the plane: within it). Not compared: shapes of
 * one body, of bodies that a joint connects or that are hinged to one point of a third, a drive's
 * line and the bodies it ends on, and two lines that end at one point; rules about pairs (model.h)
 * change that. */
#pragma once

#include "base/api.h"
#include "mech/mech.h"
#include "path/path.h"

GDYN_API_BEGIN

typedef struct gdyn_clearance gdyn_clearance; /* workspace; the model is borrowed */
/* NULL: memory is out. */
gdyn_clearance *gdyn_clearance_create(const gdyn_model *model);
void gdyn_clearance_destroy(gdyn_clearance *clearance);
/* Pairs of shapes that are compared. */
int gdyn_clearance_pairs(const gdyn_clearance *clearance);

/* The nearest pair. */
typedef struct gdyn_near {
    double distance;   /* clearance [m]; INFINITY: no pair is compared */
    int first, second; /* shapes of the model; -1 */
    double p;          /* along a path; NAN: no point is followed */
} gdyn_near;

/* In a pose. Allocates nothing. */
gdyn_near gdyn_clearance_at(gdyn_clearance *clearance, const gdyn_state *state);
/* Along a followed path, between its points too: around every point with less clearance than its
 * neighbours, as far as it may come below what is known, by a dozen steps of the golden section.
 * Two approaches between neighbouring points count as one. */
gdyn_status gdyn_clearance_along(gdyn_clearance *clearance, const gdyn_path *path,
                                 const gdyn_track *track, gdyn_near *near);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* No pair. */
gdyn_near gdyn_near_none(void);
/* The body or drive that a shape belongs to; "ground". */
const char *gdyn_shape_owner(const gdyn_model *model, int shape);

/* Distance of the convex hulls of few points (internal to clearance). */

/* Distance of two segments a0 a1 and b0 b1 (points where the ends coincide), in closed form. */
double gdyn_segment_distance(const double a[2][3], const double b[2][3]);
/* Distance of the convex hulls of `as` points a and `bs` points b (at least one each); 0 where they
 * overlap. With D the largest distance of two of their points the error is below 1e-15 D^2 /
 * distance: rounding where they are apart, 3e-8 D where they touch. */
double gdyn_hull_distance(int as, const double (*a)[3], int bs, const double (*b)[3]);

/* How far two overlapping sums of segments (a segment, a box, a point: a middle and half edges)
 * reach into each other: the length of the smallest translation that separates them, in space (axes
 * 3) or in the plane of x and y (axes 2). 0 where they do not overlap, or do in a set without
 * volume (two segments that cross in space). At most six half edges in all. */
double gdyn_sum_depth(int axes, const double between[3], int edges, const double (*half)[3]);
