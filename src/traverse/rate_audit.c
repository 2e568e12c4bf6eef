/* rate_audit.c - checks between the nodes of a motion with rate limits: limits and rates on a grid
 * ten times finer, from coefficients taken there. */
#include "traverse/internal.h"

#include "linalg/linalg.h"
#include "linalg/minimum.h"

#include <math.h>
#include <string.h>

/* A column whose remainder is this share of it depends on those before. */
static const double DEPENDENT = 1e-12;
/* Share of a rate that rounding of the forces may make up in a part of a segment. */
static const double ROUNDING = 1e-6;
/* Times the violation of a rate inside of a segment, its mean may be that far from the limit. */
static const double REACH = 8;

/* Adds the internal forces Q Q^T (wanted - F) to F. */
static void lean(const double *Q, int columns, int k, const double *wanted, double *F) {
    for (int j = 0; j < columns; j++) {
        const double *w = Q + (size_t)j * (size_t)k;
        /* the component of what is missing along column j */
        double dot = 0;
        for (int i = 0; i < k; i++)
            dot += w[i] * (wanted[i] - F[i]);
        for (int i = 0; i < k; i++)
            F[i] += dot * w[i];
    }
}

/* Part j of a segment, as a share of its length: even steps in time behind a hold. */
static double part(const gdyn_convex *q, int i, int j) {
    double f = (double)j / GDYN_AUDIT_PARTS;
    bool first = i == 0 && q->fixed_u[0], last = i + 2 == q->count && q->fixed_u[1];
    return first ? f * f * f : last ? 1 - (1 - f) * (1 - f) * (1 - f) : f;
}

/* The cubic of a segment, and how far it is wanted to be. */
typedef struct cubic {
    double v, u, jerk, goal;
} cubic;

static double covered(void *context, double t) {
    const cubic *c = context;
    return t * (c->v + t * (0.5 * c->u + t * c->jerk / 6)) - c->goal;
}

static cubic cubic_of(const gdyn_convex *q, int i, double dt) {
    const gdyn_convex_node *a = &q->node[i];
    return (cubic){.v = sqrt(fmax(a->x, 0)), .u = a->u, .jerk = (a[1].u - a->u) / dt};
}

gdyn_sample gdyn_rate_motion(const gdyn_convex *q, int i, double t) {
    const gdyn_convex_node *a = &q->node[i];
    double dt = gdyn_convex_time(q, i);
    cubic c = cubic_of(q, i, dt);
    double share = covered(&c, t) / covered(&c, dt);
    return (gdyn_sample){t, a->p + fmin(fmax(share, 0), 1) * (a[1].p - a->p),
                         fmax(0, c.v + t * (c.u + 0.5 * t * c.jerk)), c.u + t * c.jerk};
}

gdyn_sample gdyn_rate_along(const gdyn_convex *q, int i, double share) {
    double dt = gdyn_convex_time(q, i), within;
    cubic c = cubic_of(q, i, dt);
    c.goal = share * covered(&c, dt);
    double t = share <= 0 ? 0 : share >= 1 ? dt : gdyn_bisect(covered, &c, 0, dt, 1, &within);
    gdyn_sample at = gdyn_rate_motion(q, i, t);
    at.p = q->node[i].p + share * (q->node[i + 1].p - q->node[i].p);
    return at;
}

/* Coefficients of the parts of a segment, taken once. */
static gdyn_status take_parts(gdyn_rate_plan *a, int i) {
    const gdyn_convex *q = &a->q;
    double from = q->node[i].p, to = q->node[i + 1].p;
    gdyn_status status = GDYN_OK;
    /* places inside; nodes have their own coefficients */
    for (int j = 1; j < GDYN_AUDIT_PARTS && status == GDYN_OK; j++) {
        gdyn_copy *copy = &a->part[i * (GDYN_AUDIT_PARTS - 1) + j - 1];
        const gdyn_coefficients *c;
        gdyn_point_status found;
        double p = from + part(q, i, j) * (to - from);
        status = copy->numbers ? GDYN_OK : gdyn_path_dynamics_at(a->dynamics, p, &c, &found);
        if (status == GDYN_OK && !copy->numbers && found == GDYN_POINT_OK && c->k == q->k)
            status = gdyn_copy_take(copy, c);
    }
    return status;
}

/* Forces there: even in time between the nodes', as near to that as the equations allow. Returns
 * the largest violation of a limit. */
static double forces_along(gdyn_rate_plan *a, int i, int j, const gdyn_sample *at, double *F) {
    const gdyn_convex *q = &a->q;
    const gdyn_copy *copy = j == 0                  ? &q->node[i].copy
                            : j == GDYN_AUDIT_PARTS ? &q->node[i + 1].copy
                                                    : &a->part[i * (GDYN_AUDIT_PARTS - 1) + j - 1];
    const gdyn_coefficients *c = &copy->coefficients;
    double *wanted = a->work + 2 * q->k, *Q = a->work + 3 * q->k;
    if (!copy->numbers) {
        memset(F, 0, (size_t)q->k * sizeof *F);
        return INFINITY;
    }
    /* the speed limit first */
    double limits = at->d1 > c->d1_high ? at->d1 / c->d1_high - 1 : -1;
    double f = at->t / gdyn_convex_time(q, i);
    /* forces that drive the motion here, nearest to those between the nodes */
    for (int row = 0; row < q->k; row++) {
        F[row] = gdyn_load_at(c, row, at->d1, at->d2);
        wanted[row] = (1 - f) * q->node[i].F[row] + f * q->node[i + 1].F[row];
    }
    /* orthonormal columns of V into Q (k x r) */
    int count = 0;
    for (int l = 0; l < c->r; l++) {
        double *v = Q + (size_t)count * (size_t)c->k, before;
        memcpy(v, c->V + (size_t)l * (size_t)c->k, (size_t)c->k * sizeof *v);
        count += gdyn_extend_basis(c->k, count, Q, v, &before) > DEPENDENT * before;
    }
    lean(Q, count, q->k, wanted, F);
    /* how far they exceed their limits, in units of each limit */
    for (int row = 0; row < q->k; row++) {
        double low = gdyn_limit_at(c, row, false, at->d1);
        double high = gdyn_limit_at(c, row, true, at->d1);
        limits = fmax(limits, fmax(low - F[row], F[row] - high) / gdyn_problem_unit(c, row));
    }
    return limits;
}

/* Rate of a row from part to part as a share of its limit; at both ends of the segment it is taken
 * on linearly, beyond rounding. g: the rate before, dt[0] and dt[1]: times of that part and
 * this. */
static double rate_share(double limit, double g, double now, const double dt[2], int j) {
    double step = (now - g) / (dt[0] + dt[1]), end = 0;
    if (j == 2)
        end = fabs(g - step * dt[0]);
    if (j == GDYN_AUDIT_PARTS)
        end = fmax(end, fabs(now + step * dt[1]));
    return fmax(fabs(now), end * (1 - ROUNDING)) / limit - 1;
}

/* Forces from part to part: their limits, and how fast they change; *mean: of the row that changes
 * fastest, by its limit, in that direction over the whole segment. */
static gdyn_status audit_segment(gdyn_rate_plan *a, int i, double *limits, double *rates,
                                 double *mean) {
    const gdyn_convex *q = &a->q;
    double *const F[2] = {a->work, a->work + q->k}, *g = a->work + (3 + q->r) * q->k;
    double before = 0, dt[2] = {0};
    gdyn_status status = take_parts(a, i);
    *limits = *rates = -1, *mean = 0;
    for (int j = 0; j <= GDYN_AUDIT_PARTS && status == GDYN_OK; j++) {
        gdyn_sample at = gdyn_rate_along(q, i, part(q, i, j));
        /* forces here, and their change since the last part */
        double now = forces_along(a, i, j, &at, F[j % 2]), rate = -1;
        dt[0] = dt[1], dt[1] = at.t - before;
        for (int row = 0; row < q->k && j > 0; row++) {
            double faster = (F[j % 2][row] - F[(j + 1) % 2][row]) / dt[1];
            double share =
                isfinite(q->rate[row]) ? rate_share(q->rate[row], g[row], faster, dt, j) : -1;
            if (share > fmax(rate, *rates)) {
                double change = q->node[i + 1].F[row] - q->node[i].F[row];
                *mean = copysign(1, faster) * change / (q->rate[row] * gdyn_convex_time(q, i));
            }
            rate = fmax(rate, share);
            g[row] = faster;
        }
        before = at.t;
        *limits = fmax(*limits, now);
        *rates = fmax(*rates, rate);
        /* the worse of both at this place */
        a->audit[a->audits++] = (gdyn_audit_point){at.p, at.d1, at.d2, fmax(now, rate)};
        if (fmax(now, rate) > a->violation) {
            a->violation = fmax(now, rate);
            a->violation_p = at.p;
        }
    }
    return status;
}

/* Tightens limits and rates where the audit found violations. */
gdyn_status gdyn_rate_audit(gdyn_rate_plan *a, int round) {
    gdyn_convex *q = &a->q;
    gdyn_status status = GDYN_OK;
    /* what is missing wanders: from round to round more is taken */
    double more = 1.05 + 0.25 * round, far = ldexp(REACH, round);
    gdyn_audit_point *grown =
        gdyn_realloc(a->audit, (size_t)q->count * (GDYN_AUDIT_PARTS + 1), sizeof *grown);
    if (!grown)
        return GDYN_ERROR_MEMORY;
    a->audit = grown;
    a->audits = 0;
    a->violation = -INFINITY;
    /* limits at both ends of the segment, rates of the segment */
    for (int i = 0; i + 1 < q->count && status == GDYN_OK; i++) {
        double limits, rates, mean;
        status = audit_segment(a, i, &limits, &rates, &mean);
        if (round == 0)
            q->node[i].missed = fmax(fmax(limits, rates), 0);
        if (limits > 0 && isfinite(limits)) {
            q->node[i].tighten += more * limits;
            q->node[i + 1].tighten += more * limits;
        }
        /* what lies between the mean and its limit comes first, as far as the violation shows it */
        double gap = fmin(fmax(q->slow[i] - mean, 0), far * rates);
        if (rates > 0)
            q->slow[i] =
                fmax(q->slow[i] - gap - more * rates, q->slow[i] / (1 + more * rates + gap));
    }
    return status;
}
