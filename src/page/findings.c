/* findings.c - what a page says of a case: the machine at its first guess, reactions there, and
 * of each trajectory how it is followed, its regions, its fastest motion. */
#include "page/internal.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

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

gdyn_status gdyn_findings_create(const gdyn_instance *instance, int first, int count,
                                 const gdyn_sink *sink, gdyn_findings **findings) {
    gdyn_findings *all = *findings = gdyn_alloc(1, sizeof *all);
    if (!all)
        return GDYN_ERROR_MEMORY;
    all->instance = instance;
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
        gdyn_frames *f = &all->finding[i].frames;
        for (int k = 0; k < f->count; k++)
            gdyn_state_destroy(f->state[k]);
        gdyn_free(f->state), gdyn_free(f->p), gdyn_free(f->gap);
    }
    gdyn_free(all->finding);
    gdyn_reactions_destroy(all->reactions);
    gdyn_examination_free(&all->examination);
    gdyn_free(all);
}

/* --- poses: few enough to be carried, near enough to be interpolated -------------------------- */

/* One more pose, copied. */
static gdyn_status keep_pose(gdyn_frames *f, double p, const gdyn_state *state) {
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

/* Takes a sample when the last one taken is far enough back, and the last one of all. */
static void keep_sample(void *context, int sample, const gdyn_path_dynamics *dynamics) {
    keeper *k = context;
    const gdyn_traverse *plan = k->t->traverse;
    const gdyn_state *state = gdyn_path_dynamics_state(dynamics);
    /* how far the sample is: half by p, half by time, so that slow stretches and fast ones are
     * both seen; 0 to 1 */
    const gdyn_motion_point *first = plan->point, *end = &plan->point[plan->points - 1];
    const gdyn_motion_point *at = &plan->point[sample];
    double in_p = (at->p - first->p) / (end->p - first->p);
    double in_t = (at->t - first->t) / (end->t - first->t);
    double way = isfinite(in_t) ? 0.5 * (in_p + in_t) : in_p;
    bool last = at == end;
    bool wanted = way >= k->way + 1.0 / GDYN_FRAMES_MOST || k->frames->count == 0 || last;
    if (k->status != GDYN_OK || !state || !wanted)
        return;
    k->way = way;
    k->status = keep_pose(k->frames, plan->point[sample].p, state);
}

gdyn_status gdyn_frames_of_motion(gdyn_frames *frames, gdyn_trajectory *t) {
    keeper k = {.frames = frames, .t = t, .status = GDYN_OK};
    t->visit = keep_sample;
    t->visitor = &k;
    gdyn_status status = gdyn_trajectory_take(t, GDYN_PASS_FORCES);
    return status == GDYN_OK ? k.status : status;
}

/* --- of a track ------------------------------------------------------------------------------- */

gdyn_status gdyn_frames_of_track(gdyn_frames *frames, const gdyn_track *track, int *nearest) {
    int step = (track->points + GDYN_FRAMES_MOST - 1) / GDYN_FRAMES_MOST;
    gdyn_status status = GDYN_OK;
    *nearest = -1;
    /* Every step-th point; a point that is not followed between two of them is a gap. */
    for (int i = 0; i < track->points && status == GDYN_OK; i++) {
        bool ok = track->status[i] == GDYN_POINT_OK;
        if (ok && (i % step == 0 || i == track->points - 1))
            status = keep_pose(frames, track->p[i], track->state[i]);
        else if (!ok && frames->count > 0)
            frames->gap[frames->count - 1] = true;
    }
    if (status == GDYN_OK && frames->count == 0 && track->points > 0) {
        *nearest = gdyn_track_nearest(track);
        status = keep_pose(frames, track->p[*nearest], track->state[*nearest]);
    }
    return status;
}

/* --- what was found, in one line -------------------------------------------------------------- */

bool gdyn_finding_good(const gdyn_finding *f) {
    return gdyn_trajectory_passable(f->t) &&
           (!f->driven ||
            (gdyn_trajectory_accessible(f->t) && f->t->traverse->status == GDYN_TRAVERSE_OK));
}

/* A text of several lines as one. */
static void append_line(gdyn_text *out, const char *text) {
    for (const char *c = text; *c; c++) {
        bool blank = *c == ' ' || *c == '\n';
        bool before = c > text && (c[-1] == ' ' || c[-1] == '\n');
        if (!blank || !before)
            gdyn_text_append(out, blank ? " " : c, 1);
    }
}

/* How many points are followed, and why no more. */
static void failure(const gdyn_trajectory *t, gdyn_text *out) {
    const gdyn_followed *f = &t->followed;
    if (t->track->followed == 0)
        gdyn_text_printf(out, "not followed at any of %d points: ", t->track->points);
    else
        gdyn_text_printf(out, "followed at %d of %d points; fails at p = %s: ", t->track->followed,
                         t->track->points, gdyn_amount(f->failure_p, t->unit).text);
    append_line(out, f->failure_text[0] ? f->failure_text : f->advice.reason);
}

void gdyn_finding_verdict(const gdyn_finding *f, gdyn_text *out) {
    const gdyn_trajectory *t = f->t;
    double blocked = gdyn_trajectory_blocked(t);
    if (!isnan(t->followed.failure_p)) {
        failure(t, out);
    } else if (!isnan(blocked)) {
        gdyn_text_printf(out, "singular at p = %s: no motion crosses it",
                         gdyn_amount(blocked, t->unit).text);
    } else if (f->driven && t->traverse->status != GDYN_TRAVERSE_OK) {
        /* The points without a region. */
        int count = 0;
        for (int i = 0; i < t->along.points; i++)
            count += t->along.region[i]->island_count == 0;
        int empty = count;
        if (empty > 0)
            gdyn_text_printf(out, "nothing accessible at %d of %d points; ", empty,
                             t->along.points);
        /* Why there is no motion. */
        gdyn_text_printf(out, "no motion: at p = %s ",
                         gdyn_amount(t->traverse->place, t->unit).text);
        append_line(out, gdyn_trajectory_refusal(t));
        /* The limits that exclude each other. */
        const gdyn_certificate *proof = &t->traverse->certificate;
        int shown = 0;
        for (int k = 0; k < proof->count; k++) {
            char text[200];
            if (proof->limit[k].shape == GDYN_LIMIT_EQUALITY ||
                gdyn_limit_is_forward(proof->limit[k]))
                continue;
            gdyn_limit_text(t->row, t->rows, proof->limit[k], text, sizeof text);
            gdyn_text_printf(out, "%s%s", shown++ ? ", " : ": ", text);
        }
    } else if (gdyn_near_interferes(&t->near)) {
        gdyn_text_printf(out, "shapes overlap by %.4g mm at p = %s", 1e3 * fabs(t->near.distance),
                         gdyn_amount(t->near.p, t->unit).text);
    } else if (!f->driven) {
        gdyn_text_printf(out, "followed at all %d points; without drives nothing limits its motion",
                         t->track->points);
    } else {
        /* The fastest motion, and what holds at every point. */
        double speed = t->criteria.value[GDYN_CRITERION_SPEED];
        gdyn_text_printf(out, "fastest motion from rest to rest %.4g s", t->traverse->time);
        if (isfinite(speed)) {
            gdyn_words amount = gdyn_amount_per_time(speed, t->unit, 1);
            gdyn_text_printf(out, "; maximum constant path speed %s", amount.text);
        }
    }
}

bool gdyn_findings_good(const gdyn_findings *all) {
    bool good = all->examination.assembled && !gdyn_near_interferes(&all->examination.near);
    for (int i = 0; i < all->count; i++)
        good = good && gdyn_finding_good(&all->finding[i]);
    return good;
}

void gdyn_findings_verdict(const gdyn_findings *all, gdyn_text *out) {
    const gdyn_examination *e = &all->examination;
    int shown = 0;
    if (!e->assembled) {
        gdyn_text_printf(out, "the machine cannot be assembled: ");
        append_line(out, e->assembly_text);
        return;
    }
    if (all->count == 0) {
        /* What the structure gives where there is no trajectory. */
        const gdyn_guess *guess = &all->examination.guess;
        gdyn_text_printf(
            out, "the machine is assembled: mobility %d, %d drive%s; the case has no trajectory",
            guess->mobility.mobility, gdyn_model_drives(all->instance->model),
            gdyn_plural(gdyn_model_drives(all->instance->model)));
        return;
    }
    /* The first trajectory that is not good, else the first one. */
    for (int i = all->count - 1; i >= 0; i--)
        if (!gdyn_finding_good(&all->finding[i]))
            shown = i;
    gdyn_text_printf(out, "%s: ", all->finding[shown].t->name);
    gdyn_finding_verdict(&all->finding[shown], out);
}
