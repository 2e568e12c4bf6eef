/* motions.h - the free motions of closed poses, one pose per SIMD lane, and what acts along them (internal to the library).
 *
 * Machines of hubs with legs that their own conditions determine (points.h): the legs follow the hubs, q' = G h. A body of a leg moves
 * with the few coordinates between it and the ground, u_b = J_b q', so that sums over bodies,
 *     J^T f,   J^T W J,
 * are made leg by leg in the leg's own coordinates and carried to the hubs once, G^T (J^T f). A basis of all bodies' velocities is
 * only made where it is asked for. Motions are orthonormal in the velocities of all bodies, rotations times the
 * machine's length, as gdyn_orthonormalize leaves them. */
#ifndef GDYN_TREE_MOTIONS_H
#define GDYN_TREE_MOTIONS_H

#include "tree/tree.h"

/* Motions, and velocities of a body, at most; poses that are taken at once, of which some may be the same: then what is
 * written for them may be the same, too. */
enum { GDYN_MOTIONS_MOST = 6, GDYN_MOTIONS_AT_ONCE = 4 };

typedef struct gdyn_tree_motions gdyn_tree_motions;

/* Workspace of one thread; NULL: memory is out. Nothing allocates below. */
gdyn_tree_motions *gdyn_tree_motions_create(const gdyn_tree *tree);
void gdyn_tree_motions_destroy(gdyn_tree_motions *motions);

/* Takes closed poses and how the legs follow there (gdyn_tree_points_legs). False: a motion is too near to the others. */
bool gdyn_tree_motions_take(gdyn_tree_motions *motions,
                            const gdyn_state *const state[GDYN_MOTIONS_AT_ONCE],
                            const double *const map[GDYN_MOTIONS_AT_ONCE]);
/* Their number f. */
int gdyn_tree_motions_count(const gdyn_tree_motions *motions);

/* Forces along the motions, N^T force, of the forces on one body (3 or 6, moments over the machine's length), added to along (f). */
void gdyn_tree_motions_add_force(const gdyn_tree_motions *motions, int body,
                                 const double *const force[GDYN_MOTIONS_AT_ONCE],
                                 double *const along[GDYN_MOTIONS_AT_ONCE]);

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
void gdyn_tree_motions_loads(const gdyn_tree_motions *motions,
                             gdyn_motion_load *const load[GDYN_MOTIONS_AT_ONCE]);
/* M (f x f): N^T M N of the bodies, without rotors. */
void gdyn_tree_motions_mass(gdyn_tree_motions *motions, double *const M[GDYN_MOTIONS_AT_ONCE]);

/* N (n x f, column-major, rotations times the machine's length). */
void gdyn_tree_motions_basis(const gdyn_tree_motions *motions,
                             double *const N[GDYN_MOTIONS_AT_ONCE]);

#endif
