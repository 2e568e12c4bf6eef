/* limits.c - limit rows of machines and files, and where the case states their limits. */
#include "cli/limits.h"

#include "access/evaluate.h"

#include <string.h>

gdyn_limited_row gdyn_limited_row_of(const gdyn_instance *instance, int row, int effort) {
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

gdyn_limited_row gdyn_limited_row_of_file(const char *name, gdyn_dimension force) {
    const char *unit = gdyn_dimension_fits(force, GDYN_DIM_TORQUE) ? "N m" : "N";
    return (gdyn_limited_row){
        .name = name, .quantity = "force", .unit = force.known ? unit : "", .drive = -1};
}

const gdyn_drive_source *gdyn_limit_source(const gdyn_opened *opened,
                                           const gdyn_limited_row *owner) {
    bool driven = opened && owner && owner->drive >= 0;
    return driven && owner->drive < opened->instance->drive_count
               ? &opened->instance->drive_source[owner->drive]
               : NULL;
}

void gdyn_print_limit_line(FILE *out, const gdyn_opened *opened, const gdyn_limited_row *owner,
                           gdyn_limit limit) {
    const gdyn_drive_source *source = gdyn_limit_source(opened, owner);
    int line = !source                          ? 0
               : limit.kind == GDYN_LIMIT_SPEED ? source->speed_line
               : owner->curve                   ? source->curve_line
               : limit.side > 0                 ? source->max_line
                                                : source->min_line;
    if (line > 0) {
        const char *slash = strrchr(source->file, '/');
        fprintf(out, "   (%s:%d)", slash ? slash + 1 : source->file, line);
    }
}
