/* damped.c - steps of bounded length: min |r + J x|^2 + mu^2 |x|^2 for one J and many mu.
 *
 * J = U B V^T by Householder reflectors with B upper bidiagonal (of the transpose where J is wide).
 * For each mu the rows mu 1 below B are rotated away, which costs a few operations per row (Elden
 * 1977, Algorithms for the regularization of ill-conditioned least squares problems):
 *   tall J:  x = V y,  [B; mu 1] y = [-U^T r; 0]   by the same rotations on the right
 *   wide J:  x = U y,  y = -B (R^T R)^-1 V^T r,  R^T R = B^T B + mu^2   (J^T = U B V^T)
 * A twentieth of the cost of the singular values. Where rows depend on each other, J^T P = Q [R; 0]
 * with clear pivots comes before: x = Q [z; 0] and (P R^T) z, tall and of full rank, stands for J
 * x. Where neither is clear, singular values decide:
 *   x = -sum_i v_i s_i (u_i . r) / (s_i^2 + mu^2).
 * Golub and Van Loan, sections 5.4.8 and 6.1. */
#include "linalg/linalg.h"
#include "linalg/dot.h"
#include "linalg/lanes.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Pivots of independent rows, and what rounding leaves of dependent ones, over the first. */
static const double CLEAR_PIVOT = 1e-7, ROUNDING = 1e-13;

struct gdyn_damped {
    gdyn_svd *svd; /* of the caller */
    gdyn_qr *qr;   /* of J^T */
    bool by_svd;   /* of the last factorization */
    bool by_qr;    /* x = Q [z; 0] */
    bool whole; /* rows of the last J were independent: so are those of the next one, most likely */
    int m, n;
    bool wide;
    int rows, columns;       /* of the reduced matrix, rows >= columns */
    double *A;               /* rows x columns: left reflectors below the diagonal */
    double *right;           /* columns x columns: right reflectors */
    double *left_tau;        /* columns */
    double *right_tau;       /* columns */
    double *d, *e;           /* diagonal of B, and above it */
    double *c;               /* transformed r; u_i . r */
    double *y;               /* the step in the basis of B, or its parts along v_i */
    double *rho, *above, *z; /* triangle of a mu, its right-hand side */
    double *work;            /* rows */
    gdyn_arena *arena;
};

gdyn_damped *gdyn_damped_create(gdyn_svd *svd) {
    gdyn_arena *arena;
    gdyn_damped *w = gdyn_arena_begin(&arena, sizeof *w);
    if (!w)
        return NULL;
    size_t m = (size_t)svd->max_m, n = (size_t)svd->max_n, most = m > n ? m : n;
    *w = (gdyn_damped){.svd = svd, .arena = arena};
    double **vector[] = {&w->left_tau, &w->right_tau, &w->d,     &w->e, &w->c,
                         &w->y,        &w->rho,       &w->above, &w->z, &w->work};
    w->A = gdyn_arena_room(arena, m * n, sizeof(double));
    w->right = gdyn_arena_room(arena, m < n ? m * m : n * n, sizeof(double));
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        *vector[i] = gdyn_arena_room(arena, most, sizeof(double));
    w->qr = gdyn_qr_create(svd->max_n, svd->max_m);
    if (w->qr && !gdyn_arena_failed(arena))
        return w;
    gdyn_damped_destroy(w);
    return NULL;
}

void gdyn_damped_renew(gdyn_damped *w) {
    w->whole = false;
}

void gdyn_damped_destroy(gdyn_damped *w) {
    if (!w)
        return;
    gdyn_qr_destroy(w->qr);
    gdyn_arena_destroy(w->arena);
}

/* --- the reduction to B ----------------------------------------------------------------------- */

/* Reflector 1 - tau v v^T, v = (1, ...), that leaves x (n) its first element; returns that, v's
 * rest in x. */
static double reflector(int n, double *x, double *tau) {
    double rest = gdyn_dot(n - 1, x + 1, x + 1), a = x[0];
    *tau = 0;
    if (rest == 0)
        return a;
    double length = copysign(sqrt(a * a + rest), a), scale = 1 / (a + length);
    for (int i = 1; i < n; i++)
        x[i] *= scale;
    *tau = (a + length) / length;
    return -length;
}

/* x := (1 - tau v v^T) x with the implicit one of v. */
static void reflect(int n, const double *v, double tau, double *x) {
    gdyn_lanes sum = {x[0], 0};
    int i = 1;
    for (; i + 1 < n; i += 2)
        sum += l_pair(v + i) * l_pair(x + i);
    if (i < n)
        sum[0] += v[i] * x[i];
    double dot = tau * (sum[0] + sum[1]);
    x[0] -= dot;
    for (i = 1; i + 1 < n; i += 2)
        l_put(x + i, l_pair(x + i) - dot * l_pair(v + i));
    if (i < n)
        x[i] -= dot * v[i];
}

/* Column i and row i of B, and r along. */
static void reduce(gdyn_damped *w, int i) {
    double *column = w->A + i + (size_t)w->rows * i, *v = w->right + (size_t)w->columns * i;
    int high = w->rows - i, count = w->columns - i - 1;
    w->d[i] = reflector(high, column, &w->left_tau[i]);
    for (int j = i + 1; j < w->columns; j++)
        reflect(high, column, w->left_tau[i], w->A + i + (size_t)w->rows * j);
    if (!w->wide)
        reflect(high, column, w->left_tau[i], w->c + i);
    w->e[i] = w->right_tau[i] = 0;
    if (count <= 0)
        return;
    /* the row behind its first two elements */
    for (int j = 0; j < count; j++)
        v[j] = w->A[i + (size_t)w->rows * (i + 1 + j)];
    w->e[i] = reflector(count, v, &w->right_tau[i]);
    /* rows below i, columns from i + 1: times the reflector v (of `count` elements) from the
     * right */
    int below = w->rows - i - 1;
    double *sum = w->work;
    memcpy(sum, w->A + i + 1 + (size_t)w->rows * (i + 1), (size_t)below * sizeof *sum);
    for (int j = 1; j < count; j++) {
        const double *a = w->A + i + 1 + (size_t)w->rows * (i + 1 + j);
        for (int k = 0; k < below; k++)
            sum[k] += v[j] * a[k];
    }
    for (int j = 0; j < count; j++) {
        double *a = w->A + i + 1 + (size_t)w->rows * (i + 1 + j),
               share = j > 0 ? w->right_tau[i] * v[j] : w->right_tau[i];
        for (int k = 0; k < below; k++)
            a[k] -= share * sum[k];
    }
    if (w->wide)
        reflect(count, v, w->right_tau[i], w->c + i + 1);
}

/* u_i . r of the singular values that count. */
static gdyn_status factor_by_svd(gdyn_damped *w, const double *J, const double *r, double cut) {
    w->by_svd = true;
    gdyn_status status = gdyn_svd_factor(w->svd, w->m, w->n, J, w->m, cut);
    for (int i = 0; status == GDYN_OK && i < w->svd->rank.rank; i++)
        w->c[i] = gdyn_dot(w->m, w->svd->U + (size_t)w->m * i, r);
    return status;
}

/* The reduced matrix is in A: B, and r along; false: singular values may lie under the cut. */
static bool bidiagonalize(gdyn_damped *w, const double *r, double cut) {
    memcpy(w->c, r, (size_t)w->m * sizeof *r);
    for (int i = 0; i < w->columns; i++)
        reduce(w, i);
    /* no singular value can lie under `cut` times the largest: 1 / |B^-1| in the maximum norm
     * against |B| (Demmel and Kahan 1990, section 3). */
    double least = fabs(w->d[0]), t = least, greatest = 0;
    for (int i = 0; i < w->columns; i++)
        greatest = fmax(greatest, fabs(w->d[i]) + fabs(w->e[i]));
    for (int i = 1; i < w->columns && t > 0; i++) {
        t = fabs(w->d[i]) * t / (t + fabs(w->e[i - 1]));
        least = fmin(least, t);
    }
    return least > cut * greatest * sqrt(w->columns);
}

/* J as it is, or transposed. */
static bool factor_whole(gdyn_damped *w, const double *J, const double *r, double cut) {
    int m = w->m, n = w->n;
    w->by_qr = false, w->wide = m < n;
    w->rows = w->wide ? n : m;
    w->columns = w->wide ? m : n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            w->A[w->wide ? j + n * i : i + m * j] = J[i + (size_t)m * j];
    return bidiagonalize(w, r, cut);
}

/* P R^T of its independent rows; false: there is nothing to leave out, or the rank is not clear. */
static bool factor_independent(gdyn_damped *w, const double *J, const double *r, double cut) {
    int m = w->m, n = w->n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            w->A[j + n * i] = J[i + (size_t)m * j];
    if (gdyn_qr_factor(w->qr, n, m, w->A, n, CLEAR_PIVOT) != GDYN_OK ||
        w->qr->rank.below > ROUNDING * w->qr->rank.greatest)
        return false;
    w->whole = w->qr->rank.rank == (m < n ? m : n);
    if (w->whole)
        return false;
    w->by_qr = true, w->wide = false, w->rows = m, w->columns = w->qr->rank.rank;
    for (int j = 0; j < w->columns; j++)
        for (int i = 0; i < m; i++)
            w->A[w->qr->pivot[i] + m * j] = j <= i ? w->qr->QR[j + (size_t)n * i] : 0;
    return w->columns > 0 && bidiagonalize(w, r, cut);
}

gdyn_status gdyn_damped_factor(gdyn_damped *w, int m, int n, const double *J, const double *r,
                               double cut) {
    assert(m <= w->svd->max_m && n <= w->svd->max_n);
    w->m = m, w->n = n, w->by_svd = false;
    if (m < 1 || n < 1 || !gdyn_all_finite(m, n, J, m))
        return factor_by_svd(w, J, r, cut);
    if (w->whole && factor_whole(w, J, r, cut))
        return GDYN_OK;
    /* rows that depend on each other, as guards do near the closed pose */
    w->whole = false;
    if (factor_independent(w, J, r, cut) || (w->whole && factor_whole(w, J, r, cut)))
        return GDYN_OK;
    return factor_by_svd(w, J, r, cut);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* R of [B; mu 1], and the rotated right-hand side -c in z (tall). */
static void triangle(gdyn_damped *w, double mu) {
    double extra = mu, rhs = 0; /* of the row that is rotated into the next one */
    for (int i = 0; i < w->columns; i++) {
        double rho = sqrt(w->d[i] * w->d[i] + extra * extra);
        double cosine = w->d[i] / rho, sine = extra / rho, above = w->e[i];
        double left = sine * w->c[i] + cosine * rhs, fill = -sine * above;
        w->rho[i] = rho, w->above[i] = cosine * above;
        w->z[i] = sine * rhs - cosine * w->c[i];
        /* what is left meets the next row of mu 1 */
        extra = sqrt(mu * mu + fill * fill);
        rhs = extra > 0 ? left * (fill / extra) : 0;
    }
}

/* y, wide: -B R^-1 R^-T c. */
static void solve_wide(gdyn_damped *w) {
    double z = 0;
    for (int i = 0; i < w->columns; i++)
        w->z[i] = z = (w->c[i] - (i > 0 ? w->above[i - 1] * z : 0)) / w->rho[i];
    z = 0;
    for (int i = w->columns - 1; i >= 0; i--) {
        double next = z;
        z = (w->z[i] - w->above[i] * next) / w->rho[i];
        w->y[i] = -(w->d[i] * z + w->e[i] * next);
    }
}

double gdyn_damped_length(gdyn_damped *w, double mu) {
    int count = w->by_svd ? w->svd->rank.rank : w->columns;
    if (!w->by_svd) {
        triangle(w, mu);
        double y = 0;
        for (int i = count - 1; !w->wide && i >= 0; i--) /* tall: R y = z */
            w->y[i] = y = (w->z[i] - w->above[i] * y) / w->rho[i];
        if (w->wide)
            solve_wide(w);
    }
    for (int i = 0; w->by_svd && i < count; i++) {
        double s = w->svd->s[i];
        w->y[i] = -w->c[i] * s / (s * s + mu * mu);
    }
    return gdyn_norm(count, w->y);
}

/* Descent of |r + J x|^2 / 2 for a part c of r and what J x adds to it. */
static double descent(double c, double added) {
    return -added * (c + 0.5 * added);
}

double gdyn_damped_step(gdyn_damped *w, double mu, double *x) {
    double predicted = 0;
    int k = w->columns;
    gdyn_damped_length(w, mu);
    memset(x, 0, (size_t)w->n * sizeof *x);
    for (int i = 0; w->by_svd && i < w->svd->rank.rank; i++) {
        predicted += descent(w->c[i], w->svd->s[i] * w->y[i]);
        for (int j = 0; j < w->n; j++)
            x[j] += w->y[i] * w->svd->Vt[i + (size_t)w->n * j];
    }
    if (w->by_svd)
        return predicted;
    /* B y, of a wide J B^T y */
    for (int i = 0; i < k; i++) {
        double beside = w->wide ? (i > 0 ? w->e[i - 1] * w->y[i - 1] : 0)
                                : (i + 1 < k ? w->e[i] * w->y[i + 1] : 0);
        predicted += descent(w->c[i], w->d[i] * w->y[i] + beside);
    }
    /* back by the reflectors */
    memcpy(x, w->y, (size_t)k * sizeof *x);
    for (int i = k - 1; w->wide && i >= 0; i--)
        reflect(w->rows - i, w->A + i + (size_t)w->rows * i, w->left_tau[i], x + i);
    for (int i = k - 2; !w->wide && i >= 0; i--)
        reflect(k - i - 1, w->right + (size_t)k * i, w->right_tau[i], x + i + 1);
    if (w->by_qr)
        gdyn_qr_apply_q(w->qr, 1, x, w->n);
    return predicted;
}

/* Columns of B have two entries. */
double gdyn_damped_bound(const gdyn_damped *w) {
    double most = 0;
    if (w->by_svd)
        return w->svd->rank.greatest;
    for (int i = 0; i < w->columns; i++)
        most = fmax(most, fabs(w->d[i]) + fmax(fabs(w->e[i]), i > 0 ? fabs(w->e[i - 1]) : 0));
    return most;
}
