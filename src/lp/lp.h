/* lp.h - small dense linear programs with duals and certificates (GLPK behind it).
 *
 *   minimize or maximize  c^T x   subject to   row_low <= A x <= row_high,  col_low <= x <=
 * col_high
 *
 * Infinite bounds are allowed. Programs of up to three columns are solved by vertex.h alone. For
 * others a GLPK object is made at the first solve and stays warm: after a change of bounds or
 * objective the next solve starts from the last basis.
 * GLPK keeps its memory per thread: a solve in another thread than the last one begins with an
 * object of its own, from no basis; gdyn_lp_release drops the GLPK part, in the thread that solved.
 * No failure inside GLPK ends the process. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

typedef enum gdyn_lp_status {
    GDYN_LP_OPTIMAL,
    GDYN_LP_INFEASIBLE, /* gdyn_lp_farkas gives the proof */
    GDYN_LP_UNBOUNDED,
    GDYN_LP_FAILED /* iteration limit or numerical refusal */
} gdyn_lp_status;

typedef enum gdyn_lp_method { GDYN_LP_PRIMAL, GDYN_LP_DUAL } gdyn_lp_method;

/* Place of a row or column in the final basis. */
typedef enum gdyn_lp_place {
    GDYN_LP_BASIC,
    GDYN_LP_AT_LOW,
    GDYN_LP_AT_HIGH,
    GDYN_LP_FREE /* held at zero, which its bounds allow, without a multiplier */
} gdyn_lp_place;

typedef struct gdyn_lp gdyn_lp;

/* Room for max_rows x max_cols; NULL when there is no memory. */
gdyn_lp *gdyn_lp_create(int max_rows, int max_cols);
void gdyn_lp_destroy(gdyn_lp *lp);
void gdyn_lp_release(gdyn_lp *lp);
/* Frees what GLPK keeps for the calling thread; to be called by a thread that ends. */
void gdyn_lp_end_thread(void);

/* Takes a copy of A (rows x cols, column-major, leading dimension lda); all bounds become infinite
 * and the objective zero. GDYN_ERROR_ARGUMENT when it does not fit or A is not finite. */
gdyn_status gdyn_lp_load(gdyn_lp *lp, int rows, int cols, const double *A, int lda);
void gdyn_lp_row(gdyn_lp *lp, int row, double low, double high);
/* Size of the terms that a row's bounds were summed from: their rounding is measured against it
 * (gdyn_lp_load: nothing but the bounds themselves). */
void gdyn_lp_row_size(gdyn_lp *lp, int row, double size);
void gdyn_lp_column(gdyn_lp *lp, int col, double low, double high);
void gdyn_lp_objective(gdyn_lp *lp, int col, double coefficient);

/* Solves; the mathematical outcome goes to *outcome. GDYN_ERROR_NUMERIC when GLPK gave up (the
 * outcome is then GDYN_LP_FAILED), GDYN_ERROR_ARGUMENT when a bound or coefficient is NaN. */
gdyn_status gdyn_lp_solve(gdyn_lp *lp, bool maximize, gdyn_lp_method method,
                          gdyn_lp_status *outcome);

/* After GDYN_LP_OPTIMAL. Duals: change of the optimum per unit of the active bound. */
double gdyn_lp_value(const gdyn_lp *lp);      /* objective */
double gdyn_lp_x(const gdyn_lp *lp, int col); /* solution */
double gdyn_lp_row_dual(const gdyn_lp *lp, int row);
gdyn_lp_place gdyn_lp_row_place(const gdyn_lp *lp, int row);
/* The vertex: its n-th active constraint (n < columns), a row or rows + a column; and the change of
 * a row's activity per unit of that constraint's bound, 0 where it is rounding. */
int gdyn_lp_active(const gdyn_lp *lp, int n);
double gdyn_lp_influence(const gdyn_lp *lp, int row, int n);

/* Proof of infeasibility: multipliers u (rows) and v (columns) with u^T A + v^T = 0 and
 *   sum_i max over [row_low, row_high] of u_i + sum_j max over [col_low, col_high] of v_j = -gap <
 * 0. *gap <= 0 when the constraints do not exclude each other (within rounding). Where a row's or
 * column's own bounds cross, all multipliers are zero and the gap is the overlap. */
gdyn_status gdyn_lp_farkas(gdyn_lp *lp, double *row, double *col, double *gap);
