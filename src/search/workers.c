/* workers.c - solvers that work in threads of their own and hand a baton to and fro: two semaphores
 * for each, `go` from the search to the solver and `back` from the solver to the search. Whoever
 * has no baton sleeps, so search and solvers share their memory without locks. */
#include "search/method.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>

/* NLopt keeps its arrays on the heap; sanitizers want more room than it does. */
enum { STACK_SIZE = 512 * 1024 };

/* Signals may interrupt the wait. */
static void take(sem_t *baton) {
    while (sem_wait(baton) != 0 && errno == EINTR)
        continue;
}

static void *live(void *argument) {
    gdyn_solver *v = argument;
    for (;;) {
        take(&v->go);
        if (v->busy)
            gdyn_solver_solve(v);
        v->busy = false;
        if (v->ending)
            return NULL;
        sem_post(&v->back);
    }
}

bool gdyn_solver_wait(gdyn_solver *v) {
    if (v->ending)
        return false;
    sem_post(&v->back);
    take(&v->go);
    return !v->ending;
}

/* Both semaphores, then the thread; what was made is undone when one fails. */
static bool start(gdyn_solver *v, const pthread_attr_t *attributes) {
    if (sem_init(&v->go, 0, 0) != 0)
        return false;
    if (sem_init(&v->back, 0, 0) == 0) {
        if (pthread_create(&v->thread, attributes, live, v) == 0)
            return true;
        sem_destroy(&v->back);
    }
    sem_destroy(&v->go);
    return false;
}

gdyn_status gdyn_workers_create(const gdyn_search *s, const gdyn_nlopt *nlopt, int count,
                                gdyn_workers *w) {
    pthread_attr_t attributes;
    w->nlopt = nlopt;
    w->solver = gdyn_arena_alloc(s->arena, (size_t)count, sizeof *w->solver);
    for (int k = 0; k < count && !gdyn_arena_failed(s->arena); k++)
        w->solver[k] = gdyn_solver_create(s, nlopt);
    if (gdyn_arena_failed(s->arena) || pthread_attr_init(&attributes) != 0)
        return GDYN_ERROR_MEMORY;
    /* Threads with small stacks, as many as problems are solved side by side. */
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    while (w->count < count && start(w->solver[w->count], &attributes))
        w->count++;
    pthread_attr_destroy(&attributes);
    return w->count == count ? GDYN_OK : GDYN_ERROR_MEMORY;
}

void gdyn_workers_destroy(gdyn_workers *w) {
    /* A solver that waits for answers is asked to end; its thread returns from the work. */
    for (int k = 0; k < w->count; k++) {
        gdyn_solver *v = w->solver[k];
        v->ending = true;
        sem_post(&v->go);
        pthread_join(v->thread, NULL);
        sem_destroy(&v->go), sem_destroy(&v->back);
    }
}

void gdyn_workers_learn(gdyn_workers *w, const gdyn_search *s) {
    size_t m = (size_t)s->m, c = (size_t)s->constraints;
    int at = 0;
    for (int k = 0; k < w->count; k++)
        for (int i = 0; i < w->solver[k]->asked && at < s->children; i++) {
            gdyn_answers *a = &w->solver[k]->answers;
            int slot = s->child[at++];
            memcpy(a->f + (size_t)i * m, gdyn_slot_f(s, slot), m * sizeof *a->f);
            memcpy(a->g + (size_t)i * c, gdyn_slot_g(s, slot), c * sizeof *a->g);
            a->violation[i] = s->violation[slot], a->failure[i] = s->failure[slot];
            a->detailed[i] = s->detailed[slot], a->serial[i] = s->serial[slot];
        }
}

/* A task for an idle solver; false: there is none. */
static bool begin(gdyn_search *s, gdyn_solver *v, gdyn_workers_give *give) {
    gdyn_solver_task task = {0};
    while (give(s, v, &task))
        if (gdyn_solver_begin(v, &task))
            return true;
    return false;
}

/* Lets those run that are marked, all at once, until they ask or have finished; returns how many
 * have finished. */
static int run(gdyn_workers *w) {
    int finished = 0;
    for (int k = 0; k < w->count; k++)
        if (w->solver[k]->gone)
            sem_post(&w->solver[k]->go);
    for (int k = 0; k < w->count; k++)
        if (w->solver[k]->gone) {
            take(&w->solver[k]->back);
            finished += !w->solver[k]->busy;
        }
    return finished;
}

int gdyn_workers_breed(gdyn_workers *w, gdyn_search *s, gdyn_workers_give *give) {
    int count = 0;
    size_t bytes = (size_t)s->n * sizeof(double);
    /* Those with answers go on; those that are idle get tasks until all ask. */
    for (int k = 0; k < w->count; k++)
        w->solver[k]->gone = w->solver[k]->busy;
    run(w);
    do
        for (int k = 0; k < w->count; k++) {
            gdyn_solver *v = w->solver[k];
            v->gone = !v->busy && begin(s, v, give);
        }
    while (run(w) > 0);
    long serial = s->info.evaluations + s->waiting_count;
    for (int k = 0; k < w->count; k++) {
        const gdyn_solver *v = w->solver[k];
        long base = v->base < 0 ? serial + count : v->base;
        for (int i = 0; i < v->asked; i++) {
            int slot = s->child[count++];
            memcpy(gdyn_slot_x(s, slot), v->answers.x + (size_t)i * (size_t)s->n, bytes);
            s->base[slot] = i >= v->asked - v->apart ? base : serial + count - 1;
            if (!v->nlopt->gradient)
                s->base[slot] = -1;
        }
    }
    return count;
}
