/* workers.c - threads that take the next piece of work until none is left. */
#include "workspace/workers.h"

#include "lp/lp.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS_MOST = 256 };

typedef struct shared {
    atomic_int next;
    int count;
    void (*work)(void *context, int worker, int i);
    void *context;
} shared;

typedef struct worker {
    shared *of;
    int number;
} worker;

static void take_pieces(const worker *w) {
    for (int i; (i = atomic_fetch_add(&w->of->next, 1)) < w->of->count;)
        w->of->work(w->of->context, w->number, i);
}

static void *run(void *context) {
    take_pieces(context);
    gdyn_lp_end_thread();
    return NULL;
}

void gdyn_workers_share(int threads, int count, void (*work)(void *context, int worker, int i),
                        void *context) {
    pthread_t thread[THREADS_MOST];
    worker w[THREADS_MOST];
    shared s = {.count = count, .work = work, .context = context};
    int started = 1;
    atomic_init(&s.next, 0);
    /* no more threads than pieces; this one is the first */
    threads = threads > count ? count : threads > THREADS_MOST ? THREADS_MOST : threads;
    w[0] = (worker){&s, 0};
    for (; started < threads; started++) {
        w[started] = (worker){&s, started};
        if (pthread_create(&thread[started], NULL, run, &w[started]) != 0)
            break;
    }
    take_pieces(&w[0]);
    for (int i = 1; i < started; i++)
        pthread_join(thread[i], NULL);
}
