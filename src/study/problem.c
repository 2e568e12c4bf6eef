/* problem.c - a study as a problem of the search: bounds, kinds of variables, starts, settings. */
#include "study/internal.h"

#include "base/memory.h"

#include <string.h>

gdyn_study_options gdyn_study_default(const gdyn_study *study) {
    return (gdyn_study_options){.search = study->start->search, .aim = study->start->aim};
}

/* Storage of the arrays of a problem. */
typedef struct arrays {
    double *lower, *upper, *start, *equality, *aim, *level;
    bool *integer, *categorical;
} arrays;

static bool make_arrays(const gdyn_study *s, const gdyn_study_options *o, arrays *a) {
    size_t n = (size_t)s->variables;
    a->lower = gdyn_alloc(n, sizeof *a->lower);
    a->upper = gdyn_alloc(n, sizeof *a->upper);
    a->integer = gdyn_alloc(n, sizeof *a->integer);
    a->categorical = gdyn_alloc(n, sizeof *a->categorical);
    a->start = gdyn_alloc(n * (size_t)(1 + o->starts), sizeof *a->start);
    a->equality = gdyn_alloc((size_t)s->start->requirement_count + 1, sizeof *a->equality);
    a->aim = gdyn_alloc((size_t)s->start->objective_count + 1, sizeof *a->aim);
    a->level = gdyn_alloc((size_t)o->search.level_count + 1, sizeof *a->level);
    return a->level && a->aim && a->equality && a->lower && a->upper && a->integer &&
           a->categorical && a->start;
}

static void fill_arrays(const gdyn_study *s, const gdyn_study_options *o, arrays *a) {
    size_t n = (size_t)s->variables;
    /* Bounds and kinds; choices of a table have no order. */
    for (size_t i = 0; i < n; i++) {
        const gdyn_design_variable *v = &s->start->design[i];
        a->lower[i] = v->min, a->upper[i] = v->max, a->integer[i] = v->integer;
        a->categorical[i] = v->kind == GDYN_DESIGN_TABLE;
    }
    for (int k = 0; k < s->start->requirement_count; k++)
        a->equality[k] = gdyn_study_equality(&s->start->requirement[k]);
    for (int k = 0; o->aim && k < s->start->objective_count; k++)
        a->aim[k] = gdyn_study_minimized(s, k, o->aim[k]);
    for (int k = 0; o->search.level && k < o->search.level_count; k++)
        a->level[k] = gdyn_study_minimized(s, o->search.limited, o->search.level[k]);
    /* The start design first, then those of a warm start. */
    memcpy(a->start, s->x_start, n * sizeof *a->start);
    if (o->starts > 0)
        memcpy(a->start + n, o->start, n * (size_t)o->starts * sizeof *a->start);
}

gdyn_status gdyn_study_create_search(const gdyn_study *s, const gdyn_study_options *o,
                                     gdyn_search **search) {
    arrays a = {0};
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (make_arrays(s, o, &a)) {
        fill_arrays(s, o, &a);
        gdyn_search_problem problem = {.variables = s->variables,
                                       .objectives = s->start->objective_count,
                                       .lower = a.lower,
                                       .upper = a.upper,
                                       .integer = a.integer,
                                       .categorical = a.categorical,
                                       .start = a.start,
                                       .starts = 1 + o->starts,
                                       .constraints = s->start->requirement_count,
                                       .equality = a.equality};
        gdyn_search_options options = o->search;
        options.aim = o->aim ? a.aim : NULL;
        options.level = o->search.level ? a.level : NULL;
        status = gdyn_search_create(&problem, &options, search);
    }
    gdyn_free(a.lower);
    gdyn_free(a.upper);
    gdyn_free(a.integer);
    gdyn_free(a.categorical);
    gdyn_free(a.start);
    gdyn_free(a.equality);
    gdyn_free(a.aim);
    gdyn_free(a.level);
    return status;
}
