/* speeds.h - sets of d1 as sorted disjoint intervals: where a region is reachable, where it contains
 * d2 = 0; intersections over the points of a path (internal to access). */
#ifndef GDYN_ACCESS_SPEEDS_H
#define GDYN_ACCESS_SPEEDS_H

#include "access/access.h"

enum { GDYN_SPEEDS_MAX = 64 };

typedef struct gdyn_speeds {
    int count;
    double from[GDYN_SPEEDS_MAX], to[GDYN_SPEEDS_MAX];
} gdyn_speeds;

/* [0, infinity) */
gdyn_speeds gdyn_speeds_all(void);
/* All d1 of the islands. */
gdyn_speeds gdyn_speeds_reachable(const gdyn_region *region);
/* All d1 at which d2 = 0 is accessible. */
gdyn_speeds gdyn_speeds_steady(const gdyn_region *region);
/* a := a and b; intervals that only touch within rounding are kept. */
void gdyn_speeds_intersect(gdyn_speeds *a, const gdyn_speeds *b);
/* Greatest member, NaN when empty. */
double gdyn_speeds_greatest(const gdyn_speeds *spans);

#endif
