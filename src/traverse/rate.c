/* rate.c - limits on the rate of the drive forces: the grid of the problem, its refinement, and the
 * audit of what comes out (the search itself: rate_barrier.c).
 *
 * A motion that leaves a rest with continuous d2 begins with p ~ t^3, so nodes are as dense there as the
 * cubes of even steps, which are even steps in time. */
#include "traverse/rate.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { FIRST_SEGMENTS = 40, MOST_SEGMENTS = 640, AUDITS = 10 };
/* Of the time; nodes keep their limits by about as much. */
static const double GAP = 1e-6, VIOLATION = 1e-9, ACTIVE = 1e-3;

typedef struct plan {
    gdyn_rate_problem q;
    gdyn_supply *supply;
    double *numbers; /* of all nodes */
    double *work;    /* k (r + 4) */
    gdyn_traverse *out;
    gdyn_audit_point *audit;
    int audits;
    double violation, violation_p;
} plan;

/* --- nodes ------------------------------------------------------------------------------------- */

/* Share of the path at share s of the nodes. */
static double graded(double s, bool rest_first, bool rest_last) {
    if (rest_first && rest_last) {
        return s * s * s * (10 + s * (-15 + 6 * s));
    }
    if (rest_first) {
        return s * s * s * (2 - s);
    }
    if (rest_last) {
        return 1 - graded(1 - s, true, false);
    }
    return s;
}

static void close_plan(plan *a) {
    for (int i = 0; a->q.node && i < a->q.count; i++) {
        gdyn_copy_free(&a->q.node[i].copy);
    }
    gdyn_free(a->q.node);
    gdyn_free(a->q.slow);
    gdyn_free(a->q.h);
    gdyn_free(a->numbers);
    gdyn_free(a->work);
    gdyn_free(a->audit);
}

static gdyn_status open_plan(plan *a, gdyn_traverse *out, gdyn_supply *supply,
                             const gdyn_traverse_settings *settings, int segments) {
    int k = gdyn_supply_rows(supply), r = gdyn_supply_redundancy(supply);
    size_t count = (size_t)segments + 1;
    *a = (plan){.supply = supply, .out = out};
    a->q = (gdyn_rate_problem){.count = segments + 1, .k = k, .r = r, .rate = settings->rate};
    a->q.node = gdyn_alloc(count, sizeof *a->q.node);
    a->q.slow = gdyn_alloc(count, sizeof *a->q.slow);
    a->q.h = gdyn_alloc(count, sizeof *a->q.h);
    a->numbers = gdyn_alloc(count * (size_t)(2 * k + r) + 1, sizeof *a->numbers);
    a->work = gdyn_alloc((size_t)k * (size_t)(r + 4) + 1, sizeof *a->work);
    if (!a->q.node || !a->q.slow || !a->q.h || !a->numbers || !a->work) {
        return GDYN_ERROR_MEMORY;
    }
    double first = gdyn_supply_first(supply), last = gdyn_supply_last(supply);
    bool rest[2] = {settings->start_speed == 0, settings->end_speed == 0};
    gdyn_status status = GDYN_OK;
    for (int i = 0; i <= segments && status == GDYN_OK; i++) {
        gdyn_rate_node *node = &a->q.node[i];
        const gdyn_coefficients *c;
        gdyn_point_status found;
        double share = graded((double)i / segments, rest[0], rest[1]);
        node->p = i < segments ? first + (last - first) * share : last;
        node->y = a->numbers + (size_t)i * (size_t)(2 * k + r);
        node->F = node->y + r, node->unit = node->F + k;
        a->q.slow[i] = 1;
        status = gdyn_supply_at(supply, node->p, &c, &found);
        if (status == GDYN_OK && (found != GDYN_POINT_OK || c->k != k || c->r != r)) {
            status = GDYN_ERROR_NUMERIC;
        }
        if (status == GDYN_OK) {
            status = gdyn_copy_take(&node->copy, c);
        }
        for (int row = 0; row < k && status == GDYN_OK; row++) {
            node->unit[row] = gdyn_problem_unit(&node->copy.coefficients, row);
        }
    }
    for (int end = 0; end < 2; end++) {
        double speed = end ? settings->end_speed : settings->start_speed;
        a->q.fixed_x[end] = !isnan(speed), a->q.fixed_u[end] = rest[end];
    }
    return status;
}

/* --- where the search begins ------------------------------------------------------------------- */

/* x of the motion without rate limits. */
static double free_x(const gdyn_traverse *out, double p) {
    int i = 0;
    while (i + 2 < out->points && out->point[i + 1].p <= p) {
        i++;
    }
    const gdyn_motion_point *a = &out->point[i], *b = a + 1;
    double f = b->p > a->p ? fmin(fmax((p - a->p) / (b->p - a->p), 0), 1) : 0;
    return (1 - f) * a->d1 * a->d1 + f * b->d1 * b->d1;
}

/* Orthonormal columns of V into Q (k x r); returns their number. */
static int orthonormal(const gdyn_coefficients *c, double *Q) {
    int count = 0;
    for (int j = 0; j < c->r; j++) {
        double *v = Q + (size_t)count * (size_t)c->k, before = 0, norm = 0;
        memcpy(v, c->V + (size_t)j * (size_t)c->k, (size_t)c->k * sizeof *v);
        for (int i = 0; i < c->k; i++) {
            before += v[i] * v[i];
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int l = 0; l < count; l++) {
                double dot = 0;
                const double *w = Q + (size_t)l * (size_t)c->k;
                for (int i = 0; i < c->k; i++) {
                    dot += v[i] * w[i];
                }
                for (int i = 0; i < c->k; i++) {
                    v[i] -= dot * w[i];
                }
            }
        }
        for (int i = 0; i < c->k; i++) {
            norm += v[i] * v[i];
        }
        if (norm > 1e-24 * before) {
            for (int i = 0; i < c->k; i++) {
                v[i] /= sqrt(norm);
            }
            count++;
        }
    }
    return count;
}

/* Adds the internal forces Q Q^T (wanted - F) to F. */
static void lean(const double *Q, int columns, int k, const double *wanted, double *F) {
    for (int j = 0; j < columns; j++) {
        const double *w = Q + (size_t)j * (size_t)k;
        double dot = 0;
        for (int i = 0; i < k; i++) {
            dot += w[i] * (wanted[i] - F[i]);
        }
        for (int i = 0; i < k; i++) {
            F[i] += dot * w[i];
        }
    }
}

/* y of the internal forces nearest to the wanted ones, by the same steps on V = Q R. */
static void aim(gdyn_rate_node *node, const double *wanted, double *work) {
    const gdyn_coefficients *c = &node->copy.coefficients;
    int k = c->k, r = c->r;
    double *n = work, *miss = work + k, v = sqrt(node->x);
    for (int i = 0; i < k; i++) {
        n[i] = c->A[i] * node->x + c->B[i] * v + c->C[i] + c->D[i] * node->u;
        miss[i] = wanted[i] - n[i];
    }
    memset(node->y, 0, (size_t)r * sizeof *node->y);
    for (int round = 0; round < 4 * r + 4; round++) { /* Gauss-Seidel on the normal equations */
        for (int j = 0; j < r; j++) {
            const double *w = c->V + (size_t)j * (size_t)k;
            double dot = 0, norm = 0;
            for (int i = 0; i < k; i++) {
                dot += w[i] * miss[i], norm += w[i] * w[i];
            }
            double more = norm > 0 ? dot / norm : 0;
            node->y[j] += more;
            for (int i = 0; i < k; i++) {
                miss[i] -= more * w[i];
            }
        }
    }
}

static double middle_force(const gdyn_coefficients *c, int row) {
    double low = c->min[row], high = c->max[row];
    return isfinite(low) && isfinite(high) ? 0.5 * (low + high)
           : isfinite(low)                 ? low + 1
           : isfinite(high)                ? high - 1
                                           : 0;
}

/* A slower copy of the motion without rate limits; internal forces near the limits' middle. */
static gdyn_status begin_free(plan *a, const gdyn_traverse_settings *settings) {
    enum { SLOWER = 4 };
    gdyn_rate_problem *q = &a->q;
    double *work = a->work, most = 0;
    int last = q->count - 1;
    double ends[2] = {settings->start_speed, settings->end_speed};
    for (int i = 0; i <= last; i++) {
        most = fmax(most, free_x(a->out, q->node[i].p));
    }
    q->X = most;
    for (int i = 0; i <= last; i++) {
        gdyn_rate_node *node = &q->node[i];
        node->x = fmax(free_x(a->out, node->p) / SLOWER, 1e-9 * most);
        double end = i == 0 ? ends[0] : i == last ? ends[1] : NAN;
        node->x = isnan(end) ? node->x : end * end;
    }
    q->U = 0;
    for (int i = 0; i <= last; i++) {
        int b = i > 0 ? i - 1 : 0, e = i < last ? i + 1 : last;
        gdyn_rate_node *node = &q->node[i];
        node->u = (q->node[e].x - q->node[b].x) / (2 * (q->node[e].p - q->node[b].p));
        node->u = (i == 0 && q->fixed_u[0]) || (i == last && q->fixed_u[1]) ? 0 : node->u;
        q->U = fmax(q->U, SLOWER * fabs(node->u));
    }
    for (int i = 0; i <= last; i++) {
        for (int row = 0; row < q->k; row++) {
            work[2 * q->k + row] = middle_force(&q->node[i].copy.coefficients, row);
        }
        aim(&q->node[i], work + 2 * q->k, work);
    }
    return q->X > 0 && q->U > 0 ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

/* An interior-point method cannot begin near the edge: slower, and internal forces nearer to the
 * limits' middle. F: forces to be near to. */
static void back_off(plan *a, int i, const double *F) {
    static const double SLOWER = 0.6, SHARE = 0.5;
    gdyn_rate_problem *q = &a->q;
    gdyn_rate_node *node = &q->node[i];
    double *wanted = a->work + 2 * q->k;
    bool end = i == 0 || i == q->count - 1;
    if (!end || !q->fixed_x[i > 0]) {
        node->x *= SLOWER;
    }
    node->u *= SLOWER;
    for (int row = 0; row < q->k; row++) {
        double middle = middle_force(&node->copy.coefficients, row);
        wanted[row] = (1 - SHARE) * F[row] + SHARE * middle;
    }
    aim(node, wanted, a->work);
}

/* The solution on half as many segments. */
static void begin_finer(plan *a, const plan *coarse) {
    gdyn_rate_problem *q = &a->q;
    const gdyn_rate_problem *c = &coarse->q;
    q->X = c->X, q->U = c->U;
    for (int i = 0; i < q->count; i++) {
        const gdyn_rate_node *b = &c->node[i / 2], *e = &c->node[(i + 1) / 2];
        gdyn_rate_node *node = &q->node[i];
        double f = e->p > b->p ? (node->p - b->p) / (e->p - b->p) : 0;
        if (b->x == 0 || e->x == 0) { /* x ~ p^(4/3) from a hold */
            f = b->x == 0 ? pow(f, 4 / 3.0) : 1 - pow(1 - f, 4 / 3.0);
        }
        node->x = i % 2 ? (1 - f) * b->x + f * e->x : b->x;
        node->u = i % 2 ? 0.5 * (b->u + e->u) : b->u;
        node->tighten = fmax(b->tighten, e->tighten);
        for (int row = 0; row < q->k; row++) {
            node->F[row] = 0.5 * (b->F[row] + e->F[row]);
        }
        back_off(a, i, node->F);
        if (i + 1 < q->count) {
            q->slow[i] = c->slow[i / 2];
        }
    }
}

/* --- the audit --------------------------------------------------------------------------------- */

typedef struct sample {
    double t, p, d1, d2;
} sample;

/* The cubic of segment i at share f of its time. */
static sample along(const gdyn_rate_problem *q, int i, double f) {
    const gdyn_rate_node *a = &q->node[i], *b = a + 1;
    double dt = gdyn_rate_time(q, i), v = sqrt(fmax(a->x, 0)), jerk = (b->u - a->u) / dt;
    double t = f * dt;
    double whole = dt * (v + dt * (0.5 * a->u + dt * jerk / 6));
    double part = t * (v + t * (0.5 * a->u + t * jerk / 6));
    double p = a->p + (b->p - a->p) * (whole > 0 ? fmin(fmax(part / whole, 0), 1) : f);
    return (sample){t, p, fmax(0, v + t * (a->u + 0.5 * t * jerk)), a->u + t * jerk};
}

/* Forces there: even between the nodes', as near as the equations allow. */
static gdyn_status forces_along(plan *a, int i, double f, const sample *at, double *F,
                                double *limits) {
    const gdyn_rate_problem *q = &a->q;
    const gdyn_coefficients *c;
    gdyn_point_status found;
    double *wanted = a->work + 2 * q->k, *Q = a->work + 3 * q->k;
    gdyn_status status = gdyn_supply_at(a->supply, at->p, &c, &found);
    *limits = INFINITY;
    if (status != GDYN_OK || found != GDYN_POINT_OK || c->k != q->k) {
        return status;
    }
    *limits = at->d1 > c->d1_high ? at->d1 / c->d1_high - 1 : -1;
    for (int row = 0; row < q->k; row++) {
        F[row] = (c->A[row] * at->d1 + c->B[row]) * at->d1 + c->C[row] + c->D[row] * at->d2;
        wanted[row] = (1 - f) * q->node[i].F[row] + f * q->node[i + 1].F[row];
    }
    lean(Q, orthonormal(c, Q), q->k, wanted, F);
    for (int row = 0; row < q->k; row++) {
        double low = c->min[row] + (c->min_slope ? c->min_slope[row] * at->d1 : 0);
        double high = c->max[row] + (c->max_slope ? c->max_slope[row] * at->d1 : 0);
        *limits = fmax(*limits, fmax(low - F[row], F[row] - high) / gdyn_problem_unit(c, row));
    }
    return GDYN_OK;
}

static gdyn_status audit_segment(plan *a, int i, double *limits, double *rates) {
    const gdyn_rate_problem *q = &a->q;
    double *const F[2] = {a->work, a->work + q->k};
    gdyn_status status = GDYN_OK;
    *limits = *rates = -1;
    double dt = gdyn_rate_time(q, i) / AUDITS;
    for (int j = 0; j <= AUDITS && status == GDYN_OK; j++) {
        double f = (double)j / AUDITS, now, rate = -1;
        sample at = along(q, i, f);
        status = forces_along(a, i, f, &at, F[j % 2], &now);
        for (int row = 0; row < q->k && j > 0; row++) {
            double change = fabs(F[j % 2][row] - F[(j + 1) % 2][row]);
            rate = isinf(q->rate[row]) ? rate : fmax(rate, change / (dt * q->rate[row]) - 1);
        }
        *limits = fmax(*limits, now);
        *rates = fmax(*rates, rate);
        a->audit[a->audits++] = (gdyn_audit_point){at.p, at.d1, at.d2, fmax(now, rate)};
        if (fmax(now, rate) > a->violation) {
            a->violation = fmax(now, rate);
            a->violation_p = at.p;
        }
    }
    return status;
}

/* Looks between the nodes; tightens what is violated there. */
static gdyn_status audit(plan *a) {
    gdyn_rate_problem *q = &a->q;
    gdyn_status status = GDYN_OK;
    gdyn_audit_point *grown =
        gdyn_realloc(a->audit, (size_t)q->count * (AUDITS + 1), sizeof *grown);
    if (!grown) {
        return GDYN_ERROR_MEMORY;
    }
    a->audit = grown;
    a->audits = 0;
    a->violation = -INFINITY;
    for (int i = 0; i + 1 < q->count && status == GDYN_OK; i++) {
        double limits, rates;
        status = audit_segment(a, i, &limits, &rates);
        if (limits > 0 && isfinite(limits)) {
            q->node[i].tighten += 1.05 * limits;
            q->node[i + 1].tighten += 1.05 * limits;
        }
        if (rates > 0) {
            q->slow[i] /= 1 + 1.05 * rates;
        }
    }
    return status;
}

/* Solves, and again with tighter limits, until the audit finds nothing. */
static gdyn_status solve(plan *a, bool audited, gdyn_rate_outcome *outcome) {
    enum { ROUNDS = 12 };
    gdyn_status status = gdyn_rate_solve(&a->q, GAP, outcome);
    for (int round = 0; audited && round < ROUNDS && status == GDYN_OK && outcome->possible;
         round++) {
        status = audit(a);
        if (status != GDYN_OK || a->violation <= VIOLATION) {
            break;
        }
        for (int i = 0; i < a->q.count; i++) {
            back_off(a, i, a->q.node[i].F);
        }
        status = gdyn_rate_solve(&a->q, GAP, outcome);
    }
    return status;
}

/* --- results ----------------------------------------------------------------------------------- */

static void name_active(const plan *a, int i, gdyn_motion_point *m) {
    const gdyn_rate_problem *q = &a->q;
    const gdyn_rate_node *node = &q->node[i];
    const gdyn_coefficients *c = &node->copy.coefficients;
    double best = ACTIVE;
    m->limit_count = 0;
    m->rate_row = -1;
    for (int side = 0; side < 2 * q->k; side++) {
        int row = side / 2, sign = side % 2 ? 1 : -1;
        double bound = sign > 0 ? c->max[row] : c->min[row];
        const double *slopes = sign > 0 ? c->max_slope : c->min_slope;
        bound += slopes ? slopes[row] * m->d1 : 0;
        double slack = sign * (bound - node->F[row]) / node->unit[row] - node->tighten;
        if (slack <= ACTIVE && m->limit_count < GDYN_ACTIVE_MAX) {
            m->limit[m->limit_count++] = (gdyn_active){.row = row, .side = sign};
        }
        if (i + 1 < q->count && isfinite(q->rate[row])) {
            double most = q->rate[row] * q->slow[i] * gdyn_rate_time(q, i);
            double left = 1 - sign * (node[1].F[row] - node->F[row]) / most;
            if (left <= best) {
                best = left;
                m->rate_row = row, m->rate_side = sign;
            }
        }
    }
    if (m->limit_count == 0 && m->d1 >= c->d1_high * (1 - node->tighten) * (1 - ACTIVE)) {
        m->limit[m->limit_count++] = (gdyn_active){.row = -2, .side = 1};
    }
}

/* Controllable speeds and the maximum-velocity curve stay those without rate limits. */
static void keep_speeds(const gdyn_traverse *out, double p, gdyn_motion_point *m) {
    int i = 0;
    while (i + 1 < out->points && fabs(out->point[i + 1].p - p) <= fabs(out->point[i].p - p)) {
        i++;
    }
    const gdyn_motion_point *from = &out->point[i];
    m->k_low = from->k_low, m->k_high = from->k_high;
    m->d1_max = from->d1_max, m->speed_row = from->speed_row;
}

static gdyn_status take_points(plan *a, double error) {
    gdyn_rate_problem *q = &a->q;
    gdyn_traverse *out = a->out;
    size_t count = (size_t)q->count, k = (size_t)q->k;
    gdyn_motion_point *points = gdyn_alloc(count, sizeof *points);
    double *force = gdyn_alloc(count * k + 1, sizeof *force), t = 0;
    if (!points || !force) {
        gdyn_free(points);
        gdyn_free(force);
        return GDYN_ERROR_MEMORY;
    }
    for (int i = 0; i < q->count; i++) {
        const gdyn_rate_node *node = &q->node[i];
        gdyn_motion_point *m = &points[i];
        *m = (gdyn_motion_point){.p = node->p, .t = t, .d1 = sqrt(node->x), .d2 = node->u};
        m->d2_before = node->u;
        keep_speeds(out, node->p, m);
        name_active(a, i, m);
        bool same = i > 0 && m->rate_row == m[-1].rate_row && m->rate_side == m[-1].rate_side;
        m->switching = i > 0 && !same;
        memcpy(force + (size_t)i * k, node->F, k * sizeof *force);
        t += i + 1 < q->count ? gdyn_rate_time(q, i) : 0;
    }
    gdyn_free(out->point);
    gdyn_free(out->force);
    gdyn_free(out->audit);
    out->point = points, out->points = out->capacity = q->count;
    out->force = force, out->rows = q->k;
    out->audit = a->audit, out->audits = a->audits;
    a->audit = NULL;
    out->violation = a->violation, out->violation_p = a->violation_p;
    out->free_time = out->time;
    out->time = out->upper = t;
    out->rate_error = error;
    return GDYN_OK;
}

/* No motion was found: what the other one was is not told. */
static void give_up(gdyn_traverse *out, double excess) {
    out->status = GDYN_TRAVERSE_RATE;
    out->free_time = out->time;
    out->rate_excess = excess;
    out->time = out->upper = out->lower = NAN;
    out->place = out->points > 0 ? out->point[0].p : NAN;
    out->place_end = out->points > 0 ? out->point[out->points - 1].p : NAN;
    for (int i = 0; i < out->points; i++) {
        gdyn_motion_point *m = &out->point[i];
        m->t = m->d1 = m->d2 = m->d2_before = NAN;
        m->limit_count = 0;
    }
    out->audits = 0;
}

/* Doubles the number of segments until the time changes little. */
gdyn_status gdyn_rate_run(gdyn_traverse *out, gdyn_supply *supply,
                          const gdyn_traverse_settings *settings) {
    plan now = {0}, before = {0};
    gdyn_rate_outcome outcome = {0};
    double last = NAN, error = NAN;
    gdyn_status status = GDYN_OK;
    bool good = false;
    for (int segments = FIRST_SEGMENTS; segments <= MOST_SEGMENTS && !good; segments *= 2) {
        close_plan(&before);
        before = now;
        status = open_plan(&now, out, supply, settings, segments);
        if (status == GDYN_OK && before.q.node) {
            begin_finer(&now, &before);
        } else if (status == GDYN_OK) {
            status = begin_free(&now, settings);
        }
        if (status == GDYN_OK) {
            status = solve(&now, settings->audit, &outcome);
        }
        if (status != GDYN_OK || !outcome.possible) {
            break;
        }
        error = isnan(last) ? NAN : fabs(outcome.time - last) / outcome.time;
        last = outcome.time;
        good = error <= 0.5 * settings->tolerance;
    }
    if (status == GDYN_OK && outcome.possible) {
        status = take_points(&now, error);
        out->converged = good;
    } else if (status == GDYN_OK) {
        give_up(out, outcome.excess);
    }
    close_plan(&before);
    close_plan(&now);
    return status;
}
