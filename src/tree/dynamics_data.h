/* dynamics_data.h - the workspace of dynamics in joint coordinates (internal to tree).
 *
 * Velocities and wrenches of bodies have dim = 3 (vx, vy, wz) or 6 (v, w) entries, as in u. */
#ifndef GDYN_TREE_DYNAMICS_DATA_H
#define GDYN_TREE_DYNAMICS_DATA_H

#include "tree/dynamics.h"
#include "tree/internal.h"

/* Right-hand sides that one recursion carries. */
enum { GDYN_TREE_BLOCK = 8, GDYN_TREE_DIM = 6 };

/* A drive's rotor: inertia at the drive's coordinate. */
typedef struct gdyn_tree_rotor {
    int drive;
    double inertia;
    int body; /* body whose joint it turns, so that it adds to that joint's inertia; -1: it couples bodies */
    gdyn_row_jacobian row;
} gdyn_tree_rotor;

/* A joint cut of which closed form is used, see loops.c. */
typedef struct gdyn_tree_loop {
    int joint;      /* the cut joint */
    int unknowns;   /* 1 or 2 coordinates, in the order from b's side to a's side */
    int unknown[2]; /* coordinates */
    int sign[2];    /* +1: the coordinate moves a's side relative to b's, -1: the other way round */
} gdyn_tree_loop;

/* Motions that the closing conditions leave at a pose, in free coordinates of the elimination (F) and in z (K). */
typedef struct gdyn_tree_leeway {
    gdyn_tree_pose *pose; /* closing conditions eliminated */
    int *free;            /* n_q: free coordinates of the elimination, ascending */
    double *F, *K;        /* n_q x f */
} gdyn_tree_leeway;

struct gdyn_tree_dynamics {
    const gdyn_tree *tree;
    const gdyn_state *state;
    gdyn_tree_pose *pose;        /* at the state: that of `here` */
    gdyn_tree_leeway here, near; /* at the state; while a new pose is closed */
    int dim, nq, n, closing;
    gdyn_tree_condition condition;

    /* inertia: filled by gdyn_tree_take_inertia */
    double *S;       /* n_q x dim: screws as velocities of the outboard body */
    double *inertia; /* bodies x 9: tensor in ground axes; planar: [8] */
    double *IA;      /* bodies x dim^2: articulated inertia */
    double *U;       /* n_q x dim: IA S */
    double
        *D; /* bodies x 36: Cholesky factor of S^T IA S of the body's joint, lower, count x count */
    double *composite;      /* bodies x 2: mass and greatest moment outboard, nothing cancelled */
    int rotors, coupling;   /* of them those that couple bodies */
    gdyn_tree_rotor *rotor; /* coupling ones first */
    double *W, *Y;          /* n_q x coupling: their rows on q', M_0^-1 W */
    double *small;          /* coupling^2: Cholesky factor of (inertia^-1 + W^T Y) */

    /* independent coordinates: filled by minimal.c */
    int wanted;            /* number of coordinates chosen before; 0: none */
    int *z, *y;            /* n_q each: independent (f), dependent (rank) coordinates, ascending */
    int *chosen;           /* n_q: choice before */
    gdyn_tree_table table; /* f x f: exchange; n_q at most */

    /* motion: filled by gdyn_tree_speeds */
    double *qdot, *shift; /* n_q: q', s */
    double *u, *bias, *h; /* n */
    double *xi;           /* n_q */

    /* working space */
    double *block, *wrench;      /* GDYN_TREE_BLOCK x n each */
    double *columns;             /* n_q x n_q: M K, M^-1 Q_c */
    double *square;              /* n_q x n_q: K^T M K, N_c */
    double *tau, *work, *extra;  /* n_q each */
    double *rate, *acceleration; /* m + h */
    double *known;               /* closing */
    double *dq;                  /* n_q */
    gdyn_state *trial;
    bool traced; /* the loops are those of the present choice of z */
    int loops;   /* filled by gdyn_tree_find_loops */
    gdyn_tree_loop *loop;
    bool *settled; /* n_q: the coordinate's displacement is known */
    gdyn_arena *arena;
};

/* articulated.c: inertias at the pose; condition.massless. */
void gdyn_tree_take_inertia(gdyn_tree_dynamics *d);
/* Lower Cholesky factor of the n x n matrix A (column-major) in place; sizes (n, or NULL): what a pivot is
 * compared with. Returns the first column without a positive pivot, -1: none. */
int gdyn_tree_cholesky(int n, double *A, const double *sizes);
/* x := A^-1 x from the factor. */
void gdyn_tree_cholesky_solve(int n, const double *A, double *x);
/* minimal.c: elimination, choice of z, K. */
gdyn_status gdyn_tree_choose(gdyn_tree_dynamics *d);
/* q' (n_q) with  closing rows q' = b  in the pose and zero rates of z; b in the rows' units. */
void gdyn_tree_solve_dependent(const gdyn_tree_dynamics *d, const gdyn_tree_leeway *at,
                               const double *b, double *qdot);
/* Eliminates at a state and expresses the motions left in the present z; false: another number of them is left, or z
 * does not determine them. */
bool gdyn_tree_leeway_at(gdyn_tree_dynamics *d, gdyn_tree_leeway *at, const gdyn_state *state);
/* loops.c: cut joints that can be closed in closed form, in the order in which they are. */
void gdyn_tree_find_loops(gdyn_tree_dynamics *d);
/* Displacements of the loops' unknowns into dq, those of z being there; false: out of reach, or the branch cannot be
 * told. */
bool gdyn_tree_close_loops(gdyn_tree_dynamics *d, double *dq, gdyn_state *to);

#endif
