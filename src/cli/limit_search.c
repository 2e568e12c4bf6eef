/* limit_search.c - epsilon-constraint searches over the limit of one constraint, each kept as a
 * study. */
#include "cli/limit_search.h"

#include "cli/adopted.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One search: an objective at the levels of the limit. */
typedef struct further {
    const gdyn_options *options;
    const gdyn_stored *stored;
    const gdyn_limit_wish *wish;
    const char *constraint, *objective;
    int designs;
    gdyn_limit_part *part;
} further;

/* levels_CONSTRAINT_OBJECTIVE_N in the folder of the study, made if it is not there; NULL after a
 * message. */
static char *make_folder(const further *f) {
    const char *filename = f->stored->filename, *slash = strrchr(filename, '/');
    gdyn_sink console = gdyn_console_sink();
    gdyn_text folder = {0};
    char name[200], plain[200];
    snprintf(name, sizeof name, "levels_%.85s_%.85s_%d", f->constraint, f->objective,
             f->wish->wanted);
    gdyn_report_file_name(name, plain, sizeof plain);
    gdyn_text_append(&folder, filename, slash ? (size_t)(slash + 1 - filename) : 0);
    gdyn_text_printf(&folder, "%s", plain);
    if (folder.failed || gdyn_report_folder(folder.data, &console) != GDYN_OK) {
        gdyn_text_free(&folder);
        return NULL;
    }
    return folder.data;
}

/* The study of two objectives: another reader of it finds all that it needs. */
static int make_kept(const further *f, const gdyn_variant *v, gdyn_kept *kept) {
    gdyn_text text = {0};
    gdyn_text_printf(&text, "%s", v->text);
    if (text.failed) {
        gdyn_text_free(&text);
        return gdyn_exit_code(GDYN_ERROR_MEMORY);
    }
    return gdyn_kept_make_text(&text, f->stored->filename, GDYN_STORE_OPTIMIZE, kept);
}

/* New designs, in terms of the variant with all objectives. */
static gdyn_status take_new(const further *f, const gdyn_kept *kept, gdyn_study_result *result,
                            int starts, int known, gdyn_variant *all) {
    gdyn_adopted more = {0};
    gdyn_status status = gdyn_adopt(kept->study, &result->archive, all->study, &more);
    for (int i = 0; i < more.archive.count && status == GDYN_OK; i++) {
        gdyn_design *d = more.archive.design[i];
        if (d->serial <= starts)
            continue;
        d->serial += f->part->first;
        more.archive.design[i] = NULL;
        status = gdyn_archive_add(&all->archive, d);
    }
    /* Those that are gone leave no gap for who clears the list. */
    int left = 0;
    for (int i = 0; i < more.archive.count; i++)
        if (more.archive.design[i])
            more.archive.design[left++] = more.archive.design[i];
    more.archive.count = left;
    f->part->evaluated = result->archive.count - known;
    f->part->stop = gdyn_search_stop_text(result->final.search.stop);
    /* The states of the levels go on to the caller. */
    f->part->state = result->level;
    result->level = NULL;
    gdyn_adopted_clear(&more);
    return status;
}

static int run(const further *f, gdyn_kept *kept, gdyn_study_options *wanted, int known,
               gdyn_variant *all) {
    gdyn_progress progress = gdyn_progress_begin(f->options);
    gdyn_study_result result;
    gdyn_executor executor = {0};
    gdyn_status status = GDYN_OK;
    wanted->store = kept->store;
    wanted->threads = f->options->threads;
    wanted->interrupt = &gdyn_interrupted;
    wanted->progress = gdyn_progress_show;
    wanted->context = &progress;
    gdyn_interrupts_stop_search();
    if (gdyn_kept_executor(f->options, kept, &executor, &status))
        wanted->executor = &executor;
    if (status == GDYN_OK)
        status = gdyn_study_run(kept->study, wanted, &result);
    gdyn_executor_destroy(&executor);
    gdyn_progress_end(&progress);
    if (status != GDYN_OK)
        return gdyn_kept_complain(kept, status);
    status = gdyn_kept_note_end(kept, &result);
    if (status == GDYN_OK)
        status = take_new(f, kept, &result, wanted->starts, known, all);
    int code = status == GDYN_OK ? GDYN_EXIT_YES : gdyn_kept_complain(kept, status);
    if (code == GDYN_EXIT_YES && result.interrupted)
        code = gdyn_note_how_to_continue(f->options, kept, result.archive.count);
    gdyn_study_result_clear(&result);
    return code;
}

/* The designs of the study that matter are the first ones. */
static int search(const further *f, gdyn_kept *kept, const gdyn_archive *front, gdyn_variant *all) {
    gdyn_adopted adopted = {.archive = *front};
    gdyn_study_options wanted = gdyn_study_default(kept->study);
    double *starts = NULL;
    gdyn_text filename = {0};
    wanted.search.evaluations = f->designs;
    /* A search that is there goes on as it began. */
    gdyn_text_printf(&filename, "%s/study.db", f->part->folder);
    if (!filename.failed)
        gdyn_store_decide(filename.data, kept->study, &wanted.search);
    int code = filename.failed ? gdyn_exit_code(GDYN_ERROR_MEMORY) : GDYN_EXIT_YES;
    gdyn_text_free(&filename);
    if (code == GDYN_EXIT_YES)
        code = gdyn_number_adopted(kept->study, &adopted, &wanted, &starts);
    int known = (int)wanted.search.evaluations - f->designs;
    if (code == GDYN_EXIT_YES)
        code = gdyn_kept_open(f->options, f->part->folder, "study.db", GDYN_STORE_OPTIMIZE, &wanted,
                              NULL, kept);
    if (code == GDYN_EXIT_YES)
        code = gdyn_store_adopted(kept, &adopted);
    if (code == GDYN_EXIT_YES)
        code = run(f, kept, &wanted, known, all);
    free(starts);
    return code;
}

static int search_objective(const further *f, int objective, gdyn_variant *all) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_variant v;
    gdyn_archive front = {0};
    gdyn_kept kept = {0};
    gdyn_status status =
        gdyn_variant_make(&v, f->stored->study, &f->stored->result.archive,
                          &(gdyn_variant_def){.released = f->wish->constraint,
                                              .alone = objective + 1,
                                              .levels = f->wish->levels,
                                              .level = f->wish->level,
                                              .seed = f->stored->options.search.seed},
                          &console);
    if (status == GDYN_OK)
        status = gdyn_variant_front(&v, &front);
    int code = gdyn_exit_code(status);
    if (code == GDYN_EXIT_YES)
        code = make_kept(f, &v, &kept);
    if (code == GDYN_EXIT_YES)
        code = search(f, &kept, &front, all);
    gdyn_kept_close(&kept);
    gdyn_archive_clear(&front);
    gdyn_variant_clear(&v);
    return code;
}

int gdyn_limit_search(const gdyn_options *options, const gdyn_stored *s,
                      const gdyn_limit_wish *wish, gdyn_variant *all, gdyn_limit_part *part,
                      int *parts) {
    const gdyn_instance *start = gdyn_study_start(s->study);
    int code = GDYN_EXIT_YES, count = start->objective_count;
    const gdyn_archive *old = &s->result.archive, *now = &all->archive;
    long next = old->count > 0 ? old->design[old->count - 1]->serial + 1 : 0;
    for (int i = 0; i < count && code == GDYN_EXIT_YES; i++) {
        /* Equal shares of all designs. */
        long designs =
            (long)options->further * (i + 1) / count - (long)options->further * i / count;
        further f = {.options = options,
                     .stored = s,
                     .wish = wish,
                     .constraint = start->requirement[wish->constraint].name,
                     .objective = start->objective[i].name,
                     .designs = (int)designs,
                     .part = &part[i]};
        part[i] = (gdyn_limit_part){.objective = f.objective, .first = next, .stop = ""};
        *parts = i + 1;
        part[i].folder = make_folder(&f);
        if (!part[i].folder)
            return GDYN_EXIT_FILE;
        if (f.designs > 0)
            code = search_objective(&f, i, all);
        if (now->count > 0 && now->design[now->count - 1]->serial >= next)
            next = now->design[now->count - 1]->serial + 1;
    }
    return code;
}

void gdyn_limit_parts_free(gdyn_limit_part *part, int parts) {
    for (int k = 0; k < parts; k++) {
        gdyn_free(part[k].folder);
        gdyn_free(part[k].state);
    }
    free(part);
}
