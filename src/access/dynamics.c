/* dynamics.c - coefficients of the drives at one pose of a path.
 *
 * With u = u_p d1 and u' = u_p d2 + u_pp d1^2 the equations of motion are
 *     [C^T T] [lambda; n] = a d1^2 + b d1 + c + d d2,
 *     a = M u_pp + h(u_p),  b = -g1,  c = -g0,  d = M u_p
 * (Horacek, Sika, Valasek 2013, Eqs. (1)-(4)). All rows are scaled to forces (torques over L), the
 * columns of T to unit length, multipliers likewise, so that neither mm nor Nm change a decision.
 *
 * Reference reduction: SVD of [C^T T]; the minimum-norm solutions of the four right-hand sides give
 * A, B, C, D; its null space mixes multiplier-only directions (redundant constraints) with drive
 * redundancy, so V is the column space of the null space's drive rows; what lies outside the range
 * is an equality in (d1, d2). Second reduction: with N = null(C), H = N^T T: H n = N^T rhs, V =
 * null(H). */
#include "access/dynamics.h"

#include "linalg/dot.h"
#include "model/data.h"

#include <math.h>
#include <string.h>

/* Singular values of parts of orthonormal matrices are cut against one, their natural size. */
static const double zero_part = 1e-9;
/* Pivots of the drives' map, in which columns have unit length, below which its singular values
 * decide. */
static const double clear_control = 1e-3;
/* Closing leaves 1e-13 of the forces behind; factors in front of that are within a hundred. */
static const double rounding = 1e-11;
/* Entries of orthonormal columns, and of solutions made of them, below which they are rounding
 * regardless of the system. */
static const double last_place = 1e-14;

/* Repeats the drives' coefficients for the further rows of their forces. */
static void finish(gdyn_evaluator *e, gdyn_pose_storage *s, int r) {
    gdyn_coefficients *c = &s->pose.coefficients;
    c->r = r;
    for (int i = e->efforts; i < c->k; i++) {
        int drive = s->row_effort[i]; /* -1: of no force, with coefficients of its own */
        for (int x = 0; drive >= 0 && x < RHS; x++)
            s->of[x][i] = s->of[x][drive], s->error[x][i] = s->error[x][drive];
        for (int j = 0; j < r; j++)
            s->V[i + c->k * j] = drive < 0 ? 0 : s->V[drive + c->k * j];
    }
}

/* The row norms of the pseudo-inverse V S^-1 U^T that belong to the drives, whose columns begin at
 * `first`: |n_i| <= gain_i |rhs|. */
static void measure_gain(gdyn_evaluator *e, const gdyn_svd *svd, int first) {
    /* |row i of V S^-1|: U^T has orthonormal rows and keeps the norm */
    for (int i = 0; i < e->columns; i++) {
        double square = 0.0;
        for (int m = 0; m < svd->rank.rank; m++) {
            double entry = svd->Vt[m + (size_t)svd->n * (size_t)(first + i)] / svd->s[m];
            square += entry * entry;
        }
        e->gain[i] = sqrt(square);
    }
}

/* A, B, C, D of the drives from the scaled solution X of M X = rhs (ld rows, the last ones of the
 * drives) and what rounding may have left in them: with errors of M and rhs, dX = M^+ (drhs - dM
 * X), so that
 *     |dn_i| <= gain_i rounding (|rhs| + |X|),
 * and as X is made of orthonormal columns, in which zeros are a few units in the last place, |dn_i|
 * is of that share of |X|. What is under that (a centripetal force that the joints carry alone) is
 * zero: as a coefficient of d1^2 it would become a limit of d1 that does not exist. */
static void take_solution(gdyn_evaluator *e, gdyn_pose_storage *s, const double *solution,
                          const double *gain, int ld) {
    int first = ld - e->columns;
    size_t held = (size_t)(e->efforts - e->k) * sizeof(double);
    for (int x = 0; x < RHS; x++) {
        const double *X = solution + (size_t)ld * x;
        /* error bound of the scaled forces per unit of gain */
        double size = gdyn_norm(ld, X), noise = rounding * (e->whole[x] + size);
        /* friction that does not hold carries nothing */
        memset(s->of[x] + e->k, 0, held), memset(s->error[x] + e->k, 0, held);
        /* from scaled columns to forces; under its error a coefficient is zero */
        for (int i = 0; i < e->columns; i++) {
            double force = X[first + i], error = noise * gain[i] + last_place * size;
            s->of[x][e->effort[i]] = fabs(force) > error ? e->drive_scale[i] * force : 0.0;
            s->error[x][e->effort[i]] = e->drive_scale[i] * error;
        }
    }
}

/* V from orthonormal scaled columns U (k x r, ld). With errors dM of the system, of which U is part
 * of the null space, dU = M^+ dM U: |dU_i| <= gain_i rounding; U itself is orthonormal to a few
 * units in the last place. What is under that is zero, else a drive without influence would seem to
 * share internal forces in the ratio of two roundings. */
static void take_null(gdyn_evaluator *e, gdyn_pose_storage *s, const double *U, const double *gain,
                      int ld, int r) {
    int rows = s->pose.coefficients.k;
    for (int j = 0; j < r; j++) {
        /* friction that does not hold shares no internal force */
        memset(s->V + rows * j + e->k, 0, (size_t)(e->efforts - e->k) * sizeof *s->V);
        for (int i = 0; i < e->columns; i++) {
            double share = U[i + (size_t)ld * j];
            bool counts = fabs(share) > fmax(rounding * fmin(gain[i], 1), last_place);
            s->V[e->effort[i] + rows * j] = counts ? e->drive_scale[i] * share : 0.0;
        }
    }
}

/* |w^T N^T rhs| / |rhs|, the largest of the four; where loads of bodies differ by orders of
 * magnitude, beside those that move along N w alone. */
double gdyn_evaluator_share(const gdyn_evaluator *e, const double *N, int f, const double *w) {
    int per = e->model->per_body;
    double most = 0.0;
    for (int x = 0; x < RHS; x++) {
        const double *rhs = e->rhs + (size_t)e->n * x;
        double part = 0.0, own = 0.0;
        for (int body = 0; body < e->n; body += per) {
            /* projected on the direction N w */
            double power = 0.0, speed = 0.0, load = 0.0;
            for (int i = body; i < body + per; i++) {
                double u = 0.0;
                for (int j = 0; j < f; j++)
                    u += w[j] * N[i + (size_t)e->n * j];
                power += u * rhs[i], speed += u * u, load += rhs[i] * rhs[i];
            }
            bool moves = !e->uneven || speed > rounding * rounding;
            part += moves ? power : 0.0;
            own += moves ? sqrt(speed * load) : 0.0;
        }
        double whole = e->uneven ? own : e->whole[x];
        most = whole > 0.0 ? fmax(most, fabs(part) / whole) : most;
    }
    return most;
}

/* Scaled force that counts as a full limit: the largest finite half range, else the load. */
static double full_limit(const gdyn_evaluator *e) {
    double most = 0.0;
    /* half the range, or the only finite side */
    for (int i = 0; i < e->k; i++) {
        const gdyn_drive_def *def = gdyn_model_drive(e->model, i);
        double range = isfinite(def->max - def->min) ? 0.5 * (def->max - def->min)
                       : isfinite(def->max)          ? fabs(def->max)
                       : isfinite(def->min)          ? fabs(def->min)
                                                     : 0.0;
        most = fmax(most, range / e->drive_scale[i]);
    }
    /* without any limit: the largest load */
    for (int x = 0; most == 0.0 && x < RHS; x++)
        most = e->size[x];
    return most > 0.0 ? most : 1.0;
}

/* What no drive controls: E = basis^T rhs (q x RHS) becomes up to four equalities. Columns are
 * compared with the whole right-hand side they are part of. */
static gdyn_status take_equalities(gdyn_evaluator *e, gdyn_pose_storage *s, double *E, int q) {
    double limit = full_limit(e);
    gdyn_pose *pose = &s->pose;
    pose->uncontrolled = 0.0;
    pose->coefficients.equalities = 0;
    /* error bounds of the equalities' coefficients */
    pose->coefficients.eq_a_error = rounding * e->whole[RHS_A] / limit;
    pose->coefficients.eq_b_error = rounding * e->whole[RHS_B] / limit;
    pose->coefficients.eq_d_error = rounding * e->whole[RHS_D] / limit;
    /* in units of each right-hand side; rounding is removed before the rank is decided */
    for (int x = 0; x < RHS; x++) {
        double *column = E + (size_t)q * x, part = gdyn_norm(q, column);
        double whole = e->whole[x];
        bool counts = e->size[x] > 0.0 && part > zero_part * whole;
        pose->uncontrolled =
            counts ? fmax(pose->uncontrolled, part / e->size[x]) : pose->uncontrolled;
        for (int i = 0; i < q; i++)
            column[i] = counts ? column[i] / e->size[x] : 0.0;
    }
    /* drives control the motion entirely */
    if (q == 0 || pose->uncontrolled == 0.0)
        return GDYN_OK;
    /* independent equalities: right singular vectors, weighted by their singular values */
    gdyn_status status = gdyn_svd_factor(e->small, q, RHS, E, q, zero_part);
    if (status)
        return status;
    for (int i = 0; i < q && i < RHS && e->small->s[i] > zero_part; i++) {
        for (int x = 0; x < RHS; x++)
            s->eq[x][i] = e->small->s[i] * e->small->Vt[i + RHS * x] * e->size[x] / limit;
        pose->coefficients.equalities++;
    }
    return GDYN_OK;
}

/* --- the two reductions ---------------------------------------------------------------------- */

/* How many internal forces there are: singular values of the drive rows of the null space, against
 * one. */
static int decide_internal(const gdyn_svd *svd, int most, gdyn_rank *decision) {
    int r = 0;
    while (r < most && svd->s[r] > zero_part)
        r++;
    /* the decision, with the gap that questions it */
    *decision = (gdyn_rank){.rank = r, .tolerance = zero_part};
    decision->greatest = most ? svd->s[0] : 0.0;
    decision->above = r ? svd->s[r - 1] : 0.0;
    decision->below = r < most ? svd->s[r] : 0.0;
    decision->gap =
        decision->below > 0.0 ? (r ? decision->above : 1.0) / decision->below : INFINITY;
    return r;
}

/* Reference: SVD of the whole system [C_s^T T_s]. */
static gdyn_status reduce_svd(gdyn_evaluator *e, const gdyn_state *state,
                              const gdyn_path_rates *rates, gdyn_pose_storage *s) {
    int n = e->n, k = e->columns, all = e->rows + k;
    /* the system in scaled columns */
    gdyn_free_motions_constraints(e->motions, state);
    gdyn_equations_place_drives(e);
    gdyn_status status = gdyn_svd_factor(e->svd, n, all, e->system, n, 0.0);
    if (status)
        return status;
    /* minimum-norm solutions; the drives stand behind the multipliers */
    gdyn_pose *pose = &s->pose;
    pose->rank_ct = e->svd->rank;
    gdyn_svd_solve(e->svd, RHS, e->rhs, n, e->solution, all);
    measure_gain(e, e->svd, e->rows);
    take_solution(e, s, e->solution, e->gain, all);
    /* null space of the system; its drive rows span V */
    int q = gdyn_svd_null(e->svd, e->null, all);
    for (int j = 0; j < q; j++)
        memcpy(e->part + (size_t)k * j, e->null + (size_t)all * j + e->rows,
               (size_t)k * sizeof(double));
    status = gdyn_svd_factor(e->small, k, q, e->part, k, zero_part);
    if (status)
        return status;
    int r = decide_internal(e->small, k < q ? k : q, &pose->rank_v);
    /* V, then further rows */
    take_null(e, s, e->small->U, e->gain, k, r);
    status = e->uneven ? gdyn_graded_svd(e, s, state, rates) : GDYN_OK;
    if (status)
        return status;
    finish(e, s, r);
    /* what lies outside range([C^T T]) is an equality */
    int left = n - e->svd->rank.rank;
    if (left > 0 && e->uneven)
        status =
            gdyn_graded_equalities(e, left, e->svd->U + (size_t)n * e->svd->rank.rank, e->residual);
    else if (left > 0)
        gdyn_gemm(1, 0, left, RHS, n, 1.0, e->svd->U + (size_t)n * e->svd->rank.rank, n, e->rhs, n,
                  0.0, e->residual, left);
    return status ? status : take_equalities(e, s, e->residual, left);
}

bool gdyn_evaluator_solve(gdyn_evaluator *e, int f, const double *const H[GDYN_POSES_AT_ONCE],
                          const double *const rhs[GDYN_POSES_AT_ONCE],
                          gdyn_lane_solution *const out[GDYN_POSES_AT_ONCE]) {
    double *x[GDYN_POSES_AT_ONCE], *gain[GDYN_POSES_AT_ONCE], *V[GDYN_POSES_AT_ONCE];
    for (int l = 0; l < GDYN_POSES_AT_ONCE; l++) {
        x[l] = out[l]->x;
        gain[l] = out[l]->gain;
        V[l] = out[l]->V;
    }
    /* clear full rank: a small QR is enough */
    const gdyn_wide_kernel *lanes = gdyn_wide_kernel_here();
    if (!lanes->factor(e->wide, f, e->columns, H, clear_control))
        return false;
    /* minimum-norm solution for each power of d1, its errors, internal forces */
    lanes->solve(e->wide, RHS, rhs, x);
    lanes->gain(e->wide, gain);
    lanes->null(e->wide, V);
    return true;
}

gdyn_status gdyn_evaluator_take_solution(gdyn_evaluator *e, const gdyn_lane_solution *from, int f,
                                         gdyn_pose *pose) {
    gdyn_pose_storage *s = (gdyn_pose_storage *)pose;
    int k = e->columns, r = k - f;
    /* full row rank: redundancy is k - f */
    pose->rank_v = (gdyn_rank){.rank = r, .gap = INFINITY};
    pose->cut = 0;
    take_solution(e, s, from->x, from->gain, k);
    take_null(e, s, from->V, from->gain, k, r);
    finish(e, s, r);
    /* nothing is left over */
    return take_equalities(e, s, e->residual, 0);
}

/* Forces again, body by body, where loads of bodies differ by orders of magnitude. */
static gdyn_status take_graded(gdyn_evaluator *e, const gdyn_state *state,
                               const gdyn_path_rates *rates, gdyn_pose_storage *s, int f,
                               int rank) {
    gdyn_status status = gdyn_graded_null(e, s, state, rates, f, rank);
    finish(e, s, s->pose.coefficients.r);
    return status;
}

/* Second algorithm: equations of motion projected on the free motions, H n = N^T rhs. */
static gdyn_status reduce_null(gdyn_evaluator *e, const gdyn_state *state,
                               const gdyn_path_rates *rates, gdyn_pose_storage *s, int f) {
    int n = e->n, k = e->columns;
    /* reduced right-hand side and map */
    gdyn_gemm(1, 0, f, RHS, n, 1.0, e->null, n, e->rhs, n, 0.0, e->reduced_rhs, f);
    gdyn_evaluator_map_columns(e, e->null, f, k);
    gdyn_lane_solution *own = &e->lane[0].solution;
    const double *H = e->reduced, *rhs = e->reduced_rhs;
    gdyn_status status;
    if (gdyn_evaluator_solve(e, f, (const double *const[]){H, H, H, H},
                             (const double *const[]){rhs, rhs, rhs, rhs},
                             (gdyn_lane_solution *const[]){own, own, own, own})) {
        status = gdyn_evaluator_take_solution(e, own, f, &s->pose);
        return status || !e->uneven ? status : take_graded(e, state, rates, s, f, f);
    }
    /* else the SVD of H decides the rank */
    status = gdyn_evaluator_map_drives(e, e->null, f, k);
    if (status)
        return status;
    const gdyn_svd *svd = e->small;
    int rank = svd->rank.rank, left = f - rank;
    s->pose.rank_v = svd->rank;
    s->pose.rank_v.rank = k - rank;
    /* minimum-norm solution, and its errors */
    gdyn_svd_solve(svd, RHS, e->reduced_rhs, f, e->solution, k);
    measure_gain(e, svd, 0);
    take_solution(e, s, e->solution, e->gain, k);
    /* null(H) is V */
    int r = gdyn_svd_null(svd, e->part, k);
    take_null(e, s, e->part, e->gain, k, r);
    finish(e, s, r);
    /* what no column of H reaches is an equality */
    if (e->uneven) {
        double *Z = e->map;
        gdyn_gemm(0, 0, n, left, f, 1.0, e->null, n, svd->U + (size_t)f * rank, f, 0.0, Z, n);
        status = take_graded(e, state, rates, s, f, rank);
        if (!status && left > 0)
            status = gdyn_graded_equalities(e, left, Z, e->residual);
        if (status)
            return status;
    } else if (left > 0)
        gdyn_gemm(1, 0, left, RHS, f, 1.0, svd->U + (size_t)f * rank, f, e->reduced_rhs, f, 0.0,
                  e->residual, left);
    return take_equalities(e, s, e->residual, left);
}

/* --- by joint coordinates -------------------------------------------------------------------- */

/* Coefficients of machines whose drives determine the motion: as many as freedoms, and
 * independent.
 *
 * With K = [C_c J; T^T J] the closing conditions and the drives' speeds as rows on the joint rates
 * q' (tree/tree.h), the equations of motion in joint coordinates are K^T [lambda; n] = J^T rhs:
 * inverse dynamics of the tree, and one sparse elimination of K that serves all four right-hand
 * sides. The cost grows with the bodies, whereas null(C) of a chain with N drives is a dense
 * matrix.
 *
 * Errors: each component of J^T rhs is a sum whose parts are bounded by a second recursion, |J|^T
 * |rhs|; rounding of that size runs through the same elimination with absolute values. */

/* Fewer drives: the null space is small, and its basis known from elsewhere. */
enum { FEW = 8 };

bool gdyn_evaluator_wants_joints(const gdyn_evaluator *e) {
    return e->k > FEW && e->efforts == e->k;
}

/* Conditions and drives at the pose, eliminated; false: the drives are not as many as freedoms, or
 * not clearly independent. found: of the conditions alone. */
static bool find_driven(gdyn_evaluator *e, const gdyn_state *state, gdyn_tree_rank *found) {
    gdyn_tree_rank rank;
    /* freedoms of the machine, then what the drives leave of them: nothing */
    gdyn_tree_pose_set(e->joints, state);
    if (gdyn_tree_eliminate(e->joints, 0, NULL, found) != GDYN_OK || !found->clear ||
        found->freedom != e->k)
        return false;
    gdyn_tree_pose_set(e->driven, state);
    for (int i = 0; i < e->k; i++)
        e->drive_row[i] = &e->model->drive_row[i];
    return gdyn_tree_eliminate(e->driven, e->k, e->drive_row, &rank) == GDYN_OK && rank.clear &&
           rank.freedom == 0 && rank.least >= clear_control;
}

/* Drive forces (k) for right-hand side x, and what rounding may have left in them (k). */
static void driven_forces(gdyn_evaluator *e, int x, double *force, double *error) {
    const double *rhs = e->rhs + (size_t)e->n * (size_t)x;
    int closing = gdyn_tree_closing(gdyn_model_tree(e->model));
    double *tau = e->reduced_rhs, *lambda = e->solution;
    /* forces */
    for (int j = 0; j < e->n; j++)
        e->residual[j] = rhs[j] / e->column_scale[j];
    gdyn_tree_forces(e->driven, e->residual, tau);
    gdyn_tree_solve_transposed(e->driven, tau, lambda);
    for (int i = 0; i < e->k; i++)
        force[i] = e->model->drive_sign[i] * lambda[closing + i];
    /* bounds of what rounding left in them, by the sizes of the parts of the right-hand side: of
     * d1^2 with those of the path's own pace, since u_pp may be zero but for rounding; smaller
     * forces are zero */
    const double *d = e->rhs + (size_t)e->n * RHS_D, pace = x == RHS_A ? e->pace : 0;
    for (int j = 0; j < e->n; j++)
        e->residual[j] = (fabs(rhs[j]) + pace * fabs(d[j])) / e->column_scale[j];
    gdyn_tree_force_sizes(e->driven, e->residual, tau);
    gdyn_tree_bound_transposed(e->driven, tau, lambda);
    for (int i = 0; i < e->k; i++) {
        error[i] = rounding * lambda[closing + i];
        force[i] = fabs(force[i]) > error[i] ? force[i] : 0;
    }
}

/* By joint coordinates, where the drives determine the motion; *done: they do. */
static gdyn_status reduce_driven(gdyn_evaluator *e, const gdyn_state *state,
                                 const gdyn_path_rates *rates, gdyn_pose_storage *s, bool *done) {
    gdyn_tree_rank found;
    double unused[1];
    *done = find_driven(e, state, &found);
    gdyn_status status = *done ? gdyn_equations_load(e, state, rates, s) : GDYN_OK;
    if (!*done || status)
        return status;
    s->pose.rank_c = gdyn_tree_rank_of(gdyn_model_tree(e->model), &found);
    s->pose.mobility = found.freedom;
    s->pose.rank_v = (gdyn_rank){.gap = INFINITY};
    memset(&s->pose.rank_ct, 0, sizeof s->pose.rank_ct);
    for (int x = 0; x < RHS; x++)
        driven_forces(e, x, s->of[x], s->error[x]);
    finish(e, s, 0);
    s->pose.redundancy = 0;
    return take_equalities(e, s, unused, 0);
}

/* Redundancy of the drives alone, where friction has columns too. Destroys e->small. */
static gdyn_status drive_redundancy(gdyn_evaluator *e, int f, int *redundancy) {
    *redundancy = e->k;
    if (f == 0 || e->k == 0)
        return GDYN_OK;
    gdyn_status status = gdyn_evaluator_map_drives(e, e->null, f, e->k);
    *redundancy = e->k - e->small->rank.rank;
    return status;
}

/* Null space first: the mobility is known even where loads are not finite. */
gdyn_status gdyn_evaluator_pose(gdyn_evaluator *e, const gdyn_state *state,
                                const gdyn_path_rates *rates, gdyn_reduction reduction,
                                gdyn_pose *pose) {
    gdyn_pose_storage *s = (gdyn_pose_storage *)pose;
    int f;
    bool done = false;
    pose->cut = 0;
    gdyn_status status = GDYN_OK;
    pose->before = rates->before;
    if (reduction == GDYN_REDUCE_NULL && gdyn_evaluator_wants_joints(e))
        status = reduce_driven(e, state, rates, s, &done);
    if (status || done)
        return status;
    status = gdyn_evaluator_find_motions(e, state, rates->known);
    if (status)
        return status;
    gdyn_evaluator_take_basis(e, e->null, &f);
    pose->rank_c = e->motions->rank, pose->mobility = f;
    /* columns, right-hand sides and limits */
    status = gdyn_equations_load(e, state, rates, s);
    if (status)
        return status;
    memset(&pose->rank_ct, 0, sizeof pose->rank_ct);
    /* friction has columns of T: redundancy is then that of the drives alone */
    bool held = e->columns > e->k;
    if (held)
        status = drive_redundancy(e, f, &pose->redundancy);
    if (!status)
        status = reduction == GDYN_REDUCE_NULL ? reduce_null(e, state, rates, s, f)
                                               : reduce_svd(e, state, rates, s);
    if (!held)
        pose->redundancy = pose->coefficients.r;
    return status;
}
