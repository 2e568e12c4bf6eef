/* best_designs.h - what a search gained in accessible motion: the start design and the best ones of the front, with
 * their regions along a trajectory.
 *
 * The balanced design loses least in the objective in which it loses most, losses being shares of the front's ranges
 * (Chebyshev's distance to the ideal point). Unlike the knee, the farthest from the plane through the extremes, it is
 * not drawn to one end by two objectives that go together. */
#ifndef GDYN_STUDY_BEST_DESIGNS_H
#define GDYN_STUDY_BEST_DESIGNS_H

#include "study/study.h"
#include "trajectory/trajectory.h"

/* The design of a front (not empty) that is best in an objective. */
const gdyn_design *gdyn_front_best(const gdyn_study *study, const gdyn_archive *front,
                                   int objective);

enum { GDYN_BEST_OBJECTIVES = 6, GDYN_BEST_DESIGNS = GDYN_BEST_OBJECTIVES + 2 };

typedef struct gdyn_best_design {
    const gdyn_design *design;
    bool start, balanced;
    bool best[GDYN_BEST_OBJECTIVES]; /* in that objective */
    gdyn_instance *instance;         /* NULL: no machine */
    /* Along a trajectory: */
    gdyn_trajectory t;            /* with regions, unless it cannot be followed */
    double reach, area;           /* criteria */
    const gdyn_region *region[2]; /* common to the whole path; at p. NULL: none */
} gdyn_best_design;

typedef struct gdyn_best_designs {
    const gdyn_study *study;
    int count; /* the start design first */
    gdyn_best_design list[GDYN_BEST_DESIGNS];
    /* Along a trajectory: the point where the region of the start design is smallest; where the start cannot follow
     * the path, that of the first design that does. */
    double p;     /* NAN: nothing is accessible anywhere */
    int smallest; /* that design */
} gdyn_best_designs;

/* Chooses designs of a front that is not empty, and makes their machines. To be freed in any case. */
gdyn_status gdyn_best_designs_choose(gdyn_best_designs *best, const gdyn_study *study,
                                     const gdyn_study_result *result);
/* Regions of all of them along a trajectory of the case, in place of those of another one. */
gdyn_status gdyn_best_designs_follow(gdyn_best_designs *best, int trajectory);
void gdyn_best_designs_free(gdyn_best_designs *best);

#endif
