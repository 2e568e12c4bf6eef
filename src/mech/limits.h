/* limits.h - the kinds of limits on a motion along a path: a table with one row per kind.
 *
 * A limit has one of four shapes. Projection, certificates, motions, pictures and messages see
 * shapes only:
 *   window        min <= B d1 <= max
 *   row           min + min_slope d1 <= A d1^2 + B d1 + C + D d2 + V y <= max + max_slope d1
 *   third order   a bound of the rate of a row (of a joint's acceleration: its jerk)
 *   integral      a bound of an integral over a motion
 * A new kind is a row of the table (limit_kinds.c) and a function that fills gdyn_limit_terms:
 * CONTRIBUTING.md. */
#pragma once

#include "base/api.h"
#include "mech/mech.h"

GDYN_API_BEGIN

/* In the order in which lists of limits name them. */
typedef enum gdyn_limit_shape {
    GDYN_LIMIT_WINDOW,
    GDYN_LIMIT_EQUALITY, /* no limit: a direction of motion that no drive controls */
    GDYN_LIMIT_ROW,
    GDYN_LIMIT_THIRD_ORDER,
    GDYN_LIMIT_INTEGRAL,
    GDYN_LIMIT_SHAPES
} gdyn_limit_shape;

/* What a limit belongs to. */
typedef enum gdyn_limit_place {
    GDYN_LIMIT_OF_DRIVE,
    GDYN_LIMIT_OF_STICTION, /* bound of an unknown force, which nobody chooses */
    GDYN_LIMIT_OF_MACHINE,  /* gdyn_limit_def of the kind */
    GDYN_LIMIT_OF_PATH
} gdyn_limit_place;

/* What a limit is at a pose. */
typedef struct gdyn_limit_terms {
    /* ROW: the force that is limited (gdyn_model_effort_name); default -1: none, the row has */
    int effort;
    double A, B, C, D;                /* coefficients of its own, without V (WINDOW: B), */
    double A_error, B_error, D_error; /* in which rounding may have left so much */
    double min, max;             /* of the row, of B d1, of its rate; default -INFINITY, INFINITY */
    double min_slope, max_slope; /* ROW: per d1 */
} gdyn_limit_terms;

struct gdyn_limit_pose; /* the pose and its motion along the path (limit_kinds.c) */

typedef struct gdyn_limit_kind {
    const char *name;
    gdyn_limit_shape shape;
    gdyn_limit_place of;
    const char *quantity; /* word for what is limited; NULL: the drive's own, "torque" */
    const char *key;      /* OF_MACHINE: in the case, machine.limits.NAME.KEY, */
    int derivative;       /* and of which derivative of the coordinate: gdyn_limit_def.bound */
    int rate_of;          /* THIRD_ORDER: the kind of the rows whose rates it bounds */
    const char *unit[2];  /* of the limit where the owner's coordinate is an angle, a length */
    const char *at;       /* "at its ..."; NULL: "min", "max" */
    /* How many limits of the kind the owner has; NULL: one. */
    int (*count)(const gdyn_model *model, int owner);
    /* The `line`-th limit of the owner at the pose; terms have their defaults. */
    void (*terms)(const struct gdyn_limit_pose *pose, int owner, int line, gdyn_limit_terms *terms);
} gdyn_limit_kind;

/* Rows of the table. */
typedef enum gdyn_limit_kinds {
    GDYN_LIMIT_KIND_FORCE,
    GDYN_LIMIT_KIND_STICTION,
    GDYN_LIMIT_KIND_CURVE,
    GDYN_LIMIT_KIND_ACCELERATION,
    GDYN_LIMIT_KIND_PATH_SPEED,
    GDYN_LIMIT_KIND_JOINT_SPEED,
    GDYN_LIMIT_KIND_SPEED,
    GDYN_LIMIT_KIND_RATE,
    GDYN_LIMIT_KIND_JERK,
    GDYN_LIMIT_KINDS
} gdyn_limit_number;
extern const gdyn_limit_kind gdyn_limit_kinds[GDYN_LIMIT_KINDS];

/* One limit of a machine on a path. */
typedef struct gdyn_limit_item {
    const gdyn_limit_kind *kind;
    int owner; /* drive, stiction, ... */
    int line;
} gdyn_limit_item;

/* The drive's, the joint's force's, ... name; "path". */
const char *gdyn_limit_item_name(const gdyn_model *model, const gdyn_limit_item *item);
/* Word for the limit in documents: "force", "curve", "speed". */
const char *gdyn_limit_kind_word(const gdyn_limit_kind *kind);
/* The unit of a limit of that kind by the unit of the owner's force: "m/s" by "N"; "" by any
 * other. */
const char *gdyn_limit_unit(const gdyn_limit_kind *kind, const char *force_unit);
/* The limits of that shape, in the order of the table: rows begin with the machine's efforts. item:
 * room for all, or NULL. Their number. */
int gdyn_limit_items(const gdyn_model *model, gdyn_limit_shape shape, gdyn_limit_item *item);
/* Bound of the rate of a row, per second, from its limits of third order; INFINITY: none. */
double gdyn_limit_row_rate(const gdyn_model *model, const gdyn_limit_item *row);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Where limits are asked for. */
typedef struct gdyn_limit_pose {
    const gdyn_model *model;
    const struct gdyn_pace *pace; /* mech/standstill.h */
    const double *drive_rate;     /* drives: dq/dp, exact zero where the drive stands still */
} gdyn_limit_pose;

/* Of an OF_DRIVE kind the terms follow from drive_rate alone. */
gdyn_limit_terms gdyn_limit_terms_of(const gdyn_limit_item *item, const gdyn_limit_pose *pose);
