/* store.h - what the report of a trajectory owns (internal). */
#ifndef GDYN_TRAJECTORY_STORE_H
#define GDYN_TRAJECTORY_STORE_H

#include "base/memory.h"
#include "trajectory/coefficients.h"
#include "trajectory/trajectory.h"

typedef struct gdyn_trajectory_store {
    gdyn_arena *arena; /* arrays that the report points to */
    gdyn_path *path;
    gdyn_evaluation *evaluation;
    int along, at; /* regions of their own: of a table, of --at */
    gdyn_region **own_along, **own_at;
    gdyn_region *common;
    gdyn_coefficient_points table;
    const char *filename; /* of the table */
    gdyn_traverse *traverse;
} gdyn_trajectory_store;

/* What the limit rows and windows of a machine limit. */
gdyn_status gdyn_trajectory_name_limits(gdyn_trajectory *t);

#endif
