/* blocks.c - see blocks.h.
 *
 * Nodes are renumbered in the order of their elimination. Column k of L has a block on the diagonal
 * and one for each later node that is joined to it by an edge or by fill: the neighbours of a node
 * are joined when it is eliminated. For k in order
 *   L_kk L_kk^T = A_kk,   L_ik = A_ik L_kk^-T,   A_ij := A_ij - L_ik L_jk^T   (i >= j > k)
 * Golub and Van Loan, section 4.2; George and Liu 1989, The evolution of the minimum degree
 * ordering algorithm. */
#include "linalg/blocks.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

struct gdyn_blocks {
    gdyn_arena *arena; /* of everything here */
    int nodes, size, stored;
    int *place; /* nodes: position in the order of elimination */
    int *first; /* nodes + 1: where the blocks of a column begin */
    int *row;   /* stored: positions of the rows, ascending; the diagonal first */
    double *A;  /* stored blocks of size x size, column-major, in the order of elimination */
    double *L;  /* the same */
    double *x;  /* nodes * size, in the order of elimination */
};

/* --- order and pattern ------------------------------------------------------------------------ */

/* The graph that is left while nodes are eliminated. */
typedef struct graph {
    int nodes;
    bool *joined; /* nodes x nodes, symmetric */
    int *degree;  /* nodes; -1: eliminated */
    int *order;   /* positions: nodes */
} graph;

static bool join(graph *g, int i, int j) {
    bool *one = &g->joined[(size_t)g->nodes * (size_t)i + (size_t)j];
    bool *other = &g->joined[(size_t)g->nodes * (size_t)j + (size_t)i];
    if (i == j || *one)
        return false;
    *one = *other = true;
    g->degree[i]++;
    g->degree[j]++;
    return true;
}

static bool are_joined(const graph *g, int i, int j) {
    return g->joined[(size_t)g->nodes * (size_t)i + (size_t)j];
}

/* Joins the neighbours that are left, and takes the node away; returns their number. */
static int eliminate(graph *g, int node, int *neighbour) {
    int count = 0;
    for (int i = 0; i < g->nodes; i++)
        if (g->degree[i] >= 0 && are_joined(g, node, i))
            neighbour[count++] = i;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            join(g, neighbour[a], neighbour[b]);
    for (int a = 0; a < count; a++)
        g->degree[neighbour[a]]--;
    g->degree[node] = -1;
    return count;
}

/* Order, pattern and room for the numbers; false: memory. */
static bool prepare(gdyn_blocks *s, graph *g, int edges, const int (*edge)[2], int *neighbour) {
    size_t nodes = (size_t)s->nodes, block = (size_t)s->size * (size_t)s->size;
    for (int i = 0; i < edges; i++)
        join(g, edge[i][0], edge[i][1]);
    /* order of minimum degree; what is joined at the end is the pattern of L + L^T */
    for (int k = 0; k < g->nodes; k++) {
        /* the node that is left with the fewest neighbours, the first one of several */
        int best = -1;
        for (int i = 0; i < g->nodes; i++)
            if (g->degree[i] >= 0 && (best < 0 || g->degree[i] < g->degree[best]))
                best = i;
        g->order[k] = best;
        s->stored += 1 + eliminate(g, best, neighbour);
    }
    s->place = gdyn_arena_alloc(s->arena, nodes + 1, sizeof *s->place);
    s->first = gdyn_arena_alloc(s->arena, nodes + 1, sizeof *s->first);
    s->row = gdyn_arena_alloc(s->arena, (size_t)s->stored + 1, sizeof *s->row);
    s->A = gdyn_arena_doubles(s->arena, (size_t)s->stored * block + 1);
    s->L = gdyn_arena_doubles(s->arena, (size_t)s->stored * block + 1);
    s->x = gdyn_arena_doubles(s->arena, nodes * (size_t)s->size + 1);
    if (gdyn_arena_failed(s->arena))
        return false;
    /* columns of L from the filled graph */
    int count = 0;
    for (int k = 0; k < s->nodes; k++)
        s->place[g->order[k]] = k;
    for (int k = 0; k < s->nodes; k++) {
        s->first[k] = count;
        s->row[count++] = k;
        for (int i = k + 1; i < s->nodes; i++)
            if (are_joined(g, g->order[k], g->order[i]))
                s->row[count++] = i;
    }
    s->first[s->nodes] = count;
    return true;
}

gdyn_blocks *gdyn_blocks_create(int nodes, int size, int edges, const int (*edge)[2]) {
    gdyn_arena *arena, *work = gdyn_arena_create();
    gdyn_blocks *s = gdyn_arena_begin(&arena, sizeof *s);
    size_t count = (size_t)nodes;
    graph g = {.nodes = nodes,
               .joined = gdyn_arena_alloc(work, count * count + 1, sizeof(bool)),
               .degree = gdyn_arena_alloc(work, count + 1, sizeof(int)),
               .order = gdyn_arena_alloc(work, count + 1, sizeof(int))};
    int *neighbour = gdyn_arena_alloc(work, count + 1, sizeof *neighbour);
    bool ok = s && !gdyn_arena_failed(work);
    if (ok) {
        s->arena = arena, s->nodes = nodes, s->size = size;
        ok = prepare(s, &g, edges, edge, neighbour);
    }
    gdyn_arena_destroy(work);
    if (!ok)
        gdyn_arena_destroy(arena);
    return ok ? s : NULL;
}

void gdyn_blocks_destroy(gdyn_blocks *s) {
    if (s)
        gdyn_arena_destroy(s->arena);
}

int gdyn_blocks_stored(const gdyn_blocks *s) {
    return s->stored;
}

/* --- the matrix ------------------------------------------------------------------------------- */

static size_t block_size(const gdyn_blocks *s) {
    return (size_t)s->size * (size_t)s->size;
}

void gdyn_blocks_clear(gdyn_blocks *s) {
    memset(s->A, 0, (size_t)s->stored * block_size(s) * sizeof *s->A);
}

/* block := block + x y^T; n is a constant where this is inlined. */
static inline void add_product(int n, double *restrict block, const double *x, const double *y) {
    for (int c = 0; c < n; c++)
        for (int r = 0; r < n; r++)
            block[r + n * c] += x[r] * y[c];
}

bool gdyn_blocks_add(gdyn_blocks *s, int i, int j, const double *x, const double *y) {
    int a = s->place[i], b = s->place[j];
    /* blocks below the diagonal stand for both */
    if (a < b)
        return gdyn_blocks_add(s, j, i, y, x);
    int t = s->first[b]; /* the block in row a and column b of the order */
    while (t < s->first[b + 1] && s->row[t] != a)
        t++;
    if (t == s->first[b + 1])
        return false;
    double *block = s->A + (size_t)t * block_size(s);
    if (s->size == 3)
        add_product(3, block, x, y);
    else if (s->size == 6)
        add_product(6, block, x, y);
    else
        add_product(s->size, block, x, y);
    return true;
}

double gdyn_blocks_greatest(const gdyn_blocks *s) {
    double most = 0;
    for (int k = 0; k < s->nodes; k++)
        for (int r = 0; r < s->size; r++)
            most =
                fmax(most, s->A[(size_t)s->first[k] * block_size(s) + (size_t)(r + s->size * r)]);
    return most;
}

/* --- factors ---------------------------------------------------------------------------------- */

/* L L^T = A in place, below the diagonal; false: not positive definite. */
static inline bool cholesky(int n, double *A) {
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++)
                A[i + n * j] -= A[i + n * k] * A[j + n * k];
        if (!(A[j + n * j] > 0) || isinf(A[j + n * j]))
            return false;
        double pivot = sqrt(A[j + n * j]), share = 1 / pivot;
        A[j + n * j] = pivot;
        for (int i = j + 1; i < n; i++)
            A[i + n * j] *= share;
    }
    return true;
}

/* B := B L^-T. */
static inline void divide(int n, const double *restrict L, double *restrict B) {
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = 0; i < n; i++)
                B[i + n * j] -= B[i + n * k] * L[j + n * k];
        double share = 1 / L[j + n * j];
        for (int i = 0; i < n; i++)
            B[i + n * j] *= share;
    }
}

/* C := C - A B^T. */
static inline void subtract(int n, double *restrict C, const double *A, const double *B) {
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                C[i + n * j] -= A[i + n * k] * B[j + n * k];
}

/* What column k changes in later ones. */
static inline void update(gdyn_blocks *s, int n, int k) {
    size_t size = (size_t)n * (size_t)n;
    for (int b = s->first[k] + 1; b < s->first[k + 1]; b++) {
        /* rows of column k from its b-th on are among those of that column */
        int t = s->first[s->row[b]];
        for (int a = b; a < s->first[k + 1]; a++) {
            while (s->row[t] != s->row[a])
                t++;
            subtract(n, s->L + (size_t)t * size, s->L + (size_t)a * size, s->L + (size_t)b * size);
        }
    }
}

/* n: size of the blocks, a constant where this is inlined. */
static inline bool factor(gdyn_blocks *s, int n, double shift) {
    size_t size = (size_t)n * (size_t)n;
    memcpy(s->L, s->A, (size_t)s->stored * size * sizeof *s->L);
    for (int k = 0; k < s->nodes; k++) {
        double *diagonal = s->L + (size_t)s->first[k] * size;
        for (int r = 0; r < n; r++)
            diagonal[r + n * r] += shift;
    }
    for (int k = 0; k < s->nodes; k++) {
        double *diagonal = s->L + (size_t)s->first[k] * size;
        if (!cholesky(n, diagonal))
            return false;
        for (int t = s->first[k] + 1; t < s->first[k + 1]; t++)
            divide(n, diagonal, s->L + (size_t)t * size);
        update(s, n, k);
    }
    return true;
}

bool gdyn_blocks_factor(gdyn_blocks *s, double shift) {
    return s->size == 3   ? factor(s, 3, shift)
           : s->size == 6 ? factor(s, 6, shift)
                          : factor(s, s->size, shift);
}

/* --- solution --------------------------------------------------------------------------------- */

/* y := y - B x, or y - B^T x. */
static inline void take(int n, const double *restrict B, bool transposed, const double *restrict x,
                        double *restrict y) {
    for (int j = 0; j < n; j++) {
        double sum = transposed ? y[j] : x[j];
        for (int i = 0; i < n; i++)
            if (transposed)
                sum -= B[i + n * j] * x[i];
            else
                y[i] -= B[i + n * j] * sum;
        if (transposed)
            y[j] = sum;
    }
}

/* L x = b or L^T x = b for a block of the diagonal. */
static inline void substitute(int n, const double *L, bool transposed, double *x) {
    for (int k = 0; k < n; k++) {
        int j = transposed ? n - 1 - k : k;
        if (transposed)
            for (int i = j + 1; i < n; i++)
                x[j] -= L[i + n * j] * x[i];
        x[j] /= L[j + n * j];
        for (int i = j + 1; !transposed && i < n; i++)
            x[i] -= L[i + n * j] * x[j];
    }
}

static inline void solve(const gdyn_blocks *s, int n, double *x) {
    size_t size = (size_t)n * (size_t)n;
    for (int i = 0; i < s->nodes; i++)
        memcpy(s->x + n * s->place[i], x + n * i, (size_t)n * sizeof *x);
    /* forward */
    for (int k = 0; k < s->nodes; k++) {
        substitute(n, s->L + (size_t)s->first[k] * size, false, s->x + n * k);
        for (int t = s->first[k] + 1; t < s->first[k + 1]; t++)
            take(n, s->L + (size_t)t * size, false, s->x + n * k, s->x + n * s->row[t]);
    }
    /* backward */
    for (int k = s->nodes - 1; k >= 0; k--) {
        for (int t = s->first[k] + 1; t < s->first[k + 1]; t++)
            take(n, s->L + (size_t)t * size, true, s->x + n * s->row[t], s->x + n * k);
        substitute(n, s->L + (size_t)s->first[k] * size, true, s->x + n * k);
    }
    for (int i = 0; i < s->nodes; i++)
        memcpy(x + n * i, s->x + n * s->place[i], (size_t)n * sizeof *x);
}

void gdyn_blocks_solve(const gdyn_blocks *s, double *x) {
    if (s->size == 3)
        solve(s, 3, x);
    else if (s->size == 6)
        solve(s, 6, x);
    else
        solve(s, s->size, x);
}
