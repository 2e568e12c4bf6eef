/* joints.c - closing and derivatives in the joint coordinates of the spanning tree.
 *
 * Along a path with nothing left free the conditions K q' = b have one solution, whichever coordinates it
 * is found in; in joint coordinates they are few and fall into legs (tree/tree.h). The constraints of
 * the tree's own joints hold by construction and are checked at the end with all others. Poses that are not
 * clearly regular, paths that leave freedom and nonholonomic machines go the dense way. */
#include "closure/internal.h"

#include <math.h>
#include <string.h>

/* Newton steps; from a predicted pose two or three are enough. */
enum { STEPS = 12 };
/* Residuals of this size are rounding. */
static const double ROUNDING = 1e-15;

/* Eliminates the conditions and targets at a state; true when they leave nothing free and every pivot is
 * clear. */
static bool eliminate(gdyn_closure *w, const gdyn_state *state, int count,
                      const gdyn_target *targets, gdyn_tree_rank *rank) {
    for (int i = 0; i < count; i++)
        w->target_row[i] = &targets[i].row;
    gdyn_tree_pose_set(w->joints, state);
    w->complete =
        gdyn_tree_eliminate(w->joints, count, w->target_row, rank) == GDYN_OK && rank->freedom == 0;
    return w->complete && rank->clear;
}

/* --- derivatives ----------------------------------------------------------------------------- */

bool gdyn_closure_derive_by_joints(gdyn_closure *w, const gdyn_state *state, int count,
                                   const gdyn_target *targets, double *u_p, double *u_pp,
                                   gdyn_closure_rates *info) {
    gdyn_tree_rank rank;
    double misfit[2];
    if (!eliminate(w, state, count, targets, &rank))
        return false;
    for (int i = 0; i < count; i++) {
        w->first[i] = targets[i].target[1];
        w->second[i] = targets[i].target[2];
    }
    gdyn_tree_rates(w->joints, w->first, w->second, u_p, u_pp, misfit);
    *info = (gdyn_closure_rates){
        .misfit = misfit[0], .misfit2 = misfit[1], .rank = gdyn_tree_rank_of(w->tree, &rank)};
    return true;
}

/* --- closing --------------------------------------------------------------------------------- */

/* Residuals of the closing rows and targets, in their units, into w->known with the opposite sign; returns the
 * greatest scaled one. */
static double residual(gdyn_closing_system *q, const gdyn_state *state) {
    gdyn_closure *w = q->w;
    int closing = gdyn_tree_closing(w->tree);
    double most = 0;
    for (int i = 0; i < closing + q->count; i++) {
        int row = i < closing ? gdyn_tree_closing_row(w->tree, i) : i - closing;
        double r = i < closing ? gdyn_mech_constraint(state, row)
                               : gdyn_closure_target_residual(state, &q->targets[row]);
        double scale =
            i < closing ? w->row_scale[row] : gdyn_closure_target_scale(w, &q->targets[row]);
        if (!isfinite(r))
            return INFINITY;
        w->known[i] = -r;
        most = fabs(r * scale) <= most ? most : fabs(r * scale);
    }
    q->info->evaluations++;
    return most;
}

/* Length of the displacement dq as one of all bodies, without unit. */
static double length_of(gdyn_closure *w, const gdyn_tree_pose *pose) {
    double sum = 0;
    gdyn_tree_velocities(pose, w->dq, w->du);
    for (int j = 0; j < w->n; j++)
        sum += w->du[j] / w->unit[j] * (w->du[j] / w->unit[j]);
    return sqrt(sum);
}

/* Steps with the factors of a pose near by, renewed when a step brings less than a tenth. */
static bool improve(gdyn_closing_system *q, gdyn_tree_rank *rank) {
    gdyn_closure *w = q->w;
    gdyn_tree_pose *pose = w->marked && w->marked_clear ? w->marked_joints : NULL;
    double here = residual(q, q->state);
    for (int i = 0; i < STEPS && here > ROUNDING; i++) {
        bool fresh = !pose;
        if (fresh && !eliminate(w, q->state, q->count, q->targets, rank))
            return false;
        pose = fresh ? w->joints : pose;
        gdyn_tree_solve(pose, w->known, w->dq);
        double length = length_of(w, pose);
        if (!(length <= gdyn_closing_radius(q)))
            return false;
        gdyn_tree_move(w->tree, q->state, w->dq, w->trial);
        double next = residual(q, w->trial);
        if (next < here) {
            gdyn_state_copy(q->state, w->trial);
            q->moved += length;
            q->info->iterations++;
        } else if (here <= q->settings->tolerance) {
            return true;
        } else if (fresh) {
            return false;
        } else {
            residual(q, q->state);
        }
        pose = next < 0.1 * here ? pose : NULL;
        here = fmin(next, here);
    }
    return here <= q->settings->tolerance;
}

bool gdyn_closing_by_joints(gdyn_closing_system *q, double *sum, double *greatest) {
    gdyn_closure *w = q->w;
    gdyn_tree_rank rank = {.freedom = 0, .least = 1};
    if (w->h > 0 || !q->settings->reuse || !w->marked || !w->marked_clear)
        return false;
    double moved = q->moved;
    gdyn_state_copy(w->best, q->state);
    bool closed = improve(q, &rank);
    if (closed) {
        *sum = gdyn_closing_residual(q, q->state, w->r, greatest);
        closed = *greatest <= q->settings->tolerance;
    }
    if (!closed) {
        gdyn_state_copy(q->state, w->best);
        q->moved = moved;
        return false;
    }
    q->info->rank = gdyn_tree_rank_of(w->tree, &rank);
    return true;
}

/* --- predicting ------------------------------------------------------------------------------ */

void gdyn_closure_predict(gdyn_closure *closure, const gdyn_state *state, const double *u_p,
                          const double *u_pp, double h, gdyn_state *to) {
    gdyn_closure *w = closure;
    if (!w->marked || !w->marked_clear) {
        for (int j = 0; j < w->n; j++)
            w->du[j] = h * u_p[j] + 0.5 * h * h * u_pp[j];
        gdyn_state_copy(to, state);
        gdyn_state_move(to, w->du);
        return;
    }
    int coordinates = gdyn_tree_coordinates(w->tree);
    const gdyn_tree_pose *pose = w->marked_joints;
    /* q'' belongs to u_pp less the bias of q' */
    gdyn_tree_joint_rates(pose, u_p, w->dq);
    gdyn_tree_bias(pose, w->dq, u_p, w->du);
    for (int j = 0; j < w->n; j++)
        w->v[j] = u_pp[j] - w->du[j];
    gdyn_tree_joint_rates(pose, w->v, w->ddq);
    for (int c = 0; c < coordinates; c++)
        w->dq[c] = h * w->dq[c] + 0.5 * h * h * w->ddq[c];
    gdyn_tree_move(w->tree, state, w->dq, to);
}
