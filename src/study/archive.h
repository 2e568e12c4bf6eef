/* archive.h - the inside of the archive on disk: its lock, its SQLite file, its rows. */
#pragma once

#include "base/diag.h"
#include "base/status.h"
#include "base/text.h"
#include "study/internal.h"
#include "study/study.h"

#include <sqlite3.h>
#include <stdbool.h>

/* --- lock: one writer per study file.
 *
 * The lock is the kernel's (fcntl) on FILE-lock, so it ends with the process however that ends; the
 * file holds the owner's process number and machine for messages. It cannot be on the study file
 * itself: closing any descriptor of that would also drop SQLite's own locks. */

typedef struct gdyn_lock {
    int descriptor;
    char *name;
} gdyn_lock;

/* The process that holds a lock. */
typedef struct gdyn_owner {
    long pid; /* 0: nobody */
    char host[72];
} gdyn_owner;

/* GDYN_ERROR_STUDY with *owner when another process has it; GDYN_ERROR_FILE with errno. */
gdyn_status gdyn_lock_take(const char *filename, gdyn_lock *lock, gdyn_owner *owner);
/* Gives it back and removes the lock file. */
void gdyn_lock_release(gdyn_lock *lock);
/* Who has it; not to be asked by the process that has it. */
gdyn_owner gdyn_lock_owner(const char *filename);

/* --- database: the SQLite file of a study: opening, its texts, its complaints. */

/* Marks a file as a study (PRAGMA application_id: "gdyn") of this format (PRAGMA user_version). */
enum { GDYN_DATABASE_ID = 0x6764796e, GDYN_DATABASE_FORMAT = 2 };

/* Opens for writing (made when missing) or reading. Messages go to the sink under the file's name.
 * *fresh: the file has no tables yet. A file that is no study stays as it is. */
gdyn_status gdyn_database_open(const char *filename, bool write, const gdyn_sink *sink,
                               sqlite3 **db, bool *fresh);
/* Folds what a killed run left in the log into the file, as far as it is a study; refuses another
 * program's database. */
gdyn_status gdyn_database_settle(const char *filename, const gdyn_sink *sink);
/* Closes; a file that was written becomes a single plain file again. */
void gdyn_database_close(sqlite3 *db, bool write);
/* What a result code means for a user: "the disk is full", ... */
const char *gdyn_database_error(int code);
/* GDYN_ERROR_FILE, or GDYN_ERROR_STUDY for a damaged file, after a message. */
gdyn_status gdyn_database_complain(sqlite3 *db, const char *filename, const gdyn_sink *sink);

/* The first number that a query gives, if it gives one; SQLite's code. */
int gdyn_database_number(sqlite3 *db, const char *sql, long *number);
/* SQLite's own check of the whole file; false with the first complaint in text, if it has one. */
bool gdyn_database_whole(sqlite3 *db, char *text, size_t size);

/* Values of the table meta. The text is to be freed with gdyn_free; NULL: there is none. */
char *gdyn_database_text(sqlite3 *db, const char *key);
long long gdyn_database_entry(sqlite3 *db, const char *key, long long fallback);
typedef struct gdyn_database_pair {
    const char *key, *value;
} gdyn_database_pair;
/* Until one fails; SQLite's code. */
int gdyn_database_set_texts(sqlite3 *db, int count, const gdyn_database_pair *pairs);

/* The table meta is sealed: its row `seal` is the checksum of keys and values of all others, in the
 * order of the keys, as sixteen hexadecimal digits. Every transaction that changes it ends here:
 * sealed and committed, or undone when `code` or this is a failure; SQLite's code. */
int gdyn_database_commit(sqlite3 *db, int code);
bool gdyn_database_seal_holds(sqlite3 *db);

/* --- rows: designs as rows of the table `design`. */

/* Statements over the rows of one file. Columns: those of the program first, the last of them the
 * row's checksum, then design.*, objective.*, constraint.*, and the responses. */
typedef struct gdyn_rows {
    const gdyn_study *study;
    sqlite3_stmt *insert, *select, *all;
} gdyn_rows;

enum { GDYN_ROWS_MOST_COLUMNS = 1900 }; /* SQLite's own limit is 2000 */

/* Number of columns that the study's designs take. */
int gdyn_rows_columns(const gdyn_study *study);
/* SQLite result codes. `all` walks over the designs in the order of their numbers. */
int gdyn_rows_prepare(gdyn_rows *rows, sqlite3 *db, const gdyn_study *study, bool write);
void gdyn_rows_finish(gdyn_rows *rows);
int gdyn_rows_insert(gdyn_rows *rows, const gdyn_design *design);
/* SQLITE_ROW: the design is filled; SQLITE_DONE: there is none; SQLITE_CORRUPT: not such a row, or
 * its checksum differs. */
int gdyn_rows_find(gdyn_rows *rows, gdyn_design *design);

/* Rows of a walk whose values do not give their checksum, or that are no designs. */
typedef struct gdyn_damage {
    long count;
    gdyn_text ids; /* "17, 30", at most ten of them; to be freed */
    long next;     /* the smallest id that a further row may have */
} gdyn_damage;

/* The next row of the walk: SQLITE_ROW, SQLITE_DONE or a failure. *good: the design (may be NULL)
 * is filled; else the row is noted as damaged. */
int gdyn_rows_next(gdyn_rows *rows, gdyn_design *design, gdyn_damage *damage, bool *good);

/* --- store_tables: the tables of a new study file. */

/* Appends the SQL that makes all tables, those of names and formulas filled, so that the file can
 * be read without this program. */
void gdyn_store_tables(const gdyn_study *study, gdyn_text *sql);
