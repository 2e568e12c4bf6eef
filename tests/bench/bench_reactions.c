/* bench_reactions.c - cost of judging all reactions of a pose by QR alone, for the mobile robot and the
 * agile eye, and the share it adds to a point of an evaluation: path, coefficients and region of the
 * agile eye; closing and velocities of the robot, which has no drives. Medians in microseconds. */
#include "access/evaluate.h"
#include "casefile/casefile.h"
#include "linalg/linalg.h"
#include "reactions/reactions.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPEATS = 15, ROUNDS = 50 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, REPEATS, sizeof *values, ascending);
    return values[REPEATS / 2];
}

static double judging(gdyn_reactions *r, const gdyn_state *state, unsigned methods) {
    double times[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double start = now();
        for (int k = 0; k < ROUNDS; k++)
            gdyn_reactions_at(r, state, NULL, methods);
        times[i] = (now() - start) / ROUNDS;
    }
    return median(times);
}

static double summary(gdyn_solvability *s, const gdyn_state *state) {
    double times[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double start = now();
        for (int k = 0; k < ROUNDS; k++)
            gdyn_solvability_of_state(s, state);
        times[i] = (now() - start) / ROUNDS;
    }
    return median(times);
}

/* Following and evaluating the first trajectory, per point; or closing the first guess. */
static double point(const gdyn_instance *instance) {
    double times[REPEATS];
    gdyn_path *path = NULL;
    if (instance->trajectory_count == 0 ||
        gdyn_path_create(instance->model, &instance->trajectory[0], NULL, &path) != GDYN_OK) {
        gdyn_closure *closure = gdyn_closure_create(instance->model, 0);
        gdyn_state *state = gdyn_state_create(instance->model);
        gdyn_closure_settings settings = gdyn_closure_default();
        gdyn_closure_info info;
        gdyn_closure_rates rates;
        double u[64], udot[64];
        for (int i = 0; i < REPEATS; i++) {
            double start = now();
            for (int k = 0; k < ROUNDS; k++) {
                gdyn_state_guess(state);
                gdyn_closure_solve(closure, state, 0, NULL, &settings, &info);
                gdyn_closure_derivatives(closure, state, 0, NULL, NULL, u, udot, &rates);
            }
            times[i] = (now() - start) / ROUNDS;
        }
        gdyn_state_destroy(state);
        gdyn_closure_destroy(closure);
        return median(times);
    }
    gdyn_evaluation *evaluation = gdyn_evaluation_create(instance->model, path);
    for (int i = 0; i < REPEATS; i++) {
        double start = now();
        gdyn_evaluation_run(evaluation, path, NULL);
        times[i] = (now() - start) / gdyn_path_points(path);
    }
    gdyn_evaluation_destroy(evaluation);
    gdyn_path_destroy(path);
    return median(times);
}

static int measure(const char *name) {
    char file[400];
    gdyn_case *the_case = NULL;
    gdyn_instance *instance = NULL;
    snprintf(file, sizeof file, GDYN_SOURCE_DIR "/cases/%s/case.yaml", name);
    if (gdyn_case_read(file, NULL, &the_case) != GDYN_OK ||
        gdyn_case_instantiate(the_case, 0, NULL, NULL, &instance) != GDYN_OK) {
        fprintf(stderr, "cannot read %s\n", file);
        return 1;
    }
    gdyn_reactions *r = gdyn_reactions_create(instance->model);
    gdyn_solvability *s = gdyn_solvability_for_model(instance->model);
    gdyn_state *state = gdyn_state_create(instance->model);
    double qr = judging(r, state, 1u << GDYN_REACTIONS_BY_QR), all = judging(r, state, 0);
    double whole = point(instance);
    printf("%-14s %10.1f %10.1f %10.1f %10.1f %9.1f %%\n", name, summary(s, state), qr, all, whole,
           100 * qr / (qr + whole));
    gdyn_state_destroy(state);
    gdyn_solvability_destroy(s);
    gdyn_reactions_destroy(r);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
    return 0;
}

int main(void) {
    gdyn_linalg_single_thread();
    printf("%-14s %10s %10s %10s %10s %11s\n", "us per pose", "summary", "QR", "all three", "point",
           "QR share");
    return measure("mobile_robot") + measure("agile_eye");
}
