/* suite_classics.c - constrained problems: two objectives, and one with a known optimum.
 *
 * BNH, SRN, TNK, OSY, CONSTR: Deb, Multi-objective optimization using evolutionary algorithms (2001), section 8.3.
 * g01 .. g13: Liang et al., Problem definitions of CEC 2006. Welded beam, spring, pressure vessel, speed reducer:
 * Coello Coello, Mezura-Montes 2002; Mezura-Montes, Coello Coello 2005. Spring of a catalogue wire: Sandgren 1990.
 * Equalities are |h| - 1e-4 <= 0, as in CEC 2006. */
#include "suite.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double EQUAL = 1e-4;

static double square(double x) {
    return x * x;
}

/* --- two objectives --------------------------------------------------------------------------------- */

static void bnh(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = 4 * square(x[0]) + 4 * square(x[1]);
    f[1] = square(x[0] - 5) + square(x[1] - 5);
    g[0] = (square(x[0] - 5) + square(x[1])) / 25 - 1;
    g[1] = 1 - (square(x[0] - 8) + square(x[1] + 3)) / 7.7;
}

static void srn(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = 2 + square(x[0] - 2) + square(x[1] - 1);
    f[1] = 9 * x[0] - square(x[1] - 1);
    g[0] = (square(x[0]) + square(x[1])) / 225 - 1;
    g[1] = (x[0] - 3 * x[1] + 10) / 10;
}

static void tnk(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = x[0], f[1] = x[1];
    g[0] = 1 + 0.1 * cos(16 * atan2(x[0], x[1])) - square(x[0]) - square(x[1]);
    g[1] = (square(x[0] - 0.5) + square(x[1] - 0.5)) / 0.5 - 1;
}

static void osy(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = -25 * square(x[0] - 2) - square(x[1] - 2) - square(x[2] - 1) - square(x[3] - 4) -
           square(x[4] - 1);
    f[1] = 0;
    for (int j = 0; j < 6; j++)
        f[1] += square(x[j]);
    g[0] = 1 - (x[0] + x[1]) / 2;
    g[1] = (x[0] + x[1]) / 6 - 1;
    g[2] = (x[1] - x[0]) / 2 - 1;
    g[3] = (x[0] - 3 * x[1]) / 2 - 1;
    g[4] = (square(x[2] - 3) + x[3]) / 4 - 1;
    g[5] = 1 - (square(x[4] - 3) + x[5]) / 4;
}

static void constr(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = x[0], f[1] = (1 + x[1]) / x[0];
    g[0] = 1 - (x[1] + 9 * x[0]) / 6;
    g[1] = 1 + x[1] - 9 * x[0];
}

/* --- CEC 2006 ----------------------------------------------------------------------------------------- */

static void g01(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = 0;
    for (int j = 0; j < 4; j++)
        f[0] += 5 * x[j] - 5 * square(x[j]);
    for (int j = 4; j < 13; j++)
        f[0] -= x[j];
    g[0] = (2 * x[0] + 2 * x[1] + x[9] + x[10]) / 10 - 1;
    g[1] = (2 * x[0] + 2 * x[2] + x[9] + x[11]) / 10 - 1;
    g[2] = (2 * x[1] + 2 * x[2] + x[10] + x[11]) / 10 - 1;
    for (int j = 0; j < 3; j++) {
        g[3 + j] = x[9 + j] - 8 * x[j];
        g[6 + j] = x[9 + j] - 2 * x[3 + 2 * j] - x[4 + 2 * j];
    }
}

static void g04(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    double u =
        85.334407 + 0.0056858 * x[1] * x[4] + 0.0006262 * x[0] * x[3] - 0.0022053 * x[2] * x[4];
    double v =
        80.51249 + 0.0071317 * x[1] * x[4] + 0.0029955 * x[0] * x[1] + 0.0021813 * square(x[2]);
    double w =
        9.300961 + 0.0047026 * x[2] * x[4] + 0.0012547 * x[0] * x[2] + 0.0019085 * x[2] * x[3];
    f[0] = 5.3578547 * square(x[2]) + 0.8356891 * x[0] * x[4] + 37.293239 * x[0] - 40792.141;
    g[0] = u / 92 - 1, g[1] = -u / 92;
    g[2] = v / 110 - 1, g[3] = 1 - v / 90;
    g[4] = w / 25 - 1, g[5] = 1 - w / 20;
}

static void g05(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = 3 * x[0] + 0.000001 * pow(x[0], 3) + 2 * x[1] + 0.000002 / 3 * pow(x[1], 3);
    g[0] = (x[2] - x[3]) / 0.55 - 1;
    g[1] = (x[3] - x[2]) / 0.55 - 1;
    g[2] = fabs(1000 * sin(-x[2] - 0.25) + 1000 * sin(-x[3] - 0.25) + 894.8 - x[0]) - EQUAL;
    g[3] = fabs(1000 * sin(x[2] - 0.25) + 1000 * sin(x[2] - x[3] - 0.25) + 894.8 - x[1]) - EQUAL;
    g[4] = fabs(1000 * sin(x[3] - 0.25) + 1000 * sin(x[3] - x[2] - 0.25) + 1294.8) - EQUAL;
}

static void g06(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = pow(x[0] - 10, 3) + pow(x[1] - 20, 3);
    g[0] = 1 - (square(x[0] - 5) + square(x[1] - 5)) / 100;
    g[1] = (square(x[0] - 6) + square(x[1] - 5)) / 82.81 - 1;
}

static void g07(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = square(x[0]) + square(x[1]) + x[0] * x[1] - 14 * x[0] - 16 * x[1] + square(x[2] - 10) +
           4 * square(x[3] - 5) + square(x[4] - 3) + 2 * square(x[5] - 1) + 5 * square(x[6]) +
           7 * square(x[7] - 11) + 2 * square(x[8] - 10) + square(x[9] - 7) + 45;
    g[0] = (4 * x[0] + 5 * x[1] - 3 * x[6] + 9 * x[7]) / 105 - 1;
    g[1] = 10 * x[0] - 8 * x[1] - 17 * x[6] + 2 * x[7];
    g[2] = (-8 * x[0] + 2 * x[1] + 5 * x[8] - 2 * x[9]) / 12 - 1;
    g[3] = (3 * square(x[0] - 2) + 4 * square(x[1] - 3) + 2 * square(x[2]) - 7 * x[3]) / 120 - 1;
    g[4] = (5 * square(x[0]) + 8 * x[1] + square(x[2] - 6) - 2 * x[3]) / 40 - 1;
    g[5] = square(x[0]) + 2 * square(x[1] - 2) - 2 * x[0] * x[1] + 14 * x[4] - 6 * x[5];
    g[6] = (0.5 * square(x[0] - 8) + 2 * square(x[1] - 4) + 3 * square(x[4]) - x[5]) / 30 - 1;
    g[7] = -3 * x[0] + 6 * x[1] + 12 * square(x[8] - 8) - 7 * x[9];
}

static void g08(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = -pow(sin(2 * pi * x[0]), 3) * sin(2 * pi * x[1]) / (pow(x[0], 3) * (x[0] + x[1]));
    g[0] = square(x[0]) - x[1] + 1;
    g[1] = 1 - x[0] + square(x[1] - 4);
}

static void g09(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = square(x[0] - 10) + 5 * square(x[1] - 12) + pow(x[2], 4) + 3 * square(x[3] - 11) +
           10 * pow(x[4], 6) + 7 * square(x[5]) + pow(x[6], 4) - 4 * x[5] * x[6] - 10 * x[5] -
           8 * x[6];
    g[0] = (2 * square(x[0]) + 3 * pow(x[1], 4) + x[2] + 4 * square(x[3]) + 5 * x[4]) / 127 - 1;
    g[1] = (7 * x[0] + 3 * x[1] + 10 * square(x[2]) + x[3] - x[4]) / 282 - 1;
    g[2] = (23 * x[0] + square(x[1]) + 6 * square(x[5]) - 8 * x[6]) / 196 - 1;
    g[3] =
        4 * square(x[0]) + square(x[1]) - 3 * x[0] * x[1] + 2 * square(x[2]) + 5 * x[5] - 11 * x[6];
}

static void g10(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = x[0] + x[1] + x[2];
    g[0] = 0.0025 * (x[3] + x[5]) - 1;
    g[1] = 0.0025 * (x[4] + x[6] - x[3]) - 1;
    g[2] = 0.01 * (x[7] - x[4]) - 1;
    g[3] = (-x[0] * x[5] + 833.33252 * x[3] + 100 * x[0]) / 83333.333 - 1;
    g[4] = (-x[1] * x[6] + 1250 * x[4] + x[1] * x[3] - 1250 * x[3]) / 1.25e6;
    g[5] = (-x[2] * x[7] + x[2] * x[4] - 2500 * x[4]) / 1.25e6 + 1;
}

static void g11(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    f[0] = square(x[0]) + square(x[1] - 1);
    g[0] = fabs(x[1] - square(x[0])) - EQUAL;
}

static void g13(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    double sum = 0;
    for (int j = 0; j < 5; j++)
        sum += square(x[j]);
    f[0] = exp(x[0] * x[1] * x[2] * x[3] * x[4]);
    g[0] = fabs(sum - 10) - EQUAL;
    g[1] = fabs(x[1] * x[2] - 5 * x[3] * x[4]) - EQUAL;
    g[2] = fabs(pow(x[0], 3) + pow(x[1], 3) + 1) - EQUAL;
}

/* --- machine parts ------------------------------------------------------------------------------------ */

static void welded_beam(const suite_problem *p, const double *x, double *f, double *g) {
    const double P = 6000, L = 14, E = 30e6, G = 12e6;
    (void)p;
    double h = x[0], l = x[1], t = x[2], b = x[3], half = (h + t) / 2;
    double R = sqrt(l * l / 4 + half * half),
           J = 2 * sqrt(2.0) * h * l * (l * l / 12 + half * half);
    double direct = P / (sqrt(2.0) * h * l), turning = P * (L + l / 2) * R / J;
    double bar = 0.04811 * t * b * (14 + l);
    f[0] = 1.10471 * h * h * l + bar;
    g[0] = sqrt(direct * direct + direct * turning * l / R + turning * turning) / 13600 - 1;
    g[1] = 6 * P * L / (b * t * t) / 30000 - 1;
    g[2] = h - b;
    g[3] = (0.10471 * h * h + bar) / 5 - 1;
    g[4] = 1 - h / 0.125;
    g[5] = 4 * P * L * L * L / (E * b * t * t * t) / 0.25 - 1;
    g[6] = 1 - 4.013 * E * t * pow(b, 3) / 6 / (L * L) * (1 - t / (2 * L) * sqrt(E / (4 * G))) / P;
}

static void spring(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    double d = x[0], D = x[1], N = x[2];
    f[0] = (N + 2) * D * d * d;
    g[0] = 1 - pow(D, 3) * N / (71785 * pow(d, 4));
    g[1] = (4 * D * D - d * D) / (12566 * (D * pow(d, 3) - pow(d, 4))) + 1 / (5108 * d * d) - 1;
    g[2] = 1 - 140.45 * d / (D * D * N);
    g[3] = (D + d) / 1.5 - 1;
}

static void pressure_vessel(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    double shell = 0.0625 * x[0], head = 0.0625 * x[1], R = x[2], L = x[3];
    f[0] = 0.6224 * shell * R * L + 1.7781 * head * R * R + 3.1661 * shell * shell * L +
           19.84 * shell * shell * R;
    g[0] = 0.0193 * R - shell;
    g[1] = 0.00954 * R - head;
    g[2] = 1 - (pi * R * R * L + 4.0 / 3 * pi * pow(R, 3)) / 1296000;
    g[3] = L / 240 - 1;
}

static void catalogue_spring(const suite_problem *p, const double *x, double *f, double *g) {
    static const double wires[] = {
        0.009, 0.0095, 0.0104, 0.0118, 0.0128, 0.0132, 0.014, 0.015,  0.0162, 0.0173, 0.018,
        0.02,  0.023,  0.025,  0.028,  0.032,  0.035,  0.041, 0.047,  0.054,  0.063,  0.072,
        0.08,  0.092,  0.105,  0.12,   0.135,  0.148,  0.162, 0.177,  0.192,  0.207,  0.225,
        0.244, 0.263,  0.283,  0.307,  0.331,  0.362,  0.394, 0.4375, 0.5};
    const double most = 1000, load = 300;
    (void)p;
    double N = x[0], D = x[1], d = wires[(int)x[2]], index = D / d;
    double curvature = (4 * index - 1) / (4 * index - 4) + 0.615 / index;
    double stiffness = 11.5e6 * pow(d, 4) / (8 * N * pow(D, 3)),
           length = most / stiffness + 1.05 * (N + 2) * d;
    f[0] = pi * pi * D * d * d * (N + 2) / 4;
    /* A wire as thick as the coil cannot be wound. */
    g[0] = index > 1.01 ? 8 * curvature * most * D / (pi * pow(d, 3)) / 189000 - 1 : 1000;
    g[1] = length / 14 - 1;
    g[2] = 1 - d / 0.2;
    g[3] = (D + d) / 3 - 1;
    g[4] = 1 - index / 3;
    g[5] = load / stiffness / 6 - 1;
    g[6] = 1 - (most - load) / stiffness / 1.25;
}

static void speed_reducer(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    double face = x[0], module = x[1], teeth = x[2], l1 = x[3], l2 = x[4], d1 = x[5], d2 = x[6];
    double tooth = face * module * module * teeth, pitch = module * teeth;
    f[0] = 0.7854 * face * module * module * (3.3333 * teeth * teeth + 14.9334 * teeth - 43.0934) -
           1.508 * face * (d1 * d1 + d2 * d2) + 7.4777 * (pow(d1, 3) + pow(d2, 3)) +
           0.7854 * (l1 * d1 * d1 + l2 * d2 * d2);
    g[0] = 27 / tooth - 1;
    g[1] = 397.5 / (tooth * teeth) - 1;
    g[2] = 1.93 * pow(l1, 3) / (pitch * pow(d1, 4)) - 1;
    g[3] = 1.93 * pow(l2, 3) / (pitch * pow(d2, 4)) - 1;
    g[4] = sqrt(pow(745 * l1 / pitch, 2) + 16.9e6) / (110 * pow(d1, 3)) - 1;
    g[5] = sqrt(pow(745 * l2 / pitch, 2) + 157.5e6) / (85 * pow(d2, 3)) - 1;
    g[6] = pitch / 40 - 1;
    g[7] = 5 * module / face - 1;
    g[8] = face / (12 * module) - 1;
    g[9] = (1.5 * d1 + 1.9) / l1 - 1;
    g[10] = (1.1 * d2 + 1.9) / l2 - 1;
}

/* --- the table ---------------------------------------------------------------------------------------- */

static const double bnh_box[][2] = {{0, 5}, {0, 3}}, srn_box[][2] = {{-20, 20}},
                    tnk_box[][2] = {{1e-12, 3.141592653589793}},
                    osy_box[][2] = {{0, 10}, {0, 10}, {1, 5}, {0, 6}, {1, 5}, {0, 10}},
                    constr_box[][2] = {{0.1, 1}, {0, 5}},
                    g01_box[][2] = {{0, 1}, {0, 1}, {0, 1},   {0, 1},   {0, 1},   {0, 1}, {0, 1},
                                    {0, 1}, {0, 1}, {0, 100}, {0, 100}, {0, 100}, {0, 1}},
                    g04_box[][2] = {{78, 102}, {33, 45}, {27, 45}},
                    g05_box[][2] = {{0, 1200}, {0, 1200}, {-0.55, 0.55}},
                    g06_box[][2] = {{13, 100}, {0, 100}}, ten_box[][2] = {{-10, 10}},
                    g08_box[][2] = {{0, 10}},
                    g10_box[][2] = {{100, 10000}, {1000, 10000}, {1000, 10000}, {10, 1000}},
                    g11_box[][2] = {{-1, 1}},
                    g13_box[][2] = {{-2.3, 2.3}, {-2.3, 2.3}, {-3.2, 3.2}},
                    welded_box[][2] = {{0.1, 2}, {0.1, 10}, {0.1, 10}, {0.1, 2}},
                    spring_box[][2] = {{0.05, 2}, {0.25, 1.3}, {2, 15}},
                    vessel_box[][2] = {{1, 99}, {1, 99}, {10, 200}, {10, 200}},
                    catalogue_box[][2] = {{1, 70}, {0.6, 3}, {0, 41}},
                    reducer_box[][2] = {{2.6, 3.6}, {0.7, 0.8}, {17, 28}, {7.3, 8.3},
                                        {7.3, 8.3}, {2.9, 3.9}, {5, 5.5}};

const suite_problem suite_classics[] = {
    {"BNH", "constrained", 2, 2, 2, bnh_box, 2, 0, bnh, 0, 0, 0},
    {"SRN", "constrained", 2, 2, 2, srn_box, 1, 0, srn, 0, 0, 0},
    {"TNK", "constrained", 2, 2, 2, tnk_box, 1, 0, tnk, 0, 0, 0},
    {"OSY", "constrained", 6, 2, 6, osy_box, 6, 0, osy, 0, 0, 0},
    {"CONSTR", "constrained", 2, 2, 2, constr_box, 2, 0, constr, 0, 0, 0},
    {"g01", "single", 13, 1, 9, g01_box, 13, 0, g01, 0, -15, 0},
    {"g04", "single", 5, 1, 6, g04_box, 3, 0, g04, 0, -30665.53867178333, 0},
    {"g05", "single", 4, 1, 5, g05_box, 3, 0, g05, 0, 5126.4967140071, 3},
    {"g06", "single", 2, 1, 2, g06_box, 2, 0, g06, 0, -6961.8138755802, 0},
    {"g07", "single", 10, 1, 8, ten_box, 1, 0, g07, 0, 24.3062090682, 0},
    {"g08", "single", 2, 1, 2, g08_box, 1, 0, g08, 0, -0.0958250414, 0},
    {"g09", "single", 7, 1, 4, ten_box, 1, 0, g09, 0, 680.6300573744, 0},
    {"g10", "single", 8, 1, 6, g10_box, 4, 0, g10, 0, 7049.2480205287, 0},
    {"g11", "single", 2, 1, 1, g11_box, 1, 0, g11, 0, 0.7499, 1},
    {"g13", "single", 5, 1, 3, g13_box, 3, 0, g13, 0, 0.0539415140, 3},
    {"welded-beam", "single", 4, 1, 7, welded_box, 4, 0, welded_beam, 0, 1.7248523086, 0},
    {"spring", "single", 3, 1, 4, spring_box, 3, 0, spring, 0, 0.0126652328, 0},
    {"pressure-vessel", "single", 4, 1, 4, vessel_box, 4, "1100", pressure_vessel, 0, 6059.714335,
     0},
    {"catalogue-spring", "single", 3, 1, 7, catalogue_box, 3, "101", catalogue_spring, 0, 2.658559,
     0},
    {"speed-reducer", "single", 7, 1, 11, reducer_box, 7, "0010000", speed_reducer, 0, 2994.471066,
     0},
};
const int suite_classics_count = sizeof suite_classics / sizeof *suite_classics;
