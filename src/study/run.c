/* run.c - the search over a study, and sweeps: generates designs, evaluates them, stores every one.
 *
 * Results are reported and kept in the order of serial numbers, so they do not depend on who
 * evaluated them. A design that the store or an earlier archive holds is not evaluated again:
 * continuing a search is running it anew with most answers at hand. */
#include "study/internal.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "study/store.h"

#include <string.h>

enum { SWEEP_ROUND = 1024 };

typedef struct run {
    gdyn_batch_runner runner;
    gdyn_search *search; /* NULL in a sweep */
    const gdyn_search_recall *recall;
    double *f, *g;     /* objectives to be minimized, constraints, of the present design */
    double *reference; /* of the last generation */
    double start_time, synced;
    long allowed;
} run;

/* Numbers of the run so far, for whoever watches. */
static void report_progress(void *context) {
    run *r = context;
    gdyn_study_progress *p = &r->runner.result->final;
    if (r->search)
        p->search = gdyn_search_state(r->search);
    p->allowed = r->allowed;
    p->seconds = gdyn_clock() - r->start_time;
    if (r->runner.options->progress)
        r->runner.options->progress(r->runner.options->context, p);
}

static bool interrupted(const run *r) {
    const gdyn_study_options *o = r->runner.options;
    return gdyn_flag(o->interrupt);
}

/* Once a second, and at the end. */
static gdyn_status sync_store(run *r, bool now_or_never) {
    gdyn_store *store = r->runner.options->store;
    if (!store || (!now_or_never && gdyn_clock() - r->synced < 1))
        return GDYN_OK;
    r->synced = gdyn_clock();
    return gdyn_store_sync(store);
}

/* --- generations -------------------------------------------------------------------------- */

/* Outcomes go to the search in its own terms: minimized, shortfalls with their sign. */
static void tell(run *r, const gdyn_batch *batch) {
    const gdyn_study *s = r->runner.study;
    for (int i = 0; i < batch->count; i++) {
        const gdyn_design *d = batch->design[i];
        for (int k = 0; k < s->start->objective_count; k++)
            r->f[k] = gdyn_study_minimized(s, k, d->objective[k]);
        for (int k = 0; k < s->start->requirement_count; k++)
            r->g[k] = gdyn_study_shortfall(&s->start->requirement[k], d->constraint[k]);
        gdyn_search_tell(r->search, i,
                         &(gdyn_search_outcome){.objective = r->f,
                                                .violation = d->violation,
                                                .failure = d->failure,
                                                .constraint = d->evaluated ? r->g : NULL});
    }
}

/* True when the reference point differs from that of the last generation. */
static bool reference_moved(run *r, const double *reference) {
    bool moved = false;
    for (int k = 0; reference && k < r->runner.study->start->objective_count; k++) {
        moved |= r->reference[k] != reference[k];
        r->reference[k] = reference[k];
    }
    return moved;
}

static gdyn_status add_history(run *r, const gdyn_batch *batch) {
    gdyn_study_result *result = r->runner.result;
    int count = result->history_count;
    if ((count & (count - 1)) == 0) { /* room doubles at powers of two */
        size_t room = count ? 2 * (size_t)count : 1;
        gdyn_generation *grown = gdyn_realloc(result->history, room, sizeof *grown);
        if (!grown)
            return GDYN_ERROR_MEMORY;
        result->history = grown;
    }
    gdyn_search_info info = gdyn_search_state(r->search);
    gdyn_generation *h = &result->history[result->history_count++];
    *h = (gdyn_generation){.number = info.generation,
                           .evaluations = info.evaluations,
                           .population = info.population,
                           .feasible = info.feasible,
                           .front = info.front,
                           .hypervolume = info.hypervolume,
                           .moved = reference_moved(r, info.reference)};
    memcpy(h->status, batch->status, sizeof h->status);
    gdyn_store *store = r->runner.options->store;
    return store ? gdyn_store_add_generation(store, h) : GDYN_OK;
}

/* A whole generation: told, kept, and the search goes on. */
static gdyn_status finish(void *context, gdyn_batch *batch) {
    run *r = context;
    tell(r, batch);
    gdyn_status status = gdyn_batch_keep(batch);
    if (status == GDYN_OK)
        status = gdyn_search_advance(r->search);
    if (status == GDYN_OK)
        status = add_history(r, batch);
    if (status == GDYN_OK)
        status = sync_store(r, false);
    if (status == GDYN_OK)
        report_progress(r);
    return status;
}

/* Generation by generation, until a rule or the user stops the search, or a design is missing. */
static gdyn_status generations(run *r) {
    gdyn_flow flow = {.runner = &r->runner, .search = r->search, .finish = finish, .context = r};
    bool whole;
    gdyn_status status = gdyn_flow_run(&flow, &whole);
    if (status == GDYN_OK && gdyn_search_state(r->search).stop == GDYN_SEARCH_RUNNING) {
        gdyn_search_end(r->search);
        r->runner.result->interrupted = true;
    }
    if (status == GDYN_OK && !whole)
        r->runner.result->interrupted = true;
    gdyn_flow_clear(&flow);
    if (status == GDYN_OK)
        status = sync_store(r, true);
    if (status == GDYN_OK)
        report_progress(r);
    return status;
}

/* What the search knows of its levels, which goes with it. */
static gdyn_status note_levels(run *r) {
    const gdyn_search_options *o = &r->runner.options->search;
    gdyn_study_result *result = r->runner.result;
    if (!o->level)
        return GDYN_OK;
    result->level = gdyn_alloc((size_t)o->level_count, sizeof *result->level);
    if (!result->level)
        return GDYN_ERROR_MEMORY;
    result->level_count = o->level_count;
    for (int k = 0; k < o->level_count; k++)
        result->level[k] = gdyn_search_level_of(r->search, k);
    return GDYN_OK;
}

static gdyn_status run_search(run *r) {
    const gdyn_study *s = r->runner.study;
    size_t objectives = (size_t)s->start->objective_count;
    gdyn_arena *arena = gdyn_arena_create();
    r->f = gdyn_arena_doubles(arena, objectives);
    r->reference = gdyn_arena_doubles(arena, objectives);
    r->g = gdyn_arena_doubles(arena, (size_t)s->start->requirement_count);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (!gdyn_arena_failed(arena))
        status = gdyn_study_create_search(s, r->runner.options, &r->search);
    if (status == GDYN_OK && r->recall)
        gdyn_search_recall_from(r->search, r->recall);
    if (status == GDYN_OK)
        status = generations(r);
    gdyn_study_result *result = r->runner.result;
    /* The front against the search's last reference. */
    if (status == GDYN_OK)
        status = gdyn_study_find_front(s, result->final.search.reference, result);
    if (status == GDYN_OK)
        status = note_levels(r);
    result->final.search.reference = NULL; /* it goes with the search */
    gdyn_search_destroy(r->search);
    gdyn_arena_destroy(arena);
    return status;
}

/* --- sweeps ------------------------------------------------------------------------------- */

/* Designs first .. first + count - 1 of the sweep. */
static gdyn_status one_round(run *r, long first, int count, const double *x) {
    gdyn_batch batch;
    size_t n = (size_t)r->runner.study->variables;
    gdyn_status status = gdyn_batch_make(&batch, &r->runner, count);
    for (int i = 0; i < count && status == GDYN_OK; i++) {
        batch.design[i]->serial = first + i;
        memcpy(batch.design[i]->x, x + (size_t)(first + i) * n, n * sizeof *x);
    }
    if (status == GDYN_OK)
        status = gdyn_batch_run(&batch);
    if (status == GDYN_OK) {
        r->runner.result->interrupted |= !gdyn_batch_whole(&batch);
        status = gdyn_batch_keep(&batch);
    }
    gdyn_batch_free(&batch);
    return status;
}

static gdyn_status run_sweep(run *r, long count, const double *x) {
    gdyn_study_result *result = r->runner.result;
    gdyn_status status = GDYN_OK;
    /* In rounds, so that memory and the loss at an interruption stay small. */
    for (long i = 0; i < count && status == GDYN_OK && !result->interrupted; i += SWEEP_ROUND) {
        long left = count - i;
        status = one_round(r, i, left < SWEEP_ROUND ? (int)left : SWEEP_ROUND, x);
        if (status == GDYN_OK)
            status = sync_store(r, true);
        if (status == GDYN_OK)
            report_progress(r);
        result->interrupted |= interrupted(r) && i + SWEEP_ROUND < count;
    }
    if (status == GDYN_OK)
        status = gdyn_study_find_front(r->runner.study, NULL, result);
    return status;
}

/* --- both --------------------------------------------------------------------------------- */

/* x: designs of a sweep, or NULL. */
static gdyn_status run_with(run *r, long count, const double *x) {
    *r->runner.result = (gdyn_study_result){0};
    r->runner.report = report_progress;
    r->runner.context = r;
    r->start_time = r->synced = gdyn_clock();
    r->allowed = x ? count : r->runner.options->search.evaluations;
    gdyn_status status = gdyn_batch_runner_open(&r->runner);
    if (status == GDYN_OK)
        status = x ? run_sweep(r, count, x) : run_search(r);
    gdyn_batch_runner_close(&r->runner);
    if (status != GDYN_OK)
        gdyn_study_result_clear(r->runner.result);
    return status;
}

gdyn_status gdyn_study_run(const gdyn_study *study, const gdyn_study_options *options,
                           gdyn_study_result *result) {
    run r = {.runner = {.study = study, .options = options, .result = result}};
    return run_with(&r, 0, NULL);
}

gdyn_status gdyn_study_sweep(const gdyn_study *study, const gdyn_study_options *options, long count,
                             const double *x, gdyn_study_result *result) {
    run r = {.runner = {.study = study, .options = options, .result = result}};
    return run_with(&r, count, x);
}

gdyn_status gdyn_study_replay(const gdyn_study *study, const gdyn_study_options *options,
                              const gdyn_search_recall *recall, const gdyn_archive *known,
                              gdyn_study_result *result) {
    run r = {.runner = {.study = study, .options = options, .known = known, .result = result},
             .recall = recall};
    return run_with(&r, 0, NULL);
}

void gdyn_study_result_clear(gdyn_study_result *result) {
    gdyn_archive_clear(&result->archive);
    gdyn_archive_clear(&result->front);
    gdyn_free(result->nondominated);
    gdyn_free(result->history);
    gdyn_free(result->reference);
    gdyn_free(result->level);
    *result = (gdyn_study_result){0};
}
