/* standstill.c - which coordinates move along a path, and which way.
 *
 * How much of a rate can be rounding? u_p solves [C; E] u_p = [0; R']. The pose is closed to a
 * residual r (scaled, of the order of the machine epsilon after the last Newton step) and lies r /
 * s off, s the smallest singular value relative to the largest; the rows are off by as much, and
 * u_p by r |u_p| / s^2 at most, in units of the fastest body. Poses with s < 1e-6 are singular and
 * have no u_p at all; good machines have s > 1e-2, for which that is 1e-12. A coordinate that
 * stands still has no other rate than this, so STILL = 1e-9 keeps three decades above, and on the
 * other side nothing is lost that a machine can do: a joint whose rate is a billionth of the
 * fastest one's moves by less than a closure's accuracy while the fastest passes its whole way. The
 * same holds for second derivatives against |u_pp| + |u_p|^2 / L. A threshold relative to the terms
 * of J u_p alone would be none: they are all rounding where an axis is at right angles to the
 * motion. */
#include "mech/standstill.h"

#include "mech/state.h"

#include <math.h>

static const double STILL = 1e-9;

/* Largest |(v, L w)| of a body [m]. */
static double fastest(const gdyn_model *model, const double *u) {
    double most = 0.0, L = model->length;
    int n = model->per_body;
    for (int body = 0; body < model->machine->bodies; body++, u += n) {
        double way = u[0] * u[0] + u[1] * u[1], turn = u[n - 1] * u[n - 1];
        if (n == 6)
            way += u[2] * u[2], turn += u[3] * u[3] + u[4] * u[4];
        /* rotations times the machine's length */
        double square = way + L * L * turn;
        most = square > most ? square : most;
    }
    return sqrt(most);
}

/* Rates smaller than a share of the fastest body's are zero. */
gdyn_pace gdyn_pace_of(const gdyn_state *state, const gdyn_path_rates *rates) {
    const gdyn_model *model = state->model;
    double pace = fastest(model, rates->u_p);
    double bend = rates->u_pp ? fastest(model, rates->u_pp) : 0.0;
    return (gdyn_pace){.state = state,
                       .rates = *rates,
                       .least_rate = STILL * pace,
                       .least_bend = STILL * (bend + pace * pace / model->length)};
}

/* vector := its direction when it is longer than `least`, which is a length or, for an angle, L
 * times one. */
static bool direction(double *vector, int count, double scale, double least, double *size) {
    double square = 0.0;
    for (int i = 0; i < count; i++)
        square += vector[i] * vector[i];
    *size = sqrt(square);
    if (!(scale * *size > least))
        return false;
    for (int i = 0; i < count; i++)
        vector[i] /= *size;
    return true;
}

/* Heading of 1 to 3 rows along the path, from the velocity, else from the acceleration where they
 * start to move. */
bool gdyn_pace_heading(const gdyn_pace *pace, int count, const gdyn_row *row,
                       const gdyn_row_jacobian *jacobian, double *heading, double *speed) {
    const gdyn_path_rates *rates = &pace->rates;
    double scale = row->length ? 1.0 : pace->state->model->length, bend;
    for (int i = 0; i < count; i++)
        heading[i] = gdyn_row_speed(pace->state, &jacobian[i], rates->u_p);
    if (direction(heading, count, scale, pace->least_rate, speed))
        return true;
    *speed = 0.0;
    /* at rest: where they will go, or where they came from */
    if (!rates->u_pp)
        return false;
    for (int i = 0; i < count; i++) {
        heading[i] = gdyn_row_speed(pace->state, &jacobian[i], rates->u_pp) +
                     gdyn_row_curvature(pace->state, &row[i], rates->u_p);
        heading[i] = rates->before ? -heading[i] : heading[i];
    }
    return direction(heading, count, scale, pace->least_bend, &bend);
}

/* --- everything that rubs --------------------------------------------------------------------- */

static bool rubs(const gdyn_friction *friction) {
    return friction->coulomb != 0.0 || friction->stiction != 0.0;
}

static bool works(const gdyn_force_def *force) {
    return gdyn_force_takes(force->kind, GDYN_TAKES_MAGNITUDE) && force->magnitude != 0.0;
}

/* Frictions and processes whose direction may change. */
int gdyn_pace_friction_count(const gdyn_model *model) {
    int count = 0;
    for (int i = 0; i < model->frictions; i++)
        count += rubs(&model->friction[i]);
    for (int i = 0; i < model->machine->forces; i++)
        count += works(&model->machine->force[i]);
    return count;
}

/* Heading, and how fast the speed along it grows. */
static void heading_of(const gdyn_pace *pace, int count, const gdyn_row *row, double *heading,
                       double *growth) {
    gdyn_row_jacobian jacobian[3];
    double speed = 0.0;
    heading[0] = heading[1] = heading[2] = *growth = 0.0;
    for (int i = 0; i < count; i++)
        gdyn_row_derivative(pace->state, &row[i], &jacobian[i]);
    if (!gdyn_pace_heading(pace, count, row, jacobian, heading, &speed))
        heading[0] = heading[1] = heading[2] = 0.0;
    for (int i = 0; i < count && speed > 0.0; i++)
        *growth += heading[i] * (gdyn_row_speed(pace->state, &jacobian[i], pace->rates.u_pp) +
                                 gdyn_row_curvature(pace->state, &row[i], pace->rates.u_p));
}

/* Headings of all frictions, three numbers each. */
void gdyn_pace_headings(const gdyn_state *state, const gdyn_path_rates *rates, double *heading,
                        double *growth) {
    const gdyn_model *model = state->model;
    gdyn_pace pace = gdyn_pace_of(state, rates);
    int at = 0;
    for (int i = 0; i < model->frictions; i++)
        if (rubs(&model->friction[i])) {
            heading_of(&pace, 1, &model->friction[i].row, heading + 3 * at, growth + at);
            at++;
        }
    for (int i = 0; i < model->machine->forces; i++) {
        const gdyn_force_def *force = &model->machine->force[i];
        gdyn_row row[3];
        if (!works(force))
            continue;
        for (int axis = 0; axis < 3; axis++)
            row[axis] = gdyn_row_point(model, force->a, axis);
        heading_of(&pace, 3, row, heading + 3 * at, growth + at);
        at++;
    }
}
