/* reach.h - where floating bodies can be while legs and held drives hold them (internal to trajectory). */
#ifndef GDYN_TRAJECTORY_REACH_H
#define GDYN_TRAJECTORY_REACH_H

#include "mech/mech.h"

/* A box in ground axes for the centre of gravity of every body: low, high (3 per body each) contain the centre at `state`, and all
 * that chains of joints and drives to the ground and to the bodies of `fixed` (bodies: those stay where they are) leave.
 * held: drives have the lengths that they have at `state`. Slides that nothing holds count with their range, or with L more
 * than they are at `state`. A body without such a chain has L / 2 about its centre. */
gdyn_status gdyn_reach_boxes(const gdyn_state *state, const bool *fixed, bool held, double *low,
                             double *high);

#endif
