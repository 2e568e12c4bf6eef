/* selfstress.c - reactions and drive forces that balance themselves: null([C^T T]) from the closing
 * conditions, see tree.h. */
#include "linalg/dot.h"
#include "tree/internal.h"

#include <math.h>
#include <string.h>

/* Clear decisions of the drives' rank; a joint of the tree carries what it cannot balance up to
 * this share: rounding. */
static const double CLEAR_KEPT = 1e-4, CLEAR_DROPPED = 1e-11, CARRIED = 1e-9;

struct gdyn_selfstress_work {
    const gdyn_tree *tree;
    gdyn_tree_pose *pose;
    int rows, efforts;
    int *free;            /* n_q */
    double *K, *Tq;       /* n_q x f; n_q x k */
    double *size;         /* k: sizes of the columns of T, lengths over L */
    double *tau, *lambda; /* n_q; closing */
    double *load;         /* bodies x 6 */
    double *f;            /* n */
    double *block;  /* bodies x 36: rows of the body's joint on the body, (dim of twist 6) x rows */
    double *factor; /* bodies x 36: Cholesky factor of their Gram matrix */
    gdyn_tree_table table; /* f x k */
    gdyn_arena *arena;
};

/* --- memory ---------------------------------------------------------------------------------- */

gdyn_selfstress_work *gdyn_selfstress_create(const gdyn_model *model, int efforts) {
    gdyn_arena *arena;
    gdyn_selfstress_work *w = gdyn_arena_begin(&arena, sizeof *w);
    if (!w)
        return NULL;
    *w = (gdyn_selfstress_work){.tree = gdyn_model_tree(model),
                                .rows = model->m + model->h,
                                .efforts = efforts,
                                .arena = arena};
    size_t nq = (size_t)w->tree->coordinates + 1, k = (size_t)efforts + 1;
    size_t bodies = (size_t)w->tree->bodies + 1;
    w->K = gdyn_arena_doubles(arena, nq * nq);
    w->Tq = gdyn_arena_doubles(arena, nq * k), w->size = gdyn_arena_doubles(arena, k);
    w->tau = gdyn_arena_doubles(arena, nq);
    w->lambda = gdyn_arena_doubles(arena, (size_t)w->tree->closing + 1);
    w->load = gdyn_arena_doubles(arena, 6 * bodies);
    w->f = gdyn_arena_doubles(arena, (size_t)w->tree->n + 1);
    w->block = gdyn_arena_doubles(arena, 36 * bodies);
    w->factor = gdyn_arena_doubles(arena, 36 * bodies);
    w->table.at = gdyn_arena_doubles(arena, nq * (nq + k));
    w->free = gdyn_arena_alloc(arena, nq, sizeof *w->free);
    w->table.column_of = gdyn_arena_alloc(arena, nq, sizeof *w->table.column_of);
    w->table.row_of = gdyn_arena_alloc(arena, k, sizeof *w->table.row_of);
    w->pose = gdyn_tree_pose_create(w->tree, 0);
    if (w->pose && !gdyn_arena_failed(arena))
        return w;
    gdyn_selfstress_destroy(w);
    return NULL;
}

void gdyn_selfstress_destroy(gdyn_selfstress_work *w) {
    if (!w)
        return;
    gdyn_tree_pose_destroy(w->pose);
    gdyn_arena_destroy(w->arena);
}

/* --- drive forces ----------------------------------------------------------------------------- */

/* Reduces K^T T_q, rows for unit scaled rates, columns of unit size; returns the largest entry
 * left. */
static double reduce_drives(gdyn_selfstress_work *w, int f, int k, double *greatest,
                            double *smallest) {
    gdyn_tree_table *t = &w->table;
    size_t nq = (size_t)w->tree->coordinates;
    double L = w->tree->model->length;
    t->rows = f, t->own = t->width = k;
    for (int i = 0; i < f; i++)
        for (int d = 0; d < k; d++) {
            /* (K^T T_q)_id with columns of unit size */
            double sum = gdyn_dot((int)nq, w->K + nq * (size_t)i, w->Tq + nq * (size_t)d);
            double unit = w->pose->scale[w->free[i]] / L;
            t->at[(size_t)k * (size_t)i + (size_t)d] = w->size[d] > 0 ? sum * unit / w->size[d] : 0;
        }
    *greatest = k > 0 ? 1 : 0;
    *smallest = INFINITY;
    return gdyn_tree_reduce(t, 0, GDYN_RANK_TOLERANCE, greatest, smallest);
}

/* --- joints of the tree ----------------------------------------------------------------------- */

/* Rows of the body's joint as wrenches on the body (moments over L), and their Gram matrix; false:
 * they depend on each other. */
static bool take_joint(gdyn_selfstress_work *w, int body) {
    const gdyn_model *model = w->tree->model;
    int joint = w->tree->body[body].joint;
    int rows = joint < 0 ? 0 : model->joint_count[joint];
    double *B = w->block + 36 * body, *G = w->factor + 36 * body;
    for (int i = 0; i < rows; i++) {
        /* the row's derivative on this body */
        gdyn_row_jacobian jacobian;
        double *column = B + 6 * i;
        memset(column, 0, 6 * sizeof *column);
        gdyn_row_derivative(w->pose->state, &model->row[model->joint_first[joint] + i], &jacobian);
        for (int j = 0; j < jacobian.count; j++)
            for (int c = 0; jacobian.body[j] == body && c < 6; c++)
                column[c] += jacobian.J[j][c] / (c < 3 ? 1 : model->length);
    }
    /* Gram matrix of the rows */
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            G[i + rows * j] = gdyn_dot(6, B + 6 * i, B + 6 * j);
    return gdyn_tree_cholesky(rows, G, NULL) < 0;
}

/* Multipliers of the body's joint for the wrench w_B on what it carries (moments over L): B lambda
 * = -w_B. Returns what is not balanced. */
static double joint_multipliers(const gdyn_selfstress_work *w, int body, const double wrench[6],
                                double *lambda) {
    const gdyn_model *model = w->tree->model;
    int joint = w->tree->body[body].joint, rows = model->joint_count[joint];
    const double *B = w->block + 36 * body;
    double x[6], left = 0;
    for (int i = 0; i < rows; i++) /* least squares: B^T B lambda = -B^T w */
        x[i] = 0 - gdyn_dot(6, B + 6 * i, wrench);
    gdyn_cholesky_solve(rows, w->factor + 36 * body, 1, x);
    for (int c = 0; c < 6; c++) {
        /* what stays of the wrench */
        double sum = wrench[c];
        for (int i = 0; i < rows; i++)
            sum += B[6 * i + c] * x[i];
        left = fmax(left, fabs(sum));
    }
    memcpy(lambda + model->joint_first[joint], x, (size_t)rows * sizeof *x);
    return left;
}

/* Loads of closing rows and drives on the bodies, w->load (force, moment), by the state's own
 * column. */
static void put_loads(gdyn_selfstress_work *w, int k, const double *T, const double *column) {
    const gdyn_tree *tree = w->tree;
    int per_body = tree->model->per_body;
    memset(w->f, 0, (size_t)tree->n * sizeof *w->f);
    /* closing rows and drives on the bodies' coordinates */
    for (int i = 0; i < tree->closing; i++)
        if (column[tree->row[i]] != 0)
            gdyn_row_add_force(w->pose->state, &w->pose->jacobian[i], column[tree->row[i]], w->f);
    for (int d = 0; d < k; d++)
        for (int i = 0; column[w->rows + d] != 0 && i < tree->n; i++)
            w->f[i] += column[w->rows + d] * T[(size_t)tree->n * (size_t)d + (size_t)i];
    /* as (force, moment); the plane has fx, fy, mz */
    memset(w->load, 0, 6 * (size_t)tree->bodies * sizeof *w->load);
    for (int b = 0; b < tree->bodies; b++)
        for (int i = 0; i < per_body; i++)
            w->load[6 * b + (per_body == 6 ? i : i < 2 ? i : 5)] = w->f[per_body * b + i];
}

/* The tree joints' multipliers of a state whose closing rows and drive forces are known. Returns
 * what is left unbalanced over the largest load. */
static double carry_in(gdyn_selfstress_work *w, int k, const double *T, double *column) {
    const gdyn_tree *tree = w->tree;
    double L = tree->model->length, greatest = 0, left = 0;
    put_loads(w, k, T, column);
    for (int o = tree->bodies - 1; o >= 0; o--) {
        int b = tree->order[o], inboard = tree->body[b].inboard;
        double *own = w->load + 6 * b, *to = w->load + 6 * inboard;
        const double *r = w->pose->reach + 3 * b;
        /* the wrench that the joint has to carry */
        double wrench[6];
        for (int c = 0; c < 6; c++) {
            wrench[c] = own[c] / (c < 3 ? 1 : L);
            greatest = fmax(greatest, fabs(wrench[c]));
        }
        if (tree->body[b].joint >= 0)
            left = fmax(left, joint_multipliers(w, b, wrench, column));
        else /* floats: nothing carries it */
            for (int c = 0; c < 6; c++)
                left = fmax(left, fabs(wrench[c]));
        if (inboard < 0)
            continue;
        for (int c = 0; c < 6; c++)
            to[c] += own[c];
        to[3] += r[1] * own[2] - r[2] * own[1], to[4] += r[2] * own[0] - r[0] * own[2];
        to[5] += r[0] * own[1] - r[1] * own[0];
    }
    return greatest > 0 ? left / greatest : 0;
}

/* --- the states ------------------------------------------------------------------------------- */

/* State of the free drive force d: the drives in balance along free motions, closing rows for the
 * rest. */
static void driven_state(gdyn_selfstress_work *w, int k, int d, double *column) {
    const gdyn_tree *tree = w->tree;
    double *n = column + w->rows;
    /* the free drive has force 1, the others balance it */
    n[d] = w->size[d] > 0 ? 1 / w->size[d] : 1;
    for (int j = 0; j < k; j++)
        if (w->table.row_of[j] >= 0)
            n[j] = -w->table.at[(size_t)k * (size_t)w->table.row_of[j] + (size_t)d] / w->size[j];
    /* tau = -T_q n */
    memset(w->tau, 0, (size_t)tree->coordinates * sizeof *w->tau);
    for (int j = 0; j < k; j++)
        for (int c = 0; n[j] != 0 && c < tree->coordinates; c++)
            w->tau[c] -= n[j] * w->Tq[(size_t)tree->coordinates * (size_t)j + (size_t)c];
    gdyn_tree_solve_transposed(w->pose, w->tau, w->lambda);
    for (int j = 0; j < tree->closing; j++)
        column[tree->row[j]] = w->lambda[j];
}

/* All columns of N; false: a joint cannot carry its loads, as it has to. */
static bool fill_states(gdyn_selfstress_work *w, int k, const double *T, double *N) {
    const gdyn_tree *tree = w->tree;
    size_t all = (size_t)(w->rows + k);
    double *column = N, worst = 0;
    for (int i = 0; i < tree->closing; i++) {
        /* dependent closing rows: no pivot is theirs */
        if (w->pose->table.settled[i])
            continue;
        memset(column, 0, all * sizeof *column);
        /* lambda_c = e_i - (combination of the independent rows) */
        gdyn_tree_row(w->pose, &w->pose->jacobian[i], w->tau);
        gdyn_tree_solve_transposed(w->pose, w->tau, w->lambda);
        for (int j = 0; j < tree->closing; j++)
            column[tree->row[j]] = (i == j) - w->lambda[j];
        worst = fmax(worst, carry_in(w, k, T, column));
        column += all;
    }
    for (int d = 0; d < k; d++) {
        /* free drive forces */
        if (w->table.row_of[d] >= 0)
            continue;
        memset(column, 0, all * sizeof *column);
        driven_state(w, k, d, column);
        worst = fmax(worst, carry_in(w, k, T, column));
        column += all;
    }
    return worst <= CARRIED;
}

gdyn_status gdyn_selfstress_at(gdyn_selfstress_work *w, const gdyn_state *state, int k,
                               const double *T, double *N, gdyn_selfstress *found) {
    gdyn_tree_rank rank;
    double greatest, smallest;
    *found = (gdyn_selfstress){0};
    /* conditions of the tree, free motions, drives on them */
    gdyn_tree_pose_set(w->pose, state);
    gdyn_status status = gdyn_tree_eliminate(w->pose, 0, NULL, &rank);
    if (status != GDYN_OK)
        return status;
    gdyn_tree_free(w->pose, w->free, w->K);
    /* T_q = J^T T, and the size of each column of T before anything cancels: largest entry,
     * moments over L */
    const gdyn_tree *tree = w->tree;
    int per_body = tree->model->per_body, lengths = per_body == 3 ? 2 : 3;
    for (int d = 0; d < k; d++) {
        const double *column = T + (size_t)tree->n * (size_t)d;
        w->size[d] = 0;
        for (int i = 0; i < tree->n; i++)
            w->size[d] =
                fmax(w->size[d],
                     fabs(column[i]) * (i % per_body < lengths ? 1 : 1 / tree->model->length));
        gdyn_tree_forces(w->pose, column, w->Tq + (size_t)tree->coordinates * (size_t)d);
    }
    double left = reduce_drives(w, rank.freedom, k, &greatest, &smallest);
    /* counts and ranks, without and with drives */
    found->redundant = w->tree->closing - rank.rank, found->driven = k - w->table.rank;
    found->rank_c = found->rank_ct = gdyn_tree_rank_of(w->tree, &rank);
    found->rank_ct.rank += w->table.rank;
    found->rank_ct.above = fmin(found->rank_c.above, smallest / greatest);
    found->rank_ct.below = fmax(found->rank_c.below, left);
    found->rank_ct.gap =
        found->rank_ct.below > 0 ? found->rank_ct.above / found->rank_ct.below : INFINITY;
    /* clear: no rank near a fall, and every joint carries its loads */
    bool drives = w->table.rank == 0 || smallest >= CLEAR_KEPT * greatest;
    found->clear = rank.clear && drives && left <= CLEAR_DROPPED * greatest;
    for (int b = 0; b < w->tree->bodies; b++)
        found->clear = found->clear && take_joint(w, b);
    found->clear = found->clear && fill_states(w, k, T, N);
    return GDYN_OK;
}
