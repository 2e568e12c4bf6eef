/* partition.c - coordinates are parted into dependent and independent ones (Paul 2020, sections 3.2
 * and 5.5).
 *
 * LU with complete pivoting of C, columns that the user keeps independent locked, finds independent
 * rows and the dependent columns v. With J_v, J_u of these rows and B = -J_v^-1 J_u (Eqs. 14 to 20)
 *   x_v = B x_u + J_v^-1 b,   [1; B]^T M [1; B] x_u = [1; B]^T (f - M (0; J_v^-1 b)).
 * Entries of B stay moderate while the choice is good; it is renewed once they grew tenfold. */
#include "simulate/internal.h"

#include <math.h>
#include <string.h>

/* B (rank x free) into A, x0_v = J_v^-1 b into x0 (rank). */
static gdyn_status couple(gdyn_dynamics *d, double *x0) {
    int r = d->rank, free = d->n - r;
    /* J_v and -J_u of the independent rows. */
    for (int j = 0; j < r; j++)
        for (int i = 0; i < r; i++)
            d->K[i + (size_t)r * j] = d->C[d->row[i] + (size_t)d->rows * d->col[j]];
    for (int j = 0; j < free; j++)
        for (int i = 0; i < r; i++)
            d->A[i + (size_t)r * j] = -d->C[d->row[i] + (size_t)d->rows * d->col[r + j]];
    for (int i = 0; i < r; i++)
        x0[i] = d->b[d->row[i]];
    if (gdyn_dense_factor(r, d->K, d->pivot) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    gdyn_dense_solve(r, d->K, d->pivot, free, d->A);
    gdyn_dense_solve(r, d->K, d->pivot, 1, x0);
    return GDYN_OK;
}

static double greatest(const gdyn_dynamics *d) {
    double most = 1;
    for (int i = 0; i < d->rank * (d->n - d->rank); i++)
        most = fmax(most, fabs(d->A[i]));
    return most;
}

gdyn_status gdyn_choose_columns(gdyn_dynamics *d) {
    const double GROWN = 10;
    gdyn_status status = GDYN_OK;
    /* The present choice is kept while its entries are moderate. */
    if (d->choices > 0 && couple(d, d->w) == GDYN_OK && greatest(d) < GROWN * d->best) {
        d->condition = d->best / greatest(d);
        return GDYN_OK;
    }
    bool *locked = gdyn_alloc((size_t)d->n + 1, sizeof *locked);
    if (!locked)
        return GDYN_ERROR_MEMORY;
    bool user = gdyn_sim_named_columns(d->model, d->def, NULL, locked) > 0;
    /* A complete choice of the user is never changed. */
    if (d->choices == 0 || !user || d->def->independent_count < d->n - d->rank) {
        /* Locked columns are put last and take no part in the search for pivots. */
        int n = d->n, open = 0, kept = 0;
        int *order = d->pivot;
        /* The columns that may become dependent first. */
        for (int j = 0; j < n; j++)
            if (!locked[j])
                order[open++] = j;
        for (int j = 0; j < n; j++)
            if (locked[j])
                order[open + kept++] = j;
        /* Complete pivoting over these alone. */
        for (int j = 0; j < open; j++)
            for (int i = 0; i < d->rows; i++)
                d->A[i + (size_t)d->rows * j] = d->C[i + (size_t)d->rows * order[j]];
        gdyn_rank found = gdyn_lu_complete(d->rows, open, d->A, d->rows, d->row, d->col, 1e-14);
        /* Back to the numbers of the coordinates. */
        for (int j = 0; j < open; j++)
            d->col[j] = order[d->col[j]];
        for (int j = open; j < n; j++)
            d->col[j] = order[j];
        d->chosen = d->rank;
        d->choices++;
        status = found.rank >= d->rank ? GDYN_OK : GDYN_ERROR_NUMERIC;
    }
    gdyn_free(locked);
    if (status == GDYN_OK)
        status = couple(d, d->w);
    if (d->choices == 1 || !user)
        d->best = greatest(d);
    d->condition = d->best / greatest(d);
    return status;
}

gdyn_status gdyn_solve_partition(gdyn_dynamics *d) {
    int n = d->n, r = d->rank, free = n - r;
    double *x0 = d->w, *load = d->v, *a = d->v + n;
    gdyn_status status = couple(d, x0);
    if (status != GDYN_OK)
        return status;
    memset(d->N, 0, (size_t)n * (size_t)free * sizeof *d->N);
    memset(d->x, 0, (size_t)n * sizeof *d->x);
    /* x with dependent coordinates alone. */
    for (int i = 0; i < r; i++)
        d->x[d->col[i]] = x0[i];
    /* N = [B; 1] in the order of the coordinates. */
    for (int j = 0; j < free; j++) {
        d->N[d->col[r + j] + (size_t)n * j] = 1;
        for (int i = 0; i < r; i++)
            d->N[d->col[i] + (size_t)n * j] = d->A[i + (size_t)r * j];
    }
    /* N^T M N a = N^T (f - M x0). */
    memcpy(load, d->f, (size_t)n * sizeof *load);
    gdyn_gemm(0, 0, n, 1, n, -1, d->M, n, d->x, n, 1, load, n);
    gdyn_gemm(0, 0, n, free, n, 1, d->M, n, d->N, n, 0, d->MN, n);
    gdyn_gemm(1, 0, free, free, n, 1, d->N, n, d->MN, n, 0, d->K, free);
    gdyn_gemm(1, 0, free, 1, n, 1, d->N, n, load, n, 0, a, free);
    if (gdyn_cholesky_factor(free, d->K) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    gdyn_cholesky_solve(free, d->K, 1, a);
    gdyn_gemm(0, 0, n, 1, free, 1, d->N, n, a, free, 1, d->x, n);
    return GDYN_OK;
}
