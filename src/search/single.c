/* single.c - one objective: differential evolution (de.c), local searches of NLopt and CMA-ES
 * (cmaes.c) side by side, in the same batches; the method hybrid, when there is one objective.
 *
 * Each finds what the others miss: local searches smooth optima and constraints, CMA-ES what is
 * ill-conditioned, curved or noisy, differences and steps of single variables what has many
 * optima, whole numbers or names. They divide the designs by how often each has improved the best
 * one lately.
 *
 * Local searches begin after the first batch, run until they converge, and begin in turn at the
 * best member, when it is not yet the end of one, at other members, and anywhere (multi-level
 * single linkage without its clusters: Rinnooy Kan, Timmer 1987). When the best member is such an
 * end, one more from it has finer differences and may use the whole tolerance of equalities. Whole
 * variables are held; with such a new best member is polished at once, and two searches in three
 * begin one whole number, or another name, away from the best member and end early.
 *
 * Designs of local searches and of CMA-ES take the place of the member nearest to them, if better,
 * so that copies of one optimum do not fill the population. */
#include "search/method.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 3, ITERATIONS = 100, RUNS = 4, SOLVERS_MOST = 4, BEST = 1, POLISH };
/* Tolerances of searches, and of those that only compare whole numbers. */
static const double STEP = 0.25, FINE = 1e-9, COARSE = 1e-3;
/* Designs of a batch and of the solvers' together, shares of the population; share of the
 * players that is not learnt; populations that successes are remembered for. */
static const double BATCH = 0.5, SOLVERS = 0.25, FIXED = 0.7, REMEMBERED = 10;
static const double SETTLED = 1e-6; /* gain over the end of a local search, share of the range */

/* Who makes designs, and which share of them: without constraints, with them, with whole
 * variables. */
typedef enum player { SOLVE, SAMPLE, DIFFER, PLAYERS } player;
static const double usual_share[3][PLAYERS] = {{[SOLVE] = 0.17, [SAMPLE] = 0.78, [DIFFER] = 0.05},
                                               {[SOLVE] = 0.5, [SAMPLE] = 0.25, [DIFFER] = 0.25},
                                               {[SOLVE] = 0.6, [DIFFER] = 0.4}};

typedef struct single {
    gdyn_workers workers;
    gdyn_cmaes *cmaes;
    long tasks;
    double range;  /* greatest extent of the population: scale of searches from anywhere */
    double *apart; /* N: scratch */
    /* Best values when the last local search, and the last fine one, from the best member ended. */
    double ended, polished;
    bool begun;         /* one is under way */
    bool violated;      /* a constraint was violated somewhere */
    int count[PLAYERS]; /* designs of the batch, in this order */
    double share[PLAYERS], due[PLAYERS], tried[PLAYERS], won[PLAYERS];
} single;

static const gdyn_nlopt *solver_of(const gdyn_search *s) {
    return gdyn_nlopt_of(s->options.nlopt ? s->options.nlopt : "slsqp");
}

static int solvers(const gdyn_search *s, const gdyn_nlopt *nlopt) {
    int count = (int)(SOLVERS * s->N / gdyn_solver_most(s, nlopt));
    return count < 1 ? 1 : count < SOLVERS_MOST ? count : SOLVERS_MOST;
}

static int room(const gdyn_search *s) {
    const gdyn_nlopt *nlopt = solver_of(s);
    return 3 * s->N + (nlopt ? solvers(s, nlopt) * gdyn_solver_most(s, nlopt) : 0);
}

static const double *usual_of(const gdyn_search *s, const single *h) {
    return usual_share[s->whole > 0 ? 2 : s->constraints > 0 || h->violated];
}

static gdyn_status create(gdyn_search *s) {
    const gdyn_nlopt *nlopt = solver_of(s);
    if (!nlopt || !gdyn_nlopt_fits(s, nlopt))
        return GDYN_ERROR_ARGUMENT;
    single *h = s->engine = gdyn_arena_alloc(s->arena, 1, sizeof *h);
    if (!h || gdyn_de_create(s) != GDYN_OK || !(h->cmaes = gdyn_cmaes_create(s)) ||
        !(h->apart = gdyn_arena_doubles(s->arena, (size_t)s->N)))
        return GDYN_ERROR_MEMORY;
    s->initial = s->N;
    h->ended = h->polished = INFINITY;
    for (int k = 0; k < PLAYERS; k++) {
        h->share[k] = usual_of(s, h)[k];
        h->tried[k] = REMEMBERED * s->N / PLAYERS, h->won[k] = h->share[k];
    }
    /* Local searches begin at once. */
    h->due[SOLVE] = s->whole > 0 ? 0 : s->N;
    return gdyn_workers_create(s, nlopt, solvers(s, nlopt), &h->workers);
}

static void destroy(gdyn_search *s) {
    single *h = s->engine;
    if (h)
        gdyn_workers_destroy(&h->workers);
}

/* --- learning --------------------------------------------------------------------------------- */

/* Less failure, less violation, less objective. */
static bool betters(const gdyn_search *s, int a, int b) {
    if (s->failure[a] != s->failure[b])
        return s->failure[a] < s->failure[b];
    if (s->violation[a] != s->violation[b])
        return s->violation[a] < s->violation[b];
    return s->failure[a] == 0 && *gdyn_slot_f(s, a) < *gdyn_slot_f(s, b);
}

/* Who made the designs that improved on the best one; the shares of the next batches. */
static void learn_shares(gdyn_search *s, single *h) {
    double forget = exp(-s->children / (REMEMBERED * s->N)), sum = 0;
    int best = s->parent[0], i = 0;
    for (int k = 0; k < PLAYERS; k++) {
        h->tried[k] = h->tried[k] * forget + h->count[k], h->won[k] *= forget;
        for (int end = i + h->count[k]; i < end && i < s->children; i++)
            if (betters(s, s->child[i], best))
                h->won[k]++, best = s->child[i];
    }
    for (int k = 0; k < PLAYERS; k++)
        sum += h->won[k] / h->tried[k];
    /* Whole variables want both kinds all the time (measured). */
    for (int k = 0; k < PLAYERS && sum > 0 && s->whole == 0; k++)
        h->share[k] = FIXED * usual_of(s, h)[k] + (1 - FIXED) * h->won[k] / h->tried[k] / sum;
}

static gdyn_status learn(gdyn_search *s) {
    single *h = s->engine;
    for (int k = 0; k < s->children; k++)
        h->violated |= s->violation[s->child[k]] > 0;
    if (s->parents > 0)
        learn_shares(s, h);
    if (h->count[SOLVE] > 0)
        gdyn_workers_learn(&h->workers, s);
    if (h->count[SAMPLE] > 0)
        gdyn_cmaes_learn(h->cmaes, s, h->count[SOLVE]);
    return gdyn_de_learn(s);
}

/* --- local searches --------------------------------------------------------------------------- */

/* How far the middle one of the members that could be evaluated is from the best one; infeasible
 * ones are not in the order of their values. */
static double extent(const gdyn_search *s, double *apart) {
    double best = *gdyn_slot_f(s, s->parent[0]);
    int count = 0;
    for (int k = 0; k < s->parents; k++)
        if (s->failure[s->parent[k]] == 0)
            apart[count++] = fabs(*gdyn_slot_f(s, s->parent[k]) - best);
    qsort(apart, (size_t)count, sizeof *apart, gdyn_ascending);
    double range = count > 0 ? apart[count / 2] : 0;
    return range > 0 ? range : fmax(fabs(best), 1);
}

/* The best member is better than the end of the last search from it by more than rounding. */
static bool ahead(const gdyn_search *s, const single *h, double end) {
    int best = s->parent[0];
    return !gdyn_slot_feasible(s, best) ||
           *gdyn_slot_f(s, best) < end - SETTLED * fmin(h->range, fabs(end));
}

/* Where the next search begins, into x (n); returns its tag. */
static int choose_start(const gdyn_search *s, single *h, double *x) {
    gdyn_random random = gdyn_random_stream(s->options.seed, (uint64_t)h->tasks, UINT64_MAX - 1);
    long turn = h->tasks % TURNS, round = h->tasks / TURNS;
    bool open = !h->begun && (turn == 0 || s->whole > 0);
    int tag = open && ahead(s, h, h->ended)                   ? BEST
              : open && turn == 0 && ahead(s, h, h->polished) ? POLISH
                                                              : 0;
    bool next = turn > 0 && s->whole > 0;
    int member = tag || next ? 0 : gdyn_random_below(&random, s->parents);
    memcpy(x, gdyn_slot_x(s, s->parent[member]), (size_t)s->n * sizeof *x);
    if (tag)
        return tag;
    if (next)
        gdyn_variation_next_whole(&s->variation, &random, x);
    else if (s->whole == 0 && turn != 1)
        gdyn_search_leap(s, round, x);
    return 0;
}

static bool give(gdyn_search *s, gdyn_solver *solver, gdyn_solver_task *task) {
    single *h = s->engine;
    if (s->free == s->whole)
        return false;
    double *start = gdyn_slot_x(s, s->capacity); /* the spare design */
    double range = extent(s, h->apart), best = *gdyn_slot_f(s, s->parent[0]);
    gdyn_scalar *p = &solver->problem;
    /* The end of a search from the best member. */
    if (solver->task.tag != 0) {
        h->begun = false;
        if (gdyn_slot_feasible(s, s->parent[0]))
            *(solver->task.tag == BEST ? &h->ended : &h->polished) = best;
        solver->task.tag = 0;
    }
    int tag = choose_start(s, h, start);
    h->begun |= tag != 0;
    h->range = fmax(h->range, range);
    p->ideal[0] = best, p->range[0] = tag ? range : h->range;
    p->rho = p->a[0] = 0, p->d[0] = 1;
    *task = (gdyn_solver_task){
        .start = start,
        .hold_whole = true,
        .constrained = h->violated,
        .polish = tag == POLISH,
        .step = STEP,
        .tolerance = s->options.tolerance > 0   ? s->options.tolerance
                     : tag == 0 && s->whole > 0 ? COARSE
                                                : FINE,
        .budget = (long)ITERATIONS * (s->n + 1),
        .runs = h->workers.nlopt->form == GDYN_FORM_PENALTY ? RUNS : 1,
        .seed = s->options.seed + (uint64_t)++h->tasks,
        .tag = tag,
    };
    return true;
}

static bool settled(const gdyn_search *s) {
    const single *h = s->engine;
    return s->free == s->whole || !ahead(s, h, h->ended);
}

/* --- batches ---------------------------------------------------------------------------------- */

static gdyn_status breed(gdyn_search *s, int *count) {
    single *h = s->engine;
    /* As many designs as make the rest of a generation of CMA-ES its share. */
    int usual = (int)(BATCH * s->N), left = gdyn_cmaes_left(h->cmaes);
    if (left > 0 && left < h->share[SAMPLE] * usual)
        usual = (int)ceil(left / h->share[SAMPLE]);
    memset(h->count, 0, sizeof h->count);
    for (int k = 0; k < PLAYERS; k++)
        h->due[k] = fmin(h->due[k] + h->share[k] * usual, s->N);
    /* With too many variables for CMA-ES local searches take all but what is due to differences. */
    if (h->due[SOLVE] > 0 || (s->whole == 0 && !gdyn_cmaes_samples(h->cmaes)))
        h->count[SOLVE] = gdyn_workers_breed(&h->workers, s, give);
    if (h->due[SAMPLE] >= 1)
        h->count[SAMPLE] = gdyn_cmaes_breed(h->cmaes, s, h->count[SOLVE], (int)h->due[SAMPLE]);
    s->guests = h->count[SOLVE] + h->count[SAMPLE];
    /* Who asks for nothing leaves its share to the differences. */
    h->count[DIFFER] = s->guests == 0 ? usual : (int)fmax(h->due[DIFFER], 0);
    gdyn_status status = h->count[DIFFER] > 0 ? gdyn_de_breed(s, &h->count[DIFFER]) : GDYN_OK;
    for (int k = 0; k < PLAYERS; k++)
        h->due[k] = h->count[k] > 0 ? h->due[k] - h->count[k] : fmin(h->due[k], 0);
    *count = s->guests + h->count[DIFFER];
    return status;
}

const gdyn_method gdyn_method_single = {.room = room,
                                        .create = create,
                                        .destroy = destroy,
                                        .learn = learn,
                                        .select = gdyn_de_select,
                                        .breed = breed,
                                        .settled = settled};
