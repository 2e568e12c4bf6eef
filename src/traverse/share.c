/* share.c - the forces at every sample, then of the whole motion. */
#include "traverse/share.h"

#include "base/memory.h"
#include "traverse/least_forces.h"
#include "traverse/path_pieces.h"
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

/* Eight blocks of samples x rows, all unknown at first. */
static gdyn_status reserve(gdyn_shared *s, int rows, int count) {
    size_t size = (size_t)rows * (size_t)count;
    *s = (gdyn_shared){.points = count, .rows = rows};
    s->n = gdyn_alloc(8 * size + 1, sizeof *s->n);
    s->unit = gdyn_alloc(2 * (size_t)rows + 1, sizeof *s->unit);
    s->half_range = s->unit ? s->unit + rows : NULL;
    s->change = gdyn_alloc((size_t)rows + 1, sizeof *s->change);
    if (!s->n || !s->unit || !s->change)
        return GDYN_ERROR_MEMORY;
    for (size_t i = 0; i < 8 * size; i++)
        s->n[i] = NAN;
    s->low = s->n + size;
    s->high = s->low + size;
    s->min = s->high + size;
    s->max = s->min + size;
    s->n_before = s->max + size;
    s->low_before = s->n_before + size;
    s->high_before = s->low_before + size;
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

/* --- all samples ------------------------------------------------------------------------------ */

/* Units and half ranges; a drive's further limits are not counted. */
static void note_units(gdyn_shared *s, const gdyn_path_dynamics *dynamics,
                       const gdyn_coefficients *q) {
    for (int i = 0; i < s->rows; i++) {
        bool first = gdyn_path_dynamics_driven(dynamics, i);
        for (int j = 0; j < i; j++)
            first &=
                gdyn_path_dynamics_effort(dynamics, j) != gdyn_path_dynamics_effort(dynamics, i);
        s->unit[i] = first ? fmax(s->unit[i], gdyn_force_unit(q, i)) : 0;
        s->half_range[i] = fmax(s->half_range[i], gdyn_problem_half_range(q, i));
    }
}

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
        note_units(s, dynamics, q);
        /* Forces, their ranges and limits into the table. */
        const double *from[] = {shares.n, shares.low, shares.high, shares.min, shares.max};
        double *to[] = {s->n, s->low, s->high, s->min, s->max};
        for (int k = 0; k < 5; k++)
            memcpy(to[k] + (size_t)i * (size_t)s->rows, from[k], (size_t)s->rows * sizeof **to);
    }
    if (c->place)
        take_choice(c, s, i, sample, &shares, q, sharer);
    return GDYN_OK;
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
    /* forces sample by sample */
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
        status = gdyn_share_changes(s, sharer, dynamics, sample, before, settings);
    for (int row = 0; status == GDYN_OK && row < rows; row++)
        if (isfinite(s->change[row].jump_p)) {
            double at = s->change[row].jump_p;
            gdyn_path_dynamics_original(dynamics, at, &s->change[row].jump_p, 0, NULL, NULL);
        }
    gdyn_sharer_destroy(sharer);
    gdyn_arena_destroy(c.arena);
    return status;
}

/* --- the greatest change ---------------------------------------------------------------------- */

/* Of the changes that `size` measures (negative: none) the one that is greatest in its row's
 * unit. */
static int greatest(const gdyn_shared *s, double (*size)(const gdyn_change *change)) {
    int most = -1;
    double share = 0;
    for (int row = 0; row < s->rows; row++) {
        double own = size(&s->change[row]) / s->unit[row];
        if (s->unit[row] > 0 && own >= 0 && (most < 0 || own > share)) {
            most = row;
            share = own;
        }
    }
    return most;
}

static double step_size(const gdyn_change *c) {
    return c->at >= 0 ? fabs(c->step) : -1;
}

static double jump_size(const gdyn_change *c) {
    return c->at >= 0 && c->jump != 0 && isfinite(c->jump) ? fabs(c->jump) : -1;
}

int gdyn_shared_greatest_step(const gdyn_shared *s) {
    return greatest(s, step_size);
}

int gdyn_shared_greatest_jump(const gdyn_shared *s) {
    return greatest(s, jump_size);
}
