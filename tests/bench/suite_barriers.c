/* suite_barriers.c - problems of several objectives whose good regions lie among infeasible ones.
 *
 * LIR1 to 14: LIR-CMOP (Fan, Li, Cai, Huang, Fang, You, Mo, Wei, Goodman 2019). MW1 to 13, those
 * with two objectives (Ma, Wang 2019). CF1 to CF3 (Zhang, Zhou, Zhao, Suganthan, Liu, Tiwari
 * 2008). C1-DTLZ3 (Jain, Deb 2014) and DC1 to DC3 of DTLZ1 and 3 (Li, Chen, Fu, Yao 2019), with
 * two objectives and seven variables; DC constants are our own where versions differ. Odd members
 * are for tuning, even ones for judging. */
#include "suite.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double square(double x) {
    return x * x;
}

/* --- LIR-CMOP --------------------------------------------------------------------------------- */

/* How far f is outside of an ellipse turned by a quarter of pi; violated inside. */
static double ellipse(const double *f, double p, double q, double a, double b) {
    double u = f[0] - p, v = f[1] - q, c = sqrt(0.5);
    return 0.1 - square((u + v) * c / a) - square((v - u) * c / b);
}

static void lir_narrow(const suite_problem *p, const double *x, double *f, double *g) {
    double sum[2] = {0};
    for (int j = 1; j < p->n; j++)
        sum[(j + 1) % 2 ? 0 : 1] +=
            square(x[j] - ((j + 1) % 2 ? sin(0.5 * pi * x[0]) : cos(0.5 * pi * x[0])));
    bool root = p->member % 2 == 0;
    f[0] = x[0] + sum[0], f[1] = 1 - (root ? sqrt(x[0]) : square(x[0])) + sum[1];
    for (int k = 0; k < 2; k++)
        g[k] = (sum[k] - 0.51) * (sum[k] - 0.5);
    if (p->member > 2)
        g[2] = 0.5 - sin(20 * pi * x[0]);
}

static void lir_sums(const suite_problem *p, const double *x, double sum[2]) {
    sum[0] = sum[1] = 0;
    for (int j = 1; j < p->n; j++) {
        double phase = 0.5 * (j + 1) / p->n * pi * x[0];
        sum[(j + 1) % 2 ? 0 : 1] += square(x[j] - ((j + 1) % 2 ? sin(phase) : cos(phase)));
    }
}

static void lir_ellipses(const suite_problem *p, const double *x, double *f, double *g) {
    static const double centre[2][3] = {{1.6, 2.5}, {1.8, 2.8}}, far[3] = {1.2, 2.25, 3.5};
    static const double two[2] = {2, 2}, wide[2][2] = {{4, 8}, {8, 8}};
    static const double three[3] = {2, 2.5, 2.5}, wider[3] = {6, 12, 10};
    double sum[2];
    lir_sums(p, x, sum);
    bool root = p->member % 2 == 1;
    f[0] = x[0] + 10 * sum[0] + 0.7057;
    f[1] = 1 - (root ? sqrt(x[0]) : square(x[0])) + 10 * sum[1] + 0.7057;
    for (int k = 0; k < p->constraints; k++)
        g[k] = p->member < 7
                   ? ellipse(f, centre[!root][k], centre[!root][k], two[k], wide[!root][k])
                   : ellipse(f, far[k], far[k], three[k], wider[k]);
}

static void lir_waves(const suite_problem *p, const double *x, double *f, double *g) {
    static const double constant[4][5] = {{1.4, 1.4, 1.5, 6, 2},
                                          {1.1, 1.2, 2, 4, 1},
                                          {1.2, 1.2, 1.5, 5, 2.1},
                                          {1.6, 1.6, 1.5, 6, 2.5}};
    const double *k = constant[p->member - 9], c = sqrt(0.5);
    bool root = p->member == 10 || p->member == 11;
    double sum[2];
    lir_sums(p, x, sum);
    f[0] = 1.7057 * x[0] * (10 * sum[0] + 1);
    f[1] = 1.7057 * (1 - (root ? sqrt(x[0]) : square(x[0]))) * (10 * sum[1] + 1);
    g[0] = ellipse(f, k[0], k[1], k[2], k[3]);
    g[1] = k[4] - (f[0] + f[1]) * c + sin(4 * pi * (f[0] - f[1]) * c);
}

static void lir_shells(const suite_problem *p, const double *x, double *f, double *g) {
    double sum = 0;
    for (int j = 2; j < p->n; j++)
        sum += 10 * square(x[j] - 0.5);
    double r = 1.7057 + sum;
    f[0] = r * cos(0.5 * pi * x[0]) * cos(0.5 * pi * x[1]);
    f[1] = r * cos(0.5 * pi * x[0]) * sin(0.5 * pi * x[1]);
    f[2] = r * sin(0.5 * pi * x[0]);
    double r2 = square(r);
    g[0] = -(r2 - 9) * (r2 - 4);
    g[1] = -(r2 - square(1.9)) * (r2 - square(1.8));
    if (p->member == 14)
        g[2] = -(r2 - square(1.75)) * (r2 - square(1.6));
}

/* --- MW --------------------------------------------------------------------------------------- */

static double mw_distance(int kind, int n, int m, const double *x) {
    double sum = 1;
    for (int i = m - 1; i < n; i++) {
        if (kind == 1) {
            double z = pow(x[i], n - m);
            sum += 1 - exp(-10 * square(z - 0.5 - i / (2.0 * n)));
        } else if (kind == 2) {
            double z = 1 - exp(-10 * square(x[i] - (double)i / n));
            sum += 1.5 + 0.1 / n * square(z) - 1.5 * cos(2 * pi * z);
        } else {
            sum += 2 * square(x[i] + square(x[i - 1] - 0.5) - 1);
        }
    }
    return sum;
}

static double positive(double x) {
    return sqrt(fmax(x, 0));
}

static void mw_curves(int member, double a, double b, double *g) {
    double a2 = a * a;
    if (member == 9) {
        double t1 = (1 - 0.64 * a2 - b) * (1 - 0.36 * a2 - b);
        double t2 = square(1.35) - square(a + 0.35) - b, t3 = square(1.15) - square(a + 0.15) - b;
        g[0] = fmin(t1, t2 * t3);
    } else if (member == 10) {
        g[0] = -(2 - 4 * a2 - b) * (2 - 8 * a2 - b);
        g[1] = (2 - 2 * a2 - b) * (2 - 16 * a2 - b);
        g[2] = (1 - a2 - b) * (1.2 - 1.2 * a2 - b);
    } else {
        double b2 = b * b;
        g[0] = -(3 - a2 - b2) * (3 - 2 * a2 - b2);
        g[1] = (3 - 0.625 * a2 - b2) * (3 - 7 * a2 - b2);
        g[2] = -(1.62 - 0.18 * a2 - b2) * (1.125 - 0.125 * a2 - b2);
        g[3] = (2.07 - 0.23 * a2 - b2) * (0.63 - 0.07 * a2 - b2);
    }
}

static void mw_bands(int member, double a, double b, double *g) {
    if (member == 12) {
        g[0] = (1 - 0.8 * a - b + 0.08 * sin(2 * pi * (b - a / 1.5))) *
               (1.8 - 1.125 * a - b + 0.08 * sin(2 * pi * (b / 1.8 - a / 1.6)));
        g[1] = -(1 - 0.625 * a - b + 0.08 * sin(2 * pi * (b - a / 1.6))) *
               (1.4 - 0.875 * a - b + 0.08 * sin(2 * pi * (b / 1.4 - a / 1.6)));
        return;
    }
    double wave = 0.5 * sin(3 * pi * a);
    g[0] = (5 - exp(a) - wave - b) * (5 - (1 + 0.4 * a) - wave - b);
    g[1] = -(5 - (1 + a + 0.5 * a * a) - wave - b) * (5 - (1 + 0.7 * a) - wave - b);
}

static void mw(const suite_problem *p, const double *x, double *f, double *g) {
    static const int kind[14] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 1, 2};
    double r = mw_distance(kind[p->member], p->n, 2, x), a = x[0], b, angle, l, far2;
    switch (p->member) {
    case 1:
    case 2:
    case 3:
        b = r * (1 - (p->member == 1 ? 0.85 : 1) * a / r), l = sqrt(2) * (b - a);
        if (p->member < 3) {
            g[0] = a + b - 1 - 0.5 * pow(sin((p->member == 1 ? 2 : 3) * pi * l), 8);
        } else {
            g[0] = a + b - 1.05 - 0.45 * pow(sin(0.75 * pi * l), 6);
            g[1] = 0.85 - a - b + 0.3 * square(sin(0.75 * pi * l));
        }
        break;
    case 5:
    case 6:
    case 7: {
        double scale = p->member == 6 ? 1.0999 : 1, radius = p->member == 6 ? 1.1 : 1;
        a = r * x[0] * scale, b = r * positive(square(radius) - square(x[0] * scale));
        angle = atan2(b, a), far2 = a * a + b * b;
        if (p->member == 5) {
            double t = 0.5 * pi - 2 * fabs(angle - 0.25 * pi);
            g[0] = far2 - square(1.7 - 0.2 * sin(2 * angle));
            g[1] = square(1 + 0.5 * sin(6 * pow(t, 3))) - far2;
            g[2] = square(1 - 0.45 * sin(6 * pow(t, 3))) - far2;
        } else if (p->member == 6) {
            l = pow(cos(6 * pow(angle, 4)), 10);
            g[0] = square(a / (1 + 0.15 * l)) + square(b / (1 + 0.75 * l)) - 1;
        } else {
            g[0] = far2 - square(1.2 + 0.4 * pow(sin(4 * angle), 16));
            g[1] = square(1.15 - 0.2 * pow(sin(4 * angle), 8)) - far2;
        }
        break;
    }
    case 9:
        a = r * x[0], b = r * (1 - pow(x[0], 0.6)), mw_curves(9, a, b, g);
        break;
    case 10:
        a = r * pow(x[0], p->n), b = r * (1 - square(a / r)), mw_curves(10, a, b, g);
        break;
    case 11:
        a = r * x[0] * sqrt(1.9999), b = r * sqrt(2 - square(a / r)), mw_curves(11, a, b, g);
        break;
    case 12:
        a = r * x[0], b = r * (0.85 - 0.8 * x[0] - 0.08 * fabs(sin(3.2 * pi * x[0])));
        mw_bands(12, a, b, g);
        break;
    default:
        a = r * x[0] * 1.5, b = r * (5 - exp(a / r) - fabs(0.5 * sin(3 * pi * a / r)));
        mw_bands(13, a, b, g);
    }
    f[0] = a, f[1] = b;
}

/* --- CF --------------------------------------------------------------------------------------- */

static void cf(const suite_problem *p, const double *x, double *f, double *g) {
    double sum[2] = {0}, product[2] = {1, 1};
    int count[2] = {0};
    for (int j = 1; j < p->n; j++) {
        int side = (j + 1) % 2 ? 0 : 1;
        double phase = 6 * pi * x[0] + (j + 1) * pi / p->n, y;
        if (p->member == 1)
            y = x[j] - pow(x[0], 0.5 * (1 + 3.0 * (j - 1) / (p->n - 2)));
        else
            y = x[j] - (p->member == 2 && side ? cos(phase) : sin(phase));
        sum[side] += y * y, count[side]++;
        product[side] *= cos(20 * y * pi / sqrt(j + 1));
    }
    for (int k = 0; k < 2; k++)
        sum[k] = 2.0 / count[k] * (p->member == 3 ? 4 * sum[k] - 2 * product[k] + 2 : sum[k]);
    f[0] = x[0] + sum[0];
    f[1] = 1 - (p->member == 1 ? x[0] : p->member == 2 ? sqrt(x[0]) : square(x[0])) + sum[1];
    if (p->member == 1) {
        g[0] = 1 - f[0] - f[1] + fabs(sin(10 * pi * (f[0] - f[1] + 1)));
        return;
    }
    double t = f[1] + (p->member == 2 ? sqrt(f[0]) : square(f[0])) - 1;
    double u = p->member == 2 ? sqrt(f[0]) - f[1] + 1 : square(f[0]) - f[1] + 1;
    double wave = t - sin(2 * pi * u);
    g[0] = -(p->member == 2 ? wave / (1 + exp(4 * fabs(wave))) : wave);
}

/* --- constrained DTLZ ------------------------------------------------------------------------- */

static void constrained_dtlz(const suite_problem *p, const double *x, double *f, double *g) {
    double sum = 0, c = p->member % 10 == 1 ? 3 : 5, least = p->member % 10 == 1 ? 0.9 : 0.5;
    for (int j = 1; j < p->n; j++)
        sum += square(x[j] - 0.5) - cos(20 * pi * (x[j] - 0.5));
    sum = 100 * (p->n - 1 + sum);
    if (p->member % 10 == 1)
        f[0] = 0.5 * x[0] * (1 + sum), f[1] = 0.5 * (1 - x[0]) * (1 + sum);
    else
        f[0] = cos(0.5 * pi * x[0]) * (1 + sum), f[1] = sin(0.5 * pi * x[0]) * (1 + sum);
    double r2 = square(f[0]) + square(f[1]);
    switch (p->member / 10 % 10) {
    case 0: /* C1-DTLZ3 */
        g[0] = -(r2 - 16) * (r2 - 36);
        break;
    case 1:
        g[0] = 0.5 - cos(5 * pi * x[0]);
        break;
    case 2:
        g[0] = least - cos(c * pi * sum), g[1] = least - exp(-sum);
        break;
    default:
        g[0] = 0.5 - cos(5 * pi * x[0]), g[1] = 0.5 - cos(5 * pi * sum);
    }
}

/* --- the table -------------------------------------------------------------------------------- */

static const double unit_box[][2] = {{0, 1}}, cf_box[][2] = {{0, 1}, {-1, 1}},
                    cf3_box[][2] = {{0, 1}, {-2, 2}};

#define LIR(number, constraints, function)                                                         \
    {                                                                                              \
        "LIR" #number, "barriers", 30, number < 13 ? 2 : 3, constraints, unit_box, 1, 0, function, \
            number, 0, 0                                                                           \
    }
#define MW(number, constraints)                                                                    \
    { "MW" #number, "barriers", 15, 2, constraints, unit_box, 1, 0, mw, number, 0, 0 }
const suite_problem suite_barriers[] = {
    LIR(1, 2, lir_narrow),
    LIR(2, 2, lir_narrow),
    LIR(3, 3, lir_narrow),
    LIR(4, 3, lir_narrow),
    LIR(5, 2, lir_ellipses),
    LIR(6, 2, lir_ellipses),
    LIR(7, 3, lir_ellipses),
    LIR(8, 3, lir_ellipses),
    LIR(9, 2, lir_waves),
    LIR(10, 2, lir_waves),
    LIR(11, 2, lir_waves),
    LIR(12, 2, lir_waves),
    LIR(13, 2, lir_shells),
    LIR(14, 3, lir_shells),
    MW(1, 1),
    MW(2, 1),
    MW(3, 2),
    MW(5, 3),
    MW(6, 1),
    MW(7, 2),
    MW(9, 1),
    MW(10, 3),
    MW(11, 4),
    MW(12, 2),
    MW(13, 2),
    {"CF1", "barriers", 10, 2, 1, unit_box, 1, 0, cf, 1, 0, 0},
    {"CF2", "barriers", 10, 2, 1, cf_box, 2, 0, cf, 2, 0, 0},
    {"CF3", "barriers", 10, 2, 1, cf3_box, 2, 0, cf, 3, 0, 0},
    {"C1-DTLZ3", "barriers", 7, 2, 1, unit_box, 1, 0, constrained_dtlz, 103, 0, 0},
    {"DC1-DTLZ3", "barriers", 7, 2, 1, unit_box, 1, 0, constrained_dtlz, 113, 0, 0},
    {"DC2-DTLZ1", "barriers", 7, 2, 2, unit_box, 1, 0, constrained_dtlz, 21, 0, 0},
    {"DC2-DTLZ3", "barriers", 7, 2, 2, unit_box, 1, 0, constrained_dtlz, 23, 0, 0},
    {"DC3-DTLZ1", "barriers", 7, 2, 2, unit_box, 1, 0, constrained_dtlz, 31, 0, 0},
    {"DC3-DTLZ3", "barriers", 7, 2, 2, unit_box, 1, 0, constrained_dtlz, 33, 0, 0},
};
const int suite_barriers_count = sizeof suite_barriers / sizeof *suite_barriers;
