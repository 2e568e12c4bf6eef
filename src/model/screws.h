/* screws.h - the relative motions that a joint leaves free (internal to the library).
 *
 * Each is a unit screw of body a relative to body b through a's point of the joint; with the
 * joint's constraint rows C_j they satisfy C_j S_j = 0, rank S_j = coordinates - rank C_j. They are
 * the joint coordinates of a spanning tree (Schiehlen, Blajer 1992). A ball has three turns about
 * the axes of b, which are rates and no angles: no chart, no singularity. At a closed pose the
 * screws of a joint are orthogonal: a turn is axis . (relative angular velocity), a slide axis .
 * (relative velocity of a's point). */
#pragma once

#include "model/model.h"

typedef enum gdyn_screw_frame {
    GDYN_SCREW_IN_A,
    GDYN_SCREW_IN_B,
    GDYN_SCREW_IN_GROUND
} gdyn_screw_frame;

typedef struct gdyn_screw {
    bool turns;     /* about the axis; else along it */
    bool in_a;      /* the axis is fixed in a, else in b */
    double axis[3]; /* unit vector, in the axes of that body */
    double pitch;   /* turns: slide along the axis [m per rad] */
} gdyn_screw;

enum { GDYN_SCREWS_MOST = 6 };

/* The screws of a joint (at most 6): their number, 0 for a fixed joint; -1 when the joint is no
 * edge of a tree: it couples other than two bodies, or its free motions are not of this form. */
int gdyn_joint_screws(const gdyn_model *model, int joint, gdyn_screw screws[GDYN_SCREWS_MOST]);
/* Those of a body that floats freely, relative to the ground: 3 or 6 about ground axes and its own
 * centre of gravity. */
int gdyn_floating_screws(const gdyn_model *model, gdyn_screw screws[GDYN_SCREWS_MOST]);
