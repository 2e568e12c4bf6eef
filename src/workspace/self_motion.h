/* self_motion.h - the poses that a machine may take while its tool stays where it is: along the motions that are left free
 * (internal to workspace).
 *
 * From a closed pose a way leads along every direction of an orthonormal basis of null([C; E]) and against it, in short steps
 * that are closed again; the direction of a step is the last one's projection onto the null space there. A way ends where a
 * stated range is left, where the drives lose a freedom between two steps, where a step cannot be closed, or after a turn. */
#ifndef GDYN_WORKSPACE_SELF_MOTION_H
#define GDYN_WORKSPACE_SELF_MOTION_H

#include "path/path.h"

typedef struct gdyn_self_motion gdyn_self_motion;
/* NULL: memory. */
gdyn_self_motion *gdyn_self_motion_create(const gdyn_model *model, int most_targets);
void gdyn_self_motion_destroy(gdyn_self_motion *motion);

/* The tool is where the path is at p, the machine in `start`, closed there. *ways: 0 where nothing is left free. */
gdyn_status gdyn_self_motion_begin(gdyn_self_motion *motion, const gdyn_path *path, double p,
                                   const gdyn_state *start, int *ways);
/* Back to the start, from which that way leads. */
gdyn_status gdyn_self_motion_choose(gdyn_self_motion *motion, int way);
/* A pose of the path at p near the last one, found otherwise: whether it is within the ranges and neither the path nor the drives
 * need pass a singular pose on the way to it. Then it is the last pose. */
gdyn_status gdyn_self_motion_follow(gdyn_self_motion *motion, double p, const gdyn_state *next,
                                    bool *follows);
/* The next pose of the way; false: it has ended. */
gdyn_status gdyn_self_motion_step(gdyn_self_motion *motion, bool *stepped);
const gdyn_state *gdyn_self_motion_state(const gdyn_self_motion *motion);
/* Whether a pose within the ranges is found from there for the path at another p; that pose is not kept. */
gdyn_status gdyn_self_motion_reaches(gdyn_self_motion *motion, double p, bool *reaches);

#endif
