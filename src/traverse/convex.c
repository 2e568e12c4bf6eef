/* convex.c - the best motion between nodes by a banded interior-point method.
 *
 *   minimize  weight f - mu sum of log(slack)   over x, u, y of all nodes,
 *
 * by Newton steps that keep every slack positive, for mu that vanishes beside the weight. f is a
 * sum of convex functions of neighbouring nodes: the time of the motion, or how much forces differ
 * from wanted ones and change where the motion is given. All couplings are between neighbours, so
 * that the Hessian is a band (linalg/band.c), to which a slack with gradient g and multiplier l
 * adds (l / slack) g g^T.
 *
 * A given motion leaves y alone and a quadratic program: the multipliers are unknowns, too, mu
 * follows their products with the slacks (Vanderbei 1999, LOQO), and the band has a Cholesky
 * factor.
 *
 * A motion to be found has x, u, y and the multiplier of a segment's equation at every node,
 * mu = 1, l = 1 / slack, and weights that grow. The rate's slack, rate dt(x) -+ (F' - F), is convex
 * where it should be concave; its second derivatives are left out, which is the convex-concave
 * procedure: what is allowed in the linearized problem is allowed in the true one (Yuille,
 * Rangarajan 2003; for paths: Debrouwere et al. 2013). A first phase relaxes all limits by the same
 * share, which is minimized. */
#include "traverse/internal.h"

#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

/* Excess, in half ranges, to which the first phase is solved. */
static const double PHASE_GAP = 1e-8;

enum { NEWTON_STEPS = 40, BACKTRACKS = 40, LAST_STEPS = 30, EVEN_STEPS = 80, PLAIN_STEPS = 25 };
static const double GROWTH = 6, CENTRED = 1e-2, MARGIN = 1e-3, BALANCED = 1e-9, SETTLED = 1e-11;
/* What ends the iteration when rounding does: what the equations lack, and the gap. */
static const double USABLE = 1e-6, USABLE_GAP = 1e-8;
/* Share of the diagonal that is added against rounding. */
static const double TOUCH = 1e-13;
/* Share of the way to the nearest limit that a step of a quadratic program takes. */
static const double TO_LIMIT = 0.995;

/* The excess of the first phase stays above. */
static const double LEAST_EXCESS = -0.9;

/* Weight of the mean square of all limited rates (shares of their limits) in the cost, over the gap:
 * the time grows by this share at most. It decides where the time does not: along speed limits. */
static const double EVENNESS = 2;

typedef struct barrier {
    gdyn_arena *arena;
    gdyn_convex *q;
    int head, b, n; /* unknowns of a node before y; of a node (x, u, y, multiplier); of all */
    int band, ldab, diagonal; /* diagonals below the main one; leading dimension, its row in AB */
    double *AB, *rhs;         /* band matrix; n x 3: step, answer to the excess, its coupling */
    double *squares;          /* band matrix: constant part of a given motion's */
    int *pivot;
    double *saved;              /* n: x, u, y before a step */
    double *reference;          /* count - 1: times that the excess scales; NULL: present ones */
    double *lengths;            /* 2 count */
    double *size;               /* count: unit of a segment's equation, sum of x at its ends */
    double *scale;              /* n: units of the unknowns in which their equations are solved */
    double change;              /* largest last change of a length, share of it */
    double excess, give, curve; /* of the first phase: value, gradient, second derivative */
    bool first;
    double weight, mu, penalty;
    double *g;               /* 2 b: gradient of one slack */
    bool no_slope;           /* values of slacks alone are wanted */
    double sum;              /* of what is visited */
    long slacks;             /* visited */
    double *l, *dl, *s, *ds; /* slacks of a given motion: multipliers, values and their steps */
    double *bend;            /* products of both steps that a step corrects (Mehrotra 1992) */
} barrier;

/* One slack without the excess, in half ranges or units: its gradient is sign s->g over `size`
 * unknowns from `first` on, `bend` its (concave) second derivative by the first of them; the excess
 * adds `relaxed` times itself. */
typedef struct slack {
    int first, size;
    double value, relaxed, bend, sign;
} slack;

/* What is done with a slack; false: no further ones. */
typedef bool use_slack(barrier *s, const slack *k);

static double root(double x) {
    return sqrt(fmax(x, 0));
}

static double length_of(const gdyn_convex *q, int i) {
    return q->node[i + 1].p - q->node[i].p;
}

/* F = A x + B sqrt(x) + C + D u + V y of all nodes. */
static void find_forces(const gdyn_convex *q) {
    for (int i = 0; i < q->count; i++) {
        const gdyn_convex_node *node = &q->node[i];
        const gdyn_coefficients *c = &node->copy.coefficients;
        double v = root(node->x);
        for (int row = 0; row < q->k; row++) {
            double F = c->A[row] * node->x + c->B[row] * v + c->C[row];
            F += c->D[row] * node->u;
            for (int j = 0; j < q->r; j++)
                F += c->V[j * q->k + row] * node->y[j];
            node->F[row] = F;
        }
    }
}

static bool is_fixed(const gdyn_convex *q, int i, bool u) {
    const bool *fixed = u ? q->fixed_u : q->fixed_x;
    return q->even || (i == 0 && fixed[0]) || (i == q->count - 1 && fixed[1]);
}

/* What the equation of a segment lacks, as a share of the squares of its speeds. */
static double residual(const barrier *s, int i) {
    const gdyn_convex_node *a = &s->q->node[i], *b = a + 1;
    return (b->x - a->x - s->q->h[i] * (a->u + b->u + 2 * s->q->bow[i])) / s->size[i];
}

double gdyn_convex_time(const gdyn_convex *q, int i) {
    return 2 * q->h[i] / (root(q->node[i].x) + root(q->node[i + 1].x));
}

/* How much a force of node i is off the wanted one, or changes to the next node. */
static double off(const gdyn_convex *q, int i, int row, bool next) {
    const gdyn_convex_node *a = &q->node[i];
    return a->F[row] - (next ? a[1].F[row] : a->wanted[row]);
}

/* Weight of (F' - F)^2 of a row in segment i, which lasts dt. */
static double evenness(const gdyn_convex *q, int row, double dt) {
    int limited = 0;
    for (int i = 0; i < q->k; i++)
        limited += isfinite(q->rate[i]);
    return isfinite(q->rate[row]) ? q->evenness / (q->rate[row] * q->rate[row] * dt * limited) : 0;
}

/* f: the time, or the forces' distances and changes. times: of segments before the step or NULL. */
static double objective(const gdyn_convex *q, const double *times) {
    double sum = 0;
    for (int i = 0; i + 1 < q->count && !q->even; i++) {
        sum += gdyn_convex_time(q, i);
        for (int row = 0; row < q->k && times; row++)
            sum += evenness(q, row, times[i]) * pow(off(q, i, row, true), 2);
    }
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

/* --- slacks ----------------------------------------------------------------------------------- */

/* Gradient of a force at a node in the scaled unknowns, times f, into g. */
static void force_gradient(const barrier *s, int i, int row, double f, double *g) {
    const gdyn_convex *q = s->q;
    /* dF/dx = A + B / (2 sqrt x), dF/du = D, dF/dy = V, in scaled unknowns */
    const gdyn_convex_node *node = &q->node[i];
    const gdyn_coefficients *c = &node->copy.coefficients;
    if (!q->even) {
        double by_x = c->A[row] + c->B[row] / (2 * root(node->x));
        g[0] = is_fixed(q, i, false) ? 0 : f * q->X * by_x;
        g[1] = is_fixed(q, i, true) ? 0 : f * q->U * c->D[row];
        g[s->b - 1] = 0;
    }
    for (int j = 0; j < q->r; j++)
        g[s->head + j] = f * c->V[j * q->k + row] * node->unit[0];
}

/* The slacks of a node that moves: x > 0 and the limit of the speed. */
static bool visit_speed(barrier *s, int i, use_slack *use) {
    const gdyn_convex *q = s->q;
    const gdyn_convex_node *node = &q->node[i];
    double top = node->copy.coefficients.d1_high * fmax(0, 1 - node->tighten);
    slack k = {i * s->b, 1, node->x / q->X, 0, 0, 1};
    s->g[0] = 1;
    if (!use(s, &k))
        return false;
    k.value = (top * top - node->x) / q->X, k.relaxed = 1;
    s->g[0] = -1;
    return isinf(top) || use(s, &k);
}

/* Both limits of every force of node i. */
static bool visit_limits(barrier *s, int i, use_slack *use) {
    const gdyn_convex *q = s->q;
    const gdyn_convex_node *node = &q->node[i];
    const gdyn_coefficients *c = &node->copy.coefficients;
    double v = root(node->x), by_x = 0;
    bool moves = !is_fixed(q, i, false);
    slack k = {.first = i * s->b, .size = q->even ? s->b : s->b - 1, .relaxed = 1};
    for (int side = 0; side < 2 * q->k; side++) {
        int row = side / 2;
        bool upper = side % 2;
        double bound = gdyn_limit_at(c, row, upper, v), unit = node->unit[row];
        if (!upper && !s->no_slope) {
            force_gradient(s, i, row, 1 / unit, s->g);
            by_x = s->g[0];
        }
        if (isinf(bound))
            continue;
        k.sign = upper ? -1 : 1;
        k.value = k.sign * (node->F[row] - bound) / unit - node->tighten;
        /* the bound's slope by x, and the slack's curvature */
        if (moves && !s->no_slope) {
            const double *slopes = upper ? c->max_slope : c->min_slope;
            double tilt = slopes ? slopes[row] : 0, f = k.sign / unit;
            s->g[0] = by_x - q->X * tilt / (2 * v * unit);
            k.bend = -f * (c->B[row] - tilt) / (4 * v * node->x) * q->X * q->X;
        }
        if (!use(s, &k))
            return false;
    }
    return true;
}

/* Both limits of the rates of segment i, rate dt -+ (F' - F), and of u's; dt: of both speeds. */
static bool visit_rates(barrier *s, int i, use_slack *use) {
    const gdyn_convex *q = s->q;
    const gdyn_convex_node *node = &q->node[i];
    double a = root(node->x), b = root(node[1].x), dt = gdyn_convex_time(q, i);
    slack k = {.first = i * s->b, .size = 2 * s->b - 1, .sign = 1};
    for (int side = 0; side < 2 * q->k + 2; side++) {
        int row = side / 2;
        bool upper = side % 2, force = row < q->k;
        double unit = force ? node->unit[row] : q->U, rate = q->cap[i];
        double change = node[1].u - node->u;
        if (force)
            rate = q->rate[row] * q->slow[i], change = node[1].F[row] - node->F[row];
        if (isinf(rate))
            continue;
        k.value = (rate * dt - (upper ? change : -change)) / unit;
        k.relaxed = rate * (s->reference ? s->reference[i] : dt) / unit;
        /* the change of force, and the time it may take */
        if (!s->no_slope) {
            double f = (upper ? 1 : -1) / unit, more = rate / unit * (-dt / (a + b)) * q->X;
            if (force) {
                force_gradient(s, i, row, f, s->g);
                force_gradient(s, i + 1, row, -f, s->g + s->b);
            } else {
                memset(s->g, 0, 2 * (size_t)s->b * sizeof *s->g);
                s->g[1] = is_fixed(q, i, true) ? 0 : f * q->U;
                s->g[s->b + 1] = is_fixed(q, i + 1, true) ? 0 : -f * q->U;
            }
            s->g[0] += is_fixed(q, i, false) ? 0 : more / (2 * a);
            s->g[s->b] += is_fixed(q, i + 1, false) ? 0 : more / (2 * b);
        }
        if (!use(s, &k))
            return false;
    }
    return true;
}

/* All slacks of node i and of the segment that it begins. */
static bool visit(barrier *s, int i, use_slack *use) {
    return (is_fixed(s->q, i, false) || visit_speed(s, i, use)) && visit_limits(s, i, use) &&
           (s->q->even || i + 1 == s->q->count || visit_rates(s, i, use));
}

/* Those of all nodes, values alone. */
static bool visit_values(barrier *s, use_slack *use) {
    bool go_on = true;
    find_forces(s->q);
    s->sum = 0, s->slacks = 0, s->no_slope = true;
    for (int i = 0; i < s->q->count && go_on; i++)
        go_on = visit(s, i, use);
    s->no_slope = false;
    return go_on;
}

/* --- value of the barrier --------------------------------------------------------------------- */

static double relaxed(const barrier *s, const slack *k) {
    return k->value + (s->first ? k->relaxed * s->excess : 0);
}

/* -log(slack); false: not inside. */
static bool add_log(barrier *s, const slack *k) {
    double value = relaxed(s, k);
    if (!(value > 0))
        return false;
    s->sum -= log(value);
    s->slacks++;
    return true;
}

/* weight f - sum log slack + penalty |residual|; false outside. */
static bool merit(barrier *s, double *value) {
    gdyn_convex *q = s->q;
    double lack = 0;
    bool inside = visit_values(s, add_log);
    for (int i = 0; i + 1 < q->count && !q->even; i++)
        lack += fabs(residual(s, i));
    /* first phase: the excess is minimized, then f */
    slack own = {.value = s->excess - LEAST_EXCESS};
    inside = inside && (!s->first || add_log(s, &own));
    *value = s->sum + s->penalty * lack;
    if (inside)
        *value += s->weight * (s->first ? s->excess : objective(q, s->reference));
    return inside && isfinite(*value);
}

/* --- Newton's system ------------------------------------------------------------------------- */

/* Element (j, j) of the band; (i, j) is i - j elements further. */
static double *diagonal(const barrier *s, int j) {
    return &s->AB[s->diagonal + (size_t)j * (size_t)s->ldab];
}

/* Adds a term of the sum with slope and curvature along s->g, over `size` unknowns from `first`. */
static void add_term(barrier *s, int first, int size, double slope, double curvature) {
    for (int j = 0; j < size; j++) {
        double *column = diagonal(s, first + j) - j, w = curvature * s->g[j];
        s->rhs[first + j] -= slope * s->g[j];
        for (int i = s->q->even ? j : 0; i < size; i++)
            column[i] += w * s->g[i];
    }
}

/* Adds -mu log(slack), linearized with its multiplier. */
static bool add_slack(barrier *s, const slack *k) {
    bool even = s->q->even;
    double w = 1 / (even ? s->s[s->slacks] : relaxed(s, k)), d = even ? s->l[s->slacks] * w : w * w,
           mu = even ? s->mu - s->bend[s->slacks] : s->mu;
    double *coupling = s->rhs + s->n + k->first;
    s->slacks += even;
    add_term(s, k->first, k->size, -mu * w * k->sign, d);
    *diagonal(s, k->first) += fmax(0, -k->bend) * w;
    for (int i = 0; i < k->size && s->first; i++)
        coupling[i] += d * k->relaxed * k->sign * s->g[i];
    s->give += w * k->relaxed;
    s->curve += d * k->relaxed * k->relaxed;
    return true;
}

/* Second derivatives of the forces' distances and changes, once for all steps. */
static void make_squares(barrier *s) {
    const gdyn_convex *q = s->q;
    for (int side = 0; side < 2 * q->count; side++) {
        int i = side / 2, size = side % 2 ? 2 * s->b : s->b;
        double weight = side % 2 ? q->node[i].link : q->node[i].near;
        for (int row = 0; row < q->k && weight > 0; row++) {
            force_gradient(s, i, row, 1, s->g);
            if (side % 2)
                force_gradient(s, i + 1, row, -1, s->g + s->b);
            add_term(s, i * s->b, size, 0, q->counted[row] > 0 ? 2 * weight : 0);
        }
    }
    memcpy(s->squares, s->AB, (size_t)s->n * (size_t)s->ldab * sizeof *s->AB);
}

/* Their slope at node i. */
static void add_slope(barrier *s, int i) {
    const gdyn_convex *q = s->q;
    const gdyn_convex_node *node = &q->node[i];
    double before = i > 0 ? node[-1].link : 0;
    for (int row = 0; row < q->k; row++) {
        double d = node->near * (node->F[row] - node->wanted[row]), *rhs = s->rhs + i * s->b;
        d += node->link > 0 ? node->link * (node->F[row] - node[1].F[row]) : 0;
        d += before > 0 ? before * (node->F[row] - node[-1].F[row]) : 0;
        for (int j = 0; j < q->r && q->counted[row] > 0; j++)
            rhs[j] -= 2 * d * node->copy.coefficients.V[j * q->k + row];
    }
}

/* weight f of segment i, its time: convex in both x. */
static void add_time(barrier *s, int i) {
    const gdyn_convex *q = s->q;
    bool moves[2] = {!is_fixed(q, i, false), !is_fixed(q, i + 1, false)};
    double v[2] = {root(q->node[i].x), root(q->node[i + 1].x)}, sum = v[0] + v[1];
    double dt = gdyn_convex_time(q, i), f = s->weight;
    for (int k = 0; k < 2; k++) {
        int own = (i + k) * s->b, other = (i + 1 - k) * s->b;
        if (!moves[k])
            continue;
        s->rhs[own] += f * q->X * dt / (sum * 2 * v[k]);
        double bend = dt / (2 * sum * sum * v[k] * v[k]) + dt / (4 * sum * v[k] * v[k] * v[k]);
        *diagonal(s, own) += f * q->X * q->X * bend;
        if (moves[1 - k])
            diagonal(s, other)[own - other] += f * q->X * q->X * dt / (2 * sum * sum * v[0] * v[1]);
    }
}

/* weight f of segment i, the evenness of its rates. */
static void add_evenness(barrier *s, int i) {
    const gdyn_convex *q = s->q;
    for (int row = 0; row < q->k; row++) {
        double weight = 2 * s->weight * evenness(q, row, s->reference[i]);
        if (weight == 0)
            continue;
        force_gradient(s, i, row, 1, s->g);
        force_gradient(s, i + 1, row, -1, s->g + s->b);
        add_term(s, i * s->b, 2 * s->b - 1, weight * off(q, i, row, true), weight);
    }
}

/* The segment's equation and its multiplier. */
static void add_equation(barrier *s, int i) {
    const gdyn_convex *q = s->q;
    int row = i * s->b + s->b - 1;
    double x = q->X / s->size[i], w = -q->h[i] * q->U / s->size[i];
    const double value[4] = {-x, w, x, w};
    const int column[4] = {i * s->b, i * s->b + 1, (i + 1) * s->b, (i + 1) * s->b + 1};
    for (int k = 0; k < 4; k++) {
        if (!is_fixed(q, i + k / 2, k % 2)) {
            diagonal(s, column[k])[row - column[k]] += value[k];
            diagonal(s, row)[column[k] - row] += value[k];
        }
    }
    s->rhs[row] = -residual(s, i);
}

/* Hessian and right-hand sides of Newton's step, segment by segment. */
static void assemble(barrier *s) {
    gdyn_convex *q = s->q;
    size_t size = (size_t)s->n * (size_t)s->ldab * sizeof *s->AB;
    if (q->even)
        memcpy(s->AB, s->squares, size);
    else
        memset(s->AB, 0, size);
    memset(s->rhs, 0, 2 * (size_t)s->n * sizeof *s->rhs);
    s->give = s->curve = 0, s->slacks = 0;
    for (int i = 0; i < q->count; i++) {
        visit(s, i, add_slack);
        if (q->even) {
            add_slope(s, i);
        } else if (i + 1 < q->count) {
            add_equation(s, i);
            if (!s->first) {
                add_time(s, i);
                add_evenness(s, i);
            }
        }
    }
    /* unknowns without curvature get a unit, others a touch against rounding */
    for (int i = 0; i < q->count; i++) {
        for (int k = 0; k < s->b; k++) { /* what is fixed, or left free by all limits */
            int j = i * s->b + k;
            double *own = diagonal(s, j);
            if (k < s->b - 1 || i + 1 == q->count || q->even)
                *own += *own == 0 ? 1 : q->even ? 0 : TOUCH * *own;
        }
    }
    /* the excess is one more unknown, kept apart from the band */
    if (s->first) {
        double w = 1 / (s->excess - LEAST_EXCESS);
        s->give += w;
        s->curve += w * w;
    }
}

/* The matrix and both right-hand sides in units in which the equations are alike: x and u are
 * smaller next to a rest by powers of the number of nodes, and LU chooses pivots by size.
 * Curvatures become 1, the largest factor in a segment's equation, too. */
static void equilibrate(barrier *s) {
    for (int multiplier = 0; multiplier < 2; multiplier++) {
        for (int j = 0; j < s->n; j++) {
            if ((j % s->b == s->b - 1) != multiplier)
                continue;
            double most = sqrt(fabs(*diagonal(s, j)));
            for (int i = j - s->b + 1; multiplier && i <= j + s->b; i++)
                if (i >= 0 && i < s->n && i % s->b != s->b - 1)
                    most = fmax(most, fabs(diagonal(s, i)[j - i]) * s->scale[i]);
            s->scale[j] = most > 0 ? 1 / most : 1;
        }
    }
    for (int j = 0; j < s->n; j++) {
        for (int i = (j > s->band ? j - s->band : 0); i <= j + s->band && i < s->n; i++)
            diagonal(s, j)[i - j] *= s->scale[i] * s->scale[j];
        s->rhs[j] *= s->scale[j], s->rhs[s->n + j] *= s->scale[j];
    }
}

/* The step into rhs; *excess: of the excess; *gain: what the quadratic model gains. */
static gdyn_status newton(barrier *s, double *excess, double *gain) {
    assemble(s);
    double *z = s->rhs, *answer = s->rhs + s->n, *gradient = s->saved; /* free until the step */
    memcpy(gradient, z, (size_t)s->n * sizeof *gradient);
    double *coupling = answer + s->n;
    memcpy(coupling, answer, (size_t)s->n * sizeof *coupling);
    equilibrate(s);
    gdyn_status status =
        gdyn_band_solve(s->n, s->band, s->band, s->AB, s->pivot, s->first ? 2 : 1, s->rhs, s->n);
    for (int i = 0; i < 2 * s->n; i++)
        s->rhs[i] *= s->scale[i % s->n];
    if (status != GDYN_OK)
        return status;
    *excess = 0;
    if (s->first) {
        /* Schur complement of the excess */
        double down = s->give - s->weight, stiff = s->curve;
        for (int i = 0; i < s->n; i++) {
            down -= coupling[i] * z[i];
            stiff -= coupling[i] * answer[i];
        }
        *excess = down / stiff;
        for (int i = 0; i < s->n; i++)
            z[i] -= answer[i] * *excess;
    }
    /* decrement of the quadratic model, and the greatest multiplier */
    *gain = s->first ? (s->give - s->weight) * *excess : 0;
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
        if (!q->even)
            to[0] = q->node[i].x, to[1] = q->node[i].u;
        memcpy(to + s->head, q->node[i].y, (size_t)q->r * sizeof *to);
    }
}

/* A share of Newton's step from what was saved. */
static void move(barrier *s, double share) {
    gdyn_convex *q = s->q;
    for (int i = 0; i < q->count; i++) {
        const double *from = s->saved + (size_t)i * (size_t)s->b;
        const double *step = s->rhs + (size_t)i * (size_t)s->b;
        gdyn_convex_node *node = &q->node[i];
        if (!q->even) {
            node->x = from[0] + (is_fixed(q, i, false) ? 0 : share * q->X * step[0]);
            node->u = from[1] + (is_fixed(q, i, true) ? 0 : share * q->U * step[1]);
        }
        for (int j = s->head; j < s->head + q->r; j++)
            node->y[j - s->head] = from[j] + share * node->unit[0] * step[j];
    }
}

/* h_e of segments with the present speeds and accelerations, or as near as the slacks allow. */
static void update_lengths(barrier *s) {
    gdyn_convex *q = s->q;
    double *before = s->lengths, *wanted = s->lengths + q->count, value;
    /* lengths that p(t) really has */
    for (int i = 0; i + 1 < q->count; i++) {
        double h = length_of(q, i), dt = gdyn_convex_time(q, i);
        double exact = h + (q->node[i + 1].u - q->node[i].u) * dt * dt / 12;
        before[i] = q->h[i];
        wanted[i] = isfinite(exact) ? fmin(fmax(exact, 0.5 * h), 2 * h) : h;
    }
    s->change = 0;
    for (int i = 0; i + 1 < q->count; i++)
        s->change = fmax(s->change, fabs(wanted[i] / before[i] - 1));
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
    for (int i = 0; i + 1 < s->q->count; i++) {
        s->size[i] = s->q->node[i].x + s->q->node[i + 1].x;
        s->reference[i] = s->first ? s->reference[i] : gdyn_convex_time(s->q, i);
    }
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
static double imbalance(const barrier *s) {
    double sum = 0;
    for (int i = 0; i + 1 < s->q->count; i++)
        sum += fabs(residual(s, i));
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
        settled = fabs(gain) <= CENTRED && imbalance(s) <= BALANCED;
        if (s->first && s->excess < -MARGIN)
            break;
    }
    return status;
}

/* Arrays for one solution; lengths are those of straight segments at first. */
static gdyn_status open_barrier(barrier *s, gdyn_convex *q) {
    int head = q->even ? 0 : 2, b = q->even ? q->r : q->r + 3;
    *s = (barrier){.q = q, .head = head, .b = b, .n = q->count * b, .weight = 1, .mu = 1};
    s->band = q->even && q->count == 1 ? b - 1 : 2 * b - 1;
    s->diagonal = q->even ? 0 : 2 * s->band;
    s->ldab = q->even ? s->band + 1 : 3 * s->band + 1;
    size_t n = (size_t)s->n, count = (size_t)q->count;
    s->arena = gdyn_arena_create();
    s->AB = gdyn_arena_doubles(s->arena, n * (size_t)s->ldab);
    s->rhs = gdyn_arena_doubles(s->arena, 3 * n);
    s->saved = gdyn_arena_doubles(s->arena, n);
    s->g = gdyn_arena_doubles(s->arena, 2 * (size_t)b + 1);
    if (q->even) {
        s->squares = gdyn_arena_doubles(s->arena, n * (size_t)s->ldab);
        size_t slacks = 2 * count * (size_t)q->k;
        double **arrays[] = {&s->l, &s->dl, &s->s, &s->ds, &s->bend};
        for (int i = 0; i < 5; i++)
            *arrays[i] = gdyn_arena_doubles(s->arena, slacks);
    } else {
        s->pivot = gdyn_arena_alloc(s->arena, n, sizeof *s->pivot);
        s->reference = gdyn_arena_doubles(s->arena, count);
        s->lengths = gdyn_arena_doubles(s->arena, 2 * count);
        s->size = gdyn_arena_doubles(s->arena, count);
        s->scale = gdyn_arena_doubles(s->arena, n);
    }
    if (gdyn_arena_failed(s->arena))
        return GDYN_ERROR_MEMORY;
    /* times of the first guess are the unit of time */
    for (int i = 0; i + 1 < q->count && !q->even; i++) {
        q->h[i] = length_of(q, i);
        s->reference[i] = gdyn_convex_time(q, i);
        s->size[i] = q->node[i].x + q->node[i + 1].x;
    }
    return GDYN_OK;
}

/* --- a given motion --------------------------------------------------------------------------- */

/* Value of a slack and, with Newton's step, how it and its multiplier change. */
static bool note_slack(barrier *s, const slack *k) {
    long j = s->slacks++;
    const double *z = s->rhs + k->first;
    double sum = 0;
    for (int i = 0; i < k->size; i++)
        sum += s->g[i] * z[i];
    s->s[j] = s->l[j] > 0 ? s->s[j] : k->value;
    s->ds[j] = k->sign * sum;
    s->dl[j] = (s->mu - s->bend[j] - s->l[j] * s->ds[j]) / s->s[j] - s->l[j];
    return true;
}

static void visit_slopes(barrier *s, use_slack *use) {
    s->slacks = 0;
    for (int i = 0; i < s->q->count; i++)
        visit(s, i, use);
}

/* The step into rhs, its slacks into ds and dl, and the share of it that keeps all positive. */
static bool even_step(barrier *s, double *share) {
    assemble(s);
    if (!gdyn_cholesky_band_factor(s->n, s->band, s->AB)) {
        /* changes weigh so much that rounding hides distances, where no limit acts on both sides */
        assemble(s);
        for (int j = 0; j < s->n; j++)
            *diagonal(s, j) *= 1 + TOUCH;
        if (!gdyn_cholesky_band_factor(s->n, s->band, s->AB))
            return false;
    }
    gdyn_cholesky_band_solve(s->n, s->band, s->AB, s->rhs);
    visit_slopes(s, note_slack);
    double nearest = INFINITY;
    for (long j = 0; j < s->slacks; j++) {
        nearest = s->ds[j] < 0 ? fmin(nearest, -s->s[j] / s->ds[j]) : nearest;
        nearest = s->dl[j] < 0 ? fmin(nearest, -s->l[j] / s->dl[j]) : nearest;
    }
    *share = fmin(1, TO_LIMIT * nearest);
    return isfinite(*share);
}

/* The same where plain steps fail: a step towards the optimum, whose success shows the mu needed,
 * then one with the products of changes that the first leaves out (Mehrotra 1992). */
static bool corrected_step(barrier *s, double *share) {
    s->mu = 0;
    memset(s->bend, 0, (size_t)s->slacks * sizeof *s->bend);
    if (!even_step(s, share))
        return false;
    double before = 0, after = 0;
    for (long j = 0; j < s->slacks; j++) {
        before += s->l[j] * s->s[j];
        after += (s->l[j] + *share * s->dl[j]) * (s->s[j] + *share * s->ds[j]);
        s->bend[j] = s->ds[j] * s->dl[j];
    }
    double left = before > 0 ? after / before : 0;
    s->mu = s->slacks > 0 ? left * left * left * before / (double)s->slacks : 0;
    return even_step(s, share);
}

/* l s on average after the step; mu for the next one: small beside it where all l s are alike. */
static double advance(barrier *s, double share) {
    double sum = 0, least = INFINITY;
    for (long j = 0; j < s->slacks; j++) {
        s->l[j] += share * s->dl[j];
        s->s[j] += share * s->ds[j];
        sum += s->l[j] * s->s[j];
        least = fmin(least, s->l[j] * s->s[j]);
    }
    double mean = s->slacks > 0 ? sum / (double)s->slacks : 0;
    double apart = fmin(0.05 * (mean - least) / least, 2);
    s->mu = mean > 0 ? 0.1 * apart * apart * apart * mean : 0;
    return mean;
}

/* Distances and changes of forces become least, from a start inside all limits. What the optimum's
 * equations lack shrinks with the steps' shares. */
static gdyn_status minimize_even(barrier *s, double gap) {
    double size = objective(s->q, NULL), lack = 1, share;
    s->weight = 1;
    make_squares(s);
    /* multipliers with equal products */
    s->mu = size / (double)(s->slacks + 1);
    visit_slopes(s, note_slack);
    double mean = advance(s, 1), slacks = (double)s->slacks;
    for (int i = 0; size > 0 && (lack > BALANCED || mean * slacks > gap * size); i++) {
        bool stepped =
            i < EVEN_STEPS && (i < PLAIN_STEPS ? even_step(s, &share) : corrected_step(s, &share));
        if (!stepped) {
            bool usable = lack <= USABLE && mean * slacks <= USABLE_GAP * size;
            return usable ? GDYN_OK : GDYN_ERROR_NUMERIC; /* rounding stops it early */
        }
        save(s);
        move(s, share);
        find_forces(s->q);
        mean = advance(s, share);
        lack *= 1 - share;
    }
    return GDYN_OK;
}

/* --- phases ----------------------------------------------------------------------------------- */

/* Excess that a slack asks for. */
static bool note_excess(barrier *s, const slack *k) {
    s->sum = k->relaxed > 0 ? fmax(s->sum, -k->value / k->relaxed) : s->sum;
    return true;
}

double gdyn_convex_excess(gdyn_convex *q) {
    double g[1];
    barrier s = {.q = q, .g = g};
    visit_values(&s, note_excess);
    return s.sum;
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
    s->weight = slacks / s->excess;
    /* the weight grows until the least excess is known, or none is needed */
    while (status == GDYN_OK && s->excess >= -MARGIN && slacks / s->weight > PHASE_GAP) {
        status = centre(s, NEWTON_STEPS);
        s->weight *= GROWTH;
    }
    s->first = false;
    return status;
}

/* Repeated with the times found, so that the excess of a rate is a share of it. */
static gdyn_status find_inside(barrier *s, bool *possible) {
    enum { PASSES = 4 };
    double value;
    gdyn_status status = GDYN_OK;
    s->first = false, s->weight = 0;
    *possible = merit(s, &value);
    for (int pass = 0; pass < PASSES && !*possible && !s->q->even && status == GDYN_OK; pass++) {
        status = least_excess(s);
        *possible = s->excess < 0 && merit(s, &value);
    }
    return status;
}

/* Path following: the weight of the time grows by a factor, centred in between. */
static gdyn_status minimize(barrier *s, double gap) {
    double value;
    gdyn_status status = GDYN_OK;
    s->weight = 0;
    merit(s, &value);
    double slacks = (double)s->slacks, tau = slacks;
    /* slacks / tau bounds the distance from the optimum, as a share of the time */
    for (; status == GDYN_OK && slacks / tau > gap; tau *= GROWTH) {
        s->weight = tau / objective(s->q, NULL);
        status = centre(s, NEWTON_STEPS);
    }
    /* last steps at the same weight */
    double gain = INFINITY;
    bool moved = true, settled = false; /* the segments' lengths settle */
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
    q->evenness = EVENNESS * gap;
    gdyn_status status = open_barrier(&s, q);
    if (status == GDYN_OK)
        status = find_inside(&s, &outcome->possible);
    outcome->excess = s.excess;
    if (status == GDYN_OK && outcome->possible)
        status = q->even ? minimize_even(&s, gap) : minimize(&s, gap);
    if (status == GDYN_OK) {
        find_forces(q);
        outcome->time = objective(q, NULL);
    }
    gdyn_arena_destroy(s.arena);
    return status;
}
