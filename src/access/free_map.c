/* free_map.c - the free motions at a pose, N = null(C), and how the drives act on them, H = N^T T. */
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

/* Motions of the closing conditions at the pose, eliminated, in scaled velocities; false: a decision is not clear. */
static bool null_by_elimination(gdyn_evaluator *e, const gdyn_state *state, gdyn_tree_rank *found) {
    gdyn_tree_pose_set(e->joints, state);
    if (gdyn_tree_eliminate(e->joints, 0, NULL, found) != GDYN_OK || !found->clear)
        return false;
    gdyn_tree_null(e->joints, e->N_known);
    for (int j = 0; j < found->freedom; j++) {
        double *motion = e->N_known + (size_t)e->n * (size_t)j;
        for (int i = 0; i < e->n; i++)
            motion[i] *= e->velocity_scale[i];
    }
    return true;
}

/* null(C_s) from joint coordinates, by the machine's plan where it has one, orthonormal; false: a decision is not clear
 * there. */
static bool null_by_joints(gdyn_evaluator *e, const gdyn_state *state) {
    gdyn_tree_rank found;
    const double *map = state == e->mapped_state ? e->leg_map : NULL;
    if (!gdyn_tree_points_free(e->points, state, map, e->N_known, &found) &&
        !null_by_elimination(e, state, &found))
        return false;
    e->f_known = found.freedom;
    e->rank_known = gdyn_tree_rank_of(e->tree, &found);
    return gdyn_orthonormalize(e->n, e->f_known, e->N_known);
}

/* The last columns of Q of C_s^T. */
static gdyn_status null_by_qr(gdyn_evaluator *e, const gdyn_state *state) {
    gdyn_equations_constraints(e, state);
    gdyn_status status = gdyn_qr_factor(e->qr, e->n, e->rows, e->system, e->n, 0.0);
    if (status)
        return status;
    e->f_known = gdyn_qr_null_transposed(e->qr, e->N_known, e->n);
    e->rank_known = e->qr->rank;
    return GDYN_OK;
}

/* Kept for the next question at the same pose. */
gdyn_status gdyn_evaluator_null(gdyn_evaluator *e, const gdyn_state *state, double *N, int *f,
                                gdyn_rank *rank) {
    if (e->f_known < 0 || !gdyn_state_same_pose(e->known, state)) {
        e->f_known = -1;
        e->mapped = false;
        gdyn_status status = null_by_joints(e, state) ? GDYN_OK : null_by_qr(e, state);
        if (status) {
            e->f_known = -1;
            return status;
        }
        gdyn_state_copy(e->known, state);
    }
    *f = e->f_known;
    *rank = e->rank_known;
    memcpy(N, e->N_known, (size_t)e->n * (size_t)*f * sizeof *N);
    return GDYN_OK;
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

void gdyn_evaluator_map_columns(gdyn_evaluator *e, const double *N, int f, int columns) {
    e->mapped = true;
    for (int i = 0; i < columns; i++) {
        double *column = e->reduced + (size_t)f * (size_t)i;
        for (int j = 0; j < f; j++)
            column[j] = force_along(e, i, N + (size_t)e->n * (size_t)j);
        /* T_s and N have unit columns: what is left of a force that the joints carry alone is rounding, and so would be
         * all that is solved with it */
        if (gdyn_norm(f, column) <= ROUNDING)
            memset(column, 0, (size_t)f * sizeof *column);
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

/* Friction that holds depends on rates: it is left out where the map is made here. */
gdyn_status gdyn_evaluator_map(gdyn_evaluator *e, const gdyn_state *state, double *N, int *f) {
    gdyn_rank rank;
    gdyn_status status = gdyn_evaluator_null(e, state, N, f, &rank);
    if (!status && !e->mapped) {
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
