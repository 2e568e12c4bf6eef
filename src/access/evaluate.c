/* evaluate.c - one trajectory: follow it, regions at all points, criteria over the path.
 *
 * Criteria come from the exact arcs: the common region by merging envelopes point after point, the
 * greatest common speeds by intersecting the points' sets of d1. */
#include "access/evaluate.h"

#include "access/dynamics.h"
#include "access/singularity.h"
#include "access/speeds.h"
#include "base/memory.h"
#include "path/place.h"
#include "path/reversal.h"

#include <math.h>
#include <string.h>

enum { MOST_EQUALITIES = 4 };

/* Rates along the path, over its whole length, below this share of the greatest one. */
static const double STILL = 1e-4;

const char *const gdyn_reduction_names[] = {"svd", "null", NULL};

gdyn_evaluation_settings gdyn_evaluation_default(void) {
    return (gdyn_evaluation_settings){GDYN_REDUCE_SVD, GDYN_BY_ELEMENTARY, true, true};
}

gdyn_evaluation *gdyn_evaluation_create(const gdyn_model *model, const gdyn_path *path) {
    gdyn_evaluation *e = gdyn_alloc(1, sizeof *e);
    if (!e)
        return NULL;
    size_t points = (size_t)gdyn_path_points(path);
    e->track = gdyn_track_create(model, path);
    e->region = gdyn_alloc(points, sizeof *e->region);
    e->pose = gdyn_alloc(points, sizeof *e->pose);
    e->local = gdyn_alloc(points, sizeof *e->local);
    e->common = gdyn_region_create();
    bool ok = e->track && e->region && e->pose && e->local && e->common;
    for (size_t i = 0; ok && i < points; i++) {
        e->region[i] = gdyn_region_create();
        e->pose[i] = gdyn_pose_create(model);
        ok = e->region[i] && e->pose[i];
    }
    if (!ok) {
        if (e->track)
            e->track->points = (int)points;
        gdyn_evaluation_destroy(e);
        return NULL;
    }
    return e;
}

void gdyn_evaluation_destroy(gdyn_evaluation *e) {
    if (!e)
        return;
    int points = e->track ? e->track->points : 0;
    for (int i = 0; i < points; i++) {
        if (e->region)
            gdyn_region_destroy(e->region[i]);
        if (e->pose)
            gdyn_pose_destroy(e->pose[i]);
    }
    gdyn_singularities_free(&e->singular);
    gdyn_track_destroy(e->track);
    gdyn_region_destroy(e->common);
    gdyn_free(e->region);
    gdyn_free(e->pose);
    gdyn_free(e->local);
    gdyn_free(e);
}

/* Workspaces of one run. */
typedef struct runner {
    const gdyn_path *path;
    gdyn_evaluation_settings settings;
    gdyn_evaluator *evaluator;
    gdyn_access *access;
    gdyn_singularity_finder *finder;
    gdyn_target *targets;
    gdyn_region *merged, *beside;
    gdyn_path_place *place;
    gdyn_pose *pose; /* at the place */
    double *rest;    /* 2 n: u_p, u_pp there without rounding where the machine stands still */
    gdyn_speeds reachable, steady;
    int evaluated;
    double areas;
} runner;

static double smaller(double a, double b) {
    return isnan(a) ? b : isnan(b) ? a : fmin(a, b);
}

static void reset(gdyn_evaluation *e) {
    e->area = e->area_mean = e->d1_max = e->speed = e->accel = NAN;
    e->dexterity = e->stiffness = e->frequency = e->load = NAN;
    e->redundant_constraints = e->empty_points = 0;
    e->redundancy = -1;
}

/* Folds a region, at a point or between, into the criteria that hold for the whole path. */
static gdyn_status fold_region(gdyn_evaluation *e, runner *r, const gdyn_region *region) {
    bool first = r->evaluated == 0;
    gdyn_speeds reachable = gdyn_speeds_reachable(region), steady = gdyn_speeds_steady(region);
    gdyn_speeds_intersect(&r->reachable, &reachable);
    gdyn_speeds_intersect(&r->steady, &steady);
    double accel = region->rest ? fmin(region->rest_max, -region->rest_min) : NAN;
    bool undefined = isnan(accel) || isnan(e->accel);
    e->accel = first ? accel : undefined ? NAN : fmin(e->accel, accel);
    if (first)
        return gdyn_region_copy(e->common, region);
    gdyn_status status = gdyn_region_intersect(e->common, region, r->merged);
    gdyn_region *swap = e->common;
    e->common = r->merged;
    r->merged = swap;
    return status;
}

static gdyn_status fold_point(gdyn_evaluation *e, runner *r, const gdyn_region *region) {
    gdyn_status status = fold_region(e, r, region);
    r->evaluated++;
    r->areas += region->area;
    e->empty_points += region->status == GDYN_REGION_EMPTY;
    return status;
}

static void fold_local(gdyn_evaluation *e, const gdyn_pose_criteria *local) {
    e->dexterity = smaller(e->dexterity, local->dexterity);
    e->stiffness = smaller(e->stiffness, local->stiffness);
    e->frequency = smaller(e->frequency, local->frequency);
    e->load = isnan(e->load) ? local->load : fmax(e->load, local->load);
}

/* Nothing is known of the region. */
static void forget(gdyn_region *region) {
    region->status = GDYN_REGION_UNKNOWN;
    region->island_count = region->upper_count = region->lower_count = 0;
    region->rest = false;
    region->area = region->d1_max = region->speed_max = NAN;
}

static gdyn_status evaluate_point(gdyn_evaluation *e, runner *r, int i) {
    const gdyn_track *track = e->track;
    const gdyn_path_def *def = gdyn_path_definition(r->path);
    gdyn_region *region = e->region[i];
    forget(region);
    if (track->status[i] != GDYN_POINT_OK)
        return r->settings.regions ? gdyn_singularity_finder_point(r->finder, i) : GDYN_OK;
    size_t at = (size_t)track->n * (size_t)i;
    gdyn_evaluator_look_before(r->evaluator, gdyn_track_ends(track, track->p[i]));
    gdyn_status status = gdyn_evaluator_pose(r->evaluator, track->state[i], track->u_p + at,
                                             track->u_pp + at, r->settings.reduction, e->pose[i]);
    if (status)
        return status;
    const gdyn_pose *pose = e->pose[i];
    bool fewer = pose->redundancy < e->redundancy; /* a singular pose adds columns of V */
    e->redundancy = fewer || e->redundancy < 0 ? pose->redundancy : e->redundancy;
    int rows = gdyn_model_holonomic(gdyn_state_model(track->state[i])) +
               gdyn_model_pfaffian(gdyn_state_model(track->state[i]));
    int redundant = rows - pose->rank_c.rank;
    if (redundant > e->redundant_constraints)
        e->redundant_constraints = redundant;
    if (r->settings.regions) {
        status = gdyn_singularity_finder_point(r->finder, i);
        if (status)
            return status;
        status = gdyn_access_region(r->access, &pose->coefficients, r->settings.projection, region);
        if (!status)
            status = fold_point(e, r, region);
    }
    if (status || !r->settings.local)
        return status;
    gdyn_path_evaluate(r->path, track->p[i], r->targets);
    status = gdyn_evaluator_criteria(r->evaluator, track->state[i], gdyn_path_targets(r->path),
                                     r->targets, def->tools ? &def->tool[0].of : NULL, pose,
                                     &e->local[i]);
    if (!status)
        fold_local(e, &e->local[i]);
    return status;
}

/* --- between the points ----------------------------------------------------------------------- */

/* Coefficients at p, into r->pose. */
static gdyn_status pose_between(gdyn_evaluation *e, runner *r, double p) {
    size_t n = (size_t)e->track->n;
    gdyn_status status = gdyn_path_place_at(r->place, p);
    if (status || r->place->status == GDYN_POINT_UNASSEMBLED)
        return status;
    memcpy(r->rest, r->place->u_p, n * sizeof *r->rest);
    memcpy(r->rest + n, r->place->u_pp, n * sizeof *r->rest);
    gdyn_track_rest(e->track, r->rest, r->rest + n);
    gdyn_evaluator_look_before(r->evaluator, false);
    return gdyn_evaluator_pose(r->evaluator, r->place->state, r->rest, r->rest + n,
                               r->settings.reduction, r->pose);
}

/* The pose criteria at the singular places between the points belong to the worst ones. */
static gdyn_status fold_singular(gdyn_evaluation *e, runner *r) {
    const gdyn_path_def *def = gdyn_path_definition(r->path);
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < e->singular.count && !status; i++) {
        gdyn_pose_criteria local;
        status = pose_between(e, r, e->singular.at[i].from);
        if (!status)
            status = gdyn_evaluator_criteria(r->evaluator, r->place->state,
                                             gdyn_path_targets(r->path), r->place->targets,
                                             def->tools ? &def->tool[0].of : NULL, r->pose, &local);
        if (!status)
            fold_local(e, &local);
    }
    return status;
}

/* Greatest magnitude. */
static double largest(const double *v, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

/* At the edge of a dwell or of a cusp the machine neither moves nor begins to: no force there depends on d1
 * and d2 but by rounding. */
static bool stands_still(const gdyn_evaluation *e, const runner *r) {
    const gdyn_track *track = e->track;
    size_t n = (size_t)track->n, all = n * (size_t)track->points;
    double span = fabs(track->p[track->points - 1] - track->p[0]);
    double here = fmax(largest(r->rest, n), span * largest(r->rest + n, n));
    return here < STILL * largest(track->u_p, all);
}

/* Where dry friction changes at once between two points, the regions on both sides of the change belong to
 * the path as those of its points do. */
static gdyn_status fold_reversals(gdyn_evaluation *e, runner *r) {
    gdyn_reversals reversals;
    gdyn_status status = gdyn_reversals_find(r->place, &reversals);
    for (int i = 0; i < 2 * reversals.count && !status; i++) {
        double at = reversals.p[i / 2] - (i % 2 ? 0 : reversals.near);
        status = pose_between(e, r, at);
        if (status || r->place->status != GDYN_POINT_OK || stands_still(e, r))
            continue;
        status = gdyn_access_region(r->access, &r->pose->coefficients, r->settings.projection,
                                    r->beside);
        if (!status)
            status = fold_region(e, r, r->beside);
    }
    gdyn_reversals_free(&reversals);
    return status;
}

static gdyn_status run_points(gdyn_evaluation *e, runner *r) {
    for (size_t i = 0; i < (size_t)e->track->points; i++) {
        size_t first = (size_t)e->track->n * i;
        gdyn_track_rest(e->track, e->track->u_p + first, e->track->u_pp + first);
    }
    for (int i = 0; i < e->track->points; i++) {
        gdyn_status status = evaluate_point(e, r, i);
        if (status)
            return status;
    }
    e->redundancy = e->redundancy < 0 ? 0 : e->redundancy;
    e->reach = e->track->reach;
    if (r->evaluated == 0)
        return GDYN_OK;
    e->area_mean = r->areas / r->evaluated;
    gdyn_status status = fold_reversals(e, r);
    if (!status)
        status = gdyn_singularity_finder_finish(r->finder, &e->singular);
    if (!status && r->settings.local)
        status = fold_singular(e, r);
    if (status || gdyn_singularities_block(&e->singular, -INFINITY, INFINITY)) {
        e->accel = NAN;
        forget(e->common);
        return status;
    }
    e->area = e->common->area;
    e->d1_max = gdyn_speeds_greatest(&r->reachable);
    e->speed = gdyn_speeds_greatest(&r->steady);
    return GDYN_OK;
}

gdyn_status gdyn_evaluation_run(gdyn_evaluation *e, const gdyn_path *path,
                                const gdyn_evaluation_settings *settings) {
    const gdyn_model *model = gdyn_state_model(e->track->state[0]);
    int targets = gdyn_path_targets(path), rows = gdyn_pose_capacity(model);
    runner r = {.path = path,
                .settings = settings ? *settings : gdyn_evaluation_default(),
                .reachable = gdyn_speeds_all(),
                .steady = gdyn_speeds_all()};
    reset(e);
    gdyn_closure *closure = gdyn_closure_create(model, targets);
    r.evaluator = gdyn_evaluator_create(model);
    r.access = gdyn_access_create(rows, gdyn_pose_efforts(model), MOST_EQUALITIES);
    r.finder = r.evaluator ? gdyn_singularity_finder_create(path, e->track, r.evaluator) : NULL;
    r.targets = gdyn_alloc((size_t)targets, sizeof *r.targets);
    r.merged = gdyn_region_create();
    r.beside = gdyn_region_create();
    r.place = gdyn_path_place_create(path, e->track);
    r.pose = gdyn_pose_create(model);
    r.rest = gdyn_alloc(2 * (size_t)e->track->n, sizeof *r.rest);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (closure && r.evaluator && r.access && r.finder && r.targets && r.merged && r.beside &&
        r.place && r.pose && r.rest) {
        status = gdyn_track_follow(e->track, path, closure, NULL);
        if (!status)
            status = run_points(e, &r);
    }
    gdyn_closure_destroy(closure);
    gdyn_singularity_finder_destroy(r.finder);
    gdyn_evaluator_destroy(r.evaluator);
    gdyn_access_destroy(r.access);
    gdyn_region_destroy(r.merged);
    gdyn_region_destroy(r.beside);
    gdyn_path_place_destroy(r.place);
    gdyn_pose_destroy(r.pose);
    gdyn_free(r.rest);
    gdyn_free(r.targets);
    return status;
}

/* --- criteria by name ------------------------------------------------------------------------- */

/* name, field of gdyn_evaluation */
#define CRITERIA(X)                                                                                \
    X("area", area)                                                                                \
    X("area_mean", area_mean)                                                                      \
    X("d1_max", d1_max)                                                                            \
    X("speed", speed)                                                                              \
    X("accel", accel)                                                                              \
    X("reach", reach)                                                                              \
    X("dexterity", dexterity)                                                                      \
    X("stiffness", stiffness)                                                                      \
    X("frequency", frequency)                                                                      \
    X("load", load)                                                                                \
    X("redundancy", redundancy)                                                                    \
    X("redundant_constraints", redundant_constraints)                                              \
    X("empty", empty_points)

#define NAME(name, field)  name,
#define FIELD(name, field) (double)e->field,
static const char *const names[] = {CRITERIA(NAME)};
enum { CRITERIA_COUNT = sizeof names / sizeof *names };

bool gdyn_evaluation_criterion(const gdyn_evaluation *e, const char *name, double *value) {
    const double values[CRITERIA_COUNT] = {CRITERIA(FIELD)};
    for (int i = 0; i < CRITERIA_COUNT; i++)
        if (strcmp(name, names[i]) == 0) {
            *value = values[i];
            return true;
        }
    return false;
}

const char *const *gdyn_evaluation_criteria(int *count) {
    *count = CRITERIA_COUNT;
    return names;
}
