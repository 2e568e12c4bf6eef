/* nsga3.c - NSGA-III (Deb, Jain 2014): survivors by reference directions, for many objectives.
 *
 * Fronts are taken whole as long as they fit. From the front that does not fit, members are chosen
 * so that the directions of the positive orthant are covered evenly. Objectives are normalized
 * first:
 *   (f - z) / (nadir - z),  z the best of every objective so far.
 * The nadir is where the plane through the m extreme points meets the axes; extreme point j is the
 * design nearest to axis j, kept from one generation to the next.
 * Where the plane does not exist or meets an axis at no useful place, the worst of the first front
 * is taken, and where that has no extent the worst of all fronts concerned. A design belongs to the
 * direction at the smallest perpendicular distance d2; of those that wait for a direction the one
 * with the minimum d1 + 50 d2 is taken, d1 the distance along it (Li, Deb, Zhang, Kwong 2015): by
 * d2 alone a design far out, but straight on an axis, would stay for ever.
 * While no more designs than the population are feasible, the smallest infeasible survive (part II
 * of the paper). Children are made as in NSGA-II; members of one front meet at random.
 * With an aim the directions are drawn together around the design that is the best for it (as in
 * R-NSGA-III; Vesikar, Deb, Blank 2018). */
#include "search/method.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "search/fronts.h"

#include <math.h>
#include <string.h>

enum { GREATEST_OBJECTIVES = 64, GREATEST_DIRECTIONS = 1 << 20, PENALTY = 50 };

typedef struct engine {
    int directions;
    double *direction; /* m x directions, unit length */
    double *weight;    /* m x directions: with an aim, those of the whole front, sum 1 */
    double *ideal;     /* m: best of every objective so far */
    double *extreme;   /* m x m: column j the extreme point of objective j */
    bool begun;        /* ideal and extreme are set */
    double *scale;     /* m: nadir - ideal */
    double *worst;     /* m x 2: of the first front, of all fronts concerned */
    double *plane;     /* m x (m + 1): linear system of the plane */
    int *niche;        /* capacity: direction of a slot */
    double *away;      /* capacity: distance of a slot from its target */
    int *served;       /* directions: survivors of a direction */
    int *waiting;      /* directions: members of the last front */
    int *open;         /* directions: list of those that can be served next */
} engine;

/* Unit length, so that a product is a distance along. */
static void make_unit(int m, double *w) {
    double square = 0;
    for (int j = 0; j < m; j++)
        square += w[j] * w[j];
    for (int j = 0; j < m; j++)
        w[j] /= sqrt(square);
}

static gdyn_status create(gdyn_search *s) {
    int m = s->m, divisions = s->options.divisions;
    if (m > GREATEST_OBJECTIVES)
        return GDYN_ERROR_ARGUMENT;
    /* Unless divisions are given: at most as many directions as the population has members. */
    if (divisions == 0)
        divisions = gdyn_directions_divisions(m, s->N);
    /* reference directions (Das and Dennis), of unit length */
    int directions = gdyn_directions_count(m, divisions, GREATEST_DIRECTIONS);
    if (directions == 0)
        return GDYN_ERROR_ARGUMENT;
    engine *e = s->engine = gdyn_arena_alloc(s->arena, 1, sizeof *e);
    if (!e)
        return GDYN_ERROR_MEMORY;
    e->directions = directions;
    size_t size = (size_t)m, c = (size_t)s->capacity, d = (size_t)directions;
    e->direction = gdyn_arena_doubles(s->arena, size * d);
    e->weight = gdyn_arena_doubles(s->arena, size * d);
    e->ideal = gdyn_arena_doubles(s->arena, size);
    e->extreme = gdyn_arena_doubles(s->arena, size * size);
    e->scale = gdyn_arena_doubles(s->arena, size);
    e->worst = gdyn_arena_doubles(s->arena, 2 * size);
    e->plane = gdyn_arena_doubles(s->arena, size * (size + 1));
    e->niche = gdyn_arena_alloc(s->arena, c, sizeof *e->niche);
    e->away = gdyn_arena_doubles(s->arena, c);
    e->served = gdyn_arena_alloc(s->arena, d, sizeof *e->served);
    e->waiting = gdyn_arena_alloc(s->arena, d, sizeof *e->waiting);
    e->open = gdyn_arena_alloc(s->arena, d, sizeof *e->open);
    if (gdyn_arena_failed(s->arena))
        return GDYN_ERROR_MEMORY;
    gdyn_directions(e->direction, m, divisions);
    memcpy(e->weight, e->direction, size * d * sizeof *e->weight);
    for (int k = 0; k < directions; k++)
        make_unit(m, e->direction + (size_t)k * (size_t)m);
    return GDYN_OK;
}

/* --- normalization ------------------------------------------------------------------------ */

/* max_i y_i / (i = axis ? 1 : 1e-6), y_i = (f_i - z_i) / range of the first front, 0 when below a
 * thousandth: else a design far out on the axis would stand against all those near to it. */
static double remoteness(const engine *e, const double *f, int m, int axis) {
    double most = -INFINITY;
    for (int i = 0; i < m; i++) {
        double range = e->worst[i] - e->ideal[i], y = f[i] - e->ideal[i];
        if (range > 0)
            y = y < 1e-3 * range ? 0 : y / range;
        most = fmax(most, y * (i == axis ? 1 : 1e6));
    }
    return most;
}

/* Ideal and worst points; pool[0 .. count) are the fronts concerned. */
static void renew_range(const gdyn_search *s, engine *e, int count) {
    size_t m = (size_t)s->m;
    /* The first generation sets ideal and extreme points. */
    if (!e->begun) {
        memcpy(e->ideal, gdyn_slot_f(s, s->pool[0]), m * sizeof *e->ideal);
        for (size_t axis = 0; axis < m; axis++)
            memcpy(e->extreme + axis * m, e->ideal, m * sizeof *e->ideal);
        e->begun = true;
    }
    /* ideal point so far; worst of the first front and of all */
    for (int j = 0; j < s->m; j++) {
        double front = -INFINITY, all = -INFINITY;
        for (int i = 0; i < count; i++) {
            double f = gdyn_slot_f(s, s->pool[i])[j];
            e->ideal[j] = fmin(e->ideal[j], f);
            all = fmax(all, f);
            if (i < s->first[1])
                front = fmax(front, f);
        }
        e->worst[j] = front, e->worst[m + (size_t)j] = all;
    }
}

/* Extreme points from pool[0 .. count) and from earlier generations. */
static void renew_extremes(const gdyn_search *s, engine *e, int count) {
    size_t m = (size_t)s->m;
    for (int axis = 0; axis < s->m; axis++) {
        /* The one kept competes with the new ones. */
        double *extreme = e->extreme + (size_t)axis * m;
        double least = remoteness(e, extreme, s->m, axis);
        for (int i = 0; i < count; i++) {
            const double *f = gdyn_slot_f(s, s->pool[i]);
            double remote = remoteness(e, f, s->m, axis);
            if (remote < least) {
                least = remote;
                memcpy(extreme, f, m * sizeof *f);
            }
        }
    }
}

/* Intercepts of the plane into scale, no further out than the worst point; false when one of them
 * is not positive or negligible. */
static bool plane_scales(engine *e, int m) {
    /* the plane through the extreme points, x / a_1 + ... = 1 */
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++)
            e->plane[i * (m + 1) + j] = e->extreme[(size_t)i * (size_t)m + j] - e->ideal[j];
        e->plane[i * (m + 1) + m] = 1;
    }
    if (!gdyn_gauss_jordan(e->plane, m, m + 1, 0)) /* the points span no plane */
        return false;
    /* intercepts; a plane that cuts an axis too near or not at all is rejected */
    for (int j = 0; j < m; j++) {
        double most = e->worst[m + j] - e->ideal[j];
        e->scale[j] = 1 / e->plane[j * (m + 1) + m];
        if (!(e->scale[j] > 1e-6 * most))
            return false;
        e->scale[j] = fmin(e->scale[j], most);
    }
    return true;
}

static void find_scales(engine *e, int m) {
    if (plane_scales(e, m))
        return;
    /* Without a plane: the worst of the first front, or of all. */
    for (int j = 0; j < m; j++) {
        double front = e->worst[j] - e->ideal[j], all = e->worst[m + j] - e->ideal[j];
        e->scale[j] = front > 1e-6 * all ? front : all;
        if (!(e->scale[j] > 0))
            e->scale[j] = 1;
    }
}

/* --- a preferred region ------------------------------------------------------------------ */

/* Draws the directions towards that of the design that is the best for the aim, so that they cover
 * the region around it; those of the single objectives stay, as they give the scale. */
static void gather_directions(const gdyn_search *s, engine *e) {
    int m = s->m;
    const double *best = gdyn_slot_f(s, s->aim->best);
    double centre[GREATEST_OBJECTIVES], sum = 0;
    for (int j = 0; j < m; j++) {
        centre[j] = fmax((best[j] - e->ideal[j]) / e->scale[j], 0);
        sum += centre[j];
    }
    /* On a plane front the corners of the directions then lie on the edge of the region. */
    double share = fmin(s->aim->width * m / (m - 1), 1);
    for (int k = 0; k < e->directions && sum > 0; k++) {
        const double *w = e->weight + (size_t)k * (size_t)m;
        double *direction = e->direction + (size_t)k * (size_t)m, greatest = 0;
        for (int j = 0; j < m; j++)
            greatest = fmax(greatest, w[j]);
        double own = greatest > 1 - 1e-9 ? 1 : share;
        for (int j = 0; j < m; j++)
            direction[j] = own * w[j] + (1 - own) * centre[j] / sum;
        make_unit(m, direction);
    }
}

/* --- niches ------------------------------------------------------------------------------- */

/* Direction of one slot and the distance from where that should be met. */
static void associate(const gdyn_search *s, engine *e, int slot) {
    int m = s->m;
    double y[GREATEST_OBJECTIVES], square = 0;
    for (int j = 0; j < m; j++) {
        y[j] = (gdyn_slot_f(s, slot)[j] - e->ideal[j]) / e->scale[j];
        square += y[j] * y[j];
    }
    double most = -INFINITY; /* the minimum distance is at the largest projection */
    for (int k = 0; k < e->directions; k++) {
        const double *w = e->direction + (size_t)k * (size_t)m;
        double along = 0;
        for (int j = 0; j < m; j++)
            along += w[j] * y[j];
        if (along > most) {
            most = along;
            e->niche[slot] = k;
        }
    }
    e->away[slot] = most + PENALTY * sqrt(fmax(square - most * most, 0));
}

/* A direction with waiting members that has been served smallest; ties at random. */
static int least_served(engine *e, gdyn_random *random) {
    int count = 0, least = 0;
    for (int k = 0; k < e->directions; k++) {
        if (e->waiting[k] == 0)
            continue;
        if (count == 0 || e->served[k] < least)
            count = 0, least = e->served[k];
        if (e->served[k] == least)
            e->open[count++] = k;
    }
    return e->open[gdyn_random_below(random, count)];
}

/* Among pool[from .. end) the nearest member of direction k. */
static int member_of(const gdyn_search *s, const engine *e, int k, int from, int end) {
    int chosen = -1;
    for (int i = from; i < end; i++) {
        int slot = s->pool[i];
        if (e->niche[slot] == k && (chosen < 0 || e->away[slot] < e->away[s->pool[chosen]]))
            chosen = i;
    }
    return chosen;
}

/* Brings the members chosen from pool[from .. end) to its beginning, up to place N. */
static void fill(gdyn_search *s, engine *e, int from, int end) {
    gdyn_random random =
        gdyn_random_stream(s->options.seed, (uint64_t)s->info.generation, UINT64_MAX - 1);
    /* Whole fronts serve their directions, the last front waits. */
    memset(e->served, 0, (size_t)e->directions * sizeof *e->served);
    memset(e->waiting, 0, (size_t)e->directions * sizeof *e->waiting);
    for (int i = 0; i < end; i++) {
        associate(s, e, s->pool[i]);
        (i < from ? e->served : e->waiting)[e->niche[s->pool[i]]]++;
    }
    /* Fill place by place: a direction, then its nearest member. */
    for (int place = from; place < s->N; place++) {
        int k = least_served(e, &random);
        int i = member_of(s, e, k, place, end), slot = s->pool[i];
        s->pool[i] = s->pool[place], s->pool[place] = slot;
        e->served[k]++;
        e->waiting[k]--;
    }
}

static void select_survivors(gdyn_search *s, int count) {
    engine *e = s->engine;
    /* Few feasible designs: constraints first, as in NSGA-II. */
    int feasible = 0;
    for (int i = 0; i < count; i++)
        feasible += gdyn_slot_feasible(s, s->pool[i]);
    if (feasible <= s->N) {
        gdyn_pool_select(s, count);
        return;
    }
    /* Fronts that fit as a whole, and the one that does not. */
    gdyn_pool_sort(s, count);
    int last = 0; /* the front that no longer fits */
    while (s->first[last + 1] < s->N)
        last++;
    int end = s->first[last + 1];
    renew_range(s, e, end);
    renew_extremes(s, e, end);
    if (end > s->N) {
        find_scales(e, s->m);
        if (gdyn_aim_known(s))
            gather_directions(s, e);
        fill(s, e, s->first[last], end);
    }
    for (int i = 0; i < s->N; i++)
        s->crowding[s->pool[i]] = 0; /* no member is better placed than another of its front */
    s->parents = s->N;
    memcpy(s->parent, s->pool, (size_t)s->N * sizeof *s->parent);
}

const gdyn_method gdyn_method_nsga3 = {
    .create = create, .select = select_survivors, .breed = gdyn_nsga2_breed};
