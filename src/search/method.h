/* method.h - the search's state and what a method adds to it (internal to search).
 *
 * The search owns slots for designs and their results. Parents (the survivors) and children (the
 * batch that waits for results) are lists of slots, so designs are never copied. One step:
 *
 *   results -> learn -> select (parents and children -> parents) -> breed (-> children)
 *
 * A population method needs select and breed only. A method that is no population method (scalar
 * problems solved side by side) takes its results in `learn`, writes its next designs in `breed`
 * and keeps the usual `select`: then parents are the best designs found so far. */
#ifndef GDYN_SEARCH_METHOD_H
#define GDYN_SEARCH_METHOD_H

#include "search/aim.h"
#include "search/fronts.h"
#include "search/hypervolume.h"
#include "search/search.h"
#include "search/variation.h"

#include <stddef.h>

typedef struct gdyn_method {
    double crossover, crossover_eta; /* used where the options leave them open; 0: 0.9 and 15 */
    /* Greatest number of designs of one batch (>= 1); NULL: the population. Called first; n, m, N,
     * options, variation and constraints of the search are set. */
    int (*room)(const gdyn_search *s);
    /* Makes s->engine; may be NULL. GDYN_ERROR_ARGUMENT: the method cannot treat the problem. */
    gdyn_status (*create)(gdyn_search *s);
    /* Frees s->engine, also one that was made in part; may be NULL. */
    void (*destroy)(gdyn_search *s);
    /* First batch: designs into the slots child[0 ..); returns how many. NULL: a Latin hypercube,
     * written by the search, of as many designs as the population and the room allow. */
    int (*begin)(gdyn_search *s);
    /* Takes note of the evaluated batch child[0 .. children) before the survivors are selected; may be
     * NULL. */
    gdyn_status (*learn)(gdyn_search *s);
    /* The survivors of the slots pool[0 .. count) into parent[], best fronts first, with their front
     * and crowding; sets s->parents (at most N). */
    void (*select)(gdyn_search *s, int count);
    /* Next batch into the slots child[0 .. room), which are free; *count tells how many, 0: the
     * method has ended. */
    gdyn_status (*breed)(gdyn_search *s, int *count);
} gdyn_method;

extern const gdyn_method gdyn_method_nsga2, gdyn_method_de, gdyn_method_nsga3;
extern const gdyn_method gdyn_method_sweep, gdyn_method_hybrid, gdyn_method_surrogate;
/* NULL for a method that is not there. */
const gdyn_method *gdyn_method_of(gdyn_search_method method);

struct gdyn_search {
    gdyn_search_options options; /* reference, aim: NULL */
    const gdyn_method *method;
    void *engine;             /* the method's own, made by its create */
    gdyn_variation variation; /* bounds and kinds of variables are owned */
    int n, m, N;
    int constraints;  /* number of single constraint values */
    double *equality; /* constraints: tolerance of an equality, 0: inequality */
    double *size;     /* constraints: usual size of g, 0: not known yet */
    int measured;     /* designs that it is known from */
    int room;         /* greatest batch */
    int capacity;     /* slots: N + room (lag + 1) */
    double *x, *f;    /* n x (capacity + 1), m x capacity: by slot; the last design is a spare */
    double *g;        /* constraints x capacity */
    bool *detailed;   /* capacity: g is known */
    double *violation, *failure, *crowding; /* capacity */
    int *front;                             /* capacity */
    long *serial;                           /* capacity */
    bool *received;                         /* capacity */
    int *parent,
        *child; /* N, room: slots; parents in the order of fronts; the batch that is learnt from or made */
    int parents, children;
    int *waiting,
        *batch; /* room (lag + 1), lag + 1: slots of the batches that wait for results, oldest first; their sizes */
    int batches, waiting_count;
    int *pool, *work; /* capacity */
    double *packed;   /* m x capacity: objectives of the feasible designs of the pool */
    int *first;       /* capacity + 1: where each front begins in the sorted pool */
    gdyn_fronts *fronts;
    gdyn_hypervolume *volume;
    gdyn_aim *aim;                  /* NULL: no part of the front is preferred */
    double *reference;              /* m */
    double *level;                  /* options.level_count: limits of objective options.limited */
    gdyn_search_level *level_state; /* options.level_count */
    bool referenced, fixed_reference;
    double *history; /* stall_window + 1 latest hypervolumes, cyclic */
    int history_count;
    long last_volume;                 /* evaluations at the latest of them */
    const gdyn_search_recall *recall; /* NULL: the method makes the batches */
    double start_time;
    gdyn_search_info info;
};

static inline double *gdyn_slot_x(const gdyn_search *s, int slot) {
    return s->x + (size_t)slot * (size_t)s->n;
}
static inline double *gdyn_slot_f(const gdyn_search *s, int slot) {
    return s->f + (size_t)slot * (size_t)s->m;
}
static inline double *gdyn_slot_g(const gdyn_search *s, int slot) {
    return s->g + (size_t)slot * (size_t)s->constraints;
}
/* Neither violation nor failure. */
static inline bool gdyn_slot_feasible(const gdyn_search *s, int slot) {
    return s->failure[slot] == 0 && s->violation[slot] == 0;
}

/* pool.c: gives every slot of pool[0 .. count) its front and orders the pool by fronts; front k is
 * then pool[first[k] .. first[k + 1]). Returns the number of fronts. */
int gdyn_pool_sort(gdyn_search *s, int count);
/* Less than 0: a comes first. */
typedef int gdyn_slots_compare(const gdyn_search *s, int a, int b);
/* Stable merge sort of slots; scratch: count. */
void gdyn_slots_order(const gdyn_search *s, gdyn_slots_compare *compare, int count, int *slot,
                      int *scratch);
/* The best N of the pool become the parents, front by front, the last front thinned by crowding. */
void gdyn_pool_select(gdyn_search *s, int count);
/* The same; a first front of three and more objectives that alone fills the population is thinned by nearest
 * neighbours: crowding would leave gaps there that grow with time. */
void gdyn_pool_select_apart(gdyn_search *s, int count);

/* de.c: the survivors of de, whose engine is `core`; the first `guests` children come from local searches. */
void gdyn_de_select(gdyn_search *s, void *core, int guests, int count);

/* nsga2.c: children by tournaments, crossover and mutation. */
gdyn_status gdyn_nsga2_breed(gdyn_search *s, int *count);

/* create.c: a Latin hypercube of `count` designs in the slots child[0 .. count): each variable takes every count-th
 * of its range once. */
void gdyn_latin_hypercube(gdyn_search *s, int count);
void gdyn_shuffle(int *list, int count, gdyn_random *random);
/* search.c: announces the designs child[0 .. count), no more than evaluations are left. */
void gdyn_search_announce(gdyn_search *s, int count);

#endif
