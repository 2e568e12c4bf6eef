/* access.c - the workspace and the choice of method. */
#include "access/projection.h"

#include "access/access.h"
#include "access/rows.h"
#include "base/memory.h"

#include <assert.h>
#include <string.h>

const char *const gdyn_projection_names[] = {"elementary", "tuples", "lp", NULL};

/* Arcs of an envelope that there is room for at first: regions of machines have fewer. */
enum { FIRST_ARCS = 32 };

gdyn_access *gdyn_access_create(int max_k, int max_r, int max_equalities) {
    if (max_k < 0 || max_r < 0 || max_equalities < 0)
        return NULL;
    gdyn_access *access = gdyn_alloc(1, sizeof *access);
    if (!access)
        return NULL;
    gdyn_arena *arena = access->arena = gdyn_arena_create();
    /* rows: limits, and equalities behind them */
    int rows = access->max_k = max_k + max_equalities;
    access->max_r = max_r;
    gdyn_problem_create(&access->problem, arena, rows, max_r);
    gdyn_projected_create(&access->projected, arena, rows, max_r);
    int n = access->projected.max_circuits, r = max_r + 2;
    /* elimination scratch of 2 (r + 2) rows and the ease of every circuit, both sides */
    access->scratch_size = 8 * r * r;
    access->scratch = gdyn_arena_doubles(arena, (size_t)access->scratch_size);
    access->scratch_row = gdyn_arena_alloc(arena, 2 * (size_t)r, sizeof *access->scratch_row);
    access->ease = gdyn_arena_doubles(arena, 4 * (size_t)n + 3 * (size_t)rows);
    gdyn_chain_create(&access->chain, arena, n);
    gdyn_spans_create(&access->spans, arena, 10 * n + 4 * rows);
    /* arcs grow where a region has more of them */
    bool arcs = gdyn_stretches_reserve(&access->upper, FIRST_ARCS) &&
                gdyn_stretches_reserve(&access->lower, FIRST_ARCS);
    if (arcs && !gdyn_arena_failed(arena))
        return access;
    gdyn_access_destroy(access);
    return NULL;
}

/* Safe on a partly made object. */
void gdyn_access_destroy(gdyn_access *access) {
    if (!access)
        return;
    gdyn_stretches_free(&access->upper), gdyn_stretches_free(&access->lower);
    gdyn_arena_destroy(access->arena);
    gdyn_free(access);
}

int gdyn_access_circuits(const gdyn_access *access) {
    return access->circuits;
}

gdyn_status gdyn_access_region(gdyn_access *access, const gdyn_coefficients *coefficients,
                               gdyn_projection method, gdyn_region *region) {
    assert(access && coefficients && region);
    access->circuits = 0;
    /* coefficients that are not finite tell nothing */
    if (!gdyn_problem_load(&access->problem, coefficients)) {
        gdyn_region_clear(region, GDYN_REGION_UNKNOWN);
        return GDYN_OK;
    }
    /* d2 from here on is measured from a parabola that all rows share */
    gdyn_problem_shift(&access->problem);
    bool few = gdyn_circuit_feasible(&access->problem);
    /* results are handed out in the units of the caller, with the common parabola back in: z' = z +
     * shift, known to within its error */
    const gdyn_problem *p = &access->problem;
    gdyn_builder builder;
    gdyn_builder_start(&builder, region, p->d1_unit, p->d2_unit);
    builder.shift = p->shift;
    builder.shift_error = p->shift_error;
    /* elementary vectors while they are few enough, else linear programs */
    gdyn_status status = method == GDYN_BY_TUPLES       ? gdyn_region_tuples(access, &builder)
                         : method == GDYN_BY_LP || !few ? gdyn_region_support(access, &builder)
                                                        : gdyn_region_elementary(access, &builder);
    status = gdyn_builder_end(&builder, status);
    /* an empty region says which limits exclude each other */
    if (status != GDYN_OK || region->status != GDYN_REGION_EMPTY)
        return status;
    gdyn_certificate *proof = gdyn_region_prove(region);
    return proof ? gdyn_certificate_find(access, proof) : GDYN_ERROR_MEMORY;
}

/* --- the region as an object ----------------------------------------------------------------- */

/* The region as an object: creation, copy, look-up. */

/* Nothing is known of it yet. */
gdyn_region *gdyn_region_create(void) {
    gdyn_region *region = gdyn_alloc(1, sizeof *region);
    if (region)
        gdyn_region_clear(region, GDYN_REGION_UNKNOWN);
    return region;
}

void gdyn_region_destroy(gdyn_region *region) {
    if (!region)
        return;
    gdyn_free(region->island), gdyn_free(region->upper), gdyn_free(region->lower);
    gdyn_free(region->proof), gdyn_free(region);
}

const gdyn_certificate *gdyn_region_certificate(const gdyn_region *region) {
    static const gdyn_certificate none;
    return region->proof && region->status == GDYN_REGION_EMPTY ? region->proof : &none;
}

gdyn_certificate *gdyn_region_prove(gdyn_region *region) {
    if (!region->proof)
        region->proof = gdyn_alloc(1, sizeof *region->proof);
    return region->proof;
}

/* A list of the target takes the elements: none to spare in a list that had no room. */
static bool copy_list(void *list, int *capacity, const void *from, int count, size_t size) {
    if (count == 0)
        return true;
    if (*capacity == 0) {
        void *block = gdyn_alloc((size_t)count, size);
        memcpy(list, &block, sizeof block);
        *capacity = block ? count : 0;
    }
    void *to = NULL;
    bool room = gdyn_reserve(list, capacity, count, size);
    memcpy(&to, list, sizeof to);
    if (room)
        memcpy(to, from, (size_t)count * size);
    return room;
}

/* Arrays of the target grow; its old contents are lost. */
gdyn_status gdyn_region_copy(gdyn_region *to, const gdyn_region *from) {
    if (to == from)
        return GDYN_OK;
    const gdyn_certificate *proof = gdyn_region_certificate(from);
    gdyn_region own = *to;
    bool room = copy_list(&own.island, &own.island_capacity, from->island, from->island_count,
                          sizeof *own.island) &&
                copy_list(&own.upper, &own.upper_capacity, from->upper, from->upper_count,
                          sizeof *own.upper) &&
                copy_list(&own.lower, &own.lower_capacity, from->lower, from->lower_count,
                          sizeof *own.lower) &&
                (proof->count == 0 || gdyn_region_prove(&own));
    if (room)
        *to = *from;
    to->island = own.island, to->island_capacity = own.island_capacity;
    to->upper = own.upper, to->upper_capacity = own.upper_capacity;
    to->lower = own.lower, to->lower_capacity = own.lower_capacity;
    to->proof = own.proof;
    if (room && to->proof)
        *to->proof = *proof;
    return room ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* The island that holds d1, NULL when d1 is not reachable. */
static const gdyn_island *find_island(const gdyn_region *region, double d1) {
    for (int i = 0; i < region->island_count; i++)
        if (d1 >= region->island[i].from && d1 <= region->island[i].to)
            return &region->island[i];
    return NULL;
}

static const gdyn_arc *find_arc(const gdyn_arc *arc, int count, double d1) {
    for (int i = 0; i < count; i++)
        if (d1 <= arc[i].to)
            return &arc[i];
    return count ? &arc[count - 1] : NULL;
}

/* NULL: no island there, or nothing bounds d2 on that side. */
const gdyn_arc *gdyn_region_arc(const gdyn_region *region, double d1, bool upper) {
    const gdyn_island *island = find_island(region, d1);
    if (!island)
        return NULL;
    return upper ? find_arc(region->upper + island->upper_first, island->upper_count, d1)
                 : find_arc(region->lower + island->lower_first, island->lower_count, d1);
}

static double arc_value(const gdyn_arc *arc, double d1) {
    return gdyn_quadratic_limit((gdyn_quadratic){arc->a, arc->b, arc->c}, d1);
}

bool gdyn_region_slice(const gdyn_region *region, double d1, double *d2_min, double *d2_max) {
    if (!find_island(region, d1))
        return false;
    const gdyn_arc *upper = gdyn_region_arc(region, d1, true);
    const gdyn_arc *lower = gdyn_region_arc(region, d1, false);
    *d2_max = upper ? arc_value(upper, d1) : INFINITY;
    *d2_min = lower ? arc_value(lower, d1) : -INFINITY;
    if (*d2_min > *d2_max) /* rounding where the envelopes meet */
        *d2_min = *d2_max = 0.5 * (*d2_min + *d2_max);
    return true;
}

const char *gdyn_region_status_name(gdyn_region_status status) {
    static const char *const name[] = {"ok", "curve", "point", "empty", "unknown"};
    return name[status];
}

/* --- stretches ------------------------------------------------------------------------------- */

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
