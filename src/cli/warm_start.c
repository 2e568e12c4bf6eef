/* warm_start.c - designs to begin a search with, from a CSV file such as the front of another study:
 * a header, then a row per design; columns NAME or design.NAME for every variable, in SI units or in the
 * unit that the header states ("leg [mm]"). Other columns are passed over. */
#include "cli/archive.h"

#include "base/memory.h"
#include "casefile/column.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 4096, MOST_DESIGNS = 1 << 20 };

typedef struct reader {
    const char *filename;
    const gdyn_instance *start;
    FILE *file;
    char *line; /* of getline */
    size_t room;
    int number;     /* of the line */
    int *meaning;   /* MOST_COLUMNS: variable of a column, or -1 */
    double *factor; /* MOST_COLUMNS: to SI */
    int columns;
    double *x;
    int count, capacity;
} reader;

static int complain(const reader *r, const char *message, const char *what) {
    if (r->number > 0)
        gdyn_cli_error("%s:%d: %s%s", r->filename, r->number, message, what);
    else
        gdyn_cli_error("%s: %s%s", r->filename, message, what);
    return GDYN_EXIT_FILE;
}

/* Takes the next field off the line, without blanks and quotes around it; NULL at the end. */
static char *next_field(char **rest) {
    char *field = *rest;
    if (!field)
        return NULL;
    char *end = field + strcspn(field, ",;\r\n");
    *rest = *end == ',' || *end == ';' ? end + 1 : NULL;
    *end = '\0';
    field += strspn(field, " \t\"");
    size_t length = strlen(field);
    while (length > 0 && strchr(" \t\"", field[length - 1]))
        field[--length] = '\0';
    return field;
}

static bool read_line(reader *r) {
    do {
        if (getline(&r->line, &r->room, r->file) < 0)
            return false;
        r->number++;
    } while (r->line[strspn(r->line, " \t\r\n")] == '\0' || r->line[0] == '#');
    return true;
}

static int find_variable(const gdyn_instance *start, const char *name) {
    if (strncmp(name, "design.", 7) == 0)
        name += 7;
    for (int i = 0; i < start->design_count; i++)
        if (strcmp(start->design[i].name, name) == 0)
            return i;
    return -1;
}

/* Takes the head of a column over. A choice is told by its number, which has no unit. */
static int take_head(reader *r, const char *field) {
    gdyn_column head;
    gdyn_column_trouble trouble;
    char what[128];
    bool read = gdyn_column_read(field, strlen(field), &head, &trouble);
    int i = find_variable(r->start, head.name);
    r->meaning[r->columns] = i;
    r->factor[r->columns++] = head.factor;
    if (i < 0)
        return GDYN_EXIT_YES;
    const gdyn_design_variable *v = &r->start->design[i];
    snprintf(what, sizeof what, "the design variable %.60s%s", v->name,
             v->choices > 0 ? ", the number of a choice," : "");
    if (read &&
        gdyn_column_fits(&head, v->choices > 0 ? GDYN_DIM_NONE : v->dimension, what, &trouble))
        return GDYN_EXIT_YES;
    complain(r, trouble.message, "");
    gdyn_cli_help(trouble.help);
    return GDYN_EXIT_FILE;
}

static int read_header(reader *r) {
    if (!read_line(r))
        return complain(r, "the file is empty", "");
    char *rest = r->line + (strncmp(r->line, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    for (char *field; (field = next_field(&rest));) {
        if (r->columns == MOST_COLUMNS)
            return complain(r, "there are too many columns", "");
        int code = take_head(r, field);
        if (code != GDYN_EXIT_YES)
            return code;
    }
    for (int i = 0; i < r->start->design_count; i++) {
        int columns = 0;
        for (int c = 0; c < r->columns; c++)
            columns += r->meaning[c] == i;
        if (columns != 1)
            return complain(r,
                            columns ? "two columns for the design variable "
                                    : "no column for the design variable ",
                            r->start->design[i].name);
    }
    return GDYN_EXIT_YES;
}

static bool make_room(reader *r) {
    if (r->count < r->capacity)
        return true;
    int capacity = r->capacity ? 2 * r->capacity : 64;
    size_t n = (size_t)r->start->design_count;
    double *grown = gdyn_realloc(r->x, n * (size_t)capacity, sizeof *grown);
    if (grown)
        r->x = grown, r->capacity = capacity;
    return grown != NULL;
}

static int read_design(reader *r) {
    if (r->count == MOST_DESIGNS || !make_room(r))
        return complain(r, "there are too many designs", "");
    double *x = r->x + (size_t)r->count++ * (size_t)r->start->design_count;
    char *rest = r->line;
    for (int c = 0; c < r->columns; c++) {
        const char *field = next_field(&rest);
        if (r->meaning[c] < 0)
            continue;
        const char *name = r->start->design[r->meaning[c]].name;
        char *end;
        double value = field && *field ? strtod(field, &end) : NAN;
        if (!field || !*field || *end || !isfinite(value))
            return complain(r, "no number for the design variable ", name);
        x[r->meaning[c]] = value * r->factor[c];
    }
    return GDYN_EXIT_YES;
}

static int read_file(reader *r) {
    int code = read_header(r);
    while (code == GDYN_EXIT_YES && read_line(r))
        code = read_design(r);
    if (code == GDYN_EXIT_YES && ferror(r->file))
        return complain(r, "the file cannot be read", "");
    if (code == GDYN_EXIT_YES && r->count == 0)
        return complain(r, "there is no design behind the header", "");
    return code;
}

int gdyn_read_warm_start(const char *filename, const gdyn_instance *start, int *count, double **x) {
    reader r = {.filename = filename, .start = start};
    *count = 0, *x = NULL;
    r.file = fopen(filename, "r");
    if (!r.file)
        return complain(&r, "the file cannot be opened", "");
    r.meaning = gdyn_alloc(MOST_COLUMNS, sizeof *r.meaning);
    r.factor = gdyn_alloc(MOST_COLUMNS, sizeof *r.factor);
    int code = r.meaning && r.factor ? read_file(&r) : GDYN_EXIT_INTERNAL;
    fclose(r.file);
    free(r.line);
    gdyn_free(r.meaning);
    gdyn_free(r.factor);
    if (code == GDYN_EXIT_YES)
        *count = r.count, *x = r.x;
    else
        gdyn_free(r.x);
    return code;
}

/* Every number of every design: another warm start is another search. */
void gdyn_warm_start_key(int count, int variables, const double *x, gdyn_text *key) {
    for (int i = 0; i < count; i++) {
        gdyn_text_printf(key, "warm start:");
        for (int k = 0; k < variables; k++)
            gdyn_text_printf(key, " %.17g", x[i * variables + k]);
        gdyn_text_printf(key, "\n");
    }
}
