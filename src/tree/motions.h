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

#include "linalg/lanes.h"
#include "tree/tree.h"

/* Motions, and velocities of a body, at most. */
enum { GDYN_MOTIONS_MOST = 6 };

typedef struct gdyn_tree_motions gdyn_tree_motions;

/* Workspace of one thread; NULL: memory is out. Nothing allocates below. */
gdyn_tree_motions *gdyn_tree_motions_create(const gdyn_tree *tree);
void gdyn_tree_motions_destroy(gdyn_tree_motions *motions);

/* Takes closed poses and how the legs follow there (gdyn_tree_points_legs). False: a motion is too near to the others. */
bool gdyn_tree_motions_take(gdyn_tree_motions *motions, const gdyn_state *const state[GDYN_LANES],
                            const double *const map[GDYN_LANES]);
/* Their number f. */
int gdyn_tree_motions_count(const gdyn_tree_motions *motions);

/* Forces along the motions, N^T force, moments over the machine's length: of the forces on one body (3 or 6), added to along (f);
 * or of those on all bodies (n in each lane). */
void gdyn_tree_motions_add_force(const gdyn_tree_motions *motions, int body,
                                 const gdyn_lanes *force, gdyn_lanes *along);
void gdyn_tree_motions_forces(const gdyn_tree_motions *motions,
                              const double *const force[GDYN_LANES], gdyn_lanes *along);
/* M (f x f): N^T M N of the bodies, without rotors. */
void gdyn_tree_motions_mass(gdyn_tree_motions *motions, gdyn_lanes *M);

/* N (n x f, column-major, rotations times the machine's length) of each lane. */
void gdyn_tree_motions_basis(const gdyn_tree_motions *motions, double *const N[GDYN_LANES]);

#endif
