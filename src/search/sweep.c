/* sweep.c - the front as the solutions of many problems of one objective each, solved by NLopt.
 *
 *   1. A Latin hypercube gives a first scale of the objectives.
 *   2. Every objective alone is minimized from a few of the best designs; the corners give the
 *   ideal
 *      point and a better scale, with which they are sought again while that widens it. With
 *      three and more objectives, where a corner may be a whole edge of the front, all objectives
 *      but one are brought near the ideal point together. Either way the one that is left over is
 *      then minimized, with the others held where they are: the ends of the front. Their largest
 *      values are the nadir point.
 *   3. Problems that differ in their parameters (scalar.h) are solved, each from the best design
 *   that
 *      is known for it, in an order that is spread evenly at any time:
 *        chebyshev            the ideal point is approached in the ratio of weights (Bowman 1976;
 *                             augmented: Steuer, Choo 1983)
 *        epsilon_constraint   one objective is minimized, the others are limited (Haimes et al.
 *        1971)
 *        nbi                  from a point between the ends towards the front (Das, Dennis 1998)
 *
 * Given levels of an objective (epsilon_constraint) are the whole third step, without the first
 * two: the other objective is minimized at each of them, from the best design as long as no local
 * search has converged there, then from random ones.
 *
 * Where the number of problems is left open, further ones between those follow until the budget is
 * spent: weights by the additive recurrence with the powers of the generalized golden ratio, in [0,
 * 1]^(m-1) (Kronecker sequence; m = 2: the golden ratio), whose sorted values divide 0 .. 1 into m
 * parts. With one objective: the same problem from other designs.
 *
 * Several workers solve problems side by side; a batch is what all of them ask for, and a worker
 * that has finished takes the next problem. Whatever is evaluated competes for the front. */
#include "search/method.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    ROUNDS = 4,
    STARTS = 2,
    MOST_RUNS = 6,
    MOST_WORKERS = 256,
    LEAST_WORKERS = 4,
    NEIGHBOURS = 4,
    FEW = 8,
    MOST_WEIGHTS = 4096,
    MOST_BARREN = 64 /* problems in a row that ask for no design: there are none left to ask for */
};
/* Designs of one problem, per variable. */
enum { LOCAL_BUDGET = 60, GLOBAL_BUDGET = 300 };
static const double LEAST_WEIGHT = 1e-3, STEP = 0.25, TOLERANCE = 1e-6, AUGMENTATION = 1e-4;
static const double SIDE = 1e-2; /* augmentation while a corner is sought for the first time */
static const double NEAR = 0.1;  /* starts nearer than this are alike, share of the ranges */
static const double LEAST_SHARE = 1e-6; /* of the first range; corners nearer together coincide */
static const double WIDER = 1.5;        /* a range that grew so much is worth another round */
static const double ROUGH = 1e-4;       /* tolerance of what gives the scale */
static const double SLACK = 1e-4;       /* of objectives that are held, share of the range */
static const double BEYOND = 1.1;       /* limit of the others while a corner is sought again */
static const double INSIDE = 2e-8;      /* of a level, so that rounding does not exceed it */

typedef struct sweep {
    gdyn_workers workers;
    int weights;     /* columns of w */
    double *w;       /* m x weights */
    double *further; /* m: weights of a problem behind those */
    double ratio;    /* of the recurrence */
    bool open;       /* problems follow until the budget is spent */
    int barren;      /* problems given out since the last design */
    enum { CORNERS, EDGES, ENDS, FRONT } phase;
    int round;  /* of the phase of the corners, each with a better scale */
    long given; /* problems of the phase given out so far */
    bool violated;
    double *low, *high;    /* m: range of the first feasible designs */
    bool ranged, scaled;   /* low and high, ideal and range are known */
    double *corner;        /* m x 2m: objectives at the corners, then at the ends */
    double *value;         /* 2m: value of their problems there, INFINITY when there is none */
    double *level;         /* m: what all objectives but one reach together */
    double *ideal, *range; /* m: scale, once the corners are known */
    gdyn_scalar scratch;
} sweep;

/* Criteria that are the worst of many points have kinks, which linear models over a simplex stand
 * better than slopes do; with many variables they cost too much. */
static const gdyn_nlopt *algorithm_of(const gdyn_search *s) {
    const char *own = s->whole ? "isres" : s->free <= FEW ? "cobyla" : "slsqp";
    return gdyn_nlopt_of(s->options.nlopt ? s->options.nlopt : own);
}

/* How many weights there are, and their divisions. */
static int weights_of(const gdyn_search *s, int *weights) {
    int wanted = s->options.level        ? s->options.level_count
                 : s->options.points > 0 ? s->options.points
                                         : s->N;
    return gdyn_weights_divisions(s->m, wanted < MOST_WEIGHTS ? wanted : MOST_WEIGHTS, weights);
}

/* So many that a batch is about as large as the population, but not so many that problems have no
 * solved neighbours to begin at. */
static int worker_count(const gdyn_search *s, const gdyn_nlopt *nlopt) {
    int weights, count = s->N / gdyn_solver_most(s, nlopt);
    weights_of(s, &weights);
    count = count < weights / NEIGHBOURS ? count : weights / NEIGHBOURS;
    return count < LEAST_WORKERS ? LEAST_WORKERS : count < MOST_WORKERS ? count : MOST_WORKERS;
}

static int room(const gdyn_search *s) {
    const gdyn_nlopt *nlopt = algorithm_of(s);
    int wanted = nlopt ? worker_count(s, nlopt) * gdyn_solver_most(s, nlopt) : 0;
    return wanted > s->N ? wanted : s->N; /* the Latin hypercube has N designs */
}

/* --- create, destroy ------------------------------------------------------------------------- */

static gdyn_status allocate(gdyn_search *s, sweep *e) {
    size_t m = (size_t)s->m;
    int divisions = weights_of(s, &e->weights);
    size_t weights = (size_t)e->weights;
    /* Weights with scratch behind them. */
    e->w = gdyn_arena_doubles(s->arena, weights * (m + 1));
    e->corner = gdyn_arena_doubles(s->arena, 2 * m * m);
    e->value = gdyn_arena_doubles(s->arena, 2 * m);
    double **numbers[] = {&e->low, &e->high, &e->ideal, &e->range, &e->level, &e->further};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = gdyn_arena_doubles(s->arena, m);
    gdyn_scalar_create(s->arena, s->m, &e->scratch);
    if (gdyn_arena_failed(s->arena))
        return GDYN_ERROR_MEMORY;
    /* lattice of weights, and the order in which they are solved */
    gdyn_weights_fill(s->m, divisions, e->weights, e->w, e->w + weights * m);
    /* The root of x^m = x + 1 beyond 1, by iteration. */
    e->ratio = 2;
    for (int k = 0; k < 60; k++)
        e->ratio = pow(1 + e->ratio, 1.0 / s->m);
    for (int i = 0; i < s->m; i++) {
        e->low[i] = INFINITY, e->high[i] = -INFINITY;
        e->value[i] = e->value[s->m + i] = INFINITY;
    }
    return GDYN_OK;
}

static gdyn_status create(gdyn_search *s) {
    const gdyn_nlopt *nlopt = algorithm_of(s);
    if (!nlopt || !gdyn_nlopt_fits(s, nlopt))
        return GDYN_ERROR_ARGUMENT;
    sweep *e = s->engine = gdyn_arena_alloc(s->arena, 1, sizeof *e);
    if (!e)
        return GDYN_ERROR_MEMORY;
    e->phase = s->options.level ? FRONT : CORNERS;
    /* Without a limit nothing would end it, and of whole variables alone there are only so many
     * designs. */
    e->open = s->options.points == 0 && s->options.evaluations > 0 && s->free > s->whole;
    gdyn_status status = allocate(s, e);
    if (status != GDYN_OK)
        return status;
    return gdyn_workers_create(s, nlopt, worker_count(s, nlopt), &e->workers);
}

static void destroy(gdyn_search *s) {
    sweep *e = s->engine;
    if (e)
        gdyn_workers_destroy(&e->workers);
}

/* --- what the results tell ------------------------------------------------------------------- */

static double width(double low, double high) {
    /* Equal or infinite ends: the size of the value. */
    double range = high - low;
    return range > 0 && isfinite(range) ? range : fmax(isfinite(high) ? fabs(high) : 0, 1);
}

/* The range of the first feasible designs, or none; later what the corners and ends tell. */
static void scale(const gdyn_search *s, const sweep *e, gdyn_scalar *p) {
    for (int i = 0; i < s->m; i++) {
        p->ideal[i] = e->scaled ? e->ideal[i] : e->ranged ? e->low[i] : 0;
        p->range[i] = e->scaled ? e->range[i] : e->ranged ? width(e->low[i], e->high[i]) : 1;
    }
}

/* Problem k of a phase before the front. The objectives without a row count a little, so that of
 * equal designs the better one is found. */
static void extreme(const sweep *e, int k, gdyn_scalar *p) {
    p->rho = e->phase == CORNERS && e->round == 0 ? SIDE : AUGMENTATION;
    for (int i = 0; i < p->m; i++) {
        p->a[i] = (i == k) == (e->phase == EDGES) ? INFINITY : 0;
        p->d[i] = 1;
        if (e->phase == ENDS && i != k)
            p->a[i] = e->level[k] + SLACK, p->d[i] = 0;
    }
}

/* What is feasible for the first time gives a scale, and the corners are sought (again). */
static void take_range(const gdyn_search *s, sweep *e) {
    for (int c = 0; c < s->children; c++)
        for (int i = 0; gdyn_slot_feasible(s, s->child[c]) && i < s->m; i++) {
            double f = gdyn_slot_f(s, s->child[c])[i];
            e->low[i] = fmin(e->low[i], f), e->high[i] = fmax(e->high[i], f);
            e->ranged = true;
        }
}

/* Design f competes for the corners, or for the ends; p: scratch. */
static void take_extreme(const gdyn_search *s, sweep *e, const double *f, gdyn_scalar *p) {
    /* For each problem: a better value within the limits. */
    for (int k = 0; k < s->m; k++) {
        int place = e->phase == CORNERS ? k : s->m + k;
        extreme(e, k, p);
        double value = gdyn_scalar_value(p, f);
        if (value >= e->value[place] || gdyn_scalar_excess(p, f) > SLACK)
            continue;
        e->value[place] = value;
        memcpy(e->corner + (size_t)place * (size_t)s->m, f, (size_t)s->m * sizeof *f);
    }
}

static gdyn_status learn(gdyn_search *s) {
    sweep *e = s->engine;
    e->barren = 0;
    for (int c = 0; c < s->children; c++)
        e->violated |= s->violation[s->child[c]] > 0;
    /* The first feasible designs set the scale, and the corners are sought again. */
    if (!e->ranged)
        take_range(s, e);
    if (e->ranged && !e->scaled && s->options.level) {
        /* Levels are limits at any scale: that of the first feasible designs will do. */
        for (int i = 0; i < s->m; i++)
            e->ideal[i] = e->low[i], e->range[i] = width(e->low[i], e->high[i]);
        e->scaled = true, e->given = 0;
    } else if (e->ranged && !e->scaled && e->phase != CORNERS) {
        e->phase = CORNERS, e->round = 0, e->given = 0;
    }
    scale(s, e, &e->scratch);
    for (int c = 0; e->ranged && e->phase != FRONT && c < s->children; c++)
        if (gdyn_slot_feasible(s, s->child[c]))
            take_extreme(s, e, gdyn_slot_f(s, s->child[c]), &e->scratch);
    gdyn_workers_learn(&e->workers, s);
    return GDYN_OK;
}

/* --- problems -------------------------------------------------------------------------------- */

/* Ideal and nadir point; true when a range has become much wider, or is known for the first
 * time. */
static bool take_scale(const gdyn_search *s, sweep *e) {
    bool wider = !e->scaled && e->ranged;
    int ends = e->phase == CORNERS ? 0 : s->m;
    e->scaled = e->ranged;
    /* Smallest of all points, largest of the ends (while corners are sought: of these). */
    for (int i = 0; e->ranged && i < s->m; i++) {
        double least = INFINITY, greatest = -INFINITY;
        for (int k = 0; k < ends + s->m; k++) {
            double f = e->corner[(size_t)k * (size_t)s->m + (size_t)i];
            least = fmin(least, f);
            if (k >= ends)
                greatest = fmax(greatest, f);
        }
        e->ideal[i] = least;
        /* Coinciding corners: the first range stands in. */
        double first = width(e->low[i], e->high[i]);
        double range = greatest - least > LEAST_SHARE * first ? greatest - least : first;
        wider |= range > WIDER * e->range[i];
        e->range[i] = range;
    }
    return wider;
}

/* The last objective is minimized; the others have limits w_i of their ranges, m - 1 of the weights
 * being free (with sum at most 1, spread to the whole box by their largest). */
static void epsilon_constraint(const double *w, gdyn_scalar *p) {
    double sum = 0, greatest = 0;
    for (int i = 0; i + 1 < p->m; i++)
        sum += w[i], greatest = fmax(greatest, w[i]);
    for (int i = 0; i + 1 < p->m; i++)
        p->a[i] = greatest > 0 ? w[i] * sum / greatest : 0, p->d[i] = 0;
    p->a[p->m - 1] = 0, p->d[p->m - 1] = 1;
}

static double end_of(const sweep *e, int m, int k, int i) {
    return (e->corner[(size_t)(m + k) * (size_t)m + (size_t)i] - e->ideal[i]) / e->range[i];
}

/* Two ends may be the same design: no simplex is between them. */
static bool ends_apart(const sweep *e, int m) {
    for (int k = 0; k < m; k++)
        for (int l = 0; l < k; l++) {
            double apart = 0;
            for (int i = 0; i < m; i++)
                apart = fmax(apart, fabs(end_of(e, m, k, i) - end_of(e, m, l, i)));
            if (apart < 0.01)
                return false;
        }
    return e->scaled;
}

/* a: the point of the simplex between the ends; d: the quasi-normal, their sum (Das, Dennis:
 * -Phi e). Where ends coincide, the simplex between the ends of the scaled axes. */
static void boundary_normal(const sweep *e, const double *w, gdyn_scalar *p) {
    bool apart = ends_apart(e, p->m);
    /* Phi w and the quasi-normal; else the simplex of the axes. */
    for (int i = 0; i < p->m; i++) {
        p->a[i] = apart ? 0 : w[i];
        p->d[i] = apart ? 0 : 1;
        for (int k = 0; apart && k < p->m; k++) {
            p->a[i] += w[k] * end_of(e, p->m, k, i);
            p->d[i] += end_of(e, p->m, k, i);
        }
        p->d[i] = fmax(p->d[i], LEAST_WEIGHT);
    }
}

/* --- starts ---------------------------------------------------------------------------------- */

/* How good parent k is to begin a problem at, less is better; INFINITY: not at all. */
static double cost_of(const gdyn_search *s, const gdyn_scalar *p, int k) {
    if (s->info.front == 0)
        return k; /* minimum violation first */
    if (k >= s->info.feasible)
        return INFINITY;
    const double *f = gdyn_slot_f(s, s->parent[k]);
    return gdyn_scalar_value(p, f) + 10 * gdyn_scalar_excess(p, f);
}

static bool near(const gdyn_search *s, int a, int b) {
    /* Whole variables are near only when equal. */
    const gdyn_variation *v = &s->variation;
    for (int j = 0; j < s->n; j++) {
        double apart = fabs(gdyn_slot_x(s, a)[j] - gdyn_slot_x(s, b)[j]);
        if (v->integer[j] ? apart > 0 : apart > NEAR * (v->upper[j] - v->lower[j]))
            return false;
    }
    return true;
}

static const double *random_start(const gdyn_search *s, const sweep *e) {
    gdyn_random random =
        gdyn_random_stream(s->options.seed, (uint64_t)e->phase + 1, (uint64_t)e->given);
    double *x = gdyn_slot_x(s, s->capacity);
    const gdyn_variation *v = &s->variation;
    for (int j = 0; j < s->n; j++)
        x[j] = gdyn_at_share(v->lower[j], v->upper[j], v->integer[j], gdyn_random_uniform(&random));
    return x;
}

/* The best start of those known (rank 0), the best of those that are not near it (1), near neither
 * of them (2); any design where there is none. */
static const double *start_for(const gdyn_search *s, const sweep *e, const gdyn_scalar *p,
                               int rank) {
    int chosen[STARTS] = {0};
    for (int r = 0; r <= rank; r++) {
        double least = INFINITY;
        for (int k = 0; k < s->parents; k++) {
            bool taken = false;
            for (int q = 0; q < r && !taken; q++)
                taken = near(s, s->parent[k], chosen[q]);
            double cost = taken ? INFINITY : cost_of(s, p, k);
            if (cost < least)
                least = cost, chosen[r] = s->parent[k];
        }
        if (isinf(least))
            return random_start(s, e);
    }
    return gdyn_slot_x(s, chosen[rank]);
}

/* --- tasks ----------------------------------------------------------------------------------- */

static long problems_of_phase(const gdyn_search *s, const sweep *e) {
    /* One start where corners or ends are sought again and for global algorithms, else STARTS. */
    if (e->phase == FRONT && e->open && e->barren < MOST_BARREN)
        return LONG_MAX;
    bool again = e->phase == ENDS || (e->phase == CORNERS && e->round > 0);
    if (e->phase == FRONT)
        return e->weights;
    if (e->phase == EDGES && s->m < 3)
        return 0;
    return (long)s->m * (again || e->workers.nlopt->about.global ? 1 : STARTS);
}

/* Objective k alone; the others may not go far beyond the front. */
static void corner_again(int k, gdyn_scalar *p) {
    p->rho = AUGMENTATION;
    for (int i = 0; i < p->m; i++)
        p->a[i] = i == k ? 0 : BEYOND, p->d[i] = i == k;
}

/* The weights of problem k of the front: those of the lattice, then further ones between them. */
static const double *weights_at(const gdyn_search *s, const sweep *e, long k) {
    double step = 1;
    if (k < e->weights)
        return e->w + (size_t)k * (size_t)s->m;
    double *w = e->further;
    for (int i = 0; i + 1 < s->m; i++) {
        step /= e->ratio;
        double at = 0.5 + (double)(k - e->weights + 1) * step;
        at -= floor(at);
        int j = i;
        for (; j > 0 && w[j - 1] > at; j--)
            w[j] = w[j - 1];
        w[j] = at;
    }
    w[s->m - 1] = 1;
    for (int i = s->m - 1; i > 0; i--)
        w[i] -= w[i - 1];
    return w;
}

/* The level of problem `given`, in an order that is spread evenly at any time. */
static int level_at(const gdyn_search *s, const sweep *e) {
    const double *w = weights_at(s, e, e->given % e->weights);
    return (int)lround(w[0] * (s->options.level_count - 1));
}

/* How the last problem of this solver ended, if it was that of a level. */
static void note_level(const gdyn_search *s, const gdyn_solver *last) {
    if (!s->options.level || last->task.tag == 0 || last->over)
        return;
    gdyn_search_level state = last->best_excess <= INSIDE ? GDYN_LEVEL_SOLVED : GDYN_LEVEL_UNMET;
    gdyn_search_level *now = &s->level_state[last->task.tag - 1];
    *now = state > *now ? state : *now;
}

/* Problem number `given` of the phase; returns which of the best starts it takes. */
static int set_problem(const gdyn_search *s, const sweep *e, gdyn_scalar *p) {
    scale(s, e, p);
    if (s->options.level) {
        /* The other objective is minimized; no augmentation, which would move the solution off the
         * limit. */
        int level = level_at(s, e), limited = s->options.limited, goal = 1 - limited;
        p->rho = 0;
        p->a[goal] = 0, p->d[goal] = 1;
        p->a[limited] = (s->level[level] - p->ideal[limited]) / p->range[limited] - INSIDE;
        p->d[limited] = 0;
        return 0;
    }
    if (e->phase == FRONT && (e->given < s->m || s->m == 1) &&
        e->scaled) { /* the first weights are corners */
        corner_again(s->m == 1 ? 0 : (int)e->given, p);
        return 0;
    }
    if (e->phase == FRONT) {
        p->rho = AUGMENTATION;
        const double *w = weights_at(s, e, e->given);
        /* Chebyshev: solutions lie where rays in the evenly spread directions w meet the front. */
        for (int i = 0; i < p->m; i++)
            p->a[i] = 0, p->d[i] = fmax(w[i], LEAST_WEIGHT);
        if (s->options.method == GDYN_SEARCH_EPSILON_CONSTRAINT)
            epsilon_constraint(w, p);
        else if (s->options.method == GDYN_SEARCH_NBI)
            boundary_normal(e, w, p);
        return 0;
    }
    /* Before the front: objective and rank of the start alternate. */
    extreme(e, (int)(e->given % s->m), p);
    return (int)(e->given / s->m);
}

static bool give(gdyn_search *s, gdyn_solver *solver, gdyn_solver_task *task) {
    sweep *e = s->engine;
    const gdyn_nlopt *nlopt = e->workers.nlopt;
    note_level(s, solver);
    if (e->given >= problems_of_phase(s, e))
        return false;
    gdyn_scalar *p = &solver->problem;
    int rank = set_problem(s, e, p);
    /* Before the front only the scale is sought: rough solutions are enough. */
    double tolerance = s->options.tolerance > 0 ? s->options.tolerance : TOLERANCE;
    int tag = s->options.level ? 1 + level_at(s, e) : 0;
    /* One objective, or a level that is solved: where the best design leads is known. */
    bool solved = s->options.level && s->level_state[tag - 1] == GDYN_LEVEL_SOLVED;
    bool elsewhere = e->phase == FRONT && (s->m == 1 || solved);
    const double *start = elsewhere ? random_start(s, e) : start_for(s, e, p, rank);
    e->given++, e->barren++;
    *task = (gdyn_solver_task){
        .start = start,
        .constrained = e->violated,
        .step = STEP,
        .tolerance = e->phase == FRONT ? tolerance : fmax(tolerance, ROUGH),
        .budget = (long)(nlopt->about.global ? GLOBAL_BUDGET : LOCAL_BUDGET) * (s->n + 1),
        .runs = nlopt->about.global ? 1 : MOST_RUNS,
        .seed = s->options.seed + (uint64_t)e->given + ((uint64_t)(e->phase + e->round) << 20),
        .tag = tag,
    };
    return true;
}

/* What the ends are until they are found: edges, or the corners, which are the same with two
 * objectives. */
static void prepare_ends(const gdyn_search *s, sweep *e) {
    size_t m = (size_t)s->m;
    for (size_t k = 0; k < m; k++) {
        /* Where there are edges their level limits the others. */
        bool edge = s->m > 2 && isfinite(e->value[m + k]);
        e->level[k] = edge ? e->value[m + k] : 0;
        e->value[m + k] = INFINITY;
        if (!edge)
            memcpy(e->corner + (m + k) * m, e->corner + (m - 1 - k) * m, m * sizeof *e->corner);
    }
}

/* The corners again while that widens a range, then the next phase. */
static void enter_next(gdyn_search *s, sweep *e) {
    /* A wider range moves the corners: seek them once more. */
    if (e->phase == CORNERS && take_scale(s, e) && e->round + 1 < ROUNDS) {
        e->round++;
        for (int k = 0; k < s->m; k++)
            e->value[k] = INFINITY;
    } else {
        if (e->phase == EDGES)
            prepare_ends(s, e);
        else if (e->phase == ENDS)
            take_scale(s, e);
        e->phase++;
    }
    e->given = e->phase == FRONT && s->m == 1; /* one objective has its corner only */
    scale(s, e, &e->scratch);
    for (int k = 0; e->phase != FRONT && k < s->info.feasible; k++)
        take_extreme(s, e, gdyn_slot_f(s, s->parent[k]), &e->scratch);
}

static gdyn_status breed(gdyn_search *s, int *count) {
    sweep *e = s->engine;
    *count = gdyn_workers_breed(&e->workers, s, give);
    while (*count == 0 && e->phase != FRONT) {
        enter_next(s, e);
        *count = gdyn_workers_breed(&e->workers, s, give);
    }
    return GDYN_OK;
}

const gdyn_method gdyn_method_sweep = {.room = room,
                                       .create = create,
                                       .destroy = destroy,
                                       .learn = learn,
                                       .select = gdyn_pool_select,
                                       .breed = breed};
