/* criteria.c - criteria of one pose that need no region: dexterity, stiffness, frequency, load.
 *
 * N (n x f) spans the free motions, T the drives: q' = T^T N v are drive speeds, E N v the speeds
 * the path prescribes. Dexterity: singular values of E N (T^T N)^+. Stiffness: K = N^T T k T^T N
 * with the drives' stiffnesses k, compliance of the tool P N K^-1 N^T P^T. Frequency: K x = w^2 N^T
 * M N x. Load: least s with |n_j| <= s limit_j at standstill, a linear program; with one redundant drive at most, the
 * greatest of the bounds that its elementary vectors give. */
#include "access/dynamics.h"
#include "access/problem.h"

#include "base/pi.h"
#include "closure/target.h"
#include "mech/row.h"
#include "model/data.h"

#include <math.h>
#include <string.h>

/* Cut of the rank of K: below, a direction has no stiffness. */
static const double STIFFNESS_RANK = 1e-12;
/* Load of an uncontrollable direction, in full limits, that is not rounding. */
static const double UNBALANCED = 1e-9;

/* E N (count x f) of rows with unit scaling (rotations times L). */
static void task_map(gdyn_evaluator *e, const gdyn_state *state, int count,
                     const gdyn_target *targets, const double *N, int f, double *out) {
    double L = gdyn_model_length(e->model);
    memset(out, 0, (size_t)(count * f) * sizeof *out);
    for (int i = 0; i < count; i++) {
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &targets[i].row, &jacobian);
        for (int j = 0; j < f; j++)
            out[i + count * j] = gdyn_row_speed(state, &jacobian, N + (size_t)e->n * j) *
                                 (targets[i].row.length ? 1.0 : L);
    }
}

/* H^T (k x f): drive speeds per free motion, rotary ones times L. Free motions are unscaled. */
static void drive_map(gdyn_evaluator *e, const gdyn_state *state, const double *N, int f,
                      double *out) {
    double L = gdyn_model_length(e->model);
    for (int j = 0; j < f; j++) {
        gdyn_mech_drive_speeds(state, N + (size_t)e->n * j, out + e->k * j);
        for (int i = 0; i < e->k; i++)
            out[i + e->k * j] *= e->model->drive_row[i].length ? 1.0 : L;
    }
}

/* Dexterity from the maps; destroys e->small. */
static gdyn_status dexterity(gdyn_evaluator *e, int count, int f, const double *tasks,
                             const double *drives, double *value) {
    *value = NAN;
    int order = count < f ? count : f;
    if (order == 0 || e->k == 0)
        return GDYN_OK;
    *value = 0.0;
    gdyn_status status = gdyn_svd_factor(e->small, e->k, f, drives, e->k, 0.0);
    if (status || e->small->rank.rank < f)
        return status;
    /* J = tasks * V diag(1/s): left multiplication by U^T leaves singular values alone. */
    double *J = e->map;
    for (int j = 0; j < f; j++)
        for (int i = 0; i < count; i++) {
            double sum = 0.0;
            for (int l = 0; l < f; l++)
                sum += tasks[i + count * l] * e->small->Vt[j + f * l];
            J[i + count * j] = sum / e->small->s[j];
        }
    status = gdyn_svd_factor(e->small, count, f, J, count, 0.0);
    if (!status && e->small->s[0] > 0.0)
        *value = e->small->s[order - 1] / e->small->s[0];
    return status;
}

/* K (f x f) from the drives' speeds per free motion (k x f); false when no drive states a stiffness. */
static bool stiffness_matrix(const gdyn_evaluator *e, const double *drives, int f, double *K) {
    bool stated = false;
    memset(K, 0, (size_t)(f * f) * sizeof *K);
    for (int d = 0; d < e->k; d++) {
        double k = gdyn_model_drive(e->model, d)->stiffness;
        double L = e->model->drive_row[d].length ? 1.0 : gdyn_model_length(e->model);
        stated = stated || k != 0.0;
        for (int j = 0; j < f && k != 0.0; j++)
            for (int i = 0; i < f; i++)
                K[i + f * j] += k * (drives[d + e->k * i] / L) * (drives[d + e->k * j] / L);
    }
    return stated;
}

/* 1 / greatest eigenvalue of the tool's compliance P N K^-1 N^T P^T. */
static gdyn_status tool_stiffness(gdyn_evaluator *e, const gdyn_state *state,
                                  const gdyn_anchor *tool, const double *N, int f, const double *K,
                                  double *value) {
    gdyn_status status = gdyn_svd_factor(e->small, f, f, K, f, STIFFNESS_RANK);
    *value = 0.0;
    if (status || e->small->rank.rank < f)
        return status;
    double B[3 * 3] = {0}, *x = e->few, *y = e->few + 3 * (size_t)e->n;
    int space = gdyn_model_space(e->model) == GDYN_PLANAR ? 2 : 3;
    for (int a = 0; a < space; a++) {
        gdyn_row row = gdyn_row_point(e->model, *tool, a);
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &row, &jacobian);
        for (int j = 0; j < f; j++)
            x[j + f * a] = gdyn_row_speed(state, &jacobian, N + (size_t)e->n * j);
    }
    gdyn_svd_solve(e->small, space, x, f, y, f);
    for (int a = 0; a < space; a++)
        for (int b = 0; b < space; b++)
            for (int j = 0; j < f; j++)
                B[a + space * b] += x[j + f * a] * y[j + f * b];
    status = gdyn_svd_factor(e->small, space, space, B, space, 0.0);
    if (!status)
        *value = e->small->s[0] > 0.0 ? 1.0 / e->small->s[0] : INFINITY;
    return status;
}

static gdyn_status lowest_frequency(gdyn_evaluator *e, const gdyn_state *state, const double *N,
                                    int f, const double *K, double *value) {
    double *Mr = e->M, *Kc = e->map, *w = e->few;
    double *MN = e->MN;
    for (int j = 0; j < f; j++)
        gdyn_mech_mass_apply(state, N + (size_t)e->n * j, MN + (size_t)e->n * j);
    gdyn_gemm(1, 0, f, f, e->n, 1.0, N, e->n, MN, e->n, 0.0, Mr, f);
    memcpy(Kc, K, (size_t)(f * f) * sizeof *Kc);
    *value = NAN;
    gdyn_status status = gdyn_eigen_generalized(f, Kc, Mr, w, e->eigen);
    if (status == GDYN_ERROR_NUMERIC)
        return GDYN_OK; /* massless freedom: no frequency */
    *value = sqrt(fmax(w[0], 0.0)) / (2.0 * GDYN_PI);
    return status;
}

/* --- load --------------------------------------------------------------------------------------- */

/* One side of a row's limits at standstill with the drives at s times their limits: g + v y <= m s. */
typedef struct side {
    double g, v, m;
} side;

/* Side of row j (drives, then friction, which keeps its limits whatever the load of the drives); false when it has
 * no limit. v of unit columns that is zero but for rounding is zero: a program would follow it. */
static bool side_of(const gdyn_evaluator *e, const gdyn_coefficients *c, int j, bool upper,
                    side *out) {
    double sign = upper ? 1.0 : -1.0, limit = sign * (upper ? c->max[j] : c->min[j]);
    double v = c->r > 0 && fabs(c->V[j]) > GDYN_ACCESS_ZERO ? c->V[j] : 0.0;
    bool scales = j < e->k && limit > 0.0;
    *out = (side){sign * c->C[j] - (scales ? 0.0 : limit), sign * v, scales ? limit : 0.0};
    return isfinite(limit);
}

/* Least s that fulfils g <= m s, at least s. A g below `none` is zero. */
static double least_load(double s, double g, double m, double none) {
    if (m > 0.0)
        return fmax(s, g / m);
    return g > none ? INFINITY : s;
}

/* Share of the greatest force that a limit without tolerance forgives. */
static const double FORGIVEN = 1e-9;

static double greatest_force(const gdyn_evaluator *e, const gdyn_coefficients *c) {
    double most = 0.0;
    for (int j = 0; j < e->efforts; j++) {
        double sides[3] = {c->C[j], c->min[j], c->max[j]};
        for (int i = 0; i < 3; i++)
            most = isfinite(sides[i]) ? fmax(most, fabs(sides[i])) : most;
    }
    return most;
}

/* With one column of V at most: every side without y, and every two sides between which y is caught; of these
 * the sum without y, -v_b a + v_a b. */
static double load_by_pairs(const gdyn_evaluator *e, const gdyn_coefficients *c) {
    double s = 0.0, none = FORGIVEN * greatest_force(e, c);
    side a, b;
    for (int i = 0; i < 2 * e->efforts; i++) {
        if (!side_of(e, c, i / 2, i % 2, &a))
            continue;
        if (a.v == 0.0)
            s = least_load(s, a.g, a.m, none);
        for (int j = 0; j < 2 * e->efforts && a.v > 0.0; j++)
            if (side_of(e, c, j / 2, j % 2, &b) && b.v < 0.0)
                s = least_load(s, a.v * b.g - b.v * a.g, a.v * b.m - b.v * a.m, none * (a.v - b.v));
    }
    return s;
}

/* With more columns: a linear program in (s, y). */
static gdyn_status load_by_program(gdyn_evaluator *e, const gdyn_coefficients *c, double *value) {
    int rows = 2 * e->efforts, cols = 1 + c->r;
    double *A = e->table;
    memset(A, 0, (size_t)(rows * cols) * sizeof *A);
    for (int j = 0; j < e->efforts; j++) {
        bool drive = j < e->k; /* friction keeps its limits whatever the load of the drives */
        double max = drive ? c->max[j] : 0.0, min = drive ? c->min[j] : 0.0;
        A[2 * j] = isfinite(max) && max > 0.0 ? -max : 0.0;
        A[2 * j + 1] = isfinite(min) && min < 0.0 ? -min : 0.0;
        for (int l = 0; l < c->r; l++) {
            double v =
                c->V[j + c->k * l]; /* of unit columns: a program would follow rounding, too */
            A[2 * j + rows * (1 + l)] = A[2 * j + 1 + rows * (1 + l)] =
                fabs(v) > GDYN_ACCESS_ZERO ? v : 0.0;
        }
    }
    gdyn_status status = gdyn_lp_load(e->lp, rows, cols, A, rows);
    if (status)
        return status;
    for (int j = e->k; j < e->efforts; j++) {
        gdyn_lp_row(e->lp, 2 * j, -INFINITY, c->max[j] - c->C[j]);
        gdyn_lp_row(e->lp, 2 * j + 1, c->min[j] - c->C[j], INFINITY);
    }
    for (int j = 0; j < e->k; j++) {
        double max = c->max[j], min = c->min[j];
        gdyn_lp_row(e->lp, 2 * j, -INFINITY,
                    isfinite(max) ? (max > 0.0 ? 0.0 : max) - c->C[j] : INFINITY);
        gdyn_lp_row(e->lp, 2 * j + 1, isfinite(min) ? (min < 0.0 ? 0.0 : min) - c->C[j] : -INFINITY,
                    INFINITY);
    }
    gdyn_lp_column(e->lp, 0, 0.0, INFINITY);
    gdyn_lp_objective(e->lp, 0, 1.0);
    gdyn_lp_status outcome;
    status = gdyn_lp_solve(e->lp, false, GDYN_LP_PRIMAL, &outcome);
    if (status)
        return status;
    *value = outcome == GDYN_LP_OPTIMAL ? gdyn_lp_value(e->lp) : INFINITY;
    return GDYN_OK;
}

/* Least s with the drives at standstill inside s times their limits. */
static gdyn_status rest_load(gdyn_evaluator *e, const gdyn_pose *pose, double *value) {
    const gdyn_coefficients *c = &pose->coefficients;
    *value = 0.0;
    for (int i = 0; i < c->equalities; i++)
        if (fabs(c->eq_c[i]) > UNBALANCED) {
            *value = INFINITY;
            return GDYN_OK;
        }
    if (c->r > 1)
        return load_by_program(e, c, value);
    *value = load_by_pairs(e, c);
    return GDYN_OK;
}

gdyn_status gdyn_evaluator_criteria(gdyn_evaluator *e, const gdyn_state *state, int count,
                                    const gdyn_target *targets, const gdyn_anchor *tool,
                                    const gdyn_pose *pose, gdyn_criteria *criteria) {
    gdyn_rank rank;
    int f;
    double *N = e->null;
    double *value = criteria->value;
    value[GDYN_CRITERION_DEXTERITY] = value[GDYN_CRITERION_STIFFNESS] = NAN;
    value[GDYN_CRITERION_FREQUENCY] = value[GDYN_CRITERION_LOAD] = NAN;
    criteria->passes |= GDYN_PASS_LOCAL;
    gdyn_status status = rest_load(e, pose, &value[GDYN_CRITERION_LOAD]);
    if (!status)
        status = gdyn_evaluator_null(e, state, N, &f, &rank);
    if (status || f == 0)
        return status;
    for (int j = 0; j < f; j++) /* unscaled motions */
        for (int i = 0; i < e->n; i++)
            N[i + (size_t)e->n * j] *= e->column_scale[i];
    drive_map(e, state, N, f, e->drives);
    if (count <= e->n) {
        task_map(e, state, count, targets, N, f, e->tasks);
        status = dexterity(e, count, f, e->tasks, e->drives, &value[GDYN_CRITERION_DEXTERITY]);
        /* the pose's rank knows the scale that ratios of singular values have lost: one drive at a dead
         * centre has the ratio 1 */
        if (pose->drives - pose->redundancy < f && !isnan(value[GDYN_CRITERION_DEXTERITY]))
            value[GDYN_CRITERION_DEXTERITY] = 0.0;
    }
    if (status || !stiffness_matrix(e, e->drives, f, e->K))
        return status;
    if (tool)
        status = tool_stiffness(e, state, tool, N, f, e->K, &value[GDYN_CRITERION_STIFFNESS]);
    return status ? status
                  : lowest_frequency(e, state, N, f, e->K, &value[GDYN_CRITERION_FREQUENCY]);
}
