/* front_json.c - the front as one document. */
#include "report/front.h"
#include "report/number.h"
#include "study/shortfall.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *objective_list(const gdyn_study *study) {
    const gdyn_instance *start = gdyn_study_start(study);
    json_t *list = json_array();
    for (int i = 0; i < start->objective_count; i++) {
        const gdyn_goal *goal = &start->objective[i];
        json_t *one = json_object();
        json_object_set_new(one, "name", json_string(goal->name));
        json_object_set_new(one, "sense", json_string(goal->maximize ? "maximize" : "minimize"));
        json_object_set_new(one, "formula", json_string(goal->text));
        json_object_set_new(one, "unit", json_string(gdyn_study_objective_unit(study, i)));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *values_of(const gdyn_instance *start, const gdyn_design *d) {
    json_t *object = json_object();
    for (int i = 0; i < start->design_count; i++)
        json_object_set_new(object, start->design[i].name, gdyn_json_number(d->x[i]));
    return object;
}

/* Names of the choices made; "values" has their numbers. */
static json_t *choices_of(const gdyn_instance *start, const gdyn_design *d) {
    json_t *object = json_object();
    for (int i = 0; i < start->design_count; i++)
        if (gdyn_case_choice_name(&start->design[i], d->x[i]))
            json_object_set_new(object, start->design[i].name,
                                json_string(gdyn_case_choice_name(&start->design[i], d->x[i])));
    return object;
}

static json_t *objectives_of(const gdyn_instance *start, const gdyn_design *d) {
    json_t *object = json_object();
    for (int i = 0; i < start->objective_count; i++)
        json_object_set_new(object, start->objective[i].name,
                            gdyn_json_number(d->evaluated ? d->objective[i] : NAN));
    return object;
}

static json_t *constraints_of(const gdyn_instance *start, const gdyn_design *d) {
    json_t *object = json_object();
    for (int i = 0; i < start->requirement_count; i++)
        json_object_set_new(object, start->requirement[i].name,
                            gdyn_json_number(d->evaluated ? d->constraint[i] : NAN));
    return object;
}

/* {"mass": ..., "circle": {"area": ...}} */
static json_t *criteria_of(const gdyn_study *study, const gdyn_design *d) {
    json_t *object = json_object();
    for (int r = 0; r < gdyn_study_responses(study); r++) {
        const char *name = gdyn_study_response_name(study, r);
        if (gdyn_study_response_kind(study, r) == GDYN_RESPONSE_PARAMETER)
            continue;
        const char *dot = strrchr(name, '.');
        if (gdyn_study_response_kind(study, r) == GDYN_RESPONSE_MACHINE || !dot) {
            json_object_set_new(object, name, gdyn_json_number(d->known[r] ? d->response[r] : NAN));
            continue;
        }
        char owner[256];
        size_t length =
            (size_t)(dot - name) < sizeof owner ? (size_t)(dot - name) : sizeof owner - 1;
        memcpy(owner, name, length);
        owner[length] = '\0';
        json_t *trajectory = json_object_get(object, owner);
        if (!trajectory) {
            json_object_set_new(object, owner, json_object());
            trajectory = json_object_get(object, owner);
        }
        json_object_set_new(trajectory, dot + 1,
                            gdyn_json_number(d->known[r] ? d->response[r] : NAN));
    }
    return object;
}

static json_t *joints_with(const gdyn_study *study, const gdyn_design *d, gdyn_verdict verdict) {
    json_t *list = json_array();
    const gdyn_model *model = gdyn_study_start(study)->model;
    for (int x = 0; x < gdyn_study_joints(study); x++)
        if (d->joint[x] == verdict)
            json_array_append_new(list, json_string(gdyn_model_joint(model, x)->name));
    return list;
}

static json_t *reactions_of(const gdyn_study *study, const gdyn_design *d) {
    if (!d->judged)
        return json_null();
    json_t *object = json_object();
    static const char *const counts[] = {"redundancy", "drive_redundancy", "mobility"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int r = 0; r < gdyn_study_responses(study); r++)
            if (gdyn_study_response_kind(study, r) == GDYN_RESPONSE_MACHINE &&
                strcmp(gdyn_study_response_name(study, r), counts[i]) == 0)
                json_object_set_new(object, counts[i], json_integer((long)d->response[r]));
    json_object_set_new(object, "indeterminate", joints_with(study, d, GDYN_INDETERMINATE));
    json_object_set_new(object, "drive_dependent", joints_with(study, d, GDYN_DRIVE_DEPENDENT));
    return object;
}

static json_t *design_object(const gdyn_study *study, const gdyn_design *d) {
    const gdyn_instance *start = gdyn_study_start(study);
    json_t *one = json_object();
    json_object_set_new(one, "id", json_integer(d->serial));
    json_object_set_new(one, "status", json_string(gdyn_design_status_name(d->status)));
    json_object_set_new(one, "values", values_of(start, d));
    json_t *choices = choices_of(start, d);
    if (json_object_size(choices) > 0)
        json_object_set(one, "choices", choices);
    json_decref(choices);
    json_object_set_new(one, "objectives", objectives_of(start, d));
    json_object_set_new(one, "constraints", constraints_of(start, d));
    if (start->model) {
        json_object_set_new(one, "criteria", criteria_of(study, d));
        json_object_set_new(one, "reactions", reactions_of(study, d));
    }
    return one;
}

static json_t *search_object(const gdyn_outcome *outcome) {
    const gdyn_search_options *search = &outcome->options->search;
    const gdyn_study_progress *final = &outcome->result->final;
    json_t *object = json_object();
    json_object_set_new(object, "algorithm", json_string(gdyn_search_method_name(search->method)));
    json_object_set_new(object, "population", json_integer(search->population));
    json_object_set_new(object, "seed", json_integer((json_int_t)search->seed));
    json_object_set_new(object, "evaluations", json_integer(final->search.evaluations));
    json_object_set_new(object, "generations", json_integer(final->search.generation));
    json_object_set_new(object, "stop", json_string(gdyn_search_stop_text(final->search.stop)));
    json_t *status = json_object();
    for (gdyn_design_status s = 0; s < GDYN_DESIGN_STATUSES; s++)
        json_object_set_new(status, gdyn_design_status_name(s), json_integer(final->status[s]));
    json_object_set_new(object, "designs", status);
    return object;
}

/* Appends the document and gives it back. */
static gdyn_status print_document(json_t *document, gdyn_text *out) {
    char *text = document ? json_dumps(document, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(document);
    if (!text)
        return GDYN_ERROR_MEMORY;
    gdyn_text_printf(out, "%s\n", text);
    free(text);
    return out->failed ? GDYN_ERROR_MEMORY : GDYN_OK;
}

static json_t *new_document(const char *case_name) {
    json_t *document = json_object();
    json_object_set_new(document, "format", json_integer(1));
    json_object_set_new(document, "tool", json_string("globdyn"));
    json_object_set_new(document, "case", json_string(case_name));
    return document;
}

static json_t *whole_design(const gdyn_study *study, const gdyn_design *d) {
    json_t *one = design_object(study, d);
    json_object_set_new(one, "reason", json_string(d->reason));
    json_object_set_new(one, "violation", gdyn_json_number(d->violation));
    json_object_set_new(one, "failure", gdyn_json_number(d->failure));
    json_t *failures = json_object();
    for (int t = 0; d->not_passed && t < gdyn_study_start(study)->trajectory_count; t++)
        if (*d->not_passed[t])
            json_object_set_new(failures, gdyn_study_start(study)->trajectory[t].name,
                                json_string(d->not_passed[t]));
    if (json_object_size(failures) > 0)
        json_object_set(one, "not_passed", failures);
    json_decref(failures);
    return one;
}

gdyn_status gdyn_report_design_json(gdyn_text *out, const char *case_name, const gdyn_study *study,
                                    const gdyn_design *design) {
    json_t *document = new_document(case_name);
    json_object_set_new(document, "objectives", objective_list(study));
    json_object_set_new(document, "design", whole_design(study, design));
    return print_document(document, out);
}

gdyn_status gdyn_report_designs_json(gdyn_text *out, const gdyn_outcome *outcome) {
    const gdyn_archive *archive = &outcome->result->archive;
    json_t *document = new_document(outcome->case_name), *designs = json_array();
    for (int i = 0; i < archive->count; i++) {
        json_t *one = whole_design(outcome->study, archive->design[i]);
        json_object_set_new(one, "nondominated", json_boolean(outcome->result->nondominated[i]));
        json_array_append_new(designs, one);
    }
    json_object_set_new(document, "objectives", objective_list(outcome->study));
    json_object_set_new(document, "designs", designs);
    return print_document(document, out);
}

/* What a search without a feasible design has found out. */
static json_t *shortfall_object(const gdyn_study *study, const gdyn_archive *archive) {
    const gdyn_instance *start = gdyn_study_start(study);
    json_t *object = json_object(), *constraints = json_object(), *sets = json_array();
    gdyn_shortfall s;
    gdyn_status status = gdyn_shortfall_find(study, archive, &s);
    for (int k = 0; k < s.constraints && status == GDYN_OK; k++) {
        const gdyn_constraint_record *record = &s.constraint[k];
        json_t *one = json_object();
        bool known = record->best != NULL;
        json_object_set_new(one, "kept", json_integer(record->kept));
        json_object_set_new(one, "best",
                            gdyn_json_number(known ? record->best->constraint[k] : NAN));
        json_object_set_new(one, "design",
                            known ? json_integer(record->best->serial) : json_null());
        json_object_set_new(constraints, start->requirement[k].name, one);
    }
    for (int i = 0; i < s.exclusions && status == GDYN_OK; i++) {
        json_t *set = json_array();
        for (int k = 0; k < s.exclusion[i].count; k++)
            json_array_append_new(
                set, json_string(start->requirement[s.exclusion[i].constraint[k]].name));
        json_array_append_new(sets, set);
    }
    bool any = status == GDYN_OK && s.nearest;
    json_object_set_new(object, "nearest", any ? whole_design(study, s.nearest) : json_null());
    json_object_set_new(object, "evaluated", json_integer(s.evaluated));
    json_object_set_new(object, "constraints", constraints);
    json_object_set_new(object, "never_together", sets);
    gdyn_shortfall_clear(&s);
    return object;
}

gdyn_status gdyn_report_front_json(gdyn_text *out, const gdyn_outcome *outcome) {
    const gdyn_instance *start = gdyn_study_start(outcome->study);
    const gdyn_study_result *result = outcome->result;
    json_t *document = new_document(outcome->case_name);
    json_t *designs = json_array(), *reference = json_object();
    for (int i = 0; i < result->front.count; i++)
        json_array_append_new(designs, design_object(outcome->study, result->front.design[i]));
    for (int i = 0; result->reference && i < start->objective_count; i++)
        json_object_set_new(reference, start->objective[i].name,
                            gdyn_json_number(result->reference[i]));
    json_object_set_new(document, "search", search_object(outcome));
    json_object_set_new(document, "objectives", objective_list(outcome->study));
    json_object_set_new(document, "designs", designs);
    json_object_set_new(document, "hypervolume", gdyn_json_number(result->hypervolume));
    json_object_set_new(document, "reference", reference);
    if (result->front.count == 0 && start->objective_count > 0)
        json_object_set_new(document, "infeasible",
                            shortfall_object(outcome->study, &result->archive));
    return print_document(document, out);
}
