/* common.c - the common region of many: envelopes merged in a tree, clipped once.
 *
 * Common to all regions is what lies under the smallest upper and over the largest lower envelope,
 * at d1 that belong to an island of each. These three are kept apart. An envelope is a list of
 * pieces that covers all d1: beyond its island an arc goes on to the next one, where it does not
 * count. Two envelopes are merged by walking along both; a stretch ends with a piece of either or
 * where their parabolas cross. Groups of 1, 2, 4, .. regions are merged like the digits of a binary
 * counter, so that every region takes part in log2(N) merges. At the end the stretches between both
 * envelopes go to the builder, which finds where they meet. */
#include "access/folding.h"
#include "access/rows.h"

#include "access/projection.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

/* Up to `to`, from where the piece before it ends; arc NULL: no bound. */
typedef struct piece {
    double to;
    gdyn_quadratic q;
    const gdyn_arc *arc;
} piece;

typedef struct envelope {
    int count, capacity;
    piece *piece; /* the last one goes on to infinity */
} envelope;

/* d1 that belong to an island of each region, with the islands that end there. */
typedef struct span {
    double from, to;
    const gdyn_island *left, *right;
} span;

typedef struct span_set {
    int count, capacity;
    span *span; /* ascending, disjoint */
} span_set;

typedef struct group {
    envelope side[2]; /* lower, upper */
    span_set reachable;
} group;

enum { LEVELS = 32 };

struct gdyn_common {
    group level[LEVELS]; /* level k: of 2^k regions where bit k of `count` is set */
    group scratch;
    unsigned count;
    const gdyn_region *only, *empty; /* the first region, the first empty one */
    bool unknown;
    double d1_unit, d2_unit; /* the smallest ones */
};

/* Units start at infinity: the smallest of all regions counts. */
gdyn_common *gdyn_common_create(void) {
    gdyn_common *common = gdyn_alloc(1, sizeof *common);
    if (common)
        common->d1_unit = common->d2_unit = INFINITY;
    return common;
}

/* Both envelopes and the set of d1. */
static void free_group(group *g) {
    gdyn_free(g->side[0].piece), gdyn_free(g->side[1].piece);
    gdyn_free(g->reachable.span);
}

/* All levels of the binary counter, and the scratch group. */
void gdyn_common_destroy(gdyn_common *common) {
    if (!common)
        return;
    for (int i = 0; i < LEVELS; i++)
        free_group(&common->level[i]);
    free_group(&common->scratch);
    gdyn_free(common);
}

/* Room for so many pieces, the most that a merge can make. Nothing of the old ones is kept, and
 * room that no piece takes is never touched. */
static bool reserve_pieces(envelope *e, int count) {
    e->count = 0;
    if (count <= e->capacity)
        return true;
    gdyn_free(e->piece);
    e->piece = gdyn_room((size_t)count + (size_t)count / 2, sizeof *e->piece);
    e->capacity = e->piece ? count + count / 2 : 0;
    return e->piece != NULL;
}

static bool reserve_spans(span_set *s, int count) {
    s->count = 0;
    return gdyn_reserve(&s->span, &s->capacity, count, sizeof *s->span);
}

/* --- of one region ---------------------------------------------------------------------------- */

/* The piece up to `to`; without an arc there is no bound. */
static void add_piece(envelope *e, double to, const gdyn_arc *arc) {
    e->piece[e->count++] = (piece){.to = to, .arc = arc};
    if (arc)
        e->piece[e->count - 1].q = (gdyn_quadratic){arc->a, arc->b, arc->c};
}

/* A region's arcs as one envelope; gaps between islands keep the bound before them, they are closed
 * by the spans. */
static bool take_envelope(envelope *e, const gdyn_region *region, bool upper) {
    int arcs = upper ? region->upper_count : region->lower_count;
    if (!reserve_pieces(e, arcs + region->island_count))
        return false;
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        int count = upper ? island->upper_count : island->lower_count;
        const gdyn_arc *arc =
            upper ? region->upper + island->upper_first : region->lower + island->lower_first;
        /* the last arc of an island reaches up to the next island */
        double end = i + 1 < region->island_count ? region->island[i + 1].from : INFINITY;
        for (int k = 0; k + 1 < count; k++)
            add_piece(e, arc[k].to, &arc[k]);
        add_piece(e, end, count > 0 ? &arc[count - 1] : NULL);
    }
    return true;
}

/* --- of two groups ---------------------------------------------------------------------------- */

/* Intersection of two ascending sets of intervals. */
static bool merge_spans(const span_set *a, const span_set *b, span_set *out) {
    if (!reserve_spans(out, a->count + b->count))
        return false;
    for (int i = 0, j = 0; i < a->count && j < b->count;) {
        const span *p = &a->span[i], *q = &b->span[j];
        /* an end belongs to whichever set it comes from */
        double from = gdyn_greater(p->from, q->from), to = gdyn_lesser(p->to, q->to);
        if (from <= to)
            out->span[out->count++] = (span){from, to, from == p->from ? p->left : q->left,
                                             to == p->to ? p->right : q->right};
        /* the one that ends first makes room for its successor */
        if (p->to < q->to)
            i++;
        else
            j++;
    }
    return true;
}

/* Two pieces on [from, to]; sign +1: the lesser one counts, -1: the greater one. */
typedef struct pair {
    const piece *p, *q;
    double sign;
} pair;

/* What counts on all of [from, to] because the Bezier ordinates of the difference have one sign;
 * NULL: they do not tell. Of equal pieces the first one counts. */
static const piece *by_ordinates(const pair *two, double from, double to) {
    gdyn_quadratic d = gdyn_quadratic_minus(two->p->q, two->q->q);
    double first = gdyn_quadratic_at(d, from), last = gdyn_quadratic_at(d, to);
    double middle = first + 0.5 * (to - from) * (2 * d.a * from + d.b);
    first *= two->sign, middle *= two->sign, last *= two->sign;
    if (first > 0 && middle > 0 && last > 0)
        return two->q;
    return first <= 0 && middle <= 0 && last <= 0 ? two->p : NULL;
}

/* What counts in the middle of a stretch without crossings. */
static const piece *by_middle(const pair *two, double from, double to, double unit) {
    double middle = isfinite(to) ? 0.5 * (from + to) : 2 * fabs(from) + unit;
    double p = gdyn_quadratic_at(two->p->q, middle), q = gdyn_quadratic_at(two->q->q, middle);
    return two->sign * p <= two->sign * q ? two->p : two->q;
}

/* One more piece, or the last one longer. */
static void append(envelope *out, const piece *from, double to) {
    piece *last = out->count > 0 ? &out->piece[out->count - 1] : NULL;
    /* the same arc goes on */
    if (last && last->arc == from->arc) {
        last->to = to;
        return;
    }
    out->piece[out->count] = *from;
    out->piece[out->count++].to = to;
}

/* Appends what counts on [from, to]. */
static void append_nearer(envelope *out, const pair *two, double from, double to, double unit) {
    const gdyn_arc *a = two->p->arc, *b = two->q->arc;
    /* only one side bounds */
    if (!a || !b) {
        append(out, a ? two->p : two->q, to);
        return;
    }
    /* clearly separate at both ends and of one kind in between: no roots needed */
    const piece *all = isfinite(to) ? by_ordinates(two, from, to) : NULL;
    if (all) {
        append(out, all, to);
        return;
    }
    /* else the roots of their difference cut the interval */
    gdyn_quadratic error = {a->a_error + b->a_error, a->b_error + b->b_error, 0};
    gdyn_quadratic d = gdyn_quadratic_difference(two->p->q, two->q->q, error);
    double root[2];
    int roots = gdyn_quadratic_roots(d, root);
    /* between roots the middle decides */
    for (int i = 0; i < roots; i++)
        if (root[i] > from && root[i] < to) {
            append(out, by_middle(two, from, root[i], unit), root[i]);
            from = root[i];
        }
    append(out, by_middle(two, from, to, unit), to);
}

/* Where both are asked for: from `from` on, up to `end`. */
static bool merge_envelopes(const envelope *a, const envelope *b, double sign, double from,
                            double end, double unit, envelope *out) {
    if (!reserve_pieces(out, 3 * (a->count + b->count)))
        return false;
    const piece *p = a->piece, *q = b->piece, *p_last = p + a->count - 1,
                *q_last = q + b->count - 1;
    for (bool more = true; more;) {
        /* pieces that end before are done with */
        while (p < p_last && p->to <= from)
            p++;
        while (q < q_last && q->to <= from)
            q++;
        /* up to the next breakpoint of either */
        double to = gdyn_lesser(p->to, q->to);
        pair two = {p, q, sign};
        append_nearer(out, &two, from, to, unit);
        more = to < end;
        from = to;
    }
    /* behind the last d1 that is asked for nothing changes */
    out->piece[out->count - 1].to = INFINITY;
    return true;
}

/* Both envelopes only over the d1 that both groups reach. */
static bool merge_groups(const gdyn_common *common, const group *a, const group *b, group *out) {
    if (!merge_spans(&a->reachable, &b->reachable, &out->reachable))
        return false;
    /* an empty intersection needs no envelopes */
    const span_set *set = &out->reachable;
    if (set->count == 0)
        return true;
    double from = set->span[0].from, end = set->span[set->count - 1].to;
    /* the lower envelope takes the greater value, the upper one the less */
    for (int i = 0; i < 2; i++)
        if (!merge_envelopes(&a->side[i], &b->side[i], i ? 1 : -1, from, end, common->d1_unit,
                             &out->side[i]))
            return false;
    return true;
}

/* --- all of them ------------------------------------------------------------------------------ */

static void swap(group *a, group *b) {
    group kept = *a;
    *a = *b, *b = kept;
}

/* Regions are merged pairwise like carries in binary counting: n regions cost n log n. */
gdyn_status gdyn_common_add(gdyn_common *c, const gdyn_region *region) {
    /* the only region is handed out as it is */
    c->only = c->count == 0 ? region : NULL;
    /* the first empty one gives the certificate */
    if (region->status == GDYN_REGION_EMPTY && !c->empty)
        c->empty = region;
    c->unknown = c->unknown || region->status == GDYN_REGION_UNKNOWN;
    /* the finest units of all */
    c->d1_unit = gdyn_lesser(c->d1_unit, region->d1_unit);
    c->d2_unit = gdyn_lesser(c->d2_unit, region->d2_unit);
    int level = 0;
    for (; c->count >> level & 1; level++) {
    }
    /* a group of one, merged with the groups of its size like a carry in binary counting */
    group *made = &c->level[level];
    if (!take_envelope(&made->side[0], region, false) ||
        !take_envelope(&made->side[1], region, true) ||
        !reserve_spans(&made->reachable, region->island_count))
        return GDYN_ERROR_MEMORY;
    /* the islands as intervals of d1, each end with its reason */
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        made->reachable.span[made->reachable.count++] =
            (span){island->from, island->to, island, island};
    }
    for (int k = 0; k < level; k++) {
        if (!merge_groups(c, &c->level[k], made, &c->scratch))
            return GDYN_ERROR_MEMORY;
        swap(made, &c->scratch);
    }
    c->count++;
    return GDYN_OK;
}

/* A piece that begins at `from`, in the builder's units. */
static gdyn_envelope_stretch stretch_of(const piece *of, double from, const gdyn_builder *b) {
    double s1 = b->d1_unit, s2 = b->d2_unit;
    gdyn_envelope_stretch stretch = {.from = from / s1, .unbounded = !of->arc};
    if (!of->arc)
        return stretch;
    /* q in the builder's units: t = d1 / s1, z = d2 / s2 */
    gdyn_bound *bound = &stretch.bound;
    bound->q = (gdyn_quadratic){of->q.a * s1 * s1 / s2, of->q.b * s1 / s2, of->q.c / s2};
    bound->error = (gdyn_quadratic){of->arc->a_error * s1 * s1 / s2, of->arc->b_error * s1 / s2, 0};
    /* what rounding of its values is measured against */
    bound->size = 1 + fabs(bound->q.c);
    bound->active_count = of->arc->active_count;
    memcpy(bound->active, of->arc->active, sizeof bound->active);
    return stretch;
}

/* An envelope as stretches, each from the end of the one before. */
static void take_pieces(const envelope *e, const gdyn_builder *builder, gdyn_stretches *out) {
    for (int i = 0; i < e->count; i++)
        gdyn_stretches_add(out,
                           stretch_of(&e->piece[i], i ? e->piece[i - 1].to : -INFINITY, builder));
}

/* What closes an interval, copied. */
static gdyn_closing closing_of(int count, const gdyn_limit *limit) {
    gdyn_closing closing = {.count = count};
    memcpy(closing.limit, limit, sizeof closing.limit);
    return closing;
}

static gdyn_status build(const gdyn_common *c, const group *all, gdyn_region *out) {
    gdyn_builder builder;
    gdyn_stretches low = {0}, up = {0};
    gdyn_builder_start(&builder, out, c->d1_unit, c->d2_unit);
    /* both envelopes as stretches */
    take_pieces(&all->side[0], &builder, &low);
    take_pieces(&all->side[1], &builder, &up);
    bool failed = low.failed || up.failed;
    for (int i = 0; i < all->reachable.count && !failed; i++) {
        const span *s = &all->reachable.span[i];
        gdyn_closing left = closing_of(s->left->left_count, s->left->left);
        gdyn_closing right = closing_of(s->right->right_count, s->right->right);
        gdyn_stretches_build(&builder, s->from / c->d1_unit, s->to / c->d1_unit, &left, &right, &up,
                             &low);
    }
    gdyn_stretches_free(&low), gdyn_stretches_free(&up);
    gdyn_status status = gdyn_builder_end(&builder, failed ? GDYN_ERROR_MEMORY : GDYN_OK);
    /* an empty intersection with an empty region inherits its reason */
    if (status == GDYN_OK && out->status == GDYN_REGION_EMPTY && c->empty) {
        gdyn_certificate *proof = gdyn_region_prove(out);
        if (!proof)
            return GDYN_ERROR_MEMORY;
        *proof = *gdyn_region_certificate(c->empty);
    }
    return status;
}

/* All regions added so far, intersected. */
gdyn_status gdyn_common_region(gdyn_common *c, gdyn_region *out) {
    assert(out != c->only && out != c->empty);
    /* one region: nothing to intersect */
    if (c->count == 1)
        return gdyn_region_copy(out, c->only);
    if (c->unknown || c->count == 0) {
        gdyn_region_clear(out, GDYN_REGION_UNKNOWN);
        return GDYN_OK;
    }
    /* the levels in the regions' order, largest first: into a chain of scratch groups */
    group rest = {0};
    const group *all = NULL;
    gdyn_status status = GDYN_OK;
    for (int k = LEVELS - 1; k >= 0 && !status; k--) {
        if (!(c->count >> k & 1))
            continue;
        if (!all) {
            all = &c->level[k];
            continue;
        }
        /* `rest` takes the result, the scratch group what it replaces */
        status = merge_groups(c, all, &c->level[k], &c->scratch) ? GDYN_OK : GDYN_ERROR_MEMORY;
        swap(&rest, &c->scratch);
        all = &rest;
    }
    if (!status)
        status = build(c, all, out);
    free_group(&rest);
    return status;
}

/* The same for two regions. */
gdyn_status gdyn_region_intersect(const gdyn_region *a, const gdyn_region *b, gdyn_region *out) {
    if (out == a || out == b)
        return GDYN_ERROR_ARGUMENT;
    gdyn_common *common = gdyn_common_create();
    gdyn_status status = common ? gdyn_common_add(common, a) : GDYN_ERROR_MEMORY;
    if (!status)
        status = gdyn_common_add(common, b);
    if (!status)
        status = gdyn_common_region(common, out);
    gdyn_common_destroy(common);
    return status;
}
