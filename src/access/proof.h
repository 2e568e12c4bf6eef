/* proof.h - checkers of evaluated trajectories, independent of the evaluation. */
#ifndef GDYN_ACCESS_PROOF_H
#define GDYN_ACCESS_PROOF_H

#include "access/evaluate.h"

/* Greatest deviations over the points of a trajectory, as shares of the largest limit force. */
typedef struct gdyn_proof {
    int points;    /* that had a region */
    double tuples; /* region by saturated tuples against elementary vectors; -1: too many tuples */
    double programs;   /* linear programs at points of the envelopes */
    double reductions; /* regions from SVD coefficients against null-space ones */
    double balance;    /* N^T (M u' + h - g - T n) of forces found for points of the region */
} gdyn_proof;

gdyn_status gdyn_prove(const gdyn_model *model, const gdyn_evaluation *evaluation,
                       gdyn_proof *proof);

#endif
