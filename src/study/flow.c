/* flow.c - the batches of a search while they are evaluated. */
#include "study/internal.h"

#include "base/interrupt.h"
#include "base/memory.h"

#include <string.h>

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
static gdyn_status design_done(void *context, int i) {
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
                        .done = design_done,
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
