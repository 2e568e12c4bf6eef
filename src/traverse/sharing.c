/* sharing.c - how far limits are violated with the best forces of redundant drives: n = f + V y,
 *   min s:  low_i - s h_i <= f_i + V_i y <= high_i + s h_i     (h: half ranges)
 * by a linear program over y; then the distribution that was asked for (sharing_kinds.c). */
#include "traverse/sharing.h"

#include "base/memory.h"
#include "traverse/least_forces.h"

#include <math.h>
#include <string.h>

/* Violations, in full limits, that are rounding of the coefficients. */
static const double KEPT = 1e-9;

const char *const gdyn_sharing_names[] = {"norm", "peak", "preload", "power", NULL};

gdyn_sharer *gdyn_sharer_create(gdyn_path_dynamics *dynamics) {
    gdyn_arena *arena = gdyn_arena_create();
    gdyn_sharer *s = gdyn_arena_alloc(arena, 1, sizeof *s);
    if (!s) {
        gdyn_arena_destroy(arena);
        return NULL;
    }
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
        s->f[i] = (q->A[i] * d1 + q->B[i]) * d1 + q->C[i] + q->D[i] * d2;
        s->min[i] = q->min[i];
        s->max[i] = q->max[i];
        if (q->min_slope && isfinite(q->min[i]))
            s->min[i] += q->min_slope[i] * d1;
        if (q->max_slope && isfinite(q->max[i]))
            s->max[i] += q->max_slope[i] * d1;
        s->counted[i] = s->unit[i];
        for (int j = 0; j < i; j++)
            if (gdyn_path_dynamics_drive(s->dynamics, j) ==
                gdyn_path_dynamics_drive(s->dynamics, i))
                s->counted[i] = 0; /* a further limit of a drive */
    }
}

gdyn_share_problem gdyn_share_problem_of(const gdyn_sharer *s) {
    return (gdyn_share_problem){s->q ? s->q->k : 0,
                                s->q ? s->q->r : 0,
                                s->q ? s->q->V : NULL,
                                s->f,
                                s->min,
                                s->max,
                                s->unit,
                                s->counted};
}

static void forces_of(gdyn_sharer *s, const gdyn_coefficients *q) {
    for (int i = 0; i < q->k; i++) {
        s->n[i] = s->f[i];
        for (int j = 0; j < q->r; j++)
            s->n[i] += q->V[j * q->k + i] * s->y[j];
    }
}

/* Worst row of the forces at hand. */
static double worst_row(const gdyn_sharer *s, int k, gdyn_limit *worst) {
    double most = -INFINITY;
    for (int i = 0; i < k; i++) {
        double under = (s->min[i] - s->n[i]) / s->unit[i],
               over = (s->n[i] - s->max[i]) / s->unit[i];
        if (fmax(under, over) > most) {
            most = fmax(under, over);
            *worst = gdyn_limit_force(i, over >= under ? 1 : -1);
        }
    }
    return most;
}

/* Least violation: s->y, s->n. */
static gdyn_status least_violation(gdyn_sharer *s, const gdyn_coefficients *q, double *violation,
                                   gdyn_limit *worst) {
    int k = q->k, m = 2 * k;
    gdyn_status status = GDYN_OK;
    memset(s->y, 0, (size_t)(q->r + 1) * sizeof *s->y);
    if (q->r > 0) {
        /* columns y and s: min - s h <= f + V y <= max + s h, in half ranges */
        for (int j = 0; j < q->r; j++)
            for (int i = 0; i < k; i++)
                s->table[j * m + i] = s->table[j * m + k + i] = q->V[j * k + i] / s->unit[i];
        for (int i = 0; i < k; i++) {
            s->table[q->r * m + i] = 1;
            s->table[q->r * m + k + i] = -1;
        }
        /* least s, negative where all limits keep a margin */
        status = gdyn_lp_load(s->lp, m, q->r + 1, s->table, m);
        for (int i = 0; i < k && status == GDYN_OK; i++) {
            gdyn_lp_row(s->lp, i, (s->min[i] - s->f[i]) / s->unit[i], INFINITY);
            gdyn_lp_row(s->lp, k + i, -INFINITY, (s->max[i] - s->f[i]) / s->unit[i]);
        }
        gdyn_lp_column(s->lp, q->r, -1, INFINITY);
        gdyn_lp_objective(s->lp, q->r, 1);
        gdyn_lp_status outcome = GDYN_LP_FAILED;
        if (status == GDYN_OK)
            status = gdyn_lp_solve(s->lp, false, GDYN_LP_PRIMAL, &outcome);
        for (int j = 0; j < q->r && outcome == GDYN_LP_OPTIMAL; j++)
            s->y[j] = gdyn_lp_x(s->lp, j);
    }
    forces_of(s, q);
    *violation = worst_row(s, k, worst);
    return status;
}

const gdyn_coefficients *gdyn_sharer_coefficients(const gdyn_sharer *s) {
    return s->q;
}

bool gdyn_sharer_centre(gdyn_sharer *s, double *n) {
    gdyn_share_problem w = gdyn_share_problem_of(s);
    return s->q && gdyn_share_centre(s, &w, s->low, s->high, n) == GDYN_OK;
}

gdyn_status gdyn_sharer_at(gdyn_sharer *s, double p, double d1, double d2, gdyn_sharing sharing,
                           double preload, bool want_ranges, gdyn_shares *out) {
    const gdyn_coefficients *q;
    *out = (gdyn_shares){.violation = INFINITY, .worst = {GDYN_LIMIT_PATH, -1, 0}};
    s->q = NULL;
    gdyn_status status = gdyn_path_dynamics_at(s->dynamics, p, &q, &out->found);
    if (status != GDYN_OK || out->found != GDYN_POINT_OK)
        return status;
    s->q = q;
    prepare(s, q, d1, d2);
    status = least_violation(s, q, &out->violation, &out->worst);
    double least = out->violation, speed = d1 > q->d1_high ? d1 / q->d1_high - 1 : -1;
    if (speed > out->violation && speed > 0) {
        out->violation = speed;
        out->worst = gdyn_limit_speed(q->d1_high_drive);
    }
    for (int i = 0; i < q->equalities; i++) {
        double e = fabs((q->eq_a[i] * d1 + q->eq_b[i]) * d1 + q->eq_c[i] + q->eq_d[i] * d2);
        if (e > KEPT && e > out->violation) {
            out->violation = e;
            out->worst = gdyn_limit_path();
        }
    }
    out->possible = out->violation <= KEPT;
    bool choose = sharing != GDYN_SHARE_PEAK || want_ranges;
    if (status == GDYN_OK && out->possible && choose && q->r > 0)
        status = gdyn_share_choose(s, sharing, preload, fmin(least, 0));
    if (status == GDYN_OK && want_ranges) {
        gdyn_share_problem w = gdyn_share_problem_of(s);
        status = gdyn_share_ranges(s, &w, s->n, s->low, s->high);
    }
    out->rows = q->k;
    out->n = s->n;
    out->low = s->low;
    out->high = s->high;
    out->min = s->min;
    out->max = s->max;
    return status;
}
