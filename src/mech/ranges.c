/* ranges.c - coordinates whose range is given: values and speeds. */
#include "mech/row.h"
#include "mech/state.h"

#include "base/pi.h"
#include "model/kinds.h"

#include <math.h>

/* The rate of the angle of a cone is -c' / sin(angle); on the axis itself, where the angle has its
 * smallest value and no derivative, it is zero. */
static const double LEAST_SINE = 1e-12;

/* A pose is beyond its range by more than this share of L, or rad: poses close to some 1e-12. */
static const double SLACK = 1e-9;

static bool is_cone(const gdyn_model *model, int range) {
    return model->machine->range[range].kind == GDYN_RANGE_CONE;
}

double gdyn_mech_range_coordinate(const gdyn_state *state, int range) {
    double value = gdyn_row_value(state, &state->model->range_row[range]);
    return is_cone(state->model, range) ? acos(fmin(fmax(value, -1), 1)) : value;
}

double gdyn_mech_range_speed(const gdyn_state *state, int range, const double *u) {
    const gdyn_row *row = &state->model->range_row[range];
    gdyn_row_jacobian jacobian;
    gdyn_row_derivative(state, row, &jacobian);
    double speed = gdyn_row_speed(state, &jacobian, u);
    if (!is_cone(state->model, range))
        return speed;
    /* the row is a cosine, the range is of its angle */
    double cosine = gdyn_row_value(state, row), sine = sqrt(fmax(0, 1 - cosine * cosine));
    return sine > LEAST_SINE ? -speed / sine : 0;
}

static double nearest_turn(const gdyn_range_def *def, double angle) {
    double turn = 2 * GDYN_PI;
    double to = isfinite(def->min) && isfinite(def->max) ? 0.5 * (def->min + def->max)
                : isfinite(def->min)                     ? def->min + GDYN_PI
                : isfinite(def->max)                     ? def->max - GDYN_PI
                                                         : 0;
    /* half a turn either way stays on its side */
    return fabs(angle - to) <= GDYN_PI + SLACK ? angle : angle - turn * round((angle - to) / turn);
}

double gdyn_mech_range_beyond(const gdyn_state *state, int range) {
    const gdyn_range_def *def = gdyn_model_range(state->model, range);
    bool slides = gdyn_model_range_slides(state->model, range);
    double value = gdyn_mech_range_coordinate(state, range);
    double slack = SLACK * (slides ? gdyn_model_length(state->model) : 1);
    if (!slides && !is_cone(state->model, range))
        value = nearest_turn(def, value);
    double beyond = fmax(def->min - value, value - def->max);
    return beyond > slack ? beyond : 0;
}

double gdyn_mech_joint_within_turn(const gdyn_state *state, int joint, gdyn_freedom freedom) {
    const gdyn_machine *machine = state->model->machine;
    double value = gdyn_mech_joint_coordinate(state, joint, freedom);
    freedom = gdyn_joint_resolve(machine, joint, freedom);
    const gdyn_joint_form *form = gdyn_joint_form_of(machine->joint[joint].type, machine->space);
    if (gdyn_freedom_slides(freedom) || gdyn_joint_reads(form, GDYN_READS_PITCH))
        return value;
    for (int i = 0; i < machine->joints; i++)
        if (!gdyn_joint_type_has_points(machine->joint[i].type) &&
            (machine->joint[i].joint_a == joint || machine->joint[i].joint_b == joint))
            return value;
    for (int i = 0; i < gdyn_model_ranges(state->model); i++) {
        const gdyn_range_def *def = gdyn_model_range(state->model, i);
        if (def->kind == GDYN_RANGE_JOINT && def->joint == joint &&
            gdyn_joint_resolve(machine, joint, def->freedom) == freedom)
            return nearest_turn(def, value);
    }
    return nearest_turn(&(gdyn_range_def){.min = -INFINITY, .max = INFINITY}, value);
}
