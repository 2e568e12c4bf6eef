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
#include "linalg/lanes.h"
#include "traverse/internal.h"

#include <assert.h>
#include <math.h>

/* Curvature below which the time is that of a straight line to machine precision: the next term is
 * f^2 / 3. */
static const double STRAIGHT = 1e-5;
/* Difference of two arrivals x', relative, that is rounding. */
static const double SAME_ARRIVAL = 1e-13;
/* Share of the size of its terms below which a width is zero, as in strip.c. */
static const double ROUNDING = 4e-15;
/* How far out of reach counts as such, as a share of x: beyond what strip.c forgives. */
static const double BEYOND = 1e-9;
/* Share of x outside of a cell that need not be looked at: more than what strip.c forgives. */
static const double OUTSIDE = 1e-11;

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
gdyn_x_set gdyn_segment_middle(const gdyn_grid *grid, int i) {
    const gdyn_region *a = grid->place[i].region, *b = grid->place[i + 1].region;
    double cap = grid->scope.x_cap;
    gdyn_x_set set = {0};
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
            if (low <= high)
                gdyn_x_set_add(&set, low, high, false);
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

/* Leaves of from .. to where slope x + at >= 0 but for rounding of numbers of that size; false:
 * nothing. */
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

/* Intervals that mostly touch each other, on their way into a set. */
typedef struct gathered {
    gdyn_x_set *set;
    double low, high;
} gathered;

/* An interval that touches the last one lengthens it. */
static void gather(gathered *g, double low, double high) {
    if (low <= g->high && high >= g->low) {
        g->low = gdyn_lesser(g->low, low);
        g->high = gdyn_greater(g->high, high);
        return;
    }
    if (g->low <= g->high)
        gdyn_x_set_add(g->set, g->low, g->high, false);
    g->low = low, g->high = high;
}

/* Two intervals that touch each other, the first one what was gathered last, as most do: at
 * once. */
static inline void gather_pair(gathered *g, gdyn_lanes low, gdyn_lanes high) {
    if (low[0] <= high[1] && high[0] >= low[1] && low[0] <= g->high && high[0] >= g->low) {
        g->low = gdyn_lesser(g->low, gdyn_lesser(low[0], low[1]));
        g->high = gdyn_greater(g->high, gdyn_greater(high[0], high[1]));
        return;
    }
    gather(g, low[0], high[0]);
    gather(g, low[1], high[1]);
}

static gathered gather_into(gdyn_x_set *set) {
    set->count = 0;
    return (gathered){set, INFINITY, -INFINITY};
}

static void gather_end(gathered *g) {
    if (g->low <= g->high)
        gdyn_x_set_add(g->set, g->low, g->high, false);
}

/* --- backward --------------------------------------------------------------------------------- */

/* Those m of a cell with any lines that arrive in low .. high. */
static gdyn_status arrive_by_lines(gdyn_grid *grid, int i, const gdyn_strip *e, double low,
                                   double high, const gdyn_x_set *domain, gdyn_strip_hint hint[2],
                                   gathered *middle) {
    gdyn_strip strip;
    gdyn_status status = gdyn_segment_arrive(grid, i, e, &strip);
    for (int d = 0; d < domain->count && status == GDYN_OK; d++) {
        gdyn_strip part = strip;
        double from, to;
        part.x_low = gdyn_greater(strip.x_low, domain->low[d]);
        part.x_high = gdyn_lesser(strip.x_high, domain->high[d]);
        if (gdyn_strip_reach(&part, 0.5 * gdyn_segment_length(grid, i), low, high, hint, &from,
                             &to))
            gather(middle, from, to);
    }
    return status;
}

/* One of the cells. */
static bool arrive_at(const gdyn_cells *cells, int c, double h, double low, double high,
                      double *from, double *to) {
    gdyn_strip cell = gdyn_cells_at(cells, c);
    return arrive_simple(&cell, h, low, high, from, to);
}

static bool depart_at(const gdyn_cells *cells, int c, double h, double low, double high,
                      double *from, double *to) {
    gdyn_strip cell = gdyn_cells_at(cells, c);
    return depart_simple(&cell, h, low, high, from, to);
}

/* What leads m into one interval of the next place, of cells in columns, two at once; of an open
 * cell the corners of its polygon, as in arrive_simple. */
static void arrive_by_columns(const gdyn_cells *there, double h, double k_low, double k_high,
                              double m_low, double m_high, gathered *middle) {
    const gdyn_cell_columns k = there->column;
    const gdyn_lanes H = l_all(h), one = l_all(1), M_low = l_all(m_low), M_high = l_all(m_high);
    int count = there->count;
    for (int i = 0; i < count && k.from[i] <= k_high; i += GDYN_LANES) {
        gdyn_lanes low = l_greater(l_all(k_low), l_pair(k.from + i));
        gdyn_lanes high = l_lesser(l_all(k_high), l_pair(k.to + i));
        gdyn_lanes a = l_pair(k.up + i), c = l_pair(k.up_at + i);
        gdyn_lanes b = l_pair(k.low + i), d = l_pair(k.low_at + i);
        int inside = l_mask(low <= high);
        int open = l_mask(a * low + c >= b * low + d) & l_mask(a * high + c >= b * high + d);
        gdyn_lanes up = one - H * a, down = one - H * b;
        gdyn_lanes least = l_lesser(up * low, up * high) - H * c;
        gdyn_lanes most = l_greater(down * low, down * high) - H * d;
        int met = l_mask(least <= most) & l_mask(least <= M_high) & l_mask(most >= M_low);
        if ((inside & open & met) == GDYN_ALL_LANES) {
            gather_pair(middle, l_greater(least, M_low), l_lesser(most, M_high));
            continue;
        }
        for (int l = 0; l < GDYN_LANES && i + l < count; l++) {
            double from = least[l], to = most[l];
            if (!(inside >> l & 1) ||
                (!(open >> l & 1) && !arrive_at(there, i + l, h, low[l], high[l], &from, &to)))
                continue;
            if (from <= to && from <= m_high && to >= m_low)
                gather(middle, gdyn_greater(from, m_low), gdyn_lesser(to, m_high));
        }
    }
}

/* What leads m into one interval of the next place, of one cell. */
static gdyn_status arrive_by_cell(gdyn_grid *grid, int i, const gdyn_strip *e, double low,
                                  double high, const gdyn_x_set *domain, gdyn_strip_hint hint[2],
                                  gathered *middle) {
    double from, to;
    /* corners of the polygon in closed form; cells with more lines by their strip */
    if (!simple(e))
        return arrive_by_lines(grid, i, e, low, high, domain, hint, middle);
    if (arrive_simple(e, gdyn_segment_length(grid, i), low, high, &from, &to))
        for (int d = 0; d < domain->count; d++)
            if (from <= domain->high[d] && to >= domain->low[d])
                gather(middle, gdyn_greater(from, domain->low[d]),
                       gdyn_lesser(to, domain->high[d]));
    return GDYN_OK;
}

/* All m that can arrive in the controllable set of the next place. */
static gdyn_status half_back_to_middle(gdyn_grid *grid, int i, gdyn_strip_hint hint[2]) {
    const gdyn_cells *there = gdyn_grid_into(&grid->place[i + 1]);
    const gdyn_x_set *next = &grid->place[i + 1].k;
    gdyn_x_set domain = gdyn_segment_middle(grid, i);
    gathered middle = gather_into(&grid->place[i].middle);
    gdyn_status status = GDYN_OK;
    bool columns = there->narrow && next->count == 1 && domain.count == 1;
    if (columns)
        arrive_by_columns(there, gdyn_segment_length(grid, i), next->low[0], next->high[0],
                          domain.low[0], domain.high[0], &middle);
    for (int c = 0; !columns && c < there->count && status == GDYN_OK; c++) {
        const gdyn_strip e = gdyn_cells_at(there, c);
        for (int s = 0; s < next->count && status == GDYN_OK; s++) {
            /* the part of the controllable set that the cell itself contains */
            double low = gdyn_greater(next->low[s], e.x_low),
                   high = gdyn_lesser(next->high[s], e.x_high);
            if (low <= high)
                status = arrive_by_cell(grid, i, &e, low, high, &domain, hint, &middle);
        }
    }
    gather_end(&middle);
    return status;
}

/* What u0 leads into the m of low .. high, of cells in columns, two at once; most are led there as
 * a whole. */
static void depart_by_columns(const gdyn_cells *here, double h, double low, double high,
                              gathered *k) {
    const gdyn_cell_columns column = here->column;
    const gdyn_lanes H = l_all(h), one = l_all(1), least = l_all(low), most = l_all(high);
    int count = here->count;
    for (int i = 0; i < count; i += GDYN_LANES) {
        gdyn_lanes x[2] = {l_pair(column.from + i), l_pair(column.to + i)};
        gdyn_lanes up = one + H * l_pair(column.up + i), c = H * l_pair(column.up_at + i);
        gdyn_lanes down = one + H * l_pair(column.low + i), d = H * l_pair(column.low_at + i);
        gdyn_lanes m[2] = {up * x[0] + c, up * x[1] + c}, n[2] = {down * x[0] + d, down * x[1] + d};
        int whole = l_mask(m[0] >= least) & l_mask(n[0] <= most) & l_mask(m[0] >= n[0]) &
                    l_mask(m[1] >= least) & l_mask(n[1] <= most) & l_mask(m[1] >= n[1]);
        if (whole == GDYN_ALL_LANES) {
            gather_pair(k, l_greater(x[0], l_all(0)), l_greater(x[1], l_all(0)));
            continue;
        }
        for (int l = 0; l < GDYN_LANES && i + l < count; l++) {
            double from = x[0][l], to = x[1][l];
            if (whole >> l & 1 || depart_at(here, i + l, h, low, high, &from, &to))
                gather(k, gdyn_greater(from, 0), gdyn_greater(to, 0));
        }
    }
}

/* All x that can be led into the set of m. */
static void half_back(gdyn_grid *grid, int i, gdyn_strip_hint hint[2]) {
    gdyn_place *here = &grid->place[i];
    gathered k = gather_into(&here->k);
    double h = gdyn_segment_length(grid, i), from, to;
    bool columns = here->cells.narrow && here->middle.count == 1;
    if (columns)
        depart_by_columns(&here->cells, h, here->middle.low[0], here->middle.high[0], &k);
    for (int c = 0; !columns && c < here->cells.count; c++) {
        const gdyn_strip cell = gdyn_cells_at(&here->cells, c);
        for (int s = 0; s < here->middle.count; s++) {
            double low = here->middle.low[s], high = here->middle.high[s];
            bool found = simple(&cell)
                             ? depart_simple(&cell, h, low, high, &from, &to)
                             : gdyn_strip_reach(&cell, 0.5 * h, low, high, hint, &from, &to);
            if (found)
                gather(&k, gdyn_greater(from, 0), gdyn_greater(to, 0));
        }
    }
    gather_end(&k);
    gdyn_x_set_limit(&here->k, here->inertia.x_star);
}

gdyn_status gdyn_segment_back(gdyn_grid *grid, int i, gdyn_strip_hint hint[4]) {
    /* hints are of use where the same cell is asked from step to step */
    bool single =
        grid->place[i].cells.count == 1 && gdyn_grid_into(&grid->place[i + 1])->count == 1;
    gdyn_status status = half_back_to_middle(grid, i, single ? hint : NULL);
    if (status == GDYN_OK) {
        half_back(grid, i, single ? hint + 2 : NULL);
        gdyn_leap_back(grid, i);
    }
    return status;
}

/* --- forward ---------------------------------------------------------------------------------- */

/* A range of m: what one cell of a place and one interval of the middle's set leave from its x. */
typedef struct departure {
    double least, most;
} departure;

/* Most of them that can hold one x: where cells and intervals meet, two of each do. */
enum { DEPARTURES_MOST = 4 * GDYN_SPANS_OF_X };

typedef struct departures {
    int count;
    departure at[DEPARTURES_MOST];
    double least, most; /* of all */
} departures;

/* A narrow cell, and all behind it, that x clearly lies before. */
static inline bool beyond(const gdyn_cells *cells, int c, double x) {
    const gdyn_cell_columns *k = &cells->column;
    return cells->narrow && x < k->from[c] - OUTSIDE * k->to[c];
}

/* The first narrow cell that ends at x or beyond; their number where none does. */
static int first_up_to(const gdyn_cells *cells, double x) {
    int low = 0, high = cells->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (cells->column.to[middle] * (1 + OUTSIDE) < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* All departures from the x of place i. */
static void depart(const gdyn_grid *grid, int i, departures *all) {
    const gdyn_place *here = &grid->place[i];
    double h = gdyn_segment_length(grid, i), u_low, u_high;
    *all = (departures){.least = INFINITY, .most = -INFINITY};
    int first = here->cells.narrow ? first_up_to(&here->cells, here->x) : 0;
    for (int c = first; c < here->cells.count && !beyond(&here->cells, c, here->x); c++) {
        /* the range of u0 with which m lies in the interval */
        const gdyn_strip cell = gdyn_cells_at(&here->cells, c);
        for (int s = 0; s < here->middle.count && all->count < DEPARTURES_MOST; s++) {
            double low = here->middle.low[s], high = here->middle.high[s];
            if (!gdyn_strip_slice(&cell, 0.5 * h, here->x, low, high, &u_low, &u_high))
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
 * (h a - 1): beside a zero-inertia point, where the greatest m would leave the motion no more than
 * rest. The lines that decide at both ends meet at or above the summit, and one of them is left
 * behind in every step. */
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
        /* m + h u is concave: the maximum lies where the two lines cross, or at a line between
         * them */
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

/* The best of all m and x': one that does not come to rest on the way, the greatest x', of these
 * the greatest m. */
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

/* As far as one cell and interval of the next place let it. Where the summit is reached from rest
 * by resting, what lies half way to the greatest m still moves on. */
static void lead(const departures *from, const arrival *a, choice *best) {
    for (int i = 0; i < from->count; i++) {
        double most = from->at[i].most, top = summit(a, from->at[i].least, most);
        better(a, most, best);
        if (top < most) {
            better(a, 0.5 * (top + most), best);
            better(a, top, best);
        }
    }
}

/* The cells that may have some x in common with a set are first .. last. */
static void overlapping(const gdyn_cells *cells, const gdyn_x_set *set, int *first, int *last) {
    *first = 0, *last = cells->count - 1;
    if (!cells->narrow)
        return;
    if (set->count == 0) {
        *last = -1;
        return;
    }
    while (*last >= 0 && cells->column.from[*last] > set->high[set->count - 1])
        --*last;
    *first = first_up_to(cells, set->low[0]);
}

gdyn_status gdyn_segment_forward(gdyn_grid *grid, int i, bool *found) {
    gdyn_place *here = &grid->place[i], *next = here + 1;
    const gdyn_cells *there = gdyn_grid_into(next);
    double h = gdyn_segment_length(grid, i);
    choice best = {here->x, -INFINITY, -INFINITY};
    departures from;
    int first, last;
    depart(grid, i, &from);
    overlapping(there, &next->k, &first, &last);
    /* the fastest cells first: slower ones need no look once one of them is reached */
    for (int c = last; c >= first; c--) {
        const gdyn_strip e = gdyn_cells_at(there, c);
        arrival a = {.h = h};
        bool made = false;
        if (e.x_high < best.x * (1 - SAME_ARRIVAL) && moves(&best)) {
            if (there->narrow)
                break;
            continue;
        }
        for (int s = 0; s < next->k.count; s++) {
            a.low = gdyn_greater(next->k.low[s], e.x_low);
            a.high = gdyn_lesser(next->k.high[s], e.x_high);
            if (a.low > a.high || out_of_reach(&e, h, a.low, a.high, &from))
                continue;
            gdyn_status status = made ? GDYN_OK : gdyn_segment_arrive(grid, i, &e, &a.strip);
            if (status != GDYN_OK)
                return status;
            made = true;
            lead(&from, &a, &best);
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
