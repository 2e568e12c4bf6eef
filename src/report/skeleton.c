/* skeleton.c - what is drawn of a machine, in the frames of its bodies; see skeleton.h. */
#include "report/drawing.h"

#include "report/picture.h"

#include "base/memory.h"
#include "closure/target.h"
#include "linalg/vec3.h"
#include "model/kinds.h"
#include "model/rows.h"

#include <math.h>
#include <string.h>

typedef struct body_points {
    int count;
    double at[GDYN_HULL_POINTS][3];
} body_points;

/* --- points of the bodies --------------------------------------------------------------------- */

/* A point at which something holds a body. */
static void add_anchor(const gdyn_model *model, body_points *points, const gdyn_anchor *anchor) {
    if (anchor->body < 0)
        return;
    body_points *own = &points[anchor->body];
    /* Joints at the same point of a body count once. */
    double near = 1e-6 * gdyn_model_length(model);
    for (int i = 0; i < own->count; i++) {
        double away[3];
        v3_sub(away, anchor->at, own->at[i]);
        if (v3_norm(away) <= near)
            return;
    }
    if (own->count < GDYN_HULL_POINTS)
        v3_copy(own->at[own->count++], anchor->at);
}

/* --- parts ------------------------------------------------------------------------------------ */

/* A part of so many points, all of them to be set; NULL: no memory. */
static gdyn_skeleton_part *add_part(gdyn_skeleton *f, gdyn_layer layer, int count) {
    gdyn_anchor *at = gdyn_arena_alloc(f->arena, (size_t)count, sizeof *at);
    if (!at || !gdyn_reserve(&f->part, &f->capacity, f->parts + 1, sizeof *f->part))
        return NULL;
    f->part[f->parts] = (gdyn_skeleton_part){
        .layer = layer, .count = count, .at = at, .body = -1, .joint = -1, .drive = -1};
    return &f->part[f->parts++];
}

/* A line from a to b, or (b NULL) a mark at a. */
static gdyn_skeleton_part *add_line(gdyn_skeleton *f, gdyn_layer layer, const gdyn_anchor *a,
                                    const gdyn_anchor *b) {
    gdyn_skeleton_part *part = add_part(f, layer, b ? 2 : 1);
    if (part) {
        part->at[0] = *a;
        part->at[b ? 1 : 0] = b ? *b : *a;
    }
    return part;
}

/* A square along the body's axes for a body that is held at one point only. */
static void add_block(gdyn_skeleton *f, int body, const double at[3]) {
    static const double corner[4][2] = {{-1, -0.6}, {1, -0.6}, {1, 0.6}, {-1, 0.6}};
    double size = 0.035 * gdyn_model_length(f->model);
    gdyn_skeleton_part *part = add_part(f, GDYN_LAYER_FACE, 4);
    for (int i = 0; part && i < 4; i++) {
        part->body = body;
        part->at[i] =
            (gdyn_anchor){body, {at[0] + size * corner[i][0], at[1] + size * corner[i][1], at[2]}};
    }
}

/* How a joint is drawn: a generic one is a pin or a point. */
static gdyn_joint_glyph glyph_of(const gdyn_joint_def *joint) {
    gdyn_joint_glyph glyph = gdyn_joint_kind_of(joint->type)->glyph;
    return glyph != GDYN_GLYPH_LOCKS       ? glyph
           : gdyn_joint_holds_point(joint) ? GDYN_GLYPH_PIN
                                           : GDYN_GLYPH_POINT;
}

/* A leg that grows, drawn as a line: a sliding joint between two moving bodies. */
static bool picture_telescopic(const gdyn_joint_def *joint) {
    return glyph_of(joint) == GDYN_GLYPH_RAIL && joint->a.body >= 0 && joint->b.body >= 0;
}

/* True when the body is half of a telescopic leg; such halves are drawn as one bar. */
static bool is_half_leg(const gdyn_skeleton *f, int body) {
    for (int i = 0; i < gdyn_model_joints(f->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(f->model, i);
        if (picture_telescopic(joint) && (joint->a.body == body || joint->b.body == body))
            return true;
    }
    return false;
}

/* A body whose points lie on one line gets its centre of gravity as another one where that is
 * clearly off the line: a door is more than the line of its hinges, a pendulum more than its
 * pin. */
static void add_centre(const gdyn_model *model, int body, body_points *own) {
    double beside[3], along[3], least = 0.1 * gdyn_model_length(model);
    const double *com = gdyn_model_body(model, body)->com;
    if (own->count == 0 || own->count >= GDYN_HULL_POINTS)
        return;
    /* From the first point; the line leads to the last one. */
    v3_sub(beside, com, own->at[0]), v3_sub(along, own->at[own->count - 1], own->at[0]);
    for (int i = 1; i < own->count; i++) {
        double way[3], off[3];
        v3_sub(way, own->at[i], own->at[0]);
        v3_cross(off, way, along);
        if (v3_norm(off) > 1e-6 * v3_dot(along, along))
            return;
    }
    least = fmax(least, 0.25 * v3_norm(along));
    if (gdyn_v3_normalize(along) > 0)
        v3_axpy(beside, beside, -v3_dot(beside, along), along);
    if (v3_norm(beside) > least)
        v3_copy(own->at[own->count++], com);
}

/* A body as the hull of its points: one polygon when they lie in a plane, else its faces. */
static void add_body(gdyn_skeleton *f, const body_points *own, int body) {
    gdyn_hull hull;
    if (own->count == 1) {
        /* Half a telescopic leg is part of the bar between its ends. */
        if (!is_half_leg(f, body))
            add_block(f, body, own->at[0]);
        return;
    }
    gdyn_hull_make(&hull, own->count, own->at, gdyn_model_length(f->model));
    for (int i = 0; i < hull.polygons; i++) {
        gdyn_skeleton_part *part =
            add_part(f, hull.size[i] > 2 ? GDYN_LAYER_FACE : GDYN_LAYER_LINK, hull.size[i]);
        for (int j = 0; part && j < part->count; j++) {
            part->body = body;
            part->at[j].body = body;
            v3_copy(part->at[j].at, own->at[hull.corner[i][j]]);
        }
    }
}

/* The drive that acts at the joint, -1: none. */
static int drive_of(const gdyn_skeleton *f, int joint) {
    for (int i = 0; i < gdyn_model_drives(f->model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(f->model, i);
        bool at_joint = gdyn_drive_traits_of(drive->kind)->acts == GDYN_ACTS_AT_JOINT;
        if (at_joint && drive->joint == joint)
            return i;
    }
    return -1;
}

static void add_mark(gdyn_skeleton *f, gdyn_layer layer, const gdyn_anchor *a, const gdyn_anchor *b,
                     int joint) {
    gdyn_skeleton_part *part = add_line(f, layer, a, b);
    if (part) {
        part->joint = joint;
        part->drive = layer == GDYN_LAYER_DRIVEN ? drive_of(f, joint) : -1;
    }
}

/* A joint by what stands there: a drive (of a telescopic leg in its middle, as its ends are
 * joints of their own), the ground, or nothing else. */
static void add_joint(gdyn_skeleton *f, int i) {
    const gdyn_joint_def *joint = gdyn_model_joint(f->model, i);
    gdyn_joint_glyph glyph = glyph_of(joint);
    bool ground_a = joint->a.body == GDYN_GROUND, ground_b = joint->b.body == GDYN_GROUND;
    if (glyph == GDYN_GLYPH_NONE) {
        return;
    } else if (drive_of(f, i) >= 0) {
        add_mark(f, GDYN_LAYER_DRIVEN, &joint->a, picture_telescopic(joint) ? &joint->b : NULL, i);
    } else if (glyph != GDYN_GLYPH_BAR) {
        bool base = (ground_a || ground_b) && glyph == GDYN_GLYPH_PIN;
        add_mark(f, base ? GDYN_LAYER_BASE : GDYN_LAYER_JOINT, &joint->a, NULL, i);
    } else {
        add_mark(f, ground_a ? GDYN_LAYER_BASE : GDYN_LAYER_JOINT, &joint->a, NULL, i);
        add_mark(f, ground_b ? GDYN_LAYER_BASE : GDYN_LAYER_JOINT, &joint->b, NULL, i);
    }
}

/* Drives between points, with their ends on the ground. */
static void add_drives(gdyn_skeleton *f) {
    for (int i = 0; i < gdyn_model_drives(f->model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(f->model, i);
        if (gdyn_drive_traits_of(drive->kind)->acts != GDYN_ACTS_BETWEEN)
            continue;
        gdyn_skeleton_part *part = add_line(f, GDYN_LAYER_CABLE, &drive->a, &drive->b);
        if (part)
            part->drive = i;
        if (drive->a.body == GDYN_GROUND || drive->b.body == GDYN_GROUND) {
            part = add_line(f, GDYN_LAYER_BASE,
                            drive->a.body == GDYN_GROUND ? &drive->a : &drive->b, NULL);
            if (part)
                part->drive = i;
        }
    }
}

bool gdyn_skeleton_begin(gdyn_skeleton *f, const gdyn_model *model, int tools,
                         const gdyn_path_tool *tool) {
    *f = (gdyn_skeleton){.model = model, .arena = gdyn_arena_create()};
    body_points *points =
        gdyn_arena_alloc(f->arena, (size_t)gdyn_model_bodies(model) + 1, sizeof *points);
    if (!points)
        return false;
    /* joints, ends of drives and the tools hold the bodies */
    for (int i = 0; i < gdyn_model_joints(model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(model, i);
        if (gdyn_joint_type_has_points(joint->type))
            add_anchor(model, points, &joint->a), add_anchor(model, points, &joint->b);
    }
    for (int i = 0; i < gdyn_model_drives(model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(model, i);
        gdyn_acting acts = gdyn_drive_traits_of(drive->kind)->acts;
        if (acts != GDYN_ACTS_AT_JOINT)
            add_anchor(model, points, &drive->a);
        if (acts == GDYN_ACTS_BETWEEN)
            add_anchor(model, points, &drive->b);
    }
    for (int i = 0; i < tools; i++)
        add_anchor(model, points, &tool[i].of);
    /* In the order in which they cover each other. */
    for (int i = 0; i < gdyn_model_bodies(model); i++) {
        if (!is_half_leg(f, i))
            add_centre(model, i, &points[i]);
        if (points[i].count > 0)
            add_body(f, &points[i], i);
    }
    /* bars that are joints, and telescopic legs */
    for (int i = 0; i < gdyn_model_joints(f->model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(f->model, i);
        if (!picture_telescopic(joint) && glyph_of(joint) != GDYN_GLYPH_BAR)
            continue;
        gdyn_skeleton_part *part = add_line(f, GDYN_LAYER_LINK, &joint->a, &joint->b);
        if (part)
            part->joint = i;
    }
    for (int i = 0; i < gdyn_model_joints(model); i++)
        add_joint(f, i);
    add_drives(f);
    return !gdyn_arena_failed(f->arena) && (f->parts == 0 || f->part);
}

void gdyn_skeleton_end(gdyn_skeleton *f) {
    gdyn_free(f->part);
    gdyn_arena_destroy(f->arena);
}

bool gdyn_skeleton_is_solid(const gdyn_skeleton_part *part) {
    return part->layer == GDYN_LAYER_FACE || part->layer == GDYN_LAYER_LINK;
}

bool gdyn_skeleton_is_shaped(const gdyn_model *model, const gdyn_skeleton_part *part) {
    bool all = gdyn_skeleton_is_solid(part);
    for (int k = 0; k < part->count && all; k++) {
        all = false;
        for (int i = 0; i < gdyn_model_shapes(model); i++) {
            const gdyn_shape_def *shape = gdyn_model_shape(model, i);
            all |= shape->drive < 0 && shape->a.body >= 0 && shape->a.body == part->at[k].body;
        }
    }
    return all;
}

bool gdyn_skeleton_wheel(const gdyn_model *model, int joint, gdyn_wheel *wheel) {
    const gdyn_joint_def *def = gdyn_model_joint(model, joint);
    const gdyn_joint_form *form = gdyn_joint_form_of(def->type, gdyn_model_space(model));
    bool rolls = gdyn_joint_reads(form, GDYN_READS_RADIUS);
    if (!rolls && gdyn_joint_kind_of(def->type)->glyph != GDYN_GLYPH_EDGE)
        return false;
    /* a knife edge states no radius */
    *wheel =
        (gdyn_wheel){.at = def->a, .radius = rolls ? def->radius : 0.07 * gdyn_model_length(model)};
    v3_copy(wheel->axis, rolls ? def->axis_a : def->normal);
    gdyn_v3_normalize(wheel->axis);
    return true;
}

void gdyn_skeleton_place(const gdyn_skeleton_part *part, const gdyn_state *state, double x[3]) {
    gdyn_state_point(state, &part->at[0], x);
    if (part->count > 1) {
        double b[3];
        gdyn_state_point(state, &part->at[1], b);
        v3_axpy(b, x, 1, b);
        v3_scale(x, 0.5, b);
    }
}

bool gdyn_skeleton_guide(const gdyn_model *model, int i, int poses, gdyn_state *const *state,
                         double from[3], double to[3]) {
    const gdyn_joint_def *joint = gdyn_model_joint(model, i);
    if (glyph_of(joint) != GDYN_GLYPH_RAIL || joint->b.body != GDYN_GROUND)
        return false;
    double axis[3], low = INFINITY, high = -INFINITY;
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
    double spare = 0.06 * gdyn_model_length(model);
    v3_axpy(from, joint->b.at, low - spare, axis);
    v3_axpy(to, joint->b.at, high + spare, axis);
    return true;
}

/* --- paths ------------------------------------------------------------------------------------ */

/* What of the path a tool misses. */
static void draw_missed(const gdyn_model *model, const gdyn_path *path, const gdyn_anchor *tool,
                        const gdyn_track *track, gdyn_target *target, gdyn_pen *draw,
                        void *context) {
    int targets = gdyn_path_targets(path);
    for (int k = 0; k < track->points; k++) {
        double x[3];
        bool ok = track->status[k] == GDYN_POINT_OK;
        bool next = k + 1 < track->points && track->status[k + 1] != GDYN_POINT_OK;
        bool before = k > 0 && track->status[k - 1] != GDYN_POINT_OK;
        /* A stretch begins and ends at points that are reached. */
        if (ok && !next && !before)
            continue;
        gdyn_path_evaluate(path, track->p[k], target);
        /* Where the path wants a tool: what it prescribes, and the best pose found for the rest. */
        const gdyn_state *found = track->state[k];
        gdyn_state_point(found, tool, x);
        /* Coordinates that the path prescribes replace those of the pose. */
        for (int i = 0; i < targets; i++) {
            const gdyn_row *row = &target[i].row;
            gdyn_row own = gdyn_row_point(model, *tool, row->axis);
            if (row->kind == GDYN_ROW_POINT && row->a == own.a &&
                memcmp(row->sa, own.sa, sizeof own.sa) == 0)
                x[row->axis] = target[i].target[0];
        }
        draw(context, x);
        if (ok && !next)
            draw(context, NULL);
    }
    draw(context, NULL);
}

gdyn_status gdyn_skeleton_missed(const gdyn_model *model, const gdyn_path_def *def, int tool,
                                 const gdyn_track *track, gdyn_pen *draw, void *context) {
    if (track->first_failure < 0)
        return GDYN_OK;
    gdyn_path *path = NULL;
    gdyn_status status = gdyn_path_create(model, def, NULL, &path);
    gdyn_target *target =
        status == GDYN_OK ? gdyn_alloc((size_t)gdyn_path_targets(path) + 1, sizeof *target) : NULL;
    if (status == GDYN_OK && !target)
        status = GDYN_ERROR_MEMORY;
    if (status == GDYN_OK)
        draw_missed(model, path, &def->tool[tool].of, track, target, draw, context);
    gdyn_free(target);
    gdyn_path_destroy(path);
    /* a path that cannot be made is not drawn */
    return status == GDYN_ERROR_MEMORY ? status : GDYN_OK;
}
