/* proposal_paths.h - whether machines with changed joints follow the trajectories of the case. */
#ifndef GDYN_TRAJECTORY_PROPOSAL_PATHS_H
#define GDYN_TRAJECTORY_PROPOSAL_PATHS_H

#include "casefile/casefile.h"
#include "reactions/proposals.h"

/* Follows every trajectory of the instance with every proposal, from the closed pose at which they were found, and fills their
 * outcomes: a proposal passes when it is followed as far as the machine itself and its constraints lose rank nowhere else, also
 * between the points. Those that pass come first, in their order. */
gdyn_status gdyn_proposals_follow(const gdyn_instance *instance, const gdyn_state *pose,
                                  gdyn_proposals *proposals);

#endif
