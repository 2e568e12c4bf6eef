/* sweep.h - designs spread over the bounds of a study's design variables. */
#ifndef GDYN_STUDY_SWEEP_H
#define GDYN_STUDY_SWEEP_H

#include "search/sample.h"
#include "study/study.h"

typedef struct gdyn_sweep_plan {
    gdyn_sample_space space; /* its arrays are the plan's */
    long count;              /* designs, the start design first */
    double *x;               /* variables x count */
    int *
        first; /* variables + 1, one at a time: designs first[j] .. first[j + 1] - 1 are the levels of variable j */
    double *bounds;
    bool *flags;
} gdyn_sweep_plan;

/* size: levels or designs, 0: as usual for the method; varies: variables, which of them move. GDYN_ERROR_ARGUMENT with
 * the result of gdyn_sample_count in plan->count where that is not positive. To be freed in any case. */
gdyn_status gdyn_sweep_plan_make(gdyn_sweep_plan *plan, const gdyn_study *study,
                                 gdyn_sample_method method, int size, uint64_t seed,
                                 const bool *varies);
void gdyn_sweep_plan_free(gdyn_sweep_plan *plan);

#endif
