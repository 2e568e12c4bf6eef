/* cells.c - regions as unions of convex sets in (x, u), x = d1^2.
 *
 * An arc u = a d1^2 + b d1 + c with b = 0 is a line there, and the whole region one convex polygon.
 * With b <> 0 the arc is curved: concave where b > 0, convex where b < 0. The region is then cut at
 * the arcs' ends and at a scale of d1, and every piece of an arc replaced by its chord or by the
 * tangent in its middle, whichever lies on the wanted side. The error is b w^2 / (8 d1) for a piece
 * of width w: b d1_top / (2 n^2) everywhere when the cuts are at d1_top (j / n)^2. Where the curved
 * terms are small beside the height of the region, few cells suffice. */
#include "traverse/internal.h"

#include <math.h>
#include <string.h>

/* Fewest pieces up to d1_top. */
enum { FEWEST_CUTS = 6 };
/* A cut of the scale nearer to the last one than this share is that one. */
static const double SAME_CUT = 1e-9;

/* --- cells ------------------------------------------------------------------------------------ */

/* No arc has a linear term: all are lines in x = d1^2. */
static bool straight(const gdyn_region *region) {
    for (int i = 0; i < region->upper_count; i++)
        if (region->upper[i].b != 0)
            return false;
    for (int i = 0; i < region->lower_count; i++)
        if (region->lower[i].b != 0)
            return false;
    return true;
}

/* At least doubled: outgrown room stays in the arena. */
static int grown(int capacity, int count) {
    return 2 * capacity > count ? 2 * capacity : count;
}

/* Room for cells with that many lines in all. */
static gdyn_status reserve(gdyn_cells *cells, gdyn_arena *arena, int count, int numbers) {
    cells->count = 0;
    if (count > cells->capacity) {
        cells->capacity = grown(cells->capacity, count);
        cells->cell = gdyn_arena_room(arena, (size_t)cells->capacity, sizeof *cells->cell);
    }
    if (numbers > cells->room) {
        cells->room = grown(cells->room, numbers);
        cells->numbers = gdyn_arena_room(arena, (size_t)cells->room, sizeof *cells->numbers);
    }
    return gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

static double *lines_at(double *numbers, int count, gdyn_lines *lines) {
    *lines = (gdyn_lines){0, numbers, numbers + count};
    return numbers + 2 * count;
}

static double x_of(double d1, const gdyn_cell_extent *scope) {
    return d1 * d1 < scope->x_cap ? d1 * d1 : scope->x_cap;
}

/* Islands whose arcs are lines. */
static gdyn_status make_straight(gdyn_cells *cells, gdyn_arena *arena, const gdyn_region *region,
                                 const gdyn_cell_extent *scope, int spare) {
    int lines = region->upper_count + region->lower_count + 2 * spare * region->island_count;
    gdyn_status status = reserve(cells, arena, region->island_count, 2 * lines + 1);
    double *numbers = cells->numbers;
    /* an island without linear terms is one convex cell: x from end to end, a line per arc */
    for (int i = 0; i < region->island_count && status == GDYN_OK; i++) {
        const gdyn_island *island = &region->island[i];
        if (island->from * island->from > scope->x_cap)
            break;
        gdyn_strip *cell = &cells->cell[cells->count++];
        cell->x_low = x_of(fmax(island->from, 0), scope);
        cell->x_high = x_of(island->to, scope);
        numbers = lines_at(numbers, island->upper_count + spare, &cell->up);
        numbers = lines_at(numbers, island->lower_count + spare, &cell->low);
        /* u <= a x + c above, u >= a x + c below */
        for (int k = 0; k < island->upper_count; k++) {
            const gdyn_arc *arc = &region->upper[island->upper_first + k];
            gdyn_strip_add(cell, -arc->a, 1, -arc->c);
        }
        for (int k = 0; k < island->lower_count; k++) {
            const gdyn_arc *arc = &region->lower[island->lower_first + k];
            gdyn_strip_add(cell, arc->a, -1, arc->c);
        }
    }
    return status;
}

/* The arcs of one side of an island, the one that is over the present cell. */
typedef struct arcs_along {
    const gdyn_arc *arc;
    int left; /* arcs from this one on */
} arcs_along;

/* On to the arc that goes beyond `from`; the last one stays. */
static inline void move_along(arcs_along *side, double from) {
    while (side->left > 1 && side->arc->to <= from)
        side->arc++, side->left--;
}

/* Where the present arc ends before `end`. */
static inline double ends_before(const arcs_along *side, double from, double end) {
    double to = side->left > 0 ? side->arc->to : INFINITY;
    return to > from && to < end ? to : end;
}

/* The j-th cut of the scale: up to d1_top as the squares, which makes the error the same
 * everywhere, then growing. share: 1 / pieces. */
static inline double cut(const gdyn_cell_extent *scope, double share, int j) {
    double f = j * share;
    return scope->d1_top * (j <= scope->pieces ? f * f : ldexp(1, j - scope->pieces));
}

/* Cuts below d1. */
static int cuts_below(const gdyn_cell_extent *scope, double d1) {
    double f = d1 / scope->d1_top;
    return f <= 1 ? (int)ceil(scope->pieces * sqrt(f))
                  : scope->pieces + (int)fmin(ceil(log2(f)), 1000);
}

/* A piece s .. t of d1 as a cell: of each arc (NULL: none) its chord or the tangent in its middle,
 * whichever lies inside (outside for the lower bound), as slope x + at, x = d1^2. */
static void add_piece(gdyn_cells *cells, int lines, const gdyn_arc *const arc[2], double s,
                      double t, double cap, bool outer) {
    gdyn_strip *cell = &cells->cell[cells->count];
    double *numbers = cells->numbers + 4 * (size_t)lines * (size_t)cells->count++;
    double sum = s + t, f = sum > 0 ? 1 / sum : 0, chord = s * t * f, tangent = 0.25 * sum;
    cell->x_low = gdyn_lesser(s * s, cap);
    cell->x_high = gdyn_lesser(t * t, cap);
    for (int side = 0; side < 2; side++) {
        gdyn_lines *own = side ? &cell->low : &cell->up;
        const gdyn_arc *a = arc[side];
        numbers = lines_at(numbers, lines, own);
        if (!a)
            continue;
        bool by_chord = ((a->b > 0) != outer) != side;
        own->a[0] = a->a + a->b * f;
        own->c[0] = a->c + a->b * (by_chord ? chord : tangent);
        own->count = 1;
    }
}

/* An island cut at the pieces and where arcs end, from its slow end to its fast end. */
static void cut_island(gdyn_cells *cells, int most, int lines, const gdyn_region *region,
                       const gdyn_island *island, const gdyn_cell_extent *scope, bool outer) {
    arcs_along up = {region->upper + island->upper_first, island->upper_count};
    arcs_along low = {region->lower + island->lower_first, island->lower_count};
    double cap = sqrt(scope->x_cap), from = fmax(island->from, 0), end, share = 1.0 / scope->pieces;
    double last = gdyn_lesser(island->to, cap), next = cut(scope, share, 1);
    int j = 1;
    bool more = from <= cap;
    for (; more && cells->count < most; from = end) {
        /* the arcs that hold from here on; the earlier of their ends cuts, too */
        move_along(&up, from), move_along(&low, from);
        end = ends_before(&low, from, ends_before(&up, from, last));
        more = end > from && end < last;
        const gdyn_arc *const arc[2] = {up.left > 0 ? up.arc : NULL, low.left > 0 ? low.arc : NULL};
        while (next <= from * (1 + SAME_CUT))
            next = cut(scope, share, ++j);
        for (; next < end && cells->count + 1 < most; next = cut(scope, share, ++j)) {
            add_piece(cells, lines, arc, from, next, scope->x_cap, outer);
            from = next;
        }
        add_piece(cells, lines, arc, from, end, scope->x_cap, outer);
    }
}

/* Greatest |b| of some arcs. */
static double greatest_bend(const gdyn_arc *arc, int count) {
    double bend = 0;
    for (int i = 0; i < count; i++)
        bend = gdyn_greater(bend, fabs(arc[i].b));
    return bend;
}

/* Height of the region: the greatest at the beginnings of its islands; 0 where it is not known. */
static double height_of(const gdyn_region *region) {
    double height = 0;
    for (int i = 0; i < region->island_count; i++) {
        double low, high;
        if (!gdyn_region_slice(region, fmax(region->island[i].from, 0), &low, &high) ||
            !isfinite(high - low))
            return 0;
        height = gdyn_greater(height, high - low);
    }
    return height;
}

/* As many as give the region the error, as a share of its height, that the scope's number would
 * give curved terms as great as that height. */
int gdyn_cells_pieces(const gdyn_region *region, const gdyn_cell_extent *scope) {
    double bend = gdyn_greater(greatest_bend(region->upper, region->upper_count),
                               greatest_bend(region->lower, region->lower_count));
    double share = bend * scope->d1_top / height_of(region);
    int pieces = share < 1 ? (int)ceil(scope->pieces * sqrt(share)) : scope->pieces;
    pieces = pieces > FEWEST_CUTS ? pieces : FEWEST_CUTS;
    return pieces < scope->pieces ? pieces : scope->pieces;
}

/* Arcs with linear terms are curved in x: pieces of them, between chords and tangents. */
static gdyn_status make_curved(gdyn_cells *cells, gdyn_arena *arena, const gdyn_region *region,
                               const gdyn_cell_extent *most_scope, bool outer, int spare) {
    gdyn_cell_extent own = *most_scope, *scope = &own;
    own.pieces = gdyn_cells_pieces(region, most_scope);
    double top = 0, cap = sqrt(scope->x_cap);
    /* the fastest d1 that matters gives the number of pieces */
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        top = fmax(top, fmin(island->to, cap));
    }
    int most = cuts_below(scope, top) + 3 + 2 * region->island_count + region->upper_count +
               region->lower_count;
    int lines = 1 + spare;
    gdyn_status status = reserve(cells, arena, most, 4 * lines * most);
    for (int i = 0; i < region->island_count && status == GDYN_OK; i++)
        cut_island(cells, most, lines, region, &region->island[i], scope, outer);
    return status;
}

/* Lines where arcs allow it, else pieces. */
gdyn_status gdyn_cells_make(gdyn_cells *cells, gdyn_arena *arena, const gdyn_region *region,
                            const gdyn_cell_extent *scope, bool outer, int spare) {
    cells->scoped = !straight(region);
    return cells->scoped ? make_curved(cells, arena, region, scope, outer, spare)
                         : make_straight(cells, arena, region, scope, spare);
}
