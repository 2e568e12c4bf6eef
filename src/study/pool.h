/* pool.h - threads that evaluate designs while another thread does something else (internal to
 * study). */
#ifndef GDYN_STUDY_POOL_H
#define GDYN_STUDY_POOL_H

#include "study/study.h"

typedef struct gdyn_pool gdyn_pool;

/* One design in work; it belongs to the pool between submit and take. */
typedef struct gdyn_task {
    gdyn_design *design; /* x and serial are set */
    gdyn_extent extent;
    long tag;           /* the caller's own */
    gdyn_status status; /* of the evaluation */
} gdyn_task;

/* NULL when there is no memory or no thread can be made. */
gdyn_pool *gdyn_pool_create(const gdyn_study *study, int threads);
/* Waits for the designs in work; those that wait are dropped. */
void gdyn_pool_destroy(gdyn_pool *pool);
int gdyn_pool_threads(const gdyn_pool *pool);
/* Number of designs submitted and not taken back. */
int gdyn_pool_load(gdyn_pool *pool);
/* No more than there are threads may be in the pool. */
void gdyn_pool_submit(gdyn_pool *pool, const gdyn_task *task);
/* Takes a finished design back; false when there is none yet. */
bool gdyn_pool_take(gdyn_pool *pool, gdyn_task *task);

#endif
