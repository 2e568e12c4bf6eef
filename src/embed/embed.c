/* embed.c - the handle: a case, the parameters that were set, what is made of them when it is asked
 * for. */
#include "embed/embed.h"

#include "base/memory.h"
#include "report/front.h"
#include "report/report.h"
#include "study/free_path.h"
#include "study/executor.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct gdyn_embed {
    gdyn_text message, document;
    gdyn_sink own, sink; /* own: into the message; sink: the same with places in the file */
    gdyn_case *the_case;
    int settings, capacity;
    gdyn_setting *setting;   /* settings */
    gdyn_instance *instance; /* at these settings; NULL: not made yet */
    gdyn_study *study;       /* the same */
    int designs;
    gdyn_design **design; /* designs: of the last evaluation */
};

/* Diagnostics are kept as text; the last ones of a call are its message. */
static void keep_message(void *context, const gdyn_diag *diag) {
    gdyn_diag_print(diag, &((gdyn_embed *)context)->message, false);
}

static void clear(gdyn_text *text) {
    gdyn_text_free(text);
    *text = (gdyn_text){0};
}

/* Begins a call: false when the case could not be read. */
static bool begin(gdyn_embed *e) {
    if (e->the_case)
        clear(&e->message);
    return e->the_case != NULL;
}

/* Takes note of a status that has no diagnostic. */
static bool succeeded(gdyn_embed *e, gdyn_status status) {
    if (status != GDYN_OK && e->message.length == 0)
        gdyn_text_printf(&e->message, "error: %s\n", gdyn_status_text(status));
    return status == GDYN_OK;
}

/* A message of the handle itself. */
static bool refuse(gdyn_embed *e, const char *what) {
    gdyn_text_printf(&e->message, "error: %s\n", what);
    return false;
}

/* Designs of an evaluation live until the next one. */
static void forget_designs(gdyn_embed *e) {
    for (int i = 0; i < e->designs; i++)
        gdyn_design_destroy(e->design[i]);
    gdyn_free(e->design);
    e->design = NULL;
    e->designs = 0;
}

/* What was made at other settings. */
static void forget(gdyn_embed *e) {
    forget_designs(e);
    gdyn_study_destroy(e->study);
    gdyn_instance_destroy(e->instance);
    e->study = NULL;
    e->instance = NULL;
}

/* --- case and parameters ---------------------------------------------------------------------- */

gdyn_embed *gdyn_embed_open(const char *source, int is_text) {
    gdyn_embed *e = gdyn_alloc(1, sizeof *e);
    if (!e)
        return NULL;
    /* The handle exists even if the case cannot be read, to hold the message. */
    e->own = (gdyn_sink){keep_message, e};
    gdyn_status status =
        is_text ? gdyn_case_read_text(source, strlen(source), "case.yaml", &e->own, &e->the_case)
                : gdyn_case_read(source, &e->own, &e->the_case);
    if (succeeded(e, status))
        e->sink = gdyn_case_sink(e->the_case, &e->own);
    return e;
}

void gdyn_embed_close(gdyn_embed *e) {
    if (!e)
        return;
    forget(e);
    gdyn_case_destroy(e->the_case);
    gdyn_free(e->setting);
    gdyn_text_free(&e->message);
    gdyn_text_free(&e->document);
    gdyn_free(e);
}

const char *gdyn_embed_message(const gdyn_embed *e) {
    return e->message.data ? e->message.data : "";
}

int gdyn_embed_set(gdyn_embed *e, const char *text) {
    gdyn_setting setting;
    if (!begin(e) || !succeeded(e, gdyn_case_parse_setting(e->the_case, text, &e->sink, &setting)))
        return 0;
    /* A parameter that was set before gets its new value. */
    int at = 0;
    while (at < e->settings && strcmp(e->setting[at].name, setting.name) != 0)
        at++;
    /* The list grows by one where it is new. */
    if (!gdyn_reserve(&e->setting, &e->capacity, at + 1, sizeof *e->setting))
        return succeeded(e, GDYN_ERROR_MEMORY);
    e->setting[at] = setting;
    e->settings = at == e->settings ? at + 1 : e->settings;
    /* Everything at the old settings is out of date. */
    forget(e);
    return 1;
}

/* The machine at the present settings, made once. */
static bool make_instance(gdyn_embed *e) {
    if (e->instance)
        return true;
    if (!succeeded(
            e, gdyn_case_instantiate(e->the_case, e->settings, e->setting, &e->sink, &e->instance)))
        return false;
    /* The free coordinates of its trajectories; without them there is no instance. */
    bool settled = succeeded(e, gdyn_instance_settle(e->instance, NULL, &e->sink));
    if (!settled) {
        gdyn_instance_destroy(e->instance);
        e->instance = NULL;
    }
    return settled;
}

/* --- documents -------------------------------------------------------------------------------- */

/* The document of `regions` or `traverse`. */
static gdyn_status of_trajectories(gdyn_embed *e, int first, int count, bool motion) {
    /* All are opened and worked out before the document is written. */
    gdyn_trajectory *t = gdyn_alloc((size_t)count + 1, sizeof *t);
    gdyn_status status = t ? GDYN_OK : GDYN_ERROR_MEMORY;
    int opened = 0;
    /* Regions or the fastest motion, one trajectory after the other. */
    while (opened < count && status == GDYN_OK) {
        gdyn_trajectory *now = &t[opened];
        status = gdyn_trajectory_open(now, e->instance, first + opened++, &e->sink);
        now->settings.lean = true;
        now->any_rate = true;
        if (status == GDYN_OK)
            status = gdyn_trajectory_take(now, motion ? GDYN_PASS_PLAN : GDYN_PASSES_OF_REGIONS);
    }
    /* The document holds all of them. */
    if (status == GDYN_OK && motion)
        status = gdyn_report_traverse_json(&e->document, e->instance->name, count, t);
    else if (status == GDYN_OK)
        status = gdyn_report_regions_json(&e->document, e->instance->name, count, t);
    /* Those that were opened are closed, whatever happened. */
    for (int i = 0; i < opened; i++)
        gdyn_trajectory_close(&t[i]);
    gdyn_free(t);
    return status;
}

/* The trajectories that are meant; false after a message. */
static bool choose(gdyn_embed *e, const char *name, int *first, int *count) {
    /* All of them, unless one is named. */
    *first = 0;
    *count = e->instance->trajectory_count;
    for (int i = 0; name && i < e->instance->trajectory_count; i++)
        if (strcmp(e->instance->trajectory[i].name, name) == 0) {
            *first = i;
            *count = 1;
            return true;
        }
    char what[160];
    snprintf(what, sizeof what, "the case has no trajectory '%.100s'", name ? name : "");
    return name ? refuse(e, what) : true;
}

const char *gdyn_embed_document(gdyn_embed *e, const char *what, const char *trajectory) {
    if (!begin(e) || !make_instance(e))
        return NULL;
    int first, count;
    /* What is asked for must exist in this case. */
    bool check = strcmp(what, "check") == 0, motion = strcmp(what, "traverse") == 0;
    if (!check && !motion && strcmp(what, "regions") != 0)
        refuse(e, "documents are check, regions, traverse");
    else if (!e->instance->model)
        refuse(e, "the case describes no machine");
    else if (!check && gdyn_model_drives(e->instance->model) == 0)
        refuse(e, "the machine has no drives");
    else if (choose(e, trajectory, &first, &count)) {
        clear(&e->document);
        gdyn_status status = GDYN_OK;
        if (check) {
            /* The first guess, then each trajectory, as `globdyn check` does. */
            gdyn_examination found;
            status = gdyn_examine(&found, e->instance);
            while (status == GDYN_OK && found.assembled &&
                   found.opened < e->instance->trajectory_count)
                status = gdyn_examine_next(&found, GDYN_PASSES_OF_CHECK, &e->sink);
            if (status == GDYN_OK)
                status = gdyn_report_examination_json(&e->document, &found);
            gdyn_examination_free(&found);
        } else {
            status = of_trajectories(e, first, count, motion);
        }
        if (succeeded(e, status))
            return e->document.data;
    }
    return NULL;
}

/* --- names ------------------------------------------------------------------------------------ */

/* The study, where `what` is known and (index >= 0) has that entry; NULL after a message. */
static const gdyn_study *study_of(gdyn_embed *e, const char *what, int index, gdyn_trait_kind *k) {
    /* The study is made at the present settings when it is first needed. */
    if (!begin(e) ||
        (!e->study && !succeeded(e, gdyn_study_create_any(e->the_case, e->settings, e->setting,
                                                          &e->sink, &e->study))))
        return NULL;
    static const char *const name[GDYN_TRAIT_KINDS] = {"variables", "objectives", "constraints",
                                                       "responses"};
    *k = GDYN_TRAIT_VARIABLE;
    while (*k < GDYN_TRAIT_KINDS && strcmp(name[*k], what) != 0)
        ++*k;
    if (*k == GDYN_TRAIT_KINDS)
        refuse(e, "lists are variables, objectives, constraints, responses");
    else if (index >= gdyn_traits(e->study, *k))
        refuse(e, "the list has no such entry");
    else
        return e->study;
    return NULL;
}

int gdyn_embed_count(gdyn_embed *e, const char *what) {
    gdyn_trait_kind k;
    const gdyn_study *study = study_of(e, what, -1, &k);
    return study ? gdyn_traits(study, k) : -1;
}

const char *gdyn_embed_name(gdyn_embed *e, const char *what, int index) {
    gdyn_trait_kind k;
    const gdyn_study *study = index >= 0 ? study_of(e, what, index, &k) : NULL;
    return study ? gdyn_trait_name(study, k, index) : NULL;
}

const char *gdyn_embed_unit(gdyn_embed *e, const char *what, int index) {
    gdyn_trait_kind k;
    const gdyn_study *study = index >= 0 ? study_of(e, what, index, &k) : NULL;
    if (!study)
        return NULL;
    clear(&e->document);
    gdyn_text_printf(&e->document, "%s", gdyn_trait_of(study, k, index).unit);
    return e->document.data;
}

int gdyn_embed_bounds(gdyn_embed *e, double *min, double *max, double *start, double *step) {
    gdyn_trait_kind k;
    const gdyn_study *study = study_of(e, "variables", -1, &k);
    /* Bounds and start in the order of the case; step 1: only whole numbers. */
    for (int i = 0; study && i < gdyn_traits(study, GDYN_TRAIT_VARIABLE); i++) {
        const gdyn_design_variable *v = &gdyn_study_start(study)->design[i];
        min[i] = v->min;
        max[i] = v->max;
        start[i] = gdyn_study_start_value(study, i);
        step[i] = v->integer || v->kind != GDYN_DESIGN_NUMBER;
    }
    return study != NULL;
}

int gdyn_embed_goals(gdyn_embed *e, double *sense, double *relation, double *right) {
    gdyn_trait_kind k;
    const gdyn_study *study = study_of(e, "objectives", -1, &k);
    if (!study)
        return 0;
    const gdyn_instance *start = gdyn_study_start(study);
    /* +1: maximize; then -1, 0, 1 for <=, =, >=. */
    for (int i = 0; i < start->objective_count; i++)
        sense[i] = start->objective[i].maximize ? 1 : -1;
    for (int i = 0; i < start->requirement_count; i++) {
        relation[i] = start->requirement[i].relation;
        right[i] = start->requirement[i].right;
    }
    return 1;
}

/* --- designs ---------------------------------------------------------------------------------- */

/* Nothing is reported while designs are evaluated. */
static gdyn_status done(void *context, int i) {
    (void)context;
    (void)i;
    return GDYN_OK;
}

/* Designs to be evaluated, from the caller's rows. */
static gdyn_status make_designs(gdyn_embed *e, int count, const double *x) {
    size_t variables = (size_t)gdyn_traits(e->study, GDYN_TRAIT_VARIABLE);
    /* One design per row of x. */
    forget_designs(e);
    e->design = gdyn_alloc((size_t)count + 1, sizeof(gdyn_design *));
    if (!e->design)
        return GDYN_ERROR_MEMORY;
    for (; e->designs < count; e->designs++) {
        gdyn_design *design = gdyn_design_create(e->study);
        if (!design)
            return GDYN_ERROR_MEMORY;
        memcpy(design->x, x + variables * (size_t)e->designs, variables * sizeof *x);
        design->serial = e->designs;
        e->design[e->designs] = design;
    }
    return GDYN_OK;
}

/* A row of values into an array that may be NULL. */
static void put(double *out, int row, int width, const double *value, const bool *known,
                bool all_known) {
    for (int i = 0; out && i < width; i++)
        out[(size_t)row * (size_t)width + (size_t)i] =
            (known ? known[i] || isinf(value[i]) : all_known) ? value[i] : NAN;
}

int gdyn_embed_evaluate(gdyn_embed *e, int count, const double *x, int threads, int all,
                        double *objectives, double *constraints, double *responses, double *status,
                        double *violation, double *failure) {
    gdyn_trait_kind k;
    const gdyn_study *study = study_of(e, "variables", -1, &k);
    if (!study || (count < 0 && !refuse(e, "a negative number of designs")) ||
        (threads < 0 && !refuse(e, "a negative number of threads")))
        return 0;
    /* Threads live for one call. */
    gdyn_executor executor = {0};
    gdyn_status found = make_designs(e, count, x);
    if (found == GDYN_OK)
        found = gdyn_executor_threads(threads, &executor);
    /* Everything, or what the formulas need. */
    gdyn_job job = {.study = study,
                    .design = e->design,
                    .count = count,
                    .extent = all ? GDYN_EXTENT_ALL : GDYN_EXTENT_NEEDED,
                    .done = done};
    if (found == GDYN_OK) {
        found = executor.evaluate(executor.self, &job);
        gdyn_executor_destroy(&executor);
    }
    /* Rows of the caller's arrays; NaN where there is no value. */
    for (int i = 0; i < count && found == GDYN_OK; i++) {
        const gdyn_design *d = e->design[i];
        put(objectives, i, gdyn_traits(study, GDYN_TRAIT_OBJECTIVE), d->objective, NULL,
            d->evaluated);
        put(constraints, i, gdyn_traits(study, GDYN_TRAIT_CONSTRAINT), d->constraint, NULL,
            d->evaluated);
        put(responses, i, gdyn_traits(study, GDYN_TRAIT_CRITERION), d->response, d->known, false);
        put(status, i, 1, (double[]){d->status}, NULL, true);
        put(violation, i, 1, &d->violation, NULL, true);
        put(failure, i, 1, &d->failure, NULL, true);
    }
    return succeeded(e, found);
}

const char *gdyn_embed_reason(gdyn_embed *e, int index) {
    return index >= 0 && index < e->designs ? e->design[index]->reason : NULL;
}

const char *gdyn_embed_status(int number) {
    return number >= 0 && number < GDYN_DESIGN_STATUSES
               ? gdyn_design_status_name((gdyn_design_status)number)
               : NULL;
}
