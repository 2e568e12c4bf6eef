/* picture_paths.c - paths of the points that a simulation records, in the plane, of machines in space from three sides. */
#include "report/picture.h"
#include "report/simulation.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 1300, HEIGHT = 760 };

/* Column of a point's coordinate, -1: none. */
static int column_of(const gdyn_record *r, const char *point, int axis) {
    static const char *const endings[] = {"x", "y", "z"};
    char name[160];
    snprintf(name, sizeof name, "%.140s.%s", point, endings[axis]);
    return gdyn_record_find(r, name);
}

/* The paths of all points in the plane of two axes, at the same scale on both. */
static void plot_view(gdyn_script *script, const gdyn_record *r, const int axis[2], bool keyed) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    double half[2], most = 1e-9;
    char quoted[240], title[] = "x [m]";
    for (int p = 0; p < r->points; p++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < r->frames; i++) {
                double x = r->value[(size_t)i * (size_t)r->columns +
                                    (size_t)column_of(r, r->point[p].name, axis[j])];
                low[j] = fmin(low[j], x);
                high[j] = fmax(high[j], x);
            }
    /* at least a third of the longer side */
    for (int j = 0; j < 2; j++)
        most = fmax(most, high[j] - low[j]);
    for (int j = 0; j < 2; j++) {
        double middle = 0.5 * (low[j] + high[j]);
        half[j] = 0.5 * fmax(high[j] - low[j], 0.3 * most) + 0.04 * most;
        title[0] = "xyz"[axis[j]];
        gdyn_page_range(script, "xy"[j], middle - half[j], middle + half[j]);
        gdyn_page_label(script, "xy"[j], title, "");
        gdyn_script_line(script, "set %ctics %.9g", "xy"[j], gdyn_round_step(2 * most, 8));
    }
    gdyn_page_ratio(script, half[1] / half[0]);
    gdyn_script_line(script, "set size ratio -1");
    if (!keyed)
        gdyn_page_no_key(script);
    for (int p = 0; p < r->points; p++) {
        int x = column_of(r, r->point[p].name, axis[0]),
            y = column_of(r, r->point[p].name, axis[1]);
        for (int i = 0; i < r->frames; i++) {
            const double *row = r->value + (size_t)i * (size_t)r->columns;
            gdyn_text_printf(&script->data, "%.9g %.9g\n", row[x], row[y]);
        }
        gdyn_plot(script, gdyn_script_end_block(script),
                  "1:2 with lines lw 2.2 dt %d lc rgb '#%06X' title \"%s\"", p % 4 + 1,
                  gdyn_page_colour(p), gdyn_script_quote(r->point[p].name, quoted, sizeof quoted));
    }
    gdyn_plot_end(script);
}

gdyn_status gdyn_picture_paths(const char *folder, const gdyn_simulated *run,
                               gdyn_pictures *pictures, const gdyn_sink *sink) {
    static const int views[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    static const double LEFT = 0.07, RIGHT = 0.84;
    const gdyn_record *r = run->record;
    int count = gdyn_model_space(r->model) == GDYN_PLANAR ? 1 : 3;
    char name[200];
    gdyn_script script;
    if (r->points == 0 || r->frames < 2)
        return GDYN_OK;
    gdyn_script_begin(&script, "", "simulate_paths", WIDTH, count == 1 ? HEIGHT : 520);
    do {
        gdyn_script_line(&script, "set multiplot");
        gdyn_page_heading(&script, LEFT, 1 - 35.0 / script.high, "Paths of points of '%s'",
                          gdyn_script_heading(run->name, name, sizeof name));
        gdyn_page_axes(&script);
        gdyn_page_rows(&script, 0.86, 0.17);
        gdyn_page_key(&script, RIGHT + 0.015, 0.88, "samplen 2 font ',11'");
        for (int v = 0; v < count; v++) {
            double each = (RIGHT - LEFT + 0.09) / count;
            gdyn_page_columns(&script, LEFT + v * each, LEFT + (v + 1) * each - 0.09);
            plot_view(&script, r, views[v], v == 0);
            gdyn_page_clear(&script);
        }
        gdyn_script_line(&script, "unset multiplot");
    } while (gdyn_script_again(&script));
    gdyn_status status = gdyn_script_finish(&script, folder, sink);
    if (status == GDYN_OK && !gdyn_pictures_add(pictures, "", "simulate_paths"))
        return GDYN_ERROR_MEMORY;
    return status;
}
