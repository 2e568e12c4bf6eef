/* echelon.c - Gauss and Jordan: a pivot's column is cleared in all other rows.
 *
 * Two choices of pivots: the largest entry of the column, for a regular matrix with right-hand
 * sides beside it; the largest entry that is left, for a basis whose vectors shall be as sparse as
 * its space allows. Matrices are row-major, so that the loop over a row runs through memory in
 * order. */
#include "linalg/linalg.h"

#include <assert.h>
#include <math.h>

static void swap_rows(double *M, int width, int i, int k) {
    for (int j = 0; j < width && i != k; j++) {
        double t = M[i * width + j];
        M[i * width + j] = M[k * width + j];
        M[k * width + j] = t;
    }
}

/* Subtracts multiples of the pivot's row from all others, so that its column is zero there. Columns
 * before `from` are known to be zero in the pivot's row. */
static void clear(double *M, int rows, int width, int from, int row, int column) {
    for (int i = 0; i < rows; i++) {
        double f = i == row ? 0 : M[i * width + column] / M[row * width + column];
        for (int j = from; j < width && f != 0; j++)
            M[i * width + j] -= f * M[row * width + j];
    }
}

bool gdyn_gauss_jordan(double *M, int n, int width, double least) {
    assert(width >= n);
    for (int c = 0; c < n; c++) {
        /* the largest entry of the column on or below the diagonal */
        int best = c;
        for (int i = c + 1; i < n; i++)
            if (fabs(M[i * width + c]) > fabs(M[best * width + c]))
                best = i;
        if (!(fabs(M[best * width + c]) > least))
            return false;
        swap_rows(M, width, c, best);
        clear(M, n, width, c, c, c);
    }
    /* the matrix is diagonal now: rows over their pivots */
    for (int i = 0; i < n; i++)
        for (int j = width - 1; j >= i; j--)
            M[i * width + j] /= M[i * width + i];
    return true;
}

void gdyn_reduced_echelon(double *M, int rows, int width) {
    for (int r = 0; r < rows; r++) {
        /* the largest entry of the rows that are left */
        int row = r, column = 0;
        for (int i = r; i < rows; i++)
            for (int j = 0; j < width; j++)
                if (fabs(M[i * width + j]) > fabs(M[row * width + column]))
                    row = i, column = j;
        double pivot = M[row * width + column];
        if (pivot == 0)
            return;
        /* its row comes next, with a one at the pivot, and is cleared from all others */
        swap_rows(M, width, r, row);
        for (int j = 0; j < width; j++)
            M[r * width + j] /= pivot;
        clear(M, rows, width, 0, r, column);
    }
}
