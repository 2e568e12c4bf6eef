/* stored.c - reading a study file as a whole: the case is made from the text that the file keeps,
 * and the search is replayed on the designs, which gives population, history and front again. */
#include "study/store.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/archive.h"
#include "study/internal.h"
#include "study/choose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gdyn_status damaged(const char *filename, const gdyn_sink *sink, const char *what) {
    gdyn_diag_emit(sink, GDYN_ERROR, filename, NULL, GDYN_CODE_DAMAGED "the study is damaged: %s",
                   what);
    return GDYN_ERROR_STUDY;
}

/* Texts of the study, and whether they are as they were written. */
static gdyn_status read_texts(gdyn_stored *s, sqlite3 *db, const char *filename,
                              const gdyn_sink *sink) {
    gdyn_text name = {0};
    gdyn_text_printf(&name, "%s", filename);
    s->filename = name.data;
    s->case_name = gdyn_database_text(db, "case");
    s->case_text = gdyn_database_text(db, "case_text");
    s->state = gdyn_database_text(db, "state");
    s->platform = gdyn_database_text(db, "platform");
    char *kind = gdyn_database_text(db, "kind");
    bool whole = s->filename && s->case_name && s->case_text && s->state && s->platform && kind;
    s->kind = kind && strcmp(kind, "sweep") == 0 ? GDYN_STORE_SWEEP : GDYN_STORE_OPTIMIZE;
    gdyn_free(kind);
    if (!whole)
        return damaged(filename, sink, "parts of the table meta are missing");
    if (!gdyn_database_seal_holds(db))
        return damaged(filename, sink, "the table meta does not have its checksum");
    return GDYN_OK;
}

/* What the options leave open, as the file has it; false when it has nothing. A file without the
 * entry `method` is of the time when nsga2 was what a case meant that states none. */
static bool take_over(sqlite3 *db, gdyn_search_options *search) {
    int population = (int)gdyn_database_entry(db, "population", -1);
    if (population < 0)
        return false;
    if (search->method == GDYN_SEARCH_AUTO) {
        char *method = gdyn_database_text(db, "method");
        search->method = GDYN_SEARCH_NSGA2;
        /* a method that this version does not have is refused by the search */
        if (method && !gdyn_search_method_from_name(method, &search->method))
            search->method = GDYN_SEARCH_METHODS;
        gdyn_free(method);
    }
    if (search->population == 0)
        search->population = population;
    return true;
}

bool gdyn_store_decide(const char *filename, const gdyn_study *study, gdyn_search_options *search) {
    gdyn_sink silent = {0};
    sqlite3 *db = NULL;
    bool empty = true, open = search->method == GDYN_SEARCH_AUTO || search->population == 0;
    bool found = false;
    /* What is wrong with the file is told by who opens it. */
    if (open && gdyn_database_open(filename, false, &silent, &db, &empty) == GDYN_OK) {
        found = !empty && take_over(db, search);
        gdyn_database_close(db, false);
    }
    gdyn_search_decide(gdyn_study_start(study)->objective_count, search);
    return found;
}

/* The designs of a warm start are designs 1, 2, ... of the file. */
static gdyn_status read_starts(gdyn_stored *s, sqlite3 *db, const gdyn_archive *archive) {
    int n = s->study->variables, starts = 0, wanted = (int)gdyn_database_entry(db, "starts", 0);
    wanted = wanted < archive->count ? wanted : archive->count;
    s->start = gdyn_alloc((size_t)n * (size_t)wanted, sizeof *s->start);
    if (!s->start)
        return GDYN_ERROR_MEMORY;
    /* Those that were evaluated before an interruption. */
    for (; starts < wanted; starts++) {
        const gdyn_design *d = gdyn_archive_find(archive, starts + 1);
        if (!d)
            break;
        memcpy(s->start + starts * n, d->x, (size_t)n * sizeof *s->start);
    }
    s->options.starts = starts, s->options.start = s->start;
    return GDYN_OK;
}

/* The text was a case when the file was made, so whatever is wrong with it now is damage (or
 * another version's); its lines are nobody's to mend. */
static gdyn_status make_study(gdyn_stored *s, const char *filename, const gdyn_sink *sink) {
    /* A sweep needs no objectives. */
    gdyn_sink silent = {0};
    gdyn_status status =
        gdyn_case_read_text(s->case_text, strlen(s->case_text), filename, &silent, &s->the_case);
    if (status == GDYN_OK && s->kind == GDYN_STORE_SWEEP)
        status = gdyn_study_create_any(s->the_case, 0, NULL, &silent, &s->study);
    else if (status == GDYN_OK)
        status = gdyn_study_create(s->the_case, 0, NULL, &silent, &s->study);
    if (status != GDYN_ERROR_INPUT)
        return status;
    gdyn_diag_emit(
        sink, GDYN_ERROR, filename,
        "sqlite3 FILE 'SELECT value FROM meta WHERE key = \"case_text\"' shows it",
        GDYN_CODE_DAMAGED
        "the study is damaged, or made by another version: the text of its case cannot be read");
    return GDYN_ERROR_STUDY;
}

/* Designs in order; all damaged rows are named. */
static gdyn_status read_rows(gdyn_stored *s, gdyn_rows *rows, sqlite3 *db, const char *filename,
                             const gdyn_sink *sink, gdyn_archive *archive) {
    gdyn_damage damage = {0};
    gdyn_status status = GDYN_OK;
    for (int code = SQLITE_ROW; status == GDYN_OK && code == SQLITE_ROW;) {
        bool good = false;
        gdyn_design *d = gdyn_design_create(s->study);
        code = d ? gdyn_rows_next(rows, d, &damage, &good) : SQLITE_NOMEM;
        if (code == SQLITE_ROW && good)
            status = gdyn_archive_add(archive, d);
        else
            gdyn_design_destroy(d);
        if (code == SQLITE_NOMEM)
            status = GDYN_ERROR_MEMORY;
        else if (code != SQLITE_ROW && code != SQLITE_DONE)
            status = gdyn_database_complain(db, filename, sink);
    }
    if (status == GDYN_OK && damage.count > 0) {
        gdyn_diag_emit(sink, GDYN_ERROR, filename,
                       "the command that made the study, with --repair, evaluates them again",
                       GDYN_CODE_DAMAGED
                       "the study is damaged: these designs do not have their checksums: %s",
                       damage.ids.data);
        status = GDYN_ERROR_STUDY;
    }
    gdyn_text_free(&damage.ids);
    return status;
}

static gdyn_status read_designs(gdyn_stored *s, sqlite3 *db, const char *filename,
                                const gdyn_sink *sink, gdyn_archive *archive) {
    gdyn_rows rows;
    gdyn_status status = gdyn_rows_prepare(&rows, db, s->study, false) == SQLITE_OK
                             ? read_rows(s, &rows, db, filename, sink, archive)
                             : gdyn_database_complain(db, filename, sink);
    gdyn_rows_finish(&rows);
    return status;
}

/* The end of the last run recorded how many designs there were. */
static gdyn_status check_count(const gdyn_stored *s, sqlite3 *db, const gdyn_sink *sink) {
    char what[80];
    long designs = (long)gdyn_database_entry(db, "designs", 0);
    if (s->rows >= designs)
        return GDYN_OK;
    snprintf(what, sizeof what, "it has %d of %ld designs", s->rows, designs);
    return damaged(s->filename, sink, what);
}

/* --- batches of a costly method, as the file has them
 * ------------------------------------------------ */

typedef struct batches {
    const gdyn_archive *archive;
    int count, room;
    long *end;     /* count: designs with each batch, ascending */
    int usual;     /* designs of a batch that the file does not have as a whole */
    bool complete; /* the method had nothing more to try */
} batches;

static int batch_size(void *context, long first, int room) {
    const batches *b = context;
    int k = 0;
    while (k < b->count && b->end[k] <= first)
        k++;
    if (k == b->count)
        return b->complete ? 0 : b->usual < room ? b->usual : room;
    long size = b->end[k] - first;
    return size < room ? (int)size : room;
}

static const double *batch_design(void *context, long serial) {
    const batches *b = context;
    const gdyn_design *d = gdyn_archive_find(b->archive, serial);
    return d ? d->x : NULL;
}

/* The history tells where batches end. */
static gdyn_status read_batches(sqlite3 *db, const char *filename, const gdyn_sink *sink,
                                batches *b) {
    sqlite3_stmt *row = NULL;
    gdyn_status status = GDYN_OK;
    int code = sqlite3_prepare_v2(db, "SELECT evaluations FROM generation ORDER BY number", -1,
                                  &row, NULL);
    while (status == GDYN_OK && (code == SQLITE_OK || code == SQLITE_ROW)) {
        code = sqlite3_step(row);
        if (code == SQLITE_ROW && gdyn_reserve(&b->end, &b->room, b->count + 1, sizeof *b->end))
            b->end[b->count++] = (long)sqlite3_column_int64(row, 0);
        else if (code == SQLITE_ROW)
            status = GDYN_ERROR_MEMORY;
    }
    if (status == GDYN_OK && code != SQLITE_DONE)
        status = gdyn_database_complain(db, filename, sink);
    sqlite3_finalize(row);
    return status;
}

/* Models of a surrogate study are not fitted anew to be read. */
static gdyn_status replay(gdyn_stored *s, sqlite3 *db, const char *filename, const gdyn_sink *sink,
                          const gdyn_archive *archive) {
    char ended[120];
    const gdyn_search_options *o = &s->options.search;
    snprintf(ended, sizeof ended, "finished: %s", gdyn_search_stop_text(GDYN_SEARCH_COMPLETE));
    batches b = {.archive = archive,
                 .usual = o->batch > 0 ? o->batch : 1,
                 .complete = strcmp(s->state, ended) == 0};
    const gdyn_search_recall recall = {batch_size, batch_design, &b};
    bool costly = o->method == GDYN_SEARCH_SURROGATE;
    gdyn_status status = costly ? read_batches(db, filename, sink, &b) : GDYN_OK;
    if (status == GDYN_OK) {
        status =
            gdyn_study_replay(s->study, &s->options, costly ? &recall : NULL, archive, &s->result);
        if (status == GDYN_ERROR_ARGUMENT)
            status = damaged(filename, sink, "its population, budget or seed is invalid");
        else if (status == GDYN_ERROR_STUDY)
            status = damaged(filename, sink, "the designs are not those of the search");
    }
    gdyn_free(b.end);
    return status;
}

static gdyn_status make_result(gdyn_stored *s, sqlite3 *db, const char *filename,
                               const gdyn_sink *sink, gdyn_archive *archive) {
    if (s->kind != GDYN_STORE_SWEEP)
        return replay(s, db, filename, sink, archive);
    s->result.archive = *archive;
    *archive = (gdyn_archive){0};
    for (int i = 0; i < s->result.archive.count; i++)
        s->result.final.status[s->result.archive.design[i]->status]++;
    s->result.final.evaluated = s->result.archive.count;
    return gdyn_study_find_front(s->study, NULL, &s->result);
}

/* The aim of the search, which the command line may have stated. */
static gdyn_status read_aim(gdyn_stored *s, sqlite3 *db) {
    int m = s->study->start->objective_count, count = 0;
    char *text = gdyn_database_text(db, "aim");
    const char *end = text;
    s->aim = gdyn_alloc((size_t)m + 1, sizeof *s->aim);
    for (const char *at = text; at && s->aim && count < m; at = end, count++) {
        s->aim[count] = gdyn_decimal_read(at, &end);
        if (end == at)
            break;
    }
    s->options.aim = count == m && m > 0 ? s->aim : NULL;
    gdyn_free(text);
    return s->aim ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* Everything, from one state of the file. */
static gdyn_status read_all(gdyn_stored *s, sqlite3 *db, const char *filename,
                            const gdyn_sink *sink) {
    gdyn_archive archive = {0};
    gdyn_status status = GDYN_OK;
    /* A transaction: another process may write meanwhile. */
    if (sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK) /* one state of the file */
        status = gdyn_database_complain(db, filename, sink);
    if (status == GDYN_OK)
        status = read_texts(s, db, filename, sink);
    if (status == GDYN_OK)
        status = make_study(s, filename, sink);
    if (status == GDYN_OK) {
        /* what the command line overrode, or the search decided */
        s->options = gdyn_study_default(s->study);
        gdyn_search_options *search = &s->options.search;
        search->population = (int)gdyn_database_entry(db, "population", search->population);
        search->evaluations = (long)gdyn_database_entry(db, "evaluations", search->evaluations);
        search->seed = (uint64_t)gdyn_database_entry(db, "seed", (long long)search->seed);
        take_over(db, search);
        gdyn_search_decide(gdyn_study_start(s->study)->objective_count, search);
        status = read_designs(s, db, filename, sink, &archive);
    }
    /* The search may know of fewer designs than the file has rows. */
    s->rows = archive.count;
    gdyn_search_keep(&s->options.search, s->rows);
    if (status == GDYN_OK)
        status = check_count(s, db, sink);
    if (status == GDYN_OK)
        status = read_starts(s, db, &archive);
    if (status == GDYN_OK)
        status = read_aim(s, db);
    if (status == GDYN_OK)
        status = make_result(s, db, filename, sink, &archive);
    gdyn_archive_clear(&archive);
    return status;
}

gdyn_status gdyn_stored_open(const char *filename, const gdyn_sink *sink, gdyn_stored **out) {
    *out = NULL;
    sqlite3 *db = NULL;
    bool empty = false;
    gdyn_status status = gdyn_database_open(filename, false, sink, &db, &empty);
    if (status != GDYN_OK)
        return status;
    gdyn_stored *s = gdyn_alloc(1, sizeof *s);
    if (!s)
        status = GDYN_ERROR_MEMORY;
    else if (empty)
        status = damaged(filename, sink, "it has no tables");
    else
        status = read_all(s, db, filename, sink);
    gdyn_database_close(db, false);
    if (s)
        s->owner = gdyn_lock_owner(filename).pid;
    if (status == GDYN_OK)
        *out = s;
    else
        gdyn_stored_close(s);
    return status;
}

void gdyn_stored_close(gdyn_stored *s) {
    if (!s)
        return;
    gdyn_study_result_clear(&s->result);
    gdyn_free(s->start), gdyn_free(s->aim);
    gdyn_study_destroy(s->study);
    gdyn_case_destroy(s->the_case);
    gdyn_free(s->filename), gdyn_free(s->case_name), gdyn_free(s->case_text);
    gdyn_free(s->state), gdyn_free(s->platform), gdyn_free(s);
}

/* --- checks of a study file: structure, numbering, designs evaluated again. */

bool gdyn_stored_integrity(const gdyn_stored *s, char *text, size_t size) {
    sqlite3 *db = NULL;
    bool empty;
    gdyn_sink silent = {0};
    snprintf(text, size, "the file cannot be read");
    bool good = gdyn_database_open(s->filename, false, &silent, &db, &empty) == GDYN_OK &&
                gdyn_database_whole(db, text, size);
    gdyn_database_close(db, false);
    return good;
}

gdyn_status gdyn_stored_asked(const gdyn_stored *s, bool *asked) {
    gdyn_study_result again;
    gdyn_status status = gdyn_study_replay(s->study, &s->options, NULL, &s->result.archive, &again);
    *asked = status == GDYN_OK;
    if (status == GDYN_OK)
        gdyn_study_result_clear(&again);
    return status == GDYN_ERROR_STUDY ? GDYN_OK : status;
}

gdyn_numbering gdyn_stored_numbering(const gdyn_stored *s) {
    const gdyn_archive *archive = &s->result.archive;
    int count = archive->count;
    gdyn_numbering n = {.designs = count, .rows = s->rows, .last = -1};
    for (int i = 1; i < count; i++)
        n.gaps += archive->design[i]->serial != archive->design[i - 1]->serial + 1;
    if (count > 0)
        n.last = archive->design[count - 1]->serial;
    bool begins = count == 0 || archive->design[0]->serial == 0;
    bool finished = strncmp(s->state, "finished", strlen("finished")) == 0;
    n.lost = s->result.interrupted && (s->rows > count || finished);
    /* Of an interrupted generation any designs may be missing, of earlier ones none. */
    int most = s->result.interrupted ? s->options.search.population : 0;
    n.good = begins && !n.lost && n.gaps <= most;
    return n;
}

const gdyn_design *gdyn_stored_sample(const gdyn_stored *s, int samples, int k) {
    const gdyn_archive *archive = &s->result.archive;
    long i = samples > 1 ? (long)k * (archive->count - 1) / (samples - 1) : 0;
    /* what was evaluated at few points is not evaluated again */
    while (i > 0 && archive->design[i]->difference)
        i--;
    return archive->design[i];
}

/* Status, failure, and every response, objective and constraint; the same responses must be
 * known. */
static bool same_values(const gdyn_study *study, const gdyn_design *a, const gdyn_design *b) {
    const gdyn_instance *start = gdyn_study_start(study);
    bool same = a->status == b->status && a->evaluated == b->evaluated &&
                a->violation == b->violation && a->failure == b->failure;
    for (int r = 0; r < gdyn_study_responses(study); r++)
        same &= a->known[r] == b->known[r] && (!a->known[r] || a->response[r] == b->response[r]);
    for (int i = 0; i < start->objective_count; i++)
        same &= a->objective[i] == b->objective[i];
    for (int i = 0; i < start->requirement_count; i++)
        same &= a->constraint[i] == b->constraint[i];
    return same;
}

gdyn_status gdyn_stored_reproduce(const gdyn_stored *s, const gdyn_design *design,
                                  gdyn_design *again, bool *same) {
    again->serial = design->serial;
    gdyn_status status = gdyn_study_evaluate(s->study, design->x, GDYN_EXTENT_SOUND, again);
    *same = status == GDYN_OK && same_values(s->study, design, again);
    return status;
}

/* --- the digest of a study, from its table meta or from all of its designs. */

void gdyn_digest_write(const gdyn_study *study, const gdyn_study_result *result, gdyn_text *out) {
    const gdyn_archive *front = &result->front;
    char *goals = gdyn_study_goals(study);
    double *F = gdyn_front_objectives(study, front);
    int m = gdyn_study_start(study)->objective_count;
    gdyn_text_printf(out, "%d %d %d %d\n", result->archive.count,
                     result->final.status[GDYN_DESIGN_OK], m, front->count);
    for (int i = 0; F && i < m * front->count; i++)
        gdyn_text_printf(out, "%s ", gdyn_digits(F[i]).text);
    gdyn_text_printf(out, "\n%s", goals ? goals : "");
    out->failed |= !goals || !F;
    gdyn_free(goals), gdyn_free(F);
}

/* The numbers of a digest's text; false where it is none. */
static bool parse(const char *text, gdyn_digest *d) {
    int used = 0;
    if (sscanf(text, "%d %d %d %d%n", &d->designs, &d->feasible, &d->m, &d->front, &used) != 4 ||
        d->m < 0 || d->front < 0 || d->front > d->designs)
        return false;
    d->F = gdyn_alloc((size_t)d->m * (size_t)d->front + 1, sizeof *d->F);
    const char *at = text + used;
    for (int i = 0; d->F && i < d->m * d->front; i++) {
        const char *end;
        d->F[i] = gdyn_decimal_read(at, &end);
        if (end == at)
            return false;
        at = end;
    }
    /* the goals stand on the last line */
    const char *line = strrchr(at, '\n');
    gdyn_text goals = {0};
    gdyn_text_printf(&goals, "%s", line ? line + 1 : "");
    d->goals = goals.data;
    return d->F && d->goals && line;
}

/* From the table meta, in one state of the file; false where it does not say. */
static bool read_meta(sqlite3 *db, gdyn_digest *d) {
    if (sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
        return false;
    long rows = -1;
    char *text = gdyn_database_text(db, "digest");
    d->state = gdyn_database_text(db, "state");
    gdyn_database_number(db, "SELECT count(*) FROM design", &rows);
    bool said = text && d->state && strcmp(d->state, "running") != 0 &&
                gdyn_database_seal_holds(db) && parse(text, d) && rows == d->designs;
    gdyn_free(text);
    return said;
}

/* From all designs, regardless of the file says of them. */
static gdyn_status read_whole(const char *filename, gdyn_digest *d) {
    gdyn_stored *s = NULL;
    gdyn_sink silent = {0};
    gdyn_text text = {0};
    gdyn_status status = gdyn_stored_open(filename, &silent, &s);
    if (status != GDYN_OK)
        return status;
    d->owner = s->owner, d->state = s->state;
    s->state = NULL;
    gdyn_digest_write(s->study, &s->result, &text);
    if (text.failed || !parse(text.data, d))
        status = GDYN_ERROR_MEMORY;
    gdyn_text_free(&text);
    gdyn_stored_close(s);
    return status;
}

gdyn_status gdyn_digest_read(const char *filename, gdyn_digest *d) {
    sqlite3 *db = NULL;
    bool empty = false;
    gdyn_sink silent = {0};
    *d = (gdyn_digest){0};
    gdyn_status status = gdyn_database_open(filename, false, &silent, &db, &empty);
    if (status != GDYN_OK)
        return status;
    bool said = !empty && read_meta(db, d);
    d->owner = gdyn_lock_owner(filename).pid;
    if (!said || d->owner != 0) {
        /* a run that goes on, or was cut off; a file without a digest */
        gdyn_digest_free(d);
        status = read_whole(filename, d);
    }
    /* A study keeps method, population and seed from its first run on. */
    d->method = gdyn_database_text(db, "method");
    d->population = (int)gdyn_database_entry(db, "population", 0);
    d->seed = (long)gdyn_database_entry(db, "seed", 0);
    gdyn_database_close(db, false);
    if (status != GDYN_OK)
        gdyn_digest_free(d);
    return status;
}

void gdyn_digest_free(gdyn_digest *d) {
    gdyn_free(d->state), gdyn_free(d->goals), gdyn_free(d->method), gdyn_free(d->F);
    *d = (gdyn_digest){0};
}
