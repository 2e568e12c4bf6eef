/* motion.c - applied forces and energies of a motion in time.
 *
 * Along a path the sign of a dry force is a matter of the path (forces.c); in time it turns with
 * the speed v, and sign(v) would make solutions chatter where a freedom sticks. tanh(v / slip) is
 * smooth, keeps the sense of the force, so that friction never feeds energy in, and is sign(v) to
 * 1e-8 beyond ten times slip. */
#include "mech/state.h"

#include "linalg/vec3.h"
#include "mech/row.h"

#include <math.h>
#include <string.h>

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

/* J u of a row. */
static double speed_of(const motion *m, const gdyn_row *row) {
    gdyn_row_jacobian jacobian;
    gdyn_row_derivative(m->state, row, &jacobian);
    return gdyn_row_speed(m->state, &jacobian, m->u);
}

/* m g at the centres of gravity. */
static void add_gravity(const motion *m) {
    const gdyn_model *model = m->state->model;
    for (int i = 0; i < model->machine->bodies; i++)
        for (int j = 0; j < (model->per_body == 3 ? 2 : 3); j++)
            m->g[gdyn_state_offset(m->state, i) + j] +=
                model->machine->body[i].mass * model->machine->gravity[j];
}

/* Against the velocity of the point; tanh replaces the jump of dry friction at rest. */
static void add_process(const motion *m, const gdyn_force_def *def) {
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

/* Dry friction with its jump rounded over the slip speed, or with a force that is known. */
static void add_friction(const motion *m, const gdyn_friction *friction, const double *dry) {
    double v = speed_of(m, &friction->row);
    double slip = friction->row.length ? m->slip : m->slip / m->state->model->length;
    double smooth = friction->coulomb * tanh(v / slip);
    double force = friction->viscous * v + (dry ? -*dry : smooth);
    m->powers->friction += push(m, &friction->row, -force);
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
    add_gravity(&m);
    for (int i = 0; i < model->machine->forces; i++) {
        /* by what the kind takes; its power goes to the balance */
        const gdyn_force_def *def = &model->machine->force[i];
        const gdyn_row *row = &model->force_row[i];
        if (gdyn_force_takes(def->kind, GDYN_TAKES_MAGNITUDE))
            add_process(&m, def);
        else if (gdyn_force_takes(def->kind, GDYN_TAKES_STIFFNESS))
            push(&m, row, -def->stiffness * (gdyn_row_value(state, row) - def->rest));
        else if (gdyn_force_takes(def->kind, GDYN_TAKES_TORQUE))
            powers->loads += push(&m, row, 1.0);
    }
    for (int i = 0; i < model->frictions; i++)
        add_friction(&m, &model->friction[i], dry ? dry + i : NULL);
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

/* Bodies and rotors. */
double gdyn_mech_kinetic(const gdyn_state *state, const double *u) {
    const gdyn_model *model = state->model;
    const gdyn_machine *machine = model->machine;
    double twice = 0.0;
    /* bodies: m v^2 + w I w */
    for (int i = 0; i < machine->bodies; i++) {
        const double *R = state->R + 9 * i;
        double v[3], w[3], local[3], Iw[3];
        gdyn_state_twist(state, i, u, v, w);
        m3_apply_t(local, R, w);
        m3_apply(Iw, model->inertia[i], local);
        twice += machine->body[i].mass * v3_dot(v, v) + v3_dot(local, Iw);
    }
    /* rotors: I i^2 q'^2 */
    double rotor;
    gdyn_row_jacobian jacobian;
    for (int i = -1; gdyn_mech_next_rotor(state, &i, &rotor, &jacobian);) {
        double speed = gdyn_row_speed(state, &jacobian, u);
        twice += rotor * speed * speed;
    }
    return 0.5 * twice;
}
