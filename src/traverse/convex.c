/* convex.c - the best motion between nodes by a banded interior-point method.
 *
 *   minimize tau f - sum of log(slack)   over x, u, y of all nodes, for growing tau,
 * by Newton steps that keep every slack positive. f is a sum of convex functions of neighbouring
 * nodes: the time of the motion, or how much forces differ from wanted ones and change where the
 * motion is given (all x and u held). All couplings are between neighbours, so a step is one band
 * system with the multipliers of the segments' equations between the nodes' unknowns.
 *
 * The rate's slack, rate dt(x) -+ (F' - F), is convex where it should be concave; its second
 * derivatives are left out, which is the convex-concave procedure: what is allowed in the
 * linearized problem is allowed in the true one (Yuille, Rangarajan 2003; for paths: Debrouwere et
 * al. 2013). A first phase relaxes all limits by the same share, which is minimized.
 *
 * Unknowns are x, u, y and a multiplier at every node. A slack adds g g^T / slack^2 to the Hessian
 * and g / slack to the right-hand side; slacks couple neighbours at most, so that the system is a
 * band (linalg/band.c). */
#include "traverse/internal.h"

#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

/* Excess, in half ranges, to which the first phase is solved. */
static const double PHASE_GAP = 1e-8;

enum { NEWTON_STEPS = 40, BACKTRACKS = 40, LAST_STEPS = 30 };
static const double GROWTH = 6, CENTRED = 1e-2, MARGIN = 1e-3, BALANCED = 1e-9, SETTLED = 1e-11;

/* The excess of the first phase stays above. */
static const double LEAST_EXCESS = -0.9;

typedef struct barrier {
    gdyn_arena *arena;
    gdyn_convex *q;
    int b, n, band, ldab; /* unknowns of a node (x, u, y, multiplier), of all; diagonals */
    double *AB, *rhs;     /* band matrix; n x 2: step, and answer to the excess */
    int *pivot;
    double *saved;              /* n: x, u, y before a step */
    double *reference;          /* count - 1: times that the excess scales; NULL: none */
    double *lengths;            /* 2 count */
    double change;              /* greatest last change of a length, share of the path */
    double excess, give, curve; /* of the first phase: value, gradient, second derivative */
    bool first;
    double tau, size, penalty; /* size: unit of f */
    double *g;                 /* 2 b: gradient of one slack */
    long slacks;
} barrier;

static double root(double x) {
    return sqrt(fmax(x, 0));
}

static double length_of(const gdyn_convex *q, int i) {
    return q->node[i + 1].p - q->node[i].p;
}

/* F = A x + B sqrt(x) + C + D u + V y. */
static double force_of(const gdyn_convex *q, const gdyn_convex_node *node, int row) {
    const gdyn_coefficients *c = &node->copy.coefficients;
    double v = root(node->x), F = c->A[row] * node->x + c->B[row] * v + c->C[row];
    F += c->D[row] * node->u;
    for (int j = 0; j < q->r; j++)
        F += c->V[j * q->k + row] * node->y[j];
    return F;
}

/* Slack of a limit in half ranges, without the excess; INFINITY: no limit. */
static double limit_slack(const gdyn_convex *q, const gdyn_convex_node *node, int row, bool upper) {
    double bound = gdyn_limit_at(&node->copy.coefficients, row, upper, root(node->x));
    if (isinf(bound))
        return INFINITY;
    double room = upper ? bound - force_of(q, node, row) : force_of(q, node, row) - bound;
    return room / node->unit[row] - node->tighten;
}

/* What is left of rate dt - |change|, in units of the force. */
static double rate_slack(const gdyn_convex *q, int i, int row, bool upper, double dt) {
    const gdyn_convex_node *a = &q->node[i], *b = a + 1;
    double change = force_of(q, b, row) - force_of(q, a, row);
    return (q->rate[row] * q->slow[i] * dt - (upper ? change : -change)) / a->unit[row];
}

/* Slack of the greatest speed. */
static double speed_slack(const gdyn_convex *q, const gdyn_convex_node *node) {
    double top = node->copy.coefficients.d1_high * (1 - node->tighten);
    return isinf(top) ? INFINITY : (top * top - node->x) / q->X;
}

static bool is_fixed(const gdyn_convex *q, int i, bool u) {
    const bool *fixed = u ? q->fixed_u : q->fixed_x;
    return q->even || (i == 0 && fixed[0]) || (i == q->count - 1 && fixed[1]);
}

static double rate_weight(const gdyn_convex *q, int i, int row, double dt) {
    return q->rate[row] * q->slow[i] * dt / q->node[i].unit[row];
}

static double residual(const gdyn_convex *q, int i) {
    const gdyn_convex_node *a = &q->node[i], *b = a + 1;
    return (b->x - a->x - q->h[i] * (a->u + b->u)) / q->X;
}

double gdyn_convex_time(const gdyn_convex *q, int i) {
    return 2 * q->h[i] / (root(q->node[i].x) + root(q->node[i + 1].x));
}

/* How much a force of node i is off the wanted one, or changes to the next node. */
static double off(const gdyn_convex *q, int i, int row, bool next) {
    const gdyn_convex_node *a = &q->node[i];
    return force_of(q, a, row) - (next ? force_of(q, a + 1, row) : a->wanted[row]);
}

/* f: the time, or the forces' distances and changes. */
static double objective(const gdyn_convex *q) {
    double sum = 0;
    for (int i = 0; i + 1 < q->count && !q->even; i++)
        sum += gdyn_convex_time(q, i);
    for (int side = 0; q->even && side < 2 * q->count; side++) {
        const gdyn_convex_node *node = &q->node[side / 2];
        double weight = side % 2 ? node->link : node->near;
        for (int row = 0; row < q->k && weight > 0; row++) {
            double d = q->counted[row] > 0 ? off(q, side / 2, row, side % 2) : 0;
            sum += weight * d * d;
        }
    }
    return sum;
}

/* --- value of the barrier --------------------------------------------------------------------- */

/* Adds -log(slack), relaxed by the excess in the first phase; false: not inside. */
static bool take(barrier *s, double slack, double weight, double *sum) {
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

/* tau f - sum log slack + penalty |residual|; false outside. */
static bool merit(barrier *s, double *value) {
    gdyn_convex *q = s->q;
    double sum = 0, lack = 0;
    bool inside = true;
    s->slacks = 0;
    /* logarithms of the slacks of each node: x, speed, both limits of every force */
    for (int i = 0; i < q->count && inside; i++) {
        gdyn_convex_node *node = &q->node[i];
        inside = is_fixed(q, i, false) ||
                 (take(s, node->x / q->X, 0, &sum) && take(s, speed_slack(q, node), 1, &sum));
        for (int row = 0; row < q->k && inside; row++) {
            inside = take(s, limit_slack(q, node, row, true), 1, &sum) &&
                     take(s, limit_slack(q, node, row, false), 1, &sum);
        }
        if (i + 1 == q->count || !inside || q->even)
            continue;
        /* of each segment: its time, what its equation lacks, both limits of every rate */
        double dt = gdyn_convex_time(q, i);
        lack += fabs(residual(q, i));
        for (int row = 0; row < q->k && inside; row++) {
            double weight = isinf(q->rate[row]) ? 0 : rate_weight(q, i, row, s->reference[i]);
            inside =
                isinf(q->rate[row]) || (take(s, rate_slack(q, i, row, true, dt), weight, &sum) &&
                                        take(s, rate_slack(q, i, row, false, dt), weight, &sum));
        }
    }
    /* first phase: the excess is minimized, then the time */
    if (s->first) {
        inside = inside && take(s, s->excess - LEAST_EXCESS, 0, &sum);
        sum += s->tau * s->excess;
    } else {
        sum += inside ? s->tau * objective(q) / s->size : 0;
    }
    *value = sum + s->penalty * lack;
    return inside && isfinite(*value);
}

/* --- Newton's system ------------------------------------------------------------------------- */

static double *at(barrier *s, int i, int j) {
    return &s->AB[2 * s->band + i - j + (size_t)j * (size_t)s->ldab];
}

/* Adds a term of the sum with slope and curvature along s->g, over `size` unknowns from `first`. */
static void add_term(barrier *s, int first, int size, double slope, double curvature) {
    for (int i = 0; i < size; i++) {
        s->rhs[first + i] -= slope * s->g[i];
        for (int j = 0; j < size; j++)
            *at(s, first + i, first + j) += curvature * s->g[i] * s->g[j];
    }
}

/* Adds -log(slack) with gradient s->g over `size` unknowns from `first` on and the (concave) second
 * derivative `bend` by the first of them. */
static void add(barrier *s, int first, int size, double slack, double weight, double bend) {
    slack += s->first ? weight * s->excess : 0;
    double w = 1 / slack, *excess = s->rhs + s->n;
    add_term(s, first, size, -w, w * w);
    for (int i = 0; i < size; i++)
        excess[first + i] += w * w * weight * s->g[i];
    *at(s, first, first) += fmax(0, -bend) * w;
    s->give += w * weight;
    s->curve += w * w * weight * weight;
}

/* Gradient of a force at a node in the scaled unknowns, times f, into g. */
static void force_gradient(const barrier *s, int i, int row, double f, double *g) {
    const gdyn_convex *q = s->q;
    /* dF/dx = A + B / (2 sqrt x), dF/du = D, dF/dy = V, in scaled unknowns */
    const gdyn_convex_node *node = &q->node[i];
    const gdyn_coefficients *c = &node->copy.coefficients;
    double v = root(node->x);
    g[0] = is_fixed(q, i, false) ? 0 : f * q->X * (c->A[row] + c->B[row] / (2 * v));
    g[1] = is_fixed(q, i, true) ? 0 : f * q->U * c->D[row];
    for (int j = 0; j < q->r; j++)
        g[2 + j] = f * c->V[j * q->k + row] * node->unit[0];
    g[2 + q->r] = 0;
}

/* Barrier terms of the limits at node i. */
static void add_limits(barrier *s, int i) {
    const gdyn_convex *q = s->q;
    const gdyn_convex_node *node = &q->node[i];
    const gdyn_coefficients *c = &node->copy.coefficients;
    double v = root(node->x);
    bool moves = !is_fixed(q, i, false);
    memset(s->g, 0, (size_t)s->b * sizeof *s->g);
    /* x > 0 and the limit of the speed */
    if (moves) {
        s->g[0] = 1;
        add(s, i * s->b, 1, node->x / q->X, 0, 0);
        s->g[0] = -1;
        double slack = speed_slack(q, node);
        if (isfinite(slack))
            add(s, i * s->b, 1, slack, 1, 0);
    }
    /* both limits of every force: gradient over x, u, y and curvature over x */
    for (int side = 0; side < 2 * q->k; side++) {
        int row = side / 2;
        bool upper = side % 2;
        double slack = limit_slack(q, node, row, upper), f = (upper ? -1 : 1) / node->unit[row];
        if (isinf(slack))
            continue;
        force_gradient(s, i, row, f, s->g);
        double bend = 0;
        if (moves) {
            const double *slopes = upper ? c->max_slope : c->min_slope;
            double tilt = slopes ? slopes[row] : 0;
            s->g[0] -= f * q->X * tilt / (2 * v);
            bend = -f * (c->B[row] - tilt) / (4 * v * node->x) * q->X * q->X;
        }
        add(s, i * s->b, s->b - 1, slack, 1, bend);
    }
}

/* Barrier terms of the rates of segment i; dt depends on both speeds. */
static void add_rates(barrier *s, int i) {
    const gdyn_convex *q = s->q;
    double a = root(q->node[i].x), b = root(q->node[i + 1].x), dt = gdyn_convex_time(q, i);
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
        s->g[0] += is_fixed(q, i, false) ? 0 : more / (2 * a);
        s->g[s->b] += is_fixed(q, i + 1, false) ? 0 : more / (2 * b);
        double slack = rate_slack(q, i, row, upper, dt);
        add(s, i * s->b, 2 * s->b - 1, slack, rate_weight(q, i, row, s->reference[i]), 0);
    }
}

/* tau f / size of node i, forces' distance and change: squares. */
static void add_squares(barrier *s, int i) {
    const gdyn_convex *q = s->q;
    for (int side = 0; side < 2 * q->k; side++) {
        int row = side / 2, size = side % 2 ? 2 * s->b : s->b;
        double weight = side % 2 ? q->node[i].link : q->node[i].near, f = 2 * s->tau / s->size;
        if (weight == 0 || q->counted[row] == 0)
            continue;
        force_gradient(s, i, row, 1, s->g);
        if (side % 2)
            force_gradient(s, i + 1, row, -1, s->g + s->b);
        add_term(s, i * s->b, size, f * weight * off(q, i, row, side % 2), f * weight);
    }
}

/* tau f / size of segment i, its time: convex in both x. */
static void add_time(barrier *s, int i) {
    const gdyn_convex *q = s->q;
    bool moves[2] = {!is_fixed(q, i, false), !is_fixed(q, i + 1, false)};
    double v[2] = {root(q->node[i].x), root(q->node[i + 1].x)}, sum = v[0] + v[1];
    double dt = gdyn_convex_time(q, i), f = s->tau / s->size;
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
static void add_equation(barrier *s, int i) {
    const gdyn_convex *q = s->q;
    int row = i * s->b + s->b - 1;
    double w = -q->h[i] * q->U / q->X;
    const double value[4] = {-1, w, 1, w};
    const int column[4] = {i * s->b, i * s->b + 1, (i + 1) * s->b, (i + 1) * s->b + 1};
    for (int k = 0; k < 4; k++) {
        if (!is_fixed(q, i + k / 2, k % 2)) {
            *at(s, row, column[k]) += value[k];
            *at(s, column[k], row) += value[k];
        }
    }
    s->rhs[row] = -residual(q, i);
}

/* Hessian and right-hand sides of Newton's step, segment by segment. */
static void assemble(barrier *s) {
    gdyn_convex *q = s->q;
    memset(s->AB, 0, (size_t)s->n * (size_t)s->ldab * sizeof *s->AB);
    memset(s->rhs, 0, 2 * (size_t)s->n * sizeof *s->rhs);
    s->give = s->curve = 0;
    for (int i = 0; i < q->count; i++) {
        add_limits(s, i);
        if (q->even) {
            add_squares(s, i);
        } else if (i + 1 < q->count) {
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
            if (!multiplier || i + 1 == q->count || q->even)
                *at(s, j, j) += *at(s, j, j) == 0 ? 1 : 1e-13 * *at(s, j, j);
        }
    }
    /* the excess is one more unknown, kept apart from the band */
    if (s->first) {
        double w = 1 / (s->excess - LEAST_EXCESS);
        s->give += w;
        s->curve += w * w;
    }
}

/* The step into rhs; *excess: of the excess; *gain: what the quadratic model gains. */
static gdyn_status newton(barrier *s, double *excess, double *gain) {
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

/* --- steps ------------------------------------------------------------------------------------ */

/* The present x, u, y of all nodes. */
static void save(barrier *s) {
    const gdyn_convex *q = s->q;
    for (int i = 0; i < q->count; i++) {
        double *to = s->saved + (size_t)i * (size_t)s->b;
        to[0] = q->node[i].x, to[1] = q->node[i].u;
        memcpy(to + 2, q->node[i].y, (size_t)q->r * sizeof *to);
    }
}

/* A share of Newton's step from what was saved. */
static void move(barrier *s, double share) {
    gdyn_convex *q = s->q;
    for (int i = 0; i < q->count; i++) {
        const double *from = s->saved + (size_t)i * (size_t)s->b;
        const double *step = s->rhs + (size_t)i * (size_t)s->b;
        q->node[i].x = from[0] + (is_fixed(q, i, false) ? 0 : share * q->X * step[0]);
        q->node[i].u = from[1] + (is_fixed(q, i, true) ? 0 : share * q->U * step[1]);
        for (int j = 0; j < q->r; j++)
            q->node[i].y[j] = from[2 + j] + share * q->node[i].unit[0] * step[2 + j];
    }
}

/* h_e of cubic segments with the present speeds and accelerations, or as near to that as the slacks
 * allow. */
static void update_lengths(barrier *s) {
    gdyn_convex *q = s->q;
    double *before = s->lengths, *wanted = s->lengths + q->count, value;
    /* lengths that p(t), cubic with linear u, really has */
    for (int i = 0; i + 1 < q->count; i++) {
        double h = length_of(q, i), dt = gdyn_convex_time(q, i);
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
static gdyn_status step(barrier *s, bool settling, double *gain, bool *moved) {
    double before, after, excess;
    *moved = false;
    if (!s->q->even)
        update_lengths(s);
    /* Newton's step, and what it promises */
    gdyn_status status = newton(s, &excess, gain);
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
static double imbalance(const gdyn_convex *q) {
    double sum = 0;
    for (int i = 0; i + 1 < q->count; i++)
        sum += fabs(residual(q, i));
    return sum;
}

/* Newton's method for one weight of the barrier. */
static gdyn_status centre(barrier *s, int steps) {
    gdyn_status status = GDYN_OK;
    double gain = INFINITY;
    bool moved = true;
    s->penalty = 1;
    bool settled = false;
    for (int i = 0; i < steps && status == GDYN_OK && moved && !settled; i++) {
        status = step(s, false, &gain, &moved);
        settled = fabs(gain) <= CENTRED && (s->q->even || imbalance(s->q) <= BALANCED);
        if (s->first && s->excess < -MARGIN)
            break;
    }
    return status;
}

/* Arrays for one solution; lengths are those of straight segments at first. */
static gdyn_status open_barrier(barrier *s, gdyn_convex *q) {
    *s = (barrier){.q = q, .b = 3 + q->r, .tau = 1, .size = 1};
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
    for (int i = 0; i + 1 < q->count && !q->even; i++) {
        q->h[i] = length_of(q, i);
        s->reference[i] = gdyn_convex_time(q, i);
    }
    return GDYN_OK;
}

/* --- phases ----------------------------------------------------------------------------------- */

double gdyn_convex_excess(const gdyn_convex *q) {
    double most = 0;
    /* worst of speed, force limits and rates, in the units in which they are relaxed */
    for (int i = 0; i < q->count; i++) {
        if (!is_fixed(q, i, false))
            most = fmax(most, -speed_slack(q, &q->node[i]));
        double dt = i + 1 < q->count ? gdyn_convex_time(q, i) : 0;
        for (int side = 0; side < 2 * q->k; side++) {
            int row = side / 2;
            most = fmax(most, -limit_slack(q, &q->node[i], row, side % 2));
            if (i + 1 < q->count && isfinite(q->rate[row])) {
                double slack = rate_slack(q, i, row, side % 2, dt);
                most = fmax(most, -slack / rate_weight(q, i, row, dt));
            }
        }
    }
    return most;
}

/* The least excess, in terms of the reference times; stops when no relaxation is needed. */
static gdyn_status least_excess(barrier *s) {
    double value;
    gdyn_status status = GDYN_OK;
    for (int i = 0; i + 1 < s->q->count; i++)
        s->reference[i] = gdyn_convex_time(s->q, i);
    /* from a start that is inside of the relaxed limits */
    s->first = true;
    s->excess = 1.1 * gdyn_convex_excess(s->q) + 0.01;
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
static gdyn_status find_inside(barrier *s, bool *possible) {
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

/* Path following: the weight of the time grows by a factor, centred in between. */
static gdyn_status minimize(barrier *s, double gap) {
    double value;
    gdyn_status status = GDYN_OK;
    s->tau = 0;
    merit(s, &value);
    /* without limits one step is all; forces that are as wanted have no size to compare with */
    double slacks = fmax((double)s->slacks, 1);
    double least = s->q->even ? objective(s->q) : 0;
    if (s->q->even && least == 0)
        return GDYN_OK;
    /* slacks / tau bounds the distance from the optimum */
    for (s->tau = slacks; status == GDYN_OK && slacks / s->tau > gap; s->tau *= GROWTH) {
        s->size = fmax(objective(s->q), least);
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
gdyn_status gdyn_convex_solve(gdyn_convex *q, double gap, gdyn_convex_outcome *outcome) {
    barrier s;
    *outcome = (gdyn_convex_outcome){0};
    gdyn_status status = open_barrier(&s, q);
    if (status == GDYN_OK)
        status = find_inside(&s, &outcome->possible);
    outcome->excess = s.excess;
    if (status == GDYN_OK && outcome->possible)
        status = minimize(&s, gap);
    if (status == GDYN_OK) {
        outcome->time = objective(q);
        for (int i = 0; i < q->count; i++)
            for (int row = 0; row < q->k; row++)
                q->node[i].F[row] = force_of(q, &q->node[i], row);
    }
    gdyn_arena_destroy(s.arena);
    return status;
}
