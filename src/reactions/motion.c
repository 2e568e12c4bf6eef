/* motion.c - how the released machine moves: velocities that the motions prescribe, and
 * accelerations when it is released.
 *
 * Without drive forces u' = a + Z y with C a = -gamma (a of least norm) and Z an orthonormal basis
 * of null(C), Z^T M Z y = Z^T (f - M a), f = g - h: unique even with redundant constraints (Wojtyra
 * and Fraczek 2013, section 2.2). Z^T M Z has the square of the masses' spread in its condition and
 * Z mixes the motions of heavy and light bodies. So y follows from the triangular factor of L^T Z,
 * M = L L^T (seminormal equations), which has the spread's root only, and (u', lambda) is refined
 * by the residuals of
 *   M u' - C^T lambda = f,   C u' = -gamma,
 * whose rounding is relative to what acts on each body; see Bjorck, Numerical Methods for Least
 * Squares Problems, section 6.6.5; lambda as in values.c. Mass ratios up to 1e20 leave the factor
 * of L^T Z its digits. */
#include "reactions/internal.h"

#include "model/data.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { REFINEMENTS = 5 };

/* C in scaled velocities and unit rows (rows x n), factored. */
static gdyn_status factor_constraints(gdyn_reactions *r, const gdyn_state *state,
                                      const gdyn_path_rates *motion) {
    struct gdyn_reactions_work *w = r->work;
    gdyn_reactions_matrices(r, state, motion);
    for (int j = 0; j < r->n; j++)
        for (int i = 0; i < r->rows; i++)
            w->matrix[i + j * r->rows] = w->S[i + j * w->all];
    gdyn_status status = gdyn_svd_factor(w->svd, r->rows, r->n, w->matrix, r->rows, 0);
    r->rank_c = w->svd->rank;
    return status;
}

/* Velocities of the prescribed motions alone: least norm with C u = rates. */
static gdyn_status drift_of(gdyn_reactions *r, const gdyn_state *state, double *u) {
    struct gdyn_reactions_work *w = r->work;
    double *rate = w->few, *acceleration = rate + w->all;
    gdyn_status status = factor_constraints(r, state, NULL);
    if (status != GDYN_OK)
        return status;
    gdyn_mech_motion_rates(state, rate, acceleration);
    for (int i = 0; i < r->rows; i++)
        rate[i] *= w->factor[i];
    /* least norm in scaled velocities */
    gdyn_svd_solve(w->svd, 1, rate, r->rows, u, r->n);
    for (int j = 0; j < r->n; j++)
        u[j] *= w->column_scale[j];
    return GDYN_OK;
}

/* --- the released machine -------------------------------------------------------------------- */

/* Everything in scaled velocities; arrays in the workspace. */
typedef struct release {
    gdyn_reactions *r;
    int n, rows, free;
    double *M, *L, *Z; /* n x n: mass, its upper factor L^T; n x free */
    double *f, *size;  /* n: loads, without cancellation */
    double *wanted;    /* rows: C u' */
    double *b;         /* n: M u' - f */
    double *a, *x;     /* n, rows: accelerations, multipliers of unit rows */
    double *left;      /* max(n, rows): residuals */
    double *step, *y;  /* n + rows: corrections; 2 n */
} release;

/* M = L L^T into the upper triangle; a direction without mass gets a zero row. */
static void factor_mass(const release *s) {
    int n = s->n;
    memset(s->L, 0, (size_t)(n * n) * sizeof *s->L);
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++) {
            /* row i of L^T, as in Cholesky's method */
            double sum = s->M[i + j * n], whole = fabs(sum);
            for (int k = 0; k < i; k++)
                sum -= s->L[k + i * n] * s->L[k + j * n];
            if (i < j)
                s->L[i + j * n] = s->L[i + i * n] > 0 ? sum / s->L[i + i * n] : 0;
            /* what is left of a diagonal within rounding is no mass */
            else
                s->L[j + j * n] = sum > n * DBL_EPSILON * whole ? sqrt(sum) : 0;
        }
}

/* QR of L^T Z. */
static gdyn_status factor_free(const release *s) {
    struct gdyn_reactions_work *w = s->r->work;
    int n = s->n;
    /* L^T Z, column by column of Z */
    for (int c = 0; c < s->free; c++)
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = i; j < n; j++)
                sum += s->L[i + j * n] * s->Z[j + c * n];
            w->matrix[i + c * n] = sum;
        }
    /* Motions lighter than rounding beside the heaviest have no mass. */
    return gdyn_qr_factor(w->qr, n, s->free, w->matrix, n, n * DBL_EPSILON);
}

/* out += Z (Z^T M Z)^-1 Z^T force */
static void respond(const release *s, const double *force, double *out) {
    double *rhs = s->y + s->n;
    if (s->free == 0)
        return;
    /* Z^T force */
    for (int c = 0; c < s->free; c++) {
        rhs[c] = 0;
        for (int j = 0; j < s->n; j++)
            rhs[c] += s->Z[j + c * s->n] * force[j];
    }
    /* (R^T R)^-1 of it, then back to velocities */
    gdyn_qr_multipliers(s->r->work->qr, rhs, s->y);
    for (int c = 0; c < s->free; c++)
        for (int j = 0; j < s->n; j++)
            out[j] += s->Z[j + c * s->n] * s->y[c];
}

static void refine(const release *s) {
    const struct gdyn_reactions_work *w = s->r->work;
    /* what the accelerations lack of the constraints */
    for (int i = 0; i < s->rows; i++) {
        double sum = s->wanted[i];
        for (int j = 0; j < s->n; j++)
            sum -= w->S[i + j * w->all] * s->a[j];
        s->left[i] = sum;
    }
    gdyn_svd_solve(w->svd, 1, s->left, s->rows, s->step, s->n);
    for (int j = 0; j < s->n; j++)
        s->a[j] += s->step[j];
    /* then of the equations of motion within the free motions */
    /* left = f - M a + C^T x */
    for (int j = 0; j < s->n; j++) {
        double sum = s->f[j];
        for (int k = 0; k < s->n; k++)
            sum -= s->M[j + k * s->n] * s->a[k];
        for (int i = 0; i < s->rows; i++)
            sum += w->S[i + j * w->all] * s->x[i];
        s->left[j] = sum;
    }
    respond(s, s->left, s->a);
    /* reactions to these accelerations */
    for (int j = 0; j < s->n; j++) {
        s->b[j] = -s->f[j];
        for (int k = 0; k < s->n; k++)
            s->b[j] += s->M[j + k * s->n] * s->a[k];
    }
    gdyn_balance_solve(s->r, s->b, s->x);
}

/* e = |Z (Z^T M Z)^-1 Z^T| rho + |C^+| (delta of C a): what the residuals' errors do to u'. */
static void bound_error(const release *s, double delta) {
    gdyn_reactions *r = s->r;
    const gdyn_svd *svd = r->work->svd;
    double *rho = s->step, *one = s->left;
    /* errors of M u' row by row */
    for (int j = 0; j < s->n; j++) {
        for (int k = 0; k < s->n; k++)
            s->size[j] += fabs(s->M[j + k * s->n] * s->a[k]);
        r->motion_error[j] = 0;
    }
    gdyn_balance_row_error(r, s->rows, s->x, s->size, delta, rho);
    /* what an error of each row does to every acceleration */
    for (int j = 0; j < s->n; j++) {
        memset(one, 0, (size_t)s->n * sizeof *one);
        memset(s->f, 0, (size_t)s->n * sizeof *s->f);
        one[j] = rho[j];
        respond(s, one, s->f);
        for (int k = 0; k < s->n; k++)
            r->motion_error[k] += fabs(s->f[k]);
    }
    /* errors of the constraints through the pseudo-inverse of C */
    for (int i = 0; i < s->rows; i++) {
        double slack = fabs(s->wanted[i]);
        for (int j = 0; j < s->n; j++)
            slack += fabs(r->work->S[i + j * r->work->all] * s->a[j]);
        for (int j = 0; j < s->n; j++) {
            double sum = 0;
            for (int k = 0; k < svd->rank.rank; k++)
                sum += svd->Vt[k + (size_t)s->n * (size_t)j] / svd->s[k] *
                       svd->U[i + (size_t)s->rows * (size_t)k];
            r->motion_error[j] += delta * slack * fabs(sum);
        }
    }
}

static release prepare(gdyn_reactions *r, const gdyn_state *state, const gdyn_path_rates *motion,
                       const double *u) {
    struct gdyn_reactions_work *w = r->work;
    int n = r->n;
    release s = {.r = r, .n = n, .rows = r->rows, .M = w->mass, .Z = w->product};
    s.L = s.M + n * n;
    /* the workspace in parts */
    s.f = w->load, s.size = s.f + n, s.a = s.size + n, s.b = s.a + n, s.x = s.b + n;
    s.wanted = w->few + w->all, s.step = s.wanted + w->all, s.left = s.step + n + w->all;
    s.y = s.left + n + w->all;
    s.free = gdyn_svd_null(w->svd, s.Z, n);
    /* C u' = prescribed accelerations - curvature, in unit rows */
    double *rate = s.left, *acceleration = s.step;
    gdyn_mech_motion_rates(state, rate, acceleration);
    gdyn_mech_curvature(state, u, rate);
    for (int i = 0; i < r->rows; i++)
        s.wanted[i] = (acceleration[i] - rate[i]) * w->factor[i];
    gdyn_balance_loads(r, state, motion, u, s.f, s.size);
    /* M in scaled velocities */
    gdyn_mech_mass(state, s.M);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            s.M[i + j * n] *= w->column_scale[i] * w->column_scale[j];
    memset(s.a, 0, (size_t)n * sizeof *s.a);
    memset(s.x, 0, (size_t)w->all * sizeof *s.x);
    return s;
}

/* Accelerations of the machine with all its drives released. */
gdyn_status gdyn_reactions_release(gdyn_reactions *r, const gdyn_state *state,
                                   const gdyn_path_rates *motion, const double *u, double *udot) {
    struct gdyn_reactions_work *w = r->work;
    gdyn_status status = factor_constraints(r, state, motion);
    if (status != GDYN_OK)
        return status;
    release s = prepare(r, state, motion, u);
    factor_mass(&s);
    status = factor_free(&s);
    if (status == GDYN_OK)
        status = gdyn_balance_factor(r, r->rows, r->rank_c.rank, s.size);
    /* refined: what one pass leaves unbalanced is the load of the next */
    for (int k = 0; k < REFINEMENTS && status == GDYN_OK; k++)
        refine(&s);
    if (status != GDYN_OK)
        return status;
    /* error bounds belong to the accelerations in scaled velocities */
    bound_error(&s, gdyn_balance_entry_error(r, state));
    for (int j = 0; j < r->n; j++)
        udot[j] = s.a[j] * w->column_scale[j];
    return GDYN_OK;
}

/* --- a pose in a motion ----------------------------------------------------------------------- */

const char *gdyn_reaction_balance_name(gdyn_reaction_balance balance) {
    static const char *const names[] = {"held", "driven", "released", "unbalanced"};
    return names[balance];
}

gdyn_status gdyn_reactions_in_motion(gdyn_reactions *r, const gdyn_state *state,
                                     const gdyn_path_rates *motion, bool moving, bool may_fall,
                                     const double *u, double *udot,
                                     gdyn_reaction_balance *balance) {
    gdyn_status status = gdyn_reactions_values(r, state, motion, u, udot);
    *balance = moving ? GDYN_DRIVEN : GDYN_HELD;
    if (status == GDYN_OK && r->misfit > GDYN_UNBALANCED_SHARE && may_fall && r->efforts == 0) {
        status = gdyn_reactions_release(r, state, motion, u, udot);
        if (status == GDYN_OK)
            status = gdyn_reactions_values(r, state, motion, u, udot);
        *balance = GDYN_LET_GO;
    }
    if (status != GDYN_OK || r->misfit > GDYN_UNBALANCED_SHARE || gdyn_reactions_slipping(r) >= 0)
        *balance = GDYN_UNBALANCED;
    return status;
}

gdyn_status gdyn_reactions_without_path(gdyn_reactions *r, const gdyn_state *state,
                                        unsigned methods, double *u, double *udot, bool *moves,
                                        gdyn_reaction_balance *balance) {
    gdyn_status status = drift_of(r, state, u);
    const gdyn_path_rates drift = {.u_p = u};
    *moves = false, *balance = GDYN_UNBALANCED;
    memset(udot, 0, (size_t)r->n * sizeof *udot);
    if (status == GDYN_OK) {
        /* Accelerations of least norm that the motions ask for at velocities u; C is factored. */
        struct gdyn_reactions_work *w = r->work;
        double *gamma = w->few, *acceleration = gamma + w->all;
        gdyn_mech_motion_rates(state, gamma, acceleration);
        gdyn_mech_curvature(state, u, gamma);
        for (int i = 0; i < r->rows; i++)
            acceleration[i] = (acceleration[i] - gamma[i]) * w->factor[i];
        gdyn_svd_solve(w->svd, 1, acceleration, r->rows, udot, r->n);
        for (int j = 0; j < r->n; j++)
            udot[j] *= w->column_scale[j];
    }
    for (int j = 0; status == GDYN_OK && j < r->n; j++)
        *moves = *moves || u[j] != 0;
    const gdyn_path_rates *motion = *moves ? &drift : NULL;
    if (status == GDYN_OK)
        status = gdyn_reactions_at(r, state, motion, methods);
    if (status == GDYN_OK)
        status = gdyn_reactions_in_motion(r, state, motion, false, true, u, udot, balance);
    return status;
}
