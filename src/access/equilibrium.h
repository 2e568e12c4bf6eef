/* equilibrium.h - poses of a path in which the applied forces hold the freedoms that no drive
 * moves, and motions through them.
 *
 * U (n x q) spans the motions of null(C) that move no drive (freedoms.h). At rest some drive forces
 * balance the machine when U^T g = 0, g being the applied forces without friction: gravity,
 * springs, constant forces. */
#ifndef GDYN_ACCESS_EQUILIBRIUM_H
#define GDYN_ACCESS_EQUILIBRIUM_H

#include "path/path.h"

typedef struct gdyn_equilibrium_info {
    int undriven, left; /* q; freedoms that the path leaves */
    /* those of them that balance determines: q where it depends on each of its equations */
    int determined;
    double unbalanced; /* |U^T g| over the size of the applied forces, both scaled */
    /* least eigenvalue of the second derivative of the potential with all drives held, over the
     * size of the applied forces and in 1 / L: below 0 the equilibrium is unstable */
    double stiffness;
    double moved; /* what Newton's steps have moved the pose, added up (rotations times L) [m] */
    bool found;   /* balanced to rounding */
} gdyn_equilibrium_info;

/* Most freedoms without a drive. */
enum { GDYN_EQUILIBRIUM_MOST = 6 };
/* Below this stiffness a pose is unstable; what lies between is indifferent: rounding of second
 * differences. */
#define GDYN_EQUILIBRIUM_UNSTABLE (-1e-6)

typedef struct gdyn_equilibrium gdyn_equilibrium;

/* Workspace for one path, whose weights measure motions. Both are borrowed. NULL: memory is out. */
gdyn_equilibrium *gdyn_equilibrium_create(const gdyn_model *model, const gdyn_path *path);
void gdyn_equilibrium_destroy(gdyn_equilibrium *work);

/* The equilibrium at p that is reached from the pose in `state` by Newton's method with steps of
 * least weighted norm along the freedoms that the path leaves. GDYN_OK also when none is found;
 * then `state` is the best pose. */
gdyn_status gdyn_equilibrium_solve(gdyn_equilibrium *work, double p, gdyn_state *state,
                                   gdyn_equilibrium_info *info);
/* The same from many poses: `state`, then poses on the ways from it along each freedom that the
 * path leaves. Of stable ones the nearest to `state` is taken, else the first one. Where the drives
 * can be held while the machine moves to balance, each start is let go first: the equilibrium into
 * which the machine falls from `state` is taken before others. */
gdyn_status gdyn_equilibrium_search(gdyn_equilibrium *work, double p, gdyn_state *state,
                                    gdyn_equilibrium_info *info);
/* From an equilibrium at `from` to one at `to`, behind which nothing breaks: where the path leaves
 * more than balance determines the way is the least weighted motion through poses in equilibrium,
 * and the error of one step is of fifth order in its length. As gdyn_equilibrium_solve
 * otherwise. */
gdyn_status gdyn_equilibrium_advance(gdyn_equilibrium *work, double from, double to,
                                     gdyn_state *state, gdyn_equilibrium_info *info);

#endif
