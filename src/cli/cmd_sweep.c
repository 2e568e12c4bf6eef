/* cmd_sweep.c - globdyn sweep CASE: evaluates designs spread over the bounds of the design
 * variables. Every design goes to sweep.db as soon as it is evaluated; the same command continues.
 * Files: sweep.csv (every value of every design), sensitivity.csv (one at a time), indices.csv
 * (saltelli, morris), pictures. With --tolerances the deviations of the parameters vary instead:
 * machines.db, machines.csv, tolerances.csv. */
#include "cli/cli.h"

typedef struct sweep {
    const gdyn_options *options;
    const gdyn_instance *start;
    gdyn_kept *kept;
    gdyn_sweep_plan plan;
} sweep;

/* --- the designs -------------------------------------------------------------------------- */

/* --variables a,b: only these move. */
static int choose_variables(sweep *s, bool *varies) {
    int n = s->start->design_count;
    const char *list = s->options->variables;
    /* Without the option every variable moves. */
    for (int i = 0; i < n; i++)
        varies[i] = list == NULL;
    for (const char *at = list; at && *at;) {
        size_t length = strcspn(at, ",");
        int i = 0;
        while (i < n && (strlen(s->start->design[i].name) != length ||
                         strncmp(s->start->design[i].name, at, length) != 0))
            i++;
        if (i == n)
            return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                                 GDYN_CODE_ABSENT "'%.*s' is not a design variable of the case",
                                 (int)length, at);
        varies[i] = true;
        at += length + (at[length] == ',');
    }
    return GDYN_EXIT_YES;
}

/* Why there are no designs to evaluate. */
static int complain_count(const sweep *s) {
    if (s->plan.count < 0)
        gdyn_cli_error(GDYN_CODE_OPTION
                       "these are more than %d designs; use fewer levels, or choose --variables",
                       GDYN_SAMPLE_MOST);
    else if (s->plan.space.method == GDYN_SAMPLE_SOBOL)
        gdyn_cli_error(
            GDYN_CODE_OPTION
            "Sobol's sequence has at most %d dimensions; use --method lhs, or choose --variables",
            GDYN_SOBOL_MOST);
    else
        gdyn_cli_error(GDYN_CODE_NEEDS "no design variable can vary, or there are too few levels");
    return GDYN_EXIT_USAGE;
}

/* Levels or samples, whichever the method has; -1 after a message. */
static int size_of(const gdyn_options *o) {
    bool levels = o->method == GDYN_SAMPLE_OAT || o->method == GDYN_SAMPLE_GRID;
    if (levels ? o->samples > 0 : o->levels > 0) {
        gdyn_cli_error(GDYN_CODE_OPTION "--method %s takes %s, not %s",
                       gdyn_sample_names[o->method], levels ? "--levels" : "--samples",
                       levels ? "--samples" : "--levels");
        return -1;
    }
    return levels ? o->levels : o->samples;
}

static int make_designs(sweep *s) {
    const gdyn_options *o = s->options;
    int size = size_of(o);
    if (size < 0)
        return GDYN_EXIT_USAGE;
    bool *varies = calloc((size_t)s->start->design_count + 1, sizeof *varies);
    int code =
        varies ? choose_variables(s, varies) : gdyn_kept_complain(s->kept, GDYN_ERROR_MEMORY);
    if (code == GDYN_EXIT_YES) {
        /* The seed of the case unless --seed is given. */
        gdyn_status status =
            gdyn_sweep_plan_make(&s->plan, s->kept->study, (gdyn_sample_method)o->method, size,
                                 o->seed.given ? o->seed.value : s->start->search.seed, varies);
        code = status == GDYN_OK               ? GDYN_EXIT_YES
               : status == GDYN_ERROR_ARGUMENT ? complain_count(s)
                                               : gdyn_kept_complain(s->kept, status);
    }
    free(varies);
    return code;
}

/* Whether the designs stand in rows, for indices of sensitivity. */
static bool is_global(const sweep *s) {
    return s->plan.space.method == GDYN_SAMPLE_SALTELLI ||
           s->plan.space.method == GDYN_SAMPLE_MORRIS;
}

/* --- the answer --------------------------------------------------------------------------- */

enum { EFFECTS_SHOWN = 10 };

/* What one variable does to a result. */
static void print_effect(const sweep *s, const gdyn_effect *e, bool first) {
    const char *unit, *name = gdyn_watched_name(s->kept->study, e->watched, &unit);
    printf("  %-20s %-14s %13.6g .. %-13.6g %-8s", first ? name : "",
           s->start->design[e->variable].name, e->least, e->greatest, unit);
    if (isfinite(e->share))
        printf(" %9.3g %% of the start's", 100 * e->share);
    if (e->missing > 0)
        printf("; value at %d of %d levels", e->known, e->known + e->missing);
    printf("\n");
}

/* The strongest variables of each result. */
static void print_effects(const sweep *s, int count, const gdyn_effect *effect) {
    printf("one variable at a time over its range, the others as in the start design:\n");
    /* Effects of one result follow each other, the strongest first. */
    for (int i = 0, n; i < count; i += n) {
        const char *unit, *name = gdyn_watched_name(s->kept->study, effect[i].watched, &unit);
        bool moved;
        n = gdyn_effects_together(count - i, effect + i, &moved);
        int missing = 0; /* levels without a value */
        for (int k = 0; k < n; k++)
            missing += effect[i + k].missing;
        if (!moved && missing == 0) {
            printf("  %-20s not affected by any variable: %.6g%s%s\n", name, effect[i].least,
                   *unit ? " " : "", unit);
            continue;
        }
        for (int k = 0; k < n && k < EFFECTS_SHOWN; k++)
            print_effect(s, &effect[i + k], k == 0);
        if (n > EFFECTS_SHOWN)
            printf("  %-20s and further variables: see sensitivity.csv\n", "");
    }
}

/* --- files -------------------------------------------------------------------------------- */

/* The archive and the table of designs; a sweep over tolerances has its own. */
static const char *file_name(const sweep *s, const char *end) {
    bool table = strcmp(end, ".csv") == 0;
    if (s->options->tolerances)
        return table ? "machines.csv" : "machines.db";
    return table ? "sweep.csv" : "sweep.db";
}

/* Curves over each variable, or all designs in planes. */
static gdyn_status write_pictures(const sweep *s, const gdyn_outcome *outcome,
                                  const gdyn_sweep *along, int count, const gdyn_effect *effect,
                                  gdyn_pictures *pictures) {
    bool single = s->plan.space.method == GDYN_SAMPLE_OAT;
    if (single && count > 0)
        gdyn_picture_effects(pictures, along, count, effect);
    else if (!single && s->start->objective_count > 0)
        gdyn_picture_study(pictures, outcome, true);
    return gdyn_cli_draw(s->options, "sweep", pictures);
}

static gdyn_status write_results(const sweep *s, const char *folder,
                                 const gdyn_study_options *wanted,
                                 const gdyn_study_result *result) {
    gdyn_outcome outcome = {s->start->name, s->kept->study, wanted, result};
    gdyn_sweep along = {s->kept->study, &result->archive, s->plan.first};
    gdyn_text effects = {0};
    gdyn_pictures pictures = gdyn_cli_pictures(folder);
    bool one = s->plan.space.method == GDYN_SAMPLE_OAT && !result->interrupted;
    int count = 0;
    /* Only a whole sweep has effects. */
    gdyn_effect *effect = one ? gdyn_effects(&along, &count) : NULL;
    if (one && !effect)
        return GDYN_ERROR_MEMORY;
    /* Every design with every value. */
    gdyn_status status =
        gdyn_cli_stream(folder, file_name(s, ".csv"), NULL, gdyn_report_export_csv, &outcome);
    if (status == GDYN_OK && one) {
        gdyn_report_effects_csv(&effects, &along, count, effect);
        status = gdyn_cli_write(folder, "sensitivity.csv", &effects);
    }
    if (status == GDYN_OK && !s->options->no_pictures && !result->interrupted)
        status = write_pictures(s, &outcome, &along, count, effect, &pictures);
    /* Which tolerance costs most; JSON has the file only. */
    bool costs = s->options->tolerances && !result->interrupted;
    if (status == GDYN_OK && s->options->json) {
        status = gdyn_cli_stream(NULL, NULL, stdout, gdyn_report_designs_json, &outcome);
    } else if (status == GDYN_OK) {
        printf("%s: %d design%s, %s\n", s->start->name, result->archive.count,
               gdyn_plural(result->archive.count), gdyn_sample_names[s->plan.space.method]);
        gdyn_print_statuses(result->final.status);
        if (effect)
            print_effects(s, count, effect);
    }
    if (status == GDYN_OK && is_global(s) && !result->interrupted)
        status = gdyn_sensitivity_report(folder, &along, &s->plan, s->options->json);
    if (status == GDYN_OK && costs)
        status = gdyn_tolerances_report(folder, &along, &s->plan.space, s->options->json);
    if (status == GDYN_OK && !s->options->json) {
        printf("written to %s: %s, %s%s%s%s\n", folder, file_name(s, ".db"), file_name(s, ".csv"),
               one ? ", sensitivity.csv" : "",
               is_global(s) && !result->interrupted ? ", indices.csv" : "",
               costs ? ", tolerances.csv" : "");
        gdyn_cli_print_pictures(&pictures);
    }
    gdyn_pictures_free(&pictures);
    gdyn_free(effect);
    return status;
}

/* --- the command -------------------------------------------------------------------------- */

static int run(sweep *s, const char *filename) {
    gdyn_text key = {0};
    gdyn_study_options wanted = gdyn_study_default(s->kept->study);
    gdyn_study_result result = {0};
    int code = make_designs(s);
    char *folder = code == GDYN_EXIT_YES ? gdyn_results_folder(s->options, filename) : NULL;
    if (code == GDYN_EXIT_YES && !folder)
        code = GDYN_EXIT_FILE;
    /* Lines of the study's identity. */
    gdyn_text_printf(&key, "sweep: %s %d\n", gdyn_sample_names[s->plan.space.method],
                     s->plan.space.size);
    if (s->plan.space.method == GDYN_SAMPLE_LHS || is_global(s))
        gdyn_text_printf(&key, "seed: %llu\n", (unsigned long long)s->plan.space.seed);
    gdyn_text_printf(&key, "variables: %s\n",
                     s->options->variables ? s->options->variables : "all");
    /* An archive of the same plan is continued. */
    if (code == GDYN_EXIT_YES)
        code = gdyn_kept_open(s->options, folder, file_name(s, ".db"), GDYN_STORE_SWEEP, NULL,
                              key.data, s->kept);
    if (code == GDYN_EXIT_YES)
        code = gdyn_kept_run(s->options, s->kept, &wanted, &s->plan, &result);
    if (code == GDYN_EXIT_YES) {
        code = gdyn_exit_code(write_results(s, folder, &wanted, &result));
        if (code == GDYN_EXIT_YES && result.interrupted)
            code = gdyn_note_how_to_continue(s->options, s->kept, result.archive.count);
        gdyn_study_result_clear(&result);
    }
    gdyn_text_free(&key);
    gdyn_free(folder);
    return code;
}

int gdyn_cmd_sweep(gdyn_session *session) {
    const gdyn_options *options = session->options;
    const gdyn_opened *opened = &session->opened;
    gdyn_kept kept = {0};
    if (!options->tolerances && opened->instance->design_count == 0)
        return gdyn_cli_fail(GDYN_EXIT_CASE, "design: {leg: {min: 550 mm, max: 900 mm}}",
                             GDYN_CODE_NEEDS "%s has no design variables to sweep over",
                             opened->filename);
    int code = gdyn_check_paths(opened);
    if (code == GDYN_EXIT_YES)
        code = options->tolerances ? gdyn_tolerances_make(opened, &kept)
                                   : gdyn_kept_make(opened, GDYN_STORE_SWEEP, &kept);
    if (code == GDYN_EXIT_YES) {
        sweep s = {.options = options, .start = gdyn_study_start(kept.study), .kept = &kept};
        code = run(&s, opened->filename);
        gdyn_sweep_plan_free(&s.plan);
    }
    gdyn_kept_close(&kept);
    return code;
}
