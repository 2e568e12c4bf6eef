/* forces.c - drive forces at one point of the region.
 *
 *   minimize |x|^2   subject to   low_i - f_i <= V_i x <= high_i - f_i
 *
 * with orthonormal columns of V and rows in half-range units: |x| is the norm of the internal load.
 * Dual method of Goldfarb and Idnani (1983) with the unit matrix as Hessian: start at x = 0, add
 * the most violated limit, drop limits whose multiplier would turn negative. */
#include "access/projection.h"

#include "linalg/dot.h"
#include "linalg/linalg.h"

#include <float.h>
#include <string.h>

/* A row with a smaller share outside of the active ones depends on them. */
static const double DEPENDENT = 1e-10;

/* A limit counts as kept within this share of the half range. */
#define KEPT    1e-12
#define ON_EDGE 1e-9

typedef struct active_set {
    int r, count;
    int *row;          /* r + 1 */
    double *side;      /* r + 1: +1 at low, -1 at high (inward normal is side * V_row) */
    double *u;         /* r + 1 multipliers */
    double *gram;      /* r x r */
    double *x, *z, *w; /* r each: solution, step, N^+ n */
} active_set;

/* Most violated limit at x: its slack (negative), row and side. */
static double worst_limit(const gdyn_problem *p, double t, double z, const double *x, int *row,
                          double *side) {
    double worst = INFINITY;
    for (int i = 0; i < p->k; i++) {
        /* n_i at x, and what is left on both sides */
        double n = gdyn_quadratic_at(gdyn_row_motion(&p->row[i]), t) + p->row[i].d * z +
                   gdyn_dot(p->r, p->V + i * p->r, x);
        double low = n - (p->row[i].low + p->row[i].low1 * t);
        double high = p->row[i].high + p->row[i].high1 * t - n;
        if (low < worst)
            worst = low, *row = i, *side = 1;
        if (high < worst)
            worst = high, *row = i, *side = -1;
    }
    return worst;
}

/* w = N^+ n for the active normals N, by Cholesky on N^T N; z = n - N w. False: the active normals
 * depend on each other to rounding. */
static bool project_normal(const gdyn_problem *p, active_set *s, int row, double side) {
    int n = s->count, r = s->r;
    const double *v = p->V + row * r;
    /* Gram matrix of the active normals, and their products with the new normal */
    for (int i = 0; i < n; i++) {
        const double *vi = p->V + s->row[i] * r;
        s->w[i] = s->side[i] * side * gdyn_dot(r, vi, v);
        for (int j = 0; j <= i; j++) {
            double g = s->side[i] * s->side[j] * gdyn_dot(r, vi, p->V + s->row[j] * r);
            s->gram[i + n * j] = s->gram[j + n * i] = g;
        }
    }
    /* w = G^-1 products */
    if (gdyn_cholesky_factor(n, s->gram) != GDYN_OK)
        return false;
    gdyn_cholesky_solve(n, s->gram, 1, s->w);
    /* z: the part of the new normal that is at right angles to all active ones */
    for (int m = 0; m < r; m++) {
        s->z[m] = side * v[m];
        for (int i = 0; i < n; i++)
            s->z[m] -= s->w[i] * s->side[i] * p->V[s->row[i] * r + m];
    }
    return true;
}

/* Brings the violated limit to equality; false when the active limits forbid it. */
static bool add_limit(const gdyn_problem *p, active_set *s, int row, double side, double slack) {
    double norm = p->row[row].norm, multiplier = 0;
    while (true) {
        if (!project_normal(p, s, row, side))
            return false;
        /* longest dual step: until a multiplier reaches zero; longest primal step: onto the
         * violated limit */
        double zn = gdyn_dot(s->r, s->z, s->z), t1 = INFINITY, t2 = INFINITY;
        int blocking = -1;
        for (int i = 0; i < s->count; i++)
            if (s->w[i] > 0 && s->u[i] / s->w[i] < t1)
                t1 = s->u[i] / s->w[i], blocking = i;
        if (s->count < s->r && zn > DEPENDENT * DEPENDENT * norm * norm && norm > 0)
            t2 = -slack / zn;
        double t = fmin(t1, t2);
        if (!isfinite(t))
            return false;
        /* move along the ray: multipliers always, x only where the new normal is independent */
        for (int i = 0; i < s->count; i++)
            s->u[i] -= t * s->w[i];
        multiplier += t;
        if (isfinite(t2)) {
            for (int m = 0; m < s->r; m++)
                s->x[m] += t * s->z[m];
            slack += t * zn;
        }
        /* a full step: the limit is active from now on */
        if (t2 <= t1) {
            s->row[s->count] = row, s->side[s->count] = side;
            s->u[s->count++] = multiplier;
            return true;
        }
        /* The normal leaves; the others move up. */
        for (int i = blocking; i + 1 < s->count; i++) {
            s->row[i] = s->row[i + 1], s->side[i] = s->side[i + 1];
            s->u[i] = s->u[i + 1];
        }
        s->count--;
    }
}

/* Smallest internal load that keeps all limits. */
static bool least_load(const gdyn_problem *p, active_set *s, double t, double z) {
    /* finitely many steps: every full step increases |x|, and active sets do not repeat */
    for (int step = 0; step < 50 + 10 * p->k; step++) {
        int row = 0;
        double side = 0, slack = worst_limit(p, t, z, s->x, &row, &side);
        /* no limit is violated */
        if (slack >= -KEPT)
            return true;
        if (!add_limit(p, s, row, side, slack))
            return slack >= -ON_EDGE;
    }
    /* steps ran out: what is on the edge passes */
    int row = 0;
    double side = 0;
    return worst_limit(p, t, z, s->x, &row, &side) >= -ON_EDGE;
}

/* y in the caller's columns: Q^T V y = x has full row rank; columns of V that add nothing get 0. */
static void to_caller(const gdyn_access *access, const gdyn_coefficients *q, const double *x,
                      double *y) {
    const gdyn_problem *p = &access->problem;
    int r = p->r, n = q->r, *row = access->scratch_row, *column = row + r;
    double *M = access->scratch + access->scratch_size / 2, *work = M + r * n;
    /* columns: what each column of the caller's V is in the orthonormal basis */
    for (int j = 0; j < n; j++)
        for (int i = 0; i < r; i++) {
            double sum = 0;
            for (int m = 0; m < p->k; m++)
                if (p->row[m].source >= 0)
                    sum += p->V[m * r + i] * q->V[j * q->k + p->row[m].source] / p->row[m].unit;
            M[i + r * j] = sum;
        }
    /* a basic solution: the caller's V may have dependent columns */
    gdyn_rank rank = gdyn_lu_complete(r, n, M, r, row, column, DBL_MIN);
    gdyn_lu_basic(n, M, r, rank.rank, row, column, x, work, y);
}

bool gdyn_access_forces(gdyn_access *access, const gdyn_coefficients *q, double d1, double d2,
                        double *y, double *n) {
    gdyn_problem *p = &access->problem;
    if (!gdyn_problem_load(p, q) || !isfinite(d1) || !isfinite(d2))
        return false;
    /* rows in half ranges: the norm of y counts them alike */
    gdyn_problem_by_range(p, q);
    double t = d1 / p->d1_unit, z = d2 / p->d2_unit, edge = ON_EDGE * fmax(1, fabs(t));
    if (t < p->t_low - edge || t > p->t_high + edge)
        return false;
    /* smallest internal load at (t, z), then y in the columns of the caller */
    int r = access->problem.r;
    double *d = access->scratch;
    active_set s = {.r = r, .row = access->scratch_row};
    s.side = d, d += r + 1;
    s.u = d, d += r + 1;
    s.x = d, d += r;
    s.z = d, d += r;
    s.w = d, d += r + 1;
    s.gram = d;
    memset(s.x, 0, (size_t)r * sizeof(double));
    if (!least_load(p, &s, t, z))
        return false;
    to_caller(access, q, s.x, y);
    /* n = A d1^2 + B d1 + C + D d2 + V y */
    for (int i = 0; i < q->k; i++) {
        n[i] = q->A[i] * d1 * d1 + q->B[i] * d1 + q->C[i] + q->D[i] * d2;
        for (int j = 0; j < q->r; j++)
            n[i] += q->V[j * q->k + i] * y[j];
    }
    return true;
}
