/* capability.c - distance of the point of rest to the facets of the set that the drives can reach; see capability.h.
 *
 * Elementary vectors have supports of r + 1 drives at most, r the rank of V: every subset of so many rows of V has one (up
 * to a factor), unless its own rank is lower; then smaller subsets within it give the same. */
#include "workspace/capability.h"

#include "linalg/linalg.h"

#include <math.h>

enum { DRIVES_MOST = 32, SUBSETS_MOST = 5000 };

/* Rows of V are scaled by half their range before; parts of w below this are zero. */
static const double NOTHING = 1e-11;

/* Number of subsets of r + 1 drives. */
static double subsets(int k, int r) {
    double count = 1;
    for (int i = 0; i <= r; i++)
        count *= (double)(k - i) / (i + 1);
    return count;
}

/* Radius of the ball that one elementary vector allows, with one of its two signs. */
static double bound_of(const gdyn_coefficients *q, int k, int count, const double *D,
                       const double *w) {
    double slack = 0, square = 0, size = 0, scale = 0;
    /* h(w) - w^T C: what the drives leave at rest */
    for (int i = 0; i < k; i++) {
        if (w[i] == 0)
            continue;
        slack += fmax(w[i] * q->min[i], w[i] * q->max[i]) - w[i] * q->C[i];
        scale += fabs(w[i]) * (fabs(q->C[i]) + 1e-300);
    }
    /* |D^T w|: how fast accelerations use it up in the worst direction */
    for (int a = 0; a < count; a++) {
        double part = 0;
        for (int i = 0; i < k; i++) {
            part += w[i] * D[i + k * a];
            size += fabs(w[i] * D[i + k * a]);
        }
        square += part * part;
    }
    /* no limit; or no acceleration of the tool uses it */
    if (isinf(slack))
        return INFINITY;
    if (sqrt(square) <= NOTHING * size || square == 0)
        return slack < -1e-9 * scale ? -INFINITY : INFINITY;
    return slack / sqrt(square);
}

/* w on the rows of a subset: the left null vector of V there. False: the subset has a lower rank. */
static bool circuit_of(const gdyn_coefficients *q, int k, const int *row, gdyn_svd *svd,
                       double *w) {
    int r = q->r;
    double part[DRIVES_MOST * DRIVES_MOST], null[DRIVES_MOST * DRIVES_MOST];
    for (int i = 0; i <= r; i++)
        for (int j = 0; j < r; j++)
            part[j + r * i] = q->V[row[i] + q->k * j];
    for (int i = 0; i < k; i++)
        w[i] = 0;
    /* nothing is reduced: every drive by itself */
    if (r == 0) {
        w[row[0]] = 1;
        return true;
    }
    if (gdyn_svd_factor(svd, r, r + 1, part, r, 0) != GDYN_OK ||
        gdyn_svd_null(svd, null, r + 1) != 1)
        return false;
    for (int i = 0; i <= r; i++)
        w[row[i]] = fabs(null[i]) > NOTHING ? null[i] : 0;
    return true;
}

/* The next subset of size r + 1 in lexical order. */
static bool next_subset(int *row, int size, int k) {
    int i = size - 1;
    /* the last element that can still grow */
    while (i >= 0 && row[i] == k - size + i)
        i--;
    if (i < 0)
        return false;
    for (row[i]++, i++; i < size; i++)
        row[i] = row[i - 1] + 1;
    return true;
}

double gdyn_capability(const gdyn_coefficients *q, int k, int count, const double *D) {
    int row[DRIVES_MOST];
    double w[DRIVES_MOST], radius = INFINITY;
    if (k > DRIVES_MOST || q->r >= k || subsets(k, q->r) > SUBSETS_MOST)
        return NAN;
    /* all subsets, each vector with both signs */
    gdyn_svd *svd = gdyn_svd_create(q->r + 1, q->r + 1);
    if (!svd)
        return NAN;
    for (int i = 0; i <= q->r; i++)
        row[i] = i;
    do {
        if (!circuit_of(q, k, row, svd, w))
            continue;
        radius = fmin(radius, bound_of(q, k, count, D, w));
        for (int i = 0; i < k; i++)
            w[i] = -w[i];
        radius = fmin(radius, bound_of(q, k, count, D, w));
    } while (next_subset(row, q->r + 1, k));
    gdyn_svd_destroy(svd);
    return radius;
}
