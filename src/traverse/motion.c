/* motion.c - checks of given motions: feasibility, and the slow-down or speed-up.
 *
 * Slowed down uniformly by 1/s, a sample (d1, d2) becomes (s d1, s^2 d2), and the rows become
 *   low <= (A d1^2 + D d2) s^2 + B d1 s + C + V y <= high:
 * an accessible region in s alone. Its exact set of s, islands included, comes from the same
 * projection as all regions; the samples' sets are intersected. */

#include "access/folding.h"
#include "linalg/minimum.h"
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
    /* no s moves the machine to where it cannot be; paths that are motions have no range of s */
    if (!q || q->equalities > 0) {
        c->s.count = 0;
        return GDYN_OK;
    }
    /* the rows as functions of s in place of d1: the region's d1 are the accessible s */
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

/* Range of s about 1: how much faster a feasible motion may, how much slower another must be. */
static void conclude(const checker *c, gdyn_feasibility *r) {
    r->slowdown = r->feasible ? 1 : c->s.lost ? NAN : INFINITY;
    r->margin = NAN;
    r->slowest = 0;
    double near = SAME_SPEED;
    for (int i = 0; i < c->s.count; i++) {
        double low = c->s.low[i], high = c->s.high[i];
        /* s = 1 is accessible: the margin is its upper end */
        if (r->feasible && low <= 1 + near && high >= 1 - near)
            r->margin = fmax(high, 1), r->slowest = low;
        /* else the nearest s below */
        else if (!r->feasible && low <= 1 && high > 0)
            r->slowdown = fmax(1 / fmin(high, 1), 1), r->slowest = low;
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

/* --- rates from sample to sample -------------------------------------------------------------- */

/* Rows at a sample by powers of the factor s on speed: (A d1^2 + D d2) s^2 + B d1 s + C. */
typedef struct moment {
    double t, *part[3]; /* k each */
    bool known;
} moment;

/* d2 of the parabola through three neighbours and the middle of their times: differences over them
 * are means of the third derivative with positive weights, where p itself is all that is known. */
static gdyn_sample smoothed(const gdyn_sample *s) {
    double before = (s->p - s[-1].p) / (s->t - s[-1].t), behind = (s[1].p - s->p) / (s[1].t - s->t);
    gdyn_sample own = *s;
    own.d2 = 2 * (behind - before) / (s[1].t - s[-1].t);
    own.t = (s[-1].t + s->t + s[1].t) / 3;
    return own;
}

/* Whether the motion stands still before its first or behind its last sample i; *own: it, as the
 * step from there sees it. Of positions alone the parabola through the end gives the speed. */
static bool rests_at_end(const gdyn_path_dynamics *dynamics, const gdyn_sample *s, int count, int i,
                         bool derived, gdyn_sample *own) {
    static const double SLOW = 0.1; /* share of the mean speed up to the next sample */
    *own = s[i];
    if (!derived)
        return count > 1 && (s[i].d1 == 0 || gdyn_path_dynamics_rests(dynamics, s[i].p));
    int next = i == 0 ? 1 : i - 1, third = i == 0 ? 2 : i - 2;
    double near = s[next].t - s[i].t, far = s[third].t - s[i].t, one = s[next].p - s[i].p;
    double way = (one * far - (s[third].p - s[i].p) * near * near / far) / (far - near);
    gdyn_sample beyond = s[i], around[3] = {s[next], s[i], beyond};
    beyond.t -= near;
    around[i == 0 ? 0 : 2] = beyond, around[i == 0 ? 2 : 0] = s[next];
    *own = smoothed(&around[1]);
    own->d1 = 0;
    return fabs(way) <= SLOW * fabs(one) || way * one < 0;
}

/* The rows there; those that internal forces change become NAN. at_rest: as if it stood still. */
static void take_moment(const gdyn_coefficients *q, const gdyn_sample *s, bool at_rest, moment *m) {
    m->t = s->t;
    m->known = true;
    for (int i = 0; i < q->k; i++) {
        bool own = true;
        for (int j = 0; j < q->r; j++)
            own = own && q->V[i + j * q->k] == 0;
        m->part[0][i] = own ? q->C[i] : NAN;
        m->part[1][i] = at_rest ? 0 : q->B[i] * s->d1;
        m->part[2][i] = at_rest ? 0 : q->A[i] * s->d1 * s->d1 + q->D[i] * s->d2;
    }
}

/* A step in which row i changes by change[0] + change[1] s + change[2] s^2. */
typedef struct rate_step {
    double change[3], most;
} rate_step;

/* No less than the rate as a share of its limit, at the factor s on speed; grows with it. */
static double rate_excess(void *context, double s) {
    const rate_step *c = context;
    return s * (fabs(c->change[0]) + s * (fabs(c->change[1]) + s * fabs(c->change[2]))) - c->most;
}

/* The largest factor on speed that keeps the rate in this step, if it is below `least`. */
static double largest_factor(rate_step *c, double least) {
    double within;
    return rate_excess(c, least) > 0 ? gdyn_bisect(rate_excess, c, 0, least, 1, &within) : least;
}

typedef struct rate_check {
    const double *rate;
    double tolerance, factor; /* on speed */
    int at;                   /* sample that allows no more; -1: none */
    gdyn_limit tightest;
    gdyn_feasibility *r;
} rate_check;

/* The step from a to b over dt from the place `at`; *most: excess as a share of the limit. */
static void check_step(rate_check *c, int k, const moment *a, const moment *b, double dt, int at,
                       double *most, gdyn_limit *limit) {
    for (int i = 0; i < k && dt > 0; i++) {
        rate_step step = {.most = c->rate[i] * dt};
        for (int n = 0; n < 3; n++)
            step.change[n] = b->part[n][i] - a->part[n][i];
        double change = step.change[0] + step.change[1] + step.change[2];
        double share = fabs(change) / step.most - 1;
        if (!isfinite(step.most) || isnan(share))
            continue;
        gdyn_limit own = gdyn_limit_rate(i, change > 0 ? 1 : -1);
        double factor = share > c->tolerance ? largest_factor(&step, fmin(c->factor, 1))
                                             : largest_factor(&step, fmin(c->factor, 1e6));
        if (factor < c->factor)
            c->factor = factor, c->at = at, c->tightest = own;
        if (share <= c->tolerance || share <= *most)
            continue;
        *most = share, *limit = own;
        gdyn_violation v = {.at = at, .amount = share * c->rate[i], .half_range = c->rate[i]};
        v.shares = (gdyn_shares){.rows = k, .violation = share, .worst = own};
        gdyn_feasibility *r = c->r;
        r->feasible = false;
        r->first = r->first.at < 0 || at < r->first.at ? v : r->first;
        r->worst = r->worst.at < 0 || share > r->worst.shares.violation ? v : r->worst;
    }
}

/* Margin and slow-down with those of the rates. */
static void add_factor(const rate_check *c, bool feasible) {
    gdyn_feasibility *r = c->r;
    if (r->feasible && c->factor < r->margin) {
        r->margin = fmax(c->factor, 1);
        r->margin_at = c->at, r->margin_limit = c->tightest;
    } else if (!r->feasible && c->factor < 1) {
        r->slowdown = fmax(feasible ? 1 : r->slowdown, 1 / c->factor);
        r->slowdown = c->factor < r->slowest ? INFINITY : r->slowdown;
    }
    if (!r->feasible)
        r->margin = NAN, r->margin_at = -1;
}

gdyn_status gdyn_motion_check_rates(gdyn_path_dynamics *dynamics, int count,
                                    const gdyn_sample *sample, bool derived, int stride,
                                    const double *rate, double tolerance, double *violation,
                                    gdyn_limit *limit, gdyn_feasibility *r) {
    size_t rows = (size_t)gdyn_path_dynamics_rows(dynamics);
    double *numbers = gdyn_alloc(10 * rows + 1, sizeof *numbers), *shared = numbers + 9 * rows;
    moment now[3] = {{0}}; /* the last sample, this one, and standing still */
    rate_check c = {.rate = rate, .tolerance = tolerance, .factor = INFINITY, .at = -1, .r = r};
    bool feasible = r->feasible;
    gdyn_status status = numbers ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (size_t i = 0; i < 9 && numbers; i++)
        now[i / 3].part[i % 3] = numbers + i * rows;
    for (int i = 0; i < count && status == GDYN_OK; i++) {
        const gdyn_coefficients *q;
        gdyn_point_status found;
        bool end = i == 0 || i + 1 == count;
        limit[i].row = -1;
        status = gdyn_path_dynamics_at(dynamics, sample[i].p, &q, &found);
        bool known = status == GDYN_OK && found == GDYN_POINT_OK && isfinite(sample[i].t), rests;
        moment *a = &now[(i + 1) % 2], *b = &now[i % 2];
        b->known = false;
        gdyn_sample own = sample[i];
        rests = known && end && rests_at_end(dynamics, sample, count, i, derived, &own);
        if (!known || (derived && end && !rests))
            continue;
        own = derived && !end ? smoothed(&sample[i]) : own;
        take_moment(q, &own, false, b);
        for (int row = 0; row < q->k; row++)
            if (isnan(b->part[0][row]) && isfinite(rate[row]) && shared[row] == 0)
                shared[row] = 1, r->unchecked++;
        if (a->known)
            check_step(&c, q->k, a, b, b->t - a->t, (i - 1) * stride, &violation[i - 1],
                       &limit[i - 1]);
        if (rests) {
            take_moment(q, &own, true, &now[2]);
            double dt = i == 0 ? sample[1].t - own.t : own.t - sample[i - 1].t;
            check_step(&c, q->k, i == 0 ? &now[2] : b, i == 0 ? b : &now[2], dt, i * stride,
                       &violation[i], &limit[i]);
        }
    }
    add_factor(&c, feasible);
    gdyn_free(numbers);
    return status;
}

/* --- reach ------------------------------------------------------------------------------------ */

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
