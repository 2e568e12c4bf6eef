/* executor.h - who evaluates the designs of a batch.
 *
 * An executor takes a job, a batch of designs, and hands each back as soon as it is evaluated.
 * Which thread evaluates which design, and in what order they come back, must not change any
 * number: the result of a design depends only on the study and its variables. */
#pragma once

#include "base/api.h"
#include "base/status.h"

#include <signal.h>
#include <stdbool.h>

GDYN_API_BEGIN

typedef struct gdyn_design gdyn_design;
typedef struct gdyn_study gdyn_study;

/* How much of a design is computed. */
typedef enum gdyn_extent {
    GDYN_EXTENT_NEEDED, /* what the formulas name */
    GDYN_EXTENT_ALL,    /* all responses and reactions */
    GDYN_EXTENT_SOUND   /* all, unless what the formulas name fails: then it is left at that */
} gdyn_extent;

typedef struct gdyn_job {
    const gdyn_study *study;
    gdyn_design **design; /* count; x and serial are set */
    int count;
    gdyn_extent extent;
    /* Not zero: no further design is begun; those begun are finished and handed back. Or NULL. */
    const volatile sig_atomic_t *stop;
    /* Hands design[i] back as soon as it is there; one call at a time, on the thread that
     * handed the batch out. An error ends the batch. It may append designs to the job: design and
     * count are read again after each call. */
    gdyn_status (*done)(void *context, int i);
    void *context;
} gdyn_job;

typedef struct gdyn_executor {
    void *self;
    /* Evaluates a batch. Failed designs are results; errors are lack of memory, a lost rank, or
     * what `done` returned. */
    gdyn_status (*evaluate)(void *self, const gdyn_job *job);
    void (*destroy)(void *self); /* or NULL */
} gdyn_executor;

/* How many threads that is: 0 stands for one per processor; fewer than wanted under a memory limit.
 * At least 1. */
int gdyn_executor_count(int wanted);
/* Threads of this process; 0: as many as there are processors. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_executor_threads(int threads, gdyn_executor *executor);
void gdyn_executor_destroy(gdyn_executor *executor);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* --- ranks: evaluation on many machines by MPI: `mpirun -n N globdyn optimize ...`.
 *
 * Rank 0 is the coordinator: it alone reads files, searches, keeps the archive and prints, and its
 * threads evaluate designs like those of the other ranks. The other ranks get the case as a text
 * and then one design per thread at a time, the next one with each result: whoever is free works,
 * however unequal the designs are. A program built without MPI has the same functions. */

/* True when the process was started by mpirun or a batch system as one of several. */
bool gdyn_ranks_launched(void);
/* False when this program was built without MPI. */
bool gdyn_ranks_built(void);
/* Begins; returns this process's rank, -1 on failure. Only when launched. A rank that is stopped
 * while all wait for all, here or in gdyn_ranks_end, ends the process with a message and exit code
 * 5 (SIGALRM, after 120 and 30 s). */
int gdyn_ranks_begin(void);
/* Number of processes; 1 when not begun. */
int gdyn_ranks_count(void);
/* The rank that did not answer in time and so ended a job; 0: none. */
int gdyn_ranks_lost(void);
/* What a rank > 0 does until rank 0 ends. */
gdyn_status gdyn_ranks_serve(void);
/* Ends on rank 0: the others are informed. When some are still at work after an interruption they
 * are given `seconds`, then the whole run is aborted with this exit code. */
void gdyn_ranks_end(double seconds, int code);

/* Rank 0's executor of all ranks, each with that number of threads (0: one). The others make the
 * study from the text of its case. A rank at work that does not answer for `limit` seconds is lost,
 * and ends the job with GDYN_ERROR_EXTERNAL: it was stopped, or its machine is gone.
 * GDYN_ERROR_ARGUMENT when not begun; other errors are those of any rank. */
gdyn_status gdyn_executor_ranks(const gdyn_study *study, const char *case_text, int threads,
                                double limit, gdyn_executor *executor);
