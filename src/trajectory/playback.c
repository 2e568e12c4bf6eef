/* playback.c - a given motion as drive forces.
 *
 * Between two samples the motion is that of gdyn_motion_at, and the forces are those that this very
 * motion needs at its places: n = A d1^2 + B d1 + C + D d2 + V y with the least norm. They are
 * evaluated, not interpolated, so that what a simulation misses of the path is the integrator's
 * error and what the motion itself makes of it. */
#include "trajectory/playback.h"

#include "base/memory.h"
#include "path/place.h"

#include <math.h>
#include <string.h>

static gdyn_sample sample_at(const gdyn_playback *b, double t) {
    /* The polynomial of the way that is being played. */
    const gdyn_sample *from = &b->motion->sample[b->way], *to = from + 1;
    gdyn_sample at =
        gdyn_motion_at(from, to, b->motion->before[b->way + 1], fmin(t + b->begin, to->t));
    /* The end of a way, within rounding, is seen from this side of a corner. */
    at.p = gdyn_motion_end(b->t->dynamics, from->p, at.t >= to->t ? to->p : at.p);
    return at;
}

/* Forces of all drives at time t [s] of the simulation. */
static gdyn_status forces_at(void *context, double t, double *force) {
    /* The motion's place, then the forces that it needs there. */
    gdyn_playback *b = context;
    gdyn_sample now = sample_at(b, t);
    gdyn_shares shares;
    gdyn_status status =
        gdyn_sharer_at(b->sharer, now.p, now.d1, now.d2, GDYN_SHARE_NORM, 0, false, &shares);
    if (status != GDYN_OK || shares.found != GDYN_POINT_OK)
        return status == GDYN_OK ? GDYN_ERROR_NUMERIC : status;
    /* The simulation has friction itself. A drive's first row, written last, is its force. */
    for (int row = shares.rows - 1; row >= 0; row--)
        if (gdyn_path_dynamics_driven(b->t->dynamics, row))
            force[gdyn_path_dynamics_effort(b->t->dynamics, row)] = shares.n[row];
    return GDYN_OK;
}

/* --- the start -------------------------------------------------------------------------------- */

/* Pose and velocities u = u_p d1, body by body. */
static gdyn_status set_start(gdyn_playback *b, const gdyn_state *state, const double *u_p,
                             double d1) {
    const gdyn_model *model = gdyn_state_model(state);
    int per = gdyn_model_space(model) == GDYN_PLANAR ? 3 : 6;
    b->start = gdyn_state_clone(state);
    b->velocity = gdyn_alloc((size_t)gdyn_model_bodies(model) + 1, sizeof *b->velocity);
    if (!b->start || !b->velocity)
        return GDYN_ERROR_MEMORY;
    for (int i = 0; i < gdyn_model_bodies(model); i++) {
        b->velocity[i].body = i;
        for (int j = 0; j < per; j++)
            b->velocity[i].u[j] = d1 == 0 ? 0 : u_p[per * i + j] * d1;
    }
    return GDYN_OK;
}

gdyn_status gdyn_playback_stand(gdyn_playback *b, gdyn_trajectory *t, double p, double d1,
                                gdyn_point_status *found) {
    gdyn_status status = gdyn_trajectory_take(t, GDYN_PASS_FOLLOW);
    gdyn_path_place *place = status == GDYN_OK ? gdyn_path_place_create(t->path, t->track) : NULL;
    *b = (gdyn_playback){.t = t};
    if (!place)
        return status == GDYN_OK ? GDYN_ERROR_MEMORY : status;
    status = gdyn_path_place_at(place, isnan(p) ? gdyn_path_p(t->path, 0) : p);
    *found = place->status;
    if (status == GDYN_OK && (*found == GDYN_POINT_OK || (*found == GDYN_POINT_SINGULAR && !d1)))
        status = set_start(b, place->state, place->u_p, d1);
    else if (status == GDYN_OK)
        status = GDYN_ERROR_NUMERIC;
    gdyn_path_place_destroy(place);
    return status;
}

gdyn_status gdyn_playback_open(gdyn_playback *b, const gdyn_trajectory *t,
                               const gdyn_motion_table *motion) {
    *b = (gdyn_playback){.t = t, .motion = motion, .begin = motion->sample[0].t};
    b->sharer = gdyn_sharer_create(t->dynamics);
    if (!b->sharer)
        return GDYN_ERROR_MEMORY;
    const gdyn_sample *first = b->motion->sample;
    const gdyn_coefficients *unused;
    gdyn_point_status found;
    gdyn_status status = gdyn_path_dynamics_at(b->t->dynamics, first->p, &unused, &found);
    if (status != GDYN_OK || found != GDYN_POINT_OK)
        return status == GDYN_OK ? GDYN_ERROR_NUMERIC : status;
    gdyn_path_rates along;
    gdyn_path_dynamics_motion(b->t->dynamics, &along);
    return set_start(b, gdyn_path_dynamics_state(b->t->dynamics), along.u_p, first->d1);
}

void gdyn_playback_close(gdyn_playback *b) {
    gdyn_sharer_destroy(b->sharer);
    gdyn_state_destroy(b->start);
    gdyn_free(b->velocity);
    *b = (gdyn_playback){0};
}

/* --- playing ---------------------------------------------------------------------------------- */

void gdyn_playback_define(gdyn_playback *b, gdyn_simulation_def *def) {
    /* Duration, forces and start of the simulation are those of the motion. */
    def->duration = b->motion->sample[b->motion->count - 1].t - b->begin;
    def->force = forces_at;
    def->force_context = b, def->velocity = b->velocity;
    def->velocity_count = gdyn_model_bodies(b->t->instance->model);
    def->rate_count = 0;
}

double gdyn_playback_end(const gdyn_playback *b) {
    return b->motion->sample[b->way + 1].t - b->begin;
}

gdyn_status gdyn_playback_miss(const gdyn_playback *b, double t, const gdyn_state *state,
                               double miss[2]) {
    gdyn_sample at = sample_at(b, t);
    return gdyn_path_deviations(b->t->path, gdyn_trajectory_original(b->t, &at).p, state, miss);
}
