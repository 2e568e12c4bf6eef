/* bound.c - a time that no motion can beat.
 *
 * Any motion, with d2 as irregular as it likes, has in a segment of length h with middle m
 *   (mean x, mean u) in the mean of the regions R(p),     x' = x + 2 h mean u,
 *   |mean x - (x + x')/2| <= h min(U - mean u, mean u - L)    for u between L and U there.
 * The mean of the regions differs from R(m) by the curvature of the coefficients over p, measured by
 * the second difference of the envelopes of the segment's ends and middle. A line u <= a x + c of R(m)
 * that holds for x and u inside the segment up to 2 |a| h |u| holds for the means up to
 * |a| h min(2 |a| h |u|, |u|): the whole relaxation is of second order in h. Sets of controllable
 * and reachable x of the relaxed segments bound x at the nodes; between them x stays below the
 * parabolas of greatest acceleration and deceleration. */
#include "traverse/grid.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { LOOKS = 4 };
/* Second differences count this often: the regions' mean differs by a sixth of them at most when
 * they are smooth, by a quarter at a kink. */
static const double CURVATURE = 0.5;

/* A relaxed segment between two nodes. */
typedef struct segment {
    int node, middle, next;       /* places */
    double u_low, u_high;         /* accelerations met in it */
    double relax;                 /* of lines, from curvature */
    double x_top;                 /* no region of the segment goes beyond it */
    double reach_low, reach_high; /* of x at the node, forward */
} segment;

typedef struct bound {
    gdyn_grid *grid;
    segment *segment;
    int count;
    gdyn_cells cells; /* of one middle */
    gdyn_x_set *k;    /* count + 1 */
} bound;

/* Greatest x of the regions, with what their curvature may add between the looks. */
static double region_top(const gdyn_place *const at[3]) {
    double top[3];
    for (int k = 0; k < 3; k++) {
        double d1 = at[k]->region->island_count ? at[k]->region->d1_max : 0;
        top[k] = d1 * d1;
        if (isinf(d1)) {
            return INFINITY;
        }
    }
    return fmax(top[0], fmax(top[1], top[2])) + CURVATURE * fabs(top[0] - 2 * top[1] + top[2]);
}

/* Accelerations and second differences of the envelopes at the speeds of the motion: only a motion
 * that is about to be faster than the bound matters. */
static void look(const bound *b, segment *s) {
    const gdyn_place *p = b->grid->place;
    const gdyn_place *const at[3] = {&p[s->node], &p[s->middle], &p[s->next]};
    double most = fmax(at[0]->x, fmax(at[1]->x, at[2]->x));
    double least = fmin(at[0]->x, fmin(at[1]->x, at[2]->x));
    s->u_low = INFINITY;
    s->u_high = -INFINITY;
    s->relax = 0;
    s->x_top = region_top(at);
    for (int i = 0; i < LOOKS; i++) {
        double d1 = sqrt(0.98 * least + (most - 0.98 * least) * i / (LOOKS - 1));
        double low[3], high[3];
        bool all = true;
        for (int k = 0; k < 3; k++) {
            bool here = gdyn_region_slice(at[k]->region, d1, &low[k], &high[k]);
            all = all && here;
            if (here) {
                s->u_low = fmin(s->u_low, low[k]);
                s->u_high = fmax(s->u_high, high[k]);
            }
        }
        double up = all ? fabs(high[0] - 2 * high[1] + high[2]) : 0;
        double down = all ? fabs(low[0] - 2 * low[1] + low[2]) : 0;
        s->relax = isfinite(up) ? fmax(s->relax, CURVATURE * up) : s->relax;
        s->relax = isfinite(down) ? fmax(s->relax, CURVATURE * down) : s->relax;
    }
    s->u_low = isfinite(s->u_low) ? s->u_low - s->relax : -INFINITY;
    s->u_high = isfinite(s->u_high) ? s->u_high + s->relax : INFINITY;
}

/* Relaxed lines of a cell of the middle, in (x at the node, u). */
static gdyn_status relaxed(bound *b, const segment *s, const gdyn_strip *cell, gdyn_strip *strip) {
    gdyn_grid *grid = b->grid;
    double h = grid->place[s->next].p - grid->place[s->node].p;
    double u = fmax(fabs(s->u_low), fabs(s->u_high));
    u = isfinite(u) ? u : 0;
    gdyn_status status = gdyn_grid_strip(grid, 2 * (cell->up.count + cell->low.count) + 4, strip);
    for (int i = 0; i < cell->up.count && status == GDYN_OK; i++) {
        double a = cell->up.a[i], slack = fabs(a) * h * u * fmin(2 * fabs(a) * h, 1) + s->relax;
        gdyn_strip_add(strip, -a, 1 - a * h, -cell->up.c[i] - slack);
    }
    for (int i = 0; i < cell->low.count && status == GDYN_OK; i++) {
        double a = cell->low.a[i], slack = fabs(a) * h * u * fmin(2 * fabs(a) * h, 1) + s->relax;
        gdyn_strip_add(strip, a, a * h - 1, cell->low.c[i] - slack);
    }
    return status;
}

/* x of the cell in terms of the mean: x at the node may lie off by what u allows. */
static void clip(const bound *b, const segment *s, const gdyn_strip *cell, gdyn_strip *strip) {
    double h = b->grid->place[s->next].p - b->grid->place[s->node].p;
    double u = fmax(fabs(s->u_low), fabs(s->u_high));
    if (b->cells.count > 1 && isfinite(u)) {
        strip->x_low = fmax(strip->x_low, cell->x_low - 2 * h * u);
        strip->x_high = fmin(strip->x_high, cell->x_high + 2 * h * u);
    }
}

/* Only x that the region of the node itself contains. */
static void cut(const gdyn_place *place, gdyn_x_set *set) {
    gdyn_x_set out = {0};
    for (int i = 0; i < set->count; i++) {
        for (int k = 0; k < place->region->island_count; k++) {
            const gdyn_island *island = &place->region->island[k];
            double low = fmax(set->low[i], island->from * island->from);
            double high = fmin(set->high[i], island->to * island->to);
            if (low <= high) {
                gdyn_x_set_add(&out, low, high, true);
            }
        }
    }
    *set = out;
}

static gdyn_status back(bound *b, int i) {
    gdyn_grid *grid = b->grid;
    segment *s = &b->segment[i];
    double h = grid->place[s->next].p - grid->place[s->node].p;
    gdyn_status status =
        gdyn_cells_make(&b->cells, grid->place[s->middle].region, &grid->scope, true);
    b->k[i].count = 0;
    for (int c = 0; c < b->cells.count && status == GDYN_OK; c++) {
        gdyn_strip strip;
        status = relaxed(b, s, &b->cells.cell[c], &strip);
        clip(b, s, &b->cells.cell[c], &strip);
        for (int k = 0; k < b->k[i + 1].count && status == GDYN_OK; k++) {
            double low, high;
            if (gdyn_strip_reach(&strip, h, b->k[i + 1].low[k], b->k[i + 1].high[k], NULL, &low,
                                 &high)) {
                gdyn_x_set_add(&b->k[i], low, high, true);
            }
        }
    }
    cut(&grid->place[s->node], &b->k[i]);
    return status;
}

/* Greatest x' from x in [low, high]: the mirror image of a step back. */
static gdyn_status ahead(bound *b, int i, double low, double high, double *reach) {
    gdyn_grid *grid = b->grid;
    segment *s = &b->segment[i];
    double h = grid->place[s->next].p - grid->place[s->node].p;
    gdyn_status status =
        gdyn_cells_make(&b->cells, grid->place[s->middle].region, &grid->scope, true);
    *reach = -INFINITY;
    for (int c = 0; c < b->cells.count && status == GDYN_OK; c++) {
        gdyn_strip strip, mirror;
        status = relaxed(b, s, &b->cells.cell[c], &strip);
        if (status != GDYN_OK) {
            break;
        }
        clip(b, s, &b->cells.cell[c], &strip);
        /* in (x', w = -u): x = x' + 2 h w */
        double *room = gdyn_alloc(4 * (size_t)(strip.up.count + strip.low.count + 1), sizeof *room);
        if (!room) {
            return GDYN_ERROR_MEMORY;
        }
        int lines = strip.up.count + strip.low.count;
        mirror = (gdyn_strip){.up = {0, room, room + lines},
                              .low = {0, room + 2 * lines, room + 3 * lines},
                              .x_low = 0,
                              .x_high = grid->scope.x_cap};
        for (int k = 0; k < strip.up.count; k++) { /* -w <= a (x' + 2 h w) + c */
            gdyn_strip_add(&mirror, -strip.up.a[k], -1 - 2 * h * strip.up.a[k], -strip.up.c[k]);
        }
        for (int k = 0; k < strip.low.count; k++) {
            gdyn_strip_add(&mirror, strip.low.a[k], 1 + 2 * h * strip.low.a[k], strip.low.c[k]);
        }
        double from = fmax(low, strip.x_low), to = fmin(high, strip.x_high), least, most;
        if (gdyn_strip_reach(&mirror, h, from, to, NULL, &least, &most)) {
            *reach = fmax(*reach, most);
        }
        gdyn_free(room);
    }
    return status;
}

/* Least time over a segment whose x stays below both parabolas. */
static double segment_time(const bound *b, const segment *s, double x, double next) {
    double h = b->grid->place[s->next].p - b->grid->place[s->node].p;
    double up = s->u_high, down = -s->u_low;
    if (!(up > 0) || !(down > 0) || isinf(up) || isinf(down)) {
        /* one of them alone, or the straight line */
        double most = fmin(fmax(x, next), s->x_top);
        if (isinf(up) || isinf(down)) {
            return most > 0 ? h / sqrt(most + 2 * h * fmin(isinf(up) ? 0 : up, 0)) : 0;
        }
        return 2 * h / (sqrt(x) + sqrt(next));
    }
    double peak = (next - x + 2 * down * h) / (2 * (up + down)); /* from the node */
    peak = fmin(fmax(peak, 0), h);
    double top = fmax(fmin(x + 2 * up * peak, next + 2 * down * (h - peak)), fmax(x, next));
    if (top > s->x_top) { /* flat at the top */
        double limit = fmax(s->x_top, fmax(x, next));
        double rise = (limit - x) / (2 * up), fall = (limit - next) / (2 * down);
        double ends = sqrt(x) + sqrt(limit), end = sqrt(next) + sqrt(limit);
        return 2 * rise / ends + 2 * fall / end + fmax(h - rise - fall, 0) / sqrt(limit);
    }
    double first = sqrt(x) + sqrt(top), second = sqrt(top) + sqrt(next);
    return (first > 0 ? 2 * peak / first : 0) + (second > 0 ? 2 * (h - peak) / second : 0);
}

static gdyn_status gather(bound *b) {
    const gdyn_grid *grid = b->grid;
    b->segment = gdyn_alloc((size_t)grid->count + 1, sizeof *b->segment);
    b->k = gdyn_alloc((size_t)grid->count + 1, sizeof *b->k);
    if (!b->segment || !b->k) {
        return GDYN_ERROR_MEMORY;
    }
    int node = -1, middle = -1;
    for (int i = 0; i < grid->count; i++) {
        if (grid->place[i].kind == GDYN_MIDDLE) {
            middle = i;
        } else if (grid->place[i].kind == GDYN_NODE) {
            if (node >= 0) {
                b->segment[b->count] = (segment){.node = node, .middle = middle, .next = i};
                look(b, &b->segment[b->count++]);
            }
            node = i;
        }
    }
    return GDYN_OK;
}

/* Forward pass over the controllable sets; the time. */
static gdyn_status run_forward(bound *b, double low, double high, double *time, double *end) {
    gdyn_status status = GDYN_OK;
    double at = high;
    *time = 0;
    for (int i = 0; i < b->count && status == GDYN_OK; i++) {
        double next;
        status = ahead(b, i, i == 0 ? low : 0, at, &next);
        const gdyn_x_set *k = &b->k[i + 1];
        double best = -INFINITY;
        for (int s = 0; s < k->count; s++) {
            if (k->low[s] <= next * (1 + 1e-12)) {
                best = fmin(next, k->high[s]);
            }
        }
        if (best < 0) {
            *time = INFINITY;
            return status;
        }
        *time += segment_time(b, &b->segment[i], at, best);
        at = best;
    }
    *end = at;
    return status;
}

static gdyn_status find(bound *b, double *lower) {
    const gdyn_traverse_settings *settings = &b->grid->settings;
    double cap = b->grid->scope.x_cap, end = settings->end_speed, start = settings->start_speed;
    bool end_free = isnan(end) || settings->periodic,
         start_free = isnan(start) || settings->periodic;
    gdyn_x_set *last = &b->k[b->count];
    *last = (gdyn_x_set){1, {end_free ? 0 : end * end}, {end_free ? cap : end * end}};
    cut(&b->grid->place[b->segment[b->count - 1].next], last);
    gdyn_status status = GDYN_OK;
    for (int round = 0; round < (settings->periodic ? 3 : 1); round++) {
        for (int i = b->count - 1; i >= 0 && status == GDYN_OK; i--) {
            status = back(b, i);
        }
        if (settings->periodic && b->k[0].count > 0) {
            double top = b->k[0].high[b->k[0].count - 1];
            gdyn_x_set limited = {1, {0}, {top}};
            *last = limited;
        }
    }
    if (status != GDYN_OK || b->k[0].count == 0) {
        *lower = INFINITY;
        return status;
    }
    double low = start_free ? 0 : start * start;
    double high = start_free ? b->k[0].high[b->k[0].count - 1] : start * start;
    double reached = high;
    status = run_forward(b, low, high, lower, &reached);
    if (status == GDYN_OK && settings->periodic && reached < high) {
        status = run_forward(b, low, reached, lower, &reached);
    }
    return status;
}

gdyn_status gdyn_bound_time(gdyn_grid *grid, const gdyn_plan *plan, double *lower) {
    bound b = {.grid = grid};
    *lower = 0;
    if (plan->status != GDYN_TRAVERSE_OK) {
        return GDYN_OK;
    }
    gdyn_status status = gather(&b);
    if (status == GDYN_OK && b.count > 0) {
        status = find(&b, lower);
    }
    gdyn_cells_free(&b.cells);
    gdyn_free(b.segment);
    gdyn_free(b.k);
    return status;
}
