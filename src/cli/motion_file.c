/* motion_file.c - reads t,p or p,d1,d2 in any units; every refusal names file, line and column. */
#include "cli/motion_file.h"

#include "base/memory.h"
#include "casefile/column.h"
#include "cli/cli.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_T, COLUMN_P, COLUMN_D1, COLUMN_D2, COLUMN_BEFORE, COLUMNS };
enum { LINE_MAX_BYTES = 1 << 16 };
static const char *const column_name[COLUMNS] = {"t", "p", "d1", "d2", "d2_before"};

typedef struct reader {
    gdyn_motion_file *m;
    int line;
    int field[COLUMNS]; /* -1: not there */
    double factor[COLUMNS];
    int name;         /* column of the trajectory's name, -1 */
    const char *path; /* the trajectory */
    gdyn_dimension p; /* of its parameter */
} reader;

static bool complain(const gdyn_motion_file *m, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool complain(const gdyn_motion_file *m, int line, const char *format, ...) {
    char message[300];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    gdyn_cli_error("%s:%d: %s", m->filename, line, message);
    return false;
}

/* The next field of a line, its end terminated; NULL behind the last one. */
static char *next_head(char **rest) {
    char *field = *rest;
    if (!field) {
        return NULL;
    }
    char *end = strpbrk(field, ",;");
    *rest = end ? end + 1 : NULL;
    if (end) {
        *end = '\0';
    }
    return field;
}

/* The same without what stands around a number. */
static char *next_field(char **rest) {
    char *field = next_head(rest);
    if (field) {
        field += strspn(field, " \t\"");
        field[strcspn(field, " \t\r\n\"")] = '\0';
    }
    return field;
}

/* t is a time, p what the path says, d1 and d2 its changes in time. */
static gdyn_dimension dimension_of(const reader *r, int column) {
    gdyn_dimension wanted = column == COLUMN_T ? GDYN_DIM_TIME : r->p;
    wanted.s = (signed char)(wanted.s - (column == COLUMN_D1 ? 1 : column >= COLUMN_D2 ? 2 : 0));
    return wanted;
}

/* Takes the head of column i over. */
static bool take_head(reader *r, int i, const char *text) {
    gdyn_column head;
    gdyn_column_trouble trouble;
    char what[160];
    bool read = gdyn_column_read(text, strlen(text), &head, &trouble);
    r->name = !strcmp(head.name, "trajectory") ? i : r->name;
    for (int c = 0; c < COLUMNS; c++) {
        if (strcmp(head.name, column_name[c]) != 0) {
            continue;
        }
        if (r->field[c] >= 0) {
            return complain(r->m, r->line, "column '%s' stands twice", head.name);
        }
        snprintf(what, sizeof what, "%s of '%.100s'", column_name[c], r->path);
        if (!read || !gdyn_column_fits(&head, dimension_of(r, c), what, &trouble)) {
            complain(r->m, r->line, "%s", trouble.message);
            gdyn_cli_help(trouble.help);
            return false;
        }
        r->field[c] = i;
        r->factor[c] = head.factor;
    }
    return true;
}

static bool read_header(reader *r, char *text) {
    char *rest = text, *field;
    for (int c = 0; c < COLUMNS; c++) {
        r->field[c] = -1;
    }
    r->name = -1;
    if (!strncmp(text, "\xEF\xBB\xBF", 3)) { /* byte order mark */
        rest += 3;
    }
    for (int i = 0; (field = next_head(&rest)) != NULL; i++) {
        if (!take_head(r, i, field)) {
            return false;
        }
    }
    const int *at = r->field;
    const char *missing = at[COLUMN_P] < 0                         ? "p"
                          : at[COLUMN_T] >= 0                      ? NULL
                          : at[COLUMN_D1] < 0 && at[COLUMN_D2] < 0 ? "t"
                          : at[COLUMN_D1] < 0                      ? "d1"
                          : at[COLUMN_D2] < 0                      ? "d2"
                                                                   : NULL;
    return !missing ||
           complain(r->m, r->line, "column '%s' is missing: the columns must be t,p or p,d1,d2",
                    missing);
}

static bool reserve(gdyn_motion_file *m) {
    if (m->count < m->capacity) {
        return true;
    }
    size_t capacity = m->capacity ? 2 * (size_t)m->capacity : 256;
    gdyn_sample *sample = gdyn_realloc(m->sample, capacity, sizeof *sample);
    m->sample = sample ? sample : m->sample;
    double *before = gdyn_realloc(m->before, capacity, sizeof *before);
    m->before = before ? before : m->before;
    int *line = gdyn_realloc(m->line, capacity, sizeof *line);
    m->line = line ? line : m->line;
    m->capacity = sample && before && line ? (int)capacity : m->capacity;
    return m->count < m->capacity;
}

static bool add_sample(reader *r, char *text) {
    double value[COLUMNS] = {NAN, NAN, NAN, NAN, NAN};
    char *rest = text, *field;
    for (int i = 0; (field = next_field(&rest)) != NULL; i++) {
        if (i == r->name && strcmp(field, r->path) != 0) {
            return true; /* the motion of another trajectory */
        }
        for (int c = 0; c < COLUMNS; c++) {
            char *end;
            if (r->field[c] == i) {
                value[c] = strtod(field, &end);
                if (end == field || *end || !isfinite(value[c])) {
                    return complain(r->m, r->line, "%s is '%.40s': a number is wanted",
                                    column_name[c], field);
                }
                value[c] *= r->factor[c];
            }
        }
    }
    for (int c = 0; c < COLUMNS; c++) {
        if (r->field[c] >= 0 && isnan(value[c])) {
            return complain(r->m, r->line, "%s is missing in this row", column_name[c]);
        }
    }
    gdyn_motion_file *m = r->m;
    if (!reserve(m)) {
        return complain(m, r->line, "out of memory");
    }
    m->sample[m->count] =
        (gdyn_sample){value[COLUMN_T], value[COLUMN_P], value[COLUMN_D1], value[COLUMN_D2]};
    m->before[m->count] = isnan(value[COLUMN_BEFORE]) ? value[COLUMN_D2] : value[COLUMN_BEFORE];
    m->line[m->count++] = r->line;
    return true;
}

static bool read_lines(reader *r, FILE *file, char *line) {
    bool header = false;
    while (fgets(line, LINE_MAX_BYTES, file)) {
        r->line++;
        if (!strchr(line, '\n') && strlen(line) == LINE_MAX_BYTES - 1) {
            return complain(r->m, r->line, "the line is too long");
        }
        if (line[0] == '#' || !line[strspn(line, " \t\r\n")]) {
            continue;
        }
        if (!(header ? add_sample(r, line) : read_header(r, line))) {
            return false;
        }
        header = true;
    }
    if (r->m->count == 0 && header && r->name >= 0) {
        return complain(r->m, r->line, "there are no rows of trajectory '%s'", r->path);
    }
    return r->m->count > 0 || complain(r->m, r->line > 0 ? r->line : 1,
                                       header ? "there are no rows below the header"
                                              : "there is no motion in this file");
}

/* Numbers in files are rounded. */
static double nearness(double first, double last) {
    return 1e-5 * (last - first);
}

/* p lies within first..last. */
static bool check_range(const gdyn_motion_file *m, const char *path, double first, double last) {
    double near = nearness(first, last);
    for (int i = 0; i < m->count; i++) {
        gdyn_sample *s = &m->sample[i];
        if (s->p < first - near || s->p > last + near) {
            return complain(m, m->line[i], "p = %.9g lies outside '%s' (p from %.9g to %.9g)", s->p,
                            path, first, last);
        }
        s->p = fmin(fmax(s->p, first), last);
    }
    return true;
}

/* t grows, p does not fall. */
static bool check_order(const gdyn_motion_file *m, double first, double last) {
    double near = nearness(first, last);
    for (int i = 0; i < m->count; i++) {
        const gdyn_sample *s = &m->sample[i];
        if (i > 0 && !(isnan(s->t) || s->t > s[-1].t)) {
            return complain(m, m->line[i], "t = %.9g does not grow: the row before has %.9g", s->t,
                            s[-1].t);
        }
        if (i > 0 && s->p < s[-1].p - near) {
            return complain(m, m->line[i],
                            "the motion runs backwards: p = %.9g, the row before has %.9g", s->p,
                            s[-1].p);
        }
    }
    return true;
}

/* Derivatives of t,p; d1 never below zero. */
static bool settle(gdyn_motion_file *m, bool given, double span) {
    if (!given && !gdyn_motion_differentiate(m->count, m->sample)) {
        return complain(m, m->line[m->count - 1],
                        "%d row%s: columns t,p need three at least (one is enough for p,d1,d2)",
                        m->count, m->count == 1 ? "" : "s");
    }
    for (int i = 0; i < m->count; i++) {
        gdyn_sample *s = &m->sample[i];
        if (given && s->d1 < -1e-9 * span) {
            return complain(m, m->line[i], "the motion runs backwards: d1 = %.9g at p = %.9g",
                            s->d1, s->p);
        }
        s->d1 = fmax(s->d1, 0);
        m->before[i] = given ? m->before[i] : s->d2;
    }
    return true;
}

static int read_file(gdyn_motion_file *m, const char *filename, const char *path, gdyn_dimension p,
                     double first, double last, bool ordered) {
    *m = (gdyn_motion_file){.filename = filename};
    reader r = {.m = m, .path = path, .p = p};
    FILE *file = fopen(filename, "r");
    char *line = gdyn_alloc(LINE_MAX_BYTES, 1);
    int code = GDYN_EXIT_CASE;
    if (!file) {
        gdyn_cli_error("'%s' cannot be read", filename);
        code = GDYN_EXIT_FILE;
    } else if (line && read_lines(&r, file, line) && check_range(m, path, first, last)) {
        bool given = r.field[COLUMN_D1] >= 0 && r.field[COLUMN_D2] >= 0;
        if ((ordered || !given) && !check_order(m, first, last)) {
            fclose(file);
            gdyn_free(line);
            return GDYN_EXIT_CASE;
        }
        m->timed = r.field[COLUMN_T] >= 0;
        m->between = given ? GDYN_BETWEEN_P : GDYN_BETWEEN_T;
        code = settle(m, given, last - first) ? GDYN_EXIT_YES : GDYN_EXIT_CASE;
    }
    if (file) {
        fclose(file);
    }
    gdyn_free(line);
    return code;
}

int gdyn_motion_file_read(gdyn_motion_file *m, const char *filename, const char *path,
                          gdyn_dimension p, double first, double last) {
    return read_file(m, filename, path, p, first, last, true);
}

int gdyn_motion_file_places(gdyn_motion_file *m, const char *filename, const char *path,
                            gdyn_dimension p, double first, double last) {
    return read_file(m, filename, path, p, first, last, false);
}

void gdyn_motion_file_close(gdyn_motion_file *m) {
    gdyn_free(m->sample);
    gdyn_free(m->before);
    gdyn_free(m->line);
    *m = (gdyn_motion_file){0};
}
