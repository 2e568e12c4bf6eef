/* share.c - the forces at every sample, then of the whole motion. */

#include "traverse/internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Points of a planned motion as samples, with d2 on both sides of each. */
void gdyn_share_samples(const gdyn_traverse *t, gdyn_sample *sample, double *before) {
    for (int i = 0; i < t->points; i++) {
        const gdyn_motion_point *point = &t->point[i];
        sample[i] = (gdyn_sample){point->t, point->s, point->s1, point->s2};
        before[i] = i > 0 ? point->s2_before : point->s2;
    }
}

void gdyn_shared_clear(gdyn_shared *s) {
    gdyn_free(s->n);
    gdyn_free(s->unit);
    gdyn_free(s->change);
    *s = (gdyn_shared){0};
}

/* Nine blocks of samples x rows, all unknown at first. */
static gdyn_status reserve(gdyn_shared *s, int rows, int count) {
    size_t size = (size_t)rows * (size_t)count;
    *s = (gdyn_shared){.points = count, .rows = rows};
    s->n = gdyn_alloc(9 * size + 1, sizeof *s->n);
    s->unit = gdyn_alloc(3 * (size_t)rows + 1, sizeof *s->unit);
    s->half_range = s->unit ? s->unit + rows : NULL;
    s->force_unit = s->unit ? s->unit + 2 * rows : NULL;
    s->change = gdyn_alloc((size_t)rows + 1, sizeof *s->change);
    if (!s->n || !s->unit || !s->change)
        return GDYN_ERROR_MEMORY;
    for (size_t i = 0; i < 9 * size; i++)
        s->n[i] = NAN;
    s->low = s->n + size;
    s->high = s->low + size;
    s->min = s->high + size;
    s->max = s->min + size;
    s->n_before = s->max + size;
    s->low_before = s->n_before + size;
    s->high_before = s->low_before + size;
    s->speed = s->high_before + size;
    return GDYN_OK;
}

/* --- evening out ------------------------------------------------------------------------------ */

/* What the places of the motion offer. */
typedef struct choices {
    gdyn_arena *arena;
    int r;                    /* most columns of V */
    gdyn_smooth_place *place; /* count; NULL: nothing is evened out */
    double *V;                /* count: rows x r */
    double *wanted, *found;   /* count x rows */
} choices;

/* Room for the choices of all samples, for smoothing. */
static gdyn_status open_choices(choices *c, const gdyn_path_dynamics *dynamics, int rows,
                                int count) {
    size_t size = (size_t)count * (size_t)rows;
    c->r = gdyn_path_dynamics_redundancy(dynamics);
    c->arena = gdyn_arena_create();
    c->place = gdyn_arena_alloc(c->arena, (size_t)count, sizeof *c->place);
    c->V = gdyn_arena_doubles(c->arena, size * (size_t)c->r);
    c->wanted = gdyn_arena_doubles(c->arena, size);
    c->found = gdyn_arena_doubles(c->arena, size);
    return gdyn_arena_failed(c->arena) ? GDYN_ERROR_MEMORY : GDYN_OK;
}

/* The choice at a sample, after gdyn_sharer_at with ranges; none where limits are violated. */
static void take_choice(choices *c, const gdyn_shared *s, int i, const gdyn_sample *sample,
                        const gdyn_shares *shares, const gdyn_coefficients *q,
                        gdyn_sharer *sharer) {
    size_t at = (size_t)i * (size_t)s->rows, k = (size_t)s->rows;
    double *found = c->found + at, *V = c->V + at * (size_t)c->r;
    bool known = shares->found == GDYN_POINT_OK && shares->rows == s->rows;
    c->place[i] = (gdyn_smooth_place){.t = sample->t, .k = known ? s->rows : 0};
    c->place[i].V = V;
    c->place[i].low = s->min + at;
    c->place[i].high = s->max + at;
    c->place[i].wanted = c->wanted + at;
    c->place[i].n = found;
    if (!known)
        return;
    /* the wanted forces; with internal forces the search begins in the middle of their ranges */
    memcpy(c->wanted + at, s->n + at, k * sizeof *found);
    if (shares->possible && q->r > 0 && gdyn_sharer_centre(sharer, found)) {
        c->place[i].r = q->r;
        memcpy(V, q->V, k * (size_t)q->r * sizeof *V);
    } else {
        memcpy(found, s->n + at, k * sizeof *found);
    }
}

/* The forces of all samples together. */
static gdyn_status even_out(gdyn_shared *s, const choices *c, double tau) {
    gdyn_smooth_info info;
    gdyn_status status = gdyn_smooth(s->points, c->place, s->rows, s->unit, tau, &info);
    s->smoothed = status == GDYN_OK && info.converged;
    s->before = info.before;
    s->after = info.after;
    for (int i = 0; i < s->points && s->smoothed; i++) {
        size_t at = (size_t)i * (size_t)s->rows;
        memcpy(s->n + at, c->found + at, (size_t)c->place[i].k * sizeof *s->n);
    }
    return status;
}

/* --- the greatest change ---------------------------------------------------------------------- */

int gdyn_shared_greatest(const gdyn_shared *s, bool jump) {
    int most = -1;
    double share = 0;
    for (int row = 0; row < s->rows; row++) {
        const gdyn_change *c = &s->change[row];
        bool known = c->at >= 0 && (!jump || (c->jump != 0 && isfinite(c->jump)));
        double own = fabs(jump ? c->jump : c->step) / s->unit[row];
        if (s->unit[row] > 0 && known && own >= 0 && (most < 0 || own > share))
            most = row, share = own;
    }
    return most;
}

/* --- continuity ------------------------------------------------------------------------------- */

/* Decides whether a great change between two samples is a jump or only steep.
 *
 * Between two samples the step is halved towards the half with the greater change. A continuous
 * force's change shrinks with the step; what stays is a jump. Where the motion's own d2 jumps, at a
 * sample, the forces just before and just behind it are compared. Looked at are the steps of
 * greatest change of every drive. */

enum { LOOKED_AT = 3, HALVINGS = 30 };
/* Smaller changes are no jumps: share of half a range. Steps below that share of the path are all
 * looked at. */
static const double SMALL = 1e-3, NARROW = 1e-6;

/* A row's force and its range at a place between the samples. */
typedef struct view {
    double f; /* share of the step */
    gdyn_sample sample;
    double n, low, high; /* NAN: not known */
} view;

typedef struct seeker {
    gdyn_shared *s;
    gdyn_sharer *sharer;
    const gdyn_path_dynamics *dynamics;
    const gdyn_sample *sample;
    const double *before; /* NULL: d2 does not jump */
    const gdyn_share_settings *settings;
} seeker;

static double end_d2(const seeker *k, int i) {
    return k->before ? k->before[i + 1] : k->sample[i + 1].d2;
}

/* What lies between two ranges. */
static double distance(double low_a, double high_a, double low_b, double high_b) {
    return fmax(fmax(low_b - high_a, low_a - high_b), 0);
}

static double change(const gdyn_shared *s, int row, int i) {
    double d = s->n[(i + 1) * s->rows + row] - s->n[i * s->rows + row];
    return isfinite(d) ? d : 0;
}

/* Samples with the greatest changes of a row, the greatest first; their number. */
static int greatest_changes(const gdyn_shared *s, int row, int at[LOOKED_AT]) {
    int count = 0;
    /* insertion into a short list, the greatest first */
    for (int i = 0; i + 1 < s->points; i++) {
        double d = fabs(change(s, row, i));
        if (!(d > 0) || (count == LOOKED_AT && d <= fabs(change(s, row, at[count - 1]))))
            continue;
        int k = count < LOOKED_AT ? count++ : count - 1;
        for (; k > 0 && fabs(change(s, row, at[k - 1])) < d; k--)
            at[k] = at[k - 1];
        at[k] = i;
    }
    return count;
}

static view sampled(const seeker *k, int i, int row, double f) {
    size_t at = (size_t)i * (size_t)k->s->rows + (size_t)row;
    return (view){f, k->sample[i], k->s->n[at], k->s->low[at], k->s->high[at]};
}

/* Forces and their ranges at a place between samples. */
static gdyn_status look(const seeker *k, int row, view *v) {
    gdyn_shares shares;
    v->n = v->low = v->high = NAN;
    gdyn_status status = gdyn_sharer_at(k->sharer, v->sample.p, v->sample.d1, v->sample.d2,
                                        k->settings->sharing, k->settings->preload, true, &shares);
    if (status == GDYN_OK && shares.found == GDYN_POINT_OK && shares.rows == k->s->rows) {
        v->n = shares.n[row];
        v->low = shares.low[row];
        v->high = shares.high[row];
    }
    return status;
}

/* The greatest jump of a row, and how much of it was unavoidable. */
static void note(const seeker *k, int row, const view *a, const view *b, bool by_motion) {
    gdyn_change *c = &k->s->change[row];
    double jump = b->n - a->n;
    if (fabs(jump) > fabs(c->jump) && fabs(jump) > SMALL * k->s->unit[row]) {
        c->jump = jump;
        c->jump_needed = distance(a->low, a->high, b->low, b->high);
        c->jump_p = b->sample.p;
        c->jump_t = b->sample.t;
        c->by_motion = by_motion;
    }
}

/* Halves a..b, which lie between samples i and i + 1. */
static gdyn_status narrow(const seeker *k, int row, int i, view a, view b) {
    const gdyn_sample *from = &k->sample[i], *to = from + 1;
    gdyn_status status = GDYN_OK;
    for (int round = 0; round < HALVINGS && status == GDYN_OK; round++) {
        if (!(fabs(b.n - a.n) > SMALL * k->s->unit[row]))
            return GDYN_OK;
        /* the half with the greater change */
        view middle = {.f = 0.5 * (a.f + b.f)};
        middle.sample = gdyn_motion_between(from, to, end_d2(k, i), k->settings->between, middle.f);
        /* polynomials do not lead beyond the path */
        middle.sample.p = fmin(fmax(middle.sample.p, gdyn_path_dynamics_first(k->dynamics)),
                               gdyn_path_dynamics_last(k->dynamics));
        status = look(k, row, &middle);
        if (!isfinite(middle.n))
            return status;
        if (fabs(middle.n - a.n) > fabs(b.n - middle.n))
            b = middle;
        else
            a = middle;
    }
    /* the change has not shrunk with the step: a jump */
    if (status == GDYN_OK)
        note(k, row, &a, &b, false);
    return status;
}

/* The step from sample i to the next: on the way, and at its end. */
static gdyn_status search(const seeker *k, int row, int i) {
    const gdyn_sample *to = &k->sample[i + 1];
    double end = end_d2(k, i);
    view a = sampled(k, i, row, 0), b = sampled(k, i + 1, row, 1), before = b;
    gdyn_status status = GDYN_OK;
    /* the sample itself: d2 may jump there, or a stop lies there */
    before.sample.p = gdyn_motion_end(k->dynamics, k->sample[i].p, to->p);
    if (end != to->d2 || before.sample.p < to->p) {
        before.sample.d2 = end;
        status = look(k, row, &before);
        if (isfinite(before.n))
            note(k, row, &before, &b, true);
    }
    bool way = status == GDYN_OK && isfinite(before.n) && to->p > k->sample[i].p;
    return way ? narrow(k, row, i, a, before) : status;
}

/* Steps between samples, row by row; the greatest ones are searched for jumps. */
static gdyn_status find_changes(gdyn_shared *s, gdyn_sharer *sharer,
                                const gdyn_path_dynamics *dynamics, const gdyn_sample *sample,
                                const double *before, const gdyn_share_settings *settings) {
    seeker k = {s, sharer, dynamics, sample, before, settings};
    gdyn_status status = GDYN_OK;
    for (int row = 0; row < s->rows && status == GDYN_OK; row++) {
        int at[LOOKED_AT], count = greatest_changes(s, row, at);
        gdyn_change *c = &s->change[row];
        *c = (gdyn_change){.at = -1, .jump_p = NAN, .jump_t = NAN};
        /* the greatest step, and the part of it that the ranges enforce */
        if (count > 0) {
            size_t a = (size_t)at[0] * (size_t)s->rows + (size_t)row, b = a + (size_t)s->rows;
            c->at = at[0];
            c->step = change(s, row, at[0]);
            c->needed = distance(s->low[a], s->high[a], s->low[b], s->high[b]);
        }
        /* smoothed forces do not jump */
        bool even = s->smoothed || settings->planned;
        c->jump = even ? NAN : 0;
        for (int i = 0; i < count && !even && s->unit[row] > 0 && status == GDYN_OK; i++)
            status = search(&k, row, at[i]);
        /* samples on both sides of a place where the dynamics jump */
        double narrow = NARROW * (sample[s->points - 1].p - sample[0].p);
        for (int i = 0; i + 1 < s->points && !even && s->unit[row] > 0 && status == GDYN_OK; i++)
            if (sample[i + 1].p - sample[i].p <= narrow &&
                fabs(change(s, row, i)) > SMALL * s->unit[row])
                status = search(&k, row, i);
    }
    return status;
}

/* --- all samples ------------------------------------------------------------------------------ */

/* Forces with the d2 that ends at sample i. */
static gdyn_status forces_before(gdyn_shared *s, gdyn_sharer *sharer,
                                 const gdyn_path_dynamics *dynamics, int i,
                                 const gdyn_sample *sample, double d2,
                                 const gdyn_share_settings *settings) {
    gdyn_shares shares;
    double p = i > 0 ? gdyn_motion_end(dynamics, sample[-1].p, sample->p) : sample->p;
    gdyn_status status = gdyn_sharer_at(sharer, p, sample->d1, d2, settings->sharing,
                                        settings->preload, true, &shares);
    if (status != GDYN_OK || shares.found != GDYN_POINT_OK || shares.rows != s->rows ||
        !shares.possible)
        return status;
    /* on the side before the sample */
    size_t at = (size_t)i * (size_t)s->rows, size = (size_t)s->rows * sizeof *s->n;
    memcpy(s->n_before + at, shares.n, size);
    memcpy(s->low_before + at, shares.low, size);
    memcpy(s->high_before + at, shares.high, size);
    return status;
}

/* Forces of one sample, and what smoothing may do with them. */
static gdyn_status one_sample(gdyn_shared *s, choices *c, gdyn_sharer *sharer,
                              gdyn_path_dynamics *dynamics, int i, const gdyn_sample *sample,
                              const gdyn_share_settings *settings) {
    gdyn_shares shares;
    gdyn_status status = gdyn_sharer_at(sharer, sample->p, sample->d1, sample->d2,
                                        settings->sharing, settings->preload, true, &shares);
    if (status != GDYN_OK)
        return status;
    const gdyn_coefficients *q = gdyn_sharer_coefficients(sharer);
    if (shares.found == GDYN_POINT_OK && shares.rows == s->rows) {
        /* units and half ranges; a drive's further limits are not counted */
        for (int l = 0; l < s->rows; l++) {
            bool first = gdyn_path_dynamics_driven(dynamics, l);
            for (int j = 0; j < l; j++)
                first &= gdyn_path_dynamics_effort(dynamics, j) !=
                         gdyn_path_dynamics_effort(dynamics, l);
            s->unit[l] = first ? fmax(s->unit[l], gdyn_force_unit(q, l)) : 0;
            s->half_range[l] = fmax(s->half_range[l], gdyn_problem_half_range(q, l));
            s->force_unit[l] = fmax(s->force_unit[l], gdyn_sharer_units(sharer)[l]);
        }
        /* Forces, their ranges and limits into the table. */
        const double *from[] = {shares.n, shares.low, shares.high, shares.min, shares.max};
        double *to[] = {s->n, s->low, s->high, s->min, s->max};
        for (int k = 0; k < 5; k++)
            memcpy(to[k] + (size_t)i * (size_t)s->rows, from[k], (size_t)s->rows * sizeof **to);
        gdyn_sharer_speeds(sharer, s->speed + (size_t)i * (size_t)s->rows);
    }
    if (c->place)
        take_choice(c, s, i, sample, &shares, q, sharer);
    return GDYN_OK;
}

void gdyn_shared_loads(const gdyn_shared *s, const gdyn_path_dynamics *dynamics,
                       const gdyn_sample *sample, gdyn_loads *loads) {
    for (int i = 0; i < s->points; i++) {
        size_t at = (size_t)i * (size_t)s->rows;
        /* just before the sample, then there */
        for (int side = s->rows > 0 && isfinite(s->n_before[at]) ? 0 : 1; side < 2; side++)
            gdyn_loads_add(loads, dynamics, &sample[i], s->rows, (side ? s->n : s->n_before) + at,
                           s->min + at, s->max + at, s->force_unit, s->speed + at);
    }
}

/* All samples in order, then the whole motion. */
enum { SAMPLES_AHEAD = 3 };

gdyn_status gdyn_share_motion(gdyn_shared *s, gdyn_path_dynamics *dynamics, int rows, int count,
                              const gdyn_sample *sample, const double *before,
                              const gdyn_share_settings *settings, gdyn_share_visitor *visit,
                              void *context) {
    assert(rows >= 0 && count > 0 && settings);
    choices c = {0};
    gdyn_sharer *sharer = gdyn_sharer_create(dynamics);
    gdyn_status status = reserve(s, rows, count);
    status = status == GDYN_OK && !sharer ? GDYN_ERROR_MEMORY : status;
    if (status == GDYN_OK && settings->smooth > 0 && !settings->planned)
        status = open_choices(&c, dynamics, rows, count);
    bool even = settings->smooth > 0 || settings->planned;
    for (int i = 0; i < count && status == GDYN_OK; i++) {
        /* those that follow may be worked out with it */
        double next[SAMPLES_AHEAD];
        int more = count - 1 - i < SAMPLES_AHEAD ? count - 1 - i : SAMPLES_AHEAD;
        for (int k = 0; k < more; k++)
            next[k] = sample[i + 1 + k].p;
        gdyn_path_dynamics_ahead(dynamics, more, next);
        if (before && before[i] != sample[i].d2 && !even)
            status = forces_before(s, sharer, dynamics, i, &sample[i], before[i], settings);
        if (status != GDYN_OK)
            break;
        status = one_sample(s, &c, sharer, dynamics, i, &sample[i], settings);
        if (status == GDYN_OK && visit && gdyn_sharer_coefficients(sharer))
            visit(context, i, dynamics);
    }
    if (status == GDYN_OK && settings->planned)
        memcpy(s->n, settings->planned, (size_t)count * (size_t)rows * sizeof *s->n);
    /* then over the whole motion: smoothed, and how continuous they are */
    if (status == GDYN_OK && c.place)
        status = even_out(s, &c, settings->smooth);
    if (status == GDYN_OK)
        status = find_changes(s, sharer, dynamics, sample, before, settings);
    for (int row = 0; status == GDYN_OK && row < rows; row++)
        if (isfinite(s->change[row].jump_p)) {
            double at = s->change[row].jump_p;
            gdyn_path_dynamics_original(dynamics, at, &s->change[row].jump_p, 0, NULL, NULL);
        }
    gdyn_sharer_destroy(sharer);
    gdyn_arena_destroy(c.arena);
    return status;
}
