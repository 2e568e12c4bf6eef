/* dxf.h - the pairs of a DXF file, for the readers of entities (internal to dxf.c and
 * dxf_curves.c). */
#ifndef GDYN_IMPORT_DXF_H
#define GDYN_IMPORT_DXF_H

#include "import/contour.h"

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

#endif
