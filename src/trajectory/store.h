/* store.h - what is known of a trajectory, owned by it, and the passes (internal). */
#ifndef GDYN_TRAJECTORY_STORE_H
#define GDYN_TRAJECTORY_STORE_H

#include "base/memory.h"
#include "trajectory/coefficients.h"
#include "trajectory/trajectory.h"

typedef struct gdyn_trajectory_store {
    gdyn_arena *arena; /* arrays that the trajectory points to */
    gdyn_sink sink;
    gdyn_path *path;
    gdyn_closure *closure; /* its own, or NULL */
    gdyn_track *track;
    gdyn_evaluation *evaluation;
    gdyn_singularities singular; /* where it is not the evaluation that finds them */
    gdyn_probe *probe;
    int along, at; /* regions of their own: of a table, of --at */
    gdyn_region **own_along, **own_at;
    gdyn_region *common;
    gdyn_coefficient_points table;
    const char *filename; /* of the table */
    gdyn_traverse *traverse;
} gdyn_trajectory_store;

/* The closure that follows the path. */
gdyn_status gdyn_trajectory_closure(gdyn_trajectory *t, gdyn_closure **closure);
/* Passes: TRACK, REGIONS, LOCAL, APPROACH (regions.c); FAILURE (examination.c); DYNAMICS, PLAN, FORCES (motion.c). */
gdyn_status gdyn_trajectory_sweep(gdyn_trajectory *t, unsigned passes);
gdyn_status gdyn_trajectory_describe(gdyn_trajectory *t, unsigned passes);
gdyn_status gdyn_trajectory_drive(gdyn_trajectory *t, unsigned passes);
gdyn_status gdyn_trajectory_plan(gdyn_trajectory *t, unsigned passes);
gdyn_status gdyn_trajectory_share(gdyn_trajectory *t, unsigned passes);

/* What the limit rows and windows of a machine limit. */
gdyn_status gdyn_trajectory_name_limits(gdyn_trajectory *t);

#endif
