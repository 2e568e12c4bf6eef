/* rate_newton.c - the Newton system of the interior-point method for limits on rates.
 *
 * Unknowns are x, u, y and a multiplier at every node. A slack adds g g^T / slack^2 to the Hessian and g / slack to the
 * right-hand side; slacks couple neighbours at most, so that the system is a band (linalg/band.c). */
#include "traverse/rate_barrier.h"

#include "linalg/linalg.h"

#include <string.h>

static double *at(gdyn_barrier *s, int i, int j) {
    return &s->AB[2 * s->band + i - j + (size_t)j * (size_t)s->ldab];
}

/* Adds -log(slack) with gradient s->g over `size` unknowns from `first` on and the (concave) second
 * derivative `bend` by the first of them. */
static void add(gdyn_barrier *s, int first, int size, double slack, double weight, double bend) {
    slack += s->first ? weight * s->excess : 0;
    double w = 1 / slack, *excess = s->rhs + s->n;
    for (int i = 0; i < size; i++) {
        s->rhs[first + i] += w * s->g[i];
        excess[first + i] += w * w * weight * s->g[i];
        for (int j = 0; j < size; j++)
            *at(s, first + i, first + j) += w * w * s->g[i] * s->g[j];
    }
    *at(s, first, first) += fmax(0, -bend) * w;
    s->give += w * weight;
    s->curve += w * w * weight * weight;
}

/* Gradient of a force at a node in the scaled unknowns, times f, into g. */
static void force_gradient(const gdyn_barrier *s, int i, int row, double f, double *g) {
    const gdyn_rate_problem *q = s->q;
    /* dF/dx = A + B / (2 sqrt x), dF/du = D, dF/dy = V, in scaled unknowns */
    const gdyn_rate_node *node = &q->node[i];
    const gdyn_coefficients *c = &node->copy.coefficients;
    double v = gdyn_barrier_root(node->x);
    g[0] = gdyn_barrier_is_fixed(q, i, false) ? 0 : f * q->X * (c->A[row] + c->B[row] / (2 * v));
    g[1] = gdyn_barrier_is_fixed(q, i, true) ? 0 : f * q->U * c->D[row];
    for (int j = 0; j < q->r; j++)
        g[2 + j] = f * c->V[j * q->k + row] * node->unit[0];
    g[2 + q->r] = 0;
}

/* Barrier terms of the limits at node i. */
static void add_limits(gdyn_barrier *s, int i) {
    const gdyn_rate_problem *q = s->q;
    const gdyn_rate_node *node = &q->node[i];
    const gdyn_coefficients *c = &node->copy.coefficients;
    double v = gdyn_barrier_root(node->x);
    bool moves = !gdyn_barrier_is_fixed(q, i, false);
    memset(s->g, 0, (size_t)s->b * sizeof *s->g);
    /* x > 0 and the limit of the speed */
    if (moves) {
        s->g[0] = 1;
        add(s, i * s->b, 1, node->x / q->X, 0, 0);
        s->g[0] = -1;
        double slack = gdyn_barrier_speed_slack(q, node);
        if (isfinite(slack))
            add(s, i * s->b, 1, slack, 1, 0);
    }
    /* both limits of every force: gradient over x, u, y and curvature over x */
    for (int side = 0; side < 2 * q->k; side++) {
        int row = side / 2;
        bool upper = side % 2;
        double slack = gdyn_barrier_limit_slack(q, node, row, upper),
               f = (upper ? -1 : 1) / node->unit[row];
        if (isinf(slack))
            continue;
        force_gradient(s, i, row, f, s->g);
        double bend = 0;
        if (moves) {
            double tilt = gdyn_barrier_slope(upper ? c->max_slope : c->min_slope, row);
            s->g[0] -= f * q->X * tilt / (2 * v);
            bend = -f * (c->B[row] - tilt) / (4 * v * node->x) * q->X * q->X;
        }
        add(s, i * s->b, s->b - 1, slack, 1, bend);
    }
}

/* Barrier terms of the rates of segment i; dt depends on both speeds. */
static void add_rates(gdyn_barrier *s, int i) {
    const gdyn_rate_problem *q = s->q;
    double a = gdyn_barrier_root(q->node[i].x), b = gdyn_barrier_root(q->node[i + 1].x),
           dt = gdyn_rate_time(q, i);
    double by_v = -dt / (a + b); /* of dt by either speed */
    for (int side = 0; side < 2 * q->k; side++) {
        int row = side / 2;
        bool upper = side % 2;
        if (isinf(q->rate[row]))
            continue;
        /* the change of force, and the time it may take */
        double unit = q->node[i].unit[row], f = (upper ? 1 : -1) / unit;
        double more = q->rate[row] * q->slow[i] / unit * by_v * q->X;
        force_gradient(s, i, row, f, s->g);
        force_gradient(s, i + 1, row, -f, s->g + s->b);
        s->g[0] += gdyn_barrier_is_fixed(q, i, false) ? 0 : more / (2 * a);
        s->g[s->b] += gdyn_barrier_is_fixed(q, i + 1, false) ? 0 : more / (2 * b);
        double slack = gdyn_barrier_rate_slack(q, i, row, upper, dt);
        add(s, i * s->b, 2 * s->b - 1, slack, gdyn_barrier_rate_weight(s, i, row), 0);
    }
}

/* tau T / T0: convex in both x. */
static void add_time(gdyn_barrier *s, int i) {
    const gdyn_rate_problem *q = s->q;
    bool moves[2] = {!gdyn_barrier_is_fixed(q, i, false), !gdyn_barrier_is_fixed(q, i + 1, false)};
    double v[2] = {gdyn_barrier_root(q->node[i].x), gdyn_barrier_root(q->node[i + 1].x)},
           sum = v[0] + v[1];
    double dt = gdyn_rate_time(q, i), f = s->tau / s->T0;
    for (int k = 0; k < 2; k++) {
        int own = (i + k) * s->b, other = (i + 1 - k) * s->b;
        if (!moves[k])
            continue;
        s->rhs[own] += f * q->X * dt / (sum * 2 * v[k]);
        double bend = dt / (2 * sum * sum * v[k] * v[k]) + dt / (4 * sum * v[k] * v[k] * v[k]);
        *at(s, own, own) += f * q->X * q->X * bend;
        if (moves[1 - k])
            *at(s, own, other) += f * q->X * q->X * dt / (2 * sum * sum * v[0] * v[1]);
    }
}

/* The segment's equation and its multiplier. */
static void add_equation(gdyn_barrier *s, int i) {
    const gdyn_rate_problem *q = s->q;
    int row = i * s->b + s->b - 1;
    double w = -q->h[i] * q->U / q->X;
    const double value[4] = {-1, w, 1, w};
    const int column[4] = {i * s->b, i * s->b + 1, (i + 1) * s->b, (i + 1) * s->b + 1};
    for (int k = 0; k < 4; k++) {
        if (!gdyn_barrier_is_fixed(q, i + k / 2, k % 2)) {
            *at(s, row, column[k]) += value[k];
            *at(s, column[k], row) += value[k];
        }
    }
    s->rhs[row] = -gdyn_barrier_residual(q, i);
}

/* Hessian and right-hand sides of Newton's step, segment by segment. */
static void assemble(gdyn_barrier *s) {
    gdyn_rate_problem *q = s->q;
    memset(s->AB, 0, (size_t)s->n * (size_t)s->ldab * sizeof *s->AB);
    memset(s->rhs, 0, 2 * (size_t)s->n * sizeof *s->rhs);
    s->give = s->curve = 0;
    for (int i = 0; i < q->count; i++) {
        add_limits(s, i);
        if (i + 1 < q->count) {
            add_rates(s, i);
            add_equation(s, i);
            if (!s->first)
                add_time(s, i);
        }
    }
    /* unknowns without curvature get a unit, others a touch against rounding */
    for (int i = 0; i < q->count; i++) {
        for (int k = 0; k < s->b; k++) { /* what is fixed, or left free by all limits */
            int j = i * s->b + k;
            bool multiplier = k == s->b - 1;
            if (!multiplier || i + 1 == q->count)
                *at(s, j, j) += *at(s, j, j) == 0 ? 1 : 1e-13 * *at(s, j, j);
        }
    }
    /* the excess is one more unknown, kept apart from the band */
    if (s->first) {
        double w = 1 / (s->excess - GDYN_LEAST_EXCESS);
        s->give += w;
        s->curve += w * w;
    }
}

/* The step into rhs; *excess: of the excess; *gain: what the quadratic model gains. */
gdyn_status gdyn_barrier_newton(gdyn_barrier *s, double *excess, double *gain) {
    assemble(s);
    double *z = s->rhs, *answer = s->rhs + s->n, *gradient = s->saved; /* free until the step */
    memcpy(gradient, z, (size_t)s->n * sizeof *gradient);
    double *coupling = answer + s->n;
    memcpy(coupling, answer, (size_t)s->n * sizeof *coupling);
    gdyn_status status =
        gdyn_band_solve(s->n, s->band, s->band, s->AB, s->pivot, s->first ? 2 : 1, s->rhs, s->n);
    if (status != GDYN_OK)
        return status;
    *excess = 0;
    if (s->first) {
        /* Schur complement of the excess */
        double down = s->give - s->tau, stiff = s->curve;
        for (int i = 0; i < s->n; i++) {
            down -= coupling[i] * z[i];
            stiff -= coupling[i] * answer[i];
        }
        *excess = down / stiff;
        for (int i = 0; i < s->n; i++)
            z[i] -= answer[i] * *excess;
    }
    /* decrement of the quadratic model, and the greatest multiplier */
    *gain = s->first ? (s->give - s->tau) * *excess : 0;
    double most = 0;
    for (int i = 0; i < s->n; i++) {
        bool multiplier = i % s->b == s->b - 1;
        *gain += multiplier ? 0 : gradient[i] * z[i];
        most = multiplier ? fmax(most, fabs(z[i])) : most;
    }
    s->penalty = fmax(s->penalty, 2 * most);
    return isfinite(*gain) && isfinite(*excess) ? GDYN_OK : GDYN_ERROR_NUMERIC;
}
