/* indices.h - global sensitivities: which variable makes how much of a result over the whole box, interactions included.
 *
 * Variance-based indices (Sobol 1993), all variables independent and uniform within their bounds:
 *   first  S_j  = Var(E(f | x_j)) / Var f          the share that x_j makes alone
 *   total  ST_j = E(Var(f | all but x_j)) / Var f  the share that goes when x_j is held
 * from N rows of two samples A, B and of A with column j taken from B (A_j): S_j = mean f(B) (f(A_j) - f(A)) / V
 * (Saltelli and others, Computer Physics Communications 181 (2010) 259-270), ST_j = mean (f(A) - f(A_j))^2 / (2 V)
 * (M. J. W. Jansen 1999). Intervals hold 95 % of 500 resamplings of the rows (bootstrap).
 *
 * Elementary effects (M. D. Morris, Technometrics 33 (1991) 161-174; mu* of Campolongo, Cariboni, Saltelli 2007): changes
 * of the result along steps of one variable, per range of the variable: mean, mean of the amounts, deviation.
 *
 * A variable may be dropped when it does nothing to speak of to any result: ST at most DROP_TOTAL with 97.5 % confidence,
 * or mu* + 1.96 standard errors at most DROP_EFFECT of the range of the result in the sample. Rows in which some design
 * has no value are left out. */
#ifndef GDYN_STUDY_INDICES_H
#define GDYN_STUDY_INDICES_H

#include "study/effects.h"
#include "study/sweep.h"

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
    int watched, variables;
    bool effects;                  /* elementary effects, else variance-based */
    gdyn_sensitivity_index *index; /* variables x watched */
    int *rows;                     /* watched: rows (trajectories) that count */
    int *missing;                  /* watched: those with a design without value */
    double *range;                 /* watched: greatest - least value in the sample */
    double *deviation; /* watched: standard deviation of the result; NAN with elementary effects */
    bool *drop;        /* variables: every result that varies lets it be dropped */
} gdyn_indices;

/* Of a whole sweep by GDYN_SAMPLE_SALTELLI or GDYN_SAMPLE_MORRIS; the results are those of effects.h. To be cleared also
 * on failure. GDYN_ERROR_MEMORY. */
gdyn_status gdyn_indices_find(gdyn_indices *indices, const gdyn_sweep *sweep,
                              const gdyn_sweep_plan *plan);
void gdyn_indices_clear(gdyn_indices *indices);

#endif
