/* sums.c - w^T (a, b, c, d) and bounds of it, for weights of both signs.
 *
 *   max of w^T load = sum |w_i| (w_i > 0 ? high_i : -low_i)
 *
 * and likewise for the rest: every row is stored twice, as it is and with its sign turned, so that
 * all sums are sums of |w_i| times stored numbers, without a branch on the sign. */
#include "access/projection.h"

#include "linalg/lanes.h"

#include <assert.h>
#include <string.h>

enum { PAIRS = sizeof(gdyn_sums) / sizeof(gdyn_lanes), PAIRS_EVEN = 5 };

/* Limits near 1 are rounded like 1. */
static double at_least_one(double limit) {
    return fabs(limit) > 1 ? fabs(limit) : 1;
}

static gdyn_sums signed_row(const gdyn_limit_row *row, double sign) {
    bool up = sign > 0;
    double above = up ? row->high : row->low, below = up ? row->low : row->high;
    return (gdyn_sums){.a = sign * row->a,
                       .b = sign * row->b,
                       .c = sign * row->c,
                       .d = sign * row->d,
                       .weight = 1,
                       .high = sign * above,
                       .low = sign * below,
                       .high_size = at_least_one(above) + fabs(row->c),
                       .low_size = at_least_one(below) + fabs(row->c),
                       .a_error = row->a_error,
                       .b_error = row->b_error,
                       .d_error = row->d_error,
                       .high1 = sign * (up ? row->high1 : row->low1),
                       .low1 = sign * (up ? row->low1 : row->high1)};
}

gdyn_signed_row gdyn_sums_of_row(const gdyn_limit_row *row) {
    return (gdyn_signed_row){{signed_row(row, -1), signed_row(row, 1)}};
}

/* The first `pairs` pairs of the sum. */
static inline void add_pairs(int pairs, int count, const int *row, const double *w,
                             const gdyn_signed_row *of, gdyn_lanes *sum) {
    for (int i = 0; i < count; i++) {
        const double *term = &of[row[i]].side[w[i] > 0].a;
        gdyn_lanes weight = l_all(fabs(w[i]));
        for (int j = 0; j < pairs; j++)
            sum[j] += weight * l_pair(term + GDYN_LANES * j);
    }
}

gdyn_sums gdyn_sums_over(int count, const int *row, const double *w, const gdyn_signed_row *of,
                         bool even) {
    gdyn_lanes sum[PAIRS] = {{0, 0}};
    gdyn_sums s;
    static_assert(sizeof sum == sizeof s, "the sums are pairs of numbers");
    if (even)
        add_pairs(PAIRS_EVEN, count, row, w, of, sum);
    else
        add_pairs(PAIRS, count, row, w, of, sum);
    memcpy(&s, sum, sizeof s);
    /* What is left of a sum that cancels would bend the curve at great t. */
    if (fabs(s.a) <= s.a_error)
        s.a = 0;
    if (fabs(s.b) <= s.b_error)
        s.b = 0;
    return s;
}
