/* sweep.c - designs spread over the bounds of a study's design variables. */
#include "study/sweep.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

enum {
    USUAL_LEVELS = 11,
    USUAL_GRID = 5,
    USUAL_SAMPLES = 100,
    USUAL_ROWS = 256,
    USUAL_TRAJECTORIES = 20
};

/* Bounds, start and kinds of the variables. */
static bool fill_space(gdyn_sweep_plan *plan, const gdyn_study *study, const bool *varies) {
    const gdyn_instance *start = gdyn_study_start(study);
    size_t n = (size_t)start->design_count;
    double *bounds = gdyn_arena_doubles(plan->arena, 3 * n);
    bool *flags = gdyn_arena_alloc(plan->arena, 2 * n, sizeof *flags);
    plan->first = gdyn_arena_alloc(plan->arena, n + 1, sizeof *plan->first);
    if (gdyn_arena_failed(plan->arena))
        return false;
    for (size_t i = 0; i < n; i++) {
        bounds[i] = start->design[i].min;
        bounds[n + i] = start->design[i].max;
        bounds[2 * n + i] = gdyn_study_start_value(study, (int)i);
        flags[i] = start->design[i].integer;
        flags[n + i] = varies[i];
    }
    gdyn_sample_space *space = &plan->space;
    space->variables = (int)n;
    space->lower = bounds, space->upper = bounds + n, space->start = bounds + 2 * n;
    space->integer = flags, space->varies = flags + n;
    return true;
}

gdyn_status gdyn_sweep_plan_make(gdyn_sweep_plan *plan, const gdyn_study *study,
                                 gdyn_sample_method method, int size, uint64_t seed,
                                 const bool *varies) {
    assert(gdyn_study_start(study)->design_count > 0 && method < GDYN_SAMPLE_METHODS);
    *plan = (gdyn_sweep_plan){.arena = gdyn_arena_create()};
    if (!fill_space(plan, study, varies))
        return GDYN_ERROR_MEMORY;
    plan->space.method = method;
    plan->space.size = size > 0 ? size
                                : (method == GDYN_SAMPLE_OAT        ? USUAL_LEVELS
                                   : method == GDYN_SAMPLE_GRID     ? USUAL_GRID
                                   : method == GDYN_SAMPLE_SALTELLI ? USUAL_ROWS
                                   : method == GDYN_SAMPLE_MORRIS   ? USUAL_TRAJECTORIES
                                                                    : USUAL_SAMPLES);
    plan->space.seed = seed;
    /* The method decides how many designs the size makes. */
    plan->count = gdyn_sample_count(&plan->space);
    if (plan->count <= 0)
        return GDYN_ERROR_ARGUMENT;
    /* The start design is design 0 of every sweep. */
    size_t n = (size_t)plan->space.variables;
    plan->x = gdyn_arena_doubles(plan->arena, (size_t)++plan->count * n);
    if (!plan->x)
        return GDYN_ERROR_MEMORY;
    memcpy(plan->x, plan->space.start, n * sizeof *plan->x);
    /* one at a time: where the levels of each variable begin */
    const gdyn_sample_space *space = &plan->space;
    plan->first[0] = 1;
    for (int i = 0; i < space->variables && space->method == GDYN_SAMPLE_OAT; i++) {
        bool moves = space->varies[i] && space->lower[i] < space->upper[i];
        plan->first[i + 1] = plan->first[i] + (moves ? gdyn_sample_levels(space, i) : 0);
    }
    return gdyn_sample_make(&plan->space, plan->x + n);
}

void gdyn_sweep_plan_free(gdyn_sweep_plan *plan) {
    gdyn_arena_destroy(plan->arena);
}
