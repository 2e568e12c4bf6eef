/* joints.c - closing and derivatives in the joint coordinates of the spanning tree.
 *
 * Along a path with nothing left free the conditions K q' = b have one solution, whichever
 * coordinates it is found in; in joint coordinates they are few and fall into legs (tree/tree.h).
 * The constraints of the tree's own joints hold by construction and are checked at the end with all
 * others. Poses that are not clearly regular, paths that leave freedom and nonholonomic machines go
 * the dense way. */
#include "closure/internal.h"

#include "mech/state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Newton steps; from a predicted pose two or three are enough. */
enum { STEPS = 12 };
/* Residuals of this size are rounding; of this size, where steps are taken with factors of their
 * own start. */
static const double ROUNDING = 1e-15, SETTLED = 1e-14;
/* Rounding that has gathered in the joints of the tree, which steps in joint coordinates do not
 * see, is taken away beyond this size. */
static const double DRIFTED = 1e-14;
/* Clearly regular poses have pivots above. Closer to a singular pose a small residual leaves the
 * pose open by its root, and steps go on until they no longer shrink. */
static const double CLEAR = 1e-3;
/* The next step may be this much longer than the last one whose motion a prediction uses, and the
 * rates of both ends may miss the trapezoidal rule by this share: more is a corner. */
static const double LONGER = 4.5, SMOOTH = 0.1;
/* The same of the mark before that: ratio of both steps, and share of the rates by which the motion
 * since may miss it. */
static const double LIKE = 2, SMOOTH_FARTHER = 1e-3;

/* Eliminates the conditions and targets at a state; true when they leave nothing free and every
 * pivot is clear. */
static bool eliminate(gdyn_closure *w, const gdyn_state *state, int count,
                      const gdyn_target *targets, gdyn_tree_rank *rank) {
    gdyn_ahead_leave(w);
    for (int i = 0; i < count; i++)
        w->target_row[i] = &targets[i].row;
    gdyn_tree_pose_set(w->joints, state);
    w->complete =
        gdyn_tree_eliminate(w->joints, count, w->target_row, rank) == GDYN_OK && rank->freedom == 0;
    return w->complete && rank->clear;
}

/* --- derivatives ----------------------------------------------------------------------------- */

/* Both orders with the factors at hand. */
static void derivatives_here(gdyn_closure *w, int count, const gdyn_target *targets, double *u_p,
                             double *u_pp, const gdyn_tree_rank *rank, gdyn_closure_rates *rates) {
    double misfit[2];
    /* targets' derivatives per p */
    for (int i = 0; i < count; i++)
        w->first[i] = targets[i].target[1], w->second[i] = targets[i].target[2];
    gdyn_tree_rates(w->joints, w->first, w->second, u_p, u_pp, misfit);
    *rates = (gdyn_closure_rates){
        .misfit = misfit[0], .misfit2 = misfit[1], .rank = gdyn_tree_rank_of(w->tree, rank)};
}

/* By elimination in joint coordinates. */
bool gdyn_joints_rates(gdyn_closure *w, const gdyn_state *state, int count,
                       const gdyn_target *targets, const double *weights, double *u_p, double *u_pp,
                       gdyn_closure_rates *info) {
    gdyn_tree_rank rank;
    w->by_tree = false;
    if (gdyn_model_formalism(w->model) != GDYN_FORMALISM_TREE ||
        !gdyn_closing_arguments_fit(w, count, targets, weights, true) ||
        !eliminate(w, state, count, targets, &rank))
        return false;
    derivatives_here(w, count, targets, u_p, u_pp, &rank, info);
    w->by_tree = gdyn_rates_clear(info);
    w->derived_by_tree += w->by_tree;
    return w->by_tree;
}

/* --- closing --------------------------------------------------------------------------------- */

/* Residuals of the closing rows and targets, in their units, into w->known with the opposite sign;
 * returns the largest scaled one, *worst: which. */
static double residual(gdyn_closing_system *q, const gdyn_state *state, int *worst) {
    gdyn_closure *w = q->w;
    int closing = gdyn_tree_closing(w->tree);
    double most = -1;
    *worst = -1;
    for (int i = 0; i < closing + q->count; i++) {
        int row = i < closing ? gdyn_tree_closing_row(w->tree, i) : i - closing;
        double r = i < closing ? gdyn_mech_constraint(state, row)
                               : gdyn_closure_target_residual(state, &q->targets[row]);
        double scale =
            i < closing ? w->row_scale[row] : gdyn_closure_target_scale(w, &q->targets[row]);
        if (!isfinite(r))
            return INFINITY;
        w->known[i] = -r;
        *worst = fabs(r * scale) > most ? i : *worst;
        most = fmax(most, fabs(r * scale));
    }
    q->info->evaluations++;
    return fmax(most, 0);
}

/* Length of a displacement of the joints, without unit: slides over L, turns in rad. Of a long
 * chain it is that of the motion within the machine, however far its end is carried along. *most:
 * of the body that moves most relative to the one inboard. */
static double length_of(const gdyn_closure *w, const double *dq, double *most) {
    double sum = 0, greatest = 0;
    for (int b = 0; b < w->bodies; b++) {
        int count, first = gdyn_tree_first(w->tree, b, &count);
        double own = 0;
        for (int c = first; c < first + count; c++) {
            double part = w->per_joint[c] * dq[c];
            own += part * part;
        }
        sum += own;
        greatest = own > greatest ? own : greatest;
    }
    *most = sqrt(greatest);
    return sqrt(sum);
}

bool gdyn_closure_stride(const gdyn_closure *w, double h, double *length, double *most) {
    const double *rate, *acceleration;
    if (!w->marked || !w->marked_clear)
        return false;
    if (gdyn_ahead_stride(w, h, length, most))
        return true;
    gdyn_ahead_motion(w, &rate, &acceleration);
    for (int c = 0; c < gdyn_tree_coordinates(w->tree); c++)
        w->dq[c] = h * rate[c] + 0.5 * h * h * acceleration[c];
    *length = length_of(w, w->dq, most);
    return true;
}

/* Steps with the factors of a pose near by, renewed when a step brings less than a tenth. */
static bool improve(gdyn_closing_system *q, gdyn_tree_rank *rank) {
    gdyn_closure *w = q->w;
    gdyn_tree_pose *pose = w->marked && w->marked_clear ? w->marked_joints : NULL;
    int worst;
    double here = residual(q, q->state, &worst);
    for (int i = 0; i < STEPS && here > ROUNDING; i++) {
        /* old factors while they converge, fresh ones else */
        bool fresh = !pose;
        if (fresh && !eliminate(w, q->state, q->count, q->targets, rank))
            return false;
        pose = fresh ? w->joints : pose;
        gdyn_tree_solve(pose, w->known, w->dq);
        double most, length = length_of(w, w->dq, &most);
        if (!(length <= gdyn_closing_radius(q)))
            return false;
        /* the step has to lower the residual */
        gdyn_tree_move(w->joints, q->state, w->dq, w->trial);
        double next = residual(q, w->trial, &worst);
        if (next < here) {
            gdyn_state_copy(q->state, w->trial);
            q->moved += length;
            q->info->iterations++;
        } else if (here <= q->settings->tolerance) {
            return true;
        } else if (fresh) {
            return false;
        } else {
            residual(q, q->state, &worst);
        }
        pose = next < 0.1 * here ? pose : NULL;
        here = fmin(next, here);
    }
    return here <= q->settings->tolerance;
}

/* From factors of a pose near by; the pose is restored when it does not converge. */
bool gdyn_joints_newton(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    double sum = INFINITY, greatest = INFINITY;
    gdyn_tree_rank rank = {.freedom = 0, .least = 1};
    if (w->h > 0 || !q->settings->reuse || !w->marked || !w->marked_clear)
        return false;
    gdyn_ahead_factor_mark(w);
    double moved = q->moved;
    gdyn_state_copy(w->best, q->state);
    bool closed = improve(q, &rank);
    /* judged by all rows, not by the closing rows alone */
    if (closed) {
        sum = gdyn_closing_residual(q, q->state, w->r, &greatest);
        closed = greatest <= q->settings->tolerance;
    }
    if (!closed) {
        gdyn_state_copy(q->state, w->best);
        q->moved = moved;
        return false;
    }
    q->info->rank = gdyn_tree_rank_of(w->tree, &rank);
    if (greatest > DRIFTED)
        gdyn_closing_polish(q, NULL, sum, greatest);
    return true;
}

bool gdyn_joints_rank(gdyn_closing_system *q, gdyn_rank *rank) {
    gdyn_tree_rank found;
    if (q->w->h > 0)
        return false;
    eliminate(q->w, q->state, q->count, q->targets, &found);
    *rank = gdyn_tree_rank_of(q->w->tree, &found);
    return found.clear;
}

/* --- a step along a path ---------------------------------------------------------------------- */

/* The same with those of the mark before, at s = -m, where the cubic misses them by e1 and e2:
 *   q' = cubic + W(s) (g + d (s + m)),   W = s^2 (s + k)^2,
 *   W(-m) g = e1,   W'(-m) g + W(-m) d = e2.
 * Where it misses them by much the motion has corners, and the cubic stays. */
static void extrapolate_farther(gdyn_closure *w) {
    const gdyn_past *past = &w->past[1];
    gdyn_tree_motion *motion = &w->motion;
    double k = w->past[0].step, m = k + past->step, miss = 0, size = 0;
    /* 1 / W(-m), W'(-m) */
    double share = 1 / (m * m * (m - k) * (m - k)), slope = -2 * m * (m - k) * (2 * m - k);
    for (int c = 0; c < gdyn_tree_coordinates(w->tree); c++) {
        double q1 = motion->c[0][c], q2 = 2 * motion->c[1][c], a = 3 * motion->c[2][c];
        double b = 4 * motion->c[3][c], e1 = past->rate[c] - (q1 - m * (q2 - m * (a - m * b)));
        double e2 = past->acceleration[c] - (q2 - m * (2 * a - m * 3 * b));
        double g = share * e1, d = share * (e2 - slope * g), n = g + d * m;
        /* its terms s^2 to s^5: s^2 (s + k)^2 (n + d s); the last two of them here */
        motion->c[4][c] = 1.0 / 5 * (n + 2 * k * d);
        motion->c[5][c] = 1.0 / 6 * d;
        double scale = w->per_joint[c] * w->per_joint[c];
        miss += scale * (e1 * e1 + m * m * e2 * e2);
        size += scale * q1 * q1;
    }
    if (!(miss <= SMOOTH_FARTHER * SMOOTH_FARTHER * size))
        return;
    /* and the first two, from n = 5 c4 - 2 k d */
    for (int c = 0; c < gdyn_tree_coordinates(w->tree); c++) {
        double d = 6 * motion->c[5][c], n = 5 * motion->c[4][c] - 2 * k * d;
        motion->c[2][c] += 1.0 / 3 * k * k * n;
        motion->c[3][c] += 0.25 * k * (2 * n + k * d);
    }
    motion->terms = 6;
}

/* Whether the motion since the mark before was smooth: its rates agree with the trapezoidal
 * rule. */
static bool smooth(const gdyn_closure *w, const double *q1, const double *q2) {
    /* trapezoidal rule: q1 - q0 = k (a0 + a1) / 2 */
    const gdyn_past *past = &w->past[0];
    double miss = 0, size = 0, k = past->step;
    for (int c = 0; c < gdyn_tree_coordinates(w->tree); c++) {
        double scale = w->per_joint[c];
        double part = q1[c] - past->rate[c] - 0.5 * k * (past->acceleration[c] + q2[c]);
        miss += scale * scale * part * part, size += scale * scale * q1[c] * q1[c];
    }
    return miss <= SMOOTH * SMOOTH * size;
}

const gdyn_tree_motion *gdyn_closure_motion(gdyn_closure *w, double h) {
    /* a parabola, a quartic where the last step was smooth, and more terms where the last two
     * were */
    const double *rate, *acceleration;
    gdyn_ahead_motion(w, &rate, &acceleration);
    w->motion.terms = 2;
    for (int c = 0; c < gdyn_tree_coordinates(w->tree); c++)
        w->motion.c[0][c] = rate[c], w->motion.c[1][c] = 0.5 * acceleration[c];
    double last = w->past[0].step, before = w->past[1].step;
    if (!(last * h > 0 && fabs(h) <= LONGER * fabs(last)) || !smooth(w, rate, acceleration))
        return &w->motion;
    /* with q' (s) the cubic that has the rates and accelerations of the last two marks, whose
     * distance is k:
     *   q' = q1 + q2 s + a s^2 + b s^3,   b k^3 = 2 A + B k,   a k^2 = 3 A + B k,
     *   A = p1 - q1 + q2 k,               B = p2 - q2 */
    const gdyn_past *past = &w->past[0];
    double k = past->step, of_a = 1 / (3 * k * k), of_b = 1 / (4 * k * k * k);
    for (int c = 0; c < gdyn_tree_coordinates(w->tree); c++) {
        double A = past->rate[c] - rate[c] + acceleration[c] * k;
        double B = (past->acceleration[c] - acceleration[c]) * k;
        w->motion.c[2][c] = of_a * (3 * A + B);
        w->motion.c[3][c] = of_b * (2 * A + B);
    }
    w->motion.terms = 4;
    if (last / before >= 1 / LIKE && last / before <= LIKE)
        extrapolate_farther(w);
    return &w->motion;
}

/* By the displacement that is given, in joint coordinates where they are known, else in those of
 * bodies. */
void gdyn_closing_predict(gdyn_closure *w, const gdyn_closure_step *step,
                          const gdyn_closed_pose *from, gdyn_state *to) {
    double h = step->to - step->from;
    bool known = !step->du && w->marked && w->marked_clear;
    gdyn_state_copy(to, from->state);
    if (!known) {
        for (int j = 0; j < w->n; j++)
            w->du[j] = step->du ? step->du[j] : h * from->u_p[j] + 0.5 * h * h * from->u_pp[j];
        gdyn_state_move(to, w->du);
        return;
    }
    const gdyn_tree_motion *motion = gdyn_closure_motion(w, h);
    for (int c = 0; c < gdyn_tree_coordinates(w->tree); c++) {
        w->dq[c] = 0;
        for (int i = motion->terms - 1; i >= 0; i--)
            w->dq[c] = h * (motion->c[i][c] + w->dq[c]);
    }
    gdyn_tree_move_bodies(w->joints, from->state, w->dq, true, to);
}

/* The pose of two in turn that is improved, and how far it moved. */
typedef struct approach {
    gdyn_state *here, *there;
    double moved, residual;
    int steps, worst; /* worst: row of the residual */
} approach;

/* Newton steps until the residual is rounding: a step from a small one ends there at a regular
 * pose. A step with the factors of a pose before leaves about the residual times the way from there
 * over the smallest pivot: where that is rounding, nothing is eliminated in between. The pose at
 * the end always is. */
static bool approach_closed(gdyn_closing_system *q, approach *a, gdyn_tree_rank *rank) {
    gdyn_closure *w = q->w;
    double before = INFINITY, way = INFINITY, far = 0;
    for (int i = 0; i < 3 * w->bodies; i++)
        far = fabs(a->here->r[i]) > far ? fabs(a->here->r[i]) : far;
    /* a residual that is rounding: of places far from the origin, a few units in the last place
     * of theirs */
    double enough = fmax(SETTLED, 4 * DBL_EPSILON * far / w->L);
    for (a->steps = 0; a->steps < STEPS; a->steps++) {
        /* the residual is rounding, or it no longer falls */
        a->residual = residual(q, a->here, &a->worst);
        if (!(a->residual < before) && before <= q->settings->tolerance) {
            /* take back a step that only enlarged rounding: rows that depend on others
             * contradict them by what rounding leaves */
            gdyn_state *left = a->here;
            a->here = a->there, a->there = left;
            a->residual = residual(q, a->here, &a->worst);
        }
        bool rounding = a->residual > 0.1 * before && a->residual <= q->settings->tolerance;
        bool closed = a->residual <= enough || rounding;
        if (closed || !(a->residual * way <= enough * rank->least)) {
            if (!eliminate(w, a->here, q->count, q->targets, rank) || rank->least < CLEAR)
                return false;
            way = 0;
        }
        if (closed)
            return true;
        if (!(a->residual < before))
            return false;
        /* a step of Newton's method; both poses change places */
        gdyn_tree_solve(w->joints, w->known, w->dq);
        double most, length = length_of(w, w->dq, &most);
        if (!(length <= gdyn_closing_radius(q)))
            return false;
        gdyn_tree_move_bodies(w->joints, a->here, w->dq, false, a->there);
        gdyn_state *left = a->here;
        a->here = a->there, a->there = left, a->moved += length;
        before = a->residual, way += length;
    }
    return false;
}

gdyn_closure_info gdyn_closing_closed(const gdyn_closure *w, int worst, int steps, double residual,
                                      double moved, const gdyn_rank *rank) {
    int closing = gdyn_tree_closing(w->tree);
    bool of_machine = worst >= 0 && worst < closing;
    int row = of_machine ? gdyn_tree_closing_row(w->tree, worst) : w->m + worst - closing;
    return (gdyn_closure_info){.outcome = GDYN_CLOSED,
                               .iterations = steps,
                               .evaluations = steps + 1,
                               .residual = residual,
                               .worst_row = worst < 0 ? -1 : row,
                               .worst_joint = of_machine ? gdyn_model_row_joint(w->model, row) : -1,
                               .moved = moved,
                               .rank = *rank};
}

/* Closing and derivatives of the predicted pose at once, with the factors of the last step. A pose
 * that is doubtful is left to the dense methods. */
static bool arrive(gdyn_closure *w, const gdyn_closure_step *step, gdyn_closed_pose *to,
                   gdyn_closure_info *info) {
    gdyn_closure_settings settings = gdyn_closure_default();
    gdyn_closing_system q = {.w = w,
                             .state = to->state,
                             .count = step->count,
                             .targets = step->target,
                             .settings = &settings,
                             .info = info};
    approach a = {.here = w->trial, .there = w->best};
    gdyn_tree_rank rank = {.least = 0};
    /* on copies: the state changes only on success */
    gdyn_state_copy(w->trial, to->state), gdyn_state_copy(w->best, to->state);
    if (!approach_closed(&q, &a, &rank))
        return false;
    derivatives_here(w, step->count, step->target, to->u_p, to->u_pp, &rank, &to->rates);
    if (!gdyn_rates_clear(&to->rates) || gdyn_guards_mirrored(w, a.here) >= 0)
        return false;
    *info = gdyn_closing_closed(w, a.worst, a.steps, a.residual, a.moved, &to->rates.rank);
    w->at_mark = false, w->by_tree = true;
    w->derived_by_tree++;
    gdyn_state_copy(to->state, a.here);
    return true;
}

/* Each move squares the errors: three of them bring shares of 1e-2 to rounding. */
enum { SETTLING = 3 };

void gdyn_closure_settle(gdyn_closure *w, gdyn_state *state) {
    if (!w->tree)
        return;
    memset(w->dq, 0, (size_t)gdyn_tree_coordinates(w->tree) * sizeof *w->dq);
    for (int i = 0; i < SETTLING; i++) {
        gdyn_state_copy(w->trial, state);
        gdyn_tree_move(w->joints, w->trial, w->dq, state);
    }
}

bool gdyn_joints_step(gdyn_closure *w, const gdyn_closure_step *step, const gdyn_closed_pose *from,
                      gdyn_closed_pose *to, gdyn_closure_info *info, bool *closed) {
    if (step->du || w->h > 0 || !w->marked || !w->marked_clear || !gdyn_tree_settles(w->tree))
        return false;
    if (!step->aim(step->way, step->to, step->target))
        return true;
    gdyn_closing_predict(w, step, from, to->state);
    if (!arrive(w, step, to, info))
        return false;
    gdyn_state_take_angles(to->state);
    *closed = info->moved <= step->most;
    return true;
}
