/* findings.c - what a page says of a case: the machine at its first guess, reactions there, and
 * of each trajectory how it is followed, its regions, its fastest motion. */
#include "page/findings.h"

#include "base/memory.h"

#include <math.h>

/* Regions at the points of the path. */
static gdyn_status find_regions(gdyn_finding *f, const gdyn_instance *instance, int number,
                                const gdyn_sink *sink) {
    gdyn_evaluation_settings settings = gdyn_evaluation_default();
    settings.closest = true;
    settings.lean = true;
    gdyn_status status = gdyn_trajectory_open(&f->regions, instance, number, sink);
    return status == GDYN_OK ? gdyn_trajectory_regions(&f->regions, &settings) : status;
}

/* The fastest motion from rest to rest with its poses and forces. */
static gdyn_status find_motion(gdyn_finding *f, const gdyn_instance *instance, int number,
                               const gdyn_sink *sink) {
    gdyn_traverse_settings settings = gdyn_traverse_default();
    gdyn_status status = gdyn_trajectory_open(&f->motion, instance, number, sink);
    if (status == GDYN_OK)
        status = gdyn_trajectory_drive(&f->motion, sink);
    if (status == GDYN_OK)
        status = gdyn_path_dynamics_rates(f->motion.dynamics, &settings.rate);
    if (status == GDYN_OK)
        status = gdyn_trajectory_fastest(&f->motion, &settings);
    return status == GDYN_OK ? gdyn_frames_of_motion(&f->frames, &f->motion) : status;
}

static gdyn_status find_trajectory(gdyn_findings *all, int i, int number, const gdyn_sink *sink) {
    gdyn_finding *f = &all->finding[i];
    f->followed = &all->examination.follow[number];
    f->driven = gdyn_model_drives(all->instance->model) > 0;
    f->nearest = -1;
    gdyn_status status = GDYN_OK;
    if (f->driven) {
        all->count = i + 1; /* to be closed from here on */
        status = find_regions(f, all->instance, number, sink);
        if (status == GDYN_OK)
            status = find_motion(f, all->instance, number, sink);
    }
    all->count = i + 1;
    /* Without a motion the points of the path. */
    if (status == GDYN_OK && f->frames.count == 0)
        status = gdyn_frames_of_track(&f->frames, f->followed->track, &f->nearest);
    return status;
}

/* Reactions at the assembled guess, at rest or in the motions of the machine. */
static gdyn_status find_reactions(gdyn_findings *all) {
    bool moves;
    all->reactions = gdyn_reactions_create(all->instance->model);
    if (!all->reactions)
        return GDYN_ERROR_MEMORY;
    all->frame = (gdyn_reaction_frame){.p = NAN};
    gdyn_status status =
        gdyn_guess_reactions(&all->examination.guess, all->reactions, 0, &moves, &all->frame);
    all->reacted = status == GDYN_OK;
    return status;
}

static gdyn_status find(gdyn_findings *all, int first, int count, const gdyn_sink *sink) {
    gdyn_examination *e = &all->examination;
    gdyn_status status = gdyn_examine(e, all->instance);
    /* Without a closed guess the trajectories would only repeat the same complaint. */
    while (status == GDYN_OK && e->assembled && e->followed < first + count)
        status = gdyn_examine_next(e, sink);
    if (status == GDYN_OK && e->assembled)
        status = find_reactions(all);
    all->finding = gdyn_alloc((size_t)count + 1, sizeof *all->finding);
    if (status == GDYN_OK && !all->finding)
        status = GDYN_ERROR_MEMORY;
    for (int i = 0; status == GDYN_OK && e->assembled && i < count; i++)
        status = find_trajectory(all, i, first + i, sink);
    return status;
}

gdyn_status gdyn_findings_create(const gdyn_instance *instance, int first, int count,
                                 const gdyn_sink *sink, gdyn_findings **findings) {
    gdyn_findings *all = *findings = gdyn_alloc(1, sizeof *all);
    if (!all)
        return GDYN_ERROR_MEMORY;
    all->instance = instance;
    gdyn_status status = find(all, first, count, sink);
    if (status != GDYN_OK) {
        gdyn_findings_destroy(all);
        *findings = NULL;
    }
    return status;
}

void gdyn_findings_destroy(gdyn_findings *all) {
    if (!all)
        return;
    for (int i = 0; i < all->count; i++) {
        gdyn_finding *f = &all->finding[i];
        gdyn_frames_free(&f->frames);
        if (f->driven) {
            gdyn_trajectory_close(&f->regions);
            gdyn_trajectory_close(&f->motion);
        }
    }
    gdyn_free(all->finding);
    gdyn_reactions_destroy(all->reactions);
    gdyn_examination_free(&all->examination);
    gdyn_free(all);
}
