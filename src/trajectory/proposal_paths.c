/* proposal_paths.c - proposals along the trajectories of the case. */
#include "trajectory/guess.h"

#include "base/memory.h"
#include "model/data.h"
#include "path/rank_loss.h"

#include <math.h>
#include <string.h>

/* Places of lost rank nearer than this share of the path are one. */
static const double SAME_PLACE = 1e-4;

/* Pivots beside a zero rise by this factor, with room for their curvature. */
static const double RISE = 2;

/* How far a machine follows a path, and where its constraints lose rank. */
typedef struct followed {
    int failure; /* first point that is not reached; the number of points: none */
    double failure_p;
    gdyn_ranks ranks;
} followed;

/* The path of the machine, or of a changed one, from its pose. */
static gdyn_status follow(gdyn_trajectory *t, const gdyn_state *start, followed *out) {
    t->settings.start = start;
    gdyn_status status = gdyn_trajectory_take(t, GDYN_PASS_FOLLOW);
    if (status != GDYN_OK)
        return status;
    /* what lies behind the first failure does not matter */
    gdyn_track near = *t->track;
    out->failure = near.first_failure < 0 ? near.points : near.first_failure;
    out->failure_p = near.first_failure < 0 ? NAN : near.p[out->failure];
    near.points = out->failure + 2 < near.points ? out->failure + 2 : near.points;
    /* whether to look between the points: it costs more than following */
    bool any = near.first_failure >= 0;
    for (int i = 0; i < near.points && !any; i++) {
        /* A place of lost rank can lie at point i or beside it: from a zero between two points the
         * pivots rise to at least three times the smaller one of these at its other neighbour, or
         * at the second one where the path ends. */
        double here = gdyn_track_pivot(&near, i), left = gdyn_track_pivot(&near, i - 1),
               right = gdyn_track_pivot(&near, i + 1);
        double most = isinf(left)    ? gdyn_track_pivot(&near, i + 2)
                      : isinf(right) ? gdyn_track_pivot(&near, i - 2)
                                     : fmax(left, right);
        any = isfinite(here) && here <= left && here <= right && most >= RISE * here;
    }
    return any && gdyn_ranks_suspect(&near)
               ? gdyn_ranks_find(t->path, &near, GDYN_RANKS_LOST, &out->ranks)
               : GDYN_OK;
}

/* What keeps the changed machine from passing as the machine itself does. */
static void judge(const gdyn_path *path, const followed *own, const followed *changed, int t,
                  gdyn_proposal *proposal) {
    int points = gdyn_path_points(path);
    double first = gdyn_path_p(path, 0), last = gdyn_path_p(path, points - 1);
    double lost = INFINITY, step = (last - first) / (points - 1);
    for (int i = 0; i < changed->ranks.poses; i++) {
        /* the machine itself may lose rank there, too */
        double p = changed->ranks.pose[i].p;
        bool known = false;
        for (int k = 0; k < own->ranks.poses && !known; k++)
            known = fabs(own->ranks.pose[k].p - p) <= SAME_PLACE * (last - first);
        lost = known ? lost : fmin(lost, p);
    }
    bool stops = changed->failure < own->failure;
    if (!stops && isinf(lost))
        return;
    /* the place of lost rank is why points near it are not reached */
    bool loses = isfinite(lost) && !(stops && changed->failure_p < lost - 1.5 * step);
    proposal->outcome = loses ? GDYN_PROPOSAL_LOSES_RANK : GDYN_PROPOSAL_STOPS;
    proposal->trajectory = t;
    proposal->jam_p = loses ? lost : changed->failure_p;
}

/* The definition with the joints of the changed machine; false: one of them is gone. */
static bool rename_joints(const gdyn_machine *machine, const gdyn_proposal *proposal,
                          const gdyn_path_def *def, gdyn_path_joint *joint, gdyn_path_def *out) {
    *out = *def;
    out->joint = joint;
    for (int i = 0; i < def->joints; i++) {
        joint[i] = def->joint[i];
        joint[i].freedom = gdyn_joint_resolve(machine, joint[i].joint, joint[i].freedom);
        joint[i].joint = gdyn_proposal_joint(joint[i].joint, proposal->count, proposal->change);
        if (joint[i].joint < 0)
            return false;
    }
    return true;
}

static gdyn_status check_path(const gdyn_instance *instance, const gdyn_model *model,
                              const gdyn_state *start, const followed *own, int t,
                              gdyn_proposal *proposal) {
    const gdyn_path_def *def = &instance->trajectory[t];
    gdyn_path_joint *joint = gdyn_alloc((size_t)def->joints + 1, sizeof *joint);
    gdyn_path_def renamed;
    gdyn_trajectory along = {0};
    followed changed = {0};
    gdyn_status status = joint ? GDYN_OK : GDYN_ERROR_MEMORY;
    bool there = !status && rename_joints(instance->model->machine, proposal, def, joint, &renamed);
    if (there)
        status = gdyn_trajectory_open_path(&along, model, &renamed, NULL);
    if (status == GDYN_OK && there)
        status = follow(&along, start, &changed);
    if (status == GDYN_OK && there) {
        judge(along.path, own, &changed, t, proposal);
    } else if (status != GDYN_ERROR_MEMORY) {
        proposal->outcome = GDYN_PROPOSAL_NO_PATH, proposal->trajectory = t;
        status = GDYN_OK;
    }
    gdyn_ranks_free(&changed.ranks);
    gdyn_trajectory_close(&along);
    gdyn_free(joint);
    return status;
}

static gdyn_status check(const gdyn_instance *instance, const gdyn_state *pose, const followed *own,
                         gdyn_proposal *proposal) {
    gdyn_model *model = gdyn_proposal_model(instance->model, proposal->count, proposal->change);
    gdyn_state *start = model ? gdyn_proposal_state(model, pose) : NULL;
    gdyn_status status = start ? GDYN_OK : GDYN_ERROR_MEMORY;
    proposal->outcome = GDYN_PROPOSAL_PASSES;
    for (int t = 0; t < instance->trajectory_count && status == GDYN_OK &&
                    proposal->outcome <= GDYN_PROPOSAL_NO_PATH;
         t++)
        status = check_path(instance, model, start, &own[t], t, proposal);
    gdyn_state_destroy(start);
    gdyn_model_destroy(model);
    return status;
}

/* Those that pass first, then those that cannot be checked. */
static gdyn_status order(gdyn_proposals *out) {
    gdyn_proposal *list = gdyn_alloc((size_t)out->count, sizeof *list);
    if (!list)
        return GDYN_ERROR_MEMORY;
    for (int outcome = 0, at = 0; outcome < GDYN_PROPOSAL_OUTCOMES; outcome++)
        for (int i = 0; i < out->count; i++)
            if (out->proposal[i].outcome == (gdyn_proposal_outcome)outcome)
                list[at++] = out->proposal[i];
    memcpy(out->proposal, list, (size_t)out->count * sizeof *list);
    gdyn_free(list);
    return GDYN_OK;
}

gdyn_status gdyn_proposals_follow(const gdyn_instance *instance, const gdyn_state *pose,
                                  gdyn_proposals *proposals) {
    int trajectories = instance->trajectory_count;
    if (trajectories == 0 || proposals->count == 0)
        return GDYN_OK;
    followed *own = gdyn_alloc((size_t)trajectories, sizeof *own);
    gdyn_status status = own ? GDYN_OK : GDYN_ERROR_MEMORY;
    for (int t = 0; t < trajectories && status == GDYN_OK; t++) {
        gdyn_trajectory along;
        status = gdyn_trajectory_open(&along, instance, t, NULL);
        status = status == GDYN_OK ? follow(&along, pose, &own[t]) : status;
        gdyn_trajectory_close(&along);
    }
    for (int i = 0; i < proposals->count && status == GDYN_OK; i++)
        status = check(instance, pose, own, &proposals->proposal[i]);
    status = status == GDYN_OK ? order(proposals) : status;
    for (int t = 0; own && t < trajectories; t++)
        gdyn_ranks_free(&own[t].ranks);
    gdyn_free(own);
    return status;
}
