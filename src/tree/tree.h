/* tree.h - joint coordinates on a spanning tree of the machine, and closing conditions.
 *
 * Ground and bodies are nodes, joints edges. The joints of a spanning tree carry coordinates q, and
 *
 *   u = J q',   u' = J q'' + bias(q')       (Schiehlen, Blajer 1992; Paul 2020, chapter 3)
 *
 * J is never formed: products with it are outward recursions from the ground to the ends, products
 * with J^T inward ones. All other rows (cut joints, gears, knife edges, rolling, motions, and
 * targets of a path) stay rows on u and become closing conditions C_c J q' = .... Hubs, bodies
 * where three or more branches to the ground meet, float on coordinates of their own and have all
 * their joints cut: the conditions of a leg then hold its own coordinates and those of the hubs
 * only, and each leg is eliminated by itself.
 *
 * Ranks carry over: rank C = rows of the tree joints + rank of the closing conditions, redundancy =
 * closing rows - their rank; J null(C_c J) = null(C). q' are rates of joint motions (turns of a
 * ball about ground axes, no angles), so every pose is regular for them.
 *
 * A tree is constant and may be shared; a gdyn_tree_pose is a workspace for one thread, nothing
 * allocates below its create. */
#pragma once

#include "linalg/linalg.h"
#include "mech/mech.h"
#include "mech/row.h"
#include "model/span.h"

typedef struct gdyn_tree_pose gdyn_tree_pose;

/* Workspace for poses of the tree with up to max_targets rows beside the machine's own. */
gdyn_tree_pose *gdyn_tree_pose_create(const gdyn_tree *tree, int max_targets);
void gdyn_tree_pose_destroy(gdyn_tree_pose *pose);

/* Takes the joints' screws at a state; the state must not change while the pose is used. */
void gdyn_tree_pose_set(gdyn_tree_pose *pose, const gdyn_state *state);

/* u = J q' (n from n_q). */
void gdyn_tree_velocities(const gdyn_tree_pose *pose, const double *qdot, double *u);
/* q' of a motion u that the joints of the tree allow (n_q from n): the inverse of the above. */
void gdyn_tree_joint_rates(const gdyn_tree_pose *pose, const double *u, double *qdot);
/* tau = J^T f (n_q from n); f: forces and moments on the bodies, like u. */
void gdyn_tree_forces(gdyn_tree_pose *pose, const double *f, double *tau);
/* Sizes of the parts that gdyn_tree_forces adds up, for sizes of forces and moments (n): tau (n_q),
 * no less than |J^T f| for any f of these sizes. */
void gdyn_tree_force_sizes(gdyn_tree_pose *pose, const double *size, double *tau);
/* bias (n): u' for q'' = 0, at u = J q'. */
void gdyn_tree_bias(const gdyn_tree_pose *pose, const double *qdot, const double *u, double *bias);
/* A row on u as a row on q': out (n_q) = J^T row^T. */
void gdyn_tree_row(gdyn_tree_pose *pose, const gdyn_row_jacobian *row, double *out);

/* Moves every joint by the finite displacement dq (n_q) from one state, at which the constraints of
 * the joints of the tree hold, to another: they hold there too, to rounding of one move (but for a
 * screw's advance). Turns of a ball are one rotation vector. work: any pose of the tree, as
 * workspace. */
void gdyn_tree_move(gdyn_tree_pose *work, const gdyn_state *from, const double *dq, gdyn_state *to);
/* The same for the bodies' places alone; the rest of `to` stays, gdyn_state_take_angles completes
 * it. Not settled: the rounding of this move stays in the constraints. */
void gdyn_tree_move_bodies(gdyn_tree_pose *work, const gdyn_state *from, const double *dq,
                           bool settled, gdyn_state *to);

/* What the elimination of the closing conditions (and targets) found. */
typedef struct gdyn_tree_rank {
    int rank;    /* independent conditions */
    int freedom; /* n_q - rank: null(C) or what the targets leave of it */
    /* smallest pivot kept, largest entry left beside them; relative to the largest pivot */
    double least;
    double left;
    bool clear; /* every decision is far from changing: smallest >= 1e-4, left <= 1e-11 */
} gdyn_tree_rank;

/* Eliminates the closing conditions and the given rows (targets of a path; NULL, 0: none) at the
 * pose: leg by leg with complete pivoting, then what is left of all legs together. Lengths are
 * scaled by the machine's characteristic length. GDYN_ERROR_NUMERIC: something is not finite. */
gdyn_status gdyn_tree_eliminate(gdyn_tree_pose *pose, int targets, const gdyn_row *const *target,
                                gdyn_tree_rank *rank);
/* The rank of the rows on u that belongs to it: of C, or of C with the targets. */
gdyn_rank gdyn_tree_rank_of(const gdyn_tree *tree, const gdyn_tree_rank *found);
/* A solution q' of  closing rows q' = b,  target rows q' = b: b holds closing rows in the order of
 * the tree, then targets, in the rows' units. Free coordinates stay zero; dependent rows are not
 * looked at. */
void gdyn_tree_solve(gdyn_tree_pose *pose, const double *b, double *qdot);
/* Velocities and accelerations along a path for the eliminated targets, whose rates and
 * accelerations per p are given: C u_p = 0, C u_pp + gamma(u_p) = 0, targets likewise (n each).
 * *misfit: largest residual of rows that were found dependent, relative to the largest right-hand
 * side, of both systems. Unique when the rank left no freedom. */
void gdyn_tree_rates(gdyn_tree_pose *pose, const double *first, const double *second, double *u_p,
                     double *u_pp, double misfit[2]);
/* q_p and q_pp (n_q each) found there; valid until the next one. */
void gdyn_tree_joint_motion(const gdyn_tree_pose *pose, const double **rate,
                            const double **acceleration);
/* Rates found elsewhere at this pose take their place. */
void gdyn_tree_keep_motion(gdyn_tree_pose *pose, const double *rate, const double *acceleration);
/* Whether a singular pose needs to lie between two poses at which the same kinds of rows were
 * eliminated without freedom left: the sign of the determinant of independent conditions at both;
 * +1, -1, 0: unknown. */
int gdyn_tree_orientation(const gdyn_tree_pose *from, gdyn_tree_pose *to);
/* Multipliers lambda (closing rows, then targets, in their units) with tau = J_c^T lambda for tau
 * (n_q) in the range of the eliminated rows' transpose, zero for rows found dependent: the
 * transpose of the above. tau is destroyed. */
void gdyn_tree_solve_transposed(gdyn_tree_pose *pose, double *tau, double *lambda);
/* Bounds of |lambda| for tau of given sizes (n_q): the same elimination with absolute values. tau
 * is destroyed. */
void gdyn_tree_bound_transposed(gdyn_tree_pose *pose, double *tau, double *lambda);
/* Free coordinates, ascending (freedom), and the motions in which one of them moves at unit rate,
 * the others not: K (n_q x freedom, column-major). */
void gdyn_tree_free(gdyn_tree_pose *pose, int *coordinate, double *K);
/* Basis of the motions that all eliminated rows leave: N (n x freedom, column-major), columns u = J
 * q' with independent q', not orthogonal. */
void gdyn_tree_null(gdyn_tree_pose *pose, double *N);

/* --- reactions and drive forces that balance themselves (selfstress.c) ---------------------------
 *
 * In joint coordinates the loads of (lambda, n) on the tree are J_c^T lambda_c + T_q n, T_q = J^T
 * T, and those that vanish are as many as in null([C^T T]), because the rows of an open tree are
 * independent. With K = null(J_c):
 *   - one for each dependent closing row: lambda_c = e_i - (the combination of independent rows
 *     that equals row i);
 *   - one for each n with K^T T_q n = 0: lambda_c balances -T_q n.
 * A joint of the tree carries the sum of the loads on the bodies outboard of it, C_B^T lambda_j =
 * -w_B: its multipliers follow by one recursion inward. See docs/reactions.md. */
typedef struct gdyn_selfstress {
    int redundant;             /* states without drive forces: redundant constraints */
    int driven;                /* further states: drive redundancy */
    gdyn_rank rank_c, rank_ct; /* of C and [C^T T], by pivots */
    bool clear;                /* no decision is in doubt; else the dense way has to decide */
} gdyn_selfstress;

typedef struct gdyn_selfstress_work gdyn_selfstress_work;

/* Workspace for a model and up to `efforts` drive forces; NULL: memory is out. */
gdyn_selfstress_work *gdyn_selfstress_create(const gdyn_model *model, int efforts);
void gdyn_selfstress_destroy(gdyn_selfstress_work *work);

/* The states at a closed pose: basis N ((m + h + k) x (redundant + driven), column-major:
 * multipliers of the rows as they are, then forces of the columns of T (n x k)); those without
 * drive forces first. Not orthogonal. N has room for (m + h + k)^2. Where it is not clear, N is not
 * filled. GDYN_ERROR_NUMERIC: something is not finite. */
gdyn_status gdyn_selfstress_at(gdyn_selfstress_work *work, const gdyn_state *state, int k,
                               const double *T, double *N, gdyn_selfstress *found);
