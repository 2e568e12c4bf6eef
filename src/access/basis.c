/* basis.c - an orthonormal basis of the internal forces V, in the units of the rows.
 *
 * Gram and Schmidt with column pivoting, every column twice: what a second pass leaves is
 * orthogonal to rounding. The rank is the number of columns that keep more than rounding. */
#include "access/projection.h"

#include <math.h>
#include <string.h>

/* Removes from column j of V (k x r, row-major) its part along the columns listed in order[0..n).
 */
static void deflate(gdyn_problem *p, int r, int j, int n) {
    for (int m = 0; m < n; m++) {
        double dot = 0;
        for (int i = 0; i < p->k; i++)
            dot += p->V[i * r + p->order[m]] * p->V[i * r + j];
        for (int i = 0; i < p->k; i++)
            p->V[i * r + j] -= dot * p->V[i * r + p->order[m]];
    }
}

/* |V_j|, over all rows. */
static double column_norm(const gdyn_problem *p, int r, int j) {
    double sum = 0;
    for (int i = 0; i < p->k; i++)
        sum += p->V[i * r + j] * p->V[i * r + j];
    return sqrt(sum);
}

static void scale_column(gdyn_problem *p, int r, int j, double s) {
    for (int i = 0; i < p->k; i++)
        p->V[i * r + j] *= s;
}

/* Columns of V to unit length, listed in p->order; those that scaling has left at rounding level
 * are none. Their number. */
static int unit_columns(gdyn_problem *p, int r) {
    int count = 0;
    /* scaling left nothing of a column under GDYN_ACCESS_ZERO */
    for (int j = 0; j < r; j++) {
        double norm = column_norm(p, r, j);
        if (norm > GDYN_ACCESS_ZERO * sqrt(p->column[j])) {
            scale_column(p, r, j, 1 / norm);
            p->order[count++] = j;
        }
    }
    return count;
}

/* Greatest entry of each row in unit columns: its share in the internal forces. */
static void note_shares(gdyn_problem *p, int r, int count) {
    for (int i = 0; i < p->k; i++) {
        p->row[i].share = 0;
        for (int m = 0; m < count; m++)
            p->row[i].share = gdyn_greater(p->row[i].share, fabs(p->V[i * r + p->order[m]]));
    }
}

/* Orthonormal basis of the range of V by Gram-Schmidt with column pivoting, done twice. Columns are
 * brought to unit length first: the answer does not depend on the units of y. */
static void orthonormalize(gdyn_problem *p, int r) {
    int kept = 0, count = unit_columns(p, r);
    note_shares(p, r, count);
    /* the longest of the columns that are left, without its part in those kept */
    while (kept < count) {
        int best = kept;
        double most = -1;
        for (int m = kept; m < count; m++) {
            deflate(p, r, p->order[m], kept);
            double norm = column_norm(p, r, p->order[m]);
            if (norm > most) {
                most = norm;
                best = m;
            }
        }
        /* what is left is rounding: the rank is found */
        if (!(most > GDYN_ACCESS_ZERO * 10))
            break;
        /* the second pass removes what rounding left of the first */
        int j = p->order[best];
        p->order[best] = p->order[kept];
        scale_column(p, r, j, 1 / most);
        deflate(p, r, j, kept);
        scale_column(p, r, j, 1 / column_norm(p, r, j));
        p->order[kept++] = j;
    }
    p->r = kept;
}

/* Compacts the kept columns to k x rank and forms the rows of unit length. */
static void compact(gdyn_problem *p, int r) {
    /* the columns kept, in their order; rows of V and their directions */
    for (int i = 0; i < p->k; i++) {
        for (int j = 0; j < p->r; j++)
            p->column[j] = p->V[i * r + p->order[j]];
        memcpy(p->V + i * p->r, p->column, (size_t)p->r * sizeof(double));
        /* rows without influence of V are exact zeros */
        double sum = 0;
        for (int j = 0; j < p->r; j++)
            sum += p->column[j] * p->column[j];
        double norm = sqrt(sum);
        if (norm <= GDYN_ACCESS_ZERO)
            norm = 0;
        p->row[i].norm = norm;
        for (int j = 0; j < p->r; j++) {
            if (norm == 0)
                p->V[i * p->r + j] = 0;
            p->unit_V[i * p->r + j] = norm > 0 ? p->column[j] / norm : 0;
        }
    }
}

/* Into p->column the squares of V's columns in the rows that were left out, in the greatest unit of
 * the others. What is 1e-11 of them in the other rows is rounding, not a direction. */
static void measure_unlimited(gdyn_problem *p, const gdyn_coefficients *q) {
    double unit = 0;
    for (int i = 0; i < p->k; i++)
        unit = gdyn_greater(unit, p->row[i].unit);
    memset(p->column, 0, (size_t)q->r * sizeof *p->column);
    for (int i = 0; unit > 0 && i < q->k; i++)
        for (int j = 0; gdyn_problem_unlimited(p, i) && j < q->r; j++)
            p->column[j] += pow(q->V[j * q->k + i] / unit, 2);
}

void gdyn_problem_basis(gdyn_problem *p, const gdyn_coefficients *q) {
    for (int i = 0; i < p->k; i++)
        for (int j = 0; j < q->r; j++)
            p->V[i * q->r + j] =
                p->row[i].source < 0 ? 0 : q->V[j * q->k + p->row[i].source] / p->row[i].unit;
    measure_unlimited(p, q);
    orthonormalize(p, q->r);
    compact(p, q->r);
}
