/* store.c - the archive on disk. */
#include "study/store.h"

#include "base/clock.h"
#include "base/memory.h"
#include "study/archive.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct gdyn_store {
    char *filename;
    const gdyn_study *study;
    gdyn_lock lock;
    sqlite3 *db;
    gdyn_rows rows;
    sqlite3_stmt *generation;
    long count, kept; /* designs; those of ended transactions */
    bool pending;     /* a transaction is open */
    double committed; /* when the last one ended */
    dev_t device;     /* of the file that was opened */
    ino_t inode;
    char failure[200];
};

/* --- a new file --------------------------------------------------------------------------- */

/* The kind as the file has it. */
static const char *kind_name(gdyn_store_kind kind) {
    return kind == GDYN_STORE_SWEEP ? "sweep" : "optimize";
}

/* After a statement of this connection failed. */
static gdyn_status complain(const gdyn_store *s, int code, const gdyn_sink *sink) {
    return code == SQLITE_OK      ? GDYN_OK
           : code == SQLITE_NOMEM ? GDYN_ERROR_MEMORY
                                  : gdyn_database_complain(s->db, s->filename, sink);
}

/* All or nothing: a process that dies here leaves a file without tables. */
static gdyn_status make_tables(gdyn_store *s, const gdyn_store_identity *identity,
                               const gdyn_sink *sink) {
    gdyn_text sql = {0}, platform = {0};
    gdyn_text_printf(&sql, "BEGIN IMMEDIATE;");
    gdyn_store_tables(s->study, &sql);
    gdyn_platform(&platform);
    bool failed = sql.failed || platform.failed;
    int code = failed ? SQLITE_NOMEM : sqlite3_exec(s->db, sql.data, NULL, NULL, NULL);
    const gdyn_database_pair pairs[] = {{"case", identity->case_name},
                                        {"kind", kind_name(identity->kind)},
                                        {"case_text", identity->case_text},
                                        {"key", identity->key},
                                        {"platform", platform.data},
                                        {"state", "running"},
                                        {"designs", "0"}};
    if (code == SQLITE_OK)
        code = gdyn_database_set_texts(s->db, sizeof pairs / sizeof *pairs, pairs);
    code = gdyn_database_commit(s->db, code);
    gdyn_text_free(&sql), gdyn_text_free(&platform);
    return complain(s, code, sink);
}

/* --- the identity of an old file ---------------------------------------------------------- */

/* Characters before the end of the line. */
static size_t line_length(const char *text) {
    return strcspn(text, "\n");
}

/* First lines in which the texts differ; false when they agree. */
static bool first_difference(const char **a, const char **b) {
    for (;;) {
        size_t m = line_length(*a), n = line_length(*b);
        if (m != n || strncmp(*a, *b, m) != 0)
            return true;
        if (!(*a)[m] || !(*b)[n])
            return (*a)[m] != (*b)[n];
        *a += m + 1, *b += n + 1;
    }
}

/* The line for a message. */
static const char *without_indent(const char *text) {
    return text + strspn(text, " ");
}

/* The file must be of this case and search. */
static gdyn_status check_key(const gdyn_store *s, const gdyn_store_identity *identity,
                             const gdyn_sink *sink) {
    char *key = gdyn_database_text(s->db, "key");
    char *kind = gdyn_database_text(s->db, "kind");
    const char *old = key ? key : "", *new = identity->key;
    const char *help =
        "a study keeps the case, method, population and seed that it began with: choose another "
        "folder with -o (--from then reuses its designs), or start over with --restart";
    gdyn_status status = GDYN_OK;
    if (!kind || !key) {
        gdyn_diag_emit(sink, GDYN_ERROR, s->filename, help,
                       GDYN_CODE_DAMAGED
                       "the study is damaged: parts of the table meta are missing");
        status = GDYN_ERROR_STUDY;
    } else if (strcmp(kind, kind_name(identity->kind)) != 0) {
        gdyn_diag_emit(sink, GDYN_ERROR, s->filename, help,
                       GDYN_CODE_FOREIGN "the file was made by `globdyn %s`", kind);
        status = GDYN_ERROR_STUDY;
    } else if (first_difference(&old, &new)) {
        int m = (int)line_length(without_indent(old)), n = (int)line_length(without_indent(new));
        gdyn_diag_emit(sink, GDYN_ERROR, s->filename, help,
                       GDYN_CODE_FOREIGN
                       "the study belongs to another case or search: it has '%.*s' where this one "
                       "has '%.*s'",
                       m < 80 ? m : 80, without_indent(old), n < 80 ? n : 80, without_indent(new));
        status = GDYN_ERROR_STUDY;
    }
    gdyn_free(key), gdyn_free(kind);
    return status;
}

/* A repair writes the case of this run, whose key the file has, over the damaged one. */
static gdyn_status check_seal(const gdyn_store *s, const gdyn_store_identity *identity,
                              const gdyn_sink *sink) {
    if (gdyn_database_seal_holds(s->db))
        return GDYN_OK;
    if (!identity->repair) {
        gdyn_diag_emit(sink, GDYN_ERROR, s->filename,
                       "the same command with --repair writes the case's text again",
                       GDYN_CODE_DAMAGED
                       "the study is damaged: the table meta does not have its checksum");
        return GDYN_ERROR_STUDY;
    }
    const gdyn_database_pair pairs[] = {{"case", identity->case_name},
                                        {"case_text", identity->case_text}};
    gdyn_diag_emit(sink, GDYN_WARNING, s->filename, NULL,
                   GDYN_CODE_DAMAGED
                   "the table meta was damaged; the text of the case is written again");
    return complain(s, gdyn_database_set_texts(s->db, 2, pairs), sink);
}

/* Whether one of the lines of the text is this one. */
static bool has_line(const char *text, const char *line) {
    for (size_t n = strlen(line); *text; text += line_length(text), text += *text == '\n')
        if (line_length(text) == n && strncmp(text, line, n) == 0)
            return true;
    return false;
}

/* Designs of two platforms differ in their last bits: a search that continues would ask for other
 * designs than one in one go. */
static gdyn_status check_platform(const gdyn_store *s, const gdyn_store_identity *identity,
                                  const gdyn_sink *sink) {
    gdyn_text now = {0}, all = {0};
    char *old = gdyn_database_text(s->db, "platform");
    gdyn_platform(&now);
    gdyn_status status = now.failed ? GDYN_ERROR_MEMORY : GDYN_OK;
    /* Every platform that wrote to the file is listed, a line each. */
    if (status == GDYN_OK && has_line(old ? old : "", now.data)) {
    } else if (status == GDYN_OK && !identity->other_machine) {
        gdyn_diag_emit(sink, GDYN_ERROR, s->filename,
                       "continue with --accept-other-machine (last bits may then differ from "
                       "those of an uninterrupted search), or choose another folder with -o",
                       GDYN_CODE_FOREIGN
                       "the study was made with other libraries or on another processor: '%s', "
                       "not '%s'",
                       old ? old : "", now.data);
        status = GDYN_ERROR_STUDY;
    } else if (status == GDYN_OK) {
        gdyn_text_printf(&all, "%s\n%s", old ? old : "", now.data);
        status = all.failed ? GDYN_ERROR_MEMORY
                            : complain(s,
                                       gdyn_database_set_texts(
                                           s->db, 1, &(gdyn_database_pair){"platform", all.data}),
                                       sink);
    }
    gdyn_text_free(&now), gdyn_text_free(&all);
    gdyn_free(old);
    return status;
}

/* --- transactions ------------------------------------------------------------------------- */

/* Designs that come within this time after a transaction share the next one [s]. */
static const double SHARED_SECONDS = 0.05;

/* Ends the open transaction, if there is one: kept when nothing failed so far, else undone. */
static int end(gdyn_store *s, int code) {
    if (s->pending && code == SQLITE_OK)
        code = sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
    if (s->pending && code != SQLITE_OK && !sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    s->pending = false;
    s->committed = gdyn_clock();
    if (code == SQLITE_OK)
        s->kept = s->count;
    else
        s->count = s->kept;
    return code;
}

/* --- opening and closing ------------------------------------------------------------------ */

/* Only one process writes; says which one if it is another. */
static gdyn_status take_lock(const char *filename, gdyn_lock *lock, const gdyn_sink *sink) {
    gdyn_owner owner;
    gdyn_status status = gdyn_lock_take(filename, lock, &owner);
    /* A lock of another process, or a folder where none can be made. */
    if (status == GDYN_ERROR_STUDY)
        gdyn_diag_emit(sink, GDYN_ERROR, filename,
                       "wait until it has ended, stop it, or choose another folder with -o",
                       GDYN_CODE_BUSY "the study is in use by process %ld%s%s", owner.pid,
                       *owner.host ? " on " : "", owner.host);
    else if (status == GDYN_ERROR_FILE)
        gdyn_diag_emit(sink, GDYN_ERROR, filename,
                       "choose another folder with -o, or get permission to write here",
                       GDYN_CODE_BUSY "the study cannot be locked by %s-lock: %s", filename,
                       gdyn_errno_text(errno));
    return status;
}

/* A table of the file has room for so many values of a design. */
static gdyn_status check_columns(const gdyn_store *s, const gdyn_sink *sink) {
    int columns = gdyn_rows_columns(s->study);
    if (columns <= GDYN_ROWS_MOST_COLUMNS)
        return GDYN_OK;
    gdyn_diag_emit(sink, GDYN_ERROR, s->filename, "remove trajectories that no formula names",
                   GDYN_CODE_LIMIT "a design has %d values, a study file can hold %d", columns,
                   GDYN_ROWS_MOST_COLUMNS);
    return GDYN_ERROR_INPUT;
}

void gdyn_aim_print(int objectives, const double *aim, gdyn_text *out) {
    gdyn_text_printf(out, "%s", "");
    for (int k = 0; aim && k < objectives; k++)
        gdyn_text_printf(out, "%s%s", k ? " " : "", gdyn_digits(aim[k]).text);
}

/* What is new with every run: the budget may grow. */
static int note_run(gdyn_store *s, const gdyn_store_identity *identity) {
    /* What was said of the designs holds no more. */
    const gdyn_database_pair begun[] = {{"state", "running"}, {"digest", ""}};
    int code = gdyn_database_set_texts(s->db, 2, begun);
    /* A sweep has no search of its own. */
    char evaluations[32], population[32], seed[32], starts[32];
    if (!identity->search || code != SQLITE_OK)
        return code;
    gdyn_search_options search = *identity->search;
    gdyn_search_decide(gdyn_study_start(s->study)->objective_count, &search);
    snprintf(evaluations, sizeof evaluations, "%ld", search.evaluations);
    snprintf(population, sizeof population, "%d", search.population);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)search.seed);
    snprintf(starts, sizeof starts, "%d", identity->starts);
    gdyn_text aim = {0};
    gdyn_aim_print(gdyn_study_start(s->study)->objective_count, identity->aim, &aim);
    const gdyn_database_pair pairs[] = {
        {"evaluations", evaluations}, {"method", gdyn_search_method_name(search.method)},
        {"population", population},   {"seed", seed},
        {"starts", starts},           {"aim", aim.data}};
    code = aim.failed ? SQLITE_NOMEM
                      : gdyn_database_set_texts(s->db, sizeof pairs / sizeof *pairs, pairs);
    gdyn_text_free(&aim);
    return code;
}

/* One transaction: the old file's identity, what this run changes, the new seal. */
static gdyn_status join_file(gdyn_store *s, const gdyn_store_identity *identity,
                             const gdyn_sink *sink) {
    int code = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    gdyn_status status = complain(s, code, sink);
    if (status == GDYN_OK)
        status = check_key(s, identity, sink);
    if (status == GDYN_OK)
        status = check_seal(s, identity, sink);
    if (status == GDYN_OK)
        status = check_platform(s, identity, sink);
    if (status == GDYN_OK)
        status = complain(s, note_run(s, identity), sink);
    if (status == GDYN_OK)
        return complain(s, gdyn_database_commit(s->db, SQLITE_OK), sink);
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* --- damage ------------------------------------------------------------------------------- */

/* Names the damaged designs. */
static gdyn_status report_damage(const gdyn_store *s, const gdyn_damage *damage, bool repaired,
                                 const gdyn_sink *sink) {
    const char *ids = damage->ids.data;
    if (repaired) {
        gdyn_diag_emit(sink, GDYN_WARNING, s->filename, NULL,
                       GDYN_CODE_DAMAGED
                       "%ld damaged design%s removed and will be evaluated again: %s",
                       damage->count, damage->count == 1 ? " is" : "s are", ids);
        return GDYN_OK;
    }
    gdyn_diag_emit(sink, GDYN_ERROR, s->filename,
                   "the same command with --repair evaluates them again",
                   GDYN_CODE_DAMAGED "the study is damaged: %ld design%s not have %s checksum: %s",
                   damage->count, damage->count == 1 ? " does" : "s do",
                   damage->count == 1 ? "its" : "their", ids);
    return GDYN_ERROR_STUDY;
}

/* Every row gives its checksum; with a repair those that do not are removed. */
static gdyn_status check_rows(gdyn_store *s, bool repair, const gdyn_sink *sink) {
    sqlite3_stmt *delete_row = NULL;
    gdyn_damage damage = {0};
    bool good;
    int code = sqlite3_prepare_v2(s->db, "DELETE FROM design WHERE id = ?", -1, &delete_row, NULL);
    if (code == SQLITE_OK)
        code = SQLITE_ROW;
    while (code == SQLITE_ROW &&
           (code = gdyn_rows_next(&s->rows, NULL, &damage, &good)) == SQLITE_ROW)
        if (!good && repair) {
            sqlite3_bind_int64(delete_row, 1, damage.next - 1);
            code = sqlite3_step(delete_row) == SQLITE_DONE ? SQLITE_ROW : SQLITE_ERROR;
            sqlite3_reset(delete_row);
        }
    sqlite3_reset(s->rows.all);
    sqlite3_finalize(delete_row);
    gdyn_status status = complain(s, code == SQLITE_DONE ? SQLITE_OK : code, sink);
    if (status == GDYN_OK && damage.count > 0)
        status = report_damage(s, &damage, repair, sink);
    gdyn_text_free(&damage.ids);
    return status;
}

/* Counts what the file has. */
static int count_designs(gdyn_store *s) {
    int code = gdyn_database_number(s->db, "SELECT count(*) FROM design", &s->count);
    s->kept = s->count;
    return code;
}

/* Fewer rows than the end of the last run recorded: designs have been lost. */
static gdyn_status check_count(gdyn_store *s, bool repair, const gdyn_sink *sink) {
    gdyn_status status = complain(s, count_designs(s), sink);
    if (status != GDYN_OK)
        return status;
    long designs = (long)gdyn_database_entry(s->db, "designs", 0);
    if (s->count >= designs || repair) /* the end of the run records the new number */
        return GDYN_OK;
    gdyn_diag_emit(sink, GDYN_ERROR, s->filename,
                   "the same command with --repair evaluates the missing ones again",
                   GDYN_CODE_DAMAGED "the study is damaged: it has %ld of %ld designs", s->count,
                   designs);
    return GDYN_ERROR_STUDY;
}

/* All steps of opening a study file. */
static gdyn_status open_all(gdyn_store *s, const gdyn_store_identity *identity,
                            const gdyn_sink *sink) {
    bool fresh = false;
    gdyn_status status = check_columns(s, sink);
    if (status == GDYN_OK)
        status = take_lock(s->filename, &s->lock, sink);
    if (status == GDYN_OK)
        status = gdyn_database_open(s->filename, true, sink, &s->db, &fresh);
    if (status == GDYN_OK && fresh)
        status = make_tables(s, identity, sink);
    if (status == GDYN_OK)
        status = join_file(s, identity, sink);
    if (status == GDYN_OK) {
        /* statements that are used for every design and generation */
        int code = gdyn_rows_prepare(&s->rows, s->db, s->study, true);
        if (code == SQLITE_OK)
            code = sqlite3_prepare_v2(
                s->db, "INSERT OR REPLACE INTO generation VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", -1,
                &s->generation, NULL);
        status = complain(s, code, sink);
    }
    if (status == GDYN_OK)
        status = check_rows(s, identity->repair, sink);
    if (status == GDYN_OK)
        status = check_count(s, identity->repair, sink);
    /* device and inode identify the file even after it was renamed */
    struct stat file;
    if (status == GDYN_OK && stat(s->filename, &file) != 0)
        return complain(s, SQLITE_CANTOPEN, sink);
    if (status == GDYN_OK)
        s->device = file.st_dev, s->inode = file.st_ino;
    return status;
}

gdyn_status gdyn_store_open(const char *filename, const gdyn_study *study,
                            const gdyn_store_identity *identity, const gdyn_sink *sink,
                            gdyn_store **out) {
    *out = NULL;
    gdyn_store *s = gdyn_alloc(1, sizeof *s);
    gdyn_text name = {0};
    gdyn_text_printf(&name, "%s", filename);
    if (!s || name.failed) {
        gdyn_text_free(&name);
        gdyn_free(s);
        return GDYN_ERROR_MEMORY;
    }
    /* From here on closing frees everything. */
    s->filename = name.data, s->study = study;
    s->lock.descriptor = -1;
    gdyn_status status = open_all(s, identity, sink);
    if (status == GDYN_OK)
        *out = s;
    else
        gdyn_store_close(s);
    return status;
}

void gdyn_store_close(gdyn_store *s) {
    if (!s)
        return;
    if (s->db)
        end(s, SQLITE_OK);
    gdyn_rows_finish(&s->rows);
    sqlite3_finalize(s->generation);
    if (s->db)
        gdyn_database_close(s->db, true);
    gdyn_lock_release(&s->lock);
    gdyn_free(s->filename), gdyn_free(s);
}

/* Renames NAMEending to NAME.oldending. */
static int rename_part(const char *name, const char *ending) {
    gdyn_text from = {0}, to = {0};
    gdyn_text_printf(&from, "%s%s", name, ending);
    gdyn_text_printf(&to, "%s.old%s", name, ending);
    int failed = from.failed || to.failed ? ENOMEM : rename(from.data, to.data) ? errno : 0;
    gdyn_text_free(&from), gdyn_text_free(&to);
    return failed;
}

gdyn_status gdyn_store_set_aside(const char *filename, const gdyn_sink *sink) {
    if (access(filename, F_OK) != 0)
        return GDYN_OK;
    gdyn_lock lock;
    gdyn_status status = take_lock(filename, &lock, sink);
    if (status != GDYN_OK)
        return status;
    /* no other process may be writing it */
    status = gdyn_database_settle(filename, sink);
    int failed = 0;
    if (status == GDYN_OK) {
        rename_part(filename, "-wal"); /* of a file that is no database */
        rename_part(filename, "-shm");
        failed = rename_part(filename, "");
    }
    gdyn_lock_release(&lock);
    if (failed == 0)
        return status;
    gdyn_diag_emit(sink, GDYN_ERROR, filename, NULL,
                   GDYN_CODE_BUSY "the study cannot be set aside: %s", gdyn_errno_text(failed));
    return GDYN_ERROR_FILE;
}

/* --- use ---------------------------------------------------------------------------------- */

/* SQLite's code as a status; its text is kept for messages. */
static gdyn_status result_of(gdyn_store *s, int code) {
    if (code == SQLITE_OK)
        return GDYN_OK;
    snprintf(s->failure, sizeof s->failure, "%s", gdyn_database_error(code));
    return (code & 0xff) == SQLITE_NOMEM ? GDYN_ERROR_MEMORY : GDYN_ERROR_FILE;
}

long gdyn_store_count(const gdyn_store *s) {
    return s->count;
}

gdyn_status gdyn_store_find(gdyn_store *s, gdyn_design *design, bool *found) {
    int code = gdyn_rows_find(&s->rows, design);
    *found = code == SQLITE_ROW;
    return result_of(s, code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code);
}

gdyn_status gdyn_store_add(gdyn_store *s, const gdyn_design *design) {
    /* open a transaction unless one is open */
    int code = s->pending ? SQLITE_OK : sqlite3_exec(s->db, "BEGIN", NULL, NULL, NULL);
    s->pending |= code == SQLITE_OK;
    if (code == SQLITE_OK)
        code = gdyn_rows_insert(&s->rows, design);
    s->count += code == SQLITE_OK;
    /* a design that took its time is kept at once, one of many in a moment with the next ones */
    if (code != SQLITE_OK || gdyn_clock() - s->committed >= SHARED_SECONDS)
        code = end(s, code);
    return result_of(s, code);
}

gdyn_status gdyn_store_add_generation(gdyn_store *s, const gdyn_generation *g) {
    sqlite3_stmt *to = s->generation;
    const long whole[] = {g->number, g->evaluations, g->population, g->feasible, g->front};
    for (int i = 0; i < 5; i++)
        sqlite3_bind_int64(to, i + 1, whole[i]);
    sqlite3_bind_double(to, 6, g->hypervolume);
    sqlite3_bind_int(to, 7, g->moved);
    for (int i = 0; i < GDYN_DESIGN_STATUSES; i++)
        sqlite3_bind_int(to, 8 + i, g->status[i]);
    int code = sqlite3_step(to);
    sqlite3_reset(to);
    return result_of(s, code == SQLITE_DONE ? SQLITE_OK : code);
}

/* Designs written to a file that has no name any more would be lost. */
static gdyn_status check_name(gdyn_store *s) {
    struct stat file;
    bool there = stat(s->filename, &file) == 0;
    if (there && file.st_dev == s->device && file.st_ino == s->inode)
        return GDYN_OK;
    snprintf(s->failure, sizeof s->failure, "the file was %s while this program was writing it",
             there ? "replaced" : "removed");
    return GDYN_ERROR_FILE;
}

gdyn_status gdyn_store_sync(gdyn_store *s) {
    gdyn_status status = check_name(s);
    if (status != GDYN_OK)
        return status;
    status = result_of(s, end(s, SQLITE_OK));
    if (status != GDYN_OK)
        return status;
    /* A reader in the middle of something delays the checkpoint; the next one does it. */
    int code = sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return result_of(s, code == SQLITE_BUSY || code == SQLITE_LOCKED ? SQLITE_OK : code);
}

gdyn_status gdyn_store_set_state(gdyn_store *s, const char *state, const char *digest) {
    char designs[32];
    gdyn_status status = check_name(s);
    if (status != GDYN_OK)
        return status;
    /* State and number of designs belong together. */
    int code = end(s, SQLITE_OK);
    if (code == SQLITE_OK)
        code = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code = count_designs(s);
    snprintf(designs, sizeof designs, "%ld", s->count);
    const gdyn_database_pair pairs[] = {{"state", state}, {"designs", designs}, {"digest", digest}};
    if (code == SQLITE_OK)
        code = gdyn_database_set_texts(s->db, 3, pairs);
    return result_of(s, gdyn_database_commit(s->db, code));
}

const char *gdyn_store_error(const gdyn_store *s) {
    return s->failure;
}
