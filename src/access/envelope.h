/* envelope.h - the least of many parabolas, as a chain of arcs. */
#ifndef GDYN_ACCESS_ENVELOPE_H
#define GDYN_ACCESS_ENVELOPE_H

#include "access/circuits.h"

typedef struct gdyn_chain {
    int count, capacity;
    double *from; /* arc i holds on [from[i], from[i + 1]], the last one up to the end */
    int *curve;
    int *live; /* curves that can still come below, scratch */
} gdyn_chain;

/* Storage in the arena; gdyn_arena_failed: there is none. */
void gdyn_chain_create(gdyn_chain *chain, gdyn_arena *arena, int max_curves);

/* Least of the curves on [from, to] (to may be infinite); even: only a and c matter and from >= 0.
 */
void gdyn_envelope(const gdyn_curves *curves, bool even, double from, double to, gdyn_chain *chain);

#endif
