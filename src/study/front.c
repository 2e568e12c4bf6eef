/* front.c - the designs of a study of which none is better than another in every objective; with
 * one objective the best design, of several the one that was evaluated first. */
#include "study/internal.h"

#include "base/memory.h"
#include "search/fronts.h"
#include "search/hypervolume.h"

#include <string.h>

double gdyn_study_minimized(const gdyn_study *s, int objective, double value) {
    return s->start->objective[objective].maximize ? -value : value;
}

/* Workspaces over all feasible designs of the archive. */
typedef struct pool {
    gdyn_arena *arena;
    int count, m;
    int *place;   /* archive index of each feasible design */
    double *F;    /* m x count, minimized */
    int *front;   /* count */
    int *member;  /* count: those of the first front */
    int *scratch; /* count */
    gdyn_fronts *fronts;
} pool;

static bool make_pool(const gdyn_study *study, const gdyn_archive *archive, pool *p) {
    size_t most = (size_t)archive->count;
    *p = (pool){.arena = gdyn_arena_create(), .m = study->start->objective_count};
    p->place = gdyn_arena_alloc(p->arena, most, sizeof *p->place);
    p->F = gdyn_arena_doubles(p->arena, most * (size_t)p->m);
    p->front = gdyn_arena_alloc(p->arena, most, sizeof *p->front);
    p->member = gdyn_arena_alloc(p->arena, most, sizeof *p->member);
    p->scratch = gdyn_arena_alloc(p->arena, most, sizeof *p->scratch);
    p->fronts = gdyn_fronts_create(archive->count, p->m);
    if (gdyn_arena_failed(p->arena) || !p->fronts)
        return false;
    /* Objectives of the feasible designs, side by side, to be minimized. */
    for (int i = 0; i < archive->count; i++) {
        const gdyn_design *d = archive->design[i];
        if (d->status != GDYN_DESIGN_OK || d->difference)
            continue;
        for (int k = 0; k < p->m; k++)
            p->F[p->count * p->m + k] = gdyn_study_minimized(study, k, d->objective[k]);
        p->place[p->count++] = i;
    }
    return true;
}

static gdyn_status measure(const gdyn_study *study, const pool *p, const double *F, int count,
                           const double *reference, gdyn_study_result *result) {
    gdyn_hypervolume *w = gdyn_hypervolume_create(count, p->m);
    /* The reference is given (that of the search) or placed behind this front. */
    double *at = result->reference = gdyn_alloc((size_t)p->m, sizeof *result->reference);
    if (!w || !at) {
        gdyn_hypervolume_destroy(w);
        return GDYN_ERROR_MEMORY;
    }
    if (reference)
        memcpy(at, reference, (size_t)p->m * sizeof *at);
    else
        for (int k = 0; k < p->m; k++)
            at[k] = gdyn_hypervolume_reference(F, count, p->m, k, NULL);
    result->hypervolume = gdyn_hypervolume_measure(w, F, count, at, GDYN_SAMPLES);
    /* The result states the reference with the objectives' own signs. */
    for (int k = 0; k < p->m; k++)
        at[k] = gdyn_study_minimized(study, k, at[k]);
    gdyn_hypervolume_destroy(w);
    return GDYN_OK;
}

/* The same variables as one of the first `count` members, which ascend in their objectives. */
static bool is_copy(const gdyn_study *study, const pool *p, const gdyn_archive *archive, int count,
                    int candidate) {
    const double *x = archive->design[p->place[candidate]]->x;
    const double *f = p->F + candidate * p->m;
    /* Equal objectives lie side by side. */
    for (int i = count - 1; i >= 0; i--) {
        if (memcmp(p->F + p->member[i] * p->m, f, (size_t)p->m * sizeof *f) != 0)
            return false;
        const double *other = archive->design[p->place[p->member[i]]]->x;
        if (memcmp(other, x, (size_t)study->variables * sizeof *x) == 0)
            return true;
    }
    return false;
}

/* Marks the first front and lists it in the order of the objectives; a design that was evaluated
 * several times is listed once. With one objective the others have the same value: they are counted.
 */
static int list_members(const gdyn_study *study, pool *p, gdyn_study_result *result) {
    int total = 0, count = 0;
    gdyn_fronts_sort(p->fronts, p->F, p->count, p->front);
    for (int i = 0; i < p->count; i++)
        if (p->front[i] == 0) {
            result->nondominated[p->place[i]] = true;
            p->member[total++] = i;
        }
    gdyn_fronts_order(p->F, p->m, 0, total, p->member, p->scratch);
    for (int i = 0; i < total; i++)
        if (!is_copy(study, p, &result->archive, count, p->member[i]))
            p->member[count++] = p->member[i];
    if (p->m > 1)
        return count;
    result->ties = count - 1;
    return 1;
}

/* The first front of all feasible designs, and its volume. */
static gdyn_status settle(const gdyn_study *study, const double *reference, pool *p,
                          gdyn_study_result *result) {
    int count = list_members(study, p, result);
    double *kept = gdyn_alloc((size_t)count * (size_t)p->m, sizeof *kept);
    /* copy the members to result->front and their objectives to `kept` */
    gdyn_status status = kept ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < count && status == GDYN_OK; i++) {
        int from = p->member[i];
        memcpy(kept + i * p->m, p->F + from * p->m, (size_t)p->m * sizeof *kept);
        gdyn_design *copy = gdyn_design_copy(study, result->archive.design[p->place[from]]);
        status = copy ? gdyn_archive_add(&result->front, copy) : GDYN_ERROR_MEMORY;
    }
    if (status == GDYN_OK)
        status = measure(study, p, kept, count, reference, result);
    gdyn_free(kept);
    return status;
}

gdyn_status gdyn_study_find_front(const gdyn_study *study, const double *reference,
                                  gdyn_study_result *result) {
    pool p = {0};
    /* Without objectives there is no front. */
    result->nondominated = gdyn_alloc((size_t)result->archive.count, sizeof *result->nondominated);
    if (result->nondominated && study->start->objective_count == 0)
        return GDYN_OK;
    bool ready = result->nondominated && make_pool(study, &result->archive, &p);
    gdyn_status status = ready ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && p.count > 0)
        status = settle(study, reference, &p, result);
    gdyn_fronts_destroy(p.fronts);
    gdyn_arena_destroy(p.arena);
    return status;
}

gdyn_status gdyn_study_front(const gdyn_study *study, const gdyn_archive *archive,
                             gdyn_archive *front) {
    gdyn_study_result result = {.archive = *archive};
    gdyn_status status = gdyn_study_find_front(study, NULL, &result);
    *front = result.front;
    result.front = result.archive = (gdyn_archive){0};
    gdyn_study_result_clear(&result);
    return status;
}
