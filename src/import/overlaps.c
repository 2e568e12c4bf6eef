/* overlaps.c - shapes that overlap by design are not compared: at the first guess, and (of
 * machines that are not very large) along the first trajectory.
 *
 * Shapes of collision are made for contact, and those of neighbouring links overlap. Round by
 * round the nearest pair of the case is looked for; while it overlaps, its bodies are excluded
 * from `clearance`. */
#include "import/robot.h"

#include "casefile/casefile.h"
#include "trajectory/trajectory.h"

#include <string.h>

enum { ROUNDS_MOST = 400, SHAPES_MOST = 600, POINTS_SEEN = 5, BODIES_FOLLOWED = 60 };

/* The nearest pair at a few points of the path; *near keeps a nearer one. */
static gdyn_status look_along(const gdyn_instance *instance, gdyn_clearance *clearance,
                              gdyn_near *near) {
    gdyn_trajectory t;
    gdyn_status status = gdyn_trajectory_open(&t, instance, 0, NULL);
    if (status == GDYN_OK)
        status = gdyn_trajectory_take(&t, GDYN_PASS_FOLLOW);
    int step = status == GDYN_OK ? t.track->points / POINTS_SEEN + 1 : 1;
    for (int i = 0; status == GDYN_OK && i < t.track->points; i += step) {
        gdyn_near here = gdyn_clearance_at(clearance, t.track->state[i]);
        if (here.distance < near->distance)
            *near = here;
    }
    gdyn_trajectory_close(&t);
    return status;
}

static gdyn_status look(const gdyn_instance *instance, gdyn_near *near) {
    gdyn_state *state = gdyn_state_create(instance->model);
    gdyn_clearance *clearance = gdyn_clearance_create(instance->model);
    gdyn_status status = state && clearance ? GDYN_OK : GDYN_ERROR_MEMORY;
    *near = gdyn_near_none();
    if (status == GDYN_OK)
        *near = gdyn_clearance_at(clearance, state);
    if (status == GDYN_OK && !(near->distance < 0) && instance->trajectory_count > 0 &&
        gdyn_model_bodies(instance->model) <= BODIES_FOLLOWED)
        status = look_along(instance, clearance, near);
    gdyn_clearance_destroy(clearance);
    gdyn_state_destroy(state);
    return status;
}

/* Excludes the two bodies, whose names the model knows. */
static void exclude(gdyn_robot *robot, const gdyn_instance *instance, const gdyn_near *near) {
    const char *first = gdyn_shape_owner(instance->model, near->first);
    const char *second = gdyn_shape_owner(instance->model, near->second);
    first = gdyn_arena_strdup(robot->arena, first);
    second = gdyn_arena_strdup(robot->arena, second);
    if (!first || !second) {
        robot->failed = true;
        return;
    }
    gdyn_robot_add_exclusion(robot, first, second);
    gdyn_robot_remark_at(robot, "assumed", NULL,
                         "shapes of %s and %s overlap: they are not compared", first, second);
}

/* One round; *again: something overlapped. */
static gdyn_status round_of(gdyn_robot *robot, const char *source, bool *again) {
    gdyn_text text = {0};
    gdyn_case *the_case = NULL;
    gdyn_instance *instance = NULL;
    gdyn_near near;
    *again = false;
    gdyn_robot_write(robot, source, &text);
    gdyn_status status = text.failed
                             ? GDYN_ERROR_MEMORY
                             : gdyn_case_read_text(text.data, text.length, source, NULL, &the_case);
    if (status == GDYN_OK)
        status = gdyn_case_instantiate(the_case, 0, NULL, NULL, &instance);
    if (status == GDYN_OK)
        status = look(instance, &near);
    if (status == GDYN_OK && near.distance < 0) {
        exclude(robot, instance, &near);
        *again = true;
    }
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
    gdyn_text_free(&text);
    return status;
}

gdyn_status gdyn_robot_exclude_overlaps(gdyn_robot *robot, const char *source) {
    bool again = robot->shapes > 1 && robot->shapes <= SHAPES_MOST;
    gdyn_status status = GDYN_OK;
    for (int i = 0; again && i < ROUNDS_MOST && status == GDYN_OK; i++)
        status = round_of(robot, source, &again);
    /* what is wrong otherwise is told when the case is read */
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
}
