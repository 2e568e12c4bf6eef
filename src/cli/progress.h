/* progress.h - progress of a long run, on standard error: a line that is rewritten on a terminal, plain
 * lines or JSON objects when asked for. */
#ifndef GDYN_CLI_PROGRESS_H
#define GDYN_CLI_PROGRESS_H

#include "cli/cli.h"
#include "study/study.h"

typedef struct gdyn_progress {
    bool line;        /* a line that is rewritten: standard error is a terminal */
    bool plain;       /* one line per generation (--progress without a terminal) */
    bool json;        /* one JSON object per generation */
    double last;      /* when the line was written */
    long generation;  /* last one reported in plain lines */
    const char *name; /* of the trajectory */
    double begun;     /* when its first place was asked for; 0: not yet */
    double volume; /* greatest hypervolume so far: a bound for the front of all designs against the
                         present reference point, which only widens */
    bool moved;    /* the reference point moved since the last line */
} gdyn_progress;

gdyn_progress gdyn_progress_begin(const gdyn_options *options);
/* For gdyn_study_options: context is a gdyn_progress. */
void gdyn_progress_show(void *context, const gdyn_study_progress *progress);
/* For gdyn_path_dynamics_watch: context is a gdyn_progress whose name is set. */
void gdyn_progress_places(void *context, long places);
/* So many of at most `most`; what: "poses reached". */
void gdyn_progress_count(gdyn_progress *progress, const char *what, long count, long most);
/* A simulation at time t [s] of its duration. */
void gdyn_progress_time(gdyn_progress *progress, double t, double duration);
/* Wipes the line. */
void gdyn_progress_end(const gdyn_progress *progress);

#endif
