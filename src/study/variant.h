/* variant.h - a study of the same machine and variables with other goals: further constraints, or a constraint that
 * has become an objective. Its designs come from the archive of the first one (adopt.h) or a search of its own. */
#ifndef GDYN_STUDY_VARIANT_H
#define GDYN_STUDY_VARIANT_H

#include "base/diag.h"
#include "study/study.h"

typedef struct gdyn_variant_def {
    int count;                /* further constraints: */
    const char *const *limit; /* count: "mass <= 36 kg" */
    int released;             /* constraint whose left side becomes the last objective; -1: none */
    /* levels: of the left side of the released constraint, for epsilon_constraint with the seed */
    const double *level;
    int levels;
    uint64_t seed;
    int alone; /* 1 + the objective that is kept alone, behind the left side of a released constraint; 0: all are kept */
} gdyn_variant_def;

typedef struct gdyn_variant {
    char *text; /* the case */
    gdyn_case *the_case;
    gdyn_study *study;
    gdyn_archive archive; /* designs that were taken over */
    int left_out;         /* those that could not be */
} gdyn_variant;

/* Makes the study and takes over what applies of the archive (may be NULL). What is wrong with a limit goes to the
 * sink: GDYN_ERROR_INPUT. An equality cannot be released: GDYN_ERROR_ARGUMENT. To be cleared also on failure. */
gdyn_status gdyn_variant_make(gdyn_variant *variant, const gdyn_study *study,
                              const gdyn_archive *archive, const gdyn_variant_def *def,
                              const gdyn_sink *sink);
/* Copies of the designs that were taken over, are feasible and not dominated in the variant's objectives, each once.
 * GDYN_ERROR_MEMORY. */
gdyn_status gdyn_variant_front(const gdyn_variant *variant, gdyn_archive *front);
void gdyn_variant_clear(gdyn_variant *variant);

#endif
