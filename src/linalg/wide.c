/* wide.c - H x = b with few rows, all of them independent: H^T P = Q R by Householder reflections
 * with column pivoting, of four maps at once, one per SIMD lane; the first one chooses the pivots.
 * This file is compiled twice, for any processor and with registers of four numbers.
 *
 *   x = Q [R^-T P^T b; 0]  (least norm),   H^+ = Q_1 R^-T P^T,   null(H) = the last columns of Q
 *
 * Plain loops: a handful of freedoms against a handful of drives. Golub and Van Loan, section
 * 5.4. */
#define GDYN_LANES 4

#include "linalg/linalg.h"

#include "base/memory.h"
#include "linalg/lanes.h"

#include <math.h>
#include <string.h>

struct gdyn_wide {
    int max_rows, max_columns;
    int rows, columns; /* f, k of the last factorization */
    gdyn_lanes *A;     /* k x f: R above the reflectors */
    gdyn_lanes *tau;   /* f */
    gdyn_lanes *Q;     /* k x k */
    gdyn_lanes *y;     /* f */
    int *pivot;        /* f: row of H */
    gdyn_arena *arena;
};

/* x := (1 - tau v v^T) x with v = (1, rest of the reflector). */
static inline void reflect(int n, const gdyn_lanes *v, gdyn_lanes tau, gdyn_lanes *x) {
    gdyn_lanes part = x[0];
    for (int i = 1; i < n; i++)
        part += v[i] * x[i];
    part *= tau;
    x[0] -= part;
    for (int i = 1; i < n; i++)
        x[i] -= part * v[i];
}

/* The column with the longest rest below row j, in the first lane, comes to place j; its
 * lengths. */
static gdyn_lanes bring_longest(gdyn_wide *w, int j) {
    int k = w->columns, best = j;
    gdyn_lanes most = l_all(-1);
    for (int c = j; c < w->rows; c++) {
        const gdyn_lanes *x = w->A + (size_t)k * (size_t)c + j;
        gdyn_lanes square = l_all(0);
        for (int i = 0; i < k - j; i++)
            square += x[i] * x[i];
        best = square[0] > most[0] ? c : best;
        most = square[0] > most[0] ? square : most;
    }
    /* exchanged with the one that stands there */
    gdyn_lanes *one = w->A + (size_t)k * (size_t)j, *other = w->A + (size_t)k * (size_t)best;
    for (int i = 0; i < k && best != j; i++) {
        gdyn_lanes t = one[i];
        one[i] = other[i];
        other[i] = t;
    }
    int row = w->pivot[j];
    w->pivot[j] = w->pivot[best], w->pivot[best] = row;
    return l_root(most);
}

/* Householder's reflector of column j, applied to the columns behind. */
static void eliminate(gdyn_wide *w, int j, gdyn_lanes length) {
    int k = w->columns;
    /* the sign that does not cancel */
    gdyn_lanes *v = w->A + (size_t)k * (size_t)j + j, beta;
    for (int l = 0; l < GDYN_LANES; l++)
        beta[l] = v[0][l] > 0 ? -length[l] : length[l];
    w->tau[j] = (beta - v[0]) / beta;
    gdyn_lanes first = v[0] - beta;
    for (int i = 1; i < k - j; i++)
        v[i] /= first;
    v[0] = beta;
    for (int c = j + 1; c < w->rows; c++)
        reflect(k - j, v, w->tau[j], w->A + (size_t)k * (size_t)c + j);
}

/* Q from its reflectors, last one first. */
static void form_q(gdyn_wide *w) {
    int k = w->columns;
    memset(w->Q, 0, (size_t)k * (size_t)k * sizeof *w->Q);
    for (int c = 0; c < k; c++) {
        gdyn_lanes *q = w->Q + (size_t)k * (size_t)c;
        q[c] = l_all(1);
        /* those behind row c meet zeros only */
        for (int j = c < w->rows ? c : w->rows - 1; j >= 0; j--)
            reflect(k - j, w->A + (size_t)k * (size_t)j + j, w->tau[j], q + j);
    }
}

/* QR of H^T with column pivoting: rows of H are the columns here. */
static bool factor(gdyn_wide *w, int f, int k, const double *const H[GDYN_LANES], double least) {
    if (f < 1 || f > k || f > w->max_rows || k > w->max_columns)
        return false;
    w->rows = f, w->columns = k;
    for (int j = 0; j < f; j++) {
        w->pivot[j] = j;
        for (int i = 0; i < k; i++)
            w->A[i + (size_t)k * (size_t)j] = l_entry(H, (size_t)j + (size_t)f * (size_t)i);
    }
    /* every pivot has to be clear */
    gdyn_lanes first = l_all(0);
    for (int j = 0; j < f; j++) {
        gdyn_lanes length = bring_longest(w, j);
        first = j == 0 ? length : first;
        if (!l_holds((gdyn_lane_bits)(length >= least)) ||
            !l_holds((gdyn_lane_bits)(length >= least * first)) ||
            !l_holds((gdyn_lane_bits)(length < INFINITY)))
            return false;
        eliminate(w, j, length);
    }
    form_q(w);
    return true;
}

/* R^T y = b forward, x = Q_1 y. */
static void solve_one(gdyn_wide *w, const double *const b[GDYN_LANES],
                      double *const x[GDYN_LANES]) {
    int f = w->rows, k = w->columns;
    for (int j = 0; j < f; j++) {
        const gdyn_lanes *r = w->A + (size_t)k * (size_t)j;
        gdyn_lanes sum = l_entry(b, (size_t)w->pivot[j]);
        for (int i = 0; i < j; i++)
            sum -= r[i] * w->y[i];
        w->y[j] = sum / r[j];
    }
    for (int i = 0; i < k; i++) {
        const gdyn_lanes *q = w->Q + i;
        gdyn_lanes sum = l_all(0);
        for (int j = 0; j < f; j++)
            sum += q[(size_t)k * (size_t)j] * w->y[j];
        for (int l = 0; l < GDYN_LANES; l++)
            x[l][i] = sum[l];
    }
}

static void solve(gdyn_wide *w, int count, const double *const B[GDYN_LANES],
                  double *const X[GDYN_LANES]) {
    size_t f = (size_t)w->rows, k = (size_t)w->columns;
    for (size_t c = 0; c < (size_t)count; c++) {
        const double *b[GDYN_LANES];
        double *x[GDYN_LANES];
        for (int l = 0; l < GDYN_LANES; l++) {
            b[l] = B[l] + f * c;
            x[l] = X[l] + k * c;
        }
        solve_one(w, b, x);
    }
}

/* |R^-1 (row i of Q_1)^T| */
static void gain_of(gdyn_wide *w, double *const gain[GDYN_LANES]) {
    int k = w->columns;
    for (int i = 0; i < k; i++) {
        gdyn_lanes square = l_all(0);
        for (int j = w->rows - 1; j >= 0; j--) { /* R y = row i of Q_1 */
            gdyn_lanes sum = w->Q[i + (size_t)k * (size_t)j];
            for (int c = j + 1; c < w->rows; c++)
                sum -= w->A[j + (size_t)k * (size_t)c] * w->y[c];
            w->y[j] = sum / w->A[j + (size_t)k * (size_t)j];
            square += w->y[j] * w->y[j];
        }
        square = l_root(square);
        for (int l = 0; l < GDYN_LANES; l++)
            gain[l][i] = square[l];
    }
}

static void null_of(const gdyn_wide *w, double *const V[GDYN_LANES]) {
    size_t k = (size_t)w->columns, first = k * (size_t)w->rows;
    for (size_t i = first; i < k * k; i++)
        for (int l = 0; l < GDYN_LANES; l++)
            V[l][i - first] = w->Q[i][l];
}

const gdyn_wide_kernel GDYN_TRANSLATED(gdyn_wide_kernel) = {
    .factor = factor, .solve = solve, .gain = gain_of, .null = null_of};

#ifndef GDYN_AVX
extern const gdyn_wide_kernel gdyn_wide_kernel_avx;

const gdyn_wide_kernel *gdyn_wide_kernel_here(void) {
    return GDYN_TRANSLATION(gdyn_wide_kernel_plain, gdyn_wide_kernel_avx);
}

/* Room for the largest map; NULL: memory. */
gdyn_wide *gdyn_wide_create(int max_rows, int max_columns) {
    gdyn_arena *arena;
    gdyn_wide *w = gdyn_arena_begin(&arena, sizeof *w);
    if (!w)
        return NULL;
    size_t f = (size_t)max_rows + 1, k = (size_t)max_columns + 1;
    *w = (gdyn_wide){.max_rows = max_rows, .max_columns = max_columns, .arena = arena};
    w->A = gdyn_arena_room(arena, k * f, sizeof *w->A);
    w->tau = gdyn_arena_room(arena, f, sizeof *w->tau);
    w->Q = gdyn_arena_room(arena, k * k, sizeof *w->Q);
    w->y = gdyn_arena_room(arena, f, sizeof *w->y);
    w->pivot = gdyn_arena_room(arena, f, sizeof *w->pivot);
    if (!gdyn_arena_failed(arena))
        return w;
    gdyn_arena_destroy(arena);
    return NULL;
}

void gdyn_wide_destroy(gdyn_wide *w) {
    if (w)
        gdyn_arena_destroy(w->arena);
}
#endif
