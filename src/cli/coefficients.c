/* coefficients.c - regions from anybody's dynamics: a CSV file with one row per path point and drive,
 *
 *   p,drive,A,B,C,D,min,max,V1,...,Vr        n = A d1^2 + B d1 + C + D d2 + V y,  min <= n <= max
 *
 * in any order of the columns; rows of one point stand together. Empty limits, inf and -inf mean
 * that there is none. Lines that begin with # are left out. */
#include "cli/analysis.h"

#include "base/memory.h"
#include "cli/drive.h"
#include "linalg/linalg.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIXED = 8, FREE_MAX = 16, FIELDS_MAX = 64, POINT_ROWS_MAX = 256 };
enum { COLUMN_P, COLUMN_DRIVE, COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_D, COLUMN_MIN, COLUMN_MAX };
#define COLUMNS "columns are p,drive,A,B,C,D,min,max,V1,...,Vr and, if wanted, rate"
static const char *const column_name[FIXED] = {"p", "drive", "A", "B", "C", "D", "min", "max"};

typedef struct field {
    const char *text; /* into the line, not terminated */
    int length, column;
} field;

typedef struct row {
    double p, number[FIXED]; /* number: indexed by COLUMN_* */
    double v[FREE_MAX];
    double rate; /* INFINITY: not limited */
    char *drive;
    int line;
} row;

typedef struct table {
    const char *filename;
    char *text;
    int line;              /* of the line being read */
    char *line_text;       /* its text, terminated */
    int fixed[FIXED];      /* field of each fixed column */
    int free[FREE_MAX], r; /* fields of V1..Vr */
    int rate;              /* field of rate, -1: there is none */
    int fields;
    row *row;
    int count, capacity;
} table;

/* --- reading ---------------------------------------------------------------------------------- */

static int refuse(const table *t, int column, int width, const char *help, const char *message) {
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
static int refuse_field(const table *t, const field *f, const char *help, const char *format) {
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

static int read_all(table *t) {
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

static bool is_word(const field *f, const char *word) {
    return (size_t)f->length == strlen(word) && !strncmp(f->text, word, strlen(word));
}

/* Number k of a column "Vk", 0 when it is none. */
static int free_number(const field *f) {
    char digits[12];
    if (f->length < 2 || f->length > 4 || (f->text[0] != 'V' && f->text[0] != 'v')) {
        return 0;
    }
    snprintf(digits, sizeof digits, "%.*s", f->length - 1, f->text + 1);
    char *end;
    long k = strtol(digits, &end, 10);
    return *end || k < 1 || k > FREE_MAX ? 0 : (int)k;
}

static int read_header(table *t, const field *f, int count) {
    for (int i = 0; i < FIXED; i++) {
        t->fixed[i] = -1;
    }
    for (int i = 0; i < FREE_MAX; i++) {
        t->free[i] = -1;
    }
    t->fields = count;
    t->rate = -1;
    for (int i = 0; i < count; i++) {
        int *place = NULL;
        for (int k = 0; k < FIXED && !place; k++) {
            place = is_word(&f[i], column_name[k]) ? &t->fixed[k] : NULL;
        }
        place = !place && is_word(&f[i], "rate") ? &t->rate : place;
        int number = free_number(&f[i]);
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
    for (int i = 0; i < FIXED + t->r; i++) {
        char missing[32];
        if (i < FIXED) {
            snprintf(missing, sizeof missing, "column '%s' is missing", column_name[i]);
        } else {
            snprintf(missing, sizeof missing, "column 'V%d' is missing", i - FIXED + 1);
        }
        if ((i < FIXED ? t->fixed[i] : t->free[i - FIXED]) < 0) {
            return refuse(t, 1, 1, COLUMNS, missing);
        }
    }
    return GDYN_EXIT_YES;
}

/* A number; `open` is what an empty field means (NAN: it must not be empty). */
static int read_number(const table *t, const field *f, double open, double *value) {
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
    return GDYN_EXIT_YES;
}

static int check_row(const table *t, const row *now, const field *f) {
    const row *before = t->count > 0 ? &t->row[t->count - 1] : NULL;
    if (now->number[COLUMN_MIN] > now->number[COLUMN_MAX]) {
        return refuse_field(t, &f[t->fixed[COLUMN_MIN]], NULL, "min is greater than max");
    }
    if (isinf(now->number[COLUMN_MIN]) && now->number[COLUMN_MIN] > 0) {
        return refuse_field(t, &f[t->fixed[COLUMN_MIN]], NULL, "min cannot be infinite upwards");
    }
    if (isinf(now->number[COLUMN_MAX]) && now->number[COLUMN_MAX] < 0) {
        return refuse_field(t, &f[t->fixed[COLUMN_MAX]], NULL, "max cannot be infinite downwards");
    }
    if (before && now->p < before->p) {
        return refuse_field(t, &f[t->fixed[COLUMN_P]], "sort the rows by p",
                            "p = %s is less than in the row before");
    }
    return GDYN_EXIT_YES;
}

static int add_row(table *t, const field *f, int count) {
    row now = {.line = t->line};
    int code = GDYN_EXIT_YES;
    if (count != t->fields) {
        char message[80];
        snprintf(message, sizeof message, "%d fields where the header has %d", count, t->fields);
        return refuse(t, 1, 1, NULL, message);
    }
    for (int i = 0; i < FIXED && code == GDYN_EXIT_YES; i++) {
        double open = i == COLUMN_MIN ? -INFINITY : i == COLUMN_MAX ? INFINITY : NAN;
        if (i != COLUMN_DRIVE) {
            code = read_number(t, &f[t->fixed[i]], open, &now.number[i]);
        }
    }
    for (int i = 0; i < t->r && code == GDYN_EXIT_YES; i++) {
        code = read_number(t, &f[t->free[i]], NAN, &now.v[i]);
    }
    now.rate = INFINITY;
    if (t->rate >= 0 && code == GDYN_EXIT_YES) {
        code = read_number(t, &f[t->rate], INFINITY, &now.rate);
        if (code == GDYN_EXIT_YES && !(now.rate > 0)) {
            code = refuse_field(t, &f[t->rate], NULL, "a rate must be positive");
        }
    }
    now.p = now.number[COLUMN_P];
    if (code == GDYN_EXIT_YES) {
        code = check_row(t, &now, f);
    }
    const field *drive = &f[t->fixed[COLUMN_DRIVE]];
    if (code == GDYN_EXIT_YES && drive->length == 0) {
        code = refuse_field(t, drive, NULL, "the drive has no name");
    }
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    if (t->count == t->capacity) {
        int capacity = t->capacity ? 2 * t->capacity : 256;
        row *grown = gdyn_realloc(t->row, (size_t)capacity, sizeof *grown);
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

static int read_lines(table *t) {
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

/* --- points ----------------------------------------------------------------------------------- */

/* Row behind the last one with the same p as `first`. */
static int end_of_p(const table *t, int first) {
    int end = first + 1;
    while (end < t->count && t->row[end].p == t->row[first].p) {
        end++;
    }
    return end;
}

/* Rows of a point: the fewest that stand together with the same p, where two points may lie (limits
 * that jump), as long as the first ones can be read like that. */
static int rows_of_point(const table *t) {
    int least = t->count, begin = end_of_p(t, 0);
    for (int first = 0; first < t->count; first = end_of_p(t, first)) {
        int rows = end_of_p(t, first) - first;
        least = rows < least ? rows : least;
    }
    for (int i = least; i < begin; i++) {
        if (begin % least != 0 || strcmp(t->row[i].drive, t->row[i - least].drive) != 0) {
            return begin;
        }
    }
    return least;
}

/* Every point has the same drives in the same order; returns the number of points, 0 after a
 * message. */
static int count_points(table *t, int k) {
    int points = 0;
    gdyn_sink console = gdyn_console_sink();
    for (int first = 0; first < t->count; first += k, points++) {
        for (int i = 0; i < k; i++) {
            const row *now = &t->row[first + i];
            bool same = first + i < t->count && now->p == t->row[first].p &&
                        !strcmp(now->drive, t->row[i].drive);
            if (same && k <= POINT_ROWS_MAX) {
                continue;
            }
            char message[200];
            snprintf(message, sizeof message,
                     "p = %g does not have the same %d drives in the same order as the first point",
                     t->row[first].p, k);
            gdyn_diag diag = {.severity = GDYN_ERROR,
                              .path = "",
                              .message = message,
                              .file = t->filename,
                              .line = t->row[first].line,
                              .column = 1};
            console.emit(console.context, &diag);
            return 0;
        }
    }
    return points;
}

/* Columns of V made independent: an orthonormal basis of their span. Returns its dimension. */
static int independent(gdyn_svd *svd, int k, int r, double *V) {
    if (r == 0 || gdyn_svd_factor(svd, k, r, V, k, 0) != GDYN_OK || svd->rank.rank == r) {
        return r;
    }
    memcpy(V, svd->U, (size_t)(k * svd->rank.rank) * sizeof *V);
    return svd->rank.rank;
}

/* Projects the point whose rows begin at `first`. */
static gdyn_status project(const table *t, int first, int k, double *work, gdyn_svd *svd,
                           gdyn_access *access, gdyn_projection projection, gdyn_region *region) {
    static const int order[6] = {COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_D, COLUMN_MIN, COLUMN_MAX};
    double *V = work + 6 * k;
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < 6; j++) {
            work[j * k + i] = t->row[first + i].number[order[j]];
        }
        for (int j = 0; j < t->r; j++) {
            V[j * k + i] = t->row[first + i].v[j];
        }
    }
    gdyn_coefficients c = {.k = k,
                           .r = independent(svd, k, t->r, V),
                           .A = work,
                           .B = work + k,
                           .C = work + 2 * k,
                           .D = work + 3 * k,
                           .V = V,
                           .min = work + 4 * k,
                           .max = work + 5 * k,
                           .d1_low = 0,
                           .d1_high = INFINITY,
                           .d1_high_drive = -1};
    return gdyn_access_region(access, &c, projection, region);
}

/* Criteria that regions alone give, in the order of `names`. */
enum { VALUES = 5 };
static const char *const names[VALUES] = {"area", "area_mean", "d1_max", "speed", "accel"};

static bool reaches(const gdyn_region *region, double d1) {
    for (int i = 0; i < region->island_count; i++) {
        if (d1 >= region->island[i].from && d1 <= region->island[i].to) {
            return true;
        }
    }
    return false;
}

/* Greatest d1 that every point reaches: the right end of an island that lies in all regions; NAN when
 * there is none. */
static double common_d1(const gdyn_analysis *analysis) {
    double best = NAN;
    int points = analysis->series.points;
    for (int i = 0; i < points; i++) {
        for (int k = 0; k < analysis->region[i]->island_count; k++) {
            double d1 = analysis->region[i]->island[k].to;
            bool everywhere = !(d1 <= best);
            for (int j = 0; j < points && everywhere; j++) {
                everywhere = reaches(analysis->region[j], d1);
            }
            best = everywhere ? d1 : best;
        }
    }
    return best;
}

static gdyn_status fold(gdyn_analysis *analysis) {
    gdyn_region *merged = gdyn_region_create();
    gdyn_status status =
        merged ? gdyn_region_copy(analysis->common, analysis->region[0]) : GDYN_ERROR_MEMORY;
    double areas = 0, accel = INFINITY;
    for (int i = 0; status == GDYN_OK && i < analysis->series.points; i++) {
        const gdyn_region *region = analysis->region[i];
        areas += region->area;
        accel = region->rest && !isnan(accel)
                    ? fmin(accel, fmin(region->rest_max, -region->rest_min))
                    : NAN;
        status = gdyn_region_intersect(analysis->common, region, merged);
        gdyn_region *swap = analysis->common;
        analysis->common = merged;
        merged = swap;
    }
    gdyn_region_destroy(merged);
    double value[VALUES] = {analysis->common->area, areas / analysis->series.points,
                            common_d1(analysis), analysis->common->speed_max, accel};
    for (int i = 0; i < VALUES; i++) {
        analysis->value[i] = (gdyn_value){names[i], gdyn_criterion_unit(names[i], ""), value[i]};
    }
    return status;
}

/* Names of rows outlive the table. */
static bool take_names(gdyn_analysis *analysis, table *t, int k) {
    analysis->text = gdyn_alloc((size_t)k + 1, sizeof *analysis->text);
    for (int i = 0; analysis->text && i < k; i++) {
        analysis->text[i] = t->row[i].drive;
        analysis->row_name[i] = t->row[i].drive;
        t->row[i].drive = NULL;
    }
    return analysis->text != NULL;
}

static gdyn_status project_all(table *t, int points, gdyn_projection projection,
                               gdyn_analysis *analysis) {
    int k = t->count / points;
    gdyn_status status = GDYN_ERROR_MEMORY;
    double *work = gdyn_alloc((size_t)(k * (6 + t->r)) + 1, sizeof *work);
    gdyn_svd *svd = gdyn_svd_create(k, t->r > 0 ? t->r : 1);
    gdyn_access *access = gdyn_access_create(k, t->r, 0);
    analysis->region = gdyn_alloc((size_t)points + 1, sizeof(gdyn_region *));
    analysis->common = gdyn_region_create();
    if (work && svd && access && analysis->region && analysis->common &&
        gdyn_analysis_reserve(analysis, points, k, VALUES)) {
        status = GDYN_OK;
    }
    for (int i = 0; status == GDYN_OK && i < points; i++) {
        analysis->region[i] = gdyn_region_create();
        status = analysis->region[i]
                     ? project(t, i * k, k, work, svd, access, projection, analysis->region[i])
                     : GDYN_ERROR_MEMORY;
        if (status == GDYN_OK) {
            analysis->p[i] = t->row[i * k].p;
            analysis->speed_row[i] = -1;
            analysis->status[i] = gdyn_region_status_name(analysis->region[i]->status);
        }
    }
    if (status == GDYN_OK) {
        status = fold(analysis);
    }
    if (status == GDYN_OK && !take_names(analysis, t, k)) {
        status = GDYN_ERROR_MEMORY;
    }
    gdyn_free(work);
    gdyn_svd_destroy(svd);
    gdyn_access_destroy(access);
    return status;
}

int gdyn_analyse_coefficients(const char *filename, gdyn_projection projection,
                              gdyn_analysis *analysis) {
    table t = {.filename = filename};
    *analysis = (gdyn_analysis){0};
    int code = read_all(&t);
    if (code == GDYN_EXIT_YES) {
        code = read_lines(&t);
    }
    int points = code == GDYN_EXIT_YES ? count_points(&t, rows_of_point(&t)) : 0;
    if (points > 0) {
        gdyn_status status = project_all(&t, points, projection, analysis);
        code = gdyn_exit_code(status);
        if (status != GDYN_OK) {
            gdyn_cli_error("%s: %s", filename, gdyn_status_text(status));
        }
        analysis->series.name = "coefficients";
        analysis->series.unit = "";
        analysis->series.region = (const gdyn_region *const *)analysis->region;
        analysis->series.common = analysis->common;
    } else if (code == GDYN_EXIT_YES) {
        code = GDYN_EXIT_CASE;
    }
    for (int i = 0; i < t.count; i++) {
        gdyn_free(t.row[i].drive);
    }
    gdyn_free(t.row);
    gdyn_free(t.text);
    return code;
}

/* --- the table as a supply of coefficients ------------------------------------------------------ */

static gdyn_supply *supply_of(const table *t, int points) {
    static const int order[6] = {COLUMN_A, COLUMN_B, COLUMN_C, COLUMN_D, COLUMN_MIN, COLUMN_MAX};
    int k = t->count / points, width = 6 + t->r;
    size_t n = (size_t)points;
    double *numbers = gdyn_alloc(n * (size_t)(k * width) + 1, sizeof *numbers);
    double *p = gdyn_alloc(n, sizeof *p);
    gdyn_coefficients *q = gdyn_alloc(n, sizeof *q);
    gdyn_supply *supply = NULL;
    for (int i = 0; i < points && numbers && p && q; i++) {
        double *at = numbers + (size_t)i * (size_t)(k * width);
        for (int line = 0; line < k; line++) {
            const struct row *from = &t->row[i * k + line];
            for (int j = 0; j < width; j++) {
                at[j * k + line] = j < 6 ? from->number[order[j]] : from->v[j - 6];
            }
        }
        p[i] = t->row[i * k].p;
        q[i] = (gdyn_coefficients){.k = k,
                                   .r = t->r,
                                   .A = at,
                                   .B = at + k,
                                   .C = at + 2 * k,
                                   .D = at + 3 * k,
                                   .min = at + 4 * k,
                                   .max = at + 5 * k,
                                   .V = at + 6 * k,
                                   .d1_high = INFINITY,
                                   .d1_high_drive = -1};
    }
    if (numbers && p && q) {
        supply = gdyn_supply_table(points, p, q);
    }
    for (int line = 0; supply && t->rate >= 0 && line < k; line++) {
        numbers[line] = INFINITY; /* the least of all points */
        for (int i = 0; i < points; i++) {
            numbers[line] = fmin(numbers[line], t->row[i * k + line].rate);
        }
    }
    if (supply && t->rate >= 0 && gdyn_supply_set_rates(supply, numbers) != GDYN_OK) {
        gdyn_supply_destroy(supply);
        supply = NULL;
    }
    gdyn_free(numbers);
    gdyn_free(p);
    gdyn_free(q);
    return supply;
}

int gdyn_coefficients_supply(const char *filename, gdyn_supply **supply, char ***drives) {
    table t = {.filename = filename};
    int code = read_all(&t);
    if (code == GDYN_EXIT_YES) {
        code = read_lines(&t);
    }
    int points = code == GDYN_EXIT_YES ? count_points(&t, rows_of_point(&t)) : 0;
    if (code == GDYN_EXIT_YES && (points < 2 || t.row[t.count - 1].p <= t.row[0].p)) {
        if (points > 0) {
            gdyn_cli_error("%s: a motion needs at least two values of p", filename);
        }
        code = GDYN_EXIT_CASE;
    }
    if (code == GDYN_EXIT_YES) {
        int k = t.count / points;
        *supply = supply_of(&t, points);
        *drives = gdyn_alloc((size_t)k + 1, sizeof **drives);
        code = *supply && *drives ? GDYN_EXIT_YES : GDYN_EXIT_INTERNAL;
        for (int i = 0; *drives && i < k; i++) {
            (*drives)[i] = t.row[i].drive;
            t.row[i].drive = NULL;
        }
    }
    for (int i = 0; i < t.count; i++) {
        gdyn_free(t.row[i].drive);
    }
    gdyn_free(t.row);
    gdyn_free(t.text);
    return code;
}
