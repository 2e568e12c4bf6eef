/* coefficients_table.h - the rows of a file of coefficients, see coefficients.c. */
#ifndef GDYN_CLI_COEFFICIENTS_TABLE_H
#define GDYN_CLI_COEFFICIENTS_TABLE_H

#include "cli/cli.h"
#include "expr/expr.h"

enum { GDYN_TABLE_FIXED = 8, GDYN_TABLE_FREE_MAX = 16, GDYN_TABLE_FIELDS_MAX = 64 };
enum {
    GDYN_COLUMN_P,
    GDYN_COLUMN_DRIVE,
    GDYN_COLUMN_A,
    GDYN_COLUMN_B,
    GDYN_COLUMN_C,
    GDYN_COLUMN_D,
    GDYN_COLUMN_MIN,
    GDYN_COLUMN_MAX
};

typedef struct gdyn_table_row {
    double p, number[GDYN_TABLE_FIXED]; /* number: indexed by GDYN_COLUMN_* */
    double v[GDYN_TABLE_FREE_MAX];
    double rate; /* INFINITY: not limited */
    char *drive;
    int line;
} gdyn_table_row;

typedef struct gdyn_row_table {
    const char *filename;
    char *text;
    int line;                             /* of the line being read */
    char *line_text;                      /* its text, terminated */
    int fixed[GDYN_TABLE_FIXED];          /* field of each fixed column */
    int free[GDYN_TABLE_FREE_MAX], r;     /* fields of V1..Vr */
    int rate;                             /* field of rate, -1: there is none */
    double factor[GDYN_TABLE_FIELDS_MAX]; /* fields: to SI */
    gdyn_dimension p_dimension;           /* stated, else a pure number */
    gdyn_dimension force_dimension;       /* N or N m when a column says so */
    int fields;
    gdyn_table_row *row;
    int count, capacity;
} gdyn_row_table;

/* Reads the file `filename` of the table, which is empty otherwise; an exit code. Heads may state units
 * ("p [mm]", "C [kN]"); numbers are SI then. */
int gdyn_table_read(gdyn_row_table *table);
/* Also after a failure. */
void gdyn_table_free(gdyn_row_table *table);

#endif
