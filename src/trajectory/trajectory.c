/* trajectory.c - opening and closing a trajectory; what its limit rows stand for. */
#include "trajectory/internal.h"

#include <math.h>
#include <string.h>

static gdyn_status begin(gdyn_trajectory *t, const gdyn_sink *sink) {
    *t = (gdyn_trajectory){.name = "",
                           .unit = "",
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
    t->model = model, t->name = def->name;
    t->unit = gdyn_path_unit_of_p(def);
    t->dimension = gdyn_path_dimension_of_p(def);
    status = status == GDYN_OK ? gdyn_path_create(model, def, sink, &t->store->path) : status;
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

static gdyn_limited row_of_table(const gdyn_coefficient_points *table, int row) {
    gdyn_dimension force = table->force_dimension;
    const char *unit = !force.known                                  ? table->unit[row]
                       : gdyn_dimension_fits(force, GDYN_DIM_TORQUE) ? "N m"
                                                                     : "N";
    gdyn_limited own = {.kind = &gdyn_limit_kinds[GDYN_LIMIT_KIND_FORCE],
                        .name = table->drive[row],
                        .quantity = "force",
                        .unit = unit,
                        .effort = -1,
                        .value = {NAN, NAN},
                        .rate = table->rate ? table->rate[row] : INFINITY};
    /* further rows of a drive are lines of its curve */
    for (int i = 0; i < row; i++)
        if (strcmp(table->drive[i], own.name) == 0)
            own.kind = &gdyn_limit_kinds[GDYN_LIMIT_KIND_CURVE];
    return own;
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
    gdyn_limited *row = gdyn_arena_alloc(t->store->arena, 2 * (size_t)table->k, sizeof *row);
    if (!row)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < table->k; i++) {
        row[i] = row_of_table(table, i);
        /* the bound of d1 that is given beside it: the speed of its drive */
        gdyn_limited *window = &row[table->k + i];
        *window = row[i];
        window->kind = &gdyn_limit_kinds[GDYN_LIMIT_KIND_SPEED];
        window->quantity = window->kind->quantity;
        window->unit = gdyn_limit_unit(window->kind, row[i].unit);
    }
    t->name = table->trajectory ? table->trajectory : "coefficients";
    t->tables = table->trajectories, t->dimension = table->p_dimension;
    t->unit = gdyn_path_unit_of_dimension(t->dimension);
    t->rows = t->windows = t->lanes = table->k, t->row = row;
    return GDYN_OK;
}

/* What the drive's definition says of the limit. */
static void name_drive(gdyn_arena *arena, const gdyn_instance *instance, int drive,
                       gdyn_limited *own) {
    const gdyn_drive_source *source = &instance->drive_source[drive];
    const gdyn_drive_def *def = gdyn_model_drive(instance->model, drive);
    int kind = (int)(own->kind - gdyn_limit_kinds), line[2] = {source->min_line, source->max_line};
    own->effort = drive;
    own->quantity = own->kind->quantity ? own->kind->quantity : source->quantity;
    own->unit = own->kind->shape == GDYN_LIMIT_ROW ? source->unit
                                                   : gdyn_limit_unit(own->kind, source->unit);
    if (kind == GDYN_LIMIT_KIND_FORCE)
        own->value[0] = def->min, own->value[1] = def->max;
    else if (kind == GDYN_LIMIT_KIND_SPEED)
        own->value[1] = def->speed_max, line[1] = source->speed_line;
    else
        line[0] = line[1] = source->curve_line;
    /* "case.yaml:38" */
    const char *slash = strrchr(source->file, '/'), *file = slash ? slash + 1 : source->file;
    for (int side = 0; side < 2; side++)
        own->source[side] =
            line[side] > 0 ? gdyn_arena_printf(arena, "%s:%d", file, line[side]) : NULL;
}

/* Bounds of d1; over several stretches there is no single number. */
static void name_path(const gdyn_trajectory *t, gdyn_limited *own) {
    const gdyn_path_def *def = gdyn_path_definition(t->path);
    own->quantity = own->kind->quantity;
    own->unit = gdyn_arena_printf(t->store->arena, "%s/s", *t->unit ? t->unit : "1");
    for (int side = 0; side < 2 && def->speeds == 1; side++) {
        double value = side ? def->speed->max : def->speed->min;
        own->value[side] = value > 0 ? value : NAN;
        own->source[side] = def->speed->stated;
    }
}

/* What an item of the table of limits is in the user's terms. */
static gdyn_limited limited_by(const gdyn_trajectory *t, const gdyn_limit_item *item) {
    const gdyn_model *model = t->instance->model;
    gdyn_limited own = {.kind = item->kind,
                        .name = gdyn_limit_item_name(model, item),
                        .quantity = "",
                        .effort = -1,
                        .value = {NAN, NAN}};
    own.rate = gdyn_limit_row_rate(model, item);
    switch (item->kind->of) {
    case GDYN_LIMIT_OF_DRIVE:
        name_drive(t->store->arena, t->instance, item->owner, &own);
        break;
    case GDYN_LIMIT_OF_STICTION:
        own.effort = gdyn_model_drives(model) + item->owner;
        own.unit = item->kind->unit[gdyn_model_stiction_slides(model, item->owner)];
        own.value[1] = gdyn_model_stiction_limit(model, item->owner);
        own.value[0] = -own.value[1];
        break;
    case GDYN_LIMIT_OF_MACHINE: {
        const gdyn_limit_def *def = gdyn_model_limit(model, item->owner);
        own.quantity = item->kind->quantity;
        own.unit = item->kind->unit[gdyn_model_limit_slides(model, item->owner)];
        own.value[1] = def->bound[item->kind->derivative - 1];
        own.value[0] = -own.value[1], own.source[0] = own.source[1] = def->stated;
        break;
    }
    case GDYN_LIMIT_OF_PATH:
        name_path(t, &own);
        break;
    }
    return own;
}

gdyn_status gdyn_trajectory_name_limits(gdyn_trajectory *t) {
    const gdyn_model *model = t->model;
    gdyn_arena *arena = t->store->arena;
    /* known already, or a path by itself */
    if (t->row || !t->instance)
        return GDYN_OK;
    int rows = gdyn_limit_items(model, GDYN_LIMIT_ROW, NULL);
    int windows = gdyn_limit_items(model, GDYN_LIMIT_WINDOW, NULL);
    size_t count = (size_t)(rows + windows);
    gdyn_limit_item *item = gdyn_arena_alloc(arena, count + 1, sizeof *item);
    gdyn_limited *own = gdyn_arena_alloc(arena, count + 1, sizeof *own);
    if (!item || !own)
        return GDYN_ERROR_MEMORY;
    gdyn_limit_items(model, GDYN_LIMIT_ROW, item);
    gdyn_limit_items(model, GDYN_LIMIT_WINDOW, item + rows);
    for (size_t i = 0; i < count; i++)
        own[i] = limited_by(t, &item[i]);
    t->rows = rows, t->windows = windows;
    /* windows share the lanes of rows of the same name */
    t->lanes = rows + (gdyn_path_definition(t->path)->speeds > 0);
    for (int i = 0; i < windows; i++) {
        int lane = gdyn_limit_lane(own, rows, gdyn_limit_window(i, 1));
        if (own[rows + i].kind->of == GDYN_LIMIT_OF_MACHINE && lane >= t->lanes)
            t->lanes = lane + 1;
    }
    t->row = own;
    return gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

void gdyn_trajectory_report(gdyn_trajectory *t, const gdyn_sink *sink) {
    if (t->store)
        t->store->sink = *sink;
}

void gdyn_trajectory_close(gdyn_trajectory *t) {
    /* Parts that point to others go first. */
    gdyn_trajectory_store *store = t->store;
    if (store) {
        for (int i = 0; i < store->along; i++)
            gdyn_region_destroy(store->own_along[i]);
        for (int i = 0; i < store->at; i++)
            gdyn_region_destroy(store->own_at[i]);
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
