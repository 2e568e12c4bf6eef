/* drawing.h - what is drawn of a machine, in the frames of its bodies; a machine in a pose as
 * layers of lines and points, and their plot (internal to report and page). */
#pragma once

#include "closure/closure.h"
#include "report/picture.h"

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
    GDYN_LAYER_WHEEL,
    GDYN_LAYER_JOINT,
    GDYN_LAYER_DRIVEN,
    GDYN_LAYER_BASE,
    GDYN_LAYER_TOOL,
    GDYN_LAYER_STOP,
    GDYN_LAYER_OPEN,
    GDYN_LAYER_OPEN_ENDS,
    GDYN_LAYERS
} gdyn_layer;

/* --- skeleton.c: the parts of a machine, the same in every pose ------------------------------- */

/* A body is drawn as the convex hull of the points at which joints, drives and tools hold it (two
 * points: a bar; one point: a small block along its axes); where these lie on a line, its centre of
 * gravity is another one. Stated shapes are not among the parts: see gdyn_model_shape. */

/* Takes the next point of a line; NULL: the line ends. */
typedef void gdyn_pen(void *context, const double *x);

/* A face, a line or a mark. Layers that occur: FACE, LINK, CABLE, JOINT, DRIVEN, BASE. */
typedef struct gdyn_skeleton_part {
    gdyn_layer layer;
    int count;
    /* count: corners around a face, ends of a line, the place of a mark (of two: their middle) */
    gdyn_anchor *at;
    int body, joint, drive; /* what it belongs to; -1: none */
} gdyn_skeleton_part;

typedef struct gdyn_skeleton {
    const gdyn_model *model;
    int parts, capacity;
    gdyn_skeleton_part *part; /* bodies, bars and legs, joints, drives between points */
    gdyn_arena *arena;
} gdyn_skeleton;

/* The tools hold bodies as joints do. False when memory is out; end it in any case. */
bool gdyn_skeleton_begin(gdyn_skeleton *skeleton, const gdyn_model *model, int tools,
                         const gdyn_path_tool *tool);
void gdyn_skeleton_end(gdyn_skeleton *skeleton);
/* The part shows a body, a bar or a leg, not a joint or a drive. */
bool gdyn_skeleton_is_solid(const gdyn_skeleton_part *part);
/* Stated shapes show the bodies of a solid part in its place. */
bool gdyn_skeleton_is_shaped(const gdyn_model *model, const gdyn_skeleton_part *part);
/* Ground coordinates of a mark. */
void gdyn_skeleton_place(const gdyn_skeleton_part *part, const gdyn_state *state, double x[3]);
/* The disc of a joint that rolls or has a knife edge (a wheel seen from its edge). */
typedef struct gdyn_wheel {
    gdyn_anchor at;
    double axis[3], radius; /* axis: in the body's frame, unit */
} gdyn_wheel;
bool gdyn_skeleton_wheel(const gdyn_model *model, int joint, gdyn_wheel *wheel);
/* The guide of a joint that slides along a line of the ground, as far as it is used in these
 * poses; false: it has none. */
bool gdyn_skeleton_guide(const gdyn_model *model, int joint, int poses, gdyn_state *const *state,
                         double from[3], double to[3]);
/* The parts of a path that the machine does not follow, of one of its tools, from one point that
 * is reached to the next. A path that cannot be made is not drawn. */
gdyn_status gdyn_skeleton_missed(const gdyn_model *model, const gdyn_path_def *def, int tool,
                                 const gdyn_track *track, gdyn_pen *draw, void *context);

/* --- hull.c: the convex hull of a few points -------------------------------------------------- */

enum { GDYN_HULL_POINTS = 16, GDYN_HULL_POLYGONS = 2 * GDYN_HULL_POINTS };

typedef struct gdyn_hull {
    int polygons;
    int size[GDYN_HULL_POLYGONS];                     /* corners; 2: a segment */
    int corner[GDYN_HULL_POLYGONS][GDYN_HULL_POINTS]; /* indices of points, in order around */
} gdyn_hull;

/* Points on one line give a segment, points in one plane one polygon, others the faces. `length` is
 * the scale below whose 1e-6 points count as lying in a plane or on a line. */
void gdyn_hull_make(gdyn_hull *hull, int count, const double (*at)[3], double length);

/* Corner k of a box: the bits of k choose its sides. */
gdyn_anchor gdyn_shape_corner(const gdyn_shape_def *shape, int k);
/* Outlines of the stated shapes. */
void gdyn_shapes_outline(const gdyn_state *state, gdyn_pen *draw, void *context);

/* --- drawing.c: a machine in a pose ----------------------------------------------------------- */

typedef struct gdyn_drawing {
    const gdyn_model *model;
    bool planar;
    gdyn_skeleton skeleton; /* its parts */
    struct {
        int points, capacity;
        double (*at)[3]; /* points; NAN between lines */
    } layer[GDYN_LAYERS];
    bool failed;
    double low[3], high[3]; /* of all that is drawn */
} gdyn_drawing;

/* An empty drawing; the tools hold bodies as joints do. End it in any case. */
void gdyn_drawing_begin(gdyn_drawing *drawing, const gdyn_model *model, int tools,
                        const gdyn_path_tool *tool);
void gdyn_drawing_end(gdyn_drawing *drawing);

/* Bodies and bars alone; the whole machine: bodies, stated shapes, wheels, joints, drives. */
void gdyn_drawing_bodies(gdyn_drawing *drawing, const gdyn_state *state, bool ghost);
void gdyn_drawing_pose(gdyn_drawing *drawing, const gdyn_state *state);
/* The path of the tools as far as it is followed; the rest of it, where the path wants the
 * tools; the tools in a pose. */
void gdyn_drawing_path(gdyn_drawing *drawing, const gdyn_path_def *path, const gdyn_track *track);
void gdyn_drawing_missed(gdyn_drawing *drawing, const gdyn_path_def *path, const gdyn_track *track);
void gdyn_drawing_tools(gdyn_drawing *drawing, const gdyn_path_def *path, const gdyn_state *state);
/* Joints that stay open: rings at both ends, and a line between them unless an angle is missing. */
void gdyn_drawing_open(gdyn_drawing *drawing, const gdyn_state *state, int count,
                       const gdyn_gap *gap);
/* The point of a path at which least is missing. */
int gdyn_track_nearest(const gdyn_track *track);
/* Guides fixed to the ground, as far as they are used in these poses. */
void gdyn_drawing_guides(gdyn_drawing *drawing, int poses, gdyn_state *const *state);

/* --- drawing_plot.c: the panel ---------------------------------------------------------------- */

/* Widens what is drawn by a margin; in space no side of the box is much shorter than the others. */
void gdyn_drawing_frame(gdyn_drawing *drawing);
/* The drawing in the next panel, with equal scales; titles: with entries of the key. */
gdyn_figure_panel *gdyn_drawing_panel(const gdyn_drawing *drawing, gdyn_figure *figure,
                                      bool titles);
