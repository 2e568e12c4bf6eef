/* singular.c - number of poses and stretches of a path at which the constraints lose rank.
 *
 * The greatest pivot ratio left by the QR factorization of C^T at each point is at hand. Where the r-th
 * singular value passes through zero between two points it is V-shaped there: it rises from the lower
 * of the two points to a neighbour by at least about its own amount. Paths without such a point
 * (nearly all) need no search. */
#include "study/internal.h"

#include "reactions/along.h"

#include <math.h>

/* A rise to a neighbour by less than this share of the value itself tells of a smooth minimum. */
static const double RISE = 0.25;

static int generic_rank(const gdyn_evaluation *e) {
    int rank = -1;
    for (int i = 0; i < e->track->points; i++)
        if (e->track->status[i] == GDYN_POINT_OK && e->pose[i]->rank_c.rank > rank)
            rank = e->pose[i]->rank_c.rank;
    return rank;
}

/* Least pivot kept, relative; 0 where the rank is lower. */
static double least_pivot(const gdyn_evaluation *e, int i, int generic) {
    const gdyn_rank *rank = &e->pose[i]->rank_c;
    return rank->rank == generic && rank->greatest > 0 ? rank->above / rank->greatest : 0;
}

static bool worth_a_search(const gdyn_evaluation *e) {
    /* A local minimum of the least pivot that rises steeply on one side may hide a zero. */
    int points = e->track->points, generic = generic_rank(e);
    for (int i = 0; generic > 0 && i < points; i++) {
        double here = least_pivot(e, i, generic);
        double left = i > 0 ? least_pivot(e, i - 1, generic) : here;
        double right = i < points - 1 ? least_pivot(e, i + 1, generic) : here;
        bool low = here <= left && here <= right;
        if (low && fmax(left, right) - here >= RISE * here && fmax(left, right) > 0)
            return true;
    }
    return false;
}

/* Stretches of lower rank which hold none of the poses found, and the poses. */
static int count(const gdyn_ranks *ranks) {
    int total = ranks->poses;
    /* Each stretch of lower rank counts once, also when a pose within it was found. */
    for (int i = 0; i < ranks->runs; i++) {
        const gdyn_rank_run *run = &ranks->run[i];
        bool counted = run->rank == ranks->generic;
        for (int k = 0; k < ranks->poses && !counted; k++) {
            double p = ranks->pose[k].p, slack = 1e-6 * (1 + fabs(p));
            counted = p >= run->from - slack && p <= run->to + slack;
        }
        total += !counted;
    }
    return total;
}

/* closest: the closest approach is asked for, too. */
static gdyn_status find_singular(const gdyn_path *path, const gdyn_evaluation *evaluation,
                                 bool closest, gdyn_criteria *criteria) {
    double *value = criteria->value;
    value[GDYN_CRITERION_SINGULAR] = 0;
    criteria->passes |= GDYN_PASS_REACTIONS;
    /* Most paths need no search (see above). */
    if (evaluation->track->reach < 1 || !(closest || worth_a_search(evaluation)))
        return GDYN_OK;
    gdyn_ranks ranks;
    gdyn_status status = gdyn_ranks_find(path, evaluation->track, true, &ranks);
    if (status == GDYN_OK)
        value[GDYN_CRITERION_SINGULAR] = count(&ranks);
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
