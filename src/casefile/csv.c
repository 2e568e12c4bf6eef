/* csv.c - the table of a path: a header with the names of the coordinates, then rows of numbers. */
#include "casefile/column.h"
#include "casefile/trajectory.h"
#include "casefile/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_P = GDYN_PATH_COORDINATES, MOST_COLUMNS = 16, MOST_LINES = 200000 };

typedef struct table {
    gdyn_reader *r;
    const gdyn_document *source;
    gdyn_node *where; /* the file's name or the text in the case */
    const char *name; /* for messages */
    char separator;
    int columns;
    int meaning[MOST_COLUMNS]; /* coordinate of each column, or COLUMN_P */
    double factor[MOST_COLUMNS];
    gdyn_dimension p_dimension;
    bool failed;
} table;

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

static void complain(table *t, int line, const char *at, const char *help, const char *message) {
    const char *start = t->source->text + t->source->line_start[line - 1];
    gdyn_log_place(t->r->log, t->source, line, (int)(at - start) + 1, 1, help, "%s", message);
    t->failed = true;
    if (t->r->checking)
        t->where->bad = true;
}

/* --- header --------------------------------------------------------------------------------------- */

static int meaning_of(const gdyn_reader *r, const char *name) {
    static const struct {
        const char *name;
        int coordinate;
    } names[] = {{"p", COLUMN_P},    {"x", GDYN_PATH_X},    {"y", GDYN_PATH_Y},
                 {"z", GDYN_PATH_Z}, {"a", GDYN_PATH_A},    {"b", GDYN_PATH_B},
                 {"c", GDYN_PATH_C}, {"angle", GDYN_PATH_C}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0) {
            bool planar = strchr("zab", name[0]) == NULL || strcmp(name, "angle") == 0;
            return r->space == GDYN_PLANAR && !planar ? -1 : names[i].coordinate;
        }
    return -1;
}

/* "x of the path"; p is a length, an angle, a time, or has no unit. */
static bool check_unit(table *t, int line, const char *at, const gdyn_column *column, int meaning) {
    gdyn_column_trouble trouble;
    gdyn_dimension wanted = meaning <= GDYN_PATH_Z ? GDYN_DIM_LENGTH : GDYN_DIM_NONE;
    if (meaning == COLUMN_P) {
        t->p_dimension = wanted = column->dimension;
        if (!gdyn_path_dimension_allowed(wanted)) {
            complain(t, line, at, "p is a length, an angle, a time or a pure number",
                     "the unit of column 'p' does not fit");
            return false;
        }
    }
    if (gdyn_column_fits(column, wanted, "this coordinate", &trouble))
        return true;
    complain(t, line, at, trouble.help[0] ? gdyn_log_help(t->r->log, "%s", trouble.help) : NULL,
             trouble.message);
    return false;
}

/* Reads one head, a name with or without a unit; returns what follows. */
static const char *read_name(table *t, int line, const char *at) {
    gdyn_column column;
    gdyn_column_trouble trouble;
    const char separators[] = {t->separator, '\r', '\n', '\0'}, *start = skip_blanks(at);
    const char *end = start + strcspn(start, separators);
    if (!gdyn_column_read(start, (size_t)(end - start), &column, &trouble)) {
        complain(t, line, start, gdyn_log_help(t->r->log, "%s", trouble.help), trouble.message);
        return end;
    }
    int meaning = meaning_of(t->r, column.name);
    if (meaning < 0) {
        complain(t, line, start,
                 t->r->space == GDYN_PLANAR ? "columns: p, x, y, angle"
                                            : "columns: p, x, y, z, a, b, c",
                 "unknown column");
        return end;
    }
    for (int i = 0; i < t->columns; i++)
        if (t->meaning[i] == meaning)
            complain(t, line, start, NULL, "this column stands twice");
    if (!check_unit(t, line, start, &column, meaning))
        return end;
    t->meaning[t->columns] = meaning;
    t->factor[t->columns] = column.factor;
    t->columns++;
    return end;
}

static void read_header(table *t, int line) {
    const char *at = t->source->text + t->source->line_start[line - 1];
    size_t end = strcspn(at, "\r\n");
    t->separator = memchr(at, ';', end) ? ';' : ',';
    for (;;) {
        if (t->columns == MOST_COLUMNS) {
            complain(t, line, at, NULL, "too many columns");
            return;
        }
        at = read_name(t, line, at);
        if (t->failed)
            return;
        if (*at != t->separator)
            break;
        at++;
    }
    if (*at && *at != '\n' && *at != '\r')
        complain(t, line, at, NULL, "expected a comma");
}

/* --- rows --------------------------------------------------------------------------------------------- */

static void read_row(table *t, int line, gdyn_csv *csv) {
    const char *at = t->source->text + t->source->line_start[line - 1];
    double *row = csv->table + (size_t)csv->rows * GDYN_PATH_COORDINATES;
    for (int i = 0; i < t->columns; i++) {
        at = skip_blanks(at);
        char *end = NULL;
        double value = *at == '\n' || *at == '\r' ? NAN : strtod(at, &end);
        if (!end || end == at || !isfinite(value)) {
            complain(t, line, at, NULL, "expected a number");
            return;
        }
        if (t->meaning[i] == COLUMN_P)
            csv->p[csv->rows] = value * t->factor[i];
        else
            row[t->meaning[i]] = value * t->factor[i];
        at = skip_blanks(end);
        if (i + 1 < t->columns && *at != t->separator) {
            complain(t, line, at, NULL, "this row has too few columns");
            return;
        }
        at += i + 1 < t->columns;
    }
    if (*at && *at != '\n' && *at != '\r')
        complain(t, line, at, NULL, "this row has too many columns");
    if (csv->p && csv->rows > 0 && csv->p[csv->rows] <= csv->p[csv->rows - 1])
        complain(t, line, at, NULL, "p must grow from row to row");
    csv->rows++;
}

static bool nothing_in(const table *t, int line) {
    const char *at = skip_blanks(t->source->text + t->source->line_start[line - 1]);
    return *at == '\0' || *at == '\n' || *at == '\r' || *at == '#';
}

static gdyn_csv *read_table(table *t) {
    gdyn_arena *arena = t->r->the_case->arena;
    int line = 1;
    if (t->source->lines > MOST_LINES) {
        gdyn_read_error(t->r, t->where, NULL, "'%.200s' has more than %d lines", t->name,
                        MOST_LINES);
        return NULL;
    }
    while (line <= t->source->lines && nothing_in(t, line))
        line++;
    if (line > t->source->lines) {
        gdyn_read_error(t->r, t->where, NULL, "'%.200s' is empty", t->name);
        return NULL;
    }
    read_header(t, line);
    gdyn_csv *csv = gdyn_arena_alloc(arena, 1, sizeof *csv);
    size_t most = (size_t)(t->source->lines - line + 1);
    if (t->failed || !csv)
        return NULL;
    csv->table = gdyn_arena_alloc(arena, most * GDYN_PATH_COORDINATES, sizeof *csv->table);
    if (!csv->table)
        return NULL;
    for (size_t i = 0; i < most * GDYN_PATH_COORDINATES; i++)
        csv->table[i] = NAN;
    for (int i = 0; i < t->columns; i++)
        if (t->meaning[i] == COLUMN_P) {
            csv->p = gdyn_arena_alloc(arena, most, sizeof *csv->p);
            if (!csv->p)
                return NULL;
            csv->p_dimension = t->p_dimension;
        } else
            csv->column[t->meaning[i]] = true;
    for (line++; line <= t->source->lines && !t->failed; line++)
        if (!nothing_in(t, line))
            read_row(t, line, csv);
    if (!t->failed && csv->rows < 2)
        gdyn_read_error(t->r, t->where, NULL, "'%.200s' has fewer than two rows", t->name);
    return t->failed || csv->rows < 2 ? NULL : csv;
}

/* Reads a source and keeps its table with the case. */
static const gdyn_csv *keep_table(gdyn_reader *r, gdyn_node *where, const gdyn_document *source,
                                  const char *name, const char *text) {
    gdyn_case *c = r->the_case;
    table t = {.r = r, .source = source, .where = where, .name = text ? "data" : where->text};
    gdyn_csv *csv = read_table(&t);
    if (!csv)
        return NULL;
    csv->name = name;
    csv->text = text;
    csv->next = c->csv;
    c->csv = csv;
    return csv;
}

const gdyn_csv *gdyn_read_csv(gdyn_reader *r, gdyn_node *name) {
    gdyn_case *c = r->the_case;
    if (name->bad || (r->checking && !r->space_known))
        return NULL;
    const char *path = gdyn_document_beside(r->arena, name->source->name, name->text);
    for (const gdyn_csv *csv = c->csv; csv && path; csv = csv->next)
        if (csv->name && strcmp(csv->name, path) == 0)
            return csv;
    if (!r->checking || !path)
        return NULL;
    char message[300];
    gdyn_document *source = NULL;
    if (gdyn_document_from_file(c->arena, path, GDYN_LIMIT_BYTES, &source, message,
                                sizeof message) != GDYN_OK) {
        gdyn_read_error(r, name, NULL, "'%.200s': %s", name->text, message);
        return NULL;
    }
    const char *kept = gdyn_arena_strdup(c->arena, path);
    return kept ? keep_table(r, name, source, kept, NULL) : NULL;
}

const gdyn_csv *gdyn_read_csv_text(gdyn_reader *r, gdyn_node *node) {
    gdyn_case *c = r->the_case;
    if (node->bad || node->kind != GDYN_NODE_SCALAR || (r->checking && !r->space_known))
        return NULL;
    for (const gdyn_csv *csv = c->csv; csv; csv = csv->next)
        if (csv->text == node->text)
            return csv;
    if (!r->checking)
        return NULL;
    const char *name =
        gdyn_arena_printf(c->arena, "%s (data of line %d)", node->source->name, node->line);
    const gdyn_document *source =
        name ? gdyn_document_from_text(c->arena, name, node->text, strlen(node->text)) : NULL;
    return source ? keep_table(r, node, source, NULL, node->text) : NULL;
}
