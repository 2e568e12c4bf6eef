/* motions.h - the free motions of closed poses, N = null(C), and what acts along them (internal to
 * the library).
 *
 * Three ways find them (compare internal.h): in SIMD lanes, from how the legs follow the hubs; by
 * elimination in joint coordinates; by QR of C^T. Each is left to the next one where a decision is
 * not clear. Velocities are scaled, rotations times the machine's length; motions are
 * orthonormal. */
#pragma once

#include "linalg/rank.h"
#include "mech/mech.h"
#include "tree/points.h"

/* The motions of the poses that were taken last; read only. */
typedef struct gdyn_free_motions {
    int f;          /* motions */
    gdyn_rank rank; /* of C */
    int poses;      /* that are known, */
    int pose;       /* and which of them was asked for last */
    long found;     /* counts: what belongs to poses before is gone when it changes */
    int at_once;    /* poses that can be taken at once: 1 or GDYN_MOTIONS_AT_ONCE */
    double *system; /* n x (rows + columns): C_s^T and columns that others put behind it */
    /* of machines whose legs follow hubs: poses that were taken at once; else NULL */
    gdyn_tree_motions *lanes;
} gdyn_free_motions;

/* Workspace of one thread; NULL: memory is out. Nothing allocates below. */
gdyn_free_motions *gdyn_free_motions_create(const gdyn_model *model, int columns);
void gdyn_free_motions_destroy(gdyn_free_motions *motions);

/* Finds the motions at a pose, unless they are known. known: what closing left there
 * (gdyn_path_rates), or NULL. */
gdyn_status gdyn_free_motions_find(gdyn_free_motions *motions, const gdyn_state *state,
                                   const double *known);
/* Whether what closing left is enough to take several poses at once, with no more motions than
 * that. */
bool gdyn_free_motions_clear(const gdyn_free_motions *motions, const double *known, int most);
/* Finds the motions of several such poses; lists are filled up with repeated ones. False: a motion
 * is too near to the others. */
bool gdyn_free_motions_take(gdyn_free_motions *motions, int poses,
                            const gdyn_state *const state[GDYN_MOTIONS_AT_ONCE],
                            const double *const known[GDYN_MOTIONS_AT_ONCE]);

/* N (n x f) of the pose that was asked for last. */
const double *gdyn_free_motions_basis(gdyn_free_motions *motions);
/* N^T M N (f x f) of its bodies. N: in velocities that are not scaled; work: n x f. */
void gdyn_free_motions_mass(gdyn_free_motions *motions, const gdyn_state *state, const double *N,
                            double *work, double *mass);
/* C_s^T at a state into the first columns of `system`. */
void gdyn_free_motions_constraints(gdyn_free_motions *motions, const gdyn_state *state);
