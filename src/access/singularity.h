/* singularity.h - places of a path where the drives lose control of a freedom.
 *
 * With N an orthonormal basis of null(C) (scaled; n x f) and T_s the drives' influence with unit
 * columns, H = N^T T_s (f x k) maps drive forces to the free motions. Its generic rank g is the
 * greatest met on the path. Where sigma_g(H) passes through zero, a direction w of the free motions
 * is left to itself:
 *     w^T N^T (a d1^2 + b d1 + c + d d2) = 0        (dynamics.c has the right-hand sides)
 * is an equation between d1 and d2, and beside the place the forces that any other motion needs
 * grow without bound. No speed, time or acceleration holds for a path that leads across such a
 * place. It is harmless where inertia and load have no part in w: the forces stay bounded.
 *
 * Such places lie between the points of a path. They are found by the sign of det H (f = k),
 * oriented by det(N_1^T N_2) from sample to sample, and by the tips of sigma_g, |p - p0| to first
 * order, otherwise. Samples are the path's points and, where a body moves far from one to the next,
 * places between them.
 *
 * Where the constraints lose rank (path/rank_loss.h) freedoms appear, and branches may meet: such a
 * pose blocks the path unless the drives control all freedoms that the machine has there. */
#ifndef GDYN_ACCESS_SINGULARITY_H
#define GDYN_ACCESS_SINGULARITY_H

#include "access/evaluate.h"

/* Workspace that is led along the path; everything is borrowed. closest: the least sigma_g is
 * searched for, between the points, too; else it stays unknown. NULL when memory is out. */
typedef struct gdyn_singularity_finder gdyn_singularity_finder;
gdyn_singularity_finder *gdyn_singularity_finder_create(const gdyn_path *path,
                                                        const gdyn_track *track,
                                                        gdyn_evaluator *evaluator, bool closest);
void gdyn_singularity_finder_destroy(gdyn_singularity_finder *finder);
/* Takes point i of the followed path; all points, in their order. Just after the evaluator was at
 * that point its factors are used again. known: what closing left there (gdyn_path_rates), or
 * NULL. */
gdyn_status gdyn_singularity_finder_point(gdyn_singularity_finder *finder, int i,
                                          const double *known);
/* The places, in the order of the path, into `out` (emptied first). */
gdyn_status gdyn_singularity_finder_finish(gdyn_singularity_finder *finder,
                                           gdyn_singularities *out);

/* All of that in one call, with the closest approach. */
gdyn_status gdyn_singularities_find(const gdyn_path *path, const gdyn_track *track,
                                    gdyn_evaluator *evaluator, gdyn_singularities *out);

#endif
