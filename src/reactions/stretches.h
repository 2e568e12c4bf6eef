/* stretches.h - verdicts and values of one component along a path, in stretches of one verdict.
 *
 * A pose whose rank is lower than that of the rest (constraints or drives singular there) belongs
 * to no stretch: what is indeterminate in it alone says nothing about the path. */
#ifndef GDYN_REACTIONS_STRETCHES_H
#define GDYN_REACTIONS_STRETCHES_H

#include "reactions/solvability.h"

typedef struct gdyn_stretch {
    double from, to; /* p of its first and last point */
    int points;
    gdyn_verdict verdict;
    double least, greatest; /* of the values known; least > greatest: none */
} gdyn_stretch;

/* rank (points): of the pose, constraints and drives together, -1 where there is none; verdict,
 * value: of the component at point i in element i * stride, value NAN where it is not known. Writes
 * list (points: room); returns the number of stretches. */
int gdyn_reaction_stretches(int points, const double *p, const int *rank, int stride,
                            const gdyn_verdict *verdict, const double *value, gdyn_stretch *list);
/* Greatest rank of the points: poses of less are left out of the stretches. */
int gdyn_reaction_generic(int points, const int *rank);

#endif
