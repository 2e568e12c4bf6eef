/* pick.h - one design chosen from a front, and why.
 *
 * Losses are shares of the range of the candidates: l_k = 0 for the best of them in objective k, 1 for the worst. The
 * candidates are the feasible designs that keep all filters and of which none is better than another in every objective.
 *
 *   KNEE     the candidate farthest from the plane through the best one in each objective, towards the ideal point
 *            (I. Das, On characterizing the knee of the Pareto curve based on normal-boundary intersection, Structural
 *            Optimization 18 (1999) 107-115). Where the best ones do not span a plane whose normal is positive, the plane
 *            is that of equal losses. Where the front bulges the other way no candidate lies on that side: there is no
 *            knee, and BALANCE is taken
 *   WEIGHTS  the least greatest weighted loss, max w_k l_k: every candidate is the choice of some weights, those on a
 *            concave part too (V. J. Bowman 1976)
 *   TARGETS  first the least greatest shortfall from the targets, as a share of the ranges (A. P. Wierzbicki 1980); of
 *            those that reach all targets the one with the least greatest loss
 *   BALANCE  the least greatest loss: WEIGHTS with equal weights
 *
 * Of several equally good ones the sum of losses decides: it is added with the weight 1e-3. */
#ifndef GDYN_STUDY_PICK_H
#define GDYN_STUDY_PICK_H

#include "study/study.h"

typedef enum gdyn_pick_rule {
    GDYN_PICK_BALANCE,
    GDYN_PICK_KNEE,
    GDYN_PICK_WEIGHTS,
    GDYN_PICK_TARGETS
} gdyn_pick_rule;
/* "balance", "knee", "weights", "target". */
const char *gdyn_pick_rule_name(gdyn_pick_rule rule);

typedef struct gdyn_pick_wish {
    gdyn_pick_rule rule;
    const double *weight; /* objectives, >= 0, one of them > 0; WEIGHTS */
    const double *target; /* objectives, as stated; NAN: none; TARGETS */
} gdyn_pick_wish;

typedef struct gdyn_pick {
    const gdyn_study *study;
    gdyn_pick_rule rule;     /* the one applied: BALANCE where there is no knee */
    int feasible;            /* designs that keep all limits and filters */
    gdyn_study_result front; /* .front: the candidates; its archive is borrowed */
    int objectives;
    double *best, *worst; /* objectives: over the candidates, as stated */
    double *loss;         /* objectives x candidates */
    int choice;           /* candidate; -1: there is none */
    double
        score; /* KNEE: distance from the plane, in losses; else the greatest (weighted) loss, shortfall */
    double distance; /* of the choice from the ideal point, Euclid's, in losses */
    int *
        neighbour; /* objectives: the nearest candidate that is better by 1 % of the range (if there is none: better at all), -1: none */
} gdyn_pick;

/* Chooses from the archive of a study with objectives. To be cleared also on failure. */
gdyn_status gdyn_pick_make(gdyn_pick *pick, const gdyn_study *study, const gdyn_archive *archive,
                           const gdyn_pick_wish *wish);
void gdyn_pick_clear(gdyn_pick *pick);

#endif
