/* sweep.c - the front as the solutions of many problems of one objective each, solved by NLopt.
 *
 *   1. A Latin hypercube gives a first scale of the objectives.
 *   2. Every objective alone is minimized from a few of the best designs. The results give the ideal
 *      point, the nadir point (greatest of each objective among them) and the corners of the front.
 *   3. Problems that differ in their parameters (scalar.h) are solved, each from the best design that
 *      is known for it, in an order that is spread evenly at any time:
 *        chebyshev            the ideal point is approached in the ratio of weights (Bowman 1976;
 *                             augmented: Steuer, Choo 1983)
 *        epsilon_constraint   one objective is minimized, the others are limited (Haimes et al. 1971)
 *        nbi                  from a point between the corners towards the front (Das, Dennis 1998)
 *
 * Several workers solve problems side by side; a batch is what all of them ask for, and a worker
 * that has finished takes the next problem. Whatever is evaluated competes for the front. */
#include "search/workers.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { STARTS = 3, MOST_RUNS = 6, MOST_WORKERS = 256, LEAST_WORKERS = 4, MOST_WEIGHTS = 4096 };
/* Designs of one problem, per variable. */
enum { LOCAL_BUDGET = 60, GLOBAL_BUDGET = 300 };
static const double LEAST_WEIGHT = 1e-3, STEP = 0.25, TOLERANCE = 1e-6, AUGMENTATION = 1e-4;

typedef struct sweep {
    gdyn_workers workers;
    int weights;   /* columns of w */
    double *w;     /* m x weights */
    long given;    /* problems of the phase given out so far */
    bool cornered; /* phase 3 */
    bool violated;
    double *low, *high; /* m: range of the first feasible designs */
    bool ranged;
    double *corner;        /* m x m: objectives of the best design for each objective alone */
    double *value;         /* m: its value there, INFINITY when there is none */
    double *ideal, *range; /* m: scale of phase 3 */
} sweep;

static const gdyn_nlopt *algorithm_of(const gdyn_search *s) {
    bool whole = false;
    for (int j = 0; j < s->n; j++)
        whole |= s->variation.integer[j] && s->variation.upper[j] > s->variation.lower[j];
    const char *own = whole ? "isres" : "slsqp";
    return gdyn_nlopt_of(s->options.nlopt ? s->options.nlopt : own);
}

/* Algorithms that build a model of slopes or curvature cannot see whole numbers. */
static bool fits(const gdyn_search *s, const gdyn_nlopt *nlopt) {
    for (int j = 0; j < s->n; j++) {
        bool free = s->variation.upper[j] > s->variation.lower[j];
        if (free && s->variation.integer[j] &&
            (nlopt->gradient || strcmp(nlopt->name, "bobyqa") == 0))
            return false;
        if (free && s->variation.categorical[j] && !nlopt->global)
            return false;
    }
    return true;
}

static gdyn_solver_space space_of(const gdyn_search *s) {
    return (gdyn_solver_space){.variation = &s->variation,
                               .m = s->m,
                               .constraints = s->constraints,
                               .nlopt = algorithm_of(s)};
}

/* So many that a batch is about as large as the population. */
static int worker_count(const gdyn_search *s, const gdyn_solver_space *space) {
    int count = s->N / gdyn_solver_most(space);
    return count < LEAST_WORKERS ? LEAST_WORKERS : count < MOST_WORKERS ? count : MOST_WORKERS;
}

static int room(const gdyn_search *s) {
    gdyn_solver_space space = space_of(s);
    if (!space.nlopt)
        return s->N;
    int wanted = worker_count(s, &space) * gdyn_solver_most(&space);
    return wanted > s->N ? wanted : s->N; /* the Latin hypercube has N designs */
}

/* --- create, destroy ------------------------------------------------------------------------- */

static gdyn_status allocate(gdyn_search *s, sweep *e) {
    size_t m = (size_t)s->m;
    int wanted = s->options.points > 0 ? s->options.points : s->N;
    int divisions =
        gdyn_weights_divisions(s->m, wanted < MOST_WEIGHTS ? wanted : MOST_WEIGHTS, &e->weights);
    size_t weights = (size_t)e->weights;
    e->w = gdyn_alloc(weights * (m + 1), sizeof *e->w);
    e->low = gdyn_alloc(5 * m, sizeof *e->low);
    e->corner = gdyn_alloc(m * m, sizeof *e->corner);
    if (!e->w || !e->low || !e->corner)
        return GDYN_ERROR_MEMORY;
    e->high = e->low + m, e->value = e->high + m, e->ideal = e->value + m, e->range = e->ideal + m;
    gdyn_weights_fill(s->m, divisions, e->weights, e->w, e->w + weights * m);
    for (int i = 0; i < s->m; i++)
        e->low[i] = e->value[i] = INFINITY, e->high[i] = -INFINITY;
    return GDYN_OK;
}

static gdyn_status create(gdyn_search *s) {
    gdyn_solver_space space = space_of(s);
    if (!space.nlopt || !fits(s, space.nlopt))
        return GDYN_ERROR_ARGUMENT;
    sweep *e = gdyn_alloc(1, sizeof *e);
    if (!e)
        return GDYN_ERROR_MEMORY;
    s->engine = e;
    gdyn_status status = allocate(s, e);
    if (status != GDYN_OK)
        return status;
    return gdyn_workers_create(&space, worker_count(s, &space), &e->workers);
}

static void destroy(gdyn_search *s) {
    sweep *e = s->engine;
    if (!e)
        return;
    gdyn_workers_destroy(&e->workers);
    gdyn_free(e->w);
    gdyn_free(e->low);
    gdyn_free(e->corner);
    gdyn_free(e);
}

/* --- what the results tell ------------------------------------------------------------------- */

static double width(double low, double high) {
    double range = high - low;
    return range > 0 && isfinite(range) ? range : fmax(isfinite(high) ? fabs(high) : 0, 1);
}

/* Scale of phases 1 and 2: the range of the first feasible designs, or of none. */
static void first_scale(const gdyn_search *s, const sweep *e, gdyn_scalar *p) {
    for (int i = 0; i < s->m; i++) {
        p->ideal[i] = e->ranged ? e->low[i] : 0;
        p->range[i] = e->ranged ? width(e->low[i], e->high[i]) : 1;
    }
}

/* Objective k alone; the others count a little, so that of equal designs the better one is found. */
static void alone(gdyn_scalar *p, int k) {
    p->rho = AUGMENTATION;
    for (int i = 0; i < p->m; i++)
        p->a[i] = i == k ? 0 : INFINITY, p->d[i] = i == k;
}

static double value_alone(const gdyn_search *s, const sweep *e, int k, const double *f) {
    double sum = 0;
    for (int i = 0; i < s->m; i++)
        sum += (f[i] - e->low[i]) / width(e->low[i], e->high[i]);
    return (f[k] - e->low[k]) / width(e->low[k], e->high[k]) + AUGMENTATION * sum;
}

static void take_range(const gdyn_search *s, sweep *e) {
    for (int c = 0; c < s->children; c++)
        for (int i = 0; gdyn_slot_feasible(s, s->child[c]) && i < s->m; i++) {
            double f = gdyn_slot_f(s, s->child[c])[i];
            e->low[i] = fmin(e->low[i], f), e->high[i] = fmax(e->high[i], f);
            e->ranged = true;
        }
}

static void take_corners(const gdyn_search *s, sweep *e, const double *f) {
    for (int k = 0; k < s->m; k++) {
        double value = value_alone(s, e, k, f);
        if (value >= e->value[k])
            continue;
        e->value[k] = value;
        memcpy(e->corner + (size_t)k * (size_t)s->m, f, (size_t)s->m * sizeof *f);
    }
}

static gdyn_status learn(gdyn_search *s) {
    sweep *e = s->engine;
    for (int c = 0; c < s->children; c++)
        e->violated |= s->violation[s->child[c]] > 0;
    if (!e->ranged)
        take_range(s, e);
    for (int c = 0; e->ranged && c < s->children; c++)
        if (gdyn_slot_feasible(s, s->child[c]))
            take_corners(s, e, gdyn_slot_f(s, s->child[c]));
    gdyn_workers_learn(&e->workers, s);
    return GDYN_OK;
}

/* --- problems -------------------------------------------------------------------------------- */

/* Ideal and nadir point of the corners. */
static void second_scale(const gdyn_search *s, sweep *e) {
    for (int i = 0; i < s->m; i++) {
        double least = INFINITY, greatest = -INFINITY;
        for (int k = 0; e->ranged && k < s->m; k++) {
            double f = e->corner[(size_t)k * (size_t)s->m + (size_t)i];
            least = fmin(least, f), greatest = fmax(greatest, f);
        }
        e->ideal[i] = e->ranged ? least : 0;
        e->range[i] = e->ranged ? width(least, greatest) : 1;
    }
}

/* Weights 1/w_i: solutions lie where rays in the evenly spread directions w meet the front. */
static void chebyshev(const gdyn_search *s, const sweep *e, const double *w, gdyn_scalar *p) {
    (void)s, (void)e;
    for (int i = 0; i < p->m; i++)
        p->a[i] = 0, p->d[i] = fmax(w[i], LEAST_WEIGHT);
}

/* The last objective is minimized; the others have limits w_i of their ranges, m - 1 of the weights
 * being free (with sum at most 1, spread to the whole box by their greatest). */
static void epsilon_constraint(const gdyn_search *s, const sweep *e, const double *w,
                               gdyn_scalar *p) {
    (void)s, (void)e;
    double sum = 0, greatest = 0;
    for (int i = 0; i + 1 < p->m; i++)
        sum += w[i], greatest = fmax(greatest, w[i]);
    for (int i = 0; i + 1 < p->m; i++)
        p->a[i] = greatest > 0 ? w[i] * sum / greatest : 0, p->d[i] = 0;
    p->a[p->m - 1] = 0, p->d[p->m - 1] = 1;
}

/* Scaled objective i of the corner of objective k. */
static double corner_of(const sweep *e, int m, int k, int i) {
    return (e->corner[(size_t)k * (size_t)m + (size_t)i] - e->ideal[i]) / e->range[i];
}

/* Two objectives may have their minima at the same design: no simplex is between such corners. */
static bool corners_apart(const sweep *e, int m) {
    for (int k = 0; k < m; k++)
        for (int l = 0; l < k; l++) {
            double apart = 0;
            for (int i = 0; i < m; i++)
                apart = fmax(apart, fabs(corner_of(e, m, k, i) - corner_of(e, m, l, i)));
            if (apart < 0.01)
                return false;
        }
    return e->ranged;
}

/* a: the point of the simplex between the corners; d: the quasi-normal, their sum (Das, Dennis:
 * -Phi e). Where corners coincide, the simplex between the ends of the scaled axes. */
static void boundary_normal(const gdyn_search *s, const sweep *e, const double *w, gdyn_scalar *p) {
    bool apart = corners_apart(e, s->m);
    for (int i = 0; i < p->m; i++) {
        p->a[i] = apart ? 0 : w[i];
        p->d[i] = apart ? 0 : 1;
        for (int k = 0; apart && k < p->m; k++) {
            p->a[i] += w[k] * corner_of(e, p->m, k, i);
            p->d[i] += corner_of(e, p->m, k, i);
        }
        p->d[i] = fmax(p->d[i], LEAST_WEIGHT);
    }
}

/* The best start of those known: the slot of a parent; `rank` 0 is the best, 1 the next ... */
static int start_for(const gdyn_search *s, const gdyn_scalar *p, int rank) {
    if (s->info.front == 0)
        return s->parent[rank < s->parents ? rank : 0];
    int chosen = -1;
    double last_value = -INFINITY;
    int last = -1;
    for (int r = 0; r <= rank && r < s->info.feasible; r++) {
        double least = INFINITY;
        int best = -1;
        for (int k = 0; k < s->info.feasible; k++) {
            const double *f = gdyn_slot_f(s, s->parent[k]);
            double value = gdyn_scalar_value(p, f) + 10 * gdyn_scalar_excess(p, f);
            bool later = value > last_value || (value == last_value && k > last);
            if (later && (best < 0 || value < least))
                least = value, best = k;
        }
        if (best < 0)
            break;
        chosen = last = best, last_value = least;
    }
    return s->parent[chosen < 0 ? 0 : chosen];
}

typedef void aim(const gdyn_search *s, const sweep *e, const double *w, gdyn_scalar *p);

static aim *aim_of(const gdyn_search *s) {
    switch (s->options.method) {
    case GDYN_SEARCH_EPSILON_CONSTRAINT:
        return epsilon_constraint;
    case GDYN_SEARCH_NBI:
        return boundary_normal;
    default:
        return chebyshev;
    }
}

static long problems_of_phase(const gdyn_search *s, const sweep *e) {
    bool global = e->workers.space.nlopt->global;
    return e->cornered ? e->weights : (long)s->m * (global ? 1 : STARTS);
}

static bool give(gdyn_search *s, gdyn_solver *solver, gdyn_solver_task *task) {
    sweep *e = s->engine;
    const gdyn_solver_space *space = &e->workers.space;
    if (e->given >= problems_of_phase(s, e))
        return false;
    gdyn_scalar *p = gdyn_solver_problem(solver);
    int rank = 0;
    if (e->cornered) {
        memcpy(p->ideal, e->ideal, (size_t)s->m * sizeof *p->ideal);
        memcpy(p->range, e->range, (size_t)s->m * sizeof *p->range);
        p->rho = AUGMENTATION;
        aim_of(s)(s, e, e->w + (size_t)e->given * (size_t)s->m, p);
    } else {
        first_scale(s, e, p);
        alone(p, (int)(e->given % s->m));
        rank = (int)(e->given / s->m);
    }
    long budget = space->nlopt->global ? GLOBAL_BUDGET : LOCAL_BUDGET;
    e->given++;
    *task = (gdyn_solver_task){
        .start = gdyn_slot_x(s, start_for(s, p, rank)),
        .constrained = e->violated,
        .step = STEP,
        .tolerance = s->options.tolerance > 0 ? s->options.tolerance : TOLERANCE,
        .budget = budget * (s->n + 1),
        .runs = space->nlopt->global ? 1 : MOST_RUNS,
        .seed = s->options.seed + (uint64_t)e->given + (e->cornered ? UINT64_C(1) << 20 : 0),
    };
    return true;
}

static gdyn_status breed(gdyn_search *s, int *count) {
    sweep *e = s->engine;
    *count = gdyn_workers_breed(&e->workers, s, give);
    if (*count == 0 && !e->cornered) {
        second_scale(s, e);
        e->cornered = true;
        e->given = s->m < e->weights ? s->m : e->weights; /* the corners are known */
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
