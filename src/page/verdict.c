/* verdict.c - what was found, in one line. */
#include "page/findings.h"

#include <math.h>

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

/* Why there is no motion. */
static void refusal(const gdyn_trajectory *t, gdyn_text *out) {
    gdyn_text_printf(out, "no motion: at p = %s ", gdyn_amount(t->traverse->place, t->unit).text);
    append_line(out, gdyn_trajectory_refusal(t));
    /* The limits that exclude each other. */
    const gdyn_certificate *proof = &t->traverse->certificate;
    int shown = 0;
    for (int k = 0; k < proof->count; k++) {
        char text[200];
        if (proof->limit[k].shape == GDYN_LIMIT_EQUALITY || gdyn_limit_is_forward(proof->limit[k]))
            continue;
        gdyn_limit_text(t->row, t->rows, proof->limit[k], text, sizeof text);
        gdyn_text_printf(out, "%s%s", shown++ ? ", " : ": ", text);
    }
}

/* The points without a region. */
static int empty_points(const gdyn_trajectory *t) {
    int count = 0;
    for (int i = 0; i < t->along.points; i++)
        count += t->along.region[i]->island_count == 0;
    return count;
}

/* The fastest motion, and what holds at every point. */
static void ability(const gdyn_trajectory *t, gdyn_text *out) {
    double speed = t->criteria.value[GDYN_CRITERION_SPEED];
    gdyn_text_printf(out, "fastest motion from rest to rest %.4g s", t->traverse->time);
    if (isfinite(speed)) {
        gdyn_words amount = gdyn_amount_per_time(speed, t->unit, 1);
        gdyn_text_printf(out, "; greatest constant path speed %s", amount.text);
    }
}

void gdyn_finding_verdict(const gdyn_finding *f, gdyn_text *out) {
    const gdyn_trajectory *t = f->t;
    double blocked = gdyn_trajectory_blocked(t);
    if (!isnan(t->followed.failure_p)) {
        failure(t, out);
    } else if (!isnan(blocked)) {
        gdyn_text_printf(out, "singular at p = %s: no motion leads across",
                         gdyn_amount(blocked, t->unit).text);
    } else if (f->driven && t->traverse->status != GDYN_TRAVERSE_OK) {
        int empty = empty_points(t);
        if (empty > 0)
            gdyn_text_printf(out, "nothing accessible at %d of %d points; ", empty,
                             t->along.points);
        refusal(t, out);
    } else if (gdyn_near_interferes(&t->near)) {
        gdyn_text_printf(out, "shapes overlap by %.4g mm at p = %s", 1e3 * fabs(t->near.distance),
                         gdyn_amount(t->near.p, t->unit).text);
    } else if (!f->driven) {
        gdyn_text_printf(out, "followed at all %d points; without drives nothing limits its motion",
                         t->track->points);
    } else {
        ability(t, out);
    }
}

bool gdyn_findings_good(const gdyn_findings *all) {
    bool good = all->examination.assembled && !gdyn_near_interferes(&all->examination.near);
    for (int i = 0; i < all->count; i++)
        good = good && gdyn_finding_good(&all->finding[i]);
    return good;
}

/* What the structure gives where there is no trajectory. */
static void structure(const gdyn_findings *all, gdyn_text *out) {
    const gdyn_guess *guess = &all->examination.guess;
    gdyn_text_printf(out,
                     "the machine is assembled: mobility %d, %d drive%s; no trajectory is stated",
                     guess->mobility.mobility, gdyn_model_drives(all->instance->model),
                     gdyn_plural(gdyn_model_drives(all->instance->model)));
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
        structure(all, out);
        return;
    }
    /* The first trajectory that is not good, else the first one. */
    for (int i = all->count - 1; i >= 0; i--)
        if (!gdyn_finding_good(&all->finding[i]))
            shown = i;
    gdyn_text_printf(out, "%s: ", all->finding[shown].t->name);
    gdyn_finding_verdict(&all->finding[shown], out);
}
