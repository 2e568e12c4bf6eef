/* spans.h - the reachable d1 as far as conditions on d1 alone decide it: intervals and their
 * causes. */
#ifndef GDYN_ACCESS_SPANS_H
#define GDYN_ACCESS_SPANS_H

#include "access/circuits.h"

typedef struct gdyn_reach {
    double from, to;
    gdyn_source left, right;
} gdyn_reach;

typedef struct gdyn_spans {
    int count, capacity;
    gdyn_reach *list, *other;
} gdyn_spans;

/* Storage in the arena; gdyn_arena_failed: there is none. */
void gdyn_spans_create(gdyn_spans *spans, gdyn_arena *arena, int max_conditions);
/* The domain t_low <= t <= t_high of the problem. */
void gdyn_spans_start(gdyn_spans *spans, const gdyn_problem *problem);
/* Keeps what fulfils q(t) >= 0. */
void gdyn_spans_restrict(gdyn_spans *spans, const gdyn_condition *condition);

#endif
