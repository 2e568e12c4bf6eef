/* contour.h - lines, arcs and curves one after the other become a smooth path, as a table that a
 * trajectory of kind `file` reads.
 *
 * Where the direction or the curvature jumps from one piece to the next, the machine would have
 * to stop. There the path is rounded: a polynomial of degree five leaves the first piece at the
 * distance `blend` before the corner and joins the second one as far behind it, with position,
 * tangent and curvature of both. */
#pragma once

#include "import/robot.h"

/* bezier.c: curves of a drawing by their length: Bezier curves, polynomial or rational.
 *
 *   x(u) = sum B_i(u) w_i b_i / sum B_i(u) w_i,   0 <= u <= 1,   B_i Bernstein's polynomials.
 *
 * Every span of a B-spline and every elliptic arc of less than half a turn is one of them,
 * exactly. */

enum { GDYN_BEZIER_DEGREE_MOST = 15, GDYN_BEZIER_STEPS = 16 };

typedef struct gdyn_bezier {
    int degree;                                   /* 1 .. GDYN_BEZIER_DEGREE_MOST */
    double point[GDYN_BEZIER_DEGREE_MOST + 1][4]; /* w b [m], w; weights > 0 */
    double at[GDYN_BEZIER_STEPS + 1]; /* by gdyn_bezier_measure: length [m] up to u = i / STEPS */
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
/* Fills the lengths. *error: an estimate of theirs; *slowest: the smallest speed |x'| seen, over
 * the length (0: a cusp, or points that coincide). */
void gdyn_bezier_measure(gdyn_bezier *curve, double *error, double *slowest);
/* Point, unit tangent and curvature at the length s from the start. */
void gdyn_bezier_jet(const gdyn_bezier *curve, double s, double x[3], double t[3], double k[3]);

/* --- pieces of a path ------------------------------------------------------------------------- */

/* x(s) = centre + r (u cos a + v sin a) + rise s / length, a = sweep s / length; a line has r =
 * 0, and its direction is the rise. Or a curve, by its length. */
typedef struct gdyn_contour_piece {
    const gdyn_xml *at;       /* place in the file */
    const gdyn_bezier *curve; /* NULL: a line or an arc, as follows */
    bool backwards;           /* of a curve: from its end to its start */
    double centre[3], u[3], v[3], rise[3];
    double radius, sweep, length; /* [m], [rad] */
} gdyn_contour_piece;

typedef struct gdyn_contour {
    gdyn_robot *log; /* for remarks and errors */
    const gdyn_document *source;
    const char *format;
    int count, capacity;
    gdyn_contour_piece *piece;
} gdyn_contour;

/* A place in the file, for messages; NULL without memory. */
const gdyn_xml *gdyn_contour_place(gdyn_contour *c, int line, const char *word);
/* Adds a piece; one without length is left out. */
void gdyn_contour_line(gdyn_contour *c, const gdyn_xml *at, const double from[3],
                       const double to[3]);
/* From the point centre + r u, about w = u x v. */
void gdyn_contour_arc(gdyn_contour *c, const gdyn_contour_piece *arc);
/* The curve, halved (`halvings`: so far, 0) until its length is known to rounding. One that stands
 * still somewhere is an error. */
void gdyn_contour_curve(gdyn_contour *c, const gdyn_xml *at, const gdyn_bezier *curve,
                        int halvings);
/* Point, unit tangent and curvature of a piece at the distance s from its start. */
void gdyn_piece_jet(const gdyn_contour_piece *piece, double s, double x[3], double t[3],
                    double k[3]);
/* The same way backwards. */
void gdyn_piece_reverse(gdyn_contour_piece *piece);

/* gcode.c, dxf.c */
void gdyn_gcode_read(gdyn_contour *c);
void gdyn_dxf_read(gdyn_contour *c, int number);

/* The smooth path as CSV: p, x, y and, unless `planar`, z. Remarks tell what was rounded, and by
 * how much a spline through the rows misses the path. */
gdyn_status gdyn_contour_write(gdyn_contour *c, double blend, bool planar, gdyn_text *out);

/* --- dxf.c, dxf_curves.c: the pairs of a DXF file --------------------------------------------- */

typedef struct gdyn_dxf_layer {
    const char *name;
    struct gdyn_dxf_layer *next;
} gdyn_dxf_layer;

typedef struct gdyn_dxf_reader {
    gdyn_contour *c;
    int line;               /* of the value */
    int code;               /* -1: the end, or an error */
    const char *text;       /* value, without blanks around it */
    double unit;            /* [m] */
    gdyn_dxf_layer *hidden; /* layers that are off or frozen */
} gdyn_dxf_reader;

/* The next pair. */
void gdyn_dxf_next(gdyn_dxf_reader *r);
/* Its value as a number; 0 after an error. */
double gdyn_dxf_number(gdyn_dxf_reader *r);

/* dxf_curves.c: the reader stands at the name of the entity, and afterwards at that of the next
 * one. */
void gdyn_dxf_spline(gdyn_dxf_reader *r, const gdyn_xml *at);
void gdyn_dxf_ellipse(gdyn_dxf_reader *r, const gdyn_xml *at);
