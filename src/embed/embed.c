/* embed.c - the handle: a case, the parameters that were set, what is made of them when it is asked
 * for. */
#include "embed/embed.h"

#include "base/memory.h"
#include "cli/cli.h"
#include "study/free_path.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* What a command would have written; name "": its document. */
typedef struct file {
    char name[160];
    gdyn_text text;
} file;

struct gdyn_embed {
    gdyn_text message, errors, document;
    int files, room;
    file *file;                 /* files: of the last command */
    volatile sig_atomic_t stop; /* not zero: the search is to end */
    gdyn_sink own, sink;        /* own: into the message; sink: the same with places in the file */
    gdyn_sink relay;            /* to a command's console, with places in the file */
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
    gdyn_embed *e = context;
    gdyn_diag_print(diag, &e->message, false);
    if (diag->severity != GDYN_ERROR)
        return;
    gdyn_report_errors(&e->errors, GDYN_EXIT_CASE, 1, diag);
}

static void clear(gdyn_text *text) {
    gdyn_text_free(text);
    *text = (gdyn_text){0};
}

/* Begins a call: false when the case could not be read. */
static bool begin(gdyn_embed *e) {
    if (e->the_case) {
        clear(&e->message);
        clear(&e->errors);
    }
    return e->the_case != NULL;
}

/* Takes note of a status that has no diagnostic. */
static bool succeeded(gdyn_embed *e, gdyn_status status) {
    if (status != GDYN_OK && e->message.length == 0)
        gdyn_diag_emit(&e->own, GDYN_ERROR, NULL, NULL, GDYN_CODE_NUMERICS "%s",
                       gdyn_status_text(status));
    return status == GDYN_OK;
}

/* A message of the handle itself. */
static bool refuse(gdyn_embed *e, const char *what) {
    gdyn_diag_emit(&e->own, GDYN_ERROR, NULL, NULL, GDYN_CODE_USAGE "%s", what);
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

static void forget_files(gdyn_embed *e) {
    for (int i = 0; i < e->files; i++)
        gdyn_text_free(&e->file[i].text);
    e->files = 0;
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
    if (succeeded(e, status)) {
        gdyn_sink console = gdyn_console_sink();
        e->sink = gdyn_case_sink(e->the_case, &e->own);
        e->relay = gdyn_case_sink(e->the_case, &console);
    }
    return e;
}

void gdyn_embed_close(gdyn_embed *e) {
    if (!e)
        return;
    forget(e);
    gdyn_case_destroy(e->the_case);
    forget_files(e);
    gdyn_free(e->file);
    gdyn_free(e->setting);
    gdyn_text_free(&e->message);
    gdyn_text_free(&e->errors);
    gdyn_text_free(&e->document);
    gdyn_free(e);
}

const char *gdyn_embed_message(const gdyn_embed *e) {
    return e->message.data ? e->message.data : "";
}

const char *gdyn_embed_errors(const gdyn_embed *e) {
    return e->errors.data ? e->errors.data : "";
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

/* --- commands --------------------------------------------------------------------------------- */

/* The program's commands keep their state for themselves: one at a time. */
static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
static gdyn_embed *present; /* whose command runs, NULL: none */

/* In a forked process no command runs. */
static void forget_command(void) {
    alone = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    present = NULL;
    gdyn_capture_set(NULL);
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, forget_command);
}

/* A piece of a file. */
static void take_file(void *context, const char *name, const char *bytes, size_t length) {
    gdyn_embed *e = context;
    int i = 0;
    while (i < e->files && strcmp(e->file[i].name, name) != 0)
        i++;
    if (i == e->files) {
        if (!gdyn_reserve(&e->file, &e->room, i + 1, sizeof *e->file))
            return;
        e->file[e->files++] = (file){.text = {0}};
        snprintf(e->file[i].name, sizeof e->file[i].name, "%s", name);
    }
    gdyn_text_append(&e->file[i].text, bytes, length);
}

const char *gdyn_embed_file_name(const gdyn_embed *e, int index) {
    return index >= 0 && index < e->files ? e->file[index].name : NULL;
}

const char *gdyn_embed_file(const gdyn_embed *e, const char *name) {
    for (int i = 0; i < e->files; i++)
        if (strcmp(e->file[i].name, name) == 0)
            return e->file[i].text.failed ? NULL : e->file[i].text.data;
    return NULL;
}

void gdyn_embed_interrupt(gdyn_embed *e) {
    gdyn_flag_set(&e->stop, SIGINT);
    if (__atomic_load_n(&present, __ATOMIC_ACQUIRE) == e)
        gdyn_flag_set(&gdyn_interrupted, SIGINT);
}

/* The command line, whose words stand in `text`; the exit code. */
static int call(gdyn_embed *e, const char *command, gdyn_text *text) {
    enum { WORDS = 64 };
    const gdyn_opened opened = {.filename = gdyn_case_filename(e->the_case),
                                .the_case = e->the_case,
                                .instance = e->instance,
                                .sink = e->relay};
    const gdyn_capture capture = {e->own, take_file, e, &opened};
    char *argv[WORDS + 4] = {(char *)command, "--json", "--no-pictures"}, *save = NULL;
    int argc = 3;
    for (char *word = strtok_r(text->data, "\n", &save); word && argc < WORDS;
         word = strtok_r(NULL, "\n", &save))
        argv[argc++] = word;
    argv[argc++] = "--";
    argv[argc++] = (char *)opened.filename;
    return gdyn_cli_call(&capture, argc, argv);
}

const char *gdyn_embed_run(gdyn_embed *e, const char *command, const char *options) {
    gdyn_text text = {0}, name = {0};
    if (!begin(e) || !make_instance(e))
        return NULL;
    gdyn_text_printf(&text, "%s\n", options ? options : "");
    gdyn_text_printf(&name, "%s.json", command);
    forget_files(e);
    pthread_mutex_lock(&alone);
    gdyn_flag_set(&gdyn_interrupted, 0);
    __atomic_store_n(&present, e, __ATOMIC_RELEASE);
    int code = text.failed || name.failed ? GDYN_EXIT_MEMORY : call(e, command, &text);
    __atomic_store_n(&present, NULL, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&alone);
    /* The document is what was printed, or the file of that name. */
    bool answered = code == GDYN_EXIT_YES || code == GDYN_EXIT_NO;
    const char *printed = answered ? gdyn_embed_file(e, "") : NULL;
    const char *document = answered && !printed ? gdyn_embed_file(e, name.data) : printed;
    if (!document)
        succeeded(e, code > GDYN_EXIT_SIGNAL ? GDYN_ERROR_INTERRUPTED : GDYN_ERROR_MEMORY);
    gdyn_text_free(&text);
    gdyn_text_free(&name);
    return document;
}

const char *gdyn_embed_document(gdyn_embed *e, const char *what, const char *trajectory) {
    gdyn_text options = {0};
    if (trajectory)
        gdyn_text_printf(&options, "--trajectory=%s", trajectory);
    const char *document = gdyn_embed_run(e, what, options.data);
    gdyn_text_free(&options);
    return document;
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

/* A design in a row of the caller's arrays, in the order of gdyn_embed_search. */
static void put_design(const gdyn_study *study, const gdyn_design *d, int row,
                       double *const *array) {
    put(array[0], row, gdyn_traits(study, GDYN_TRAIT_VARIABLE), d->x, NULL, true);
    put(array[1], row, gdyn_traits(study, GDYN_TRAIT_OBJECTIVE), d->objective, NULL, d->evaluated);
    put(array[2], row, gdyn_traits(study, GDYN_TRAIT_CONSTRAINT), d->constraint, NULL,
        d->evaluated);
    put(array[3], row, gdyn_traits(study, GDYN_TRAIT_CRITERION), d->response, d->known, false);
    put(array[4], row, 1, (double[]){d->status}, NULL, true);
    put(array[5], row, 1, &d->violation, NULL, true);
    put(array[6], row, 1, &d->failure, NULL, true);
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
    double *const array[] = {NULL, objectives, constraints, responses, status, violation, failure};
    for (int i = 0; i < count && found == GDYN_OK; i++)
        put_design(study, e->design[i], i, array);
    return succeeded(e, found);
}

/* --- searches --------------------------------------------------------------------------------- */

typedef struct search {
    gdyn_embed *e;
    const gdyn_study *study;
    double *const *array;
    gdyn_embed_visit *visit;
    void *context;
} search;

static void show_design(void *context, const gdyn_design *d) {
    const search *s = context;
    put_design(s->study, d, 0, s->array);
    if (!gdyn_flag(&s->e->stop) && !s->visit(s->context, (int)d->serial, d->reason))
        gdyn_flag_set(&s->e->stop, SIGINT);
}

int gdyn_embed_search(gdyn_embed *e, int evaluations, double seed, int threads,
                      double *const *arrays, gdyn_embed_visit *visit, void *context) {
    gdyn_study *study = NULL;
    gdyn_study_result result;
    if (!begin(e) ||
        !succeeded(e, gdyn_study_create(e->the_case, e->settings, e->setting, &e->sink, &study)))
        return 0;
    gdyn_flag_set(&e->stop, 0);
    search s = {e, study, arrays, visit, context};
    gdyn_study_options options = gdyn_study_default(study);
    options.search.evaluations = evaluations > 0 ? evaluations : options.search.evaluations;
    options.search.seed = seed >= 0 ? (uint64_t)seed : options.search.seed;
    gdyn_search_decide(gdyn_study_start(study)->objective_count, &options.search);
    options.threads = threads;
    options.interrupt = &e->stop;
    options.visit = show_design;
    options.visitor = &s;
    gdyn_status found = gdyn_study_run(study, &options, &result);
    if (found == GDYN_OK)
        gdyn_study_result_clear(&result);
    gdyn_study_destroy(study);
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
