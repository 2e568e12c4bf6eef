/* limit.h - limits as values, and what each belongs to. */
#pragma once

#include "mech/limits.h"

#include <stdbool.h>
#include <stddef.h>

GDYN_API_BEGIN

/* A limit that is reached, violated or in conflict. Small, as every arc of every point has a list
 * of them. */
typedef struct gdyn_limit {
    short row;         /* of the coefficients; WINDOW: its number; -1: d1 >= 0, or not known */
    signed char shape; /* gdyn_limit_shape */
    /* -1 at min (THIRD_ORDER: falls), +1 at max (THIRD_ORDER: rises); EQUALITY: +1, 0 where none
     * was found */
    signed char side;
} gdyn_limit;

/* Limit of a row of scaled coefficients (gdyn_limit_row.source): of its force; source -1: the
 * equality. */
gdyn_limit gdyn_limit_of_source(int source, bool high);
/* A bound of d1: d1_low_window (side -1) or d1_high_window (+1) of the coefficients. */
gdyn_limit gdyn_limit_window(int window, int side);

/* --- whose limit it is ----------------------------------------------------------------------- */

/* What a row or a window limits. */
typedef struct gdyn_limited {
    const gdyn_limit_kind *kind;
    const char *name;      /* of the drive, of "friction of JOINT", ... */
    const char *quantity;  /* "force", "torque", "tension", "speed"; "" of static friction */
    const char *unit;      /* "" when not known */
    int effort;            /* of the model (gdyn_model_effort_name); -1: none, or a row of a file */
    double value[2];       /* min and max as set; NAN: no single number */
    double rate;           /* of a row: bound of its rate, per second; INFINITY: none */
    const char *source[2]; /* where: "case.yaml:38"; NULL: not known */
} gdyn_limited;

/* `limited`: what the rows limit, then what the windows do. NULL: belongs to the path, or is not
 * known. */
const gdyn_limited *gdyn_limit_owner(const gdyn_limited *limited, int rows, gdyn_limit limit);
/* Word for the values of a row in tables: "force", "acceleration". */
const char *gdyn_limited_word(const gdyn_limited *limited);
/* Word for their rates, "rate" or "jerk", and its unit, "" when not known. */
const char *gdyn_limited_rate_word(const gdyn_limited *limited, const char **unit);
/* Where a motion's limits are shown: the lane of the row, or of the first row of the same name; the
 * number of rows for the path's own window, the first one. -1: none. */
int gdyn_limit_lane(const gdyn_limited *limited, int rows, gdyn_limit limit);
/* "m1"; "path" and "d1" where the limit belongs to nothing. */
const char *gdyn_limit_name(const gdyn_limited *limited, int rows, gdyn_limit limit);
/* "min", "max", "rate down", "rate up" (of a joint's acceleration: jerk), "speed", "equality". */
const char *gdyn_limit_side(gdyn_limit limit);
/* "m1.torque at its max", "m1 at its curve" for a line of text. */
void gdyn_limit_text(const gdyn_limited *limited, int rows, gdyn_limit limit, char *out,
                     size_t size);
/* d1 >= 0: the path is traversed forward. */
bool gdyn_limit_is_forward(gdyn_limit limit);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

gdyn_limit gdyn_limit_force(int row, int side);
gdyn_limit gdyn_limit_rate(int row, int side);
gdyn_limit gdyn_limit_path(void);
/* Negative, 0, positive: order of lists. */
int gdyn_limit_compare(const void *left, const void *right); /* for qsort */
bool gdyn_limit_same(gdyn_limit a, gdyn_limit b);
bool gdyn_limit_in(const gdyn_limit *list, int count, gdyn_limit limit);
/* Adds a limit to a list unless it is there or the list is full. */
void gdyn_limit_add(gdyn_limit *list, int *count, int capacity, gdyn_limit limit);
