/* executor.c - threads of this process: the pool is kept full until no design is left; each comes
 * back as soon as it is evaluated, on the thread that handed out the batch. */
#include "study/executor.h"

#include "base/interrupt.h"
#include "base/release.h"
#include "study/internal.h"
#include "base/memory.h"
#include "lp/lp.h"

#include <unistd.h>

enum { MOST_THREADS = 256 };

/* Addresses that a thread takes: 8 MiB of stack, 64 of malloc's arena, 128 of OpenBLAS's buffer. */
enum { MEBIBYTES_PER_THREAD = 208 };

static gdyn_status evaluate(void *self, const gdyn_job *job) {
    gdyn_pool *pool = self;
    gdyn_status result = GDYN_OK;
    for (int next = 0;;) {
        /* keep the threads busy */
        for (; next < job->count && result == GDYN_OK && !gdyn_flag(job->stop) &&
               pool->load < pool->capacity;
             next++)
            gdyn_pool_submit(pool, job, job->design[next], next);
        /* hand back what is evaluated; the first error is the batch's */
        gdyn_task back;
        if (!gdyn_pool_take(pool, true, &back))
            return result;
        gdyn_status status = back.status;
        if (back.evaluated && status == GDYN_OK && result == GDYN_OK && job->done)
            status = job->done(job->context, (int)back.tag);
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

/* --- threads that evaluate designs, fed and emptied by one other thread. */

static void *work_in_thread(void *context) {
    gdyn_pool *p = context;
    pthread_mutex_lock(&p->lock);
    /* Until the pool ends: wait for a task, evaluate it, hand it back. */
    for (;;) {
        while (p->waiting_count == 0 && !p->ends)
            pthread_cond_wait(&p->submitted, &p->lock);
        if (p->ends)
            break;
        gdyn_task task = p->waiting[p->first];
        p->first = (p->first + 1) % p->capacity;
        p->waiting_count--;
        pthread_mutex_unlock(&p->lock);
        gdyn_design *d = task.design;
        task.evaluated = !gdyn_flag(task.job->stop);
        if (task.evaluated) {
            d->stop = task.job->stop;
            task.status = gdyn_study_evaluate(task.job->study, d->x, task.job->extent, d);
            d->stop = NULL;
            task.evaluated = !d->left;
        }
        pthread_mutex_lock(&p->lock);
        p->finished[p->finished_count++] = task;
        pthread_cond_signal(&p->returned);
    }
    pthread_mutex_unlock(&p->lock);
    gdyn_lp_end_thread();
    return NULL;
}

gdyn_pool *gdyn_pool_create(int threads) {
    gdyn_pool *p = gdyn_alloc(1, sizeof *p);
    if (!p)
        return NULL;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->submitted, NULL), pthread_cond_init(&p->returned, NULL);
    p->capacity = 2 * (threads > 0 ? threads : 1);
    p->thread = gdyn_alloc((size_t)p->capacity, sizeof *p->thread);
    p->waiting = gdyn_alloc((size_t)p->capacity, sizeof *p->waiting);
    p->finished = gdyn_alloc((size_t)p->capacity, sizeof *p->finished);
    bool ready = p->thread && p->waiting && p->finished;
    /* Fewer threads than asked for will do; none will not. */
    while (ready && p->threads < threads &&
           pthread_create(&p->thread[p->threads], NULL, work_in_thread, p) == 0)
        p->threads++;
    if (p->threads == 0) {
        gdyn_pool_destroy(p);
        return NULL;
    }
    return p;
}

void gdyn_pool_destroy(gdyn_pool *p) {
    if (!p)
        return;
    /* Waiting threads wake and end; tasks at work are finished first. */
    pthread_mutex_lock(&p->lock);
    p->ends = true;
    pthread_cond_broadcast(&p->submitted);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->threads; i++)
        pthread_join(p->thread[i], NULL);
    pthread_cond_destroy(&p->submitted), pthread_cond_destroy(&p->returned);
    pthread_mutex_destroy(&p->lock);
    gdyn_free(p->thread), gdyn_free(p->waiting), gdyn_free(p->finished), gdyn_free(p);
}

void gdyn_pool_submit(gdyn_pool *p, const gdyn_job *job, gdyn_design *design, long tag) {
    pthread_mutex_lock(&p->lock);
    p->waiting[(p->first + p->waiting_count++) % p->capacity] =
        (gdyn_task){.job = job, .design = design, .tag = tag};
    p->load++;
    pthread_cond_signal(&p->submitted);
    pthread_mutex_unlock(&p->lock);
}

bool gdyn_pool_take(gdyn_pool *p, bool wait, gdyn_task *task) {
    pthread_mutex_lock(&p->lock);
    while (wait && p->load > 0 && p->finished_count == 0)
        pthread_cond_wait(&p->returned, &p->lock);
    bool found = p->finished_count > 0;
    if (found) {
        *task = p->finished[--p->finished_count];
        p->load--;
    }
    pthread_mutex_unlock(&p->lock);
    return found;
}
