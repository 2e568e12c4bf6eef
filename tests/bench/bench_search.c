/* bench_search.c - NSGA-II against published hypervolumes, and its own cost per generation.
 *
 * Usage: bench_search [seeds]   (default 11). Prints, for each problem, the least, median and
 * greatest hypervolume (reference point 1.1 in every objective) over the seeds after 25,000
 * evaluations with a population of 100, the mark to reach, and the median number of evaluations
 * after which the mark was passed (25,000 when it was not). */
#include "../unit/search_problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double reference[3] = {1.1, 1.1, 1.1};

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct passing {
    const problem *problem;
    double evaluations; /* when the mark was passed for the first time, 0: not yet */
} passing;

static gdyn_status evaluate(void *context, const double *x, double *f, double *violation,
                            double *failure) {
    passing *p = context;
    return evaluate_problem((void *)p->problem, x, f, violation, failure);
}

static bool watch(void *context, const gdyn_search_info *info) {
    passing *p = context;
    if (p->evaluations == 0 && info->hypervolume >= p->problem->mark)
        p->evaluations = (double)info->evaluations;
    return true;
}

static void hypervolumes(const problem *p, int seeds) {
    double *volume = calloc((size_t)seeds, sizeof *volume);
    double *passed = calloc((size_t)seeds, sizeof *passed);
    if (!volume || !passed)
        exit(70);
    for (int k = 0; k < seeds; k++) {
        gdyn_search_options options = gdyn_search_default();
        options.population = 100, options.evaluations = 25000, options.seed = (uint64_t)k + 1;
        options.reference = reference;
        gdyn_search *search;
        passing state = {.problem = p};
        gdyn_search_callbacks callbacks = {evaluate, watch, &state};
        if (create_for(p, &options, &search) || gdyn_search_run(search, &callbacks))
            exit(70);
        volume[k] = gdyn_search_state(search).hypervolume;
        passed[k] = state.evaluations > 0 ? state.evaluations : 25000;
        gdyn_search_destroy(search);
    }
    qsort(volume, (size_t)seeds, sizeof *volume, ascending);
    qsort(passed, (size_t)seeds, sizeof *passed, ascending);
    printf("%-6s  %.4f  %.4f  %.4f  %.4f  %s  %6.0f\n", p->name, volume[0], volume[seeds / 2],
           volume[seeds - 1], p->mark, volume[seeds / 2] >= p->mark ? "reached" : "missed ",
           passed[seeds / 2]);
    free(volume);
    free(passed);
}

/* Objectives that cost nothing to evaluate and keep the population spread: the distance to two
 * corners of the box. Only the time outside the callback counts. */
static void corners(const double *x, int n, double *f) {
    f[0] = f[1] = 0;
    for (int j = 0; j < n; j++) {
        f[0] += x[j] * x[j];
        f[1] += (1 - x[j]) * (1 - x[j]);
    }
}

static void overhead(void) {
    problem p = {"corners", 30, 2, unit_box, NULL, 0};
    gdyn_search_options options = gdyn_search_default();
    options.population = 100, options.evaluations = 0, options.generations = 2000;
    gdyn_search *search;
    if (create_for(&p, &options, &search))
        exit(70);
    double spent = 0;
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        double f[2];
        int count = gdyn_search_ask(search);
        for (int i = 0; i < count; i++) {
            corners(gdyn_search_design(search, i), p.n, f);
            gdyn_search_tell(search, i, &(gdyn_search_outcome){.objective = f});
        }
        double start = seconds();
        if (gdyn_search_advance(search))
            exit(70);
        spent += seconds() - start;
    }
    printf(
        "overhead: %.1f us per generation (population 100, 2 objectives, 30 variables; mark 200)\n",
        1e6 * spent / 2000);
    gdyn_search_destroy(search);
}

int main(int argc, char **argv) {
    int seeds = argc > 1 ? atoi(argv[1]) : 11;
    if (seeds < 1 || seeds > 1000)
        return 2;
    overhead();
    printf("problem  least   median  greatest  mark            evaluations to the mark\n");
    for (int i = 0; i < PUBLISHED_COUNT; i++)
        hypervolumes(&problems[i], seeds);
    return 0;
}
