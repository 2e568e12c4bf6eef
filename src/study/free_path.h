/* free_path.h - paths with further prescribed coordinates: those that a path leaves free become
 * tables in p. */
#ifndef GDYN_STUDY_FREE_PATH_H
#define GDYN_STUDY_FREE_PATH_H

#include "casefile/casefile.h"
#include "path/path.h"

/* A free coordinate: of a joint, or of the first tool. */
typedef struct gdyn_free_row {
    int joint; /* -1: of the tool */
    gdyn_freedom freedom;
    /* of the tool: X, Y, Z; GDYN_PATH_C in the plane; A, B, C in space, all three together */
    int coordinate;
} gdyn_free_row;

/* A length, else an angle. */
bool gdyn_free_row_slides(const gdyn_free_row *row);

typedef struct gdyn_free_rows {
    int count;
    gdyn_free_row row[GDYN_FREE_MOST];
} gdyn_free_rows;

/* A definition with its own arrays and formulas. */
typedef struct gdyn_free_path {
    gdyn_path_def def;
    int joints, tools; /* with room for the rows */
    gdyn_path_joint *joint;
    gdyn_path_tool *tool;
    int formulas;
    gdyn_expr *formula[GDYN_FREE_MOST];
} gdyn_free_path;

/* The definition with each row as a table of `knots` values over p (value: knots x rows); one knot:
 * a constant. bend: second derivatives at the knots, as gdyn_expr_cubic; NULL: natural splines. To
 * be freed in any case. */
gdyn_status gdyn_free_path_make(const gdyn_path_def *def, const gdyn_free_rows *rows, int knots,
                                const double *p, const double *value, const double *bend,
                                gdyn_free_path *out);
void gdyn_free_path_clear(gdyn_free_path *path);

/* The coordinates in a pose, angles nearest to `near` (may be NULL). */
void gdyn_free_values(const gdyn_state *state, const gdyn_path_def *def, const gdyn_free_rows *rows,
                      const double *near, double *value);
/* The same at all points of a track: points x rows. */
void gdyn_free_track(const gdyn_track *track, const gdyn_path_def *def, const gdyn_free_rows *rows,
                     double *value);

/* Chooses as many rows as the followed track leaves free: one after the other, each the one that
 * keeps the least singular value of all conditions greatest along the path. rows->count is less
 * where the machine has no such coordinates. */
gdyn_status gdyn_free_rows_choose(const gdyn_model *model, const gdyn_path_def *def,
                                  const gdyn_track *track, gdyn_free_rows *rows);

#endif
