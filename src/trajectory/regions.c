/* regions.c - the regions of a trajectory: at the points of its path or table, and at others. */
#include "trajectory/store.h"

#include "access/fold.h"
#include "access/probe.h"
#include "clearance/clearance.h"

#include <assert.h>
#include <math.h>

/* --- of a machine ----------------------------------------------------------------------------- */

/* A path that is followed nowhere has no rows. */
static gdyn_status name_limits(gdyn_trajectory *t) {
    return t->track->followed > 0 ? gdyn_trajectory_name_limits(t) : GDYN_OK;
}

/* Word for a point and the region there. */
static const char *word_of(gdyn_point_status found, const gdyn_region *region) {
    return found == GDYN_POINT_OK ? gdyn_region_status_name(region->status)
                                  : gdyn_point_status_name(found);
}

/* How near the shapes come to each other. */
static gdyn_status approach_shapes(gdyn_trajectory *t) {
    gdyn_near near;
    if (gdyn_model_shapes(t->instance->model) < 2)
        return GDYN_OK;
    gdyn_clearance *clearance = gdyn_clearance_create(t->instance->model);
    gdyn_status status =
        clearance ? gdyn_clearance_along(clearance, t->path, t->track, &near) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && near.first >= 0)
        t->criteria.value[GDYN_CRITERION_CLEARANCE] = near.distance;
    t->criteria.passes |= GDYN_PASS_CLEARANCE;
    gdyn_clearance_destroy(clearance);
    return status;
}

static gdyn_status of_path(gdyn_trajectory *t, const gdyn_evaluation_settings *settings) {
    /* All poses, regions and criteria of the path. */
    const gdyn_model *model = t->instance->model;
    gdyn_evaluation *evaluation = settings->lean ? gdyn_evaluation_create_lean(model, t->path)
                                                 : gdyn_evaluation_create(model, t->path);
    t->store->evaluation = evaluation;
    gdyn_status status =
        evaluation ? gdyn_evaluation_run(evaluation, t->path, settings) : GDYN_ERROR_MEMORY;
    if (status != GDYN_OK)
        return status;
    t->evaluation = evaluation;
    t->track = evaluation->track;
    /* A word for every point. */
    const char **word =
        gdyn_arena_alloc(t->store->arena, (size_t)t->track->points + 1, sizeof *word);
    if (!word)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < t->track->points; i++)
        word[i] = word_of(t->track->status[i], evaluation->region[i]);
    /* The report points into the evaluation. */
    t->along = (gdyn_region_points){.points = t->track->points,
                                    .p = t->track->p,
                                    .region = (const gdyn_region *const *)evaluation->region,
                                    .status = word,
                                    .error = t->track->error};
    t->entered_p = t->track->entered_p;
    t->common = evaluation->common;
    t->singular = &evaluation->singular;
    t->error = gdyn_path_definition(t->path)->tolerance > 0 ? &evaluation->error : NULL;
    t->criteria = evaluation->criteria;
    /* Closest approaches cost more: only where they are asked for. */
    if (settings->closest)
        t->criteria.value[GDYN_CRITERION_CONSTRAINT_SINGULARITY] = evaluation->singular.least_rank;
    status = settings->closest ? approach_shapes(t) : GDYN_OK;
    return status == GDYN_OK ? name_limits(t) : status;
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

gdyn_status gdyn_trajectory_regions(gdyn_trajectory *t, const gdyn_evaluation_settings *settings) {
    return t->path ? of_path(t, settings) : of_table(t, settings->projection);
}

static gdyn_status take_place(gdyn_probe *probe, const own *o, int i, double p,
                              const gdyn_evaluation_settings *settings) {
    gdyn_probed found;
    gdyn_status status = gdyn_probe_at(probe, p, settings, &found);
    if (status != GDYN_OK)
        return status;
    o->p[i] = p;
    o->error[i] = found.error;
    o->word[i] = word_of(found.status, found.region);
    return gdyn_region_copy(o->region[i], found.region);
}

gdyn_status gdyn_trajectory_regions_at(gdyn_trajectory *t, int count, const double *p,
                                       const gdyn_evaluation_settings *settings) {
    assert(t->path && t->evaluation); /* of a machine, after its regions */
    gdyn_trajectory_store *store = t->store;
    own o;
    /* The probe leads the pose from the nearest point of the path. */
    gdyn_probe *probe = gdyn_probe_create(t->path, t->evaluation);
    gdyn_status status = probe && reserve(store->arena, count, &o, &store->own_at, &store->at)
                             ? GDYN_OK
                             : GDYN_ERROR_MEMORY;
    for (int i = 0; i < count && status == GDYN_OK; i++)
        status = take_place(probe, &o, i, p[i], settings);
    if (status == GDYN_OK)
        t->at = (gdyn_region_points){.points = count,
                                     .p = o.p,
                                     .region = (const gdyn_region *const *)o.region,
                                     .status = o.word,
                                     .error = o.error};
    gdyn_probe_destroy(probe);
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
    bool blocked = t->at.points == 0 && t->singular &&
                   gdyn_singularities_block(t->singular, -INFINITY, INFINITY);
    for (int i = 0; i < shown->points && !blocked; i++)
        blocked = shown->region[i]->island_count == 0;
    return !blocked;
}
