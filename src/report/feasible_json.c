/* feasible_json.c - the verdict on a given motion as one document. */
#include "report/traverse_document.h"

#include "report/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put(json_t *object, const char *name, double value) {
    json_object_set_new(object, name, gdyn_json_number(value));
}

static json_t *violation(const gdyn_judged *j, const gdyn_violation *v) {
    if (v->at < 0) {
        return json_null();
    }
    json_t *object = json_object();
    const gdyn_shares *shares = &v->shares;
    const gdyn_sample *place = &j->place[v->at];
    put(object, "p", place->p);
    put(object, "t", place->t);
    put(object, "d1", place->d1);
    put(object, "d2", place->d2);
    bool there = shares->found == GDYN_POINT_OK;
    json_object_set_new(object, "assembled", json_boolean(there));
    put(object, "violation", there ? shares->violation : NAN);
    put(object, "half_range", v->half_range);
    put(object, "amount", v->amount);
    const char *drive = gdyn_limit_name(j->driven->row, j->driven->rows, shares->worst);
    json_object_set_new(object, "drive", there ? json_string(drive) : json_null());
    json_object_set_new(object, "side",
                        there ? json_string(gdyn_limit_side(shares->worst)) : json_null());
    return object;
}

static json_t *margin_place(const gdyn_judged *j) {
    const gdyn_feasibility *r = j->result;
    if (r->margin_at < 0) {
        return json_null();
    }
    json_t *object = json_object();
    put(object, "p", j->place[r->margin_at].p);
    put(object, "t", j->place[r->margin_at].t);
    json_object_set_new(
        object, "drive",
        json_string(gdyn_limit_name(j->driven->row, j->driven->rows, r->margin_limit)));
    json_object_set_new(object, "side", json_string(gdyn_limit_side(r->margin_limit)));
    return object;
}

gdyn_status gdyn_report_feasible_json(gdyn_text *out, const char *case_name, const gdyn_judged *j) {
    const gdyn_feasibility *r = j->result;
    json_t *document = json_object();
    json_object_set_new(document, "format", json_integer(1));
    json_object_set_new(document, "tool", json_string("globdyn"));
    json_object_set_new(document, "case", json_string(case_name));
    json_object_set_new(document, "trajectory", json_string(j->driven->name));
    json_object_set_new(document, "units", gdyn_traverse_json_units(j->driven));
    json_object_set_new(document, "feasible", json_boolean(r->feasible));
    json_object_set_new(document, "samples", json_integer(j->driven->traverse->points));
    json_object_set_new(document, "places", json_integer(j->places));
    json_object_set_new(document, "first", violation(j, &r->first));
    json_object_set_new(document, "worst", violation(j, &r->worst));
    put(document, "slowdown", r->slowdown);
    put(document, "margin", r->margin);
    json_object_set_new(document, "margin_limit", margin_place(j));
    put(document, "singular", r->singular);
    json_object_set_new(document, "unassembled", json_integer(r->unfollowed));
    json_object_set_new(document, "continuity", gdyn_traverse_json_continuity(j->driven));
    json_object_set_new(document, "smoothing", gdyn_traverse_json_smoothing(j->driven));
    char *text = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(document);
    if (!text) {
        return GDYN_ERROR_MEMORY;
    }
    gdyn_text_append(out, text, strlen(text));
    gdyn_text_append(out, "\n", 1);
    free(text);
    return out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}
