/* strands.c - threads that hand a baton to and fro: two semaphores for each strand, `go` from the
 * caller to the strand and `back` from the strand to the caller. Whoever has no baton sleeps, so
 * caller and strand share their memory without locks. */
#include "search/strands.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

/* NLopt keeps its arrays on the heap; sanitizers want more room than it does. */
enum { STACK_SIZE = 512 * 1024 };

struct gdyn_strand {
    pthread_t thread;
    sem_t go, back;
    gdyn_strand_work *work; /* NULL: idle */
    void *context;
    bool ending;
};

struct gdyn_strands {
    int count; /* threads that run */
    gdyn_strand *strand;
};

static void take(sem_t *baton) {
    while (sem_wait(baton) != 0 && errno == EINTR)
        continue;
}

static void *live(void *argument) {
    gdyn_strand *s = argument;
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

static bool start(gdyn_strand *s, const pthread_attr_t *attributes) {
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

gdyn_status gdyn_strands_create(int count, gdyn_strands **out) {
    *out = NULL;
    gdyn_strands *strands = gdyn_alloc(1, sizeof *strands);
    pthread_attr_t attributes;
    if (!strands)
        return GDYN_ERROR_MEMORY;
    strands->strand = gdyn_alloc((size_t)count, sizeof *strands->strand);
    bool ok = strands->strand && pthread_attr_init(&attributes) == 0;
    if (ok) {
        pthread_attr_setstacksize(&attributes, STACK_SIZE);
        while (strands->count < count && start(&strands->strand[strands->count], &attributes))
            strands->count++;
        ok = strands->count == count;
        pthread_attr_destroy(&attributes);
    }
    if (!ok) {
        gdyn_strands_destroy(strands);
        return GDYN_ERROR_MEMORY;
    }
    *out = strands;
    return GDYN_OK;
}

void gdyn_strands_destroy(gdyn_strands *strands) {
    if (!strands)
        return;
    for (int k = 0; k < strands->count; k++) {
        gdyn_strand *s = &strands->strand[k];
        s->ending = true;
        sem_post(&s->go);
        pthread_join(s->thread, NULL);
        sem_destroy(&s->go);
        sem_destroy(&s->back);
    }
    gdyn_free(strands->strand);
    gdyn_free(strands);
}

void gdyn_strands_begin(gdyn_strands *strands, int k, gdyn_strand_work *work, void *context) {
    strands->strand[k].work = work;
    strands->strand[k].context = context;
}

void gdyn_strands_go(gdyn_strands *strands, int k) {
    sem_post(&strands->strand[k].go);
}

bool gdyn_strands_await(gdyn_strands *strands, int k) {
    gdyn_strand *s = &strands->strand[k];
    take(&s->back);
    return s->work != NULL;
}

bool gdyn_strands_busy(const gdyn_strands *strands, int k) {
    return strands->strand[k].work != NULL;
}

bool gdyn_strand_wait(gdyn_strand *s) {
    if (s->ending)
        return false;
    sem_post(&s->back);
    take(&s->go);
    return !s->ending;
}
