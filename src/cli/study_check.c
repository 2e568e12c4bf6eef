/* study_check.c - globdyn study check: whether the file is intact and its designs are reproduced.
 *
 * SQLite checks its own structure; the designs must be those that the search asks for (reading them has
 * replayed it); and a few of them, spread over the study, are evaluated again: every value must
 * have the same bits. */
#include "cli/study.h"

#include "base/memory.h"
#include "cli/interrupt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 12 };

typedef struct checked {
    int failures;
} checked;

static void report(checked *c, bool good, const char *what) {
    printf("%-7s %s\n", good ? "ok" : "FAILED", what);
    c->failures += !good;
}

/* The values two evaluations have in common; the archive may know more. */
static bool same_values(const gdyn_study *study, const gdyn_design *a, const gdyn_design *b) {
    const gdyn_instance *start = gdyn_study_start(study);
    bool same = a->status == b->status && a->evaluated == b->evaluated &&
                a->violation == b->violation && a->failure == b->failure;
    for (int r = 0; r < gdyn_study_responses(study); r++)
        same &= a->known[r] == b->known[r] && a->response[r] == b->response[r];
    for (int i = 0; i < start->objective_count; i++)
        same &= a->objective[i] == b->objective[i];
    for (int i = 0; i < start->requirement_count; i++)
        same &= a->constraint[i] == b->constraint[i];
    return same;
}

static void check_samples(checked *c, const gdyn_stored *s) {
    const gdyn_archive *archive = &s->result.archive;
    gdyn_design *again = gdyn_design_create(s->study);
    int samples = archive->count < SAMPLES ? archive->count : SAMPLES, differing = 0;
    char text[120];
    for (int k = 0; again && k < samples; k++) {
        int i = samples > 1 ? (int)((long)k * (archive->count - 1) / (samples - 1)) : 0;
        const gdyn_design *d = archive->design[i];
        again->serial = d->serial;
        gdyn_stage("design %ld, evaluated again", d->serial);
        bool same = gdyn_study_evaluate(s->study, d->x, GDYN_EXTENT_SOUND, again) == GDYN_OK &&
                    same_values(s->study, d, again);
        if (!same)
            printf("        design %ld differs when evaluated again: %s, not %s\n", d->serial,
                   gdyn_design_status_name(again->status), gdyn_design_status_name(d->status));
        differing += !same;
    }
    snprintf(text, sizeof text, "%d of %d design%s evaluated again ha%s the same bits",
             samples - differing, samples, gdyn_plural(samples), samples == 1 ? "s" : "ve");
    report(c, again && differing == 0, text);
    gdyn_design_destroy(again);
}

/* Without a gap, but for what an interrupted generation left. The search that was replayed ends at a
 * gap: designs behind it, or a search that had finished, mean that some are missing. */
static void check_numbers(checked *c, const gdyn_stored *s) {
    const gdyn_archive *archive = &s->result.archive;
    char text[160];
    int gaps = 0, count = archive->count;
    for (int i = 1; i < count; i++)
        gaps += archive->design[i]->serial != archive->design[i - 1]->serial + 1;
    bool begins = count == 0 || archive->design[0]->serial == 0;
    bool lost = s->result.interrupted &&
                (s->rows > count || strncmp(s->state, "finished", strlen("finished")) == 0);
    int most = s->options.search.population; /* an interrupted generation may lack any of its own */
    if (lost)
        snprintf(text, sizeof text, "%d designs; some of the search are missing behind design %ld",
                 s->rows, count ? archive->design[count - 1]->serial : -1);
    else
        snprintf(text, sizeof text, "%d design%s, numbered from 0%s", count, gdyn_plural(count),
                 gaps ? ", some of the last generation not evaluated yet" : " without a gap");
    report(c, begins && !lost && gaps <= most && (gaps == 0 || s->result.interrupted), text);
    if (lost)
        fprintf(stderr, "      = help: the command that made the study evaluates them again\n");
}

int gdyn_study_check(const gdyn_options *options, const gdyn_stored *s) {
    checked c = {0};
    (void)options;
    char failure[160];
    bool whole = gdyn_stored_integrity(s, failure, sizeof failure);
    report(&c, whole, whole ? "the file's structure" : failure);
    if (s->kind == GDYN_STORE_OPTIMIZE) /* else it could not have been opened */
        report(&c, true, "the designs are those that the search asks for");
    check_numbers(&c, s);
    check_samples(&c, s);
    return c.failures ? GDYN_EXIT_NO : GDYN_EXIT_YES;
}
