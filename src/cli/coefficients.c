/* coefficients.c - regions from anybody's dynamics: a CSV file with one row per path point and drive,
 *
 *   p,drive,A,B,C,D,min,max,V1,...,Vr        n = A d1^2 + B d1 + C + D d2 + V y,  min <= n <= max
 *
 * in any order of the columns; rows of one point stand together. Empty limits, inf and -inf mean
 * that there is none. */
#include "cli/analysis.h"

#include "access/fold.h"
#include "base/memory.h"
#include "cli/coefficients_table.h"
#include "cli/drive.h"
#include "cli/limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINT_ROWS_MAX = 256 };

/* --- points ----------------------------------------------------------------------------------- */

/* Row behind the last one with the same p as `first`. */
static int end_of_p(const gdyn_coefficient_rows *t, int first) {
    int end = first + 1;
    while (end < t->count && t->row[end].p == t->row[first].p) {
        end++;
    }
    return end;
}

/* Rows of a point: the fewest that stand together with the same p, where two points may lie (limits
 * that jump), as long as the first ones can be read like that. */
static int rows_of_point(const gdyn_coefficient_rows *t) {
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
static int count_points(gdyn_coefficient_rows *t, int k) {
    int points = 0;
    gdyn_sink console = gdyn_console_sink();
    for (int first = 0; first < t->count; first += k, points++) {
        for (int i = 0; i < k; i++) {
            const gdyn_coefficient_row *now = &t->row[first + i];
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

/* Projects the point whose rows begin at `first`. */
static gdyn_status project(const gdyn_coefficient_rows *t, int first, int k, double *work,
                           gdyn_access *access, gdyn_projection projection, gdyn_region *region) {
    static const int order[6] = {GDYN_COLUMN_A, GDYN_COLUMN_B,   GDYN_COLUMN_C,
                                 GDYN_COLUMN_D, GDYN_COLUMN_MIN, GDYN_COLUMN_MAX};
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
                           .r = t->r,
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

/* Names of rows outlive the table. */
static bool take_names(gdyn_analysis *analysis, gdyn_coefficient_rows *t, int k) {
    analysis->text = gdyn_alloc((size_t)k + 1, sizeof *analysis->text);
    for (int i = 0; analysis->text && i < k; i++) {
        analysis->text[i] = t->row[i].drive;
        analysis->row[i] = gdyn_limited_row_of_file(t->row[i].drive, (gdyn_dimension){0});
        t->row[i].drive = NULL;
    }
    return analysis->text != NULL;
}

static gdyn_status project_all(gdyn_coefficient_rows *t, int points, gdyn_projection projection,
                               gdyn_analysis *analysis) {
    int k = t->count / points;
    gdyn_status status = GDYN_ERROR_MEMORY;
    double *work = gdyn_alloc((size_t)(k * (6 + t->r)) + 1, sizeof *work);
    gdyn_access *access = gdyn_access_create(k, t->r, 0);
    analysis->region = gdyn_alloc((size_t)points + 1, sizeof(gdyn_region *));
    analysis->common = gdyn_region_create();
    if (work && access && analysis->region && analysis->common &&
        gdyn_analysis_reserve(analysis, points, k)) {
        status = GDYN_OK;
    }
    for (int i = 0; status == GDYN_OK && i < points; i++) {
        analysis->region[i] = gdyn_region_create();
        status = analysis->region[i]
                     ? project(t, i * k, k, work, access, projection, analysis->region[i])
                     : GDYN_ERROR_MEMORY;
        if (status == GDYN_OK) {
            analysis->p[i] = t->row[i * k].p;
            analysis->status[i] = gdyn_region_status_name(analysis->region[i]->status);
        }
    }
    analysis->criteria = gdyn_criteria_none();
    if (status == GDYN_OK) {
        status = gdyn_regions_criteria(points, (const gdyn_region *const *)analysis->region,
                                       analysis->common, &analysis->criteria);
    }
    if (status == GDYN_OK && !take_names(analysis, t, k)) {
        status = GDYN_ERROR_MEMORY;
    }
    gdyn_free(work);
    gdyn_access_destroy(access);
    return status;
}

int gdyn_analyse_coefficients(const char *filename, gdyn_projection projection,
                              gdyn_analysis *analysis) {
    gdyn_coefficient_rows t = {.filename = filename};
    *analysis = (gdyn_analysis){0};
    int code = gdyn_coefficient_rows_read(&t);
    int points = code == GDYN_EXIT_YES ? count_points(&t, rows_of_point(&t)) : 0;
    if (points > 0) {
        gdyn_status status = project_all(&t, points, projection, analysis);
        code = gdyn_exit_code(status);
        if (status != GDYN_OK) {
            gdyn_cli_error("%s: %s", filename, gdyn_status_text(status));
        }
        analysis->series.name = "coefficients";
        analysis->series.unit = gdyn_path_unit_of_dimension(t.p_dimension);
        analysis->series.region = (const gdyn_region *const *)analysis->region;
        analysis->series.common = analysis->common;
        analysis->series.criteria = &analysis->criteria;
    } else if (code == GDYN_EXIT_YES) {
        code = GDYN_EXIT_CASE;
    }
    gdyn_coefficient_rows_free(&t);
    return code;
}

/* --- the table as a supply of coefficients ------------------------------------------------------ */

static gdyn_supply *supply_of(const gdyn_coefficient_rows *t, int points) {
    static const int order[6] = {GDYN_COLUMN_A, GDYN_COLUMN_B,   GDYN_COLUMN_C,
                                 GDYN_COLUMN_D, GDYN_COLUMN_MIN, GDYN_COLUMN_MAX};
    int k = t->count / points, width = 6 + t->r;
    size_t n = (size_t)points;
    double *numbers = gdyn_alloc(n * (size_t)(k * width) + 1, sizeof *numbers);
    double *p = gdyn_alloc(n, sizeof *p);
    gdyn_coefficients *q = gdyn_alloc(n, sizeof *q);
    gdyn_supply *supply = NULL;
    for (int i = 0; i < points && numbers && p && q; i++) {
        double *at = numbers + (size_t)i * (size_t)(k * width);
        for (int line = 0; line < k; line++) {
            const gdyn_coefficient_row *from = &t->row[i * k + line];
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
    for (int line = 0; supply && t->rated && line < k; line++) {
        numbers[line] = INFINITY; /* the least of all points */
        for (int i = 0; i < points; i++) {
            numbers[line] = fmin(numbers[line], t->row[i * k + line].number[GDYN_COLUMN_RATE]);
        }
    }
    if (supply && t->rated && gdyn_supply_set_rates(supply, numbers) != GDYN_OK) {
        gdyn_supply_destroy(supply);
        supply = NULL;
    }
    gdyn_free(numbers);
    gdyn_free(p);
    gdyn_free(q);
    return supply;
}

int gdyn_coefficients_supply(const char *filename, gdyn_supply **supply, gdyn_dimension *p,
                             gdyn_dimension *force, char ***drives) {
    gdyn_coefficient_rows t = {.filename = filename};
    int code = gdyn_coefficient_rows_read(&t);
    int points = code == GDYN_EXIT_YES ? count_points(&t, rows_of_point(&t)) : 0;
    if (code == GDYN_EXIT_YES && (points < 2 || t.row[t.count - 1].p <= t.row[0].p)) {
        if (points > 0) {
            gdyn_cli_error("%s: a motion needs at least two values of p", filename);
        }
        code = GDYN_EXIT_CASE;
    }
    if (code == GDYN_EXIT_YES) {
        int k = t.count / points;
        *p = t.p_dimension;
        *force = t.force_dimension;
        *supply = supply_of(&t, points);
        *drives = gdyn_alloc((size_t)k + 1, sizeof **drives);
        code = *supply && *drives ? GDYN_EXIT_YES : GDYN_EXIT_INTERNAL;
        for (int i = 0; *drives && i < k; i++) {
            (*drives)[i] = t.row[i].drive;
            t.row[i].drive = NULL;
        }
    }
    gdyn_coefficient_rows_free(&t);
    return code;
}
