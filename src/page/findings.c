/* findings.c - what a page says of a case: the machine at its first guess, reactions there, and
 * of each trajectory how it is followed, its regions, its fastest motion. */
#include "page/findings.h"

#include "base/memory.h"

#include <math.h>

static gdyn_status find_trajectory(gdyn_findings *all, int i, int number) {
    gdyn_finding *f = &all->finding[i];
    f->t = &all->examination.trajectory[number];
    f->driven = gdyn_model_drives(all->instance->model) > 0;
    f->nearest = -1;
    all->count = i + 1;
    gdyn_status status = f->driven ? gdyn_frames_of_motion(&f->frames, f->t) : GDYN_OK;
    /* Without a motion the points of the path. */
    return status == GDYN_OK && f->frames.count == 0
               ? gdyn_frames_of_track(&f->frames, f->t->track, &f->nearest)
               : status;
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
    bool driven = gdyn_model_drives(all->instance->model) > 0;
    while (status == GDYN_OK && e->assembled && e->opened < first + count) {
        unsigned more = driven && e->opened >= first ? GDYN_PASSES_OF_REGIONS : 0;
        status = gdyn_examine_next(e, GDYN_PASSES_OF_CHECK | more, sink);
    }
    if (status == GDYN_OK && e->assembled)
        status = find_reactions(all);
    all->finding = gdyn_alloc((size_t)count + 1, sizeof *all->finding);
    if (status == GDYN_OK && !all->finding)
        status = GDYN_ERROR_MEMORY;
    for (int i = 0; status == GDYN_OK && e->assembled && i < count; i++)
        status = find_trajectory(all, i, first + i);
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
    for (int i = 0; i < all->count; i++)
        gdyn_frames_free(&all->finding[i].frames);
    gdyn_free(all->finding);
    gdyn_reactions_destroy(all->reactions);
    gdyn_examination_free(&all->examination);
    gdyn_free(all);
}
