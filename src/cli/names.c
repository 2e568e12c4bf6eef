/* names.c - words of the command line and of the tables. */
#include "cli/cli.h"

gdyn_words gdyn_place(double p, double length, const char *unit) {
    static const double ROUNDING = 1e-12; /* of the path; brackets are closed to 1e-13 */
    return gdyn_amount(fabs(p) <= ROUNDING * fabs(length) ? 0 : p, unit);
}

/* A parameter of the instance. */
static bool find_parameter(void *context, const char *name, gdyn_quantity *quantity) {
    const gdyn_instance *instance = *(const gdyn_instance *const *)context;
    for (int i = 0; i < instance->parameter_count; i++) {
        if (strcmp(instance->parameter_name[i], name) == 0) {
            *quantity =
                (gdyn_quantity){instance->parameter_value[i], instance->parameter_dimension[i]};
            return true;
        }
    }
    return false;
}

static bool parse_place(const char *text, const gdyn_instance *instance, gdyn_quantity *place) {
    gdyn_expr_error error;
    gdyn_scope scope = {.constant = find_parameter, .context = &instance};
    if (instance) {
        scope.suggestions = instance->parameter_name;
        scope.suggestion_count = instance->parameter_count;
    }
    bool found = gdyn_read_named_quantity(text, instance ? &scope : NULL, place, &error);
    if (!found) {
        gdyn_cli_error(GDYN_CODE_OPTION
                       "'%s' is not a place on a path: expected a list such as 0,pi/2 or \"0,500 "
                       "mm\"%s%s",
                       text, *error.message ? ": " : "", error.message);
        gdyn_cli_help("%s", error.help);
    }
    return found;
}

/* Letters up to the comma that ends a place. */
static size_t place_length(const char *text) {
    size_t length = 0;
    for (int depth = 0; text[length] && (text[length] != ',' || depth > 0); length++)
        depth += (text[length] == '(') - (text[length] == ')');
    return length;
}

int gdyn_parse_places(const char *text, const gdyn_instance *instance, gdyn_quantity **places,
                      int *count) {
    /* Room for as many places as there could be. */
    size_t length = strlen(text);
    char *copy = calloc(length + 1, 1);
    *count = 0;
    *places = calloc(length + 1, sizeof **places);
    int code = copy && *places ? GDYN_EXIT_YES : GDYN_EXIT_MEMORY;
    if (copy)
        memcpy(copy, text, length);
    /* Cut at the commas of a copy, but for those between arguments of a function. */
    for (char *at = copy; code == GDYN_EXIT_YES && at;) {
        char *end = at + place_length(at);
        if (*end)
            *end++ = '\0';
        else
            end = NULL;
        code = parse_place(at, instance, &(*places)[(*count)++]) ? GDYN_EXIT_YES : GDYN_EXIT_USAGE;
        at = end;
    }
    free(copy);
    if (code != GDYN_EXIT_YES) {
        free(*places);
        *places = NULL;
    }
    return code;
}
