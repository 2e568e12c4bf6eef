/* cells.c - regions as unions of convex sets in (x, u), x = d1^2.
 *
 * An arc u = a d1^2 + b d1 + c with b = 0 is a line there, and the whole region one convex polygon.
 * With b <> 0 the arc is curved: concave where b > 0, convex where b < 0. The region is then cut at
 * the arcs' ends and at a scale of d1, and every piece of an arc replaced by its chord or by the
 * tangent in its middle, whichever lies on the wanted side. The error is b w^2 / (8 d1) for a piece
 * of width w: b d1_top / (2 n^2) everywhere when the cuts are at d1_top (j / n)^2. Where the curved
 * terms are small beside the height of the region, few cells are as accurate as many where they are
 * not. */
#include "traverse/internal.h"

#include <math.h>
#include <string.h>

/* Intervals of x closer than this share are one: ends agree to rounding only. */
static const double TOUCHING = 1e-12;
/* Fewest pieces up to d1_top. */
enum { FEWEST_CUTS = 6 };
/* A cut of the scale nearer to the last one than this share is that one. */
static const double SAME_CUT = 1e-9;

void gdyn_cells_free(gdyn_cells *cells) {
    gdyn_free(cells->cell);
    gdyn_free(cells->numbers);
    *cells = (gdyn_cells){0};
}

/* --- sets of x -------------------------------------------------------------------------------- */

/* The intervals behind it move up. */
static void remove_span(gdyn_x_set *set, int at) {
    set->count--;
    memmove(set->low + at, set->low + at + 1, (size_t)(set->count - at) * sizeof *set->low);
    memmove(set->high + at, set->high + at + 1, (size_t)(set->count - at) * sizeof *set->high);
}

/* Intervals above x vanish, the last one ends there. */
void gdyn_x_set_limit(gdyn_x_set *set, double x) {
    while (set->count > 0 && set->low[set->count - 1] > x)
        set->count--;
    if (set->count > 0)
        set->high[set->count - 1] = fmin(set->high[set->count - 1], x);
}

void gdyn_x_set_add(gdyn_x_set *set, double low, double high, bool outer) {
    double near = TOUCHING * gdyn_greater(fabs(low), fabs(high));
    /* everything that touches the new interval becomes part of it */
    for (int i = 0; i < set->count;) {
        if (set->low[i] <= high + near && set->high[i] >= low - near) {
            low = gdyn_lesser(low, set->low[i]);
            high = gdyn_greater(high, set->high[i]);
            remove_span(set, i);
        } else {
            i++;
        }
    }
    /* room for one more, in ascending order */
    if (set->count == GDYN_SPANS_OF_X) {
        /* Makes room for one more. */
        /* outer: the smallest gap is filled; inner: the smallest interval is dropped */
        int best = 0;
        double least = INFINITY;
        for (int i = 0; i < set->count - (outer ? 1 : 0); i++) {
            double size = outer ? set->low[i + 1] - set->high[i] : set->high[i] - set->low[i];
            best = size < least ? i : best;
            least = fmin(size, least);
        }
        if (outer)
            set->low[best + 1] = set->low[best];
        remove_span(set, best);
    }
    int at = set->count++;
    for (; at > 0 && set->low[at - 1] > low; at--) {
        set->low[at] = set->low[at - 1];
        set->high[at] = set->high[at - 1];
    }
    set->low[at] = low;
    set->high[at] = high;
}

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

/* Room for cells with that many lines in all. */
static gdyn_status reserve(gdyn_cells *cells, int count, int numbers) {
    cells->count = 0;
    cells->narrow = false;
    bool room = gdyn_reserve(&cells->cell, &cells->capacity, count, sizeof *cells->cell) &&
                gdyn_reserve(&cells->numbers, &cells->room, numbers, sizeof *cells->numbers);
    return room ? GDYN_OK : GDYN_ERROR_MEMORY;
}

static double *lines_at(double *numbers, int count, gdyn_lines *lines) {
    *lines = (gdyn_lines){0, numbers, numbers + count};
    return numbers + 2 * count;
}

static double x_of(double d1, const gdyn_cell_extent *scope) {
    return d1 * d1 < scope->x_cap ? d1 * d1 : scope->x_cap;
}

/* Islands whose arcs are lines. */
static gdyn_status make_straight(gdyn_cells *cells, const gdyn_region *region,
                                 const gdyn_cell_extent *scope, int spare) {
    int lines = region->upper_count + region->lower_count + 2 * spare * region->island_count;
    gdyn_status status = reserve(cells, region->island_count, 2 * lines + 1);
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

/* Room for that many narrow cells; false: no memory. */
static bool reserve_columns(gdyn_cells *cells, int most) {
    cells->count = 0;
    cells->narrow = true;
    int places = most + most % 2;
    if (6 * places > cells->room) {
        /* nothing of the old ones is kept */
        gdyn_free(cells->numbers);
        cells->numbers = gdyn_room(6 * (size_t)places, sizeof *cells->numbers);
        cells->room = cells->numbers ? 6 * places : 0;
    }
    double *at = cells->numbers;
    if (!at)
        return false;
    cells->column = (gdyn_cell_columns){
        at, at + places, at + 2 * places, at + 3 * places, at + 4 * places, at + 5 * places};
    return true;
}

/* Lines of the cells from the first one on, which are pieces s .. t of d1 of the same arcs: slope x
 * + at, x = d1^2, of an arc's chord or of the tangent in its middle, whichever lies inside (outside
 * for the lower bound). */
static void fill_lines(const gdyn_cells *cells, int first, const gdyn_arc *up, const gdyn_arc *low,
                       bool outer) {
    const gdyn_cell_columns *k = &cells->column;
    const double *restrict s = k->from + first, *restrict t = k->to + first;
    double *restrict above = k->up + first, *restrict above_at = k->up_at + first;
    double *restrict below = k->low + first, *restrict below_at = k->low_at + first;
    const gdyn_arc a = *up, b = *low;
    bool chord_above = (a.b > 0) != outer, chord_below = (b.b > 0) == outer;
    int count = cells->count - first;
    for (int i = 0; i < count; i++) {
        double sum = s[i] + t[i], f = 1 / sum, chord = s[i] * t[i] * f, tangent = 0.25 * sum;
        above[i] = a.a + a.b * f;
        above_at[i] = a.c + a.b * (chord_above ? chord : tangent);
        below[i] = b.a + b.b * f;
        below_at[i] = b.c + b.b * (chord_below ? chord : tangent);
    }
    /* a piece at rest */
    if (count > 0 && s[0] + t[0] == 0) {
        above[0] = a.a, above_at[0] = a.c;
        below[0] = b.a, below_at[0] = b.c;
    }
}

/* An island without limits on a side. */
static const gdyn_arc NO_LIMIT[2] = {{.c = INFINITY, .to = INFINITY},
                                     {.c = -INFINITY, .to = INFINITY}};

static arcs_along arcs_of(const gdyn_arc *arc, int count, const gdyn_arc *none) {
    return count > 0 ? (arcs_along){arc, count} : (arcs_along){none, 1};
}

/* Cells from `from` to `end`, cut at the scale from its j-th cut on; the next cut. */
static int cut_run(gdyn_cells *cells, int most, const gdyn_cell_extent *scope, double from,
                   double end, int j) {
    const gdyn_cell_extent known = *scope;
    double *starts = cells->column.from, *ends = cells->column.to;
    double share = 1.0 / known.pieces, next = cut(&known, share, j);
    int count = cells->count;
    while (next <= from * (1 + SAME_CUT))
        next = cut(&known, share, ++j);
    for (; next < end && count + 1 < most; next = cut(&known, share, ++j)) {
        starts[count] = from;
        ends[count++] = from = next;
    }
    starts[count] = from;
    ends[count++] = end;
    cells->count = count;
    return j;
}

/* From d1 to x. */
static void square(int count, double *d1, double cap) {
    for (int i = 0; i < count; i++)
        d1[i] = gdyn_lesser(d1[i] * d1[i], cap);
}

/* An island cut at the pieces and where arcs end, from its slow end to its fast end. */
static void cut_island(gdyn_cells *cells, int most, const gdyn_region *region,
                       const gdyn_island *island, const gdyn_cell_extent *scope, bool outer) {
    arcs_along up = arcs_of(region->upper + island->upper_first, island->upper_count, NO_LIMIT);
    arcs_along low =
        arcs_of(region->lower + island->lower_first, island->lower_count, NO_LIMIT + 1);
    double cap = sqrt(scope->x_cap), from = fmax(island->from, 0), end;
    double last = gdyn_lesser(island->to, cap);
    int j = 1, start = cells->count;
    bool more = from <= cap;
    for (; more && cells->count < most; from = end) {
        /* the arcs that hold from here on; the earlier of their ends cuts, too */
        move_along(&up, from), move_along(&low, from);
        end = ends_before(&low, from, ends_before(&up, from, last));
        more = end > from && end < last;
        int first = cells->count;
        j = cut_run(cells, most, scope, from, end, j);
        fill_lines(cells, first, up.arc, low.arc, outer);
    }
    square(cells->count - start, cells->column.from + start, scope->x_cap);
    square(cells->count - start, cells->column.to + start, scope->x_cap);
}

/* The last of an odd number of cells once more, where the other half of a pair is looked for. */
static void fill_pair(const gdyn_cells *cells) {
    const gdyn_cell_columns *k = &cells->column;
    double *column[] = {k->from, k->to, k->up, k->up_at, k->low, k->low_at};
    for (int i = 0; i < 6 && cells->count % 2 != 0; i++)
        column[i][cells->count] = column[i][cells->count - 1];
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
static gdyn_status make_curved(gdyn_cells *cells, const gdyn_region *region,
                               const gdyn_cell_extent *most_scope, bool outer) {
    gdyn_cell_extent own = *most_scope, *scope = &own;
    own.pieces = gdyn_cells_pieces(region, most_scope);
    double top = 0, cap = sqrt(scope->x_cap);
    bool bounded = true;
    /* the fastest d1 that matters gives the number of pieces */
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        top = fmax(top, fmin(island->to, cap));
        bounded = bounded && island->upper_count > 0 && island->lower_count > 0;
    }
    int most = cuts_below(scope, top) + 3 + 2 * region->island_count + region->upper_count +
               region->lower_count;
    if (!reserve_columns(cells, most))
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < region->island_count; i++)
        cut_island(cells, most, region, &region->island[i], scope, outer);
    fill_pair(cells);
    return bounded ? GDYN_OK : gdyn_cells_open(cells);
}

/* One line, unless it bounds nothing. */
static void open_side(gdyn_lines *lines, double slope, double at) {
    if (!isfinite(at))
        return;
    lines->a[0] = slope;
    lines->c[0] = at;
    lines->count = 1;
}

gdyn_status gdyn_cells_open(gdyn_cells *cells) {
    const gdyn_cell_columns k = cells->column;
    int lines = 1 + cells->spare, count = cells->count, room = 4 * lines * count + 1;
    if (!cells->narrow)
        return GDYN_OK;
    double *numbers = gdyn_room((size_t)room, sizeof *numbers), *at = numbers;
    if (!numbers || !gdyn_reserve(&cells->cell, &cells->capacity, count, sizeof *cells->cell)) {
        gdyn_free(numbers);
        return GDYN_ERROR_MEMORY;
    }
    for (int c = 0; c < count; c++) {
        gdyn_strip *cell = &cells->cell[c];
        *cell = (gdyn_strip){.x_low = k.from[c], .x_high = k.to[c]};
        at = lines_at(at, lines, &cell->up);
        at = lines_at(at, lines, &cell->low);
        open_side(&cell->up, k.up[c], k.up_at[c]);
        open_side(&cell->low, k.low[c], k.low_at[c]);
    }
    gdyn_free(cells->numbers);
    cells->numbers = numbers;
    cells->room = room;
    cells->narrow = false;
    return GDYN_OK;
}

/* Lines where arcs allow it, else pieces. */
gdyn_status gdyn_cells_make(gdyn_cells *cells, const gdyn_region *region,
                            const gdyn_cell_extent *scope, bool outer, int spare) {
    cells->scoped = !straight(region);
    cells->spare = spare;
    return cells->scoped ? make_curved(cells, region, scope, outer)
                         : make_straight(cells, region, scope, spare);
}
