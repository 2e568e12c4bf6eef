/* planned.c - the forces n of a plan drive its motion on this machine when n - (A d1^2 + B d1 + C +
 * D d2) lies in the range of V: what is left of it in least squares, every drive in its unit
 * (gdyn_force_unit), is what another machine changes. */
#include "trajectory/playback.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "table/table.h"
#include "traverse/motion.h"
#include "traverse/path_dynamics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Less than this share of the largest force of the plan, or of the drive's unit, is rounding. */
static const double SAME = 1e-4;

typedef struct comparison {
    const gdyn_trajectory *t;
    gdyn_table table;
    int at[6];                          /* trajectory, t, p, d1, d2; s */
    int drives;                         /* rows of drives, the first of each */
    int *row, *column;                  /* drives */
    double *V, *f, *left, *unit, *most; /* drives x r; drives each */
    gdyn_svd *svd;
    double worst; /* of all rows so far, in units */
} comparison;

/* The first column of that name; limits that repeat a drive repeat its column. */
static int find(const gdyn_table *table, const char *name) {
    for (int c = 0; c < table->columns; c++)
        if (strcmp(table->column[c].name, name) == 0)
            return c;
    return -1;
}

/* Columns and their units; false where the file lacks one. */
static bool find_columns(comparison *c) {
    static const char *const in_p[] = {"trajectory", "t", "p", "d1", "d2", "p"};
    static const char *const in_s[] = {"trajectory", "t", "p", "s1", "s2", "s"};
    const gdyn_trajectory *t = c->t;
    char name[200];
    for (int i = 0; i < 6; i++) {
        bool travels = i > 2 && gdyn_path_dynamics_travels(t->dynamics);
        const char *const *names = travels ? in_s : in_p;
        gdyn_dimension dimension = i == 1    ? GDYN_DIM_TIME
                                   : travels ? GDYN_DIM_LENGTH
                                             : t->dimension;
        c->at[i] = find(&c->table, names[i]);
        dimension.s = (signed char)(dimension.s - (i == 3 || i == 4 ? i - 2 : 0));
        if (i > 0 && c->at[i] >= 0)
            gdyn_table_unit(&c->table, c->at[i], dimension, names[i]);
    }
    for (int row = 0; row < t->rows; row++) {
        int drive = gdyn_path_dynamics_effort(t->dynamics, row);
        bool again = !gdyn_path_dynamics_driven(t->dynamics, row);
        for (int k = 0; k < c->drives; k++)
            again |= gdyn_path_dynamics_effort(t->dynamics, c->row[k]) == drive;
        if (again)
            continue;
        double factor;
        gdyn_dimension effort = GDYN_DIM_UNKNOWN;
        if (*t->row[row].unit)
            gdyn_unit_parse(t->row[row].unit, &factor, &effort);
        snprintf(name, sizeof name, "%.150s.force", t->row[row].name);
        c->row[c->drives] = row;
        if ((c->column[c->drives] = find(&c->table, name)) < 0)
            return false;
        gdyn_table_unit(&c->table, c->column[c->drives++], effort, name);
    }
    return c->drives > 0 && c->at[2] >= 0 && c->at[3] >= 0 && c->at[4] >= 0 && c->at[5] >= 0;
}

/* The present row of the file. */
static gdyn_status compare_row(comparison *c, gdyn_planned *out) {
    gdyn_table *table = &c->table;
    double p = gdyn_table_number(table, c->at[2]), d1 = gdyn_table_number(table, c->at[3]);
    double d2 = gdyn_table_number(table, c->at[4]), place = gdyn_table_number(table, c->at[5]);
    const gdyn_coefficients *q;
    gdyn_point_status found;
    /* at rest friction has no direction, and the file rounds places */
    double first = gdyn_path_dynamics_first(c->t->dynamics);
    double last = gdyn_path_dynamics_last(c->t->dynamics);
    if (table->status != GDYN_OK || !(d1 > 0))
        return GDYN_OK;
    gdyn_status status =
        gdyn_path_dynamics_at(c->t->dynamics, fmin(fmax(place, first), last), &q, &found);
    if (status != GDYN_OK || found != GDYN_POINT_OK)
        return status;
    for (int k = 0; k < c->drives; k++) {
        int i = c->row[k];
        double n = gdyn_table_number(table, c->column[k]);
        if (table->status != GDYN_OK || i >= q->k)
            return GDYN_OK;
        c->unit[k] = gdyn_force_unit(q, i);
        c->most[k] = fmax(c->most[k], fabs(n));
        c->f[k] = (n - ((q->A[i] * d1 + q->B[i]) * d1 + q->C[i] + q->D[i] * d2)) / c->unit[k];
        for (int j = 0; j < q->r; j++)
            c->V[k + (size_t)c->drives * (size_t)j] =
                q->V[i + (size_t)q->k * (size_t)j] / c->unit[k];
    }
    status = gdyn_svd_factor(c->svd, c->drives, q->r, c->V, c->drives, 0);
    if (status != GDYN_OK)
        return status;
    gdyn_svd_residual(c->svd, c->f, c->left);
    out->rows++;
    for (int k = 0; k < c->drives; k++) {
        double share = fabs(c->left[k]);
        if (!(share > fmax(SAME, c->worst)) || share * c->unit[k] < SAME * c->most[k])
            continue;
        double n = gdyn_table_number(table, c->column[k]);
        c->worst = share;
        out->row = c->row[k], out->p = p;
        out->t = c->at[1] >= 0 ? gdyn_table_number(table, c->at[1]) : NAN;
        out->force = n, out->needed = n - c->left[k] * c->unit[k];
    }
    return GDYN_OK;
}

gdyn_status gdyn_planned_compare(const gdyn_trajectory *t, const char *filename,
                                 gdyn_planned *out) {
    gdyn_arena *arena = gdyn_arena_create();
    comparison c = {.t = t};
    const gdyn_sink silent = {0};
    size_t rows = (size_t)t->rows, r = (size_t)gdyn_path_dynamics_redundancy(t->dynamics);
    *out = (gdyn_planned){.row = -1, .t = NAN};
    if (!arena)
        return GDYN_ERROR_MEMORY;
    c.row = gdyn_arena_alloc(arena, 2 * rows + 1, sizeof *c.row);
    c.V = gdyn_arena_doubles(arena, rows * (r + 4) + 1);
    c.svd = gdyn_svd_create((int)rows, (int)r);
    gdyn_status status = c.row && c.V && c.svd ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK) {
        c.column = c.row + rows, c.f = c.V + rows * r;
        c.left = c.f + rows;
        c.unit = c.left + rows;
        c.most = c.unit + rows;
        status = gdyn_table_open_file(&c.table, arena, filename, &silent);
    }
    if (status == GDYN_OK && find_columns(&c))
        while (status == GDYN_OK && gdyn_table_next(&c.table))
            if (c.at[0] < 0 || strcmp(c.table.cell[c.at[0]].text, t->name) == 0)
                status = compare_row(&c, out);
    gdyn_svd_destroy(c.svd);
    gdyn_arena_destroy(arena);
    return status == GDYN_ERROR_MEMORY || status == GDYN_ERROR_NUMERIC ? status : GDYN_OK;
}
