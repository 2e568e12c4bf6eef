/* violation.c - an independent check of one point: its distance from being accessible.
 *
 *   minimize s
 *   subject to  low_i - s u_i <= A_i d1^2 + B_i d1 + C_i + D_i d2 + V_i y <= high_i + s u_i
 *
 * straight from the coefficients, with u_i half the range of the row; nothing is shared with the
 * projection. A linear program; with one internal load y or none the smallest of the largest of
 * lines over y, in closed form. */
#include "access/rows.h"

#include "base/memory.h"
#include "lp/lp.h"

#include <math.h>

static double equality_violation(const gdyn_coefficients *q, double d1, double d2) {
    double worst = -1;
    for (int i = 0; i < q->equalities; i++)
        worst = fmax(worst, fabs(gdyn_equality_at(q, i, d1, d2)));
    return worst;
}

/* --- one internal load at most ---------------------------------------------------------------- */

enum { FEW_ROWS = 32 };

/* s >= slope y + height: one side of a row. */
typedef struct line {
    double slope, height;
} line;

/* Smallest over y of the largest line, at least -1: two lines bound it where one rises and the
 * other falls, by Helly's theorem nothing else does but a level one. */
static double least_of_greatest(int lines, const line *l) {
    double s = -1;
    for (int i = 0; i < lines; i++) {
        if (l[i].slope == 0)
            s = fmax(s, l[i].height);
        for (int j = 0; j < lines && l[i].slope > 0; j++)
            if (l[j].slope < 0)
                s = fmax(s, (l[i].slope * l[j].height - l[j].slope * l[i].height) /
                                (l[i].slope - l[j].slope));
    }
    return s;
}

/* --- any number ------------------------------------------------------------------------------- */

/* Columns: y, brought to unit length, then s. Rows: low side, high side. */
static gdyn_status load(const gdyn_coefficients *q, double d1, double d2, gdyn_lp *lp, double *M) {
    int k = q->k, m = 2 * k;
    /* columns of V in shares of the unit of each row, then of unit length */
    for (int j = 0; j < q->r; j++) {
        double sum = 0;
        for (int i = 0; i < k; i++) {
            double v = q->V[j * k + i] / gdyn_problem_unit(q, i);
            M[j * m + i] = M[j * m + k + i] = v;
            sum += v * v;
        }
        for (int i = 0; i < m && sum > 0; i++)
            M[j * m + i] /= sqrt(sum);
    }
    /* the column of s: every lower side gives by +s, every upper one by -s */
    for (int i = 0; i < k; i++) {
        M[q->r * m + i] = 1;
        M[q->r * m + k + i] = -1;
    }
    gdyn_status status = gdyn_lp_load(lp, m, q->r + 1, M, m);
    /* the right-hand sides at (d1, d2) */
    for (int i = 0; i < k && status == GDYN_OK; i++) {
        double u = gdyn_problem_unit(q, i), f = gdyn_load_at(q, i, d1, d2);
        gdyn_lp_row(lp, i, (gdyn_limit_at(q, i, false, d1) - f) / u, INFINITY);
        gdyn_lp_row(lp, k + i, -INFINITY, (gdyn_limit_at(q, i, true, d1) - f) / u);
    }
    /* s >= -1 keeps the program bounded inside of the region */
    gdyn_lp_column(lp, q->r, -1, INFINITY);
    gdyn_lp_objective(lp, q->r, 1);
    return status;
}

static gdyn_status by_program(const gdyn_coefficients *q, double d1, double d2, double *violation) {
    gdyn_lp *lp = gdyn_lp_create(2 * q->k, q->r + 1);
    double *M = gdyn_alloc(2 * (size_t)q->k * ((size_t)q->r + 1), sizeof *M);
    gdyn_status status = lp && M ? load(q, d1, d2, lp, M) : GDYN_ERROR_MEMORY;
    gdyn_lp_status outcome = GDYN_LP_FAILED;
    if (status == GDYN_OK)
        status = gdyn_lp_solve(lp, false, GDYN_LP_PRIMAL, &outcome);
    if (status == GDYN_OK && outcome == GDYN_LP_OPTIMAL)
        *violation = fmax(gdyn_lp_value(lp), equality_violation(q, d1, d2));
    gdyn_lp_destroy(lp);
    gdyn_free(M);
    return status;
}

gdyn_status gdyn_access_violation(const gdyn_coefficients *q, double d1, double d2,
                                  double *violation) {
    line side[2 * FEW_ROWS];
    *violation = INFINITY;
    if (!isfinite(d1) || !isfinite(d2))
        return GDYN_ERROR_ARGUMENT;
    if (q->r > 1 || q->k > FEW_ROWS)
        return by_program(q, d1, d2, violation);
    /* the sides that have a limit */
    int lines = 0;
    for (int i = 0; i < q->k; i++) {
        double u = gdyn_problem_unit(q, i), f = gdyn_load_at(q, i, d1, d2);
        double v = q->r > 0 ? q->V[i] / u : 0;
        double low = (gdyn_limit_at(q, i, false, d1) - f) / u;
        double high = (gdyn_limit_at(q, i, true, d1) - f) / u;
        if (low > -INFINITY)
            side[lines++] = (line){-v, low};
        if (high < INFINITY)
            side[lines++] = (line){v, -high};
    }
    *violation = fmax(least_of_greatest(lines, side), equality_violation(q, d1, d2));
    return GDYN_OK;
}
