/* flow.h - the batches of a search while they are evaluated (internal to study).
 *
 * A search that looks ahead (lag > 0) asks for further batches before the results of the oldest one are all there: who
 * evaluates never waits for the slowest design of a batch. Results are told batch by batch in the order in which they
 * were asked for, whoever was ready first, so that the designs do not depend on times, threads or ranks. */
#ifndef GDYN_STUDY_FLOW_H
#define GDYN_STUDY_FLOW_H

#include "study/batch.h"

typedef struct gdyn_flow {
    gdyn_batch_runner *runner;
    gdyn_search *search;
    /* Takes the oldest batch, all of whose designs are there: tells the search, keeps the designs, advances. */
    gdyn_status (*finish)(void *context, gdyn_batch *batch);
    void *context;

    /* Internal. */
    gdyn_batch *batch; /* room: those under way, oldest first */
    int count, room;
    long first;   /* number of the oldest one */
    gdyn_job job; /* all designs to be evaluated, as far as they are known */
    struct gdyn_flow_place {
        long batch;      /* its number */
        int design;      /* place in it */
    } * place;           /* of the job's designs */
    int places, designs; /* rooms of both lists */
} gdyn_flow;

/* Runs the search until it stops, the caller interrupts, or nothing more is known (replays). *whole: every design asked
 * for is there. What is left under way is kept in the archive. To be cleared in any case. */
gdyn_status gdyn_flow_run(gdyn_flow *flow, bool *whole);
void gdyn_flow_clear(gdyn_flow *flow);

#endif
