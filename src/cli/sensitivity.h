/* sensitivity.h - sweep --method saltelli and morris: indices of sensitivity, and variables that may be dropped. */
#ifndef GDYN_CLI_SENSITIVITY_H
#define GDYN_CLI_SENSITIVITY_H

#include "cli/cli.h"
#include "study/sweep.h"

/* Writes indices.csv to the folder and, unless `quiet`, prints the strongest variables of each result. */
gdyn_status gdyn_sensitivity_report(const char *folder, const gdyn_sweep *sweep,
                                    const gdyn_sweep_plan *plan, bool quiet);

#endif
