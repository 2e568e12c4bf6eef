/* database.h - the SQLite file of a study: opening, its texts, its complaints (internal to study). */
#ifndef GDYN_STUDY_DATABASE_H
#define GDYN_STUDY_DATABASE_H

#include "base/diag.h"
#include "base/status.h"

#include <sqlite3.h>
#include <stdbool.h>

/* Marks a file as a study (PRAGMA application_id: "gdyn") of this format (PRAGMA user_version). */
enum { GDYN_DATABASE_ID = 0x6764796e, GDYN_DATABASE_FORMAT = 2 };

/* Opens for writing (made when missing) or reading. Messages go to the sink under the file's name.
 * *fresh: the file has no tables yet. A file that is no study stays as it is. */
gdyn_status gdyn_database_open(const char *filename, bool write, const gdyn_sink *sink,
                               sqlite3 **db, bool *fresh);
/* Folds what a killed run left in the log into the file, as far as it is a study; refuses another program's database. */
gdyn_status gdyn_database_settle(const char *filename, const gdyn_sink *sink);
/* Closes; a file that was written becomes a single plain file again. */
void gdyn_database_close(sqlite3 *db, bool write);
/* What a result code means for a user: "the disk is full", ... */
const char *gdyn_database_error(int code);
/* GDYN_ERROR_FILE, or GDYN_ERROR_STUDY for a damaged file, after a message. */
gdyn_status gdyn_database_complain(sqlite3 *db, const char *filename, const gdyn_sink *sink);

/* Values of the table meta. The text is to be freed with gdyn_free; NULL: there is none. */
char *gdyn_database_text(sqlite3 *db, const char *key);
int gdyn_database_set_text(sqlite3 *db, const char *key, const char *value);

/* The table meta is sealed: its row `seal` is the checksum of keys and values of all others, in the order of the
 * keys, as sixteen hexadecimal digits. Every change ends with gdyn_database_seal, in one transaction. */
int gdyn_database_seal(sqlite3 *db);
bool gdyn_database_seal_holds(sqlite3 *db);

#endif
