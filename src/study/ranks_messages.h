/* ranks_messages.h - what the ranks of an MPI run send each other.
 *
 * STUDY (threads, text) to every rank; READY (status, capacity) back; WORK (tag, extent, serial, x)
 * and RESULT (tag, status, design); ASK and HERE; LEAVE; END and GONE. */
#ifndef GDYN_STUDY_RANKS_MESSAGES_H
#define GDYN_STUDY_RANKS_MESSAGES_H

#include "study/internal.h"
#include "study/study.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    GDYN_RANK_STUDY,
    GDYN_RANK_READY,
    GDYN_RANK_WORK,
    GDYN_RANK_RESULT,
    GDYN_RANK_ASK,
    GDYN_RANK_HERE,
    GDYN_RANK_LEAVE,
    GDYN_RANK_END,
    GDYN_RANK_GONE
};

/* Head of WORK and RESULT; variables or a packed design follow. */
typedef struct gdyn_rank_head {
    long tag, serial;
    gdyn_extent extent;
    gdyn_status status;
    bool evaluated; /* RESULT: false where the design was left */
} gdyn_rank_head;

typedef struct gdyn_rank_ready {
    gdyn_status status;
    int capacity;
} gdyn_rank_ready;

/* Bytes of a WORK and of a RESULT. */
size_t gdyn_rank_work_size(const gdyn_study *study);
size_t gdyn_rank_result_size(const gdyn_study *study);

/* True when a message waits; *from, *tag, *bytes tell about it. */
bool gdyn_rank_look(int *from, int *tag, int *bytes);
void gdyn_rank_receive(int from, int tag, void *bytes, int size);
void gdyn_rank_send(int to, int tag, const void *bytes, size_t size);

/* Sleeps longer the longer nothing happens: 10 microseconds to a millisecond. */
typedef struct gdyn_rank_patience {
    long nanoseconds;
} gdyn_rank_patience;
void gdyn_rank_rest(gdyn_rank_patience *p);

#endif
