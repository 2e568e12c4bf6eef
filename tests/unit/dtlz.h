/* dtlz.h - the scalable problems of Deb, Thiele, Laumanns, Zitzler (2002): n variables in [0, 1], m
 * objectives; k = n - m + 1 variables measure the distance from the front. */
#ifndef DTLZ_H
#define DTLZ_H

#include <math.h>

static const double dtlz_pi = 3.14159265358979323846;

static inline double dtlz_rugged(int n, int m, const double *x) {
    double g = n - m + 1;
    for (int j = m - 1; j < n; j++)
        g += (x[j] - 0.5) * (x[j] - 0.5) - cos(20 * dtlz_pi * (x[j] - 0.5));
    return 100 * g;
}

static inline double dtlz_smooth(int n, int m, const double *x) {
    double g = 0;
    for (int j = m - 1; j < n; j++)
        g += (x[j] - 0.5) * (x[j] - 0.5);
    return g;
}

/* Front: sum f = 1/2. */
static inline void dtlz1_of(int n, int m, const double *x, double *f) {
    double g = dtlz_rugged(n, m, x);
    for (int i = 0; i < m; i++) {
        f[i] = 0.5 * (1 + g);
        for (int j = 0; j < m - 1 - i; j++)
            f[i] *= x[j];
        if (i > 0)
            f[i] *= 1 - x[m - 1 - i];
    }
}

/* Sphere of radius 1 + g; the angles are x^bias. */
static inline void dtlz_sphere(int m, const double *x, double g, double bias, double *f) {
    for (int i = 0; i < m; i++) {
        f[i] = 1 + g;
        for (int j = 0; j < m - 1 - i; j++)
            f[i] *= cos(pow(x[j], bias) * dtlz_pi / 2);
        if (i > 0)
            f[i] *= sin(pow(x[m - 1 - i], bias) * dtlz_pi / 2);
    }
}

static inline void dtlz2_of(int n, int m, const double *x, double *f) {
    dtlz_sphere(m, x, dtlz_smooth(n, m, x), 1, f);
}
static inline void dtlz3_of(int n, int m, const double *x, double *f) {
    dtlz_sphere(m, x, dtlz_rugged(n, m, x), 1, f);
}
static inline void dtlz4_of(int n, int m, const double *x, double *f) {
    dtlz_sphere(m, x, dtlz_smooth(n, m, x), 100, f);
}

/* 2^(m-1) separate pieces; front: f_m = 2 (m - sum f_i (1 + sin 3 pi f_i) / 2), the best of them. */
static inline void dtlz7_of(int n, int m, const double *x, double *f) {
    double g = 1, h = m;
    for (int j = m - 1; j < n; j++)
        g += 9 * x[j] / (n - m + 1);
    for (int i = 0; i < m - 1; i++) {
        f[i] = x[i];
        h -= f[i] / (1 + g) * (1 + sin(3 * dtlz_pi * f[i]));
    }
    f[m - 1] = (1 + g) * h;
}

/* How far f lies beyond the front, along f (DTLZ1 to 4) or f_m (DTLZ7), as a share. */
static inline double dtlz_beyond(int number, int m, const double *f) {
    double sum = 0, square = 0, h = m;
    for (int i = 0; i < m; i++) {
        sum += f[i], square += f[i] * f[i];
        if (i < m - 1)
            h -= f[i] / 2 * (1 + sin(3 * dtlz_pi * f[i]));
    }
    if (number == 1)
        return 2 * sum - 1;
    return number == 7 ? f[m - 1] / (2 * h) - 1 : sqrt(square) - 1;
}

#endif
