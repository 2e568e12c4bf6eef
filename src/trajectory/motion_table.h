/* motion_table.h - a motion along a path from a table of text. */
#pragma once

#include "base/api.h"
#include "base/diag.h"
#include "expr/expr.h"
#include "path/path.h"
#include "traverse/motion.h"

GDYN_API_BEGIN

typedef struct gdyn_motion_table {
    int count, capacity;
    gdyn_sample *sample;
    double *before; /* d2 just before each sample */
    gdyn_between between;
    bool timed;   /* t is known */
    bool derived; /* d1 and d2 are not: they follow from t and p */
    const char *file;
    bool travels; /* samples are in the travel of the path, not in p */
} gdyn_motion_table;

/* What the motion runs along. */
typedef struct gdyn_motion_range {
    const char *path;       /* name of the trajectory */
    gdyn_dimension p;       /* of its parameter */
    double first, last;     /* range of p */
    const gdyn_path *along; /* the path, which may need its travel; NULL: none */
} gdyn_motion_range;

/* Columns t,p or p,d1,d2 (and t, d2_before), others are left alone; with a column `trajectory` the
 * rows of that one alone. Along a path on which p is no coordinate of the motion, columns s, s1,
 * s2, s2_before (its travel, in metres) come before d1 and d2. Heads may give units (of a time, of
 * the path). p lies in the range and never falls, t grows. Close it in any case. */
gdyn_status gdyn_motion_table_read(gdyn_motion_table *motion, const char *filename,
                                   const gdyn_motion_range *range, const gdyn_sink *sink);
/* The same for places in any order. */
gdyn_status gdyn_motion_table_places(gdyn_motion_table *motion, const char *filename,
                                     const gdyn_motion_range *range, const gdyn_sink *sink);
/* Whether the file has rows of that trajectory: 1, 0, -1 without a column `trajectory`. */
gdyn_status gdyn_motion_table_holds(const char *filename, const char *trajectory,
                                    const gdyn_sink *sink, int *holds);
/* The motion p = t of a path over time, at its points and knots and on both sides of jumps. */
gdyn_status gdyn_motion_table_of_time(gdyn_motion_table *motion, const gdyn_path *path,
                                      const gdyn_path_dynamics *dynamics);
void gdyn_motion_table_close(gdyn_motion_table *motion);

GDYN_API_END
