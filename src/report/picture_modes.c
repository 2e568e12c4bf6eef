/* picture_modes.c - the modes of a machine side by side, in one scale. */
#include "report/drawing.h"
#include "report/modes_report.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

enum { MODES_MOST = 24 }; /* panels of a page */

typedef struct picture {
    const gdyn_modes *modes;
    int shown;
    gdyn_drawing drawing[MODES_MOST];
    gdyn_figure figure;
} picture;

/* The path whose start holds the tool; NULL: drives are held. */
static const gdyn_path_def *path_of(const gdyn_modes *modes) {
    bool tool = modes->held == GDYN_HOLD_TOOL;
    return tool ? &modes->instance->trajectory[modes->trajectory] : NULL;
}

static void draw(picture *pic) {
    const gdyn_model *model = pic->modes->instance->model;
    const gdyn_path_def *path = path_of(pic->modes);
    for (int i = 0; i < pic->shown; i++) {
        gdyn_drawing *d = &pic->drawing[i];
        gdyn_state *state = pic->modes->mode[i].state;
        gdyn_drawing_begin(d, model, path ? path->tools : 0, path ? path->tool : NULL);
        gdyn_drawing_guides(d, 1, &state);
        gdyn_drawing_pose(d, state);
        if (path)
            gdyn_drawing_tools(d, path, state);
    }
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
static const char *title_of(picture *pic, int i) {
    const gdyn_modes *modes = pic->modes;
    const gdyn_mode *mode = &modes->mode[i];
    char follows[120] = "", beyond[60] = "";
    if (modes->instance->trajectory_count > 0) {
        int t = modes->held == GDYN_HOLD_TOOL ? modes->trajectory : 0;
        snprintf(follows, sizeof follows, ": %.3g %% of '%.60s'", 100 * mode->reach[t],
                 gdyn_shorten(modes->instance->trajectory[t].name, 14).text);
    }
    if (mode->outside > 0)
        snprintf(beyond, sizeof beyond, ", %d out of range", mode->outside);
    return gdyn_figure_words(&pic->figure, "m%d%s%s", i + 1, follows, beyond);
}

static void write_page(picture *pic) {
    static const double LEAST = 130, LEAST_SPACE = 190; /* widths of a panel */
    const gdyn_modes *modes = pic->modes;
    char more[40] = "";
    int columns = pic->shown < 4 ? pic->shown : 4;
    if (modes->count > pic->shown)
        snprintf(more, sizeof more, ", the first %d", pic->shown);
    gdyn_picture_begin(&pic->figure, "", "modes", columns < 2 ? 600 : 300 * columns,
                       "'%s': %d mode%s with %s held%s",
                       gdyn_picture_name(modes->instance->name).text, modes->count,
                       gdyn_plural(modes->count),
                       modes->held == GDYN_HOLD_TOOL ? "the tool" : "all drives", more);
    gdyn_figure_side_by_side(&pic->figure, columns, pic->drawing[0].planar ? LEAST : LEAST_SPACE,
                             true);
    for (int i = 0; i < pic->shown; i++) {
        gdyn_figure_panel *panel = gdyn_drawing_panel(&pic->drawing[i], &pic->figure, false);
        panel->caption[0] = title_of(pic, i);
        panel->zoom *= 1.25;
    }
}

gdyn_status gdyn_pictures_of_modes(const char *folder, const gdyn_modes *modes,
                                   gdyn_pictures *pictures, const gdyn_sink *sink) {
    if (modes->count == 0)
        return GDYN_OK;
    picture *pic = gdyn_alloc(1, sizeof *pic);
    if (!pic)
        return GDYN_ERROR_MEMORY;
    pic->modes = modes;
    pic->shown = modes->count < MODES_MOST ? modes->count : MODES_MOST;
    draw(pic);
    share_window(pic);
    write_page(pic);
    gdyn_status status = gdyn_picture_write(&pic->figure, folder, pictures, sink);
    for (int i = 0; i < pic->shown; i++)
        gdyn_drawing_end(&pic->drawing[i]);
    gdyn_free(pic);
    return status;
}
