/* poses.c - coefficients at neighbouring points of a track at once, one per SIMD lane.
 *
 * The poses of a path are known when its coefficients are taken, and most operations are the same
 * at all of them. For machines whose legs follow hubs (tree/points.h) and points where every
 * decision is clear; all others are taken one by one (dynamics.c). Both give the same numbers to
 * rounding. */
#include "access/dynamics.h"

#include "model/data.h"

#include <math.h>
#include <string.h>

/* Columns of T_s, H, right-hand sides and what they come to, of every lane; those behind the last
 * pose repeat it. */
typedef struct lanes {
    gdyn_lane_equations *own[GDYN_POSES_AT_ONCE];
    const gdyn_state *state[GDYN_POSES_AT_ONCE];
    const double *legs[GDYN_POSES_AT_ONCE];
} lanes;

/* H of all poses. */
static void project_drives(gdyn_evaluator *e, const lanes *all, int count, int f) {
    int per_body = e->model->per_body;
    for (int i = 0; i < e->k; i++) {
        const gdyn_drive_column *first = &all->own[0]->drive[i];
        const double *force[GDYN_POSES_AT_ONCE];
        double sum[GDYN_POSES_AT_ONCE][GDYN_MOTIONS_MOST] = {{0}};
        double *along[GDYN_POSES_AT_ONCE];
        for (int b = 0; b < first->parts; b++) {
            for (int l = 0; l < GDYN_POSES_AT_ONCE; l++) {
                force[l] = all->own[l]->drive[i].entry[b];
                along[l] = sum[l];
            }
            gdyn_motions_kernel_here()->add_force(e->motions->lanes, first->first[b] / per_body,
                                                  force, along);
        }
        for (int l = 0; l < count; l++) {
            double *column = all->own[l]->map + f * i;
            memcpy(column, sum[l], (size_t)f * sizeof *column);
            gdyn_evaluator_clean_column(f, column);
        }
    }
    for (int l = 0; l < count; l++)
        all->own[l]->mapped = true;
}

/* N^T rhs of all poses with their sizes; false: one is not finite. */
static bool project_loads(gdyn_evaluator *e, const lanes *all, const gdyn_track *track, int point,
                          int count) {
    gdyn_motion_load load[GDYN_POSES_AT_ONCE], *list[GDYN_POSES_AT_ONCE];
    const bool added[RHS] = {e->rotors, e->viscous, true, e->rotors};
    bool finite = true;
    for (int l = 0; l < GDYN_POSES_AT_ONCE; l++) {
        int of = l < count ? l : count - 1;
        size_t at = (size_t)track->n * (size_t)(point + of);
        load[l].u_p = track->u_p + at;
        load[l].u_pp = track->u_pp + at;
        load[l].along = all->own[l]->reduced_rhs;
        for (int x = 0; x < RHS; x++)
            load[l].more[x] = added[x] ? all->own[l]->rhs + e->n * x : NULL;
        list[l] = &load[l];
    }
    gdyn_motions_kernel_here()->loads(e->motions->lanes, list);
    for (int l = 0; l < count; l++) {
        gdyn_lane_equations *own = all->own[l];
        memcpy(own->size, load[l].size, sizeof own->size);
        memcpy(own->whole, load[l].size, sizeof own->whole);
        own->whole[RHS_A] += load[l].pace / e->model->length * own->size[RHS_D];
        for (int x = 0; x < RHS; x++)
            finite = finite && isfinite(own->size[x]);
    }
    return finite;
}

/* Points from that one on, `count` at most, at which the machine is closed and its legs are known
 * to follow clearly. */
static int known_points(gdyn_evaluator *e, const gdyn_track *track, int point, int count) {
    int points = track->points - point, known = 0;
    if (e->uneven_masses || e->efforts != e->k || gdyn_evaluator_wants_joints(e))
        return 0;
    count = count < points ? count : points;
    count = count < GDYN_POSES_AT_ONCE ? count : GDYN_POSES_AT_ONCE;
    while (known < count && track->status[point + known] == GDYN_POINT_OK &&
           gdyn_free_motions_clear(e->motions, gdyn_track_known(track, point + known), e->k))
        known++;
    return known;
}

/* Drives, rows and limits of the pose at a point, into its lane; false: loads of bodies differ by
 * orders of magnitude. */
static bool load_point(gdyn_evaluator *e, const gdyn_track *track, int point, int lane,
                       gdyn_pose *pose) {
    gdyn_path_rates rates = gdyn_track_rates(track, point);
    pose->before = rates.before;
    gdyn_evaluator_use_lane(e, lane);
    gdyn_equations_load_rows(e, track->state[point], &rates, (gdyn_pose_storage *)pose);
    memcpy(e->lane[lane].drive_scale, e->drive_scale, (size_t)e->k * sizeof *e->drive_scale);
    return !gdyn_graded_forces(e, e->rhs + e->n * RHS_C, e->rhs + e->n * RHS_B);
}

/* Coefficients from the lane's solution. */
static gdyn_status finish_lane(gdyn_evaluator *e, int lane, gdyn_pose *pose) {
    const gdyn_lane_equations *own = &e->lane[lane];
    memcpy(e->drive_scale, own->drive_scale, (size_t)e->k * sizeof *e->drive_scale);
    memcpy(e->size, own->size, sizeof own->size);
    memcpy(e->whole, own->whole, sizeof own->whole);
    pose->rank_c = e->motions->rank;
    pose->mobility = e->motions->f;
    pose->redundancy = e->k - e->motions->f;
    memset(&pose->rank_ct, 0, sizeof pose->rank_ct);
    return gdyn_evaluator_take_solution(e, &own->solution, e->motions->f, pose);
}

/* Forces of all poses from H and N^T rhs. */
static bool solve_lanes(gdyn_evaluator *e, const lanes *all) {
    const double *H[GDYN_POSES_AT_ONCE], *rhs[GDYN_POSES_AT_ONCE];
    gdyn_lane_solution *out[GDYN_POSES_AT_ONCE];
    for (int l = 0; l < GDYN_POSES_AT_ONCE; l++) {
        H[l] = all->own[l]->map;
        rhs[l] = all->own[l]->reduced_rhs;
        out[l] = &all->own[l]->solution;
    }
    return gdyn_evaluator_solve(e, e->motions->f, H, rhs, out);
}

int gdyn_evaluator_poses(gdyn_evaluator *e, const gdyn_track *track, int point, int count,
                         gdyn_pose *const *pose) {
    lanes all;
    count = known_points(e, track, point, count);
    if (count == 0)
        return 0;
    for (int l = 0; l < GDYN_POSES_AT_ONCE; l++) {
        int of = l < count ? l : count - 1;
        all.own[l] = &e->lane[of];
        all.state[l] = track->state[point + of];
        all.legs[l] = gdyn_track_known(track, point + of);
    }
    bool taken = gdyn_free_motions_take(e->motions, count, all.state, all.legs);
    gdyn_evaluator_forget_maps(e);
    if (!taken)
        return 0;
    for (int l = 0; l < count; l++)
        if (!load_point(e, track, point + l, l, pose[l]))
            return 0;
    project_drives(e, &all, count, e->motions->f);
    if (!project_loads(e, &all, track, point, count) || !solve_lanes(e, &all))
        return 0;
    for (int l = 0; l < count; l++)
        if (finish_lane(e, l, pose[l]))
            return 0;
    return count;
}
