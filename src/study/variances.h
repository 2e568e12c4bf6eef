/* variances.h - which variable makes how much of a result's variance, from a sweep. */
#ifndef GDYN_STUDY_VARIANCES_H
#define GDYN_STUDY_VARIANCES_H

#include "study/effects.h"

/* A result over the designs of a sweep, all of them alike likely. */
typedef struct gdyn_spread {
    int watched;        /* as in effects.h */
    int known, missing; /* designs with and without a value */
    /* of the sample; one at a time: of the sum of the single effects about the start, NAN where a level has no value */
    double mean, deviation;
    double least, greatest;
    double
        explained; /* share of the variance that the shares make up; one at a time 1; NAN: nothing varies */
} gdyn_spread;

/* Fills spread[watched] and share[variables x watched], shares of the variance, NAN where they are not known;
 * both have places for gdyn_watched_count results. A sample: the variables' parts of the linear least-squares
 * fit, b_j^2 Var x_j / Var y, whose sum is R^2 where the columns of the sample are not correlated (squared
 * standardized regression coefficients; Saltelli and others 2008, section 1.2); the rest is curvature and
 * interaction. One at a time: the variance of each variable's curve, linear between its levels and uniform over
 * its range, as a share of their sum. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_variances(const gdyn_sweep *sweep, bool one_at_a_time, gdyn_spread *spread,
                           double *share);

#endif
