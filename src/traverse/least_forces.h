/* least_forces.h - drive forces of least norm at one point of a motion (internal to traverse). */
#ifndef GDYN_TRAVERSE_LEAST_FORCES_H
#define GDYN_TRAVERSE_LEAST_FORCES_H

#include "access/evaluate.h"

typedef struct gdyn_least_forces gdyn_least_forces;

/* Workspace for poses with up to so many rows. NULL: no memory. */
gdyn_least_forces *gdyn_least_forces_create(int rows, int drives);
void gdyn_least_forces_destroy(gdyn_least_forces *forces);
/* Forces (k of the pose's coefficients), owned by the workspace; NULL when (d1, d2) is not
 * accessible. They do not depend on the particular solution or the basis V of the coefficients. */
const double *gdyn_least_forces_at(gdyn_least_forces *forces, const gdyn_pose *pose, double d1,
                                   double d2);

#endif
