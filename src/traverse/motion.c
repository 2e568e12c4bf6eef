/* motion.c - checks of given motions: feasibility, and the slow-down or speed-up.
 *
 * Slowed down uniformly by 1/s, a sample (d1, d2) becomes (s d1, s^2 d2), and the rows become
 *   low <= (A d1^2 + D d2) s^2 + B d1 s + C + V y <= high:
 * an accessible region in s alone. Its exact set of s, islands included, comes from the same
 * projection as all regions; the samples' sets are intersected. */

#include "access/folding.h"
#include "traverse/internal.h"

#include <assert.h>
#include <math.h>

/* Share of a step within which a stop is at its end. */
static const double SAME_PLACE = 1e-9;
/* Relative difference of speeds that is rounding of the interval ends. */
static const double SAME_SPEED = 1e-9;

enum { STENCIL = 5 };

/* --- derivatives ------------------------------------------------------------------------------ */

/* First and second derivative at x[at] of the polynomial through n points (Newton's form). */
static void derivatives(int n, const double *x, const double *y, double at, double *d1,
                        double *d2) {
    double c[STENCIL], value = 0, first = 0, second = 0;
    for (int i = 0; i < n; i++)
        c[i] = y[i];
    for (int j = 1; j < n; j++)
        for (int i = n - 1; i >= j; i--)
            c[i] = (c[i] - c[i - 1]) / (x[i] - x[i - j]);
    for (int i = n - 1; i >= 0; i--) { /* Horner with both derivatives */
        second = second * (at - x[i]) + 2 * first;
        first = first * (at - x[i]) + value;
        value = value * (at - x[i]) + c[i];
    }
    *d1 = first;
    *d2 = second;
}

/* First and second derivatives of p(t) by a stencil of neighbours. */
bool gdyn_motion_differentiate(int count, gdyn_sample *sample) {
    /* as many neighbours as there are; times have to increase */
    int n = count < STENCIL ? count : STENCIL;
    for (int i = 1; i < count; i++)
        if (!(sample[i].t > sample[i - 1].t))
            return false;
    for (int i = 0; i < count && n >= 3; i++) {
        /* centred, but inside at the ends */
        int from = i - n / 2;
        from = from < 0 ? 0 : from > count - n ? count - n : from;
        double t[STENCIL], p[STENCIL];
        for (int k = 0; k < n; k++) {
            t[k] = sample[from + k].t - sample[i].t;
            p[k] = sample[from + k].p;
        }
        derivatives(n, t, p, 0, &sample[i].d1, &sample[i].d2);
    }
    return n >= 3;
}

/* --- between samples -------------------------------------------------------------------------- */

/* p over 0..h is Hermite's quintic. */
static void between_in_t(const gdyn_sample *a, const gdyn_sample *b, double end_d2, double f,
                         gdyn_sample *s) {
    /* Hermite's data: p, d1 and d2 at both ends, times powers of h */
    double h = b->t - a->t, v0 = h * a->d1, v1 = h * b->d1, w0 = h * h * a->d2;
    double w1 = h * h * end_d2, d = b->p - a->p;
    double e0 = d - v0 - 0.5 * w0, e1 = v1 - v0 - w0, e2 = w1 - w0;
    double c3 = 10 * e0 - 4 * e1 + 0.5 * e2, c4 = -15 * e0 + 7 * e1 - e2;
    double c5 = 6 * e0 - 3 * e1 + 0.5 * e2;
    /* position, velocity, acceleration */
    s->t = a->t + f * h;
    s->p = a->p + f * (v0 + f * (0.5 * w0 + f * (c3 + f * (c4 + f * c5))));
    s->d1 = fmax((v0 + f * (w0 + f * (3 * c3 + f * (4 * c4 + f * 5 * c5)))) / h, 0);
    s->d2 = (w0 + f * (6 * c3 + f * (12 * c4 + f * 20 * c5))) / (h * h);
}

/* d2 = u0 + c y over y = p - a->p: a linear equation for y(t), after the time tau. */
static gdyn_sample linear_at(const gdyn_sample *a, double c, double tau) {
    double z = sqrt(fabs(c)) * tau, cosine = c > 0 ? cosh(z) : cos(z);
    /* sinh z / z and (cosh z - 1) / z^2, or their trigonometric counterparts */
    double half = z > 1e-8 ? (c > 0 ? sinh(0.5 * z) : sin(0.5 * z)) / (0.5 * z) : 1;
    double sine = z > 1e-8 ? (c > 0 ? sinh(z) : sin(z)) / z : 1, versine = 0.5 * half * half;
    gdyn_sample s = {.t = a->t + tau, .d1 = a->d1 * cosine + a->d2 * tau * sine};
    double y = (a->d1 * sine + a->d2 * tau * versine) * tau;
    s.p = a->p + y;
    s.d2 = a->d2 + c * y;
    return s;
}

/* Of the step's length, or of the greater speed. */
static const double LINEAR = 1e-9;

gdyn_sample gdyn_motion_at(const gdyn_sample *a, const gdyn_sample *b, double end_d2, double t) {
    double h = b->p - a->p, T = b->t - a->t, f = T > 0 ? fmin(fmax((t - a->t) / T, 0), 1) : 1;
    double c = h > 0 ? (end_d2 - a->d2) / h : 0;
    gdyn_sample s = linear_at(a, c, f * T), end = linear_at(a, c, T);
    bool linear = fabs(end.p - b->p) <= LINEAR * h &&
                  fabs(end.d1 - b->d1) <= LINEAR * fmax(fmax(a->d1, b->d1), h / T);
    if (f >= 1)
        s = *b, s.d2 = end_d2;
    else if (!linear)
        between_in_t(a, b, end_d2, f, &s);
    s.d1 = fmax(s.d1, 0);
    s.t = t;
    return s;
}

/* In p where the motion was planned there, in t where it was recorded. */
gdyn_sample gdyn_motion_between(const gdyn_sample *a, const gdyn_sample *b, double end_d2,
                                gdyn_between how, double f) {
    gdyn_sample s = {0};
    if (how == GDYN_BETWEEN_T && b->t > a->t)
        between_in_t(a, b, end_d2, f, &s);
    else {
        /* x = d1^2 over 0..h is Hermite's cubic by its values and slopes 2 d2 */
        double h = b->p - a->p, x0 = a->d1 * a->d1, x1 = b->d1 * b->d1;
        double s0 = 2 * h * a->d2, s1 = 2 * h * end_d2;
        double c2 = 3 * (x1 - x0) - 2 * s0 - s1, c3 = s0 + s1 - 2 * (x1 - x0);
        /* x, d2 = x' / 2, and the time by the share of constant acceleration */
        double x = fmax(x0 + f * (s0 + f * (c2 + f * c3)), 0);
        s.p = a->p + f * h;
        s.d1 = sqrt(x);
        s.d2 = h != 0 ? 0.5 * (s0 + f * (2 * c2 + 3 * f * c3)) / h : a->d2;
        double v = a->d1 + s.d1,
               whole = a->d1 + b->d1; /* of constant d2: t = 2 (p - a) / (sum of d1) */
        double share = v > 0 && whole > 0 ? fmin(f * whole / v, 1) : f;
        s.t = a->t + share * (b->t - a->t);
    }
    return s;
}

/* Samples and `each` - 1 places between them; d2 may jump at a sample. */
int gdyn_motion_places(int count, const gdyn_sample *sample, const double *before, gdyn_between how,
                       int each, gdyn_sample *place) {
    assert(count > 0 && each > 0);
    int n = 0;
    for (int i = 0; i + 1 < count; i++) {
        double end = before ? before[i + 1] : sample[i + 1].d2;
        for (int k = 0; k <= each; k++) {
            gdyn_sample *at = &place[n++];
            *at = k == 0 ? sample[i]
                  : k == each
                      ? sample[i + 1]
                      : gdyn_motion_between(&sample[i], &sample[i + 1], end, how, (double)k / each);
            at->d2 = k == each ? end : at->d2;
        }
    }
    place[n++] = sample[count - 1];
    return n;
}

/* Just before a stop, where it is the end of the interval. */
double gdyn_motion_end(const gdyn_path_dynamics *dynamics, double from, double p) {
    double near = SAME_PLACE * (p - from);
    for (int i = 0; p > from && i < dynamics->stops; i++)
        if (fabs(dynamics->stop[i] - p) <= near)
            return fmin(p - near, nextafter(p, -INFINITY));
    return p;
}

/* Time by the mean speed between places; NaN where the motion stands still. */
bool gdyn_motion_times(int count, gdyn_sample *place) {
    bool known = true;
    place[0].t = 0;
    for (int i = 1; i < count; i++) { /* exact where d2 is constant */
        double way = place[i].p - place[i - 1].p, speed = place[i].d1 + place[i - 1].d1;
        place[i].t = place[i - 1].t + (way > 0 ? 2 * way / speed : 0);
        known &= isfinite(place[i].t);
    }
    for (int i = 0; i < count && !known; i++)
        place[i].t = NAN;
    return known;
}

/* --- sets of s -------------------------------------------------------------------------------- */

/* The least upper end of the sets of s around 1. */
typedef struct tightest {
    double to;
    int at; /* sample; -1: none */
    gdyn_limit limit;
} tightest;

typedef struct checker {
    gdyn_path_dynamics *dynamics;
    gdyn_sharer *sharer;
    gdyn_access *access;
    gdyn_region *region;
    double *numbers; /* 5 x rows */
    gdyn_intervals s;
    tightest end;
} checker;

/* Slopes of limits over s at d1; NULL where there are none. */
static const double *slopes_of_scale(const double *slope, double d1, int k, double *out) {
    for (int i = 0; i < k && slope; i++)
        out[i] = slope[i] * d1;
    return slope ? out : NULL;
}

/* The rows over s at a sample; numbers: 5 k. */
static gdyn_coefficients rows_of_scale(const gdyn_coefficients *q, const gdyn_sample *sample,
                                       double *numbers) {
    double d1 = sample->d1, d2 = sample->d2;
    /* A d1^2 + D d2 grows with s^2, B d1 with s */
    double *A = numbers, *B = A + q->k, *D = B + q->k, *slopes = D + q->k;
    gdyn_coefficients row = *q;
    for (int i = 0; i < q->k; i++) {
        A[i] = q->A[i] * d1 * d1 + q->D[i] * d2;
        B[i] = q->B[i] * d1;
        D[i] = 0;
    }
    row.A = A, row.B = B, row.D = D;
    row.A_error = row.B_error = row.D_error = NULL; /* of the numbers at hand alone */
    /* s = d1 scaled: its limit is in shares of the sample's speed */
    row.d1_low = d1 > 0 ? q->d1_low / d1 : 0;
    row.d1_high = d1 > 0 ? q->d1_high / d1 : INFINITY;
    row.min_slope = slopes_of_scale(q->min_slope, d1, q->k, slopes);
    row.max_slope = slopes_of_scale(q->max_slope, d1, q->k, slopes + q->k);
    return row;
}

/* The sample's set of s; its rows, NULL where the machine cannot be. */
static gdyn_status scale(checker *c, int at, const gdyn_sample *sample,
                         const gdyn_coefficients *q) {
    /* unassembled places and given motions have no range of s */
    if (!q || q->equalities > 0) {
        c->s.count = q ? 0 : c->s.count;
        return GDYN_OK;
    }
    /* the rows as functions of s, which takes the place of d1: the region's d1 are the accessible
     * s */
    gdyn_coefficients row = rows_of_scale(q, sample, c->numbers);
    gdyn_status status = gdyn_access_region(c->access, &row, GDYN_BY_ELEMENTARY, c->region);
    if (status == GDYN_OK) {
        gdyn_intervals reachable = gdyn_speeds_reachable(c->region);
        gdyn_intervals_intersect(&c->s, &reachable);
        c->s.count = c->s.lost ? 0 : c->s.count;
        /* The nearest end of s above 1, and what causes it. */
        tightest *t = &c->end;
        const gdyn_region *region = c->region;
        for (int k = 0; k < region->island_count; k++) {
            const gdyn_island *island = &region->island[k];
            if (island->from <= 1 && island->to >= 1 - 1e-9 && island->to < t->to) {
                t->to = island->to;
                t->at = at;
                t->limit = island->right_count
                               ? island->right[0]
                               : (gdyn_limit){.shape = GDYN_LIMIT_EQUALITY, .row = -1};
            }
        }
    }
    return status;
}

/* The range of s about 1: how much faster a feasible motion may be, how much slower an infeasible
 * one must. */
static void conclude(const checker *c, gdyn_feasibility *r) {
    r->slowdown = r->feasible ? 1 : c->s.lost ? NAN : INFINITY;
    r->margin = NAN;
    double near = SAME_SPEED;
    for (int i = 0; i < c->s.count; i++) {
        double low = c->s.low[i], high = c->s.high[i];
        /* s = 1 is accessible: the margin is its upper end */
        if (r->feasible && low <= 1 + near && high >= 1 - near)
            r->margin = fmax(high, 1);
        /* else the nearest s below */
        else if (!r->feasible && low <= 1 && high > 0)
            r->slowdown = fmax(1 / fmin(high, 1), 1);
    }
    if (r->feasible && isnan(r->margin))
        r->margin = 1;
    bool known = r->feasible && isfinite(r->margin) && c->end.at >= 0;
    r->margin_at = known ? c->end.at : -1;
    r->margin_limit = c->end.limit;
}

/* The violation at sample i. */
static gdyn_violation violation_of(const gdyn_sharer *sharer, int i, const gdyn_shares *shares) {
    const gdyn_coefficients *q = gdyn_sharer_coefficients(sharer);
    gdyn_violation v = {.at = i, .shares = *shares, .amount = NAN, .half_range = INFINITY};
    /* the worst row; arrays of the sharer do not outlive it */
    int row = shares->worst.row;
    v.shares.n = v.shares.low = v.shares.high = v.shares.min = v.shares.max = NULL;
    if (q && shares->worst.shape == GDYN_LIMIT_ROW) {
        v.amount = shares->violation * gdyn_force_unit(q, row);
        v.half_range = gdyn_problem_half_range(q, row);
    } else if (q && shares->worst.shape == GDYN_LIMIT_WINDOW) {
        v.amount = shares->violation * (shares->worst.side > 0 ? q->d1_high : q->d1_low);
    }
    return v;
}

/* Across a place where the drives lose control of a freedom no motion is feasible. */
static void judge_singular(const gdyn_path_dynamics *dynamics, int count, const gdyn_sample *sample,
                           gdyn_feasibility *r) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        /* the part of the path that the motion covers */
        low = fmin(low, sample[i].p);
        high = fmax(high, sample[i].p);
    }
    const gdyn_singularity *block = gdyn_path_dynamics_block(dynamics, low, high);
    r->singular = block ? block->from : NAN;
    if (block) {
        r->feasible = false;
        r->slowdown = INFINITY;
        r->margin = NAN;
        r->margin_at = -1;
    }
}

/* One place: forces, worst violation, range of s. */
static gdyn_status check_place(checker *c, int i, const gdyn_sample *sample,
                               const gdyn_coefficients *q, const double *speed, gdyn_loads *loads,
                               gdyn_shares *shares) {
    gdyn_sharing sharing = loads ? loads->sharing : GDYN_SHARE_PEAK;
    double preload = loads ? loads->preload : 0;
    if (!q)
        return scale(c, i, sample, NULL);
    gdyn_status status = gdyn_sharer_with(c->sharer, q, sample->d1, sample->d2, sharing, preload,
                                          loads && sharing == GDYN_SHARE_PEAK && q->r > 0, shares);
    if (status == GDYN_OK && loads)
        gdyn_loads_add(loads, c->dynamics, sample, shares->rows, shares->n, shares->min,
                       shares->max, gdyn_sharer_units(c->sharer), speed);
    return status == GDYN_OK ? scale(c, i, sample, q) : status;
}

/* Is the motion possible, and by how much could it be faster? */
gdyn_status gdyn_motion_examine(gdyn_path_dynamics *dynamics, int count, const gdyn_sample *sample,
                                double tolerance, double *violation, gdyn_loads *loads,
                                gdyn_feasibility *r) {
    int rows = gdyn_path_dynamics_rows(dynamics);
    checker c = {.dynamics = dynamics,
                 .s = {1, {0}, {INFINITY}},
                 .end = {INFINITY, -1, {.shape = GDYN_LIMIT_EQUALITY, .row = -1}}};
    *r = (gdyn_feasibility){.feasible = true, .first.at = -1, .worst.at = -1, .margin_at = -1};
    c.sharer = gdyn_sharer_create(dynamics);
    c.access = gdyn_access_create(rows, gdyn_path_dynamics_redundancy(dynamics), 4);
    c.region = gdyn_region_create();
    c.numbers = gdyn_alloc(5 * (size_t)rows + 1, sizeof *c.numbers);
    gdyn_close_rows *close = gdyn_close_rows_create(dynamics);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (c.sharer && c.access && c.region && c.numbers && close) {
        status = GDYN_OK;
        for (int i = 0; i < count && status == GDYN_OK; i++) {
            const gdyn_coefficients *q = NULL;
            const double *speed = NULL;
            gdyn_shares shares = {.violation = INFINITY, .worst = gdyn_limit_path()};
            status = gdyn_close_rows_at(close, count, sample, i, &q, &speed, &shares.found);
            if (status == GDYN_OK)
                status = check_place(&c, i, &sample[i], shares.found == GDYN_POINT_OK ? q : NULL,
                                     speed, loads, &shares);
            if (status != GDYN_OK)
                break;
            r->unfollowed += shares.found != GDYN_POINT_OK;
            if (violation)
                violation[i] = shares.violation;
            /* first and worst violation */
            if (shares.violation > tolerance) {
                gdyn_violation v = violation_of(c.sharer, i, &shares);
                r->feasible = false;
                r->first = r->first.at < 0 ? v : r->first;
                if (r->worst.at < 0 || shares.violation > r->worst.shares.violation)
                    r->worst = v;
            }
        }
        conclude(&c, r);
        judge_singular(dynamics, count, sample, r);
    }
    gdyn_close_rows_destroy(close);
    gdyn_sharer_destroy(c.sharer);
    gdyn_access_destroy(c.access);
    gdyn_region_destroy(c.region);
    gdyn_free(c.numbers);
    return status;
}

gdyn_status gdyn_motion_check(gdyn_path_dynamics *dynamics, int count, const gdyn_sample *sample,
                              double tolerance, double *violation, gdyn_feasibility *r) {
    return gdyn_motion_examine(dynamics, count, sample, tolerance, violation, NULL, r);
}

/* Greatest accessible d1 and the limit of it by windows, sample by sample. */
gdyn_status gdyn_motion_reach(gdyn_path_dynamics *dynamics, int count, const gdyn_sample *sample,
                              double *d1_max, double *d1_limit, int *window) {
    gdyn_access *access = gdyn_access_create(gdyn_path_dynamics_rows(dynamics),
                                             gdyn_path_dynamics_redundancy(dynamics), 4);
    gdyn_region *region = gdyn_region_create();
    gdyn_status status = access && region ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < count && status == GDYN_OK; i++) {
        const gdyn_coefficients *q;
        gdyn_point_status found;
        d1_max[i] = NAN;
        d1_limit[i] = INFINITY;
        window[i] = -1;
        status = gdyn_path_dynamics_at(dynamics, sample[i].p, &q, &found);
        if (status == GDYN_OK && found == GDYN_POINT_OK) {
            status = gdyn_access_region(access, q, GDYN_BY_ELEMENTARY, region);
            d1_limit[i] = q->d1_high;
            window[i] = q->d1_high_window;
            d1_max[i] = status == GDYN_OK && region->island_count > 0 ? region->d1_max : NAN;
        }
    }
    gdyn_access_destroy(access);
    gdyn_region_destroy(region);
    return status;
}
