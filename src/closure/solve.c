/* solve.c - the closing step: which method and which way run when, axes that point the wrong way,
 * and the report on how it ended. */
#include "closure/internal.h"
#include "base/random.h"
#include "linalg/vec3.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

/* Where the descent hands over to Newton, and how much nearer it must come when Newton failed. */
static const double HANDOVER = 1e-2, NEARER = 1e-2;

/* Steps of Newton's method from a pose near by. */
enum { CORRECTIONS = 20 };

static gdyn_closure_outcome newton(gdyn_closing_system *q) {
    return gdyn_joints_newton(q) ? GDYN_CLOSED : gdyn_dense_newton(q);
}

/* Descent until Newton takes over; Newton may fail from too far away, then the descent
 * continues. */
static gdyn_closure_outcome descend_then_newton(gdyn_closing_system *q) {
    gdyn_closure_outcome outcome = GDYN_CLOSURE_STALLED;
    /* the goal falls from round to round */
    for (double goal = HANDOVER; goal > q->settings->tolerance; goal *= NEARER) {
        q->guarded = true;
        outcome = gdyn_closing_levenberg(q, goal);
        q->guarded = false;
        if (outcome != GDYN_CLOSED)
            return outcome;
        /* Newton's method; where it fails the descent goes on from where it was */
        gdyn_state_copy(q->w->best, q->state);
        double moved = q->moved;
        outcome = newton(q);
        if (outcome != GDYN_CLOSURE_STALLED)
            return outcome;
        gdyn_state_copy(q->state, q->w->best);
        q->moved = moved;
    }
    return outcome;
}

/* A descent that stalls may stand on a saddle (stretched or symmetric guesses): further descents
 * from shaken poses decide; the best end is kept. */
static gdyn_closure_outcome least_squares(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    gdyn_closure_outcome outcome = descend_then_newton(q);
    for (int i = 0; i < q->settings->restarts && outcome == GDYN_CLOSURE_STALLED; i++) {
        double before, after, moved = q->moved;
        gdyn_state_copy(w->entry, q->state);
        gdyn_closing_residual(q, q->state, w->r, &before);
        /* a small, fixed, irregular displacement, more each time, leaves saddles and symmetric
         * stationary poses */
        double size = 0.02 * (i + 1);
        gdyn_random random = gdyn_random_stream(20, 0, 0);
        for (int j = 0; j < q->w->n; j++)
            q->w->x[j] = size * gdyn_random_between(&random, -1, 1);
        gdyn_closing_try(q, q->w->x, 1);
        gdyn_closing_accept(q, q->w->x, 1);
        outcome = descend_then_newton(q);
        gdyn_closing_residual(q, q->state, w->r, &after);
        /* the better end counts */
        if (outcome != GDYN_CLOSED && !(after < before)) {
            gdyn_state_copy(q->state, w->entry);
            q->moved = moved;
        }
    }
    return outcome;
}

/* --- axes that must agree in sense (gdyn_guard in model/rows.h) ------------------------------- */

/* Sine below which two directions give no axis of rotation. */
static const double OPPOSITE = 1e-6;

/* The first axis that points the wrong way; -1: none. */
int gdyn_guards_mirrored(const gdyn_closure *w, const gdyn_state *state) {
    for (int i = 0; i < w->guards; i++)
        if (gdyn_row_value(state, &w->guard[i].row) < 0)
            return i;
    return -1;
}

/* Turns one body about the joint's point until both axes point the same way; false: it is the
 * ground. */
static bool turn_back(gdyn_closure *w, gdyn_state *state, int guard, bool second) {
    const gdyn_guard *g = &w->guard[guard];
    const gdyn_joint_def *def = gdyn_model_joint(w->model, g->joint);
    int body = second ? g->row.b : g->row.a;
    if (body == GDYN_GROUND)
        return false;
    double ra[3], Ra[9], rb[3], Rb[9], ea[3], eb[3], turn[3], R[9], pivot[3], arm[3];
    /* both axes in the ground's frame */
    gdyn_state_body(state, g->row.a, ra, Ra), gdyn_state_body(state, g->row.b, rb, Rb);
    m3_apply(ea, Ra, g->row.m), m3_apply(eb, Rb, g->row.e);
    /* the rotation vector of length pi or less that takes one direction to the other */
    const double *from_axis = second ? eb : ea, *to_axis = second ? ea : eb;
    v3_cross(turn, from_axis, to_axis);
    double sine = gdyn_v3_normalize(turn);
    if (sine < OPPOSITE)
        gdyn_v3_triad(from_axis, turn, arm);
    v3_scale(turn, atan2(sine, v3_dot(from_axis, to_axis)), turn);
    gdyn_rotation_exp(R, turn);
    /* The joint's point stays where it is. */
    gdyn_state_point(state, second ? &def->b : &def->a, pivot);
    v3_sub(arm, second ? rb : ra, pivot);
    memset(w->du, 0, (size_t)w->n * sizeof *w->du);
    double *du = w->du + 6 * body;
    m3_apply(du, R, arm);
    v3_sub(du, du, arm);
    /* displacement of the centre, and the turn */
    v3_copy(du + 3, turn);
    gdyn_state_move(state, w->du);
    return true;
}

/* Turns one body of the mirrored joint and closes again; the mirrored pose is kept when that fails.
 */
static gdyn_closure_outcome unmirror(gdyn_closing_system *q, int guard) {
    gdyn_closure *w = q->w;
    double moved = q->moved;
    /* the one body, then the other */
    for (int second = 0; second < 2; second++) {
        gdyn_state *mirrored = w->entry;
        gdyn_state_copy(mirrored, q->state);
        if (!turn_back(w, q->state, guard, second == 1))
            continue;
        /* Turned about the axis by half a turn, a joint that may not roll is mirrored still. */
        int next = gdyn_guards_mirrored(w, q->state);
        if (next >= 0 && w->guard[next].joint == w->guard[guard].joint)
            turn_back(w, q->state, next, second == 1);
        /* closed with the axis the right way */
        q->budget = q->settings->max_iterations;
        gdyn_closure_outcome outcome = descend_then_newton(q);
        if (outcome == GDYN_CLOSED && gdyn_guards_mirrored(w, q->state) < 0)
            return GDYN_CLOSED;
        gdyn_state_copy(q->state, mirrored);
        q->moved = moved;
    }
    return GDYN_CLOSURE_FLIPPED;
}

/* Residual, worst row and joint of the pose the solve ends with. */
static void report(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    gdyn_closure_info *info = q->info;
    q->guarded = false;
    gdyn_closing_residual(q, q->state, w->r, &info->residual);
    info->worst_row = info->worst_joint = -1;
    double most = -1;
    for (int i = 0; i < gdyn_closing_rows(q); i++)
        if (fabs(w->r[i]) > most) {
            most = fabs(w->r[i]);
            info->worst_row = i;
        }
    if (info->worst_row >= 0 && info->worst_row < w->m)
        info->worst_joint = gdyn_model_row_joint(w->model, info->worst_row);
    info->moved = q->moved;
}

/* --- what is asked for ------------------------------------------------------------------------ */

/* Closes a state; *info is filled on failure, too. */
gdyn_status gdyn_closure_solve(gdyn_closure *closure, gdyn_state *state, int count,
                               const gdyn_target *targets, const gdyn_closure_settings *settings,
                               gdyn_closure_info *info) {
    gdyn_closure_settings standard = gdyn_closure_default();
    gdyn_closure_info unused;
    gdyn_closing_system q = {.w = closure,
                             .state = state,
                             .count = count,
                             .targets = targets,
                             .settings = settings ? settings : &standard,
                             .info = info ? info : &unused};
    *q.info = (gdyn_closure_info){.outcome = GDYN_CLOSURE_STALLED,
                                  .residual = INFINITY,
                                  .worst_row = -1,
                                  .worst_joint = -1,
                                  .rank = gdyn_rank_decide(0, NULL, 0)};
    /* what cannot be closed regardless of the pose */
    if (!gdyn_closing_arguments_fit(closure, count, targets, q.settings->weights, false))
        return GDYN_ERROR_ARGUMENT;
    double greatest;
    gdyn_closing_residual(&q, state, closure->r, &greatest);
    if (!isfinite(greatest))
        return GDYN_ERROR_NUMERIC;
    /* the method, then axes that point the wrong way */
    q.budget = q.settings->max_iterations;
    q.guarded = q.settings->method == GDYN_CLOSURE_SIMPLEX;
    gdyn_closure_outcome outcome = q.guarded ? gdyn_closing_simplex(&q)
                                   : q.settings->method == GDYN_CLOSURE_NEWTON ? newton(&q)
                                   : gdyn_closing_sparse(&q)                   ? GDYN_CLOSED
                                                                               : least_squares(&q);
    int mirrored = outcome == GDYN_CLOSED ? gdyn_guards_mirrored(closure, state) : -1;
    if (mirrored >= 0)
        outcome = unmirror(&q, mirrored);
    report(&q);
    q.info->outcome = outcome;
    if (outcome == GDYN_CLOSURE_FLIPPED)
        q.info->worst_joint = closure->guard[gdyn_guards_mirrored(closure, state)].joint;
    return GDYN_OK;
}

gdyn_status gdyn_closure_correct(gdyn_closure *closure, gdyn_state *state, int count,
                                 const gdyn_target *targets, const double *weights, double most,
                                 gdyn_closure_info *info, bool *closed) {
    gdyn_closure_settings settings = gdyn_closure_default();
    settings.weights = weights, settings.method = GDYN_CLOSURE_NEWTON;
    settings.max_iterations = CORRECTIONS, settings.reuse = true;
    settings.moved_most = most;
    gdyn_status status = gdyn_closure_solve(closure, state, count, targets, &settings, info);
    *closed = status == GDYN_OK && info->outcome == GDYN_CLOSED && info->moved <= most;
    return status;
}

/* By the first way that answers; the last one starts from the predicted pose, or the one that is
 * given. */
gdyn_status gdyn_closure_advance(gdyn_closure *w, const gdyn_closure_step *step,
                                 const gdyn_closed_pose *from, gdyn_closed_pose *to,
                                 gdyn_closure_info *info, bool *closed) {
    *closed = gdyn_lanes_step(w, step, from, to, info);
    if (*closed || gdyn_joints_step(w, step, from, to, info, closed))
        return GDYN_OK;
    gdyn_closing_predict(w, step, from, to->state);
    if (!step->du)
        gdyn_state_take_angles(to->state);
    if (!step->aim(step->way, step->to, step->target))
        return GDYN_OK;
    gdyn_status status = gdyn_closure_correct(w, to->state, step->count, step->target,
                                              step->weights, step->most, info, closed);
    if (status || !*closed)
        return status;
    status = gdyn_closure_derivatives_fast(w, to->state, step->count, step->target, step->weights,
                                           to->u_p, to->u_pp, &to->rates);
    *closed = status == GDYN_OK;
    return status;
}
