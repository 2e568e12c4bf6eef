/* access.c - the workspace and the choice of method. */
#include "access/projection.h"

#include <assert.h>

const char *const gdyn_projection_names[] = {"elementary", "tuples", "lp", NULL};

/* Arcs of an envelope that there is room for at first: regions of machines have fewer. */
enum { FIRST_ARCS = 32 };

gdyn_access *gdyn_access_create(int max_k, int max_r, int max_equalities) {
    if (max_k < 0 || max_r < 0 || max_equalities < 0)
        return NULL;
    gdyn_access *access = gdyn_alloc(1, sizeof *access);
    if (!access)
        return NULL;
    gdyn_arena *arena = access->arena = gdyn_arena_create();
    /* rows: limits, and equalities behind them */
    int rows = access->max_k = max_k + max_equalities;
    access->max_r = max_r;
    gdyn_problem_create(&access->problem, arena, rows, max_r);
    gdyn_projected_create(&access->projected, arena, rows, max_r);
    int n = access->projected.max_circuits, r = max_r + 2;
    /* elimination scratch of 2 (r + 2) rows and the ease of every circuit, both sides */
    access->scratch_size = 8 * r * r;
    access->scratch = gdyn_arena_doubles(arena, (size_t)access->scratch_size);
    access->scratch_row = gdyn_arena_alloc(arena, 2 * (size_t)r, sizeof *access->scratch_row);
    access->ease = gdyn_arena_doubles(arena, 4 * (size_t)n + 3 * (size_t)rows);
    gdyn_chain_create(&access->chain, arena, n);
    gdyn_spans_create(&access->spans, arena, 10 * n + 4 * rows);
    /* arcs grow where a region has more of them */
    bool arcs = gdyn_stretches_reserve(&access->upper, FIRST_ARCS) &&
                gdyn_stretches_reserve(&access->lower, FIRST_ARCS);
    if (arcs && !gdyn_arena_failed(arena))
        return access;
    gdyn_access_destroy(access);
    return NULL;
}

/* Safe on a partly made object. */
void gdyn_access_destroy(gdyn_access *access) {
    if (!access)
        return;
    gdyn_stretches_free(&access->upper);
    gdyn_stretches_free(&access->lower);
    gdyn_arena_destroy(access->arena);
    gdyn_free(access);
}

int gdyn_access_circuits(const gdyn_access *access) {
    return access->circuits;
}

gdyn_status gdyn_access_region(gdyn_access *access, const gdyn_coefficients *coefficients,
                               gdyn_projection method, gdyn_region *region) {
    assert(access && coefficients && region);
    access->circuits = 0;
    /* coefficients that are not finite tell nothing */
    if (!gdyn_problem_load(&access->problem, coefficients)) {
        gdyn_region_clear(region, GDYN_REGION_UNKNOWN);
        return GDYN_OK;
    }
    /* d2 from here on is measured from a parabola that all rows share */
    gdyn_problem_shift(&access->problem);
    bool few = gdyn_circuit_feasible(&access->problem);
    gdyn_status status;
    /* elementary vectors while they are few enough, else linear programs */
    if (method == GDYN_BY_TUPLES)
        status = gdyn_region_tuples(access, region);
    else if (method == GDYN_BY_LP || !few)
        status = gdyn_region_support(access, region);
    else
        status = gdyn_region_elementary(access, region);
    /* an empty region says which limits exclude each other */
    if (status != GDYN_OK || region->status != GDYN_REGION_EMPTY)
        return status;
    gdyn_certificate *proof = gdyn_region_prove(region);
    return proof ? gdyn_certificate_find(access, proof) : GDYN_ERROR_MEMORY;
}
