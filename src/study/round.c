/* round.c - a number of designs that are evaluated together. */
#include "study/round.h"

#include "base/memory.h"
#include "study/store.h"

#include <string.h>

gdyn_status gdyn_workshop_open(gdyn_workshop *w) {
    bool needed = !w->options->executor && !w->known;
    return needed ? gdyn_executor_threads(w->options->threads, &w->own) : GDYN_OK;
}

void gdyn_workshop_close(gdyn_workshop *w) {
    gdyn_executor_destroy(&w->own);
}

gdyn_status gdyn_round_make(gdyn_round *r, gdyn_workshop *shop, int count) {
    *r = (gdyn_round){.shop = shop, .count = count};
    r->design = gdyn_alloc((size_t)count, sizeof(gdyn_design *));
    r->done = gdyn_alloc((size_t)count, sizeof *r->done);
    r->todo = gdyn_alloc((size_t)count, sizeof *r->todo);
    r->todo_design = gdyn_alloc((size_t)count, sizeof(gdyn_design *));
    if (!r->design || !r->done || !r->todo || !r->todo_design)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < count; i++)
        if (!(r->design[i] = gdyn_design_create(shop->study)))
            return GDYN_ERROR_MEMORY;
    return GDYN_OK;
}

void gdyn_round_free(gdyn_round *r) {
    for (int i = 0; r->design && i < r->count; i++)
        gdyn_design_destroy(r->design[i]);
    gdyn_free(r->design);
    gdyn_free(r->done);
    gdyn_free(r->todo);
    gdyn_free(r->todo_design);
    *r = (gdyn_round){0};
}

static void count_design(gdyn_round *r, int i) {
    gdyn_study_progress *p = &r->shop->result->final;
    r->done[i] = true;
    r->status[r->design[i]->status]++;
    p->status[r->design[i]->status]++;
    p->evaluated++;
}

/* A design came back: it is on disk before it is counted. */
static gdyn_status design_done(void *context, int i) {
    gdyn_round *r = context;
    int place = r->todo[i];
    gdyn_status status = GDYN_OK;
    if (r->shop->options->store)
        status = gdyn_store_add(r->shop->options->store, r->design[place]);
    if (status != GDYN_OK)
        return status;
    count_design(r, place);
    if (r->shop->report)
        r->shop->report(r->shop->context);
    return GDYN_OK;
}

static bool same_variables(const gdyn_study *s, const gdyn_design *a, const gdyn_design *b) {
    for (int k = 0; k < s->variables; k++)
        if (a->x[k] != b->x[k])
            return false;
    return true;
}

/* A copy of what the archive or the store knows under the design's number. */
static gdyn_status find_known(const gdyn_workshop *w, const gdyn_design *d, gdyn_design **known) {
    *known = NULL;
    if (w->known) {
        const gdyn_design *found = gdyn_archive_find(w->known, d->serial);
        *known = found ? gdyn_design_copy(w->study, found) : NULL;
        return found && !*known ? GDYN_ERROR_MEMORY : GDYN_OK;
    }
    if (!w->options->store)
        return GDYN_OK;
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

static gdyn_status look_up(gdyn_round *r, int i) {
    gdyn_design *known;
    gdyn_status status = find_known(r->shop, r->design[i], &known);
    if (status != GDYN_OK)
        return status;
    if (!known) {
        r->todo[r->todo_count] = i;
        r->todo_design[r->todo_count++] = r->design[i];
        return GDYN_OK;
    }
    bool same = same_variables(r->shop->study, known, r->design[i]);
    gdyn_design_destroy(r->design[i]);
    r->design[i] = known;
    if (!same)
        return GDYN_ERROR_STUDY;
    count_design(r, i);
    r->shop->result->final.continued++;
    return GDYN_OK;
}

gdyn_status gdyn_round_run(gdyn_round *r) {
    const gdyn_workshop *w = r->shop;
    for (int i = 0; i < r->count; i++) {
        gdyn_status status = look_up(r, i);
        if (status != GDYN_OK)
            return status;
    }
    if (r->todo_count == 0 || w->known)
        return GDYN_OK;
    gdyn_batch batch = {.study = w->study,
                        .design = r->todo_design,
                        .count = r->todo_count,
                        .extent = GDYN_EXTENT_SOUND,
                        .stop = w->options->interrupt,
                        .done = design_done,
                        .context = r};
    const gdyn_executor *executor = w->options->executor ? w->options->executor : &w->own;
    return executor->evaluate(executor->self, &batch);
}

bool gdyn_round_whole(const gdyn_round *r) {
    for (int i = 0; i < r->count; i++)
        if (!r->done[i])
            return false;
    return true;
}

gdyn_status gdyn_round_keep(gdyn_round *r) {
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < r->count && status == GDYN_OK; i++) {
        if (!r->done[i])
            continue;
        status = gdyn_archive_add(&r->shop->result->archive, r->design[i]);
        r->design[i] = NULL;
    }
    return status;
}
