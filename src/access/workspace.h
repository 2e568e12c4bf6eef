/* workspace.h - what gdyn_access holds, and the methods behind gdyn_access_region. */
#ifndef GDYN_ACCESS_WORKSPACE_H
#define GDYN_ACCESS_WORKSPACE_H

#include "access/builder.h"
#include "access/circuits.h"
#include "access/envelope.h"
#include "access/spans.h"
#include "access/stretches.h"

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

gdyn_status gdyn_region_elementary(gdyn_access *access, gdyn_region *region);
gdyn_status gdyn_region_tuples(gdyn_access *access, gdyn_region *region);
gdyn_status gdyn_region_support(gdyn_access *access, gdyn_region *region);

/* Why the inequalities of the loaded problem exclude each other. */
gdyn_status gdyn_certificate_find(gdyn_access *access, gdyn_certificate *certificate);

/* What closes the range of d1 at t, where that is its left (or right) end: d1 >= 0 or a drive's speed. */
gdyn_closing gdyn_problem_end(const gdyn_problem *problem, double t, bool left);
/* Limits behind an inequality. */
void gdyn_source_limits(const gdyn_access *access, gdyn_source source, gdyn_closing *closing);

#endif
