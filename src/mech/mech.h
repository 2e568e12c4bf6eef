/* mech.h - the model at a state: constraints, Jacobians, mass, bias forces, drives.
 *
 * Two sets of velocity coordinates are in use. The user's are z' (Cardan angle rates, design of the
 * papers). Inside, everything is written in body velocities u: per body (v, omega) of the centre of
 * gravity in ground axes, planar (vx, vy, omega_z). u = S(z) z' with S invertible away from
 * phi_y = +-90 deg, so constraints, forces and regions are the same, and no chart singularity
 * exists in u. gdyn_mech_*_z give the matrices of the papers in z.
 *
 *   C u = 0 (or the motions' rates),  C u' + gamma = 0 (motions: their accelerations)
 *   M u' + h - C^T lambda = g + T n
 */
#pragma once

#include "base/api.h"
#include "base/status.h"
#include "model/model.h"

GDYN_API_BEGIN

/* --- state: the pose of every body ----------------------------------------------------------- */

typedef struct gdyn_state gdyn_state;

/* Starts at the model's first guess. */
gdyn_state *gdyn_state_create(const gdyn_model *model);
/* A copy of its own: many states of one model cost less that way. */
gdyn_state *gdyn_state_clone(const gdyn_state *state);
void gdyn_state_destroy(gdyn_state *state);
const gdyn_model *gdyn_state_model(const gdyn_state *state);
void gdyn_state_copy(gdyn_state *to, const gdyn_state *from);
void gdyn_state_guess(gdyn_state *state);
/* Moves every body by the finite displacement du (n): translation and rotation vector, ground axes.
 */
void gdyn_state_move(gdyn_state *state, const double *du);
/* Physical coordinates z (n) of all bodies in their present charts; charts change by themselves. */
void gdyn_state_z(const gdyn_state *state, double *z);
void gdyn_state_set_z(gdyn_state *state, const double *z);
/* Centre of gravity (3) and rotation matrix (9) of a body; the ground gives zeros and identity. */
void gdyn_state_body(const gdyn_state *state, int body, double r[3], double R[9]);
/* Ground coordinates of an anchor. */
void gdyn_state_point(const gdyn_state *state, const gdyn_anchor *anchor, double x[3]);
/* Velocity of an anchor for body velocities u (n). */
void gdyn_state_point_velocity(const gdyn_state *state, const gdyn_anchor *anchor, const double *u,
                               double v[3]);
/* Whether all bodies are at the same places, bit for bit. */
bool gdyn_state_same_pose(const gdyn_state *a, const gdyn_state *b);
/* Whether no body is farther away than that share of the machine's length, nor turned by more than
 * so many rad. */
bool gdyn_state_near(const gdyn_state *a, const gdyn_state *b, double tolerance);
/* Time for the motions' formulas; default 0. */
void gdyn_state_set_time(gdyn_state *state, double t);
double gdyn_state_time(const gdyn_state *state);

/* --- constraints ----------------------------------------------------------------------------- */

/* Residuals phi (m) of the holonomic rows [m or rad]. */
void gdyn_mech_constraints(const gdyn_state *state, double *phi);
/* One of them. */
double gdyn_mech_constraint(const gdyn_state *state, int row);
/* C ((m+h) x n): holonomic rows, then Pfaffian rows. */
void gdyn_mech_jacobian(const gdyn_state *state, double *C);
/* J' along (m+h), J' being the rate of C in the motion u; along: body velocities, too (n). */
void gdyn_mech_jacobian_rate(const gdyn_state *state, const double *u, const double *along,
                             double *out);
/* gamma (m+h) for body velocities u: C u' + gamma = 0 for scleronomic rows. */
void gdyn_mech_curvature(const gdyn_state *state, const double *u, double *gamma);
/* Right-hand sides of motions: C u = rate, C u' + gamma = acceleration; zero elsewhere (m+h). */
void gdyn_mech_motion_rates(const gdyn_state *state, double *rate, double *acceleration);
/* --- forces and inertia ---------------------------------------------------------------------- */

/* M a (n), rotors included. And the full matrix (n x n). */
void gdyn_mech_mass_apply(const gdyn_state *state, const double *a, double *Ma);
/* N^T M N (f x f) of motions N (n x f): what M is to f freedoms. work: n x f, f at least. */
void gdyn_mech_mass_reduce(const gdyn_state *state, int f, const double *N, double *work,
                           double *out);
void gdyn_mech_mass(const gdyn_state *state, double *M);
/* h (n): gyroscopic terms and rotors' J^T I J' u. Homogeneous quadratic in u. */
void gdyn_mech_bias(const gdyn_state *state, const double *u, double *h);
/* How the machine moves along a path at a state. */
typedef struct gdyn_path_rates {
    const double *u_p, *u_pp; /* n; without u_pp (NULL) what turns here stands still */
    bool before;              /* what turns here moves as just before (default: as just behind) */
    double d1_min, d1_max;    /* bounds of d1 that the path itself sets here; 0: none */
    /* What closing the pose left there (gdyn_track_rates), which need not be found again: results
     * are the same to rounding. NULL: nothing. */
    const double *known;
} gdyn_path_rates;
/* Powers of applied forces in a motion that are not those of a potential [W]. */
typedef struct gdyn_powers {
    double loads;    /* of constant forces */
    double friction; /* of dampers, friction and process forces: not above zero */
} gdyn_powers;
/* Applied forces g (n) in a motion u (n) in time: gravity, springs, constant forces, dampers,
 * friction, process forces. Dry forces rise as tanh(v / slip) with the speed v of their freedom or
 * point: `slip` > 0 [m/s], over L for angles; sign(v) in the limit, so that what sticks creeps.
 * `dry`: forces of dry friction on the coordinates of the model's frictions instead of that law [N
 * or N m]; NULL: none is known. */
void gdyn_mech_motion_forces(const gdyn_state *state, const double *u, double slip,
                             const double *dry, double *g, gdyn_powers *powers);
/* Energy of gravity (zero at the ground's origin) and springs, and of the motion u, rotors included
 * [J]. */
double gdyn_mech_potential(const gdyn_state *state);
double gdyn_mech_kinetic(const gdyn_state *state, const double *u);
/* Influence matrix T (n x k) and, per drive, its coordinate's speed for body velocities u (k). */
void gdyn_mech_drives(const gdyn_state *state, double *T);
void gdyn_mech_drive_speeds(const gdyn_state *state, const double *u, double *speed);
/* Value of a drive's coordinate [m or rad]: joint coordinate or length; 0 for a wrench. */
double gdyn_mech_drive_coordinate(const gdyn_state *state, int drive);
/* Value of the coordinate whose range is stated [m or rad], and its speed for body velocities u
 * (n). */
double gdyn_mech_range_coordinate(const gdyn_state *state, int range);
double gdyn_mech_range_speed(const gdyn_state *state, int range, const double *u);
/* Coordinate of a joint's freedom. */
double gdyn_mech_joint_coordinate(const gdyn_state *state, int joint, gdyn_freedom freedom);
/* Its first and second derivative along a path; NAN: the joint has no such freedom. */
void gdyn_mech_joint_rates(const gdyn_state *state, int joint, gdyn_freedom freedom,
                           const gdyn_path_rates *rates, double derivative[2]);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Remembers the angles of gears, drives and springs so that turns beyond pi are counted from here.
 * Call it after each accepted pose. */
void gdyn_state_accept(gdyn_state *state);
/* Makes the pose the first guess of its model, angles with their full turns. */
void gdyn_state_become_guess(const gdyn_state *state, gdyn_model *model);
/* Poses as numbers that any state of a machine with the same bodies and joints can take: places,
 * rotations and the whole turns of joints and bodies. */
int gdyn_state_numbers(const gdyn_model *model);
void gdyn_state_save(const gdyn_state *state, double *numbers);
void gdyn_state_load(gdyn_state *state, const double *numbers);
/* Whole turns on a long way: of bodies that turn by more than 1 rad in the displacement du (n) from
 * one pose, and of angles of joints that do, those angles are chosen for `to` to which du leads.
 * False: the pose's rotation is not near that. */
bool gdyn_state_count_turns(gdyn_state *to, const gdyn_state *from, const double *du);
/* Rebases the chart of a body (A_ref := present rotation); nothing else changes. For tests. */
void gdyn_state_rechart(gdyn_state *state, int body);
/* +1 when row i of C measures lengths, 0 when angles: rows and columns are scaled with it. */
int gdyn_mech_row_is_length(const gdyn_model *model, int row);
/* Column scales (n): 1 for translations, 1/L for rotations, so that scaled unknowns are lengths:
 * C_s = row_scale C column_scale. */
void gdyn_mech_scales(const gdyn_model *model, double *row_scale, double *column_scale);
/* The same without rotors; MN (n x f): M N of the bodies. */
void gdyn_mech_bodies_reduce(const gdyn_state *state, int f, const double *N, double *MN,
                             double *out);
/* Applied forces on a path: for u = u_p d1 with d1 > 0, g = g0 + g1 d1 (gravity, springs, constant
 * forces, Coulomb friction, process magnitude in g0; viscous terms in g1). What stands still along
 * the path has no kinetic friction and no process force (mech/standstill.h). */
void gdyn_mech_path_forces(const gdyn_state *state, const gdyn_path_rates *rates, double *g0,
                           double *g1);
/* The same with absolute values added up instead of the forces, so that nothing cancels (a spring
 * counts with the sum of its length and its rest length): what the rounding of g0 and g1 is
 * relative to. */
void gdyn_mech_path_force_sizes(const gdyn_state *state, const gdyn_path_rates *rates,
                                double *size0, double *size1);
/* Static friction that acts at a state: columns (n) of the stictions whose freedom stands still
 * along the path, as those of T (positive pushes the freedom's coordinate); their numbers into
 * held. Returns how many there are. */
int gdyn_mech_static_friction(const gdyn_state *state, const gdyn_path_rates *rates,
                              double *columns, int *held);
/* Names of the model's frictions, "friction of JOINT"; NULL: without a dry part. */
const char *gdyn_mech_friction_name(const gdyn_model *model, int friction);
/* How far a pose by itself is beyond that range [m or rad], 0: within. Of an angle the full turn
 * counts that is nearest. */
double gdyn_mech_range_beyond(const gdyn_state *state, int range);
/* The same of a pose by itself: without full turns, the angle is the one nearest to the middle of
 * its range (none: to 0). Angles of screws and of joints with gears keep their turns, which the
 * pose depends on. */
double gdyn_mech_joint_within_turn(const gdyn_state *state, int joint, gdyn_freedom freedom);
