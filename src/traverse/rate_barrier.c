/* rate_barrier.c - the fastest motion under rate limits by an interior-point method.
 *
 *   minimize tau T - sum of log(slack)   over x, u, y of all nodes, for growing tau,
 * by Newton steps that keep every slack positive. All couplings are between neighbours, so a step is
 * one band system with the multipliers of the segments' equations between the nodes' unknowns. T is
 * convex in x. The rate's slack, rate dt(x) -+ (F' - F), is convex where it should be concave; its
 * second derivatives are left out, which is the convex-concave procedure: what is allowed in the
 * linearized problem is allowed in the true one (Yuille, Rangarajan 2003; for paths: Debrouwere et al.
 * 2013). A first phase relaxes all limits by the same share, which is minimized. */
#include "traverse/rate_barrier.h"

#include <string.h>

/* Excess, in half ranges, to which the first phase is solved. */
static const double PHASE_GAP = 1e-8;

enum { NEWTON_STEPS = 40, BACKTRACKS = 40, LAST_STEPS = 30 };
static const double GROWTH = 6, CENTRED = 1e-2, MARGIN = 1e-3, BALANCED = 1e-9, SETTLED = 1e-11;

double gdyn_rate_time(const gdyn_rate_problem *q, int i) {
    return 2 * q->h[i] / (gdyn_barrier_root(q->node[i].x) + gdyn_barrier_root(q->node[i + 1].x));
}

/* All forces of the present motion. */
void gdyn_rate_forces(gdyn_rate_problem *q) {
    for (int i = 0; i < q->count; i++)
        for (int row = 0; row < q->k; row++)
            q->node[i].F[row] = gdyn_barrier_force(q, &q->node[i], row);
}

/* --- value of the barrier ---------------------------------------------------------------------- */

/* Adds -log(slack), relaxed by the excess in the first phase; false: not inside. */
static bool take(gdyn_barrier *s, double slack, double weight, double *sum) {
    /* no limit, no term */
    if (isinf(slack))
        return true;
    slack += s->first ? weight * s->excess : 0;
    if (!(slack > 0))
        return false;
    *sum -= log(slack);
    s->slacks++;
    return true;
}

/* tau T - sum log slack + penalty |residual|; false outside. */
static bool merit(gdyn_barrier *s, double *value) {
    gdyn_rate_problem *q = s->q;
    double sum = 0, time = 0, off = 0;
    bool inside = true;
    s->slacks = 0;
    /* logarithms of the slacks of each node: x, speed, both limits of every force */
    for (int i = 0; i < q->count && inside; i++) {
        gdyn_rate_node *node = &q->node[i];
        inside = gdyn_barrier_is_fixed(q, i, false) ||
                 (take(s, node->x / q->X, 0, &sum) &&
                  take(s, gdyn_barrier_speed_slack(q, node), 1, &sum));
        for (int row = 0; row < q->k && inside; row++) {
            inside = take(s, gdyn_barrier_limit_slack(q, node, row, true), 1, &sum) &&
                     take(s, gdyn_barrier_limit_slack(q, node, row, false), 1, &sum);
        }
        if (i + 1 == q->count || !inside)
            continue;
        /* of each segment: its time, what its equation lacks, both limits of every rate */
        double dt = gdyn_rate_time(q, i);
        time += dt;
        off += fabs(gdyn_barrier_residual(q, i));
        for (int row = 0; row < q->k && inside; row++) {
            double weight = isinf(q->rate[row]) ? 0 : gdyn_barrier_rate_weight(s, i, row);
            inside = isinf(q->rate[row]) ||
                     (take(s, gdyn_barrier_rate_slack(q, i, row, true, dt), weight, &sum) &&
                      take(s, gdyn_barrier_rate_slack(q, i, row, false, dt), weight, &sum));
        }
    }
    /* first phase: the excess is minimized, then the time */
    if (s->first) {
        inside = inside && take(s, s->excess - GDYN_LEAST_EXCESS, 0, &sum);
        sum += s->tau * s->excess;
    } else {
        sum += s->tau * time / s->T0;
    }
    *value = sum + s->penalty * off;
    return inside && isfinite(*value);
}

/* --- steps ------------------------------------------------------------------------------------- */

/* The present x, u, y of all nodes. */
static void save(gdyn_barrier *s) {
    const gdyn_rate_problem *q = s->q;
    for (int i = 0; i < q->count; i++) {
        double *to = s->saved + (size_t)i * (size_t)s->b;
        to[0] = q->node[i].x, to[1] = q->node[i].u;
        memcpy(to + 2, q->node[i].y, (size_t)q->r * sizeof *to);
    }
}

/* A share of Newton's step from what was saved. */
static void move(gdyn_barrier *s, double share) {
    gdyn_rate_problem *q = s->q;
    for (int i = 0; i < q->count; i++) {
        const double *from = s->saved + (size_t)i * (size_t)s->b;
        const double *step = s->rhs + (size_t)i * (size_t)s->b;
        q->node[i].x = from[0] + (gdyn_barrier_is_fixed(q, i, false) ? 0 : share * q->X * step[0]);
        q->node[i].u = from[1] + (gdyn_barrier_is_fixed(q, i, true) ? 0 : share * q->U * step[1]);
        for (int j = 0; j < q->r; j++)
            q->node[i].y[j] = from[2 + j] + share * q->node[i].unit[0] * step[2 + j];
    }
}

/* h_e of cubic segments with the present speeds and accelerations, or as near to that as the slacks
 * allow. */
static void update_lengths(gdyn_barrier *s) {
    gdyn_rate_problem *q = s->q;
    double *before = s->lengths, *wanted = s->lengths + q->count, value;
    /* lengths that p(t), cubic with linear u, really has */
    for (int i = 0; i + 1 < q->count; i++) {
        double h = gdyn_barrier_length(q, i), dt = gdyn_rate_time(q, i);
        double exact = h + (q->node[i + 1].u - q->node[i].u) * dt * dt / 12;
        before[i] = q->h[i];
        wanted[i] = isfinite(exact) ? fmin(fmax(exact, 0.5 * h), 2 * h) : h;
    }
    /* the greatest change, as a share of the path */
    double whole = q->node[q->count - 1].p - q->node[0].p;
    s->change = 0;
    for (int i = 0; i + 1 < q->count; i++)
        s->change = fmax(s->change, fabs(wanted[i] - before[i]) / whole);
    /* as much of the change as keeps all slacks */
    bool inside = false;
    double share = 1;
    for (int k = 0; k < BACKTRACKS && !inside; k++, share *= 0.5) {
        share = k + 1 < BACKTRACKS ? share : 0;
        for (int i = 0; i + 1 < q->count; i++)
            q->h[i] = before[i] + share * (wanted[i] - before[i]);
        inside = merit(s, &value);
    }
}

/* One step; *gain < CENTRED: the centre is reached. False when no step helps. */
static gdyn_status step(gdyn_barrier *s, bool settling, double *gain, bool *moved) {
    double before, after, excess;
    *moved = false;
    update_lengths(s);
    /* Newton's step, and what it promises */
    gdyn_status status = gdyn_barrier_newton(s, &excess, gain);
    if (status != GDYN_OK || !merit(s, &before))
        return status;
    save(s);
    double kept = s->excess, share = 1;
    /* halved until the merit does not grow */
    for (int i = 0; i < BACKTRACKS && !*moved; i++, share *= 0.5) {
        move(s, share);
        s->excess = kept + share * excess;
        *moved = merit(s, &after) && (settling || after <= before + 1e-12 * fabs(before));
    }
    /* no share helps: back to where it was */
    if (!*moved) {
        move(s, 0);
        s->excess = kept;
    }
    return GDYN_OK;
}

/* What the segments' equations lack, in total. */
static double imbalance(const gdyn_rate_problem *q) {
    double sum = 0;
    for (int i = 0; i + 1 < q->count; i++)
        sum += fabs(gdyn_barrier_residual(q, i));
    return sum;
}

/* Newton's method for one weight of the barrier. */
static gdyn_status centre(gdyn_barrier *s, int steps) {
    gdyn_status status = GDYN_OK;
    double gain = INFINITY;
    bool moved = true;
    s->penalty = 1;
    bool settled = false;
    for (int i = 0; i < steps && status == GDYN_OK && moved && !settled; i++) {
        status = step(s, false, &gain, &moved);
        settled = fabs(gain) <= CENTRED && imbalance(s->q) <= BALANCED;
        if (s->first && s->excess < -MARGIN)
            break;
    }
    return status;
}

/* Arrays for one solution; lengths are those of straight segments at first. */
static gdyn_status open_barrier(gdyn_barrier *s, gdyn_rate_problem *q) {
    *s = (gdyn_barrier){.q = q, .b = 3 + q->r, .tau = 1, .T0 = 1};
    s->n = q->count * s->b;
    s->band = 2 * s->b - 1;
    s->ldab = 3 * s->band + 1;
    size_t n = (size_t)s->n, count = (size_t)q->count;
    s->arena = gdyn_arena_create();
    s->AB = gdyn_arena_doubles(s->arena, n * (size_t)s->ldab);
    s->rhs = gdyn_arena_doubles(s->arena, 3 * n);
    s->pivot = gdyn_arena_alloc(s->arena, n, sizeof *s->pivot);
    s->saved = gdyn_arena_doubles(s->arena, n);
    s->reference = gdyn_arena_doubles(s->arena, count);
    s->g = gdyn_arena_doubles(s->arena, 2 * (size_t)s->b);
    s->lengths = gdyn_arena_doubles(s->arena, 2 * count);
    if (gdyn_arena_failed(s->arena))
        return GDYN_ERROR_MEMORY;
    /* times of the first guess are the unit of time */
    for (int i = 0; i + 1 < q->count; i++) {
        q->h[i] = gdyn_barrier_length(q, i);
        s->reference[i] = gdyn_rate_time(q, i);
    }
    return GDYN_OK;
}

/* --- phases ------------------------------------------------------------------------------------ */

/* How far all limits have to be relaxed for the motion as it is. */
static double present_excess(gdyn_barrier *s) {
    const gdyn_rate_problem *q = s->q;
    double most = 0;
    /* worst of speed, force limits and rates, in the units in which they are relaxed */
    for (int i = 0; i < q->count; i++) {
        if (!gdyn_barrier_is_fixed(q, i, false))
            most = fmax(most, -gdyn_barrier_speed_slack(q, &q->node[i]));
        double dt = i + 1 < q->count ? gdyn_rate_time(q, i) : 0;
        for (int side = 0; side < 2 * q->k; side++) {
            int row = side / 2;
            most = fmax(most, -gdyn_barrier_limit_slack(q, &q->node[i], row, side % 2));
            if (i + 1 < q->count && isfinite(q->rate[row])) {
                double slack = gdyn_barrier_rate_slack(q, i, row, side % 2, dt);
                most = fmax(most, -slack / gdyn_barrier_rate_weight(s, i, row));
            }
        }
    }
    return most;
}

/* Excess of a first guess, without solving. */
double gdyn_rate_excess(gdyn_rate_problem *q) {
    gdyn_barrier s;
    gdyn_status status = open_barrier(&s, q);
    double excess = status == GDYN_OK ? present_excess(&s) : NAN;
    gdyn_arena_destroy(s.arena);
    return excess;
}

/* The least excess, in terms of the reference times; stops when no relaxation is needed. */
static gdyn_status least_excess(gdyn_barrier *s) {
    double value;
    gdyn_status status = GDYN_OK;
    for (int i = 0; i + 1 < s->q->count; i++)
        s->reference[i] = gdyn_rate_time(s->q, i);
    /* from a start that is inside of the relaxed limits */
    s->first = true;
    s->excess = 1.1 * present_excess(s) + 0.01;
    merit(s, &value);
    double slacks = (double)s->slacks;
    s->tau = slacks / s->excess;
    /* the weight grows until the least excess is known, or none is needed */
    while (status == GDYN_OK && s->excess >= -MARGIN && slacks / s->tau > PHASE_GAP) {
        status = centre(s, NEWTON_STEPS);
        s->tau *= GROWTH;
    }
    s->first = false;
    return status;
}

/* Repeated with the times found, so that the excess of a rate is a share of it. */
static gdyn_status find_inside(gdyn_barrier *s, bool *possible) {
    enum { PASSES = 4 };
    double value;
    gdyn_status status = GDYN_OK;
    s->first = false, s->tau = 0;
    *possible = merit(s, &value);
    for (int pass = 0; pass < PASSES && !*possible && status == GDYN_OK; pass++) {
        status = least_excess(s);
        *possible = s->excess < 0 && merit(s, &value);
    }
    return status;
}

/* The objective. */
static double total_time(const gdyn_rate_problem *q) {
    double time = 0;
    for (int i = 0; i + 1 < q->count; i++)
        time += gdyn_rate_time(q, i);
    return time;
}

/* Path following: the weight of the time grows by a factor, centred in between. */
static gdyn_status minimize(gdyn_barrier *s, double gap) {
    double value;
    gdyn_status status = GDYN_OK;
    s->tau = 0;
    merit(s, &value);
    double slacks = (double)s->slacks;
    /* slacks / tau bounds the distance from the optimum */
    for (s->tau = slacks; status == GDYN_OK && slacks / s->tau > gap; s->tau *= GROWTH) {
        s->T0 = total_time(s->q);
        status = centre(s, NEWTON_STEPS);
    }
    /* last steps at the same weight */
    double gain = INFINITY;
    bool moved = true, settled = false; /* the segments' lengths settle */
    s->tau /= GROWTH;
    for (int i = 0; i < LAST_STEPS && status == GDYN_OK && moved && !settled; i++) {
        status = step(s, true, &gain, &moved);
        settled = s->change <= SETTLED;
    }
    return status;
}

/* An interior start, then the optimum, then its forces. */
gdyn_status gdyn_rate_solve(gdyn_rate_problem *q, double gap, gdyn_rate_outcome *outcome) {
    gdyn_barrier s;
    *outcome = (gdyn_rate_outcome){0};
    gdyn_status status = open_barrier(&s, q);
    if (status == GDYN_OK)
        status = find_inside(&s, &outcome->possible);
    outcome->excess = s.excess;
    if (status == GDYN_OK && outcome->possible)
        status = minimize(&s, gap);
    if (status == GDYN_OK) {
        outcome->time = total_time(q);
        gdyn_rate_forces(q);
    }
    gdyn_arena_destroy(s.arena);
    return status;
}
