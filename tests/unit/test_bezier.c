/* Curves of drawings: spans of B-splines against the basis functions of Cox and de Boor, arcs against circle and ellipse, lengths
 * against closed forms. */
#include "base/pi.h"
#include "base/random.h"
#include "import/contour.h"
#include "linalg/vec3.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"

static double measured(gdyn_bezier *curve) {
    double error, slowest;
    gdyn_bezier_measure(curve, &error, &slowest);
    assert_true(slowest > 0 && error <= 1e-9 * curve->at[GDYN_BEZIER_STEPS]);
    return curve->at[GDYN_BEZIER_STEPS];
}

/* N_i,degree(u) by the recursion of Cox and de Boor, 0/0 = 0: shares nothing with the blossom. */
static double basis(const double *knot, int i, int degree, double u) {
    if (degree == 0)
        return u >= knot[i] && u < knot[i + 1];
    double low = knot[i + degree] - knot[i], high = knot[i + degree + 1] - knot[i + 1];
    return (low > 0 ? (u - knot[i]) / low * basis(knot, i, degree - 1, u) : 0) +
           (high > 0 ? (knot[i + degree + 1] - u) / high * basis(knot, i + 1, degree - 1, u) : 0);
}

enum { POINTS = 9 };

/* Random knots, some of them double, and weights between 1/2 and 2; every span at eleven places. Sums of nine products of numbers
 * below 10 after at most 8 levels: rounding below 1e-13. */
static void spans_follow_the_definition(void **state) {
    (void)state;
    gdyn_random r = gdyn_random_stream(7, 0, 0);
    for (int trial = 0; trial < 40; trial++) {
        int degree = 1 + trial % 8;
        double knot[POINTS + 9], point[POINTS][4];
        knot[0] = 0;
        for (int i = 1; i <= POINTS + degree; i++)
            knot[i] = knot[i - 1] + (gdyn_random_below(&r, 3) ? gdyn_random_uniform(&r) : 0);
        for (int i = 0; i < POINTS; i++) {
            point[i][3] = 0.5 + 1.5 * gdyn_random_uniform(&r);
            for (int k = 0; k < 3; k++)
                point[i][k] = point[i][3] * (10 * gdyn_random_uniform(&r) - 5);
        }
        for (int span = degree; span < POINTS; span++) {
            gdyn_bezier curve;
            if (!(knot[span] < knot[span + 1]))
                continue;
            gdyn_bezier_of_span(&curve, degree, knot, span, (const double(*)[4])point);
            for (int place = 0; place <= 10; place++) {
                double x[3], d[3], dd[3], sum[4] = {0}, v = place / 10.0;
                double u = knot[span] + (v == 1 ? 1 - 1e-15 : v) * (knot[span + 1] - knot[span]);
                for (int i = 0; i < POINTS; i++)
                    for (int k = 0; k < 4; k++)
                        sum[k] += basis(knot, i, degree, u) * point[i][k];
                if (u >= knot[span + 1])
                    continue;
                gdyn_bezier_derivatives(&curve, v, x, d, dd);
                for (int k = 0; k < 3; k++)
                    assert_near(x[k], sum[k] / sum[3], 1e-12);
            }
        }
    }
}

/* The circle of nine points with the weights 1 and sqrt(1/2): radius, curvature and length. */
static void circle_of_nine_points(void **state) {
    (void)state;
    static const double knot[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    static const int corner[9][2] = {{1, 0},   {1, 1},  {0, 1},  {-1, 1}, {-1, 0},
                                     {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
    const double r = 2.385;
    double point[9][4], length = 0;
    for (int i = 0; i < 9; i++) {
        double w = i % 2 ? sqrt(0.5) : 1;
        double p[4] = {w * r * corner[i][0], w * r * corner[i][1], 0, w};
        memcpy(point[i], p, sizeof p);
    }
    for (int span = 2; span < 9; span++) {
        gdyn_bezier curve;
        if (!(knot[span] < knot[span + 1]))
            continue;
        gdyn_bezier_of_span(&curve, 2, knot, span, (const double(*)[4])point);
        double quarter = measured(&curve);
        for (int i = 0; i <= 20; i++) {
            double x[3], t[3], k[3], s = quarter * i / 20;
            gdyn_bezier_jet(&curve, s, x, t, k);
            double angle = (length + s) / r;
            assert_near(x[0], r * cos(angle), 1e-12);
            assert_near(x[1], r * sin(angle), 1e-12);
            assert_near(t[0], -sin(angle), 1e-12);
            assert_near(t[1], cos(angle), 1e-12);
            assert_near(k[0], -cos(angle) / r, 1e-12);
            assert_near(k[1], -sin(angle) / r, 1e-12);
        }
        length += quarter;
    }
    assert_near(length, 2 * GDYN_PI * r, 1e-12);
}

/* Circumference by the arithmetic and geometric mean of Gauss: 2 pi (a^2 - sum 2^(n-1) c_n^2) / M(a, b). */
static double circumference(double a, double b) {
    double sum = a * a - 0.5 * (a * a - b * b), power = 0.5;
    while (fabs(a - b) > 1e-15 * a) {
        double c = 0.5 * (a - b), mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
        power *= 2;
        sum -= power * c * c;
    }
    return 2 * GDYN_PI * sum / a;
}

/* Sixteen arcs of an ellipse askew in space: points on it, and the circumference. */
static void ellipses(void **state) {
    (void)state;
    static const double ratio[] = {1, 0.7, 0.25, 0.05};
    const double centre[3] = {1, -2, 0.5}, a[3] = {2, 2, 1}; /* 3 long */
    for (size_t n = 0; n < sizeof ratio / sizeof *ratio; n++) {
        double b[3] = {2 * ratio[n], -1 * ratio[n], -2 * ratio[n]}, sum = 0;
        for (int i = 0; i < 16; i++) {
            gdyn_bezier arc;
            gdyn_bezier_of_ellipse(&arc, centre, a, b, 0.3 + i * GDYN_PI / 8, GDYN_PI / 8);
            double length = measured(&arc);
            sum += length;
            for (int k = 0; k <= 4; k++) {
                double x[3], t[3], bend[3], from[3];
                gdyn_bezier_jet(&arc, length * k / 4, x, t, bend);
                v3_sub(from, x, centre);
                double along = v3_dot(from, a) / 9, across = v3_dot(from, b) / v3_dot(b, b);
                assert_near(along * along + across * across, 1, 1e-12);
                assert_near(v3_dot(t, bend) / (v3_norm(bend) + 1), 0, 1e-12);
            }
        }
        assert_near(sum, circumference(3, 3 * ratio[n]), 1e-9 * sum);
    }
}

/* y = x^2 from 0 to 1: length sqrt(5) / 2 + asinh(2) / 4, curvature 2 / (1 + 4 x^2)^(3/2); its halves are the same curve. */
static void parabola(void **state) {
    (void)state;
    gdyn_bezier curve = {.degree = 2, .point = {{0, 0, 0, 1}, {0.5, 0, 0, 1}, {1, 1, 0, 1}}};
    gdyn_bezier half[2];
    double length = measured(&curve), x[3], t[3], k[3];
    assert_near(length, 0.5 * sqrt(5) + 0.25 * asinh(2), 1e-12);
    gdyn_bezier_split(&curve, &half[0], &half[1]);
    assert_near(measured(&half[0]) + measured(&half[1]), length, 1e-13);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j <= 10; j++) {
            gdyn_bezier_jet(&half[i], half[i].at[GDYN_BEZIER_STEPS] * j / 10, x, t, k);
            assert_near(x[1], x[0] * x[0], 1e-13);
            assert_near(v3_norm(k), 2 / pow(1 + 4 * x[0] * x[0], 1.5), 1e-11);
            assert_near(t[1] / t[0], 2 * x[0], 1e-12);
        }
}

/* Derivatives against central differences (error h^2), of degrees 1 to 15 with weights; quintics have the jets they are made of. */
static void derivatives(void **state) {
    (void)state;
    gdyn_random r = gdyn_random_stream(8, 0, 0);
    const double h = 1e-4;
    for (int degree = 1; degree <= GDYN_BEZIER_DEGREE_MOST; degree++) {
        gdyn_bezier curve = {.degree = degree};
        for (int i = 0; i <= degree; i++) {
            curve.point[i][3] = 0.5 + gdyn_random_uniform(&r);
            for (int k = 0; k < 3; k++)
                curve.point[i][k] = gdyn_random_uniform(&r);
        }
        double x[3], d[3], dd[3], a[3], b[3], da[3], db[3], unused[3];
        gdyn_bezier_derivatives(&curve, 0.385, x, d, dd);
        gdyn_bezier_derivatives(&curve, 0.385 - h, a, da, unused);
        gdyn_bezier_derivatives(&curve, 0.385 + h, b, db, unused);
        for (int k = 0; k < 3; k++) {
            assert_near((b[k] - a[k]) / (2 * h), d[k], 1e-4);
            assert_near((db[k] - da[k]) / (2 * h), dd[k], 1e-3);
        }
    }
    double from[3][3] = {{0, 1, 2}, {3, -1, 0.5}, {0.2, 2, -1}}, x[3][3];
    double to[3][3] = {{2, 2, 2}, {1, 1, -1}, {-3, 0, 0.7}};
    gdyn_bezier quintic;
    gdyn_bezier_of_jets(&quintic, from, to);
    for (int end = 0; end < 2; end++) {
        gdyn_bezier_derivatives(&quintic, end, x[0], x[1], x[2]);
        for (int i = 0; i < 9; i++)
            assert_near(x[i / 3][i % 3], (end ? to : from)[i / 3][i % 3], 1e-13);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_follow_the_definition),
        cmocka_unit_test(circle_of_nine_points),
        cmocka_unit_test(ellipses),
        cmocka_unit_test(parabola),
        cmocka_unit_test(derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
