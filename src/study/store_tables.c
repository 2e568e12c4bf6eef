/* store_tables.c - the tables of a new study file, and the names of what it holds. */
#include "study/archive.h"

#include <stdarg.h>

static const char tables[] =
    "PRAGMA application_id = %d;"
    "PRAGMA user_version = %d;"
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);"
    "CREATE TABLE variable (place INTEGER PRIMARY KEY, name TEXT, min REAL, max REAL, start REAL);"
    "CREATE TABLE response (place INTEGER PRIMARY KEY, name TEXT, unit TEXT);"
    "CREATE TABLE objective (place INTEGER PRIMARY KEY, name TEXT, goal TEXT, formula TEXT);"
    "CREATE TABLE requirement (place INTEGER PRIMARY KEY, name TEXT, formula TEXT);"
    "CREATE TABLE joint (place INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE generation (number INTEGER PRIMARY KEY, evaluations INTEGER, population INTEGER,"
    " feasible INTEGER, front INTEGER, hypervolume REAL, reference_moved INTEGER, ok INTEGER,"
    " infeasible INTEGER, closed_region INTEGER, singular INTEGER, unassembled INTEGER,"
    " failed INTEGER);";

/* Appends " INSERT INTO table VALUES (place, text...);" with SQL's quoting. */
static void insert_names(gdyn_text *sql, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *line = sqlite3_vmprintf(format, args);
    va_end(args);
    if (line)
        gdyn_text_printf(sql, "%s", line);
    else
        sql->failed = true;
    sqlite3_free(line);
}

/* Names, bounds, units and formulas, so that the file can be read without this program. */
static void describe(const gdyn_study *s, gdyn_text *sql) {
    const gdyn_instance *start = s->start;
    for (int i = 0; i < s->variables; i++)
        insert_names(sql, "INSERT INTO variable VALUES (%d, %Q, %!.17g, %!.17g, %!.17g);", i,
                     start->design[i].name, start->design[i].min, start->design[i].max,
                     s->x_start[i]);
    for (int i = 0; i < s->responses; i++)
        insert_names(sql, "INSERT INTO response VALUES (%d, %Q, %Q);", i, s->name[i],
                     gdyn_study_response_unit(s, i));
    for (int i = 0; i < start->objective_count; i++)
        insert_names(
            sql, "INSERT INTO objective VALUES (%d, %Q, %Q, %Q);", i, start->objective[i].name,
            start->objective[i].maximize ? "maximize" : "minimize", start->objective[i].text);
    for (int i = 0; i < start->requirement_count; i++)
        insert_names(sql, "INSERT INTO requirement VALUES (%d, %Q, %Q);", i,
                     start->requirement[i].name, start->requirement[i].text);
    for (int i = 0; i < gdyn_study_joints(s); i++)
        insert_names(sql, "INSERT INTO joint VALUES (%d, %Q);", i,
                     gdyn_model_joint(start->model, i)->name);
}

void gdyn_store_tables(const gdyn_study *s, gdyn_text *sql) {
    gdyn_text_printf(sql, tables, GDYN_DATABASE_ID, GDYN_DATABASE_FORMAT);
    gdyn_rows_table(s, sql);
    describe(s, sql);
}
