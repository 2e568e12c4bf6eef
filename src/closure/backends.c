/* backends.c - which way closes the machine, and which takes its derivatives.
 *
 * Three ways answer the same questions: several points of a path at once in SIMD lanes, joint coordinates of the
 * spanning tree, dense factorizations of all rows. Each answers where every decision is clear to it and leaves the
 * question to the next one elsewhere; the last one always answers. What they find is the same to rounding. */
#include "closure/internal.h"

static const gdyn_backend *const backends[] = {&gdyn_lanes_backend, &gdyn_joints_backend,
                                               &gdyn_dense_backend};
enum { BACKENDS = sizeof backends / sizeof *backends };

gdyn_closure_outcome gdyn_closing_newton(gdyn_closing_system *q) {
    gdyn_closure_outcome outcome = GDYN_CLOSURE_STALLED;
    for (int i = 0; i < BACKENDS; i++)
        if (backends[i]->newton && backends[i]->newton(q, &outcome))
            break;
    return outcome;
}

void gdyn_closing_rank(gdyn_closing_system *q, gdyn_rank *rank) {
    for (int i = 0; i < BACKENDS; i++)
        if (backends[i]->rank && backends[i]->rank(q, rank))
            return;
}

gdyn_status gdyn_closure_derivatives_fast(gdyn_closure *w, const gdyn_state *state, int count,
                                          const gdyn_target *targets, const double *weights,
                                          double *u_p, double *u_pp, gdyn_closure_rates *info) {
    gdyn_status status = GDYN_OK;
    w->at_mark = false;
    for (int i = 0; i < BACKENDS; i++)
        if (backends[i]->rates &&
            backends[i]->rates(w, state, count, targets, weights, u_p, u_pp, info, &status))
            break;
    return status;
}

gdyn_status gdyn_closure_advance(gdyn_closure *w, const gdyn_closure_step *step,
                                 const gdyn_closed_pose *from, gdyn_closed_pose *to,
                                 gdyn_closure_info *info, bool *closed) {
    gdyn_status status = GDYN_OK;
    gdyn_answer answer = GDYN_ANSWER_NONE;
    for (int i = 0; i < BACKENDS && answer == GDYN_ANSWER_NONE; i++)
        answer = backends[i]->step(w, step, from, to, info, &status);
    *closed = answer == GDYN_ANSWER_DONE;
    return status;
}
