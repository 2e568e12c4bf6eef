/* limit_cost.c - the best of each objective, and the whole front, as functions of one limit. */
#include "study/limit_cost.h"

#include "base/memory.h"
#include "study/compare.h"
#include "study/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Which of the ascending values is nearest to that share of their range. */
static long nearest_value(int count, const double *value, double share) {
    double wanted = value[0] + share * (value[count - 1] - value[0]);
    long nearest = 0;
    for (int i = 1; i < count; i++)
        if (fabs(value[i] - wanted) < fabs(value[nearest] - wanted))
            nearest = i;
    return nearest;
}

/* Limits to be looked at, as minimized values of the last objective, strictest first. */
static gdyn_status place_levels(gdyn_limit_cost *c, const gdyn_study *s, double stated, int levels,
                                bool by_value, double *at) {
    const gdyn_archive *front = &c->result.front;
    double *value = gdyn_alloc((size_t)front->count + 1, sizeof *value);
    if (!value)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < front->count; i++)
        value[i] =
            gdyn_study_minimized(s, c->objectives, front->design[i]->objective[c->objectives]);
    qsort(value, (size_t)front->count, sizeof *value, compare_numbers);
    for (int i = 0; i < levels && front->count > 0; i++) {
        long place = levels > 1 ? (long)i * (front->count - 1) / (levels - 1) : front->count - 1;
        if (by_value && levels > 1)
            place = nearest_value(front->count, value, (double)i / (levels - 1));
        if (c->levels == 0 || value[place] > at[c->levels - 1])
            at[c->levels++] = value[place];
    }
    gdyn_free(value);
    /* The stated limit in its place. */
    stated = gdyn_study_minimized(s, c->objectives, stated);
    int place = 0;
    while (place < c->levels && at[place] < stated)
        place++;
    if (place == c->levels || at[place] != stated) {
        memmove(at + place + 1, at + place, (size_t)(c->levels++ - place) * sizeof *at);
        at[place] = stated;
    }
    return GDYN_OK;
}

/* Objectives but the last of the designs that keep the limit and that no other of them dominates; returns how many. */
static int collect(const gdyn_limit_cost *c, const gdyn_study *s, double limit, double *F) {
    const gdyn_archive *front = &c->result.front;
    int m = c->objectives, count = 0;
    for (int i = 0; i < front->count; i++) {
        const gdyn_design *d = front->design[i];
        if (gdyn_study_minimized(s, m, d->objective[m]) > limit)
            continue;
        for (int k = 0; k < m; k++)
            F[count * m + k] = gdyn_study_minimized(s, k, d->objective[k]);
        count++;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool covered = false;
        for (int j = 0; j < count && !covered; j++) {
            bool worse = false, better = false;
            for (int k = 0; k < m; k++) {
                worse |= F[j * m + k] > F[i * m + k];
                better |= F[j * m + k] < F[i * m + k];
            }
            covered = !worse && (better || j < i);
        }
        if (!covered)
            memmove(F + count * m + kept++ * m, F + i * m, (size_t)m * sizeof *F);
    }
    memmove(F, F + count * m, (size_t)kept * (size_t)m * sizeof *F);
    return kept;
}

static void find_best(gdyn_limit_cost *c, const gdyn_study *s, double limit,
                      gdyn_limit_level *level) {
    const gdyn_archive *front = &c->result.front;
    for (int i = 0; i < front->count; i++) {
        const gdyn_design *d = front->design[i];
        if (gdyn_study_minimized(s, c->objectives, d->objective[c->objectives]) > limit)
            continue;
        for (int k = 0; k < c->objectives; k++)
            if (!level->best[k] || gdyn_study_minimized(s, k, d->objective[k]) <
                                       gdyn_study_minimized(s, k, level->best[k]->objective[k]))
                level->best[k] = d;
    }
}

/* Fronts of all levels, one behind the other in F, measured together. */
static gdyn_status fill_levels(gdyn_limit_cost *c, const gdyn_study *s, const double *at,
                               double stated) {
    size_t levels = (size_t)c->levels, m = (size_t)c->objectives,
           room = 2 * (size_t)c->result.front.count + 1;
    double *F = gdyn_alloc(levels * room * m, sizeof *F);
    const double **start = gdyn_alloc(levels, sizeof *start);
    int *count = gdyn_alloc(levels, sizeof *count);
    double *volume = gdyn_alloc(levels, sizeof *volume);
    gdyn_status status = F && start && count && volume ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (size_t i = 0; i < levels && status == GDYN_OK; i++) {
        /* The loosest first. */
        double limit = at[levels - 1 - i];
        gdyn_limit_level *level = &c->level[i];
        level->limit = gdyn_study_minimized(s, c->objectives, limit);
        level->stated = level->limit == stated;
        level->best = c->member + i * m;
        find_best(c, s, limit, level);
        start[i] = F + i * room * m;
        level->front = count[i] = collect(c, s, limit, F + i * room * m);
    }
    if (status == GDYN_OK)
        status = gdyn_common_hypervolumes((int)levels, count, start, (int)m, volume);
    for (size_t i = 0; i < levels && status == GDYN_OK; i++)
        c->level[i].hypervolume = volume[i];
    gdyn_free(F);
    gdyn_free(start);
    gdyn_free(count);
    gdyn_free(volume);
    return status;
}

gdyn_status gdyn_limit_cost_find(gdyn_limit_cost *c, const gdyn_study *s,
                                 const gdyn_archive *archive, double stated, int levels,
                                 bool by_value) {
    *c = (gdyn_limit_cost){.objectives = s->start->objective_count - 1};
    c->result.archive = *archive;
    gdyn_status status = gdyn_study_find_front(s, NULL, &c->result);
    size_t room = (size_t)levels + 1;
    double *at = gdyn_alloc(room, sizeof *at);
    c->level = gdyn_alloc(room, sizeof *c->level);
    c->member = gdyn_alloc(room * (size_t)c->objectives + 1, sizeof *c->member);
    if (status == GDYN_OK && !(at && c->level && c->member))
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = place_levels(c, s, stated, levels, by_value, at);
    if (status == GDYN_OK)
        status = fill_levels(c, s, at, stated);
    gdyn_free(at);
    return status;
}

const gdyn_limit_part *gdyn_limit_part_of(const gdyn_limit_cost *c, const gdyn_design *design) {
    const gdyn_limit_part *found = NULL;
    for (int i = 0; i < c->parts; i++)
        if (design->serial >= c->part[i].first)
            found = &c->part[i];
    return found;
}

void gdyn_limit_cost_clear(gdyn_limit_cost *c) {
    c->result.archive = (gdyn_archive){0};
    gdyn_study_result_clear(&c->result);
    gdyn_free(c->level);
    gdyn_free(c->member);
    *c = (gdyn_limit_cost){0};
}
