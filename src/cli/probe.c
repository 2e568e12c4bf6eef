/* probe.c - regions at any value of p: the machine is moved from the nearest point of the track in a
 * few steps of Newton, then evaluated there exactly. */
#include "cli/analysis.h"

#include "base/memory.h"

#include <math.h>

enum { STEPS = 4, EQUALITIES_MAX = 4 };

/* Limit rows a pose can have at most: one per drive, two per point of its torque-speed line. */
static int most_rows(const gdyn_model *model) {
    int rows = 0;
    for (int i = 0; i < gdyn_model_drives(model); i++) {
        rows += 1 + 2 * gdyn_model_drive(model, i)->curve_points;
    }
    return rows;
}

gdyn_probe *gdyn_probe_create(const gdyn_path *path, const gdyn_evaluation *evaluation) {
    const gdyn_model *model = gdyn_state_model(evaluation->track->state[0]);
    size_t n = (size_t)gdyn_model_coordinates(model);
    gdyn_probe *probe = gdyn_alloc(1, sizeof *probe);
    if (!probe) {
        return NULL;
    }
    probe->path = path;
    probe->evaluation = evaluation;
    probe->closure = gdyn_closure_create(model, gdyn_path_targets(path));
    probe->evaluator = gdyn_evaluator_create(model);
    probe->access = gdyn_access_create(most_rows(model), gdyn_model_drives(model), EQUALITIES_MAX);
    probe->targets = gdyn_alloc((size_t)gdyn_path_targets(path) + 1, sizeof *probe->targets);
    probe->u_p = gdyn_alloc(n + 1, sizeof *probe->u_p);
    probe->u_pp = gdyn_alloc(n + 1, sizeof *probe->u_pp);
    probe->state = gdyn_state_create(model);
    probe->pose = gdyn_pose_create(model);
    probe->region = gdyn_region_create();
    if (!probe->closure || !probe->evaluator || !probe->access || !probe->targets || !probe->u_p ||
        !probe->u_pp || !probe->state || !probe->pose || !probe->region) {
        gdyn_probe_destroy(probe);
        return NULL;
    }
    return probe;
}

void gdyn_probe_destroy(gdyn_probe *probe) {
    if (!probe) {
        return;
    }
    gdyn_closure_destroy(probe->closure);
    gdyn_evaluator_destroy(probe->evaluator);
    gdyn_access_destroy(probe->access);
    gdyn_free(probe->targets);
    gdyn_free(probe->u_p);
    gdyn_free(probe->u_pp);
    gdyn_state_destroy(probe->state);
    gdyn_pose_destroy(probe->pose);
    gdyn_region_destroy(probe->region);
    gdyn_free(probe);
}

/* The assembled point of the track nearest to p, -1 when there is none. */
static int nearest(const gdyn_track *track, double p) {
    int best = -1;
    for (int i = 0; i < track->points; i++) {
        if (track->status[i] == GDYN_POINT_OK &&
            (best < 0 || fabs(track->p[i] - p) < fabs(track->p[best] - p))) {
            best = i;
        }
    }
    return best;
}

/* Closes the machine at p and takes the path derivatives there. */
static gdyn_status move_to(gdyn_probe *probe, double p) {
    const gdyn_track *track = probe->evaluation->track;
    int from = nearest(track, p), count = gdyn_path_targets(probe->path);
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closure_info info;
    gdyn_closure_rates rates;
    settings.method = GDYN_CLOSURE_NEWTON;
    probe->status = GDYN_POINT_UNASSEMBLED;
    if (from < 0) {
        return GDYN_OK;
    }
    gdyn_state_copy(probe->state, track->state[from]);
    for (int i = 1; i <= STEPS; i++) {
        double at = i == STEPS ? p : track->p[from] + (p - track->p[from]) * i / STEPS;
        gdyn_path_evaluate(probe->path, at, probe->targets);
        gdyn_status status = gdyn_closure_solve(probe->closure, probe->state, count, probe->targets,
                                                &settings, &info);
        if (status != GDYN_OK || info.outcome != GDYN_CLOSED) {
            return status;
        }
        gdyn_state_accept(probe->state);
    }
    const double *weights = gdyn_path_definition(probe->path)->weights;
    gdyn_status status =
        gdyn_closure_derivatives(probe->closure, probe->state, count, probe->targets, weights,
                                 probe->u_p, probe->u_pp, &rates);
    probe->status = rates.misfit > 1e-7 ? GDYN_POINT_SINGULAR : GDYN_POINT_OK;
    return status;
}

gdyn_status gdyn_probe_at(gdyn_probe *probe, double p, const gdyn_evaluation_settings *settings) {
    const gdyn_path_def *def = gdyn_path_definition(probe->path);
    probe->region->status = GDYN_REGION_UNKNOWN;
    probe->region->island_count = probe->region->upper_count = probe->region->lower_count = 0;
    gdyn_status status = move_to(probe, p);
    if (status != GDYN_OK || probe->status != GDYN_POINT_OK) {
        return status;
    }
    status = gdyn_evaluator_pose(probe->evaluator, probe->state, probe->u_p, probe->u_pp,
                                 settings->reduction, probe->pose);
    if (status == GDYN_OK) {
        status = gdyn_access_region(probe->access, &probe->pose->coefficients, settings->projection,
                                    probe->region);
        probe->circuits = gdyn_access_circuits(probe->access);
    }
    if (status == GDYN_OK && settings->local) {
        status = gdyn_evaluator_criteria(
            probe->evaluator, probe->state, gdyn_path_targets(probe->path), probe->targets,
            def->tools ? &def->tool[0].of : NULL, probe->pose, &probe->local);
    }
    return status;
}

/* Fills point i of the analysis from the probe. */
static gdyn_status take_point(gdyn_analysis *analysis, int i, double p, gdyn_probe *probe,
                              const gdyn_evaluation_settings *settings) {
    gdyn_status status = gdyn_probe_at(probe, p, settings);
    if (status == GDYN_OK) {
        status = gdyn_region_copy(analysis->region[i], probe->region);
    }
    bool known = probe->status == GDYN_POINT_OK;
    analysis->p[i] = p;
    analysis->speed_row[i] = known ? probe->pose->coefficients.d1_high_drive : -1;
    analysis->status[i] = known ? gdyn_region_status_name(probe->region->status)
                                : gdyn_point_status_name(probe->status);
    return status;
}

int gdyn_analyse_at(const gdyn_analysis *whole, int count, const double *p,
                    const gdyn_evaluation_settings *settings, gdyn_analysis *analysis) {
    gdyn_probe *probe = gdyn_probe_create(whole->path, whole->evaluation);
    gdyn_status status = GDYN_OK;
    *analysis = (gdyn_analysis){0};
    analysis->region = gdyn_alloc((size_t)count + 1, sizeof(gdyn_region *));
    if (!probe || !analysis->region ||
        !gdyn_analysis_reserve(analysis, count, whole->series.rows, 0)) {
        status = GDYN_ERROR_MEMORY;
    }
    for (int i = 0; status == GDYN_OK && i < count; i++) {
        analysis->region[i] = gdyn_region_create();
        status = analysis->region[i] ? take_point(analysis, i, p[i], probe, settings)
                                     : GDYN_ERROR_MEMORY;
    }
    if (status == GDYN_OK) {
        analysis->series.name = whole->series.name;
        analysis->series.unit = whole->series.unit;
        analysis->series.row_name = whole->series.row_name;
        analysis->series.common = whole->series.common;
        analysis->series.region = (const gdyn_region *const *)analysis->region;
    } else {
        gdyn_cli_error("trajectory '%s': %s", whole->series.name, gdyn_status_text(status));
    }
    gdyn_probe_destroy(probe);
    return gdyn_exit_code(status);
}
