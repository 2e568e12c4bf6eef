/* hypervolume.h - exact volume of the space that a set of points dominates. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Volume of the union of the boxes [F[:, i], reference]; points are columns of F (m x count), in
 * any order, dominated ones allowed; those not below the reference in every objective count
 * nothing. */
typedef struct gdyn_hypervolume gdyn_hypervolume;
/* Workspace for up to `capacity` points with m objectives. */
gdyn_hypervolume *gdyn_hypervolume_create(int capacity, int m);
void gdyn_hypervolume_destroy(gdyn_hypervolume *hypervolume);
double gdyn_hypervolume_of(gdyn_hypervolume *hypervolume, const double *F, int count,
                           const double *reference);

/* A reference in objective k for such points: a tenth of their extent beyond the worst of them,
 * which is returned too (NULL: need not be). */
double gdyn_hypervolume_reference(const double *F, int count, int m, int k, double *worst);

/* Whether the exact volume takes milliseconds: its time grows as count^(m - 2). */
bool gdyn_hypervolume_affordable(int count, int m);
/* An estimate for those that are not: the same for the same points; its standard deviation is at
 * most sqrt(count / samples) of the volume, for fronts usually much less. */
double gdyn_hypervolume_estimate(gdyn_hypervolume *hypervolume, const double *F, int count,
                                 const double *reference, int samples);
/* The exact volume where it is affordable, else an estimate: of fronts that are results, or quickly
 * of populations on the way. */
enum { GDYN_SAMPLES = 8192, GDYN_SAMPLES_QUICK = 1024 };
double gdyn_hypervolume_measure(gdyn_hypervolume *hypervolume, const double *F, int count,
                                const double *reference, int samples);
