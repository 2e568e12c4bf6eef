/* suite_search.h - a problem of the suite as one of the library's search. */
#ifndef SUITE_SEARCH_H
#define SUITE_SEARCH_H

#include "suite.h"

#include "search/search.h"

#include <math.h>

typedef struct suite_box {
    double lower[SUITE_VARIABLES], upper[SUITE_VARIABLES];
    bool whole[SUITE_VARIABLES];
} suite_box;

/* Borrows the box, which is filled. */
static inline gdyn_search_problem suite_for_search(const suite_problem *p, suite_box *box) {
    suite_bounds(p, box->lower, box->upper, box->whole);
    return (gdyn_search_problem){.variables = p->n,
                                 .objectives = p->m,
                                 .lower = box->lower,
                                 .upper = box->upper,
                                 .integer = box->whole,
                                 .constraints = p->constraints};
}

/* Evaluates design i of a batch and tells the search; f (m), g (constraints). Returns the violation. */
static inline double suite_tell(const suite_problem *p, gdyn_search *search, int i, double *f,
                                double *g) {
    double violation = 0;
    p->evaluate(p, gdyn_search_design(search, i), f, g);
    for (int j = 0; j < p->constraints; j++)
        violation += fmax(g[j], 0);
    gdyn_search_tell(
        search, i, &(gdyn_search_outcome){.objective = f, .violation = violation, .constraint = g});
    return violation;
}

#endif
