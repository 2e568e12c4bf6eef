/* picture_paths.c - paths of the points that a simulation records, in the plane, of machines in
 * space from three sides. */
#include "report/picture.h"
#include "report/simulation.h"

#include <math.h>
#include <stdio.h>

/* Column of a point's coordinate, -1: none. */
static int column_of(const gdyn_record *r, const char *point, int axis) {
    static const char *const endings[] = {"x", "y", "z"};
    char name[160];
    snprintf(name, sizeof name, "%.140s.%s", point, endings[axis]);
    return gdyn_record_find(r, name);
}

/* The paths of all points in the plane of two axes, at the same scale on both. */
static void draw_view(gdyn_figure *f, const gdyn_record *r, const int axis[2], bool keyed) {
    static const char *const title[] = {"x [m]", "y [m]", "z [m]"};
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    gdyn_figure_panel *panel = gdyn_figure_add(f);
    for (int p = 0; p < r->points; p++) {
        int column[2];
        for (int j = 0; j < 2; j++)
            column[j] = column_of(r, r->point[p].name, axis[j]);
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
    panel->ratio = half[1] / half[0];
    panel->equal = true;
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
