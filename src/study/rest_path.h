/* rest_path.h - the free coordinates of a path along which the applied forces hold what no drive
 * moves. */
#ifndef GDYN_STUDY_REST_PATH_H
#define GDYN_STUDY_REST_PATH_H

#include "access/analysis.h"
#include "study/free_path.h"

typedef struct gdyn_rest_path {
    bool found; /* else the path is not reached, and commands tell why */
    gdyn_free_rows rows;
    /* at which the equilibrium was solved for: all points of a path without corners are among
     * them */
    int knots;
    /* balance does not determine the free coordinates: they are those of least weighted motion */
    bool led;
    double error,
        /* greatest distance of the splines through every other knot from the knots between (rad,
         * share of L), and where; with all knots a sixteenth of it remains */
        error_p;
    double least, least_p; /* least stiffness of an equilibrium (equilibrium.h), and where */
    gdyn_free_path path;   /* to be freed in any case */
} gdyn_rest_path;

/* Solves for the equilibrium at equally spaced knots between the corners, from the start of the
 * path on, the first one found by a search that prefers stable ones; knots are doubled until the
 * error is below 1e-9 or there are some thousand. The free coordinates are cubic splines through
 * them from corner to corner. Where the path leaves more than balance determines, the way between
 * the knots is the least weighted motion through poses in equilibrium. Complaints go to the sink
 * ("trajectories.NAME.undriven"): every freedom has a drive, the path leaves less than has none,
 * there is no equilibrium or none behind some p (errors); it is unstable, or the error is greater
 * (warnings). */
gdyn_status gdyn_rest_path_find(const gdyn_model *model, const gdyn_path_def *def,
                                const gdyn_sink *sink, gdyn_rest_path *found);

#endif
