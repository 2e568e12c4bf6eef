/* mirror.h - legs of a machine, mirrored (internal to trajectory). */
#ifndef GDYN_TRAJECTORY_MIRROR_H
#define GDYN_TRAJECTORY_MIRROR_H

#include "mech/mech.h"

/* Numbers the legs: parts of the machine that hang together once the ground and the held bodies are taken away. leg
 * (bodies): the number, -1 for held bodies. Their count. */
int gdyn_legs_of(const gdyn_model *model, const bool *held, int *leg);
/* Mirrors that leg of the closed pose `from` in `to`, a copy of it. False (nothing is moved): the leg has not exactly
 * two ends, or these and the axis of its first joint span no plane. */
bool gdyn_mirror_leg(const gdyn_state *from, const int *leg, int which, gdyn_state *to);

#endif
