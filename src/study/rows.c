/* rows.c - designs as rows: a number that is not known is NULL; all others keep every bit (SQLite
 * stores doubles as they are; a negative zero never gets here). Each row ends the program's own
 * columns with a checksum of all its other values, in the order of the columns. */
#include "study/archive.h"

#include "base/memory.h"
#include "study/store.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <stdarg.h>

/* Columns of the program itself. */
enum { ID, STATUS, VIOLATION, FAILURE, EVALUATED, REACTIONS, REASON, SECONDS, CHECKSUM, OWN };
static const struct {
    const char *name, *type;
} own_columns[OWN] = {[ID] = {"id", "INTEGER PRIMARY KEY"},
                      [STATUS] = {"status", "TEXT NOT NULL"},
                      [VIOLATION] = {"violation", "REAL NOT NULL"},
                      [FAILURE] = {"failure", "REAL NOT NULL"},
                      [EVALUATED] = {"evaluated", "INTEGER NOT NULL"},
                      [REACTIONS] = {"reactions", "TEXT"},
                      [REASON] = {"reason", "TEXT NOT NULL"},
                      [SECONDS] = {"seconds", "REAL NOT NULL"},
                      [CHECKSUM] = {"checksum", "INTEGER NOT NULL"}};

/* Letters of verdicts in `reactions`, one per joint. */
static const char letters[] = "udi";

/* --- the table ---------------------------------------------------------------------------- */

int gdyn_rows_columns(const gdyn_study *s) {
    return OWN + s->variables + s->formulas + s->responses;
}

/* SQLite does not tell upper from lower case in names of columns. */
static bool name_taken(const gdyn_text *names, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (names[i].data && strcasecmp(names[i].data, name) == 0)
            return true;
    return false;
}

/* Appends the column's definition: names that differ in case only get a number: "Leg", "leg_2"; a
 * double quote within a name is doubled. */
static void append_column(const gdyn_study *s, int column, gdyn_text *names, gdyn_text *sql) {
    gdyn_text *name = &names[column];
    const gdyn_instance *start = s->start;
    /* Own columns, variables, objectives, constraints, parameters, criteria. */
    int i = column - OWN;
    if (i < 0)
        gdyn_text_printf(name, "%s", own_columns[column].name);
    else if (i < s->variables)
        gdyn_text_printf(name, "design.%s", start->design[i].name);
    else if ((i -= s->variables) < start->objective_count)
        gdyn_text_printf(name, "objective.%s", start->objective[i].name);
    else if ((i -= start->objective_count) < start->requirement_count)
        gdyn_text_printf(name, "constraint.%s", start->requirement[i].name);
    else if ((i -= start->requirement_count) < s->parameters)
        gdyn_text_printf(name, "parameter.%s", s->name[i]);
    else
        gdyn_text_printf(name, "%s", s->name[i]);
    size_t length = name->length;
    for (int k = 2; name->data && name_taken(names, column, name->data); k++) {
        name->length = length;
        gdyn_text_printf(name, "_%d", k);
    }
    sql->failed |= name->failed || !name->data;
    if (column < OWN) {
        gdyn_text_printf(sql, "%s%s %s", column > 0 ? ", " : "", own_columns[column].name,
                         own_columns[column].type);
        return;
    }
    gdyn_text_printf(sql, ", \"");
    for (const char *c = name->data; c && *c; c++)
        gdyn_text_append(sql, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    gdyn_text_printf(sql, "\" REAL");
}

/* --- statements --------------------------------------------------------------------------- */

int gdyn_rows_prepare(gdyn_rows *rows, sqlite3 *db, const gdyn_study *study, bool write) {
    *rows = (gdyn_rows){.study = study};
    gdyn_text insert = {0};
    gdyn_text_printf(&insert, "INSERT OR REPLACE INTO design VALUES (?");
    for (int c = 1; c < gdyn_rows_columns(study); c++)
        gdyn_text_printf(&insert, ",?");
    gdyn_text_printf(&insert, ")");
    int code = write && (insert.failed || !insert.data) ? SQLITE_NOMEM : SQLITE_OK;
    if (write && code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, insert.data, (int)insert.length, &rows->insert, NULL);
    gdyn_text_free(&insert);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, "SELECT * FROM design WHERE id = ?", -1, &rows->select, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, "SELECT * FROM design ORDER BY id", -1, &rows->all, NULL);
    return code;
}

void gdyn_rows_finish(gdyn_rows *rows) {
    sqlite3_finalize(rows->insert), sqlite3_finalize(rows->select);
    sqlite3_finalize(rows->all);
    *rows = (gdyn_rows){0};
}

/* --- a row, value by value ------------------------------------------------------------------ */

/* A row on its way into the file or out of it: values in the order of the columns. */
typedef struct cursor {
    sqlite3_stmt *row;
    bool writes;
    int column;
    uint64_t sum; /* of what was written */
    bool whole;   /* what was read is a design */
} cursor;

static void move_integer(cursor *c, int64_t *value) {
    int column = c->column++;
    if (c->writes) {
        sqlite3_bind_int64(c->row, column + 1, *value);
        gdyn_checksum_integer(&c->sum, *value);
    } else {
        *value = sqlite3_column_int64(c->row, column);
    }
}

/* A number that is not known is NULL; a column that is not bound, too. */
static void move_number(cursor *c, bool *known, double *value) {
    int column = c->column++;
    if (!c->writes) {
        int type = sqlite3_column_type(c->row, column);
        *known = type != SQLITE_NULL;
        *value = *known ? sqlite3_column_double(c->row, column) : 0;
        c->whole &= !*known || type == SQLITE_FLOAT || type == SQLITE_INTEGER;
    } else if (*known) {
        sqlite3_bind_double(c->row, column + 1, *value);
        gdyn_checksum_number(&c->sum, *value);
    } else {
        gdyn_checksum_none(&c->sum);
    }
}

/* NULL: none. */
static void move_text(cursor *c, const char **text) {
    int column = c->column++;
    if (!c->writes) {
        *text = (const char *)sqlite3_column_text(c->row, column);
    } else if (*text) {
        sqlite3_bind_text(c->row, column + 1, *text, -1, SQLITE_TRANSIENT);
        gdyn_checksum_text(&c->sum, *text, strlen(*text));
    } else {
        gdyn_checksum_none(&c->sum);
    }
}

/* Numbers that are known all together, or (`known` of what was read) must be. */
static void move_numbers(cursor *c, int count, bool known, double *value) {
    for (int i = 0; i < count; i++) {
        bool there = known;
        move_number(c, &there, &value[i]);
        c->whole &= there == known;
    }
}

/* One letter per joint; a file of another machine has another number. */
static void move_reactions(cursor *c, const gdyn_study *s, gdyn_design *d) {
    int joints = gdyn_study_joints(s);
    gdyn_text text = {0};
    for (int i = 0; c->writes && i < joints; i++)
        gdyn_text_append(&text, &letters[d->joint[i]], 1);
    const char *word = c->writes && d->judged && joints > 0 ? text.data : NULL;
    move_text(c, &word);
    if (!c->writes) {
        d->judged = word != NULL;
        c->whole &= !word || (int)strlen(word) == joints;
    }
    for (int i = 0; !c->writes && word && c->whole && i < joints; i++) {
        const char *letter = strchr(letters, word[i]);
        c->whole &= letter != NULL;
        d->joint[i] = letter ? (gdyn_verdict)(letter - letters) : 0;
    }
    c->whole &= !text.failed;
    gdyn_text_free(&text);
}

static void move_design(cursor *c, const gdyn_study *s, gdyn_design *d) {
    bool always = true;
    const char *reason = d->reason;
    int64_t serial = d->serial, evaluated = d->evaluated ? 1 + d->difference : 0;
    move_integer(c, &serial);
    /* statuses are stored by name: their numbers may change with a release */
    const char *text = gdyn_design_status_name(d->status);
    move_text(c, &text);
    gdyn_design_status k = 0;
    while (text && k < GDYN_DESIGN_STATUSES && strcmp(gdyn_design_status_name(k), text) != 0)
        k++;
    c->whole &= text && k < GDYN_DESIGN_STATUSES;
    d->status = k;
    move_numbers(c, 1, true, &d->violation), move_numbers(c, 1, true, &d->failure);
    move_integer(c, &evaluated);
    move_reactions(c, s, d);
    move_text(c, &reason);
    move_number(c, &always, &d->seconds);
    c->column++; /* the checksum */
    d->serial = (long)serial, d->evaluated = evaluated > 0;
    d->difference = evaluated > 1;
    if (!c->writes) {
        memset(d->reason, 0, sizeof d->reason);
        strncpy(d->reason, reason ? reason : "", sizeof d->reason - 1);
    }
    move_numbers(c, s->variables, true, d->x);
    move_numbers(c, s->start->objective_count, d->evaluated, d->objective);
    move_numbers(c, s->start->requirement_count, d->evaluated, d->constraint);
    for (int i = 0; i < s->responses; i++) {
        bool there = d->known[i] || isinf(d->response[i]);
        move_number(c, &there, &d->response[i]);
        d->known[i] = there && isfinite(d->response[i]);
    }
}

int gdyn_rows_insert(gdyn_rows *rows, const gdyn_design *design) {
    cursor c = {.row = rows->insert, .writes = true, .sum = GDYN_CHECKSUM_START, .whole = true};
    sqlite3_clear_bindings(c.row);
    /* writing leaves the design as it is */
    move_design(&c, rows->study, (gdyn_design *)design);
    sqlite3_bind_int64(c.row, CHECKSUM + 1, (int64_t)c.sum);
    int code = c.whole ? sqlite3_step(c.row) : SQLITE_NOMEM;
    /* A failed step reports its cause at the reset. */
    int reset = sqlite3_reset(c.row);
    return code == SQLITE_DONE ? SQLITE_OK : reset != SQLITE_OK ? reset : code;
}

/* Whether the row's values give its checksum. */
static bool row_is_intact(sqlite3_stmt *from, int columns) {
    if (sqlite3_column_count(from) != columns ||
        sqlite3_column_type(from, CHECKSUM) != SQLITE_INTEGER)
        return false;
    uint64_t sum = GDYN_CHECKSUM_START;
    /* The types of SQLite decide how a value enters the sum. */
    for (int c = 0; c < columns; c++) {
        if (c == CHECKSUM)
            continue;
        switch (sqlite3_column_type(from, c)) {
        case SQLITE_NULL:
            gdyn_checksum_none(&sum);
            break;
        case SQLITE_INTEGER:
            gdyn_checksum_integer(&sum, sqlite3_column_int64(from, c));
            break;
        case SQLITE_FLOAT:
            gdyn_checksum_number(&sum, sqlite3_column_double(from, c));
            break;
        case SQLITE_TEXT:
            gdyn_checksum_text(&sum, (const char *)sqlite3_column_text(from, c),
                               (size_t)sqlite3_column_bytes(from, c));
            break;
        default:
            return false;
        }
    }
    return sum == (uint64_t)sqlite3_column_int64(from, CHECKSUM);
}

/* A row that is not whole is damage, not data. design: NULL where only that is asked for. */
static bool read_row(const gdyn_study *s, sqlite3_stmt *from, gdyn_design *design) {
    cursor c = {.row = from, .whole = true};
    if (!row_is_intact(from, gdyn_rows_columns(s)))
        return false;
    if (design)
        move_design(&c, s, design);
    return c.whole;
}

int gdyn_rows_find(gdyn_rows *rows, gdyn_design *design) {
    sqlite3_bind_int64(rows->select, 1, design->serial);
    int code = sqlite3_step(rows->select);
    if (code == SQLITE_ROW && !read_row(rows->study, rows->select, design))
        code = SQLITE_CORRUPT;
    sqlite3_reset(rows->select);
    return code;
}

enum { IDS_NAMED = 10 };

int gdyn_rows_next(gdyn_rows *rows, gdyn_design *design, gdyn_damage *damage, bool *good) {
    int code = sqlite3_step(rows->all);
    if (code != SQLITE_ROW)
        return damage->ids.failed ? SQLITE_NOMEM : code;
    /* Numbers must ascend: a row with a changed id breaks the order. */
    long id = (long)sqlite3_column_int64(rows->all, ID);
    *good = id >= damage->next && read_row(rows->study, rows->all, design);
    damage->next = id + 1;
    if (*good)
        return code;
    if (damage->count < IDS_NAMED)
        gdyn_text_printf(&damage->ids, "%s%ld", damage->count ? ", " : "", id);
    else if (damage->count == IDS_NAMED)
        gdyn_text_printf(&damage->ids, ", ...");
    damage->count++;
    return code;
}

/* --- the tables of a new study file, and the names of what it holds. */

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

void gdyn_store_tables(const gdyn_study *s, gdyn_text *sql) {
    gdyn_text_printf(sql, tables, GDYN_DATABASE_ID, GDYN_DATABASE_FORMAT);
    int columns = gdyn_rows_columns(s);
    gdyn_text *names = gdyn_alloc((size_t)columns, sizeof *names);
    sql->failed |= !names;
    gdyn_text_printf(sql, "CREATE TABLE design (");
    for (int c = 0; names && c < columns; c++)
        append_column(s, c, names, sql);
    gdyn_text_printf(sql, ");");
    for (int c = 0; names && c < columns; c++)
        gdyn_text_free(&names[c]);
    gdyn_free(names);
    /* names, bounds, units and formulas, so that the file can be read without this program */
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
