/* objective_values.h - options that state values of objectives: OBJECTIVE=VALUE. */
#ifndef GDYN_CLI_OBJECTIVE_VALUES_H
#define GDYN_CLI_OBJECTIVE_VALUES_H

#include "cli/cli.h"
#include "study/study.h"

/* "area=2", of so many characters: the objective and the text behind the sign; -1 after a message. */
int gdyn_objective_pair(const char *option, const gdyn_study *study, const char *text,
                        size_t length, const char **value);
/* The value as a quantity of the dimension of objective k, or a pure number; false after a message. */
bool gdyn_objective_value(const char *option, const gdyn_study *study, int k, bool pure,
                          const char *text, double *value);
/* Every entry of a repeatable option into values (objectives); the others stay. False after a message. */
bool gdyn_objective_values(const char *option, const gdyn_settings *list, const gdyn_study *study,
                           double *values);

#endif
