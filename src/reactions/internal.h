/* internal.h - the workspace of an analysis (internal to reactions). */
#pragma once

#include "base/memory.h"
#include "linalg/linalg.h"
#include "mech/row.h"
#include "model/kinds.h"
#include "reactions/reactions.h"
#include "tree/tree.h"

/* Amounts are compared with one: rows have unit length, bases are orthonormal. */
#define GDYN_ZERO_AMOUNT 1e-6

/* A null space of S^T (or of its first rows): basis (ld x dim). */
typedef struct gdyn_basis {
    double *N;
    int ld, dim;
} gdyn_basis;

struct gdyn_reactions_work {
    gdyn_arena *arena; /* of all arrays, the analysis itself included */
    int all;           /* rows + efforts */
    gdyn_svd *svd;     /* largest size max(n, all) x all */
    gdyn_qr *qr;       /* all x n */
    gdyn_qr *balance;  /* all x n: equations of balance, values.c */
    double *C, *T;     /* rows x n, n x efforts: as they are */
    double *S;         /* all x n: [C; T^T] in scaled velocities, rows of unit length */
    double *factor;    /* all: multiplier = factor * multiplier of the unit row */
    double *row_scale, *column_scale; /* rows; n */
    double *W;                        /* rows x components: value = W^T lambda */
    double *G;                    /* rows x components: the same for unit rows, of unit length */
    double *size;                 /* components: length that G was divided by; 0: nothing there */
    gdyn_component *component;    /* components */
    gdyn_basis with_drives, held; /* null([C^T T]) and null(C^T): of the SVD, else of the QR */
    gdyn_basis qr_basis;          /* latest of the QR, or of the closing conditions */
    gdyn_selfstress_work *selfstress;
    gdyn_selfstress found; /* from the closing conditions */
    double *states;        /* all x (redundant + driven): multipliers of unit rows */
    double *product;       /* n x all */
    double *matrix;        /* max(n, all)+1 squared: turned or stacked copies */
    double *amount;        /* items */
    int *mark;             /* items + efforts */
    double least_kept, greatest_zero;
    double *few;    /* 8 n + 6 all */
    double *part;   /* 2 n + rows */
    double *load;   /* 6 n + 2 all: loads, their errors, solutions */
    double *weight; /* n: of the equations of balance */
    double *mass;   /* 2 n x n */
};

/* tests.c: states of self-stress from the closing conditions; false: something is in doubt. */
bool gdyn_reactions_states(gdyn_reactions *r, const gdyn_state *state);
/* tests.c: judges all items by one of the methods asked for; fills item[].by[method], ranks and gap
 * of this method. */
gdyn_status gdyn_reactions_test(gdyn_reactions *r, unsigned methods, gdyn_reaction_method method);
/* reactions.c: redundancies from the ranks; results and workspace by the counts in `sizes`; S and
 * factor from C and T; all of these at a pose. */
gdyn_status gdyn_reactions_count(gdyn_reactions *r);
gdyn_reactions *gdyn_reactions_allocate(const gdyn_reactions *sizes);
void gdyn_reactions_scale(gdyn_reactions *r);
void gdyn_reactions_matrices(gdyn_reactions *r, const gdyn_state *state,
                             const gdyn_path_rates *motion);
/* values.c: S^T x = b over the first `count` rows of S. _loads: applied forces less gyroscopic
 * terms g - h for body velocities u, out (n), and the same without cancellation, size (n); scaled;
 * dry forces against `motion` (NULL: none). _factor: prepares for loads of that size (n) and that
 * rank. _solve: x (count) of least norm for b (n). _spread: |P| rho, P the row that takes b to g^T
 * x; g (count, destroyed). _entry_error, _row_error: relative error of the entries of S; the error
 * rho (n) it makes in S^T x - b. */
void gdyn_balance_loads(const gdyn_reactions *r, const gdyn_state *state,
                        const gdyn_path_rates *motion, const double *u, double *out, double *size);
gdyn_status gdyn_balance_factor(gdyn_reactions *r, int count, int rank, const double *size);
void gdyn_balance_solve(gdyn_reactions *r, const double *b, double *x);
double gdyn_balance_spread(gdyn_reactions *r, double *g, const double *rho);
double gdyn_balance_entry_error(const gdyn_reactions *r, const gdyn_state *state);
void gdyn_balance_row_error(const gdyn_reactions *r, int count, const double *x, const double *size,
                            double delta, double *rho);
/* The coordinate that an unknown force works on. */
const gdyn_row *gdyn_reactions_effort_row(const gdyn_reactions *r, int effort);
/* tests.c: subsystems of constraints, blocks of components that share load. */
void gdyn_reactions_blocks(gdyn_reactions *r);

/* What axes are, in words; "" for those of a gear, which has no frame, and what a space has not. */
const char *gdyn_joint_axes_words(gdyn_joint_axes axes, gdyn_space space);
