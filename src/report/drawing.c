/* drawing.c - a machine in a pose as layers of lines and points; see drawing.h. */
#include "report/drawing.h"

#include "base/memory.h"
#include "base/pi.h"
#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>

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
        gdyn_free(d->layer[i].at);
    gdyn_skeleton_end(&d->skeleton);
}

/* --- drawing into layers ---------------------------------------------------------------------- */

static void append(gdyn_drawing *d, gdyn_layer layer, const double x[3]) {
    if (gdyn_reserve(&d->layer[layer].at, &d->layer[layer].capacity, d->layer[layer].points + 1,
                     sizeof *d->layer[layer].at))
        v3_copy(d->layer[layer].at[d->layer[layer].points++], x);
    else
        d->failed = true;
}

/* The next point of the layer's line, or a point of the layer. */
static void drawing_vertex(gdyn_drawing *d, gdyn_layer layer, const double x[3]) {
    append(d, layer, x);
    for (int i = 0; i < 3; i++) {
        d->low[i] = fmin(d->low[i], x[i]);
        d->high[i] = fmax(d->high[i], x[i]);
    }
}

/* The end of the layer's line. */
static void drawing_lift(gdyn_drawing *d, gdyn_layer layer) {
    append(d, layer, (double[3]){NAN, NAN, NAN});
}

static void drawing_segment(gdyn_drawing *d, gdyn_layer layer, const double a[3],
                            const double b[3]) {
    drawing_vertex(d, layer, a), drawing_vertex(d, layer, b);
    drawing_lift(d, layer);
}

/* The corners of a part; of a body's face back to the first one. */
static void draw_part(gdyn_drawing *d, const gdyn_state *state, const gdyn_skeleton_part *part,
                      gdyn_layer layer) {
    int corners = part->body >= 0 ? part->count + 1 : part->count;
    for (int i = 0; i < corners; i++) {
        double x[3];
        gdyn_state_point(state, &part->at[i % part->count], x);
        drawing_vertex(d, layer, x);
    }
    drawing_lift(d, layer);
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
        drawing_vertex(d, GDYN_LAYER_SHAPE, x);
    else
        drawing_lift(d, GDYN_LAYER_SHAPE);
}

/* A disc about its axis. */
static void draw_wheel(gdyn_drawing *d, const gdyn_state *state, const gdyn_wheel *wheel) {
    enum { CORNERS = 24 };
    double m[3], k[3];
    gdyn_v3_triad(wheel->axis, m, k);
    for (int i = 0; i <= CORNERS; i++) {
        double angle = 2 * GDYN_PI * i / CORNERS, x[3];
        gdyn_anchor at = wheel->at;
        v3_axpy(at.at, at.at, wheel->radius * cos(angle), m);
        v3_axpy(at.at, at.at, wheel->radius * sin(angle), k);
        gdyn_state_point(state, &at, x);
        drawing_vertex(d, GDYN_LAYER_WHEEL, x);
    }
    drawing_lift(d, GDYN_LAYER_WHEEL);
}

void gdyn_drawing_pose(gdyn_drawing *d, const gdyn_state *state) {
    gdyn_wheel wheel;
    gdyn_drawing_bodies(d, state, false);
    gdyn_shapes_outline(state, draw_shape, d);
    for (int i = 0; i < gdyn_model_joints(d->model); i++)
        if (gdyn_skeleton_wheel(d->model, i, &wheel))
            draw_wheel(d, state, &wheel);
    /* joints, and drives between points */
    for (int i = 0; i < d->skeleton.parts; i++) {
        const gdyn_skeleton_part *part = &d->skeleton.part[i];
        if (part->layer == GDYN_LAYER_CABLE) {
            draw_part(d, state, part, part->layer);
        } else if (!gdyn_skeleton_is_solid(part)) {
            double x[3];
            gdyn_skeleton_place(part, state, x);
            drawing_vertex(d, part->layer, x);
        }
    }
}

void gdyn_drawing_open(gdyn_drawing *d, const gdyn_state *state, int count, const gdyn_gap *gap) {
    for (int i = 0; i < count; i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(d->model, gap[i].joint);
        double a[3], b[3];
        if (!gdyn_joint_type_has_points(joint->type))
            continue;
        gdyn_state_point(state, &joint->a, a), gdyn_state_point(state, &joint->b, b);
        drawing_vertex(d, GDYN_LAYER_OPEN_ENDS, a);
        if (!gap[i].length)
            continue;
        drawing_vertex(d, GDYN_LAYER_OPEN_ENDS, b);
        drawing_segment(d, GDYN_LAYER_OPEN, a, b);
    }
}

void gdyn_drawing_guides(gdyn_drawing *d, int poses, gdyn_state *const *state) {
    for (int i = 0; i < gdyn_model_joints(d->model); i++) {
        double from[3], to[3];
        if (gdyn_skeleton_guide(d->model, i, poses, state, from, to))
            drawing_segment(d, GDYN_LAYER_GUIDE, from, to);
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
                drawing_vertex(d, GDYN_LAYER_TRACE, x);
                down = true;
            } else if (down) {
                drawing_lift(d, GDYN_LAYER_TRACE);
                down = false;
            }
        }
        if (down)
            drawing_lift(d, GDYN_LAYER_TRACE);
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
        drawing_lift(m->drawing, GDYN_LAYER_MISSED);
        return;
    }
    drawing_vertex(m->drawing, GDYN_LAYER_MISSED, x);
    if (!m->marked)
        drawing_vertex(m->drawing, GDYN_LAYER_STOP, x);
    m->marked = true;
}

void gdyn_drawing_missed(gdyn_drawing *d, const gdyn_path_def *def, const gdyn_track *track) {
    for (int tool = 0; tool < def->tools; tool++) {
        missing m = {.drawing = d};
        d->failed |= gdyn_skeleton_missed(d->model, def, tool, track, draw_missed, &m) != GDYN_OK;
    }
}

int gdyn_track_nearest(const gdyn_track *track) {
    int best = 0;
    for (int i = 1; i < track->points; i++)
        best = track->residual[i] < track->residual[best] ? i : best;
    return best;
}

void gdyn_drawing_tools(gdyn_drawing *d, const gdyn_path_def *path, const gdyn_state *state) {
    for (int i = 0; i < path->tools; i++) {
        double x[3];
        gdyn_state_point(state, &path->tool[i].of, x);
        drawing_vertex(d, GDYN_LAYER_TOOL, x);
    }
}

/* --- the plot: its frame, axes, view and layers ----------------------------------------------- */

enum { VIEW_TILT = 68, VIEW_TURN = 28 };

/* What layers look like, and their entry of the key. */
static const gdyn_figure_layer styles[GDYN_LAYERS] = {
    [GDYN_LAYER_GHOST] = {GDYN_LINE, .width = 1, .colour = 0xB9C9D6, .title = "further poses"},
    [GDYN_LAYER_GUIDE] = {GDYN_LINE, .width = 6, .colour = 0xDDDDDD, .title = "guide"},
    [GDYN_LAYER_TRACE] = {GDYN_LINE, .width = 2.5, .colour = 0xD55E00, .title = "path of the tool"},
    [GDYN_LAYER_MISSED] = {GDYN_LINE, .width = 2, .dash = "(3,3)", .title = "not reached"},
    [GDYN_LAYER_FACE] = {GDYN_SHAPE, .width = 2, .colour = 0x56B4E9, .clear = true,
                         .border = 0x0072B2, .title = "body"},
    [GDYN_LAYER_LINK] = {GDYN_LINE, .width = 4, .colour = 0x33627F, .title = "bar"},
    [GDYN_LAYER_CABLE] = {GDYN_LINE, .width = 1.6, .colour = 0x009E73,
                          .title = "drive between points"},
    [GDYN_LAYER_SHAPE] = {GDYN_LINE, .width = 1.2, .colour = 0xCC79A7, .title = "shape"},
    [GDYN_LAYER_WHEEL] = {GDYN_LINE, .width = 2.5, .colour = 0x444444, .title = "wheel"},
    [GDYN_LAYER_JOINT] = {GDYN_POINTS, .point = GDYN_DOT, .size = 1, .colour = 0x555555,
                          .title = "joint"},
    [GDYN_LAYER_DRIVEN] = {GDYN_POINTS, .point = GDYN_DOT, .size = 1.6, .colour = 0xE69F00,
                           .title = "driven joint"},
    [GDYN_LAYER_BASE] = {GDYN_POINTS, .point = GDYN_TRIANGLE, .size = 1.6, .colour = 0x222222,
                         .title = "on the ground"},
    [GDYN_LAYER_TOOL] = {GDYN_POINTS, .point = GDYN_PLUS, .size = 2, .width = 2, .colour = 0xD55E00,
                         .title = "tool"},
    [GDYN_LAYER_STOP] = {GDYN_POINTS, .point = GDYN_CROSS, .size = 2.2, .width = 3,
                         .title = "last point reached"},
    [GDYN_LAYER_OPEN] = {GDYN_LINE, .width = 3, .dash = "(2,2)", .title = "open joint"},
    [GDYN_LAYER_OPEN_ENDS] = {GDYN_POINTS, .point = GDYN_RING, .size = 2.2, .width = 2.5},
};

/* --- the window ------------------------------------------------------------------------------- */

void gdyn_drawing_frame(gdyn_drawing *d) {
    /* The largest extent sets the scale. */
    double most = 0;
    for (int i = 0; i < 3; i++) {
        if (!(d->low[i] <= d->high[i]))
            d->low[i] = -1, d->high[i] = 1;
        most = fmax(most, d->high[i] - d->low[i]);
    }
    double spare = 0.05 * most + 1e-9;
    /* A flat machine in space still gets some depth. */
    for (int i = 0; i < 3; i++) {
        double lacks = d->planar ? 0 : 0.3 * most - (d->high[i] - d->low[i]);
        double margin = spare + fmax(0, 0.5 * lacks);
        d->low[i] -= margin, d->high[i] += margin;
    }
}

/* Magnification with which the box of all that is drawn fills the picture: that of its silhouette
 * against the silhouette of a cube, which gnuplot leaves room for. */
static double zoom(const gdyn_drawing *d) {
    /* They leave room for the labels below, in the upright direction for the heading, too. */
    static const double FILL = 1.12, FILL_UPRIGHT = 0.92;
    double right[3], up[3], eye[3], size[3], most = 1e-9;
    for (int i = 0; i < 3; i++) {
        size[i] = d->high[i] - d->low[i];
        /* what gnuplot makes equal scales of: the height does not count */
        most = i < 2 ? fmax(most, size[i]) : most;
    }
    /* The silhouette of the box, seen from the eye. */
    gdyn_figure_view(VIEW_TILT, VIEW_TURN, right, up, eye);
    up[0] = -up[0]; /* the one of them that is negative */
    double width = v3_dot(right, size) / most, height = v3_dot(up, size) / most;
    return fmin(FILL * (right[0] + right[1]) / width,
                FILL_UPRIGHT * (up[0] + up[1] + up[2]) / height);
}

/* --- the panel -------------------------------------------------------------------------------- */

/* A layer of the panel; its data become a block. In space, lines are written edge by edge as a
 * point and a vector: gnuplot would join lines of equally many points to a net. */
static void plot_layer(const gdyn_drawing *d, gdyn_figure *f, gdyn_figure_panel *panel,
                       gdyn_layer layer, bool titles) {
    gdyn_figure_layer look = styles[layer];
    bool edges = !d->planar && look.kind != GDYN_POINTS;
    for (int i = 0; i < d->layer[layer].points; i++) {
        const double *x = d->layer[layer].at[i], *last = x - 3;
        if (isnan(x[0]) && d->planar)
            gdyn_figure_gap(f);
        else if (!edges)
            gdyn_figure_row(f, d->planar ? 2 : 3, x);
        else if (i > 0 && !isnan(x[0]) && !isnan(last[0]))
            gdyn_figure_put(f, last[0], last[1], last[2], x[0] - last[0], x[1] - last[1],
                            x[2] - last[2]);
    }
    look.block = gdyn_figure_block_end(f);
    if (!titles)
        look.title = NULL;
    if (edges && look.kind == GDYN_SHAPE)
        look.colour = look.border;
    if (edges)
        look.kind = GDYN_EDGES;
    gdyn_figure_draw(f, panel, look);
}

gdyn_figure_panel *gdyn_drawing_panel(const gdyn_drawing *d, gdyn_figure *f, bool titles) {
    static const double LEAST = 0.25, MOST = 1.3, HIGH = 0.75; /* height over width */
    static const char *const title[] = {"x [m]", "y [m]", "z [m]"};
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    gdyn_figure_axis *const axis[] = {&panel->x, &panel->y, &panel->z};
    for (int i = 0; i < 3; i++)
        *axis[i] = (gdyn_figure_axis){.title = title[i], .low = d->low[i], .high = d->high[i]};
    panel->equal = true, panel->ratio = HIGH;
    if (d->planar)
        panel->ratio = fmin(fmax((d->high[1] - d->low[1]) / (d->high[0] - d->low[0]), LEAST), MOST);
    panel->space = !d->planar;
    panel->tilt = VIEW_TILT, panel->turn = VIEW_TURN;
    panel->zoom = d->planar ? 1 : 1.3 * zoom(d);
    f->failed |= d->failed;
    for (gdyn_layer i = 0; i < GDYN_LAYERS; i++)
        plot_layer(d, f, panel, i, titles);
    if (panel->layers == 0)
        panel->note = "nothing to draw";
    return panel;
}

/* --- outlines of the stated shapes: of round ones in the plane of the picture, in space ------- */

typedef struct outliner {
    gdyn_pen *draw;
    void *context;
    bool planar;
} outliner;

enum { ARC = 12 };

/* Half a circle about x from direction m over k to -m, of that radius, into the layer. */
static void draw_arc(const outliner *pen, const double x[3], const double m[3], const double k[3],
                     double radius) {
    for (int i = 0; i <= ARC; i++) {
        double at[3], angle = GDYN_PI * i / ARC;
        v3_axpy(at, x, radius * cos(angle), m);
        v3_axpy(at, at, radius * sin(angle), k);
        pen->draw(pen->context, at);
    }
}

/* Its outline in the plane spanned by the axis e and m; a ball has no axis. */
static void draw_outline(const outliner *pen, const double a[3], const double b[3],
                         const double e[3], const double m[3], double radius) {
    double back[3], beside[3];
    v3_scale(back, -1, e), v3_scale(beside, -1, m);
    draw_arc(pen, b, m, e, radius), draw_arc(pen, a, beside, back, radius);
    v3_axpy(back, b, radius, m);
    pen->draw(pen->context, back);
    pen->draw(pen->context, NULL);
}

static void draw_round(const outliner *pen, const gdyn_state *state, const gdyn_shape_def *shape) {
    double a[3], b[3], e[3], m[3], k[3];
    gdyn_state_point(state, &shape->a, a);
    gdyn_state_point(state, shape->kind == GDYN_SHAPE_SPHERE ? &shape->a : &shape->b, b);
    v3_sub(e, b, a);
    if (gdyn_v3_normalize(e) == 0)
        v3_set(e, 1, 0, 0);
    if (pen->planar) {
        v3_set(m, e[1], -e[0], 0);
        draw_outline(pen, a, b, e, m, shape->radius);
        return;
    }
    gdyn_v3_triad(e, m, k);
    draw_outline(pen, a, b, e, m, shape->radius);
    draw_outline(pen, a, b, e, k, shape->radius);
}

gdyn_anchor gdyn_shape_corner(const gdyn_shape_def *shape, int k) {
    gdyn_anchor corner = shape->a;
    double x[3];
    for (int j = 0; j < 3; j++)
        x[j] = (k >> j & 1 ? 0.5 : -0.5) * shape->size[j];
    m3_apply(x, shape->R, x);
    v3_add(corner.at, corner.at, x);
    return corner;
}

static void draw_box(const outliner *pen, const gdyn_state *state, const gdyn_shape_def *shape) {
    static const int walk[] = {0, 1, 3, 2, 0, 4, 5, 7, 6, 4, -1, 1, 5, -1, 3, 7, -1, 2, 6};
    int steps = pen->planar ? 5 : (int)(sizeof walk / sizeof *walk);
    for (int i = 0; i < steps; i++) {
        if (walk[i] < 0) {
            pen->draw(pen->context, NULL);
            continue;
        }
        double x[3];
        gdyn_anchor corner = gdyn_shape_corner(shape, walk[i]);
        gdyn_state_point(state, &corner, x);
        pen->draw(pen->context, x);
    }
    pen->draw(pen->context, NULL);
}

void gdyn_shapes_outline(const gdyn_state *state, gdyn_pen *draw, void *context) {
    const gdyn_model *model = gdyn_state_model(state);
    outliner pen = {draw, context, gdyn_model_space(model) == GDYN_PLANAR};
    for (int i = 0; i < gdyn_model_shapes(model); i++) {
        const gdyn_shape_def *shape = gdyn_model_shape(model, i);
        if (shape->kind == GDYN_SHAPE_BOX)
            draw_box(&pen, state, shape);
        else
            draw_round(&pen, state, shape);
    }
}
