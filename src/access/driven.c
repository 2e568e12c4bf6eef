/* driven.c - coefficients of machines whose drives determine the motion: as many as freedoms, and
 * independent.
 *
 * With K = [C_c J; T^T J] the closing conditions and the drives' speeds as rows on the joint rates
 * q' (tree/tree.h), the equations of motion in joint coordinates are K^T [lambda; n] = J^T rhs:
 * inverse dynamics of the tree, and one sparse elimination of K that serves all four right-hand
 * sides. The cost grows with the bodies, whereas null(C) of a chain with N drives is a dense
 * matrix.
 *
 * Errors: each component of J^T rhs is a sum whose parts are bounded by a second recursion, |J|^T
 * |rhs|; rounding of that size runs through the same elimination with absolute values. */
#include "access/dynamics.h"

#include "model/data.h"

#include <math.h>

/* Fewer drives: the null space is small, and its basis known from elsewhere. */
enum { FEW = 8 };
/* Pivots, relative to the greatest, below which singular values decide. */
static const double CLEAR_CONTROL = 1e-3;
/* Closing leaves 1e-13 of the forces behind; factors in front of that are within a hundred. */
static const double ROUNDING = 1e-11;

bool gdyn_evaluator_wants_joints(const gdyn_evaluator *e) {
    return e->k > FEW && e->efforts == e->k;
}

bool gdyn_evaluator_driven(gdyn_evaluator *e, const gdyn_state *state, gdyn_tree_rank *found) {
    gdyn_tree_rank rank;
    /* freedoms of the machine, then what the drives leave of them: nothing */
    gdyn_tree_pose_set(e->joints, state);
    if (gdyn_tree_eliminate(e->joints, 0, NULL, found) != GDYN_OK || !found->clear ||
        found->freedom != e->k)
        return false;
    gdyn_tree_pose_set(e->driven, state);
    for (int i = 0; i < e->k; i++)
        e->drive_row[i] = &e->model->drive_row[i];
    return gdyn_tree_eliminate(e->driven, e->k, e->drive_row, &rank) == GDYN_OK && rank.clear &&
           rank.freedom == 0 && rank.least >= CLEAR_CONTROL;
}

/* Sizes of the parts of one right-hand side, unscaled: of d1^2 with those of the path's own pace,
 * since u_pp may be zero but for rounding. */
static void load_sizes(gdyn_evaluator *e, int x) {
    const double *rhs = e->rhs + (size_t)e->n * (size_t)x, *d = e->rhs + (size_t)e->n * RHS_D;
    double pace = x == RHS_A ? e->pace : 0;
    for (int j = 0; j < e->n; j++)
        e->residual[j] = (fabs(rhs[j]) + pace * fabs(d[j])) / e->column_scale[j];
}

void gdyn_evaluator_driven_forces(gdyn_evaluator *e, int x, double *force, double *error) {
    const double *rhs = e->rhs + (size_t)e->n * (size_t)x;
    int closing = gdyn_tree_closing(gdyn_model_tree(e->model));
    double *tau = e->reduced_rhs, *lambda = e->solution;
    /* forces */
    for (int j = 0; j < e->n; j++)
        e->residual[j] = rhs[j] / e->column_scale[j];
    gdyn_tree_forces(e->driven, e->residual, tau);
    gdyn_tree_solve_transposed(e->driven, tau, lambda);
    for (int i = 0; i < e->k; i++)
        force[i] = e->model->drive_sign[i] * lambda[closing + i];
    /* bounds of what rounding left in them; smaller forces are zero */
    load_sizes(e, x);
    gdyn_tree_force_sizes(e->driven, e->residual, tau);
    gdyn_tree_bound_transposed(e->driven, tau, lambda);
    for (int i = 0; i < e->k; i++) {
        error[i] = ROUNDING * lambda[closing + i];
        force[i] = fabs(force[i]) > error[i] ? force[i] : 0;
    }
}
