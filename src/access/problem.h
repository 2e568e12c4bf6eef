/* problem.h - the coefficients of a pose in units in which decisions can be taken.
 *
 *   low + low1 t <= a t^2 + b t + c + d z + V y <= high + high1 t
 *   t = d1 / d1_unit,  z = d2 / d2_unit
 *
 * Every row is divided by half its range (one-sided rows: by the size of their limit or load), t
 * and z are chosen so that the greatest |a|, |b|, |d| are near 1. Rows whose limits are far wider
 * than their loads are divided by their loads instead, or by their entries of V; limits that no
 * load comes near are taken as infinite (unbounded.h). All units are powers of two: scaling adds no
 * rounding. Rows without any limit are dropped, columns of V are replaced by an orthonormal basis of
 * their range: one rank decision for everything that follows. */
#ifndef GDYN_ACCESS_PROBLEM_H
#define GDYN_ACCESS_PROBLEM_H

#include "access/rows.h"
#include "access/quadratic.h"
#include "base/memory.h"

typedef struct gdyn_limit_row {
    double a, b, c, d;                /* load */
    double a_error, b_error, d_error; /* bounds of the rounding in it (shift.h) */
    double low, high;                 /* limits, possibly infinite */
    double low1, high1;               /* their slopes in t; 0 where infinite */
    double norm;                      /* |row of V|, 0 for a zero row */
    double
        share; /* greatest entry of V where its columns have unit length, before they are made orthonormal */
    double unit; /* the row's divisor, a power of two */
    double half; /* half range, or what stands for it, in that unit: 1 to 2, or as wide as
                           the limits are */
    int source;  /* row of the coefficients, -1: an equality */
} gdyn_limit_row;

typedef struct gdyn_problem {
    int k, r;
    gdyn_limit_row *row; /* k */
    double *V;           /* k x r, row-major, orthonormal columns */
    double *unit_V;      /* k x r, row-major, rows of unit length (zero rows stay zero) */
    double d1_unit, d2_unit;
    gdyn_quadratic shift, shift_error; /* a and b of z = z' - shift (shift.h), with error bounds */
    double t_low, t_high;
    bool even;   /* only t^2 occurs and t >= 0: half-planes in (t^2, z) */
    bool slopes; /* some limit moves with t */
    bool wide;   /* some row is divided by its loads: its limits are far wider */
    int d1_low_window, d1_high_window;
    /* storage */
    int max_k, max_r;
    double *limit;  /* max_k x 2: low and high of the coefficients' rows as far as they count */
    double *reach;  /* max_k x (max_r + GDYN_REACH_EXTRA), scratch of unbounded.c */
    double *column; /* max_r, scratch */
    double *rest;   /* 4 max_k, scratch of shift.c */
    int *order;     /* max_r, scratch */
} gdyn_problem;

enum { GDYN_REACH_EXTRA = 6 };

/* Storage in the arena; gdyn_arena_failed: there is none. */
void gdyn_problem_create(gdyn_problem *problem, gdyn_arena *arena, int max_k, int max_r);

/* False when the data are not finite, loads are 10^100 limits, or the sizes do not fit. */
bool gdyn_problem_load(gdyn_problem *problem, const gdyn_coefficients *coefficients);

/* Divides all rows by half their range again, where wide ones were divided by their loads: the
 * columns of V are orthonormal in these units then. */
void gdyn_problem_by_range(gdyn_problem *problem, const gdyn_coefficients *coefficients);

/* Load of a row over t, without d z and V y; its limit minus that. */
static inline gdyn_quadratic gdyn_row_motion(const gdyn_limit_row *row) {
    return (gdyn_quadratic){row->a, row->b, row->c};
}

static inline gdyn_quadratic gdyn_row_gap(const gdyn_limit_row *row, bool high) {
    return (gdyn_quadratic){-row->a, (high ? row->high1 : row->low1) - row->b,
                            (high ? row->high : row->low) - row->c};
}

/* Size of a row's own limit on one side, in coefficients' units: the unit of relaxation. 0 where
 * there is no limit. */
double gdyn_problem_magnitude(const gdyn_limit_row *row, int side);

/* No side of a row of the coefficients limits it. A limit of +infinity from below, or the like, excludes
 * everything: such a row is kept. */
static inline bool gdyn_problem_unlimited(const gdyn_problem *problem, int row) {
    const double *limit = problem->limit + 2 * (size_t)row;
    return isinf(limit[0]) && isinf(limit[1]) && limit[0] < limit[1];
}
/* Copies V divided by the rows' units and makes its columns orthonormal: V, unit_V, r, norms and shares of the rows. The
 * answer does not depend on the units of y. */
void gdyn_problem_basis(gdyn_problem *problem, const gdyn_coefficients *coefficients);

#endif
