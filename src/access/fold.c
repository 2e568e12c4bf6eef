/* fold.c - criteria of a point, and their combination over a path.
 *
 * The common region is merged arc by arc (common.c), the greatest common speeds come from
 * intersecting the points' sets of d1: all of it exact, without samples in d1. */
#include "access/folding.h"

#include "access/rows.h"
#include "base/memory.h"

#include <assert.h>
#include <math.h>

/* Guaranteed |d2| at rest in both senses. */
static double rest_accel(const gdyn_region *region) {
    return region->rest ? fmin(region->rest_max, -region->rest_min) : NAN;
}

/* What coefficients alone say. */
void gdyn_pose_criteria(const gdyn_pose *pose, gdyn_criteria *point) {
    point->value[GDYN_CRITERION_REDUNDANCY] = pose->redundancy;
    point->value[GDYN_CRITERION_MOBILITY] = pose->mobility;
    point->value[GDYN_CRITERION_UNCONTROLLED] = pose->uncontrolled;
    point->passes |= GDYN_PASS_TRACK;
}

/* Of one region; without islands there is no speed. */
void gdyn_region_criteria(const gdyn_region *region, gdyn_criteria *point) {
    bool any = region->island_count > 0;
    double *value = point->value;
    value[GDYN_CRITERION_AREA] = region->area;
    value[GDYN_CRITERION_D1_MAX] = any ? region->d1_max : NAN;
    value[GDYN_CRITERION_D1_MIN] = any ? region->island[0].from : NAN;
    value[GDYN_CRITERION_SPEED] = any ? region->speed_max : NAN;
    value[GDYN_CRITERION_ACCEL] = rest_accel(region);
    value[GDYN_CRITERION_REST_MIN] = region->rest ? region->rest_min : NAN;
    value[GDYN_CRITERION_REST_MAX] = region->rest ? region->rest_max : NAN;
    value[GDYN_CRITERION_ISLANDS] = region->island_count;
    value[GDYN_CRITERION_EMPTY] = region->status == GDYN_REGION_EMPTY;
    point->passes |= GDYN_PASS_REGIONS;
}

double gdyn_travel_value(const gdyn_travel *travel, int criterion) {
    return criterion == GDYN_RANGE_TRAVEL ? travel->greatest - travel->least : travel->margin;
}

/* --- regions of a path -------------------------------------------------------------------- */

bool gdyn_region_fold_open(gdyn_region_fold *fold, gdyn_region *common) {
    *fold = (gdyn_region_fold){.common = common,
                               .merged = gdyn_common_create(),
                               .reachable = {1, {0}, {INFINITY}},
                               .steady = {1, {0}, {INFINITY}}};
    return fold->merged != NULL;
}

void gdyn_region_fold_close(gdyn_region_fold *fold) {
    gdyn_common_destroy(fold->merged);
    for (int i = 0; i < fold->betweens; i++)
        gdyn_region_destroy(fold->between[i]);
    gdyn_free(fold->between);
    *fold = (gdyn_region_fold){0};
}

static gdyn_status add(gdyn_region_fold *fold, const gdyn_region *region) {
    gdyn_intervals reachable = gdyn_speeds_reachable(region), steady = gdyn_speeds_steady(region);
    double accel = rest_accel(region);
    bool undefined = isnan(accel) || isnan(fold->accel);
    /* what all points allow: d1, constant d1, d2 at rest */
    gdyn_intervals_intersect(&fold->reachable, &reachable);
    gdyn_intervals_intersect(&fold->steady, &steady);
    fold->accel = fold->points == 0 ? accel : undefined ? NAN : fmin(fold->accel, accel);
    return gdyn_common_add(fold->merged, region);
}

/* A copy of a region between the points: it takes part in the intersection only. */
gdyn_status gdyn_region_fold_between(gdyn_region_fold *fold, const gdyn_region *region) {
    assert(fold->points > 0);
    if (!gdyn_reserve(&fold->between, &fold->capacity, fold->betweens + 1, sizeof *fold->between))
        return GDYN_ERROR_MEMORY;
    gdyn_region *copy = fold->between[fold->betweens] = gdyn_region_create();
    if (!copy)
        return GDYN_ERROR_MEMORY;
    fold->betweens++;
    return gdyn_region_copy(copy, region) == GDYN_OK ? add(fold, copy) : GDYN_ERROR_MEMORY;
}

/* Counts, sums and sets of one more point. */
gdyn_status gdyn_region_fold_point(gdyn_region_fold *fold, const gdyn_region *region) {
    gdyn_status status = add(fold, region);
    fold->points++;
    fold->areas += region->area, fold->empty += region->status == GDYN_REGION_EMPTY;
    return status;
}

gdyn_status gdyn_region_fold_end(gdyn_region_fold *fold) {
    return fold->points > 0 ? gdyn_common_region(fold->merged, fold->common) : GDYN_OK;
}

/* The criteria of all points; a singular pose on the way blocks those of the whole path. */
void gdyn_region_fold_values(const gdyn_region_fold *fold, bool blocked, gdyn_criteria *path) {
    double *value = path->value;
    value[GDYN_CRITERION_EMPTY] = fold->empty;
    path->passes |= GDYN_PASS_REGIONS;
    if (fold->points == 0)
        return;
    /* the mean counts points, the others all that lies between as well */
    value[GDYN_CRITERION_AREA_MEAN] = fold->areas / fold->points;
    value[GDYN_CRITERION_AREA] = blocked ? NAN : fold->common->area;
    /* the dropped interval may be the one on top: no value */
    const gdyn_intervals *sets[] = {&fold->reachable, &fold->steady};
    for (int i = 0; i < 2; i++)
        value[i ? GDYN_CRITERION_SPEED : GDYN_CRITERION_D1_MAX] =
            blocked || sets[i]->lost ? NAN : gdyn_intervals_top(sets[i]);
    value[GDYN_CRITERION_ACCEL] = blocked ? NAN : fold->accel;
}

double gdyn_regions_mean(int points, const double *p, const gdyn_region *const *region) {
    double sum = 0;
    for (int i = 0; i + 1 < points; i++)
        sum += 0.5 * (region[i]->area + region[i + 1]->area) * (p[i + 1] - p[i]);
    return sum / (p[points - 1] - p[0]);
}

/* Regions that are given, as from tables. */
gdyn_status gdyn_regions_criteria(int points, const gdyn_region *const *region, gdyn_region *common,
                                  gdyn_criteria *path) {
    gdyn_region_fold fold;
    gdyn_status status = gdyn_region_fold_open(&fold, common) ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < points && status == GDYN_OK; i++)
        status = gdyn_region_fold_point(&fold, region[i]);
    if (status == GDYN_OK)
        status = gdyn_region_fold_end(&fold);
    if (status == GDYN_OK)
        gdyn_region_fold_values(&fold, false, path);
    gdyn_region_fold_close(&fold);
    return status;
}

/* --- poses of a path ---------------------------------------------------------------------- */

/* The worst of the points, by the criterion's own direction. */
void gdyn_local_fold(const gdyn_criteria *point, gdyn_criteria *path) {
    for (int i = -1; (i = gdyn_criterion_next(i, GDYN_OF_TRAJECTORY, true)) >= 0;)
        if (gdyn_criterion_table[i].pass == GDYN_PASS_LOCAL)
            path->value[i] =
                gdyn_criterion_worse((gdyn_criterion)i, path->value[i], point->value[i]);
    path->passes |= GDYN_PASS_LOCAL;
}

/* --- sets of d1 ------------------------------------------------------------------------------ */

/* Interval sets of d1. The set where lower(d1) <= 0 <= upper(d1) is found from the roots
 * of the arcs' quadratics: between neighbouring roots and ends the sign is constant. */

/* Share of its terms below which an envelope is zero. */
static const double ZERO = 1e-14;

/* Speeds at which some acceleration is possible. */
gdyn_intervals gdyn_speeds_reachable(const gdyn_region *region) {
    gdyn_intervals spans = {0};
    for (int i = 0; i < region->island_count; i++)
        gdyn_intervals_add(&spans, region->island[i].from, region->island[i].to, false);
    return spans;
}

/* Parts of [from, to] where sign * arc >= 0, over the arcs of one envelope; none means everywhere.
 */
static gdyn_intervals half(const gdyn_arc *arc, int count, double sign, double from, double to) {
    gdyn_intervals spans = {0};
    if (count == 0)
        gdyn_intervals_add(&spans, from, to, false);
    /* between roots and ends the sign of the arc is constant: the middle decides */
    for (int i = 0; i < count; i++) {
        /* roots of the arc within its range */
        gdyn_quadratic q = {arc[i].a, arc[i].b, arc[i].c};
        double cut[4] = {arc[i].from}, root[2];
        int cuts = 1, roots = gdyn_quadratic_roots(q, root);
        for (int j = 0; j < roots; j++)
            if (root[j] > arc[i].from && root[j] < arc[i].to)
                cut[cuts++] = root[j];
        cut[cuts++] = arc[i].to;
        for (int j = 0; j + 1 < cuts; j++) {
            double x = isinf(cut[j + 1]) ? 2 * fabs(cut[j]) + 1 : 0.5 * (cut[j] + cut[j + 1]);
            if (sign * gdyn_quadratic_at(q, x) >= -ZERO * gdyn_quadratic_size(q, x))
                gdyn_intervals_add(&spans, cut[j], cut[j + 1], false);
        }
    }
    return spans;
}

/* Constant speed: d2 = 0 lies between both envelopes. */
gdyn_intervals gdyn_speeds_steady(const gdyn_region *region) {
    gdyn_intervals spans = {0};
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        /* 0 <= upper and lower <= 0 */
        gdyn_intervals upper = half(region->upper + island->upper_first, island->upper_count, 1.0,
                                    island->from, island->to);
        gdyn_intervals lower = half(region->lower + island->lower_first, island->lower_count, -1.0,
                                    island->from, island->to);
        gdyn_intervals_intersect(&upper, &lower);
        for (int j = 0; j < upper.count; j++)
            gdyn_intervals_add(&spans, upper.low[j], upper.high[j], false);
        spans.lost = spans.lost || upper.lost;
    }
    return spans;
}
