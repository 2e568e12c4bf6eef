/* infeasibility.h - the findings of a search without a feasible design: the nearest design, how far each
 * constraint was kept, and which constraints no design kept together. */
#ifndef GDYN_STUDY_INFEASIBILITY_H
#define GDYN_STUDY_INFEASIBILITY_H

#include "study/study.h"

enum { GDYN_EXCLUSION_MOST = 3, GDYN_EXCLUSIONS_MOST = 24 };

/* Constraints of which each was kept by some design, and each proper part by some design, but all of them
 * by none. */
typedef struct gdyn_exclusion {
    int count; /* 2 or 3 */
    int constraint[GDYN_EXCLUSION_MOST];
} gdyn_exclusion;

/* One constraint over all designs with values. */
typedef struct gdyn_constraint_record {
    int kept;                /* designs that keep it */
    const gdyn_design *best; /* farthest inside, or nearest to it; NULL: no design has values */
    /* Of the designs that keep all other constraints the one that comes nearest: relaxed to its value, this constraint
     * alone would make it feasible. NULL: there is none. */
    const gdyn_design *alone;
} gdyn_constraint_record;

typedef struct gdyn_infeasibility {
    const gdyn_design *nearest; /* least failure, then least violation; NULL without designs */
    int evaluated;              /* designs whose objectives and constraints have values */
    int constraints;
    gdyn_constraint_record *constraint; /* constraints */
    int exclusions;                     /* the first of them; pairs before triples */
    gdyn_exclusion exclusion[GDYN_EXCLUSIONS_MOST];
} gdyn_infeasibility;

/* Of any archive of the study; designs are borrowed from it. To be cleared also on failure. */
gdyn_status gdyn_infeasibility_find(const gdyn_study *study, const gdyn_archive *archive,
                                    gdyn_infeasibility *infeasibility);
void gdyn_infeasibility_clear(gdyn_infeasibility *infeasibility);

#endif
