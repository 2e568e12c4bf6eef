/* between.c - coefficients between the places of a grid, where they are smooth.
 *
 * Through six places around a segment leads a polynomial of degree five for every number. In the
 * middle of the segment it is compared with the coefficients there: where the difference changes no
 * force, limit or share of a speed limit by more than 1e-9 of half a range, the polynomial of
 * degree six through all seven places gives the other parts of the segment. Its error is smaller by
 * the way to the middle, over seven times the length in which the coefficients change. Longer
 * segments, and those where the first comparison fails, are compared at two more parts, which join
 * as well. So it is not with redundant drives (the columns of V have no continuous basis), across
 * stops, breaks and knots of the path, and where the compared parts are more than a thousandth of
 * the path apart: a bump narrower than that may be missed. */
#include "traverse/internal.h"

#include "access/rows.h"

#include <math.h>

/* Parts compared, in this order, and the longest segments (shares of the path) they suffice for. */
enum { AROUND = 6, COMPARED = 3, MOST = AROUND + COMPARED };
static const int compared[COMPARED] = {5, 2, 8};
static const double CLOSE[COMPARED] = {2e-3, 2e-3, 1e-2 / 3};
static const double ALLOWED = 1e-9;
/* Places this near to another one (share of the segment) are not used: differences would be
 * rounding. Knots this near to the end of a stencil (share of the path) are that end. */
static const double APART = 0.2, AT_END = 1e-9;

/* Places and their coefficients: six, then the compared parts. */
typedef struct stencil {
    int places;
    double p[MOST];
    const gdyn_copy *copy[MOST];
} stencil;

/* Numbers that can be interpolated between both. */
static bool alike(const gdyn_coefficients *a, const gdyn_coefficients *b) {
    return a->k == b->k && !a->min_slope == !b->min_slope && !a->max_slope == !b->max_slope &&
           !a->A_error == !b->A_error && a->d1_low == b->d1_low &&
           a->d1_low_window == b->d1_low_window && a->d1_high_window == b->d1_high_window;
}

/* The next place from i on in that direction which may join the stencil; -1: there is none. */
static int neighbour(const gdyn_grid *grid, int i, int direction, double apart) {
    const gdyn_place *from = &grid->place[i];
    for (i += direction; i >= 0 && i < grid->count; i += direction) {
        const gdyn_place *place = &grid->place[i];
        if (!place->copy.numbers || !alike(&place->copy.coefficients, &from->copy.coefficients))
            return -1;
        if (fabs(place->p - from->p) >= apart)
            return i;
    }
    return -1;
}

/* Six places around the segment behind place i, nearest first; false: there are none. */
static bool surround(const gdyn_grid *grid, int i, stencil *s) {
    const gdyn_path_dynamics *d = grid->dynamics;
    const gdyn_place *place = grid->place;
    double way = gdyn_path_dynamics_last(d) - gdyn_path_dynamics_first(d), near = AT_END * way;
    double length = place[i + 1].p - place[i].p;
    const gdyn_coefficients *q = &place[i].copy.coefficients;
    if (!(length <= CLOSE[COMPARED - 1] * way) || !place[i].copy.numbers ||
        !place[i + 1].copy.numbers || q->r > 0 || q->equalities > 0 ||
        !alike(q, &place[i + 1].copy.coefficients) ||
        gdyn_path_dynamics_bends(d, place[i].p, place[i + 1].p, -near))
        return false;
    int end[2] = {i, i + 1}, next[2];
    for (int side = 0; side < 2; side++) {
        s->p[side] = place[end[side]].p;
        s->copy[side] = &place[end[side]].copy;
        next[side] = neighbour(grid, end[side], side ? 1 : -1, APART * length);
    }
    /* the nearer one of both sides joins, up to the first bend */
    for (s->places = 2; s->places < AROUND;) {
        double before = next[0] >= 0 ? place[i].p - place[next[0]].p : INFINITY;
        double behind = next[1] >= 0 ? place[next[1]].p - place[i + 1].p : INFINITY;
        int side = behind < before, at = next[side];
        if (at < 0)
            return false;
        double from = place[side ? end[1] : at].p, to = place[side ? at : end[0]].p;
        if (gdyn_path_dynamics_bends(d, from, to, -near)) {
            next[side] = -1;
            continue;
        }
        s->p[s->places] = place[at].p;
        s->copy[s->places++] = &place[at].copy;
        end[side] = at;
        next[side] = neighbour(grid, at, side ? 1 : -1, APART * length);
    }
    return true;
}

/* Coefficients at p by the polynomial through all places of the stencil. */
static gdyn_status interpolate(const stencil *s, double p, gdyn_copy *out) {
    double share[MOST], *n, high = 0;
    int places = s->places;
    gdyn_status status = gdyn_copy_take(out, &s->copy[0]->coefficients);
    if (status != GDYN_OK)
        return status;
    /* Lagrange's polynomials */
    for (int j = 0; j < places; j++) {
        share[j] = 1;
        for (int l = 0; l < places; l++)
            share[j] *= l == j ? 1 : (p - s->p[l]) / (s->p[j] - s->p[l]);
        high += share[j] / s->copy[j]->coefficients.d1_high;
    }
    /* a limit that does not exist is infinite at all places */
    n = out->numbers;
    for (size_t i = 0; i < out->size; i++)
        n[i] *= share[0];
    for (int j = 1; j < places; j++) {
        const double *from = s->copy[j]->numbers;
        for (size_t i = 0; i < out->size; i++)
            n[i] += share[j] * from[i];
    }
    for (size_t i = 0; i < out->size; i++)
        n[i] = isfinite(n[i]) ? n[i] : s->copy[0]->numbers[i];
    out->coefficients.d1_high = 1 / high;
    return GDYN_OK;
}

/* Difference of row i; NULL: zeros. */
static double difference(const double *a, const double *b, int i) {
    return a && a[i] != b[i] ? fabs(a[i] - b[i]) : 0;
}

/* Both change nothing by more than ALLOWED at these speeds and accelerations. */
static bool agree(const gdyn_coefficients *a, const gdyn_coefficients *b, double d1, double d2) {
    if (!alike(a, b) || !(fabs(1 / a->d1_high - 1 / b->d1_high) * d1 <= ALLOWED))
        return false;
    for (int i = 0; i < a->k; i++) {
        double speed = difference(a->B, b->B, i) + difference(a->min_slope, b->min_slope, i) +
                       difference(a->max_slope, b->max_slope, i);
        double force = difference(a->C, b->C, i) + difference(a->min, b->min, i) +
                       difference(a->max, b->max, i) + difference(a->D, b->D, i) * d2;
        if (!((difference(a->A, b->A, i) * d1 + speed) * d1 + force <=
              ALLOWED * gdyn_unit_at(a, i)))
            return false;
    }
    return true;
}

/* Compares the polynomial with the coefficients at a part (to the stencil); false: not ALLOWED. */
static gdyn_status compare(gdyn_grid *grid, const gdyn_place *here, double p, stencil *s,
                           gdyn_copy *part, bool *same) {
    const gdyn_place *next = here + 1;
    const gdyn_coefficients *q;
    gdyn_point_status found;
    gdyn_copy trial = {0};
    *same = false;
    gdyn_status status = gdyn_path_dynamics_at(grid->dynamics, p, &q, &found);
    if (status != GDYN_OK || found != GDYN_POINT_OK)
        return status;
    status = gdyn_copy_take(part, q);
    if (status == GDYN_OK)
        status = interpolate(s, p, &trial);
    /* the motion may still change: with room */
    double d1 = 1.5 * sqrt(gdyn_greater(here->x, next->x)), unit = here->region->d2_unit;
    double d2 = 2 * gdyn_greater(fabs(here->u), fabs(here->u_end));
    *same = status == GDYN_OK && agree(&part->coefficients, &trial.coefficients, d1,
                                       isfinite(unit) ? gdyn_greater(d2, unit) : d2);
    gdyn_copy_free(&trial);
    s->p[s->places] = p;
    s->copy[s->places++] = part;
    return status;
}

gdyn_status gdyn_between_places(gdyn_grid *grid, int i, const double *p, gdyn_copy *part) {
    const gdyn_path_dynamics *d = grid->dynamics;
    double way = gdyn_path_dynamics_last(d) - gdyn_path_dynamics_first(d);
    double length = p[GDYN_AUDIT_PARTS] - p[0];
    gdyn_status status = GDYN_OK;
    bool smooth = false;
    stencil s;
    if (!surround(grid, i, &s))
        return GDYN_OK;
    for (int n = 0; n < COMPARED && status == GDYN_OK && !smooth; n++) {
        int j = compared[n], places = s.places;
        status = compare(grid, &grid->place[i], p[j], &s, &part[j - 1], &smooth);
        if (s.places == places) /* the machine cannot be there */
            return status;
        smooth = smooth && length <= CLOSE[n] * way;
    }
    for (int j = 1; j < GDYN_AUDIT_PARTS && status == GDYN_OK && smooth; j++)
        if (!part[j - 1].numbers)
            status = interpolate(&s, p[j], &part[j - 1]);
    return status;
}
