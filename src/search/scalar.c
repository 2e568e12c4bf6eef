/* scalar.c - values of Pascoletti-Serafini problems; weights on the simplex. */
#include "search/method.h"

#include <math.h>
#include <string.h>

void gdyn_scalar_create(gdyn_arena *arena, int m, gdyn_scalar *p) {
    *p = (gdyn_scalar){.m = m};
    p->ideal = gdyn_arena_doubles(arena, (size_t)m);
    p->range = gdyn_arena_doubles(arena, (size_t)m);
    p->a = gdyn_arena_doubles(arena, (size_t)m);
    p->d = gdyn_arena_doubles(arena, (size_t)m);
}

/* Objective i as a share of its range. */
static double scaled(const gdyn_scalar *p, const double *f, int i) {
    return (f[i] - p->ideal[i]) / p->range[i];
}

double gdyn_scalar_row(const gdyn_scalar *p, const double *f, int i) {
    /* a = inf: the objective has no row. */
    if (isinf(p->a[i]))
        return -INFINITY;
    double over = scaled(p, f, i) - p->a[i], sum = 0;
    for (int l = 0; l < p->m; l++)
        sum += scaled(p, f, l);
    return p->d[i] > 0 ? (over + p->rho * sum) / p->d[i] : over;
}

double gdyn_scalar_value(const gdyn_scalar *p, const double *f) {
    double t = -INFINITY;
    for (int i = 0; i < p->m; i++)
        if (p->d[i] > 0)
            t = fmax(t, gdyn_scalar_row(p, f, i));
    return t;
}

double gdyn_scalar_excess(const gdyn_scalar *p, const double *f) {
    /* Rows with d = 0 are limits: what they are exceeded by. */
    double sum = 0;
    for (int i = 0; i < p->m; i++)
        if (p->d[i] == 0)
            sum += fmax(gdyn_scalar_row(p, f, i), 0);
    return sum;
}

/* --- weights -------------------------------------------------------------------------------- */

void gdyn_weights_fill(int m, int divisions, int weights, double *w, double *distance) {
    size_t step = (size_t)m;
    gdyn_compositions(w, m, divisions);
    for (int k = 0; k < weights; k++)
        distance[k] = INFINITY;
    /* each weight is the one farthest from those before: even at any time */
    for (int at = 0; at < weights; at++) {
        double *own = w + (size_t)at * step;
        int next = at;
        for (int k = at + 1; k < weights; k++)
            next = distance[k] > distance[next] ? k : next;
        for (size_t i = 0; i < step; i++) {
            double swap = own[i];
            own[i] = w[(size_t)next * step + i], w[(size_t)next * step + i] = swap;
        }
        distance[next] = distance[at];
        for (int k = at + 1; k < weights; k++) {
            double square = 0, *other = w + (size_t)k * step;
            for (size_t i = 0; i < step; i++)
                square += (own[i] - other[i]) * (own[i] - other[i]);
            distance[k] = fmin(distance[k], square);
        }
    }
    for (size_t k = 0; k < (size_t)weights * step; k++)
        w[k] /= divisions;
}
