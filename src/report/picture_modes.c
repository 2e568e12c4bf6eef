/* picture_modes.c - the modes of a machine side by side, in one scale. */
#include "report/drawing.h"
#include "report/modes_report.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Panels of a page; pixels of a panel, of the heading, and of a letter in it. */
enum { MODES_MOST = 24, PANEL_WIDTH = 330, HEADING = 60, LETTER_WIDTH = 10 };

typedef struct picture {
    const gdyn_modes *modes;
    int shown, columns;
    gdyn_drawing drawing[MODES_MOST];
    gdyn_script script;
} picture;

/* The path whose start holds the tool; NULL: drives are held. */
static const gdyn_path_def *path_of(const gdyn_modes *modes) {
    bool tool = modes->held == GDYN_HOLD_TOOL;
    return tool ? &modes->instance->trajectory[modes->trajectory] : NULL;
}

static gdyn_status draw(picture *pic) {
    const gdyn_model *model = pic->modes->instance->model;
    const gdyn_path_def *path = path_of(pic->modes);
    for (int i = 0; i < pic->shown; i++) {
        gdyn_drawing *d = &pic->drawing[i];
        gdyn_state *state = pic->modes->mode[i].state;
        if (!gdyn_drawing_begin(d, model, path ? path->tools : 0, path ? path->tool : NULL))
            return GDYN_ERROR_MEMORY;
        gdyn_drawing_guides(d, 1, &state);
        gdyn_drawing_pose(d, state);
        if (path)
            gdyn_drawing_tools(d, path, state);
    }
    return GDYN_OK;
}

/* One window for all. */
static void share_window(picture *pic) {
    gdyn_drawing *first = &pic->drawing[0];
    for (int i = 1; i < pic->shown; i++)
        for (int j = 0; j < 3; j++) {
            first->low[j] = fmin(first->low[j], pic->drawing[i].low[j]);
            first->high[j] = fmax(first->high[j], pic->drawing[i].high[j]);
        }
    gdyn_drawing_frame(first);
    for (int i = 1; i < pic->shown; i++)
        for (int j = 0; j < 3; j++) {
            pic->drawing[i].low[j] = first->low[j];
            pic->drawing[i].high[j] = first->high[j];
        }
}

/* "m3: 100 % of 'circle'" and stated ranges that the pose leaves. */
static void write_title(picture *pic, int i) {
    const gdyn_modes *modes = pic->modes;
    const gdyn_mode *mode = &modes->mode[i];
    char cut[80], title[300], name[80] = "", follows[120] = "", beyond[60] = "";
    if (modes->instance->trajectory_count > 0) {
        int t = modes->held == GDYN_HOLD_TOOL ? modes->trajectory : 0;
        gdyn_script_quote(gdyn_shorten(modes->instance->trajectory[t].name, 14, cut, sizeof cut),
                          name, sizeof name);
        snprintf(follows, sizeof follows, ": %.3g %% of '%s'", 100 * mode->reach[t], name);
    }
    if (mode->outside > 0)
        snprintf(beyond, sizeof beyond, ", %d out of range", mode->outside);
    snprintf(title, sizeof title, "m%d%s%s", i + 1, follows, beyond);
    gdyn_page_title(&pic->script, title, "font ',12' offset 0,-0.4");
}

/* Layout of the page; the heading. */
static void begin_page(picture *pic, const char *title, int rows) {
    gdyn_script *script = &pic->script;
    if (gdyn_script_narrow(script)) {
        gdyn_script_line(script, "set multiplot");
        gdyn_page_heading(script, 0, 1, "%s", title);
    } else {
        gdyn_script_line(script, "set multiplot layout %d,%d title \"%s\\n\" font ',15'", rows,
                         pic->columns, title);
    }
    gdyn_page_axes(script);
    gdyn_script_line(script, "unset key\nset tics font ',9'\nset xlabel font ',10'\nset "
                             "ylabel font ',10'\nset zlabel font ',10'\nset tmargin 2\nset "
                             "bmargin 3.2");
}

static void draw_page(picture *pic, const char *title, int rows) {
    static const double LEAST = 130, LEAST_SPACE = 190; /* widths of a panel in a column */
    const gdyn_drawing *first = &pic->drawing[0];
    gdyn_script *script = &pic->script;
    int columns = pic->columns;
    bool narrow = gdyn_script_narrow(script);
    if (narrow)
        columns = gdyn_column_cells(script, columns, first->planar ? LEAST : LEAST_SPACE, false);
    begin_page(pic, title, rows);
    for (int i = 0; i < pic->shown; i++) {
        /* titles of axes at the edges of the page, in space in the first panel alone */
        bool left = first->planar ? i % columns == 0 : i == 0;
        bool low = first->planar ? i + columns >= pic->shown : i == 0;
        write_title(pic, i);
        if (narrow) {
            gdyn_page_cell(script, i % columns, columns, false,
                           0.85 * gdyn_column_room(script, columns, false));
            gdyn_page_ratio(script, first->planar ? gdyn_drawing_ratio(first) : 0);
            gdyn_page_numbers(script, 'x', low);
            gdyn_page_numbers(script, 'y', left);
        }
        gdyn_drawing_axes(&pic->drawing[i], script, narrow ? 2 : 3, first->planar ? 1 : 1.3);
        if (first->planar && (narrow ? i > 0 : !left)) /* in a column once, above all */
            gdyn_page_label(script, 'y', narrow ? "" : " ", "");
        if (!low && first->planar)
            gdyn_page_label(script, 'x', narrow ? "" : " ", "");
        if (!left && !first->planar)
            gdyn_script_line(script, "set xlabel ' '\nset ylabel ' '\nset zlabel ' '");
        if (!left && !first->planar && narrow)
            gdyn_page_label(script, 'y', "", "");
        gdyn_drawing_plot(&pic->drawing[i], script, false);
    }
    gdyn_script_line(script, "unset multiplot");
}

static void write_page(picture *pic) {
    const gdyn_modes *modes = pic->modes;
    const gdyn_drawing *first = &pic->drawing[0];
    char name[160], more[40] = "", title[300];
    int rows = (pic->shown + pic->columns - 1) / pic->columns;
    /* panels as high as the machine */
    double share =
        first->planar ? (first->high[1] - first->low[1]) / (first->high[0] - first->low[0]) : 0.85;
    int height = (int)(PANEL_WIDTH * fmin(fmax(share, 0.35), 1.6)) + 60;
    if (modes->count > pic->shown)
        snprintf(more, sizeof more, ", the first %d", pic->shown);
    snprintf(title, sizeof title, "'%s': %d mode%s with %s held%s",
             gdyn_script_heading(modes->instance->name, name, sizeof name), modes->count,
             modes->count == 1 ? "" : "s",
             modes->held == GDYN_HOLD_TOOL ? "the tool" : "all drives", more);
    /* as wide as the panels, or as the heading */
    int panels = PANEL_WIDTH * pic->columns + 40, words = LETTER_WIDTH * (int)strlen(title) + 40;
    gdyn_script_begin(&pic->script, "", "modes", panels > words ? panels : words,
                      HEADING + rows * height);
    do {
        draw_page(pic, title, rows);
    } while (gdyn_script_again(&pic->script));
}

gdyn_status gdyn_picture_modes(const char *folder, const gdyn_modes *modes, const gdyn_sink *sink) {
    picture *pic = gdyn_alloc(1, sizeof *pic);
    if (!pic)
        return GDYN_ERROR_MEMORY;
    pic->modes = modes;
    pic->shown = modes->count < MODES_MOST ? modes->count : MODES_MOST;
    pic->columns = pic->shown < 4 ? pic->shown : 4;
    gdyn_status status = draw(pic);
    if (status == GDYN_OK) {
        share_window(pic);
        write_page(pic);
        status = gdyn_script_finish(&pic->script, folder, sink);
    }
    for (int i = 0; i < pic->shown; i++)
        gdyn_drawing_end(&pic->drawing[i]);
    gdyn_free(pic);
    return status;
}
