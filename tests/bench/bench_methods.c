/* bench_methods.c - the methods on the problems of suite.h, beside those of pagmo 2 where it is installed.
 *
 * Usage: bench_methods [--seeds N] [--budget N]... [--method NAME]... [--jobs N] [--report] [--json FILE] [--folder DIR]
 *                      [PROBLEM or GROUP]...
 *
 * Every run is kept as a file in DIR (default results/bench/methods), so that an interrupted comparison goes on where it was.
 * --report: no runs, only the comparison of those that are there. Defaults: 11 seeds, 5,000 and 25,000 evaluations
 * (10,000 where there is one objective), two processes, all methods for the number of objectives. */
#include "suite_peers.h"
#include "suite_runs.h"
#include "suite_search.h"

#include "base/random.h"
#include "search/fronts.h"
#include "search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_NAMES = 64 };

/* Every feasible design of a run. */
typedef struct trace {
    const suite_problem *problem;
    long budget, evaluations;
    int count;
    double *f; /* m x budget */
} trace;

static void keep(void *context, const double *f, const double *g) {
    trace *t = context;
    if (t->evaluations++ >= t->budget)
        return;
    for (int j = 0; j < t->problem->constraints; j++)
        if (!(g[j] <= 0))
            return;
    for (int i = 0; i < t->problem->m; i++)
        if (!isfinite(f[i]))
            return;
    memcpy(t->f + (size_t)t->count++ * (size_t)t->problem->m, f, (size_t)t->problem->m * sizeof *f);
}

/* --- our methods ------------------------------------------------------------------------------------ */

static void tell(gdyn_search *search, int i, trace *t) {
    double f[SUITE_OBJECTIVES], g[SUITE_CONSTRAINTS];
    suite_tell(t->problem, search, i, f, g);
    suite_exact = true;
    t->problem->evaluate(t->problem, gdyn_search_design(search, i), f, g);
    suite_exact = false;
    keep(t, f, g);
}

static bool run_own(const suite_problem *p, const char *method, int seed, trace *t) {
    suite_box box;
    gdyn_search_problem problem = suite_for_search(p, &box);
    gdyn_search_options options = gdyn_search_default();
    options.evaluations = t->budget, options.seed = (uint64_t)seed;
    gdyn_search *search;
    if (!gdyn_search_method_from_name(method, &options.method) ||
        gdyn_search_create(&problem, &options, &search))
        return false;
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        int count = gdyn_search_ask(search);
        for (int i = 0; i < count; i++)
            tell(search, i, t);
        if (gdyn_search_advance(search))
            exit(70);
    }
    gdyn_search_destroy(search);
    return true;
}

/* Designs drawn at random. */
static bool run_random(const suite_problem *p, int seed, trace *t) {
    suite_box box;
    suite_bounds(p, box.lower, box.upper, box.whole);
    suite_exact = true;
    for (long i = 0; i < t->budget; i++) {
        double x[SUITE_VARIABLES], f[SUITE_OBJECTIVES], g[SUITE_CONSTRAINTS];
        gdyn_random random = gdyn_random_stream((uint64_t)seed, 1, (uint64_t)i);
        for (int j = 0; j < p->n; j++) {
            double low = box.lower[j], range = box.upper[j] - low;
            double u = gdyn_random_uniform(&random);
            x[j] = low + (box.whole[j] ? floor(u * (range + 1)) : u * range);
        }
        p->evaluate(p, x, f, g);
        keep(t, f, g);
    }
    suite_exact = false;
    return true;
}

static bool run_any(const suite_problem *p, const char *method, int seed, trace *t) {
    if (strcmp(method, "random") == 0)
        return run_random(p, seed, t);
    if (strncmp(method, "peer-", 5) == 0)
        return suite_peer_run(p, method, (unsigned)seed, t->budget, keep, t);
    if (strncmp(method, "pagmo-", 6) != 0)
        return run_own(p, method, seed, t);
#ifdef SUITE_PAGMO
    return suite_pagmo_run(p, method, (unsigned)seed, t->budget, keep, t);
#else
    return false;
#endif
}

/* --- files ------------------------------------------------------------------------------------------- */

/* Moves the nondominated designs to the front of f; returns how many. */
static int nondominated(int m, int count, double *f) {
    int kept = 0, *front = malloc((size_t)(count + 1) * sizeof *front);
    gdyn_fronts *fronts = gdyn_fronts_create(count + 1, m);
    if (!front || !fronts)
        exit(70);
    /* Copies are dropped on the way: the best of one objective is one design. */
    gdyn_fronts_sort(fronts, f, count, front);
    for (int i = 0; i < count; i++)
        if (front[i] == 0 && (m > 1 || kept == 0))
            memmove(f + (size_t)kept++ * (size_t)m, f + (size_t)i * (size_t)m,
                    (size_t)m * sizeof *f);
    gdyn_fronts_destroy(fronts);
    free(front);
    return kept;
}

static void save(const char *path, int m, int count, const double *f, double seconds) {
    char part[600];
    snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(part, "wb");
    int head[2] = {m, count};
    if (!file || fwrite(head, sizeof head, 1, file) != 1 ||
        fwrite(&seconds, sizeof seconds, 1, file) != 1 ||
        fwrite(f, sizeof *f, (size_t)m * (size_t)count, file) != (size_t)m * (size_t)count ||
        fclose(file) != 0 || rename(part, path) != 0) {
        perror(path);
        exit(70);
    }
}

void suite_path(char *path, int size, const suite_plan *plan, const suite_problem *p,
                const char *method, long budget, int seed) {
    snprintf(path, (size_t)size, "%s/%s/%s_%ld_%d", plan->folder, p->name, method, budget, seed);
}

bool suite_load(const char *path, suite_run *run) {
    FILE *file = fopen(path, "rb");
    int head[2];
    if (!file)
        return false;
    bool ok = fread(head, sizeof head, 1, file) == 1 &&
              fread(&run->seconds, sizeof run->seconds, 1, file) == 1;
    run->m = ok ? head[0] : 0, run->count = ok ? head[1] : 0;
    size_t values = (size_t)run->m * (size_t)run->count;
    run->f = malloc((values + 1) * sizeof *run->f);
    ok = ok && run->f && fread(run->f, sizeof *run->f, values, file) == values;
    fclose(file);
    if (!ok)
        free(run->f);
    return ok;
}

bool suite_wanted(const suite_plan *plan, const suite_problem *p) {
    for (int k = 0; plan->only[k]; k++)
        if (strcmp(plan->only[k], p->name) == 0 || strcmp(plan->only[k], p->group) == 0 ||
            suite_many_in(p, plan->only[k]))
            return true;
    return !plan->only[0];
}

/* --- all runs ---------------------------------------------------------------------------------------- */

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_one(const suite_plan *plan, const suite_problem *p, const char *method, long budget,
                    int seed) {
    char path[500];
    suite_path(path, sizeof path, plan, p, method, budget, seed);
    if (access(path, F_OK) == 0)
        return;
    trace t = {.problem = p,
               .budget = budget,
               .f = malloc((size_t)p->m * (size_t)budget * sizeof(double))};
    if (!t.f)
        exit(70);
    double start = seconds();
    if (run_any(p, method, seed, &t)) {
        double spent = seconds() - start;
        t.count = nondominated(p->m, t.count, t.f);
        save(path, p->m, t.count, t.f, spent);
    }
    free(t.f);
}

/* Every jobs-th run from `first` on: seeds outermost, so that all problems have some early. */
static void run_share(const suite_plan *plan, int first, int jobs) {
    long at = 0;
    for (int seed = 1; seed <= plan->seeds; seed++)
        for (int b = 0; plan->budget[b]; b++)
            for (int i = 0; suite_at(i); i++)
                for (int k = 0; plan->method[k]; k++) {
                    const suite_problem *p = suite_at(i);
                    bool single = suite_single(plan, p);
                    if (!suite_wanted(plan, p) || (single && b > 0) || at++ % jobs != first)
                        continue;
                    run_one(plan, p, plan->method[k], single ? SUITE_SINGLE : plan->budget[b],
                            seed);
                }
}

static void make_folders(const suite_plan *plan) {
    char path[500];
    mkdir(plan->folder, 0777);
    for (int i = 0; suite_at(i); i++) {
        snprintf(path, sizeof path, "%s/%s", plan->folder, suite_at(i)->name);
        mkdir(path, 0777);
    }
}

static int run_all(const suite_plan *plan, int jobs) {
    int failed = 0, status;
    make_folders(plan);
    for (int k = 0; k < jobs; k++)
        if (fork() == 0) {
            run_share(plan, k, jobs);
            _exit(0);
        }
    while (wait(&status) > 0)
        failed |= status != 0;
    return failed;
}

int main(int argc, char **argv) {
    static const char *const all[] = {"auto",       "hybrid",      "de",          "nsga2",
                                      "nsga3",      "pagmo-nsga2", "pagmo-moead", "pagmo-nspso",
                                      "pagmo-maco", "pagmo-gaco",  "pagmo-sade",  "peer-agemoea",
                                      "peer-ccmo",  NULL};
    const char *method[MOST_NAMES] = {0}, *only[MOST_NAMES] = {0}, *json = NULL;
    suite_plan plan = {.folder = "results/bench/methods", .method = all, .only = only, .seeds = 11};
    int methods = 0, names = 0, budgets = 0, jobs = 2;
    bool runs = true;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(option, "--report") == 0)
            runs = false;
        else if (option[0] != '-' && names + 1 < MOST_NAMES)
            only[names++] = option;
        else if (strcmp(option, "--method") == 0 && methods + 1 < MOST_NAMES)
            method[methods++] = value, plan.method = method, i++;
        else if (strcmp(option, "--budget") == 0 && budgets < 3)
            plan.budget[budgets++] = atol(value), i++;
        else if (strcmp(option, "--seeds") == 0)
            plan.seeds = atoi(value), i++;
        else if (strcmp(option, "--jobs") == 0)
            jobs = atoi(value), i++;
        else if (strcmp(option, "--json") == 0)
            json = value, i++;
        else if (strcmp(option, "--folder") == 0)
            plan.folder = value, i++;
        else
            return 2;
    }
    if (budgets == 0)
        plan.budget[0] = 5000, plan.budget[1] = 25000;
    if (runs && run_all(&plan, jobs < 1 ? 1 : jobs))
        return 1;
    FILE *file = json ? fopen(json, "w") : NULL;
    suite_report(&plan, file);
    return file && fclose(file) != 0;
}
