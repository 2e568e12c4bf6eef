/* suite_zdt.c - ZDT (Zitzler, Deb, Thiele 2000) without what makes it easy: optima on bounds, separable variables.
 *
 * moved   the best x_j, j > 1, are o_j inside the box, no two alike
 * turned  and the axes rotated: z = H (x - o), H = I - 2 v v' / v'v with v_j = j
 * linked  x_j = x_1 or x_j^2 = x_1 on the Pareto set, F1 to F8 of Zhang, Zhou, Jin: RM-MEDA (2008); F4 and F8 have
 *         three objectives */
#include "suite.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double inside[10] = {0.31, 0.62, 0.17, 0.74, 0.55, 0.29, 0.83, 0.41, 0.68, 0.22};

/* f2 = g h(f1/g), and f1 of ZDT6 in both. */
static void pair(int which, double x, double g, double *f) {
    f[0] = which == 6 ? 1 - exp(-4 * x) * pow(sin(6 * pi * x), 6) : x;
    double share = f[0] / g;
    f[1] = which == 2 || which == 6 ? g * (1 - share * share)
           : which == 3             ? g * (1 - sqrt(share) - share * sin(10 * pi * f[0]))
                                    : g * (1 - sqrt(share));
}

static double bumps(double z) {
    return z * z - 10 * cos(4 * pi * z);
}

static void moved(const suite_problem *p, const double *x, double *f, double *g) {
    double sum = 0;
    int n = p->n, which = p->member;
    (void)g;
    for (int j = 1; j < n; j++) {
        double o = inside[j % 10];
        sum += which == 4 ? bumps(x[j] - 4 * (o - 0.5)) : fabs(x[j] - o) / fmax(o, 1 - o) / (n - 1);
    }
    double tail = which == 4 ? 10 * (n - 1) + sum : 9 * (which == 6 ? pow(sum, 0.25) : sum);
    pair(which, x[0], 1 + tail, f);
}

static void turned(const suite_problem *p, const double *x, double *f, double *g) {
    double along = 0, square = 0, sum = 0;
    int n = p->n, which = p->member;
    (void)g;
    for (int j = 1; j < n; j++) {
        along += j * (x[j] - inside[j % 10]);
        square += j * j;
    }
    /* A long valley across all axes; for ZDT4 its bumps. */
    for (int j = 1; j < n; j++) {
        double z = x[j] - inside[j % 10] - 2 * j * along / square;
        sum += which == 4 ? 10 + bumps(5 * z) : 10 * z * z * pow(30, (j - 1.0) / (n - 2.0));
    }
    pair(which, x[0], 1 + sum, f);
}

static void linked(const suite_problem *p, const double *x, double *f, double *g) {
    int which = (p->member - 1) % 4 + 1, first = which == 4 ? 2 : 1;
    double sum = 0;
    (void)g;
    for (int j = first; j < p->n; j++) {
        double apart = (p->member > 4 ? x[j] * x[j] : x[j]) - x[0];
        sum += apart * apart;
    }
    /* F1 and F5 are ZDT1, F2 and F6 ZDT2, F3 and F7 ZDT6, F4 and F8 DTLZ2. */
    if (which < 3)
        pair(which, x[0], 1 + 9 * sum / (p->n - 1), f);
    else if (which == 3)
        pair(6, x[0], 1 + 9 * pow(sum / 9, 0.25), f);
    else {
        f[0] = (1 + sum) * cos(pi / 2 * x[0]) * cos(pi / 2 * x[1]);
        f[1] = (1 + sum) * cos(pi / 2 * x[0]) * sin(pi / 2 * x[1]);
        f[2] = (1 + sum) * sin(pi / 2 * x[0]);
    }
}

static const double unit_box[][2] = {{0, 1}}, wide_box[][2] = {{0, 1}, {-5, 5}};

const suite_problem suite_zdt[] = {
    {"ZDT1-moved", "ZDT", 30, 2, 0, unit_box, 1, 0, moved, 1, 0, 0},
    {"ZDT2-moved", "ZDT", 30, 2, 0, unit_box, 1, 0, moved, 2, 0, 0},
    {"ZDT3-moved", "ZDT", 30, 2, 0, unit_box, 1, 0, moved, 3, 0, 0},
    {"ZDT4-moved", "ZDT", 10, 2, 0, wide_box, 2, 0, moved, 4, 0, 0},
    {"ZDT6-moved", "ZDT", 10, 2, 0, unit_box, 1, 0, moved, 6, 0, 0},
    {"ZDT1-turned", "ZDT", 11, 2, 0, unit_box, 1, 0, turned, 1, 0, 0},
    {"ZDT2-turned", "ZDT", 11, 2, 0, unit_box, 1, 0, turned, 2, 0, 0},
    {"ZDT3-turned", "ZDT", 11, 2, 0, unit_box, 1, 0, turned, 3, 0, 0},
    {"ZDT4-turned", "ZDT", 10, 2, 0, unit_box, 1, 0, turned, 4, 0, 0},
    {"ZDT6-turned", "ZDT", 11, 2, 0, unit_box, 1, 0, turned, 6, 0, 0},
    {"F1", "linked", 30, 2, 0, unit_box, 1, 0, linked, 1, 0, 0},
    {"F2", "linked", 30, 2, 0, unit_box, 1, 0, linked, 2, 0, 0},
    {"F3", "linked", 30, 2, 0, unit_box, 1, 0, linked, 3, 0, 0},
    {"F4", "linked", 30, 3, 0, unit_box, 1, 0, linked, 4, 0, 0},
    {"F5", "linked", 30, 2, 0, unit_box, 1, 0, linked, 5, 0, 0},
    {"F6", "linked", 30, 2, 0, unit_box, 1, 0, linked, 6, 0, 0},
    {"F7", "linked", 30, 2, 0, unit_box, 1, 0, linked, 7, 0, 0},
    {"F8", "linked", 30, 3, 0, unit_box, 1, 0, linked, 8, 0, 0},
};
const int suite_zdt_count = sizeof suite_zdt / sizeof *suite_zdt;
