/* summary.h - studies and designs in words, on standard output. */
#ifndef GDYN_CLI_SUMMARY_H
#define GDYN_CLI_SUMMARY_H

#include "cli/cli.h"
#include "report/front.h"

/* Numbers of designs by status, the start design, the front's extremes, its reactions. */
void gdyn_print_outcome(const gdyn_outcome *outcome);
/* Value of a design variable to so many digits; a choice by its name. Returns text. */
const char *gdyn_variable_text(const gdyn_design_variable *variable, double x, int digits,
                               char *text, size_t size);
/* SI unit of a variable, "" when it has none or none is known. Returns text. */
const char *gdyn_variable_unit(const gdyn_design_variable *variable, char *text, size_t size);
/* The front as a table: a row per design, a column per objective and variable. */
void gdyn_print_front(const gdyn_study *study, const gdyn_archive *front);
/* Everything known about one design. */
void gdyn_print_design(const gdyn_study *study, const gdyn_design *design);

/* Why there is no feasible design: the nearest one, each constraint's best value, constraints that no design keeps
 * together. */
void gdyn_print_infeasibility(const gdyn_study *study, const gdyn_archive *archive);

#endif
