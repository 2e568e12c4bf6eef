/* free_map.c - the free motions at a pose, N = null(C), and how the drives act on them, H = N^T
 * T. */
#include "access/dynamics.h"

#include "linalg/dot.h"
#include "linalg/vec3.h"
#include "model/data.h"

#include <string.h>

/* Singular values of a map with columns of unit length that count as zero. */
static const double ZERO = 1e-9;
/* Forces of unit size along unit motions below which they are rounding of the pose. */
static const double ROUNDING = 1e-11;

/* --- free motions ---------------------------------------------------------------------------- */

gdyn_status gdyn_evaluator_find_motions(gdyn_evaluator *e, const gdyn_state *state,
                                        const double *known) {
    gdyn_status status = gdyn_free_motions_find(e->motions, state, known);
    gdyn_evaluator_forget_maps(e);
    return status;
}

void gdyn_evaluator_forget_maps(gdyn_evaluator *e) {
    if (e->found == e->motions->found)
        return;
    e->found = e->motions->found;
    e->mapped = -1;
    for (int l = 0; l < GDYN_POSES_AT_ONCE; l++)
        e->lane[l].mapped = false;
}

void gdyn_evaluator_take_basis(gdyn_evaluator *e, double *N, int *f) {
    const double *basis = gdyn_free_motions_basis(e->motions);
    *f = e->motions->f;
    memcpy(N, basis, (size_t)e->n * (size_t)*f * sizeof *N);
}

gdyn_status gdyn_evaluator_null(gdyn_evaluator *e, const gdyn_state *state, double *N, int *f) {
    gdyn_status status = gdyn_evaluator_find_motions(e, state, NULL);
    if (!status)
        gdyn_evaluator_take_basis(e, N, f);
    return status;
}

/* --- drives ---------------------------------------------------------------------------------- */

/* Force of unit column i of T_s along a motion, body by body. */
static inline double force_along(const gdyn_evaluator *e, int i, const double *motion) {
    const gdyn_drive_column *column = &e->drive[i];
    bool planar = e->model->per_body == 3;
    double sum = 0.0;
    /* held friction has full columns */
    if (i >= e->k)
        return gdyn_dot(e->n, e->held + (size_t)e->n * (size_t)(i - e->k), motion);
    for (int b = 0; b < column->parts; b++) {
        const double *entry = column->entry[b], *own = motion + column->first[b];
        sum += v3_dot(entry, own);
        sum += planar ? 0 : v3_dot(entry + 3, own + 3);
    }
    return sum;
}

/* T_s and N have unit columns: what is left of a force that the joints carry alone is rounding, and
 * so would be all that is solved with it. */
void gdyn_evaluator_clean_column(int f, double *column) {
    if (gdyn_norm(f, column) <= ROUNDING)
        memset(column, 0, (size_t)f * sizeof *column);
}

void gdyn_evaluator_map_columns(gdyn_evaluator *e, const double *N, int f, int columns) {
    e->mapped = e->motions->pose;
    for (int i = 0; i < columns; i++) {
        double *column = e->reduced + (size_t)f * (size_t)i;
        for (int j = 0; j < f; j++)
            column[j] = force_along(e, i, N + (size_t)e->n * (size_t)j);
        gdyn_evaluator_clean_column(f, column);
    }
}

/* A matrix whose greatest singular value is rounding is zero: no drive moves anything. */
static void decide_zero(gdyn_evaluator *e) {
    if (e->small->rank.greatest < ZERO)
        e->small->rank.rank = 0;
}

gdyn_status gdyn_evaluator_map_drives(gdyn_evaluator *e, const double *N, int f, int columns) {
    gdyn_evaluator_map_columns(e, N, f, columns);
    gdyn_status status = gdyn_svd_factor(e->small, f, columns, e->reduced, f, 0.0);
    if (!status)
        decide_zero(e);
    return status;
}

void gdyn_evaluator_use_map(gdyn_evaluator *e, int lane) {
    const gdyn_lane_equations *own = &e->lane[lane];
    size_t k = (size_t)e->k;
    memcpy(e->reduced, own->map, (size_t)e->motions->f * k * sizeof *own->map);
    memcpy(e->drive_scale, own->drive_scale, k * sizeof *own->drive_scale);
    e->mapped = lane;
}

/* Friction that holds depends on rates: it is left out where the map is made here. */
gdyn_status gdyn_evaluator_map(gdyn_evaluator *e, const gdyn_state *state, double *N, int *f) {
    gdyn_status status = gdyn_evaluator_null(e, state, N, f);
    int pose = e->motions->pose;
    if (status || e->mapped == pose)
        return status;
    if (e->lane[pose].mapped) {
        gdyn_evaluator_use_map(e, pose);
    } else {
        gdyn_equations_drives(e, state, NULL);
        gdyn_evaluator_map_columns(e, N, *f, e->k);
    }
    return status;
}

gdyn_status gdyn_evaluator_drive_map(gdyn_evaluator *e, const gdyn_state *state, double *N,
                                     int *f) {
    gdyn_status status = gdyn_evaluator_map(e, state, N, f);
    if (!status)
        status = gdyn_svd_factor(e->small, *f, e->k, e->reduced, *f, 0.0);
    if (!status)
        decide_zero(e);
    return status;
}

gdyn_status gdyn_evaluator_drive_values(gdyn_evaluator *e, const gdyn_state *state, double *N,
                                        int *f) {
    gdyn_status status = gdyn_evaluator_map(e, state, N, f);
    if (!status)
        status = gdyn_svd_values(e->small, *f, e->k, e->reduced, *f, 0.0);
    if (!status)
        decide_zero(e);
    return status;
}
