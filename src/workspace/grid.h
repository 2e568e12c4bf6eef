/* grid.h - axes and neighbours of a field (internal to workspace). */
#ifndef GDYN_WORKSPACE_GRID_H
#define GDYN_WORKSPACE_GRID_H

#include "workspace/field.h"

/* Axes, parts and numbers of nodes; false: memory. */
bool gdyn_field_open(gdyn_workspace_field *field);
/* Neighbour of a node, direction 0 to 5: down and up along x, y, z; -1: beyond the grid. */
int gdyn_node_neighbour(const gdyn_workspace_field *field, int node, int direction);

/* Poses are numbered node * orientations + orientation. Neighbour of a pose: directions 0 to 5 as above, from 6 on another
 * orientation at the same node; -1: there is none. */
int gdyn_pose_directions(const gdyn_workspace_field *field);
int gdyn_pose_neighbour(const gdyn_workspace_field *field, int pose, int direction);

#endif
