/* executor.c - threads of this process: the pool is kept full until no design is left; each comes
 * back as soon as it is evaluated, on the thread that handed out the batch. */
#include "study/executor.h"

#include "base/interrupt.h"
#include "base/release.h"
#include "study/internal.h"
#include "base/memory.h"
#include "lp/lp.h"

#include <unistd.h>
#include <pthread.h>

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

/* --- threads that evaluate designs, fed and emptied by one other thread. */

enum { WAITING_PER_THREAD = 1 };

struct gdyn_pool {
    pthread_mutex_t lock;
    pthread_cond_t submitted, returned;
    pthread_t *thread;
    int threads, room;
    gdyn_task *waiting, *finished; /* room each; waiting is a ring */
    int first, waiting_count, finished_count, load;
    bool ends;
};

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
        p->first = (p->first + 1) % p->room;
        p->waiting_count--;
        pthread_mutex_unlock(&p->lock);
        task.evaluated = !gdyn_flag(task.stop);
        if (task.evaluated) {
            task.design->stop = task.stop;
            task.status = gdyn_study_evaluate(task.study, task.design->x, task.extent, task.design);
            task.design->stop = NULL;
            task.evaluated = !task.design->left;
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
    pthread_cond_init(&p->submitted, NULL);
    pthread_cond_init(&p->returned, NULL);
    /* Each thread has one task at work and WAITING_PER_THREAD that wait. */
    p->room = (1 + WAITING_PER_THREAD) * (threads > 0 ? threads : 1);
    p->thread = gdyn_alloc((size_t)p->room, sizeof *p->thread);
    p->waiting = gdyn_alloc((size_t)p->room, sizeof *p->waiting);
    p->finished = gdyn_alloc((size_t)p->room, sizeof *p->finished);
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
    pthread_cond_destroy(&p->submitted);
    pthread_cond_destroy(&p->returned);
    pthread_mutex_destroy(&p->lock);
    gdyn_free(p->thread);
    gdyn_free(p->waiting);
    gdyn_free(p->finished);
    gdyn_free(p);
}

int gdyn_pool_threads(const gdyn_pool *p) {
    return p->threads;
}

int gdyn_pool_capacity(const gdyn_pool *p) {
    return p->room;
}

int gdyn_pool_load(const gdyn_pool *p) {
    return p->load;
}

void gdyn_pool_submit(gdyn_pool *p, const gdyn_task *task) {
    pthread_mutex_lock(&p->lock);
    p->waiting[(p->first + p->waiting_count++) % p->room] = *task;
    p->load++;
    pthread_cond_signal(&p->submitted);
    pthread_mutex_unlock(&p->lock);
}

static bool take(gdyn_pool *p, bool wait, gdyn_task *task) {
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

bool gdyn_pool_take(gdyn_pool *p, gdyn_task *task) {
    return take(p, false, task);
}

bool gdyn_pool_wait(gdyn_pool *p, gdyn_task *task) {
    return take(p, true, task);
}
