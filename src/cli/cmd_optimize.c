/* cmd_optimize.c - globdyn optimize CASE: searches the case's design variables for the best
 * compromises between its objectives. Every design goes to study.db as soon as it is evaluated; the
 * same command continues. Files: front.csv, front.json, designs.csv and pictures. SIGINT ends the
 * search after the designs in work and writes what there is; a second one kills. */
#include "cli/cli.h"

/* --- files -------------------------------------------------------------------------------- */

static gdyn_status write_results(const gdyn_options *options, const char *folder,
                                 const gdyn_outcome *o, gdyn_pictures *pictures) {
    static const struct {
        const char *name;
        gdyn_outcome_writer *write;
    } files[] = {{"front.csv", gdyn_report_front_csv},
                 {"designs.csv", gdyn_report_designs_csv},
                 {"history.csv", gdyn_report_history_csv},
                 {"front.json", gdyn_report_front_json}};
    enum { FILES = sizeof files / sizeof *files };
    gdyn_status status = GDYN_OK;
    /* The document goes to standard output as well. */
    for (int i = 0; i < FILES && status == GDYN_OK; i++)
        status =
            gdyn_cli_stream(folder, files[i].name, options->json && i == FILES - 1 ? stdout : NULL,
                            files[i].write, o);
    /* Pictures last, and only on demand. */
    if (status != GDYN_OK || options->no_pictures)
        return status;
    gdyn_picture_study(pictures, o, false);
    return gdyn_cli_draw(options, "optimize", pictures);
}

/* --- the command -------------------------------------------------------------------------- */

/* Method and population where they are left open: those of the study in the folder, if there is
 * one. */
static gdyn_status decide(const gdyn_options *options, const char *folder, const gdyn_study *study,
                          gdyn_search_options *search) {
    bool open = search->method == GDYN_SEARCH_AUTO || search->population == 0, continued = false;
    gdyn_search_options anew = *search;
    gdyn_text filename = {0};
    gdyn_text_printf(&filename, "%s/study.db", folder);
    if (filename.failed) {
        gdyn_text_free(&filename);
        return GDYN_ERROR_MEMORY;
    }
    gdyn_search_decide(gdyn_study_start(study)->objective_count, &anew);
    if (options->restart)
        *search = anew;
    else
        continued = gdyn_store_decide(filename.data, study, search);
    if (open) {
        /* which method searches and why */
        int objectives = gdyn_study_start(study)->objective_count;
        char budget[60] = "any number of designs", other[120] = "";
        if (search->evaluations > 0)
            snprintf(budget, sizeof budget, "a budget of %ld designs", search->evaluations);
        /* A study goes on as it began; its budget of now might choose otherwise. */
        if (anew.method != search->method || anew.population != search->population)
            snprintf(other, sizeof other, " (--restart would take %s, population %d, for %s)",
                     gdyn_search_method_name(anew.method), anew.population, budget);
        if (continued)
            gdyn_cli_note(options, "search: %s, population %d, as the study began%s",
                          gdyn_search_method_name(search->method), search->population, other);
        else
            gdyn_cli_note(options, "search: %s, population %d, for %s and %d objective%s",
                          gdyn_search_method_name(search->method), search->population, budget,
                          objectives, gdyn_plural(objectives));
    }
    gdyn_text_free(&filename);
    return GDYN_OK;
}

static int report(const gdyn_options *options, const gdyn_kept *kept, const char *name,
                  const gdyn_study_options *wanted, const gdyn_study_result *result,
                  const char *folder) {
    if (result->archive.count == 0) /* interrupted before any design was there */
        return gdyn_note_how_to_continue(options, kept, 0);
    /* Files, summary, and how to continue. */
    gdyn_outcome outcome = {name, kept->study, wanted, result};
    gdyn_pictures pictures = gdyn_cli_pictures(folder);
    gdyn_status status = write_results(options, folder, &outcome, &pictures);
    if (status == GDYN_OK && !options->json) {
        gdyn_print_outcome(&outcome);
        printf("written to %s: study.db, front.csv, front.json, designs.csv, history.csv\n",
               folder);
        gdyn_cli_print_pictures(&pictures);
    }
    gdyn_pictures_free(&pictures);
    if (status != GDYN_OK)
        return gdyn_exit_code(status);
    if (result->interrupted)
        return gdyn_note_how_to_continue(options, kept, result->archive.count);
    return result->front.count == 0 ? GDYN_EXIT_NO : GDYN_EXIT_YES;
}

/* --- designs of another study --------------------------------------------------------------- */

/* Only studies of the same machine have designs that apply; an exit code. */
static int adopt_from(const gdyn_options *options, const gdyn_study *study, gdyn_adopted *adopted) {
    gdyn_stored *stored = NULL;
    gdyn_text difference = {0};
    int code = gdyn_open_stored(options->from, &stored);
    if (code == GDYN_EXIT_YES)
        code = gdyn_exit_code(gdyn_adopt_compare(stored->study, study, &difference));
    if (code == GDYN_EXIT_YES && *difference.data)
        code = gdyn_cli_fail(
            GDYN_EXIT_STUDY,
            "only name, about, expect, optimize, bounds and values of design variables "
            "may differ; --warm-start evaluates designs again",
            GDYN_CODE_FOREIGN "%s is a study of another machine, none of its designs applies: %s",
            stored->filename, difference.data);
    if (code == GDYN_EXIT_YES)
        code = gdyn_exit_code(gdyn_adopt(stored->study, &stored->result.archive, study, adopted));
    if (code == GDYN_EXIT_YES) {
        /* How many designs apply, and what became of the others. */
        gdyn_text rest = {0};
        long all = 0;
        for (gdyn_adoption k = 0; k < GDYN_ADOPTIONS; k++) {
            all += adopted->count[k];
            if (k != GDYN_ADOPTED && adopted->count[k] > 0)
                gdyn_text_printf(&rest, "%s %d %s", rest.data ? "," : "; not:", adopted->count[k],
                                 gdyn_adoption_text(k));
        }
        gdyn_cli_note(options, "%d of %ld designs of %s are taken over%s",
                      adopted->count[GDYN_ADOPTED], all, options->from, rest.data ? rest.data : "");
        gdyn_text_free(&rest);
    }
    gdyn_text_free(&difference);
    gdyn_stored_close(stored);
    return code;
}

/* --- the aim ---------------------------------------------------------------------------------- */

/* --aim over the aim of the case: every objective must have one then, and the method must take it.
 * An exit code; *aim is to be freed. */
static int read_aim(const gdyn_options *options, const gdyn_study *study,
                    gdyn_study_options *wanted, double **aim) {
    const gdyn_instance *start = gdyn_study_start(study);
    int m = start->objective_count;
    if (options->aim.count == 0)
        return GDYN_EXIT_YES;
    if (m < 2 || !gdyn_search_method_uses(wanted->search.method, GDYN_SEARCH_REGION)) {
        gdyn_cli_error(GDYN_CODE_OPTION "--aim: the method %s with %d objective%s takes no aim",
                       gdyn_search_method_name(wanted->search.method), m, gdyn_plural(m));
        gdyn_cli_help(m < 2 ? "with one objective there are no compromises to choose from"
                            : "use nsga2, de, nsga3, hybrid or surrogate");
        return GDYN_EXIT_USAGE;
    }
    *aim = calloc((size_t)m, sizeof **aim);
    if (!*aim)
        return gdyn_exit_code(GDYN_ERROR_MEMORY);
    for (int k = 0; k < m; k++)
        (*aim)[k] = wanted->aim ? wanted->aim[k] : NAN;
    if (!gdyn_objective_values("aim", &options->aim, study, *aim))
        return GDYN_EXIT_USAGE;
    for (int k = 0; k < m; k++)
        if (!isfinite((*aim)[k]))
            return gdyn_cli_fail(GDYN_EXIT_USAGE, "give one --aim for every objective",
                                 GDYN_CODE_OPTION "--aim: there is no finite value for '%s'",
                                 start->objective[k].name);
    wanted->aim = *aim;
    return GDYN_EXIT_YES;
}

static int search_and_write(const gdyn_options *options, const char *name, const char *folder,
                            gdyn_kept *kept) {
    gdyn_study_options wanted = gdyn_study_default(kept->study);
    wanted.slim = true;
    /* The case's own settings unless an option is given. */
    if (options->evaluations > 0)
        wanted.search.evaluations = options->evaluations;
    if (options->population > 0)
        wanted.search.population = options->population;
    if (options->seed.given)
        wanted.search.seed = options->seed.value;
    gdyn_study_result result;
    gdyn_sink console = gdyn_console_sink();
    gdyn_adopted adopted = {0};
    double *starts = NULL, *old = NULL, *aim = NULL;
    int code = GDYN_EXIT_YES;
    if (options->warm_start && options->from)
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_USAGE "--warm-start and --from exclude each other");
    code = read_aim(options, kept->study, &wanted, &aim);
    /* Start designs of --warm-start follow design 0. */
    if (code == GDYN_EXIT_YES && options->warm_start)
        code = gdyn_exit_code(gdyn_warm_start_read(
            options->warm_start, gdyn_study_start(kept->study), &console, &wanted.starts, &starts));
    wanted.start = starts;
    if (code == GDYN_EXIT_YES)
        code = gdyn_exit_code(decide(options, folder, kept->study, &wanted.search));
    if (code == GDYN_EXIT_YES && options->from)
        code = adopt_from(options, kept->study, &adopted);
    if (code == GDYN_EXIT_YES && options->from)
        code = gdyn_number_adopted(kept->study, &adopted, &wanted, &old);
    if (code == GDYN_EXIT_YES)
        code =
            gdyn_kept_open(options, folder, "study.db", GDYN_STORE_OPTIMIZE, &wanted, NULL, kept);
    code = code == GDYN_EXIT_YES ? gdyn_store_adopted(kept, &adopted) : code;
    code = code == GDYN_EXIT_YES ? gdyn_kept_run(options, kept, &wanted, NULL, &result) : code;
    if (code == GDYN_EXIT_YES) {
        code = report(options, kept, name, &wanted, &result, folder);
        gdyn_study_result_clear(&result);
    }
    gdyn_adopted_clear(&adopted);
    gdyn_free(starts);
    free(old), free(aim);
    return code;
}

int gdyn_cmd_optimize(gdyn_session *s) {
    const gdyn_options *options = s->options;
    const gdyn_opened *opened = &s->opened;
    gdyn_kept kept = {0};
    /* The goals are checked on the case as it was opened, so that messages show the user's own
     * file. */
    gdyn_study *study = NULL;
    gdyn_status status = gdyn_study_create(opened->the_case, opened->setting_count, opened->setting,
                                           &opened->sink, &study);
    gdyn_study_destroy(study);
    int code = gdyn_exit_code(status);
    code = code == GDYN_EXIT_YES ? gdyn_check_paths(opened) : code;
    code = code == GDYN_EXIT_YES ? gdyn_kept_make(opened, GDYN_STORE_OPTIMIZE, &kept) : code;
    char *folder = code == GDYN_EXIT_YES ? gdyn_results_folder(options, opened->filename) : NULL;
    if (code == GDYN_EXIT_YES)
        code = folder ? search_and_write(options, opened->instance->name, folder, &kept)
                      : GDYN_EXIT_FILE;
    gdyn_free(folder);
    gdyn_kept_close(&kept);
    return code;
}
