/* bench_study.c - throughput of a study: designs per second of the four-slider star, one and two
 * threads in turns, and one design in full. On a machine that does other work, too, the best of the
 * turns and the processor time per design tell more than the median.
 *
 * Usage: bench_study [CASE [evaluations [turns]]]   (default the star, 96, 3) */
#include "study/study.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { TURNS_MOST = 99 };

static double clock_of(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds(void) {
    return clock_of(CLOCK_MONOTONIC);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct turns {
    int count;
    double rate[TURNS_MOST]; /* designs per second */
    double cost;             /* least processor time of a design */
} turns;

/* One search; false when it fails. */
static bool take_turn(const gdyn_study *study, int threads, int evaluations, turns *t) {
    gdyn_study_options options = gdyn_study_default(study);
    options.search.evaluations = evaluations;
    options.threads = threads;
    gdyn_study_result result;
    double begin = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    if (gdyn_study_run(study, &options, &result))
        return false;
    double cost = (clock_of(CLOCK_PROCESS_CPUTIME_ID) - begin) / result.archive.count;
    t->cost = t->count == 0 || cost < t->cost ? cost : t->cost;
    t->rate[t->count++] = result.archive.count / result.final.seconds;
    gdyn_study_result_clear(&result);
    return true;
}

static void print_diag(void *context, const gdyn_diag *diag) {
    (void)context;
    fprintf(stderr, "%s: %s\n", diag->path, diag->message);
}

int main(int argc, char **argv) {
#ifdef __GLIBC__ /* as the program does */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
    const char *name = argc > 1 ? argv[1] : GDYN_SOURCE_DIR "/cases/four_slider_star/case.yaml";
    int evaluations = argc > 2 ? atoi(argv[2]) : 96, count = argc > 3 ? atoi(argv[3]) : 3;
    count = count < 1 ? 1 : count > TURNS_MOST ? TURNS_MOST : count;
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
    turns turn[2] = {0};
    for (int k = 0; k < count; k++)
        for (int threads = 1; threads <= 2; threads++)
            if (!take_turn(study, threads, evaluations, &turn[threads - 1]))
                return 70;
    for (int threads = 1; threads <= 2; threads++) {
        turns *t = &turn[threads - 1];
        qsort(t->rate, (size_t)t->count, sizeof *t->rate, ascending);
        printf(
            "%d thread%s %.1f designs per second (median %.1f of %d turns), %.1f ms of processor "
            "time each\n",
            threads, threads > 1 ? "s:" : ": ", t->rate[t->count - 1], t->rate[t->count / 2],
            t->count, 1e3 * t->cost);
    }
    free(x);
    gdyn_design_destroy(design);
    gdyn_study_destroy(study);
    gdyn_case_destroy(the_case);
    return 0;
}
