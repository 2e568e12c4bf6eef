/* picture_overlay_simulation.c - simulations over each other: a panel for each column, over
 * time. */
#include "report/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is smaller is zero on a logarithmic axis. */
static const double ZERO = 1e-18;

/* A column over time; -1: the run has no number in it. */
static int column_data(gdyn_figure *f, const gdyn_overlay_simulation *of, int column,
                       bool absolute) {
    for (int i = 0; i < of->frames; i++) {
        const double *row = of->value + (size_t)i * (size_t)of->columns;
        double value = absolute ? fmax(fabs(row[column]), ZERO) : row[column];
        if (isfinite(row[column]))
            gdyn_figure_put(f, row[0], value);
        else /* not determined there */
            gdyn_figure_gap(f);
    }
    return gdyn_figure_block_end(f);
}

static void draw_column(gdyn_figure *f, gdyn_figure_panel *panel, const gdyn_overlay *o,
                        const gdyn_overlay_simulation *of, const char *name, bool keyed) {
    int first = gdyn_overlay_column(&of[0], name);
    panel->y = (gdyn_figure_axis){.title = gdyn_figure_words(f, "%s [%s]", name, of[0].unit[first]),
                                  .logarithmic = strcmp(of[0].kind[first], "residual") == 0};
    for (int k = 0; k < o->count; k++) {
        int block = column_data(f, &of[k], gdyn_overlay_column(&of[k], name), panel->y.logarithmic);
        gdyn_figure_draw(
            f, panel,
            gdyn_overlay_line(o, f, k, block, 0.8,
                              keyed || block < 0 ? block < 0 ? "no numbers" : "" : NULL));
    }
}

gdyn_status gdyn_picture_overlay_simulation(const gdyn_overlay *o,
                                            const gdyn_overlay_simulation *of, int count,
                                            const char *const *column) {
    gdyn_figure f;
    double last = 0;
    for (int k = 0; k < o->count; k++)
        if (of[k].frames > 0)
            last = fmax(last, of[k].value[(size_t)(of[k].frames - 1) * (size_t)of[k].columns]);
    gdyn_figure_begin(&f, "", "overlay_simulation", 1000);
    gdyn_figure_text(&f, GDYN_HEADING, "Simulations");
    for (int i = 0; i < count; i++) {
        bool lowest = i == count - 1;
        gdyn_figure_panel *panel = gdyn_figure_add(&f);
        panel->height = 155;
        panel->x = (gdyn_figure_axis){
            .title = lowest ? "t [s]" : NULL, .high = last > 0 ? last : 1, .unlabelled = !lowest};
        draw_column(&f, panel, o, of, column[i], i == 0);
    }
    return gdyn_picture_write(&f, o->folder, o->sink);
}
