/* compliance.c - constraints give way: mu = -(Phi + tau Phi') / epsilon row by row, tau Phi' /
 * epsilon for Pfaffian rows (the continuous form of Gonzalez and Kovecses 2011, Eq. 1, with its
 * compliance per kind of constraint).
 *
 * The split of load among redundant rows is the compliance's choice. */
#include "simulate/solvers.h"

#include <string.h>

double gdyn_compliance_of(const gdyn_dynamics *d, int row) {
    double s = d->row_scale[row];
    return d->def->compliance[gdyn_mech_row_is_length(d->model, row) ? 0 : 1] * s * s;
}

gdyn_status gdyn_solve_compliance(gdyn_dynamics *d) {
    int n = d->n;
    /* Each row is a stiff spring with a damper. */
    for (int i = 0; i < d->rows; i++)
        d->mu[i] = -(d->phi[i] + d->def->relaxation * d->rate[i]) / gdyn_compliance_of(d, i);
    /* x = M^-1 (f + C^T mu). */
    memcpy(d->x, d->f, (size_t)n * sizeof *d->x);
    gdyn_gemm(1, 0, n, 1, d->rows, 1, d->C, d->rows, d->mu, d->rows, 1, d->x, n);
    memcpy(d->MN, d->M, (size_t)n * (size_t)n * sizeof *d->MN);
    if (gdyn_cholesky_factor(n, d->MN) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    gdyn_cholesky_solve(n, d->MN, 1, d->x);
    return GDYN_OK;
}
