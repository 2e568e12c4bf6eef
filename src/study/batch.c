/* batch.c - a number of designs that are evaluated together. */
#include "study/internal.h"

#include "base/memory.h"
#include "study/store.h"
#include "base/interrupt.h"

#include <string.h>

/* Threads are needed unless others evaluate, or everything is known. */
gdyn_status gdyn_batch_runner_open(gdyn_batch_runner *w) {
    bool needed = !w->options->executor && !w->known;
    return needed ? gdyn_executor_threads(w->options->threads, &w->own) : GDYN_OK;
}

void gdyn_batch_runner_close(gdyn_batch_runner *w) {
    gdyn_executor_destroy(&w->own);
}

gdyn_status gdyn_batch_make(gdyn_batch *r, gdyn_batch_runner *runner, int count) {
    gdyn_arena *arena = gdyn_arena_create();
    *r = (gdyn_batch){.arena = arena, .runner = runner, .count = count};
    r->design = gdyn_arena_alloc(arena, (size_t)count, sizeof(gdyn_design *));
    r->done = gdyn_arena_alloc(arena, (size_t)count, sizeof *r->done);
    r->todo = gdyn_arena_alloc(arena, (size_t)count, sizeof *r->todo);
    r->todo_design = gdyn_arena_alloc(arena, (size_t)count, sizeof(gdyn_design *));
    if (gdyn_arena_failed(arena))
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < count; i++)
        if (!(r->design[i] = gdyn_design_create(runner->study)))
            return GDYN_ERROR_MEMORY;
    return GDYN_OK;
}

void gdyn_batch_free(gdyn_batch *r) {
    for (int i = 0; r->design && i < r->count; i++)
        gdyn_design_destroy(r->design[i]);
    gdyn_arena_destroy(r->arena);
    *r = (gdyn_batch){0};
}

/* Counts a design in the batch and in the progress of the whole run. */
static void count_design(gdyn_batch *r, int i) {
    gdyn_study_progress *p = &r->runner->result->final;
    r->done[i] = true;
    r->status[r->design[i]->status]++;
    p->status[r->design[i]->status]++;
    p->evaluated++;
}

/* It is on disk before it is counted. */
gdyn_status gdyn_batch_done(gdyn_batch *r, int place) {
    gdyn_status status = GDYN_OK;
    if (r->runner->options->store)
        status = gdyn_store_add(r->runner->options->store, r->design[place]);
    if (status != GDYN_OK)
        return status;
    count_design(r, place);
    if (r->runner->report)
        r->runner->report(r->runner->context);
    return GDYN_OK;
}

static gdyn_status design_done(void *context, int i) {
    gdyn_batch *r = context;
    return gdyn_batch_done(r, r->todo[i]);
}

/* Compares bit by bit: the same search asks for the same numbers. */
static bool same_variables(const gdyn_study *s, const gdyn_design *a, const gdyn_design *b) {
    for (int k = 0; k < s->variables; k++)
        if (a->x[k] != b->x[k])
            return false;
    return true;
}

/* A copy of what the archive or the store knows under the design's number. */
static gdyn_status find_known(const gdyn_batch_runner *w, const gdyn_design *d,
                              gdyn_design **known) {
    *known = NULL;
    if (w->known) {
        const gdyn_design *found = gdyn_archive_find(w->known, d->serial);
        *known = found ? gdyn_design_copy(w->study, found) : NULL;
        return found && !*known ? GDYN_ERROR_MEMORY : GDYN_OK;
    }
    if (!w->options->store)
        return GDYN_OK;
    /* The store reads into a design of its own. */
    gdyn_design *row = gdyn_design_create(w->study);
    if (!row)
        return GDYN_ERROR_MEMORY;
    row->serial = d->serial;
    bool found;
    gdyn_status status = gdyn_store_find(w->options->store, row, &found);
    if (status == GDYN_OK && found)
        *known = row;
    else
        gdyn_design_destroy(row);
    return status;
}

/* Takes what is known in place of a design; what is not goes on the list of those to evaluate. */
static gdyn_status look_up(gdyn_batch *r, int i) {
    gdyn_design *known;
    gdyn_status status = find_known(r->runner, r->design[i], &known);
    if (status != GDYN_OK)
        return status;
    if (!known) {
        r->todo[r->todo_count] = i;
        r->todo_design[r->todo_count++] = r->design[i];
        return GDYN_OK;
    }
    /* Other variables under this number: the file belongs to another search. */
    bool same = same_variables(r->runner->study, known, r->design[i]);
    gdyn_design_destroy(r->design[i]);
    r->design[i] = known;
    if (!same)
        return GDYN_ERROR_STUDY;
    count_design(r, i);
    r->runner->result->final.continued++;
    return GDYN_OK;
}

gdyn_status gdyn_batch_look_up(gdyn_batch *r) {
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < r->count && status == GDYN_OK; i++)
        status = look_up(r, i);
    return status;
}

gdyn_status gdyn_batch_run(gdyn_batch *r) {
    /* Designs that are known already cost nothing. */
    const gdyn_batch_runner *w = r->runner;
    gdyn_status status = gdyn_batch_look_up(r);
    if (status != GDYN_OK)
        return status;
    /* In a replay (known) the rest stays undone. */
    if (r->todo_count == 0 || w->known)
        return GDYN_OK;
    gdyn_job job = {.study = w->study,
                    .design = r->todo_design,
                    .count = r->todo_count,
                    .extent = GDYN_EXTENT_SOUND,
                    .stop = w->options->interrupt,
                    .done = design_done,
                    .context = r};
    const gdyn_executor *executor = w->options->executor ? w->options->executor : &w->own;
    return executor->evaluate(executor->self, &job);
}

bool gdyn_batch_whole(const gdyn_batch *r) {
    for (int i = 0; i < r->count; i++)
        if (!r->done[i])
            return false;
    return true;
}

gdyn_status gdyn_batch_keep(gdyn_batch *r) {
    /* The archive owns what was evaluated; the others are freed with the batch. */
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < r->count && status == GDYN_OK; i++) {
        if (!r->done[i])
            continue;
        status = gdyn_archive_add(&r->runner->result->archive, r->design[i]);
        r->design[i] = NULL;
    }
    return status;
}

/* --- the batches of a search while they are evaluated. */

/* Batch k of those the search waits for; its designs behind those of the batches before it. */
static gdyn_status take_batch(gdyn_flow *f, int k, int before) {
    gdyn_batch *b = &f->batch[k];
    size_t n = (size_t)f->runner->study->variables;
    gdyn_status status = gdyn_batch_make(b, f->runner, gdyn_search_batch(f->search, k));
    f->count++;
    for (int i = 0; i < b->count && status == GDYN_OK; i++) {
        b->design[i]->serial = gdyn_search_serial(f->search, before + i);
        memcpy(b->design[i]->x, gdyn_search_design(f->search, before + i), n * sizeof(double));
    }
    if (status == GDYN_OK)
        status = gdyn_batch_look_up(b);
    if (status != GDYN_OK || f->runner->known)
        return status;
    /* What is not known joins the job. */
    int total = f->job.count + b->todo_count;
    if (!gdyn_reserve(&f->job.design, &f->designs, total, sizeof(gdyn_design *)) ||
        !gdyn_reserve(&f->place, &f->places, total, sizeof *f->place))
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < b->todo_count; i++) {
        f->place[f->job.count] = (struct gdyn_flow_place){f->first + k, b->todo[i]};
        f->job.design[f->job.count++] = b->design[b->todo[i]];
    }
    return GDYN_OK;
}

/* Takes the batches that the search asks for since the last time. */
static gdyn_status fill(gdyn_flow *f) {
    gdyn_status status = GDYN_OK;
    int batches = gdyn_search_batches(f->search), before = 0;
    if (!gdyn_reserve(&f->batch, &f->room, batches, sizeof *f->batch))
        return GDYN_ERROR_MEMORY;
    for (int k = 0; k < batches && status == GDYN_OK; k++) {
        if (k >= f->count)
            status = take_batch(f, k, before);
        before += gdyn_search_batch(f->search, k);
    }
    return status;
}

static bool interrupted(const gdyn_flow *f) {
    return gdyn_flag(f->job.stop);
}

/* Hands over the oldest batches as long as they are whole. */
static gdyn_status settle(gdyn_flow *f) {
    gdyn_status status = GDYN_OK;
    while (status == GDYN_OK && gdyn_search_state(f->search).stop == GDYN_SEARCH_RUNNING &&
           f->count > 0 && gdyn_batch_whole(&f->batch[0])) {
        status = f->finish(f->context, &f->batch[0]);
        gdyn_batch_free(&f->batch[0]);
        memmove(f->batch, f->batch + 1, (size_t)--f->count * sizeof *f->batch);
        f->first++;
        /* An interruption asks for no more. */
        bool running = gdyn_search_state(f->search).stop == GDYN_SEARCH_RUNNING;
        if (status == GDYN_OK && running && !interrupted(f))
            status = fill(f);
    }
    return status;
}

/* A design of the job came back; further ones may join the job. */
static gdyn_status job_done(void *context, int i) {
    gdyn_flow *f = context;
    gdyn_status status =
        gdyn_batch_done(&f->batch[f->place[i].batch - f->first], f->place[i].design);
    return status == GDYN_OK ? settle(f) : status;
}

/* What is left: behind the stop of the search, or not whole. */
static gdyn_status keep_rest(gdyn_flow *f, bool *whole) {
    gdyn_status status = GDYN_OK;
    *whole = true;
    for (int k = 0; k < f->count && status == GDYN_OK; k++) {
        *whole &= gdyn_batch_whole(&f->batch[k]);
        status = gdyn_batch_keep(&f->batch[k]);
    }
    return status;
}

gdyn_status gdyn_flow_run(gdyn_flow *f, bool *whole) {
    const gdyn_study_options *options = f->runner->options;
    f->job = (gdyn_job){.study = f->runner->study,
                        .extent = GDYN_EXTENT_SOUND,
                        .stop = options->interrupt,
                        .done = job_done,
                        .context = f};
    gdyn_status status = fill(f);
    if (status == GDYN_OK)
        status = settle(f);
    /* The executor works until no design of the job is left. */
    const gdyn_executor *executor = options->executor ? options->executor : &f->runner->own;
    if (status == GDYN_OK && f->job.count > 0)
        status = executor->evaluate(executor->self, &f->job);
    return status == GDYN_OK ? keep_rest(f, whole) : status;
}

void gdyn_flow_clear(gdyn_flow *f) {
    for (int k = 0; k < f->count; k++)
        gdyn_batch_free(&f->batch[k]);
    gdyn_free(f->batch);
    gdyn_free(f->job.design);
    gdyn_free(f->place);
}
