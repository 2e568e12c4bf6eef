/* state.h - the layout of a state (internal to mech). */
#pragma once

#include "linalg/vec3.h"
#include "mech/mech.h"
#include "model/data.h"

#include <stdatomic.h>
#include <string.h>

/* Charts of all bodies, which change seldom: states share them, and one that changes its own takes
 * a copy. */
typedef struct gdyn_charts {
    atomic_int users;
    double A[]; /* 9 per body */
} gdyn_charts;

struct gdyn_state {
    const gdyn_model *model;
    double time;
    double *r;           /* 3 per body: centre of gravity [m] */
    double *R;           /* 9 per body: rotation */
    const double *chart; /* 9 per body: A_ref, R = A_ref Rx Ry Rz */
    gdyn_charts *charts; /* where they are kept; NULL: identities, the model's */
    double *cardan;      /* 3 per body: angles in the chart; planar: angle in [2] */
    double *turn;        /* model->turns: last accepted angles, see gdyn_state_accept */
    double turned; /* most that a body may have turned since cardan and turn were taken [rad] */
};

/* First velocity coordinate of a body. */
static inline int gdyn_state_offset(const gdyn_state *state, int body) {
    return state->model->per_body * body;
}

/* A vector fixed in a body, ground axes. */
static inline void gdyn_state_vector(const gdyn_state *state, int body, const double local[3],
                                     double out[3]) {
    if (body < 0)
        v3_copy(out, local);
    else
        m3_apply(out, state->R + 9 * body, local);
}

/* Velocity v and angular velocity w of a body for body velocities u; zero for the ground. */
void gdyn_state_twist(const gdyn_state *state, int body, const double *u, double v[3], double w[3]);

/* Mass of the body of a velocity's coordinate; for a rotation its moment of inertia (a body's own
 * axis) over L^2. */
double gdyn_mech_inertia(const gdyn_model *model, int coordinate);
/* Masses of bodies (but zero) differ by more than four orders of magnitude: what is summed over all
 * of them says little of the light ones. */
bool gdyn_mech_uneven_masses(const gdyn_model *model);
/* Inertia of a drive's rotor at the drive's coordinate, ratio^2 times its own [kg or kg m2]. */
double gdyn_mech_rotor(const gdyn_model *model, int drive);

/* A state with the places r, R of another one, each body turned by `turned` [rad] at most since
 * `from`, whose angles and turns it takes while the bodies turn little: they only tell which of the
 * angles of R is meant. */
void gdyn_state_move_on(gdyn_state *to, const gdyn_state *from, const gdyn_state *places,
                        double turned);

/* Takes the charts of a state of the same bodies. */
void gdyn_state_take_charts(gdyn_state *to, const gdyn_state *from);
/* The angles of all bodies from their rotations. */
void gdyn_state_take_angles(gdyn_state *state);
