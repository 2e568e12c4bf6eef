/* start.c - start velocities: of all that the constraints allow, those nearest to the wishes, then
 * of smallest energy.
 *
 *   u = u0 + N y,  C u0 = rates, C N = 0;   |E u - w| smallest: y = (E N)^+ (w - E u0) + Z c;
 *
 * c makes the energy smallest. */
#include "simulate/internal.h"

#include "mech/row.h"
#include "model/kinds.h"

#include <math.h>
#include <string.h>

/* What is wished for: E u = w, scaled. */
typedef struct wishes {
    gdyn_dynamics *d;
    const gdyn_state *state;
    int count, most;
    double *E, *w;     /* most x n (ld most), most */
    int *body, *joint; /* most: whose wish, -1 */
} wishes;

static void add_rate(wishes *s, const gdyn_joint_value *rate) {
    gdyn_row_jacobian jacobian;
    bool ok;
    gdyn_row row = gdyn_row_joint(s->d->model, rate->joint, rate->freedom, &ok);
    if (!ok)
        return;
    double scale = row.length ? 1 : s->d->L;
    /* The rate of the joint as a row in the velocities. */
    gdyn_row_derivative(s->state, &row, &jacobian);
    gdyn_row_scatter(s->state, &jacobian, scale, s->E, s->most, s->count);
    for (int j = 0; j < s->d->n; j++)
        s->E[s->count + (size_t)s->most * j] *= s->d->column[j];
    s->w[s->count] = rate->value * scale;
    s->body[s->count] = -1;
    s->joint[s->count++] = rate->joint;
}

static void gather(wishes *s) {
    const gdyn_simulation_def *def = s->d->def;
    /* The entry of a body precedes that for all bodies. */
    for (int body = 0; body < gdyn_model_bodies(s->d->model); body++) {
        const gdyn_start_velocity *own = NULL;
        for (int k = 0; k < def->velocity_count; k++)
            if (def->velocity[k].body == body || (!own && def->velocity[k].body == GDYN_NONE))
                own = &def->velocity[k];
        if (own) {
            const double *u = own->u;
            int per = gdyn_model_space(s->d->model) == GDYN_PLANAR ? 3 : 6;
            /* One row of E for each velocity of the body. */
            for (int j = 0; j < per; j++) {
                int at = per * body + j;
                s->E[s->count + (size_t)s->most * at] = 1;
                s->w[s->count] = u[j] / s->d->column[at], s->body[s->count] = body;
                s->joint[s->count++] = -1;
            }
        }
    }
    for (int k = 0; k < def->rate_count; k++)
        add_rate(s, &def->rate[k]);
}

/* x += N2 c of smallest energy over the columns of N2 (n x free). */
static gdyn_status calm(gdyn_dynamics *d, int free, const double *N2, double *x) {
    int n = d->n;
    double *Mx = d->v, *c = d->w;
    if (free == 0)
        return GDYN_OK;
    /* N2^T M N2 c = -N2^T M x. */
    gdyn_gemm(0, 0, n, 1, n, -1, d->M, n, x, n, 0, Mx, n);
    gdyn_gemm(1, 0, free, 1, n, 1, N2, n, Mx, n, 0, c, free);
    gdyn_gemm(0, 0, n, free, n, 1, d->M, n, N2, n, 0, d->MN, n);
    gdyn_gemm(1, 0, free, free, n, 1, N2, n, d->MN, n, 0, d->K, free);
    if (gdyn_cholesky_factor(free, d->K) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    gdyn_cholesky_solve(free, d->K, 1, c);
    gdyn_gemm(0, 0, n, 1, free, 1, N2, n, c, free, 1, x, n);
    return GDYN_OK;
}

/* y and Z of the wishes; x (n) changes; room: EN (count x free), Z (free x free), N2 (n x free). */
static gdyn_status meet(wishes *s, int free, double *EN, double *Z, double *N2, double *x) {
    gdyn_dynamics *d = s->d;
    int n = d->n, left = free;
    double *missing = s->w, *y = d->v;
    memcpy(N2, d->N, (size_t)n * (size_t)free * sizeof *N2);
    if (s->count > 0 && free > 0) {
        gdyn_svd *svd = gdyn_svd_create(s->count, free);
        if (!svd)
            return GDYN_ERROR_MEMORY;
        /* E N y = w - E x, least squares. */
        gdyn_gemm(0, 0, s->count, 1, n, -1, s->E, s->most, x, n, 1, missing, s->count);
        gdyn_gemm(0, 0, s->count, free, n, 1, s->E, s->most, d->N, n, 0, EN, s->count);
        gdyn_status status = gdyn_svd_factor(svd, s->count, free, EN, s->count, 0);
        if (status == GDYN_OK) {
            gdyn_svd_solve(svd, 1, missing, s->count, y, free);
            left = gdyn_svd_null(svd, Z, free);
        }
        gdyn_svd_destroy(svd);
        if (status != GDYN_OK)
            return status;
        /* x meets the wishes; N2 spans what they leave. */
        gdyn_gemm(0, 0, n, 1, free, 1, d->N, n, y, free, 1, x, n);
        gdyn_gemm(0, 0, n, left, free, 1, d->N, n, Z, free, 0, N2, n);
    }
    return calm(d, left, N2, x);
}

gdyn_status gdyn_sim_start_velocity(gdyn_dynamics *d, const gdyn_state *state, double *u,
                                    gdyn_sim_start *start) {
    size_t n = (size_t)d->n, most = n + (size_t)d->def->rate_count + 1;
    wishes s = {.d = d, .state = state, .most = (int)most};
    double *room = gdyn_alloc(most * n + 2 * most + most * n + 2 * n * n + n + 1, sizeof *room);
    int *whose = gdyn_alloc(2 * most, sizeof *whose);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (room && whose) {
        double *w = room + most * n + most, *EN = w + most, *Z = EN + most * n, *x = Z + 2 * n * n;
        s.E = room, s.w = room + most * n, s.body = whose, s.joint = whose + most;
        /* Equations at rest: prescribed rates alone. */
        memset(u, 0, n * sizeof *u);
        gdyn_dynamics_equations(d, state, u);
        gather(&s);
        memcpy(w, s.w, most * sizeof *w);
        /* u0: the smallest velocity with C u0 = rates. */
        for (int i = 0; i < d->rows; i++)
            d->mu[i] = -d->rate[i];
        status = gdyn_dynamics_factor(d, d->rows, d->rank);
        gdyn_qr_solve_transposed(d->qr, 1, d->mu, d->rows > 0 ? d->rows : 1, x, d->n);
        int free = gdyn_qr_null_transposed(d->qr, d->N, d->n);
        if (status == GDYN_OK)
            status = meet(&s, free, EN, Z, Z + n * n, x);
        /* The wish that is missed most; w: wishes as they were. */
        start->missed = start->speed = 0;
        start->missed_body = start->missed_joint = -1;
        for (int i = 0; i < s.count; i++) {
            double sum = -w[i];
            start->speed = fmax(start->speed, fabs(w[i]));
            for (int j = 0; j < s.d->n; j++)
                sum += s.E[i + (size_t)s.most * j] * x[j];
            if (fabs(sum) > start->missed) {
                start->missed = fabs(sum);
                start->missed_body = s.body[i], start->missed_joint = s.joint[i];
            }
        }
        for (size_t j = 0; j < n; j++)
            u[j] = x[j] * d->column[j];
    }
    gdyn_free(room), gdyn_free(whose);
    return status;
}
