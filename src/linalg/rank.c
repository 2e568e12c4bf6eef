/* rank.c - how many of the values s_1 >= s_2 >= ... count, and how clear the cut is.
 *
 * s_i is kept while s_i > tolerance * s_1. The gap s_rank / s_(rank+1) says how far the decision is
 * from changing: near 1 it was a toss, above 10^3 the tolerance hardly mattered. */
#include "linalg/linalg.h"
#include "linalg/lanes.h"

#include <math.h>

/* Values fall; the first one under the cut and all behind it are zero. */
gdyn_rank gdyn_rank_decide(int count, const double *values, double tolerance) {
    gdyn_rank r = {.gap = INFINITY, .tolerance = tolerance > 0 ? tolerance : GDYN_RANK_TOLERANCE};
    if (count <= 0 || !(fabs(values[0]) > 0))
        return r;
    r.greatest = fabs(values[0]);
    while (r.rank < count && fabs(values[r.rank]) > r.tolerance * r.greatest)
        r.rank++;
    r.above = r.rank > 0 ? fabs(values[r.rank - 1]) : 0;
    /* how clear the cut is */
    if (r.rank < count) {
        r.below = fabs(values[r.rank]);
        r.gap = r.below > 0 ? r.above / r.below : INFINITY;
    }
    return r;
}

double gdyn_rank_least(const gdyn_rank *rank) {
    return rank->rank > 0 ? rank->above / rank->greatest : 1;
}

bool gdyn_rank_is_clear(const gdyn_rank *rank) {
    return rank->gap >= GDYN_GAP_SAFE && gdyn_rank_least(rank) >= GDYN_GAP_SAFE * rank->tolerance;
}

/* NaN and infinities spoil every decomposition. */
bool gdyn_all_finite(int m, int n, const double *A, int lda) {
    /* a - a is zero, or not a number */
    gdyn_lanes doubt = l_all(0);
    for (int j = 0; j < n; j++) {
        const double *a = A + (size_t)lda * j;
        int i = 0;
        for (; i + 1 < m; i += 2)
            doubt += l_pair(a + i) - l_pair(a + i);
        if (i < m)
            doubt[0] += a[i] - a[i];
    }
    return doubt[0] == 0 && doubt[1] == 0;
}
