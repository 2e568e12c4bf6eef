/* intersect.c - what two regions have in common, arcs cut where they cross.
 *
 * The islands of both are walked together; a stretch ends at the next end of an arc of either
 * region or where the two upper (or the two lower) arcs cross. On it the smaller of the upper and
 * the greater of the lower arcs go to the builder, which finds where they meet. */
#include "access/builder.h"

#include <string.h>

/* Region, island and place along its arcs. */
typedef struct walker {
    const gdyn_region *region;
    const gdyn_island *island;
    int upper, lower; /* within the island */
} walker;

static void skip_to(walker *w, double d1) {
    const gdyn_region *r = w->region;
    while (w->upper + 1 < w->island->upper_count &&
           r->upper[w->island->upper_first + w->upper].to <= d1)
        w->upper++;
    while (w->lower + 1 < w->island->lower_count &&
           r->lower[w->island->lower_first + w->lower].to <= d1)
        w->lower++;
}

static const gdyn_arc *arc_of(const walker *w, bool upper) {
    const gdyn_island *island = w->island;
    if (upper)
        return island->upper_count ? &w->region->upper[island->upper_first + w->upper] : NULL;
    return island->lower_count ? &w->region->lower[island->lower_first + w->lower] : NULL;
}

static gdyn_bound bound_of(const gdyn_arc *arc, const gdyn_region *of, const gdyn_builder *b) {
    double s1 = b->d1_unit, s2 = b->d2_unit;
    gdyn_bound bound = {.q = {arc->a * s1 * s1 / s2, arc->b * s1 / s2, arc->c / s2},
                        .active_count = arc->active_count};
    bound.error = (gdyn_quadratic){of->a_error * s1 * s1 / s2, of->b_error * s1 / s2, 0};
    bound.size = 1 + fabs(bound.q.c);
    memcpy(bound.active, arc->active, sizeof bound.active);
    return bound;
}

/* End of the stretch that begins at d1. */
static double stretch_end(const walker *w, double to) {
    for (int upper = 0; upper < 2; upper++) {
        const gdyn_arc *arc = arc_of(w, upper);
        bool last =
            upper ? w->upper + 1 == w->island->upper_count : w->lower + 1 == w->island->lower_count;
        if (arc && !last)
            to = fmin(to, arc->to);
    }
    return to;
}

/* The nearer of both bounds in the middle of a stretch; NULL when there is none. */
static const gdyn_arc *nearer(const gdyn_arc *p, const gdyn_arc *q, double middle, double sign) {
    if (!p || !q)
        return p ? p : q;
    double vp = gdyn_quadratic_at((gdyn_quadratic){p->a, p->b, p->c}, middle);
    double vq = gdyn_quadratic_at((gdyn_quadratic){q->a, q->b, q->c}, middle);
    return sign * vp <= sign * vq ? p : q;
}

static gdyn_quadratic quadratic_of(const gdyn_arc *arc) {
    return (gdyn_quadratic){arc->a, arc->b, arc->c};
}

/* Places inside (from, to) where the arcs of both regions cross, ascending; up to four. */
static int crossings(const walker *a, const walker *b, double from, double to, double cut[4]) {
    int count = 0;
    for (int upper = 0; upper < 2; upper++) {
        const gdyn_arc *p = arc_of(a, upper), *q = arc_of(b, upper);
        double root[2];
        gdyn_quadratic error = {a->region->a_error + b->region->a_error,
                                a->region->b_error + b->region->b_error, 0};
        int roots =
            p && q ? gdyn_quadratic_roots(
                         gdyn_quadratic_difference(quadratic_of(p), quadratic_of(q), error), root)
                   : 0;
        for (int i = 0; i < roots; i++)
            if (root[i] > from && root[i] < to)
                cut[count++] = root[i];
    }
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && cut[j - 1] > cut[j]; j--) {
            double x = cut[j];
            cut[j] = cut[j - 1];
            cut[j - 1] = x;
        }
    return count;
}

static void add_piece(gdyn_builder *builder, const walker *a, const walker *b, double from,
                      double to) {
    double middle = isfinite(to) ? 0.5 * (from + to) : 2 * fabs(from) + builder->d1_unit;
    const gdyn_arc *up = nearer(arc_of(a, true), arc_of(b, true), middle, 1);
    const gdyn_arc *low = nearer(arc_of(a, false), arc_of(b, false), middle, -1);
    gdyn_bound upper, lower;
    if (up)
        upper = bound_of(up, up == arc_of(a, true) ? a->region : b->region, builder);
    if (low)
        lower = bound_of(low, low == arc_of(a, false) ? a->region : b->region, builder);
    gdyn_builder_add(builder, from / builder->d1_unit, to / builder->d1_unit, up ? &upper : NULL,
                     low ? &lower : NULL);
}

static gdyn_closing closing_of(const gdyn_island *island, bool left) {
    gdyn_closing closing = {.count = left ? island->left_count : island->right_count};
    memcpy(closing.limit, left ? island->left : island->right, sizeof closing.limit);
    return closing;
}

/* The part that two islands share. */
static void add_overlap(gdyn_builder *builder, walker *a, walker *b) {
    double from = fmax(a->island->from, b->island->from), to = fmin(a->island->to, b->island->to);
    if (from > to)
        return;
    gdyn_closing left = closing_of(from == a->island->from ? a->island : b->island, true);
    gdyn_closing right = closing_of(to == a->island->to ? a->island : b->island, false);
    gdyn_builder_span(builder, from / builder->d1_unit, to / builder->d1_unit, &left, &right);
    a->upper = a->lower = b->upper = b->lower = 0;
    for (double at = from;;) {
        skip_to(a, at);
        skip_to(b, at);
        double end = stretch_end(b, stretch_end(a, to)), cut[5];
        int cuts = crossings(a, b, at, end, cut);
        cut[cuts++] = end;
        for (int i = 0; i < cuts; i++) {
            add_piece(builder, a, b, at, cut[i]);
            at = cut[i];
        }
        if (end >= to)
            return;
    }
}

gdyn_status gdyn_region_intersect(const gdyn_region *a, const gdyn_region *b, gdyn_region *out) {
    if (out == a || out == b)
        return GDYN_ERROR_ARGUMENT;
    gdyn_builder builder;
    gdyn_builder_start(&builder, out, fmin(a->d1_unit, b->d1_unit), fmin(a->d2_unit, b->d2_unit));
    if (a->status == GDYN_REGION_UNKNOWN || b->status == GDYN_REGION_UNKNOWN) {
        out->status = GDYN_REGION_UNKNOWN;
        return GDYN_OK;
    }
    walker wa = {.region = a}, wb = {.region = b};
    for (int i = 0, j = 0; i < a->island_count && j < b->island_count;) {
        wa.island = &a->island[i];
        wb.island = &b->island[j];
        add_overlap(&builder, &wa, &wb);
        if (wa.island->to < wb.island->to)
            i++;
        else
            j++;
    }
    gdyn_status status = gdyn_builder_finish(&builder);
    if (out->status == GDYN_REGION_EMPTY) {
        if (a->status == GDYN_REGION_EMPTY)
            out->certificate = a->certificate;
        else if (b->status == GDYN_REGION_EMPTY)
            out->certificate = b->certificate;
    }
    return status;
}
