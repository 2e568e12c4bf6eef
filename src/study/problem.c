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

static void make_arrays(gdyn_arena *arena, const gdyn_study *s, const gdyn_study_options *o,
                        arrays *a) {
    size_t n = (size_t)s->variables;
    a->lower = gdyn_arena_doubles(arena, n);
    a->upper = gdyn_arena_doubles(arena, n);
    a->integer = gdyn_arena_alloc(arena, n, sizeof *a->integer);
    a->categorical = gdyn_arena_alloc(arena, n, sizeof *a->categorical);
    a->start = gdyn_arena_doubles(arena, n * (size_t)(1 + o->starts));
    a->equality = gdyn_arena_doubles(arena, (size_t)s->start->requirement_count);
    a->aim = gdyn_arena_doubles(arena, (size_t)s->start->objective_count);
    a->level = gdyn_arena_doubles(arena, (size_t)o->search.level_count);
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
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_status status = GDYN_ERROR_MEMORY;
    make_arrays(arena, s, o, &a);
    if (!gdyn_arena_failed(arena)) {
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
    gdyn_arena_destroy(arena);
    return status;
}
