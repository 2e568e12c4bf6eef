/* point_names.c - names beside points, by trial: every name has eight places on each of four
 * rings around its point, and takes the one that costs least. A place costs what it covers and
 * what it lies off. */
#include "report/point_names.h"

#include <math.h>

enum { DIRECTIONS = 8, RINGS = 4, FAR_RING = 2, PASSES = 2 };

/* Where a name stands by preference: right above, left above, right below, ... */
static const double direction[DIRECTIONS][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1},
                                                {1, 0}, {-1, 0}, {0, 1},  {0, -1}};
static const double ring[RINGS] = {8, 16, 34, 60};

/* Costs: a pixel of overlap with another name or beyond the page, a point of ink, a pixel off. */
static const double OVER_NAME = 1, OVER_INK = 15, OFF = 0.5, TURNED = 0.5;

/* Length that [a - s, a + s] and [b - t, b + t] have in common. */
static double common(double a, double s, double b, double t) {
    return fmax(0, fmin(a + s, b + t) - fmax(a - s, b - t));
}

static double over_names(int count, const gdyn_point_name *name, int own, const double at[2]) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double width = common(at[0], name[own].size[0] / 2, name[i].at[0], name[i].size[0] / 2);
        double height = common(at[1], name[own].size[1] / 2, name[i].at[1], name[i].size[1] / 2);
        sum += i != own && isfinite(name[i].at[0]) ? width * height : 0;
    }
    return sum;
}

static int over_ink(const gdyn_ink *ink, const double at[2], const double size[2]) {
    int points = 0;
    for (int i = 0; i < ink->count; i++)
        points += fabs(ink->at[i][0] - at[0]) < size[0] / 2 + 3 &&
                  fabs(ink->at[i][1] - at[1]) < size[1] / 2;
    return points;
}

static double beyond(const double at[2], const double size[2], const double low[2],
                     const double high[2]) {
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        double out = fmax(low[k] - at[k] + size[k] / 2, at[k] + size[k] / 2 - high[k]);
        sum += fmax(0, out) * size[1 - k];
    }
    return sum;
}

/* The cheapest place of one name, given those of the others. */
static void place_one(int count, gdyn_point_name *name, int own, const gdyn_ink *ink,
                      const double low[2], const double high[2]) {
    gdyn_point_name *n = &name[own];
    double best = INFINITY, chosen[2] = {n->point[0], n->point[1]};
    for (int r = 0; r < RINGS; r++)
        for (int k = 0; k < DIRECTIONS; k++) {
            double at[2];
            for (int i = 0; i < 2; i++)
                at[i] = n->point[i] + direction[k][i] * (ring[r] + n->size[i] / 2);
            double cost = OVER_NAME * over_names(count, name, own, at) +
                          OVER_INK * over_ink(ink, at, n->size) +
                          OVER_NAME * beyond(at, n->size, low, high) + OFF * ring[r] + TURNED * k;
            if (cost < best) {
                best = cost;
                chosen[0] = at[0], chosen[1] = at[1];
                n->far = r >= FAR_RING;
            }
        }
    n->at[0] = chosen[0], n->at[1] = chosen[1];
}

void gdyn_point_names_place(int count, gdyn_point_name *name, const gdyn_ink *ink,
                            const double low[2], const double high[2]) {
    for (int i = 0; i < count; i++)
        name[i].at[0] = name[i].at[1] = NAN; /* not placed yet */
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < count; i++)
            place_one(count, name, i, ink, low, high);
}
