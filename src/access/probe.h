/* probe.h - regions and criteria at any value of p of an evaluated trajectory. */
#ifndef GDYN_ACCESS_PROBE_H
#define GDYN_ACCESS_PROBE_H

#include "base/api.h"
#include "access/evaluate.h"

GDYN_API_BEGIN

typedef struct gdyn_probe gdyn_probe; /* workspace */
/* The path and its evaluation are borrowed. */
gdyn_probe *gdyn_probe_create(const gdyn_path *path, const gdyn_evaluation *evaluation);
void gdyn_probe_destroy(gdyn_probe *probe);

/* The answer at one p; what it points to holds until the next one. */
typedef struct gdyn_probed {
    gdyn_point_status status;
    const gdyn_region *region; /* unknown unless the status is OK */
    gdyn_criteria criteria;
    const gdyn_state *state; /* the pose; the best one found where it cannot be closed */
    double error;            /* estimated error of the pose (shares of L, rad) */
} gdyn_probed;
/* p lies in the path's range (GDYN_ERROR_ARGUMENT elsewhere). */
gdyn_status gdyn_probe_at(gdyn_probe *probe, double p, const gdyn_evaluation_settings *settings,
                          gdyn_probed *answer);

GDYN_API_END

#endif
