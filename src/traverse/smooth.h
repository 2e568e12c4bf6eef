/* smooth.h - forces of redundant drives that change little along a motion (internal to
 * traverse).
 *
 * Given are forces w_i at the places i of a motion, at times t_i. Wanted are forces n_i = c_i + V_i y_i
 * (c_i: any forces of the same motion) within low_i <= n_i <= high_i of least
 *     sum_i dt_i |n_i - w_i|^2 + tau^2 sum_i |n_{i+1} - n_i|^2 / (t_{i+1} - t_i),
 * every drive counted in its own unit: integral |n - w|^2 + tau^2 |dn/dt|^2 dt. Without limits this is
 * the filter w -> n with the kernel exp(-|t|/tau) / (2 tau): tau is the time over which forces are
 * evened out. */
#ifndef GDYN_TRAVERSE_SMOOTH_H
#define GDYN_TRAVERSE_SMOOTH_H

#include "base/status.h"

#include <stdbool.h>

typedef struct gdyn_smooth_place {
    double t;                 /* never before that of the place before */
    int k, r;                 /* k = 0: forces are not known here, neighbours are not coupled */
    const double *V;          /* k x r, column-major; r = 0: nothing to choose */
    const double *low, *high; /* k; infinite: no limit */
    const double *wanted;     /* k: forces w */
    double *n;                /* k: c, inside its limits where they leave room; then the result */
} gdyn_smooth_place;

typedef struct gdyn_smooth_info {
    bool converged;
    int iterations;
    double before, after; /* sum over t of |dn|^2 / dt of the forces w and of the result */
    double residual;      /* of the optimality conditions, relative */
} gdyn_smooth_info;

/* unit: of each row; 0: the row is a further limit of another row's drive and not counted. GDYN_OK
 * also without convergence (n is then w). */
gdyn_status gdyn_smooth(int count, gdyn_smooth_place *place, int rows, const double *unit,
                        double tau, gdyn_smooth_info *info);

#endif
