/* bench_workspace.c - poses of a workspace per second: the six-legged platform with strokes, cones and legs that keep
 * apart (cases/ups6_strokes) on a grid of 20,000 nodes, with everything that is known of a node. One and two threads in
 * turns; each number is the median of the turns. Nodes are counted per second of processor time, of all threads together, which a
 * machine that does other work tells least wrongly, and per second that passes.
 *
 * Usage: bench_workspace [--json FILE] [turns]   (default 3)
 *        bench_workspace --once                  (one thread, one turn: for profiles) */
#include "globdyn.h"
#include "workspace/field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { TURNS_MOST = 99, THREADS = 2 };

static const char text[] = "include: [" GDYN_SOURCE_DIR "/cases/ups6_strokes/case.yaml]\n"
                           "format: 1\n"
                           "workspaces:\n"
                           "  nodes: {of: platform.tool, x: [-200 mm, 200 mm], y: [-200 mm, 200 "
                           "mm], z: [850 mm, 1050 mm], "
                           "cardan: [0, 0, 0], points: [25, 25, 32]}\n";

static double clock_of(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What one turn takes. */
typedef struct turns {
    double processor[TURNS_MOST], passed[TURNS_MOST]; /* [s] */
    int nodes, reached;
} turns;

static bool take_turn(const gdyn_instance *instance, int workspace, int threads, int i, turns *t) {
    gdyn_field_settings settings = gdyn_field_default();
    settings.threads = threads;
    gdyn_workspace_field field;
    double processor = clock_of(CLOCK_PROCESS_CPUTIME_ID), passed = clock_of(CLOCK_MONOTONIC);
    gdyn_status status = gdyn_field_find(instance, workspace, &settings, &field);
    t->processor[i] = clock_of(CLOCK_PROCESS_CPUTIME_ID) - processor;
    t->passed[i] = clock_of(CLOCK_MONOTONIC) - passed;
    t->nodes = field.nodes;
    t->reached = field.reached_count;
    gdyn_field_free(&field);
    return status == GDYN_OK;
}

static int workspace_named(const gdyn_instance *instance, const char *name) {
    for (int i = 0; i < instance->workspace_count; i++)
        if (strcmp(instance->workspace[i].name, name) == 0)
            return i;
    return -1;
}

/* Both numbers of threads, turn by turn; the rows. */
static void print_rows(turns t[THREADS], int count, FILE *json) {
    printf("%8s %8s %8s %14s %16s %14s\n", "threads", "nodes", "reached", "processor, s",
           "nodes/s of it", "nodes/s passed");
    for (int n = 0; n < THREADS; n++) {
        qsort(t[n].processor, (size_t)count, sizeof(double), ascending);
        qsort(t[n].passed, (size_t)count, sizeof(double), ascending);
        double processor = t[n].processor[count / 2], passed = t[n].passed[count / 2];
        printf("%8d %8d %8d %14.3f %16.0f %14.0f\n", n + 1, t[n].nodes, t[n].reached, processor,
               t[n].nodes / processor, t[n].nodes / passed);
        if (json)
            fprintf(json,
                    "%s\n  {\"case\": \"ups6_strokes\", \"threads\": %d, \"nodes\": %d, "
                    "\"reached\": %d, \"processor_seconds\": %.6g, \"seconds\": %.6g, "
                    "\"nodes_per_processor_second\": %.6g}",
                    n ? "," : "[", n + 1, t[n].nodes, t[n].reached, processor, passed,
                    t[n].nodes / processor);
    }
    if (json)
        fprintf(json, "\n]\n");
}

int main(int argc, char **argv) {
#ifdef __GLIBC__ /* as the program does */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
    bool once = argc > 1 && strcmp(argv[1], "--once") == 0;
    const char *name = argc > 2 && strcmp(argv[1], "--json") == 0 ? argv[2] : NULL;
    const char *stated = name && argc > 3 ? argv[3] : !name && !once && argc > 1 ? argv[1] : "3";
    int count = once ? 1 : atoi(stated);
    gdyn_case *the_case = NULL;
    gdyn_instance *instance = NULL;
    if (count < 1 || count > TURNS_MOST ||
        gdyn_case_read_text(text, strlen(text), "bench.yaml", NULL, &the_case) ||
        gdyn_case_instantiate(the_case, 0, NULL, NULL, &instance))
        return 3;
    turns t[THREADS] = {0};
    int workspace = workspace_named(instance, "nodes");
    bool done = true;
    for (int i = 0; i < count; i++)
        for (int n = 0; n < (once ? 1 : THREADS); n++)
            done = done && take_turn(instance, workspace, n + 1, i, &t[n]);
    FILE *json = name ? fopen(name, "w") : NULL;
    if (done && !once)
        print_rows(t, count, json);
    if (json)
        fclose(json);
    gdyn_instance_destroy(instance);
    gdyn_case_destroy(the_case);
    return done && (json || !name) ? 0 : 70;
}
