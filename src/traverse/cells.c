/* cells.c - regions as unions of convex sets in (x, u), x = d1^2.
 *
 * An arc u = a d1^2 + b d1 + c with b = 0 is a line there, and the whole region one convex polygon.
 * With b <> 0 the arc is curved: concave where b > 0, convex where b < 0. The region is then cut at
 * the arcs' ends and at a scale of d1, and every piece of an arc replaced by its chord or by the
 * tangent in its middle, whichever lies on the wanted side. The error is b w^2 / (8 d1) for a piece of
 * width w: b d1_top / (2 n^2) everywhere when the cuts are at d1_top (j / n)^2. */
#include "traverse/grid.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* Intervals of x closer than this share are one: ends agree to rounding only. */
static const double TOUCHING = 1e-12;

void gdyn_cells_free(gdyn_cells *cells) {
    gdyn_free(cells->cell);
    gdyn_free(cells->numbers);
    *cells = (gdyn_cells){0};
}

/* --- sets of x -------------------------------------------------------------------------------- */

static void remove_span(gdyn_x_set *set, int at) {
    set->count--;
    memmove(set->low + at, set->low + at + 1, (size_t)(set->count - at) * sizeof *set->low);
    memmove(set->high + at, set->high + at + 1, (size_t)(set->count - at) * sizeof *set->high);
}

/* Makes room for one more. */
static void condense(gdyn_x_set *set, bool outer) {
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

void gdyn_x_set_limit(gdyn_x_set *set, double x) {
    while (set->count > 0 && set->low[set->count - 1] > x)
        set->count--;
    if (set->count > 0)
        set->high[set->count - 1] = fmin(set->high[set->count - 1], x);
}

void gdyn_x_set_add(gdyn_x_set *set, double low, double high, bool outer) {
    double near = TOUCHING * gdyn_greater(fabs(low), fabs(high));
    for (int i = 0; i < set->count;) {
        if (set->low[i] <= high + near && set->high[i] >= low - near) {
            low = gdyn_lesser(low, set->low[i]);
            high = gdyn_greater(high, set->high[i]);
            remove_span(set, i);
        } else {
            i++;
        }
    }
    if (set->count == GDYN_SPANS_OF_X)
        condense(set, outer);
    int at = set->count++;
    for (; at > 0 && set->low[at - 1] > low; at--) {
        set->low[at] = set->low[at - 1];
        set->high[at] = set->high[at - 1];
    }
    set->low[at] = low;
    set->high[at] = high;
}

/* --- cells ------------------------------------------------------------------------------------ */

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

/* The arc between d1 = s and t as a line on one side of it. */
static void add_line(gdyn_lines *lines, const gdyn_arc *arc, double s, double t, bool above) {
    bool concave = arc->b > 0, chord = concave != above;
    double m = chord ? s : 0.5 * (s + t), slope;
    if (chord)
        slope = s + t > 0 ? arc->b / (s + t) : 0;
    else
        slope = m > 0 ? arc->b / (2 * m) : 0;
    lines->a[lines->count] = arc->a + slope;
    lines->c[lines->count++] = arc->c + arc->b * m - slope * m * m;
}

static const gdyn_arc *arc_on(const gdyn_arc *arc, int count, double middle) {
    for (int i = 0; i < count - 1; i++)
        if (middle <= arc[i].to)
            return &arc[i];
    return count > 0 ? &arc[count - 1] : NULL;
}

/* The j-th cut of the scale: up to d1_top as the squares, which makes the error the same everywhere,
 * then growing. */
static double cut(const gdyn_cell_extent *scope, int j) {
    double f = (double)j / scope->pieces;
    return scope->d1_top * (j <= scope->pieces ? f * f : pow(2, j - scope->pieces));
}

/* End of the piece that begins at `from`. */
static double piece_end(const gdyn_region *region, const gdyn_island *island,
                        const gdyn_cell_extent *scope, double from, int *j) {
    double end = gdyn_lesser(island->to, sqrt(scope->x_cap));
    while (cut(scope, *j) <= from * (1 + 1e-9))
        ++*j;
    end = gdyn_lesser(end, cut(scope, *j));
    for (int i = 0; i < island->upper_count; i++) {
        double to = region->upper[island->upper_first + i].to;
        end = to > from && to < end ? to : end;
    }
    for (int i = 0; i < island->lower_count; i++) {
        double to = region->lower[island->lower_first + i].to;
        end = to > from && to < end ? to : end;
    }
    return end;
}

static gdyn_status make_curved(gdyn_cells *cells, const gdyn_region *region,
                               const gdyn_cell_extent *scope, bool outer, int spare) {
    double top = 0, cap = sqrt(scope->x_cap);
    for (int i = 0; i < region->island_count; i++)
        top = fmax(top, fmin(region->island[i].to, cap));
    /* number of pieces into which d1 is cut up to the greatest one */
    int j = 1;
    for (; cut(scope, j) < top && j < scope->pieces + 1000; j++) {
    }
    int most = j + 2 + 2 * region->island_count + region->upper_count + region->lower_count;
    gdyn_status status = reserve(cells, most, 4 * (1 + spare) * most);
    double *numbers = cells->numbers;
    for (int i = 0; i < region->island_count && status == GDYN_OK; i++) {
        const gdyn_island *island = &region->island[i];
        const gdyn_arc *upper = region->upper + island->upper_first;
        const gdyn_arc *lower = region->lower + island->lower_first;
        double from = fmax(island->from, 0), end;
        j = 1;
        /* cut at the pieces and where arcs end: one arc above and one below each cell */
        for (bool more = from <= cap; more && cells->count < most; from = end) {
            end = piece_end(region, island, scope, from, &j);
            more = end > from && end < island->to && end < cap;
            gdyn_strip *cell = &cells->cell[cells->count++];
            double middle = 0.5 * (from + end);
            const gdyn_arc *up = arc_on(upper, island->upper_count, middle);
            const gdyn_arc *low = arc_on(lower, island->lower_count, middle);
            cell->x_low = x_of(from, scope);
            cell->x_high = x_of(end, scope);
            numbers = lines_at(numbers, 1 + spare, &cell->up);
            numbers = lines_at(numbers, 1 + spare, &cell->low);
            /* chord or tangent, whichever lies inside (outside for the lower bound) */
            if (up)
                add_line(&cell->up, up, from, end, outer);
            if (low)
                add_line(&cell->low, low, from, end, !outer);
        }
    }
    return status;
}

gdyn_status gdyn_cells_make(gdyn_cells *cells, const gdyn_region *region,
                            const gdyn_cell_extent *scope, bool outer, int spare) {
    cells->scoped = !straight(region);
    return cells->scoped ? make_curved(cells, region, scope, outer, spare)
                         : make_straight(cells, region, scope, spare);
}
