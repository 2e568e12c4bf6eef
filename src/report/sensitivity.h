/* sensitivity.h - a sweep of one variable at a time: effects as a table and as curves. */
#ifndef GDYN_REPORT_SENSITIVITY_H
#define GDYN_REPORT_SENSITIVITY_H

#include "base/diag.h"
#include "base/text.h"
#include "report/report.h"
#include "study/sweep.h"

void gdyn_report_effects_csv(gdyn_text *out, const gdyn_sweep *sweep, int count,
                             const gdyn_effect *effect);
/* A row per result and variable (study/indices.h). */
void gdyn_report_indices_csv(gdyn_text *out, const gdyn_sweep *sweep, const gdyn_indices *indices);
/* Spreads of the results and the shares of the variables (study/variances.h). */
void gdyn_report_shares_csv(gdyn_text *out, const gdyn_sweep *sweep, const gdyn_spread *spread,
                            const double *share);
/* sensitivity.gp: a panel per result that some variable moves (at most six; the heading tells
 * how many there are), a curve per variable (the eight strongest). */
gdyn_status gdyn_picture_effects(const char *folder, const gdyn_sweep *sweep, int count,
                                 const gdyn_effect *effect, gdyn_pictures *pictures,
                                 const gdyn_sink *sink);

#endif
