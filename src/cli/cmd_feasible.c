/* cmd_feasible.c - the verdict on a motion given as a table. */
#include "cli/drive.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN_T, COLUMN_P, COLUMN_D1, COLUMN_D2, COLUMNS, LINE_MAX_BYTES = 1 << 16 };
static const char *const column_name[COLUMNS] = {"t", "p", "d1", "d2"};
/* Limits that a file's rounded numbers may seem to violate, in half ranges. */
static const double TOLERANCE = 1e-6;

typedef struct motion {
    int count, capacity, line;
    int field[COLUMNS]; /* -1: not there */
    gdyn_sample *sample;
} motion;

static bool complain(const char *filename, int line, const char *message) {
    gdyn_cli_error("%s:%d: %s", filename, line, message);
    return false;
}

/* The next field of a line, its end terminated; NULL behind the last one. */
static char *next_field(char **rest) {
    char *field = *rest;
    if (!field) {
        return NULL;
    }
    char *end = strchr(field, ',');
    *rest = end ? end + 1 : NULL;
    if (end) {
        *end = '\0';
    }
    field += strspn(field, " \t\"");
    field[strcspn(field, " \t\r\n\"")] = '\0';
    return field;
}

static bool read_header(motion *m, char *text, const char *filename) {
    char *rest = text, *field;
    for (int c = 0; c < COLUMNS; c++) {
        m->field[c] = -1;
    }
    for (int i = 0; (field = next_field(&rest)) != NULL; i++) {
        for (int c = 0; c < COLUMNS; c++) {
            if (!strcmp(field, column_name[c]) && m->field[c] < 0) {
                m->field[c] = i;
            }
        }
    }
    bool speeds = m->field[COLUMN_D1] >= 0 && m->field[COLUMN_D2] >= 0;
    if (m->field[COLUMN_P] < 0 || (!speeds && m->field[COLUMN_T] < 0)) {
        return complain(filename, m->line, "the columns must be t,p or p,d1,d2");
    }
    return true;
}

static bool add_sample(motion *m, char *text, const char *filename) {
    double value[COLUMNS] = {NAN, NAN, NAN, NAN};
    char *rest = text, *field;
    for (int i = 0; (field = next_field(&rest)) != NULL; i++) {
        for (int c = 0; c < COLUMNS; c++) {
            char *end;
            if (m->field[c] == i) {
                value[c] = strtod(field, &end);
                if (end == field || *end || !isfinite(value[c])) {
                    return complain(filename, m->line, "a number is wanted in t, p, d1 and d2");
                }
            }
        }
    }
    for (int c = 0; c < COLUMNS; c++) {
        if (m->field[c] >= 0 && isnan(value[c])) {
            return complain(filename, m->line, "fields are missing");
        }
    }
    if (m->count == m->capacity) {
        int capacity = m->capacity ? 2 * m->capacity : 256;
        gdyn_sample *grown = gdyn_realloc(m->sample, (size_t)capacity, sizeof *grown);
        if (!grown) {
            return complain(filename, m->line, "out of memory");
        }
        m->sample = grown;
        m->capacity = capacity;
    }
    m->sample[m->count++] =
        (gdyn_sample){value[COLUMN_T], value[COLUMN_P], value[COLUMN_D1], value[COLUMN_D2]};
    return true;
}

static bool read_lines(motion *m, FILE *file, char *line, const char *filename) {
    bool header = false;
    while (fgets(line, LINE_MAX_BYTES, file)) {
        m->line++;
        if (!strchr(line, '\n') && strlen(line) == LINE_MAX_BYTES - 1) {
            return complain(filename, m->line, "the line is too long");
        }
        if (line[0] == '#' || !line[strspn(line, " \t\r\n")]) {
            continue;
        }
        if (!(header ? add_sample(m, line, filename) : read_header(m, line, filename))) {
            return false;
        }
        header = true;
    }
    return m->count > 0 || complain(filename, m->line, "there is no motion in this file");
}

static int read_motion(const char *filename, motion *m) {
    FILE *file = fopen(filename, "r");
    char *line = gdyn_alloc(LINE_MAX_BYTES, 1);
    int code = GDYN_EXIT_CASE;
    if (!file) {
        gdyn_cli_error("'%s' cannot be read", filename);
        code = GDYN_EXIT_FILE;
    } else if (line && read_lines(m, file, line, filename)) {
        bool given = m->field[COLUMN_D1] >= 0 && m->field[COLUMN_D2] >= 0;
        if (given || gdyn_motion_differentiate(m->count, m->sample)) {
            code = GDYN_EXIT_YES;
        } else {
            gdyn_cli_error("%s: t must grow from row to row, over three rows at least", filename);
        }
    }
    if (file) {
        fclose(file);
    }
    gdyn_free(line);
    return code;
}

/* The path is driven forward within its range. */
static int check_samples(const motion *m, const gdyn_course *course, const char *filename) {
    double first = gdyn_supply_first(course->supply), last = gdyn_supply_last(course->supply);
    double near = 1e-9 * (last - first);
    for (int i = 0; i < m->count; i++) {
        if (m->sample[i].p < first - near || m->sample[i].p > last + near) {
            gdyn_cli_error("%s: p = %g lies outside '%s' (p from %g to %g)", filename,
                           m->sample[i].p, course->name, first, last);
            return GDYN_EXIT_CASE;
        }
        if (m->sample[i].d1 < -1e-9 * (fabs(last) + fabs(first))) {
            gdyn_cli_error("%s: the motion runs backwards at p = %g", filename, m->sample[i].p);
            return GDYN_EXIT_CASE;
        }
        m->sample[i].d1 = fmax(m->sample[i].d1, 0);
    }
    return GDYN_EXIT_YES;
}

static void print_place(const gdyn_course *course, const motion *m, const char *word, int i,
                        const gdyn_shares *shares) {
    const gdyn_sample *s = &m->sample[i];
    printf("   %s violation at p = %.6g", word, s->p);
    if (!isnan(s->t)) {
        printf(", t = %.6g s", s->t);
    }
    printf(" (d1 = %.6g, d2 = %.6g): ", s->d1, s->d2);
    if (shares->found != GDYN_POINT_OK) {
        printf("the machine cannot be there\n");
    } else if (shares->worst.row == -1) {
        printf("a motion that no drive can serve\n");
    } else {
        printf("%s %s by %.4g %%%s\n", gdyn_course_limit(course, shares->worst),
               shares->worst.row == -2  ? "speed"
               : shares->worst.side > 0 ? "max"
                                        : "min",
               100 * shares->violation, shares->worst.row == -2 ? "" : " of half its range");
    }
}

static void print_verdict(const gdyn_course *course, const motion *m, const gdyn_feasibility *r) {
    if (r->feasible) {
        printf("%s: feasible: no limit is violated at %d places\n", course->name, m->count);
        if (isfinite(r->margin)) {
            printf("   could be run %.6g times as fast\n", r->margin);
        } else {
            printf("   could be run as fast as wished\n");
        }
        return;
    }
    printf("%s: not feasible\n", course->name);
    print_place(course, m, "first", r->first, &r->first_shares);
    print_place(course, m, "worst", r->worst, &r->worst_shares);
    if (isfinite(r->slowdown)) {
        printf("   feasible when slowed down uniformly: time x %.6g\n", r->slowdown);
    } else {
        printf("   no uniform slow-down makes it feasible\n");
    }
}

static void print_number(const char *name, double value) {
    if (isfinite(value)) {
        printf(",\"%s\":%.17g", name, value);
    } else {
        printf(",\"%s\":null", name);
    }
}

static void print_json_place(const gdyn_course *course, const motion *m, const char *name, int i,
                             const gdyn_shares *shares) {
    if (i < 0) {
        printf(",\"%s\":null", name);
        return;
    }
    printf(",\"%s\":{\"p\":%.17g", name, m->sample[i].p);
    print_number("t", m->sample[i].t);
    print_number("violation", shares->violation);
    const char *drive = gdyn_course_limit(course, shares->worst);
    printf(",\"drive\":\"");
    for (; *drive; drive++) {
        if (*drive == '"' || *drive == '\\') {
            putchar('\\');
        }
        putchar((unsigned char)*drive < ' ' ? ' ' : *drive);
    }
    printf("\",\"side\":\"%s\"}", shares->worst.row == -2  ? "speed"
                                  : shares->worst.side > 0 ? "max"
                                                           : "min");
}

static void print_json(const gdyn_course *course, const motion *m, const gdyn_feasibility *r) {
    printf("{\"format\":1,\"tool\":\"globdyn\",\"feasible\":%s", r->feasible ? "true" : "false");
    print_json_place(course, m, "first", r->first, &r->first_shares);
    print_json_place(course, m, "worst", r->worst, &r->worst_shares);
    print_number("slowdown", r->slowdown);
    print_number("margin", r->margin);
    printf("}\n");
}

static int judge(const gdyn_options *options, gdyn_opened *opened, int trajectory) {
    gdyn_course course;
    motion m = {0};
    gdyn_feasibility result;
    int code = gdyn_course_open(options, opened, trajectory, &course);
    if (code == GDYN_EXIT_YES) {
        code = read_motion(options->motion, &m);
    }
    if (code == GDYN_EXIT_YES) {
        code = check_samples(&m, &course, options->motion);
    }
    if (code == GDYN_EXIT_YES) {
        gdyn_status status =
            gdyn_motion_check(course.supply, m.count, m.sample, TOLERANCE, NULL, &result);
        code = gdyn_exit_code(status);
        if (status != GDYN_OK) {
            gdyn_cli_error("%s", gdyn_status_text(status));
        } else if (options->json) {
            print_json(&course, &m, &result);
        } else {
            print_verdict(&course, &m, &result);
        }
    }
    if (code == GDYN_EXIT_YES && !result.feasible) {
        code = GDYN_EXIT_NO;
    }
    gdyn_free(m.sample);
    gdyn_course_close(&course);
    return code;
}

int gdyn_cmd_feasible(const gdyn_options *options) {
    if (!options->motion) {
        gdyn_cli_error("globdyn feasible wants --motion FILE");
        return GDYN_EXIT_USAGE;
    }
    if (options->coefficients) {
        return judge(options, NULL, 0);
    }
    gdyn_opened opened = {0};
    int first, count, code = gdyn_open_case(options, options->operand[0], &opened);
    if (code == GDYN_EXIT_YES) {
        code = gdyn_need_machine(&opened);
    }
    if (code == GDYN_EXIT_YES) {
        code = gdyn_choose_trajectories(options, opened.instance, &first, &count);
    }
    if (code == GDYN_EXIT_YES && count != 1) {
        gdyn_cli_error("the case has %d trajectories: --trajectory NAME picks the one", count);
        code = count ? GDYN_EXIT_USAGE : GDYN_EXIT_CASE;
    } else if (code == GDYN_EXIT_YES && gdyn_model_drives(opened.instance->model) == 0) {
        gdyn_cli_error("%s has no drives", opened.filename);
        code = GDYN_EXIT_CASE;
    }
    if (code == GDYN_EXIT_YES) {
        code = judge(options, &opened, first);
    }
    gdyn_close_case(&opened);
    return code;
}
