/* cmaes.c - CMA-ES with restarts: normal samples whose covariance adapts to the objective.
 *
 *   x_i = m + sigma A z_i,  z_i ~ N(0, I),  C = A A^T,  i = 1 .. lambda
 *
 * in the unit box of the free continuous variables; whole variables are held. The samples,
 * ordered, move the mean, and C by rank one and rank mu with negative weights (Hansen 2016, The
 * CMA evolution strategy: a tutorial). A is the Cholesky factor, and the path of the step size is
 * that of the z (Krause, Arbones, Igel 2016), so no eigenvectors are needed. Neither slopes nor
 * differences of values are used: ill-conditioned, curved, rugged and noisy objectives do no harm.
 *
 * A run ends when its samples no longer differ or do not get better. The next one begins
 * elsewhere, by turns of equal cost with twice the samples or with the usual number and a small
 * step (BIPOP; Hansen 2009).
 *
 * Failed designs come last; the others are ordered by f + penalty * violation, the penalty growing
 * while few samples are feasible and falling while most are, so that the mean follows the
 * boundary. */
#include "search/method.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Doublings of the samples, and the most of them; free variables that C is kept of; draws of a
 * sample within the box. */
enum { DOUBLINGS = 5, SAMPLES_MOST = 2048, VARIABLES_MOST = 200, DRAWS = 3 };
enum { RECENT = 10, FLAT_MOST = 5, TENTH = 10 };
/* Of the box; of small first steps; when all samples fail. */
static const double FIRST_STEP = 0.25, DECADES = 2, NARROWER = 0.3;
static const double SMALLEST = 1e-11, EQUAL = 1e-13, CONDITION = 1e14;
static const double FEW = 0.2, MANY = 0.5, RAISE = 1.2; /* feasible samples; of the penalty */

struct gdyn_cmaes {
    int n, *variable; /* free continuous variables of the search */
    int usual, most, lambda, mu;
    double *mean, *pc, *ps; /* n */
    double *C, *A;          /* n x n: covariance and its factor, lower halves */
    double *y, *z;          /* n x most: samples (x - mean) / sigma, and A^-1 of them */
    double *w;              /* most: weights */
    double *f, *violation, *failure, *key; /* most */
    double *held;                          /* variables of the search: what is not sampled */
    int *order;                            /* most */
    double sigma, mu_eff, c1, cmu, cs, cc, damping, negative;
    double penalty;              /* 0: not known yet */
    int made, received, pending; /* samples of the generation; of them in the batch */
    bool running, anchored;      /* anchored: the run begins at a design that could be evaluated */
    long generation, doublings, restarts, used[2], improved; /* used: small, large runs */
    bool large;
    int flat;
    double least_failure, best; /* of the run: the best sample's failure and key */
    long failed, evaluated;     /* samples of the run */
};

gdyn_cmaes *gdyn_cmaes_create(const gdyn_search *s) {
    gdyn_arena *arena = s->arena;
    gdyn_cmaes *c = gdyn_arena_alloc(arena, 1, sizeof *c);
    int *variable = gdyn_arena_alloc(arena, (size_t)s->n, sizeof *variable);
    if (!c || !variable)
        return NULL;
    for (int j = 0; j < s->n; j++)
        if (s->variation.upper[j] > s->variation.lower[j] && !s->variation.integer[j])
            variable[c->n++] = j;
    c->variable = variable;
    if (c->n < 1 || c->n > VARIABLES_MOST) {
        c->n = 0;
        return c;
    }
    c->usual = 4 + (int)(3 * log(c->n));
    c->usual = c->usual < s->N / TENTH ? s->N / TENTH : c->usual;
    c->usual = c->usual < SAMPLES_MOST ? c->usual : SAMPLES_MOST;
    c->most = c->usual << DOUBLINGS < SAMPLES_MOST ? c->usual << DOUBLINGS : SAMPLES_MOST;
    size_t n = (size_t)c->n, most = (size_t)c->most;
    double **vectors[] = {&c->mean, &c->pc, &c->ps};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = gdyn_arena_doubles(arena, n);
    double **values[] = {&c->w, &c->f, &c->violation, &c->failure, &c->key};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        *values[i] = gdyn_arena_doubles(arena, most);
    c->C = gdyn_arena_doubles(arena, n * n), c->A = gdyn_arena_doubles(arena, n * n);
    c->y = gdyn_arena_doubles(arena, n * most), c->z = gdyn_arena_doubles(arena, n * most);
    c->held = gdyn_arena_doubles(arena, (size_t)s->n);
    c->order = gdyn_arena_alloc(arena, most, sizeof *c->order);
    return gdyn_arena_failed(arena) ? NULL : c;
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Weights and rates for lambda samples (Hansen 2016, table 1). */
static void choose_rates(gdyn_cmaes *c) {
    double n = c->n, sum[2] = {0}, squares[2] = {0};
    c->mu = c->lambda / 2;
    for (int i = 0; i < c->lambda; i++) {
        c->w[i] = log(0.5 * (c->lambda + 1)) - log(i + 1);
        int side = i >= c->mu;
        sum[side] += c->w[i], squares[side] += c->w[i] * c->w[i];
    }
    double mu_eff = c->mu_eff = sum[0] * sum[0] / squares[0];
    double against = sum[1] * sum[1] / squares[1];
    c->c1 = 2 / ((n + 1.3) * (n + 1.3) + mu_eff);
    c->cmu = fmin(1 - c->c1, 2 * (mu_eff - 2 + 1 / mu_eff) / ((n + 2) * (n + 2) + mu_eff));
    c->cs = (mu_eff + 2) / (n + mu_eff + 5);
    c->cc = (4 + mu_eff / n) / (n + 4 + 2 * mu_eff / n);
    c->damping = 1 + 2 * fmax(0, sqrt((mu_eff - 1) / (n + 1)) - 1) + c->cs;
    double total = fmin(1 + c->c1 / c->cmu, 1 + 2 * against / (mu_eff + 2));
    c->negative = fmin(total, (1 - c->c1 - c->cmu) / (n * c->cmu));
    for (int i = 0; i < c->lambda; i++)
        c->w[i] *= i < c->mu ? 1 / sum[0] : c->negative / fabs(sum[1]);
}

static void begin_run(gdyn_cmaes *c, const gdyn_search *s) {
    gdyn_random random = gdyn_random_stream(s->options.seed, (uint64_t)c->restarts, UINT64_MAX - 3);
    const gdyn_variation *v = &s->variation;
    bool first = c->restarts++ == 0;
    c->large = !first && c->used[1] <= c->used[0];
    if (c->large && c->usual << (c->doublings + 1) <= c->most)
        c->doublings++;
    c->lambda = c->large ? c->usual << c->doublings : c->usual;
    double u = gdyn_random_uniform(&random);
    c->sigma = FIRST_STEP * (first || c->large ? 1 : pow(10, -DECADES * u * u));
    choose_rates(c);
    /* The first run begins at the best design, the others anywhere or, where most designs fail, at
     * any that does not. */
    int good = s->parents;
    while (good > 1 && s->failure[s->parent[good - 1]] > 0)
        good--;
    bool at_member = first || 2 * c->failed > c->evaluated;
    int member = first ? 0 : gdyn_random_below(&random, good);
    c->anchored = at_member && s->failure[s->parent[member]] == 0;
    memcpy(c->held, gdyn_slot_x(s, s->parent[member]), (size_t)s->n * sizeof *c->held);
    size_t n = (size_t)c->n;
    memset(c->C, 0, n * n * sizeof *c->C), memset(c->A, 0, n * n * sizeof *c->A);
    memset(c->pc, 0, n * sizeof *c->pc), memset(c->ps, 0, n * sizeof *c->ps);
    for (size_t i = 0; i < n; i++) {
        int j = c->variable[i];
        c->mean[i] = at_member ? (c->held[j] - v->lower[j]) / (v->upper[j] - v->lower[j])
                               : gdyn_random_uniform(&random);
        c->C[i + n * i] = c->A[i + n * i] = 1;
    }
    c->generation = c->improved = 0, c->flat = 0, c->penalty = 0;
    c->least_failure = c->best = INFINITY, c->failed = c->evaluated = 0;
    c->running = true;
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Sample i, drawn again where it leaves the box, at last moved to its bounds. */
static void draw(gdyn_cmaes *c, gdyn_random *random, int i) {
    int n = c->n;
    double *y = c->y + i * n, *z = c->z + i * n;
    bool outside = true;
    for (int tried = 0; outside && tried < DRAWS; tried++) {
        outside = false;
        for (int k = 0; k < n; k++)
            z[k] = gdyn_random_normal(random), y[k] = 0;
        for (int k = 0; k < n; k++)
            for (int r = k; r < n; r++)
                y[r] += c->A[r + n * k] * z[k];
        for (int k = 0; k < n; k++) {
            double u = c->mean[k] + c->sigma * y[k];
            outside |= u < 0 || u > 1;
        }
    }
    if (!outside)
        return;
    for (int k = 0; k < n; k++)
        y[k] = (fmin(fmax(c->mean[k] + c->sigma * y[k], 0), 1) - c->mean[k]) / c->sigma;
    memcpy(z, y, (size_t)n * sizeof *z);
    gdyn_cholesky_half(n, c->A, false, 1, z);
}

bool gdyn_cmaes_samples(const gdyn_cmaes *c) {
    return c->n > 0;
}

int gdyn_cmaes_left(const gdyn_cmaes *c) {
    return c->running ? c->lambda - c->made : c->usual;
}

int gdyn_cmaes_breed(gdyn_cmaes *c, gdyn_search *s, int first, int count) {
    const gdyn_variation *v = &s->variation;
    c->pending = 0;
    if (c->n == 0 || s->parents == 0)
        return 0;
    if (!c->running)
        begin_run(c, s);
    for (; c->pending < count && c->made < c->lambda; c->pending++, c->made++) {
        gdyn_random random = gdyn_random_stream(
            s->options.seed, (uint64_t)(c->restarts << 32) + (uint64_t)c->generation,
            UINT64_MAX / 2 + (uint64_t)c->made);
        draw(c, &random, c->made);
        double *x = gdyn_slot_x(s, s->child[first + c->pending]);
        memcpy(x, c->held, (size_t)s->n * sizeof *x);
        for (int k = 0; k < c->n; k++) {
            int j = c->variable[k];
            double u = c->mean[k] + c->sigma * c->y[c->made * c->n + k];
            x[j] = gdyn_variation_settle(v, j, v->lower[j] + u * (v->upper[j] - v->lower[j]));
        }
    }
    return c->pending;
}

/* --- learning --------------------------------------------------------------------------------- */

/* Keys of the samples; the first generation with violations tells what these weigh. */
static void weigh_violations(gdyn_cmaes *c) {
    double least = INFINITY, greatest = -INFINITY, violation = 0;
    int feasible = 0;
    for (int i = 0; i < c->lambda; i++) {
        if (c->failure[i] > 0)
            continue;
        least = fmin(least, c->f[i]), greatest = fmax(greatest, c->f[i]);
        violation = fmax(violation, c->violation[i]), feasible += c->violation[i] == 0;
    }
    if (c->penalty == 0 && violation > 0)
        c->penalty = greatest > least ? (greatest - least) / violation : 1;
    else if (violation > 0)
        c->penalty *= feasible < FEW * c->lambda    ? RAISE
                      : feasible > MANY * c->lambda ? 1 / RAISE
                                                    : 1;
    for (int i = 0; i < c->lambda; i++)
        c->key[i] = c->failure[i] > 0 ? c->failure[i] : c->f[i] + c->penalty * c->violation[i];
}

static bool comes_before(const gdyn_cmaes *c, int a, int b) {
    bool failed_a = c->failure[a] > 0, failed_b = c->failure[b] > 0;
    return failed_a != failed_b ? failed_b : c->key[a] < c->key[b];
}

static void order_samples(gdyn_cmaes *c) {
    for (int i = 0; i < c->lambda; i++) {
        int at = i;
        for (; at > 0 && comes_before(c, i, c->order[at - 1]); at--)
            c->order[at] = c->order[at - 1];
        c->order[at] = i;
    }
}

/* C and the paths by the ordered samples; false: C has no factor any more. */
static bool adapt(gdyn_cmaes *c) {
    int n = c->n;
    double path = 0, chi = sqrt(n) * (1 - 1 / (4.0 * n) + 1 / (21.0 * n * n)), sum = 0;
    double along_s = sqrt(c->cs * (2 - c->cs) * c->mu_eff);
    double along_c = sqrt(c->cc * (2 - c->cc) * c->mu_eff);
    for (int k = 0; k < n; k++) {
        double z = 0;
        for (int i = 0; i < c->mu; i++)
            z += c->w[i] * c->z[c->order[i] * n + k];
        c->ps[k] = (1 - c->cs) * c->ps[k] + along_s * z;
        path += c->ps[k] * c->ps[k];
    }
    double begun = 1 - pow(1 - c->cs, 2 * (double)(c->generation + 1));
    bool steady = path / begun / n < 2 + 4.0 / (n + 1);
    for (int k = 0; k < n; k++) {
        double y = 0;
        for (int i = 0; i < c->mu; i++)
            y += c->w[i] * c->y[c->order[i] * n + k];
        c->pc[k] = (1 - c->cc) * c->pc[k] + (steady ? along_c * y : 0);
        c->mean[k] = fmin(fmax(c->mean[k] + c->sigma * y, 0), 1);
    }
    for (int i = 0; i < c->lambda; i++)
        sum += c->w[i];
    double keep = 1 - c->c1 - c->cmu * sum + (steady ? 0 : c->c1 * c->cc * (2 - c->cc));
    for (int k = 0; k < n; k++)
        for (int r = k; r < n; r++)
            c->C[r + n * k] = keep * c->C[r + n * k] + c->c1 * c->pc[r] * c->pc[k];
    for (int i = 0; i < c->lambda; i++) {
        const double *y = c->y + c->order[i] * n, *z = c->z + c->order[i] * n;
        double square = 0;
        for (int k = 0; k < n; k++)
            square += z[k] * z[k];
        double weight = c->cmu * c->w[i] * (c->w[i] < 0 ? n / fmax(square, DBL_MIN) : 1);
        for (int k = 0; k < n; k++)
            for (int r = k; r < n; r++)
                c->C[r + n * k] += weight * y[r] * y[k];
    }
    c->sigma *= exp(fmin(1, c->cs / c->damping * (sqrt(path) / chi - 1)));
    memcpy(c->A, c->C, (size_t)n * (size_t)n * sizeof *c->A);
    return gdyn_cholesky_factor(n, c->A) == GDYN_OK;
}

/* Whether the run is worth going on. */
static bool goes_on(gdyn_cmaes *c) {
    int n = c->n;
    double widest = 0, least = INFINITY, greatest = 0;
    for (int k = 0; k < n; k++) {
        widest = fmax(widest, c->C[k + n * k]);
        least = fmin(least, c->A[k + n * k]), greatest = fmax(greatest, c->A[k + n * k]);
    }
    double first = c->key[c->order[0]], quarter = c->key[c->order[c->lambda / 4 + 1]];
    double failure = c->failure[c->order[0]];
    bool less = !isfinite(c->best) || first < c->best - EQUAL * fabs(c->best);
    if (failure < c->least_failure || (failure == c->least_failure && less))
        c->least_failure = failure, c->best = first, c->improved = c->generation;
    c->flat = first == quarter ? c->flat + 1 : 0;
    long patience = RECENT * RECENT + (long)(RECENT * n * sqrt(n) / c->lambda * RECENT);
    return c->sigma * sqrt(widest) > SMALLEST && greatest * greatest < CONDITION * least * least &&
           c->flat < FLAT_MOST && c->generation - c->improved < patience;
}

void gdyn_cmaes_learn(gdyn_cmaes *c, const gdyn_search *s, int first) {
    for (int k = 0; k < c->pending && first + k < s->children; k++) {
        int slot = s->child[first + k];
        c->f[c->received] = *gdyn_slot_f(s, slot);
        c->violation[c->received] = s->violation[slot];
        c->failed += s->failure[slot] > 0;
        c->failure[c->received++] = s->failure[slot];
    }
    c->used[c->large] += c->pending, c->evaluated += c->pending;
    c->pending = 0;
    if (c->lambda == 0 || c->received < c->lambda)
        return;
    weigh_violations(c);
    order_samples(c);
    /* A step too wide for the region that can be evaluated around the mean. */
    if (c->anchored && c->failed == c->evaluated)
        c->sigma *= NARROWER, c->running = ++c->flat < FLAT_MOST;
    else
        c->running = adapt(c) && goes_on(c);
    c->generation++;
    c->made = c->received = 0;
}
