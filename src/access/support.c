/* support.c - the region by linear programs: greatest and least z at fixed t, walked exactly along t.
 *
 *   max / min z   subject to   low + low1 t - load(t) <= d z + V y <= high + high1 t - load(t)
 *
 * The optimal basis at one t stays dual feasible for every t, because t moves only the bounds. Its z(t)
 * and all row slacks are quadratics in t: it remains optimal exactly as long as no slack turns negative.
 * So one linear program proves a whole stretch of an envelope, its multipliers are the elementary
 * vector of that arc, and the stretches are laid side by side until the domain is covered (parametric
 * programming; support method of Bretl and Lall 2008). Where no (z, y) exists, the program
 *
 *   min s >= 0   subject to   low - s <= ... <= high + s
 *
 * gives in the same way the stretch on which s(t) > 0. The cost follows the number of arcs. */
#include "access/stretches.h"
#include "access/workspace.h"

#include "base/memory.h"
#include "lp/lp.h"

#include <string.h>

/* Stretches narrower than this (relative) are rounding. */
#define NARROW 1e-11
/* Limits beyond this many units of their row are left out of a program at first: one solution in many
 * comes near them, and beside them the simplex method takes the others for zero. */
#define BEYOND 1e6
/* Loads there are 10^14 limits: a root beyond is made of rounding. */
#define FAR 1e7

typedef struct sweep {
    const gdyn_problem *p;
    gdyn_lp *plain;   /* k rows; z, y */
    gdyn_lp *elastic; /* 2 k rows (low side, high side); s, z, y */
    gdyn_status status;
    double *numbers;                     /* storage of the next four */
    double *M;                           /* basis, (r + 2)^2 */
    double *rhs;                         /* (r + 2) x 3, quadratics of the basic columns */
    double *scratch;                     /* 2 k x (r + 2) */
    int *basic_column, *tight_row;       /* r + 2 */
    gdyn_stretches upper, lower, closed; /* closed: unreachable stretches; q is s(t) */
    int depth;
    bool beyond; /* some limit is left out at first */
    double
        relax; /* bounds give way by this share of their size: rounding of equalities at great t */
} sweep;

/* One solved program as a function of t. */
typedef struct answer {
    gdyn_lp_status outcome;
    double from, to;      /* the basis is optimal there */
    gdyn_quadratic goal;  /* optimum */
    gdyn_quadratic error; /* bounds of the rounding in its a and b */
    double size;
    int active_count;
    gdyn_active active[GDYN_ACTIVE_MAX];
} answer;

/* --- bounds as functions of t ------------------------------------------------------------------------- */

/* low (or high) + slope t - load(t) of a row, without d z. */
static gdyn_quadratic row_bound(const gdyn_row *row, bool high) {
    return (gdyn_quadratic){-row->a, (high ? row->high1 : row->low1) - row->b,
                            (high ? row->high : row->low) - row->c};
}

static bool is_beyond(const gdyn_row *row, bool high) {
    return high ? row->high > BEYOND && isfinite(row->high)
                : row->low < -BEYOND && isfinite(row->low);
}

static void set_bounds(sweep *s, gdyn_lp *lp, double t, bool all) {
    int k = s->p->k;
    for (int i = 0; i < k; i++) {
        const gdyn_row *row = &s->p->row[i];
        bool free_low = isinf(row->low) || (!all && is_beyond(row, false));
        bool free_high = isinf(row->high) || (!all && is_beyond(row, true));
        double low = free_low ? -INFINITY : gdyn_quadratic_at(row_bound(row, false), t);
        double high = free_high ? INFINITY : gdyn_quadratic_at(row_bound(row, true), t);
        if (low > high && low - high <= GDYN_ACCESS_NOISE * (1 + fabs(low)))
            low = high;
        low -= isfinite(low) ? s->relax * (1 + fabs(low)) : 0;
        high += isfinite(high) ? s->relax * (1 + fabs(high)) : 0;
        if (lp == s->plain) {
            gdyn_lp_row(lp, i, low, high);
        } else {
            gdyn_lp_row(lp, i, low, INFINITY);
            gdyn_lp_row(lp, k + i, -INFINITY, high);
        }
    }
}

/* --- the optimal basis as a function of t -------------------------------------------------------------- */

static int rows_of(const sweep *s, const gdyn_lp *lp) {
    return lp == s->plain ? s->p->k : 2 * s->p->k;
}

static int columns_of(const sweep *s, const gdyn_lp *lp) {
    return s->p->r + (lp == s->plain ? 1 : 2);
}

/* Coefficient of a program's row. */
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
    gdyn_status status = gdyn_lp_load(lp, m, n, s->scratch, m);
    if (status == GDYN_OK) {
        gdyn_lp_objective(lp, 0, 1);
        if (lp == s->elastic)
            gdyn_lp_column(lp, 0, 0, INFINITY);
    }
    return status;
}

/* Solves M x = rhs (n x n, three right-hand sides) in place with complete row search. */
static bool solve_basis(int n, double *M, double *rhs) {
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c + 1; i < n; i++)
            if (fabs(M[i * n + c]) > fabs(M[best * n + c]))
                best = i;
        if (!(fabs(M[best * n + c]) > 1e-13))
            return false;
        for (int j = 0; j < n; j++) {
            double x = M[c * n + j];
            M[c * n + j] = M[best * n + j], M[best * n + j] = x;
        }
        for (int j = 0; j < 3; j++) {
            double x = rhs[c * 3 + j];
            rhs[c * 3 + j] = rhs[best * 3 + j], rhs[best * 3 + j] = x;
        }
        for (int i = 0; i < n; i++) {
            double f = i == c ? 0 : M[i * n + c] / M[c * n + c];
            for (int j = c; j < n && f != 0; j++)
                M[i * n + j] -= f * M[c * n + j];
            for (int j = 0; j < 3 && f != 0; j++)
                rhs[i * 3 + j] -= f * rhs[c * 3 + j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            rhs[i * 3 + j] /= M[i * n + i];
    return true;
}

/* A row without limits outside of the basis is held at d z + V y = 0, with no multiplier. */
enum { FREE_ROW = 1 << 24 };

static int row_of(int tight) {
    return tight < 0 ? -1 - tight : tight % FREE_ROW;
}

/* Columns in the basis and rows at their limits; false when GLPK's basis is not square for us. */
static int read_basis(sweep *s, const gdyn_lp *lp, bool *fits) {
    int columns = 0, rows = 0, most = s->p->r + 2;
    for (int j = 0; j < columns_of(s, lp); j++)
        if (gdyn_lp_column_place(lp, j) == GDYN_LP_BASIC)
            s->basic_column[columns++] = j;
    *fits = true;
    for (int i = 0; i < rows_of(s, lp) && *fits; i++) {
        gdyn_lp_place place = gdyn_lp_row_place(lp, i);
        if (place == GDYN_LP_BASIC)
            continue;
        *fits = rows < most;
        if (*fits)
            s->tight_row[rows++] = place == GDYN_LP_FREE      ? FREE_ROW + i
                                   : place == GDYN_LP_AT_HIGH ? i
                                                              : -1 - i;
    }
    *fits = *fits && rows == columns;
    return columns;
}

/* Shrinks the stretch around t to where a slack stays above the noise. */
static void limit_stretch(gdyn_quadratic slack, double size, double t, answer *a) {
    double root[2];
    slack.c += GDYN_ACCESS_NOISE * (1 + size);
    int roots = gdyn_quadratic_roots(slack, root);
    for (int i = 0; i < roots; i++) {
        if (root[i] > FAR)
            continue;
        if (root[i] > t)
            a->to = fmin(a->to, root[i]);
        else
            a->from = fmax(a->from, root[i]);
    }
}

/* Limits of a row that move towards each other. */
static void limit_by_crossing(const sweep *s, double t, answer *a) {
    for (int i = 0; i < s->p->k; i++) {
        const gdyn_row *row = &s->p->row[i];
        if (isfinite(row->low) && isfinite(row->high) && row->low1 != row->high1)
            limit_stretch((gdyn_quadratic){0, row->high1 - row->low1, row->high - row->low},
                          fabs(row->high), t, a);
    }
}

static gdyn_quadratic column_of(const sweep *s, int place) {
    return (gdyn_quadratic){s->rhs[place * 3], s->rhs[place * 3 + 1], s->rhs[place * 3 + 2]};
}

/* Removes what cancellation leaves of a leading coefficient. */
static double cleaned(double value, double size) {
    return fabs(value) <= 0.1 * GDYN_ACCESS_NOISE * size ? 0 : value;
}

/* Slacks of the rows that are not tight. */
static void limit_by_rows(sweep *s, const gdyn_lp *lp, int n, double t, answer *a) {
    for (int i = 0; i < rows_of(s, lp); i++) {
        gdyn_lp_place place = gdyn_lp_row_place(lp, i);
        if (place != GDYN_LP_BASIC && place != GDYN_LP_FREE)
            continue;
        gdyn_quadratic sum = {0, 0, 0}, size = {0, 0, 0};
        for (int j = 0; j < n && place == GDYN_LP_BASIC; j++) {
            double m = entry(s, lp, i, s->basic_column[j]);
            gdyn_quadratic x = column_of(s, j);
            sum = (gdyn_quadratic){sum.a + m * x.a, sum.b + m * x.b, sum.c + m * x.c};
            size = (gdyn_quadratic){size.a + fabs(m * x.a), size.b + fabs(m * x.b),
                                    size.c + fabs(m * x.c)};
        }
        const gdyn_row *row = &s->p->row[i % s->p->k];
        for (int high = 0; high < 2; high++) {
            if (isinf(high ? row->high : row->low) || (lp != s->plain && high != (i >= s->p->k)))
                continue;
            gdyn_quadratic bound = row_bound(row, high);
            gdyn_quadratic slack =
                high ? gdyn_quadratic_minus(bound, sum) : gdyn_quadratic_minus(sum, bound);
            slack.a = cleaned(slack.a, size.a + fabs(bound.a));
            slack.b = cleaned(slack.b, size.b + fabs(bound.b));
            limit_stretch(slack, size.c + fabs(bound.c), t, a);
        }
    }
}

/* Names of the tight rows with a multiplier; multipliers of rounding size are none. */
static void name_rows(const sweep *s, const gdyn_lp *lp, int n, answer *a) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        int row = row_of(s->tight_row[i]);
        most = fmax(most, fabs(gdyn_lp_row_dual(lp, row)));
    }
    for (int i = 0; i < n; i++) {
        bool high = s->tight_row[i] >= 0;
        int row = row_of(s->tight_row[i]);
        int source = s->p->row[row % s->p->k].source;
        if (fabs(gdyn_lp_row_dual(lp, row)) > 1e-9 * most)
            gdyn_active_add(a->active, &a->active_count, GDYN_ACTIVE_MAX,
                            (gdyn_active){source, source < 0 || high ? 1 : -1});
    }
}

/* The multipliers carry the errors of the tight rows' loads into the optimum; what is under that, or under
 * the rounding of loads near 1, is zero. */
static void take_errors(const sweep *s, const gdyn_lp *lp, int n, answer *a) {
    gdyn_quadratic error = {0, 0, 0};
    for (int i = 0; i < n; i++) {
        int tight = row_of(s->tight_row[i]);
        const gdyn_row *row = &s->p->row[tight % s->p->k];
        double weight = fabs(gdyn_lp_row_dual(lp, tight));
        error.a += weight * (row->a_error + fabs(a->goal.a) * row->d_error);
        error.b += weight * (row->b_error + fabs(a->goal.b) * row->d_error);
    }
    a->error = error;
    a->goal.a = fabs(a->goal.a) > error.a ? cleaned(a->goal.a, 1) : 0;
    a->goal.b = fabs(a->goal.b) > error.b ? cleaned(a->goal.b, 1) : 0;
}

/* Turns the optimal basis at t into functions of t. The goal is column 0. */
static void follow(sweep *s, const gdyn_lp *lp, double t, answer *a) {
    bool fits;
    int n = read_basis(s, lp, &fits);
    a->from = a->to = t;
    a->goal = (gdyn_quadratic){0, 0, gdyn_lp_value(lp)};
    for (int i = 0; i < n && fits; i++) {
        bool high = s->tight_row[i] >= 0;
        int row = row_of(s->tight_row[i]);
        gdyn_quadratic bound = {0, 0, 0};
        if (s->tight_row[i] < FREE_ROW)
            bound = row_bound(&s->p->row[row % s->p->k], high);
        s->rhs[i * 3] = bound.a, s->rhs[i * 3 + 1] = bound.b, s->rhs[i * 3 + 2] = bound.c;
        a->size += fabs(bound.c);
        for (int j = 0; j < n; j++)
            s->M[i * n + j] = entry(s, lp, row, s->basic_column[j]);
    }
    name_rows(s, lp, fits ? n : 0, a);
    if (!fits || !solve_basis(n, s->M, s->rhs))
        return;
    a->goal = (gdyn_quadratic){0, 0, 0};
    for (int j = 0; j < n; j++)
        if (s->basic_column[j] == 0)
            a->goal = column_of(s, j);
    take_errors(s, lp, n, a);
    a->from = -INFINITY;
    a->to = INFINITY;
    limit_by_rows(s, lp, n, t, a);
    if (lp == s->elastic) /* s >= 0 */
        limit_stretch(a->goal, 0, t, a);
    else
        limit_by_crossing(s, t, a);
}

/* Does the solution keep the limits that were left out? */
static bool keeps_beyond(const sweep *s, const gdyn_lp *lp, double t) {
    int k = s->p->k, above = lp == s->plain ? 0 : k;
    for (int i = 0; i < k; i++) {
        const gdyn_row *row = &s->p->row[i];
        if ((is_beyond(row, false) &&
             gdyn_lp_activity(lp, i) < gdyn_quadratic_at(row_bound(row, false), t)) ||
            (is_beyond(row, true) &&
             gdyn_lp_activity(lp, above + i) > gdyn_quadratic_at(row_bound(row, true), t)))
            return false;
    }
    return true;
}

static void solve(sweep *s, gdyn_lp *lp, bool maximize, double t, bool all, answer *a) {
    set_bounds(s, lp, t, all);
    gdyn_status status = gdyn_lp_solve(lp, maximize, GDYN_LP_DUAL, &a->outcome);
    if (status != GDYN_OK)
        s->status = status;
}

/* The optimum without limits that are far beyond, and with them where it does not keep them. Each of the
 * two starts from its own basis: a row that becomes free must not stay outside of it. */
static answer ask(sweep *s, gdyn_lp *lp, bool maximize, double t) {
    answer a = {.outcome = GDYN_LP_FAILED};
    solve(s, lp, maximize, t, !s->beyond, &a);
    bool missed = a.outcome == GDYN_LP_UNBOUNDED ||
                  (a.outcome == GDYN_LP_OPTIMAL && s->beyond && !keeps_beyond(s, lp, t));
    if (s->beyond && missed && load(s, lp) == GDYN_OK) {
        solve(s, lp, maximize, t, true, &a);
        if (a.outcome == GDYN_LP_OPTIMAL)
            follow(s, lp, t, &a);
        load(s, lp);
        return a;
    }
    if (a.outcome == GDYN_LP_OPTIMAL)
        follow(s, lp, t, &a);
    return a;
}

/* --- covering the domain ------------------------------------------------------------------------------- */

static gdyn_stretch stretch_of(const answer *a, double from, double to, bool unbounded) {
    gdyn_stretch stretch = {.from = from, .to = to, .unbounded = unbounded};
    stretch.bound = (gdyn_bound){
        .q = a->goal, .error = a->error, .size = 1 + a->size, .active_count = a->active_count};
    memcpy(stretch.bound.active, a->active, sizeof a->active);
    return stretch;
}

static double inside(double from, double to) {
    if (isinf(to))
        return from + 1.7 * fmax(1, fabs(from));
    return from + 0.4142 * (to - from);
}

static bool narrow(double from, double to) {
    return !(to - from > NARROW * fmax(1, fabs(from))) || from > FAR;
}

/* Where s(t) > 0 around t, within the stretch of the answer. */
static void limit_to_closed(answer *a, double t) {
    double root[2];
    int roots = gdyn_quadratic_roots(a->goal, root);
    for (int i = 0; i < roots; i++) {
        if (root[i] > t)
            a->to = fmin(a->to, root[i]);
        else
            a->from = fmax(a->from, root[i]);
    }
}

/* Size of the loads at t: what the rounding of a violation is measured against. */
static double load_at(const sweep *s, double t) {
    double most = 1;
    for (int i = 0; i < s->p->k; i++) {
        const gdyn_row *row = &s->p->row[i];
        most = fmax(most, gdyn_quadratic_size((gdyn_quadratic){row->a, row->b, row->c}, t));
    }
    return most;
}

/* The upper piece at t, or the lower one where nothing bounds z above; false when there is neither. */
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
    double noise = 1e-10 + 1e-14 * load_at(s, t);
    if (free || gdyn_quadratic_at(a->goal, t) > noise) {
        if (!free)
            limit_to_closed(a, t);
        return free;
    }
    /* Not reachable by rounding only. */
    answer closed = *a;
    s->relax = 1e-13;
    bool open = ask_plain(s, t, a, unbounded);
    s->relax = 0;
    if (!open)
        *a = closed;
    return open;
}

/* Covers [from, to] with upper pieces and closed stretches, ascending. */
static void cover_upper(sweep *s, double from, double to) {
    if (narrow(from, to) || s->status != GDYN_OK || s->depth > 400)
        return;
    s->depth++;
    answer a;
    bool unbounded;
    double t = inside(from, to);
    bool open = probe(s, t, &a, &unbounded);
    double left = fmax(from, a.from), right = fmin(to, a.to);
    cover_upper(s, from, left);
    if (!narrow(left, right))
        gdyn_stretches_add(open ? &s->upper : &s->closed, stretch_of(&a, left, right, unbounded));
    cover_upper(s, fmax(right, t + (right <= t ? NARROW * fmax(1, fabs(t)) : 0)), to);
    s->depth--;
}

static void cover_lower(sweep *s, double from, double to) {
    if (narrow(from, to) || s->status != GDYN_OK || s->depth > 400)
        return;
    s->depth++;
    double t = inside(from, to);
    answer a = ask(s, s->plain, false, t);
    bool unbounded = a.outcome == GDYN_LP_UNBOUNDED;
    double left = unbounded ? from : fmax(from, a.from), right = unbounded ? to : fmin(to, a.to);
    cover_lower(s, from, left);
    if (!narrow(left, right) && (unbounded || a.outcome == GDYN_LP_OPTIMAL))
        gdyn_stretches_add(&s->lower, stretch_of(&a, left, right, unbounded));
    cover_lower(s, fmax(right, t + (right <= t ? NARROW * fmax(1, fabs(t)) : 0)), to);
    s->depth--;
}

/* Neighbouring pieces change over where they cross. The slack that ended one of them was allowed some
 * noise, which a large multiplier would carry into z. */
static void polish(gdyn_stretches *list) {
    for (int i = 0; i + 1 < list->count; i++) {
        gdyn_stretch *p = &list->list[i], *q = &list->list[i + 1];
        double root[2], seam = q->from, near = 1e-6 * fmax(1, fabs(seam));
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

/* --- islands ------------------------------------------------------------------------------------------- */

/* Limits of the closed stretch that touches t, when the envelopes do not meet there. */
static gdyn_closing closing_at(const sweep *s, double t, bool left) {
    gdyn_closing closing = {0};
    const gdyn_problem *p = s->p;
    for (int i = 0; i < s->closed.count; i++) {
        const gdyn_stretch *c = &s->closed.list[i];
        double edge = left ? c->to : c->from;
        if (fabs(edge - t) > 1e-9 * fmax(1, fabs(t)))
            continue;
        closing.count = c->bound.active_count;
        memcpy(closing.limit, c->bound.active, sizeof closing.limit);
        return closing;
    }
    if (left && t == p->t_low && t != 0)
        closing.limit[closing.count++] = (gdyn_active){-3, -1};
    if (!left && t == p->t_high && isfinite(t))
        closing.limit[closing.count++] = (gdyn_active){-2, 1};
    return closing;
}

static bool meet(const sweep *s, double t) {
    const gdyn_stretches *list[2] = {&s->upper, &s->lower};
    double value[2];
    for (int n = 0; n < 2; n++) {
        int i = 0;
        while (i + 1 < list[n]->count && list[n]->list[i + 1].from < t)
            i++;
        if (list[n]->count == 0 || list[n]->list[i].unbounded)
            return false;
        value[n] = gdyn_quadratic_limit(list[n]->list[i].bound.q, t);
    }
    return !(value[0] - value[1] > 1e-9 * (1 + fabs(value[0])));
}

static void build_island(sweep *s, gdyn_builder *builder, double from, double to) {
    gdyn_closing left = {0}, right = {0};
    if (!meet(s, from))
        left = closing_at(s, from, true);
    if (!meet(s, to))
        right = closing_at(s, to, false);
    gdyn_stretches_build(builder, from, to, &left, &right, &s->upper, &s->lower);
}

/* A place between unreachable stretches that is reachable by itself. */
static void build_point(sweep *s, gdyn_builder *builder, double t) {
    answer a = ask(s, s->elastic, false, t);
    if (a.outcome != GDYN_LP_OPTIMAL || gdyn_lp_value(s->elastic) > 1e-10)
        return;
    gdyn_stretches upper = {0}, lower = {0};
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
    gdyn_stretches_free(&upper);
    gdyn_stretches_free(&lower);
}

/* Reachable intervals are what the closed stretches leave; their seams may hold single points. */
static void build(sweep *s, gdyn_builder *builder) {
    double at = s->p->t_low, end = s->p->t_high;
    for (int i = 0; i <= s->closed.count; i++) {
        bool last = i == s->closed.count;
        double to = last ? end : s->closed.list[i].from;
        if (narrow(at, to)) {
            double place = last ? end : at;
            if (at <= end && isfinite(place))
                build_point(s, builder, place);
        } else {
            cover_lower(s, at, to);
            polish(&s->lower);
            build_island(s, builder, at, to);
        }
        if (!last)
            at = fmax(at, s->closed.list[i].to);
        if (at >= end && i + 1 >= s->closed.count && !last)
            return;
    }
}

/* --- set-up -------------------------------------------------------------------------------------------- */

static gdyn_status prepare(sweep *s, const gdyn_problem *p) {
    size_t n = (size_t)p->r + 2, k = (size_t)p->k;
    s->p = p;
    s->plain = gdyn_lp_create(p->k, p->r + 1);
    s->elastic = gdyn_lp_create(2 * p->k, p->r + 2);
    s->numbers = gdyn_alloc(n * n + 3 * n + 2 * k * n, sizeof(double));
    s->basic_column = gdyn_alloc(2 * n, sizeof(int));
    if (!s->plain || !s->elastic || !s->numbers || !s->basic_column)
        return GDYN_ERROR_MEMORY;
    s->M = s->numbers;
    s->rhs = s->M + n * n;
    s->scratch = s->rhs + 3 * n;
    s->tight_row = s->basic_column + n;
    for (int i = 0; i < p->k; i++)
        s->beyond = s->beyond || is_beyond(&p->row[i], false) || is_beyond(&p->row[i], true);
    gdyn_status status = load(s, s->plain);
    return status == GDYN_OK ? load(s, s->elastic) : status;
}

static void discard(sweep *s) {
    gdyn_lp_destroy(s->plain);
    gdyn_lp_destroy(s->elastic);
    gdyn_free(s->numbers);
    gdyn_free(s->basic_column);
    gdyn_stretches_free(&s->upper);
    gdyn_stretches_free(&s->lower);
    gdyn_stretches_free(&s->closed);
}

gdyn_status gdyn_region_support(gdyn_access *access, gdyn_region *region) {
    const gdyn_problem *p = &access->problem;
    gdyn_builder builder;
    sweep s = {0};
    gdyn_builder_start(&builder, region, p->d1_unit, p->d2_unit);
    gdyn_builder_shift(&builder, p->shift, p->shift_error);
    gdyn_status status = prepare(&s, p);
    if (status == GDYN_OK && p->t_low <= p->t_high) {
        cover_upper(&s, p->t_low, p->t_high);
        polish(&s.upper);
        build(&s, &builder);
        status = s.status;
        if (s.upper.failed || s.lower.failed || s.closed.failed)
            status = GDYN_ERROR_MEMORY;
    }
    discard(&s);
    if (status != GDYN_OK) {
        gdyn_region_clear(region, GDYN_REGION_UNKNOWN);
        return status;
    }
    return gdyn_builder_finish(&builder);
}
