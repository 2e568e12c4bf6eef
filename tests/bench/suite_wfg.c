/* suite_wfg.c - WFG1 to 9 with two to ten objectives; suite_wfg_position and twenty distance parameters.
 *
 * Huband, Hingston, Barone, While: A review of multiobjective test problems and a scalable test problem toolkit. IEEE
 * Trans. Evolutionary Computation 10 (2006). The variables are z_j / (2 j), between 0 and 1. */
#include "suite.h"

#include <math.h>

enum { DISTANCE = 20, MOST = SUITE_VARIABLES };
static const double pi = 3.14159265358979323846;

/* --- transformations of one parameter (section IX) -------------------------------------------------- */

static double unit(double y) {
    return fmin(fmax(y, 0), 1);
}

static double b_flat(double y, double A, double B, double C) {
    return unit(A + fmin(0, floor(y - B)) * A * (B - y) / B -
                fmin(0, floor(C - y)) * (1 - A) * (y - C) / (1 - C));
}

static double b_param(double y, double u) {
    const double A = 0.98 / 49.98, B = 0.02, C = 50;
    double v = A - (1 - 2 * u) * fabs(floor(0.5 - u) + A);
    return unit(pow(y, B + (C - B) * v));
}

static double s_linear(double y) {
    const double A = 0.35;
    return unit(fabs(y - A) / fabs(floor(A - y) + A));
}

static double s_decept(double y) {
    const double A = 0.35, B = 0.001, C = 0.05;
    double left = floor(y - A + B) * (1 - C + (A - B) / B) / (A - B);
    double right = floor(A + B - y) * (1 - C + (1 - A - B) / B) / (1 - A - B);
    return unit(1 + (fabs(y - A) - B) * (left + right + 1 / B));
}

static double s_multi(double y, double A, double B) {
    const double C = 0.35;
    double share = fabs(y - C) / (2 * (floor(C - y) + C));
    return unit((1 + cos((4 * A + 2) * pi * (0.5 - share)) + 4 * B * share * share) / (B + 2));
}

/* --- reductions of many ---------------------------------------------------------------------------- */

static double mean(const double *y, int count) {
    double sum = 0;
    for (int j = 0; j < count; j++)
        sum += y[j];
    return unit(sum / count);
}

/* Weights 2 (first + 1), 2 (first + 2), ... */
static double growing_mean(const double *y, int first, int count) {
    double sum = 0, weights = 0;
    for (int j = first; j < first + count; j++)
        sum += (j + 1) * y[j], weights += j + 1;
    return unit(sum / weights);
}

static double nonseparable(const double *y, int count, int A) {
    double sum = 0, half = ceil(A / 2.0);
    for (int j = 0; j < count; j++) {
        sum += y[j];
        for (int k = 0; k <= A - 2; k++)
            sum += fabs(y[j] - y[(1 + j + k) % count]);
    }
    return unit(sum / ((double)count / A * half * (1 + 2 * A - 2 * half)));
}

/* --- the problems up to their reduction: y (all) becomes t (m); returns the distance parameters left --- */

static void transform(int which, int positions, double *y) {
    const int all = positions + DISTANCE;
    double given[MOST];
    for (int j = 0; j < all; j++)
        given[j] = y[j];
    for (int j = 0; j < all; j++) {
        bool position = j < positions;
        switch (which) {
        case 4:
            y[j] = s_multi(given[j], 30, 10);
            break;
        case 5:
            y[j] = s_decept(given[j]);
            break;
        case 7:
            y[j] =
                position ? b_param(given[j], mean(given + j + 1, all - j - 1)) : s_linear(given[j]);
            break;
        case 8:
            y[j] = position ? given[j] : s_linear(b_param(given[j], mean(given, j)));
            break;
        case 9:
            if (j + 1 < all)
                y[j] = b_param(given[j], mean(given + j + 1, all - j - 1));
            y[j] = position ? s_decept(y[j]) : s_multi(y[j], 30, 95);
            break;
        default: /* 1, 2, 3, 6 */
            y[j] = position ? given[j] : s_linear(given[j]);
        }
        if (which == 1)
            y[j] = pow(position ? y[j] : b_flat(y[j], 0.8, 0.75, 0.85), 0.02);
    }
}

static void reduce(int which, int m, int position, double *y, double *t) {
    int distance = DISTANCE, group = position / (m - 1);
    /* WFG2 and 3: neighbours in pairs first. */
    if (which == 2 || which == 3) {
        distance = DISTANCE / 2;
        for (int i = 0; i < distance; i++)
            y[position + i] = nonseparable(y + position + 2 * i, 2, 2);
    }
    for (int i = 0; i < m; i++) {
        int first = i < m - 1 ? i * group : position, count = i < m - 1 ? group : distance;
        t[i] = which == 1                 ? growing_mean(y, first, count)
               : which == 6 || which == 9 ? nonseparable(y + first, count, count)
                                          : mean(y + first, count);
    }
}

/* --- shapes ------------------------------------------------------------------------------------------ */

typedef enum shape { LINEAR, CONVEX, CONCAVE } shape;

static double factor(shape s, double x) {
    return s == LINEAR ? x : s == CONVEX ? 1 - cos(x * pi / 2) : sin(x * pi / 2);
}

static double ending(shape s, double x) {
    return s == LINEAR ? 1 - x : s == CONVEX ? 1 - sin(x * pi / 2) : cos(x * pi / 2);
}

static double shape_of(shape s, const double *x, int m, int i) {
    double h = 1;
    for (int k = 0; k < m - 1 - i; k++)
        h *= factor(s, x[k]);
    return i > 0 ? h * ending(s, x[m - 1 - i]) : h;
}

static void evaluate(const suite_problem *p, const double *x, double *f, double *g) {
    double y[MOST], t[SUITE_OBJECTIVES], place[SUITE_OBJECTIVES];
    int m = p->m, which = p->member, position = suite_wfg_position(m);
    (void)g;
    for (int j = 0; j < p->n; j++)
        y[j] = x[j];
    transform(which, position, y);
    reduce(which, m, position, y, t);
    /* WFG3 is degenerate: only the first direction stays. */
    for (int i = 0; i < m - 1; i++)
        place[i] = fmax(t[m - 1], which == 3 && i > 0 ? 0 : 1) * (t[i] - 0.5) + 0.5;
    shape s = which <= 2 ? CONVEX : which == 3 ? LINEAR : CONCAVE;
    for (int i = 0; i < m; i++) {
        double h = shape_of(s, place, m, i);
        if (which == 1 && i == m - 1)
            h = 1 - place[0] - cos(10 * pi * place[0] + pi / 2) / (10 * pi);
        if (which == 2 && i == m - 1)
            h = 1 - place[0] * pow(cos(5 * place[0] * pi), 2);
        f[i] = t[m - 1] + 2 * (i + 1) * h;
    }
}

static const double unit_box[][2] = {{0, 1}};

const suite_problem suite_wfg[] = {
    {"WFG1-2", "WFG", 24, 2, 0, unit_box, 1, 0, evaluate, 1, 0, 0},
    {"WFG2-2", "WFG", 24, 2, 0, unit_box, 1, 0, evaluate, 2, 0, 0},
    {"WFG3-2", "WFG", 24, 2, 0, unit_box, 1, 0, evaluate, 3, 0, 0},
    {"WFG4-2", "WFG", 24, 2, 0, unit_box, 1, 0, evaluate, 4, 0, 0},
    {"WFG5-2", "WFG", 24, 2, 0, unit_box, 1, 0, evaluate, 5, 0, 0},
    {"WFG6-2", "WFG", 24, 2, 0, unit_box, 1, 0, evaluate, 6, 0, 0},
    {"WFG7-2", "WFG", 24, 2, 0, unit_box, 1, 0, evaluate, 7, 0, 0},
    {"WFG8-2", "WFG", 24, 2, 0, unit_box, 1, 0, evaluate, 8, 0, 0},
    {"WFG9-2", "WFG", 24, 2, 0, unit_box, 1, 0, evaluate, 9, 0, 0},
    {"WFG1-3", "WFG", 24, 3, 0, unit_box, 1, 0, evaluate, 1, 0, 0},
    {"WFG2-3", "WFG", 24, 3, 0, unit_box, 1, 0, evaluate, 2, 0, 0},
    {"WFG3-3", "WFG", 24, 3, 0, unit_box, 1, 0, evaluate, 3, 0, 0},
    {"WFG4-3", "WFG", 24, 3, 0, unit_box, 1, 0, evaluate, 4, 0, 0},
    {"WFG5-3", "WFG", 24, 3, 0, unit_box, 1, 0, evaluate, 5, 0, 0},
    {"WFG6-3", "WFG", 24, 3, 0, unit_box, 1, 0, evaluate, 6, 0, 0},
    {"WFG7-3", "WFG", 24, 3, 0, unit_box, 1, 0, evaluate, 7, 0, 0},
    {"WFG8-3", "WFG", 24, 3, 0, unit_box, 1, 0, evaluate, 8, 0, 0},
    {"WFG9-3", "WFG", 24, 3, 0, unit_box, 1, 0, evaluate, 9, 0, 0},
    {"WFG1-5", "WFG-5", 24, 5, 0, unit_box, 1, 0, evaluate, 1, 0, 0},
    {"WFG2-5", "WFG-5", 24, 5, 0, unit_box, 1, 0, evaluate, 2, 0, 0},
    {"WFG3-5", "WFG-5", 24, 5, 0, unit_box, 1, 0, evaluate, 3, 0, 0},
    {"WFG4-5", "WFG-5", 24, 5, 0, unit_box, 1, 0, evaluate, 4, 0, 0},
    {"WFG5-5", "WFG-5", 24, 5, 0, unit_box, 1, 0, evaluate, 5, 0, 0},
    {"WFG6-5", "WFG-5", 24, 5, 0, unit_box, 1, 0, evaluate, 6, 0, 0},
    {"WFG7-5", "WFG-5", 24, 5, 0, unit_box, 1, 0, evaluate, 7, 0, 0},
    {"WFG8-5", "WFG-5", 24, 5, 0, unit_box, 1, 0, evaluate, 8, 0, 0},
    {"WFG9-5", "WFG-5", 24, 5, 0, unit_box, 1, 0, evaluate, 9, 0, 0},
    {"WFG9-4", "many", 23, 4, 0, unit_box, 1, 0, evaluate, 9, 0, 0},
    {"WFG5-8", "many", 27, 8, 0, unit_box, 1, 0, evaluate, 5, 0, 0},
    {"WFG9-8", "many", 27, 8, 0, unit_box, 1, 0, evaluate, 9, 0, 0},
    {"WFG4-10", "many", 29, 10, 0, unit_box, 1, 0, evaluate, 4, 0, 0},
    {"WFG7-10", "many", 29, 10, 0, unit_box, 1, 0, evaluate, 7, 0, 0},
};
const int suite_wfg_count = sizeof suite_wfg / sizeof *suite_wfg;
