/* front_json.c - the front as one document. */
#include "report/front.h"
#include "report/number.h"

#include "study/choose.h"
#include "study/store.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name, sense, formula and unit of each objective. */
static json_t *objective_list(const gdyn_study *study) {
    const gdyn_instance *start = gdyn_study_start(study);
    json_t *list = gdyn_json_list();
    for (int i = 0; i < start->objective_count; i++) {
        const gdyn_goal *goal = &start->objective[i];
        gdyn_json_append(list, "name:s sense:s formula:s unit:s", goal->name,
                         goal->maximize ? "maximize" : "minimize", goal->text,
                         gdyn_study_objective_unit(study, i));
    }
    return list;
}

/* Units by the names of the columns of front.csv; what has none is left out. */
static json_t *unit_map(const gdyn_study *study) {
    static const char *const sort[] = {"design.", "objective.", "constraint.", ""};
    json_t *units = gdyn_json_map();
    for (gdyn_trait_kind k = 0; k < GDYN_TRAIT_KINDS; k++)
        for (int i = 0; i < gdyn_traits(study, k); i++) {
            gdyn_trait q = gdyn_trait_of(study, k, i);
            char key[400];
            snprintf(key, sizeof key, "%s%s", sort[k], q.name);
            if (*q.unit)
                json_object_set_new(units, key, json_string(q.unit));
        }
    return units;
}

/* Values by name, null where they are not known. */
static json_t *by_name(const gdyn_study *study, gdyn_trait_kind kind, const gdyn_design *d) {
    json_t *object = gdyn_json_map();
    for (int i = 0; i < gdyn_traits(study, kind); i++)
        json_object_set_new(object, gdyn_trait_name(study, kind, i),
                            gdyn_json_number(gdyn_trait_value(kind, i, d)));
    return object;
}

static json_t *by_objective(const gdyn_instance *start, const double *value) {
    json_t *object = gdyn_json_map();
    for (int i = 0; i < start->objective_count; i++)
        json_object_set_new(object, start->objective[i].name, gdyn_json_number(value[i]));
    return object;
}

/* {"mass": ..., "circle": {"area": ...}} */
static json_t *criteria_of(const gdyn_study *study, const gdyn_design *d) {
    json_t *object = gdyn_json_map();
    for (int r = 0; r < gdyn_study_responses(study); r++) {
        const char *name = gdyn_study_response_name(study, r);
        /* Parameters are listed as values already. */
        if (gdyn_study_response_kind(study, r) == GDYN_RESPONSE_PARAMETER)
            continue;
        /* Criteria of the machine stand at the top, statistics behind the trajectories by their
         * whole names. */
        const char *dot = strchr(name, '.');
        if (gdyn_study_response_kind(study, r) != GDYN_RESPONSE_TRAJECTORY || !dot) {
            json_object_set_new(object, name, gdyn_json_number(gdyn_design_response(d, r)));
            continue;
        }
        /* "circle.area": an object for each trajectory. */
        char owner[256];
        size_t length =
            (size_t)(dot - name) < sizeof owner ? (size_t)(dot - name) : sizeof owner - 1;
        memcpy(owner, name, length);
        owner[length] = '\0';
        json_t *trajectory = json_object_get(object, owner);
        if (!trajectory) {
            json_object_set_new(object, owner, gdyn_json_map());
            trajectory = json_object_get(object, owner);
        }
        json_object_set_new(trajectory, dot + 1, gdyn_json_number(gdyn_design_response(d, r)));
    }
    return object;
}

static json_t *joints_with(const gdyn_study *study, const gdyn_design *d, gdyn_verdict verdict) {
    json_t *list = gdyn_json_list();
    const gdyn_model *model = gdyn_study_start(study)->model;
    for (int x = 0; x < gdyn_study_joints(study); x++)
        if (d->joint[x] == verdict)
            json_array_append_new(list, json_string(gdyn_model_joint(model, x)->name));
    return list;
}

/* What is known of the machine's reactions; null: not analysed. */
static json_t *reactions_of(const gdyn_study *study, const gdyn_design *d) {
    if (!d->judged)
        return json_null();
    json_t *object = gdyn_json_map();
    /* Counts of the machine, then the joints by their verdict. */
    static const char *const counts[] = {"redundancy", "drive_redundancy", "mobility"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int r = 0; r < gdyn_study_responses(study); r++)
            if (gdyn_study_response_kind(study, r) == GDYN_RESPONSE_MACHINE &&
                strcmp(gdyn_study_response_name(study, r), counts[i]) == 0)
                json_object_set_new(object, counts[i], json_integer((long)d->response[r]));
    gdyn_json_add(object, "indeterminate:o drive_dependent:o",
                  joints_with(study, d, GDYN_INDETERMINATE),
                  joints_with(study, d, GDYN_DRIVE_DEPENDENT));
    return object;
}

/* The object, NULL in place of an empty one. */
static json_t *unless_empty(json_t *object) {
    if (json_object_size(object) > 0)
        return object;
    json_decref(object);
    return NULL;
}

/* A design as fronts list it. */
static json_t *design_object(const gdyn_study *study, const gdyn_design *d) {
    const gdyn_instance *start = gdyn_study_start(study);
    /* names of the choices made; "values" has their numbers */
    json_t *choices = gdyn_json_map();
    for (int i = 0; i < start->design_count; i++)
        if (gdyn_case_choice_name(&start->design[i], d->x[i]))
            json_object_set_new(choices, start->design[i].name,
                                json_string(gdyn_case_choice_name(&start->design[i], d->x[i])));
    /* criteria that nothing bounds */
    json_t *unbounded = NULL;
    for (int r = 0; r < gdyn_study_responses(study); r++)
        gdyn_json_note_unbounded(&unbounded, gdyn_study_response_name(study, r), d->response[r]);
    /* Null in place of what a case without machine has not. */
    return gdyn_json_object(
        "id:l status:s values:o choices:? objectives:o constraints:o criteria:? "
        "unbounded:? reactions:?",
        (long)d->serial, gdyn_design_status_name(d->status), by_name(study, GDYN_TRAIT_VARIABLE, d),
        unless_empty(choices), by_name(study, GDYN_TRAIT_OBJECTIVE, d),
        by_name(study, GDYN_TRAIT_CONSTRAINT, d), start->model ? criteria_of(study, d) : NULL,
        unbounded, start->model ? reactions_of(study, d) : NULL);
}

/* How the search went. */
static json_t *search_object(const gdyn_outcome *outcome) {
    const gdyn_search_options *search = &outcome->options->search;
    const gdyn_study_progress *final = &outcome->result->final;
    json_t *status = gdyn_json_map();
    for (gdyn_design_status s = 0; s < GDYN_DESIGN_STATUSES; s++)
        json_object_set_new(status, gdyn_design_status_name(s), json_integer(final->status[s]));
    json_t *object = gdyn_json_object(
        "algorithm:s population:i seed:l evaluations:l generations:l stop:s designs:o",
        gdyn_search_method_name(search->method), search->population, (long)search->seed,
        (long) final->search.evaluations, (long) final->search.generation,
        gdyn_search_stop_text(final->search.stop), status);
    /* The part of the front that was wanted. */
    const gdyn_instance *start = gdyn_study_start(outcome->study);
    if (outcome->options->aim)
        json_object_set_new(object, "aim", by_objective(start, outcome->options->aim));
    return object;
}

/* A design with everything that is known of it. */
static json_t *whole_design(const gdyn_study *study, const gdyn_design *d) {
    json_t *one = design_object(study, d), *failures = gdyn_json_map();
    for (int t = 0; d->not_passed && t < gdyn_study_start(study)->trajectory_count; t++)
        if (*d->not_passed[t])
            json_object_set_new(failures, gdyn_study_start(study)->trajectory[t].name,
                                json_string(d->not_passed[t]));
    /* errors of the criteria by their names, where they are known */
    json_t *errors = gdyn_json_map();
    for (int r = 0; d->error && r < gdyn_study_responses(study); r++)
        if (d->known[r] && !isnan(d->error[r]))
            json_object_set_new(errors, gdyn_study_response_name(study, r),
                                gdyn_json_number(d->error[r]));
    gdyn_json_add(one, "reason:s violation:n failure:n not_passed:? errors:?", d->reason,
                  d->violation, d->failure, unless_empty(failures), unless_empty(errors));
    return one;
}

gdyn_status gdyn_report_design_json(gdyn_text *out, const char *case_name,
                                    const gdyn_instance *instance, const gdyn_study *study,
                                    const gdyn_design *design, int count,
                                    const gdyn_trajectory *trajectory) {
    json_t *document = gdyn_json_document(case_name), *null_motions = gdyn_json_map();
    json_t *motions = gdyn_json_map();
    for (int t = 0; t < count; t++)
        json_object_set_new(motions, trajectory[t].name,
                            gdyn_json_object("drives:o", gdyn_json_drives(&trajectory[t])));
    for (int t = 0; instance && t < instance->trajectory_count; t++) {
        const char *name = instance->trajectory[t].name;
        json_t *end = gdyn_json_null_motion(instance, name);
        if (end)
            json_object_set_new(null_motions, name, end);
    }
    gdyn_json_add(document, "objectives:o units:o null_motions:? trajectories:? design:o",
                  objective_list(study), unit_map(study), unless_empty(null_motions),
                  unless_empty(motions), whole_design(study, design));
    return gdyn_json_print(document, GDYN_JSON_INDENTED, out);
}

gdyn_status gdyn_report_designs_json(gdyn_text *out, const gdyn_outcome *outcome) {
    const gdyn_archive *archive = &outcome->result->archive;
    gdyn_json_writer w = {.out = out, .layout = GDYN_JSON_INDENTED};
    json_t *head = gdyn_json_document(outcome->case_name);
    gdyn_json_add(head, "objectives:o units:o", objective_list(outcome->study),
                  unit_map(outcome->study));
    gdyn_json_open(&w, NULL, '{');
    gdyn_json_put_members(&w, head);
    gdyn_json_open(&w, "designs", '[');
    for (int i = 0; i < archive->count; i++) {
        json_t *one = whole_design(outcome->study, archive->design[i]);
        json_object_set_new(one, "nondominated", json_boolean(outcome->result->nondominated[i]));
        gdyn_json_put(&w, NULL, one);
    }
    gdyn_json_close(&w, ']'), gdyn_json_close(&w, '}');
    return gdyn_json_end(&w);
}

/* What a search without a feasible design has found out. */
static json_t *infeasibility_object(const gdyn_study *study, const gdyn_archive *archive) {
    const gdyn_instance *start = gdyn_study_start(study);
    json_t *constraints = gdyn_json_map(), *sets = gdyn_json_list();
    gdyn_infeasibility s;
    gdyn_status status = gdyn_infeasibility_find(study, archive, &s);
    /* Each constraint: how often it was kept, and the nearest design. */
    for (int k = 0; k < s.constraints && status == GDYN_OK; k++) {
        const gdyn_constraint_record *record = &s.constraint[k];
        const gdyn_design *nearest = record->best;
        json_object_set_new(
            constraints, start->requirement[k].name,
            gdyn_json_object("kept:i best:n design:o alone:n alone_design:o", record->kept,
                             nearest ? nearest->constraint[k] : NAN,
                             nearest ? json_integer(nearest->serial) : json_null(),
                             record->alone ? record->alone->constraint[k] : NAN,
                             record->alone ? json_integer(record->alone->serial) : json_null()));
    }
    /* Sets that no design keeps together. */
    for (int i = 0; i < s.exclusions && status == GDYN_OK; i++) {
        json_t *set = gdyn_json_list();
        for (int k = 0; k < s.exclusion[i].count; k++)
            json_array_append_new(
                set, json_string(start->requirement[s.exclusion[i].constraint[k]].name));
        json_array_append_new(sets, set);
    }
    bool any = status == GDYN_OK && s.nearest;
    json_t *object = gdyn_json_object("nearest:o evaluated:i constraints:o never_together:o",
                                      any ? whole_design(study, s.nearest) : json_null(),
                                      s.evaluated, constraints, sets);
    gdyn_infeasibility_clear(&s);
    return object;
}

gdyn_status gdyn_report_front_json(gdyn_text *out, const gdyn_outcome *outcome) {
    const gdyn_instance *start = gdyn_study_start(outcome->study);
    const gdyn_study_result *result = outcome->result;
    gdyn_json_writer w = {.out = out, .layout = GDYN_JSON_INDENTED};
    json_t *head = gdyn_json_document(outcome->case_name);
    json_t *reference =
        result->reference ? by_objective(start, result->reference) : gdyn_json_map();
    gdyn_json_add(head, "search:o objectives:o units:o", search_object(outcome),
                  objective_list(outcome->study), unit_map(outcome->study));
    gdyn_json_open(&w, NULL, '{');
    gdyn_json_put_members(&w, head);
    gdyn_json_open(&w, "designs", '[');
    for (int i = 0; i < result->front.count; i++)
        gdyn_json_put(&w, NULL, design_object(outcome->study, result->front.design[i]));
    gdyn_json_close(&w, ']');
    /* no feasible design: why */
    bool infeasible = result->front.count == 0 && start->objective_count > 0;
    gdyn_json_put_members(
        &w, gdyn_json_object(
                "hypervolume:n reference:o infeasible:?", result->hypervolume, reference,
                infeasible ? infeasibility_object(outcome->study, &result->archive) : NULL));
    gdyn_json_close(&w, '}');
    return gdyn_json_end(&w);
}

/* --- a choice --------------------------------------------------------------------------------- */

/* One objective of the chosen design among the candidates. */
static json_t *picked_objective(const gdyn_pick *p, const gdyn_pick_wish *wish, int k) {
    const gdyn_instance *start = gdyn_study_start(p->study);
    const gdyn_goal *goal = &start->objective[k];
    const gdyn_design *chosen = p->front.front.design[p->choice];
    const gdyn_design *next = p->neighbour[k] < 0 ? NULL : p->front.front.design[p->neighbour[k]];
    json_t *neighbour = next ? gdyn_json_object("id:l objectives:o", (long)next->serial,
                                                by_name(p->study, GDYN_TRAIT_OBJECTIVE, next))
                             : NULL;
    return gdyn_json_object(
        "name:s sense:s formula:s unit:s value:n best:n worst:n loss:n weight:n target:n "
        "neighbour:?",
        goal->name, goal->maximize ? "maximize" : "minimize", goal->text,
        gdyn_study_objective_unit(p->study, k), chosen->objective[k], p->best[k], p->worst[k],
        p->loss[p->choice * p->objectives + k],
        wish->rule == GDYN_PICK_WEIGHTS ? wish->weight[k] : NAN,
        wish->rule == GDYN_PICK_TARGETS ? wish->target[k] : NAN, neighbour);
}

gdyn_status gdyn_report_pick_json(gdyn_text *out, const char *case_name, const gdyn_pick *p,
                                  const gdyn_pick_wish *wish) {
    json_t *document = gdyn_json_document(case_name), *objectives = gdyn_json_list();
    bool any = p->choice >= 0;
    for (int k = 0; any && k < p->objectives; k++)
        json_array_append_new(objectives, picked_objective(p, wish, k));
    gdyn_json_add(document,
                  "rule:s feasible:i candidates:i score:n distance:n objectives:o design:? "
                  "infeasible:?",
                  gdyn_pick_rule_name(p->rule), p->feasible, p->front.front.count,
                  any ? p->score : NAN, any ? p->distance : NAN, objectives,
                  any ? design_object(p->study, p->front.front.design[p->choice]) : NULL,
                  any ? NULL : infeasibility_object(p->study, &p->front.archive));
    return gdyn_json_print(document, GDYN_JSON_INDENTED, out);
}

/* The best design in an objective; of a further search with the folder of its study. */
static json_t *best_of_level(const gdyn_limit_cost *cost, int i, int k) {
    const gdyn_design *best = cost->level[i].best[k];
    if (!best)
        return json_null();
    const gdyn_limit_part *part = gdyn_limit_part_of(cost, best);
    json_t *object = gdyn_json_object("value:n design:l", best->objective[k],
                                      (long)(best->serial - (part ? part->first : 0)));
    if (part)
        json_object_set_new(object, "study", json_string(part->folder));
    if (cost->parts > 0)
        json_object_set_new(object, "converged", json_boolean(gdyn_limit_converged(cost, i, k)));
    return object;
}

gdyn_status gdyn_report_limit_cost_json(gdyn_text *out, const char *case_name,
                                        const char *constraint, const gdyn_study *study,
                                        const gdyn_limit_cost *cost) {
    const gdyn_instance *start = gdyn_study_start(study);
    json_t *document = gdyn_json_document(case_name), *levels = gdyn_json_list();
    for (int i = 0; i < cost->levels; i++) {
        const gdyn_limit_level *level = &cost->level[i];
        json_t *best = gdyn_json_map();
        for (int k = 0; k < cost->objectives; k++)
            json_object_set_new(best, start->objective[k].name, best_of_level(cost, i, k));
        gdyn_json_append(levels, "limit:n stated:b front:i hypervolume:n best:o", level->limit,
                         level->stated, level->front, level->hypervolume, best);
    }
    /* what was searched beside the study */
    json_t *searches = cost->parts > 0 ? gdyn_json_list() : NULL;
    for (int i = 0; i < cost->parts; i++)
        gdyn_json_append(searches, "objective:s evaluated:i stop:s study:s",
                         cost->part[i].objective, cost->part[i].evaluated, cost->part[i].stop,
                         cost->part[i].folder);
    gdyn_json_add(document, "constraint:s objectives:o levels:o searches:?", constraint,
                  objective_list(study), levels, searches);
    return gdyn_json_print(document, GDYN_JSON_INDENTED, out);
}

/* --- groups of studies ------------------------------------------------------------------------ */

gdyn_status gdyn_report_groups_json(gdyn_text *out, const gdyn_run_comparison *c) {
    json_t *groups = gdyn_json_list(), *tests = gdyn_json_list();
    for (int i = 0; i < c->groups; i++) {
        const gdyn_run_group *g = &c->group[i];
        json_t *studies = gdyn_json_list();
        for (int k = 0; k < g->count; k++) {
            const gdyn_digest *d = g->run[k].digest;
            gdyn_json_append(studies,
                             "study:s method:s population:i seed:l designs:i feasible:i value:n",
                             g->run[k].study, d->method, d->population, d->seed, d->designs,
                             d->feasible, c->sign * g->run[k].value);
        }
        gdyn_json_append(groups, "name:s median:n quartiles:o studies:o", g->name,
                         c->sign * g->median,
                         gdyn_json_pair(fmin(c->sign * g->low, c->sign * g->high),
                                        fmax(c->sign * g->low, c->sign * g->high)),
                         studies);
    }
    for (int i = 0; i < c->tests; i++) {
        const gdyn_run_test *t = &c->test[i];
        gdyn_json_append(tests, "a:s b:s ahead:n p:n p_holm:n", c->group[t->a].name,
                         c->group[t->b].name, t->ahead, t->p, t->holm);
    }
    json_t *document =
        gdyn_json_object("format:i tool:s measure:s sense:s groups:o tests:o", 1, "globdyn",
                         c->measure, c->sign > 0 ? "maximize" : "minimize", groups, tests);
    return gdyn_json_print(document, GDYN_JSON_INDENTED, out);
}

/* --- progress of a long run, a line each ------------------------------------------------------ */

/* Times are rounded to milliseconds. */
static double milliseconds(double seconds) {
    return round(1e3 * seconds) / 1e3;
}

gdyn_status gdyn_report_progress_json(gdyn_text *out, const gdyn_study_progress *p, double rate,
                                      double left, double best, bool moved) {
    const gdyn_search_info *s = &p->search;
    json_t *status = gdyn_json_map();
    for (gdyn_design_status k = 0; k < GDYN_DESIGN_STATUSES; k++)
        json_object_set_new(status, gdyn_design_status_name(k), json_integer(p->status[k]));
    json_t *line = gdyn_json_object(
        "generation:l evaluations:l allowed:l continued:l seconds:n rate:n population:i feasible:i "
        "front:i hypervolume:n hypervolume_best:n reference_moved:b statuses:o seconds_left:n",
        (long)s->generation, p->evaluated, p->allowed, p->continued, milliseconds(p->seconds), rate,
        s->population, s->feasible, s->front, s->hypervolume, best, moved, status,
        left < 0 ? NAN : milliseconds(left));
    return gdyn_json_print(line, GDYN_JSON_LINE, out);
}

gdyn_status gdyn_report_progress_time_json(gdyn_text *out, double t, double duration,
                                           double seconds) {
    return gdyn_json_print(
        gdyn_json_object("t:n duration:n seconds:n", t, duration, milliseconds(seconds)),
        GDYN_JSON_LINE, out);
}

gdyn_status gdyn_report_progress_count_json(gdyn_text *out, const char *what, long count, long most,
                                            double seconds) {
    return gdyn_json_print(gdyn_json_object("counted:s count:l most:l seconds:n", what, count, most,
                                            milliseconds(seconds)),
                           GDYN_JSON_LINE, out);
}

gdyn_status gdyn_report_progress_path_json(gdyn_text *out, const char *trajectory, long places,
                                           double seconds) {
    return gdyn_json_print(gdyn_json_object("trajectory:s places:l seconds:n", trajectory, places,
                                            milliseconds(seconds)),
                           GDYN_JSON_LINE, out);
}
