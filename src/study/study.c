/* study.c - making a study, its names, and the memory of designs. */
#include "study/internal.h"

#include "base/memory.h"
#include "study/free_path.h"

#include <math.h>
#include <string.h>

const char *gdyn_design_status_name(gdyn_design_status status) {
    static const char *const names[GDYN_DESIGN_STATUSES] = {
        "ok", "infeasible", "closed-region", "out-of-range", "singular", "unassembled", "failed"};
    return status < GDYN_DESIGN_STATUSES ? names[status] : "unknown";
}

/* Settings of design variables move the start design; the others hold for every design. */
static gdyn_status keep_settings(gdyn_study *s, int count, const gdyn_setting *settings) {
    s->set = gdyn_arena_alloc(s->arena, (size_t)(count + s->start->design_count), sizeof *s->set);
    s->x_start = gdyn_arena_alloc(s->arena, (size_t)s->variables, sizeof *s->x_start);
    s->x_valid = gdyn_arena_alloc(s->arena, (size_t)s->variables, sizeof *s->x_valid);
    if (!s->set || !s->x_start || !s->x_valid)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        bool variable = false;
        for (int k = 0; k < s->start->design_count; k++)
            variable |= s->start->design[k].kind != GDYN_DESIGN_DEVIATION &&
                        strcmp(s->start->design[k].name, settings[i].name) == 0;
        if (variable)
            continue;
        s->set[s->set_count].name = gdyn_arena_strdup(s->arena, settings[i].name);
        s->set[s->set_count].value = settings[i].value;
        if (!s->set[s->set_count++].name)
            return GDYN_ERROR_MEMORY;
    }
    /* Start: the command line's choice, else the file's; valid: the value that the file's machine
     * has. */
    for (int i = 0; i < s->variables; i++) {
        s->x_start[i] = s->x_valid[i] = s->start->design[i].start;
        /* A deviation starts at none, regardless of the parameter is set to. */
        if (s->start->design[i].kind == GDYN_DESIGN_DEVIATION)
            continue;
        for (int p = 0; p < s->start->parameter_count; p++)
            if (strcmp(s->start->parameter_name[p], s->start->design[i].name) == 0)
                s->x_valid[i] =
                    gdyn_case_choice_index(&s->start->design[i], s->start->parameter_value[p]);
        for (int k = 0; k < count; k++)
            if (strcmp(settings[k].name, s->start->design[i].name) == 0)
                s->x_start[i] = gdyn_case_choice_index(&s->start->design[i], settings[k].value);
    }
    return GDYN_OK;
}

/* A search needs something to vary and something to improve. */
static gdyn_status check_goals(const gdyn_instance *start, const gdyn_sink *sink) {
    if (start->design_count == 0) {
        gdyn_diag_emit(sink, GDYN_ERROR, "design", "design: {leg: {min: 550 mm, max: 900 mm}}",
                       GDYN_CODE_NEEDS "the case has no design variables to search over");
        return GDYN_ERROR_INPUT;
    }
    if (start->objective_count == 0) {
        gdyn_diag_emit(sink, GDYN_ERROR, "optimize",
                       "optimize: {objectives: {area: {maximize: circle.area}}}",
                       GDYN_CODE_NEEDS "the case has no objectives");
        return GDYN_ERROR_INPUT;
    }
    return GDYN_OK;
}

/* Start machine, settings, names, formulas. */
static gdyn_status fill(gdyn_study *s, int count, const gdyn_setting *settings, bool search,
                        const gdyn_sink *sink) {
    /* The start machine shows the names of all responses. */
    gdyn_status status = gdyn_case_instantiate(s->the_case, count, settings, sink, &s->start);
    if (status == GDYN_OK && search)
        status = check_goals(s->start, sink);
    if (status != GDYN_OK)
        return status;
    s->variables = s->start->design_count;
    status = keep_settings(s, count, settings);
    if (status == GDYN_OK)
        status = gdyn_study_list_formulas(s);
    if (status == GDYN_OK)
        status = gdyn_study_name_responses(s);
    if (status == GDYN_OK)
        status = gdyn_study_compile(s, sink);
    return status == GDYN_OK && search ? gdyn_study_check_values(s, sink) : status;
}

/* A study; without `search` it needs no goals. */
static gdyn_status create(const gdyn_case *the_case, int count, const gdyn_setting *settings,
                          bool search, const gdyn_sink *sink, gdyn_study **out) {
    *out = NULL;
    gdyn_arena *arena;
    gdyn_study *s = gdyn_arena_begin(&arena, sizeof *s);
    if (!s)
        return GDYN_ERROR_MEMORY;
    s->the_case = the_case, s->arena = arena;
    gdyn_status status = fill(s, count, settings, search, sink);
    if (status != GDYN_OK) {
        gdyn_study_destroy(s);
        return status;
    }
    *out = s;
    return GDYN_OK;
}

gdyn_status gdyn_study_create(const gdyn_case *the_case, int count, const gdyn_setting *settings,
                              const gdyn_sink *sink, gdyn_study **study) {
    return create(the_case, count, settings, true, sink, study);
}

/* For sweeps and single designs. */
gdyn_status gdyn_study_create_any(const gdyn_case *the_case, int count,
                                  const gdyn_setting *settings, const gdyn_sink *sink,
                                  gdyn_study **study) {
    return create(the_case, count, settings, false, sink, study);
}

void gdyn_study_destroy(gdyn_study *s) {
    if (!s)
        return;
    gdyn_sampling_destroy(s->sampling);
    for (int f = 0; s->formula && f < s->formulas; f++)
        gdyn_expr_destroy(s->formula[f].expr);
    gdyn_instance_destroy(s->start);
    gdyn_arena_destroy(s->arena);
}

const gdyn_instance *gdyn_study_start(const gdyn_study *s) {
    return s->start;
}

int gdyn_study_joints(const gdyn_study *s) {
    return s->start->model ? gdyn_model_joints(s->start->model) : 0;
}

double gdyn_study_start_value(const gdyn_study *s, int variable) {
    return s->x_start[variable];
}

int gdyn_study_responses(const gdyn_study *s) {
    return s->responses;
}

const char *gdyn_study_response_name(const gdyn_study *s, int response) {
    return s->name[response];
}

gdyn_response_kind gdyn_study_response_kind(const gdyn_study *s, int response) {
    /* parameters, the machine, trajectories, workspaces, statistics, in this order */
    if (response >= s->responses - s->statistics)
        return GDYN_RESPONSE_STATISTIC;
    if (response < s->parameters)
        return GDYN_RESPONSE_PARAMETER;
    return response < s->parameters + s->machine ? GDYN_RESPONSE_MACHINE : GDYN_RESPONSE_TRAJECTORY;
}

double gdyn_design_response(const gdyn_design *d, int response) {
    if (!d->response)
        return NAN;
    double value = d->response[response];
    return d->known[response] || isinf(value) ? value : NAN;
}

const char *gdyn_study_unbounded(const gdyn_study *s, const gdyn_design *d, int response) {
    return isinf(d->response[response])
               ? gdyn_criterion_unbounded(s->row[response], d->response[response])
               : NULL;
}

/* --- designs ------------------------------------------------------------------------------ */

void gdyn_design_set(gdyn_design *d, int response, double value) {
    if (isnan(value))
        return;
    d->response[response] = value + 0.0; /* no -0: an archive need not keep its sign */
    d->known[response] = isfinite(value);
}

/* The arrays of a design behind its structure; returns the bytes of all. */
static size_t place_arrays(const gdyn_study *s, gdyn_design *d) {
    size_t numbers = 0,
           n[4] = {(size_t)s->variables, (size_t)s->responses, (size_t)s->start->objective_count,
                   (size_t)s->start->requirement_count};
    double **array[4] = {&d->x, &d->response, &d->objective, &d->constraint};
    for (int k = 0; k < 4; numbers += n[k++])
        *array[k] = (double *)(d + 1) + numbers;
    d->active = s->active > 0 ? (double *)(d + 1) + numbers : NULL;
    numbers += (size_t)s->active;
    d->joint = (gdyn_verdict *)((double *)(d + 1) + numbers);
    d->known = (bool *)(d->joint + gdyn_study_joints(s));
    return sizeof *d + numbers * sizeof(double) + (size_t)gdyn_study_joints(s) * sizeof *d->joint +
           n[1] * sizeof *d->known;
}

size_t gdyn_design_bytes(const gdyn_study *s) {
    gdyn_design none = {0};
    return place_arrays(s, &none);
}

void gdyn_design_assign(const gdyn_study *s, gdyn_design *d, const void *bytes) {
    memcpy(d, bytes, gdyn_design_bytes(s));
    place_arrays(s, d);
}

gdyn_design *gdyn_design_create(const gdyn_study *s) {
    gdyn_design *d = gdyn_alloc(1, gdyn_design_bytes(s));
    if (d) {
        place_arrays(s, d);
        d->base = -1;
    }
    return d;
}

gdyn_design *gdyn_design_slim(const gdyn_study *s, const gdyn_design *from) {
    /* The structure ends with the reason, numbers follow. */
    size_t head = offsetof(gdyn_design, reason) + strlen(from->reason) + 1;
    size_t begin = (head + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    const double *array[3] = {from->x, from->objective, from->constraint};
    size_t n[3] = {(size_t)s->variables, (size_t)s->start->objective_count,
                   (size_t)s->start->requirement_count};
    gdyn_design *d = gdyn_alloc(1, begin + (n[0] + n[1] + n[2]) * sizeof(double));
    if (!d)
        return NULL;
    memcpy(d, from, head);
    double *at = (double *)((char *)d + begin), **own[3] = {&d->x, &d->objective, &d->constraint};
    for (int k = 0; k < 3; at += n[k++])
        *own[k] = memcpy(at, array[k], n[k] * sizeof *at);
    d->response = NULL, d->known = NULL, d->joint = NULL, d->judged = false;
    d->not_passed = NULL, d->error = NULL, d->active = NULL;
    return d;
}

gdyn_design *gdyn_design_copy(const gdyn_study *s, const gdyn_design *from) {
    gdyn_design *d = from->response ? gdyn_design_create(s) : gdyn_design_slim(s, from);
    if (!d || !from->response)
        return d;
    gdyn_design_assign(s, d, from);
    /* Errors and what was not passed are left out. */
    d->not_passed = NULL, d->error = NULL;
    return d;
}

void gdyn_design_destroy(gdyn_design *d) {
    if (!d)
        return;
    gdyn_free(d->not_passed), gdyn_free(d->error), gdyn_free(d);
}

/* --- the machine of a design --------------------------------------------------------------- */

gdyn_setting *gdyn_study_settings(const gdyn_study *s, const double *x, int *count) {
    *count = s->set_count + s->variables;
    gdyn_setting *settings = gdyn_alloc((size_t)*count, sizeof *settings);
    if (settings && s->set_count > 0)
        memcpy(settings, s->set, (size_t)s->set_count * sizeof *settings);
    for (int i = 0; settings && i < s->variables; i++)
        settings[s->set_count + i] = gdyn_case_choice(&s->start->design[i], x[i]);
    return settings;
}

gdyn_status gdyn_study_instance(const gdyn_study *s, const double *x, const gdyn_sink *sink,
                                gdyn_instance **instance) {
    int count;
    gdyn_setting *settings = gdyn_study_settings(s, x, &count);
    *instance = NULL;
    if (!settings)
        return GDYN_ERROR_MEMORY;
    gdyn_status status = gdyn_case_instantiate_design(s->the_case, count, settings, sink, instance);
    if (status == GDYN_OK)
        status = gdyn_instance_settle(*instance, NULL, sink);
    if (status != GDYN_OK) {
        gdyn_instance_destroy(*instance);
        *instance = NULL;
    }
    gdyn_free(settings);
    return status;
}

/* --- archive ------------------------------------------------------------------------------ */

gdyn_status gdyn_archive_add(gdyn_archive *archive, gdyn_design *design) {
    if (!gdyn_reserve(&archive->design, &archive->capacity, archive->count + 1,
                      sizeof(gdyn_design *))) {
        gdyn_design_destroy(design);
        return GDYN_ERROR_MEMORY;
    }
    archive->design[archive->count++] = design;
    return GDYN_OK;
}

int gdyn_archive_place(const gdyn_archive *archive, long serial) {
    int low = 0, high = archive->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (archive->design[middle]->serial < serial)
            low = middle + 1;
        else
            high = middle;
    }
    return low < archive->count && archive->design[low]->serial == serial ? low : -1;
}

gdyn_design *gdyn_archive_find(const gdyn_archive *archive, long serial) {
    int place = gdyn_archive_place(archive, serial);
    return place >= 0 ? archive->design[place] : NULL;
}

void gdyn_archive_clear(gdyn_archive *archive) {
    for (int i = 0; i < archive->count; i++)
        gdyn_design_destroy(archive->design[i]);
    gdyn_free(archive->design);
    *archive = (gdyn_archive){0};
}

/* --- a study as a problem of the search: bounds, kinds of variables, starts, settings. */

gdyn_study_options gdyn_study_default(const gdyn_study *study) {
    return (gdyn_study_options){.search = study->start->search, .aim = study->start->aim};
}

/* Storage of the arrays of a problem. */
typedef struct arrays {
    double *lower, *upper, *start, *equality, *aim, *level;
    bool *integer, *categorical;
} arrays;

static void fill_arrays(const gdyn_study *s, const gdyn_study_options *o, arrays *a) {
    size_t n = (size_t)s->variables;
    /* Bounds and kinds; choices of a table have no order. */
    for (size_t i = 0; i < n; i++) {
        const gdyn_design_variable *v = &s->start->design[i];
        a->lower[i] = v->min, a->upper[i] = v->max, a->integer[i] = v->integer;
        a->categorical[i] = v->kind == GDYN_DESIGN_TABLE;
    }
    for (int k = 0; k < s->start->requirement_count; k++)
        a->equality[k] = gdyn_study_equality(&s->start->requirement[k]);
    for (int k = 0; o->aim && k < s->start->objective_count; k++)
        a->aim[k] = gdyn_study_minimized(s, k, o->aim[k]);
    for (int k = 0; o->search.level && k < o->search.level_count; k++)
        a->level[k] = gdyn_study_minimized(s, o->search.limited, o->search.level[k]);
    /* The start design first, then those of a warm start. */
    memcpy(a->start, s->x_start, n * sizeof *a->start);
    if (o->starts > 0)
        memcpy(a->start + n, o->start, n * (size_t)o->starts * sizeof *a->start);
}

gdyn_status gdyn_study_create_search(const gdyn_study *s, const gdyn_study_options *o,
                                     gdyn_search **search) {
    arrays a = {0};
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_status status = GDYN_ERROR_MEMORY;
    size_t n = (size_t)s->variables;
    a.lower = gdyn_arena_doubles(arena, n), a.upper = gdyn_arena_doubles(arena, n);
    a.integer = gdyn_arena_alloc(arena, n, sizeof *a.integer);
    a.categorical = gdyn_arena_alloc(arena, n, sizeof *a.categorical);
    a.start = gdyn_arena_doubles(arena, n * (size_t)(1 + o->starts));
    a.equality = gdyn_arena_doubles(arena, (size_t)s->start->requirement_count);
    a.aim = gdyn_arena_doubles(arena, (size_t)s->start->objective_count);
    a.level = gdyn_arena_doubles(arena, (size_t)o->search.level_count);
    if (!gdyn_arena_failed(arena)) {
        fill_arrays(s, o, &a);
        gdyn_search_problem problem = {.variables = s->variables,
                                       .objectives = s->start->objective_count,
                                       .lower = a.lower,
                                       .upper = a.upper,
                                       .integer = a.integer,
                                       .categorical = a.categorical,
                                       .start = a.start,
                                       .starts = 1 + o->starts,
                                       .constraints = s->start->requirement_count,
                                       .equality = a.equality};
        gdyn_search_options options = o->search;
        options.aim = o->aim ? a.aim : NULL;
        options.level = o->search.level ? a.level : NULL;
        status = gdyn_search_create(&problem, &options, search);
    }
    gdyn_arena_destroy(arena);
    return status;
}
