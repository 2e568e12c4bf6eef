/* suite_many.c - four to fifteen objectives: the halves for tuning and for judging, with designs
 * of their fronts.
 *
 * MaF1 to 6, 8 and 13 (Cheng, Li, Tian, Zhang, Yang, Jin, Yao 2017; 13 is P7 of Saxena, Zhang,
 * Duro, Tiwari 2011), DTLZ (Deb, Thiele, Laumanns, Zitzler 2002; inverted: Jain, Deb 2014; C2:
 * the same), WFG (suite_wfg.c), RE and CRE (suite_re.c); numbers of variables as there.
 * "squares-15": f_i = (x_i - 1)^2 + (sum of the other x)^2 / 10. */
#include "suite.h"

#include "../unit/dtlz.h"

#include <string.h>

/* No problem is in both; the numbers behind the names are objectives. */
static const char *const tuning[] = {"RE42",    "DTLZ2-4", "DTLZ7-5",  "DTLZ1-5", "MaF1-5",
                                     "MaF4-5",  "WFG1-5",  "WFG4-5",   "WFG8-5",  "RE61",
                                     "DTLZ2-8", "WFG5-8",  "DTLZ4-10", "WFG4-10", "squares-15"};
static const char *const judging[] = {"RE41",    "MaF2-4",  "C2-DTLZ2-4", "WFG9-4",     "MaF3-5",
                                      "MaF6-5",  "MaF13-5", "WFG7-5",     "WFG3-5",     "CRE51",
                                      "DTLZ5-8", "MaF5-8",  "WFG9-8",     "C2-DTLZ2-8", "IDTLZ2-8",
                                      "RE91",    "MaF2-10", "MaF8-10",    "MaF13-10",   "WFG7-10"};

bool suite_many_in(const suite_problem *p, const char *half) {
    bool tunes = strcmp(half, "many-tuning") == 0;
    if (!tunes && strcmp(half, "many-judging") != 0)
        return false;
    int count = tunes ? sizeof tuning / sizeof *tuning : sizeof judging / sizeof *judging;
    for (int i = 0; i < count; i++)
        if (strcmp(p->name, (tunes ? tuning : judging)[i]) == 0)
            return true;
    return false;
}

static double square(double x) {
    return x * x;
}

/* --- MaF ------------------------------------------------------------------------------------ */

/* Each objective has its own part of the ten distance variables. */
static void maf2(int n, int m, const double *x, double *f) {
    double y[SUITE_VARIABLES];
    int part = (n - m + 1) / m;
    for (int j = 0; j < n; j++)
        y[j] = x[j] / 2 + 0.25;
    dtlz_sphere(m, y, 0, 1, f);
    for (int i = 0; i < m; i++) {
        double g = 0;
        for (int j = m - 1 + i * part; j < (i < m - 1 ? m - 1 + (i + 1) * part : n); j++)
            g += square(y[j] - 0.5);
        f[i] *= 1 + g;
    }
}

/* A curve; the other angles tend to pi/4. */
static void bent(int m, const double *x, double g, double factor, double *f) {
    double y[SUITE_VARIABLES];
    y[0] = x[0];
    for (int j = 1; j < m - 1; j++)
        y[j] = (1 + 2 * g * x[j]) / (2 * (1 + g));
    dtlz_sphere(m, y, factor * g, 1, f);
}

/* Distances from the corners of a regular polygon. */
static void maf8(int m, const double *x, double *f) {
    for (int i = 0; i < m; i++) {
        double angle = dtlz_pi / 2 - 2 * dtlz_pi * i / m;
        f[i] = hypot(x[0] - cos(angle), x[1] - sin(angle));
    }
}

static double maf13_best(const double *x, int j, int n) {
    return 2 * x[1] * sin(2 * dtlz_pi * x[0] + (j + 1) * dtlz_pi / n);
}

static void maf13(int n, int m, const double *x, double *f) {
    double sum[4] = {0}, a = x[0] * dtlz_pi / 2, b = x[1] * dtlz_pi / 2;
    int count[4] = {0};
    for (int j = 2; j < n; j++) {
        double y = square(x[j] - maf13_best(x, j, n));
        sum[(j + 1) % 3] += y, count[(j + 1) % 3]++; /* 4, 7 ..: first; 5, 8 ..; 3, 6 .. */
        if (j > 2)
            sum[3] += y, count[3]++;
    }
    f[0] = sin(a) + 2 * sum[1] / count[1];
    f[1] = cos(a) * sin(b) + 2 * sum[2] / count[2];
    f[2] = cos(a) * cos(b) + 2 * sum[0] / count[0];
    for (int i = 3; i < m; i++)
        f[i] = square(f[0]) + pow(f[1], 10) + pow(f[2], 10) + 2 * sum[3] / count[3];
}

static void maf(const suite_problem *p, const double *x, double *f, double *g) {
    int n = p->n, m = p->m;
    (void)g;
    switch (p->member) {
    case 1:
        for (int i = 0; i < m; i++) { /* 1 less the shares of the simplex */
            double share = 1, smooth = dtlz_smooth(n, m, x);
            for (int j = 0; j < m - 1 - i; j++)
                share *= x[j];
            f[i] = (1 + smooth) * (1 - share * (i > 0 ? 1 - x[m - 1 - i] : 1));
        }
        break;
    case 2:
        maf2(n, m, x, f);
        break;
    case 3:
        dtlz3_of(n, m, x, f);
        for (int i = 0; i < m; i++)
            f[i] = i < m - 1 ? pow(f[i], 4) : square(f[i]);
        break;
    case 4:
        dtlz3_of(n, m, x, f);
        for (int i = 0; i < m; i++)
            f[i] = ldexp(1 + dtlz_rugged(n, m, x) - f[i], i + 1);
        break;
    case 5:
        dtlz4_of(n, m, x, f);
        for (int i = 0; i < m; i++)
            f[i] = ldexp(f[i], m - i);
        break;
    case 6:
        bent(m, x, dtlz_smooth(n, m, x), 100, f);
        break;
    case 8:
        maf8(m, x, f);
        break;
    default:
        maf13(n, m, x, f);
    }
}

/* --- DTLZ, squares --------------------------------------------------------------------------- */

static void dtlz(const suite_problem *p, const double *x, double *f, double *g) {
    int n = p->n, m = p->m;
    double smooth = dtlz_smooth(n, m, x);
    (void)g;
    if (p->member == 5)
        bent(m, x, smooth, 1, f);
    else
        dtlz_sphere(m, x, smooth, p->member == 4 ? 100 : 1, f);
    for (int i = 0; p->member == 12 && i < m; i++)
        f[i] = 1 + smooth - f[i];
}

/* Only near the ends and the middle of the front. */
static void c2_dtlz2(const suite_problem *p, const double *x, double *f, double *g) {
    const double r2 = 0.25;
    int m = p->m;
    dtlz2_of(p->n, m, x, f);
    double all = 0, middle = 0, least = INFINITY;
    for (int i = 0; i < m; i++)
        all += square(f[i]), middle += square(f[i] - 1 / sqrt(m));
    for (int i = 0; i < m; i++)
        least = fmin(least, all - square(f[i]) + square(f[i] - 1));
    g[0] = (fmin(least, middle) - r2) / r2;
}

static void squares(const suite_problem *p, const double *x, double *f, double *g) {
    double sum = 0;
    (void)g;
    for (int j = 0; j < p->n; j++)
        sum += x[j];
    for (int i = 0; i < p->m; i++)
        f[i] = square(x[i] - 1) + 0.1 * square(sum - x[i]);
}

/* --- fronts ---------------------------------------------------------------------------------- */

static bool begins(const suite_problem *p, const char *name) {
    return strncmp(p->name, name, strlen(name)) == 0;
}

/* Distance variables of WFG9 from the last one backwards (Huband et al. 2006). */
static void wfg9_best(int n, int position, double *x) {
    double sum = x[n - 1] = 0.35;
    for (int j = n - 2; j >= position; j--) {
        x[j] = pow(0.35, 1 / (0.02 + 1.96 * sum / (n - 1 - j)));
        sum += x[j];
    }
}

bool suite_many_best(const suite_problem *p, gdyn_random *random, double *x) {
    double lower[SUITE_VARIABLES], upper[SUITE_VARIABLES];
    bool whole[SUITE_VARIABLES], wfg = begins(p, "WFG"), bends = begins(p, "DTLZ5");
    /* Fronts of WFG3 and DTLZ5 with more than three objectives have no closed form. */
    bool known = begins(p, "MaF") || begins(p, "DTLZ") || begins(p, "C2-") || begins(p, "IDTLZ") ||
                 (wfg && (p->member >= 4 && p->member != 8));
    if (!known || bends)
        return false;
    suite_bounds(p, lower, upper, whole);
    int position = wfg ? suite_wfg_position(p->m) : p->m - 1;
    for (int j = 0; j < p->n; j++) {
        double u = gdyn_random_uniform(random);
        x[j] = j < position ? u : wfg ? 0.35 : p->member == 7 ? 0 : 0.5;
        if ((p->member == 4 && begins(p, "DTLZ4")) || begins(p, "MaF5"))
            x[j] = j < position ? pow(u, 0.01) : 0.5;
    }
    if (wfg && p->member == 9)
        wfg9_best(p->n, position, x);
    if (begins(p, "MaF13")) {
        x[1] = gdyn_random_uniform(random);
        for (int j = 2; j < p->n; j++)
            x[j] = maf13_best(x, j, p->n);
    }
    /* The polygon, by weights of its corners. */
    double sum = 0, weight[SUITE_OBJECTIVES];
    for (int i = 0; begins(p, "MaF8") && i < p->m; i++) {
        weight[i] = -log(1 - gdyn_random_uniform(random)), sum += weight[i];
        x[0] = i > 0 ? x[0] : 0, x[1] = i > 0 ? x[1] : 0;
        double angle = dtlz_pi / 2 - 2 * dtlz_pi * i / p->m;
        x[0] += weight[i] * cos(angle), x[1] += weight[i] * sin(angle);
    }
    if (sum > 0)
        x[0] /= sum, x[1] /= sum;
    return true;
}

/* --- the table ------------------------------------------------------------------------------- */

static const double unit_box[][2] = {{0, 1}}, polygon_box[][2] = {{-10000, 10000}},
                    maf13_box[][2] = {{0, 1}, {0, 1}, {-2, 2}};

const suite_problem suite_many[] = {
    {"MaF1-5", "many", 14, 5, 0, unit_box, 1, 0, maf, 1, 0, 0},
    {"MaF2-4", "many", 13, 4, 0, unit_box, 1, 0, maf, 2, 0, 0},
    {"MaF2-10", "many", 19, 10, 0, unit_box, 1, 0, maf, 2, 0, 0},
    {"MaF3-5", "many", 14, 5, 0, unit_box, 1, 0, maf, 3, 0, 0},
    {"MaF4-5", "many", 14, 5, 0, unit_box, 1, 0, maf, 4, 0, 0},
    {"MaF5-8", "many", 17, 8, 0, unit_box, 1, 0, maf, 5, 0, 0},
    {"MaF6-5", "many", 14, 5, 0, unit_box, 1, 0, maf, 6, 0, 0},
    {"MaF8-10", "many", 2, 10, 0, polygon_box, 1, 0, maf, 8, 0, 0},
    {"MaF13-5", "many", 5, 5, 0, maf13_box, 3, 0, maf, 13, 0, 0},
    {"MaF13-10", "many", 5, 10, 0, maf13_box, 3, 0, maf, 13, 0, 0},
    {"DTLZ2-8", "many", 17, 8, 0, unit_box, 1, 0, dtlz, 2, 0, 0},
    {"DTLZ4-10", "many", 19, 10, 0, unit_box, 1, 0, dtlz, 4, 0, 0},
    {"DTLZ5-8", "many", 17, 8, 0, unit_box, 1, 0, dtlz, 5, 0, 0},
    {"IDTLZ2-8", "many", 17, 8, 0, unit_box, 1, 0, dtlz, 12, 0, 0},
    {"C2-DTLZ2-4", "many", 13, 4, 1, unit_box, 1, 0, c2_dtlz2, 2, 0, 0},
    {"C2-DTLZ2-8", "many", 17, 8, 1, unit_box, 1, 0, c2_dtlz2, 2, 0, 0},
    {"squares-15", "many", 15, 15, 0, unit_box, 1, 0, squares, 15, 0, 0},
};
const int suite_many_count = sizeof suite_many / sizeof *suite_many;
