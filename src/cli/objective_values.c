/* objective_values.c - options that state values of objectives: OBJECTIVE=VALUE. */
#include "cli/cli.h"

int gdyn_objective_pair(const char *option, const gdyn_study *study, const char *text,
                        size_t length, const char **value) {
    const gdyn_instance *start = gdyn_study_start(study);
    const char *sign = memchr(text, '=', length);
    size_t n = sign ? (size_t)(sign - text) : length;
    *value = sign ? sign + 1 : text + length;
    for (int k = 0; k < start->objective_count && sign; k++)
        if (strlen(start->objective[k].name) == n && !strncmp(start->objective[k].name, text, n))
            return k;
    if (!sign)
        gdyn_cli_error(GDYN_CODE_OPTION "--%s needs OBJECTIVE=VALUE, not '%.*s'", option,
                       (int)length, text);
    else
        gdyn_cli_error(GDYN_CODE_ABSENT "--%s: '%.*s' is not an objective of the study", option,
                       (int)n, text);
    fprintf(stderr, "      = help: its objectives:");
    for (int k = 0; k < start->objective_count; k++)
        fprintf(stderr, "%s %s", k ? "," : "", start->objective[k].name);
    fprintf(stderr, "\n");
    return -1;
}

bool gdyn_objective_value(const char *option, const gdyn_study *study, int k, bool pure,
                          const char *text, double *value) {
    gdyn_expr_error error;
    gdyn_quantity quantity;
    if (!gdyn_read_quantity(text, &quantity, &error)) {
        gdyn_cli_error(GDYN_CODE_OPTION "--%s needs a number, not '%s'%s%s", option, text,
                       *error.message ? ": " : "", error.message);
        gdyn_cli_help("%s", error.help);
        return false;
    }
    *value = quantity.value;
    const gdyn_goal *goal = &gdyn_study_start(study)->objective[k];
    gdyn_dimension dimension = pure ? GDYN_DIM_NONE : goal->dimension;
    return gdyn_check_unit(option, quantity, dimension, pure ? "a weight" : goal->name) ==
           GDYN_EXIT_YES;
}

bool gdyn_objective_values(const char *option, const gdyn_settings *list, const gdyn_study *study,
                           double *values) {
    for (int i = 0; i < list->count; i++) {
        const char *text = list->text[i], *value;
        int k = gdyn_objective_pair(option, study, text, strlen(text), &value);
        if (k < 0 || !gdyn_objective_value(option, study, k, false, value, &values[k]))
            return false;
    }
    return true;
}
