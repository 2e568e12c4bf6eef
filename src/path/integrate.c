/* integrate.c - the displacement of one step where the pose depends on the way there.
 *
 * With Pfaffian rows or kinematic redundancy the path fixes only u_p as a function of the pose, and
 * z(p) is the solution of an ordinary differential equation on the poses. It is solved by the
 * embedded Runge-Kutta pair 5(4) of Dormand and Prince (1980) on the group of rotations
 * (Munthe-Kaas 1998): with du the displacement from the step's start, rotation part theta,
 *     du' = u_p,   theta' = dexp^-1(theta) w = w - theta x w / 2 + c theta x (theta x w),
 *     c = (1 - (phi / 2) cot(phi / 2)) / phi^2,   phi = |theta|.
 * Stage poses are projected onto the constraints before u_p is taken there. The pair's difference
 * estimates the error of the step's solution of order 4; the one of order 5 is taken.
 *
 * The error of the whole way (drift e, a displacement) is the sum of the steps' errors, each
 * carried on by the flow: e' = (du_p/dz) e, for the rotations e' = w(z + e) - w(z) + w x e. The
 * derivative is a difference over DISTANCE along e, and a step of Euler's method suffices, since
 * the flow changes little over a step. So errors are seen to grow where a trailer is pushed. */
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

/* Large against the rounding of poses (1e-14), small against the curvature of the flow. */
static const double DISTANCE = 1e-5;
/* Drifts below are rounding of the poses, without a direction: where only the way itself can be
 * followed (an axle led straight on by its middle), a pose beside it cannot. */
static const double NO_DRIFT = 1e-14;

/* The rotation parts as rates of the rotation vectors. */
void gdyn_follower_pull_back(const gdyn_follower *f, const double *du, double *k) {
    for (int i = 0; f->per_body == 6 && i < f->bodies; i++)
        gdyn_rotation_vector_rate(k + 6 * i + 3, du + 6 * i + 3, k + 6 * i + 3);
}

/* du := h times the weighted sum of the first `count` stages. */
static void combine(gdyn_follower *f, int count, const double *weight, double h) {
    memset(f->du, 0, (size_t)f->n * sizeof *f->du);
    for (int s = 0; s < count; s++)
        for (int j = 0; j < f->n && weight[s] != 0; j++)
            f->du[j] += h * weight[s] * f->k[s][j];
}

/* growth := rate of the drift at the step's start; false when the displaced pose cannot be had. */
static bool carry(gdyn_follower *f, const gdyn_leg *leg, double p) {
    double most, size = gdyn_follower_size(f, f->drift, &most), factor = DISTANCE / size;
    memset(f->growth, 0, (size_t)f->n * sizeof *f->growth);
    /* too small to matter */
    if (!(size > NO_DRIFT))
        return true;
    /* a pose displaced by a fixed distance along the drift, and its velocity */
    for (int j = 0; j < f->n; j++)
        f->du[j] = factor * f->drift[j];
    if (!gdyn_follower_rate(f, leg, p, f->du, f->growth))
        return false;
    for (int i = 0; f->per_body == 6 && i < f->bodies; i++) { /* half of w x e is in the rate */
        double turn[3];
        v3_cross(turn, f->now.u_p + 6 * i + 3, f->du + 6 * i + 3);
        v3_axpy(f->growth + 6 * i + 3, f->growth + 6 * i + 3, 0.5, turn);
    }
    /* the difference of both velocities, scaled back */
    for (int j = 0; j < f->n; j++)
        f->growth[j] = (f->growth[j] - f->now.u_p[j]) / factor;
    return true;
}

/* One step of the embedded Runge-Kutta pair over bodies' displacements. */
bool gdyn_follower_integrate(gdyn_follower *f, const gdyn_leg *leg, double p, double h) {
    if (!carry(f, leg, p))
        return false;
    double end = gdyn_path_before(leg->path, p, p + h);
    f->at_break = end != p + h;
    /* stages, each at a closed pose */
    memcpy(f->k[0], f->now.u_p, (size_t)f->n * sizeof *f->now.u_p);
    for (int s = 1; s + 1 < STAGES; s++) {
        combine(f, s, tableau[s], h);
        if (!gdyn_follower_rate(f, leg, node[s] < 1 ? p + h * node[s] : end, f->du, f->k[s]))
            return false;
    }
    /* the last stage is the next step's first one, unless the path breaks there */
    combine(f, STAGES - 1, tableau[STAGES - 1], h);
    return !f->at_break || gdyn_follower_rate(f, leg, end, f->du, f->k[STAGES - 1]);
}

/* Difference of both formulas of the pair. */
double gdyn_follower_local_error(gdyn_follower *f, double h, const double *u_end) {
    double *last = f->k[STAGES - 1], most;
    if (!f->at_break) {
        memcpy(last, u_end, (size_t)f->n * sizeof *last);
        gdyn_follower_pull_back(f, f->du, last);
    }
    for (int j = 0; j < f->n; j++) {
        f->error[j] = 0;
        for (int s = 0; s < STAGES; s++)
            f->error[j] += h * difference[s] * f->k[s][j];
    }
    return gdyn_follower_size(f, f->error, &most);
}
