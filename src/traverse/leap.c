/* leap.c - infima that motions approach, but do not attain, beside zero-inertia points.
 *
 * Just behind p0, s = p - p0, an inequality with delta = delta' s > 0 bounds u by -f / (delta' s)
 * from above. Where f < 0 the integral of that diverges: the fastest solution from x_a at s = e is,
 * by f linear about its zero x0, x = x0 - (x0 - x_a) (e / s)^kappa, kappa = 2 f_x / delta', so that
 * with e towards zero any x below x0 is reached at any s > 0. When no other inequality bounds u at
 * p0 from above, d1 may thus rise from where it is to the end of where f < 0 in an arbitrarily
 * short distance and time, but not in none: the infimum of the time belongs to no motion. In the
 * mirror, d1 falls just before p0, where nothing bounds u from below. Where f < 0 for all greater
 * x, d1 rises without bound.
 *
 * A stretch a..b between two such places, where d1 may rise without bound behind a, fall from there
 * before b, and no region in between bounds d1, takes no time in the limit: of the motions that
 * keep d2 in the middle of its range in between, one passes through every d1 there, all run
 * together towards a and b, and the faster ones need arbitrarily little time.
 *
 * With grid->leaps, the segment behind p0 may lead up, and the one before p0 down, as far as that;
 * x is taken as linear over it. Such a plan is no motion; times of motions come near its time. */
#include "access/rows.h"
#include "traverse/internal.h"

/* Relative difference of x that is rounding of the sets. */
static const double SAME_X = 1e-11;

/* A leap by less than this share is the work of ordinary segments. */
static const double LEAP = 1e-6;

/* End of x's component of {f < 0}, f = alpha x + beta sqrt(x) + gamma; x itself if f >= 0. */
static double end_of_open(const gdyn_inequality *q, double x) {
    gdyn_quadratic f = {q->alpha, q->beta, q->gamma}; /* over t */
    double t = sqrt(x), end = INFINITY, zero[2];
    if (!(gdyn_quadratic_at(f, t) < -LEAP * gdyn_quadratic_size(f, t)))
        return x;
    /* the next zero above t ends the component */
    int zeros = gdyn_quadratic_roots(f, zero);
    for (int i = 0; i < zeros; i++)
        if (zero[i] > t)
            end = fmin(end, zero[i] * zero[i]);
    return end;
}

/* How far x may come beside the place, on the side of `other`, from an island of it: to its end,
 * and further as inequalities allow that bound u there (side +1: from above, -1: below). */
static double greatest_beside(const gdyn_place *place, const gdyn_place *other, int side,
                              const gdyn_island *island) {
    double end = island->to * island->to, most = INFINITY;
    /* above (side +1) inequalities with positive delta bound u, below those with negative */
    for (int k = 0; k < place->inertia.zeros && isfinite(end); k++) {
        gdyn_inequality at, next;
        if (gdyn_place_inequality(place, &place->inertia.zero[k], &at) &&
            gdyn_place_inequality(other, &place->inertia.zero[k], &next) && next.delta * side > 0)
            most = fmin(most, end_of_open(&at, end));
        else if (!gdyn_place_inequality(place, &place->inertia.zero[k], &at))
            most = end;
    }
    return fmax(end, most);
}

/* From which x to which a segment leads by a leap. */
typedef struct span {
    double x_low, x_high;       /* at its beginning */
    double next_low, next_high; /* at its end */
    bool up;
} span;

/* The leap of a segment out of (up) or into an island of the zero-inertia point; false: none. */
static bool leap_of(const gdyn_place *here, const gdyn_place *next, bool up, int island,
                    span *out) {
    const gdyn_place *place = up ? here : next, *other = up ? next : here;
    const gdyn_island *of = &place->region->island[island];
    if (place->inertia.zeros == 0 || (up ? of->upper_count : of->lower_count) > 0)
        return false;
    double low = of->from * of->from, high = of->to * of->to;
    double most = greatest_beside(place, other, up ? 1 : -1, of);
    /* the end of what is open moves on with p: x* knows how far */
    most = isfinite(other->inertia.x_star) && isfinite(most) ? fmax(most, other->inertia.x_star)
                                                             : most;
    *out = up ? (span){low, high, low, most, true} : (span){low, most, low, high, false};
    return true;
}

/* Adds to `set` what of low..high lies in the region. */
static void add_inside(const gdyn_place *place, double low, double high, gdyn_intervals *set) {
    for (int i = 0; i < place->region->island_count; i++) {
        const gdyn_island *island = &place->region->island[i];
        double from = fmax(low, island->from * island->from);
        double to = fmin(high, fmin(island->to * island->to, place->inertia.x_star));
        gdyn_intervals_add(set, from, to, false);
    }
}

/* Upward and downward leaps, from every island, into every interval behind. */
void gdyn_leap_back(gdyn_grid *grid, int i) {
    gdyn_place *here = &grid->place[i], *next = here + 1;
    for (int up = 0; up < 2 && grid->leaps; up++) {
        int islands = (up ? here : next)->region->island_count;
        for (int k = 0; k < islands; k++) {
            span l;
            for (int s = 0; s < next->k.count && leap_of(here, next, up, k, &l); s++) {
                double low = fmax(next->k.low[s], l.next_low);
                double high = fmin(next->k.high[s], l.next_high);
                if (low <= high) {
                    add_inside(here, up ? l.x_low : fmax(l.x_low, low),
                               fmin(up ? fmin(l.x_high, high) : l.x_high, grid->scope.x_cap),
                               &here->k);
                }
            }
        }
    }
}

/* The greatest x' of the next set that one leap reaches from x; -INFINITY: none. */
static double reach(const span *l, const gdyn_intervals *k, double x) {
    double best = -INFINITY, near = SAME_X * x;
    for (int s = 0; s < k->count && x >= l->x_low - near && x <= l->x_high + near; s++) {
        double low = fmax(k->low[s], l->next_low), high = fmin(k->high[s], l->next_high);
        low = l->up ? fmax(low, x) : low;
        high = l->up ? high : fmin(high, x);
        best = low <= high + near ? fmax(best, high) : best;
    }
    return best;
}

/* A leap is taken where it leads farther than the ordinary segment. */
bool gdyn_leap_forward(gdyn_grid *grid, int i, bool found) {
    gdyn_place *here = &grid->place[i], *next = here + 1;
    double best = found ? next->x * (1 + LEAP) : -INFINITY;
    here->leap = 0;
    for (int up = 0; up < 2 && grid->leaps; up++) {
        int islands = (up ? here : next)->region->island_count;
        for (int k = 0; k < islands; k++) {
            span l;
            /* the farthest of all leaps */
            double x = leap_of(here, next, up, k, &l) ? reach(&l, &next->k, here->x) : -INFINITY;
            if (x > best) {
                best = x;
                here->leap = up ? 1 : -1;
            }
        }
    }
    /* u of the leap only draws it: no motion follows it */
    if (here->leap != 0) {
        next->x = fmax(best, 0);
        here->u = here->u_end = (next->x - here->x) / (2 * (next->p - here->p));
    }
    return found || here->leap != 0;
}

/* --- stretches that take no time -------------------------------------------------------------- */

/* Beside place i (side +1: behind, -1: before) d1 may become arbitrarily great. */
static bool opens(const gdyn_grid *grid, int i, int side) {
    const gdyn_place *place = &grid->place[i];
    bool any = false;
    /* no arc on that side, and nothing ends x there */
    for (int k = 0; k < place->region->island_count && place->inertia.zeros > 0; k++) {
        const gdyn_island *island = &place->region->island[k];
        bool free = (side > 0 ? island->upper_count : island->lower_count) == 0;
        any |= free && i + side >= 0 && i + side < grid->count &&
               isinf(greatest_beside(place, place + side, side, island));
    }
    return any;
}

static bool bounded(const gdyn_place *place) {
    int count = place->region->island_count;
    return count == 0 || isfinite(place->region->island[count - 1].to);
}

/* Between two places beside which d1 is unbounded, d1 has no bound at any place between. */
bool gdyn_leap_stretches(gdyn_grid *grid) {
    int from = -1; /* place behind which d1 may be arbitrarily great */
    bool any = false;
    for (int i = 0; i < grid->count; i++) {
        bool ends = bounded(&grid->place[i]);
        bool whole = from >= 0 && ends && opens(grid, i, -1);
        for (int k = from; k < i && whole; k++)
            grid->place[k].timeless = grid->leaps;
        any |= whole;
        grid->place[i].timeless = false;
        from = !ends ? from : opens(grid, i, 1) ? i : -1;
    }
    return any;
}

bool gdyn_leap_unbounded(const gdyn_grid *grid) {
    bool any = false;
    for (int i = 0; i < grid->count; i++)
        any |= bounded(&grid->place[i]) || grid->place[i].inertia.zeros > 0;
    return !any;
}

/* --- what was found --------------------------------------------------------------------------- */

/* The limits of all inequalities whose delta vanishes there. */
static void name_limits(const gdyn_place *zero, gdyn_leap *leap) {
    for (int k = 0; k < zero->inertia.zeros; k++) {
        const gdyn_inequality_sum *of = &zero->inertia.zero[k];
        for (int i = 0; i < of->count; i++)
            gdyn_limit_add(leap->limit, &leap->limit_count, GDYN_ACTIVE_MAX, of->limit[i]);
    }
}

static void take(gdyn_traverse *out, const gdyn_place *a, const gdyn_place *b, double from,
                 double to) {
    if (out->leaps < GDYN_LEAPS_MOST) {
        gdyn_leap *leap = &out->leap[out->leaps++];
        *leap = (gdyn_leap){.p = a->p, .p_end = b->p, .d1_from = from, .d1_to = to};
        name_limits(a, leap);
        name_limits(b, leap);
    }
}

/* Stretches that take no time, then single leaps. */
void gdyn_leap_take(const gdyn_grid *grid, gdyn_traverse *out) {
    for (int i = 0, end; i + 1 < grid->count; i = end > i ? end : i + 1) {
        const gdyn_place *here = &grid->place[i], *next = here + 1;
        for (end = i; grid->place[end].timeless; end++) {
        }
        if (end > i) {
            take(out, here, &grid->place[end], INFINITY, INFINITY);
        } else if (here->leap != 0) {
            const gdyn_place *zero = here->leap > 0 ? here : next;
            take(out, zero, zero, sqrt(here->x), sqrt(next->x));
        }
    }
}
