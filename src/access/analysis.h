/* analysis.h - what else is asked of a machine at its poses: freedoms, equilibria, rest, singular
 * poses of a path, and proofs of what was evaluated. */
#pragma once

#include "access/evaluate.h"
#include "path/path.h"

/* --- freedoms.c ------------------------------------------------------------------------------- */

/* A motion, described by the body that takes the greatest part in it. */
typedef struct gdyn_free_motion {
    int body;
    bool turns;          /* about `direction`, else it moves along it */
    double direction[3]; /* unit vector in ground axes */
    int others;          /* number of other bodies that move with it */
} gdyn_free_motion;

/* Motions that the constraints leave and no drive acts on, null(T^T N) with N = null(C), at a
 * closed pose: as many as are independent, at most `most` of them are written. Each has a
 * coordinate of its own in which the others do not move. Returns GDYN_OK, or why there is none:
 * memory, LAPACK. */
gdyn_status gdyn_undriven_motions(const gdyn_state *state, int most, gdyn_free_motion *motion,
                                  int *count);

/* An orthonormal basis of them in coordinates scaled by gdyn_mech_scales, as body velocities: U (n
 * x count; room for n x n). */
gdyn_status gdyn_undriven_basis(const gdyn_state *state, double *U, int *count);
/* The same of the motions that neither the constraints nor the path prescribe, null([C; E]), at a
 * pose closed there. */
gdyn_status gdyn_path_free_basis(const gdyn_path *path, const gdyn_state *state, double p,
                                 double *F, int *count);

/* Drives against mobility at a closed pose: the number of freedoms they control, rank[C^T T] - rank
 * C, and the drive redundancy r. */
gdyn_status gdyn_count_drives(const gdyn_state *state, int *controlled, int *redundancy);

/* What a path prescribes against what the machine can do. */
typedef struct gdyn_path_demand {
    int prescribed;   /* coordinates the path prescribes */
    int mobility;     /* n - rank C */
    int independent;  /* rank of E N: those of them the machine can move by themselves */
    bool blocked;     /* a point of the path cannot move in some direction that is prescribed */
    int tool;         /* blocked: that point, in the path's definition */
    double along[3];  /* blocked: that direction, a unit vector in ground axes */
    bool by_velocity; /* blocked: by rolling contacts or knife edges, not by the pose */
    int joint;        /* by_velocity: the first of these joints */
} gdyn_path_demand;

/* Where the track was not followed first: at the pose before, or where the machine closes without
 * the path. */
gdyn_status gdyn_path_demand_of(const gdyn_path *path, const gdyn_track *track,
                                gdyn_path_demand *demand);

/* Poses of a path in which the applied forces hold the freedoms that no drive
 * moves, and motions through them.
 *
 * U (n x q) spans the motions of null(C) that move no drive (freedoms.c). At rest some drive forces
 * balance the machine when U^T g = 0, g being the applied forces without friction: gravity,
 * springs, constant forces. */

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

/* What drives can do to a tool from rest.
 *
 * At rest, with accelerations a of the tool or external forces f on it along the axes of space,
 *     n = C + accel a + V y     or     n = C + force f + V y,   min <= n <= max.
 * Dry friction is left out: nothing of it is counted upon, and nothing has to be overcome. The
 * other coordinates that the targets prescribe are not accelerated; what they leave free moves as
 * little as possible, what no drive moves as it must. Directions in which the machine's constraints
 * do not let the tool move count as none. */

typedef struct gdyn_rest {
    /* k drives: C, V, min and max, torque-speed lines at standstill among them */
    gdyn_coefficients q;
    int axes;                    /* of space: 2 or 3 */
    const double *accel, *force; /* k x axes, column-major */
    /* The drives could balance the load, and every acceleration and force as well, if they had no
     * limits. */
    bool held, moved, carried;
    /* least over greatest singular value of the drives' map to the free motions (singularity.c) */
    double distance;
} gdyn_rest;

/* With its own storage; NULL: memory. */
gdyn_rest *gdyn_rest_create(const gdyn_model *model);
void gdyn_rest_destroy(gdyn_rest *rest);

/* At a closed pose; the first targets are the tool's coordinates along the axes. Allocates where
 * motions have no drive alone. */
gdyn_status gdyn_evaluator_rest(gdyn_evaluator *evaluator, const gdyn_state *state, int count,
                                const gdyn_target *targets, const gdyn_anchor *tool,
                                gdyn_rest *rest);

/* Places of a path where the drives lose control of a freedom.
 *
 * With N an orthonormal basis of null(C) (scaled; n x f) and T_s the drives' influence with unit
 * columns, H = N^T T_s (f x k) maps drive forces to the free motions. Its generic rank g is the
 * greatest met on the path. Where sigma_g(H) passes through zero, a direction w of the free motions
 * is left to itself:
 *     w^T N^T (a d1^2 + b d1 + c + d d2) = 0        (dynamics.c has the right-hand sides)
 * is an equation between d1 and d2, and beside the place the forces that any other motion needs
 * grow without bound. No speed, time or acceleration holds for a path that leads across such a
 * place. It is harmless where inertia and load have no part in w: the forces stay bounded.
 *
 * Such places lie between the points of a path. They are found by the sign of det H (f = k),
 * oriented by det(N_1^T N_2) from sample to sample, and by the tips of sigma_g, |p - p0| to first
 * order, otherwise. Samples are the path's points and, where a body moves far from one to the next,
 * places between them.
 *
 * Where the constraints lose rank (path/rank_loss.h) freedoms appear, and branches may meet: such a
 * pose blocks the path unless the drives control all freedoms that the machine has there. */

/* Workspace that is led along the path; everything is borrowed. closest: the least sigma_g is
 * searched for, between the points, too; else it stays unknown. NULL when memory is out. */
typedef struct gdyn_singularity_finder gdyn_singularity_finder;
gdyn_singularity_finder *gdyn_singularity_finder_create(const gdyn_path *path,
                                                        const gdyn_track *track,
                                                        gdyn_evaluator *evaluator, bool closest);
void gdyn_singularity_finder_destroy(gdyn_singularity_finder *finder);
/* Takes point i of the followed path; all points, in their order. Just after the evaluator was at
 * that point its factors are used again. known: what closing left there (gdyn_path_rates), or
 * NULL. */
gdyn_status gdyn_singularity_finder_point(gdyn_singularity_finder *finder, int i,
                                          const double *known);
/* The places, in the order of the path, into `out` (emptied first). */
gdyn_status gdyn_singularity_finder_finish(gdyn_singularity_finder *finder,
                                           gdyn_singularities *out);

/* All of that in one call, with the closest approach. */
gdyn_status gdyn_singularities_find(const gdyn_path *path, const gdyn_track *track,
                                    gdyn_evaluator *evaluator, gdyn_singularities *out);

/* Checkers of evaluated trajectories, independent of the evaluation. */

/* Greatest deviations over the points of a trajectory, as shares of the largest limit force. */
typedef struct gdyn_proof {
    int points;    /* that had a region */
    double tuples; /* region by saturated tuples against elementary vectors; -1: too many tuples */
    double programs;   /* linear programs at points of the envelopes */
    double reductions; /* regions from SVD coefficients against null-space ones */
    double balance;    /* N^T (M u' + h - g - T n) of forces found for points of the region */
} gdyn_proof;

gdyn_status gdyn_prove(const gdyn_model *model, const gdyn_evaluation *evaluation,
                       gdyn_proof *proof);
