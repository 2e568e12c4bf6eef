/* equations.c - the scaled equations of motion at one pose, and the limits of the drives.
 *
 *     [C_s^T T_s] [lambda; n] = rhs,   rhs = [a b c d]  (d1^2, d1, 1, d2)
 *
 * Rows are scaled to forces (torques over L), columns of T to unit length, multipliers by the scale
 * of their row: neither mm nor Nm change a decision. Columns of T are the drives and, where static
 * friction holds a joint, its friction force. */
#include "access/dynamics.h"

#include "linalg/dot.h"
#include "linalg/lanes.h"
#include "linalg/vec3.h"
#include "mech/limits.h"
#include "mech/standstill.h"
#include "model/data.h"

#include <math.h>
#include <string.h>

/* --- the scaled system ----------------------------------------------------------------------- */

/* C_s^T into the first columns of e->system (n x rows). */
/* Column i of T_s, of unit length; a drive without any effect keeps a zero column. */
static void load_drive(gdyn_evaluator *e, const gdyn_state *state, int i) {
    gdyn_row_jacobian *jacobian = &e->jacobian[i];
    gdyn_drive_column *column = &e->drive[i];
    int per_body = e->model->per_body;
    double square = 0.0, sign = e->model->drive_sign[i];
    double per_length = e->column_scale[per_body - 1]; /* of a rotation */
    /* derivative of the drive's coordinate by the velocities of its bodies */
    gdyn_row_derivative(state, &e->model->drive_row[i], jacobian);
    column->parts = jacobian->count;
    for (int b = 0; b < jacobian->count; b++) {
        double *entry = column->entry[b];
        const double *J = jacobian->J[b];
        column->first[b] = per_body * jacobian->body[b];
        /* generalized force of a unit of drive force, in scaled coordinates: plane bodies turn
         * about z alone */
        if (per_body == 3) {
            v3_set(entry, sign * J[0], sign * J[1], sign * per_length * J[5]);
        } else {
            v3_scale(entry, sign, J), v3_scale(entry + 3, sign * per_length, J + 3);
            square += v3_dot(entry + 3, entry + 3);
        }
        square += v3_dot(entry, entry);
    }
    /* to unit length; the scale is undone when forces are read off */
    e->drive_scale[i] = square > 0.0 ? 1.0 / sqrt(square) : 1.0;
    for (int b = 0; b < column->parts; b++) {
        v3_scale(column->entry[b], e->drive_scale[i], column->entry[b]);
        if (per_body == 6)
            v3_scale(column->entry[b] + 3, e->drive_scale[i], column->entry[b] + 3);
    }
}

/* T_s: drives, and static friction where it holds a joint (none without rates). */
void gdyn_equations_drives(gdyn_evaluator *e, const gdyn_state *state,
                           const gdyn_path_rates *rates) {
    int held = rates ? gdyn_mech_static_friction(state, rates, e->held, e->effort + e->k) : 0;
    e->columns = e->k + held;
    /* which effort each column is: drives, then friction that holds */
    for (int i = 0; i < e->columns; i++)
        e->effort[i] = i < e->k ? i : e->k + e->effort[i];
    for (int i = 0; i < e->k; i++)
        load_drive(e, state, i);
    /* friction columns are full vectors */
    for (int i = e->k; i < e->columns; i++) {
        double *column = e->held + (size_t)e->n * (size_t)(i - e->k), length;
        for (int j = 0; j < e->n; j++)
            column[j] *= e->column_scale[j];
        length = gdyn_norm(e->n, column);
        e->drive_scale[i] = length > 0.0 ? 1.0 / length : 1.0;
        for (int j = 0; j < e->n; j++)
            column[j] *= e->drive_scale[i];
    }
}

/* T_s behind the constraints in e->system. */
void gdyn_equations_place_drives(gdyn_evaluator *e) {
    size_t n = (size_t)e->n, bytes = (size_t)e->model->per_body * sizeof(double);
    double *Ts = e->system + n * (size_t)e->rows;
    memset(Ts, 0, n * (size_t)e->k * sizeof *Ts);
    /* entries of the bodies that the drive moves; all others are zero */
    for (int i = 0; i < e->k; i++)
        for (int b = 0; b < e->drive[i].parts; b++)
            memcpy(Ts + n * (size_t)i + e->drive[i].first[b], e->drive[i].entry[b], bytes);
    memcpy(Ts + n * (size_t)e->k, e->held, n * (size_t)(e->columns - e->k) * sizeof *Ts);
}

/* x := sign times scale times x, by components; its norm. */
static double scale_rows(int n, const double *scale, double sign, double *x) {
    gdyn_lanes square = l_all(0);
    int i = 0;
    for (; i + 1 < n; i += 2) {
        gdyn_lanes own = sign * l_pair(scale + i) * l_pair(x + i);
        square += own * own;
        l_put(x + i, own);
    }
    double sum = square[0] + square[1];
    for (; i < n; i++) {
        x[i] *= sign * scale[i];
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

/* Right-hand sides (a, b, c, d), scaled, and what their parts are compared with. */
static void load_rhs(gdyn_evaluator *e, const gdyn_pace *pace) {
    int n = e->n;
    const double *u_p = pace->rates.u_p;
    double *a = e->rhs, *b = a + n, *c = b + n, *d = c + n;
    /* a = M u_pp + h(u_p), d = M u_p; forces per d1^0 and d1^1 */
    gdyn_pace_inertia(pace, a, d);
    gdyn_pace_forces(pace, c, b);
    e->uneven = e->uneven_masses || gdyn_graded_forces(e, c, b);
    /* to scaled rows; forces change sides */
    e->size[RHS_A] = scale_rows(n, e->column_scale, 1, a);
    e->size[RHS_B] = scale_rows(n, e->column_scale, -1, b);
    e->size[RHS_C] = scale_rows(n, e->column_scale, -1, c);
    e->size[RHS_D] = scale_rows(n, e->column_scale, 1, d);
    /* length of path velocity in machine lengths per p */
    memcpy(e->residual, u_p, (size_t)n * sizeof *u_p);
    e->pace = scale_rows(n, e->velocity_scale, 1, e->residual) / gdyn_model_length(e->model);
    /* d1^2: the forces of the path's own pace, M u_p |u_p| / L, count, too: u_pp may be zero but
     * for rounding */
    memcpy(e->whole, e->size, sizeof e->whole);
    e->whole[RHS_A] += e->pace * e->size[RHS_D];
}

/* --- limits ---------------------------------------------------------------------------------- */

/* Limits of the rows in their order, and the window of d1. */
static void load_limits(gdyn_evaluator *e, const gdyn_pace *pace, gdyn_pose_storage *s) {
    gdyn_coefficients *c = &s->pose.coefficients;
    gdyn_pace_drive_rates(pace, e->speed);
    const gdyn_limit_pose pose = {e->model, pace, e->speed};
    for (int i = 0; i < e->limited_rows; i++) {
        gdyn_limit_terms t = gdyn_limit_terms_of(&e->limited[i], &pose);
        s->row_effort[i] = t.effort;
        if (t.effort < 0) {
            s->of[RHS_A][i] = t.A, s->of[RHS_B][i] = t.B;
            s->of[RHS_C][i] = t.C, s->of[RHS_D][i] = t.D;
            s->error[RHS_A][i] = t.A_error, s->error[RHS_B][i] = t.B_error;
            s->error[RHS_D][i] = t.D_error;
        }
        s->min[i] = t.min, s->max[i] = t.max, s->min_slope[i] = t.min_slope;
        s->max_slope[i] = t.max_slope;
    }
    c->k = e->limited_rows, c->d1_low = 0.0, c->d1_high = INFINITY;
    c->d1_low_window = c->d1_high_window = -1;
    for (int i = 0; i < e->windows; i++) {
        gdyn_limit_terms t = gdyn_limit_terms_of(&e->limited[e->limited_rows + i], &pose);
        if (t.B == 0.0)
            continue;
        double low = (t.B > 0.0 ? t.min : t.max) / t.B, high = (t.B > 0.0 ? t.max : t.min) / t.B;
        /* of equally tight windows the first gives the name, whatever rounding says */
        if (high < c->d1_high * (1 - 1e-11))
            c->d1_high_window = i;
        c->d1_high = fmin(c->d1_high, high);
        if (low > c->d1_low)
            c->d1_low_window = i;
        c->d1_low = fmax(c->d1_low, low);
    }
}

/* As gdyn_equations_load without the inertia of bodies, and right-hand sides that are not scaled:
 * those of d1^2 and d2 only where there are rotors. Sizes are left. */
static void load_equation_rows(gdyn_evaluator *e, const gdyn_state *state,
                               const gdyn_path_rates *rates, gdyn_pose_storage *s) {
    gdyn_equations_drives(e, state, rates);
    gdyn_pace pace = gdyn_pace_of(state, rates);
    pace.drive = e->jacobian;
    /* beside the bodies' inertia: rotors in a and d; forces per d1^0 and d1^1, which change
     * sides */
    int n = e->n;
    double *a = e->rhs, *b = a + n, *c = b + n, *d = c + n;
    if (e->rotors) {
        memset(a, 0, (size_t)n * sizeof *a), memset(d, 0, (size_t)n * sizeof *d);
        gdyn_pace_add_rotors(&pace, a, d);
    }
    gdyn_pace_forces(&pace, c, b);
    for (int i = 0; i < n; i++) {
        b[i] = -b[i];
        c[i] = -c[i];
    }
    load_limits(e, &pace, s);
}

gdyn_status gdyn_equations_load(gdyn_evaluator *e, const gdyn_state *state,
                                const gdyn_path_rates *rates, gdyn_pose_storage *s) {
    bool finite = true;
    gdyn_equations_drives(e, state, rates);
    gdyn_pace pace = gdyn_pace_of(state, rates);
    pace.drive = e->jacobian;
    load_rhs(e, &pace);
    load_limits(e, &pace, s);
    for (int x = 0; x < RHS; x++)
        finite = finite && isfinite(e->size[x]);
    return finite ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

/* --- several poses at once ------------------------------------------------------------------- */

/* Coefficients at neighbouring points of a track at once, one per SIMD lane.
 *
 * The poses of a path are known when its coefficients are taken, and most operations are the same
 * at all of them. For machines whose legs follow hubs (tree/motions.h) and points where every
 * decision is clear; all others are taken one by one (dynamics.c). Both give the same numbers to
 * rounding. */

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
        load[l].u_pp = track->u_pp + at, load[l].along = all->own[l]->reduced_rhs;
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

/* Coefficients from the lane's solution. */
static gdyn_status finish_lane(gdyn_evaluator *e, int lane, gdyn_pose *pose) {
    const gdyn_lane_equations *own = &e->lane[lane];
    memcpy(e->drive_scale, own->drive_scale, (size_t)e->k * sizeof *e->drive_scale);
    memcpy(e->size, own->size, sizeof own->size);
    memcpy(e->whole, own->whole, sizeof own->whole);
    pose->rank_c = e->motions->rank, pose->mobility = e->motions->f;
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
        all.own[l] = &e->lane[of], all.state[l] = track->state[point + of];
        all.legs[l] = gdyn_track_known(track, point + of);
    }
    bool taken = gdyn_free_motions_take(e->motions, count, all.state, all.legs);
    gdyn_evaluator_forget_maps(e);
    if (!taken)
        return 0;
    for (int l = 0; l < count; l++) {
        /* drives, rows and limits of the pose at a point, into its lane */
        gdyn_path_rates rates = gdyn_track_rates(track, point + l);
        pose[l]->before = rates.before;
        gdyn_evaluator_use_lane(e, l);
        load_equation_rows(e, track->state[point + l], &rates, (gdyn_pose_storage *)pose[l]);
        memcpy(e->lane[l].drive_scale, e->drive_scale, (size_t)e->k * sizeof *e->drive_scale);
        if (gdyn_graded_forces(e, e->rhs + e->n * RHS_C, e->rhs + e->n * RHS_B))
            return 0;
    }
    project_drives(e, &all, count, e->motions->f);
    if (!project_loads(e, &all, track, point, count) || !solve_lanes(e, &all))
        return 0;
    for (int l = 0; l < count; l++)
        if (finish_lane(e, l, pose[l]))
            return 0;
    return count;
}
