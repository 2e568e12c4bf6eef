/* suite_re.c - the suites RE and CRE: machine parts, structures, a car, a ship, a river.
 *
 * Tanabe, Ishibuchi: An easy-to-use real-world multi-objective optimization problem suite. Applied Soft Computing 89
 * (2020) 106078, with the corrections of its authors up to 2021. Limits are slacks s_j >= 0: a CRE problem has them
 * as constraints, the RE problem of the same part their shortfalls sum max(-s_j, 0) as its last objective. RE91 takes
 * the means of its four random variables. */
#include "suite.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* --- parts: objectives f and slacks s ------------------------------------------------------------ */

static void four_bar_truss(const double *x, double *f, double *s) {
    const double F = 10, E = 2e5, L = 200, r = sqrt(2.0);
    (void)s;
    f[0] = L * (2 * x[0] + r * x[1] + sqrt(x[2]) + x[3]);
    f[1] = F * L / E * (2 / x[0] + 2 * r / x[1] - 2 * r / x[2] + 2 / x[3]);
}

static double nearest(const double *list, int count, double x) {
    double best = list[0];
    for (int i = 1; i < count; i++)
        if (fabs(list[i] - x) < fabs(best - x))
            best = list[i];
    return best;
}

static void concrete_beam(const double *x, double *f, double *s) {
    static const double areas[] = {
        0.20, 0.31, 0.40, 0.44,  0.60, 0.62,  0.79,  0.80, 0.88, 0.93, 1.0,  1.20, 1.24,
        1.32, 1.40, 1.55, 1.58,  1.60, 1.76,  1.80,  1.86, 2.0,  2.17, 2.20, 2.37, 2.40,
        2.48, 2.60, 2.64, 2.79,  2.80, 3.0,   3.08,  3.10, 3.16, 3.41, 3.52, 3.60, 3.72,
        3.95, 3.96, 4.0,  4.03,  4.20, 4.34,  4.40,  4.65, 4.74, 4.80, 4.84, 5.0,  5.28,
        5.40, 5.53, 5.72, 6.0,   6.16, 6.32,  6.60,  7.11, 7.20, 7.80, 7.90, 8.0,  8.40,
        8.69, 9.0,  9.48, 10.27, 11.0, 11.06, 11.85, 12.0, 13.0, 14.0, 15.0};
    double a = nearest(areas, sizeof areas / sizeof *areas, x[0]);
    f[0] = 29.4 * a + 0.6 * x[1] * x[2];
    /* A beam without width carries nothing. */
    double width = fmax(x[1], 1e-9);
    s[0] = a * x[2] - 7.735 * a * a / width - 180;
    s[1] = 4 - x[2] / width;
}

static void pressure_vessel(const double *x, double *f, double *s) {
    double shell = 0.0625 * floor(x[0] + 0.5), head = 0.0625 * floor(x[1] + 0.5), R = x[2],
           L = x[3];
    f[0] = 0.6224 * shell * R * L + 1.7781 * head * R * R + 3.1661 * shell * shell * L +
           19.84 * shell * shell * R;
    s[0] = shell - 0.0193 * R;
    s[1] = head - 0.00954 * R;
    s[2] = pi * R * R * L + 4.0 / 3 * pi * R * R * R - 1296000;
}

static void hatch_cover(const double *x, double *f, double *s) {
    const double E = 7e5;
    double bending = 4500 / (x[0] * x[1]), buckling = E * x[0] * x[0] / 100;
    f[0] = x[0] + 120 * x[1];
    s[0] = 1 - bending / 700;
    s[1] = 1 - 1800 / x[1] / 450;
    s[2] = 1 - 56.2e4 / (E * x[0] * x[1] * x[1]) / 1.5;
    s[3] = 1 - bending / buckling;
}

static void coil_spring(const double *x, double *f, double *s) {
    static const double wires[] = {
        0.009, 0.0095, 0.0104, 0.0118, 0.0128, 0.0132, 0.014, 0.015,  0.0162, 0.0173, 0.018,
        0.02,  0.023,  0.025,  0.028,  0.032,  0.035,  0.041, 0.047,  0.054,  0.063,  0.072,
        0.08,  0.092,  0.105,  0.12,   0.135,  0.148,  0.162, 0.177,  0.192,  0.207,  0.225,
        0.244, 0.263,  0.283,  0.307,  0.331,  0.362,  0.394, 0.4375, 0.5};
    const double most = 1000, load = 300;
    double coils = floor(x[0] + 0.5), D = x[1],
           d = nearest(wires, sizeof wires / sizeof *wires, x[2]), index = D / d;
    double curvature = (4 * index - 1) / (4 * index - 4) + 0.615 / index;
    double stiffness = 11.5e6 * pow(d, 4) / (8 * coils * pow(D, 3)),
           length = most / stiffness + 1.05 * (coils + 2) * d;
    f[0] = pi * pi * D * d * d * (coils + 2) / 4;
    s[0] = 189000 - 8 * curvature * most * D / (pi * d * d * d);
    s[1] = 14 - length;
    s[2] = index - 3;
    s[3] = 6 - load / stiffness;
    s[4] = -load / stiffness - (most - load) / stiffness - 1.05 * (coils + 2) * d + length;
    s[5] = 1.25 - (most - load) / stiffness;
}

static void two_bar_truss(const double *x, double *f, double *s) {
    double a = sqrt(16 + x[2] * x[2]), b = sqrt(1 + x[2] * x[2]);
    f[0] = x[0] * a + x[1] * b;
    f[1] = 20 * a / (x[0] * x[2]);
    s[0] = 0.1 - f[0];
    s[1] = 1e5 - f[1];
    s[2] = 1e5 - 80 * b / (x[2] * x[1]);
}

static void welded_beam(const double *x, double *f, double *s) {
    const double P = 6000, L = 14, E = 30e6, G = 12e6;
    double h = x[0], l = x[1], t = x[2], b = x[3], half = (h + t) / 2;
    f[0] = 1.10471 * h * h * l + 0.04811 * t * b * (14 + l);
    f[1] = 4 * P * L * L * L / (E * b * t * t * t);
    /* Shear of the weld: primary, and by the moment. */
    double R = sqrt(l * l / 4 + half * half),
           J = 2 * sqrt(2.0) * h * l * (l * l / 12 + half * half);
    double direct = P / (sqrt(2.0) * h * l), turning = P * (L + l / 2) * R / J;
    double shear = sqrt(direct * direct + direct * turning * l / R + turning * turning);
    double buckling =
        4.013 * E * sqrt(t * t * pow(b, 6) / 36) / (L * L) * (1 - t / (2 * L) * sqrt(E / (4 * G)));
    s[0] = 13600 - shear;
    s[1] = 30000 - 6 * P * L / (b * t * t);
    s[2] = b - h;
    s[3] = buckling - P;
}

static void disc_brake(const double *x, double *f, double *s) {
    double area = x[1] * x[1] - x[0] * x[0], cube = pow(x[1], 3) - pow(x[0], 3);
    f[0] = 4.9e-5 * area * (x[3] - 1);
    f[1] = 9.82e6 * area / (x[2] * x[3] * cube);
    s[0] = x[1] - x[0] - 20;
    s[1] = 0.4 - x[2] / (3.14 * area);
    s[2] = 1 - 2.22e-3 * x[2] * cube / (area * area);
    s[3] = 2.66e-2 * x[2] * x[3] * cube / area - 900;
}

static void crashworthiness(const double *x, double *f, double *s) {
    double a = x[0], b = x[1], c = x[2], d = x[3], e = x[4];
    (void)s;
    f[0] =
        1640.2823 + 2.3573285 * a + 2.3220035 * b + 4.5688768 * c + 7.7213633 * d + 4.4559504 * e;
    f[1] = 6.5856 + 1.15 * a - 1.0427 * b + 0.9738 * c + 0.8364 * d - 0.3695 * a * d +
           0.0861 * a * e + 0.3628 * b * d - 0.1106 * a * a - 0.3437 * c * c + 0.1764 * d * d;
    f[2] = -0.0551 + 0.0181 * a + 0.1024 * b + 0.0421 * c - 0.0073 * a * b + 0.024 * b * c -
           0.0118 * b * d - 0.0204 * c * d - 0.008 * c * e - 0.0241 * b * b + 0.0109 * d * d;
}

static void speed_reducer(const double *x, double *f, double *s) {
    double face = x[0], module = x[1], teeth = floor(x[2] + 0.5), l1 = x[3], l2 = x[4], d1 = x[5],
           d2 = x[6];
    double tooth = face * module * module * teeth, pitch = module * teeth;
    f[0] = 0.7854 * face * module * module * (10 * teeth * teeth / 3 + 14.933 * teeth - 43.0934) -
           1.508 * face * (d1 * d1 + d2 * d2) + 7.477 * (pow(d1, 3) + pow(d2, 3)) +
           0.7854 * (l1 * d1 * d1 + l2 * d2 * d2);
    f[1] = sqrt(pow(745 * l1 / pitch, 2) + 1.69e7) / (0.1 * pow(d1, 3));
    s[0] = 1.0 / 27 - 1 / tooth;
    s[1] = 1 / 397.5 - 1 / (tooth * teeth);
    s[2] = 1 / 1.93 - pow(l1, 3) / (pitch * pow(d1, 4));
    s[3] = 1 / 1.93 - pow(l2, 3) / (pitch * pow(d2, 4));
    s[4] = 40 - pitch;
    s[5] = 12 - face / module;
    s[6] = face / module - 5;
    s[7] = l1 - 1.5 * d1 - 1.9;
    s[8] = l2 - 1.1 * d2 - 1.9;
    s[9] = 1300 - f[1];
    s[10] = 1100 - sqrt(pow(745 * l2 / pitch, 2) + 1.575e8) / (0.1 * pow(d2, 3));
}

static void gear_train(const double *x, double *f, double *s) {
    double teeth[4], most = 0;
    for (int i = 0; i < 4; i++) {
        teeth[i] = floor(x[i] + 0.5);
        most = fmax(most, teeth[i]);
    }
    f[0] = fabs(6.931 - teeth[2] / teeth[0] * (teeth[3] / teeth[1]));
    f[1] = most;
    s[0] = 0.5 - f[0] / 6.931;
}

static void rocket_injector(const double *x, double *f, double *s) {
    double a = x[0], h = x[1], o = x[2], t = x[3];
    (void)s;
    f[0] = 0.692 + 0.477 * a - 0.687 * h - 0.080 * o - 0.0650 * t - 0.167 * a * a - 0.0129 * h * a +
           0.0796 * h * h - 0.0634 * o * a - 0.0257 * o * h + 0.0877 * o * o - 0.0521 * t * a +
           0.00156 * t * h + 0.00198 * t * o + 0.0184 * t * t;
    f[1] = 0.153 - 0.322 * a + 0.396 * h + 0.424 * o + 0.0226 * t + 0.175 * a * a + 0.0185 * h * a -
           0.0701 * h * h - 0.251 * o * a + 0.179 * o * h + 0.0150 * o * o + 0.0134 * t * a +
           0.0296 * t * h + 0.0752 * t * o + 0.0192 * t * t;
    f[2] = 0.370 - 0.205 * a + 0.0307 * h + 0.108 * o + 1.019 * t - 0.135 * a * a + 0.0141 * h * a +
           0.0998 * h * h + 0.208 * o * a - 0.0301 * o * h - 0.226 * o * o + 0.353 * t * a -
           0.0497 * t * o - 0.423 * t * t + 0.202 * h * a * a - 0.281 * o * a * a -
           0.342 * h * h * a - 0.245 * h * h * o + 0.281 * o * o * h - 0.184 * t * t * a -
           0.281 * h * a * o;
}

static void car_side_impact(const double *x, double *f, double *s) {
    double a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], h = x[5], k = x[6];
    double pillar = 10.58 - 0.674 * a * b - 0.67275 * b,
           door = 16.45 - 0.489 * c * k - 0.843 * e * h;
    f[0] = 1.98 + 4.9 * a + 6.67 * b + 6.98 * c + 4.01 * d + 1.78 * e + 0.00001 * h + 2.73 * k;
    f[1] = 4.72 - 0.5 * d - 0.19 * b * c;
    f[2] = 0.5 * (pillar + door);
    s[0] = 1 - (1.16 - 0.3717 * b * d - 0.0092928 * c);
    s[1] = 0.32 -
           (0.261 - 0.0159 * a * b - 0.06486 * a - 0.019 * b * k + 0.0144 * c * e + 0.0154464 * h);
    s[2] = 0.32 - (0.214 + 0.00817 * e - 0.045195 * a - 0.0135168 * a + 0.03099 * b * h -
                   0.018 * b * k + 0.007176 * c + 0.023232 * c - 0.00364 * e * h - 0.018 * b * b);
    s[3] = 0.32 - (0.74 - 0.61 * b - 0.031296 * c - 0.031872 * k + 0.227 * b * b);
    s[4] = 32 - (28.98 + 3.818 * c - 4.2 * a * b + 1.27296 * h - 2.68065 * k);
    s[5] = 32 - (33.86 + 2.95 * c - 5.057 * a * b - 3.795 * b - 3.4431 * k + 1.45728);
    s[6] = 32 - (46.36 - 9.9 * b - 4.4505 * a);
    s[7] = 4 - f[1];
    s[8] = 9.9 - pillar;
    s[9] = 15.7 - door;
}

/* What a year of the ship carries and costs, at the dead weight W. */
static void ship_year(const double *x, double W, double power, double capital, double *cost,
                      double *cargo) {
    double days = 5000.0 / 24 * x[4], daily = 0.19 * power * 24 / 1000 + 0.2;
    double load = W - daily * (days + 5) - 2 * sqrt(W);
    double trips = 350 / (days + 2 * (load / 8000 + 0.5));
    double voyage = (1.05 * daily * days * 100 + 6.3 * pow(W, 0.8)) * trips;
    *cost = capital + 40000 * pow(W, 0.3) + voyage;
    *cargo = load * trips;
}

static void bulk_carrier(const double *x, double *f, double *s) {
    double L = x[0], B = x[1], D = x[2], T = x[3], speed = x[4], C = x[5];
    double displacement = 1.025 * L * B * T * C, froude = 0.5144 * speed / sqrt(9.8065 * L);
    double a = 4977.06 * C * C - 8105.61 * C + 4456.51, b = -10847.2 * C * C + 12817 * C - 6960.32;
    double power = pow(displacement, 2.0 / 3) * pow(speed, 3) / (a + b * froude);
    double steel = 0.034 * pow(L, 1.7) * pow(B, 0.7) * pow(D, 0.4) * sqrt(C);
    double outfit = pow(L, 0.8) * pow(B, 0.6) * pow(D, 0.3) * pow(C, 0.1);
    double light = steel + outfit + 0.17 * pow(power, 0.9), W = displacement - light;
    double capital = 0.2 * 1.3 * (2000 * pow(steel, 0.85) + 3500 * outfit + 2400 * pow(power, 0.8));
    double cost, cargo;
    ship_year(x, W, power, capital, &cost, &cargo);
    f[0] = cost / cargo;
    f[1] = light;
    f[2] = -cargo;
    s[0] = L / B - 6;
    s[1] = 15 - L / D;
    s[2] = 19 - L / T;
    s[3] = 0.45 * pow(W, 0.31) - T;
    s[4] = 0.7 * D + 0.7 - T;
    s[5] = 500000 - W;
    s[6] = W - 3000;
    s[7] = 0.32 - froude;
    s[8] = 0.53 * T + (0.085 * C - 0.002) * B * B / (T * C) - (1 + 0.52 * D) - 0.07 * B;
}

static void drainage(const double *x, double *f, double *s) {
    double basin = x[0], treat = x[1], drain = x[2], inverse = 1 / (basin * treat);
    f[0] = 106780.37 * (treat + drain) + 61704.67;
    f[1] = 3000 * basin;
    f[2] = 305700 * 2289 * treat / pow(0.06 * 2289, 0.65);
    f[3] = 250 * 2289 * exp(-39.75 * treat + 9.9 * drain + 2.74);
    f[4] = 25 * (1.39 * inverse + 4940 * drain - 80);
    s[0] = 1 - (0.00139 * inverse + 4.94 * drain - 0.08);
    s[1] = 1 - (0.000306 * inverse + 1.082 * drain - 0.0986);
    s[2] = 50000 - (12.307 * inverse + 49408.24 * drain + 4051.02);
    s[3] = 16000 - (2.098 * inverse + 8046.33 * drain - 696.71);
    s[4] = 10000 - (2.138 * inverse + 7883.39 * drain - 705.04);
    s[5] = 2000 - (0.417 * basin * treat + 1721.26 * drain - 136.54);
    s[6] = 550 - (0.164 * inverse + 631.13 * drain - 54.48);
}

static void car_cab(const double *x, double *f, double *s) {
    double a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], h = x[5], k = x[6], p = 0.345,
           q = 0.192;
    (void)s;
    f[0] = 1.98 + 4.9 * a + 6.67 * b + 6.98 * c + 4.01 * d + 1.75 * e + 0.00001 * h + 2.73 * k;
    f[1] = 1.16 - 0.3717 * b * d - 0.484 * c * q;
    f[2] = (0.261 - 0.0159 * a * b - 0.188 * a * p - 0.019 * b * k + 0.0144 * c * e +
            0.08045 * h * q) /
           0.32;
    f[3] = (0.214 + 0.00817 * e - 0.131 * a * p - 0.0704 * a * q + 0.03099 * b * h - 0.018 * b * k +
            0.0208 * c * p + 0.121 * c * q - 0.00364 * e * h - 0.018 * b * b) /
           0.32;
    f[4] = (0.74 - 0.61 * b - 0.163 * c * p - 0.166 * k * q + 0.227 * b * b) / 0.32;
    f[5] =
        (28.98 + 3.818 * c - 4.2 * a * b + 6.63 * h * q - 7.77 * k * p + 33.86 + 2.95 * c -
         5.057 * a * b - 11 * b * p - 9.98 * k * p + 22 * p * q + 46.36 - 9.9 * b - 12.9 * a * p) /
        3 / 32;
    f[6] = (4.72 - 0.5 * d - 0.19 * b * c) / 4;
    f[7] = (10.58 - 0.674 * a * b - 1.95 * b * p) / 9.9;
    f[8] = (16.45 - 0.489 * c * k - 0.843 * e * h) / 15.7;
    for (int i = 1; i < 9; i++)
        f[i] = fmax(f[i], 0);
}

/* --- the table ------------------------------------------------------------------------------------ */

enum {
    FOUR_BAR,
    CONCRETE,
    VESSEL,
    HATCH,
    SPRING,
    TWO_BAR,
    WELDED,
    BRAKE,
    CRASH,
    REDUCER,
    GEARS,
    ROCKET,
    SIDE,
    SHIP,
    DRAINAGE,
    CAB
};

/* Sizes of the limits: constraints are shortfalls in these. */
static const struct {
    void (*part)(const double *x, double *f, double *s);
    double size[11];
} parts[] = {
    [FOUR_BAR] = {four_bar_truss, {0}},
    [CONCRETE] = {concrete_beam, {180, 4}},
    [VESSEL] = {pressure_vessel, {1, 1, 1296000}},
    [HATCH] = {hatch_cover, {1, 1, 1, 1}},
    [SPRING] = {coil_spring, {189000, 14, 3, 6, 1, 1.25}},
    [TWO_BAR] = {two_bar_truss, {0.1, 1e5, 1e5}},
    [WELDED] = {welded_beam, {13600, 30000, 1, 6000}},
    [BRAKE] = {disc_brake, {20, 0.4, 1, 900}},
    [CRASH] = {crashworthiness, {0}},
    [REDUCER] = {speed_reducer,
                 {1.0 / 27, 1 / 397.5, 1 / 1.93, 1 / 1.93, 40, 12, 5, 1.9, 1.9, 1300, 1100}},
    [GEARS] = {gear_train, {0.5}},
    [ROCKET] = {rocket_injector, {0}},
    [SIDE] = {car_side_impact, {1, 0.32, 0.32, 0.32, 32, 32, 32, 4, 9.9, 15.7}},
    [SHIP] = {bulk_carrier, {6, 15, 19, 1, 1, 500000, 3000, 0.32, 1}},
    [DRAINAGE] = {drainage, {1, 1, 50000, 16000, 10000, 2000, 550}},
    [CAB] = {car_cab, {0}},
};

static void constrained(const suite_problem *p, const double *x, double *f, double *g) {
    double s[SUITE_CONSTRAINTS];
    parts[p->member].part(x, f, s);
    for (int j = 0; j < p->constraints; j++)
        g[j] = -s[j] / parts[p->member].size[j];
}

static void free_of_limits(const suite_problem *p, const double *x, double *f, double *g) {
    double s[SUITE_CONSTRAINTS], shortfall = 0;
    (void)g;
    parts[p->member].part(x, f, s);
    int limits = 0;
    for (; limits < 11 && parts[p->member].size[limits] > 0; limits++)
        shortfall += fmax(-s[limits], 0);
    if (limits > 0)
        f[p->m - 1] = shortfall;
}

static const double
    four_bar_box[][2] = {{1, 3}, {1.4142135623730951, 3}, {1.4142135623730951, 3}, {1, 3}},
    concrete_box[][2] = {{0.2, 15}, {0, 20}, {0, 40}},
    vessel_box[][2] = {{1, 100}, {1, 100}, {10, 200}, {10, 240}},
    hatch_box[][2] = {{0.5, 4}, {0.5, 50}}, spring_box[][2] = {{1, 70}, {0.6, 3}, {0.09, 0.5}},
    two_bar_box[][2] = {{1e-5, 100}, {1e-5, 100}, {1, 3}},
    welded_box[][2] = {{0.125, 5}, {0.1, 10}, {0.1, 10}, {0.125, 5}},
    brake_box[][2] = {{55, 80}, {75, 110}, {1000, 3000}, {11, 20}}, crash_box[][2] = {{1, 3}},
    reducer_box[][2] = {{2.6, 3.6}, {0.7, 0.8}, {17, 28}, {7.3, 8.3},
                        {7.3, 8.3}, {2.9, 3.9}, {5, 5.5}},
    gears_box[][2] = {{12, 60}}, unit_box[][2] = {{0, 1}},
    side_box[][2] = {{0.5, 1.5}, {0.45, 1.35}, {0.5, 1.5}, {0.5, 1.5}, {0.875, 2.625}, {0.4, 1.2}},
    ship_box[][2] = {{150, 274.32}, {20, 32.31}, {13, 25}, {10, 11.71}, {14, 18}, {0.63, 0.75}},
    drainage_box[][2] = {{0.01, 0.45}, {0.01, 0.1}};

const suite_problem suite_re[] = {
    {"RE21", "RE", 4, 2, 0, four_bar_box, 4, 0, free_of_limits, FOUR_BAR, 0, 0},
    {"RE22", "RE", 3, 2, 0, concrete_box, 3, 0, free_of_limits, CONCRETE, 0, 0},
    {"RE23", "RE", 4, 2, 0, vessel_box, 4, "1100", free_of_limits, VESSEL, 0, 0},
    {"RE24", "RE", 2, 2, 0, hatch_box, 2, 0, free_of_limits, HATCH, 0, 0},
    {"RE25", "RE", 3, 2, 0, spring_box, 3, "100", free_of_limits, SPRING, 0, 0},
    {"RE31", "RE", 3, 3, 0, two_bar_box, 3, 0, free_of_limits, TWO_BAR, 0, 0},
    {"RE32", "RE", 4, 3, 0, welded_box, 4, 0, free_of_limits, WELDED, 0, 0},
    {"RE33", "RE", 4, 3, 0, brake_box, 4, 0, free_of_limits, BRAKE, 0, 0},
    {"RE34", "RE", 5, 3, 0, crash_box, 1, 0, free_of_limits, CRASH, 0, 0},
    {"RE35", "RE", 7, 3, 0, reducer_box, 7, "0010000", free_of_limits, REDUCER, 0, 0},
    {"RE36", "RE", 4, 3, 0, gears_box, 1, "1111", free_of_limits, GEARS, 0, 0},
    {"RE37", "RE", 4, 3, 0, unit_box, 1, 0, free_of_limits, ROCKET, 0, 0},
    {"RE41", "RE", 7, 4, 0, side_box, 6, 0, free_of_limits, SIDE, 0, 0},
    {"RE42", "RE", 6, 4, 0, ship_box, 6, 0, free_of_limits, SHIP, 0, 0},
    {"RE61", "RE", 3, 6, 0, drainage_box, 2, 0, free_of_limits, DRAINAGE, 0, 0},
    {"RE91", "RE", 7, 9, 0, side_box, 6, 0, free_of_limits, CAB, 0, 0},
    {"CRE21", "CRE", 3, 2, 3, two_bar_box, 3, 0, constrained, TWO_BAR, 0, 0},
    {"CRE22", "CRE", 4, 2, 4, welded_box, 4, 0, constrained, WELDED, 0, 0},
    {"CRE23", "CRE", 4, 2, 4, brake_box, 4, 0, constrained, BRAKE, 0, 0},
    {"CRE24", "CRE", 7, 2, 11, reducer_box, 7, "0010000", constrained, REDUCER, 0, 0},
    {"CRE25", "CRE", 4, 2, 1, gears_box, 1, "1111", constrained, GEARS, 0, 0},
    {"CRE31", "CRE", 7, 3, 10, side_box, 6, 0, constrained, SIDE, 0, 0},
    {"CRE32", "CRE", 6, 3, 9, ship_box, 6, 0, constrained, SHIP, 0, 0},
    {"CRE51", "CRE", 3, 5, 7, drainage_box, 2, 0, constrained, DRAINAGE, 0, 0},
};
const int suite_re_count = sizeof suite_re / sizeof *suite_re;
