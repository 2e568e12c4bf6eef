/* balance.c - the equations S^T x = b, solved body by body.
 *
 * Loads of heavy and of light bodies are in one right-hand side. Any least-squares solution lets
 * the rounding of the heavy bodies' equations into the light ones' unknowns. But the equations are
 * more than their rank, and consistent: so as many as the rank says are solved, and light bodies'
 * are chosen first (QR with pivoting of the columns of S, each weighted by its body's load to the
 * power -1/2; the rank is known beforehand, the weights do not touch it). Of all x that fulfil them
 * the one of least norm is taken, and refined by residuals b - S^T x, whose rounding is relative to
 * what acts on each body alone. Then x solves a system whose entries are changed by rounding only,
 * body by body (Higham, Accuracy and Stability of Numerical Algorithms, section 12.1):
 *   rho_j = delta (sum_i s_iB |x_i| + beta_B) for coordinates j of body B
 * s_iB: greatest entry of row i on B; beta_B: loads on B without their cancellation; delta:
 * relative error of the entries, from rounding and from the residual of the closed pose. */
#include "reactions/internal.h"

#include "model/data.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Loads below this share of the greatest choose equations as this share does: its root times
 * rounding stays far below the pivots that count. */
static const double LEAST_LOAD = 1e-16;

/* --- loads ------------------------------------------------------------------------------------ */

/* Applied forces and gyroscopic terms at u, scaled, with the size of their terms: rounding is
 * measured against it. */
void gdyn_balance_loads(const gdyn_reactions *r, const gdyn_state *state,
                        const gdyn_path_rates *motion, const double *u, double *out, double *size) {
    struct gdyn_reactions_work *w = r->work;
    double *part = w->part, *second = w->few + 5 * r->n + 6 * w->all, *unused = second + r->n;
    double *still = unused + r->n;
    memset(still, 0, (size_t)r->n * sizeof *still);
    gdyn_path_rates speed = {.u_p = u}, rest = {.u_p = still};
    const gdyn_path_rates *along = motion ? motion : &rest;
    /* sizes: friction that depends on u, then everything else */
    gdyn_mech_path_force_sizes(state, &speed, unused, second); /* viscous: of u */
    gdyn_mech_path_force_sizes(state, along, part, unused);
    for (int j = 0; j < r->n; j++)
        size[j] = (part[j] + second[j]) * w->column_scale[j];
    /* the forces themselves, in the same two parts */
    gdyn_mech_path_forces(state, &speed, unused, second);
    gdyn_mech_path_forces(state, along, part, unused);
    for (int j = 0; j < r->n; j++)
        out[j] = (part[j] + second[j]) * w->column_scale[j];
    /* minus the gyroscopic terms */
    gdyn_mech_bias(state, u, part);
    for (int j = 0; j < r->n; j++) {
        out[j] -= part[j] * w->column_scale[j];
        size[j] += fabs(part[j]) * w->column_scale[j];
    }
}

/* --- solving ---------------------------------------------------------------------------------- */

/* Weights of the bodies: the load to the power -1/2, relative to the greatest. */
static void choose_weights(gdyn_reactions *r, const double *size) {
    double *weight = r->work->weight, greatest = 0;
    int per = r->model->per_body;
    for (int j = 0; j < r->n; j++)
        greatest = fmax(greatest, size[j]);
    /* the greatest load on each body, but no less than a share of the greatest of all */
    for (int body = 0; body * per < r->n; body++) {
        double load = 0;
        for (int j = body * per; j < (body + 1) * per; j++)
            load = fmax(load, size[j]);
        load = greatest > 0 ? fmax(load / greatest, LEAST_LOAD) : 1;
        for (int j = body * per; j < (body + 1) * per; j++)
            weight[j] = 1 / sqrt(load);
    }
}

/* QR of S with weighted columns; the rank is known from elsewhere. */
gdyn_status gdyn_balance_factor(gdyn_reactions *r, int count, int rank, const double *size) {
    struct gdyn_reactions_work *w = r->work;
    /* bodies with small loads count as much as the others */
    choose_weights(r, size);
    for (int j = 0; j < r->n; j++)
        for (int i = 0; i < count; i++)
            w->matrix[i + j * count] = w->S[i + j * w->all] * w->weight[j];
    gdyn_status status = gdyn_qr_factor(w->balance, count, r->n, w->matrix, count, DBL_EPSILON);
    if (status == GDYN_OK && rank < w->balance->rank.rank)
        w->balance->rank.rank = rank;
    return status;
}

/* x of least norm with S^T x = b, refined with the same factors. */
void gdyn_balance_solve(gdyn_reactions *r, const double *b, double *x) {
    struct gdyn_reactions_work *w = r->work;
    gdyn_qr_solve_refined(w->balance, w->S, w->all, w->weight, b, x, w->part, w->few);
}

/* Sum of |p_j| rho_j for the p with S p = g: what errors rho of the balance do to g^T x. */
double gdyn_balance_spread(gdyn_reactions *r, double *g, const double *rho) {
    struct gdyn_reactions_work *w = r->work;
    double *p = w->part, sum = 0;
    gdyn_qr_basic(w->balance, g, p);
    for (int j = 0; j < r->n; j++)
        sum += fabs(p[j] * w->weight[j]) * rho[j];
    return sum;
}

/* --- errors ----------------------------------------------------------------------------------- */

double gdyn_balance_entry_error(const gdyn_reactions *r, const gdyn_state *state) {
    const struct gdyn_reactions_work *w = r->work;
    /* Rotations, points and rows take some ten roundings, sums over a body's rows up to n. */
    double rounding = (r->n + 16) * DBL_EPSILON, misplaced = 0;
    gdyn_mech_constraints(state, w->part);
    for (int i = 0; i < r->model->m; i++)
        misplaced = fmax(misplaced, fabs(w->part[i] * w->factor[i]));
    /* a closed pose is off by what its residuals make of it */
    double sigma = r->rank_c.above > 0 ? r->rank_c.above : 1;
    return rounding + misplaced / (sigma * gdyn_model_length(r->model));
}

/* Sum over the first `count` rows of their greatest entry on the body times |x_i|. */
static double passing(const gdyn_reactions *r, int count, int body, const double *x) {
    const struct gdyn_reactions_work *w = r->work;
    int per = r->model->per_body;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double most = 0;
        for (int j = body * per; j < (body + 1) * per; j++)
            most = fmax(most, fabs(w->S[i + j * w->all]));
        sum += most * fabs(x[i]);
    }
    return sum;
}

/* Rounding of each row of the balance: what passes through the body, and what loads it. */
void gdyn_balance_row_error(const gdyn_reactions *r, int count, const double *x, const double *size,
                            double delta, double *rho) {
    int per = r->model->per_body;
    for (int body = 0; body * per < r->n; body++) {
        double load = 0;
        for (int j = body * per; j < (body + 1) * per; j++)
            load = fmax(load, size[j]);
        for (int j = body * per; j < (body + 1) * per; j++)
            rho[j] = delta * (passing(r, count, body, x) + load);
    }
}
