/* grid.c - places along the path: coefficients are taken once from the dynamics and kept, regions
 * are made again whenever their limits are tightened. */
#include "traverse/internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x beyond this many d2_unit times the length is no speed of a motion. */
static const double CAP_FACTOR = 1e4;

enum { FEW_PLACES = 8 }; /* places are large: more of them are sorted */
enum { EQUALITIES_MAX = 4, FEWEST_PIECES = 48, MOST_PIECES = 1000 };
/* Distance of that node from a jump, as a share of the path. */
static const double NEAR_JUMP = 1e-6;
/* Of that: how far behind a machine's jump, known to 1e-12, the other node is. */
static const double BEHIND_JUMP = 1e-3;

/* --- copies of coefficients ------------------------------------------------------------------- */

/* Coefficients at a place, in storage of their own. */
gdyn_status gdyn_copy_take(gdyn_copy *copy, const gdyn_coefficients *q) {
    size_t k = (size_t)q->k, e = (size_t)q->equalities, r = (size_t)q->r;
    copy->coefficients = *q;
    gdyn_coefficients *c = &copy->coefficients;
    /* rows of k, then V, then rows of the equalities: one block holds all of them */
    const double **own[] = {&c->A,       &c->B,       &c->C,         &c->D,
                            &c->min,     &c->max,     &c->min_slope, &c->max_slope,
                            &c->A_error, &c->B_error, &c->D_error,   &c->V,
                            &c->eq_a,    &c->eq_b,    &c->eq_c,      &c->eq_d};
    size_t count[16], room = 1;
    for (int i = 0; i < 16; i++) {
        count[i] = !*own[i] ? 0 : i < 11 ? k : i == 11 ? k * r : e;
        room += count[i];
    }
    double *to = copy->numbers = gdyn_alloc(room, sizeof *to);
    copy->size = room - 1;
    if (!to)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < 16; i++) {
        if (count[i] > 0) {
            memcpy(to, *own[i], count[i] * sizeof *to);
            *own[i] = to;
            to += count[i];
        }
    }
    return GDYN_OK;
}

void gdyn_copy_free(gdyn_copy *copy) {
    gdyn_free(copy->numbers);
    copy->numbers = NULL;
}

/* --- the grid --------------------------------------------------------------------------------- */

/* Workspaces; no place yet. */
gdyn_status gdyn_grid_open(gdyn_grid *grid, gdyn_path_dynamics *dynamics,
                           const gdyn_traverse_settings *settings) {
    int rows = gdyn_path_dynamics_rows(dynamics);
    *grid = (gdyn_grid){.dynamics = dynamics, .settings = *settings};
    grid->arena = gdyn_arena_create();
    grid->access =
        gdyn_access_create(rows, gdyn_path_dynamics_redundancy(dynamics), EQUALITIES_MAX);
    grid->region = gdyn_region_create();
    grid->min = gdyn_alloc((size_t)rows + 1, sizeof *grid->min);
    grid->max = gdyn_alloc((size_t)rows + 1, sizeof *grid->max);
    return grid->arena && grid->access && grid->region && grid->min && grid->max
               ? GDYN_OK
               : GDYN_ERROR_MEMORY;
}

/* Audited coefficients belong to the segment behind the place. */
static void drop_audit(gdyn_place *place) {
    for (int i = 0; place->audit.part && i < GDYN_AUDIT_PARTS - 1; i++)
        gdyn_copy_free(&place->audit.part[i]);
    gdyn_free(place->audit.part);
    place->audit.part = NULL;
}

/* Safe on a partly opened grid. */
void gdyn_grid_close(gdyn_grid *grid) {
    for (int i = 0; i < grid->count; i++) {
        gdyn_copy_free(&grid->place[i].copy);
        gdyn_region_destroy(grid->place[i].own);
        gdyn_free(grid->place[i].inertia.zero);
        drop_audit(&grid->place[i]);
    }
    gdyn_arena_destroy(grid->arena);
    gdyn_free(grid->place);
    gdyn_free(grid->lines);
    gdyn_free(grid->min);
    gdyn_free(grid->max);
    gdyn_region_destroy(grid->region);
    gdyn_access_destroy(grid->access);
}

/* A region of the place's own, made once. */
static gdyn_status own_region(gdyn_place *place) {
    place->own = place->own ? place->own : gdyn_region_create();
    place->region = place->own;
    return place->own ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* Appends a place; settle() puts it in its order. */
static gdyn_status append(gdyn_grid *grid, double p, gdyn_place_kind kind) {
    if (!gdyn_reserve(&grid->place, &grid->capacity, grid->count + 1, sizeof *grid->place))
        return GDYN_ERROR_MEMORY;
    gdyn_place *place = &grid->place[grid->count];
    *place = (gdyn_place){.p = p, .kind = kind, .made = NAN, .d1_max = NAN, .fresh = true};
    place->inertia.x_most = INFINITY;
    const gdyn_coefficients *q;
    /* coefficients at p, or why there are none */
    gdyn_status status = gdyn_path_dynamics_at(grid->dynamics, p, &q, &place->found);
    if (status != GDYN_OK)
        return status;
    /* regions that are known are borrowed, with their coefficients */
    place->region = gdyn_path_dynamics_region(grid->dynamics, p);
    if (place->region && place->found == GDYN_POINT_OK)
        place->copy.coefficients = *q;
    else if (place->found == GDYN_POINT_OK)
        status = gdyn_copy_take(&place->copy, q);
    grid->count++;
    return place->region || status != GDYN_OK ? status : own_region(place);
}

/* Ascending order; segments that were split have to be audited again. */
static void settle(gdyn_grid *grid) {
    /* mostly nothing has to be sorted, or few places at the end: they are inserted */
    int sorted = 1;
    while (sorted < grid->count && grid->place[sorted - 1].p <= grid->place[sorted].p)
        sorted++;
    if (grid->count - sorted > FEW_PLACES)
        qsort(grid->place, (size_t)grid->count, sizeof *grid->place, gdyn_ascending);
    for (; sorted < grid->count; sorted++) {
        gdyn_place *to = &grid->place[sorted], place = *to;
        for (; to > grid->place && to[-1].p > place.p; to--) {
        }
        memmove(to + 1, to, (size_t)(&grid->place[sorted] - to) * sizeof *to);
        *to = place;
    }
    /* a new place divides the segment before it */
    for (int i = 0; i < grid->count; i++) {
        if (grid->place[i].fresh && i > 0) {
            drop_audit(&grid->place[i - 1]);
            grid->place[i - 1].inertia.watched = false;
        }
        grid->place[i].fresh = false;
    }
}

/* Region of a place as it is now. */
static gdyn_status make_region(gdyn_grid *grid, gdyn_place *place) {
    double tighten = place->tighten - grid->settings.relax;
    /* nothing changed */
    if (place->found != GDYN_POINT_OK || place->made == tighten)
        return GDYN_OK;
    place->made = tighten;
    /* a region that is known is that of the limits as they are */
    const gdyn_region *known = gdyn_path_dynamics_region(grid->dynamics, place->p);
    gdyn_status status = GDYN_OK;
    if (tighten == 0 && known) {
        place->region = known;
    } else {
        status = own_region(place);
        if (status == GDYN_OK)
            status = gdyn_grid_region(grid, &place->copy.coefficients, tighten, place->own);
    }
    /* the maximum d1 of the limits as they are */
    if (status == GDYN_OK && place->tighten == 0)
        place->d1_max = place->region->island_count ? place->region->d1_max : NAN;
    return status;
}

/* Appended, with its region, in its order. */
gdyn_status gdyn_grid_insert(gdyn_grid *grid, double p, gdyn_place_kind kind) {
    gdyn_status status = append(grid, p, kind);
    if (status == GDYN_OK)
        status = make_region(grid, &grid->place[grid->count - 1]);
    settle(grid);
    return status;
}

/* Places nearer to each other than this are one. */
static double resolution(const gdyn_grid *grid) {
    double first = gdyn_path_dynamics_first(grid->dynamics),
           last = gdyn_path_dynamics_last(grid->dynamics);
    return 1e-10 * fabs(last - first) + 8e-16 * fmax(fabs(first), fabs(last));
}

bool gdyn_grid_jumps(const gdyn_grid *grid, int i) {
    double a = grid->place[i].p, b = grid->place[i + 1].p, least = resolution(grid);
    bool within = false;
    for (int k = 0; k < gdyn_path_dynamics_breaks(grid->dynamics) && b - a <= 4 * least; k++) {
        double at = gdyn_path_dynamics_break(grid->dynamics, k);
        within = within || (at >= a - least && at <= b + least);
    }
    return within;
}

/* Appends a node behind the last one, with a middle where bounds are wanted. */
static gdyn_status append_node(gdyn_grid *grid, double p) {
    gdyn_status status = GDYN_OK;
    if (grid->settings.bounds)
        status = append(grid, 0.5 * (grid->place[grid->count - 1].p + p), GDYN_MIDDLE);
    return status == GDYN_OK ? append(grid, p, GDYN_NODE) : status;
}

/* Nodes on both sides of the machine's jumps up to p. */
static gdyn_status append_breaks(gdyn_grid *grid, double p, double near) {
    double last = gdyn_path_dynamics_last(grid->dynamics);
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < gdyn_path_dynamics_breaks(grid->dynamics) && status == GDYN_OK; i++) {
        double at = gdyn_path_dynamics_break(grid->dynamics, i);
        double before = grid->place[grid->count - 1].p;
        if (at - before <= 2 * near || at - near > p || last - at <= 2 * near)
            continue;
        status = append_node(grid, at - near);
        if (status == GDYN_OK)
            status = append_node(grid, at + BEHIND_JUMP * near);
    }
    return status;
}

/* The bound measures how coefficients bend over segments: fewer of the path may hide it. */
enum { LEAST_SEGMENTS = 16 };

/* Nodes between the last place and p, where the trajectory itself has few points. */
static gdyn_status fill_up(gdyn_grid *grid, int points, double p) {
    double from = grid->place[grid->count - 1].p;
    int parts = grid->settings.bounds ? (LEAST_SEGMENTS + points - 2) / (points - 1) : 1;
    gdyn_status status = GDYN_OK;
    for (int i = 1; i < parts && status == GDYN_OK; i++)
        status = append_node(grid, from + (p - from) * i / parts);
    return status;
}

/* Share of the path within which a knot is not seen beside another place. */
static const double KNOT_APART = 1e-8;

/* Extra places at the knots of the path: coefficients bend there. */
static gdyn_status append_knots(gdyn_grid *grid) {
    double first = gdyn_path_dynamics_first(grid->dynamics),
           last = gdyn_path_dynamics_last(grid->dynamics), least = KNOT_APART * (last - first);
    double reached = first; /* both ends of a dwell are one place of the travel */
    gdyn_status status = GDYN_OK;
    int at = 0, count = grid->count;
    for (int i = 0; i < gdyn_path_dynamics_knots(grid->dynamics) && status == GDYN_OK; i++) {
        double p = gdyn_path_dynamics_knot(grid->dynamics, i);
        /* between places that are there already */
        while (at < count && grid->place[at].p < p - least)
            at++;
        if (p > reached + least && p < last && at < count && grid->place[at].p > p + least)
            status = append(grid, reached = p, GDYN_EXTRA);
    }
    return status;
}

/* Where a table jumps at p, what is before the jump is seen from a node just before it. */
gdyn_status gdyn_grid_begin(gdyn_grid *grid) {
    const gdyn_table_dynamics *table = grid->dynamics->table;
    int points = gdyn_path_dynamics_points(grid->dynamics);
    double least = resolution(grid);
    double near = NEAR_JUMP * (gdyn_path_dynamics_last(grid->dynamics) -
                               gdyn_path_dynamics_first(grid->dynamics));
    /* room for all points at once; places are large */
    int room = grid->settings.bounds ? 2 * points : points;
    if (!gdyn_reserve(&grid->place, &grid->capacity, room, sizeof *grid->place))
        return GDYN_ERROR_MEMORY;
    gdyn_status status = append(grid, gdyn_path_dynamics_first(grid->dynamics), GDYN_NODE);
    /* every point, jumps on both sides, in steps as even as the points are */
    for (int i = 1; i < points && status == GDYN_OK; i++) {
        double p = gdyn_path_dynamics_p(grid->dynamics, i);
        status = append_breaks(grid, p, near);
        double before = grid->place[grid->count - 1].p;
        if (status != GDYN_OK || p - before <= least)
            continue;
        status = fill_up(grid, points, p);
        /* a table that jumps at the point is seen from before it, too */
        if (status == GDYN_OK && table && gdyn_table_dynamics_jump(table, i) &&
            p - before > 2 * near)
            status = append_node(grid, p - near);
        if (status == GDYN_OK)
            status = append_node(grid, p);
    }
    settle(grid);
    if (status == GDYN_OK && grid->settings.audit)
        status = append_knots(grid);
    settle(grid);
    return status;
}

/* The middle of a..b; an extra place between these two that is there already becomes it. */
static gdyn_status put_middle(gdyn_grid *grid, int from, int to, double a, double b) {
    double p = 0.5 * (a + b), least = resolution(grid);
    for (int i = from + 1; i < to; i++) {
        if (fabs(grid->place[i].p - p) <= least) {
            grid->place[i].kind = GDYN_MIDDLE;
            return GDYN_OK;
        }
    }
    return append(grid, p, GDYN_MIDDLE);
}

/* A node near p, as near as middles between it and another one allow; -1: none. */
static int node_near(const gdyn_grid *grid, double p) {
    int at = -1;
    for (int i = 0; i < grid->count; i++) {
        double off = fabs(grid->place[i].p - p);
        if (grid->place[i].kind == GDYN_NODE && off <= 4 * resolution(grid) &&
            (at < 0 || off < fabs(grid->place[at].p - p)))
            at = i;
    }
    return at;
}

/* Makes p a node with middles of its own on both sides, unless there is one. */
gdyn_status gdyn_grid_node(gdyn_grid *grid, double p, int *at) {
    double least = resolution(grid);
    /* the nodes before and behind p, and a place that is there already */
    int before = 0, same = -1, after = grid->count - 1;
    *at = node_near(grid, p);
    if (*at >= 0)
        return GDYN_OK;
    for (int i = 0; i < grid->count; i++) {
        const gdyn_place *place = &grid->place[i];
        same = fabs(place->p - p) <= least ? i : same;
        before = place->kind == GDYN_NODE && place->p < p - least ? i : before;
    }
    for (int i = after; i > before; i--)
        after = grid->place[i].kind == GDYN_NODE ? i : after;
    double from = grid->place[before].p, to = grid->place[after].p;
    /* the middles between both nodes become extra places */
    for (int i = before + 1; i < after; i++)
        grid->place[i].kind = GDYN_EXTRA;
    if (same >= 0)
        grid->place[same].kind = GDYN_NODE;
    gdyn_status status = same >= 0 ? GDYN_OK : append(grid, p, GDYN_NODE);
    /* each of the two new segments gets a middle of its own */
    if (status == GDYN_OK)
        status = put_middle(grid, before, same >= 0 ? same : after, from, p);
    if (status == GDYN_OK)
        status = put_middle(grid, same >= 0 ? same : before, after, p, to);
    settle(grid);
    *at = node_near(grid, p);
    return status;
}

/* Halves the segments that are marked, as far as the number of points allows. */
gdyn_status gdyn_grid_refine(gdyn_grid *grid, int *refined) {
    int count = grid->count;
    double least = resolution(grid);
    gdyn_status status = GDYN_OK;
    *refined = 0;
    /* from node to node; exactly one middle lies between them */
    for (int node = 0, middle, next; node < count - 1 && status == GDYN_OK; node = next) {
        for (middle = node + 1; grid->place[middle].kind != GDYN_MIDDLE; middle++) {
        }
        for (next = middle + 1; grid->place[next].kind != GDYN_NODE; next++) {
        }
        bool wanted = grid->place[node].refine && grid->count + 2 <= grid->settings.max_points &&
                      grid->place[next].p - grid->place[node].p > 8 * least;
        grid->place[node].refine = false;
        if (!wanted)
            continue;
        /* the middle becomes a node, and both halves get middles */
        grid->place[middle].kind = GDYN_NODE;
        double at[3] = {grid->place[node].p, grid->place[middle].p, grid->place[next].p};
        status = put_middle(grid, node, middle, at[0], at[1]);
        if (status == GDYN_OK)
            status = put_middle(grid, middle, next, at[1], at[2]);
        ++*refined;
    }
    settle(grid);
    return status;
}

int gdyn_grid_capacity(const gdyn_grid *grid) {
    int points = 16 * gdyn_path_dynamics_points(grid->dynamics);
    return points > 4 * grid->settings.max_points ? points : 4 * grid->settings.max_points;
}

/* Extra places in the middle of marked segments; node structure stays as it is. */
gdyn_status gdyn_grid_split(gdyn_grid *grid, int *inserted) {
    int count = grid->count, room = gdyn_grid_capacity(grid);
    gdyn_status status = GDYN_OK;
    double least = resolution(grid);
    *inserted = 0;
    for (int i = 0; i + 1 < count && status == GDYN_OK; i++) {
        double a = grid->place[i].p, b = grid->place[i + 1].p;
        bool wanted = grid->place[i].audit.split && b - a > 4 * least && grid->count < room;
        grid->place[i].audit.split = false;
        if (!wanted)
            continue;
        status = append(grid, 0.5 * (a + b), GDYN_EXTRA);
        ++*inserted;
    }
    settle(grid);
    return status;
}

/* The region of limits that are moved inward by a share of their unit. */
gdyn_status gdyn_grid_region(gdyn_grid *grid, const gdyn_coefficients *q, double tighten,
                             gdyn_region *region) {
    assert(q && region);
    gdyn_coefficients c = *q;
    if (tighten != 0) {
        for (int i = 0; i < q->k; i++) {
            double amount = tighten * gdyn_unit_at(q, i);
            grid->min[i] = q->min[i] + amount;
            grid->max[i] = q->max[i] - amount;
        }
        c.min = grid->min;
        c.max = grid->max;
        /* the speed limit in proportion */
        c.d1_high = q->d1_high * (1 - tighten);
    }
    return gdyn_access_region(grid->access, &c, GDYN_BY_ELEMENTARY, region);
}

/* Regions of all places. */
gdyn_status gdyn_grid_regions(gdyn_grid *grid) {
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < grid->count && status == GDYN_OK; i++)
        status = make_region(grid, &grid->place[i]);
    return status;
}

/* Both arcs exist and have the same active limits. */
static bool same_limits(const gdyn_arc *a, const gdyn_arc *b) {
    bool same = a && b && a->active_count > 0 && a->active_count == b->active_count;
    for (int i = 0; same && i < a->active_count; i++)
        same = gdyn_limit_in(b->active, b->active_count, a->active[i]);
    return same;
}

gdyn_sides gdyn_grid_sides(const gdyn_place *place, double d1) {
    return (gdyn_sides){gdyn_region_arc(place->region, d1, true),
                        gdyn_region_arc(place->region, d1, false)};
}

/* What bounds from above here bounds from below there. */
bool gdyn_sides_turn(gdyn_sides here, gdyn_sides next) {
    return same_limits(here.upper, next.lower) || same_limits(here.lower, next.upper);
}

bool gdyn_grid_follows(const gdyn_grid *grid) {
    return (grid->settings.bounds || grid->settings.audit) && !grid->held_back;
}

const gdyn_cells *gdyn_grid_into(const gdyn_place *place) {
    return place->inertia.zeros > 0 ? &place->inertia.into : &place->cells;
}

/* Cells, the inequalities of zero-inertia points, and their limits on x and u. */
gdyn_status gdyn_grid_cells(gdyn_grid *grid) {
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < grid->count && status == GDYN_OK; i++) {
        if (grid->place[i].found == GDYN_POINT_OK) {
            status = gdyn_cells_make(&grid->place[i].cells, grid->arena, grid->place[i].region,
                                     &grid->scope, false, 1 + grid->place[i].inertia.zeros);
        }
    }
    /* lines of zero-inertia points belong to the cells on both sides */
    for (int i = 0; i < grid->count && status == GDYN_OK; i++)
        status = gdyn_inertia_cells(grid, i);
    gdyn_inertia_limit(grid);
    gdyn_leap_stretches(grid);
    return status == GDYN_OK ? gdyn_grid_bound_accelerations(grid) : status;
}

/* No motion is faster than this; a number that is safe to compute with. */
void gdyn_grid_scope(gdyn_grid *grid) {
    double length = grid->place[grid->count - 1].p - grid->place[0].p, u = 0;
    double ends[2] = {grid->settings.start_speed, grid->settings.end_speed};
    double top = 0, finite = 0;
    /* units and maximum speeds of all places */
    for (int i = 0; i < grid->count; i++) {
        const gdyn_region *region = grid->place[i].region;
        if (region->island_count == 0)
            continue;
        u = fmax(u, isfinite(region->d2_unit) ? region->d2_unit : 0);
        top = isfinite(region->d1_max) ? fmax(top, region->d1_max) : INFINITY;
        finite = isfinite(region->d1_max) ? fmax(finite, region->d1_max) : finite;
    }
    /* no motion is faster than the region or many times what its accelerations could reach */
    double cap = CAP_FACTOR * length * u;
    /* the wanted speeds have to fit in */
    for (int i = 0; i < 2; i++)
        cap = isnan(ends[i]) ? cap : fmax(cap, 4 * ends[i] * ends[i]);
    grid->scope.x_cap = fmax(fmin(cap, 1.01 * top * top), 1e-290);
    grid->scope.d1_top = fmin(sqrt(grid->scope.x_cap), fmax(finite, sqrt(2 * length * u)));
    if (!(grid->scope.d1_top > 0))
        grid->scope.d1_top = sqrt(grid->scope.x_cap);
    /* errors of 1 / (2 pieces^2) of the viscous terms are a small part of the tolerance */
    double pieces = 2 / sqrt(grid->settings.tolerance);
    grid->scope.pieces = (int)fmin(fmax(pieces, FEWEST_PIECES), MOST_PIECES);
}

/* Scratch lines: an upper and a lower family in one block. */
gdyn_status gdyn_grid_strip(gdyn_grid *grid, int lines, gdyn_strip *strip) {
    if (!gdyn_reserve(&grid->lines, &grid->lines_room, lines, 4 * sizeof *grid->lines))
        return GDYN_ERROR_MEMORY;
    int room = grid->lines_room;
    *strip = (gdyn_strip){.up = {0, grid->lines, grid->lines + room},
                          .low = {0, grid->lines + 2 * room, grid->lines + 3 * room},
                          .x_low = 0,
                          .x_high = grid->scope.x_cap};
    return GDYN_OK;
}

/* Direct look at rows that no internal force can help. */
static double row_violation(const gdyn_coefficients *q, double d1, double d2) {
    double worst = -1;
    for (int i = 0; i < q->k; i++) {
        double n = gdyn_load_at(q, i, d1, d2), low = gdyn_limit_at(q, i, false, d1);
        double high = gdyn_limit_at(q, i, true, d1);
        worst = gdyn_greater(gdyn_greater(low - n, n - high) / gdyn_unit_at(q, i), worst);
    }
    return worst;
}

gdyn_status gdyn_grid_violation(gdyn_grid *grid, const gdyn_coefficients *q, double d1, double d2,
                                double *violation) {
    double relax = grid->settings.relax;
    double speed = d1 > q->d1_high ? d1 / q->d1_high - 1 : -1, rows = -1, low, high;
    gdyn_status status = GDYN_OK;
    /* up to one internal force: rows are compared; else the region, a program outside of it */
    if (q->r == 0 && q->equalities == 0) {
        rows = row_violation(q, d1, d2);
    } else if (q->r == 1 && q->equalities == 0) {
        status = gdyn_access_violation(q, d1, d2, &rows);
    } else {
        /* d2 given by d1 is known as well as the grid is fine: the limits count */
        bool given = q->equalities > 0;
        status = gdyn_grid_region(grid, q, -relax, grid->region);
        bool inside = status == GDYN_OK && gdyn_region_slice(grid->region, d1, &low, &high) &&
                      (given || (d2 >= low && d2 <= high));
        if (status == GDYN_OK && !inside)
            status = gdyn_access_violation(q, d1, d2, &rows);
        else
            relax = 0;
    }
    *violation = fmax(rows, speed) - relax;
    return status;
}
