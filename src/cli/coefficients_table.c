/* coefficients_table.c - reads a file of coefficients row by row; what is wrong is told with its
 * place. */
#include "cli/coefficients_table.h"

#include "base/memory.h"
#include "casefile/column.h"
#include "path/path.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS_MAX = GDYN_TABLE_FIELDS_MAX };
#define COLUMNS "columns are p,drive,A,B,C,D,min,max,V1,...,Vr and, if wanted, rate"
static const char *const column_name[GDYN_TABLE_FIXED] = {"p", "drive", "A",   "B",
                                                          "C", "D",     "min", "max"};

typedef struct field {
    const char *text; /* into the line, not terminated */
    int length, column;
} field;

static int refuse(const gdyn_row_table *t, int column, int width, const char *help,
                  const char *message) {
    gdyn_sink console = gdyn_console_sink();
    gdyn_diag diag = {.severity = GDYN_ERROR,
                      .path = "",
                      .message = message,
                      .help = help,
                      .file = t->filename,
                      .line = t->line,
                      .column = column,
                      .width = width,
                      .source = t->line_text};
    console.emit(console.context, &diag);
    return GDYN_EXIT_CASE;
}

/* `format` holds one %s for the field's text. */
static int refuse_field(const gdyn_row_table *t, const field *f, const char *help,
                        const char *format) {
    gdyn_text message = {0};
    for (const char *at = format; *at; at++) {
        if (at[0] == '%' && at[1] == 's') {
            gdyn_text_append(&message, f->text, f->length < 60 ? (size_t)f->length : 60);
            at++;
        } else {
            gdyn_text_append(&message, at, 1);
        }
    }
    int code = refuse(t, f->column, f->length > 0 ? f->length : 1, help,
                      message.data ? message.data : "wrong field");
    gdyn_text_free(&message);
    return code;
}

static int read_all(gdyn_row_table *t) {
    FILE *file = fopen(t->filename, "rb");
    gdyn_text text = {0};
    char chunk[65536];
    size_t got;
    if (!file) {
        gdyn_cli_error("cannot read '%s': %s", t->filename, strerror(errno));
        return GDYN_EXIT_FILE;
    }
    while ((got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        gdyn_text_append(&text, chunk, got);
    }
    bool good = !ferror(file);
    fclose(file);
    if (!good || text.failed) {
        gdyn_cli_error("cannot read '%s': %s", t->filename,
                       good ? "out of memory" : strerror(errno));
        gdyn_text_free(&text);
        return GDYN_EXIT_FILE;
    }
    gdyn_text_append(&text, "", 0);
    t->text = text.data;
    if (t->text && strlen(t->text) != text.length) {
        gdyn_cli_error("'%s' is not a text file: it holds zero bytes", t->filename);
        return GDYN_EXIT_CASE;
    }
    return t->text ? GDYN_EXIT_YES : GDYN_EXIT_INTERNAL;
}

/* Takes a line apart at its commas; blanks and double quotes around fields are left out. Returns the
 * number of fields, at most FIELDS_MAX + 1. */
static int split(const char *line, field *out) {
    int count = 0;
    for (const char *at = line;; at++) {
        const char *end = at + strcspn(at, ","), *from = at, *to;
        if (at[strspn(at, " \t")] == '"' && strchr(at + strspn(at, " \t") + 1, '"')) {
            from = at + strspn(at, " \t") + 1;
            to = strchr(from, '"');
            end = to + strcspn(to, ",");
        } else {
            from += strspn(at, " \t");
            to = end;
            while (to > from && strchr(" \t\r", to[-1])) {
                to--;
            }
        }
        if (count < FIELDS_MAX) {
            out[count] = (field){from, to > from ? (int)(to - from) : 0, (int)(from - line) + 1};
        }
        if (++count > FIELDS_MAX || !*end) {
            return count;
        }
        at = end;
    }
}

/* Number k of a column "Vk", 0 when it is none. */
static int free_number(const char *name) {
    if (strlen(name) < 2 || strlen(name) > 4 || (name[0] != 'V' && name[0] != 'v')) {
        return 0;
    }
    char *end;
    long k = strtol(name + 1, &end, 10);
    return *end || k < 1 || k > GDYN_TABLE_FREE_MAX ? 0 : (int)k;
}

/* --- heads ------------------------------------------------------------------------------------ */

/* What A, B, C, D, min, max and rate are: forces times these powers of p and of the time. */
static const struct {
    int p, s;
} powers[GDYN_TABLE_FIXED + 1] = {
    [GDYN_COLUMN_A] = {-2, 2},
    [GDYN_COLUMN_B] = {-1, 1},
    [GDYN_COLUMN_D] = {-1, 2},
    [GDYN_TABLE_FIXED] = {0, -1}, /* rate */
};

/* Takes a unit of a column of forces; the first one that states a force decides whether it is N or N m. */
static int check_force(gdyn_row_table *t, const field *f, const gdyn_column *head, int column) {
    gdyn_column_trouble trouble;
    gdyn_dimension p = t->p_dimension, force = head->dimension, wanted;
    force.m = (signed char)(force.m - powers[column].p * p.m);
    force.kg = (signed char)(force.kg - powers[column].p * p.kg);
    force.s = (signed char)(force.s - powers[column].p * p.s - powers[column].s);
    if (!head->stated) {
        return GDYN_EXIT_YES;
    }
    bool any =
        gdyn_dimension_fits(force, GDYN_DIM_FORCE) || gdyn_dimension_fits(force, GDYN_DIM_TORQUE);
    if (!t->force_dimension.known && any) {
        t->force_dimension = force;
    }
    if (gdyn_dimension_fits(force, any ? t->force_dimension : GDYN_DIM_FORCE)) {
        return GDYN_EXIT_YES;
    }
    wanted = t->force_dimension.known ? t->force_dimension : GDYN_DIM_FORCE;
    wanted.m = (signed char)(wanted.m + powers[column].p * p.m);
    wanted.kg = (signed char)(wanted.kg + powers[column].p * p.kg);
    wanted.s = (signed char)(wanted.s + powers[column].p * p.s + powers[column].s);
    gdyn_column_fits(head, wanted, "this coefficient", &trouble);
    return refuse(t, f->column, f->length, trouble.help[0] ? trouble.help : NULL, trouble.message);
}

/* p first: the units of the others depend on it; then plain forces. */
static int check_units(gdyn_row_table *t, const field *f, const gdyn_column *head) {
    static const int order[] = {GDYN_COLUMN_MIN, GDYN_COLUMN_MAX, GDYN_COLUMN_C, GDYN_TABLE_FIXED,
                                GDYN_COLUMN_A,   GDYN_COLUMN_B,   GDYN_COLUMN_D};
    int p = t->fixed[GDYN_COLUMN_P], code = GDYN_EXIT_YES;
    t->p_dimension = head[p].stated ? head[p].dimension : GDYN_DIM_NONE;
    t->force_dimension = GDYN_DIM_UNKNOWN;
    if (!gdyn_path_dimension_allowed(t->p_dimension)) {
        return refuse_field(t, &f[p], "p is a length, an angle, a time or a pure number",
                            "the unit of '%s' does not fit");
    }
    for (size_t i = 0; i < sizeof order / sizeof *order && code == GDYN_EXIT_YES; i++) {
        int at = order[i] < GDYN_TABLE_FIXED ? t->fixed[order[i]] : t->rate;
        code = at >= 0 ? check_force(t, &f[at], &head[at], order[i]) : code;
    }
    return code;
}

static int read_header(gdyn_row_table *t, const field *f, int count) {
    gdyn_column head[FIELDS_MAX];
    gdyn_column_trouble trouble;
    for (int i = 0; i < GDYN_TABLE_FIXED; i++) {
        t->fixed[i] = -1;
    }
    for (int i = 0; i < GDYN_TABLE_FREE_MAX; i++) {
        t->free[i] = -1;
    }
    t->fields = count;
    t->rate = -1;
    for (int i = 0; i < count; i++) {
        int *place = NULL;
        if (!gdyn_column_read(f[i].text, (size_t)f[i].length, &head[i], &trouble)) {
            return refuse(t, f[i].column, f[i].length, trouble.help, trouble.message);
        }
        t->factor[i] = head[i].factor;
        for (int k = 0; k < GDYN_TABLE_FIXED && !place; k++) {
            place = !strcmp(head[i].name, column_name[k]) ? &t->fixed[k] : NULL;
        }
        place = !place && !strcmp(head[i].name, "rate") ? &t->rate : place;
        int number = free_number(head[i].name);
        if (!place && number > 0) {
            place = &t->free[number - 1];
            t->r = number > t->r ? number : t->r;
        }
        if (!place || *place >= 0) {
            return refuse_field(t, &f[i], COLUMNS,
                                place ? "column '%s' stands twice" : "unknown column '%s'");
        }
        *place = i;
    }
    for (int i = 0; i < GDYN_TABLE_FIXED + t->r; i++) {
        char missing[32];
        if (i < GDYN_TABLE_FIXED) {
            snprintf(missing, sizeof missing, "column '%s' is missing", column_name[i]);
        } else {
            snprintf(missing, sizeof missing, "column 'V%d' is missing", i - GDYN_TABLE_FIXED + 1);
        }
        if ((i < GDYN_TABLE_FIXED ? t->fixed[i] : t->free[i - GDYN_TABLE_FIXED]) < 0) {
            return refuse(t, 1, 1, COLUMNS, missing);
        }
    }
    return check_units(t, f, head);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* A number; `open` is what an empty field means (NAN: it must not be empty). */
static int read_number(const gdyn_row_table *t, const field *row, int at, double open,
                       double *value) {
    const field *f = &row[at];
    char digits[64], *end;
    if (f->length == 0 && !isnan(open)) {
        *value = open;
        return GDYN_EXIT_YES;
    }
    snprintf(digits, sizeof digits, "%.*s", f->length < 63 ? f->length : 63, f->text);
    *value = strtod(digits, &end);
    if (f->length == 0 || f->length > 63 || *end || isnan(*value)) {
        return refuse_field(t, f, NULL, f->length ? "'%s' is not a number" : "a number is missing");
    }
    if (isinf(*value) && isnan(open)) {
        return refuse_field(t, f, "only min and max may be infinite", "'%s' is not finite");
    }
    *value *= t->factor[at];
    return GDYN_EXIT_YES;
}

static int check_row(const gdyn_row_table *t, const gdyn_table_row *now, const field *f) {
    const gdyn_table_row *before = t->count > 0 ? &t->row[t->count - 1] : NULL;
    if (now->number[GDYN_COLUMN_MIN] > now->number[GDYN_COLUMN_MAX]) {
        return refuse_field(t, &f[t->fixed[GDYN_COLUMN_MIN]], NULL, "min is greater than max");
    }
    if (isinf(now->number[GDYN_COLUMN_MIN]) && now->number[GDYN_COLUMN_MIN] > 0) {
        return refuse_field(t, &f[t->fixed[GDYN_COLUMN_MIN]], NULL,
                            "min cannot be infinite upwards");
    }
    if (isinf(now->number[GDYN_COLUMN_MAX]) && now->number[GDYN_COLUMN_MAX] < 0) {
        return refuse_field(t, &f[t->fixed[GDYN_COLUMN_MAX]], NULL,
                            "max cannot be infinite downwards");
    }
    if (before && now->p < before->p) {
        return refuse_field(t, &f[t->fixed[GDYN_COLUMN_P]], "sort the rows by p",
                            "p = %s is less than in the row before");
    }
    return GDYN_EXIT_YES;
}

static int add_row(gdyn_row_table *t, const field *f, int count) {
    gdyn_table_row now = {.line = t->line};
    int code = GDYN_EXIT_YES;
    if (count != t->fields) {
        char message[80];
        snprintf(message, sizeof message, "%d fields where the header has %d", count, t->fields);
        return refuse(t, 1, 1, NULL, message);
    }
    for (int i = 0; i < GDYN_TABLE_FIXED && code == GDYN_EXIT_YES; i++) {
        double open = i == GDYN_COLUMN_MIN ? -INFINITY : i == GDYN_COLUMN_MAX ? INFINITY : NAN;
        if (i != GDYN_COLUMN_DRIVE) {
            code = read_number(t, f, t->fixed[i], open, &now.number[i]);
        }
    }
    for (int i = 0; i < t->r && code == GDYN_EXIT_YES; i++) {
        code = read_number(t, f, t->free[i], NAN, &now.v[i]);
    }
    now.rate = INFINITY;
    if (t->rate >= 0 && code == GDYN_EXIT_YES) {
        code = read_number(t, f, t->rate, INFINITY, &now.rate);
        if (code == GDYN_EXIT_YES && !(now.rate > 0)) {
            code = refuse_field(t, &f[t->rate], NULL, "a rate must be positive");
        }
    }
    now.p = now.number[GDYN_COLUMN_P];
    if (code == GDYN_EXIT_YES) {
        code = check_row(t, &now, f);
    }
    const field *drive = &f[t->fixed[GDYN_COLUMN_DRIVE]];
    if (code == GDYN_EXIT_YES && drive->length == 0) {
        code = refuse_field(t, drive, NULL, "the drive has no name");
    }
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    if (t->count == t->capacity) {
        int capacity = t->capacity ? 2 * t->capacity : 256;
        gdyn_table_row *grown = gdyn_realloc(t->row, (size_t)capacity, sizeof *grown);
        if (!grown) {
            return GDYN_EXIT_INTERNAL;
        }
        t->row = grown;
        t->capacity = capacity;
    }
    now.drive = gdyn_alloc((size_t)drive->length + 1, 1);
    if (!now.drive) {
        return GDYN_EXIT_INTERNAL;
    }
    memcpy(now.drive, drive->text, (size_t)drive->length);
    t->row[t->count++] = now;
    return GDYN_EXIT_YES;
}

static int read_lines(gdyn_row_table *t) {
    char *next = t->text;
    bool header = false;
    int code = GDYN_EXIT_YES;
    if (!strncmp(next, "\xEF\xBB\xBF", 3)) {
        next += 3;
    }
    while (next && code == GDYN_EXIT_YES) {
        field f[FIELDS_MAX];
        t->line++;
        t->line_text = next;
        char *newline = strchr(next, '\n');
        if (newline) {
            *newline = '\0';
            newline[newline > next && newline[-1] == '\r' ? -1 : 0] = '\0';
        }
        next = newline ? newline + 1 : NULL;
        if (t->line_text[0] == '#' || !t->line_text[strspn(t->line_text, " \t\r")]) {
            continue;
        }
        int count = split(t->line_text, f);
        if (count > FIELDS_MAX) {
            code = refuse(t, 1, 1, NULL, "too many fields in one line");
        } else if (!header) {
            code = read_header(t, f, count);
            header = true;
        } else {
            code = add_row(t, f, count);
        }
    }
    if (code == GDYN_EXIT_YES && t->count == 0) {
        gdyn_cli_error("'%s' holds no rows", t->filename);
        code = GDYN_EXIT_CASE;
    }
    return code;
}

int gdyn_table_read(gdyn_row_table *t) {
    int code = read_all(t);
    return code == GDYN_EXIT_YES ? read_lines(t) : code;
}

void gdyn_table_free(gdyn_row_table *t) {
    for (int i = 0; i < t->count; i++) {
        gdyn_free(t->row[i].drive);
    }
    gdyn_free(t->row);
    gdyn_free(t->text);
}
