/* rows.c - designs as rows: a number that is not known is NULL; all others keep every bit (SQLite
 * stores doubles as they are; a negative zero never gets here). Each row ends the program's own
 * columns with a checksum of all its other values, in the order of the columns. */
#include "study/archive.h"

#include "base/memory.h"
#include "study/platform.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <stdarg.h>

/* Columns of the program itself. */
enum { ID, STATUS, VIOLATION, FAILURE, EVALUATED, REACTIONS, REASON, SECONDS, CHECKSUM, OWN };
static const char own_columns[] =
    "id INTEGER PRIMARY KEY, status TEXT NOT NULL, violation REAL NOT NULL, failure REAL NOT NULL, "
    "evaluated INTEGER NOT NULL, reactions TEXT, reason TEXT NOT NULL, seconds REAL NOT NULL, "
    "checksum INTEGER NOT NULL";
static const char *const own_names[OWN] = {"id",      "status",    "violation",
                                           "failure", "evaluated", "reactions",
                                           "reason",  "seconds",   "checksum"};

/* Letters of verdicts in `reactions`, one per joint. */
static const char letters[] = "udi";

/* --- the table ---------------------------------------------------------------------------- */

int gdyn_rows_columns(const gdyn_study *s) {
    return OWN + s->variables + s->formulas + s->responses;
}

static void column_name(const gdyn_study *s, int column, gdyn_text *name) {
    const gdyn_instance *start = s->start;
    /* Own columns, variables, objectives, constraints, parameters, criteria. */
    int k = column - OWN;
    if (k < 0)
        gdyn_text_printf(name, "%s", own_names[column]);
    else if (k < s->variables)
        gdyn_text_printf(name, "design.%s", start->design[k].name);
    else if ((k -= s->variables) < start->objective_count)
        gdyn_text_printf(name, "objective.%s", start->objective[k].name);
    else if ((k -= start->objective_count) < start->requirement_count)
        gdyn_text_printf(name, "constraint.%s", start->requirement[k].name);
    else if ((k -= start->requirement_count) < s->parameters)
        gdyn_text_printf(name, "parameter.%s", s->name[k]);
    else
        gdyn_text_printf(name, "%s", s->name[k]);
}

/* SQLite does not tell upper from lower case in names of columns. */
static bool name_taken(gdyn_text *const *names, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (names[i] && names[i]->data && strcasecmp(names[i]->data, name) == 0)
            return true;
    return false;
}

/* A double quote within a name is doubled. */
static void append_column(gdyn_text *sql, const char *name) {
    gdyn_text_printf(sql, ", \"");
    for (; *name; name++)
        gdyn_text_append(sql, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    gdyn_text_printf(sql, "\" REAL");
}

static bool make_name(const gdyn_study *s, int column, gdyn_text **names) {
    gdyn_text *name = names[column] = gdyn_alloc(1, sizeof *name);
    if (!name)
        return false;
    column_name(s, column, name);
    size_t length = name->length;
    /* Names that differ in case only get a number: "Leg", "leg_2". */
    for (int k = 2; name->data && name_taken(names, column, name->data); k++) {
        name->length = length;
        gdyn_text_printf(name, "_%d", k);
    }
    return !name->failed && name->data;
}

void gdyn_rows_table(const gdyn_study *s, gdyn_text *sql) {
    int columns = gdyn_rows_columns(s);
    gdyn_text **names = gdyn_alloc((size_t)columns, sizeof *names);
    sql->failed |= !names;
    gdyn_text_printf(sql, "CREATE TABLE design (%s", own_columns);
    for (int c = 0; names && c < columns; c++)
        if (!make_name(s, c, names))
            sql->failed = true;
        else if (c >= OWN)
            append_column(sql, names[c]->data);
    gdyn_text_printf(sql, ");");
    for (int c = 0; names && c < columns; c++)
        if (names[c]) {
            gdyn_text_free(names[c]);
            gdyn_free(names[c]);
        }
    gdyn_free(names);
}

/* --- statements --------------------------------------------------------------------------- */

static int prepare(sqlite3 *db, const gdyn_text *sql, sqlite3_stmt **statement) {
    if (sql->failed || !sql->data)
        return SQLITE_NOMEM;
    return sqlite3_prepare_v2(db, sql->data, (int)sql->length, statement, NULL);
}

int gdyn_rows_prepare(gdyn_rows *rows, sqlite3 *db, const gdyn_study *study, bool write) {
    *rows = (gdyn_rows){.study = study};
    gdyn_text insert = {0};
    gdyn_text_printf(&insert, "INSERT OR REPLACE INTO design VALUES (?");
    for (int c = 1; c < gdyn_rows_columns(study); c++)
        gdyn_text_printf(&insert, ",?");
    gdyn_text_printf(&insert, ")");
    int code = write ? prepare(db, &insert, &rows->insert) : SQLITE_OK;
    gdyn_text_free(&insert);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, "SELECT * FROM design WHERE id = ?", -1, &rows->select, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(db, "SELECT * FROM design ORDER BY id", -1, &rows->all, NULL);
    return code;
}

void gdyn_rows_finish(gdyn_rows *rows) {
    sqlite3_finalize(rows->insert);
    sqlite3_finalize(rows->select);
    sqlite3_finalize(rows->all);
    *rows = (gdyn_rows){0};
}

/* --- writing ------------------------------------------------------------------------------ */

/* A row on its way into the file: values are bound in the order of the columns. */
typedef struct writer {
    sqlite3_stmt *to;
    int place; /* of the last value; from 1 */
    uint64_t sum;
} writer;

static void put_integer(writer *w, int64_t value) {
    sqlite3_bind_int64(w->to, ++w->place, value);
    gdyn_checksum_integer(&w->sum, value);
}

/* A place that is not bound is NULL. */
static void put_number(writer *w, bool known, double value) {
    ++w->place;
    if (known)
        sqlite3_bind_double(w->to, w->place, value), gdyn_checksum_number(&w->sum, value);
    else
        gdyn_checksum_none(&w->sum);
}

static void put_text(writer *w, const char *text) {
    ++w->place;
    if (text)
        sqlite3_bind_text(w->to, w->place, text, -1, SQLITE_STATIC),
            gdyn_checksum_text(&w->sum, text, strlen(text));
    else
        gdyn_checksum_none(&w->sum);
}

static void put_reactions(writer *w, const gdyn_study *s, const gdyn_design *d, gdyn_text *text) {
    int joints = gdyn_study_joints(s);
    for (int i = 0; i < joints; i++)
        gdyn_text_append(text, &letters[d->joint[i]], 1);
    put_text(w, d->judged && joints > 0 ? text->data : NULL);
}

int gdyn_rows_insert(gdyn_rows *rows, const gdyn_design *d) {
    const gdyn_study *s = rows->study;
    writer w = {rows->insert, 0, GDYN_CHECKSUM_START};
    gdyn_text reactions = {0};
    sqlite3_clear_bindings(w.to);
    put_integer(&w, d->serial);
    put_text(&w, gdyn_design_status_name(d->status));
    put_number(&w, true, d->violation);
    put_number(&w, true, d->failure);
    put_integer(&w, d->evaluated);
    put_reactions(&w, s, d, &reactions);
    put_text(&w, d->reason);
    put_number(&w, true, d->seconds);
    w.place = OWN; /* the checksum is bound last */
    /* Variables, goals and responses; what is not known is NULL. */
    for (int i = 0; i < s->variables; i++)
        put_number(&w, true, d->x[i]);
    for (int i = 0; i < s->start->objective_count; i++)
        put_number(&w, d->evaluated, d->objective[i]);
    for (int i = 0; i < s->start->requirement_count; i++)
        put_number(&w, d->evaluated, d->constraint[i]);
    for (int i = 0; i < s->responses; i++)
        put_number(&w, d->known[i] || isinf(d->response[i]), d->response[i]);
    sqlite3_bind_int64(w.to, CHECKSUM + 1, (int64_t)w.sum);
    int code = reactions.failed ? SQLITE_NOMEM : sqlite3_step(w.to);
    /* A failed step reports its cause at the reset. */
    int reset = sqlite3_reset(w.to);
    gdyn_text_free(&reactions);
    return code == SQLITE_DONE ? SQLITE_OK : reset != SQLITE_OK ? reset : code;
}

/* --- reading ------------------------------------------------------------------------------ */

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

/* A number, NULL (not known) or something else, which spoils the row. */
static double number(sqlite3_stmt *from, int *place, bool *known, bool *whole) {
    int column = (*place)++, type = sqlite3_column_type(from, column);
    *known = type != SQLITE_NULL;
    *whole &= type == SQLITE_NULL || type == SQLITE_FLOAT || type == SQLITE_INTEGER;
    return *known ? sqlite3_column_double(from, column) : 0;
}

/* Statuses are stored by name: their numbers may change with a release. */
static bool read_status(sqlite3_stmt *from, gdyn_design *d) {
    const char *text = (const char *)sqlite3_column_text(from, STATUS);
    for (gdyn_design_status k = 0; text && k < GDYN_DESIGN_STATUSES; k++)
        if (strcmp(gdyn_design_status_name(k), text) == 0) {
            d->status = k;
            return true;
        }
    return false;
}

/* One letter per joint; a file of another machine has another number. */
static bool read_reactions(sqlite3_stmt *from, int joints, gdyn_design *d) {
    const char *text = (const char *)sqlite3_column_text(from, REACTIONS);
    d->judged = text != NULL;
    if (text && (int)strlen(text) != joints)
        return false;
    for (int i = 0; text && i < joints; i++) {
        const char *letter = strchr(letters, text[i]);
        if (!letter)
            return false;
        d->joint[i] = (gdyn_verdict)(letter - letters);
    }
    return true;
}

static bool read_row(const gdyn_study *s, sqlite3_stmt *from, gdyn_design *d) {
    /* A row that is not whole is damage, not data. */
    if (!row_is_intact(from, gdyn_rows_columns(s)) || !read_status(from, d) ||
        !read_reactions(from, gdyn_study_joints(s), d))
        return false;
    d->serial = (long)sqlite3_column_int64(from, ID);
    d->violation = sqlite3_column_double(from, VIOLATION);
    d->failure = sqlite3_column_double(from, FAILURE);
    d->evaluated = sqlite3_column_int(from, EVALUATED);
    d->seconds = sqlite3_column_double(from, SECONDS);
    const char *reason = (const char *)sqlite3_column_text(from, REASON);
    memset(d->reason, 0, sizeof d->reason);
    if (reason)
        strncpy(d->reason, reason, sizeof d->reason - 1);
    /* Variables are always known, objectives and constraints when the design was evaluated. */
    int place = OWN;
    bool known, whole = true;
    for (int i = 0; i < s->variables; i++) {
        d->x[i] = number(from, &place, &known, &whole);
        whole &= known;
    }
    for (int i = 0; i < s->start->objective_count; i++) {
        d->objective[i] = number(from, &place, &known, &whole);
        whole &= known == d->evaluated;
    }
    for (int i = 0; i < s->start->requirement_count; i++) {
        d->constraint[i] = number(from, &place, &known, &whole);
        whole &= known == d->evaluated;
    }
    for (int i = 0; i < s->responses; i++) {
        d->response[i] = number(from, &place, &d->known[i], &whole);
        d->known[i] &= isfinite(d->response[i]);
    }
    return whole;
}

int gdyn_rows_find(gdyn_rows *rows, gdyn_design *design) {
    sqlite3_bind_int64(rows->select, 1, design->serial);
    int code = sqlite3_step(rows->select);
    if (code == SQLITE_ROW && !read_row(rows->study, rows->select, design))
        code = SQLITE_CORRUPT;
    sqlite3_reset(rows->select);
    return code;
}

int gdyn_rows_next(gdyn_rows *rows, gdyn_design *design) {
    int code = sqlite3_step(rows->all);
    if (code == SQLITE_ROW && !read_row(rows->study, rows->all, design))
        code = SQLITE_CORRUPT;
    return code;
}

/* --- damage ------------------------------------------------------------------------------- */

enum { IDS_NAMED = 10 };

/* The statement stands on the row. */
static void note_damaged(sqlite3_stmt *from, gdyn_damage *damage) {
    long id = (long)sqlite3_column_int64(from, ID);
    if (damage->count < IDS_NAMED)
        gdyn_text_printf(&damage->ids, "%s%ld", damage->count ? ", " : "", id);
    else if (damage->count == IDS_NAMED)
        gdyn_text_printf(&damage->ids, ", ...");
    damage->count++;
}

/* Numbers must ascend: a row with a changed id breaks the order. */
int gdyn_rows_find_damage(gdyn_rows *rows, sqlite3_stmt *delete_row, gdyn_damage *damage) {
    int columns = gdyn_rows_columns(rows->study), code;
    long last = -1;
    *damage = (gdyn_damage){0};
    while ((code = sqlite3_step(rows->all)) == SQLITE_ROW) {
        long id = (long)sqlite3_column_int64(rows->all, ID);
        bool intact = id > last && row_is_intact(rows->all, columns);
        last = id;
        if (intact)
            continue;
        note_damaged(rows->all, damage);
        if (!delete_row)
            continue;
        /* A repair removes the row, so that the search evaluates it again. */
        sqlite3_bind_int64(delete_row, 1, id);
        int deleted = sqlite3_step(delete_row);
        sqlite3_reset(delete_row);
        if (deleted != SQLITE_DONE)
            return deleted;
    }
    sqlite3_reset(rows->all);
    return damage->ids.failed ? SQLITE_NOMEM : code;
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
