/* graded.c - coefficients where loads of bodies differ by orders of magnitude.
 *
 * The least-norm solution of H n = N^T rhs (or [C^T T] [lambda; n] = rhs) leaves rounding of the
 * heaviest body's load in every drive. Here each right-hand side is balanced body by body, as
 * reactions are (reactions/values.c):
 *   motions     N Q with Q orthogonal, by QR of (D N)^T with pivoting, D the loads: those behind
 *               the pivots of heavy bodies leave these bodies at rest, so their equations hold the
 *               loads of light bodies alone. A body that moves by less than a pose is closed to does
 *               not move.
 *   equations   as many as the rank says, light ones first: QR of the weighted equations, smallest
 *               norm, refined by residuals whose rounding is relative to each equation.
 *   errors      rho_j = rounding (sum_B |N_Bj| load_B + sum_i |H_ji n_i|),
 *               |dn_i| <= sum_j |P_ij| rho_j, P: equations to drives.
 * load_B: sum of the sizes of all forces on B, without their cancellation; of d1^2 and d2 with the
 * inertia that B has in the motion of the whole machine, since rates that vanish are known to
 * rounding of the others. */
#include "access/dynamics.h"

#include "linalg/dot.h"
#include "mech/state.h"
#include "model/data.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Loads of bodies within this ratio lose four digits at most. */
static const double EVEN = 1e-4;
/* Closing leaves 1e-13 of the forces behind; factors in front of that are within a hundred. */
static const double ROUNDING = 1e-11;
/* Loads below this share of the largest choose equations as this share does
 * (reactions/values.c). */
static const double LEAST_LOAD = 1e-16;

/* Norm of the body's part of a vector whose entries are `stride` apart. */
static double length_on(const double *x, int body, int per, int stride) {
    double square = 0;
    for (int j = body * per; j < (body + 1) * per; j++)
        square += x[(size_t)stride * (size_t)j] * x[(size_t)stride * (size_t)j];
    return sqrt(square);
}

/* Whether parts of x that belong to bodies are zero or of like size. */
static bool even(const gdyn_evaluator *e, const double *x, const double *scale) {
    double smallest = INFINITY, largest = 0;
    for (int j = 0; j < e->n; j += e->model->per_body) {
        double square = 0;
        for (int i = j; i < j + e->model->per_body; i++)
            square += x[i] * scale[i] * (x[i] * scale[i]);
        smallest = square > 0 ? fmin(smallest, square) : smallest;
        largest = fmax(largest, square);
    }
    return !(smallest < EVEN * EVEN * largest);
}

bool gdyn_graded_forces(const gdyn_evaluator *e, const double *g0, const double *g1) {
    return !even(e, g0, e->column_scale) || (e->viscous && !even(e, g1, e->column_scale));
}

/* --- loads of bodies -------------------------------------------------------------------------- */

/* load (bodies x RHS). */
static void weigh_bodies(gdyn_evaluator *e, const gdyn_state *state, const gdyn_path_rates *rates) {
    int n = e->n, per = e->model->per_body, bodies = n / per;
    double *size0 = e->few, *size1 = size0 + n, *a = size1 + n, *d = a + n;
    double speed = e->pace * gdyn_model_length(e->model);
    gdyn_mech_path_force_sizes(state, rates, size0, size1);
    for (int j = 0; j < n; j++) {
        double inertia = gdyn_mech_inertia(e->model, j) * speed;
        size0[j] *= e->column_scale[j];
        size1[j] *= e->column_scale[j];
        d[j] = fabs(e->rhs[j + n * RHS_D]) + inertia;
        a[j] = fabs(e->rhs[j + n * RHS_A]) + e->pace * d[j];
    }
    for (int body = 0; body < bodies; body++) {
        e->load[body + bodies * RHS_A] = length_on(a, body, per, 1);
        e->load[body + bodies * RHS_B] = length_on(size1, body, per, 1);
        e->load[body + bodies * RHS_C] = length_on(size0, body, per, 1);
        e->load[body + bodies * RHS_D] = length_on(d, body, per, 1);
    }
}

/* Shares of the largest of `count` sizes, no less than LEAST_LOAD. */
static void take_shares(int count, const double *size, double *share) {
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, size[i]);
    for (int i = 0; i < count; i++)
        share[i] = largest > 0 ? fmax(size[i] / largest, LEAST_LOAD) : 1;
}

/* --- motions ---------------------------------------------------------------------------------- */

/* Motions N (n x f) graded by the shares (bodies) of loads: G (f x n). Destroys e->K. */
static gdyn_status grade_motions(gdyn_evaluator *e, int f, const double *N, const double *share,
                                 double *G) {
    return gdyn_qr_grade(e->graded, e->n, f, e->model->per_body, share, ROUNDING, N, G, e->K);
}

/* Force along motion j of the forces x (n), with `size`: the sum of the bodies' shares without
 * their cancellation. */
static double along(const gdyn_evaluator *e, int f, const double *G, int j, const double *x,
                    const double *load, double *size) {
    int per = e->model->per_body;
    double sum = 0;
    *size = 0;
    for (int body = 0; body * per < e->n; body++) {
        double share = length_on(G + j, body, per, f);
        if (share == 0)
            continue;
        for (int i = body * per; i < (body + 1) * per; i++)
            sum += G[j + f * i] * x[i];
        *size += share * (load ? load[body] : length_on(x, body, per, 1));
    }
    return sum;
}

/* --- forces ----------------------------------------------------------------------------------- */

/* Equations S^T X = b with S (count x equations), of that rank, the last rows of S those of the
 * drives; size: loads of each equation. `group` equations in turn belong to one body, and share
 * their rounding. */
typedef struct balance {
    int count, equations, group, rank;
    const double *S, *b, *size;
} balance;

/* Sum over the unknowns of their largest entry in the group of equation j times |X_i|. */
static double passing(const balance *of, int j, const double *X) {
    int first = j / of->group * of->group, count = of->count;
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double most = 0;
        for (int l = first; l < first + of->group; l++)
            most = fmax(most, fabs(of->S[i + count * l]));
        sum += most * fabs(X[i]);
    }
    return sum;
}

/* X (count) of least norm, light equations first, with weight and room `left` and `more`; leaves
 * the factors in e->graded. */
static gdyn_status solve_balance(gdyn_evaluator *e, const balance *of, double *weight, double *left,
                                 double *X, double *more) {
    int count = of->count, equations = of->equations;
    double *weighted = e->system;
    take_shares(equations, of->size, weight);
    for (int j = 0; j < equations; j++) {
        weight[j] = 1 / sqrt(weight[j]);
        for (int i = 0; i < count; i++)
            weighted[i + count * j] = of->S[i + count * j] * weight[j];
    }
    gdyn_status status = gdyn_qr_factor(e->graded, count, equations, weighted, count, DBL_EPSILON);
    if (status)
        return status;
    if (of->rank < e->graded->rank.rank)
        e->graded->rank.rank = of->rank;
    gdyn_qr_solve_refined(e->graded, of->S, count, weight, of->b, X, left, more);
    return GDYN_OK;
}

/* Drive forces of right-hand side x, and what rounding may have left in them. */
static gdyn_status solve(gdyn_evaluator *e, gdyn_pose_storage *s, int x, const balance *of) {
    int count = of->count, equations = of->equations, first = count - e->columns;
    double *weight = e->few, *left = weight + equations, *p = left + equations;
    double *X = e->solution, *more = X + count;
    gdyn_status status = solve_balance(e, of, weight, left, X, more);
    if (status)
        return status;
    /* rounding of each equation, and what it does to the drives */
    for (int j = 0; j < equations; j++)
        left[j] = ROUNDING * (of->size[j] + passing(of, j, X));
    memset(s->of[x] + e->k, 0, (size_t)(e->efforts - e->k) * sizeof(double));
    memset(s->error[x] + e->k, 0, (size_t)(e->efforts - e->k) * sizeof(double));
    for (int i = 0; i < e->columns; i++) {
        double error = 0, force = e->drive_scale[i] * X[first + i];
        memset(more, 0, (size_t)count * sizeof *more);
        more[first + i] = e->drive_scale[i];
        gdyn_qr_basic(e->graded, more, p);
        for (int j = 0; j < equations; j++)
            error += fabs(p[j] * weight[j]) * left[j];
        bool counts = fabs(force) > error;
        s->of[x][e->effort[i]] = counts ? force : 0;
        e->cut[e->effort[i] + e->efforts * x] = counts ? 0 : fabs(force);
        s->error[x][e->effort[i]] = error;
    }
    return GDYN_OK;
}

/* H of graded motions as rows of S (columns x f); what is left of forces that cancel is none. */
static void map_drives(const gdyn_evaluator *e, int f, const double *G, double *S) {
    int per = e->model->per_body;
    for (int i = 0; i < e->columns; i++)
        for (int j = 0; j < f; j++) {
            double sum, size = 0;
            if (i >= e->k) {
                sum = along(e, f, G, j, e->held + e->n * (i - e->k), NULL, &size);
            } else {
                const gdyn_drive_column *column = &e->drive[i];
                sum = 0;
                for (int b = 0; b < column->parts; b++) {
                    int body = column->first[b] / per;
                    for (int l = 0; l < per; l++)
                        sum += G[j + f * (column->first[b] + l)] * column->entry[b][l];
                    size += length_on(G + j, body, per, f) * length_on(column->entry[b], 0, per, 1);
                }
            }
            S[i + e->columns * j] = fabs(sum) > ROUNDING * size ? sum : 0;
        }
}

gdyn_status gdyn_graded_answer(gdyn_evaluator *e, int f, int rank, double *force, double *n) {
    int per = e->model->per_body, k = e->k;
    double *S = e->drives, *tau = e->reduced_rhs, *size = tau + f, *X = e->solution;
    for (int i = 0; i < e->n; i++)
        force[i] *= e->column_scale[i];
    for (int j = 0; j < f; j++) {
        const double *motion = e->null + e->n * j;
        tau[j] = gdyn_dot(e->n, motion, force);
        size[j] = 0;
        for (int body = 0; body * per < e->n; body++)
            size[j] += length_on(motion, body, per, 1) * length_on(force, body, per, 1);
        for (int i = 0; i < k; i++)
            S[i + k * j] = e->reduced[j + f * i];
    }
    gdyn_status status =
        solve_balance(e, &(balance){k, f, 1, rank, S, tau, size}, e->few, e->few + f, X, X + k);
    for (int i = 0; i < k && !status; i++)
        n[i] = e->drive_scale[i] * X[i];
    return status;
}

gdyn_status gdyn_graded_motions(gdyn_evaluator *e, int f, double *N) {
    int n = e->n, per = e->model->per_body;
    double *G = e->MN, *S = e->drives;
    for (int body = 0; body * per < n; body++) {
        e->share[body] = 0;
        for (int i = body * per; i < (body + 1) * per; i++)
            e->share[body] = fmax(e->share[body], gdyn_mech_inertia(e->model, i));
    }
    take_shares(n / per, e->share, e->share);
    gdyn_status status = grade_motions(e, f, N, e->share, G);
    if (status)
        return status;
    map_drives(e, f, G, S);
    for (int j = 0; j < f; j++) {
        for (int i = 0; i < n; i++)
            N[i + n * j] = G[j + f * i];
        for (int i = 0; i < e->columns; i++)
            e->reduced[j + f * i] = S[i + e->columns * j];
    }
    /* no longer the map of the motions that are known */
    e->mapped = -1;
    return GDYN_OK;
}

/* The largest cut beside the range of its effort. d1^2, d1 and d2 are as large as the efforts that
 * they load allow. */
static void note_cut(gdyn_evaluator *e, gdyn_pose_storage *s) {
    for (int x = 0; x < RHS; x++) {
        double size = x == RHS_C ? 1 : INFINITY;
        for (int i = 0; x != RHS_C && i < e->efforts; i++)
            if (s->of[x][i] != 0)
                size = fmin(size, 0.5 * (s->max[i] - s->min[i]) / fabs(s->of[x][i]));
        for (int i = 0; isfinite(size) && i < e->efforts; i++) {
            double half = 0.5 * (s->max[i] - s->min[i]), cut = e->cut[i + e->efforts * x] * size;
            if (half > 0 && cut > s->pose.cut * half) {
                s->pose.cut = cut / half;
                s->pose.cut_effort = i;
            }
        }
    }
}

gdyn_status gdyn_graded_null(gdyn_evaluator *e, gdyn_pose_storage *s, const gdyn_state *state,
                             const gdyn_path_rates *rates, int f, int rank) {
    int n = e->n, bodies = n / e->model->per_body;
    double *G = e->MN, *S = e->drives, *tau = e->reduced_rhs, *size = tau + f;
    weigh_bodies(e, state, rates);
    for (int x = 0; x < RHS; x++) {
        const double *load = e->load + bodies * x;
        take_shares(bodies, load, e->share);
        gdyn_status status = grade_motions(e, f, e->null, e->share, G);
        if (status)
            return status;
        map_drives(e, f, G, S);
        for (int j = 0; j < f; j++)
            tau[j] = along(e, f, G, j, e->rhs + n * x, load, &size[j]);
        status = solve(e, s, x, &(balance){e->columns, f, 1, rank, S, tau, size});
        if (status)
            return status;
    }
    note_cut(e, s);
    return GDYN_OK;
}

gdyn_status gdyn_graded_svd(gdyn_evaluator *e, gdyn_pose_storage *s, const gdyn_state *state,
                            const gdyn_path_rates *rates) {
    int n = e->n, per = e->model->per_body, count = e->rows + e->columns;
    double *S = e->null, *size = e->reduced_rhs;
    weigh_bodies(e, state, rates);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < count; i++)
            S[i + count * j] = e->system[j + n * i];
    for (int x = 0; x < RHS; x++) {
        for (int j = 0; j < n; j++)
            size[j] = e->load[j / per + n / per * x];
        gdyn_status status =
            solve(e, s, x, &(balance){count, n, per, e->svd->rank.rank, S, e->rhs + n * x, size});
        if (status)
            return status;
    }
    note_cut(e, s);
    return GDYN_OK;
}

gdyn_status gdyn_graded_equalities(gdyn_evaluator *e, int q, const double *Z, double *E) {
    int n = e->n, bodies = n / e->model->per_body;
    double *G = e->MN;
    memset(e->share, 0, (size_t)bodies * sizeof *e->share);
    /* heavy in any right-hand side */
    for (int x = 0; x < RHS; x++) {
        take_shares(bodies, e->load + bodies * x, e->few);
        for (int body = 0; body < bodies; body++)
            e->share[body] = fmax(e->share[body], e->few[body]);
    }
    gdyn_status status = grade_motions(e, q, Z, e->share, G);
    for (int j = 0; !status && j < q; j++) {
        double share = 0, size;
        for (int x = 0; x < RHS; x++) {
            E[j + q * x] = along(e, q, G, j, e->rhs + n * x, e->load + bodies * x, &size);
            share = e->whole[x] > 0 ? fmax(share, size / e->whole[x]) : share;
        }
        for (int x = 0; share > 0 && x < RHS; x++)
            E[j + q * x] /= share;
    }
    return status;
}
