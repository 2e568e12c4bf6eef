/* volume_curve.h - how a search gained hypervolume. */
#ifndef GDYN_STUDY_VOLUME_CURVE_H
#define GDYN_STUDY_VOLUME_CURVE_H

#include "study/study.h"

#include <stdbool.h>

typedef struct gdyn_volume_point {
    long evaluations;
    double volume; /* hypervolume; see gdyn_volume_curve */
    bool moved;    /* the reference point is another one than that of the point before */
} gdyn_volume_point;

/* A point for each generation (of many: for some, the last one among them) from the first feasible
 * design on, to free with gdyn_free; their number. Volumes are those of all designs so far, against
 * the last reference point. Where exact ones would take long (many designs with four and more
 * objectives), and while nothing is feasible, they are those that the search had of its population,
 * which do not compare where its reference point moved; *of_population says so. -1: no memory. */
int gdyn_volume_curve(const gdyn_study *study, const gdyn_study_result *result,
                      gdyn_volume_point **point, bool *of_population);
/* The same generations with the best value of the first objective among the feasible designs so far in place of the volume:
 * what a study of one objective gains. */
int gdyn_best_curve(const gdyn_study *study, const gdyn_study_result *result,
                    gdyn_volume_point **point);

#endif
