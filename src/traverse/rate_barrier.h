/* rate_barrier.h - the workspace of the interior-point method, and its slacks (internal to traverse). */
#ifndef GDYN_TRAVERSE_RATE_BARRIER_H
#define GDYN_TRAVERSE_RATE_BARRIER_H

#include "traverse/rate.h"

#include "access/rows.h"
#include "base/memory.h"

#include <math.h>

/* The excess of the first phase stays above. */
#define GDYN_LEAST_EXCESS (-0.9)

typedef struct gdyn_barrier {
    gdyn_arena *arena;
    gdyn_rate_problem *q;
    int b, n, band, ldab; /* unknowns of a node (x, u, y, multiplier), of all; diagonals */
    double *AB, *rhs;     /* band matrix; n x 2: step, and answer to the excess */
    int *pivot;
    double *saved;              /* n: x, u, y before a step */
    double *reference;          /* count - 1: times that the excess scales */
    double *lengths;            /* 2 count */
    double change;              /* greatest last change of a length, share of the path */
    double excess, give, curve; /* of the first phase: value, gradient, second derivative */
    bool first;
    double tau, T0, penalty;
    double *g; /* 2 b: gradient of one slack */
    long slacks;
} gdyn_barrier;

static inline double gdyn_barrier_root(double x) {
    return sqrt(fmax(x, 0));
}

static inline double gdyn_barrier_length(const gdyn_rate_problem *q, int i) {
    return q->node[i + 1].p - q->node[i].p;
}

/* F = A x + B sqrt(x) + C + D u + V y. */
static inline double gdyn_barrier_force(const gdyn_rate_problem *q, const gdyn_rate_node *node,
                                        int row) {
    const gdyn_coefficients *c = &node->copy.coefficients;
    double v = gdyn_barrier_root(node->x), F = c->A[row] * node->x + c->B[row] * v + c->C[row];
    F += c->D[row] * node->u;
    for (int j = 0; j < q->r; j++)
        F += c->V[j * q->k + row] * node->y[j];
    return F;
}

static inline double gdyn_barrier_slope(const double *slopes, int row) {
    return slopes ? slopes[row] : 0;
}

/* Slack of a limit in half ranges, without the excess; INFINITY: no limit. */
static inline double gdyn_barrier_limit_slack(const gdyn_rate_problem *q,
                                              const gdyn_rate_node *node, int row, bool upper) {
    double bound = gdyn_limit_at(&node->copy.coefficients, row, upper, gdyn_barrier_root(node->x));
    if (isinf(bound))
        return INFINITY;
    double room =
        upper ? bound - gdyn_barrier_force(q, node, row) : gdyn_barrier_force(q, node, row) - bound;
    return room / node->unit[row] - node->tighten;
}

/* What is left of rate dt - |change|, in units of the force. */
static inline double gdyn_barrier_rate_slack(const gdyn_rate_problem *q, int i, int row, bool upper,
                                             double dt) {
    const gdyn_rate_node *a = &q->node[i], *b = a + 1;
    double change = gdyn_barrier_force(q, b, row) - gdyn_barrier_force(q, a, row);
    return (q->rate[row] * q->slow[i] * dt - (upper ? change : -change)) / a->unit[row];
}

/* Slack of the greatest speed. */
static inline double gdyn_barrier_speed_slack(const gdyn_rate_problem *q,
                                              const gdyn_rate_node *node) {
    double top = node->copy.coefficients.d1_high * (1 - node->tighten);
    return isinf(top) ? INFINITY : (top * top - node->x) / q->X;
}

static inline bool gdyn_barrier_is_fixed(const gdyn_rate_problem *q, int i, bool u) {
    const bool *fixed = u ? q->fixed_u : q->fixed_x;
    return (i == 0 && fixed[0]) || (i == q->count - 1 && fixed[1]);
}

static inline double gdyn_barrier_rate_weight(const gdyn_barrier *s, int i, int row) {
    const gdyn_rate_problem *q = s->q;
    return q->rate[row] * q->slow[i] * s->reference[i] / q->node[i].unit[row];
}

static inline double gdyn_barrier_residual(const gdyn_rate_problem *q, int i) {
    const gdyn_rate_node *a = &q->node[i], *b = a + 1;
    return (b->x - a->x - q->h[i] * (a->u + b->u)) / q->X;
}

/* rate_newton.c: the step from the present motion, in s->rhs, with that of the excess; *gain: what it promises. */
gdyn_status gdyn_barrier_newton(gdyn_barrier *barrier, double *excess, double *gain);

#endif
