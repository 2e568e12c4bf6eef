/* bench_simulate.c - forward dynamics: steps per second of processor time, and the cost of a simulated second at equal error,
 * for each method on the benchmarks; with FOLDER a work-precision picture (simulate.dat, simulate.gp).
 *
 * The error is the greatest difference of a body's place (over the machine's length) and rotation (entries of its matrix) at the end
 * from a reference by rk8pd with tolerance 1e-13 and the null space method. The cost at an error of 1e-6 is interpolated between tolerances, both logarithmic.
 * Compliance is stepped as Gonzalez and Kovecses (Eq. 1) do, with semi-implicit Euler in 250 to 64,000 steps: of the first order, and with constraints that
 * open, so that its cost is that at an error of 1e-3.
 *
 *     build/tests/bench_simulate [FOLDER]
 */
#include "casefile/casefile.h"
#include "mech/mech.h"
#include "simulate/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TOLERANCES = 5, MOST = 200 };
static const double TARGET = 1e-6, TARGET_OF_COMPLIANCE = 1e-3;

typedef struct benchmark {
    const char *name;
    double duration; /* [s] */
} benchmark;

static const benchmark benchmarks[] = {{"pendulum", 5}, {"n_four_bar", 0.6}, {"andrews", 0.005},
                                       {"bricard", 2},  {"flyball", 0.1},    {"mobile_robot", 5}};

/* One run. */
typedef struct result {
    bool good;
    long steps;
    double seconds;     /* of processor time */
    double place[MOST]; /* 3 lengths and 9 entries of the rotation per body */
} result;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static result run(const gdyn_model *model, const gdyn_simulation_def *def) {
    result r = {0};
    gdyn_simulation *simulation;
    gdyn_sim_start start;
    gdyn_sim_outcome outcome;
    gdyn_sim_now state;
    if (gdyn_simulation_create(model, def, NULL, &simulation) != GDYN_OK)
        return r;
    if (gdyn_simulation_start(simulation, &start, &outcome) == GDYN_OK &&
        outcome == GDYN_SIM_RUNS) {
        double begin = now();
        gdyn_status status = gdyn_simulation_advance(simulation, def->duration, &outcome);
        r.seconds = now() - begin;
        r.good = status == GDYN_OK && outcome == GDYN_SIM_RUNS &&
                 gdyn_simulation_now(simulation, &state) == GDYN_OK;
        if (r.good) {
            r.steps = state.steps;
            for (int i = 0; i < gdyn_model_bodies(model); i++)
                gdyn_state_body(state.state, i, r.place + 12 * i, r.place + 12 * i + 3);
        }
    }
    gdyn_simulation_destroy(simulation);
    return r;
}

/* Greatest difference of lengths over the machine's own, and of entries of rotations. */
static double difference(const gdyn_model *model, const result *a, const result *b) {
    double most = 0, L = gdyn_model_length(model);
    for (int j = 0; j < 12 * gdyn_model_bodies(model); j++) {
        double d = fabs(a->place[j] - b->place[j]);
        most = fmax(most, j % 12 < 3 ? d / L : d);
    }
    return most;
}

/* Cost at the target error on the way through the points, from the loosest tolerance on; NAN: not reached. */
static double cost_at(double target, int count, const double *error, const double *cost) {
    for (int i = 1; i < count; i++)
        if (error[i] <= target && error[i - 1] > target && error[i] > 0) {
            double share = log(target / error[i - 1]) / log(error[i] / error[i - 1]);
            return exp(log(cost[i - 1]) + share * log(cost[i] / cost[i - 1]));
        }
    return count > 0 && error[0] <= target ? cost[0] : NAN;
}

/* How exact the k-th run of a method is: a tolerance, with compliance a step. */
static void choose(gdyn_simulation_def *def, gdyn_sim_method method, int k) {
    static const double tolerance[TOLERANCES] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
    bool gives_way = method == GDYN_SIM_COMPLIANCE;
    def->method = method;
    def->integrator = gives_way ? GDYN_SIM_EULER : GDYN_SIM_RKF45;
    def->hold = gives_way ? GDYN_SIM_DRIFT : GDYN_SIM_PROJECT;
    def->tolerance = tolerance[k];
    def->step = gives_way ? def->duration / (250 * pow(4, k)) : 0;
}

static void measure(const benchmark *b, const gdyn_model *model, const gdyn_simulation_def *own,
                    FILE *data) {
    gdyn_simulation_def def = *own;
    def.duration = b->duration;
    def.every = 0;
    def.step = 0;
    def.drop_count = 0;
    def.hold = GDYN_SIM_PROJECT;
    def.method = GDYN_SIM_NULL_SPACE;
    def.integrator = GDYN_SIM_RK8PD;
    def.tolerance = 1e-13;
    result reference = run(model, &def);
    for (int m = 0; m < GDYN_SIM_METHODS; m++) {
        double error[TOLERANCES], cost[TOLERANCES], rate = 0;
        int count = 0;
        double target = m == GDYN_SIM_COMPLIANCE ? TARGET_OF_COMPLIANCE : TARGET;
        if (data)
            fprintf(data, "# %s %s\n", b->name, gdyn_sim_method_names[m]);
        for (int k = 0; k < TOLERANCES; k++) {
            choose(&def, (gdyn_sim_method)m, k);
            result r = run(model, &def);
            if (!r.good)
                continue;
            error[count] = difference(model, &r, &reference);
            cost[count] = r.seconds / b->duration;
            rate = (double)r.steps / r.seconds;
            if (data)
                fprintf(data, "%.3e %.3e\n", fmax(error[count], 1e-16), cost[count]);
            count++;
        }
        if (data)
            fprintf(data, "%s\n\n", count > 0 ? "" : "nan nan\n");
        printf("%-14s %-22s %10.0f steps/s %12.4g s per simulated s at %.0e\n", b->name,
               gdyn_sim_method_names[m], rate, cost_at(target, count, error, cost), target);
        fflush(stdout);
    }
}

/* A panel per benchmark, a curve per method. */
static void write_script(FILE *script) {
    int count = (int)(sizeof benchmarks / sizeof *benchmarks), block = 0;
    fprintf(script,
            "set terminal pngcairo size 1300,%d font 'sans,11'\nset output 'simulate.png'\n"
            "set logscale xy\nset format '10^{%%T}'\nset multiplot layout %d,2\n"
            "set xlabel 'error at the end'\nset ylabel 'processor s per simulated s'\n",
            420 * ((count + 1) / 2), (count + 1) / 2);
    for (int b = 0; b < count; b++) {
        fprintf(script, "set title '%s' noenhanced\nset key %s\nplot ", benchmarks[b].name,
                b == 0 ? "bottom left font ',9' noenhanced" : "off");
        for (int m = 0; m < GDYN_SIM_METHODS; m++)
            fprintf(script, "%s'simulate.dat' index %d with linespoints lw 2 title '%s'",
                    m ? ", " : "", block++, gdyn_sim_method_names[m]);
        fprintf(script, "\n");
    }
    fprintf(script, "unset multiplot\n");
}

static FILE *open_in(const char *folder, const char *name) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "w");
}

int main(int argc, char **argv) {
    FILE *data = argc > 1 ? open_in(argv[1], "simulate.dat") : NULL;
    FILE *script = argc > 1 ? open_in(argv[1], "simulate.gp") : NULL;
    for (size_t i = 0; i < sizeof benchmarks / sizeof *benchmarks; i++) {
        char path[600];
        gdyn_case *the_case;
        gdyn_instance *instance;
        snprintf(path, sizeof path, "%s/cases/%s/case.yaml", GDYN_SOURCE_DIR, benchmarks[i].name);
        if (gdyn_case_read(path, NULL, &the_case) != GDYN_OK)
            return 1;
        if (gdyn_case_instantiate(the_case, 0, NULL, NULL, &instance) != GDYN_OK)
            return 1;
        measure(&benchmarks[i], instance->model, &instance->simulation, data);
        gdyn_instance_destroy(instance);
        gdyn_case_destroy(the_case);
    }
    if (script)
        write_script(script);
    if (data)
        fclose(data);
    if (script)
        fclose(script);
    return 0;
}
