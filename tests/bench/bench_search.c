/* bench_search.c - methods against published hypervolumes, and NSGA-II's cost per generation.
 *
 * Usage: bench_search [seeds [method...]]   (default 11 and all). For each problem and method:
 * the least, median and greatest hypervolume (reference point 1.1 in every objective) over the seeds
 * after 25,000 evaluations with a population of 100, the mark to reach, and the median and the
 * greatest number of evaluations after which the mark was passed ("-": not within 25,000). A method
 * that is not built in is left out. */
#include "../unit/search_problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BUDGET = 25000, MOST_SEEDS = 101 };
static const double reference[3] = {1.1, 1.1, 1.1};

/* --- harder relatives: the best values of the variables lie inside the bounds, none alike; the fronts
 * and marks are the same --- */

static const double inside[10] = {0.31, 0.62, 0.17, 0.74, 0.55, 0.29, 0.83, 0.41, 0.68, 0.22};

static double moved_tail(int n, const double *x) {
    double sum = 0;
    for (int j = 1; j < n; j++)
        sum += fabs(x[j] - inside[j % 10]) / fmax(inside[j % 10], 1 - inside[j % 10]);
    return sum / (n - 1);
}

static double moved_zdt1(int n, const double *x, double *f) {
    double g = 1 + 9 * moved_tail(n, x);
    f[0] = x[0], f[1] = g * (1 - sqrt(x[0] / g));
    return 0;
}

static double moved_zdt4(int n, const double *x, double *f) {
    double g = 1 + 10 * (n - 1);
    for (int j = 1; j < n; j++) {
        double y = x[j] - 4 * (inside[j % 10] - 0.5);
        g += y * y - 10 * cos(4 * acos(-1.0) * y);
    }
    f[0] = x[0], f[1] = g * (1 - sqrt(x[0] / g));
    return 0;
}

/* g is a long valley across all of x1 .. x10: H = I - 2 v v' / v'v turns the axes. */
static double turned_zdt1(int n, const double *x, double *f) {
    double along = 0, g = 1, square = 0;
    for (int j = 1; j < n; j++) {
        along += j * (x[j] - inside[j % 10]);
        square += j * j;
    }
    for (int j = 1; j < n; j++) {
        double y = x[j] - inside[j % 10] - 2 * j * along / square;
        g += 10 * y * y * pow(30, (j - 1.0) / (n - 2.0));
    }
    f[0] = x[0], f[1] = g * (1 - sqrt(x[0] / g));
    return 0;
}

static const problem moved[] = {{"ZDT1 in", 30, 2, unit_box, moved_zdt1, 0.8694},
                                {"ZDT4 in", 10, 2, zdt4_box, moved_zdt4, 0.8649},
                                {"turned", 11, 2, unit_box, turned_zdt1, 0.8694}};
enum { MOVED_COUNT = sizeof moved / sizeof *moved };

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

static double middle(double *value, int count) {
    qsort(value, (size_t)count, sizeof *value, ascending);
    return value[count / 2];
}

static void print_count(double evaluations) {
    if (evaluations > BUDGET)
        printf("       -");
    else
        printf("  %6.0f", evaluations);
}

/* false: the method is not there */
static bool hypervolumes(const problem *p, gdyn_search_method method, int seeds) {
    double volume[MOST_SEEDS], passed[MOST_SEEDS];
    for (int k = 0; k < seeds; k++) {
        gdyn_search_options options = gdyn_search_default();
        options.method = method;
        options.population = 100, options.evaluations = BUDGET, options.seed = (uint64_t)k + 1;
        options.reference = reference;
        gdyn_search *search;
        passing state = {.problem = p};
        gdyn_search_callbacks callbacks = {evaluate, watch, &state};
        gdyn_status status = create_for(p, &options, &search);
        if (status == GDYN_ERROR_ARGUMENT)
            return false;
        if (status != GDYN_OK || gdyn_search_run(search, &callbacks) != GDYN_OK)
            exit(70);
        volume[k] = gdyn_search_state(search).hypervolume;
        passed[k] = state.evaluations > 0 ? state.evaluations : INFINITY;
        gdyn_search_destroy(search);
    }
    double median = middle(volume, seeds), evaluations = middle(passed, seeds);
    printf("%-7s  %-18s  %.4f  %.4f  %.4f  ", p->name, gdyn_search_method_name(method), volume[0],
           median, volume[seeds - 1]);
    if (p->mark > 0)
        printf("%.4f  %s", p->mark, median >= p->mark ? "reached" : "missed ");
    print_count(evaluations);
    print_count(passed[seeds - 1]);
    printf("\n");
    fflush(stdout);
    return true;
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
    static const char *all[] = {
        "nsga2", "de", "nsga3", "hybrid", "chebyshev", "nbi", "epsilon_constraint"};
    int seeds = argc > 1 ? atoi(argv[1]) : 11, methods = argc > 2 ? argc - 2 : 7;
    if (seeds < 1 || seeds > MOST_SEEDS)
        return 2;
    overhead();
    printf(
        "problem  method              least   median  greatest  mark           evaluations to it:"
        " median, greatest\n");
    for (int i = 0; i < PUBLISHED_COUNT + MOVED_COUNT; i++)
        for (int k = 0; k < methods; k++) {
            gdyn_search_method method;
            if (!gdyn_search_method_from_name(argc > 2 ? argv[2 + k] : all[k], &method))
                return 2;
            hypervolumes(i < PUBLISHED_COUNT ? &problems[i] : &moved[i - PUBLISHED_COUNT], method,
                         seeds);
        }
    return 0;
}
