/* search.c - NSGA-II in steps.
 *
 * The pool has 2N slots; parents and children are lists of slots, so survivors are never copied.
 * One generation: tournaments among the parents -> crossover and mutation -> results -> parents and
 * children sorted into fronts -> the best N survive, the last front thinned by crowding.
 * Order of fronts (Deb 2002, section VI): feasible designs by domination; then designs with a
 * violation, less first; then failed designs, less failure first; equal amounts share a front. */
#include "search/search.h"

#include "base/memory.h"
#include "base/random.h"
#include "search/fronts.h"
#include "search/hypervolume.h"
#include "search/variation.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { GREATEST_POPULATION = 1 << 20, GREATEST_SIZE = 1 << 16 };

struct gdyn_search {
    gdyn_search_options options;
    gdyn_variation variation; /* bounds and integer flags are owned */
    int n, m, N;
    double *x, *f; /* n x (2N + 1), m x 2N: by slot; the last design is a spare */
    double *violation, *failure, *crowding; /* 2N */
    int *front;                             /* 2N */
    long *serial;                           /* 2N */
    bool *told;                             /* 2N */
    int *parent, *child;                    /* N slots each; parents in the order of fronts */
    int parents, children;
    int *pool, *work; /* 2N, 2N */
    double *packed;   /* m x 2N: objectives of the feasible designs of the pool */
    int *first;       /* 2N + 1: where each front begins in the sorted pool */
    gdyn_fronts *fronts;
    gdyn_hypervolume *volume;
    double *reference; /* m */
    bool referenced, fixed_reference;
    double *history; /* stall_window + 1 latest hypervolumes, cyclic */
    int history_count;
    double start_time;
    gdyn_search_info info;
};

gdyn_search_options gdyn_search_default(void) {
    return (gdyn_search_options){.population = 96,
                                 .seed = 1,
                                 .crossover = 0.9,
                                 .crossover_variable = 0.5,
                                 .crossover_eta = 15,
                                 .mutation_eta = 20,
                                 .evaluations = 10000};
}

const char *gdyn_search_stop_text(gdyn_search_stop stop) {
    switch (stop) {
    case GDYN_SEARCH_RUNNING:
        return "still running";
    case GDYN_SEARCH_EVALUATIONS:
        return "all evaluations used";
    case GDYN_SEARCH_GENERATIONS:
        return "all generations done";
    case GDYN_SEARCH_TIME:
        return "time used up";
    case GDYN_SEARCH_STALL:
        return "the hypervolume has stopped growing";
    case GDYN_SEARCH_REQUEST:
        return "stopped by request";
    }
    return "unknown";
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- create ------------------------------------------------------------------------------- */

static bool in_unit(double probability) {
    return probability >= 0 && probability <= 1;
}

static bool arguments_valid(const gdyn_search_problem *p, const gdyn_search_options *o) {
    if (p->variables < 1 || p->variables > GREATEST_SIZE || p->objectives < 1 ||
        p->objectives > GREATEST_SIZE || o->population < 4 || o->population > GREATEST_POPULATION)
        return false;
    if (!in_unit(o->crossover) || !in_unit(o->crossover_variable) || !(o->crossover_eta >= 0) ||
        !(o->mutation_eta >= 0) || !(o->mutation <= 1) || o->stall_window < 0)
        return false;
    for (int j = 0; j < p->variables; j++) {
        double low = p->lower[j], high = p->upper[j];
        if (!isfinite(low) || !isfinite(high) || !isfinite(high - low) || low > high)
            return false;
        if (p->integer && p->integer[j] && ceil(low) > floor(high))
            return false;
        if (p->start && !isfinite(p->start[j]))
            return false;
    }
    for (int j = 0; o->reference && j < p->objectives; j++)
        if (!isfinite(o->reference[j]))
            return false;
    return true;
}

static gdyn_status allocate(gdyn_search *s) {
    size_t n = (size_t)s->n, m = (size_t)s->m, c = 2 * (size_t)s->N;
    double *lower = gdyn_alloc(n, sizeof(double)), *upper = gdyn_alloc(n, sizeof(double));
    bool *integer = gdyn_alloc(n, sizeof(bool));
    s->variation.lower = lower, s->variation.upper = upper, s->variation.integer = integer;
    s->x = gdyn_alloc(n * (c + 1), sizeof *s->x);
    s->f = gdyn_alloc(m * c, sizeof *s->f);
    s->violation = gdyn_alloc(c, sizeof *s->violation);
    s->failure = gdyn_alloc(c, sizeof *s->failure);
    s->crowding = gdyn_alloc(c, sizeof *s->crowding);
    s->front = gdyn_alloc(c, sizeof *s->front);
    s->serial = gdyn_alloc(c, sizeof *s->serial);
    s->told = gdyn_alloc(c, sizeof *s->told);
    s->parent = gdyn_alloc(c / 2, sizeof *s->parent);
    s->child = gdyn_alloc(c / 2, sizeof *s->child);
    s->pool = gdyn_alloc(c, sizeof *s->pool);
    s->work = gdyn_alloc(c, sizeof *s->work);
    s->packed = gdyn_alloc(m * c, sizeof *s->packed);
    s->first = gdyn_alloc(c + 1, sizeof *s->first);
    s->reference = gdyn_alloc(m, sizeof *s->reference);
    s->history = gdyn_alloc((size_t)s->options.stall_window + 1, sizeof *s->history);
    s->fronts = gdyn_fronts_create(2 * s->N, s->m);
    s->volume = gdyn_hypervolume_create(s->N, s->m);
    bool ok = lower && upper && integer && s->x && s->f && s->violation && s->failure &&
              s->crowding && s->front && s->serial && s->told && s->parent && s->child && s->pool &&
              s->work && s->packed && s->first && s->reference && s->history && s->fronts &&
              s->volume;
    return ok ? GDYN_OK : GDYN_ERROR_MEMORY;
}

static void copy_problem(gdyn_search *s, const gdyn_search_problem *p) {
    double *lower = (double *)s->variation.lower, *upper = (double *)s->variation.upper;
    bool *integer = (bool *)s->variation.integer;
    for (int j = 0; j < s->n; j++) {
        integer[j] = p->integer && p->integer[j];
        lower[j] = integer[j] ? ceil(p->lower[j]) : p->lower[j];
        upper[j] = integer[j] ? floor(p->upper[j]) : p->upper[j];
    }
    const gdyn_search_options *o = &s->options;
    s->variation.n = s->n;
    s->variation.crossover = o->crossover;
    s->variation.crossover_variable = o->crossover_variable;
    s->variation.crossover_eta = o->crossover_eta;
    s->variation.mutation = o->mutation;
    s->variation.mutation_eta = o->mutation_eta;
    if (o->reference) {
        memcpy(s->reference, o->reference, (size_t)s->m * sizeof *s->reference);
        s->referenced = s->fixed_reference = true;
    }
    s->options.reference = NULL;
}

/* Where a share 0 <= u < 1 of the range of variable j lies; integers get equal shares. */
static double at_share(const gdyn_search *s, int j, double u) {
    double low = s->variation.lower[j], high = s->variation.upper[j];
    if (s->variation.integer[j])
        return fmin(low + floor(u * (high - low + 1)), high);
    return fmin(low + u * (high - low), high);
}

static void shuffle(int *list, int count, gdyn_random *random) {
    for (int i = count - 1; i > 0; i--) {
        int j = gdyn_random_below(random, i + 1), swap = list[i];
        list[i] = list[j], list[j] = swap;
    }
}

/* First generation: a Latin hypercube (each variable takes every N-th of its range once), with the
 * start design in place of the first one. */
static void first_generation(gdyn_search *s, const double *start) {
    for (int j = 0; j < s->n; j++) {
        gdyn_random random = gdyn_random_stream(s->options.seed, 0, (uint64_t)j);
        for (int i = 0; i < s->N; i++)
            s->work[i] = i;
        shuffle(s->work, s->N, &random);
        for (int i = 0; i < s->N; i++)
            s->x[i * s->n + j] = at_share(s, j, (s->work[i] + gdyn_random_uniform(&random)) / s->N);
        if (start) {
            double value = s->variation.integer[j] ? floor(start[j] + 0.5) : start[j];
            s->x[j] = fmin(fmax(value, s->variation.lower[j]), s->variation.upper[j]);
        }
    }
    for (int i = 0; i < s->N; i++)
        s->child[i] = i;
}

/* Announces the children in s->child: no more than evaluations are left. */
static void announce(gdyn_search *s) {
    long left = s->options.evaluations > 0 ? s->options.evaluations - s->info.evaluations : s->N;
    s->children = left < s->N ? (int)left : s->N;
    for (int i = 0; i < s->children; i++) {
        s->serial[s->child[i]] = s->info.evaluations + i;
        s->told[s->child[i]] = false;
    }
}

gdyn_status gdyn_search_create(const gdyn_search_problem *problem,
                               const gdyn_search_options *options, gdyn_search **out) {
    *out = NULL;
    if (!arguments_valid(problem, options))
        return GDYN_ERROR_ARGUMENT;
    gdyn_search *s = gdyn_alloc(1, sizeof *s);
    if (!s)
        return GDYN_ERROR_MEMORY;
    s->options = *options;
    s->n = problem->variables, s->m = problem->objectives, s->N = options->population;
    s->start_time = now();
    if (allocate(s) != GDYN_OK) {
        gdyn_search_destroy(s);
        return GDYN_ERROR_MEMORY;
    }
    copy_problem(s, problem);
    first_generation(s, problem->start);
    announce(s);
    *out = s;
    return GDYN_OK;
}

void gdyn_search_destroy(gdyn_search *s) {
    if (!s)
        return;
    void *owned[] = {(void *)s->variation.lower,
                     (void *)s->variation.upper,
                     (void *)s->variation.integer,
                     s->x,
                     s->f,
                     s->violation,
                     s->failure,
                     s->crowding,
                     s->front,
                     s->serial,
                     s->told,
                     s->parent,
                     s->child,
                     s->pool,
                     s->work,
                     s->packed,
                     s->first,
                     s->reference,
                     s->history};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        gdyn_free(owned[i]);
    gdyn_fronts_destroy(s->fronts);
    gdyn_hypervolume_destroy(s->volume);
    gdyn_free(s);
}

/* --- ask and tell ------------------------------------------------------------------------- */

int gdyn_search_ask(const gdyn_search *s) {
    return s->children;
}

const double *gdyn_search_design(const gdyn_search *s, int i) {
    return s->x + (size_t)s->child[i] * (size_t)s->n;
}

long gdyn_search_serial(const gdyn_search *s, int i) {
    return s->serial[s->child[i]];
}

void gdyn_search_tell(gdyn_search *s, int i, const gdyn_search_outcome *outcome) {
    int slot = s->child[i];
    double *f = s->f + (size_t)slot * (size_t)s->m;
    double failure = outcome->failure > 0 ? outcome->failure : 0;
    double violation = outcome->violation > 0 ? outcome->violation : 0;
    if (isnan(outcome->failure) || !isfinite(outcome->violation))
        failure = INFINITY;
    for (int j = 0; failure == 0 && j < s->m; j++)
        if (!isfinite(outcome->objective[j]))
            failure = INFINITY;
    for (int j = 0; j < s->m; j++)
        f[j] = failure == 0 ? outcome->objective[j] + 0.0 : 0; /* + 0.0: no negative zero */
    s->failure[slot] = failure;
    s->violation[slot] = failure == 0 ? violation : 0;
    s->told[slot] = true;
}

/* --- selection ---------------------------------------------------------------------------- */

static bool feasible(const gdyn_search *s, int slot) {
    return s->failure[slot] == 0 && s->violation[slot] == 0;
}

/* Less failure comes first, then less violation. */
static int compare_amounts(const gdyn_search *s, int a, int b) {
    if (s->failure[a] != s->failure[b])
        return s->failure[a] < s->failure[b] ? -1 : 1;
    if (s->violation[a] != s->violation[b])
        return s->violation[a] < s->violation[b] ? -1 : 1;
    return 0;
}

/* Stable merge sort of slots by their amounts. */
static void order_infeasible(const gdyn_search *s, int count, int *slot, int *scratch) {
    for (int width = 1; width < count; width *= 2) {
        for (int start = 0; start < count; start += 2 * width) {
            int middle = start + width < count ? start + width : count;
            int end = middle + width < count ? middle + width : count;
            int a = start, b = middle;
            for (int k = start; k < end; k++)
                scratch[k] = a < middle && (b >= end || compare_amounts(s, slot[a], slot[b]) <= 0)
                                 ? slot[a++]
                                 : slot[b++];
        }
        memcpy(slot, scratch, (size_t)count * sizeof *slot);
    }
}

/* Splits the pool into feasible designs (their objectives are packed) and the others behind them;
 * returns the number of feasible ones. */
static int split_pool(gdyn_search *s, int count) {
    size_t m = (size_t)s->m;
    int good = 0, bad = 0;
    for (int i = 0; i < count; i++) {
        int slot = s->pool[i];
        if (feasible(s, slot)) {
            memcpy(s->packed + (size_t)good * m, s->f + (size_t)slot * m, m * sizeof *s->f);
            s->pool[good++] = slot;
        } else {
            s->work[bad++] = slot;
        }
    }
    memcpy(s->pool + good, s->work, (size_t)bad * sizeof *s->pool);
    return good;
}

/* Gives every slot of the pool its front and orders the pool by fronts; front k is then
 * pool[first[k] .. first[k + 1]). Returns the number of fronts. */
static int sort_pool(gdyn_search *s, int count) {
    int *list = s->pool, *work = s->work;
    int good = split_pool(s, count);
    int fronts = gdyn_fronts_sort(s->fronts, s->packed, good, work);
    for (int i = 0; i < good; i++)
        s->front[list[i]] = work[i];
    order_infeasible(s, count - good, list + good, work);
    for (int i = good; i < count; i++) {
        bool equal = i > good && compare_amounts(s, list[i - 1], list[i]) == 0;
        s->front[list[i]] = equal ? fronts - 1 : fronts++;
    }
    memset(s->first, 0, ((size_t)fronts + 1) * sizeof *s->first);
    for (int i = 0; i < count; i++)
        s->first[s->front[list[i]] + 1]++;
    for (int k = 0; k < fronts; k++)
        s->first[k + 1] += s->first[k];
    memcpy(work, list, (size_t)count * sizeof *list);
    for (int i = count - 1; i >= 0; i--) /* backwards: the ends move to the beginnings */
        list[--s->first[s->front[work[i]] + 1]] = work[i];
    for (int k = 0; k < fronts; k++)
        s->first[k] = s->first[k + 1];
    s->first[fronts] = count;
    return fronts;
}

/* The best N of the pool become the parents, front by front; the others are free for children. */
static void select_survivors(gdyn_search *s, int count) {
    int fronts = sort_pool(s, count), wanted = count < s->N ? count : s->N;
    for (int k = 0; k < fronts && s->first[k] < wanted; k++) {
        int from = s->first[k], size = s->first[k + 1] - from;
        int keep = size < wanted - from ? size : wanted - from;
        gdyn_fronts_thin(s->fronts, s->f, size, s->pool + from, keep, s->crowding);
    }
    s->parents = wanted;
    memcpy(s->parent, s->pool, (size_t)wanted * sizeof *s->parent);
}

/* --- breeding ----------------------------------------------------------------------------- */

static bool beats(const gdyn_search *s, int a, int b) {
    if (s->front[a] != s->front[b])
        return s->front[a] < s->front[b];
    return s->crowding[a] > s->crowding[b];
}

/* Tournament winners into pool[0..N): every parent meets two others, in two shuffled rounds. */
static void tournaments(gdyn_search *s) {
    gdyn_random random =
        gdyn_random_stream(s->options.seed, (uint64_t)s->info.generation, UINT64_MAX);
    int winners = 0;
    while (winners < s->N) {
        for (int i = 0; i < s->parents; i++)
            s->work[i] = s->parent[i];
        shuffle(s->work, s->parents, &random);
        for (int i = 0; i + 1 < s->parents && winners < s->N; i += 2) {
            int a = s->work[i], b = s->work[i + 1];
            s->pool[winners++] = beats(s, b, a) ? b : a;
        }
    }
}

static bool same_design(const gdyn_search *s, const double *a, const double *b) {
    return memcmp(a, b, (size_t)s->n * sizeof *a) == 0;
}

/* A child equal to one of its parents would waste an evaluation. */
static void finish_child(gdyn_search *s, gdyn_random *random, const double *mother,
                         const double *father, double *x) {
    gdyn_variation_mutate(&s->variation, random, x);
    if (same_design(s, x, mother) || same_design(s, x, father))
        gdyn_variation_disturb(&s->variation, random, x);
}

static void free_slots(gdyn_search *s) {
    memset(s->told, 0, 2 * (size_t)s->N * sizeof *s->told);
    for (int i = 0; i < s->parents; i++)
        s->told[s->parent[i]] = true;
    for (int slot = 0, i = 0; i < s->N; slot++)
        if (!s->told[slot])
            s->child[i++] = slot;
}

static void breed(gdyn_search *s) {
    uint64_t seed = s->options.seed, generation = (uint64_t)s->info.generation;
    free_slots(s);
    tournaments(s);
    double *spare = s->x + 2 * (size_t)s->N * (size_t)s->n; /* last pair's second child, N odd */
    for (int i = 0; i < s->N; i += 2) {
        bool pair = i + 1 < s->N;
        const double *a = s->x + (size_t)s->pool[i] * (size_t)s->n;
        const double *b = s->x + (size_t)s->pool[pair ? i + 1 : 0] * (size_t)s->n;
        double *c = s->x + (size_t)s->child[i] * (size_t)s->n;
        double *d = pair ? s->x + (size_t)s->child[i + 1] * (size_t)s->n : spare;
        gdyn_random first = gdyn_random_stream(seed, generation, (uint64_t)i);
        gdyn_variation_cross(&s->variation, &first, a, b, c, d);
        finish_child(s, &first, a, b, c);
        if (pair) {
            gdyn_random second = gdyn_random_stream(seed, generation, (uint64_t)i + 1);
            finish_child(s, &second, a, b, d);
        }
    }
}

/* --- state, stopping ---------------------------------------------------------------------- */

/* Sets or widens the reference so that the front lies inside; true when it moved. */
static bool move_reference(gdyn_search *s, const double *F, int count) {
    bool moved = false;
    for (int j = 0; j < s->m; j++) {
        double least = INFINITY, greatest = -INFINITY;
        for (int i = 0; i < count; i++) {
            least = fmin(least, F[i * s->m + j]);
            greatest = fmax(greatest, F[i * s->m + j]);
        }
        if (s->referenced && greatest < s->reference[j])
            continue;
        double range = greatest - least;
        s->reference[j] = greatest + (range > 0 ? 0.1 * range : fmax(1e-3 * fabs(greatest), 1e-12));
        moved = true;
    }
    s->referenced = true;
    return moved;
}

/* Remembers the hypervolume; true when it grew too little over the window. */
static bool stalled(gdyn_search *s) {
    int window = s->options.stall_window;
    if (window <= 0 || s->info.feasible == 0)
        return false;
    s->history[s->history_count++ % (window + 1)] = s->info.hypervolume;
    if (s->history_count < window + 1)
        return false;
    double old = s->history[s->history_count % (window + 1)];
    return s->info.hypervolume - old <= s->options.stall_tolerance * s->info.hypervolume;
}

static void summarize(gdyn_search *s) {
    gdyn_search_info *info = &s->info;
    info->population = s->parents;
    info->feasible = info->failed = info->front = 0;
    for (int i = 0; i < s->parents; i++) {
        int slot = s->parent[i];
        info->failed += s->failure[slot] > 0;
        if (!feasible(s, slot))
            continue;
        info->feasible++;
        if (s->front[slot] == 0)
            memcpy(s->packed + (size_t)info->front++ * (size_t)s->m,
                   s->f + (size_t)slot * (size_t)s->m, (size_t)s->m * sizeof *s->f);
    }
    if (info->feasible > 0) {
        if (!s->fixed_reference && move_reference(s, s->packed, info->front))
            s->history_count = 0; /* volumes against another reference cannot be compared */
        info->hypervolume = gdyn_hypervolume_of(s->volume, s->packed, info->front, s->reference);
    }
    info->reference = s->referenced ? s->reference : NULL;
    info->seconds = now() - s->start_time;
}

static gdyn_search_stop stopping(gdyn_search *s) {
    const gdyn_search_options *o = &s->options;
    bool stall = stalled(s);
    if (o->evaluations > 0 && s->info.evaluations >= o->evaluations)
        return GDYN_SEARCH_EVALUATIONS;
    if (o->generations > 0 && s->info.generation >= o->generations)
        return GDYN_SEARCH_GENERATIONS;
    if (o->time > 0 && s->info.seconds >= o->time)
        return GDYN_SEARCH_TIME;
    return stall ? GDYN_SEARCH_STALL : GDYN_SEARCH_RUNNING;
}

gdyn_status gdyn_search_advance(gdyn_search *s) {
    if (s->info.stop != GDYN_SEARCH_RUNNING)
        return GDYN_OK;
    for (int i = 0; i < s->children; i++)
        if (!s->told[s->child[i]])
            return GDYN_ERROR_ARGUMENT;
    memcpy(s->pool, s->parent, (size_t)s->parents * sizeof *s->pool);
    memcpy(s->pool + s->parents, s->child, (size_t)s->children * sizeof *s->pool);
    s->info.evaluations += s->children;
    s->info.generation++;
    select_survivors(s, s->parents + s->children);
    summarize(s);
    s->info.stop = stopping(s);
    s->children = 0;
    if (s->info.stop == GDYN_SEARCH_RUNNING) {
        breed(s);
        announce(s);
    }
    return GDYN_OK;
}

void gdyn_search_end(gdyn_search *s) {
    if (s->info.stop == GDYN_SEARCH_RUNNING)
        s->info.stop = GDYN_SEARCH_REQUEST;
    s->children = 0;
}

int gdyn_search_objectives(const gdyn_search *s) {
    return s->m;
}

gdyn_search_info gdyn_search_state(const gdyn_search *s) {
    return s->info;
}

gdyn_search_member gdyn_search_population(const gdyn_search *s, int i) {
    int slot = s->parent[i];
    return (gdyn_search_member){.x = s->x + (size_t)slot * (size_t)s->n,
                                .f = s->f + (size_t)slot * (size_t)s->m,
                                .violation = s->violation[slot],
                                .failure = s->failure[slot],
                                .front = s->front[slot],
                                .crowding = s->crowding[slot],
                                .serial = s->serial[slot]};
}
