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

/* Least damping as a share of a bound of the singular values; the first one tried, of scaled rows; radius at which no step
 * descends; gain over the predicted one that accepts a step. */
static const double DAMPING_LEAST = 1e-12, DAMPING_FIRST = 0.1, RADIUS_LEAST = 1e-15,
                    GAIN_LEAST = 1e-4;

/* Logarithm of the least length of a damped step over the radius. */
static const double SHORTER = -0.1;

/* Singular values below this times the greatest never take part. */
static const double CUT = 1e-12;
/* Relative descent of F below which, twice in succession, it is at its minimum. */
static const double STATIONARY = 1e-7;

/* A mu >= 0 whose step is as long as the radius, or at most 10 % shorter; 0 where no step is longer. False position on log |x| over
 * log mu, which falls by a slope of 0 to 2, from a bracket around the damping of the last step. */
static double damping(const gdyn_closure *w, double radius, double last) {
    /* the undamped step is short enough */
    if (gdyn_damped_length(w->damped, 0) <= radius)
        return 0;
    /* between a mu with a longer and one with a shorter step: outwards, each time farther */
    double bound = gdyn_damped_bound(w->damped), least = DAMPING_LEAST * bound;
    double mu = fmax(last, least), low = 0, high = INFINITY, over = 0, under = 0, factor = 2;
    for (int i = 0; i < 60; i++) {
        double beyond = log(gdyn_damped_length(w->damped, mu) / radius);
        if (beyond <= 0 && (beyond >= SHORTER || mu <= least))
            return mu;
        if (beyond > 0) {
            low = mu;
            over = beyond;
        } else {
            high = mu;
            under = beyond;
        }
        if (low > 0 && high < INFINITY) {
            if (high <= 1.05 * low)
                break;
            mu = low * pow(high / low, fmin(fmax(over / (over - under), 0.1), 0.9));
        } else {
            mu = beyond > 0 ? factor * mu : fmax(mu / factor, least);
            factor *= factor;
        }
    }
    return high;
}

/* Tries radii until one step descends; false when none does. */
static bool descend(gdyn_closing_system *q, double *radius, double *damped, double *cost,
                    double *greatest) {
    gdyn_closure *w = q->w;
    double longest = gdyn_closing_radius(q);
    while (*radius > RADIUS_LEAST) {
        double mu = damping(w, *radius, *damped), predicted = gdyn_damped_step(w->damped, mu, w->x),
               most;
        gdyn_closing_try(q, w->x, 1);
        double trial = 0.5 * gdyn_closing_residual(q, w->trial, w->r_trial, &most);
        *damped = mu > 0 ? mu : *damped;
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
    double radius = gdyn_closing_radius(q), damped = DAMPING_FIRST, greatest;
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
        if (!descend(q, &radius, &damped, &cost, &greatest))
            return GDYN_CLOSURE_STALLED;
        resting = cost > (1 - STATIONARY) * before ? resting + 1 : 0;
        if (resting >= 2)
            return GDYN_CLOSURE_STALLED;
    }
    return GDYN_CLOSED;
}
