/* de.c - differential evolution among the best.
 *
 * Children come from a target t; targets are as many as a twentieth of the population, evenly along
 * the best front from end to end. Either (four in ten)
 *   v = x_p + F (x_r - x_a),   child_j = v_j with probability CR, else t_j      (best/1/bin)
 * with p any member of the best front, r any member, and a one of the N designs that a child of
 * theirs replaced last by its better child (before there is one: any member). The difference points
 * from what was left to where the population is, as in JADE (Zhang, Sanderson 2009). Or (three in
 * ten) one variable of t takes a normal step whose size is drawn evenly in logarithm between one
 * and a hundredth of the range.
 *
 * Or, from any t of the best front, along it: the best designs of several objectives are mostly
 * pieces of a manifold of m - 1 dimensions, which mixing single variables leaves. With x_1 .. x_K
 * the members nearest to t in the objectives
 *   child = t + F (x_a - x_b),  F = 1/2                 (two in ten; rand/1, neighbours as in
 *   MOEA/D-DE: Li, Zhang 2009) child = t + c / sqrt(K) sum_k N_k (x_k - t)         (one in ten; N_k
 *   normal)
 * The latter has the covariance of the neighbours about t: wide along the set, narrow across,
 * regardless of the axes are (a sample of the local model of RM-MEDA, Zhang, Zhou, Jin 2008,
 * without its decomposition).
 *
 * Which of these kinds advance the front depends on the problem: steps where variables are
 * separable, the last two where they are linked. With two and three objectives six children in ten
 * keep the shares above, four follow the rates at which children of a kind better a member of the
 * best front, remembered for some twenty populations (operators chosen by success, as in AMALGAM
 * and Borg: Vrugt, Robinson 2007; Hadka, Reed 2013). With more objectives few designs better
 * another one.
 *
 * One objective has no front that keeps members apart, and nothing to go along (differences six in
 * ten, steps four): there every member is a target in turn and gives way only to its own
 * child, and p is of the better half. Where batches wait (lag), a target may be replaced before its
 * child is known: such a child competes with nobody. A design of a local search (hybrid.c) gives
 * way to nobody but takes the place of the member nearest to it, where it is better: so polished
 * copies do not take over.
 *
 * F and CR of best/1/bin are drawn around means of those that lately made children better than
 * their targets (success history; Tanabe, Fukunaga 2013): F Cauchy, CR normal, both of width 0.1.
 *
 * Batches are a fifth of the population, so that good designs breed soon; few targets, because a
 * front converges as fast as its members are renewed. A variable that leaves its bounds is set
 * to the bound or, as often, drawn between target and bound: bounds can be reached exactly and do
 * not collect the population. Categorical variables take the value of one of the designs that are
 * mixed. */
#include "search/method.h"

#include "base/memory.h"
#include "base/pi.h"

#include <math.h>
#include <string.h>

enum { MEMORY = 8, BATCHES = 5, TARGETS = 20, LEAST = 4, NEAR = 8 };
static const double least_step = -2 /* decades of the range */, width = 0.1;
static const double BETTER_HALF = 0.5; /* of the population: p, with one objective */
static const double NEAR_WEIGHT = 0.5, BLEND_WIDTH = 0.7; /* F and c along the front */
static const double DISTURBANCE = 20; /* eta of the mutation of a child equal to its target */
/* Shares of the kinds: part that is never learnt; populations that successes are remembered for;
 * most objectives. */
static const double FIXED = 0.6, REMEMBERED = 20;
enum { LEARNT = 3 };

/* How a child is made, and how often; with one objective, with several (to begin with). */
typedef enum kind { STEP, DIFFERENCE, NEAR_DIFFERENCE, BLEND, KINDS } kind;
static const double share_of[2][KINDS] = {
    {[STEP] = 0.4, [DIFFERENCE] = 0.6},
    {[STEP] = 0.3, [DIFFERENCE] = 0.4, [NEAR_DIFFERENCE] = 0.2, [BLEND] = 0.1}};

typedef struct gdyn_de {
    double *weight, *rate; /* capacity: F and CR that made the slot's design; F = 0: by a step */
    int *made;             /* capacity: kind of the slot's design */
    int *target;           /* capacity: slot of the target, */
    long *serial;    /* capacity: and its number, as the slot may have been given away since */
    double *range;   /* m: of the objectives of the members, when a batch is made */
    double *left;    /* n x N: designs that were replaced by better children, cyclic */
    long left_count; /* ever written to `left` */
    double mean_weight[MEMORY], mean_rate[MEMORY];
    /* By kinds: shares of the children; children, those that advanced the front, older ones
     * counting less. */
    double share[KINDS], tried[KINDS], advanced[KINDS];
    int next; /* entry of the memory to be renewed */
    int turn; /* one objective: number of the next target */
} engine;

gdyn_status gdyn_de_create(gdyn_search *s) {
    engine *e = s->de = gdyn_arena_alloc(s->arena, 1, sizeof *e);
    if (!e)
        return GDYN_ERROR_MEMORY;
    size_t capacity = (size_t)s->capacity;
    e->weight = gdyn_arena_doubles(s->arena, capacity);
    e->rate = gdyn_arena_doubles(s->arena, capacity);
    e->made = gdyn_arena_alloc(s->arena, capacity, sizeof *e->made);
    e->target = gdyn_arena_alloc(s->arena, capacity, sizeof *e->target);
    e->serial = gdyn_arena_alloc(s->arena, capacity, sizeof *e->serial);
    e->range = gdyn_arena_doubles(s->arena, (size_t)s->m);
    e->left = gdyn_arena_doubles(s->arena, (size_t)s->N * (size_t)s->n);
    for (int k = 0; k < MEMORY; k++)
        e->mean_weight[k] = e->mean_rate[k] = 0.5;
    /* A full memory in which each kind was tried as often, with its share of success. */
    for (int k = 0; k < KINDS; k++) {
        e->share[k] = share_of[s->m > 1][k], e->tried[k] = REMEMBERED * s->N / KINDS;
        e->advanced[k] = e->tried[k] * e->share[k];
    }
    if (s->m > 1 && s->m <= LEARNT && !s->aim && gdyn_helper_create(s) != GDYN_OK)
        return GDYN_ERROR_MEMORY;
    return gdyn_arena_failed(s->arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

/* --- learning ----------------------------------------------------------------------------- */

/* Whether a slot still holds the design that the child in `slot` was made from. */
static bool holds_target(const gdyn_search *s, const engine *e, int holder, int slot) {
    return holder == e->target[slot] && s->serial[holder] == e->serial[slot];
}

/* Less failure, then less violation, then domination. */
static bool betters(const gdyn_search *s, int a, int b) {
    if (s->failure[a] != s->failure[b])
        return s->failure[a] < s->failure[b];
    if (s->violation[a] != s->violation[b])
        return s->violation[a] < s->violation[b];
    return gdyn_slot_feasible(s, a) &&
           gdyn_fronts_dominates(gdyn_slot_f(s, a), gdyn_slot_f(s, b), s->m);
}

gdyn_status gdyn_de_learn(gdyn_search *s) {
    engine *e = s->de;
    double weights = 0, squares = 0, rates = 0;
    int wins = 0;
    /* Winners of the last batch renew the memory; what they replaced is kept for differences. */
    for (int i = s->guests; s->info.generation > 1 && i < s->children; i++) {
        int slot = s->child[i], target = e->target[slot];
        if (e->weight[slot] == 0 || !holds_target(s, e, target, slot) || !betters(s, slot, target))
            continue;
        wins++;
        weights += e->weight[slot], squares += e->weight[slot] * e->weight[slot];
        rates += e->rate[slot];
        memcpy(e->left + (size_t)(e->left_count++ % s->N) * (size_t)s->n, gdyn_slot_x(s, target),
               (size_t)s->n * sizeof *e->left);
    }
    if (wins > 0) {
        e->mean_weight[e->next] = squares / weights; /* Lehmer mean */
        e->mean_rate[e->next] = rates / wins;
        e->next = (e->next + 1) % MEMORY;
    }
    return GDYN_OK;
}

/* --- breeding ----------------------------------------------------------------------------- */

/* Value x of variable j of a child whose target has `from`, brought back between the bounds. */
static double within(const gdyn_variation *v, gdyn_random *random, int j, double x, double from) {
    double low = v->lower[j], high = v->upper[j];
    if (x < low || x > high) {
        double bound = x < low ? low : high;
        bool halfway = gdyn_random_uniform(random) >= 0.5;
        x = halfway ? from + gdyn_random_uniform(random) * (bound - from) : bound;
    }
    return gdyn_variation_settle(v, j, x);
}

static void draw_parameters(gdyn_search *s, gdyn_random *random, int slot) {
    engine *e = s->de;
    /* A pair of means from the memory; F by Cauchy until positive, CR by the normal
     * distribution. */
    int k = gdyn_random_below(random, MEMORY);
    double weight, rate = e->mean_rate[k] + width * gdyn_random_normal(random);
    do
        weight = e->mean_weight[k] + width * tan(GDYN_PI * (gdyn_random_uniform(random) - 0.5));
    while (weight <= 0);
    e->weight[slot] = s->options.weight > 0 ? s->options.weight : fmin(weight, 1);
    e->rate[slot] = s->options.rate > 0 ? s->options.rate : fmin(fmax(rate, 0), 1);
}

/* A parent other than those of the slots a, b, c. */
static int another(const gdyn_search *s, gdyn_random *random, int a, int b, int c) {
    for (;;) {
        int slot = s->parent[gdyn_random_below(random, s->parents)];
        if (slot != a && slot != b && slot != c)
            return slot;
    }
}

static void differ(gdyn_search *s, gdyn_random *random, int slot, int target, int best) {
    engine *e = s->de;
    const gdyn_variation *v = &s->variation;
    draw_parameters(s, random, slot);
    /* p among the best parents, r and a among all parents, all different. */
    int p = s->parent[gdyn_random_below(random, best)];
    int r = another(s, random, target, p, -1), a = another(s, random, target, p, r);
    const double *xt = gdyn_slot_x(s, target), *xp = gdyn_slot_x(s, p), *xr = gdyn_slot_x(s, r);
    /* a comes from what was replaced, once there is such a design. */
    int left = e->left_count < s->N ? (int)e->left_count : s->N;
    const double *xa = left > 0 ? e->left + (size_t)gdyn_random_below(random, left) * (size_t)s->n
                                : gdyn_slot_x(s, a);
    double *x = gdyn_slot_x(s, slot);
    /* One variable at least comes from the difference. */
    int sure = gdyn_random_below(random, s->n);
    for (int j = 0; j < s->n; j++) {
        x[j] = xt[j];
        if (j != sure && gdyn_random_uniform(random) >= e->rate[slot])
            continue;
        if (v->categorical[j])
            x[j] = gdyn_random_uniform(random) < 0.5 ? xp[j] : xr[j];
        else
            x[j] = within(v, random, j, xp[j] + e->weight[slot] * (xr[j] - xa[j]), xt[j]);
    }
}

/* One variable takes a step. */
static void step(gdyn_search *s, gdyn_random *random, int slot, int target) {
    const gdyn_variation *v = &s->variation;
    double *x = gdyn_slot_x(s, slot);
    memcpy(x, gdyn_slot_x(s, target), (size_t)s->n * sizeof *x);
    int j = gdyn_random_below(random, s->n);
    for (int tried = 0; tried < s->n && v->upper[j] <= v->lower[j]; tried++) /* held */
        j = j + 1 < s->n ? j + 1 : 0;
    if (v->categorical[j]) {
        gdyn_variation_change(v, random, j, x);
        return;
    }
    /* Steps from the whole range to a hundredth of it, evenly in logarithm. */
    double size = pow(10, least_step * gdyn_random_uniform(random)) * (v->upper[j] - v->lower[j]);
    x[j] = within(v, random, j, x[j] + size * gdyn_random_normal(random), x[j]);
}

/* --- along the front ----------------------------------------------------------------------- */

/* Ranges of the objectives over the members that could be evaluated. */
static void measure_ranges(const gdyn_search *s, engine *e) {
    for (int i = 0; i < s->m; i++) {
        double least = INFINITY, greatest = -INFINITY;
        for (int k = 0; k < s->parents; k++)
            if (s->failure[s->parent[k]] == 0) {
                double f = gdyn_slot_f(s, s->parent[k])[i];
                least = fmin(least, f), greatest = fmax(greatest, f);
            }
        e->range[i] = greatest > least ? greatest - least : 1;
    }
}

/* Squared distance of two members in the objectives, as shares of the ranges; of failed ones by the
 * failure. */
static double apart(const gdyn_search *s, const engine *e, int a, int b) {
    double sum = s->failure[a] == s->failure[b] ? 0 : fabs(s->failure[a] - s->failure[b]);
    for (int i = 0; i < s->m; i++) {
        double d = (gdyn_slot_f(s, a)[i] - gdyn_slot_f(s, b)[i]) / e->range[i];
        sum += d * d;
    }
    return sum;
}

/* The members nearest to the target, at most NEAR, by an insertion sort; returns how many. */
static int find_near(const gdyn_search *s, const engine *e, int target, int near[NEAR]) {
    double distance[NEAR];
    int count = 0;
    for (int k = 0; k < s->parents; k++) {
        int slot = s->parent[k];
        double d = slot == target ? INFINITY : apart(s, e, slot, target);
        if (slot == target || (count == NEAR && d >= distance[NEAR - 1]))
            continue;
        int at = count < NEAR ? count++ : NEAR - 1;
        for (; at > 0 && distance[at - 1] > d; at--)
            distance[at] = distance[at - 1], near[at] = near[at - 1];
        distance[at] = d, near[at] = slot;
    }
    return count;
}

/* The difference of two neighbours. */
static void differ_near(gdyn_search *s, gdyn_random *random, int slot, int target) {
    const gdyn_variation *v = &s->variation;
    int near[NEAR], count = find_near(s, s->de, target, near);
    int first = gdyn_random_below(random, count), second = gdyn_random_below(random, count - 1);
    const double *xt = gdyn_slot_x(s, target), *xa = gdyn_slot_x(s, near[first]);
    const double *xb = gdyn_slot_x(s, near[second < first ? second : second + 1]);
    double *x = gdyn_slot_x(s, slot);
    for (int j = 0; j < s->n; j++)
        if (v->categorical[j])
            x[j] = gdyn_random_uniform(random) < 0.5 ? xt[j] : xa[j];
        else
            x[j] = within(v, random, j, xt[j] + NEAR_WEIGHT * (xa[j] - xb[j]), xt[j]);
}

/* A normal sample of the neighbourhood. */
static void blend(gdyn_search *s, gdyn_random *random, int slot, int target) {
    const gdyn_variation *v = &s->variation;
    int near[NEAR], count = find_near(s, s->de, target, near);
    double share[NEAR], *x = gdyn_slot_x(s, slot);
    const double *xt = gdyn_slot_x(s, target);
    for (int k = 0; k < count; k++)
        share[k] = BLEND_WIDTH / sqrt(count) * gdyn_random_normal(random);
    for (int j = 0; j < s->n; j++) {
        double sum = xt[j];
        for (int k = 0; k < count; k++)
            sum += share[k] * (gdyn_slot_x(s, near[k])[j] - xt[j]);
        if (v->categorical[j])
            x[j] = gdyn_random_uniform(random) < 0.5 ? xt[j] : gdyn_slot_x(s, near[0])[j];
        else
            x[j] = within(v, random, j, sum, xt[j]);
    }
}

/* --- breeding a batch ---------------------------------------------------------------------- */

static kind choose_kind(const double share[KINDS], gdyn_random *random) {
    double drawn = gdyn_random_uniform(random);
    int k = 0;
    while (k + 1 < KINDS && drawn >= share[k])
        drawn -= share[k++];
    /* Rounding may leave a last rest to a kind that has no share. */
    return share[k] > 0 ? (kind)k : DIFFERENCE;
}

/* The target of child i: evenly along the best, both ends included; with one objective in turn;
 * with an aim the first one is an end of the front, so that the scale becomes right. */
static int choose_target(const gdyn_search *s, int i, int targets, int best) {
    const engine *e = s->de;
    if (s->m == 1)
        return s->parent[(e->turn + i) % s->parents];
    if (i == 0 && gdyn_aim_known(s) && best > 1) {
        int ends = s->m < best - 1 ? s->m : best - 1;
        return s->parent[1 + s->info.generation % ends];
    }
    return s->parent[(long)(i % targets) * (best - 1) / (targets - 1)];
}

/* How many of the parents p is drawn from: the best front, of it the region where there is an aim;
 * with one objective the better half, at least the targets. */
static int count_best(const gdyn_search *s, int targets) {
    int best = 0;
    if (gdyn_aim_known(s))
        best = gdyn_aim_parents(s);
    else
        while (best < s->parents && s->front[s->parent[best]] == 0)
            best++;
    int half = s->m == 1 ? (int)(BETTER_HALF * s->N) : 0;
    best = best > half ? best : half;
    best = best > targets ? best : targets;
    return best < s->parents ? best : s->parents;
}

static void make_child(gdyn_search *s, int i, int target, int best) {
    engine *e = s->de;
    gdyn_random random =
        gdyn_random_stream(s->options.seed, (uint64_t)s->info.generation, (uint64_t)i);
    int slot = s->child[s->guests + i];
    kind how = choose_kind(e->share, &random);
    if (how == NEAR_DIFFERENCE || how == BLEND)
        target = s->parent[gdyn_random_below(&random, best)];
    e->made[slot] = (int)how;
    e->target[slot] = target, e->serial[slot] = s->serial[target];
    /* Only `differ` has an F and CR to learn from. */
    e->weight[slot] = e->rate[slot] = 0;
    if (how == DIFFERENCE)
        differ(s, &random, slot, target, best);
    else
        (how == STEP ? step : how == BLEND ? blend : differ_near)(s, &random, slot, target);
    /* A child equal to its target would waste an evaluation. */
    double *x = gdyn_slot_x(s, slot);
    gdyn_variation usual = s->variation;
    usual.mutation_eta = DISTURBANCE;
    if (memcmp(x, gdyn_slot_x(s, target), (size_t)s->n * sizeof *x) == 0)
        gdyn_variation_disturb(&usual, &random, x);
}

/* Children own .. own + helped - 1 from the helper; nothing is learnt from them. */
static void help(gdyn_search *s, int own, int helped, int targets) {
    engine *e = s->de;
    int best = gdyn_helper_begin(s);
    best = best > targets ? best : targets < s->parents ? targets : s->parents;
    measure_ranges(s, e);
    for (int i = 0; i < helped; i++) {
        int slot = s->child[s->guests + own + i];
        make_child(s, own + i, choose_target(s, i, targets, best), best);
        e->weight[slot] = 0, e->made[slot] = KINDS;
    }
    gdyn_helper_end(s);
}

gdyn_status gdyn_de_breed(gdyn_search *s, int *count) {
    engine *e = s->de;
    int targets = s->N / TARGETS > LEAST ? s->N / TARGETS : LEAST, best = count_best(s, targets);
    if (*count <= 0)
        *count = s->N / BATCHES > LEAST ? s->N / BATCHES : LEAST;
    int helped = gdyn_helper_share(s, *count), own = *count - helped;
    measure_ranges(s, e);
    for (int i = 0; i < own; i++)
        make_child(s, i, choose_target(s, i, targets, best), best);
    if (helped > 0)
        help(s, own, helped, targets);
    e->turn = (e->turn + own) % s->parents;
    return GDYN_OK;
}

/* --- shares of the kinds --------------------------------------------------------------------- */

/* Whether a design betters a member of the best front. */
static bool advances(const gdyn_search *s, int slot) {
    for (int k = 0; k < s->parents && s->front[s->parent[k]] == 0; k++)
        if (betters(s, slot, s->parent[k]))
            return true;
    return false;
}

/* Counts the children of the batch and those that better a member of the best front, before
 * survivors are selected, and divides the next children by them. */
static void learn_shares(const gdyn_search *s, engine *e) {
    int bred = s->children > s->guests ? s->children - s->guests : 0;
    double sum = 0, forget = exp(-bred / (REMEMBERED * s->N));
    for (int k = 0; k < KINDS; k++)
        e->tried[k] *= forget, e->advanced[k] *= forget;
    for (int i = s->guests; i < s->children; i++) {
        int slot = s->child[i];
        if (e->made[slot] == KINDS)
            continue;
        e->tried[e->made[slot]]++;
        e->advanced[e->made[slot]] += advances(s, slot);
    }
    for (int k = 0; k < KINDS; k++)
        sum += e->advanced[k] / e->tried[k];
    for (int k = 0; k < KINDS && sum > 0; k++)
        e->share[k] = FIXED * share_of[1][k] + (1 - FIXED) * e->advanced[k] / e->tried[k] / sum;
}

/* --- survivors ----------------------------------------------------------------------------- */

/* The helper's survivors, and the pool as it was. */
static void select_helper(gdyn_search *s) {
    const engine *e = s->de;
    int made = 0, gained = 0;
    for (int i = s->guests; s->info.generation > 1 && i < s->children; i++)
        if (e->made[s->child[i]] == KINDS)
            made++, gained += advances(s, s->child[i]);
    gdyn_helper_select(s, made, gained);
    memcpy(s->pool, s->parent, (size_t)s->parents * sizeof *s->pool);
    memcpy(s->pool + s->parents, s->child, (size_t)s->children * sizeof *s->pool);
}

/* Number of the member nearest to a design, variables as shares of their ranges. */
static int nearest(const gdyn_search *s, const double *x) {
    const gdyn_variation *v = &s->variation;
    int found = 0;
    double least = INFINITY;
    for (int k = 0; k < s->parents; k++) {
        const double *y = gdyn_slot_x(s, s->parent[k]);
        double sum = 0;
        for (int j = 0; j < s->n; j++) {
            double range = v->upper[j] - v->lower[j], d = range > 0 ? (x[j] - y[j]) / range : 0;
            sum += v->categorical[j] ? x[j] != y[j] : d * d;
        }
        if (sum < least)
            least = sum, found = k;
    }
    return found;
}

void gdyn_de_select(gdyn_search *s, int count) {
    engine *e = s->de;
    if (s->m > 1 || s->parents < s->N) {
        /* The first generation is made by none of the kinds. */
        if (s->m > 1 && s->m <= LEARNT && s->info.generation > 1)
            learn_shares(s, e);
        if (s->helper)
            select_helper(s);
        gdyn_pool_select_apart(s, count);
        return;
    }
    /* One objective: members keep apart. */
    for (int i = 0; i < s->children; i++) {
        int slot = s->child[i], k = 0;
        if (i < s->guests)
            k = nearest(s, gdyn_slot_x(s, slot));
        else
            while (k < s->parents && !holds_target(s, e, s->parent[k], slot))
                k++;
        /* A child as good as its target moves on; one whose target is gone is left out. */
        bool takes = k < s->parents && (i < s->guests ? betters(s, slot, s->parent[k])
                                                      : !betters(s, s->parent[k], slot));
        if (takes)
            s->parent[k] = slot;
    }
    memcpy(s->pool, s->parent, (size_t)s->parents * sizeof *s->pool);
    gdyn_pool_select(s, s->parents);
}

const gdyn_method gdyn_method_de = {.create = gdyn_de_create,
                                    .learn = gdyn_de_learn,
                                    .select = gdyn_de_select,
                                    .breed = gdyn_de_breed};
