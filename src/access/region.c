/* region.c - the region as an object: creation, copy, look-up. */
#include "access/access.h"
#include "access/projection.h"

#include "base/memory.h"

#include <string.h>

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
    gdyn_free(region->island);
    gdyn_free(region->upper);
    gdyn_free(region->lower);
    gdyn_free(region->proof);
    gdyn_free(region);
}

static void copy_block(void *to, const void *from, int count, size_t size) {
    if (count > 0)
        memcpy(to, from, (size_t)count * size);
}

/* Room for that many elements: none to spare in a list that had none. */
static bool make_room(void *list, int *capacity, int count, size_t size) {
    if (*capacity > 0 || count == 0)
        return gdyn_reserve(list, capacity, count, size);
    void *block = gdyn_alloc((size_t)count, size);
    memcpy(list, &block, sizeof block);
    *capacity = block ? count : 0;
    return block != NULL;
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

/* Arrays of the target grow; its old contents are lost. */
gdyn_status gdyn_region_copy(gdyn_region *to, const gdyn_region *from) {
    if (to == from)
        return GDYN_OK;
    if (!make_room(&to->island, &to->island_capacity, from->island_count, sizeof *to->island) ||
        !make_room(&to->upper, &to->upper_capacity, from->upper_count, sizeof *to->upper) ||
        !make_room(&to->lower, &to->lower_capacity, from->lower_count, sizeof *to->lower))
        return GDYN_ERROR_MEMORY;
    const gdyn_certificate *proof = gdyn_region_certificate(from);
    if (proof->count > 0 && !gdyn_region_prove(to))
        return GDYN_ERROR_MEMORY;
    gdyn_region old = *to;
    *to = *from;
    to->island = old.island;
    to->upper = old.upper;
    to->lower = old.lower;
    to->proof = old.proof;
    if (to->proof)
        *to->proof = *proof;
    to->island_capacity = old.island_capacity;
    to->upper_capacity = old.upper_capacity;
    to->lower_capacity = old.lower_capacity;
    copy_block(to->island, from->island, from->island_count, sizeof *to->island);
    copy_block(to->upper, from->upper, from->upper_count, sizeof *to->upper);
    copy_block(to->lower, from->lower, from->lower_count, sizeof *to->lower);
    return GDYN_OK;
}

/* The island that holds d1, NULL when d1 is not reachable. */
static const gdyn_island *find_island(const gdyn_region *region, double d1) {
    for (int i = 0; i < region->island_count; i++)
        if (d1 >= region->island[i].from && d1 <= region->island[i].to)
            return &region->island[i];
    return NULL;
}

/* The arc over d1, or the last one. */
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
