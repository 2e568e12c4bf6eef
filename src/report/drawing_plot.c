/* drawing_plot.c - the plot of a machine that was drawn: its frame, axes, view and layers. */
#include "report/drawing.h"

#include "base/pi.h"

#include <math.h>
#include <stdio.h>

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

bool gdyn_layer_is_line(gdyn_layer layer) {
    return styles[layer].kind != GDYN_POINTS;
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

/* --- the panel -------------------------------------------------------------------------------- */

/* A layer of the panel; its data become a block. */
static void draw_layer(const gdyn_drawing *d, gdyn_figure *f, gdyn_figure_panel *panel,
                       gdyn_layer layer, bool titles) {
    gdyn_figure_layer look = styles[layer];
    int columns = d->planar ? 2 : gdyn_layer_is_line(layer) ? 6 : 3;
    for (int i = 0; i + columns <= d->layer[layer].numbers; i += columns)
        if (isnan(d->layer[layer].number[i]))
            gdyn_figure_gap(f);
        else
            gdyn_figure_row(f, columns, d->layer[layer].number + i);
    look.block = gdyn_figure_block_end(f);
    if (!titles)
        look.title = NULL;
    if (!d->planar && look.kind == GDYN_SHAPE)
        look.colour = look.border;
    if (!d->planar && look.kind != GDYN_POINTS)
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
    panel->equal = true;
    panel->ratio = HIGH;
    if (d->planar)
        panel->ratio = fmin(fmax((d->high[1] - d->low[1]) / (d->high[0] - d->low[0]), LEAST), MOST);
    panel->space = !d->planar;
    panel->tilt = VIEW_TILT, panel->turn = VIEW_TURN;
    panel->zoom = d->planar ? 1 : 1.3 * zoom(d);
    f->failed |= d->failed;
    for (gdyn_layer i = 0; i < GDYN_LAYERS; i++)
        draw_layer(d, f, panel, i, titles);
    if (panel->layers == 0)
        panel->note = "nothing to draw";
    return panel;
}
