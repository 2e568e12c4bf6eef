/* coefficients_table.h - the rows of a file of coefficients, see coefficients.c. */
#ifndef GDYN_CLI_COEFFICIENTS_TABLE_H
#define GDYN_CLI_COEFFICIENTS_TABLE_H

#include "cli/cli.h"
#include "expr/expr.h"

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
    GDYN_COLUMNS
};

typedef struct gdyn_coefficient_row {
    double p, number[GDYN_COLUMNS]; /* number: indexed by GDYN_COLUMN_* */
    double v[GDYN_COEFFICIENT_FREE_MAX];
    char *drive;
    int line;
} gdyn_coefficient_row;

typedef struct gdyn_coefficient_rows {
    const char *filename;
    int r;                          /* columns V1..Vr */
    bool rated;                     /* there is a column rate */
    gdyn_dimension p_dimension;     /* stated, else a pure number */
    gdyn_dimension force_dimension; /* N or N m when a column says so */
    gdyn_coefficient_row *row;
    int count, capacity;
} gdyn_coefficient_rows;

/* Reads the file `filename` of the rows, which are empty otherwise; an exit code. Heads may state units
 * ("p [mm]", "C [kN]"); numbers are SI then. */
int gdyn_coefficient_rows_read(gdyn_coefficient_rows *rows);
/* Also after a failure. */
void gdyn_coefficient_rows_free(gdyn_coefficient_rows *rows);

#endif
