/* rows.h - designs as rows of the table `design` (internal to study). */
#ifndef GDYN_STUDY_ROWS_H
#define GDYN_STUDY_ROWS_H

#include "study/internal.h"

#include <sqlite3.h>

/* Statements over the rows of one file. Columns: those of the program first, the last of them the row's
 * checksum, then design.*, objective.*, constraint.*, and the responses. */
typedef struct gdyn_rows {
    const gdyn_study *study;
    sqlite3_stmt *insert, *select, *all;
} gdyn_rows;

enum { GDYN_ROWS_MOST_COLUMNS = 1900 }; /* SQLite's own limit is 2000 */

/* Number of columns that the study's designs take. */
int gdyn_rows_columns(const gdyn_study *study);
/* SQL that makes the table. Names that differ in case only, or are the same, get a number. */
void gdyn_rows_table(const gdyn_study *study, gdyn_text *sql);
/* SQLite result codes. `all` walks over the designs in the order of their numbers. */
int gdyn_rows_prepare(gdyn_rows *rows, sqlite3 *db, const gdyn_study *study, bool write);
void gdyn_rows_finish(gdyn_rows *rows);
int gdyn_rows_insert(gdyn_rows *rows, const gdyn_design *design);
/* SQLITE_ROW: the design is filled; SQLITE_DONE: there is none; SQLITE_CORRUPT: not such a row, or
 * its checksum differs. */
int gdyn_rows_find(gdyn_rows *rows, gdyn_design *design);
/* The next design of the walk, likewise. */
int gdyn_rows_next(gdyn_rows *rows, gdyn_design *design);

/* Rows whose values do not give their checksum. */
typedef struct gdyn_damage {
    long count;
    gdyn_text ids; /* "17, 30", at most ten of them; to be freed */
} gdyn_damage;

/* Reads every row; SQLITE_DONE when all could be read. `delete_row` (its parameter is the id) is run for
 * each damaged row; or NULL. */
int gdyn_rows_find_damage(gdyn_rows *rows, sqlite3_stmt *delete_row, gdyn_damage *damage);

#endif
