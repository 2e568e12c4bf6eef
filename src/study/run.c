/* run.c - the search over a study, and sweeps: generates designs, evaluates them, stores every one.
 *
 * Results are reported and kept in the order of serial numbers, so they do not depend on who
 * evaluated them. A design that the store or an earlier archive holds is not evaluated again:
 * continuing a search is running it again with most answers at hand.
 *
 * A search that looks ahead (lag > 0) asks for further batches before the results of the oldest one
 * are all there: who evaluates never waits for the slowest design of a batch. Results are passed on
 * batch by batch in the order in which they were asked for, whoever was ready first, so that the
 * designs do not depend on times, threads or ranks. */
#include "study/internal.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "study/choose.h"
#include "study/store.h"

#include <string.h>

enum { SWEEP_BATCH = 1024 };
/* Designs whose points are kept: as many as local searches remember, of the most that there are. */
enum { BASES = 128 };

/* Designs that a search asks for together, or a part of a sweep. */
typedef struct batch {
    int count, missing; /* designs; those that are not evaluated yet */
    struct entry {
        gdyn_design *design; /* NULL: not known in a replay; or the archive has it */
        bool done;
        bool waits;                   /* for the design that it is a neighbour of */
    } * entry;                        /* count */
    int status[GDYN_DESIGN_STATUSES]; /* of the designs that are done */
} batch;

typedef struct run {
    const gdyn_study *study;
    const gdyn_study_options *options;
    const gdyn_archive *known; /* the only designs there are: none is evaluated; or NULL */
    gdyn_study_result *result;
    gdyn_search *search; /* NULL in a sweep */
    const gdyn_search_recall *recall;
    const double *x;      /* variables x designs: of a sweep */
    long designs, passed; /* of a sweep; those of batches that were passed on */

    batch *batch; /* those under way, oldest first */
    int batches, room;
    long first;   /* number of the oldest one */
    gdyn_job job; /* all designs to be evaluated, as far as they are asked for */
    struct place {
        long batch; /* its number */
        int entry;
    } * place;            /* of the job's designs */
    int places, capacity; /* rooms of both lists */

    /* points of the latest designs at which slopes may be asked for (study.h) */
    struct base {
        long serial;
        double *active; /* study->active */
    } base[BASES];
    long bases;

    double *f, *g;     /* objectives to be minimized, constraints, of the present design */
    double *reference; /* of the last generation */
    double start_time, synced;
} run;

/* Numbers of the run so far, for whoever watches. */
static void report_progress(const run *r) {
    gdyn_study_progress *p = &r->result->final;
    if (r->search)
        p->search = gdyn_search_state(r->search);
    p->allowed = r->search ? r->options->search.evaluations : r->designs;
    p->seconds = gdyn_clock() - r->start_time;
    if (r->options->progress)
        r->options->progress(r->options->context, p);
}

/* Once a second, and at the end. */
static gdyn_status sync_store(run *r, bool now_or_never) {
    gdyn_store *store = r->options->store;
    if (!store || (!now_or_never && gdyn_clock() - r->synced < 1))
        return GDYN_OK;
    r->synced = gdyn_clock();
    return gdyn_store_sync(store);
}

/* --- batches -------------------------------------------------------------------------------- */

/* Counts a design in its batch and in the progress of the run. */
static void count_design(run *r, batch *b, int i) {
    gdyn_study_progress *p = &r->result->final;
    b->entry[i].done = true;
    b->missing--;
    b->status[b->entry[i].design->status]++;
    p->status[b->entry[i].design->status]++;
    p->evaluated++;
}

/* A copy of what the archive or the store knows under that number; NULL: nothing. */
static gdyn_status find_known(const run *r, long serial, gdyn_design **known) {
    *known = NULL;
    if (r->known) {
        const gdyn_design *found = gdyn_archive_find(r->known, serial);
        *known = found ? gdyn_design_copy(r->study, found) : NULL;
        return found && !*known ? GDYN_ERROR_MEMORY : GDYN_OK;
    }
    if (!r->options->store)
        return GDYN_OK;
    gdyn_design *row = gdyn_design_create(r->study);
    if (!row)
        return GDYN_ERROR_MEMORY;
    row->serial = serial;
    bool found;
    gdyn_status status = gdyn_store_find(r->options->store, row, &found);
    if (status == GDYN_OK && found)
        *known = row;
    else
        gdyn_design_destroy(row);
    return status;
}

/* --- neighbours: designs that local searches ask for to have slopes. They are evaluated at the
 * points of the design that they are neighbours of, once that is there. */

static void keep_base(run *r, const gdyn_design *d) {
    struct base *kept = &r->base[r->bases++ % BASES];
    kept->serial = d->serial;
    memcpy(kept->active, d->active, (size_t)r->study->active * sizeof *kept->active);
}

static const double *variables_of(const run *r, long serial) {
    const gdyn_design *d = gdyn_archive_find(&r->result->archive, serial);
    for (int k = 0; k < r->batches && !d; k++)
        for (int i = 0; i < r->batch[k].count && !d; i++) {
            const struct entry *e = &r->batch[k].entry[i];
            d = e->done && e->design && e->design->serial == serial ? e->design : NULL;
        }
    return d ? d->x : NULL;
}

/* Gives a neighbour its points. Those of a design from the store are found again. */
static gdyn_status take_base(run *r, gdyn_design *d, bool *waits) {
    size_t bytes = (size_t)r->study->active * sizeof *d->active;
    *waits = false;
    for (int k = 0; k < BASES; k++)
        if (r->base[k].serial == d->base) {
            memcpy(d->active, r->base[k].active, bytes);
            return GDYN_OK;
        }
    const double *x = variables_of(r, d->base);
    *waits = !x;
    if (!x)
        return GDYN_OK;
    gdyn_design *base = gdyn_design_create(r->study);
    if (!base)
        return GDYN_ERROR_MEMORY;
    base->serial = base->base = d->base;
    gdyn_status status = gdyn_study_evaluate(r->study, x, GDYN_EXTENT_NEEDED, base);
    if (status == GDYN_OK) {
        keep_base(r, base);
        memcpy(d->active, base->active, bytes);
    }
    gdyn_design_destroy(base);
    return status;
}

static gdyn_status submit(run *r, long number, int i) {
    int count = r->job.count + 1;
    struct entry *e = &r->batch[number - r->first].entry[i];
    if (!gdyn_reserve(&r->job.design, &r->capacity, count, sizeof(gdyn_design *)) ||
        !gdyn_reserve(&r->place, &r->places, count, sizeof *r->place))
        return GDYN_ERROR_MEMORY;
    e->waits = false;
    r->place[count - 1] = (struct place){number, i};
    r->job.design[r->job.count++] = e->design;
    return GDYN_OK;
}

static gdyn_status submit_neighbours(run *r, const gdyn_design *base) {
    gdyn_status status = GDYN_OK;
    for (int k = 0; k < r->batches; k++)
        for (int i = 0; i < r->batch[k].count && status == GDYN_OK; i++) {
            struct entry *e = &r->batch[k].entry[i];
            if (!e->waits || e->design->base != base->serial)
                continue;
            status = take_base(r, e->design, &e->waits);
            if (status == GDYN_OK)
                status = submit(r, r->first + k, i);
        }
    return status;
}

/* Design i of batch number `number`: what is known of it, else it joins the job. */
static gdyn_status add_design(run *r, long number, int i, long serial, long base, const double *x) {
    batch *b = &r->batch[number - r->first];
    gdyn_design **design = &b->entry[i].design;
    gdyn_status status = find_known(r, serial, design);
    if (status != GDYN_OK)
        return status;
    if (*design) {
        /* Other variables under this number: the file belongs to another search. */
        for (int k = 0; k < r->study->variables; k++)
            if ((*design)->x[k] != x[k])
                return GDYN_ERROR_STUDY;
        count_design(r, b, i);
        r->result->final.continued++;
        return GDYN_OK;
    }
    if (r->known)
        return GDYN_OK;
    gdyn_design *d = *design = gdyn_design_create(r->study);
    if (!d)
        return GDYN_ERROR_MEMORY;
    d->serial = serial;
    d->base = d->active ? base : -1;
    memcpy(d->x, x, (size_t)r->study->variables * sizeof *x);
    if (d->base >= 0 && d->base != serial)
        status = take_base(r, d, &b->entry[i].waits);
    return status != GDYN_OK || b->entry[i].waits ? status : submit(r, number, i);
}

/* Whether there is more to ask for. */
static bool goes_on(const run *r) {
    return r->search ? gdyn_search_state(r->search).stop == GDYN_SEARCH_RUNNING
                     : r->passed < r->designs;
}

/* Takes the batches that are asked for since the last time. */
static gdyn_status take_batches(run *r) {
    gdyn_status status = GDYN_OK;
    int batches = r->search ? gdyn_search_batches(r->search) : r->designs > 0, before = 0;
    if (!gdyn_reserve(&r->batch, &r->room, batches, sizeof *r->batch))
        return GDYN_ERROR_MEMORY;
    for (int k = 0; k < batches && status == GDYN_OK; k++) {
        long left = r->designs - r->passed;
        int count = r->search            ? gdyn_search_batch(r->search, k)
                    : left < SWEEP_BATCH ? (int)left
                                         : SWEEP_BATCH;
        if (k == r->batches) {
            batch *b = &r->batch[r->batches++];
            *b = (batch){.entry = gdyn_alloc((size_t)count, sizeof *b->entry)};
            if (!b->entry)
                return GDYN_ERROR_MEMORY;
            b->count = b->missing = count;
            for (int i = 0; i < count && status == GDYN_OK; i++) {
                long serial = r->search ? gdyn_search_serial(r->search, before + i) : r->passed + i;
                const double *x = r->search ? gdyn_search_design(r->search, before + i)
                                            : r->x + serial * r->study->variables;
                long base = r->search ? gdyn_search_base(r->search, before + i) : -1;
                status = add_design(r, r->first + k, i, serial, base, x);
            }
        }
        before += count;
    }
    return status;
}

/* The result's archive takes what is done, in the order of serial numbers. */
static gdyn_status keep_designs(run *r, batch *b) {
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < b->count && status == GDYN_OK; i++) {
        if (!b->entry[i].done)
            continue;
        gdyn_design *d = b->entry[i].design, *whole = d;
        b->entry[i].design = NULL;
        if (r->options->slim && r->options->store && d->serial > 0) {
            d = gdyn_design_slim(r->study, whole);
            gdyn_design_destroy(whole);
        }
        status = d ? gdyn_archive_add(&r->result->archive, d) : GDYN_ERROR_MEMORY;
    }
    return status;
}

static void free_batch(batch *b) {
    for (int i = 0; i < b->count; i++)
        gdyn_design_destroy(b->entry[i].design);
    gdyn_free(b->entry);
}

/* Outcomes go to the search in its own terms: minimized, shortfalls with their sign. */
static void tell_search(run *r, const batch *b) {
    const gdyn_study *s = r->study;
    for (int i = 0; i < b->count; i++) {
        const gdyn_design *d = b->entry[i].design;
        for (int k = 0; k < s->start->objective_count; k++)
            r->f[k] = gdyn_study_minimized(s, k, d->objective[k]);
        for (int k = 0; k < s->start->requirement_count; k++)
            r->g[k] = gdyn_study_shortfall(&s->start->requirement[k], d->constraint[k]);
        gdyn_search_tell(r->search, i,
                         &(gdyn_search_outcome){.objective = r->f,
                                                .violation = d->violation,
                                                .apart = d->difference,
                                                .failure = d->failure,
                                                .constraint = d->evaluated ? r->g : NULL});
    }
}

static gdyn_status add_history(run *r, const batch *b) {
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
                           .hypervolume = info.hypervolume};
    for (int k = 0; info.reference && k < r->study->start->objective_count; k++) {
        h->moved |= r->reference[k] != info.reference[k];
        r->reference[k] = info.reference[k];
    }
    memcpy(h->status, b->status, sizeof h->status);
    return r->options->store ? gdyn_store_add_generation(r->options->store, h) : GDYN_OK;
}

/* All designs of the oldest batch are there: the search learns them and goes on, the archive keeps
 * them. */
static gdyn_status finish_batch(run *r, batch *b) {
    if (r->search)
        tell_search(r, b);
    r->passed += b->count;
    gdyn_status status = keep_designs(r, b);
    if (status == GDYN_OK && r->search)
        status = gdyn_search_advance(r->search);
    if (status == GDYN_OK && r->search)
        status = add_history(r, b);
    if (status == GDYN_OK)
        status = sync_store(r, false);
    if (status == GDYN_OK)
        report_progress(r);
    return status;
}

/* Passes the oldest batches on as long as they are whole. */
static gdyn_status pass_on(run *r) {
    gdyn_status status = GDYN_OK;
    while (status == GDYN_OK && goes_on(r) && r->batches > 0 && r->batch[0].missing == 0) {
        status = finish_batch(r, &r->batch[0]);
        free_batch(&r->batch[0]);
        memmove(r->batch, r->batch + 1, (size_t)--r->batches * sizeof *r->batch);
        r->first++;
        /* An interruption asks for no more. */
        if (status == GDYN_OK && goes_on(r) && !gdyn_flag(r->job.stop))
            status = take_batches(r);
    }
    return status;
}

/* A design of the job came back: it is on disk before it is counted. Further ones may join. */
static gdyn_status design_done(void *context, int i) {
    run *r = context;
    batch *b = &r->batch[r->place[i].batch - r->first];
    gdyn_store *store = r->options->store;
    gdyn_status status = store ? gdyn_store_add(store, r->job.design[i]) : GDYN_OK;
    if (status != GDYN_OK)
        return status;
    count_design(r, b, r->place[i].entry);
    const gdyn_design *d = r->job.design[i];
    if (r->options->visit && !d->left)
        r->options->visit(r->options->visitor, d);
    if (d->active && d->base == d->serial) {
        keep_base(r, d);
        status = submit_neighbours(r, d);
    }
    report_progress(r);
    return status == GDYN_OK ? pass_on(r) : status;
}

/* Batch by batch, until a rule or the user stops, or a design is missing. */
static gdyn_status run_batches(run *r) {
    gdyn_executor own = {0};
    gdyn_status status = GDYN_OK;
    r->job = (gdyn_job){.study = r->study,
                        .extent = GDYN_EXTENT_SOUND,
                        .stop = r->options->interrupt,
                        .done = design_done,
                        .context = r};
    /* Threads are needed unless others evaluate, or everything is known. */
    if (!r->options->executor && !r->known)
        status = gdyn_executor_threads(r->options->threads, &own);
    if (status == GDYN_OK)
        status = take_batches(r);
    if (status == GDYN_OK)
        status = pass_on(r);
    /* The executor works until no design of the job is left. */
    const gdyn_executor *executor = r->options->executor ? r->options->executor : &own;
    if (status == GDYN_OK && r->job.count > 0)
        status = executor->evaluate(executor->self, &r->job);
    gdyn_executor_destroy(&own);
    /* What is left: behind the stop of the search, or not whole. */
    for (int k = 0; k < r->batches && status == GDYN_OK; k++) {
        r->result->interrupted |= r->batch[k].missing > 0;
        status = keep_designs(r, &r->batch[k]);
    }
    if (status == GDYN_OK && goes_on(r)) {
        if (r->search)
            gdyn_search_end(r->search);
        r->result->interrupted = true;
    }
    for (int k = 0; k < r->batches; k++)
        free_batch(&r->batch[k]);
    gdyn_free(r->batch), gdyn_free(r->job.design), gdyn_free(r->place);
    if (status == GDYN_OK)
        status = sync_store(r, true);
    if (status == GDYN_OK)
        report_progress(r);
    return status;
}

/* Fetches what the store has of a design without responses. */
static gdyn_status complete_design(const run *r, gdyn_design **design) {
    gdyn_design *whole = NULL;
    gdyn_status status = (*design)->response ? GDYN_OK : find_known(r, (*design)->serial, &whole);
    if (status != GDYN_OK || (*design)->response)
        return status;
    gdyn_design_destroy(*design);
    *design = whole;
    return whole ? GDYN_OK : GDYN_ERROR_STUDY;
}

/* The designs that results describe in full: those of the front, else the nearest one. */
static gdyn_status complete_designs(const run *r) {
    gdyn_study_result *result = r->result;
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < result->front.count && status == GDYN_OK; i++)
        status = complete_design(r, &result->front.design[i]);
    if (result->front.count > 0 || status != GDYN_OK)
        return status;
    gdyn_infeasibility why;
    status = gdyn_infeasibility_find(r->study, &result->archive, &why);
    int nearest = status == GDYN_OK && why.nearest
                      ? gdyn_archive_place(&result->archive, why.nearest->serial)
                      : -1;
    gdyn_infeasibility_clear(&why);
    return nearest < 0 ? status : complete_design(r, &result->archive.design[nearest]);
}

/* --- searches and sweeps ---------------------------------------------------------------------- */

/* What the search knows of its levels, which goes with it. */
static gdyn_status note_levels(run *r) {
    const gdyn_search_options *o = &r->options->search;
    gdyn_study_result *result = r->result;
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

/* A search, or the sweep over r->x. */
static gdyn_status run_all(run *r) {
    const gdyn_study *s = r->study;
    size_t objectives = (size_t)s->start->objective_count;
    gdyn_arena *arena = gdyn_arena_create();
    *r->result = (gdyn_study_result){0};
    r->start_time = r->synced = gdyn_clock();
    r->f = gdyn_arena_doubles(arena, objectives);
    r->reference = gdyn_arena_doubles(arena, objectives);
    r->g = gdyn_arena_doubles(arena, (size_t)s->start->requirement_count);
    for (int k = 0; k < BASES; k++)
        r->base[k] = (struct base){-1, gdyn_arena_doubles(arena, (size_t)s->active)};
    gdyn_status status = gdyn_arena_failed(arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
    if (status == GDYN_OK && !r->x)
        status = gdyn_study_create_search(s, r->options, &r->search);
    if (status == GDYN_OK && r->recall)
        gdyn_search_recall_from(r->search, r->recall);
    if (status == GDYN_OK)
        status = run_batches(r);
    /* The front of a search against its last reference. */
    if (status == GDYN_OK)
        status = gdyn_study_find_front(s, r->result->final.search.reference, r->result);
    if (status == GDYN_OK && r->options->slim && r->options->store)
        status = complete_designs(r);
    if (status == GDYN_OK && r->search)
        status = note_levels(r);
    r->result->final.search.reference = NULL; /* it goes with the search */
    gdyn_search_destroy(r->search);
    gdyn_arena_destroy(arena);
    if (status != GDYN_OK)
        gdyn_study_result_clear(r->result);
    return status;
}

gdyn_status gdyn_study_run(const gdyn_study *study, const gdyn_study_options *options,
                           gdyn_study_result *result) {
    return run_all(&(run){.study = study, .options = options, .result = result});
}

gdyn_status gdyn_study_sweep(const gdyn_study *study, const gdyn_study_options *options, long count,
                             const double *x, gdyn_study_result *result) {
    return run_all(
        &(run){.study = study, .options = options, .result = result, .designs = count, .x = x});
}

gdyn_status gdyn_study_replay(const gdyn_study *study, const gdyn_study_options *options,
                              const gdyn_search_recall *recall, const gdyn_archive *known,
                              gdyn_study_result *result) {
    return run_all(&(run){
        .study = study, .options = options, .known = known, .recall = recall, .result = result});
}

void gdyn_study_result_clear(gdyn_study_result *result) {
    gdyn_archive_clear(&result->archive), gdyn_archive_clear(&result->front);
    gdyn_free(result->nondominated), gdyn_free(result->history);
    gdyn_free(result->reference), gdyn_free(result->level);
    *result = (gdyn_study_result){0};
}
