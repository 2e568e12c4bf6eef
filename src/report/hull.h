/* hull.h - the convex hull of a few points, as polygons to draw (internal to report). */
#ifndef GDYN_REPORT_HULL_H
#define GDYN_REPORT_HULL_H

enum { GDYN_HULL_POINTS = 16, GDYN_HULL_POLYGONS = 2 * GDYN_HULL_POINTS };

typedef struct gdyn_hull {
    int polygons;
    int size[GDYN_HULL_POLYGONS];                     /* corners; 2: a segment */
    int corner[GDYN_HULL_POLYGONS][GDYN_HULL_POINTS]; /* indices of points, in order around */
} gdyn_hull;

/* Points on one line give a segment, points in one plane one polygon, others the faces. `length` is
 * the scale below whose 1e-6 points count as lying in a plane or on a line. */
void gdyn_hull_make(gdyn_hull *hull, int count, const double (*at)[3], double length);

#endif
