/* planned.h - whether the forces that the file of a motion states are those that the motion needs
 * on this machine. */
#ifndef GDYN_TRAJECTORY_PLANNED_H
#define GDYN_TRAJECTORY_PLANNED_H

#include "trajectory/trajectory.h"

typedef struct gdyn_planned {
    int rows;    /* of the file that were compared; 0: it states no forces */
    int row;     /* limit row of the drive whose force differs most, -1: none does */
    double t, p; /* there; t NAN: not known */
    double force,
        needed; /* in the file, and what drives the motion here, as near to it as can be [N or N m] */
} gdyn_planned;

/* Columns DRIVE.force of all drives beside p, d1, d2; redundant drives may share the load in any
 * way. The trajectory is of a machine and ready for motions. What is wrong with the file was told
 * when its motion was read: then nothing is found. */
gdyn_status gdyn_planned_compare(const gdyn_trajectory *t, const char *filename, gdyn_planned *out);

#endif
