/* criteria.c - criteria of one pose that need no region: dexterity, stiffness, frequency, load.
 *
 * N (n x f) spans the free motions, T the drives: q' = T^T N v are drive speeds, E N v the speeds
 * the path prescribes. Dexterity: singular values of E N (T^T N)^+. Stiffness: K = N^T T k T^T N
 * with the drives' stiffnesses k, compliance of the tool P N K^-1 N^T P^T. Frequency: K x = w^2 N^T
 * M N x. Load: smallest s with n_j within s times its limits at standstill (a side that allows no
 * zero force stays), the largest of the bounds that the elementary vectors give (w with w^T V = 0);
 * a linear program where there are many of these. */
#include "access/dynamics.h"
#include "access/rows.h"
#include "access/projection.h"

#include "base/pi.h"
#include "linalg/dot.h"
#include "linalg/lanes.h"
#include "closure/target.h"
#include "mech/row.h"
#include "mech/state.h"
#include "model/data.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Size up to which products are as good as decompositions, and quicker. */
enum { SMALL = 8 };

/* Cut of the rank of K: below, a direction has no stiffness. */
static const double STIFFNESS_RANK = 1e-12;
/* Load of an uncontrollable direction, in full limits, that is not rounding. */
static const double UNBALANCED = 1e-9;

void gdyn_evaluator_task_map(gdyn_evaluator *e, const gdyn_state *state, int count,
                             const gdyn_target *targets, const double *N, int f, double *out) {
    double L = gdyn_model_length(e->model);
    memset(out, 0, (size_t)(count * f) * sizeof *out);
    for (int i = 0; i < count; i++) {
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &targets[i].row, &jacobian);
        /* rotations times the length of the machine */
        for (int j = 0; j < f; j++)
            out[i + count * j] = gdyn_row_speed(state, &jacobian, N + (size_t)e->n * j) *
                                 (targets[i].row.length ? 1.0 : L);
    }
}

/* A (n x n) := B^T B of B (m x n). */
static void gram(int m, int n, const double *B, double *A) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++)
            A[i + n * j] = A[j + n * i] = gdyn_dot(m, B + m * i, B + m * j);
}

/* Every pivot of L L^T = A keeps this share of its diagonal: what was eliminated costs no digits
 * that matter. */
static const double CLEAR_PIVOT = 1e-4;
/* Smallest ratio of eigenvalues that products of matrices show to ten digits. */
static const double CLEAR_RATIO = 1e-3;

/* Pivots of L against the diagonal of A = L L^T. */
static bool clear_pivots(int n, const double *L, double least) {
    bool clear = true;
    for (int i = 0; i < n; i++) {
        double size = 0;
        /* A_ii is the sum of row i's squares */
        for (int j = 0; j <= i; j++)
            size += L[i + n * j] * L[i + n * j];
        clear = clear && L[i + n * i] * L[i + n * i] > least * size;
    }
    return clear;
}

/* Dexterity of well conditioned maps by products: with H H^T = L L^T, E N (T^T N)^+ has the
 * singular values of E N L^-T. False: too little is left of them. */
static bool clear_dexterity(gdyn_evaluator *e, int count, int f, const double *tasks,
                            const double *drives, double *value) {
    double *L = e->K, *Jt = e->map, *w = e->few;
    /* G = H H^T of the drives */
    int order = count < f ? count : f;
    gram(e->k, f, drives, L);
    if (gdyn_cholesky_factor(f, L) != GDYN_OK || !clear_pivots(f, L, CLEAR_PIVOT))
        return false;
    /* J^T = L^-1 (E N)^T, and the eigenvalues of J J^T */
    for (int i = 0; i < count; i++)
        for (int j = 0; j < f; j++)
            Jt[j + f * i] = tasks[i + count * j];
    gdyn_cholesky_half(f, L, false, count, Jt);
    double *G = e->M;
    /* eigenvalues of J J^T: squared singular values, of which the `order` largest count */
    gram(f, count, Jt, G);
    gdyn_symmetric_values(count, G, w);
    /* near zero squares have lost the digits: the SVD decides */
    double least = w[count - order], most = w[count - 1];
    *value = least > CLEAR_RATIO * most ? sqrt(least / most) : NAN;
    return least > CLEAR_RATIO * most;
}

/* Dexterity from the maps; destroys e->small. */
static gdyn_status dexterity(gdyn_evaluator *e, int count, int f, const double *tasks,
                             const double *drives, double *value) {
    *value = NAN;
    int order = count < f ? count : f;
    if (order == 0 || e->k == 0)
        return GDYN_OK;
    if (e->k >= f && count <= SMALL && f <= SMALL &&
        clear_dexterity(e, count, f, tasks, drives, value))
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

/* A (f x f, the upper half) += factor h h^T of drive d, h its speeds per free motion, in the unit
 * of the drive: its column of the map of the scaled forces, those of T brought to unit length. */
static void add_drive(const gdyn_evaluator *e, int d, double factor, int f, double *A) {
    const double *h = e->reduced + (size_t)f * (size_t)d;
    /* the drive's sign goes in twice */
    factor = factor / e->drive_scale[d] / e->drive_scale[d];
    for (int j = 0; j < f; j++) {
        double own = factor * h[j], *a = A + f * j;
        int i = 0;
        for (; i < j; i += 2)
            l_put(a + i, l_pair(a + i) + l_all(own) * l_pair(h + i));
        if (i == j)
            a[i] += own * h[i];
    }
}

/* The lower half is that of the upper one. */
static void mirror(int f, double *A) {
    for (int j = 0; j < f; j++)
        for (int i = 0; i < j; i++)
            A[j + f * i] = A[i + f * j];
}

/* K (f x f) from the drives' speeds per free motion; false when no drive has a stiffness. */
static bool stiffness_matrix(const gdyn_evaluator *e, int f, double *K) {
    bool stated = false;
    memset(K, 0, (size_t)(f * f) * sizeof *K);
    /* K = sum of k_d h_d h_d^T over the drives that state a stiffness */
    for (int d = 0; d < e->k; d++) {
        double k = gdyn_model_drive(e->model, d)->stiffness;
        stated = stated || k != 0.0;
        if (k != 0.0)
            add_drive(e, d, k, f, K);
    }
    mirror(f, K);
    return stated;
}

/* Y with Y^T Y = x^T K^-1 x for the columns of x (f x count), into x; false: K is not clearly of
 * full rank. */
static bool clear_compliance(gdyn_evaluator *e, int f, const double *K, int count, double *x) {
    double *L = e->map;
    memcpy(L, K, (size_t)(f * f) * sizeof *L);
    if (gdyn_cholesky_factor(f, L) != GDYN_OK || !clear_pivots(f, L, CLEAR_PIVOT))
        return false;
    gdyn_cholesky_half(f, L, false, count, x);
    return true;
}

/* Minimum and maximum stiffness: 1 / maximum and minimum eigenvalue of the tool's compliance P N
 * K^-1 N^T P^T. */
static gdyn_status tool_stiffness(gdyn_evaluator *e, const gdyn_state *state,
                                  const gdyn_anchor *tool, const double *N, int f, const double *K,
                                  double *value) {
    double B[3 * 3] = {0}, w[3], *x = e->few, *y = e->few + 3 * (size_t)e->n;
    int space = gdyn_model_space(e->model) == GDYN_PLANAR ? 2 : 3;
    /* the tool's speeds per free motion */
    for (int a = 0; a < space; a++) {
        gdyn_row row = gdyn_row_point(e->model, *tool, a);
        gdyn_row_jacobian jacobian;
        gdyn_row_derivative(state, &row, &jacobian);
        for (int j = 0; j < f; j++)
            x[j + f * a] = gdyn_row_speed(state, &jacobian, N + (size_t)e->n * j);
    }
    *value = 0.0;
    e->stiffest = NAN;
    if (clear_compliance(e, f, K, space, x)) {
        /* with L L^T = K: the compliance is the Gram matrix of L^-1 N^T P^T */
        gram(f, space, x, B);
    } else {
        /* by SVD where K is near singular; without full rank some freedom has no stiffness */
        gdyn_status status = gdyn_svd_factor(e->small, f, f, K, f, STIFFNESS_RANK);
        if (status || e->small->rank.rank < f)
            return status;
        gdyn_svd_solve(e->small, space, x, f, y, f);
        /* P K^-1 P^T, its halves averaged: exactly symmetric in spite of rounding */
        for (int a = 0; a < space; a++)
            for (int b = 0; b < space; b++)
                for (int j = 0; j < f; j++)
                    B[a + space * b] +=
                        0.5 * (x[j + f * a] * y[j + f * b] + x[j + f * b] * y[j + f * a]);
    }
    /* the softest direction */
    gdyn_symmetric_values(space, B, w);
    *value = w[space - 1] > 0.0 ? 1.0 / w[space - 1] : INFINITY;
    e->stiffest = w[0] > 0.0 ? 1.0 / w[0] : INFINITY;
    return GDYN_OK;
}

static gdyn_status lowest_frequency(gdyn_evaluator *e, const gdyn_state *state, const double *N,
                                    int f, const double *K, double *value) {
    double *Mr = e->M, *Kc = e->map, *w = e->few;
    /* bodies, and rotors by the speeds of their drives */
    if (e->uneven_masses)
        gdyn_mech_bodies_reduce(state, f, N, e->MN, Mr);
    else
        gdyn_free_motions_mass(e->motions, state, N, e->MN, Mr);
    for (int d = 0; d < e->k; d++) {
        double rotor = gdyn_mech_rotor(e->model, d);
        if (rotor != 0.0)
            add_drive(e, d, rotor, f, Mr);
    }
    mirror(f, Mr);
    memcpy(Kc, K, (size_t)(f * f) * sizeof *Kc);
    *value = NAN;
    /* the largest eigenvalue of M x = (1 / w^2) K x keeps all digits beside others of any size */
    if (e->uneven_masses && gdyn_cholesky_factor(f, Kc) == GDYN_OK &&
        clear_pivots(f, Kc, STIFFNESS_RANK)) {
        memcpy(Kc, K, (size_t)(f * f) * sizeof *Kc);
        gdyn_status status = gdyn_eigen_generalized(f, Mr, Kc, w, e->eigen);
        *value = !status && w[f - 1] > 0 ? 1 / sqrt(w[f - 1]) / (2.0 * GDYN_PI) : NAN;
        return status;
    }
    memcpy(Kc, K, (size_t)(f * f) * sizeof *Kc);
    gdyn_status status = gdyn_eigen_generalized(f, Kc, Mr, w, e->eigen);
    if (status == GDYN_ERROR_NUMERIC)
        return GDYN_OK; /* massless freedom: no frequency */
    /* a freedom without stiffness: rounding of the largest eigenvalue is what is left of its
     * own */
    double rounding = f > 0 ? 8 * f * DBL_EPSILON * w[f - 1] : 0;
    *value = f > 0 && w[0] > rounding ? sqrt(w[0]) / (2.0 * GDYN_PI) : 0;
    return status;
}

/* --- load ------------------------------------------------------------------------------------- */

/* Share of the largest force that a limit without tolerance forgives. */
static const double FORGIVEN = 1e-9;

/* The circuits of the rows of V: subsets of r + 1 rows with the factors whose sum has no y left. */
enum { MOST_ROWS = 8, MOST_SUBSETS = 128 };

/* One side of a row's limits at standstill with the drives at s times their limits: g +- V y <= m
 * s. */
typedef struct side {
    double g, m;
    double none;  /* loads up to this are zero where a side has no room for any */
    bool limited; /* else it has no limit */
} side;

/* Side of row j (drives, then friction, which keeps its limits regardless of the load of the
 * drives). */
static inline side side_of(const gdyn_evaluator *e, const gdyn_coefficients *c, int j, bool upper) {
    double sign = upper ? 1.0 : -1.0, limit = sign * (upper ? c->max[j] : c->min[j]);
    bool scales = j < e->k && limit > 0.0;
    return (side){sign * c->C[j] - (scales ? 0.0 : limit), scales ? limit : 0.0, 0.0,
                  isfinite(limit)};
}

/* Smallest s, at least s, at which the weighted sum of sides leaves room; a sum with a side that
 * has no limit always does. */
static double least_load(double s, int count, const side *const *part, const double *weight) {
    double g = 0.0, m = 0.0, none = 0.0;
    for (int i = 0; i < count; i++) {
        if (weight[i] == 0.0)
            continue;
        if (!part[i]->limited)
            return s;
        g += fabs(weight[i]) * part[i]->g;
        m += fabs(weight[i]) * part[i]->m;
        none += fabs(weight[i]) * part[i]->none;
    }
    return m > 0.0 ? fmax(s, g / m) : g > none ? INFINITY : s;
}

/* w (r + 1) with w^T V = 0 on these rows; false when it is not unique: another subset has its
 * circuits. */
static bool circuit_of(const gdyn_coefficients *c, const int *row, double *w) {
    double A[MOST_ROWS * MOST_ROWS];
    int rows[MOST_ROWS], columns[MOST_ROWS], r = c->r;
    if (r == 1) { /* of two rows with one column: the greater entry is divided by */
        double v[2] = {c->V[row[0]], c->V[row[1]]};
        int pivot = fabs(v[1]) > fabs(v[0]);
        if (!(fabs(v[pivot]) > GDYN_ACCESS_ZERO) || !isfinite(v[0]) || !isfinite(v[1]))
            return false;
        double ratio = -v[!pivot] / v[pivot];
        bool counts = fabs(v[!pivot]) > GDYN_ACCESS_ZERO && fabs(ratio) > GDYN_ACCESS_ZERO;
        w[!pivot] = 1.0;
        w[pivot] = counts ? ratio : 0.0;
        return true;
    }
    /* V of the rows, without what is rounding beside unit columns */
    for (int j = 0; j <= r; j++)
        for (int l = 0; l < r; l++) {
            double v = c->V[row[j] + c->k * l];
            A[l + r * j] = fabs(v) > GDYN_ACCESS_ZERO ? v : 0.0;
        }
    /* rank r is needed for one null vector */
    if (gdyn_lu_complete(r, r + 1, A, r, rows, columns, GDYN_ACCESS_ZERO).rank < r)
        return false;
    gdyn_lu_null_vector(r + 1, A, r, r, r, columns, w);
    for (int j = 0; j <= r; j++)
        w[j] = fabs(w[j]) > GDYN_ACCESS_ZERO ? w[j] : 0.0;
    return true;
}

/* The largest of what all circuits ask for. */
static double load_by_circuits(const gdyn_evaluator *e, const gdyn_coefficients *c) {
    side all[MOST_SUBSETS][2];
    const side *part[MOST_ROWS];
    double w[MOST_ROWS] = {1.0}, s = 0.0;
    int row[MOST_ROWS], count = c->r + 1;
    /* both sides of every row have to leave something between them */
    for (int j = 0; j < e->efforts; j++) {
        double sides[2] = {c->min[j], c->max[j]}, most = fabs(c->C[j]);
        for (int upper = 0; upper < 2; upper++) {
            all[j][upper] = side_of(e, c, j, upper);
            most = isfinite(sides[upper]) ? fmax(most, fabs(sides[upper])) : most;
        }
        all[j][0].none = all[j][1].none = FORGIVEN * most;
        s = least_load(s, 2, (const side *const[]){&all[j][0], &all[j][1]},
                       (const double[]){1.0, 1.0});
    }
    /* every subset of r + 1 rows; w and -w are circuits */
    gdyn_subset_first(row, count);
    bool more = count <= e->efforts;
    for (; more; more = gdyn_subset_next(row, count, e->efforts)) {
        if (c->r > 0 && !circuit_of(c, row, w))
            continue;
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = 0; i < count; i++)
                part[i] = &all[row[i]][sign * w[i] > 0.0];
            s = least_load(s, count, part, w);
        }
    }
    return s;
}

/* With many of them: a linear program in (s, y) for the smallest s >= 0, a row for each side. */
static gdyn_status load_by_program(gdyn_evaluator *e, const gdyn_coefficients *c, double *value) {
    int rows = 2 * e->efforts;
    gdyn_lp_status outcome = GDYN_LP_FAILED;
    for (int i = 0; i < rows; i++) {
        bool upper = i % 2 == 0;
        side of = side_of(e, c, i / 2, upper);
        e->table[i] = !of.limited ? 0.0 : upper ? -of.m : of.m;
        /* of unit columns: a program would follow rounding, too */
        for (int l = 0; l < c->r; l++) {
            double v = c->V[i / 2 + c->k * l];
            e->table[i + rows * (1 + l)] = fabs(v) > GDYN_ACCESS_ZERO ? v : 0.0;
        }
    }
    gdyn_status status = gdyn_lp_load(e->lp, rows, 1 + c->r, e->table, rows);
    for (int i = 0; i < rows && !status; i++) {
        side of = side_of(e, c, i / 2, i % 2 == 0);
        gdyn_lp_row(e->lp, i, i % 2 && of.limited ? of.g : -INFINITY,
                    i % 2 == 0 && of.limited ? -of.g : INFINITY);
    }
    if (status)
        return status;
    gdyn_lp_column(e->lp, 0, 0.0, INFINITY);
    gdyn_lp_objective(e->lp, 0, 1.0);
    status = gdyn_lp_solve(e->lp, false, GDYN_LP_PRIMAL, &outcome);
    if (!status)
        *value = outcome == GDYN_LP_OPTIMAL ? gdyn_lp_value(e->lp) : INFINITY;
    return status;
}

/* Smallest s with the drives at standstill inside s times their limits. */
static gdyn_status rest_load(gdyn_evaluator *e, const gdyn_pose *pose, double *value) {
    const gdyn_coefficients *c = &pose->coefficients;
    double subsets = 1;
    *value = 0.0;
    for (int i = 0; i < c->equalities; i++)
        if (fabs(c->eq_c[i]) > UNBALANCED) {
            *value = INFINITY;
            return GDYN_OK;
        }
    for (int i = 0; i <= c->r; i++)
        subsets *= (double)(e->efforts - i) / (i + 1);
    if (c->r >= MOST_ROWS || e->efforts > MOST_SUBSETS || subsets > MOST_SUBSETS)
        return load_by_program(e, c, value);
    *value = load_by_circuits(e, c);
    return GDYN_OK;
}

double gdyn_evaluator_stiffest(const gdyn_evaluator *e) {
    return e->stiffest;
}

gdyn_status gdyn_evaluator_criteria(gdyn_evaluator *e, const gdyn_state *state, int count,
                                    const gdyn_target *targets, const gdyn_anchor *tool,
                                    const gdyn_pose *pose, gdyn_criteria *criteria) {
    int f;
    double *N = e->null;
    double *value = criteria->value;
    /* every criterion that cannot be found stays NaN */
    value[GDYN_CRITERION_DEXTERITY] = value[GDYN_CRITERION_STIFFNESS] = NAN;
    value[GDYN_CRITERION_FREQUENCY] = value[GDYN_CRITERION_LOAD] = NAN;
    e->stiffest = NAN;
    criteria->passes |= GDYN_PASS_LOCAL;
    gdyn_status status = rest_load(e, pose, &value[GDYN_CRITERION_LOAD]);
    if (!status)
        status = gdyn_evaluator_map(e, state, N, &f);
    if (!status && f > 0 && e->uneven_masses)
        status = gdyn_graded_motions(e, f, N);
    if (status || f == 0)
        return status;
    /* H^T (k x f): drive speeds per free motion, rotary ones times L, from the map of the scaled
     * forces: its columns are those of T, brought to unit length. */
    double *out = e->drives;
    double L = gdyn_model_length(e->model);
    for (int i = 0; i < e->k; i++) {
        double unit = e->model->drive_row[i].length ? 1.0 : L;
        double factor = unit / (e->model->drive_sign[i] * e->drive_scale[i]);
        for (int j = 0; j < f; j++)
            out[i + e->k * j] = factor * e->reduced[j + (size_t)f * (size_t)i];
    }
    /* from scaled to actual velocities */
    for (int j = 0; j < f; j++)
        for (int i = 0; i < e->n; i++)
            N[i + (size_t)e->n * j] *= e->column_scale[i];
    /* dexterity, where the path does not prescribe more than can move */
    if (count <= e->n) {
        gdyn_evaluator_task_map(e, state, count, targets, N, f, e->tasks);
        status = dexterity(e, count, f, e->tasks, e->drives, &value[GDYN_CRITERION_DEXTERITY]);
        /* the pose's rank knows the scale that ratios of singular values have lost: one drive at a
         * dead centre has the ratio 1 */
        if (pose->drives - pose->redundancy < f && !isnan(value[GDYN_CRITERION_DEXTERITY]))
            value[GDYN_CRITERION_DEXTERITY] = 0.0;
    }
    /* stiffness and frequency, where a drive has a stiffness */
    if (status || !stiffness_matrix(e, f, e->K))
        return status;
    if (tool)
        status = tool_stiffness(e, state, tool, N, f, e->K, &value[GDYN_CRITERION_STIFFNESS]);
    return status ? status
                  : lowest_frequency(e, state, N, f, e->K, &value[GDYN_CRITERION_FREQUENCY]);
}
