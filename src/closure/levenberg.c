/* levenberg.c - Levenberg-Marquardt descent with rank-aware minimum-norm steps.
 *
 * Minimize F = |r|^2 / 2. The step for the damping mu, x(mu) = argmin |r + J x|^2 + mu^2 |x|^2, has no part in the null
 * space: with mu = 0 it is the minimum-norm Gauss-Newton step, whatever the rank (linalg/damped.c). mu follows from the length allowed, |x(mu)| <= radius, and the radius from the
 * agreement of predicted and true descent (More 1978, The Levenberg-Marquardt algorithm). Far from
 * closing, redundant rows contradict each other and have small s_i; the damping keeps them
 * harmless. While mu is not small, normal equations tell the step to 1e-8, and these are sparse (sparse.c): a factorization for every mu
 * costs a tenth of the dense one for all of them. */
#include "closure/internal.h"

#include <math.h>
#include <string.h>

/* Least damping as a share of a bound of the singular values; the first one tried, of scaled rows; radius at which no step
 * descends; gain over the predicted one that accepts a step. */
static const double DAMPING_LEAST = 1e-12, DAMPING_FIRST = 0.1, RADIUS_LEAST = 1e-15,
                    GAIN_LEAST = 1e-4;

/* Most dampings that are tried for a radius from sparse factors. */
enum { SEARCHES = 20 };
/* Logarithm of the least length of a damped step over the radius. */
static const double SHORTER = -0.1;

/* Singular values below this times the greatest never take part. */
static const double CUT = 1e-12;
/* Relative descent of F below which, twice in succession, it is at its minimum. */
static const double STATIONARY = 1e-7;

/* The same over two steps where the amount is enough, and what these take off over the two before them: the rest of a
 * geometric sequence is less than a third of it. */
static const double STATIONARY_ROUGH = 1e-3, CONTRACTED = 0.25;

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

/* The region in which the linear model is trusted, and the step that was taken last. */
typedef struct trust {
    double radius;
    double mu, length; /* of that step */
    bool whole;        /* without damping */
    double
        slope; /* 1 / |x| is that over its own at mu^2 times 1 + (mu'^2 - mu^2) / slope; 0: not known */
} trust;

/* The damping that the last one suggests for a step of that length. */
static double suggested(const trust *t, double length) {
    return t->slope > 0 ? sqrt(fmax(t->mu * t->mu + t->slope * (t->length / length - 1), 0))
                        : t->mu;
}

/* The same from sparse normal equations, with w->x the step: Newton's method for 1 / |x| over mu^2 (Hebden's; More 1978). False: the
 * damping is too small for them. */
static bool sparse_damping(gdyn_closing_system *q, trust *t) {
    double least = gdyn_sparse_least(q), goal = t->radius * exp(0.5 * SHORTER);
    double low = 0, high = INFINITY, mu = fmax(suggested(t, goal), least);
    for (int i = 0; i < SEARCHES; i++) {
        double length = gdyn_sparse_length(q, mu), beyond = log(length / t->radius);
        if (!isfinite(beyond) || (beyond < SHORTER && mu <= least))
            return false;
        *t = (trust){.radius = t->radius, .mu = mu, .length = length};
        t->slope = length * length / gdyn_sparse_softness(q);
        if (beyond <= 0 && beyond >= SHORTER)
            return true;
        *(beyond > 0 ? &low : &high) = mu;
        /* within what is known, else half of it */
        mu = suggested(t, goal);
        if (!(mu > low && mu < high))
            mu = isinf(high) ? 4 * low : sqrt(fmax(low, least) * high);
        mu = fmax(mu, least);
    }
    return false;
}

/* The linear model at the present pose: sparse where damping allows it, else dense. */
static bool dense_model(gdyn_closing_system *q) {
    gdyn_closure *w = q->w;
    gdyn_closing_jacobian(q, q->state);
    return gdyn_damped_factor(w->damped, gdyn_closing_rows(q), w->n, w->J, w->r, CUT) == GDYN_OK;
}

/* A step into w->x that is not longer than the radius, and what it takes off the cost in the model. *sparse: the one at hand; false:
 * none. */
static bool find_step(gdyn_closing_system *q, bool *sparse, trust *t, double *predicted) {
    gdyn_closure *w = q->w;
    if (*sparse && sparse_damping(q, t)) {
        *predicted = gdyn_sparse_descent(q);
        return true;
    }
    if (*sparse && !dense_model(q))
        return false;
    *sparse = false;
    double mu = damping(w, t->radius, t->mu);
    *predicted = gdyn_damped_step(w->damped, mu, w->x);
    *t = (trust){.radius = t->radius, .mu = mu > 0 ? mu : t->mu, .whole = mu == 0};
    t->length = gdyn_damped_length(w->damped, mu);
    return true;
}

/* Tries radii until one step descends; false when none does. */
static bool descend(gdyn_closing_system *q, trust *t, double *cost, double *greatest) {
    gdyn_closure *w = q->w;
    double longest = gdyn_closing_radius(q);
    bool sparse = gdyn_sparse_model(q);
    if (!sparse && !dense_model(q))
        return false;
    while (t->radius > RADIUS_LEAST) {
        double predicted, most;
        if (!find_step(q, &sparse, t, &predicted))
            return false;
        gdyn_closing_try(q, w->x, 1);
        double trial = 0.5 * gdyn_closing_residual(q, w->trial, w->r_trial, &most);
        double gain = predicted > 0 ? (*cost - trial) / predicted : -1;
        if (gain < 0.25)
            t->radius = fmin(t->radius, t->length) * (gain > 0 ? 0.5 : 0.25);
        else if (gain > 0.75 && !t->whole)
            t->radius = fmin(2 * t->radius, longest);
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

enum { PAST = 4 };

/* Two steps hardly descend, and much less than the two before them. */
static bool nearly_least(const double past[PAST], double cost) {
    double last = past[1] - cost, before = past[3] - past[1];
    return isfinite(past[3]) && last <= STATIONARY_ROUGH * cost && last <= CONTRACTED * before;
}

/* Levenberg and Marquardt in the form of a trust region, down to residuals of size `goal`. */
gdyn_closure_outcome gdyn_closing_levenberg(gdyn_closing_system *q, double goal) {
    gdyn_closure *w = q->w;
    double greatest;
    trust t = {.radius = gdyn_closing_radius(q), .mu = DAMPING_FIRST};
    double cost = 0.5 * gdyn_closing_residual(q, q->state, w->r, &greatest);
    double past[PAST] = {INFINITY, INFINITY, INFINITY, INFINITY};
    int resting = 0;
    gdyn_closing_follow(q, GDYN_CLOSURE_LEAST_SQUARES, greatest);
    while (greatest > goal) {
        if (q->budget-- <= 0)
            return GDYN_CLOSURE_EXHAUSTED;
        q->info->iterations++;
        /* two steps that hardly descend: a stationary point */
        double before = cost;
        if (!descend(q, &t, &cost, &greatest))
            return GDYN_CLOSURE_STALLED;
        resting = cost > (1 - STATIONARY) * before ? resting + 1 : 0;
        memmove(past + 1, past, (PAST - 1) * sizeof *past);
        past[0] = before;
        if (resting >= 2 || (q->settings->rough && nearly_least(past, cost)))
            return GDYN_CLOSURE_STALLED;
    }
    return GDYN_CLOSED;
}
