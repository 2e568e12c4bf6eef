/* summary.c - what the points of a track come to: reach, sizes of its rates, where it stands still. */
#include "path/internal.h"

#include <math.h>
#include <string.h>

/* Shares of the path's greatest |u_p| and |u_pp| + |u_p|^2 / L that are rounding: targets are evaluated
 * to some 1e-16 of their size, and a closure multiplies that by less than 1e4. Second derivatives also
 * hold the rounding of formulas differentiated twice. */
static const double RATE_NONE = 1e-12, BEND_NONE = 1e-9;
static inline double greater(double a, double b) {
    return b > a ? b : a;
}

/* Greatest component of path derivatives, rotations times L. */
static double size_of(const gdyn_track *track, const double *u) {
    const gdyn_model *model = gdyn_state_model(track->state[0]);
    bool planar = gdyn_model_space(model) == GDYN_PLANAR;
    double length = 0, turn = 0;
    for (const double *end = u + track->n; u < end; u += planar ? 3 : 6) {
        length = greater(length, greater(fabs(u[0]), fabs(u[1])));
        turn = greater(turn, fabs(u[planar ? 2 : 3]));
        if (!planar) {
            length = greater(length, fabs(u[2]));
            turn = greater(turn, greater(fabs(u[4]), fabs(u[5])));
        }
    }
    return fmax(length, turn * gdyn_model_length(model));
}

int gdyn_track_behind(const gdyn_track *track, double p) {
    int low = 0, high = track->points;
    /* bisection: p ascends */
    while (low < high) {
        int middle = (low + high) / 2;
        if (track->p[middle] <= p)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Rates of a machine that stands still are rounding: exact zeros. */
void gdyn_track_rest(const gdyn_track *track, double *u_p, double *u_pp) {
    double L = gdyn_model_length(gdyn_state_model(track->state[0]));
    double rate = track->rate_most, bend = track->bend_most + rate * rate / L;
    size_t bytes = (size_t)track->n * sizeof *u_p;
    if (size_of(track, u_p) > RATE_NONE * rate)
        return;
    memset(u_p, 0, bytes);
    if (size_of(track, u_pp) <= BEND_NONE * bend)
        memset(u_pp, 0, bytes);
}

bool gdyn_track_ends(const gdyn_track *track, double p) {
    return track->points > 1 && p >= track->p[track->points - 1];
}

gdyn_path_rates gdyn_track_rates_at(const gdyn_track *track, double p, const double *u_p,
                                    const double *u_pp) {
    gdyn_path_rates rates = {.u_p = u_p, .u_pp = u_pp, .before = gdyn_track_ends(track, p)};
    gdyn_path_speed_at(track->path, p, &rates.d1_min, &rates.d1_max);
    return rates;
}

/* What rates and accelerations are measured against. */
void gdyn_track_measure(gdyn_track *track) {
    track->rate_most = track->bend_most = 0;
    for (size_t i = 0; i < (size_t)track->points; i++) {
        size_t first = (size_t)track->n * i;
        track->rate_most = fmax(track->rate_most, size_of(track, track->u_p + first));
        track->bend_most = fmax(track->bend_most, size_of(track, track->u_pp + first));
    }
}

/* Points that were followed, and the first that was not. */
void gdyn_track_count(gdyn_track *track) {
    track->followed = 0;
    track->first_failure = -1;
    for (int i = 0; i < track->points; i++) {
        track->followed += track->status[i] == GDYN_POINT_OK;
        if (track->status[i] != GDYN_POINT_OK && track->first_failure < 0)
            track->first_failure = i;
    }
    track->reach = (double)track->followed / track->points;
}

const char *gdyn_point_status_name(gdyn_point_status status) {
    static const char *const name[] = {"ok", "unassembled", "singular", "branch", "out-of-range"};
    return name[status];
}
