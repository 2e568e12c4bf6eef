/* surrogate.c - few, costly designs: Gaussian processes of all results choose the next ones.
 *
 * A Latin hypercube first. Then each batch fits one process per objective, per constraint that was
 * ever broken, and one for whether a design can be evaluated (gauss.h), and takes the designs with
 * the largest expected gain of hypervolume times the probability that every limit is kept
 * (Emmerich, Giannakoglou, Naujoks 2006; Gardner et al. 2014), one after the other, each believed
 * to come out at its mean (Ginsbourger, Le Riche, Carraro 2010). With many variables or designs the
 * processes learn from the neighbours of one member of the front, and the batch stays in a box
 * around it that grows with success and shrinks without (Eriksson, Pearce, Gardner, Turner,
 * Poloczek 2019). */
#include "search/method.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum {
    BATCH = 4,
    LEAST_FIRST = 8,
    ALL = 500,        /* designs that the models take as a whole */
    NEIGHBOURS = 250, /* points of a local model */
    VARIABLES = 15,   /* beyond these, local models */
    PATIENCE = 3      /* batches without gain before the box shrinks */
};
static const double WIDEST = 0.4, NARROWEST = 0.4 / 128, GROWTH = 1.5, GAIN = 1e-3;

static int batch_of(const gdyn_search *s) {
    return s->options.batch > 0 ? s->options.batch : BATCH;
}

/* Two more than twice the variables that the models take as a whole, regardless of the budget: so
 * that a greater one goes on with the same designs. */
static int first_of(const gdyn_search *s) {
    int first = 2 * (s->n < VARIABLES ? s->n : VARIABLES) + 2;
    return first > LEAST_FIRST ? first : LEAST_FIRST;
}

static int room(const gdyn_search *s) {
    int first = first_of(s), batch = batch_of(s);
    return first > batch ? first : batch;
}

/* --- create, destroy ------------------------------------------------------------------------- */

/* Free variables: numbers first, names behind them. */
static void order_variables(const gdyn_search *s, gdyn_surrogate *e) {
    for (int names = 0; names < 2; names++)
        for (int j = 0; j < s->n; j++)
            if (s->variation.categorical[j] == (names == 1) &&
                s->variation.upper[j] > s->variation.lower[j]) {
                e->variable[e->free++] = j;
                e->names += names;
            }
}

static gdyn_status create(gdyn_search *s) {
    gdyn_surrogate *e = s->engine = gdyn_arena_alloc(s->arena, 1, sizeof *e);
    if (!e)
        return GDYN_ERROR_MEMORY;
    e->m = s->m, e->constraints = s->constraints;
    e->batch = batch_of(s), s->initial = first_of(s);
    e->radius = WIDEST;
    e->variable = gdyn_arena_alloc(s->arena, (size_t)s->n, sizeof *e->variable);
    e->centre = gdyn_arena_doubles(s->arena, (size_t)s->n);
    if (!e->variable || !e->centre)
        return GDYN_ERROR_MEMORY;
    order_variables(s, e);
    /* A small budget needs small models. */
    long budget = s->options.evaluations;
    e->most = e->free > VARIABLES ? NEIGHBOURS : ALL;
    if (budget > 0 && budget < e->most)
        e->most = (int)budget;
    gdyn_status status = gdyn_surrogate_models_create(s->arena, e);
    return status == GDYN_OK ? gdyn_surrogate_picks_create(s->arena, e, s->n, s->N) : status;
}

static void destroy(gdyn_search *s) {
    gdyn_surrogate *e = s->engine;
    if (!e)
        return;
    gdyn_search_results *r = &e->results;
    void *owned[] = {r->u, r->f, r->g, r->violation, r->failure, r->detailed, e->distance};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        gdyn_free(owned[i]);
}

/* --- results -------------------------------------------------------------------------------- */

void gdyn_surrogate_unit(const gdyn_search *s, const double *x, double *u) {
    const gdyn_surrogate *e = s->engine;
    for (int k = 0; k < e->free; k++) {
        int j = e->variable[k];
        double low = s->variation.lower[j], high = s->variation.upper[j];
        u[k] = s->variation.categorical[j] ? x[j] : (x[j] - low) / (high - low);
    }
}

static bool reserve(gdyn_search_results *r, int count, int free, int m, int constraints) {
    /* All lists grow together: the last tells the room of all. */
    if (count <= r->room)
        return true;
    int room = count > 2 * r->room ? count : 2 * r->room, rooms[6] = {0};
    size_t size = sizeof(double);
    bool ok = gdyn_reserve(&r->u, &rooms[0], room * (free + 1), size) &&
              gdyn_reserve(&r->f, &rooms[1], room * m, size) &&
              gdyn_reserve(&r->g, &rooms[2], room * constraints + 1, size) &&
              gdyn_reserve(&r->violation, &rooms[3], room, size) &&
              gdyn_reserve(&r->failure, &rooms[4], room, size) &&
              gdyn_reserve(&r->detailed, &rooms[5], room, sizeof(bool));
    if (ok)
        r->room = room;
    return ok;
}

static gdyn_status learn(gdyn_search *s) {
    gdyn_surrogate *e = s->engine;
    gdyn_search_results *r = &e->results;
    if (!reserve(r, r->count + s->children, e->free, s->m, s->constraints))
        return GDYN_ERROR_MEMORY;
    size_t m = (size_t)s->m, c = (size_t)s->constraints, free = (size_t)e->free;
    for (int i = 0; i < s->children; i++) {
        int slot = s->child[i];
        size_t k = (size_t)r->count++;
        gdyn_surrogate_unit(s, gdyn_slot_x(s, slot), r->u + k * free);
        memcpy(r->f + k * m, gdyn_slot_f(s, slot), m * sizeof *r->f);
        /* An equality is modelled by how far it is from being kept. */
        for (size_t j = 0; j < c; j++) {
            double g = gdyn_slot_g(s, slot)[j], tolerance = s->equality[j];
            r->g[k * c + j] = tolerance > 0 ? fabs(g) - tolerance : g;
        }
        r->violation[k] = s->violation[slot], r->failure[k] = s->failure[slot];
        r->detailed[k] = s->detailed[slot];
    }
    return GDYN_OK;
}

/* --- batches -------------------------------------------------------------------------------- */

/* The box grows after a batch that gained, shrinks after some that did not, and starts again when
 * it is too small. */
static void resize_region(gdyn_search *s, gdyn_surrogate *e) {
    bool gained = s->info.moved || s->info.hypervolume > e->volume * (1 + GAIN);
    e->volume = s->info.hypervolume;
    e->failures = gained ? 0 : e->failures + 1;
    if (gained)
        e->radius = fmin(e->radius * GROWTH, WIDEST);
    else if (e->failures % PATIENCE == 0)
        e->radius *= 0.5;
    if (e->radius < NARROWEST)
        e->radius = WIDEST, e->failures = 0;
}

static void place_region(gdyn_search *s, gdyn_surrogate *e) {
    e->local = e->free > VARIABLES || e->results.count > ALL;
    if (!e->local)
        return;
    resize_region(s, e);
    /* Any member of the front; while nothing is feasible, the best design. */
    gdyn_random random =
        gdyn_random_stream(s->options.seed, (uint64_t)s->info.generation, UINT64_MAX);
    int front = gdyn_aim_known(s) ? gdyn_aim_parents(s) : s->info.front;
    int member = front > 0 ? gdyn_random_below(&random, front) : 0;
    gdyn_surrogate_unit(s, gdyn_slot_x(s, s->parent[member]), e->centre);
    if (e->most > NEIGHBOURS)
        e->most = NEIGHBOURS;
}

static gdyn_status breed(gdyn_search *s, int *count) {
    gdyn_surrogate *e = s->engine;
    *count = 0;
    /* Without a free variable there is nothing to choose. */
    if (e->free == 0)
        return GDYN_OK;
    place_region(s, e);
    gdyn_status status = gdyn_surrogate_fit(s);
    if (status == GDYN_OK)
        *count = gdyn_surrogate_pick(s);
    return status;
}

const gdyn_method gdyn_method_surrogate = {.room = room,
                                           .create = create,
                                           .destroy = destroy,
                                           .learn = learn,
                                           .select = gdyn_pool_select,
                                           .breed = breed};
