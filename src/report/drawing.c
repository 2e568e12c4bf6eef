/* drawing.c - a machine in a pose as layers of lines and points; see drawing.h. */
#include "report/drawing.h"

#include "report/hull.h"
#include "report/shapes.h"

#include "base/memory.h"
#include "closure/target.h"
#include "linalg/vec3.h"
#include "model/kinds.h"
#include "model/rows.h"

#include <math.h>
#include <string.h>

enum { POINTS_MAX = GDYN_HULL_POINTS };

/* Points of one body, in its own frame. */
struct gdyn_body_points {
    int count;
    double at[POINTS_MAX][3];
};

/* --- shapes ----------------------------------------------------------------------------------- */

/* A point at which something holds a body. */
static void add_anchor(gdyn_drawing *d, const gdyn_anchor *anchor) {
    if (anchor->body < 0)
        return;
    gdyn_body_points *shape = &d->points[anchor->body];
    /* Joints at the same point of a body count once. */
    double near = 1e-6 * gdyn_model_length(d->model);
    for (int i = 0; i < shape->count; i++) {
        double away[3];
        v3_sub(away, anchor->at, shape->at[i]);
        if (v3_norm(away) <= near)
            return;
    }
    if (shape->count < POINTS_MAX)
        v3_copy(shape->at[shape->count++], anchor->at);
}

/* Whether the drive acts between two points. */
static bool has_ends(const gdyn_drive_def *drive) {
    return gdyn_drive_traits_of(drive->kind)->acts == GDYN_ACTS_BETWEEN;
}

static void collect_points(gdyn_drawing *d, int tools, const gdyn_path_tool *tool) {
    /* Joints, ends of drives and the tool hold the bodies. */
    for (int i = 0; i < gdyn_model_joints(d->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(d->model, i);
        if (gdyn_joint_type_has_points(joint->type)) {
            add_anchor(d, &joint->a);
            add_anchor(d, &joint->b);
        }
    }
    for (int i = 0; i < gdyn_model_drives(d->model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(d->model, i);
        if (has_ends(drive)) {
            add_anchor(d, &drive->a);
            add_anchor(d, &drive->b);
        }
    }
    for (int i = 0; i < tools; i++)
        add_anchor(d, &tool[i].of);
}

/* --- begin and end ---------------------------------------------------------------------------- */

bool gdyn_drawing_begin(gdyn_drawing *d, const gdyn_model *model, int tools,
                        const gdyn_path_tool *tool) {
    *d = (gdyn_drawing){.model = model,
                        .planar = gdyn_model_space(model) == GDYN_PLANAR,
                        .low = {INFINITY, INFINITY, INFINITY},
                        .high = {-INFINITY, -INFINITY, -INFINITY}};
    d->points = gdyn_alloc((size_t)gdyn_model_bodies(model), sizeof *d->points);
    if (d->points)
        collect_points(d, tools, tool);
    return d->points != NULL;
}

void gdyn_drawing_end(gdyn_drawing *d) {
    for (int i = 0; i < GDYN_LAYERS; i++)
        gdyn_text_free(&d->layer[i]);
    gdyn_free(d->points);
}

/* --- drawing into layers ---------------------------------------------------------------------- */

/* A point of a layer. In space, lines are written edge by edge as a point and a vector: gnuplot would
 * join lines of equally many points to a net. */
void gdyn_drawing_vertex(gdyn_drawing *d, gdyn_layer layer, const double x[3]) {
    const double *last = d->last[layer];
    if (d->planar || !gdyn_layer_is_line(layer)) {
        gdyn_text_printf(&d->layer[layer], "%.7g %.7g %.7g\n", x[0], x[1], x[2]);
    } else if (d->down[layer]) {
        gdyn_text_printf(&d->layer[layer], "%.7g %.7g %.7g %.7g %.7g %.7g\n", last[0], last[1],
                         last[2], x[0] - last[0], x[1] - last[1], x[2] - last[2]);
    }
    v3_copy(d->last[layer], x);
    d->down[layer] = true;
    for (int i = 0; i < 3; i++) {
        d->low[i] = fmin(d->low[i], x[i]);
        d->high[i] = fmax(d->high[i], x[i]);
    }
}

void gdyn_drawing_lift(gdyn_drawing *d, gdyn_layer layer) {
    d->down[layer] = false;
    if (d->planar)
        gdyn_text_append(&d->layer[layer], "\n", 1);
}

void gdyn_drawing_segment(gdyn_drawing *d, gdyn_layer layer, const double a[3], const double b[3]) {
    gdyn_drawing_vertex(d, layer, a);
    gdyn_drawing_vertex(d, layer, b);
    gdyn_drawing_lift(d, layer);
}

/* A point of a body in ground coordinates. */
static void ground_point(const gdyn_state *state, int body, const double at[3], double x[3]) {
    gdyn_anchor anchor = {body, {at[0], at[1], at[2]}};
    gdyn_state_point(state, &anchor, x);
}

/* A square along the body's axes for a body that is held at one point only. */
static void draw_block(gdyn_drawing *d, const gdyn_state *state, int body, gdyn_layer layer) {
    static const double corner[5][2] = {{-1, -0.6}, {1, -0.6}, {1, 0.6}, {-1, 0.6}, {-1, -0.6}};
    double size = 0.035 * gdyn_model_length(d->model);
    /* In the body's frame, around its only point. */
    for (int i = 0; i < 5; i++) {
        double at[3], x[3];
        v3_copy(at, d->points[body].at[0]);
        at[0] += size * corner[i][0];
        at[1] += size * corner[i][1];
        ground_point(state, body, at, x);
        gdyn_drawing_vertex(d, layer, x);
    }
    gdyn_drawing_lift(d, layer);
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
static bool is_half_leg(const gdyn_drawing *d, int body) {
    for (int i = 0; i < gdyn_model_joints(d->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(d->model, i);
        if (gdyn_picture_telescopic(joint) && (joint->a.body == body || joint->b.body == body))
            return true;
    }
    return false;
}

/* A body as the hull of its points. */
static void draw_body(gdyn_drawing *d, const gdyn_state *state, int body, bool ghost) {
    const gdyn_body_points *shape = &d->points[body];
    gdyn_hull hull;
    /* Half a telescopic leg is part of the bar between its ends. */
    if (shape->count == 1 && is_half_leg(d, body))
        return;
    if (shape->count == 1) {
        draw_block(d, state, body, ghost ? GDYN_LAYER_GHOST : GDYN_LAYER_FACE);
        return;
    }
    /* The hull: one polygon for a planar body, faces in space. */
    gdyn_hull_make(&hull, shape->count, shape->at, gdyn_model_length(d->model));
    for (int i = 0; i < hull.polygons; i++) {
        gdyn_layer layer = ghost              ? GDYN_LAYER_GHOST
                           : hull.size[i] > 2 ? GDYN_LAYER_FACE
                                              : GDYN_LAYER_LINK;
        for (int j = 0; j <= hull.size[i]; j++) {
            double x[3];
            ground_point(state, body, shape->at[hull.corner[i][j % hull.size[i]]], x);
            gdyn_drawing_vertex(d, layer, x);
        }
        gdyn_drawing_lift(d, layer);
    }
}

void gdyn_drawing_bodies(gdyn_drawing *d, const gdyn_state *state, bool ghost) {
    for (int i = 0; i < gdyn_model_bodies(d->model); i++)
        if (d->points[i].count > 0)
            draw_body(d, state, i, ghost);
    /* Bars that are joints, and telescopic legs. */
    for (int i = 0; i < gdyn_model_joints(d->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(d->model, i);
        if (gdyn_picture_telescopic(joint) || glyph_of(joint) == GDYN_GLYPH_BAR) {
            double a[3], b[3];
            gdyn_state_point(state, &joint->a, a);
            gdyn_state_point(state, &joint->b, b);
            gdyn_drawing_segment(d, ghost ? GDYN_LAYER_GHOST : GDYN_LAYER_LINK, a, b);
        }
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

/* Whether a drive acts at the joint. */
static bool is_driven(const gdyn_drawing *d, int joint) {
    for (int i = 0; i < gdyn_model_drives(d->model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(d->model, i);
        bool at_joint = gdyn_drive_traits_of(drive->kind)->acts == GDYN_ACTS_AT_JOINT;
        if (at_joint && drive->joint == joint)
            return true;
    }
    return false;
}

/* A driven joint at x: of a telescopic leg in its middle, its ends are joints of their own. */
static void draw_drive(gdyn_drawing *d, const gdyn_state *state, const gdyn_joint_def *joint,
                       const double x[3]) {
    double b[3];
    gdyn_state_point(state, &joint->b, b);
    if (gdyn_picture_telescopic(joint))
        v3_axpy(b, x, 1, b);
    v3_scale(b, 0.5, b);
    gdyn_drawing_vertex(d, GDYN_LAYER_DRIVEN, gdyn_picture_telescopic(joint) ? b : x);
}

/* Points of the joints. */
static void draw_joints(gdyn_drawing *d, const gdyn_state *state) {
    for (int i = 0; i < gdyn_model_joints(d->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(d->model, i);
        double a[3];
        gdyn_joint_glyph glyph = glyph_of(joint);
        if (glyph == GDYN_GLYPH_NONE)
            continue;
        /* By what stands there: a drive, the ground, a joint. */
        gdyn_state_point(state, &joint->a, a);
        if (is_driven(d, i)) {
            draw_drive(d, state, joint, a);
        } else if (glyph != GDYN_GLYPH_BAR) {
            bool on_ground = joint->a.body == GDYN_GROUND || joint->b.body == GDYN_GROUND;
            gdyn_drawing_vertex(
                d, on_ground && glyph == GDYN_GLYPH_PIN ? GDYN_LAYER_BASE : GDYN_LAYER_JOINT, a);
        } else {
            double b[3];
            gdyn_state_point(state, &joint->b, b);
            gdyn_drawing_vertex(
                d, joint->a.body == GDYN_GROUND ? GDYN_LAYER_BASE : GDYN_LAYER_JOINT, a);
            gdyn_drawing_vertex(
                d, joint->b.body == GDYN_GROUND ? GDYN_LAYER_BASE : GDYN_LAYER_JOINT, b);
        }
    }
}

/* Drives between points, with their ends on the ground. */
static void draw_lines_of_drives(gdyn_drawing *d, const gdyn_state *state) {
    for (int i = 0; i < gdyn_model_drives(d->model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(d->model, i);
        double a[3], b[3];
        if (has_ends(drive)) {
            gdyn_state_point(state, &drive->a, a);
            gdyn_state_point(state, &drive->b, b);
            gdyn_drawing_segment(d, GDYN_LAYER_CABLE, a, b);
            if (drive->a.body == GDYN_GROUND || drive->b.body == GDYN_GROUND)
                gdyn_drawing_vertex(d, GDYN_LAYER_BASE, drive->a.body == GDYN_GROUND ? a : b);
        }
    }
}

void gdyn_drawing_pose(gdyn_drawing *d, const gdyn_state *state) {
    gdyn_drawing_bodies(d, state, false);
    gdyn_shapes_outline(state, draw_shape, d);
    draw_joints(d, state);
    draw_lines_of_drives(d, state);
}

void gdyn_drawing_guides(gdyn_drawing *d, int poses, gdyn_state *const *state) {
    for (int i = 0; i < gdyn_model_joints(d->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(d->model, i);
        if (glyph_of(joint) != GDYN_GLYPH_RAIL || joint->b.body != GDYN_GROUND)
            continue;
        double axis[3], low = INFINITY, high = -INFINITY, from[3], to[3];
        v3_copy(axis, joint->axis_b);
        gdyn_v3_normalize(axis);
        /* As far as the slider travels. */
        for (int k = 0; k < poses; k++) {
            double x[3];
            gdyn_state_point(state[k], &joint->a, x);
            v3_sub(x, x, joint->b.at);
            low = fmin(low, v3_dot(x, axis));
            high = fmax(high, v3_dot(x, axis));
        }
        /* A little longer than the travel, so that its ends are seen. */
        double spare = 0.06 * gdyn_model_length(d->model);
        v3_axpy(from, joint->b.at, low - spare, axis);
        v3_axpy(to, joint->b.at, high + spare, axis);
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

/* Where the path wants a tool at point k: what it prescribes, and the best pose found for the rest. */
static void wanted(const gdyn_model *model, const gdyn_anchor *tool, const gdyn_state *found,
                   int targets, const gdyn_target *target, double x[3]) {
    gdyn_state_point(found, tool, x);
    /* Coordinates that the path prescribes replace those of the pose. */
    for (int i = 0; i < targets; i++) {
        const gdyn_row *row = &target[i].row;
        gdyn_row own = gdyn_row_point(model, *tool, row->axis);
        if (row->kind == GDYN_ROW_POINT && row->a == own.a &&
            memcmp(row->sa, own.sa, sizeof own.sa) == 0)
            x[row->axis] = target[i].target[0];
    }
}

/* Parts of one tool's path from one point that is reached to the next; the first begins at a mark. */
static void draw_missed(gdyn_drawing *d, const gdyn_path *path, const gdyn_anchor *tool,
                        const gdyn_track *track, gdyn_target *target) {
    int targets = gdyn_path_targets(path), first = track->first_failure;
    for (int k = 0; k < track->points; k++) {
        double x[3];
        bool ok = track->status[k] == GDYN_POINT_OK;
        bool next = k + 1 < track->points && track->status[k + 1] != GDYN_POINT_OK;
        bool before = k > 0 && track->status[k - 1] != GDYN_POINT_OK;
        /* A stretch begins and ends at points that are reached. */
        if (ok && !next && !before)
            continue;
        gdyn_path_evaluate(path, track->p[k], target);
        wanted(d->model, tool, track->state[k], targets, target, x);
        gdyn_drawing_vertex(d, GDYN_LAYER_MISSED, x);
        if (k == (first > 0 ? first - 1 : 0))
            gdyn_drawing_vertex(d, GDYN_LAYER_STOP, x);
        if (ok && !next)
            gdyn_drawing_lift(d, GDYN_LAYER_MISSED);
    }
    gdyn_drawing_lift(d, GDYN_LAYER_MISSED);
}

gdyn_status gdyn_drawing_missed(gdyn_drawing *d, const gdyn_path_def *def,
                                const gdyn_track *track) {
    if (track->first_failure < 0 || def->tools == 0)
        return GDYN_OK;
    gdyn_path *path = NULL;
    gdyn_status status = gdyn_path_create(d->model, def, NULL, &path);
    gdyn_target *target =
        status == GDYN_OK ? gdyn_alloc((size_t)gdyn_path_targets(path) + 1, sizeof *target) : NULL;
    if (status == GDYN_OK && !target)
        status = GDYN_ERROR_MEMORY;
    for (int tool = 0; tool < def->tools && status == GDYN_OK; tool++)
        draw_missed(d, path, &def->tool[tool].of, track, target);
    gdyn_free(target);
    gdyn_path_destroy(path);
    /* a path that cannot be made is not drawn */
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
}

void gdyn_drawing_tools(gdyn_drawing *d, const gdyn_path_def *path, const gdyn_state *state) {
    for (int i = 0; i < path->tools; i++) {
        double x[3];
        gdyn_state_point(state, &path->tool[i].of, x);
        gdyn_drawing_vertex(d, GDYN_LAYER_TOOL, x);
    }
}
