/* examination.c - what a machine is, whether it can be assembled, why a path cannot be followed. */
#include "trajectory/examination.h"

#include "base/memory.h"
#include "trajectory/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the first guess -------------------------------------------------------------------------- */

gdyn_status gdyn_examine(gdyn_examination *e, const gdyn_instance *instance) {
    *e = (gdyn_examination){.instance = instance, .model = instance->model};
    e->near = gdyn_near_none();
    e->trajectory = gdyn_alloc((size_t)instance->trajectory_count + 1, sizeof *e->trajectory);
    gdyn_status status = e->trajectory ? gdyn_model_loops(e->model, &e->loops) : GDYN_ERROR_MEMORY;
    /* Independent loops, then the assembled guess. */
    status = status == GDYN_OK ? gdyn_guess_assemble(e->model, 0, &e->guess) : status;
    if (status != GDYN_OK)
        return status;
    e->assembled = e->guess.info.outcome == GDYN_CLOSED;
    if (e->assembled) {
        /* How near the shapes come to each other there. */
        gdyn_clearance *clearance = gdyn_clearance_create(e->model);
        status = clearance ? gdyn_guess_examine(&e->guess) : GDYN_ERROR_MEMORY;
        if (status == GDYN_OK)
            e->near = gdyn_clearance_at(clearance, e->guess.state);
        gdyn_clearance_destroy(clearance);
        return status;
    }
    /* Assembled only with a joint's axis reversed; else open joints and axes far from parallel. */
    size_t size = sizeof e->assembly_text;
    if (e->guess.info.outcome == GDYN_CLOSURE_FLIPPED && e->guess.info.worst_joint >= 0) {
        snprintf(e->assembly_text, size, "joint '%s' closes only with its axis reversed",
                 gdyn_model_joint(e->model, e->guess.info.worst_joint)->name);
        return GDYN_OK;
    }
    status = gdyn_describe_gap(e->guess.state, e->assembly_text, size);
    return status == GDYN_OK ? gdyn_describe_axes(e->model, e->axes_text, sizeof e->axes_text)
                             : status;
}

void gdyn_examination_free(gdyn_examination *e) {
    gdyn_guess_free(&e->guess);
    for (int i = 0; i < e->opened; i++)
        gdyn_trajectory_close(&e->trajectory[i]);
    gdyn_free(e->trajectory);
    *e = (gdyn_examination){0};
}

bool gdyn_examination_good(const gdyn_examination *e) {
    bool good = e->assembled && !gdyn_near_interferes(&e->near);
    for (int i = 0; i < e->opened; i++)
        good = good && gdyn_trajectory_passable(&e->trajectory[i]);
    return good;
}

gdyn_status gdyn_examine_next(gdyn_examination *e, unsigned passes, const gdyn_sink *sink) {
    int number = e->opened++;
    gdyn_trajectory *t = &e->trajectory[number];
    gdyn_status status = gdyn_trajectory_open(t, e->instance, number, sink);
    return status == GDYN_OK ? gdyn_trajectory_take(t, passes) : status;
}

/* --- the pass FAILURE ------------------------------------------------------------------------- */

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

gdyn_status gdyn_trajectory_describe(gdyn_trajectory *t, unsigned passes) {
    (void)passes;
    const gdyn_track *track = t->track;
    gdyn_followed *f = &t->followed;
    int first = track->first_failure;
    for (int i = 0; i < track->points; i++) {
        f->worst_residual = fmax(f->worst_residual, track->residual[i]);
        f->pose_error = fmax(f->pose_error, track->error[i]);
    }
    gdyn_describe_entry(track, t->unit, f->entry_text, sizeof f->entry_text);
    f->failure_p = first < 0 ? NAN : track->p[first];
    /* How many derivatives came from joint coordinates, how many from dense factorizations. */
    gdyn_closure *closure;
    gdyn_status status = gdyn_trajectory_closure(t, &closure);
    if (status == GDYN_OK)
        gdyn_closure_counts(closure, &f->by_tree, &f->dense);
    if (status == GDYN_OK && first >= 0)
        status = describe_failure(t->path, track, first, f);
    return status == GDYN_OK ? gdyn_advise_path(t->path, track, &f->advice) : status;
}
