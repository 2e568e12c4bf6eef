/* vertex.h - the answer of a linear program checked against the program itself, and corrected.
 *
 *   goal c^T x,   low_i <= g_i x <= high_i,   G = [A; 1] (rows, then columns)
 *
 * A vertex is given by n independent constraints that are active. With M their rows, v their
 * bounds:
 *
 *   x = M^-1 v,   T = G M^-1,   G x = T v,   multipliers w = M^-T c
 *
 * Everything is computed afresh from the active set. Whether a constraint is violated, an entry of
 * T or a multiplier zero, is decided by what rounding can have done to it: with |.| entry by entry
 * and u the share of a number that rounding may be,
 *
 *   |error of M^-1| <= u |M^-1| |M| |M^-1|
 *   |error of T|    <= u (|G| |M^-1| + |T| |M| |M^-1|)
 *   |error of G x|  <= u (|G| |x| + |T| (|v| + |M| |x|))   |v|: the size of a given bound
 *
 * that is the change of the answer when every number of the program is changed by u of itself, or
 * of what is usual in its row and column (Higham, Accuracy and Stability of Numerical Algorithms,
 * 7.2). Limits of 1 beside limits of 1e14 are kept as closely as the numbers allow, where a fixed
 * tolerance takes one for zero or the rounding of the other one for a violation. */
#pragma once

#include "base/memory.h"
#include "lp/lp.h"

/* A program: arrays of lp.h, low and high with rows + cols entries. Arrays are borrowed. */
typedef struct gdyn_program {
    int rows, cols, lda;
    const double *A, *low, *high, *cost;
    const double *size; /* rows: see gdyn_lp_row_size */
    bool maximize;
} gdyn_program;

typedef struct gdyn_vertex {
    gdyn_lp_place *place; /* rows + cols: in, the place to start from; out, that of the answer */
    double *value;        /* rows + cols: G x */
    double *dual;         /* rows + cols: multipliers, 0 where not active */
    /* storage */
    int *active;               /* cols */
    bool *drawn_in;            /* rows + cols: came from a far bound */
    double far;                /* bounds beyond are far, in units of their row */
    double *pair;              /* cols x 2 cols, row-major: [M 1], eliminated */
    double *inverse, *product; /* cols x cols, row-major: M^-1, |M| |M^-1| */
    double *T, *error;         /* (rows + cols) x cols, row-major: T and its error in units of u */
    double *v, *w, *w_error;   /* cols */
    double *size;              /* rows + cols: error of value in units of u */
    double *row_size, *column_size; /* rows, cols: |G_ij| is at most their product */
    double *row;                    /* cols, scratch */
} gdyn_vertex;

/* Storage in the arena; gdyn_arena_failed: there is none. */
void gdyn_vertex_create(gdyn_vertex *vertex, gdyn_arena *arena, int max_rows, int max_cols);

/* Mends the place until it is optimal, or shows that there is no optimum. Returns the number of
 * steps, -1 when they ran out. value and dual hold after GDYN_LP_OPTIMAL. */
int gdyn_vertex_settle(gdyn_vertex *vertex, const gdyn_program *program, gdyn_lp_status *outcome);
/* Change of constraint i's value per unit of the j-th active bound, 0 where it is rounding. */
double gdyn_vertex_influence(const gdyn_vertex *vertex, int cols, int i, int j);
