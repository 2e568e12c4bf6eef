/* points.h - neighbouring poses of a path closed together, one per SIMD lane (internal to the
 * library).
 *
 * For machines of hubs with legs whose closing conditions determine each leg's own coordinates, and
 * paths that determine the hubs (tree.h): the plan of a machine is compiled once, chains of joints
 * from the cut points to the ground as lists of terms. Per pose: bodies placed from a base pose
 * near by, the cut points' velocities per joint, the inverse of each leg's conditions, residuals.
 * Newton steps carry the second-order term of the conditions (Chebyshev's method: from a residual e
 * to e^3). Poses at which a decision would be doubtful, and all other machines, are left to
 * tree.h. */
#pragma once

#include "tree/tree.h"

typedef struct gdyn_tree_points gdyn_tree_points;

/* Poses that are closed together. */
enum { GDYN_AT_ONCE = 4 };

/* A motion of the joints from a pose: dq = c[0] s + c[1] s^2 + ... (n_q each). */
enum { GDYN_MOTION_MOST = 6 };
typedef struct gdyn_tree_motion {
    int terms;
    double *c[GDYN_MOTION_MOST];
} gdyn_tree_motion;

/* What a path asks of a row: its value, and the first and second derivative along the path. ORIENT:
 * 0 and the target frame's angular velocity and acceleration, the frame is the row's. */
typedef struct gdyn_tree_goal {
    const gdyn_row *row;
    double value[3];
} gdyn_tree_goal;

/* How a pose was closed. */
typedef struct gdyn_tree_closed {
    double residual; /* largest scaled one left */
    int worst;       /* its closing row, or closing rows + goal */
    double moved;    /* length of all corrections, without unit */
    int steps;
    double least; /* lower bound of the smallest pivot over the largest */
} gdyn_tree_closed;

/* Length of a step of the joints, without unit: slides over L, turns in rad; and of the body that
 * moves most relative to the one inboard. */
typedef struct gdyn_tree_stride {
    double h, length, most;
} gdyn_tree_stride;

/* A pose as it is handed out. */
typedef struct gdyn_tree_arrival {
    gdyn_state *state;           /* places of the bodies; the rest stays */
    double *u_p, *u_pp;          /* n: body velocities and accelerations per p */
    double *rate, *acceleration; /* n_q: those of the joints */
    double *leg_map;             /* from the factors of the closed pose; 0 in front: not known */
    signed char *sign;           /* blocks */
    /* of the next step from here by rates and accelerations, as long as that to the next lane */
    gdyn_tree_stride stride;
    double turned; /* most that a body turned since the lane before, or the base [rad] */
    gdyn_tree_closed closed;
} gdyn_tree_arrival;

/* Workspace of one thread; NULL: memory is out. Nothing allocates below. */
gdyn_tree_points *gdyn_tree_points_create(const gdyn_tree *tree, int max_goals);
void gdyn_tree_points_destroy(gdyn_tree_points *points);

/* Whether the machine is of this kind, and a path of so many rows may be. */
bool gdyn_tree_points_fit(const gdyn_tree_points *points, int goals);
/* Takes the machine at a closed pose near which poses are closed, and the kinds of the path's rows
 * there. False: machine or path are not of this kind. */
bool gdyn_tree_points_base(gdyn_tree_points *points, const gdyn_state *base, int goals,
                           const gdyn_tree_goal *goal);
/* Length of a map of how the legs follow the hubs at a pose: the smallest pivot of the legs, then
 * the rates of each leg's own coordinates per rate of each coordinate of the hubs. 0: the machine
 * is not of this kind. */
int gdyn_tree_points_leg_map_length(const gdyn_tree_points *points);

/* The same at any closed pose, in a list of its own; map: what is known of it, returned where it
 * serves; NULL, or 0 in front: nothing. NULL: the machine is not of this kind, or a pivot is
 * doubtful. */
const double *gdyn_tree_points_legs(gdyn_tree_points *points, const gdyn_state *state,
                                    const double *map);
/* Whether a map is known and its pivots are clear. */
bool gdyn_tree_points_clear(const double *map);

/* Signs of the determinants of the legs' conditions and of the hubs' (blocks): a singular pose lies
 * between two neighbouring poses where one of them differs. */
int gdyn_tree_points_blocks(const gdyn_tree_points *points);

/* What works in the lanes: one table per translation (linalg/lanes.h), with the same operations and
 * bits. */
typedef struct gdyn_points_kernel {
    /* Closes GDYN_AT_ONCE poses that begin at the base moved by the motion over h[lane], for the
     * goals of each lane. Returns how many of them, from the first, are closed to rounding at
     * clearly regular poses. tolerance: scaled residual up to which rounding may stall; radius:
     * longest correction. */
    int (*close)(gdyn_tree_points *points, const gdyn_tree_motion *motion,
                 const double h[GDYN_AT_ONCE], const gdyn_tree_goal *const goal[GDYN_AT_ONCE],
                 double tolerance, double radius);
    /* Path derivatives of the closed poses. */
    void (*derive)(gdyn_tree_points *points, const gdyn_tree_goal *const goal[GDYN_AT_ONCE]);
    /* Hands out all lanes: what is known of them after `derive`. legs: with maps. */
    void (*hand_out)(gdyn_tree_points *points, gdyn_tree_arrival *const to[GDYN_AT_ONCE],
                     bool legs);
    /* The signs of the blocks at the base. */
    void (*base_signs)(gdyn_tree_points *points, const gdyn_tree_goal *const goal[GDYN_AT_ONCE],
                       signed char *sign);
    /* gdyn_tree_points_legs where nothing is known. */
    const double *(*legs)(gdyn_tree_points *points, const gdyn_state *state);
} gdyn_points_kernel;
/* For any processor, and the table for this one. */
extern const gdyn_points_kernel gdyn_points_kernel_plain;
const gdyn_points_kernel *gdyn_points_kernel_here(void);

/* --- free motions, one pose per lane, and what acts along them -----------------------------------
 *
 * The legs follow the hubs, q' = G h. A body of a leg moves
 * with the few coordinates between it and the ground, u_b = J_b q', so that sums over bodies,
 *     J^T f,   J^T W J,
 * are made leg by leg in the leg's own coordinates and carried to the hubs once, G^T (J^T f). A
 * basis of all bodies' velocities is only made where it is asked for. Motions are orthonormal in
 * the velocities of all bodies, rotations times the machine's length, as gdyn_orthonormalize leaves
 * them. */

/* Motions, and velocities of a body, at most; poses that are taken at once, of which some may be
 * the same: then what is written for them may be the same, too. */
enum { GDYN_MOTIONS_MOST = 6, GDYN_MOTIONS_AT_ONCE = 4 };

typedef struct gdyn_tree_motions gdyn_tree_motions;

/* Workspace of one thread; NULL: memory is out. Nothing allocates below. */
gdyn_tree_motions *gdyn_tree_motions_create(const gdyn_tree *tree);
void gdyn_tree_motions_destroy(gdyn_tree_motions *motions);

/* Their number f. */
int gdyn_tree_motions_count(const gdyn_tree_motions *motions);

/* Loads of a pose on a path, of d1^2, d1, 1 and d2. */
enum { GDYN_MOTION_LOADS = 4 };
typedef struct gdyn_motion_load {
    const double *u_p, *u_pp; /* n */
    /* n each: what is added to M u_pp + h(u_p), 0, 0 and M u_p of the bodies; NULL: nothing */
    const double *more[GDYN_MOTION_LOADS];
    double *along;                  /* f x GDYN_MOTION_LOADS: the sums along the motions */
    double size[GDYN_MOTION_LOADS]; /* norms of the sums, moments over the machine's length */
    double pace;                    /* norm of u_p, rotations times the machine's length */
} gdyn_motion_load;

/* What works in the lanes: one table per translation (linalg/lanes.h). */
typedef struct gdyn_motions_kernel {
    /* Takes closed poses and how the legs follow there (gdyn_tree_points_legs). False: a motion is
     * too near to the others. */
    bool (*take)(gdyn_tree_motions *motions, const gdyn_state *const state[GDYN_MOTIONS_AT_ONCE],
                 const double *const map[GDYN_MOTIONS_AT_ONCE]);
    /* Forces along the motions, N^T force, of the forces on one body (3 or 6, moments over the
     * machine's length), added to along (f). */
    void (*add_force)(const gdyn_tree_motions *motions, int body,
                      const double *const force[GDYN_MOTIONS_AT_ONCE],
                      double *const along[GDYN_MOTIONS_AT_ONCE]);
    void (*loads)(const gdyn_tree_motions *motions,
                  gdyn_motion_load *const load[GDYN_MOTIONS_AT_ONCE]);
    /* M (f x f): N^T M N of the bodies, without rotors. */
    void (*mass)(gdyn_tree_motions *motions, double *const M[GDYN_MOTIONS_AT_ONCE]);
    /* N (n x f, column-major, rotations times the machine's length). */
    void (*basis)(const gdyn_tree_motions *motions, double *const N[GDYN_MOTIONS_AT_ONCE]);
} gdyn_motions_kernel;
/* That for this processor. */
const gdyn_motions_kernel *gdyn_motions_kernel_here(void);
