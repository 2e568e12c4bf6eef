/* bench_access.c - cost of projection and envelope per path point, and of the same region by linear
 * programs in the same run. Median of repeats, processor time of one core. */
#include "access/access.h"
#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POSES = 200, REPEATS = 15, MAX_K = 16, MAX_R = 9 };

typedef struct pose {
    gdyn_coefficients q;
    double A[MAX_K], B[MAX_K], C[MAX_K], D[MAX_K], V[MAX_K * MAX_R], min[MAX_K], max[MAX_K];
} pose;

static void link_pose(pose *p, int k, int r) {
    p->q = (gdyn_coefficients){.k = k,
                               .r = r,
                               .A = p->A,
                               .B = p->B,
                               .C = p->C,
                               .D = p->D,
                               .V = p->V,
                               .min = p->min,
                               .max = p->max,
                               .d1_low = 0,
                               .d1_high = INFINITY,
                               .d1_high_window = -1};
}

/* Random loads of the size of the limits; viscous share of B. */
static void random_pose(pose *p, int k, int r, double viscous, gdyn_random *random) {
    link_pose(p, k, r);
    for (int i = 0; i < k; i++) {
        p->A[i] = gdyn_random_normal(random);
        p->B[i] = viscous * gdyn_random_normal(random);
        p->C[i] = 0.3 * gdyn_random_normal(random);
        p->D[i] = gdyn_random_normal(random);
        p->max[i] = 0.5 + gdyn_random_uniform(random);
        p->min[i] = -p->max[i];
    }
    for (int i = 0; i < k * r; i++)
        p->V[i] = gdyn_random_normal(random);
}

/* Reduces the first n columns of S (n x m, row-major) to the unit matrix. */
static void reduce(int n, int m, double *S) {
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c; i < n; i++)
            if (fabs(S[i * m + c]) > fabs(S[best * m + c]))
                best = i;
        for (int j = 0; j < m; j++) {
            double x = S[c * m + j];
            S[c * m + j] = S[best * m + j];
            S[best * m + j] = x;
        }
        for (int j = m - 1; j >= c; j--)
            S[c * m + j] /= S[c * m + c];
        for (int i = 0; i < n; i++)
            for (int j = m - 1; j >= c && i != c; j--)
                S[i * m + j] -= S[i * m + c] * S[c * m + j];
    }
}

/* Wrench of cable i of IPAnema 1 at a place of the platform, per unit of tension. */
static void cable(int i, const double at[3], double w[6]) {
    static const double X[4] = {-2, 2, 2, -2}, Y[4] = {1.5, 1.5, -1.5, -1.5};
    static const double bx[4] = {-.06, .06, .06, -.06}, by[4] = {.06, .06, -.06, -.06};
    double arm[3] = {bx[i % 4], by[i % 4], i < 4 ? 0.02 : 0};
    double l[3] = {X[i % 4] - at[0] - arm[0], Y[i % 4] - at[1] - arm[1],
                   (i < 4 ? 2 : 0) - at[2] - arm[2]};
    double norm = sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
    for (int j = 0; j < 3; j++)
        w[j] = l[j] / norm;
    w[3] = arm[1] * w[2] - arm[2] * w[1];
    w[4] = arm[2] * w[0] - arm[0] * w[2];
    w[5] = arm[0] * w[1] - arm[1] * w[0];
}

/* IPAnema 1 on a level ellipse, tensions 0..720 N; cables 2 and 5 carry the redundancy. */
static void cable_pose(pose *p, double s) {
    static const int basic[6] = {0, 1, 3, 4, 6, 7};
    double at[3] = {0.4 * cos(s), 0.3 * sin(s), 1.1}, m = 25, G[6 * 11], w[6];
    double rhs[3][6] = {{-0.4 * cos(s) * m, -0.3 * sin(s) * m, 0, 0, 0, 0},
                        {0, 0, 9.81 * m, 0, 0, 0},
                        {-0.4 * sin(s) * m, 0.3 * cos(s) * m, 0, 0, 0, 0.1 * 14}};
    memset(p, 0, sizeof *p);
    link_pose(p, 8, 2);
    for (int c = 0; c < 8; c++) {
        cable(c < 6 ? basic[c] : c == 6 ? 2 : 5, at, w);
        for (int i = 0; i < 6; i++)
            G[i * 11 + c] = w[i];
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 3; j++)
            G[i * 11 + 8 + j] = rhs[j][i];
    reduce(6, 11, G);
    for (int j = 0; j < 6; j++) {
        p->V[basic[j]] = -G[j * 11 + 6];
        p->V[8 + basic[j]] = -G[j * 11 + 7];
        p->A[basic[j]] = G[j * 11 + 8];
        p->C[basic[j]] = G[j * 11 + 9];
        p->D[basic[j]] = G[j * 11 + 10];
    }
    p->V[2] = p->V[8 + 5] = 1;
    for (int i = 0; i < 8; i++)
        p->max[i] = 720;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median over the repeats of microseconds per pose; share of poses that are not empty in *open. */
static double measure(gdyn_access *access, gdyn_region *region, const pose *poses, int repeats,
                      gdyn_projection method, double *open) {
    double times[REPEATS];
    for (int n = 0; n < repeats; n++) {
        double start = now();
        int count = 0;
        for (int i = 0; i < POSES; i++) {
            gdyn_access_region(access, &poses[i].q, method, region);
            count += region->status == GDYN_REGION_OK;
        }
        times[n] = (now() - start) / POSES;
        *open = (double)count / POSES;
    }
    qsort(times, (size_t)repeats, sizeof *times, ascending);
    return times[repeats / 2];
}

int main(void) {
    static const struct {
        const char *name;
        int k, r;
        double viscous;
    } set[] = {{"8 cables, r = 2", 8, 2, -1},         {"random k = 8, r = 2", 8, 2, 0},
               {"random k = 8, r = 2, B", 8, 2, 0.5}, {"random k = 4, r = 1", 4, 1, 0},
               {"random k = 4, r = 1, B", 4, 1, 0.5}, {"random k = 6, r = 3", 6, 3, 0},
               {"random k = 6, r = 3, B", 6, 3, 0.5}, {"random k = 3, r = 0", 3, 0, 0},
               {"random k = 12, r = 6", 12, 6, 0},    {"random k = 12, r = 9", 12, 9, 0}};
    gdyn_access *access = gdyn_access_create(MAX_K, MAX_R, 0);
    gdyn_region *region = gdyn_region_create();
    pose *poses = calloc(POSES, sizeof *poses);
    if (!access || !region || !poses)
        return 1;
    printf("%-28s %12s %12s %12s %8s %8s\n", "microseconds per point", "elementary", "lp (GLPK)",
           "allocations", "ratio", "open");
    for (size_t s = 0; s < sizeof set / sizeof *set; s++) {
        gdyn_random random = gdyn_random_stream(7, s, 0);
        for (int i = 0; i < POSES; i++)
            if (set[s].viscous < 0)
                cable_pose(&poses[i], 0.01 + i * 6.28 / POSES);
            else
                random_pose(&poses[i], set[s].k, set[s].r, set[s].viscous, &random);
        double open;
        measure(access, region, poses, 1, GDYN_BY_ELEMENTARY, &open);
        unsigned long before = gdyn_alloc_count();
        double fast = measure(access, region, poses, REPEATS, GDYN_BY_ELEMENTARY, &open);
        unsigned long allocations = gdyn_alloc_count() - before;
        double slow = measure(access, region, poses, 3, GDYN_BY_LP, &open);
        printf("%-28s %12.2f %12.1f %12lu %8.1f %7.0f%%\n", set[s].name, fast, slow, allocations,
               slow / fast, 100 * open);
    }
    free(poses);
    gdyn_region_destroy(region);
    gdyn_access_destroy(access);
    return 0;
}
