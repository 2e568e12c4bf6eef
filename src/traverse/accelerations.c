/* accelerations.c - the range of d2 that motions of the grid may use.
 *
 * Where the drives' inertia passes through zero, u = d2 is unbounded at one place and bounded
 * beside it: a motion linear in between would leave the limits. No place goes beyond twice what its
 * neighbours can, and beside a place without bound segments let only a small share of x through. */
#include "traverse/internal.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Of x, in a segment beside a place where d2 is unbounded. */
static const double SHARE_BESIDE = 0.02;

/* Largest |u| of a place at the ends of its cells, as far as speeds matter. */
static double greatest_acceleration(const gdyn_place *place, double x_top) {
    double most = 0;
    for (int c = 0; c < place->cells.count; c++) {
        const gdyn_strip *cell = &place->cells.cell[c];
        /* at both ends: |u| is convex over x */
        double x[2] = {cell->x_low, gdyn_lesser(cell->x_high, gdyn_greater(x_top, cell->x_low))};
        for (int i = 0; i < 2; i++) {
            /* the cell's range of u there; most have one line on each side */
            bool simple = cell->up.count == 1 && cell->low.count == 1;
            double up = simple ? cell->up.a[0] * x[i] + cell->up.c[0] : INFINITY;
            double low = simple ? cell->low.a[0] * x[i] + cell->low.c[0] : -INFINITY;
            for (int k = 0; !simple && k < cell->up.count; k++)
                up = gdyn_lesser(up, cell->up.a[k] * x[i] + cell->up.c[k]);
            for (int k = 0; !simple && k < cell->low.count; k++)
                low = gdyn_greater(low, cell->low.a[k] * x[i] + cell->low.c[k]);
            most = gdyn_greater(most, gdyn_greater(fabs(up), fabs(low)));
        }
    }
    return most;
}

/* Beside a place without bound d2 grows like 1/distance, and x would change as much in the last
 * segment, however short. A segment lets only a small share of the x of the limits here through. */
static double most_beside(const gdyn_grid *grid, int i) {
    const gdyn_place *place = &grid->place[i];
    double x = grid->scope.d1_top * grid->scope.d1_top, unit = place->region->d1_unit;
    double before = i > 0 ? place->p - place[-1].p : 0;
    double h = fmax(before, i + 1 < grid->count ? place[1].p - place->p : 0);
    x = unit > 0 && isfinite(unit) ? unit * unit : x;
    return SHARE_BESIDE * x / h;
}

/* The middle one of the largest accelerations of all places. */
static gdyn_status usual_acceleration(const gdyn_grid *grid, double *usual) {
    double *u = gdyn_alloc((size_t)grid->count, sizeof *u);
    if (!u)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < grid->count; i++)
        u[i] = grid->place[i].inertia.u_met;
    qsort(u, (size_t)grid->count, sizeof *u, gdyn_ascending);
    *usual = u[grid->count / 2];
    gdyn_free(u);
    return GDYN_OK;
}

/* From a place on, as far as more is possible; what is usual on the path does no harm. */
static void limit_beside(gdyn_grid *grid, int i, int step, double usual) {
    for (; i >= 0 && i < grid->count; i += step) {
        gdyn_place *place = &grid->place[i];
        double most = fmax(most_beside(grid, i), 2 * usual);
        if (!(place->inertia.u_met > most))
            return;
        place->inertia.u_most = fmin(place->inertia.u_most, most);
    }
}

/* Speeds at which neighbours are compared, in shares of the largest that matters. */
static const double SPEED[] = {0, 0.2, 0.5, 0.8};
enum { SPEEDS = sizeof SPEED / sizeof *SPEED };

/* What bounds d2 at a place, at these speeds. */
typedef struct bounds_at {
    int place;
    gdyn_sides at[SPEEDS];
} bounds_at;

static const bounds_at *look(const gdyn_grid *grid, int i, bounds_at known[2]) {
    bounds_at *here = &known[i % 2];
    for (int k = 0; here->place != i && k < SPEEDS; k++)
        here->at[k] = gdyn_grid_sides(&grid->place[i], SPEED[k] * grid->scope.d1_top);
    here->place = i;
    return here;
}

/* At some speed up to the largest that matters; known: of the last two places looked at. */
static bool turns_here(const gdyn_grid *grid, int i, bounds_at known[2]) {
    const bounds_at *here = look(grid, i, known), *next = look(grid, i + 1, known);
    bool turns = false;
    for (int k = 0; k < SPEEDS && !turns; k++)
        turns = gdyn_sides_turn(here->at[k], next->at[k]);
    return turns;
}

/* From the segment behind place i in both directions; *usual is NAN until it is needed. */
static gdyn_status limit_around(gdyn_grid *grid, int i, double *usual) {
    gdyn_status status = isnan(*usual) ? usual_acceleration(grid, usual) : GDYN_OK;
    if (status == GDYN_OK) {
        limit_beside(grid, i, -1, *usual);
        limit_beside(grid, i + 1, 1, *usual);
    }
    return status;
}

gdyn_status gdyn_grid_bound_accelerations(gdyn_grid *grid) {
    double x_top = grid->scope.d1_top * grid->scope.d1_top, usual = NAN;
    bounds_at known[2] = {{.place = -1}, {.place = -1}};
    gdyn_status status = GDYN_OK;
    bool follows = gdyn_grid_follows(grid);
    /* largest |u| that the limits allow at each place */
    for (int i = 0; i < grid->count; i++) {
        grid->place[i].inertia.u_met = greatest_acceleration(&grid->place[i], x_top);
        grid->place[i].inertia.u_most = INFINITY;
    }
    /* where the neighbours stay far below it, u is limited to twice theirs */
    for (int i = 0; i < grid->count && status == GDYN_OK; i++) {
        gdyn_place *place = &grid->place[i];
        if (place->inertia.zeros > 0 || (i + 1 < grid->count && place[1].inertia.zeros > 0))
            continue;
        double before = i > 0 && isfinite(place[-1].inertia.u_met) ? place[-1].inertia.u_met : 0;
        double after =
            i + 1 < grid->count && isfinite(place[1].inertia.u_met) ? place[1].inertia.u_met : 0;
        double most = 2 * fmax(before, after);
        if (place->inertia.u_met > most && most > 0 && (!follows || isinf(place->inertia.u_met)))
            place->inertia.u_most = fmin(place->inertia.u_most, most);
        if (i + 1 < grid->count && (isinf(place->inertia.u_met) || turns_here(grid, i, known)))
            status = limit_around(grid, i, &usual);
    }
    /* the limits as lines of all cells */
    for (int i = 0; i < grid->count && status == GDYN_OK; i++) {
        gdyn_place *place = &grid->place[i];
        for (int c = 0; isfinite(place->inertia.u_most) && c < place->cells.count; c++) {
            gdyn_strip_add(&place->cells.cell[c], 0, 1, -place->inertia.u_most);
            gdyn_strip_add(&place->cells.cell[c], 0, -1, -place->inertia.u_most);
            place->cells.scoped = true;
        }
    }
    return status;
}
