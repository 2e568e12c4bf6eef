/* orientation.c - whether a singular pose lies between two poses.
 *
 * Let J_0 = U S V^T at the marked pose (U, V: the parts of rank q) and J a later Jacobian of the
 * same rank. At the marked pose U^T J V = S, with positive determinant. Moving on continuously, the
 * determinant keeps its sign as long as the rank stays q and the ranges turn by less than a right
 * angle; when a singular value passes through zero it changes. Unlike a determinant of J itself
 * this needs no square system and no choice of rows. */
#include "closure/internal.h"

#include <string.h>

void gdyn_closure_mark(gdyn_closure *w) {
    const gdyn_svd *svd = w->svd;
    int q = svd->rank.rank;
    w->marked_rows = svd->m;
    w->marked_rank = q;
    memcpy(w->mark_U, svd->U, (size_t)svd->m * (size_t)q * sizeof *svd->U);
    for (int i = 0; i < q; i++)
        for (int j = 0; j < w->n; j++)
            w->mark_V[j + (size_t)w->n * i] = svd->Vt[i + (size_t)w->n * j];
}

/* -1 for an odd permutation; destroys it. */
static int parity(int n, int *p) {
    int sign = 1;
    for (int i = 0; i < n; i++)
        while (p[i] != i) {
            int j = p[i];
            p[i] = p[j];
            p[j] = j;
            sign = -sign;
        }
    return sign;
}

int gdyn_closure_orientation(gdyn_closure *w) {
    int q = w->marked_rank, rows = w->svd->m;
    if (q != w->svd->rank.rank || rows != w->marked_rows)
        return 0;
    if (q == 0)
        return 1;
    gdyn_gemm(0, 0, rows, q, w->n, 1, w->J, rows, w->mark_V, w->n, 0, w->MV, rows);
    gdyn_gemm(1, 0, q, q, rows, 1, w->mark_U, rows, w->MV, rows, 0, w->M, q);
    int *row = w->permutation, *column = w->permutation + w->n;
    gdyn_rank rank = gdyn_lu_complete(q, q, w->M, q, row, column, 1e-14);
    if (rank.rank < q)
        return 0;
    int sign = parity(q, row) * parity(q, column);
    for (int i = 0; i < q; i++)
        sign = w->M[i + (size_t)q * i] < 0 ? -sign : sign;
    return sign;
}
