/* share_change.c - decides whether a great change between two samples is a jump or only steep.
 *
 * Between two samples the step is halved towards the half with the greater change. A continuous
 * force's change shrinks with the step; what stays is a jump. Where the motion's own d2 jumps, at a
 * sample, the forces just before and just behind it are compared. Looked at are the steps of
 * greatest change of every drive. */
#include "traverse/internal.h"

#include "base/memory.h"

#include <math.h>

enum { LOOKED_AT = 3, HALVINGS = 30 };
/* Smaller changes are no jumps: share of half a range. */
static const double SMALL = 1e-3;

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
static int greatest(const gdyn_shared *s, int row, int at[LOOKED_AT]) {
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
gdyn_status gdyn_share_changes(gdyn_shared *s, gdyn_sharer *sharer,
                               const gdyn_path_dynamics *dynamics, const gdyn_sample *sample,
                               const double *before, const gdyn_share_settings *settings) {
    seeker k = {s, sharer, dynamics, sample, before, settings};
    gdyn_status status = GDYN_OK;
    for (int row = 0; row < s->rows && status == GDYN_OK; row++) {
        int at[LOOKED_AT], count = greatest(s, row, at);
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
    }
    return status;
}
