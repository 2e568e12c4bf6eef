/* crew.c - threads of this process: each takes the next design until none is left, and hands it back
 * as soon as it is evaluated. */
#include "study/crew.h"

#include "base/memory.h"
#include "lp/lp.h"
#include "study/study.h"

#include <pthread.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

typedef struct threads {
    int count;
} threads;

/* A batch in work. */
typedef struct work {
    const gdyn_batch *batch;
    pthread_mutex_t lock; /* of all below, and held while a design is handed back */
    int next;
    gdyn_status status;
} work;

/* Index of the next design, or -1; with the lock held. */
static int take_next(work *w) {
    const gdyn_batch *b = w->batch;
    bool stop = (b->stop && *b->stop) || w->status != GDYN_OK;
    return stop || w->next == b->count ? -1 : w->next++;
}

static void work_until_done(work *w) {
    const gdyn_batch *b = w->batch;
    pthread_mutex_lock(&w->lock);
    for (int i; (i = take_next(w)) >= 0;) {
        pthread_mutex_unlock(&w->lock);
        gdyn_design *d = b->design[i];
        gdyn_status status = gdyn_study_evaluate(b->study, d->x, b->extent, d);
        pthread_mutex_lock(&w->lock);
        if (status == GDYN_OK && b->done)
            status = b->done(b->context, i);
        if (status != GDYN_OK)
            w->status = status;
    }
    pthread_mutex_unlock(&w->lock);
}

static void *work_in_thread(void *context) {
    work_until_done(context);
    gdyn_lp_end_thread();
    return NULL;
}

static gdyn_status evaluate(void *self, const gdyn_batch *batch) {
    const threads *t = self;
    work w = {.batch = batch};
    pthread_t helper[MOST_THREADS];
    int wanted = t->count < batch->count ? t->count : batch->count, started = 0;
    pthread_mutex_init(&w.lock, NULL);
    while (started < wanted - 1 && pthread_create(&helper[started], NULL, work_in_thread, &w) == 0)
        started++;
    work_until_done(&w);
    for (int i = 0; i < started; i++)
        pthread_join(helper[i], NULL);
    pthread_mutex_destroy(&w.lock);
    return w.status;
}

gdyn_status gdyn_crew_threads(int wanted, gdyn_crew *crew) {
    long count = wanted > 0 ? wanted : sysconf(_SC_NPROCESSORS_ONLN);
    threads *t = gdyn_alloc(1, sizeof *t);
    if (!t)
        return GDYN_ERROR_MEMORY;
    t->count = count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : (int)count;
    *crew = (gdyn_crew){t, evaluate, gdyn_free};
    return GDYN_OK;
}

void gdyn_crew_destroy(gdyn_crew *crew) {
    if (crew->destroy)
        crew->destroy(crew->self);
    *crew = (gdyn_crew){0};
}
