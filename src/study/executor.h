/* executor.h - who evaluates the designs of a batch.
 *
 * An executor takes a job, a batch of designs, and hands each back as soon as it is evaluated. Which thread
 * evaluates which design, and in what order they come back, must not change any number: the result of
 * a design depends only on the study and its variables. */
#ifndef GDYN_STUDY_EXECUTOR_H
#define GDYN_STUDY_EXECUTOR_H

#include "base/api.h"
#include "base/status.h"

#include <signal.h>

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
     * handed the batch out. An error ends the batch. It may append designs to the job: design and count are read
     * anew after each call. */
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

/* How many threads that is: 0 stands for one per processor; fewer than wanted under a memory limit. At least 1. */
int gdyn_executor_count(int wanted);
/* Threads of this process; 0: as many as there are processors. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_executor_threads(int threads, gdyn_executor *executor);
void gdyn_executor_destroy(gdyn_executor *executor);

GDYN_API_END

#endif
