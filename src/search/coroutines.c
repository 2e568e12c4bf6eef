/* coroutines.c - threads that hand a baton to and fro: two semaphores for each coroutine, `go` from
 * the caller to the coroutine and `back` from the coroutine to the caller. Whoever has no baton
 * sleeps, so caller and coroutine share their memory without locks. */
#include "search/method.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

/* NLopt keeps its arrays on the heap; sanitizers want more room than it does. */
enum { STACK_SIZE = 512 * 1024 };

struct gdyn_coroutine {
    pthread_t thread;
    sem_t go, back;
    gdyn_coroutine_work *work; /* NULL: idle */
    void *context;
    bool ending;
};

struct gdyn_coroutines {
    int count; /* threads that run */
    gdyn_coroutine *coroutine;
};

/* Signals may interrupt the wait. */
static void take(sem_t *baton) {
    while (sem_wait(baton) != 0 && errno == EINTR)
        continue;
}

static void *live(void *argument) {
    gdyn_coroutine *s = argument;
    for (;;) {
        take(&s->go);
        if (s->work)
            s->work(s->context, s);
        s->work = NULL;
        if (s->ending)
            return NULL;
        sem_post(&s->back);
    }
}

static bool start(gdyn_coroutine *s, const pthread_attr_t *attributes) {
    /* Both semaphores, then the thread; what was made is undone when one fails. */
    if (sem_init(&s->go, 0, 0) != 0)
        return false;
    if (sem_init(&s->back, 0, 0) == 0) {
        if (pthread_create(&s->thread, attributes, live, s) == 0)
            return true;
        sem_destroy(&s->back);
    }
    sem_destroy(&s->go);
    return false;
}

gdyn_status gdyn_coroutines_create(int count, gdyn_coroutines **out) {
    *out = NULL;
    gdyn_coroutines *coroutines = gdyn_alloc(1, sizeof *coroutines);
    pthread_attr_t attributes;
    if (!coroutines)
        return GDYN_ERROR_MEMORY;
    /* Threads with small stacks, as many as problems are solved side by side. */
    coroutines->coroutine = gdyn_alloc((size_t)count, sizeof *coroutines->coroutine);
    bool ok = coroutines->coroutine && pthread_attr_init(&attributes) == 0;
    if (ok) {
        pthread_attr_setstacksize(&attributes, STACK_SIZE);
        while (coroutines->count < count &&
               start(&coroutines->coroutine[coroutines->count], &attributes))
            coroutines->count++;
        ok = coroutines->count == count;
        pthread_attr_destroy(&attributes);
    }
    if (!ok) {
        gdyn_coroutines_destroy(coroutines);
        return GDYN_ERROR_MEMORY;
    }
    *out = coroutines;
    return GDYN_OK;
}

void gdyn_coroutines_destroy(gdyn_coroutines *coroutines) {
    if (!coroutines)
        return;
    /* A coroutine that waits for answers is told to end; its thread returns from the work. */
    for (int k = 0; k < coroutines->count; k++) {
        gdyn_coroutine *s = &coroutines->coroutine[k];
        s->ending = true;
        sem_post(&s->go);
        pthread_join(s->thread, NULL);
        sem_destroy(&s->go);
        sem_destroy(&s->back);
    }
    gdyn_free(coroutines->coroutine);
    gdyn_free(coroutines);
}

void gdyn_coroutines_begin(gdyn_coroutines *coroutines, int k, gdyn_coroutine_work *work,
                           void *context) {
    coroutines->coroutine[k].work = work;
    coroutines->coroutine[k].context = context;
}

void gdyn_coroutines_go(gdyn_coroutines *coroutines, int k) {
    sem_post(&coroutines->coroutine[k].go);
}

bool gdyn_coroutines_await(gdyn_coroutines *coroutines, int k) {
    gdyn_coroutine *s = &coroutines->coroutine[k];
    take(&s->back);
    return s->work != NULL;
}

bool gdyn_coroutines_busy(const gdyn_coroutines *coroutines, int k) {
    return coroutines->coroutine[k].work != NULL;
}

bool gdyn_coroutine_wait(gdyn_coroutine *s) {
    if (s->ending)
        return false;
    sem_post(&s->back);
    take(&s->go);
    return !s->ending;
}

/* --- several solvers in parallel: results distributed, designs collected. */

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
