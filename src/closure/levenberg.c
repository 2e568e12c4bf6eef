/* levenberg.c - Levenberg-Marquardt descent with rank-aware minimum-norm steps.
 *
 * Minimize F = |r|^2 / 2. With J = U diag(s) V^T the step for the damping mu is
 *   x(mu) = -sum_i v_i s_i (u_i . r) / (s_i^2 + mu^2),
 * which has no part in the null space: with mu = 0 it is the minimum-norm Gauss-Newton step,
 * whatever the rank. mu follows from the length allowed, |x(mu)| <= radius, and the radius from the
 * agreement of predicted and true descent (More 1978, The Levenberg-Marquardt algorithm). Far from
 * closing, redundant rows contradict each other and have small s_i; the damping keeps them
 * harmless. */
#include "closure/internal.h"

#include <math.h>
#include <string.h>

/* First damping as a share of the greatest singular value; radius at which no step descends; gain over the
 * predicted one that accepts a step. */
static const double DAMPING_LEAST = 1e-12, RADIUS_LEAST = 1e-15, GAIN_LEAST = 1e-4;

/* Singular values below this times the greatest never take part. */
static const double CUT = 1e-12;
/* Relative descent of F below which, twice in succession, it is at its minimum. */
static const double STATIONARY = 1e-7;

/* coefficient_i = u_i . r. */
static void project(gdyn_closure *w) {
    const gdyn_svd *svd = w->svd;
    for (int i = 0; i < svd->rank.rank; i++) {
        double dot = 0;
        for (int k = 0; k < svd->m; k++)
            dot += svd->U[k + (size_t)svd->m * i] * w->r[k];
        w->coefficient[i] = dot;
    }
}

/* |x(mu)| from the singular values. */
static double step_length(const gdyn_closure *w, double mu) {
    double sum = 0;
    for (int i = 0; i < w->svd->rank.rank; i++) {
        double s = w->svd->s[i], y = w->coefficient[i] * s / (s * s + mu * mu);
        sum += y * y;
    }
    return sqrt(sum);
}

/* The least mu >= 0 whose step is no longer than the radius (to 10 %), by bisection on log mu. */
static double damping(const gdyn_closure *w, double radius) {
    /* the undamped step is short enough */
    if (step_length(w, 0) <= radius)
        return 0;
    /* bisection between a mu with a longer and one with a shorter step */
    double low = DAMPING_LEAST * w->svd->s[0], high = w->svd->s[0];
    while (step_length(w, high) > radius)
        high *= 4;
    for (int i = 0; i < 60 && high > 1.05 * low; i++) {
        double middle = sqrt(low * high);
        if (step_length(w, middle) > radius)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* x(mu); returns the descent of F that the linear model predicts. */
static double step(gdyn_closure *w, double mu) {
    const gdyn_svd *svd = w->svd;
    double predicted = 0;
    memset(w->x, 0, (size_t)w->n * sizeof *w->x);
    for (int i = 0; i < svd->rank.rank; i++) {
        /* component along v_i, and what the linear model leaves of it */
        double s = svd->s[i], c = w->coefficient[i], y = -c * s / (s * s + mu * mu);
        double left = c + s * y;
        predicted += 0.5 * (c * c - left * left);
        for (int j = 0; j < w->n; j++)
            w->x[j] += y * svd->Vt[i + (size_t)w->n * j];
    }
    return predicted;
}

/* Tries radii until one step descends; false when none does. */
static bool descend(gdyn_closing_system *q, double *radius, double *cost, double *greatest) {
    gdyn_closure *w = q->w;
    double longest = gdyn_closing_radius(q);
    while (*radius > RADIUS_LEAST) {
        double mu = damping(w, *radius), predicted = step(w, mu), most;
        gdyn_closing_try(q, w->x, 1);
        double trial = 0.5 * gdyn_closing_residual(q, w->trial, w->r_trial, &most);
        double gain = predicted > 0 ? (*cost - trial) / predicted : -1;
        double length = step_length(w, mu);
        if (gain < 0.25)
            *radius = fmin(*radius, length) * (gain > 0 ? 0.5 : 0.25);
        else if (gain > 0.75 && mu > 0)
            *radius = fmin(2 * *radius, longest);
        if (gain > GAIN_LEAST) {
            gdyn_closing_accept(q, w->x, 1);
            memcpy(w->r, w->r_trial, (size_t)gdyn_closing_rows(q) * sizeof *w->r);
            *cost = trial;
            *greatest = most;
            return true;
        }
    }
    return false;
}

/* Levenberg and Marquardt in the form of a trust region, down to residuals of size `goal`. */
gdyn_closure_outcome gdyn_closing_levenberg(gdyn_closing_system *q, double goal) {
    gdyn_closure *w = q->w;
    double radius = gdyn_closing_radius(q), greatest;
    double cost = 0.5 * gdyn_closing_residual(q, q->state, w->r, &greatest);
    int rows = gdyn_closing_rows(q), resting = 0;
    while (greatest > goal) {
        if (q->budget-- <= 0)
            return GDYN_CLOSURE_EXHAUSTED;
        /* linear model at the present pose */
        q->info->iterations++;
        gdyn_closing_jacobian(q, q->state);
        if (gdyn_svd_factor(w->svd, rows, w->n, w->J, rows, CUT) != GDYN_OK)
            return GDYN_CLOSURE_STALLED;
        q->info->rank = w->svd->rank;
        project(w);
        /* two steps that hardly descend: a stationary point */
        double before = cost;
        if (!descend(q, &radius, &cost, &greatest))
            return GDYN_CLOSURE_STALLED;
        resting = cost > (1 - STATIONARY) * before ? resting + 1 : 0;
        if (resting >= 2)
            return GDYN_CLOSURE_STALLED;
    }
    return GDYN_CLOSED;
}
