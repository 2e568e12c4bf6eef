/* limit.h - limits as values, and the drive to which each belongs. */
#ifndef GDYN_ACCESS_LIMIT_H
#define GDYN_ACCESS_LIMIT_H

#include "base/api.h"

#include <stdbool.h>
#include <stddef.h>

GDYN_API_BEGIN

/* In the order in which lists name them. */
typedef enum gdyn_limit_kind {
    GDYN_LIMIT_FORWARD, /* d1 >= d1_low: the path is traversed forward */
    GDYN_LIMIT_SPEED,   /* d1 <= d1_high: greatest speed of a drive */
    GDYN_LIMIT_PATH,    /* an equality: no drive controls the motion */
    GDYN_LIMIT_FORCE, /* of a limit row: a drive, a line of its torque-speed curve, static friction */
    GDYN_LIMIT_RATE   /* rate of a row's force */
} gdyn_limit_kind;

/* A limit that is reached, violated or in conflict. Small, as every arc of every point has a list of them. */
typedef struct gdyn_limit {
    short row; /* limit row of the coefficients; SPEED: the row of the drive; -1: none is known */
    signed char kind; /* gdyn_limit_kind */
    /* -1 at min (RATE: falls), +1 at max (RATE: rises); PATH: +1, 0 where none was found */
    signed char side;
} gdyn_limit;

/* Limit of a row of scaled coefficients (gdyn_limit_row.source): of its force; source -1: the equality. */
gdyn_limit gdyn_limit_of_source(int source, bool high);

/* --- whose limit it is ----------------------------------------------------------------------- */

/* The meaning of a limit row. */
typedef struct gdyn_limited_row {
    const char *name;     /* of the drive, or of the joint with static friction */
    const char *quantity; /* "force", "torque", "tension"; "" of static friction */
    const char *unit;     /* of the force, "" when not known */
    int drive;            /* effort of the model (gdyn_model_effort_name); -1: row of a file */
    bool curve;           /* a line of the drive's torque-speed curve */
} gdyn_limited_row;

/* The row that the limit belongs to; NULL: the path's, or not known. */
const gdyn_limited_row *gdyn_limit_owner(const gdyn_limited_row *row, int rows, gdyn_limit limit);
/* "m1"; "path" and "d1" where the limit belongs to no row. */
const char *gdyn_limit_name(const gdyn_limited_row *row, int rows, gdyn_limit limit);
/* "min", "max", "rate down", "rate up", "speed", "equality". */
const char *gdyn_limit_side(gdyn_limit limit);
/* What the limit bounds: "torque", "speed", ...; "" of static friction and where there is no owner. */
const char *gdyn_limit_quantity(const gdyn_limited_row *owner, gdyn_limit limit);
/* "m1.torque at its max", "m1 at its curve" for a line of text. */
void gdyn_limit_text(const gdyn_limited_row *row, int rows, gdyn_limit limit, char *out,
                     size_t size);
/* Its unit, "" when not known; of the force for its rate. */
const char *gdyn_limit_unit(const gdyn_limited_row *owner, gdyn_limit limit);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

gdyn_limit gdyn_limit_force(int row, int side);
gdyn_limit gdyn_limit_rate(int row, int side);
/* row: d1_high_drive of the coefficients. */
gdyn_limit gdyn_limit_speed(int row);
gdyn_limit gdyn_limit_path(void);
gdyn_limit gdyn_limit_forward(void);
/* Negative, 0, positive: order of lists. */
int gdyn_limit_compare(gdyn_limit a, gdyn_limit b);
bool gdyn_limit_same(gdyn_limit a, gdyn_limit b);
bool gdyn_limit_in(const gdyn_limit *list, int count, gdyn_limit limit);
/* Adds a limit to a list unless it is there or the list is full. */
void gdyn_limit_add(gdyn_limit *list, int *count, int capacity, gdyn_limit limit);

#endif
