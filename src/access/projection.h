/* projection.h - from the coefficients of a pose to its region: the inside of gdyn_access (internal
 * to access). */
#pragma once

#include "access/access.h"
#include "access/rows.h"
#include "base/memory.h"
#include "lp/lp.h"

#include <stdint.h>

/* --- problem.c -------------------------------------------------------------------------------- */

/* The coefficients of a pose in units in which decisions can be taken.
 *
 *   low + low1 t <= a t^2 + b t + c + d z + V y <= high + high1 t
 *   t = d1 / d1_unit,  z = d2 / d2_unit
 *
 * Every row is divided by half its range (one-sided rows: by the size of their limit or load), t
 * and z are chosen so that the greatest |a|, |b|, |d| are near 1. Rows whose limits are far wider
 * than their loads are divided by their loads instead, or by their entries of V; limits that no
 * load comes near are taken as infinite (basis.c). All units are powers of two: scaling adds no
 * rounding. Rows without any limit are dropped, columns of V are replaced by an orthonormal basis
 * of their range: one rank decision for everything that follows. */

typedef struct gdyn_limit_row {
    double a, b, c, d;                /* load */
    double a_error, b_error, d_error; /* bounds of the rounding in it (basis.c) */
    double low, high;                 /* limits, possibly infinite */
    double low1, high1;               /* their slopes in t; 0 where infinite */
    double norm;                      /* |row of V|, 0 for a zero row */
    /* greatest entry of V where its columns have unit length, before they are made orthonormal */
    double share;
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
    gdyn_quadratic shift, shift_error; /* a and b of z = z' - shift (basis.c), with error bounds */
    double t_low, t_high;
    bool even;   /* only t^2 occurs and t >= 0: half-planes in (t^2, z) */
    bool slopes; /* some limit moves with t */
    bool wide;   /* some row is divided by its loads: its limits are far wider */
    int d1_low_window, d1_high_window;
    /* storage */
    int max_k, max_r;
    double *limit;  /* max_k x 2: low and high of the coefficients' rows as far as they count */
    double *reach;  /* max_k x (max_r + GDYN_REACH_EXTRA), scratch of basis.c */
    double *column; /* max_r, scratch */
    double *rest;   /* 4 max_k, scratch of basis.c */
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

/* No side of a row of the coefficients limits it. A limit of +infinity from below, or the like,
 * excludes everything: such a row is kept. */
static inline bool gdyn_problem_unlimited(const gdyn_problem *problem, int row) {
    const double *limit = problem->limit + 2 * (size_t)row;
    return isinf(limit[0]) && isinf(limit[1]) && limit[0] < limit[1];
}
/* Copies V divided by the rows' units and makes its columns orthonormal: V, unit_V, r, norms and
 * shares of the rows. The answer does not depend on the units of y. */
void gdyn_problem_basis(gdyn_problem *problem, const gdyn_coefficients *coefficients);

/* --- basis.c ------------------------------------------------------------------------------ */

/* Limits far beyond all loads.
 *
 * The loads of all rows are G x with x = (t^2, t, z, y) and G = [a, b, d, V]. Row o, limited on
 * both sides, carries at most L_o = max(|low_o|, |high_o|) + |c_o| while it keeps its limits: with
 * its row of G divided by that, |G_o x| <= 1, and |G x| <= sqrt(k) over all such rows. Row i then
 * carries at most r_i sqrt(k) + |c_i|, where r_i is the greatest |G_i x| over |G_o x| <= 1: its
 * norm after the columns of G have been made orthonormal in the other rows, infinite where these
 * leave a direction free that moves row i. A limit above 10^10 of that is not reached while the
 * others hold, and is taken as infinite: this changes nothing at all. A row that some internal
 * force moves alone never excludes a motion: its limits go when they are that far beyond its own
 * loads. Only rows that look wide are asked. */

/* Greatest coefficient of a row: its load where t, z, y are of size one. */
double gdyn_row_load(const gdyn_limit_row *row);
/* The loads are less than 2^-13 of the limits. */
bool gdyn_row_wide(const gdyn_limit_row *row);
bool gdyn_any_wide(const gdyn_problem *problem);

/* Makes limits far beyond all loads infinite in problem->limit; true when there was one. */
bool gdyn_drop_far_limits(gdyn_problem *problem, const gdyn_coefficients *coefficients);

/* --- basis.c ---------------------------------------------------------------------------------- */

/* D2 measured from the parabola that all drives follow, so that rounding sets no limit on d1.
 *
 * A load a t^2 that lies along d and V, a = alpha d + V y, alone is no limit of t: with z' = z +
 * alpha t^2 and y' = y + y_a t^2
 *
 *   a t^2 + b t + c + d z + V y = b t + c + d z' + V y'
 *
 * and t^2 is gone. Rounding leaves a' = a - alpha d - V y_a, at right angles to d and V, with
 * |a'_i| <= e_i + sum_j |Q_ij| sum_l |Q_lj| e_l, where e bounds the errors of a - alpha d and Q =
 * [V d] has orthonormal columns. As a coefficient it would end the region at great t, or open it
 * again; so where all of a' is under that bound, a is taken out and the region is built in (t, z').
 * Likewise b. */

/* Takes a and b out of a loaded problem where they lie along d and V: fills shift and
 * shift_error. */
void gdyn_problem_shift(gdyn_problem *problem);

/* --- circuits.c ------------------------------------------------------------------------------- */

/* low + low1 t <= a t^2 + b t + c + d z <= high + high1 t, with bounds of the errors and sizes of
 * the terms: of one row times 1 or -1, or a sum of such with weights that are not negative. Pairs
 * are summed in SIMD lanes; those with a power t^1 come last, problems of even powers leave them
 * out. */
typedef struct gdyn_sums {
    double a, c, d, weight;
    double high, low, high_size, low_size; /* size: of limit and load */
    double a_error, d_error;
    double b, b_error, high1, low1;
} gdyn_sums;

/* The row times -1 and times 1. */
typedef struct gdyn_signed_row {
    gdyn_sums side[2];
} gdyn_signed_row;

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

/* True when the elementary vectors of this problem are few enough. */
bool gdyn_circuit_feasible(const gdyn_problem *problem);

/* Elementary vectors, curves and conditions of the problem (gdyn_circuit_feasible). */
void gdyn_project(const gdyn_problem *problem, gdyn_projected *projected);

/* --- elementary.c ----------------------------------------------------------------------------- */

typedef struct gdyn_reach {
    double from, to;
    gdyn_source left, right;
} gdyn_reach;

typedef struct gdyn_spans {
    int count, capacity;
    gdyn_reach *list, *other;
} gdyn_spans;

/* Storage in the arena; gdyn_arena_failed: there is none. */
void gdyn_spans_create(gdyn_spans *spans, gdyn_arena *arena, int max_conditions);

typedef struct gdyn_chain {
    int count, capacity;
    double *from; /* arc i holds on [from[i], from[i + 1]], the last one up to the end */
    int *curve;
    int *live; /* curves that can still come below, scratch */
} gdyn_chain;

/* Storage in the arena; gdyn_arena_failed: there is none. */
void gdyn_chain_create(gdyn_chain *chain, gdyn_arena *arena, int max_curves);

/* --- builder.c -------------------------------------------------------------------------------- */

/* Turns stretches with an upper and a lower parabola into a region.
 *
 * Whatever method finds the envelopes, it hands them over in ascending order of t, stretch by
 * stretch; the builder cuts each stretch where the parabolas meet, joins what touches, and names
 * what closes an island. */

/* An envelope's parabola with its limits. `size` is the magnitude of the terms behind c, `error`
 * bounds the rounding in a and b. */
typedef struct gdyn_bound {
    gdyn_quadratic q, error;
    double size;
    int active_count;
    gdyn_limit active[GDYN_ACTIVE_MAX];
} gdyn_bound;

/* Limits that close a stretch. */
typedef struct gdyn_closing {
    int count;
    gdyn_limit limit[GDYN_ACTIVE_MAX];
} gdyn_closing;

typedef struct gdyn_builder {
    gdyn_region *region;
    double d1_unit, d2_unit; /* region = units x (what is handed over - shift) */
    gdyn_quadratic shift, shift_error;
    gdyn_status status;
    double from, to; /* current span */
    const gdyn_closing *left, *right;
    bool open;      /* an island ends where the last stretch ended */
    bool fat, wide; /* something has area; something has width */
} gdyn_builder;

/* Empties the region. */
void gdyn_builder_start(gdyn_builder *builder, gdyn_region *region, double d1_unit, double d2_unit);
/* The stretches that follow lie in [from, to], which these limits close (NULL: nothing does). */
void gdyn_builder_span(gdyn_builder *builder, double from, double to, const gdyn_closing *left,
                       const gdyn_closing *right);
/* One stretch; NULL is no bound. */
void gdyn_builder_add(gdyn_builder *builder, double from, double to, const gdyn_bound *upper,
                      const gdyn_bound *lower);
/* Area, rest interval, greatest speeds, status of the region, whose stretches were found with that
 * status; after an error it is unknown. */
gdyn_status gdyn_builder_end(gdyn_builder *builder, gdyn_status status);

/* An empty region of this status. */
void gdyn_region_clear(gdyn_region *region, gdyn_region_status status);

/* --- access.c --------------------------------------------------------------------------------- */

typedef struct gdyn_envelope_stretch {
    double from, to;
    gdyn_bound bound;
    bool unbounded; /* nothing limits this side */
} gdyn_envelope_stretch;

typedef struct gdyn_stretches {
    int count, capacity;
    gdyn_envelope_stretch *list; /* ascending, disjoint */
    bool failed;                 /* no memory */
} gdyn_stretches;

/* Room for that many; false: no memory. */
bool gdyn_stretches_reserve(gdyn_stretches *stretches, int count);
void gdyn_stretches_add(gdyn_stretches *stretches, gdyn_envelope_stretch stretch);
void gdyn_stretches_free(gdyn_stretches *stretches);

/* Hands [from, to] to the builder, cut wherever a piece of either side ends. Gaps between pieces
 * are rounding: the piece before lasts until the next one. */
void gdyn_stretches_build(gdyn_builder *builder, double from, double to, const gdyn_closing *left,
                          const gdyn_closing *right, const gdyn_stretches *upper,
                          const gdyn_stretches *lower);

/* --- access.c --------------------------------------------------------------------------------- */

struct gdyn_access {
    gdyn_arena *arena;
    int max_k, max_r; /* max_k: limit rows and equalities */
    int circuits;     /* of the last region by elementary vectors */
    gdyn_problem problem;
    gdyn_projected projected;
    gdyn_chain chain;            /* of one envelope */
    gdyn_stretches upper, lower; /* of both */
    gdyn_spans spans;
    double *scratch;  /* scratch_size */
    int *scratch_row; /* 2 (max_r + 2) */
    int scratch_size;
    double *ease; /* 3 max_k + 4 max_circuits, for certificates */
};

/* Stretches of the region of the loaded problem, by each method. */
gdyn_status gdyn_region_elementary(gdyn_access *access, gdyn_builder *builder);
gdyn_status gdyn_region_tuples(gdyn_access *access, gdyn_builder *builder);
gdyn_status gdyn_region_support(gdyn_access *access, gdyn_builder *builder);

/* Why the inequalities of the loaded problem exclude each other. */
gdyn_status gdyn_certificate_find(gdyn_access *access, gdyn_certificate *certificate);

/* What closes the range of d1 at t, where that is its left (or right) end: d1 >= 0 or a drive's
 * speed. */
gdyn_closing gdyn_problem_end(const gdyn_problem *problem, double t, bool left);
/* Limits behind an inequality. */
void gdyn_source_limits(const gdyn_access *access, gdyn_source source, gdyn_closing *closing);
