/* rates.c - velocities and accelerations along a path, and mobility, at a closed pose.
 *
 * With J = [C; E] and u = S x (S: scales, weights), J_s = J S, one factorization of J_s (SVD, or QR
 * of J_s^T with pivoting in the fast form) gives
 *   x_p  = J_s^+ b,             b  = [0; R']
 *   x_pp = J_s^+ c + N N^T (J_s')^T lambda,   c = [-gamma(u_p); R'' - gamma_E(u_p)]
 * with lambda = (J_s J_s^T)^+ b. The second term is the derivative of the minimum-norm choice
 * itself: x_p = J_s^T lambda along the whole path, so x_pp's part in the null space N is N N^T
 * (J_s')^T lambda (d/dp of J_s^T lambda; J_s^T lambda' has none). It vanishes without kinematic
 * redundancy. With it, u_pp is the exact derivative of u_p along the motion that is followed, not
 * another acceleration that also happens to fulfil the constraints.
 *
 * lambda^T J'[u] v for a null vector v takes the rate J'[u] of the rows in the motion u, which
 * comes from the same lines as the rows themselves (mech/row.c), Pfaffian rows included; rows of a
 * prescribed orientation do not change along the path. */
#include "closure/internal.h"

#include "linalg/dot.h"
#include "mech/state.h"

#include <math.h>
#include <string.h>

/* QR decides alone above these pivots and gaps and below these residuals of u_p and u_pp: far from
 * all thresholds of the SVD. */
static const double CLEAR_PIVOT = 1e-3, CLEAR_GAP = 1e6, CLEAR_MISFIT = 1e-10, CLEAR_MISFIT2 = 1e-9;

/* Minimum norm, by whichever factors are at hand. */
static void solve(gdyn_closure *w, const double *b, double *x) {
    if (w->by_qr)
        gdyn_qr_solve_transposed(w->qr, 1, b, w->rows, x, w->n);
    else
        gdyn_svd_solve(w->svd, 1, b, w->rows, x, w->n);
}

/* |J_s x - b|. */
static double misfit(const gdyn_closure *w, const double *x, const double *b) {
    double sum = 0;
    for (int i = 0; i < w->rows; i++) {
        double r = -b[i];
        for (int j = 0; j < w->n; j++)
            r += w->J[i + (size_t)w->rows * j] * x[j];
        sum += r * r;
    }
    return sqrt(sum);
}

/* c from u_p; u_pp = S J_s^+ c. Returns its misfit, relative to |c| + |b|^2 (both per p^2). */
static double second_order(gdyn_closure *w, const gdyn_state *state, int count,
                           const gdyn_target *targets, const double *u_p, double *u_pp) {
    int all = w->m + w->h;
    double *c = w->r_trial, scale = gdyn_norm(w->rows, w->b);
    /* minus the scaled curvature of all rows, plus the targets' acceleration */
    gdyn_mech_curvature(state, u_p, c);
    for (int i = 0; i < all; i++)
        c[i] = -(c[i] * w->row_scale[i]);
    for (int i = 0; i < count; i++) {
        double unit = gdyn_closure_target_scale(w, &targets[i]);
        c[all + i] = -(gdyn_row_curvature(state, &targets[i].row, u_p) * unit);
        c[all + i] += targets[i].target[2] * unit;
    }
    /* minimum norm again */
    solve(w, c, w->x);
    for (int j = 0; j < w->n; j++)
        u_pp[j] = w->x[j] * w->column[j];
    scale = gdyn_norm(w->rows, c) + scale * scale;
    return scale > 0 ? misfit(w, w->x, c) / scale : 0;
}

/* Adds the null-space part of u_pp. */
static void follow_choice(gdyn_closure *w, const gdyn_state *state, int count,
                          const gdyn_target *targets, const double *u_p, double *u_pp) {
    if (w->rank.rank == w->n)
        return;
    /* a basis of the free directions, and what each of them adds */
    int freedom =
        w->by_qr ? gdyn_qr_null_transposed(w->qr, w->N, w->n) : gdyn_svd_null(w->svd, w->N, w->n);
    /* lambda = (J_s J_s^T)^+ b: (R^T R)^-1 b, or by singular vectors */
    const gdyn_svd *svd = w->svd;
    memset(w->coefficient, 0, (size_t)w->rows * sizeof *w->coefficient);
    if (w->by_qr)
        gdyn_qr_multipliers(w->qr, w->b, w->coefficient);
    for (int i = 0; !w->by_qr && i < svd->rank.rank; i++) {
        const double *u = svd->U + (size_t)svd->m * i;
        double dot = gdyn_dot(svd->m, u, w->b) / (svd->s[i] * svd->s[i]);
        for (int k = 0; k < svd->m; k++)
            w->coefficient[k] += dot * u[k];
    }
    for (int k = 0; k < freedom; k++) {
        const double *N = w->N + (size_t)w->n * k;
        for (int j = 0; j < w->n; j++)
            w->v[j] = N[j] * w->column[j];
        /* lambda^T J'[u_p] v for one direction v */
        int all = w->m + w->h;
        double part = 0, *rate = w->rate;
        /* constraints, then targets, differentiated along u_p */
        gdyn_mech_jacobian_rate(state, u_p, w->v, rate);
        for (int i = 0; i < all; i++)
            part += w->coefficient[i] * rate[i] * w->row_scale[i];
        for (int i = 0; i < count; i++)
            part += w->coefficient[all + i] * gdyn_row_rate(state, &targets[i].row, u_p, w->v) *
                    gdyn_closure_target_scale(w, &targets[i]);
        for (int j = 0; j < w->n; j++)
            u_pp[j] += part * N[j] * w->column[j];
    }
}

/* Checks the arguments and assembles J. */
static gdyn_status begin(gdyn_closure *w, const gdyn_state *state, int count,
                         const gdyn_target *targets, const double *weights,
                         gdyn_closure_rates *info) {
    w->by_tree = w->at_mark = false;
    gdyn_ahead_leave(w);
    *info = (gdyn_closure_rates){.misfit = INFINITY, .misfit2 = INFINITY};
    if (!gdyn_closing_arguments_fit(w, count, targets, weights, true))
        return GDYN_ERROR_ARGUMENT;
    w->rows = w->m + w->h + count;
    gdyn_closing_assemble(w, state, w->m + w->h, count, targets, 0);
    return GDYN_OK;
}

/* Both orders with the factors at hand. */
static void derive(gdyn_closure *w, const gdyn_state *state, int count, const gdyn_target *targets,
                   double *u_p, double *u_pp, gdyn_closure_rates *info) {
    info->rank = w->rank = w->by_qr ? w->qr->rank : w->svd->rank;
    info->freedom = w->n - info->rank.rank;
    int all = w->m + w->h;
    memset(w->b, 0, (size_t)w->rows * sizeof *w->b);
    /* targets move at their rate, constraints stand still */
    for (int i = 0; i < count; i++)
        w->b[all + i] = targets[i].target[1] * gdyn_closure_target_scale(w, &targets[i]);
    solve(w, w->b, w->x);
    for (int j = 0; j < w->n; j++)
        u_p[j] = w->x[j] * w->column[j];
    double size = gdyn_norm(w->rows, w->b);
    info->misfit = size > 0 ? misfit(w, w->x, w->b) / size : 0;
    info->misfit2 = second_order(w, state, count, targets, u_p, u_pp);
    follow_choice(w, state, count, targets, u_p, u_pp);
}

/* The reference: decisions by singular values. */
static gdyn_status derive_by_svd(gdyn_closure *w, const gdyn_state *state, int count,
                                 const gdyn_target *targets, double *u_p, double *u_pp,
                                 gdyn_closure_rates *info) {
    gdyn_status status = gdyn_svd_factor(w->svd, w->rows, w->n, w->J, w->rows > 0 ? w->rows : 1, 0);
    w->by_qr = false;
    if (status == GDYN_OK)
        derive(w, state, count, targets, u_p, u_pp, info);
    return status;
}

/* Dense, by SVD; for tests and doubtful poses. */
gdyn_status gdyn_closure_derivatives(gdyn_closure *closure, const gdyn_state *state, int count,
                                     const gdyn_target *targets, const double *weights, double *u_p,
                                     double *u_pp, gdyn_closure_rates *info) {
    memset(u_p, 0, (size_t)closure->n * sizeof *u_p);
    memset(u_pp, 0, (size_t)closure->n * sizeof *u_pp);
    closure->complete = false;
    gdyn_status status = begin(closure, state, count, targets, weights, info);
    return status == GDYN_OK ? derive_by_svd(closure, state, count, targets, u_p, u_pp, info)
                             : status;
}

/* No pivot that could be a doubtful singular value, and nothing that only least squares could
 * fit. */
bool gdyn_rates_clear(const gdyn_closure_rates *info) {
    return info->rank.above > CLEAR_PIVOT * info->rank.greatest && info->rank.gap > CLEAR_GAP &&
           info->misfit < CLEAR_MISFIT && info->misfit2 < CLEAR_MISFIT2;
}

/* In joint coordinates, else by QR, by SVD where a decision is doubtful there. */
gdyn_status gdyn_closure_derivatives_fast(gdyn_closure *w, const gdyn_state *state, int count,
                                          const gdyn_target *targets, const double *weights,
                                          double *u_p, double *u_pp, gdyn_closure_rates *info) {
    w->at_mark = false;
    if (gdyn_joints_rates(w, state, count, targets, weights, u_p, u_pp, info))
        return GDYN_OK;
    w->derived_densely++;
    memset(u_p, 0, (size_t)w->n * sizeof *u_p);
    memset(u_pp, 0, (size_t)w->n * sizeof *u_pp);
    gdyn_status status = begin(w, state, count, targets, weights, info);
    if (status != GDYN_OK)
        return status;
    w->by_qr = gdyn_closure_factor(w, w->qr, w->rows, 0) == GDYN_OK;
    if (w->by_qr) {
        derive(w, state, count, targets, u_p, u_pp, info);
        if (gdyn_rates_clear(info))
            return GDYN_OK;
    }
    return derive_by_svd(w, state, count, targets, u_p, u_pp, info);
}

/* Gruebler's count beside the rank that is really there. */
gdyn_status gdyn_closure_mobility(gdyn_closure *closure, const gdyn_state *state,
                                  gdyn_mobility *mobility) {
    gdyn_closure *w = closure;
    int rows = w->m + w->h;
    *mobility = (gdyn_mobility){.coordinates = w->n, .constraints = rows, .gruebler = w->n - rows};
    gdyn_closure_weigh(w, NULL);
    gdyn_closing_assemble(w, state, rows, 0, NULL, 0);
    gdyn_status status = gdyn_svd_values(w->svd, rows, w->n, w->J, rows > 0 ? rows : 1, 0);
    mobility->rank = w->svd->rank, mobility->mobility = w->n - w->svd->rank.rank;
    mobility->redundant = rows - w->svd->rank.rank;
    return status;
}

/* --- whether a singular pose lies between two poses ----------------------------------------------
 *
 * At the marked pose J_0^T P = Q R with rank q; Q_1 the first q columns of Q, P_1 the independent
 * rows. There P_1^T J_0 Q_1 = R_11^T. For a later J of the same rank, det(P_1^T J Q_1) keeps the
 * sign of det R_11 as long as the rank stays q and the range turns by less than a right angle; when
 * a singular value passes through zero the sign changes. Where nothing is left free the conditions
 * on the joint coordinates answer the same question (tree/orientation.c). */

void gdyn_closure_forget_step(gdyn_closure *w) {
    w->past[0].step = 0;
}

/* The factors of this step become those to compare with; its rates predict the next one. */
void gdyn_closure_mark_step(gdyn_closure *w, double h) {
    size_t bytes = (size_t)gdyn_tree_coordinates(w->tree) * sizeof(double);
    gdyn_past before = w->past[1];
    bool known = w->marked && w->marked_clear && w->by_tree;
    const double *rate, *acceleration;
    w->past[1] = w->past[0], w->past[0] = before;
    if (known) {
        gdyn_ahead_motion(w, &rate, &acceleration);
        memcpy(before.rate, rate, bytes);
        memcpy(before.acceleration, acceleration, bytes);
    }
    gdyn_closure_mark(w);
    w->past[0].step = known ? h : 0;
}

/* The pose at hand becomes the one to compare with. */
void gdyn_closure_mark(gdyn_closure *w) {
    w->past[0].step = 0;
    w->marked_by_tree = w->complete, w->marked_clear = w->by_tree, w->at_mark = true;
    if (gdyn_ahead_mark(w)) {
        w->complete = w->by_tree = false, w->marked = true;
        return;
    }
    /* in joint coordinates where they are complete */
    if (w->complete) {
        gdyn_tree_pose *pose = w->marked_joints;
        w->marked_joints = w->joints, w->joints = pose;
        w->complete = w->by_tree = false, w->marked = true;
        return;
    }
    /* QR factors are kept, or made again */
    if (w->by_qr) {
        gdyn_qr *qr = w->mark;
        w->mark = w->qr, w->qr = qr, w->by_qr = false;
        w->marked = true;
    } else {
        w->marked = gdyn_closure_factor(w, w->mark, w->rows, 0) == GDYN_OK;
    }
}

/* Sign of det between the marked pose and this one: -1: a singular pose lies in between, 0:
 * unknown. */
int gdyn_closure_orientation(gdyn_closure *w) {
    int orientation;
    if (w->marked && w->at_mark)
        return 1;
    if (gdyn_ahead_orientation(w, &orientation))
        return orientation;
    gdyn_ahead_factor_mark(w);
    if (w->marked && w->marked_by_tree)
        return w->complete ? gdyn_tree_orientation(w->marked_joints, w->joints) : 0;
    if (w->complete)
        return 0; /* the marked pose left freedom */
    int q = w->mark->rank.rank, n = w->n;
    if (!w->marked || q != w->rank.rank || w->rows != w->mark->n)
        return 0;
    /* rows of the marked pose's pivots, in the basis of its QR: their determinant */
    for (int i = 0; i < q; i++)
        for (int j = 0; j < n; j++)
            w->M[j + (size_t)n * i] = w->J[w->mark->pivot[i] + (size_t)w->rows * j];
    gdyn_qr_apply_qt(w->mark, q, w->M, n);
    int sign = gdyn_det_sign(q, w->M, n, w->pivot);
    /* the sign of R at the marked pose */
    for (int i = 0; i < q; i++)
        sign = w->mark->QR[i + (size_t)n * i] < 0 ? -sign : sign;
    return sign;
}
