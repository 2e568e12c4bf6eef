/* data.c - the machine, its poses, regions and motions for the script of a page; see data.h. */
#include "page/internal.h"

#include "base/memory.h"
#include "model/kinds.h"
#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Poses in whole numbers: positions in shares of the machine's length, rotations as unit
 * quaternions; a ten-thousandth is less than a pixel. */
static const double FINE = 1e4;

/* --- texts of numbers ------------------------------------------------------------------------- */

static void number(gdyn_text *text, double value) {
    char digits[40];
    snprintf(digits, sizeof digits, "%s%.6g", text->length ? " " : "", value + 0.0);
    gdyn_text_append(text, digits, strlen(digits));
}

/* All digits: p and t may move little, far from zero. */
static void exact(gdyn_text *text, double value) {
    gdyn_text_printf(text, "%s%s", text->length ? " " : "", gdyn_digits(value).text);
}

static void numbers(gdyn_text *text, int count, const double *value) {
    for (int i = 0; i < count; i++)
        number(text, value[i]);
}

/* The text as a member (key NULL: of a list), and away with it. */
static void put(gdyn_json_writer *w, const char *key, gdyn_text *text) {
    gdyn_json_put_text(w, key, text->data ? text->data : "");
    w->failed |= text->failed;
    gdyn_text_free(text);
    *text = (gdyn_text){0};
}

static void whole(gdyn_text *text, double value) {
    if (text->length)
        gdyn_text_put(text, ' ');
    gdyn_text_number(text, nearbyint(value));
}

static void put_numbers(gdyn_json_writer *w, const char *key, int count, const double *value) {
    gdyn_text text = {0};
    numbers(&text, count, value);
    put(w, key, &text);
}

static void anchor(gdyn_text *text, const gdyn_anchor *at) {
    number(text, at->body);
    numbers(text, 3, at->at);
}

static void put_anchors(gdyn_json_writer *w, const char *key, int count, const gdyn_anchor *at) {
    gdyn_text text = {0};
    for (int i = 0; i < count; i++)
        anchor(&text, &at[i]);
    put(w, key, &text);
}

/* --- the machine ------------------------------------------------------------------------------ */

/* What the script calls layers. */
static const char *const looks[GDYN_LAYERS] = {
    [GDYN_LAYER_FACE] = "face",   [GDYN_LAYER_LINK] = "bar",      [GDYN_LAYER_CABLE] = "cable",
    [GDYN_LAYER_JOINT] = "joint", [GDYN_LAYER_DRIVEN] = "driven", [GDYN_LAYER_BASE] = "base",
    [GDYN_LAYER_GUIDE] = "guide", [GDYN_LAYER_TRACE] = "trace",   [GDYN_LAYER_MISSED] = "missed",
    [GDYN_LAYER_OPEN] = "missed"};

/* Faces, bars, cables and marks in the frames of their bodies. */
static void put_parts(gdyn_json_writer *w, const gdyn_skeleton *skeleton) {
    gdyn_json_open(w, "parts", '[');
    for (int i = 0; i < skeleton->parts; i++) {
        const gdyn_skeleton_part *part = &skeleton->part[i];
        if (gdyn_skeleton_is_shaped(skeleton->model, part))
            continue;
        gdyn_json_open(w, NULL, '{');
        gdyn_json_put_text(w, "kind", looks[part->layer]);
        gdyn_json_put_number(w, "joint", part->joint);
        gdyn_json_put_number(w, "drive", part->drive);
        put_anchors(w, "at", part->count, part->at);
        gdyn_json_close(w, '}');
    }
    gdyn_json_close(w, ']');
}

static void put_wheels(gdyn_json_writer *w, const gdyn_model *model) {
    gdyn_wheel wheel;
    gdyn_json_open(w, "wheels", '[');
    for (int i = 0; i < gdyn_model_joints(model); i++) {
        if (!gdyn_skeleton_wheel(model, i, &wheel))
            continue;
        gdyn_json_open(w, NULL, '{');
        put_anchors(w, "at", 1, &wheel.at);
        put_numbers(w, "axis", 3, wheel.axis);
        gdyn_json_put_number(w, "radius", wheel.radius);
        gdyn_json_put_number(w, "joint", i);
        gdyn_json_close(w, '}');
    }
    gdyn_json_close(w, ']');
}

/* Capsules (a sphere: both ends at one point), boxes by their corners. */
static void put_shapes(gdyn_json_writer *w, const gdyn_model *model) {
    gdyn_json_open(w, "shapes", '[');
    for (int i = 0; i < gdyn_model_shapes(model); i++) {
        const gdyn_shape_def *shape = gdyn_model_shape(model, i);
        gdyn_text text = {0};
        gdyn_json_open(w, NULL, '{');
        gdyn_json_put_number(w, "radius", shape->radius);
        if (shape->kind != GDYN_SHAPE_BOX) {
            anchor(&text, &shape->a);
            anchor(&text, shape->kind == GDYN_SHAPE_SPHERE ? &shape->a : &shape->b);
        }
        for (int k = 0; shape->kind == GDYN_SHAPE_BOX && k < 8; k++) {
            gdyn_anchor corner = gdyn_shape_corner(shape, k);
            anchor(&text, &corner);
        }
        put(w, "at", &text);
        gdyn_json_close(w, '}');
    }
    gdyn_json_close(w, ']');
}

/* Names, where they stand, axes in the frame of the second body, verdicts of the reactions (-1:
 * not known). */
static void put_joints(gdyn_json_writer *w, const gdyn_findings *f, const gdyn_model *model) {
    gdyn_space space = gdyn_model_space(model);
    gdyn_json_open(w, "joints", '[');
    for (int i = 0; i < gdyn_model_joints(model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(model, i);
        gdyn_json_open(w, NULL, '{');
        gdyn_json_put_text(w, "name", joint->name);
        gdyn_json_put_text(w, "type", gdyn_joint_type_name(joint->type));
        if (gdyn_joint_type_has_points(joint->type)) {
            gdyn_anchor ends[] = {joint->a, joint->b};
            put_anchors(w, "at", 2, ends);
        }
        if (gdyn_joint_type_has_axis(joint->type, space)) {
            double axis[3];
            gdyn_joint_axis_of_b(joint, space, axis);
            put_numbers(w, "axis", 3, axis);
        }
        gdyn_json_put_number(w, "verdict", f->reacted ? (int)f->reactions->item[i].verdict : -1);
        gdyn_json_close(w, '}');
    }
    gdyn_json_close(w, ']');
}

/* Names; where a drive acts on a body: its point and direction. */
static void put_drives(gdyn_json_writer *w, const gdyn_model *model) {
    gdyn_json_open(w, "drives", '[');
    for (int i = 0; i < gdyn_model_drives(model); i++) {
        const gdyn_drive_def *drive = gdyn_model_drive(model, i);
        gdyn_json_open(w, NULL, '{');
        gdyn_json_put_text(w, "name", drive->name);
        if (gdyn_drive_traits_of(drive->kind)->acts == GDYN_ACTS_ON_POINT) {
            put_anchors(w, "at", 1, &drive->a);
            put_numbers(w, "force", 3, drive->force);
            gdyn_json_put_number(w, "inBody", drive->in_body);
        }
        gdyn_json_close(w, '}');
    }
    gdyn_json_close(w, ']');
}

/* --- poses ------------------------------------------------------------------------------------ */

/* Unit quaternion x, y, z, w of a rotation (Shepperd's method: the largest component first). */
static void quaternion(const double R[9], double q[4]) {
    double trace = R[0] + R[4] + R[8];
    int most = 3;
    for (int i = 0; i < 3; i++)
        if (R[4 * i] > (most == 3 ? trace : R[4 * most]))
            most = i;
    if (most == 3) {
        q[0] = R[5] - R[7], q[1] = R[6] - R[2], q[2] = R[1] - R[3], q[3] = 1 + trace;
    } else {
        int j = (most + 1) % 3, k = (most + 2) % 3;
        q[most] = 1 + 2 * R[4 * most] - trace, q[j] = R[3 * most + j] + R[3 * j + most];
        q[k] = R[3 * most + k] + R[3 * k + most], q[3] = R[3 * j + k] - R[3 * k + j];
    }
    double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] /= size;
}

/* Of every body the origin of its own frame and its rotation; planar: x, y and the angle. */
static void pose(gdyn_text *text, const gdyn_state *state) {
    const gdyn_model *model = gdyn_state_model(state);
    bool planar = gdyn_model_space(model) == GDYN_PLANAR;
    double scale = FINE / gdyn_model_length(model);
    for (int i = 0; i < gdyn_model_bodies(model); i++) {
        gdyn_anchor origin = {i, {0, 0, 0}};
        double r[3], x[3], R[9], q[4];
        gdyn_state_body(state, i, r, R);
        gdyn_state_point(state, &origin, x);
        quaternion(R, q);
        for (int k = 0; k < (planar ? 2 : 3); k++)
            whole(text, x[k] * scale + 0.0);
        for (int k = 0; k < 4 && !planar; k++)
            whole(text, q[k] * FINE + 0.0);
        if (planar)
            whole(text, atan2(R[1], R[0]) * FINE + 0.0);
    }
}

/* Whether the i-th of `count` things is shown where at most so many are: evenly, the last one
 * always. */
static bool shown(int i, int count, int most) {
    return count <= most || i == count - 1 || i % ((count + most - 3) / (most - 1)) == 0;
}

/* Lines fixed to the ground, of many points some. */
static void put_lines(gdyn_json_writer *w, const gdyn_drawing *ground) {
    static const gdyn_layer layers[] = {GDYN_LAYER_GUIDE, GDYN_LAYER_TRACE, GDYN_LAYER_MISSED,
                                        GDYN_LAYER_OPEN};
    enum { POINTS_MOST = 240 };
    gdyn_json_open(w, "lines", '[');
    for (int k = 0; k < 4; k++) {
        int points = ground->layer[layers[k]].points;
        double(*at)[3] = ground->layer[layers[k]].at;
        for (int i = 0, end; i < points; i = end + 1) {
            gdyn_text text = {0};
            for (end = i; end < points && !isnan(at[end][0]);)
                end++;
            for (int j = i; j < end; j++)
                if (shown(j - i, end - i, POINTS_MOST))
                    numbers(&text, 3, at[j]);
            if (end == i)
                continue;
            gdyn_json_open(w, NULL, '{');
            gdyn_json_put_text(w, "look", looks[layers[k]]);
            put(w, "at", &text);
            gdyn_json_close(w, '}');
        }
    }
    gdyn_json_close(w, ']');
}

/* --- motion and regions ----------------------------------------------------------------------- */

/* p, d1 and d2 over time. */
static void put_motion(gdyn_json_writer *w, const gdyn_traverse *plan, int most) {
    static const char *const key[] = {"t", "p", "d1", "d2"};
    gdyn_json_open(w, "motion", '{');
    for (int k = 0; k < 4; k++) {
        gdyn_text text = {0};
        for (int i = 0; i < plan->points; i++) {
            const gdyn_motion_point *at = &plan->point[i];
            const double value[] = {at->t, at->p, at->d1, at->d2};
            if (shown(i, plan->points, most))
                (k < 2 ? exact : number)(&text, value[k]);
        }
        put(w, key[k], &text);
    }
    gdyn_json_close(w, '}');
}

/* from, to, a, b, c and the slot of its set, for each arc. */
static void arcs(gdyn_text *text, const gdyn_legend *legend, const gdyn_arc *arc, int count) {
    for (int i = 0; i < count; i++) {
        const double value[] = {
            arc[i].from, arc[i].to, arc[i].a,
            arc[i].b,    arc[i].c,  gdyn_legend_find(legend, arc[i].active, arc[i].active_count)};
        numbers(text, 6, value);
    }
}

/* Slot of the set that closes an island at an end; -2: the envelopes meet there, or d1 is zero. */
static int slot_of(const gdyn_legend *legend, const gdyn_limit *limit, int count) {
    return count > 0 ? gdyn_legend_find(legend, limit, count) : -2;
}

/* The number of islands; of each: from, to, the sets that close it there, the numbers of its
 * upper and lower arcs, and these. */
static void put_region(gdyn_json_writer *w, const gdyn_region *region, const gdyn_legend *legend) {
    gdyn_text text = {0};
    number(&text, region->island_count);
    for (int i = 0; i < region->island_count; i++) {
        const gdyn_island *island = &region->island[i];
        const double head[] = {island->from,
                               island->to,
                               slot_of(legend, island->left, island->left_count),
                               slot_of(legend, island->right, island->right_count),
                               island->upper_count,
                               island->lower_count};
        numbers(&text, 6, head);
        arcs(&text, legend, region->upper + island->upper_first, island->upper_count);
        arcs(&text, legend, region->lower + island->lower_first, island->lower_count);
    }
    put(w, NULL, &text);
}

/* Regions at points of the path, with the window that shows all of them, and each one's own. */
static void put_regions(gdyn_json_writer *w, const gdyn_trajectory *t, const gdyn_legend *legend,
                        int most) {
    int count = 0, chosen[GDYN_PAGE_REGIONS_MOST];
    gdyn_text p = {0}, windows = {0};
    for (int i = 0; i < t->along.points; i++)
        if (shown(i, t->along.points, most))
            chosen[count++] = i;
    gdyn_window all = gdyn_window_of(&t->along, count, chosen);
    const double whole[] = {all.d1_high, all.d2_low, all.d2_high};
    gdyn_json_open(w, "regions", '{');
    put_numbers(w, "window", 3, whole);
    gdyn_json_put_text(w, "d1", gdyn_axis_title("d1", GDYN_CRITERION_D1_MAX, t->unit).text);
    gdyn_json_put_text(w, "d2", gdyn_axis_title("d2", GDYN_CRITERION_D2_MAX, t->unit).text);
    gdyn_json_open(w, "region", '[');
    for (int k = 0; k < count; k++) {
        gdyn_window own = gdyn_window_of(&t->along, 1, &chosen[k]);
        const double three[] = {own.d1_high, own.d2_low, own.d2_high};
        exact(&p, t->along.p[chosen[k]]);
        numbers(&windows, 3, three);
        put_region(w, t->along.region[chosen[k]], legend);
    }
    gdyn_json_close(w, ']');
    put(w, "p", &p);
    put(w, "windows", &windows);
    gdyn_json_close(w, '}');
}

static void put_trajectory(gdyn_json_writer *w, const gdyn_page_trajectory *one,
                           const gdyn_page_detail *detail) {
    const gdyn_finding *f = one->finding;
    gdyn_json_open(w, NULL, '{');
    gdyn_json_put_text(w, "name", f->t->name);
    gdyn_json_put_text(w, "unit", f->t->unit);
    gdyn_json_put_number(w, "nearest", f->nearest >= 0);
    /* a gap among poses that are left out is one between those that are shown */
    gdyn_text p = {0}, poses = {0}, gaps = {0};
    bool gap = false;
    int kept = 0;
    for (int i = 0; i < f->frames.count; i++) {
        if (shown(i, f->frames.count, detail->frames)) {
            if (gap)
                number(&gaps, kept - 1);
            exact(&p, f->frames.p[i]);
            pose(&poses, f->frames.state[i]);
            gap = false;
            kept++;
        }
        gap = gap || f->frames.gap[i];
    }
    put(w, "p", &p);
    put(w, "pose", &poses);
    put(w, "gap", &gaps);
    put_lines(w, &one->ground);
    if (f->driven && f->t->traverse->status == GDYN_TRAVERSE_OK)
        put_motion(w, f->t->traverse, detail->motion);
    if (one->legend.set && f->t->along.points > 0)
        put_regions(w, f->t, &one->legend, detail->regions);
    gdyn_json_close(w, '}');
}

/* --- the document ----------------------------------------------------------------------------- */

gdyn_status gdyn_page_data(const gdyn_findings *f, const gdyn_drawing *first, int count,
                           const gdyn_page_trajectory *trajectory, const gdyn_page_detail *detail,
                           gdyn_text *out) {
    const gdyn_model *model = first->model;
    gdyn_json_writer w = {.out = out, .layout = GDYN_JSON_COMPACT};
    gdyn_text guess = {0};
    gdyn_json_open(&w, NULL, '{');
    gdyn_json_put_number(&w, "planar", gdyn_model_space(model) == GDYN_PLANAR);
    gdyn_json_put_number(&w, "length", gdyn_model_length(model));
    gdyn_json_open(&w, "bodies", '[');
    for (int i = 0; i < gdyn_model_bodies(model); i++)
        gdyn_json_put_text(&w, NULL, gdyn_model_body(model, i)->name);
    gdyn_json_close(&w, ']');
    put_parts(&w, &first->skeleton);
    put_wheels(&w, model);
    put_shapes(&w, model);
    put_joints(&w, f, model);
    put_drives(&w, model);
    gdyn_json_open(&w, "colours", '[');
    for (int i = 0; i < GDYN_LEGEND_SHOWN; i++) {
        char colour[16];
        snprintf(colour, sizeof colour, "#%06X", gdyn_legend_colour(i));
        gdyn_json_put_text(&w, NULL, colour);
    }
    gdyn_json_close(&w, ']');
    pose(&guess, f->examination.guess.state);
    gdyn_json_open(&w, "guess", '{');
    put(&w, "pose", &guess);
    put_lines(&w, first);
    gdyn_json_close(&w, '}');
    gdyn_json_open(&w, "trajectories", '[');
    for (int i = 0; i < count; i++)
        put_trajectory(&w, &trajectory[i], detail);
    gdyn_json_close(&w, ']'), gdyn_json_close(&w, '}');
    return gdyn_json_end(&w);
}
