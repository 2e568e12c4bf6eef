/* executor.c - threads of this process: the pool is kept full until no design is left; each comes back as soon as it is
 * evaluated, on the thread that handed out the batch. */
#include "study/executor.h"

#include "base/interrupt.h"
#include "base/release.h"
#include "study/internal.h"

#include <unistd.h>

enum { MOST_THREADS = 256 };

/* Addresses that a thread takes: 8 MiB of stack, 64 of malloc's arena, 128 of OpenBLAS's buffer. */
enum { MEBIBYTES_PER_THREAD = 208 };

static bool goes_on(const gdyn_job *b, gdyn_status status) {
    return status == GDYN_OK && !gdyn_flag(b->stop);
}

static gdyn_status evaluate(void *self, const gdyn_job *b) {
    gdyn_pool *pool = self;
    gdyn_status result = GDYN_OK;
    for (int next = 0;;) {
        /* keep the threads busy */
        while (next < b->count && goes_on(b, result) &&
               gdyn_pool_load(pool) < gdyn_pool_capacity(pool)) {
            gdyn_task task = {.study = b->study,
                              .design = b->design[next],
                              .extent = b->extent,
                              .tag = next,
                              .stop = b->stop};
            next++;
            gdyn_pool_submit(pool, &task);
        }

        /* hand back what is evaluated; the first error is the batch's */
        gdyn_task back;
        if (!gdyn_pool_wait(pool, &back))
            return result;
        gdyn_status status = back.status;
        if (back.evaluated && status == GDYN_OK && result == GDYN_OK && b->done)
            status = b->done(b->context, (int)back.tag);
        if (result == GDYN_OK)
            result = status;
    }
}

static void destroy(void *self) {
    gdyn_pool_destroy(self);
}

int gdyn_executor_count(int wanted) {
    long count = wanted > 0 ? wanted : sysconf(_SC_NPROCESSORS_ONLN);
    size_t fitting = gdyn_memory_room() >> 20;
    fitting /= MEBIBYTES_PER_THREAD;
    count = count > MOST_THREADS ? MOST_THREADS : count;
    count = (size_t)count > fitting ? (long)fitting : count;
    return count < 1 ? 1 : (int)count;
}

gdyn_status gdyn_executor_threads(int wanted, gdyn_executor *executor) {
    gdyn_pool *pool = gdyn_pool_create(gdyn_executor_count(wanted));
    *executor = (gdyn_executor){pool, evaluate, destroy};
    return pool ? GDYN_OK : GDYN_ERROR_MEMORY;
}

void gdyn_executor_destroy(gdyn_executor *executor) {
    if (!executor)
        return;
    if (executor->destroy)
        executor->destroy(executor->self);
    *executor = (gdyn_executor){0};
}
