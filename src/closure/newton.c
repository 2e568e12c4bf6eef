/* newton.c - Newton's method with minimum-norm steps, step control and an adaptive rank decision.
 *
 * J^T P = Q R picks independent rows; the step is the minimum-norm solution of those
 * (gdyn_qr_solve_transposed). Redundant rows are consistent with the others only when closed: at a
 * residual e they look independent with pivots of order e, and would ask for steps along the
 * machine's own freedom. Hence pivots below a multiple of the residual are not trusted; when that
 * costs progress (a truly near-singular pose) the multiple is lowered. Factors are kept for further
 * (chord) steps as long as each of them brings the residual down tenfold.
 *
 * The loops of joints.c and lanes.c share nothing with this one but the step: they neither decide
 * ranks nor halve steps, and end by what the factors of another pose leave, for lanes all at once;
 * one loop would need these rules as further functions and be longer. */
#include "closure/internal.h"

#include "linalg/dot.h"

#include <math.h>

/* Last steps: cut of the rank; residuals above which factors are made for them, and at which they
 * end. */
static const double POLISH_RANK = 1e-9, POLISH_FROM = 1e-15, POLISHED = 1e-16;

static const double CUT_LEAST = 1e-10, CUT_MOST = 1e-3;

/* QR of the Jacobian; pivots under the cut do not count. */
static bool factor(gdyn_closing_system *q, double cut) {
    gdyn_closing_jacobian(q);
    if (gdyn_closure_factor(q->w, q->w->qr, gdyn_closing_rows(q), cut) != GDYN_OK)
        return false;
    q->info->rank = q->w->qr->rank;
    return true;
}

/* x := minimum-norm step for the residual in w->r; returns its length. */
static double step(gdyn_closing_system *q, gdyn_qr *qr) {
    gdyn_closure *w = q->w;
    int rows = gdyn_closing_rows(q);
    for (int i = 0; i < rows; i++)
        w->b[i] = -w->r[i];
    gdyn_qr_solve_transposed(qr, 1, w->b, rows > 0 ? rows : 1, w->x, w->n);
    return gdyn_norm(w->n, w->x);
}

/* Takes factor * x when it brings the sum of squares below `goal`. */
static bool accept(gdyn_closing_system *q, double factor, double goal, double *sum,
                   double *greatest) {
    gdyn_closure *w = q->w;
    double most;
    gdyn_closing_try(q, w->x, factor);
    double trial = gdyn_closing_residual(q, w->trial, w->r_trial, &most);
    if (!(trial < goal) || !isfinite(most))
        return false;
    gdyn_closing_accept(q, w->x, factor);
    for (int k = 0; k < gdyn_closing_rows(q); k++)
        w->r[k] = w->r_trial[k];
    *sum = trial, *greatest = most;
    gdyn_closing_follow(q, GDYN_CLOSURE_NEWTON, most);
    return true;
}

/* Steps with old factors while each brings the residual down tenfold. */
static void chord(gdyn_closing_system *q, gdyn_qr *qr, double *sum, double *greatest) {
    double before = INFINITY;
    while (*greatest > q->settings->tolerance && *greatest < 0.1 * before && q->budget > 0) {
        before = *greatest;
        /* the sum of squares has to fall to 0.04, the residual to a fifth; long steps are not
         * trusted */
        if (step(q, qr) > gdyn_closing_radius(q) || !accept(q, 1, 0.04 * *sum, sum, greatest))
            return;
        q->budget--;
        q->info->iterations++;
    }
}

void gdyn_closing_polish(gdyn_closing_system *q, gdyn_qr *qr, double sum, double greatest) {
    if (!qr && greatest > POLISH_FROM && factor(q, POLISH_RANK))
        qr = q->w->qr;
    for (int i = 0; qr && i < 3 && greatest > POLISHED; i++) {
        step(q, qr);
        if (!accept(q, 1, 0.25 * sum, &sum, &greatest))
            return;
    }
}

gdyn_closure_outcome gdyn_dense_newton(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    double greatest, sum, trust = 10;
    sum = gdyn_closing_residual(q, q->state, w->r, &greatest);
    gdyn_closing_follow(q, GDYN_CLOSURE_NEWTON, greatest);
    /* the factors of the marked pose, where they fit the problem, are used as long as steps with
     * them converge */
    bool fit = q->settings->reuse && w->marked && !w->marked_by_tree && w->h == 0 &&
               w->mark->n == gdyn_closing_rows(q);
    gdyn_qr *qr = fit ? w->mark : NULL;
    if (qr) {
        q->info->rank = qr->rank;
        chord(q, qr, &sum, &greatest);
    }
    while (greatest > q->settings->tolerance) {
        if (q->budget-- <= 0)
            return GDYN_CLOSURE_EXHAUSTED;
        if (q->moved > q->settings->moved_most)
            return GDYN_CLOSURE_STALLED;
        q->info->iterations++;
        /* a redundant row looks independent with a pivot of the size of the residual: the cut
         * follows it */
        double cut = fmin(fmax(trust * greatest, CUT_LEAST), CUT_MOST), before = greatest;
        if (!isfinite(sum) || !factor(q, cut))
            return GDYN_CLOSURE_STALLED;
        qr = w->qr;
        /* a good step lowers the trust needed, a failed one the cut */
        /* halved until the residual falls */
        double length = step(q, qr), radius = gdyn_closing_radius(q);
        double t = length > radius ? radius / length : 1;
        bool fell = false;
        for (int i = 0; i < 8 && !fell; i++, t *= 0.5)
            fell = accept(q, t, sum * (1 - 0.2 * t), &sum, &greatest);
        if (fell) {
            trust *= greatest > 0.5 * before ? 0.1 : 1;
            if (greatest < 0.01 * before)
                chord(q, qr, &sum, &greatest);
        } else if (cut > CUT_LEAST) {
            trust = fmin(0.01 * trust, 0.01 * cut / greatest);
        } else {
            return GDYN_CLOSURE_STALLED;
        }
    }
    gdyn_closing_polish(q, qr, sum, greatest);
    return GDYN_CLOSED;
}
