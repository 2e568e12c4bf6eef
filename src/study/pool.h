/* pool.h - threads that evaluate designs while another thread feeds and empties the pool (internal to
 * study). */
#ifndef GDYN_STUDY_POOL_H
#define GDYN_STUDY_POOL_H

#include "study/study.h"

#include <signal.h>

typedef struct gdyn_pool gdyn_pool;

/* One design in work; it belongs to the pool between submit and take. */
typedef struct gdyn_task {
    const gdyn_study *study;
    gdyn_design *design; /* x and serial are set */
    gdyn_extent extent;
    long tag; /* the caller's own */
    const volatile sig_atomic_t
        *stop;      /* not zero: the evaluation is not begun any more, a sample is left; or NULL */
    bool evaluated; /* false when it was stopped before or within its sample */
    gdyn_status status; /* of the evaluation */
} gdyn_task;

/* NULL when there is no memory or no thread can be made. */
gdyn_pool *gdyn_pool_create(int threads);
/* Waits for the designs in work; those that wait are dropped. */
void gdyn_pool_destroy(gdyn_pool *pool);
int gdyn_pool_threads(const gdyn_pool *pool);
/* Number of designs that may be in the pool: one in work and one waiting for each thread. */
int gdyn_pool_capacity(const gdyn_pool *pool);
/* Number of designs submitted and not taken back; for the thread that submits and takes. */
int gdyn_pool_load(const gdyn_pool *pool);
/* Begun in the order in which they are submitted. */
void gdyn_pool_submit(gdyn_pool *pool, const gdyn_task *task);
/* Takes a finished design back; false when there is none yet. */
bool gdyn_pool_take(gdyn_pool *pool, gdyn_task *task);
/* Waits for a finished design and takes it back; false when none is in the pool. */
bool gdyn_pool_wait(gdyn_pool *pool, gdyn_task *task);

#endif
