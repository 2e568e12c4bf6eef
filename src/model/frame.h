/* frame.h - the geometry of a joint as its rows and motions need it (internal to model). */
#ifndef GDYN_MODEL_FRAME_H
#define GDYN_MODEL_FRAME_H

#include "model/data.h"

typedef struct gdyn_joint_geometry {
    int a, b;
    double sa[3], sb[3];       /* points relative to centres of gravity */
    double ua[3], ub[3];       /* axis in a, in b */
    double na[2][3], nb[2][3]; /* normals that complete the axes; equal components in both frames
                     when the axes are, so that coordinates are zero when frames align */
} gdyn_joint_geometry;

gdyn_joint_geometry gdyn_joint_geometry_of(const gdyn_machine *machine, const gdyn_joint_def *def);
/* An anchor relative to the centre of gravity of its body (the ground: to its origin), body
 * axes. */
void gdyn_anchor_offset(const gdyn_machine *machine, const gdyn_anchor *anchor, double s[3]);

#endif
