/* cmd_study.c - globdyn study VERB ...: the content of study files (the verbs: command_table.c). */
#include "cli/cli.h"

/* --- finding studies ---------------------------------------------------------------------- */

/* Where the study of that name may be; NULL at the end. */
static char *candidate(const char *name, int number) {
    static const char *const patterns[] = {"%s", "%s/study.db", "%s/sweep.db",
                                           "results/%s/study.db", "results/%s/sweep.db"};
    gdyn_text text = {0};
    if (number >= (int)(sizeof patterns / sizeof *patterns))
        return NULL;
    /* The name replaces %s. */
    const char *blank = strstr(patterns[number], "%s");
    gdyn_text_append(&text, patterns[number], (size_t)(blank - patterns[number]));
    gdyn_text_printf(&text, "%s%s", name, blank + 2);
    return text.data;
}

char *gdyn_study_file(const char *name) {
    char *file;
    for (int i = 0; (file = candidate(name, i)) && !gdyn_is_file(file); i++)
        gdyn_free(file);
    return file;
}

int gdyn_open_stored(const char *name, gdyn_stored **stored) {
    gdyn_sink console = gdyn_console_sink();
    *stored = NULL;
    if (gdyn_refuse_case_as_study(name))
        return GDYN_EXIT_FILE;
    char *file = gdyn_study_file(name);
    int code = file ? gdyn_exit_code(gdyn_stored_open(file, &console, stored)) : GDYN_EXIT_FILE;
    gdyn_free(file);
    return file ? code : gdyn_no_study(name);
}

int gdyn_no_study(const char *name) {
    return gdyn_cli_fail(GDYN_EXIT_FILE,
                         "give a file, a folder with study.db, or a name below results/; "
                         "globdyn study list shows them",
                         GDYN_CODE_ABSENT "there is no study '%s'", name);
}

bool gdyn_is_study(const char *name) {
    bool found = false;
    char *file;
    for (int i = 0; !found && (file = candidate(name, i)); i++) {
        char head[16] = "";
        FILE *in = gdyn_is_file(file) ? fopen(file, "rb") : NULL;
        found = in && fread(head, 1, sizeof head, in) == sizeof head &&
                memcmp(head, "SQLite format 3", sizeof head) == 0;
        if (in)
            fclose(in);
        gdyn_free(file);
    }
    return found;
}

static gdyn_outcome stored_outcome(const gdyn_stored *s) {
    return (gdyn_outcome){gdyn_study_start(s->study)->name, s->study, &s->options, &s->result};
}

/* --- show, front, export ------------------------------------------------------------------ */

const gdyn_design *gdyn_stored_design(const gdyn_stored *s, const char *text) {
    char *end;
    long id = strtol(text, &end, 10);
    const gdyn_archive *archive = &s->result.archive;
    const gdyn_design *d = *text && !*end ? gdyn_archive_find(archive, id) : NULL;
    if (d)
        return d;
    if (archive->count == 0)
        gdyn_cli_error(GDYN_CODE_ABSENT "the study has no designs yet");
    else
        gdyn_cli_error(GDYN_CODE_ABSENT "there is no design '%s'; the study has designs %ld to %ld",
                       text, archive->design[0]->serial,
                       archive->design[archive->count - 1]->serial);
    return NULL;
}

/* To -o FILE, or to standard output. */
static int stream(const gdyn_options *options, gdyn_outcome_writer *write,
                  const gdyn_outcome *outcome) {
    const char *file =
        options->output && strcmp(options->output, "-") != 0 ? options->output : NULL;
    return gdyn_exit_code(gdyn_cli_stream(NULL, file, file ? NULL : stdout, write, outcome));
}

static int show(const gdyn_options *options, const gdyn_stored *s) {
    gdyn_outcome outcome = stored_outcome(s);
    /* A design, or the study as a whole. */
    const gdyn_design *d = options->count > 2 ? gdyn_stored_design(s, options->operand[2]) : NULL;
    gdyn_text text = {0};
    if (options->count > 2 && !d)
        return GDYN_EXIT_USAGE;
    if (options->json && d)
        return gdyn_cli_print(
            gdyn_report_design_json(&text, outcome.case_name, NULL, s->study, d, 0, NULL), &text,
            options->output);
    if (options->json)
        return stream(options, gdyn_report_front_json, &outcome);
    if (d) {
        printf("%s, design %ld\n", outcome.case_name, d->serial);
        gdyn_print_design(s->study, d);
        return GDYN_EXIT_YES;
    }
    /* A sweep has no front: its number of designs. */
    if (s->kind == GDYN_STORE_OPTIMIZE && s->result.archive.count > 0)
        gdyn_print_outcome(&outcome);
    else
        printf("%s: %d design%s\n", outcome.case_name, s->result.archive.count,
               gdyn_plural(s->result.archive.count));
    /* The process that writes it now, and the platforms that wrote it. */
    printf("state: %s", gdyn_stored_state(s));
    if (s->owner > 0)
        printf(" (process %ld)", s->owner);
    printf("\n");
    for (const char *at = s->platform; *at;) {
        int length = (int)strcspn(at, "\n");
        printf("%s %.*s\n", at == s->platform ? "made with:" : "continued with:", length, at);
        at += length + (at[length] == '\n');
    }
    return GDYN_EXIT_YES;
}

static int front(const gdyn_options *options, const gdyn_stored *s) {
    gdyn_outcome outcome = stored_outcome(s);
    int code = GDYN_EXIT_YES;
    if (options->json || options->csv || options->output) {
        code = stream(options, options->json ? gdyn_report_front_json : gdyn_report_front_csv,
                      &outcome);
    } else {
        if (s->result.front.count > 0)
            gdyn_print_front(s->study, &s->result);
        else if (gdyn_study_start(s->study)->objective_count == 0)
            printf("the study has no objectives, so no front\n");
        else
            gdyn_print_infeasibility(s->study, &s->result.archive);
    }
    return code == GDYN_EXIT_YES && s->result.front.count == 0 ? GDYN_EXIT_NO : code;
}

static int export(const gdyn_options *options, const gdyn_stored *s) {
    gdyn_outcome outcome = stored_outcome(s);
    return stream(options, options->json ? gdyn_report_designs_json : gdyn_report_export_csv,
                  &outcome);
}

/* --- case --------------------------------------------------------------------------------- */

static int write_case(const gdyn_options *options, const gdyn_stored *s) {
    static const char *const beside[] = {"expect", NULL}; /* true of the start design alone */
    const gdyn_instance *start = gdyn_study_start(s->study);
    const gdyn_design *d = gdyn_stored_design(s, options->operand[2]);
    gdyn_setting *setting = calloc((size_t)start->design_count + 1, sizeof *setting);
    gdyn_text text = {0};
    const char *file =
        options->output && strcmp(options->output, "-") != 0 ? options->output : NULL;
    /* A file that exists is never overwritten. */
    if (file && gdyn_is_file(file)) {
        gdyn_cli_error(GDYN_CODE_FILE "'%s' already exists and was not changed", file);
        gdyn_cli_help("choose another name with -o FILE");
        free(setting);
        return GDYN_EXIT_FILE;
    }
    if (!d || !setting) {
        free(setting);
        return d ? GDYN_EXIT_MEMORY : GDYN_EXIT_USAGE;
    }
    /* The design's values in place of the case's. */
    for (int i = 0; i < start->design_count; i++)
        setting[i] = gdyn_case_choice(&start->design[i], d->x[i]);
    gdyn_text_printf(&text, "# design %ld of study %s\n", d->serial, s->case_name);
    gdyn_status status = gdyn_case_write(s->the_case, start->design_count, setting, beside, &text);
    free(setting);
    return gdyn_cli_print(status, &text, options->output);
}

/* --- check: whether the file is intact and its designs are reproduced ------------------------- */

enum { SAMPLES = 12 };

/* Prints a finding; 1 when it is bad. */
static int report(bool good, const char *what) {
    printf("%-7s %s\n", good ? "ok" : "FAILED", what);
    return !good;
}

/* A few designs, spread over the study, evaluated again. */
static int check_samples(const gdyn_stored *s) {
    int count = s->result.archive.count, samples = count < SAMPLES ? count : SAMPLES, differing = 0;
    gdyn_design *again = gdyn_design_create(s->study);
    char text[120];
    /* Spread over the study, the same ones every time. */
    for (int k = 0; again && k < samples; k++) {
        const gdyn_design *d = gdyn_stored_sample(s, samples, k);
        gdyn_stage("design %ld, evaluated again", d->serial);
        bool same;
        gdyn_stored_reproduce(s, d, again, &same);
        if (!same)
            printf("        design %ld differs when evaluated again: %s, not %s\n", d->serial,
                   gdyn_design_status_name(again->status), gdyn_design_status_name(d->status));
        differing += !same;
    }
    snprintf(text, sizeof text, "%d of %d design%s evaluated again ha%s the same bits",
             samples - differing, samples, gdyn_plural(samples), samples == 1 ? "s" : "ve");
    int bad = report(again && differing == 0, text);
    gdyn_design_destroy(again);
    return bad;
}

static int check(const gdyn_options *options, const gdyn_stored *s) {
    (void)options;
    char failure[160];
    /* SQLite's own check first, then what the designs say. */
    bool whole = gdyn_stored_integrity(s, failure, sizeof failure);
    int failures = report(whole, whole ? "the file's structure" : failure);
    bool asked = true;
    gdyn_status status = GDYN_OK;
    if (s->kind == GDYN_STORE_OPTIMIZE)
        status = gdyn_stored_asked(s, &asked);
    if (status != GDYN_OK)
        return gdyn_exit_code(status);
    if (s->kind == GDYN_STORE_OPTIMIZE)
        failures += report(asked, asked ? "the designs are those of the search"
                                        : "the designs are not those of the search");
    gdyn_numbering n = gdyn_stored_numbering(s);
    /* Designs are numbered without a gap, except at the end of an interrupted generation. */
    char text[160];
    if (n.lost)
        snprintf(text, sizeof text, "%d designs; some of the search are missing after design %ld",
                 n.rows, n.last);
    else
        snprintf(text, sizeof text, "%d design%s, numbered from 0%s", n.designs,
                 gdyn_plural(n.designs),
                 n.gaps ? ", some of the last generation not evaluated yet" : " without a gap");
    int bad = report(n.good, text);
    if (n.lost)
        fprintf(stderr, "      = help: the command that made the study evaluates them again\n");
    failures += bad;
    failures += check_samples(s);
    return failures ? GDYN_EXIT_NO : GDYN_EXIT_YES;
}

/* --- the command -------------------------------------------------------------------------- */

typedef struct verb {
    const char *name, *operands;
    int least, most;   /* operands behind the verb */
    const char *takes; /* of -o, --json, --csv: o, j, c; p: those of pick, l: those of limit */
    int (*run)(const gdyn_options *options, const gdyn_stored *stored);
} verb;

static const verb verbs[] = {
    {"list", "[FOLDER...]", 0, 10000, "", NULL},
    {"show", "STUDY [N]", 1, 2, "oj", show},
    {"front", "STUDY", 1, 1, "ojc", front},
    {"export", "STUDY", 1, 1, "ojc", export},
    {"compare", "STUDY A B, STUDY STUDY, or GROUP GROUP...", 2, 10000, "oj", gdyn_study_compare},
    {"pick", "STUDY", 1, 1, "ojp", gdyn_study_pick},
    {"limit", "STUDY CONSTRAINT", 2, 2, "ojl", gdyn_study_limit},
    {"case", "STUDY N", 2, 2, "o", write_case},
    {"check", "STUDY", 1, 1, "", check},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

const char *gdyn_study_verb(int i) {
    return i < VERBS ? verbs[i].name : NULL;
}

/* Whether the verb takes the options that were given; -o of show goes with --json. */
static bool takes(const verb *v, const gdyn_options *options) {
    const char *wrong = options->output && !strchr(v->takes, 'o') ? "-o"
                        : options->json && !strchr(v->takes, 'j') ? "--json"
                        : options->csv && !strchr(v->takes, 'c')  ? "--csv"
                        : gdyn_picks(options) && !strchr(v->takes, 'p')
                            ? "--knee, --weights, --target, --filter"
                        : options->levels && !strchr(v->takes, 'l')  ? "--levels"
                        : options->further && !strchr(v->takes, 'l') ? "--search"
                        : options->threads && !options->further      ? "--threads without --search"
                                                                     : NULL;
    if (!wrong && (v->run == show || v->run == gdyn_study_compare) && options->output &&
        !options->json)
        wrong = "-o without --json";
    if (!wrong && v->run == gdyn_study_compare && options->json && !gdyn_study_groups(options))
        wrong = "--json, except with groups of studies";
    if (wrong)
        gdyn_cli_error(GDYN_CODE_USAGE "globdyn study %s does not accept %s", v->name, wrong);
    return !wrong;
}

int gdyn_cmd_study(gdyn_session *s) {
    const gdyn_options *options = s->options;
    /* The verb, its operands, its options. */
    const verb *v = NULL;
    const char *names[VERBS];
    for (int i = 0; i < VERBS; i++) {
        names[i] = verbs[i].name;
        v = strcmp(names[i], options->operand[0]) == 0 ? &verbs[i] : v;
    }
    if (!v) {
        gdyn_cli_error(GDYN_CODE_USAGE "globdyn study has no verb '%s'", options->operand[0]);
        gdyn_cli_suggest(
            options->operand[0], names, VERBS,
            "the verbs are list, show, front, export, compare, pick, limit, case, check");
        return GDYN_EXIT_USAGE;
    }
    if (options->count - 1 < v->least || options->count - 1 > v->most)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL, GDYN_CODE_USAGE "globdyn study %s %s %s",
                             v->name, options->count - 1 < v->least ? "needs" : "takes nothing but",
                             v->operands);
    if (!takes(v, options))
        return GDYN_EXIT_USAGE;
    if (!v->run)
        return gdyn_study_list(options);
    if (v->run == gdyn_study_compare && gdyn_study_groups(options))
        return gdyn_study_compare_groups(options);
    gdyn_stored *stored = NULL;
    int code = gdyn_open_stored(options->operand[1], &stored);
    code = code == GDYN_EXIT_YES ? v->run(options, stored) : code;
    gdyn_stored_close(stored);
    return code;
}
