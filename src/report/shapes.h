/* shapes.h - outlines of the stated shapes (internal to report). */
#ifndef GDYN_REPORT_SHAPES_H
#define GDYN_REPORT_SHAPES_H

#include "mech/mech.h"

/* Takes the next point of a line; NULL: the line ends. */
typedef void gdyn_pen(void *context, const double *x);
void gdyn_shapes_outline(const gdyn_state *state, gdyn_pen *draw, void *context);

#endif
