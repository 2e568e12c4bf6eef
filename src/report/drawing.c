/* drawing.c - a machine in a pose as layers of lines and points; see drawing.h. */
#include "report/drawing.h"

#include "base/memory.h"
#include "linalg/vec3.h"

#include <math.h>

/* --- begin and end ---------------------------------------------------------------------------- */

void gdyn_drawing_begin(gdyn_drawing *d, const gdyn_model *model, int tools,
                        const gdyn_path_tool *tool) {
    *d = (gdyn_drawing){.model = model,
                        .planar = gdyn_model_space(model) == GDYN_PLANAR,
                        .low = {INFINITY, INFINITY, INFINITY},
                        .high = {-INFINITY, -INFINITY, -INFINITY}};
    d->failed = !gdyn_skeleton_begin(&d->skeleton, model, tools, tool);
}

void gdyn_drawing_end(gdyn_drawing *d) {
    for (int i = 0; i < GDYN_LAYERS; i++)
        gdyn_free(d->layer[i].number);
    gdyn_skeleton_end(&d->skeleton);
}

/* --- drawing into layers ---------------------------------------------------------------------- */

static void append(gdyn_drawing *d, gdyn_layer layer, int count, const double *number) {
    if (!gdyn_reserve(&d->layer[layer].number, &d->layer[layer].capacity,
                      d->layer[layer].numbers + count, sizeof *number)) {
        d->failed = true;
        return;
    }
    for (int k = 0; k < count; k++)
        d->layer[layer].number[d->layer[layer].numbers++] = number[k];
}

/* A point of a layer. In space, lines are written edge by edge as a point and a vector: gnuplot
 * would join lines of equally many points to a net. */
void gdyn_drawing_vertex(gdyn_drawing *d, gdyn_layer layer, const double x[3]) {
    const double *last = d->last[layer];
    const double edge[6] = {last[0],        last[1],        last[2],
                            x[0] - last[0], x[1] - last[1], x[2] - last[2]};
    if (d->planar || !gdyn_layer_is_line(layer))
        append(d, layer, d->planar ? 2 : 3, x);
    else if (d->down[layer])
        append(d, layer, 6, edge);
    v3_copy(d->last[layer], x);
    d->down[layer] = true;
    for (int i = 0; i < 3; i++) {
        d->low[i] = fmin(d->low[i], x[i]);
        d->high[i] = fmax(d->high[i], x[i]);
    }
}

void gdyn_drawing_lift(gdyn_drawing *d, gdyn_layer layer) {
    static const double gap[2] = {NAN, NAN};
    d->down[layer] = false;
    if (d->planar)
        append(d, layer, 2, gap);
}

void gdyn_drawing_segment(gdyn_drawing *d, gdyn_layer layer, const double a[3], const double b[3]) {
    gdyn_drawing_vertex(d, layer, a);
    gdyn_drawing_vertex(d, layer, b);
    gdyn_drawing_lift(d, layer);
}

/* The corners of a part; of a body's face back to the first one. */
static void draw_part(gdyn_drawing *d, const gdyn_state *state, const gdyn_skeleton_part *part,
                      gdyn_layer layer) {
    int corners = part->body >= 0 ? part->count + 1 : part->count;
    for (int i = 0; i < corners; i++) {
        double x[3];
        gdyn_state_point(state, &part->at[i % part->count], x);
        gdyn_drawing_vertex(d, layer, x);
    }
    gdyn_drawing_lift(d, layer);
}

void gdyn_drawing_bodies(gdyn_drawing *d, const gdyn_state *state, bool ghost) {
    for (int i = 0; i < d->skeleton.parts; i++) {
        const gdyn_skeleton_part *part = &d->skeleton.part[i];
        if (gdyn_skeleton_is_solid(part))
            draw_part(d, state, part, ghost ? GDYN_LAYER_GHOST : part->layer);
    }
}

/* Outlines of the stated shapes. */
static void draw_shape(void *context, const double *x) {
    gdyn_drawing *d = context;
    if (x)
        gdyn_drawing_vertex(d, GDYN_LAYER_SHAPE, x);
    else
        gdyn_drawing_lift(d, GDYN_LAYER_SHAPE);
}

/* Joints, and drives between points. */
static void draw_marks(gdyn_drawing *d, const gdyn_state *state) {
    for (int i = 0; i < d->skeleton.parts; i++) {
        const gdyn_skeleton_part *part = &d->skeleton.part[i];
        if (part->layer == GDYN_LAYER_CABLE) {
            draw_part(d, state, part, part->layer);
        } else if (!gdyn_skeleton_is_solid(part)) {
            double x[3];
            gdyn_skeleton_place(part, state, x);
            gdyn_drawing_vertex(d, part->layer, x);
        }
    }
}

void gdyn_drawing_pose(gdyn_drawing *d, const gdyn_state *state) {
    gdyn_drawing_bodies(d, state, false);
    gdyn_shapes_outline(state, draw_shape, d);
    draw_marks(d, state);
}

void gdyn_drawing_guides(gdyn_drawing *d, int poses, gdyn_state *const *state) {
    for (int i = 0; i < gdyn_model_joints(d->model); i++) {
        double from[3], to[3];
        if (gdyn_skeleton_guide(d->model, i, poses, state, from, to))
            gdyn_drawing_segment(d, GDYN_LAYER_GUIDE, from, to);
    }
}

void gdyn_drawing_path(gdyn_drawing *d, const gdyn_path_def *path, const gdyn_track *track) {
    /* The line ends where the path is not followed. */
    for (int i = 0; i < path->tools; i++) {
        bool down = false;
        for (int k = 0; k < track->points; k++) {
            double x[3];
            if (track->status[k] == GDYN_POINT_OK) {
                gdyn_state_point(track->state[k], &path->tool[i].of, x);
                gdyn_drawing_vertex(d, GDYN_LAYER_TRACE, x);
                down = true;
            } else if (down) {
                gdyn_drawing_lift(d, GDYN_LAYER_TRACE);
                down = false;
            }
        }
        if (down)
            gdyn_drawing_lift(d, GDYN_LAYER_TRACE);
    }
}

/* Parts of one tool's path; the first begins at a mark. */
typedef struct missing {
    gdyn_drawing *drawing;
    bool marked;
} missing;

static void draw_missed(void *context, const double *x) {
    missing *m = context;
    if (!x) {
        gdyn_drawing_lift(m->drawing, GDYN_LAYER_MISSED);
        return;
    }
    gdyn_drawing_vertex(m->drawing, GDYN_LAYER_MISSED, x);
    if (!m->marked)
        gdyn_drawing_vertex(m->drawing, GDYN_LAYER_STOP, x);
    m->marked = true;
}

void gdyn_drawing_missed(gdyn_drawing *d, const gdyn_path_def *def, const gdyn_track *track) {
    for (int tool = 0; tool < def->tools; tool++) {
        missing m = {.drawing = d};
        d->failed |= gdyn_skeleton_missed(d->model, def, tool, track, draw_missed, &m) != GDYN_OK;
    }
}

void gdyn_drawing_tools(gdyn_drawing *d, const gdyn_path_def *path, const gdyn_state *state) {
    for (int i = 0; i < path->tools; i++) {
        double x[3];
        gdyn_state_point(state, &path->tool[i].of, x);
        gdyn_drawing_vertex(d, GDYN_LAYER_TOOL, x);
    }
}
