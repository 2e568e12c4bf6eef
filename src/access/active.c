/* active.c - the points of a path that its criteria come from: at a design nearby they give the
 * same criteria, but for changes of second order in the distance.
 *
 * A least value comes from the points at which it is taken, or nearly; the area from the points
 * whose boundaries bound the common region. Where a value is taken between the points, or depends
 * on all of them, there is no such list. */
#include "access/evaluate.h"

#include "access/access.h"
#include "base/memory.h"

#include <math.h>

/* Shares of a value within which a point has nearly the least one, and has it. */
static const double NEAR = 1e-4, SAME = 1e-12;
/* The same of the height of a common region. */
static const double NEAR_BOUND = 1e-5, SAME_BOUND = 1e-9;

/* The points at which the path's value is taken, or nearly. */
static bool mark_least(const gdyn_evaluation *e, gdyn_criterion criterion, bool *active) {
    double value = e->criteria.value[criterion], least = INFINITY;
    for (int i = 0; i < e->track->points; i++) {
        double off = fabs(e->point[i].value[criterion] - value);
        least = fmin(least, off);
        active[i] = active[i] || off <= NEAR * fabs(value);
    }
    return least <= SAME * fabs(value);
}

/* The points whose bound of d2 is the common one at an arc's middle. */
static bool mark_arc(const gdyn_evaluation *e, const gdyn_arc *arc, bool upper, bool *active) {
    double d1 = 0.5 * (arc->from + arc->to), low, high, own_low, own_high, least = INFINITY;
    if (!isfinite(d1) || !gdyn_region_slice(e->common, d1, &low, &high))
        return false;
    for (int i = 0; i < e->track->points; i++) {
        if (!gdyn_region_slice(e->region[i], d1, &own_low, &own_high))
            return false;
        double off = upper ? own_high - high : low - own_low;
        least = fmin(least, off);
        active[i] = active[i] || off <= NEAR_BOUND * (high - low);
    }
    return least <= SAME_BOUND * (high - low);
}

/* The points that bound the common region: arc by arc, then its ends. */
static bool mark_area(const gdyn_evaluation *e, bool *active) {
    const gdyn_region *common = e->common;
    const gdyn_island *island = common->island;
    bool known = common->island_count == 1 && isfinite(common->area) && common->area > 0;
    for (int k = 0; known && k < island->upper_count; k++)
        known = mark_arc(e, &common->upper[island->upper_first + k], true, active);
    for (int k = 0; known && k < island->lower_count; k++)
        known = mark_arc(e, &common->lower[island->lower_first + k], false, active);
    for (int i = 0; known && i < e->track->points; i++) {
        const double *value = e->point[i].value;
        active[i] =
            active[i] || value[GDYN_CRITERION_D1_MAX] <= (1 + SAME_BOUND) * island->to ||
            (island->from > 0 && value[GDYN_CRITERION_D1_MIN] >= (1 - SAME_BOUND) * island->from);
    }
    return known;
}

static bool mark(const gdyn_evaluation *e, gdyn_criterion criterion, bool *active) {
    switch (criterion) {
    case GDYN_CRITERION_REACH:
    case GDYN_CRITERION_EMPTY:
        return true;
    case GDYN_CRITERION_AREA:
        return mark_area(e, active);
    case GDYN_CRITERION_ACCEL:
    case GDYN_CRITERION_SPEED:
    case GDYN_CRITERION_D1_MAX:
        return mark_least(e, criterion, active);
    default:
        return gdyn_criterion_table[criterion].pass == GDYN_PASS_LOCAL &&
               mark_least(e, criterion, active);
    }
}

/* The path is passed as a whole, and its poses do not depend on the way. */
static bool plain(const gdyn_evaluation *e) {
    bool alone = !e->lean && e->singular.count == 0 && e->track->reach >= 1;
    for (int i = 0; alone && i < e->track->points; i++)
        alone = e->track->rates[i].freedom == 0;
    return alone && gdyn_model_pfaffian(gdyn_state_model(e->track->state[0])) == 0;
}

int gdyn_evaluation_active(const gdyn_evaluation *e, const bool *wanted, int most, double *p) {
    bool *active = gdyn_alloc((size_t)e->track->points, sizeof *active);
    bool known = active && plain(e);
    int count = 0;
    for (int c = 0; known && c < GDYN_CRITERIA; c++)
        known = !wanted[c] || mark(e, (gdyn_criterion)c, active);
    /* both ends belong to every path */
    for (int i = 0; known && i < e->track->points; i++)
        if (active[i] || i == 0 || i == e->track->points - 1) {
            if (count < most)
                p[count] = e->track->p[i];
            count++;
        }
    gdyn_free(active);
    return known && count <= most ? count : 0;
}
