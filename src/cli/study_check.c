/* study_check.c - globdyn study check: whether the file is intact and its designs are
 * reproduced. */
#include "cli/cli.h"

enum { SAMPLES = 12 };

/* Prints a finding; 1 when it is bad. */
static int report(bool good, const char *what) {
    printf("%-7s %s\n", good ? "ok" : "FAILED", what);
    return !good;
}

/* A few designs, spread over the study, evaluated again. */
static int check_samples(const gdyn_stored *s) {
    int count = s->result.archive.count, samples = count < SAMPLES ? count : SAMPLES, differing = 0;
    gdyn_design *again = gdyn_design_create(s->study);
    char text[120];
    /* Spread over the study, the same ones every time. */
    for (int k = 0; again && k < samples; k++) {
        const gdyn_design *d = gdyn_stored_sample(s, samples, k);
        gdyn_stage("design %ld, evaluated again", d->serial);
        bool same;
        gdyn_stored_reproduce(s, d, again, &same);
        if (!same)
            printf("        design %ld differs when evaluated again: %s, not %s\n", d->serial,
                   gdyn_design_status_name(again->status), gdyn_design_status_name(d->status));
        differing += !same;
    }
    snprintf(text, sizeof text, "%d of %d design%s evaluated again ha%s the same bits",
             samples - differing, samples, gdyn_plural(samples), samples == 1 ? "s" : "ve");
    int bad = report(again && differing == 0, text);
    gdyn_design_destroy(again);
    return bad;
}

static int check_numbers(const gdyn_stored *s) {
    gdyn_numbering n = gdyn_stored_numbering(s);
    /* Designs are numbered without a gap, except at the end of an interrupted generation. */
    char text[160];
    if (n.lost)
        snprintf(text, sizeof text, "%d designs; some of the search are missing behind design %ld",
                 n.rows, n.last);
    else
        snprintf(text, sizeof text, "%d design%s, numbered from 0%s", n.designs,
                 gdyn_plural(n.designs),
                 n.gaps ? ", some of the last generation not evaluated yet" : " without a gap");
    int bad = report(n.good, text);
    if (n.lost)
        fprintf(stderr, "      = help: the command that made the study evaluates them again\n");
    return bad;
}

int gdyn_study_check(const gdyn_options *options, const gdyn_stored *s) {
    (void)options;
    char failure[160];
    /* SQLite's own check first, then what the designs say. */
    bool whole = gdyn_stored_integrity(s, failure, sizeof failure);
    int failures = report(whole, whole ? "the file's structure" : failure);
    bool asked = true;
    gdyn_status status = GDYN_OK;
    if (s->kind == GDYN_STORE_OPTIMIZE)
        status = gdyn_stored_asked(s, &asked);
    if (status != GDYN_OK)
        return gdyn_exit_code(status);
    if (s->kind == GDYN_STORE_OPTIMIZE)
        failures += report(asked, asked ? "the designs are those that the search asks for"
                                        : "the designs are not those that the search asks for");
    failures += check_numbers(s);
    failures += check_samples(s);
    return failures ? GDYN_EXIT_NO : GDYN_EXIT_YES;
}
