/* values.c - values of the reactions and their errors.
 *
 * The balance C^T lambda + T n = b, b = M u' + h - g, in scaled velocities and unit rows reads S^T
 * x = b_s; x is the solution of least norm, and everything else is x + N y. A component is W^T
 * lambda, so the affine family of components is known exactly; where a component is unique its row
 * of directions is zero.
 *
 * To first order the errors of the entries, of the loads and of u' (e) make
 *   |error of component c| <= sum_j |P_cj| rho_j + delta |W_c|^T |lambda|,  rho of values.c + |M| e
 * with P the rows that take b to the components. A value within its bound of zero is zero.
 *
 * Balance is judged by free motions z (S z = 0, a sparse basis, so motions of separate bodies do
 * not mix): z^T b must vanish beside sum_B |z_B| |b_B|. A light body that falls is seen beside a
 * heavy one that rests. */
#include "reactions/internal.h"

#include "model/data.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- the family ------------------------------------------------------------------------------- */

/* What a vector x (all) of unit-row multipliers and drive forces means. */
static void unpack(const gdyn_reactions *r, const double *x, double *value, double *lambda,
                   double *drive) {
    /* unit rows and columns are taken back */
    const struct gdyn_reactions_work *w = r->work;
    for (int i = 0; i < r->rows; i++)
        lambda[i] = w->factor[i] * x[i];
    for (int d = 0; d < r->efforts; d++)
        drive[d] = w->factor[r->rows + d] * x[r->rows + d];
    /* components are weighted sums of multipliers */
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
    const gdyn_basis *basis = r->efforts > 0 ? &w->with_drives : &w->held;
    r->directions = basis->dim;
    for (int d = 0; d < r->directions; d++) {
        double *value = r->component_direction + d * r->components;
        unpack(r, basis->N + d * basis->ld, value, r->lambda_direction + d * r->rows,
               r->drive_direction + d * r->efforts);
        for (int c = 0; c < r->components; c++)
            if (gdyn_reactions_component(r, c)->verdict == GDYN_UNIQUE)
                value[c] = 0;
    }
}

/* --- how far values are from right ------------------------------------------------------------ */

/* What is within its error of zero is zero. */
static void settle(double *value, double *error, double bound) {
    *error = bound;
    if (fabs(*value) <= bound)
        *value = 0;
}

/* Error bounds of all values, and zero for what lies within. */
static void fill_errors(gdyn_reactions *r, const double *x, const double *rho, double delta) {
    struct gdyn_reactions_work *w = r->work;
    double *g = w->few;
    /* components: errors of the balance, and the rounding of their own sum */
    for (int c = 0; c < r->components; c++) {
        const double *weight = w->W + (size_t)c * (size_t)r->rows;
        double own = 0;
        memset(g, 0, (size_t)w->all * sizeof *g);
        for (int i = 0; i < r->rows; i++) {
            g[i] = weight[i] * w->factor[i];
            own += fabs(g[i] * x[i]);
        }
        settle(&r->value[c], &r->value_error[c], gdyn_balance_spread(r, g, rho) + delta * own);
    }
    /* multipliers and drive forces */
    for (int i = 0; i < w->all; i++) {
        bool drive = i >= r->rows;
        double unused;
        memset(g, 0, (size_t)w->all * sizeof *g);
        g[i] = w->factor[i];
        double bound = delta * fabs(g[i] * x[i]) + gdyn_balance_spread(r, g, rho);
        settle(drive ? &r->drive[i - r->rows] : &r->lambda[i],
               drive ? &r->drive_error[i - r->rows] : &unused, bound);
    }
}

/* --- balance ---------------------------------------------------------------------------------- */

/* Length of the part of a vector that belongs to the body. */
static double length_on(const double *v, int body, int per) {
    double sum = 0;
    for (int j = body * per; j < (body + 1) * per; j++)
        sum += v[j] * v[j];
    return sqrt(sum);
}

/* Largest share of the loads' power that a free motion finds unbalanced and rounding does not
 * explain; b: loads (n), rho: their errors. */
static double unbalanced(gdyn_reactions *r, const double *b, const double *rho) {
    struct gdyn_reactions_work *w = r->work;
    int per = r->model->per_body, n = r->n;
    /* free motions as a sparse basis, so that a light body is not hidden by a heavy one */
    memcpy(w->matrix, w->S, (size_t)(w->all * n) * sizeof *w->matrix);
    int free = gdyn_lu_null(w->all, n, w->matrix, w->all, w->mark, w->mark + w->all, w->product);
    double worst = 0;
    /* power of the loads in each, beside what the bodies carry */
    for (int f = 0; f < free; f++) {
        const double *z = w->product + f * n;
        double power = 0, size = 0, error = 0;
        for (int j = 0; j < n; j++) {
            power += z[j] * b[j];
            error += fabs(z[j]) * rho[j];
        }
        for (int body = 0; body * per < n; body++)
            size += length_on(z, body, per) * length_on(b, body, per);
        if (fabs(power) > error && size > 0)
            worst = fmax(worst, fabs(power) / size);
    }
    return worst;
}

/* What rounding does to accelerations that are given: they solve equations with C, whose largest
 * terms are u' and gamma ~ |u|^2 / L anywhere in the machine, so that what stands still moves by
 * their rounding. */
static double given_motion_error(const gdyn_reactions *r, const double *u, const double *udot,
                                 double delta) {
    const struct gdyn_reactions_work *w = r->work;
    double fastest = 0, greatest = 0;
    /* speed and acceleration of the fastest coordinate */
    for (int j = 0; j < r->n; j++) {
        fastest = fmax(fastest, u ? fabs(u[j]) / w->column_scale[j] : 0);
        greatest = fmax(greatest, udot ? fabs(udot[j]) / w->column_scale[j] : 0);
    }
    /* over the smallest singular value of C */
    double sigma = r->rank_c.above > 0 ? fmin(r->rank_c.above, 1) : 1;
    return delta / sigma * (greatest + fastest * fastest / gdyn_model_length(r->model));
}

/* Static friction that holds less than the pose asks for; -1: none. */
int gdyn_reactions_slipping(const gdyn_reactions *r) {
    for (int i = r->drives; i < r->efforts; i++) {
        double limit = gdyn_model_stiction_limit(r->model, r->effort[i] - r->drives);
        if (r->drive_block[i] < 0 && fabs(r->drive[i]) > limit + r->drive_error[i])
            return i;
    }
    return -1;
}

/* Values by least norm, their directions, their errors, and what no reaction balances. */
gdyn_status gdyn_reactions_values(gdyn_reactions *r, const gdyn_state *state,
                                  const gdyn_path_rates *motion, const double *u,
                                  const double *udot) {
    struct gdyn_reactions_work *w = r->work;
    int n = r->n;
    double *rest = w->load, *b = rest + n, *size = b + n, *rho = size + n, *x = rho + n;
    memset(rest, 0, (size_t)n * sizeof *rest);
    /* S^T x = M u' - loads, with the size of all terms */
    gdyn_balance_loads(r, state, motion, u ? u : rest, b, size);
    gdyn_mech_mass_apply(state, udot ? udot : rest, w->part);
    for (int j = 0; j < n; j++) {
        b[j] = w->part[j] * w->column_scale[j] - b[j];
        size[j] += fabs(w->part[j]) * w->column_scale[j];
    }
    /* of the rank that the tests decided */
    if (gdyn_balance_factor(r, w->all, r->rank_ct.rank, size) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    gdyn_balance_solve(r, b, x);
    unpack(r, x, r->value, r->lambda, r->drive);
    /* loads near 1e308 overflow on the way, and their differences are no numbers then */
    if (!gdyn_all_finite(n, 1, b, n) || !gdyn_all_finite(r->components, 1, r->value, r->components))
        return GDYN_ERROR_NUMERIC;
    fill_directions(r);
    /* errors: rounding of the entries, of the balance, of given motions */
    double delta = gdyn_balance_entry_error(r, state);
    gdyn_balance_row_error(r, w->all, x, size, delta, rho);
    /* Adds |M| e for errors of the accelerations: e (n, scaled) where the machine was released, and
     * `given`. */
    double given = given_motion_error(r, u, udot, delta);
    double *M = w->product;
    gdyn_mech_mass(state, M);
    for (int j = 0; j < r->n; j++)
        for (int i = 0; i < r->n; i++)
            rho[i] += fabs(M[i + j * r->n]) * w->column_scale[i] * w->column_scale[j] *
                      (r->motion_error[j] + given);
    fill_errors(r, x, rho, delta);
    r->misfit = unbalanced(r, b, rho);
    return GDYN_OK;
}

/* --- the balance body by body ---------------------------------------------------------------- */

/* The equations S^T x = b, solved body by body.
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
 * s_iB: largest entry of row i on B; beta_B: loads on B without their cancellation; delta:
 * relative error of the entries, from rounding and from the residual of the closed pose. */

/* Loads below this share of the largest choose equations as this share does: its root times
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

/* QR of S with weighted columns; the rank is known from elsewhere. */
gdyn_status gdyn_balance_factor(gdyn_reactions *r, int count, int rank, const double *size) {
    struct gdyn_reactions_work *w = r->work;
    /* bodies with small loads count as much as the others */
    double *weight = r->work->weight, greatest = 0;
    int per = r->model->per_body;
    for (int j = 0; j < r->n; j++)
        greatest = fmax(greatest, size[j]);
    /* the largest load on each body, but no less than a share of the largest of all */
    for (int body = 0; body * per < r->n; body++) {
        double load = 0;
        for (int j = body * per; j < (body + 1) * per; j++)
            load = fmax(load, size[j]);
        load = greatest > 0 ? fmax(load / greatest, LEAST_LOAD) : 1;
        for (int j = body * per; j < (body + 1) * per; j++)
            weight[j] = 1 / sqrt(load);
    }
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

/* Sum over the first `count` rows of their largest entry on the body times |x_i|. */
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
