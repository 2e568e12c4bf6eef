/* compare.h - studies of one problem against each other, by their fronts. */
#ifndef GDYN_STUDY_COMPARE_H
#define GDYN_STUDY_COMPARE_H

#include "base/api.h"
#include "study/study.h"

GDYN_API_BEGIN

/* Whether both have the same objectives: names and senses. */
bool gdyn_same_objectives(const gdyn_instance *a, const gdyn_instance *b);

/* Objectives of a front, all to be minimized (m x designs, column-major); to be freed with gdyn_free. NULL: no
 * memory. */
double *gdyn_front_objectives(const gdyn_study *study, const gdyn_archive *front);
/* Hypervolumes of several fronts, m x count[i] each, against one reference point: a tenth of their common range behind
 * the worst of all. 0 for a front without members. */
gdyn_status gdyn_common_hypervolumes(int fronts, const int *count, const double *const *F, int m,
                                     double *volume);
/* Share of the b members of B that one of the a members of A dominates or equals (Zitzler, Thiele 1999). */
double gdyn_coverage(const double *A, int a, const double *B, int b, int m);

GDYN_API_END

#endif
