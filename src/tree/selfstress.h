/* selfstress.h - reactions and drive forces that balance themselves: null([C^T T]) from the closing conditions.
 *
 * In joint coordinates the loads of (lambda, n) on the tree are J_c^T lambda_c + T_q n, T_q = J^T T, and those that vanish are
 * as many as in null([C^T T]), because the rows of an open tree are independent. With K = null(J_c):
 *   - one for each dependent closing row: lambda_c = e_i - (the independent rows' combination that equals row i);
 *   - one for each n with K^T T_q n = 0: lambda_c balances -T_q n.
 * A joint of the tree carries the sum of the loads on the bodies outboard of it, C_B^T lambda_j = -w_B: its multipliers follow by one
 * recursion inward. See docs/reactions.md. */
#ifndef GDYN_TREE_SELFSTRESS_H
#define GDYN_TREE_SELFSTRESS_H

#include "tree/tree.h"

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

/* The states at a closed pose: basis N ((m + h + k) x (redundant + driven), column-major: multipliers of the rows as they are,
 * then forces of the columns of T (n x k)); those without drive forces first. Not orthogonal. N has room for
 * (m + h + k)^2. Where it is not clear, N is not filled. GDYN_ERROR_NUMERIC: something is not finite. */
gdyn_status gdyn_selfstress_at(gdyn_selfstress_work *work, const gdyn_state *state, int k,
                               const double *T, double *N, gdyn_selfstress *found);

#endif
