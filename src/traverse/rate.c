/* rate.c - limits on the rates of limit rows (forces; accelerations: jerk): the grid of the problem,
 * its refinement, and the audit of the result (the search itself: convex.c).
 *
 * A motion that leaves a rest with continuous d2 begins with p ~ t^3, so nodes are as dense there
 * as the cubes of even steps, which are even steps in time. */
#include "traverse/internal.h"

#include <math.h>
#include <string.h>

/* Share of the largest x below which no node starts; smallest gap of the barrier. */
static const double START_LEAST = 1e-9, GAP_LEAST = 1e-8;

enum { FIRST_SEGMENTS = 40, MOST_SEGMENTS = 640 };
static const double VIOLATION = 1e-9, ACTIVE = 5e-3, ACTIVE_RATE = 0.03;
/* Shares of the tolerance: distance from the optimum, change by refinement. */
static const double GAP = 0.05, REFINED = 0.3;

/* --- nodes ------------------------------------------------------------------------------------ */

/* Share of the path at share s of the nodes. */
static double graded(double s, bool rest_first, bool rest_last) {
    if (rest_first && rest_last)
        return s * s * s * (10 + s * (-15 + 6 * s));
    if (rest_first)
        return s * s * s * (2 - s);
    if (rest_last)
        return 1 - graded(1 - s, true, false);
    return s;
}

/* Safe on a partly made plan. */
static void close_plan(gdyn_rate_plan *a) {
    for (int i = 0; a->q.node && i < a->q.count; i++)
        gdyn_copy_free(&a->q.node[i].copy);
    for (int i = 0; a->part && i < (a->q.count - 1) * (GDYN_AUDIT_PARTS - 1); i++)
        gdyn_copy_free(&a->part[i]);
    gdyn_arena_destroy(a->arena);
    gdyn_free(a->audit);
}

/* Nodes, lengths and audited parts of one solution. */
static gdyn_status allocate_plan(gdyn_rate_plan *a, size_t count) {
    size_t k = (size_t)a->q.k, r = (size_t)a->q.r;
    gdyn_arena *arena = a->arena = gdyn_arena_create();
    a->q.node = gdyn_arena_alloc(arena, count, sizeof *a->q.node);
    a->q.slow = gdyn_arena_doubles(arena, count);
    a->q.h = gdyn_arena_doubles(arena, count);
    a->work = gdyn_arena_doubles(arena, k * (r + 4));
    a->part = gdyn_arena_alloc(arena, count * (GDYN_AUDIT_PARTS - 1), sizeof *a->part);
    for (size_t i = 0; i < count && !gdyn_arena_failed(arena); i++) {
        a->q.node[i].y = gdyn_arena_doubles(arena, r);
        a->q.node[i].F = gdyn_arena_doubles(arena, k);
        a->q.node[i].unit = gdyn_arena_doubles(arena, k);
    }
    return gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

/* Coefficients of node i at p. All nodes have as many rows as the first one, for which q.k and q.r
 * are room. */
static gdyn_status open_node(gdyn_rate_plan *a, int i, double p) {
    gdyn_convex_node *node = &a->q.node[i];
    const gdyn_coefficients *c;
    gdyn_point_status found;
    node->p = p;
    gdyn_status status = gdyn_path_dynamics_at(a->dynamics, p, &c, &found);
    if (status != GDYN_OK)
        return status;
    if (i == 0 && found == GDYN_POINT_OK)
        a->q.k = c->k, a->q.r = c->r;
    if (found != GDYN_POINT_OK || c->k != a->q.k || c->r != a->q.r)
        return GDYN_ERROR_NUMERIC;
    /* limits are measured in the rows' half ranges */
    for (int row = 0; row < c->k; row++)
        node->unit[row] = gdyn_problem_unit(c, row);
    return gdyn_copy_take(&node->copy, c);
}

/* Nodes of a new solution, denser where the motion starts or ends at rest. */
static gdyn_status open_plan(gdyn_rate_plan *a, gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                             const gdyn_traverse_settings *settings, int segments) {
    int k = gdyn_path_dynamics_rows(dynamics), r = gdyn_path_dynamics_redundancy(dynamics);
    *a = (gdyn_rate_plan){.dynamics = dynamics, .out = out};
    a->q = (gdyn_convex){.count = segments + 1, .k = k, .r = r, .rate = settings->rate};
    gdyn_status status = allocate_plan(a, (size_t)segments + 1);
    double first = gdyn_path_dynamics_first(dynamics), last = gdyn_path_dynamics_last(dynamics);
    bool rest[2] = {settings->start_speed == 0, settings->end_speed == 0};
    /* coefficients at every node */
    for (int i = 0; i <= segments && status == GDYN_OK; i++) {
        double share = graded((double)i / segments, rest[0], rest[1]);
        a->q.slow[i] = 1;
        status = open_node(a, i, i < segments ? first + (last - first) * share : last);
    }
    for (int i = 0; i < segments && status == GDYN_OK; i++)
        a->q.h[i] = a->q.node[i + 1].p - a->q.node[i].p;
    /* what is fixed at the ends: x where a speed is wanted, u at rest */
    for (int end = 0; end < 2; end++) {
        double speed = end ? settings->end_speed : settings->start_speed;
        a->q.fixed_x[end] = !isnan(speed), a->q.fixed_u[end] = rest[end];
    }
    return status;
}

/* --- where the search begins ------------------------------------------------------------------ */

/* x of the motion without rate limits. */
static double free_x(const gdyn_traverse *out, double p) {
    int i = 0;
    while (i + 2 < out->points && out->point[i + 1].p <= p)
        i++;
    const gdyn_motion_point *a = &out->point[i], *b = a + 1;
    double f = b->p > a->p ? fmin(fmax((p - a->p) / (b->p - a->p), 0), 1) : 0;
    return (1 - f) * a->d1 * a->d1 + f * b->d1 * b->d1;
}

/* y of the internal forces nearest to the wanted ones, by the same steps on V = Q R. */
static void aim(gdyn_convex_node *node, const double *wanted, double *work) {
    const gdyn_coefficients *c = &node->copy.coefficients;
    int k = c->k, r = c->r;
    /* forces without internal load, and what they lack */
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
            for (int i = 0; i < k; i++)
                dot += w[i] * miss[i], norm += w[i] * w[i];
            double more = norm > 0 ? dot / norm : 0;
            node->y[j] += more;
            for (int i = 0; i < k; i++)
                miss[i] -= more * w[i];
        }
    }
}

/* A force well inside its limits. */
static double middle_force(const gdyn_coefficients *c, int row) {
    double low = c->min[row], high = c->max[row];
    return isfinite(low) && isfinite(high) ? 0.5 * (low + high)
           : isfinite(low)                 ? low + 1
           : isfinite(high)                ? high - 1
                                           : 0;
}

/* What becomes of x near a hold, where x ~ p^(4/3) and not p. */
static double softened(const gdyn_convex *q, int i) {
    double first = q->node[0].p, length = q->node[q->count - 1].p - first;
    double f = 10 * (q->node[i].p - first) / length, factor = 1;
    factor *= q->fixed_u[0] && f < 1 ? cbrt(f) : 1;
    f = 10 - f;
    return factor * (q->fixed_u[1] && f < 1 ? cbrt(f) : 1);
}

/* The motion without rate limits, with x times `share`; internal forces near the limits' middle. */
static void slow_copy(gdyn_rate_plan *a, const gdyn_traverse_settings *settings, double share) {
    gdyn_convex *q = &a->q;
    double *wanted = a->work + 2 * q->k;
    int last = q->count - 1;
    /* x: a share of that of the motion without limits on rates */
    for (int i = 0; i <= last; i++) {
        gdyn_convex_node *node = &q->node[i];
        double end = i == 0 ? settings->start_speed : i == last ? settings->end_speed : NAN;
        double x =
            fmax(share * softened(q, i) * free_x(a->out, node->p), START_LEAST * share * q->X);
        node->x = isnan(end) ? x : end * end;
    }
    /* u from neighbouring x, forces from the middle of their ranges */
    for (int i = 0; i <= last; i++) {
        int b = i > 0 ? i - 1 : 0, e = i < last ? i + 1 : last;
        gdyn_convex_node *node = &q->node[i];
        node->u = (q->node[e].x - q->node[b].x) / (2 * (q->node[e].p - q->node[b].p));
        node->u = (i == 0 && q->fixed_u[0]) || (i == last && q->fixed_u[1]) ? 0 : node->u;
        for (int row = 0; row < q->k; row++)
            wanted[row] = middle_force(&node->copy.coefficients, row);
        aim(node, wanted, a->work);
    }
}

/* The search begins with the slow copy that is nearest to keeping all limits. */
static gdyn_status begin_free(gdyn_rate_plan *a, const gdyn_traverse_settings *settings) {
    enum { TRIALS = 16 };
    gdyn_convex *q = &a->q;
    double best = 1, least = INFINITY, share = 0.25;
    /* the unit of x: the fastest the motion without limits on rates becomes */
    for (int i = 0; i < q->count; i++)
        q->X = fmax(q->X, free_x(a->out, q->node[i].p));
    /* slower and slower: the smallest excess begins best */
    for (int i = 0; i < TRIALS; i++, share *= 0.25) {
        slow_copy(a, settings, share);
        double excess = gdyn_convex_excess(q);
        if (excess < 0.9 * least) {
            least = excess;
            best = share;
        }
    }
    /* units of x and u from that start */
    q->X *= best;
    slow_copy(a, settings, best);
    for (int i = 0; i < q->count; i++)
        q->U = fmax(q->U, fabs(q->node[i].u));
    return q->X > 0 && q->U > 0 ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

/* An interior-point method cannot begin near the edge: slower, and internal forces nearer to the
 * limits' middle. F: forces to be near to. */
static void back_off(gdyn_rate_plan *a, int i, const double *F) {
    static const double SLOWER = 0.6, SHARE = 0.5;
    gdyn_convex *q = &a->q;
    gdyn_convex_node *node = &q->node[i];
    double *wanted = a->work + 2 * q->k;
    bool end = i == 0 || i == q->count - 1;
    /* fixed ends stay */
    if (!end || !q->fixed_x[i > 0])
        node->x *= SLOWER;
    node->u *= SLOWER;
    /* forces half way to the middle of their ranges */
    for (int row = 0; row < q->k; row++) {
        double middle = middle_force(&node->copy.coefficients, row);
        wanted[row] = (1 - SHARE) * F[row] + SHARE * middle;
    }
    aim(node, wanted, a->work);
}

/* --- tightening ------------------------------------------------------------------------------- */

/* Solves again with tighter limits, until the audit finds nothing. */
static gdyn_status tighten(gdyn_rate_plan *a, double gap, gdyn_convex_outcome *outcome) {
    enum { ROUNDS = 12 };
    gdyn_status status = GDYN_OK;
    /* the audit tightens where it finds a violation; from a start well inside it is solved again */
    for (int round = 0; status == GDYN_OK && outcome->possible; round++) {
        status = gdyn_rate_audit(a, round);
        if (status != GDYN_OK || a->violation <= VIOLATION || round == ROUNDS)
            break;
        for (int i = 0; i < a->q.count; i++)
            back_off(a, i, a->q.node[i].F);
        status = gdyn_convex_solve(&a->q, gap, outcome);
    }
    return status;
}

/* --- results ---------------------------------------------------------------------------------- */

static void add_active(gdyn_motion_point *m, gdyn_limit limit) {
    if (m->limit_count < GDYN_ACTIVE_MAX)
        m->limit[m->limit_count++] = limit;
}

/* Limits that are reached at a node. */
static void name_active(const gdyn_rate_plan *a, int i, gdyn_motion_point *m) {
    const gdyn_convex *q = &a->q;
    const gdyn_convex_node *node = &q->node[i];
    const gdyn_coefficients *c = &node->copy.coefficients;
    m->limit_count = 0;
    /* limits of the force at the node, and of its rate up to the next one */
    for (int side = 0; side < 2 * q->k; side++) {
        int row = side / 2, sign = side % 2 ? 1 : -1;
        double bound = gdyn_limit_at(c, row, sign > 0, m->d1);
        if (sign * (bound - node->F[row]) / node->unit[row] - node->tighten <= ACTIVE)
            add_active(m, gdyn_limit_force(row, sign));
        if (i + 1 < q->count && isfinite(q->rate[row])) {
            double most = q->rate[row] * q->slow[i] * gdyn_convex_time(q, i);
            if (sign * (node[1].F[row] - node->F[row]) >= (1 - ACTIVE_RATE) * most)
                add_active(m, gdyn_limit_rate(row, sign));
        }
    }
    /* the speed limits only where no force does */
    if (m->limit_count == 0 && m->d1 >= c->d1_high * (1 - node->tighten) * (1 - ACTIVE))
        add_active(m, gdyn_limit_window(c->d1_high_window, 1));
}

/* Same limits, in any order. */
static bool same_limits(const gdyn_motion_point *a, const gdyn_motion_point *b) {
    bool same = a->limit_count == b->limit_count;
    for (int i = 0; same && i < a->limit_count; i++)
        same = gdyn_limit_same(a->limit[i], b->limit[i]);
    return same;
}

/* Between the two speeds their squares are linear in p, as under constant d2. */
static double between(double f, double a, double b) {
    if (isinf(a) || isinf(b))
        return fmin(a, b);
    return sqrt((1 - f) * a * a + f * b * b);
}

/* Controllable speeds and the maximum-velocity curve stay those without rate limits. */
static void keep_speeds(const gdyn_traverse *out, double p, gdyn_motion_point *m) {
    int i = 0;
    while (i + 2 < out->points && out->point[i + 1].p <= p)
        i++;
    const gdyn_motion_point *a = &out->point[i], *b = out->points > 1 ? a + 1 : a;
    double f = b->p > a->p ? fmin(fmax((p - a->p) / (b->p - a->p), 0), 1) : 0;
    m->k_low = between(f, a->k_low, b->k_low), m->k_high = between(f, a->k_high, b->k_high);
    m->d1_max = between(f, a->d1_max, b->d1_max);
}

/* The solution replaces the motion without limits on rates. */
static gdyn_status take_points(gdyn_rate_plan *a, double error) {
    gdyn_convex *q = &a->q;
    gdyn_traverse *out = a->out;
    size_t count = (size_t)q->count, rows = (size_t)q->k;
    gdyn_motion_point *points = gdyn_alloc(count, sizeof *points);
    double *force = gdyn_alloc(count * rows + 1, sizeof *force), t = 0;
    if (!points || !force) {
        gdyn_free(points);
        gdyn_free(force);
        return GDYN_ERROR_MEMORY;
    }
    /* the nodes become points of the motion, with their time */
    for (int i = 0; i < q->count; i++) {
        const gdyn_convex_node *node = &q->node[i];
        gdyn_motion_point *m = &points[i];
        *m = (gdyn_motion_point){.p = node->p, .t = t, .d1 = sqrt(node->x), .d2 = node->u};
        m->d2_before = node->u;
        m->s = m->p, m->s1 = m->d1, m->s2 = m->s2_before = m->d2;
        keep_speeds(out, node->p, m);
        name_active(a, i, m);
        m->switching = i > 0 && !same_limits(m - 1, m);
        memcpy(force + (size_t)i * rows, node->F, (size_t)q->k * sizeof *force);
        t += i + 1 < q->count ? gdyn_convex_time(q, i) : 0;
    }
    /* the old motion makes room */
    gdyn_free(out->point);
    gdyn_free(out->force);
    gdyn_free(out->audit);
    out->point = points, out->points = out->capacity = q->count;
    out->force = force, out->rows = (int)rows;
    out->audit = a->audit, out->audits = a->audits;
    a->audit = NULL;
    /* the audit's result, and both times */
    out->violation = a->violation, out->violation_p = a->violation_p;
    out->free_time = out->time;
    out->time = out->upper = t;
    out->rate_error = error;
    return GDYN_OK;
}

/* No motion was found: the other one is not reported. */
static void give_up(gdyn_traverse *out, double excess) {
    out->status = GDYN_TRAVERSE_RATE;
    out->free_time = out->time;
    out->rate_excess = excess;
    out->time = out->upper = out->lower = NAN;
    out->place = out->points > 0 ? out->point[0].p : NAN;
    out->place_end = out->points > 0 ? out->point[out->points - 1].p : NAN;
    /* points keep their place, everything else is unknown */
    for (int i = 0; i < out->points; i++) {
        gdyn_motion_point *m = &out->point[i];
        m->t = m->d1 = m->d2 = m->d2_before = m->s1 = m->s2 = m->s2_before = NAN;
        m->limit_count = 0;
    }
    out->audits = 0;
}

/* Opens a plan that begins where the one before ended, on twice as many segments. */
static gdyn_status next_plan(gdyn_rate_plan *now, gdyn_rate_plan *before, gdyn_traverse *out,
                             gdyn_path_dynamics *dynamics, const gdyn_traverse_settings *settings,
                             int segments) {
    /* the last solution is the start of the next */
    close_plan(before);
    *before = *now;
    gdyn_status status = open_plan(now, out, dynamics, settings, segments);
    if (status == GDYN_OK && before->q.node) {
        /* The solution on half as many segments. */
        gdyn_convex *q = &now->q;
        const gdyn_convex *c = &before->q;
        q->X = c->X, q->U = c->U;
        /* every other node is one of the coarse solution */
        for (int i = 0; i < q->count; i++) {
            const gdyn_convex_node *b = &c->node[i / 2], *e = &c->node[(i + 1) / 2];
            gdyn_convex_node *node = &q->node[i];
            double f = e->p > b->p ? (node->p - b->p) / (e->p - b->p) : 0;
            if (b->x == 0 || e->x == 0) /* x ~ p^(4/3) from a hold */
                f = b->x == 0 ? pow(f, 4 / 3.0) : 1 - pow(1 - f, 4 / 3.0);
            node->x = i % 2 ? (1 - f) * b->x + f * e->x : b->x;
            node->u = i % 2 ? 0.5 * (b->u + e->u) : b->u;
            for (int row = 0; row < q->k; row++)
                node->F[row] = 0.5 * (b->F[row] + e->F[row]);
            back_off(now, i, node->F);
        }
        return GDYN_OK;
    }
    return status == GDYN_OK ? begin_free(now, settings) : status;
}

/* Doubles the number of segments until the time changes little, and until the audit's tightening
 * costs little. */
gdyn_status gdyn_rate_run(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                          const gdyn_traverse_settings *settings) {
    gdyn_rate_plan now = {0}, before = {0};
    gdyn_convex_outcome outcome = {.possible = true};
    double last = NAN, error = NAN, share = REFINED * settings->tolerance;
    double gap = fmax(GAP * settings->tolerance, GAP_LEAST);
    gdyn_status status = GDYN_OK;
    bool good = false, stuck = false;
    for (int segments = FIRST_SEGMENTS;
         segments <= MOST_SEGMENTS && !good && !stuck && status == GDYN_OK && outcome.possible;
         segments *= 2) {
        /* solve on these segments */
        status = next_plan(&now, &before, out, dynamics, settings, segments);
        if (status == GDYN_OK)
            status = gdyn_convex_solve(&now.q, gap, &outcome);
        stuck = !outcome.possible && before.q.node; /* what was possible stands */
        if (stuck) {
            gdyn_rate_plan finer = now;
            now = before, before = finer;
            outcome = (gdyn_convex_outcome){.possible = true, .time = last};
        }
        /* converged when refinement and audit change the time by less than the share */
        double planned = outcome.time;
        error = stuck ? error : fabs(planned - last) / planned;
        last = planned;
        good = error <= share;
        if (status == GDYN_OK && outcome.possible && settings->audit &&
            (good || stuck || 2 * segments > MOST_SEGMENTS)) {
            status = tighten(&now, gap, &outcome);
            error = fmax(error, outcome.time / planned - 1);
            good = good && error <= share;
        }
    }
    /* the last solution counts, converged or not */
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
