/* speeds.c - interval sets of d1. The set where lower(d1) <= 0 <= upper(d1) is found from the roots
 * of the arcs' quadratics: between neighbouring roots and ends the sign is constant. */
#include "access/folding.h"
#include "access/rows.h"

#include "access/quadratic.h"

/* Share of its terms below which an envelope is zero. */
static const double ZERO = 1e-14;

gdyn_speeds gdyn_speeds_all(void) {
    return (gdyn_speeds){.count = 1, .from = {0.0}, .to = {INFINITY}};
}

/* Overlapping or touching spans become one; the last one takes what does not fit. */
static void append(gdyn_speeds *spans, double from, double to) {
    if (spans->count > 0 && spans->to[spans->count - 1] >= from) {
        spans->to[spans->count - 1] = gdyn_greater(spans->to[spans->count - 1], to);
    } else if (spans->count < GDYN_SPEEDS_MAX) {
        spans->from[spans->count] = from;
        spans->to[spans->count++] = to;
    }
}

/* Speeds at which some acceleration is possible. */
gdyn_speeds gdyn_speeds_reachable(const gdyn_region *region) {
    gdyn_speeds spans = {0};
    for (int i = 0; i < region->island_count; i++)
        append(&spans, region->island[i].from, region->island[i].to);
    return spans;
}

/* Parts of [from, to] where sign * arc >= 0, over the arcs of one envelope; none means everywhere.
 */
static gdyn_speeds half(const gdyn_arc *arc, int count, double sign, double from, double to) {
    gdyn_speeds spans = {0};
    if (count == 0)
        append(&spans, from, to);
    /* between roots and ends the sign of the arc is constant: the middle decides */
    for (int i = 0; i < count; i++) {
        /* roots of the arc within its range */
        gdyn_quadratic q = {arc[i].a, arc[i].b, arc[i].c};
        double cut[4] = {arc[i].from}, root[2];
        int cuts = 1, roots = gdyn_quadratic_roots(q, root);
        for (int j = 0; j < roots; j++)
            if (root[j] > arc[i].from && root[j] < arc[i].to)
                cut[cuts++] = root[j];
        cut[cuts++] = arc[i].to;
        for (int j = 0; j + 1 < cuts; j++) {
            double x = isinf(cut[j + 1]) ? 2 * fabs(cut[j]) + 1 : 0.5 * (cut[j] + cut[j + 1]);
            if (sign * gdyn_quadratic_at(q, x) >= -ZERO * gdyn_quadratic_size(q, x))
                append(&spans, cut[j], cut[j + 1]);
        }
    }
    return spans;
}

/* Constant speed: d2 = 0 lies between both envelopes. */
gdyn_speeds gdyn_speeds_steady(const gdyn_region *region) {
    gdyn_speeds spans = {0};
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        /* 0 <= upper and lower <= 0 */
        gdyn_speeds upper = half(region->upper + island->upper_first, island->upper_count, 1.0,
                                 island->from, island->to);
        gdyn_speeds lower = half(region->lower + island->lower_first, island->lower_count, -1.0,
                                 island->from, island->to);
        gdyn_speeds_intersect(&upper, &lower);
        for (int j = 0; j < upper.count; j++)
            append(&spans, upper.from[j], upper.to[j]);
    }
    return spans;
}

/* Intersection, by two pointers over ascending spans. */
void gdyn_speeds_intersect(gdyn_speeds *a, const gdyn_speeds *b) {
    gdyn_speeds out = {0};
    for (int i = 0, j = 0; i < a->count && j < b->count;) {
        double from = gdyn_greater(a->from[i], b->from[j]), to = gdyn_lesser(a->to[i], b->to[j]);
        if (from <= to)
            append(&out, from, to);
        if (a->to[i] < b->to[j])
            i++;
        else
            j++;
    }
    *a = out;
}

double gdyn_speeds_greatest(const gdyn_speeds *spans) {
    return spans->count ? spans->to[spans->count - 1] : NAN;
}
