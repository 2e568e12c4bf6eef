/* round.h - a number of designs that are evaluated together (internal to study): looked up where they
 * may be known, evaluated by the executor, written to the store one by one. */
#ifndef GDYN_STUDY_ROUND_H
#define GDYN_STUDY_ROUND_H

#include "study/internal.h"

/* Who works for all rounds of a run. */
typedef struct gdyn_workshop {
    const gdyn_study *study;
    const gdyn_study_options *options;
    const gdyn_archive *known;     /* the only designs there are: none is evaluated; or NULL */
    gdyn_study_result *result;     /* counts of the designs, archive */
    gdyn_executor own;             /* used when the options bring no executor */
    void (*report)(void *context); /* after each design; or NULL */
    void *context;
} gdyn_workshop;

/* Makes a executor of threads when the options bring none. */
gdyn_status gdyn_workshop_open(gdyn_workshop *workshop);
void gdyn_workshop_close(gdyn_workshop *workshop);

typedef struct gdyn_round {
    gdyn_workshop *shop;
    int count;
    gdyn_design **design; /* count; NULL once the archive has it */
    bool *done;           /* count */
    int status[GDYN_DESIGN_STATUSES];
    int todo_count, *todo; /* indices of those that must be evaluated */
    gdyn_design **todo_design;
} gdyn_round;

/* Room for that many designs; their x and serial are then to be set. */
gdyn_status gdyn_round_make(gdyn_round *round, gdyn_workshop *shop, int count);
/* Looks up and evaluates; fewer are done when the caller interrupted. GDYN_ERROR_STUDY when what is
 * known under a serial number is another design. */
gdyn_status gdyn_round_run(gdyn_round *round);
bool gdyn_round_whole(const gdyn_round *round);
/* The result's archive takes what is done, in the order of serial numbers. */
gdyn_status gdyn_round_keep(gdyn_round *round);
void gdyn_round_free(gdyn_round *round);

#endif
