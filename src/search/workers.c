/* workers.c - several solvers in parallel: results distributed, designs collected. */
#include "search/method.h"

#include "base/memory.h"

#include <string.h>

gdyn_status gdyn_workers_create(gdyn_arena *arena, const gdyn_solver_space *space, int count,
                                gdyn_workers *w) {
    *w = (gdyn_workers){.space = *space, .count = count};
    w->solver = gdyn_arena_alloc(arena, (size_t)count, sizeof *w->solver);
    w->gone = gdyn_arena_alloc(arena, (size_t)count, sizeof *w->gone);
    for (int k = 0; k < count && !gdyn_arena_failed(arena); k++)
        w->solver[k] = gdyn_solver_create(arena, space);
    return gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY
                                    : gdyn_coroutines_create(count, &w->coroutines);
}

static void answer(const gdyn_search *s, gdyn_answers *a, int i, int slot) {
    size_t m = (size_t)s->m, c = (size_t)s->constraints;
    memcpy(a->f + (size_t)i * m, gdyn_slot_f(s, slot), m * sizeof *a->f);
    memcpy(a->g + (size_t)i * c, gdyn_slot_g(s, slot), c * sizeof *a->g);
    a->violation[i] = s->violation[slot];
    a->failure[i] = s->failure[slot];
    a->detailed[i] = s->detailed[slot];
}

void gdyn_workers_learn(gdyn_workers *w, const gdyn_search *s) {
    int at = 0;
    for (int k = 0; k < w->count; k++)
        for (int i = 0; i < gdyn_solver_asked(w->solver[k]) && at < s->children; i++)
            answer(s, gdyn_solver_answers(w->solver[k]), i, s->child[at++]);
}

/* A task for idle worker k; false: there is none. */
static bool begin(gdyn_workers *w, gdyn_search *s, int k, gdyn_workers_give *give) {
    gdyn_solver_task task = {0};
    while (give(s, w->solver[k], &task))
        if (gdyn_solver_begin(w->solver[k], w->coroutines, k, &task))
            return true;
    return false;
}

/* Lets the workers that are not idle run until they ask or have finished; returns how many have
 * finished. */
static int run(gdyn_workers *w) {
    int finished = 0;
    /* All are resumed at once; each comes back when it asks for values or ends. */
    for (int k = 0; k < w->count; k++)
        if (w->gone[k])
            gdyn_coroutines_go(w->coroutines, k);
    for (int k = 0; k < w->count; k++)
        if (w->gone[k])
            finished += !gdyn_coroutines_await(w->coroutines, k);
    return finished;
}

static void go_on(gdyn_workers *w, gdyn_search *s, gdyn_workers_give *give) {
    /* Those with answers go on; those that are idle get tasks until all ask. */
    for (int k = 0; k < w->count; k++)
        w->gone[k] = gdyn_coroutines_busy(w->coroutines, k);
    run(w);
    do
        for (int k = 0; k < w->count; k++)
            w->gone[k] = !gdyn_coroutines_busy(w->coroutines, k) && begin(w, s, k, give);
    while (run(w) > 0);
}

int gdyn_workers_breed(gdyn_workers *w, gdyn_search *s, gdyn_workers_give *give) {
    int count = 0;
    size_t bytes = (size_t)s->n * sizeof(double);
    go_on(w, s, give);
    for (int k = 0; k < w->count; k++) {
        const gdyn_answers *a = gdyn_solver_answers(w->solver[k]);
        for (int i = 0; i < gdyn_solver_asked(w->solver[k]); i++)
            memcpy(gdyn_slot_x(s, s->child[count++]), a->x + (size_t)i * (size_t)s->n, bytes);
    }
    return count;
}
