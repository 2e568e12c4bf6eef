/* reversal.h - places of a path where dry friction or a process force changes at once (a joint
 * turns, begins to move or comes to rest), and where the path's own bounds of the speed do. */
#ifndef GDYN_PATH_REVERSAL_H
#define GDYN_PATH_REVERSAL_H

#include "path/place.h"

typedef struct gdyn_reversals {
    int count, capacity;
    /* count, ascending: the first p (to 1e-12 of the path) where the new heading holds */
    double *p;
    double near; /* this far before it the old one does */
} gdyn_reversals;

/* Looks between the regular points of the place's track: where a heading differs from one to the
 * next, and where a rate falls and rises again in between, so that it may have turned twice. Empty
 * for a machine without dry forces on a path without such bounds. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_reversals_find(gdyn_path_place *place, gdyn_reversals *reversals);
void gdyn_reversals_free(gdyn_reversals *reversals);

#endif
