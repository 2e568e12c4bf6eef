/* sharing_kinds.c - ranges of forces and distributions.
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
#include "traverse/internal.h"

#include "traverse/least_forces.h"

#include <math.h>
#include <string.h>

/* A point on the boundary keeps its limits within rounding. */
static const double EDGE = 1e-9;

/* V in units of the rows, from row `first` of the table on. */
static void fill_rows(const gdyn_sharer *s, const gdyn_share_problem *w, int lead, int first) {
    for (int j = 0; j < w->r; j++)
        for (int i = 0; i < w->k; i++)
            s->table[j * lead + first + i] = w->V[j * w->k + i] / w->unit[i];
}

/* Limits of every row, with room for rounding. */
static void limit_rows(gdyn_sharer *s, const gdyn_share_problem *w) {
    for (int i = 0; i < w->k; i++) {
        gdyn_lp_row(s->lp, i, (w->min[i] - w->f[i]) / w->unit[i] - EDGE,
                    (w->max[i] - w->f[i]) / w->unit[i] + EDGE);
    }
}

/* n of the program's solution. */
static void take(const gdyn_sharer *s, const gdyn_share_problem *w, double *n) {
    for (int i = 0; i < w->k; i++) {
        n[i] = w->f[i];
        for (int j = 0; j < w->r; j++)
            n[i] += w->V[j * w->k + i] * gdyn_lp_x(s->lp, j);
    }
}

/* --- one internal force ----------------------------------------------------------------------- */

/* Pairs of rows are looked at up to here. */
enum { FEW_ROWS = 64 };

/* With r = 1 every limit is an interval of y, and all of them leave one: no linear program is
 * needed. */
typedef struct interval {
    double low, high;
} interval;

/* The y that keep min <= f + V y <= max with that much room on every side. */
static interval kept_y(const gdyn_share_problem *w, double room) {
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

static void take_y(const gdyn_share_problem *w, double y, double *n) {
    for (int i = 0; i < w->k; i++)
        n[i] = w->f[i] + w->V[i] * y;
}

/* One side of a row's violation as a line a y + c over y. */
typedef struct bound_line {
    double a, c;
} bound_line;

static bound_line line_of(const gdyn_share_problem *w, int i) {
    double v = w->V[i / 2] / w->unit[i / 2], f = w->f[i / 2];
    return i % 2 ? (bound_line){v, (f - w->max[i / 2]) / w->unit[i / 2]}
                 : (bound_line){-v, (w->min[i / 2] - f) / w->unit[i / 2]};
}

/* The least greatest violation over y, -1 at least: where the highest crossing of a rising and a
 * falling side lies, or the highest level side. */
static double single_violation(const gdyn_share_problem *w) {
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
static void keep_limits(const gdyn_share_problem *w, const double *n, int i, double *low,
                        double *high) {
    low[i] = fmax(low[i], fmin(w->min[i], n[i]));
    high[i] = fmin(high[i], fmax(w->max[i], n[i]));
}

/* Least and greatest force of each row over all internal forces: two programs per row. */
gdyn_status gdyn_share_ranges(gdyn_sharer *s, const gdyn_share_problem *w, const double *n,
                              double *low, double *high) {
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

/* Inside: the point deepest within all ranges; else the least violation. */
gdyn_status gdyn_share_margin(gdyn_sharer *s, const gdyn_share_problem *w, const double *low,
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
    /* columns y and the margin: inside, a share of each force's room; else the relaxation of every
     * limit */
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

/* n of least norm where no limit is reached: exact, whatever the sizes of the limits. */
static bool free_norm(gdyn_sharer *s, const gdyn_share_problem *w, double *n) {
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

/* With one internal force the least norm lies at the y nearest to that without limits; n stays
 * where rounding leaves no y. */
static void single_norm(const gdyn_share_problem *w, double *n) {
    double fv = 0, vv = 0;
    interval y = kept_y(w, 0);
    for (int i = 0; i < w->k; i++) {
        double weight = w->counted[i] > 0 ? 1 / w->counted[i] : 0;
        fv += w->f[i] * weight * w->V[i] * weight;
        vv += w->V[i] * weight * w->V[i] * weight;
    }
    if (vv > 0 && y.low <= y.high)
        take_y(w, fmax(fmin(-fv / vv, y.high), y.low), n);
}

/* n of least norm, from an n that keeps the limits; where rounding leaves none it stays. */
static gdyn_status least_norm(gdyn_sharer *s, const gdyn_share_problem *w, double *n) {
    if (free_norm(s, w, n))
        return GDYN_OK;
    if (w->r == 1) {
        single_norm(w, n);
        return GDYN_OK;
    }
    gdyn_status status = gdyn_share_ranges(s, w, n, s->own_low, s->own_high);
    /* all rows are determined: nothing to choose */
    double widest = 0;
    for (int i = 0; i < w->k; i++)
        widest = fmax(widest, (s->own_high[i] - s->own_low[i]) / w->unit[i]);
    if (status == GDYN_OK && widest <= UNIQUE)
        return GDYN_OK; /* as on the boundary of the region: n is the only one */
    /* an inner point to start from, then the quadratic program */
    if (status == GDYN_OK)
        status = gdyn_share_margin(s, w, s->own_low, s->own_high, true, s->inner);
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
static gdyn_status least_peak(gdyn_sharer *s, const gdyn_share_problem *w, double violation) {
    gdyn_share_problem own = *w;
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
static gdyn_status most_preload(gdyn_sharer *s, const gdyn_share_problem *w, double wanted,
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
static gdyn_status preloaded(gdyn_sharer *s, const gdyn_share_problem *w, double wanted) {
    gdyn_share_problem own = *w;
    double preload;
    gdyn_status status = most_preload(s, w, wanted, &preload);
    for (int i = 0; i < w->k; i++)
        s->own_min[i] = w->counted[i] > 0 ? w->min[i] + preload : w->min[i];
    own.min = s->own_min;
    return status == GDYN_OK ? least_norm(s, &own, s->n) : status;
}

/* --- power ------------------------------------------------------------------------------------ */

/* v_i in the unit of the greatest n_i v_i; false when nothing moves. */
static bool speeds(gdyn_sharer *s, const gdyn_share_problem *w) {
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
static gdyn_status least_power(gdyn_sharer *s, const gdyn_share_problem *w) {
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

/* Least norm within what the wanted distribution leaves open. */
gdyn_status gdyn_share_choose(gdyn_sharer *s, gdyn_sharing sharing, double preload,
                              double violation) {
    gdyn_share_problem w = gdyn_share_problem_of(s), own = w;
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
        own = (gdyn_share_problem){k + 1,      w.r,        s->own_V, s->f,
                                   s->own_min, s->own_max, s->unit,  s->counted};
    }
    return least_norm(s, &own, s->n);
}
