/* target.h - what a path prescribes of a machine (internal to the library). */
#ifndef GDYN_CLOSURE_TARGET_H
#define GDYN_CLOSURE_TARGET_H

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

#endif
