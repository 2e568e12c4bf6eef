/* bench_point.c - cost per path point of the star, the 6-UPS and the 8-UPS platform on one core:
 * following the path (closing, z_p, z_pp), coefficients by SVD and by null-space projection, region
 * (projection and envelopes). Prints medians over repeats in microseconds per point. */
#include <stdlib.h>
#include <time.h>

#include "../machines.h"
#include "base/memory.h"

enum { REPEATS = 9, POINTS = 201 };

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

typedef struct bench {
    const char *name;
    gdyn_model *model;
    gdyn_path *path;
    gdyn_evaluation *evaluation;
    gdyn_evaluator *evaluator;
    gdyn_access *access;
    gdyn_closure *closure;
} bench;

static double time_follow(bench *b) {
    double values[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double start = now();
        gdyn_track_follow(b->evaluation->track, b->path, b->closure, NULL);
        values[i] = (now() - start) / POINTS;
    }
    return median(values);
}

static double time_coefficients(bench *b, gdyn_reduction reduction) {
    const gdyn_track *track = b->evaluation->track;
    double values[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double start = now();
        for (int j = 0; j < POINTS; j++)
            gdyn_evaluator_pose(b->evaluator, track->state[j], track->u_p + track->n * j,
                                track->u_pp + track->n * j, reduction, b->evaluation->pose[j]);
        values[i] = (now() - start) / POINTS;
    }
    return median(values);
}

static double time_regions(bench *b, gdyn_projection method) {
    double values[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double start = now();
        for (int j = 0; j < POINTS; j++)
            gdyn_access_region(b->access, &b->evaluation->pose[j]->coefficients, method,
                               b->evaluation->region[j]);
        values[i] = (now() - start) / POINTS;
    }
    return median(values);
}

static void run(const char *name, gdyn_model *model, gdyn_anchor tool, const char *const text[6]) {
    gdyn_path_def def = gdyn_path_default();
    gdyn_path_tool point = {.of = tool};
    for (int i = 0; i < GDYN_PATH_COORDINATES; i++)
        point.coordinate[i] = text[i] ? formula(text[i]) : NULL;
    def.name = name;
    def.tools = 1;
    def.tool = &point;
    def.p_end = 6.283185307179586;
    def.p_given = true;
    def.points = POINTS;
    bench b = {.name = name, .model = model};
    if (!model || gdyn_path_create(model, &def, NULL, &b.path))
        exit(1);
    int k = gdyn_model_drives(model);
    b.evaluation = gdyn_evaluation_create(model, b.path);
    b.evaluator = gdyn_evaluator_create(model);
    b.access = gdyn_access_create(k, k, 4);
    b.closure = gdyn_closure_create(model, gdyn_path_targets(b.path));
    double follow = time_follow(&b);
    double svd = time_coefficients(&b, GDYN_REDUCE_SVD);
    double null = time_coefficients(&b, GDYN_REDUCE_NULL);
    double fast = time_regions(&b, GDYN_BY_ELEMENTARY), lp = time_regions(&b, GDYN_BY_LP);
    printf("%-6s %4d %4d %2d %2d %10.1f %10.1f %10.1f %10.2f %10.1f\n", name,
           gdyn_model_coordinates(model), gdyn_model_holonomic(model) + gdyn_model_pfaffian(model),
           k, b.evaluation->pose[0]->coefficients.r, follow, svd, null, fast, lp);
    gdyn_closure_destroy(b.closure);
    gdyn_access_destroy(b.access);
    gdyn_evaluator_destroy(b.evaluator);
    gdyn_evaluation_destroy(b.evaluation);
    gdyn_path_destroy(b.path);
    for (int i = 0; i < GDYN_PATH_COORDINATES; i++)
        gdyn_expr_destroy((gdyn_expr *)point.coordinate[i]);
    gdyn_model_destroy(model);
}

int main(void) {
    static const char *const circle[6] = {"0.12*cos(p)", "0.12*sin(p)", NULL, NULL, NULL, "0"};
    static const char *const ups[6] = {"0.1*cos(p)",  "0.1*sin(p)", "0.9+0.05*sin(2*p)",
                                       "0.15*sin(p)", "0.1*cos(p)", "0.2*sin(p)"};
    gdyn_anchor tool;
    printf("microseconds per path point, median of %d runs over %d points, one core\n", REPEATS,
           POINTS);
    printf("%-6s %4s %4s %2s %2s %10s %10s %10s %10s %10s\n", "case", "n", "m+h", "k", "r",
           "follow", "SVD", "null space", "region", "region LP");
    gdyn_model *model = build_star(machine_defaults(), NULL, &tool);
    run("star", model, tool, circle);
    model = build_ups(6, NULL, &tool);
    run("6-UPS", model, tool, ups);
    model = build_ups(8, NULL, &tool);
    run("8-UPS", model, tool, ups);
    return 0;
}
