/* spans.c - intersection of the sets where quadratics are not negative. */
#include "access/projection.h"

void gdyn_spans_create(gdyn_spans *spans, gdyn_arena *arena, int max_conditions) {
    *spans = (gdyn_spans){.capacity = max_conditions + 8};
    spans->list = gdyn_arena_room(arena, (size_t)spans->capacity, sizeof *spans->list);
    spans->other = gdyn_arena_room(arena, (size_t)spans->capacity, sizeof *spans->other);
}

/* The whole range of d1. */
void gdyn_spans_start(gdyn_spans *spans, const gdyn_problem *problem) {
    spans->count = problem->t_low <= problem->t_high;
    spans->list[0] = (gdyn_reach){
        problem->t_low, problem->t_high, {GDYN_FROM_D1_LOW, 0}, {GDYN_FROM_D1_HIGH, 0}};
}

/* Cuts every interval by a condition; what is cut off is named as the reason of the new end. */
void gdyn_spans_restrict(gdyn_spans *spans, const gdyn_condition *condition) {
    int count = 0;
    for (int i = 0; i < spans->count; i++) {
        gdyn_reach reach = spans->list[i];
        gdyn_span part[GDYN_SPANS_MAX];
        /* where the condition holds within the interval */
        int parts = gdyn_quadratic_spans(condition->q, reach.from, reach.to, GDYN_ACCESS_NOISE,
                                         condition->size, part);
        /* an end that moved belongs to the condition */
        for (int j = 0; j < parts && count < spans->capacity; j++)
            spans->other[count++] =
                (gdyn_reach){part[j].from, part[j].to,
                             part[j].from > reach.from ? condition->source : reach.left,
                             part[j].to < reach.to ? condition->source : reach.right};
    }
    /* both lists take turns */
    gdyn_reach *swap = spans->list;
    spans->list = spans->other;
    spans->other = swap;
    spans->count = count;
}
