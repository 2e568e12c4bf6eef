/* analysis.h - trajectories evaluated for the commands regions and verify. */
#ifndef GDYN_CLI_ANALYSIS_H
#define GDYN_CLI_ANALYSIS_H

#include "access/evaluate.h"
#include "access/probe.h"
#include "base/text.h"
#include "cli/cli.h"
#include "path/place.h"
#include "report/report.h"
#include "study/study.h"

#include <stdio.h>

/* --- names.c ---------------------------------------------------------------------------------- */

/* p of a path of that length with its unit; what a search for the place leaves of zero is zero. */
gdyn_words gdyn_place(double p, double length, const char *unit);
/* Status word of a point of a track ("unassembled", ...); "ok" when it was assembled. */
const char *gdyn_point_status_name(gdyn_point_status status);
/* Parses "0, pi/2, 500 mm" into places of a path (to free with gdyn_free); an exit code. */
int gdyn_parse_places(const char *text, gdyn_quantity **places, int *count);

/* --- analysis.c ------------------------------------------------------------------------------- */

/* One trajectory with its regions and what the reports want to know of it. */
typedef struct gdyn_analysis {
    gdyn_path *path;             /* NULL with --coefficients */
    gdyn_evaluation *evaluation; /* NULL with --coefficients */
    gdyn_series series;          /* points into this structure */
    double *p;
    double *error;        /* of --at */
    gdyn_region **region; /* own regions (--coefficients, --at), or NULL */
    gdyn_region *common;
    const char **status;
    gdyn_limited_row *row;
    gdyn_criteria criteria;
    char **text; /* own names, NULL-terminated, or NULL */
} gdyn_analysis;

/* Evaluates a trajectory of the case; an exit code. Destroy it in any case. */
int gdyn_analyse(const gdyn_opened *opened, int trajectory,
                 const gdyn_evaluation_settings *settings, gdyn_analysis *analysis);
void gdyn_analysis_destroy(gdyn_analysis *analysis);
/* Room for the series' arrays of that size; false when memory is out. */
bool gdyn_analysis_reserve(gdyn_analysis *analysis, int points, int rows);
/* True when every point has a region and the drives lose no freedom on the way. */
bool gdyn_analysis_accessible(const gdyn_analysis *analysis);

/* --- at.c ------------------------------------------------------------------------------------- */

/* Regions at the given values of p as an analysis of its own (names borrowed from `whole`). */
int gdyn_analyse_at(const gdyn_analysis *whole, int count, const double *p,
                    const gdyn_evaluation_settings *settings, gdyn_analysis *analysis);

/* --- goals.c ---------------------------------------------------------------------------------- */

/* Value of the objective or constraint that the expectation names; *known is false when the design
 * could not be evaluated. *study (NULL at first) is made once, to be destroyed by the caller. */
gdyn_status gdyn_goal_value(const gdyn_opened *opened, gdyn_study **study,
                            const gdyn_expectation *e, bool *known, double *value);

/* What `check` says of a case without machine: its variables, objectives and constraints; an exit code. */
int gdyn_check_goals(const gdyn_options *options, const gdyn_opened *opened);

/* --- coefficients.c --------------------------------------------------------------------------- */

/* Reads p,drive,A,B,C,D,min,max,V1,...,Vr and projects every point; an exit code. */
int gdyn_analyse_coefficients(const char *filename, gdyn_projection projection,
                              gdyn_analysis *analysis);

/* --- certificate.c ---------------------------------------------------------------------------- */

/* Prints why points are empty, one paragraph per run of empty points; opened may be NULL. */
void gdyn_print_certificates(FILE *out, const gdyn_opened *opened, const gdyn_analysis *analysis);
/* Prints where the drives lose a freedom, a paragraph per place or stretch. */
void gdyn_print_singularities(FILE *out, const gdyn_series *series);

#endif
