/* probe.h - regions and criteria at any value of p of an evaluated trajectory. */
#ifndef GDYN_ACCESS_PROBE_H
#define GDYN_ACCESS_PROBE_H

#include "base/api.h"
#include "access/evaluate.h"
#include "path/place.h"

GDYN_API_BEGIN

/* Regions at any value of p of an evaluated trajectory. */
typedef struct gdyn_probe {
    const gdyn_path *path;
    const gdyn_evaluation *evaluation;
    gdyn_evaluator *evaluator;
    gdyn_access *access;
    /* Answers of the last gdyn_probe_at: */
    gdyn_path_place *place;
    gdyn_pose *pose;
    gdyn_region *region;
    gdyn_criteria criteria;
    gdyn_point_status status;
} gdyn_probe;

gdyn_probe *gdyn_probe_create(const gdyn_path *path, const gdyn_evaluation *evaluation);
void gdyn_probe_destroy(gdyn_probe *probe);
gdyn_status gdyn_probe_at(gdyn_probe *probe, double p, const gdyn_evaluation_settings *settings);

GDYN_API_END

#endif
