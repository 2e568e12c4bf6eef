/* sweep.h - designs over the bounds, and what they tell of the variables. */
#pragma once

#include "search/sample.h"
#include "study/study.h"

/* --- sweep: designs spread over the bounds of a study's design variables. */

typedef struct gdyn_sweep_plan {
    struct gdyn_arena *arena; /* owns the arrays */
    gdyn_sample_space space;  /* its arrays are the plan's */
    long count;               /* designs, the start design first */
    double *x;                /* variables x count */
    /* variables + 1, one at a time: designs first[j] .. first[j + 1] - 1 are the levels of
     * variable j */
    int *first;
} gdyn_sweep_plan;

/* size: levels or designs, 0: as usual for the method; varies: variables, which of them move.
 * GDYN_ERROR_ARGUMENT with the result of gdyn_sample_count in plan->count where that is not
 * positive. To be freed in any case. */
gdyn_status gdyn_sweep_plan_make(gdyn_sweep_plan *plan, const gdyn_study *study,
                                 gdyn_sample_method method, int size, uint64_t seed,
                                 const bool *varies);
void gdyn_sweep_plan_free(gdyn_sweep_plan *plan);

/* --- effects: what each design variable does to each result, from a sweep of one variable at a
 * time. */

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
    /* (largest - smallest) / |start's value|; NAN: that is 0 or unknown, or fewer than two levels
     * have a value */
    double share;
    double slope;       /* at the start: change of the result per range of the variable,
                               between the nearest levels with values; NAN: unknown */
    int known, missing; /* levels with and without a value */
} gdyn_effect;

/* By result, the strongest variable first; to be freed with gdyn_free. NULL: no memory. */
gdyn_effect *gdyn_effects(const gdyn_sweep *sweep, int *count);
/* Number of effects on the first one's result, and whether any variable moves that at all. */
int gdyn_effects_together(int count, const gdyn_effect *effect, bool *moved);

/* --- variances: which variable makes how much of a result's variance, from a sweep. */

/* A result over the designs of a sweep, all of them alike likely. */
typedef struct gdyn_spread {
    int watched;        /* as in effects.h */
    int known, missing; /* designs with and without a value */
    /* of the sample; one at a time: of the sum of the single effects about the start, NAN where a
     * level has no value */
    double mean, deviation;
    double least, greatest;
    /* share of the variance that the shares make up; one at a time 1; NAN: nothing varies */
    double explained;
} gdyn_spread;

/* Fills spread[watched] and share[variables x watched], shares of the variance, NAN where they are
 * not known; both have places for gdyn_watched_count results. A sample: the variables' parts of the
 * linear least-squares fit, b_j^2 Var x_j / Var y, whose sum is R^2 where the columns of the sample
 * are not correlated (squared standardized regression coefficients; Saltelli and others 2008,
 * section 1.2); the rest is curvature and interaction. One at a time: the variance of each
 * variable's curve, linear between its levels and uniform over its range, as a share of their sum.
 * GDYN_ERROR_MEMORY. */
gdyn_status gdyn_variances(const gdyn_sweep *sweep, bool one_at_a_time, gdyn_spread *spread,
                           double *share);

/* --- indices: global sensitivities: which variable makes how much of a result over the whole box,
 * interactions included.
 *
 * Variance-based indices (Sobol 1993), all variables independent and uniform within their bounds:
 *   first  S_j  = Var(E(f | x_j)) / Var f          the share that x_j makes alone
 *   total  ST_j = E(Var(f | all but x_j)) / Var f  the share that goes when x_j is held
 * from N rows of two samples A, B and of A with column j taken from B (A_j): S_j = mean f(B)
 * (f(A_j) - f(A)) / V (Saltelli and others, Computer Physics Communications 181 (2010) 259-270),
 * ST_j = mean (f(A) - f(A_j))^2 / (2 V) (M. J. W. Jansen 1999). Intervals hold 95 % of 500
 * resamplings of the rows (bootstrap).
 *
 * Elementary effects (M. D. Morris, Technometrics 33 (1991) 161-174; mu* of Campolongo, Cariboni,
 * Saltelli 2007): changes of the result along steps of one variable, per range of the variable:
 * mean, mean of the amounts, deviation.
 *
 * A variable may be dropped when it does nothing to speak of to any result: ST at most DROP_TOTAL
 * with 97.5 % confidence, or mu* + 1.96 standard errors at most DROP_EFFECT of the range of the
 * result in the sample. Rows in which some design has no value are left out. */

#define GDYN_DROP_TOTAL  0.01
#define GDYN_DROP_EFFECT 0.02

/* Of one result and one variable. NAN: not known. */
typedef struct gdyn_sensitivity_index {
    bool moves;          /* the variable varies in the sweep */
    double first, total; /* variance-based */
    double first_low, first_high, total_low, total_high;
    double mean, amount, deviation; /* elementary effects: mu, mu*, sigma */
    double amount_error;            /* standard error of mu* */
    bool small;                     /* this result lets the variable be dropped */
} gdyn_sensitivity_index;

typedef struct gdyn_indices {
    struct gdyn_arena *arena; /* owns the arrays */
    int watched, variables;
    bool effects;                  /* elementary effects, else variance-based */
    gdyn_sensitivity_index *index; /* variables x watched */
    int *rows;                     /* watched: rows (trajectories) that count */
    int *missing;                  /* watched: those with a design without value */
    double *range;                 /* watched: largest - smallest value in the sample */
    double *deviation; /* watched: standard deviation of the result; NAN with elementary effects */
    bool *drop;        /* variables: every result that varies lets it be dropped */
} gdyn_indices;

/* Of a whole sweep by GDYN_SAMPLE_SALTELLI or GDYN_SAMPLE_MORRIS; the results are those of
 * effects.h. To be cleared also on failure. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_indices_find(gdyn_indices *indices, const gdyn_sweep *sweep,
                              const gdyn_sweep_plan *plan);
void gdyn_indices_clear(gdyn_indices *indices);

/* --- correlation: which design variables go with which objectives, by ranks over the feasible
 * designs. */

/* Choices without order: Spearman's rho means nothing for them. */
bool gdyn_variable_unordered(const gdyn_study *study, int variable);

/* For each variable and the first `objectives` objectives (objectives x variables): Spearman's rank
 * correlation rho; of a variable without order the correlation ratio eta of the objective's ranks
 * (Fisher 1925), the root of the share of their variance that lies between the choices. 0 where one
 * of them does not vary. */
gdyn_status gdyn_correlations(const gdyn_study *study, const gdyn_archive *archive, int objectives,
                              double *rho);
