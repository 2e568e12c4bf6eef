/* sharing.c - how far limits are violated with the best forces of redundant drives: n = f + V y,
 *   min s:  low_i - s h_i <= f_i + V_i y <= high_i + s h_i     (h: half ranges)
 * by a linear program over y; then the distribution that was asked for (sharing_kinds.c). */
#include "traverse/internal.h"

#include "access/rows.h"
#include "base/memory.h"
#include "traverse/least_forces.h"

#include <math.h>
#include <string.h>

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

/* s->n of least violation. */
static gdyn_status least_violation(gdyn_sharer *s, double *violation, gdyn_limit *worst) {
    gdyn_share_problem w = gdyn_share_problem_of(s);
    gdyn_status status = gdyn_share_margin(s, &w, s->min, s->max, false, s->n);
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

bool gdyn_sharer_centre(gdyn_sharer *s, double *n) {
    gdyn_share_problem w = gdyn_share_problem_of(s);
    return s->q && gdyn_share_margin(s, &w, s->low, s->high, true, n) == GDYN_OK;
}

/* Windows of d1 and equalities at (d1, d2), where one of them is violated more than the forces'
 * limits. */
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
    *out = (gdyn_shares){.violation = INFINITY, .worst = {.shape = GDYN_LIMIT_EQUALITY, .row = -1}};
    s->q = NULL;
    gdyn_status status = gdyn_path_dynamics_at(s->dynamics, p, &q, &out->found);
    if (status != GDYN_OK || out->found != GDYN_POINT_OK)
        return status;
    s->q = q;
    prepare(s, q, d1, d2);
    status = least_violation(s, &out->violation, &out->worst);
    double least = out->violation;
    worst_of_motion(q, d1, d2, out);
    out->possible = out->violation <= KEPT;
    /* the wanted distribution, then the range of each force over all of them */
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
