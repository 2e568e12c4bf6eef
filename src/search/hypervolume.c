/* hypervolume.c - exact hypervolume, all objectives minimized, r the reference point.
 *
 * Two objectives: a sweep over f1. Three: points in the order of f3 enter a staircase in (f1, f2)
 * whose area is kept; volume = sum of area * step in f3. More: with the points in descending f_m,
 *   hv_m(p_1 .. p_c) = sum_k (r_m - p_k,m) * excl(p_k | p_k+1 .. p_c)   in the first m - 1
 * objectives, excl(p | S) = prod_j (r_j - p_j) - hv_(m-1)({max(p, s), s in S}), the recursion of
 * While, Bradstreet and Barone (2012, "WFG"); limited sets are thinned to their non-dominated
 * points first.
 *
 * Estimate (Karp, Luby 1985): with V_i the volume of box i, take box i with probability V_i / sum V
 * and a point evenly in it; sum V times the mean of 1 / (number of boxes that hold the point) is
 * the volume of the union. No frame is needed around the points, whatever their scales. */
#include "search/hypervolume.h"

#include "base/memory.h"
#include "base/random.h"
#include "search/fronts.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct gdyn_hypervolume {
    gdyn_arena *arena; /* owns it */
    int capacity, m;
    double **level;     /* level[j]: limited set with j objectives (j x capacity), j = 2 .. m */
    int **order;        /* order[j]: capacity */
    int *scratch;       /* capacity */
    double (*stair)[2]; /* capacity + 2: f1 ascending, f2 descending */
    double *sum;        /* capacity: volumes of boxes, added up */
    double *point;      /* m */
};

gdyn_hypervolume *gdyn_hypervolume_create(int capacity, int m) {
    gdyn_arena *arena;
    gdyn_hypervolume *w = gdyn_arena_begin(&arena, sizeof *w);
    if (!w)
        return NULL;
    size_t c = (size_t)capacity;
    *w = (gdyn_hypervolume){.arena = arena, .capacity = capacity, .m = m};
    w->level = gdyn_arena_alloc(arena, (size_t)m + 1, sizeof *w->level);
    w->order = gdyn_arena_alloc(arena, (size_t)m + 1, sizeof *w->order);
    w->scratch = gdyn_arena_alloc(arena, c, sizeof *w->scratch);
    w->stair = gdyn_arena_alloc(arena, c + 2, sizeof *w->stair);
    w->sum = gdyn_arena_doubles(arena, c + (size_t)m);
    w->point = gdyn_arena_doubles(arena, (size_t)m);
    /* A level for each number of objectives, since the recursion removes one at a time. */
    for (int j = 1; !gdyn_arena_failed(arena) && j <= m; j++) {
        w->level[j] = gdyn_arena_doubles(arena, (size_t)j * c);
        w->order[j] = gdyn_arena_alloc(arena, c, sizeof **w->order);
    }
    if (!gdyn_arena_failed(arena))
        return w;
    gdyn_hypervolume_destroy(w);
    return NULL;
}

void gdyn_hypervolume_destroy(gdyn_hypervolume *w) {
    if (w)
        gdyn_arena_destroy(w->arena);
}

static double volume_1(const double *F, int count, const double *r) {
    double least = r[0];
    for (int i = 0; i < count; i++)
        least = F[i] < least ? F[i] : least;
    return r[0] - least;
}

static double volume_2(gdyn_hypervolume *w, const double *F, int count, const double *r) {
    /* Points by f1: each adds a rectangle below the lowest f2 so far. */
    int *order = w->order[2];
    for (int i = 0; i < count; i++)
        order[i] = i;
    gdyn_fronts_order(F, 2, 0, count, order, w->scratch);
    double volume = 0, top = r[1];
    for (int s = 0; s < count; s++) {
        const double *p = F + 2 * order[s];
        if (p[1] >= top)
            continue;
        volume += (r[0] - p[0]) * (top - p[1]);
        top = p[1];
    }
    return volume;
}

/* Area that (x, y) adds to the staircase; enters it. The staircase stands between two posts,
 * (-inf, r_2) and (r_1, -inf), which are counted in `size`. */
static double stair_add(double (*stair)[2], int *size, double x, double y) {
    /* Bisection for the step left of x. */
    int low = 0, high = *size - 1; /* stair[low].x <= x < stair[high].x */
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (stair[middle][0] <= x)
            low = middle;
        else
            high = middle;
    }
    if (stair[low][1] <= y)
        return 0;
    if (stair[low][0] == x)
        low--; /* a step straight above will be covered */
    double area = 0, left = x, top = stair[low][1];
    int next = low + 1;
    for (; stair[next][1] >= y; next++) { /* steps that will be covered */
        if (stair[next][0] > left) {
            area += (stair[next][0] - left) * (top - y);
            left = stair[next][0];
        }
        top = stair[next][1];
    }
    /* Up to the next step that stays. */
    area += (stair[next][0] - left) * (top - y);
    int shift = low + 2 - next; /* steps next.. move by this */
    memmove(stair + next + shift, stair + next, (size_t)(*size - next) * sizeof *stair);
    stair[low + 1][0] = x, stair[low + 1][1] = y;
    *size += shift;
    return area;
}

static double volume_3(gdyn_hypervolume *w, const double *F, int count, const double *r) {
    int *order = w->order[3];
    for (int i = 0; i < count; i++)
        order[i] = i;
    gdyn_fronts_order(F, 3, 2, count, order, w->scratch);
    /* a staircase of (f1, f2), swept along f3: area times height */
    w->stair[0][0] = -INFINITY, w->stair[0][1] = r[1];
    w->stair[1][0] = r[0], w->stair[1][1] = -INFINITY;
    int size = 2;
    double volume = 0, area = 0;
    for (int s = 0; s < count; s++) {
        const double *p = F + 3 * order[s];
        area += stair_add(w->stair, &size, p[0], p[1]);
        double next = s + 1 < count ? F[3 * order[s + 1] + 2] : r[2];
        volume += area * (next - p[2]);
    }
    return volume;
}

static double volume_n(gdyn_hypervolume *w, int m, const double *F, int count, const double *r);

/* Points first .. count-1 of the order, seen from p: coordinates max(p, q) in m - 1 objectives,
 * dominated ones left out. Returns their number. */
static int limited_set(gdyn_hypervolume *w, int m, const double *F, int first, int count,
                       const double *p) {
    double *L = w->level[m - 1];
    int d = m - 1, kept = 0;
    for (int s = first; s < count; s++) {
        const double *q = F + w->order[m][s] * m;
        double *own = L + kept * d;
        /* q limited to the box behind p, without its last objective */
        for (int j = 0; j < d; j++)
            own[j] = q[j] > p[j] ? q[j] : p[j];
        /* dominated by one that is kept: adds nothing */
        bool covered = false;
        for (int i = 0; i < kept && !covered; i++) {
            covered = true;
            for (int j = 0; j < d && covered; j++)
                covered = L[i * d + j] <= own[j];
        }
        if (covered)
            continue;
        /* those that it dominates leave the set */
        int stay = 0;
        for (int i = 0; i < kept; i++)
            if (!gdyn_fronts_dominates(own, L + i * d, d)) {
                if (stay != i)
                    memcpy(L + stay * d, L + i * d, (size_t)d * sizeof *L);
                stay++;
            }
        if (stay != kept)
            memmove(L + stay * d, own, (size_t)d * sizeof *L);
        kept = stay + 1;
    }
    return kept;
}

static double volume_wfg(gdyn_hypervolume *w, int m, const double *F, int count, const double *r) {
    int *order = w->order[m];
    for (int i = 0; i < count; i++)
        order[i] = i;
    gdyn_fronts_order(F, m, m - 1, count, order, w->scratch);
    for (int a = 0, b = count - 1; a < b; a++, b--) { /* worst in f_m first */
        int swap = order[a];
        order[a] = order[b], order[b] = swap;
    }
    /* Each point's slab: its box without what the later ones cover. */
    double volume = 0;
    for (int k = 0; k < count; k++) {
        const double *p = F + order[k] * m;
        double box = 1;
        for (int j = 0; j < m - 1; j++)
            box *= r[j] - p[j];
        int limited = limited_set(w, m, F, k + 1, count, p);
        volume += (r[m - 1] - p[m - 1]) * (box - volume_n(w, m - 1, w->level[m - 1], limited, r));
    }
    return volume;
}

static double volume_n(gdyn_hypervolume *w, int m, const double *F, int count, const double *r) {
    if (count == 0)
        return 0;
    switch (m) {
    case 1:
        return volume_1(F, count, r);
    case 2:
        return volume_2(w, F, count, r);
    case 3:
        return volume_3(w, F, count, r);
    default:
        return volume_wfg(w, m, F, count, r);
    }
}

/* Copies the points below the reference into level[m]; returns how many. */
static int take_inside(gdyn_hypervolume *w, const double *F, int count, const double *reference) {
    /* Points that are not better than the reference in everything add nothing. */
    int m = w->m, kept = 0;
    double *own = w->level[m];
    for (int i = 0; i < count; i++) {
        const double *p = F + (size_t)i * (size_t)m;
        bool inside = true;
        for (int j = 0; j < m && inside; j++)
            inside = p[j] < reference[j];
        if (inside)
            memcpy(own + (size_t)kept++ * (size_t)m, p, (size_t)m * sizeof *own);
    }
    return kept;
}

double gdyn_hypervolume_of(gdyn_hypervolume *w, const double *F, int count,
                           const double *reference) {
    int kept = take_inside(w, F, count, reference);
    return volume_n(w, w->m, w->level[w->m], kept, reference);
}

/* --- estimate ----------------------------------------------------------------------------- */

double gdyn_hypervolume_reference(const double *F, int count, int m, int k, double *worst) {
    /* A tenth of the range behind the worst; without range a thousandth of the value. */
    double least = INFINITY, greatest = -INFINITY;
    for (int i = 0; i < count; i++) {
        least = fmin(least, F[i * m + k]);
        greatest = fmax(greatest, F[i * m + k]);
    }
    if (worst)
        *worst = greatest;
    double range = greatest - least;
    return greatest + (range > 0 ? 0.1 * range : fmax(1e-3 * fabs(greatest), 1e-12));
}

bool gdyn_hypervolume_affordable(int count, int m) {
    /* WFG takes about n^(m - 2) steps. */
    return m <= 3 || pow(count, m - 2) <= 5e6;
}

/* Of the space between the ideal point and the reference: with 8192 samples the error is 5 %. */
static const double LEAST_SHARE = 0.05;

/* Number of boxes that hold point y. */
static int boxes_around(const double *own, int count, int m, const double *y) {
    int boxes = 0;
    for (int i = 0; i < count; i++) {
        bool holds = true;
        for (int j = 0; j < m && holds; j++)
            holds = own[(size_t)i * (size_t)m + (size_t)j] <= y[j];
        boxes += holds;
    }
    return boxes;
}

/* Share of the points drawn between the ideal point and the reference that are dominated; *box: the
 * volume in between. */
static double share_dominated(const double *own, int kept, int m, const double *reference,
                              int samples, double *low, double *y, double *box) {
    int hits = 0;
    *box = 1;
    for (int j = 0; j < m; j++) {
        low[j] = reference[j];
        for (int i = 0; i < kept; i++)
            low[j] = fmin(low[j], own[(size_t)i * (size_t)m + (size_t)j]);
        *box *= reference[j] - low[j];
    }
    for (int k = 0; k < samples; k++) {
        gdyn_random random = gdyn_random_stream(1, 1, (uint64_t)k);
        bool holds = false;
        for (int j = 0; j < m; j++)
            y[j] = low[j] + gdyn_random_uniform(&random) * (reference[j] - low[j]);
        for (int i = 0; i < kept && !holds; i++) {
            holds = true;
            for (int j = 0; j < m && holds; j++)
                holds = own[(size_t)i * (size_t)m + (size_t)j] <= y[j];
        }
        hits += holds;
    }
    return samples > 0 ? (double)hits / samples : 0;
}

double gdyn_hypervolume_estimate(gdyn_hypervolume *w, const double *F, int count,
                                 const double *reference, int samples) {
    int m = w->m, kept = take_inside(w, F, count, reference);
    const double *own = w->level[m];
    double *sum = w->sum, *y = w->point, total = 0, shares = 0, box;
    /* Boxes that overlap a lot, or a dominated share that is small: the error of the one grows with
     * the overlap, that of the other like one over the root of the share. */
    double share = kept > 0 ? share_dominated(own, kept, m, reference, samples, sum, y, &box) : 0;
    if (share >= LEAST_SHARE)
        return share * box;
    /* volumes of the single boxes, summed up */
    for (int i = 0; i < kept; i++) {
        box = 1;
        for (int j = 0; j < m; j++)
            box *= reference[j] - own[(size_t)i * (size_t)m + (size_t)j];
        sum[i] = total += box;
    }
    /* a point of a box drawn by volume counts one over the boxes that hold it */
    for (int k = 0; kept > 0 && k < samples; k++) {
        gdyn_random random = gdyn_random_stream(1, 0, (uint64_t)k);
        double drawn = total * (k + gdyn_random_uniform(&random)) / samples;
        int i = 0, high = kept - 1;
        while (i < high) { /* the first sum above it */
            int middle = (i + high) / 2;
            if (sum[middle] > drawn)
                high = middle;
            else
                i = middle + 1;
        }
        const double *p = own + (size_t)i * (size_t)m;
        for (int j = 0; j < m; j++)
            y[j] = p[j] + gdyn_random_uniform(&random) * (reference[j] - p[j]);
        int boxes = boxes_around(own, kept, m, y);
        shares += 1.0 / (boxes > 0 ? boxes : 1);
    }
    return samples > 0 ? total * (shares / samples) : 0;
}

double gdyn_hypervolume_measure(gdyn_hypervolume *w, const double *F, int count,
                                const double *reference, int samples) {
    return gdyn_hypervolume_affordable(count, w->m)
               ? gdyn_hypervolume_of(w, F, count, reference)
               : gdyn_hypervolume_estimate(w, F, count, reference, samples);
}
