/* access.c - the workspace and the choice of method. */
#include "access/shift.h"
#include "access/workspace.h"

#include "base/memory.h"

const char *const gdyn_projection_names[] = {"elementary", "tuples", "lp", NULL};

gdyn_access *gdyn_access_create(int max_k, int max_r, int max_equalities) {
    if (max_k < 0 || max_r < 0 || max_equalities < 0)
        return NULL;
    gdyn_access *access = gdyn_alloc(1, sizeof *access);
    if (!access)
        return NULL;
    int rows = max_k + max_equalities;
    access->max_k = rows;
    access->max_r = max_r;
    if (gdyn_problem_create(&access->problem, rows, max_r) != GDYN_OK ||
        gdyn_projected_create(&access->projected, rows, max_r) != GDYN_OK) {
        gdyn_access_destroy(access);
        return NULL;
    }
    /* elimination scratch of 2 (r + 2) rows and the ease of every circuit, both sides */
    size_t r = (size_t)max_r + 2;
    access->scratch_size = (int)(8 * r * r);
    access->scratch = gdyn_alloc(8 * r * r, sizeof(double));
    access->scratch_row = gdyn_alloc(2 * r, sizeof(int));
    int n = access->projected.max_circuits;
    access->ease = gdyn_alloc(4 * (size_t)n + 3 * (size_t)rows, sizeof(double));
    if (!access->scratch || !access->scratch_row || !access->ease ||
        gdyn_chain_create(&access->upper, n) != GDYN_OK ||
        gdyn_chain_create(&access->lower, n) != GDYN_OK ||
        gdyn_spans_create(&access->spans, 10 * n + 4 * rows) != GDYN_OK) {
        gdyn_access_destroy(access);
        return NULL;
    }
    return access;
}

void gdyn_access_destroy(gdyn_access *access) {
    if (!access)
        return;
    gdyn_problem_free(&access->problem);
    gdyn_projected_free(&access->projected);
    gdyn_chain_free(&access->upper);
    gdyn_chain_free(&access->lower);
    gdyn_spans_free(&access->spans);
    gdyn_free(access->scratch);
    gdyn_free(access->ease);
    gdyn_free(access->scratch_row);
    gdyn_free(access);
}

int gdyn_access_circuits(const gdyn_access *access) {
    return access->circuits;
}

gdyn_status gdyn_access_region(gdyn_access *access, const gdyn_coefficients *coefficients,
                               gdyn_projection method, gdyn_region *region) {
    access->circuits = 0;
    if (!gdyn_problem_load(&access->problem, coefficients)) {
        gdyn_region_clear(region, GDYN_REGION_UNKNOWN);
        return GDYN_OK;
    }
    gdyn_problem_shift(&access->problem);
    bool few = gdyn_circuit_feasible(&access->problem);
    gdyn_status status;
    if (method == GDYN_BY_TUPLES)
        status = gdyn_region_tuples(access, region);
    else if (method == GDYN_BY_LP || !few)
        status = gdyn_region_support(access, region);
    else
        status = gdyn_region_elementary(access, region);
    if (status == GDYN_OK && region->status == GDYN_REGION_EMPTY)
        status = gdyn_certificate_find(access, &region->certificate);
    return status;
}
