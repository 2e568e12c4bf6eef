/* blocks.h - sparse symmetric positive definite systems A x = b of blocks of one size.
 *
 * Nodes (bodies of a machine) have `size` unknowns each; A has blocks on the diagonal and at the
 * given edges. A = L L^T is computed node by node in an order of minimum degree (George and Liu
 * 1989), chosen once from the edges: chains, trees and rows of loops have no fill or little, and
 * cost as much as they have nodes. Nothing allocates below create. */
#pragma once

#include <stdbool.h>

typedef struct gdyn_blocks gdyn_blocks;

/* edge[i]: two nodes whose block is not zero; repetitions and loops do no harm. NULL: memory. */
gdyn_blocks *gdyn_blocks_create(int nodes, int size, int edges, const int (*edge)[2]);
void gdyn_blocks_destroy(gdyn_blocks *s);
/* Blocks that L holds, those of the diagonal among them. */
int gdyn_blocks_stored(const gdyn_blocks *s);

/* A := 0. */
void gdyn_blocks_clear(gdyn_blocks *s);
/* Adds x y^T (size each) to the block of rows `i` and columns `j`, as is its mirror image; false:
 * no edge joins them. */
bool gdyn_blocks_add(gdyn_blocks *s, int i, int j, const double *x, const double *y);
/* Largest diagonal element. */
double gdyn_blocks_greatest(const gdyn_blocks *s);
/* Factors A + shift I, which stays as it was; false when that is not positive definite. */
bool gdyn_blocks_factor(gdyn_blocks *s, double shift);
/* x (nodes * size) := the solution for the right-hand side x. */
void gdyn_blocks_solve(const gdyn_blocks *s, double *x);
