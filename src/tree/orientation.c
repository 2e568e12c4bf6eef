/* orientation.c - on which side of the singular poses a pose lies.
 *
 * Without freedom left the conditions hold a square system K of n_q independent rows. det K is the
 * product of all pivots with the sign of the permutation from columns to rows: eliminating a leg
 * first and the border after it are steps of one Gaussian elimination. Along a path it changes its
 * sign where K is singular. Where the legs follow from their own conditions, det K is the product
 * of their determinants and of that of the hubs, and each factor is watched by itself. */
#include "tree/internal.h"

#include <string.h>

/* Sign of the permutation from those columns to the rows of their pivots, both in their order. */
static int permutation_sign(gdyn_tree_pose *pose, const int *row_of, int rows, const int *row,
                            int columns, const int *column) {
    int sign = 1, count = 0;
    /* places of the pivots' rows among each other */
    for (int i = 0; i < rows; i++)
        pose->order_of[row[i]] = -1;
    for (int j = 0; j < columns; j++)
        pose->order_of[row_of[column[j]]] = 0;
    for (int i = 0; i < rows; i++)
        if (pose->order_of[row[i]] == 0)
            pose->order_of[row[i]] = count++;
    for (int j = 0; j < columns; j++)
        pose->seen[j] = false;
    /* a cycle of even length changes the sign */
    for (int j = 0; j < columns; j++) {
        int length = 0;
        for (int k = j; !pose->seen[k]; k = pose->order_of[row_of[column[k]]], length++)
            pose->seen[k] = true;
        sign = length > 0 && length % 2 == 0 ? -sign : sign;
    }
    return sign;
}

static int pivots_sign(const gdyn_sparse *t, int from, int to) {
    int sign = 1;
    for (int i = from; i < to; i++)
        sign = t->pivot[i] < 0 ? -sign : sign;
    return sign;
}

/* Of the pivots' rows; work: for its lists. */
static int determinant_sign(gdyn_tree_pose *work, const gdyn_tree_pose *of) {
    return pivots_sign(&of->table, 0, of->table.steps) *
           permutation_sign(work, of->table.row_of, of->tree->closing + of->targets, of->all,
                            of->tree->coordinates, of->tree->every);
}

/* Sign of the determinant at the pose of those rows that are the pivots' at another. */
static int sign_of_rows(const gdyn_tree_pose *rows_of, gdyn_tree_pose *pose) {
    int rows = pose->tree->closing + pose->targets, n = pose->tree->coordinates;
    const bool *theirs = rows_of->table.settled;
    if (memcmp(theirs, pose->table.settled, (size_t)rows * sizeof *theirs) == 0)
        return determinant_sign(pose, pose);
    /* eliminated without the others */
    memcpy(pose->only, theirs, (size_t)rows * sizeof *theirs);
    gdyn_tree_eliminate_rows(pose, false);
    int sign = pose->table.steps == n ? determinant_sign(pose, pose) : 0;
    gdyn_tree_eliminate_rows(pose, true);
    return sign;
}

/* Whether the legs are determined by their own conditions, so that K is block triangular: all other
 * rows hold coordinates of hubs only. */
static bool legs_apart(const gdyn_tree_pose *pose) {
    const gdyn_tree *tree = pose->tree;
    int rows = tree->closing + pose->targets;
    bool apart = rows == tree->coordinates && pose->table.steps == rows;
    for (int l = 0; l < tree->legs && apart; l++) {
        int own = pose->leg_step[l + 1] - pose->leg_step[l];
        apart = own == tree->leg[l].rows && own == tree->leg[l].columns;
    }
    for (int i = 0; i < rows && apart; i++)
        apart = pose->hubs_only[i] || (i < tree->closing && tree->row_leg[i] >= 0);
    return apart;
}

/* Sign of the determinant of a leg that its own conditions determine. */
static int leg_sign(gdyn_tree_pose *work, const gdyn_tree_pose *of, int l) {
    const gdyn_tree_leg *leg = &of->tree->leg[l];
    return pivots_sign(&of->table, of->leg_step[l], of->leg_step[l + 1]) *
           permutation_sign(work, of->table.row_of, leg->rows, leg->row, leg->columns, leg->column);
}

int gdyn_tree_orientation(const gdyn_tree_pose *from, gdyn_tree_pose *to) {
    int n = to->tree->coordinates, rows = to->tree->closing + to->targets;
    bool complete = from->table.steps == n && to->table.steps == n;
    if (from->targets != to->targets || !complete)
        return 0;
    if (legs_apart(from) && legs_apart(to)) {
        /* leg by leg: in the whole determinant two legs that change their sides would cancel */
        bool same = determinant_sign(to, from) == determinant_sign(to, to);
        for (int l = 0; l < to->tree->legs && same; l++)
            same = leg_sign(to, from, l) == leg_sign(to, to, l);
        return same ? 1 : -1;
    }
    if (rows == n)
        return determinant_sign(to, from) * determinant_sign(to, to);
    /* With redundant rows another choice may be the better one here: the sign of the first choice
     * counts. */
    return determinant_sign(to, from) * sign_of_rows(from, to);
}
