/* coefficients.c - anybody's dynamics: a table with one row per path point and drive,
 *
 *   p,drive,A,B,C,D,min,max,V1,...,Vr        n = A d1^2 + B d1 + C + D d2 + V y,  min <= n <= max
 *
 * in any order of the columns; rows of one point stand together. Empty limits, inf and -inf mean
 * that there is none. Rows of the kind `equality` follow the limits of their point. */
#include "trajectory/coefficients.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POINT_ROWS_MAX = 256 };

/* Row behind the last one with the same p as `first`. */
static int end_of_p(const gdyn_coefficient_rows *t, int first) {
    int end = first + 1;
    while (end < t->count && t->row[end].p == t->row[first].p)
        end++;
    return end;
}

/* Rows of a point: the fewest that stand together with the same p, where two points may lie (limits
 * that jump), as long as the first ones can be read like that. */
static int rows_of_point(const gdyn_coefficient_rows *t) {
    /* The fewest rows of one p: two points with the same p double them. */
    int least = t->count, begin = end_of_p(t, 0);
    for (int first = 0; first < t->count; first = end_of_p(t, first)) {
        int rows = end_of_p(t, first) - first;
        least = rows < least ? rows : least;
    }
    /* The first rows repeat the same drives, or they are one point. */
    for (int i = least; i < begin; i++)
        if (begin % least != 0 || strcmp(t->row[i].drive, t->row[i - least].drive) != 0)
            return begin;
    return least;
}

static void refuse_point(const gdyn_coefficient_row *first, int k, const char *filename,
                         const gdyn_sink *sink) {
    char message[200];
    snprintf(message, sizeof message,
             "p = %g does not have the same %d drives in the same order as the first point",
             first->p, k);
    gdyn_diag diag = {.severity = GDYN_ERROR,
                      .code = gdyn_code_of(GDYN_CODE_TABLE),
                      .path = "",
                      .message = message,
                      .file = filename,
                      .line = first->line,
                      .column = 1,
                      .width = 1};
    if (sink && sink->emit)
        sink->emit(sink->context, &diag);
}

/* Every point has the same drives in the same order; returns the number of points, 0 after a message. */
static int count_points(const gdyn_coefficient_rows *t, int k, const char *filename,
                        const gdyn_sink *sink) {
    int points = 0;
    /* Compare every block of k rows with the first one. */
    for (int first = 0; first < t->count; first += k, points++)
        for (int i = 0; i < k; i++) {
            const gdyn_coefficient_row *now = &t->row[first + i];
            bool same = first + i < t->count && now->p == t->row[first].p &&
                        !strcmp(now->drive, t->row[i].drive);
            if (!same || k > POINT_ROWS_MAX) {
                refuse_point(&t->row[first], k, filename, sink);
                return 0;
            }
        }
    return points;
}

/* Rows that are equalities: those of all points, each with the number of limit rows before it. */
typedef struct equalities {
    gdyn_coefficient_row *row;
    int *behind, count;
} equalities;

/* Takes them out of the rows, so that these are limits alone. */
static gdyn_status set_apart(gdyn_coefficient_rows *t, gdyn_arena *arena, equalities *out) {
    int kept = 0;
    out->row = gdyn_arena_alloc(arena, (size_t)t->count + 1, sizeof *out->row);
    out->behind = gdyn_arena_alloc(arena, (size_t)t->count + 1, sizeof *out->behind);
    if (!out->row || !out->behind)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < t->count; i++) {
        gdyn_coefficient_row now = t->row[i];
        if (now.equality) {
            gdyn_free(now.drive);
            out->behind[out->count] = kept;
            out->row[out->count++] = now;
        } else {
            t->row[kept++] = now;
        }
    }
    t->count = kept;
    return GDYN_OK;
}

enum { NUMBERS = 11, EQUALITY_NUMBERS = 4 };

/* The equalities behind the rows first .. first + k - 1, into number (4 each). */
static void take_equalities(const equalities *e, int first, int k, gdyn_coefficients *q,
                            double *number) {
    int begin = 0, count = 0;
    while (begin < e->count && e->behind[begin] <= first)
        begin++;
    while (begin + count < e->count && e->behind[begin + count] <= first + k)
        count++;
    q->equalities = count;
    q->eq_a = number, q->eq_b = number + count;
    q->eq_c = number + 2 * count, q->eq_d = number + 3 * count;
    for (int i = 0; i < count; i++) {
        const double *own = e->row[begin + i].number;
        number[i] = own[GDYN_COLUMN_A], number[count + i] = own[GDYN_COLUMN_B];
        number[2 * count + i] = own[GDYN_COLUMN_C], number[3 * count + i] = own[GDYN_COLUMN_D];
        q->eq_a_error = fmax(q->eq_a_error, own[GDYN_COLUMN_A_ERROR]);
        q->eq_b_error = fmax(q->eq_b_error, own[GDYN_COLUMN_B_ERROR]);
        q->eq_d_error = fmax(q->eq_d_error, own[GDYN_COLUMN_D_ERROR]);
    }
}

/* Bounds of d1: the narrowest of the point's rows. */
static void take_speeds(const gdyn_coefficient_row *row, int k, gdyn_coefficients *q) {
    for (int i = 0; i < k; i++) {
        q->d1_low = fmax(q->d1_low, row[i].number[GDYN_COLUMN_D1_MIN]);
        if (row[i].number[GDYN_COLUMN_D1_MAX] < q->d1_high) {
            q->d1_high = row[i].number[GDYN_COLUMN_D1_MAX];
            q->d1_high_window = i;
        }
    }
}

/* Coefficients of the point whose rows begin at `first`; number: k x (11 + r), column-major. */
static gdyn_coefficients point_of(const gdyn_coefficient_rows *t, int first, int k,
                                  double *number) {
    static const int order[NUMBERS] = {
        GDYN_COLUMN_A,       GDYN_COLUMN_B,       GDYN_COLUMN_C,         GDYN_COLUMN_D,
        GDYN_COLUMN_MIN,     GDYN_COLUMN_MAX,     GDYN_COLUMN_MIN_SLOPE, GDYN_COLUMN_MAX_SLOPE,
        GDYN_COLUMN_A_ERROR, GDYN_COLUMN_B_ERROR, GDYN_COLUMN_D_ERROR};
    for (int i = 0; i < k; i++)
        for (int j = 0; j < NUMBERS + t->r; j++)
            number[j * k + i] =
                j < NUMBERS ? t->row[first + i].number[order[j]] : t->row[first + i].v[j - NUMBERS];
    return (gdyn_coefficients){.k = k,
                               .r = t->r,
                               .A = number,
                               .B = number + k,
                               .C = number + 2 * k,
                               .D = number + 3 * k,
                               .min = number + 4 * k,
                               .max = number + 5 * k,
                               .min_slope = number + 6 * k,
                               .max_slope = number + 7 * k,
                               .A_error = number + 8 * k,
                               .B_error = number + 9 * k,
                               .D_error = number + 10 * k,
                               .V = number + NUMBERS * k,
                               .d1_high = INFINITY,
                               .d1_low_window = -1,
                               .d1_high_window = -1};
}

/* One limit for the whole path: the least of those stated at its points. */
static double least_rate(const gdyn_coefficient_rows *t, int k, int row) {
    double least = INFINITY;
    for (int i = row; i < t->count; i += k)
        least = fmin(least, t->row[i].number[GDYN_COLUMN_RATE]);
    return least;
}

static gdyn_status take(gdyn_coefficient_points *c, gdyn_arena *arena,
                        const gdyn_coefficient_rows *t, const equalities *e) {
    /* Numbers of all points in one block: k x (11 + r) each. */
    size_t n = (size_t)c->points, k = (size_t)c->k, width = k * (size_t)(NUMBERS + t->r);
    double *number = gdyn_arena_alloc(arena, n * width + 1, sizeof *number);
    double *equal = gdyn_arena_alloc(arena, EQUALITY_NUMBERS * (size_t)e->count + 1, sizeof *equal);
    c->unit = gdyn_arena_alloc(arena, k, sizeof *c->unit);
    c->p = gdyn_arena_alloc(arena, n, sizeof *c->p);
    c->q = gdyn_arena_alloc(arena, n, sizeof *c->q);
    c->drive = gdyn_arena_alloc(arena, k, sizeof *c->drive);
    c->rate = t->rated ? gdyn_arena_alloc(arena, k, sizeof *c->rate) : NULL;
    if (!number || !equal || !c->unit || !c->p || !c->q || !c->drive || (t->rated && !c->rate))
        return GDYN_ERROR_MEMORY;
    /* Points in the order of the file. */
    for (int i = 0; i < c->points; i++) {
        c->p[i] = t->row[i * c->k].p;
        c->q[i] = point_of(t, i * c->k, c->k, number + (size_t)i * width);
        take_speeds(&t->row[i * c->k], c->k, &c->q[i]);
        take_equalities(e, i * c->k, c->k, &c->q[i], equal);
        equal += EQUALITY_NUMBERS * c->q[i].equalities;
        c->equalities = c->q[i].equalities > c->equalities ? c->q[i].equalities : c->equalities;
    }
    /* Names of the drives, and the limits of their rates. */
    for (int row = 0; row < c->k; row++) {
        c->drive[row] = gdyn_arena_strdup(arena, t->row[row].drive);
        c->unit[row] = !t->units ? "" : t->row[row].torque ? "N m" : "N";
        if (!c->drive[row])
            return GDYN_ERROR_MEMORY;
        if (c->rate)
            c->rate[row] = least_rate(t, c->k, row);
    }
    return GDYN_OK;
}

gdyn_status gdyn_coefficient_points_read(gdyn_coefficient_points *c, gdyn_arena *arena,
                                         const char *filename, int number, const gdyn_sink *sink) {
    gdyn_coefficient_rows t = {0};
    equalities e = {0};
    *c = (gdyn_coefficient_points){0};
    gdyn_status status = gdyn_coefficient_rows_read(&t, filename, number, sink);
    if (status == GDYN_OK)
        status = set_apart(&t, arena, &e);
    if (status == GDYN_OK && t.count == 0) {
        gdyn_diag_emit(sink, GDYN_ERROR, filename, NULL,
                       GDYN_CODE_TABLE "a trajectory needs rows that are no equalities");
        status = GDYN_ERROR_INPUT;
    }
    if (status == GDYN_OK && t.trajectory) {
        c->trajectory = gdyn_arena_strdup(arena, t.trajectory);
        status = c->trajectory ? GDYN_OK : GDYN_ERROR_MEMORY;
    }
    if (status == GDYN_OK) {
        c->trajectories = t.trajectories;
        c->p_dimension = t.p_dimension;
        c->force_dimension = t.force_dimension;
        c->k = rows_of_point(&t);
        c->points = count_points(&t, c->k, filename, sink);
        status = c->points > 0 ? take(c, arena, &t, &e) : GDYN_ERROR_INPUT;
    }
    gdyn_coefficient_rows_free(&t);
    return status;
}
