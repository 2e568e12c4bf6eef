/* animation.c - a simulated machine as a drawing: some of its poses in one picture, all of them
 * as an animated GIF.
 *
 * A body is the polygon through the points at which joints hold it, with its gravity centre
 * where there are fewer than two. Bodies stand in the record as gravity centre and angles. */
#include "report/drawing.h"
#include "report/picture.h"
#include "report/report.h"

#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>

enum { FRAMES_MOST = 200, POINTS_MOST = 16 };

typedef struct drawing {
    const gdyn_record *record;
    bool planar;
    double low[3], high[3]; /* of all that is drawn */
    gdyn_figure *figure;
} drawing;

/* Points of the body that joints hold, in its own frame. */
static int points_of(const gdyn_model *model, int body, double at[POINTS_MOST][3]) {
    int count = 0;
    for (int i = 0; i < gdyn_model_joints(model); i++) {
        const gdyn_joint_def *joint = gdyn_model_joint(model, i);
        const gdyn_anchor *end[2] = {&joint->a, &joint->b};
        for (int k = 0; k < 2 && gdyn_joint_type_has_points(joint->type); k++)
            if (end[k]->body == body && count < POINTS_MOST - 2)
                v3_copy(at[count++], end[k]->at);
    }
    /* A body without two points is shown by its gravity centre. */
    if (count < 2)
        v3_copy(at[count++], gdyn_model_body(model, body)->com);
    /* A polygon returns to its first point. */
    if (count > 2) {
        v3_copy(at[count], at[0]);
        count++;
    }
    return count;
}

static void add_body(drawing *d, int frame, int body) {
    /* A frame: time, then centre and angles of each body. */
    const gdyn_record *r = d->record;
    const double *row = r->value + (size_t)frame * (size_t)r->columns + 1;
    const double *place = row + (d->planar ? 3 : 6) * body, *com;
    double at[POINTS_MOST][3], R[9], cardan[3] = {0, 0, place[2]};
    int count = points_of(r->model, body, at);
    com = gdyn_model_body(r->model, body)->com;
    if (!d->planar)
        v3_copy(cardan, place + 3);
    gdyn_rotation_from_cardan(R, cardan);
    /* From the body's frame to the ground's. */
    for (int i = 0; i < count; i++) {
        double own[3], x[3];
        v3_sub(own, at[i], com);
        m3_apply(x, R, own);
        for (int j = 0; j < (d->planar ? 2 : 3); j++)
            x[j] += place[j];
        /* Every point widens the window. */
        for (int j = 0; j < 3; j++) {
            d->low[j] = fmin(d->low[j], x[j]);
            d->high[j] = fmax(d->high[j], x[j]);
        }
        gdyn_figure_row(d->figure, 3, x);
    }
    gdyn_figure_gap(d->figure);
}

void gdyn_animation_figure(gdyn_figure *f, const gdyn_simulated *run) {
    const gdyn_record *r = run->record;
    drawing d = {.record = r,
                 .figure = f,
                 .planar = gdyn_model_space(r->model) == GDYN_PLANAR,
                 .low = {INFINITY, INFINITY, INFINITY},
                 .high = {-INFINITY, -INFINITY, -INFINITY}};
    /* At most FRAMES_MOST frames, evenly over the run. */
    int every = (r->frames + FRAMES_MOST - 1) / FRAMES_MOST, frames = 0;
    if (r->frames < 2 || gdyn_model_bodies(r->model) == 0)
        return;
    gdyn_picture_begin(f, "", "simulate_animation", 700, "Poses of '%s'",
                       gdyn_picture_name(run->name).text);
    /* A block for each frame, with gaps between the bodies. */
    for (int i = 0; i < r->frames; i += every, frames++) {
        for (int body = 0; body < gdyn_model_bodies(r->model); body++)
            add_body(&d, i, body);
        gdyn_figure_block_end(f);
    }
    /* the same length on all axes, with a margin */
    static const char *const title[] = {"x [m]", "y [m]", "z [m]"};
    double half = 0;
    for (int j = 0; j < 3; j++)
        half = fmax(half, 0.55 * (d.high[j] - d.low[j]));
    gdyn_figure_panel *panel = gdyn_figure_add(d.figure);
    gdyn_figure_axis *const axis[] = {&panel->x, &panel->y, &panel->z};
    for (int j = 0; j < 3; j++) {
        double middle = 0.5 * (d.low[j] + d.high[j]);
        *axis[j] =
            (gdyn_figure_axis){.title = title[j], .low = middle - half, .high = middle + half};
    }
    panel->equal = true;
    panel->ratio = d.planar ? 1 : 0.8;
    panel->space = !d.planar;
    panel->tilt = 65, panel->turn = 35;
    f->frames = frames, f->pace = every * r->value[r->columns];
}

/* --- paths of points that a simulation records, from three sides in space --------------------- */

/* The paths of all points in the plane of two axes, at the same scale on both. */
static void draw_view(gdyn_figure *f, const gdyn_record *r, const int axis[2], bool keyed) {
    static const char *const title[] = {"x [m]", "y [m]", "z [m]"};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    for (int p = 0; p < r->points; p++) {
        int column[2];
        for (int j = 0; j < 2; j++) {
            char name[160];
            snprintf(name, sizeof name, "%.140s.%c", r->point[p].name, "xyz"[axis[j]]);
            column[j] = gdyn_record_find(r, name);
        }
        for (int i = 0; i < r->frames; i++) {
            const double *row = r->value + (size_t)i * (size_t)r->columns;
            gdyn_figure_put(f, row[column[0]], row[column[1]]);
            for (int j = 0; j < 2; j++) {
                low[j] = fmin(low[j], row[column[j]]);
                high[j] = fmax(high[j], row[column[j]]);
            }
        }
        gdyn_draw(f, panel, GDYN_LINE, .width = 2.2, .dash = gdyn_page_dash(p),
                  .colour = gdyn_page_colour(p), .title = keyed ? r->point[p].name : NULL);
    }
    /* at least a third of the longer side */
    double most = fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-9), half[2];
    gdyn_figure_axis *const own[] = {&panel->x, &panel->y};
    for (int j = 0; j < 2; j++) {
        double middle = 0.5 * (low[j] + high[j]);
        half[j] = 0.5 * fmax(high[j] - low[j], 0.3 * most) + 0.04 * most;
        *own[j] = (gdyn_figure_axis){
            .title = title[axis[j]], .low = middle - half[j], .high = middle + half[j]};
    }
    panel->ratio = half[1] / half[0], panel->equal = true;
}

void gdyn_paths_figure(gdyn_figure *f, const gdyn_simulated *run) {
    static const int views[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    const gdyn_record *r = run->record;
    int count = gdyn_model_space(r->model) == GDYN_PLANAR ? 1 : 3;
    if (r->points == 0 || r->frames < 2)
        return;
    gdyn_picture_begin(f, "", "simulate_paths", count == 1 ? 700 : 1000, "Paths of points of '%s'",
                       gdyn_picture_name(run->name).text);
    if (count > 1)
        gdyn_figure_side_by_side(f, count, 150, false);
    for (int v = 0; v < count; v++)
        draw_view(f, r, views[v], v == 0);
}
