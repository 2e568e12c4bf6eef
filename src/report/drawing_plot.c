/* drawing_plot.c - the plot of a machine that was drawn: its frame, axes, view and layers. */
#include "report/drawing.h"

#include "base/pi.h"

#include <math.h>
#include <stdio.h>

enum { VIEW_TILT = 68, VIEW_TURN = 28 };

/* Styles in the plane and in space, and the line of the key. */
static const struct {
    bool line;
    const char *planar, *spatial, *title;
} styles[GDYN_LAYERS] = {
    [GDYN_LAYER_GHOST] = {true, "lines lw 1 lc rgb '#B9C9D6'", "lw 1 lc rgb '#B9C9D6'",
                          "further poses"},
    [GDYN_LAYER_GUIDE] = {true, "lines lw 6 lc rgb '#DDDDDD'", "lw 5 lc rgb '#DDDDDD'", "guide"},
    [GDYN_LAYER_TRACE] = {true, "lines lw 2.5 lc rgb '#D55E00'", "lw 2.5 lc rgb '#D55E00'",
                          "path of the tool"},
    [GDYN_LAYER_MISSED] = {true, "lines lw 2 dt (3,3) lc rgb '#000000'",
                           "lw 2 dt (3,3) lc rgb '#000000'", "not reached"},
    [GDYN_LAYER_FACE] = {true,
                         "filledcurves closed fc rgb '#B856B4E9' fs border lc rgb '#0072B2' lw 2",
                         "lw 2.5 lc rgb '#0072B2'", "body"},
    [GDYN_LAYER_LINK] = {true, "lines lw 4 lc rgb '#33627F'", "lw 4 lc rgb '#33627F'", "bar"},
    [GDYN_LAYER_CABLE] = {true, "lines lw 1.6 lc rgb '#009E73'", "lw 1.6 lc rgb '#009E73'",
                          "drive between points"},
    [GDYN_LAYER_SHAPE] = {true, "lines lw 1.2 lc rgb '#CC79A7'", "lw 1.2 lc rgb '#CC79A7'",
                          "shape"},
    [GDYN_LAYER_JOINT] = {false, "points pt 7 ps 1.0 lc rgb '#555555'",
                          "points pt 7 ps 0.9 lc rgb '#555555'", "joint"},
    [GDYN_LAYER_DRIVEN] = {false, "points pt 7 ps 1.7 lc rgb '#E69F00'",
                           "points pt 7 ps 1.5 lc rgb '#E69F00'", "driven joint"},
    [GDYN_LAYER_BASE] = {false, "points pt 9 ps 1.8 lc rgb '#222222'",
                         "points pt 9 ps 1.5 lc rgb '#222222'", "on the ground"},
    [GDYN_LAYER_TOOL] = {false, "points pt 1 ps 2 lw 2 lc rgb '#D55E00'",
                         "points pt 1 ps 2 lw 2 lc rgb '#D55E00'", "tool"},
    [GDYN_LAYER_STOP] = {false, "points pt 2 ps 2.2 lw 3 lc rgb '#000000'",
                         "points pt 2 ps 2.2 lw 3 lc rgb '#000000'", "last point reached"},
    [GDYN_LAYER_OPEN] = {true, "lines lw 3 dt (2,2) lc rgb '#000000'",
                         "lw 3 dt (2,2) lc rgb '#000000'", "open joint"},
    [GDYN_LAYER_OPEN_ENDS] = {false, "points pt 6 ps 2.2 lw 2.5 lc rgb '#000000'",
                              "points pt 6 ps 2.2 lw 2.5 lc rgb '#000000'", ""},
};

bool gdyn_layer_is_line(gdyn_layer layer) {
    return styles[layer].line;
}

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
        double missing = d->planar ? 0 : 0.3 * most - (d->high[i] - d->low[i]);
        double margin = spare + fmax(0, 0.5 * missing);
        d->low[i] -= margin;
        d->high[i] += margin;
    }
}

double gdyn_drawing_ratio(const gdyn_drawing *d) {
    static const double LEAST = 0.25, MOST = 1.3;
    return fmin(fmax((d->high[1] - d->low[1]) / (d->high[0] - d->low[0]), LEAST), MOST);
}

int gdyn_drawing_height(const gdyn_drawing *d) {
    double share = (d->high[1] - d->low[1]) / (d->high[0] - d->low[0]);
    return d->planar ? (int)fmin(fmax(850 * share + 160, 420), 1000) : 900;
}

/* Magnification with which the box of all that is drawn fills the picture: that of its silhouette
 * against the silhouette of a cube, which gnuplot leaves room for. */
static double zoom(const gdyn_drawing *d) {
    /* They leave room for the labels below, in the upright direction for the heading, too. */
    static const double FILL = 1.12, FILL_UPRIGHT = 0.92;
    double degree = GDYN_PI / 180, size[3], most = 1e-9;
    for (int i = 0; i < 3; i++) {
        size[i] = d->high[i] - d->low[i];
        /* what gnuplot makes equal scales of: the height does not count */
        most = i < 2 ? fmax(most, size[i]) : most;
    }
    /* The silhouette of the box, seen from the eye. */
    double c = cos(VIEW_TURN * degree), s = sin(VIEW_TURN * degree);
    double flat = cos(VIEW_TILT * degree), upright = sin(VIEW_TILT * degree);
    double width = (c * size[0] + s * size[1]) / most;
    double height = ((s * size[0] + c * size[1]) * flat + size[2] * upright) / most;
    return fmin(FILL * (c + s) / width, FILL_UPRIGHT * ((s + c) * flat + upright) / height);
}

/* --- script ----------------------------------------------------------------------------------- */

void gdyn_drawing_title(gdyn_script *script, char axis, const char *title) {
    if (axis == 'z' && gdyn_script_narrow(script)) /* a line above the view */
        gdyn_page_label(script, 'y', title, "");
    else
        gdyn_script_line(script, "set %clabel '%s'", axis, title);
}

/* Ranges and equal steps on all axes. */
static void set_ranges(const gdyn_drawing *d, gdyn_script *script, int tics) {
    static const char axis[3] = {'x', 'y', 'z'};
    double most = 0;
    for (int i = 0; i < 3; i++)
        most = fmax(most, d->high[i] - d->low[i]);
    for (int i = 0; i < (d->planar ? 2 : 3); i++) {
        char title[] = {axis[i], ' ', '[', 'm', ']', '\0'};
        if (d->planar) {
            gdyn_page_range(script, axis[i], d->low[i], d->high[i]);
            gdyn_page_label(script, axis[i], title, "");
        } else {
            gdyn_script_line(script, "set %crange [%.7g:%.7g]", axis[i], d->low[i], d->high[i]);
            gdyn_drawing_title(script, axis[i], title);
        }
        gdyn_script_line(script, "set %ctics %.7g", axis[i], gdyn_round_step(most, tics));
    }
}

void gdyn_drawing_axes(const gdyn_drawing *d, gdyn_script *script, int tics, double fill) {
    set_ranges(d, script, tics);
    /* equal scales; in space the view fills the page */
    if (d->planar) {
        gdyn_script_line(script, "set size ratio -1");
    } else {
        /* above a narrow ground gnuplot puts the title of y onto its numbers */
        double ground = fmax(d->high[0] - d->low[0], d->high[1] - d->low[1]);
        double most = fmax(ground, d->high[2] - d->low[2]);
        double away = 4 * fmax(0, 0.75 - ground / most);
        gdyn_script_line(script, "set ylabel offset %.2f,%.2f", away, -0.4 * away);
        gdyn_script_line(
            script,
            "set xlabel offset 0,-0.9\nset zlabel offset -2,0\nset view equal xyz\n"
            "set view %d,%d,%.3f\nif (exists('tilt')) {\nset view tilt,turn\n}\nset xyplane 0",
            VIEW_TILT, VIEW_TURN, fill * zoom(d));
        /* an SVG has titles far from their axes; those beyond the page are left out */
        if (gdyn_script_narrow(script))
            gdyn_script_line(script, "if (format eq 'svg' && !exists('tilt')) {\n"
                                     "set xlabel offset screen 0.05,0.05*page/tall\n"
                                     "set ylabel offset screen -0.08-45./page,0\n}");
    }
}

void gdyn_drawing_heading(gdyn_script *script, const char *text) {
    if (gdyn_script_narrow(script))
        gdyn_page_heading(script, 0, 1, "%s", text);
    else
        gdyn_page_title(script, text, "font ',16'");
}

void gdyn_drawing_page(const gdyn_drawing *d, gdyn_script *script, double key) {
    char place[80] = "";
    bool narrow = gdyn_script_narrow(script);
    gdyn_page_axes(script);
    gdyn_page_any_key(script,
                      "set key outside right top Left reverse spacing 1.3 samplen 2 font ',11'");
    if (!d->planar)
        snprintf(place, sizeof place, "set key at screen 0.98,%.2f", key);
    if (*place)
        gdyn_page_any_key(script, place);
    if (narrow)
        gdyn_page_cell(script, 0, 1, false, 0.8 * script->wide);
    if (narrow && d->planar)
        gdyn_page_ratio(script, gdyn_drawing_ratio(d));
    gdyn_drawing_axes(d, script, d->planar ? 6 : narrow ? 2 : 5, narrow ? 1.15 : 1);
}

/* A layer of the plot; its data become a block. */
static void plot_layer(const gdyn_drawing *d, gdyn_script *script, gdyn_layer layer, bool titles) {
    const char *columns = d->planar            ? "1:2 with"
                          : styles[layer].line ? "1:2:3:4:5:6 with vectors nohead"
                                               : "1:2:3 with";
    gdyn_text_append(&script->data, d->layer[layer].data, d->layer[layer].length);
    script->data.failed |= d->layer[layer].failed;
    gdyn_plot(script, gdyn_script_end_block(script),
              titles ? "%s %s title \"%s\"" : "%s %s notitle", columns,
              d->planar ? styles[layer].planar : styles[layer].spatial, styles[layer].title);
}

void gdyn_drawing_plot(const gdyn_drawing *d, gdyn_script *script, bool titles) {
    /* Empty layers are left out; the others cover each other in order. */
    bool any = false;
    for (gdyn_layer i = 0; i < GDYN_LAYERS; i++)
        any |= d->layer[i].length > 0;
    if (!any)
        gdyn_page_note(script, 0.4, 0.5, "center", "nothing to draw");
    if (any && !d->planar)
        gdyn_plot_space(script);
    for (gdyn_layer i = 0; i < GDYN_LAYERS; i++)
        if (d->layer[i].length > 0)
            plot_layer(d, script, i, titles);
    if (!any)
        gdyn_plot_more(script, "[0:1][0:1] 2 notitle");
    gdyn_plot_end(script);
}
