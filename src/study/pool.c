/* pool.c - threads that evaluate designs, fed and emptied by one other thread. */
#include "study/pool.h"

#include "base/memory.h"
#include "lp/lp.h"

#include <pthread.h>

struct gdyn_pool {
    const gdyn_study *study;
    pthread_mutex_t lock;
    pthread_cond_t work;
    pthread_t *thread;
    int threads;
    gdyn_task *waiting, *finished; /* threads each: room for all that may be in the pool */
    int waiting_count, finished_count, load;
    bool ends;
};

static void *work_in_thread(void *context) {
    gdyn_pool *p = context;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->waiting_count == 0 && !p->ends)
            pthread_cond_wait(&p->work, &p->lock);
        if (p->ends)
            break;
        gdyn_task task = p->waiting[--p->waiting_count];
        pthread_mutex_unlock(&p->lock);
        task.status = gdyn_study_evaluate(p->study, task.design->x, task.extent, task.design);
        pthread_mutex_lock(&p->lock);
        p->finished[p->finished_count++] = task;
    }
    pthread_mutex_unlock(&p->lock);
    gdyn_lp_end_thread();
    return NULL;
}

gdyn_pool *gdyn_pool_create(const gdyn_study *study, int threads) {
    gdyn_pool *p = gdyn_alloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->study = study;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    size_t room = (size_t)(threads > 0 ? threads : 1);
    p->thread = gdyn_alloc(room, sizeof *p->thread);
    p->waiting = gdyn_alloc(room, sizeof *p->waiting);
    p->finished = gdyn_alloc(room, sizeof *p->finished);
    bool ready = p->thread && p->waiting && p->finished;
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
    pthread_mutex_lock(&p->lock);
    p->ends = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->threads; i++)
        pthread_join(p->thread[i], NULL);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    gdyn_free(p->thread);
    gdyn_free(p->waiting);
    gdyn_free(p->finished);
    gdyn_free(p);
}

int gdyn_pool_threads(const gdyn_pool *p) {
    return p->threads;
}

int gdyn_pool_load(gdyn_pool *p) {
    return p->load;
}

void gdyn_pool_submit(gdyn_pool *p, const gdyn_task *task) {
    pthread_mutex_lock(&p->lock);
    p->waiting[p->waiting_count++] = *task;
    p->load++;
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
}

bool gdyn_pool_take(gdyn_pool *p, gdyn_task *task) {
    pthread_mutex_lock(&p->lock);
    bool found = p->finished_count > 0;
    if (found) {
        *task = p->finished[--p->finished_count];
        p->load--;
    }
    pthread_mutex_unlock(&p->lock);
    return found;
}
