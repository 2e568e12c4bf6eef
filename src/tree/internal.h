/* internal.h - what the files of tree share. */
#ifndef GDYN_TREE_INTERNAL_H
#define GDYN_TREE_INTERNAL_H

#include "model/data.h"
#include "model/screws.h"
#include "tree/sparse.h"
#include "tree/tree.h"

/* A table of conditions  [own | carried] x = right-hand sides, row-major, with the identity behind
 * it, reduced by Gauss-Jordan steps on its own columns. Afterwards row r reads
 *   x[column of r] + (entries in the other columns) x = (its last `rows` entries) b    for pivot rows,
 *   (entries) x = (last entries) b, free of the pivots' columns,                       for the others. */
typedef struct gdyn_tree_table {
    int rows, own, width; /* width = own + carried + rows */
    double *at;
    int rank;
    int sign;       /* of the product of the pivots */
    int *column_of; /* rows: the own column of its pivot, -1: none */
    int *row_of;    /* own columns: row of its pivot, -1: none */
} gdyn_tree_table;

/* Reduces the table: pivots fall from the greatest entry left, down to `least` in size. *greatest and
 * *smallest are updated with the pivots taken; returns the greatest entry left in own columns. */
double gdyn_tree_reduce(gdyn_tree_table *table, double share, double floor, double *greatest,
                        double *smallest);

/* A row on u as one on scaled coordinates, factor scale J^T row^T: its entries are added to row `index` of the table. A row that
 * depends on the motion of its bodies relative to each other has none inboard of where their ways to the ground
 * meet. */
void gdyn_tree_sparse_row(const gdyn_tree_pose *pose, const gdyn_row *row,
                          const gdyn_row_jacobian *jacobian, double factor, const double *scale,
                          gdyn_sparse *table, int index);

/* Eliminates the rows of the last gdyn_tree_eliminate anew, all of them or those marked in pose->only, down to any
 * pivot. */
void gdyn_tree_eliminate_rows(gdyn_tree_pose *pose, bool all);

struct gdyn_tree_pose {
    const gdyn_tree *tree;
    const gdyn_state *state;
    double *S;      /* coordinates x 6: screw (v, w) at the outboard body's centre of gravity */
    double *axis;   /* coordinates x 3: axis, ground axes */
    double *arm;    /* coordinates x 3: from the joint's point to the outboard centre of gravity */
    double *reach;  /* bodies x 3: from the centre of gravity of the body inboard to its own */
    double *wrench; /* bodies x 6 */
    double *turned; /* bodies x 9: workspace of a move */

    int max_targets, targets;
    double *scale;               /* coordinates: q' = scale x, L for slides, 1 for turns */
    double *row_scale;           /* closing rows, targets: 1/L for lengths, else 1 */
    const gdyn_row **row;        /* closing rows, targets */
    gdyn_row_jacobian *jacobian; /* closing rows, targets: derivatives with respect to u */
    gdyn_sparse table;           /* all conditions, scaled, and their factors */
    int *all;                    /* closing rows, targets: their numbers */
    bool *hub_column;            /* coordinates: of a hub */
    int *leg_step;   /* legs + 1: pivots taken before that leg, before what is left of all */
    bool *hubs_only; /* closing rows, targets: the row holds no coordinate of a leg */
    double *x;       /* coordinates */
    double *rate, *acceleration; /* coordinates: q_p, q_pp of the last gdyn_tree_rates */
    double *u;                   /* n */
    double *given;               /* closing + targets: scaled right-hand sides */
    double *next;                /* closing + targets: right-hand sides in the rows' units */
    int *order_of;               /* closing + targets: workspace of permutations */
    bool *seen;                  /* coordinates: the same */
    bool *only; /* closing + targets: rows of an elimination that leaves others out */
    gdyn_arena *arena;
};

#endif
