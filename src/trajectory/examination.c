/* examination.c - what a machine is, and whether it can be assembled. */
#include "trajectory/examination.h"

#include "access/singularity.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the first guess -------------------------------------------------------------------------- */

/* Why the machine cannot be assembled. */
static gdyn_status describe_guess(gdyn_examination *e) {
    const gdyn_guess *guess = &e->guess;
    size_t size = sizeof e->assembly_text;
    /* Assembled only with a joint's axis reversed. */
    if (guess->info.outcome == GDYN_CLOSURE_FLIPPED && guess->info.worst_joint >= 0) {
        snprintf(e->assembly_text, size, "joint '%s' closes only with its axis reversed",
                 gdyn_model_joint(e->model, guess->info.worst_joint)->name);
        return GDYN_OK;
    }
    /* Else the joints that stay open, and axes that are far from parallel. */
    gdyn_status status = gdyn_describe_gap(guess->state, e->assembly_text, size);
    return status == GDYN_OK ? gdyn_describe_axes(e->model, e->axes_text, sizeof e->axes_text)
                             : status;
}

/* How near the shapes come to each other there. */
static gdyn_status near_guess(gdyn_examination *e) {
    gdyn_clearance *clearance = gdyn_clearance_create(e->model);
    if (!clearance)
        return GDYN_ERROR_MEMORY;
    e->near = gdyn_clearance_at(clearance, e->guess.state);
    gdyn_clearance_destroy(clearance);
    return GDYN_OK;
}

gdyn_status gdyn_examine(gdyn_examination *e, const gdyn_instance *instance) {
    *e = (gdyn_examination){.instance = instance, .model = instance->model};
    e->near = gdyn_near_none();
    e->follow = gdyn_alloc((size_t)instance->trajectory_count + 1, sizeof *e->follow);
    gdyn_status status = e->follow ? gdyn_model_loops(e->model, &e->loops) : GDYN_ERROR_MEMORY;
    /* Independent loops, then the assembled guess. */
    if (status == GDYN_OK)
        status = gdyn_guess_assemble(e->model, &e->guess);
    if (status != GDYN_OK)
        return status;
    e->assembled = e->guess.info.outcome == GDYN_CLOSED;
    if (!e->assembled)
        return describe_guess(e);
    status = gdyn_guess_examine(&e->guess);
    return status == GDYN_OK ? near_guess(e) : status;
}

static void free_followed(gdyn_followed *f) {
    gdyn_free(f->travel);
    gdyn_singularities_free(&f->singular);
    gdyn_track_destroy(f->track);
    gdyn_path_destroy(f->path);
}

void gdyn_examination_free(gdyn_examination *e) {
    gdyn_guess_free(&e->guess);
    for (int i = 0; e->follow && i < e->instance->trajectory_count; i++)
        free_followed(&e->follow[i]);
    gdyn_free(e->follow);
    *e = (gdyn_examination){0};
}

double gdyn_followed_blocked(const gdyn_followed *f) {
    const gdyn_singularity *block = gdyn_singularities_block(&f->singular, -INFINITY, INFINITY);
    return block ? block->from : NAN;
}

bool gdyn_near_interferes(const gdyn_near *near) {
    return near->first >= 0 && near->distance < 0;
}

bool gdyn_examination_good(const gdyn_examination *e) {
    bool good = e->assembled && !gdyn_near_interferes(&e->near);
    for (int i = 0; i < e->followed; i++) {
        const gdyn_followed *f = &e->follow[i];
        good &= isnan(f->failure_p) && isnan(gdyn_followed_blocked(f)) &&
                !gdyn_near_interferes(&f->near);
    }
    return good;
}

/* --- trajectories ----------------------------------------------------------------------------- */

/* Why the machine fails at the first point where it does. */
static gdyn_status describe_failure(const gdyn_path *path, const gdyn_track *track, int first,
                                    gdyn_followed *f) {
    size_t size = sizeof f->failure_text;
    if (track->p[first] > track->given_up_p) {
        snprintf(f->failure_text, size,
                 "turns back and forth too often to be followed beyond p = %.9g",
                 track->given_up_p);
        return GDYN_OK;
    }
    /* Why depends on the status of the point. */
    switch (track->status[first]) {
    case GDYN_POINT_BRANCH:
        snprintf(f->failure_text, size, "closes only on another branch than before");
        return GDYN_OK;
    case GDYN_POINT_RANGE:
        gdyn_describe_range(track, first, f->failure_text, size);
        return GDYN_OK;
    case GDYN_POINT_SINGULAR:
        snprintf(f->failure_text, size, "is singular: the path cannot be followed further");
        return GDYN_OK;
    default:
        return track->worst_joint[first] < 0
                   ? gdyn_describe_miss(path, track->p[first], track->state[first], f->failure_text,
                                        size)
                   : gdyn_describe_gap(track->state[first], f->failure_text, size);
    }
}

static gdyn_status describe_track(const gdyn_path *path, const gdyn_track *track,
                                  gdyn_followed *f) {
    int first = track->first_failure, ranges = gdyn_model_ranges(gdyn_state_model(track->state[0]));
    f->travel = gdyn_alloc((size_t)ranges + 1, sizeof *f->travel);
    if (!f->travel)
        return GDYN_ERROR_MEMORY;
    memcpy(f->travel, track->travel, (size_t)ranges * sizeof *f->travel);
    f->points = track->points;
    f->reached = track->followed;
    f->reach = track->reach;
    f->returns = track->returns;
    /* The worst residual and pose error over all points. */
    for (int i = 0; i < track->points; i++) {
        f->worst_residual = fmax(f->worst_residual, track->residual[i]);
        f->pose_error = fmax(f->pose_error, track->error[i]);
    }
    f->entered_p = track->entered_p;
    gdyn_describe_entry(track, f->unit, f->entry_text, sizeof f->entry_text);
    f->failure_p = first < 0 ? NAN : track->p[first];
    return first < 0 ? GDYN_OK : describe_failure(path, track, first, f);
}

/* Singular poses, and how near the path comes to one. */
static gdyn_status find_singular(const gdyn_path *path, const gdyn_track *track, gdyn_followed *f) {
    gdyn_evaluator *evaluator = gdyn_evaluator_create(gdyn_state_model(track->state[0]));
    gdyn_status status = evaluator ? gdyn_singularities_find(path, track, evaluator, &f->singular)
                                   : GDYN_ERROR_MEMORY;
    gdyn_evaluator_destroy(evaluator);
    return status;
}

static gdyn_status find_clearance(const gdyn_path *path, const gdyn_track *track,
                                  gdyn_followed *f) {
    gdyn_clearance *clearance = gdyn_clearance_create(gdyn_state_model(track->state[0]));
    gdyn_status status =
        clearance ? gdyn_clearance_along(clearance, path, track, &f->near) : GDYN_ERROR_MEMORY;
    gdyn_clearance_destroy(clearance);
    return status;
}

gdyn_status gdyn_examine_next(gdyn_examination *e, const gdyn_sink *sink) {
    const gdyn_path_def *def = &e->instance->trajectory[e->followed];
    gdyn_followed *f = &e->follow[e->followed];
    *f = (gdyn_followed){
        .name = def->name, .unit = gdyn_path_unit_of_p(def), .near = gdyn_near_none()};
    gdyn_status status = gdyn_path_create(e->model, def, sink, &f->path);
    if (status != GDYN_OK)
        return status;
    gdyn_path *path = f->path;
    gdyn_track *track = f->track = gdyn_track_create(e->model, path);
    /* The path is followed from the first guess, as all commands do. */
    gdyn_closure *closure = gdyn_closure_create(e->model, gdyn_path_targets(path));
    status = track && closure ? gdyn_track_follow(track, path, closure, NULL) : GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        status = describe_track(path, track, f);
    if (status == GDYN_OK)
        status = gdyn_advise_path(path, track, &f->advice);
    if (status == GDYN_OK)
        status = find_singular(path, track, f);
    if (status == GDYN_OK)
        status = find_clearance(path, track, f);
    /* How many derivatives came from joint coordinates, how many from dense factorizations. */
    if (closure)
        gdyn_closure_counts(closure, &f->by_tree, &f->dense);
    gdyn_closure_destroy(closure);
    e->followed += status == GDYN_OK;
    return status;
}
