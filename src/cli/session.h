/* session.h - what the commands about trajectories share: opening those of a case or a table of coefficients, writing
 * the results, words. */
#ifndef GDYN_CLI_SESSION_H
#define GDYN_CLI_SESSION_H

#include "cli/cli.h"
#include "report/report.h"
#include "study/study.h"

#include <stdio.h>

/* --- session.c -------------------------------------------------------------------------------- */

typedef struct gdyn_session {
    const gdyn_options *options;
    gdyn_opened opened; /* without instance with --coefficients */
    const char *case_name;
    int count;
    gdyn_trajectory *trajectory; /* count: opened */
} gdyn_session;

/* Opens the trajectories that --trajectory chooses of a machine with drives, or the table of --coefficients; an
 * exit code. End it in any case. */
int gdyn_session_begin(const gdyn_options *options, gdyn_session *session);
void gdyn_session_end(gdyn_session *session);
/* What is worked on from here on. */
void gdyn_session_stage(const gdyn_session *session, const gdyn_trajectory *t);
/* An error about the trajectory, unless there is none; an exit code. */
int gdyn_session_judge(const gdyn_trajectory *t, gdyn_status status);

/* What a command has found, ready to be written. */
typedef struct gdyn_results {
    const char *command; /* "regions" */
    const void *of;      /* what the files are written from */
    struct {
        const char *name; /* NULL: none */
        gdyn_status (*write)(const void *of, gdyn_text *out);
        bool document; /* goes to standard output with --json, too */
    } file[5];
    bool partial; /* pictures of other trajectories stay */
    gdyn_status (*draw)(const char *folder, const gdyn_trajectory *t, gdyn_pictures *pictures,
                        const gdyn_sink *sink);
} gdyn_results;
/* Files, then pictures of all trajectories; an exit code. */
int gdyn_session_write(const gdyn_session *session, const gdyn_results *results);

/* --- names.c ---------------------------------------------------------------------------------- */

/* p of a path of that length with its unit; what a search for the place leaves of zero is zero. */
gdyn_words gdyn_place(double p, double length, const char *unit);
/* Parses "0, pi/2, 500 mm" into places of a path (to free with free); an exit code. Formulas may name the instance's
 * parameters (NULL: none). */
int gdyn_parse_places(const char *text, const gdyn_instance *instance, gdyn_quantity **places,
                      int *count);

/* --- certificate.c ---------------------------------------------------------------------------- */

/* Prints why points are empty (those of --at, if any), one paragraph per run of empty points. */
void gdyn_print_certificates(FILE *out, const gdyn_trajectory *t);
/* Prints where the drives lose control of a freedom, a paragraph per place or stretch. */
void gdyn_print_singularities(FILE *out, const gdyn_trajectory *t);
/* Warns of loads that were lost to rounding of others. */
void gdyn_note_cut(const gdyn_options *options, const gdyn_trajectory *trajectory);
/* Prints "   (case.yaml:38)" where the case states the limit, or nothing. */
void gdyn_print_limit_line(FILE *out, const gdyn_trajectory *t, gdyn_limit limit);

#endif
