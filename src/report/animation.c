/* animation.c - a simulated machine as a drawing: some of its poses in one picture, all of them as an animated GIF.
 *
 * A body is the polygon through the points at which joints hold it, with its gravity centre where there are fewer than two.
 * Bodies stand in the record as gravity centre and angles. */
#include "report/drawing.h"
#include "report/simulation.h"

#include "linalg/vec3.h"

#include <math.h>
#include <stdio.h>

enum { SIZE = 900, FRAMES_MOST = 200, POSES = 9, POINTS_MOST = 16 };

typedef struct drawing {
    const gdyn_record *record;
    bool planar;
    double low[3], high[3]; /* of all that is drawn */
    gdyn_script script;
} drawing;

/* Every point widens the window. */
static void add_point(drawing *d, const double x[3]) {
    for (int j = 0; j < 3; j++) {
        d->low[j] = fmin(d->low[j], x[j]);
        d->high[j] = fmax(d->high[j], x[j]);
    }
    gdyn_text_printf(&d->script.data, "%.6g %.6g %.6g\n", x[0], x[1], x[2]);
}

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
        add_point(d, x);
    }
    gdyn_text_append(&d->script.data, "\n", 1);
}

/* The same length on all axes, with a margin. */
static void set_window(drawing *d) {
    static const char axis[] = "xyz";
    double half = 0;
    bool narrow = gdyn_script_narrow(&d->script);
    for (int j = 0; j < 3; j++)
        half = fmax(half, 0.55 * (d->high[j] - d->low[j]));
    for (int j = 0; j < (d->planar ? 2 : 3); j++) {
        double middle = 0.5 * (d->low[j] + d->high[j]);
        char title[] = {axis[j], ' ', '[', 'm', ']', '\0'};
        if (d->planar) {
            gdyn_page_range(&d->script, axis[j], middle - half, middle + half);
            gdyn_page_label(&d->script, axis[j], title, "");
        } else {
            gdyn_script_line(&d->script, "set %crange [%.6g:%.6g]", axis[j], middle - half,
                             middle + half);
            gdyn_drawing_title(&d->script, axis[j], title);
        }
        if (narrow && !d->planar)
            gdyn_script_line(&d->script, "set %ctics %.9g", axis[j], gdyn_round_step(2 * half, 2));
    }
    if (narrow)
        gdyn_page_cell(&d->script, 0, 1, false, 0.8 * d->script.wide);
    if (narrow && d->planar)
        gdyn_page_ratio(&d->script, 1);
    gdyn_script_line(&d->script, "set size square\nunset key\nset grid lc rgb '#dddddd'\n%s",
                     d->planar ? ""
                               : "set view 65,35\nif (exists('tilt')) {\nset view tilt,turn\n}\n"
                                 "set view equal xyz\nset xyplane 0");
}

/* Some poses as a picture; all of them when the script is run for a GIF. */
static void write_plots(drawing *d, int frames, double step) {
    const char *plot = d->planar ? "plot" : "splot", *columns = d->planar ? "1:2" : "1:2:3";
    gdyn_script_line(&d->script, "if (format ne 'gif') {");
    if (!d->planar)
        gdyn_plot_space(&d->script);
    gdyn_plot_more(&d->script,
                   "for [k=0:%d:%d] data index k using %s with "
                   "linespoints pt 7 ps 0.4 lw 1.5 "
                   "lc rgb (k == 0 ? '#000000' : '#88aacc') notitle",
                   frames - 1, (frames + POSES - 1) / POSES, columns);
    gdyn_plot_end(&d->script);
    gdyn_script_line(&d->script, "}");
    gdyn_script_line(&d->script,
                     "if (format eq 'gif' && strstrt(GPVAL_TERMINALS, ' gif ') > 0) {\n"
                     "set terminal gif animate delay %d size wide,high fontscale text\n"
                     "set output into.'%s.gif'.partial\ndo for [k=0:%d] {\nset title "
                     "sprintf('t = %%.3f s', k*%.9g)\n%s data index k using %s with linespoints "
                     "pt 7 ps 0.6 lw 2 lc rgb '#0072b2' notitle\n}\n}",
                     (int)fmin(fmax(100 * step, 3), 20), d->script.stem, frames - 1, step, plot,
                     columns);
}

gdyn_status gdyn_picture_animation(const char *folder, const gdyn_simulated *run,
                                   gdyn_pictures *pictures, const gdyn_sink *sink) {
    const gdyn_record *r = run->record;
    drawing d = {.record = r,
                 .planar = gdyn_model_space(r->model) == GDYN_PLANAR,
                 .low = {INFINITY, INFINITY, INFINITY},
                 .high = {-INFINITY, -INFINITY, -INFINITY}};
    /* At most FRAMES_MOST frames, evenly over the run. */
    int every = (r->frames + FRAMES_MOST - 1) / FRAMES_MOST, frames = 0;
    if (r->frames < 2 || gdyn_model_bodies(r->model) == 0)
        return GDYN_OK;
    gdyn_script_begin_moving(&d.script, "", "simulate_animation", SIZE, SIZE);
    /* A block for each frame, the bodies divided by blank lines. */
    for (int i = 0; i < r->frames; i += every, frames++) {
        for (int body = 0; body < gdyn_model_bodies(r->model); body++)
            add_body(&d, i, body);
        gdyn_text_append(&d.script.data, "\n", 1);
    }
    char name[200], title[240];
    snprintf(title, sizeof title, "Poses of '%s'",
             gdyn_script_heading(run->name, name, sizeof name));
    do {
        if (gdyn_script_narrow(&d.script))
            gdyn_page_heading(&d.script, 0, 1, "%s", title);
        else
            gdyn_page_title(&d.script, title, "");
        set_window(&d);
        write_plots(&d, frames, every * r->value[r->columns]);
    } while (gdyn_script_again(&d.script));
    gdyn_status status = gdyn_script_finish(&d.script, folder, sink);
    if (status == GDYN_OK && !gdyn_pictures_add(pictures, "", "simulate_animation"))
        status = GDYN_ERROR_MEMORY;
    return status;
}
