/* dynamics.c - the equations of motion at a state: M x - C^T mu = f, C x = b, scaled.
 *
 * Ranks are those of the closed start: off the constraints by e, redundant rows look independent
 * with singular values of order e and would ask for accelerations that no rigid machine has. */
#include "simulate/internal.h"

#include "linalg/dot.h"
#include "mech/state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- workspace -------------------------------------------------------------------------------- */

/* Arrays and factorizations; these have room for the largest matrix of any method. */
static bool make_dynamics_room(gdyn_dynamics *d) {
    size_t n = (size_t)d->n, rows = (size_t)d->rows, both = n + rows, drives = (size_t)d->drives;
    const struct {
        double **array;
        size_t count;
    } arrays[] = {{&d->column, n},
                  {&d->f, n},
                  {&d->x, n},
                  {&d->u, n},
                  {&d->row_scale, rows},
                  {&d->b, rows},
                  {&d->phi, rows},
                  {&d->rate, rows},
                  {&d->mu, rows},
                  {&d->M, n * n},
                  {&d->N, n * n},
                  {&d->MN, n * n},
                  {&d->C, n * rows},
                  {&d->Ct, n * rows},
                  {&d->A, n * rows},
                  {&d->K, both * both},
                  {&d->v, 2 * both},
                  {&d->w, 2 * both},
                  {&d->n_drive, drives},
                  {&d->T, n * drives}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i].array = gdyn_arena_doubles(d->arena, arrays[i].count);
    d->pivot = gdyn_arena_alloc(d->arena, both, sizeof *d->pivot);
    d->row = gdyn_arena_alloc(d->arena, rows, sizeof *d->row);
    d->col = gdyn_arena_alloc(d->arena, n, sizeof *d->col);
    int most = (d->rows > d->n ? d->rows : d->n) + 1;
    bool minimal = d->def->method == GDYN_SIM_MINIMAL;
    d->qr = gdyn_qr_create(d->n + 1, d->rows + 1);
    d->svd = gdyn_svd_create(most, most);
    d->uneven = gdyn_mech_uneven_masses(d->model);
    d->graded = d->uneven ? gdyn_qr_create(d->n, d->n) : NULL;
    d->minimal = minimal ? gdyn_minimal_create(d->arena, d->model) : NULL;
    bool sticking = gdyn_sticking_create(d->arena, d->model, &d->sticking);
    return d->qr && d->svd && (d->graded || !d->uneven) && (d->minimal || !minimal) && sticking &&
           !gdyn_arena_failed(d->arena);
}

gdyn_dynamics *gdyn_dynamics_create(const gdyn_model *model, const gdyn_simulation_def *def) {
    gdyn_arena *arena;
    gdyn_dynamics *d = gdyn_arena_begin(&arena, sizeof *d);
    if (!d)
        return NULL;
    d->arena = arena, d->model = model, d->def = def;
    d->n = gdyn_model_coordinates(model);
    d->m = gdyn_model_holonomic(model);
    d->rows = d->m + gdyn_model_pfaffian(model);
    d->drives = gdyn_model_drives(model);
    d->L = gdyn_model_length(model);
    bool stepping = def->method == GDYN_SIM_COMPLIANCE && def->integrator == GDYN_SIM_EULER;
    d->stepping = stepping ? def->step : 0;
    /* Until the start is assembled every row counts as independent. */
    d->rank = d->position_rank = d->rows;
    if (!make_dynamics_room(d)) {
        gdyn_dynamics_destroy(d);
        return NULL;
    }
    /* Lengths over L, rotations as they are, as everywhere where ranks are decided. */
    gdyn_mech_scales(model, d->row_scale, d->column);
    return d;
}

void gdyn_dynamics_destroy(gdyn_dynamics *d) {
    if (!d)
        return;
    gdyn_qr_destroy(d->qr), gdyn_qr_destroy(d->graded);
    gdyn_svd_destroy(d->svd);
    gdyn_minimal_destroy(d->minimal);
    gdyn_svd_destroy(d->sticking ? d->sticking->svd : NULL);
    gdyn_arena_destroy(d->arena);
}

/* --- the equations ---------------------------------------------------------------------------- */

void gdyn_dynamics_constraints(gdyn_dynamics *d, const gdyn_state *state, const double *u) {
    double *wanted = d->w, *unused = d->w + d->rows;
    gdyn_mech_jacobian(state, d->C);
    /* C scaled on both sides. */
    for (int j = 0; j < d->n; j++)
        for (int i = 0; i < d->rows; i++)
            d->C[i + (size_t)d->rows * j] *= d->row_scale[i] * d->column[j];
    /* What is open in pose and in velocity: Phi, and Phi' = C u - the prescribed rates. */
    memset(d->phi, 0, (size_t)d->rows * sizeof *d->phi);
    gdyn_mech_constraints(state, d->phi);
    gdyn_mech_motion_rates(state, wanted, unused);
    for (int j = 0; j < d->n; j++)
        d->u[j] = u[j] / d->column[j];
    for (int i = 0; i < d->rows; i++) {
        double sum = -wanted[i] * d->row_scale[i];
        for (int j = 0; j < d->n; j++)
            sum += d->C[i + (size_t)d->rows * j] * d->u[j];
        d->rate[i] = sum, d->phi[i] *= d->row_scale[i];
    }
}

void gdyn_dynamics_mass(gdyn_dynamics *d, const gdyn_state *state) {
    gdyn_mech_mass(state, d->M);
    for (int j = 0; j < d->n; j++)
        for (int i = 0; i < d->n; i++)
            d->M[i + (size_t)d->n * j] *= d->column[i] * d->column[j];
}

double gdyn_dynamics_greatest(int count, const double *values) {
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(values[i]));
    return most;
}

void gdyn_dynamics_drive_forces(gdyn_dynamics *d, double t) {
    /* The forces of a motion that is played back take the place of the case's signals. */
    memset(d->n_drive, 0, (size_t)d->drives * sizeof *d->n_drive);
    d->loaded = GDYN_OK;
    if (d->def->force) {
        d->loaded = d->def->force(d->def->force_context, t, d->n_drive);
        return;
    }
    for (int i = 0; i < d->def->signal_count; i++) {
        const gdyn_drive_signal *s = &d->def->signal[i];
        d->n_drive[s->drive] = gdyn_expr_value(s->formula, &t);
    }
}

void gdyn_dynamics_equations(gdyn_dynamics *d, const gdyn_state *state, const double *u) {
    d->state = state, d->velocity = u;
    gdyn_dynamics_constraints(d, state, u);
    gdyn_dynamics_mass(d, state);
    /* f = g + T n - h, scaled */
    int n = d->n;
    double *h = d->w;
    gdyn_sticking_begin(d);
    gdyn_mech_motion_forces(state, u, d->def->slip, d->sticking ? d->sticking->dry : NULL, d->f,
                            &d->powers);
    gdyn_mech_bias(state, u, h);
    gdyn_dynamics_drive_forces(d, gdyn_state_time(state));
    /* Columns of T only where some drive acts. */
    bool driven = d->def->signal_count > 0 || d->def->force;
    if (driven)
        gdyn_mech_drives(state, d->T);
    d->drive_power = 0;
    for (int j = 0; j < n; j++) {
        double push = 0;
        for (int k = 0; driven && k < d->drives; k++)
            push += d->T[j + (size_t)n * k] * d->n_drive[k];
        d->drive_power += push * u[j];
        d->f[j] = (d->f[j] + push - h[j]) * d->column[j];
    }
    /* b = motions' accelerations - gamma, with what Baumgarte's stabilization adds */
    double *gamma = d->w, *unused = d->w + d->rows;
    double rate = d->def->hold == GDYN_SIM_BAUMGARTE ? d->def->baumgarte : 0;
    /* b: accelerations of the motions; gamma = J' u. */
    gdyn_mech_motion_rates(state, unused, d->b);
    gdyn_mech_curvature(state, u, gamma);
    /* Baumgarte: Phi'' + 2 rate Phi' + rate^2 Phi = 0. */
    for (int i = 0; i < d->rows; i++)
        d->b[i] = (d->b[i] - gamma[i]) * d->row_scale[i] - 2 * rate * d->rate[i] -
                  rate * rate * d->phi[i];
}

gdyn_status gdyn_dynamics_near(gdyn_dynamics *d, const gdyn_state *state) {
    const double NEAR = 1e-2;
    double share;
    if (d->def->method == GDYN_SIM_COMPLIANCE)
        return GDYN_OK;
    /* At rest: C alone matters. */
    memset(d->v, 0, (size_t)d->n * sizeof *d->v);
    gdyn_dynamics_constraints(d, state, d->v);
    /* smallest over largest pivot of C at the start's rank, from R of the pivoted QR of C^T */
    share = 1;
    gdyn_status status = gdyn_dynamics_factor(d, d->rows, d->rank);
    const double *QR = d->qr->QR;
    if (d->rank > 0)
        share =
            d->qr->rank.rank < d->rank ? 0 : fabs(QR[(d->rank - 1) * (size_t)(d->n + 1)] / QR[0]);
    /* Compared with the start: a machine ill conditioned throughout is not near a singular pose. */
    if (!(d->clear > 0))
        d->clear = share;
    d->passing = share < NEAR * d->clear;
    return status;
}

/* Multipliers of the method; accelerations by graded motions, with rounding of their bodies. */
static gdyn_status solve_uneven(gdyn_dynamics *d) {
    gdyn_status status = gdyn_sim_solver_of(d->def->method)->solve(d);
    return status == GDYN_OK ? gdyn_solve_null_space(d) : status;
}

gdyn_status gdyn_dynamics_solve(gdyn_dynamics *d, const gdyn_state *state, const double *u) {
    gdyn_dynamics_equations(d, state, u);
    if (d->loaded != GDYN_OK)
        return d->loaded;
    /* The augmented Lagrangian needs no rank and passes singular poses. */
    gdyn_sim_method method = d->passing ? GDYN_SIM_AUGMENTED : d->def->method;
    gdyn_solve *solve = gdyn_sim_solver_of(method)->solve;
    if (d->uneven && !d->passing && method != GDYN_SIM_COMPLIANCE && method != GDYN_SIM_MINIMAL)
        solve = solve_uneven;
    gdyn_status status = solve(d);
    if (status == GDYN_OK)
        status = gdyn_sticking_solve(d, solve);
    if (status == GDYN_OK && !gdyn_all_finite(d->n, 1, d->x, d->n))
        return GDYN_ERROR_NUMERIC;
    return status;
}

/* --- what several methods need ---------------------------------------------------------------- */

gdyn_status gdyn_dynamics_factor(gdyn_dynamics *d, int count, int rank) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < d->n; j++)
            d->Ct[j + (size_t)d->n * i] = d->C[i + (size_t)d->rows * j];
    /* Beside a singular pose the direction that rows hardly see is not corrected. */
    double cut = d->passing ? 1e-5 : 1e-14;
    gdyn_status status = gdyn_qr_factor(d->qr, d->n, count, d->Ct, d->n, cut);
    /* The rank never exceeds that of the start. */
    if (d->qr->rank.rank > rank)
        d->qr->rank.rank = rank;
    return status;
}

/* Basis N of null(C) after a factorization of C^T; where masses differ by orders of magnitude, such
 * that light bodies move alone in as many columns as possible. Returns their number. */
static int find_motions(gdyn_dynamics *d) {
    const double STILL = 1e-11;
    int n = d->n, free = gdyn_qr_null_transposed(d->qr, d->N, n);
    if (!d->uneven || free == 0)
        return free;
    int per = gdyn_model_space(d->model) == GDYN_PLANAR ? 3 : 6;
    double *mass = d->w, *G = d->MN;
    for (int j = 0; j < n; j += per) {
        mass[j / per] = 0;
        for (int i = j; i < j + per; i++)
            mass[j / per] = fmax(mass[j / per], d->M[i * (size_t)(n + 1)]);
    }
    if (gdyn_qr_grade(d->graded, n, free, per, mass, STILL, d->N, G, d->K) != GDYN_OK)
        return free;
    for (int j = 0; j < free; j++)
        for (int i = 0; i < n; i++)
            d->N[i + (size_t)n * (size_t)j] = G[j + (size_t)free * (size_t)i];
    return free;
}

/* Reduced masses N^T M N, factored into K; N has `free` columns. */
static gdyn_status reduce_mass(gdyn_dynamics *d, int free) {
    int n = d->n;
    bool massive = true;
    gdyn_gemm(0, 0, n, free, n, 1, d->M, n, d->N, n, 0, d->MN, n);
    gdyn_gemm(1, 0, free, free, n, 1, d->N, n, d->MN, n, 0, d->K, free);
    if (gdyn_cholesky_factor(free, d->K) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    /* The squares of the factor's diagonal are masses; a motion without mass leaves rounding. */
    for (int j = 0; j < free; j++) {
        double pivot = d->K[j * (size_t)(free + 1)], greatest = 0;
        for (int i = 0; i < n; i++)
            if (!d->uneven || d->N[i + (size_t)n * (size_t)j] != 0)
                greatest = fmax(greatest, d->M[i * (size_t)(n + 1)]);
        massive = massive && pivot * pivot > 100 * n * DBL_EPSILON * greatest;
    }
    return massive ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

gdyn_status gdyn_dynamics_massless(gdyn_dynamics *d, int *body) {
    int n = d->n, per = gdyn_model_space(d->model) == GDYN_PLANAR ? 3 : 6;
    double *a = d->v, *x = d->x, most = 0;
    *body = GDYN_NONE;
    gdyn_status status = gdyn_dynamics_factor(d, d->rows, d->rank);
    int free = find_motions(d);
    if (status != GDYN_OK || free == 0 || reduce_mass(d, free) == GDYN_OK)
        return status;
    /* The reduced mass is singular: its weakest direction, as a motion of bodies. */
    gdyn_gemm(0, 0, n, free, n, 1, d->M, n, d->N, n, 0, d->MN, n);
    gdyn_gemm(1, 0, free, free, n, 1, d->N, n, d->MN, n, 0, d->K, free);
    status = gdyn_svd_factor(d->svd, free, free, d->K, free, 0);
    for (int i = 0; i < free; i++)
        a[i] = d->svd->Vt[free - 1 + (size_t)free * (size_t)i];
    gdyn_gemm(0, 0, n, 1, free, 1, d->N, n, a, free, 0, x, n);
    /* The body that this motion moves most. */
    for (int j = 0; j < n; j++)
        if (fabs(x[j]) > most) {
            most = fabs(x[j]);
            *body = j / per;
        }
    return status;
}

gdyn_status gdyn_dynamics_least(gdyn_dynamics *d, int count, const double *b, const double *f,
                                double *x) {
    int n = d->n;
    double *Mx = d->v, *a = d->v + n;
    /* The part in the range of C^T meets the constraints. */
    memset(x, 0, (size_t)n * sizeof *x);
    if (count > 0)
        gdyn_qr_solve_transposed(d->qr, 1, b, d->rows, x, n);
    int free = find_motions(d);
    if (free == 0)
        return GDYN_OK;
    if (reduce_mass(d, free) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    /* The rest along the free motions: N^T M N a = N^T (f - M x). */
    gdyn_gemm(0, 0, n, 1, n, -1, d->M, n, x, n, 0, Mx, n);
    for (int j = 0; f && j < n; j++)
        Mx[j] += f[j];
    gdyn_gemm(1, 0, free, 1, n, 1, d->N, n, Mx, n, 0, a, free);
    gdyn_cholesky_solve(free, d->K, 1, a);
    gdyn_gemm(0, 0, n, 1, free, 1, d->N, n, a, free, 1, x, n);
    return GDYN_OK;
}

gdyn_status gdyn_dynamics_along_freedoms(gdyn_dynamics *d, double *constraints, double *loads) {
    int n = d->n;
    double *push = d->v, *a = d->v + n, *moved = d->w;
    *constraints = *loads = 0;
    gdyn_status status = gdyn_dynamics_factor(d, d->rows, d->rank);
    int free = gdyn_qr_null_transposed(d->qr, d->N, n);
    if (status != GDYN_OK || free == 0 || reduce_mass(d, free) != GDYN_OK)
        return status;
    for (int k = 0; k < 2; k++) {
        /* M x - f, then f; N (N^T M N)^-1 N^T of it */
        memcpy(push, d->f, (size_t)n * sizeof *push);
        if (k == 0)
            gdyn_gemm(0, 0, n, 1, n, 1, d->M, n, d->x, n, -1, push, n);
        gdyn_gemm(1, 0, free, 1, n, 1, d->N, n, push, n, 0, a, free);
        gdyn_cholesky_solve(free, d->K, 1, a);
        gdyn_gemm(0, 0, n, 1, free, 1, d->N, n, a, free, 0, moved, n);
        *(k == 0 ? constraints : loads) = gdyn_norm(n, moved);
    }
    return GDYN_OK;
}

gdyn_status gdyn_dynamics_multipliers(gdyn_dynamics *d) {
    int n = d->n, rows = d->rows;
    double *load = d->v;
    memset(d->mu, 0, (size_t)rows * sizeof *d->mu);
    if (rows == 0)
        return GDYN_OK;
    /* C^T mu = M x - f in least squares, mu of least norm. */
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            d->Ct[j + (size_t)n * i] = d->C[i + (size_t)rows * j];
    gdyn_status status = gdyn_svd_factor(d->svd, n, rows, d->Ct, n, 1e-14);
    if (status != GDYN_OK)
        return status;
    if (d->svd->rank.rank > d->rank)
        d->svd->rank.rank = d->rank;
    /* What the constraints have to carry. */
    memcpy(load, d->f, (size_t)n * sizeof *load);
    gdyn_gemm(0, 0, n, 1, n, 1, d->M, n, d->x, n, -1, load, n);
    gdyn_svd_solve(d->svd, 1, load, n, d->mu, rows);
    return GDYN_OK;
}
