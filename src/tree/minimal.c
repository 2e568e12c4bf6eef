/* minimal.c - independent coordinates, minimal equations, closing reactions.
 *
 * Elimination with complete pivoting leaves free coordinates F and q' = F x. Another choice z of as
 * many coordinates is one, too, when its rows G of F are regular: K = F G^-1. With rows scaled to
 * lengths over L and angles, the smallest pivot of G measures the choice against the best one,
 * whose pivots are 1. */
#include "linalg/dot.h"
#include "tree/internal.h"

#include <math.h>
#include <string.h>

/* A choice of coordinates is kept above this share of the best one's pivots. */
static const double KEPT = 0.1;

/* --- the choice ------------------------------------------------------------------------------- */

/* K := F G^-1 for the rows G of the coordinates z; returns the smallest pivot of G, 0 when
 * singular. */
static double exchange(gdyn_tree_dynamics *d, gdyn_tree_leeway *at, const int *z) {
    gdyn_tree_table *t = &d->table;
    int f = d->condition.freedom;
    size_t nq = (size_t)d->nq;
    double greatest = 0, smallest = 1;
    const double *scale = at->pose->scale;
    t->rows = t->own = f, t->width = 2 * f;
    memset(t->at, 0, (size_t)(2 * f * f) * sizeof *t->at);
    /* [G 1] in scaled coordinates, reduced to [1 G^-1] */
    for (int i = 0; i < f; i++) {
        for (int j = 0; j < f; j++)
            t->at[2 * f * i + j] =
                at->F[nq * (size_t)j + (size_t)z[i]] * (scale[at->free[j]] / scale[z[i]]);
        t->at[2 * f * i + f + i] = 1;
    }
    gdyn_tree_reduce(t, 0, 1e-6, &greatest, &smallest);
    if (t->rank < f)
        return 0;
    for (int j = 0; j < f; j++) { /* x_k = (row of k) z' */
        double *column = at->K + nq * (size_t)j;
        memset(column, 0, nq * sizeof *column);
        for (int k = 0; k < f; k++) {
            double times = t->at[2 * f * t->row_of[k] + f + j] * (scale[at->free[k]] / scale[z[j]]);
            for (int c = 0; times != 0 && c < d->nq; c++)
                column[c] += times * at->F[nq * (size_t)k + (size_t)c];
        }
        for (int i = 0; i < f; i++)
            column[z[i]] = i == j;
    }
    return smallest;
}

static bool same(int count, const int *a, const int *b) {
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

gdyn_status gdyn_tree_choose(gdyn_tree_dynamics *d) {
    gdyn_tree_rank rank;
    gdyn_status status = gdyn_tree_eliminate(d->pose, 0, NULL, &rank);
    if (status != GDYN_OK)
        return status;
    size_t f = (size_t)rank.freedom;
    /* what elimination found, and its own choice F */
    d->condition = (gdyn_tree_condition){.rank = rank.rank,
                                         .freedom = rank.freedom,
                                         .least = rank.least,
                                         .left = rank.left,
                                         .clear = rank.clear,
                                         .choice = 1,
                                         .massless = -1};
    gdyn_tree_free(d->pose, d->here.free, d->here.F);
    /* the coordinates chosen before are kept while they are good enough */
    bool known = d->wanted == rank.freedom, kept = false;
    if (known && !same(rank.freedom, d->chosen, d->here.free)) {
        d->condition.choice = exchange(d, &d->here, d->chosen);
        kept = d->condition.choice > KEPT;
    }
    if (!kept) {
        memcpy(d->here.K, d->here.F, (size_t)d->nq * f * sizeof *d->here.K);
        d->condition.choice = 1;
        d->condition.changed = !known || !same(rank.freedom, d->chosen, d->here.free);
    }
    /* z, and the dependent coordinates y beside them */
    if (f > 0)
        memcpy(d->z, kept ? d->chosen : d->here.free, f * sizeof *d->z);
    for (int c = 0, i = 0, k = 0; c < d->nq; c++)
        if (k < rank.freedom && d->z[k] == c)
            k++;
        else
            d->y[i++] = c;
    /* loops follow from the choice */
    if (d->condition.changed || !d->traced)
        gdyn_tree_find_loops(d);
    gdyn_tree_prefer(d, rank.freedom, d->z);
    d->traced = true;
    return GDYN_OK;
}

void gdyn_tree_prefer(gdyn_tree_dynamics *d, int f, const int *z) {
    d->wanted = f, d->traced = false;
    if (f > 0 && z != d->chosen)
        memmove(d->chosen, z, (size_t)f * sizeof *z);
}

bool gdyn_tree_leeway_at(gdyn_tree_dynamics *d, gdyn_tree_leeway *at, const gdyn_state *state) {
    gdyn_tree_rank rank;
    gdyn_tree_pose_set(at->pose, state);
    if (gdyn_tree_eliminate(at->pose, 0, NULL, &rank) != GDYN_OK ||
        rank.freedom != d->condition.freedom)
        return false;
    /* the same choice z here */
    gdyn_tree_free(at->pose, at->free, at->F);
    return exchange(d, at, d->z) > 0;
}

void gdyn_tree_solve_dependent(const gdyn_tree_dynamics *d, const gdyn_tree_leeway *at,
                               const double *b, double *qdot) {
    gdyn_tree_solve(at->pose, b, qdot);
    /* a solution with z' = 0: less K z' */
    for (int j = 0; j < d->condition.freedom; j++)
        d->extra[j] = qdot[d->z[j]];
    for (int j = 0; j < d->condition.freedom; j++) {
        const double *column = at->K + (size_t)d->nq * (size_t)j;
        for (int c = 0; d->extra[j] != 0 && c < d->nq; c++)
            qdot[c] -= d->extra[j] * column[c];
    }
}

/* --- accelerations ---------------------------------------------------------------------------- */

/* z'' from (K^T M K) z'' = -K^T tau, tau: forces missing at q'' = xi. */
static gdyn_status project(gdyn_tree_dynamics *d, const double *tau, double *zddot) {
    int f = d->condition.freedom;
    size_t nq = (size_t)d->nq;
    /* M K, a few columns at a time */
    for (int j = 0; j < f; j += GDYN_TREE_BLOCK) {
        gdyn_tree_load load[GDYN_TREE_BLOCK] = {{0}};
        int some = f - j < GDYN_TREE_BLOCK ? f - j : GDYN_TREE_BLOCK;
        for (int i = 0; i < some; i++)
            load[i].qddot = d->here.K + nq * (size_t)(j + i);
        gdyn_tree_inverse(d, some, load, d->columns + nq * (size_t)j);
    }
    /* -K^T tau and K^T M K */
    for (int j = 0; j < f; j++) {
        const double *K = d->here.K + nq * (size_t)j;
        zddot[j] = 0 - gdyn_dot(d->nq, K, tau);
        for (int i = j; i < f; i++)
            d->square[i + f * j] = gdyn_dot(d->nq, K, d->columns + nq * (size_t)i);
    }
    /* positive definite unless something without inertia moves */
    if (gdyn_tree_cholesky(f, d->square, NULL) >= 0)
        return GDYN_ERROR_NUMERIC;
    gdyn_cholesky_solve(f, d->square, 1, zddot);
    return GDYN_OK;
}

/* Q_c^T x into out (rank). */
static void closing_part(const gdyn_tree_dynamics *d, const double *x, double *out) {
    for (int i = 0; i < d->condition.rank; i++) {
        out[i] = x[d->y[i]];
        for (int j = 0; j < d->condition.freedom; j++)
            out[i] -= d->here.K[(size_t)d->nq * (size_t)j + (size_t)d->y[i]] * x[d->z[j]];
    }
}

gdyn_status gdyn_tree_reaction_matrix(gdyn_tree_dynamics *d, double *N_c) {
    int rank = d->condition.rank;
    /* Q_c (n_q x rank): column i is 1 at the dependent coordinate y_i and -I_c^T at z */
    size_t nq = (size_t)d->nq;
    memset(d->columns, 0, nq * (size_t)rank * sizeof *d->columns);
    for (int i = 0; i < rank; i++) {
        double *Q = d->columns + nq * (size_t)i;
        Q[d->y[i]] = 1;
        for (int j = 0; j < d->condition.freedom; j++)
            Q[d->z[j]] = -d->here.K[nq * (size_t)j + (size_t)d->y[i]];
    }
    gdyn_status status = gdyn_tree_mass_solve(d, rank, d->columns);
    for (int i = 0; status == GDYN_OK && i < rank; i++)
        closing_part(d, d->columns + (size_t)d->nq * (size_t)i, N_c + (size_t)rank * (size_t)i);
    return status;
}

/* Eqs. 3 and 5: d->tau (k - J^T f) is left alone; q'' out. */
static gdyn_status react(gdyn_tree_dynamics *d, const double *tau, double *qddot) {
    int rank = d->condition.rank;
    double *lambda = d->extra;
    gdyn_status status = gdyn_tree_reaction_matrix(d, d->square);
    if (status != GDYN_OK)
        return status;
    /* q'' without closing reactions */
    for (int c = 0; c < d->nq; c++)
        qddot[c] = -tau[c];
    gdyn_tree_mass_solve(d, 1, qddot);
    closing_part(d, qddot, lambda);
    for (int i = 0; i < rank; i++) /* Q_c^T q'' = xi at the dependent coordinates */
        lambda[i] = d->xi[d->y[i]] - lambda[i];
    if (gdyn_tree_cholesky(rank, d->square, NULL) >= 0)
        return GDYN_ERROR_NUMERIC;
    gdyn_cholesky_solve(rank, d->square, 1, lambda);
    for (int i = 0; i < rank; i++) /* M^-1 Q_c stands in columns */
        for (int c = 0; c < d->nq; c++)
            qddot[c] += d->columns[(size_t)d->nq * (size_t)i + (size_t)c] * lambda[i];
    return GDYN_OK;
}

gdyn_status gdyn_tree_accelerate(gdyn_tree_dynamics *d, gdyn_tree_method method, const double *f,
                                 double *zddot, double *qddot, double *udot, double *lambda) {
    size_t nq = (size_t)d->nq;
    int freedom = d->condition.freedom;
    double few = freedom, r = d->condition.rank;
    bool cheaper = d->condition.massless < 0 && r * r * (r + d->nq) < few * few * (few + d->nq);
    bool reactions = method == GDYN_TREE_REACTIONS || (method == GDYN_TREE_CHEAPER && cheaper);
    /* forces missing at q'' = 0 or xi, then either method for q'' */
    gdyn_tree_load load = {.qddot = reactions ? NULL : d->xi, .f = f, .moving = true};
    double *q = d->work;
    gdyn_tree_inverse(d, 1, &load, d->tau);
    gdyn_status status;
    if (reactions) {
        status = react(d, d->tau, q);
    } else {
        double *z = d->dq; /* f of n_q */
        status = project(d, d->tau, z);
        memcpy(q, d->xi, nq * sizeof *q);
        for (int j = 0; j < freedom; j++)
            for (int c = 0; c < d->nq; c++)
                q[c] += d->here.K[nq * (size_t)j + (size_t)c] * z[j];
    }
    if (status != GDYN_OK)
        return status;
    /* what the caller asks for */
    for (int j = 0; zddot && j < freedom; j++)
        zddot[j] = q[d->z[j]];
    if (qddot)
        memcpy(qddot, q, nq * sizeof *q);
    if (lambda) { /* J_c^T lambda = M q'' + k - J^T f */
        gdyn_tree_inverse(d, 1, &(gdyn_tree_load){.qddot = q, .f = f, .moving = true}, d->tau);
        gdyn_tree_solve_transposed(d->pose, d->tau, lambda);
    }
    if (udot) {
        gdyn_tree_velocities(d->pose, q, udot);
        for (int i = 0; i < d->n; i++)
            udot[i] += d->bias[i];
    }
    return GDYN_OK;
}
