/* suite_report.c - hypervolumes of all runs on a problem against a common reference, by method
 * and budget.
 *
 * Reference: the nondominated designs of all runs there are (with three and more objectives of
 * some 400 of each run). Objectives are scaled by it to 0 .. 1; volumes up to 1.1 in every
 * objective are given as shares of that of the reference. They are exact for two and three
 * objectives; with more of 20,000 random points of the box or, where the reference dominates less
 * than a tenth of it, of what it dominates (Karp, Luby 1985), the same for every run; e is the
 * largest standard error. Where the front is known, it gives the scale (unless no run comes near
 * it), and IGD+ (Ishibuchi, Masuda, Tanigaki, Nojima 2015): mean distance of its points from what
 * a run dominates, objectives scaled by the front. Differences between two methods: Mann and
 * Whitney's U, two-sided, exact. */
#include "suite_runs.h"

#include "base/random.h"
#include "search/fronts.h"
#include "search/hypervolume.h"
#include "study/choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 4096, MOST_SEEDS = 64, POINTS = 20000, SHARE = 400 };
enum { FRONT_DRAWN = 2000, FRONT = 400 }; /* designs of a known front: drawn, kept */
typedef enum measure { VOLUME, DISTANCE, MEASURES } measure;
static const double SIGNIFICANT = 0.05, REACHED = 1e-4, PRACTICAL = 0.002;
enum { MOST_PAIRS = 4096 };

typedef struct entry {
    int method, budget, seed;
    suite_run run;
    double value[MEASURES]; /* of one objective the best value; minus IGD+ */
} entry;

typedef struct table {
    const suite_plan *plan;
    const suite_problem *problem;
    entry *entry;
    int entries;
    double least[SUITE_OBJECTIVES], range[SUITE_OBJECTIVES];
    double *reference; /* m x references */
    int references;
    double error;  /* of sampled volumes */
    double *front; /* m x fronts: designs of the known front */
    int fronts;
} table;

static void *need(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory)
        exit(70);
    return memory;
}

static void load(table *t) {
    char path[500];
    bool single = suite_single(t->plan, t->problem);
    for (int b = 0; t->plan->budget[b]; b++)
        for (int k = 0; t->plan->method[k] && !(single && b > 0); k++)
            for (int seed = 1; seed <= t->plan->seeds && t->entries < MOST_RUNS; seed++) {
                entry *e = &t->entry[t->entries];
                long budget = single ? SUITE_SINGLE : t->plan->budget[b];
                suite_path(path, sizeof path, t->plan, t->problem, t->plan->method[k], budget,
                           seed);
                *e = (entry){.method = k, .budget = b, .seed = seed};
                t->entries += suite_load(path, &e->run);
            }
}

/* --- reference -------------------------------------------------------------------------------- */

/* Joins the designs of a run to the reference; of three and more objectives about SHARE of them. */
static void join(table *t, const suite_run *run) {
    size_t m = (size_t)run->m;
    int step = run->m > 2 && run->count > SHARE ? run->count / SHARE : 1,
        most = t->references + run->count;
    double *f = need(m * (size_t)most, sizeof *f);
    int *front = need((size_t)most, sizeof *front), count = t->references, kept = 0;
    memcpy(f, t->reference, m * (size_t)count * sizeof *f);
    for (int i = 0; i < run->count; i += step)
        memcpy(f + m * (size_t)count++, run->f + m * (size_t)i, m * sizeof *f);
    gdyn_fronts *fronts = gdyn_fronts_create(count + 1, run->m);
    gdyn_fronts_sort(fronts, f, count, front);
    gdyn_fronts_destroy(fronts);
    for (int i = 0; i < count; i++)
        if (front[i] == 0)
            memmove(f + m * (size_t)kept++, f + m * (size_t)i, m * sizeof *f);
    free(front);
    free(t->reference);
    t->reference = f, t->references = kept;
}

static void scale(const table *t, int count, double *f) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < t->problem->m; j++) {
            double *value = &f[i * t->problem->m + j];
            *value = (*value - t->least[j]) / t->range[j];
        }
}

static void find_range(table *t, int count, const double *f) {
    int m = t->problem->m;
    for (int j = 0; j < m; j++) {
        double greatest = -INFINITY;
        t->least[j] = INFINITY;
        for (int i = 0; i < count; i++) {
            t->least[j] = fmin(t->least[j], f[i * m + j]);
            greatest = fmax(greatest, f[i * m + j]);
        }
        t->range[j] = greatest > t->least[j] ? greatest - t->least[j] : 1;
    }
}

/* Whether some design lies below the corner in the scale of the known front, which is set then. */
static bool near_front(table *t) {
    int m = t->problem->m;
    for (int i = 0; i < t->references && t->fronts > 0; i++) {
        int j = 0;
        while (j < m && t->reference[i * m + j] < t->least[j] + 1.1 * t->range[j])
            j++;
        if (j == m)
            return true;
    }
    return false;
}

static void make_reference(table *t) {
    for (int i = 0; i < t->entries; i++)
        join(t, &t->entry[i].run);
    if (!near_front(t))
        find_range(t, t->references, t->reference);
    scale(t, t->references, t->reference);
    for (int i = 0; i < t->entries; i++)
        scale(t, t->entry[i].run.count, t->entry[i].run.f);
}

/* --- volumes ---------------------------------------------------------------------------------- */

static double exact(int m, int count, const double *f) {
    double corner[SUITE_OBJECTIVES];
    for (int j = 0; j < m; j++)
        corner[j] = 1.1;
    gdyn_hypervolume *h = gdyn_hypervolume_create(count + 1, m);
    double volume = gdyn_hypervolume_of(h, f, count, corner);
    gdyn_hypervolume_destroy(h);
    return volume;
}

static bool dominated(int m, int count, const double *f, const double *point) {
    for (int i = 0; i < count; i++) {
        int j = 0;
        while (j < m && f[i * m + j] <= point[j])
            j++;
        if (j == m)
            return true;
    }
    return false;
}

/* Part of the box that the reference dominates, of a tenth of the points. */
static double hit_share(const table *t, gdyn_random *random) {
    int m = t->problem->m, hits = 0;
    for (int k = 0; k < POINTS / 10; k++) {
        double point[SUITE_OBJECTIVES];
        for (int j = 0; j < m; j++)
            point[j] = 1.1 * gdyn_random_uniform(random);
        hits += dominated(m, t->references, t->reference, point);
    }
    return hits / (POINTS / 10.0);
}

/* Points of the box, or of the boxes between reference points and corner, each weighted by one over
 * the boxes that it lies in. */
static void sample(table *t) {
    int m = t->problem->m, count = t->references;
    gdyn_random random = gdyn_random_stream(1, 2, 3);
    double *sum = need((size_t)count, sizeof *sum), all = 0, squares = 0;
    bool uniform = hit_share(t, &random) > 0.1;
    double *square = need((size_t)t->entries, sizeof *square);
    for (int i = 0; i < count; i++) {
        double box = 1;
        for (int j = 0; j < m; j++)
            box *= fmax(1.1 - t->reference[i * m + j], 0);
        sum[i] = (i > 0 ? sum[i - 1] : 0) + box;
    }
    for (int k = 0; k < POINTS; k++) {
        double point[SUITE_OBJECTIVES], drawn = gdyn_random_uniform(&random) * sum[count - 1];
        int at = 0, boxes = 0;
        while (at < count - 1 && sum[at] <= drawn)
            at++;
        for (int j = 0; j < m; j++)
            point[j] = gdyn_random_between(&random, uniform ? 0 : t->reference[at * m + j], 1.1);
        if (uniform)
            boxes = dominated(m, count, t->reference, point);
        else
            for (int i = 0; i < count; i++)
                boxes += dominated(m, 1, t->reference + i * m, point);
        if (boxes == 0)
            continue;
        all += 1.0 / boxes, squares += 1.0 / boxes / boxes;
        for (int i = 0; i < t->entries; i++)
            if (dominated(m, t->entry[i].run.count, t->entry[i].run.f, point))
                t->entry[i].value[VOLUME] += 1.0 / boxes, square[i] += 1.0 / boxes / boxes;
    }
    /* A share s of weighted points: its variance is sum w^2 (1{hit} - s)^2 / (sum w)^2. */
    for (int i = 0; i < t->entries; i++) {
        double share = t->entry[i].value[VOLUME] /= all;
        double variance = (square[i] * (1 - 2 * share) + share * share * squares) / all / all;
        t->error = fmax(t->error, sqrt(fmax(variance, 0)));
    }
    free(sum);
    free(square);
}

/* --- IGD+ ------------------------------------------------------------------------------------- */

/* Designs of the known front, spread evenly, not yet scaled. */
static void draw_front(table *t) {
    int m = t->problem->m, rank[FRONT_DRAWN], member[FRONT_DRAWN], count = 0;
    double x[SUITE_VARIABLES], g[SUITE_CONSTRAINTS] = {0}, crowding[FRONT_DRAWN];
    double *f = need(FRONT_DRAWN * (size_t)m, sizeof *f);
    gdyn_random random = gdyn_random_stream(4, 5, 6);
    for (int k = 0; k < 20 * FRONT_DRAWN && count < FRONT_DRAWN; k++) {
        if (!suite_many_best(t->problem, &random, x))
            break;
        bool kept = true;
        t->problem->evaluate(t->problem, x, f + (size_t)count * (size_t)m, g);
        for (int j = 0; j < t->problem->constraints; j++)
            kept = kept && g[j] <= 0;
        count += kept;
    }
    gdyn_fronts *fronts = gdyn_fronts_create(FRONT_DRAWN, m);
    gdyn_fronts_sort(fronts, f, count, rank);
    int best = 0;
    for (int k = 0; k < count; k++)
        if (rank[k] == 0)
            member[best++] = k;
    if (best > FRONT)
        gdyn_fronts_part(fronts, f, best, member, FRONT, crowding);
    gdyn_fronts_destroy(fronts);
    t->fronts = best < FRONT ? best : FRONT;
    t->front = need((size_t)(t->fronts * m), sizeof *t->front);
    for (int k = 0; k < t->fronts; k++)
        memcpy(t->front + k * m, f + member[k] * m, (size_t)m * sizeof *f);
    free(f);
}

/* Of the run's designs, in the scale of the front; t->least and t->range are its own. */
static double distance_of(const table *t, const suite_run *run) {
    int m = run->m;
    double sum = 0;
    for (int k = 0; k < t->fronts; k++) {
        double least = INFINITY;
        for (int i = 0; i < run->count; i++) {
            double d = 0;
            for (int j = 0; j < m && d < least; j++) {
                double over = (run->f[i * m + j] - t->front[k * m + j]) / t->range[j];
                d += over > 0 ? over * over : 0;
            }
            least = fmin(least, d);
        }
        sum += sqrt(least);
    }
    return sum / t->fronts;
}

static void measure_all(table *t) {
    int m = t->problem->m;
    if (m == 1) {
        for (int i = 0; i < t->entries; i++)
            t->entry[i].value[VOLUME] = t->entry[i].run.count > 0 ? t->entry[i].run.f[0] : INFINITY;
        return;
    }
    draw_front(t);
    if (t->fronts > 0)
        find_range(t, t->fronts, t->front);
    for (int i = 0; i < t->entries && t->fronts > 0; i++)
        t->entry[i].value[DISTANCE] = -distance_of(t, &t->entry[i].run);
    make_reference(t);
    if (m > 3)
        sample(t);
    else
        for (int i = 0; i < t->entries; i++)
            t->entry[i].value[VOLUME] = exact(m, t->entry[i].run.count, t->entry[i].run.f) /
                                        exact(m, t->references, t->reference);
}

/* --- statistics ------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The sorted values of a method at a budget; returns how many. */
static int values_of(const table *t, measure what, int method, int budget, double *value) {
    int count = 0;
    for (int i = 0; i < t->entries && count < MOST_SEEDS; i++)
        if (t->entry[i].method == method && t->entry[i].budget == budget)
            value[count++] = t->entry[i].value[what];
    qsort(value, (size_t)count, sizeof *value, ascending);
    return count;
}

/* --- printing --------------------------------------------------------------------------------- */

/* One comparison: the probability that it is due to chance, how far the median is ahead, which problem. */
typedef struct pair {
    double p, ahead;
    int problem;
} pair;

typedef struct tally {
    int better, equal, worse, pairs;
    pair pair[MOST_PAIRS];
} tally;

/* Problems on which any comparison is significant by Holm's rule and the median `apart` or more behind. */
static int holm_worse(const tally *sum, double apart) {
    static double p[MOST_PAIRS];
    bool worse[MOST_PAIRS] = {false};
    int count = 0;
    for (int i = 0; i < sum->pairs; i++)
        p[i] = sum->pair[i].p;
    gdyn_holm(sum->pairs, p);
    for (int i = 0; i < sum->pairs; i++) {
        const pair *found = &sum->pair[i];
        if (p[i] < SIGNIFICANT && found->ahead < 0 && -found->ahead >= apart &&
            !worse[found->problem])
            worse[found->problem] = true, count++;
    }
    return count;
}

static void print_method(const table *t, int k, int b, const double *value, int count, FILE *json,
                         bool first) {
    const suite_problem *p = t->problem;
    double low = gdyn_quantile(value, count, 0.25), middle = gdyn_quantile(value, count, 0.5),
           high = gdyn_quantile(value, count, 0.75);
    int reached = 0;
    for (int i = 0; i < count; i++)
        reached += value[i] <= p->best + REACHED * fabs(p->best);
    printf("  %-12s", t->plan->method[k]);
    if (p->m == 1)
        printf(" %12.8g (%.8g to %.8g)  optimum in %d of %d\n", middle, low, high, reached, count);
    else
        printf(" %.4f (%.4f to %.4f)  %d", middle, low, high, count);
    if (p->m > 1 && t->fronts > 0) {
        double distance[MOST_SEEDS];
        values_of(t, DISTANCE, k, b, distance);
        printf("  IGD+ %.4f", -gdyn_quantile(distance, count, 0.5));
    }
    if (p->m > 1)
        printf("\n");
    if (!json)
        return;
    fprintf(json,
            "%s\n  {\"problem\": \"%s\", \"group\": \"%s\", \"evaluations\": %ld, \"method\": "
            "\"%s\", \"values\": [",
            first ? "" : ",", p->name, p->group,
            suite_single(t->plan, p) ? (long)SUITE_SINGLE : t->plan->budget[b], t->plan->method[k]);
    for (int i = 0; i < count; i++)
        fprintf(json, isfinite(value[i]) ? "%s%.9g" : "%snull", i ? ", " : "", value[i]);
    fprintf(json, "]}");
}

/* Our first method against the best median of the peers: the line and the tally. */
static void judge(const table *t, measure what, int b, int problem, tally *sum) {
    double own[MOST_SEEDS], other[MOST_SEEDS], best = -INFINITY, p = 1, ahead = 0;
    int count = values_of(t, what, 0, b, own), peer = -1;
    /* Problems of one objective are told by how often the optimum is found. */
    for (int k = 0; t->plan->method[k] && count > 0 && t->problem->m > 1; k++) {
        const char *name = t->plan->method[k];
        bool peer_of = strncmp(name, "pagmo-", 6) == 0 || strncmp(name, "peer-", 5) == 0;
        int found = peer_of ? values_of(t, what, k, b, other) : 0;
        if (found == 0 || sum->pairs == MOST_PAIRS)
            continue;
        double middle = gdyn_quantile(other, found, 0.5);
        pair now = {gdyn_rank_test(own, count, other, found, NULL),
                    gdyn_quantile(own, count, 0.5) - middle, problem};
        sum->pair[sum->pairs++] = now;
        if (middle > best)
            best = middle, peer = k, p = now.p, ahead = now.ahead;
    }
    if (peer < 0)
        return;
    const char *word = p >= SIGNIFICANT ? "equal to" : ahead > 0 ? "better than" : "WORSE than";
    *(p >= SIGNIFICANT ? &sum->equal : ahead > 0 ? &sum->better : &sum->worse) += 1;
    printf("  %s: %s is %s %s (p = %.2g)\n", what == VOLUME ? "volume" : "IGD+", t->plan->method[0],
           word, t->plan->method[peer], p);
}

static void report_problem(const suite_plan *plan, int problem, tally (*sum)[MEASURES], FILE *json,
                           bool *first) {
    const suite_problem *p = suite_at(problem);
    table t = {.plan = plan,
               .problem = p,
               .entry = need(MOST_RUNS, sizeof(entry)),
               .reference = need(0, sizeof(double))};
    double value[MOST_SEEDS];
    load(&t);
    if (t.entries > 0)
        measure_all(&t);
    for (int b = 0; plan->budget[b] && t.entries > 0 && !(suite_single(plan, p) && b > 0); b++) {
        printf("%s (%s), %d variables, %d objectives, %ld evaluations", p->name, p->group, p->n,
               p->m, suite_single(plan, p) ? (long)SUITE_SINGLE : plan->budget[b]);
        printf(t.error > 0 ? ", e = %.4f\n" : "\n", t.error);
        for (int k = 0; plan->method[k]; k++) {
            int count = values_of(&t, VOLUME, k, b, value);
            if (count == 0)
                continue;
            print_method(&t, k, b, value, count, json, *first);
            *first = *first && !json;
        }
        judge(&t, VOLUME, b, problem, &sum[b][VOLUME]);
        if (t.fronts > 0)
            judge(&t, DISTANCE, b, problem, &sum[b][DISTANCE]);
        fflush(stdout);
    }
    for (int i = 0; i < t.entries; i++)
        free(t.entry[i].run.f);
    free(t.entry);
    free(t.front);
    free(t.reference);
}

void suite_report(const suite_plan *plan, FILE *json) {
    tally(*sum)[MEASURES] = need(4, sizeof *sum);
    bool first = true;
    if (json)
        fprintf(json, "[");
    for (int i = 0; suite_at(i); i++)
        if (suite_wanted(plan, suite_at(i)))
            report_problem(plan, i, sum, json, &first);
    if (json)
        fprintf(json, "\n]\n");
    for (int b = 0; plan->budget[b]; b++)
        for (int k = 0; k < MEASURES; k++) {
            const tally *all = &sum[b][k];
            printf("%ld evaluations, %s: %s better than the best peer on %d problems, equal on %d, "
                   "worse on %d; Holm: worse on %d, by %g or more on %d\n",
                   plan->budget[b], k == VOLUME ? "volume" : "IGD+", plan->method[0], all->better,
                   all->equal, all->worse, holm_worse(all, 0), PRACTICAL,
                   holm_worse(all, PRACTICAL));
        }
    free(sum);
}
