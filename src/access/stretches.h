/* stretches.h - what the independent methods collect before the builder makes a region of it: intervals
 * of reachable t, each with the pieces of both envelopes that were proven there. */
#ifndef GDYN_ACCESS_STRETCHES_H
#define GDYN_ACCESS_STRETCHES_H

#include "access/builder.h"

typedef struct gdyn_envelope_stretch {
    double from, to;
    gdyn_bound bound;
    bool unbounded; /* nothing limits this side */
} gdyn_envelope_stretch;

typedef struct gdyn_stretches {
    int count, capacity;
    gdyn_envelope_stretch *list; /* ascending, disjoint */
    bool failed;                 /* no memory */
} gdyn_stretches;

/* Room for that many; false: no memory. */
bool gdyn_stretches_reserve(gdyn_stretches *stretches, int count);
void gdyn_stretches_add(gdyn_stretches *stretches, gdyn_envelope_stretch stretch);
void gdyn_stretches_free(gdyn_stretches *stretches);

/* Hands [from, to] to the builder, cut wherever a piece of either side ends. Gaps between pieces are
 * rounding: the piece before lasts until the next one. */
void gdyn_stretches_build(gdyn_builder *builder, double from, double to, const gdyn_closing *left,
                          const gdyn_closing *right, const gdyn_stretches *upper,
                          const gdyn_stretches *lower);

#endif
