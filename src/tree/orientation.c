/* orientation.c - on which side of the singular poses a pose lies.
 *
 * Without freedom left the conditions hold a square system K of n_q independent rows. det K is the product of all
 * pivots with the sign of the permutation from columns to rows: eliminating a leg first and the border
 * after it are steps of one Gaussian elimination. Along a path it changes its sign where K is singular. Where the
 * legs follow from their own conditions, det K is the product of their determinants and of that of the hubs, and each
 * factor is watched by itself. */
#include "tree/internal.h"

#include <string.h>

/* Sign of the permutation that sorts the rows of the pivots; rows that are no pivots are skipped. */
static int permutation_sign(const int *row_at, int columns) {
    int sign = 1;
    for (int i = 0; i < columns; i++)
        for (int j = i + 1; j < columns; j++)
            sign = row_at[i] > row_at[j] ? -sign : sign;
    return sign;
}

static int determinant_sign(const gdyn_tree_pose *pose) {
    int sign = pose->border.sign * permutation_sign(pose->row_at, pose->tree->coordinates);
    for (int l = 0; l < pose->tree->legs; l++)
        sign *= pose->leg[l].sign;
    return sign;
}

/* Sign of the determinant of those rows at the pose that are the pivots' at another, in their order. */
static int sign_of_rows(const gdyn_tree_pose *rows_of, gdyn_tree_pose *pose) {
    int n = pose->tree->coordinates;
    for (int i = 0; i < n; i++)
        memcpy(pose->square + (size_t)n * (size_t)i,
               pose->value + (size_t)n * (size_t)rows_of->row_at[i], (size_t)n * sizeof(double));
    return gdyn_det_sign(n, pose->square, n, pose->pivot);
}

/* Sign of the determinant of a table whose rows and columns all have pivots. */
static int table_sign(const gdyn_tree_table *t) {
    return t->sign * permutation_sign(t->column_of, t->rows);
}

static bool square(const gdyn_tree_table *t) {
    return t->rows == t->own && t->rank == t->own;
}

/* Whether the legs are determined by their own conditions, so that K is block triangular: all other rows hold
 * coordinates of hubs only. */
static bool legs_apart(const gdyn_tree_pose *pose) {
    bool apart = square(&pose->border);
    for (int l = 0; l < pose->tree->legs && apart; l++)
        apart = square(&pose->leg[l]);
    for (int i = 0; i < pose->border.rows && apart; i++)
        apart = pose->hubs_only[pose->origin[i]];
    return apart;
}

/* Leg by leg: in the whole determinant two legs that change their sides would cancel. */
static int orientation_of_legs(const gdyn_tree_pose *from, const gdyn_tree_pose *to) {
    bool same = table_sign(&from->border) == table_sign(&to->border);
    for (int l = 0; l < to->tree->legs && same; l++)
        same = table_sign(&from->leg[l]) == table_sign(&to->leg[l]);
    return same ? 1 : -1;
}

int gdyn_tree_orientation(const gdyn_tree_pose *from, gdyn_tree_pose *to) {
    int n = to->tree->coordinates, rows = to->tree->closing + to->targets;
    bool same = from->targets == to->targets, complete = true;
    for (int c = 0; c < n; c++)
        complete = complete && from->row_at[c] >= 0 && to->row_at[c] >= 0;
    if (!same || !complete)
        return 0;
    if (legs_apart(from) && legs_apart(to))
        return orientation_of_legs(from, to);
    if (rows == n)
        return determinant_sign(from) * determinant_sign(to);
    /* With redundant rows another choice may be the better one here: the sign of the first choice counts. */
    return determinant_sign(from) * sign_of_rows(from, to) * permutation_sign(from->row_at, n);
}
