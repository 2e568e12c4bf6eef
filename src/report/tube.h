/* tube.h - the accessible regions over p as a body in space (internal to report).
 *
 * Its coordinates are d1, p, d2. At every scan (a point of the path that is drawn) each island
 * of the region spans the body between its lower and its upper envelope; between scans islands
 * are joined linearly. */
#ifndef GDYN_REPORT_TUBE_H
#define GDYN_REPORT_TUBE_H

#include "report/picture.h"

enum { GDYN_TUBE_SCANS = 160, GDYN_TUBE_PIECES = 24 };

/* Directions of view as gnuplot takes them: turned about z, then about x [deg]; height of the
 * box, whose other edges are 1. */
enum { GDYN_TUBE_TILT = 62, GDYN_TUBE_TURN = 32 };
#define GDYN_TUBE_HEIGHT 1.1

/* A row of vertices of a surface, across p or up the region. A row across has the vertices of
 * two scans. */
enum { GDYN_TUBE_ROW = 2 * (GDYN_TUBE_PIECES * 5 + GDYN_SAMPLES) };
/* Slots of the legend, and surfaces that belong to none. */
enum { GDYN_TUBE_CAP = -2, GDYN_TUBE_END = -3 };
typedef struct gdyn_tube_row {
    int count;
    double at[GDYN_TUBE_ROW][3]; /* d1, p, d2 */
    int slot[GDYN_TUBE_ROW];     /* of the surface from this vertex to the next */
} gdyn_tube_row;

struct gdyn_tube_view;
typedef struct gdyn_tube {
    const gdyn_trajectory *t;
    gdyn_figure *figure; /* takes the cells of the surfaces */
    gdyn_legend legend;
    gdyn_window window;
    int scans;
    const int *scan;             /* scans: the points that are drawn */
    struct gdyn_tube_view *view; /* what the eye sees of the cells */
    bool
        outward; /* of the surface in the making: along its rows x from row to row, or against it */
    gdyn_tube_row row;  /* in the making */
    gdyn_tube_row last; /* before it; count 0: none */
} gdyn_tube;

/* A stretch of an envelope on which the same limits are saturated. */
typedef struct gdyn_tube_piece {
    double from, to;
    int slot; /* of the legend */
} gdyn_tube_piece;

/* --- tube.c: the body and what is seen of it -------------------------------------------------- */

/* Direction to the eye in the box of the picture, [0, 1] x [0, 1] x [0, GDYN_TUBE_HEIGHT]. */
void gdyn_tube_eye(double eye[3]);
/* Extent of the path that is drawn. */
double gdyn_tube_length(const gdyn_tube *tube);
/* d2 of an envelope at d1, within the window. */
double gdyn_tube_envelope(const gdyn_tube *tube, int point, double d1, bool upper);
/* The share of the way; exact at both ends, since beyond an island by a rounding error there is
 * no envelope. */
double gdyn_tube_between(double from, double to, double share);
/* The pieces of an envelope of an island within the window, neighbours of one slot joined; their
 * number. */
int gdyn_tube_pieces(const gdyn_tube *tube, int point, int island, bool upper,
                     gdyn_tube_piece *out);
/* Slot of the limits at the right end of an island; -1: none. */
int gdyn_tube_side_slot(const gdyn_tube *tube, int point, int island);

/* --- tube_view.c: what is seen of the body ---------------------------------------------------- */

typedef struct gdyn_tube_view gdyn_tube_view;
/* An empty view; false when memory is out. End it in any case. */
bool gdyn_tube_view_begin(gdyn_tube *tube);
void gdyn_tube_view_end(gdyn_tube *tube);
/* A triangle of the surface of a slot; corners d1, p, d2. */
void gdyn_tube_view_add(gdyn_tube *tube, const double a[3], const double b[3], const double c[3],
                        int slot);
/* The middle of the largest square in which nothing but this slot is seen, as a place of the
 * surface; the size of the square, a share of the box's width; 0: the slot is not seen. */
double gdyn_tube_view_place(const gdyn_tube *tube, int slot, double at[3]);

/* --- tube_mesh.c: its surfaces ---------------------------------------------------------------- */

/* The surfaces of one island over all scans, as cells of the figure's data. */
void gdyn_tube_write(gdyn_tube *tube, int island, int count, const int *scan);

#endif
