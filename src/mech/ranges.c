/* ranges.c - coordinates whose range is stated: values and speeds. */
#include "mech/row.h"
#include "mech/state.h"

#include <math.h>

/* The rate of the angle of a cone is -c' / sin(angle); on the axis itself, where the angle has its least value
 * and no derivative, it is zero. */
static const double LEAST_SINE = 1e-12;

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
