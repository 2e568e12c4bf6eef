/* at.c - the places of --at as an analysis of their own. */
#include "cli/analysis.h"

#include "base/memory.h"

/* Fills point i of the analysis from the probe. */
static gdyn_status take_point(gdyn_analysis *analysis, int i, double p, gdyn_probe *probe,
                              const gdyn_evaluation_settings *settings) {
    gdyn_status status = gdyn_probe_at(probe, p, settings);
    if (status == GDYN_OK) {
        status = gdyn_region_copy(analysis->region[i], probe->region);
    }
    bool known = probe->status == GDYN_POINT_OK;
    analysis->p[i] = p;
    analysis->error[i] = probe->place->error;
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
    analysis->error = gdyn_alloc((size_t)count + 1, sizeof *analysis->error);
    if (!probe || !analysis->region || !analysis->error ||
        !gdyn_analysis_reserve(analysis, count, whole->series.rows)) {
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
        analysis->series.row = whole->series.row;
        analysis->series.common = whole->series.common;
        analysis->series.error = analysis->error;
        analysis->series.entered_p = whole->series.entered_p;
        analysis->series.region = (const gdyn_region *const *)analysis->region;
    } else {
        gdyn_cli_error("trajectory '%s': %s", whole->series.name, gdyn_status_text(status));
    }
    gdyn_probe_destroy(probe);
    return gdyn_exit_code(status);
}
