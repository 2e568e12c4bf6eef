/* standstill.h - what moves along a path, and which way (internal to mech and what builds on it).
 *
 * A coordinate q(pose) with path derivative q' = J u_p moves when |q'| (angles times the machine's
 * length L) exceeds STILL times the pace of the whole machine, the largest |(v, L w)| of a body in
 * u_p. Both scale alike with p and with the unit of length. What is smaller is rounding:
 * standstill.c has the argument.
 *
 * Where q' = 0 but q'' = J u_pp + J' u_p is not, the coordinate turns: it moves one way before p
 * and the other way behind it. The motion along the path continues to greater p, so the way behind
 * p is taken, unless the place is approached from before. Where both vanish it stands still. */
#pragma once

#include "mech/mech.h"
#include "mech/row.h"

/* The motion of a machine at a state, measured. */
typedef struct gdyn_pace {
    const gdyn_state *state;
    gdyn_path_rates rates;
    double least_rate;              /* rates up to here are none [m per p] */
    double least_bend;              /* the same of second derivatives [m per p^2] */
    const gdyn_row_jacobian *drive; /* derivatives of the drives' coordinates; NULL: not at hand */
} gdyn_pace;

/* The derivative of a drive's coordinate, from the pace or into `own`. */
const gdyn_row_jacobian *gdyn_pace_drive_derivative(const gdyn_pace *pace, int drive,
                                                    gdyn_row_jacobian *own);
gdyn_pace gdyn_pace_of(const gdyn_state *state, const gdyn_path_rates *rates);
/* The way `count` coordinates of one kind (a joint's freedom: 1, a point: 3) with these derivatives
 * move together: heading (count) is a unit vector, *speed the size of their rate [unit per p], zero
 * at a turning point. False when they stand still. */
bool gdyn_pace_heading(const gdyn_pace *pace, int count, const gdyn_row *row,
                       const gdyn_row_jacobian *jacobian, double *heading, double *speed);

/* Inertia on a path: a = M u_pp + h(u_p) and d = M u_p (n each). */
void gdyn_pace_inertia(const gdyn_pace *pace, double *a, double *d);
/* What rotors add to that. */
void gdyn_pace_add_rotors(const gdyn_pace *pace, double *a, double *d);
/* gdyn_mech_path_forces for a motion that is measured already. */
void gdyn_pace_forces(const gdyn_pace *pace, double *g0, double *g1);
/* Speeds of the drives' coordinates, zero where they stand still. */
void gdyn_pace_drive_rates(const gdyn_pace *pace, double *speed);

/* What dry forces depend on the heading of: freedoms with Coulomb or static friction, then points
 * of process forces. Their number. */
int gdyn_pace_friction_count(const gdyn_model *model);
/* Heading (3 each; a freedom has one component) of all of them, zero where they stand still, and
 * d/dp of the size of their rate (zero where they stand still). */
void gdyn_pace_headings(const gdyn_state *state, const gdyn_path_rates *rates, double *heading,
                        double *growth);
