/* visitor.h - one pose of a field: the way to it, and what the machine can do there (internal to workspace). */
#ifndef GDYN_WORKSPACE_VISITOR_H
#define GDYN_WORKSPACE_VISITOR_H

#include "workspace/field.h"

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

/* Follows the way from one pose, where the machine is in `start`, to a neighbouring one; visit->state stays NULL where that
 * cannot be done. */
gdyn_status gdyn_visitor_go(gdyn_visitor *visitor, int from, int to, const gdyn_state *start,
                            gdyn_visit *visit);
/* Whether the machine in that state keeps motions free while its tool stands in the pose, or is in equilibrium, others being possible. */
gdyn_status gdyn_visitor_is_free(gdyn_visitor *visitor, int pose, const gdyn_state *state,
                                 bool *free);
/* As gdyn_visitor_go, from other poses that the machine may take where it starts, along the motions that a pose of the field leaves
 * free: an orientation that is not stated, joints that move by themselves. */
gdyn_status gdyn_visitor_go_about(gdyn_visitor *visitor, int from, int to, const gdyn_state *start,
                                  gdyn_visit *visit);
/* Leads the machine from `start` anywhere straight to a pose. evaluate: with its values, else its state alone. */
gdyn_status gdyn_visitor_come(gdyn_visitor *visitor, int to, const gdyn_state *start, bool evaluate,
                              gdyn_visit *visit);

#endif
