/* vec3.c - rotations: Cardan angles R = Rx(a) Ry(b) Rz(c) (Horacek, Sika, Valasek 2013, Eq. (6)),
 * rotation vectors (Rodrigues' formula), triads. */
#include "linalg/vec3.h"

#include "base/pi.h"

/* R may be A or B. */
void gdyn_m3_multiply(double R[9], const double A[9], const double B[9]) {
    double C[9];
    for (int j = 0; j < 3; j++)
        m3_apply(C + 3 * j, A, B + 3 * j);
    memcpy(R, C, sizeof C);
}

/* A^T B, in place where wanted. */
void gdyn_m3_multiply_tn(double R[9], const double A[9], const double B[9]) {
    double C[9];
    for (int j = 0; j < 3; j++)
        m3_apply_t(C + 3 * j, A, B + 3 * j);
    memcpy(R, C, sizeof C);
}

void gdyn_m3_identity(double R[9]) {
    memset(R, 0, 9 * sizeof *R);
    R[0] = R[4] = R[8] = 1.0;
}

/* A zero vector stays. */
double gdyn_v3_normalize(double a[3]) {
    double length = v3_norm(a);
    if (length > 0.0)
        v3_scale(a, 1.0 / length, a);
    return length;
}

void gdyn_v3_triad(const double e[3], double m[3], double k[3]) {
    /* Turn (x, y) along with z to e by the smallest rotation of the nearest positive axis. */
    int axis = 2;
    for (int i = 0; i < 3; i++)
        if (e[i] > e[axis] + 1e-9)
            axis = i;
    double from[3] = {0}, R[9];
    from[axis] = 1.0;
    double first[3] = {0}, second[3] = {0};
    first[(axis + 1) % 3] = 1.0;
    second[(axis + 2) % 3] = 1.0;
    gdyn_rotation_between(R, from, e);
    m3_apply(m, R, first), m3_apply(k, R, second);
}

/* R = R_x(a) R_y(b) R_z(c). */
void gdyn_rotation_from_cardan(double R[9], const double cardan[3]) {
    double sa = sin(cardan[0]), ca = cos(cardan[0]);
    double sb = sin(cardan[1]), cb = cos(cardan[1]);
    double sc = sin(cardan[2]), cc = cos(cardan[2]);
    v3_set(R, cb * cc, ca * sc + sa * sb * cc, sa * sc - ca * sb * cc);
    v3_set(R + 3, -cb * sc, ca * cc - sa * sb * sc, sa * cc + ca * sb * sc);
    v3_set(R + 6, sb, -sa * cb, ca * cb);
}

/* Near b = 90 degrees only a + c is determined: c = 0 there. */
void gdyn_rotation_to_cardan(const double R[9], double cardan[3]) {
    double cb = hypot(R[0], R[3]); /* |cos b| */
    cardan[1] = atan2(R[6], cb);
    if (cb > 1e-12) {
        cardan[0] = atan2(-R[7], R[8]), cardan[2] = atan2(-R[3], R[0]);
    } else {
        cardan[0] = atan2(R[5], R[4]);
        cardan[2] = 0.0;
    }
}

/* Of both triples of angles for R the one nearer to what they were. */
void gdyn_rotation_to_cardan_near(const double R[9], double cardan[3]) {
    const double half = GDYN_PI, full = 2 * GDYN_PI;
    double one[3], far[2] = {0, 0};
    gdyn_rotation_to_cardan(R, one);
    double two[3] = {one[0] + half, half - one[1], one[2] + half};
    /* whole turns are free */
    for (int k = 0; k < 3; k++) {
        one[k] += full * round((cardan[k] - one[k]) / full);
        two[k] += full * round((cardan[k] - two[k]) / full);
        far[0] = fmax(far[0], fabs(one[k] - cardan[k]));
        far[1] = fmax(far[1], fabs(two[k] - cardan[k]));
    }
    v3_copy(cardan, far[0] <= far[1] ? one : two);
}

/* w = G (a', b', c'). */
void gdyn_cardan_rates(const double cardan[3], double G[9]) {
    double sa = sin(cardan[0]), ca = cos(cardan[0]);
    double sb = sin(cardan[1]), cb = cos(cardan[1]);
    v3_set(G, 1.0, 0.0, 0.0), v3_set(G + 3, 0.0, ca, sa);
    v3_set(G + 6, sb, -sa * cb, ca * cb);
}

/* The rate of G along these rates. */
void gdyn_cardan_rates_dot(const double cardan[3], const double rates[3], double Gdot[9]) {
    double sa = sin(cardan[0]), ca = cos(cardan[0]);
    double sb = sin(cardan[1]), cb = cos(cardan[1]);
    double da = rates[0], db = rates[1];
    v3_set(Gdot, 0.0, 0.0, 0.0), v3_set(Gdot + 3, 0.0, -sa * da, ca * da);
    v3_set(Gdot + 6, cb * db, -ca * cb * da + sa * sb * db, -sa * cb * da - ca * sb * db);
}

/* sin(t)/t and (1 - cos t)/t^2 from t^2: series that are exact to rounding below t = 0.3. */
static void exponential_factors(double square, double *s, double *c) {
    double t = square;
    if (t < 0.09) {
        *s = 1 - t * (1.0 / 6) *
                     (1 - t * (1.0 / 20) *
                              (1 - t * (1.0 / 42) *
                                       (1 - t * (1.0 / 72) *
                                                (1 - t * (1.0 / 110) * (1 - t * (1.0 / 156))))));
        *c = 0.5 *
             (1 - t * (1.0 / 12) *
                      (1 - t * (1.0 / 30) *
                               (1 - t * (1.0 / 56) *
                                        (1 - t * (1.0 / 90) *
                                                 (1 - t * (1.0 / 132) * (1 - t * (1.0 / 182)))))));
        return;
    }
    double angle = sqrt(t), half = sin(0.5 * angle) / (0.5 * angle);
    *s = sin(angle) / angle;
    *c = 0.5 * half * half;
}

/* Rodrigues' formula. */
void gdyn_rotation_exp(double R[9], const double w[3]) {
    double s, c;
    exponential_factors(v3_dot(w, w), &s, &c);
    double x = w[0], y = w[1], z = w[2];
    v3_set(R, 1.0 - c * (y * y + z * z), c * x * y + s * z, c * x * z - s * y);
    v3_set(R + 3, c * x * y - s * z, 1.0 - c * (x * x + z * z), c * y * z + s * x);
    v3_set(R + 6, c * x * z + s * y, c * y * z - s * x, 1.0 - c * (x * x + y * y));
}

/* The series below 0.1 is exact to 1e-13. */
double gdyn_curl_coefficient(double square) {
    if (square < 0.01)
        return 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square / 1209600));
    double half = 0.5 * sqrt(square);
    return (1 - half / tan(half)) / square;
}

/* theta' = w - theta x w / 2 + c theta x (theta x w). */
void gdyn_rotation_vector_rate(double rate[3], const double theta[3], const double w[3]) {
    double a[3], b[3];
    v3_cross(a, theta, w);
    v3_cross(b, theta, a);
    v3_axpy(rate, w, -0.5, a);
    v3_axpy(rate, rate, gdyn_curl_coefficient(v3_dot(theta, theta)), b);
}

/* The rotation vector, accurate near zero and near half a turn, too. */
void gdyn_rotation_log(const double R[9], double w[3]) {
    double axis[3] = {R[5] - R[7], R[6] - R[2], R[1] - R[3]}; /* 2 sin(t) e */
    double s = 0.5 * v3_norm(axis), c = 0.5 * (R[0] + R[4] + R[8] - 1.0);
    double angle = atan2(s, c);
    if (s > 1e-6) {
        v3_scale(w, 0.5 * angle / s, axis);
        return;
    }
    if (c > 0.0) {
        v3_scale(w, 0.5, axis);
        return;
    }
    /* Near half a turn: R + R^T = 2 cos(t) E + 2 (1 - cos t) e e^T; take the largest column. */
    int best = 0;
    for (int i = 1; i < 3; i++)
        if (R[4 * i] > R[4 * best])
            best = i;
    double e[3];
    for (int i = 0; i < 3; i++)
        e[i] = 0.5 * (R[3 * best + i] + R[3 * i + best]) - (i == best ? c : 0.0);
    gdyn_v3_normalize(e);
    if (v3_dot(e, axis) < 0.0)
        v3_scale(e, -1.0, e);
    v3_scale(w, angle, e);
}

/* The smallest rotation that takes a to b. */
void gdyn_rotation_between(double R[9], const double a[3], const double b[3]) {
    double u[3], v[3], w[3];
    v3_copy(u, a), v3_copy(v, b);
    gdyn_v3_normalize(u), gdyn_v3_normalize(v);
    v3_cross(w, u, v);
    double s = v3_norm(w), angle = atan2(s, v3_dot(u, v));
    if (s > 1e-12) {
        v3_scale(w, angle / s, w);
    } else if (angle > 1.0) { /* opposite: half a turn about the axis smallest along u */
        double axis[3] = {0};
        int least = fabs(u[2]) <= fabs(u[1]) ? 2 : 1;
        if (fabs(u[0]) < fabs(u[least]))
            least = 0;
        axis[least] = 1.0;
        v3_axpy(w, axis, -v3_dot(axis, u), u);
        gdyn_v3_normalize(w);
        v3_scale(w, angle, w);
    }
    gdyn_rotation_exp(R, w);
}

/* Rounding of many products taken out: Gram and Schmidt. */
void gdyn_rotation_orthonormalize(double R[9]) {
    gdyn_v3_normalize(R);
    v3_axpy(R + 3, R + 3, -v3_dot(R, R + 3), R);
    gdyn_v3_normalize(R + 3);
    v3_cross(R + 6, R, R + 3);
}
