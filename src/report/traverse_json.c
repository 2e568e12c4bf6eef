/* traverse_json.c - fastest motions as one document, the verdict on a given motion as another. */
#include "report/report.h"

#include "base/memory.h"
#include "report/number.h"

#include <math.h>
#include <string.h>

static json_t *limits(const gdyn_trajectory *t, const gdyn_limit *limit, int count) {
    return gdyn_json_limits(t->row, t->rows, limit, count);
}

/* --- what both have --------------------------------------------------------------------------- */

/* Units of the numbers; "" where there is none or it is not known. */
static json_t *units(const gdyn_trajectory *t) {
    json_t *drives = gdyn_json_map();
    for (int row = 0; row < t->rows; row++)
        json_object_set_new(drives, t->row[row].name, json_string(t->row[row].unit));
    gdyn_words d1 = gdyn_criterion_unit(GDYN_CRITERION_D1_MAX, t->unit, "");
    gdyn_words d2 = gdyn_criterion_unit(GDYN_CRITERION_D2_MAX, t->unit, "");
    return gdyn_json_object("t:s p:s d1:s d2:s drives:o", "s", t->unit, d1.text, d2.text, drives);
}

/* How the force of every drive changes; null without forces. */
static json_t *continuity(const gdyn_trajectory *t) {
    const gdyn_shared *s = &t->shared;
    if (s->points == 0)
        return json_null();
    json_t *object = gdyn_json_map();
    /* A drive by its name; step_p is empty where its force never changes. */
    for (int row = 0; row < s->rows; row++) {
        const gdyn_change *c = &s->change[row];
        if (!(s->unit[row] > 0)) /* a curve's lines repeat the drive */
            continue;
        const gdyn_motion_point *at = c->at >= 0 ? &t->traverse->point[c->at] : NULL;
        json_object_set_new(
            object, t->row[row].name,
            gdyn_json_object("half_range:n unit:n step:n step_needed:n step_p:o jump:n "
                             "jump_needed:n jump_p:n jump_t:n jump_of_motion:b",
                             s->half_range[row], s->unit[row], c->step, c->needed,
                             at ? gdyn_json_pair(at[0].p, at[1].p) : gdyn_json_list(), c->jump,
                             c->jump_needed, c->jump_p, c->jump_t, c->by_motion));
    }
    return object;
}

json_t *gdyn_json_drives(const gdyn_trajectory *t) {
    if (!t->load)
        return json_null();
    json_t *object = gdyn_json_map();
    for (int row = 0; row < t->rows; row++) {
        const gdyn_drive_load *l = &t->load[row];
        const gdyn_peak *f = &l->force, *v = &l->speed, *power = &l->power, *r = &l->reserve;
        const char *of = l->by_speed ? "speed" : gdyn_limited_word(&t->row[row]);
        if (l->known)
            json_object_set_new(
                object, t->row[row].name,
                gdyn_json_object("peak:n peak_p:n peak_t:n rms:n speed:n speed_p:n speed_t:n "
                                 "power:n power_p:n power_t:n reserve:n reserve_p:n reserve_t:n "
                                 "reserve_of:s",
                                 f->value, f->p, f->t, l->rms, v->value, v->p, v->t, power->value,
                                 power->p, power->t, r->value, r->p, r->t,
                                 isfinite(r->value) ? of : NULL));
    }
    return object;
}

/* null when nothing was to be evened out. */
static json_t *smoothing(const gdyn_trajectory *t) {
    if (!(t->sharing.smooth > 0) || t->shared.points == 0)
        return json_null();
    return gdyn_json_object("time:n done:b roughness_before:n roughness:n", t->sharing.smooth,
                            t->shared.smoothed, t->shared.before, t->shared.after);
}

/* --- the fastest motion ----------------------------------------------------------------------- */

/* Force, minimum and maximum force of every drive at point i. */
static void put_forces(gdyn_json_writer *w, const gdyn_trajectory *t, const bool *first, int i) {
    const gdyn_shared *s = &t->shared;
    gdyn_json_open(w, "forces", '{');
    for (int row = 0; row < t->rows; row++) {
        int at = i * t->rows + row;
        const double three[] = {s->n[at], s->low[at], s->high[at]};
        if (first[row])
            gdyn_json_put_numbers(w, t->row[row].name, 3, three);
    }
    gdyn_json_close(w, '}');
}

/* The motion's points; none without a motion. Each is written and forgotten. */
static void put_profile(gdyn_json_writer *w, const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    bool *first = gdyn_alloc((size_t)t->rows + 1, sizeof *first);
    w->failed |= !first;
    /* The rows that stand for drives: a curve's lines repeat the drive. */
    for (int row = 0; row < t->rows && first; row++) {
        first[row] = true;
        for (int before = 0; before < row; before++)
            first[row] &= strcmp(t->row[before].name, t->row[row].name) != 0;
    }
    gdyn_json_open(w, "profile", '[');
    for (int i = 0; first && i < plan->points && plan->status == GDYN_TRAVERSE_OK; i++) {
        const gdyn_motion_point *point = &plan->point[i];
        gdyn_json_open(w, NULL, '{');
        gdyn_json_put_number(w, "p", point->p);
        gdyn_json_put_number(w, "t", point->t);
        gdyn_json_put_number(w, "d1", point->d1);
        gdyn_json_put_number(w, "d2", point->d2);
        gdyn_json_put_number(w, "d2_before", point->d2_before);
        gdyn_json_put_number(w, "s", point->s);
        gdyn_json_put_number(w, "s1", point->s1);
        gdyn_json_put_number(w, "s2", point->s2);
        gdyn_json_put_number(w, "s2_before", point->s2_before);
        gdyn_json_open(w, "limit", '[');
        for (int j = 0; j < point->limit_count; j++) {
            gdyn_json_open(w, NULL, '[');
            gdyn_json_put_text(w, NULL, gdyn_limit_name(t->row, t->rows, point->limit[j]));
            gdyn_json_put_text(w, NULL, gdyn_limit_side(point->limit[j]));
            gdyn_json_close(w, ']');
        }
        gdyn_json_close(w, ']');
        if (t->shared.points > 0)
            put_forces(w, t, first, i);
        gdyn_json_close(w, '}');
        gdyn_text_pass_on(w->out);
    }
    gdyn_json_close(w, ']');
    gdyn_free(first);
}

/* What the times of motions come near to, but do not reach. */
static json_t *infimum(const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    if (plan->status != GDYN_TRAVERSE_OK || plan->leaps == 0)
        return json_null();
    json_t *leaps = gdyn_json_list();
    for (int i = 0; i < plan->leaps; i++) {
        const gdyn_leap *leap = &plan->leap[i];
        gdyn_json_append(leaps, "p:o d1:o limits:o", gdyn_json_pair(leap->p, leap->p_end),
                         gdyn_json_pair(leap->d1_from, leap->d1_to),
                         limits(t, leap->limit, leap->limit_count));
    }
    return gdyn_json_object("time_bounds:o leaps:o", gdyn_json_numbers(2, plan->infimum), leaps);
}

static json_t *certificate(const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    const gdyn_certificate *proof = &plan->certificate;
    if (plan->status == GDYN_TRAVERSE_OK)
        return json_null();
    /* Why there is none: limits of forces, of their rates, or the speed at the start. */
    bool rated = plan->status == GDYN_TRAVERSE_RATE, start = plan->status == GDYN_TRAVERSE_START;
    return gdyn_json_object(
        "p:o limits:o needs:o relaxation:n start_speeds:?",
        gdyn_json_pair(plan->place, plan->place_end), limits(t, proof->limit, proof->count),
        gdyn_json_numbers(proof->count, proof->needs), rated ? plan->rate_excess : plan->relaxation,
        start ? gdyn_json_pair(plan->start_low, plan->start_high) : NULL);
}

/* The maximum rate of every drive's force, its limit and where it is. */
static json_t *rates(const gdyn_trajectory *t) {
    if (!t->rate || !t->traverse->force)
        return json_null();
    json_t *object = gdyn_json_map();
    for (int row = 0; row < t->rows; row++) {
        int at = gdyn_trajectory_steepest(t, row);
        if (at >= 0 && !json_object_get(object, t->row[row].name))
            json_object_set_new(object, t->row[row].name,
                                gdyn_json_object("limit:n greatest:n p:n", t->rate[row],
                                                 fabs(gdyn_trajectory_rate(t, row, at)),
                                                 t->traverse->point[at].p));
    }
    return object;
}

static void put_trajectory(gdyn_json_writer *w, const gdyn_trajectory *t) {
    const gdyn_traverse *plan = t->traverse;
    /* Intervals of p where the machine stands still. */
    json_t *dwells = gdyn_json_list();
    for (int i = 0; i < plan->dwells; i++)
        json_array_append_new(dwells, gdyn_json_numbers(2, plan->dwell[i]));
    gdyn_json_open(w, t->name, '{');
    gdyn_json_put_members(
        w, gdyn_json_object("status:s units:o time:n time_bounds:o infimum:o converged:b "
                            "pose_error_effect:n violation:n",
                            gdyn_traverse_status_name(plan->status), units(t), plan->time,
                            gdyn_json_pair(plan->lower, plan->upper), infimum(t), plan->converged,
                            plan->drift, plan->violation));
    put_profile(w, t);
    gdyn_json_put_members(
        w,
        gdyn_json_object(
            "dwells:o friction_stops:o certificate:o drives:o continuity:o rates:o smoothing:o "
            "null_motion:?",
            dwells, gdyn_json_numbers(plan->jumps, plan->jump), certificate(t), gdyn_json_drives(t),
            continuity(t), rates(t), smoothing(t), gdyn_json_null_motion(t->instance, t->name)));
    gdyn_json_close(w, '}');
}

gdyn_status gdyn_report_traverse_json(gdyn_text *out, const char *case_name, int count,
                                      const gdyn_trajectory *t) {
    gdyn_json_writer w = {.out = out, .layout = GDYN_JSON_COMPACT};
    gdyn_json_open(&w, NULL, '{');
    gdyn_json_put_members(&w, gdyn_json_document(case_name));
    gdyn_json_open(&w, "trajectories", '{');
    for (int i = 0; i < count; i++)
        put_trajectory(&w, &t[i]);
    gdyn_json_close(&w, '}'), gdyn_json_close(&w, '}');
    return gdyn_json_end(&w);
}

/* --- the verdict on a given motion ------------------------------------------------------------ */

static json_t *violation(const gdyn_trajectory *t, const gdyn_violation *v) {
    if (v->at < 0)
        return json_null();
    /* The place in the motion, and what is violated there. */
    const gdyn_sample at = gdyn_trajectory_original(t, &t->place[v->at]), *place = &at;
    const gdyn_limit worst = v->shares.worst;
    bool there = v->shares.found == GDYN_POINT_OK;
    return gdyn_json_object(
        "p:n t:n d1:n d2:n assembled:b violation:n half_range:n amount:n drive:s side:s", place->p,
        place->t, place->d1, place->d2, there, there ? v->shares.violation : NAN, v->half_range,
        v->amount, there ? gdyn_limit_name(t->row, t->rows, worst) : NULL,
        there ? gdyn_limit_side(worst) : NULL);
}

static json_t *margin_place(const gdyn_trajectory *t) {
    const gdyn_feasibility *r = &t->verdict;
    if (r->margin_at < 0)
        return json_null();
    const gdyn_sample at = gdyn_trajectory_original(t, &t->place[r->margin_at]);
    return gdyn_json_object("p:n t:n drive:s side:s", at.p, at.t,
                            gdyn_limit_name(t->row, t->rows, r->margin_limit),
                            gdyn_limit_side(r->margin_limit));
}

/* What has become of one motion. */
static json_t *verdict(const gdyn_trajectory *t) {
    const gdyn_feasibility *r = &t->verdict;
    return gdyn_json_object(
        "file:s trajectory:s feasible:b time:n drives:o first:o worst:o slowdown:n margin:n "
        "margin_limit:o singular:n unassembled:i first_failure:o",
        t->file, t->name, r->feasible, t->traverse->time - t->sample[0].t, gdyn_json_drives(t),
        violation(t, &r->first), violation(t, &r->worst), r->slowdown, r->margin, margin_place(t),
        r->singular, r->unfollowed, gdyn_json_failure(t));
}

gdyn_status gdyn_report_feasible_json(gdyn_text *out, const char *case_name, int count,
                                      const gdyn_trajectory *t) {
    const gdyn_feasibility *r = &t->verdict;
    json_t *document = gdyn_json_document(case_name), *motions = gdyn_json_list();
    bool feasible = true;
    for (int i = 0; i < count; i++) {
        feasible &= t[i].verdict.feasible;
        json_array_append_new(motions, verdict(&t[i]));
    }
    /* one motion by itself, too */
    if (count == 1)
        gdyn_json_add(document,
                      "trajectory:s units:o feasible:b samples:i places:i first:o worst:o "
                      "slowdown:n margin:n margin_limit:o singular:n unassembled:i "
                      "rates_unchecked:i continuity:o "
                      "smoothing:o motions:o",
                      t->name, units(t), r->feasible, t->traverse->points, t->places,
                      violation(t, &r->first), violation(t, &r->worst), r->slowdown, r->margin,
                      margin_place(t), r->singular, r->unfollowed, r->unchecked, continuity(t),
                      smoothing(t), motions);
    else
        gdyn_json_add(document, "feasible:b motions:o", feasible, motions);
    return gdyn_json_print(document, GDYN_JSON_COMPACT, out);
}
