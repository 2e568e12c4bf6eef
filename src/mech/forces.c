/* forces.c - applied forces along a path and in time, and drives.
 *
 * Along a path the sign of a dry force is a matter of the path; in time it turns with the speed v,
 * and sign(v) would make solutions chatter where a freedom sticks. tanh(v / slip) is smooth, keeps
 * the sense of the force, so that friction never feeds energy in, and is sign(v) to 1e-8 beyond ten
 * times slip. */
#include "linalg/vec3.h"
#include "mech/standstill.h"
#include "mech/state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* --- along a path ----------------------------------------------------------------------------- */

/* Where forces are summed, and their absolute values beside them (either may be NULL). */
typedef struct forces {
    double *g0, *g1; /* independent of the speed, and per d1 */
    double *size0, *size1;
} forces;

/* Adds value J^T to g, and whole |J^T| to size; whole: |value| without its cancellation. */
static void add_along(const gdyn_state *state, const gdyn_row_jacobian *jacobian, double value,
                      double whole, double *g, double *size) {
    if (g)
        gdyn_row_add_force(state, jacobian, value, g);
    if (!size)
        return;
    /* sizes of the row, entry by entry */
    gdyn_row_jacobian absolute = *jacobian;
    for (int i = 0; i < absolute.count; i++)
        for (int j = 0; j < 6; j++)
            absolute.J[i][j] = fabs(absolute.J[i][j]);
    gdyn_row_add_force(state, &absolute, whole, size);
}

/* m g at the centres of gravity. */
static void add_gravity(const gdyn_state *state, const forces *sum) {
    const gdyn_model *model = state->model;
    for (int i = 0; i < model->machine->bodies; i++)
        for (int j = 0; j < (model->per_body == 3 ? 2 : 3); j++) {
            double weight = model->machine->body[i].mass * model->machine->gravity[j];
            int at = gdyn_state_offset(state, i) + j;
            if (sum->g0)
                sum->g0[at] += weight;
            if (sum->size0)
                sum->size0[at] += fabs(weight);
        }
}

/* Resistance against the motion of the force's point along the path. */
static void add_process(const gdyn_state *state, const gdyn_force_def *def, const gdyn_pace *pace,
                        const forces *sum) {
    gdyn_row row[3];
    gdyn_row_jacobian jacobian[3];
    double heading[3], speed;
    /* the direction in which the point moves */
    for (int axis = 0; axis < 3; axis++) {
        row[axis] = gdyn_row_point(state->model, def->a, axis);
        gdyn_row_derivative(state, &row[axis], &jacobian[axis]);
    }
    if (!gdyn_pace_heading(pace, 3, row, jacobian, heading, &speed))
        return;
    /* against it, constant and proportional to the speed */
    for (int axis = 0; axis < 3; axis++) {
        double constant = -def->magnitude * heading[axis];
        double viscous = -def->viscous * speed * heading[axis];
        add_along(state, &jacobian[axis], constant, fabs(constant), sum->g0, sum->size0);
        add_along(state, &jacobian[axis], viscous, fabs(viscous), sum->g1, sum->size1);
    }
}

/* One force of the machine, by what its kind takes. */
static void add_applied(const gdyn_state *state, int index, const gdyn_pace *pace,
                        const forces *sum) {
    const gdyn_model *model = state->model;
    const gdyn_force_def *def = &model->machine->force[index];
    bool pulls = gdyn_force_takes(def->kind, GDYN_TAKES_STIFFNESS);
    /* cutting forces and the like, against the motion */
    if (gdyn_force_takes(def->kind, GDYN_TAKES_MAGNITUDE)) {
        add_process(state, def, pace, sum);
        return;
    }
    if (!pulls && !gdyn_force_takes(def->kind, GDYN_TAKES_TORQUE))
        return;
    gdyn_row_jacobian jacobian;
    const gdyn_row *row = &model->force_row[index];
    gdyn_row_derivative(state, row, &jacobian);
    double value = 1.0, whole = 1.0;
    /* springs: -k (l - l0), constant torques: one */
    if (pulls) {
        double length = gdyn_row_value(state, row);
        value = -def->stiffness * (length - def->rest);
        whole = fabs(def->stiffness) * (fabs(length) + fabs(def->rest));
    }
    add_along(state, &jacobian, value, whole, sum->g0, sum->size0);
}

/* Friction of a joint along the path: dry against its heading, viscous with its speed. */
static void add_friction(const gdyn_state *state, const gdyn_friction *friction,
                         const gdyn_pace *pace, const forces *sum) {
    gdyn_row_jacobian jacobian;
    double heading, speed;
    gdyn_row_derivative(state, &friction->row, &jacobian);
    if (!gdyn_pace_heading(pace, 1, &friction->row, &jacobian, &heading, &speed))
        return;
    double viscous = -friction->viscous * speed * heading, dry = -friction->coulomb * heading;
    if (viscous != 0)
        add_along(state, &jacobian, viscous, fabs(viscous), sum->g1, sum->size1);
    if (dry != 0)
        add_along(state, &jacobian, dry, fabs(dry), sum->g0, sum->size0);
}

/* All applied forces, as values or as sizes. */
static void add_all(const gdyn_pace *pace, const forces *sum) {
    const gdyn_state *state = pace->state;
    const gdyn_model *model = state->model;
    add_gravity(state, sum);
    for (int i = 0; i < model->machine->forces; i++)
        add_applied(state, i, pace, sum);
    for (int i = 0; i < model->frictions; i++)
        add_friction(state, &model->friction[i], pace, sum);
}

/* g0 + g1 d1 along the path. */
void gdyn_pace_forces(const gdyn_pace *pace, double *g0, double *g1) {
    assert(g0 && g1 && g0 != g1);
    size_t bytes = (size_t)pace->state->model->n * sizeof *g0;
    memset(g0, 0, bytes), memset(g1, 0, bytes);
    add_all(pace, &(forces){.g0 = g0, .g1 = g1});
}

void gdyn_mech_path_forces(const gdyn_state *state, const gdyn_path_rates *rates, double *g0,
                           double *g1) {
    gdyn_pace pace = gdyn_pace_of(state, rates);
    gdyn_pace_forces(&pace, g0, g1);
}

/* The same with every term positive: what rounding is measured against. */
void gdyn_mech_path_force_sizes(const gdyn_state *state, const gdyn_path_rates *rates,
                                double *size0, double *size1) {
    size_t bytes = (size_t)state->model->n * sizeof *size0;
    memset(size0, 0, bytes), memset(size1, 0, bytes);
    gdyn_pace pace = gdyn_pace_of(state, rates);
    add_all(&pace, &(forces){.size0 = size0, .size1 = size1});
}

/* Columns of the friction forces whose joint stands still along the path. */
int gdyn_mech_static_friction(const gdyn_state *state, const gdyn_path_rates *rates,
                              double *columns, int *held) {
    const gdyn_model *model = state->model;
    size_t n = (size_t)model->n;
    int count = 0;
    if (model->stictions == 0)
        return 0;
    gdyn_pace pace = gdyn_pace_of(state, rates);
    for (int i = 0; i < model->stictions; i++) {
        const gdyn_row *row = &model->friction[model->stiction[i]].row;
        gdyn_row_jacobian jacobian;
        double heading, speed, *column = columns + n * (size_t)count;
        /* it turns: its friction is dry, not static */
        gdyn_row_derivative(state, row, &jacobian);
        if (gdyn_pace_heading(&pace, 1, row, &jacobian, &heading, &speed))
            continue;
        memset(column, 0, n * sizeof *column);
        gdyn_row_add_force(state, &jacobian, 1.0, column);
        held[count++] = i;
    }
    return count;
}

/* --- in time ---------------------------------------------------------------------------------- */

/* A motion whose forces are added up. */
typedef struct motion {
    const gdyn_state *state;
    const double *u;
    double slip; /* [m/s] */
    double *g;
    gdyn_powers *powers;
} motion;

/* Adds the force along the row; returns its power. */
static double push(const motion *m, const gdyn_row *row, double force) {
    gdyn_row_jacobian jacobian;
    gdyn_row_derivative(m->state, row, &jacobian);
    gdyn_row_add_force(m->state, &jacobian, force, m->g);
    return force * gdyn_row_speed(m->state, &jacobian, m->u);
}

static double speed_of(const motion *m, const gdyn_row *row) {
    gdyn_row_jacobian jacobian;
    gdyn_row_derivative(m->state, row, &jacobian);
    return gdyn_row_speed(m->state, &jacobian, m->u);
}

/* Against the velocity of the point; tanh replaces the jump of dry friction at rest. */
static void resist(const motion *m, const gdyn_force_def *def) {
    gdyn_row row[3];
    double v[3];
    for (int axis = 0; axis < 3; axis++) {
        row[axis] = gdyn_row_point(m->state->model, def->a, axis);
        v[axis] = speed_of(m, &row[axis]);
    }
    double speed = v3_norm(v);
    if (speed == 0.0)
        return;
    double force = def->magnitude * tanh(speed / m->slip) + def->viscous * speed;
    for (int axis = 0; axis < 3; axis++)
        m->powers->friction += push(m, &row[axis], -force * v[axis] / speed);
}

const char *gdyn_mech_friction_name(const gdyn_model *model, int friction) {
    return model->friction[friction].name;
}

/* Applied forces in time, and their powers. */
void gdyn_mech_motion_forces(const gdyn_state *state, const double *u, double slip,
                             const double *dry, double *g, gdyn_powers *powers) {
    const gdyn_model *model = state->model;
    motion m = {state, u, slip, g, powers};
    memset(g, 0, (size_t)model->n * sizeof *g);
    *powers = (gdyn_powers){0};
    add_gravity(state, &(forces){.g0 = g});
    for (int i = 0; i < model->machine->forces; i++) {
        /* by what the kind takes; its power goes to the balance */
        const gdyn_force_def *def = &model->machine->force[i];
        const gdyn_row *row = &model->force_row[i];
        if (gdyn_force_takes(def->kind, GDYN_TAKES_MAGNITUDE))
            resist(&m, def);
        else if (gdyn_force_takes(def->kind, GDYN_TAKES_STIFFNESS))
            push(&m, row, -def->stiffness * (gdyn_row_value(state, row) - def->rest));
        else if (gdyn_force_takes(def->kind, GDYN_TAKES_TORQUE))
            powers->loads += push(&m, row, 1.0);
    }
    for (int i = 0; i < model->frictions; i++) {
        /* dry friction with its jump rounded over the slip speed, or with a force that is known */
        const gdyn_friction *friction = &model->friction[i];
        double v = speed_of(&m, &friction->row);
        double smooth =
            friction->coulomb * tanh(v / (friction->row.length ? slip : slip / model->length));
        double force = friction->viscous * v + (dry ? -dry[i] : smooth);
        powers->friction += push(&m, &friction->row, -force);
    }
}

/* Gravity and springs. */
double gdyn_mech_potential(const gdyn_state *state) {
    const gdyn_model *model = state->model;
    double energy = 0.0;
    for (int i = 0; i < model->machine->bodies; i++)
        energy -= model->machine->body[i].mass * v3_dot(model->machine->gravity, state->r + 3 * i);
    for (int i = 0; i < model->machine->forces; i++) {
        const gdyn_force_def *def = &model->machine->force[i];
        if (!gdyn_force_takes(def->kind, GDYN_TAKES_STIFFNESS))
            continue;
        double stretch = gdyn_row_value(state, &model->force_row[i]) - def->rest;
        energy += 0.5 * def->stiffness * stretch * stretch;
    }
    return energy;
}

/* --- drives ----------------------------------------------------------------------------------- */

/* T: generalized force of a unit of each drive. */
void gdyn_mech_drives(const gdyn_state *state, double *T) {
    const gdyn_model *model = state->model;
    size_t n = (size_t)model->n;
    memset(T, 0, n * (size_t)model->machine->drives * sizeof *T);
    for (int i = 0; i < model->machine->drives; i++) {
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &model->drive_row[i], &jacobian);
        gdyn_row_add_force(state, &jacobian, model->drive_sign[i], T + n * (size_t)i);
    }
}

/* J u of each drive. */
void gdyn_mech_drive_speeds(const gdyn_state *state, const double *u, double *speed) {
    const gdyn_model *model = state->model;
    for (int i = 0; i < model->machine->drives; i++) {
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &model->drive_row[i], &jacobian);
        speed[i] = gdyn_row_speed(state, &jacobian, u);
    }
}

/* Speeds along the path; exact zero where the drive stands still. */
void gdyn_pace_drive_rates(const gdyn_pace *pace, double *speed) {
    const gdyn_model *model = pace->state->model;
    for (int i = 0; i < model->machine->drives; i++) {
        gdyn_row_jacobian own;
        double heading;
        bool moves =
            gdyn_pace_heading(pace, 1, &model->drive_row[i],
                              gdyn_pace_drive_derivative(pace, i, &own), &heading, &speed[i]);
        speed[i] = moves ? heading * speed[i] : 0.0;
    }
}

double gdyn_mech_drive_coordinate(const gdyn_state *state, int drive) {
    return gdyn_row_value(state, &state->model->drive_row[drive]);
}

/* NaN: the joint has no such freedom. */
double gdyn_mech_joint_coordinate(const gdyn_state *state, int joint, gdyn_freedom freedom) {
    bool ok;
    gdyn_row row = gdyn_row_joint(state->model, joint, freedom, &ok);
    return ok ? gdyn_row_value(state, &row) : NAN;
}

void gdyn_mech_joint_rates(const gdyn_state *state, int joint, gdyn_freedom freedom,
                           const gdyn_path_rates *rates, double derivative[2]) {
    bool ok;
    gdyn_row row = gdyn_row_joint(state->model, joint, freedom, &ok);
    gdyn_row_jacobian jacobian;
    derivative[0] = derivative[1] = NAN;
    if (!ok)
        return;
    gdyn_row_derivative(state, &row, &jacobian);
    derivative[0] = gdyn_row_speed(state, &jacobian, rates->u_p);
    derivative[1] = gdyn_row_acceleration(state, &row, &jacobian, rates->u_p, rates->u_pp);
}
