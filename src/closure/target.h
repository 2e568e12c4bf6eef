/* target.h - what a path prescribes of a machine, and steps along it (internal to the library). */
#pragma once

#include "closure/closure.h"
#include "model/rows.h"

/* Rows beyond the machine's own constraints, with targets that move: value(row) = target[0],
 * first and second derivative target[1], target[2] with respect to the path parameter. For an
 * ORIENT row the target rotation is in row.frame, target[0] = 0 and target[1], target[2] are the
 * ground-axis components of its angular velocity and acceleration. */
struct gdyn_target {
    gdyn_row row;
    double target[3];
};

/* --- steps along a path ----------------------------------------------------------------------- */

/* A pose of a path that was closed, and what is known there. */
typedef struct gdyn_closed_pose {
    gdyn_state *state;
    double *u_p, *u_pp; /* n: derivatives along the path */
    gdyn_closure_rates rates;
    /* gdyn_closure_known_length: left there for those who ask for free motions at the pose (0 in
     * front: nothing); NULL: not kept */
    double *known;
} gdyn_closed_pose;
/* 0: nothing can be known of this machine. */
int gdyn_closure_known_length(const gdyn_closure *closure);

/* Points of a path that are closed in one go, at most. */
enum { GDYN_AHEAD = 4 };

/* A step from the marked pose, which is at p = from. */
typedef struct gdyn_closure_step {
    double from, to;
    const double *du; /* n: the displacement that predicts the pose; NULL: by the derivatives */
    double most;      /* longest correction */
    const double *weights; /* of the unknowns, or NULL */
    int count;
    gdyn_target *target; /* count: workspace */
    /* Targets at p; false: a formula has a pole there. */
    bool (*aim)(void *way, double p, gdyn_target *target);
    /* p of the points after the next one, up to GDYN_AHEAD - 1, that may be closed with it, since
     * the path is smooth up to there; their number. */
    int (*ahead)(void *way, double *p);
    void *way;
} gdyn_closure_step;

/* Predicts the pose at the step's end, closes it and takes its derivatives, all into `to`; *closed:
 * it was, without moving farther than allowed. Points that were closed ahead are delivered when
 * they are asked for. */
gdyn_status gdyn_closure_advance(gdyn_closure *closure, const gdyn_closure_step *step,
                                 const gdyn_closed_pose *from, gdyn_closed_pose *to,
                                 gdyn_closure_info *info, bool *closed);
/* Length of such a step h as one of the joints, without unit (slides over L, turns in rad; bodies
 * that float as bodies), and of the body that moves most relative to the one inboard. False: the
 * motion of the joints is not known. */
bool gdyn_closure_stride(const gdyn_closure *closure, double h, double *length, double *most);
/* Marks the pose at the end of a step h from the marked pose: the motion up to there is kept for
 * the next prediction. */
void gdyn_closure_mark_step(gdyn_closure *closure, double h);
/* Predictions take the marked pose alone. */
void gdyn_closure_forget_step(gdyn_closure *closure);
/* Newton's method from a pose near by, not farther away than `most`, with the factors of the mark;
 * *closed: it was. */
gdyn_status gdyn_closure_correct(gdyn_closure *closure, gdyn_state *state, int count,
                                 const gdyn_target *targets, const double *weights, double most,
                                 gdyn_closure_info *info, bool *closed);
