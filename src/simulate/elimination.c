/* elimination.c - dependent rows are left out, with their multipliers: [M -C_r^T; C_r 0] (x, mu_r)
 * = (f, b_r) (Wojtyra and Fraczek 2013, sections 3.1 and 4.4).
 *
 * Which rows: those that the user drops, or those behind the rank in the pivoted QR of C^T. Motion
 * does not depend on the choice, reactions do. */
#include "simulate/internal.h"

#include <math.h>
#include <string.h>

static gdyn_status choose_by_qr(gdyn_dynamics *d) {
    /* The first pivots are the best rows at this pose. */
    gdyn_status status = gdyn_dynamics_factor(d, d->rows, d->rank);
    for (int i = 0; i < d->rank; i++)
        d->row[i] = d->qr->pivot[i];
    d->chosen = d->rank;
    d->choices++;
    return status;
}

static gdyn_status choose_by_user(gdyn_dynamics *d) {
    bool *dropped = gdyn_alloc((size_t)d->rows + 1, sizeof *dropped);
    if (!dropped)
        return GDYN_ERROR_MEMORY;
    gdyn_sim_named_rows(d->model, d->def, NULL, dropped);
    /* What the user drops leaves the others. */
    d->chosen = 0;
    for (int i = 0; i < d->rows; i++)
        if (!dropped[i])
            d->row[d->chosen++] = i;
    gdyn_free(dropped);
    d->choices = 1;
    /* Independent rows among the user's; GDYN_ERROR_NUMERIC: fewer than of all rows. */
    int *left = d->pivot;
    memcpy(left, d->row, (size_t)d->chosen * sizeof *left);
    /* Pivoting finds the independent ones among them. */
    for (int i = 0; i < d->chosen; i++)
        for (int j = 0; j < d->n; j++)
            d->Ct[j + (size_t)d->n * i] = d->C[left[i] + (size_t)d->rows * j];
    gdyn_status status = gdyn_qr_factor(d->qr, d->n, d->chosen, d->Ct, d->n, GDYN_RANK_TOLERANCE);
    if (status == GDYN_OK && d->qr->rank.rank < d->rank)
        return GDYN_ERROR_NUMERIC;
    for (int i = 0; i < d->rank; i++)
        d->row[i] = left[d->qr->pivot[i]];
    d->chosen = d->rank;
    return status;
}

gdyn_status gdyn_choose_rows(gdyn_dynamics *d) {
    const double DEGRADED = 0.1;
    gdyn_status status = GDYN_OK;
    bool user = d->def->drop_count > 0, first = d->choices == 0;
    if (first)
        status = user ? choose_by_user(d) : choose_by_qr(d);
    if (status == GDYN_OK) {
        /* Smallest over largest pivot of the rows, relative to the best choice here. */
        double *own = &d->condition;
        status = gdyn_dynamics_factor(d, d->rows, d->rank);
        /* The best choice: the pivots of all rows. */
        double best = gdyn_rank_least(&d->qr->rank);
        best = d->qr->rank.rank > 0 ? fabs(d->qr->QR[(d->rank - 1) * (size_t)(d->n + 1)]) : best;
        /* The chosen rows by themselves. */
        for (int i = 0; i < d->chosen; i++)
            for (int j = 0; j < d->n; j++)
                d->Ct[j + (size_t)d->n * i] = d->C[d->row[i] + (size_t)d->rows * j];
        if (status == GDYN_OK)
            status = gdyn_qr_factor(d->qr, d->n, d->chosen, d->Ct, d->n, 1e-14);
        double least = d->qr->rank.rank < d->chosen || d->chosen == 0
                           ? 0
                           : fabs(d->qr->QR[(d->chosen - 1) * (size_t)(d->n + 1)]);
        *own = d->chosen == 0 ? 1 : best > 0 ? least / best : 0;
    }
    /* A choice of the user is kept whatever its condition. */
    if (status == GDYN_OK && !user && d->condition < DEGRADED) {
        status = choose_by_qr(d);
        d->condition = 1;
    }
    return status;
}

gdyn_status gdyn_solve_elimination(gdyn_dynamics *d) {
    int n = d->n, r = d->chosen, both = n + r;
    double *rhs = d->v;
    /* The matrix of the whole system, column by column. */
    memset(d->K, 0, (size_t)both * (size_t)both * sizeof *d->K);
    for (int j = 0; j < n; j++) {
        memcpy(d->K + (size_t)both * j, d->M + (size_t)n * j, (size_t)n * sizeof *d->K);
        for (int i = 0; i < r; i++) {
            double c = d->C[d->row[i] + (size_t)d->rows * j];
            d->K[n + i + (size_t)both * j] = c;
            d->K[j + (size_t)both * (n + i)] = -c;
        }
    }
    /* Right-hand side: loads, then accelerations asked for. */
    memcpy(rhs, d->f, (size_t)n * sizeof *rhs);
    for (int i = 0; i < r; i++)
        rhs[n + i] = d->b[d->row[i]];
    if (gdyn_dense_factor(both, d->K, d->pivot) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    gdyn_dense_solve(both, d->K, d->pivot, 1, rhs);
    memcpy(d->x, rhs, (size_t)n * sizeof *rhs);
    /* Rows that were dropped carry nothing. */
    memset(d->mu, 0, (size_t)d->rows * sizeof *d->mu);
    for (int i = 0; i < r; i++)
        d->mu[d->row[i]] = rhs[n + i];
    return GDYN_OK;
}
