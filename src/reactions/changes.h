/* changes.h - what a joint may become (internal to reactions). */
#ifndef GDYN_REACTIONS_CHANGES_H
#define GDYN_REACTIONS_CHANGES_H

#include "reactions/proposals.h"

enum { GDYN_OPTIONS_MOST = 16 };

/* Changes of a joint at a pose that release it, gentlest first, leaving it out last; their number.
 * What drives, springs, gears and motions refer to stays. */
int gdyn_joint_changes(const gdyn_state *state, int joint,
                       gdyn_joint_change list[GDYN_OPTIONS_MOST]);

#endif
