/* summary.h - studies and designs in words, on standard output. */
#ifndef GDYN_CLI_SUMMARY_H
#define GDYN_CLI_SUMMARY_H

#include "cli/cli.h"
#include "report/front.h"

/* Numbers of designs by status, the start design, the front's extremes, its reactions. */
void gdyn_print_outcome(const gdyn_outcome *outcome);
/* Everything known about one design. */
void gdyn_print_design(const gdyn_study *study, const gdyn_design *design);

#endif
