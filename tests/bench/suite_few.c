/* suite_few.c - problems for searches with few designs: heavy tails, failures, noise, 60 variables.
 *
 * Group few-tune was used to tune the surrogate method, together with RE24, RE31, RE32, RE35,
 * CRE21, CRE22, MW7, g07 and welded-beam; group few-judge only judges it, as do CRE23, RE37, OSY,
 * spring and speed-reducer.
 *
 * RWMOP2, 12, 14, 20: Kumar and others 2021; gripper: Osyczka 2002; C2-DTLZ2: Jain, Deb 2014; MaF1:
 * Cheng and others 2017. A design that fails has objectives that are NaN. */
#include "base/pi.h"
#include "base/random.h"
#include "suite.h"

#include <math.h>
#include <string.h>

bool suite_exact;

static double square(double x) {
    return x * x;
}

/* A normal number that depends on the design alone; 0 while exact values are wanted. */
static double noise(int n, const double *x, uint64_t which) {
    if (suite_exact)
        return 0;
    uint64_t key = 0, bits;
    for (int j = 0; j < n; j++) {
        memcpy(&bits, &x[j], sizeof bits);
        key = key * 6364136223846793005u + bits + 1442695040888963407u;
    }
    gdyn_random random = gdyn_random_stream(key, which, 0);
    return gdyn_random_normal(&random);
}

/* Squared distance to a point inside of the box, variables weighted between 1 and 0.1. */
static double distance(int n, const double *x, int which) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double at = 0.5 + 0.3 * sin(1 + 2.1 * j + 1.7 * which);
        sum += square(x[j] - at) * pow(10, -(double)(j * (which + 1) % n) / n);
    }
    return sum;
}

/* --- tuning ----------------------------------------------------------------------------------- */

/* Both tails are exponential. */
static void tails(const suite_problem *p, const double *x, double *f, double *g) {
    (void)g;
    for (int i = 0; i < 2; i++)
        f[i] = sinh(12 * (distance(p->n, x, i) - 0.25));
}

/* Half of the box fails; the front ends there. */
static void half(const suite_problem *p, const double *x, double *f, double *g) {
    (void)g;
    double edge = sin(6 * x[0]) + cos(5 * x[1]) + x[2] - 0.6;
    for (int i = 0; i < 2; i++)
        f[i] = edge > 0 ? NAN : distance(p->n, x, i);
}

static void noisy(const suite_problem *p, const double *x, double *f, double *g) {
    (void)g;
    for (int i = 0; i < 2; i++)
        f[i] = distance(p->n, x, i) + 0.05 * noise(p->n, x, (uint64_t)i);
}

static void sixty(const suite_problem *p, const double *x, double *f, double *g) {
    f[0] = distance(p->n, x, 0), f[1] = distance(p->n, x, 1);
    g[0] = x[3] + x[4] + x[5] - 1.4;
}

/* --- judging: machine elements ---------------------------------------------------------------- */

static void platform(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    double d1 = x[0], d2 = x[1], d3 = x[2], b = x[3], L = x[4];
    double mu = 2 * b * (100 * d1 + 2770 * (d2 - d1) + 7780 * (d3 - d2));
    double EI =
        2 * b / 3 *
        (1.6e9 * pow(d1, 3) + 70e9 * (pow(d2, 3) - pow(d1, 3)) + 200e9 * (pow(d3, 3) - pow(d2, 3)));
    f[0] = -GDYN_PI / (2 * L * L) * sqrt(fabs(EI / mu));
    f[1] = 2 * b * L * (500 * d1 + 1500 * (d2 - d1) + 800 * (d3 - d2));
    g[0] = mu * L / 2800 - 1, g[1] = d1 - d2, g[2] = d2 - d1 - 0.15;
    g[3] = d2 - d3, g[4] = d3 - d2 - 0.01;
}

static void beam(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    double web = x[0] - 2 * x[3], flange = 2 * x[1] * x[3];
    double sum = x[2] * pow(web, 3) + flange * (4 * square(x[3]) + 3 * x[0] * web); /* 12 times I */
    f[0] = flange + x[2] * web;
    f[1] = 600 * pow(200, 3) / (48 * 2e4 * sum / 12);
    g[0] =
        (180000 * x[0] / sum + 15000 * x[1] / (web * pow(x[2], 3) + 2 * x[3] * pow(x[1], 3))) / 16 -
        1;
}

/* Lengths in mm, torques in N m, speeds in m/s. */
static void clutch(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    double area = GDYN_PI * (square(x[1]) - square(x[0])), omega = GDYN_PI * 250 / 30;
    double radius = 2.0 / 3 * (pow(x[1], 3) - pow(x[0], 3)) / (square(x[1]) - square(x[0])) / 1000;
    double speed = radius * omega, pressure = x[3] / area;
    double moment = 0.6 * x[3] * x[4] * radius, time = 55 * omega / (moment + 3);
    f[0] = area * x[2] * (x[4] + 1) * 7.8e-6, f[1] = time;
    g[0] = (20 - x[1] + x[0]) / 20, g[1] = (x[4] + 1) * (x[2] + 0.5) / 30 - 1;
    g[2] = pressure - 1, g[3] = pressure * speed / 10 - 1, g[4] = speed / 10 - 1;
    g[5] = 1 - moment / 60, g[6] = time / 15 - 1;
}

static void bearing(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    double R = x[0], inner = x[1], mu = x[2], Q = x[3], density = 0.0307;
    double P = (log10(log10(8.122e6 * mu + 0.8)) - 10.04) / -3.55;
    double rise = 2 * (pow(10, P) - 560), friction = 9336 * Q * density * 0.5 * rise;
    double h = square(2 * GDYN_PI * 750 / 60) * 2 * GDYN_PI * mu / friction *
                   (pow(R, 4) / 4 - pow(inner, 4) / 4) -
               1e-5;
    double inlet = 6 * mu * Q / (GDYN_PI * pow(h, 3)) * log(R / inner);
    double load = GDYN_PI * inlet / 2 * (square(R) - square(inner)) / (log(R / inner) - 1e-5);
    f[0] = (Q * inlet / 0.7 + friction) / 12;
    f[1] = density / (386.4 * inlet) * (Q / (2 * GDYN_PI * R * h));
    g[0] = 1 - load / 101000, g[1] = inlet / 1000 - 1, g[2] = rise / 50 - 1, g[3] = 1 - h / 0.001;
    g[4] = inner - R, g[5] = f[1] / 0.001 - 1;
    g[6] = load / (GDYN_PI * (square(R) - square(inner)) + 1e-5) / 5000 - 1;
}

/* The force and the opening of the gripper with its actuator at z. */
static double grip(const double *x, double z, double *opening) {
    double a = x[0], b = x[1], c = x[2], e = x[3], l = x[5];
    double across = sqrt(square(l - z) + square(e)), phi = atan2(e, l - z);
    double alpha = acos((square(a) + square(across) - square(b)) / (2 * a * across)) + phi;
    double beta = acos((square(b) + square(across) - square(a)) / (2 * b * across)) - phi;
    *opening = 2 * (e + x[4] + c * sin(beta + x[6]));
    return 100 * b * sin(alpha + beta) / (2 * c * cos(alpha));
}

static void gripper(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p;
    double least = INFINITY, greatest = -INFINITY, opening, open = 0, sum = 0;
    for (int i = 0; i <= 20; i++) {
        double force = grip(x, 5.0 * i, &opening);
        least = fmin(least, force), greatest = fmax(greatest, force), sum += force;
        if (i == 0)
            open = opening;
    }
    f[0] = isfinite(sum) ? greatest - least : NAN;
    f[1] = isfinite(sum) ? 100 / fabs(least) : NAN;
    g[0] = opening / 50 - 1, g[1] = -opening / 50, g[2] = 1 - open / 100, g[3] = open / 150 - 1;
    g[4] = (square(x[5]) + square(x[3])) / square(x[0] + x[1]) - 1;
    g[5] = (square(x[1]) - square(x[5] - 100) - square(x[0] - x[3])) / 1e4;
    g[6] = 1 - least / 50;
}

/* x: crank, coupler, rocker, frame, the point's coordinates on the coupler, the crank's centre and
 * first angle. 25 points of an ellipse in equal steps of the crank; fails if it does not close. */
static void four_bar(const suite_problem *p, const double *x, double *f, double *g) {
    (void)p, (void)g;
    double error = 0, worst = 0;
    for (int i = 0; i < 25; i++) {
        double t = 2 * GDYN_PI * i / 25, angle = x[8] + t;
        double ax = x[0] * cos(angle), ay = x[0] * sin(angle);
        double dx = x[3] - ax, dy = -ay, d = hypot(dx, dy);
        double turn =
            atan2(dy, dx) + acos((square(x[1]) + square(d) - square(x[2])) / (2 * x[1] * d));
        double px = x[6] + ax + x[4] * cos(turn) - x[5] * sin(turn);
        double py = x[7] + ay + x[4] * sin(turn) + x[5] * cos(turn);
        error += square(px - 3 - 2 * cos(t)) + square(py - 4 - sin(t + 0.3));
        double cosine =
            (square(x[1]) + square(x[2]) - square(d)) / (2 * x[1] * x[2]); /* transmission */
        worst = fmax(worst, fabs(cosine));
    }
    f[0] = error, f[1] = isfinite(error) ? worst : NAN;
}

/* --- judging: others -------------------------------------------------------------------------- */

static void c2_dtlz2(const suite_problem *p, const double *x, double *f, double *g) {
    double tail = 1, a = 0.5 * GDYN_PI * x[0], b = 0.5 * GDYN_PI * x[1], all = 0, best = INFINITY;
    for (int j = 2; j < p->n; j++)
        tail += square(x[j] - 0.5);
    f[0] = tail * cos(a) * cos(b), f[1] = tail * cos(a) * sin(b), f[2] = tail * sin(a);
    double sum = square(f[0]) + square(f[1]) + square(f[2]);
    for (int i = 0; i < 3; i++) {
        best = fmin(best, square(f[i] - 1) + sum - square(f[i]) - square(0.4));
        all += square(f[i] - 1 / sqrt(3));
    }
    g[0] = fmin(best, all - square(0.4));
}

static void maf1(const suite_problem *p, const double *x, double *f, double *g) {
    (void)g;
    double tail = 1;
    for (int j = 2; j < p->n; j++)
        tail += square(x[j] - 0.5);
    f[0] = (1 - x[0] * x[1]) * tail, f[1] = (1 - x[0] * (1 - x[1])) * tail, f[2] = x[0] * tail;
}

/* A sphere's front with holes, in which designs fail. */
static void holes(const suite_problem *p, const double *x, double *f, double *g) {
    (void)g;
    double tail = 1, a = 0.5 * GDYN_PI * x[0];
    for (int j = 1; j < p->n; j++)
        tail += square(x[j] - 0.3 - 0.05 * j);
    bool fails = sin(11 * x[0] + 3 * x[1]) + 0.5 * cos(9 * x[2]) > 0.5;
    f[0] = fails ? NAN : tail * cos(a), f[1] = fails ? NAN : tail * sin(a);
}

/* A cantilever of n steps: mass and deflection with factors of noise of 5 %. */
static void rough(const suite_problem *p, const double *x, double *f, double *g) {
    (void)g;
    double mass = 0, bend = 0;
    for (int j = 0; j < p->n; j++) {
        double h = 0.2 + x[j];
        mass += h, bend += (pow(j + 1, 3) - pow(j, 3)) / pow(h, 3);
    }
    f[0] = mass * exp(0.05 * noise(p->n, x, 0)), f[1] = bend * exp(0.05 * noise(p->n, x, 1));
}

/* The same without noise: 60 steps have a deflection that varies by orders of magnitude. */
static void cantilever(const suite_problem *p, const double *x, double *f, double *g) {
    bool before = suite_exact;
    suite_exact = true;
    rough(p, x, f, g);
    suite_exact = before;
}

static void zdt1_inside(const suite_problem *p, const double *x, double *f, double *g) {
    (void)g;
    double sum = 0;
    for (int j = 1; j < p->n; j++)
        sum += fabs(x[j] - 0.5 - 0.3 * sin(3.0 * j));
    sum = 1 + 9 * sum / (p->n - 1);
    f[0] = x[0], f[1] = sum * (1 - sqrt(x[0] / sum));
}

/* One objective, of five variables among sixty, in a curved valley. */
static void active_five(const suite_problem *p, const double *x, double *f, double *g) {
    (void)g;
    double sum = 0;
    for (int j = 0; j < 4; j++) {
        double a = 3 * x[j * p->n / 5] - 1, b = 3 * x[(j + 1) * p->n / 5] - 1;
        sum += 100 * square(b - a * a) + square(1 - a);
    }
    f[0] = sum;
}

/* --- the table -------------------------------------------------------------------------------- */

static const double unit_box[][2] = {{0, 1}},
                    platform_box[][2] = {{0.05, 0.5}, {0.2, 0.5}, {0.2, 0.6}, {0.35, 0.5}, {3, 6}},
                    beam_box[][2] = {{10, 80}, {10, 50}, {0.9, 5}},
                    clutch_box[][2] = {{60, 80}, {90, 110}, {1, 3}, {0, 1000}, {2, 9}},
                    bearing_box[][2] = {{1, 16}, {1, 16}, {1e-6, 16e-6}, {1, 16}},
                    gripper_box[][2] = {{10, 250}, {10, 250},  {100, 300}, {0, 50},
                                        {10, 250}, {100, 300}, {1, 3.14}},
                    four_bar_box[][2] = {{0.5, 4}, {1, 8},  {1, 8},  {1, 8},        {-6, 6},
                                         {-6, 6},  {-4, 8}, {-4, 8}, {0, 6.2831853}};

#define PROBLEM(name, group, n, m, limits, box, whole, function)                                   \
    { name, group, n, m, limits, box, (int)(sizeof box / sizeof *box), whole, function, 0, 0, 0 }
const suite_problem suite_few[] = {
    PROBLEM("tails", "few-tune", 5, 2, 0, unit_box, 0, tails),
    PROBLEM("half", "few-tune", 5, 2, 0, unit_box, 0, half),
    PROBLEM("noisy", "few-tune", 6, 2, 0, unit_box, 0, noisy),
    PROBLEM("sixty", "few-tune", 60, 2, 1, unit_box, 0, sixty),
    PROBLEM("RW2", "few-judge", 5, 2, 5, platform_box, 0, platform),
    PROBLEM("RW12", "few-judge", 4, 2, 1, beam_box, 0, beam),
    PROBLEM("RW14", "few-judge", 5, 2, 7, clutch_box, "00001", clutch),
    PROBLEM("RW20", "few-judge", 4, 2, 7, bearing_box, 0, bearing),
    PROBLEM("gripper", "few-judge", 7, 2, 7, gripper_box, 0, gripper),
    PROBLEM("four-bar", "few-judge", 9, 2, 0, four_bar_box, 0, four_bar),
    PROBLEM("C2-DTLZ2", "few-judge", 12, 3, 1, unit_box, 0, c2_dtlz2),
    PROBLEM("MaF1", "few-judge", 12, 3, 0, unit_box, 0, maf1),
    PROBLEM("holes", "few-judge", 6, 2, 0, unit_box, 0, holes),
    PROBLEM("rough", "few-judge", 6, 2, 0, unit_box, 0, rough),
    PROBLEM("cantilever", "few-judge", 60, 2, 0, unit_box, 0, cantilever),
    PROBLEM("ZDT1-60", "few-judge", 60, 2, 0, unit_box, 0, zdt1_inside),
    PROBLEM("active-five", "few-judge", 60, 1, 0, unit_box, 0, active_five),
};
const int suite_few_count = sizeof suite_few / sizeof *suite_few;
