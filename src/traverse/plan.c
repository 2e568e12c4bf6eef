/* plan.c - controllable sets backward, the fastest motion forward, on the places of a grid.
 *
 * The controllable set K_i holds all x = d1^2 from which the end of the path can be reached; it is
 * a union of intervals, one interval where regions are convex in (x, u). Forward, the greatest x'
 * in the next set is taken, and the greatest m that leads there (segment.c): of two possible
 * motions the pointwise faster one is possible too, since u may jump where they cross. Source of
 * the two passes: Pham, Pham 2018 (reachability); there with constant u, here of second order, on
 * exact regions with redundant drives, viscous terms and islands. */
#include "traverse/internal.h"
#include "linalg/minimum.h"

#include <math.h>

/* Relative differences of x that are rounding: of an end of a cell, of a member of a set. */
static const double AT_CELL_END = 1e-12, SAME_X = 1e-11;
/* Relative change of the start at which periodic motions converged; loss of speed by rounding. */
static const double PERIODIC_ERROR = 1e-13, SAME_PERIOD = 1e-12;
/* Rounds of a periodic motion, backward and forward. */
enum { ROUNDS = 100 };

/* --- backward --------------------------------------------------------------------------------- */

/* Backward pass; -1 or the place whose controllable set is empty. */
static gdyn_status backward(gdyn_grid *grid, const gdyn_intervals *within, int *blocked) {
    /* the set of all x at the last place that the end allows */
    gdyn_place *last = &grid->place[grid->count - 1];
    double v = grid->settings.end_speed, x = v * v;
    last->k.count = 0;
    last->k.lost = within && within->lost;
    for (int c = 0; c < last->cells.count; c++) {
        const gdyn_strip *cell = &last->cells.cell[c];
        double near = AT_CELL_END * cell->x_high;
        if (within) {
            /* periodic motions prescribe a set */
            gdyn_intervals_add_part(&last->k, within, cell->x_low, cell->x_high, false);
        } else if (isnan(v) || grid->settings.periodic) {
            /* any speed of the cell */
            gdyn_intervals_add(&last->k, cell->x_low, cell->x_high, false);
        } else if (x >= cell->x_low - near && x <= cell->x_high + near) {
            gdyn_intervals_add(&last->k, x, x, false);
        }
    }
    gdyn_intervals_limit(&last->k, last->inertia.x_star);
    *blocked = grid->place[grid->count - 1].k.count ? -1 : grid->count - 1;
    for (int i = grid->count - 2; i >= 0 && *blocked < 0; i--) {
        gdyn_status status = gdyn_segment_back(grid, i);
        if (status != GDYN_OK)
            return status;
        *blocked = grid->place[i].k.count ? -1 : i;
    }
    for (int i = 0; i < *blocked; i++)
        grid->place[i].k.count = 0;
    /* what was dropped might lead on */
    return *blocked >= 0 && grid->place[*blocked].k.lost ? GDYN_ERROR_NUMERIC : GDYN_OK;
}

/* --- forward ---------------------------------------------------------------------------------- */

/* Forward pass from x at the first place. Ends in status OK, or at a place where it fails. */
static gdyn_status forward(gdyn_grid *grid, double x, gdyn_plan *plan) {
    gdyn_place *place = grid->place;
    place[0].x = x;
    plan->time = 0;
    plan->status = GDYN_TRAVERSE_OK;
    for (int i = 0; i + 1 < grid->count; i++) {
        bool found;
        /* the greatest next x; time as of a Bezier segment */
        gdyn_status status = gdyn_segment_forward(grid, i, &found);
        if (status != GDYN_OK)
            return status;
        plan->time +=
            found ? gdyn_segment_time(gdyn_segment_length(grid, i), &place[i], &place[i + 1])
                  : INFINITY;
        /* stands still for ever, or no segment leads on */
        if (isinf(plan->time)) {
            plan->status = found ? GDYN_TRAVERSE_REST : GDYN_TRAVERSE_BLOCKED;
            plan->at = i;
            return GDYN_OK;
        }
    }
    place[grid->count - 1].u = place[grid->count - 1].u_end = place[grid->count - 2].u_end;
    return GDYN_OK;
}

/* Speeds at both ends that agree: K at the end shrinks to K at the start, then the greatest start
 * that comes back at least as fast is found. */
static gdyn_status periodic(gdyn_grid *grid, gdyn_plan *plan) {
    gdyn_intervals set = gdyn_intervals_of(0, grid->scope.x_cap);
    int blocked = -1;
    gdyn_place *first = grid->place, *last = &grid->place[grid->count - 1];
    /* backward until the sets of both ends agree */
    for (int round = 0; round < ROUNDS; round++) {
        gdyn_status status = backward(grid, &set, &blocked);
        if (status != GDYN_OK || blocked >= 0) {
            plan->status = GDYN_TRAVERSE_BLOCKED;
            plan->at = blocked;
            return status;
        }
        double change = fabs(gdyn_intervals_top(&set) - gdyn_intervals_top(&first->k));
        double limit = PERIODIC_ERROR * gdyn_intervals_top(&set);
        set = first->k;
        if (change <= limit)
            break;
    }
    /* forward from the greatest start; where the end is slower, it becomes the next start */
    double x = gdyn_intervals_top(&set);
    for (int round = 0; round < ROUNDS; round++) {
        gdyn_status status = forward(grid, x, plan);
        if (status != GDYN_OK || plan->status != GDYN_TRAVERSE_OK)
            return status;
        /* as fast as it began: is it also possible? */
        if (last->x >= x * (1 - SAME_PERIOD)) {
            /* up to x: the greatest end that can be reached, where x alone might just be missed */
            set = gdyn_intervals_of(0, x);
            status = backward(grid, &set, &blocked);
            if (status == GDYN_OK && blocked < 0 && first->k.count > 0)
                return forward(grid, x, plan);
        }
        /* slower: the end becomes the start */
        double next = gdyn_intervals_below(&first->k, last->x, SAME_X * last->x);
        x = isnan(next) ? first->k.low[0] : next;
    }
    plan->status = GDYN_TRAVERSE_BLOCKED;
    plan->at = 0;
    return GDYN_OK;
}

/* --- motions without a choice ----------------------------------------------------------------- */

/* Motions along which the drives have no choice: d1 determines d2.
 *
 * Where fewer drives than freedoms leave an equation between d1 and d2, x = d1^2 obeys the
 * differential equation dx/dp = 2 d2(p, x), and only its start is free. Solutions do not cross, so
 * all starts that keep the limits are one interval of x, and the greatest gives the minimum time; a
 * wanted speed at the end belongs to one start. The equation is integrated by Heun's method on the
 * grid; the difference from every second place is the error of the time. */

/* Relative error of the end speed that counts as met: the integration is no more accurate. */
static const double END_MISSED = 1e-6;

static const double NEAR_END = 1e-9; /* of an island's ends, relative */

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
        d1 = d1 < island->from && d1 > island->from * (1 - NEAR_END) ? island->from : d1;
        d1 = d1 > island->to && d1 < island->to * (1 + NEAR_END) ? island->to : d1;
    }
    /* outside: the side decides where to search */
    if (x < 0 || !gdyn_region_slice(region, d1, &low, &high))
        return d1 > last->to ? ABOVE : BELOW;
    *u = 0.5 * (low + high);
    return isfinite(*u) ? INSIDE : BELOW;
}

/* From x at the first place, over every `step`-th one; *at: its end. Stores the motion if asked. */
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

/* Where equalities give d2, the motion solves an ordinary differential equation. */
static gdyn_status make_curve(gdyn_grid *grid, gdyn_plan *plan) {
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
    if (isnan(start)) {
        /* greatest start below `high` from which the solution stays below what is accessible
         * and below the wanted end: solutions do not cross */
        wish w = {grid, wanted};
        double within, x = gdyn_bisect(too_fast, &w, low * low, high * high, 1, &within);
        start = fmax(x - 2 * within, low * low);
    }
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

/* --- the plan --------------------------------------------------------------------------------- */

/* Obstacles that are known before anything is planned. */
static bool open_everywhere(const gdyn_grid *grid, gdyn_plan *plan) {
    for (int i = 0; i < grid->count; i++) {
        const gdyn_place *place = &grid->place[i];
        plan->at = i;
        /* the machine cannot be, or nothing is accessible */
        if (place->found != GDYN_POINT_OK) {
            plan->status = GDYN_TRAVERSE_UNFOLLOWED;
            return false;
        }
        if (place->cells.count == 0) {
            plan->status = GDYN_TRAVERSE_EMPTY;
            return false;
        }
    }
    return true;
}

gdyn_status gdyn_plan_make(gdyn_grid *grid, gdyn_plan *plan) {
    *plan = (gdyn_plan){.status = GDYN_TRAVERSE_OK, .time = INFINITY};
    if (!open_everywhere(grid, plan))
        return GDYN_OK;
    /* where the drives have no choice everywhere, the motion follows a differential equation */
    int given = 0;
    for (int i = 0; i < grid->count; i++)
        given += grid->place[i].copy.coefficients.equalities > 0;
    if (given == grid->count)
        return make_curve(grid, plan);
    /* given at some places, free at others: not planned */
    if (given > 0) {
        plan->status = GDYN_TRAVERSE_CURVE;
        for (plan->at = 0; grid->place[plan->at].copy.coefficients.equalities == 0;)
            plan->at++;
        return GDYN_OK;
    }
    /* backward, then forward */
    if (grid->settings.periodic)
        return periodic(grid, plan);
    int blocked;
    gdyn_status status = backward(grid, NULL, &blocked);
    if (status != GDYN_OK || blocked >= 0) {
        plan->status = GDYN_TRAVERSE_BLOCKED;
        plan->at = blocked;
        return status;
    }
    /* from the wanted speed, else from the greatest controllable one */
    const gdyn_intervals *k = &grid->place[0].k;
    double v = grid->settings.start_speed, x = v * v, start = gdyn_intervals_top(k);
    if (!isnan(v)) {
        start = gdyn_intervals_below(k, x, SAME_X * x);
        if (isnan(start) || fabs(start - x) > SAME_X * x) {
            plan->status = GDYN_TRAVERSE_START;
            plan->at = 0;
            return GDYN_OK;
        }
    }
    return forward(grid, start, plan);
}

/* All limits wider by `relax`; `scoped`: greater speeds matter, too. */
gdyn_status gdyn_plan_relaxed(gdyn_grid *grid, double relax, bool scoped, gdyn_plan *plan) {
    double kept = grid->settings.relax;
    grid->settings.relax = kept + relax;
    gdyn_status status = gdyn_grid_regions(grid);
    if (status == GDYN_OK && scoped)
        gdyn_grid_scope(grid);
    if (status == GDYN_OK)
        status = gdyn_grid_cells(grid);
    if (status == GDYN_OK)
        status = gdyn_plan_make(grid, plan);
    grid->settings.relax = kept;
    return status;
}
