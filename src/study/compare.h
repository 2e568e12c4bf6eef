/* compare.h - studies of one problem against each other, by their fronts. */
#ifndef GDYN_STUDY_COMPARE_H
#define GDYN_STUDY_COMPARE_H

#include "study/study.h"

/* Whether both have the same objectives: names and senses. */
bool gdyn_same_objectives(const gdyn_instance *a, const gdyn_instance *b);

/* Objectives of a front, all to be minimized (m x designs, column-major); to be freed with gdyn_free. NULL: no
 * memory. */
double *gdyn_front_objectives(const gdyn_study *study, const gdyn_archive *front);
/* Hypervolumes of several fronts, m x count[i] each, against one reference point: a tenth of their common range behind
 * the worst of all. 0 for a front without members. */
gdyn_status gdyn_common_hypervolumes(int fronts, const int *count, const double *const *F, int m,
                                     double *volume);

/* A front among others: which group of the same objectives it belongs to, and its hypervolume within the group. */
typedef struct gdyn_grouped_front {
    const char *goals; /* gdyn_study_goals; NULL: not known, in no group */
    int m, count;
    const double *F; /* m x count, to be minimized */
    int group;       /* 0, 1, ... in the order of first appearance; -1: none */
    double volume;   /* gdyn_common_hypervolumes of the group; 0 without a group */
} gdyn_grouped_front;

/* Groups fronts by their goals and measures each group against one reference point. Number of groups; -1: no memory. */
int gdyn_group_fronts(int fronts, gdyn_grouped_front *front);
/* What a study optimizes, "minimize mass machine.mass; ...": studies with the same text have comparable hypervolumes.
 * To be freed with gdyn_free. NULL: no memory. */
char *gdyn_study_goals(const gdyn_study *study);

/* Share of the b members of B that one of the a members of A dominates or equals (Zitzler, Thiele 1999). */
double gdyn_coverage(const double *A, int a, const double *B, int b, int m);

#endif
