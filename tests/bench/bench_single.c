/* bench_single.c - the default search on problems of one objective whose optimum is known.
 *
 * Usage: bench_single [--variables N]... [--instances FROM TO] [--budget N] [--method NAME]
 *                     [--nlopt NAME] [--group bbob|cec|mixed]... [--only NAME]... [--verbose]
 *
 * bbob: the 24 noiseless functions of Hansen, Finck, Ros, Auger, Real-parameter black-box
 * optimization benchmarking 2009: noiseless functions definitions (INRIA RR-6829), with rotations
 * and optima of our own: an instance is a seed of them and of the search. A run counts when it
 * comes within 1e-2, 1e-4, 1e-7 of the optimum. cec: problems of Liang et al., Problem definitions
 * of CEC 2006 (tests/bench/suite_classics.c has others), with equalities as such, tolerance 1e-4;
 * an instance is a seed of the search. Relative to the optimum, where it is above 1. Left out: g20,
 * of which no feasible design is known, and g22, which is hardly ever solved. mixed:
 * functions of whole and continuous variables as in bbob-mixint (Tusar, Brockhoff, Hansen 2019),
 * and the problems of suite_classics.c with whole variables.
 *
 * Instances 101 and above are those that methods are tuned on, 1 to 100 those that they are judged
 * by. */
#include "suite_search.h"

#include "base/random.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { D_MOST = 40, PEAKS_MOST = 101, C_MOST = 40, LEVELS = 3 };
static const double pi = 3.14159265358979323846, EQUAL = 1e-4;
static const double level[LEVELS] = {1e-2, 1e-4, 1e-7};

/* One problem of one instance. */
typedef struct single {
    char name[40];
    int n, constraints, number;
    double lower[D_MOST], upper[D_MOST], equality[C_MOST];
    bool whole[D_MOST];
    double best;
    void (*evaluate)(struct single *p, const double *x, double *f, double *g);
    const suite_problem *classic;
    /* bbob */
    double optimum[D_MOST], sign[D_MOST], R[D_MOST][D_MOST], Q[D_MOST][D_MOST];
    int peaks;
    double peak[PEAKS_MOST][D_MOST], weight[PEAKS_MOST], scale[PEAKS_MOST][D_MOST];
} single;

/* --- transformations (RR-6829, section 0.2) --------------------------------------------------- */

static double sq(double x) {
    return x * x;
}

static double exponent(int i, int n) {
    return n > 1 ? (double)i / (n - 1) : 0;
}

static double oscillate(double x) {
    double c1 = x > 0 ? 10 : 5.5, c2 = x > 0 ? 7.9 : 3.1;
    double h = x != 0 ? log(fabs(x)) : 0;
    return x == 0 ? 0 : copysign(exp(h + 0.049 * (sin(c1 * h) + sin(c2 * h))), x);
}

static void oscillate_all(int n, double *z) {
    for (int i = 0; i < n; i++)
        z[i] = oscillate(z[i]);
}

static void skew(int n, double beta, double *z) {
    for (int i = 0; i < n; i++)
        if (z[i] > 0)
            z[i] = pow(z[i], 1 + beta * exponent(i, n) * sqrt(z[i]));
}

static void stretch(int n, double alpha, double *z) {
    for (int i = 0; i < n; i++)
        z[i] *= pow(alpha, 0.5 * exponent(i, n));
}

static void turn(int n, double M[][D_MOST], double *z) {
    double y[D_MOST];
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += M[i][j] * z[j];
    }
    memcpy(z, y, (size_t)n * sizeof *z);
}

static double beyond(int n, const double *x) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += sq(fmax(0, fabs(x[i]) - 5));
    return sum;
}

static double length2(int n, const double *z) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += z[i] * z[i];
    return sum;
}

static double rastrigin(int n, const double *z) {
    double sum = 10 * n + length2(n, z);
    for (int i = 0; i < n; i++)
        sum -= 10 * cos(2 * pi * z[i]);
    return sum;
}

static double ellipsoid(int n, double decades, const double *z) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += pow(10, decades * exponent(i, n)) * sq(z[i]);
    return sum;
}

static double rosenbrock(int n, const double *z) {
    double sum = 0;
    for (int i = 0; i + 1 < n; i++)
        sum += 100 * sq(sq(z[i]) - z[i + 1]) + sq(z[i] - 1);
    return sum;
}

/* --- the functions of several lines ----------------------------------------------------------- */

static double attractive_sector(single *p, double *z) {
    int n = p->n;
    double sum = 0;
    turn(n, p->R, z), stretch(n, 10, z), turn(n, p->Q, z);
    for (int i = 0; i < n; i++)
        sum += sq((z[i] * p->optimum[i] > 0 ? 100 : 1) * z[i]);
    return pow(oscillate(sum), 0.9);
}

static double step_ellipsoid(single *p, double *z) {
    int n = p->n;
    turn(n, p->R, z), stretch(n, 10, z);
    double first = fabs(z[0]);
    for (int i = 0; i < n; i++)
        z[i] = fabs(z[i]) > 0.5 ? floor(0.5 + z[i]) : floor(0.5 + 10 * z[i]) / 10;
    turn(n, p->Q, z);
    return 0.1 * fmax(first / 1e4, ellipsoid(n, 2, z));
}

static double weierstrass(single *p, double *z) {
    int n = p->n;
    double sum = 0, f0 = 0;
    turn(n, p->R, z), oscillate_all(n, z), turn(n, p->Q, z), stretch(n, 0.01, z), turn(n, p->R, z);
    for (int k = 0; k < 12; k++) {
        f0 += pow(0.5, k) * cos(pi * pow(3, k));
        for (int i = 0; i < n; i++)
            sum += pow(0.5, k) * cos(2 * pi * pow(3, k) * (z[i] + 0.5));
    }
    return 10 * pow(sum / n - f0, 3);
}

static double schaffers(single *p, double alpha, double *z) {
    int n = p->n;
    double sum = 0;
    turn(n, p->R, z), skew(n, 0.5, z), turn(n, p->Q, z), stretch(n, alpha, z);
    for (int i = 0; i + 1 < n; i++) {
        double s = sqrt(sq(z[i]) + sq(z[i + 1]));
        sum += sqrt(s) * (1 + sq(sin(50 * pow(s, 0.2))));
    }
    return sq(sum / (n - 1));
}

static double griewank_rosenbrock(int n, const double *z) {
    double sum = 0;
    for (int i = 0; i + 1 < n; i++) {
        double s = 100 * sq(sq(z[i]) - z[i + 1]) + sq(z[i] - 1);
        sum += s / 4000 - cos(s);
    }
    return 10 * sum / (n - 1) + 10;
}

static double schwefel(single *p, const double *x) {
    int n = p->n;
    double y[D_MOST], z[D_MOST], sum = 0;
    for (int i = 0; i < n; i++)
        y[i] = 2 * p->sign[i] * x[i];
    for (int i = 0; i < n; i++)
        z[i] = y[i] + (i > 0 ? 0.25 * (y[i - 1] - 2 * fabs(p->optimum[i - 1])) : 0);
    for (int i = 0; i < n; i++) {
        double centre = 2 * fabs(p->optimum[i]);
        z[i] = 100 * (pow(10, 0.5 * exponent(i, n)) * (z[i] - centre) + centre);
        sum += z[i] * sin(sqrt(fabs(z[i])));
        y[i] = z[i] / 100;
    }
    return -sum / (100 * n) + 4.189828872724339 + 100 * beyond(n, y);
}

static double gallagher(single *p, const double *x) {
    int n = p->n;
    double greatest = 0;
    for (int k = 0; k < p->peaks; k++) {
        double z[D_MOST], sum = 0;
        for (int i = 0; i < n; i++)
            z[i] = x[i] - p->peak[k][i];
        turn(n, p->R, z);
        for (int i = 0; i < n; i++)
            sum += p->scale[k][i] * sq(z[i]);
        greatest = fmax(greatest, p->weight[k] * exp(-sum / (2 * n)));
    }
    return sq(oscillate(10 - greatest)) + beyond(n, x);
}

static double katsuura(single *p, double *z) {
    int n = p->n;
    double product = 1;
    turn(n, p->R, z), stretch(n, 100, z), turn(n, p->Q, z);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 1; j <= 32; j++)
            sum += fabs(ldexp(z[i], j) - round(ldexp(z[i], j))) / ldexp(1, j);
        product *= pow(1 + (i + 1) * sum, 10 / pow(n, 1.2));
    }
    return 10 / sq(n) * (product - 1);
}

static double lunacek(single *p, const double *x) {
    const double mu0 = 2.5, d = 1;
    int n = p->n;
    double s = 1 - 1 / (2 * sqrt(n + 20.0) - 8.2), mu1 = -sqrt((sq(mu0) - d) / s);
    double near = 0, far = 0, z[D_MOST];
    for (int i = 0; i < n; i++) {
        double y = 2 * p->sign[i] * x[i];
        near += sq(y - mu0), far += sq(y - mu1), z[i] = y - mu0;
    }
    turn(n, p->R, z), stretch(n, 100, z), turn(n, p->Q, z);
    return fmin(near, d * n + s * far) + rastrigin(n, z) - length2(n, z) + 1e4 * beyond(n, x);
}

static double linear_slope(single *p, const double *x) {
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
        double s = p->sign[i] * pow(10, exponent(i, p->n));
        sum += 5 * fabs(s) - s * (p->sign[i] * x[i] < 5 ? x[i] : 5 * p->sign[i]);
    }
    return sum;
}

static double bueche(single *p, double *z) {
    oscillate_all(p->n, z);
    for (int i = 0; i < p->n; i++)
        z[i] *= pow(10, 0.5 * exponent(i, p->n)) * (z[i] > 0 && i % 2 == 0 ? 10 : 1);
    return rastrigin(p->n, z);
}

static double ridge(single *p, double *z) {
    turn(p->n, p->R, z), stretch(p->n, 10, z), turn(p->n, p->Q, z);
    return sq(z[0]) + 100 * sqrt(length2(p->n - 1, z + 1));
}

static double different_powers(int n, const double *z) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += pow(fabs(z[i]), 2 + 4 * exponent(i, n));
    return sqrt(sum);
}

static double turned_rastrigin(single *p, double *z) {
    int n = p->n;
    turn(n, p->R, z), oscillate_all(n, z), skew(n, 0.2, z);
    turn(n, p->Q, z), stretch(n, 10, z), turn(n, p->R, z);
    return rastrigin(n, z);
}

static double bbob(single *p, int number, const double *x) {
    int n = p->n;
    double z[D_MOST], factor = fmax(1, sqrt(n) / 8), y[D_MOST];
    for (int i = 0; i < n; i++)
        z[i] = x[i] - p->optimum[i], y[i] = factor * x[i];
    turn(n, p->R, y);
    for (int i = 0; i < n; i++)
        y[i] += 0.5;
    double pen = beyond(n, x);
    switch (number) {
    case 1:
        return length2(n, z);
    case 2:
        return oscillate_all(n, z), ellipsoid(n, 6, z);
    case 3:
        return oscillate_all(n, z), skew(n, 0.2, z), stretch(n, 10, z), rastrigin(n, z);
    case 4:
        return bueche(p, z) + 100 * pen;
    case 5:
        return linear_slope(p, x);
    case 6:
        return attractive_sector(p, z);
    case 7:
        return step_ellipsoid(p, z) + pen;
    case 8:
        for (int i = 0; i < n; i++)
            z[i] = factor * z[i] + 1;
        return rosenbrock(n, z);
    case 9:
        return rosenbrock(n, y);
    case 10:
        return turn(n, p->R, z), oscillate_all(n, z), ellipsoid(n, 6, z);
    case 11:
        turn(n, p->R, z), oscillate_all(n, z);
        return length2(n, z) + (1e6 - 1) * sq(z[0]);
    case 12:
        turn(n, p->R, z), skew(n, 0.5, z), turn(n, p->R, z);
        return 1e6 * length2(n, z) - (1e6 - 1) * sq(z[0]);
    case 13:
        return ridge(p, z);
    case 14:
        return turn(n, p->R, z), different_powers(n, z);
    case 15:
        return turned_rastrigin(p, z);
    case 16:
        return weierstrass(p, z) + 10.0 / n * pen;
    case 17:
        return schaffers(p, 10, z) + 10 * pen;
    case 18:
        return schaffers(p, 1000, z) + 10 * pen;
    case 19:
        return griewank_rosenbrock(n, y);
    case 20:
        return schwefel(p, x);
    case 21:
    case 22:
        return gallagher(p, x);
    case 23:
        return katsuura(p, z) + pen;
    default:
        return lunacek(p, x);
    }
}

static void evaluate_bbob(single *p, const double *x, double *f, double *g) {
    (void)g;
    *f = bbob(p, p->number, x);
}

/* --- instances -------------------------------------------------------------------------------- */

/* A matrix of normal numbers, made orthogonal column by column (Gram, Schmidt). */
static void make_rotation(gdyn_random *random, int n, double M[][D_MOST]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            M[i][j] = gdyn_random_normal(random);
        for (int k = 0; k < i; k++) {
            double dot = 0;
            for (int j = 0; j < n; j++)
                dot += M[i][j] * M[k][j];
            for (int j = 0; j < n; j++)
                M[i][j] -= dot * M[k][j];
        }
        double length = sqrt(length2(n, M[i]));
        for (int j = 0; j < n; j++)
            M[i][j] /= length;
    }
}

static void shuffle(gdyn_random *random, int n, double *list) {
    for (int i = n - 1; i > 0; i--) {
        int k = gdyn_random_below(random, i + 1);
        double t = list[i];
        list[i] = list[k], list[k] = t;
    }
}

static void make_peaks(gdyn_random *random, single *p) {
    bool many = p->number == 21;
    p->peaks = many ? 101 : 21;
    double alpha[PEAKS_MOST];
    for (int k = 1; k < p->peaks; k++)
        alpha[k] = pow(1000, 2.0 * (k - 1) / (p->peaks - 2));
    shuffle(random, p->peaks - 1, alpha + 1);
    alpha[0] = many ? 1000 : 1e6;
    for (int k = 0; k < p->peaks; k++) {
        double far = k == 0 ? (many ? 4 : 3.92) : many ? 5 : 4.9;
        p->weight[k] = k == 0 ? 10 : 1.1 + 8.0 * (k - 1) / (p->peaks - 2);
        for (int i = 0; i < p->n; i++) {
            p->peak[k][i] = gdyn_random_between(random, -far, far);
            p->scale[k][i] = pow(alpha[k], 0.5 * exponent(i, p->n)) / pow(alpha[k], 0.25);
        }
        shuffle(random, p->n, p->scale[k]);
    }
}

static void make_bbob(single *p, int number, int n, uint64_t instance) {
    gdyn_random random = gdyn_random_stream(instance, (uint64_t)number, (uint64_t)n);
    *p = (single){.n = n, .number = number, .evaluate = evaluate_bbob};
    snprintf(p->name, sizeof p->name, "f%d", number);
    make_rotation(&random, n, p->R), make_rotation(&random, n, p->Q);
    double far = number == 8 ? 3 : 4, fixed = number == 20 ? 4.2096874633 / 2 : 1.25;
    for (int i = 0; i < n; i++) {
        p->lower[i] = -5, p->upper[i] = 5;
        p->sign[i] = gdyn_random_uniform(&random) < 0.5 ? -1 : 1;
        p->optimum[i] = number == 20 || number == 24 ? p->sign[i] * fixed
                                                     : gdyn_random_between(&random, -far, far);
        if (number == 4 && i % 2 == 0)
            p->optimum[i] = fabs(p->optimum[i]);
    }
    if (number == 21 || number == 22)
        make_peaks(&random, p);
}

/* --- CEC 2006: those with equalities, and those that suite_classics.c has not ----------------- */

static void g02(single *p, const double *x, double *f, double *g) {
    double fourth = 0, product = 1, sum = 0, all = 1, total = 0;
    for (int i = 0; i < p->n; i++) {
        fourth += pow(cos(x[i]), 4), product *= sq(cos(x[i])), sum += (i + 1) * sq(x[i]);
        all *= x[i], total += x[i];
    }
    *f = sum > 0 ? -fabs(fourth - 2 * product) / sqrt(sum) : 0;
    g[0] = 0.75 - all, g[1] = total - 7.5 * p->n;
}

static void g03(single *p, const double *x, double *f, double *g) {
    *f = -1, *g = length2(p->n, x) - 1;
    for (int i = 0; i < p->n; i++)
        *f *= sqrt(p->n) * x[i];
}

static void g05(single *p, const double *x, double *f, double *g) {
    (void)p;
    *f = 3 * x[0] + 1e-6 * pow(x[0], 3) + 2 * x[1] + 2e-6 / 3 * pow(x[1], 3);
    g[0] = x[2] - x[3] - 0.55, g[1] = x[3] - x[2] - 0.55;
    g[2] = 1000 * (sin(-x[2] - 0.25) + sin(-x[3] - 0.25)) + 894.8 - x[0];
    g[3] = 1000 * (sin(x[2] - 0.25) + sin(x[2] - x[3] - 0.25)) + 894.8 - x[1];
    g[4] = 1000 * (sin(x[3] - 0.25) + sin(x[3] - x[2] - 0.25)) + 1294.8;
}

static void g11(single *p, const double *x, double *f, double *g) {
    (void)p;
    *f = sq(x[0]) + sq(x[1] - 1), *g = x[1] - sq(x[0]);
}

static void g12(single *p, const double *x, double *f, double *g) {
    (void)p;
    double least = INFINITY;
    for (int k = 0; k < 729; k++)
        least =
            fmin(least, sq(x[0] - k % 9 - 1) + sq(x[1] - k / 9 % 9 - 1) + sq(x[2] - k / 81 - 1));
    *f = -1 + (sq(x[0] - 5) + sq(x[1] - 5) + sq(x[2] - 5)) / 100, *g = least - 0.0625;
}

static void g13(single *p, const double *x, double *f, double *g) {
    *f = exp(x[0] * x[1] * x[2] * x[3] * x[4]);
    g[0] = length2(p->n, x) - 10;
    g[1] = x[1] * x[2] - 5 * x[3] * x[4];
    g[2] = pow(x[0], 3) + pow(x[1], 3) + 1;
}

static void g14(single *p, const double *x, double *f, double *g) {
    static const double c[] = {-6.089,  -17.164, -34.054, -5.914,  -24.721,
                               -14.986, -24.1,   -10.708, -26.662, -22.179};
    double sum = 0;
    *f = 0;
    for (int i = 0; i < p->n; i++)
        sum += x[i];
    for (int i = 0; i < p->n; i++)
        *f += x[i] > 0 ? x[i] * (c[i] + log(x[i] / sum)) : 0;
    g[0] = x[0] + 2 * x[1] + 2 * x[2] + x[5] + x[9] - 2;
    g[1] = x[3] + 2 * x[4] + x[5] + x[6] - 1;
    g[2] = x[2] + x[6] + x[7] + 2 * x[8] + x[9] - 1;
}

static void g15(single *p, const double *x, double *f, double *g) {
    *f = 1000 - sq(x[0]) - 2 * sq(x[1]) - sq(x[2]) - x[0] * x[1] - x[0] * x[2];
    g[0] = length2(p->n, x) - 25;
    g[1] = 8 * x[0] + 14 * x[1] + 7 * x[2] - 56;
}

/* Carlson 1971: y[0], c[0] are y_1, c_1 of the definition. */
static void g16(single *p, const double *x, double *f, double *g) {
    static const double bound[17][2] = {
        {213.1, 405.23},      {17.505, 1053.6667},   {11.275, 35.03},     {214.228, 665.585},
        {7.458, 584.463},     {0.961, 265.916},      {1.612, 7.046},      {0.146, 0.222},
        {107.99, 273.366},    {922.693, 1286.105},   {926.832, 1444.046}, {18.766, 537.141},
        {1072.163, 3247.039}, {8961.448, 26844.086}, {0.063, 0.386},      {71084.33, 140000},
        {2802713, 12146108}};
    double y[17], c[17];
    (void)p;
    y[0] = x[1] + x[2] + 41.6, c[0] = 0.024 * x[3] - 4.62;
    y[1] = 12.5 / c[0] + 12, c[1] = 0.0003535 * sq(x[0]) + 0.5311 * x[0] + 0.08705 * y[1] * x[0];
    c[2] = 0.052 * x[0] + 78 + 0.002377 * y[1] * x[0];
    y[2] = c[1] / c[2], y[3] = 19 * y[2];
    c[3] = 0.04782 * (x[0] - y[2]) + 0.1956 * sq(x[0] - y[2]) / x[1] + 0.6376 * y[3] + 1.594 * y[2];
    c[4] = 100 * x[1], c[5] = x[0] - y[2] - y[3], c[6] = 0.95 - c[3] / c[4];
    y[4] = c[5] * c[6], y[5] = x[0] - y[4] - y[3] - y[2], c[7] = (y[4] + y[3]) * 0.995;
    y[6] = c[7] / y[0], y[7] = c[7] / 3798, c[8] = y[6] - 0.0663 * y[6] / y[7] - 0.3153;
    y[8] = 96.82 / c[8] + 0.321 * y[0];
    y[9] = 1.29 * y[4] + 1.258 * y[3] + 2.29 * y[2] + 1.71 * y[5];
    y[10] = 1.71 * x[0] - 0.452 * y[3] + 0.58 * y[2];
    c[9] = 12.3 / 752.3, c[10] = 1.75 * y[1] * 0.995 * x[0], c[11] = 0.995 * y[9] + 1998;
    y[11] = c[9] * x[0] + c[10] / c[11], y[12] = c[11] - 1.75 * y[1];
    y[13] = 3623 + 64.4 * x[1] + 58.4 * x[2] + 146312 / (y[8] + x[4]);
    c[12] = 0.995 * y[9] + 60.8 * x[1] + 48 * x[3] - 0.1121 * y[13] - 5095;
    y[14] = y[12] / c[12], y[15] = 148000 - 331000 * y[14] + 40 * y[12] - 61 * y[14] * y[12];
    c[13] = 2324 * y[9] - 28740000 * y[1];
    y[16] = 14130000 - 1328 * y[9] - 531 * y[10] + c[13] / c[11];
    c[14] = y[12] / y[14] - y[12] / 0.52, c[15] = 1.104 - 0.72 * y[14], c[16] = y[8] + x[4];
    *f = 0.000117 * y[13] + 0.1365 + 0.00002358 * y[12] + 0.000001502 * y[15] + 0.0321 * y[11] +
         0.004324 * y[4] + 0.0001 * c[14] / c[15] + 37.48 * y[1] / c[11] - 0.0000005843 * y[16];
    g[0] = 0.28 / 0.72 * y[4] - y[3], g[1] = x[2] - 1.5 * x[1], g[2] = 3496 * y[1] / c[11] - 21;
    g[3] = 110.6 + y[0] - 62212 / c[16];
    for (int i = 0; i < 17; i++)
        g[4 + 2 * i] = bound[i][0] - y[i], g[5 + 2 * i] = y[i] - bound[i][1];
}

static void g17(single *p, const double *x, double *f, double *g) {
    (void)p;
    const double k = 131.078, a = 1.48477, b = 1.47588, c = 0.90798;
    double both = x[2] * x[3] / k, third = c * sq(x[2]) / k, fourth = c * sq(x[3]) / k;
    *f = (x[0] < 300 ? 30 : 31) * x[0] + (x[1] < 100 ? 28 : x[1] < 200 ? 29 : 30) * x[1];
    g[0] = 300 - x[0] - both * cos(a - x[5]) + third * cos(b);
    g[1] = -x[1] - both * cos(a + x[5]) + fourth * cos(b);
    g[2] = -x[4] - both * sin(a + x[5]) + fourth * sin(b);
    g[3] = 200 - both * sin(a - x[5]) + third * sin(b);
}

static void g18(single *p, const double *x, double *f, double *g) {
    (void)p;
    *f = -0.5 * (x[0] * x[3] - x[1] * x[2] + x[2] * x[8] - x[4] * x[8] + x[4] * x[7] - x[5] * x[6]);
    g[0] = sq(x[2]) + sq(x[3]) - 1, g[1] = sq(x[8]) - 1, g[2] = sq(x[4]) + sq(x[5]) - 1;
    g[3] = sq(x[0]) + sq(x[1] - x[8]) - 1;
    for (int k = 0; k < 2; k++) {
        g[4 + k] = sq(x[0] - x[4 + 2 * k]) + sq(x[1] - x[5 + 2 * k]) - 1;
        g[6 + k] = sq(x[2] - x[4 + 2 * k]) + sq(x[3] - x[5 + 2 * k]) - 1;
    }
    g[8] = sq(x[6]) + sq(x[7] - x[8]) - 1, g[9] = x[1] * x[2] - x[0] * x[3];
    g[10] = -x[2] * x[8], g[11] = x[4] * x[8], g[12] = x[5] * x[6] - x[4] * x[7];
}

/* Colville 1968, the dual of his second problem. */
static void g19(single *p, const double *x, double *f, double *g) {
    static const double A[10][5] = {{-16, 2, 0, 1, 0},    {0, -2, 0, 0.4, 2},   {-3.5, 0, 2, 0, 0},
                                    {0, -2, 0, -4, -1},   {0, -9, -2, 1, -2.8}, {2, 0, -4, 0, 0},
                                    {-1, -1, -1, -1, -1}, {-1, -2, -3, -2, -1}, {1, 2, 3, 4, 5},
                                    {1, 1, 1, 1, 1}};
    static const double b[10] = {-40, -2, -0.25, -4, -4, -1, -40, -60, 5, 1};
    static const double C[5][5] = {{30, -20, -10, 32, -10},
                                   {-20, 39, -6, -31, 32},
                                   {-10, -6, 10, -6, -10},
                                   {32, -31, -6, 39, -20},
                                   {-10, 32, -10, -20, 30}};
    static const double d[5] = {4, 8, 10, 6, 2}, e[5] = {-15, -27, -36, -18, -12};
    (void)p;
    *f = 0;
    for (int i = 0; i < 10; i++)
        *f -= b[i] * x[i];
    for (int j = 0; j < 5; j++) {
        double sum = 0;
        for (int i = 0; i < 5; i++)
            sum += C[i][j] * x[10 + i];
        *f += sum * x[10 + j] + 2 * d[j] * pow(x[10 + j], 3);
        g[j] = -2 * sum - 3 * d[j] * sq(x[10 + j]) - e[j];
        for (int i = 0; i < 10; i++)
            g[j] += A[i][j] * x[i];
    }
}

static void g21(single *p, const double *x, double *f, double *g) {
    (void)p;
    *f = x[0];
    g[0] = -x[0] + 35 * pow(x[1], 0.6) + 35 * pow(x[2], 0.6);
    g[1] = (x[2] - 25 * (x[4] - x[5])) * x[3] - 300 * x[2] + 7500 * (x[4] - x[5]);
    g[2] = 100 * x[1] + 155.365 * x[3] + 2500 * x[6] - x[1] * x[3] - 25 * x[3] * x[6] - 15536.5;
    g[3] = -x[4] + log(900 - x[3]), g[4] = -x[5] + log(x[3] + 300);
    g[5] = -x[6] + log(700 - 2 * x[3]);
}

static void g23(single *p, const double *x, double *f, double *g) {
    (void)p;
    *f = -9 * x[4] - 15 * x[7] + 6 * x[0] + 16 * x[1] + 10 * (x[5] + x[6]);
    g[0] = x[8] * x[2] + 0.02 * x[5] - 0.025 * x[4];
    g[1] = x[8] * x[3] + 0.02 * x[6] - 0.015 * x[7];
    g[2] = x[0] + x[1] - x[2] - x[3];
    g[3] = 0.03 * x[0] + 0.01 * x[1] - x[8] * (x[2] + x[3]);
    g[4] = x[2] + x[5] - x[4], g[5] = x[3] + x[6] - x[7];
}

static void g24(single *p, const double *x, double *f, double *g) {
    (void)p;
    double a = x[0];
    *f = -a - x[1];
    g[0] = ((-2 * a + 8) * a - 8) * sq(a) + x[1] - 2;
    g[1] = (((-4 * a + 32) * a - 88) * a + 96) * a + x[1] - 36;
}

/* Inequalities come first, then equalities. A box of fewer rows ends with that of the other
 * variables. */
static const struct {
    const char *name;
    void (*evaluate)(single *p, const double *x, double *f, double *g);
    int n, unequal, equal;
    double best;
    double box[9][2];
} cec[] = {
    {"g02", g02, 20, 2, 0, -0.80361910412559, {{0, 10}}},
    {"g03", g03, 10, 0, 1, -1.00050010001, {{0, 1}}},
    {"g05", g05, 4, 2, 3, 5126.4967140071, {{0, 1200}, {0, 1200}, {-0.55, 0.55}}},
    {"g11", g11, 2, 0, 1, 0.7499, {{-1, 1}}},
    {"g12", g12, 3, 1, 0, -1, {{0, 10}}},
    {"g13", g13, 5, 0, 3, 0.053941514041898, {{-2.3, 2.3}, {-2.3, 2.3}, {-3.2, 3.2}}},
    {"g14", g14, 10, 0, 3, -47.7648884594915, {{0, 10}}},
    {"g15", g15, 3, 0, 2, 961.715022289961, {{0, 10}}},
    {"g16",
     g16,
     5,
     38,
     0,
     -1.90515525853479,
     {{704.4148, 906.3855}, {68.6, 288.88}, {0, 134.75}, {193, 287.0966}, {25, 84.1988}}},
    {"g17",
     g17,
     6,
     0,
     4,
     8853.53967480648,
     {{0, 400}, {0, 1000}, {340, 420}, {340, 420}, {-1000, 1000}, {0, 0.5236}}},
    {"g18",
     g18,
     9,
     13,
     0,
     -0.866025403784439,
     {{-10, 10},
      {-10, 10},
      {-10, 10},
      {-10, 10},
      {-10, 10},
      {-10, 10},
      {-10, 10},
      {-10, 10},
      {0, 20}}},
    {"g19", g19, 15, 5, 0, 32.6555929502463, {{0, 10}}},
    {"g21",
     g21,
     7,
     1,
     5,
     193.724510070035,
     {{0, 1000}, {0, 40}, {0, 40}, {100, 300}, {6.3, 6.7}, {5.9, 6.4}, {4.5, 6.25}}},
    {"g23",
     g23,
     9,
     2,
     4,
     -400.055099999999584,
     {{0, 300},
      {0, 300},
      {0, 100},
      {0, 200},
      {0, 100},
      {0, 300},
      {0, 100},
      {0, 200},
      {0.01, 0.03}}},
    {"g24", g24, 2, 2, 0, -5.50801327159536, {{0, 3}, {0, 4}}},
};
enum { CEC = sizeof cec / sizeof *cec };

static void make_cec(single *p, int k) {
    int rows = 1;
    while (rows < 9 && cec[k].box[rows][1] > cec[k].box[rows][0])
        rows++;
    *p = (single){.n = cec[k].n,
                  .constraints = cec[k].unequal + cec[k].equal,
                  .best = cec[k].best,
                  .evaluate = cec[k].evaluate};
    snprintf(p->name, sizeof p->name, "%s", cec[k].name);
    for (int i = 0; i < p->n; i++) {
        p->lower[i] = cec[k].box[i < rows ? i : rows - 1][0];
        p->upper[i] = cec[k].box[i < rows ? i : rows - 1][1];
    }
    for (int j = cec[k].unequal; j < p->constraints; j++)
        p->equality[j] = EQUAL;
}

/* --- whole variables -------------------------------------------------------------------------- */

static void evaluate_mixed(single *p, const double *x, double *f, double *g) {
    static const int number[] = {1, 2, 3, 15};
    double y[D_MOST];
    (void)g;
    /* Whole variables 0 .. k stand for -4 .. 4 with the optimum at one of them. */
    for (int i = 0; i < p->n; i++)
        y[i] = p->whole[i] ? p->optimum[i] + (x[i] - p->sign[i]) * 8 / p->upper[i] : x[i];
    *f = bbob(p, number[p->number], y);
}

static void make_mixed(single *p, int number, int n, uint64_t instance) {
    static const char *const names[] = {"sphere", "ellipsoid", "rastrigin", "turned-rastrigin"};
    static const int values[] = {2, 4, 8, 16};
    gdyn_random random = gdyn_random_stream(instance, (uint64_t)(50 + number), (uint64_t)n);
    *p = (single){.n = n, .number = number, .evaluate = evaluate_mixed};
    snprintf(p->name, sizeof p->name, "%s-%d", names[number], n);
    make_rotation(&random, n, p->R), make_rotation(&random, n, p->Q);
    for (int i = 0; i < n; i++) {
        int group = 5 * i / n;
        p->whole[i] = group < 4;
        p->lower[i] = group < 4 ? 0 : -5, p->upper[i] = group < 4 ? values[group] - 1 : 5;
        p->optimum[i] = gdyn_random_between(&random, -4, 4);
        p->sign[i] = group < 4 ? gdyn_random_below(&random, values[group]) : 1;
    }
}

static void evaluate_classic(single *p, const double *x, double *f, double *g) {
    p->classic->evaluate(p->classic, x, f, g);
}

static void make_classic(single *p, const suite_problem *classic) {
    *p = (single){.n = classic->n,
                  .constraints = classic->constraints,
                  .best = classic->best,
                  .evaluate = evaluate_classic,
                  .classic = classic};
    snprintf(p->name, sizeof p->name, "%s", classic->name);
    suite_bounds(classic, p->lower, p->upper, p->whole);
}

/* --- runs ------------------------------------------------------------------------------------- */

typedef struct single_plan {
    gdyn_search_options options;
    int from, to, variables[4], dimensions;
    const char *group[4], *only[32];
    int groups, names;
    bool verbose;
} single_plan;

static bool listed(int count, const char *const *list, const char *name) {
    for (int k = 0; k < count; k++)
        if (strcmp(list[k], name) == 0)
            return true;
    return count == 0;
}

/* Least error of a run; reached[k]: evaluations until level k, 0: never. */
static double run(const single_plan *plan, single *p, uint64_t seed, long reached[LEVELS]) {
    gdyn_search_problem problem = {.variables = p->n,
                                   .objectives = 1,
                                   .lower = p->lower,
                                   .upper = p->upper,
                                   .integer = p->whole,
                                   .constraints = p->constraints,
                                   .equality = p->equality};
    gdyn_search_options options = plan->options;
    options.seed = seed;
    gdyn_search *search;
    double least = INFINITY;
    if (gdyn_search_create(&problem, &options, &search))
        exit(70);
    memset(reached, 0, LEVELS * sizeof *reached);
    while (gdyn_search_state(search).stop == GDYN_SEARCH_RUNNING) {
        int count = gdyn_search_ask(search);
        for (int i = 0; i < count; i++) {
            double f, g[C_MOST] = {0}, violation = 0;
            p->evaluate(p, gdyn_search_design(search, i), &f, g);
            for (int j = 0; j < p->constraints; j++)
                violation += fmax(p->equality[j] > 0 ? fabs(g[j]) - p->equality[j] : g[j], 0);
            gdyn_search_tell(
                search, i,
                &(gdyn_search_outcome){.objective = &f, .violation = violation, .constraint = g});
            double error = (f - p->best) / fmax(1, fabs(p->best));
            least = violation == 0 && error < least ? error : least;
            for (int k = 0; k < LEVELS; k++)
                if (least <= level[k] && !reached[k])
                    reached[k] = gdyn_search_serial(search, i) + 1;
        }
        if (gdyn_search_advance(search))
            exit(70);
    }
    gdyn_search_destroy(search);
    return least;
}

/* All instances of a problem; counts those that reach the levels. */
static void run_instances(const single_plan *plan, void make(single *, int, int, uint64_t),
                          int number, int n, int total[LEVELS]) {
    static single p;
    make(&p, number, n, (uint64_t)plan->from);
    if (!listed(plan->names, plan->only, p.name))
        return;
    printf("%-18s", p.name);
    for (int i = plan->from; i <= plan->to; i++) {
        long reached[LEVELS];
        make(&p, number, n, (uint64_t)i);
        double error = run(plan, &p, (uint64_t)i, reached);
        printf(" %9.2e%c", error, reached[1] ? '*' : ' ');
        if (plan->verbose || reached[1])
            printf("%5ld", reached[1]);
        else
            printf("     ");
        for (int k = 0; k < LEVELS; k++)
            total[k] += reached[k] > 0;
        fflush(stdout);
    }
    printf("\n");
}

static void make_cec_of(single *p, int number, int n, uint64_t instance) {
    (void)n, (void)instance;
    if (number < CEC)
        make_cec(p, number);
    else
        make_classic(p, &suite_classics[number - CEC]);
}

static void make_classic_of(single *p, int number, int n, uint64_t instance) {
    (void)n, (void)instance;
    make_classic(p, &suite_classics[number]);
}

static void finish(const single_plan *plan, const char *name, int n, const int total[LEVELS]) {
    printf("%s", name);
    if (n > 0)
        printf(" %d", n);
    printf(": per instance %.2f within 1e-2, %.2f within 1e-4, %.2f within 1e-7\n",
           (double)total[0] / (plan->to - plan->from + 1),
           (double)total[1] / (plan->to - plan->from + 1),
           (double)total[2] / (plan->to - plan->from + 1));
}

static void run_all(const single_plan *plan) {
    for (int d = 0; d < plan->dimensions && listed(plan->groups, plan->group, "bbob"); d++) {
        int total[LEVELS] = {0};
        for (int number = 1; number <= 24; number++)
            run_instances(plan, make_bbob, number, plan->variables[d], total);
        finish(plan, "bbob", plan->variables[d], total);
    }
    int cec_total[LEVELS] = {0}, mixed_total[LEVELS] = {0};
    if (listed(plan->groups, plan->group, "cec")) {
        for (int k = 0; k < CEC + suite_classics_count; k++) {
            const suite_problem *c = k < CEC ? NULL : &suite_classics[k - CEC];
            if (!c || (c->m == 1 && c->equality == 0 && !c->whole))
                run_instances(plan, make_cec_of, k, 0, cec_total);
        }
        finish(plan, "cec", 0, cec_total);
    }
    if (listed(plan->groups, plan->group, "mixed")) {
        for (int k = 0; k < 8; k++)
            run_instances(plan, make_mixed, k / 2, k % 2 ? 10 : 5, mixed_total);
        for (int k = 0; k < suite_classics_count; k++)
            if (suite_classics[k].m == 1 && suite_classics[k].whole)
                run_instances(plan, make_classic_of, k, 0, mixed_total);
        finish(plan, "mixed", 0, mixed_total);
    }
}

int main(int argc, char **argv) {
    single_plan plan = {.options = gdyn_search_default(), .from = 101, .to = 101};
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(option, "--variables") == 0 && plan.dimensions < 4)
            plan.variables[plan.dimensions++] = atoi(value), i++;
        else if (strcmp(option, "--instances") == 0 && i + 2 < argc)
            plan.from = atoi(value), plan.to = atoi(argv[i + 2]), i += 2;
        else if (strcmp(option, "--budget") == 0)
            plan.options.evaluations = atol(value), i++;
        else if (strcmp(option, "--method") == 0 &&
                 gdyn_search_method_from_name(value, &plan.options.method))
            i++;
        else if (strcmp(option, "--nlopt") == 0)
            plan.options.nlopt = value, i++;
        else if (strcmp(option, "--group") == 0 && plan.groups < 4)
            plan.group[plan.groups++] = value, i++;
        else if (strcmp(option, "--only") == 0 && plan.names < 32)
            plan.only[plan.names++] = value, i++;
        else if (strcmp(option, "--verbose") == 0)
            plan.verbose = true;
        else
            return 2;
    }
    if (plan.dimensions == 0)
        plan.variables[0] = 5, plan.variables[1] = 10, plan.dimensions = 2;
    run_all(&plan);
    return 0;
}
