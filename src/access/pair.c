/* pair.c - coefficients at two neighbouring points of a track at once, one per SIMD lane.
 *
 * The poses of a path are known when its coefficients are taken, and most operations are the same at all of them. For machines whose legs
 * follow hubs (tree/motions.h) and points where every decision is clear; all others are taken one by one
 * (dynamics.c). Both give the same numbers to rounding. */
#include "access/dynamics.h"

#include "linalg/lanes.h"
#include "model/data.h"

#include <string.h>

/* H of both poses, from their columns of T_s. */
static void project_drives(gdyn_evaluator *e, int f) {
    gdyn_lane_equations *own = e->lane;
    int per_body = e->model->per_body;
    for (int i = 0; i < e->k; i++) {
        gdyn_lanes along[GDYN_MOTIONS_MOST], force[6];
        const gdyn_drive_column *one = &own[0].drive[i], *other = &own[1].drive[i];
        for (int j = 0; j < f; j++)
            along[j] = l_all(0);
        for (int b = 0; b < one->parts; b++) {
            for (int j = 0; j < per_body; j++)
                force[j] = (gdyn_lanes){one->entry[b][j], other->entry[b][j]};
            gdyn_tree_motions_add_force(e->motions, one->first[b] / per_body, force, along);
        }
        for (int l = 0; l < GDYN_LANES; l++) {
            for (int j = 0; j < f; j++)
                own[l].map[j + f * i] = along[j][l];
            gdyn_evaluator_clean_column(f, own[l].map + f * i);
        }
    }
    own[0].mapped = own[1].mapped = true;
}

/* N^T rhs of both poses. */
static void project_forces(gdyn_evaluator *e, int f) {
    gdyn_lane_equations *own = e->lane;
    for (int x = 0; x < RHS; x++) {
        gdyn_lanes along[GDYN_MOTIONS_MOST];
        const double *const rhs[] = {own[0].rhs + e->n * x, own[1].rhs + e->n * x};
        bool acts = own[0].size[x] > 0 || own[1].size[x] > 0;
        if (acts)
            gdyn_tree_motions_forces(e->motions, rhs, along);
        for (int l = 0; l < GDYN_LANES; l++)
            for (int j = 0; j < f; j++)
                own[l].reduced_rhs[j + f * x] = acts ? along[j][l] : 0;
    }
}

/* Whether the machine and both points are of that kind, and how their legs follow. */
static bool known_legs(gdyn_evaluator *e, const gdyn_track *track, int point,
                       const double *map[GDYN_LANES]) {
    if (!e->motions || e->efforts != e->k || gdyn_evaluator_wants_joints(e) || !track->leg_map ||
        gdyn_tree_motions_count(e->motions) > e->k)
        return false;
    for (int l = 0; l < GDYN_LANES; l++) {
        const gdyn_state *state = track->state[point + l];
        map[l] = track->leg_map + (size_t)(point + l) * (size_t)track->leg_map_length;
        /* those of another place would be found in the same list */
        if (gdyn_tree_points_legs(e->points, state, map[l]) != map[l])
            return false;
    }
    return true;
}

/* Equations of the pose at a point, its limits and its lane. */
static gdyn_status load_point(gdyn_evaluator *e, const gdyn_track *track, int point, int lane,
                              gdyn_pose *pose) {
    size_t at = (size_t)track->n * (size_t)point;
    gdyn_lane_equations *own = &e->lane[lane];
    pose->before = gdyn_track_ends(track, track->p[point]);
    gdyn_path_rates rates = {track->u_p + at, track->u_pp + at, pose->before};
    gdyn_evaluator_use_lane(e, lane);
    gdyn_status status =
        gdyn_equations_load(e, track->state[point], &rates, (gdyn_pose_storage *)pose);
    memcpy(own->drive_scale, e->drive_scale, (size_t)e->k * sizeof *e->drive_scale);
    memcpy(own->size, e->size, sizeof own->size);
    memcpy(own->whole, e->whole, sizeof own->whole);
    return status;
}

/* Coefficients from the lane's solution. */
static gdyn_status finish_lane(gdyn_evaluator *e, int lane, gdyn_pose *pose) {
    const gdyn_lane_equations *own = &e->lane[lane];
    memcpy(e->drive_scale, own->drive_scale, (size_t)e->k * sizeof *e->drive_scale);
    memcpy(e->size, own->size, sizeof own->size);
    memcpy(e->whole, own->whole, sizeof own->whole);
    pose->rank_c = e->rank_known;
    pose->mobility = e->f_known;
    pose->redundancy = e->k - e->f_known;
    memset(&pose->rank_ct, 0, sizeof pose->rank_ct);
    return gdyn_evaluator_take_solution(e, &own->solution, e->f_known, pose);
}

bool gdyn_evaluator_pair(gdyn_evaluator *e, const gdyn_track *track, int point,
                         gdyn_pose *const pose[2]) {
    const gdyn_state *const state[] = {track->state[point], track->state[point + 1]};
    gdyn_lane_equations *one = &e->lane[0], *other = &e->lane[1];
    const double *map[GDYN_LANES];
    if (!known_legs(e, track, point, map) || !gdyn_evaluator_take_motions(e, state, map, 2) ||
        load_point(e, track, point, 0, pose[0]) || load_point(e, track, point + 1, 1, pose[1]))
        return false;
    project_drives(e, e->f_known);
    project_forces(e, e->f_known);
    return gdyn_evaluator_solve(e, e->f_known, (const double *const[]){one->map, other->map},
                                (const double *const[]){one->reduced_rhs, other->reduced_rhs},
                                (gdyn_lane_solution *const[]){&one->solution, &other->solution}) &&
           !finish_lane(e, 0, pose[0]) && !finish_lane(e, 1, pose[1]);
}
