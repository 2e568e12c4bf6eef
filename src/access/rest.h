/* rest.h - what drives can do to a tool from rest.
 *
 * At rest, with accelerations a of the tool or external forces f on it along the axes of space,
 *     n = C + accel a + V y     or     n = C + force f + V y,   min <= n <= max.
 * Dry friction is left out: nothing of it is counted upon, and nothing has to be overcome. The
 * other coordinates that the targets prescribe are not accelerated; what they leave free moves as
 * little as possible, what no drive moves as it must. Directions in which the machine's constraints
 * do not let the tool move count as none. */
#ifndef GDYN_ACCESS_REST_H
#define GDYN_ACCESS_REST_H

#include "access/evaluate.h"

typedef struct gdyn_rest {
    /* k drives: C, V, min and max, torque-speed lines at standstill among them */
    gdyn_coefficients q;
    int axes;                    /* of space: 2 or 3 */
    const double *accel, *force; /* k x axes, column-major */
    /* The drives could balance the load, and every acceleration and force as well, if they had no
     * limits. */
    bool held, moved, carried;
    /* least over greatest singular value of the drives' map to the free motions (singularity.h) */
    double distance;
} gdyn_rest;

/* With its own storage; NULL: memory. */
gdyn_rest *gdyn_rest_create(const gdyn_model *model);
void gdyn_rest_destroy(gdyn_rest *rest);

/* At a closed pose; the first targets are the tool's coordinates along the axes. Allocates where
 * motions have no drive alone. */
gdyn_status gdyn_evaluator_rest(gdyn_evaluator *evaluator, const gdyn_state *state, int count,
                                const gdyn_target *targets, const gdyn_anchor *tool,
                                gdyn_rest *rest);

#endif
