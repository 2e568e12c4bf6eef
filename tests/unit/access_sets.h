/* access_sets.h - random coefficient sets, degenerate ones included, for the tests of the regions.
 */
#ifndef ACCESS_SETS_H
#define ACCESS_SETS_H

#include "access/access.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum { SET_K = 20, SET_R = 9, SET_E = 3 };

typedef struct coefficient_set {
    gdyn_coefficients q;
    double A[SET_K], B[SET_K], C[SET_K], D[SET_K], V[SET_K * SET_R];
    double min[SET_K], max[SET_K], min_slope[SET_K], max_slope[SET_K];
    double eq_a[SET_E], eq_b[SET_E], eq_c[SET_E], eq_d[SET_E];
} coefficient_set;

/* Points the coefficients at the set's own arrays. */
static inline void set_link(coefficient_set *s, int k, int r) {
    s->q = (gdyn_coefficients){.k = k,
                               .r = r,
                               .A = s->A,
                               .B = s->B,
                               .C = s->C,
                               .D = s->D,
                               .V = s->V,
                               .min = s->min,
                               .max = s->max,
                               .eq_a = s->eq_a,
                               .eq_b = s->eq_b,
                               .eq_c = s->eq_c,
                               .eq_d = s->eq_d,
                               .d1_low = 0,
                               .d1_high = INFINITY,
                               .d1_high_window = -1};
}

/* Small integers now and then: exact ties and zeros. */
static inline double set_number(gdyn_random *random, int integers) {
    return integers ? gdyn_random_below(random, 5) - 2 : gdyn_random_normal(random);
}

static inline void set_limits(coefficient_set *s, int i, gdyn_random *random) {
    double size = 0.5 + 2 * gdyn_random_uniform(random), shift = gdyn_random_normal(random) * 0.5;
    s->min[i] = shift - size;
    s->max[i] = shift + size;
    switch (gdyn_random_below(random, 10)) {
    case 0:
        s->min[i] = 0;
        break;
    case 1:
        s->max[i] = INFINITY;
        break;
    case 2:
        s->min[i] = -INFINITY;
        break;
    case 3:
        if (gdyn_random_below(random, 3) == 0) {
            s->min[i] = -INFINITY;
            s->max[i] = INFINITY;
        }
        break;
    }
    if (s->min[i] > s->max[i])
        s->max[i] = s->min[i] + size;
}

/* Rows of V that are zero, or parallel to an earlier one. */
static inline void set_degenerate_rows(coefficient_set *s, int k, int r, gdyn_random *random) {
    for (int i = 0; i < k; i++) {
        int what = gdyn_random_below(random, 8), other = gdyn_random_below(random, k);
        double factor = set_number(random, 0);
        for (int j = 0; j < r; j++)
            if (what == 0)
                s->V[j * k + i] = 0;
            else if (what == 1)
                s->V[j * k + i] = factor * s->V[j * k + other];
    }
}

/* One or two equalities; the second may repeat the first. */
static inline void set_equalities(coefficient_set *s, gdyn_random *random) {
    s->q.equalities = 1 + gdyn_random_below(random, 2);
    for (int i = 0; i < s->q.equalities; i++) {
        double again = i && gdyn_random_below(random, 2) ? -1.7 : 0;
        s->eq_a[i] = again ? again * s->eq_a[0] : set_number(random, 0);
        s->eq_b[i] = again ? again * s->eq_b[0] : set_number(random, 0);
        s->eq_c[i] = again ? again * s->eq_c[0] : 0.3 * set_number(random, 0);
        s->eq_d[i] = again ? again * s->eq_d[0] : set_number(random, 0);
        if (!again && gdyn_random_below(random, 3) == 0)
            s->eq_d[i] = 0;
    }
}

static inline void set_random(coefficient_set *s, gdyn_random *random) {
    int k = gdyn_random_below(random, 9), r = gdyn_random_below(random, SET_R + 1);
    if (r > k)
        r = gdyn_random_below(random, k + 1);
    int integers = gdyn_random_below(random, 4) == 0, even = gdyn_random_below(random, 2);
    int slopes = gdyn_random_below(random, 4) == 0;
    memset(s, 0, sizeof *s);
    set_link(s, k, r);
    double load = gdyn_random_below(random, 3) ? 0.3 : 1.5;
    for (int i = 0; i < k; i++) {
        s->A[i] = set_number(random, integers);
        s->B[i] = even ? 0 : 0.7 * set_number(random, integers);
        s->C[i] = load * set_number(random, integers);
        s->D[i] = gdyn_random_below(random, 8) ? set_number(random, integers) : 0;
        set_limits(s, i, random);
        s->min_slope[i] = slopes ? 0.2 * set_number(random, integers) : 0;
        s->max_slope[i] = slopes ? 0.2 * set_number(random, integers) : 0;
    }
    for (int i = 0; i < k * r; i++)
        s->V[i] = set_number(random, integers);
    if (gdyn_random_below(random, 2))
        set_degenerate_rows(s, k, r, random);
    if (slopes) {
        s->q.min_slope = s->min_slope;
        s->q.max_slope = s->max_slope;
    }
    if (gdyn_random_below(random, 4) == 0)
        s->q.d1_high = 0.3 + gdyn_random_uniform(random);
    if (gdyn_random_below(random, 12) == 0)
        s->q.d1_low = gdyn_random_normal(random) - 0.5;
    if (s->q.d1_low > s->q.d1_high)
        s->q.d1_low = 0;
    if (gdyn_random_below(random, 8) == 0)
        set_equalities(s, random);
}

/* Forces in another unit and p stretched: A d1^2, B d1, D d2 keep their values. */
static inline void set_scale(coefficient_set *s, double force, double stretch) {
    for (int i = 0; i < s->q.k; i++) {
        s->A[i] *= force / (stretch * stretch);
        s->B[i] *= force / stretch;
        s->C[i] *= force;
        s->D[i] *= force / stretch;
        s->min[i] *= force;
        s->max[i] *= force;
        s->min_slope[i] *= force / stretch;
        s->max_slope[i] *= force / stretch;
    }
    for (int i = 0; i < s->q.equalities; i++) {
        s->eq_a[i] /= stretch * stretch;
        s->eq_b[i] /= stretch;
        s->eq_d[i] /= stretch;
    }
    s->q.d1_low *= stretch;
    s->q.d1_high *= stretch;
}

/* Largest finite limit. */
static inline double set_largest(const coefficient_set *s) {
    double most = 0;
    for (int i = 0; i < s->q.k; i++) {
        most = isfinite(s->min[i]) ? fmax(most, fabs(s->min[i])) : most;
        most = isfinite(s->max[i]) ? fmax(most, fabs(s->max[i])) : most;
    }
    return most;
}

#endif
