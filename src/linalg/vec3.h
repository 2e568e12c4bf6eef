/* vec3.h - vectors and rotations in space. Rotation matrices are column-major double[9]. */
#pragma once

#include <math.h>
#include <string.h>

static inline void v3_set(double r[3], double x, double y, double z) {
    r[0] = x, r[1] = y, r[2] = z;
}
static inline void v3_copy(double r[3], const double a[3]) {
    memcpy(r, a, 3 * sizeof *r);
}
static inline double v3_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline double v3_norm(const double a[3]) {
    return sqrt(v3_dot(a, a));
}
static inline void v3_cross(double r[3], const double a[3], const double b[3]) {
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
           z = a[0] * b[1] - a[1] * b[0];
    v3_set(r, x, y, z);
}
static inline void v3_sub(double r[3], const double a[3], const double b[3]) {
    v3_set(r, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
static inline void v3_add(double r[3], const double a[3], const double b[3]) {
    v3_set(r, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}
/* r = a + s b */
static inline void v3_axpy(double r[3], const double a[3], double s, const double b[3]) {
    v3_set(r, a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]);
}
static inline void v3_scale(double r[3], double s, const double a[3]) {
    v3_set(r, s * a[0], s * a[1], s * a[2]);
}
/* r = R a */
static inline void m3_apply(double r[3], const double R[9], const double a[3]) {
    double x = R[0] * a[0] + R[3] * a[1] + R[6] * a[2], y = R[1] * a[0] + R[4] * a[1] + R[7] * a[2],
           z = R[2] * a[0] + R[5] * a[1] + R[8] * a[2];
    v3_set(r, x, y, z);
}
/* r = R^T a */
static inline void m3_apply_t(double r[3], const double R[9], const double a[3]) {
    double x = v3_dot(R, a), y = v3_dot(R + 3, a), z = v3_dot(R + 6, a);
    v3_set(r, x, y, z);
}

/* R = A B */
void gdyn_m3_multiply(double R[9], const double A[9], const double B[9]);
/* R = A^T B */
void gdyn_m3_multiply_tn(double R[9], const double A[9], const double B[9]);
void gdyn_m3_identity(double R[9]);
/* Scales to unit length; returns the old length (0 leaves the vector alone). */
double gdyn_v3_normalize(double a[3]);
/* Two unit vectors that complete the unit vector e to a right-handed triad (m, k, e); a smooth,
 * deterministic choice that gives (x, y) for e = z, (y, z) for e = x and (z, x) for e = y. */
void gdyn_v3_triad(const double e[3], double m[3], double k[3]);

/* R = Rx(a) Ry(b) Rz(c), the Cardan angles of the papers. */
void gdyn_rotation_from_cardan(double R[9], const double cardan[3]);
/* Inverse; |cardan[1]| <= pi/2. At the singularity cardan[2] = 0 is chosen. */
void gdyn_rotation_to_cardan(const double R[9], double cardan[3]);
/* Of all triples of the rotation, (a, b, c) and (a + pi, pi - b, c + pi) with full turns, the one
 * nearest to `cardan`, which it replaces. */
void gdyn_rotation_to_cardan_near(const double R[9], double cardan[3]);
/* omega (ground axes of the chart) = G cardan'; G column-major. And Gdot for given rates. */
void gdyn_cardan_rates(const double cardan[3], double G[9]);
void gdyn_cardan_rates_dot(const double cardan[3], const double rates[3], double Gdot[9]);
/* R = exp([w]x); w = log(R), |w| <= pi. */
void gdyn_rotation_exp(double R[9], const double w[3]);
void gdyn_rotation_log(const double R[9], double w[3]);
/* (1 - (phi/2) cot(phi/2)) / phi^2 for the square phi^2 of an angle. */
double gdyn_curl_coefficient(double square);
/* rate := theta' for the angular velocity w of exp([theta]x): the inverse of the exponential map's
 * derivative. May be w. */
void gdyn_rotation_vector_rate(double rate[3], const double theta[3], const double w[3]);
/* Smallest rotation that takes the direction of a to that of b. */
void gdyn_rotation_between(double R[9], const double a[3], const double b[3]);
/* Removes rounding drift (Gram-Schmidt on the columns). */
void gdyn_rotation_orthonormalize(double R[9]);
