/* crew.c - threads of this process (OpenMP): each takes the next design until none is left, and hands
 * it back as soon as it is evaluated. */
#include "study/crew.h"

#include "base/memory.h"
#include "lp/lp.h"
#include "study/study.h"

#include <unistd.h>

enum { MOST_THREADS = 256 };

typedef struct threads {
    int count;
} threads;

static bool goes_on(const gdyn_batch *b, gdyn_status status) {
    return status == GDYN_OK && !(b->stop && *b->stop);
}

static gdyn_status evaluate(void *self, const gdyn_batch *b) {
    const threads *t = self;
    int count = t->count < b->count ? t->count : b->count;
    gdyn_status result = GDYN_OK;
#pragma omp parallel num_threads(count)
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < b->count; i++) {
            gdyn_status status;
#pragma omp critical(gdyn_crew)
            status = result;
            if (!goes_on(b, status))
                continue;
            gdyn_design *d = b->design[i];
            status = gdyn_study_evaluate(b->study, d->x, b->extent, d);
#pragma omp critical(gdyn_crew)
            {
                if (status == GDYN_OK && result == GDYN_OK && b->done)
                    status = b->done(b->context, i);
                if (result == GDYN_OK)
                    result = status;
            }
        }
        gdyn_lp_end_thread();
    }
    return result;
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
