/* playback.c - a given motion as drive forces.
 *
 * Between two samples the motion is that of gdyn_motion_at, and the forces are those that this very
 * motion needs at its places: n = A d1^2 + B d1 + C + D d2 + V y with the least norm. They are
 * evaluated, not interpolated, so that what a simulation misses of the path is the integrator's
 * error and what the motion itself makes of it. */
#include "trajectory/playback.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static gdyn_sample sample_at(const gdyn_playback *b, double t) {
    /* The polynomial of the way that is being played. */
    const gdyn_sample *from = &b->motion->sample[b->way], *to = from + 1;
    gdyn_sample at =
        gdyn_motion_at(from, to, b->motion->before[b->way + 1], fmin(t + b->begin, to->t));
    /* The end of a way, and what is only rounding away from it, is seen from this side of a
     * corner. */
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
    /* The simulation has the friction itself. Of several rows of a drive the first, written last,
     * is its force. */
    for (int row = shares.rows - 1; row >= 0; row--)
        if (gdyn_path_dynamics_driven(b->t->dynamics, row))
            force[gdyn_path_dynamics_effort(b->t->dynamics, row)] = shares.n[row];
    return GDYN_OK;
}

/* --- the start -------------------------------------------------------------------------------- */

gdyn_status gdyn_playback_open(gdyn_playback *b, const gdyn_trajectory *t,
                               const gdyn_motion_table *motion) {
    const gdyn_model *model = t->instance->model;
    *b = (gdyn_playback){.t = t, .motion = motion, .begin = motion->sample[0].t};
    b->sharer = gdyn_sharer_create(t->dynamics);
    b->start = gdyn_state_create(model);
    b->velocity = gdyn_alloc((size_t)gdyn_model_bodies(model) + 1, sizeof *b->velocity);
    if (!b->sharer || !b->start || !b->velocity)
        return GDYN_ERROR_MEMORY;
    const gdyn_sample *first = b->motion->sample;
    const gdyn_coefficients *unused;
    gdyn_point_status found;
    gdyn_status status = gdyn_path_dynamics_at(b->t->dynamics, first->p, &unused, &found);
    if (status != GDYN_OK || found != GDYN_POINT_OK)
        return status == GDYN_OK ? GDYN_ERROR_NUMERIC : status;
    gdyn_state_copy(b->start, gdyn_path_dynamics_state(b->t->dynamics));
    /* u = u_p d1, body by body. */
    gdyn_path_rates along;
    int per = gdyn_model_space(model) == GDYN_PLANAR ? 3 : 6;
    gdyn_path_dynamics_motion(b->t->dynamics, &along);
    for (int i = 0; i < gdyn_model_bodies(model); i++) {
        b->velocity[i].body = i;
        for (int j = 0; j < per; j++)
            b->velocity[i].u[j] = along.u_p[per * i + j] * first->d1;
    }
    return GDYN_OK;
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
