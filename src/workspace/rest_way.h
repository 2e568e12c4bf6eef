/* rest_way.h - ways of a tool through poses in which the applied forces hold what no drive moves (internal to workspace).
 *
 * Poses are those of access/analysis.h, stable ones alone. From one to the next the way is the motion through poses in
 * equilibrium (of least norm where balance leaves more than one), in steps whose prediction Newton's method has to correct
 * by little: where the equilibrium ends or another branch is met, the way ends. */
#ifndef GDYN_WORKSPACE_REST_WAY_H
#define GDYN_WORKSPACE_REST_WAY_H

#include "workspace/self_motion.h"

/* The equilibrium at p next to the pose in `state`, which then is it; search: from many poses. False: none is stable. */
gdyn_status gdyn_rest_way_begin(const gdyn_path *path, double p, bool search, gdyn_state *state,
                                bool *found);
/* From the equilibrium in `state` at p = from to that at p = to, within all ranges and across no singular pose of the path or the
 * drives; steps are watched by `watch`. */
gdyn_status gdyn_rest_way_follow(gdyn_self_motion *watch, const gdyn_path *path, double from,
                                 double to, gdyn_state *state, bool *reached);

#endif
