/* bound.c - a lower bound of the time of all motions.
 *
 * Any motion, with d2 as irregular as it likes, has in a segment of length h with middle m
 *   (mean x, mean u) in the mean of the regions R(p),     x' = x + 2 h mean u,
 *   |mean x - (x + x')/2| <= h min(U - mean u, mean u - L)    for u between L and U there.
 * The mean of the regions differs from R(m) by the curvature of the coefficients over p, measured
 * by the second difference of the envelopes of the segment's ends and middle. A line u <= a x + c
 * of R(m) that holds for x and u inside the segment up to 2 |a| h |u| holds for the means up to |a|
 * h min(2 |a| h |u|, |u|): the whole relaxation is of second order in h. Sets of controllable and
 * reachable x of the relaxed segments bound x at the nodes; between them x stays below the
 * solutions of greatest acceleration and deceleration that begin there (comparison theorem), which
 * are parabolas up to third order.
 *
 * Where the gap between this and the motion comes from decides what is refined: a segment counts by
 * the gap in itself, and by how much it adds to the distance of both motions times what that
 * distance is worth in time further on. */
#include "traverse/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 4, PARTS = 16 };
/* Second differences count this often: the regions' mean differs by a sixth of them at most when
 * they are smooth, by a quarter at a kink. */
static const double CURVATURE = 0.5;
/* Segments that make up this share of the gap are refined. */
static const double REFINED = 0.8;

/* A round that leaves this share of the gap has not met its cause: the next one is strict, once. */
static const double STALLED = 0.9;

/* A motion whose d1^2 is greater by this share of the tolerance overtakes the bound: less is
 * rounding, and what the audit takes away from the motion. */
static const double OVERTAKEN = 0.01;

/* A parabola over a segment as a Bezier curve. */
typedef struct parabola {
    double x[3];
} parabola;

/* A relaxed segment between two nodes. */
typedef struct segment {
    int node, middle, next; /* places */
    double u_low, u_high;   /* accelerations met in it */
    double relax;           /* of lines, from curvature */
    bool held;              /* at the next one by what is to come, not by what was */
    bool open;              /* d2 is unbounded somewhere in it: only the regions bound x */
    double x, reach, time;  /* of the bound's own motion: at the node, at the next one */
    double doubt;           /* share in the gap of both times */
} segment;

typedef struct bound {
    gdyn_grid *grid;
    segment *segment;
    int count;
    gdyn_cells cells;  /* of one middle */
    gdyn_intervals *k; /* count + 1 */
    double *mirror;    /* scratch of a strip */
    int mirror_room;
} bound;

/* The last island that begins at or below x; -1: none. */
static int island_of(const gdyn_region *region, double x) {
    double d1 = sqrt(fmax(x, 0)) * (1 + 1e-9);
    int i = region->island_count - 1;
    while (i >= 0 && region->island[i].from > d1)
        i--;
    return i;
}

/* Greatest x of a motion in that island of the first place: through the ends' and the middle's,
 * with what their curvature may add. Where islands come and go it is that of the regions. */
static parabola region_top(const gdyn_place *const at[3], int island) {
    double top[3];
    int count = at[0]->region->island_count;
    bool stays =
        count == at[1]->region->island_count && count == at[2]->region->island_count && island >= 0;
    /* the top of the region at the three places, limited by zero-inertia points */
    for (int k = 0; k < 3; k++) {
        const gdyn_region *region = at[k]->region;
        double d1 = stays ? region->island[island].to : region->island_count ? region->d1_max : 0;
        top[k] = fmin(d1 * d1, at[k]->inertia.x_most);
        if (isinf(top[k]))
            return (parabola){{INFINITY, INFINITY, INFINITY}};
    }
    /* a parabola through them, raised by the error of its curvature */
    double more = CURVATURE * fabs(top[0] - 2 * top[1] + top[2]);
    double middle = 2 * top[1] - 0.5 * (top[0] + top[2]);
    return (parabola){{top[0] + more, middle + more, top[2] + more}};
}

/* Accelerations and second differences of the envelopes at the speeds of the motion: only a motion
 * that is about to be faster than the bound matters. */
static void look(const bound *b, segment *s) {
    const gdyn_place *p = b->grid->place;
    /* the speeds that x of this segment may have */
    const gdyn_place *const at[3] = {&p[s->node], &p[s->middle], &p[s->next]};
    double most = fmax(at[0]->x, fmax(at[1]->x, at[2]->x));
    double least = fmin(at[0]->x, fmin(at[1]->x, at[2]->x));
    s->u_low = INFINITY;
    s->u_high = -INFINITY;
    s->relax = 0;
    s->open = false;
    /* at values of d1 over them: range of u, and second differences over the three places */
    for (int i = 0; i < LOOKS; i++) {
        double d1 = sqrt(0.98 * least + (most - 0.98 * least) * i / (LOOKS - 1));
        double low[3], high[3];
        bool all = true;
        const gdyn_sides sides[3] = {gdyn_grid_sides(at[0], d1), gdyn_grid_sides(at[1], d1),
                                     gdyn_grid_sides(at[2], d1)};
        s->open |= gdyn_sides_turn(sides[0], sides[1]) || gdyn_sides_turn(sides[1], sides[2]);
        for (int k = 0; k < 3; k++) {
            bool here = gdyn_region_slice(at[k]->region, d1, &low[k], &high[k]);
            all = all && here;
            if (here) {
                s->u_low = fmin(s->u_low, low[k]);
                s->u_high = fmax(s->u_high, high[k]);
            }
        }
        /* how far the mean of the regions may be from the one in the middle */
        double up = all ? fabs(high[0] - 2 * high[1] + high[2]) : 0;
        double down = all ? fabs(low[0] - 2 * low[1] + low[2]) : 0;
        s->relax = isfinite(up) ? fmax(s->relax, CURVATURE * up) : s->relax;
        s->relax = isfinite(down) ? fmax(s->relax, CURVATURE * down) : s->relax;
    }
    /* beside zero-inertia points a range that is open stays open */
    bool beside = at[0]->inertia.zeros + at[1]->inertia.zeros + at[2]->inertia.zeros > 0;
    s->open |= beside && !(isfinite(s->u_low) && isfinite(s->u_high));
    s->u_low = isfinite(s->u_low) ? s->u_low - s->relax : -INFINITY;
    s->u_high = isfinite(s->u_high) ? s->u_high + s->relax : INFINITY;
}

/* Relaxed lines of a cell of the middle, in (x at the node, u). */
static gdyn_status relaxed(bound *b, const segment *s, const gdyn_strip *cell, gdyn_strip *strip) {
    gdyn_grid *grid = b->grid;
    double h = grid->place[s->next].p - grid->place[s->node].p;
    double u = fmax(fabs(s->u_low), fabs(s->u_high));
    u = isfinite(u) ? u : 0;
    /* upper lines in x at the node, with what they may change over the segment */
    gdyn_status status = gdyn_grid_strip(grid, 2 * (cell->up.count + cell->low.count) + 6, strip);
    for (int i = 0; i < cell->up.count && status == GDYN_OK && !s->open; i++) {
        double a = cell->up.a[i], slack = fabs(a) * h * u * fmin(2 * fabs(a) * h, 1) + s->relax;
        gdyn_strip_add(strip, -a, 1 - a * h, -cell->up.c[i] - slack);
    }
    for (int i = 0; i < cell->low.count && status == GDYN_OK && !s->open; i++) {
        double a = cell->low.a[i], slack = fabs(a) * h * u * fmin(2 * fabs(a) * h, 1) + s->relax;
        gdyn_strip_add(strip, a, a * h - 1, cell->low.c[i] - slack);
    }
    return status;
}

/* Range of u of the cells that a motion in this cell can meet too. */
static void range_of_u(const bound *b, double from, double to, double *low, double *high) {
    *low = INFINITY, *high = -INFINITY;
    for (int c = 0; c < b->cells.count; c++) {
        const gdyn_strip *cell = &b->cells.cell[c];
        /* most cells lie elsewhere */
        if (cell->x_low > to || cell->x_high < from)
            continue;
        double x[2] = {gdyn_greater(cell->x_low, from), gdyn_lesser(cell->x_high, to)};
        if (cell->up.count == 0)
            *high = INFINITY;
        if (cell->low.count == 0)
            *low = -INFINITY;
        /* lines are greatest and least at the ends of that part */
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < cell->up.count; k++)
                *high = gdyn_greater(*high, cell->up.a[k] * x[i] + cell->up.c[k]);
            for (int k = 0; k < cell->low.count; k++)
                *low = gdyn_lesser(*low, cell->low.a[k] * x[i] + cell->low.c[k]);
        }
    }
}

/* One cell of several holds for motions with x near it only: x at the node may lie off by what u
 * allows, and u stays in the range of what is there. */
static void clip(const bound *b, const segment *s, const gdyn_strip *cell, gdyn_strip *strip) {
    double h = b->grid->place[s->next].p - b->grid->place[s->node].p, low, high;
    /* how far x can be from the cell */
    double u = fmax(fabs(s->u_low), fabs(s->u_high));
    if (b->cells.count == 1 || !isfinite(u) || s->open)
        return;
    double from = cell->x_low - 2 * h * u, to = cell->x_high + 2 * h * u;
    strip->x_low = fmax(strip->x_low, from);
    strip->x_high = fmin(strip->x_high, to);
    range_of_u(b, from, to, &low, &high);
    gdyn_strip_add(strip, 0, 1, -high - s->relax);
    gdyn_strip_add(strip, 0, -1, low - s->relax);
}

/* Only x that the region of the node itself contains and that zero-inertia points let pass. */
static void cut(const gdyn_place *place, gdyn_intervals *set) {
    gdyn_intervals out = {0};
    /* intervals of x, cut by the islands */
    for (int k = 0; k < place->region->island_count; k++) {
        const gdyn_island *island = &place->region->island[k];
        gdyn_intervals_add_part(&out, set, island->from * island->from,
                                fmin(island->to * island->to, place->inertia.x_most), true);
    }
    *set = out;
}

/* --- solutions of greatest acceleration ------------------------------------------------------- */

/* Greatest (least, with its sign turned) acceleration at x, INFINITY when nothing is known. */
static double drive(const gdyn_place *place, double x, bool up) {
    const gdyn_region *region = place->region;
    double low, high, d1 = sqrt(fmax(x, 0));
    int island = island_of(region, x); /* x may lie beyond what the island allows */
    d1 = island >= 0 ? fmin(d1, region->island[island].to) : d1;
    if (!gdyn_region_slice(region, d1, &low, &high))
        return INFINITY;
    return up ? high : -low;
}

/* Greatest x over a segment, with x at one of its ends known. */
static parabola most_from(const gdyn_place *first, const gdyn_place *middle, const gdyn_place *last,
                          double x, double h, bool up) {
    double u0 = drive(first, x, up), um = drive(middle, x + h * u0, up);
    double u1 = drive(last, x + 2 * h * um, up), more = CURVATURE * fabs(u0 - 2 * um + u1);
    if (!isfinite(more))
        return (parabola){{x, INFINITY, INFINITY}};
    return (parabola){{x, x + h * (u0 + more), x + h * (u0 + u1 + 2 * more)}};
}

/* Greatest x over segment i from x at its node (rising) or towards x at its next one (falling). */
static parabola most_over(const bound *b, int i, double x, bool rising) {
    const segment *s = &b->segment[i];
    const gdyn_place *p = b->grid->place;
    const gdyn_place *node = &p[s->node], *middle = &p[s->middle], *next = &p[s->next];
    double h = next->p - node->p;
    /* nothing bounds d2 there */
    if (s->open)
        return (parabola){{rising ? x : INFINITY, INFINITY, rising ? INFINITY : x}};
    /* from the node on, or from the next one back */
    if (rising)
        return most_from(node, middle, next, x, h, true);
    parabola fall = most_from(next, middle, node, x, h, false);
    return (parabola){{fall.x[2], fall.x[1], fall.x[0]}};
}

/* --- passes ----------------------------------------------------------------------------------- */

/* One step of the outer backward pass. */
static gdyn_status back(bound *b, int i) {
    gdyn_grid *grid = b->grid;
    segment *s = &b->segment[i];
    double h = grid->place[s->next].p - grid->place[s->node].p;
    /* cells that contain the region of the middle */
    gdyn_status status = gdyn_cells_make(&b->cells, grid->arena, grid->place[s->middle].region,
                                         &grid->scope, true, 0);
    b->k[i].count = 0;
    /* every cell, relaxed, and every interval behind */
    for (int c = 0; c < b->cells.count && status == GDYN_OK; c++) {
        gdyn_strip strip, cell = b->cells.cell[c];
        status = relaxed(b, s, &cell, &strip);
        clip(b, s, &cell, &strip);
        for (int k = 0; k < b->k[i + 1].count && status == GDYN_OK; k++) {
            double low, high;
            if (gdyn_strip_reach(&strip, h, b->k[i + 1].low[k], b->k[i + 1].high[k], &low, &high))
                gdyn_intervals_add(&b->k[i], low, high, true);
        }
    }
    /* what the region and the greatest deceleration leave of it */
    cut(&grid->place[s->node], &b->k[i]);
    const gdyn_intervals *next = &b->k[i + 1];
    if (next->count > 0) {
        gdyn_intervals_limit(&b->k[i],
                             fmax(0, most_over(b, i, gdyn_intervals_top(next), false).x[0]));
    }
    return status;
}

/* Greatest x' from x in [low, high]: the mirror image of a step back. */
static gdyn_status ahead(bound *b, int i, double low, double high, double *reach) {
    gdyn_grid *grid = b->grid;
    segment *s = &b->segment[i];
    double h = grid->place[s->next].p - grid->place[s->node].p;
    gdyn_status status = gdyn_cells_make(&b->cells, grid->arena, grid->place[s->middle].region,
                                         &grid->scope, true, 0);
    /* each of them relaxed and mirrored */
    *reach = -INFINITY;
    for (int c = 0; c < b->cells.count && status == GDYN_OK; c++) {
        gdyn_strip strip, mirror, cell = b->cells.cell[c];
        status = relaxed(b, s, &cell, &strip);
        if (status != GDYN_OK)
            break;
        clip(b, s, &cell, &strip);
        /* in (x', w = -u): x = x' + 2 h w */
        int lines = strip.up.count + strip.low.count;
        if (!gdyn_reserve(&b->mirror, &b->mirror_room, 4 * (lines + 1), sizeof *b->mirror))
            return GDYN_ERROR_MEMORY;
        double *room = b->mirror;
        mirror = (gdyn_strip){.up = {0, room, room + lines},
                              .low = {0, room + 2 * lines, room + 3 * lines},
                              .x_low = 0,
                              .x_high = grid->scope.x_cap};
        for (int k = 0; k < strip.up.count; k++) /* -w <= a (x' + 2 h w) + c */
            gdyn_strip_add(&mirror, -strip.up.a[k], -1 - 2 * h * strip.up.a[k], -strip.up.c[k]);
        for (int k = 0; k < strip.low.count; k++)
            gdyn_strip_add(&mirror, strip.low.a[k], 1 + 2 * h * strip.low.a[k], strip.low.c[k]);
        /* what can be reached from x in [low, high] */
        double from = fmax(low, strip.x_low), to = fmin(high, strip.x_high), least, most;
        if (gdyn_strip_reach(&mirror, h, from, to, &least, &most))
            *reach = fmax(*reach, most);
    }
    return status;
}

/* Time of the part s..t; 0 when the parabola is no bound. */
static double part_time(const parabola *p, double h, double s, double t) {
    double at[2] = {s, t}, x[3]; /* blossoms (s, s), (s, t), (t, t) */
    for (int i = 0; i < 3; i++) {
        /* de Casteljau at both ends of the part */
        double f = at[i == 2], g = at[i > 0];
        double left = (1 - f) * p->x[0] + f * p->x[1], right = (1 - f) * p->x[1] + f * p->x[2];
        x[i] = (1 - g) * left + g * right;
    }
    /* negative or infinite ordinates tell nothing */
    if (!(x[0] >= 0) || !(x[2] >= 0) || !isfinite(x[0] + x[1] + x[2]))
        return 0;
    double time = gdyn_segment_bezier_time((t - s) * h, x);
    return isfinite(time) ? time : 0;
}

/* Least time over a segment: in every part the best of what is known. */
static double segment_time(const bound *b, int i, double x, double next) {
    const segment *s = &b->segment[i];
    const gdyn_place *p = b->grid->place;
    const gdyn_place *const at[3] = {&p[s->node], &p[s->middle], &p[s->next]};
    double h = at[2]->p - at[0]->p, time = 0;
    /* from above: the region, the rise from the start, the fall to the end */
    parabola top = region_top(at, island_of(at[0]->region, x));
    parabola rise = most_over(b, i, x, true), fall = most_over(b, i, next, false);
    /* every part takes at least the longest of the three times */
    for (int k = 0; k < PARTS; k++) {
        double from = (double)k / PARTS, to = (double)(k + 1) / PARTS;
        double up = part_time(&rise, h, from, to), down = part_time(&fall, h, from, to);
        time += fmax(part_time(&top, h, from, to), fmax(up, down));
    }
    return time;
}

/* Segments from node to node, with the middle between. */
static gdyn_status gather(bound *b) {
    const gdyn_grid *grid = b->grid;
    b->segment = gdyn_alloc((size_t)grid->count + 1, sizeof *b->segment);
    b->k = gdyn_alloc((size_t)grid->count + 1, sizeof *b->k);
    if (!b->segment || !b->k)
        return GDYN_ERROR_MEMORY;
    /* nodes and middles alternate, extra places are skipped */
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
        next = fmin(next, fmax(0, most_over(b, i, at, true).x[2]));
        const gdyn_intervals *k = &b->k[i + 1];
        double best = -INFINITY;
        for (int s = 0; s < k->count; s++)
            if (k->low[s] <= next * (1 + 1e-12))
                best = fmin(next, k->high[s]);
        if (best < 0) {
            *time = INFINITY;
            return status;
        }
        segment *here = &b->segment[i];
        here->x = at, here->reach = best, here->held = best < next;
        here->time = b->grid->place[here->node].timeless ? 0 : segment_time(b, i, at, best);
        *time += here->time;
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
    /* x at the end of the path */
    gdyn_intervals *last = &b->k[b->count];
    *last = gdyn_intervals_of(end_free ? 0 : end * end, end_free ? cap : end * end);
    cut(&b->grid->place[b->segment[b->count - 1].next], last);
    gdyn_status status = GDYN_OK;
    /* backward: all x from which the end can be reached; a periodic motion needs rounds */
    for (int round = 0; round < (settings->periodic ? 3 : 1); round++) {
        for (int i = b->count - 1; i >= 0 && status == GDYN_OK; i--)
            status = back(b, i);
        if (settings->periodic && b->k[0].count > 0)
            *last = gdyn_intervals_of(0, gdyn_intervals_top(&b->k[0]));
    }
    if (status != GDYN_OK || b->k[0].count == 0) {
        *lower = INFINITY;
        return status;
    }
    /* forward from the start, with the least time */
    double low = start_free ? 0 : start * start;
    double high = start_free ? b->k[0].high[b->k[0].count - 1] : start * start;
    double reached = high;
    status = run_forward(b, low, high, lower, &reached);
    if (status == GDYN_OK && settings->periodic && reached < high)
        status = run_forward(b, low, reached, lower, &reached);
    return status;
}

/* --- where the gap comes from ----------------------------------------------------------------- */

/* Time of the plan over a segment of the bound. */
static double motion_time(const gdyn_grid *grid, const segment *s) {
    double time = 0;
    for (int i = s->node; i < s->next; i++) {
        const gdyn_place *here = &grid->place[i];
        time += gdyn_segment_time(here[1].p - here->p, here, here + 1);
    }
    return time;
}

/* How much the bound's motion is ahead of the motion, at the segment's ends. */
static double ahead_at(const gdyn_grid *grid, const segment *s, bool end) {
    double x = grid->place[end ? s->next : s->node].x;
    return fmax(0, (end ? s->reach : s->x) - x);
}

/* Part of the segment's gap from the distance of the motions at its ends: it arose elsewhere. */
static double inherited(const gdyn_grid *grid, const segment *s) {
    const gdyn_place *node = &grid->place[s->node], *next = &grid->place[s->next];
    double x = 0.5 * (node->x + next->x), faster = fmax(x, 0.5 * (s->x + s->reach));
    double saved = x > 0 ? (next->p - node->p) * (1 / sqrt(x) - 1 / sqrt(faster)) : 0;
    return fmin(saved, fmax(0, motion_time(grid, s) - s->time));
}

/* What x ahead by 1 saves in the segment. */
static double saving(const gdyn_grid *grid, const segment *s) {
    double ahead = 0.5 * (ahead_at(grid, s, false) + ahead_at(grid, s, true));
    return ahead > 0 ? inherited(grid, s) / ahead : 0;
}

static double kept(double before, double after) {
    return after < before ? after / before : 1;
}

/* Doubt of every segment: the gap in it, and what it adds to the distance of both motions, which
 * costs time behind it where it grows and before it where it shrinks. Strictly, growth counts only
 * up to where the bound is held by what is to come, shrinking only from there on. */
static void doubt(bound *b, bool strict) {
    const gdyn_grid *grid = b->grid;
    /* backward: what growth costs behind */
    double worth = 0;
    for (int i = b->count - 1; i >= 0; i--) {
        segment *s = &b->segment[i];
        double at = ahead_at(grid, s, false), end = ahead_at(grid, s, true);
        worth = strict && s->held ? 0 : worth;
        /* own gap without what is inherited, and the growth of the distance */
        s->doubt = fmax(0, motion_time(grid, s) - s->time - inherited(grid, s)) +
                   fmax(0, end - at) * worth;
        worth = saving(grid, s) + (at > 0 ? kept(at, end) * worth : 0);
    }
    /* and where the distance shrinks, by what it was worth before */
    worth = 0;
    for (int i = 0; i < b->count; i++) {
        segment *s = &b->segment[i];
        double at = ahead_at(grid, s, false), end = ahead_at(grid, s, true);
        worth = strict && i > 0 && !s[-1].held ? 0 : worth;
        s->doubt += fmax(0, at - end) * worth;
        worth = saving(grid, s) + (end > 0 ? kept(end, at) * worth : 0);
    }
}

static int greater_doubt(const void *a, const void *b) {
    double p = ((const segment *)a)->doubt, q = ((const segment *)b)->doubt;
    return (p < q) - (p > q);
}

/* How much segment i adds to the motion's lead over the greatest x that the bound allows: forward
 * where that follows from what was, backward where from what is to come. */
static double overtaking(const bound *b, int i) {
    const segment *s = &b->segment[i];
    const gdyn_place *place = b->grid->place;
    double node = fmax(0, place[s->node].x - s->x);
    double next = fmax(0, place[s->next].x - s->reach);
    return !s->held ? next - node : i == 0 || s[-1].held ? node - next : 0;
}

/* Outer sets backward, then the least time; its gap says where to refine. */
gdyn_status gdyn_bound_time(gdyn_grid *grid, const gdyn_plan *plan, double *lower) {
    bound b = {.grid = grid};
    *lower = 0;
    grid->overtaken = false;
    grid->ahead = 0;
    /* without a motion there is nothing to compare with */
    if (plan->status != GDYN_TRAVERSE_OK)
        return GDYN_OK;
    gdyn_status status = gather(&b);
    if (status == GDYN_OK && b.count > 0)
        status = find(&b, lower);
    if (status == GDYN_OK && isfinite(*lower)) {
        /* a gap that hardly shrank was attributed to the wrong segments: now the other way */
        double gap = plan->time - *lower;
        grid->strict = !grid->strict && grid->gap > 0 && gap > STALLED * grid->gap;
        /* The motion overtakes the bound: coefficients change faster than the grid can see, their
         * curvature is wrong. Marks the segments that add most; false: none. */
        /* by how much of x, relative to the fastest place */
        double most = 0, fastest = 0;
        for (int i = 0; i < b.count; i++) {
            most = fmax(most, overtaking(&b, i));
            fastest = fmax(fastest, b.grid->place[b.segment[i].node].x);
        }
        b.grid->ahead = fastest > 0 ? most / fastest : 0;
        /* only beyond the tolerance */
        bool any = b.grid->ahead > OVERTAKEN * b.grid->settings.tolerance;
        for (int i = 0; i < b.count && any; i++)
            b.grid->place[b.segment[i].node].refine |= overtaking(&b, i) > 0.25 * most;
        grid->overtaken = any;
        /* Marks the fewest segments that make up most of the doubt. */
        bool strict = grid->strict;
        double sum = 0, so_far = 0;
        doubt(&b, strict);
        /* segments by falling doubt, until most of it is covered */
        for (int i = 0; i < b.count; i++)
            sum += b.segment[i].doubt;
        qsort(b.segment, (size_t)b.count, sizeof *b.segment, greater_doubt);
        for (int i = 0; i < b.count && so_far < REFINED * sum; i++) {
            so_far += b.segment[i].doubt;
            b.grid->place[b.segment[i].node].refine = true;
        }
        grid->gap = gap;
    }
    gdyn_free(b.mirror);
    gdyn_free(b.segment);
    gdyn_free(b.k);
    return status;
}
