/* equilibrium_work.h - what the search for equilibria shares with Newton's method (internal to
 * access). */
#ifndef GDYN_ACCESS_EQUILIBRIUM_WORK_H
#define GDYN_ACCESS_EQUILIBRIUM_WORK_H

#include "access/equilibrium.h"
#include "base/memory.h"
#include "closure/closure.h"
#include "linalg/linalg.h"

/* Longest step (share of L, rad). */
#define GDYN_EQUILIBRIUM_LONGEST 0.3

struct gdyn_equilibrium {
    gdyn_arena *arena;
    const gdyn_model *model;
    const gdyn_path *path;
    int n, rows, drives, targets;
    gdyn_closure *closure;
    gdyn_target *target;
    gdyn_svd *svd;
    gdyn_state *trial, *moved;
    double *unit;            /* n: velocity per scaled coordinate */
    double *F, *U;           /* n x n */
    double *columns;         /* n x (rows + drives): [C^T T] */
    double *C;               /* rows x n */
    double *multiplier;      /* rows + drives */
    double *g, *g1, *still;  /* n */
    double *Df, *K, *y, *du; /* n x n; n x n; n; n */
    double *stage[4], *u_pp; /* n */
};

/* |U^T g| relative to the size of the applied forces, U and g at the pose; 0 without applied
 * forces. */
gdyn_status gdyn_equilibrium_balance(gdyn_equilibrium *w, const gdyn_state *state,
                                     gdyn_equilibrium_info *info, double *size);
/* even (q x q) := -U^T Df U made symmetric: the second derivative of the potential along U, which
 * gdyn_equilibrium_balance has left with the forces of this pose. */
gdyn_status gdyn_equilibrium_stiffness(gdyn_equilibrium *w, const gdyn_state *state, int q,
                                       double *even);
/* du := factor F y; returns its size, rotations times L. */
double gdyn_equilibrium_displacement(gdyn_equilibrium *w, int left, double factor);
/* trial := state displaced by step F y and closed. */
gdyn_status gdyn_equilibrium_displace(gdyn_equilibrium *w, const gdyn_state *state, int left,
                                      double step, bool *closed);

#endif
