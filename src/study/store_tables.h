/* store_tables.h - the tables of a new study file (internal to study). */
#ifndef GDYN_STUDY_STORE_TABLES_H
#define GDYN_STUDY_STORE_TABLES_H

#include "study/study.h"

#include "base/text.h"

/* Appends the SQL that makes all tables, those of names and formulas filled, so that the file can be read without this
 * program. */
void gdyn_store_tables(const gdyn_study *study, gdyn_text *sql);

#endif
