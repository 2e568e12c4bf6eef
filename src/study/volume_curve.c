/* volume_curve.c - how a search gained hypervolume: that of all designs so far at the end of each
 * generation, all against the last reference point, so that volumes compare from end to end. (The
 * search's own history measures its population against a reference point that may move.)
 *
 * Feasible designs are taken in the order of their numbers; those that an earlier one dominates or
 * equals add nothing, and those that a later one dominates are dropped, so that what is measured is
 * always a front. */
#include "study/choose.h"

#include "base/memory.h"
#include "search/hypervolume.h"

#include <math.h>
#include <string.h>

enum { MEASURED_MOST = 200 };

typedef struct curve {
    int m, count;
    double *F;         /* m x count: the front so far, minimized */
    double *reference; /* m, minimized */
    gdyn_hypervolume *volume;
} curve;

/* Whether a is nowhere worse than b. */
static bool covers(const double *a, const double *b, int m) {
    for (int k = 0; k < m; k++)
        if (a[k] > b[k])
            return false;
    return true;
}

static void insert(curve *c, const double *f) {
    size_t m = (size_t)c->m;
    int kept = 0;
    /* Dominated by the front so far: nothing is gained. */
    for (int i = 0; i < c->count; i++)
        if (covers(c->F + (size_t)i * m, f, c->m))
            return;
    /* Drop what the new design dominates, keep the order of the rest. */
    for (int i = 0; i < c->count; i++)
        if (!covers(f, c->F + (size_t)i * m, c->m))
            memmove(c->F + (size_t)kept++ * m, c->F + (size_t)i * m, m * sizeof *c->F);
    memcpy(c->F + (size_t)kept * m, f, m * sizeof *c->F);
    c->count = kept + 1;
}

static bool make_curve(const gdyn_study *study, const gdyn_study_result *result, curve *c) {
    const gdyn_instance *start = gdyn_study_start(study);
    int most = result->archive.count;
    *c = (curve){.m = start->objective_count};
    c->F =
        gdyn_alloc((size_t)(most + 1) * (size_t)c->m, sizeof *c->F); /* one more for a candidate */
    c->reference = gdyn_alloc((size_t)c->m, sizeof *c->reference);
    c->volume = gdyn_hypervolume_create(most, c->m);
    if (!c->F || !c->reference || !c->volume)
        return false;
    /* The reference in the minimized terms of F. */
    for (int k = 0; k < c->m; k++)
        c->reference[k] = (start->objective[k].maximize ? -1 : 1) * result->reference[k];
    return true;
}

static void free_curve(curve *c) {
    gdyn_free(c->F);
    gdyn_free(c->reference);
    gdyn_hypervolume_destroy(c->volume);
}

/* Adds the designs of the archive from number *next on that came before `evaluations`. */
static void add_designs(const gdyn_study *study, const gdyn_archive *archive, long evaluations,
                        int *next, curve *c) {
    /* The last column of F holds the candidate. */
    const gdyn_instance *start = gdyn_study_start(study);
    double *f = c->F + (size_t)archive->count * (size_t)c->m;
    for (; *next < archive->count && archive->design[*next]->serial < evaluations; ++*next) {
        const gdyn_design *d = archive->design[*next];
        for (int k = 0; k < c->m; k++)
            f[k] = (start->objective[k].maximize ? -1 : 1) * d->objective[k];
        if (d->status == GDYN_DESIGN_OK)
            insert(c, f);
    }
}

/* Volumes of all designs so far; 0: too costly, nothing feasible, -1: no memory. */
static int of_all_designs(const gdyn_study *study, const gdyn_study_result *result,
                          gdyn_volume_point **point) {
    int m = gdyn_study_start(study)->objective_count, points = 0, next = 0;
    curve c = {0};
    *point = NULL;
    /* Hypervolumes of many objectives take too long. */
    if (!result->reference || !gdyn_hypervolume_affordable(result->front.count, m))
        return 0;
    *point = gdyn_alloc((size_t)result->history_count, sizeof **point);
    /* At most MEASURED_MOST generations, the last among them. */
    int step = 1 + (result->history_count - 1) / MEASURED_MOST;
    bool ready = *point && make_curve(study, result, &c);
    for (int i = (result->history_count - 1) % step; ready && i < result->history_count;
         i += step) {
        const gdyn_generation *g = &result->history[i];
        add_designs(study, &result->archive, g->evaluations, &next, &c);
        if (c.count > 0)
            (*point)[points++] = (gdyn_volume_point){
                g->evaluations, gdyn_hypervolume_of(c.volume, c.F, c.count, c.reference), false};
    }
    free_curve(&c);
    return ready ? points : -1;
}

static int of_populations(const gdyn_study_result *result, gdyn_volume_point **point) {
    *point = gdyn_alloc((size_t)result->history_count, sizeof **point);
    for (int i = 0; *point && i < result->history_count; i++) {
        const gdyn_generation *g = &result->history[i];
        (*point)[i] = (gdyn_volume_point){g->evaluations, g->hypervolume, g->moved && i > 0};
    }
    return *point ? result->history_count : -1;
}

int gdyn_volume_curve(const gdyn_study *study, const gdyn_study_result *result,
                      gdyn_volume_point **point, bool *of_population) {
    int count = of_all_designs(study, result, point);
    *of_population = count == 0;
    if (count == 0) {
        gdyn_free(*point);
        count = of_populations(result, point);
    }
    return count;
}

int gdyn_best_curve(const gdyn_study *study, const gdyn_study_result *result,
                    gdyn_volume_point **point) {
    const gdyn_archive *archive = &result->archive;
    bool maximize = gdyn_study_start(study)->objective[0].maximize;
    int points = 0, next = 0, step = 1 + (result->history_count - 1) / MEASURED_MOST;
    double best = NAN;
    *point = gdyn_alloc((size_t)result->history_count + 1, sizeof **point);
    for (int i = (result->history_count - 1) % step; *point && i < result->history_count;
         i += step) {
        long evaluations = result->history[i].evaluations;
        for (; next < archive->count && archive->design[next]->serial < evaluations; next++) {
            const gdyn_design *d = archive->design[next];
            if (d->status == GDYN_DESIGN_OK)
                best = maximize ? fmax(best, d->objective[0]) : fmin(best, d->objective[0]);
        }
        if (!isnan(best))
            (*point)[points++] = (gdyn_volume_point){evaluations, best, false};
    }
    return *point ? points : -1;
}
