/* project.c - the way back to the constraints, in the metric of the masses (Gonzalez and Kovecses
 * 2011, Eqs. 2, 3): of all displacements with Phi + C du = 0 that with the smallest du^T M du,
 * again until Phi is rounding; velocities likewise, once. Of a motion that leaves without work
 * nothing is taken. */
#include "simulate/internal.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS = 12 };
/* Largest residual over L: what is aimed at, and what is still taken as met. */
static const double AIM = 2e-16, MET = 1e-10;

/* x: the smallest correction of the residuals of the first `count` rows. */
static gdyn_status correct(gdyn_dynamics *d, int count, int rank, const double *residual) {
    double *b = d->mu;
    for (int i = 0; i < count; i++)
        b[i] = -residual[i];
    gdyn_status status = gdyn_dynamics_factor(d, count, rank);
    if (status != GDYN_OK)
        return status;
    /* Where something without mass may move, the smallest correction by lengths. */
    if (gdyn_dynamics_least(d, count, b, NULL, d->x) != GDYN_OK)
        gdyn_qr_solve_transposed(d->qr, 1, b, d->rows, d->x, d->n);
    return GDYN_OK;
}

bool gdyn_sim_project_pose(gdyn_dynamics *d, gdyn_state *state) {
    double before = INFINITY;
    memset(d->w, 0, (size_t)d->n * sizeof *d->w);
    for (int k = 0; k < ITERATIONS; k++) {
        /* At rest: only poses are corrected here. */
        double *du = d->v;
        memset(du, 0, (size_t)d->n * sizeof *du);
        gdyn_dynamics_constraints(d, state, du);
        double now = 0;
        for (int i = 0; i < d->m; i++)
            now = fabs(d->phi[i]) <= now ? now : fabs(d->phi[i]);
        /* Rounding reached, or no more gained. */
        if (now <= AIM * d->L || (now <= 1e-13 * d->L && now > 0.5 * before))
            return true;
        /* Newton's method has stopped converging. */
        if (!(now < 0.9 * before))
            return now <= MET * d->L;
        before = now;
        /* The metric of the first pose serves all rounds. */
        if (k == 0)
            gdyn_dynamics_mass(d, state);
        if (correct(d, d->m, d->position_rank, d->phi) != GDYN_OK)
            return false;
        for (int j = 0; j < d->n; j++)
            du[j] = d->x[j] * d->column[j];
        gdyn_state_move(state, du);
    }
    return before <= MET * d->L;
}

bool gdyn_sim_project_velocity(gdyn_dynamics *d, const gdyn_state *state, double *u) {
    /* Linear: once is enough. */
    gdyn_dynamics_constraints(d, state, u);
    gdyn_dynamics_mass(d, state);
    if (correct(d, d->rows, d->rank, d->rate) != GDYN_OK)
        return false;
    for (int j = 0; j < d->n; j++)
        u[j] += d->x[j] * d->column[j];
    return true;
}
