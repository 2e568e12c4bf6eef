/* explain.c - why there is no motion: the place, the limits that exclude each other there, and the
 * smallest common relaxation of all limits that opens the path. */
#include "traverse/internal.h"

#include <math.h>
#include <string.h>

/* Relaxation, in half ranges: first trial, beyond which none helps, relative accuracy. */
static const double RELAX_FIRST = 1e-3, RELAX_MOST = 1e6, RELAX_ERROR = 1e-7;

enum { HALVINGS = 50 };
/* Of an end of what is accessible: rounding of d1. */
static const double NEAR = 1e-9;

/* Limits that are active on an arc, each once. */
static void add_arc(gdyn_certificate *proof, const gdyn_arc *arc) {
    for (int i = 0; arc && i < arc->active_count; i++) {
        if (proof->count < 3 * GDYN_ACTIVE_MAX &&
            !gdyn_limit_in(proof->limit, proof->count, arc->active[i])) {
            proof->needs[proof->count] = NAN;
            proof->limit[proof->count++] = arc->active[i];
        }
    }
}

/* A list of limits alike. */
static void add_limits(gdyn_certificate *proof, const gdyn_limit *limit, int count) {
    gdyn_arc end = {.active_count = count};
    memcpy(end.active, limit, (size_t)count * sizeof *limit);
    add_arc(proof, &end);
}

/* The island nearest to d1, NULL: there is none; *near: its speed next to d1. */
static const gdyn_island *nearest_island(const gdyn_region *region, double d1, double *near) {
    const gdyn_island *best = NULL;
    /* within an island the distance is zero */
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        double at = fmin(fmax(d1, island->from), island->to);
        if (!best || fabs(d1 - at) < fabs(d1 - *near))
            best = island, *near = at;
    }
    return best;
}

/* Limits of the speed at the end of the island that d1 lies beyond. */
static void add_end(gdyn_certificate *proof, const gdyn_island *island, double d1) {
    bool left = d1 < island->from || (d1 == island->from && d1 < island->to);
    add_limits(proof, left ? island->left : island->right,
               left ? island->left_count : island->right_count);
}

/* Limits that exclude a speed at an end of the path from its region, or decide how it changes. */
static void explain_speed(const gdyn_place *place, double d1, double low, gdyn_certificate *proof) {
    const gdyn_region *region = place->region;
    double at = d1;
    const gdyn_island *island = nearest_island(region, d1, &at);
    /* the wanted speed lies inside: it cannot be kept; outside: which end excludes it */
    bool inside = island && fabs(d1 - at) <= NEAR * d1;
    if (island && !inside)
        add_end(proof, island, d1);
    /* the arcs at the nearest speed */
    add_arc(proof, inside && d1 >= low ? NULL : gdyn_region_arc(region, at, true));
    add_arc(proof, inside && d1 < low ? NULL : gdyn_region_arc(region, at, false));
}

/* Limits of d2 at d1, and those of d1 where it lies at an end of what is accessible or beyond. */
static void add_bounds(gdyn_certificate *proof, const gdyn_region *region, double d1) {
    double at;
    const gdyn_island *island = nearest_island(region, d1, &at);
    if (!island)
        return;
    /* at an end, or beyond */
    bool low_end = at <= island->from * (1 + NEAR), high_end = at >= island->to * (1 - NEAR);
    if (low_end || high_end)
        add_end(proof, island, high_end ? fmax(d1, island->to) : fmin(d1, island->from));
    /* both envelopes there */
    add_arc(proof, gdyn_region_arc(region, at, false));
    add_arc(proof, gdyn_region_arc(region, at, true));
}

/* The half step that comes closest to leading into the set; x where that is. */
static double closest(const gdyn_strip *strip, double h, const gdyn_intervals *set, double low,
                      double high, double best, double *at) {
    for (int s = 0; s < set->count; s++) {
        /* where the set and the strip overlap */
        double from = fmax(set->low[s], low), to = fmin(set->high[s], high), x;
        if (from > to || strip->x_low > strip->x_high)
            continue;
        /* the least lack of width */
        double gap = gdyn_strip_deficit(strip, h, from, to, &x);
        *at = gap > best ? x : *at;
        best = fmax(best, gap);
    }
    return best;
}

/* The second half of segment i that comes closest to arriving, from an m that the speeds of both
 * places leave; m where that is, negative: there is no such m. */
static gdyn_status closest_arrival(gdyn_grid *grid, int i, double *at) {
    double h = grid->place[i + 1].p - grid->place[i].p, best = -INFINITY;
    const gdyn_cells *there = gdyn_grid_into(&grid->place[i + 1]);
    gdyn_intervals domain = gdyn_segment_middle(grid, i);
    gdyn_status status = GDYN_OK;
    *at = -1;
    /* every cell of the next place, from every interval of m */
    for (int e = 0; e < there->count && status == GDYN_OK; e++) {
        gdyn_strip strip, cell = there->cell[e];
        status = gdyn_segment_arrive(grid, i, &cell, &strip);
        for (int d = 0; d < domain.count && status == GDYN_OK; d++) {
            gdyn_strip part = strip;
            part.x_low = fmax(strip.x_low, domain.low[d]);
            part.x_high = fmin(strip.x_high, domain.high[d]);
            best =
                closest(&part, 0.5 * h, &grid->place[i + 1].k, cell.x_low, cell.x_high, best, at);
        }
    }
    return status;
}

/* Limits that bound u where the segment's lines come closest to each other, and the speeds there.
 * Where both places share no speed, those that bound it. */
static gdyn_status explain_segment(gdyn_grid *grid, int i, gdyn_traverse *out) {
    const gdyn_place *a = &grid->place[i], *b = a + 1;
    double h = b->p - a->p, best = -INFINITY, at = -1;
    bool departs = a->middle.count > 0; /* the second half works */
    gdyn_status status = departs ? GDYN_OK : closest_arrival(grid, i, &at);
    /* some m arrive: the first half decides, cells against the middle's set */
    for (int c = 0; departs && c < a->cells.count; c++) {
        gdyn_strip cell = a->cells.cell[c];
        best = closest(&cell, 0.5 * h, &a->middle, 0, INFINITY, best, &at);
    }
    /* limits of both places at that speed */
    for (int k = 0; k < 2; k++) {
        const gdyn_region *region = k == 0 ? a->region : b->region;
        if (at < 0) {
            /* limits of the speed at all ends of what is accessible */
            for (int j = 0; j < region->island_count; j++) {
                add_limits(&out->certificate, region->island[j].left, region->island[j].left_count);
                add_limits(&out->certificate, region->island[j].right,
                           region->island[j].right_count);
            }
        } else
            add_bounds(&out->certificate, region, sqrt(at));
    }
    return status;
}

/* True when a motion exists with all limits relaxed by that share. */
static gdyn_status possible(gdyn_grid *grid, double relax, bool *yes) {
    gdyn_plan plan;
    gdyn_status status = gdyn_plan_relaxed(grid, relax, true, &plan);
    *yes = status == GDYN_OK && plan.status == GDYN_TRAVERSE_OK;
    return status;
}

/* Least uniform relaxation of all limits with which a motion exists. */
static gdyn_status find_relaxation(gdyn_grid *grid, gdyn_traverse *out) {
    double low = 0, high = RELAX_FIRST;
    bool yes = false;
    /* fourfold until one exists */
    gdyn_status status = possible(grid, high, &yes);
    while (status == GDYN_OK && !yes && high < RELAX_MOST) {
        low = high;
        high *= 4;
        status = possible(grid, high, &yes);
    }
    out->relaxation = yes ? high : INFINITY;
    /* bisection between the last two */
    for (int i = 0; i < HALVINGS && yes && status == GDYN_OK && high - low > RELAX_ERROR * high;
         i++) {
        bool open;
        double middle = 0.5 * (low + high);
        status = possible(grid, middle, &open);
        if (open)
            high = middle;
        else
            low = middle;
        out->relaxation = high;
    }
    return status;
}

/* Where, why, and how much relaxation would help. */
gdyn_status gdyn_explain(gdyn_grid *grid, const gdyn_plan *plan, gdyn_traverse *out) {
    const gdyn_place *place = &grid->place[plan->at];
    bool segment = plan->at + 1 < grid->count;
    out->place = out->place_end = place->p;
    gdyn_status status = GDYN_OK;
    if (plan->status == GDYN_TRAVERSE_EMPTY) {
        /* the worst place of this run of empty regions */
        for (int i = plan->at; i < grid->count && grid->place[i].cells.count == 0 &&
                               grid->place[i].found == GDYN_POINT_OK;
             i++) {
            out->place_end = grid->place[i].p;
            if (i == plan->at || gdyn_region_certificate(grid->place[i].region)->relative >
                                     out->certificate.relative) {
                out->place = grid->place[i].p;
                out->certificate = *gdyn_region_certificate(grid->place[i].region);
            }
        }
    } else if (plan->status == GDYN_TRAVERSE_BLOCKED && segment) {
        /* a segment that cannot be crossed */
        out->place_end = place[1].p;
        status = explain_segment(grid, plan->at, out);
    } else if (plan->status == GDYN_TRAVERSE_BLOCKED && isfinite(grid->settings.end_speed)) {
        /* the end's speed cannot be reached */
        explain_speed(place, grid->settings.end_speed, 0, &out->certificate);
    } else if (plan->status == GDYN_TRAVERSE_START && place->k.count > 0) {
        /* the start's speed is too slow or too fast */
        out->start_low = sqrt(place->k.low[0]);
        out->start_high = sqrt(place->k.high[place->k.count - 1]);
        explain_speed(place, grid->settings.start_speed, out->start_low, &out->certificate);
    }
    /* the smallest uniform relaxation of all limits */
    bool helps = plan->status == GDYN_TRAVERSE_EMPTY || plan->status == GDYN_TRAVERSE_BLOCKED ||
                 plan->status == GDYN_TRAVERSE_START || plan->status == GDYN_TRAVERSE_REST;
    if (status == GDYN_OK && helps && grid->settings.certificate)
        status = find_relaxation(grid, out);
    return status;
}
