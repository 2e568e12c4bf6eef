/* rate.c - limits on the rates of limit rows (forces; accelerations: jerk): the grid of the problem,
 * its refinement, and the audit of the result (the search itself: convex.c).
 *
 * A motion that leaves a rest with continuous d2 begins with p ~ t^3, so nodes are as dense there
 * as the cubes of even steps, which are even steps in time. */
#include "traverse/internal.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Smallest gap of the barrier. */
static const double GAP_LEAST = 1e-8;
/* Parts between knots that are shorter, in segments, are not kept apart. */
static const double SHORT = 0.05;

enum { FIRST_SEGMENTS = 40, FIRST_SAMPLES = 1000, SAMPLES = 8 };
static const double VIOLATION = 1e-9, ACTIVE = 5e-3, ACTIVE_RATE = 0.03;
/* Shares of the tolerance: distance from the optimum, change that ends the refinement. */
static const double GAP = 0.05, REFINED = 0.5;

/* --- nodes ------------------------------------------------------------------------------------ */

/* Smooth motion, at rests by cubes of its time s in 0..1: share of the path, two derivatives. */
static void graded(double s, bool rest_first, bool rest_last, double jet[3]) {
    double r = 1 - s;
    if (rest_first && rest_last) {
        jet[0] = s * s * s * (10 + s * (-15 + 6 * s));
        jet[1] = 30 * s * s * r * r;
        jet[2] = 60 * s * r * (r - s);
    } else if (rest_first) {
        jet[0] = s * s * s * (2 - s), jet[1] = s * s * (6 - 4 * s), jet[2] = 12 * s * r;
    } else if (rest_last) {
        graded(r, true, false, jet);
        jet[0] = 1 - jet[0], jet[2] = -jet[2];
    } else {
        jet[0] = s, jet[1] = 1, jet[2] = 0;
    }
}

/* Its time at a share of the path. */
static double graded_time(double share, const bool rest[2]) {
    enum { HALVINGS = 60 };
    double low = 0, high = 1, jet[3];
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high);
        graded(middle, rest[0], rest[1], jet);
        *(jet[0] < share ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
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
    gdyn_arena *arena = a->arena;
    a->q.node = gdyn_arena_alloc(arena, count, sizeof *a->q.node);
    a->q.slow = gdyn_arena_doubles(arena, count);
    a->q.h = gdyn_arena_doubles(arena, count);
    a->q.bow = gdyn_arena_doubles(arena, count);
    a->q.cap = gdyn_arena_doubles(arena, count);
    a->work = gdyn_arena_doubles(arena, k * (r + 4 + GDYN_AUDIT_PARTS));
    a->part = gdyn_arena_alloc(arena, count * (GDYN_AUDIT_PARTS - 1), sizeof *a->part);
    for (size_t i = 0; i < count && !gdyn_arena_failed(arena); i++) {
        a->q.node[i].y = gdyn_arena_doubles(arena, r);
        a->q.node[i].F = gdyn_arena_doubles(arena, k);
        a->q.node[i].unit = gdyn_arena_doubles(arena, k);
    }
    return gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

/* Coefficients of node i at p. All nodes have as many rows as the first; q.k and q.r are room. */
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

/* A clock that goes from 0 to 1 along the path, by samples. */
typedef struct path_clock {
    int count;
    double *p, *time;
} path_clock;

static path_clock allocate_clock(gdyn_arena *arena, int count) {
    size_t n = (size_t)count;
    path_clock c = {count, gdyn_arena_doubles(arena, n), gdyn_arena_doubles(arena, n)};
    c.count = gdyn_arena_failed(arena) ? 0 : count;
    return c;
}

/* y where the ascending x has that value, linear between samples. */
static double look_up(int count, const double *x, const double *y, double at) {
    int i = 0;
    for (int high = count - 1; high - i > 1;) {
        int middle = (i + high) / 2;
        *(x[middle] <= at ? &i : &high) = middle;
    }
    double f = x[i + 1] > x[i] ? fmin(fmax((at - x[i]) / (x[i + 1] - x[i]), 0), 1) : 0;
    return (1 - f) * y[i] + f * y[i + 1];
}

/* Time of a solution; where its audit is known, it is half of the clock, and what was missed in a
 * segment, which grows with its length, has an equal share. */
static path_clock clock_of_solution(gdyn_arena *arena, const gdyn_convex *q) {
    path_clock c = allocate_clock(arena, SAMPLES * (q->count - 1) + 1);
    double t = 0, whole = 0, missed = 0;
    for (int i = 0; i + 1 < q->count; i++) {
        whole += gdyn_convex_time(q, i);
        missed += sqrt(q->node[i].missed * gdyn_convex_time(q, i));
    }
    for (int k = 0; k < c.count; k++) {
        int i = k + 1 < c.count ? k / SAMPLES : q->count - 2, part = k - i * SAMPLES;
        double dt = gdyn_convex_time(q, i), step = dt / whole;
        if (missed > 0)
            step = 0.5 * (step + sqrt(q->node[i].missed * dt) / missed);
        c.p[k] = gdyn_rate_motion(q, i, dt * part / SAMPLES).p;
        c.time[k] = t + step * part / SAMPLES;
        t += part == SAMPLES - 1 ? step : 0;
    }
    return c;
}

/* Half of it is the time of the motion without limits on rates, half the turning of the path: how
 * much the influence of d2 on each row changes, as a share of its largest one. */
static gdyn_status clock_of_path(gdyn_rate_plan *a, path_clock *clock) {
    const gdyn_traverse *out = a->out;
    size_t k = (size_t)gdyn_path_dynamics_rows(a->dynamics), n = (size_t)out->points;
    double *D = gdyn_arena_doubles(a->arena, n * k), *most = gdyn_arena_doubles(a->arena, k);
    double *turned = gdyn_arena_doubles(a->arena, n), whole = out->point[n - 1].t;
    gdyn_status status = GDYN_OK;
    *clock = allocate_clock(a->arena, out->points);
    for (size_t i = 0; i < n && clock->count > 0 && status == GDYN_OK; i++) {
        const gdyn_coefficients *c;
        gdyn_point_status found;
        status = gdyn_path_dynamics_at(a->dynamics, out->point[i].s, &c, &found);
        for (int row = 0; status == GDYN_OK && found == GDYN_POINT_OK && row < c->k; row++) {
            D[i * k + (size_t)row] = c->D[row];
            most[row] = fmax(most[row], fabs(c->D[row]));
        }
    }
    for (size_t i = 1; i < n && clock->count > 0; i++) {
        turned[i] = turned[i - 1];
        for (size_t row = 0; row < k; row++)
            if (most[row] > 0)
                turned[i] += fabs(D[i * k + row] - D[(i - 1) * k + row]) / most[row];
    }
    for (size_t i = 0; i < n && clock->count > 0; i++) {
        clock->p[i] = out->point[i].s;
        double share = turned[n - 1] > 0 ? turned[i] / turned[n - 1] : out->point[i].t / whole;
        clock->time[i] = 0.5 * (out->point[i].t / whole + share);
    }
    return clock->count > 0 ? status : GDYN_ERROR_MEMORY;
}

/* The mean of the smooth motion's, the path's and (if there is one) the solution's clocks. */
static gdyn_status make_clock(gdyn_rate_plan *a, const gdyn_convex *before, path_clock *clock) {
    double first = gdyn_path_dynamics_first(a->dynamics), jet[3];
    double length = gdyn_path_dynamics_last(a->dynamics) - first;
    path_clock path, solution = {0};
    gdyn_status status = clock_of_path(a, &path);
    if (status == GDYN_OK && before)
        solution = clock_of_solution(a->arena, before);
    if (status != GDYN_OK || (before && solution.count == 0))
        return status == GDYN_OK ? GDYN_ERROR_MEMORY : status;
    /* at the samples of all */
    *clock = allocate_clock(a->arena, FIRST_SAMPLES + 1 + path.count + solution.count);
    for (int i = 0, j = 0; i < clock->count; i++) {
        graded(fmin((double)i / FIRST_SAMPLES, 1), a->q.fixed_u[0], a->q.fixed_u[1], jet);
        j = i - FIRST_SAMPLES - 1;
        clock->p[i] = j < 0            ? first + length * jet[0]
                      : j < path.count ? path.p[j]
                                       : solution.p[j - path.count];
    }
    qsort(clock->p, (size_t)clock->count, sizeof *clock->p, gdyn_ascending);
    for (int i = 0; i < clock->count; i++) {
        double p = clock->p[i], sum = graded_time((p - first) / length, a->q.fixed_u);
        sum += look_up(path.count, path.p, path.time, p);
        if (before)
            sum += look_up(solution.count, solution.p, solution.time, p);
        clock->time[i] = sum / (before ? 3 : 2);
    }
    return clock->count > 0 ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* Places of the nodes: about as many segments, equal by the clock from knot to knot of the path, at
 * which the rates of accelerations jump (unless they are too many). Returns their number. */
static int place_nodes(const gdyn_rate_plan *a, const path_clock *clock, int segments, double *p) {
    int count = 0, knots = gdyn_path_dynamics_knots(a->dynamics);
    double from = clock->p[0], to = clock->p[clock->count - 1], left = 0;
    for (int i = 0; i <= knots; i++) {
        double mark = i < knots ? gdyn_path_dynamics_knot(a->dynamics, i) : to;
        double time = i < knots ? look_up(clock->count, clock->p, clock->time, mark) : 1;
        if (i < knots && (2 * knots > segments || !(mark > from && mark < to) ||
                          (time - left) * segments < SHORT || (1 - time) * segments < SHORT))
            continue;
        int parts = (int)fmax(1, round(segments * (time - left)));
        for (int k = 0; k < parts; k++)
            p[count++] = k == 0 ? from
                                : look_up(clock->count, clock->time, clock->p,
                                          left + (time - left) * k / parts);
        from = mark, left = time;
    }
    p[count++] = to;
    return count;
}

/* Nodes of a new solution, by the one before. */
static gdyn_status open_plan(gdyn_rate_plan *a, gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                             const gdyn_traverse_settings *settings, const gdyn_convex *before,
                             int segments) {
    int k = gdyn_path_dynamics_rows(dynamics), r = gdyn_path_dynamics_redundancy(dynamics);
    *a = (gdyn_rate_plan){.dynamics = dynamics, .out = out, .arena = gdyn_arena_create()};
    a->q = (gdyn_convex){.k = k, .r = r, .rate = settings->rate};
    /* what is fixed at the ends: x where a speed is wanted, u at rest */
    for (int end = 0; end < 2; end++) {
        double speed = end ? settings->end_speed : settings->start_speed;
        a->q.fixed_x[end] = !isnan(speed), a->q.fixed_u[end] = speed == 0;
    }
    path_clock clock;
    gdyn_status status = make_clock(a, before, &clock);
    double *p = gdyn_arena_doubles(a->arena, (size_t)(2 * segments + 2));
    if (status != GDYN_OK || !p)
        return status == GDYN_OK ? GDYN_ERROR_MEMORY : status;
    int count = place_nodes(a, &clock, segments, p);
    status = allocate_plan(a, (size_t)count);
    a->q.count = status == GDYN_OK ? count : 0;
    for (int i = 0; i < count && status == GDYN_OK; i++) {
        a->q.slow[i] = 1;
        a->q.cap[i] = INFINITY;
        a->q.node[i].missed = NAN;
        status = open_node(a, i, p[i]);
    }
    for (int i = 0; i + 1 < count && status == GDYN_OK; i++)
        a->q.h[i] = p[i + 1] - p[i];
    return status;
}

/* --- where the search begins ------------------------------------------------------------------ */

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

/* The smooth motion in that time, between fixed speeds; internal forces near the limits' middle. */
static void smooth_motion(gdyn_rate_plan *a, const gdyn_traverse_settings *settings, double time) {
    gdyn_convex *q = &a->q;
    double *wanted = a->work + 2 * q->k, jet[3];
    double first = q->node[0].p, length = q->node[q->count - 1].p - first;
    q->X = q->U = 0;
    for (int i = 0; i < q->count; i++) {
        gdyn_convex_node *node = &q->node[i];
        double share = (node->p - first) / length, far = 1 - share;
        graded(graded_time(share, q->fixed_u), q->fixed_u[0], q->fixed_u[1], jet);
        node->x = length * length / (time * time) * jet[1] * jet[1];
        node->u = length / (time * time) * jet[2];
        /* speeds that are given */
        for (int end = 0; end < 2; end++) {
            double v = end ? settings->end_speed : settings->start_speed, d = end ? share : far;
            if (v > 0) {
                node->x += v * v * d * d * d * d;
                node->u += (end ? 2 : -2) * v * v * d * d * d / length;
            }
            if (i == end * (q->count - 1) && q->fixed_x[end])
                node->x = v * v, node->u = v > 0 ? node->u : 0;
        }
        q->X = fmax(q->X, node->x), q->U = fmax(q->U, fabs(node->u));
        for (int row = 0; row < q->k; row++)
            wanted[row] = middle_force(&node->copy.coefficients, row);
        aim(node, wanted, a->work);
    }
    q->U = fmax(q->U, q->X / length);
}

/* The search begins with a slow motion that keeps all limits, or is nearest to it. */
static gdyn_status begin_slow(gdyn_rate_plan *a, const gdyn_traverse_settings *settings) {
    enum { TRIALS = 40 };
    static const double SLOWER = 1.5, ROOM = 1.2;
    double best = NAN, least = INFINITY, time = a->out->time;
    for (int i = 0; i < TRIALS && least > 0; i++, time *= SLOWER) {
        smooth_motion(a, settings, time);
        double excess = gdyn_convex_excess(&a->q);
        if (excess < least)
            least = excess, best = time;
    }
    smooth_motion(a, settings, ROOM * best);
    return isfinite(best) && a->q.X > 0 ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

/* An interior-point method begins inside of all limits: with the same motion, slower, and internal
 * forces nearer to the limits' middle than F of the nodes, as long as it takes. */
static void back_off(gdyn_rate_plan *a) {
    enum { TRIALS = 40 };
    static const double SLOWER = 0.6, SHARE = 0.5;
    gdyn_convex *q = &a->q;
    double *wanted = a->work + 2 * q->k;
    for (int trial = 0; trial < TRIALS; trial++) {
        for (int i = 0; i < q->count; i++) {
            gdyn_convex_node *node = &q->node[i];
            /* fixed ends stay */
            if ((i > 0 || !q->fixed_x[0]) && (i + 1 < q->count || !q->fixed_x[1]))
                node->x *= SLOWER;
            node->u *= SLOWER;
            /* forces half way to the middle of their ranges */
            for (int row = 0; row < q->k; row++)
                wanted[row] = (1 - SHARE) * node->F[row] +
                              SHARE * middle_force(&node->copy.coefficients, row);
            aim(node, wanted, a->work);
        }
        if (gdyn_convex_excess(q) == 0)
            return;
    }
}

/* --- tightening ------------------------------------------------------------------------------- */

/* Solves again with tighter limits, until the audit finds nothing. */
static gdyn_status tighten(gdyn_rate_plan *a, double gap, gdyn_convex_outcome *outcome) {
    enum { ROUNDS = 20 };
    gdyn_status status = GDYN_OK;
    /* the audit tightens where it finds a violation; from a start well inside it is solved again */
    for (int round = 0; status == GDYN_OK && outcome->possible; round++) {
        status = gdyn_rate_audit(a, round);
        if (status != GDYN_OK || a->violation <= VIOLATION || round == ROUNDS)
            break;
        back_off(a);
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
    gdyn_free(out->point);
    gdyn_free(out->force);
    gdyn_free(out->audit);
    out->point = points, out->points = out->capacity = q->count;
    out->force = force, out->rows = (int)rows;
    out->audit = a->audit, out->audits = a->audits;
    a->audit = NULL;
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

/* Opens a plan with about as many segments that begins where the one before ended. */
static gdyn_status next_plan(gdyn_rate_plan *now, gdyn_rate_plan *before, gdyn_traverse *out,
                             gdyn_path_dynamics *dynamics, const gdyn_traverse_settings *settings,
                             int segments) {
    /* the last solution is the start of the next */
    close_plan(before);
    *before = *now;
    const gdyn_convex *c = before->q.node ? &before->q : NULL;
    gdyn_status status = open_plan(now, out, dynamics, settings, c, segments);
    gdyn_convex *q = &now->q;
    if (status != GDYN_OK || !c)
        return status == GDYN_OK ? begin_slow(now, settings) : status;
    q->X = c->X, q->U = c->U;
    for (int i = 0, j = 0; i < q->count; i++) {
        gdyn_convex_node *node = &q->node[i];
        while (j + 2 < c->count && c->node[j + 1].p <= node->p)
            j++;
        const gdyn_convex_node *b = &c->node[j], *e = b + 1;
        gdyn_sample at = gdyn_rate_along(c, j, fmin((node->p - b->p) / (e->p - b->p), 1));
        double f = at.t / gdyn_convex_time(c, j);
        bool last = i + 1 == q->count;
        node->x = i == 0      ? b->x
                  : last      ? e->x
                  : at.d1 > 0 ? at.d1 * at.d1
                              : (1 - f) * b->x + f * e->x; /* rounding next to a rest */
        q->bow[i] = last ? 0 : c->bow[j] * pow((node[1].p - node->p) / (e->p - b->p), 2);
        node->u = last ? e->u : at.d2;
        for (int row = 0; row < q->k; row++)
            node->F[row] = (1 - f) * b->F[row] + f * e->F[row];
    }
    back_off(now);
    return GDYN_OK;
}

/* Doubles the number of segments until the time changes little, and until the audit's tightening
 * costs little: both together are within the tolerance. Where the audit tightened, its segments
 * are the shorter in the next solution. */
gdyn_status gdyn_rate_run(gdyn_traverse *out, gdyn_path_dynamics *dynamics,
                          const gdyn_traverse_settings *settings) {
    gdyn_rate_plan now = {0}, before = {0};
    gdyn_convex_outcome outcome = {.possible = true};
    double last = NAN, change = NAN, error = NAN, gap = fmax(GAP * settings->tolerance, GAP_LEAST);
    gdyn_status status = GDYN_OK;
    bool good = false, final = false;
    for (int segments = FIRST_SEGMENTS;
         !(good && error <= REFINED * settings->tolerance) && !final && status == GDYN_OK;
         segments *= 2) {
        /* what stands if finer segments do not help */
        bool stands = now.audits > 0 && now.violation <= VIOLATION;
        double known = outcome.time, known_error = error;
        status = next_plan(&now, &before, out, dynamics, settings, segments);
        if (status == GDYN_OK)
            status = gdyn_convex_solve(&now.q, gap, &outcome);
        final = 2 * segments >= settings->max_points || !outcome.possible;
        error = change = fabs(outcome.time - last) / outcome.time;
        /* converged when refinement and audit together change the time by less */
        if (status == GDYN_OK && outcome.possible) {
            last = outcome.time;
            if (settings->audit && (change <= REFINED * settings->tolerance || final))
                status = tighten(&now, gap, &outcome);
            error += outcome.time / last - 1;
        }
        /* what was missing when the search for a first motion ended */
        gdyn_convex_outcome lacks = outcome;
        bool failed = status == GDYN_ERROR_NUMERIC || (status == GDYN_OK && !outcome.possible);
        bool worse = now.audits > 0 && (now.violation > VIOLATION ||
                                        outcome.time > known * (1 + settings->tolerance));
        if (before.q.node && (failed || (stands && worse))) {
            gdyn_rate_plan finer = now;
            now = before, before = finer, status = GDYN_OK;
            outcome = (gdyn_convex_outcome){.possible = true, .time = known};
            error = known_error;
            if (settings->audit && final && now.audits == 0)
                status = tighten(&now, gap, &outcome);
            error += outcome.time / known - 1;
        }
        if (status == GDYN_ERROR_NUMERIC && !lacks.possible && lacks.excess > 0)
            outcome = lacks, status = GDYN_OK;
        good = error <= settings->tolerance && outcome.possible && now.violation <= VIOLATION;
        final = final || !outcome.possible;
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
