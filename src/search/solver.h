/* solver.h - one scalar problem solved by NLopt in a coroutine (internal to search).
 *
 * A solver asks for one or several designs at a time (a point, or the neighbours that differences
 * need), waits, and finds the answers beside them. It works in the unit box of its free variables;
 * whole variables are rounded when a design is made. */
#ifndef GDYN_SEARCH_SOLVER_H
#define GDYN_SEARCH_SOLVER_H

#include "search/scalar.h"
#include "search/search.h"
#include "search/coroutines.h"
#include "search/variation.h"

#include <stdint.h>

/* How a problem is passed to an algorithm. */
typedef enum gdyn_solver_form {
    GDYN_FORM_PENALTY,  /* one function: the greatest row, plus a penalty */
    GDYN_FORM_ROWS,     /* the greatest row as objective, constraints as constraints */
    GDYN_FORM_EPIGRAPH, /* t as a variable more, every row a constraint */
} gdyn_solver_form;

typedef struct gdyn_nlopt {
    gdyn_search_nlopt about;
    int algorithm, local; /* nlopt_algorithm; local: helper of a two-stage method, or -1 */
    gdyn_solver_form form;
    bool gradient, equalities; /* uses derivatives; takes equalities as such */
} gdyn_nlopt;

/* algorithms.c; NULL: no such name. */
const gdyn_nlopt *gdyn_nlopt_of(const char *name);
/* methods.c: true when the search's method can use it for its free variables. */
bool gdyn_nlopt_fits(const gdyn_search *search, const gdyn_nlopt *nlopt);

/* Results of one design. */
typedef struct gdyn_answers {
    double *x;                   /* n x most: the designs asked for */
    double *f, *g;               /* m x most, constraints x most */
    double *violation, *failure; /* most */
    bool *detailed;              /* most: g is known */
} gdyn_answers;

typedef struct gdyn_solver gdyn_solver;

/* Sizes and bounds of the problem. `most`, the greatest number of designs asked for at a time, is
 * gdyn_solver_most. */
typedef struct gdyn_solver_space {
    const gdyn_variation *variation; /* n, bounds, kinds; must outlive the solver */
    int m, constraints;
    const double *
        equality; /* constraints: tolerance of an equality, 0: inequality; must outlive the solver */
    const double *
        size; /* constraints: usual size of g, which becomes 1, 0: not known; must outlive the solver */
    const gdyn_nlopt *nlopt;
} gdyn_solver_space;
int gdyn_solver_most(const gdyn_solver_space *space);
/* NULL: out of memory. */
gdyn_solver *gdyn_solver_create(const gdyn_solver_space *space);
void gdyn_solver_destroy(gdyn_solver *solver);

typedef struct gdyn_solver_task {
    const double *start; /* n: copied */
    bool hold_whole;     /* whole variables stay as in start */
    bool constrained;    /* constraints and violation may be positive somewhere */
    double step;         /* first step, share of the range */
    double tolerance;    /* on unit variables and scaled objectives */
    long budget;         /* designs */
    int runs;            /* of NLopt, at most; 1: no hops */
    uint64_t seed;       /* of NLopt's random numbers */
    int tag;             /* the caller's own */
} gdyn_solver_task;

/* The problem that the next task solves; its arrays are the solver's own, to be filled. */
gdyn_scalar *gdyn_solver_problem(gdyn_solver *solver);
/* Begins a task in coroutine k, which must be idle. false: no variable is free, nothing to do. */
bool gdyn_solver_begin(gdyn_solver *solver, gdyn_coroutines *coroutines, int k,
                       const gdyn_solver_task *task);
/* The last task: its tag; whether its runs ended by their tolerances rather than the budget, and by
 * how much its best point exceeds the limits and constraints. */
typedef struct gdyn_solver_end {
    int tag;
    bool converged;
    double excess;
} gdyn_solver_end;
gdyn_solver_end gdyn_solver_ended(const gdyn_solver *solver);
/* Designs that the solver waits for. */
int gdyn_solver_asked(const gdyn_solver *solver);
gdyn_answers *gdyn_solver_answers(gdyn_solver *solver);

#endif
