/* widen.c - the error of integrated poses as a part of the bounds.
 *
 * Where the pose depends on the way, the rows of the drives are those of a pose that is off by an
 * estimated error e (path/integrate.c). What e does to a row is seen at the motion itself: at (d1,
 * d2) of every place the least violation is taken for the pose as it is and for the pose displaced
 * along e by DISTANCE, either way, and the growth is scaled to |e|. The greatest of them, s half
 * ranges, is how far all limits would have to be relaxed to cover it. The fastest motion with
 * limits relaxed by a step shows what that gains in time; both bounds move apart by SAFETY times s
 * times the gain per step. */
#include "traverse/internal.h"

#include <math.h>

/* Large against the rounding of coefficients (1e-10 of them at worst), small against their
 * curvature. */
static const double DISTANCE = 1e-5;
/* Step of the relaxation: resolved well by a time that is known to 1e-12. */
static const double STEP = 1e-5;
/* The estimate is of first order, and leaves the direction of the error to one of the same size. */
static const double SAFETY = 2;

/* Violation of the motion at the place's pose displaced by the distance, either way; *error as
 * above. */
static gdyn_status displaced(gdyn_grid *grid, const gdyn_place *place, double distance,
                             double *violation, double *error) {
    const gdyn_coefficients *q;
    gdyn_point_status found;
    *error = 0;
    gdyn_status status = gdyn_path_dynamics_at(grid->dynamics, place->p, &q, &found);
    if (status != GDYN_OK || found != GDYN_POINT_OK)
        return status;
    if (distance != 0)
        status = gdyn_path_dynamics_displaced(grid->dynamics, distance, &q, error);
    if (status == GDYN_OK && (distance == 0 || *error > 0))
        status = gdyn_grid_violation(grid, q, sqrt(fmax(place->x, 0)), place->u, violation);
    *violation = fmax(*violation, 0); /* only that there is room is known of less */
    return status;
}

/* What the error does at one place, in half ranges. */
static gdyn_status effect_at(gdyn_grid *grid, const gdyn_place *place, double *effect) {
    double before = 0, error;
    *effect = 0;
    gdyn_status status = displaced(grid, place, 0, &before, &error);
    for (int side = -1; side <= 1 && status == GDYN_OK; side += 2) {
        double after = before;
        status = displaced(grid, place, side * DISTANCE, &after, &error);
        *effect = fmax(*effect, (after - before) * error / DISTANCE);
    }
    return status;
}

/* Time that limits relaxed by STEP gain; NAN when that is not known. */
static gdyn_status gain(gdyn_grid *grid, const gdyn_plan *plan, double *gained) {
    gdyn_plan relaxed;
    gdyn_status status = gdyn_plan_relaxed(grid, STEP, false, &relaxed);
    bool known = status == GDYN_OK && relaxed.status == GDYN_TRAVERSE_OK;
    *gained = known ? fabs(plan->time - relaxed.time) : NAN;
    return status;
}

gdyn_status gdyn_bound_widen(gdyn_grid *grid, const gdyn_plan *plan, gdyn_traverse *out) {
    double worst = 0, gained;
    gdyn_status status = GDYN_OK;
    /* a table has no pose */
    int poses = gdyn_path_dynamics_track(grid->dynamics) ? grid->count : 0;
    for (int i = 0; i < poses && status == GDYN_OK; i++) {
        double effect;
        status = effect_at(grid, &grid->place[i], &effect);
        worst = isfinite(effect) ? fmax(worst, effect) : worst;
    }
    out->drift = worst;
    if (status != GDYN_OK || worst == 0)
        return status;
    status = gain(grid, plan, &gained);
    double wider = SAFETY * worst / STEP * gained;
    out->converged = out->converged && !isnan(wider);
    if (isnan(wider))
        return status;
    out->lower -= wider;
    out->upper += wider;
    return status;
}
