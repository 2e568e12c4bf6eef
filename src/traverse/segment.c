/* segment.c - what one segment of the grid lets pass, backward and forward.
 *
 * Within a segment of length h, d2 = u runs linearly from u0 to u1, so that x = d1^2 is the Bezier
 * curve with the ordinates x, m = x + h u0 and x' = m + h u1. Both ends, (x, u0) and (x', u1), lie
 * in their regions, m between the regions' ends. A segment is thus two half steps, each with the
 * lines of one place only:
 *
 *     backward   K_{i+1} -> all m that arrive in it -> all x that are led into those m: K_i
 *     forward    x -> the m that its u0 reach -> the greatest x' in K_{i+1}
 *
 * What no motion can be faster than beside zero-inertia points (inertia.c) limits x and m: there h
 * times the slope of a line passes 1, and motions of the grid could leap over it and back. */
#include "traverse/internal.h"

#include <assert.h>
#include <math.h>

/* Curvature below which the time is a straight line's to rounding: the next term is f^2 / 3. */
static const double STRAIGHT = 1e-5;
/* Difference of two arrivals x', relative, that is rounding. */
static const double SAME_ARRIVAL = 1e-13;
/* Share of the size of its terms below which a width is zero, as in strip.c. */
static const double ROUNDING = 4e-15;
/* How far out of reach counts as such, as a share of x: beyond what strip.c forgives. */
static const double BEYOND = 1e-9;

double gdyn_segment_length(const gdyn_grid *grid, int i) {
    return grid->place[i + 1].p - grid->place[i].p;
}

/* bend: half the second derivative of x over p. */
static double parabola_time(double h, double x, double next, double bend) {
    double v = sqrt(x) + sqrt(next), f = v > 0 ? sqrt(fabs(bend)) * h / v : INFINITY;
    if (f < STRAIGHT)
        return 2 * h / v;
    if (bend > 0)
        return f < 1 ? 2 * h / v * atanh(f) / f : INFINITY;
    return isinf(f) ? INFINITY : 2 * h / v * atan(f) / f;
}

double gdyn_segment_bezier_time(double h, const double x[3]) {
    assert(h > 0);
    return parabola_time(h, x[0], x[2], (x[2] - 2 * x[1] + x[0]) / (h * h));
}

double gdyn_segment_time(double h, const gdyn_place *here, const gdyn_place *next) {
    return here->timeless ? 0 : parabola_time(h, here->x, next->x, (here->u_end - here->u) / h);
}

/* Islands' ends in the middle, and what a zero-inertia point lets pass. */
gdyn_intervals gdyn_segment_middle(const gdyn_grid *grid, int i) {
    const gdyn_region *a = grid->place[i].region, *b = grid->place[i + 1].region;
    double cap = grid->scope.x_cap;
    gdyn_intervals set = {0};
    /* islands of both ends belong to each other one by one where they are as many */
    bool alike = a->island_count == b->island_count;
    for (int j = 0; j < a->island_count; j++) {
        for (int k = alike ? j : 0; k < (alike ? j + 1 : b->island_count); k++) {
            double a_low = a->island[j].from * a->island[j].from;
            double b_low = b->island[k].from * b->island[k].from;
            double a_high = fmin(a->island[j].to * a->island[j].to, cap);
            double b_high = fmin(b->island[k].to * b->island[k].to, cap);
            /* x in the middle: the mean of the ends, or what both have in common */
            double low = alike ? 0.5 * (a_low + b_low) : fmax(a_low, b_low);
            double high = alike ? 0.5 * (a_high + b_high) : fmin(a_high, b_high);
            high = fmin(high, grid->place[i].inertia.m_star);
            gdyn_intervals_add(&set, low, high, false);
        }
    }
    return set;
}

/* Second half: from m to x' = m + h u1, lines of the cell at its end. */
gdyn_status gdyn_segment_arrive(gdyn_grid *grid, int i, const gdyn_strip *e, gdyn_strip *strip) {
    assert(i >= 0 && i + 1 < grid->count);
    double h = gdyn_segment_length(grid, i);
    gdyn_status status = gdyn_grid_strip(grid, e->up.count + e->low.count + 4, strip);
    for (int k = 0; k < e->up.count && status == GDYN_OK; k++)
        gdyn_strip_add(strip, -e->up.a[k], 1 - h * e->up.a[k], -e->up.c[k]);
    for (int k = 0; k < e->low.count && status == GDYN_OK; k++)
        gdyn_strip_add(strip, e->low.a[k], h * e->low.a[k] - 1, e->low.c[k]);
    return status;
}

/* --- cells of one line above and one below ---------------------------------------------------- */

/* What curved arcs are cut into; all their questions have closed answers. */
static bool simple(const gdyn_strip *cell) {
    return cell->up.count == 1 && cell->low.count == 1;
}

/* Leaves of from .. to where slope x + at >= 0 but for rounding at that size; false: nothing. */
static inline bool keep_side(double slope, double at, double size, double *from, double *to) {
    double near = -ROUNDING * size;
    bool left = slope * *from + at >= near, right = slope * *to + at >= near;
    if (left && right)
        return true;
    double zero = gdyn_lesser(gdyn_greater(-at / slope, *from), *to);
    *(left ? to : from) = zero;
    return left || right;
}

/* Leaves of from .. to where the cell is open. */
static inline bool keep_open(const gdyn_strip *cell, double *from, double *to) {
    double a = cell->up.a[0], c = cell->up.c[0], b = cell->low.a[0], d = cell->low.c[0];
    double size = fabs(c) + fabs(d) + (fabs(a) + fabs(b)) * *to;
    return keep_side(a - b, c - d, size, from, to);
}

/* All m from which x' in low .. high is reached: the cell is a polygon in (x', u1), and m = x' - h
 * u1 has its extremes at the polygon's corners. */
static bool arrive_simple(const gdyn_strip *cell, double h, double low, double high, double *from,
                          double *to) {
    double a = cell->up.a[0], c = cell->up.c[0], b = cell->low.a[0], d = cell->low.c[0];
    bool open = a * low + c >= b * low + d && a * high + c >= b * high + d;
    if (!open && !keep_open(cell, &low, &high))
        return false;
    double up = 1 - h * a, down = 1 - h * b;
    *from = gdyn_lesser(up * low, up * high) - h * c;
    *to = gdyn_greater(down * low, down * high) - h * d;
    return *from <= *to;
}

/* All x of the cell that some u0 leads into the m of low .. high. */
static bool depart_simple(const gdyn_strip *cell, double h, double low, double high, double *from,
                          double *to) {
    double up = 1 + h * cell->up.a[0], c = h * cell->up.c[0];
    double down = 1 + h * cell->low.a[0], d = h * cell->low.c[0], x = cell->x_high;
    *from = cell->x_low, *to = x;
    /* most cells are led there as a whole */
    double m_up[2] = {up * *from + c, up * x + c}, m_low[2] = {down * *from + d, down * x + d};
    if (m_up[0] >= low && m_up[1] >= low && m_low[0] <= high && m_low[1] <= high &&
        m_up[0] >= m_low[0] && m_up[1] >= m_low[1])
        return true;
    return keep_side(up, c - low, fabs(c) + fabs(low) + fabs(up) * x, from, to) &&
           keep_side(-down, high - d, fabs(d) + fabs(high) + fabs(down) * x, from, to) &&
           keep_open(cell, from, to);
}

/* --- backward --------------------------------------------------------------------------------- */

/* What leads m into low .. high of the next place, in one of its cells: corners of the polygon in
 * closed form; cells with more lines by their strip. */
static gdyn_status arrive_by_cell(gdyn_grid *grid, int i, const gdyn_strip *e, double low,
                                  double high, const gdyn_intervals *domain,
                                  gdyn_intervals *middle) {
    double from, to, h = gdyn_segment_length(grid, i);
    gdyn_strip strip;
    bool closed = simple(e), any = closed && arrive_simple(e, h, low, high, &from, &to);
    gdyn_status status = closed ? GDYN_OK : gdyn_segment_arrive(grid, i, e, &strip);
    for (int d = 0; d < domain->count && status == GDYN_OK; d++) {
        if (!closed) {
            gdyn_strip part = strip;
            part.x_low = gdyn_greater(strip.x_low, domain->low[d]);
            part.x_high = gdyn_lesser(strip.x_high, domain->high[d]);
            any = gdyn_strip_reach(&part, 0.5 * h, low, high, &from, &to);
        }
        if (any)
            gdyn_intervals_add(middle, gdyn_greater(from, domain->low[d]),
                               gdyn_lesser(to, domain->high[d]), false);
    }
    return status;
}

gdyn_status gdyn_segment_back(gdyn_grid *grid, int i) {
    /* all m that can arrive in the controllable set of the next place */
    const gdyn_cells *there = gdyn_grid_into(&grid->place[i + 1]);
    const gdyn_intervals *next = &grid->place[i + 1].k;
    gdyn_intervals domain = gdyn_segment_middle(grid, i);
    gdyn_intervals *middle = &grid->place[i].middle;
    middle->count = 0;
    middle->lost = domain.lost || next->lost;
    gdyn_status status = GDYN_OK;
    for (int c = 0; c < there->count && status == GDYN_OK; c++) {
        const gdyn_strip *e = &there->cell[c];
        for (int s = 0; s < next->count && status == GDYN_OK; s++) {
            /* the part of the controllable set that the cell itself contains */
            double low = gdyn_greater(next->low[s], e->x_low);
            double high = gdyn_lesser(next->high[s], e->x_high);
            if (low <= high)
                status = arrive_by_cell(grid, i, e, low, high, &domain, middle);
        }
    }
    if (status != GDYN_OK)
        return status;
    /* all x that can be led into the set of m */
    gdyn_place *here = &grid->place[i];
    here->k.count = 0;
    here->k.lost = here->middle.lost;
    double h = gdyn_segment_length(grid, i), from, to;
    for (int c = 0; c < here->cells.count; c++) {
        const gdyn_strip *cell = &here->cells.cell[c];
        for (int s = 0; s < here->middle.count; s++) {
            double low = here->middle.low[s], high = here->middle.high[s];
            bool found = simple(cell) ? depart_simple(cell, h, low, high, &from, &to)
                                      : gdyn_strip_reach(cell, 0.5 * h, low, high, &from, &to);
            if (found)
                gdyn_intervals_add(&here->k, gdyn_greater(from, 0), gdyn_greater(to, 0), false);
        }
    }
    gdyn_intervals_limit(&here->k, here->inertia.x_star);
    gdyn_leap_back(grid, i);
    return GDYN_OK;
}

/* --- forward ---------------------------------------------------------------------------------- */

/* A range of m: what one cell of a place and one interval of the middle's set leave from its x. */
typedef struct departure {
    double least, most;
} departure;

/* Most of them that can hold one x: where cells and intervals meet, two of each do. */
enum { DEPARTURES_MOST = 4 * GDYN_INTERVALS_MAX };

typedef struct departures {
    int count;
    departure at[DEPARTURES_MOST];
    double least, most; /* of all */
} departures;

/* All departures from the x of place i. */
static void depart(const gdyn_grid *grid, int i, departures *all) {
    const gdyn_place *here = &grid->place[i];
    double h = gdyn_segment_length(grid, i), u_low, u_high;
    *all = (departures){.least = INFINITY, .most = -INFINITY};
    for (int c = 0; c < here->cells.count; c++) {
        /* the range of u0 with which m lies in the interval */
        const gdyn_strip *cell = &here->cells.cell[c];
        for (int s = 0; s < here->middle.count && all->count < DEPARTURES_MOST; s++) {
            double low = here->middle.low[s], high = here->middle.high[s];
            if (!gdyn_strip_slice(cell, 0.5 * h, here->x, low, high, &u_low, &u_high))
                continue;
            departure *d = &all->at[all->count++];
            d->least = gdyn_lesser(gdyn_greater(here->x + h * u_low, low), high);
            d->most = gdyn_lesser(gdyn_greater(here->x + h * u_high, low), high);
            all->least = gdyn_lesser(all->least, d->least);
            all->most = gdyn_greater(all->most, d->most);
        }
    }
}

/* True when x' = m + h u1 with any of these m lies above one line of the cell, or below one, all
 * along low..high: what lies on the wrong side of a line at both ends does so in between. */
static bool out_of_reach(const gdyn_strip *cell, double h, double low, double high,
                         const departures *from) {
    double size = fabs(high) + fabs(from->most);
    bool out = false;
    for (int k = 0; k < cell->up.count && !out; k++) {
        /* upper lines, at the greatest m */
        double a = cell->up.a[k], c = cell->up.c[k];
        double near = BEYOND * (size + h * (fabs(a) * size + fabs(c)));
        out = low - from->most > h * (a * low + c) + near &&
              high - from->most > h * (a * high + c) + near;
    }
    for (int k = 0; k < cell->low.count && !out; k++) {
        /* lower lines, at the least m */
        double a = cell->low.a[k], c = cell->low.c[k];
        double near = BEYOND * (size + h * (fabs(a) * size + fabs(c)));
        out = low - from->least < h * (a * low + c) - near &&
              high - from->least < h * (a * high + c) - near;
    }
    return out;
}

/* A second half: lines in (m, u1), and where it shall arrive. */
typedef struct arrival {
    gdyn_strip strip;
    double h, low, high;
} arrival;

/* Greatest x' from m; -INFINITY: none. */
static double reach(const arrival *a, double m) {
    double u_low, u_high;
    if (!gdyn_strip_slice(&a->strip, 0.5 * a->h, m, a->low, a->high, &u_low, &u_high))
        return -INFINITY;
    return fmin(fmax(m + a->h * u_high, a->low), a->high);
}

/* The line that decides at m, -1: x' <= high. */
static int deciding(const arrival *a, double m) {
    int at = -1;
    double least = a->high;
    for (int i = 0; i < a->strip.up.count; i++) {
        double x = m + a->h * (a->strip.up.a[i] * m + a->strip.up.c[i]);
        at = x < least ? i : at;
        least = fmin(x, least);
    }
    return at;
}

/* The m in least .. most that reaches the greatest x', the greatest of them. The greatest x' is
 * concave over m. It falls where a line u1 >= a x' + c is so steep that h a > 1, x' <= -(m + h c) /
 * (h a - 1): beside a zero-inertia point, where the greatest m leaves only rest. The lines that
 * decide at both ends meet at or above the summit; every step leaves one of them behind. */
static double summit(const arrival *a, double least, double most) {
    least = fmax(least, a->strip.x_low), most = fmin(most, a->strip.x_high);
    for (int steps = 0; steps < a->strip.up.count + 2 && most > least; steps++) {
        /* the lines that bound at both ends, and the slopes of m + h u there */
        int right = deciding(a, most), left = deciding(a, least);
        double falls = right < 0 ? 0 : 1 + a->h * a->strip.up.a[right];
        if (!(falls < 0))
            return most;
        double rises = left < 0 ? 0 : 1 + a->h * a->strip.up.a[left];
        if (rises < 0)
            return least;
        /* m + h u is concave: its maximum is where the lines cross, or at one between */
        double from = left < 0 ? a->high : a->h * a->strip.up.c[left];
        double m = (from - a->h * a->strip.up.c[right]) / (falls - rises);
        if (!(m > least && m < most))
            return m <= least ? least : most;
        int at = deciding(a, m);
        if (at == left || at == right)
            return m;
        *(at >= 0 && 1 + a->h * a->strip.up.a[at] < 0 ? &most : &least) = m;
    }
    return most;
}

/* The best of all m and x': without rest on the way, the greatest x', of these the greatest m. */
typedef struct choice {
    double from, m, x; /* x of the place itself, m, x' */
} choice;

/* The Bezier curve has no zero: m > -sqrt(x x'). */
static bool moves(const choice *c) {
    return c->m + sqrt(fmax(c->from, 0) * fmax(c->x, 0)) > 0;
}

static void better(const arrival *a, double m, choice *best) {
    choice other = {best->from, m, reach(a, m)};
    double near = SAME_ARRIVAL * fabs(other.x);
    bool faster = other.x > best->x + near || (other.x >= best->x - near && m > best->m);
    if (!isfinite(other.x) || (isfinite(best->x) && moves(&other) != moves(best)))
        faster = isfinite(other.x) && moves(&other);
    *best = faster ? other : *best;
}

gdyn_status gdyn_segment_forward(gdyn_grid *grid, int i, bool *found) {
    gdyn_place *here = &grid->place[i], *next = here + 1;
    const gdyn_cells *there = gdyn_grid_into(next);
    double h = gdyn_segment_length(grid, i);
    choice best = {here->x, -INFINITY, -INFINITY};
    departures from;
    depart(grid, i, &from);
    /* the fastest cells first: slower ones need no look once one of them is reached */
    for (int c = there->count - 1; c >= 0; c--) {
        const gdyn_strip *e = &there->cell[c];
        arrival a = {.h = h};
        bool made = false;
        if (e->x_high < best.x * (1 - SAME_ARRIVAL) && moves(&best))
            continue;
        for (int s = 0; s < next->k.count; s++) {
            a.low = gdyn_greater(next->k.low[s], e->x_low);
            a.high = gdyn_lesser(next->k.high[s], e->x_high);
            if (a.low > a.high || out_of_reach(e, h, a.low, a.high, &from))
                continue;
            gdyn_status status = made ? GDYN_OK : gdyn_segment_arrive(grid, i, e, &a.strip);
            if (status != GDYN_OK)
                return status;
            made = true;
            /* as far as one cell and interval of the next place let it. Where the summit is
             * reached from rest by resting, what lies half way to the greatest m still moves on. */
            for (int j = 0; j < from.count; j++) {
                double most = from.at[j].most, top = summit(&a, from.at[j].least, most);
                better(&a, most, &best);
                if (top < most) {
                    better(&a, 0.5 * (top + most), &best);
                    better(&a, top, &best);
                }
            }
        }
    }
    *found = isfinite(best.x);
    if (*found) {
        here->u = (best.m - here->x) / h;
        here->u_end = (best.x - best.m) / h;
        next->x = best.x;
    }
    *found = gdyn_leap_forward(grid, i, *found);
    return GDYN_OK;
}
