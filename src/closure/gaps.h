/* gaps.h - which joints are open at a pose that does not close, and by how much. */
#ifndef GDYN_CLOSURE_GAPS_H
#define GDYN_CLOSURE_GAPS_H

#include "mech/mech.h"

typedef struct gdyn_gap {
    int joint;
    double amount; /* of its worst row [m] or [rad] */
    bool length;   /* a length */
} gdyn_gap;

/* The joints that are open by at least a tenth of the worst one (rows as shares of L, or radians),
 * the worst one first, then in the order of the machine: the first `most` of them into list; *count
 * is how many. */
gdyn_status gdyn_gaps_find(const gdyn_state *state, int most, gdyn_gap *list, int *count);
/* Joints whose axes must be parallel or at right angles and miss that by more than 30 degrees at
 * the first guess: an axis in a wrong frame. The first `most` of them; *count is how many. */
gdyn_status gdyn_gaps_axes_across(const gdyn_model *model, int most, int *joint, int *count);

#endif
