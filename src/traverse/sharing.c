/* sharing.c - n = f + V y with limits on n: linear programs over y.
 *
 *   least violation   min s:  low_i - s h_i <= f_i + V_i y <= high_i + s h_i     (h: half ranges)
 *   ranges            min and max of n_i over all y that keep the limits
 *   least power       min sum w_i:  w_i >= +-(f_i + V_i y) v_i */
#include "traverse/motion.h"

#include "base/memory.h"
#include "lp/lp.h"

#include <math.h>
#include <string.h>

enum { BISECTIONS = 40 };

struct gdyn_sharer {
    gdyn_supply *supply;
    gdyn_access *access;
    gdyn_lp *lp;
    int rows, r;
    double *n, *low, *high, *min, *max; /* rows */
    double *f, *unit, *speed, *raised;  /* rows */
    double *y;                          /* r */
    double *table;                      /* 4 rows x (r + rows + 1) */
};

static const char *const names[] = {"norm", "peak", "preload", "power"};

bool gdyn_sharing_named(const char *name, gdyn_sharing *sharing) {
    for (int i = 0; i < 4; i++) {
        if (strcmp(name, names[i]) == 0) {
            *sharing = (gdyn_sharing)i;
            return true;
        }
    }
    return false;
}

gdyn_sharer *gdyn_sharer_create(gdyn_supply *supply) {
    gdyn_sharer *s = gdyn_alloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    size_t k = (size_t)gdyn_supply_rows(supply) + 1;
    s->supply = supply;
    s->rows = (int)k;
    s->r = gdyn_supply_redundancy(supply);
    s->access = gdyn_access_create((int)k, s->r, 4);
    s->lp = gdyn_lp_create(4 * (int)k, s->r + (int)k + 1);
    double **own[] = {&s->n, &s->low,  &s->high,  &s->min,   &s->max,
                      &s->f, &s->unit, &s->speed, &s->raised};
    bool ok = s->access && s->lp;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        *own[i] = gdyn_alloc(k, sizeof(double));
        ok = ok && *own[i];
    }
    s->y = gdyn_alloc((size_t)s->r + 1, sizeof *s->y);
    s->table = gdyn_alloc(4 * k * ((size_t)s->r + k + 1), sizeof *s->table);
    if (!ok || !s->y || !s->table) {
        gdyn_sharer_destroy(s);
        return NULL;
    }
    return s;
}

void gdyn_sharer_destroy(gdyn_sharer *s) {
    if (!s) {
        return;
    }
    double *own[] = {s->n, s->low, s->high, s->min, s->max, s->f, s->unit, s->speed, s->raised};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        gdyn_free(own[i]);
    }
    gdyn_free(s->y);
    gdyn_free(s->table);
    gdyn_lp_destroy(s->lp);
    gdyn_access_destroy(s->access);
    gdyn_free(s);
}

/* Forces without y, limits at this speed, units. */
static void prepare(gdyn_sharer *s, const gdyn_coefficients *q, double d1, double d2) {
    for (int i = 0; i < q->k; i++) {
        s->f[i] = (q->A[i] * d1 + q->B[i]) * d1 + q->C[i] + q->D[i] * d2;
        s->min[i] = q->min[i];
        s->max[i] = q->max[i];
        if (q->min_slope && isfinite(q->min[i])) {
            s->min[i] += q->min_slope[i] * d1;
        }
        if (q->max_slope && isfinite(q->max[i])) {
            s->max[i] += q->max_slope[i] * d1;
        }
        s->unit[i] = gdyn_problem_unit(q, i);
    }
}

static void forces_of(gdyn_sharer *s, const gdyn_coefficients *q) {
    for (int i = 0; i < q->k; i++) {
        s->n[i] = s->f[i];
        for (int j = 0; j < q->r; j++) {
            s->n[i] += q->V[j * q->k + i] * s->y[j];
        }
    }
}

/* Worst row of the forces at hand. */
static double worst_row(const gdyn_sharer *s, int k, gdyn_active *worst) {
    double most = -INFINITY;
    for (int i = 0; i < k; i++) {
        double under = (s->min[i] - s->n[i]) / s->unit[i],
               over = (s->n[i] - s->max[i]) / s->unit[i];
        if (fmax(under, over) > most) {
            most = fmax(under, over);
            *worst = (gdyn_active){i, over >= under ? 1 : -1};
        }
    }
    return most;
}

/* Least violation: s->y, s->n. */
static gdyn_status least_violation(gdyn_sharer *s, const gdyn_coefficients *q, double *violation,
                                   gdyn_active *worst) {
    int k = q->k, m = 2 * k;
    gdyn_status status = GDYN_OK;
    memset(s->y, 0, (size_t)(q->r + 1) * sizeof *s->y);
    if (q->r > 0) {
        for (int j = 0; j < q->r; j++) {
            for (int i = 0; i < k; i++) {
                s->table[j * m + i] = s->table[j * m + k + i] = q->V[j * k + i] / s->unit[i];
            }
        }
        for (int i = 0; i < k; i++) {
            s->table[q->r * m + i] = 1;
            s->table[q->r * m + k + i] = -1;
        }
        status = gdyn_lp_load(s->lp, m, q->r + 1, s->table, m);
        for (int i = 0; i < k && status == GDYN_OK; i++) {
            gdyn_lp_row(s->lp, i, (s->min[i] - s->f[i]) / s->unit[i], INFINITY);
            gdyn_lp_row(s->lp, k + i, -INFINITY, (s->max[i] - s->f[i]) / s->unit[i]);
        }
        gdyn_lp_column(s->lp, q->r, -1, INFINITY);
        gdyn_lp_objective(s->lp, q->r, 1);
        gdyn_lp_status outcome = GDYN_LP_FAILED;
        if (status == GDYN_OK) {
            status = gdyn_lp_solve(s->lp, false, GDYN_LP_PRIMAL, &outcome);
        }
        for (int j = 0; j < q->r && outcome == GDYN_LP_OPTIMAL; j++) {
            s->y[j] = gdyn_lp_x(s->lp, j);
        }
    }
    forces_of(s, q);
    *violation = worst_row(s, k, worst);
    return status;
}

/* Range of every force. */
static gdyn_status ranges(gdyn_sharer *s, const gdyn_coefficients *q) {
    int k = q->k;
    memcpy(s->low, s->n, (size_t)k * sizeof *s->low);
    memcpy(s->high, s->n, (size_t)k * sizeof *s->high);
    if (q->r == 0) {
        return GDYN_OK;
    }
    for (int j = 0; j < q->r; j++) {
        for (int i = 0; i < k; i++) {
            s->table[j * k + i] = q->V[j * k + i] / s->unit[i];
        }
    }
    gdyn_status status = gdyn_lp_load(s->lp, k, q->r, s->table, k);
    for (int i = 0; i < k && status == GDYN_OK; i++) {
        /* a point on the boundary keeps its limits within rounding */
        gdyn_lp_row(s->lp, i, (s->min[i] - s->f[i]) / s->unit[i] - 1e-9,
                    (s->max[i] - s->f[i]) / s->unit[i] + 1e-9);
    }
    for (int i = 0; i < k && status == GDYN_OK; i++) {
        for (int side = 0; side < 2 && status == GDYN_OK; side++) {
            gdyn_lp_status outcome;
            for (int j = 0; j < q->r; j++) {
                gdyn_lp_objective(s->lp, j, s->table[j * k + i]);
            }
            status = gdyn_lp_solve(s->lp, side, GDYN_LP_PRIMAL, &outcome);
            double value = outcome == GDYN_LP_OPTIMAL ? s->f[i] + gdyn_lp_value(s->lp) * s->unit[i]
                           : outcome == GDYN_LP_UNBOUNDED ? (side ? INFINITY : -INFINITY)
                                                          : s->n[i];
            *(side ? &s->high[i] : &s->low[i]) = value;
        }
    }
    return status;
}

/* Least sum of |n_i v_i|; false leaves the forces as they are. */
static gdyn_status least_power(gdyn_sharer *s, const gdyn_coefficients *q) {
    int k = q->k, r = q->r, m = 3 * k;
    if (r == 0 || !gdyn_supply_speeds(s->supply, s->speed)) {
        return GDYN_OK;
    }
    memset(s->table, 0, (size_t)(m * (r + k)) * sizeof *s->table);
    double most = 0;
    for (int i = 0; i < k; i++) {
        s->raised[i] = fabs(s->speed[gdyn_supply_drive(s->supply, i)]) * s->unit[i];
        most = fmax(most, s->raised[i]);
    }
    for (int i = 0; i < k; i++) {
        double v = most > 0 ? s->raised[i] / most : 1;
        for (int j = 0; j < r; j++) {
            double a = q->V[j * k + i] / s->unit[i];
            s->table[j * m + i] = a;
            s->table[j * m + k + i] = a * v;
            s->table[j * m + 2 * k + i] = -a * v;
        }
        s->table[(r + i) * m + k + i] = s->table[(r + i) * m + 2 * k + i] = -1;
    }
    gdyn_status status = gdyn_lp_load(s->lp, m, r + k, s->table, m);
    for (int i = 0; i < k && status == GDYN_OK; i++) {
        double v = most > 0 ? s->raised[i] / most : 1, f = s->f[i] / s->unit[i];
        gdyn_lp_row(s->lp, i, (s->min[i] - s->f[i]) / s->unit[i] - 1e-9,
                    (s->max[i] - s->f[i]) / s->unit[i] + 1e-9);
        gdyn_lp_row(s->lp, k + i, -INFINITY, -f * v);
        gdyn_lp_row(s->lp, 2 * k + i, -INFINITY, f * v);
        gdyn_lp_column(s->lp, r + i, 0, INFINITY);
        gdyn_lp_objective(s->lp, r + i, 1);
    }
    gdyn_lp_status outcome = GDYN_LP_FAILED;
    if (status == GDYN_OK) {
        status = gdyn_lp_solve(s->lp, false, GDYN_LP_PRIMAL, &outcome);
    }
    for (int j = 0; j < r && outcome == GDYN_LP_OPTIMAL; j++) {
        s->y[j] = gdyn_lp_x(s->lp, j);
    }
    forces_of(s, q);
    return status;
}

/* Least norm; with min raised by a share of the preload that all drives can have together. */
static void least_norm(gdyn_sharer *s, const gdyn_coefficients *q, double d1, double d2,
                       double preload) {
    gdyn_coefficients c = *q;
    double low = 0, high = 1;
    c.min = s->raised;
    for (int i = 0; i <= (preload > 0 ? BISECTIONS : 0); i++) {
        double share = i == 0 ? 1 : 0.5 * (low + high);
        for (int row = 0; row < q->k; row++) {
            s->raised[row] = fmin(q->min[row] + share * preload, q->max[row]);
        }
        bool possible = gdyn_access_forces(s->access, &c, d1, d2, s->y, s->low);
        if (possible) {
            memcpy(s->n, s->low, (size_t)q->k * sizeof *s->n);
            low = share;
        } else {
            high = share;
        }
        if (possible && share >= 1) {
            break;
        }
    }
}

gdyn_status gdyn_sharer_at(gdyn_sharer *s, double p, double d1, double d2, gdyn_sharing sharing,
                           double preload, bool want_ranges, gdyn_shares *out) {
    const gdyn_coefficients *q;
    *out = (gdyn_shares){.violation = INFINITY, .worst = {-1, 0}};
    gdyn_status status = gdyn_supply_at(s->supply, p, &q, &out->found);
    if (status != GDYN_OK || out->found != GDYN_POINT_OK) {
        return status;
    }
    prepare(s, q, d1, d2);
    status = least_violation(s, q, &out->violation, &out->worst);
    double speed = d1 > q->d1_high ? d1 / q->d1_high - 1 : -1;
    if (speed > out->violation && speed > 0) {
        out->violation = speed;
        out->worst = (gdyn_active){-2, 1};
    }
    for (int i = 0; i < q->equalities; i++) {
        double e = fabs((q->eq_a[i] * d1 + q->eq_b[i]) * d1 + q->eq_c[i] + q->eq_d[i] * d2);
        if (e > 1e-9 && e > out->violation) {
            out->violation = e;
            out->worst = (gdyn_active){-1, 1};
        }
    }
    out->possible = out->violation <= 1e-9;
    if (status == GDYN_OK && out->possible && sharing == GDYN_SHARE_POWER) {
        status = least_power(s, q);
    } else if (out->possible && sharing != GDYN_SHARE_PEAK && q->r > 0) {
        least_norm(s, q, d1, d2, sharing == GDYN_SHARE_PRELOAD ? preload : 0);
    }
    if (status == GDYN_OK && want_ranges) {
        status = ranges(s, q);
    }
    out->rows = q->k;
    out->n = s->n;
    out->low = s->low;
    out->high = s->high;
    out->min = s->min;
    out->max = s->max;
    return status;
}
