/* drive.c - opens trajectories for the commands about motions. */
#include "cli/drive.h"

#include "base/memory.h"
#include "cli/analysis.h"

#include <string.h>

static int open_file(const gdyn_options *options, gdyn_course *course) {
    int code = gdyn_coefficients_supply(options->coefficients, &course->supply, &course->text);
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    course->name = "coefficients";
    course->rows = gdyn_supply_rows(course->supply);
    course->row_name = gdyn_alloc((size_t)course->rows + 1, sizeof *course->row_name);
    for (int i = 0; course->row_name && i < course->rows; i++) {
        course->row_name[i] = course->text[i];
    }
    return course->row_name ? GDYN_EXIT_YES : GDYN_EXIT_INTERNAL;
}

/* Limit rows are known once a point has been evaluated. */
static int name_rows(gdyn_course *course, const gdyn_model *model) {
    const gdyn_coefficients *q;
    gdyn_point_status found = GDYN_POINT_UNASSEMBLED;
    course->row_name =
        gdyn_alloc((size_t)gdyn_supply_rows(course->supply) + 1, sizeof *course->row_name);
    if (!course->row_name) {
        return GDYN_EXIT_INTERNAL;
    }
    for (int i = 0; i < gdyn_supply_points(course->supply) && found != GDYN_POINT_OK; i++) {
        gdyn_status status =
            gdyn_supply_at(course->supply, gdyn_supply_p(course->supply, i), &q, &found);
        if (status != GDYN_OK) {
            return gdyn_exit_code(status);
        }
    }
    course->rows = found == GDYN_POINT_OK ? q->k : 0;
    course->speed_row = found == GDYN_POINT_OK ? q->d1_high_drive : -1;
    for (int i = 0; i < course->rows; i++) {
        course->row_name[i] = gdyn_model_drive(model, gdyn_supply_drive(course->supply, i))->name;
    }
    return GDYN_EXIT_YES;
}

int gdyn_course_open(const gdyn_options *options, gdyn_opened *opened, int trajectory,
                     gdyn_course *course) {
    *course = (gdyn_course){.opened = opened, .unit = "", .speed_row = -1};
    if (!opened) {
        return open_file(options, course);
    }
    int code = gdyn_open_path(opened, trajectory, &course->path);
    if (code != GDYN_EXIT_YES) {
        return code;
    }
    const gdyn_path_def *def = gdyn_path_definition(course->path);
    bool by_length = def->kind != GDYN_PATH_FORMULA && def->kind != GDYN_PATH_FILE &&
                     !def->p_given && !def->through_p;
    course->name = opened->instance->trajectory[trajectory].name;
    course->unit = by_length ? "m" : "";
    course->supply = gdyn_supply_machine(opened->instance->model, course->path);
    gdyn_status status = course->supply ? gdyn_supply_follow(course->supply) : GDYN_ERROR_MEMORY;
    if (status != GDYN_OK) {
        gdyn_cli_error("trajectory '%s': %s", course->name, gdyn_status_text(status));
        return gdyn_exit_code(status);
    }
    return name_rows(course, opened->instance->model);
}

void gdyn_course_close(gdyn_course *course) {
    for (int i = 0; course->text && course->text[i]; i++) {
        gdyn_free(course->text[i]);
    }
    gdyn_free(course->text);
    gdyn_free(course->row_name);
    gdyn_supply_destroy(course->supply);
    gdyn_path_destroy(course->path);
    *course = (gdyn_course){0};
}

const char *gdyn_course_limit(const gdyn_course *course, gdyn_active limit) {
    int row = limit.row == -2 ? course->speed_row : limit.row;
    if (row >= 0 && row < course->rows) {
        return course->row_name[row];
    }
    return limit.row == -1 ? "path" : limit.row == -2 ? "speed" : "d1";
}
