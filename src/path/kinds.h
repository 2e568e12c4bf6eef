/* kinds.h - what the library knows about each kind of path: one row per kind (internal). */
#pragma once

#include "path/path.h"

/* Parts of a definition that a kind reads; each is a key of the case of the same name. */
enum {
    GDYN_PATH_READS_PATH = 1u << 0, /* formulas for positions; they need a range of p */
    GDYN_PATH_READS_FROM = 1u << 1,
    GDYN_PATH_READS_TO = 1u << 2,
    GDYN_PATH_READS_CENTRE = 1u << 3,
    GDYN_PATH_READS_RADIUS = 1u << 4,
    GDYN_PATH_READS_START = 1u << 5,
    GDYN_PATH_READS_END = 1u << 6,
    GDYN_PATH_READS_NORMAL = 1u << 7,
    GDYN_PATH_READS_THROUGH = 1u << 8,
    GDYN_PATH_READS_KNOTS = 1u << 9,
    GDYN_PATH_READS_CLOSED = 1u << 10,
    GDYN_PATH_READS_TABLE = 1u << 11,    /* keys file, data */
    GDYN_PATH_READS_ROTATION = 1u << 12, /* keys angle, cardan */
    GDYN_PATH_READS_BLEND = 1u << 13,
};

struct gdyn_curve_method;

typedef struct gdyn_path_kind_row {
    const char *about; /* for the manual */
    unsigned must, may;
    const struct gdyn_curve_method *curve; /* predefined geometry; NULL: formulas or a table */
    bool corners;                          /* the curve may turn sharply at its points */
} gdyn_path_kind_row;

extern const char *const gdyn_path_kind_names[GDYN_PATH_KINDS + 1]; /* ends with NULL */
/* NULL for a number that is no kind. */
const gdyn_path_kind_row *gdyn_path_kind_of(gdyn_path_kind kind);
/* Does the kind read any of these parts? */
bool gdyn_path_reads(gdyn_path_kind kind, unsigned parts);
