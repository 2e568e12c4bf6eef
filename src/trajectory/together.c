/* together.c - threads that take pieces of work until none is left. */
#include "trajectory/trajectory.h"

#include "lp/lp.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS_MOST = 256 };

typedef struct crew {
    int count;
    atomic_int next;
    void (*work)(void *context, int worker, int i);
    void *context;
} crew;

typedef struct member {
    crew *of;
    int number;
} member;

/* The next piece, until there is none. */
static void take_pieces(const member *m) {
    crew *c = m->of;
    for (int i; (i = atomic_fetch_add(&c->next, 1)) < c->count;)
        c->work(c->context, m->number, i);
}

static void *help(void *context) {
    take_pieces(context);
    gdyn_lp_end_thread();
    return NULL;
}

void gdyn_work_together(int threads, int count, void (*work)(void *context, int worker, int i),
                        void *context) {
    pthread_t thread[THREADS_MOST];
    member m[THREADS_MOST];
    crew c = {.count = count, .work = work, .context = context};
    int started = 1;
    /* no more threads than pieces; this one is the first */
    threads = threads < count ? threads : count;
    threads = threads < THREADS_MOST ? threads : THREADS_MOST;
    m[0] = (member){&c, 0};
    for (; started < threads; started++) {
        m[started] = (member){&c, started};
        if (pthread_create(&thread[started], NULL, help, &m[started]) != 0)
            break;
    }
    take_pieces(&m[0]);
    for (int i = 1; i < started; i++)
        pthread_join(thread[i], NULL);
}
