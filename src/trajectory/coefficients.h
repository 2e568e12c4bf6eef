/* coefficients.h - dynamics of anybody's machine as a table of coefficients (internal). */
#ifndef GDYN_TRAJECTORY_COEFFICIENTS_H
#define GDYN_TRAJECTORY_COEFFICIENTS_H

#include "access/access.h"
#include "base/diag.h"
#include "base/memory.h"
#include "expr/expr.h"

/* --- coefficients_table.c: row by row ---------------------------------------------------------- */

enum { GDYN_COEFFICIENT_FREE_MAX = 16 };
enum {
    GDYN_COLUMN_P,
    GDYN_COLUMN_A,
    GDYN_COLUMN_B,
    GDYN_COLUMN_C,
    GDYN_COLUMN_D,
    GDYN_COLUMN_MIN,
    GDYN_COLUMN_MAX,
    GDYN_COLUMN_RATE, /* INFINITY: not limited */
    /* what else a written table has */
    GDYN_COLUMN_MIN_SLOPE,
    GDYN_COLUMN_MAX_SLOPE,
    GDYN_COLUMN_D1_MIN,
    GDYN_COLUMN_D1_MAX,
    GDYN_COLUMN_A_ERROR,
    GDYN_COLUMN_B_ERROR,
    GDYN_COLUMN_D_ERROR,
    GDYN_COLUMNS,
    GDYN_COLUMNS_NEEDED = GDYN_COLUMN_RATE
};

typedef struct gdyn_coefficient_row {
    double p, number[GDYN_COLUMNS]; /* number: indexed by GDYN_COLUMN_* */
    double v[GDYN_COEFFICIENT_FREE_MAX];
    char *drive;
    int line;
    bool equality, torque; /* no limits: A d1^2 + B d1 + C + D d2 = 0; the unit is N m */
} gdyn_coefficient_row;

typedef struct gdyn_coefficient_rows {
    int r;                          /* columns V1..Vr */
    bool rated;                     /* there is a column rate */
    gdyn_dimension p_dimension;     /* stated, else a pure number */
    gdyn_dimension force_dimension; /* N or N m when a column says so */
    gdyn_coefficient_row *row;
    int count, capacity;
    bool units;       /* there is a column unit */
    int trajectories; /* in the file */
    char *trajectory; /* name of the one that was read; NULL: the file has no such column */
} gdyn_coefficient_rows;

/* Rows of the trajectory of that number. Heads may state units ("p [mm]", "C [kN]"); numbers are SI then. To free also after a
 * failure. */
gdyn_status gdyn_coefficient_rows_read(gdyn_coefficient_rows *rows, const char *filename,
                                       int number, const gdyn_sink *sink);
void gdyn_coefficient_rows_free(gdyn_coefficient_rows *rows);

/* --- coefficients.c: point by point ------------------------------------------------------------- */

typedef struct gdyn_coefficient_points {
    gdyn_dimension p_dimension, force_dimension; /* as of the rows */
    int points, k, equalities;                   /* equalities: most of a point */
    double *p;                                   /* points */
    gdyn_coefficients *q;                        /* points */
    char **drive;                                /* k: names */
    const char **unit;                           /* k: "N", "N m"; "": not known */
    double *rate;     /* k: the least of all points; NULL: none is limited */
    int trajectories; /* in the file */
    char *trajectory; /* name of this one; NULL: it has none */
} gdyn_coefficient_points;

/* Reads a trajectory of the table into the arena. */
gdyn_status gdyn_coefficient_points_read(gdyn_coefficient_points *table, gdyn_arena *arena,
                                         const char *filename, int number, const gdyn_sink *sink);

#endif
