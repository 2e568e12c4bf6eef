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

#include "base/memory.h"
#include "linalg/dot.h"
#include "model/data.h"
#include "model/kinds.h"

#include <math.h>
#include <string.h>

/* Singular values of parts of orthonormal matrices are cut against one, their natural size. */
static const double zero_part = 1e-9;
/* Pivots of the drives' map, in which columns have unit length, below which its singular values decide. */
static const double clear_control = 1e-3;
/* Closing leaves 1e-13 of the forces behind; factors in front of that are within a hundred. */
static const double rounding = 1e-11;
/* Entries of orthonormal columns, and of solutions made of them, below which they are rounding whatever the system. */
static const double last_place = 1e-14;

static int greater(int a, int b) {
    return a > b ? a : b;
}

int gdyn_pose_efforts(const gdyn_model *model) {
    return gdyn_model_drives(model) + gdyn_model_stictions(model);
}

/* Every line of a torque-speed curve but the first is a further row. */
int gdyn_pose_capacity(const gdyn_model *model) {
    int count = gdyn_pose_efforts(model);
    for (int i = 0; i < gdyn_model_drives(model); i++)
        count += greater(gdyn_model_drive(model, i)->curve_points - 1, 0);
    return count;
}

/* Written before they are read. */
static double *doubles(int rows, int columns) {
    return gdyn_room((size_t)rows * (size_t)columns, sizeof(double));
}

/* Scaling, the columns of T, the full system and its null space by joints. */
static bool allocate_system(gdyn_evaluator *e) {
    int n = e->n, k = e->efforts, all = e->rows + k;
    e->row_scale = doubles(greater(e->rows, 1), 1);
    e->column_scale = doubles(n, 1);
    e->velocity_scale = doubles(n, 1);
    e->effort = gdyn_alloc((size_t)k + 1, sizeof *e->effort);
    e->drive_scale = doubles(greater(k, 1), 1);
    e->system = doubles(n, all);
    e->drive = gdyn_alloc((size_t)e->k + 1, sizeof *e->drive);
    e->jacobian = gdyn_alloc((size_t)e->k + 1, sizeof *e->jacobian);
    e->held = doubles(n, greater(k - e->k, 1));
    e->C = doubles(e->rows, n);
    e->N_known = doubles(n, n);
    e->f_known = -1;
    e->tree = gdyn_tree_create(e->model);
    e->joints = e->tree ? gdyn_tree_pose_create(e->tree, 0) : NULL;
    e->points = e->tree ? gdyn_tree_points_create(e->tree, 0) : NULL;
    e->drive_row = gdyn_alloc((size_t)e->k + 1, sizeof *e->drive_row);
    bool joints = e->tree && gdyn_evaluator_wants_joints(e);
    e->driven = joints ? gdyn_tree_pose_create(e->tree, e->k) : NULL;
    e->known = gdyn_state_create(e->model);
    return e->row_scale && e->column_scale && e->velocity_scale && e->effort && e->drive_scale &&
           e->system && e->drive && e->jacobian && e->held && e->C && e->N_known && e->joints &&
           e->points && e->known && e->drive_row && (e->driven || !joints);
}

/* Right-hand sides, solutions, and what no drive controls. */
static bool allocate_solutions(gdyn_evaluator *e) {
    int n = e->n, k = e->efforts, all = e->rows + k, wide = greater(greater(n, all), RHS);
    e->rhs = doubles(n, RHS);
    e->solution = doubles(wide, RHS);
    e->null = doubles(wide, wide);
    e->part = doubles(k, all);
    e->reduced = doubles(n, greater(k, n));
    e->reduced_rhs = doubles(n, RHS);
    e->residual = doubles(wide, RHS);
    e->gain = doubles(greater(k, 1), 1);
    e->speed = doubles(greater(k, 1), 1);
    return e->rhs && e->solution && e->null && e->part && e->reduced && e->reduced_rhs &&
           e->residual && e->gain && e->speed;
}

/* Criteria of a pose. */
static bool allocate_criteria(gdyn_evaluator *e) {
    int n = e->n, k = e->efforts;
    e->tasks = doubles(n, n);
    e->map = doubles(n, n);
    e->drives = doubles(k, n);
    e->K = doubles(n, n);
    e->M = doubles(n, n);
    e->MN = doubles(n, n);
    e->eigen = doubles(gdyn_eigen_work(n), 1);
    e->few = doubles(n, 8);
    e->table = doubles(2 * k, k + 1);
    return e->tasks && e->map && e->drives && e->K && e->M && e->MN && e->eigen && e->few &&
           e->table;
}

/* All arrays, and decompositions for each shape of matrix, for the largest system of this model. */
static bool allocate(gdyn_evaluator *e) {
    int n = e->n, k = e->efforts, all = e->rows + k, wide = greater(greater(n, all), RHS);
    bool arrays = allocate_system(e) && allocate_solutions(e) && allocate_criteria(e);
    e->svd = gdyn_svd_create(n, greater(all, 1));
    e->small = gdyn_svd_create(greater(n, k), wide);
    e->wide = gdyn_wide_create(n, k);
    e->qr = gdyn_qr_create(n, greater(e->rows, 1));
    e->lp = gdyn_lp_create(greater(2 * gdyn_pose_capacity(e->model), 1), k + 1);
    return arrays && e->svd && e->small && e->wide && e->qr && e->lp;
}

/* NULL: memory. */
gdyn_evaluator *gdyn_evaluator_create(const gdyn_model *model) {
    gdyn_evaluator *e = gdyn_alloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->model = model;
    e->n = gdyn_model_coordinates(model);
    e->rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    e->k = gdyn_model_drives(model);
    e->efforts = gdyn_pose_efforts(model);
    if (!allocate(e)) {
        gdyn_evaluator_destroy(e);
        return NULL;
    }
    /* scales are constants of the model */
    gdyn_mech_scales(model, e->row_scale, e->column_scale);
    for (int j = 0; j < e->n; j++)
        e->velocity_scale[j] = 1 / e->column_scale[j];
    return e;
}

/* Safe on a partly made object. */
void gdyn_evaluator_destroy(gdyn_evaluator *e) {
    if (!e)
        return;
    double *arrays[] = {e->row_scale,   e->column_scale,
                        e->drive_scale, e->system,
                        e->held,        e->C,
                        e->rhs,         e->solution,
                        e->null,        e->part,
                        e->reduced,     e->reduced_rhs,
                        e->residual,    e->speed,
                        e->tasks,       e->map,
                        e->drives,      e->K,
                        e->M,           e->MN,
                        e->eigen,       e->few,
                        e->table,       e->N_known,
                        e->gain,        e->velocity_scale};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        gdyn_free(arrays[i]);
    gdyn_free(e->effort);
    gdyn_free(e->drive);
    gdyn_free(e->jacobian);
    gdyn_wide_destroy(e->wide);
    gdyn_svd_destroy(e->svd);
    gdyn_svd_destroy(e->small);
    gdyn_qr_destroy(e->qr);
    gdyn_tree_pose_destroy(e->joints);
    gdyn_tree_pose_destroy(e->driven);
    gdyn_free(e->drive_row);
    gdyn_tree_points_destroy(e->points);
    gdyn_tree_destroy(e->tree);
    gdyn_state_destroy(e->known);
    gdyn_lp_destroy(e->lp);
    gdyn_free(e);
}

void gdyn_evaluator_look_before(gdyn_evaluator *e, bool before) {
    e->before = before;
}

void gdyn_evaluator_take_legs(gdyn_evaluator *e, const gdyn_track *track, int point) {
    size_t first = (size_t)point * (size_t)track->leg_map_length;
    e->mapped_state = track->leg_map ? track->state[point] : NULL;
    e->leg_map = track->leg_map ? track->leg_map + first : NULL;
}

/* One block for all rows: eleven vectors and the columns of V. */
gdyn_pose *gdyn_pose_create(const gdyn_model *model) {
    size_t rows = (size_t)gdyn_pose_capacity(model), k = (size_t)gdyn_pose_efforts(model);
    size_t numbers = rows * (11 + k) + 1;
    /* the object, its numbers, its drives: one block, of which a study takes hundreds per design */
    gdyn_pose_storage *s = gdyn_alloc(1, sizeof *s + numbers * sizeof(double) + rows * sizeof(int));
    if (!s)
        return NULL;
    double *block = (double *)(s + 1);
    s->capacity = (int)rows;
    s->row_drive = (int *)(block + numbers);
    /* the block is divided in the order of the list */
    double **arrays[] = {&s->A,       &s->B,       &s->C,         &s->D,
                         &s->min,     &s->max,     &s->min_slope, &s->max_slope,
                         &s->A_error, &s->B_error, &s->D_error};
    for (size_t i = 0; i < 11; i++)
        *arrays[i] = block + i * rows;
    s->V = block + 11 * rows;
    s->pose.drives = gdyn_model_drives(model);
    s->pose.efforts = (int)k;
    s->pose.row_drive = s->row_drive;
    return &s->pose;
}

/* NULL is allowed. */
void gdyn_pose_destroy(gdyn_pose *pose) {
    gdyn_free(pose);
}

/* Repeats the drives' coefficients for the further rows and hands out the arrays. */
static void finish(gdyn_evaluator *e, gdyn_pose_storage *s, int r) {
    gdyn_coefficients *c = &s->pose.coefficients;
    /* further rows of a drive carry the same force */
    for (int i = e->efforts; i < c->k; i++) {
        int drive = s->row_drive[i];
        s->A[i] = s->A[drive];
        s->B[i] = s->B[drive];
        s->C[i] = s->C[drive];
        s->D[i] = s->D[drive];
        s->A_error[i] = s->A_error[drive];
        s->B_error[i] = s->B_error[drive];
        s->D_error[i] = s->D_error[drive];
        for (int j = 0; j < r; j++)
            s->V[i + c->k * j] = s->V[drive + c->k * j];
    }
    /* views of the storage */
    c->r = r;
    c->A = s->A;
    c->B = s->B;
    c->C = s->C;
    c->D = s->D;
    c->V = s->V;
    c->A_error = s->A_error;
    c->B_error = s->B_error;
    c->D_error = s->D_error;
    c->min = s->min;
    c->max = s->max;
    c->min_slope = s->min_slope;
    c->max_slope = s->max_slope;
    c->eq_a = s->eq[0];
    c->eq_b = s->eq[1];
    c->eq_c = s->eq[2];
    c->eq_d = s->eq[3];
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

/* A, B, C, D of the drives from the scaled solution X of M X = rhs (ld rows, drives from row `first`) and
 * what rounding may have left in them: with errors of M and rhs, dX = M^+ (drhs - dM X), so that
 *     |dn_i| <= gain_i rounding (|rhs| + |X|),
 * and as X is made of orthonormal columns, in which zeros are a few units in the last place, |dn_i| is of that share of |X|.
 * What is under that (a centripetal force that the joints carry alone) is zero: as a coefficient of d1^2 it
 * would become a limit of d1 that does not exist. */
static void take_solution(gdyn_evaluator *e, gdyn_pose_storage *s, int first, int ld) {
    double *out[RHS] = {s->A, s->B, s->C, s->D};
    double *errors[RHS] = {s->A_error, s->B_error, NULL, s->D_error};
    size_t held = (size_t)(e->efforts - e->k) * sizeof(double);
    for (int x = 0; x < RHS; x++) {
        const double *X = e->solution + (size_t)ld * x;
        /* error bound of the scaled forces per unit of gain */
        double size = gdyn_norm(ld, X), noise = rounding * (e->whole[x] + size);
        /* friction that does not hold carries nothing */
        memset(out[x] + e->k, 0, held);
        if (errors[x])
            memset(errors[x] + e->k, 0, held);
        /* from scaled columns to forces; under its error a coefficient is zero */
        for (int i = 0; i < e->columns; i++) {
            double force = X[first + i], error = noise * e->gain[i] + last_place * size;
            out[x][e->effort[i]] = fabs(force) > error ? e->drive_scale[i] * force : 0.0;
            if (errors[x])
                errors[x][e->effort[i]] = e->drive_scale[i] * error;
        }
    }
}

/* V from orthonormal scaled columns U (k x r, ld). With errors dM of the system, of which U is part of the null
 * space, dU = M^+ dM U: |dU_i| <= gain_i rounding; U itself is orthonormal to a few units in the last place. What
 * is under that is zero, else a drive without influence would seem to share internal forces in the ratio of two
 * roundings. */
static void take_null(gdyn_evaluator *e, gdyn_pose_storage *s, const double *U, int ld, int r) {
    int rows = s->pose.coefficients.k;
    for (int j = 0; j < r; j++) {
        /* friction that does not hold shares no internal force */
        memset(s->V + rows * j + e->k, 0, (size_t)(e->efforts - e->k) * sizeof *s->V);
        for (int i = 0; i < e->columns; i++) {
            double share = U[i + (size_t)ld * j];
            bool counts = fabs(share) > fmax(rounding * fmin(e->gain[i], 1), last_place);
            s->V[e->effort[i] + rows * j] = counts ? e->drive_scale[i] * share : 0.0;
        }
    }
}

/* |w^T N^T rhs| / |rhs|, the greatest of the four. */
double gdyn_evaluator_share(const gdyn_evaluator *e, const double *N, int f, const double *w) {
    double most = 0.0;
    for (int x = 0; x < RHS; x++) {
        const double *rhs = e->rhs + (size_t)e->n * x;
        /* projected on the direction N w */
        double part = 0.0, whole = e->whole[x];
        for (int j = 0; j < f; j++)
            for (int i = 0; i < e->n; i++)
                part += w[j] * N[i + (size_t)e->n * j] * rhs[i];
        most = whole > 0.0 ? fmax(most, fabs(part) / whole) : most;
    }
    return most;
}

/* Scaled force that counts as a full limit: the greatest finite half range, else the load. */
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
    /* without any limit: the greatest load */
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

/* How many internal forces there are: singular values of the drive rows of the null space, against one. */
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
static gdyn_status reduce_svd(gdyn_evaluator *e, const gdyn_state *state, gdyn_pose_storage *s) {
    int n = e->n, k = e->columns, all = e->rows + k;
    /* the system in scaled columns */
    gdyn_equations_constraints(e, state);
    gdyn_equations_place_drives(e);
    gdyn_status status = gdyn_svd_factor(e->svd, n, all, e->system, n, 0.0);
    if (status)
        return status;
    /* minimum-norm solutions; the drives stand behind the multipliers */
    gdyn_pose *pose = &s->pose;
    pose->rank_ct = e->svd->rank;
    gdyn_svd_solve(e->svd, RHS, e->rhs, n, e->solution, all);
    measure_gain(e, e->svd, e->rows);
    take_solution(e, s, e->rows, all);
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
    take_null(e, s, e->small->U, k, r);
    finish(e, s, r);
    /* what lies outside range([C^T T]) is an equality */
    int left = n - e->svd->rank.rank;
    if (left > 0)
        gdyn_gemm(1, 0, left, RHS, n, 1.0, e->svd->U + (size_t)n * e->svd->rank.rank, n, e->rhs, n,
                  0.0, e->residual, left);
    return take_equalities(e, s, e->residual, left);
}

/* With drives that clearly control all f freedoms: nothing is left over. */
static gdyn_status reduce_controlled(gdyn_evaluator *e, gdyn_pose_storage *s, int f) {
    int k = e->columns, r = k - f;
    /* full row rank: redundancy is k - f */
    s->pose.rank_v = (gdyn_rank){.rank = r, .gap = INFINITY};
    for (int i = 0; i < k; i++)
        e->gain[i] = gdyn_wide_gain(e->wide, i);
    /* minimum-norm solution for each power of d1 */
    gdyn_wide_solve(e->wide, RHS, e->reduced_rhs, e->solution);
    take_solution(e, s, 0, k);
    take_null(e, s, gdyn_wide_null(e->wide), k, r);
    finish(e, s, r);
    return take_equalities(e, s, e->residual, 0);
}

/* Second algorithm: equations of motion projected on the free motions, H n = N^T rhs. */
static gdyn_status reduce_null(gdyn_evaluator *e, gdyn_pose_storage *s, int f) {
    int n = e->n, k = e->columns;
    /* reduced right-hand side and map */
    gdyn_gemm(1, 0, f, RHS, n, 1.0, e->null, n, e->rhs, n, 0.0, e->reduced_rhs, f);
    gdyn_evaluator_map_columns(e, e->null, f, k);
    /* clear full rank: a small QR is enough */
    if (gdyn_wide_factor(e->wide, f, k, e->reduced, clear_control))
        return reduce_controlled(e, s, f);
    /* else the SVD of H decides the rank */
    gdyn_status status = gdyn_evaluator_map_drives(e, e->null, f, k);
    if (status)
        return status;
    const gdyn_svd *svd = e->small;
    int rank = svd->rank.rank, left = f - rank;
    s->pose.rank_v = svd->rank;
    s->pose.rank_v.rank = k - rank;
    /* minimum-norm solution, and its errors */
    gdyn_svd_solve(svd, RHS, e->reduced_rhs, f, e->solution, k);
    measure_gain(e, svd, 0);
    take_solution(e, s, 0, k);
    /* null(H) is V */
    int r = gdyn_svd_null(svd, e->part, k);
    take_null(e, s, e->part, k, r);
    finish(e, s, r);
    /* what no column of H reaches is an equality */
    if (left > 0)
        gdyn_gemm(1, 0, left, RHS, f, 1.0, svd->U + (size_t)f * rank, f, e->reduced_rhs, f, 0.0,
                  e->residual, left);
    return take_equalities(e, s, e->residual, left);
}

/* By joint coordinates, where the drives determine the motion; *done: they do. */
static gdyn_status reduce_driven(gdyn_evaluator *e, const gdyn_state *state,
                                 const gdyn_path_rates *rates, gdyn_pose_storage *s, bool *done) {
    gdyn_tree_rank found;
    double unused[1], *out[RHS] = {s->A, s->B, s->C, s->D};
    double *errors[RHS] = {s->A_error, s->B_error, e->gain, s->D_error};
    *done = gdyn_evaluator_driven(e, state, &found);
    gdyn_status status = *done ? gdyn_equations_load(e, state, rates, s) : GDYN_OK;
    if (!*done || status)
        return status;
    s->pose.rank_c = gdyn_tree_rank_of(e->tree, &found);
    s->pose.mobility = found.freedom;
    s->pose.rank_v = (gdyn_rank){.gap = INFINITY};
    memset(&s->pose.rank_ct, 0, sizeof s->pose.rank_ct);
    for (int x = 0; x < RHS; x++)
        gdyn_evaluator_driven_forces(e, x, out[x], errors[x]);
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
gdyn_status gdyn_evaluator_pose(gdyn_evaluator *e, const gdyn_state *state, const double *u_p,
                                const double *u_pp, gdyn_reduction reduction, gdyn_pose *pose) {
    gdyn_pose_storage *s = (gdyn_pose_storage *)pose;
    int f;
    bool done = false;
    gdyn_status status = GDYN_OK;
    gdyn_path_rates rates = {u_p, u_pp, e->before};
    pose->before = e->before;
    if (reduction == GDYN_REDUCE_NULL && gdyn_evaluator_wants_joints(e))
        status = reduce_driven(e, state, &rates, s, &done);
    if (status || done)
        return status;
    status = gdyn_evaluator_null(e, state, e->null, &f, &pose->rank_c);
    e->mapped_state = NULL;
    if (status)
        return status;
    pose->mobility = f;
    /* columns, right-hand sides and limits */
    status = gdyn_equations_load(e, state, &rates, s);
    if (status)
        return status;
    memset(&pose->rank_ct, 0, sizeof pose->rank_ct);
    /* friction has columns of T: redundancy is then that of the drives alone */
    bool held = e->columns > e->k;
    if (held)
        status = drive_redundancy(e, f, &pose->redundancy);
    if (!status)
        status = reduction == GDYN_REDUCE_NULL ? reduce_null(e, s, f) : reduce_svd(e, state, s);
    if (!held)
        pose->redundancy = pose->coefficients.r;
    return status;
}
