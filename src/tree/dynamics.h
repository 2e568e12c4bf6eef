/* dynamics.h - motion in joint coordinates: the tree, closed by its closing conditions.
 *
 *   M q'' + k = J^T f + J_c^T lambda,    J_c q' = rates,    J_c q'' + gamma_c = accelerations
 *
 * with M = J^T M_u J, k = J^T (M_u bias + h), f the applied forces on the bodies (like u: per body
 * force [N] and moment [N m] at the centre of gravity, ground axes), J_c the closing rows on q'.
 * Rotors of drives are in M and h. Independent coordinates z are a choice among q; the others
 * follow,
 *
 *   q' = K z' + s,    q'' = K z'' + xi,    K = [1; I_c] 
 *
 * with the rows of z and of the dependent ones y_c.
 *
 * W. Schiehlen, W. Blajer, "Closing Conditions and Reaction Forces of Multibody Systems", ZAMM 72
 * (1992) T45-T47: Eq. 1 is gdyn_tree_mass_solve, Q_c^T = [-I_c, 1] in Eq. 2, N_c = Q_c^T M^-1 Q_c
 * and the closing reactions in Eqs. 3 and 4, the minimal equations in Eq. 5. Redundant closing rows
 * are left out of Q_c, which has as many columns as there are independent rows, so that N_c is
 * regular where M is; their multipliers are zero, one choice among many (see reactions.h for which
 * are unique).
 *
 * A workspace belongs to one thread; nothing allocates below its create. Order of calls at a pose:
 * set, speeds, then any of the rest; place leads to the next pose. */
#pragma once

#include "base/api.h"
#include "base/status.h"
#include "mech/mech.h"
#include "model/span.h"

GDYN_API_BEGIN

typedef struct gdyn_tree_dynamics gdyn_tree_dynamics;

/* What a pose is like. */
typedef struct gdyn_tree_condition {
    int rank;    /* independent closing rows; redundant ones: closing rows - rank */
    int freedom; /* f = n_q - rank: number of independent coordinates */
    /* least pivot kept, greatest entry dropped, both relative to the greatest pivot */
    double least;
    double left;
    bool clear;    /* no rank decision is in doubt: least >= 1e-4, left <= 1e-11 */
    bool changed;  /* z is another choice than at the pose before */
    double choice; /* least pivot of this choice relative to the best one: 0.1 .. 1 */
    int massless;  /* first coordinate without inertia: M^-1 does not exist; -1: none */
} gdyn_tree_condition;

/* Workspace of a tree, which must outlive it; NULL: memory is out. */
gdyn_tree_dynamics *gdyn_tree_dynamics_create(const gdyn_tree *tree);
void gdyn_tree_dynamics_destroy(gdyn_tree_dynamics *dynamics);

/* Takes a pose: inertias, articulated inertias, elimination of the closing conditions (ranks are
 * results), choice of z. The choice of the pose before is kept while its least pivot is above a
 * tenth of the best one's. The state must not change while it is used. GDYN_ERROR_NUMERIC:
 * something is not finite. */
gdyn_status gdyn_tree_dynamics_set(gdyn_tree_dynamics *dynamics, const gdyn_state *state,
                                   gdyn_tree_condition *condition);
/* The independent coordinates z (f numbers of coordinates, ascending). */
const int *gdyn_tree_independent(const gdyn_tree_dynamics *dynamics);
/* Makes `z` (f numbers of coordinates) the choice from now on: it counts as that of the pose before
 * at the next set. f = 0 forgets the choice. */
void gdyn_tree_prefer(gdyn_tree_dynamics *dynamics, int f, const int *z);

/* Motion at the pose: q' (n_q) and u = J q' (n) of z' (f). Velocities that motions prescribe are
 * added. */
void gdyn_tree_speeds(gdyn_tree_dynamics *dynamics, const double *zdot, double *qdot, double *u);
/* z' (f) of body velocities u (n). */
void gdyn_tree_independent_rates(const gdyn_tree_dynamics *dynamics, const double *u, double *zdot);

/* One right-hand side of the inverse dynamics. */
typedef struct gdyn_tree_load {
    const double *qddot; /* n_q; NULL: zero */
    const double *f;     /* n; NULL: none */
    bool moving;         /* with k, the terms of the speeds last set; else as at rest */
} gdyn_tree_load;
/* Inverse dynamics: tau_j = M q''_j + k - J^T f_j (n_q each, count columns), all in one recursion,
 * O(n) each. */
void gdyn_tree_inverse(gdyn_tree_dynamics *dynamics, int count, const gdyn_tree_load *load,
                       double *tau);
/* X := M^-1 X (n_q x count) by the recursion of articulated bodies, O(n) a column (Featherstone,
 * Rigid Body Dynamics Algorithms, 2008, section 7; Brandl, Johanni, Otter 1988). Rotors whose
 * coordinate belongs to no joint of the tree are a low-rank update. GDYN_ERROR_NUMERIC: a
 * coordinate has no inertia (condition.massless). */
gdyn_status gdyn_tree_mass_solve(gdyn_tree_dynamics *dynamics, int count, double *X);
/* Reaction matrix N_c = Q_c^T M^-1 Q_c (rank x rank; its rows are the dependent coordinates,
 * ascending). */
gdyn_status gdyn_tree_reaction_matrix(gdyn_tree_dynamics *dynamics, double *N_c);

/* How accelerations are found; both give the same. */
typedef enum gdyn_tree_method {
    GDYN_TREE_CHEAPER,   /* of the two, by their number of operations; projected without M^-1 */
    GDYN_TREE_PROJECTED, /* (K^T M K) z'' = K^T (J^T f - k - M xi): also where M is singular */
    GDYN_TREE_REACTIONS  /* Eqs. 3 and 5: closing reactions from N_c, then M^-1 */
} gdyn_tree_method;
/* Forward dynamics under applied forces f (n) at the speeds last set: z'' (f), q'' (n_q), u' (n),
 * and multipliers of the closing rows (closing; forces on the bodies: C_c^T lambda). NULL: not
 * wanted. GDYN_ERROR_NUMERIC: a free motion has no inertia. */
gdyn_status gdyn_tree_accelerate(gdyn_tree_dynamics *dynamics, gdyn_tree_method method,
                                 const double *f, double *zddot, double *qddot, double *udot,
                                 double *lambda);

/* How a pose was closed. */
typedef struct gdyn_tree_placed {
    bool closed;     /* residual <= 1e-12 L */
    int explicitly;  /* cut joints closed in closed form */
    int iterations;  /* Newton steps of the others */
    double residual; /* greatest, of lengths over L and of angles */
} gdyn_tree_placed;
/* Moves z by the finite displacement dz (f) from the pose last set and closes the machine, y_c =
 * y_c(z), into `to`: loops in closed form where loops.c has one, on the branch of the pose last
 * set; else by Newton steps. Turns of a ball are a rotation vector. The time of `to` counts for
 * motions. Nonholonomic rows steer the correction only. */
void gdyn_tree_place(gdyn_tree_dynamics *dynamics, const double *dz, gdyn_state *to,
                     gdyn_tree_placed *placed);
/* Rates of the finite displacement dz for z': equal to z' but for turns of balls, whose rotation
 * vectors follow the inverse of the exponential's derivative. */
void gdyn_tree_displacement_rates(const gdyn_tree_dynamics *dynamics, const double *dz,
                                  const double *zdot, double *rate);

GDYN_API_END
