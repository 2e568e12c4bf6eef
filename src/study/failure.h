/* failure.h - why a design has no values (internal to study).
 *
 * A failure has a stage, in the order of the work (a machine that cannot be built is worse than a path that cannot be
 * followed, and that is worse than a region that is empty), and an amount between 0 and 1 that grows with the distance
 * from a design without it. Their sum is what a search minimizes among designs that fail. */
#ifndef GDYN_STUDY_FAILURE_H
#define GDYN_STUDY_FAILURE_H

#include "access/evaluate.h"
#include "path/path.h"
#include "study/study.h"
#include "traverse/criteria.h"

enum { GDYN_STAGE_NONE = -1, GDYN_STAGE_CLOSED, GDYN_STAGE_UNASSEMBLED, GDYN_STAGE_FAILED };

typedef struct gdyn_failure {
    int stage;
    double amount; /* 0 .. 1 */
    gdyn_design_status status;
    char reason[sizeof((gdyn_design *)0)->reason];
} gdyn_failure;

/* x / (1 + x): maps a distance to 0 .. 1. */
double gdyn_saturate(double x);
gdyn_failure gdyn_failure_make(int stage, double amount, gdyn_design_status status,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));

/* `name`: of the trajectory. The machine cannot be closed even without the path. */
gdyn_failure gdyn_failure_never_closed(const char *name, const gdyn_path *path, double residual);
/* The path is not followed from end to end: not assembled, singular, beyond stated ranges. places: where it is
 * singular, or NULL. */
gdyn_failure gdyn_failure_of_path(const gdyn_model *model, const char *name,
                                  const gdyn_track *track, const gdyn_singularities *places);
/* The drives lose a freedom on the way, or the constraints rank. */
gdyn_failure gdyn_failure_singular(const char *name, const gdyn_singularity *block,
                                   const gdyn_track *track);
/* Nothing is accessible at some points. */
gdyn_failure gdyn_failure_empty(const char *name, const gdyn_evaluation *e);
/* The criterion (its row in the vocabulary) has this value, which is none. */
gdyn_failure gdyn_failure_of_criterion(const char *name, int row, double value,
                                       const gdyn_evaluation *e, const gdyn_fastest *motion);
/* Points at which nothing is accessible; 0 where regions were not asked for. */
int gdyn_empty_points(const gdyn_evaluation *e);

#endif
