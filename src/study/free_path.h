/* free_path.h - free coordinates of a path, which become tables in p: which, the best ones for a
 * criterion, and those along which the applied forces hold what no drive moves. */
#pragma once

#include "access/analysis.h"
#include "base/diag.h"
#include "casefile/casefile.h"
#include "path/path.h"

#include <signal.h>

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
    struct gdyn_arena *arena; /* of its arrays */
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
 * keeps the smallest singular value of all conditions largest along the path. rows->count is less
 * where the machine has no such coordinates. */
gdyn_status gdyn_free_rows_choose(const gdyn_model *model, const gdyn_path_def *def,
                                  const gdyn_track *track, gdyn_free_rows *rows);

/* --- rest_path.c: in equilibrium */

typedef struct gdyn_rest_path {
    bool found; /* else the path is not reached, and commands tell why */
    gdyn_free_rows rows;
    /* at which the equilibrium was solved for: all points of a path without corners are among
     * them */
    int knots;
    /* balance does not determine the free coordinates: they are those of minimum weighted motion */
    bool led;
    double error,
        /* largest distance of the splines through every other knot from the knots between (rad,
         * share of L), and where; with all knots a sixteenth of it remains */
        error_p;
    double least,
        least_p; /* smallest stiffness of an equilibrium (access/equilibrium.h), and where */
    gdyn_free_path path; /* to be freed in any case */
} gdyn_rest_path;

/* Solves for the equilibrium at equally spaced knots between the corners, from the start of the
 * path on, the first one found by a search that prefers stable ones; knots are doubled until the
 * error is below 1e-9 or there are some thousand. The free coordinates are cubic splines through
 * them from corner to corner. Where the path leaves more than balance determines, the way between
 * the knots is the minimum weighted motion through poses in equilibrium. Complaints go to the sink
 * ("trajectories.NAME.undriven"): every freedom has a drive, the path leaves less than has none,
 * there is no equilibrium or none behind some p (errors); it is unstable, or the error is greater
 * (warnings). */
gdyn_status gdyn_rest_path_find(const gdyn_model *model, const gdyn_path_def *def,
                                const gdyn_sink *sink, gdyn_rest_path *found);

/* --- null_motion.c: best for a criterion */

/* Who looks on while paths are tried. */
typedef struct gdyn_free_watch {
    volatile const sig_atomic_t *interrupt; /* not zero: stop with what is best so far; or NULL */
    /* After each path that was tried; best: so far, NAN while there is none. Or NULL. */
    void (*progress)(void *context, const char *trajectory, int tried, double best);
    void *context;
} gdyn_free_watch;

typedef struct gdyn_null_motion {
    double norm, best; /* the criterion with the weighted norm and with the path below; NAN: none */
    int tried;         /* paths that were evaluated */
    /* the last search found no better neighbour; false: the evaluations ended it, or no path has a
     * value */
    bool settled;
    bool better; /* the path below is better than the weighted norm; else there is none */
    gdyn_free_rows rows;
    gdyn_free_path path; /* to be freed in any case */
} gdyn_null_motion;

/* Free coordinates as natural splines over p whose values at equally spaced knots are optimized
 * (minimax.c where the criterion is the worst of many values, else search.h, NLopt's COBYLA), 3
 * knots first, then twice as many intervals up to wish->knots. A spline of few knots is one of more
 * knots, too, so that each stage begins with the best path of the stage before and the criterion
 * never gets worse; each ends where its local search finds no better neighbour. The first begins at
 * the weighted norm and at constant offsets from it, so that separate valleys are seen. The result
 * is compared with the weighted norm itself on the same points: it is never worse. Deterministic.
 * Complaints go to the sink ("trajectories.NAME.null_motion"): nothing is left free, no such
 * joints. */
gdyn_status gdyn_null_motion_find(const gdyn_model *model, const gdyn_path_def *def,
                                  const gdyn_freedom_def *wish, const gdyn_free_watch *watch,
                                  const gdyn_sink *sink, gdyn_null_motion *found);

/* Gives every trajectory of the instance that asks for it its free coordinates: best for a
 * criterion, or in equilibrium. The instance's definitions are replaced. Where none is found they
 * stay as they are. */
gdyn_status gdyn_instance_settle(gdyn_instance *instance, const gdyn_free_watch *watch,
                                 const gdyn_sink *sink);
