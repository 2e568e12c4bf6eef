/* suite_runs.h - runs of methods on the suite, kept as files, and their comparison. */
#ifndef SUITE_RUNS_H
#define SUITE_RUNS_H

#include "suite.h"

#include <stdio.h>

/* What a run leaves: the nondominated feasible designs of all evaluated ones; of one objective the best. */
typedef struct suite_run {
    int m, count;
    double seconds; /* of processor time */
    double *f;      /* m x count; to be freed */
} suite_run;

/* What is compared. */
typedef struct suite_plan {
    const char *folder;
    const char *const *method; /* NULL-terminated */
    const char *const *only;   /* names or groups of problems, NULL-terminated; empty: all */
    long budget[4]; /* evaluations, 0-terminated; problems of one objective have SUITE_SINGLE */
    int seeds;
} suite_plan;
enum { SUITE_SINGLE = 10000, SUITE_FEW = 1000 };
/* Budgets up to SUITE_FEW hold for one objective, too. */
static inline bool suite_single(const suite_plan *plan, const suite_problem *problem) {
    return problem->m == 1 && plan->budget[0] > SUITE_FEW;
}

bool suite_wanted(const suite_plan *plan, const suite_problem *problem);
/* The file of a run. */
void suite_path(char *path, int size, const suite_plan *plan, const suite_problem *problem,
                const char *method, long budget, int seed);
/* False when there is no such file. */
bool suite_load(const char *path, suite_run *run);

/* suite_report.c: the table, and the same numbers as JSON in `json` (NULL: none). */
void suite_report(const suite_plan *plan, FILE *json);

#endif
