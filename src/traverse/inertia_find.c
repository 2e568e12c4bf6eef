/* inertia_find.c - search for zero-inertia points (inertia.c) between the places of the grid.
 *
 * Of every inequality that bounds a region, delta is compared from place to place. Where its sign
 * differs it has a zero between them. Where delta is smallest in size at one of three places in a
 * row, it may touch zero, pass it twice, or come so near to it that u is bounded by next to nothing
 * for a short while: between the outer two its smallest size is searched for. A dip that reaches
 * zero within the distance of two places rises by twice the height that is seen of it at least;
 * half of that is asked for, since its slopes may change. What is found becomes a node. */
#include "traverse/internal.h"

#include "linalg/minimum.h"

#include <math.h>

/* Delta relative to its terms that is rounding; share of the segment at which bisection ends. */
static const double DELTA_ZERO = 1e-15, BRACKET_LEAST = 1e-13;

enum { COMBINATIONS = 96, FOUND = 32, STEPS = 60 };
/* Distances of graded nodes, and the smallest of them as a share of the path: a motion may grow
 * with the distance to a small power. */
static const double GRADE = 4, FINEST = 1e-6;
/* Rise of a dip to its higher neighbour, in shares of its height, that makes it worth a search. */
static const double RISE = 1;
/* Slopes of delta within a dip, compared with the mean slope seen from outside. */
static const double STEEPER = 8;
/* A place that is this much nearer to zero than what is known is worth a node. */
static const double LOWER = 0.5;
/* Beside a dip nodes are dense as far as delta stays below this many times its smallest size. */
static const double FLAT = 2;

bool gdyn_place_inequality(const gdyn_place *place, const gdyn_inequality_sum *of,
                           gdyn_inequality *out) {
    return place->found == GDYN_POINT_OK && place->copy.numbers &&
           gdyn_inequality_of(&place->copy.coefficients, of, place->made, out);
}

/* delta of a place whose region is not made yet. */
static double delta_at(const gdyn_place *place, const gdyn_inequality_sum *of) {
    gdyn_inequality at;
    bool there = place->found == GDYN_POINT_OK && place->copy.numbers;
    return there && gdyn_inequality_of(&place->copy.coefficients, of, 0, &at) ? at.delta : NAN;
}

/* Known at this place already. */
static bool noted(const gdyn_place *place, const gdyn_inequality_sum *of) {
    bool known = false;
    for (int i = 0; i < place->inertia.zeros + place->inertia.dips && !known; i++)
        known = gdyn_combination_same(&place->inertia.zero[i], of);
    return known;
}

/* Inequalities whose delta vanishes stand first, then those with a dip. */
static gdyn_status note(gdyn_place *place, const gdyn_inequality_sum *of, bool vanishes) {
    /* a combination is listed once */
    if (noted(place, of))
        return GDYN_OK;
    int count = place->inertia.zeros + place->inertia.dips;
    gdyn_inequality_sum *grown =
        gdyn_realloc(place->inertia.zero, (size_t)count + 1, sizeof *place->inertia.zero);
    if (!grown)
        return GDYN_ERROR_MEMORY;
    place->inertia.zero = grown;
    /* zeros stay in front of dips */
    grown[count] = vanishes ? grown[place->inertia.zeros] : *of;
    if (vanishes)
        grown[place->inertia.zeros++] = *of;
    else
        place->inertia.dips++;
    place->inertia.graded = false;
    return GDYN_OK;
}

/* Between a and b, where delta has different signs: regula falsi (Illinois), delta linear in p in a
 * single step; NAN when the inequality does not exist on the way. */
static gdyn_status locate(gdyn_grid *grid, const gdyn_inequality_sum *of, double a, double fa,
                          double b, double fb, double *p) {
    double width = fabs(b - a);
    int side = 0;
    *p = NAN;
    for (int i = 0; i < STEPS; i++) {
        const gdyn_coefficients *q;
        gdyn_point_status found;
        gdyn_inequality at;
        /* the secant, or the middle where it leaves the bracket */
        double c = (a * fb - b * fa) / (fb - fa);
        c = c > fmin(a, b) && c < fmax(a, b) ? c : 0.5 * (a + b);
        gdyn_status status = gdyn_path_dynamics_at(grid->dynamics, c, &q, &found);
        if (status != GDYN_OK || found != GDYN_POINT_OK || !gdyn_inequality_of(q, of, 0, &at))
            return status;
        if (fabs(at.delta) <= DELTA_ZERO * at.size || fabs(b - a) <= BRACKET_LEAST * width) {
            *p = c;
            return GDYN_OK;
        }
        /* Illinois: the end that stays twice counts half */
        if ((at.delta > 0) == (fb > 0)) {
            b = c, fb = at.delta;
            fa *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            a = c, fa = at.delta;
            fb *= side == -1 ? 0.5 : 1;
            side = -1;
        }
        *p = c;
    }
    return GDYN_OK;
}

/* What was found between places. */
typedef struct findings {
    int count;
    double p[FOUND];
    bool vanishes[FOUND];
    gdyn_inequality_sum of[FOUND];
} findings;

/* Found between places: becomes a node later. */
static void keep(findings *out, const gdyn_inequality_sum *of, double p, bool vanishes) {
    out->of[out->count] = *of;
    out->vanishes[out->count] = vanishes;
    out->p[out->count++] = p;
}

/* One inequality between place i and the next. */
static gdyn_status watch_sign(gdyn_grid *grid, int i, const gdyn_inequality_sum *of,
                              findings *out) {
    gdyn_place *here = &grid->place[i], *next = here + 1;
    gdyn_inequality a, b;
    if (!gdyn_place_inequality(here, of, &a) || !gdyn_place_inequality(next, of, &b))
        return GDYN_OK;
    /* a zero at a place itself belongs to it */
    bool here_zero = gdyn_inequality_vanishes(&a), next_zero = gdyn_inequality_vanishes(&b);
    if (here_zero || next_zero)
        return here_zero == next_zero ? GDYN_OK : note(here_zero ? here : next, of, true);
    /* the same sign on both sides: none, or two that watch_dip finds */
    if ((a.delta > 0) == (b.delta > 0) || out->count == FOUND)
        return GDYN_OK;
    double p;
    gdyn_status status = locate(grid, of, here->p, a.delta, next->p, b.delta, &p);
    if (status == GDYN_OK && !isnan(p))
        keep(out, of, p, true);
    return status;
}

/* delta of an inequality with its sign turned so that it is positive at a known place. */
typedef struct descent {
    gdyn_grid *grid;
    const gdyn_inequality_sum *of;
    int sign;
    gdyn_status status;
    gdyn_inequality least; /* the one with the smallest delta so far */
} descent;

/* delta along the path times the descent's sign; INFINITY where there is no inequality. */
static double height(void *context, double p) {
    descent *d = context;
    const gdyn_coefficients *q;
    gdyn_point_status found;
    gdyn_inequality at;
    gdyn_status status = gdyn_path_dynamics_at(d->grid->dynamics, p, &q, &found);
    d->status = d->status != GDYN_OK ? d->status : status;
    if (status != GDYN_OK || found != GDYN_POINT_OK || !gdyn_inequality_of(q, d->of, 0, &at))
        return INFINITY;
    /* the inequality at the smallest value is kept */
    if (d->least.size == 0 || d->sign * at.delta < d->sign * d->least.delta)
        d->least = at;
    return d->sign * at.delta;
}

/* delta is smallest in size at the middle of these places and rises enough to another. */
static bool dips(const gdyn_inequality *before, const gdyn_inequality *at,
                 const gdyn_inequality *after, double *rise) {
    double a = fabs(before->delta), b = fabs(at->delta), c = fabs(after->delta);
    bool alike = before->delta * at->delta > 0 && at->delta * after->delta > 0;
    *rise = fmax(a, c) - b;
    return alike && b <= a && b <= c && *rise >= RISE * b;
}

/* One inequality around place i. */
static gdyn_status watch_dip(gdyn_grid *grid, int i, const gdyn_inequality_sum *of, findings *out) {
    gdyn_place *here = &grid->place[i];
    gdyn_inequality a, b, c;
    double rise;
    if (i == 0 || i + 1 == grid->count || out->count == FOUND || noted(here, of) ||
        !gdyn_place_inequality(here - 1, of, &a) || !gdyn_place_inequality(here, of, &b) ||
        !gdyn_place_inequality(here + 1, of, &c) || !dips(&a, &b, &c, &rise))
        return GDYN_OK;
    /* the sign with which delta is positive here */
    descent d = {.grid = grid, .of = of, .sign = b.delta > 0 ? 1 : -1};
    double from = here[-1].p, to = here[1].p;
    /* smallest delta between the outer places */
    double steepest = STEEPER * rise / fmin(here->p - from, to - here->p);
    gdyn_minimum m = gdyn_golden_section(height, &d, from, to, steepest);
    if (d.status == GDYN_OK && m.value < LOWER * fabs(b.delta)) {
        keep(out, of, m.x, m.value >= 0 && gdyn_inequality_vanishes(&d.least));
        return GDYN_OK;
    }
    return d.status == GDYN_OK ? note(here, of, false) : d.status;
}

/* Adds the combinations of a region that are not in the list yet. */
static int add_combinations(const gdyn_region *region, gdyn_inequality_sum *list, int count) {
    int end = count + gdyn_combinations_of(region, list + count, COMBINATIONS), known = count;
    for (int i = known; i < end; i++) {
        bool there = false;
        for (int k = 0; k < known && !there; k++)
            there = gdyn_combination_same(&list[k], &list[i]);
        if (!there)
            list[count++] = list[i];
    }
    return count;
}

/* All combinations of two neighbouring places, and for dips of three. */
static gdyn_status watch(gdyn_grid *grid, int i, findings *out) {
    gdyn_inequality_sum list[3 * COMBINATIONS];
    gdyn_place *here = &grid->place[i], *next = here + 1;
    int both = add_combinations(next->region, list, add_combinations(here->region, list, 0));
    int count = i > 0 ? add_combinations(here[-1].region, list, both) : both;
    gdyn_status status = GDYN_OK;
    for (int k = 0; k < both && status == GDYN_OK; k++)
        status = watch_sign(grid, i, &list[k], out);
    for (int k = 0; k < count && status == GDYN_OK; k++)
        status = watch_dip(grid, i, &list[k], out);
    here->inertia.watched = true;
    return status;
}

/* --- dense nodes around them ------------------------------------------------------------------ */

/* Between these places every delta that has a dip at the first one stays next to its smallest size;
 * zeros are never left that far behind. */
static bool flat(const gdyn_place *from, const gdyn_place *to) {
    bool all = from->inertia.zeros == 0;
    for (int k = 0; k < from->inertia.dips && all; k++) {
        double least = fabs(delta_at(from, &from->inertia.zero[k]));
        all = fabs(delta_at(to, &from->inertia.zero[k])) <= FLAT * least;
    }
    return all;
}

/* Nodes from place p towards p + h, at distances that shrink by the same factor. */
static gdyn_status grade_side(gdyn_grid *grid, double p, double h) {
    double length = grid->place[grid->count - 1].p - grid->place[0].p;
    gdyn_status status = GDYN_OK;
    bool near = false;
    /* nearer and nearer, until delta changes little between neighbours */
    for (h /= GRADE; status == GDYN_OK && fabs(h) > FINEST * length && !near; h /= GRADE) {
        int at, from;
        status = gdyn_grid_node(grid, p + h, &at);
        if (status == GDYN_OK)
            status = gdyn_grid_node(grid, p, &from);
        if (status == GDYN_OK)
            status = gdyn_grid_node(grid, p + h, &at);
        near = status == GDYN_OK && flat(&grid->place[from], &grid->place[at]);
    }
    return status;
}

/* Where nothing else bounds u, motions change like powers of the distance from the place, and
 * beside a dip the bound of u changes fast: nodes are dense on both sides. */
static gdyn_status grade(gdyn_grid *grid, int *inserted) {
    /* first collected: new nodes move the places */
    double p[FOUND], beside[FOUND][2];
    int count = 0, before = grid->count;
    for (int i = 0; i < grid->count && count < FOUND; i++) {
        gdyn_place *place = &grid->place[i];
        /* u is bounded by nothing there, or by less than beside it */
        bool wide = place->inertia.zeros > 0 && place->region->d2_unbounded;
        if (place->inertia.graded || !(wide || place->inertia.dips > 0))
            continue;
        place->inertia.graded = true;
        p[count] = place->p;
        beside[count][0] = i > 0 ? place[-1].p : place->p;
        beside[count++][1] = i + 1 < grid->count ? place[1].p : place->p;
    }
    gdyn_status status = GDYN_OK;
    /* then both sides of each */
    for (int i = 0; i < 2 * count && status == GDYN_OK; i++)
        status = grade_side(grid, p[i / 2], beside[i / 2][i % 2] - p[i / 2]);
    *inserted += grid->count - before;
    return status;
}

gdyn_status gdyn_inertia_find(gdyn_grid *grid, int *inserted) {
    findings found = {0};
    gdyn_status status = GDYN_OK;
    *inserted = 0;
    for (int i = 0; i + 1 < grid->count && status == GDYN_OK && found.count < FOUND; i++)
        if (!grid->place[i].inertia.watched)
            status = watch(grid, i, &found);
    for (int i = 0; i < found.count && status == GDYN_OK; i++) {
        int before = grid->count, at;
        status = gdyn_grid_node(grid, found.p[i], &at);
        if (status == GDYN_OK)
            status = note(&grid->place[at], &found.of[i], found.vanishes[i]);
        *inserted += grid->count - before;
    }
    return status == GDYN_OK ? grade(grid, inserted) : status;
}
