/* levenberg.c - Levenberg-Marquardt descent with rank-aware minimum-norm steps.
 *
 * Minimize F = |r|^2 / 2. The step for the damping mu, x(mu) = argmin |r + J x|^2 + mu^2 |x|^2, has no part in the null
 * space: with mu = 0 it is the minimum-norm Gauss-Newton step, whatever the rank (linalg/damped.c). mu follows from the length allowed, |x(mu)| <= radius, and the radius from the
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

/* The least mu >= 0 whose step is no longer than the radius (to 10 %), by bisection on log mu. */
static double damping(const gdyn_closure *w, double radius) {
    /* the undamped step is short enough */
    if (gdyn_damped_length(w->damped, 0) <= radius)
        return 0;
    /* bisection between a mu with a longer and one with a shorter step */
    double high = gdyn_damped_greatest(w->damped), low = DAMPING_LEAST * high;
    while (gdyn_damped_length(w->damped, high) > radius)
        high *= 4;
    for (int i = 0; i < 60 && high > 1.05 * low; i++) {
        double middle = sqrt(low * high);
        if (gdyn_damped_length(w->damped, middle) > radius)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Tries radii until one step descends; false when none does. */
static bool descend(gdyn_closing_system *q, double *radius, double *cost, double *greatest) {
    gdyn_closure *w = q->w;
    double longest = gdyn_closing_radius(q);
    while (*radius > RADIUS_LEAST) {
        double mu = damping(w, *radius), predicted = gdyn_damped_step(w->damped, mu, w->x), most;
        gdyn_closing_try(q, w->x, 1);
        double trial = 0.5 * gdyn_closing_residual(q, w->trial, w->r_trial, &most);
        double gain = predicted > 0 ? (*cost - trial) / predicted : -1;
        double length = gdyn_damped_length(w->damped, mu);
        if (gain < 0.25)
            *radius = fmin(*radius, length) * (gain > 0 ? 0.5 : 0.25);
        else if (gain > 0.75 && mu > 0)
            *radius = fmin(2 * *radius, longest);
        if (gain > GAIN_LEAST) {
            gdyn_closing_accept(q, w->x, 1);
            memcpy(w->r, w->r_trial, (size_t)gdyn_closing_rows(q) * sizeof *w->r);
            *cost = trial;
            *greatest = most;
            gdyn_closing_follow(q, GDYN_CLOSURE_LEAST_SQUARES, most);
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
    gdyn_closing_follow(q, GDYN_CLOSURE_LEAST_SQUARES, greatest);
    while (greatest > goal) {
        if (q->budget-- <= 0)
            return GDYN_CLOSURE_EXHAUSTED;
        /* linear model at the present pose */
        q->info->iterations++;
        gdyn_closing_jacobian(q, q->state);
        if (gdyn_damped_factor(w->damped, rows, w->n, w->J, w->r, CUT) != GDYN_OK)
            return GDYN_CLOSURE_STALLED;
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
