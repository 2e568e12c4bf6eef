/* run.c - the search over a study: asks for designs, has them evaluated, keeps every one.
 *
 * Results are told and kept in the order of serial numbers, so they do not depend on who evaluated
 * them. A design that the store or an earlier archive holds is not evaluated again: continuing a
 * search is running it anew with most answers at hand. */
#include "study/internal.h"

#include "base/memory.h"
#include "study/store.h"

#include <string.h>
#include <time.h>

typedef struct run {
    const gdyn_study *study;
    const gdyn_study_options *options;
    const gdyn_archive
        *known; /* designs that need no evaluation; no others are evaluated; or NULL */
    gdyn_study_result *result;
    gdyn_search *search;
    gdyn_crew crew;
    double *f, *g;     /* objectives to be minimized, constraints, of the present design */
    double *reference; /* of the last generation */
    int status[GDYN_DESIGN_STATUSES]; /* of this generation's designs */
    double start_time;
} run;

/* --- generations -------------------------------------------------------------------------- */

/* One generation in work. */
typedef struct generation {
    run *run;
    int count;             /* designs asked for */
    gdyn_design **design;  /* count, by index of the search's ask; NULL once the archive has it */
    bool *done;            /* count */
    int todo_count, *todo; /* indices of those that must be evaluated */
    gdyn_design **todo_design;
} generation;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report_progress(run *r) {
    gdyn_study_progress *p = &r->result->final;
    p->search = gdyn_search_state(r->search);
    p->allowed = r->options->search.evaluations;
    p->seconds = now() - r->start_time;
    if (r->options->progress)
        r->options->progress(r->options->context, p);
}

static void count_design(generation *g, int i) {
    g->done[i] = true;
    g->run->result->final.status[g->design[i]->status]++;
    g->run->result->final.evaluated++;
    g->run->status[g->design[i]->status]++;
}

/* A design came back: it is on disk before it is counted. */
static gdyn_status design_done(void *context, int i) {
    generation *g = context;
    int place = g->todo[i];
    gdyn_status status = GDYN_OK;
    if (g->run->options->store)
        status = gdyn_store_add(g->run->options->store, g->design[place]);
    if (status != GDYN_OK)
        return status;
    count_design(g, place);
    report_progress(g->run);
    return GDYN_OK;
}

/* Takes the design from the store or the archive. The variables must be those asked for: else the
 * file was written by another search. */
static gdyn_status look_up(generation *g, int i, bool *found) {
    const run *r = g->run;
    gdyn_design *d = g->design[i];
    *found = false;
    gdyn_status status = GDYN_OK;
    if (r->known) {
        const gdyn_design *known = gdyn_archive_find(r->known, d->serial);
        if (known) {
            gdyn_design *copy = gdyn_design_copy(r->study, known);
            status = copy ? GDYN_OK : GDYN_ERROR_MEMORY;
            gdyn_design_destroy(copy ? d : NULL);
            g->design[i] = copy ? copy : d;
            *found = copy != NULL;
        }
    } else if (r->options->store) {
        status = gdyn_store_find(r->options->store, d, found);
    }
    const double *x = gdyn_search_design(r->search, i);
    for (int k = 0; *found && k < r->study->variables; k++)
        if (g->design[i]->x[k] != x[k])
            return GDYN_ERROR_STUDY;
    return status;
}

static gdyn_status make_designs(generation *g) {
    run *r = g->run;
    g->design = gdyn_alloc((size_t)g->count, sizeof(gdyn_design *));
    g->done = gdyn_alloc((size_t)g->count, sizeof *g->done);
    g->todo = gdyn_alloc((size_t)g->count, sizeof *g->todo);
    g->todo_design = gdyn_alloc((size_t)g->count, sizeof(gdyn_design *));
    if (!g->design || !g->done || !g->todo || !g->todo_design)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < g->count; i++) {
        gdyn_design *d = g->design[i] = gdyn_design_create(r->study);
        if (!d)
            return GDYN_ERROR_MEMORY;
        d->serial = gdyn_search_serial(r->search, i);
        memcpy(d->x, gdyn_search_design(r->search, i), (size_t)r->study->variables * sizeof *d->x);
        bool found;
        gdyn_status status = look_up(g, i, &found);
        if (status != GDYN_OK)
            return status;
        if (found) {
            count_design(g, i);
            r->result->final.continued++;
        } else {
            g->todo[g->todo_count] = i;
            g->todo_design[g->todo_count++] = d;
        }
    }
    return GDYN_OK;
}

/* The archive takes over what is done, in the order of serial numbers; a whole generation is told
 * to the search. */
static gdyn_status take_over(generation *g, bool whole) {
    run *r = g->run;
    const gdyn_study *s = r->study;
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < g->count && status == GDYN_OK; i++) {
        gdyn_design *d = g->design[i];
        if (!g->done[i])
            continue;
        for (int k = 0; k < s->start->objective_count; k++)
            r->f[k] = gdyn_study_minimized(s, k, d->objective[k]);
        for (int k = 0; k < s->start->requirement_count; k++)
            r->g[k] = gdyn_study_missing(&s->start->requirement[k], d->constraint[k]);
        if (whole)
            gdyn_search_tell(r->search, i,
                             &(gdyn_search_outcome){.objective = r->f,
                                                    .violation = d->violation,
                                                    .failure = d->failure,
                                                    .constraint = d->evaluated ? r->g : NULL});
        g->design[i] = NULL;
        status = gdyn_archive_add(&r->result->archive, d);
    }
    return status;
}

static bool is_whole(const generation *g) {
    for (int i = 0; i < g->count; i++)
        if (!g->done[i])
            return false;
    return true;
}

/* True when the reference point differs from that of the last generation. */
static bool reference_moved(run *r, const double *reference) {
    bool moved = false;
    for (int k = 0; reference && k < r->study->start->objective_count; k++) {
        moved |= r->reference[k] != reference[k];
        r->reference[k] = reference[k];
    }
    return moved;
}

static gdyn_status add_history(run *r) {
    gdyn_study_result *result = r->result;
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
    memcpy(h->status, r->status, sizeof h->status);
    memset(r->status, 0, sizeof r->status);
    return r->options->store ? gdyn_store_add_generation(r->options->store, h) : GDYN_OK;
}

static gdyn_status finish(generation *g) {
    run *r = g->run;
    bool whole = is_whole(g);
    gdyn_status status = take_over(g, whole);
    if (status != GDYN_OK)
        return status;
    if (!whole) {
        gdyn_search_end(r->search);
        r->result->interrupted = true;
        return GDYN_OK;
    }
    status = gdyn_search_advance(r->search);
    return status == GDYN_OK ? add_history(r) : status;
}

static gdyn_status evaluate(generation *g) {
    run *r = g->run;
    gdyn_batch batch = {.study = r->study,
                        .design = g->todo_design,
                        .count = g->todo_count,
                        .extent = GDYN_EXTENT_SOUND,
                        .stop = r->options->interrupt,
                        .done = design_done,
                        .context = g};
    if (g->todo_count == 0 || r->known)
        return GDYN_OK;
    const gdyn_crew *crew = r->options->crew ? r->options->crew : &r->crew;
    return crew->evaluate(crew->self, &batch);
}

static gdyn_status one_generation(run *r) {
    generation g = {.run = r, .count = gdyn_search_ask(r->search)};
    gdyn_status status = make_designs(&g);
    if (status == GDYN_OK)
        status = evaluate(&g);
    if (status == GDYN_OK)
        status = finish(&g);
    for (int i = 0; g.design && i < g.count; i++)
        gdyn_design_destroy(g.design[i]);
    gdyn_free(g.design);
    gdyn_free(g.done);
    gdyn_free(g.todo);
    gdyn_free(g.todo_design);
    return status;
}

static gdyn_status generations(run *r) {
    const gdyn_study_options *o = r->options;
    gdyn_status status = GDYN_OK;
    double synced = r->start_time = now();
    while (status == GDYN_OK && gdyn_search_state(r->search).stop == GDYN_SEARCH_RUNNING) {
        status = one_generation(r);
        bool running = gdyn_search_state(r->search).stop == GDYN_SEARCH_RUNNING;
        if (running && o->interrupt && *o->interrupt) {
            gdyn_search_end(r->search);
            r->result->interrupted = true;
        }
        if (status == GDYN_OK && o->store && (now() - synced > 1 || !running)) {
            status = gdyn_store_sync(o->store);
            synced = now();
        }
        if (status == GDYN_OK)
            report_progress(r);
    }
    return status;
}

/* --- the search --------------------------------------------------------------------------- */

static gdyn_status run_all(run *r) {
    size_t objectives = (size_t)r->study->start->objective_count;
    r->f = gdyn_alloc(objectives, sizeof *r->f);
    r->reference = gdyn_alloc(objectives, sizeof *r->reference);
    r->g = gdyn_alloc((size_t)r->study->start->requirement_count, sizeof *r->g);
    gdyn_status status = r->f && r->reference && r->g
                             ? gdyn_study_create_search(r->study, r->options, &r->search)
                             : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK && !r->options->crew && !r->known)
        status = gdyn_crew_threads(r->options->threads, &r->crew);
    if (status == GDYN_OK)
        status = generations(r);
    if (status == GDYN_OK)
        status = gdyn_study_find_front(r->study, r->options->search.population,
                                       r->result->final.search.reference, r->result);
    r->result->final.search.reference = NULL; /* it goes with the search */
    gdyn_search_destroy(r->search);
    gdyn_crew_destroy(&r->crew);
    gdyn_free(r->f);
    gdyn_free(r->g);
    gdyn_free(r->reference);
    return status;
}

static gdyn_status run_with(run *r) {
    *r->result = (gdyn_study_result){0};
    gdyn_status status = run_all(r);
    if (status != GDYN_OK)
        gdyn_study_result_clear(r->result);
    return status;
}

gdyn_status gdyn_study_run(const gdyn_study *study, const gdyn_study_options *options,
                           gdyn_study_result *result) {
    run r = {.study = study, .options = options, .result = result};
    return run_with(&r);
}

gdyn_status gdyn_study_replay(const gdyn_study *study, const gdyn_study_options *options,
                              const gdyn_archive *known, gdyn_study_result *result) {
    run r = {.study = study, .options = options, .known = known, .result = result};
    return run_with(&r);
}

void gdyn_study_result_clear(gdyn_study_result *result) {
    gdyn_archive_clear(&result->archive);
    gdyn_archive_clear(&result->front);
    gdyn_free(result->nondominated);
    gdyn_free(result->history);
    gdyn_free(result->reference);
    *result = (gdyn_study_result){0};
}
