/* equal_steps.c - the fastest motion at equal time steps. */
#include "trajectory/trajectory.h"

#include "base/memory.h"

#include <math.h>

typedef struct walk {
    const gdyn_trajectory *t;
    const gdyn_sample *sample;
    const double *before; /* d2 just before each sample */
    int count, way;       /* from sample `way` to the next */
    gdyn_sharer *sharer;
    double *force;
    bool known; /* forces are those of the samples, interpolated */
} walk;

static bool rests_at_end(const gdyn_trajectory *t) {
    return t->sample && t->sample[t->traverse->points - 1].d1 == 0;
}

/* Number of steps of the motion, both ends included; -1: it has no times, or there are too many. */
static int equal_steps_count(const gdyn_trajectory *t, double step) {
    bool moves = t->traverse->points > 1 && t->sample;
    double time = moves ? t->sample[t->traverse->points - 1].t - t->sample[0].t : NAN;
    /* the end itself, unless rounding alone puts it behind a step */
    double ways = time / step, whole = floor(ways + 1e-9);
    bool rests = rests_at_end(t);
    double last = ways - whole > 1e-9 && (rests || whole >= 1) ? whole + 1 : whole;
    return last >= 1 && last < GDYN_EQUAL_STEPS_MOST ? (int)last + 1 : -1;
}

/* A segment of a plan with limits on rates: d2 is quadratic in time, d1 and p are its integrals. */
static gdyn_sample planned(const gdyn_sample *a, const gdyn_sample *b, double end_d2, double time) {
    double T = b->t - a->t, dt = time - a->t;
    /* d2 between its ends' mean and that of the segment */
    double bow = (b->d1 - a->d1) / T - (a->d2 + end_d2) / 2;
    double d3 = (end_d2 - a->d2 + 6 * bow) / T, d4 = -12 * bow / (T * T);
    return (gdyn_sample){.t = time,
                         .p = a->p + dt * (a->d1 + dt * (a->d2 / 2 + dt * (d3 / 6 + dt * d4 / 24))),
                         .d1 = fmax(a->d1 + dt * (a->d2 + dt * (d3 / 2 + dt * d4 / 6)), 0),
                         .d2 = a->d2 + dt * (d3 + dt * d4 / 2)};
}

/* The motion at a time that does not lie before the one asked for last. */
static gdyn_sample sample_at(walk *w, double time) {
    while (w->way + 2 < w->count && w->sample[w->way + 1].t <= time)
        w->way++;
    const gdyn_sample *from = &w->sample[w->way], *to = from + 1;
    double end = w->before[w->way + 1];
    gdyn_sample at = w->t->rate && time < to->t ? planned(from, to, end, time)
                                                : gdyn_motion_at(from, to, end, time);
    if (time < to->t) {
        /* a stop that is only rounding away is seen from here */
        at.p = gdyn_motion_end(w->t->dynamics, from->p, at.p);
    } else {
        at.d2 = to->d2;
        /* behind the end it rests */
        if (time > to->t * (1 + 1e-9))
            at.d2 = 0;
    }
    return at;
}

static gdyn_status find_forces(walk *w, const gdyn_sample *at, gdyn_equal_steps *result) {
    gdyn_shares shares;
    gdyn_status status = gdyn_sharer_at(w->sharer, at->p, at->d1, at->d2, w->t->sharing.sharing,
                                        w->t->sharing.preload, false, &shares);
    bool found = status == GDYN_OK && shares.found == GDYN_POINT_OK;
    for (int row = 0; row < w->t->rows; row++)
        w->force[row] = found && row < shares.rows ? shares.n[row] : NAN;
    if (found && shares.violation > result->violation)
        result->violation = shares.violation, result->violation_t = at->t;
    if (w->known && w->t->shared.n) {
        /* Between the samples of a plan with forces of its own. */
        const gdyn_shared *s = &w->t->shared;
        const gdyn_sample *from = &w->sample[w->way], *to = from + 1;
        double f = to->t > from->t ? fmin(fmax((at->t - from->t) / (to->t - from->t), 0), 1) : 1;
        for (int row = 0; row < w->t->rows; row++) {
            double a = s->n[w->way * w->t->rows + row], b = s->n[(w->way + 1) * w->t->rows + row];
            double end = s->n_before ? s->n_before[(w->way + 1) * w->t->rows + row] : NAN;
            w->force[row] = a + f * ((isfinite(end) && f < 1 ? end : b) - a);
        }
    }
    return status;
}

/* What may happen between the steps, in parts of the motion. */
static gdyn_status look_between(gdyn_trajectory *t, int count, const gdyn_sample *step,
                                gdyn_equal_steps *result) {
    enum { PART = 1000, PLACES = PART * (GDYN_GIVEN_STEPS + 1) + 1 };
    gdyn_sample *place = gdyn_alloc(PLACES, sizeof *place);
    gdyn_status status = place ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int from = 0; from + 1 < count && status == GDYN_OK; from += PART) {
        int part = count - from <= PART ? count - from : PART + 1;
        int places =
            gdyn_motion_places(part, step + from, NULL, GDYN_BETWEEN_P, GDYN_GIVEN_STEPS, place);
        gdyn_feasibility found;
        status = gdyn_motion_check(t->dynamics, places, place, result->between, NULL, &found);
        if (status == GDYN_OK && found.worst.at >= 0) {
            result->between = found.worst.shares.violation;
            result->between_t = place[found.worst.at].t;
            result->worst = found.worst.shares.worst;
        }
    }
    gdyn_free(place);
    return status;
}

gdyn_status gdyn_equal_steps_visit(gdyn_trajectory *t, double step,
                                   void (*visit)(void *context, const gdyn_step *step),
                                   void *context, gdyn_equal_steps *result) {
    const int count = t->traverse->points, steps = equal_steps_count(t, step);
    *result = (gdyn_equal_steps){.violation = -INFINITY, .between = -INFINITY};
    if (steps < 0)
        return GDYN_ERROR_ARGUMENT;
    gdyn_sample *sample = gdyn_alloc((size_t)count, sizeof *sample);
    double *before = gdyn_alloc((size_t)count, sizeof *before);
    double *force = gdyn_alloc((size_t)t->rows + 1, sizeof *force);
    gdyn_sharer *sharer = gdyn_sharer_create(t->dynamics);
    gdyn_sample *visited = gdyn_alloc((size_t)steps, sizeof *visited);
    gdyn_status status = GDYN_ERROR_MEMORY;
    if (sample && before && force && sharer && visited) {
        gdyn_share_samples(t->traverse, sample, before);
        walk w = {t, sample, before, count,
                  0, sharer, force,  t->sharing.planned || t->sharing.smooth > 0};
        gdyn_sample last = {0};
        status = GDYN_OK;
        for (int i = 0; i < steps && status == GDYN_OK; i++) {
            int way = w.way;
            /* a motion that does not end at rest ends with its end */
            double end = sample[count - 1].t, time = sample[0].t + i * step;
            gdyn_sample now = sample_at(&w, rests_at_end(t) ? time : fmin(time, end));
            if (i > 0) {
                /* Hermite's cubic of two steps against the motion between them */
                walk back = w;
                back.way = way;
                gdyn_sample middle = sample_at(&back, 0.5 * (last.t + now.t));
                double cubic =
                    0.5 * (last.p + now.p) + 0.125 * (now.t - last.t) * (last.d1 - now.d1);
                result->position = fmax(result->position, fabs(cubic - middle.p));
            }
            if (i > 0 && fabs(now.d2 - last.d2) > fabs(result->jump)) {
                result->jump = now.d2 - last.d2;
                result->jump_t = now.t;
            }
            status = find_forces(&w, &now, result);
            if (status == GDYN_OK)
                visit(context,
                      &(gdyn_step){now, gdyn_trajectory_original(t, &now), force, t->dynamics});
            last = visited[i] = now;
        }
        if (status == GDYN_OK)
            status = look_between(t, steps, visited, result);
        result->steps = steps;
        result->late = fmax(last.t - sample[count - 1].t, 0);
    }
    gdyn_sharer_destroy(sharer);
    gdyn_free(visited), gdyn_free(force), gdyn_free(before), gdyn_free(sample);
    return status;
}
