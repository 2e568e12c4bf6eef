/* variation.h - how children are made from parents (internal to search). */
#ifndef GDYN_SEARCH_VARIATION_H
#define GDYN_SEARCH_VARIATION_H

#include "base/random.h"

#include <stdbool.h>

typedef struct gdyn_variation {
    int n;
    const double *lower, *upper; /* n */
    const bool *integer;         /* n: integer or categorical */
    const bool *categorical;     /* n: unordered integers between the bounds */
    double crossover, crossover_variable, crossover_eta, mutation, mutation_eta;
} gdyn_variation;

/* Rounds variable j where it must be whole and keeps it within its bounds. */
double gdyn_variation_settle(const gdyn_variation *variation, int j, double x);
/* Bounded simulated binary crossover of a and b (n) into c and d. */
void gdyn_variation_cross(const gdyn_variation *variation, gdyn_random *random, const double *a,
                          const double *b, double *c, double *d);
/* Bounded polynomial mutation in place. */
void gdyn_variation_mutate(const gdyn_variation *variation, gdyn_random *random, double *x);
/* Bounded polynomial mutation of variable j of x (n), which is not held. */
void gdyn_variation_change(const gdyn_variation *variation, gdyn_random *random, int j, double *x);
/* Mutates one free variable, so that x differs from what it was (unless every variable is held). */
void gdyn_variation_disturb(const gdyn_variation *variation, gdyn_random *random, double *x);

#endif
