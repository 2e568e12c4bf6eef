/* analysis.c - evaluates a trajectory and arranges it for the reports. */
#include "cli/analysis.h"

#include "base/memory.h"
#include "cli/interrupt.h"
#include "cli/limits.h"

#include <math.h>

bool gdyn_analysis_reserve(gdyn_analysis *analysis, int points, int rows) {
    size_t n = (size_t)points + 1;
    analysis->p = gdyn_alloc(n, sizeof *analysis->p);
    analysis->status = gdyn_alloc(n, sizeof *analysis->status);
    analysis->row = gdyn_alloc((size_t)rows + 1, sizeof *analysis->row);
    analysis->series.points = points;
    analysis->series.rows = rows;
    analysis->series.p = analysis->p;
    analysis->series.status = analysis->status;
    analysis->series.row = analysis->row;
    return analysis->p && analysis->status && analysis->row;
}

void gdyn_analysis_destroy(gdyn_analysis *analysis) {
    for (int i = 0; analysis->region && i < analysis->series.points; i++) {
        gdyn_region_destroy(analysis->region[i]);
    }
    for (int i = 0; analysis->text && analysis->text[i]; i++) {
        gdyn_free(analysis->text[i]);
    }
    gdyn_free(analysis->text);
    gdyn_region_destroy(analysis->common);
    gdyn_free(analysis->region);
    gdyn_free(analysis->p);
    gdyn_free(analysis->error);
    gdyn_free(analysis->status);
    gdyn_free(analysis->row);
    gdyn_evaluation_destroy(analysis->evaluation);
    gdyn_path_destroy(analysis->path);
    *analysis = (gdyn_analysis){0};
}

bool gdyn_analysis_accessible(const gdyn_analysis *analysis) {
    const gdyn_singularities *singular = analysis->series.singular;
    if (singular && gdyn_singularities_block(singular, -INFINITY, INFINITY)) {
        return false;
    }
    for (int i = 0; i < analysis->series.points; i++) {
        if (analysis->series.region[i]->island_count == 0) {
            return false;
        }
    }
    return true;
}

/* Limit rows carry the names of their drives; they are the same at every pose. */
static int row_count(const gdyn_evaluation *evaluation) {
    for (int i = 0; i < evaluation->track->points; i++) {
        if (evaluation->track->status[i] == GDYN_POINT_OK) {
            return evaluation->pose[i]->coefficients.k;
        }
    }
    return 0;
}

static void name_rows(gdyn_analysis *analysis, const gdyn_instance *instance) {
    const gdyn_track *track = analysis->evaluation->track;
    for (int i = 0; i < track->points; i++) {
        const gdyn_pose *pose = analysis->evaluation->pose[i];
        bool known = track->status[i] == GDYN_POINT_OK;
        for (int row = 0; known && row < analysis->series.rows; row++) {
            analysis->row[row] = gdyn_limited_row_of(instance, row, pose->row_drive[row]);
        }
        analysis->p[i] = track->p[i];
        analysis->status[i] = known
                                  ? gdyn_region_status_name(analysis->evaluation->region[i]->status)
                                  : gdyn_point_status_name(track->status[i]);
    }
}

static gdyn_status arrange(gdyn_analysis *analysis, const gdyn_instance *instance,
                           const gdyn_path_def *def) {
    const gdyn_evaluation *evaluation = analysis->evaluation;
    if (!gdyn_analysis_reserve(analysis, evaluation->track->points, row_count(evaluation))) {
        return GDYN_ERROR_MEMORY;
    }
    analysis->series.name = def->name;
    analysis->series.unit = gdyn_path_unit_of_p(def);
    analysis->series.region = (const gdyn_region *const *)evaluation->region;
    analysis->series.common = evaluation->common;
    analysis->series.singular = &evaluation->singular;
    analysis->series.error = evaluation->track->error;
    analysis->series.entered_p = evaluation->track->entered_p;
    name_rows(analysis, instance);
    analysis->criteria = evaluation->criteria;
    analysis->series.criteria = &analysis->criteria;
    return GDYN_OK;
}

int gdyn_analyse(const gdyn_opened *opened, int trajectory,
                 const gdyn_evaluation_settings *settings, gdyn_analysis *analysis) {
    *analysis = (gdyn_analysis){0};
    gdyn_stage("trajectory '%s' of %s", opened->instance->trajectory[trajectory].name,
               opened->filename);
    int code = gdyn_open_path(opened, trajectory, &analysis->path);
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    gdyn_status status = GDYN_ERROR_MEMORY;
    analysis->evaluation = gdyn_evaluation_create(opened->instance->model, analysis->path);
    if (analysis->evaluation) {
        status = gdyn_evaluation_run(analysis->evaluation, analysis->path, settings);
    }
    if (status == GDYN_OK) {
        status = arrange(analysis, opened->instance, &opened->instance->trajectory[trajectory]);
    }
    const char *name = opened->instance->trajectory[trajectory].name;
    if (status == GDYN_ERROR_ARGUMENT && settings->projection == GDYN_BY_TUPLES) {
        gdyn_cli_error("trajectory '%s': more combinations of drives than --method tuples takes; "
                       "elementary and lp have no such bound",
                       name);
        return GDYN_EXIT_NUMERIC;
    }
    if (status != GDYN_OK) {
        gdyn_cli_error("trajectory '%s': %s", name, gdyn_status_text(status));
    }
    return gdyn_exit_code(status);
}
