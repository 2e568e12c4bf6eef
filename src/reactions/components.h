/* components.h - forces and moments of a joint in its own frame (internal to reactions).
 *
 * The reaction is what b exerts on a, as a force at the joint's point on a and a moment. Its
 * generalized force on a is C_X^T lambda_X restricted to the velocities of a, so a component is
 * w^T lambda_X with one number per row of the joint. Axes (right-handed, at the pose):
 *   most joints   z along the axis fixed in b, x and y its normals (fixed in b)
 *   planar        x along the axis fixed in b (revolute: b's own x), z out of the plane
 *   universal     x along the axis in b, y along the axis in a, z across: the one locked rotation
 *   rod           x along the rod;  knife edge: x along its normal
 *   rolling, point_on_plane, planar joint: z along the plane's normal; rolling: at the contact
 *   generic, spherical  the axes of b
 * Gears and motions have no frame: their component is the multiplier. */
#ifndef GDYN_REACTIONS_COMPONENTS_H
#define GDYN_REACTIONS_COMPONENTS_H

#include "mech/mech.h"
#include "model/kinds.h"

enum { GDYN_COMPONENTS_MOST = 12 };

typedef struct gdyn_component {
    const char *name; /* "fx" ... "mz", or a row's name */
    /* 0..2 force along x, y, z; 3..5 moment; 6..11: the same along the ground's axes; -1: a
     * multiplier */
    int axis;
    int row; /* axis -1: which row of C */
} gdyn_component;

/* The components of a joint, the same at every pose; returns their number. ground: those along the
 * ground's axes follow, all of them where the joint carries a force, where it carries a moment. */
int gdyn_components_of(const gdyn_model *model, int joint, bool ground, gdyn_component list[]);
/* Weights w (rows, zero elsewhere) of a component at a pose: value = w^T lambda. C (rows x n). */
void gdyn_component_weights(const gdyn_state *state, int joint, const gdyn_component *component,
                            const double *C, double *w);
/* Point and axes (columns of E, column-major) of the joint's frame at a pose, in ground axes. */
void gdyn_joint_frame_at(const gdyn_state *state, int joint, double point[3], double E[9]);
/* What axes are, in words; "" for those of a gear, which has no frame, and what a space has not. */
const char *gdyn_joint_axes_words(gdyn_joint_axes axes, gdyn_space space);

#endif
