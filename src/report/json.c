/* json.c - the regions document: `arc` means d2 = a d1^2 + b d1 + c between d1[0] and d1[1]. */
#include "report/report.h"

#include "report/number.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers as they are; what has no JSON number is null. */
static json_t *pair(double a, double b) {
    json_t *array = json_array();
    json_array_append_new(array, gdyn_json_number(a));
    json_array_append_new(array, gdyn_json_number(b));
    return array;
}

static json_t *active_list(const gdyn_series *series, const gdyn_limit *active, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_t *entry = json_array();
        json_array_append_new(entry,
                              json_string(gdyn_limit_name(series->row, series->rows, active[i])));
        json_array_append_new(entry, json_string(gdyn_limit_side(active[i])));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *arc_list(const gdyn_series *series, const gdyn_arc *arc, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_t *one = json_object();
        json_object_set_new(one, "d1", pair(arc[i].from, arc[i].to));
        json_object_set_new(one, "a", gdyn_json_number(arc[i].a));
        json_object_set_new(one, "b", gdyn_json_number(arc[i].b));
        json_object_set_new(one, "c", gdyn_json_number(arc[i].c));
        json_object_set_new(one, "active", active_list(series, arc[i].active, arc[i].active_count));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *certificate(const gdyn_series *series, const gdyn_certificate *proof) {
    json_t *limits = json_array();
    for (int i = 0; i < proof->count; i++) {
        json_t *limit = json_object();
        json_object_set_new(
            limit, "drive",
            json_string(gdyn_limit_name(series->row, series->rows, proof->limit[i])));
        json_object_set_new(limit, "side", json_string(gdyn_limit_side(proof->limit[i])));
        json_object_set_new(limit, "needs", gdyn_json_number(proof->needs[i]));
        json_array_append_new(limits, limit);
    }
    json_t *object = json_object();
    json_object_set_new(object, "limits", limits);
    json_object_set_new(object, "relative", gdyn_json_number(proof->relative));
    return object;
}

/* The fields a region has wherever it stands: at a point, or common to the path. */
static void add_region(json_t *object, const gdyn_series *series, const gdyn_region *region) {
    json_t *reachable = json_array();
    for (int i = 0; i < region->island_count; i++) {
        json_array_append_new(reachable, pair(region->island[i].from, region->island[i].to));
    }
    json_object_set_new(object, "d1", reachable);
    json_object_set_new(object, "upper", arc_list(series, region->upper, region->upper_count));
    json_object_set_new(object, "lower", arc_list(series, region->lower, region->lower_count));
    json_object_set_new(object, "area", gdyn_json_number(region->area));
    json_object_set_new(object, "rest",
                        region->rest ? pair(region->rest_min, region->rest_max) : json_null());
    json_object_set_new(object, "d1_max", gdyn_json_number(region->d1_max));
    json_object_set_new(object, "speed_max", gdyn_json_number(region->speed_max));
    if (region->status == GDYN_REGION_EMPTY) {
        json_object_set_new(object, "certificate", certificate(series, &region->certificate));
    }
}

static json_t *point_list(const gdyn_series *series) {
    json_t *points = json_array();
    for (int i = 0; i < series->points; i++) {
        json_t *point = json_object();
        json_object_set_new(point, "p", gdyn_json_number(series->p[i]));
        json_object_set_new(point, "status", json_string(series->status[i]));
        if (series->error) {
            json_object_set_new(point, "pose_error", gdyn_json_number(series->error[i]));
        }
        add_region(point, series, series->region[i]);
        json_array_append_new(points, point);
    }
    return points;
}

static json_t *singularity_list(const gdyn_singularities *singular) {
    json_t *list = json_array();
    for (int i = 0; i < singular->count; i++) {
        const gdyn_singularity *at = &singular->at[i];
        json_t *one = json_object();
        json_object_set_new(one, "p", pair(at->from, at->to));
        json_object_set_new(one, "within", gdyn_json_number(at->within));
        json_object_set_new(one, "served", json_integer(at->rank));
        json_object_set_new(one, "of", json_integer(singular->generic));
        json_object_set_new(one, "sigma", gdyn_json_number(at->sigma));
        json_object_set_new(one, "unserved", gdyn_json_number(at->unserved));
        json_object_set_new(one, "blocks", json_boolean(at->blocks));
        json_array_append_new(list, one);
    }
    return list;
}

static double greatest(int count, const double *value) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, value[i]);
    }
    return most;
}

static json_t *series_object(const gdyn_series *series) {
    json_t *common = json_object();
    for (int i = -1; series->criteria && (i = gdyn_criteria_next(series->criteria, i)) >= 0;) {
        json_object_set_new(common, gdyn_criterion_table[i].name,
                            gdyn_json_number(series->criteria->value[i]));
    }
    if (series->common) {
        json_t *region = json_object();
        json_object_set_new(region, "status",
                            json_string(gdyn_region_status_name(series->common->status)));
        add_region(region, series, series->common);
        json_object_set_new(common, "region", region);
    }
    json_t *object = json_object();
    json_object_set_new(object, "p_unit", json_string(series->unit));
    json_object_set_new(object, "common", common);
    if (series->singular) {
        json_object_set_new(object, "singular", singularity_list(series->singular));
    }
    if (series->error) {
        json_object_set_new(object, "pose_error",
                            gdyn_json_number(greatest(series->points, series->error)));
        json_object_set_new(object, "entered_p", gdyn_json_number(series->entered_p));
    }
    json_object_set_new(object, "points", point_list(series));
    if (series->at) {
        json_object_set_new(object, "at", point_list(series->at));
    }
    return object;
}

gdyn_status gdyn_report_regions_json(gdyn_text *out, const char *case_name, int count,
                                     const gdyn_series *series) {
    json_t *document = json_object(), *trajectories = json_object();
    json_object_set_new(document, "format", json_integer(1));
    json_object_set_new(document, "tool", json_string("globdyn"));
    json_object_set_new(document, "case", json_string(case_name));
    for (int i = 0; i < count; i++) {
        json_object_set_new(trajectories, series[i].name, series_object(&series[i]));
    }
    json_object_set_new(document, "trajectories", trajectories);
    char *text = document ? json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(document);
    if (!text) {
        return GDYN_ERROR_MEMORY;
    }
    gdyn_text_printf(out, "%s\n", text);
    free(text);
    return out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
