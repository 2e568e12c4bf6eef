/* forces.c - inertia, bias and applied forces, drives.
 *
 * Rotors: a drive with coordinate q(pose), rotor inertia I and ratio i carries the kinetic energy
 * I i^2 q'^2 / 2, which adds J^T I i^2 J to M and J^T I i^2 J' u to h (J: derivative of q). */
#include "linalg/vec3.h"
#include "mech/state.h"

#include <string.h>

static double reflected_inertia(const gdyn_drive_def *def) {
    return def->kind == GDYN_DRIVE_WRENCH ? 0.0 : def->rotor_inertia * def->ratio * def->ratio;
}

/* (R I R^T) w */
static void inertia_apply(const gdyn_state *state, int body, const double w[3], double out[3]) {
    const double *R = state->R + 9 * body;
    double local[3];
    m3_apply_t(local, R, w);
    m3_apply(local, state->model->inertia[body], local);
    m3_apply(out, R, local);
}

void gdyn_mech_mass_apply(const gdyn_state *state, const double *a, double *Ma) {
    const gdyn_model *model = state->model;
    const gdyn_machine *machine = model->machine;
    for (int i = 0; i < machine->bodies; i++) {
        double mass = machine->body[i].mass;
        int o = gdyn_state_offset(state, i);
        if (model->per_body == 3) {
            Ma[o] = mass * a[o];
            Ma[o + 1] = mass * a[o + 1];
            Ma[o + 2] = model->inertia[i][8] * a[o + 2];
        } else {
            v3_scale(Ma + o, mass, a + o);
            inertia_apply(state, i, a + o + 3, Ma + o + 3);
        }
    }
    for (int i = 0; i < machine->drives; i++) {
        double rotor = reflected_inertia(&machine->drive[i]);
        if (rotor == 0.0)
            continue;
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &model->drive_row[i], &jacobian);
        gdyn_row_add_force(state, &jacobian, rotor * gdyn_row_speed(state, &jacobian, a), Ma);
    }
}

void gdyn_mech_mass(const gdyn_state *state, double *M) {
    const gdyn_model *model = state->model;
    const gdyn_machine *machine = model->machine;
    size_t n = (size_t)model->n;
    memset(M, 0, n * n * sizeof *M);
    for (int i = 0; i < machine->bodies; i++) {
        size_t o = (size_t)gdyn_state_offset(state, i);
        for (size_t j = 0; j < (model->per_body == 3 ? 2u : 3u); j++)
            M[(o + j) * (n + 1)] = machine->body[i].mass;
        if (model->per_body == 3) {
            M[(o + 2) * (n + 1)] = model->inertia[i][8];
            continue;
        }
        for (size_t j = 0; j < 3; j++) {
            double e[3] = {j == 0, j == 1, j == 2};
            inertia_apply(state, i, e, M + (o + 3 + j) * n + o + 3);
        }
    }
    for (int i = 0; i < machine->drives; i++) {
        double rotor = reflected_inertia(&machine->drive[i]);
        if (rotor == 0.0)
            continue;
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &model->drive_row[i], &jacobian);
        for (size_t j = 0; j < n; j++) { /* column j of J^T I J: J_j times J^T */
            int body = (int)j / model->per_body, part = (int)j % model->per_body;
            int component = model->per_body == 3 && part == 2 ? 5 : part;
            for (int b = 0; b < jacobian.count; b++)
                if (jacobian.body[b] == body)
                    gdyn_row_add_force(state, &jacobian, rotor * jacobian.J[b][component],
                                       M + j * n);
        }
    }
}

void gdyn_mech_bias(const gdyn_state *state, const double *u, double *h) {
    const gdyn_model *model = state->model;
    const gdyn_machine *machine = model->machine;
    memset(h, 0, (size_t)model->n * sizeof *h);
    if (model->per_body == 6)
        for (int i = 0; i < machine->bodies; i++) {
            const double *w = u + 6 * i + 3;
            double Iw[3];
            inertia_apply(state, i, w, Iw);
            v3_cross(h + 6 * i + 3, w, Iw);
        }
    for (int i = 0; i < machine->drives; i++) {
        double rotor = reflected_inertia(&machine->drive[i]);
        if (rotor == 0.0)
            continue;
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &model->drive_row[i], &jacobian);
        gdyn_row_add_force(state, &jacobian,
                           rotor * gdyn_row_curvature(state, &model->drive_row[i], u), h);
    }
}

/* Sign of the speed of a row's coordinate; zero when it only moves by rounding. */
static double direction(const gdyn_row_jacobian *jacobian, double speed, const gdyn_model *model,
                        const double *u) {
    double size = 0.0;
    for (int i = 0; i < jacobian->count; i++)
        for (int j = 0; j < model->per_body; j++) {
            int component = model->per_body == 3 && j == 2 ? 5 : j;
            size += fabs(jacobian->J[i][component] * u[model->per_body * jacobian->body[i] + j]);
        }
    if (fabs(speed) <= 1e-9 * size || speed == 0.0)
        return 0.0;
    return speed > 0.0 ? 1.0 : -1.0;
}

static void add_gravity(const gdyn_state *state, double *g) {
    const gdyn_model *model = state->model;
    for (int i = 0; i < model->machine->bodies; i++)
        for (int j = 0; j < (model->per_body == 3 ? 2 : 3); j++)
            g[gdyn_state_offset(state, i) + j] +=
                model->machine->body[i].mass * model->machine->gravity[j];
}

/* Resistance against the motion of the force's point along the path. */
static void add_process(const gdyn_state *state, const gdyn_force_def *def, const double *u_p,
                        double *g0, double *g1) {
    double v[3], x[3], R[9], r[3], s[3];
    gdyn_state_point_velocity(state, &def->a, u_p, v);
    double speed = v3_norm(v);
    if (speed == 0.0)
        return;
    gdyn_state_body(state, def->a.body, r, R);
    gdyn_state_point(state, &def->a, x);
    v3_sub(s, x, r);
    gdyn_row_jacobian jacobian = {.count = 1, .body = {def->a.body}};
    v3_copy(jacobian.J[0], v);
    v3_cross(jacobian.J[0] + 3, s, v);
    gdyn_row_add_force(state, &jacobian, -def->magnitude / speed, g0);
    gdyn_row_add_force(state, &jacobian, -def->viscous, g1);
}

static void add_applied(const gdyn_state *state, int index, const double *u_p, double *g0,
                        double *g1) {
    const gdyn_model *model = state->model;
    const gdyn_force_def *def = &model->machine->force[index];
    if (def->kind == GDYN_FORCE_PROCESS) {
        add_process(state, def, u_p, g0, g1);
        return;
    }
    if (def->kind != GDYN_FORCE_SPRING && def->kind != GDYN_FORCE_CONSTANT)
        return;
    gdyn_row_jacobian jacobian;
    const gdyn_row *row = &model->force_row[index];
    gdyn_row_derivative(state, row, &jacobian);
    double value = 1.0;
    if (def->kind == GDYN_FORCE_SPRING)
        value = -def->stiffness * (gdyn_row_value(state, row) - def->rest);
    gdyn_row_add_force(state, &jacobian, value, g0);
}

void gdyn_mech_path_forces(const gdyn_state *state, const double *u_p, double *g0, double *g1) {
    const gdyn_model *model = state->model;
    memset(g0, 0, (size_t)model->n * sizeof *g0);
    memset(g1, 0, (size_t)model->n * sizeof *g1);
    add_gravity(state, g0);
    for (int i = 0; i < model->machine->forces; i++)
        add_applied(state, i, u_p, g0, g1);
    for (int i = 0; i < model->frictions; i++) {
        const gdyn_friction *friction = &model->friction[i];
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &friction->row, &jacobian);
        double speed = gdyn_row_speed(state, &jacobian, u_p);
        gdyn_row_add_force(state, &jacobian, -friction->viscous * speed, g1);
        gdyn_row_add_force(state, &jacobian,
                           -friction->coulomb * direction(&jacobian, speed, model, u_p), g0);
    }
}

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

void gdyn_mech_drive_speeds(const gdyn_state *state, const double *u, double *speed) {
    const gdyn_model *model = state->model;
    for (int i = 0; i < model->machine->drives; i++) {
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &model->drive_row[i], &jacobian);
        speed[i] = gdyn_row_speed(state, &jacobian, u);
    }
}

double gdyn_mech_drive_coordinate(const gdyn_state *state, int drive) {
    return gdyn_row_value(state, &state->model->drive_row[drive]);
}

double gdyn_mech_joint_coordinate(const gdyn_state *state, int joint, gdyn_freedom freedom) {
    bool ok;
    gdyn_row row = gdyn_row_joint(state->model, joint, freedom, &ok);
    return ok ? gdyn_row_value(state, &row) : NAN;
}
