/* wide.c - H x = b with few rows, all of them independent: H^T P = Q R by Householder reflections with column pivoting.
 *
 *   x = Q [R^-T P^T b; 0]  (least norm),   H^+ = Q_1 R^-T P^T,   null(H) = the last columns of Q
 *
 * Plain loops: a handful of freedoms against a handful of drives. Golub and Van Loan, section 5.4. */
#include "linalg/linalg.h"

#include "linalg/dot.h"
#include "linalg/lanes.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

struct gdyn_wide {
    int max_rows, max_columns;
    int rows, columns; /* f, k of the last factorization */
    double *A;         /* k x f: R above the reflectors */
    double *tau;       /* f */
    double *Q;         /* k x k */
    gdyn_lanes *y;     /* f */
    int *pivot;        /* f: row of H */
};

/* Room for the largest map; NULL: memory. */
gdyn_wide *gdyn_wide_create(int max_rows, int max_columns) {
    gdyn_wide *w = gdyn_alloc(1, sizeof *w);
    if (!w)
        return NULL;
    size_t f = (size_t)max_rows + 1, k = (size_t)max_columns + 1;
    w->max_rows = max_rows;
    w->max_columns = max_columns;
    w->A = gdyn_alloc(k * f, sizeof *w->A);
    w->tau = gdyn_alloc(f, sizeof *w->tau);
    w->Q = gdyn_alloc(k * k, sizeof *w->Q);
    w->y = gdyn_alloc(f, sizeof *w->y);
    w->pivot = gdyn_alloc(f, sizeof *w->pivot);
    if (w->A && w->tau && w->Q && w->y && w->pivot)
        return w;
    gdyn_wide_destroy(w);
    return NULL;
}

/* Safe on a partly made object. */
void gdyn_wide_destroy(gdyn_wide *w) {
    if (!w)
        return;
    gdyn_free(w->A);
    gdyn_free(w->tau);
    gdyn_free(w->Q);
    gdyn_free(w->y);
    gdyn_free(w->pivot);
    gdyn_free(w);
}

/* x := (1 - tau v v^T) x with v = (1, rest of the reflector). */
static void reflect(int n, const double *v, double tau, double *x) {
    double part = tau * (x[0] + gdyn_dot(n - 1, v + 1, x + 1));
    x[0] -= part;
    for (int i = 1; i < n; i++)
        x[i] -= part * v[i];
}

/* The column with the longest rest below row j comes to place j; its length. */
static double bring_longest(gdyn_wide *w, int j) {
    int k = w->columns, best = j;
    double most = -1;
    for (int c = j; c < w->rows; c++) {
        const double *rest = w->A + (size_t)k * (size_t)c + j;
        double square = gdyn_dot(k - j, rest, rest);
        best = square > most ? c : best;
        most = square > most ? square : most;
    }
    /* exchanged with the one that stands there */
    double *one = w->A + (size_t)k * (size_t)j, *other = w->A + (size_t)k * (size_t)best;
    for (int i = 0; i < k && best != j; i++) {
        double t = one[i];
        one[i] = other[i];
        other[i] = t;
    }
    int row = w->pivot[j];
    w->pivot[j] = w->pivot[best];
    w->pivot[best] = row;
    return sqrt(most);
}

/* Householder's reflector of column j, applied to the columns behind. */
static void eliminate(gdyn_wide *w, int j, double length) {
    int k = w->columns;
    /* the sign that does not cancel */
    double *v = w->A + (size_t)k * (size_t)j + j, beta = v[0] > 0 ? -length : length;
    w->tau[j] = (beta - v[0]) / beta;
    for (int i = 1; i < k - j; i++)
        v[i] /= v[0] - beta;
    v[0] = beta;
    for (int c = j + 1; c < w->rows; c++)
        reflect(k - j, v, w->tau[j], w->A + (size_t)k * (size_t)c + j);
}

/* Q from its reflectors, last one first. */
static void form_q(gdyn_wide *w) {
    int k = w->columns;
    memset(w->Q, 0, (size_t)k * (size_t)k * sizeof *w->Q);
    for (int c = 0; c < k; c++) {
        double *q = w->Q + (size_t)k * (size_t)c;
        q[c] = 1;
        /* those behind row c meet zeros only */
        for (int j = c < w->rows ? c : w->rows - 1; j >= 0; j--)
            reflect(k - j, w->A + (size_t)k * (size_t)j + j, w->tau[j], q + j);
    }
}

/* QR of H^T with column pivoting: rows of H are the columns here. */
bool gdyn_wide_factor(gdyn_wide *w, int f, int k, const double *H, double least) {
    if (f < 1 || f > k || f > w->max_rows || k > w->max_columns)
        return false;
    w->rows = f;
    w->columns = k;
    for (int j = 0; j < f; j++) {
        w->pivot[j] = j;
        for (int i = 0; i < k; i++)
            w->A[i + (size_t)k * (size_t)j] = H[j + (size_t)f * (size_t)i];
    }
    /* every pivot has to be clear */
    double first = 0;
    for (int j = 0; j < f; j++) {
        double length = bring_longest(w, j);
        first = j == 0 ? length : first;
        if (!(length >= least && length >= least * first) || !isfinite(length))
            return false;
        eliminate(w, j, length);
    }
    form_q(w);
    return true;
}

/* R^T y = b forward, x = Q_1 y, for two right-hand sides, one per lane. */
static void solve_two(gdyn_wide *w, const double *const b[2], double *const x[2]) {
    int f = w->rows, k = w->columns;
    for (int j = 0; j < f; j++) {
        const double *r = w->A + (size_t)k * (size_t)j;
        gdyn_lanes sum = {b[0][w->pivot[j]], b[1][w->pivot[j]]};
        for (int i = 0; i < j; i++)
            sum -= r[i] * w->y[i];
        w->y[j] = sum / r[j];
    }
    for (int i = 0; i < k; i++) {
        const double *q = w->Q + i;
        gdyn_lanes sum = l_all(0);
        for (int j = 0; j < f; j++)
            sum += q[(size_t)k * (size_t)j] * w->y[j];
        x[0][i] = sum[0];
        x[1][i] = sum[1];
    }
}

void gdyn_wide_solve(gdyn_wide *w, int count, const double *B, double *X) {
    size_t f = (size_t)w->rows, k = (size_t)w->columns;
    for (int c = 0; c < count; c += 2) {
        size_t one = (size_t)c, other = c + 1 < count ? one + 1 : one;
        const double *const b[2] = {B + f * one, B + f * other};
        double *const x[2] = {X + k * one, X + k * other};
        solve_two(w, b, x);
    }
}

/* |R^-1 (row i of Q_1)^T| */
double gdyn_wide_gain(gdyn_wide *w, int i) {
    int k = w->columns;
    double square = 0;
    for (int j = w->rows - 1; j >= 0; j--) { /* R y = row i of Q_1 */
        double sum = w->Q[i + (size_t)k * (size_t)j];
        for (int c = j + 1; c < w->rows; c++)
            sum -= w->A[j + (size_t)k * (size_t)c] * w->y[c][0];
        w->y[j] = l_all(sum / w->A[j + (size_t)k * (size_t)j]);
        square += w->y[j][0] * w->y[j][0];
    }
    return sqrt(square);
}

const double *gdyn_wide_null(const gdyn_wide *w) {
    return w->Q + (size_t)w->columns * (size_t)w->rows;
}
