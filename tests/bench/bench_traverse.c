/* bench_traverse.c - both passes over given rows: per grid point a x + b u + c <= 0, 14 and 20 rows, up to
 * 100,000 points; and the whole program on a table of 1,000 points and seven drives, from the file to all results, with
 * bounds and audit. toppra's C++ solver (Seidel, commit 730aa8a) needs 0.40 and 0.49 us per grid point of the first, and
 * 0.49 ms (collocation) or 0.82 ms (interpolation) for the second, without files, bounds and audit.
 *
 * Backward: greatest and least controllable x; forward: greatest u. Turning rows into lines is
 * counted too. Usage: bench_traverse [--json FILE] */
#include "base/random.h"
#include "traverse/internal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROWS_MAX = 20 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Smooth rows of a seven-axis arm in kind: +-(A x + D u + C) <= 1 for each axis. */
static void make_rows(int points, int rows, double *row) {
    gdyn_random random = gdyn_random_stream(1, 2, 3);
    double phase[ROWS_MAX][3];
    for (int k = 0; k < rows / 2; k++)
        for (int j = 0; j < 3; j++)
            phase[k][j] = gdyn_random_between(&random, 0, 6.28);
    for (int i = 0; i < points; i++) {
        double p = 6.28 * i / points;
        for (int k = 0; k < rows / 2; k++) {
            double A = sin(p + phase[k][0]), D = 0.6 + 0.4 * sin(2 * p + phase[k][1]);
            double C = 0.2 * sin(p + phase[k][2]);
            double *at = row + ((size_t)i * (size_t)rows + 2 * (size_t)k) * 3;
            at[0] = A, at[1] = D, at[2] = C - 1;
            at[3] = -A, at[4] = -D, at[5] = -C - 1;
        }
    }
}

static void load(gdyn_strip *s, const double *row, int rows) {
    s->up.count = s->low.count = 0;
    s->x_low = 0;
    s->x_high = 1e6;
    for (int k = 0; k < rows; k++)
        gdyn_strip_add(s, row[3 * k], row[3 * k + 1], row[3 * k + 2]);
}

/* Seconds of both passes; time of the motion in *T. */
static double passes(int points, int rows, const double *row, double *lines, double *k, double *T) {
    double h = 6.28 / points, begin = now();
    size_t n = (size_t)rows;
    k[2 * points] = k[2 * points + 1] = 0;
    for (int i = points - 1; i >= 0; i--) {
        double *at = lines + (size_t)i * 4 * n;
        gdyn_strip s = {.up = {0, at, at + n}, .low = {0, at + 2 * n, at + 3 * n}};
        load(&s, row + (size_t)i * n * 3, rows);
        if (!gdyn_strip_reach(&s, h, k[2 * i + 2], k[2 * i + 3], &k[2 * i], &k[2 * i + 1]))
            return -1;
    }
    double x = 0;
    *T = 0;
    for (int i = 0; i < points; i++) {
        double *at = lines + (size_t)i * 4 * n, u_low, u_high;
        gdyn_strip s = {
            .up = {rows / 2, at, at + n}, .low = {rows / 2, at + 2 * n, at + 3 * n}, .x_high = 1e6};
        if (!gdyn_strip_slice(&s, h, x, k[2 * i + 2], k[2 * i + 3], &u_low, &u_high))
            return -1;
        double next = fmin(fmax(x + 2 * h * u_high, k[2 * i + 2]), k[2 * i + 3]);
        *T += 2 * h / (sqrt(x) + sqrt(next) + 1e-300);
        x = next;
    }
    return now() - begin;
}

/* Best time of both passes, per grid point [us]. */
static double passes_of(int points, int rows, double *T) {
    size_t m = (size_t)points, n = (size_t)rows;
    double *row = malloc(m * n * 3 * sizeof *row), *lines = malloc(m * 4 * n * sizeof *lines);
    double *k = malloc((2 * m + 2) * sizeof *k), best = INFINITY;
    if (row && lines && k)
        make_rows(points, rows, row);
    for (int round = 0; row && lines && k && round < 300000 / points + 3; round++) {
        double seconds = passes(points, rows, row, lines, k, T);
        best = fmin(best, seconds < 0 ? INFINITY : seconds);
    }
    free(row);
    free(lines);
    free(k);
    return 1e6 * best / points;
}

/* --- the whole program ------------------------------------------------------------------------- */

enum { DRIVES = 7, POINTS = 1000, RUNS = 9 };

/* A table of seven drives, limits of one. */
static bool write_table(const char *name) {
    double *row = malloc(POINTS * 2 * DRIVES * 3 * sizeof *row);
    FILE *to = row ? fopen(name, "w") : NULL;
    if (to) {
        make_rows(POINTS, 2 * DRIVES, row);
        fprintf(to, "p,drive,A,B,C,D,min,max\n");
        for (int i = 0; i < POINTS * DRIVES; i++) {
            const double *at = row + 6 * i;
            fprintf(to, "%.17g,j%d,%.17g,0,%.17g,%.17g,-1,1\n", 6.28 * (i / DRIVES) / POINTS,
                    i % DRIVES, at[0], at[2] + 1, at[1]);
        }
    }
    free(row);
    return to && fclose(to) == 0;
}

/* Processor time of the children so far [ms], user and system. */
static double children(void) {
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return 1e3 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-3 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Processor time of one run [ms]; negative: it failed. */
static double run_program(const char *folder, const char *table) {
    static const char program[] = GDYN_BINARY_DIR "/globdyn";
    double before = children();
    int status;
    pid_t child = fork();
    if (child == 0) {
        execl(program, program, "traverse", "--coefficients", table, "--no-pictures", "-o", folder,
              "-q", "--json", (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
        return -1;
    return children() - before;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median over runs [ms]; negative: it failed. The document goes where nobody reads it. */
static double whole_program(void) {
    char folder[] = "/tmp/bench_traverse.XXXXXX", table[64], remove[80];
    double ms[RUNS];
    if (!mkdtemp(folder) || !freopen("/dev/null", "w", stdout))
        return -1;
    snprintf(table, sizeof table, "%s/table.csv", folder);
    bool good = write_table(table);
    for (int i = 0; i < RUNS && good; i++)
        good = (ms[i] = run_program(folder, table)) >= 0;
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    good = system(remove) == 0 && good;
    qsort(ms, RUNS, sizeof *ms, ascending);
    return good ? ms[RUNS / 2] : -1;
}

int main(int argc, char **argv) {
    static const int sizes[] = {1000, 10000, 100000}, kinds[] = {14, 20};
    static const double peer[] = {0.40, 0.49};
    FILE *json = argc > 2 && strcmp(argv[1], "--json") == 0 ? fopen(argv[2], "w") : NULL;
    bool good = true;
    if (json)
        fprintf(json, "[");
    for (int kind = 0; kind < 2; kind++) {
        for (int size = 0; size < 3; size++) {
            double T = 0, us = passes_of(sizes[size], kinds[kind], &T);
            good = good && isfinite(us);
            printf("%2d rows, %6d points: %.3f us per grid point (T = %.4f)\n", kinds[kind],
                   sizes[size], us, T);
            if (json)
                fprintf(
                    json,
                    "\n  {\"phase\": \"both passes\", \"rows\": %d, \"points\": %d, \"us\": %.4g, "
                    "\"peer\": \"toppra C++, measured once\", \"peer_us\": %g},",
                    kinds[kind], sizes[size], us, peer[kind]);
        }
    }
    fflush(stdout);
    double ms = whole_program();
    fprintf(
        stderr,
        "whole program, %d points of %d drives: %.1f ms (toppra C++, solver alone, measured once: "
        "0.49 ms)\n",
        POINTS, DRIVES, ms);
    if (json) {
        fprintf(json,
                "\n  {\"phase\": \"whole program\", \"rows\": %d, \"points\": %d, \"ms\": %.4g, "
                "\"peer\": \"toppra C++, solver alone, measured once\", \"peer_ms\": 0.49}\n]\n",
                2 * DRIVES, POINTS, ms);
        good = fclose(json) == 0 && good;
    }
    return good && ms > 0 ? 0 : 1;
}
