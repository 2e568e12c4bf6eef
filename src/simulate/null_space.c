/* null_space.c - [V^T M; C] u' = [V^T f; b] with C V = 0 (Wojtyra and Fraczek 2013, Eq. 13).
 *
 * V is orthonormal, from the pivoted QR of C^T; u' = x0 + V a with x0 in the range of C^T solves
 * both blocks one after the other. */
#include "simulate/solvers.h"

gdyn_status gdyn_solve_null_space(gdyn_dynamics *d) {
    gdyn_status status = gdyn_dynamics_factor(d, d->rows, d->rank);
    return status == GDYN_OK ? gdyn_dynamics_least(d, d->rows, d->b, d->f, d->x) : status;
}
