/* integrate.c - the displacement of one step where the pose depends on the way there.
 *
 * With Pfaffian rows or kinematic redundancy the path fixes only u_p as a function of the pose, and
 * z(p) is the solution of an ordinary differential equation on the poses. It is solved by the
 * embedded Runge-Kutta pair 5(4) of Dormand and Prince (1980) on the group of rotations
 * (Munthe-Kaas 1998): with du the displacement from the step's start, rotation part theta,
 *     du' = u_p,   theta' = dexp^-1(theta) w = w - theta x w / 2 + c theta x (theta x w),
 *     c = (1 - (phi / 2) cot(phi / 2)) / phi^2,   phi = |theta|.
 * Stage poses are projected onto the constraints before u_p is taken there. The pair's difference
 * estimates the error of the step's solution of order 4; the one of order 5 is taken. */
#include "path/internal.h"
#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

enum { STAGES = GDYN_STAGES };

/* Nodes c and rows a of the tableau; the last row is the solution of order 5, taken at stage 7. */
static const double node[STAGES] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
static const double tableau[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
/* Weights of order 5 minus those of order 4. */
static const double difference[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                          -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/* c for phi^2; the series below 0.1 is exact to 1e-13. */
static double curl_coefficient(double square) {
    if (square < 0.01)
        return 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square / 1209600));
    double half = 0.5 * sqrt(square);
    return (1 - half / tan(half)) / square;
}

void gdyn_follower_pull_back(const gdyn_follower *f, const double *du, double *k) {
    for (int i = 0; f->per_body == 6 && i < f->bodies; i++) {
        const double *theta = du + 6 * i + 3;
        double *w = k + 6 * i + 3, a[3], b[3];
        v3_cross(a, theta, w);
        v3_cross(b, theta, a);
        v3_axpy(w, w, -0.5, a);
        v3_axpy(w, w, curl_coefficient(v3_dot(theta, theta)), b);
    }
}

/* du := h times the weighted sum of the first `count` stages. */
static void combine(gdyn_follower *f, int count, const double *weight, double h) {
    memset(f->du, 0, (size_t)f->n * sizeof *f->du);
    for (int s = 0; s < count; s++)
        for (int j = 0; j < f->n && weight[s] != 0; j++)
            f->du[j] += h * weight[s] * f->k[s][j];
}

bool gdyn_follower_integrate(gdyn_follower *f, const gdyn_leg *leg, double p, double h) {
    memcpy(f->k[0], f->u, (size_t)f->n * sizeof *f->u);
    for (int s = 1; s < STAGES; s++) {
        combine(f, s, tableau[s], h);
        if (s == STAGES - 1)
            return true; /* du is the step */
        double at = node[s] < 1 ? p + h * node[s] : gdyn_path_before(leg->path, p, p + h);
        if (!gdyn_follower_rate(f, leg, at, f->du, f->k[s]))
            return false;
    }
    return false;
}

double gdyn_follower_local_error(gdyn_follower *f, double h, const double *u_end) {
    double *last = f->k[STAGES - 1], most;
    memcpy(last, u_end, (size_t)f->n * sizeof *last);
    gdyn_follower_pull_back(f, f->du, last);
    for (int j = 0; j < f->n; j++) {
        f->error[j] = 0;
        for (int s = 0; s < STAGES; s++)
            f->error[j] += h * difference[s] * f->k[s][j];
    }
    return gdyn_follower_size(f, f->error, &most);
}
