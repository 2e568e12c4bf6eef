/* best_designs.c - the start design and the best ones of a front, with their regions along a trajectory. */
#include "study/choose.h"

#include "study/internal.h"

#include <math.h>

/* --- choice ----------------------------------------------------------------------------------- */

static double minimized(const gdyn_study *study, int objective, const gdyn_design *d) {
    return gdyn_study_minimized(study, objective, d->objective[objective]);
}

const gdyn_design *gdyn_front_best(const gdyn_study *study, const gdyn_archive *front,
                                   int objective) {
    const gdyn_design *best = front->design[0];
    for (int i = 1; i < front->count; i++)
        if (minimized(study, objective, front->design[i]) < minimized(study, objective, best))
            best = front->design[i];
    return best;
}

/* Range of objective k, minimized, over the front. */
static void range_of(const gdyn_study *study, const gdyn_archive *front, int k, double *low,
                     double *high) {
    *low = INFINITY, *high = -INFINITY;
    for (int i = 0; i < front->count; i++) {
        double f = minimized(study, k, front->design[i]);
        *low = fmin(*low, f), *high = fmax(*high, f);
    }
}

/* The greatest and the mean loss of the design in any objective, as shares of the front's ranges. */
static double loss_of(const gdyn_study *study, const gdyn_archive *front, const gdyn_design *d,
                      double *mean) {
    int objectives = gdyn_study_start(study)->objective_count;
    double worst = 0;
    *mean = 0;
    for (int k = 0; k < objectives; k++) {
        double low, high;
        range_of(study, front, k, &low, &high);
        double loss = high > low ? (minimized(study, k, d) - low) / (high - low) : 0;
        worst = fmax(worst, loss);
        *mean += loss / objectives;
    }
    return worst;
}

/* Of several equally bad at worst the best on the whole. */
static const gdyn_design *find_balanced(const gdyn_study *study, const gdyn_archive *front) {
    const gdyn_design *best = NULL;
    double least = INFINITY;
    /* The mean decides between designs with the same worst loss. */
    for (int i = 0; i < front->count; i++) {
        double mean, worst = loss_of(study, front, front->design[i], &mean);
        double loss = worst + 1e-3 * mean;
        if (loss < least)
            least = loss, best = front->design[i];
    }
    return best;
}

/* The entry of a design, a new one unless it is there. */
static gdyn_best_design *entry_of(gdyn_best_designs *best, const gdyn_design *design) {
    for (int i = 0; i < best->count; i++)
        if (best->list[i].design->serial == design->serial)
            return &best->list[i];
    best->list[best->count] = (gdyn_best_design){.design = design};
    return &best->list[best->count++];
}

gdyn_status gdyn_best_designs_choose(gdyn_best_designs *best, const gdyn_study *study,
                                     const gdyn_study_result *result) {
    const gdyn_archive *front = &result->front;
    int objectives = gdyn_study_start(study)->objective_count;
    *best = (gdyn_best_designs){.study = study};
    /* The start design comes first; a replay without it begins with its first design. */
    const gdyn_design *start = gdyn_archive_find(&result->archive, 0);
    entry_of(best, start ? start : result->archive.design[0])->start = true;
    for (int k = 0; k < objectives && k < GDYN_BEST_OBJECTIVES; k++)
        entry_of(best, gdyn_front_best(study, front, k))->best[k] = true;
    /* Of two designs, or along one objective, no compromise is left to choose. */
    const gdyn_design *balanced = find_balanced(study, front);
    if (balanced && front->count > 2 && objectives > 1)
        entry_of(best, balanced)->balanced = true;
    /* A design without a machine (invalid geometry) stays in the list without regions. */
    for (int i = 0; i < best->count; i++) {
        gdyn_best_design *b = &best->list[i];
        if (gdyn_study_instance(study, b->design->x, NULL, &b->instance) == GDYN_ERROR_MEMORY)
            return GDYN_ERROR_MEMORY;
    }
    return GDYN_OK;
}

/* --- regions ---------------------------------------------------------------------------------- */

/* A design that cannot be followed is left without regions. */
static gdyn_status follow(gdyn_best_design *b, int trajectory) {
    /* No machine, or no such trajectory of this design. */
    if (!b->instance || trajectory >= b->instance->trajectory_count)
        return GDYN_OK;
    gdyn_status status = gdyn_trajectory_open(&b->t, b->instance, trajectory, NULL);
    if (status != GDYN_OK)
        return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
    b->t.settings.local = false;
    status = gdyn_trajectory_take(&b->t, GDYN_PASS_REGIONS);
    if (status != GDYN_OK)
        return status;
    /* The common region is meaningful only where every point has one. */
    const double *value = b->t.criteria.value;
    b->reach = value[GDYN_CRITERION_REACH];
    b->area = value[GDYN_CRITERION_AREA];
    if (b->reach >= 1 && value[GDYN_CRITERION_EMPTY] == 0)
        b->region[0] = b->t.common;
    return GDYN_OK;
}

/* Whether region a is smaller than b: by area, and among unbounded ones by what is left at rest. */
static bool smaller(const gdyn_region *a, const gdyn_region *b) {
    if (isfinite(a->area) || isfinite(b->area))
        return a->area < b->area;
    return a->rest && (!b->rest || a->rest_max - a->rest_min < b->rest_max - b->rest_min);
}

/* The point where the design's region is smallest; -1: it has none. */
static int smallest_point(const gdyn_region_points *along) {
    int smallest = -1;
    for (int k = 0; k < along->points; k++)
        if (along->region[k]->island_count > 0 &&
            (smallest < 0 || smaller(along->region[k], along->region[smallest])))
            smallest = k;
    return smallest;
}

/* The design's region at p: its own points may be others than those of the design that p was chosen for. */
static gdyn_status take_place(gdyn_best_design *b, double p) {
    gdyn_probed found = {.status = GDYN_POINT_UNASSEMBLED};
    if (!b->t.evaluation)
        return GDYN_OK;
    gdyn_status status = gdyn_trajectory_probe(&b->t, p, &found);
    /* Beyond the range of p, which may follow from the design, there is none. */
    if (status == GDYN_OK && found.status == GDYN_POINT_OK)
        b->region[1] = found.region;
    return status == GDYN_ERROR_ARGUMENT ? GDYN_OK : status;
}

static void forget(gdyn_best_designs *best) {
    for (int i = 0; i < best->count; i++) {
        gdyn_best_design *b = &best->list[i];
        gdyn_trajectory_close(&b->t);
        b->region[0] = b->region[1] = NULL;
        b->reach = b->area = 0;
    }
}

gdyn_status gdyn_best_designs_follow(gdyn_best_designs *best, int trajectory) {
    gdyn_status status = GDYN_OK;
    int point = -1;
    forget(best);
    /* All designs follow the trajectory. */
    for (int i = 0; i < best->count && status == GDYN_OK; i++)
        status = follow(&best->list[i], trajectory);
    /* The place is that of the first design that has a region anywhere. */
    best->p = NAN;
    for (int i = 0; i < best->count && status == GDYN_OK && point < 0; i++) {
        point = smallest_point(&best->list[i].t.along);
        best->smallest = i;
    }
    if (point >= 0)
        best->p = best->list[best->smallest].t.along.p[point];
    for (int i = 0; i < best->count && status == GDYN_OK && point >= 0; i++)
        status = take_place(&best->list[i], best->p);
    return status;
}

void gdyn_best_designs_free(gdyn_best_designs *best) {
    forget(best);
    for (int i = 0; i < best->count; i++)
        gdyn_instance_destroy(best->list[i].instance);
    *best = (gdyn_best_designs){0};
}
