/* orientation.c - whether a singular pose lies between two poses.
 *
 * At the marked pose J_0^T P = Q R with rank q; Q_1 the first q columns of Q, P_1 the independent rows.
 * There P_1^T J_0 Q_1 = R_11^T. For a later J of the same rank, det(P_1^T J Q_1) keeps the sign of
 * det R_11 as long as the rank stays q and the range turns by less than a right angle; when a singular
 * value passes through zero the sign changes. Where nothing is left free the conditions on the joint
 * coordinates answer the same question (tree/orientation.c). */
#include "closure/internal.h"

#include <string.h>

void gdyn_closure_forget_step(gdyn_closure *w) {
    w->past[0].step = 0;
}

/* The factors of this step become those to compare with; its rates predict the next one. */
void gdyn_closure_mark_step(gdyn_closure *w, double h) {
    size_t bytes = (size_t)gdyn_tree_coordinates(w->tree) * sizeof(double);
    gdyn_past before = w->past[1];
    bool known = w->marked && w->marked_clear && w->by_tree;
    const double *rate, *acceleration;
    w->past[1] = w->past[0];
    w->past[0] = before;
    if (known) {
        gdyn_ahead_motion(w, &rate, &acceleration);
        memcpy(before.rate, rate, bytes);
        memcpy(before.acceleration, acceleration, bytes);
    }
    gdyn_closure_mark(w);
    w->past[0].step = known ? h : 0;
}

/* The pose at hand becomes the one to compare with. */
void gdyn_closure_mark(gdyn_closure *w) {
    w->past[0].step = 0;
    w->marked_by_tree = w->complete;
    w->marked_clear = w->by_tree;
    w->at_mark = true;
    if (gdyn_ahead_mark(w)) {
        w->complete = w->by_tree = false;
        w->marked = true;
        return;
    }
    /* in joint coordinates where they are complete */
    if (w->complete) {
        gdyn_tree_pose *pose = w->marked_joints;
        w->marked_joints = w->joints;
        w->joints = pose;
        w->complete = w->by_tree = false;
        w->marked = true;
        return;
    }
    /* QR factors are kept, or made anew */
    if (w->by_qr) {
        gdyn_qr *qr = w->mark;
        w->mark = w->qr;
        w->qr = qr;
        w->by_qr = false;
        w->marked = true;
    } else {
        w->marked = gdyn_closure_factor(w, w->mark, w->rows, 0) == GDYN_OK;
    }
}

/* Sign of det between the marked pose and this one: -1: a singular pose lies in between, 0: unknown. */
int gdyn_closure_orientation(gdyn_closure *w) {
    int orientation;
    if (w->marked && w->at_mark)
        return 1;
    if (gdyn_ahead_orientation(w, &orientation))
        return orientation;
    gdyn_ahead_factor_mark(w);
    if (w->marked && w->marked_by_tree)
        return w->complete ? gdyn_tree_orientation(w->marked_joints, w->joints) : 0;
    if (w->complete)
        return 0; /* the marked pose left freedom */
    int q = w->mark->rank.rank, n = w->n;
    if (!w->marked || q != w->rank.rank || w->rows != w->mark->n)
        return 0;
    /* rows of the marked pose's pivots, in the basis of its QR: their determinant */
    for (int i = 0; i < q; i++)
        for (int j = 0; j < n; j++)
            w->M[j + (size_t)n * i] = w->J[w->mark->pivot[i] + (size_t)w->rows * j];
    gdyn_qr_apply_qt(w->mark, q, w->M, n);
    int sign = gdyn_det_sign(q, w->M, n, w->pivot);
    /* the sign of R at the marked pose */
    for (int i = 0; i < q; i++)
        sign = w->mark->QR[i + (size_t)n * i] < 0 ? -sign : sign;
    return sign;
}
