/* picture_machine.c - the machine along its path: the first pose drawn fully, further poses faded.
 *
 * The model knows no shapes, only points: a body is drawn as the convex hull of the points at which
 * joints, drives and the tool hold it (two points: a bar; one point: a small square along its
 * axes). */
#include "closure/target.h"
#include "report/picture.h"
#include "report/hull.h"
#include "report/shapes.h"

#include "base/memory.h"
#include "base/pi.h"
#include "linalg/vec3.h"
#include "model/kinds.h"
#include "model/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GHOSTS = 6, POINTS_MAX = GDYN_HULL_POINTS, VIEW_TILT = 68, VIEW_TURN = 28 };

/* What is drawn, in the order in which it covers what was drawn before. */
typedef enum layer_kind {
    GHOST,
    GUIDE,
    TRACE,
    MISSED,
    FACE,
    LINK,
    CABLE,
    SHAPE,
    JOINT,
    DRIVEN,
    BASE,
    TOOL,
    LAYERS
} layer_kind;

/* Styles in the plane and in space, and the line of the key. */
static const struct {
    bool line;
    const char *planar, *spatial, *title;
} styles[LAYERS] = {
    [GHOST] = {true, "lines lw 1 lc rgb '#B9C9D6'", "lw 1 lc rgb '#B9C9D6'", "further poses"},
    [GUIDE] = {true, "lines lw 6 lc rgb '#DDDDDD'", "lw 5 lc rgb '#DDDDDD'", "guide"},
    [TRACE] = {true, "lines lw 2.5 lc rgb '#D55E00'", "lw 2.5 lc rgb '#D55E00'",
               "path of the tool"},
    [MISSED] = {true, "lines lw 2 dt (3,3) lc rgb '#000000'", "lw 2 dt (3,3) lc rgb '#000000'",
                "not reached"},
    [FACE] = {true, "filledcurves closed fc rgb '#B856B4E9' fs border lc rgb '#0072B2' lw 2",
              "lw 2.5 lc rgb '#0072B2'", "body"},
    [LINK] = {true, "lines lw 4 lc rgb '#33627F'", "lw 4 lc rgb '#33627F'", "bar"},
    [CABLE] = {true, "lines lw 1.6 lc rgb '#009E73'", "lw 1.6 lc rgb '#009E73'",
               "drive between points"},
    [SHAPE] = {true, "lines lw 1.2 lc rgb '#CC79A7'", "lw 1.2 lc rgb '#CC79A7'", "shape"},
    [JOINT] = {false, "points pt 7 ps 1.0 lc rgb '#555555'", "points pt 7 ps 0.9 lc rgb '#555555'",
               "joint"},
    [DRIVEN] = {false, "points pt 7 ps 1.7 lc rgb '#E69F00'", "points pt 7 ps 1.5 lc rgb '#E69F00'",
                "driven joint"},
    [BASE] = {false, "points pt 9 ps 1.8 lc rgb '#222222'", "points pt 9 ps 1.5 lc rgb '#222222'",
              "on the ground"},
    [TOOL] = {false, "points pt 1 ps 2 lw 2 lc rgb '#D55E00'",
              "points pt 1 ps 2 lw 2 lc rgb '#D55E00'", "tool"},
};

/* Points of one body, in its own frame. */
typedef struct body_shape {
    int count;
    double at[POINTS_MAX][3];
} body_shape;

typedef struct picture {
    const gdyn_model *model;
    const gdyn_path_def *path;
    const gdyn_track *track;
    bool planar;
    body_shape *shape; /* per body */
    gdyn_text layer[LAYERS];
    bool down[LAYERS];      /* the layer's line continues */
    double last[LAYERS][3]; /* from here */
    double low[3], high[3]; /* of all that is drawn */
    int nearest;            /* no point is reached: the one that is shown; else -1 */
    gdyn_script script;
} picture;

/* --- shapes ----------------------------------------------------------------------------------- */

/* A point at which something holds a body. */
static void add_anchor(picture *pic, const gdyn_anchor *anchor) {
    if (anchor->body < 0)
        return;
    body_shape *shape = &pic->shape[anchor->body];
    /* Joints at the same point of a body count once. */
    double near = 1e-6 * gdyn_model_length(pic->model);
    for (int i = 0; i < shape->count; i++) {
        double d[3];
        v3_sub(d, anchor->at, shape->at[i]);
        if (v3_norm(d) <= near)
            return;
    }
    if (shape->count < POINTS_MAX)
        v3_copy(shape->at[shape->count++], anchor->at);
}

/* Whether the drive acts between two points. */
static bool has_ends(const gdyn_drive_def *drive) {
    return gdyn_drive_traits_of(drive->kind)->acts == GDYN_ACTS_BETWEEN;
}

/* The points of every body. */
static void collect_shapes(picture *pic) {
    /* Joints, ends of drives and the tool hold the bodies. */
    for (int i = 0; i < gdyn_model_joints(pic->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(pic->model, i);
        if (gdyn_joint_type_has_points(joint->type)) {
            add_anchor(pic, &joint->a);
            add_anchor(pic, &joint->b);
        }
    }
    for (int i = 0; i < gdyn_model_drives(pic->model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(pic->model, i);
        if (has_ends(drive)) {
            add_anchor(pic, &drive->a);
            add_anchor(pic, &drive->b);
        }
    }
    for (int i = 0; i < pic->path->tools; i++)
        add_anchor(pic, &pic->path->tool[i].of);
}

/* --- drawing into layers ---------------------------------------------------------------------- */

/* A point of a layer. In space, lines are written edge by edge as a point and a vector: gnuplot would
 * join lines of equally many points to a net. */
static void vertex(picture *pic, layer_kind layer, const double x[3]) {
    const double *last = pic->last[layer];
    if (pic->planar || !styles[layer].line) {
        gdyn_text_printf(&pic->layer[layer], "%.7g %.7g %.7g\n", x[0], x[1], x[2]);
    } else if (pic->down[layer]) {
        gdyn_text_printf(&pic->layer[layer], "%.7g %.7g %.7g %.7g %.7g %.7g\n", last[0], last[1],
                         last[2], x[0] - last[0], x[1] - last[1], x[2] - last[2]);
    }
    v3_copy(pic->last[layer], x);
    pic->down[layer] = true;
    for (int i = 0; i < 3; i++) {
        pic->low[i] = fmin(pic->low[i], x[i]);
        pic->high[i] = fmax(pic->high[i], x[i]);
    }
}

/* Ends a line or polygon. */
static void lift_pen(picture *pic, layer_kind layer) {
    pic->down[layer] = false;
    if (pic->planar)
        gdyn_text_append(&pic->layer[layer], "\n", 1);
}

/* A line from a to b. */
static void segment(picture *pic, layer_kind layer, const double a[3], const double b[3]) {
    vertex(pic, layer, a);
    vertex(pic, layer, b);
    lift_pen(pic, layer);
}

/* A point of a body in ground coordinates. */
static void ground_point(const gdyn_state *state, int body, const double at[3], double x[3]) {
    gdyn_anchor anchor = {body, {at[0], at[1], at[2]}};
    gdyn_state_point(state, &anchor, x);
}

/* A square along the body's axes for a body that is held at one point only. */
static void draw_block(picture *pic, const gdyn_state *state, int body, layer_kind layer) {
    static const double corner[5][2] = {{-1, -0.6}, {1, -0.6}, {1, 0.6}, {-1, 0.6}, {-1, -0.6}};
    double size = 0.035 * gdyn_model_length(pic->model);
    /* In the body's frame, around its only point. */
    for (int i = 0; i < 5; i++) {
        double at[3], x[3];
        v3_copy(at, pic->shape[body].at[0]);
        at[0] += size * corner[i][0];
        at[1] += size * corner[i][1];
        ground_point(state, body, at, x);
        vertex(pic, layer, x);
    }
    lift_pen(pic, layer);
}

/* How a joint is drawn: a generic one is a pin or a point. */
static gdyn_joint_glyph glyph_of(const gdyn_joint_def *joint) {
    gdyn_joint_glyph glyph = gdyn_joint_kind_of(joint->type)->glyph;
    return glyph != GDYN_GLYPH_LOCKS       ? glyph
           : gdyn_joint_holds_point(joint) ? GDYN_GLYPH_PIN
                                           : GDYN_GLYPH_POINT;
}

bool gdyn_picture_telescopic(const gdyn_joint_def *joint) {
    return glyph_of(joint) == GDYN_GLYPH_RAIL && joint->a.body >= 0 && joint->b.body >= 0;
}

/* True when the body is half of a telescopic leg; such halves are drawn as one bar. */
static bool is_half_leg(const picture *pic, int body) {
    for (int i = 0; i < gdyn_model_joints(pic->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(pic->model, i);
        if (gdyn_picture_telescopic(joint) && (joint->a.body == body || joint->b.body == body))
            return true;
    }
    return false;
}

/* A body as the hull of its points. */
static void draw_body(picture *pic, const gdyn_state *state, int body, bool ghost) {
    const body_shape *shape = &pic->shape[body];
    gdyn_hull hull;
    /* Half a telescopic leg is part of the bar between its ends. */
    if (shape->count == 1 && is_half_leg(pic, body))
        return;
    if (shape->count == 1) {
        draw_block(pic, state, body, ghost ? GHOST : FACE);
        return;
    }
    /* The hull: one polygon for a planar body, faces in space. */
    gdyn_hull_make(&hull, shape->count, shape->at, gdyn_model_length(pic->model));
    for (int i = 0; i < hull.polygons; i++) {
        layer_kind layer = ghost ? GHOST : hull.size[i] > 2 ? FACE : LINK;
        for (int j = 0; j <= hull.size[i]; j++) {
            double x[3];
            ground_point(state, body, shape->at[hull.corner[i][j % hull.size[i]]], x);
            vertex(pic, layer, x);
        }
        lift_pen(pic, layer);
    }
}

/* All bodies, and joints that are drawn as bars. */
static void draw_bodies(picture *pic, const gdyn_state *state, bool ghost) {
    for (int i = 0; i < gdyn_model_bodies(pic->model); i++)
        if (pic->shape[i].count > 0)
            draw_body(pic, state, i, ghost);
    /* Bars that are joints, and telescopic legs. */
    for (int i = 0; i < gdyn_model_joints(pic->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(pic->model, i);
        if (gdyn_picture_telescopic(joint) || glyph_of(joint) == GDYN_GLYPH_BAR) {
            double a[3], b[3];
            gdyn_state_point(state, &joint->a, a);
            gdyn_state_point(state, &joint->b, b);
            segment(pic, ghost ? GHOST : LINK, a, b);
        }
    }
}

/* Outlines of the stated shapes. */
static void draw_shape(void *context, const double *x) {
    picture *pic = context;
    if (x)
        vertex(pic, SHAPE, x);
    else
        lift_pen(pic, SHAPE);
}

/* Whether a drive acts at the joint. */
static bool is_driven(const picture *pic, int joint) {
    for (int i = 0; i < gdyn_model_drives(pic->model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(pic->model, i);
        bool at_joint = gdyn_drive_traits_of(drive->kind)->acts == GDYN_ACTS_AT_JOINT;
        if (at_joint && drive->joint == joint)
            return true;
    }
    return false;
}

/* Points of the joints. */
static void draw_joints(picture *pic, const gdyn_state *state) {
    for (int i = 0; i < gdyn_model_joints(pic->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(pic->model, i);
        double a[3];
        gdyn_joint_glyph glyph = glyph_of(joint);
        if (glyph == GDYN_GLYPH_NONE)
            continue;
        /* By what stands there: a drive, the ground, a joint. */
        gdyn_state_point(state, &joint->a, a);
        if (is_driven(pic, i)) {
            vertex(pic, DRIVEN, a);
        } else if (glyph != GDYN_GLYPH_BAR) {
            bool on_ground = joint->a.body == GDYN_GROUND || joint->b.body == GDYN_GROUND;
            vertex(pic, on_ground && glyph == GDYN_GLYPH_PIN ? BASE : JOINT, a);
        } else {
            double b[3];
            gdyn_state_point(state, &joint->b, b);
            vertex(pic, joint->a.body == GDYN_GROUND ? BASE : JOINT, a);
            vertex(pic, joint->b.body == GDYN_GROUND ? BASE : JOINT, b);
        }
    }
}

/* Drives between points, with their ends on the ground. */
static void draw_lines_of_drives(picture *pic, const gdyn_state *state) {
    for (int i = 0; i < gdyn_model_drives(pic->model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(pic->model, i);
        double a[3], b[3];
        if (has_ends(drive)) {
            gdyn_state_point(state, &drive->a, a);
            gdyn_state_point(state, &drive->b, b);
            segment(pic, CABLE, a, b);
            if (drive->a.body == GDYN_GROUND || drive->b.body == GDYN_GROUND)
                vertex(pic, BASE, drive->a.body == GDYN_GROUND ? a : b);
        }
    }
}

/* Guides fixed to the ground, as far as they are used along the path. */
static void draw_guides(picture *pic) {
    for (int i = 0; i < gdyn_model_joints(pic->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(pic->model, i);
        if (glyph_of(joint) != GDYN_GLYPH_RAIL || joint->b.body != GDYN_GROUND)
            continue;
        double axis[3], low = INFINITY, high = -INFINITY, from[3], to[3];
        v3_copy(axis, joint->axis_b);
        gdyn_v3_normalize(axis);
        /* As far as the slider travels. */
        for (int k = 0; k < pic->track->points; k++) {
            double x[3];
            gdyn_state_point(pic->track->state[k], &joint->a, x);
            v3_sub(x, x, joint->b.at);
            low = fmin(low, v3_dot(x, axis));
            high = fmax(high, v3_dot(x, axis));
        }
        /* A little longer than the travel, so that its ends are seen. */
        double spare = 0.06 * gdyn_model_length(pic->model);
        v3_axpy(from, joint->b.at, low - spare, axis);
        v3_axpy(to, joint->b.at, high + spare, axis);
        segment(pic, GUIDE, from, to);
    }
}

/* The path of the tools as far as it is followed. */
static void draw_path(picture *pic) {
    /* The line ends where the path is not followed. */
    for (int i = 0; i < pic->path->tools; i++) {
        bool down = false;
        for (int k = 0; k < pic->track->points; k++) {
            double x[3];
            if (pic->track->status[k] == GDYN_POINT_OK) {
                gdyn_state_point(pic->track->state[k], &pic->path->tool[i].of, x);
                vertex(pic, TRACE, x);
                down = true;
            } else if (down) {
                lift_pen(pic, TRACE);
                down = false;
            }
        }
        if (down)
            lift_pen(pic, TRACE);
    }
}

/* Where the path wants a tool at point k: what it prescribes, and the best pose found for the rest. */
static void wanted(const picture *pic, int tool, int k, int targets, const gdyn_target *target,
                   double x[3]) {
    const gdyn_anchor *of = &pic->path->tool[tool].of;
    gdyn_state_point(pic->track->state[k], of, x);
    /* Coordinates that the path prescribes replace those of the pose. */
    for (int i = 0; i < targets; i++) {
        const gdyn_row *row = &target[i].row;
        gdyn_row own = gdyn_row_point(pic->model, *of, row->axis);
        if (row->kind == GDYN_ROW_POINT && row->a == own.a &&
            memcmp(row->sa, own.sa, sizeof own.sa) == 0)
            x[row->axis] = target[i].target[0];
    }
}

/* The parts of the path that the machine does not follow, from one point that it reaches to the next. */
static gdyn_status draw_missed(picture *pic) {
    const gdyn_track *track = pic->track;
    if (track->first_failure < 0 || pic->path->tools == 0)
        return GDYN_OK;
    gdyn_path *path = NULL;
    gdyn_status status = gdyn_path_create(pic->model, pic->path, NULL, &path);
    int targets = status == GDYN_OK ? gdyn_path_targets(path) : 0;
    gdyn_target *target = gdyn_alloc((size_t)targets + 1, sizeof *target);
    if (status == GDYN_OK && !target)
        status = GDYN_ERROR_MEMORY;
    /* Each tool by itself. */
    for (int tool = 0; tool < pic->path->tools && status == GDYN_OK; tool++) {
        for (int k = 0; k < track->points; k++) {
            double x[3];
            bool ok = track->status[k] == GDYN_POINT_OK;
            bool next = k + 1 < track->points && track->status[k + 1] != GDYN_POINT_OK;
            bool before = k > 0 && track->status[k - 1] != GDYN_POINT_OK;
            /* A stretch begins and ends at points that are reached. */
            if (ok && !next && !before)
                continue;
            gdyn_path_evaluate(path, track->p[k], target);
            wanted(pic, tool, k, targets, target, x);
            vertex(pic, MISSED, x);
            if (ok && !next)
                lift_pen(pic, MISSED);
        }
        lift_pen(pic, MISSED);
    }
    gdyn_free(target);
    gdyn_path_destroy(path);
    return status;
}

/* The point at which least is missing. */
static int nearest_point(const gdyn_track *track) {
    int best = 0;
    for (int i = 1; i < track->points; i++)
        best = track->residual[i] < track->residual[best] ? i : best;
    return best;
}

/* Path, guides, faded poses, and the machine at one pose. */
static void draw_machine(picture *pic) {
    /* The first pose that is reached, or the nearest to one. */
    int main = -1;
    for (int i = 0; i < pic->track->points && main < 0; i++)
        main = pic->track->status[i] == GDYN_POINT_OK ? i : -1;
    draw_path(pic);
    draw_guides(pic);
    pic->nearest = -1;
    if (main < 0) /* as near as it comes */
        main = pic->nearest = nearest_point(pic->track);
    const gdyn_state *state = pic->track->state[main];
    /* Faded poses, evenly over the rest of the path. */
    for (int i = 1; i <= GHOSTS; i++) {
        int at = main + (int)((long)i * (pic->track->points - 1 - main) / (GHOSTS + 1));
        if (at > main && pic->track->status[at] == GDYN_POINT_OK)
            draw_bodies(pic, pic->track->state[at], true);
    }
    /* The main pose, above all others. */
    draw_bodies(pic, state, false);
    gdyn_shapes_outline(state, draw_shape, pic);
    draw_joints(pic, state);
    draw_lines_of_drives(pic, state);
    for (int i = 0; i < pic->path->tools; i++) {
        double x[3];
        gdyn_state_point(state, &pic->path->tool[i].of, x);
        vertex(pic, TOOL, x);
    }
}

/* --- script ----------------------------------------------------------------------------------- */

/* Widens what is drawn by a margin; in space no side of the box is much shorter than the others. */
static void frame(picture *pic) {
    /* The largest extent sets the scale. */
    double most = 0;
    for (int i = 0; i < 3; i++) {
        if (!(pic->low[i] <= pic->high[i]))
            pic->low[i] = -1, pic->high[i] = 1;
        most = fmax(most, pic->high[i] - pic->low[i]);
    }
    double spare = 0.05 * most + 1e-9;
    /* A flat machine in space still gets some depth. */
    for (int i = 0; i < 3; i++) {
        double missing = pic->planar ? 0 : 0.3 * most - (pic->high[i] - pic->low[i]);
        double margin = spare + fmax(0, 0.5 * missing);
        pic->low[i] -= margin;
        pic->high[i] += margin;
    }
}

/* Ranges and equal steps on all axes. */
static void set_ranges(picture *pic) {
    static const char axis[3] = {'x', 'y', 'z'};
    double most = 0;
    for (int i = 0; i < 3; i++)
        most = fmax(most, pic->high[i] - pic->low[i]);
    for (int i = 0; i < (pic->planar ? 2 : 3); i++) {
        gdyn_script_line(
            &pic->script, "set %crange [%.7g:%.7g]\nset %clabel '%c [m]'\nset %ctics %.7g", axis[i],
            pic->low[i], pic->high[i], axis[i], axis[i], axis[i], gdyn_round_step(most, 6));
    }
}

/* Height of the picture: a wide planar machine needs less of it. */
static int picture_height(const picture *pic) {
    double share = (pic->high[1] - pic->low[1]) / (pic->high[0] - pic->low[0]);
    return pic->planar ? (int)fmin(fmax(850 * share + 160, 420), 1000) : 900;
}

/* Magnification with which the box of all that is drawn fills the picture: that of its silhouette
 * against the silhouette of a cube, which gnuplot leaves room for. */
static double zoom(const picture *pic) {
    /* They leave room for the labels below, in the upright direction for the heading, too. */
    static const double FILL = 1.12, FILL_UPRIGHT = 0.92;
    double degree = GDYN_PI / 180, size[3], most = 1e-9;
    for (int i = 0; i < 3; i++) {
        size[i] = pic->high[i] - pic->low[i];
        most = fmax(most, size[i]);
    }
    /* The silhouette of the box, seen from the eye. */
    double c = cos(VIEW_TURN * degree), s = sin(VIEW_TURN * degree);
    double flat = cos(VIEW_TILT * degree), upright = sin(VIEW_TILT * degree);
    double width = (c * size[0] + s * size[1]) / most;
    double height = ((s * size[0] + c * size[1]) * flat + size[2] * upright) / most;
    return fmin(FILL * (c + s) / width, FILL_UPRIGHT * ((s + c) * flat + upright) / height);
}

/* One plot command over all layers. */
static void plot_layers(picture *pic) {
    /* Empty layers are left out; the others cover each other in order. */
    bool first = true;
    for (int i = 0; i < LAYERS; i++) {
        if (pic->layer[i].length == 0)
            continue;
        gdyn_text_append(&pic->script.data, pic->layer[i].data, pic->layer[i].length);
        const char *columns = pic->planar      ? "1:2 with"
                              : styles[i].line ? "1:2:3:4:5:6 with vectors nohead"
                                               : "1:2:3 with";
        gdyn_text_printf(&pic->script.gp, "%s data index %d using %s %s title \"%s\"",
                         !first        ? ", \\\n    "
                         : pic->planar ? "plot"
                                       : "splot",
                         gdyn_script_end_block(&pic->script), columns,
                         pic->planar ? styles[i].planar : styles[i].spatial, styles[i].title);
        first = false;
        pic->script.data.failed |= pic->layer[i].failed;
    }
    if (first) {
        gdyn_page_note(&pic->script, 0.4, 0.5, "center", "the machine cannot be assembled");
        gdyn_text_printf(&pic->script.gp, "plot [0:1][0:1] 2 notitle");
    }
    gdyn_text_append(&pic->script.gp, "\n", 1);
}

/* Title, axes, view and layers. */
static void write_script(picture *pic, const char *name) {
    char title[200];
    frame(pic);
    gdyn_script_begin(&pic->script, name, "machine", 1200, picture_height(pic));
    /* a path that is not reached has a second line */
    char near[120] = "";
    if (pic->nearest >= 0) {
        snprintf(near, sizeof near,
                 "\\nthe path is not reached: the machine as near as possible, at p = %s",
                 gdyn_amount(pic->track->p[pic->nearest], gdyn_path_unit_of_p(pic->path)).text);
    }
    gdyn_script_line(&pic->script, "set title \"The machine along '%s'%s\" font ',16'",
                     gdyn_script_heading(name, title, sizeof title), near);
    gdyn_page_axes(&pic->script);
    gdyn_script_line(&pic->script,
                     "set key outside right top Left reverse spacing 1.3 samplen 2 font ',11'");
    set_ranges(pic);
    /* equal scales; in space the view fills the page */
    if (pic->planar) {
        gdyn_script_line(&pic->script, "set size ratio -1");
    } else {
        gdyn_script_line(&pic->script,
                         "set key at screen 0.98,%.2f\nset xlabel offset 0,-0.6\nset zlabel offset "
                         "-2,0\nset view equal xyz\n"
                         "set view %d,%d,%.3f\nset xyplane 0",
                         pic->nearest >= 0 ? 0.90 : 0.93, VIEW_TILT, VIEW_TURN, zoom(pic));
    }
    plot_layers(pic);
}

gdyn_status gdyn_picture_machine(const char *folder, const char *name, const gdyn_model *model,
                                 const gdyn_path_def *path, const gdyn_track *track,
                                 const gdyn_sink *sink) {
    picture pic = {.model = model,
                   .path = path,
                   .track = track,
                   .planar = gdyn_model_space(model) == GDYN_PLANAR,
                   .nearest = -1,
                   .low = {INFINITY, INFINITY, INFINITY},
                   .high = {-INFINITY, -INFINITY, -INFINITY}};
    pic.shape = gdyn_alloc((size_t)gdyn_model_bodies(model), sizeof *pic.shape);
    if (!pic.shape)
        return GDYN_ERROR_MEMORY;
    /* layers first: ranges and view depend on all of them */
    collect_shapes(&pic);
    draw_machine(&pic);
    gdyn_status missed = draw_missed(&pic);
    write_script(&pic, name);
    for (int i = 0; i < LAYERS; i++)
        gdyn_text_free(&pic.layer[i]);
    gdyn_free(pic.shape);
    pic.script.data.failed |= missed == GDYN_ERROR_MEMORY;
    return gdyn_script_finish(&pic.script, folder, sink);
}
