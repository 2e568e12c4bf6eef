/* tests.c - the three tests of Wojtyra and Fraczek and that of the closing conditions
 * (reactions.h), each twice: with the drives among the unknowns, and with the drive forces held.
 *
 * All work on S = [C; T^T], rows of unit length. Null spaces of S^T answer a joint by C_X^T N_X, a
 * component by g^T N, a multiplier by its row of N. The rank test asks whether appending costs
 * rank: rank S_X + rank S_Y - rank S for a joint; for a function g^T lambda, whether g lies in the
 * range of S, by rank [S g] - rank S. */
#include "reactions/internal.h"

#include <math.h>
#include <string.h>

/* --- by a null space ------------------------------------------------------------------------ */

/* Of a joint or motion: |C_X^T N_X|, all rows of X together. */
static double group_amount(const gdyn_reactions *r, int group, const gdyn_basis *basis) {
    struct gdyn_reactions_work *w = r->work;
    int n = r->n, dim = basis->dim;
    memset(w->product, 0, (size_t)n * (size_t)dim * sizeof *w->product);
    /* C_X^T N_X, summed over the rows of X */
    for (int i = 0; i < r->rows; i++)
        for (int c = 0; gdyn_reactions_multiplier(r, i)->group == group && c < dim; c++)
            for (int j = 0; j < n; j++)
                w->product[j + c * n] += w->S[i + j * w->all] * basis->N[i + c * basis->ld];
    double sum = 0;
    for (int e = 0; e < n * dim; e++)
        sum += w->product[e] * w->product[e];
    return sqrt(sum);
}

/* Of a component g^T lambda: |g^T N|. */
static double function_amount(const gdyn_reactions *r, const double *g, const gdyn_basis *basis) {
    double sum = 0;
    /* g^T times each column of N */
    for (int c = 0; c < basis->dim; c++) {
        double dot = 0;
        for (int i = 0; i < r->rows; i++)
            dot += g[i] * basis->N[i + c * basis->ld];
        sum += dot * dot;
    }
    return sqrt(sum);
}

/* Amounts of all items by a null space; of a multiplier the length of its row of N. */
static void null_amounts(gdyn_reactions *r, const gdyn_basis *basis) {
    struct gdyn_reactions_work *w = r->work;
    int at = 0;
    for (int g = 0; g < r->groups; g++)
        w->amount[at++] = group_amount(r, g, basis);
    for (int c = 0; c < r->components; c++)
        w->amount[at++] = function_amount(r, w->G + (size_t)c * (size_t)r->rows, basis);
    /* multipliers by the length of their row */
    for (int i = 0; i < r->rows; i++) {
        double sum = 0;
        for (int c = 0; c < basis->dim; c++)
            sum += basis->N[i + c * basis->ld] * basis->N[i + c * basis->ld];
        w->amount[at++] = sqrt(sum);
    }
}

/* Null space of the transposed first `count` rows of S by SVD. */
static gdyn_status svd_basis(gdyn_reactions *r, int count, gdyn_basis *basis, gdyn_rank *rank) {
    struct gdyn_reactions_work *w = r->work;
    /* S^T, rows of unit length */
    for (int i = 0; i < count; i++)
        for (int j = 0; j < r->n; j++)
            w->matrix[j + i * r->n] = w->S[i + j * w->all];
    if (gdyn_svd_factor(w->svd, r->n, count, w->matrix, r->n, 0) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    *rank = w->svd->rank;
    basis->ld = count;
    basis->dim = gdyn_svd_null(w->svd, basis->N, count);
    return GDYN_OK;
}

/* The same by QR: the last columns of Q in S E = Q R. */
static gdyn_status qr_basis(gdyn_reactions *r, int count, gdyn_basis *basis, gdyn_rank *rank) {
    struct gdyn_reactions_work *w = r->work;
    if (gdyn_qr_factor(w->qr, count, r->n, w->S, w->all, 0) != GDYN_OK)
        return GDYN_ERROR_NUMERIC;
    *rank = w->qr->rank;
    basis->ld = count;
    basis->dim = gdyn_qr_null_transposed(w->qr, basis->N, count);
    return GDYN_OK;
}

/* Self-stresses by joint coordinates, for the method that uses the tree; false: in doubt. */
bool gdyn_reactions_states(gdyn_reactions *r, const gdyn_state *state) {
    struct gdyn_reactions_work *w = r->work;
    double *T = w->matrix; /* unit columns, for body velocities as they are */
    for (int d = 0; d < r->efforts; d++)
        for (int j = 0; j < r->n; j++)
            T[j + d * r->n] = w->S[r->rows + d + j * w->all] / w->column_scale[j];
    if (gdyn_selfstress_at(w->selfstress, state, r->efforts, T, w->states, &w->found) != GDYN_OK ||
        !w->found.clear)
        return false;
    /* back to unit rows */
    for (int c = 0; c < w->found.redundant + w->found.driven; c++)
        for (int i = 0; i < r->rows; i++)
            w->states[i + c * w->all] /= w->factor[i];
    return true;
}

/* The same by the closing conditions; states without drive forces come first. */
static gdyn_status tree_basis(gdyn_reactions *r, int count, gdyn_basis *basis, gdyn_rank *rank) {
    struct gdyn_reactions_work *w = r->work;
    bool held = count == r->rows;
    *rank = held ? w->found.rank_c : w->found.rank_ct;
    basis->ld = count;
    basis->dim = held ? w->found.redundant : w->found.redundant + w->found.driven;
    for (int c = 0; c < basis->dim; c++)
        memcpy(basis->N + c * count, w->states + c * w->all, (size_t)count * sizeof *basis->N);
    return gdyn_orthonormalize(count, basis->dim, basis->N) ? GDYN_OK : GDYN_ERROR_NUMERIC;
}

/* --- by ranks ------------------------------------------------------------------------------- */

/* Rank by elimination, with its gap. */
static int rank_of(gdyn_reactions *r, int m, int n, double *A) {
    struct gdyn_reactions_work *w = r->work;
    gdyn_rank rank = gdyn_lu_complete(m, n, A, m, w->mark, w->mark + m, 0);
    r->gap = fmin(r->gap, rank.gap);
    return rank.rank;
}

/* Rank of the rows of S below `count` that belong (or do not belong) to the group. */
static int group_rank(gdyn_reactions *r, int count, int group, bool inside) {
    struct gdyn_reactions_work *w = r->work;
    int m = 0;
    /* first count, then copy */
    for (int pass = 0; pass < 2; pass++) {
        int at = 0;
        for (int i = 0; i < count; i++) {
            bool own = i < r->rows && gdyn_reactions_multiplier(r, i)->group == group;
            if (own != inside)
                continue;
            for (int j = 0; pass && j < r->n; j++)
                w->matrix[at + j * m] = w->S[i + j * w->all];
            at++;
        }
        m = at;
    }
    return m > 0 ? rank_of(r, m, r->n, w->matrix) : 0;
}

/* Rank of [S g] for the first `count` rows; g has r->rows elements (NULL: of S alone; row >= 0: a
 * unit vector). */
static int stacked_rank(gdyn_reactions *r, int count, const double *g, int row) {
    struct gdyn_reactions_work *w = r->work;
    bool extra = g || row >= 0;
    for (int j = 0; j < r->n; j++)
        memcpy(w->matrix + j * count, w->S + j * w->all, (size_t)count * sizeof *w->matrix);
    for (int i = 0; extra && i < count; i++)
        w->matrix[i + r->n * count] = g ? (i < r->rows ? g[i] : 0) : i == row;
    return rank_of(r, count, r->n + extra, w->matrix);
}

/* Amounts are 1 where appending costs rank. */
static void rank_amounts(gdyn_reactions *r, int count) {
    struct gdyn_reactions_work *w = r->work;
    /* joints, components, multipliers: does appending its rows raise the rank? */
    int whole = stacked_rank(r, count, NULL, -1), at = 0;
    for (int g = 0; g < r->groups; g++)
        w->amount[at++] = group_rank(r, count, g, true) + group_rank(r, count, g, false) != whole;
    for (int c = 0; c < r->components; c++) {
        const double *g = w->G + (size_t)c * (size_t)r->rows;
        w->amount[at++] = w->size[c] > 0 && stacked_rank(r, count, g, -1) != whole;
    }
    for (int i = 0; i < r->rows; i++)
        w->amount[at++] = stacked_rank(r, count, NULL, i) != whole;
}

/* --- verdicts ------------------------------------------------------------------------------- */

/* Amounts at one level: count rows of S (all: drives among the unknowns; rows: held). */
static gdyn_status amounts(gdyn_reactions *r, gdyn_reaction_method method, bool held) {
    struct gdyn_reactions_work *w = r->work;
    int count = held ? r->rows : w->all;
    gdyn_rank *rank = held ? &r->rank_c : &r->rank_ct, other;
    gdyn_basis *kept = held ? &w->held : &w->with_drives;
    bool svd = method == GDYN_REACTIONS_BY_SVD;
    /* the rank test has no basis */
    if (method == GDYN_REACTIONS_BY_RANK) {
        rank_amounts(r, count);
        return GDYN_OK;
    }
    /* the best method asked for keeps its basis for blocks and values */
    bool tree = method == GDYN_REACTIONS_BY_TREE;
    unsigned better = tree ? 1u << GDYN_REACTIONS_BY_SVD | 1u << GDYN_REACTIONS_BY_QR
                           : 1u << GDYN_REACTIONS_BY_SVD;
    bool best = svd || !(r->methods & better);
    gdyn_basis *basis = best ? kept : &w->qr_basis;
    gdyn_rank *decision = best ? rank : &other;
    gdyn_status status = svd    ? svd_basis(r, count, basis, decision)
                         : tree ? tree_basis(r, count, basis, decision)
                                : qr_basis(r, count, basis, decision);
    if (status != GDYN_OK)
        return status;
    if (svd && held)
        memcpy(r->sigma, w->svd->s, (size_t)(r->n < r->rows ? r->n : r->rows) * sizeof *r->sigma);
    r->gap = fmin(r->gap, decision->gap);
    null_amounts(r, basis);
    return GDYN_OK;
}

/* With drives among the unknowns, then held: the second one is the stronger verdict. */
gdyn_status gdyn_reactions_test(gdyn_reactions *r, unsigned methods, gdyn_reaction_method method) {
    struct gdyn_reactions_work *w = r->work;
    r->methods = methods, r->gap = INFINITY;
    w->least_kept = INFINITY, w->greatest_zero = 0;
    for (int i = 0; i < r->items; i++)
        r->item[i].by[method] = GDYN_UNIQUE;
    for (int held = r->efforts == 0; held < 2; held++) {
        gdyn_status status = amounts(r, method, held);
        if (status != GDYN_OK)
            return status;
        /* Items that a null space touches; how clear the border of zero is. */
        gdyn_verdict verdict = held ? GDYN_INDETERMINATE : GDYN_DRIVE_DEPENDENT;
        for (int i = 0; i < r->items; i++) {
            double amount = w->amount[i];
            if (amount > GDYN_ZERO_AMOUNT) {
                w->least_kept = fmin(w->least_kept, amount);
                r->item[i].by[method] = verdict, r->item[i].amount = amount;
            } else
                w->greatest_zero = fmax(w->greatest_zero, amount);
        }
    }
    if (w->greatest_zero > 0)
        r->gap = fmin(r->gap, fmin(w->least_kept, 1) / w->greatest_zero);
    return GDYN_OK;
}

/* --- which joints share load ----------------------------------------------------------------- */

/* Which joints share load.
 *
 * P = L L^T projects on null(C^T). It is block diagonal exactly where that space is a direct sum,
 * so the connected parts of the graph |P_ij| > 0 are the subsystems of constraints that are
 * redundant together; the trace of a block is its redundancy. For components the Gram matrix of
 * their changes H = (G^T N)(G^T N)^T plays that role: components of one connected part balance each
 * other. The drives stand among them where their forces are free too. */

/* Root of a set; paths are halved on the way. */
static int root_of(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Entry (i, j) of H H^T. */
static double dot_rows(const gdyn_basis *H, int i, int j) {
    double sum = 0;
    for (int c = 0; c < H->dim; c++)
        sum += H->N[i + c * H->ld] * H->N[j + c * H->ld];
    return sum;
}

/* Amounts as small as those of unique functions join nothing. */
static bool counts(double square) {
    return square > GDYN_ZERO_AMOUNT * GDYN_ZERO_AMOUNT;
}

/* The first `count` rows of H whose products are not zero belong together: parent. */
static void join_rows(const gdyn_basis *H, int count, int *parent) {
    for (int i = 0; i < count; i++)
        parent[i] = i;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (counts(dot_rows(H, i, i)) && counts(dot_rows(H, j, j)) &&
                counts(fabs(dot_rows(H, i, j)))) {
                int a = root_of(parent, i), b = root_of(parent, j);
                parent[a > b ? a : b] = a > b ? b : a;
            }
}

/* Rows that share self-stress, and the redundancy of each such block: the trace of its part of the
 * projector. */
static void subsystems(gdyn_reactions *r) {
    struct gdyn_reactions_work *w = r->work;
    join_rows(&w->held, r->rows, w->mark);
    r->subsystems = 0;
    for (int i = 0; i < r->rows; i++) {
        double share = dot_rows(&w->held, i, i);
        r->subsystem_of[i] = -1;
        /* rows that no self-stress touches belong to none */
        if (!counts(share))
            continue;
        int root = root_of(w->mark, i);
        int s = root == i ? r->subsystems++ : r->subsystem_of[root];
        if (root == i) {
            r->subsystem[s] = (gdyn_subsystem){0};
            w->product[s] = 0;
        }
        r->subsystem_of[i] = s;
        r->subsystem[s].rows++;
        w->product[s] += share;
    }
    for (int s = 0; s < r->subsystems; s++)
        r->subsystem[s].redundancy = (int)lround(w->product[s]);
}

/* Change of component c, or of drive c - components, in direction d of the basis. */
static double change(const gdyn_reactions *r, const gdyn_basis *basis, int c, int d) {
    if (c >= r->components)
        return basis->ld > r->rows ? basis->N[r->rows + c - r->components + d * basis->ld] : 0;
    const double *g = r->work->G + (size_t)c * (size_t)r->rows;
    double sum = 0;
    for (int i = 0; i < r->rows; i++)
        sum += g[i] * basis->N[i + d * basis->ld];
    return sum;
}

/* Subsystems; components and drives whose changes are not orthogonal balance each other: one block,
 * named by its root. */
void gdyn_reactions_blocks(gdyn_reactions *r) {
    struct gdyn_reactions_work *w = r->work;
    const gdyn_basis *basis = r->efforts > 0 ? &w->with_drives : &w->held;
    int count = r->components + r->efforts;
    gdyn_basis H = {.N = w->matrix, .ld = count, .dim = basis->dim};
    subsystems(r);
    for (int i = 0; i < count; i++)
        for (int d = 0; d < basis->dim; d++)
            H.N[i + d * count] = change(r, basis, i, d);
    join_rows(&H, count, w->mark);
    for (int i = 0; i < count; i++) {
        int block = counts(dot_rows(&H, i, i)) ? root_of(w->mark, i) : -1;
        if (i < r->components)
            gdyn_reactions_component(r, i)->block = block;
        else
            r->drive_block[i - r->components] = block;
    }
}
