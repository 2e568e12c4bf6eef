/* solver_state.h - the state of a solver, between its parts (internal to search).
 *
 * solver.c runs tasks, solver_nlopt.c is NLopt's side, solver_rows.c asks for designs and makes rows of their results. */
#ifndef GDYN_SEARCH_SOLVER_STATE_H
#define GDYN_SEARCH_SOLVER_STATE_H

#include "search/solver.h"

#include <nlopt.h>

enum { GDYN_SOLVER_REMEMBERED = 16 };
/* Of an equality's tolerance: what a run is content with. */
#define GDYN_SOLVER_HALF 0.5

struct gdyn_solver {
    gdyn_solver_space space;
    int n, most;
    gdyn_coroutine *coroutine;
    gdyn_answers answers;
    int asked;
    gdyn_solver_task task;
    gdyn_scalar problem;
    long used;
    bool over;     /* budget used or coroutines ending */
    int *free;     /* n: free variables */
    int variables; /* how many; t is u[variables] */
    double *start; /* n */
    double *u;     /* n + 1: NLopt's point, with t */
    double *best;  /* n: best point of the task */
    double best_value, best_excess;
    double best_slack; /* of the row that is farthest from being active */
    double ceiling, penalty;
    double gain;     /* factor of the goals as NLopt sees them */
    int rows, goals; /* rows: goals (with t) first, then constraints */
    int *order;      /* rows: inequalities as NLopt is given them, then `equalities` equalities */
    int equalities;
    double *tolerance; /* rows: of an equality, 0: none */
    double *size;      /* rows: of a constraint, which is divided by it */
    int *goal;         /* m: objective of each goal row */
    int *limit;        /* m: objectives with d = 0 */
    int limits;
    double *settled;           /* n: design of the present point */
    double *seen_x, *seen_row; /* n and rows x GDYN_SOLVER_REMEMBERED */
    int seen, latest;
    double *slope_u, *slope; /* point (n) and derivatives (n x rows, by rows) at it */
    bool sloped;
    int *again;     /* n: variables whose neighbour was useless */
    double *change; /* rows: scratch */
    nlopt_opt opt;
};

/* The range of x_j that the unit interval stands for: of a whole variable half a step more on both sides. */
typedef struct gdyn_solver_range {
    double low, width;
} gdyn_solver_range;
gdyn_solver_range gdyn_solver_range_of(const gdyn_solver *v, int j);

/* solver_rows.c: rows at u (n, unit box), their derivatives in v->slope when wanted; asks for the designs that are not
 * known, which sleeps. NULL: it is over. The best point is noted. */
const double *gdyn_solver_look(gdyn_solver *v, const double *u, bool slopes);
/* After the first look, with slopes: each constraint becomes a row with a slope of one there, if it has any. */
void gdyn_solver_scale(gdyn_solver *v);
/* Of the rows of one point: the greatest goal; the sum of what is above zero behind the goals. */
double gdyn_solver_greatest(const gdyn_solver *v, const double *row);
double gdyn_solver_excess(const gdyn_solver *v, const double *row);
/* What is added to row r, a constraint g <= 0 (0: another one), that it ends on the right side. */
double gdyn_solver_margin(const gdyn_solver *v, int r);
/* r, above the ceiling L bent to L (2 - L/r). */
double gdyn_solver_bend(const gdyn_solver *v, double r);

/* solver_nlopt.c: one run of NLopt from v->u. */
void gdyn_solver_run(gdyn_solver *v);

#endif
