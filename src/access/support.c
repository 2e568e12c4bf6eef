/* support.c - the region by linear programs: maximum and minimum z at fixed t, walked exactly along
 * t.
 *
 *   max / min z   subject to   low + low1 t - load(t) <= d z + V y <= high + high1 t - load(t)
 *
 * The optimal basis at one t stays dual feasible for every t, because t moves only the bounds. Its
 * z(t) and all row slacks are quadratics in t: it remains optimal exactly as long as no slack turns
 * negative. So one linear program proves a whole stretch of an envelope, its multipliers are the
 * elementary vector of that arc, and the stretches are laid side by side until the domain is
 * covered (parametric programming; support method of Bretl and Lall 2008). Where no (z, y) exists,
 * the program
 *
 *   min s >= 0   subject to   low - s <= ... <= high + s
 *
 * gives in the same way the stretch on which s(t) > 0. The cost follows the number of arcs. */
#include "access/projection.h"

#include "base/memory.h"
#include "lp/lp.h"

#include <string.h>

/* Share of the largest multiplier that is rounding of the linear program. */
static const double NO_MULTIPLIER = 1e-9;
/* Minimum violation that rounding explains, fixed and per load; relaxation that opens such a place;
 * violation of a single point. */
static const double NOISE = 1e-10, LOAD_NOISE = 1e-14, RELAXED = 1e-13, OPEN = 1e-10;
/* Relative distance within which a seam is moved to the root of its pieces. */
static const double SEAM = 1e-6;
/* Relative difference of places and of values that agree but for rounding. */
static const double SAME = 1e-9;

enum { DEEPEST = 400 };
/* Stretches narrower than this (relative) are rounding. */
#define NARROW 1e-11
/* Loads there are 10^14 limits: a root beyond is made of rounding. Times the root of the largest
 * limit. */
#define FAR 1e7

typedef struct sweep {
    gdyn_arena *arena;
    const gdyn_problem *p;
    gdyn_lp *plain;   /* k rows; z, y */
    gdyn_lp *elastic; /* 2 k rows (low side, high side); s, z, y */
    gdyn_status status;
    double *scratch;                     /* 2 k x (r + 2) */
    gdyn_quadratic *bound;               /* r + 2: of the active constraints */
    gdyn_stretches upper, lower, closed; /* closed: unreachable stretches; q is s(t) */
    int depth;
    double far; /* largest t */
    /* bounds are relaxed by this share of their size: rounding of equalities at great t */
    double relax;
} sweep;

/* One solved program as a function of t. */
typedef struct answer {
    gdyn_lp_status outcome;
    double from, to;      /* the basis is optimal there */
    gdyn_quadratic goal;  /* optimum */
    gdyn_quadratic error; /* bounds of the rounding in its a and b */
    double size;
    int active_count;
    gdyn_limit active[GDYN_ACTIVE_MAX];
} answer;

/* --- bounds as functions of t ----------------------------------------------------------------- */

/* Terms that meet in the bounds of a row; limits near 1 are rounded like 1. A far limit is a bound
 * of its own size. */
static double bound_size(const gdyn_limit_row *row, double t) {
    return 1 + gdyn_quadratic_size(gdyn_row_motion(row), t);
}

static void set_bounds(sweep *s, gdyn_lp *lp, double t) {
    int k = s->p->k;
    for (int i = 0; i < k; i++) {
        const gdyn_limit_row *row = &s->p->row[i];
        double low = isinf(row->low) ? -INFINITY : gdyn_quadratic_at(gdyn_row_gap(row, false), t);
        double high = isinf(row->high) ? INFINITY : gdyn_quadratic_at(gdyn_row_gap(row, true), t);
        /* limits that coincide but for rounding are one number */
        if (low > high && low - high <= GDYN_ACCESS_NOISE * (1 + fabs(low)))
            low = high;
        /* relaxed limits: places on an edge stay feasible */
        low -= isfinite(low) ? s->relax * (1 + fabs(low)) : 0;
        high += isfinite(high) ? s->relax * (1 + fabs(high)) : 0;
        /* z and y in a row; the program of minimum violation has a row for each side */
        if (lp == s->plain) {
            gdyn_lp_row(lp, i, low, high);
            gdyn_lp_row_size(lp, i, bound_size(row, t));
        } else {
            gdyn_lp_row(lp, i, low, INFINITY), gdyn_lp_row(lp, k + i, -INFINITY, high);
            gdyn_lp_row_size(lp, i, bound_size(row, t));
            gdyn_lp_row_size(lp, k + i, bound_size(row, t));
        }
    }
}

/* --- the optimal basis as a function of t ----------------------------------------------------- */

static int rows_of(const sweep *s, const gdyn_lp *lp) {
    return lp == s->plain ? s->p->k : 2 * s->p->k;
}

static int columns_of(const sweep *s, const gdyn_lp *lp) {
    return s->p->r + (lp == s->plain ? 1 : 2);
}

/* Coefficient of a program's row; columns are z, y, before them s in the program of smallest
 * violation. */
static double entry(const sweep *s, const gdyn_lp *lp, int row, int col) {
    const gdyn_problem *p = s->p;
    int i = row % p->k;
    if (lp != s->plain) {
        if (col == 0)
            return row < p->k ? 1 : -1;
        col--;
    }
    return col == 0 ? p->row[i].d : p->V[i * p->r + col - 1];
}

/* Writes the matrix into a program: no bounds, first basis. */
static gdyn_status load(sweep *s, gdyn_lp *lp) {
    int m = rows_of(s, lp), n = columns_of(s, lp);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            s->scratch[j * m + i] = entry(s, lp, i, j);
    /* smallest s, or minimum and maximum z */
    gdyn_status status = gdyn_lp_load(lp, m, n, s->scratch, m);
    if (status == GDYN_OK) {
        gdyn_lp_objective(lp, 0, 1);
        if (lp == s->elastic)
            gdyn_lp_column(lp, 0, 0, INFINITY);
    }
    return status;
}

/* Bound of the n-th active constraint as a function of t; columns and rows held inside stand at
 * zero. */
static gdyn_quadratic active_bound(const sweep *s, const gdyn_lp *lp, int n) {
    int row = gdyn_lp_active(lp, n);
    gdyn_lp_place place = row < rows_of(s, lp) ? gdyn_lp_row_place(lp, row) : GDYN_LP_FREE;
    if (place == GDYN_LP_FREE)
        return (gdyn_quadratic){0, 0, 0};
    return gdyn_row_gap(&s->p->row[row % s->p->k], place == GDYN_LP_AT_HIGH);
}

/* Shrinks the stretch around t to where a slack stays above the noise. */
static void limit_stretch(const sweep *s, gdyn_quadratic slack, double size, double t, answer *a) {
    double root[2];
    /* the slack may reach below zero by the noise */
    slack.c += GDYN_ACCESS_NOISE * (1 + size);
    int roots = gdyn_quadratic_roots(slack, root);
    /* the roots on both sides of t end the stretch */
    for (int i = 0; i < roots; i++) {
        if (root[i] > s->far)
            continue;
        if (root[i] > t)
            a->to = fmin(a->to, root[i]);
        else
            a->from = fmax(a->from, root[i]);
    }
}

/* Removes what cancellation leaves of a leading coefficient. */
static double cleaned(double value, double size) {
    return fabs(value) <= 0.1 * GDYN_ACCESS_NOISE * size ? 0 : value;
}

/* Activity of a row as a function of t, and the sizes of its terms. Constraints without influence
 * on it leave no rounding in it, however far their bounds are. */
static gdyn_quadratic activity_of(const sweep *s, const gdyn_lp *lp, int row,
                                  gdyn_quadratic *size) {
    gdyn_quadratic sum = {0, 0, 0};
    *size = sum;
    for (int j = 0; j < columns_of(s, lp); j++) {
        double m = gdyn_lp_influence(lp, row, j);
        gdyn_quadratic x = s->bound[j];
        sum = gdyn_quadratic_add(sum, m, x);
        *size = (gdyn_quadratic){size->a + fabs(m * x.a), size->b + fabs(m * x.b),
                                 size->c + fabs(m * x.c)};
    }
    return sum;
}

/* Slacks of the rows that are not tight. */
static void limit_by_rows(sweep *s, const gdyn_lp *lp, double t, answer *a) {
    for (int i = 0; i < rows_of(s, lp); i++) {
        /* rows at a limit stay there while the basis does */
        gdyn_lp_place place = gdyn_lp_row_place(lp, i);
        if (place != GDYN_LP_BASIC && place != GDYN_LP_FREE)
            continue;
        gdyn_quadratic size, sum = activity_of(s, lp, i, &size);
        const gdyn_limit_row *row = &s->p->row[i % s->p->k];
        /* both of its sides, as far as they are finite; in the program of minimum violation a row
         * is one side */
        for (int high = 0; high < 2; high++) {
            if (isinf(high ? row->high : row->low) || (lp != s->plain && high != (i >= s->p->k)))
                continue;
            gdyn_quadratic bound = gdyn_row_gap(row, high);
            gdyn_quadratic slack =
                high ? gdyn_quadratic_minus(bound, sum) : gdyn_quadratic_minus(sum, bound);
            slack.a = cleaned(slack.a, size.a + fabs(bound.a));
            slack.b = cleaned(slack.b, size.b + fabs(bound.b));
            limit_stretch(s, slack, size.c + fabs(bound.c), t, a);
        }
    }
}

/* Multiplier of the n-th active constraint, a row; 0 for columns. */
static double multiplier(const sweep *s, const gdyn_lp *lp, int n) {
    int row = gdyn_lp_active(lp, n);
    return row < rows_of(s, lp) ? gdyn_lp_row_dual(lp, row) : 0;
}

/* The multipliers carry the errors of the tight rows' loads into the optimum; what is under that,
 * or under the rounding of loads near 1, is zero. */
static void take_errors(const sweep *s, const gdyn_lp *lp, answer *a) {
    gdyn_quadratic error = {0, 0, 0};
    for (int i = 0; i < rows_of(s, lp); i++) {
        /* errors of the row's load, and of d2 that follows from it */
        const gdyn_limit_row *row = &s->p->row[i % s->p->k];
        double weight = fabs(gdyn_lp_row_dual(lp, i));
        error.a += weight * (row->a_error + fabs(a->goal.a) * row->d_error);
        error.b += weight * (row->b_error + fabs(a->goal.b) * row->d_error);
    }
    a->error = error;
    a->goal.a = fabs(a->goal.a) > error.a ? cleaned(a->goal.a, 1) : 0;
    a->goal.b = fabs(a->goal.b) > error.b ? cleaned(a->goal.b, 1) : 0;
}

/* Turns the optimal basis at t into functions of t. */
static void follow(sweep *s, const gdyn_lp *lp, double t, answer *a) {
    for (int j = 0; j < columns_of(s, lp); j++)
        s->bound[j] = active_bound(s, lp, j);
    /* the limits that have a multiplier, for which the largest one is the measure */
    double most = 0;
    for (int j = 0; j < columns_of(s, lp); j++)
        most = fmax(most, fabs(multiplier(s, lp, j)));
    for (int i = 0; i < rows_of(s, lp); i++) {
        if (!(fabs(gdyn_lp_row_dual(lp, i)) > NO_MULTIPLIER * most))
            continue;
        bool high = gdyn_lp_row_place(lp, i) == GDYN_LP_AT_HIGH;
        int source = s->p->row[i % s->p->k].source;
        gdyn_limit_add(a->active, &a->active_count, GDYN_ACTIVE_MAX,
                       gdyn_limit_of_source(source, high));
    }
    /* The goal is what the multipliers make of the bounds. */
    a->goal = (gdyn_quadratic){0, 0, 0};
    for (int j = 0; j < columns_of(s, lp); j++) {
        double w = multiplier(s, lp, j);
        gdyn_quadratic b = s->bound[j];
        a->goal = gdyn_quadratic_add(a->goal, w, b);
        a->size += fabs(w) * (1 + fabs(b.c));
    }
    take_errors(s, lp, a);
    /* how far no other row cuts the vertex off */
    a->from = -INFINITY, a->to = INFINITY;
    limit_by_rows(s, lp, t, a);
    if (lp == s->elastic) /* s >= 0 */
        limit_stretch(s, a->goal, 0, t, a);
    else {
        /* Limits of a row that move towards each other. */
        for (int i = 0; i < s->p->k; i++) {
            const gdyn_limit_row *row = &s->p->row[i];
            if (isfinite(row->low) && isfinite(row->high) && row->low1 != row->high1)
                limit_stretch(s, (gdyn_quadratic){0, row->high1 - row->low1, row->high - row->low},
                              fabs(row->high), t, a);
        }
    }
}

/* One program at t: outcome, optimum, and how far its basis is optimal. */
static answer ask(sweep *s, gdyn_lp *lp, bool maximize, double t) {
    answer a = {.outcome = GDYN_LP_FAILED};
    set_bounds(s, lp, t);
    gdyn_status status = gdyn_lp_solve(lp, maximize, GDYN_LP_DUAL, &a.outcome);
    if (status != GDYN_OK)
        s->status = status;
    if (a.outcome == GDYN_LP_OPTIMAL)
        follow(s, lp, t, &a);
    return a;
}

/* --- covering the domain ---------------------------------------------------------------------- */

/* An answer over [from, to] as a stretch of an envelope. */
static gdyn_envelope_stretch stretch_of(const answer *a, double from, double to, bool unbounded) {
    gdyn_envelope_stretch stretch = {.from = from, .to = to, .unbounded = unbounded};
    stretch.bound = (gdyn_bound){
        .q = a->goal, .error = a->error, .size = 1 + a->size, .active_count = a->active_count};
    memcpy(stretch.bound.active, a->active, sizeof a->active);
    return stretch;
}

static bool narrow(const sweep *s, double from, double to) {
    return !(to - from > NARROW * fmax(1, fabs(from))) || from > s->far;
}

/* The upper piece at t, or the lower one where nothing bounds z above; false when there is
 * neither. */
static bool ask_plain(sweep *s, double t, answer *a, bool *unbounded) {
    *a = ask(s, s->plain, true, t);
    *unbounded = a->outcome == GDYN_LP_UNBOUNDED;
    if (*unbounded)
        *a = ask(s, s->plain, false, t);
    return a->outcome == GDYN_LP_OPTIMAL;
}

/* Is t reachable, and how far does the proof carry? The upper piece comes with it. */
static bool probe(sweep *s, double t, answer *a, bool *unbounded) {
    if (ask_plain(s, t, a, unbounded))
        return true;
    bool free = a->outcome == GDYN_LP_UNBOUNDED;
    *a = ask(s, s->elastic, false, t);
    /* size of the loads at t: what the rounding of a violation is measured against */
    double most = 1;
    for (int i = 0; i < s->p->k; i++)
        most = fmax(most, gdyn_quadratic_size(gdyn_row_motion(&s->p->row[i]), t));
    double noise = NOISE + LOAD_NOISE * most;
    if (free || gdyn_quadratic_at(a->goal, t) > noise) {
        if (!free) {
            /* Where s(t) > 0 around t, within the stretch of the answer. */
            double root[2];
            int roots = gdyn_quadratic_roots(a->goal, root);
            for (int i = 0; i < roots; i++)
                if (root[i] > t)
                    a->to = fmin(a->to, root[i]);
                else
                    a->from = fmax(a->from, root[i]);
        }
        return free;
    }
    /* Not reachable by rounding only. */
    answer closed = *a;
    s->relax = RELAXED;
    bool open = ask_plain(s, t, a, unbounded);
    s->relax = 0;
    if (!open)
        *a = closed;
    return open;
}

/* The lower piece at t; an unbounded one holds everywhere. */
static bool ask_lower(sweep *s, double t, answer *a, bool *unbounded) {
    *a = ask(s, s->plain, false, t);
    *unbounded = a->outcome == GDYN_LP_UNBOUNDED;
    if (*unbounded)
        a->from = -INFINITY, a->to = INFINITY;
    return *unbounded || a->outcome == GDYN_LP_OPTIMAL;
}

/* Covers [from, to] with pieces of one side, ascending; with the upper ones go the closed
 * stretches. */
static void cover(sweep *s, bool upper, double from, double to) {
    if (narrow(s, from, to) || s->status != GDYN_OK || s->depth > DEEPEST)
        return;
    s->depth++;
    answer a;
    bool unbounded;
    /* ask in the interior: the answer holds on a stretch around t */
    double t = isinf(to) ? from + 1.7 * fmax(1, fabs(from)) : from + 0.4142 * (to - from);
    bool open = upper ? probe(s, t, &a, &unbounded) : ask_lower(s, t, &a, &unbounded);
    double left = fmax(from, a.from), right = fmin(to, a.to);
    /* what is left of the proven stretch, the stretch itself, what is right of it */
    cover(s, upper, from, left);
    /* the stretch itself: closed where the minimum violation is positive */
    if (!narrow(s, left, right) && (open || upper))
        gdyn_stretches_add(!open   ? &s->closed
                           : upper ? &s->upper
                                   : &s->lower,
                           stretch_of(&a, left, right, unbounded));
    /* from the right end on; a stretch without extent is stepped over */
    cover(s, upper, fmax(right, t + (right <= t ? NARROW * fmax(1, fabs(t)) : 0)), to);
    s->depth--;
}

/* Neighbouring pieces change over where they cross. The slack that ended one of them was allowed
 * some noise, which a large multiplier would carry into z. */
static void polish(gdyn_stretches *list) {
    for (int i = 0; i + 1 < list->count; i++) {
        gdyn_envelope_stretch *p = &list->list[i], *q = &list->list[i + 1];
        /* the crossing nearest to the seam, no farther than the noise can have moved it */
        double root[2], seam = q->from, near = SEAM * fmax(1, fabs(seam));
        int roots =
            p->unbounded || q->unbounded
                ? 0
                : gdyn_quadratic_roots(gdyn_quadratic_difference(
                                           p->bound.q, q->bound.q,
                                           gdyn_quadratic_plus(p->bound.error, q->bound.error)),
                                       root);
        for (int n = 0; n < roots; n++)
            if (fabs(root[n] - seam) < near && root[n] > p->from && root[n] < q->to) {
                near = fabs(root[n] - seam);
                p->to = q->from = root[n];
            }
    }
}

/* The root of s(t) nearest to an edge of a closed stretch; the edge itself when there is none. */
static double edge_of(const gdyn_envelope_stretch *closed, double edge) {
    double root[2], near = SEAM * fmax(1, fabs(edge)), place = edge;
    int roots = isfinite(edge) ? gdyn_quadratic_roots(closed->bound.q, root) : 0;
    for (int n = 0; n < roots; n++)
        if (fabs(root[n] - edge) < near) {
            near = fabs(root[n] - edge);
            place = root[n];
        }
    return place;
}

/* --- islands ---------------------------------------------------------------------------------- */

/* Limits of the closed stretch that touches t, when the envelopes do not meet there. */
static gdyn_closing closing_at(const sweep *s, double t, bool left) {
    gdyn_closing closing = {0};
    for (int i = 0; i < s->closed.count; i++) {
        const gdyn_envelope_stretch *c = &s->closed.list[i];
        double edge = left ? c->to : c->from;
        /* the stretch has to end at t */
        if (fabs(edge - t) > SAME * fmax(1, fabs(t)))
            continue;
        closing.count = c->bound.active_count;
        memcpy(closing.limit, c->bound.active, sizeof closing.limit);
        return closing;
    }
    /* at the ends of the range its own bounds close */
    return gdyn_problem_end(s->p, t, left);
}

/* Both envelopes have the same value at t. */
static bool meet(const sweep *s, double t) {
    const gdyn_stretches *list[2] = {&s->upper, &s->lower};
    double value[2];
    for (int n = 0; n < 2; n++) {
        /* the piece that holds just before t */
        int i = 0;
        while (i + 1 < list[n]->count && list[n]->list[i + 1].from < t)
            i++;
        if (list[n]->count == 0 || list[n]->list[i].unbounded)
            return false;
        value[n] = gdyn_quadratic_limit(list[n]->list[i].bound.q, t);
    }
    return !(value[0] - value[1] > SAME * (1 + fabs(value[0])));
}

/* A single reachable place between unreachable stretches. */
static void build_point(sweep *s, gdyn_builder *builder, double t) {
    /* is t itself open, within rounding? */
    answer a = ask(s, s->elastic, false, t);
    if (a.outcome != GDYN_LP_OPTIMAL || gdyn_lp_value(s->elastic) > OPEN)
        return;
    gdyn_stretches upper = {0}, lower = {0};
    /* largest, then smallest z there */
    for (int n = 0; n < 2; n++) {
        a = ask(s, s->plain, n == 0, t);
        bool unbounded = a.outcome == GDYN_LP_UNBOUNDED;
        if (a.outcome == GDYN_LP_OPTIMAL || unbounded)
            gdyn_stretches_add(n == 0 ? &upper : &lower, stretch_of(&a, t, t, unbounded));
    }
    gdyn_closing left = closing_at(s, t, true), right = closing_at(s, t, false);
    if (upper.count && lower.count)
        gdyn_stretches_build(builder, t, t, &left, &right, &upper, &lower);
    s->status = upper.failed || lower.failed ? GDYN_ERROR_MEMORY : s->status;
    gdyn_stretches_free(&upper), gdyn_stretches_free(&lower);
}

/* Reachable intervals are what the closed stretches leave; their seams may hold single points. */
static void build(sweep *s, gdyn_builder *builder) {
    double at = s->p->t_low, end = s->p->t_high;
    for (int i = 0; i <= s->closed.count; i++) {
        /* between one closed stretch and the next */
        bool last = i == s->closed.count;
        double to = last ? end : s->closed.list[i].from;
        /* too narrow for an interval: perhaps a point */
        if (narrow(s, at, to)) {
            double place = last ? end : at;
            if (at <= end && isfinite(place))
                build_point(s, builder, place);
        } else {
            /* the upper envelope is known from the search of closed stretches; the lower one is
             * covered now */
            cover(s, false, at, to);
            polish(&s->lower);
            /* Where the envelopes meet, their arcs are the reason; else the closed stretch beside
             * it is. */
            gdyn_closing left = {0}, right = {0};
            if (!meet(s, at))
                left = closing_at(s, at, true);
            if (!meet(s, to))
                right = closing_at(s, to, false);
            gdyn_stretches_build(builder, at, to, &left, &right, &s->upper, &s->lower);
        }
        if (!last)
            at = fmax(at, s->closed.list[i].to);
        if (at >= end && i + 1 >= s->closed.count && !last)
            return;
    }
}

/* --- set-up ----------------------------------------------------------------------------------- */

/* Two programs over the same rows: the plain one, and the one of minimum violation. */
static gdyn_status prepare(sweep *s, const gdyn_problem *p) {
    size_t n = (size_t)p->r + 2, k = (size_t)p->k;
    s->p = p;
    s->plain = gdyn_lp_create(p->k, p->r + 1);
    s->elastic = gdyn_lp_create(2 * p->k, p->r + 2);
    s->arena = gdyn_arena_create();
    s->scratch = gdyn_arena_doubles(s->arena, 2 * k * n);
    s->bound = gdyn_arena_alloc(s->arena, n, sizeof *s->bound);
    if (!s->plain || !s->elastic || gdyn_arena_failed(s->arena))
        return GDYN_ERROR_MEMORY;
    /* largest limit in units of the rows, at least 1 */
    double most = 1;
    for (int i = 0; i < p->k; i++) {
        most = isfinite(p->row[i].low) ? fmax(most, fabs(p->row[i].low)) : most;
        most = isfinite(p->row[i].high) ? fmax(most, fabs(p->row[i].high)) : most;
    }
    /* beyond that no crossing of the given coefficients can lie */
    s->far = FAR * sqrt(most);
    gdyn_status status = load(s, s->plain);
    return status == GDYN_OK ? load(s, s->elastic) : status;
}

/* Sweeps d1 with linear programs: each answer proves a stretch. */
gdyn_status gdyn_region_support(gdyn_access *access, gdyn_builder *builder) {
    const gdyn_problem *p = &access->problem;
    sweep s = {0};
    gdyn_status status = prepare(&s, p);
    if (status == GDYN_OK && p->t_low <= p->t_high) {
        /* closed stretches and the upper envelope in one sweep; build covers the lower one between
         * them */
        cover(&s, true, p->t_low, p->t_high);
        polish(&s.upper);
        /* What can be reached ends where s(t) is zero: the slack that ended its last piece was
         * allowed some noise. */
        gdyn_stretches *closed = &s.closed;
        for (int i = 0; i < closed->count; i++) {
            gdyn_envelope_stretch *c = &closed->list[i];
            /* only outer edges: seams between closed stretches are not edges of what is open */
            bool after = i > 0 && c->from <= closed->list[i - 1].to;
            bool before = i + 1 < closed->count && c->to >= closed->list[i + 1].from;
            c->from =
                after || c->from <= s.p->t_low ? c->from : fmax(s.p->t_low, edge_of(c, c->from));
            c->to = before || c->to >= s.p->t_high ? c->to : fmin(s.p->t_high, edge_of(c, c->to));
        }
        build(&s, builder);
        status = s.status;
        if (s.upper.failed || s.lower.failed || s.closed.failed)
            status = GDYN_ERROR_MEMORY;
    }
    gdyn_lp_destroy(s.plain), gdyn_lp_destroy(s.elastic);
    gdyn_arena_destroy(s.arena);
    gdyn_stretches_free(&s.upper), gdyn_stretches_free(&s.lower);
    gdyn_stretches_free(&s.closed);
    return status;
}
