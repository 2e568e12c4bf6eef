/* suite_peers.c - AGE-MOEA (Panichella 2019) and CCMO (Tian, Zhang, Xiao, Zhang, Jin 2021).
 *
 * Both with binary tournaments, simulated binary crossover (1, 20), polynomial mutation (1/n, 20)
 * and populations of 100. Infeasible designs stand behind all feasible ones by their violation.
 * AGE-MOEA fits the exponent p of |f|_p = 1 to the normalized first front; of the front that does
 * not fit the designs with the largest sum of distances to their two nearest neighbours chosen,
 * as shares of their own distance from the ideal, survive. CCMO has two populations, of which the
 * second ignores the constraints, and thins fronts by nearest neighbours as SPEA2 does. */
#include "suite_peers.h"

#include "search/fronts.h"
#include "search/method.h"

#include <stdlib.h>
#include <string.h>

enum { N = 100, POOL = 3 * N };
static const double BAD = 1e4;

typedef struct peer {
    const suite_problem *problem;
    suite_record *record;
    void *context;
    gdyn_random random;
    gdyn_variation variation;
    gdyn_fronts *fronts;
    int n, m;
    double x[POOL][SUITE_VARIABLES], f[POOL][SUITE_OBJECTIVES], violation[POOL];
    double packed[POOL * SUITE_OBJECTIVES]; /* what fronts are made of */
    double score[POOL];                     /* larger is better, in a front */
    int front[POOL];
} peer;

static void evaluate(peer *e, int slot) {
    double g[SUITE_CONSTRAINTS];
    e->problem->evaluate(e->problem, e->x[slot], e->f[slot], g);
    e->record(e->context, e->f[slot], g);
    e->violation[slot] = 0;
    for (int j = 0; j < e->problem->constraints; j++)
        e->violation[slot] += fmax(g[j], 0);
    for (int i = 0; i < e->m; i++)
        e->violation[slot] += isfinite(e->f[slot][i]) ? 0 : BAD;
}

/* --- AGE-MOEA --------------------------------------------------------------------------------- */

typedef struct geometry {
    double ideal[SUITE_OBJECTIVES], scale[SUITE_OBJECTIVES], p;
    int extreme[SUITE_OBJECTIVES];
} geometry;

static double scaled(const peer *e, const geometry *a, int slot, int i) {
    return (e->packed[slot * e->m + i] - a->ideal[i]) / a->scale[i];
}

/* Squared distance of a point from the axis (axis < m) or the diagonal. */
static double from_line(const peer *e, const geometry *a, int slot, int axis) {
    double square = 0, along = 0;
    for (int i = 0; i < e->m; i++) {
        double y = scaled(e, a, slot, i);
        square += y * y, along += axis == e->m ? y / sqrt(e->m) : i == axis ? y : 0;
    }
    return square - along * along;
}

static int nearest_to(const peer *e, const geometry *a, const int *member, int count, int axis) {
    int best = member[0];
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        bool end = false;
        for (int i = 0; axis == e->m && i < e->m; i++)
            end |= a->extreme[i] == member[k];
        double d = end ? INFINITY : from_line(e, a, member[k], axis);
        if (d < least)
            least = d, best = member[k];
    }
    return best;
}

static void fit(const peer *e, geometry *a, const int *member, int count) {
    int m = e->m;
    double worst[SUITE_OBJECTIVES], mean = 0;
    for (int i = 0; i < m; i++) {
        a->ideal[i] = INFINITY, worst[i] = -INFINITY;
        for (int k = 0; k < count; k++) {
            double f = e->packed[member[k] * m + i];
            a->ideal[i] = fmin(a->ideal[i], f), worst[i] = fmax(worst[i], f);
        }
        a->scale[i] = worst[i] > a->ideal[i] ? worst[i] - a->ideal[i] : 1;
    }
    for (int i = 0; i < m; i++)
        a->extreme[i] = nearest_to(e, a, member, count, i);
    /* The ends of the front give the scale: its largest values there. */
    double scale[SUITE_OBJECTIVES] = {0};
    for (int i = 0; i < m; i++) {
        double high = 0;
        for (int k = 0; k < m; k++)
            high = fmax(high, e->packed[a->extreme[k] * m + i] - a->ideal[i]);
        scale[i] = high > 1e-9 * a->scale[i] ? high : a->scale[i];
    }
    memcpy(a->scale, scale, sizeof scale);
    int middle = nearest_to(e, a, member, count, m);
    for (int i = 0; i < m; i++)
        mean += scaled(e, a, middle, i) / m;
    a->p = log(m) / log(1 / mean);
    if (!(a->p > 0.1) || !isfinite(a->p))
        a->p = 1;
}

static double size_of(const peer *e, const geometry *a, int slot) {
    double sum = 0;
    for (int i = 0; i < e->m; i++)
        sum += pow(fmax(scaled(e, a, slot, i), 0), a->p);
    return fmax(pow(sum, 1 / a->p), 1e-12);
}

static double between(const peer *e, const geometry *a, int one, int other) {
    double sum = 0;
    for (int i = 0; i < e->m; i++)
        sum += pow(fabs(scaled(e, a, one, i) - scaled(e, a, other, i)), a->p);
    return pow(sum, 1 / a->p);
}

/* Brings `keep` of the first front's members to its beginning, the ends first. */
static void survive(peer *e, const geometry *a, int *member, int count, int keep) {
    double near[POOL][2], own[POOL];
    for (int k = 0; k < count; k++) {
        near[k][0] = near[k][1] = INFINITY, own[k] = size_of(e, a, member[k]);
        e->score[member[k]] = 0;
    }
    for (int chosen = 0; chosen < keep; chosen++) {
        int best = chosen;
        double most = -1;
        for (int k = chosen; k < count; k++) {
            bool end = false;
            for (int i = 0; i < e->m; i++)
                end |= a->extreme[i] == member[k];
            double second = isfinite(near[k][1]) ? near[k][1] : 0;
            double value = end ? INFINITY : (near[k][0] + second) / own[k];
            if (value > most)
                most = value, best = k;
        }
        int slot = member[best];
        double keep_near[2] = {near[best][0], near[best][1]}, keep_own = own[best];
        member[best] = member[chosen], own[best] = own[chosen];
        memcpy(near[best], near[chosen], sizeof keep_near);
        member[chosen] = slot, own[chosen] = keep_own;
        memcpy(near[chosen], keep_near, sizeof keep_near);
        e->score[slot] = most;
        for (int k = chosen + 1; k < count; k++) {
            double d = between(e, a, member[k], slot);
            if (d < near[k][0])
                near[k][1] = near[k][0], near[k][0] = d;
            else if (d < near[k][1])
                near[k][1] = d;
        }
    }
}

/* --- selection -------------------------------------------------------------------------------- */

/* Sorts slots[0 .. count) and keeps N in front; by AGE-MOEA's rule, or by nearest neighbours. */
static void choose(peer *e, int *slot, int count, bool constrained, bool age) {
    int m = e->m, rank[POOL], order[POOL], filled = 0;
    geometry a = {0};
    /* Packed by slot, as the members of a front are slots; sorted by their place in the list. */
    double *list = malloc((size_t)(count * m) * sizeof *list);
    for (int k = 0; k < count; k++)
        for (int i = 0; i < m; i++) {
            double v = e->violation[slot[k]];
            e->packed[slot[k] * m + i] = list[k * m + i] =
                constrained && v > 0 ? BAD + v : e->f[slot[k]][i];
        }
    gdyn_fronts_sort(e->fronts, list, count, rank);
    free(list);
    for (int front = 0; filled < count && filled < N; front++) {
        int from = filled;
        for (int k = 0; k < count; k++)
            if (rank[k] == front)
                order[filled++] = slot[k], e->front[slot[k]] = front;
        int size = filled - from, keep = size < N - from ? size : N - from;
        if (age) {
            if (front == 0)
                fit(e, &a, order, size);
            if (front == 0)
                survive(e, &a, order, size, keep);
            for (int k = from; front > 0 && k < filled; k++)
                e->score[order[k]] = 1 / size_of(e, &a, order[k]);
            for (int k = from; front > 0 && k < from + keep; k++)
                for (int l = k + 1; l < filled; l++)
                    if (e->score[order[l]] > e->score[order[k]]) {
                        int other = order[l];
                        order[l] = order[k], order[k] = other;
                    }
        } else {
            gdyn_fronts_part(e->fronts, e->packed, size, order + from, keep, e->score);
        }
    }
    memcpy(slot, order, N * sizeof *slot);
}

/* --- children --------------------------------------------------------------------------------- */

static int tournament(peer *e, const int *member) {
    int a = member[gdyn_random_below(&e->random, N)], b = member[gdyn_random_below(&e->random, N)];
    if (e->front[a] != e->front[b])
        return e->front[a] < e->front[b] ? a : b;
    return e->score[a] >= e->score[b] ? a : b;
}

static void breed(peer *e, const int *member, const int *child, int count) {
    for (int k = 0; k < count; k += 2) {
        double *second = e->x[child[k + 1 < count ? k + 1 : k]];
        double other[SUITE_VARIABLES];
        gdyn_variation_cross(&e->variation, &e->random, e->x[tournament(e, member)],
                             e->x[tournament(e, member)], e->x[child[k]], other);
        if (k + 1 < count)
            memcpy(second, other, (size_t)e->n * sizeof *second);
        for (int l = k; l < k + 2 && l < count; l++) {
            gdyn_variation_mutate(&e->variation, &e->random, e->x[child[l]]);
            evaluate(e, child[l]);
        }
    }
}

/* Slots that are in none of the two lists (N each). */
static void find_free(const int *a, const int *b, int *free_slot, int count) {
    bool used[POOL] = {false};
    for (int k = 0; k < N; k++)
        used[a[k]] = used[b[k]] = true;
    for (int k = 0, found = 0; k < POOL && found < count; k++)
        if (!used[k])
            free_slot[found++] = k;
}

bool suite_peer_run(const suite_problem *problem, const char *method, unsigned seed, long budget,
                    suite_record *record, void *context) {
    bool age = strcmp(method, "peer-agemoea") == 0, both = strcmp(method, "peer-ccmo") == 0;
    if (problem->m == 1 || (!age && !both))
        return false;
    peer *e = calloc(1, sizeof *e);
    double lower[SUITE_VARIABLES], upper[SUITE_VARIABLES];
    bool whole[SUITE_VARIABLES], names[SUITE_VARIABLES] = {false};
    if (!e || !(e->fronts = gdyn_fronts_create(POOL, problem->m)))
        exit(70);
    suite_bounds(problem, lower, upper, whole);
    e->problem = problem, e->record = record, e->context = context;
    e->n = problem->n, e->m = problem->m;
    e->random = gdyn_random_stream(seed, 1, 2);
    e->variation = (gdyn_variation){.n = e->n,
                                    .lower = lower,
                                    .upper = upper,
                                    .integer = whole,
                                    .categorical = names,
                                    .crossover = 1,
                                    .crossover_variable = 0.5,
                                    .crossover_eta = 20,
                                    .mutation = 1.0 / e->n,
                                    .mutation_eta = 20};
    int first[POOL], second[POOL], child[N];
    for (int k = 0; k < N; k++) {
        first[k] = second[k] = k;
        for (int j = 0; j < e->n; j++)
            e->x[k][j] = gdyn_variation_settle(&e->variation, j,
                                               gdyn_random_between(&e->random, lower[j], upper[j]));
        evaluate(e, k);
    }
    choose(e, first, N, true, age);
    for (long used = N; used < budget; used += N) {
        find_free(first, second, child, N);
        if (age) {
            breed(e, first, child, N);
            memcpy(first + N, child, sizeof child);
            choose(e, first, 2 * N, true, true);
            memcpy(second, first, N * sizeof *second);
            continue;
        }
        /* Half of the children of each population; all compete in both. */
        int join[POOL];
        breed(e, first, child, N / 2);
        choose(e, second, N, false, false);
        breed(e, second, child + N / 2, N / 2);
        memcpy(join, second, N * sizeof *join), memcpy(join + N, child, sizeof child);
        choose(e, join, 2 * N, false, false);
        memcpy(second, join, N * sizeof *second);
        memcpy(first + N, child, sizeof child);
        choose(e, first, 2 * N, true, false);
    }
    gdyn_fronts_destroy(e->fronts);
    free(e);
    return true;
}
