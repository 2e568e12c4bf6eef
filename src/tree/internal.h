/* internal.h - what the files of tree share. */
#pragma once

#include "base/memory.h"
#include "model/data.h"
#include "model/screws.h"
#include "tree/dynamics.h"
#include "tree/tree.h"

/* A table of conditions  [own | carried] x = right-hand sides, row-major, with the identity behind
 * it, reduced by Gauss-Jordan steps on its own columns. Afterwards row r reads
 *   x[column of r] + (entries in the other columns) x = (its last `rows` entries) b    for pivots,
 *   (entries) x = (last entries) b, free of the pivots' columns,                       for the
 * others. */
typedef struct gdyn_tree_table {
    int rows, own, width; /* width = own + carried + rows */
    double *at;
    int rank;
    int sign;       /* of the product of the pivots */
    int *column_of; /* rows: the own column of its pivot, -1: none */
    int *row_of;    /* own columns: row of its pivot, -1: none */
} gdyn_tree_table;

/* Reduces the table: pivots fall from the largest entry left, down to `least` in size. *greatest
 * and *smallest are updated with the pivots taken; returns the largest entry left in own
 * columns. */
double gdyn_tree_reduce(gdyn_tree_table *table, double share, double floor, double *greatest,
                        double *smallest);

/* --- elimination of sparse conditions K x = b with unknown rank, in stages (sparse.c) ------------
 *
 * A stage takes its rows and the columns that it may use: each leg by itself, then all that is
 * left. Within a stage pivots are chosen by Markowitz (1957): among the rows with the fewest
 * entries an entry of at least a share of its row whose column has few entries. So the rows of a
 * chain of loops are eliminated from its ends, without fill, at a cost that grows with their
 * entries. In nets of loops this can multiply rounding from loop to loop; rook pivots, of at least
 * a share of their column too, prevent that at the price of more fill. Pivots that are small for
 * their stage are delayed; the delayed rows, and the last few ones of every stage, go by complete
 * pivoting, which decides the rank. Factors: K = L U for the pivots' rows, rows without a pivot are
 * dependent or doubtful. Nothing allocates below create. */
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
    bool by_fill;          /* a pivot was chosen by its fill, not as the largest entry */
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

/* Eliminates the rows of the list that have no pivot, in columns that are not barred. Pivots are
 * greater than share times the stage's largest entry and floor times the largest of all. Returns
 * the largest entry left in the stage's rows and columns. */
double gdyn_sparse_stage(gdyn_sparse *s, int count, const int *rows, const bool *barred,
                         double share, double floor, gdyn_sparse_sizes *sizes);

/* x with K x = b for the pivots' rows; columns without a pivot have their values in x. b (rows;
 * NULL: zero) is destroyed. */
void gdyn_sparse_solve(const gdyn_sparse *s, double *b, double *x);
/* lambda (rows) with K^T lambda = tau in the pivots' columns, zero for rows without a pivot. tau
 * (columns) is destroyed: what is left of it elsewhere must be zero for a solution to exist. sizes:
 * bounds of |lambda| for |tau|, |L^-T| |U^-T| |tau|, with absolute values of the factors'
 * entries. */
void gdyn_sparse_solve_transposed(const gdyn_sparse *s, bool sizes, double *tau, double *lambda);

/* A row on u as one on scaled coordinates, factor scale J^T row^T: its entries are added to row
 * `index` of the table. A row that depends on the motion of its bodies relative to each other has
 * none inboard of where their ways to the ground meet. */
void gdyn_tree_sparse_row(const gdyn_tree_pose *pose, const gdyn_row *row,
                          const gdyn_row_jacobian *jacobian, double factor, const double *scale,
                          gdyn_sparse *table, int index);

/* Eliminates the rows of the last gdyn_tree_eliminate again, all of them or those marked in
 * pose->only, down to any pivot. */
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

/* --- dynamics in joint coordinates ---------------------------------------------------------------
 *
 * Velocities and wrenches of bodies have dim = 3 (vx, vy, wz) or 6 (v, w) entries, as in u. */
/* Right-hand sides that one recursion carries. */
enum { GDYN_TREE_BLOCK = 8, GDYN_TREE_DIM = 6 };

/* A drive's rotor: inertia at the drive's coordinate. */
typedef struct gdyn_tree_rotor {
    int drive;
    double inertia;
    /* body whose joint it turns, so that it adds to that joint's inertia; -1: it couples bodies */
    int body;
    gdyn_row_jacobian row;
} gdyn_tree_rotor;

/* A joint cut of which closed form is used, see loops.c. */
typedef struct gdyn_tree_loop {
    int joint;      /* the cut joint */
    int unknowns;   /* 1 or 2 coordinates, in the order from b's side to a's side */
    int unknown[2]; /* coordinates */
    int sign[2];    /* +1: the coordinate moves a's side relative to b's, -1: the other way round */
} gdyn_tree_loop;

/* Motions that the closing conditions leave at a pose, in free coordinates of the elimination (F)
 * and in z (K). */
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
    /* bodies x 36: Cholesky factor of S^T IA S of the body's joint, lower, count x count */
    double *D;
    double *composite;      /* bodies x 2: mass and largest moment outboard, nothing cancelled */
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
/* Lower Cholesky factor of the n x n matrix A (column-major) in place; sizes (n, or NULL): what a
 * pivot is compared with. Returns the first column without a positive pivot, -1: none. */
int gdyn_tree_cholesky(int n, double *A, const double *sizes);
/* minimal.c: elimination, choice of z, K. */
gdyn_status gdyn_tree_choose(gdyn_tree_dynamics *d);
/* q' (n_q) with  closing rows q' = b  in the pose and zero rates of z; b in the rows' units. */
void gdyn_tree_solve_dependent(const gdyn_tree_dynamics *d, const gdyn_tree_leeway *at,
                               const double *b, double *qdot);
/* Eliminates at a state and expresses the motions left in the present z; false: another number of
 * them is left, or z does not determine them. */
bool gdyn_tree_leeway_at(gdyn_tree_dynamics *d, gdyn_tree_leeway *at, const gdyn_state *state);
/* loops.c: cut joints that can be closed in closed form, in the order in which they are. */
void gdyn_tree_find_loops(gdyn_tree_dynamics *d);
/* Displacements of the loops' unknowns into dq, those of z being there; false: out of reach, or the
 * branch is unknown. */
bool gdyn_tree_close_loops(gdyn_tree_dynamics *d, double *dq, gdyn_state *to);
