/* table_dynamics.c - coefficients from a table, interpolated by number, or from known places. */
#include "traverse/internal.h"

#include <math.h>
#include <string.h>

/* Numbers of one point in a row. */
enum { LISTS = 8, EQUALITY = 4 };

static void keep(gdyn_table_dynamics *s, int i, const gdyn_coefficients *q) {
    size_t k = (size_t)s->k, e = (size_t)s->equalities;
    double *to = s->numbers + (size_t)i * (size_t)s->width;
    const double *from[LISTS] = {q->A,   q->B,   q->C,         q->D,
                                 q->min, q->max, q->min_slope, q->max_slope};
    const double *equal[EQUALITY] = {q->eq_a, q->eq_b, q->eq_c, q->eq_d};
    for (size_t j = 0; j < LISTS; j++)
        if (from[j])
            memcpy(to + j * k, from[j], k * sizeof *to);
    if (s->r > 0)
        memcpy(to + LISTS * k, q->V, k * (size_t)s->r * sizeof *to);
    to += (LISTS + (size_t)s->r) * k;
    to[0] = q->d1_low;
    to[1] = q->d1_high;
    for (size_t j = 0; j < EQUALITY && e > 0; j++)
        memcpy(to + 2 + j * e, equal[j], e * sizeof *to);
    s->speed_row[i] = q->d1_high_window;
}

/* Interpolated between its points. */
gdyn_table_dynamics *gdyn_table_dynamics_create(int points, const double *p,
                                                const gdyn_coefficients *q) {
    gdyn_table_dynamics *s = points > 0 ? gdyn_alloc(1, sizeof *s) : NULL;
    if (!s)
        return NULL;
    s->points = points;
    s->k = q[0].k;
    s->r = q[0].r;
    /* an equality of a few points alone says nothing about the way between them */
    s->equalities = q[0].equalities;
    for (int i = 1; i < points; i++)
        s->equalities = q[i].equalities < s->equalities ? q[i].equalities : s->equalities;
    s->width = s->k * (LISTS + s->r) + 2 + EQUALITY * s->equalities;
    s->speed_row = gdyn_alloc((size_t)points, sizeof *s->speed_row);
    s->p = gdyn_alloc((size_t)points, sizeof *s->p);
    s->numbers = gdyn_alloc((size_t)points * (size_t)s->width, sizeof *s->numbers);
    s->now = gdyn_alloc((size_t)s->width, sizeof *s->now);
    if (!s->p || !s->numbers || !s->now || !s->speed_row) {
        gdyn_table_dynamics_destroy(s);
        return NULL;
    }
    memcpy(s->p, p, (size_t)points * sizeof *p);
    for (int i = 0; i < points; i++)
        keep(s, i, &q[i]);
    /* the answer lies in `now`: the numbers of a point in the order of keep */
    int k = s->k, e = s->equalities;
    double *equal = s->now + (LISTS + s->r) * k + 2;
    s->coefficients = (gdyn_coefficients){.k = k,
                                          .r = s->r,
                                          .A = s->now,
                                          .B = s->now + k,
                                          .C = s->now + 2 * k,
                                          .D = s->now + 3 * k,
                                          .min = s->now + 4 * k,
                                          .max = s->now + 5 * k,
                                          .min_slope = s->now + 6 * k,
                                          .max_slope = s->now + 7 * k,
                                          .V = s->now + LISTS * k,
                                          .equalities = e,
                                          .eq_a = equal,
                                          .eq_b = equal + e,
                                          .eq_c = equal + 2 * e,
                                          .eq_d = equal + 3 * e,
                                          .d1_low_window = -1,
                                          .d1_high_window = -1};
    return s;
}

/* Points that stand for themselves: no interpolation, regions may be known. */
gdyn_table_dynamics *gdyn_table_dynamics_of_places(int points, const double *p,
                                                   const gdyn_coefficients *const *coefficients,
                                                   gdyn_region *const *region) {
    gdyn_table_dynamics *s = points > 0 ? gdyn_alloc(1, sizeof *s) : NULL;
    if (!s)
        return NULL;
    s->points = points;
    s->places = coefficients;
    s->region = region;
    s->p = gdyn_alloc((size_t)points, sizeof *s->p);
    if (!s->p) {
        gdyn_table_dynamics_destroy(s);
        return NULL;
    }
    memcpy(s->p, p, (size_t)points * sizeof *p);
    for (int i = 0; i < points; i++) {
        int rows = coefficients[i]->k + coefficients[i]->equalities;
        s->k = rows > s->k ? rows : s->k;
        s->r = coefficients[i]->r > s->r ? coefficients[i]->r : s->r;
    }
    return s;
}

/* Safe on a partly made object. */
void gdyn_table_dynamics_destroy(gdyn_table_dynamics *s) {
    if (!s)
        return;
    gdyn_free(s->p);
    gdyn_free(s->numbers);
    gdyn_free(s->now);
    gdyn_free(s->speed_row);
    gdyn_free(s);
}

/* Two points with the same p and different numbers. */
bool gdyn_table_dynamics_jump(const gdyn_table_dynamics *s, int i) {
    for (; s->numbers && i + 1 < s->points && s->p[i + 1] == s->p[i]; i++) {
        const double *at = s->numbers + (size_t)i * (size_t)s->width;
        if (memcmp(at, at + s->width, (size_t)s->width * sizeof *at) != 0)
            return true;
    }
    return false;
}

/* The last point but one at most whose p is not beyond p. Mostly it is that of the last time. */
static int piece(gdyn_table_dynamics *s, double p) {
    int low = s->last, high = s->points - 1;
    if (low < high && s->p[low] <= p && p < s->p[low + 1])
        return low;
    low = 0;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (s->p[middle] <= p)
            low = middle;
        else
            high = middle;
    }
    s->last = low;
    return low;
}

static int nearest(gdyn_table_dynamics *s, double p) {
    int i = piece(s, p);
    return i + (i + 1 < s->points && s->p[i + 1] - p < p - s->p[i]);
}

const gdyn_region *gdyn_table_dynamics_region(gdyn_table_dynamics *s, double p) {
    return s->places && s->region ? s->region[nearest(s, p)] : NULL;
}

/* The nearest place, or an interpolation. */
const gdyn_coefficients *gdyn_table_dynamics_at(gdyn_table_dynamics *s, double p) {
    if (s->places)
        return s->places[nearest(s, p)];
    /* linear interpolation */
    int low = piece(s, p), high = low + 1 < s->points ? low + 1 : low;
    double span = s->p[high] - s->p[low];
    /* f = 0 or 1 outside of the table */
    double f = span > 0 ? fmin(fmax((p - s->p[low]) / span, 0), 1) : p > s->p[low];
    const double *a = s->numbers + (size_t)low * (size_t)s->width;
    const double *b = s->numbers + (size_t)high * (size_t)s->width;
    /* equal numbers, and infinite ones, stay what they are */
    for (int i = 0; i < s->width; i++)
        s->now[i] = f == 0 || a[i] == b[i] ? a[i] : f == 1 ? b[i] : (1 - f) * a[i] + f * b[i];
    const double *speeds = s->now + s->k * (LISTS + s->r);
    s->coefficients.d1_low = speeds[0];
    s->coefficients.d1_high = speeds[1];
    s->coefficients.d1_high_window = s->speed_row[f < 1 ? low : high];
    return &s->coefficients;
}
