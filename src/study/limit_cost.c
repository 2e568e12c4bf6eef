/* limit_cost.c - the best of each objective, and the whole front, as functions of one limit. */
#include "study/choose.h"

#include "base/memory.h"
#include "study/internal.h"

#include <stdlib.h>
#include <string.h>

/* Left sides of the designs that matter, as minimized values in ascending order. */
static gdyn_status left_sides(const gdyn_study *s, const gdyn_archive *archive, int *count,
                              double **value) {
    gdyn_archive front;
    int left = s->start->objective_count - 1;
    gdyn_status status = gdyn_study_front(s, archive, &front);
    *count = status == GDYN_OK ? front.count : 0;
    *value = gdyn_alloc((size_t)*count + 1, sizeof **value);
    if (status == GDYN_OK && !*value)
        status = GDYN_ERROR_MEMORY;
    for (int i = 0; i < *count && status == GDYN_OK; i++)
        (*value)[i] = gdyn_study_minimized(s, left, front.design[i]->objective[left]);
    if (status == GDYN_OK)
        qsort(*value, (size_t)*count, sizeof **value, gdyn_ascending);
    gdyn_archive_clear(&front);
    return status;
}

gdyn_status gdyn_limit_levels(const gdyn_study *s, const gdyn_archive *archive, double stated,
                              int wanted, bool even, int *levels, double **level) {
    int count, left = s->start->objective_count - 1;
    double *value = NULL, *at = gdyn_alloc((size_t)wanted + 1, sizeof *at);
    gdyn_status status = left_sides(s, archive, &count, &value);
    *levels = 0;
    if (status == GDYN_OK && !at)
        status = GDYN_ERROR_MEMORY;
    for (int i = 0; i < wanted && count > 0 && status == GDYN_OK; i++) {
        /* One level alone is the loosest; the last one has its very value. */
        double share = wanted > 1 ? (double)i / (wanted - 1) : 1;
        long place = wanted > 1 ? (long)i * (count - 1) / (wanted - 1) : count - 1;
        double next =
            even && share < 1 ? value[0] + share * (value[count - 1] - value[0]) : value[place];
        if (*levels == 0 || next > at[*levels - 1])
            at[(*levels)++] = next;
    }
    if (status == GDYN_OK) {
        /* the given limit in its place among the others */
        double given = gdyn_study_minimized(s, left, stated);
        int place = 0;
        while (place < *levels && at[place] < given)
            place++;
        if (place == *levels || at[place] != given) {
            memmove(at + place + 1, at + place, (size_t)((*levels)++ - place) * sizeof *at);
            at[place] = given;
        }
    }
    for (int i = 0; i < *levels; i++)
        at[i] = gdyn_study_minimized(s, left, at[i]);
    gdyn_free(value);
    *level = at;
    return status;
}

/* Objectives but the last of the designs that keep the limit and that no other of them dominates,
 * and the best design in each; returns how many. */
static int collect(const gdyn_limit_cost *c, const gdyn_study *s, double limit, double *F,
                   const gdyn_design **best) {
    const gdyn_archive *front = &c->result.front;
    int m = c->objectives, count = 0, kept = 0;
    for (int i = 0; i < front->count; i++) {
        const gdyn_design *d = front->design[i];
        if (gdyn_study_minimized(s, m, d->objective[m]) > limit)
            continue;
        for (int k = 0; k < m; k++) {
            F[count * m + k] = gdyn_study_minimized(s, k, d->objective[k]);
            if (!best[k] || F[count * m + k] < gdyn_study_minimized(s, k, best[k]->objective[k]))
                best[k] = d;
        }
        count++;
    }
    for (int i = 0; i < count; i++) {
        bool covered = false;
        for (int j = 0; j < count && !covered; j++)
            covered = gdyn_covers(F + j * m, F + i * m, m) &&
                      (j < i || !gdyn_covers(F + i * m, F + j * m, m));
        if (!covered)
            memmove(F + count * m + kept++ * m, F + i * m, (size_t)m * sizeof *F);
    }
    memmove(F, F + count * m, (size_t)kept * (size_t)m * sizeof *F);
    return kept;
}

/* Fronts of all levels, one after the other in F, measured together. */
static gdyn_status fill_levels(gdyn_limit_cost *c, const gdyn_study *s, const double *at,
                               double stated) {
    size_t levels = (size_t)c->levels, m = (size_t)c->objectives,
           room = 2 * (size_t)c->result.front.count + 1;
    gdyn_arena *arena = gdyn_arena_create();
    double *F = gdyn_arena_doubles(arena, levels * room * m);
    const double **start = gdyn_arena_alloc(arena, levels, sizeof *start);
    int *count = gdyn_arena_alloc(arena, levels, sizeof *count);
    double *volume = gdyn_arena_doubles(arena, levels);
    gdyn_status status = gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
    for (size_t i = 0; i < levels && status == GDYN_OK; i++) {
        /* The loosest first. */
        gdyn_limit_level *level = &c->level[i];
        level->limit = at[levels - 1 - i];
        double limit = gdyn_study_minimized(s, c->objectives, level->limit);
        level->stated = level->limit == stated, level->best = c->member + i * m;
        start[i] = F + i * room * m;
        level->front = count[i] = collect(c, s, limit, F + i * room * m, level->best);
    }
    if (status == GDYN_OK)
        status = gdyn_common_hypervolumes((int)levels, count, start, (int)m, volume);
    for (size_t i = 0; i < levels && status == GDYN_OK; i++)
        c->level[i].hypervolume = volume[i];
    gdyn_arena_destroy(arena);
    return status;
}

gdyn_status gdyn_limit_cost_find(gdyn_limit_cost *c, const gdyn_study *s,
                                 const gdyn_archive *archive, double stated, int levels,
                                 const double *level) {
    *c = (gdyn_limit_cost){.objectives = s->start->objective_count - 1, .levels = levels};
    c->result.archive = *archive;
    gdyn_status status = gdyn_study_find_front(s, NULL, &c->result);
    c->level = gdyn_alloc((size_t)levels, sizeof *c->level);
    c->member = gdyn_alloc((size_t)levels * (size_t)c->objectives + 1, sizeof *c->member);
    if (status == GDYN_OK && !(c->level && c->member))
        status = GDYN_ERROR_MEMORY;
    return status == GDYN_OK ? fill_levels(c, s, level, stated) : status;
}

bool gdyn_limit_converged(const gdyn_limit_cost *c, int i, int k) {
    const gdyn_search_level *state = k < c->parts ? c->part[k].state : NULL;
    return state && state[c->levels - 1 - i] == GDYN_LEVEL_SOLVED;
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
    gdyn_free(c->level), gdyn_free(c->member);
    *c = (gdyn_limit_cost){0};
}
