/* search_problems.h - analytic problems with known fronts, for tests and bench.
 *
 * ZDT: Zitzler, Deb, Thiele 2000. DTLZ: Deb, Thiele, Laumanns, Zitzler 2002. Constrained: BNH
 * (Binh, Korn 1997), SRN (Srinivas, Deb 1994), TNK (Tanaka et al. 1995), CONSTR (Deb 2001). */
#ifndef SEARCH_PROBLEMS_H
#define SEARCH_PROBLEMS_H

#include "search/search.h"

#include <math.h>

enum { PROBLEM_VARIABLES = 30 };

typedef struct problem {
    const char *name;
    int n, m;
    void (*bounds)(int n, double *lower, double *upper);
    /* f (m) and the constraint violation (0 when there are no constraints) */
    double (*evaluate)(int n, const double *x, double *f);
    double mark; /* published hypervolume median after 25,000 evaluations, 0: none */
} problem;

static void unit_box(int n, double *lower, double *upper) {
    for (int j = 0; j < n; j++)
        lower[j] = 0, upper[j] = 1;
}

static double sum_tail(int n, const double *x) {
    double sum = 0;
    for (int j = 1; j < n; j++)
        sum += x[j];
    return sum / (n - 1);
}

static double zdt1(int n, const double *x, double *f) {
    double g = 1 + 9 * sum_tail(n, x);
    f[0] = x[0], f[1] = g * (1 - sqrt(x[0] / g));
    return 0;
}

static double zdt2(int n, const double *x, double *f) {
    double g = 1 + 9 * sum_tail(n, x);
    f[0] = x[0], f[1] = g * (1 - (x[0] / g) * (x[0] / g));
    return 0;
}

static double zdt3(int n, const double *x, double *f) {
    double g = 1 + 9 * sum_tail(n, x), h = x[0] / g;
    f[0] = x[0], f[1] = g * (1 - sqrt(h) - h * sin(10 * acos(-1.0) * x[0]));
    return 0;
}

static void zdt4_box(int n, double *lower, double *upper) {
    for (int j = 0; j < n; j++)
        lower[j] = j ? -5 : 0, upper[j] = j ? 5 : 1;
}

static double zdt4(int n, const double *x, double *f) {
    double g = 1 + 10 * (n - 1);
    for (int j = 1; j < n; j++)
        g += x[j] * x[j] - 10 * cos(4 * acos(-1.0) * x[j]);
    f[0] = x[0], f[1] = g * (1 - sqrt(x[0] / g));
    return 0;
}

static double zdt6(int n, const double *x, double *f) {
    double g = 1 + 9 * pow(sum_tail(n, x), 0.25);
    f[0] = 1 - exp(-4 * x[0]) * pow(sin(6 * acos(-1.0) * x[0]), 6);
    f[1] = g * (1 - (f[0] / g) * (f[0] / g));
    return 0;
}

static double dtlz2(int n, const double *x, double *f) {
    double g = 0, half_pi = acos(0.0);
    for (int j = 2; j < n; j++)
        g += (x[j] - 0.5) * (x[j] - 0.5);
    f[0] = (1 + g) * cos(x[0] * half_pi) * cos(x[1] * half_pi);
    f[1] = (1 + g) * cos(x[0] * half_pi) * sin(x[1] * half_pi);
    f[2] = (1 + g) * sin(x[0] * half_pi);
    return 0;
}

static double excess(double g) { /* g <= 0 is wanted */
    return g > 0 ? g : 0;
}

static void bnh_box(int n, double *lower, double *upper) {
    (void)n;
    lower[0] = lower[1] = 0;
    upper[0] = 5, upper[1] = 3;
}

static double bnh(int n, const double *x, double *f) {
    (void)n;
    f[0] = 4 * x[0] * x[0] + 4 * x[1] * x[1];
    f[1] = (x[0] - 5) * (x[0] - 5) + (x[1] - 5) * (x[1] - 5);
    return excess((x[0] - 5) * (x[0] - 5) + x[1] * x[1] - 25) / 25 +
           excess(7.7 - (x[0] - 8) * (x[0] - 8) - (x[1] + 3) * (x[1] + 3)) / 7.7;
}

static void srn_box(int n, double *lower, double *upper) {
    for (int j = 0; j < n; j++)
        lower[j] = -20, upper[j] = 20;
}

static double srn(int n, const double *x, double *f) {
    (void)n;
    f[0] = 2 + (x[0] - 2) * (x[0] - 2) + (x[1] - 1) * (x[1] - 1);
    f[1] = 9 * x[0] - (x[1] - 1) * (x[1] - 1);
    return excess(x[0] * x[0] + x[1] * x[1] - 225) / 225 + excess(x[0] - 3 * x[1] + 10) / 10;
}

static void tnk_box(int n, double *lower, double *upper) {
    for (int j = 0; j < n; j++)
        lower[j] = 1e-12, upper[j] = acos(-1.0);
}

static double tnk(int n, const double *x, double *f) {
    (void)n;
    f[0] = x[0], f[1] = x[1];
    return excess(1 + 0.1 * cos(16 * atan2(x[0], x[1])) - x[0] * x[0] - x[1] * x[1]) +
           excess((x[0] - 0.5) * (x[0] - 0.5) + (x[1] - 0.5) * (x[1] - 0.5) - 0.5);
}

static void constr_box(int n, double *lower, double *upper) {
    (void)n;
    lower[0] = 0.1, upper[0] = 1;
    lower[1] = 0, upper[1] = 5;
}

static double constr(int n, const double *x, double *f) {
    (void)n;
    f[0] = x[0], f[1] = (1 + x[1]) / x[0];
    return excess(6 - x[1] - 9 * x[0]) + excess(1 + x[1] - 9 * x[0]);
}

static const problem problems[] = {
    {"ZDT1", 30, 2, unit_box, zdt1, 0.8694}, {"ZDT2", 30, 2, unit_box, zdt2, 0.5362},
    {"ZDT3", 30, 2, unit_box, zdt3, 1.3277}, {"ZDT4", 10, 2, zdt4_box, zdt4, 0.8649},
    {"ZDT6", 10, 2, unit_box, zdt6, 0.4961}, {"DTLZ2", 12, 3, unit_box, dtlz2, 0.6998},
    {"BNH", 2, 2, bnh_box, bnh, 0},          {"SRN", 2, 2, srn_box, srn, 0},
    {"TNK", 2, 2, tnk_box, tnk, 0},          {"CONSTR", 2, 2, constr_box, constr, 0},
};
enum { PROBLEM_COUNT = sizeof problems / sizeof *problems, PUBLISHED_COUNT = 6 };

static inline gdyn_status evaluate_problem(void *context, const double *x, double *f,
                                           double *violation, double *failure) {
    const problem *p = context;
    (void)failure;
    *violation = p->evaluate(p->n, x, f);
    return GDYN_OK;
}

static inline gdyn_status create_for(const problem *p, const gdyn_search_options *options,
                                     gdyn_search **search) {
    double lower[PROBLEM_VARIABLES], upper[PROBLEM_VARIABLES];
    p->bounds(p->n, lower, upper);
    gdyn_search_problem definition = {
        .variables = p->n, .objectives = p->m, .lower = lower, .upper = upper};
    return gdyn_search_create(&definition, options, search);
}

#endif
