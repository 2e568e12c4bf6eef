/* rest_way.c - ways through poses in static equilibrium; see rest_way.h. */
#include "workspace/rest_way.h"

#include "access/analysis.h"

/* What Newton's method may move a predicted pose by (shares of L, rad), and the shortest step as a share of the way. */
static const double CORRECTION = 0.02, SHORTEST = 1.0 / 64;

static bool is_stable(const gdyn_equilibrium_info *info) {
    return info->found && info->stiffness >= GDYN_EQUILIBRIUM_UNSTABLE;
}

gdyn_status gdyn_rest_way_begin(const gdyn_path *path, double p, bool search, gdyn_state *state,
                                bool *found) {
    gdyn_equilibrium_info info = {0};
    gdyn_equilibrium *work = gdyn_equilibrium_create(gdyn_state_model(state), path);
    if (!work)
        return GDYN_ERROR_MEMORY;
    gdyn_status status = search ? gdyn_equilibrium_search(work, p, state, &info)
                                : gdyn_equilibrium_solve(work, p, state, &info);
    *found = status == GDYN_OK && is_stable(&info);
    gdyn_equilibrium_destroy(work);
    return status;
}

/* trial := the equilibrium at p = to from that in `state`; taken: it continues the way. */
static gdyn_status try_step(gdyn_equilibrium *work, gdyn_self_motion *watch, double from, double to,
                            const gdyn_state *state, gdyn_state *trial, bool *taken) {
    gdyn_equilibrium_info info;
    double longest = CORRECTION * gdyn_model_length(gdyn_state_model(state));
    gdyn_state_copy(trial, state);
    gdyn_status status = gdyn_equilibrium_advance(work, from, to, trial, &info);
    *taken = status == GDYN_OK && is_stable(&info) && info.moved <= longest;
    return *taken ? gdyn_self_motion_follow(watch, to, trial, taken) : status;
}

gdyn_status gdyn_rest_way_follow(gdyn_self_motion *watch, const gdyn_path *path, double from,
                                 double to, gdyn_state *state, bool *reached) {
    int ways;
    double p = from, share = 1;
    gdyn_equilibrium *work = gdyn_equilibrium_create(gdyn_state_model(state), path);
    gdyn_state *trial = gdyn_state_clone(state);
    gdyn_status status = work && trial ? GDYN_OK : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = gdyn_self_motion_begin(watch, path, from, state, &ways);
    *reached = false;
    while (status == GDYN_OK && !*reached && share >= SHORTEST) {
        bool last = p + share * (to - from) >= to, taken;
        double next = last ? to : p + share * (to - from);
        status = try_step(work, watch, p, next, state, trial, &taken);
        if (status == GDYN_OK && taken) {
            gdyn_state_copy(state, trial);
            p = next;
            *reached = last;
        } else {
            share *= 0.5;
        }
    }
    gdyn_equilibrium_destroy(work);
    gdyn_state_destroy(trial);
    return status;
}
