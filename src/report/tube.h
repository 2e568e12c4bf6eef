/* tube.h - the accessible regions over p as a body in space (internal to report).
 *
 * Its coordinates are d1, p, d2. At every scan (a point of the path that is drawn) each island of the region spans the
 * body between its lower and its upper envelope; between scans islands are joined linearly. */
#ifndef GDYN_REPORT_TUBE_H
#define GDYN_REPORT_TUBE_H

#include "report/picture.h"

enum { GDYN_TUBE_SCANS = 160, GDYN_TUBE_PIECES = 24 };

/* Directions of view as gnuplot takes them: turned about z, then about x [deg]; height of the box, whose other edges
 * are 1. */
enum { GDYN_TUBE_TILT = 62, GDYN_TUBE_TURN = 32 };
#define GDYN_TUBE_HEIGHT 1.1

/* Where the letter of a set stands: on the largest of its patches. */
typedef struct gdyn_tube_spot {
    double size; /* 0: nowhere */
    double d1, p, d2;
} gdyn_tube_spot;

/* A row of vertices of a surface, across p or up the region. */
enum { GDYN_TUBE_ROW = GDYN_TUBE_PIECES * 5 + GDYN_SAMPLES };
typedef struct gdyn_tube_row {
    int count;
    double at[GDYN_TUBE_ROW][3]; /* d1, p, d2 */
    unsigned colour[GDYN_TUBE_ROW];
} gdyn_tube_row;

typedef struct gdyn_tube {
    const gdyn_trajectory *t;
    gdyn_script script; /* takes the cells of the surfaces */
    gdyn_legend legend;
    gdyn_window window;
    int scans;
    const int *scan; /* scans: the points that are drawn */
    gdyn_tube_spot spot[GDYN_LEGEND_SHOWN];
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

/* --- tube.c: the body and what is seen of it --------------------------------------------------- */

/* Direction to the eye in the box of the picture, [0, 1] x [0, 1] x [0, GDYN_TUBE_HEIGHT]. */
void gdyn_tube_eye(double eye[3]);
/* Extent of the path that is drawn. */
double gdyn_tube_length(const gdyn_tube *tube);
/* d2 of an envelope at d1, within the window. */
double gdyn_tube_envelope(const gdyn_tube *tube, int point, double d1, bool upper);
/* The share of the way; exact at both ends, since beyond an island by a rounding error there is no envelope. */
double gdyn_tube_between(double from, double to, double share);
/* The pieces of an envelope of an island within the window, neighbours of one slot joined; their number. */
int gdyn_tube_pieces(const gdyn_tube *tube, int point, int island, bool upper,
                     gdyn_tube_piece *out);
/* Slot of an envelope's limits at d1, and of the limits at the right end of an island; -1: none. */
int gdyn_tube_envelope_slot(const gdyn_tube *tube, int point, int island, double d1, bool upper);
int gdyn_tube_side_slot(const gdyn_tube *tube, int point, int island);
/* The letter of the slot may stand here when no larger patch of its set has been offered and the slot is seen wherever
 * the letter is. */
void gdyn_tube_offer(gdyn_tube *tube, int slot, double size, double d1, int point, double d2);

/* --- tube_mesh.c: its surfaces ----------------------------------------------------------------- */

/* The surfaces of one island over all scans, as cells of the script's data. */
void gdyn_tube_write(gdyn_tube *tube, int island, int count, const int *scan);

#endif
