/* volume_curve.h - how a search gained hypervolume. */
#ifndef GDYN_STUDY_VOLUME_CURVE_H
#define GDYN_STUDY_VOLUME_CURVE_H

#include "study/study.h"

typedef struct gdyn_volume_point {
    long evaluations;
    double volume; /* hypervolume of the first so many designs, against the last reference point */
} gdyn_volume_point;

/* A point for each generation (of many: for some, the last one among them) from the first feasible
 * design on, to free with gdyn_free; their number. None while nothing is feasible, when memory is
 * out, or when exact volumes would take long (many designs with four and more objectives). */
int gdyn_volume_curve(const gdyn_study *study, const gdyn_study_result *result,
                      gdyn_volume_point **point);

#endif
