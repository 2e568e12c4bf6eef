/* together.c - threads that take pieces of work until none is left. */
#include "trajectory/together.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST_HELPERS = 63 };

typedef struct crew {
    int count;
    atomic_int next;
    void (*work)(void *context, int i);
    void *context;
} crew;

/* The next piece, until there is none. */
static void *help(void *of) {
    crew *c = of;
    for (int i; (i = atomic_fetch_add(&c->next, 1)) < c->count;)
        c->work(c->context, i);
    return NULL;
}

void gdyn_work_together(int threads, int count, void (*work)(void *context, int i), void *context) {
    pthread_t helper[MOST_HELPERS];
    crew c = {.count = count, .work = work, .context = context};
    int helpers = 0, wanted = (threads < count ? threads : count) - 1;
    while (helpers < wanted && helpers < MOST_HELPERS &&
           pthread_create(&helper[helpers], NULL, help, &c) == 0)
        helpers++;
    help(&c);
    for (int i = 0; i < helpers; i++)
        pthread_join(helper[i], NULL);
}
