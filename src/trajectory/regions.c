/* regions.c - the sweep over the points of a trajectory: regions, criteria, singular places;
 * regions of a table, and at other places. */
#include "trajectory/internal.h"

#include "access/folding.h"
#include "access/evaluate.h"
#include "access/analysis.h"

#include <assert.h>
#include <math.h>

/* --- of a machine ----------------------------------------------------------------------------- */

const gdyn_track *gdyn_trajectory_points(const gdyn_trajectory *t) {
    return t->evaluation ? t->evaluation->track : t->track;
}

static const char *word_of(gdyn_point_status found, const gdyn_region *region) {
    return found == GDYN_POINT_OK ? gdyn_region_status_name(region->status)
                                  : gdyn_point_status_name(found);
}

/* The regions of all points, with a word for each. */
static gdyn_status take_regions(gdyn_trajectory *t) {
    const gdyn_evaluation *evaluation = t->evaluation;
    const gdyn_track *track = evaluation->track;
    const char **word = gdyn_arena_alloc(t->store->arena, (size_t)track->points + 1, sizeof *word);
    if (!word)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < track->points; i++)
        word[i] = word_of(track->status[i], evaluation->region[i]);
    t->along = (gdyn_region_points){.points = track->points,
                                    .p = track->p,
                                    .region = (const gdyn_region *const *)evaluation->region,
                                    .status = word,
                                    .error = track->error};
    t->entered_p = track->entered_p, t->common = evaluation->common;
    return t->track->followed > 0 ? gdyn_trajectory_name_limits(t) : GDYN_OK;
}

static void take_singular(gdyn_trajectory *t, const gdyn_singularities *singular, bool closest) {
    t->singular = singular;
    if (!closest)
        return;
    t->criteria.value[GDYN_CRITERION_SINGULARITY] = singular->least;
    t->criteria.value[GDYN_CRITERION_CONSTRAINT_SINGULARITY] = singular->least_rank;
    t->criteria.passes |= GDYN_PASS_APPROACH;
}

/* All that is wanted of the points of a path, in one go. */
static gdyn_status sweep_path(gdyn_trajectory *t, unsigned passes) {
    gdyn_evaluation_settings settings = t->settings;
    passes |= t->known & (GDYN_PASS_REGIONS | GDYN_PASS_LOCAL);
    settings.regions = passes & GDYN_PASS_REGIONS;
    settings.local = passes & GDYN_PASS_LOCAL;
    settings.closest = passes & GDYN_PASS_APPROACH;
    gdyn_evaluation *evaluation = gdyn_evaluation_over(t->store->track, t->path, settings.lean);
    gdyn_evaluation_destroy(t->store->evaluation);
    t->store->evaluation = evaluation;
    gdyn_status status = gdyn_trajectory_closure(t, &settings.closure);
    status = !evaluation         ? GDYN_ERROR_MEMORY
             : status == GDYN_OK ? gdyn_evaluation_run(evaluation, t->path, &settings)
                                 : status;
    if (status != GDYN_OK)
        return status;
    t->evaluation = evaluation;
    t->error = gdyn_path_definition(t->path)->tolerance > 0 ? &evaluation->error : NULL;
    /* what is known of criteria by now is kept */
    for (int i = 0; i < GDYN_CRITERIA; i++)
        if (!isnan(evaluation->criteria.value[i]))
            t->criteria.value[i] = evaluation->criteria.value[i];
    t->criteria.passes |= evaluation->criteria.passes;
    if (settings.closest || (settings.regions && !(t->known & GDYN_PASS_APPROACH)))
        take_singular(t, &evaluation->singular, settings.closest);
    return settings.regions ? take_regions(t) : GDYN_OK;
}

/* --- own regions ------------------------------------------------------------------------------ */

/* Arrays of points that are filled one by one. */
typedef struct own {
    double *p, *error;
    const char **word;
    gdyn_region **region;
} own;

/* *made counts the regions, for the report to destroy. */
static bool reserve(gdyn_arena *arena, int points, own *o, gdyn_region ***list, int *made) {
    size_t n = (size_t)points + 1;
    o->p = gdyn_arena_alloc(arena, n, sizeof *o->p);
    o->error = gdyn_arena_alloc(arena, n, sizeof *o->error);
    o->word = gdyn_arena_alloc(arena, n, sizeof *o->word);
    o->region = gdyn_arena_alloc(arena, n, sizeof *o->region);
    *list = o->region;
    if (!o->p || !o->error || !o->word || !o->region)
        return false;
    for (*made = 0; *made < points; ++*made)
        if (!(o->region[*made] = gdyn_region_create()))
            return false;
    return true;
}

static gdyn_status of_table(gdyn_trajectory *t, gdyn_projection projection) {
    gdyn_trajectory_store *store = t->store;
    /* Regions of a table: one projection per point, no path. */
    const gdyn_coefficient_points *table = &store->table;
    own o;
    gdyn_status status = GDYN_ERROR_MEMORY;
    gdyn_access *access = gdyn_access_create(table->k, table->q[0].r, table->equalities);
    store->common = gdyn_region_create();
    if (access && store->common &&
        reserve(store->arena, table->points, &o, &store->own_along, &store->along))
        status = GDYN_OK;
    for (int i = 0; i < table->points && status == GDYN_OK; i++) {
        status = gdyn_access_region(access, &table->q[i], projection, o.region[i]);
        o.word[i] = gdyn_region_status_name(o.region[i]->status);
    }
    gdyn_access_destroy(access);
    /* A table has no path: only criteria of regions. */
    t->criteria = gdyn_criteria_none();
    if (status != GDYN_OK)
        return status;
    t->along = (gdyn_region_points){.points = table->points,
                                    .p = table->p,
                                    .region = (const gdyn_region *const *)o.region,
                                    .status = o.word};
    t->common = store->common;
    return gdyn_regions_criteria(table->points, t->along.region, store->common, &t->criteria);
}

gdyn_status gdyn_trajectory_sweep(gdyn_trajectory *t, unsigned passes) {
    if (!t->path)
        return of_table(t, t->settings.projection);
    if (passes != GDYN_PASS_APPROACH)
        return sweep_path(t, passes);
    /* Singular places by themselves: nothing else is asked of the points. */
    gdyn_evaluator *evaluator = gdyn_evaluator_create(t->model);
    gdyn_status status =
        evaluator ? gdyn_singularities_find(t->path, t->track, evaluator, &t->store->singular)
                  : GDYN_ERROR_MEMORY;
    gdyn_evaluator_destroy(evaluator);
    take_singular(t, &t->store->singular, true);
    return status;
}

gdyn_status gdyn_trajectory_probe(gdyn_trajectory *t, double p, gdyn_probed *found) {
    assert(t->path && t->evaluation); /* of a machine, after its regions */
    /* It leads the pose from the nearest point of the path. */
    if (!t->store->probe)
        t->store->probe = gdyn_probe_create(t->path, t->evaluation);
    return t->store->probe ? gdyn_probe_at(t->store->probe, p, &t->settings, found)
                           : GDYN_ERROR_MEMORY;
}

gdyn_status gdyn_trajectory_regions_at(gdyn_trajectory *t, int count, const double *p) {
    gdyn_trajectory_store *store = t->store;
    own o;
    gdyn_status status =
        reserve(store->arena, count, &o, &store->own_at, &store->at) ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < count && status == GDYN_OK; i++) {
        gdyn_probed found;
        status = gdyn_trajectory_probe(t, p[i], &found);
        if (status != GDYN_OK)
            return status;
        o.p[i] = p[i], o.error[i] = found.error;
        o.word[i] = word_of(found.status, found.region);
        status = gdyn_region_copy(o.region[i], found.region);
    }
    if (status == GDYN_OK)
        t->at = (gdyn_region_points){.points = count,
                                     .p = o.p,
                                     .region = (const gdyn_region *const *)o.region,
                                     .status = o.word,
                                     .error = o.error};
    return status;
}

void gdyn_trajectory_drop_poses(gdyn_trajectory *t) {
    gdyn_evaluation *evaluation = t->store->evaluation;
    if (evaluation && evaluation->track->first_failure < 0 && gdyn_trajectory_accessible(t))
        gdyn_track_drop_poses(evaluation->track);
}

bool gdyn_trajectory_accessible(const gdyn_trajectory *t) {
    /* Places that were asked for answer for themselves. */
    const gdyn_region_points *shown = t->at.points > 0 ? &t->at : &t->along;
    bool blocked = t->at.points == 0 && !isnan(gdyn_trajectory_blocked(t));
    for (int i = 0; i < shown->points && !blocked; i++)
        blocked = shown->region[i]->island_count == 0;
    return !blocked;
}
