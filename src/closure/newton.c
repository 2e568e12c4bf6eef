/* newton.c - Newton's method with minimum-norm steps, step control and an adaptive rank decision.
 *
 * J^T P = Q R picks independent rows; the step is the minimum-norm solution of those
 * (gdyn_qr_solve_transposed). Redundant rows are consistent with the others only when closed: at a
 * residual e they look independent with pivots of order e, and would ask for steps along the
 * machine's own freedom. Hence pivots below a multiple of the residual are not trusted; when that
 * costs progress (a truly near-singular pose) the multiple is lowered. */
#include "closure/internal.h"

#include <math.h>

static const double CUT_LEAST = 1e-10, CUT_MOST = 1e-3;

static double clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

static double norm(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static bool factor(gdyn_closing *q, double cut) {
    gdyn_closure *w = q->w;
    int rows = gdyn_closing_rows(q);
    gdyn_closing_jacobian(q, q->state);
    for (int j = 0; j < w->n; j++)
        for (int i = 0; i < rows; i++)
            w->Jt[j + (size_t)w->n * i] = w->J[i + (size_t)rows * j];
    if (gdyn_qr_factor(w->qr, w->n, rows, w->Jt, w->n, cut) != GDYN_OK)
        return false;
    q->info->rank = w->qr->rank;
    return true;
}

/* x := minimum-norm step for the residual in w->r; returns its length. */
static double step(gdyn_closing *q) {
    gdyn_closure *w = q->w;
    int rows = gdyn_closing_rows(q);
    for (int i = 0; i < rows; i++)
        w->b[i] = -w->r[i];
    gdyn_qr_solve_transposed(w->qr, 1, w->b, rows > 0 ? rows : 1, w->x, w->n);
    return norm(w->n, w->x);
}

/* Halves the step until the residual falls; 0 when it never does, else the factor taken. */
static double search(gdyn_closing *q, double length, double *sum, double *greatest) {
    gdyn_closure *w = q->w;
    double radius = gdyn_closing_radius(q), t = length > radius ? radius / length : 1;
    for (int i = 0; i < 8; i++, t *= 0.5) {
        double most;
        gdyn_closing_try(q, w->x, t);
        double trial = gdyn_closing_residual(q, w->trial, w->r_trial, &most);
        if (trial < *sum * (1 - 0.2 * t) && isfinite(most)) {
            gdyn_closing_take(q, w->x, t);
            for (int k = 0; k < gdyn_closing_rows(q); k++)
                w->r[k] = w->r_trial[k];
            *sum = trial;
            *greatest = most;
            return t;
        }
    }
    return 0;
}

/* Below the tolerance: a few more steps with the last factors bring the rest to rounding level. */
static void polish(gdyn_closing *q, double sum, double greatest, bool factored) {
    gdyn_closure *w = q->w;
    if (!factored && !(greatest > 1e-15 && factor(q, 1e-9)))
        return;
    for (int i = 0; i < 3 && greatest > 1e-16; i++) {
        double most;
        step(q);
        gdyn_closing_try(q, w->x, 1);
        double trial = gdyn_closing_residual(q, w->trial, w->r_trial, &most);
        if (!(trial < 0.25 * sum))
            return;
        gdyn_closing_take(q, w->x, 1);
        for (int k = 0; k < gdyn_closing_rows(q); k++)
            w->r[k] = w->r_trial[k];
        sum = trial;
        greatest = most;
    }
}

gdyn_closure_outcome gdyn_closing_newton(gdyn_closing *q) {
    gdyn_closure *w = q->w;
    double greatest, sum = gdyn_closing_residual(q, q->state, w->r, &greatest), trust = 10;
    bool factored = false;
    while (greatest > q->settings->tolerance) {
        if (q->budget-- <= 0)
            return GDYN_CLOSURE_EXHAUSTED;
        q->info->iterations++;
        double cut = clamp(trust * greatest, CUT_LEAST, CUT_MOST), before = greatest;
        if (!isfinite(sum) || !factor(q, cut))
            return GDYN_CLOSURE_STALLED;
        factored = true;
        double t = search(q, step(q), &sum, &greatest);
        if (greatest > 0.5 * before && t != 0)
            trust *= 0.1;
        if (t == 0) {
            if (cut <= CUT_LEAST)
                return GDYN_CLOSURE_STALLED;
            trust = fmin(0.01 * trust, 0.01 * cut / greatest);
        }
    }
    polish(q, sum, greatest, factored);
    return GDYN_CLOSED;
}
