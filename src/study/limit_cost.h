/* limit_cost.h - what a constraint costs: the best of each objective, and the whole front, as functions of its limit.
 *
 * Taken from evaluated designs. With the left side of the constraint as a further objective, the designs of which none
 * is better than another in all of them are those that matter for some limit; with the limit at b the front is made of
 * those that keep b. All other constraints are kept. */
#ifndef GDYN_STUDY_LIMIT_COST_H
#define GDYN_STUDY_LIMIT_COST_H

#include "study/study.h"

typedef struct gdyn_limit_level {
    double limit;             /* as stated, SI */
    bool stated;              /* the limit of the case */
    int front;                /* designs on the front with this limit */
    const gdyn_design **best; /* objectives: the best design; NULL: none keeps the limit */
    double hypervolume;       /* of the front, against one reference point for all levels */
} gdyn_limit_level;

/* Designs of a further search, which are in the archive behind those of the study. */
typedef struct gdyn_limit_part {
    char *folder;          /* of its own study */
    const char *objective; /* that it is for */
    long first;            /* design N of that study is number first + N of the archive */
    int evaluated;         /* new designs */
    const char *stop;      /* why it ended */
    gdyn_search_level
        *state; /* levels, the strictest first: of its search there; NULL: not begun */
} gdyn_limit_part;

typedef struct gdyn_limit_cost {
    int objectives; /* without the left side */
    int levels;
    gdyn_limit_level *level;    /* levels, the loosest limit first */
    gdyn_study_result result;   /* .front; its archive is borrowed */
    const gdyn_design **member; /* objectives x levels */
    int parts;
    const gdyn_limit_part *part; /* one for each objective; borrowed; set by the caller */
} gdyn_limit_cost;

/* Limits to look at, the strictest first, of a study whose last objective is the left side of the
 * constraint (variant.h): the stated one and at most `count` others, those of the designs that matter,
 * spread evenly over them, or (`even`) in even steps between the strictest and the loosest of them.
 * To be freed with gdyn_free. */
gdyn_status gdyn_limit_levels(const gdyn_study *study, const gdyn_archive *archive, double stated,
                              int count, bool even, int *levels, double **level);
/* The best of the archive at each of these limits. To be cleared also on failure. */
gdyn_status gdyn_limit_cost_find(gdyn_limit_cost *cost, const gdyn_study *study,
                                 const gdyn_archive *archive, double stated, int levels,
                                 const double *level);
/* The further search for objective k has converged at level i (of `level`). */
bool gdyn_limit_converged(const gdyn_limit_cost *cost, int i, int k);
/* The further search that found the design; NULL: the study itself. */
const gdyn_limit_part *gdyn_limit_part_of(const gdyn_limit_cost *cost, const gdyn_design *design);
void gdyn_limit_cost_clear(gdyn_limit_cost *cost);

#endif
