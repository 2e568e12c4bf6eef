/* effects.h - what each design variable does to each result, from a sweep of one variable at a time. */
#ifndef GDYN_STUDY_EFFECTS_H
#define GDYN_STUDY_EFFECTS_H

#include "study/study.h"

/* Design 0 is the start; designs first[j] .. first[j + 1] - 1 are the levels of variable j. */
typedef struct gdyn_sweep {
    const gdyn_study *study;
    const gdyn_archive *archive;
    const int *first; /* variables + 1 */
} gdyn_sweep;

/* Results that are watched: objectives and constraints, or all criteria when there are none. */
int gdyn_watched_count(const gdyn_study *study);
const char *gdyn_watched_name(const gdyn_study *study, int watched, const char **unit);
/* Its value; false when the design has none. */
bool gdyn_watched(const gdyn_study *study, int watched, const gdyn_design *design, double *value);

/* What a variable does to a result. */
typedef struct gdyn_effect {
    int watched, variable;
    double least, greatest; /* over the variable's range */
    double
        share; /* (greatest - least) / |start's value|; NAN: that is 0 or unknown, or fewer than two
                               levels have a value */
    double slope;       /* at the start: change of the result per range of the variable,
                               between the nearest levels with values; NAN: unknown */
    int known, missing; /* levels with and without a value */
} gdyn_effect;

/* By result, the strongest variable first; to be freed with gdyn_free. NULL: no memory. */
gdyn_effect *gdyn_effects(const gdyn_sweep *sweep, int *count);
/* Number of effects on the first one's result, and whether any variable moves that at all. */
int gdyn_effects_together(int count, const gdyn_effect *effect, bool *moved);

#endif
