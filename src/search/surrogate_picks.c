/* surrogate_picks.c - candidates, their expected gain, and the batch that is taken of them. */
#include "search/method.h"

#include "base/memory.h"
#include "base/pi.h"

#include <math.h>
#include <string.h>

/* Candidates: spread over the box, bred from the front, then twice as many again near the best of
 * those before. */
enum {
    SPREAD = 200,
    BRED = 300,
    NEAR = 150,
    ROUNDS = 3,
    BELIEVED = 64, /* designs that wait for results, the latest of them */
    CANDIDATES = BELIEVED + SPREAD + BRED + ROUNDS * NEAR
};
enum { PARENTS = 8, TRIES = 8, BOXES = 4000 };
/* A number that differs by less of its range is the same design; steps of mutations are drawn about
 * these shares. */
static const double SAME = 1e-9, STEPS[] = {20, 100, 1000}, CROSSOVER = 0.9;
static const double LEAST_GAIN = 1e-300;
/* Share of noise in the variance above which the front is that of the means. */
static const double NOISY = 1e-3;

static int models_of(const gdyn_surrogate *e) {
    return e->m + e->limits;
}

gdyn_status gdyn_surrogate_picks_create(gdyn_arena *arena, gdyn_surrogate *e, int n,
                                        int population) {
    size_t models = (size_t)models_of(e) * CANDIDATES;
    e->design = gdyn_arena_doubles(arena, (size_t)n * CANDIDATES);
    e->u = gdyn_arena_doubles(arena, (size_t)(e->free + 1) * CANDIDATES);
    e->mean = gdyn_arena_doubles(arena, models);
    e->variance = gdyn_arena_doubles(arena, models);
    e->V = gdyn_arena_room(arena, models * (size_t)e->most, sizeof *e->V);
    e->covary = gdyn_arena_doubles(arena, CANDIDATES);
    e->score = gdyn_arena_doubles(arena, CANDIDATES);
    e->known = gdyn_arena_doubles(arena, 2 * (size_t)e->m);
    e->taken = gdyn_arena_alloc(arena, CANDIDATES, sizeof *e->taken);
    e->boxes = gdyn_boxes_create(arena, e->m, population + e->batch + BELIEVED, BOXES);
    return gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

/* --- predictions ---------------------------------------------------------------------------- */

static gdyn_gauss *model(const gdyn_surrogate *e, int k) {
    if (k < e->m)
        return e->aimed ? e->target[k] : NULL;
    return e->limit[k - e->m].used ? e->limit[k - e->m].gauss : NULL;
}

static double *part_of(const gdyn_surrogate *e, int k) {
    return e->V + (size_t)k * CANDIDATES * (size_t)e->most;
}

/* log of the normal distribution, also far out where it vanishes. */
static double log_normal(double z) {
    if (z > -30)
        return log(0.5 * erfc(-z / sqrt(2)));
    return -0.5 * z * z - log(-z * sqrt(2 * GDYN_PI));
}

/* Logarithm of expected gain times the probability that every limit is kept. */
static double score(gdyn_surrogate *e, int i) {
    double sum = 0;
    for (int k = e->m; k < models_of(e); k++)
        if (model(e, k)) {
            size_t at = (size_t)k * CANDIDATES + (size_t)i;
            double variance = e->variance[at] + model(e, k)->noise * model(e, k)->scale;
            sum += log_normal(-e->mean[at] / sqrt(fmax(variance, LEAST_GAIN)));
        }
    if (!e->gaining)
        return sum;
    for (int k = 0; k < e->m; k++) {
        size_t at = (size_t)k * CANDIDATES + (size_t)i;
        gdyn_warp_moments(e->power[k], e->mean[at], sqrt(e->variance[at]), &e->known[k],
                          &e->known[e->m + k]);
    }
    double gain = gdyn_boxes_gain(e->boxes, e->known, e->known + e->m);
    return sum + log(fmax(gain, LEAST_GAIN));
}

/* Predicts and scores the candidates from `from` on; all models lay out V from their own part. */
static void assess(gdyn_surrogate *e, int from) {
    int count = e->candidates - from;
    const double *u = e->u + (size_t)from * (size_t)e->free;
    for (int k = 0; k < models_of(e); k++)
        if (model(e, k)) {
            size_t at = (size_t)k * CANDIDATES + (size_t)from;
            gdyn_gauss_predict(model(e, k), count, u, e->mean + at, e->variance + at,
                               part_of(e, k) + (size_t)from * (size_t)model(e, k)->count);
        }
    for (int i = from; i < e->candidates; i++)
        e->score[i] = score(e, i);
}

/* --- candidates ----------------------------------------------------------------------------- */

static bool same(const gdyn_surrogate *e, const double *a, const double *b) {
    for (int j = 0; j < e->free; j++)
        if (fabs(a[j] - b[j]) > SAME)
            return false;
    return true;
}

/* Not evaluated yet, and not a candidate. */
static bool is_new(const gdyn_surrogate *e, const double *u) {
    size_t free = (size_t)e->free;
    for (int i = 0; i < e->results.count; i++)
        if (same(e, e->results.u + (size_t)i * free, u))
            return false;
    for (int i = 0; i < e->candidates; i++)
        if (same(e, e->u + (size_t)i * free, u))
            return false;
    return true;
}

/* Crosses most pairs, mutates every other variable or so, with steps of several sizes. */
static gdyn_variation variation_of(const gdyn_search *s, gdyn_random *random) {
    gdyn_variation v = s->variation;
    v.crossover = CROSSOVER, v.crossover_variable = 0.5, v.crossover_eta = STEPS[0];
    v.mutation = fmax(1.0 / s->n, 0.5);
    v.mutation_eta = STEPS[gdyn_random_below(random, (int)(sizeof STEPS / sizeof *STEPS))];
    return v;
}

/* Takes the design into the candidates, disturbed until it is a new one; false: it never was. */
static bool propose(gdyn_search *s, gdyn_random *random) {
    gdyn_surrogate *e = s->engine;
    double *x = e->design + (size_t)e->candidates * (size_t)s->n;
    double *u = e->u + (size_t)e->candidates * (size_t)e->free;
    for (int tried = 0; tried < TRIES; tried++) {
        /* back into the trust region */
        for (int k = 0; e->local && k < e->free - e->names; k++) {
            int j = e->variable[k];
            double low = s->variation.lower[j], range = s->variation.upper[j] - low;
            double at = (x[j] - low) / range, centre = e->centre[k];
            at = fmin(fmax(at, centre - e->radius), centre + e->radius);
            x[j] = gdyn_variation_settle(&s->variation, j, low + at * range);
        }
        gdyn_surrogate_unit(s, x, u);
        if (is_new(e, u)) {
            e->taken[e->candidates++] = false;
            return true;
        }
        gdyn_variation v = variation_of(s, random);
        gdyn_variation_disturb(&v, random, x);
    }
    return false;
}

static double *next(const gdyn_search *s) {
    const gdyn_surrogate *e = s->engine;
    return e->design + (size_t)e->candidates * (size_t)s->n;
}

static void spread(gdyn_search *s, gdyn_random *random) {
    for (int i = 0; i < SPREAD; i++) {
        double *x = next(s);
        for (int j = 0; j < s->n; j++) {
            gdyn_range range = gdyn_variation_range(&s->variation, j);
            x[j] = gdyn_variation_settle(&s->variation, j,
                                         gdyn_random_between(random, range.low, range.high));
        }
        propose(s, random);
    }
}

/* Children of the front, or of the best designs while nothing is feasible. */
static void breed(gdyn_search *s, gdyn_random *random) {
    int parents = s->info.front > 0 ? s->info.front : s->parents;
    if (gdyn_aim_known(s))
        parents = gdyn_aim_parents(s);
    if (s->info.front == 0 && parents > PARENTS)
        parents = PARENTS;
    double *other = gdyn_slot_x(s, s->capacity);
    for (int i = 0; i < BRED; i++) {
        const double *a = gdyn_slot_x(s, s->parent[gdyn_random_below(random, parents)]);
        const double *b = gdyn_slot_x(s, s->parent[gdyn_random_below(random, parents)]);
        gdyn_variation v = variation_of(s, random);
        gdyn_variation_cross(&v, random, a, b, next(s), other);
        gdyn_variation_mutate(&v, random, next(s));
        propose(s, random);
    }
}

static int best_of(const gdyn_surrogate *e, int count) {
    int best = -1;
    for (int i = 0; i < count; i++)
        if (!e->taken[i] && (best < 0 || e->score[i] > e->score[best]))
            best = i;
    return best;
}

/* Mutations of the best candidates so far. */
static void refine(gdyn_search *s, gdyn_random *random) {
    gdyn_surrogate *e = s->engine;
    int parent[PARENTS], parents = 0, count = e->candidates;
    for (int i; parents < PARENTS && (i = best_of(e, count)) >= 0; parents++)
        parent[parents] = i, e->taken[i] = true;
    for (int i = 0; i < parents; i++)
        e->taken[parent[i]] = false;
    for (int i = 0; parents > 0 && i < NEAR; i++) {
        const double *x = e->design + (size_t)parent[i % parents] * (size_t)s->n;
        memcpy(next(s), x, (size_t)s->n * sizeof *x);
        gdyn_variation v = variation_of(s, random);
        gdyn_variation_mutate(&v, random, next(s));
        propose(s, random);
    }
}

/* --- the batch ------------------------------------------------------------------------------ */

/* The space above the front that can be gained. */
static void lay_boxes(gdyn_search *s, gdyn_surrogate *e) {
    e->gaining = e->aimed && s->info.front > 0;
    for (int k = 0; k < e->m; k++)
        e->known[k] = gdyn_surrogate_scaled(e, k, e->corner[k]);
    gdyn_boxes_clear(e->boxes, e->known);
    bool room = true;
    for (int i = 0; e->gaining && room && i < s->info.front; i++) {
        gdyn_surrogate_unit(s, gdyn_slot_x(s, s->parent[i]), e->u);
        for (int k = 0; k < e->m; k++) {
            e->known[k] = gdyn_surrogate_scaled(e, k, gdyn_slot_f(s, s->parent[i])[k]);
            if (model(e, k)->noise < NOISY)
                continue;
            /* what noise adds to the value of a member is no merit */
            gdyn_gauss_predict(model(e, k), 1, e->u, e->mean, e->variance, part_of(e, k));
            gdyn_warp_moments(e->power[k], e->mean[0], 0, &e->known[k], &e->known[e->m + k]);
        }
        room = gdyn_boxes_add(e->boxes, e->known);
    }
}

/* Believes that candidate `one` comes out at its means: less is unknown of those near it, and less
 * can be gained. */
static void believe(gdyn_surrogate *e, int one) {
    e->taken[one] = true;
    for (int k = 0; k < models_of(e); k++) {
        gdyn_gauss *g = model(e, k);
        if (!g)
            continue;
        double *variance = e->variance + (size_t)k * CANDIDATES;
        double own = fmax(variance[one] + g->noise * g->scale, LEAST_GAIN);
        gdyn_gauss_covariance(g, one, e->candidates, e->u, part_of(e, k), e->covary);
        for (int i = 0; i < e->candidates; i++)
            variance[i] = fmax(variance[i] - e->covary[i] * e->covary[i] / own, 0);
    }
    for (int k = 0; e->gaining && k < e->m; k++)
        gdyn_warp_moments(e->power[k], e->mean[(size_t)k * CANDIDATES + (size_t)one], 0,
                          &e->known[k], &e->known[e->m + k]);
    if (e->gaining)
        gdyn_boxes_add(e->boxes, e->known);
}

/* The best candidate, scored again after those taken before it: gains only become less, so that the
 * first that stays the best is the best. */
static int take(gdyn_surrogate *e) {
    for (;;) {
        int i = best_of(e, e->candidates);
        if (i < 0)
            return -1;
        double before = e->score[i];
        e->score[i] = score(e, i);
        if (e->score[i] >= before || best_of(e, e->candidates) == i)
            return i;
    }
}

/* Designs that wait for results are the first candidates; returns how many. */
static int propose_waiting(gdyn_search *s) {
    gdyn_surrogate *e = s->engine;
    int count = s->waiting_count < BELIEVED ? s->waiting_count : BELIEVED;
    for (int i = s->waiting_count - count; i < s->waiting_count; i++) {
        const double *x = gdyn_slot_x(s, s->waiting[i]);
        memcpy(next(s), x, (size_t)s->n * sizeof *x);
        gdyn_surrogate_unit(s, x, e->u + (size_t)e->candidates * (size_t)e->free);
        e->taken[e->candidates++] = true;
    }
    return count;
}

int gdyn_surrogate_pick(gdyn_search *s) {
    gdyn_surrogate *e = s->engine;
    gdyn_random random = gdyn_random_stream(s->options.seed, (uint64_t)s->info.generation, 0);
    e->candidates = 0;
    lay_boxes(s, e);
    int waiting = propose_waiting(s);
    spread(s, &random);
    breed(s, &random);
    assess(e, 0);
    for (int k = 0; k < ROUNDS; k++) {
        int from = e->candidates;
        refine(s, &random);
        assess(e, from);
    }
    for (int i = 0; i < waiting; i++)
        believe(e, i);
    /* One after the other. */
    int count = 0;
    for (int i; count < e->batch && (i = take(e)) >= 0; count++) {
        memcpy(gdyn_slot_x(s, s->child[count]), e->design + (size_t)i * (size_t)s->n,
               (size_t)s->n * sizeof *e->design);
        believe(e, i);
    }
    return count;
}
