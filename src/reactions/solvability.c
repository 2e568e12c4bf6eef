/* solvability.c - the verdicts from two null spaces.
 *
 * N: orthonormal basis of null([C^T T]), N_X its rows of the multipliers of X, N_n those of the
 * drives. A change N y of (lambda, n) balances itself. With K a basis of {y : N_n y = 0} the
 * columns of N K span the changes of lambda alone, which is null(C^T); so with L an orthonormal
 * basis of null(C^T), L_X its rows of X: C_X^T N_X  = 0                      unique C_X^T L_X  = 0
 * (= C_X^T N_X K)     drive-dependent otherwise                           indeterminate and for a
 * single multiplier the rows of N and L alone. Both spaces have their own rank decision; dim K =
 * dim N - rank N_n must be dim L, which is checked.
 *
 * At a pose of a model both bases come from its closing conditions (tree/tree.h) where every
 * pivot is clear, and are made orthonormal; else, and for matrices, from singular value
 * decompositions. */
#include "reactions/solvability.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "tree/tree.h"

#include <math.h>
#include <string.h>

/* Amounts are compared with one, because rows of C and columns of N have unit length. Rounding
 * gives about eps / (sigma_rank / sigma_1) < 1e-7 for the smallest singular values that count. */
static const double zero_amount = 1e-6;

struct gdyn_solvability_work {
    gdyn_arena *arena; /* of all arrays, the result itself included */
    gdyn_svd *svd;
    double *C;                        /* (m+h) x n, scaled */
    double *T;                        /* n x k, scaled */
    double *A;                        /* n x (m+h+k): [C^T T]; then k x dim N: N_n */
    double *N;                        /* (m+h+k) x dim */
    double *product;                  /* n x dim */
    double *row_scale, *column_scale; /* m+h, n */
    int *row_joint;                   /* m+h, of the model */
    int *held;                        /* drives: static friction that acts */
    double *amount;                   /* m+h + joints: latest amounts */
    double least_kept, greatest_zero; /* over all amounts */
    gdyn_selfstress_work *selfstress; /* of a model; NULL: matrices alone */
    double *length; /* m+h: what the scaled rows of C were before they had unit length */
};

/* For tables and documents. */
const char *gdyn_verdict_text(gdyn_verdict verdict) {
    switch (verdict) {
    case GDYN_UNIQUE:
        return "unique";
    case GDYN_DRIVE_DEPENDENT:
        return "drive-dependent";
    case GDYN_INDETERMINATE:
        return "indeterminate";
    }
    return "unknown";
}

/* Results and work arrays; failure shows in the arena. */
static void allocate(gdyn_solvability *s, gdyn_arena *arena) {
    size_t rows = (size_t)s->constraints, n = (size_t)s->coordinates, k = (size_t)s->drives;
    size_t all = rows + k, great = n > all ? n : all;
    struct gdyn_solvability_work *w = s->work;
    s->joint = gdyn_arena_alloc(arena, (size_t)s->joints, sizeof *s->joint);
    s->multiplier = gdyn_arena_alloc(arena, rows, sizeof *s->multiplier);
    w->svd = gdyn_svd_create((int)great, (int)all);
    w->C = gdyn_arena_doubles(arena, rows * n);
    w->T = gdyn_arena_doubles(arena, n * k);
    w->A = gdyn_arena_doubles(arena, great * all);
    w->N = gdyn_arena_doubles(arena, all * all);
    w->product = gdyn_arena_doubles(arena, n * (all + 1));
    w->row_scale = gdyn_arena_doubles(arena, rows);
    w->column_scale = gdyn_arena_doubles(arena, n);
    w->row_joint = gdyn_arena_alloc(arena, rows, sizeof *w->row_joint);
    w->held = gdyn_arena_alloc(arena, k, sizeof *w->held);
    w->amount = gdyn_arena_doubles(arena, rows + (size_t)s->joints);
    w->length = gdyn_arena_doubles(arena, rows);
}

/* For matrices that the caller has; no model is needed. */
gdyn_solvability *gdyn_solvability_create(int constraints, int coordinates, int drives,
                                          int joints) {
    gdyn_arena *arena;
    struct whole {
        gdyn_solvability s;
        struct gdyn_solvability_work work;
    } *whole = gdyn_arena_begin(&arena, sizeof *whole);
    if (!whole)
        return NULL;
    gdyn_solvability *s = &whole->s;
    struct gdyn_solvability_work *work = s->work = &whole->work;
    s->constraints = constraints, s->coordinates = coordinates;
    s->drives = drives, s->joints = joints;
    work->arena = arena;
    allocate(s, arena);
    if (work->svd && !gdyn_arena_failed(arena))
        return s;
    gdyn_solvability_destroy(s);
    return NULL;
}

/* For a model: scales, joints of its rows, and a faster way by closing conditions. */
gdyn_solvability *gdyn_solvability_for_model(const gdyn_model *model) {
    int rows = gdyn_model_holonomic(model) + gdyn_model_pfaffian(model);
    gdyn_solvability *s = gdyn_solvability_create(
        rows, gdyn_model_coordinates(model), gdyn_model_drives(model) + gdyn_model_stictions(model),
        gdyn_model_joints(model));
    if (!s)
        return NULL;
    gdyn_mech_scales(model, s->work->row_scale, s->work->column_scale);
    for (int i = 0; i < rows; i++)
        s->work->row_joint[i] = gdyn_model_row_joint(model, i);
    s->work->selfstress = gdyn_selfstress_create(model, s->drives);
    if (!s->work->selfstress) {
        gdyn_solvability_destroy(s);
        return NULL;
    }
    return s;
}

/* Safe on a partly made object. */
void gdyn_solvability_destroy(gdyn_solvability *s) {
    if (!s)
        return;
    gdyn_svd_destroy(s->work->svd);
    gdyn_selfstress_destroy(s->work->selfstress);
    gdyn_arena_destroy(s->work->arena);
}

/* --- amounts ------------------------------------------------------------------------------ */

/* amount[i]: length of row i of the null basis (multipliers), then per joint the norm of
 * C_X^T N_X. The basis has `dim` columns and leading dimension ld. */
static void amounts_of(gdyn_solvability *s, const double *N, int ld, int dim,
                       const int *row_joint) {
    struct gdyn_solvability_work *w = s->work;
    int rows = s->constraints, n = s->coordinates;
    /* of a multiplier: the norm of its row of N */
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int c = 0; c < dim; c++)
            sum += N[i + c * ld] * N[i + c * ld];
        w->amount[i] = sqrt(sum);
    }
    /* of a joint: the norm of C_X^T N_X */
    for (int x = 0; x < s->joints; x++) {
        memset(w->product, 0, (size_t)n * (size_t)dim * sizeof *w->product);
        for (int i = 0; i < rows; i++)
            for (int c = 0; row_joint[i] == x && c < dim; c++)
                for (int j = 0; j < n; j++)
                    w->product[j + c * n] += w->C[i + j * rows] * N[i + c * ld];
        double sum = 0;
        for (int e = 0; e < n * dim; e++)
            sum += w->product[e] * w->product[e];
        w->amount[rows + x] = sqrt(sum);
    }
    /* how clear the decisions are */
    for (int i = 0; i < rows + s->joints; i++)
        if (w->amount[i] > zero_amount)
            w->least_kept = fmin(w->least_kept, w->amount[i]);
        else
            w->greatest_zero = fmax(w->greatest_zero, w->amount[i]);
}

/* Raises the verdict of everything whose amount is not zero. */
static void raise_verdicts(gdyn_solvability *s, gdyn_verdict verdict) {
    const double *amount = s->work->amount;
    for (int i = 0; i < s->constraints; i++)
        if (amount[i] > zero_amount)
            s->multiplier[i] = verdict;
    for (int x = 0; x < s->joints; x++)
        if (amount[s->constraints + x] > zero_amount)
            s->joint[x] = verdict;
}

/* --- the test ----------------------------------------------------------------------------- */

/* Null space of [C^T T], T with that many drives, in N: what it touches is at least so
 * undetermined. Its dimension, or -1 when LAPACK refuses. */
static int null_space(gdyn_solvability *s, const int *row_joint, int drives, gdyn_verdict verdict,
                      gdyn_rank *rank) {
    struct gdyn_solvability_work *w = s->work;
    int rows = s->constraints, n = s->coordinates, all = rows + drives;
    /* the columns of [C^T T] in comparable units */
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            w->A[j + i * n] = w->C[i + j * rows];
    memcpy(w->A + rows * n, w->T, (size_t)(n * drives) * sizeof *w->A);
    if (gdyn_svd_factor(w->svd, n, all, w->A, n, 0))
        return -1;
    *rank = w->svd->rank;
    /* what its null space touches is not unique */
    int dim = gdyn_svd_null(w->svd, w->N, all);
    amounts_of(s, w->N, all, dim, row_joint);
    raise_verdicts(s, verdict);
    return dim;
}

/* Everything that null([C^T T]) touches is at most drive-dependent. Returns its dimension less the
 * rank of its drive rows (dim K), or -1 when LAPACK refuses. */
static int both_spaces(gdyn_solvability *s, const int *row_joint) {
    struct gdyn_solvability_work *w = s->work;
    int rows = s->constraints, k = s->drives, all = rows + k;
    int dim = null_space(s, row_joint, k, GDYN_DRIVE_DEPENDENT, &s->rank_ct);
    s->drive_redundancy = 0;
    if (dim <= 0 || k == 0)
        return dim;
    /* drive rows of the null space */
    for (int c = 0; c < dim; c++)
        memcpy(w->A + c * k, w->N + rows + c * all, (size_t)k * sizeof *w->A);
    /* rank of the drive rows of N */
    double size = 0; /* a drive part of pure rounding has no rank */
    for (int e = 0; e < k * dim; e++)
        size = fmax(size, fabs(w->A[e]));
    if (size <= zero_amount)
        return dim;
    /* their rank: internal forces that drives can set up */
    if (gdyn_svd_factor(w->svd, k, dim, w->A, k, zero_amount))
        return -1;
    s->drive_redundancy = w->svd->rank.rank;
    return dim - s->drive_redundancy;
}

/* What null(C^T) touches is indeterminate. Returns its dimension or -1. */
static int multiplier_space(gdyn_solvability *s, const int *row_joint) {
    return null_space(s, row_joint, 0, GDYN_INDETERMINATE, &s->rank_c);
}

/* Joints by verdict, and how clear all decisions were together. */
static void count_verdicts(gdyn_solvability *s) {
    s->indeterminate_joints = s->dependent_joints = 0;
    for (int x = 0; x < s->joints; x++) {
        s->indeterminate_joints += s->joint[x] == GDYN_INDETERMINATE;
        s->dependent_joints += s->joint[x] == GDYN_DRIVE_DEPENDENT;
    }
    const struct gdyn_solvability_work *w = s->work;
    /* the least gap: of both ranks, of all amounts */
    s->gap = fmin(s->rank_c.gap, s->rank_ct.gap);
    if (w->greatest_zero > 0)
        s->gap = fmin(s->gap, fmin(w->least_kept, 1) / w->greatest_zero);
}

/* Amounts of everything from `count` columns of N, made orthonormal. False: they are not
 * independent. */
static bool judge_states(gdyn_solvability *s, int count, gdyn_verdict verdict) {
    struct gdyn_solvability_work *w = s->work;
    int all = s->constraints + s->drives;
    if (!gdyn_orthonormalize(all, count, w->N))
        return false;
    amounts_of(s, w->N, all, count, w->row_joint);
    raise_verdicts(s, verdict);
    return true;
}

/* Both null spaces from the closing conditions at a state. False: something is in doubt, and
 * nothing is judged. */
static bool small_spaces(gdyn_solvability *s, const gdyn_state *state) {
    struct gdyn_solvability_work *w = s->work;
    gdyn_selfstress found;
    int rows = s->constraints, all = rows + s->drives;
    for (int d = 0; d < s->drives; d++) /* unit columns, for body velocities as they are */
        for (int j = 0; j < s->coordinates; j++)
            w->product[j + d * s->coordinates] = w->T[j + d * s->coordinates] / w->column_scale[j];
    if (gdyn_selfstress_at(w->selfstress, state, s->drives, w->product, w->N, &found) != GDYN_OK ||
        !found.clear)
        return false;
    int count = found.redundant + found.driven;
    for (int c = 0; c < count; c++) /* multipliers of unit rows */
        for (int i = 0; i < rows; i++)
            w->N[i + c * all] *= w->length[i] / w->row_scale[i];
    /* ranks of the reduced matrices are those of the full ones */
    s->rank_c = found.rank_c;
    s->rank_ct = found.rank_ct;
    s->redundancy = found.redundant;
    s->drive_redundancy = found.driven;
    s->consistent = true;
    /* states without drive forces come first and stay among themselves */
    return judge_states(s, count, GDYN_DRIVE_DEPENDENT) &&
           judge_states(s, found.redundant, GDYN_INDETERMINATE);
}

/* Everything is unique until a null space touches it. */
static void begin_verdicts(gdyn_solvability *s) {
    s->work->least_kept = INFINITY, s->work->greatest_zero = 0;
    for (int i = 0; i < s->constraints; i++)
        s->multiplier[i] = GDYN_UNIQUE;
    for (int x = 0; x < s->joints; x++)
        s->joint[x] = GDYN_UNIQUE;
}

/* Verdicts from the scaled matrices in the workspace, those of a state (NULL: of none). */
static gdyn_status judge(gdyn_solvability *s, const int *row_joint, const gdyn_state *state) {
    struct gdyn_solvability_work *w = s->work;
    double *length = w->product; /* n (m+h+k+1) numbers */
    /* rows and columns of unit length */
    gdyn_unit_vectors(w->C, s->constraints, 1, s->coordinates, s->constraints, length);
    for (int i = 0; i < s->constraints; i++)
        w->length[i] *= length[i];
    gdyn_unit_vectors(w->T, s->drives, s->coordinates, s->coordinates, 1, length);
    begin_verdicts(s);
    s->by_closing = false;
    /* closing conditions where they are clear */
    if (state && !s->dense &&
        gdyn_model_formalism(gdyn_state_model(state)) == GDYN_FORMALISM_TREE &&
        small_spaces(s, state)) {
        s->by_closing = true;
        count_verdicts(s);
        return GDYN_OK;
    }
    /* else SVDs of the full matrices; both redundancies have to agree */
    begin_verdicts(s);
    int through_drives = both_spaces(s, row_joint);
    int direct = multiplier_space(s, row_joint);
    if (through_drives < 0 || direct < 0)
        return GDYN_ERROR_NUMERIC;
    s->redundancy = direct;
    s->consistent = through_drives == direct;
    count_verdicts(s);
    return GDYN_OK;
}

/* Matrices as they are given; a copy is scaled. */
gdyn_status gdyn_solvability_of_matrices(gdyn_solvability *s, const double *C, const double *T,
                                         const int *row_joint) {
    size_t rows = (size_t)s->constraints, n = (size_t)s->coordinates, k = (size_t)s->drives;
    if (rows * n > 0)
        memcpy(s->work->C, C, rows * n * sizeof *C);
    if (n * k > 0)
        memcpy(s->work->T, T, n * k * sizeof *T);
    for (size_t i = 0; i < rows; i++)
        s->work->length[i] = 1;
    return judge(s, row_joint, NULL);
}

/* T: the drives' columns, then those of all static friction. */
static void fill_efforts(gdyn_solvability *s, const gdyn_state *state) {
    struct gdyn_solvability_work *w = s->work;
    const gdyn_model *model = gdyn_state_model(state);
    size_t n = (size_t)s->coordinates;
    memset(w->product, 0, n * sizeof *w->product);
    gdyn_mech_drives(state, w->T);
    gdyn_mech_static_friction(state, &(gdyn_path_rates){.u_p = w->product},
                              w->T + n * (size_t)gdyn_model_drives(model), w->held);
}

/* With static friction among the unknowns; the drives' redundancy is theirs alone. */
static gdyn_status judge_twice(gdyn_solvability *s, int drives, const gdyn_state *state) {
    int all = s->drives;
    /* the drives' redundancy without friction */
    s->drives = drives;
    gdyn_status status = judge(s, s->work->row_joint, state);
    int redundancy = s->drive_redundancy;
    s->drives = all;
    /* then with friction among the unknowns */
    if (status == GDYN_OK && all > drives) {
        status = judge(s, s->work->row_joint, state);
        s->drive_redundancy = redundancy;
    }
    return status;
}

/* At a state: C, T and static friction, scaled. */
gdyn_status gdyn_solvability_of_state(gdyn_solvability *s, const gdyn_state *state) {
    struct gdyn_solvability_work *w = s->work;
    int rows = s->constraints, n = s->coordinates, k = s->drives;
    gdyn_mech_jacobian(state, w->C);
    fill_efforts(s, state);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < rows; i++)
            w->C[i + j * rows] *= w->row_scale[i] * w->column_scale[j];
        for (int d = 0; d < k; d++)
            w->T[j + d * n] *= w->column_scale[j];
    }
    for (int i = 0; i < rows; i++)
        w->length[i] = 1;
    return judge_twice(s, gdyn_model_drives(gdyn_state_model(state)), state);
}
