/* coefficients_csv.c - the coefficients of the limit rows at the points of trajectories, as
 * --coefficients reads them.
 *
 * A column that no row needs is left out: limits of rates and of d1, slopes of limits in d1,
 * equalities, errors of rounding. */
#include "report/report.h"

#include "report/number.h"

#include <math.h>

/* Columns behind V, min, max, unit. */
enum { KIND, RATE, D1_MIN, D1_MAX, MIN_SLOPE, MAX_SLOPE, A_ERROR, B_ERROR, D_ERROR, EXTRAS };
static const char *const extra_names[EXTRAS] = {
    "kind", "rate", "d1_min", "d1_max", "min_slope", "max_slope", "A_error", "B_error", "D_error"};

typedef struct columns {
    int r;
    bool extra[EXTRAS];
} columns;

static double of(const double *list, int i) {
    return list ? list[i] : 0;
}

/* NULL: the point is not followed. */
static const gdyn_coefficients *point_of(const gdyn_trajectory *t, int i) {
    return t->evaluation->track->status[i] == GDYN_POINT_OK ? &t->evaluation->pose[i]->coefficients
                                                            : NULL;
}

static void find_columns(const gdyn_trajectory *t, columns *c) {
    for (int i = 0; i < t->along.points; i++) {
        const gdyn_coefficients *q = point_of(t, i);
        if (!q)
            continue;
        c->r = q->r > c->r ? q->r : c->r;
        c->extra[KIND] |= q->equalities > 0, c->extra[D1_MIN] |= q->d1_low > 0;
        c->extra[D1_MAX] |= isfinite(q->d1_high);
        c->extra[A_ERROR] |= q->eq_a_error > 0, c->extra[B_ERROR] |= q->eq_b_error > 0;
        c->extra[D_ERROR] |= q->eq_d_error > 0;
        for (int row = 0; row < q->k; row++) {
            c->extra[RATE] |= isfinite(t->row[row].rate);
            c->extra[MIN_SLOPE] |= of(q->min_slope, row) != 0;
            c->extra[MAX_SLOPE] |= of(q->max_slope, row) != 0;
            c->extra[A_ERROR] |= of(q->A_error, row) > 0;
            c->extra[B_ERROR] |= of(q->B_error, row) > 0;
            c->extra[D_ERROR] |= of(q->D_error, row) > 0;
        }
    }
}

static void add_extras(gdyn_text *out, const columns *c, const char *kind,
                       const double value[EXTRAS]) {
    for (int x = 0; x < EXTRAS; x++)
        if (c->extra[x] && x == KIND)
            gdyn_csv_word(out, kind);
        else if (c->extra[x])
            gdyn_csv_number(out, value[x]);
    gdyn_csv_end(out);
}

static void add_limit(gdyn_text *out, const gdyn_trajectory *t, const gdyn_coefficients *q, int row,
                      const columns *c) {
    const double four[] = {q->A[row], q->B[row], q->C[row], q->D[row]};
    gdyn_csv_word(out, t->row[row].name);
    gdyn_csv_numbers(out, 4, four);
    for (int v = 0; v < c->r; v++)
        gdyn_csv_number(out, v < q->r ? q->V[row + v * q->k] : 0);
    gdyn_csv_number(out, q->min[row]), gdyn_csv_number(out, q->max[row]);
    gdyn_csv_word(out, t->row[row].unit);
    /* bounds of d1 stand at the row that they come from; no number: nothing is limited */
    int lane = gdyn_limit_lane(t->row, t->rows, gdyn_limit_window(q->d1_high_window, 1));
    bool speed = isfinite(q->d1_high) && row == (lane < 0 || lane >= t->rows ? 0 : lane);
    double value[EXTRAS] = {
        [RATE] = t->row[row].rate,           [D1_MIN] = row == 0 ? q->d1_low : 0,
        [D1_MAX] = speed ? q->d1_high : NAN, [MIN_SLOPE] = of(q->min_slope, row),
        [MAX_SLOPE] = of(q->max_slope, row), [A_ERROR] = of(q->A_error, row),
        [B_ERROR] = of(q->B_error, row),     [D_ERROR] = of(q->D_error, row)};
    add_extras(out, c, "limit", value);
}

/* Motions that no drive controls: A d1^2 + B d1 + C + D d2 = 0. */
static void add_equality(gdyn_text *out, const gdyn_coefficients *q, int i, const columns *c) {
    const double four[] = {q->eq_a[i], q->eq_b[i], q->eq_c[i], q->eq_d[i]};
    gdyn_csv_text(out, "uncontrolled%d", i + 1);
    gdyn_csv_numbers(out, 4, four);
    for (int v = 0; v < c->r; v++)
        gdyn_csv_number(out, 0);
    gdyn_text_printf(out, ",0,0,");
    double value[EXTRAS] = {[RATE] = NAN,
                            [D1_MAX] = NAN,
                            [A_ERROR] = q->eq_a_error,
                            [B_ERROR] = q->eq_b_error,
                            [D_ERROR] = q->eq_d_error};
    add_extras(out, c, "equality", value);
}

void gdyn_report_coefficients_csv(gdyn_text *out, int count, const gdyn_trajectory *t) {
    columns c = {0};
    for (int s = 0; s < count; s++)
        find_columns(&t[s], &c);
    gdyn_text_printf(out, "trajectory");
    gdyn_csv_path_heads(out, gdyn_csv_unit_of_p(count, t), "p");
    gdyn_text_printf(out, ",drive,A,B,C,D");
    for (int v = 0; v < c.r; v++)
        gdyn_text_printf(out, ",V%d", v + 1);
    gdyn_text_printf(out, ",min,max,unit");
    for (int x = 0; x < EXTRAS; x++)
        if (c.extra[x])
            gdyn_text_printf(out, ",%s", extra_names[x]);
    gdyn_csv_end(out);
    for (int s = 0; s < count; s++)
        for (int i = 0; i < t[s].along.points; i++) {
            const gdyn_coefficients *q = point_of(&t[s], i);
            for (int row = 0; q && row < q->k + q->equalities; row++) {
                gdyn_csv_word(out, t[s].name);
                gdyn_csv_number(out, t[s].along.p[i]);
                if (row < q->k)
                    add_limit(out, &t[s], q, row, &c);
                else
                    add_equality(out, q, row - q->k, &c);
            }
        }
}
