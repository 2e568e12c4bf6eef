/* hybrid.c - differential evolution whose front is polished by local searches of NLopt.
 *
 * Beside the population's children, every batch carries the designs that one or a few local
 * searches ask for. They solve weighted Chebyshev problems (scalar.h), the weights in turn:
 * corners (single objectives) first, which stretches the front to its ends, then evenly between.
 * Each begins at the member that is the best for its weights, and everything it tries competes for
 * survival, so what it finds breeds at once. When all have ended, the population is left alone
 * until it has made REST generations' worth of designs. Whole variables are held while a design is
 * polished; every third search begins one whole number, or another name, away from its member.
 * With one objective single.c takes its place. */
#include "search/method.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { WEIGHTS = 10, REST = 5, TURNS = 3, ITERATIONS = 20, RUNS = 4, MOST_POLISHERS = 8 };
/* Population below which a budget is short; variables that are few. */
enum { SHORT = 96, FEW = 8 };
static const double LEAST_WEIGHT = 0.01, STEP = 0.25, TOLERANCE = 1e-6, AUGMENTATION = 1e-3;

typedef struct hybrid {
    gdyn_workers workers;
    int bred;    /* designs of the population since the last polishing */
    int left;    /* tasks still to be given out in this polishing */
    int apart;   /* then: single objectives from anywhere */
    long tasks;  /* ever given out */
    long leaps;  /* of those from anywhere */
    bool equal;  /* there are equalities */
    int weights; /* how many; m x weights follow, corners first */
    double *w;
    double *ideal; /* m: least feasible values found so far */
    bool violated; /* a constraint was violated somewhere */
} hybrid;

/* Few designs and variables: linear models over a simplex need no slopes, each of which costs as
 * many designs as there are variables; else slopes (measured: docs/evidence.md). The population
 * tells a short budget, and stays when a study goes on with a greater one. */
static const gdyn_nlopt *polisher_of(const gdyn_search *s) {
    bool few = s->N < SHORT && s->free <= FEW;
    return gdyn_nlopt_of(s->options.nlopt ? s->options.nlopt : few ? "cobyla" : "slsqp");
}

/* As many as ask for no more designs than a fifth of the population, at least one. */
static int polishers(const gdyn_search *s, const gdyn_nlopt *nlopt) {
    int count = s->N / (5 * gdyn_solver_most(s, nlopt));
    return count < 1 ? 1 : count < MOST_POLISHERS ? count : MOST_POLISHERS;
}

static int room(const gdyn_search *s) {
    const gdyn_nlopt *nlopt = polisher_of(s);
    return s->N + (nlopt ? polishers(s, nlopt) * gdyn_solver_most(s, nlopt) : 0);
}

/* --- create, destroy ------------------------------------------------------------------------- */

static gdyn_status create(gdyn_search *s) {
    /* Only algorithms that begin at a design can polish. */
    const gdyn_nlopt *nlopt = polisher_of(s);
    if (!nlopt || !gdyn_nlopt_fits(s, nlopt))
        return GDYN_ERROR_ARGUMENT;
    hybrid *h = s->engine = gdyn_arena_alloc(s->arena, 1, sizeof *h);
    if (!h || gdyn_de_create(s) != GDYN_OK)
        return GDYN_ERROR_MEMORY;
    /* Weights in an order whose beginnings are spread evenly. */
    int divisions = gdyn_weights_divisions(
        s->m, s->options.points > 0 ? s->options.points : WEIGHTS, &h->weights);
    size_t m = (size_t)s->m, weights = (size_t)h->weights;
    h->w = gdyn_arena_doubles(s->arena, weights * (m + 1));
    h->ideal = gdyn_arena_doubles(s->arena, m);
    if (gdyn_arena_failed(s->arena))
        return GDYN_ERROR_MEMORY;
    gdyn_weights_fill(s->m, divisions, h->weights, h->w, h->w + weights * m);
    for (int i = 0; i < s->m; i++)
        h->ideal[i] = INFINITY;
    for (int j = 0; j < s->constraints; j++)
        h->equal |= s->equality[j] > 0;
    return gdyn_workers_create(s, nlopt, polishers(s, nlopt), &h->workers);
}

static void destroy(gdyn_search *s) {
    hybrid *h = s->engine;
    if (h)
        gdyn_workers_destroy(&h->workers);
}

/* --- polishing ------------------------------------------------------------------------------- */

static gdyn_status learn(gdyn_search *s) {
    hybrid *h = s->engine;
    for (int k = 0; k < s->children; k++) {
        int slot = s->child[k];
        h->violated |= s->violation[slot] > 0;
        for (int i = 0; gdyn_slot_feasible(s, slot) && i < s->m; i++)
            h->ideal[i] = fmin(h->ideal[i], gdyn_slot_f(s, slot)[i]);
    }
    gdyn_workers_learn(&h->workers, s);
    return gdyn_de_learn(s);
}

/* Objectives are scaled by the front: 0 at the least value ever, 1 at the front's greatest. */
static void scale(const gdyn_search *s, const hybrid *h, gdyn_scalar *p) {
    /* without a front the least infeasible members */
    int count = s->info.front > 0 ? s->info.front : s->parents;
    for (int i = 0; i < s->m; i++) {
        double least = INFINITY, greatest = -INFINITY;
        for (int k = 0; k < count; k++) {
            double f = gdyn_slot_f(s, s->parent[k])[i];
            least = fmin(least, f), greatest = fmax(greatest, f);
        }
        p->ideal[i] = isfinite(h->ideal[i]) ? h->ideal[i] : least;
        /* An objective without extent gets its own size as scale. */
        double range = greatest - p->ideal[i];
        p->range[i] = range > 0 && isfinite(range) ? range : fmax(fabs(greatest), 1);
    }
}

/* The achievement of the aim moved along the region: towards its edges by the weights, not at all
 * without them (Wierzbicki 1980: reference points around the stated one). */
static void aim_near(const gdyn_aim *stated, const double *w, gdyn_scalar *p) {
    const gdyn_scalar *own = &stated->scalar;
    size_t bytes = (size_t)p->m * sizeof *p->a;
    memcpy(p->ideal, own->ideal, bytes), memcpy(p->range, own->range, bytes);
    memcpy(p->a, own->a, bytes), memcpy(p->d, own->d, bytes);
    for (int i = 0; w && i < p->m; i++)
        p->a[i] += stated->width * (1 - p->m * w[i]) / (p->m - 1);
}

/* Where the task begins: the best member for it. */
static int start_of(const gdyn_search *s, const gdyn_scalar *p) {
    int best = s->parent[0];
    double least = INFINITY;
    for (int k = 0; s->info.front > 0 && k < s->info.front; k++) {
        double t = gdyn_scalar_value(p, gdyn_slot_f(s, s->parent[k]));
        if (t < least)
            least = t, best = s->parent[k];
    }
    return best;
}

/* The weights in turn. With an aim: the single objectives too, as they give the scale, then the aim
 * itself and places around it in turn. */
static void set_problem(const gdyn_search *s, const hybrid *h, int turn, gdyn_scalar *p) {
    const double *w = h->w + (size_t)turn * (size_t)s->m;
    bool corner = turn < s->m; /* the first weights: one objective, without the others */
    scale(s, h, p);
    p->rho = AUGMENTATION;
    for (int i = 0; i < p->m; i++) {
        p->a[i] = corner && w[i] < 1 ? INFINITY : 0;
        p->d[i] = 1 / fmax(w[i], LEAST_WEIGHT);
    }
    if (gdyn_aim_known(s) && !corner)
        aim_near(s->aim, turn % 2 == 0 ? NULL : w, p);
}

static bool give(gdyn_search *s, gdyn_solver *solver, gdyn_solver_task *task) {
    hybrid *h = s->engine;
    /* So many tasks in a polishing, then rest. */
    if (h->left <= 0 && h->apart <= 0)
        return false;
    bool leaps = h->left <= 0;
    gdyn_scalar *p = &solver->problem;
    set_problem(s, h, (int)(leaps ? h->leaps % s->m : h->tasks % h->weights), p);
    gdyn_random random = gdyn_random_stream(s->options.seed, (uint64_t)h->tasks, UINT64_MAX - 1);
    double *start = gdyn_slot_x(s, s->capacity); /* the spare design */
    size_t bytes = (size_t)s->n * sizeof *start;
    memcpy(start, gdyn_slot_x(s, start_of(s, p)), bytes);
    if (h->tasks % TURNS == 2)
        gdyn_variation_next_whole(&s->variation, &random, start);
    if (leaps) {
        gdyn_search_leap(s, h->leaps / s->m, start);
        h->apart--, h->leaps++;
    } else {
        h->left--, h->tasks++;
        /* once in a round of all weights */
        if (!h->equal && h->tasks % h->weights == 0)
            h->apart = s->m;
    }
    *task = (gdyn_solver_task){
        .start = start,
        .hold_whole = true,
        .constrained = h->violated,
        .step = STEP,
        .tolerance = s->options.tolerance > 0 ? s->options.tolerance : TOLERANCE,
        .budget = (long)(leaps ? 2 * ITERATIONS : ITERATIONS) * (s->n + 1),
        .runs = h->workers.nlopt->form == GDYN_FORM_PENALTY ? RUNS : 1,
        .seed = s->options.seed + (uint64_t)(h->tasks + h->leaps),
    };
    return true;
}

static gdyn_status breed(gdyn_search *s, int *count) {
    hybrid *h = s->engine;
    int bred = 0;
    if (h->bred >= REST * s->N)
        h->left = h->workers.count, h->bred = 0, h->apart = h->equal ? s->m : 0;
    /* Designs of the polishers come first in the batch. */
    s->guests = gdyn_workers_breed(&h->workers, s, give);
    gdyn_status status = gdyn_de_breed(s, &bred);
    if (s->guests == 0)
        h->bred += bred;
    *count = s->guests + bred;
    return status;
}

const gdyn_method gdyn_method_hybrid = {.room = room,
                                        .create = create,
                                        .destroy = destroy,
                                        .learn = learn,
                                        .select = gdyn_de_select,
                                        .breed = breed,
                                        .single = &gdyn_method_single};
