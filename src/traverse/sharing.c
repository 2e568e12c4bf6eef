/* sharing.c - how far limits are violated with the best forces of redundant drives: n = f + V y,
 *   min s:  low_i - s h_i <= f_i + V_i y <= high_i + s h_i     (h: half ranges)
 * by a linear program over y; then the distribution that was asked for. */
#include "traverse/internal.h"

#include <math.h>
#include <string.h>

struct gdyn_sharer {
    struct gdyn_arena *arena;
    gdyn_path_dynamics *dynamics;
    gdyn_lp *lp;
    const gdyn_coefficients *q; /* of the last place, NULL: none */
    int rows, r;
    double *n, *low, *high, *min, *max;             /* rows: as in gdyn_shares */
    double *f, *unit, *counted, *speed;             /* rows: see share_problem; drives' speeds */
    double *own_low, *own_high, *own_min, *own_max; /* rows: of a problem with other limits */
    double *inner, *zero;                           /* rows */
    double *own_V;                                  /* rows x r */
    double *y;                                      /* r, then workspace of r (r + 1) */
    double *table;                                  /* 4 rows x (r + rows + 1) */
};

/* n = f + V y, min <= n <= max. */
typedef struct share_problem {
    int k, r;
    const double *V, *f, *min, *max;
    const double *unit;    /* k: half ranges */
    const double *counted; /* k: the same, 0: a further limit of the drive of another row */
} share_problem;

/* Violations, in full limits, that are rounding of the coefficients. */
static const double KEPT = 1e-9;

const char *const gdyn_sharing_names[] = {"norm", "peak", "preload", "power", NULL};

/* With room beyond the machine's rows: least power adds one. */
gdyn_sharer *gdyn_sharer_create(gdyn_path_dynamics *dynamics) {
    gdyn_arena *arena;
    gdyn_sharer *s = gdyn_arena_begin(&arena, sizeof *s);
    if (!s)
        return NULL;
    size_t k = (size_t)gdyn_path_dynamics_rows(dynamics) + 2;
    s->arena = arena;
    s->dynamics = dynamics;
    s->rows = (int)k;
    s->r = gdyn_path_dynamics_redundancy(dynamics);
    s->lp = gdyn_lp_create(4 * (int)k, s->r + (int)k + 1);
    double **own[] = {&s->n,       &s->low,     &s->high,    &s->min,     &s->max,
                      &s->f,       &s->unit,    &s->speed,   &s->own_low, &s->own_high,
                      &s->own_min, &s->own_max, &s->counted, &s->inner,   &s->zero};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        *own[i] = gdyn_arena_doubles(arena, k);
    s->y = gdyn_arena_doubles(arena, (size_t)(s->r * (s->r + 2)) + 1);
    s->own_V = gdyn_arena_doubles(arena, k * (size_t)s->r);
    s->table = gdyn_arena_doubles(arena, 4 * k * ((size_t)s->r + k + 1));
    if (s->lp && !gdyn_arena_failed(arena))
        return s;
    gdyn_sharer_destroy(s);
    return NULL;
}

/* Safe on a partly made object. */
void gdyn_sharer_destroy(gdyn_sharer *s) {
    if (!s)
        return;
    gdyn_lp_destroy(s->lp);
    gdyn_arena_destroy(s->arena);
}

/* Forces without y, limits at this speed, units. */
static void prepare(gdyn_sharer *s, const gdyn_coefficients *q, double d1, double d2) {
    gdyn_force_units(q, s->unit);
    for (int i = 0; i < q->k; i++) {
        /* forces without internal load, and limits at this speed */
        s->f[i] = gdyn_load_at(q, i, d1, d2);
        s->min[i] = gdyn_limit_at(q, i, false, d1);
        s->max[i] = gdyn_limit_at(q, i, true, d1);
        /* forces count, further limits of a force do not */
        s->counted[i] = gdyn_path_dynamics_effort(s->dynamics, i) < 0 ? 0 : s->unit[i];
        for (int j = 0; j < i; j++)
            if (gdyn_path_dynamics_effort(s->dynamics, j) ==
                gdyn_path_dynamics_effort(s->dynamics, i))
                s->counted[i] = 0;
    }
}

/* As the kinds of distribution see it. */
static share_problem problem_of(const gdyn_sharer *s) {
    return (share_problem){s->q ? s->q->k : 0,
                           s->q ? s->q->r : 0,
                           s->q ? s->q->V : NULL,
                           s->f,
                           s->min,
                           s->max,
                           s->unit,
                           s->counted};
}

/* --- distributions ---------------------------------------------------------------------------- */

/* Ranges of forces and distributions.
 *
 *   ranges    min and max of f_i + V_i y over all y that keep the limits: linear programs
 *   norm      min sum (n_i / h_i)^2: a convex quadratic program (smooth.c), with one answer
 *   peak      norm among the forces of least greatest utilisation (of which there may be many: a
 *             drive without a helper may decide it alone)
 *   preload   max s <= preload: n_i >= min_i + s, then norm with these limits
 *   power     min sum |n_i v_i| with the drives' speeds v_i, then norm among the many answers
 *
 * Internal loads do no work: sum n_i v_i is the same for all y. The sum of |n_i v_i| is therefore
 * least where the part of the other sign, of drives that work against each other, is nearest to
 * zero. With S the drives of that sign at one answer, all y with sum over S of n_i v_i as there and
 * the same signs are answers: an additional row and tightened limits for the norm. */

/* A point on the boundary keeps its limits within rounding. */
static const double EDGE = 1e-9;

/* V in units of the rows, from row `first` of the table on. */
static void fill_rows(const gdyn_sharer *s, const share_problem *w, int lead, int first) {
    for (int j = 0; j < w->r; j++)
        for (int i = 0; i < w->k; i++)
            s->table[j * lead + first + i] = w->V[j * w->k + i] / w->unit[i];
}

/* Limits of every row, with room for rounding. */
static void limit_rows(gdyn_sharer *s, const share_problem *w) {
    for (int i = 0; i < w->k; i++) {
        gdyn_lp_row(s->lp, i, (w->min[i] - w->f[i]) / w->unit[i] - EDGE,
                    (w->max[i] - w->f[i]) / w->unit[i] + EDGE);
    }
}

/* n of the program's solution. */
static void take(const gdyn_sharer *s, const share_problem *w, double *n) {
    for (int i = 0; i < w->k; i++) {
        n[i] = w->f[i];
        for (int j = 0; j < w->r; j++)
            n[i] += w->V[j * w->k + i] * gdyn_lp_x(s->lp, j);
    }
}

/* --- one internal force ----------------------------------------------------------------------- */

/* Pairs of rows are looked at up to here. */
enum { FEW_ROWS = 64 };

/* With r = 1 every limit is an interval of y, and so is their intersection: no linear program. */
typedef struct interval {
    double low, high;
} interval;

/* The y that keep min <= f + V y <= max with that much room on every side. */
static interval kept_y(const share_problem *w, double room) {
    interval y = {-INFINITY, INFINITY};
    for (int i = 0; i < w->k; i++) {
        double v = w->V[i] / w->unit[i];
        if (v == 0)
            continue;
        /* both limits as values of y; they change places with the sign of v */
        double a = ((w->min[i] - w->f[i]) / w->unit[i] - room) / v;
        double b = ((w->max[i] - w->f[i]) / w->unit[i] + room) / v;
        y.low = fmax(y.low, v > 0 ? a : b);
        y.high = fmin(y.high, v > 0 ? b : a);
    }
    return y;
}

/* Its middle, or what is next to zero of an interval without ends. */
static double middle_of(interval y) {
    if (isfinite(y.low) && isfinite(y.high))
        return 0.5 * (y.low + y.high);
    return fmax(fmin(0, y.high), y.low);
}

static void take_y(const share_problem *w, double y, double *n) {
    for (int i = 0; i < w->k; i++)
        n[i] = w->f[i] + w->V[i] * y;
}

/* One side of a row's violation as a line a y + c over y. */
typedef struct bound_line {
    double a, c;
} bound_line;

static bound_line line_of(const share_problem *w, int i) {
    double v = w->V[i / 2] / w->unit[i / 2], f = w->f[i / 2];
    return i % 2 ? (bound_line){v, (f - w->max[i / 2]) / w->unit[i / 2]}
                 : (bound_line){-v, (w->min[i / 2] - f) / w->unit[i / 2]};
}

/* The least greatest violation over y, -1 at least: where the highest crossing of a rising and a
 * falling side lies, or the highest level side. */
static double single_violation(const share_problem *w) {
    double least = -1;
    for (int i = 0; i < 2 * w->k; i++) {
        bound_line up = line_of(w, i);
        if (up.a == 0)
            least = fmax(least, up.c);
        for (int j = 0; up.a > 0 && j < 2 * w->k; j++) {
            bound_line down = line_of(w, j);
            if (down.a < 0)
                least = fmax(least, (up.c * -down.a + down.c * up.a) / (up.a - down.a));
        }
    }
    return least;
}

/* The range of row i without EDGE. */
static void keep_limits(const share_problem *w, const double *n, int i, double *low, double *high) {
    low[i] = fmax(low[i], fmin(w->min[i], n[i]));
    high[i] = fmin(high[i], fmax(w->max[i], n[i]));
}

/* Force range of each row over all internal forces, two programs each; n: forces within limits. */
static gdyn_status find_ranges(gdyn_sharer *s, const share_problem *w, const double *n, double *low,
                               double *high) {
    memcpy(low, n, (size_t)w->k * sizeof *low);
    memcpy(high, n, (size_t)w->k * sizeof *high);
    if (w->r == 0)
        return GDYN_OK;
    if (w->r == 1) {
        /* Rows at both ends of the interval; where rounding has closed it, n. */
        interval y = kept_y(w, EDGE);
        for (int i = 0; i < w->k && y.low <= y.high; i++) {
            double v = w->V[i];
            low[i] = v == 0 ? n[i] : w->f[i] + v * (v > 0 ? y.low : y.high);
            high[i] = v == 0 ? n[i] : w->f[i] + v * (v > 0 ? y.high : y.low);
        }
        for (int i = 0; i < w->k; i++)
            keep_limits(w, n, i, low, high);
        return GDYN_OK;
    }
    fill_rows(s, w, w->k, 0);
    gdyn_status status = gdyn_lp_load(s->lp, w->k, w->r, s->table, w->k);
    if (status == GDYN_OK)
        limit_rows(s, w);
    /* the objective is the row itself */
    for (int i = 0; i < w->k && status == GDYN_OK; i++) {
        for (int side = 0; side < 2 && status == GDYN_OK; side++) {
            gdyn_lp_status outcome;
            for (int j = 0; j < w->r; j++)
                gdyn_lp_objective(s->lp, j, s->table[j * w->k + i]);
            status = gdyn_lp_solve(s->lp, side, GDYN_LP_PRIMAL, &outcome);
            double value = outcome == GDYN_LP_OPTIMAL ? w->f[i] + gdyn_lp_value(s->lp) * w->unit[i]
                           : outcome == GDYN_LP_UNBOUNDED ? (side ? INFINITY : -INFINITY)
                                                          : n[i];
            (side ? high : low)[i] = value;
        }
        keep_limits(w, n, i, low, high);
    }
    return status;
}

/* Inside: forces n with the largest margin in low..high of every row that has room,
 * GDYN_ERROR_NUMERIC when there are none; else those with the smallest relaxation of both. */
static gdyn_status find_margin(gdyn_sharer *s, const share_problem *w, const double *low,
                               const double *high, bool inside, double *n) {
    int k = w->k, r = w->r, m = 2 * k;
    gdyn_lp_status outcome = GDYN_LP_FAILED;
    if (r == 0) {
        memcpy(n, w->f, (size_t)k * sizeof *n);
        return GDYN_OK;
    }
    if (r == 1 && !inside && k <= FEW_ROWS) {
        take_y(w, middle_of(kept_y(w, single_violation(w))), n);
        return GDYN_OK;
    }
    /* columns y and the margin: inside a share of each force's room, else the relaxation */
    fill_rows(s, w, m, 0);
    fill_rows(s, w, m, k);
    for (int i = 0; i < k; i++) {
        double room = inside ? -fmin(0.5 * (high[i] - low[i]) / w->unit[i], 1) : 1;
        s->table[r * m + i] = room;
        s->table[r * m + k + i] = -room;
    }
    gdyn_status status = gdyn_lp_load(s->lp, m, r + 1, s->table, m);
    for (int i = 0; i < k && status == GDYN_OK; i++) {
        gdyn_lp_row(s->lp, i, (low[i] - w->f[i]) / w->unit[i], INFINITY);
        gdyn_lp_row(s->lp, k + i, -INFINITY, (high[i] - w->f[i]) / w->unit[i]);
    }
    /* the greatest margin inside, else the smallest uniform relaxation of all limits */
    if (status == GDYN_OK) {
        gdyn_lp_column(s->lp, r, inside ? -EDGE : -1, inside ? 1 : INFINITY);
        gdyn_lp_objective(s->lp, r, 1);
        status = gdyn_lp_solve(s->lp, inside, GDYN_LP_PRIMAL, &outcome);
    }
    if (outcome == GDYN_LP_OPTIMAL)
        take(s, w, n);
    else if (!inside) /* no limit can be kept: the forces as they are */
        memcpy(n, w->f, (size_t)k * sizeof *n);
    return status == GDYN_OK && inside && outcome != GDYN_LP_OPTIMAL ? GDYN_ERROR_NUMERIC : status;
}

/* --- norm ------------------------------------------------------------------------------------- */

/* Forces are equal below this, in half ranges. */
static const double UNIQUE = 1e-7;

/* n of least norm where no limit is reached: exact, for any sizes of the limits. */
static bool free_norm(gdyn_sharer *s, const share_problem *w, double *n) {
    gdyn_force_norm norm = {w->k, w->r, w->V, w->counted, s->y + 2 * w->r, s->y, s->y + w->r};
    if (!gdyn_force_norm_factor(&norm))
        return false;
    gdyn_force_norm_least(&norm, w->f, s->inner);
    for (int i = 0; i < w->k; i++)
        if (s->inner[i] < w->min[i] || s->inner[i] > w->max[i])
            return false;
    memcpy(n, s->inner, (size_t)w->k * sizeof *n);
    return true;
}

/* n of least norm, from an n that keeps the limits; where rounding leaves none it stays. */
static gdyn_status least_norm(gdyn_sharer *s, const share_problem *w, double *n) {
    if (free_norm(s, w, n))
        return GDYN_OK;
    if (w->r == 1) {
        /* one internal force: the y nearest to that without limits; n stays if none is left */
        double fv = 0, vv = 0;
        interval y = kept_y(w, 0);
        for (int i = 0; i < w->k; i++) {
            double weight = w->counted[i] > 0 ? 1 / w->counted[i] : 0;
            fv += w->f[i] * weight * w->V[i] * weight;
            vv += w->V[i] * weight * w->V[i] * weight;
        }
        if (vv > 0 && y.low <= y.high)
            take_y(w, fmax(fmin(-fv / vv, y.high), y.low), n);
        return GDYN_OK;
    }
    gdyn_status status = find_ranges(s, w, n, s->own_low, s->own_high);
    /* all rows are determined: nothing to choose */
    double widest = 0;
    for (int i = 0; i < w->k; i++)
        widest = fmax(widest, (s->own_high[i] - s->own_low[i]) / w->unit[i]);
    if (status == GDYN_OK && widest <= UNIQUE)
        return GDYN_OK; /* as on the boundary of the region: n is the only one */
    /* an inner point to start from, then the quadratic program */
    if (status == GDYN_OK)
        status = find_margin(s, w, s->own_low, s->own_high, true, s->inner);
    if (status != GDYN_OK)
        return status == GDYN_ERROR_NUMERIC ? GDYN_OK : status;
    /* no row is wanted anywhere: the least norm of all */
    memset(s->zero, 0, (size_t)w->k * sizeof *s->zero);
    gdyn_smooth_place place = {0, w->k, w->r, w->V, w->min, w->max, s->zero, s->inner};
    gdyn_smooth_info info;
    status = gdyn_smooth(1, &place, w->k, w->counted, 0, &info);
    if (status == GDYN_OK && info.converged)
        memcpy(n, s->inner, (size_t)w->k * sizeof *n);
    return status;
}

/* Of all forces with the least greatest utilisation those of least norm. */
static gdyn_status least_peak(gdyn_sharer *s, const share_problem *w, double violation) {
    share_problem own = *w;
    /* limits as wide as the least peak allows */
    for (int i = 0; i < w->k; i++) {
        s->own_min[i] = w->min[i] - violation * w->unit[i];
        s->own_max[i] = w->max[i] + violation * w->unit[i];
    }
    own.min = s->own_min;
    own.max = s->own_max;
    return least_norm(s, &own, s->n);
}

/* --- preload ---------------------------------------------------------------------------------- */

/* The greatest preload up to the one wanted; n has it. */
static gdyn_status most_preload(gdyn_sharer *s, const share_problem *w, double wanted,
                                double *preload) {
    gdyn_lp_status outcome = GDYN_LP_FAILED;
    int k = w->k, r = w->r, m = 2 * k;
    *preload = 0;
    /* columns y and m: every force at least m times the preload above its min, m up to one */
    fill_rows(s, w, m, 0);
    fill_rows(s, w, m, k);
    for (int i = 0; i < k; i++) {
        s->table[r * m + i] = 0;
        s->table[r * m + k + i] = w->counted[i] > 0 ? -wanted / w->unit[i] : 0;
    }
    gdyn_status status = gdyn_lp_load(s->lp, m, r + 1, s->table, m);
    /* rows: limits, then the preload above the lower ones */
    if (status == GDYN_OK) {
        limit_rows(s, w);
        for (int i = 0; i < k; i++)
            gdyn_lp_row(s->lp, k + i, (w->min[i] - w->f[i]) / w->unit[i] - EDGE, INFINITY);
        gdyn_lp_column(s->lp, r, 0, 1);
        gdyn_lp_objective(s->lp, r, 1);
        status = gdyn_lp_solve(s->lp, true, GDYN_LP_PRIMAL, &outcome);
    }
    /* as much of the wanted preload as is possible */
    if (status == GDYN_OK && outcome == GDYN_LP_OPTIMAL) {
        *preload = wanted * gdyn_lp_x(s->lp, r);
        take(s, w, s->n);
    }
    return status;
}

/* Least norm above the preload. */
static gdyn_status preloaded(gdyn_sharer *s, const share_problem *w, double wanted) {
    share_problem own = *w;
    double preload;
    gdyn_status status = most_preload(s, w, wanted, &preload);
    for (int i = 0; i < w->k; i++)
        s->own_min[i] = w->counted[i] > 0 ? w->min[i] + preload : w->min[i];
    own.min = s->own_min;
    return status == GDYN_OK ? least_norm(s, &own, s->n) : status;
}

/* --- power ------------------------------------------------------------------------------------ */

/* v_i in the unit of the greatest n_i v_i; false when nothing moves. */
static bool speeds(gdyn_sharer *s, const share_problem *w) {
    double most = 0;
    if (!gdyn_path_dynamics_speeds(s->dynamics, s->speed))
        return false;
    for (int i = 0; i < w->k; i++) { /* from drives to rows */
        bool drive = w->counted[i] > 0 && gdyn_path_dynamics_driven(s->dynamics, i);
        s->zero[i] = drive ? s->speed[gdyn_path_dynamics_effort(s->dynamics, i)] : 0;
        most = fmax(most, fabs(s->zero[i]) * w->unit[i]);
    }
    for (int i = 0; i < w->k && most > 0; i++)
        s->speed[i] = s->zero[i] / most;
    return most > 0;
}

/* min sum w_i over y and w_i >= +-(f_i + V_i y) v_i. */
static gdyn_status least_power(gdyn_sharer *s, const share_problem *w) {
    gdyn_lp_status outcome = GDYN_LP_FAILED;
    int k = w->k, r = w->r, m = 3 * k;
    /* columns y and t: |speed (f + V y)| <= t, the sum of t least */
    memset(s->table, 0, (size_t)(m * (r + k)) * sizeof *s->table);
    fill_rows(s, w, m, 0);
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < r; j++) {
            double a = w->V[j * k + i] * s->speed[i];
            s->table[j * m + k + i] = a;
            s->table[j * m + 2 * k + i] = -a;
        }
        s->table[(r + i) * m + k + i] = s->table[(r + i) * m + 2 * k + i] = -1;
    }
    /* rows: limits, then both signs of every power */
    gdyn_status status = gdyn_lp_load(s->lp, m, r + k, s->table, m);
    if (status == GDYN_OK) {
        limit_rows(s, w);
        for (int i = 0; i < k; i++) {
            gdyn_lp_row(s->lp, k + i, -INFINITY, -w->f[i] * s->speed[i]);
            gdyn_lp_row(s->lp, 2 * k + i, -INFINITY, w->f[i] * s->speed[i]);
            gdyn_lp_column(s->lp, r + i, 0, INFINITY);
            gdyn_lp_objective(s->lp, r + i, 1);
        }
        status = gdyn_lp_solve(s->lp, false, GDYN_LP_PRIMAL, &outcome);
    }
    if (status == GDYN_OK && outcome == GDYN_LP_OPTIMAL)
        take(s, w, s->n);
    return status;
}

/* s->n, which keeps the limits on entry, by least norm within what the wanted distribution leaves
 * open. violation: the smallest there is, in half ranges (<= 0). */
static gdyn_status choose(gdyn_sharer *s, gdyn_sharing sharing, double preload, double violation) {
    share_problem w = problem_of(s), own = w;
    if (sharing == GDYN_SHARE_PRELOAD)
        return preloaded(s, &w, preload);
    if (sharing == GDYN_SHARE_PEAK)
        return least_peak(s, &w, violation);
    if (sharing == GDYN_SHARE_POWER && speeds(s, &w)) {
        gdyn_status status = least_power(s, &w);
        if (status != GDYN_OK)
            return status;
        /* The problem of all y with the power and the signs of s->n: one row more. */
        int k = w.k;
        double held = 0, f = 0, all = 0;
        memset(s->own_V, 0, (size_t)((k + 1) * w.r) * sizeof *s->own_V);
        /* the sign of the power of all drives: what works against it counts */
        for (int i = 0; i < k; i++)
            all += s->n[i] * s->speed[i];
        /* every drive stays on its side of zero; one more row keeps the power against */
        for (int i = 0; i < k; i++) {
            double v = all < 0 ? -s->speed[i] : s->speed[i], power = s->n[i] * v;
            bool against = power < -EDGE, push = v != 0 && (v > 0) != against,
                 pull = v != 0 && !push;
            s->own_min[i] = push ? fmax(w.min[i], fmin(0, s->n[i])) : w.min[i];
            s->own_max[i] = pull ? fmin(w.max[i], fmax(0, s->n[i])) : w.max[i];
            held += against ? power : 0;
            f += against ? w.f[i] * v : 0;
            for (int j = 0; j < w.r; j++) {
                s->own_V[j * (k + 1) + i] = w.V[j * k + i];
                s->own_V[j * (k + 1) + k] += against ? w.V[j * k + i] * v : 0;
            }
        }
        s->own_min[k] = held;
        s->own_max[k] = 0;
        s->f[k] = f;
        s->n[k] = held;
        s->unit[k] = 1;
        s->counted[k] = 0;
        own = (share_problem){k + 1,      w.r,        s->own_V, s->f,
                              s->own_min, s->own_max, s->unit,  s->counted};
    }
    return least_norm(s, &own, s->n);
}

/* --- the sharer at a place -------------------------------------------------------------------- */

/* s->n of least violation. */
static gdyn_status least_violation(gdyn_sharer *s, double *violation, gdyn_limit *worst) {
    share_problem w = problem_of(s);
    gdyn_status status = find_margin(s, &w, s->min, s->max, false, s->n);
    /* Worst row of the forces at hand. */
    int k = w.k;
    double most = -INFINITY;
    for (int i = 0; i < k; i++) {
        double under = (s->min[i] - s->n[i]) / s->unit[i],
               over = (s->n[i] - s->max[i]) / s->unit[i];
        if (fmax(under, over) > most) {
            most = fmax(under, over);
            *worst = gdyn_limit_force(i, over >= under ? 1 : -1);
        }
    }
    *violation = most;
    return status;
}

const gdyn_coefficients *gdyn_sharer_coefficients(const gdyn_sharer *s) {
    return s->q;
}

const double *gdyn_sharer_units(const gdyn_sharer *s) {
    return s->unit;
}

void gdyn_sharer_speeds(gdyn_sharer *s, double *speed) {
    gdyn_path_dynamics_row_speeds(s->dynamics, s->q->k, s->speed, speed);
}

bool gdyn_sharer_centre(gdyn_sharer *s, double *n) {
    share_problem w = problem_of(s);
    return s->q && find_margin(s, &w, s->low, s->high, true, n) == GDYN_OK;
}

/* Windows of d1 and equalities at (d1, d2) that are violated more than the forces' limits. */
static void worst_of_motion(const gdyn_coefficients *q, double d1, double d2, gdyn_shares *out) {
    double above = d1 > q->d1_high ? d1 / q->d1_high - 1 : -1;
    double below = d1 < q->d1_low ? 1 - d1 / q->d1_low : -1, worst = fmax(above, below);
    if (worst > out->violation && worst > 0) {
        out->violation = worst;
        out->worst = above >= below ? gdyn_limit_window(q->d1_high_window, 1)
                                    : gdyn_limit_window(q->d1_low_window, -1);
    }
    for (int i = 0; i < q->equalities; i++) {
        double e = fabs(gdyn_equality_at(q, i, d1, d2));
        if (e > KEPT && e > out->violation) {
            out->violation = e;
            out->worst = gdyn_limit_path();
        }
    }
}

/* Forces at (p, d1, d2): possible or not, then the wanted distribution. */
gdyn_status gdyn_sharer_at(gdyn_sharer *s, double p, double d1, double d2, gdyn_sharing sharing,
                           double preload, bool want_ranges, gdyn_shares *out) {
    const gdyn_coefficients *q;
    gdyn_point_status found;
    gdyn_status status = gdyn_path_dynamics_at(s->dynamics, p, &q, &found);
    if (status == GDYN_OK && found == GDYN_POINT_OK)
        return gdyn_sharer_with(s, q, d1, d2, sharing, preload, want_ranges, out);
    s->q = NULL;
    *out = (gdyn_shares){.found = found, .violation = INFINITY, .worst = gdyn_limit_path()};
    return status;
}

gdyn_status gdyn_sharer_with(gdyn_sharer *s, const gdyn_coefficients *q, double d1, double d2,
                             gdyn_sharing sharing, double preload, bool want_ranges,
                             gdyn_shares *out) {
    *out = (gdyn_shares){.found = GDYN_POINT_OK, .violation = INFINITY, .worst = gdyn_limit_path()};
    s->q = q;
    prepare(s, q, d1, d2);
    gdyn_status status = least_violation(s, &out->violation, &out->worst);
    double least = out->violation;
    worst_of_motion(q, d1, d2, out);
    out->possible = out->violation <= KEPT;
    /* the wanted distribution, then the range of each force over all of them */
    bool wanted = sharing != GDYN_SHARE_PEAK || want_ranges;
    if (status == GDYN_OK && out->possible && wanted && q->r > 0)
        status = choose(s, sharing, preload, fmin(least, 0));
    if (status == GDYN_OK && want_ranges) {
        share_problem w = problem_of(s);
        status = find_ranges(s, &w, s->n, s->low, s->high);
    }
    out->rows = q->k;
    out->n = s->n;
    out->low = s->low;
    out->high = s->high;
    out->min = s->min;
    out->max = s->max;
    return status;
}
