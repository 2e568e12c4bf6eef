/* bench_traverse.c - both passes over given rows: per grid point a x + b u + c <= 0, 14 and 20 rows, up to
 * 100,000 points. toppra's C++ solver needs 0.40 and 0.49 us per grid point on one core.
 *
 * Backward: greatest and least controllable x; forward: greatest u. Turning rows into lines is
 * counted too. */
#include "base/random.h"
#include "traverse/strip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS_MAX = 20 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
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
    gdyn_strip_hint hint[2] = {{-2, -2}, {-2, -2}};
    k[2 * points] = k[2 * points + 1] = 0;
    for (int i = points - 1; i >= 0; i--) {
        double *at = lines + (size_t)i * 4 * n;
        gdyn_strip s = {.up = {0, at, at + n}, .low = {0, at + 2 * n, at + 3 * n}};
        load(&s, row + (size_t)i * n * 3, rows);
        if (!gdyn_strip_reach(&s, h, k[2 * i + 2], k[2 * i + 3], hint, &k[2 * i], &k[2 * i + 1]))
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

int main(void) {
    static const int sizes[] = {1000, 10000, 100000}, kinds[] = {14, 20};
    for (int kind = 0; kind < 2; kind++) {
        int rows = kinds[kind];
        for (int size = 0; size < 3; size++) {
            size_t points = (size_t)sizes[size], n = (size_t)rows;
            double *row = malloc(points * n * 3 * sizeof *row);
            double *lines = malloc(points * 4 * n * sizeof *lines);
            double *k = malloc((2 * points + 2) * sizeof *k), best = INFINITY, T = 0;
            if (!row || !lines || !k)
                return 1;
            make_rows((int)points, rows, row);
            for (int round = 0; round < 300000 / sizes[size] + 3; round++) {
                double seconds = passes((int)points, rows, row, lines, k, &T);
                if (seconds < 0) {
                    printf("no motion\n");
                    return 1;
                }
                best = fmin(best, seconds);
            }
            printf("%2d rows, %6d points: %.3f us per grid point (T = %.4f)\n", rows, sizes[size],
                   1e6 * best / sizes[size], T);
            free(row);
            free(lines);
            free(k);
        }
    }
    return 0;
}
