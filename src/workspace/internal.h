/* internal.h - the inside of workspace: axes and neighbours, ways from pose to pose, what the
 * drives can give. */
#pragma once

#include "access/access.h"
#include "path/path.h"
#include "workspace/field.h"

/* --- nodes.c: axes and neighbours of a field */

/* Axes, parts and numbers of nodes; false: memory. */
bool gdyn_field_open(gdyn_workspace_field *field);
/* Neighbour of a node, direction 0 to 5: down and up along x, y, z; -1: beyond the grid. */
int gdyn_node_neighbour(const gdyn_workspace_field *field, int node, int direction);

/* Poses are numbered node * orientations + orientation. Neighbour of a pose: directions 0 to 5 as
 * above, from 6 on another orientation at the same node; -1: there is none. */
int gdyn_pose_directions(const gdyn_workspace_field *field);
int gdyn_pose_neighbour(const gdyn_workspace_field *field, int pose, int direction);

/* --- capability: the largest ball of accelerations or forces that drives with limits can give */

/* Limits that bound a ball together: of r + 1 drives at most. */
enum { GDYN_BOUNDS_MOST = 8 };

typedef struct gdyn_capability {
    int count;       /* components of a, 3 at most */
    const double *D; /* k x count, column-major */
    /* Result. Negative: a = 0 is impossible, the nearest a that is possible has this size;
     * -INFINITY: none is. INFINITY: nothing bounds a. */
    double radius;
    int bounds;
    /* the limits on the nearest facet, or on those that meet in the nearest a, by drive; none where
     * the radius is infinite */
    gdyn_limit bound[GDYN_BOUNDS_MOST];
} gdyn_capability;

/* Radius of the largest ball of a with min <= C + D a + V y <= max for some y, for each of some D.
 * By elementary vectors w of V, w^T V = 0:
 *     min over w of (h(w) - w^T C) / |D^T w|,   h(w) = sum of max(w_i min_i, w_i max_i)
 * If that is negative, the distance of a = 0 to the polytope of all a with w^T (C + D a) <= h(w),
 * its sign turned. False, and NAN: more than 5,000 subsets of drives, more than 7 columns of V or
 * 32 drives, or no elementary vector (rank not below k). */
bool gdyn_capability_find(const gdyn_coefficients *q, int count, gdyn_capability *capability);

/* --- self_motion: the poses that a machine may take while its tool stays where it is: along the
 * motions that are left free.
 *
 * From a closed pose a way leads along every direction of an orthonormal basis of null([C; E]) and
 * against it, in short steps that are closed again; the direction of a step is the last one's
 * projection onto the null space there. A way ends where a given range is left, where the drives
 * lose a freedom between two steps, where a step cannot be closed, or after a turn. */

typedef struct gdyn_self_motion gdyn_self_motion;
/* NULL: memory. */
gdyn_self_motion *gdyn_self_motion_create(const gdyn_model *model, int most_targets);
void gdyn_self_motion_destroy(gdyn_self_motion *motion);

/* The tool is where the path is at p, the machine in `start`, closed there. *ways: 0 where nothing
 * is left free. */
gdyn_status gdyn_self_motion_begin(gdyn_self_motion *motion, const gdyn_path *path, double p,
                                   const gdyn_state *start, int *ways);
/* Back to the start, from which that way leads. */
void gdyn_self_motion_choose(gdyn_self_motion *motion, int way);
/* A pose of the path at p near the last one, found otherwise: whether it is within the ranges and
 * neither the path nor the drives need pass a singular pose on the way to it. Then it is the last
 * pose. */
gdyn_status gdyn_self_motion_follow(gdyn_self_motion *motion, double p, const gdyn_state *next,
                                    bool *follows);
/* The next pose of the way; false: it has ended. */
gdyn_status gdyn_self_motion_step(gdyn_self_motion *motion, bool *stepped);
const gdyn_state *gdyn_self_motion_state(const gdyn_self_motion *motion);
/* Whether a pose within the ranges is found from there for the path at another p; that pose is not
 * kept. */
gdyn_status gdyn_self_motion_reaches(gdyn_self_motion *motion, double p, bool *reaches);

/* --- visitor: one pose of a field: the way to it, and what the machine can do there. */

/* What all visitors of a field share; borrowed. */
typedef struct gdyn_visit_plan {
    const gdyn_model *model;
    const gdyn_workspace_field *field;
    gdyn_expr *const *angle; /* orientations x 3: of a path at that orientation */
} gdyn_visit_plan;

/* What is known of a pose. */
typedef struct gdyn_visit {
    gdyn_state *state; /* NULL: not reached; owned by whoever takes it */
    double value[GDYN_FIELD_VALUES];
    gdyn_node_bound accel, force;
} gdyn_visit;

/* Workspace of one thread; NULL: memory. */
typedef struct gdyn_visitor gdyn_visitor;
gdyn_visitor *gdyn_visitor_create(const gdyn_visit_plan *plan);
void gdyn_visitor_destroy(gdyn_visitor *visitor);

/* Follows the way from one pose, where the machine is in `start`, to a neighbouring one;
 * visit->state stays NULL where that cannot be done. */
gdyn_status gdyn_visitor_go(gdyn_visitor *visitor, int from, int to, const gdyn_state *start,
                            gdyn_visit *visit);
/* Whether the machine in that state keeps motions free while its tool stands in the pose, or is in
 * equilibrium, others being possible. */
gdyn_status gdyn_visitor_is_free(gdyn_visitor *visitor, int pose, const gdyn_state *state,
                                 bool *free);
/* As gdyn_visitor_go, from other poses that the machine may take where it starts, along the motions
 * that a pose of the field leaves free: an orientation that is not given, joints that move by
 * themselves. */
gdyn_status gdyn_visitor_go_about(gdyn_visitor *visitor, int from, int to, const gdyn_state *start,
                                  gdyn_visit *visit);
/* Leads the machine from `start` anywhere straight to a pose. evaluate: with its values, else its
 * state alone. */
gdyn_status gdyn_visitor_come(gdyn_visitor *visitor, int to, const gdyn_state *start, bool evaluate,
                              gdyn_visit *visit);
