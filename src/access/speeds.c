/* speeds.c - interval sets of d1. The set where lower(d1) <= 0 <= upper(d1) is found from the roots
 * of the arcs' quadratics: between neighbouring roots and ends the sign is constant. */
#include "access/speeds.h"

#include <math.h>
#include <stdlib.h>

gdyn_speeds gdyn_speeds_all(void) {
    return (gdyn_speeds){.count = 1, .from = {0.0}, .to = {INFINITY}};
}

static void append(gdyn_speeds *spans, double from, double to) {
    if (spans->count > 0 && spans->to[spans->count - 1] >= from) {
        spans->to[spans->count - 1] = fmax(spans->to[spans->count - 1], to);
    } else if (spans->count < GDYN_SPEEDS_MAX) {
        spans->from[spans->count] = from;
        spans->to[spans->count++] = to;
    }
}

gdyn_speeds gdyn_speeds_reachable(const gdyn_region *region) {
    gdyn_speeds spans = {0};
    for (int i = 0; i < region->island_count; i++)
        append(&spans, region->island[i].from, region->island[i].to);
    return spans;
}

/* Roots of a x^2 + b x + c inside (from, to), ascending; without cancellation. */
static int roots(const gdyn_arc *arc, double root[2]) {
    double a = arc->a, b = arc->b, c = arc->c, found[2];
    /* without cancellation: the greater root by the sum, the other by the product of both */
    int count = 0;
    if (a == 0.0) {
        if (b != 0.0)
            found[count++] = -c / b;
    } else {
        double square = b * b - 4.0 * a * c;
        if (square >= 0.0) {
            double q = -0.5 * (b + copysign(sqrt(square), b));
            found[count++] = q / a;
            if (q != 0.0)
                found[count++] = c / q;
        }
    }
    if (count == 2 && found[0] > found[1]) {
        double swap = found[0];
        found[0] = found[1];
        found[1] = swap;
    }
    /* only those on the arc */
    int inside = 0;
    for (int i = 0; i < count; i++)
        if (found[i] > arc->from && found[i] < arc->to)
            root[inside++] = found[i];
    return inside;
}

/* Parts of [from, to] where sign * arc >= 0, over the arcs of one envelope; none means everywhere.
 */
static gdyn_speeds half(const gdyn_arc *arc, int count, double sign, double from, double to) {
    gdyn_speeds spans = {0};
    if (count == 0)
        append(&spans, from, to);
    /* between roots and ends the sign of the arc is constant: the middle decides */
    for (int i = 0; i < count; i++) {
        double cut[4], root[2];
        int cuts = 0, found = roots(&arc[i], root);
        cut[cuts++] = arc[i].from;
        for (int j = 0; j < found; j++)
            cut[cuts++] = root[j];
        cut[cuts++] = arc[i].to;
        for (int j = 0; j + 1 < cuts; j++) {
            double x = isinf(cut[j + 1]) ? 2.0 * fabs(cut[j]) + 1.0 : 0.5 * (cut[j] + cut[j + 1]);
            double scale = fabs(arc[i].a) * x * x + fabs(arc[i].b) * x + fabs(arc[i].c);
            if (sign * ((arc[i].a * x + arc[i].b) * x + arc[i].c) >= -1e-14 * scale)
                append(&spans, cut[j], cut[j + 1]);
        }
    }
    return spans;
}

gdyn_speeds gdyn_speeds_steady(const gdyn_region *region) {
    gdyn_speeds spans = {0};
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
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

void gdyn_speeds_intersect(gdyn_speeds *a, const gdyn_speeds *b) {
    gdyn_speeds out = {0};
    for (int i = 0, j = 0; i < a->count && j < b->count;) {
        double from = fmax(a->from[i], b->from[j]), to = fmin(a->to[i], b->to[j]);
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
