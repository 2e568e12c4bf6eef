/* rate_audit.c - checks between the nodes of a motion with rate limits: limits and rates on a grid
 * ten times finer, from coefficients taken there. */
#include "traverse/internal.h"

#include "linalg/linalg.h"
#include "linalg/minimum.h"

#include <math.h>
#include <string.h>

/* Rounds in which d2 is bent, and in which limits are not tightened if spikes are found. */
enum { BENDS = 3, CAPS = 4 };
/* d3 that only the grid allows is so many times as large as d3 near by. */
static const double SPIKE = 4;
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

/* The motion in a segment, d3 = jerk - snap t, and how far it is wanted to be. */
typedef struct quartic {
    double v, u, jerk, snap, goal;
} quartic;

static double covered(void *context, double t) {
    const quartic *c = context;
    return t * (c->v + t * (0.5 * c->u + t * (c->jerk / 6 - t * c->snap / 24))) - c->goal;
}

static quartic quartic_of(const gdyn_convex *q, int i, double dt) {
    const gdyn_convex_node *a = &q->node[i];
    double w = q->bow[i];
    return (quartic){.v = sqrt(fmax(a->x, 0)),
                     .u = a->u,
                     .jerk = (a[1].u - a->u + 6 * w) / dt,
                     .snap = 12 * w / (dt * dt)};
}

gdyn_sample gdyn_rate_motion(const gdyn_convex *q, int i, double t) {
    const gdyn_convex_node *a = &q->node[i];
    double dt = gdyn_convex_time(q, i);
    quartic c = quartic_of(q, i, dt);
    double share = covered(&c, t) / covered(&c, dt);
    return (gdyn_sample){t, a->p + fmin(fmax(share, 0), 1) * (a[1].p - a->p),
                         fmax(0, c.v + t * (c.u + t * (c.jerk / 2 - t * c.snap / 6))),
                         c.u + t * (c.jerk - t * c.snap / 2)};
}

gdyn_sample gdyn_rate_along(const gdyn_convex *q, int i, double share) {
    double dt = gdyn_convex_time(q, i), within;
    quartic c = quartic_of(q, i, dt);
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

/* Forces there, linear in time as far as the equations allow; returns the largest violation. */
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

/* Rates in the parts of a segment. */
typedef struct segment_rates {
    int k;
    const double *limit;
    double t[GDYN_AUDIT_PARTS + 1]; /* ends of the parts */
    double *rate;                   /* k of every part */
    double *answer;                 /* k: rates at the beginning for w = 1 of a further bow */
    int row;                        /* the one that is exceeded most, */
    double sign;                    /* in that direction */
} segment_rates;

/* How far rates exceed their limits, as a share, with a further bow w: means of the parts; at both
 * ends of the segment they are taken on linearly, beyond rounding. */
static double exceeded(void *context, double w) {
    segment_rates *s = context;
    double most = -1, dt = s->t[GDYN_AUDIT_PARTS];
    for (int row = 0; row < s->k; row++) {
        double before = 0;
        for (int j = 1; j <= GDYN_AUDIT_PARTS && isfinite(s->limit[row]); j++) {
            double here = 1 - (s->t[j - 1] + s->t[j]) / dt, sum = j > 1 ? s->t[j] - s->t[j - 2] : 1;
            double now = s->rate[(j - 1) * s->k + row] + w * s->answer[row] * here, end = 0;
            double step = (now - before) / sum;
            if (j == 2)
                end = before - step * (s->t[1] - s->t[0]);
            if (j == GDYN_AUDIT_PARTS)
                end = now + step * (s->t[j] - s->t[j - 1]);
            end *= 1 - ROUNDING;
            double share = fmax(fabs(now), fabs(end)) / s->limit[row] - 1;
            if (share > most)
                most = share, s->row = row, s->sign = fabs(end) > fabs(now) ? end : now;
            before = now;
        }
    }
    return most;
}

static double mean_d3(const gdyn_convex *q, int i) {
    return (q->node[i + 1].u - q->node[i].u) / gdyn_convex_time(q, i);
}

/* Geometric mean of |d3| in the segments on one side of segment i. */
static double usual_d3(const gdyn_convex *q, int i, int side) {
    enum { SEGMENTS = 12 };
    double sum = 0;
    int count = 0;
    for (int j = i + side; count < SEGMENTS && j >= 0 && j + 1 < q->count; j += side, count++)
        sum += log(fabs(mean_d3(q, j)));
    return count == SEGMENTS ? exp(sum / SEGMENTS) : INFINITY;
}

/* Bends d2 so that rates are exceeded least, above all those at one end; returns the excess. */
static double bend(gdyn_rate_plan *a, int i, segment_rates *s) {
    gdyn_convex *q = &a->q;
    double dt = s->t[GDYN_AUDIT_PARTS], *F = a->work, most = exceeded(s, 0);
    gdyn_sample at = gdyn_rate_motion(q, i, 0);
    if (most <= 0)
        return most;
    /* what d2 does to the forces */
    forces_along(a, i, 0, &at, s->answer);
    at.d2 += 1;
    forces_along(a, i, 0, &at, F);
    for (int row = 0; row < q->k; row++)
        s->answer[row] = 6 * (F[row] - s->answer[row]) / dt;
    /* d3 changes within the segment at most as much as from the one before or to the next */
    double room = 0, d3 = mean_d3(q, i);
    for (int side = -1; side < 2; side += 2)
        if (i + side >= 0 && i + side + 1 < q->count)
            room = fmax(room, fabs(mean_d3(q, i + side) - d3) * dt / 12);
    double low = -room - q->bow[i], high = room - q->bow[i];
    gdyn_minimum best = gdyn_golden_section(exceeded, s, low, high, INFINITY);
    if (room == 0 || best.value >= most)
        return exceeded(s, 0);
    q->bow[i] += best.x;
    return exceeded(s, best.x);
}

/* Forces from part to part: their limits, and how fast they change, with the bow that is best. */
static gdyn_status audit_segment(gdyn_rate_plan *a, int i, int round) {
    const gdyn_convex *q = &a->q;
    gdyn_convex_node *node = &q->node[i];
    double *const F[2] = {a->work, a->work + q->k}, *g = a->work + (3 + q->r) * q->k;
    segment_rates s = {q->k, q->rate, .rate = g, .answer = g + GDYN_AUDIT_PARTS * q->k};
    gdyn_status status = take_parts(a, i);
    node->limits = node->rates = -1, node->mean = 0;
    for (int j = 0; j <= GDYN_AUDIT_PARTS && status == GDYN_OK; j++) {
        gdyn_sample at = gdyn_rate_along(q, i, part(q, i, j));
        /* forces here, and their change since the last part */
        double now = forces_along(a, i, j, &at, F[j % 2]), rate = -1;
        s.t[j] = at.t;
        for (int row = 0; row < q->k && j > 0; row++) {
            double faster = (F[j % 2][row] - F[(j + 1) % 2][row]) / (s.t[j] - s.t[j - 1]);
            rate = fmax(rate, fabs(faster) / q->rate[row] - 1);
            g[(j - 1) * q->k + row] = faster;
        }
        node->limits = fmax(node->limits, now);
        /* the worse of both at this place */
        a->audit[a->audits++] = (gdyn_audit_point){at.p, at.d1, at.d2, fmax(now, rate)};
        if (fmax(now, rate) > a->violation) {
            a->violation = fmax(now, rate);
            a->violation_p = at.p;
        }
    }
    if (status != GDYN_OK)
        return status;
    /* and at the ends */
    gdyn_audit_point *last = &a->audit[a->audits - 1];
    last->violation = fmax(last->violation, exceeded(&s, 0));
    if (last->violation > a->violation)
        a->violation = last->violation, a->violation_p = last->p;
    node->rates = round < BENDS ? bend(a, i, &s) : exceeded(&s, 0);
    double change = node[1].F[s.row] - node->F[s.row];
    node->mean = copysign(1, s.sign) * change / (q->rate[s.row] * gdyn_convex_time(q, i));
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
    int spikes = 0;
    for (int i = 0; i + 1 < q->count && status == GDYN_OK; i++)
        status = audit_segment(a, i, round);
    /* a node where d2 has no influence on what is limited leaves d2 free: that comes first */
    for (int i = 0; i + 1 < q->count && status == GDYN_OK; i++) {
        gdyn_convex_node *node = &q->node[i];
        double usual = fmax(usual_d3(q, i, -1), usual_d3(q, i, 1));
        if (round == 0)
            node->missed = fmax(fmax(node->limits, node->rates), 0);
        double d3 = fabs(mean_d3(q, i));
        if (fmax(node->limits, node->rates) > 0 && d3 > SPIKE * usual)
            q->cap[i] = fmax(0.5 * SPIKE * usual, 0.1 * d3), spikes++;
    }
    /* limits at both ends of the segment, rates of the segment */
    for (int i = 0; i + 1 < q->count && status == GDYN_OK && (spikes == 0 || round >= CAPS); i++) {
        gdyn_convex_node *node = &q->node[i];
        double rates = node->rates;
        if (node->limits > 0 && isfinite(node->limits)) {
            node->tighten += more * node->limits;
            node[1].tighten += more * node->limits;
        }
        /* what lies between the mean and its limit comes first, as far as the violation shows it */
        double gap = fmin(fmax(q->slow[i] - node->mean, 0), far * rates);
        if (rates > 0)
            q->slow[i] =
                fmax(q->slow[i] - gap - more * rates, q->slow[i] / (1 + more * rates + gap));
    }
    return status;
}
