/* picture_overlay_front.c - fronts of several studies over each other: one objective over
 * another, or all pairs of them. */
#include "report/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Marks that are told apart without colour: filled and open circles, squares, triangles, ... */
static const int mark_type[GDYN_OVERLAY_MOST] = {7, 4, 8, 2, 12, 5, 6, 9};

static int find_objective(const gdyn_overlay_front *of, const char *name) {
    for (int k = 0; k < of->objectives; k++)
        if (strcmp(of->name[k], name) == 0)
            return k;
    return -1;
}

/* The objectives of a front as columns, in the order of `objective`; alone: the place of the
 * front first. */
static int front_data(gdyn_figure *f, const gdyn_overlay_front *of, int objectives,
                      const char *const *objective, int place) {
    double row[8];
    for (int i = 0; i < of->designs; i++) {
        int columns = 0;
        if (objectives == 1)
            row[columns++] = place;
        for (int m = 0; m < objectives; m++)
            row[columns++] = of->value[i * of->objectives + find_objective(of, objective[m])];
        gdyn_figure_row(f, columns, row);
    }
    return gdyn_figure_block_end(f);
}

/* The axis of an objective: "area [m^2/s^3], maximized"; all fronts and some room. */
static gdyn_figure_axis axis_of(gdyn_figure *f, const gdyn_overlay *o, const gdyn_overlay_front *of,
                                const char *objective) {
    gdyn_figure_axis axis = {.title = NULL};
    int own = find_objective(of, objective);
    double low = INFINITY, high = -INFINITY;
    char cut[120];
    for (int k = 0; k < o->count; k++)
        for (int i = 0; i < of[k].designs; i++) {
            double value = of[k].value[i * of[k].objectives + find_objective(&of[k], objective)];
            low = isfinite(value) ? fmin(low, value) : low;
            high = isfinite(value) ? fmax(high, value) : high;
        }
    gdyn_axis_around(&axis, low, high, 0.06);
    bool plain = !*of->unit[own];
    axis.title =
        gdyn_figure_words(f, "%s%s%s%s, %s", gdyn_shorten(objective, 30, cut, sizeof cut),
                          plain ? "" : " [", gdyn_picture_letters(of->unit[own]).text,
                          plain ? "" : "]", of->maximized[own] ? "maximized" : "minimized");
    return axis;
}

static gdyn_figure_layer marks_of(int source, int block) {
    return (gdyn_figure_layer){GDYN_POINTS, block,        .point = mark_type[source],
                               .size = 1.1, .width = 1.6, .colour = gdyn_page_colour(source)};
}

/* A pair of objectives; x < 0: one alone, its best value in every study. */
static void draw_pair(gdyn_figure *f, const gdyn_overlay *o, const gdyn_overlay_front *of,
                      const char *const *objective, const int *block, int x, int y) {
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    char number[20];
    panel->ratio = 0.75;
    panel->y = axis_of(f, o, of, objective[y]);
    if (x >= 0)
        panel->x = axis_of(f, o, of, objective[x]);
    else
        panel->x = (gdyn_figure_axis){.low = -0.5, .high = o->count - 0.5, .lanes = true};
    for (int k = 0; k < o->count && x < 0; k++) {
        snprintf(number, sizeof number, "%d", k + 1);
        gdyn_figure_tic_at(f, &panel->x, k, number);
    }
    for (int k = 0; k < o->count; k++) {
        gdyn_figure_layer marks = marks_of(k, block[k]);
        marks.column[0] = x >= 0 ? x + 1 : 1;
        marks.column[1] = x >= 0 ? y + 1 : 2;
        gdyn_figure_draw(f, panel, marks);
    }
}

gdyn_status gdyn_picture_overlay_front(const gdyn_overlay *o, const gdyn_overlay_front *of,
                                       int objectives, const char *const *objective) {
    int block[GDYN_OVERLAY_MOST];
    char name[120];
    gdyn_figure f;
    gdyn_figure_begin(&f, "", "overlay_front", objectives > 2 ? 1100 : 800);
    gdyn_figure_text(&f, GDYN_HEADING, "Fronts of %d studies", o->count);
    for (int k = 0; k < o->count; k++) {
        block[k] = front_data(&f, &of[k], objectives, objective, k);
        gdyn_figure_layer marks = marks_of(k, -1);
        marks.title = gdyn_figure_words(&f, "%s, %d design%s", gdyn_overlay_name(o, k, name),
                                        of[k].designs, gdyn_plural(of[k].designs));
        gdyn_figure_entry(&f, marks);
    }
    if (objectives > 2)
        gdyn_figure_side_by_side(&f, 3, 110, false);
    for (int y = objectives > 1 ? 1 : 0; y < objectives; y++)
        for (int x = objectives > 1 ? 0 : -1; x < y; x++)
            draw_pair(&f, o, of, objective, block, x, y);
    return gdyn_picture_write(&f, o->folder, o->sink);
}
