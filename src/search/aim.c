/* aim.c - scale and region of a preference, and the designs of a front that it keeps. */
#include "search/method.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double AUGMENTATION = 1e-4;
/* Share of the objective that is worst at an end, of at most so many ranges: a design farther out
 * that is hardly better in the others is no end. */
static const double SIDE = 1e-3, MOST = 10;
/* An aim is moved to so many ranges from the ideal where it is farther away: what designs differ by
 * must not be lost in rounding beside it. */
static const double FAR = 1e6;

gdyn_aim *gdyn_aim_create(gdyn_arena *arena, int m, const double *z, double width) {
    gdyn_aim *aim = gdyn_arena_alloc(arena, 1, sizeof *aim);
    size_t size = (size_t)m;
    if (!aim)
        return NULL;
    aim->m = m, aim->width = width;
    aim->z = gdyn_arena_doubles(arena, size);
    aim->bound = gdyn_arena_doubles(arena, size);
    aim->end = gdyn_arena_alloc(arena, size, sizeof *aim->end);
    gdyn_scalar_create(arena, m, &aim->scalar);
    if (gdyn_arena_failed(arena))
        return NULL;
    aim->scalar.rho = AUGMENTATION;
    memcpy(aim->z, z, size * sizeof *z);
    for (int i = 0; i < m; i++)
        aim->scalar.d[i] = aim->scalar.range[i] = 1;
    return aim;
}

bool gdyn_aim_known(const gdyn_search *s) {
    return s->aim && s->aim->known;
}

/* The achievement of f (m). Only where `known`. */
static double aim_value(const gdyn_aim *aim, const double *f) {
    return gdyn_scalar_value(&aim->scalar, f);
}

/* --- scale ---------------------------------------------------------------------------------- */

/* The smallest value of every objective ever, and the extent of the feasible designs where there is
 * no scale yet. */
static void take_ideal(const gdyn_search *s, gdyn_aim *aim, int count) {
    gdyn_scalar *p = &aim->scalar;
    for (int i = 0; i < aim->m; i++) {
        double least = aim->known ? p->ideal[i] : INFINITY, greatest = -INFINITY;
        for (int k = 0; k < count; k++)
            if (gdyn_slot_feasible(s, s->pool[k])) {
                double f = gdyn_slot_f(s, s->pool[k])[i];
                least = fmin(least, f), greatest = fmax(greatest, f);
            }
        p->ideal[i] = least;
        if (!aim->known)
            p->range[i] = greatest > least ? greatest - least : fmax(fabs(greatest), 1);
    }
}

/* The design on axis i: with the smallest maximum F of the others (as the extreme points of
 * NSGA-III). */
static int find_end(const gdyn_search *s, const gdyn_aim *aim, int i, int count) {
    const gdyn_scalar *p = &aim->scalar;
    int end = -1;
    double least = INFINITY;
    for (int k = 0; k < count; k++) {
        if (!gdyn_slot_feasible(s, s->pool[k]))
            continue;
        const double *f = gdyn_slot_f(s, s->pool[k]);
        double value = 0;
        for (int l = 0; l < aim->m; l++)
            if (l != i)
                value = fmax(value, (f[l] - p->ideal[l]) / p->range[l]);
        value += SIDE * fmin((f[i] - p->ideal[i]) / p->range[i], MOST);
        if (value < least)
            least = value, end = s->pool[k];
    }
    return end;
}

/* Ends in the scale so far, then the scale that they give. */
static void take_scale(const gdyn_search *s, gdyn_aim *aim, int count) {
    gdyn_scalar *p = &aim->scalar;
    for (int i = 0; i < aim->m; i++)
        aim->end[i] = find_end(s, aim, i, count);
    for (int i = 0; i < aim->m; i++) {
        double greatest = -INFINITY;
        for (int k = 0; k < aim->m; k++)
            greatest = fmax(greatest, gdyn_slot_f(s, aim->end[k])[i]);
        /* Ends that coincide give no scale: it stays. */
        if (greatest > p->ideal[i])
            p->range[i] = greatest - p->ideal[i];
        p->a[i] = fmin(fmax((aim->z[i] - p->ideal[i]) / p->range[i], -FAR), FAR);
    }
}

/* The corner of the region, which is no farther out than the ends of the front: an aim that is
 * worse than these would open the region without limit. */
static void take_bound(const gdyn_search *s, gdyn_aim *aim) {
    const gdyn_scalar *p = &aim->scalar;
    for (int i = 0; i < aim->m; i++) {
        double best = (gdyn_slot_f(s, aim->best)[i] - p->ideal[i]) / p->range[i];
        double corner = fmin(p->a[i] + aim->least, fmax(1, best)) + aim->width;
        aim->bound[i] = p->ideal[i] + p->range[i] * corner;
    }
}

void gdyn_aim_learn(gdyn_search *s, int count) {
    gdyn_aim *aim = s->aim;
    bool feasible = false;
    for (int k = 0; k < count && !feasible; k++)
        feasible = gdyn_slot_feasible(s, s->pool[k]);
    if (!feasible)
        return;
    take_ideal(s, aim, count);
    aim->known = true;
    take_scale(s, aim, count);
    aim->least = INFINITY;
    for (int k = 0; k < count; k++) {
        int slot = s->pool[k];
        double value =
            gdyn_slot_feasible(s, slot) ? aim_value(aim, gdyn_slot_f(s, slot)) : INFINITY;
        if (value < aim->least)
            aim->least = value, aim->best = slot;
    }
    take_bound(s, aim);
}

/* --- survivors ------------------------------------------------------------------------------ */

/* 0: the best design, 1: an end, 2: in the region, 3: outside. */
static int rank_of(const gdyn_search *s, int slot) {
    const gdyn_aim *aim = s->aim;
    if (slot == aim->best)
        return 0;
    for (int i = 0; i < aim->m; i++)
        if (aim->end[i] == slot)
            return 1;
    return aim_value(aim, gdyn_slot_f(s, slot)) <= aim->least + aim->width ? 2 : 3;
}

/* Orders the members by rank, each rank as it was; first[r]: where rank r begins. */
static void order_by_rank(gdyn_search *s, int count, int *member, int first[5]) {
    int placed = 0;
    for (int rank = 0; rank < 4; rank++) {
        first[rank] = placed;
        for (int i = 0; i < count; i++)
            if (rank_of(s, member[i]) == rank)
                s->work[placed++] = member[i];
    }
    first[4] = placed;
    memcpy(member, s->work, (size_t)count * sizeof *member);
}

static int compare_crowding(const gdyn_search *s, int a, int b) {
    return (s->crowding[a] < s->crowding[b]) - (s->crowding[a] > s->crowding[b]);
}

/* Orders members outside of the region by their achievement, kept as how far they are behind it. */
static void order_outside(gdyn_search *s, int count, int *member) {
    const gdyn_aim *aim = s->aim;
    for (int i = 0; i < count; i++)
        s->crowding[member[i]] =
            aim->least + aim->width - aim_value(aim, gdyn_slot_f(s, member[i]));
    gdyn_slots_order(s, compare_crowding, count, member, s->work);
}

void gdyn_aim_thin(gdyn_search *s, gdyn_thinning *thin, int count, int *member, int keep) {
    int first[5];
    order_by_rank(s, count, member, first);
    for (int i = 0; i < first[2]; i++)
        s->crowding[member[i]] = INFINITY;
    int region = first[3] - first[2], room = keep > first[2] ? keep - first[2] : 0;
    if (region > 0 && room > 0)
        thin(s->fronts, s->f, region, member + first[2], region < room ? region : room,
             s->crowding);
    order_outside(s, count - first[3], member + first[3]);
}

int gdyn_aim_parents(const gdyn_search *s) {
    int count = 0;
    while (count < s->parents && s->front[s->parent[count]] == 0 &&
           rank_of(s, s->parent[count]) < 3)
        count++;
    return count;
}
