/* inertia.c - mass, bias, energy of motion, and rotors.
 *
 * Rotors: a drive with coordinate q(pose), rotor inertia I and ratio i carries the kinetic energy
 * I i^2 q'^2 / 2, which adds J^T I i^2 J to M and J^T I i^2 J' u to h (J: derivative of q). */
#include "linalg/linalg.h"
#include "linalg/vec3.h"
#include "mech/standstill.h"
#include "mech/state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Inertia of the rotor at the drive's coordinate, geared. */
double gdyn_mech_rotor(const gdyn_model *model, int drive) {
    assert(drive >= 0 && drive < model->machine->drives);
    const gdyn_drive_def *def = &model->machine->drive[drive];
    bool moves = gdyn_drive_traits_of(def->kind)->acts != GDYN_ACTS_ON_POINT;
    return moves ? def->rotor_inertia * def->ratio * def->ratio : 0.0;
}

/* The next drive with a rotor, its inertia and row. */
static bool mech_next_rotor(const gdyn_state *state, int *drive, double *inertia,
                            gdyn_row_jacobian *jacobian) {
    while (++*drive < state->model->machine->drives) {
        *inertia = gdyn_mech_rotor(state->model, *drive);
        if (*inertia == 0.0)
            continue;
        gdyn_row_derivative(state, &state->model->drive_row[*drive], jacobian);
        return true;
    }
    return false;
}

double gdyn_mech_inertia(const gdyn_model *model, int coordinate) {
    int per = model->per_body, body = coordinate / per, axis = coordinate % per;
    if (axis < (per == 3 ? 2 : 3))
        return model->machine->body[body].mass;
    return model->inertia[body][per == 3 ? 8 : 4 * (axis - 3)] / (model->length * model->length);
}

bool gdyn_mech_uneven_masses(const gdyn_model *model) {
    const double EVEN = 1e-4;
    double smallest = INFINITY, largest = 0;
    for (int j = 0; j < model->n; j += model->per_body) {
        double inertia = 0;
        for (int i = j; i < j + model->per_body; i++)
            inertia = fmax(inertia, gdyn_mech_inertia(model, i));
        smallest = inertia > 0 ? fmin(smallest, inertia) : smallest;
        largest = fmax(largest, inertia);
    }
    return smallest < EVEN * largest;
}

/* (R I R^T) w */
static void inertia_apply(const gdyn_state *state, int body, const double w[3], double out[3]) {
    const double *R = state->R + 9 * body;
    double local[3];
    m3_apply_t(local, R, w);
    m3_apply(local, state->model->inertia[body], local);
    m3_apply(out, R, local);
}

/* M a, without forming M. */
void gdyn_mech_mass_apply(const gdyn_state *state, const double *a, double *Ma) {
    const gdyn_model *model = state->model;
    const gdyn_machine *machine = model->machine;
    /* bodies: m v and I w */
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
    /* rotors: J^T (I i^2) J a */
    double rotor;
    gdyn_row_jacobian jacobian;
    for (int i = -1; mech_next_rotor(state, &i, &rotor, &jacobian);)
        gdyn_row_add_force(state, &jacobian, rotor * gdyn_row_speed(state, &jacobian, a), Ma);
}

/* MN := M N of the bodies alone (n x f). */
static void bodies_times(const gdyn_state *state, int f, const double *restrict N,
                         double *restrict MN) {
    const gdyn_model *model = state->model;
    size_t n = (size_t)model->n;
    for (int body = 0; body < model->machine->bodies; body++) {
        size_t first = (size_t)gdyn_state_offset(state, body);
        double mass = model->machine->body[body].mass, I[9];
        if (model->per_body == 3) {
            for (size_t j = first; j < first + n * (size_t)f; j += n) {
                MN[j] = mass * N[j];
                MN[j + 1] = mass * N[j + 1];
                MN[j + 2] = model->inertia[body][8] * N[j + 2];
            }
            continue;
        }
        /* I in the ground's frame: R I R^T */
        const double *R = state->R + 9 * body;
        const double Rt[9] = {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
        gdyn_m3_multiply(I, model->inertia[body], Rt);
        gdyn_m3_multiply_tn(I, Rt, I);
        for (size_t j = first; j < first + n * (size_t)f; j += n) {
            const double *w = N + j + 3;
            for (size_t k = 0; k < 3; k++) {
                MN[j + k] = mass * N[j + k];
                MN[j + 3 + k] = I[k] * w[0] + I[3 + k] * w[1] + I[6 + k] * w[2];
            }
        }
    }
}

/* The upper half is that of the lower one. */
static void mirror(int f, double *out) {
    for (int j = 0; j < f; j++)
        for (int i = 0; i < j; i++)
            out[i + f * j] = out[j + f * i];
}

void gdyn_mech_bodies_reduce(const gdyn_state *state, int f, const double *N, double *MN,
                             double *out) {
    int n = state->model->n;
    memset(out, 0, (size_t)(f * f) * sizeof *out);
    bodies_times(state, f, N, MN);
    /* the lower half, three columns at once */
    for (int j = 0; j < f; j += 3) {
        int columns = f - j < 3 ? f - j : 3;
        gdyn_add_column_products(f - j, columns, n, 1, N + (size_t)n * (size_t)j, n,
                                 MN + (size_t)n * (size_t)j, n, out + j + f * j, f);
    }
    mirror(f, out);
}

/* Rotors beside: (J v_i) (I i^2) (J v_j). */
void gdyn_mech_mass_reduce(const gdyn_state *state, int f, const double *N, double *work,
                           double *out) {
    size_t n = (size_t)state->model->n;
    double rotor, *speed = work;
    gdyn_row_jacobian jacobian;
    gdyn_mech_bodies_reduce(state, f, N, work, out);
    for (int d = -1; mech_next_rotor(state, &d, &rotor, &jacobian);)
        for (int j = 0; j < f; j++) {
            speed[j] = gdyn_row_speed(state, &jacobian, N + n * (size_t)j);
            for (int i = 0; i <= j; i++)
                out[j + f * i] += speed[i] * rotor * speed[j];
        }
    mirror(f, out);
}

/* M as a full matrix, for small machines and tests. */
void gdyn_mech_mass(const gdyn_state *state, double *M) {
    const gdyn_model *model = state->model;
    const gdyn_machine *machine = model->machine;
    size_t n = (size_t)model->n;
    memset(M, 0, n * n * sizeof *M);
    /* bodies: m on the diagonal, R I R^T */
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
    /* rotors couple the bodies of their drive */
    double rotor;
    gdyn_row_jacobian jacobian;
    for (int i = -1; mech_next_rotor(state, &i, &rotor, &jacobian);) {
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

/* h(u): gyroscopic torques, and rotors along their curvature. */
void gdyn_mech_bias(const gdyn_state *state, const double *u, double *h) {
    const gdyn_model *model = state->model;
    const gdyn_machine *machine = model->machine;
    memset(h, 0, (size_t)model->n * sizeof *h);
    /* bodies: w x I w */
    if (model->per_body == 6)
        for (int i = 0; i < machine->bodies; i++) {
            const double *w = u + 6 * i + 3;
            double Iw[3];
            inertia_apply(state, i, w, Iw);
            v3_cross(h + 6 * i + 3, w, Iw);
        }
    /* rotors: J^T (I i^2) (J' u) */
    double rotor;
    gdyn_row_jacobian jacobian;
    for (int i = -1; mech_next_rotor(state, &i, &rotor, &jacobian);) {
        gdyn_row_add_force(state, &jacobian,
                           rotor * gdyn_row_curvature(state, &model->drive_row[i], u), h);
    }
}

const gdyn_row_jacobian *gdyn_pace_drive_derivative(const gdyn_pace *pace, int drive,
                                                    gdyn_row_jacobian *own) {
    if (pace->drive)
        return pace->drive + drive;
    gdyn_row_derivative(pace->state, &pace->state->model->drive_row[drive], own);
    return own;
}

/* J^T (I i^2) times the coordinate's second and first derivative. */
void gdyn_pace_add_rotors(const gdyn_pace *pace, double *a, double *d) {
    const gdyn_state *state = pace->state;
    const double *u_p = pace->rates.u_p, *u_pp = pace->rates.u_pp;
    const gdyn_model *model = state->model;
    for (int i = 0; i < model->machine->drives; i++) {
        double rotor = gdyn_mech_rotor(model, i);
        const gdyn_row *row = &model->drive_row[i];
        if (rotor == 0.0)
            continue;
        gdyn_row_jacobian own;
        const gdyn_row_jacobian *jacobian = gdyn_pace_drive_derivative(pace, i, &own);
        gdyn_row_add_force(state, jacobian,
                           rotor * gdyn_row_acceleration(state, row, jacobian, u_p, u_pp), a);
        gdyn_row_add_force(state, jacobian, rotor * gdyn_row_speed(state, jacobian, u_p), d);
    }
}

/* a = M u_pp + h(u_p), d = M u_p, in one pass over bodies and rotors. */
void gdyn_pace_inertia(const gdyn_pace *pace, double *a, double *d) {
    const gdyn_state *state = pace->state;
    const double *u_p = pace->rates.u_p, *u_pp = pace->rates.u_pp;
    const gdyn_model *model = state->model;
    const gdyn_machine *machine = model->machine;
    /* bodies: m v, I w, and w x I w */
    for (int i = 0; i < machine->bodies; i++) {
        double mass = machine->body[i].mass, gyroscopic[3];
        int o = gdyn_state_offset(state, i), lengths = model->per_body == 3 ? 2 : 3;
        for (int j = o; j < o + lengths; j++) {
            a[j] = mass * u_pp[j];
            d[j] = mass * u_p[j];
        }
        if (model->per_body == 3) {
            a[o + 2] = model->inertia[i][8] * u_pp[o + 2];
            d[o + 2] = model->inertia[i][8] * u_p[o + 2];
            continue;
        }
        inertia_apply(state, i, u_pp + o + 3, a + o + 3);
        inertia_apply(state, i, u_p + o + 3, d + o + 3);
        v3_cross(gyroscopic, u_p + o + 3, d + o + 3);
        v3_add(a + o + 3, a + o + 3, gyroscopic);
    }
    gdyn_pace_add_rotors(pace, a, d);
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
    for (int i = -1; mech_next_rotor(state, &i, &rotor, &jacobian);) {
        double speed = gdyn_row_speed(state, &jacobian, u);
        twice += rotor * speed * speed;
    }
    return 0.5 * twice;
}
