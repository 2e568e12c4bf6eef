/* run.c - the search over a study: asks for designs, evaluates them on all threads, keeps every one.
 *
 * Results are told and kept in the order of serial numbers, so they do not depend on the number of
 * threads. */
#include "study/internal.h"

#include "base/memory.h"
#include "lp/lp.h"
#include "search/fronts.h"
#include "search/hypervolume.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

typedef struct run {
    const gdyn_study *study;
    const gdyn_study_options *options;
    gdyn_study_result *result;
    gdyn_search *search;
    double *f; /* objectives of the present design, all to be minimized */
    int threads;
    double start_time;
} run;

gdyn_study_options gdyn_study_default(const gdyn_study *study) {
    return (gdyn_study_options){.search = study->start->search};
}

static double minimized(const gdyn_study *s, int objective, double value) {
    return s->start->objective[objective].maximize ? -value : value;
}

static void free_problem(double *bounds, bool *integer) {
    gdyn_free(bounds);
    gdyn_free(integer);
}

static gdyn_status create_search(run *r) {
    const gdyn_study *s = r->study;
    const gdyn_search_settings *wanted = &r->options->search;
    int n = s->variables;
    double *bounds = gdyn_alloc(2 * (size_t)n, sizeof *bounds);
    bool *integer = gdyn_alloc((size_t)n, sizeof *integer);
    if (!bounds || !integer) {
        free_problem(bounds, integer);
        return GDYN_ERROR_MEMORY;
    }
    for (int i = 0; i < n; i++) {
        bounds[i] = s->start->design[i].min, bounds[n + i] = s->start->design[i].max;
        integer[i] = s->start->design[i].integer;
    }
    gdyn_search_problem problem = {
        n, s->start->objective_count, bounds, bounds + n, integer, s->x_start};
    gdyn_search_options options = gdyn_search_default();
    options.population = wanted->population;
    options.seed = wanted->seed;
    options.evaluations = wanted->evaluations;
    options.generations = wanted->generations;
    options.time = wanted->time;
    options.stall_window = wanted->stall_window;
    options.stall_tolerance = wanted->stall_tolerance;
    gdyn_status status = gdyn_search_create(&problem, &options, &r->search);
    free_problem(bounds, integer);
    return status;
}

/* --- generations -------------------------------------------------------------------------- */

/* One generation in work: threads take the next design until none is left. */
typedef struct batch {
    run *run;
    gdyn_design **design; /* count, by index of the search's ask */
    int count;
    atomic_int next, done, status;
} batch;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report_progress(run *r, int done) {
    gdyn_study_progress *p = &r->result->final;
    p->search = gdyn_search_state(r->search);
    p->evaluated = r->result->archive.count + done;
    p->allowed = r->options->search.evaluations;
    p->seconds = now() - r->start_time;
    if (r->options->progress)
        r->options->progress(r->options->context, p);
}

/* The calling thread (report) tells the progress between its designs. */
static void work(batch *b, bool report) {
    const gdyn_study *s = b->run->study;
    for (int i; (i = atomic_fetch_add(&b->next, 1)) < b->count;) {
        if (atomic_load(&b->status) != GDYN_OK)
            return;
        const double *x = gdyn_search_design(b->run->search, i);
        gdyn_status status = gdyn_study_evaluate(s, x, false, b->design[i]);
        if (status != GDYN_OK)
            atomic_store(&b->status, (int)status);
        int done = atomic_fetch_add(&b->done, 1) + 1;
        if (report)
            report_progress(b->run, done);
    }
}

static void *work_in_thread(void *context) {
    work(context, false);
    gdyn_lp_end_thread();
    return NULL;
}

static void work_on_all(batch *b, int threads) {
    pthread_t helper[MOST_THREADS];
    int started = 0;
    threads = threads < b->count ? threads : b->count;
    while (started < threads - 1 && pthread_create(&helper[started], NULL, work_in_thread, b) == 0)
        started++;
    work(b, true);
    for (int i = 0; i < started; i++)
        pthread_join(helper[i], NULL);
}

/* Tells the results in the order of serial numbers; the archive takes the designs over. */
static gdyn_status take_over(batch *b) {
    run *r = b->run;
    const gdyn_study *s = r->study;
    gdyn_status status = GDYN_OK;
    for (int i = 0; i < b->count && status == GDYN_OK; i++) {
        gdyn_design *d = b->design[i];
        for (int k = 0; k < s->start->objective_count; k++)
            r->f[k] = minimized(s, k, d->objective[k]);
        gdyn_search_tell(r->search, i, &(gdyn_search_outcome){r->f, d->violation, d->failure});
        r->result->final.status[d->status]++;
        b->design[i] = NULL;
        status = gdyn_archive_add(&r->result->archive, d);
    }
    return status;
}

static gdyn_status make_designs(batch *b) {
    b->design = gdyn_alloc((size_t)b->count, sizeof *b->design);
    if (!b->design)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < b->count; i++) {
        b->design[i] = gdyn_design_create(b->run->study);
        if (!b->design[i])
            return GDYN_ERROR_MEMORY;
        b->design[i]->serial = gdyn_search_serial(b->run->search, i);
    }
    return GDYN_OK;
}

static gdyn_status one_generation(run *r) {
    batch b = {.run = r, .count = gdyn_search_ask(r->search)};
    gdyn_status status = make_designs(&b);
    if (status == GDYN_OK) {
        work_on_all(&b, r->threads);
        status = (gdyn_status)atomic_load(&b.status);
    }
    if (status == GDYN_OK)
        status = take_over(&b);
    for (int i = 0; b.design && i < b.count; i++)
        gdyn_design_destroy(b.design[i]);
    gdyn_free(b.design);
    return status == GDYN_OK ? gdyn_search_advance(r->search) : status;
}

static int thread_count(int wanted) {
    long processors = wanted > 0 ? wanted : sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > MOST_THREADS ? MOST_THREADS : (int)processors;
}

static gdyn_status generations(run *r) {
    gdyn_status status = GDYN_OK;
    r->threads = thread_count(r->options->threads);
    r->start_time = now();
    while (status == GDYN_OK && gdyn_search_state(r->search).stop == GDYN_SEARCH_RUNNING) {
        status = one_generation(r);
        bool running = gdyn_search_state(r->search).stop == GDYN_SEARCH_RUNNING;
        if (running && r->options->interrupt && *r->options->interrupt) {
            gdyn_search_end(r->search);
            r->result->interrupted = true;
        }
        if (status == GDYN_OK)
            report_progress(r, 0);
    }
    return status;
}

/* --- the front ---------------------------------------------------------------------------- */

/* Workspaces over all feasible designs of the archive. */
typedef struct pool {
    int count, m;
    int *place;       /* archive index of each feasible design */
    double *F;        /* m x count, minimized */
    int *front;       /* count */
    double *crowding; /* count */
    gdyn_fronts *fronts;
} pool;

static bool make_pool(const run *r, pool *p) {
    const gdyn_archive *archive = &r->result->archive;
    size_t most = (size_t)archive->count;
    *p = (pool){.m = r->study->start->objective_count};
    p->place = gdyn_alloc(most, sizeof *p->place);
    p->F = gdyn_alloc(most * (size_t)p->m, sizeof *p->F);
    p->front = gdyn_alloc(most, sizeof *p->front);
    p->crowding = gdyn_alloc(most, sizeof *p->crowding);
    p->fronts = gdyn_fronts_create(archive->count, p->m);
    if (!p->place || !p->F || !p->front || !p->crowding || !p->fronts)
        return false;
    for (int i = 0; i < archive->count; i++) {
        const gdyn_design *d = archive->design[i];
        if (d->status != GDYN_DESIGN_OK)
            continue;
        for (int k = 0; k < p->m; k++)
            p->F[p->count * p->m + k] = minimized(r->study, k, d->objective[k]);
        p->place[p->count++] = i;
    }
    return true;
}

static void free_pool(pool *p) {
    gdyn_free(p->place);
    gdyn_free(p->F);
    gdyn_free(p->front);
    gdyn_free(p->crowding);
    gdyn_fronts_destroy(p->fronts);
}

/* Evaluates the member fully; its status and values are those of the search. */
static gdyn_status add_to_front(run *r, int place) {
    const gdyn_design *known = r->result->archive.design[place];
    gdyn_design *full = gdyn_design_create(r->study);
    if (!full)
        return GDYN_ERROR_MEMORY;
    full->serial = known->serial;
    gdyn_status status = gdyn_study_evaluate(r->study, known->x, true, full);
    if (status != GDYN_OK) {
        gdyn_design_destroy(full);
        return status;
    }
    return gdyn_archive_add(&r->result->front, full);
}

static gdyn_status measure_front(run *r, const double *F, int count) {
    int m = r->study->start->objective_count;
    const double *reference = r->result->final.search.reference;
    if (!reference || count == 0)
        return GDYN_OK;
    gdyn_hypervolume *w = gdyn_hypervolume_create(count, m);
    r->result->reference = gdyn_alloc((size_t)m, sizeof *r->result->reference);
    if (!w || !r->result->reference) {
        gdyn_hypervolume_destroy(w);
        return GDYN_ERROR_MEMORY;
    }
    r->result->hypervolume = gdyn_hypervolume_of(w, F, count, reference);
    for (int k = 0; k < m; k++)
        r->result->reference[k] = minimized(r->study, k, reference[k]);
    gdyn_hypervolume_destroy(w);
    return GDYN_OK;
}

/* Sorts all feasible designs; the first front, thinned, is evaluated fully. */
static gdyn_status settle_front(run *r, pool *p) {
    gdyn_fronts_sort(p->fronts, p->F, p->count, p->front);
    int total = 0, *member = gdyn_alloc((size_t)p->count, sizeof *member);
    if (!member)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < p->count; i++)
        if (p->front[i] == 0) {
            r->result->nondominated[p->place[i]] = true;
            member[total++] = i;
        }
    int keep = total < r->options->search.population ? total : r->options->search.population;
    gdyn_fronts_thin(p->fronts, p->F, total, member, keep, p->crowding);
    double *kept = gdyn_alloc((size_t)keep * (size_t)p->m, sizeof *kept);
    gdyn_status status = kept ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < keep && status == GDYN_OK; i++) {
        memcpy(kept + i * p->m, p->F + member[i] * p->m, (size_t)p->m * sizeof *kept);
        status = add_to_front(r, p->place[member[i]]);
    }
    r->result->front_total = total;
    if (status == GDYN_OK)
        status = measure_front(r, kept, keep);
    gdyn_free(kept);
    gdyn_free(member);
    return status;
}

static gdyn_status find_front(run *r) {
    pool p;
    r->result->nondominated =
        gdyn_alloc((size_t)r->result->archive.count, sizeof *r->result->nondominated);
    gdyn_status status = r->result->nondominated && make_pool(r, &p) ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (!r->result->nondominated)
        return status;
    if (status == GDYN_OK && p.count > 0)
        status = settle_front(r, &p);
    free_pool(&p);
    return status;
}

gdyn_status gdyn_study_run(const gdyn_study *study, const gdyn_study_options *options,
                           gdyn_study_result *result) {
    *result = (gdyn_study_result){0};
    run r = {.study = study, .options = options, .result = result};
    r.f = gdyn_alloc((size_t)study->start->objective_count, sizeof *r.f);
    gdyn_status status = r.f ? create_search(&r) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = generations(&r);
    if (status == GDYN_OK)
        status = find_front(&r);
    result->final.search.reference = NULL; /* it goes with the search */
    gdyn_search_destroy(r.search);
    gdyn_free(r.f);
    if (status != GDYN_OK)
        gdyn_study_result_clear(result);
    return status;
}

void gdyn_study_result_clear(gdyn_study_result *result) {
    gdyn_archive_clear(&result->archive);
    gdyn_archive_clear(&result->front);
    gdyn_free(result->nondominated);
    gdyn_free(result->reference);
    *result = (gdyn_study_result){0};
}
