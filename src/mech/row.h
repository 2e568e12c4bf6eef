/* row.h - the one building block of constraints, joint coordinates, drives and path targets.
 *
 * A row is a scalar function of the pose of up to four bodies (or, for Pfaffian rows, a scalar
 * velocity form). Every kind gives its value, its exact derivative J with respect to body
 * velocities and the exact quadratic term gamma = J' u. Joints, drives, gears and paths are lists
 * of rows (see model/compile.c and CONTRIBUTING.md). */
#pragma once

#include "model/rows.h"

struct gdyn_state;

enum { GDYN_ROW_BODIES = 4 };

/* Sparse derivative: bodies without the ground, six components (v, omega) each. */
typedef struct gdyn_row_jacobian {
    int count;
    int body[GDYN_ROW_BODIES];
    double J[GDYN_ROW_BODIES][6];
} gdyn_row_jacobian;

/* Value of the row minus nothing: the caller subtracts its target. 0 for Pfaffian rows. */
double gdyn_row_value(const struct gdyn_state *state, const gdyn_row *row);
void gdyn_row_derivative(const struct gdyn_state *state, const gdyn_row *row,
                         gdyn_row_jacobian *jacobian);
/* J' along, J' being the rate of J in the motion u (n); along: body velocities, too (n). */
double gdyn_row_rate(const struct gdyn_state *state, const gdyn_row *row, const double *u,
                     const double *along);
/* gamma = J' u for body velocities u (n). */
double gdyn_row_curvature(const struct gdyn_state *state, const gdyn_row *row, const double *u);
/* J u' + J' u, the second derivative of the row along a motion (n each); J: the derivative at the
 * state, NULL: not at hand. */
double gdyn_row_acceleration(const struct gdyn_state *state, const gdyn_row *row,
                             const gdyn_row_jacobian *J, const double *u, const double *udot);
/* Adds scale * J to row `index` of the dense matrix C (ld rows), or scale * J^T to a vector f (n).
 */
void gdyn_row_scatter(const struct gdyn_state *state, const gdyn_row_jacobian *jacobian,
                      double scale, double *C, int ld, int index);
void gdyn_row_add_force(const struct gdyn_state *state, const gdyn_row_jacobian *jacobian,
                        double scale, double *f);
/* J u. */
double gdyn_row_speed(const struct gdyn_state *state, const gdyn_row_jacobian *jacobian,
                      const double *u);
