/* bench_mujoco.c - a figure to compare the 6-UPS with: MuJoCo's inverse dynamics of the same tree, six legs of two
 * hinges and a slide beside a free platform, and a dense solve of its 24 equations for the forces that close the
 * loops. MuJoCo closes no loop here and finds no region. Built where libmujoco-dev is installed.
 *
 * Usage: bench_mujoco [--json FILE] */
#include "linalg/linalg.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 9, CALLS = 20000, LEGS = 6, N = 6 + 3 * LEGS };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The tree as MuJoCo's XML, in a file of its own. */
static void write_model(FILE *to) {
    fprintf(to,
            "<mujoco><option timestep='0.001'><flag contact='disable'/></option><worldbody>"
            "<body pos='0 0 0.9'><freejoint/><geom type='box' size='.4 .4 .02' mass='30'/></body>");
    for (int i = 0; i < LEGS; i++) {
        double angle = acos(-1) * (i / 2 * 2 / 3.0 + (i % 2 ? 0.05 : -0.05));
        fprintf(to,
                "<body pos='%g %g 0'><joint type='hinge' axis='1 0 0'/><joint type='hinge' axis='0 "
                "1 0'/>"
                "<geom type='capsule' fromto='0 0 0 0 0 .5' size='.03' mass='5'/>"
                "<body pos='0 0 .4'><joint type='slide' axis='0 0 1' armature='1'/>"
                "<geom type='capsule' fromto='0 0 0 0 0 .5' size='.02' mass='3'/></body></body>",
                0.8 * cos(angle), 0.8 * sin(angle));
    }
    fprintf(to, "</worldbody></mujoco>");
}

static mjModel *make_model(void) {
    char name[80], error[500] = "";
    snprintf(name, sizeof name, "/tmp/bench_mujoco_%ld.xml", (long)time(NULL));
    FILE *file = fopen(name, "w");
    if (!file)
        return NULL;
    write_model(file);
    fclose(file);
    mjModel *model = mj_loadXML(name, NULL, error, sizeof error);
    remove(name);
    if (!model)
        fprintf(stderr, "%s\n", error);
    return model;
}

/* Inverse dynamics, then a system as large as the tree's: the mean of many calls. */
static double one_pose(const mjModel *model, mjData *data, const double *A) {
    double B[N * N], x[N], start = now();
    int pivot[N];
    for (int call = 0; call < CALLS; call++) {
        data->qpos[7 + call % 18] = 0.01 * (call % 7);
        mj_inverse(model, data);
        memcpy(B, A, sizeof B);
        memcpy(x, data->qfrc_inverse, sizeof x);
        if (gdyn_dense_factor(N, B, pivot) != GDYN_OK)
            return NAN;
        gdyn_dense_solve(N, B, pivot, 1, x);
    }
    return (now() - start) / CALLS;
}

int main(int argc, char **argv) {
    mjModel *model = make_model();
    mjData *data = model ? mj_makeData(model) : NULL;
    double A[N * N], value[REPEATS];
    if (!data || model->nv != N)
        return 70;
    gdyn_linalg_single_thread();
    for (int i = 0; i < N * N; i++)
        A[i] = i % (N + 1) == 0 ? 10 : sin(i);
    for (int i = 0; i < REPEATS; i++)
        value[i] = one_pose(model, data, A);
    qsort(value, REPEATS, sizeof *value, ascending);
    printf("ups6             MuJoCo's mj_inverse and a 24 x 24 solve %10.2f us\n",
           value[REPEATS / 2]);
    FILE *json = argc > 2 && strcmp(argv[1], "--json") == 0 ? fopen(argv[2], "w") : NULL;
    if (json) {
        fprintf(json,
                "[\n  {\"case\": \"ups6\", \"phase\": \"mj_inverse and 24 x 24 solve\", \"us\": "
                "%.4g}\n]\n",
                value[REPEATS / 2]);
        fclose(json);
    }
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}
