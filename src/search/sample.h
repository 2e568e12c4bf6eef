/* sample.h - designs spread over the bounds: for sweeps and sensitivities. */
#ifndef GDYN_SEARCH_SAMPLE_H
#define GDYN_SEARCH_SAMPLE_H

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
    GDYN_SAMPLE_METHODS
} gdyn_sample_method;

/* "grid", "lhs", "sobol", "oat", NULL. */
extern const char *const gdyn_sample_names[];

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
    uint64_t seed; /* of the Latin hypercube */
} gdyn_sample_space;

/* Number of levels of a variable in a grid or one at a time: `size`, or all its whole numbers when
 * there are fewer; 1 where the bounds meet or it is held. */
int gdyn_sample_levels(const gdyn_sample_space *space, int variable);
/* Number of designs; -1 when there are more than GDYN_SAMPLE_MOST, 0 when the space is not valid
 * (Sobol: more than GDYN_SOBOL_MOST variables vary). */
long gdyn_sample_count(const gdyn_sample_space *space);
/* The designs: n x count, column-major. One at a time: variable after variable, level after level.
 * GDYN_ERROR_ARGUMENT when the count is not positive. */
gdyn_status gdyn_sample_make(const gdyn_sample_space *space, double *x);

GDYN_API_END

#endif
