/* singular.c - number of poses and stretches of a path at which the constraints lose rank.
 *
 * The greatest pivot ratio left by the QR factorization of C^T at each point is at hand. Where the
 * r-th singular value passes through zero between two points it is V-shaped there: it rises from
 * the lower of the two points to a neighbour by at least about its own amount. Paths without such a
 * point (nearly all) need no search. */
#include "study/internal.h"

#include "path/rank_loss.h"

#include <math.h>

/* closest: the closest approach is asked for, too. */
static gdyn_status find_singular(const gdyn_path *path, const gdyn_evaluation *evaluation,
                                 bool closest, gdyn_criteria *criteria) {
    double *value = criteria->value;
    value[GDYN_CRITERION_SINGULAR] = 0;
    criteria->passes |= GDYN_PASS_REACTIONS;
    /* Most paths need no search (see above). */
    if (evaluation->track->reach < 1 || !(closest || gdyn_ranks_suspect(evaluation->track)))
        return GDYN_OK;
    /* known already, unless points were inserted since */
    if (evaluation->singular.looked == evaluation->track->points) {
        value[GDYN_CRITERION_SINGULAR] = evaluation->singular.losses;
        if (closest)
            value[GDYN_CRITERION_CONSTRAINT_SINGULARITY] = evaluation->singular.least_rank;
        return GDYN_OK;
    }
    gdyn_ranks ranks;
    gdyn_status status = gdyn_ranks_find(path, evaluation->track,
                                         closest ? GDYN_RANKS_CLOSEST : GDYN_RANKS_LOST, &ranks);
    if (status == GDYN_OK)
        value[GDYN_CRITERION_SINGULAR] = gdyn_ranks_losses(&ranks);
    if (status == GDYN_OK && closest && ranks.generic > 0)
        value[GDYN_CRITERION_CONSTRAINT_SINGULARITY] = ranks.least;
    gdyn_ranks_free(&ranks);
    return status;
}

gdyn_status gdyn_study_criteria(const gdyn_path *path, const gdyn_evaluation *evaluation,
                                unsigned passes, gdyn_fastest *motion, gdyn_criteria *criteria) {
    gdyn_status status = GDYN_OK;
    if (passes & GDYN_PASS_MOTION)
        status = gdyn_traverse_criteria(evaluation, path, motion, criteria);
    if (status == GDYN_OK && passes & GDYN_PASS_REACTIONS)
        status = find_singular(path, evaluation, passes & GDYN_PASS_APPROACH, criteria);
    return status;
}
