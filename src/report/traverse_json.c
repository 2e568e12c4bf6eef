/* traverse_json.c - fastest motions as one document. */
#include "report/traverse_document.h"

#include "report/number.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *limit_list(const gdyn_driven *d, const gdyn_limit *limit, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_t *entry = json_array();
        json_array_append_new(entry, json_string(gdyn_limit_name(d->row, d->rows, limit[i])));
        json_array_append_new(entry, json_string(gdyn_limit_side(limit[i])));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *forces(const gdyn_driven *d, int i) {
    json_t *object = json_object();
    for (int row = 0; row < d->rows; row++) {
        int at = i * d->rows + row;
        if (!json_object_get(object, d->row[row].name)) { /* a curve's lines repeat the drive */
            json_t *three = json_array();
            json_array_append_new(three, gdyn_json_number(d->shared->n[at]));
            json_array_append_new(three, gdyn_json_number(d->shared->low[at]));
            json_array_append_new(three, gdyn_json_number(d->shared->high[at]));
            json_object_set_new(object, d->row[row].name, three);
        }
    }
    return object;
}

static json_t *profile(const gdyn_driven *d) {
    json_t *list = json_array();
    const gdyn_traverse *t = d->traverse;
    for (int i = 0; i < t->points && t->status == GDYN_TRAVERSE_OK; i++) {
        const gdyn_motion_point *point = &t->point[i];
        json_t *one = json_object();
        json_object_set_new(one, "p", gdyn_json_number(point->p));
        json_object_set_new(one, "t", gdyn_json_number(point->t));
        json_object_set_new(one, "d1", gdyn_json_number(point->d1));
        json_object_set_new(one, "d2", gdyn_json_number(point->d2));
        json_object_set_new(one, "d2_before", gdyn_json_number(point->d2_before));
        json_object_set_new(one, "limit", limit_list(d, point->limit, point->limit_count));
        if (d->shared->points > 0) {
            json_object_set_new(one, "forces", forces(d, i));
        }
        json_array_append_new(list, one);
    }
    return list;
}

/* What the times of motions come near to, but do not reach. */
static json_t *infimum(const gdyn_driven *d) {
    const gdyn_traverse *t = d->traverse;
    if (t->status != GDYN_TRAVERSE_OK || t->leaps == 0) {
        return json_null();
    }
    json_t *object = json_object(), *bounds = json_array(), *leaps = json_array();
    for (int i = 0; i < 2; i++) {
        json_array_append_new(bounds, gdyn_json_number(t->infimum[i]));
    }
    for (int i = 0; i < t->leaps; i++) {
        const gdyn_leap *leap = &t->leap[i];
        json_t *one = json_object(), *p = json_array(), *d1 = json_array();
        json_array_append_new(p, gdyn_json_number(leap->p));
        json_array_append_new(p, gdyn_json_number(leap->p_end));
        json_array_append_new(d1, gdyn_json_number(leap->d1_from));
        json_array_append_new(d1, gdyn_json_number(leap->d1_to));
        json_object_set_new(one, "p", p);
        json_object_set_new(one, "d1", d1);
        json_object_set_new(one, "limits", limit_list(d, leap->limit, leap->limit_count));
        json_array_append_new(leaps, one);
    }
    json_object_set_new(object, "time_bounds", bounds);
    json_object_set_new(object, "leaps", leaps);
    return object;
}

static json_t *certificate(const gdyn_driven *d) {
    const gdyn_traverse *t = d->traverse;
    if (t->status == GDYN_TRAVERSE_OK) {
        return json_null();
    }
    json_t *object = json_object(), *place = json_array(), *needs = json_array();
    json_array_append_new(place, gdyn_json_number(t->place));
    json_array_append_new(place, gdyn_json_number(t->place_end));
    json_object_set_new(object, "p", place);
    json_object_set_new(object, "limits",
                        limit_list(d, t->certificate.limit, t->certificate.count));
    for (int i = 0; i < t->certificate.count; i++) {
        json_array_append_new(needs, gdyn_json_number(t->certificate.needs[i]));
    }
    json_object_set_new(object, "needs", needs);
    json_object_set_new(
        object, "relaxation",
        gdyn_json_number(t->status == GDYN_TRAVERSE_RATE ? t->rate_excess : t->relaxation));
    if (t->status == GDYN_TRAVERSE_START) {
        json_t *start = json_array();
        json_array_append_new(start, gdyn_json_number(t->start_low));
        json_array_append_new(start, gdyn_json_number(t->start_high));
        json_object_set_new(object, "start_speeds", start);
    }
    return object;
}

/* How the force of every drive changes. */
json_t *gdyn_traverse_json_continuity(const gdyn_driven *d) {
    const gdyn_shared *s = d->shared;
    if (s->points == 0) {
        return json_null();
    }
    json_t *object = json_object();
    for (int row = 0; row < s->rows; row++) {
        const gdyn_change *c = &s->change[row];
        if (!(s->unit[row] > 0)) { /* a curve's lines repeat the drive */
            continue;
        }
        json_t *one = json_object(), *p = json_array();
        json_object_set_new(one, "half_range", gdyn_json_number(s->half_range[row]));
        json_object_set_new(one, "unit", gdyn_json_number(s->unit[row]));
        json_object_set_new(one, "step", gdyn_json_number(c->step));
        json_object_set_new(one, "step_needed", gdyn_json_number(c->needed));
        for (int k = 0; k < 2 && c->at >= 0; k++) {
            json_array_append_new(p, gdyn_json_number(d->traverse->point[c->at + k].p));
        }
        json_object_set_new(one, "step_p", p);
        json_object_set_new(one, "jump", gdyn_json_number(c->jump));
        json_object_set_new(one, "jump_needed", gdyn_json_number(c->jump_needed));
        json_object_set_new(one, "jump_p", gdyn_json_number(c->jump_p));
        json_object_set_new(one, "jump_t", gdyn_json_number(c->jump_t));
        json_object_set_new(one, "jump_of_motion", json_boolean(c->by_motion));
        json_object_set_new(object, d->row[row].name, one);
    }
    return object;
}

json_t *gdyn_traverse_json_smoothing(const gdyn_driven *d) {
    if (!(d->smooth > 0) || d->shared->points == 0) {
        return json_null();
    }
    json_t *object = json_object();
    json_object_set_new(object, "time", gdyn_json_number(d->smooth));
    json_object_set_new(object, "done", json_boolean(d->shared->smoothed));
    json_object_set_new(object, "roughness_before", gdyn_json_number(d->shared->before));
    json_object_set_new(object, "roughness", gdyn_json_number(d->shared->after));
    return object;
}

/* The greatest rate of every drive's force, its limit and where it is. */
static json_t *rates(const gdyn_driven *d) {
    if (!d->rate || !d->traverse->force) {
        return json_null();
    }
    json_t *object = json_object();
    for (int row = 0; row < d->rows; row++) {
        int at = gdyn_driven_fastest(d, row);
        if (at < 0 || json_object_get(object, d->row[row].name)) {
            continue;
        }
        json_t *one = json_object();
        json_object_set_new(one, "limit", gdyn_json_number(d->rate[row]));
        json_object_set_new(one, "greatest", gdyn_json_number(fabs(gdyn_driven_rate(d, row, at))));
        json_object_set_new(one, "p", gdyn_json_number(d->traverse->point[at].p));
        json_object_set_new(object, d->row[row].name, one);
    }
    return object;
}

json_t *gdyn_traverse_json_units(const gdyn_driven *d) {
    json_t *object = json_object(), *drives = json_object();
    gdyn_words d1 = gdyn_criterion_unit(GDYN_CRITERION_D1_MAX, d->unit, "");
    gdyn_words d2 = gdyn_criterion_unit(GDYN_CRITERION_D2_MAX, d->unit, "");
    json_object_set_new(object, "t", json_string("s"));
    json_object_set_new(object, "p", json_string(d->unit));
    json_object_set_new(object, "d1", json_string(d1.text));
    json_object_set_new(object, "d2", json_string(d2.text));
    for (int row = 0; row < d->rows; row++) {
        json_object_set_new(drives, d->row[row].name, json_string(d->row[row].unit));
    }
    json_object_set_new(object, "drives", drives);
    return object;
}

static json_t *one_trajectory(const gdyn_driven *d) {
    const gdyn_traverse *t = d->traverse;
    json_t *object = json_object(), *bounds = json_array();
    json_array_append_new(bounds, gdyn_json_number(t->lower));
    json_array_append_new(bounds, gdyn_json_number(t->upper));
    json_object_set_new(object, "status", json_string(gdyn_traverse_status_name(t->status)));
    json_object_set_new(object, "units", gdyn_traverse_json_units(d));
    json_object_set_new(object, "time", gdyn_json_number(t->time));
    json_object_set_new(object, "time_bounds", bounds);
    json_object_set_new(object, "infimum", infimum(d));
    json_object_set_new(object, "converged", json_boolean(t->converged));
    json_object_set_new(object, "pose_error_effect", gdyn_json_number(t->drift));
    json_object_set_new(object, "violation", gdyn_json_number(t->violation));
    json_object_set_new(object, "profile", profile(d));
    json_t *dwells = json_array();
    for (int i = 0; i < d->traverse->dwells; i++) {
        json_array_append_new(
            dwells, json_pack("[f, f]", d->traverse->dwell[i][0], d->traverse->dwell[i][1]));
    }
    json_object_set_new(object, "dwells", dwells);
    json_t *stops = json_array();
    for (int i = 0; i < d->traverse->jumps; i++) {
        json_array_append_new(stops, gdyn_json_number(d->traverse->jump[i]));
    }
    json_object_set_new(object, "friction_stops", stops);
    json_object_set_new(object, "certificate", certificate(d));
    json_object_set_new(object, "continuity", gdyn_traverse_json_continuity(d));
    json_object_set_new(object, "rates", rates(d));
    json_object_set_new(object, "smoothing", gdyn_traverse_json_smoothing(d));
    return object;
}

gdyn_status gdyn_report_traverse_json(gdyn_text *out, const char *case_name, int count,
                                      const gdyn_driven *driven) {
    json_t *document = json_object(), *all = json_object();
    json_object_set_new(document, "format", json_integer(1));
    json_object_set_new(document, "tool", json_string("globdyn"));
    json_object_set_new(document, "case", json_string(case_name));
    for (int i = 0; i < count; i++) {
        json_object_set_new(all, driven[i].name, one_trajectory(&driven[i]));
    }
    json_object_set_new(document, "trajectories", all);
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
