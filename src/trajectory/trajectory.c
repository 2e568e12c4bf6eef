/* trajectory.c - opening and closing a trajectory; what its limit rows stand for. */
#include "trajectory/store.h"

#include <math.h>
#include <string.h>

static gdyn_status begin(gdyn_trajectory *t, const gdyn_sink *sink) {
    *t = (gdyn_trajectory){.name = "",
                           .unit = "",
                           .speed_row = -1,
                           .settings = gdyn_evaluation_default(),
                           .planning = gdyn_traverse_default(),
                           .followed.failure_p = NAN,
                           .near = gdyn_near_none(),
                           .criteria = gdyn_criteria_none()};
    t->store = gdyn_alloc(1, sizeof *t->store);
    if (!t->store)
        return GDYN_ERROR_MEMORY;
    t->store->sink = sink ? *sink : (gdyn_sink){0};
    t->store->arena = gdyn_arena_create();
    return t->store->arena ? GDYN_OK : GDYN_ERROR_MEMORY;
}

gdyn_status gdyn_trajectory_open_path(gdyn_trajectory *t, const gdyn_model *model,
                                      const gdyn_path_def *def, const gdyn_sink *sink) {
    gdyn_status status = begin(t, sink);
    t->model = model;
    t->name = def->name;
    t->unit = gdyn_path_unit_of_p(def);
    t->dimension = gdyn_path_dimension_of_p(def);
    if (status == GDYN_OK)
        status = gdyn_path_create(model, def, sink, &t->store->path);
    t->path = t->store ? t->store->path : NULL;
    return status;
}

gdyn_status gdyn_trajectory_open(gdyn_trajectory *t, const gdyn_instance *instance, int number,
                                 const gdyn_sink *sink) {
    gdyn_status status =
        gdyn_trajectory_open_path(t, instance->model, &instance->trajectory[number], sink);
    t->instance = instance;
    return status;
}

static gdyn_limited_row row_of_table(const gdyn_coefficient_points *table, int row) {
    gdyn_dimension force = table->force_dimension;
    const char *unit = !force.known                                  ? table->unit[row]
                       : gdyn_dimension_fits(force, GDYN_DIM_TORQUE) ? "N m"
                                                                     : "N";
    gdyn_limited_row limits = {
        .name = table->drive[row], .quantity = "force", .unit = unit, .drive = -1};
    /* further rows of a drive are lines of its curve */
    for (int i = 0; i < row; i++)
        limits.curve |= strcmp(table->drive[i], limits.name) == 0;
    return limits;
}

gdyn_status gdyn_trajectory_open_table(gdyn_trajectory *t, const char *filename, int number,
                                       const gdyn_sink *sink) {
    gdyn_status status = begin(t, sink);
    if (status != GDYN_OK)
        return status;
    gdyn_coefficient_points *table = &t->store->table;
    t->store->filename = filename;
    status = gdyn_coefficient_points_read(table, t->store->arena, filename, number, sink);
    if (status != GDYN_OK)
        return status;
    /* Each drive of the table is a limit row without a machine behind it. */
    gdyn_limited_row *row = gdyn_arena_alloc(t->store->arena, (size_t)table->k, sizeof *row);
    if (!row)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < table->k; i++)
        row[i] = row_of_table(table, i);
    t->name = table->trajectory ? table->trajectory : "coefficients";
    t->tables = table->trajectories;
    t->dimension = table->p_dimension;
    t->unit = gdyn_path_unit_of_dimension(t->dimension);
    t->rows = table->k;
    t->row = row;
    return GDYN_OK;
}

/* A limit row, of a drive or of static friction. */
static gdyn_limited_row row_of_machine(const gdyn_instance *instance, int row, int effort) {
    /* Efforts beyond the drives are static friction. */
    const gdyn_model *model = instance->model;
    int stiction = effort - gdyn_model_drives(model);
    gdyn_limited_row limits = {.name = gdyn_model_effort_name(model, effort),
                               .quantity = "",
                               .drive = effort,
                               .curve = row >= gdyn_pose_efforts(model)};
    if (stiction < 0) {
        limits.quantity = instance->drive_source[effort].quantity;
        limits.unit = instance->drive_source[effort].unit;
    } else {
        limits.unit = gdyn_model_stiction_slides(model, stiction) ? "N" : "N m";
    }
    return limits;
}

gdyn_status gdyn_trajectory_name_rows(gdyn_trajectory *t, int rows,
                                      int (*effort_of)(const void *context, int row),
                                      const void *context) {
    if (t->row || !t->instance)
        return GDYN_OK;
    gdyn_limited_row *row = gdyn_arena_alloc(t->store->arena, (size_t)rows + 1, sizeof *row);
    if (!row)
        return GDYN_ERROR_MEMORY;
    /* A row for each limit, with the name and unit of its effort. */
    for (int i = 0; i < rows; i++)
        row[i] = row_of_machine(t->instance, i, effort_of(context, i));
    t->rows = rows;
    t->row = row;
    return GDYN_OK;
}

static void destroy_regions(gdyn_region **region, int count) {
    for (int i = 0; i < count; i++)
        gdyn_region_destroy(region[i]);
}

void gdyn_trajectory_close(gdyn_trajectory *t) {
    /* Parts that point to others go first. */
    gdyn_trajectory_store *store = t->store;
    if (store) {
        destroy_regions(store->own_along, store->along);
        destroy_regions(store->own_at, store->at);
        gdyn_region_destroy(store->common);
        gdyn_probe_destroy(store->probe);
        gdyn_traverse_destroy(store->traverse);
        gdyn_path_dynamics_destroy(t->dynamics);
        gdyn_shared_clear(&t->shared);
        gdyn_evaluation_destroy(store->evaluation);
        gdyn_singularities_free(&store->singular);
        gdyn_track_destroy(store->track);
        gdyn_closure_destroy(store->closure);
        gdyn_path_destroy(store->path);
        gdyn_arena_destroy(store->arena);
        gdyn_free(store);
    }
    *t = (gdyn_trajectory){0};
}
