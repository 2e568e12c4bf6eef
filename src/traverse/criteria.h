/* criteria.h - what a trajectory costs when it is driven as fast as possible from rest to rest. */
#ifndef GDYN_TRAVERSE_CRITERIA_H
#define GDYN_TRAVERSE_CRITERIA_H

#include "access/evaluate.h"
#include "traverse/traverse.h"

/* On the points of an evaluated trajectory, without bounds and audit; cusps and corners of the path are
 * passed as gdyn_traverse_run does. Drive forces are those of least norm that keep their limits. NaN
 * where there is no motion. */
typedef struct gdyn_traverse_criteria {
    gdyn_traverse_status status;
    double blocked;    /* share of the path that lies before the place where it fails; 0: none */
    double time;       /* [s] */
    double peak_force; /* greatest drive force [N, N m] */
    double rms_force;  /* greatest root mean square over time of a drive [N, N m] */
    double energy;     /* work that the drives put in, nothing regained [J] */
    double peak_share; /* greatest share that a drive takes of its own limit in that direction */
    double rms_share;  /* greatest root mean square over time of that share */
} gdyn_traverse_criteria;

/* path: of the evaluation. */
gdyn_status gdyn_traverse_criteria_of(const gdyn_evaluation *evaluation, const gdyn_path *path,
                                      gdyn_traverse_criteria *criteria);
/* Value by name ("time", "peak_force", "rms_force", "energy",
 * "peak_share", "rms_share"); false when there is no such name. */
bool gdyn_traverse_criterion(const gdyn_traverse_criteria *criteria, const char *name,
                             double *value);
const char *const *gdyn_traverse_criteria_names(int *count);

#endif
