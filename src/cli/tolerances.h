/* tolerances.h - sweep --tolerances: machines within their tolerances. */
#ifndef GDYN_CLI_TOLERANCES_H
#define GDYN_CLI_TOLERANCES_H

#include "cli/archive.h"
#include "study/sweep.h"

/* gdyn_kept_make of the start design, whose variables are the deviations of the parameters. An exit code. */
int gdyn_tolerances_make(const gdyn_opened *opened, gdyn_kept *kept);
/* Writes tolerances.csv to the folder and prints the shares unless `quiet`. */
gdyn_status gdyn_tolerances_report(const char *folder, const gdyn_sweep *along,
                                   const gdyn_sample_space *space, bool quiet);

#endif
