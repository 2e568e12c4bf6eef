/* bench_study.c - throughput of a study: designs per second of the four-slider star, one and two
 * threads, and one design in full.
 *
 * Usage: bench_study [CASE [evaluations]]   (default the star, 96) */
#include "study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_diag(void *context, const gdyn_diag *diag) {
    (void)context;
    fprintf(stderr, "%s: %s\n", diag->path, diag->message);
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : GDYN_SOURCE_DIR "/cases/four_slider_star/case.yaml";
    int evaluations = argc > 2 ? atoi(argv[2]) : 96;
    gdyn_sink sink = {print_diag, NULL};
    gdyn_case *the_case = NULL;
    gdyn_study *study = NULL;
    if (gdyn_case_read(name, &sink, &the_case) ||
        gdyn_study_create(the_case, 0, NULL, &sink, &study))
        return 3;
    const gdyn_instance *start = gdyn_study_start(study);
    gdyn_design *design = gdyn_design_create(study);
    double *x = calloc((size_t)start->design_count, sizeof *x);
    if (!design || !x)
        return 70;
    for (int i = 0; i < start->design_count; i++)
        x[i] = start->design[i].start;
    for (int full = 0; full < 2; full++) {
        double begin = seconds();
        if (gdyn_study_evaluate(study, x, full, design))
            return 70;
        printf("start design %s: %.1f ms (%s)\n", full ? "in full" : "as needed",
               1e3 * (seconds() - begin), gdyn_design_status_name(design->status));
    }
    for (int threads = 1; threads <= 2; threads++) {
        gdyn_study_options options = gdyn_study_default(study);
        options.search.evaluations = evaluations;
        options.threads = threads;
        gdyn_study_result result;
        if (gdyn_study_run(study, &options, &result))
            return 70;
        printf("%d thread%s: %.1f designs per second, %d of %d feasible\n", threads,
               threads > 1 ? "s" : "", result.archive.count / result.final.seconds,
               result.final.status[GDYN_DESIGN_OK], result.archive.count);
        gdyn_study_result_clear(&result);
    }
    free(x);
    gdyn_design_destroy(design);
    gdyn_study_destroy(study);
    gdyn_case_destroy(the_case);
    return 0;
}
