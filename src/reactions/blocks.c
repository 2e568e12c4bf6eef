/* blocks.c - which joints share load.
 *
 * P = L L^T projects on null(C^T). It is block diagonal exactly where that space is a direct sum,
 * so the connected parts of the graph |P_ij| > 0 are the subsystems of constraints that are
 * redundant together; the trace of a block is its redundancy. For components the Gram matrix of
 * their changes H = (G^T N)(G^T N)^T plays that role: components of one connected part balance each
 * other. The drives stand among them where their forces are free too. */
#include "reactions/internal.h"

#include <math.h>

/* Entry (i, j) of the projector N N^T. */
static double dot_rows(const gdyn_basis *b, int i, int j) {
    double sum = 0;
    for (int c = 0; c < b->dim; c++)
        sum += b->N[i + c * b->ld] * b->N[j + c * b->ld];
    return sum;
}

/* Root of a set; paths are halved on the way. */
static int root_of(int *parent, int i) {
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join(int *parent, int i, int j) {
    int a = root_of(parent, i), b = root_of(parent, j);
    parent[a > b ? a : b] = a > b ? b : a;
}

/* Amounts as small as those of unique functions join nothing. */
static bool counts(double square) {
    return square > GDYN_ZERO_AMOUNT * GDYN_ZERO_AMOUNT;
}

/* Rows that share self-stress, and the redundancy of each such block. */
static void subsystems(gdyn_reactions *r) {
    struct gdyn_reactions_work *w = r->work;
    int *parent = w->mark;
    /* rows that share an entry of the projector belong together */
    for (int i = 0; i < r->rows; i++)
        parent[i] = i;
    for (int i = 0; i < r->rows; i++)
        for (int j = 0; j < i; j++)
            if (counts(dot_rows(&w->held, i, i)) && counts(dot_rows(&w->held, j, j)) &&
                counts(fabs(dot_rows(&w->held, i, j))))
                join(parent, i, j);
    /* the trace of each block is its redundancy */
    r->subsystems = 0;
    for (int i = 0; i < r->rows; i++) {
        double share = dot_rows(&w->held, i, i);
        r->subsystem_of[i] = -1;
        /* rows that no self-stress touches belong to none */
        if (!counts(share))
            continue;
        int root = root_of(parent, i);
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
    const struct gdyn_reactions_work *w = r->work;
    if (c >= r->components)
        return basis->ld > r->rows ? basis->N[r->rows + c - r->components + d * basis->ld] : 0;
    const double *g = w->G + (size_t)c * (size_t)r->rows;
    double sum = 0;
    for (int i = 0; i < r->rows; i++)
        sum += g[i] * basis->N[i + d * basis->ld];
    return sum;
}

/* Inner product of the changes of i and j over all directions. */
static double dot_changes(const double *H, int count, int dim, int i, int j) {
    double sum = 0;
    for (int d = 0; d < dim; d++)
        sum += H[i + d * count] * H[j + d * count];
    return sum;
}

/* Components and drives whose changes are not orthogonal form one block. */
static void block_of_changes(gdyn_reactions *r, const double *H, int dim) {
    int count = r->components + r->efforts, *parent = r->work->mark;
    for (int i = 0; i < count; i++)
        parent[i] = i;
    /* components with an inner product of changes balance each other */
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (counts(dot_changes(H, count, dim, i, i)) &&
                counts(dot_changes(H, count, dim, j, j)) &&
                counts(fabs(dot_changes(H, count, dim, i, j))))
                join(parent, i, j);
    /* the root's number names the block */
    for (int i = 0; i < count; i++) {
        int block = counts(dot_changes(H, count, dim, i, i)) ? root_of(parent, i) : -1;
        if (i < r->components)
            gdyn_reactions_component(r, i)->block = block;
        else
            r->drive_block[i - r->components] = block;
    }
}

/* With drives among the unknowns where there are some. */
void gdyn_reactions_blocks(gdyn_reactions *r) {
    struct gdyn_reactions_work *w = r->work;
    subsystems(r);
    const gdyn_basis *basis = r->efforts > 0 ? &w->with_drives : &w->held;
    int count = r->components + r->efforts;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < basis->dim; d++)
            w->matrix[i + d * count] = change(r, basis, i, d);
    block_of_changes(r, w->matrix, basis->dim);
}
