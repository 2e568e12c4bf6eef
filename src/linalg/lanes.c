/* lanes.c - inverses of small matrices in lanes.
 *
 * Cofactors lose about as many digits as the condition number has, like elimination with pivots;
 * callers refuse matrices whose inverse is large. */
#define GDYN_LANES 4
#include "linalg/lanes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Smallest share of a pivot in the largest entry that is left, in every lane: a smaller one
 * enlarges rounding by its inverse. */
static const double SOUND = 0.01;

static gdyn_lanes inverse_of_two(const gdyn_lanes *A, int width, gdyn_lanes *X) {
    const gdyn_lanes *a = A, *b = A + width;
    gdyn_lanes det = a[0] * b[1] - a[1] * b[0], factor = 1 / det;
    X[0] = factor * b[1], X[1] = -factor * a[1], X[2] = -factor * b[0];
    X[3] = factor * a[0];
    return det;
}

static gdyn_lanes inverse_of_three(const gdyn_lanes *A, int width, gdyn_lanes *X) {
    gdyn_wide3 a = {A[0], A[1], A[2]}, b = {A[width], A[width + 1], A[width + 2]};
    gdyn_wide3 c = {A[2 * width], A[2 * width + 1], A[2 * width + 2]};
    gdyn_wide3 bc = w3_cross(b, c), ca = w3_cross(c, a), ab = w3_cross(a, b);
    gdyn_lanes det = w3_dot(a, bc), factor = 1 / det;
    gdyn_wide3 column[3] = {w3_scale(factor, bc), w3_scale(factor, ca), w3_scale(factor, ab)};
    for (int j = 0; j < 3; j++) {
        X[j] = column[j].x;
        X[3 + j] = column[j].y;
        X[6 + j] = column[j].z;
    }
    return det;
}

/* C := factor A B, all 3 x 3; rows of C lie `width` apart. */
static void multiply(double factor, const gdyn_lanes A[9], const gdyn_lanes *B, int b_width,
                     gdyn_lanes *C, int width) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[i * width + j] = factor * (A[3 * i] * B[j] + A[3 * i + 1] * B[b_width + j] +
                                         A[3 * i + 2] * B[2 * b_width + j]);
}

/* A = [B C; 0 D] of 3 x 3 blocks, as a hub's point and its turns have it: [B^-1  -B^-1 C D^-1; 0
 * D^-1]. */
static gdyn_lanes inverse_of_triangle(const gdyn_lanes *A, int width, gdyn_lanes *X) {
    gdyn_lanes B[9], D[9], BC[9];
    gdyn_lanes det = inverse_of_three(A, width, B) * inverse_of_three(A + 3 * width + 3, width, D);
    multiply(-1, B, A + 3, width, BC, 3), multiply(1, BC, D, 3, X + 3, 6);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            X[6 * i + j] = B[3 * i + j];
            X[6 * (3 + i) + j] = l_all(0);
            X[6 * (3 + i) + 3 + j] = D[3 * i + j];
        }
    return det;
}

/* The lower left 3 x 3 block is zero in all lanes. */
static bool is_triangle(const gdyn_lanes *A, int width) {
    gdyn_lane_bits zero = {-1, -1, -1, -1};
    for (int i = 3; i < 6; i++)
        for (int j = 0; j < 3; j++)
            zero &= (gdyn_lane_bits)(A[i * width + j] == 0);
    return l_holds(zero);
}

/* Largest entry of the first lane in rows and columns that have no pivot yet, and of every lane;
 * false: none is a number. */
static bool find_pivot(int n, const gdyn_lanes *W, const int *row_of, const int *column_of,
                       int *row, int *column, gdyn_lanes *most) {
    double best = -1;
    *most = l_all(0);
    for (int i = 0; i < n; i++)
        for (int j = 0; column_of[i] < 0 && j < n; j++) {
            if (row_of[j] >= 0)
                continue;
            gdyn_lanes size = l_abs(W[2 * n * i + j]);
            *most = l_greater(size, *most);
            if (size[0] > best) {
                best = size[0];
                *row = i, *column = j;
            }
        }
    return best >= 0;
}

/* W = [A 1]: the pivot's row divided by it, its multiples subtracted from the others. */
static void eliminate(int n, gdyn_lanes *W, int row, int column) {
    gdyn_lanes *pivot = W + 2 * n * row, factor = 1 / pivot[column];
    for (int j = 0; j < 2 * n; j++)
        pivot[j] *= factor;
    for (int i = 0; i < n; i++) {
        gdyn_lanes *other = W + 2 * n * i, times = other[column];
        /* rows of a hub's point and of its turns know little of each other */
        bool none = l_holds(times == 0);
        for (int j = 0; i != row && !none && j < 2 * n; j++)
            other[j] -= times * pivot[j];
    }
}

static gdyn_lanes inverse_by_steps(int n, const gdyn_lanes *A, int width, gdyn_lanes *X) {
    gdyn_lanes W[2 * GDYN_INVERSE_MOST * GDYN_INVERSE_MOST], det = l_all(1);
    int row_of[GDYN_INVERSE_MOST], column_of[GDYN_INVERSE_MOST];
    memset(W, 0, sizeof W);
    for (int i = 0; i < n; i++) {
        memcpy(W + 2 * n * i, A + width * i, (size_t)n * sizeof *W);
        W[2 * n * i + n + i] = l_all(1);
        row_of[i] = column_of[i] = -1;
    }
    for (int k = 0; k < n; k++) {
        int row = 0, column = 0;
        gdyn_lanes most;
        if (!find_pivot(n, W, row_of, column_of, &row, &column, &most)) {
            for (int i = 0; i < n * n; i++)
                X[i] = l_all(NAN);
            return l_all(NAN);
        }
        gdyn_lanes pivot = W[2 * n * row + column];
        det *= l_choose((gdyn_lane_bits)(l_abs(pivot) >= SOUND * most), pivot, l_all(NAN));
        eliminate(n, W, row, column);
        column_of[row] = column;
        row_of[column] = row;
    }
    for (int j = 0; j < n; j++)
        memcpy(X + n * j, W + 2 * n * row_of[j] + n, (size_t)n * sizeof *X);
    /* sign of the permutation of rows */
    double sign = 1;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            sign = row_of[i] > row_of[j] ? -sign : sign;
    return det * sign;
}

void gdyn_lanes_inverse(int n, const gdyn_lanes *A, int width, gdyn_lanes *X, gdyn_lanes *det) {
    if (n == 0) {
        *det = l_all(1);
    } else if (n == 1) {
        X[0] = 1 / A[0];
        *det = A[0];
    } else {
        *det = n == 2                            ? inverse_of_two(A, width, X)
               : n == 3                          ? inverse_of_three(A, width, X)
               : n == 6 && is_triangle(A, width) ? inverse_of_triangle(A, width, X)
                                                 : inverse_by_steps(n, A, width, X);
    }
}
