/* criteria.h - criteria of the fastest motion along a trajectory from rest to rest. */
#pragma once

#include "base/api.h"
#include "access/evaluate.h"
#include "traverse/traverse.h"

GDYN_API_BEGIN

/* Whether the motion exists. */
typedef struct gdyn_fastest {
    gdyn_traverse_status status;
    double blocked; /* share of the path that lies before the place where it fails; 0: none */
    bool on_points; /* found on the evaluated points, without places of its own */
} gdyn_fastest;

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Fills the criteria of the pass MOTION, NaN where there is no motion. On the points of an
 * evaluated trajectory, without bounds and audit (with both on fewer than five points; between
 * fewer than 25 further ones are evaluated); cusps and corners of the path are passed as by
 * gdyn_traverse_run. Drive forces: of least norm within limits. path: of the evaluation. */
gdyn_status gdyn_traverse_criteria(const gdyn_evaluation *evaluation, const gdyn_path *path,
                                   gdyn_fastest *fastest, gdyn_criteria *criteria);
/* Fills what is given for the errors of these criteria where points were inserted (adapt.h):
 * motions on every second, third and fourth point are the comparison. NAN where nothing is given:
 * given points, few of them, cusps, corners and breaks of friction. */
gdyn_status gdyn_traverse_errors(const gdyn_evaluation *evaluation, const gdyn_path *path,
                                 const gdyn_fastest *fastest, const gdyn_criteria *criteria,
                                 gdyn_criteria *error);
