/* column.h - heads of tables: NAME or NAME [UNIT]. Everything that is read from a CSV file goes through
 * here, so that a unit is converted or refused, and never passed over. */
#ifndef GDYN_CASEFILE_COLUMN_H
#define GDYN_CASEFILE_COLUMN_H

#include "expr/expr.h"

typedef struct gdyn_column {
    char name[96];
    bool stated;              /* a unit stands there */
    double factor;            /* SI value = number * factor; 1 without a unit */
    gdyn_dimension dimension; /* unknown without a unit */
} gdyn_column;

typedef struct gdyn_column_trouble {
    char message[240], help[120]; /* help may be "" */
} gdyn_column_trouble;

/* Takes one head apart: blanks and double quotes around it are left out, the unit stands in brackets or
 * parentheses ("x [mm]", "t (ms)"); "[-]" and "[1]" are a pure number. False with *trouble when the unit is
 * none, or the bracket does not close. */
bool gdyn_column_read(const char *text, size_t length, gdyn_column *out,
                      gdyn_column_trouble *trouble);

/* True when a column that holds `what` ("p of 'ring'", "the design variable leg") of that dimension may
 * have this head. Without a unit always; an unknown dimension takes every unit. */
bool gdyn_column_fits(const gdyn_column *column, gdyn_dimension wanted, const char *what,
                      gdyn_column_trouble *trouble);

#endif
