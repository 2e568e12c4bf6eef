/* reversal.c - where dry forces or bounds of the speed change at once.
 *
 * The heading of a joint's freedom (or of a point) is discrete: one way, the other, at rest
 * (mech/standstill.h). Between two points of the track that differ, the place of the change is
 * found by halving. Between two that agree it may have turned twice: then the size of its rate
 * falls behind the first and rises before the second, and halving on that sign leads to the least
 * rate, where the heading is the other one if it turned. */
#include "path/place.h"

#include "base/memory.h"
#include "mech/standstill.h"

#include <stdlib.h>
#include <string.h>

/* Places are distinguished to this share of the path. */
static const double NEAR = 1e-12;

/* What all headings are at a place. */
typedef struct look {
    double p;
    double *heading; /* 3 x count */
    double *growth;  /* count */
} look;

typedef struct finder {
    gdyn_path_place *place;
    gdyn_reversals *found;
    int count;    /* of headings */
    double least; /* distance of places */
    double *u;    /* 2 n: u_p, u_pp */
    look at[4];   /* both ends, and two for the search */
    gdyn_status status;
} finder;

/* Headings and growth of all friction at p; false where the machine cannot be. */
static bool look_at(finder *f, double p, look *out) {
    gdyn_path_place *place = f->place;
    size_t n = (size_t)place->track->n;
    if (f->status == GDYN_OK)
        f->status = gdyn_path_place_at(place, p);
    if (f->status != GDYN_OK || place->status != GDYN_POINT_OK)
        return false;
    /* coordinates at rest have exact zeros */
    memcpy(f->u, place->u_p, n * sizeof *f->u);
    memcpy(f->u + n, place->u_pp, n * sizeof *f->u);
    gdyn_track_rest(place->track, f->u, f->u + n);
    gdyn_path_rates rates = {.u_p = f->u, .u_pp = f->u + n};
    out->p = p;
    gdyn_pace_headings(place->state, &rates, out->heading, out->growth);
    return true;
}

/* The k-th heading is the same, apart from a path's own bends. */
static bool same(const look *a, const look *b, int k) {
    const double *g = a->heading + 3 * k, *h = b->heading + 3 * k;
    double along = g[0] * h[0] + g[1] * h[1] + g[2] * h[2];
    bool rest_a = !(g[0] * g[0] + g[1] * g[1] + g[2] * g[2] > 0);
    bool rest_b = !(h[0] * h[0] + h[1] * h[1] + h[2] * h[2] > 0);
    return (rest_a && rest_b) || along > 0;
}

/* Appends a place; they are put in order at the end. */
static void record(finder *f, double p) {
    gdyn_reversals *found = f->found;
    if (gdyn_reserve(&found->p, &found->capacity, found->count + 1, sizeof *found->p))
        found->p[found->count++] = p;
    else
        f->status = GDYN_ERROR_MEMORY;
}

/* The k-th heading differs between a and b: records a place where it changes, by bisection. */
static void halve(finder *f, int k, const look *a, double b) {
    look *middle = &f->at[3];
    double low = a->p;
    while (b - low > f->least) {
        if (!look_at(f, 0.5 * (low + b), middle))
            return;
        if (same(a, middle, k))
            low = middle->p;
        else
            b = middle->p;
    }
    record(f, b);
}

/* Heads the same way at both ends: it may have turned in between. */
static void search(finder *f, int k, const look *a, const look *b) {
    look *middle = &f->at[2];
    double low = a->p, high = b->p;
    /* its size falls, then grows: it may pass zero twice */
    if (!(a->growth[k] < 0 && b->growth[k] > 0))
        return;
    /* bisection for the least size, watching for the other heading */
    while (high - low > f->least) {
        if (!look_at(f, 0.5 * (low + high), middle))
            return;
        if (!same(a, middle, k)) {
            double p = middle->p;
            halve(f, k, a, p);
            if (look_at(f, p, middle))
                halve(f, k, middle, b->p);
            return;
        }
        if (middle->growth[k] < 0)
            low = middle->p;
        else
            high = middle->p;
    }
}

/* In order, each once. */
static void settle(finder *f) {
    gdyn_reversals *found = f->found;
    int kept = 0;
    if (found->count > 0)
        qsort(found->p, (size_t)found->count, sizeof *found->p, gdyn_ascending);
    for (int i = 0; i < found->count; i++)
        if (kept == 0 || found->p[i] - found->p[kept - 1] > 4 * f->least)
            found->p[kept++] = found->p[i];
    found->count = kept;
}

/* From point to point, where both are assembled. */
static void look_along(finder *f) {
    const gdyn_track *track = f->place->track;
    look *before = &f->at[0], *here = &f->at[1];
    bool known = false;
    for (int i = 0; i < track->points && f->status == GDYN_OK; i++) {
        bool now = track->status[i] == GDYN_POINT_OK && look_at(f, track->p[i], here);
        if (known && now) {
            /* one friction at a time */
            for (int k = 0; k < f->count && f->status == GDYN_OK; k++)
                if (same(before, here, k))
                    search(f, k, before, here);
                else
                    halve(f, k, before, here->p);
        }
        look *swap = before;
        before = here, here = swap;
        known = now;
    }
    settle(f);
}

/* Places where dry friction changes its direction, and those. */
gdyn_status gdyn_reversals_find(gdyn_path_place *place, gdyn_reversals *reversals) {
    const gdyn_track *track = place->track;
    finder f = {.place = place, .found = reversals};
    *reversals = (gdyn_reversals){0};
    f.count = gdyn_pace_friction_count(gdyn_state_model(track->state[0]));
    /* places nearer to each other than this are one */
    f.least = NEAR * (track->p[track->points - 1] - track->p[0]);
    reversals->near = 2 * f.least;
    if (!(f.least > 0))
        return GDYN_OK;
    /* where the path's own bounds of d1 begin or end */
    const gdyn_path_def *def = gdyn_path_definition(place->path);
    for (int i = 0; i < 2 * def->speeds; i++) {
        double p = i % 2 ? def->speed[i / 2].to : def->speed[i / 2].from;
        if (p > def->p_start && p < def->p_end)
            record(&f, p);
    }
    if (f.count == 0) {
        settle(&f);
        return f.status;
    }
    /* four looks of headings and growth */
    double *block = gdyn_alloc(16 * (size_t)f.count, sizeof *block);
    f.u = gdyn_alloc(2 * (size_t)track->n, sizeof *f.u);
    f.status = block && f.u ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int i = 0; i < 4; i++)
        f.at[i] = (look){0, block + 4 * f.count * i, block + 4 * f.count * i + 3 * f.count};
    if (f.status == GDYN_OK)
        look_along(&f);
    gdyn_free(block), gdyn_free(f.u);
    if (f.status != GDYN_OK)
        gdyn_reversals_free(reversals);
    return f.status;
}

void gdyn_reversals_free(gdyn_reversals *reversals) {
    gdyn_free(reversals->p);
    *reversals = (gdyn_reversals){0};
}
