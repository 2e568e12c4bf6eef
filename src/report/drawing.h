/* drawing.h - a machine in a pose as layers of lines and points, and their plot (internal to
 * report).
 *
 * Bodies, joints and drives are the parts of skeleton.h, stated shapes outlines. */
#ifndef GDYN_REPORT_DRAWING_H
#define GDYN_REPORT_DRAWING_H

#include "report/picture.h"
#include "report/shapes.h"

/* What is drawn, in the order in which it covers what was drawn before. */
typedef enum gdyn_layer {
    GDYN_LAYER_GHOST,
    GDYN_LAYER_GUIDE,
    GDYN_LAYER_TRACE,
    GDYN_LAYER_MISSED,
    GDYN_LAYER_FACE,
    GDYN_LAYER_LINK,
    GDYN_LAYER_CABLE,
    GDYN_LAYER_SHAPE,
    GDYN_LAYER_JOINT,
    GDYN_LAYER_DRIVEN,
    GDYN_LAYER_BASE,
    GDYN_LAYER_TOOL,
    GDYN_LAYER_STOP,
    GDYN_LAYER_OPEN,
    GDYN_LAYER_OPEN_ENDS,
    GDYN_LAYERS
} gdyn_layer;

struct gdyn_skeleton;

typedef struct gdyn_drawing {
    const gdyn_model *model;
    bool planar;
    struct gdyn_skeleton *skeleton; /* its parts */
    struct {
        int numbers, capacity;
        double
            *number; /* rows of 2 in the plane; in space of 3, of lines 6: a point and a vector */
    } layer[GDYN_LAYERS];
    bool failed;
    bool down[GDYN_LAYERS];      /* the layer's line continues */
    double last[GDYN_LAYERS][3]; /* from here */
    double low[3], high[3];      /* of all that is drawn */
} gdyn_drawing;

/* An empty drawing; the tools hold bodies as joints do. False when memory is out; end it in any
 * case. */
bool gdyn_drawing_begin(gdyn_drawing *drawing, const gdyn_model *model, int tools,
                        const gdyn_path_tool *tool);
void gdyn_drawing_end(gdyn_drawing *drawing);

/* The next point of the layer's line, or a point of the layer; the end of the line; a line from
 * a to b. */
void gdyn_drawing_vertex(gdyn_drawing *drawing, gdyn_layer layer, const double x[3]);
void gdyn_drawing_lift(gdyn_drawing *drawing, gdyn_layer layer);
void gdyn_drawing_segment(gdyn_drawing *drawing, gdyn_layer layer, const double a[3],
                          const double b[3]);

/* Bodies and bars alone; the whole machine: bodies, stated shapes, joints, drives. */
void gdyn_drawing_bodies(gdyn_drawing *drawing, const gdyn_state *state, bool ghost);
void gdyn_drawing_pose(gdyn_drawing *drawing, const gdyn_state *state);
/* The path of the tools as far as it is followed; the rest of it, where the path wants the
 * tools; the tools in a pose. */
void gdyn_drawing_path(gdyn_drawing *drawing, const gdyn_path_def *path, const gdyn_track *track);
gdyn_status gdyn_drawing_missed(gdyn_drawing *drawing, const gdyn_path_def *path,
                                const gdyn_track *track);
void gdyn_drawing_tools(gdyn_drawing *drawing, const gdyn_path_def *path, const gdyn_state *state);
/* Guides fixed to the ground, as far as they are used in these poses. */
void gdyn_drawing_guides(gdyn_drawing *drawing, int poses, gdyn_state *const *state);

/* --- drawing_plot.c: the panel ---------------------------------------------------------------- */

/* Whether the layer consists of lines, or of single points. */
bool gdyn_layer_is_line(gdyn_layer layer);
/* Widens what is drawn by a margin; in space no side of the box is much shorter than the others. */
void gdyn_drawing_frame(gdyn_drawing *drawing);
/* The drawing in the next panel, with equal scales; titles: with entries of the key. */
gdyn_figure_panel *gdyn_drawing_panel(const gdyn_drawing *drawing, gdyn_figure *figure,
                                      bool titles);

#endif
