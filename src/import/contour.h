/* contour.h - lines, arcs and curves one after the other become a smooth path, as a table that a
 * trajectory of kind `file` reads.
 *
 * Where the direction or the curvature jumps from one piece to the next, the machine would have
 * to stop. There the path is rounded: a polynomial of degree five leaves the first piece at the
 * distance `blend` before the corner and joins the second one as far behind it, with position,
 * tangent and curvature of both. */
#ifndef GDYN_IMPORT_CONTOUR_H
#define GDYN_IMPORT_CONTOUR_H

#include "import/bezier.h"
#include "import/robot.h"

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
/* The curve, in as many pieces as its length needs to be known to rounding. One that stands
 * still somewhere is an error. */
void gdyn_contour_curve(gdyn_contour *c, const gdyn_xml *at, const gdyn_bezier *curve);
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

#endif
