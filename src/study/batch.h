/* batch.h - a number of designs that are evaluated together (internal to study): looked up where they
 * may be known, evaluated by the executor, written to the store one by one. */
#ifndef GDYN_STUDY_BATCH_H
#define GDYN_STUDY_BATCH_H

#include "study/internal.h"

/* Who works for all rounds of a run. */
typedef struct gdyn_batch_runner {
    const gdyn_study *study;
    const gdyn_study_options *options;
    const gdyn_archive *known;     /* the only designs there are: none is evaluated; or NULL */
    gdyn_study_result *result;     /* counts of the designs, archive */
    gdyn_executor own;             /* used when the options bring no executor */
    void (*report)(void *context); /* after each design; or NULL */
    void *context;
} gdyn_batch_runner;

/* Makes an executor of threads when the options bring none. */
gdyn_status gdyn_batch_runner_open(gdyn_batch_runner *runner);
void gdyn_batch_runner_close(gdyn_batch_runner *runner);

typedef struct gdyn_batch {
    gdyn_batch_runner *runner;
    int count;
    gdyn_design **design; /* count; NULL once the archive has it */
    bool *done;           /* count */
    int status[GDYN_DESIGN_STATUSES];
    int todo_count, *todo; /* indices of those that must be evaluated */
    gdyn_design **todo_design;
} gdyn_batch;

/* Room for that many designs; their x and serial are then to be set. */
gdyn_status gdyn_batch_make(gdyn_batch *batch, gdyn_batch_runner *runner, int count);
/* Looks up and evaluates; fewer are done when the caller interrupted. GDYN_ERROR_STUDY when what is
 * known under a serial number is another design. */
gdyn_status gdyn_batch_run(gdyn_batch *batch);
/* The two halves of gdyn_batch_run: takes what is known, lists the rest in `todo`; and notes that design i came back. */
gdyn_status gdyn_batch_look_up(gdyn_batch *batch);
gdyn_status gdyn_batch_done(gdyn_batch *batch, int i);
bool gdyn_batch_whole(const gdyn_batch *batch);
/* The result's archive takes what is done, in the order of serial numbers. */
gdyn_status gdyn_batch_keep(gdyn_batch *batch);
void gdyn_batch_free(gdyn_batch *batch);

#endif
