/* rank.h - a rank decision, with what it takes to question it. */
#pragma once

#include "base/api.h"

#include <stdbool.h>

GDYN_API_BEGIN

/* A rank decision: sigma[rank-1] / sigma[rank] is the gap at the cut (INFINITY when rank is full or
 * the matrix is zero). A gap below GDYN_GAP_SAFE means "near singular". */
typedef struct gdyn_rank {
    int rank;
    double gap;
    double greatest;  /* largest singular value (or pivot) */
    double above;     /* last one kept */
    double below;     /* first one dropped; 0 when none */
    double tolerance; /* the relative cut that was used */
} gdyn_rank;

#define GDYN_GAP_SAFE 1e3
/* Default relative cut: singular values below this times the largest count as zero. */
#define GDYN_RANK_TOLERANCE 1e-9

/* The last value kept over the largest: how near A of that rank is to a lower one; 1 at rank 0. */
double gdyn_rank_least(const gdyn_rank *rank);
/* The decision is far from changing on either side: the gap is safe, and the last value kept lies
 * as far above the cut. False: "near singular", at full rank too. */
bool gdyn_rank_is_clear(const gdyn_rank *rank);

GDYN_API_END

/* --- inside: what follows is not installed ---------------------------------------------------- */

/* The rank decision on values that fall in absolute value; tolerance <= 0 takes the default. */
gdyn_rank gdyn_rank_decide(int count, const double *values, double tolerance);
