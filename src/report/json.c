/* json.c - the regions document: `arc` means d2 = a d1^2 + b d1 + c between d1[0] and d1[1]. */
#include "report/report.h"

#include "report/number.h"

#include <math.h>

/* Arc by arc: its interval, the parabola, the limits that are saturated on it. */
static json_t *arc_list(const gdyn_trajectory *t, const gdyn_arc *arc, int count) {
    json_t *list = gdyn_json_list();
    for (int i = 0; i < count; i++)
        gdyn_json_append(list, "d1:o a:n b:n c:n active:o", gdyn_json_pair(arc[i].from, arc[i].to),
                         arc[i].a, arc[i].b, arc[i].c,
                         gdyn_json_limits(t->row, t->rows, arc[i].active, arc[i].active_count));
    return list;
}

/* The fields a region has wherever it stands: at a point, or common to the path. */
static void add_region(json_t *object, const gdyn_trajectory *t, const gdyn_region *region) {
    /* The limits that exclude each other, and what each would have to be. */
    json_t *certificate = NULL;
    if (region->status == GDYN_REGION_EMPTY) {
        const gdyn_certificate *proof = gdyn_region_certificate(region);
        json_t *limits = gdyn_json_list();
        for (int i = 0; i < proof->count; i++)
            gdyn_json_append(limits, "drive:s side:s needs:n",
                             gdyn_limit_name(t->row, t->rows, proof->limit[i]),
                             gdyn_limit_side(proof->limit[i]), proof->needs[i]);
        certificate = gdyn_json_object("limits:o relative:n", limits, proof->relative);
    }
    /* Intervals of d1, envelopes, criteria. */
    json_t *reachable = gdyn_json_list();
    for (int i = 0; i < region->island_count; i++)
        json_array_append_new(reachable,
                              gdyn_json_pair(region->island[i].from, region->island[i].to));
    gdyn_json_add(object, "d1:o upper:o lower:o area:n rest:o d1_max:n speed_max:n certificate:?",
                  reachable, arc_list(t, region->upper, region->upper_count),
                  arc_list(t, region->lower, region->lower_count), region->area,
                  region->rest ? gdyn_json_pair(region->rest_min, region->rest_max) : json_null(),
                  region->d1_max, region->speed_max, certificate);
}

/* Point by point: together they would be many times as large as the regions. */
static void put_points(gdyn_json_writer *w, const char *key, const gdyn_trajectory *t,
                       const gdyn_region_points *at) {
    gdyn_json_open(w, key, '[');
    for (int i = 0; i < at->points; i++) {
        json_t *point = gdyn_json_object("p:n status:s pose_error:?", at->p[i], at->status[i],
                                         at->error ? gdyn_json_number(at->error[i]) : NULL);
        add_region(point, t, at->region[i]);
        gdyn_json_put(w, NULL, point);
    }
    gdyn_json_close(w, ']');
}

json_t *gdyn_json_singularities(const gdyn_singularities *singular) {
    json_t *list = gdyn_json_list();
    for (int i = 0; i < singular->count; i++) {
        const gdyn_singularity *at = &singular->at[i];
        gdyn_json_append(
            list, "p:o within:n of_constraints:b controlled:i of:i sigma:n uncontrolled:n blocks:b",
            gdyn_json_pair(at->from, at->to), at->within, at->constraints, at->rank, at->generic,
            at->sigma, at->uncontrolled, at->blocks);
    }
    return list;
}

/* What comes before the points. */
static json_t *summary_object(const gdyn_trajectory *t) {
    double error = 0;
    for (int i = 0; t->along.error && i < t->along.points; i++)
        error = fmax(error, t->along.error[i]);
    /* criteria by their names, and the region that all points have in common */
    json_t *common = gdyn_json_map();
    /* Criteria that were evaluated, in the order of the vocabulary. */
    for (int i = -1; (i = gdyn_criteria_next(&t->criteria, i)) >= 0;)
        json_object_set_new(common, gdyn_criterion_table[i].name,
                            gdyn_json_number(t->criteria.value[i]));
    if (t->common) {
        json_t *region = gdyn_json_object("status:s", gdyn_region_status_name(t->common->status));
        add_region(region, t, t->common);
        json_object_set_new(common, "region", region);
    }
    /* criteria that nothing bounds */
    json_t *unbounded = NULL;
    for (int i = -1; (i = gdyn_criteria_next(&t->criteria, i)) >= 0;)
        gdyn_json_note_unbounded(&unbounded, gdyn_criterion_table[i].name, t->criteria.value[i]);
    /* what the criteria may be wrong by for want of points, where points were inserted */
    json_t *errors = t->error ? gdyn_json_map() : NULL;
    for (int i = -1; t->error && (i = gdyn_criteria_next(t->error, i)) >= 0;)
        if (!isnan(t->error->value[i]))
            json_object_set_new(errors, gdyn_criterion_table[i].name,
                                gdyn_json_number(t->error->value[i]));
    return gdyn_json_object("p_unit:s common:o unbounded:? errors:? singular:? "
                            "pose_error:? entered_p:? null_motion:?",
                            t->unit, common, unbounded, errors,
                            t->singular ? gdyn_json_singularities(t->singular) : NULL,
                            t->along.error ? gdyn_json_number(error) : NULL,
                            t->along.error ? gdyn_json_number(t->entered_p) : NULL,
                            gdyn_json_null_motion(t->instance, t->name));
}

gdyn_status gdyn_report_regions_json(gdyn_text *out, const char *case_name, int count,
                                     const gdyn_trajectory *t) {
    gdyn_json_writer w = {.out = out, .layout = GDYN_JSON_INDENTED};
    gdyn_json_open(&w, NULL, '{');
    gdyn_json_put_members(&w, gdyn_json_document(case_name));
    gdyn_json_open(&w, "trajectories", '{');
    for (int i = 0; i < count; i++) {
        gdyn_json_open(&w, t[i].name, '{');
        gdyn_json_put_members(&w, summary_object(&t[i]));
        put_points(&w, "points", &t[i], &t[i].along);
        if (t[i].at.points > 0)
            put_points(&w, "at", &t[i], &t[i].at);
        gdyn_json_close(&w, '}');
    }
    gdyn_json_close(&w, '}'), gdyn_json_close(&w, '}');
    return gdyn_json_end(&w);
}

/* --- instead of any of them ------------------------------------------------------------------- */

gdyn_status gdyn_report_errors(gdyn_text *out, int code, int count, const gdyn_diag *error) {
    json_t *document = gdyn_json_document(NULL), *errors = gdyn_json_list();
    for (int i = 0; i < count; i++)
        gdyn_json_append(errors, "code:s message:s help:s file:s line:i column:i",
                         error[i].code.text, error[i].message, error[i].help, error[i].file,
                         error[i].line, error[i].column);
    gdyn_json_add(document, "exit:i errors:o", code, errors);
    return gdyn_json_print(document, GDYN_JSON_COMPACT, out);
}
