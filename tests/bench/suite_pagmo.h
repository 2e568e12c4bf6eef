/* suite_pagmo.h - methods of pagmo 2 on the problems of the suite. */
#ifndef SUITE_PAGMO_H
#define SUITE_PAGMO_H

#include "suite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Receives every evaluated design in turn: f (m) and g (constraints). */
typedef void suite_record(void *context, const double *f, const double *g);

/* Runs `method` ("pagmo-nsga2") with a population of 100 for about `budget` evaluations. Problems of many objectives with
 * constraints, which pagmo's methods do not take, are given as unconstrained ones with the penalty of Kuri-Morales;
 * those of one objective go to methods that take constraints. False: no such method for the problem. */
bool suite_pagmo_run(const suite_problem *problem, const char *method, unsigned seed, long budget,
                     suite_record *record, void *context);

#ifdef __cplusplus
}
#endif
#endif
