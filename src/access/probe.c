/* probe.c - regions at any value of p. */
#include "access/probe.h"

#include "access/folding.h"
#include "base/memory.h"
#include "path/place.h"

#include <math.h>

enum { EQUALITIES_MAX = 4 };

struct gdyn_probe {
    const gdyn_path *path;
    const gdyn_evaluation *evaluation;
    gdyn_evaluator *evaluator;
    gdyn_access *access;
    gdyn_path_place *place;
    gdyn_pose *pose;
    gdyn_region *region;
};

/* Workspaces for one place at a time. */
gdyn_probe *gdyn_probe_create(const gdyn_path *path, const gdyn_evaluation *evaluation) {
    const gdyn_model *model = gdyn_state_model(evaluation->track->state[0]);
    gdyn_probe *probe = gdyn_alloc(1, sizeof *probe);
    if (!probe)
        return NULL;
    probe->path = path;
    probe->evaluation = evaluation;
    probe->place = gdyn_path_place_create(path, evaluation->track);
    probe->evaluator = gdyn_evaluator_create(model);
    probe->access =
        gdyn_access_create(gdyn_pose_capacity(model), gdyn_pose_efforts(model), EQUALITIES_MAX);
    probe->pose = gdyn_pose_create(model);
    probe->region = gdyn_region_create();
    if (!probe->place || !probe->evaluator || !probe->access || !probe->pose || !probe->region) {
        gdyn_probe_destroy(probe);
        return NULL;
    }
    return probe;
}

/* Safe on a partly made object. */
void gdyn_probe_destroy(gdyn_probe *probe) {
    if (!probe)
        return;
    gdyn_path_place_destroy(probe->place);
    gdyn_evaluator_destroy(probe->evaluator);
    gdyn_access_destroy(probe->access);
    gdyn_pose_destroy(probe->pose);
    gdyn_region_destroy(probe->region);
    gdyn_free(probe);
}

/* Region and criteria where the machine stands. */
static gdyn_status evaluate(gdyn_probe *probe, const gdyn_evaluation_settings *settings,
                            gdyn_criteria *criteria) {
    const gdyn_path_def *def = gdyn_path_definition(probe->path);
    const gdyn_track *track = probe->evaluation->track;
    gdyn_path_place *at = probe->place;
    /* as at the points of the path (evaluate.c): exact rests, the side of p */
    gdyn_track_rest(track, at->u_p, at->u_pp);
    const gdyn_path_rates rates = gdyn_track_rates_at(track, at->p, at->u_p, at->u_pp);
    gdyn_status status =
        gdyn_evaluator_pose(probe->evaluator, at->state, &rates, settings->reduction, probe->pose);
    /* region, criteria of the region, criteria of the pose */
    if (status == GDYN_OK) {
        status = gdyn_access_region(probe->access, &probe->pose->coefficients, settings->projection,
                                    probe->region);
    }
    if (status == GDYN_OK) {
        gdyn_pose_criteria(probe->pose, criteria);
        gdyn_region_criteria(probe->region, criteria);
        criteria->value[GDYN_CRITERION_CIRCUITS] = gdyn_access_circuits(probe->access);
    }
    if (status == GDYN_OK && settings->local) {
        status = gdyn_evaluator_criteria(probe->evaluator, at->state, gdyn_path_asked(probe->path),
                                         at->targets, def->tools ? &def->tool[0].of : NULL,
                                         probe->pose, criteria);
    }
    return status;
}

/* What is asked at p; the answer's status says how far it came. */
gdyn_status gdyn_probe_at(gdyn_probe *probe, double p, const gdyn_evaluation_settings *settings,
                          gdyn_probed *answer) {
    gdyn_path_place *at = probe->place;
    /* the last answer is gone */
    probe->region->status = GDYN_REGION_UNKNOWN;
    probe->region->island_count = probe->region->upper_count = probe->region->lower_count = 0;
    gdyn_status status = gdyn_path_place_at(at, p);
    *answer = (gdyn_probed){.status = at->status,
                            .region = probe->region,
                            .criteria = gdyn_criteria_none(),
                            .state = at->state,
                            .error = at->error};
    /* reach and margin are known even without a region */
    answer->criteria.value[GDYN_CRITERION_REACH] = at->status == GDYN_POINT_OK;
    if (at->status == GDYN_POINT_OK || at->status == GDYN_POINT_RANGE)
        answer->criteria.value[GDYN_CRITERION_MARGIN] = gdyn_track_margin(at->track, at->state);
    return status == GDYN_OK && at->status == GDYN_POINT_OK
               ? evaluate(probe, settings, &answer->criteria)
               : status;
}
