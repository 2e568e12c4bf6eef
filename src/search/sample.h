/* sample.h - designs spread over the bounds: for sweeps and sensitivities. */
#pragma once

#include "base/api.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

GDYN_API_BEGIN

typedef enum gdyn_sample_method {
    GDYN_SAMPLE_GRID,  /* every combination of `size` levels per variable, both bounds included */
    GDYN_SAMPLE_LHS,   /* Latin hypercube: each variable takes every size-th of its range once
                          (McKay, Beckman, Conover 1979) */
    GDYN_SAMPLE_SOBOL, /* the first points of Sobol's sequence (GSL; Antonov and Saleev 1979) */
    GDYN_SAMPLE_OAT,   /* one at a time: `size` levels of each variable, the others at the start */
    /* Designs in rows, for indices of sensitivity (study/indices.h); the variables that vary
     * count: */
    /* `size` rows: A, B, and A with each variable in turn from B (Saltelli and others 2010); the
     * first points of Sobol's sequence in twice as many dimensions, random beyond
     * GDYN_SOBOL_MOST */
    GDYN_SAMPLE_SALTELLI,
    /* `size` trajectories: each variable in turn makes a step of two thirds of its range (Morris
     * 1991, four levels) */
    GDYN_SAMPLE_MORRIS,
    GDYN_SAMPLE_METHODS
} gdyn_sample_method;

/* "grid", "lhs", "sobol", "oat", "saltelli", "morris", NULL. */
extern const char *const gdyn_sample_names[];
/* The first four of them: samples without an order. */
extern const char *const gdyn_sample_plain_names[];

enum { GDYN_SAMPLE_MOST = 10000000, GDYN_SOBOL_MOST = 40 };

typedef struct gdyn_sample_space {
    int variables;       /* n */
    const double *lower; /* n, finite */
    const double *upper; /* n, finite, >= lower */
    const double *start; /* n: value of variables that are held */
    const bool *integer; /* n: takes whole numbers only; NULL: none */
    const bool *varies;  /* n; NULL: all */
    gdyn_sample_method method;
    int size;      /* levels, or number of designs; >= 1 (a grid needs 2) */
    uint64_t seed; /* of the Latin hypercube, of trajectories, of rows beyond Sobol's sequence */
} gdyn_sample_space;

/* Number of designs; -1 when there are more than GDYN_SAMPLE_MOST, 0 when the space is not valid
 * (Sobol: more than GDYN_SOBOL_MOST variables vary). */
long gdyn_sample_count(const gdyn_sample_space *space);
/* The designs: n x count, column-major. One at a time: variable after variable, level after level.
 * GDYN_ERROR_ARGUMENT when the count is not positive. */
gdyn_status gdyn_sample_make(const gdyn_sample_space *space, double *x);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* Number of levels of a variable in a grid or one at a time: `size`, or all its whole numbers when
 * there are fewer; 1 where the bounds meet or it is held. */
int gdyn_sample_levels(const gdyn_sample_space *space, int variable);
/* Whether the variable varies: it may, and its bounds leave it room. */
bool gdyn_sample_moves(const gdyn_sample_space *space, int variable);
