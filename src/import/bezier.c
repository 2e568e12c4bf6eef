/* bezier.c - rational Bezier curves: from splines, ellipses and jets; lengths by Gauss's rule of
 * five points in equal parts of u. */
#include "import/contour.h"

#include "linalg/vec3.h"

#include <math.h>
#include <string.h>

/* --- where they come from --------------------------------------------------------------------- */

static void mix(double out[4], const double a[4], const double b[4], double share) {
    for (int i = 0; i < 4; i++)
        out[i] = (1 - share) * a[i] + share * b[i];
}

/* The blossom f(a, ..., a, b, ..., b) with `upper` arguments b: one level of de Boor's recursion
 * for each argument. */
static void blossom(double out[4], int degree, const double *knot, int span,
                    const double (*point)[4], int upper) {
    double d[GDYN_BEZIER_DEGREE_MOST + 1][4];
    memcpy(d, point + span - degree, (size_t)(degree + 1) * sizeof *d);
    for (int level = 1; level <= degree; level++) {
        double u = knot[level <= upper ? span + 1 : span];
        for (int i = degree; i >= level; i--) {
            double low = knot[span - degree + i], high = knot[span + 1 + i - level];
            mix(d[i], d[i - 1], d[i], (u - low) / (high - low));
        }
    }
    memcpy(out, d[degree], sizeof *d);
}

void gdyn_bezier_of_span(gdyn_bezier *curve, int degree, const double *knot, int span,
                         const double (*point)[4]) {
    curve->degree = degree;
    for (int i = 0; i <= degree; i++)
        blossom(curve->point[i], degree, knot, span, point, i);
}

static void set_point(double out[4], const double x[3], double weight) {
    for (int i = 0; i < 3; i++)
        out[i] = weight * x[i];
    out[3] = weight;
}

void gdyn_bezier_of_ellipse(gdyn_bezier *curve, const double centre[3], const double a[3],
                            const double b[3], double from, double sweep) {
    /* the middle point is where the tangents of the ends meet: of the circle at the radius 1 /
     * cos(sweep / 2) */
    double middle = cos(0.5 * sweep);
    curve->degree = 2;
    for (int k = 0; k < 3; k++) {
        double t = from + 0.5 * k * sweep, r = k == 1 ? 1 / middle : 1, x[3];
        for (int i = 0; i < 3; i++)
            x[i] = centre[i] + r * (a[i] * cos(t) + b[i] * sin(t));
        set_point(curve->point[k], x, k == 1 ? middle : 1);
    }
}

void gdyn_bezier_of_jets(gdyn_bezier *curve, double from[3][3], double to[3][3]) {
    curve->degree = 5;
    for (int k = 0; k < 3; k++) {
        double near[3], far[3];
        for (int i = 0; i < 3; i++) {
            double second = k == 2 ? 1.0 / 20 : 0;
            near[i] = from[0][i] + 0.2 * k * from[1][i] + second * from[2][i];
            far[i] = to[0][i] - 0.2 * k * to[1][i] + second * to[2][i];
        }
        set_point(curve->point[k], near, 1);
        set_point(curve->point[5 - k], far, 1);
    }
}

void gdyn_bezier_split(const gdyn_bezier *curve, gdyn_bezier *first, gdyn_bezier *second) {
    int n = curve->degree;
    gdyn_bezier rest = *curve;
    first->degree = second->degree = n;
    for (int level = 0; level <= n; level++) {
        memcpy(first->point[level], rest.point[0], sizeof *rest.point);
        memcpy(second->point[n - level], rest.point[n - level], sizeof *rest.point);
        for (int i = 0; i < n - level; i++)
            mix(rest.point[i], rest.point[i], rest.point[i + 1], 0.5);
    }
}

/* --- points and lengths ----------------------------------------------------------------------- */

/* Derivatives of the homogeneous curve by u: 0, 1, 2 (de Casteljau's scheme, whose last levels
 * have them). */
static void homogeneous(const gdyn_bezier *curve, double u, double h[3][4]) {
    int n = curve->degree;
    double d[GDYN_BEZIER_DEGREE_MOST + 1][4];
    memcpy(d, curve->point, (size_t)(n + 1) * sizeof *d);
    memset(h, 0, 3 * sizeof *h);
    for (int left = n; left >= 0; left--) {
        for (int i = 0; i < 4; i++)
            if (left == 2)
                h[2][i] = n * (n - 1) * (d[2][i] - 2 * d[1][i] + d[0][i]);
            else if (left == 1)
                h[1][i] = n * (d[1][i] - d[0][i]);
            else if (left == 0)
                h[0][i] = d[0][i];
        for (int i = 0; i < left; i++)
            mix(d[i], d[i], d[i + 1], u);
    }
}

void gdyn_bezier_derivatives(const gdyn_bezier *curve, double u, double x[3], double d[3],
                             double dd[3]) {
    double h[3][4];
    homogeneous(curve, u, h);
    for (int i = 0; i < 3; i++) {
        x[i] = h[0][i] / h[0][3];
        d[i] = (h[1][i] - h[1][3] * x[i]) / h[0][3];
        dd[i] = (h[2][i] - 2 * h[1][3] * d[i] - h[2][3] * x[i]) / h[0][3];
    }
}

static double speed_at(const gdyn_bezier *curve, double u) {
    double x[3], d[3], dd[3];
    gdyn_bezier_derivatives(curve, u, x, d, dd);
    return v3_norm(d);
}

/* Length from u to u + step. */
static double length_of(const gdyn_bezier *curve, double u, double step, double *slowest) {
    static const double node[3] = {0, 0.53846931010568309104, 0.90617984593866399280};
    static const double weight[3] = {0.56888888888888888889, 0.47862867049936646804,
                                     0.23692688505618908751};
    double sum = 0, half = 0.5 * step, middle = u + half;
    for (int i = 0; i < 5; i++) {
        int k = i < 2 ? 2 - i : i - 2;
        double v = speed_at(curve, middle + (i < 2 ? -half : half) * node[k]);
        sum += weight[k] * v;
        *slowest = fmin(*slowest, v);
    }
    return half * sum;
}

void gdyn_bezier_measure(gdyn_bezier *curve, double *error, double *slowest) {
    const double h = 1.0 / GDYN_BEZIER_STEPS;
    double least = fmin(speed_at(curve, 0), speed_at(curve, 1)), coarse = 0;
    curve->at[0] = 0;
    for (int i = 0; i < GDYN_BEZIER_STEPS; i++) {
        curve->at[i + 1] = curve->at[i] + length_of(curve, i * h, h, &least);
        if (i % 2 == 0)
            coarse += length_of(curve, i * h, 2 * h, &least);
    }
    *error = fabs(coarse - curve->at[GDYN_BEZIER_STEPS]);
    *slowest = curve->at[GDYN_BEZIER_STEPS] > 0 ? least / curve->at[GDYN_BEZIER_STEPS] : 0;
}

/* u at that length: Newton's method from the table. */
static double parameter_at(const gdyn_bezier *curve, double s) {
    const double h = 1.0 / GDYN_BEZIER_STEPS;
    int i = 0;
    while (i < GDYN_BEZIER_STEPS - 1 && curve->at[i + 1] <= s)
        i++;
    double u = i * h, left = s - curve->at[i], step = left / (curve->at[i + 1] - curve->at[i]) * h;
    double unused = INFINITY;
    for (int k = 0; k < 6; k++) {
        double off = length_of(curve, u, step, &unused) - left;
        step -= off / fmax(speed_at(curve, u + step), 1e-300);
        step = fmin(fmax(step, -h), 2 * h);
        if (fabs(off) < 1e-15 * curve->at[GDYN_BEZIER_STEPS])
            break;
    }
    return u + step;
}

void gdyn_bezier_jet(const gdyn_bezier *curve, double s, double x[3], double t[3], double k[3]) {
    double d[3], dd[3];
    gdyn_bezier_derivatives(curve, parameter_at(curve, s), x, d, dd);
    double speed = fmax(v3_norm(d), 1e-300), along;
    v3_scale(t, 1 / speed, d);
    along = v3_dot(dd, t);
    for (int i = 0; i < 3; i++)
        k[i] = (dd[i] - along * t[i]) / (speed * speed);
}
