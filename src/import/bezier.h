/* bezier.h - curves of a drawing by their length: Bezier curves, polynomial or rational.
 *
 *   x(u) = sum B_i(u) w_i b_i / sum B_i(u) w_i,   0 <= u <= 1,   B_i Bernstein's polynomials of the degree.
 *
 * Every span of a B-spline and every elliptic arc of less than half a turn is one of them,
 * exactly. */
#ifndef GDYN_IMPORT_BEZIER_H
#define GDYN_IMPORT_BEZIER_H

enum { GDYN_BEZIER_DEGREE_MOST = 15, GDYN_BEZIER_STEPS = 16 };

typedef struct gdyn_bezier {
    int degree;                                   /* 1 .. GDYN_BEZIER_DEGREE_MOST */
    double point[GDYN_BEZIER_DEGREE_MOST + 1][4]; /* w b [m], w; weights > 0 */
    double at[GDYN_BEZIER_STEPS +
              1]; /* gdyn_bezier_measure: length up to u = i / GDYN_BEZIER_STEPS [m] */
} gdyn_bezier;

/* The span knot[span] < knot[span + 1] of a B-spline: points (w d, w) and knots of the whole,
 * span from `degree` to the number of points - 1 (W. Boehm 1981; the blossom of L. Ramshaw 1989
 * by de Boor's recursion). */
void gdyn_bezier_of_span(gdyn_bezier *curve, int degree, const double *knot, int span,
                         const double (*point)[4]);
/* centre + a cos t + b sin t for t from `from` over `sweep`, 0 < sweep < pi: of degree two, with
 * weights. */
void gdyn_bezier_of_ellipse(gdyn_bezier *curve, const double centre[3], const double a[3],
                            const double b[3], double from, double sweep);
/* Hermite's quintic: position, first and second derivatives by u at both ends. */
void gdyn_bezier_of_jets(gdyn_bezier *curve, double from[3][3], double to[3][3]);
/* The halves, u below and above 1/2. */
void gdyn_bezier_split(const gdyn_bezier *curve, gdyn_bezier *first, gdyn_bezier *second);

/* Point and derivatives by u. */
void gdyn_bezier_derivatives(const gdyn_bezier *curve, double u, double x[3], double d[3],
                             double dd[3]);
/* Fills the lengths. *error: an estimate of theirs; *slowest: the least speed |x'| seen, over
 * the length (0: a cusp, or points that coincide). */
void gdyn_bezier_measure(gdyn_bezier *curve, double *error, double *slowest);
/* Point, unit tangent and curvature at the length s from the start. */
void gdyn_bezier_jet(const gdyn_bezier *curve, double s, double x[3], double t[3], double k[3]);

#endif
