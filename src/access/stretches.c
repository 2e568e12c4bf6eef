/* stretches.c - see stretches.h. */
#include "access/projection.h"
#include "access/rows.h"

#include "base/memory.h"

#include <assert.h>

bool gdyn_stretches_reserve(gdyn_stretches *s, int count) {
    return gdyn_reserve(&s->list, &s->capacity, count, sizeof *s->list);
}

/* An error is kept until the region is built. */
void gdyn_stretches_add(gdyn_stretches *s, gdyn_envelope_stretch stretch) {
    if (gdyn_stretches_reserve(s, s->count + 1))
        s->list[s->count++] = stretch;
    else
        s->failed = true;
}

void gdyn_stretches_free(gdyn_stretches *s) {
    gdyn_free(s->list);
    *s = (gdyn_stretches){0};
}

/* The piece that holds just after t: the last one that begins there or before. */
static int piece_at(const gdyn_stretches *s, double t) {
    int i = 0;
    while (i + 1 < s->count && s->list[i + 1].from <= t)
        i++;
    return i;
}

static const gdyn_bound *bound_of(const gdyn_stretches *s, int i) {
    return s->count && !s->list[i].unbounded ? &s->list[i].bound : NULL;
}

/* From breakpoint to breakpoint of both envelopes, over [from, to]. */
void gdyn_stretches_build(gdyn_builder *builder, double from, double to, const gdyn_closing *left,
                          const gdyn_closing *right, const gdyn_stretches *upper,
                          const gdyn_stretches *lower) {
    assert(from <= to);
    gdyn_builder_span(builder, from, to, left, right);
    int i = piece_at(upper, from), j = piece_at(lower, from);
    for (double at = from;;) {
        /* up to the next breakpoint of either */
        double next_upper = i + 1 < upper->count ? upper->list[i + 1].from : INFINITY;
        double next_lower = j + 1 < lower->count ? lower->list[j + 1].from : INFINITY;
        double end = gdyn_lesser(to, gdyn_lesser(next_upper, next_lower));
        gdyn_builder_add(builder, at, end, bound_of(upper, i), bound_of(lower, j));
        if (end >= to)
            return;
        /* whichever ended moves on */
        i += next_upper <= end;
        j += next_lower <= end;
        at = end;
    }
}
