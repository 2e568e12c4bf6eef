/* workers.h - solvers in coroutines whose designs make up batches of a search (internal to search). */
#ifndef GDYN_SEARCH_WORKERS_H
#define GDYN_SEARCH_WORKERS_H

#include "search/method.h"
#include "search/solver.h"

typedef struct gdyn_workers {
    gdyn_solver_space space;
    int count;
    gdyn_coroutines *coroutines;
    gdyn_solver **solver; /* count */
    bool *gone;           /* count: runs at present */
} gdyn_workers;

/* `workers` may be destroyed after a failure too. */
gdyn_status gdyn_workers_create(const gdyn_solver_space *space, int count, gdyn_workers *workers);
void gdyn_workers_destroy(gdyn_workers *workers);

/* Hands the evaluated designs child[0 .. children) to the solvers that requested them. */
void gdyn_workers_learn(gdyn_workers *workers, const gdyn_search *s);

/* Next task for a solver: fills its problem and *task; false: there is none now. */
typedef bool gdyn_workers_give(gdyn_search *s, gdyn_solver *solver, gdyn_solver_task *task);
/* Lets all workers go on together; idle ones, and those that have finished, are given the next tasks
 * in order.
 * What they ask for is written to child[0 ..); returns how many designs, 0: all are idle. */
int gdyn_workers_breed(gdyn_workers *workers, gdyn_search *s, gdyn_workers_give *give);

#endif
