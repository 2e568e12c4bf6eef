/* correlation.h - which design variables go with which objectives, by ranks over the feasible designs. */
#ifndef GDYN_STUDY_CORRELATION_H
#define GDYN_STUDY_CORRELATION_H

#include "study/study.h"

/* Choices without order: Spearman's rho means nothing for them. */
bool gdyn_variable_unordered(const gdyn_study *study, int variable);

/* For each variable and the first `objectives` objectives (objectives x variables): Spearman's rank correlation rho; of
 * a variable without order the correlation ratio eta of the objective's ranks (Fisher 1925), the root of the share of
 * their variance that lies between the choices. 0 where one of them does not vary. */
gdyn_status gdyn_correlations(const gdyn_study *study, const gdyn_archive *archive, int objectives,
                              double *rho);

#endif
