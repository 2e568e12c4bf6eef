/* names.c - words of the command line and of the tables. */
#include "cli/analysis.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const projections[] = {"elementary", "tuples", "lp"};
static const char *const reductions[] = {"svd", "null"};

static int find_word(const char *option, const char *word, const char *const *words, int count) {
    for (int i = 0; i < count; i++) {
        if (!strcmp(words[i], word)) {
            return i;
        }
    }
    gdyn_text list = {0};
    for (int i = 0; i < count; i++) {
        gdyn_text_printf(&list, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", words[i]);
    }
    gdyn_cli_error("--%s is %s, not '%s'", option, list.data ? list.data : "", word);
    gdyn_text_free(&list);
    return -1;
}

int gdyn_projection_named(const char *name, gdyn_projection *projection) {
    int found = name ? find_word("method", name, projections, 3) : GDYN_BY_ELEMENTARY;
    *projection = found < 0 ? GDYN_BY_ELEMENTARY : (gdyn_projection)found;
    return found < 0 ? GDYN_EXIT_USAGE : GDYN_EXIT_YES;
}

int gdyn_reduction_named(const char *name, gdyn_reduction *reduction) {
    int found = name ? find_word("reduction", name, reductions, 2) : GDYN_REDUCE_SVD;
    *reduction = found < 0 ? GDYN_REDUCE_SVD : (gdyn_reduction)found;
    return found < 0 ? GDYN_EXIT_USAGE : GDYN_EXIT_YES;
}

const char *gdyn_projection_name(gdyn_projection projection) {
    return projections[projection];
}

/* Criteria as people read them. */
static const struct {
    const char *name, *label;
} criteria[] = {
    {"reach", "share of the path assembled"}, {"area", "area common to all points"},
    {"area_mean", "mean area of the points"}, {"d1_max", "greatest d1"},
    {"speed", "greatest constant d1"},        {"accel", "guaranteed d2 at rest, +-"},
    {"dexterity", "dexterity, worst"},        {"stiffness", "stiffness at the tool, worst"},
    {"frequency", "eigenfrequency, lowest"},  {"load", "load of the drives at rest"},
    {"redundancy", "drive redundancy"},       {"redundant_constraints", "redundant constraints"},
    {"empty", "points without any region"},
};
enum { CRITERIA = sizeof criteria / sizeof *criteria };

static int find_criterion(const char *name) {
    for (int i = 0; i < CRITERIA; i++) {
        if (!strcmp(criteria[i].name, name)) {
            return i;
        }
    }
    return -1;
}

const char *gdyn_criterion_label(const char *name) {
    int i = find_criterion(name);
    return i < 0 ? name : criteria[i].label;
}

const char *gdyn_criterion_unit(const char *name, const char *p_unit) {
    return strcmp(name, "load") == 0 ? "of limit" : gdyn_study_criterion_unit(name, p_unit);
}

const char *gdyn_point_status_name(gdyn_point_status status) {
    switch (status) {
    case GDYN_POINT_OK:
        return "ok";
    case GDYN_POINT_UNASSEMBLED:
        return "unassembled";
    case GDYN_POINT_SINGULAR:
        return "singular";
    case GDYN_POINT_BRANCH:
        return "branch";
    }
    return "unknown";
}

/* The quantity at the start of the text, which is cut there; false with a message. */
static bool parse_place(char *text, gdyn_quantity *place) {
    gdyn_expr_error error = {0};
    gdyn_expr *expr = gdyn_expr_compile(text, NULL, &error);
    bool found = expr && gdyn_expr_is_constant(expr) && isfinite(gdyn_expr_value(expr, NULL));
    if (found) {
        *place = (gdyn_quantity){gdyn_expr_value(expr, NULL), gdyn_expr_dimension(expr)};
    } else {
        gdyn_cli_error(
            "'%s' is no place of a path: a list such as 0,pi/2 or \"0,500 mm\" is wanted%s%s", text,
            *error.message ? ": " : "", error.message);
    }
    gdyn_expr_destroy(expr);
    return found;
}

int gdyn_parse_places(const char *text, gdyn_quantity **places, int *count) {
    size_t length = strlen(text);
    char *copy = gdyn_alloc(length + 1, 1);
    *count = 0;
    *places = gdyn_alloc(length + 1, sizeof **places);
    int code = copy && *places ? GDYN_EXIT_YES : GDYN_EXIT_INTERNAL;
    if (copy) {
        memcpy(copy, text, length);
    }
    for (char *at = copy; code == GDYN_EXIT_YES && at;) {
        char *end = strchr(at, ',');
        if (end) {
            *end++ = '\0';
        }
        code = parse_place(at, &(*places)[(*count)++]) ? GDYN_EXIT_YES : GDYN_EXIT_USAGE;
        at = end;
    }
    gdyn_free(copy);
    if (code != GDYN_EXIT_YES) {
        gdyn_free(*places);
        *places = NULL;
    }
    return code;
}
