/* surrogate_models.c - from all results to Gaussian processes of objectives and limits. */
#include "search/method.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Evaluations of a likelihood at first and later; growth of the results that makes learning lengths
 * again worthwhile; designs that a model of objectives needs. */
enum { ITERATIONS_FIRST = 40, ITERATIONS = 12, ENOUGH = 2 };
static const double GROWTH = 1.15;
/* What a model of limits sees of a design that keeps one of which only broken amounts are known;
 * these are of size 1. */
static const double KEPT = -0.25;
/* lambda of the warp: a normal prior about 1. */
static const double LEAST_POWER = 0, GREATEST_POWER = 2, POWER_DEVIATION = 0.5;
/* Values further below the front, in its extents, are compressed. */
static const double FAR = 1000;
enum { SECTIONS = 12, NODES = 5 };
/* Gauss and Hermite's quadrature of a normal distribution. */
static const struct {
    double at, weight;
} node[NODES] = {{0, 8.0 / 15},
                 {1.355626179974266, 0.2220759220056126},
                 {-1.355626179974266, 0.2220759220056126},
                 {2.856970013872806, 0.01125741132772069},
                 {-2.856970013872806, 0.01125741132772069}};

gdyn_status gdyn_surrogate_models_create(gdyn_arena *arena, gdyn_surrogate *e) {
    size_t most = (size_t)e->most, m = (size_t)e->m;
    e->chosen = gdyn_arena_alloc(arena, most, sizeof *e->chosen);
    e->member = gdyn_arena_alloc(arena, most, sizeof *e->member);
    e->x = gdyn_arena_doubles(arena, ((size_t)e->free + 1) * most);
    e->y = gdyn_arena_doubles(arena, most), e->graded = gdyn_arena_doubles(arena, most);
    e->least = gdyn_arena_doubles(arena, m), e->range = gdyn_arena_doubles(arena, m);
    e->power = gdyn_arena_doubles(arena, m), e->corner = gdyn_arena_doubles(arena, m);
    for (size_t k = 0; k < m && !gdyn_arena_failed(arena); k++)
        e->power[k] = 1;
    e->target = gdyn_arena_alloc(arena, m, sizeof(gdyn_gauss *));
    /* One process per objective; for limits: evaluable, all violation, and as many constraints as
     * there is room. */
    for (size_t k = 0; k < m && !gdyn_arena_failed(arena); k++)
        e->target[k] = gdyn_gauss_create(arena, e->most, e->free, e->names);
    e->limits = e->constraints + 2 < GDYN_LIMITS_MOST ? e->constraints + 2 : GDYN_LIMITS_MOST;
    for (int k = 0; k < e->limits; k++) {
        e->limit[k].gauss = gdyn_gauss_create(arena, e->most, e->free, e->names);
        e->limit[k].constraint = k == 0 ? GDYN_EVALUABLE : k == 1 ? GDYN_VIOLATION : GDYN_NO_LIMIT;
    }
    return gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

/* --- which results -------------------------------------------------------------------------- */

/* Keeps the nearest `most` in a heap whose largest stands first; equal distances: the older result
 * stays. */
static void sift(int *heap, int count, int at, const double *distance) {
    for (int child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && distance[heap[child + 1]] > distance[heap[child]])
            child++;
        if (distance[heap[child]] <= distance[heap[at]])
            return;
        int swap = heap[at];
        heap[at] = heap[child], heap[child] = swap;
    }
}

/* All results, or the nearest to the centre where there are too many; returns how many, -1 without
 * memory. */
static int choose(gdyn_surrogate *e) {
    int count = e->results.count, most = e->most;
    for (int i = 0; i < count && i < most; i++)
        e->chosen[i] = i;
    if (count <= most)
        return count;
    double *grown = gdyn_realloc(e->distance, (size_t)count, sizeof *grown);
    if (!grown)
        return -1;
    e->distance = grown;
    for (int i = 0; i < count; i++) {
        const double *u = e->results.u + (size_t)i * (size_t)e->free;
        double sum = 0;
        for (int j = 0; j < e->free; j++) {
            double apart = j < e->free - e->names ? u[j] - e->centre[j] : u[j] != e->centre[j];
            sum += apart * apart;
        }
        grown[i] = sum;
    }
    for (int at = most / 2 - 1; at >= 0; at--)
        sift(e->chosen, most, at, grown);
    for (int i = most; i < count; i++)
        if (grown[i] < grown[e->chosen[0]]) {
            e->chosen[0] = i;
            sift(e->chosen, most, 0, grown);
        }
    return most;
}

/* --- what a model sees ---------------------------------------------------------------------- */

double gdyn_warp(double lambda, double z) {
    double power = z < 0 ? 2 - lambda : lambda, length = log1p(fabs(z));
    return copysign(power != 0 ? expm1(power * length) / power : length, z);
}

void gdyn_warp_moments(double lambda, double mean, double deviation, double *z, double *spread) {
    double sum = 0, squares = 0;
    for (int i = 0; i < NODES; i++) {
        double y = mean + deviation * node[i].at, power = y < 0 ? 2 - lambda : lambda;
        double length = power != 0 ? log1p(power * fabs(y)) / power : fabs(y);
        double value = copysign(expm1(length), y);
        sum += node[i].weight * value, squares += node[i].weight * value * value;
    }
    *z = sum, *spread = sqrt(fmax(squares - sum * sum, 0));
}

double gdyn_warp_misfit(gdyn_gauss *gauss, double lambda, const double *z, double *y) {
    double slopes = 0, off = (lambda - 1) / POWER_DEVIATION; /* slopes: their logarithms */
    for (int i = 0; i < gauss->count; i++) {
        y[i] = gdyn_warp(lambda, z[i]);
        slopes += (lambda - 1) * copysign(log1p(fabs(z[i])), z[i]);
    }
    return gdyn_gauss_misfit(gauss, y) - slopes + 0.5 * off * off;
}

double gdyn_surrogate_scaled(const gdyn_surrogate *e, int k, double f) {
    double z = (f - e->least[k]) / e->range[k];
    return z > 1 ? 1 + log(z) : z < -FAR ? -FAR * (1 + log(z / -FAR)) : z;
}

/* The middle of `count` values, which are put in order. */
static double median(double *value, int count) {
    qsort(value, (size_t)count, sizeof *value, gdyn_ascending);
    return value[count / 2];
}

/* Values of objective k, of the chosen designs that are feasible or can be evaluated, into
 * e->graded in ascending order; returns how many. */
static int values_of(gdyn_surrogate *e, int k, int chosen, bool feasible) {
    int count = 0;
    for (int i = 0; i < chosen; i++) {
        size_t at = (size_t)e->chosen[i];
        if (e->results.failure[at] == 0 && (!feasible || e->results.violation[at] == 0))
            e->graded[count++] = e->results.f[at * (size_t)e->m + (size_t)k];
    }
    qsort(e->graded, (size_t)count, sizeof *e->graded, gdyn_ascending);
    return count;
}

/* The scale is that of the front; if it has no extent, from the minimum to the median of feasible
 * values. The corner is every other batch the maximum of all values, so that the ends of the front
 * are sought, else a tenth of the front's extent beyond it. With an aim it is the corner of the
 * region, but every fourth batch, and the scale goes from the minimum to it. */
static void scale(const gdyn_search *s, gdyn_surrogate *e, int chosen) {
    bool wide = s->info.generation % 2 == 1, aim = s->info.generation % 4 != 1 && gdyn_aim_known(s);
    for (int k = 0; k < e->m; k++) {
        int count = values_of(e, k, chosen, false);
        double lowest = count > 0 ? e->graded[0] : 0, least = lowest, range = 0;
        double greatest = count > 0 ? e->graded[count - 1] : 0;
        double best = INFINITY, worst = -INFINITY; /* of the front */
        for (int i = 0; i < s->info.front; i++) {
            double f = gdyn_slot_f(s, s->parent[i])[k];
            best = fmin(best, f), worst = fmax(worst, f);
        }
        if (s->info.front > 0)
            least = best, range = 1.1 * (worst - best), count = values_of(e, k, chosen, true);
        if (!(range > 0) && count > 0)
            range = e->graded[count / 2] - least;
        if (!(range > 0))
            range = greatest - least;
        /* Nothing to measure by. */
        if (!(range > 0) || !isfinite(range))
            range = fmax(fabs(least), 1);
        double corner = aim                       ? s->aim->bound[k]
                        : wide || !(worst > best) ? fmax(greatest, worst)
                                                  : least + range;
        if (gdyn_aim_known(s) && corner > fmin(lowest, best))
            least = fmin(lowest, best), range = corner - least;
        e->least[k] = least, e->range[k] = range;
        e->corner[k] = corner > least ? corner : least + range;
    }
}

/* The amounts in y[0 .. count) (0: kept) become KEPT, and those broken grow with asinh of their
 * median size, which infinite ones have. */
static void grade(gdyn_surrogate *e, int count) {
    int broken = 0;
    for (int i = 0; i < count; i++)
        if (e->y[i] > 0 && isfinite(e->y[i]))
            e->graded[broken++] = e->y[i];
    double size = broken > 0 ? median(e->graded, broken) : 1;
    for (int i = 0; i < count; i++) {
        double amount = isfinite(e->y[i]) ? fmin(e->y[i] / size, 1e6) : 1;
        e->y[i] = amount > 0 ? asinh(amount) : KEPT;
    }
}

/* --- fitting -------------------------------------------------------------------------------- */

/* Of the chosen results those that can be evaluated (and, for single constraints, are known one by
 * one): their coordinates into x, their numbers into `member`; returns how many. */
static int gather(gdyn_surrogate *e, int chosen, bool all, bool detailed) {
    size_t free = (size_t)e->free;
    int count = 0;
    for (int i = 0; i < chosen; i++) {
        int k = e->chosen[i];
        if ((!all && e->results.failure[k] > 0) || (detailed && !e->results.detailed[k]))
            continue;
        memcpy(e->x + (size_t)count * free, e->results.u + (size_t)k * free, free * sizeof *e->x);
        e->member[count++] = k;
    }
    return count;
}

/* Fits; a process that cannot be factored is left out. */
static gdyn_status fit(gdyn_gauss *gauss, gdyn_surrogate *e, int count, int iterations,
                       bool *used) {
    gdyn_status status = gdyn_gauss_fit(gauss, count, e->x, e->y, iterations);
    *used = status == GDYN_OK;
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
}

/* The lambda of objective k by the likelihood of its process, for the values z (its count): golden
 * sections. */
static void learn_power(gdyn_surrogate *e, int k, const double *z) {
    double low = LEAST_POWER, high = GREATEST_POWER, share = (sqrt(5) - 1) / 2;
    double a = high - share * (high - low), b = low + share * (high - low);
    double at_a = gdyn_warp_misfit(e->target[k], a, z, e->y);
    double at_b = gdyn_warp_misfit(e->target[k], b, z, e->y);
    for (int i = 0; i < SECTIONS; i++)
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a, a = high - share * (high - low);
            at_a = gdyn_warp_misfit(e->target[k], a, z, e->y);
        } else {
            low = a, a = b, at_a = at_b, b = low + share * (high - low);
            at_b = gdyn_warp_misfit(e->target[k], b, z, e->y);
        }
    e->power[k] = 0.5 * (low + high);
    gdyn_warp_misfit(e->target[k], e->power[k], z, e->y);
}

/* With an aim most designs lie outside of the region. Their values would decide the likelihood of a
 * warp and pass for noise, and blur the differences within; so neither is learned. */
static gdyn_status fit_targets(gdyn_surrogate *e, int chosen, int iterations, bool aim) {
    int count = gather(e, chosen, false, false);
    e->aimed = count >= ENOUGH;
    for (int k = 0; e->aimed && k < e->m; k++) {
        bool used;
        for (int i = 0; i < count; i++) {
            double f = e->results.f[(size_t)e->member[i] * (size_t)e->m + (size_t)k];
            e->graded[i] = gdyn_surrogate_scaled(e, k, f);
            e->y[i] = gdyn_warp(e->power[k], e->graded[i]);
        }
        e->target[k]->exact = aim;
        gdyn_status status = fit(e->target[k], e, count, iterations, &used);
        if (status != GDYN_OK)
            return status;
        e->aimed &= used;
        if (used && !aim)
            learn_power(e, k, e->graded);
    }
    return GDYN_OK;
}

/* The constraint that most of the gathered designs break, of those after `last`, which `before`
 * designs break, in the order of how often, then of number; *most: how often. -1: none. */
static int next_constraint(const gdyn_surrogate *e, int count, int before, int last, int *most) {
    int which = -1;
    *most = 0;
    for (int j = 0; j < e->constraints; j++) {
        int broken = 0;
        for (int i = 0; i < count; i++)
            broken += e->results.g[(size_t)e->member[i] * (size_t)e->constraints + (size_t)j] > 0;
        bool later = broken < before || (broken == before && j > last);
        if (later && broken > *most)
            *most = broken, which = j;
    }
    return which;
}

/* Gives limit model k its constraint, and with it the process that has learnt the lengths of that
 * constraint; a process that has learnt those of another one forgets them. */
static void assign_process(gdyn_surrogate *e, int k, const int *wanted) {
    int holder = k;
    for (int j = 2; j < e->limits; j++)
        if (e->limit[j].constraint == wanted[k])
            holder = j;
    /* The place in exchange. */
    gdyn_limit_model found = e->limit[holder];
    e->limit[holder] = e->limit[k], e->limit[k] = found;
}

/* Gives limit models 2, 3 .. the constraints that most of the gathered designs break; false: none
 * are known one by one, or none is broken. */
static bool assign_constraints(gdyn_surrogate *e, int count) {
    int wanted[GDYN_LIMITS_MOST], before = INT_MAX, last = -1;
    for (int k = 2; k < e->limits; k++) {
        wanted[k] = next_constraint(e, count, before, last, &before);
        last = wanted[k];
    }
    for (int k = 2; k < e->limits; k++)
        assign_process(e, k, wanted);
    for (int k = 2; k < e->limits; k++) {
        gdyn_limit_model *limit = &e->limit[k];
        if (wanted[k] >= 0 && limit->constraint != wanted[k]) {
            gdyn_gauss_forget(limit->gauss);
            limit->constraint = wanted[k], limit->learned = false;
        }
        limit->used = wanted[k] >= 0;
    }
    return e->limits > 2 && e->limit[2].used;
}

/* What limit model k sees of `count` gathered designs; false: nothing of it is broken. */
static bool see_limit(gdyn_surrogate *e, const gdyn_limit_model *limit, int count) {
    bool broken = false;
    for (int i = 0; i < count; i++) {
        int k = e->member[i];
        e->y[i] =
            limit->constraint == GDYN_EVALUABLE ? e->results.failure[k]
            : limit->constraint == GDYN_VIOLATION
                ? e->results.violation[k]
                : e->results.g[(size_t)k * (size_t)e->constraints + (size_t)limit->constraint];
        broken |= e->y[i] > 0;
    }
    if (!broken)
        return false;
    if (limit->constraint < 0) {
        grade(e, count);
        return true;
    }
    /* by asinh of their median size: the sign stays */
    for (int i = 0; i < count; i++)
        e->graded[i] = fabs(e->y[i]);
    double size = median(e->graded, count);
    for (int i = 0; i < count; i++)
        e->y[i] = asinh(e->y[i] / fmax(size, 1e-12));
    return true;
}

static gdyn_status fit_limit(gdyn_surrogate *e, gdyn_limit_model *limit, int count,
                             int iterations) {
    limit->used = count >= ENOUGH && see_limit(e, limit, count);
    if (!limit->used)
        return GDYN_OK;
    /* A process that is new to its limit has its lengths to learn. */
    int first = limit->learned ? iterations : ITERATIONS_FIRST;
    limit->learned = true;
    return fit(limit->gauss, e, count, first, &limit->used);
}

static gdyn_status fit_limits(gdyn_surrogate *e, int chosen, int iterations) {
    gdyn_status status = fit_limit(e, &e->limit[0], gather(e, chosen, true, false), iterations);
    /* Single constraints where they are known; all violation as one amount where they are not. */
    int count = gather(e, chosen, false, true);
    bool single = assign_constraints(e, count);
    for (int k = 2; status == GDYN_OK && k < e->limits; k++)
        if (e->limit[k].used)
            status = fit_limit(e, &e->limit[k], count, iterations);
    e->limit[1].used = false;
    if (status == GDYN_OK && !single)
        status = fit_limit(e, &e->limit[1], gather(e, chosen, false, false), iterations);
    return status;
}

gdyn_status gdyn_surrogate_fit(gdyn_search *s) {
    gdyn_surrogate *e = s->engine;
    int chosen = choose(e), count = e->results.count;
    if (chosen < 0)
        return GDYN_ERROR_MEMORY;
    scale(s, e, chosen);
    /* Lengths change little from batch to batch: learn them when there are enough new results. */
    int iterations = e->learned == 0 ? ITERATIONS_FIRST : ITERATIONS;
    if (e->learned > 0 && count < GROWTH * e->learned)
        iterations = 0;
    else
        e->learned = count;
    gdyn_status status = fit_targets(e, chosen, iterations, s->aim != NULL);
    return status == GDYN_OK ? fit_limits(e, chosen, iterations) : status;
}
