/* audit.c - checks a planned motion on a grid ten times finer than its own, finer still beside
 * zero-inertia points: the drives' rows themselves at every point, from coefficients taken again
 * from the dynamics. What is missing tightens the limits of both ends of the segment; where much is
 * missing the segment is marked to be split. */
#include "traverse/internal.h"

#include <math.h>

/* Violations, in half ranges, that are rounding. */
static const double FORGIVEN = 1e-12;
/* A segment is tightened by a little more than the violation found, so that rounds end. */
static const double TIGHTEN_FACTOR = 1.05, TIGHTEN_LEAST = 1e-11;

/* Beyond this share of half a range the segment is too long for its coefficients: it is split. */
static const double COARSE = 0.3;

static bool inertia_changes(const gdyn_place *place) {
    return place->inertia.zeros + place->inertia.dips > 0;
}

/* Where the j-th look into the segment behind a place is, as a share of its length: even steps, but
 * towards zero-inertia points, where limits of d2 change with the distance, they shrink. */
static double share_at(const gdyn_place *here, int j) {
    double f = (double)j / GDYN_AUDIT_PARTS;
    bool from = here->audit.dense & 1, to = here->audit.dense & 2;
    return from && to ? f * f * (3 - 2 * f) : from ? f * f * f : to ? 1 - pow(1 - f, 3) : f;
}

/* Makes the places between place i and the next, with their coefficients where they are kept. */
static gdyn_status take(gdyn_grid *grid, int i) {
    gdyn_place *here = &grid->place[i];
    here->audit.dense = inertia_changes(here) + 2 * inertia_changes(here + 1);
    /* a machine is closed at a place once; a table is cheaper to ask again than to keep */
    if (!gdyn_path_dynamics_track(grid->dynamics))
        return GDYN_OK;
    double a = here->p, b = here[1].p, p[GDYN_AUDIT_PARTS + 1];
    gdyn_copy *part = gdyn_alloc(GDYN_AUDIT_PARTS - 1, sizeof *part);
    here->audit.part = part;
    gdyn_status status = part ? GDYN_OK : GDYN_ERROR_MEMORY;
    /* equidistant, or denser towards a zero-inertia point */
    for (int j = 0; j <= GDYN_AUDIT_PARTS; j++)
        p[j] = j < GDYN_AUDIT_PARTS ? a + (b - a) * share_at(here, j) : b;
    if (status == GDYN_OK)
        status = gdyn_between_places(grid, i, p, part);
    for (int j = 1; j < GDYN_AUDIT_PARTS && status == GDYN_OK; j++) {
        const gdyn_coefficients *q;
        gdyn_point_status found;
        if (part[j - 1].numbers)
            continue;
        gdyn_path_dynamics_ahead(grid->dynamics, GDYN_AUDIT_PARTS - 1 - j, p + j + 1);
        status = gdyn_path_dynamics_at(grid->dynamics, p[j], &q, &found);
        if (status == GDYN_OK && found == GDYN_POINT_OK)
            status = gdyn_copy_take(&part[j - 1], q);
    }
    return status;
}

/* Coefficients at a part of the segment between two places; NULL where the machine cannot be. */
static gdyn_status coefficients_at(gdyn_grid *grid, const gdyn_place *here, int part, double p,
                                   const gdyn_coefficients **q) {
    bool end = part == 0 || part == GDYN_AUDIT_PARTS;
    if (end || here->audit.part) {
        const gdyn_copy *copy = end ? &here[part > 0].copy : &here->audit.part[part - 1];
        *q = copy->numbers ? &copy->coefficients : NULL;
        return GDYN_OK;
    }
    gdyn_point_status found;
    gdyn_status status = gdyn_path_dynamics_at(grid->dynamics, p, q, &found);
    *q = found == GDYN_POINT_OK ? *q : NULL;
    return status;
}

/* Violations along a segment; *worst of them. Where the machine cannot be at all it is infinite. */
static gdyn_status look(gdyn_grid *grid, int i, gdyn_audit_point *out, double *worst) {
    const gdyn_place *here = &grid->place[i], *next = here + 1;
    gdyn_status status = here->audit.part ? GDYN_OK : take(grid, i);
    bool jumps = gdyn_grid_jumps(grid, i);
    *worst = -1;
    for (int j = 0; j <= GDYN_AUDIT_PARTS && status == GDYN_OK; j++) {
        /* the motion there: d2 linear, d1^2 by the Bezier ordinates */
        double f = share_at(here, j);
        const gdyn_coefficients *q;
        gdyn_audit_point point = {.p = here->p + f * (next->p - here->p),
                                  .d2 = here->u + f * (here->u_end - here->u),
                                  .violation = INFINITY};
        double m = here->x + (next->p - here->p) * here->u; /* Bezier ordinate */
        point.d1 =
            sqrt(gdyn_greater(0, (1 - f) * ((1 - f) * here->x + 2 * f * m) + f * f * next->x));
        status = coefficients_at(grid, here, j, point.p, &q);
        if (status != GDYN_OK)
            break;
        if (here->leap != 0 || here->timeless || jumps) {
            point.violation = -1; /* what motions come near to is none itself */
        } else if (q) {
            /* a place that cannot be assembled keeps its infinite violation */
            status = gdyn_grid_violation(grid, q, point.d1, point.d2, &point.violation);
        }
        out[j] = point;
        *worst = gdyn_greater(point.violation, *worst);
    }
    return status;
}

/* Violations of the whole motion, and what is done about them. */
gdyn_status gdyn_audit_motion(gdyn_grid *grid, gdyn_traverse *traverse, bool tighten) {
    int segments = grid->count - 1, each = GDYN_AUDIT_PARTS + 1;
    gdyn_status status = GDYN_OK;
    /* the list of audited places replaces the last one */
    gdyn_audit_point *audit =
        gdyn_realloc(traverse->audit, (size_t)(segments * each) + 1, sizeof *audit);
    if (!audit)
        return GDYN_ERROR_MEMORY;
    traverse->audit = audit;
    traverse->audits = segments * each;
    traverse->violation = -INFINITY;
    /* the worst violation of all, and where it is */
    for (int i = 0; i < segments && status == GDYN_OK; i++) {
        double worst;
        status = look(grid, i, audit + i * each, &worst);
        for (int j = 0; j < each && worst > traverse->violation; j++) {
            if (audit[i * each + j].violation == worst) {
                traverse->violation = worst;
                traverse->violation_p = audit[i * each + j].p;
            }
        }
    }
    /* a coarse violation splits the segment, a fine one tightens both of its ends */
    for (int i = 0; tighten && status == GDYN_OK && i < segments; i++) {
        double worst = -1;
        for (int j = 0; j < each; j++)
            worst = gdyn_greater(audit[i * each + j].violation, worst);
        grid->place[i].audit.split = worst > COARSE && grid->count < gdyn_grid_capacity(grid);
        if (worst > FORGIVEN && isfinite(worst) && !grid->place[i].audit.split) {
            grid->place[i].tighten += TIGHTEN_FACTOR * worst + TIGHTEN_LEAST;
            grid->place[i + 1].tighten += TIGHTEN_FACTOR * worst + TIGHTEN_LEAST;
        }
    }
    return status;
}

/* --- the error of integrated poses ------------------------------------------------------------ */

/* The error of integrated poses as a part of the bounds.
 *
 * Where the pose depends on the way, the rows of the drives are those of a pose that is off by an
 * estimated error e (path/integrate.c). What e does to a row is seen at the motion itself: at (d1,
 * d2) of every place the minimum violation is taken for the pose as it is and for the pose
 * displaced along e by DISTANCE, either way, and the growth is scaled to |e|. The largest of them,
 * s half ranges, is how far all limits would have to be relaxed to cover it. The fastest motion
 * with limits relaxed by a step shows what that gains in time; both bounds move apart by SAFETY
 * times s times the gain per step. */

/* Large against the coefficients' rounding (up to 1e-10), small against their curvature. */
static const double DISTANCE = 1e-5;
/* Step of the relaxation: resolved well by a time that is known to 1e-12. */
static const double STEP = 1e-5;
/* The estimate is of first order, and leaves the direction of the error to one of the same size. */
static const double SAFETY = 2;

/* Violation of the motion at the pose displaced by the distance, either way; *error as above. */
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
    /* poses that depend on the way have an error somewhere; a table has no pose */
    const gdyn_track *track = gdyn_path_dynamics_track(grid->dynamics);
    bool any = false;
    for (int i = 0; track && i < track->points; i++)
        any |= track->error[i] > 0;
    int poses = any ? grid->count : 0;
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
