/* indicators.h - how near to a known front, and how evenly spread, a set of points is: IGD, IGD+ and
 * spread by their definitions; every distance is measured. Points are columns of F (m x count), all
 * objectives minimized. */
#ifndef TESTS_INDICATORS_H
#define TESTS_INDICATORS_H

#include "base/memory.h"
#include "search/fronts.h"

#include <math.h>

static double distance(const double *a, const double *b, int m) {
    double sum = 0;
    for (int j = 0; j < m; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sqrt(sum);
}

/* How far f falls behind z. */
static double lag(const double *f, const double *z, int m) {
    double sum = 0;
    for (int j = 0; j < m; j++)
        if (f[j] > z[j])
            sum += (f[j] - z[j]) * (f[j] - z[j]);
    return sqrt(sum);
}

typedef double measure(const double *f, const double *z, int m);

/* Distance of z to the nearest point of F other than the one numbered `except`. */
static double nearest(const double *F, int count, int except, const double *z, int m,
                      measure *between) {
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        if (i != except)
            least = fmin(least, between(F + (size_t)i * (size_t)m, z, m));
    return least;
}

static double mean_nearest(const double *F, int count, const double *Z, int fronts, int m,
                           measure *between) {
    double sum = 0;
    for (int k = 0; k < fronts; k++)
        sum += nearest(F, count, -1, Z + (size_t)k * (size_t)m, m, between);
    return fronts > 0 ? sum / fronts : 0;
}

/* Inverted generational distance: mean over the points of the known front Z (m x fronts) of the
 * distance to the nearest point of F (Coello Coello, Reyes Sierra 2004). INFINITY when F is empty,
 * 0 when Z is. */
static inline double gdyn_igd(const double *F, int count, const double *Z, int fronts, int m) {
    return mean_nearest(F, count, Z, fronts, m, distance);
}

/* The same with the distance sqrt(sum_j max(f_j - z_j, 0)^2), by how much f falls behind z
 * (Ishibuchi et al. 2015): never worse for a set that dominates another. */
static inline double gdyn_igd_plus(const double *F, int count, const double *Z, int fronts, int m) {
    return mean_nearest(F, count, Z, fronts, m, lag);
}

/* (ends + sum |gap_i - mean|) / (ends + gaps mean); all points in one place and at the ends: 0 */
static double unevenness(double ends, const double *gap, int gaps) {
    double mean = 0, sum = ends;
    for (int i = 0; i < gaps; i++)
        mean += gap[i] / gaps;
    for (int i = 0; i < gaps; i++)
        sum += fabs(gap[i] - mean);
    double whole = ends + gaps * mean;
    return whole > 0 ? sum / whole : 0;
}

/* Two objectives: gaps between neighbours in the order of f1. */
static double delta(const double *F, int count, const double *extreme, int *order, double *gap) {
    for (int i = 0; i < count; i++)
        order[i] = i;
    gdyn_fronts_order(F, 2, 0, count, order, order + count);
    for (int i = 0; i + 1 < count; i++)
        gap[i] = distance(F + 2 * (size_t)order[i], F + 2 * (size_t)order[i + 1], 2);
    double ends = 0;
    /* Distances of the first and the last design from the extreme points of the true front. */
    if (extreme) {
        int left = extreme[0] <= extreme[2] ? 0 : 1;
        ends = distance(F + 2 * (size_t)order[0], extreme + 2 * left, 2) +
               distance(F + 2 * (size_t)order[count - 1], extreme + 2 * (1 - left), 2);
    }
    return unevenness(ends, gap, count - 1);
}

static double generalized(const double *F, int count, int m, const double *extreme, double *gap) {
    /* Gap of a point: to its nearest neighbour (Zhou et al. 2006). */
    for (int i = 0; i < count; i++)
        gap[i] = count > 1 ? nearest(F, count, i, F + (size_t)i * (size_t)m, m, distance) : 0;
    double ends = 0;
    for (int k = 0; extreme && k < m; k++)
        ends += nearest(F, count, -1, extreme + (size_t)k * (size_t)m, m, distance);
    return unevenness(ends, gap, count);
}

/* Spread, 0 for evenly spaced points that reach the ends of the front.
 * Two objectives: Deb's Delta = (d_f + d_l + sum |d_i - d|) / (d_f + d_l + (count - 1) d), d_i the
 * distances of neighbours in the order of f1, d their mean, d_f and d_l the distances of the first
 * and last point to the ends (Deb et al. 2002).
 * Otherwise the generalized spread of Zhou et al. (2006): (sum_k d(e_k, F) + sum_i |d_i - d|) /
 * (sum_k d(e_k, F) + count d), d_i the distance of point i to its nearest neighbour.
 * extreme: the m ends e_k of the known front (m x m; two objectives: in any order), or NULL: the
 * ends count nothing. GDYN_ERROR_ARGUMENT when count < 1 or m < 2; GDYN_ERROR_MEMORY. */
static inline gdyn_status gdyn_front_spread(double *spread, const double *F, int count, int m,
                                            const double *extreme) {
    *spread = 0;
    if (count < 1 || m < 2)
        return GDYN_ERROR_ARGUMENT;
    int *order = gdyn_alloc(2 * (size_t)count, sizeof *order);
    double *gap = gdyn_alloc((size_t)count, sizeof *gap);
    bool ok = order && gap;
    if (ok)
        *spread =
            m == 2 ? delta(F, count, extreme, order, gap) : generalized(F, count, m, extreme, gap);
    gdyn_free(order);
    gdyn_free(gap);
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}

#endif
