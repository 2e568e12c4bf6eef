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
    double *N = e->N_known[0];
    gdyn_tree_pose_set(e->joints, state);
    if (gdyn_tree_eliminate(e->joints, 0, NULL, found) != GDYN_OK || !found->clear)
        return false;
    gdyn_tree_null(e->joints, N);
    for (int j = 0; j < found->freedom; j++) {
        double *motion = N + (size_t)e->n * (size_t)j;
        for (int i = 0; i < e->n; i++)
            motion[i] *= e->velocity_scale[i];
    }
    return true;
}

bool gdyn_evaluator_take_motions(gdyn_evaluator *e,
                                 const gdyn_state *const state[GDYN_POSES_AT_ONCE],
                                 const double *const map[GDYN_POSES_AT_ONCE], int poses) {
    int q = gdyn_tree_coordinates(e->tree), f = gdyn_tree_motions_count(e->motions);
    double least = map[0][0];
    for (int l = 1; l < poses; l++)
        least = map[l][0] < least ? map[l][0] : least;
    e->poses_known = 0;
    e->mapped = -1;
    if (!gdyn_tree_motions_take(e->motions, state, map))
        return false;
    gdyn_tree_rank found = {.rank = q - f, .freedom = f, .least = least, .clear = true};
    e->rank_known = gdyn_tree_rank_of(e->tree, &found);
    e->f_known = f;
    e->basis_known = e->weighed = false;
    e->by_legs = true;
    for (int l = 0; l < poses; l++) {
        e->lane[l].mapped = false;
        gdyn_state_copy(e->known[l], state[l]);
    }
    e->poses_known = poses;
    return true;
}

/* By the machine's plan: its legs follow its hubs. False: it has none, or a decision is not clear. */
static bool null_by_legs(gdyn_evaluator *e, const gdyn_state *state, const double *known) {
    const double *map = e->motions ? gdyn_tree_points_legs(e->points, state, known) : NULL;
    const gdyn_state *const states[] = {state, state, state, state};
    const double *const maps[] = {map, map, map, map};
    return map && gdyn_evaluator_take_motions(e, states, maps, 1);
}

/* null(C_s) from joint coordinates, orthonormal; false: a decision is not clear there. */
static bool null_by_joints(gdyn_evaluator *e, const gdyn_state *state) {
    gdyn_tree_rank found;
    if (!null_by_elimination(e, state, &found))
        return false;
    e->f_known = found.freedom;
    e->rank_known = gdyn_tree_rank_of(e->tree, &found);
    return gdyn_orthonormalize(e->n, e->f_known, e->N_known[0]);
}

/* The last columns of Q of C_s^T. */
static gdyn_status null_by_qr(gdyn_evaluator *e, const gdyn_state *state) {
    gdyn_equations_constraints(e, state);
    gdyn_status status = gdyn_qr_factor(e->qr, e->n, e->rows, e->system, e->n, 0.0);
    if (status)
        return status;
    e->f_known = gdyn_qr_null_transposed(e->qr, e->N_known[0], e->n);
    e->rank_known = e->qr->rank;
    return GDYN_OK;
}

/* The motions at a pose, kept for the next question there. */
static gdyn_status find_motions(gdyn_evaluator *e, const gdyn_state *state, const double *known) {
    e->lane_known = 0;
    if (null_by_legs(e, state, known))
        return GDYN_OK;
    e->poses_known = 0;
    e->mapped = -1;
    gdyn_status status = null_by_joints(e, state) ? GDYN_OK : null_by_qr(e, state);
    if (status)
        return status;
    gdyn_state_copy(e->known[0], state);
    e->lane[0].mapped = false;
    e->basis_known = true;
    e->by_legs = false;
    e->poses_known = 1;
    return GDYN_OK;
}

/* Which of the poses that are known this is; -1: none of them. */
static int lane_of(const gdyn_evaluator *e, const gdyn_state *state) {
    for (int l = 0; l < e->poses_known; l++)
        if (gdyn_state_same_pose(e->known[l], state))
            return l;
    return -1;
}

gdyn_status gdyn_evaluator_find_motions(gdyn_evaluator *e, const gdyn_state *state,
                                        const double *known) {
    int lane = lane_of(e, state);
    if (lane < 0)
        return find_motions(e, state, known);
    e->lane_known = lane;
    return GDYN_OK;
}

gdyn_status gdyn_evaluator_null(gdyn_evaluator *e, const gdyn_state *state, double *N, int *f,
                                gdyn_rank *rank) {
    gdyn_status status = gdyn_evaluator_find_motions(e, state, NULL);
    if (status)
        return status;
    /* a basis of all bodies' velocities */
    double *all[GDYN_POSES_AT_ONCE];
    for (int l = 0; l < GDYN_POSES_AT_ONCE; l++)
        all[l] = e->N_known[l < e->poses_known ? l : e->poses_known - 1];
    if (!e->basis_known)
        gdyn_tree_motions_basis(e->motions, all);
    e->basis_known = true;
    *f = e->f_known;
    *rank = e->rank_known;
    memcpy(N, e->N_known[e->lane_known], (size_t)e->n * (size_t)*f * sizeof *N);
    return GDYN_OK;
}

void gdyn_evaluator_mass(gdyn_evaluator *e, const gdyn_state *state, int f, const double *N,
                         double *mass) {
    double *all[GDYN_POSES_AT_ONCE];
    if (!e->by_legs) {
        gdyn_mech_bodies_reduce(state, f, N, e->MN, mass);
        return;
    }
    for (int l = 0; l < GDYN_POSES_AT_ONCE; l++)
        all[l] = e->lane[l < e->poses_known ? l : e->poses_known - 1].mass;
    if (!e->weighed)
        gdyn_tree_motions_mass(e->motions, all);
    e->weighed = true;
    memcpy(mass, e->lane[e->lane_known].mass, (size_t)(f * f) * sizeof *mass);
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

/* T_s and N have unit columns: what is left of a force that the joints carry alone is rounding, and so would be all
 * that is solved with it. */
void gdyn_evaluator_clean_column(int f, double *column) {
    if (gdyn_norm(f, column) <= ROUNDING)
        memset(column, 0, (size_t)f * sizeof *column);
}

void gdyn_evaluator_map_columns(gdyn_evaluator *e, const double *N, int f, int columns) {
    e->mapped = e->lane_known;
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
    memcpy(e->reduced, own->map, (size_t)e->f_known * k * sizeof *own->map);
    memcpy(e->drive_scale, own->drive_scale, k * sizeof *own->drive_scale);
    e->mapped = e->lane_known = lane;
}

/* Friction that holds depends on rates: it is left out where the map is made here. */
gdyn_status gdyn_evaluator_map(gdyn_evaluator *e, const gdyn_state *state, double *N, int *f) {
    gdyn_rank rank;
    gdyn_status status = gdyn_evaluator_null(e, state, N, f, &rank);
    if (status || e->mapped == e->lane_known)
        return status;
    if (e->lane[e->lane_known].mapped) {
        gdyn_evaluator_use_map(e, e->lane_known);
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
