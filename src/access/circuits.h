/* circuits.h - elementary vectors of the left null space of V, and the inequalities they give. */
#ifndef GDYN_ACCESS_CIRCUITS_H
#define GDYN_ACCESS_CIRCUITS_H

#include "access/problem.h"
#include "access/sums.h"

#include <stdint.h>

enum {
    GDYN_CIRCUIT_ROWS = 16,   /* r + 1 at most */
    GDYN_CIRCUIT_BOUND = 5000 /* subsets; beyond it the support method is faster */
};

/* w^T V = 0 with minimal support, unique up to a factor. */
typedef struct gdyn_circuit {
    int count;
    int row[GDYN_CIRCUIT_ROWS]; /* of the problem, ascending */
    double w[GDYN_CIRCUIT_ROWS];
} gdyn_circuit;

/* Where an inequality comes from. */
typedef enum gdyn_origin {
    GDYN_FROM_CIRCUIT_HIGH, /* w^T load <= greatest value of w^T limits */
    GDYN_FROM_CIRCUIT_LOW,
    GDYN_FROM_ROW, /* low <= high of one row */
    GDYN_FROM_D1_LOW,
    GDYN_FROM_D1_HIGH,
    GDYN_FROM_NOTHING
} gdyn_origin;

typedef struct gdyn_source {
    gdyn_origin origin;
    int index; /* circuit or row of the problem */
} gdyn_source;

/* Parabolas z <= a t^2 + b t + c as columns; lower bounds are stored with all signs turned, so that
 * both families are "the least of". */
typedef struct gdyn_curves {
    int count;
    double *a, *b, *c;
    double *size; /* magnitude of the terms that c was summed from */
    gdyn_source *source;
    const struct gdyn_projected *of; /* where errors come from; NULL: there are none */
} gdyn_curves;

/* q(t) >= 0 */
typedef struct gdyn_condition {
    gdyn_quadratic q;
    double size; /* magnitude of the terms that c was summed from */
    gdyn_source source;
} gdyn_condition;

typedef struct gdyn_projected {
    const gdyn_problem *problem; /* the one that was projected */
    int circuits;
    gdyn_circuit *circuit;
    gdyn_curves upper, lower; /* lower: negated */
    int conditions;
    gdyn_condition *condition;
    int equal_curves; /* d2 is given: equalities z = q(t) */
    gdyn_condition *equal;
    gdyn_signed_row *row; /* k: rows of the problem as sums take them */
    double *inverse;      /* k: 1 / norm, 0 for a zero row */
    /* storage: subset tables for (table_m, table_r) */
    int table_m, table_r;
    int max_circuits;
    int *child[GDYN_CIRCUIT_ROWS +
               1]; /* level l: C(m, l) x l, ranks of the subsets with one left out */
    int *children;
    unsigned char *member[GDYN_CIRCUIT_ROWS + 1]; /* level l: C(m, l) x l, the subsets themselves */
    unsigned char *members;
    double *minor[2];
    size_t slots;
    uint64_t (*seen)[2]; /* slots: supports met, open addressing */
    uint32_t *stamp, now;
} gdyn_projected;

/* Bounds of the rounding in a and b of z = a t^2 + b t + c from an elementary vector, of curve j:
 * (sum |w_i| e_i + |a| sum |w_i| e_d_i) / |w^T d|. */
gdyn_quadratic gdyn_source_error(const gdyn_projected *projected, gdyn_source source);
gdyn_quadratic gdyn_curve_error(const gdyn_curves *curves, int j);

/* Storage in the arena; gdyn_arena_failed: there is none. */
void gdyn_projected_create(gdyn_projected *projected, gdyn_arena *arena, int max_k, int max_r);

/* Number of subsets for m rows and rank r, capped well above GDYN_CIRCUIT_BOUND. */
int gdyn_circuit_subsets(int m, int r);
/* True when the elementary vectors of this problem are few enough. */
bool gdyn_circuit_feasible(const gdyn_problem *problem);

/* Elementary vectors, curves and conditions of the problem (gdyn_circuit_feasible). */
void gdyn_project(const gdyn_problem *problem, gdyn_projected *projected);

#endif
