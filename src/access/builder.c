/* builder.c - islands and arcs from stretches. See projection.h. */
#include "access/projection.h"

#include "base/memory.h"

#include <string.h>

/* Relative difference of values that agree but for rounding. */
static const double CLOSE = 1e-9;
/* Size of a slice, in natural units, that is a single point. */
static const double POINT_SIZE = 1e-10;

/* Gaps under this share of the place are rounding, not separations. */
#define JOIN 1e-12
/* What is this narrow and this near to an island is its end. */
#define BESIDE 1e-9

/* No islands, no criteria: what is not known is NaN. */
void gdyn_region_clear(gdyn_region *region, gdyn_region_status status) {
    region->status = status;
    region->island_count = region->upper_count = region->lower_count = 0;
    region->d2_unbounded = region->rest = false, region->area = 0;
    region->d1_max = region->rest_min = region->rest_max = region->speed_max = NAN;
    if (region->proof)
        region->proof->count = 0, region->proof->relative = 0;
    region->d1_unit = region->d2_unit = 1;
}

void gdyn_builder_start(gdyn_builder *b, gdyn_region *region, double d1_unit, double d2_unit) {
    gdyn_region_clear(region, GDYN_REGION_EMPTY);
    region->d1_unit = d1_unit, region->d2_unit = d2_unit;
    *b = (gdyn_builder){.region = region, .d1_unit = d1_unit, .d2_unit = d2_unit};
}

/* The next intervals lie in [from, to]; what closes it at both ends becomes the reason of the first
 * and last one. */
void gdyn_builder_span(gdyn_builder *b, double from, double to, const gdyn_closing *left,
                       const gdyn_closing *right) {
    b->from = from, b->to = to, b->left = left, b->right = right, b->open = false;
}

/* Room for one more element. */
static bool grow(gdyn_builder *b, void *array, int *capacity, int count, size_t size) {
    bool room = gdyn_reserve(array, capacity, count + 1, size);
    b->status = room ? b->status : GDYN_ERROR_MEMORY;
    return room;
}

static bool close_to(double x, double y, double size) {
    return fabs(x - y) <= CLOSE * (fabs(x) + fabs(y) + size);
}

/* The same limits give the same curve, however it was rounded. */
static bool same_curve(const gdyn_builder *b, const gdyn_arc *p, const gdyn_arc *q) {
    double s1 = b->d1_unit, s2 = b->d2_unit;
    return p->active_count == q->active_count &&
           memcmp(p->active, q->active, sizeof(gdyn_limit) * (size_t)p->active_count) == 0 &&
           close_to(p->a, q->a, s2 / (s1 * s1)) && close_to(p->b, q->b, s2 / s1) &&
           close_to(p->c, q->c, s2);
}

/* The bound in the region's units, without what is below its error: as a coefficient it would
 * decide at great d1. */
static gdyn_arc arc_of(const gdyn_builder *b, const gdyn_bound *bound) {
    double s1 = b->d1_unit, s2 = b->d2_unit;
    gdyn_quadratic q = gdyn_quadratic_minus(bound->q, b->shift);
    /* coefficients within their error are zero */
    gdyn_quadratic error = gdyn_quadratic_plus(bound->error, b->shift_error);
    gdyn_arc arc = {.active_count = bound->active_count};
    arc.a = fabs(q.a) > error.a ? q.a * s2 / (s1 * s1) : 0;
    arc.b = fabs(q.b) > error.b ? q.b * s2 / s1 : 0;
    arc.c = q.c * s2;
    arc.a_error = error.a * s2 / (s1 * s1);
    arc.b_error = error.b * s2 / s1;
    /* the limits that are active on the arc */
    memcpy(arc.active, bound->active, sizeof arc.active);
    return arc;
}

/* Appends an arc, or lengthens the last one when it is the same curve or has no length yet. */
static void add_arc(gdyn_builder *b, bool upper, int first, int *count, double from, double to,
                    const gdyn_bound *bound) {
    gdyn_region *r = b->region;
    gdyn_arc **arcs = upper ? &r->upper : &r->lower;
    int *total = upper ? &r->upper_count : &r->lower_count;
    int *capacity = upper ? &r->upper_capacity : &r->lower_capacity;
    double s1 = b->d1_unit;
    /* the same curve continues: one arc, with the greater error */
    gdyn_arc arc = arc_of(b, bound);
    gdyn_arc *last = *count > 0 ? &(*arcs)[first + *count - 1] : NULL;
    if (last && same_curve(b, last, &arc)) {
        last->to = to * s1;
        last->a_error = gdyn_greater(last->a_error, arc.a_error);
        last->b_error = gdyn_greater(last->b_error, arc.b_error);
        return;
    }
    /* a last arc without length is replaced by this one */
    if (last && !(last->to - last->from > JOIN * gdyn_greater(fabs(last->from), s1))) {
        from = last->from / s1;
        --*total;
        --*count;
    }
    if (!grow(b, arcs, capacity, *total, sizeof(gdyn_arc)))
        return;
    /* in the caller's units */
    arc.from = from * s1, arc.to = to * s1;
    (*arcs)[(*total)++] = arc;
    ++*count;
}

static void copy_closing(const gdyn_closing *closing, gdyn_limit *list, int *count) {
    *count = closing ? closing->count : 0;
    if (closing)
        memcpy(list, closing->limit, sizeof closing->limit);
}

/* An island that begins at `from`, without arcs; `first`: its left end is what closed the span. */
static gdyn_island *new_island(gdyn_builder *b, double from, bool first) {
    gdyn_region *r = b->region;
    if (!grow(b, &r->island, &r->island_capacity, r->island_count, sizeof(gdyn_island)))
        return NULL;
    gdyn_island *island = &r->island[r->island_count++];
    *island = (gdyn_island){.from = from * b->d1_unit,
                            .to = from * b->d1_unit,
                            .upper_first = r->upper_count,
                            .lower_first = r->lower_count};
    if (first)
        copy_closing(b->left, island->left, &island->left_count);
    return island;
}

/* A point, or something narrow behind a gap that is no gap, is the end of the island before it. */
static bool swallowed(const gdyn_builder *b, double from, double to) {
    const gdyn_region *r = b->region;
    if (r->island_count == 0 || to - from > BESIDE * gdyn_greater(fabs(from), 1))
        return false;
    const gdyn_island *last = &r->island[r->island_count - 1];
    double place = gdyn_greater(fabs(last->to), b->d1_unit), gap = from * b->d1_unit - last->to;
    return gap <= BESIDE * place && (to == from || gap > JOIN * place);
}

/* Takes the last island back when it is a point next to `from`: the next one begins at the
 * point. */
static double join_point(gdyn_builder *b, double from) {
    gdyn_region *r = b->region;
    if (r->island_count == 0)
        return from;
    /* apart from it: nothing to join */
    gdyn_island *last = &r->island[r->island_count - 1];
    if (last->to - last->from > BESIDE * gdyn_greater(fabs(last->from), b->d1_unit) ||
        from * b->d1_unit - last->to > BESIDE * gdyn_greater(fabs(last->to), b->d1_unit))
        return from;
    /* the point and its arcs are taken back */
    r->upper_count = last->upper_first, r->lower_count = last->lower_first;
    r->island_count--;
    b->open = false;
    return last->from / b->d1_unit;
}

/* Accepts [from, to]: part of the current island when it begins where that ended. */
static void accept(gdyn_builder *b, double from, double to, const gdyn_bound *upper,
                   const gdyn_bound *lower) {
    gdyn_region *r = b->region;
    if (swallowed(b, from, to))
        return;
    /* an interval that begins where the span does keeps the span's reason */
    bool first = from == b->from;
    from = join_point(b, from);
    /* it continues the open island where no gap lies between them */
    gdyn_island *island = b->open && r->island_count ? &r->island[r->island_count - 1] : NULL;
    if (island &&
        from * b->d1_unit - island->to > JOIN * gdyn_greater(fabs(island->to), b->d1_unit))
        island = NULL;
    if (island)
        from = island->to / b->d1_unit;
    else
        island = new_island(b, from, first);
    if (!island)
        return;
    /* arcs of both envelopes over the interval */
    if (upper)
        add_arc(b, true, island->upper_first, &island->upper_count, from, to, upper);
    if (lower)
        add_arc(b, false, island->lower_first, &island->lower_count, from, to, lower);
    /* the end so far; its reason is known only at the end of the span */
    island->to = to * b->d1_unit, island->right_count = 0;
    if (to == b->to)
        copy_closing(b->right, island->right, &island->right_count);
    b->open = true, b->wide = b->wide || to > from;
}

/* The part of [from, to] in which the envelopes leave room. */
void gdyn_builder_add(gdyn_builder *b, double from, double to, const gdyn_bound *upper,
                      const gdyn_bound *lower) {
    if (b->status != GDYN_OK)
        return;
    /* without one of the envelopes d2 has no bound on that side: every d1 of the interval is
     * accessible */
    if (!upper || !lower) {
        b->fat = b->fat || to > from;
        b->region->d2_unbounded = true;
        accept(b, from, to, upper, lower);
        return;
    }
    /* height >= 0 cuts the interval into spans; its error is that of both bounds */
    gdyn_quadratic error = gdyn_quadratic_plus(upper->error, lower->error);
    gdyn_quadratic height = gdyn_quadratic_difference(upper->q, lower->q, error);
    gdyn_span span[GDYN_SPANS_MAX];
    int count =
        gdyn_quadratic_spans(height, from, to, GDYN_ACCESS_NOISE, upper->size + lower->size, span);
    for (int i = 0; i < count; i++) {
        /* thin spans alone are a curve, not an area */
        b->fat = b->fat || !(span[i].thin || span[i].point);
        accept(b, span[i].from, span[i].to, upper, lower);
    }
}

/* --- figures of the finished region ---------------------------------------------------------- */

static gdyn_quadratic of_arc(const gdyn_arc *arc) {
    return (gdyn_quadratic){arc->a, arc->b, arc->c};
}

/* Integral of upper minus lower over the island, arc by arc. */
static double island_area(const gdyn_region *r, const gdyn_island *island) {
    if (island->from == island->to)
        return 0;
    if (island->upper_count == 0 || island->lower_count == 0)
        return INFINITY;
    const gdyn_arc *u = &r->upper[island->upper_first], *l = &r->lower[island->lower_first];
    const gdyn_arc *u_end = u + island->upper_count, *l_end = l + island->lower_count;
    /* from breakpoint to breakpoint of either envelope */
    double area = 0, at = island->from;
    while (u < u_end && l < l_end) {
        double to = gdyn_lesser(u->to, l->to);
        gdyn_quadratic height = gdyn_quadratic_minus(of_arc(u), of_arc(l));
        /* without an end the area is finite only where both envelopes coincide */
        if (isinf(to))
            return height.a == 0 && height.b == 0 && height.c == 0 ? area : INFINITY;
        /* integral of a quadratic over [from, to], about the middle: no cancellation of large
         * cubes */
        double m = 0.5 * (at + to), h = 0.5 * (to - at);
        area += gdyn_greater(2 * h * (gdyn_quadratic_at(height, m) + height.a * h * h / 3), 0);
        at = to;
        u += u->to <= to;
        l += l->to <= to;
    }
    return area;
}

/* Largest t in the island with lower <= 0 <= upper; NAN when there is none. */
static double island_speed(const gdyn_region *r, const gdyn_island *island) {
    /* arcs are searched from the fast end back */
    int u = island->upper_count - 1, l = island->lower_count - 1;
    double to = island->to;
    while (true) {
        const gdyn_arc *up = u >= 0 ? &r->upper[island->upper_first + u] : NULL;
        const gdyn_arc *low = l >= 0 ? &r->lower[island->lower_first + l] : NULL;
        double from = gdyn_greater(up ? up->from : island->from, low ? low->from : island->from);
        /* where the upper arc is not below zero, and where the lower one is not above */
        gdyn_span a[GDYN_SPANS_MAX] = {{from, to, false, false}}, b[GDYN_SPANS_MAX];
        b[0] = a[0];
        int na = 1, nb = 1;
        if (up)
            na = gdyn_quadratic_spans(of_arc(up), from, to, GDYN_ACCESS_NOISE, r->d2_unit, a);
        if (low)
            nb = gdyn_quadratic_spans((gdyn_quadratic){-low->a, -low->b, -low->c}, from, to,
                                      GDYN_ACCESS_NOISE, r->d2_unit, b);
        /* both together: the maximum d1 of the overlap */
        double best = NAN;
        for (int i = 0; i < na; i++)
            for (int j = 0; j < nb; j++)
                if (gdyn_greater(a[i].from, b[j].from) <=
                    gdyn_lesser(a[i].to, b[j].to) + BESIDE * r->d1_unit)
                    best = gdyn_greater(best, gdyn_lesser(a[i].to, b[j].to));
        /* the next pair of arcs to the left */
        if (!isnan(best) || from <= island->from)
            return best;
        u -= up && up->from >= from;
        l -= low && low->from >= from;
        to = from;
    }
}

/* An area, a curve without width, or a single point. */
static gdyn_region_status status_of(const gdyn_builder *b) {
    const gdyn_region *r = b->region;
    if (r->island_count == 0)
        return GDYN_REGION_EMPTY;
    if (b->fat && b->wide)
        return GDYN_REGION_OK;
    /* one island without width or height */
    double low, high;
    bool single = r->island_count == 1 && r->island[0].from == r->island[0].to &&
                  gdyn_region_slice(r, r->island[0].from, &low, &high) &&
                  high - low <= POINT_SIZE * (fabs(high) + fabs(low) + r->d2_unit);
    return single ? GDYN_REGION_POINT : GDYN_REGION_CURVE;
}

gdyn_status gdyn_builder_end(gdyn_builder *b, gdyn_status status) {
    gdyn_region *r = b->region;
    b->status = status != GDYN_OK ? status : b->status;
    if (b->status != GDYN_OK) {
        gdyn_region_clear(r, GDYN_REGION_UNKNOWN);
        return b->status;
    }
    r->status = status_of(b);
    if (r->status == GDYN_REGION_EMPTY)
        return GDYN_OK;
    r->area = 0;
    /* area and maximum d1 with d2 = 0 of all islands; the last one is the fastest */
    for (int i = 0; i < r->island_count; i++) {
        double speed = island_speed(r, &r->island[i]);
        r->area += island_area(r, &r->island[i]);
        r->speed_max = isnan(speed) ? r->speed_max : speed;
    }
    /* a curve or point has no area */
    if (r->status != GDYN_REGION_OK)
        r->area = 0;
    r->d1_max = r->island[r->island_count - 1].to;
    /* Minimum and maximum d2 at d1 = 0. */
    r->rest = gdyn_region_slice(r, 0, &r->rest_min, &r->rest_max);
    if (!r->rest)
        r->rest_min = r->rest_max = NAN;
    return GDYN_OK;
}
