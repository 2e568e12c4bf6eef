/* shift.h - d2 measured from the parabola that all drives follow, so that rounding sets no limit on d1.
 *
 * A load a t^2 that lies along d and V, a = alpha d + V y, alone is no limit of t: with
 * z' = z + alpha t^2 and y' = y + y_a t^2
 *
 *   a t^2 + b t + c + d z + V y = b t + c + d z' + V y'
 *
 * and t^2 is gone. Rounding leaves a' = a - alpha d - V y_a, at right angles to d and V, with
 * |a'_i| <= e_i + sum_j |Q_ij| sum_l |Q_lj| e_l, where e bounds the errors of a - alpha d and Q = [V d] has
 * orthonormal columns. As a coefficient it would end the region at great t, or open it again; so where all
 * of a' is under that bound, a is taken out and the region is built in (t, z'). Likewise b. */
#ifndef GDYN_ACCESS_SHIFT_H
#define GDYN_ACCESS_SHIFT_H

#include "access/problem.h"

/* Takes a and b out of a loaded problem where they lie along d and V: fills shift and shift_error. */
void gdyn_problem_shift(gdyn_problem *problem);

#endif
