/* archive.c - the study file behind a command that evaluates many designs. */
#include "cli/cli.h"

/* --- the case as a text ------------------------------------------------------------------- */

int gdyn_kept_make_text(gdyn_text *text, const char *filename, gdyn_store_kind kind,
                        gdyn_kept *kept) {
    gdyn_sink console = gdyn_console_errors();
    *kept = (gdyn_kept){.case_text = text->data};
    /* Read again from that text, so that a continued search sees the same case. */
    gdyn_status status =
        gdyn_case_read_text(text->data, text->length, filename, &console, &kept->the_case);
    if (status == GDYN_OK && kind == GDYN_STORE_SWEEP)
        status = gdyn_study_create_any(kept->the_case, 0, NULL, &console, &kept->study);
    else if (status == GDYN_OK)
        status = gdyn_study_create(kept->the_case, 0, NULL, &console, &kept->study);
    return gdyn_exit_code(status);
}

int gdyn_kept_make(const gdyn_opened *opened, gdyn_store_kind kind, gdyn_kept *kept) {
    *kept = (gdyn_kept){0};
    gdyn_text text = {0};
    /* The case as one text without files: what the archive keeps. */
    gdyn_status status =
        gdyn_case_write(opened->the_case, opened->setting_count, opened->setting, NULL, &text);
    if (status != GDYN_OK || text.failed || !text.data) {
        gdyn_text_free(&text);
        return gdyn_cli_judge(GDYN_ERROR_MEMORY);
    }
    return gdyn_kept_make_text(&text, opened->filename, kind, kept);
}

/* --- the file ----------------------------------------------------------------------------- */

/* What does not change a design or the search; the settings of the search follow as they are
 * used. */
static const char *const beside[] = {"name",
                                     "about",
                                     "expect",
                                     "optimize.stop",
                                     "optimize.algorithm.population",
                                     "optimize.algorithm.seed",
                                     NULL};

static gdyn_status make_key(const gdyn_kept *kept, const gdyn_study_options *search,
                            const char *extra, gdyn_text *key) {
    gdyn_status status = gdyn_case_write(kept->the_case, 0, NULL, beside, key);
    /* Settings that the command line may have changed. */
    int objectives = gdyn_study_start(kept->study)->objective_count;
    if (search)
        gdyn_text_printf(key, "population: %d\nseed: %llu\n", search->search.population,
                         (unsigned long long)search->search.seed);
    if (search && search->aim) {
        gdyn_text_printf(key, "aim: ");
        gdyn_aim_print(objectives, search->aim, key);
        gdyn_text_printf(key, "\n");
    }
    if (search)
        gdyn_warm_start_key(search->starts, gdyn_study_start(kept->study)->design_count,
                            search->start, key);
    gdyn_text_printf(key, "%s", extra ? extra : "");
    return status == GDYN_OK && key->failed ? GDYN_ERROR_MEMORY : status;
}

/* --rank-limit where there are no ranks: never silent. */
static int check_ranks(const gdyn_options *options) {
    if (options->rank_limit.value <= 0)
        return GDYN_EXIT_YES;
    if (!gdyn_ranks_built())
        return gdyn_cli_fail(GDYN_EXIT_USAGE, NULL,
                             GDYN_CODE_RANKS "--rank-limit: this program was built without MPI and "
                                             "has no ranks; rebuild it after `scripts/setup mpi`");
    if (gdyn_ranks_count() < 2)
        gdyn_cli_note(options, "--rank-limit has no effect without `mpirun -n N`");
    return GDYN_EXIT_YES;
}

int gdyn_kept_open(const gdyn_options *options, const char *folder, const char *name,
                   gdyn_store_kind kind, gdyn_study_options *search, const char *extra,
                   gdyn_kept *kept) {
    gdyn_text filename = {0}, key = {0};
    gdyn_sink console = gdyn_console_sink();
    int code = check_ranks(options);
    if (code != GDYN_EXIT_YES)
        return code;
    gdyn_text_printf(&filename, "%s/%s", folder, name);
    if (filename.failed || make_key(kept, search, extra, &key) != GDYN_OK) {
        gdyn_text_free(&filename), gdyn_text_free(&key);
        return gdyn_cli_judge(GDYN_ERROR_MEMORY);
    }
    kept->filename = filename.data;
    /* What another run must agree with to continue; lists call the study by the last part of the
     * folder's name. */
    const char *slash = strrchr(folder, '/');
    gdyn_store_identity identity = {.kind = kind,
                                    .case_name = slash && slash[1] ? slash + 1 : folder,
                                    .case_text = kept->case_text,
                                    .key = key.data,
                                    .search = search ? &search->search : NULL,
                                    .starts = search ? search->starts : 0,
                                    .aim = search ? search->aim : NULL,
                                    .repair = options->repair,
                                    .other_machine = options->accept_other_machine};
    gdyn_status status = GDYN_OK;
    /* --restart: the old file stays under another name. */
    if (options->restart)
        status = gdyn_store_set_aside(kept->filename, &console);
    if (status == GDYN_OK)
        status = gdyn_store_open(kept->filename, kept->study, &identity, &console, &kept->store);
    /* Designs of an earlier run count, and none is lost to a smaller budget. */
    long known = status == GDYN_OK ? gdyn_store_count(kept->store) : 0;
    bool fewer = search && search->search.evaluations > 0 && search->search.evaluations < known;
    if (known > 0)
        gdyn_cli_note(options, "continuing %s: %ld designs exist already%s", kept->filename, known,
                      fewer ? ", more than requested; all of them count" : "");
    if (search)
        gdyn_search_keep(&search->search, known);
    gdyn_text_free(&key);
    return gdyn_exit_code(status);
}

/* Notes in the file how the run ended. */
static gdyn_status note_end(const gdyn_kept *kept, const gdyn_study_result *result) {
    gdyn_text state = {0}, digest = {0};
    gdyn_text_printf(&state, "%s", result->interrupted ? "interrupted" : "finished");
    if (!result->interrupted && result->final.search.stop != GDYN_SEARCH_RUNNING)
        gdyn_text_printf(&state, ": %s", gdyn_search_stop_text(result->final.search.stop));
    /* After an interruption the file may have designs that the search does not count yet. */
    if (!result->interrupted)
        gdyn_digest_write(kept->study, result, &digest);
    gdyn_status status =
        state.failed || digest.failed
            ? GDYN_ERROR_MEMORY
            : gdyn_store_set_state(kept->store, state.data, digest.data ? digest.data : "");
    gdyn_text_free(&digest), gdyn_text_free(&state);
    return status;
}

int gdyn_kept_run(const gdyn_options *options, const gdyn_kept *kept, gdyn_study_options *wanted,
                  const gdyn_sweep_plan *plan, gdyn_study_result *result) {
    gdyn_progress progress = gdyn_progress_begin(options);
    gdyn_executor executor = {0};
    gdyn_status status = GDYN_OK;
    wanted->store = kept->store, wanted->threads = options->threads;
    wanted->interrupt = &gdyn_interrupted, wanted->progress = gdyn_progress_show;
    wanted->context = &progress;
    gdyn_interrupts_stop("the end of the search; its designs are kept");
    if (gdyn_ranks_count() > 1) {
        /* Threads of every rank; a rank is lost after so many seconds without an answer. */
        double limit = options->rank_limit.value > 0 ? options->rank_limit.value : 60;
        status =
            gdyn_executor_ranks(kept->study, kept->case_text, options->threads, limit, &executor);
        wanted->executor = &executor;
    } else if (gdyn_executor_count(options->threads) < options->threads) {
        int count = gdyn_executor_count(options->threads);
        gdyn_cli_note(options, "the memory limit leaves room for %d thread%s instead of %d", count,
                      gdyn_plural(count), options->threads);
    }
    if (!plan)
        gdyn_wait_begin(options, "evaluating the first designs");
    if (status == GDYN_OK)
        status = plan ? gdyn_study_sweep(kept->study, wanted, plan->count, plan->x, result)
                      : gdyn_study_run(kept->study, wanted, result);
    gdyn_wait_end();
    gdyn_executor_destroy(&executor);
    gdyn_progress_end(&progress);
    /* From here on an interruption loses files, not designs. */
    gdyn_stage("the results of the %s; its designs are kept", plan ? "sweep" : "search");
    if (status == GDYN_ERROR_ARGUMENT && !plan)
        return gdyn_cli_fail(
            GDYN_EXIT_CASE, NULL,
            GDYN_CODE_OPTION
            "the population must be at least 4, and every design variable needs finite "
            "bounds with min <= max");
    if (status == GDYN_OK && (status = note_end(kept, result)) != GDYN_OK)
        gdyn_study_result_clear(result);
    return status == GDYN_OK ? GDYN_EXIT_YES : gdyn_kept_complain(kept, status);
}

void gdyn_kept_close(gdyn_kept *kept) {
    gdyn_store_close(kept->store);
    gdyn_study_destroy(kept->study);
    gdyn_case_destroy(kept->the_case);
    gdyn_free(kept->case_text), gdyn_free(kept->filename);
    *kept = (gdyn_kept){0};
}

/* --- messages ----------------------------------------------------------------------------- */

int gdyn_kept_complain(const gdyn_kept *kept, gdyn_status status) {
    const char *failure = kept->store ? gdyn_store_error(kept->store) : "";
    /* Replaying the search gave other designs. */
    if (status == GDYN_ERROR_STUDY)
        gdyn_cli_error(
            GDYN_CODE_FOREIGN
            "%s: the designs in the file are not those of this search; was it made by another "
            "version? Choose another folder with -o, or start over with --restart",
            kept->filename);
    else if (gdyn_ranks_lost())
        gdyn_cli_error(GDYN_CODE_RANKS
                       "rank %d does not answer (stopped, or its machine is gone; --rank-limit "
                       "says how long to wait); "
                       "%ld designs are kept in %s, the same command continues",
                       gdyn_ranks_lost(), gdyn_store_count(kept->store), kept->filename);
    else if (*failure)
        gdyn_cli_error(GDYN_CODE_NUMERICS
                       "%s: %s; its %ld designs are kept, the same command continues",
                       kept->filename, failure, gdyn_store_count(kept->store));
    else
        return gdyn_cli_judge(status);
    return gdyn_exit_code(status);
}

int gdyn_note_how_to_continue(const gdyn_options *options, const gdyn_kept *kept, long designs) {
    gdyn_text line = {0};
    /* The same command, with MPI if it ran so, without --restart. */
    if (gdyn_ranks_count() > 1)
        gdyn_text_printf(&line, "mpirun -n %d ", gdyn_ranks_count());
    gdyn_text_printf(&line, "globdyn");
    gdyn_cli_append_word(&line, options->word[0]);
    for (int i = 0; i < options->count; i++)
        gdyn_cli_append_word(&line, options->operand[i]);
    for (int i = 1; i < options->word_count - options->count; i++)
        if (strcmp(options->word[i], "--restart") != 0)
            gdyn_cli_append_word(&line, options->word[i]);
    gdyn_cli_note(options, "interrupted: %ld designs are kept in %s; to continue: %s", designs,
                  kept->filename, line.failed ? "the same command" : line.data);
    gdyn_text_free(&line);
    return gdyn_interrupt_exit_code();
}

/* --- designs of another study ----------------------------------------------------------------- */

int gdyn_number_adopted(const gdyn_study *study, gdyn_adopted *adopted, gdyn_study_options *wanted,
                        double **starts) {
    int n = gdyn_study_start(study)->design_count;
    *starts = calloc((size_t)n * (size_t)adopted->archive.count + 1, sizeof **starts);
    if (!*starts)
        return gdyn_exit_code(GDYN_ERROR_MEMORY);
    bool start = false;
    for (int i = 0; i < adopted->archive.count; i++) {
        gdyn_design *d = adopted->archive.design[i];
        bool is_start = true;
        for (int k = 0; k < n; k++)
            is_start &= d->x[k] == gdyn_study_start_value(study, k);
        if (is_start) {
            d->serial = 0;
            start = true;
            continue;
        }
        memcpy(*starts + wanted->starts * n, d->x, (size_t)n * sizeof **starts);
        d->serial = ++wanted->starts;
    }
    wanted->start = *starts;
    /* The budget is that of new designs. */
    if (wanted->search.evaluations > 0)
        wanted->search.evaluations += wanted->starts + start;
    return GDYN_EXIT_YES;
}

int gdyn_store_adopted(const gdyn_kept *kept, const gdyn_adopted *adopted) {
    gdyn_design *row = gdyn_design_create(kept->study);
    gdyn_status status = row ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < adopted->archive.count && status == GDYN_OK; i++) {
        bool found;
        row->serial = adopted->archive.design[i]->serial;
        status = gdyn_store_find(kept->store, row, &found);
        if (status == GDYN_OK && !found)
            status = gdyn_store_add(kept->store, adopted->archive.design[i]);
    }
    status = status == GDYN_OK ? gdyn_store_sync(kept->store) : status;
    gdyn_design_destroy(row);
    return status == GDYN_OK ? GDYN_EXIT_YES : gdyn_kept_complain(kept, status);
}
