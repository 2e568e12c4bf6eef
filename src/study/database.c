/* database.c - the SQLite file of a study.
 *
 * While it is written the file is in write-ahead mode: readers see a whole state at any moment, and
 * a commit survives the end of the process without waiting for the disk. */
#include "study/archive.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/store.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUSY_MILLISECONDS = 10000 };

const char *gdyn_database_error(int code) {
    switch (code & 0xff) {
    case SQLITE_FULL:
        return "the disk is full";
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return "the file or its folder is read-only";
    case SQLITE_CANTOPEN:
        return "the file cannot be opened or made: is the folder there, and may it be written to?";
    case SQLITE_NOTADB:
        return "the file is not a study of globdyn";
    case SQLITE_CORRUPT:
        return "the file is damaged";
    case SQLITE_NOMEM:
        gdyn_memory_refuse();
        return "out of memory";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "another program is using the file";
    case SQLITE_IOERR:
        return "reading from or writing to the disk failed";
    default:
        return sqlite3_errstr(code);
    }
}

gdyn_status gdyn_database_complain(sqlite3 *db, const char *filename, const gdyn_sink *sink) {
    int code = db ? sqlite3_errcode(db) : SQLITE_NOMEM;
    /* what may help */
    const char *help =
        (code & 0xff) == SQLITE_CORRUPT  ? "`sqlite3 FILE .recover` may save what is in it"
        : (code & 0xff) == SQLITE_NOTADB ? "give another file or folder (a search: with -o)"
        : (code & 0xff) == SQLITE_FULL
            ? "make room; the same command continues with the designs that are there"
            : NULL;
    gdyn_diag_emit(sink, GDYN_ERROR, filename, help, GDYN_CODE_FILE "%s",
                   gdyn_database_error(code));
    /* damage and use by others are matters of the study; the rest of the file system */
    switch (code & 0xff) {
    case SQLITE_OK:
        return GDYN_OK;
    case SQLITE_NOMEM:
        return GDYN_ERROR_MEMORY;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return GDYN_ERROR_STUDY;
    default:
        return GDYN_ERROR_FILE;
    }
}

/* --- opening ------------------------------------------------------------------------------ */

/* The first value that a query gives, as a text (of NULL and without a row: none); `argument` takes
 * the place of its ?, or is NULL. */
static int query(sqlite3 *db, const char *sql, const char *argument, gdyn_text *value) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK && argument)
        code = sqlite3_bind_text(statement, 1, argument, -1, SQLITE_STATIC);
    if (code == SQLITE_OK && (code = sqlite3_step(statement)) == SQLITE_ROW &&
        sqlite3_column_text(statement, 0))
        gdyn_text_printf(value, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int gdyn_database_number(sqlite3 *db, const char *sql, long *number) {
    gdyn_text value = {0};
    int code = query(db, sql, NULL, &value);
    if (value.data)
        *number = atol(value.data);
    gdyn_text_free(&value);
    return code;
}

/* A file in write-ahead mode in a folder that may not be written to can be read as it is. */
static int open_unchanging(const char *filename, sqlite3 **db) {
    gdyn_text uri = {0};
    /* The characters that have a meaning in a URI are escaped. */
    gdyn_text_printf(&uri, "file:");
    for (const char *c = filename; *c; c++)
        if (strchr("%?#", *c))
            gdyn_text_printf(&uri, "%%%02X", (unsigned char)*c);
        else
            gdyn_text_append(&uri, c, 1);
    gdyn_text_printf(&uri, "?immutable=1");
    int code = SQLITE_NOMEM;
    if (!uri.failed)
        code = sqlite3_open_v2(uri.data, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, NULL);
    gdyn_text_free(&uri);
    return code;
}

static sqlite3_mem_methods standard;

static void *allocate(int bytes) {
    void *block = standard.xMalloc(bytes);
    if (!block)
        gdyn_memory_refuse();
    return block;
}

static void *reallocate(void *block, int bytes) {
    void *larger = standard.xRealloc(block, bytes);
    if (!larger)
        gdyn_memory_refuse();
    return larger;
}

/* SQLite may take a value for missing that it has no memory to read: refused blocks are noted, as
 * everywhere. Without effect when this process has used SQLite before. */
static void watch_memory(void) {
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&done) ||
        sqlite3_config(SQLITE_CONFIG_GETMALLOC, &standard) != SQLITE_OK)
        return;
    sqlite3_mem_methods watched = standard;
    watched.xMalloc = allocate, watched.xRealloc = reallocate;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &watched);
}

/* Opens the file and shows that it can be read; SQLite's code. */
static int open_file(const char *filename, bool write, sqlite3 **db) {
    watch_memory();
    /* SQLite opens lazily: the first query shows whether the file can be read. */
    int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    int code = sqlite3_open_v2(filename, db, flags | SQLITE_OPEN_FULLMUTEX, NULL);
    long tables;
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(*db, BUSY_MILLISECONDS);
        code = gdyn_database_number(*db, "SELECT count(*) FROM sqlite_master", &tables);
    }
    /* Without write access SQLite cannot make the -shm file that write-ahead mode needs. */
    if (!write && (code & 0xff) == SQLITE_CANTOPEN) {
        sqlite3_close(*db);
        code = open_unchanging(filename, db);
        if (code == SQLITE_OK)
            code = gdyn_database_number(*db, "SELECT count(*) FROM sqlite_master", &tables);
    }
    return code;
}

/* A study is recognized by its application id, its format by user_version. */
typedef struct marks {
    long tables, id, format;
} marks;

static int read_marks(sqlite3 *db, marks *m) {
    *m = (marks){0};
    int code = gdyn_database_number(db, "SELECT count(*) FROM sqlite_master", &m->tables);
    if (code == SQLITE_OK)
        code = gdyn_database_number(db, "PRAGMA application_id", &m->id);
    return code == SQLITE_OK ? gdyn_database_number(db, "PRAGMA user_version", &m->format) : code;
}

/* Whether this is the database of another program, which reading leaves as it is; writing could
 * fold a log into it. */
static bool is_foreign(const char *filename) {
    sqlite3 *db = NULL;
    marks m = {0};
    bool foreign = open_file(filename, false, &db) == SQLITE_OK &&
                   read_marks(db, &m) == SQLITE_OK && m.tables > 0 && m.id != GDYN_DATABASE_ID;
    sqlite3_close(db);
    return foreign;
}

static gdyn_status refuse_foreign(const char *filename, const gdyn_sink *sink) {
    gdyn_diag_emit(sink, GDYN_ERROR, filename, "give another file or folder (a search: with -o)",
                   GDYN_CODE_FOREIGN "the file is not a study of globdyn");
    return GDYN_ERROR_STUDY;
}

/* A study of this format, or an empty file (fresh). */
static gdyn_status check_format(sqlite3 *db, const char *filename, const gdyn_sink *sink,
                                bool *fresh) {
    marks m;
    if (read_marks(db, &m))
        return gdyn_database_complain(db, filename, sink);
    int format = (int)m.format;
    *fresh = m.tables == 0;
    if (*fresh)
        return GDYN_OK;
    /* of another program, or of another release */
    if (m.id != GDYN_DATABASE_ID)
        return refuse_foreign(filename, sink);
    if (format != GDYN_DATABASE_FORMAT) {
        gdyn_diag_emit(sink, GDYN_ERROR, filename,
                       format < GDYN_DATABASE_FORMAT
                           ? "search again, or use the release of globdyn that made it"
                           : "use the release of globdyn that made it",
                       GDYN_CODE_FOREIGN "the study has format %d, this program knows format %d",
                       format, GDYN_DATABASE_FORMAT);
        return GDYN_ERROR_STUDY;
    }
    return GDYN_OK;
}

/* Pages of the log before it is copied into the file: 1 MiB, so that small disks hold it. */
static const char write_ahead[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                                  "PRAGMA wal_autocheckpoint = 250;";

gdyn_status gdyn_database_open(const char *filename, bool write, const gdyn_sink *sink,
                               sqlite3 **db, bool *fresh) {
    *db = NULL;
    if (write && is_foreign(filename))
        return refuse_foreign(filename, sink);
    int code = open_file(filename, write, db);
    gdyn_status status = code == SQLITE_OK ? check_format(*db, filename, sink, fresh)
                                           : gdyn_database_complain(*db, filename, sink);
    /* writers switch to write-ahead mode */
    if (status == GDYN_OK && write && sqlite3_exec(*db, write_ahead, NULL, NULL, NULL) != SQLITE_OK)
        status = gdyn_database_complain(*db, filename, sink);
    if (status != GDYN_OK) {
        sqlite3_close(*db);
        *db = NULL;
    }
    return status;
}

gdyn_status gdyn_database_settle(const char *filename, const gdyn_sink *sink) {
    sqlite3 *db = NULL;
    if (is_foreign(filename))
        return refuse_foreign(filename, sink);
    /* Opening and leaving write-ahead mode folds the log into the file. */
    int code = open_file(filename, true, &db);
    if (code == SQLITE_OK)
        code = sqlite3_exec(db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    gdyn_status status =
        (code & 0xff) == SQLITE_NOMEM ? gdyn_database_complain(db, filename, sink) : GDYN_OK;
    sqlite3_close(db);
    return status;
}

void gdyn_database_close(sqlite3 *db, bool write) {
    if (write)
        /* Folds the log into the file, so that one file remains. */
        sqlite3_exec(db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_close(db);
}

/* --- texts -------------------------------------------------------------------------------- */

char *gdyn_database_text(sqlite3 *db, const char *key) {
    gdyn_text value = {0};
    query(db, "SELECT value FROM meta WHERE key = ?", key, &value);
    return value.data;
}

long long gdyn_database_entry(sqlite3 *db, const char *key, long long fallback) {
    char *text = gdyn_database_text(db, key);
    long long number = text ? (long long)strtoull(text, NULL, 10) : fallback;
    gdyn_free(text);
    return number;
}

bool gdyn_database_whole(sqlite3 *db, char *text, size_t size) {
    gdyn_text complaint = {0};
    query(db, "PRAGMA integrity_check(1)", NULL, &complaint);
    if (complaint.data)
        snprintf(text, size, "%s", complaint.data);
    gdyn_text_free(&complaint);
    return strcmp(text, "ok") == 0;
}

int gdyn_database_set_texts(sqlite3 *db, int count, const gdyn_database_pair *pairs) {
    int code = SQLITE_OK;
    for (int i = 0; i < count && code == SQLITE_OK; i++) {
        char *sql = sqlite3_mprintf("INSERT OR REPLACE INTO meta VALUES (%Q, %Q)", pairs[i].key,
                                    pairs[i].value);
        code = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
        sqlite3_free(sql);
    }
    return code;
}

/* --- the seal ----------------------------------------------------------------------------- */

enum { SEAL = 17 }; /* with the NUL */

/* Checksum over the table meta, as hexadecimal digits. */
static int compute_seal(sqlite3 *db, char seal[SEAL]) {
    sqlite3_stmt *rows = NULL;
    /* Over all rows of meta but the seal itself, ordered by key. */
    uint64_t sum = GDYN_CHECKSUM_START;
    int code = sqlite3_prepare_v2(
        db, "SELECT key, value FROM meta WHERE key <> 'seal' ORDER BY key", -1, &rows, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(rows);
        for (int c = 0; c < 2 && code == SQLITE_ROW; c++) {
            const char *text = (const char *)sqlite3_column_text(rows, c);
            gdyn_checksum_text(&sum, text ? text : "", (size_t)sqlite3_column_bytes(rows, c));
        }
    }
    sqlite3_finalize(rows);
    snprintf(seal, SEAL, "%016" PRIx64, sum);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

int gdyn_database_commit(sqlite3 *db, int code) {
    char seal[SEAL];
    if (code == SQLITE_OK)
        code = compute_seal(db, seal);
    if (code == SQLITE_OK)
        code = gdyn_database_set_texts(db, 1, &(gdyn_database_pair){"seal", seal});
    if (code == SQLITE_OK)
        code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

bool gdyn_database_seal_holds(sqlite3 *db) {
    char seal[SEAL];
    char *kept = gdyn_database_text(db, "seal");
    bool holds = kept && compute_seal(db, seal) == SQLITE_OK && strcmp(kept, seal) == 0;
    gdyn_free(kept);
    return holds;
}
