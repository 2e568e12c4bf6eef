/* sparse.h - Gaussian elimination of sparse conditions K x = b with unknown rank, in stages (internal to tree).
 *
 * A stage takes its rows and the columns that it may use: each leg by itself, then all that is left. Within a stage pivots are
 * chosen by Markowitz (1957): among the rows with the fewest entries an entry of at least a share of its row whose column
 * has few entries. So the rows of a chain of loops are eliminated from its ends, without fill, at a cost that grows with their
 * entries. In nets of loops this can multiply rounding from loop to loop; rook pivots, of at least a share of their column
 * too, prevent that at the price of more fill. Pivots that are small for their stage are delayed; the delayed rows, and the last few ones of every stage, go by
 * complete pivoting, which decides the rank. Factors: K = L U for the pivots' rows, rows without a pivot are dependent
 * or doubtful. Nothing allocates below create. */
#ifndef GDYN_TREE_SPARSE_H
#define GDYN_TREE_SPARSE_H

#include "base/memory.h"

typedef struct gdyn_sparse {
    int rows, columns; /* rows in use, columns; room: most_rows */
    int most_rows;
    double *at;  /* most_rows x columns, row-major: a row's entries, in any order */
    int *list;   /* the same: their columns */
    int *where;  /* the same, by columns: place of the entry in the row's list, from 1; 0: none */
    int *count;  /* rows: entries */
    int *member; /* columns x most_rows: rows that have or had an entry in the column */
    int *members, *weight; /* columns: number of them; of those without a pivot */
    int steps;             /* pivots so far */
    int *row, *column;     /* steps: row and column of the pivots */
    double *pivot;         /* steps */
    bool rook;             /* set by the caller: pivots are not small in their column either */
    bool by_fill;          /* a pivot was chosen by its fill, not as the greatest entry */
    int *first;            /* steps + 1: first multiplier of a step */
    int *target;           /* multipliers: row from which the pivot's row was subtracted */
    double *times;         /* multipliers: how often */
    bool *settled;         /* rows: has a pivot */
    int *row_of;           /* columns: row of its pivot, -1: none */
    /* of the stage at hand */
    const bool *barred; /* columns that are no pivots; NULL: none */
    int active;         /* rows of the stage without a pivot */
    int *waiting;       /* active */
    int *place;         /* rows: place among the waiting ones, -1: not of the stage */
    int *live;          /* rows of the stage: entries in columns that are not barred */
    int *head;          /* columns + 1: first row with so many live entries, -1: none */
    int *next, *before; /* rows: neighbours in that list; before: -2: in no list */
} gdyn_sparse;

/* Room in an arena for so many rows; false: memory. */
bool gdyn_sparse_create(gdyn_arena *arena, gdyn_sparse *s, int most_rows, int columns);
/* Takes all rows away and leaves that many empty ones. */
void gdyn_sparse_clear(gdyn_sparse *s, int rows);
/* Adds to an entry. */
void gdyn_sparse_add(gdyn_sparse *s, int row, int column, double value);

/* What the stages found so far. */
typedef struct gdyn_sparse_sizes {
    double greatest, smallest; /* entries at the beginning of stages and pivots; pivots */
} gdyn_sparse_sizes;

/* Eliminates the rows of the list that have no pivot, in columns that are not barred. Pivots are greater than share times the
 * stage's greatest entry and floor times the greatest of all. Returns the greatest entry left in the stage's rows
 * and columns. */
double gdyn_sparse_stage(gdyn_sparse *s, int count, const int *rows, const bool *barred,
                         double share, double floor, gdyn_sparse_sizes *sizes);

/* x with K x = b for the pivots' rows; columns without a pivot have their values in x. b (rows; NULL: zero) is destroyed. */
void gdyn_sparse_solve(const gdyn_sparse *s, double *b, double *x);
/* lambda (rows) with K^T lambda = tau in the pivots' columns, zero for rows without a pivot. tau (columns) is destroyed: what
 * is left of it elsewhere must be zero for a solution to exist. */
void gdyn_sparse_solve_transposed(const gdyn_sparse *s, double *tau, double *lambda);

/* Bounds of |lambda| for |tau|: |L^-T| |U^-T| |tau|, with absolute values of the factors' entries. tau is destroyed. */
void gdyn_sparse_bound_transposed(const gdyn_sparse *s, double *tau, double *lambda);

#endif
