/* values.c - how much the reactions are.
 *
 * The balance C^T lambda + T n = b, b = M u' + h - g, in scaled velocities and unit rows reads
 * S^T x = b_s; x is the solution of least norm, and everything else is x + N y. A component is
 * W^T lambda, so the affine family of components is known exactly; where a component is unique its
 * row of directions is zero.
 * Without drive forces the motion follows from the constraints: u' = a + Z y with C a = -gamma (a of
 * least norm), Z a basis of null(C), and Z^T M Z y = Z^T (g - h - M a): unique even with redundant
 * constraints (Wojtyra and Fraczek 2013, section 2.2). */
#include "reactions/internal.h"

#include <math.h>
#include <string.h>

/* Applied forces less gyroscopic terms, g - h (n). */
static void known_forces(const gdyn_reactions *r, const gdyn_state *state, const double *u,
                         double *out, double *scratch) {
    gdyn_mech_path_forces(state, &(gdyn_path_rates){.u_p = u}, out, scratch);
    for (int j = 0; j < r->n; j++)
        out[j] += scratch[j];
    gdyn_mech_bias(state, u, scratch);
    for (int j = 0; j < r->n; j++)
        out[j] -= scratch[j];
}

static gdyn_status factor_transposed(gdyn_reactions *r) {
    struct gdyn_reactions_work *w = r->work;
    for (int i = 0; i < w->all; i++)
        for (int j = 0; j < r->n; j++)
            w->matrix[j + i * r->n] = w->S[i + j * w->all];
    return gdyn_svd_factor(w->svd, r->n, w->all, w->matrix, r->n, 0);
}

/* What a vector x (all) of unit-row multipliers and drive forces means. */
static void unpack(const gdyn_reactions *r, const double *x, double *value, double *lambda,
                   double *drive) {
    const struct gdyn_reactions_work *w = r->work;
    for (int i = 0; i < r->rows; i++)
        lambda[i] = w->factor[i] * x[i];
    for (int d = 0; d < r->drives; d++)
        drive[d] = w->factor[r->rows + d] * x[r->rows + d];
    for (int c = 0; c < r->components; c++) {
        const double *weight = w->W + (size_t)c * (size_t)r->rows;
        value[c] = 0;
        for (int i = 0; i < r->rows; i++)
            value[c] += weight[i] * lambda[i];
    }
}

/* Directions of the family; rows of unique components are zero but for rounding, and are set so. */
static void fill_directions(gdyn_reactions *r) {
    struct gdyn_reactions_work *w = r->work;
    r->directions = gdyn_svd_null(w->svd, w->matrix, w->all);
    for (int d = 0; d < r->directions; d++) {
        double *value = r->component_direction + d * r->components;
        unpack(r, w->matrix + d * w->all, value, r->lambda_direction + d * r->rows,
               r->drive_direction + d * r->drives);
        for (int c = 0; c < r->components; c++)
            if (gdyn_reactions_component(r, c)->verdict == GDYN_UNIQUE)
                value[c] = 0;
    }
}

gdyn_status gdyn_reactions_values(gdyn_reactions *r, const gdyn_state *state, const double *u,
                                  const double *udot) {
    struct gdyn_reactions_work *w = r->work;
    int n = r->n;
    double *rest = w->few, *b = w->few + n, *scratch = w->few + 2 * n, *x = w->few + 4 * n;
    memset(rest, 0, (size_t)n * sizeof *rest);
    known_forces(r, state, u ? u : rest, b, scratch);
    double size = 0;
    for (int j = 0; j < n; j++) {
        size = fmax(size, fabs(b[j] * w->column_scale[j]));
        b[j] = -b[j];
    }
    gdyn_mech_mass_apply(state, udot ? udot : rest, scratch);
    for (int j = 0; j < n; j++) {
        size = fmax(size, fabs(scratch[j] * w->column_scale[j]));
        b[j] = (b[j] + scratch[j]) * w->column_scale[j];
    }
    if (factor_transposed(r) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    gdyn_svd_solve(w->svd, 1, b, n, x, w->all);
    r->misfit = size > 0 ? gdyn_svd_residual(w->svd, b, scratch) / size : 0;
    unpack(r, x, r->value, r->lambda, r->drive);
    fill_directions(r);
    return GDYN_OK;
}

/* --- motion that follows from the constraints -------------------------------------------------- */

/* C in scaled velocities (rows x n), factored; right-hand sides are scaled by row_scale. */
static gdyn_status factor_constraints(gdyn_reactions *r, const gdyn_state *state) {
    struct gdyn_reactions_work *w = r->work;
    gdyn_mech_jacobian(state, w->C);
    for (int j = 0; j < r->n; j++)
        for (int i = 0; i < r->rows; i++)
            w->matrix[i + j * r->rows] =
                w->C[i + j * r->rows] * w->row_scale[i] * w->column_scale[j];
    return gdyn_svd_factor(w->svd, r->rows, r->n, w->matrix, r->rows, 0);
}

gdyn_status gdyn_reactions_drift(gdyn_reactions *r, const gdyn_state *state, double *u) {
    struct gdyn_reactions_work *w = r->work;
    double *rate = w->few + 4 * r->n, *acceleration = rate + w->all;
    gdyn_status status = factor_constraints(r, state);
    if (status != GDYN_OK)
        return status;
    gdyn_mech_motion_rates(state, rate, acceleration);
    for (int i = 0; i < r->rows; i++)
        rate[i] *= w->row_scale[i];
    gdyn_svd_solve(w->svd, 1, rate, r->rows, u, r->n);
    for (int j = 0; j < r->n; j++)
        u[j] *= w->column_scale[j];
    return GDYN_OK;
}

/* (Z^T M Z) y = Z^T f in scaled velocities; adds Z y to a (n). */
static gdyn_status free_motion(gdyn_reactions *r, const gdyn_state *state, const double *f,
                               double *a) {
    struct gdyn_reactions_work *w = r->work;
    int n = r->n, free = gdyn_svd_null(w->svd, w->product, n);
    double *Mz = w->few, *column = w->few + n, *y = w->few + 2 * n, *rhs = w->few + 3 * n;
    if (free == 0)
        return GDYN_OK;
    for (int c = 0; c < free; c++) {
        for (int j = 0; j < n; j++)
            column[j] = w->product[j + c * n] * w->column_scale[j];
        gdyn_mech_mass_apply(state, column, Mz);
        rhs[c] = 0;
        for (int j = 0; j < n; j++)
            rhs[c] += column[j] * f[j];
        for (int d = 0; d < free; d++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                sum += w->product[j + d * n] * w->column_scale[j] * Mz[j];
            w->matrix[d + c * free] = sum;
        }
    }
    if (gdyn_svd_factor(w->svd, free, free, w->matrix, free, 0) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    gdyn_svd_solve(w->svd, 1, rhs, free, y, free);
    for (int j = 0; j < n; j++)
        for (int c = 0; c < free; c++)
            a[j] += w->product[j + c * n] * w->column_scale[j] * y[c];
    return GDYN_OK;
}

gdyn_status gdyn_reactions_release(gdyn_reactions *r, const gdyn_state *state, const double *u,
                                   double *udot) {
    struct gdyn_reactions_work *w = r->work;
    int n = r->n;
    double *f = w->few + 4 * n, *gamma = f + n, *wanted = gamma + w->all;
    gdyn_status status = factor_constraints(r, state);
    if (status != GDYN_OK)
        return status;
    gdyn_mech_curvature(state, u, gamma);
    gdyn_mech_motion_rates(state, w->amount, wanted);
    for (int i = 0; i < r->rows; i++)
        wanted[i] = (wanted[i] - gamma[i]) * w->row_scale[i];
    gdyn_svd_solve(w->svd, 1, wanted, r->rows, udot, n);
    for (int j = 0; j < n; j++)
        udot[j] *= w->column_scale[j];
    known_forces(r, state, u, f, w->few);
    gdyn_mech_mass_apply(state, udot, w->few);
    for (int j = 0; j < n; j++)
        f[j] -= w->few[j];
    return free_motion(r, state, f, udot);
}
