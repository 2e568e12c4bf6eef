/* equal_steps.h - a motion at equal time steps, as controllers take it. */
#ifndef GDYN_TRAJECTORY_EQUAL_STEPS_H
#define GDYN_TRAJECTORY_EQUAL_STEPS_H

#include "trajectory/trajectory.h"

enum { GDYN_EQUAL_STEPS_MOST = 1000000 };

/* The motion at one time. */
typedef struct gdyn_step {
    gdyn_sample at;                     /* in the parameter of the dynamics */
    gdyn_sample original;               /* p, d1, d2 */
    const double *force;                /* rows of the trajectory; NAN where it is not known */
    const gdyn_path_dynamics *dynamics; /* there */
} gdyn_step;

/* What the steps leave out. */
typedef struct gdyn_equal_steps {
    int steps; /* visited, both ends included */
    double
        position; /* greatest distance in p (or along the travel) between the motion and the cubic through p and d1 of neighbouring steps */
    double jump,
        jump_t; /* greatest change of d2 from one step to the next, and before which time */
    double violation, violation_t; /* of the worst limit at a step, in half ranges; <= 0: none */
    double late;                   /* the last step is that much behind the end, at rest [s] */
} gdyn_equal_steps;

/* Number of steps of the motion, both ends included; -1: it has no times, or there are too many. */
int gdyn_equal_steps_count(const gdyn_trajectory *t, double step);

/* After gdyn_trajectory_share: visits t = 0, step, 2 step, ... of the fastest motion (gdyn_motion_at). Forces are
 * those that the motion needs there, shared as that of the samples; planned or smoothed ones are interpolated. A motion that ends at
 * rest is held for the rest of the last step; another one ends with the last step before its end. */
gdyn_status gdyn_equal_steps_visit(gdyn_trajectory *t, double step,
                                   void (*visit)(void *context, const gdyn_step *step),
                                   void *context, gdyn_equal_steps *result);

#endif
