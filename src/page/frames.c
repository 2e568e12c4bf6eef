/* frames.c - poses that a page shows: few enough to be carried, near enough to be interpolated. */
#include "page/findings.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* One more pose, copied. */
static gdyn_status keep(gdyn_frames *f, double p, const gdyn_state *state) {
    if (!f->state) {
        f->p = gdyn_alloc(GDYN_FRAMES_MOST + 2, sizeof *f->p);
        f->state = gdyn_alloc(GDYN_FRAMES_MOST + 2, sizeof *f->state);
        f->gap = gdyn_alloc(GDYN_FRAMES_MOST + 2, sizeof *f->gap);
    }
    if (!f->p || !f->state || !f->gap || f->count >= GDYN_FRAMES_MOST + 2)
        return GDYN_ERROR_MEMORY;
    f->state[f->count] = gdyn_state_clone(state);
    if (!f->state[f->count])
        return GDYN_ERROR_MEMORY;
    f->p[f->count++] = p;
    return GDYN_OK;
}

/* --- of a motion ------------------------------------------------------------------------------ */

typedef struct keeper {
    gdyn_frames *frames;
    const gdyn_trajectory *t;
    double way; /* of the last pose kept */
    gdyn_status status;
} keeper;

/* How far a sample is on its way: half by p, half by time, so that slow stretches and fast ones
 * are both seen; 0 to 1. */
static double way_of(const gdyn_traverse *plan, int i) {
    const gdyn_motion_point *first = &plan->point[0], *last = &plan->point[plan->points - 1];
    const gdyn_motion_point *at = &plan->point[i];
    double in_p = (at->p - first->p) / (last->p - first->p);
    double in_t = (at->t - first->t) / (last->t - first->t);
    return isfinite(in_t) ? 0.5 * (in_p + in_t) : in_p;
}

/* Takes a sample when the last one taken is far enough back, and the last one of all. */
static void take(void *context, int sample, const gdyn_path_dynamics *dynamics) {
    keeper *k = context;
    const gdyn_traverse *plan = k->t->traverse;
    const gdyn_state *state = gdyn_path_dynamics_state(dynamics);
    double way = way_of(plan, sample);
    bool last = sample == plan->points - 1;
    bool wanted = way >= k->way + 1.0 / GDYN_FRAMES_MOST || k->frames->count == 0 || last;
    if (k->status != GDYN_OK || !state || !wanted)
        return;
    k->way = way;
    k->status = keep(k->frames, plan->point[sample].p, state);
}

gdyn_status gdyn_frames_of_motion(gdyn_frames *frames, gdyn_trajectory *t) {
    keeper k = {.frames = frames, .t = t, .status = GDYN_OK};
    t->visit = take;
    t->visitor = &k;
    gdyn_status status = gdyn_trajectory_take(t, GDYN_PASS_FORCES);
    return status == GDYN_OK ? k.status : status;
}

/* --- of a track ------------------------------------------------------------------------------- */

/* The point at which least is missing. */
static int nearest_point(const gdyn_track *track) {
    int best = 0;
    for (int i = 1; i < track->points; i++)
        best = track->residual[i] < track->residual[best] ? i : best;
    return best;
}

gdyn_status gdyn_frames_of_track(gdyn_frames *frames, const gdyn_track *track, int *nearest) {
    int step = (track->points + GDYN_FRAMES_MOST - 1) / GDYN_FRAMES_MOST;
    gdyn_status status = GDYN_OK;
    *nearest = -1;
    /* Every step-th point; a point that is not followed between two of them is a gap. */
    for (int i = 0; i < track->points && status == GDYN_OK; i++) {
        bool ok = track->status[i] == GDYN_POINT_OK;
        if (ok && (i % step == 0 || i == track->points - 1))
            status = keep(frames, track->p[i], track->state[i]);
        else if (!ok && frames->count > 0)
            frames->gap[frames->count - 1] = true;
    }
    if (status == GDYN_OK && frames->count == 0 && track->points > 0) {
        *nearest = nearest_point(track);
        status = keep(frames, track->p[*nearest], track->state[*nearest]);
    }
    return status;
}

void gdyn_frames_free(gdyn_frames *f) {
    for (int i = 0; i < f->count; i++)
        gdyn_state_destroy(f->state[i]);
    gdyn_free(f->state);
    gdyn_free(f->p);
    gdyn_free(f->gap);
    *f = (gdyn_frames){0};
}
