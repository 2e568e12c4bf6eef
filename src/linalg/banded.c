/* banded.c - singular values of a large sparse matrix whose rows couple neighbours.
 *
 * Columns that share a row are neighbours; numbered level by level from one end of that graph
 * (Cuthill and McKee, 1969) they make rows short. Rotations of the rows one by one (George and
 * Heath, 1980) give the triangular factor R, whose band is as wide as the longest row, however many
 * rows there are; rotations from both sides (LAPACK dgbbrd) take the band off R. All steps are
 * orthogonal: the values are as good as those of the dense matrix. Of N columns and a band b this
 * takes about 6 N^2 b operations, the dense way 4/3 N^3 and more. */
#include "linalg/linalg.h"

#include "base/memory.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Fewer columns, or a band that is not this many times narrower than they are, are left to the
 * dense way. */
enum { LEAST_COLUMNS = 150, NARROWER = 4 };

/* The longer side of A lies along the rows: M >= N; entry (i, j) is A[row_step i + column_step
 * j]. */
typedef struct banded {
    const double *A;
    int M, N;
    size_t row_step, column_step;
    int *start, *entry; /* M + 1: columns of row i are entry[start[i]] to entry[start[i + 1] - 1] */
    int *head, *row_of; /* N + 1: the same by columns */
    int *order, *place; /* N: columns in their new order; the place of each */
    int band;           /* superdiagonals of R */
    double *R;          /* (band + 1) x N: row j of R from its diagonal on */
    double *row;        /* band + 1 entries of the row that is rotated in */
} banded;

static double at(const banded *b, int i, int j) {
    return b->A[b->row_step * (size_t)i + b->column_step * (size_t)j];
}

/* Entries that are not zero, by rows and by columns; false: memory. */
static bool find_entries(banded *b, gdyn_arena *arena) {
    size_t M = (size_t)b->M, N = (size_t)b->N, count = 0;
    b->start = gdyn_arena_alloc(arena, M + 1, sizeof *b->start);
    b->head = gdyn_arena_alloc(arena, N + 2, sizeof *b->head);
    if (!b->start || !b->head)
        return false;
    for (int i = 0; i < b->M; i++) {
        b->start[i] = (int)count;
        for (int j = 0; j < b->N; j++)
            if (at(b, i, j) != 0) {
                b->head[j + 2]++;
                count++;
            }
    }
    b->start[b->M] = (int)count;
    b->entry = gdyn_arena_alloc(arena, count + 1, sizeof *b->entry);
    b->row_of = gdyn_arena_alloc(arena, count + 1, sizeof *b->row_of);
    if (!b->entry || !b->row_of)
        return false;
    for (int j = 0; j < b->N; j++)
        b->head[j + 2] += b->head[j + 1];
    for (int i = 0, e = 0; i < b->M; i++)
        for (int j = 0; j < b->N; j++)
            if (at(b, i, j) != 0) {
                b->entry[e++] = j;
                b->row_of[b->head[j + 1]++] = i;
            }
    return true;
}

/* Numbers the columns that can be reached from `first`, level by level, behind the first `count`;
 * returns how many are numbered then. */
static int spread(banded *b, int first, int count) {
    b->order[count] = first, b->place[first] = count;
    int end = count + 1;
    for (int k = count; k < end; k++) {
        int column = b->order[k];
        for (int r = b->head[column]; r < b->head[column + 1]; r++)
            for (int e = b->start[b->row_of[r]]; e < b->start[b->row_of[r] + 1]; e++)
                if (b->place[b->entry[e]] < 0) {
                    b->place[b->entry[e]] = end;
                    b->order[end++] = b->entry[e];
                }
    }
    return end;
}

/* All columns in an order in which those of a row lie close together. */
static void number_columns(banded *b) {
    for (int j = 0; j < b->N; j++)
        b->place[j] = -1;
    for (int first = 0, count = 0; first < b->N; first++) {
        if (b->place[first] >= 0)
            continue;
        /* from any column to one that is far from it, and from there again: the levels are
         * narrow */
        int from = first, end = count;
        for (int pass = 0; pass < 3; pass++) {
            end = spread(b, from, count);
            from = b->order[end - 1];
            for (int k = count; k < end && pass < 2; k++)
                b->place[b->order[k]] = -1;
        }
        count = end;
    }
}

/* First and last place of row i; first > last: the row is zero. */
static void ends_of(const banded *b, int i, int *first, int *last) {
    *first = b->N, *last = -1;
    for (int e = b->start[i]; e < b->start[i + 1]; e++) {
        int place = b->place[b->entry[e]];
        *first = place < *first ? place : *first;
        *last = place > *last ? place : *last;
    }
}

/* Rotates the row, which begins at column j, into R. */
static void rotate_in(banded *b, int j) {
    int width = b->band + 1;
    double *x = b->row;
    for (; j < b->N; j++) {
        double *r = b->R + (size_t)width * (size_t)j;
        if (x[0] != 0) {
            double size = hypot(r[0], x[0]), c = r[0] / size, s = x[0] / size;
            for (int k = 0; k < width; k++) {
                double above = r[k], below = x[k];
                r[k] = c * above + s * below;
                x[k] = c * below - s * above;
            }
        }
        /* one column is done: the row moves on by one */
        double any = 0;
        for (int k = 1; k < width; k++) {
            x[k - 1] = x[k];
            any += fabs(x[k]);
        }
        x[width - 1] = 0;
        if (any == 0)
            return;
    }
}

/* Singular values of R, descending. */
static bool values_of_triangle(banded *b, gdyn_arena *arena, double *s) {
    int N = b->N, width = b->band + 1;
    size_t n = (size_t)N;
    double *AB = gdyn_arena_doubles(arena, (size_t)width * n), *e = gdyn_arena_doubles(arena, n);
    double *work = gdyn_arena_doubles(arena, 4 * n), none = 0;
    if (!AB || !e || !work)
        return false;
    /* LAPACK's storage by columns: R_ij at AB[band + i - j + width j] */
    for (int i = 0; i < N; i++)
        for (int k = 0; k < width && i + k < N; k++)
            AB[b->band - k + (size_t)width * (size_t)(i + k)] = b->R[(size_t)width * (size_t)i + k];
    return LAPACKE_dgbbrd_work(LAPACK_COL_MAJOR, 'N', N, N, 0, 0, b->band, AB, width, s, e, &none,
                               1, &none, 1, &none, 1, work) == 0 &&
           LAPACKE_dbdsqr_work(LAPACK_COL_MAJOR, 'U', N, 0, 0, 0, s, e, &none, 1, &none, 1, &none,
                               1, work) == 0;
}

/* Order, triangle and values; false: not banded, or no memory. */
static bool run(banded *b, gdyn_arena *arena, double *s) {
    size_t N = (size_t)b->N;
    b->order = gdyn_arena_alloc(arena, N, sizeof *b->order);
    b->place = gdyn_arena_alloc(arena, N, sizeof *b->place);
    if (!b->order || !b->place || !find_entries(b, arena))
        return false;
    number_columns(b);
    b->band = 0;
    for (int i = 0, first, last; i < b->M; i++) {
        ends_of(b, i, &first, &last);
        b->band = last - first > b->band ? last - first : b->band;
    }
    if (NARROWER * b->band > b->N)
        return false;
    b->R = gdyn_arena_doubles(arena, (size_t)(b->band + 1) * N);
    b->row = gdyn_arena_doubles(arena, (size_t)b->band + 1);
    if (!b->R || !b->row)
        return false;
    for (int i = 0, first, last; i < b->M; i++) {
        ends_of(b, i, &first, &last);
        if (first > last)
            continue;
        memset(b->row, 0, (size_t)(b->band + 1) * sizeof *b->row);
        for (int e = b->start[i]; e < b->start[i + 1]; e++)
            b->row[b->place[b->entry[e]] - first] = at(b, i, b->entry[e]);
        rotate_in(b, first);
    }
    return values_of_triangle(b, arena, s);
}

bool gdyn_banded_values(int m, int n, const double *A, int lda, double *s) {
    bool tall = m >= n;
    banded b = {.A = A,
                .M = tall ? m : n,
                .N = tall ? n : m,
                .row_step = tall ? 1 : (size_t)lda,
                .column_step = tall ? (size_t)lda : 1};
    if (b.N < LEAST_COLUMNS)
        return false;
    gdyn_arena *arena = gdyn_arena_create();
    bool good = arena && run(&b, arena, s);
    gdyn_arena_destroy(arena);
    return good;
}
