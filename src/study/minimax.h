/* minimax.h - a local minimum of the greatest of many functions. */
#ifndef GDYN_STUDY_MINIMAX_H
#define GDYN_STUDY_MINIMAX_H

#include "base/status.h"

#include <stdbool.h>

typedef struct gdyn_minimax {
    int variables, functions;
    const double *lower, *upper; /* variables; finite */
    int evaluations;             /* most */
    double fine;                 /* ends when a step is shorter than this share of upper - lower */
    /* f (functions) at x; *known false: there are no values there. */
    gdyn_status (*evaluate)(void *context, const double *x, double *f, bool *known);
    bool (*go_on)(void *context); /* false: end with what is best so far; or NULL */
    void *context;
} gdyn_minimax;

/* x: the start, where the functions have values, then the best point found. Deterministic. */
gdyn_status gdyn_minimax_search(const gdyn_minimax *problem, double *x);

#endif
