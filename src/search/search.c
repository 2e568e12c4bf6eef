/* search.c - a search in steps: ask, tell, advance; its state; when it stops.
 * What the designs of the next batch are is the method's matter (method.h). */
#include "search/method.h"

#include "base/clock.h"
#include "search/search.h"
#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double REGION_STEP = 0.2;
/* Designs that tell how large constraints are. */
enum { SAMPLE = 96 };
static const double NOISE = 1e-9; /* of the greatest value */

gdyn_search_options gdyn_search_default(void) {
    return (gdyn_search_options){.method = GDYN_SEARCH_AUTO,
                                 .seed = 1,
                                 .crossover = -1,
                                 .crossover_variable = 0.5,
                                 .crossover_eta = -1,
                                 .mutation = -1,
                                 .mutation_eta = -1,
                                 .weight = -1,
                                 .rate = -1,
                                 .evaluations = 10000};
}

const char *gdyn_search_stop_text(gdyn_search_stop stop) {
    static const char *const texts[] = {[GDYN_SEARCH_RUNNING] = "still running",
                                        [GDYN_SEARCH_EVALUATIONS] = "all evaluations used",
                                        [GDYN_SEARCH_GENERATIONS] = "all generations done",
                                        [GDYN_SEARCH_TIME] = "time used up",
                                        [GDYN_SEARCH_STALL] = "the front has stopped improving",
                                        [GDYN_SEARCH_REQUEST] = "stopped by request",
                                        [GDYN_SEARCH_COMPLETE] =
                                            "every problem of the method is solved"};
    return (unsigned)stop < sizeof texts / sizeof *texts ? texts[stop] : "unknown";
}

void gdyn_search_keep(gdyn_search_options *o, long known) {
    o->known = known;
    if (o->evaluations > 0 && o->evaluations < known)
        o->evaluations = known;
}

/* --- ask and tell ------------------------------------------------------------------------- */

void gdyn_search_announce(gdyn_search *s, int count) {
    /* No more designs than the budget allows. */
    long before = s->info.evaluations + s->waiting_count;
    long left = s->options.evaluations > 0 ? s->options.evaluations - before : count;
    s->children = left < count ? (int)left : count;
    for (int i = 0; i < s->children; i++) {
        s->serial[s->child[i]] = before + i;
        s->received[s->child[i]] = false;
    }
    /* Behind the batches that wait. */
    if (s->children <= 0)
        return;
    memcpy(s->waiting + s->waiting_count, s->child, (size_t)s->children * sizeof *s->child);
    s->waiting_count += s->children;
    s->batch[s->batches++] = s->children;
}

int gdyn_search_batches(const gdyn_search *s) {
    return s->batches;
}

int gdyn_search_batch(const gdyn_search *s, int k) {
    return s->batch[k];
}

int gdyn_search_ask(const gdyn_search *s) {
    return s->batches > 0 ? s->batch[0] : 0;
}

const double *gdyn_search_design(const gdyn_search *s, int i) {
    return gdyn_slot_x(s, s->waiting[i]);
}

long gdyn_search_serial(const gdyn_search *s, int i) {
    return s->serial[s->waiting[i]];
}

long gdyn_search_base(const gdyn_search *s, int i) {
    return s->base[s->waiting[i]];
}

void gdyn_search_tell(gdyn_search *s, int i, const gdyn_search_outcome *outcome) {
    int slot = s->waiting[i];
    double *f = gdyn_slot_f(s, slot);
    /* Negative amounts count as none; NaN and infinite ones as the worst failure. */
    double failure = outcome->failure > 0 ? outcome->failure : 0;
    double violation = outcome->violation > 0 ? outcome->violation : 0;
    if (isnan(outcome->failure) || !isfinite(outcome->violation))
        failure = INFINITY;
    for (int j = 0; failure == 0 && j < s->m; j++)
        if (!isfinite(outcome->objective[j]))
            failure = INFINITY;
    for (int j = 0; j < s->m; j++)
        /* Objectives of failed designs are not looked at. */
        f[j] = failure == 0 ? outcome->objective[j] + 0.0 : 0; /* + 0.0: no negative zero */
    s->failure[slot] = failure;
    s->violation[slot] = failure == 0 ? violation : 0;
    s->detailed[slot] = failure == 0 && outcome->constraint;
    /* Constraints one by one where all of them are finite. */
    for (int j = 0; j < s->constraints; j++) {
        double g = s->detailed[slot] ? outcome->constraint[j] : 0;
        gdyn_slot_g(s, slot)[j] = isfinite(g) ? g : 0;
        s->detailed[slot] &= isfinite(g);
    }
    s->apart[slot] = outcome->apart, s->received[slot] = true;
}

/* --- sizes of constraints ----------------------------------------------------------------- */

/* The median of |g_j| over the first SAMPLE designs that have values, which lie all over the box
 * (of several batches the greatest one). Constraints come in any measure; they are compared, and
 * handed to solvers, by this size. True when some became known or changed. */
static bool measure(gdyn_search *s) {
    double size[SAMPLE];
    bool changed = false;
    int count = 0;
    for (int j = 0; j < s->constraints && s->measured < SAMPLE; j++) {
        count = 0;
        for (int i = 0; i < s->children && count < SAMPLE; i++)
            if (s->detailed[s->child[i]])
                size[count++] = fabs(gdyn_slot_g(s, s->child[i])[j]);
        if (count == 0)
            break;
        qsort(size, (size_t)count, sizeof *size, gdyn_ascending);
        /* noise is no size */
        double least = fmax(NOISE * size[count - 1], s->equality[j]);
        double now = fmax(s->size[j], fmax(size[count / 2], least));
        changed |= now != s->size[j];
        s->size[j] = now;
    }
    s->measured += count;
    return changed;
}

/* Violation in these sizes; what counts as kept is the caller's decision. */
static void weigh(gdyn_search *s, const int *slot, int count) {
    for (int i = 0; i < count; i++) {
        const double *g = gdyn_slot_g(s, slot[i]);
        double sum = 0;
        if (s->constraints == 0 || !s->detailed[slot[i]] || s->violation[slot[i]] == 0)
            continue;
        for (int j = 0; j < s->constraints; j++) {
            double over = s->equality[j] > 0 ? fabs(g[j]) - s->equality[j] : g[j];
            sum += fmax(over, 0) / (s->size[j] > 0 ? s->size[j] : 1);
        }
        s->violation[slot[i]] = fmax(sum, DBL_MIN);
    }
}

/* --- state, stopping ---------------------------------------------------------------------- */

/* Sets or widens the reference so that the front lies inside; true when it moved. */
static bool move_reference(gdyn_search *s, const double *F, int count) {
    bool moved = false;
    for (int j = 0; j < s->m; j++) {
        double worst, reference = gdyn_hypervolume_reference(F, count, s->m, j, &worst);
        /* it stays while the front lies inside */
        if (s->referenced && worst < s->reference[j])
            continue;
        s->reference[j] = reference;
        moved = true;
    }
    s->referenced = true;
    return moved;
}

/* With an aim the reference follows the corner of the region, in steps of a fifth of its width:
 * between them volumes can be compared. True when it moved. */
static bool move_to_region(gdyn_search *s) {
    const gdyn_aim *aim = s->aim;
    bool moved = !s->referenced;
    for (int j = 0; j < s->m && !moved; j++)
        moved =
            fabs(aim->bound[j] - s->reference[j]) > REGION_STEP * aim->width * aim->scalar.range[j];
    if (moved)
        memcpy(s->reference, aim->bound, (size_t)s->m * sizeof *s->reference);
    s->referenced = true;
    return moved;
}

/* Remembers the hypervolume whenever as many designs have come as the population has; true when it
 * grew too little over the window. Batches differ in size, so they are not what counts. */
static bool stalled(gdyn_search *s) {
    int window = s->options.stall_window;
    if (window <= 0 || s->info.feasible == 0)
        return false;
    if (s->history_count > 0 && s->info.evaluations - s->last_volume < s->N)
        return false;
    s->last_volume = s->info.evaluations;
    s->history[s->history_count++ % (window + 1)] = s->info.hypervolume;
    if (s->history_count < window + 1)
        return false;
    double old = s->history[s->history_count % (window + 1)];
    return s->info.hypervolume - old <= s->options.stall_tolerance * s->info.hypervolume;
}

static void summarize(gdyn_search *s) {
    gdyn_search_info *info = &s->info;
    info->population = s->parents, info->feasible = info->failed = info->front = 0;
    for (int i = 0; i < s->parents; i++) {
        int slot = s->parent[i];
        info->failed += s->failure[slot] > 0;
        if (!gdyn_slot_feasible(s, slot))
            continue;
        info->feasible++;
        /* with one objective the others have the same value */
        if (s->front[slot] == 0 && (s->m > 1 || info->front == 0))
            memcpy(s->packed + (size_t)info->front++ * (size_t)s->m, gdyn_slot_f(s, slot),
                   (size_t)s->m * sizeof *s->f);
    }
    /* The reference follows the front outwards only. */
    if (info->feasible > 0) {
        bool before = s->referenced;
        info->moved =
            !s->fixed_reference &&
            (gdyn_aim_known(s) ? move_to_region(s) : move_reference(s, s->packed, info->front));
        if (info->moved)
            s->history_count = 0; /* volumes against another reference cannot be compared */
        info->moved = info->moved && before;
        info->estimated = !gdyn_hypervolume_affordable(info->front, s->m);
        info->hypervolume = gdyn_hypervolume_measure(s->volume, s->packed, info->front,
                                                     s->reference, GDYN_SAMPLES_QUICK);
    }
    info->reference = s->referenced ? s->reference : NULL;
    info->seconds = gdyn_clock() - s->start_time;
}

static gdyn_search_stop stopping(gdyn_search *s) {
    /* The window is updated even where another rule stops the search. */
    const gdyn_search_options *o = &s->options;
    bool stall = stalled(s);
    if (s->info.evaluations + s->waiting_count < o->known)
        return GDYN_SEARCH_RUNNING;
    if (o->evaluations > 0 && s->info.evaluations >= o->evaluations)
        return GDYN_SEARCH_EVALUATIONS;
    if (o->generations > 0 && s->info.generation >= o->generations)
        return GDYN_SEARCH_GENERATIONS;
    if (o->time > 0 && s->info.seconds >= o->time)
        return GDYN_SEARCH_TIME;
    stall = stall && (!s->method->settled || s->method->settled(s));
    return stall ? GDYN_SEARCH_STALL : GDYN_SEARCH_RUNNING;
}

static void free_slots(gdyn_search *s) {
    /* Slots of neither parents nor designs that wait take the next children. */
    memset(s->work, 0, (size_t)s->capacity * sizeof *s->work);
    for (int i = 0; i < s->parents; i++)
        s->work[s->parent[i]] = 1;
    for (int i = 0; i < s->waiting_count; i++)
        s->work[s->waiting[i]] = 1;
    const int *member;
    for (int i = gdyn_helper_members(s, &member) - 1; i >= 0; i--)
        s->work[member[i]] = 1;
    for (int slot = 0, i = 0; i < s->room; slot++)
        if (!s->work[slot])
            s->child[i++] = slot, s->base[slot] = -1;
}

void gdyn_search_recall_from(gdyn_search *s, const gdyn_search_recall *recall) {
    s->recall = recall;
}

/* The next batch as it was. */
static int recall_batch(gdyn_search *s) {
    const gdyn_search_recall *r = s->recall;
    long first = s->info.evaluations + s->waiting_count;
    int count = r->size(r->context, first, s->room);
    for (int i = 0; i < count; i++) {
        const double *x = r->design(r->context, first + i);
        memcpy(gdyn_slot_x(s, s->child[i]), x ? x : s->variation.lower,
               (size_t)s->n * sizeof *s->x);
    }
    return count;
}

static gdyn_status next_batch(gdyn_search *s) {
    int count = 0;
    free_slots(s);
    gdyn_status status = GDYN_OK;
    if (s->recall)
        count = recall_batch(s);
    else
        status = s->method->breed(s, &count);
    if (status != GDYN_OK)
        return status;
    gdyn_search_announce(s, count);
    if (count == 0 && s->batches == 0)
        s->info.stop = GDYN_SEARCH_COMPLETE;
    return GDYN_OK;
}

/* As many batches as may wait. Each of several made at once has a number of its own for the random
 * numbers. */
static gdyn_status next_batches(gdyn_search *s) {
    gdyn_status status = GDYN_OK;
    for (long k = 0; status == GDYN_OK && s->batches <= s->options.lag; k++) {
        long known = s->info.evaluations + s->waiting_count;
        int before = s->batches;
        if (s->options.evaluations > 0 && known >= s->options.evaluations)
            break;
        s->info.generation += k << 32;
        status = next_batch(s);
        s->info.generation -= k << 32;
        if (s->batches == before)
            break;
    }
    return status;
}

/* The oldest batch becomes the children. */
static void take_oldest(gdyn_search *s) {
    int count = gdyn_search_ask(s);
    memcpy(s->child, s->waiting, (size_t)count * sizeof *s->child);
    s->children = count;
    if (count == 0)
        return;
    s->waiting_count -= count;
    memmove(s->waiting, s->waiting + count, (size_t)s->waiting_count * sizeof *s->waiting);
    memmove(s->batch, s->batch + 1, (size_t)--s->batches * sizeof *s->batch);
}

static void drop_waiting(gdyn_search *s) {
    s->children = s->batches = s->waiting_count = 0;
}

/* Children that only gave slopes are left out before survivors are selected. */
static void leave_out_apart(gdyn_search *s) {
    int kept = 0, guests = s->guests;
    for (int i = 0; i < s->children; i++)
        if (!s->apart[s->child[i]])
            s->child[kept++] = s->child[i];
        else if (i < guests)
            s->guests--;
    s->children = kept;
    memcpy(s->pool + s->parents, s->child, (size_t)kept * sizeof *s->pool);
}

gdyn_status gdyn_search_advance(gdyn_search *s) {
    if (s->info.stop != GDYN_SEARCH_RUNNING)
        return GDYN_OK;
    for (int i = 0; i < gdyn_search_ask(s); i++)
        if (!s->received[s->waiting[i]])
            return GDYN_ERROR_ARGUMENT;
    take_oldest(s);
    memcpy(s->pool, s->parent, (size_t)s->parents * sizeof *s->pool);
    memcpy(s->pool + s->parents, s->child, (size_t)s->children * sizeof *s->pool);
    s->info.evaluations += s->children;
    s->info.generation++;
    if (measure(s)) {
        const int *member;
        int members = gdyn_helper_members(s, &member);
        weigh(s, s->parent, s->parents), weigh(s, member, members);
    }
    weigh(s, s->child, s->children);
    gdyn_status status = s->method->learn ? s->method->learn(s) : GDYN_OK;
    if (status != GDYN_OK)
        return status;
    leave_out_apart(s);
    if (s->aim)
        gdyn_aim_learn(s, s->parents + s->children);
    s->method->select(s, s->parents + s->children);
    summarize(s);
    s->info.stop = stopping(s);
    s->children = 0;
    if (s->info.stop == GDYN_SEARCH_RUNNING)
        return next_batches(s);
    drop_waiting(s);
    return GDYN_OK;
}

void gdyn_search_end(gdyn_search *s) {
    if (s->info.stop == GDYN_SEARCH_RUNNING)
        s->info.stop = GDYN_SEARCH_REQUEST;
    drop_waiting(s);
}

int gdyn_search_objectives(const gdyn_search *s) {
    return s->m;
}

gdyn_search_level gdyn_search_level_of(const gdyn_search *s, int level) {
    return s->level_state[level];
}

gdyn_search_info gdyn_search_state(const gdyn_search *s) {
    return s->info;
}

gdyn_search_member gdyn_search_population(const gdyn_search *s, int i) {
    int slot = s->parent[i];
    return (gdyn_search_member){.x = gdyn_slot_x(s, slot),
                                .f = gdyn_slot_f(s, slot),
                                .violation = s->violation[slot],
                                .failure = s->failure[slot],
                                .front = s->front[slot],
                                .crowding = s->crowding[slot],
                                .serial = s->serial[slot]};
}

/* --- the whole search in one call, one design after the other. */

gdyn_status gdyn_search_run(gdyn_search *search, const gdyn_search_callbacks *callbacks) {
    double *f = gdyn_alloc((size_t)gdyn_search_objectives(search), sizeof *f);
    if (!f)
        return GDYN_ERROR_MEMORY;
    gdyn_status status = GDYN_OK;
    while (status == GDYN_OK && gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        for (int i = 0; status == GDYN_OK && i < gdyn_search_ask(search); i++) {
            gdyn_search_outcome outcome = {.objective = f};
            status = callbacks->evaluate(callbacks->context, gdyn_search_design(search, i), f,
                                         &outcome.violation, &outcome.failure);
            if (status == GDYN_OK)
                gdyn_search_tell(search, i, &outcome);
        }
        if (status == GDYN_OK)
            status = gdyn_search_advance(search);
        gdyn_search_info info = gdyn_search_state(search);
        if (!status && callbacks->progress && !callbacks->progress(callbacks->context, &info))
            gdyn_search_end(search);
    }
    gdyn_free(f);
    return status;
}
