/* kinds.c - the table of path kinds: one row per kind. */
#include "path/kinds.h"
#include "path/internal.h"

const char *const gdyn_path_kind_names[GDYN_PATH_KINDS + 1] = {
    [GDYN_PATH_FORMULA] = "formula",   [GDYN_PATH_LINE] = "line",
    [GDYN_PATH_ARC] = "arc",           [GDYN_PATH_CIRCLE] = "circle",
    [GDYN_PATH_POLYLINE] = "polyline", [GDYN_PATH_SPLINE] = "spline",
    [GDYN_PATH_FILE] = "file",
};

/* clang-format off */
#define PATH     GDYN_PATH_READS_PATH
#define FROM     GDYN_PATH_READS_FROM
#define TO       GDYN_PATH_READS_TO
#define CENTRE   GDYN_PATH_READS_CENTRE
#define RADIUS   GDYN_PATH_READS_RADIUS
#define START    GDYN_PATH_READS_START
#define END      GDYN_PATH_READS_END
#define NORMAL   GDYN_PATH_READS_NORMAL
#define THROUGH  GDYN_PATH_READS_THROUGH
#define KNOTS    GDYN_PATH_READS_KNOTS
#define CLOSED   GDYN_PATH_READS_CLOSED
#define TABLE    GDYN_PATH_READS_TABLE
#define ROTATION GDYN_PATH_READS_ROTATION

static const gdyn_path_kind_row rows[GDYN_PATH_KINDS] = {
    /*                     what it is, parts that must and may be stated, curve, corners */
    [GDYN_PATH_FORMULA]  = {"formulas in p for each prescribed coordinate",
                            0, PATH, NULL, false},
    [GDYN_PATH_LINE]     = {"a straight line",
                            FROM | TO, ROTATION, &gdyn_curve_polyline, false},
    [GDYN_PATH_ARC]      = {"an arc of a circle",
                            CENTRE | RADIUS | START | END, NORMAL | ROTATION, &gdyn_curve_arc, false},
    [GDYN_PATH_CIRCLE]   = {"a circle, one turn",
                            CENTRE | RADIUS, START | NORMAL | ROTATION, &gdyn_curve_arc, false},
    [GDYN_PATH_POLYLINE] = {"straight lines through points; corners are kept",
                            THROUGH, KNOTS | CLOSED | ROTATION, &gdyn_curve_polyline, true},
    [GDYN_PATH_SPLINE]   = {"a cubic spline through points",
                            THROUGH, KNOTS | CLOSED | ROTATION, &gdyn_curve_spline, false},
    [GDYN_PATH_FILE]     = {"a table of coordinates, a cubic spline through each column",
                            TABLE, 0, NULL, false},
};
/* clang-format on */

const gdyn_path_kind_row *gdyn_path_kind_of(gdyn_path_kind kind) {
    return (unsigned)kind < GDYN_PATH_KINDS ? &rows[kind] : NULL;
}

bool gdyn_path_reads(gdyn_path_kind kind, unsigned parts) {
    return (rows[kind].must | rows[kind].may) & parts;
}

gdyn_path_def gdyn_path_straight(const double (*through)[3]) {
    gdyn_path_def def = gdyn_path_default();
    def.kind = GDYN_PATH_LINE;
    def.count = def.points = 2;
    def.through = through;
    return def;
}
