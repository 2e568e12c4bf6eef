/* skeleton.h - what is drawn of a machine, in the frames of its bodies: the same parts in every
 * pose (internal to report and page).
 *
 * A body is drawn as the convex hull of the points at which joints, drives and tools hold it
 * (two points: a bar; one point: a small block along its axes); where these lie on a line, its
 * centre of gravity is another one. Stated shapes are not among the parts: see gdyn_model_shape. */
#ifndef GDYN_REPORT_SKELETON_H
#define GDYN_REPORT_SKELETON_H

#include "report/drawing.h"

/* A face, a line or a mark. Layers that occur: FACE, LINK, CABLE, JOINT, DRIVEN, BASE. */
typedef struct gdyn_skeleton_part {
    gdyn_layer layer;
    int count;
    gdyn_anchor *
        /* count: corners around a face, ends of a line, the place of a mark (of two: their
         * middle) */
        at;
    int body, joint, drive; /* what it belongs to; -1: none */
} gdyn_skeleton_part;

struct gdyn_arena;
typedef struct gdyn_skeleton {
    const gdyn_model *model;
    int parts, capacity;
    gdyn_skeleton_part
        *part; /* bodies, bars and legs, joints, drives between points: in this order */
    struct gdyn_arena *arena;
} gdyn_skeleton;

/* The tools hold bodies as joints do. False when memory is out; end it in any case. */
bool gdyn_skeleton_begin(gdyn_skeleton *skeleton, const gdyn_model *model, int tools,
                         const gdyn_path_tool *tool);
void gdyn_skeleton_end(gdyn_skeleton *skeleton);
/* The part shows a body, a bar or a leg, not a joint or a drive. */
bool gdyn_skeleton_is_solid(const gdyn_skeleton_part *part);
/* Ground coordinates of a mark. */
void gdyn_skeleton_place(const gdyn_skeleton_part *part, const gdyn_state *state, double x[3]);
/* The guide of a joint that slides along a line of the ground, as far as it is used in these
 * poses; false: it has none. */
bool gdyn_skeleton_guide(const gdyn_model *model, int joint, int poses, gdyn_state *const *state,
                         double from[3], double to[3]);
/* The parts of a path that the machine does not follow, of one of its tools, from one point that
 * is reached to the next. A path that cannot be made is not drawn. */
gdyn_status gdyn_skeleton_missed(const gdyn_model *model, const gdyn_path_def *def, int tool,
                                 const gdyn_track *track, gdyn_pen *draw, void *context);

#endif
