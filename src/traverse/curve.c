/* curve.c - motions along which the drives have no choice: d1 determines d2.
 *
 * Where fewer drives than freedoms leave an equation between d1 and d2, x = d1^2 obeys the
 * differential equation dx/dp = 2 d2(p, x), and only its start is free. Solutions do not cross, so
 * that all starts that keep the limits are one interval of x, and the greatest of them gives the
 * least time; a wanted speed at the end belongs to one start. The equation is integrated by Heun's
 * method on the places of the grid; the difference from every second place is the error of the
 * time. */
#include "traverse/internal.h"

#include "linalg/minimum.h"

#include <math.h>

/* Relative error of the end speed that counts as met: the integration is no more accurate. */
static const double END_MISSED = 1e-6;

static const double NEAR = 1e-9; /* of an island's ends, relative */

/* Where a solution leaves what is accessible. */
typedef enum side { BELOW = -1, INSIDE = 0, ABOVE = 1 } side;

static side acceleration(const gdyn_place *place, double x, double *u) {
    const gdyn_region *region = place->region;
    double d1 = sqrt(fmax(x, 0)), low, high;
    /* an empty region is below everything */
    if (region->island_count == 0)
        return BELOW;
    const gdyn_island *last = &region->island[region->island_count - 1];
    /* a speed beyond an island's end by rounding is that end */
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        d1 = d1 < island->from && d1 > island->from * (1 - NEAR) ? island->from : d1;
        d1 = d1 > island->to && d1 < island->to * (1 + NEAR) ? island->to : d1;
    }
    /* outside: the side decides where to search */
    if (x < 0 || !gdyn_region_slice(region, d1, &low, &high))
        return d1 > last->to ? ABOVE : BELOW;
    *u = 0.5 * (low + high);
    return isfinite(*u) ? INSIDE : BELOW;
}

/* From x at the first place, over every `step`-th one; *at: where it ends. Stores the motion when
 * asked to. */
static side march(gdyn_grid *grid, double x, int step, bool store, double *time, double *end,
                  int *at) {
    double u0, u1;
    side where = acceleration(&grid->place[0], x, &u0);
    *time = 0;
    *at = 0;
    for (int i = 0; i + 1 < grid->count && where == INSIDE;) {
        int k = i + step < grid->count ? i + step : grid->count - 1;
        gdyn_place *here = &grid->place[i], *next = &grid->place[k];
        /* Heun's method: a step with u0, then with the mean of u at both ends */
        double h = next->p - here->p, before = x;
        where = acceleration(next, x + 2 * h * u0, &u1);
        if (where == INSIDE) {
            x = x + h * (u0 + u1);
            where = acceleration(next, x, &u1);
        }
        if (store) {
            here->x = before;
            here->u = u0;
            here->u_end = (x - before) / h - u0;
            next->x = x;
            next->u = next->u_end = u1;
        }
        /* time of a segment with linear u: 2 h / (v0 + v1) */
        *time += 2 * h / (sqrt(before) + sqrt(fmax(x, 0)));
        *at = i = k;
        u0 = u1;
    }
    *end = x;
    return where;
}

typedef struct wish {
    gdyn_grid *grid;
    double end;
} wish;

/* 1 where the solution from x leaves what is accessible upwards, or ends above what is wanted. */
static double too_fast(void *context, double x) {
    const wish *w = context;
    double time, end;
    int at;
    side where = march(w->grid, x, 1, false, &time, &end, &at);
    return where == ABOVE || (where == INSIDE && end > w->end) ? 1 : -1;
}

/* Greatest start below `high` from which the solution stays below what is accessible and below the
 * wanted end: solutions do not cross. */
static double greatest_start(gdyn_grid *grid, double low, double high, double wanted) {
    wish w = {grid, wanted};
    double within, x = gdyn_bisect(too_fast, &w, low, high, 1, &within);
    return fmax(x - 2 * within, low);
}

/* Where equalities give d2, the motion solves an ordinary differential equation. */
gdyn_status gdyn_curve_make(gdyn_grid *grid, gdyn_plan *plan) {
    const gdyn_traverse_settings *s = &grid->settings;
    const gdyn_region *first = grid->place[0].region;
    double low = first->island[0].from, high = first->island[first->island_count - 1].to;
    double cap = sqrt(grid->scope.x_cap), start = s->start_speed * s->start_speed, end, other;
    double wanted = isnan(s->end_speed) ? INFINITY : s->end_speed * s->end_speed;
    /* no motion until one is found */
    plan->given = true;
    plan->status = GDYN_TRAVERSE_CURVE;
    plan->at = 0;
    if (s->periodic)
        return GDYN_OK;
    /* solutions do not cross, so the greatest start that keeps all limits is the fastest */
    high = fmin(high, cap);
    if (isnan(start))
        start = greatest_start(grid, low * low, high * high, wanted);
    /* that solution, stored in the places */
    if (march(grid, start, 1, true, &plan->time, &end, &plan->at) != INSIDE)
        return GDYN_OK;
    /* a wanted end speed must be met */
    double scale = fmax(start, end);
    if (isfinite(wanted) && fabs(end - wanted) > END_MISSED * scale)
        return GDYN_OK;
    /* every other place only: the difference is the error of the integration */
    int stop;
    side coarse = march(grid, start, 2, false, &other, &end, &stop);
    plan->doubt = coarse == INSIDE ? fabs(other - plan->time) : plan->time;
    plan->status = isfinite(plan->time) ? GDYN_TRAVERSE_OK : GDYN_TRAVERSE_REST;
    return GDYN_OK;
}
