/* bench_scaling.c - how many ranks are worth while: measured, simulated, and by the model.
 *
 * Usage: bench_scaling [mean spread population generations threads]
 *        bench_scaling curves                 data for docs/pictures/scaling.gp
 *        mpirun -n N bench_scaling [...]      (mean in ms; default 20 1 100 5 1)
 *
 * Alone it measures what one design costs rank 0 (search, archive) and prints efficiencies for up to
 * thousands of ranks. Under mpirun the real scheduler spreads a real study with a real archive, only
 * that evaluating a design is replaced by sleeping (the linker puts __wrap_gdyn_study_evaluate in
 * its place), so that many ranks can be tried on few processors. */
#include "base/text.h"
#include "scaling.h"
#include "study/internal.h"
#include "study/executor.h"
#include "study/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef GDYN_MPI
#include <mpi.h>
#endif

static scaling_search search = {1, 1, 100, 5, 20e-3, 1};

/* What cannot be measured without several ranks; bytes of a result travel in a fraction of it. */
static scaling_costs costs = {.send = 3e-6, .receive = 3e-6, .flight = 5e-6, .start = 20e-6};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_for(double seconds) {
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    if (seconds > 0)
        nanosleep(&t, NULL);
}

static void fail(const char *what) {
    fprintf(stderr, "bench_scaling: %s\n", what);
    exit(70);
}

/* --- a study whose designs cost time only ------------------------------------------------- */

gdyn_status __wrap_gdyn_study_evaluate(const gdyn_study *study, const double *x, gdyn_extent extent,
                                       gdyn_design *d);

gdyn_status __wrap_gdyn_study_evaluate(const gdyn_study *study, const double *x, gdyn_extent extent,
                                       gdyn_design *d) {
    const gdyn_instance *start = gdyn_study_start(study);
    (void)extent;
    d->seconds = search.mean > 0 ? scaling_design_cost(&search, d->serial) : 0;
    sleep_for(d->seconds - costs.slack);
    for (int i = 0; i < gdyn_study_responses(study); i++) {
        d->response[i] = x[i % start->design_count] + i;
        d->known[i] = true;
    }
    for (int i = 0; i < start->objective_count; i++)
        d->objective[i] = x[i % start->design_count];
    d->evaluated = d->judged = true;
    d->status = GDYN_DESIGN_OK;
    return GDYN_OK;
}

static void print_diag(void *context, const gdyn_diag *diag) {
    (void)context;
    fprintf(stderr, "%s: %s\n", diag->path, diag->message);
}

typedef struct trial {
    gdyn_case *the_case;
    gdyn_study *study;
    gdyn_text text;
    gdyn_sink sink;
} trial;

static void open_trial(trial *t) {
    t->sink.emit = print_diag;
    if (gdyn_case_read(GDYN_SOURCE_DIR "/cases/four_slider_star/case.yaml", &t->sink,
                       &t->the_case) ||
        gdyn_case_write(t->the_case, 0, NULL, NULL, &t->text) ||
        gdyn_study_create(t->the_case, 0, NULL, &t->sink, &t->study))
        fail("the star cannot be read");
}

static void close_trial(trial *t) {
    gdyn_study_destroy(t->study);
    gdyn_case_destroy(t->the_case);
    gdyn_text_free(&t->text);
}

/* Seconds of the search with this executor, with an archive in the present folder or without. */
static double run_trial(const trial *t, const gdyn_executor *executor, bool archive) {
    char name[64];
    gdyn_store *store = NULL;
    gdyn_store_identity identity = {
        .kind = GDYN_STORE_OPTIMIZE, .case_name = "scaling", .case_text = t->text.data, .key = ""};
    gdyn_study_options options = gdyn_study_default(t->study);
    options.search.population = search.population;
    options.search.evaluations = search.population * search.generations;
    options.search.stall_tolerance = 0;
    options.threads = 1;
    options.executor = executor;
    snprintf(name, sizeof name, "bench_scaling.%ld.db", (long)getpid());
    if (archive && gdyn_store_open(name, t->study, &identity, &t->sink, &store))
        fail("no archive can be made in this folder");
    options.store = store;
    gdyn_study_result result;
    double begin = now();
    if (gdyn_study_run(t->study, &options, &result))
        fail("the search failed");
    double seconds = now() - begin;
    gdyn_study_result_clear(&result);
    gdyn_store_close(store);
    unlink(name);
    return seconds;
}

/* --- what things cost --------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { REPEATS = 9 };

static double median(double of[REPEATS]) {
    qsort(of, REPEATS, sizeof *of, compare);
    return of[REPEATS / 2];
}

/* Median time of a designless search, per generation; a single thread. */
static double measure_search(const trial *t, bool archive) {
    double times[REPEATS];
    for (int i = 0; i < REPEATS; i++)
        times[i] = run_trial(t, NULL, archive) / search.generations;
    return median(times);
}

static double measure_slack(void) {
    double times[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double begin = now();
        sleep_for(10e-6);
        times[i] = now() - begin - 10e-6;
    }
    median(times);
    return times[0]; /* the least: others may be at work here */
}

static double measure_packing(const trial *t) {
    unsigned char *bytes = malloc(gdyn_design_bytes(t->study));
    gdyn_design *d = gdyn_design_create(t->study);
    double times[REPEATS];
    for (int i = 0; i < REPEATS && bytes && d; i++) {
        double begin = now();
        for (int k = 0; k < 1000; k++) {
            memcpy(bytes, d, gdyn_design_bytes(t->study));
            gdyn_design_assign(t->study, d, bytes);
        }
        times[i] = (now() - begin) / 2000;
    }
    gdyn_design_destroy(d);
    free(bytes);
    return median(times);
}

/* Seconds from rank 0 to rank 1 with a message of a result's size; 0 on other ranks. */
static double measure_message(const trial *t, int rank) {
    double seconds = 0;
#ifdef GDYN_MPI
    double times[REPEATS] = {0};
    int size = (int)gdyn_design_bytes(t->study);
    unsigned char *bytes = calloc((size_t)size, 1);
    for (int i = 0; bytes && i < REPEATS && rank < 2; i++) {
        double begin = now();
        for (int k = 0; k < 20; k++) {
            int other = 1 - rank;
            if (rank == 0)
                MPI_Send(bytes, size, MPI_BYTE, other, 0, MPI_COMM_WORLD);
            MPI_Recv(bytes, size, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1)
                MPI_Send(bytes, size, MPI_BYTE, other, 0, MPI_COMM_WORLD);
        }
        times[i] = (now() - begin) / 40;
    }
    free(bytes);
    if (rank == 0)
        seconds = median(times);
#else
    (void)t, (void)rank;
#endif
    return seconds;
}

static void measure(const trial *t) {
    double mean = search.mean;
    search.mean = 0;
    double with = measure_search(t, true), without = measure_search(t, false);
    search.mean = mean;
    costs.member = without / search.population;
    costs.commit = with > without ? (with - without) / search.population : 0;
    costs.slack = measure_slack();
    double packing = measure_packing(t);
    costs.send += packing;
    costs.receive += packing;
    printf("per design, microseconds: search %.1f, archive %.1f, packing %.2f (%zu bytes)\n"
           "a sleep lasts %.0f microseconds longer than asked for\n",
           1e6 * costs.member, 1e6 * costs.commit, 1e6 * packing, gdyn_design_bytes(t->study),
           1e6 * costs.slack);
}

/* --- results ------------------------------------------------------------------------------ */

static double efficiency(double seconds) {
    return scaling_work(&search) / (seconds * search.ranks * search.threads);
}

static double expected(void) {
    double work = search.mean * search.population * search.generations;
    return work / (scaling_model(&search, &costs) * search.ranks * search.threads);
}

/* With as many generations as even out the chance in their dearest designs. */
static void set_population(int population) {
    enum { DESIGNS = 50000 };
    search.population = population;
    search.generations = DESIGNS / population;
}

/* Efficiencies in percent: simulation and model. */
static void table(void) {
    static const int ranks[] = {2, 8, 32, 128, 512, 2048};
    enum { COLUMNS = sizeof ranks / sizeof *ranks };
    static const double means[] = {10e-3, 100e-3, 1, 10};
    static const int populations[] = {100, 1000, 10000};
    printf("\nefficiency in percent, simulated (model), spread %g\n%10s %10s", search.spread,
           "cost", "population");
    for (int i = 0; i < COLUMNS; i++)
        printf("  %6d ranks", ranks[i]);
    for (int p = 0; p < 3; p++)
        for (int m = 0; m < 4; m++) {
            printf("\n%8.0fms %10d", 1e3 * means[m], populations[p]);
            for (int i = 0; i < COLUMNS; i++) {
                search.ranks = ranks[i];
                set_population(populations[p]);
                search.mean = means[m];
                printf("  %5.1f (%4.1f)", 100 * efficiency(scaling_simulate(&search, &costs)),
                       100 * expected());
            }
        }
    printf("\n");
}

/* Blocks for gnuplot: ranks, simulated, model; by population, then by cost. */
static void curves(void) {
    static const double block[][3] = {{100, 1, 1},   {1000, 1, 1},      {10000, 1, 1},
                                      {1000, 1, .2}, {10000, 10e-3, 1}, {10000, 100e-3, 1}};
    for (size_t b = 0; b < sizeof block / sizeof *block; b++) {
        printf("# population %g, mean %g s, spread %g\n", block[b][0], block[b][1], block[b][2]);
        set_population((int)block[b][0]);
        search.mean = block[b][1];
        search.spread = block[b][2];
        for (search.ranks = 1; search.ranks <= 8192; search.ranks *= 2) {
            double seconds = scaling_simulate(&search, &costs);
            printf("%d %.4f %.4f\n", search.ranks, efficiency(seconds), expected());
        }
        printf("\n\n");
    }
}

static void measure_ranks(const trial *t, double message) {
    gdyn_executor executor;
    if (gdyn_executor_ranks(t->study, t->text.data, search.threads, 60, &executor))
        fail("the ranks do not answer");
    double seconds = run_trial(t, &executor, true);
    gdyn_executor_destroy(&executor);
    costs.flight = message;
    printf("%d ranks x %d threads, cost %g ms, spread %g, population %d, %d generations, message "
           "%.1f microseconds\n"
           "efficiency in percent: measured %.1f, simulated %.1f, model %.1f\n",
           search.ranks, search.threads, 1e3 * search.mean, search.spread, search.population,
           search.generations, 1e6 * message, 100 * efficiency(seconds),
           100 * efficiency(scaling_simulate(&search, &costs)), 100 * expected());
}

int main(int argc, char **argv) {
    trial t = {0};
    bool draws = argc > 1 && !strcmp(argv[1], "curves");
    double number[] = {20, 1, 100, 5, 1};
    for (int i = 0; i < 5 && i + 1 < argc && !draws; i++)
        number[i] = atof(argv[i + 1]);
    search = (scaling_search){
        1, (int)number[4], (int)number[2], (int)number[3], 1e-3 * number[0], number[1]};
    if (search.mean <= 0 || search.population < 4 || search.generations < 1 || search.threads < 1)
        fail("usage: bench_scaling [mean_in_ms spread population generations threads]");
    int rank = gdyn_ranks_launched() ? gdyn_ranks_begin() : 0;
    open_trial(&t);
    int ranks = search.ranks = gdyn_ranks_count();
    costs.slack = measure_slack();
    double message = ranks > 1 ? measure_message(&t, rank) : 0;
    if (rank > 0) {
        close_trial(&t);
        return gdyn_ranks_serve() != GDYN_OK;
    }
    if (!draws)
        measure(&t);
    else
        costs.commit = 60e-6, costs.member = 2e-6, costs.slack = 60e-6;
    if (ranks > 1)
        measure_ranks(&t, message);
    else if (draws)
        curves();
    else
        table();
    close_trial(&t);
    if (ranks > 1)
        gdyn_ranks_end(5, 0);
    return 0;
}
