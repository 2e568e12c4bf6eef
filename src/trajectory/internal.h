/* internal.h - inside this folder: contents of a trajectory, passes, tables, legs of modes. */
#pragma once

#include "base/memory.h"
#include "trajectory/trajectory.h"

/* --- coefficients.c --------------------------------------------------------------------------- */

typedef struct gdyn_coefficient_points {
    gdyn_dimension p_dimension, force_dimension; /* given, else: a pure number; unknown */
    int points, k, equalities;                   /* equalities: most of a point */
    double *p;                                   /* points */
    gdyn_coefficients *q;                        /* points */
    char **drive;                                /* k: names */
    const char **unit;                           /* k: "N", "N m"; "": not known */
    double *rate;     /* k: the smallest of all points; NULL: none is limited */
    int trajectories; /* in the file */
    char *trajectory; /* name of this one; NULL: it has none */
} gdyn_coefficient_points;

/* Reads a trajectory of the table into the arena. */
gdyn_status gdyn_coefficient_points_read(gdyn_coefficient_points *table, gdyn_arena *arena,
                                         const char *filename, int number, const gdyn_sink *sink);

/* --- trajectory.c, passes.c, regions.c, motion.c ---------------------------------------------- */

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
/* TRACK, REGIONS, LOCAL, APPROACH: regions.c; FAILURE: examination.c; the others: motion.c. */
gdyn_status gdyn_trajectory_sweep(gdyn_trajectory *t, unsigned passes);
gdyn_status gdyn_trajectory_describe(gdyn_trajectory *t, unsigned passes);
gdyn_status gdyn_trajectory_drive(gdyn_trajectory *t, unsigned passes);
gdyn_status gdyn_trajectory_plan(gdyn_trajectory *t, unsigned passes);
gdyn_status gdyn_trajectory_share(gdyn_trajectory *t, unsigned passes);

/* Loads of the drives, by the forces of the samples. */
gdyn_status gdyn_trajectory_load(gdyn_trajectory *t);
/* What the limit rows and windows of a machine limit. */
gdyn_status gdyn_trajectory_name_limits(gdyn_trajectory *t);

/* --- mirror.c, reach.c ------------------------------------------------------------------------ */

/* Numbers the legs: parts of the machine that hang together once the ground and the held bodies are
 * taken away. leg (bodies): the number, -1 for held bodies. Their count. */
int gdyn_legs_of(const gdyn_model *model, const bool *held, int *leg);
/* Mirrors that leg of the closed pose `from` in `to`, a copy of it. False (nothing is moved): the
 * leg has not exactly two ends, or these and the axis of its first joint span no plane. */
bool gdyn_mirror_leg(const gdyn_state *from, const int *leg, int which, gdyn_state *to);

/* A box in ground axes for the centre of gravity of every body: low, high (3 per body each) contain
 * the centre at `state`, and all that chains of joints and drives to the ground and to the bodies
 * of `fixed` (bodies: those stay where they are) leave. held: drives have the lengths that they
 * have at `state`. Slides that nothing holds count with their range, or with L more than they are
 * at `state`. A body without such a chain has L / 2 about its centre. */
gdyn_status gdyn_reach_boxes(const gdyn_state *state, const bool *fixed, bool held, double *low,
                             double *high);
