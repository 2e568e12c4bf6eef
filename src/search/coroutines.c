/* coroutines.c - threads that hand a baton to and fro: two semaphores for each coroutine, `go` from
 * the caller to the coroutine and `back` from the coroutine to the caller. Whoever has no baton
 * sleeps, so caller and coroutine share their memory without locks. */
#include "search/method.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

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
