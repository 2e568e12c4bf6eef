/* create.c - arguments, memory and first designs of a search. */
#include "search/method.h"

#include "base/clock.h"
#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <string.h>

enum { GREATEST_POPULATION = 1 << 20, GREATEST_SIZE = 1 << 16, GREATEST_LAG = 1024 };
static const double USUAL_REGION = 0.1;

/* Comparisons are such that NaN is refused. */
static bool options_valid(const gdyn_search_options *o) {
    return o->population >= 4 && o->population <= GREATEST_POPULATION && o->crossover <= 1 &&
           o->crossover_variable >= 0 && o->crossover_variable <= 1 &&
           o->crossover_eta < INFINITY && o->mutation_eta < INFINITY && o->mutation <= 1 &&
           o->weight <= 2 && o->rate <= 1 && o->divisions >= 0 && o->points >= 0 &&
           o->points <= GREATEST_POPULATION && o->tolerance < 1 && o->stall_window >= 0 &&
           o->batch >= 0 && o->batch <= GREATEST_POPULATION && o->lag >= 0 &&
           o->lag <= GREATEST_LAG && o->region >= 0 && o->region <= 1;
}

static bool variable_valid(const gdyn_search_problem *p, int j) {
    /* Whole and categorical variables need a whole number between their bounds. */
    double low = p->lower[j], high = p->upper[j];
    bool whole = (p->integer && p->integer[j]) || (p->categorical && p->categorical[j]);
    if (p->categorical && p->categorical[j] && !(high - low < GREATEST_SIZE))
        return false;
    return isfinite(low) && isfinite(high) && isfinite(high - low) && low <= high &&
           (!whole || ceil(low) <= floor(high));
}

static bool arguments_valid(const gdyn_search_problem *p, const gdyn_search_options *o) {
    /* Sizes are limited so that products of them do not overflow. */
    if (p->variables < 1 || p->variables > GREATEST_SIZE || p->objectives < 1 ||
        p->objectives > GREATEST_SIZE || p->starts < 0 || p->constraints < 0 ||
        p->constraints > GREATEST_SIZE || !options_valid(o))
        return false;
    for (int j = 0; j < p->variables; j++)
        if (!variable_valid(p, j))
            return false;
    for (int j = 0; p->equality && j < p->constraints; j++)
        if (!(p->equality[j] >= 0 && isfinite(p->equality[j])))
            return false;
    if ((p->start &&
         !gdyn_all_finite(p->variables, p->starts > 0 ? p->starts : 1, p->start, p->variables)) ||
        (o->reference && !gdyn_all_finite(p->objectives, 1, o->reference, p->objectives)))
        return false;
    /* One objective has no compromises to choose from. */
    if (o->aim && (p->objectives < 2 || !gdyn_search_method_uses(o->method, GDYN_SEARCH_REGION) ||
                   !gdyn_all_finite(p->objectives, 1, o->aim, p->objectives)))
        return false;
    return !o->level ||
           (p->objectives == 2 && o->method == GDYN_SEARCH_EPSILON_CONSTRAINT &&
            o->level_count >= 1 && o->level_count <= GREATEST_SIZE && o->limited >= 0 &&
            o->limited <= 1 && gdyn_all_finite(o->level_count, 1, o->level, o->level_count));
}

static gdyn_status allocate(gdyn_search *s) {
    gdyn_arena *a = s->arena;
    size_t n = (size_t)s->n, m = (size_t)s->m, c = (size_t)s->capacity;
    /* Slots: population and children, one more for scratch. */
    s->x = gdyn_arena_doubles(a, n * (c + 1)), s->f = gdyn_arena_doubles(a, m * c);
    s->g = gdyn_arena_doubles(a, (size_t)s->constraints * c + 1);
    s->detailed = gdyn_arena_alloc(a, c, sizeof *s->detailed);
    s->violation = gdyn_arena_doubles(a, c), s->failure = gdyn_arena_doubles(a, c);
    s->crowding = gdyn_arena_doubles(a, c);
    s->front = gdyn_arena_alloc(a, c, sizeof *s->front);
    s->serial = gdyn_arena_alloc(a, c, sizeof *s->serial);
    s->base = gdyn_arena_alloc(a, c, sizeof *s->base);
    s->apart = gdyn_arena_alloc(a, c, sizeof *s->apart);
    s->received = gdyn_arena_alloc(a, c, sizeof *s->received);
    /* Lists of slots, packed objectives, histories. */
    s->parent = gdyn_arena_alloc(a, (size_t)s->N, sizeof *s->parent);
    s->child = gdyn_arena_alloc(a, (size_t)s->room, sizeof *s->child);
    s->waiting = gdyn_arena_alloc(a, c, sizeof *s->waiting);
    s->batch = gdyn_arena_alloc(a, (size_t)s->options.lag + 1, sizeof *s->batch);
    s->pool = gdyn_arena_alloc(a, c, sizeof *s->pool);
    s->work = gdyn_arena_alloc(a, c, sizeof *s->work);
    s->packed = gdyn_arena_doubles(a, m * c);
    s->first = gdyn_arena_alloc(a, c + 1, sizeof *s->first);
    s->history = gdyn_arena_doubles(a, (size_t)s->options.stall_window + 1);
    s->fronts = gdyn_fronts_create(s->capacity, s->m);
    s->volume = gdyn_hypervolume_create(s->N, s->m);
    return !gdyn_arena_failed(a) && s->fronts && s->volume ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* What the caller states, else the method's own, else the usual. */
static double stated(double option, double own, double usual) {
    return option >= 0 ? option : own > 0 ? own : usual;
}

/* The reference, the aim and the levels that the caller states. */
static gdyn_status copy_wishes(gdyn_search *s) {
    const gdyn_search_options *o = &s->options;
    /* A stated reference never moves. */
    if (o->reference) {
        memcpy(s->reference, o->reference, (size_t)s->m * sizeof *s->reference);
        s->referenced = s->fixed_reference = true;
    }
    s->options.reference = NULL;
    if (o->aim) {
        double width = o->region > 0 ? o->region : USUAL_REGION;
        s->aim = gdyn_aim_create(s->arena, s->m, o->aim, width);
        if (!s->aim)
            return GDYN_ERROR_MEMORY;
    }
    s->options.aim = NULL;
    if (o->level)
        memcpy(s->level, o->level, (size_t)o->level_count * sizeof *s->level);
    s->options.level = o->level ? s->level : NULL;
    return GDYN_OK;
}

/* Bounds and kinds of the variables, the reference; everything that the method's hooks may read. */
static gdyn_status copy_problem(gdyn_search *s, const gdyn_search_problem *p) {
    size_t n = (size_t)s->n;
    const gdyn_search_options *o = &s->options;
    double *bounds = gdyn_arena_doubles(s->arena, 2 * n);
    bool *kinds = gdyn_arena_alloc(s->arena, 2 * n, sizeof *kinds);
    s->reference = gdyn_arena_doubles(s->arena, (size_t)s->m);
    s->equality = gdyn_arena_doubles(s->arena, (size_t)s->constraints + 1);
    s->size = gdyn_arena_doubles(s->arena, (size_t)s->constraints + 1);
    s->level = gdyn_arena_doubles(s->arena, o->level ? (size_t)o->level_count : 0);
    s->level_state =
        gdyn_arena_alloc(s->arena, o->level ? (size_t)o->level_count : 0, sizeof *s->level_state);
    if (gdyn_arena_failed(s->arena))
        return GDYN_ERROR_MEMORY;
    /* Whole variables get whole bounds; categories are whole numbers. */
    for (size_t j = 0; j < n; j++) {
        bool categorical = p->categorical && p->categorical[j];
        bool whole = categorical || (p->integer && p->integer[j]);
        kinds[j] = whole, kinds[n + j] = categorical;
        bounds[j] = whole ? ceil(p->lower[j]) : p->lower[j];
        bounds[n + j] = whole ? floor(p->upper[j]) : p->upper[j];
        if (bounds[n + j] > bounds[j])
            s->free++, s->whole += whole, s->names += categorical;
    }
    for (int j = 0; p->equality && j < s->constraints; j++)
        s->equality[j] = p->equality[j];
    /* Rates of variation: the caller's, else the method's. */
    const gdyn_method *own = s->method;
    s->variation =
        (gdyn_variation){.n = s->n,
                         .lower = bounds,
                         .upper = bounds + n,
                         .integer = kinds,
                         .categorical = kinds + n,
                         .crossover = stated(o->crossover, own->crossover, 0.9),
                         .crossover_variable = o->crossover_variable,
                         .crossover_eta = stated(o->crossover_eta, own->crossover_eta, 15),
                         .mutation = o->mutation,
                         .mutation_eta = stated(o->mutation_eta, 0, 20)};
    return copy_wishes(s);
}

/* --- first designs ------------------------------------------------------------------------ */

void gdyn_shuffle(int *list, int count, gdyn_random *random) {
    for (int i = count - 1; i > 0; i--) {
        int j = gdyn_random_below(random, i + 1), swap = list[i];
        list[i] = list[j], list[j] = swap;
    }
}

void gdyn_search_leap(const gdyn_search *s, long number, double *x) {
    const gdyn_variation *v = &s->variation;
    gdyn_random random =
        gdyn_random_stream(s->options.seed, (uint64_t)(number / 2), UINT64_MAX - 2);
    for (int j = 0; j < s->n; j++) {
        double u = gdyn_random_uniform(&random);
        if (!v->integer[j])
            x[j] = v->lower[j] + (number % 2 ? 1 - u : u) * (v->upper[j] - v->lower[j]);
    }
}

/* A Latin hypercube in the slots child[0 .. count): each variable takes every count-th of its range
 * once. */
static void latin_hypercube(gdyn_search *s, int count) {
    /* A stream of random numbers for each variable: more variables do not change the others. */
    for (int j = 0; j < s->n; j++) {
        gdyn_random random = gdyn_random_stream(s->options.seed, 0, (uint64_t)j);
        for (int i = 0; i < count; i++)
            s->work[i] = i;
        gdyn_shuffle(s->work, count, &random);
        for (int i = 0; i < count; i++)
            gdyn_slot_x(s, s->child[i])[j] =
                gdyn_at_share(s->variation.lower[j], s->variation.upper[j], s->variation.integer[j],
                              (s->work[i] + gdyn_random_uniform(&random)) / count);
    }
}

/* --- create, destroy ---------------------------------------------------------------------- */

static gdyn_status build(gdyn_search *s, const gdyn_search_problem *problem) {
    int starts = problem->start ? (problem->starts > 0 ? problem->starts : 1) : 0;
    gdyn_status status = copy_problem(s, problem);
    if (status != GDYN_OK)
        return status;
    /* The method says how many children it needs room for, and may say how many come first. */
    s->room = s->method->room ? s->method->room(s) : s->N;
    s->initial = s->N < s->room ? s->N : s->room;
    s->room = s->room < starts ? starts : s->room;
    s->capacity = 2 * s->N + s->room * (s->options.lag + 1);
    status = allocate(s);
    for (int i = 0; status == GDYN_OK && i < s->room; i++)
        s->child[i] = i, s->base[i] = -1;
    if (status == GDYN_OK && s->method->create)
        status = s->method->create(s);
    if (status != GDYN_OK)
        return status;
    latin_hypercube(s, s->initial);
    /* The start designs in place of the first ones of the batch, rounded and clipped; of the batch
     * as a whole where there are more of them. */
    for (int i = 0; i < starts; i++)
        for (int j = 0; j < s->n; j++)
            gdyn_slot_x(s, s->child[i])[j] = gdyn_variation_settle(
                &s->variation, j, problem->start[(size_t)i * (size_t)s->n + (size_t)j]);
    gdyn_search_announce(s, starts > s->initial ? starts : s->initial);
    return GDYN_OK;
}

gdyn_status gdyn_search_create(const gdyn_search_problem *problem,
                               const gdyn_search_options *options, gdyn_search **out) {
    *out = NULL;
    gdyn_search_options decided = *options;
    gdyn_search_decide(problem->objectives, &decided);
    const gdyn_method *method = gdyn_method_of(decided.method);
    if (method && method->single && problem->objectives == 1)
        method = method->single;
    if (method && !gdyn_search_method_uses(decided.method, GDYN_SEARCH_LAG))
        decided.lag = 0;
    if (!method || !arguments_valid(problem, &decided))
        return GDYN_ERROR_ARGUMENT;
    gdyn_arena *arena;
    gdyn_search *s = gdyn_arena_begin(&arena, sizeof *s);
    if (!s)
        return GDYN_ERROR_MEMORY;
    s->arena = arena, s->options = decided, s->method = method;
    s->n = problem->variables, s->m = problem->objectives, s->N = decided.population;
    s->constraints = problem->constraints;
    s->start_time = gdyn_clock();
    gdyn_status status = build(s, problem);
    if (status != GDYN_OK) {
        gdyn_search_destroy(s);
        return status;
    }
    *out = s;
    return GDYN_OK;
}

void gdyn_search_destroy(gdyn_search *s) {
    if (!s)
        return;
    if (s->method->destroy)
        s->method->destroy(s);
    gdyn_fronts_destroy(s->fronts);
    gdyn_hypervolume_destroy(s->volume);
    gdyn_arena_destroy(s->arena);
}
