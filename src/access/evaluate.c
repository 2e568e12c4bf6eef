/* evaluate.c - one trajectory: follow it, regions at all points, criteria over the path.
 *
 * Where the path has a tolerance, further points are inserted until its criteria are known to it:
 * adapt.c. What the points come to together: fold.c. Between the points, places where the drives
 * lose control of a freedom and sides of a change of friction belong to the path, too. */
#include "access/evaluate.h"

#include "access/analysis.h"
#include "access/dynamics.h"
#include "access/folding.h"
#include "access/projection.h"
#include "base/memory.h"
#include "closure/target.h"
#include "mech/standstill.h"
#include "path/place.h"

#include <math.h>
#include <string.h>

enum { MOST_EQUALITIES = 4, REGION_PASSES = GDYN_PASS_REGIONS | GDYN_PASS_MOTION };
/* Poses for all points of a lean evaluation: of those whose coefficients are taken at once. */
enum { LEAN = GDYN_POSES_AT_ONCE };

/* Rates along the path, over its whole length, below this share of the greatest one. */
static const double STILL = 1e-4;

const char *const gdyn_reduction_names[] = {"svd", "null", NULL};

/* Null spaces, elementary vectors, regions and criteria of the poses. */
gdyn_evaluation_settings gdyn_evaluation_default(void) {
    return (gdyn_evaluation_settings){.reduction = GDYN_REDUCE_NULL,
                                      .projection = GDYN_BY_ELEMENTARY,
                                      .regions = true,
                                      .local = true};
}

/* Poses and criteria of all points, or a few poses in turns for all. */
static bool open_points(gdyn_evaluation *e, const gdyn_model *model, bool lean) {
    size_t points = (size_t)e->track->points;
    e->region = gdyn_alloc(points, sizeof *e->region);
    e->pose = gdyn_alloc(points, sizeof *e->pose);
    e->point = lean ? NULL : gdyn_alloc(points, sizeof *e->point);
    bool ok = e->region && e->pose && (lean || e->point);
    for (size_t i = 0; ok && i < points; i++) {
        e->region[i] = gdyn_region_create();
        e->pose[i] = lean && i >= LEAN ? e->pose[i % LEAN] : gdyn_pose_create(model);
        ok = e->region[i] && e->pose[i];
    }
    return ok;
}

/* followed: NULL for a track of its own. */
static gdyn_evaluation *create(const gdyn_model *model, const gdyn_path *path, gdyn_track *followed,
                               bool lean) {
    gdyn_evaluation *e = gdyn_alloc(1, sizeof *e);
    if (!e)
        return NULL;
    bool fixed = gdyn_path_definition(path)->tolerance == 0;
    e->lean = lean && fixed, e->follows = !followed, e->borrows = followed && fixed;
    e->track = e->borrows ? followed
               : followed ? gdyn_track_copy(followed)
                          : gdyn_track_create(model, path);
    e->followed = fixed ? e->track : followed;
    e->common = gdyn_region_create();
    if (!e->track || !e->common || !open_points(e, model, e->lean)) {
        gdyn_evaluation_destroy(e);
        return NULL;
    }
    return e;
}

gdyn_evaluation *gdyn_evaluation_create(const gdyn_model *model, const gdyn_path *path) {
    return create(model, path, NULL, false);
}

gdyn_evaluation *gdyn_evaluation_over(gdyn_track *track, const gdyn_path *path, bool lean) {
    return create(gdyn_state_model(track->state[0]), path, track, lean);
}

void gdyn_evaluation_destroy(gdyn_evaluation *e) {
    if (!e)
        return;
    int points = e->track ? e->track->points : 0;
    for (int i = 0; i < points && e->region; i++)
        gdyn_region_destroy(e->region[i]);
    for (int i = 0; i < (e->lean && points > LEAN ? LEAN : points) && e->pose; i++)
        gdyn_pose_destroy(e->pose[i]);
    gdyn_singularities_free(&e->singular);
    if (!e->borrows)
        gdyn_track_destroy(e->track);
    gdyn_region_destroy(e->common);
    gdyn_free(e->region), gdyn_free(e->pose), gdyn_free(e->point), gdyn_free(e);
}

/* Workspaces for one place at a time. */
struct gdyn_probe {
    const gdyn_path *path;
    const gdyn_track *track;
    gdyn_evaluator *evaluator;
    gdyn_access *access;
    gdyn_region *region;
    gdyn_path_place *place; /* NULL until a place between points is needed */
    gdyn_pose *pose;        /* at the place */
};

/* Workspaces of one run. */
typedef struct runner {
    gdyn_evaluation_settings settings;
    /* its region: of one side of a change; in lean evaluations of a point, too */
    gdyn_probe at;
    gdyn_singularity_finder *finder;
    gdyn_target *targets;
    gdyn_region_fold fold;
    gdyn_criteria own;     /* of a point whose criteria are not kept */
    gdyn_closure *closure; /* of the track, then of the place */
    int redundancy;        /* of the drives; -1: no point was assembled */
    int redundant;         /* constraints */
    int ahead;    /* point whose coefficients were taken with those of the one before; -1: none */
    bool inserts; /* behind the path's own points, of which alone the finder takes samples */
} runner;

/* Nothing is known of the region. */
static void forget(gdyn_region *region) {
    gdyn_region_clear(region, GDYN_REGION_UNKNOWN);
    region->area = NAN;
}

/* Criteria of the pose at a place of the path, with these targets. */
static gdyn_status local_criteria(const gdyn_probe *at, const gdyn_state *state,
                                  const gdyn_target *targets, const gdyn_pose *pose,
                                  gdyn_criteria *local) {
    const gdyn_path_def *def = gdyn_path_definition(at->path);
    return gdyn_evaluator_criteria(at->evaluator, state, gdyn_path_asked(at->path), targets,
                                   def->tools ? &def->tool[0].of : NULL, pose, local);
}

/* Redundancies of the path: of the drives the least (a singular pose adds columns of V), of
 * constraints the greatest. */
static void note_redundancy(runner *r, const gdyn_state *state, const gdyn_pose *pose) {
    const gdyn_model *model = gdyn_state_model(state);
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    int redundant = rows - pose->rank_c.rank;
    bool fewer = pose->redundancy < r->redundancy || r->redundancy < 0;
    r->redundancy = fewer ? pose->redundancy : r->redundancy;
    r->redundant = redundant > r->redundant ? redundant : r->redundant;
}

/* Region of point i, its criteria and its part in those of the path. */
static gdyn_status evaluate_region(gdyn_evaluation *e, runner *r, int i, gdyn_criteria *own) {
    gdyn_region *region = e->region[i];
    gdyn_region *made = e->lean ? r->at.region : region;
    gdyn_status status =
        gdyn_access_region(r->at.access, &e->pose[i]->coefficients, r->settings.projection, made);
    /* a copy has no room to grow */
    status = status ? status : gdyn_region_copy(region, made);
    gdyn_region_criteria(region, own);
    return status ? status : gdyn_region_fold_point(&r->fold, region);
}

/* Coefficients at point i: with those of the next ones where all is known to the track and clear,
 * else alone. */
static gdyn_status take_pose(gdyn_evaluation *e, runner *r, int i) {
    const gdyn_track *track = e->track;
    if (i < r->ahead && !r->inserts)
        return GDYN_OK;
    bool several = r->settings.reduction == GDYN_REDUCE_NULL && !r->inserts;
    int taken = several ? gdyn_evaluator_poses(r->at.evaluator, track, i, LEAN, e->pose + i) : 0;
    if (taken > 0) {
        r->ahead = i + taken;
        return GDYN_OK;
    }
    gdyn_path_rates rates = gdyn_track_rates(track, i);
    return gdyn_evaluator_pose(r->at.evaluator, track->state[i], &rates, r->settings.reduction,
                               e->pose[i]);
}

/* A sample of what the drives control. Motions at poses that were taken together are those that
 * closing left there. */
static gdyn_status watch_point(runner *r, const gdyn_track *track, int i) {
    const double *known = i < r->ahead ? gdyn_track_known(track, i) : NULL;
    return gdyn_singularity_finder_point(r->finder, i, known);
}

/* Everything at one point: reach and margin, coefficients, region, criteria of the pose. */
static gdyn_status evaluate_point(gdyn_evaluation *e, runner *r, int i) {
    const gdyn_track *track = e->track;
    const gdyn_state *state = track->state[i];
    gdyn_criteria *own = e->lean ? &r->own : &e->point[i];
    /* nothing is known where the machine cannot be */
    forget(e->region[i]);
    *own = gdyn_criteria_none();
    own->value[GDYN_CRITERION_REACH] = track->status[i] == GDYN_POINT_OK;
    if (track->status[i] == GDYN_POINT_OK || track->status[i] == GDYN_POINT_RANGE)
        own->value[GDYN_CRITERION_MARGIN] = gdyn_track_margin(track, track->state[i]);
    bool watched = !r->inserts && !r->settings.few && (r->settings.regions || r->settings.closest);
    /* behind a point that fails the orientation of the free motions begins anew */
    if (track->status[i] != GDYN_POINT_OK)
        return watched ? watch_point(r, track, i) : GDYN_OK;
    /* coefficients, and what they say by themselves */
    gdyn_status status = take_pose(e, r, i);
    if (status)
        return status;
    gdyn_pose_criteria(e->pose[i], own);
    if (e->pose[i]->cut > e->cut) {
        e->cut = e->pose[i]->cut;
        e->cut_effort = e->pose[i]->cut_effort, e->cut_p = track->p[i];
    }
    note_redundancy(r, state, e->pose[i]);
    /* what the drives control, the region, then the criteria of the pose */
    status = watched ? watch_point(r, track, i) : GDYN_OK;
    if (status)
        return status;
    status = r->settings.regions ? evaluate_region(e, r, i, own) : GDYN_OK;
    if (status || !r->settings.local)
        return status;
    gdyn_path_evaluate(r->at.path, track->p[i], r->targets);
    status = local_criteria(&r->at, state, r->targets, e->pose[i], own);
    if (!status)
        gdyn_local_fold(own, &e->criteria);
    return status;
}

/* --- between the points ----------------------------------------------------------------------- */

/* Makes what places between the points need, where there are such places. */
static gdyn_status open_between(runner *r) {
    gdyn_probe *at = &r->at;
    if (at->place)
        return GDYN_OK;
    at->place = gdyn_path_place_borrow(at->path, at->track, r->closure);
    at->pose = gdyn_pose_create(gdyn_state_model(at->track->state[0]));
    return at->place && at->pose ? GDYN_OK : GDYN_ERROR_MEMORY;
}

/* Coefficients where the place stands; before: joints that turn there are seen from before p. */
static gdyn_status take_coefficients(gdyn_probe *at, gdyn_reduction reduction, bool before) {
    gdyn_path_place *place = at->place;
    /* joints that do not move have exact zero rates */
    gdyn_track_rest(at->track, place->u_p, place->u_pp);
    gdyn_path_rates rates = gdyn_track_rates_at(at->track, place->p, place->u_p, place->u_pp);
    rates.before = rates.before && before;
    return gdyn_evaluator_pose(at->evaluator, place->state, &rates, reduction, at->pose);
}

/* The same at p. */
static gdyn_status pose_between(runner *r, double p) {
    gdyn_status status = gdyn_path_place_at(r->at.place, p);
    return status || r->at.place->status == GDYN_POINT_UNASSEMBLED
               ? status
               : take_coefficients(&r->at, r->settings.reduction, false);
}

/* The pose criteria at the singular places between the points belong to the worst ones. */
static gdyn_status fold_singular(gdyn_evaluation *e, runner *r) {
    /* only where there are such places are poses between points needed */
    gdyn_status status = e->singular.count > 0 ? open_between(r) : GDYN_OK;
    for (int i = 0; i < e->singular.count && !status; i++) {
        /* criteria at the place, folded like those of a point */
        gdyn_criteria local = gdyn_criteria_none();
        if (e->singular.at[i].constraints)
            continue;
        status = pose_between(r, e->singular.at[i].from);
        if (!status)
            status = local_criteria(&r->at, r->at.place->state, r->at.place->targets, r->at.pose,
                                    &local);
        if (!status)
            gdyn_local_fold(&local, &e->criteria);
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

/* At the edge of a dwell or of a cusp the machine neither moves nor begins to: no force there
 * depends on d1 and d2 but by rounding. */
static bool stands_still(const gdyn_probe *at) {
    const gdyn_track *track = at->track;
    size_t n = (size_t)track->n, all = n * (size_t)track->points;
    double span = fabs(track->p[track->points - 1] - track->p[0]);
    double here = fmax(largest(at->place->u_p, n), span * largest(at->place->u_pp, n));
    return here < STILL * largest(track->u_p, all);
}

/* Where dry friction changes at once between two points, the regions on both sides of the change
 * belong to the path as those of its points do. */
static gdyn_status fold_reversals(gdyn_evaluation *e, runner *r) {
    gdyn_reversals reversals = {0};
    /* without dry friction or bounds of the speed nothing changes at once */
    if (gdyn_pace_friction_count(gdyn_state_model(e->track->state[0])) == 0 &&
        gdyn_path_definition(r->at.path)->speeds == 0)
        return GDYN_OK;
    gdyn_status status = open_between(r);
    /* where joints reverse between the points */
    if (!status)
        status = gdyn_reversals_find(r->at.place, &reversals);
    /* both sides of every change: just before, and from it on */
    for (int i = 0; i < 2 * reversals.count && !status; i++) {
        double at = reversals.p[i / 2] - (i % 2 ? 0 : reversals.near);
        status = pose_between(r, at);
        if (status || r->at.place->status != GDYN_POINT_OK || stands_still(&r->at))
            continue;
        /* their regions join the intersection */
        status = gdyn_access_region(r->at.access, &r->at.pose->coefficients, r->settings.projection,
                                    r->at.region);
        if (!status)
            status = gdyn_region_fold_between(&r->fold, r->at.region);
    }
    gdyn_reversals_free(&reversals);
    return status;
}

/* --- further points --------------------------------------------------------------------------- */

/* The present pose of the place becomes a point; its number, -1 when memory is out. */
static int add_point(gdyn_evaluation *e, const runner *r) {
    gdyn_region *region = gdyn_region_create();
    gdyn_pose *pose = gdyn_pose_create(gdyn_state_model(e->track->state[0]));
    int points = e->track->points, same[2] = {e->capacity, e->capacity};
    bool room = region && pose &&
                gdyn_reserve(&e->region, &same[0], points + 1, sizeof *e->region) &&
                gdyn_reserve(&e->pose, &same[1], points + 1, sizeof *e->pose) &&
                gdyn_reserve(&e->point, &e->capacity, points + 1, sizeof *e->point);
    int i = room ? gdyn_track_insert(e->track, r->at.place) : -1;
    if (i < 0) {
        gdyn_region_destroy(region);
        gdyn_pose_destroy(pose);
        return -1;
    }
    size_t rest = (size_t)(e->track->points - 1 - i);
    memmove(e->region + i + 1, e->region + i, rest * sizeof *e->region);
    memmove(e->pose + i + 1, e->pose + i, rest * sizeof *e->pose);
    memmove(e->point + i + 1, e->point + i, rest * sizeof *e->point);
    e->region[i] = region, e->pose[i] = pose;
    return i;
}

/* The place at p becomes a point and is evaluated like the others. */
static gdyn_status insert_point(gdyn_evaluation *e, runner *r, double p) {
    gdyn_track *track = e->track;
    gdyn_status status = gdyn_path_place_at(r->at.place, p);
    int i = status ? -1 : add_point(e, r);
    if (i < 0)
        return status ? status : GDYN_ERROR_MEMORY;
    size_t first = (size_t)track->n * (size_t)i;
    gdyn_track_rest(track, track->u_p + first, track->u_pp + first);
    return evaluate_point(e, r, i);
}

/* The criteria that are asked for have a value: every point is followed and, for regions, leaves
 * something accessible. */
static bool passable(const gdyn_evaluation *e, const runner *r) {
    bool open = r->fold.empty == 0 && !gdyn_singularities_block(&e->singular, -INFINITY, INFINITY);
    const bool *wanted = r->settings.wanted;
    bool regions = !wanted && r->settings.regions;
    for (int c = 0; wanted && c < GDYN_CRITERIA; c++)
        regions = regions || (wanted[c] && gdyn_criterion_table[c].pass & REGION_PASSES);
    return e->track->reach >= 1 && (open || !regions);
}

/* The criteria of all regions so far. */
static gdyn_status take_regions(gdyn_evaluation *e, runner *r) {
    if (!r->settings.regions)
        return GDYN_OK;
    bool blocked = gdyn_singularities_block(&e->singular, -INFINITY, INFINITY) != NULL;
    gdyn_status status = gdyn_region_fold_end(&r->fold);
    if (r->fold.points > 0 && (status || blocked))
        forget(e->common);
    gdyn_region_fold_values(&r->fold, blocked, &e->criteria);
    if (gdyn_path_definition(r->at.path)->tolerance > 0 && r->fold.points > 0)
        e->criteria.value[GDYN_CRITERION_AREA_MEAN] =
            gdyn_regions_mean(e->track->points, e->track->p, (const gdyn_region *const *)e->region);
    return status;
}

/* Inserts points until the criteria are known to the path's tolerance. */
static gdyn_status refine(gdyn_evaluation *e, runner *r) {
    double tolerance = gdyn_path_definition(r->at.path)->tolerance;
    const double *p = NULL;
    const bool *wanted = r->settings.wanted;
    gdyn_adapt *adapt =
        gdyn_adapt_create(wanted, r->settings.wanted_alone, tolerance, e->track->points);
    gdyn_status status = adapt ? open_between(r) : GDYN_ERROR_MEMORY;
    r->inserts = true;
    for (int count = 1; !status && count > 0 && passable(e, r);) {
        count = gdyn_adapt_look(adapt, e, &p);
        for (int i = 0; i < count && !status; i++)
            status = insert_point(e, r, p[i]);
        if (!status && count > 0)
            status = take_regions(e, r);
    }
    gdyn_adapt_destroy(adapt);
    for (int c = 0; gdyn_path_hides(r->at.path) && c < GDYN_CRITERIA; c++)
        if (!isnan(e->error.value[c]))
            e->error.value[c] = INFINITY;
    return status;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Where the drives lose control of a freedom, and how near they come to it. */
static gdyn_status find_singular(gdyn_evaluation *e, runner *r) {
    bool closest = r->settings.closest;
    if (r->settings.few || (!r->settings.regions && !closest))
        return GDYN_OK;
    gdyn_status status = gdyn_singularity_finder_finish(r->finder, &e->singular);
    if (closest) {
        e->criteria.value[GDYN_CRITERION_SINGULARITY] = e->singular.least;
        e->criteria.passes |= GDYN_PASS_APPROACH;
    }
    return status;
}

/* All points in order, then the criteria of the whole path. */
static gdyn_status run_points(gdyn_evaluation *e, runner *r) {
    /* joints that do not move along the path have exact zeros */
    for (size_t i = 0; i < (size_t)e->track->points; i++) {
        size_t first = (size_t)e->track->n * i;
        gdyn_track_rest(e->track, e->track->u_p + first, e->track->u_pp + first);
    }
    for (int i = 0; i < e->track->points; i++) {
        gdyn_status status = evaluate_point(e, r, i);
        if (status)
            return status;
    }
    gdyn_status status = find_singular(e, r);
    /* changes of friction and singular places between them */
    bool folded = r->settings.regions && r->fold.points > 0 && !r->settings.few;
    if (!status && folded)
        status = fold_reversals(e, r);
    if (!status && folded && r->settings.local)
        status = fold_singular(e, r);
    if (!status)
        status = take_regions(e, r);
    if (!status && gdyn_path_definition(r->at.path)->tolerance > 0 && !r->settings.few &&
        passable(e, r))
        status = refine(e, r);
    /* criteria that need no region */
    e->criteria.value[GDYN_CRITERION_REDUNDANCY] = r->redundancy < 0 ? 0 : r->redundancy;
    e->criteria.value[GDYN_CRITERION_REDUNDANT_CONSTRAINTS] = r->redundant;
    e->criteria.value[GDYN_CRITERION_REACH] = e->track->reach;
    e->criteria.value[GDYN_CRITERION_MARGIN] = gdyn_track_margin(e->track, NULL);
    e->criteria.passes |= GDYN_PASS_TRACK;
    return status;
}

/* Workspaces at any place; false: memory. */
static bool open_probe(gdyn_probe *at, const gdyn_path *path, const gdyn_track *track) {
    const gdyn_model *model = gdyn_state_model(track->state[0]);
    at->path = path, at->track = track;
    at->evaluator = gdyn_evaluator_create(model);
    at->access =
        gdyn_access_create(gdyn_pose_capacity(model), gdyn_pose_efforts(model), MOST_EQUALITIES);
    at->region = gdyn_region_create();
    return at->evaluator && at->access && at->region;
}

/* Safe on what was partly opened. */
static void close_probe(gdyn_probe *at) {
    gdyn_evaluator_destroy(at->evaluator);
    gdyn_access_destroy(at->access);
    gdyn_region_destroy(at->region);
    gdyn_path_place_destroy(at->place);
    gdyn_pose_destroy(at->pose);
}

gdyn_status gdyn_evaluation_run(gdyn_evaluation *e, const gdyn_path *path,
                                const gdyn_evaluation_settings *settings) {
    const gdyn_model *model = gdyn_state_model(e->track->state[0]);
    runner r = {.settings = settings ? *settings : gdyn_evaluation_default(), .redundancy = -1};
    /* criteria are folded from point to point */
    e->criteria = e->error = gdyn_criteria_none();
    gdyn_closure *lent = r.settings.closure;
    r.closure = lent ? lent : gdyn_closure_create(model, gdyn_path_targets(path));
    r.targets = gdyn_alloc((size_t)gdyn_path_targets(path) + 1, sizeof *r.targets);
    bool ok = open_probe(&r.at, path, e->track) && gdyn_region_fold_open(&r.fold, e->common);
    if (ok)
        r.finder =
            gdyn_singularity_finder_create(path, e->track, r.at.evaluator, r.settings.closest);
    gdyn_status status = r.finder && r.closure && r.targets ? GDYN_OK : GDYN_ERROR_MEMORY;
    /* the machine along the path, unless it was followed, then what its drives can do there */
    if (e->follows)
        e->track->brief = r.settings.brief;
    if (!status && e->follows)
        status = gdyn_track_follow(e->track, path, r.closure, r.settings.start);
    if (!status && !e->track->left)
        status = run_points(e, &r);
    gdyn_singularity_finder_destroy(r.finder);
    gdyn_region_fold_close(&r.fold);
    close_probe(&r.at);
    gdyn_free(r.targets);
    if (!lent)
        gdyn_closure_destroy(r.closure);
    return status;
}

/* --- at any p -------------------------------------------------------------------------------- */

gdyn_probe *gdyn_probe_create(const gdyn_path *path, const gdyn_evaluation *evaluation) {
    gdyn_probe *probe = gdyn_alloc(1, sizeof *probe);
    if (!probe)
        return NULL;
    bool ok = open_probe(probe, path, evaluation->track);
    probe->place = gdyn_path_place_create(path, evaluation->track);
    probe->pose = gdyn_pose_create(gdyn_state_model(evaluation->track->state[0]));
    if (ok && probe->place && probe->pose)
        return probe;
    gdyn_probe_destroy(probe);
    return NULL;
}

void gdyn_probe_destroy(gdyn_probe *probe) {
    if (probe)
        close_probe(probe);
    gdyn_free(probe);
}

/* Region and criteria where the machine stands. */
static gdyn_status evaluate(gdyn_probe *at, const gdyn_evaluation_settings *settings,
                            gdyn_criteria *criteria) {
    gdyn_status status = take_coefficients(at, settings->reduction, true);
    if (!status)
        status = gdyn_access_region(at->access, &at->pose->coefficients, settings->projection,
                                    at->region);
    if (status)
        return status;
    gdyn_pose_criteria(at->pose, criteria);
    gdyn_region_criteria(at->region, criteria);
    criteria->value[GDYN_CRITERION_CIRCUITS] = gdyn_access_circuits(at->access);
    return settings->local
               ? local_criteria(at, at->place->state, at->place->targets, at->pose, criteria)
               : GDYN_OK;
}

/* What is asked at p; the answer's status says how far it came. */
gdyn_status gdyn_probe_at(gdyn_probe *probe, double p, const gdyn_evaluation_settings *settings,
                          gdyn_probed *answer) {
    gdyn_path_place *at = probe->place;
    /* the last answer is gone */
    gdyn_region_clear(probe->region, GDYN_REGION_UNKNOWN);
    gdyn_status status = gdyn_path_place_at(at, p);
    *answer = (gdyn_probed){.status = at->status,
                            .region = probe->region,
                            .criteria = gdyn_criteria_none(),
                            .state = at->state,
                            .error = at->error};
    /* reach and margin are known even without a region */
    answer->criteria.value[GDYN_CRITERION_REACH] = at->status == GDYN_POINT_OK;
    if (at->status == GDYN_POINT_OK || at->status == GDYN_POINT_RANGE)
        answer->criteria.value[GDYN_CRITERION_MARGIN] = gdyn_track_margin(at->track, at->state);
    return status == GDYN_OK && at->status == GDYN_POINT_OK
               ? evaluate(probe, settings, &answer->criteria)
               : status;
}
