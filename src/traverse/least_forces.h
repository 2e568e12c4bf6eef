/* least_forces.h - drive forces of least norm at one point of a motion (internal to traverse). */
#ifndef GDYN_TRAVERSE_LEAST_FORCES_H
#define GDYN_TRAVERSE_LEAST_FORCES_H

#include "access/evaluate.h"

typedef struct gdyn_least_forces gdyn_least_forces;

/* Workspace for poses with up to so many rows and redundant drives. NULL: no memory. */
gdyn_least_forces *gdyn_least_forces_create(int rows, int redundancy);
void gdyn_least_forces_destroy(gdyn_least_forces *forces);
/* Forces (k of the pose's coefficients), owned by the workspace; NULL when (d1, d2) is not
 * accessible. They do not depend on the particular solution or the basis V of the coefficients. */
const double *gdyn_least_forces_at(gdyn_least_forces *forces, const gdyn_pose *pose, double d1,
                                   double d2);

/* Units in which forces of different drives are compared: half ranges (gdyn_problem_unit), none
 * more than 2^20 times the least one. Forces of least norm do not change by more than 2^-40 of
 * themselves, and keep their digits. unit: k. */
void gdyn_force_units(const gdyn_coefficients *q, double *unit);
double gdyn_force_unit(const gdyn_coefficients *q, int row);

/* V (k x r, column-major) and the units of its rows; 0: the row does not count. */
typedef struct gdyn_force_norm {
    int k, r;
    const double *V, *unit;
    double *gram, *y, *step; /* r x r, r, r: workspace */
} gdyn_force_norm;

/* False when V has no full rank in the rows that count. */
bool gdyn_force_norm_factor(const gdyn_force_norm *norm);
/* part = c + V y of least sum (part_i / unit_i)^2: k each. */
void gdyn_force_norm_least(const gdyn_force_norm *norm, const double *c, double *part);

#endif
