/* playback.h - a given motion along a path as the drive forces of a simulation: it is played, and
 * what the simulated machine misses of the path is seen. */
#pragma once

#include "simulate/simulate.h"
#include "trajectory/trajectory.h"

typedef struct gdyn_playback {
    const gdyn_trajectory *t;
    const gdyn_motion_table *motion;
    gdyn_sharer *sharer;
    int way;                       /* the present one: from this sample to the next */
    double begin;                  /* time of the first sample: t = 0 of the simulation */
    gdyn_state *start;             /* the machine at the first sample */
    gdyn_start_velocity *velocity; /* bodies: their velocities there */
} gdyn_playback;

/* The trajectory (of a machine, after gdyn_trajectory_drive) and the motion (with times) are
 * borrowed. Close it in any case. GDYN_ERROR_NUMERIC: the machine cannot be at the first sample. */
gdyn_status gdyn_playback_open(gdyn_playback *playback, const gdyn_trajectory *t,
                               const gdyn_motion_table *motion);
/* Start pose and velocities alone: on the trajectory at p (NAN: its beginning) with dp/dt = d1.
 * GDYN_ERROR_ARGUMENT: p is not on it; GDYN_ERROR_NUMERIC: the machine cannot start there. */
gdyn_status gdyn_playback_stand(gdyn_playback *playback, gdyn_trajectory *t, double p, double d1,
                                gdyn_point_status *found);
void gdyn_playback_close(gdyn_playback *playback);

/* Of a simulation: duration, forces, start velocities; its start pose is playback->start. */
void gdyn_playback_define(gdyn_playback *playback, gdyn_simulation_def *def);
/* Where the present way ends [s]: forces may jump there, so that no step is to lead across. */
double gdyn_playback_end(const gdyn_playback *playback);
/* Distances of the worst prescribed length [m] and angle [rad] from the path at t; NAN: none. */
gdyn_status gdyn_playback_miss(const gdyn_playback *playback, double t, const gdyn_state *state,
                               double miss[2]);

/* --- planned.c: whether the forces in a motion's file are those that it needs here */

typedef struct gdyn_planned {
    int rows;    /* of the file that were compared; 0: it gives no forces */
    int row;     /* limit row of the drive whose force differs most, -1: none does */
    double t, p; /* there; t NAN: not known */
    double force,
        /* in the file, and what drives the motion here, as near to it as can be [N or N m] */
        needed;
} gdyn_planned;

/* Columns DRIVE.force of all drives beside p, d1, d2; redundant drives may share the load in any
 * way. The trajectory is of a machine and ready for motions. What is wrong with the file was
 * reported when its motion was read: then nothing is found. */
gdyn_status gdyn_planned_compare(const gdyn_trajectory *t, const char *filename, gdyn_planned *out);
